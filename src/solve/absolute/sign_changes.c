/* Finds the sign changes along an edge, and the weighted median among them. The header has the formulas. */
#include "solve/absolute/sign_changes.h"

#include <math.h>

#include "core/fast.h"

LINPRED__FAST static int64_t find_sign_changes(const linpred__absolute *problem, const double *along, double reach,
                                               linpred__sign_change *change)
{
    int64_t count = 0;
    for (int64_t i = 0; i < problem->rows; i++) {
        double q = along[i], r = problem->residual[i];
        if (r * q > 0 && fabs(r) <= reach * fabs(q))
            change[count++] = (linpred__sign_change){r / q, fabs(q) * (problem->up[i] + problem->down[i]), i};
    }
    return count;
}

int64_t linpred__find_sign_changes(const linpred__absolute *problem, const double *along, double reach,
                                   linpred__sign_change *change)
{
    return find_sign_changes(problem, along, reach, change);
}

static void swap(linpred__sign_change *a, linpred__sign_change *b)
{
    linpred__sign_change held = *a;
    *a = *b;
    *b = held;
}

int64_t linpred__lowest_sign_change(linpred__sign_change *change, int64_t count, double rate)
{
    int64_t from = 0, end = count;
    double before = 0.0;
    while (end - from > 1) {
        int64_t middle = from + (end - from) / 2;
        if (change[middle].t < change[from].t)
            swap(&change[middle], &change[from]);
        if (change[end - 1].t < change[from].t)
            swap(&change[end - 1], &change[from]);
        if (change[end - 1].t < change[middle].t)
            swap(&change[end - 1], &change[middle]);
        double pivot = change[middle].t, weight = 0.0;
        int64_t low = from, high = end - 1;
        for (;;) {
            while (change[low].t < pivot)
                weight += change[low++].weight;
            while (change[high].t > pivot)
                high--;
            if (low >= high)
                break;
            swap(&change[low], &change[high]);
            weight += change[low++].weight;
            high--;
        }
        /* Now t <= pivot before `low`, and t >= pivot from `low` on. */
        if (low == from) { /* no t is below the pivot, so the first part is this one alone */
            weight = change[low].weight;
            low++;
        }
        if (before + weight >= rate) {
            end = low;
        } else {
            before += weight;
            from = low;
        }
    }
    return from < count && before + change[from].weight >= rate ? from : -1;
}
