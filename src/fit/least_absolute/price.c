/* Two passes over all rows at a given fit. One fixes the rows far from the fit on their sides. The other finds rows
 * that were fixed on the wrong side. */
#include <math.h>

#include "core/memory.h"
#include "data/tree.h"
#include "fit/least_absolute/row.h"

struct pricing {
    const linpred__deviations *question;
    const linpred__deviation_vertex *vertex;
    double band;
    int8_t *side;
};

struct slope_sums {
    double *c;   /* Σ slope x over the fixed rows, width long */
    double *row; /* scratch of one row, 2 width */
    int64_t count;
};

static void clear_slope_sums(void *context, void *state)
{
    (void)context;
    struct slope_sums *sums = state;
    linpred__release(sums->c);
    linpred__release(sums->row);
}

static bool init_slope_sums(void *context, void *state)
{
    size_t p = (size_t)((const struct pricing *)context)->question->design.width;
    struct slope_sums *sums = state;
    sums->c = linpred__calloc(p, sizeof(double));
    sums->row = linpred__calloc(2 * p, sizeof(double));
    if (sums->c && sums->row)
        return true;
    clear_slope_sums(context, state);
    return false;
}

static void merge_sums(void *context, void *into, const void *from)
{
    const struct pricing *work = context;
    struct slope_sums *a = into;
    const struct slope_sums *b = from;
    for (int32_t j = 0; j < work->question->design.width; j++)
        a->c[j] += b->c[j];
    a->count += b->count;
}

static void list_sums(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct pricing *work = context;
    struct slope_sums *sums = state;
    linpred__state_piece(pieces, sums->c, (size_t)work->question->design.width * sizeof *sums->c);
    linpred__state_piece(pieces, &sums->count, sizeof sums->count);
}

/* c += slope x. The row is in sums->row unless the design is plain. */
LINPRED__ROW void add_slope(const linpred__design *design, const linpred__block *block, int32_t r, double slope,
                            struct slope_sums *sums)
{
    if (design->plain) {
        linpred__row_add(block, r, slope, sums->c);
        if (design->basis.has_intercept)
            sums->c[block->columns] += slope;
    } else {
        for (int32_t j = 0; j < design->width; j++)
            sums->c[j] += slope * sums->row[j];
    }
}

LINPRED__FAST static void fix_block(const struct pricing *work, struct slope_sums *sums, const linpred__block *block)
{
    const linpred__deviations *question = work->question;
    for (int32_t r = 0; r < block->rows; r++) {
        double left = linpred__deviations_residual(question, work->vertex, block, r, sums->row);
        bool active = !(fabs(left) > work->band);
        work->side[block->first_row + r] = active ? 0 : left > 0 ? 1 : -1;
        sums->count += active;
        if (active)
            continue;
        double up, down;
        linpred__deviations_slopes(question, block, r, &up, &down);
        add_slope(&question->design, block, r, left > 0 ? up : -down, sums);
    }
}

LINPRED__FAST static void price_block(const struct pricing *work, struct slope_sums *sums, const linpred__block *block)
{
    for (int32_t r = 0; r < block->rows; r++) {
        int8_t *side = &work->side[block->first_row + r];
        if (*side == 0)
            continue;
        double left = linpred__deviations_residual(work->question, work->vertex, block, r, sums->row);
        if ((left > 0 ? 1 : -1) == *side)
            continue;
        *side = (int8_t)(2 * *side);
        sums->count++;
    }
}

static void visit_to_fix(void *context, void *state, const linpred__block *block)
{
    fix_block(context, state, block);
}

static void visit_to_price(void *context, void *state, const linpred__block *block)
{
    price_block(context, state, block);
}

/* One pass; the caller clears the sums. */
static linpred_status sum_slopes(struct pricing *work,
                                 void (*visit)(void *context, void *state, const linpred__block *block),
                                 struct slope_sums *sums, linpred_error *error)
{
    const linpred__design *design = &work->question->design;
    linpred__visitor visitor = {sizeof *sums, init_slope_sums, visit, merge_sums, clear_slope_sums, work, list_sums};
    linpred__cut cut = linpred__cut_vector(design->data, design->data->columns);
    linpred_status status =
        linpred__pass_all(design->data, design->run->pool, &visitor, (void *[]){sums}, 1, cut, error);
    if (status == LINPRED_OK)
        linpred__share_rows(design->data, cut, work->side, sizeof *work->side);
    return status;
}

linpred_status linpred__deviations_fix_rows(const linpred__deviations *question, const linpred__deviation_span *span,
                                            const linpred__deviation_vertex *vertex, double band,
                                            linpred__deviation_sides *sides, int64_t *active, linpred_error *error)
{
    struct pricing work = {question, vertex, band, sides->side};
    struct slope_sums sums;
    linpred_status status = sum_slopes(&work, visit_to_fix, &sums, error);
    if (status != LINPRED_OK)
        return status;
    *active = sums.count;
    for (int32_t k = 0; k < span->rank; k++)
        sides->c[k] = sums.c[span->column[k]];
    clear_slope_sums(&work, &sums);
    return LINPRED_OK;
}

linpred_status linpred__deviations_price(const linpred__deviations *question, const linpred__deviation_vertex *vertex,
                                         linpred__deviation_sides *sides, int64_t *wrong, linpred_error *error)
{
    struct pricing work = {question, vertex, 0.0, sides->side};
    struct slope_sums sums;
    linpred_status status = sum_slopes(&work, visit_to_price, &sums, error);
    if (status != LINPRED_OK)
        return status;
    *wrong = sums.count;
    clear_slope_sums(&work, &sums);
    return LINPRED_OK;
}
