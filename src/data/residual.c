#include "data/residual.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/careful.h"
#include "data/fingerprint.h"
#include "data/pass.h"
#include "data/row.h"

enum { LANES = LINPRED__CAREFUL_LANES };

struct lane {
    double *gradient; /* leading parts, then trailing parts */
    double *size;
    double doubt;
    double *scratch;  /* some expanded rows: leading and trailing parts of each */
    double weight[2]; /* leading and trailing sums */
    double squares[2];
    double absolute[2];
    double around[2];
    uint64_t fingerprint;
};

struct work {
    linpred__residual *residual;
    bool tails;    /* w has trailing parts that are not 0 */
    uint64_t *key; /* for the fingerprint; NULL: not asked for */
};

static linpred__dd sparse_dot(const linpred__block *block, int32_t r, const double *hi, const double *lo)
{
    double sum[LANES] = {0.0}, errors[LANES] = {0.0};
    for (int64_t i = block->start[r]; i < block->start[r + 1]; i++) {
        int32_t j = block->indices[i];
        linpred__dd p = linpred__two_product(block->values[i], hi[j]);
        linpred__gather(&sum[j % LANES], &errors[j % LANES], p.hi, p.lo + block->values[i] * lo[j]);
    }
    return linpred__merge_lanes(sum, errors);
}

static void sparse_add(const linpred__block *block, int32_t row, linpred__dd r, double *hi, double *lo)
{
    for (int64_t i = block->start[row]; i < block->start[row + 1]; i++) {
        int32_t j = block->indices[i];
        linpred__dd p = linpred__two_product(r.hi, block->values[i]);
        linpred__dd s = linpred__two_sum(hi[j], p.hi);
        hi[j] = s.hi;
        lo[j] += s.lo + (p.lo + r.lo * block->values[i]);
    }
}

/* What bounds of rounding errors are made of, in plain doubles. */
static void add_size(const struct work *work, struct lane *lane, const linpred__block *block, int32_t r, const double *x,
                     double y, double left)
{
    const linpred__residual *residual = work->residual;
    bool sparse = block->layout == LINPRED__SPARSE && !residual->expand;
    int64_t from = sparse ? block->start[r] : 0;
    int64_t count = sparse ? block->start[r + 1] - from : residual->expand ? residual->width : block->columns;
    const int32_t *index = sparse ? block->indices + from : NULL;
    const double *value = sparse ? block->values + from : x;
    bool intercept = residual->has_intercept && !residual->expand;
    double sum = fabs(y) + (intercept ? fabs(residual->hi[block->columns]) : 0.0);
    for (int64_t k = 0; k < count; k++)
        sum += fabs(value[k] * residual->hi[index ? index[k] : k]);
    double weight = linpred__row_weight(block, r);
    double *reach = lane->size + residual->width;
    left *= weight;
    for (int64_t k = 0; k < count; k++) {
        lane->size[index ? index[k] : k] += left * fabs(value[k]);
        reach[index ? index[k] : k] += weight * sum * fabs(value[k]);
    }
    if (intercept) {
        lane->size[block->columns] += left;
        reach[block->columns] += weight * sum;
    }
    lane->doubt += weight * sum * sum;
}

/* a + b += product of two double-doubles, times weight. */
LINPRED__BODY void gather_product(double sum[2], linpred__dd a, linpred__dd b, double weight)
{
    if (weight != 1.0)
        a = linpred__dd_multiply_double(a, weight);
    linpred__dd p = linpred__two_product(a.hi, b.hi);
    linpred__gather(&sum[0], &sum[1], p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

LINPRED__BODY void add_sums(const struct work *work, struct lane *lane, double y, double weight, linpred__dd r)
{
    linpred__dd distance = {fabs(r.hi), r.hi < 0 ? -r.lo : r.lo}, around = linpred__two_sum(y, -work->residual->center);
    linpred__gather(&lane->weight[0], &lane->weight[1], weight, 0.0);
    gather_product(lane->squares, r, r, weight);
    gather_product(lane->absolute, distance, (linpred__dd){1.0, 0.0}, weight);
    gather_product(lane->around, around, around, weight);
}

/* Some rows at a time: their residuals do not wait for each other. */
enum { TOGETHER = 4 };

struct few {
    const double *x[TOGETHER];    /* dense rows, or NULL */
    const double *tail[TOGETHER]; /* or NULL: zeros */
    linpred__dd pull[TOGETHER];   /* weight times residual */
};

/* Row i of a block as number k of a few, its residual, and what is summed of it. */
LINPRED__BODY void look_at_row(const struct work *work, struct lane *lane, const linpred__block *block, int32_t i,
                               struct few *few, int k)
{
    const linpred__residual *residual = work->residual;
    const double *hi = residual->hi, *lo = work->tails ? residual->lo : NULL;
    bool expands = residual->expand, sparse = block->layout == LINPRED__SPARSE && !expands;
    int32_t columns = expands ? residual->width : block->columns;
    linpred__dd z;
    few->x[k] = few->tail[k] = NULL;
    if (expands) {
        double *x = lane->scratch + 2 * k * residual->width;
        residual->expand(residual->context, block, i, x, x + residual->width);
        few->x[k] = x;
        few->tail[k] = x + residual->width;
        z = linpred__careful_dot(columns, x, x + residual->width, hi, residual->lo);
    } else if (sparse) {
        z = sparse_dot(block, i, hi, residual->lo);
    } else {
        few->x[k] = block->values + i * block->stride;
        z = lo ? linpred__careful_dot(columns, few->x[k], NULL, hi, lo)
               : linpred__careful_dot(columns, few->x[k], NULL, hi, NULL);
    }
    if (residual->has_intercept && !expands)
        z = linpred__dd_add(z, (linpred__dd){hi[columns], residual->lo[columns]});
    double y = residual->target_exponent ? ldexp(block->target[i], -residual->target_exponent) : block->target[i];
    double weight = linpred__row_weight(block, i);
    linpred__dd r = linpred__dd_add_double(linpred__dd_negate(z), y);
    add_sums(work, lane, y, weight, r);
    if (lane->size)
        add_size(work, lane, block, i, few->x[k], y, fabs(r.hi));
    few->pull[k] = weight == 1.0 ? r : linpred__dd_multiply_double(r, weight);
}

/* g += pull x for the rows i, i + 1, … of a block, in this order. */
LINPRED__BODY void add_gradient(const struct work *work, struct lane *lane, const linpred__block *block, int32_t i,
                                const struct few *few, int count)
{
    const linpred__residual *residual = work->residual;
    bool expands = residual->expand;
    int32_t columns = expands ? residual->width : block->columns;
    double *hi = lane->gradient, *lo = lane->gradient + residual->width;
    if (!expands && block->layout == LINPRED__DENSE && count == TOGETHER)
        linpred__careful_add_four(columns, few->pull, few->x[0], few->x[1], few->x[2], few->x[3], hi, lo);
    else
        for (int k = 0; k < count; k++) {
            if (!few->x[k])
                sparse_add(block, i + k, few->pull[k], hi, lo);
            else if (few->tail[k])
                linpred__careful_add(columns, few->pull[k], few->x[k], few->tail[k], hi, lo);
            else
                linpred__careful_add(columns, few->pull[k], few->x[k], NULL, hi, lo);
        }
    for (int k = 0; residual->has_intercept && !expands && k < count; k++)
        linpred__gather(&hi[columns], &lo[columns], few->pull[k].hi, few->pull[k].lo);
}

/* One block; the instruction set is that of the function it is inlined into. */
LINPRED__BODY void look_body(const struct work *work, struct lane *lane, const linpred__block *block)
{
    for (int32_t i = 0; i < block->rows; i += TOGETHER) {
        int count = block->rows - i < TOGETHER ? block->rows - i : TOGETHER;
        struct few few;
        for (int k = 0; k < count; k++)
            look_at_row(work, lane, block, i + k, &few, k);
        if (lane->gradient)
            add_gradient(work, lane, block, i, &few, count);
    }
    if (work->key)
        lane->fingerprint += linpred__fingerprint_rows(block, work->key);
}

LINPRED__CAREFUL(look, const struct work *, struct lane *)

static void clear_lane(void *context, void *state)
{
    (void)context;
    struct lane *lane = state;
    linpred__release(lane->gradient);
    linpred__release(lane->size);
    linpred__release(lane->scratch);
}

static bool init_lane(void *context, void *state)
{
    const linpred__residual *residual = ((struct work *)context)->residual;
    struct lane *lane = state;
    size_t width = (size_t)residual->width;
    bool complete = true;
    if (residual->gradient)
        complete = (lane->gradient = linpred__calloc(2 * width, sizeof(double))) != NULL;
    if (complete && residual->size)
        complete = (lane->size = linpred__calloc(2 * width, sizeof(double))) != NULL;
    if (complete && residual->expand)
        complete = (lane->scratch = linpred__calloc(2 * TOGETHER * width, sizeof(double))) != NULL;
    if (!complete)
        clear_lane(context, state);
    return complete;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    look(context, state, block);
}

static void merge(void *context, void *into, const void *from)
{
    const linpred__residual *residual = ((struct work *)context)->residual;
    struct lane *a = into;
    const struct lane *b = from;
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
    linpred__gather(&a->weight[0], &a->weight[1], b->weight[0], b->weight[1]);
    linpred__gather(&a->squares[0], &a->squares[1], b->squares[0], b->squares[1]);
    linpred__gather(&a->absolute[0], &a->absolute[1], b->absolute[0], b->absolute[1]);
    linpred__gather(&a->around[0], &a->around[1], b->around[0], b->around[1]);
}

linpred_status linpred__residual_pass(const linpred_data *data, linpred__pool *pool, linpred__residual *residual,
                                      linpred_error *error)
{
    struct work work = {.residual = residual};
    for (int32_t j = 0; j < residual->width; j++)
        work.tails = work.tails || residual->lo[j] != 0.0;
    if (residual->fingerprint && !(work.key = linpred__fingerprint_keys(data->columns)))
        return linpred__no_memory(error);
    linpred__visitor visitor = {sizeof(struct lane), init_lane, visit, merge, clear_lane, &work};
    struct lane total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    linpred__release(work.key);
    if (status != LINPRED_OK)
        return status;
    if (residual->fingerprint)
        *residual->fingerprint = linpred__fingerprint_end(data, total.fingerprint);
    for (int32_t j = 0; residual->gradient && j < residual->width; j++)
        residual->gradient[j] = linpred__two_sum(total.gradient[j], total.gradient[residual->width + j]);
    if (residual->size)
        memcpy(residual->size, total.size, 2 * (size_t)residual->width * sizeof(double));
    residual->doubt = total.doubt;
    residual->weight = linpred__two_sum(total.weight[0], total.weight[1]);
    residual->squares = linpred__two_sum(total.squares[0], total.squares[1]);
    residual->absolute = linpred__two_sum(total.absolute[0], total.absolute[1]);
    residual->around = linpred__two_sum(total.around[0], total.around[1]);
    clear_lane(&work, &total);
    return LINPRED_OK;
}
