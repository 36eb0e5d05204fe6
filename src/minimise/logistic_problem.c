/* The logistic problem: weights of the classes, units of the columns, and from one unit to the other. */
#include "minimise/logistic_problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "minimise/limits.h"
#include "num/dd.h"

void linpred__class_sums(const linpred_data *data, int64_t rows[2], double sum[2])
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

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* The exponent of the power of two above the largest |x| of the column. If l2 unit² would overflow with it, the
   exponent is larger. The penalty then keeps the coefficient near 0 in any case. */
static int unit_exponent(double extent, double l2)
{
    int exponent = extent > 0 ? ilogb(extent) + 1 : 0;
    int lowest = l2 > 0 ? (ilogb(l2) - LINPRED__MAX_SQUARED_EXPONENT) / 2 : LINPRED__MIN_UNIT_EXPONENT;
    return exponent > lowest ? exponent : lowest;
}

static linpred_status find_units(linpred__logistic_problem *problem, linpred_error *error)
{
    const linpred_data *data = problem->data;
    const linpred__row_extents *extents = &problem->original->extents;
    const int32_t *column = problem->used_columns.column;
    double l2 = problem->terms.l2;
    int *scale = linpred__calloc((size_t)data->columns + 1, sizeof *scale);
    if (!scale)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    problem->radius = extents->radius.above;
    bool extreme = false;
    for (int32_t j = 0; j < data->columns; j++) {
        double extent = extents->extent[column ? column[j] : j];
        int exponent = unit_exponent(extent, l2);
        bool far = exponent > LINPRED__MAX_SQUARED_EXPONENT || exponent < -LINPRED__MAX_SQUARED_EXPONENT;
        scale[j] = far ? exponent : 0;
        extreme = extreme || far;
        problem->extent[j] = ldexp(extent, -exponent);
        problem->unit[j] = ldexp(1.0, -exponent);
        problem->data_unit[j] = far ? 1.0 : problem->unit[j];
        problem->penalty[j] = l2 * problem->unit[j] * problem->unit[j];
    }
    if (problem->has_intercept)
        problem->extent[data->columns] = problem->unit[data->columns] = problem->data_unit[data->columns] = 1.0;
    if (extreme)
        status = linpred__data_scaled(data, scale, &problem->scaled, NULL, error);
    if (problem->scaled)
        problem->data = problem->scaled;
    linpred__release(scale);
    return status;
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

static bool open_problem_vectors(linpred__logistic_problem *problem)
{
    size_t d = (size_t)problem->dimension + 1, blocks = (size_t)problem->data->blocks;
    double **vector[] = {&problem->unit,   &problem->data_unit, &problem->extent,   &problem->penalty,
                         &problem->centre, &problem->origin,    &problem->scratch.w};
    bool complete = true;
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        *vector[i] = linpred__calloc(d, sizeof(double));
        complete = complete && *vector[i];
    }
    problem->scratch.block_tally = linpred__alloc(blocks, sizeof *problem->scratch.block_tally);
    problem->scratch.block_curvature = linpred__alloc(blocks, sizeof *problem->scratch.block_curvature);
    return complete && problem->scratch.block_tally && problem->scratch.block_curvature;
}

static linpred_status find_weight(linpred__logistic_problem *problem, linpred_error *error)
{
    const double *class_weight = problem->terms.class_weight;
    double sum[2];
    linpred__class_sums(problem->data, problem->rows, sum);
    problem->weight = class_weight[0] * sum[0] + class_weight[1] * sum[1];
    for (int k = 0; k < 2; k++)
        problem->share[k] = class_weight[k] * sum[k] / problem->weight;
    if (problem->weight > 0 && isfinite(problem->weight))
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT, "the row weights add up to more than any number");
}

/* ---- centres ----------------------------------------------------------------------------------------------------- */

/* Centres of columns.
 *
 * Let a column have mean m and spread s with |m| >> s. In the Gram matrix s² is lost in the rounding of m². If the
 * column is taken about a centre near m, no digit of s is lost. A centre has few bits, so that x - centre is mostly
 * exact. Passes over dense rows subtract it from what they add up, though not from scores. Where scores would lose s
 * too, the rows are copied with it subtracted. Sparse rows are always copied: nearly all have an entry in such a
 * column.
 */

/* Sums over some rows for each column, of x - first and its square, where the row has an entry. */
struct moments {
    double *first; /* the first x of the column, which is near enough to its mean */
    double *sum;
    double *square;
    double *count; /* of entries */
};

static void add_moments(const linpred__block *block, const struct moments *moments)
{
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            if (moments->count[j]++ == 0.0)
                moments->first[j] = row.values[k];
            double x = row.values[k] - moments->first[j];
            moments->sum[j] += x;
            moments->square[j] += x * x;
        }
    }
}

/* The mean of column j, rounded to a few bits, but to within a quarter of the spread. It is 0 if the spread is not
   small beside the mean, or if the column is constant. Rows without an entry have x = 0. *far says whether scores need
   it. */
static double centre_of(const struct moments *moments, size_t j, double rows, bool *far)
{
    double first = moments->first[j], zeros = rows - moments->count[j];
    double offset = (moments->sum[j] - zeros * first) / rows, mean = first + offset;
    double variance = fmax(0.0, (moments->square[j] + zeros * first * first) / rows - offset * offset);
    if (!(fabs(mean) > LINPRED__CENTRE_SPREADS * sqrt(variance)) || !(variance > 0) || !isfinite(mean))
        return 0.0;
    int exponent, bits = LINPRED__CENTRE_BITS;
    double fraction = frexp(mean, &exponent);
    if (exponent - ilogb(sqrt(variance)) + 2 > bits)
        bits = exponent - ilogb(sqrt(variance)) + 2;
    *far = *far || fabs(mean) > LINPRED__SHIFT_SPREADS * sqrt(variance);
    return bits < DBL_MANT_DIG ? ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits) : mean;
}

struct extents_about {
    const linpred__logistic_problem *problem;
    bool subtracted; /* the origin is, in the data */
};

/* The state has the largest |x - origin| of each column, rounded up. */
static void visit_extents(void *context, void *state, const linpred__block *block)
{
    const struct extents_about *about = context;
    const linpred__logistic_problem *problem = about->problem;
    double *extent = state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            double centre = about->subtracted ? 0.0 : problem->origin[j];
            if (problem->origin[j] != 0.0)
                extent[j] = fmax(extent[j], fabs(row.values[k] - centre) * problem->data_unit[j] * (1.0 + 0x1p-50));
        }
    }
}

static void merge_extents(void *context, void *into, const void *from)
{
    const struct extents_about *about = context;
    for (int32_t j = 0; j < about->problem->data->columns; j++)
        ((double *)into)[j] = fmax(((double *)into)[j], ((const double *)from)[j]);
}

/* The extents of the columns that have an origin, about it. */
static linpred_status find_extents(linpred__logistic_problem *problem, bool subtracted, linpred_error *error)
{
    size_t columns = (size_t)problem->data->columns;
    struct extents_about about = {problem, subtracted};
    linpred__visitor visitor = {.state_bytes = columns * sizeof(double),
                                .block = visit_extents,
                                .merge = merge_extents,
                                .context = &about,
                                .pieces = linpred__whole_state};
    double *extent = linpred__alloc(columns, sizeof *extent);
    linpred_status status =
        extent ? linpred__pass(problem->data, problem->run->pool, &visitor, extent, error) : linpred__no_memory(error);
    for (size_t j = 0; j < columns && status == LINPRED_OK; j++)
        problem->extent[j] = problem->origin[j] != 0.0 ? extent[j] : problem->extent[j];
    linpred__release(extent);
    return status;
}

/* Finds the origins of columns from some rows. *found says whether there are any, *far whether scores need one. */
static linpred_status find_origins(linpred__logistic_problem *problem, bool *found, bool *far, linpred_error *error)
{
    const linpred_data *data = problem->data;
    size_t columns = (size_t)data->columns;
    linpred_data sample;
    int64_t every = data->rows / LINPRED__CENTRE_ROWS + 1;
    double *sums = linpred__calloc(4 * columns + 1, sizeof *sums);
    if (!sums || !linpred__data_sample(data, every, &sample)) {
        linpred__release(sums);
        return linpred__no_memory(error);
    }
    struct moments moments = {sums, sums + columns, sums + 2 * columns, sums + 3 * columns};
    for (int64_t i = 0; i < sample.blocks; i++)
        add_moments(linpred__block_at(&sample, i), &moments);
    *found = *far = false;
    for (size_t j = 0; j < columns; j++) {
        problem->origin[j] = centre_of(&moments, j, (double)sample.rows, far);
        *found = *found || problem->origin[j] != 0.0;
    }
    linpred__release(sample.block);
    linpred__release(sums);
    return LINPRED_OK;
}

/* Takes the columns that need it about a centre, and sets their extents. */
static linpred_status find_centres(linpred__logistic_problem *problem, linpred_error *error)
{
    bool found = false, far = false;
    linpred_status status = find_origins(problem, &found, &far, error);
    if (status != LINPRED_OK || !found)
        return status;
    bool copied = far || problem->data->layout == LINPRED__SPARSE;
    if (!copied) {
        memcpy(problem->centre, problem->origin, (size_t)problem->data->columns * sizeof *problem->centre);
        problem->is_centred = true;
    } else {
        status = linpred__data_shifted(problem->data, problem->origin, &problem->shifted, error);
        if (status != LINPRED_OK)
            return status;
        problem->data = problem->shifted;
    }
    return find_extents(problem, copied, error);
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

linpred_status linpred__logistic_open(linpred__run *run, const linpred__problem *original,
                                      const linpred__logistic_terms *terms, bool matrix,
                                      linpred__logistic_problem *problem, linpred_error *error)
{
    *problem = (linpred__logistic_problem){.run = run, .original = original, .data = original->data, .terms = *terms};
    linpred_status status = LINPRED_OK;
    if (!matrix)
        status = linpred__drop_empty_columns(original->data, original->extents.extent, run->pool,
                                             &problem->used_columns, error);
    if (status != LINPRED_OK)
        return status;
    if (problem->used_columns.column)
        problem->data = &problem->used_columns.data;
    problem->has_intercept = original->has_intercept;
    problem->dimension = problem->data->columns + problem->has_intercept;
    if (!open_problem_vectors(problem))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = find_weight(problem, error);
    if (status == LINPRED_OK)
        status = find_units(problem, error);
    if (status == LINPRED_OK && problem->has_intercept && (matrix || original->data->layout == LINPRED__SPARSE))
        status = find_centres(problem, error);
    if (status != LINPRED_OK)
        linpred__logistic_close(problem);
    return status;
}

void linpred__logistic_close(linpred__logistic_problem *problem)
{
    linpred_data_free(problem->scaled);
    linpred_data_free(problem->shifted);
    linpred__without_empty_columns_close(&problem->used_columns);
    linpred__release(problem->unit);
    linpred__release(problem->data_unit);
    linpred__release(problem->extent);
    linpred__release(problem->penalty);
    linpred__release(problem->centre);
    linpred__release(problem->origin);
    linpred__release(problem->scratch.w);
    linpred__release(problem->scratch.block_tally);
    linpred__release(problem->scratch.block_curvature);
    linpred__release(problem->leverage);
    *problem = (linpred__logistic_problem){0};
}

/* ---- from one unit to the other ---------------------------------------------------------------------------------- */

void linpred__logistic_to_file(const linpred__logistic_problem *problem, const double *from, double *to)
{
    int32_t columns = problem->data->columns;
    double b = problem->has_intercept ? from[columns] : 0.0;
    for (int32_t j = 0; j < columns; j++) {
        if (problem->origin[j] != 0.0)
            b -= problem->origin[j] * problem->data_unit[j] * from[j];
        to[j] = problem->unit[j] * from[j];
    }
    if (problem->has_intercept)
        to[columns] = b;
}

void linpred__logistic_from_file(const linpred__logistic_problem *problem, const double *from, double *to)
{
    int32_t columns = problem->data->columns;
    double b = problem->has_intercept ? from[columns] : 0.0;
    for (int32_t j = 0; j < columns; j++) {
        to[j] = from[j] / problem->unit[j];
        if (problem->origin[j] != 0.0)
            b += problem->origin[j] * problem->data_unit[j] * to[j];
    }
    if (problem->has_intercept)
        to[columns] = b;
}

void linpred__logistic_coefficients(linpred__logistic_problem *problem, const double *v, double *w, double *b)
{
    const int32_t *column = problem->used_columns.column;
    linpred__logistic_to_file(problem, v, problem->scratch.w);
    memset(w, 0, (size_t)problem->original->data->columns * sizeof *w);
    for (int32_t j = 0; j < problem->data->columns; j++)
        w[column ? column[j] : j] = problem->scratch.w[j];
    *b = problem->has_intercept ? problem->scratch.w[problem->data->columns] : 0.0;
}
