/* Gordan's alternative as a linear program. The header has the formulas. */
#include "solve/cover/alternative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/exact_lp/exact_lp.h"
#include "solve/lp/clp.h"
#include "solve/limits.h"

/* The rows of the program: one for each column of z, and Σ λ_i = 1 last. */
static bool add_constraints(linpred__alternative *a)
{
    const linpred__hyperplane_search *p = a->search;
    size_t n = (size_t)p->n, d = (size_t)p->d;
    double *value = linpred__alloc(n * (d + 1), sizeof *value);
    int32_t *index = linpred__alloc(n * (d + 1), sizeof *index);
    int32_t *start = linpred__alloc(d + 2, sizeof *start);
    double *bound = linpred__calloc(d + 1, sizeof *bound);
    bool good = value && index && start && bound;
    if (good) {
        int32_t at = 0;
        for (int32_t j = 0; j <= p->d; j++) {
            start[j] = at;
            for (int32_t i = 0; i < p->n; i++) {
                double v = j < p->d ? p->z[(int64_t)i * p->d + j] : 1.0;
                if (fabs(v) < 1e-30)
                    continue;
                index[at] = i;
                value[at++] = v;
            }
        }
        start[p->d + 1] = at;
        bound[p->d] = 1.0;
        good = linpred__clp_add_rows(a->model, p->d + 1, bound, bound, start, index, value);
    }
    linpred__release(value);
    linpred__release(index);
    linpred__release(start);
    linpred__release(bound);
    return good;
}

linpred_status linpred__alternative_open(linpred__alternative *a, const linpred__hyperplane_search *search,
                                         linpred_error *error)
{
    *a = (linpred__alternative){.search = search};
    if ((double)search->n * (search->d + 1.0) > INT32_MAX / 2)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "too many working rows and columns for the linear program");
    a->row = linpred__alloc((size_t)search->n, sizeof *a->row);
    a->support = linpred__alloc((size_t)search->n, sizeof *a->support);
    a->w = linpred__calloc((size_t)search->d, sizeof *a->w);
    a->model = a->row && a->support && a->w ? linpred__clp_open(search->n) : NULL;
    if (!a->model || !add_constraints(a)) {
        linpred__alternative_close(a);
        return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

void linpred__alternative_close(linpred__alternative *a)
{
    linpred__clp_close(a->model);
    linpred__integers_close(&a->weight);
    linpred__release(a->row);
    linpred__release(a->support);
    linpred__release(a->w);
    *a = (linpred__alternative){0};
}

/* Finds a minimal inseparable set among the rows of the vertex by exact arithmetic. */
static linpred_status prove(linpred__alternative *a, int32_t supported, linpred__effort *effort, linpred_error *error)
{
    linpred__exact_question question = {.rows = a->search->rows,
                                        .use = a->support,
                                        .used = supported,
                                        .start = a->support,
                                        .starts = supported,
                                        .max_pivots = LINPRED__MAX_PIVOTS_FROM_LP};
    linpred__exact_answer answer;
    linpred_status status = linpred__exact_lp(&question, effort, &answer, error);
    if (status != LINPRED_OK)
        return status;
    if (answer.kind == LINPRED_SEPARATION_INSEPARABLE) {
        a->count = answer.count;
        memcpy(a->row, answer.row, (size_t)answer.count * sizeof *a->row);
        a->weight = answer.weight;
        answer.weight = (linpred__integers){0, NULL};
    }
    linpred__exact_answer_close(&answer);
    return LINPRED_OK;
}

linpred_status linpred__alternative_find(linpred__alternative *a, const double *price, linpred__effort *effort,
                                         linpred_error *error)
{
    const linpred__hyperplane_search *p = a->search;
    int status = 4;
    a->count = 0;
    a->calls++;
    linpred__integers_close(&a->weight);
    a->weight = (linpred__integers){0, NULL};
    if (!linpred__clp_set_costs(a->model, price) ||
        !linpred__clp_solve(a->model, true, LINPRED__ALTERNATIVE_ITERATIONS, &status))
        return linpred__no_memory(error);
    if (status != 0 && (!linpred__clp_forget_basis(a->model) ||
                        !linpred__clp_solve(a->model, true, LINPRED__ALTERNATIVE_ITERATIONS, &status)))
        return linpred__no_memory(error);
    if (status != 0)
        return LINPRED_OK;
    const double *lambda = linpred__clp_point(a->model), *dual = linpred__clp_duals(a->model);
    for (int32_t j = 0; j < p->d; j++)
        a->w[j] = -dual[j];
    a->threshold = dual[p->d];
    int32_t supported = 0;
    for (int32_t i = 0; i < p->n; i++)
        if (lambda[i] > 1e-11)
            a->support[supported++] = i;
    return supported > 0 ? prove(a, supported, effort, error) : LINPRED_OK;
}
