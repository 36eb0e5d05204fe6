/* The least cost of mistakes by going through all hyperplanes, in integers: rows of small integers only.
 *
 * Some best halfspace can be turned until its hyperplane holds k-1 independent rows (k the rank) and no row off the
 * hyperplane has changed sides. So the least is, over all such hyperplanes and both orientations, what the rows on the
 * wrong side cost, plus the least for the rows on the hyperplane itself, which are a problem of one dimension less: a
 * coordinate that the hyperplane's normal does not leave out can be dropped.
 */
#ifndef LINPRED_TESTS_FEWEST_ERRORS_REFERENCE_H
#define LINPRED_TESTS_FEWEST_ERRORS_REFERENCE_H

#include "support.h"

enum { MAX_ROWS = 40, MAX_COLUMNS = 6 };

typedef struct planes_problem {
    int rows;
    int columns;
    int64_t z[MAX_ROWS][MAX_COLUMNS];
    double cost[MAX_ROWS];
} planes_problem;

static inline int64_t determinant(int n, int64_t a[MAX_COLUMNS][MAX_COLUMNS])
{
    if (n == 0)
        return 1;
    int64_t sum = 0, minor[MAX_COLUMNS][MAX_COLUMNS];
    for (int c = 0; c < n; c++) {
        for (int i = 1; i < n; i++)
            for (int j = 0, to = 0; j < n; j++)
                if (j != c)
                    minor[i - 1][to++] = a[i][j];
        sum += (c % 2 ? -1 : 1) * a[0][c] * determinant(n - 1, minor);
    }
    return sum;
}

/* The normal of the hyperplane through rows pick[0 .. k-2]: zero if they are dependent. */
static inline bool normal_of(const planes_problem *p, const int *pick, int64_t *h)
{
    bool any = false;
    for (int c = 0; c < p->columns; c++) {
        int64_t minor[MAX_COLUMNS][MAX_COLUMNS];
        for (int i = 0; i < p->columns - 1; i++)
            for (int j = 0, to = 0; j < p->columns; j++)
                if (j != c)
                    minor[i][to++] = p->z[pick[i]][j];
        h[c] = (c % 2 ? -1 : 1) * determinant(p->columns - 1, minor);
        any = any || h[c] != 0;
    }
    return any;
}

static inline planes_problem drop_column(const planes_problem *p, const bool *use, int column)
{
    planes_problem q = {.columns = p->columns - 1};
    for (int i = 0; i < p->rows; i++) {
        if (use && !use[i])
            continue;
        for (int j = 0, to = 0; j < p->columns; j++)
            if (j != column)
                q.z[q.rows][to++] = p->z[i][j];
        q.cost[q.rows++] = p->cost[i];
    }
    return q;
}

static double least_cost(const planes_problem *p);

/* Goes through the (k-1)-subsets of rows from pick[chosen] on. */
static inline void try_planes(const planes_problem *p, int *pick, int chosen, bool *any, double *least)
{
    if (chosen < p->columns - 1) {
        for (int i = chosen > 0 ? pick[chosen - 1] + 1 : 0; i < p->rows; i++) {
            pick[chosen] = i;
            try_planes(p, pick, chosen + 1, any, least);
        }
        return;
    }
    int64_t h[MAX_COLUMNS];
    if (!normal_of(p, pick, h))
        return;
    *any = true;
    double wrong[2] = {0, 0};
    bool on[MAX_ROWS];
    for (int i = 0; i < p->rows; i++) {
        int64_t s = 0;
        for (int j = 0; j < p->columns; j++)
            s += h[j] * p->z[i][j];
        on[i] = s == 0;
        if (s != 0)
            wrong[s > 0] += p->cost[i];
    }
    double total = fmin(wrong[0], wrong[1]);
    if (total >= *least)
        return;
    int column = 0;
    while (h[column] == 0)
        column++;
    planes_problem inside = drop_column(p, on, column);
    *least = fmin(*least, total + least_cost(&inside));
}

static double least_cost(const planes_problem *p)
{
    double zero = 0, least = INFINITY;
    bool use[MAX_ROWS];
    for (int i = 0; i < p->rows; i++) { /* rows of zeros are always wrong */
        use[i] = false;
        for (int j = 0; j < p->columns; j++)
            use[i] = use[i] || p->z[i][j] != 0;
        zero += use[i] ? 0 : p->cost[i];
    }
    planes_problem q = {.columns = p->columns};
    for (int i = 0; i < p->rows; i++)
        if (use[i]) {
            memcpy(q.z[q.rows], p->z[i], sizeof q.z[0]);
            q.cost[q.rows++] = p->cost[i];
        }
    if (q.rows == 0)
        return zero;
    int pick[MAX_COLUMNS];
    bool any = false;
    try_planes(&q, pick, 0, &any, &least);
    if (any)
        return zero + least;
    /* The rank is below k - 1: some column depends on others, and dropping it changes nothing. That it is the right one
       is seen from the least: dropping a wrong one can only make rows equal that were not, and the cost higher. */
    for (int c = 0; c < q.columns; c++) {
        planes_problem inside = drop_column(&q, NULL, c);
        least = fmin(least, least_cost(&inside));
    }
    return zero + least;
}

#endif
