/* Checking that coefficients minimise Σ ρ(y - <x,w>), ρ(r) = up r above the fit, -down r below; up = 2τ weight, down = 2(1-τ) weight.
 *
 * For any a_i in [-down_i, up_i], ρ_i(r) >= a_i r for every r; so with d = Σ a_i x_i any w* costs at least
 *       Σ ρ_i(r*_i) >= Σ a_i r*_i = Σ a_i r_i + <d, w - w*>,   hence   f(w) - f(w*) <= Σ (ρ_i(r_i) - a_i r_i) - <d, w - w*>
 * The first sum (the gap) and d are computed here in double-double: rows of the certificate have the dual it gives them, all
 * others that of their sign, which must be certain. Both must vanish to rounding, and every dual lie in its interval.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/regression.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/row.h"

static const double tolerance = 1e-12;

struct problem {
    const linpred_result *result;
    const linpred_data *data;
    linpred__basis powers;
    int32_t width;
    double terms; /* the rounding error of a residual is at most this times |y| + Σ|x_j w_j| */
};

struct sums {
    double *row;       /* 2 width */
    linpred__dd *pull; /* d */
    double *size;      /* Σ |a_i x_ij| */
    linpred__dd loss;
    linpred__dd gap;
    double excess;     /* of a dual beyond its interval, relative to it */
    int64_t doubts;    /* rows outside the certificate whose sign is not certain */
    int64_t used;      /* rows of the certificate met */
};

static void clear_sums(void *context, void *state)
{
    (void)context;
    struct sums *sums = state;
    linpred__release(sums->row);
    linpred__release(sums->pull);
    linpred__release(sums->size);
}

static bool init_sums(void *context, void *state)
{
    size_t p = (size_t)((struct problem *)context)->width;
    struct sums *sums = state;
    sums->row = linpred__alloc(2 * p, sizeof(double));
    sums->pull = linpred__calloc(p, sizeof *sums->pull);
    sums->size = linpred__calloc(p, sizeof(double));
    if (sums->row && sums->pull && sums->size)
        return true;
    clear_sums(context, state);
    return false;
}

static int by_row(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* y - <x, w + tail> of the row in sums->row, and the sum of magnitudes that its rounding is bounded by. */
static linpred__dd residual(const struct problem *problem, const struct sums *sums, double y, double *reach)
{
    const linpred_model *model = &problem->result->model;
    linpred__dd r = {y, 0.0};
    *reach = fabs(y);
    for (int32_t j = 0; j < problem->width; j++) {
        if (sums->row[j] == 0.0)
            continue;
        linpred__dd w = {j < model->columns ? model->w[j] : model->b, model->regression->tail[j]};
        linpred__dd part = linpred__dd_multiply((linpred__dd){sums->row[j], sums->row[problem->width + j]}, w);
        r = linpred__dd_add(r, linpred__dd_negate(part));
        *reach += fabs(part.hi);
    }
    return r;
}

static void check_row(const struct problem *problem, struct sums *sums, const linpred__block *block, int32_t at)
{
    const linpred__certificate *certificate = &problem->result->certificate;
    double weight = linpred__row_weight(block, at), quantile = problem->result->model.regression->quantile, reach;
    double up = 2.0 * quantile * weight, down = 2.0 * (1.0 - quantile) * weight;
    int64_t row = linpred_data_source_row(problem->data, block->first_row + at);
    linpred__basis_row(&problem->powers, block, at, sums->row, sums->row + problem->width);
    linpred__dd r = residual(problem, sums, block->target[at], &reach);
    const int64_t *found = certificate->supports == 0 ? NULL
                                                      : bsearch(&row, certificate->support_row, (size_t)certificate->supports,
                                                                sizeof row, by_row);
    linpred__dd a = {r.hi > 0 ? up : -down, 0.0};
    linpred__dd loss = linpred__dd_multiply(r, a);
    if (found) {
        size_t k = (size_t)(found - certificate->support_row);
        a = (linpred__dd){certificate->multiplier[k], certificate->tail[k]};
        sums->excess = fmax(sums->excess, fmax(a.hi - up, -down - a.hi) / (up + down));
        linpred__dd paid = linpred__dd_add(loss, linpred__dd_negate(linpred__dd_multiply(r, a)));
        sums->gap = linpred__dd_add(sums->gap, paid.hi < 0 ? linpred__dd_negate(paid) : paid);
        sums->used++;
    } else {
        sums->doubts += fabs(r.hi) <= problem->terms * reach;
    }
    sums->loss = linpred__dd_add(sums->loss, loss);
    for (int32_t j = 0; j < problem->width; j++) {
        if (sums->row[j] == 0.0)
            continue;
        linpred__dd part = linpred__dd_multiply((linpred__dd){sums->row[j], sums->row[problem->width + j]}, a);
        sums->pull[j] = linpred__dd_add(sums->pull[j], part);
        sums->size[j] += fabs(part.hi);
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    for (int32_t r = 0; r < block->rows; r++)
        check_row(context, state, block, r);
}

static void merge(void *context, void *into, const void *from)
{
    const struct problem *problem = context;
    struct sums *a = into;
    const struct sums *b = from;
    for (int32_t j = 0; j < problem->width; j++) {
        a->pull[j] = linpred__dd_add(a->pull[j], b->pull[j]);
        a->size[j] += b->size[j];
    }
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->gap = linpred__dd_add(a->gap, b->gap);
    a->excess = fmax(a->excess, b->excess);
    a->doubts += b->doubts;
    a->used += b->used;
}

static void judge(const struct problem *problem, const struct sums *sums, linpred_check *check)
{
    double imbalance = 0.0;
    for (int32_t j = 0; j < problem->width; j++)
        if (sums->size[j] > 0)
            imbalance = fmax(imbalance, fabs(sums->pull[j].hi) / sums->size[j]);
    check->gap = sums->loss.hi > 0 ? sums->gap.hi / sums->loss.hi : sums->gap.hi > 0 ? INFINITY : 0.0;
    bool whole = sums->used == problem->result->certificate.supports;
    bool holds = check->gap <= tolerance && imbalance <= tolerance && sums->excess <= tolerance && whole;
    check->verdict = !holds ? LINPRED_REFUTED : sums->doubts > 0 ? LINPRED_PARTLY_PROVED : LINPRED_WITHIN_TOLERANCE;
    if (!whole)
        snprintf(check->finding, sizeof check->finding, "rows of the certificate are not in this data");
    else
        snprintf(check->finding, sizeof check->finding,
                 "gap %.2g (relative), duals of all rows cancel to %.2g and are in their intervals to %.2g; %lld rows at the fit",
                 check->gap, imbalance, fmax(0.0, sums->excess), (long long)sums->used);
    if (sums->doubts > 0) {
        size_t used = strlen(check->finding);
        snprintf(check->finding + used, sizeof check->finding - used, "; the side of %lld more rows is not certain",
                 (long long)sums->doubts);
    }
}

linpred_status linpred__check_least_absolute(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                             linpred_check *check, linpred_error *error)
{
    const linpred__regression *regression = result->model.regression;
    struct problem problem = {.result = result, .data = data, .width = regression->width};
    int32_t degree = 1;
    if (!linpred__basis_make(&problem.powers, result->model.recipe, result->model.has_intercept))
        return linpred__no_memory(error);
    for (int32_t i = 0; i < problem.powers.polynomials; i++)
        degree = problem.powers.polynomial[i].degree > degree ? problem.powers.polynomial[i].degree : degree;
    problem.terms = (regression->width + 4.0 * degree + 16.0) * (regression->width + 4.0 * degree + 16.0) * 0x1p-104;
    linpred__visitor visitor = {sizeof(struct sums), init_sums, visit, merge, clear_sums, &problem};
    struct sums sums;
    linpred_status status = linpred__pass(data, pool, &visitor, &sums, error);
    if (status == LINPRED_OK) {
        if (regression->quantile == 0.5)
            snprintf(check->claim, sizeof check->claim, "the coefficients minimise the mean absolute error");
        else
            snprintf(check->claim, sizeof check->claim, "the coefficients minimise the loss of the quantile %.17g",
                     regression->quantile);
        judge(&problem, &sums, check);
        clear_sums(&problem, &sums);
    }
    linpred__basis_clear(&problem.powers);
    return status;
}
