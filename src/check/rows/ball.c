/* The pass over the rows of a ball: signs of ρ - ||x-v||².
 *
 * A computed score differs from the exact one by at most (3n+4) 2^-53 times the sum of the absolute values of its
 * terms, and a few 2^-1074. If its absolute value is larger, its sign is certain. If not, the products -x x, 2 x v and
 * -v v and ρ are added exactly.
 */
#include <float.h>
#include <math.h>

#include "check/rows/rows.h"

static void sum_exactly(const linpred_model *model, const linpred__block *block, int32_t r, linpred__exact *sum)
{
    linpred__entries row = linpred__entries_of(block, r);
    linpred__exact_clear(sum);
    for (int64_t k = 0; k < row.count; k++) {
        double x = row.values[k], v = model->w[linpred__entry_column(&row, k)];
        linpred__exact_add(sum, -x, x);
        linpred__exact_add(sum, x, v);
        linpred__exact_add(sum, x, v);
    }
    for (int32_t j = 0; j < model->columns; j++)
        linpred__exact_add(sum, -model->w[j], model->w[j]);
    linpred__exact_add(sum, model->b, 1.0);
}

/* Returns ||x-v||². *size becomes the sum of the absolute values of its terms. */
static double squared_distance(const double *v, double centre_squared, const linpred__entries *row, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    if (!row->indices) { /* all terms are positive; only x - v itself cancels */
        for (int64_t k = 0; k < row->count; k++)
            sum += (row->values[k] - v[k]) * (row->values[k] - v[k]);
        *size = sum;
        return sum;
    }
    for (int64_t k = 0; k < row->count; k++) {
        double x = row->values[k], term = x * (x - 2.0 * v[row->indices[k]]);
        sum += term;
        *size += fabs(term);
    }
    *size += centre_squared;
    return centre_squared + sum;
}

/* The distance of a row from the sphere, | r - d | = |ρ - d²| / (r + d) with d = ||x-v||. If the row may be the nearest
   and the relative error of its score may be above 1e-12, the score is summed exactly. */
static double sphere_distance(const linpred_model *model, const linpred__block *block, int32_t r,
                              const linpred__computed_score *score, double nearest)
{
    double radius = sqrt(fmax(model->b, 0.0));
    double value = score->value;
    double distance_min = (fabs(value) - score->error) / (radius + sqrt(fmax(model->b - value, 0.0)));
    if (!(distance_min > nearest) && !(score->error <= 1e-12 * fabs(value))) {
        linpred__exact sum;
        sum_exactly(model, block, r, &sum);
        value = linpred__exact_value(&sum);
    }
    return fabs(value) / (radius + sqrt(fmax(model->b - value, 0.0)));
}

void linpred__visit_ball_rows(void *context, void *state, const linpred__block *block)
{
    const linpred_model *model = context;
    linpred__rows_part *part = state;
    double n = (double)model->columns, side = model->outside ? -1.0 : 1.0, centre_squared = 0.0;
    double square = model->b;
    for (int32_t j = 0; j < model->columns; j++)
        centre_squared += model->w[j] * model->w[j];
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        double size, sum = square - squared_distance(model->w, centre_squared, &row, &size);
        double error = (3.0 * n + 8.0) * DBL_EPSILON * (size + fabs(square)) + (n + 2.0) * 0x1p-1070;
        linpred__computed_score score = {sum, error, side * block->target[r], 1.0, sum_exactly};
        linpred__rows_add(part, model, block, r, &score);
        part->nearest = fmin(part->nearest, sphere_distance(model, block, r, &score, part->nearest));
    }
}
