/* The pass of residuals (see residual.h), eight rows at a time. The state of the pass is `struct totals`. */
#include "pass/residual.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/eight_rows.h"
#include "data/decimals.h"
#include "data/fingerprint.h"
#include "data/tree.h"
#include "data/row.h"

enum {
    LANES = LINPRED__CAREFUL_LANES,
    TOGETHER = LINPRED__EIGHT_ROWS /* rows that are computed side by side, so that the processor need not wait for one
                                      row's sums */
};

/* TOGETHER compensated sums side by side: place k sums the rows i with i mod TOGETHER = k of each block. */
struct side_sums {
    double hi[TOGETHER];
    double lo[TOGETHER];
};

struct totals {
    double *gradient; /* leading parts, then trailing parts */
    double *size;     /* as linpred__residual.size */
    double doubt;
    double *scratch; /* TOGETHER expanded rows: leading and trailing parts of each. Or, if cells have decimals, what
                        those of TOGETHER rows lack of them, `reach` numbers each. */
    struct side_sums weight;
    struct side_sums squares;
    struct side_sums absolute;
    struct side_sums around;
    uint64_t fingerprint;
};

struct residual_work {
    linpred__residual *residual;
    double *padded; /* w with zeros up to `reach`: leading parts, then trailing parts */
    int32_t reach;  /* width, rounded up to a multiple of LANES */
    bool tails;     /* some trailing part of w is not 0 */
    double *power;  /* 10^k of each column, 0 for doubles, up to `reach`; then the reciprocals; or NULL */
    int target_decimals;
    linpred__visitor fingerprint; /* its context is NULL if no fingerprint is asked for */
};

/* TOGETHER rows and what is computed of them. If the block has fewer left, the others have weight 0. */
struct few {
    const double *x[TOGETHER];    /* dense or expanded rows; NULL: sparse */
    const double *tail[TOGETHER]; /* trailing parts of rows; NULL: zeros */
    double sum[TOGETHER][LANES];  /* <x,w> in lanes */
    double errors[TOGETHER][LANES];
    double y[TOGETHER];
    double y_tail[TOGETHER]; /* what y lacks of the target */
    double weight[TOGETHER];
    double hi[TOGETHER]; /* weight (y - <x,w>): leading part */
    double lo[TOGETHER]; /* weight (y - <x,w>): trailing part */
};

/* What an entry of a sparse row lacks of its decimal. */
static double sparse_lost(const struct residual_work *work, int32_t j, double x)
{
    return work->power ? linpred__lost(x, work->power[j], work->power[work->reach + j]) : 0.0;
}

static void sparse_lanes(const struct residual_work *work, const linpred__block *block, int32_t r, double *sum,
                         double *errors)
{
    const double *hi = work->residual->hi, *lo = work->residual->lo;
    for (int32_t k = 0; k < LANES; k++)
        sum[k] = errors[k] = 0.0;
    for (int64_t i = block->start[r]; i < block->start[r + 1]; i++) {
        int32_t j = block->indices[i];
        double x = block->values[i];
        linpred__dd p = linpred__two_product(x, hi[j]);
        linpred__compensated_add(&sum[j % LANES], &errors[j % LANES], p.hi,
                                 p.lo + x * lo[j] + sparse_lost(work, j, x) * hi[j]);
    }
}

static void sparse_add(const struct residual_work *work, const linpred__block *block, int32_t row, linpred__dd r,
                       struct totals *totals)
{
    double *hi = totals->gradient, *lo = totals->gradient + work->residual->width;
    for (int64_t i = block->start[row]; i < block->start[row + 1]; i++) {
        int32_t j = block->indices[i];
        double x = block->values[i];
        linpred__dd p = linpred__two_product(r.hi, x);
        linpred__dd s = linpred__two_sum(hi[j], p.hi);
        hi[j] = s.hi;
        lo[j] += s.lo + (p.lo + r.lo * x + r.hi * sparse_lost(work, j, x));
    }
}

/* What the cells of a dense row lack of their decimals. */
LINPRED__INLINED void find_lost(int32_t n, const double *restrict x, const double *restrict power,
                                const double *restrict inverse, double *restrict lost)
{
    LINPRED__INDEPENDENT_ITERATIONS
    for (int32_t j = 0; j < n; j++)
        lost[j] = linpred__lost(x[j], power[j], inverse[j]);
}

/* Adds row r to size and doubt. x: its dense entries, NULL if it is sparse. left: weight |residual|. */
LINPRED__INLINED void add_size(const struct residual_work *work, struct totals *totals, const linpred__block *block,
                               int32_t r, const double *x, double y, double left)
{
    const linpred__residual *residual = work->residual;
    int64_t columns = residual->expand ? residual->width : block->columns;
    bool intercept = residual->has_intercept && !residual->expand;
    double sum = fabs(y) + (intercept ? fabs(residual->hi[block->columns]) : 0.0);
    if (x)
        sum += linpred__dense_reach(columns, x, residual->hi);
    for (int64_t k = x ? 0 : block->start[r]; !x && k < block->start[r + 1]; k++)
        sum += fabs(block->values[k] * residual->hi[block->indices[k]]);
    double weight = linpred__row_weight(block, r), doubt = weight * sum;
    double *size = totals->size, *reach = totals->size + residual->width;
    if (x)
        linpred__add_dense_size(columns, x, left, doubt, size, reach);
    for (int64_t k = x ? 0 : block->start[r]; !x && k < block->start[r + 1]; k++) {
        size[block->indices[k]] += left * fabs(block->values[k]);
        reach[block->indices[k]] += doubt * fabs(block->values[k]);
    }
    if (intercept) {
        size[block->columns] += left;
        reach[block->columns] += doubt;
    }
    totals->doubt += doubt * sum;
}

/* sums += the product of two double-doubles, place by place. */
LINPRED__INLINED void gather_product(struct side_sums *sums, int k, linpred__dd a, linpred__dd b)
{
    linpred__dd p = linpred__two_product(a.hi, b.hi);
    linpred__compensated_add(&sums->hi[k], &sums->lo[k], p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* Residuals of the rows from the lanes of <x,w>, and their sums. */
LINPRED__INLINED void find_residuals(const struct residual_work *work, struct totals *totals, struct few *few)
{
    const linpred__residual *residual = work->residual;
    bool one = residual->has_intercept && !residual->expand;
    linpred__dd b = {one ? residual->hi[residual->width - 1] : 0.0, one ? residual->lo[residual->width - 1] : 0.0};
    double hi[TOGETHER], lo[TOGETHER];
    linpred__merge_rows(few->sum, few->errors, hi, lo);
    for (int k = 0; k < TOGETHER; k++) {
        linpred__dd z = linpred__dd_add(linpred__two_sum(hi[k], lo[k]), b);
        linpred__dd y = linpred__two_sum(few->y[k], few->y_tail[k]), r = linpred__dd_add(linpred__dd_negate(z), y);
        linpred__dd pull = linpred__dd_multiply_double(r, few->weight[k]);
        linpred__dd distance = {fabs(pull.hi), pull.hi < 0 ? -pull.lo : pull.lo};
        linpred__dd around = linpred__dd_add_double(y, -residual->centre);
        linpred__compensated_add(&totals->weight.hi[k], &totals->weight.lo[k], few->weight[k], 0.0);
        linpred__compensated_add(&totals->absolute.hi[k], &totals->absolute.lo[k], distance.hi, distance.lo);
        gather_product(&totals->squares, k, pull, r);
        gather_product(&totals->around, k, linpred__dd_multiply_double(around, few->weight[k]), around);
        few->hi[k] = pull.hi;
        few->lo[k] = pull.lo;
    }
}

/* Takes row i of a block as row k of the few, up to the lanes of <x,w>. */
LINPRED__INLINED void take_row(const struct residual_work *work, struct totals *totals, const linpred__block *block,
                               int32_t i, struct few *few, int k)
{
    const linpred__residual *residual = work->residual;
    const double *hi = work->padded, *lo = work->padded + work->reach;
    few->x[k] = few->tail[k] = NULL;
    few->y[k] = residual->target_exponent ? ldexp(block->target[i], -residual->target_exponent) : block->target[i];
    double lost = linpred__lost_by(block->target[i], work->target_decimals);
    few->y_tail[k] = residual->target_exponent ? ldexp(lost, -residual->target_exponent) : lost;
    few->weight[k] = linpred__row_weight(block, i);
    if (residual->expand) {
        double *x = totals->scratch + 2 * k * residual->width;
        residual->expand(residual->context, block, i, x, x + residual->width);
        few->x[k] = x;
        few->tail[k] = x + residual->width;
        linpred__careful_lanes(residual->width, x, few->tail[k], residual->hi, residual->lo, few->sum[k],
                               few->errors[k]);
        return;
    }
    if (block->layout == LINPRED__SPARSE) {
        sparse_lanes(work, block, i, few->sum[k], few->errors[k]);
        return;
    }
    const double *x = few->x[k] = block->values + i * block->stride;
    bool over = linpred__row_reaches(block, i, work->reach); /* what is read behind the row is multiplied by 0 */
    if (work->power) {
        double *tail = totals->scratch + (int64_t)k * work->reach;
        int32_t columns = over ? work->reach : block->columns;
        find_lost(columns, x, work->power, work->power + work->reach, tail);
        few->tail[k] = tail;
        linpred__careful_lanes(columns, x, tail, hi, lo, few->sum[k], few->errors[k]);
    } else if (over && !work->tails)
        linpred__careful_lanes(work->reach, x, NULL, hi, NULL, few->sum[k], few->errors[k]);
    else if (over)
        linpred__careful_lanes(work->reach, x, NULL, hi, lo, few->sum[k], few->errors[k]);
    else
        linpred__careful_lanes(block->columns, x, NULL, residual->hi, residual->lo, few->sum[k], few->errors[k]);
}

/* g += pull x for the rows i, i + 1, … of a block, in this order. */
LINPRED__INLINED void add_gradient(const struct residual_work *work, struct totals *totals, const linpred__block *block,
                                   int32_t i, const struct few *few, int count)
{
    const linpred__residual *residual = work->residual;
    bool expands = residual->expand;
    int32_t columns = expands ? residual->width : block->columns;
    double *hi = totals->gradient, *lo = totals->gradient + residual->width;
    bool eight = !expands && block->layout == LINPRED__DENSE && count == TOGETHER;
    if (eight && work->power)
        linpred__careful_add_eight(columns, few->hi, few->lo, few->x, few->tail, hi, lo);
    else if (eight)
        linpred__careful_add_eight(columns, few->hi, few->lo, few->x, NULL, hi, lo);
    else
        for (int k = 0; k < count; k++) {
            linpred__dd pull = {few->hi[k], few->lo[k]};
            if (!few->x[k])
                sparse_add(work, block, i + k, pull, totals);
            else if (few->tail[k])
                linpred__careful_add(columns, pull, few->x[k], few->tail[k], hi, lo);
            else
                linpred__careful_add(columns, pull, few->x[k], NULL, hi, lo);
        }
    for (int k = 0; residual->has_intercept && !expands && k < count; k++)
        linpred__compensated_add(&hi[columns], &lo[columns], few->hi[k], few->lo[k]);
}

/* All rows of a block. It is compiled for the instruction set of the function that it is inlined into. */
LINPRED__INLINED void add_rows_body(const struct residual_work *work, struct totals *totals,
                                    const linpred__block *block)
{
    struct few few;
    for (int32_t i = 0; i < block->rows; i += TOGETHER) {
        int count = block->rows - i < TOGETHER ? block->rows - i : TOGETHER;
        if (count < TOGETHER)
            memset(&few, 0, sizeof few);
        for (int k = 0; k < count; k++)
            take_row(work, totals, block, i + k, &few, k);
        find_residuals(work, totals, &few);
        for (int k = 0; totals->size && k < count; k++)
            add_size(work, totals, block, i + k, few.x[k], few.y[k], fabs(few.hi[k]));
        if (totals->gradient)
            add_gradient(work, totals, block, i, &few, count);
    }
    if (work->fingerprint.context)
        work->fingerprint.block(work->fingerprint.context, &totals->fingerprint, block);
}

LINPRED__VERSIONS(add_rows, (const struct residual_work *work, struct totals *sums, const linpred__block *block),
                  (work, sums, block))

static void clear_totals(void *context, void *state)
{
    (void)context;
    struct totals *totals = state;
    linpred__release(totals->gradient);
    linpred__release(totals->size);
    linpred__release(totals->scratch);
}

static bool init_totals(void *context, void *state)
{
    const struct residual_work *work = context;
    const linpred__residual *residual = work->residual;
    struct totals *totals = state;
    size_t width = (size_t)residual->width, scratch = 2 * width > (size_t)work->reach ? 2 * width : (size_t)work->reach;
    bool complete = true;
    if (residual->gradient)
        complete = (totals->gradient = linpred__calloc(2 * width, sizeof(double))) != NULL;
    if (complete && residual->size)
        complete = (totals->size = linpred__calloc(2 * width, sizeof(double))) != NULL;
    if (complete && (residual->expand || work->power))
        complete = (totals->scratch = linpred__calloc(TOGETHER * scratch, sizeof(double))) != NULL;
    if (!complete)
        clear_totals(context, state);
    return complete;
}

static void visit_few(void *context, void *state, const linpred__block *block)
{
    add_rows(context, state, block);
}

static void add_sums(struct side_sums *a, const struct side_sums *b)
{
    for (int k = 0; k < TOGETHER; k++)
        linpred__compensated_add(&a->hi[k], &a->lo[k], b->hi[k], b->lo[k]);
}

static linpred__dd whole(const struct side_sums *sums)
{
    linpred__dd sum = {0.0, 0.0};
    for (int k = 0; k < TOGETHER; k++)
        sum = linpred__dd_add(sum, linpred__two_sum(sums->hi[k], sums->lo[k]));
    return sum;
}

static void merge_totals(void *context, void *into, const void *from)
{
    const linpred__residual *residual = ((struct residual_work *)context)->residual;
    struct totals *a = into;
    const struct totals *b = from;
    int32_t n = residual->width;
    for (int32_t j = 0; a->gradient && j < n; j++) {
        linpred__dd sum = linpred__dd_add(linpred__two_sum(a->gradient[j], a->gradient[n + j]),
                                          linpred__two_sum(b->gradient[j], b->gradient[n + j]));
        a->gradient[j] = sum.hi;
        a->gradient[n + j] = sum.lo;
    }
    for (int32_t j = 0; a->size && j < 2 * n; j++)
        a->size[j] += b->size[j];
    a->doubt += b->doubt;
    a->fingerprint += b->fingerprint;
    add_sums(&a->weight, &b->weight);
    add_sums(&a->squares, &b->squares);
    add_sums(&a->absolute, &b->absolute);
    add_sums(&a->around, &b->around);
}

static void list_totals(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t width = (size_t)((const struct residual_work *)context)->residual->width;
    struct totals *totals = state;
    linpred__state_piece(pieces, totals->gradient, 2 * width * sizeof(double));
    linpred__state_piece(pieces, totals->size, 2 * width * sizeof(double));
    linpred__state_piece(pieces, &totals->doubt, sizeof totals->doubt);
    linpred__state_piece(pieces, &totals->weight, sizeof *totals - offsetof(struct totals, weight));
}

static bool open_padded(struct residual_work *work, const linpred_data *data)
{
    const linpred__residual *residual = work->residual;
    work->reach = (residual->width + LANES - 1) / LANES * LANES;
    work->padded = linpred__calloc(2 * (size_t)work->reach, sizeof(double));
    if (!work->padded || (residual->fingerprint && !linpred__fingerprint_visitor(data, &work->fingerprint)))
        return false;
    int32_t columns = residual->width - (residual->has_intercept && !residual->expand);
    work->target_decimals = data->decimals ? data->decimals->target : 0;
    if (!residual->expand && data->decimals && data->decimals->most > 0) {
        work->power = linpred__calloc(2 * (size_t)work->reach, sizeof(double));
        for (int32_t j = 0; work->power && j < columns; j++)
            if (data->decimals->column[j] > 0) {
                work->power[j] = linpred__tens[data->decimals->column[j]];
                work->power[work->reach + j] = 1.0 / work->power[j];
            }
        if (!work->power)
            return false;
    }
    for (int32_t j = 0; j < columns; j++) {
        work->padded[j] = residual->hi[j];
        work->padded[work->reach + j] = residual->lo[j];
        work->tails = work->tails || residual->lo[j] != 0.0;
    }
    return true;
}

linpred_status linpred__residual_pass(const linpred_data *data, linpred__pool *pool, linpred__residual *residual,
                                      linpred_error *error)
{
    struct residual_work work = {.residual = residual};
    linpred__visitor visitor = {sizeof(struct totals), init_totals, visit_few,  merge_totals,
                                clear_totals,          &work,       list_totals};
    struct totals total;
    linpred_status status = open_padded(&work, data) ? linpred__pass_all(data, pool, &visitor, (void *[]){&total}, 1,
                                                                         linpred__residual_cut(data), error)
                                                     : linpred__no_memory(error);
    linpred__release(work.padded);
    linpred__release(work.power);
    linpred__release(work.fingerprint.context);
    if (status != LINPRED_OK)
        return status;
    if (residual->fingerprint)
        *residual->fingerprint = linpred__fingerprint_end(data, total.fingerprint);
    for (int32_t j = 0; residual->gradient && j < residual->width; j++)
        residual->gradient[j] = linpred__two_sum(total.gradient[j], total.gradient[residual->width + j]);
    if (residual->size)
        memcpy(residual->size, total.size, 2 * (size_t)residual->width * sizeof(double));
    residual->doubt = total.doubt;
    residual->weight = whole(&total.weight);
    residual->squares = whole(&total.squares);
    residual->absolute = whole(&total.absolute);
    residual->around = whole(&total.around);
    clear_totals(&work, &total);
    return LINPRED_OK;
}
