/* Which row does w violate? Row i is violated if <w, integer row i> < 1.
 *
 * Floating point with an error bound decides for most rows. Integers decide for the rest, and only if floating point
 * found no violated row. With Bland's rule they decide at once, because the first violated row is needed.
 */
#include "solve/exact_lp/simplex.h"

#include <math.h>

/* Sets estimate_j = w_j 2^(column_top_j - column_exponent_j - scale) up to 4 units in the last place, and returns
   `scale`. With z.scaled of integral_rows.h this gives  <w, integer row i> 2^(row_exponent_i - scale) =
   Σ_j scaled_ij estimate_j. `scale` makes the largest estimate about 1. */
static long estimate_w(linpred__simplex *s)
{
    long below, scale = -1000000;
    double denominator = linpred__integer_fraction(s->w.denominator, &below);
    for (int32_t j = 0; j < s->z.columns; j++)
        s->estimate[j] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < s->basis.size; k++) {
            long exponent;
            int32_t j = s->basis.column[k];
            double fraction = linpred__integer_fraction(s->w.numerator.value[k], &exponent);
            exponent += s->z.column_top[j] - s->z.column_exponent[j] - below;
            if (fraction == 0)
                continue;
            if (pass == 0)
                scale = exponent > scale ? exponent : scale;
            else if (exponent - scale > -2000)
                s->estimate[j] = ldexp(fraction / denominator, (int)(exponent - scale));
        }
    return scale;
}

/* Whether <w, integer row> < 1, decided in integers: `sum` is denominator · (<w, integer row> - 1). */
static bool violates_exactly(linpred__simplex *s, int32_t row, mpz_t sum, mpz_t scratch)
{
    mpz_neg(sum, s->w.denominator);
    for (int64_t e = s->z.start[row]; e < s->z.start[row + 1]; e++) {
        int32_t j = s->basis.column_place[s->z.index[e]];
        if (j >= 0)
            linpred__integral_add_multiple(&s->z, e, s->w.numerator.value[j], scratch, sum);
    }
    linpred__effort_spend(s->effort,
                          (double)(s->z.start[row + 1] - s->z.start[row]) * (20 + (double)mpz_size(s->w.denominator)));
    return mpz_sgn(sum) < 0;
}

int32_t linpred__simplex_violated(linpred__simplex *s, bool bland)
{
    long scale = estimate_w(s);
    int32_t worst = -1;
    double largest = 0;
    mpz_t sum, scratch;
    mpz_init(sum);
    mpz_init(scratch);
    for (int32_t i = s->anchors; i < s->rows; i++) {
        s->uncertain[i] = false;
        if (s->basis.row_place[i] >= 0)
            continue;
        /* `one` is the right side 1 in the units of the estimate, cut to the range of doubles. */
        long exponent = s->z.row_exponent[i] - scale;
        double one = exponent < -1100 ? 0 : ldexp(1, exponent > 900 ? 900 : (int)exponent);
        double value = 0, size = one;
        int64_t entries = s->z.start[i + 1] - s->z.start[i];
        for (int64_t e = s->z.start[i]; e < s->z.start[i + 1]; e++) {
            double product = s->z.scaled[e] * s->estimate[s->z.index[e]];
            value += product;
            size += fabs(product);
        }
        /* The rounding bound: `entries` products and sums, each estimate off by 4 units, and underflow. */
        double bound = size * ((double)entries + 8) * 0x1p-52 + ((double)entries + 2) * 0x1p-1050;
        double missing = one - value;
        bool violated = missing > bound;
        if (!violated && missing >= -bound) {
            if (bland)
                violated = violates_exactly(s, i, sum, scratch);
            else
                s->uncertain[i] = true;
        }
        if (!violated)
            continue;
        if (bland) {
            worst = i;
            break;
        }
        double measure = missing / (s->z.size[i] + 0x1p-1000);
        if (worst < 0 || measure > largest) {
            largest = measure;
            worst = i;
        }
    }
    for (int32_t i = s->anchors; i < s->rows && worst < 0 && !bland && !s->effort->over; i++)
        if (s->uncertain[i] && violates_exactly(s, i, sum, scratch))
            worst = i;
    mpz_clear(sum);
    mpz_clear(scratch);
    linpred__effort_spend(s->effort, 2.0 * (double)s->z.start[s->rows]);
    return worst;
}
