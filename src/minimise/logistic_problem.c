/* The logistic problem: weights, units, and what one pass over the rows gives. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "num/logistic_loss.h"
#include "core/memory.h"
#include "core/number.h"
#include "num/sum.h"
#include "pass/fused.h"
#include "data/row.h"
#include "pass/certified_sign.h"
#include "minimise/logistic.h"

/* Squares of 2^400 times any number of rows stay far from the ends of the range. */
enum { LARGEST_EXPONENT = 400 };

/* Units stay below 2^1000, also for columns of smaller numbers than its inverse. */
enum { LOWEST_POWER = -1000 };

/* A sample takes at least so many blocks, if there are, and at least so many rows side by side. */
enum { BLOCKS_SAMPLED = 64, FEWEST_OF_BLOCK = 8 };

/* Beyond so many spreads from zero a column gets a center, of so many bits, by so many rows. */
enum { FAR_FROM_ZERO = 16, CENTER_BITS = 26, ROWS_FOR_CENTERS = 10000 };

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* The rows of each class, and their weight. */
static void class_sums(const linpred_data *data, int64_t rows[2], double sum[2])
{
    linpred__dd total[2] = {{0, 0}, {0, 0}};
    rows[0] = rows[1] = 0;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = &data->block[i];
        int64_t positive = 0;
        for (int32_t r = 0; r < block->rows; r++)
            positive += block->target[r] > 0;
        rows[0] += block->rows - positive;
        rows[1] += positive;
        for (int32_t r = 0; block->weight && r < block->rows; r++) {
            linpred__dd *to = &total[block->target[r] > 0];
            *to = linpred__dd_add_double(*to, block->weight[r]);
        }
    }
    for (int k = 0; k < 2; k++)
        sum[k] = data->block[0].weight ? total[k].hi : (double)rows[k];
}

/* "balanced": each class weighs half of all. "A:B": factors of the labels -1 and +1. */
static linpred_status read_class_weights(const char *text, const double sum[2], double weight[2], linpred_error *error)
{
    weight[0] = weight[1] = 1.0;
    if (!text)
        return LINPRED_OK;
    if (strcmp(text, "balanced") == 0) {
        for (int k = 0; k < 2; k++)
            weight[k] = (sum[0] + sum[1]) / (2.0 * sum[k]);
        return LINPRED_OK;
    }
    const char *colon = strchr(text, ':');
    if (!colon || linpred__number_read(text, (size_t)(colon - text), &weight[0]) != LINPRED__NUMBER ||
        linpred__number_read(colon + 1, strlen(colon + 1), &weight[1]) != LINPRED__NUMBER || !(weight[0] > 0) ||
        !(weight[1] > 0)) {
        char room[LINPRED__EXCERPT];
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "--class-weights takes balanced, or two positive numbers A:B for the labels -1 and +1, not '%s'",
            linpred__excerpt(text, strlen(text), room));
    }
    return LINPRED_OK;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* The power of two that a column's largest is below; above that where l2 unit² would leave the range: the penalty then
   holds the coefficient near 0 whatever the rows say. */
static int power_of(double extent, double l2)
{
    int power = extent > 0 ? ilogb(extent) + 1 : 0;
    int lowest = l2 > 0 ? (ilogb(l2) - LARGEST_EXPONENT) / 2 : LOWEST_POWER;
    return power > lowest ? power : lowest;
}

static linpred_status find_units(linpred__logistic *problem, linpred_error *error)
{
    const linpred_data *data = problem->data;
    const int32_t *column = problem->narrow.column;
    int *exponent = linpred__calloc((size_t)data->columns + 1, sizeof *exponent);
    if (!exponent)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    problem->radius = problem->fit->problem.extents.radius.above;
    bool extreme = false;
    for (int32_t j = 0; j < data->columns; j++) {
        double extent = problem->fit->problem.extents.extent[column ? column[j] : j];
        int power = power_of(extent, problem->l2);
        bool far = power > LARGEST_EXPONENT || power < -LARGEST_EXPONENT;
        exponent[j] = far ? power : 0;
        extreme = extreme || far;
        problem->extent[j] = ldexp(extent, -power);
        problem->unit[j] = ldexp(1.0, -power);
        problem->data_unit[j] = far ? 1.0 : problem->unit[j];
        problem->penalty[j] = problem->l2 * problem->unit[j] * problem->unit[j];
    }
    if (problem->has_intercept)
        problem->extent[data->columns] = problem->unit[data->columns] = problem->data_unit[data->columns] = 1.0;
    if (extreme)
        status = linpred__data_scaled(data, exponent, &problem->copy, NULL, error);
    if (problem->copy)
        problem->data = problem->copy;
    linpred__release(exponent);
    return status;
}

/* ---- centers ----------------------------------------------------------------------------------------------------- */

/* Sums over some rows of a dense block: mean and spread need not be exact. */
static void add_moments(const linpred__block *block, const double *shift, double *sum, double *square)
{
    for (int32_t r = 0; r < block->rows; r++)
        for (int32_t j = 0; j < block->columns; j++) {
            double x = block->values[r * block->stride + j] - shift[j];
            sum[j] += x;
            square[j] += x * x;
        }
}

/* The mean rounded to some bits; 0 where the spread is not small beside it, or there is none: a constant column. */
static double center_of(double first, double sum, double square, double rows)
{
    double offset = sum / rows, mean = first + offset;
    double variance = fmax(0.0, square / rows - offset * offset);
    if (!(fabs(mean) > FAR_FROM_ZERO * sqrt(variance)) || !(variance > 0) || !isfinite(mean))
        return 0.0;
    int exponent;
    double fraction = frexp(mean, &exponent);
    return ldexp(nearbyint(ldexp(fraction, CENTER_BITS)), exponent - CENTER_BITS);
}

/* The largest |x - center|, for columns that have one. */
static void find_centred_extent(linpred__logistic *problem)
{
    const linpred_data *data = problem->data;
    for (int32_t j = 0; j < data->columns; j++)
        problem->extent[j] = problem->center[j] != 0.0 ? 0.0 : problem->extent[j];
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = &data->block[i];
        for (int32_t r = 0; r < block->rows; r++)
            for (int32_t j = 0; j < data->columns; j++)
                if (problem->center[j] != 0.0)
                    problem->extent[j] =
                        fmax(problem->extent[j], fabs(block->values[r * block->stride + j] - problem->center[j]) *
                                                     problem->data_unit[j] * (1.0 + 0x1p-50));
    }
}

static linpred_status find_centers(linpred__logistic *problem, linpred_error *error)
{
    const linpred_data *data = problem->data;
    size_t columns = (size_t)data->columns;
    linpred_data sample;
    int64_t every = data->rows / ROWS_FOR_CENTERS + 1;
    double *sum = linpred__calloc(2 * columns + 1, sizeof *sum);
    if (!sum || !linpred__data_sample(data, every, &sample)) {
        linpred__release(sum);
        return linpred__no_memory(error);
    }
    const double *first = data->block[0].values; /* the first row: near enough to the mean to keep the spread */
    for (int64_t i = 0; i < sample.blocks; i++)
        add_moments(&sample.block[i], first, sum, sum + columns);
    for (size_t j = 0; j < columns; j++) {
        problem->center[j] = center_of(first[j], sum[j], sum[columns + j], (double)sample.rows);
        problem->centred = problem->centred || problem->center[j] != 0.0;
    }
    linpred__release(sample.block);
    linpred__release(sum);
    if (problem->centred)
        find_centred_extent(problem);
    return LINPRED_OK;
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

linpred_status linpred__logistic_open(linpred__fit *fit, bool matrix, linpred__logistic *problem, linpred_error *error)
{
    const linpred_data *data = fit->problem.data;
    *problem = (linpred__logistic){.fit = fit, .data = data, .l2 = fit->options->l2};
    linpred_status status = LINPRED_OK;
    if (!matrix)
        status = linpred__drop_empty_columns(data, fit->problem.extents.extent, fit->run.pool, &problem->narrow, error);
    if (status != LINPRED_OK)
        return status;
    if (problem->narrow.column)
        problem->data = data = &problem->narrow.data;
    problem->has_intercept = !fit->options->no_intercept;
    problem->dimension = data->columns + problem->has_intercept;
    size_t d = (size_t)problem->dimension + 1;
    double **vector[] = {&problem->unit,    &problem->data_unit, &problem->extent,
                         &problem->penalty, &problem->center,    &problem->w};
    bool complete = true;
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        *vector[i] = linpred__calloc(d, sizeof(double));
        complete = complete && *vector[i];
    }
    problem->tally = linpred__alloc((size_t)data->blocks, sizeof *problem->tally);
    problem->curvature = linpred__alloc((size_t)data->blocks, sizeof *problem->curvature);
    complete = complete && problem->tally && problem->curvature;
    double sum[2];
    class_sums(data, problem->rows, sum);
    status = complete ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = read_class_weights(fit->options->class_weights, sum, problem->class_weight, error);
    problem->weight = problem->class_weight[0] * sum[0] + problem->class_weight[1] * sum[1];
    for (int k = 0; k < 2; k++)
        problem->share[k] = problem->class_weight[k] * sum[k] / problem->weight;
    if (status == LINPRED_OK && !(problem->weight > 0 && isfinite(problem->weight)))
        status = linpred__fail(error, LINPRED_ERROR_INPUT, "the row weights add up to more than any number");
    if (status == LINPRED_OK)
        status = find_units(problem, error);
    if (status == LINPRED_OK && matrix && problem->has_intercept && data->layout == LINPRED__DENSE)
        status = find_centers(problem, error);
    if (status != LINPRED_OK)
        linpred__logistic_close(problem);
    return status;
}

void linpred__logistic_close(linpred__logistic *problem)
{
    linpred_data_free(problem->copy);
    linpred__without_empty_columns_close(&problem->narrow);
    linpred__release(problem->unit);
    linpred__release(problem->data_unit);
    linpred__release(problem->extent);
    linpred__release(problem->penalty);
    linpred__release(problem->center);
    linpred__release(problem->w);
    linpred__release(problem->tally);
    linpred__release(problem->curvature);
    linpred__release(problem->leverage);
    *problem = (linpred__logistic){0};
}

bool linpred__logistic_point_open(const linpred__logistic *problem, bool hessian, linpred__logistic_point *point)
{
    size_t d = (size_t)problem->dimension;
    *point = (linpred__logistic_point){.objective = NAN, .decrement = NAN, .curvature = 0.25}; /* that of v = 0 */
    point->v = linpred__calloc(d, sizeof(double));
    point->gradient = linpred__calloc(d, sizeof(double));
    point->step = linpred__calloc(d, sizeof(double));
    point->hessian = hessian ? linpred__alloc(d * d, sizeof(double)) : NULL;
    if (point->v && point->gradient && point->step && (point->hessian || !hessian))
        return true;
    linpred__logistic_point_close(point);
    return false;
}

void linpred__logistic_point_close(linpred__logistic_point *point)
{
    linpred__release(point->v);
    linpred__release(point->gradient);
    linpred__release(point->step);
    linpred__release(point->hessian);
    *point = (linpred__logistic_point){0};
}

/* ---- one pass ---------------------------------------------------------------------------------------------------- */

struct rows {
    const linpred__logistic *problem;
    double slack;    /* a score beyond it has its sign for certain */
    double expected; /* mean curvature, for thinning; 0: none */
};

static void row_function(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                         double *curvature)
{
    const struct rows *rows = context;
    const linpred__logistic *problem = rows->problem;
    int64_t i = block->first_row / problem->data->block_rows;
    problem->tally[i] = linpred__tally_scores(block->rows, z, block->target, block->weight, rows->slack);
    linpred__logistic_rows(block->rows, z, block->target, block->weight, problem->class_weight, loss, r, curvature);
    problem->curvature[i] = linpred__sum(curvature, block->rows).hi;
    if (rows->expected > 0)
        linpred__hessian_sample(problem, block, rows->expected, curvature);
}

/* From sums over the rows of `data` to means in our units, with the penalty. */
static void finish(const linpred__logistic *problem, double weight, bool hessian, linpred__logistic_point *point)
{
    int32_t d = problem->dimension;
    for (int32_t j = 0; j < d; j++) {
        point->gradient[j] = point->gradient[j] / weight * problem->data_unit[j] + problem->penalty[j] * point->v[j];
        point->objective += 0.5 * problem->penalty[j] * point->v[j] * point->v[j];
    }
    for (int32_t i = 0; hessian && i < d; i++) {
        double *row = point->hessian + (int64_t)i * d;
        for (int32_t j = 0; j < d; j++)
            row[j] = row[j] / weight * problem->data_unit[i] * problem->data_unit[j];
        row[i] += problem->penalty[i];
    }
}

linpred_status linpred__logistic_evaluate(linpred__logistic *problem, const linpred__logistic_view *view,
                                          linpred__hessian hessian, linpred__logistic_point *point,
                                          linpred_error *error)
{
    const linpred_data *data = view ? &view->data : problem->data;
    int32_t columns = data->columns;
    double weight = view ? view->weight : problem->weight;
    for (int32_t j = 0; j < problem->dimension; j++)
        problem->w[j] = problem->data_unit[j] * point->v[j];
    double b = problem->has_intercept ? problem->w[columns] : 0.0;
    for (int32_t j = 0; problem->centred && j < columns; j++)
        b -= problem->center[j] * problem->w[j];
    struct rows rows = {problem, INFINITY, 0.0};
    if (hessian == LINPRED__HESSIAN_SAMPLED)
        rows.expected = point->curvature;
    if (!problem->copy)
        rows.slack = linpred__slack(columns, linpred__norm_above(problem->w, columns, b), problem->radius);
    linpred__fused fused = {.weights = problem->w,
                            .intercept = b,
                            .has_intercept = problem->has_intercept,
                            .row_function = row_function,
                            .context = &rows,
                            .center = problem->centred ? problem->center : NULL,
                            .gradient = point->gradient,
                            .hessian = hessian != LINPRED__HESSIAN_NONE ? point->hessian : NULL};
    linpred_status status = linpred__fused_pass(data, problem->fit->run.pool, &fused, error);
    if (status != LINPRED_OK)
        return status;
    problem->passes += !view;
    point->objective = fused.loss.hi / weight;
    finish(problem, weight, hessian != LINPRED__HESSIAN_NONE, point);
    point->errors = point->mean_score[0] = point->mean_score[1] = point->curvature = 0.0;
    point->unsure = 0;
    for (int64_t i = 0; !view && i < data->blocks; i++) {
        const linpred__score_tally *tally = &problem->tally[i];
        point->errors += tally->errors;
        point->unsure += (int64_t)tally->unsure;
        point->curvature += problem->curvature[i] / problem->weight;
        for (int k = 0; k < 2; k++)
            point->mean_score[k] += tally->score[k] * problem->class_weight[k] / (problem->share[k] * problem->weight);
    }
    return LINPRED_OK;
}

bool linpred__logistic_sample(const linpred__logistic *problem, int64_t every, linpred__logistic_view *view)
{
    const linpred_data *data = problem->data;
    int64_t skip = data->blocks / BLOCKS_SAMPLED < every ? data->blocks / BLOCKS_SAMPLED : every;
    skip = skip > 1 ? skip : 1;
    int64_t rows =
        data->block_rows * skip / every > FEWEST_OF_BLOCK ? data->block_rows * skip / every : FEWEST_OF_BLOCK;
    if (!linpred__data_sample(data, skip, &view->data))
        return false;
    view->data.rows = 0;
    for (int64_t i = 0; i < view->data.blocks; i++) {
        linpred__block *block = &view->data.block[i];
        block->rows = block->rows < rows ? block->rows : (int32_t)rows;
        view->data.rows += block->rows;
    }
    int64_t of_class[2];
    double sum[2];
    class_sums(&view->data, of_class, sum);
    view->weight = problem->class_weight[0] * sum[0] + problem->class_weight[1] * sum[1];
    if (sum[0] > 0 && sum[1] > 0)
        return true;
    linpred__release(view->data.block);
    return false;
}

void linpred__logistic_to_file(const linpred__logistic *problem, const double *from, double *to)
{
    int32_t columns = problem->data->columns;
    double b = problem->has_intercept ? from[columns] : 0.0;
    for (int32_t j = 0; j < columns; j++) {
        if (problem->center[j] != 0.0)
            b -= problem->center[j] * problem->data_unit[j] * from[j];
        to[j] = problem->unit[j] * from[j];
    }
    if (problem->has_intercept)
        to[columns] = b;
}

void linpred__logistic_from_file(const linpred__logistic *problem, const double *from, double *to)
{
    int32_t columns = problem->data->columns;
    double b = problem->has_intercept ? from[columns] : 0.0;
    for (int32_t j = 0; j < columns; j++) {
        to[j] = from[j] / problem->unit[j];
        if (problem->center[j] != 0.0)
            b += problem->center[j] * problem->data_unit[j] * to[j];
    }
    if (problem->has_intercept)
        to[columns] = b;
}

void linpred__logistic_take(const linpred__logistic *problem, const double *v)
{
    linpred_model *model = &problem->fit->result->model;
    const int32_t *column = problem->narrow.column;
    linpred__logistic_to_file(problem, v, problem->w);
    memset(model->w, 0, (size_t)model->columns * sizeof *model->w);
    for (int32_t j = 0; j < problem->data->columns; j++)
        model->w[column ? column[j] : j] = problem->w[j];
    model->b = problem->has_intercept ? problem->w[problem->data->columns] : 0.0;
}

linpred_status linpred__logistic_begin(linpred__logistic *problem, const linpred_model *model,
                                       linpred__logistic_point *point, linpred_error *error)
{
    const int32_t *column = problem->narrow.column;
    for (int32_t j = 0; j < problem->data->columns; j++)
        problem->w[j] = model->w[column ? column[j] : j];
    if (problem->has_intercept)
        problem->w[problem->data->columns] = model->b;
    linpred__logistic_from_file(problem, problem->w, point->v);
    linpred_status status = linpred__logistic_evaluate(problem, NULL, LINPRED__HESSIAN_NONE, point, error);
    problem->start_left = status == LINPRED_OK && !(point->objective < log(2.0)); /* F(0) */
    if (problem->start_left)
        memset(point->v, 0, (size_t)problem->dimension * sizeof *point->v);
    return status;
}
