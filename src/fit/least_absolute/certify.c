/* The end of least absolute deviations: everything that is claimed, from the basis and y as it is.
 *
 * w solves X_h w = y_h in double-double. Rows outside the basis have the dual of their side, a = up above and -down
 * below; those of the basis solve X_h' a_h = -Σ a_i x_i, in double-double too. Rows whose residual is 0 as far as
 * rounding can tell are written into the certificate with their duals, like the basis; all others have the dual that
 * their sign says.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/careful_row.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/least_absolute/least_absolute.h"
#include "solve/dense/dd_qr.h"

enum { BASIS = 3 }; /* a side of its own while the rows are settled */

struct support {
    int64_t row;
    linpred__dd dual;
};

struct settling {
    linpred__deviations *dev;
    linpred__dd *w; /* width */
    double *parts;  /* the same, leading parts, then trailing parts */
    double near;    /* residuals beyond this are not 0 by any rounding, that of doubles included */
    double terms;   /* for the rounding error of a residual */
};

struct sums {
    double *slopes;       /* Σ a x outside the basis: leading parts, then trailing parts, 2 width */
    double *row;          /* 2 width */
    struct support *zero; /* rows outside the basis at residual 0, or so near that simplex had them on the other side */
    size_t zeros;
    size_t room;
    bool failed;
    linpred__dd absolute;
    linpred__dd squares;
    linpred__dd sum;
    linpred__dd weight;
    double slack;
    double targets; /* Σ weight |y|, but for the basis */
};

static void clear_sums(void *context, void *state)
{
    (void)context;
    struct sums *sums = state;
    linpred__release(sums->slopes);
    linpred__release(sums->row);
    linpred__release(sums->zero);
}

static bool init_sums(void *context, void *state)
{
    size_t p = (size_t)((struct settling *)context)->dev->width;
    struct sums *sums = state;
    sums->slopes = linpred__calloc(2 * p, sizeof *sums->slopes);
    sums->row = linpred__alloc(2 * p, sizeof(double));
    if (sums->slopes && sums->row)
        return true;
    clear_sums(context, state);
    return false;
}

static void add_zero(struct sums *sums, int64_t row, double dual)
{
    if (!linpred__grow(&sums->zero, &sums->room, sums->zeros + 1, sizeof *sums->zero)) {
        sums->failed = true;
        return;
    }
    sums->zero[sums->zeros++] = (struct support){row, {dual, 0.0}};
}

/* Whether rounding alone may have made a residual what it is. */
static bool is_zero(const struct settling *settling, const double *x, int32_t n, bool intercept, double y, double r)
{
    double reach = fabs(y) + (intercept ? fabs(settling->parts[n]) : 0.0);
    for (int32_t j = 0; j < n; j++)
        reach += fabs(x[j] * settling->parts[j]);
    return fabs(r) <= settling->terms * reach;
}

/* The sums of a residual that is not of the basis. */
static void add_residual(struct sums *sums, linpred__dd r, double weight)
{
    double part = weight * r.hi;
    sums->sum = linpred__dd_add_double(sums->sum, part);
    sums->absolute = linpred__dd_add_double(sums->absolute, fabs(part));
    sums->squares = linpred__dd_add_double(sums->squares, part * r.hi);
}

LINPRED__BODY void settle_block_body(const struct settling *settling, struct sums *sums, const linpred__block *block)
{
    const linpred__deviations *dev = settling->dev;
    bool plain = dev->design.plain, direct = plain && block->layout == LINPRED__DENSE;
    bool intercept = plain && dev->design.basis->has_intercept; /* apart, dense or sparse: the same bits */
    int32_t p = dev->width, n = plain ? block->columns : p;
    const double *whi = settling->parts, *wlo = whi + p;
    for (int32_t at = 0; at < block->rows; at++) {
        const double *x = direct ? block->values + at * block->stride : sums->row, *tail = plain ? NULL : sums->row + p;
        double weight = linpred__row_weight(block, at), up, down;
        int64_t row = block->first_row + at;
        sums->weight = linpred__dd_add_double(sums->weight, weight);
        if (dev->side[row] == BASIS)
            continue; /* its residual is 0 */
        if (!direct)
            linpred__design_row(&dev->design, block, at, sums->row, sums->row + p);
        double y =
            dev->design.target_exponent ? ldexp(block->target[at], -dev->design.target_exponent) : block->target[at];
        linpred__dd r = {y - linpred__dot_dense(x, whi, n) - (intercept ? whi[n] : 0.0), 0.0};
        if (!(fabs(r.hi) > settling->near)) { /* where it matters, in double-double */
            linpred__dd z =
                tail ? linpred__careful_dot(n, x, tail, whi, wlo) : linpred__careful_dot(n, x, NULL, whi, wlo);
            if (intercept)
                z = linpred__dd_add(z, (linpred__dd){whi[n], wlo[n]});
            r = linpred__dd_add_double(linpred__dd_negate(z), y);
        }
        linpred__deviations_slopes(dev, block, at, &up, &down);
        double left = linpred__deviations_target(dev, block, at) - linpred__dot_dense(x, dev->w, n) -
                      (intercept ? dev->w[n] : 0.0);
        double a = left > 0 || (left == 0 && r.hi > 0) ? up : -down; /* as it was while y was shaken */
        bool zero = !(fabs(r.hi) > settling->near) && is_zero(settling, x, n, intercept, y, r.hi);
        if (zero || (r.hi > 0) != (a > 0)) /* the dual is not that of its sign: it goes into the certificate */
            add_zero(sums, row, a);
        if (!zero && (r.hi > 0) != (a > 0))
            sums->slack += fabs(r.hi) * (up + down);
        linpred__dd pull = {a, 0.0};
        if (tail)
            linpred__careful_add(n, pull, x, tail, sums->slopes, sums->slopes + p);
        else
            linpred__careful_add(n, pull, x, NULL, sums->slopes, sums->slopes + p);
        if (intercept)
            linpred__compensated_add(&sums->slopes[n], &sums->slopes[p + n], a, 0.0);
        add_residual(sums, r, weight);
        sums->targets += weight * fabs(y);
    }
}

LINPRED__CAREFUL(settle_block, const struct settling *, struct sums *)

static void visit(void *context, void *state, const linpred__block *block)
{
    settle_block(context, state, block);
}

static void merge(void *context, void *into, const void *from)
{
    const struct settling *settling = context;
    struct sums *a = into;
    const struct sums *b = from;
    int32_t p = settling->dev->width;
    for (int32_t j = 0; j < p; j++)
        linpred__compensated_add(&a->slopes[j], &a->slopes[p + j], b->slopes[j], b->slopes[p + j]);
    a->absolute = linpred__dd_add(a->absolute, b->absolute);
    a->squares = linpred__dd_add(a->squares, b->squares);
    a->sum = linpred__dd_add(a->sum, b->sum);
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->slack += b->slack;
    a->targets += b->targets;
    a->failed = a->failed || b->failed;
    for (size_t i = 0; i < b->zeros && !a->failed; i++)
        add_zero(a, b->zero[i].row, b->zero[i].dual.hi);
}

/* Solves X_h w = y_h (or X_h' a = rhs) in double-double; X_h is rank x rank by rows. */
static bool solve_basis(const linpred__dd *matrix, int32_t n, bool transposed, const linpred__dd *rhs,
                        linpred__dd *solution)
{
    size_t size = (size_t)n, wide = size + 1;
    linpred__dd *r = linpred__calloc(wide * wide, sizeof *r);
    linpred__dd *row = linpred__alloc(wide, sizeof *row);
    int32_t *turn = linpred__alloc(size, sizeof *turn);
    linpred__dd_solution s = {0};
    bool complete = r && row && turn;
    for (size_t i = 0; complete && i < size; i++) {
        for (size_t j = 0; j < size; j++)
            row[j] = transposed ? matrix[j * size + i] : matrix[i * size + j];
        row[size] = rhs[i];
        turn[i] = (int32_t)i;
        linpred__dd_qr_absorb((int32_t)wide, r, 1, 1, row);
    }
    complete = complete && linpred__dd_solve(n, r, turn, 0x1p-90, &s);
    if (complete)
        memcpy(solution, s.w, size * sizeof *solution);
    linpred__dd_solution_clear(&s);
    linpred__release(r);
    linpred__release(row);
    linpred__release(turn);
    return complete;
}

/* The basis rows, and w from them; the coordinates not taken stay 0. */
static bool solve_weights(linpred__deviations *dev, linpred__dd *matrix, linpred__dd *room, linpred__dd *w)
{
    size_t n = (size_t)dev->rank;
    for (size_t i = 0; i < n; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_row(dev, dev->basis[i], &at);
        linpred__design_row(&dev->design, block, at, dev->scratch, dev->scratch + dev->width);
        for (size_t k = 0; k < n; k++) {
            int32_t j = dev->column[k];
            matrix[i * n + k] = (linpred__dd){dev->scratch[j], dev->scratch[dev->width + j]};
        }
        room[i] = (linpred__dd){ldexp(block->target[at], -dev->design.target_exponent), 0.0};
    }
    if (n > 0 && !solve_basis(matrix, dev->rank, false, room, room + n))
        return false;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(room[i].hi));
    for (size_t k = 0; k < n; k++) { /* what rounding at 32 digits left of a 0 is 0 */
        double size = 0.0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(matrix[i * n + k].hi));
        w[dev->column[k]] = fabs(room[n + k].hi) * size > 0x1p-95 * largest ? linpred__dd_without_noise(room[n + k])
                                                                            : (linpred__dd){0.0, 0.0};
    }
    return true;
}

/* ---- what is kept
 * ---------------------------------------------------------------------------------------------------------- */

/* Whether some edge out of the vertex costs nothing: a basis row whose dual is at its bound, and no row at residual 0
   that would pay on the way. */
static bool is_unique(const linpred__deviations *dev, const linpred__dd *matrix, const linpred__dd *dual,
                      linpred__dd *room, const struct sums *sums)
{
    size_t n = (size_t)dev->rank;
    for (size_t k = 0; k < n; k++) {
        int32_t at;
        double up, down;
        const linpred__block *block = linpred__deviations_row(dev, dev->basis[k], &at);
        linpred__deviations_slopes(dev, block, at, &up, &down);
        double tiny = 1e-10 * (up + down);
        bool above = dual[k].hi >= up - tiny;
        if (!above && dual[k].hi > -down + tiny)
            continue;
        memset(room, 0, 2 * n * sizeof *room);
        room[k].hi = above ? -1.0 : 1.0; /* X_h d: the residual of row k grows, or falls */
        if (!solve_basis(matrix, dev->rank, false, room, room + n))
            return true;
        bool pays = false;
        for (size_t z = 0; z < sums->zeros && !pays; z++) {
            block = linpred__deviations_row(dev, sums->zero[z].row, &at);
            linpred__deviations_slopes(dev, block, at, &up, &down);
            linpred__design_row(&dev->design, block, at, dev->scratch, dev->scratch + dev->width);
            double change = 0.0, reach = 0.0;
            for (size_t j = 0; j < n; j++) {
                double part = dev->scratch[dev->column[j]] * room[n + j].hi;
                change -= part;
                reach += fabs(part);
            }
            if (fabs(change) > 1e-9 * reach)
                pays = (change > 0) != (sums->zero[z].dual.hi > 0);
        }
        if (!pays)
            return false;
    }
    return true;
}

static bool keep_certificate(linpred__deviations *dev, const linpred__dd *dual, struct sums *sums)
{
    linpred__certificate *certificate = &dev->fit->result->certificate;
    size_t count = sums->zeros + (size_t)dev->rank;
    if (!linpred__grow(&sums->zero, &sums->room, count, sizeof *sums->zero))
        return false;
    for (int32_t k = 0; k < dev->rank; k++)
        sums->zero[sums->zeros + (size_t)k] = (struct support){dev->basis[k], dual[k]};
    if (count > 0)
        qsort(sums->zero, count, sizeof *sums->zero, linpred__ascending);
    linpred__certificate_clear(certificate);
    certificate->claim = LINPRED__CLAIM_LEAST_ABSOLUTE;
    certificate->errors = certificate->bound = NAN;
    if (!linpred__certificate_supports(certificate, (int64_t)count))
        return false;
    for (size_t i = 0; i < count; i++) {
        certificate->support_row[i] = linpred_data_source_row(dev->design.data, sums->zero[i].row);
        certificate->multiplier[i] = sums->zero[i].dual.hi;
        certificate->tail[i] = sums->zero[i].dual.lo;
    }
    return true;
}

static void to_user(const linpred__deviations *dev, const linpred__dd *from, int shift, linpred__dd *in_basis,
                    linpred__dd *plain)
{
    for (int32_t j = 0; j < dev->width; j++) {
        int exponent = shift - dev->design.exponent[j];
        in_basis[j] = (linpred__dd){ldexp(from[j].hi, exponent), ldexp(from[j].lo, exponent)};
    }
    linpred__polynomial_basis_to_powers(dev->design.basis, in_basis, plain);
}

static bool keep_weights(linpred__deviations *dev, const linpred__dd *w, linpred__dd *room)
{
    linpred_model *model = &dev->fit->result->model;
    linpred__regression *regression = model->regression;
    size_t p = (size_t)dev->width;
    to_user(dev, w, dev->design.target_exponent, room, room + p);
    for (size_t j = 0; j < p; j++) {
        *(j < (size_t)model->columns ? &model->w[j] : &model->b) = room[p + j].hi;
        regression->tail[j] = room[p + j].lo;
        regression->basis_weight[j] = room[j].hi;
        regression->basis_tail[j] = room[j].lo;
    }
    regression->rank = dev->rank;
    if (dev->dependencies == 0 || regression->dependencies.vector)
        return true;
    if (!linpred__regression_dependencies(regression, dev->dependencies))
        return false;
    for (int32_t k = 0; k < dev->dependencies; k++) {
        to_user(dev, dev->null + (size_t)k * p, 0, room, room + p);
        for (size_t j = 0; j < p; j++)
            regression->dependencies.vector[(size_t)k * p + j] = room[p + j].hi;
    }
    return linpred__dependencies_write(&regression->dependencies, model->recipe);
}

static void summarise(linpred__deviations *dev, const struct sums *sums, bool unique, double *slack)
{
    linpred_info *info = &dev->fit->result->info;
    double weight = sums->weight.hi;
    int unit = dev->design.target_exponent;
    linpred__dd loss =
        linpred__dd_add(sums->absolute, linpred__dd_multiply_double(sums->sum, 2.0 * dev->quantile - 1.0));
    info->objective = ldexp(loss.hi / weight, unit);
    info->mean_absolute_error = ldexp(sums->absolute.hi / weight, unit);
    info->mean_squared_error = ldexp(sums->squares.hi / weight, 2 * unit);
    /* Where only rounding is left to fit, nothing can be told beside it: no loss is below 0, so this one is its own
     * bound. */
    double scale = fmax(dev->size * weight, sums->targets);
    bool perfect = loss.hi <= 0x1p-44 * scale;
    *slack = perfect ? loss.hi / scale : sums->slack / loss.hi;
    dev->fault = perfect ? 0.0 : dev->fault; /* no duals are needed for that */
    info->gap =
        dev->fault <= LINPRED__SLACK_ALLOWED ? *slack : NAN; /* without duals that prove something nobody knows */
    info->rank = dev->rank;
    info->rank_threshold = 0x1p-44;
    info->unique = unique && dev->dependencies == 0;
    info->method = LINPRED_METHOD_VERTEX;
    bool proved = fmax(dev->fault, *slack) <= LINPRED__SLACK_ALLOWED; /* the best, whatever ended the search for it */
    if (!dev->stopped || proved)
        linpred__fit_end(
            dev->fit, LINPRED_OUTCOME_OPTIMAL,
            "%d rows determine the fit, with duals that prove it the best; %lld steps, at most %lld rows at a time",
            dev->rank, (long long)dev->steps, (long long)dev->most_active);
}

/* How far the duals of the basis are from proving anything: beyond their intervals, or not cancelling the slopes of the
 * other rows. */
static double dual_fault(const linpred__deviations *dev, const linpred__dd *matrix, const linpred__dd *dual,
                         const struct sums *sums)
{
    size_t n = (size_t)dev->rank, p = (size_t)dev->width;
    double worst = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t column = (size_t)dev->column[k];
        linpred__dd left = linpred__two_sum(sums->slopes[column], sums->slopes[p + column]);
        double size = fabs(left.hi), fault = 0.0;
        for (size_t i = 0; i < n; i++) {
            int32_t at;
            double up, down;
            const linpred__block *block = linpred__deviations_row(dev, dev->basis[i], &at);
            linpred__deviations_slopes(dev, block, at, &up, &down);
            left = linpred__dd_add(left, linpred__dd_multiply(matrix[i * n + k], dual[i]));
            size += (up + down) * fabs(matrix[i * n + k].hi);
            if (i == k)
                fault = fmax(dual[i].hi - up, -down - dual[i].hi) / (up + down);
        }
        fault = fmax(fault, size > 0.0 ? fabs(left.hi) / size : 0.0);
        worst = isnan(left.hi) ? INFINITY : fmax(worst, fault);
    }
    return worst;
}

linpred_status linpred__deviations_certify(linpred__deviations *dev, double *slack, linpred_error *error)
{
    size_t n = (size_t)dev->rank, p = (size_t)dev->width;
    linpred__dd *matrix = linpred__calloc(n * n + 5 * p + n, sizeof *matrix);
    double *parts = linpred__alloc(2 * p, sizeof *parts);
    if (!matrix || !parts) {
        linpred__release(matrix);
        linpred__release(parts);
        return linpred__no_memory(error);
    }
    linpred__dd *w = matrix + n * n, *room = w + p, *dual = room + 4 * p;
    int32_t degree = 1;
    for (int32_t i = 0; i < dev->design.basis->polynomials; i++)
        degree = dev->design.basis->polynomial[i].degree > degree ? dev->design.basis->polynomial[i].degree : degree;
    double terms = (double)p + 8.0 * degree + 32.0;
    struct settling settling = {dev, w, parts, dev->size * 0x1p-16, terms * terms * 0x1p-98};
    linpred__visitor visitor = {sizeof(struct sums), init_sums, visit, merge, clear_sums, &settling};
    struct sums sums;
    linpred_status status = solve_weights(dev, matrix, room, w) ? LINPRED_OK : linpred__no_memory(error);
    for (size_t j = 0; j < p; j++) {
        parts[j] = w[j].hi;
        parts[p + j] = w[j].lo;
    }
    for (size_t k = 0; k < n; k++) { /* rows through which the fit goes show how large its terms are */
        double reach = 0.0;
        for (size_t j = 0; j < n; j++)
            reach += fabs(matrix[k * n + j].hi * w[dev->column[j]].hi);
        if (reach > 64.0 * dev->size) /* doubles would lose digits of the objective */
            settling.near = INFINITY;
        dev->side[dev->basis[k]] = BASIS;
    }
    if (status == LINPRED_OK)
        status = linpred__pass(dev->design.data, dev->design.pool, &visitor, &sums, error);
    if (status == LINPRED_OK) {
        dev->passes++;
        for (size_t k = 0; k < n; k++)
            room[k] = linpred__dd_negate(
                linpred__two_sum(sums.slopes[dev->column[k]], sums.slopes[p + (size_t)dev->column[k]]));
        bool complete = !sums.failed && (n == 0 || solve_basis(matrix, dev->rank, true, room, dual));
        bool unique = complete && is_unique(dev, matrix, dual, room, &sums);
        complete = complete && keep_certificate(dev, dual, &sums) && keep_weights(dev, w, room);
        if (complete) {
            dev->fault = dual_fault(dev, matrix, dual, &sums);
            summarise(dev, &sums, unique, slack);
        } else {
            status = linpred__no_memory(error);
        }
        clear_sums(&settling, &sums);
    }
    for (size_t k = 0; k < n; k++)
        dev->side[dev->basis[k]] = 0;
    linpred__release(matrix);
    linpred__release(parts);
    return status;
}
