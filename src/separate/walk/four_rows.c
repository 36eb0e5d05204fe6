/* The perceptron's walk where mistakes are frequent: four rows at a time, without a branch at each mistake.
 *
 *     t_r = y_r (<w,x_r> + b)                         with the weights before the four rows
 *     t_r += step y_q y_r (<x_q,x_r> + 1)             for each mistake q before r (the 1 only with an intercept)
 *
 * One sweep over the columns gives the four scores and the six products of pairs. So the weights are waited for once in
 * four rows, and no branch depends on one mistake. The updates are made row by row in their order, so the weights have
 * the same bits as those of a loop over single rows.
 *
 * t_r stands for the score with the updated weights, which are rounded. With N >= ||(w,b)|| after four updates and
 * R >= ||(x,1)||, t_r is off by at most (n+8) 2^-52 N R for its products with w, as much for its products with rows,
 * and 2^-53 N R for each of at most 12 other roundings: less than three rounding bounds of N R. If some |t_r| is not
 * above that, the four rows are left to the caller.
 */
#include <float.h>

#include "data/row.h"
#include "separate/limits.h"
#include "separate/walk/walk.h"

typedef linpred__half_lanes four;
typedef linpred__half_bits four_bits;

/* The sums of the places of a, b, c and d. */
LINPRED__INLINED four sums_of(four a, four b, four c, four d)
{
    four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    four cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

LINPRED__INLINED four repeat(double value)
{
    return (four){value, value, value, value};
}

LINPRED__INLINED four where(four_bits condition, four value)
{
    return (four)(condition & (four_bits)value);
}

/* Four rows, and what is known of them before their mistakes are found. */
struct four_rows {
    const double *x[4];
    four y;
    four score;      /* <w,x_r> */
    four product[3]; /* <x_q,x_r> in place r > q, else 0 */
};

/* Keeps the first n of four places. */
LINPRED__INLINED four_bits first_places(int32_t n)
{
    return (four_bits){0, 1, 2, 3} < (four_bits){n, n, n, n};
}

LINPRED__INLINED void sweep_columns(struct four_rows *rows, const double *w, int32_t n)
{
    four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    four p01 = {0}, p02 = {0}, p03 = {0}, p12 = {0}, p13 = {0}, p23 = {0}, none = {0};
#define ADD_PRODUCTS(x0, x1, x2, x3)                                                                                   \
    {                                                                                                                  \
        four u = linpred__load_half(w + j);                                                                            \
        s0 += u * (x0);                                                                                                \
        s1 += u * (x1);                                                                                                \
        s2 += u * (x2);                                                                                                \
        s3 += u * (x3);                                                                                                \
        p01 += (x0) * (x1);                                                                                            \
        p02 += (x0) * (x2);                                                                                            \
        p03 += (x0) * (x3);                                                                                            \
        p12 += (x1) * (x2);                                                                                            \
        p13 += (x1) * (x3);                                                                                            \
        p23 += (x2) * (x3);                                                                                            \
    }
    int32_t j = 0;
    for (; j + 4 <= n; j += 4) {
        four x0 = linpred__load_half(rows->x[0] + j), x1 = linpred__load_half(rows->x[1] + j);
        four x2 = linpred__load_half(rows->x[2] + j), x3 = linpred__load_half(rows->x[3] + j);
        ADD_PRODUCTS(x0, x1, x2, x3)
    }
    if (j < n) {
        four_bits kept = first_places(n - j);
        four x0 = where(kept, linpred__load_half(rows->x[0] + j)), x1 = where(kept, linpred__load_half(rows->x[1] + j));
        four x2 = where(kept, linpred__load_half(rows->x[2] + j)), x3 = where(kept, linpred__load_half(rows->x[3] + j));
        ADD_PRODUCTS(x0, x1, x2, x3)
    }
#undef ADD_PRODUCTS
    rows->score = sums_of(s0, s1, s2, s3);
    rows->product[0] = sums_of(none, p01, p02, p03);
    rows->product[1] = sums_of(none, none, p12, p13);
    rows->product[2] = sums_of(none, none, none, p23);
}

/* w += Σ_r factor_r x_r, one row after another. A factor of 0 changes nothing, since no weight is -0. */
LINPRED__INLINED void add_rows(const struct four_rows *rows, four factor, double *w, int32_t n)
{
    four f0 = repeat(factor[0]), f1 = repeat(factor[1]), f2 = repeat(factor[2]), f3 = repeat(factor[3]);
    for (int32_t j = 0; j < n; j += 4) {
        four u = linpred__load_half(w + j);
        if (n - j < 4) {
            four_bits kept = first_places(n - j);
            f0 = where(kept, f0);
            f1 = where(kept, f1);
            f2 = where(kept, f2);
            f3 = where(kept, f3);
        }
        u = u + f0 * linpred__load_half(rows->x[0] + j);
        u = u + f1 * linpred__load_half(rows->x[1] + j);
        u = u + f2 * linpred__load_half(rows->x[2] + j);
        u = u + f3 * linpred__load_half(rows->x[3] + j);
        memcpy(w + j, &u, sizeof u);
    }
}

/* y_r times the score of each row when the walk comes to it. */
LINPRED__INLINED four signed_scores(const linpred__walk *walk, const struct four_rows *rows)
{
    double b = walk->has_intercept ? 1.0 : 0.0;
    four t = rows->y * (rows->score + repeat(walk->hyperplane.b));
#pragma GCC unroll 3
    for (int q = 0; q < 3; q++) {
        four_bits mistake = repeat(t[q]) < repeat(0.0);
        four_bits behind = (four_bits){0, 1, 2, 3} > (four_bits){q, q, q, q};
        four change = rows->y * repeat(walk->step * rows->y[q]) * (rows->product[q] + repeat(b));
        t += where(mistake & behind, change);
    }
    return t;
}

/* Whether each |t_r| is certainly above its error. */
LINPRED__INLINED bool are_certain(const linpred__walk *walk, four t)
{
    double norm = walk->norm + 4.0 * walk->step * walk->radius;
    four bound = repeat(3.0 * linpred__rounding_bound(walk->data->columns, norm, walk->radius));
    four size = (four)((four_bits)t & 0x7fffffffffffffff);
    four_bits certain = (size > bound) & (size <= repeat(DBL_MAX));
    return (certain[0] & certain[1] & certain[2] & certain[3]) != 0;
}

LINPRED__INLINED int32_t row_at_place(const int32_t *order, int32_t i)
{
    return order ? order[i] : i;
}

/* Asks for the four rows from place i on. The sweep is too long for the processor to look ahead of it by itself. */
LINPRED__INLINED void fetch_rows(const linpred__block *block, const int32_t *order, int32_t i)
{
    for (int32_t k = i; k < i + 4; k++)
        for (int32_t j = 0; j < block->columns; j += 8)
            __builtin_prefetch(block->values + row_at_place(order, k) * block->stride + j);
}

LINPRED__INLINED bool take_rows(struct four_rows *rows, const linpred__block *block, const int32_t *order, int32_t i)
{
    bool readable = true;
    double y[4];
    for (int k = 0; k < 4; k++) {
        int32_t r = row_at_place(order, i + k);
        readable = readable && linpred__row_reads_padded(block, r);
        rows->x[k] = block->values + r * block->stride;
        y[k] = block->target[r];
    }
    rows->y = linpred__load_half(y);
    return readable;
}

LINPRED__FAST int32_t linpred__walk_four_rows(linpred__walk *walk, const linpred__block *block, const int32_t *order,
                                              int32_t i, int32_t end, int32_t *last_update)
{
    struct four_rows rows;
    /* A step above 1 is that of tiny rows (walk_open.c): products of two of them underflow. */
    if (block->layout != LINPRED__DENSE || block->columns > LINPRED__FOUR_ROWS_COLUMNS || walk->step > 1.0)
        return i;
    for (; i + 4 <= end && walk->max_updates - walk->updates >= 4 && take_rows(&rows, block, order, i); i += 4) {
        if (i + 8 <= end)
            fetch_rows(block, order, i + 4);
        sweep_columns(&rows, walk->hyperplane.w, block->columns);
        four t = signed_scores(walk, &rows);
        four_bits mistake = t < repeat(0.0);
        if (!are_certain(walk, t))
            break;
        int64_t count = -(mistake[0] + mistake[1] + mistake[2] + mistake[3]);
        if (count == 0)
            continue;
        four factor = where(mistake, repeat(walk->step) * rows.y);
        add_rows(&rows, factor, walk->hyperplane.w, block->columns);
        if (walk->has_intercept)
            walk->hyperplane.b = walk->hyperplane.b + factor[0] + factor[1] + factor[2] + factor[3];
        linpred__walk_count_updates(walk, count);
        *last_update = i + 3;
    }
    return i;
}
