/* Least squares with more columns than a square matrix of them has room for: conjugate gradients on the normal
 * equations, restarted from residuals in double-double.
 *
 * Each restart solves (X'VX + κ) d = g, g = X'V(y - Xw) - κw, in columns scaled to one length, until the residual of
 * that system has fallen by 1e-8 or no longer falls; w <- w + d in double-double. It ends when g is 1e-13 of the sums
 * it is made of. Rank and standard errors are not known here, and where columns depend on each other w is one minimiser
 * of many.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/least_squares/least_squares.h"

enum { MOST_RESTARTS = 30 };
static const double inner = 1e-8, outer = 1e-13;

/* ---- X'VX v, and the lengths of columns
 * ---------------------------------------------------------------------------------- */

struct product {
    linpred__squares *squares;
    const double *v; /* NULL: the lengths of columns, squared */
};

struct lane {
    double *sum;
    double *row; /* 2 width, where rows are written out */
};

static void clear_lane(void *context, void *state)
{
    (void)context;
    struct lane *lane = state;
    linpred__release(lane->sum);
    linpred__release(lane->row);
}

static bool init_lane(void *context, void *state)
{
    size_t p = (size_t)((struct product *)context)->squares->width;
    struct lane *lane = state;
    lane->sum = linpred__calloc(p, sizeof(double));
    lane->row = linpred__calloc(2 * p, sizeof(double));
    if (lane->sum && lane->row)
        return true;
    clear_lane(context, state);
    return false;
}

/* The diagonal of X'VX. */
static void add_lengths(const struct product *product, struct lane *lane, const linpred__block *block)
{
    bool sparse = block->layout == LINPRED__SPARSE;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        int64_t from = sparse ? block->start[r] : r * block->stride;
        int64_t count = sparse ? block->start[r + 1] - from : block->columns;
        for (int64_t k = 0; k < count; k++)
            lane->sum[sparse ? block->indices[from + k] : k] +=
                weight * block->values[from + k] * block->values[from + k];
        if (product->squares->design.basis->has_intercept)
            lane->sum[block->columns] += weight;
    }
}

LINPRED__FAST static void add_plain(const struct product *product, struct lane *lane, const linpred__block *block)
{
    bool intercept = product->squares->design.basis->has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        double z = linpred__row_dot(block, r, product->v) + (intercept ? product->v[block->columns] : 0.0);
        z *= linpred__row_weight(block, r);
        linpred__row_add(block, r, z, lane->sum);
        if (intercept)
            lane->sum[block->columns] += z;
    }
}

static void add_block(void *context, void *state, const linpred__block *block)
{
    const struct product *product = context;
    struct lane *lane = state;
    const linpred__design *design = &product->squares->design;
    int32_t p = product->squares->width;
    if (design->plain) {
        if (product->v)
            add_plain(product, lane, block);
        else
            add_lengths(product, lane, block);
        return;
    }
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r), z = 0.0;
        linpred__design_row(design, block, r, lane->row, lane->row + p);
        for (int32_t j = 0; product->v && j < p; j++)
            z += lane->row[j] * product->v[j];
        for (int32_t j = 0; j < p; j++)
            lane->sum[j] += weight * lane->row[j] * (product->v ? z : lane->row[j]);
    }
}

static void merge_lane(void *context, void *into, const void *from)
{
    struct lane *a = into;
    const struct lane *b = from;
    for (int32_t j = 0; j < ((struct product *)context)->squares->width; j++)
        a->sum[j] += b->sum[j];
}

/* out = (X'VX + κ) v, or the diagonal of the matrix. */
static linpred_status multiply(linpred__squares *squares, const double *v, double *out, linpred_error *error)
{
    struct product product = {squares, v};
    linpred__visitor visitor = {sizeof(struct lane), init_lane, add_block, merge_lane, clear_lane, &product};
    struct lane total;
    linpred_status status = linpred__pass(squares->design.data, squares->design.pool, &visitor, &total, error);
    if (status != LINPRED_OK)
        return status;
    memcpy(out, total.sum, (size_t)squares->width * sizeof *out);
    for (int32_t j = 0; squares->penalty > 0 && j < squares->design.basis->terms; j++)
        out[j] += ldexp(squares->penalty, -2 * squares->design.exponent[j]) * (v ? v[j] : 1.0);
    clear_lane(&product, &total);
    squares->fit->result->info.passes++;
    return LINPRED_OK;
}

/* ---- one system
 * ------------------------------------------------------------------------------------------------------------- */

struct vectors {
    double *scale;     /* 1/length of each column */
    double *residual;  /* of the system, scaled */
    double *direction; /* scaled */
    double *image;
    double *solution; /* scaled */
    double *room;
};

static double dot(const double *a, const double *b, int32_t n)
{
    return linpred__dot_dense(a, b, n);
}

/* d, scaled, from g; true if asked to stop. */
static linpred_status solve_system(linpred__squares *squares, const linpred__dd *g, struct vectors *v, bool *stop,
                                   linpred_error *error)
{
    int32_t p = squares->width;
    for (int32_t j = 0; j < p; j++) {
        v->residual[j] = v->direction[j] = g[j].hi * v->scale[j];
        v->solution[j] = 0.0;
    }
    double first = dot(v->residual, v->residual, p), now = first;
    for (int32_t k = 0; k < 2 * p + 50 && now > inner * inner * first; k++) {
        for (int32_t j = 0; j < p; j++)
            v->room[j] = v->direction[j] * v->scale[j];
        linpred_status status = multiply(squares, v->room, v->image, error);
        if (status != LINPRED_OK)
            return status;
        for (int32_t j = 0; j < p; j++)
            v->image[j] *= v->scale[j];
        double curvature = dot(v->direction, v->image, p);
        if (!(curvature > 0))
            break;
        double step = now / curvature;
        for (int32_t j = 0; j < p; j++) {
            v->solution[j] += step * v->direction[j];
            v->residual[j] -= step * v->image[j];
        }
        double next = dot(v->residual, v->residual, p);
        for (int32_t j = 0; j < p; j++)
            v->direction[j] = v->residual[j] + next / now * v->direction[j];
        now = next;
        *stop =
            linpred__fit_should_stop(squares->fit, "conjugate gradients", 0, squares->fit->result->info.passes, NAN);
        if (*stop)
            break;
    }
    return LINPRED_OK;
}

static linpred_status restart(linpred__squares *squares, linpred__dd *g, struct vectors *v, linpred_error *error)
{
    int32_t p = squares->width;
    double before = INFINITY, length = 0.0;
    bool stop = false, perfect = false;
    for (int k = 0; k < MOST_RESTARTS && !stop; k++) {
        linpred_status status = linpred__squares_residual(squares, g, error);
        if (status != LINPRED_OK)
            return status;
        double size = 0.0;
        for (int32_t j = 0; j < p; j++)
            size = fmax(size, fabs(g[j].hi) * v->scale[j]);
        /* g beside the length of the residual (each column has length 1), or of y where the fit is perfect */
        length = fmax(sqrt(squares->squares.hi), 0x1p-50 * sqrt(squares->around.hi));
        squares->accuracy = length > 0 ? fmax(size / length, 0x1p-100) : 0x1p-100;
        /* Nothing is left to fit: no objective is below 0, so this one is its own bound. */
        perfect = squares->penalty == 0.0 && squares->squares.hi <= 0x1p-84 * squares->around.hi;
        if (perfect)
            squares->accuracy = fmin(squares->accuracy, outer);
        if (squares->accuracy <= outer || perfect || size > 0.5 * before)
            break;
        before = size;
        status = solve_system(squares, g, v, &stop, error);
        if (status != LINPRED_OK)
            return status;
        for (int32_t j = 0; j < p; j++)
            squares->w[j] = linpred__dd_add_double(squares->w[j], v->solution[j] * v->scale[j]);
    }
    squares->fit->result->info.gap = squares->accuracy;
    if (!stop && !perfect && squares->accuracy > 1e-9)
        linpred__fit_end(squares->fit, LINPRED_OUTCOME_LIMIT_REACHED,
                         "conjugate gradients came no nearer than a gradient of %.3g beside the residual",
                         squares->accuracy);
    return stop ? linpred__squares_residual(squares, NULL, error) : LINPRED_OK;
}

linpred_status linpred__squares_gradients(linpred__squares *squares, linpred_error *error)
{
    size_t p = (size_t)squares->width;
    squares->method = LINPRED_METHOD_CG;
    squares->fit->result->info.passes = 0;
    linpred_status status = LINPRED_OK;
    if (linpred__design_needs_units(&squares->design))
        status = linpred__design_measure(&squares->design, error);
    else
        linpred__design_total(&squares->design);
    if (status != LINPRED_OK)
        return status;
    squares->penalty *= 0.5 * squares->design.weight;
    if (squares->penalty > 0 && squares->design.basis->polynomials > 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--l2 with --degree takes at most %d coefficients",
                             LINPRED__SQUARES_MOST);
    linpred__dd *g = linpred__calloc(p, sizeof *g);
    double *room = linpred__calloc(6 * p, sizeof *room);
    struct vectors v = {room, room + p, room + 2 * p, room + 3 * p, room + 4 * p, room + 5 * p};
    bool ready = g && room;
    status = ready ? multiply(squares, NULL, v.scale, error) : linpred__no_memory(error);
    for (size_t j = 0; status == LINPRED_OK && j < p; j++)
        v.scale[j] = v.scale[j] > 0 ? 1.0 / sqrt(v.scale[j]) : 0.0;
    if (status == LINPRED_OK)
        status = restart(squares, g, &v, error);
    linpred__release(g);
    linpred__release(room);
    return status;
}
