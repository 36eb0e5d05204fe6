/* The sums of eight rows from their lanes, all at once. */
#ifndef LINPRED_PASS_EIGHT_ROWS_H
#define LINPRED_PASS_EIGHT_ROWS_H

#include <string.h>

#include "data/row.h"
#include "pass/careful_row.h"

enum { LINPRED__EIGHT_ROWS = 8 };

/* Compensated sums in eight places each: sum + errors. */
struct linpred__eight {
    linpred__lanes sum;
    linpred__lanes errors;
};

LINPRED__INLINED struct linpred__eight linpred__add_eight(struct linpred__eight a, struct linpred__eight b)
{
    linpred__lanes s = a.sum + b.sum, t = s - a.sum;
    linpred__lanes lost = (a.sum - (s - t)) + (b.sum - t);
    return (struct linpred__eight){s, (a.errors + b.errors) + lost};
}

/* Adds the places of `a` in pairs, and those of `b`; the sums of `a` stand before those of `b`. LOW and HIGH are the
   first and the second places of the pairs, numbered 0 .. 7 in a and 8 .. 15 in b. */
#define LINPRED__FOLD(a, b, LOW, HIGH)                                                                                 \
    linpred__add_eight((struct linpred__eight){LOW((a).sum, (b).sum), LOW((a).errors, (b).errors)},                    \
                       (struct linpred__eight){HIGH((a).sum, (b).sum), HIGH((a).errors, (b).errors)})
#define LINPRED__LOW_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define LINPRED__HIGH_HALVES(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define LINPRED__LOW_QUARTERS(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define LINPRED__HIGH_QUARTERS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
#define LINPRED__LOW_EIGHTHS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define LINPRED__HIGH_EIGHTHS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)

/* The lanes of each row in one sum, in the order of linpred__merge_lanes, eight rows at once: halves of two rows go
   into one vector, then quarters of four, then eighths of all. */
LINPRED__INLINED void linpred__merge_rows(const double sum[LINPRED__EIGHT_ROWS][LINPRED__CAREFUL_LANES],
                                          const double errors[LINPRED__EIGHT_ROWS][LINPRED__CAREFUL_LANES], double *hi,
                                          double *lo)
{
    struct linpred__eight row[LINPRED__EIGHT_ROWS];
#pragma GCC unroll 8
    for (int k = 0; k < LINPRED__EIGHT_ROWS; k++) {
        struct linpred__eight a, b;
        memcpy(&a.sum, sum[k], sizeof a.sum);
        memcpy(&b.sum, sum[k] + 8, sizeof b.sum);
        memcpy(&a.errors, errors[k], sizeof a.errors);
        memcpy(&b.errors, errors[k] + 8, sizeof b.errors);
        row[k] = linpred__add_eight(a, b);
    }
    struct linpred__eight two[4], four[2];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        two[k] = LINPRED__FOLD(row[2 * k], row[2 * k + 1], LINPRED__LOW_HALVES, LINPRED__HIGH_HALVES);
#pragma GCC unroll 2
    for (int k = 0; k < 2; k++)
        four[k] = LINPRED__FOLD(two[2 * k], two[2 * k + 1], LINPRED__LOW_QUARTERS, LINPRED__HIGH_QUARTERS);
    struct linpred__eight all = LINPRED__FOLD(four[0], four[1], LINPRED__LOW_EIGHTHS, LINPRED__HIGH_EIGHTHS);
    memcpy(hi, &all.sum, sizeof all.sum);
    memcpy(lo, &all.errors, sizeof all.errors);
}

/* Σ|x_j w_j|, in plain doubles: bounds of rounding errors are made of it. */
LINPRED__INLINED double linpred__dense_reach(int64_t n, const double *restrict x, const double *restrict w)
{
    double lane[8] = {0.0}, sum = 0.0;
    int64_t j = 0;
    for (; j + 8 <= n; j += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += fabs(x[j + k] * w[j + k]);
    for (; j < n; j++)
        sum += fabs(x[j] * w[j]);
    for (int k = 0; k < 8; k++)
        sum += lane[k];
    return sum;
}

/* size_j += left |x_j| and reach_j += doubt |x_j|. */
LINPRED__INLINED void linpred__add_dense_size(int64_t n, const double *restrict x, double left, double doubt,
                                              double *restrict size, double *restrict reach)
{
    for (int64_t j = 0; j < n; j++) {
        size[j] += left * fabs(x[j]);
        reach[j] += doubt * fabs(x[j]);
    }
}

#endif
