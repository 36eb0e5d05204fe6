/* Scores with the exact sign, of a halfspace and of a ball: score.h has the formulas and their rounding bounds. */
#include "data/score.h"

#include <float.h>
#include <math.h>

#include "data/decimals.h"
#include "data/row.h"
#include "num/exact_sum.h"

/* Σ |w_j x_j| */
LINPRED__FAST static double magnitude(const linpred__block *block, int32_t r, const double *w)
{
    double sum = 0.0;
    if (block->layout == LINPRED__DENSE) {
        const double *x = block->values + r * block->stride;
        for (int32_t j = 0; j < block->columns; j++)
            sum += fabs(x[j] * w[j]);
        return sum;
    }
    for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
        sum += fabs(block->values[k] * w[block->indices[k]]);
    return sum;
}

/* ---- the exact score --------------------------------------------------------------------------------------------- */

/* Sums in lanes: Σ w_j x_j = Σ (sum + errors) to about twice the digits of doubles, and Σ |w_j x_j|. */
enum { LONG_LANES = 16 }; /* two vectors of 8: their additions overlap */
struct long_sums {
    double sum[LONG_LANES];
    double errors[LONG_LANES];
    double size[LONG_LANES];
};

/* `decimals`, those of the columns, is NULL where cells mean their doubles. */
LINPRED__INLINED void add_long_products_body(int64_t n, const double *restrict x, const int32_t *restrict index,
                                             const double *restrict w, const signed char *restrict decimals,
                                             struct long_sums *restrict to)
{
#define ADD_PRODUCT(lane, value, weight, rest)                                                                         \
    {                                                                                                                  \
        linpred__dd p = linpred__two_product(value, weight);                                                           \
        linpred__compensated_add(&to->sum[lane], &to->errors[lane], p.hi, p.lo + (rest));                              \
        to->size[lane] += fabs(p.hi);                                                                                  \
    }
    int64_t k = 0;
    for (; !index && !decimals && k + LONG_LANES <= n; k += LONG_LANES)
        for (int lane = 0; lane < LONG_LANES; lane++)
            ADD_PRODUCT(lane, x[k + lane], w[k + lane], 0.0)
    for (; k < n; k++) {
        int64_t j = index ? index[k] : k;
        double lost = decimals ? linpred__lost_by(x[k], decimals[j]) : 0.0;
        ADD_PRODUCT(k % LONG_LANES, x[k], w[j], lost * w[j])
    }
#undef ADD_PRODUCT
}

LINPRED__VERSIONS(add_long_products,
                  (int64_t n, const double *restrict x, const int32_t *restrict index, const double *restrict w,
                   const signed char *restrict decimals, struct long_sums *restrict to),
                  (n, x, index, w, decimals, to))

/* Whether the exact score of a row, rounded once, is certainly *score. The sum s + e of n products is off by at most
   δ = (n+8)² 2^-104 (Σ|w_j x_j| + |b|) (Dot2 of Ogita, Rump and Oishi, with room for the 2^-104 |x| of linpred__lost)
   and by what underflows. If s + e - 2δ and s + e + 2δ are both rounded to s, so is all that lies between them; the
   second δ is for the rounding of e ± 2δ. That is many times as fast as adding exactly, and rarely fails unless the
   products cancel nearly all digits. */
static bool is_score_certain(const linpred__block *block, int32_t r, const double *w, double b, double *score)
{
    linpred__entries row = linpred__entries_of(block, r);
    struct long_sums sums = {0};
    double n = (double)row.count + 8.0, errors = 0.0, size = fabs(b);
    add_long_products(row.count, row.values, row.indices, w, block->decimals ? block->decimals->column : NULL, &sums);
    linpred__dd total = {b, 0.0};
    for (int lane = 0; lane < LONG_LANES; lane++) {
        total = linpred__two_sum(total.hi, sums.sum[lane]);
        errors += total.lo + sums.errors[lane];
        size += sums.size[lane];
    }
    total = linpred__two_sum(total.hi, errors);
    double twice = 2.0 * (n * n * 0x1p-104 * size + n * 0x1p-1000);
    *score = total.hi;
    return size <= DBL_MAX && total.hi + (total.lo - twice) == total.hi && total.hi + (total.lo + twice) == total.hi;
}

/* The sum divided by 10^K, rounded; only the second of the two parts of the quotient has a rounding error, so that it
   is at most 2^-53 (1 + 2^-50) of the quotient. An underflow keeps its sign. */
static double divided(linpred__exact *sum, double unit)
{
    double quotient = linpred__exact_value(sum);
    int sign = linpred__exact_sign(sum);
    if (unit != 1.0 && isfinite(quotient)) {
        double hi = quotient;
        linpred__exact_add(sum, -hi, 1.0);
        quotient = hi / unit;
        quotient += (fma(-quotient, unit, hi) + linpred__exact_value(sum)) / unit;
    }
    return quotient == 0.0 ? sign * 0x1p-1074 : quotient;
}

/* Σ w_j (10^K x_j) + 10^K b is exact, and is then divided by 10^K; K = 0 where no cell has decimals. tails may be
   NULL. */
static double exact_score(const linpred__block *block, int32_t r, const double *w, double b,
                          const linpred__tails *tails)
{
    int32_t parts = tails ? tails->count : 0;
    linpred__entries row = linpred__entries_of(block, r);
    double unit = linpred__unit(block);
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        linpred__dd cell = linpred__cell(block, j, row.values[k]);
        for (int32_t part = -1; part < parts; part++) {
            double coefficient = part < 0 ? w[j] : tails->value[(int64_t)part * tails->width + j];
            linpred__exact_add(&sum, cell.hi, coefficient);
            linpred__exact_add(&sum, cell.lo, coefficient);
        }
    }
    linpred__exact_add(&sum, b, unit);
    for (int32_t part = 0; part < parts && tails->width > block->columns; part++)
        linpred__exact_add(&sum, tails->value[(int64_t)part * tails->width + block->columns], unit);
    return divided(&sum, unit);
}

double linpred__exact_score(const linpred__block *block, int32_t r, const double *w, double b)
{
    linpred__entries row = linpred__entries_of(block, r);
    int64_t none = 0;
    double score;
    while (none < row.count && w[linpred__entry_column(&row, none)] == 0.0)
        none++;
    if (none == row.count)
        return b; /* no feature counts, as where nothing was learned */
    if (is_score_certain(block, r, w, b, &score))
        return score;
    return exact_score(block, r, w, b, NULL);
}

double linpred__tailed_score(const linpred__block *block, int32_t r, const double *w, double b,
                             const linpred__tails *tails)
{
    return exact_score(block, r, w, b, tails);
}

double linpred__row_score(const linpred__block *block, int32_t r, const double *w, double b)
{
    double score = linpred__row_dot(block, r, w) + b;
    double bound = linpred__score_bound(block->columns, magnitude(block, r, w) + fabs(b));
    return fabs(score) > bound ? score : linpred__exact_score(block, r, w, b);
}

/* ---- the score of a ball ----------------------------------------------------------------------------------------- */

linpred__ball linpred__ball_of(const double *centre, int32_t columns, double radius_squared)
{
    linpred__ball ball = {centre, radius_squared, 0.0};
    for (int32_t j = 0; j < columns; j++)
        ball.centre_squared += centre[j] * centre[j];
    return ball;
}

/* Σ x_j (x_j - 2 v_j); *magnitude is Σ |x_j (x_j - 2 v_j)|. */
LINPRED__FAST static double shifted_square(const linpred__block *block, int32_t r, const double *v, double *magnitude)
{
    double lane[8] = {0}, size[8] = {0};
    if (block->layout == LINPRED__DENSE) {
        const double *x = block->values + r * block->stride;
        int32_t j = 0;
        for (; j + 8 <= block->columns; j += 8)
            for (int32_t k = 0; k < 8; k++) {
                double term = x[j + k] * (x[j + k] - 2.0 * v[j + k]);
                lane[k] += term;
                size[k] += fabs(term);
            }
        for (int32_t k = 0; j < block->columns; j++, k++) {
            double term = x[j] * (x[j] - 2.0 * v[j]);
            lane[k] += term;
            size[k] += fabs(term);
        }
    } else {
        for (int64_t e = block->start[r]; e < block->start[r + 1]; e++) {
            double x = block->values[e], term = x * (x - 2.0 * v[block->indices[e]]);
            lane[block->indices[e] & 7] += term;
            size[block->indices[e] & 7] += fabs(term);
        }
    }
    *magnitude = linpred__add_lanes(size);
    return linpred__add_lanes(lane);
}

double linpred__ball_exact_score(const linpred__ball *ball, const linpred__block *block, int32_t r)
{
    bool dense = block->layout == LINPRED__DENSE;
    int64_t from = dense ? r * block->stride : block->start[r];
    int64_t count = dense ? block->columns : block->start[r + 1] - from;
    linpred__exact sum;
    linpred__exact_clear(&sum);
    linpred__exact_add(&sum, ball->radius_squared, 1.0);
    for (int64_t k = 0; k < count; k++) {
        double x = block->values[from + k], v = ball->centre[dense ? k : block->indices[from + k]];
        linpred__exact_add(&sum, -x, x);
        linpred__exact_add(&sum, x, v);
        linpred__exact_add(&sum, x, v);
    }
    for (int32_t j = 0; j < block->columns; j++)
        linpred__exact_add(&sum, -ball->centre[j], ball->centre[j]);
    double value = linpred__exact_value(&sum);
    return value == 0.0 ? linpred__exact_sign(&sum) * 0x1p-1074 : value; /* an underflow keeps its sign */
}

double linpred__ball_score(const linpred__ball *ball, const linpred__block *block, int32_t r)
{
    double magnitude, n = (double)block->columns + 8.0;
    double sum = shifted_square(block, r, ball->centre, &magnitude);
    double score = (ball->radius_squared - ball->centre_squared) - sum;
    double bound = n * 0x1p-52 * (fabs(ball->radius_squared) + ball->centre_squared + magnitude) + n * 0x1p-1000;
    return fabs(score) > 0x1p16 * bound ? score : linpred__ball_exact_score(ball, block, r);
}
