/* Units and orthogonal polynomials of a design. Stieltjes' procedure finds the polynomials:
 *
 *   φ_{k+1} = (x - a_k) 2^-e φ_k - b_k φ_{k-1},   a_k = Σ v x φ_k² / Σ v φ_k²,   b_k = Σ v φ_k² / Σ v φ_{k-1}²
 *
 * with v the weights of the rows. These φ are orthogonal over the rows. Rounding in a and b makes them slightly less
 * orthogonal and does no other harm, because any a and b give a basis of the same polynomials.
 */
#include "fit/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/limits.h"

linpred_status linpred__design_open(linpred__design *design, linpred__run *run, const linpred_data *data,
                                    const linpred__recipe *recipe, bool has_intercept, linpred_error *error)
{
    *design = (linpred__design){.run = run, .data = data, .recipe = recipe};
    if (!linpred__polynomial_basis_make(&design->basis, recipe, has_intercept))
        return linpred__no_memory(error);
    design->width = linpred__polynomial_basis_width(&design->basis);
    design->plain = design->basis.polynomials == 0;
    design->exponent = linpred__calloc((size_t)design->width, sizeof *design->exponent);
    return design->exponent ? LINPRED_OK : linpred__no_memory(error);
}

void linpred__design_close(linpred__design *design)
{
    linpred__polynomial_basis_clear(&design->basis);
    linpred__release(design->exponent);
    design->exponent = NULL;
}

int32_t linpred__design_degree(const linpred__design *design)
{
    int32_t degree = 1;
    for (int32_t i = 0; i < design->basis.polynomials; i++)
        degree = design->basis.polynomial[i].degree > degree ? design->basis.polynomial[i].degree : degree;
    return degree;
}

linpred_status linpred__design_lost(const linpred__design *design, linpred_error *error)
{
    int32_t degree = linpred__design_degree(design);
    if (degree == 1)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the columns are too near to depending on each other for double precision: leave some "
                             "out (--drop)");
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "--degree %d is too high for these columns: double precision cannot carry such a fit; "
                         "lower it, or measure the columns from near their means",
                         degree);
}

linpred_status linpred__design_check_spread(const linpred__design *design, const char *what, int limit,
                                            linpred_error *error)
{
    int low = 0, high = 0;
    for (int32_t j = 0; j < design->width; j++) {
        low = design->exponent[j] < low ? design->exponent[j] : low;
        high = design->exponent[j] > high ? design->exponent[j] : high;
    }
    if (high - low <= limit)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "the units of the columns are too far apart for %s, by a factor of about 1e%.0f: change them",
                         what, (high - low) * log10(2.0));
}

linpred_status linpred__design_check_coefficients(const linpred__design *design, linpred_error *error)
{
    for (int32_t j = 0; j < design->basis.terms; j++) {
        int exponent = design->target_exponent - design->exponent[j];
        if (exponent < LINPRED__MIN_COEFFICIENT_EXPONENT)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the coefficient of '%.60s' is below the range of numbers, about 1e%.0f: change its "
                                 "unit, or that of the targets",
                                 linpred__recipe_feature(design->recipe, j), exponent * log10(2.0));
    }
    return LINPRED_OK;
}

void linpred__design_row(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo)
{
    const linpred__design *design = context;
    linpred__polynomial_basis_row(&design->basis, block, r, hi, lo);
    for (int32_t j = 0; j < design->width; j++)
        if (design->exponent[j] != 0) {
            hi[j] = ldexp(hi[j], -design->exponent[j]);
            lo[j] = ldexp(lo[j], -design->exponent[j]);
        }
}

/* ---- magnitudes: what the units depend on ---- */

struct magnitudes {
    double *low;        /* smallest value of each column of the data */
    double *high;       /* largest value of each column of the data */
    double target;      /* largest |y| */
    double lightest;    /* smallest weight of a row */
    double heaviest;    /* largest weight of a row */
    linpred__dd weight; /* Σ weight */
    linpred__dd sum;    /* Σ weight (y - first) 2^-60, with the first target; the factor keeps it from overflowing */
};

/* Targets are summed from it: where all are equal their mean is that number, without rounding. */
static double first_target(const linpred__design *design)
{
    return design->data->rows > 0 ? design->data->block[0].target[0] : 0.0;
}

static void clear_magnitudes(void *context, void *state)
{
    (void)context;
    struct magnitudes *m = state;
    linpred__release(m->low);
    linpred__release(m->high);
}

static bool init_magnitudes(void *context, void *state)
{
    const linpred__design *design = context;
    struct magnitudes *m = state;
    size_t n = (size_t)design->basis.features;
    m->low = linpred__alloc(n, sizeof(double));
    m->high = linpred__alloc(n, sizeof(double));
    if (!m->low || !m->high) {
        clear_magnitudes(context, state);
        return false;
    }
    m->lightest = INFINITY;
    bool sparse = design->data->layout == LINPRED__SPARSE; /* its columns hold zeros that are not stored */
    for (size_t j = 0; j < n; j++) {
        m->low[j] = sparse ? 0.0 : INFINITY;
        m->high[j] = sparse ? 0.0 : -INFINITY;
    }
    return true;
}

static void add_magnitudes(void *context, void *state, const linpred__block *block)
{
    struct magnitudes *m = state;
    double first = first_target(context);
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        m->target = fmax(m->target, fabs(block->target[r]));
        m->lightest = fmin(m->lightest, weight);
        m->heaviest = fmax(m->heaviest, weight);
        m->weight = linpred__dd_add_double(m->weight, weight);
        m->sum = linpred__dd_add(m->sum, linpred__two_product(weight, block->target[r] * 0x1p-60 - first * 0x1p-60));
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            m->low[j] = fmin(m->low[j], row.values[k]);
            m->high[j] = fmax(m->high[j], row.values[k]);
        }
    }
}

static void merge_magnitudes(void *context, void *into, const void *from)
{
    const linpred__design *design = context;
    struct magnitudes *a = into;
    const struct magnitudes *b = from;
    for (int32_t j = 0; j < design->basis.features; j++) {
        a->low[j] = fmin(a->low[j], b->low[j]);
        a->high[j] = fmax(a->high[j], b->high[j]);
    }
    a->target = fmax(a->target, b->target);
    a->lightest = fmin(a->lightest, b->lightest);
    a->heaviest = fmax(a->heaviest, b->heaviest);
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->sum = linpred__dd_add(a->sum, b->sum);
}

static void list_magnitudes(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t n = (size_t)((const linpred__design *)context)->basis.features;
    struct magnitudes *m = state;
    linpred__state_piece(pieces, m->low, n * sizeof(double));
    linpred__state_piece(pieces, m->high, n * sizeof(double));
    linpred__state_piece(pieces, &m->target, sizeof *m - offsetof(struct magnitudes, target));
}

static int exponent_of(double size)
{
    return size > 0 ? ilogb(size) + 1 : 0;
}

static const char *largeness(double size)
{
    return size > 1.0 ? "large" : "small";
}

static bool out_of_range(double size, int exponent)
{
    return size > 0.0 && abs(ilogb(size)) > exponent;
}

/* Refuses numbers whose products with each other would leave the range of doubles, whatever their units inside. */
static linpred_status check_magnitudes(const linpred__design *design, const struct magnitudes *m, linpred_error *error)
{
    for (int32_t j = 0; j < design->basis.features; j++) {
        double size = fmax(fabs(m->low[j]), fabs(m->high[j]));
        if (out_of_range(size, LINPRED__MAX_FEATURE_EXPONENT))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the numbers of '%.60s' are too %s for a regression, up to %.3g: change its unit",
                                 linpred__recipe_feature(design->recipe, design->basis.term_of[j]), largeness(size),
                                 size);
    }
    for (int32_t i = 0; i < design->basis.polynomials; i++) {
        const linpred__polynomial *p = &design->basis.polynomial[i];
        double size = fmax(fabs(m->low[p->feature]), fabs(m->high[p->feature]));
        if (out_of_range(size, LINPRED__MAX_FEATURE_EXPONENT / p->degree))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the powers of '%.60s' are beyond the range of numbers, those of %.3g to the power of "
                                 "%d: change its unit, or ask for a lower --degree",
                                 linpred__recipe_feature(design->recipe, p->term), size, p->degree);
    }
    double extreme = out_of_range(m->lightest, LINPRED__MAX_WEIGHT_EXPONENT) ? m->lightest : m->heaviest;
    if (out_of_range(extreme, LINPRED__MAX_WEIGHT_EXPONENT))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "a row weight of %.3g is too %s for a regression: change all weights by the same factor, "
                             "or leave the row out",
                             extreme, largeness(extreme));
    if (m->target > 0.0 && ilogb(m->target) + ilogb(m->weight.hi) > LINPRED__MAX_TARGET_EXPONENT)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the targets are too large for a regression, up to %.3g%s: give them in a larger unit",
                             m->target, m->weight.hi > 0x1p20 ? ", times the row weights" : "");
    return LINPRED_OK;
}

/* ---- polynomials: Stieltjes' procedure ---- */

struct stieltjes {
    const linpred__design *design;
    int32_t k;      /* the pass finds a_k and b_k */
    double *middle; /* middle of each polynomial's column; sums of x are taken around it */
};

/* φ_k(x). Without intercept φ_0 = 1 only starts the recurrence; it is no function of the basis. */
static double value_at(const linpred__polynomial *p, bool has_intercept, int32_t k, double x)
{
    double before = 0.0, now = 1.0, scale = ldexp(1.0, -p->exponent);
    for (int32_t i = 0; i < k; i++) {
        double next = (x - p->centre[i]) * scale * now - (i > 0 ? p->step[i] * before : 0.0);
        before = i == 0 && !has_intercept ? 0.0 : now;
        now = next;
    }
    return now;
}

/* The state is two sums for each polynomial: Σ weight φ_k² and Σ weight (x - middle) 2^-e φ_k². */
static void add_moments(void *context, void *state, const linpred__block *block)
{
    const struct stieltjes *s = context;
    double *sum = state;
    const linpred__polynomial_basis *basis = &s->design->basis;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        for (int32_t i = 0; i < basis->polynomials; i++) {
            const linpred__polynomial *p = &basis->polynomial[i];
            if (s->k >= p->degree)
                continue;
            double x = block->values[r * block->stride + p->feature];
            double phi = value_at(p, basis->has_intercept, s->k, x);
            double square = weight * phi * phi;
            sum[2 * i] += square;
            sum[2 * i + 1] += square * ldexp(x - s->middle[i], -p->exponent);
        }
    }
}

/* One pass for each degree. Without intercept φ_1 = x 2^-e, so a_0 stays 0. `last` is scratch, three a polynomial. */
static linpred_status find_polynomials(linpred__design *design, double *middle, double *last, linpred_error *error)
{
    linpred__polynomial_basis *basis = &design->basis;
    int32_t degree = linpred__design_degree(design);
    struct stieltjes s = {design, 0, middle};
    double *sum = last + basis->polynomials;
    linpred__visitor visitor = {
        2 * (size_t)basis->polynomials * sizeof *sum, NULL, add_moments, NULL, NULL, &s, linpred__whole_state};
    for (s.k = basis->has_intercept ? 0 : 1; s.k < degree; s.k++) {
        linpred_status status = linpred__pass(design->data, design->run->pool, &visitor, sum, error);
        if (status != LINPRED_OK)
            return status;
        for (int32_t i = 0; i < basis->polynomials; i++) {
            linpred__polynomial *p = &basis->polynomial[i];
            double square = sum[2 * i];
            if (s.k >= p->degree)
                continue;
            bool alive = square > 0 && isfinite(square);
            p->centre[s.k] = middle[i] + (alive ? ldexp(sum[2 * i + 1] / square, p->exponent) : 0.0);
            if (s.k > 0 && alive && last[i] > 0)
                p->step[s.k] = square / last[i];
            last[i] = square;
        }
    }
    return LINPRED_OK;
}

/* ---- both ---- */

static linpred_status set_units(linpred__design *design, const struct magnitudes *m, linpred_error *error)
{
    linpred__polynomial_basis *basis = &design->basis;
    design->target_exponent = exponent_of(m->target);
    design->weight = m->weight.hi;
    design->target_mean = ldexp(first_target(design), -design->target_exponent) +
                          ldexp(m->sum.hi / m->weight.hi, 60 - design->target_exponent);
    for (int32_t j = 0; j < basis->features; j++)
        design->exponent[basis->term_of[j]] = exponent_of(fmax(fabs(m->low[j]), fabs(m->high[j])));
    if (basis->polynomials == 0)
        return LINPRED_OK;
    double *middle = linpred__calloc(4 * (size_t)basis->polynomials, sizeof(double));
    if (!middle)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < basis->polynomials; i++) {
        linpred__polynomial *p = &basis->polynomial[i];
        double low = m->low[p->feature], high = m->high[p->feature];
        middle[i] = 0.5 * low + 0.5 * high;
        p->exponent = exponent_of(basis->has_intercept ? 0.5 * high - 0.5 * low : fmax(fabs(low), fabs(high)));
        design->exponent[p->term] = 0; /* the polynomial has its own unit */
    }
    linpred_status status = find_polynomials(design, middle, middle + basis->polynomials, error);
    linpred__release(middle);
    return status;
}

bool linpred__design_needs_units(const linpred__design *design)
{
    const linpred_data *data = design->data;
    if (!design->plain)
        return true;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r += 1 + (int32_t)(block->rows / 64)) {
            linpred__entries row = linpred__entries_of(block, r);
            for (int64_t k = -2; k < row.count; k++) {
                double size = k == -2 ? linpred__row_weight(block, r) : fabs(k < 0 ? block->target[r] : row.values[k]);
                if (size > LINPRED__DESIGN_SIZE_MAX || (size > 0 && size < LINPRED__DESIGN_SIZE_MIN))
                    return true;
            }
        }
    }
    return false;
}

linpred_status linpred__design_measure(linpred__design *design, linpred_error *error)
{
    linpred__visitor visitor = {sizeof(struct magnitudes), init_magnitudes, add_magnitudes, merge_magnitudes,
                                clear_magnitudes,          design,          list_magnitudes};
    struct magnitudes m;
    linpred_status status = linpred__pass(design->data, design->run->pool, &visitor, &m, error);
    if (status != LINPRED_OK)
        return status;
    status = check_magnitudes(design, &m, error);
    if (status == LINPRED_OK)
        status = set_units(design, &m, error);
    clear_magnitudes(design, &m);
    design->plain = false;
    return status;
}

void linpred__design_total(linpred__design *design)
{
    linpred__dd weight = {0, 0}, sum = {0, 0};
    for (int64_t i = 0; i < design->data->blocks; i++)
        for (int32_t r = 0; r < design->data->block[i].rows; r++) {
            double w = linpred__row_weight(&design->data->block[i], r);
            weight = linpred__dd_add_double(weight, w);
            sum = linpred__dd_add_double(sum, w * design->data->block[i].target[r]);
        }
    design->weight = weight.hi;
    design->target_mean = sum.hi / weight.hi;
}

void linpred__design_to_user(const linpred__design *design, const linpred__dd *c, size_t stride, int shift,
                             linpred__dd *in_basis, linpred__dd *plain)
{
    for (int32_t j = 0; j < design->width; j++) {
        linpred__dd part = c[(size_t)j * stride];
        int exponent = shift - design->exponent[j];
        in_basis[j] = (linpred__dd){ldexp(part.hi, exponent), ldexp(part.lo, exponent)};
    }
    linpred__polynomial_basis_to_powers(&design->basis, in_basis, plain);
}
