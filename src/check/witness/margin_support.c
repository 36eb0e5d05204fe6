/* The support that bounds the margin.
 *
 * For every unit vector (w,b) and α > 0, min <(w,b),z_i> <= <(w,b), Σ α z> / Σ α <= ||Σ α z|| / Σ α. The sum of each
 * column is exact, and the quotient is rounded up.
 *
 * For the usual margin only ||w|| = 1. If Σ α y = 0, b does not contribute to <(w,b), Σ α z>, and the same holds with
 * the norm over the columns without the intercept.
 */
#include <float.h>
#include <math.h>

#include "check/rows/whole.h"
#include "check/witness/combination.h"
#include "core/error.h"
#include "core/memory.h"
#include "num/exact_sum.h"

/* Adds α z to the sums of the columns and α y to the sum of the intercept behind them, all times 10^K if the row has
   decimals. Adds α to the last sum. */
static void add_support_row(linpred__exact *sum, int32_t columns, const linpred__block *block, int32_t r, double alpha)
{
    linpred__entries row = linpred__entries_of(block, r);
    double signed_alpha = block->target[r] * alpha;
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        double part[2];
        linpred__read_cell(block, j, row.values[k], part);
        linpred__exact_add(&sum[j], signed_alpha, part[0]);
        linpred__exact_add(&sum[j], signed_alpha, part[1]);
    }
    linpred__exact_add(&sum[columns], signed_alpha, linpred__row_factor(block));
    linpred__exact_add(&sum[columns + 1], alpha, 1.0);
}

static bool add_support(const linpred__support *support, const linpred_data *data, linpred__exact *sum)
{
    for (int64_t i = 0; i < support->count; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, support->row[i], &r);
        double alpha = support->multiplier[i], tail = support->tail[i];
        if (!block || !(alpha > 0) || !(alpha + tail > 0) || !isfinite(alpha) || !isfinite(tail))
            return false;
        add_support_row(sum, data->columns, block, r, alpha);
        add_support_row(sum, data->columns, block, r, tail);
    }
    return support->count > 0;
}

/* Adds all rows with the derivatives of their logistic losses. Any positive multipliers prove a bound, so the rounding
   of the derivatives does no harm. */
static void add_derivatives(const linpred_model *model, const linpred_data *data, linpred__exact *sum)
{
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++) {
            linpred__entries row = linpred__entries_of(block, r);
            double score = model->b;
            for (int64_t k = 0; k < row.count; k++)
                score += row.values[k] * model->w[linpred__entry_column(&row, k)];
            double alpha = 1.0 / (1.0 + exp(block->target[r] * score));
            if (alpha > 0)
                add_support_row(sum, data->columns, block, r, alpha);
        }
    }
}

/* ||values|| rounded up. The values are rounded up already. */
static double norm_above(const double *values, int32_t n)
{
    double largest = 0.0, sum = 0.0, terms = 0.0;
    for (int32_t j = 0; j < n; j++) {
        largest = fmax(largest, values[j]);
        terms += values[j] != 0.0;
    }
    if (largest == 0.0 || !isfinite(largest))
        return largest;
    int exponent = ilogb(largest);
    for (int32_t j = 0; j < n; j++) {
        double scaled = ldexp(values[j], -exponent);
        sum += scaled * scaled;
    }
    /* The factor covers the rounding of the squares, the sum and the root. Squares that underflow are below 2^-1000 of
       the largest. */
    return nextafter(ldexp(sqrt(sum) * (1.0 + (terms + 8.0) * 0x1p-52), exponent), INFINITY);
}

/* ||Σ α z|| / Σ α over the first `counted` columns, rounded up. */
static double bound_of(const linpred__exact *sum, int32_t columns, int32_t counted, double *value)
{
    /* Absolute values of the columns are rounded up, the sum of the multipliers is rounded down. */
    for (int32_t j = 0; j < counted; j++) {
        double size = fabs(linpred__exact_value(&sum[j]));
        value[j] = linpred__exact_sign(&sum[j]) == 0 ? 0.0 : nextafter(size, INFINITY);
    }
    double total = fmin(nextafter(linpred__exact_value(&sum[columns + 1]), 0.0), DBL_MAX);
    double norm = norm_above(value, counted); /* 0 only if every sum is exactly 0 */
    return norm == 0.0 ? 0.0 : nextafter(norm / total, INFINITY);
}

/* If `support` is NULL, the multipliers are the derivatives of the losses of the model. */
static linpred_status find_bound(const linpred__support *support, const linpred_model *model, const linpred_data *data,
                                 bool without_intercept, bool *holds, double *bound, linpred_error *error)
{
    size_t columns = (size_t)data->columns + 2;
    linpred__exact *sum = linpred__calloc(columns, sizeof *sum);
    double *value = linpred__alloc(columns, sizeof *value);
    linpred_status status = sum && value ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        *holds = true;
        if (support)
            *holds = add_support(support, data, sum);
        else
            add_derivatives(model, data, sum);
        if (without_intercept)
            *holds = *holds && linpred__exact_sign(&sum[data->columns]) == 0;
        *bound = bound_of(sum, data->columns, data->columns + (model->has_intercept && !without_intercept), value);
        double factor = linpred__row_factor(&data->block[0]);
        if (factor > 1.0 && *bound > 0.0)
            *bound = nextafter(*bound / factor, INFINITY);
    }
    linpred__release(sum);
    linpred__release(value);
    return status;
}

static void set_parts(linpred__margin_bound *bound)
{
    int exponent = 0;
    bound->fraction = isfinite(bound->above) ? frexp(bound->above, &exponent) : bound->above;
    bound->exponent = exponent;
}

linpred_status linpred__check_support(const linpred__support *support, const linpred_model *model,
                                      const linpred_data *data, bool without_intercept, bool *holds,
                                      linpred__margin_bound *bound, linpred_error *error)
{
    if (support->weight)
        return linpred__check_integer_support(support, model, data, without_intercept, holds, bound, error);
    linpred_status status = find_bound(support, model, data, without_intercept, holds, &bound->above, error);
    set_parts(bound);
    return status;
}

linpred_status linpred__check_derivatives(const linpred_model *model, const linpred_data *data,
                                          linpred__margin_bound *bound, linpred_error *error)
{
    bool holds;
    linpred_status status = find_bound(NULL, model, data, false, &holds, &bound->above, error);
    set_parts(bound);
    return status;
}
