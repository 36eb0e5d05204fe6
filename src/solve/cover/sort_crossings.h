/* Crossings of a sweep in falling order of their cotangent: where rows change sides as a hyperplane turns. */
#ifndef LINPRED_SOLVE_COVER_SORT_CROSSINGS_H
#define LINPRED_SOLVE_COVER_SORT_CROSSINGS_H

#include <stdint.h>

typedef struct linpred__crossing {
    double cot;
    int64_t delta; /* what the cost changes by */
} linpred__crossing;

/* Quicksort by the median of three, insertion for short pieces; the larger part is left for the loop. */
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
