/* Combinations of signed homogeneous rows z_i = y_i (x_i, 1): whether they are what a certificate says.
 *
 * Inseparable: Σ λ_i z_i = 0 exactly with positive integers λ. Were <w,z_i> > 0 for all i, then 0 = <w, Σ λ z> > 0.
 * Margin: for every unit (w,b) and α >= 0, min <w,z_i> <= <w, Σ α z> / Σ α <= ||Σ α z|| / Σ α.
 * Each column's sum is taken exactly.
 */
#include <float.h>
#include <math.h>

#include "check/check.h"
#include "check/integers.h"
#include "core/error.h"
#include "core/memory.h"

/* ---- the witness that nothing separates
 * --------------------------------------------------------------------------------- */

/* All columns' sums of the combination into `sum`; false if a row is not in the data. */
static bool add_combination(int64_t count, const int64_t *rows, char *const *weights, const linpred_data *data,
                            bool has_intercept, mpz_t *sum)
{
    mpz_t lambda, scratch;
    mpz_inits(lambda, scratch, NULL);
    bool found = true;
    for (int64_t i = 0; found && i < count; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, rows[i], &r);
        found = block && mpz_set_str(lambda, weights[i], 10) == 0 && mpz_sgn(lambda) > 0;
        if (!found)
            break;
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++)
            linpred__add_exactly(sum[linpred__entry_column(&row, k)], lambda, block->target[r] * row.values[k],
                                 scratch);
        if (has_intercept)
            linpred__add_exactly(sum[data->columns], lambda, block->target[r], scratch);
    }
    mpz_clears(lambda, scratch, NULL);
    return found;
}

linpred_status linpred__check_combination(int64_t count, const int64_t *row, char *const *weight,
                                          const linpred_data *data, bool has_intercept, bool *holds,
                                          linpred_error *error)
{
    size_t columns = (size_t)data->columns + 1;
    mpz_t *sum = linpred__alloc(columns, sizeof *sum);
    if (!sum)
        return linpred__no_memory(error);
    for (size_t j = 0; j < columns; j++)
        mpz_init(sum[j]);
    *holds = count > 0 && add_combination(count, row, weight, data, has_intercept, sum);
    for (size_t j = 0; j < columns; j++) {
        *holds = *holds && mpz_sgn(sum[j]) == 0;
        mpz_clear(sum[j]);
    }
    linpred__release(sum);
    return LINPRED_OK;
}

/* ---- the support that bounds the margin
 * ------------------------------------------------------------------------------------ */

/* Adds α z to the sums of the columns, the intercept's behind them, and α to the last. */
static void add_row(linpred__exact *sum, int32_t columns, const linpred__block *block, int32_t r, double alpha)
{
    linpred__entries row = linpred__entries_of(block, r);
    double signed_alpha = block->target[r] * alpha;
    for (int64_t k = 0; k < row.count; k++)
        linpred__exact_add(&sum[linpred__entry_column(&row, k)], signed_alpha, row.values[k]);
    linpred__exact_add(&sum[columns], signed_alpha, 1.0);
    linpred__exact_add(&sum[columns + 1], alpha, 1.0);
}

static bool add_support(const linpred__certificate *certificate, const linpred_data *data, linpred__exact *sum)
{
    for (int64_t i = 0; i < certificate->supports; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, certificate->support_row[i], &r);
        double alpha = certificate->multiplier[i], tail = certificate->tail[i];
        if (!block || !(alpha > 0) || !(alpha + tail > 0) || !isfinite(alpha) || !isfinite(tail))
            return false;
        add_row(sum, data->columns, block, r, alpha);
        add_row(sum, data->columns, block, r, tail);
    }
    return certificate->supports > 0;
}

/* Any positive multipliers prove a bound: these need be no more exact than they come out. */
static void add_derivatives(const linpred_model *model, const linpred_data *data, linpred__exact *sum)
{
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++) {
            linpred__entries row = linpred__entries_of(&data->block[i], r);
            double score = model->b;
            for (int64_t k = 0; k < row.count; k++)
                score += row.values[k] * model->w[linpred__entry_column(&row, k)];
            double alpha = 1.0 / (1.0 + exp(data->block[i].target[r] * score));
            if (alpha > 0)
                add_row(sum, data->columns, &data->block[i], r, alpha);
        }
}

/* ||values|| rounded up; the values are bounds already. */
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
    /* The rounding of each square, of the sum and of the root; squares that underflow are below 2^-1000 of the largest.
     */
    return nextafter(ldexp(sqrt(sum) * (1.0 + (terms + 8.0) * 0x1p-52), exponent), INFINITY);
}

/* ||Σ α z|| / Σ α over the first `counted` columns, rounded up. */
static double bound_of(const linpred__exact *sum, int32_t columns, int32_t counted, double *value)
{
    /* Outward: what a column sums to at most, what the multipliers sum to at least. */
    for (int32_t j = 0; j < counted; j++) {
        double size = fabs(linpred__exact_value(&sum[j]));
        value[j] = linpred__exact_sign(&sum[j]) == 0 ? 0.0 : nextafter(size, INFINITY);
    }
    double total = fmin(nextafter(linpred__exact_value(&sum[columns + 1]), 0.0), DBL_MAX);
    return nextafter(norm_above(value, counted) / total, INFINITY);
}

static linpred_status check_bound(const linpred__certificate *certificate, const linpred_model *model,
                                  const linpred_data *data, bool has_intercept, bool usual, bool *holds, double *bound,
                                  linpred_error *error)
{
    size_t columns = (size_t)data->columns + 2;
    linpred__exact *sum = linpred__calloc(columns, sizeof *sum);
    double *value = linpred__alloc(columns, sizeof *value);
    linpred_status status = sum && value ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        *holds = true;
        if (certificate)
            *holds = add_support(certificate, data, sum);
        else
            add_derivatives(model, data, sum);
        if (usual)
            *holds = *holds && linpred__exact_sign(&sum[data->columns]) == 0;
        *bound = bound_of(sum, data->columns, data->columns + (has_intercept && !usual), value);
    }
    linpred__release(sum);
    linpred__release(value);
    return status;
}

linpred_status linpred__check_support(const linpred__certificate *certificate, const linpred_data *data,
                                      bool has_intercept, bool usual, bool *holds, double *bound, linpred_error *error)
{
    return check_bound(certificate, NULL, data, has_intercept, usual, holds, bound, error);
}

linpred_status linpred__check_derivatives(const linpred_model *model, const linpred_data *data, bool *holds,
                                          double *bound, linpred_error *error)
{
    return check_bound(NULL, model, data, model->has_intercept, false, holds, bound, error);
}
