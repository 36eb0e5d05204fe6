/* Measures how far coefficients are from the least absolute or quantile loss.
 *
 * The objective is f(w) = Σ ρ_i(r_i) with r = y - <x,w>. The loss ρ_i(r) is up_i r for r > 0 and -down_i r for r < 0,
 * where up = 2τ weight and down = 2(1-τ) weight for the quantile τ. x is the row in the coordinates of
 * linpred__judged_coordinates.
 *
 * For any dual a_i in [-down_i, up_i], ρ_i(r) >= a_i r for every r. Let d = Σ a_i x_i. Then for any w*
 *
 *   f(w*) >= Σ a_i r*_i = Σ a_i r_i + <d, w - w*>,   hence   f(w) - f(w*) <= Σ (ρ_i(r_i) - a_i r_i) - <d, w - w*>.
 *
 * The duals prove w optimal up to rounding if the first sum (the gap) and d are 0 up to rounding, and every dual lies
 * in its interval. The witness gives the duals of the rows of the support. The dual of every other row follows from the
 * sign of its residual, which must be certain. All sums are in double-double.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/rows/careful.h"
#include "check/limits.h"
#include "check/regression/measure.h"
#include "check/regression/polynomials.h"
#include "check/rows/whole.h"
#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "num/greater.h"

struct problem {
    const linpred_model *model;
    const linpred__support *duals;
    const linpred_data *data;
    linpred__polynomial_basis powers;
    int32_t width;
    double *w;        /* leading parts, then trailing parts */
    double *first;    /* the first row x, without its trailing parts: columns are measured from it */
    bool in_basis;    /* the coordinates are the polynomials of the fit; their rounding error is bounded too */
    double terms;     /* the rounding error of a residual is at most this times |y| + Σ|x_j w_j|, */
    double underflow; /* and this, which its products lose below the range of doubles */
};

struct absolute_sums {
    double *row;      /* 3 width: leading parts of x, trailing parts, and bounds of the rounding error of polynomials */
    double *pull;     /* d: leading parts, then trailing parts */
    double *size;     /* Σ (up_i + down_i) |x_ij| for each column, then the same sums of the rounding errors of x_ij,
                         then Σ (up_i + down_i) |x_ij - first_j|, then Σ (up_i + down_i) |x_ij| over uncertain rows */
    linpred__dd loss; /* Σ ρ_i(r_i) */
    linpred__dd squares;  /* Σ weight r² */
    linpred__dd absolute; /* Σ weight |r| */
    double weight;        /* Σ weight */
    linpred__dd gap;      /* Σ |ρ_i(r_i) - a_i r_i| */
    double gap_off;       /* what rounding of the residuals may have added to it */
    double scale;         /* Σ (up + down) (|y| + Σ|x_j w_j|) */
    double targets;       /* Σ (up + down) |y|; a loss far below it is rounding */
    double excess;     /* the largest distance of a dual beyond its interval, relative to the length of the interval */
    int64_t uncertain; /* rows outside the support for which the sign of the residual is not certain */
    int64_t used;      /* rows of the support that are in the data */
};

static void clear_absolute_sums(void *context, void *state)
{
    (void)context;
    struct absolute_sums *sums = state;
    linpred__release(sums->row);
    linpred__release(sums->pull);
    linpred__release(sums->size);
}

static bool init_absolute_sums(void *context, void *state)
{
    size_t p = (size_t)((struct problem *)context)->width;
    struct absolute_sums *sums = state;
    sums->row = linpred__calloc(3 * p, sizeof(double));
    sums->pull = linpred__calloc(2 * p, sizeof *sums->pull);
    sums->size = linpred__calloc(4 * p, sizeof(double));
    if (sums->row && sums->pull && sums->size)
        return true;
    clear_absolute_sums(context, state);
    return false;
}

/* Sets *a to the dual that the support gives a row. Returns false if the row is not in the support. */
static bool given_dual(const struct problem *problem, int64_t data_row, linpred__dd *a)
{
    const linpred__support *duals = problem->duals;
    int64_t row = linpred_data_source_row(problem->data, data_row);
    if (duals->count == 0)
        return false;
    const int64_t *found = bsearch(&row, duals->row, (size_t)duals->count, sizeof row, linpred__ascending);
    if (!found)
        return false;
    size_t k = (size_t)(found - duals->row);
    *a = (linpred__dd){duals->multiplier[k], duals->tail[k]};
    return true;
}

/* Bounds the rounding errors of the polynomials in sums->row and adds them to sums->size. Returns a bound of what they
   change in <x,w>. */
static double add_row_error(const struct problem *problem, struct absolute_sums *sums, const linpred__block *block,
                            int32_t r, double slopes)
{
    int32_t p = problem->width;
    double *error = sums->row + 2 * p, off = 0.0;
    linpred__row_in_basis_error(&problem->powers, block, r, sums->row, error);
    for (int32_t j = 0; j < p; j++) {
        sums->size[p + j] += slopes * error[j];
        off += error[j] * fabs(problem->w[j]);
    }
    return off;
}

LINPRED__INLINED void check_block_body(const struct problem *problem, struct absolute_sums *sums,
                                       const linpred__block *block)
{
    bool direct = problem->powers.polynomials == 0 && block->layout == LINPRED__DENSE && !block->decimals;
    bool intercept = direct && problem->powers.has_intercept;
    int32_t p = problem->width, n = direct ? block->columns : p;
    const double *whi = problem->w, *wlo = whi + p;
    double quantile = problem->model->regression->quantile;
    for (int32_t at = 0; at < block->rows; at++) {
        const double *x = direct ? block->values + at * block->stride : sums->row,
                     *tail = direct ? NULL : sums->row + p;
        if (!direct)
            linpred__row_in_basis(&problem->powers, block, at, sums->row, sums->row + p);
        double weight = linpred__row_weight(block, at), y = block->target[at];
        double up = 2.0 * quantile * weight, down = 2.0 * (1.0 - quantile) * weight;
        double reach, off = 0.0;
        if (problem->in_basis)
            off = add_row_error(problem, sums, block, at, up + down);
        linpred__dd z = linpred__sum_products(n, x, tail, NULL, whi, wlo, &reach);
        reach += fabs(y) + (intercept ? fabs(whi[n]) : 0.0);
        if (intercept)
            z = linpred__dd_add(z, (linpred__dd){whi[n], wlo[n]});
        linpred__dd r = linpred__dd_add_double(linpred__dd_negate(z), y);
        r = linpred__dd_add_double(r, linpred__target_rest(problem->data, y));
        linpred__dd a = {r.hi > 0 ? up : -down, 0.0}, loss = linpred__dd_multiply(r, a);
        if (given_dual(problem, block->first_row + at, &a)) {
            sums->excess = linpred__greater(sums->excess, fmax(a.hi - up, -down - a.hi) / (up + down));
            linpred__dd paid = linpred__dd_add(loss, linpred__dd_negate(linpred__dd_multiply(r, a)));
            sums->gap = linpred__dd_add(sums->gap, paid.hi < 0 ? linpred__dd_negate(paid) : paid);
            sums->gap_off += (up + down) * (problem->terms * reach + off);
            sums->used++;
        } else if (!(fabs(r.hi) > problem->terms * reach + off + problem->underflow)) { /* or it is not a number */
            sums->uncertain++;
            for (int32_t j = 0; j < p; j++)
                sums->size[3 * p + j] += (up + down) * (j < n ? fabs(x[j]) : 1.0);
        }
        sums->loss = linpred__dd_add(sums->loss, loss);
        linpred__dd pull = linpred__dd_multiply_double(r, weight);
        sums->squares = linpred__dd_add(sums->squares, linpred__dd_multiply(pull, r));
        sums->absolute = linpred__dd_add(sums->absolute, pull.hi < 0 ? linpred__dd_negate(pull) : pull);
        sums->weight += weight;
        sums->scale += (up + down) * reach;
        sums->targets += (up + down) * fabs(y);
        linpred__add_multiple(n, a, x, tail, NULL, sums->pull, sums->pull + p);
        for (int32_t j = 0; j < n; j++) {
            sums->size[j] += (up + down) * fabs(x[j]);
            sums->size[2 * p + j] += (up + down) * fabs(x[j] - problem->first[j]);
        }
        if (intercept) {
            linpred__compensated_add(&sums->pull[n], &sums->pull[p + n], a.hi, a.lo);
            sums->size[n] += up + down;
        }
    }
}

LINPRED__VERSIONS(check_block, (const struct problem *problem, struct absolute_sums *sums, const linpred__block *block),
                  (problem, sums, block))

static void visit_residuals(void *context, void *state, const linpred__block *block)
{
    check_block(context, state, block);
}

static void merge_absolute_sums(void *context, void *into, const void *from)
{
    const struct problem *problem = context;
    struct absolute_sums *a = into;
    const struct absolute_sums *b = from;
    for (int32_t j = 0; j < problem->width; j++)
        linpred__compensated_add(&a->pull[j], &a->pull[problem->width + j], b->pull[j], b->pull[problem->width + j]);
    for (int32_t j = 0; j < 4 * problem->width; j++)
        a->size[j] += b->size[j];
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->squares = linpred__dd_add(a->squares, b->squares);
    a->absolute = linpred__dd_add(a->absolute, b->absolute);
    a->weight += b->weight;
    a->gap = linpred__dd_add(a->gap, b->gap);
    a->gap_off += b->gap_off;
    a->scale += b->scale;
    a->targets += b->targets;
    a->excess = fmax(a->excess, b->excess);
    a->uncertain += b->uncertain;
    a->used += b->used;
}

static void list_absolute_sums(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t p = (size_t)((const struct problem *)context)->width;
    struct absolute_sums *sums = state;
    linpred__state_piece(pieces, sums->pull, 2 * p * sizeof(double));
    linpred__state_piece(pieces, sums->size, 4 * p * sizeof(double));
    linpred__state_piece(pieces, &sums->loss, sizeof *sums - offsetof(struct absolute_sums, loss));
}

/* Whether a dependency that the model states has a part of column j. */
static bool is_dependent(const linpred__dependencies *dependencies, int32_t j)
{
    for (int32_t k = 0; k < dependencies->count; k++)
        if (dependencies->vector[(size_t)k * (size_t)dependencies->width + (size_t)j] != 0.0)
            return true;
    return false;
}

/* The imbalance of column j: |d_j - first_j d_0| relative to the column's spread, where d_0 is that of the intercept. A
   column far from 0 would hide d_j in the size of its numbers; what d_0 is off counts for the intercept. The spread of
   a column that is stated to depend on others may be their rounding; it is measured by its size. What the rounding of
   polynomials may have added to d_j, or a row whose side is not certain, does not count; the finding tells of both. */
static double imbalance_of(const struct problem *problem, const struct absolute_sums *sums, int32_t j)
{
    int32_t p = problem->width;
    double spread = sums->size[2 * p + j];
    linpred__dd pull = linpred__two_sum(sums->pull[j], sums->pull[p + j]);
    if (problem->powers.has_intercept && j < p - 1 && !is_dependent(&problem->model->regression->dependencies, j)) {
        linpred__dd common = linpred__two_sum(sums->pull[p - 1], sums->pull[2 * p - 1]);
        pull = linpred__dd_add(pull, linpred__dd_multiply_double(common, -problem->first[j]));
    } else {
        spread = sums->size[j];
    }
    double doubt = sums->size[3 * p + j] + (problem->in_basis ? sums->size[p + j] : 0.0);
    double off = linpred__greater(0.0, fabs(pull.hi) - doubt);
    if (off <= problem->terms * sums->size[j]) /* rounding of d_j; rows that vary may weigh next to nothing */
        off = fmin(off, LINPRED__DUAL_TOLERANCE * spread);
    return spread > 0 ? off / spread : 0.0;
}

static void take_sums(const struct problem *problem, const struct absolute_sums *sums,
                      linpred__absolute_finding *finding)
{
    for (int32_t j = 0; j < problem->width; j++)
        if (sums->size[j] > 0) {
            finding->imbalance = linpred__greater(finding->imbalance, imbalance_of(problem, sums, j));
            finding->blur = fmax(finding->blur, sums->size[problem->width + j] / sums->size[j]);
        }
    /* If the loss is only rounding, the fit is perfect. No loss is below 0, so the loss itself bounds the gap. Large
       coefficients do not count: residuals are in double-double, and rounding leaves far less of their terms. */
    double size = sums->targets + 0x1p-46 * sums->scale;
    finding->perfect = sums->loss.hi <= 0x1p-44 * size && isfinite(size);
    finding->hidden = finding->perfect && !(sums->loss.hi <= LINPRED__DUAL_TOLERANCE * sums->targets);
    double above = finding->perfect ? sums->loss.hi : sums->gap.hi;
    finding->gap = above == 0.0 ? 0.0 : linpred__greater(0.0, above / (finding->perfect ? size : sums->loss.hi));
    finding->gap_min = finding->perfect ? 0.0 : fmax(0.0, sums->gap.hi - sums->gap_off) / sums->loss.hi;
    finding->excess = sums->excess;
    finding->uncertain = sums->uncertain;
    finding->used = sums->used;
    finding->sums = (linpred__residual_sums){
        .weight = sums->weight,
        .squares = sums->squares.hi,
        .noise = 0x1p-60 * sums->scale, /* a loss below this is rounding */
        .absolute = sums->absolute.hi,
        .loss = sums->loss.hi,
        .around = NAN,
    };
}

static bool open_problem(struct problem *problem)
{
    size_t p = (size_t)problem->width;
    problem->w = linpred__alloc(2 * p, sizeof(double));
    problem->first = linpred__calloc(2 * p, sizeof(double));
    if (!problem->w || !problem->first || !linpred__judged_coordinates(problem->model, &problem->powers, problem->w)) {
        linpred__release(problem->w);
        linpred__release(problem->first);
        return false;
    }
    if (problem->data->rows > 0)
        linpred__row_in_basis(&problem->powers, linpred__block_at(problem->data, 0), 0, problem->first,
                              problem->first + p);
    problem->in_basis = linpred__judged_in_basis(problem->model);
    double terms = problem->width + 4.0 * linpred__highest_power(&problem->powers) + 18.0;
    problem->terms = terms * terms * 0x1p-104;
    problem->underflow = 4.0 * terms * 0x1p-1074;
    return true;
}

linpred_status linpred__measure_absolute(const linpred_model *model, const linpred__support *duals,
                                         const linpred_data *data, linpred__pool *pool,
                                         linpred__absolute_finding *finding, linpred_error *error)
{
    struct problem problem = {.model = model, .duals = duals, .data = data, .width = model->regression->width};
    if (!open_problem(&problem))
        return linpred__no_memory(error);
    *finding = (linpred__absolute_finding){0};
    linpred__visitor visitor = {
        sizeof(struct absolute_sums), init_absolute_sums, visit_residuals,   merge_absolute_sums,
        clear_absolute_sums,          &problem,           list_absolute_sums};
    struct absolute_sums sums;
    linpred_status status = linpred__measure_forms(model, data, &finding->form, error);
    if (status == LINPRED_OK)
        status = linpred__pass(data, pool, &visitor, &sums, error);
    if (status == LINPRED_OK) {
        take_sums(&problem, &sums, finding);
        clear_absolute_sums(&problem, &sums);
    } else {
        linpred__form_clear(&finding->form);
    }
    linpred__release(problem.w);
    linpred__release(problem.first);
    linpred__polynomial_basis_clear(&problem.powers);
    return status;
}
