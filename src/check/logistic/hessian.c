/* Proves by the Hessian H that a logistic fit has a minimum, and bounds its gap.
 *
 * Let ν² = g' H^-1 g, ρ >= max ||x_i||_{H^-1} and a = νρ. If a <= 1/2, a minimum exists and the gap is at most
 * ν² / (2(1-a)). The gap is at least (a - ln(1+a)) / ρ². The same holds with a penalty in H, because its third
 * derivative is 0.
 *
 * H is scaled to a unit diagonal and factored: H + E = L L'. A sum has at most K terms in sequence. The rounding of the
 * sums and of the factor gives |E_jk| <= η = (K + 2 dimension + 20) 2^-52. Cells that are off their decimals by e_j at
 * most add ε_j + ε_k + ε_j ε_k, ε_j = e_j sqrt(h / H_jj), h being the mean curvature. Computed curvatures are right up
 * to a factor 1 + c. So H >= θ L L' with θ = (1 - dimension η tr(L L')^-1) / (1 + c). If θ >= 1/2, L is used in place
 * of H.
 *
 * If there are many rows, the Hessian of some of them is tried first, since it is at most H. Columns that exact
 * dependencies make superfluous are left out. A column is left out too if the others leave less than 1e-11 of it. That
 * proves nothing about it: a step along it may lower the objective much, even if it nearly depends on the others. The
 * bound is then that of a fit whose coefficients of these columns are held fixed.
 */
#include <math.h>
#include <string.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "data/tree.h"

/* ---- the largest ||x||, row by row ------------------------------------------------------------------------------- */

struct reach {
    const linpred__factor *factor;
    const double *centre;
    const int32_t *place;
    int32_t dimension;
    bool has_intercept;
};

enum { SIDE = LINPRED__SIDE_BY_SIDE };

struct reach_lane {
    double *x; /* SIDE rows, side by side */
    double largest;
};

static bool reach_init(void *context, void *state)
{
    ((struct reach_lane *)state)->x =
        linpred__alloc(SIDE * (size_t)((const struct reach *)context)->dimension, sizeof(double));
    return ((struct reach_lane *)state)->x != NULL;
}

static void reach_clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct reach_lane *)state)->x);
}

/* Writes row r, scaled, to x[0], x[SIDE], … */
static void scale_row(const struct reach *reach, const linpred__block *block, int32_t r, double *x)
{
    const linpred__factor *factor = reach->factor;
    linpred__entries row = linpred__entries_of(block, r);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t column = linpred__entry_column(&row, k), place = reach->place[column];
        if (place >= 0)
            x[place * SIDE] = (row.values[k] - reach->centre[column]) * factor->scale[place];
    }
    if (reach->has_intercept && reach->place[block->columns] >= 0)
        x[reach->place[block->columns] * SIDE] = factor->scale[reach->place[block->columns]];
}

static void reach_visit(void *context, void *state, const linpred__block *block)
{
    const struct reach *reach = context;
    const linpred__factor *factor = reach->factor;
    struct reach_lane *lane = state;
    for (int32_t from = 0; from < block->rows; from += SIDE) {
        double square[SIDE] = {0.0};
        memset(lane->x, 0, (size_t)factor->n * SIDE * sizeof *lane->x);
        for (int32_t k = 0; k < SIDE && from + k < block->rows; k++)
            scale_row(reach, block, from + k, lane->x + k);
        linpred__factor_solve_rows(factor, lane->x);
        for (int32_t i = 0; i < factor->n; i++)
            for (int32_t k = 0; k < SIDE; k++)
                square[k] += lane->x[i * SIDE + k] * lane->x[i * SIDE + k];
        for (int32_t k = 0; k < SIDE; k++)
            lane->largest = linpred__greater(lane->largest, square[k]);
    }
}

static void reach_merge(void *context, void *into, const void *from)
{
    (void)context;
    ((struct reach_lane *)into)->largest =
        linpred__greater(((struct reach_lane *)into)->largest, ((const struct reach_lane *)from)->largest);
}

static void reach_list(void *context, void *state, linpred__state_pieces *pieces)
{
    (void)context;
    linpred__state_piece(pieces, &((struct reach_lane *)state)->largest, sizeof(double));
}

static linpred_status reach_of_rows(const linpred__factor *factor, const linpred__careful *careful, linpred__pool *pool,
                                    double *square, linpred_error *error)
{
    int32_t d = careful->dimension;
    int32_t *place = linpred__alloc((size_t)d, sizeof *place);
    if (!place)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < d; j++)
        place[j] = -1;
    for (int32_t i = 0; i < factor->n; i++)
        place[factor->keep[i]] = i;
    struct reach reach = {factor, careful->centre, place, d, careful->has_intercept};
    linpred__visitor visitor = {
        sizeof(struct reach_lane), reach_init, reach_visit, reach_merge, reach_clear, &reach, reach_list};
    struct reach_lane total;
    linpred_status status = linpred__pass(careful->data, pool, &visitor, &total, error);
    linpred__release(place);
    if (status != LINPRED_OK)
        return status;
    *square = total.largest * (1.0 + 1e-4);
    reach_clear(&reach, &total);
    return LINPRED_OK;
}

/* ---- the bounds -------------------------------------------------------------------------------------------------- */

/* Computes ν by L, and a bound of its change by the rounding of the gradient. */
static bool decrement(const linpred__factor *factor, const linpred__careful *careful, double *nu, double *rounding)
{
    double *x = linpred__alloc((size_t)careful->dimension, sizeof *x);
    if (!x)
        return false;
    *rounding = 0.0;
    for (int32_t i = 0; i < factor->n; i++) {
        x[i] = careful->gradient[factor->keep[i]] * factor->scale[i];
        *rounding += careful->gradient_error[factor->keep[i]] * factor->scale[i] * factor->length[i];
    }
    linpred__factor_solve(factor, x);
    *nu = sqrt(linpred__factor_square(factor, x)) * (1.0 + 1e-4);
    linpred__release(x);
    return true;
}

/* The gap is at most ν² / (2(1-a)), a = νρ <= 1/2. */
static double gap_of(double nu, double reach)
{
    double a = nu * reach;
    return a <= 0.5 ? nu * nu / (2.0 * (1.0 - a)) : INFINITY;
}

/* n η tr(L L')^-1. With `likely`, rounding errors are assumed to be random, so that they grow with the square root of
   their number. */
static double factor_error(const linpred__factor *factor, const linpred__careful *careful, const linpred_data *some,
                           bool likely)
{
    double chain = linpred__hessian_chain(some), cells = 0.0;
    for (int32_t i = 0; i < factor->n; i++)
        cells = linpred__greater(cells, linpred__cell_error(careful, factor->keep[i]) * factor->scale[i]);
    cells *= 1.01 * sqrt(careful->curvature);
    double eta = ((likely ? sqrt(chain) : chain) + 2.0 * careful->dimension + 20.0) * 0x1p-52;
    eta += cells * (2.0 + cells);
    return (likely ? sqrt(factor->n) : factor->n) * eta * factor->trace;
}

/* What L proves. */
struct measured {
    bool holds, likely; /* θ >= 1/2: certainly, or if rounding errors are random */
    bool spans;         /* the columns that L leaves out certainly depend on its columns */
    double root;        /* θ^-1/2 */
    double nu, rounding;
};

static void take_gap_bounds(const struct measured *m, double reach, linpred__gap_bounds *bounds)
{
    double proved = m->holds ? gap_of((m->nu + m->rounding) * m->root, reach * m->root) : INFINITY;
    double estimated = m->likely ? gap_of(m->nu, reach) : INFINITY;
    bounds->held = fmin(bounds->held, proved);
    if (m->spans) {
        bounds->proved = fmin(bounds->proved, proved);
        bounds->estimated = fmin(bounds->estimated, estimated);
    }
}

/* `some` are the rows that the factor is of. bounds->left_out is set. */
static linpred_status bound_by(const linpred__factor *factor, const linpred__logistic_question *question,
                               const linpred_data *some, linpred__pool *pool, const linpred__careful *careful,
                               linpred__gap_bounds *bounds, linpred_error *error)
{
    double off = factor_error(factor, careful, some, false), curvature = 1.0 + 2.0 * careful->score_error + 0x1p-46;
    double theta = (1.0 - off) / curvature, reach = 0.0;
    bool known = careful->score_error < 0.1;
    struct measured m = {.holds = theta >= 0.5 && known, .spans = bounds->left_out == 0};
    m.likely = known && factor_error(factor, careful, some, true) <= 0.5;
    m.root = m.holds ? 1.0 / sqrt(theta) : 1.0;
    if (!decrement(factor, careful, &m.nu, &m.rounding))
        return linpred__no_memory(error);
    for (int32_t i = 0; i < factor->n; i++)
        reach += careful->extent[factor->keep[i]] * factor->scale[i] * factor->length[i];
    if (m.holds)
        bounds->independent = factor->n;
    take_gap_bounds(&m, reach, bounds);
    if (some != careful->data)
        return LINPRED_OK;
    double wanted = question->tolerance * (careful->objective - careful->loss_error);
    if (!(fmin(bounds->proved, bounds->held) <= wanted) && (double)factor->n * factor->n * (double)some->rows < 1e12) {
        double square = 0.0;
        linpred_status status = reach_of_rows(factor, careful, pool, &square, error);
        if (status != LINPRED_OK)
            return status;
        reach = sqrt(square);
        for (int32_t i = 0; i < factor->n; i++)
            reach += linpred__cell_error(careful, factor->keep[i]) * factor->scale[i] * factor->length[i];
        take_gap_bounds(&m, reach, bounds);
    }
    /* The lower bound uses H <= (1 + off) curvature L L'. It also holds with some coefficients held fixed. */
    double low = fmax(0.0, m.nu * (1.0 - 3e-4) - m.rounding) / sqrt((1.0 + off) * curvature), a = low * reach * m.root;
    if (m.holds && a > 0)
        bounds->at_least = fmax(bounds->at_least, (a - log1p(a)) / (reach * reach * m.root * m.root) * 0.99);
    return LINPRED_OK;
}

/* Makes the factor of the Hessian of the rows `some`. On success the caller calls give_back, which keeps the factor of
   all rows. */
static linpred_status factor_rows(const linpred__logistic_question *question, const linpred_data *some,
                                  linpred__pool *pool, const linpred__careful *careful, const linpred__spare *spare,
                                  linpred__factor *factor, linpred_error *error)
{
    int32_t d = careful->dimension;
    *factor = *careful->whole;
    if (some == careful->data && factor->l)
        return LINPRED_OK;
    double *hessian = linpred__alloc((size_t)d * (size_t)d, sizeof *hessian);
    linpred_status status =
        hessian ? linpred__sum_hessian(question, some, pool, careful, hessian, error) : linpred__no_memory(error);
    if (status == LINPRED_OK && !linpred__factor_open(hessian, d, spare->column, pool, factor))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && some == careful->data)
        *careful->whole = *factor;
    linpred__release(hessian);
    return status;
}

static void give_back(const linpred__careful *careful, linpred__factor *factor)
{
    if (factor->l != careful->whole->l)
        linpred__factor_close(factor);
}

static linpred_status bound_on(const linpred__logistic_question *question, const linpred_data *some,
                               linpred__pool *pool, const linpred__careful *careful, const linpred__spare *spare,
                               linpred__gap_bounds *bounds, linpred_error *error)
{
    linpred__factor factor;
    linpred_status status = factor_rows(question, some, pool, careful, spare, &factor, error);
    if (status != LINPRED_OK)
        return status;
    int32_t left_out = careful->dimension - factor.n - spare->count;
    if (some == careful->data || left_out == 0) {
        bounds->left_out = left_out;
        status = bound_by(&factor, question, some, pool, careful, bounds, error);
    }
    give_back(careful, &factor);
    return status;
}

/* Adds to the spare columns those that are said to be dropped: standard errors are those without them, even where they
   depend on others to rounding only. The caller releases `all->column`. */
static bool add_dropped(const linpred__logistic_question *question, const linpred__careful *careful,
                        const linpred__spare *spare, linpred__spare *all)
{
    size_t d = (size_t)careful->dimension;
    *all = (linpred__spare){spare->count, linpred__calloc(d, sizeof *all->column)};
    if (!all->column)
        return false;
    if (spare->column)
        memcpy(all->column, spare->column, d * sizeof *all->column);
    for (int32_t k = 0; question->null.drop && k < question->null.count; k++)
        all->column[linpred__null_last(&question->null, k, question->model->columns)] = true;
    bool has = false;
    for (int32_t i = 0; careful->whole->l && i < careful->whole->n; i++)
        has = has || all->column[careful->whole->keep[i]];
    if (has)
        linpred__factor_close(careful->whole); /* one without the columns is made */
    return true;
}

/* The length of t = (-centre, 1) in the norm of H^-1. t gives the intercept from centred coefficients. */
static double intercept_length(const linpred__factor *factor, const linpred__careful *careful, double *t)
{
    int32_t last = careful->dimension - 1;
    for (int32_t i = 0; i < factor->n; i++)
        t[i] = (factor->keep[i] == last ? 1.0 : -careful->centre[factor->keep[i]]) * factor->scale[i];
    linpred__factor_solve(factor, t);
    return sqrt(linpred__factor_square(factor, t));
}

linpred_status linpred__measure_standard_errors(const linpred__logistic_question *question, linpred__pool *pool,
                                                const linpred__careful *careful, const linpred__spare *spare,
                                                linpred__logistic_finding *finding, linpred_error *error)
{
    int32_t d = careful->dimension, estimable = 0, seen = 0;
    linpred__factor factor;
    linpred__spare all = {0};
    double *buffer = linpred__alloc((size_t)d, sizeof *buffer);
    linpred_status status = buffer && add_dropped(question, careful, spare, &all)
                                ? factor_rows(question, careful->data, pool, careful, &all, &factor, error)
                                : linpred__no_memory(error);
    linpred__release(all.column);
    if (status != LINPRED_OK) {
        linpred__release(buffer);
        return status;
    }
    for (int32_t j = 0; j < d; j++) {
        bool should = linpred__null_estimable(&question->null, question->model->columns, j);
        estimable += should;
        if (!should && !isnan(question->standard_error[j]))
            finding->errors_off = INFINITY;
        if (should && isnan(question->standard_error[j]) && finding->error_missing < 0)
            finding->error_missing = j;
    }
    for (int32_t i = 0; i < factor.n; i++) {
        int32_t j = factor.keep[i];
        double length = factor.length[i] / sqrt(1.0 + 1e-4) * factor.scale[i];
        if (careful->has_intercept && j == d - 1)
            length = intercept_length(&factor, careful, buffer);
        double found = length / sqrt(careful->weight);
        if (!linpred__null_estimable(&question->null, question->model->columns, j))
            continue;
        seen++;
        if (!isnan(question->standard_error[j]))
            finding->errors_off = linpred__greater(
                finding->errors_off, fabs(ldexp(question->standard_error[j], careful->exponent[j]) / found - 1.0));
    }
    /* If a column is left out here but estimable by the claim, fit and checker disagree on the dependencies. So they do
       if other columns are left out than one for each dependency, for instance since their squares overflow. */
    double off = factor_error(&factor, careful, careful->data, false) + careful->score_error;
    finding->errors_rounding = seen == estimable && factor.n + question->null.count == d ? off : INFINITY;
    give_back(careful, &factor);
    linpred__release(buffer);
    return LINPRED_OK;
}

linpred_status linpred__gap_by_hessian(const linpred__logistic_question *question, linpred__pool *pool,
                                       const linpred__careful *careful, const linpred__spare *spare,
                                       linpred__gap_bounds *bounds, linpred_error *error)
{
    const linpred_data *data = careful->data;
    double wanted = question->tolerance * (careful->objective - careful->loss_error);
    linpred_data some;
    if (data->rows >= (int64_t)LINPRED__HESSIAN_SAMPLE * LINPRED__HESSIAN_SAMPLE_ROWS * careful->dimension &&
        data->blocks >= (int64_t)LINPRED__HESSIAN_SAMPLE * LINPRED__HESSIAN_SAMPLE) {
        if (!linpred__data_sample(data, LINPRED__HESSIAN_SAMPLE, &some))
            return linpred__no_memory(error);
        linpred_status status = bound_on(question, &some, pool, careful, spare, bounds, error);
        linpred__release(some.block);
        if (status != LINPRED_OK || bounds->proved <= wanted)
            return status;
    }
    return bound_on(question, data, pool, careful, spare, bounds, error);
}
