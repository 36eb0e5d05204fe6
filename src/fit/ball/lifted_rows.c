/* The lifted rows ((x-c)/2^k, ||x-c||²/4^k, 1), rounded to doubles, and the way from their weights to balls and back.
 *
 * One pass finds the range of each column; c and k follow from it. A second trip over the rows fills the lifted data,
 * whose last row is the hard row (see lift.h).
 */
#include "fit/ball/lift.h"

#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "num/exact_sum.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/ball/limits.h"

/* ---- the range of each column, and its mean over the rows inside: one pass --------------------------------------- */

struct column {
    double low;      /* the smallest entry */
    double high;     /* the largest entry */
    int64_t entries; /* rows with an entry in this column; sparse rows leave zeros out */
    linpred__dd sum; /* Σ weight x over the rows that belong inside */
};

struct columns {
    struct column *column;
    linpred__dd weight; /* Σ weight of the rows that belong inside */
};

static void clear_columns(void *context, void *state)
{
    (void)context;
    linpred__release(((struct columns *)state)->column);
}

static bool init_columns(void *context, void *state)
{
    int32_t count = ((const linpred__ball_lift *)context)->data->columns;
    struct columns *columns = state;
    columns->column = linpred__calloc((size_t)count, sizeof *columns->column);
    for (int32_t j = 0; columns->column && j < count; j++) {
        columns->column[j].low = INFINITY;
        columns->column[j].high = -INFINITY;
    }
    return columns->column != NULL;
}

static void visit_columns(void *context, void *state, const linpred__block *block)
{
    const linpred__ball_lift *lift = context;
    struct columns *columns = state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        bool inside = block->target[r] == lift->inside;
        double weight = inside ? linpred__row_weight(block, r) : 0.0;
        columns->weight = linpred__dd_add_double(columns->weight, weight);
        for (int64_t k = 0; k < row.count; k++) {
            struct column *column = &columns->column[linpred__entry_column(&row, k)];
            double x = row.values[k];
            column->low = x < column->low ? x : column->low;
            column->high = x > column->high ? x : column->high;
            column->entries++;
            if (inside)
                column->sum = linpred__dd_add(column->sum, linpred__two_product(weight, x));
        }
    }
}

static void merge_columns(void *context, void *into, const void *from)
{
    struct columns *a = into;
    const struct columns *b = from;
    a->weight = linpred__dd_add(a->weight, b->weight);
    for (int32_t j = 0; j < ((const linpred__ball_lift *)context)->data->columns; j++) {
        a->column[j].low = fmin(a->column[j].low, b->column[j].low);
        a->column[j].high = fmax(a->column[j].high, b->column[j].high);
        a->column[j].entries += b->column[j].entries;
        a->column[j].sum = linpred__dd_add(a->column[j].sum, b->column[j].sum);
    }
}

/* Chooses c for a column with values in [low, high], spread = high - low. If 0 is within `spread` of the range, c = 0,
   so that columns with zeros stay sparse. Otherwise c is the middle of the range, rounded to a multiple of the unit
   2^floor(log2 spread). Then x - c is exact: x and c are multiples of the last bit of x or of the unit, and |x - c| is
   at most `spread`, so that 53 bits hold the difference. */
static double choose_about(double low, double high)
{
    double spread = high - low;
    if (fmin(fabs(low), fabs(high)) <= spread || (low < 0) != (high < 0))
        return 0.0;
    if (spread == 0.0)
        return low;
    int unit = ilogb(spread);
    return ldexp(rint(ldexp(low + 0.5 * spread, -unit)), unit);
}

/* Sets c, k and the mean of the rows that belong inside. */
static linpred_status choose_lift_units(linpred__ball_lift *lift, linpred__pool *pool, linpred_error *error)
{
    const linpred_data *data = lift->data;
    linpred__visitor visitor = {sizeof(struct columns), init_columns, visit_columns, merge_columns,
                                clear_columns,          lift,         NULL};
    struct columns columns;
    linpred_status status = linpred__pass(data, pool, &visitor, &columns, error);
    if (status != LINPRED_OK)
        return status;
    double largest = 0.0, away = 0.0;
    for (int32_t j = 0; j < data->columns; j++) {
        const struct column *column = &columns.column[j];
        bool zero = column->entries < data->rows; /* a sparse row without an entry has 0 in this column */
        double low = zero ? fmin(column->low, 0.0) : column->low, high = zero ? fmax(column->high, 0.0) : column->high;
        lift->about[j] = choose_about(low, high);
        lift->mean[j] = columns.weight.hi > 0.0 ? linpred__dd_divide(column->sum, columns.weight).hi : lift->about[j];
        largest = fmax(largest, fmax(fabs(low), fabs(high)));
        away = fmax(away, fmax(fabs(low - lift->about[j]), fabs(high - lift->about[j])));
    }
    clear_columns(NULL, &columns);
    if (largest > 0x1p500 || (away > 0.0 && away < 0x1p-500))
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "squared distances between these rows are beyond the range of doubles: use larger or smaller units");
    lift->exponent = away > 0.0 ? ilogb(away) + 1 : 0;
    lift->unit = lift->exponent;
    lift->square_unit = 2 * lift->exponent;
    return LINPRED_OK;
}

/* ---- the rounded rows -------------------------------------------------------------------------------------------- */

/* What lifted rows kept of their rows. */
struct kept {
    bool exact; /* nothing was rounded */
    bool whole; /* entries are exact, and so large that nothing of their squares is below the range of doubles */
};

/* The arrays of the lifted data while they are filled; start and indices are NULL for dense rows. */
struct filling {
    linpred__ball_lift *lift;
    double *values;
    int64_t *start;
    int32_t *indices;
    double *target;
    double *weight;
    struct kept *kept; /* of each block */
};

/* Writes the entries of one lifted row; `indices` is NULL for dense rows. */
static struct kept lift_row(const linpred__ball_lift *lift, const linpred__block *block, int32_t r, double *out,
                            int32_t *indices)
{
    linpred__entries row = linpred__entries_of(block, r);
    double unit = ldexp(1.0, -lift->exponent), plain = 0.0;
    linpred__dd sum = {0, 0};
    struct kept kept = {true, true};
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        double moved = row.values[k] - lift->about[j];
        out[k] = moved * unit;
        if (indices)
            indices[k] = j;
        linpred__dd square = linpred__two_product(out[k], out[k]), more = linpred__two_sum(plain, square.hi);
        /* If out[k] is smaller, its square may underflow, and square.lo does not show the bits that are lost. */
        bool whole = out[k] == 0.0 ? moved == 0.0 : fabs(out[k]) > 0x1p-400;
        kept.whole = kept.whole && whole;
        kept.exact = kept.exact && whole && square.lo == 0.0 && more.lo == 0.0;
        plain = more.hi;
        sum = linpred__dd_add(sum, square);
    }
    out[row.count] = sum.hi;
    out[row.count + 1] = 1.0;
    if (indices) {
        indices[row.count] = block->columns;
        indices[row.count + 1] = block->columns + 1;
    }
    return kept;
}

static void fill_block(void *context, int64_t task)
{
    struct filling *filling = context;
    const linpred__ball_lift *lift = filling->lift;
    const linpred__block *block = &lift->data->block[task];
    struct kept all = {true, true};
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = block->first_row + r;
        int64_t at = filling->start ? filling->start[row] : row * (block->columns + 2);
        struct kept kept =
            lift_row(lift, block, r, filling->values + at, filling->indices ? filling->indices + at : NULL);
        all.exact = all.exact && kept.exact;
        all.whole = all.whole && kept.whole;
        filling->target[row] = lift->inside * block->target[r];
        filling->weight[row] = linpred__row_weight(block, r);
    }
    filling->kept[task] = all;
}

/* The arrays of the lifted data; they are freed with it. */
struct memory {
    double *values, *target, *weight;
    int64_t *start;
    int32_t *indices;
};

static void release_memory(void *context)
{
    struct memory *memory = context;
    linpred__release(memory->values);
    linpred__release(memory->target);
    linpred__release(memory->weight);
    linpred__release(memory->start);
    linpred__release(memory->indices);
    linpred__release(memory);
}

/* Makes lift->lifted, with one row more than the data, and its arrays, still without values. */
static linpred_status make_lifted(linpred__ball_lift *lift, struct memory **out, linpred_error *error)
{
    const linpred_data *data = lift->data;
    bool sparse = data->layout == LINPRED__SPARSE;
    size_t rows = (size_t)data->rows + 1;
    size_t entries = sparse ? (size_t)data->entries + 2 * (size_t)data->rows + 1 : rows * ((size_t)data->columns + 2);
    linpred_data *lifted = linpred__calloc(1, sizeof *lifted);
    struct memory *memory = lifted ? linpred__calloc(1, sizeof *memory) : NULL;
    if (!memory) {
        linpred__release(lifted);
        return linpred__no_memory(error);
    }
    lift->lifted = lifted; /* from here on linpred__ball_lift_close frees everything */
    lifted->context = memory;
    lifted->release = release_memory;
    memory->values = linpred__calloc(entries, sizeof(double));
    memory->target = linpred__alloc(rows, sizeof(double));
    memory->weight = linpred__alloc(rows, sizeof(double));
    if (sparse) {
        memory->start = linpred__alloc(rows + 1, sizeof *memory->start);
        memory->indices = linpred__alloc(entries, sizeof *memory->indices);
    }
    if (!memory->values || !memory->target || !memory->weight || (sparse && (!memory->start || !memory->indices)))
        return linpred__no_memory(error);
    lifted->layout = data->layout;
    lifted->rows = lifted->rows_in_file = data->rows + 1;
    lifted->columns = data->columns + 2;
    lifted->entries = (int64_t)entries;
    lifted->block_rows = linpred__block_rows((double)entries / (double)rows);
    lifted->labelled = lifted->from_arrays = true;
    lifted->index_base = -1;
    *out = memory;
    return linpred__data_make_blocks(lifted, error);
}

/* Writes the hard row and points the blocks at the arrays. Returns false if the weight of the hard row, twice that of
   all others and 2, is beyond the range of doubles. */
static bool close_lifted(linpred_data *lifted, const struct memory *memory)
{
    int64_t last = lifted->rows - 1;
    double total = 1.0;
    for (int64_t i = 0; i < last; i++)
        total += memory->weight[i];
    memory->target[last] = 1.0;
    memory->weight[last] = 2.0 * total;
    if (memory->start) {
        memory->values[memory->start[last]] = -1.0;
        memory->indices[memory->start[last]] = lifted->columns - 2;
        memory->start[last + 1] = memory->start[last] + 1;
    } else {
        memory->values[last * lifted->columns + lifted->columns - 2] = -1.0;
    }
    for (int64_t i = 0; i < lifted->blocks; i++) {
        linpred__block *block = &lifted->block[i];
        block->stride = lifted->columns;
        block->values = memory->start ? memory->values : memory->values + block->first_row * lifted->columns;
        block->start = memory->start ? memory->start + block->first_row : NULL;
        block->indices = memory->indices;
        block->target = memory->target + block->first_row;
        block->weight = memory->weight + block->first_row;
    }
    return isfinite(memory->weight[last]);
}

static linpred_status fill_lifted(linpred__ball_lift *lift, linpred__pool *pool, linpred_error *error)
{
    const linpred_data *data = lift->data;
    struct memory *memory = NULL;
    linpred_status status = make_lifted(lift, &memory, error);
    struct kept *kept = status == LINPRED_OK ? linpred__alloc((size_t)data->blocks, sizeof *kept) : NULL;
    if (status != LINPRED_OK || !kept)
        return status != LINPRED_OK ? status : linpred__no_memory(error);
    if (memory->start) {
        memory->start[0] = 0;
        for (int64_t i = 0; i < data->blocks; i++)
            for (int32_t r = 0; r < data->block[i].rows; r++) {
                int64_t row = data->block[i].first_row + r;
                memory->start[row + 1] = memory->start[row] + linpred__entries_of(&data->block[i], r).count + 2;
            }
    }
    struct filling filling = {lift,           memory->values, memory->start, memory->indices,
                              memory->target, memory->weight, kept};
    linpred__pool_run(pool, data->blocks, fill_block, &filling);
    lift->exact = true;
    for (int64_t i = 0; i < data->blocks; i++) {
        lift->exact = lift->exact && kept[i].exact;
        lift->wide = lift->wide || !kept[i].whole;
    }
    linpred__release(kept);
    if (lift->wide)
        lift->unit = lift->square_unit = 0;
    if (close_lifted(lift->lifted, memory))
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "the weights sum to more than doubles can hold twice; divide them all by one number");
}

linpred_status linpred__ball_lift_open(const linpred_data *data, bool outside, linpred__pool *pool,
                                       linpred__ball_lift *lift, linpred_error *error)
{
    *lift = (linpred__ball_lift){.data = data, .inside = outside ? -1.0 : 1.0};
    lift->about = linpred__calloc((size_t)data->columns, sizeof *lift->about);
    lift->mean = linpred__calloc((size_t)data->columns, sizeof *lift->mean);
    linpred_status status =
        lift->about && lift->mean ? choose_lift_units(lift, pool, error) : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = fill_lifted(lift, pool, error);
    if (status != LINPRED_OK)
        linpred__ball_lift_close(lift);
    return status;
}

void linpred__ball_lift_close(linpred__ball_lift *lift)
{
    linpred_data_free(lift->lifted);
    linpred__release(lift->about);
    linpred__release(lift->mean);
    *lift = (linpred__ball_lift){0};
}

/* ---- from weights of lifted rows to balls and back ---------------------------------------------------------------
 *
 * A ball with centre v = c + 2^k u and squared radius ρ has the weights (2u, -1, ρ/4^k - ||u||²), up to a factor.
 */

bool linpred__ball_centre(const linpred__ball_lift *lift, const double *w, double *centre)
{
    int32_t columns = lift->data->columns;
    double curvature = -w[columns];
    bool good = curvature > 0.0;
    for (int32_t j = 0; j < columns && good; j++) {
        centre[j] = lift->about[j] + ldexp(0.5 * (w[j] / curvature), lift->exponent);
        good = isfinite(centre[j]);
    }
    return good;
}

void linpred__ball_weights(const linpred__ball_lift *lift, const linpred__ball *ball, double *w)
{
    int32_t columns = lift->data->columns;
    linpred__dd square = {0, 0};
    for (int32_t j = 0; j < columns; j++) {
        double v = ldexp(ball->centre[j] - lift->about[j], -lift->exponent);
        w[j] = 2.0 * v;
        square = linpred__dd_add(square, linpred__two_product(v, v));
    }
    w[columns] = -1.0;
    w[columns + 1] = ldexp(ball->radius_squared, -2 * lift->exponent) - square.hi;
}
