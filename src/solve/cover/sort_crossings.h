/* Sorts the crossings of a sweep by falling cotangent. At a crossing a row changes its side as the hyperplane turns. */
#ifndef LINPRED_SOLVE_COVER_SORT_CROSSINGS_H
#define LINPRED_SOLVE_COVER_SORT_CROSSINGS_H

#include <stdint.h>

typedef struct linpred__crossing {
    double cot;    /* cotangent of the angle at which the row is on the hyperplane */
    int64_t delta; /* change of the cost of mistakes at this crossing */
} linpred__crossing;

/* Quicksort with the median of three as pivot. Short parts are sorted by insertion. The smaller part is sorted by
   recursion and the larger one by the loop, so the depth is at most log2 n. */
static inline void linpred__sort_crossings(linpred__crossing *c, int32_t n)
{
    while (n > 24) {
        double a = c[0].cot, b = c[n / 2].cot, e = c[n - 1].cot;
        double pivot = a > b ? (b > e ? b : a > e ? e : a) : (a > e ? a : b > e ? e : b);
        int32_t i = 0, j = n - 1;
        while (i <= j) {
            while (c[i].cot > pivot)
                i++;
            while (c[j].cot < pivot)
                j--;
            if (i <= j) {
                linpred__crossing t = c[i];
                c[i++] = c[j];
                c[j--] = t;
            }
        }
        if (j + 1 < n - i) {
            linpred__sort_crossings(c, j + 1);
            c += i;
            n -= i;
        } else {
            linpred__sort_crossings(c + i, n - i);
            n = j + 1;
        }
    }
    for (int32_t i = 1; i < n; i++) {
        linpred__crossing t = c[i];
        int32_t j = i;
        for (; j > 0 && c[j - 1].cot < t.cot; j--)
            c[j] = c[j - 1];
        c[j] = t;
    }
}

#endif
