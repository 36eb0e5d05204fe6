/* Checking that coefficients minimise Σ ρ(y - <x,w>), ρ(r) = up r above the fit, -down r below; up = 2τ weight, down =
 * 2(1-τ) weight; x is the row in the coordinates of linpred__check_coordinates.
 *
 * For any a_i in [-down_i, up_i], ρ_i(r) >= a_i r for every r; so with d = Σ a_i x_i any w* costs at least
 *       Σ ρ_i(r*_i) >= Σ a_i r*_i = Σ a_i r_i + <d, w - w*>,   hence   f(w) - f(w*) <= Σ (ρ_i(r_i) - a_i r_i) - <d, w -
 * w*> The first sum (the gap) and d are computed here in double-double: rows of the certificate have the dual it gives
 * them, all others that of their sign, which must be certain. Both must vanish to rounding, and every dual lie in its
 * interval.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/regression.h"
#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/careful_row.h"
#include "data/tree.h"
#include "data/row.h"

static const double tolerance = 1e-12;

struct problem {
    const linpred_result *result;
    const linpred_data *data;
    linpred__polynomial_basis powers;
    int32_t width;
    double *w;     /* leading parts, then trailing parts */
    bool in_basis; /* the coordinates are the fit's polynomials, and their own rounding counts */
    double terms;  /* the rounding error of a residual is at most this times |y| + Σ|x_j w_j| */
};

struct sums {
    double *row;  /* 2 width, and with polynomials a third for their rounding */
    double *pull; /* d: leading parts, then trailing parts */
    double *size; /* Σ (up_i + down_i) |x_ij|, then the same of the rounding of x_ij */
    linpred__dd loss;
    linpred__dd squares;
    linpred__dd absolute;
    double weight;
    linpred__dd gap;
    double scale;   /* Σ (up + down) (|y| + Σ|x_j w_j|): a loss far below this is rounding */
    double excess;  /* of a dual beyond its interval, relative to it */
    int64_t doubts; /* rows outside the certificate whose sign is not certain */
    int64_t used;   /* rows of the certificate met */
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
    sums->row = linpred__calloc(3 * p, sizeof(double));
    sums->pull = linpred__calloc(2 * p, sizeof *sums->pull);
    sums->size = linpred__calloc(2 * p, sizeof(double));
    if (sums->row && sums->pull && sums->size)
        return true;
    clear_sums(context, state);
    return false;
}

/* The dual that the certificate gives a row; false if it gives none. */
static bool given_dual(const struct problem *problem, int64_t data_row, linpred__dd *a)
{
    const linpred__certificate *certificate = &problem->result->certificate;
    int64_t row = linpred_data_source_row(problem->data, data_row);
    if (certificate->supports == 0)
        return false;
    const int64_t *found =
        bsearch(&row, certificate->support_row, (size_t)certificate->supports, sizeof row, linpred__ascending);
    if (!found)
        return false;
    size_t k = (size_t)(found - certificate->support_row);
    *a = (linpred__dd){certificate->multiplier[k], certificate->tail[k]};
    return true;
}

/* The rounding of a row of polynomials, which stands in sums->row: what it may be of the score. */
static double add_row_error(const struct problem *problem, struct sums *sums, const linpred__block *block, int32_t r,
                            double slopes)
{
    int32_t p = problem->width;
    double *error = sums->row + 2 * p, off = 0.0;
    linpred__polynomial_basis_row_error(&problem->powers, block, r, sums->row, error);
    for (int32_t j = 0; j < p; j++) {
        sums->size[p + j] += slopes * error[j];
        off += error[j] * fabs(problem->w[j]);
    }
    return off;
}

LINPRED__BODY void check_block_body(const struct problem *problem, struct sums *sums, const linpred__block *block)
{
    bool direct = problem->powers.polynomials == 0 && block->layout == LINPRED__DENSE;
    bool intercept = direct && problem->powers.has_intercept;
    int32_t p = problem->width, n = direct ? block->columns : p;
    const double *whi = problem->w, *wlo = whi + p;
    double quantile = problem->result->model.regression->quantile;
    for (int32_t at = 0; at < block->rows; at++) {
        const double *x = direct ? block->values + at * block->stride : sums->row,
                     *tail = direct ? NULL : sums->row + p;
        if (!direct)
            linpred__polynomial_basis_row(&problem->powers, block, at, sums->row, sums->row + p);
        double weight = linpred__row_weight(block, at), y = block->target[at];
        double up = 2.0 * quantile * weight, down = 2.0 * (1.0 - quantile) * weight;
        double reach = fabs(y) + (intercept ? fabs(whi[n]) : 0.0), off = 0.0;
        for (int32_t j = 0; j < n; j++)
            reach += fabs(x[j] * whi[j]);
        if (problem->in_basis)
            off = add_row_error(problem, sums, block, at, up + down);
        linpred__dd z = tail ? linpred__careful_dot(n, x, tail, whi, wlo) : linpred__careful_dot(n, x, NULL, whi, wlo);
        if (intercept)
            z = linpred__dd_add(z, (linpred__dd){whi[n], wlo[n]});
        linpred__dd r = linpred__dd_add_double(linpred__dd_negate(z), y);
        linpred__dd a = {r.hi > 0 ? up : -down, 0.0}, loss = linpred__dd_multiply(r, a);
        if (given_dual(problem, block->first_row + at, &a)) {
            sums->excess = fmax(sums->excess, fmax(a.hi - up, -down - a.hi) / (up + down));
            linpred__dd paid = linpred__dd_add(loss, linpred__dd_negate(linpred__dd_multiply(r, a)));
            sums->gap = linpred__dd_add(sums->gap, paid.hi < 0 ? linpred__dd_negate(paid) : paid);
            sums->used++;
        } else {
            sums->doubts += fabs(r.hi) <= problem->terms * reach + off;
        }
        sums->loss = linpred__dd_add(sums->loss, loss);
        linpred__dd pull = linpred__dd_multiply_double(r, weight);
        sums->squares = linpred__dd_add(sums->squares, linpred__dd_multiply(pull, r));
        sums->absolute = linpred__dd_add(sums->absolute, pull.hi < 0 ? linpred__dd_negate(pull) : pull);
        sums->weight += weight;
        sums->scale += (up + down) * reach;
        if (tail)
            linpred__careful_add(n, a, x, tail, sums->pull, sums->pull + p);
        else
            linpred__careful_add(n, a, x, NULL, sums->pull, sums->pull + p);
        for (int32_t j = 0; j < n; j++)
            sums->size[j] += (up + down) * fabs(x[j]);
        if (intercept) {
            linpred__compensated_add(&sums->pull[n], &sums->pull[p + n], a.hi, a.lo);
            sums->size[n] += up + down;
        }
    }
}

LINPRED__CAREFUL(check_block, const struct problem *, struct sums *)

static void visit(void *context, void *state, const linpred__block *block)
{
    check_block(context, state, block);
}

static void merge(void *context, void *into, const void *from)
{
    const struct problem *problem = context;
    struct sums *a = into;
    const struct sums *b = from;
    for (int32_t j = 0; j < problem->width; j++) {
        linpred__compensated_add(&a->pull[j], &a->pull[problem->width + j], b->pull[j], b->pull[problem->width + j]);
        a->size[j] += b->size[j];
        a->size[problem->width + j] += b->size[problem->width + j];
    }
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->squares = linpred__dd_add(a->squares, b->squares);
    a->absolute = linpred__dd_add(a->absolute, b->absolute);
    a->weight += b->weight;
    a->gap = linpred__dd_add(a->gap, b->gap);
    a->scale += b->scale;
    a->excess = fmax(a->excess, b->excess);
    a->doubts += b->doubts;
    a->used += b->used;
}

static void judge(const struct problem *problem, const struct sums *sums, linpred_check *check)
{
    double imbalance = 0.0, blur = 0.0;
    for (int32_t j = 0; j < problem->width; j++)
        if (sums->size[j] > 0) {
            imbalance = fmax(imbalance, fabs(sums->pull[j] + sums->pull[problem->width + j]) / sums->size[j]);
            blur = fmax(blur, sums->size[problem->width + j] / sums->size[j]);
        }
    /* A fit that leaves but rounding is perfect: no loss is below 0, so this one is its own bound, told beside the size
     * of the terms. */
    bool perfect = sums->loss.hi <= 0x1p-44 * sums->scale;
    double slack = perfect ? sums->loss.hi : sums->gap.hi;
    check->gap = slack > 0 ? slack / (perfect ? sums->scale : sums->loss.hi) : 0.0;
    bool whole = sums->used == problem->result->certificate.supports;
    bool holds = check->gap <= tolerance && whole && (perfect || (imbalance <= tolerance && sums->excess <= tolerance));
    /* The duals name rows by their numbers: of other rows, or in another order, they prove nothing, and the figures
     * decide. */
    bool claimed = check->same_data && linpred__check_finished(problem->result);
    check->verdict = !holds && claimed                                ? LINPRED_REFUTED
                     : !holds || sums->doubts > 0 || blur > tolerance ? LINPRED_PARTLY_PROVED
                                                                      : LINPRED_WITHIN_TOLERANCE;
    if (!whole)
        snprintf(check->finding, sizeof check->finding, "rows of the certificate are not in this data");
    else if (perfect)
        snprintf(check->finding, sizeof check->finding,
                 "the loss is %.2g of the terms of the sums, nothing but rounding, and none is below 0; %lld row%s on "
                 "the fit",
                 check->gap, (long long)sums->used, sums->used == 1 ? " lies" : "s lie");
    else
        snprintf(check->finding, sizeof check->finding,
                 "gap %.2g (relative), duals of all rows cancel to %.2g and are in their intervals to %.2g; %lld row%s "
                 "on the fit",
                 check->gap, imbalance, fmax(0.0, sums->excess), (long long)sums->used,
                 sums->used == 1 ? " lies" : "s lie");
    if (whole && problem->result->info.rank < sums->used)
        linpred__check_append(check, ", %.0f of them determine it", (double)problem->result->info.rank);
    if (sums->doubts > 0)
        linpred__check_append(check, "; the side of %.0f more rows is not certain", (double)sums->doubts);
    if (blur > tolerance)
        linpred__check_append(check, "; powers are known to %.2g only", blur);
    if (!holds)
        check->gap = NAN; /* of duals that prove nothing */
}

linpred_status linpred__check_least_absolute(const linpred_result *result, const linpred_data *data,
                                             linpred__pool *pool, linpred_check *check, linpred_error *error)
{
    const linpred__regression *regression = result->model.regression;
    struct problem problem = {.result = result, .data = data, .width = regression->width};
    int32_t degree = 1;
    size_t p = (size_t)regression->width;
    problem.w = linpred__alloc(2 * p, sizeof(double));
    if (!problem.w || !linpred__check_coordinates(result, &problem.powers, problem.w)) {
        linpred__release(problem.w);
        return linpred__no_memory(error);
    }
    problem.in_basis = linpred__check_in_basis(result);
    for (int32_t i = 0; i < problem.powers.polynomials; i++)
        degree = problem.powers.polynomial[i].degree > degree ? problem.powers.polynomial[i].degree : degree;
    problem.terms = (regression->width + 4.0 * degree + 16.0) * (regression->width + 4.0 * degree + 16.0) * 0x1p-104;
    linpred__visitor visitor = {sizeof(struct sums), init_sums, visit, merge, clear_sums, &problem};
    struct sums sums;
    linpred__polynomial_basis_form form = {0};
    linpred_status status = linpred__check_basis_form(result, data, &form, error);
    if (status == LINPRED_OK)
        status = linpred__pass(data, pool, &visitor, &sums, error);
    if (status == LINPRED_OK) {
        if (regression->quantile == 0.5)
            snprintf(check->claim, sizeof check->claim, "the coefficients minimise the mean absolute error");
        else
            snprintf(check->claim, sizeof check->claim, "the coefficients minimise the loss of the quantile %.17g",
                     regression->quantile);
        judge(&problem, &sums, check);
        /* a loss below 2^-60 of this is rounding, of any row */
        linpred__figures figures = {.rows = data->rows,
                                    .weight = sums.weight,
                                    .squares = sums.squares.hi,
                                    .absolute = sums.absolute.hi,
                                    .loss = sums.loss.hi,
                                    .noise = 0x1p-60 * sums.scale,
                                    .around = NAN,
                                    .rank = -1};
        if (check->verdict != LINPRED_REFUTED)
            linpred__check_figures(result, &figures, check);
        linpred__check_forms(&form, check);
        clear_sums(&problem, &sums);
    }
    linpred__check_basis_form_clear(&form);
    linpred__release(problem.w);
    linpred__polynomial_basis_clear(&problem.powers);
    return status;
}
