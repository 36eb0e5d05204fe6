/* Least absolute deviations: a row as the problem sees it, and the pass that looks at all of them, to fix the rows far
 * from the fit on their side or to find those that were fixed on the wrong one. */
#include <math.h>

#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/least_absolute/least_absolute.h"

const linpred__block *linpred__deviations_row(const linpred__deviations *dev, int64_t row, int32_t *r)
{
    return linpred__block_of(dev->design.data, row, r);
}

void linpred__deviations_slopes(const linpred__deviations *dev, const linpred__block *block, int32_t r, double *up,
                                double *down)
{
    double weight = linpred__row_weight(block, r);
    *up = 2.0 * dev->quantile * weight;
    *down = 2.0 * (1.0 - dev->quantile) * weight;
}

double linpred__deviations_target(const linpred__deviations *dev, const linpred__block *block, int32_t r)
{
    uint64_t z = (uint64_t)(block->first_row + r) * 0x9E3779B97F4A7C15u + 0x1234567u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    double uniform = (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
    double y = dev->design.target_exponent ? ldexp(block->target[r], -dev->design.target_exponent) : block->target[r];
    return y + dev->shake * uniform;
}

/* ---- looking at all rows
 * ---------------------------------------------------------------------------------------------- */

struct look {
    linpred__deviations *dev;
    double band; /* >= 0: fix rows farther than this; < 0: look for fixed rows on the wrong side */
};

struct seen {
    double *c;
    double *row; /* 2 width */
    int64_t active;
};

static void clear_seen(void *context, void *state)
{
    (void)context;
    struct seen *seen = state;
    linpred__release(seen->c);
    linpred__release(seen->row);
}

static bool init_seen(void *context, void *state)
{
    const struct look *look = context;
    struct seen *seen = state;
    seen->c = linpred__calloc((size_t)look->dev->width, sizeof(double));
    seen->row = linpred__calloc(2 * (size_t)look->dev->width, sizeof(double));
    if (seen->c && seen->row)
        return true;
    clear_seen(context, state);
    return false;
}

static inline __attribute__((always_inline)) double residual_of(const linpred__deviations *dev,
                                                                const linpred__block *block, int32_t r, double *row)
{
    double y = linpred__deviations_target(dev, block, r);
    if (dev->design.plain) {
        double b = dev->design.basis->has_intercept ? dev->w[block->columns] : 0.0;
        return y - (linpred__row_dot(block, r, dev->w) + b);
    }
    linpred__design_row(&dev->design, block, r, row, row + dev->width);
    return y - linpred__dot_dense(row, dev->w, dev->width);
}

LINPRED__FAST static void look_at(const struct look *look, struct seen *seen, const linpred__block *block)
{
    linpred__deviations *dev = look->dev;
    for (int32_t r = 0; r < block->rows; r++) {
        int8_t *side = &dev->side[block->first_row + r];
        if (look->band < 0 && *side == 0)
            continue;
        double left = residual_of(dev, block, r, seen->row);
        int8_t now = left > 0 ? 1 : -1;
        if (look->band < 0) {
            if (now != *side)
                *side = (int8_t)(2 * *side); /* on the wrong side: to become active */
            seen->active += now != *side && (*side == 2 || *side == -2);
            continue;
        }
        if (!(fabs(left) > look->band)) {
            *side = 0;
            seen->active++;
            continue;
        }
        *side = now;
        double up, down;
        linpred__deviations_slopes(dev, block, r, &up, &down);
        double slope = now > 0 ? up : -down;
        if (dev->design.plain) {
            linpred__row_add(block, r, slope, seen->c);
            if (dev->design.basis->has_intercept)
                seen->c[block->columns] += slope;
        } else {
            for (int32_t j = 0; j < dev->width; j++)
                seen->c[j] += slope * seen->row[j];
        }
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    look_at(context, state, block);
}

static void merge_seen(void *context, void *into, const void *from)
{
    const struct look *look = context;
    struct seen *a = into;
    const struct seen *b = from;
    for (int32_t j = 0; j < look->dev->width; j++)
        a->c[j] += b->c[j];
    a->active += b->active;
}

linpred_status linpred__deviations_price(linpred__deviations *dev, double band, int64_t *found, linpred_error *error)
{
    struct look look = {dev, band};
    linpred__visitor visitor = {sizeof(struct seen), init_seen, visit, merge_seen, clear_seen, &look};
    struct seen seen;
    linpred_status status = linpred__pass(dev->design.data, dev->design.pool, &visitor, &seen, error);
    if (status != LINPRED_OK)
        return status;
    dev->passes++;
    *found = seen.active;
    for (int32_t k = 0; band >= 0 && k < dev->rank; k++)
        dev->c[k] = seen.c[dev->column[k]];
    clear_seen(&look, &seen);
    return LINPRED_OK;
}

double linpred__deviations_residual(const linpred__deviations *dev, const linpred__block *block, int32_t r, double *row)
{
    return residual_of(dev, block, r, row);
}
