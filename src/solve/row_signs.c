/* Exact signs of rows (see row_signs.h). Floating point decides if its rounding bound allows, else exact sums. */
#include "solve/row_signs.h"

#include <limits.h>
#include <math.h>

#include "num/exact_sum.h"
#include "num/gmp64.h"

/* The sign for a row with exponents: products are summed in units of 2^-UNIT. */
static int sign_with_exponents(const linpred__rows *rows, int32_t i, const double *w)
{
    enum { UNIT = 6000 }; /* entries of rows have no bit below 2^-3000, and those of w none below 2^-1074 */
    linpred__entries row = linpred__row_of(rows, i);
    mpz_t sum, entry, weight;
    mpz_inits(sum, entry, weight, NULL);
    for (int32_t k = 0; k < row.count; k++) {
        linpred__set_shifted(entry, row.values[k], UNIT / 2 + linpred__entry_exponent(rows, i, k));
        linpred__set_shifted(weight, w[linpred__entry_column(&row, k)], UNIT / 2);
        mpz_addmul(sum, entry, weight);
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, entry, weight, NULL);
    return sign;
}

int linpred__row_sign(const linpred__rows *rows, int32_t i, const double *w)
{
    linpred__entries row = linpred__row_of(rows, i);
    if (rows->exponents)
        return sign_with_exponents(rows, i, w);
    /* Floating point decides if the sum exceeds its rounding bound. Each of the `count` products and sums errs by at
       most 2^-53 times `size`, the sum of the absolute values, or by 2^-1074 on underflow. The factor 2^-52 also covers
       the rounding of `size` itself. */
    double sum = 0, size = 0, n = (double)row.count;
    for (int32_t k = 0; k < row.count; k++) {
        double product = row.values[k] * w[linpred__entry_column(&row, k)];
        sum += product;
        size += fabs(product);
    }
    if (size < 0x1p1000 && fabs(sum) > size * (n + 2) * 0x1p-52 + (n + 1) * 0x1p-1070)
        return sum > 0 ? 1 : -1;
    linpred__exact exact;
    linpred__exact_clear(&exact);
    for (int32_t k = 0; k < row.count; k++)
        linpred__exact_add(&exact, row.values[k], w[linpred__entry_column(&row, k)]);
    return linpred__exact_sign(&exact);
}

int linpred__row_sign_integers(const linpred__rows *rows, int32_t i, const linpred__integers *w)
{
    linpred__entries row = linpred__row_of(rows, i);
    /* Each entry is mantissa · 2^(e - 53). The sum is taken in units of 2^(lowest - 53), so every term is an
       integer. */
    int lowest = INT_MAX;
    for (int32_t k = 0; k < row.count; k++)
        if (row.values[k] != 0.0) {
            int e;
            frexp(row.values[k], &e);
            e += linpred__entry_exponent(rows, i, k);
            lowest = e < lowest ? e : lowest;
        }
    mpz_t sum, term;
    mpz_init(sum);
    mpz_init(term);
    for (int32_t k = 0; k < row.count; k++) {
        int e;
        if (row.values[k] == 0.0)
            continue;
        int64_t mantissa = (int64_t)ldexp(frexp(row.values[k], &e), 53);
        linpred__mpz_mul_int64(term, w->value[linpred__entry_column(&row, k)], mantissa);
        mpz_mul_2exp(term, term, (mp_bitcnt_t)(e + linpred__entry_exponent(rows, i, k) - lowest));
        mpz_add(sum, sum, term);
    }
    int sign = mpz_sgn(sum);
    mpz_clear(sum);
    mpz_clear(term);
    return sign;
}

static bool separates(const linpred__rows *rows, const int32_t *use, int32_t used, const double *w)
{
    for (int32_t i = 0; i < used; i++)
        if (linpred__row_sign(rows, use[i], w) <= 0)
            return false;
    return true;
}

bool linpred__round_separating(const linpred__rows *rows, const int32_t *use, int32_t used, const linpred__integers *w,
                               double *rounded)
{
    /* If rows differ only in their last bits, the rounded w may violate one of them. A multiple of w rounds
       differently, so one of 64 odd factors may work. Even factors only shift the bits. */
    enum { FACTORS = 64 };
    long top = (long)linpred__integers_bits(w);
    long down = top > 53 ? top - 1 : 0;
    mpz_t product;
    mpz_init(product);
    bool good = false;
    for (unsigned factor = 1; factor <= 2 * FACTORS - 1 && !good; factor += 2) {
        for (int32_t j = 0; j < w->count; j++) {
            long exponent;
            mpz_mul_ui(product, w->value[j], factor);
            double fraction = linpred__integer_fraction(product, &exponent);
            exponent -= down;
            rounded[j] = exponent < -2000 ? 0.0 : ldexp(fraction, (int)exponent);
        }
        good = separates(rows, use, used, rounded);
    }
    mpz_clear(product);
    return good;
}
