/* How far to go along a step p of Newton's method. φ(t) = F(v + t p) has its minimum where
 *
 *   φ'(t) = φ'(0) + Σ ω_i (r_i(t) - r_i(0)) <x_i,p> + t p'Pp = 0,
 *
 * with r_i the derivative of the loss of row i, ω_i its weight and P the penalty. φ'(0) is known from all rows. The sum
 * is estimated from at most 2048 rows of each class, so that it costs no pass. Far from the minimum the length t = 1 is
 * too short, often by half.
 */
#include "minimise/line_search.h"

#include <math.h>

#include "core/memory.h"
#include "data/row.h"
#include "data/stored.h"
#include "minimise/limits.h"

void linpred__line_search_close(linpred__line_search *line)
{
    linpred__release(line->row);
    linpred__release(line->values);
    linpred__release(line->target);
    linpred__release(line->w);
    *line = (linpred__line_search){0};
}

static bool open_arrays(const linpred__logistic_problem *problem, linpred__line_search *line)
{
    size_t n = 0;
    for (int k = 0; k < 2; k++)
        n += (size_t)(problem->rows[k] < LINPRED__LINE_ROWS_A_CLASS ? problem->rows[k] : LINPRED__LINE_ROWS_A_CLASS);
    double **array[] = {&line->target, &line->weight, &line->z,          &line->change,
                        &line->trial,  &line->loss,   &line->derivative, &line->curvature};
    size_t arrays = sizeof array / sizeof array[0];
    *line = (linpred__line_search){0};
    line->row = linpred__alloc(n, sizeof *line->row);
    line->target = linpred__alloc(arrays * n, sizeof(double));
    line->w = linpred__alloc((size_t)problem->dimension, sizeof(double));
    if (!line->row || !line->target || !line->w) {
        linpred__line_search_close(line);
        return false;
    }
    for (size_t i = 1; i < arrays; i++)
        *array[i] = line->target + i * n;
    return true;
}

/* Takes rows of each class evenly from the whole file. */
bool linpred__line_search_open(const linpred__logistic_problem *problem, linpred__line_search *line)
{
    const linpred_data *data = problem->data;
    int64_t every[2], wait[2] = {0, 0};
    double sum[2] = {0.0, 0.0};
    if (!open_arrays(problem, line))
        return false;
    for (int k = 0; k < 2; k++)
        every[k] = (problem->rows[k] - 1) / LINPRED__LINE_ROWS_A_CLASS + 1;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = &data->block[i];
        for (int32_t r = 0; r < block->rows; r++) {
            int k = block->target[r] > 0;
            if (wait[k]-- > 0)
                continue;
            wait[k] = every[k] - 1;
            line->row[line->rows] = block->first_row + r;
            line->target[line->rows] = block->target[r];
            line->weight[line->rows] = linpred__row_weight(block, r);
            sum[k] += line->weight[line->rows++];
        }
    }
    for (int k = 0; k < 2; k++)
        line->class_weight[k] = problem->share[k] / sum[k];
    if (linpred__keep_rows(data, line->row, line->rows, &line->kept, &line->values))
        return true;
    linpred__line_search_close(line);
    return false;
}

/* scores = <x, a> + the intercept of a, for the rows of the line search; `a` is in units of v. */
LINPRED__FAST static void score(const linpred__line_search *line, const linpred__logistic_problem *problem,
                                const double *a, double *scores)
{
    int32_t columns = problem->data->columns;
    double b = problem->has_intercept ? a[columns] : 0.0;
    for (int32_t j = 0; j < columns; j++) {
        line->w[j] = problem->data_unit[j] * a[j];
        b -= problem->centre[j] * line->w[j];
    }
    for (int32_t i = 0; i < line->rows; i++) {
        int32_t r = i;
        const linpred__block *block = line->values ? &line->kept : linpred__block_of(problem->data, line->row[i], &r);
        scores[i] = linpred__row_dot_quick(block, r, line->w) + b;
    }
}

/* Σ ω r <x,p> at v + t p; *bend is its derivative by t. */
static double slope_at(const linpred__line_search *line, double t, double *bend)
{
    for (int32_t i = 0; i < line->rows; i++)
        line->trial[i] = line->z[i] + t * line->change[i];
    linpred__logistic_rows(line->rows, line->trial, line->target, line->weight, line->class_weight, line->loss,
                           line->derivative, line->curvature);
    double sum = 0.0;
    *bend = 0.0;
    for (int32_t i = 0; i < line->rows; i++) {
        sum += line->derivative[i] * line->change[i];
        *bend += line->curvature[i] * line->change[i] * line->change[i];
    }
    return sum;
}

double linpred__line_search_step(const linpred__line_search *line, const linpred__logistic_problem *problem,
                                 const double *v, const double *step, double slope, double *curvature)
{
    double penalty = 0.0, bend, low = 0.0, high = linpred__line_max_step;
    score(line, problem, v, line->z);
    score(line, problem, step, line->change);
    for (int32_t j = 0; j < problem->dimension; j++)
        penalty += problem->penalty[j] * step[j] * step[j];
    double first = slope_at(line, 0.0, &bend), t = slope / (bend + penalty);
    for (int k = 0; k < LINPRED__LINE_MAX_TRIES; k++) {
        t = t > low && t < high ? t : 0.5 * (low + high);
        double left = slope - (slope_at(line, t, &bend) - first) - t * penalty;
        double next = t + left / (bend + penalty);
        if (!(fabs(next - t) > linpred__line_tolerance * t))
            break;
        *(left > 0 ? &low : &high) = t;
        t = next;
    }
    *curvature = 0.0;
    for (int32_t i = 0; i < line->rows; i++)
        *curvature += line->curvature[i];
    return t > 0 && t < linpred__line_max_step ? t : linpred__line_max_step;
}
