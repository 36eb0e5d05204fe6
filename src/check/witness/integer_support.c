/* The support that bounds the margin, with multipliers that are integers (margin_support.c has the proof).
 *
 * Everything is an integer: rows times 10^K 2^1074, the sums Σ α z, and the square of their length. Only its root and
 * the quotient are rounded, to LINPRED__BOUND_BITS bits and then up.
 */
#include <gmp.h>
#include <math.h>

#include "check/limits.h"
#include "check/rows/whole.h"
#include "check/witness/combination.h"
#include "check/witness/integers.h"
#include "core/error.h"

/* ||Σ α z|| / Σ α over the first `counted` sums. */
static void divide(const linpred__integers *sum, int32_t counted, double row_factor, linpred__margin_bound *bound)
{
    mpz_t square;
    mpf_t length, total, factor;
    mpz_init(square);
    mpf_init2(length, LINPRED__BOUND_BITS);
    mpf_init2(total, LINPRED__BOUND_BITS);
    mpf_init2(factor, LINPRED__BOUND_BITS);
    for (int32_t j = 0; j < counted; j++)
        mpz_addmul(square, sum->value[j], sum->value[j]);
    mpf_set_z(length, square);
    mpf_sqrt(length, length);
    mpf_set_z(total, sum->value[sum->count - 1]);
    mpf_set_d(factor, row_factor);
    mpf_mul(total, total, factor);
    mpf_div(length, length, total);
    mpf_div_2exp(length, length, 1074);
    *bound = (linpred__margin_bound){0.0, 0.0, 0};
    if (mpz_sgn(square) != 0) { /* the fraction is cut off to 53 bits */
        bound->fraction = nextafter(nextafter(mpf_get_d_2exp(&bound->exponent, length), INFINITY), INFINITY);
        bound->above =
            bound->exponent > 1024
                ? (double)INFINITY
                : nextafter(ldexp(bound->fraction, bound->exponent < -2000 ? -2000 : (int)bound->exponent), INFINITY);
    }
    mpz_clear(square);
    mpf_clear(length);
    mpf_clear(total);
    mpf_clear(factor);
}

linpred_status linpred__check_integer_support(const linpred__support *support, const linpred_model *model,
                                              const linpred_data *data, bool without_intercept, bool *holds,
                                              linpred__margin_bound *bound, linpred_error *error)
{
    linpred__integers sum;
    int32_t d = data->columns;
    if (!linpred__integers_open(d + 2, &sum))
        return linpred__no_memory(error);
    *bound = (linpred__margin_bound){NAN, NAN, 0};
    *holds = linpred__add_signed_rows(support->count, support->row, support->weight, data, &sum) &&
             (!without_intercept || mpz_sgn(sum.value[d]) == 0);
    if (*holds)
        divide(&sum, d + (model->has_intercept && !without_intercept), linpred__row_factor(linpred__block_at(data, 0)),
               bound);
    linpred__integers_close(&sum);
    return LINPRED_OK;
}
