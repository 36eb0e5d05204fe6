/* Crossings of an edge: finding them, and the weighted median among them. */
#include "solve/absolute/crossings.h"

#include <math.h>

#include "core/fast.h"

LINPRED__FAST int64_t linpred__find_crossings(const linpred__absolute *problem, const double *along, double reach,
                                              linpred__crossing *crossing)
{
    int64_t count = 0;
    for (int64_t i = 0; i < problem->rows; i++) {
        double q = along[i], r = problem->residual[i];
        if (r * q > 0 && fabs(r) <= reach * fabs(q))
            crossing[count++] = (linpred__crossing){r / q, fabs(q) * (problem->up[i] + problem->down[i]), i};
    }
    return count;
}

static void swap(linpred__crossing *a, linpred__crossing *b)
{
    linpred__crossing held = *a;
    *a = *b;
    *b = held;
}

int64_t linpred__lowest_crossing(linpred__crossing *crossing, int64_t count, double rate)
{
    int64_t from = 0, end = count;
    double before = 0.0;
    while (end - from > 1) {
        int64_t middle = from + (end - from) / 2;
        if (crossing[middle].t < crossing[from].t)
            swap(&crossing[middle], &crossing[from]);
        if (crossing[end - 1].t < crossing[from].t)
            swap(&crossing[end - 1], &crossing[from]);
        if (crossing[end - 1].t < crossing[middle].t)
            swap(&crossing[end - 1], &crossing[middle]);
        double pivot = crossing[middle].t, weight = 0.0;
        int64_t low = from, high = end - 1;
        for (;;) {
            while (crossing[low].t < pivot)
                weight += crossing[low++].weight;
            while (crossing[high].t > pivot)
                high--;
            if (low >= high)
                break;
            swap(&crossing[low], &crossing[high]);
            weight += crossing[low++].weight;
            high--;
        }
        /* crossings before `low` are at most at the pivot, those from `low` on at least */
        if (low == from) { /* the pivot is the smallest: it goes alone */
            weight = crossing[low].weight;
            low++;
        }
        if (before + weight >= rate) {
            end = low;
        } else {
            before += weight;
            from = low;
        }
    }
    return from < count && before + crossing[from].weight >= rate ? from : -1;
}
