/* The pass that a proof of least absolute deviations needs.
 *
 * A row outside of the basis has the dual of its side: a = up above the fit, a = -down below. Residuals are in
 * double-double if they are near 0, where their sign matters, and in doubles elsewhere.
 */
#include "fit/least_absolute/row_sums.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "fit/least_absolute/exact.h"
#include "fit/least_absolute/row.h"
#include "pass/careful_row.h"

struct proof_pass {
    const linpred__deviations *question;
    const linpred__deviation_vertex *vertex;
    const int8_t *side;
    const double *parts; /* w: leading parts, trailing parts */
    double near;         /* if a residual in doubles is larger than this, it is certainly not 0 */
    double rounding;     /* relative rounding error of a residual in double-double */
    double underflow;    /* what is lost of a residual below the range of doubles */
};

void linpred__deviation_sums_clear(linpred__deviation_sums *sums)
{
    linpred__release(sums->slopes);
    linpred__release(sums->row);
    linpred__release(sums->zero);
    *sums = (linpred__deviation_sums){0};
}

static void clear_proof_sums(void *context, void *state)
{
    (void)context;
    linpred__deviation_sums_clear(state);
}

static bool init_proof_sums(void *context, void *state)
{
    size_t p = (size_t)((const struct proof_pass *)context)->question->design.width;
    linpred__deviation_sums *sums = state;
    sums->slopes = linpred__calloc(2 * p, sizeof *sums->slopes);
    sums->row = linpred__alloc(2 * p, sizeof(double));
    if (sums->slopes && sums->row)
        return true;
    clear_proof_sums(context, state);
    return false;
}

static void add_zero(linpred__deviation_sums *sums, int64_t row, double dual)
{
    if (!linpred__grow(&sums->zero, &sums->capacity, sums->zeros + 1, sizeof *sums->zero)) {
        sums->failed = true;
        return;
    }
    sums->zero[sums->zeros++] = (linpred__deviation_support){row, {dual, 0.0}};
}

/* Whether r may be a residual of exactly 0 plus rounding errors. */
LINPRED__ROW bool may_be_zero(const struct proof_pass *work, const double *x, int32_t n, bool intercept, double y,
                              double r)
{
    double size = fabs(y) + (intercept ? fabs(work->parts[n]) : 0.0);
    for (int32_t j = 0; j < n; j++)
        size += fabs(x[j] * work->parts[j]);
    return fabs(r) <= work->rounding * size + work->underflow;
}

/* Adds a residual to the sums. */
LINPRED__ROW void add_residual(linpred__deviation_sums *sums, double r, double y, double weight)
{
    double part = weight * r;
    sums->sum = linpred__dd_add_double(sums->sum, part);
    sums->absolute = linpred__dd_add_double(sums->absolute, fabs(part));
    sums->squares = linpred__dd_add_double(sums->squares, part * r);
    sums->targets += weight * fabs(y);
}

/* A row for the functions below. */
struct expanded_row {
    const double *x;
    const double *tail;
    int32_t n;
    bool intercept; /* an intercept is added after the entries, for dense and sparse rows alike, so that both give the
                       same bits */
};

/* y - <x, w> in doubles if it is clearly not 0, else in double-double. `lost` is what y lacks of its decimal. */
LINPRED__ROW double exact_residual(const struct proof_pass *work, struct expanded_row row, double y, double lost)
{
    const double *hi = work->parts, *lo = hi + work->question->design.width;
    int32_t n = row.n;
    double r = y - linpred__dot_dense(row.x, hi, n) - (row.intercept ? hi[n] : 0.0);
    if (fabs(r) > work->near)
        return r;
    linpred__dd z =
        row.tail ? linpred__careful_dot(n, row.x, row.tail, hi, lo) : linpred__careful_dot(n, row.x, NULL, hi, lo);
    if (row.intercept)
        z = linpred__dd_add(z, (linpred__dd){hi[n], lo[n]});
    return linpred__dd_add_double(linpred__dd_add_double(linpred__dd_negate(z), y), lost).hi;
}

/* Adds a x to Σ a x. */
LINPRED__ROW void add_pull(linpred__deviation_sums *sums, struct expanded_row row, double a, int32_t width)
{
    linpred__dd pull = {a, 0.0};
    if (row.tail)
        linpred__careful_add(row.n, pull, row.x, row.tail, sums->slopes, sums->slopes + width);
    else
        linpred__careful_add(row.n, pull, row.x, NULL, sums->slopes, sums->slopes + width);
    if (row.intercept)
        linpred__compensated_add(&sums->slopes[row.n], &sums->slopes[width + row.n], a, 0.0);
}

LINPRED__INLINED void certify_block_body(const struct proof_pass *work, linpred__deviation_sums *sums,
                                         const linpred__block *block)
{
    const linpred__deviations *question = work->question;
    const linpred__design *design = &question->design;
    const double *w = work->vertex->w;
    bool plain = design->plain && !block->decimals;
    int32_t p = design->width, n = plain ? block->columns : p;
    struct expanded_row row = {sums->row, plain ? NULL : sums->row + p, n, plain && design->basis.has_intercept};
    for (int32_t at = 0; at < block->rows; at++) {
        double weight = linpred__row_weight(block, at), up, down;
        int64_t number = block->first_row + at;
        sums->weight = linpred__dd_add_double(sums->weight, weight);
        if (work->side[number] == LINPRED__BASIS_SIDE)
            continue; /* its residual is 0, and its dual is computed after the pass */
        row.x = block->decimals ? NULL : linpred__design_row_in_place(design, block, at);
        if (!row.x) {
            linpred__design_row(design, block, at, sums->row, sums->row + p);
            row.x = sums->row;
        }
        double y = linpred__deviations_target(question, block, at);
        double r = exact_residual(work, row, y, linpred__deviations_lost(question, block, at));
        linpred__deviations_slopes(question, block, at, &up, &down);
        /* The dual is that of the side on which the row lies with the perturbed y. */
        double left = linpred__deviations_perturbed(question, work->vertex->perturbation, block, at) -
                      linpred__dot_dense(row.x, w, n) - (row.intercept ? w[n] : 0.0);
        int8_t known = work->side[number];
        bool above = known == LINPRED__KNOWN_ABOVE || known == LINPRED__KNOWN_BELOW ? known == LINPRED__KNOWN_ABOVE
                                                                                    : left > 0 || (left == 0 && r > 0);
        double a = above ? up : -down;
        bool zero = !(fabs(r) > work->near) && may_be_zero(work, row.x, n, row.intercept, y, r);
        if (zero || (r > 0) != (a > 0))
            add_zero(sums, number, a);
        if (!zero && (r > 0) != (a > 0))
            sums->excess += fabs(r) * (up + down);
        add_pull(sums, row, a, p);
        add_residual(sums, r, y, weight);
    }
}

LINPRED__VERSIONS(certify_block,
                  (const struct proof_pass *work, linpred__deviation_sums *sums, const linpred__block *block),
                  (work, sums, block))

static void visit_proof_rows(void *context, void *state, const linpred__block *block)
{
    certify_block(context, state, block);
}

static void merge_proof_sums(void *context, void *into, const void *from)
{
    const struct proof_pass *work = context;
    linpred__deviation_sums *a = into;
    const linpred__deviation_sums *b = from;
    int32_t p = work->question->design.width;
    for (int32_t j = 0; j < p; j++)
        linpred__compensated_add(&a->slopes[j], &a->slopes[p + j], b->slopes[j], b->slopes[p + j]);
    a->absolute = linpred__dd_add(a->absolute, b->absolute);
    a->squares = linpred__dd_add(a->squares, b->squares);
    a->sum = linpred__dd_add(a->sum, b->sum);
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->excess += b->excess;
    a->targets += b->targets;
    a->failed = a->failed || b->failed;
    for (size_t i = 0; i < b->zeros && !a->failed; i++)
        add_zero(a, b->zero[i].row, b->zero[i].dual.hi);
}

linpred_status linpred__deviations_sum(const linpred__deviations *question, const linpred__deviation_vertex *vertex,
                                       const int8_t *side, const linpred__dd *w, double near,
                                       linpred__deviation_sums *sums, linpred_error *error)
{
    const linpred__design *design = &question->design;
    size_t p = (size_t)design->width;
    double terms = (double)p + 8.0 * linpred__design_degree(design) + 32.0;
    double *parts = linpred__alloc(2 * p, sizeof *parts);
    if (!parts)
        return linpred__no_memory(error);
    double underflow = terms * 0x1p-1074; /* of its products; entries in the units of the design lose as much */
    for (size_t j = 0; j < p; j++) {
        parts[j] = w[j].hi;
        parts[p + j] = w[j].lo;
        underflow += fabs(w[j].hi) * 0x1p-1074;
    }
    struct proof_pass work = {question, vertex, side, parts, near, terms * terms * 0x1p-98, underflow};
    linpred__visitor visitor = {
        sizeof *sums, init_proof_sums, visit_proof_rows, merge_proof_sums, clear_proof_sums, &work, NULL};
    linpred_status status = linpred__pass(design->data, design->run->pool, &visitor, sums, error);
    linpred__release(parts);
    return status;
}
