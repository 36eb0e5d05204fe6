/* F and its derivatives at a point, in one pass over the rows, and the gap that its gradient proves if there is a
 * penalty. */
#include "minimise/logistic_point.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "data/tree.h"
#include "minimise/row_sample.h"
#include "num/vector.h"
#include "pass/certified_sign.h"
#include "pass/fused.h"

bool linpred__logistic_point_open(const linpred__logistic_problem *problem, bool hessian,
                                  linpred__logistic_point *point)
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
    linpred__logistic_problem *problem; /* its scratch takes the sums of each block */
    double rounding_bound;              /* if |score| exceeds it, the sign is certain */
    double expected_curvature;          /* of the mean row, for a sampled Hessian; 0: the Hessian is not sampled */
};

static void visit_rows(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                       double *curvature)
{
    const struct rows *rows = context;
    linpred__logistic_problem *problem = rows->problem;
    int64_t i = block->first_row / problem->data->block_rows;
    problem->scratch.block_tally[i] =
        linpred__tally_scores(block->rows, z, block->target, block->weight, rows->rounding_bound);
    linpred__logistic_rows(block->rows, z, block->target, block->weight, problem->terms.class_weight, loss, r,
                           curvature);
    problem->scratch.block_curvature[i] = linpred__sum(curvature, block->rows).hi;
    if (rows->expected_curvature > 0)
        linpred__hessian_sample(problem, block, rows->expected_curvature, curvature);
}

/* Turns sums over the rows of `data` into means in the units of v, and adds the penalty. */
static void take_means(const linpred__logistic_problem *problem, double weight, bool hessian,
                       linpred__logistic_point *point)
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

/* Sets errors, mean scores and curvature of all rows from the sums of the blocks. For a sample they are 0. */
static void add_blocks(const linpred__logistic_problem *problem, bool all_rows, linpred__logistic_point *point)
{
    point->errors = point->mean_score[0] = point->mean_score[1] = point->curvature = 0.0;
    point->unsure = 0;
    for (int64_t i = 0; all_rows && i < problem->data->blocks; i++) {
        const linpred__score_tally *tally = &problem->scratch.block_tally[i];
        point->errors += tally->errors;
        point->unsure += (int64_t)tally->unsure;
        point->curvature += problem->scratch.block_curvature[i] / problem->weight;
        for (int k = 0; k < 2; k++)
            point->mean_score[k] +=
                tally->score[k] * problem->terms.class_weight[k] / (problem->share[k] * problem->weight);
    }
}

linpred_status linpred__logistic_evaluate(linpred__logistic_problem *problem, const linpred__row_sample *sample,
                                          linpred__hessian hessian, linpred__logistic_point *point,
                                          linpred_error *error)
{
    const linpred_data *data = sample ? &sample->data : problem->data;
    int32_t columns = data->columns;
    double weight = sample ? sample->weight : problem->weight;
    for (int32_t j = 0; j < problem->dimension; j++)
        problem->scratch.w[j] = problem->data_unit[j] * point->v[j];
    double b = problem->has_intercept ? problem->scratch.w[columns] : 0.0;
    for (int32_t j = 0; problem->is_centred && j < columns; j++)
        b -= problem->centre[j] * problem->scratch.w[j];
    struct rows rows = {problem, INFINITY, 0.0};
    if (hessian == LINPRED__HESSIAN_SAMPLED)
        rows.expected_curvature = point->curvature;
    if (!problem->scaled && !problem->shifted)
        rows.rounding_bound =
            linpred__rounding_bound(columns, linpred__norm_above(problem->scratch.w, columns, b), problem->radius);
    linpred__fused fused = {.weights = problem->scratch.w,
                            .intercept = b,
                            .has_intercept = problem->has_intercept,
                            .row_function = visit_rows,
                            .context = &rows,
                            .centre = problem->is_centred ? problem->centre : NULL,
                            .gradient = point->gradient,
                            .hessian = hessian != LINPRED__HESSIAN_NONE ? point->hessian : NULL};
    linpred_status status = linpred__fused_pass(data, problem->run->pool, &fused, error);
    if (status != LINPRED_OK)
        return status;
    problem->progress.passes += !sample;
    point->objective = fused.loss.hi / weight;
    take_means(problem, weight, hessian != LINPRED__HESSIAN_NONE, point);
    if (!sample) {
        linpred__cut cut = linpred__fused_cut(data, fused.hessian);
        linpred__share_blocks(data, cut, problem->scratch.block_tally, sizeof *problem->scratch.block_tally);
        linpred__share_blocks(data, cut, problem->scratch.block_curvature, sizeof *problem->scratch.block_curvature);
    }
    add_blocks(problem, !sample, point);
    return LINPRED_OK;
}

linpred_status linpred__logistic_begin(linpred__logistic_problem *problem, linpred__logistic_point *point,
                                       linpred_error *error)
{
    const linpred__logistic_start *start = problem->terms.start;
    const int32_t *column = problem->used_columns.column;
    for (int32_t j = 0; j < problem->data->columns; j++)
        problem->scratch.w[j] = start->w[column ? column[j] : j];
    if (problem->has_intercept)
        problem->scratch.w[problem->data->columns] = start->b;
    linpred__logistic_from_file(problem, problem->scratch.w, point->v);
    linpred_status status = linpred__logistic_evaluate(problem, NULL, LINPRED__HESSIAN_NONE, point, error);
    problem->progress.start_ignored = status == LINPRED_OK && !(point->objective < log(2.0)); /* F(0) = log 2 */
    if (problem->progress.start_ignored)
        memset(point->v, 0, (size_t)problem->dimension * sizeof *point->v);
    return status;
}

/* ---- the gap ----------------------------------------------------------------------------------------------------- */

/* Two bounds of the gap F(w,b) - min F for l2 > 0; docs/logistic.md derives them.
 *
 *   F(u,c) >= F(w,b) + <g_w,u-w> + g_b(c-b) + (l2/2)||u-w||²
 *
 * The intercept c has no penalty, so c must be bounded in another way. If g_b > 0, the positive rows do it. By Jensen's
 * inequality they contribute at least π log(1 + exp(-(<u,x̄>+c))) to F(u,c), where π is their share in W and x̄ their
 * mean. At the minimum that is at most F(w,b), so c >= -B - <u,x̄> with B = log(exp(F/π) - 1) <= F/π. If g_b < 0, the
 * negative rows do the same. Minimised over u, the gap is at most
 *
 *   ||g_w - g_b x̄||² / (2 l2) + |g_b| (B + y s̄),
 *
 * where y is the label and s̄ the mean score of that class. |x̄_j| is at most the largest |x_j|.
 *
 * The second bound is that of fit/logistic/methods.c for νρ <= 1/2, with a matrix that is at most H. Let h be the mean
 * curvature and x̄ now the mean of the rows weighted by curvature. Then <(u,c), H(u,c)> >= l2 ||u||² + h (c + <u,x̄>)²,
 * and no row is farther from x̄ than 2R.
 */
double linpred__penalised_gap(const linpred__logistic_problem *problem, const linpred__logistic_point *point)
{
    int32_t columns = problem->data->columns;
    double l2 = problem->terms.l2, gb = problem->has_intercept ? point->gradient[columns] : 0.0;
    double sum = 0.0;
    for (int32_t j = 0; j < columns; j++) {
        double g = (fabs(point->gradient[j]) + fabs(gb) * problem->extent[j]) / problem->unit[j];
        sum += g * g;
    }
    if (gb == 0.0)
        return sum / (2.0 * l2);
    int against = gb > 0;
    double x = point->objective / problem->share[against];
    double b = x > 30 ? x : log(expm1(x)); /* B */
    double extra = fmax(0.0, fabs(gb) * (b + (against ? 1.0 : -1.0) * point->mean_score[against]));
    double decrement = sum / l2 + gb * gb / point->curvature;
    double reach = 4.0 * problem->radius * problem->radius / l2 + 1.0 / point->curvature;
    double a = sqrt(decrement) * sqrt(reach);
    return fmin(sum / (2.0 * l2) + extra, a <= 0.5 ? decrement / (2.0 * (1.0 - a)) : INFINITY);
}
