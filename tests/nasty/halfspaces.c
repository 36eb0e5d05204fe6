/* The least cost of mistakes of any halfspace or ball, by all hyperplanes through rows, in rationals.
 *
 * Some best halfspace can be turned until its hyperplane holds rank - 1 independent rows and no row off it has changed
 * sides. So the least is, over all such hyperplanes and both orientations, what the rows on the wrong side cost, plus
 * the least for the rows on the hyperplane, where a coordinate that its normal does not leave out can be dropped.
 *
 * A ball is a halfspace of the rows (x, ‖x‖², 1) with a negative weight of ‖x‖²: one more row, (0, -1, 0), which must
 * be right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "nasty.h"

struct planes {
    rationals z; /* y (x,1) */
    double cost[MAX_ROWS + 1];
};

static double least_cost(const struct planes *p);

/* The rows `use` of p without one column. */
static struct planes drop_column(const struct planes *p, const bool *use, int column)
{
    struct planes q = {.z = {0}};
    int rows = 0, kept[MAX_WIDTH], columns = 0;
    for (int i = 0; i < p->z.rows; i++)
        rows += use[i];
    for (int j = 0; j < p->z.columns; j++)
        if (j != column)
            kept[columns++] = j;
    q.z = rationals_open(rows, columns);
    for (int i = 0, to = 0; i < p->z.rows; i++) {
        if (!use[i])
            continue;
        for (int j = 0; j < columns; j++)
            mpq_set(*at(&q.z, to, j), *at(&p->z, i, kept[j]));
        q.cost[to++] = p->cost[i];
    }
    return q;
}

/* The normal of the chosen rows, if they are independent: a vector that is 0 on them. */
static bool find_normal(const struct planes *p, const int *row, rationals *h)
{
    int k = p->z.columns, pivot[MAX_WIDTH];
    rationals a = rationals_open(k - 1, k);
    for (int i = 0; i < k - 1; i++)
        for (int j = 0; j < k; j++)
            mpq_set(*at(&a, i, j), *at(&p->z, row[i], j));
    int rank = rationals_reduce(&a, pivot), free_column = 0;
    for (int i = 0; i < rank; i++)
        free_column += pivot[i] == free_column;
    for (int j = 0; j < k; j++)
        mpq_set_si(*at(h, 0, j), j == free_column, 1);
    for (int i = 0; i < rank; i++)
        mpq_neg(*at(h, 0, pivot[i]), *at(&a, i, free_column));
    rationals_close(&a);
    return rank == k - 1;
}

static void try_plane(const struct planes *p, const int *row, double *least)
{
    rationals h = rationals_open(1, p->z.columns);
    double wrong[2] = {0.0, 0.0};
    bool on[MAX_ROWS + 1];
    mpq_t score, term;
    mpq_inits(score, term, NULL);
    bool independent = find_normal(p, row, &h);
    for (int i = 0; independent && i < p->z.rows; i++) {
        mpq_set_si(score, 0, 1);
        for (int j = 0; j < p->z.columns; j++) {
            mpq_mul(term, *at(&h, 0, j), *at(&p->z, i, j));
            mpq_add(score, score, term);
        }
        on[i] = mpq_sgn(score) == 0;
        if (!on[i])
            wrong[mpq_sgn(score) > 0] += p->cost[i];
    }
    double total = fmin(wrong[0], wrong[1]);
    if (independent && total < *least) {
        int column = 0;
        while (mpq_sgn(*at(&h, 0, column)) == 0)
            column++;
        struct planes inside = drop_column(p, on, column);
        *least = fmin(*least, total + least_cost(&inside));
        rationals_close(&inside.z);
    }
    mpq_clears(score, term, NULL);
    rationals_close(&h);
}

static void try_planes(const struct planes *p, int *row, int chosen, double *least)
{
    if (chosen == p->z.columns - 1) {
        try_plane(p, row, least);
        return;
    }
    for (int i = chosen > 0 ? row[chosen - 1] + 1 : 0; i < p->z.rows; i++) {
        row[chosen] = i;
        try_planes(p, row, chosen + 1, least);
    }
}

/* Only independent columns: then the rank is their number. Rows of zeros are always wrong. */
static double least_cost(const struct planes *p)
{
    rationals echelon = rationals_open(p->z.rows, p->z.columns);
    int pivot[MAX_WIDTH], row[MAX_ROWS + 1];
    for (int i = 0; i < p->z.rows * p->z.columns; i++)
        mpq_set(echelon.entry[i], p->z.entry[i]);
    int rank = rationals_reduce(&echelon, pivot);
    rationals_close(&echelon);
    struct planes q = {.z = rationals_columns(&p->z, pivot, rank)};
    double least = 0.0;
    for (int i = 0; i < p->z.rows; i++)
        least += q.cost[i] = p->cost[i];
    if (rank > 0)
        try_planes(&q, row, 0, &least);
    rationals_close(&q.z);
    return least;
}

/* Whether a stated cost is the least to 12 digits, or as near as its stated bound says, which is to 9 digits. */
static bool is_least(const linpred__figures *figures, double stated, double least)
{
    double bound = isnan(figures->lower_bound) ? stated : figures->lower_bound;
    return fabs(stated - least) <= 1e-12 * least + (stated - bound) && bound <= least * (1.0 + 1e-12) &&
           bound >= stated * (1.0 - 1e-9);
}

/* Compares a decided result with the least cost. */
static nasty_judgement compare_cost(const linpred__figures *figures, bool separated, double stated, double least,
                                    char *why)
{
    linpred_outcome outcome = figures->outcome;
    if (separated != (least == 0.0) && outcome != LINPRED_OUTCOME_OPTIMAL) {
        snprintf(why, WHY, "%s, and the least cost is %.17g", linpred_outcome_name(outcome), least);
        return NASTY_WRONG;
    }
    if (outcome == LINPRED_OUTCOME_OPTIMAL && !isnan(stated) && !is_least(figures, stated, least)) {
        snprintf(why, WHY, "the cost is %.17g, the least %.17g", stated, least);
        return NASTY_WRONG;
    }
    return NASTY_RIGHT;
}

static bool is_decided(const nasty_case *c, const linpred_result *result)
{
    linpred_outcome outcome = result->figures.outcome;
    return c->rows <= 9 && c->columns <= 3 &&
           (outcome == LINPRED_OUTCOME_SEPARATED || outcome == LINPRED_OUTCOME_INSEPARABLE ||
            outcome == LINPRED_OUTCOME_OPTIMAL);
}

nasty_judgement judge_halfspace(const nasty_case *c, const linpred_result *result, char *why)
{
    exact_rows rows;
    linpred_outcome outcome = result->figures.outcome;
    if (!is_decided(c, result))
        return NASTY_NOT_COMPARED;
    exact_rows_open(c, result, false, &rows);
    struct planes p = {.z = rows.x};
    double factor[2] = {1.0, 1.0};
    if (c->cost)
        sscanf(c->cost, "%lf:%lf", &factor[0], &factor[1]);
    for (int i = 0; i < rows.rows; i++) {
        bool positive = mpq_sgn(rows.y[i]) > 0;
        p.cost[i] = mpq_get_d(rows.weight[i]) * factor[positive];
        for (int j = 0; !positive && j < rows.x.columns; j++)
            mpq_neg(*at(&rows.x, i, j), *at(&rows.x, i, j));
    }
    bool separated = outcome == LINPRED_OUTCOME_SEPARATED ||
                     (outcome == LINPRED_OUTCOME_OPTIMAL && c->way->word && c->way->word[0] == 'm');
    nasty_judgement judged = compare_cost(&result->figures, separated, result->figures.cost, least_cost(&p), why);
    exact_rows_close(&rows);
    return judged;
}

nasty_judgement judge_ball(const nasty_case *c, const linpred_result *result, char *why)
{
    static const double never = 1e280; /* what a weight of the wrong sign costs */
    exact_rows rows;
    if (!is_decided(c, result))
        return NASTY_NOT_COMPARED;
    exact_rows_open(c, result, false, &rows);
    int n = rows.rows, d = c->columns;
    struct planes p = {.z = rationals_open(n + 1, d + 2)};
    mpq_t square;
    mpq_init(square);
    for (int i = 0; i < n; i++) {
        p.cost[i] = mpq_get_d(rows.weight[i]);
        for (int j = 0; j < d; j++) {
            mpq_set(*at(&p.z, i, j), *at(&rows.x, i, j));
            mpq_mul(square, *at(&rows.x, i, j), *at(&rows.x, i, j));
            mpq_add(*at(&p.z, i, d), *at(&p.z, i, d), square);
        }
        mpq_set_si(*at(&p.z, i, d + 1), 1, 1);
        for (int j = 0; mpq_sgn(rows.y[i]) < 0 && j < d + 2; j++)
            mpq_neg(*at(&p.z, i, j), *at(&p.z, i, j));
    }
    mpq_set_si(*at(&p.z, n, d), -1, 1);
    p.cost[n] = never;
    const linpred__figures *figures = &result->figures;
    bool separated = figures->outcome == LINPRED_OUTCOME_SEPARATED;
    double stated = isnan(figures->cost) ? figures->errors : figures->cost;
    nasty_judgement judged = compare_cost(figures, separated, stated, least_cost(&p), why);
    mpq_clear(square);
    rationals_close(&p.z);
    exact_rows_close(&rows);
    return judged;
}
