/* The start of the active-set method: a halfspace to start from, and an active set that was proposed in doubles
   (proposal.h). */
#include "solve/least_distance/least_distance.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/least_distance/proposal.h"
#include "solve/least_distance/row_products.h"
#include "solve/limits.h"

static bool fits_proposal(const linpred__least_distance *p)
{
    return p->rows >= LINPRED__PROPOSAL_MIN_ROWS && p->rows <= LINPRED__PROPOSAL_MAX_ROWS;
}

/* Whether so many rows are violated that a proposal is faster than letting them join one by one. */
static bool worth_proposing(const linpred__least_distance *p)
{
    if (!fits_proposal(p) || p->careful)
        return false;
    int64_t violated = 0;
    for (int64_t i = 0; i < p->rows; i++)
        violated += !p->row[i].active && linpred__distance_value(p, i, p->w.hi) < 1.0 - LINPRED__PROPOSAL_MISS;
    return violated >= LINPRED__PROPOSAL_MIN_VIOLATED;
}

/* Takes the proposed set as the active set. Rows whose multiplier is not positive in double-double leave. If the
   equations of the set cannot be solved, the active set is empty again. */
static bool adopt(linpred__least_distance *p, const linpred__distance_proposal *proposal)
{
    linpred__distance_restart(p);
    if (!linpred__distance_reserve(p, proposal->size) ||
        !linpred__triangle_take(&p->r, proposal->size, proposal->factor))
        return false;
    for (int64_t k = 0; k < proposal->size; k++) {
        p->member[k] = proposal->member[k];
        linpred__dd_set(p->alpha, k, (linpred__dd){proposal->alpha[proposal->member[k]], 0.0});
        p->row[proposal->member[k]].active = true;
    }
    p->active = proposal->size;
    p->steps += proposal->size;
    if (p->bordered)
        linpred__dd_set(p->w, p->columns, (linpred__dd){proposal->intercept, 0.0});
    linpred__distance_rebuild(p);
    bool solved;
    int64_t before;
    do {
        solved = linpred__distance_refine(p, LINPRED__DISTANCE_STEP_ACCURACY);
        before = p->active;
        for (int64_t k = p->active - 1; solved && k >= 0; k--)
            if (p->alpha.hi[k] <= 0.0)
                linpred__distance_leave(p, k);
        if (p->active < before)
            linpred__distance_rebuild(p);
    } while (solved && p->active < before && p->active > 0);
    if (solved && p->active > 0)
        linpred__distance_remember(p);
    else
        linpred__distance_restart(p);
    return true;
}

/* Marks the rows from which block pivoting starts: the active rows; without any, those of the last proposal. Returns
   their number. */
static int64_t mark_start(const linpred__least_distance *p, double *alpha)
{
    int64_t marked = 0;
    memset(alpha, 0, (size_t)p->rows * sizeof(double));
    if (p->start && p->active == 0)
        memcpy(alpha, p->start, (size_t)p->start_rows * sizeof(double));
    for (int64_t i = 0; i < p->rows; i++) {
        if (p->row[i].active)
            alpha[i] = 1.0;
        marked += alpha[i] > 0.0;
    }
    return marked;
}

static bool propose(linpred__least_distance *p, linpred__run *run, linpred__distance_proposal *proposal)
{
    bool found = false;
    if (mark_start(p, proposal->alpha) >= LINPRED__PROPOSAL_MIN_START &&
        !(linpred__row_products_update(p, run->pool) && linpred__distance_pivot(p, run, proposal)))
        return false;
    if (proposal->size == 0) {
        memset(proposal->alpha, 0, (size_t)p->rows * sizeof(double)); /* what pivoting left is no start */
        if (!linpred__distance_rough(p, run, proposal->alpha, p->d.hi, &found))
            return false;
    }
    if (found && !(linpred__row_products_update(p, run->pool) && linpred__distance_pivot(p, run, proposal)))
        return false;
    return proposal->size == 0 || adopt(p, proposal);
}

linpred_status linpred__least_distance_rough(linpred__least_distance *p, linpred__run *run, double *w, bool *found,
                                             linpred_error *error)
{
    *found = false;
    if (!fits_proposal(p))
        return LINPRED_OK;
    double *alpha = linpred__calloc((size_t)p->rows, sizeof(double));
    bool made = alpha && linpred__distance_rough(p, run, alpha, p->d.hi, found);
    linpred__release(alpha);
    for (int64_t j = 0; made && *found && j < p->width; j++)
        w[j] = j < p->columns ? ldexp(p->d.hi[j], -p->scale) : p->d.hi[j];
    return made ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__least_distance_start(linpred__least_distance *p, const double *w, double b,
                                             linpred_error *error)
{
    double *start = linpred__calloc((size_t)p->rows, sizeof(double)), lowest = INFINITY;
    if (!start)
        return linpred__no_memory(error);
    for (int64_t j = 0; j < p->columns; j++)
        p->d.hi[j] = ldexp(w[j], p->scale);
    if (p->form != LINPRED__FORM_ORIGIN)
        p->d.hi[p->columns] = p->bordered ? b : ldexp(b, p->scale);
    for (int64_t i = 0; i < p->rows; i++) {
        start[i] = linpred__distance_value(p, i, p->d.hi);
        lowest = fmin(lowest, start[i]);
    }
    for (int64_t i = 0; i < p->rows; i++)
        start[i] = start[i] <= lowest * (1.0 + LINPRED__PROPOSAL_NEAR) ? 1.0 : 0.0;
    linpred__release(p->start);
    p->start = start;
    p->start_rows = p->rows;
    return LINPRED_OK;
}

linpred_status linpred__least_distance_propose(linpred__least_distance *p, linpred__run *run, linpred_error *error)
{
    p->pool = run->pool;
    if (p->solved || p->outcome == LINPRED__DISTANCE_INFEASIBLE || !worth_proposing(p))
        return LINPRED_OK;
    linpred__distance_proposal proposal = {.member = linpred__alloc((size_t)p->rows, sizeof(int64_t)),
                                           .alpha = linpred__alloc((size_t)p->rows, sizeof(double))};
    bool made = proposal.member && proposal.alpha && propose(p, run, &proposal);
    if (made && proposal.size > 0) {
        linpred__release(p->start);
        p->start = proposal.alpha;
        p->start_rows = p->rows;
        proposal.alpha = NULL;
    }
    linpred__release(proposal.factor);
    linpred__release(proposal.member);
    linpred__release(proposal.alpha);
    return made ? LINPRED_OK : linpred__no_memory(error);
}
