/* The polynomials of model/basis.h: making them, their values, and the change to plain powers. */
#include "model/basis.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "data/decimals.h"

void linpred__polynomial_basis_clear(linpred__polynomial_basis *basis)
{
    for (int32_t i = 0; basis->polynomial && i < basis->polynomials; i++) {
        linpred__release(basis->polynomial[i].centre);
        linpred__release(basis->polynomial[i].step);
    }
    linpred__release(basis->polynomial);
    linpred__release(basis->term_of);
    *basis = (linpred__polynomial_basis){0};
}

static bool add_polynomial(linpred__polynomial_basis *basis, int32_t feature, int32_t term, int32_t degree)
{
    linpred__polynomial *polynomial = &basis->polynomial[basis->polynomials++];
    *polynomial = (linpred__polynomial){.feature = feature, .term = term, .degree = degree};
    polynomial->centre = linpred__calloc((size_t)degree, sizeof(double));
    polynomial->step = linpred__calloc((size_t)degree, sizeof(double));
    return polynomial->centre && polynomial->step;
}

bool linpred__polynomial_basis_make(linpred__polynomial_basis *basis, const linpred__recipe *recipe, bool has_intercept)
{
    *basis = (linpred__polynomial_basis){
        .terms = recipe->terms, .features = recipe->features, .has_intercept = has_intercept};
    basis->polynomial = linpred__calloc((size_t)recipe->sources, sizeof *basis->polynomial);
    basis->term_of = linpred__alloc((size_t)recipe->features, sizeof *basis->term_of);
    bool complete = basis->polynomial && basis->term_of;
    int32_t feature = 0, term = 0;
    for (int32_t i = 0; complete && i < recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        int32_t terms = linpred__recipe_column_terms(&source);
        if (source.type == LINPRED_COLUMN_NUMBER && terms > 1)
            complete = add_polynomial(basis, feature, term, terms);
        for (int32_t k = 0; k < linpred__recipe_column_features(&source); k++)
            basis->term_of[feature++] = term + k;
        term += terms;
    }
    if (!complete)
        linpred__polynomial_basis_clear(basis);
    return complete;
}

bool linpred__polynomial_basis_copy(linpred__polynomial_basis *to, const linpred__polynomial_basis *from)
{
    *to = *from;
    size_t features = (size_t)from->features;
    to->polynomials = 0;
    to->polynomial = linpred__calloc((size_t)from->polynomials, sizeof *to->polynomial);
    to->term_of = linpred__alloc(features, sizeof *to->term_of);
    bool complete = to->polynomial && to->term_of;
    if (complete)
        memcpy(to->term_of, from->term_of, features * sizeof *to->term_of);
    for (int32_t i = 0; complete && i < from->polynomials; i++) {
        const linpred__polynomial *p = &from->polynomial[i];
        complete = add_polynomial(to, p->feature, p->term, p->degree);
        if (complete) {
            to->polynomial[i].exponent = p->exponent;
            memcpy(to->polynomial[i].centre, p->centre, (size_t)p->degree * sizeof(double));
            memcpy(to->polynomial[i].step, p->step, (size_t)p->degree * sizeof(double));
        }
    }
    if (!complete)
        linpred__polynomial_basis_clear(to);
    return complete;
}

/* φ_{k+1}(x) from φ_k and φ_{k-1}. */
static linpred__dd next_value(const linpred__polynomial *p, int32_t k, linpred__dd x, linpred__dd now,
                              linpred__dd before)
{
    double scale = ldexp(1.0, -p->exponent);
    linpred__dd factor = linpred__dd_add_double(x, -p->centre[k]);
    linpred__dd next = linpred__dd_multiply((linpred__dd){factor.hi * scale, factor.lo * scale}, now);
    if (k > 0 && p->step[k] != 0.0)
        next = linpred__dd_add(next, linpred__dd_multiply_double(before, -p->step[k]));
    return next;
}

/* What a cell means, to 2^-104 of it. */
static linpred__dd meant(const linpred__block *block, int32_t column, double x)
{
    return (linpred__dd){x, linpred__cell_lost(block, column, x)};
}

void linpred__polynomial_basis_row(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                   double *hi, double *lo)
{
    size_t width = (size_t)linpred__polynomial_basis_width(basis);
    memset(lo, 0, width * sizeof *lo);
    if (basis->has_intercept)
        hi[basis->terms] = 1.0;
    if (block->layout == LINPRED__SPARSE) {
        memset(hi, 0, (size_t)basis->terms * sizeof *hi);
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++) {
            linpred__dd x = meant(block, block->indices[k], block->values[k]);
            hi[block->indices[k]] = x.hi;
            lo[block->indices[k]] = x.lo;
        }
        return;
    }
    const double *x = block->values + r * block->stride;
    if (basis->polynomials == 0 && !block->decimals) {
        memcpy(hi, x, (size_t)basis->terms * sizeof *hi);
        return;
    }
    for (int32_t j = 0; j < basis->features; j++) {
        int32_t term = basis->polynomials > 0 ? basis->term_of[j] : j;
        hi[term] = x[j];
        lo[term] = meant(block, j, x[j]).lo;
    }
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *p = &basis->polynomial[i];
        linpred__dd before = {0.0, 0.0}, now = {1.0, 0.0};
        for (int32_t k = 0; k < p->degree; k++) {
            linpred__dd next = next_value(p, k, meant(block, p->feature, x[p->feature]), now, before);
            hi[p->term + k] = next.hi;
            lo[p->term + k] = next.lo;
            before = k == 0 && !basis->has_intercept ? (linpred__dd){0.0, 0.0} : now;
            now = next;
        }
    }
}

/* next <- φ_{k+1} by powers of x 2^-e, from φ_k and φ_{k-1}; each is degree + 1 long. */
static void next_powers(const linpred__polynomial *p, int32_t k, const linpred__dd *now, const linpred__dd *before,
                        linpred__dd *next)
{
    double centre = ldexp(p->centre[k], -p->exponent);
    for (int32_t j = 0; j <= p->degree; j++) {
        linpred__dd sum = linpred__dd_multiply_double(now[j], -centre);
        if (j > 0)
            sum = linpred__dd_add(sum, now[j - 1]);
        next[j] = linpred__dd_add(sum, linpred__dd_multiply_double(before[j], -p->step[k]));
    }
}

/* Adds Σ c_k φ_k of one column to the plain powers. The sums are in powers of x 2^-e, which are near 1: those of x may
   be beyond the range of doubles, and products with them lose digits by underflow. */
static void add_powers(const linpred__polynomial_basis *basis, const linpred__polynomial *p, const linpred__dd *c,
                       linpred__dd *plain)
{
    enum { CAPACITY = 102 }; /* --degree is at most 100 */
    linpred__dd buffer[3][CAPACITY] = {0};
    linpred__dd *before = buffer[0], *now = buffer[1], *next = buffer[2];
    linpred__dd sum[CAPACITY] = {0};
    now[0].hi = 1.0;
    for (int32_t k = 0; k < p->degree; k++) {
        next_powers(p, k, now, before, next);
        for (int32_t j = 0; j <= p->degree; j++)
            sum[j] = linpred__dd_add(sum[j], linpred__dd_multiply(c[p->term + k], next[j]));
        linpred__dd *unused = before;
        before = now;
        if (k == 0 && !basis->has_intercept)
            memset(before, 0, sizeof buffer[0]);
        now = next;
        next = unused;
    }
    for (int32_t j = 1; j <= p->degree; j++) {
        int shift = -p->exponent * j;
        plain[p->term + j - 1] = (linpred__dd){ldexp(sum[j].hi, shift), ldexp(sum[j].lo, shift)};
    }
    if (basis->has_intercept)
        plain[basis->terms] = linpred__dd_add(plain[basis->terms], sum[0]);
}

void linpred__polynomial_basis_to_powers(const linpred__polynomial_basis *basis, const linpred__dd *c,
                                         linpred__dd *plain)
{
    memcpy(plain, c, (size_t)linpred__polynomial_basis_width(basis) * sizeof *plain);
    for (int32_t i = 0; i < basis->polynomials; i++)
        add_powers(basis, &basis->polynomial[i], c, plain);
}

double linpred__polynomial_basis_score(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                       const double *c, const double *tail)
{
    const double *x = block->values + r * block->stride;
    linpred__dd sum = {0.0, 0.0};
    int32_t next_polynomial = 0;
    if (basis->has_intercept)
        sum = (linpred__dd){c[basis->terms], tail[basis->terms]};
    for (int32_t j = 0; j < basis->features; j++) {
        const linpred__polynomial *p = &basis->polynomial[next_polynomial];
        if (next_polynomial == basis->polynomials || p->feature != j) {
            int32_t term = basis->term_of[j];
            sum = linpred__dd_add(sum, linpred__dd_multiply_double((linpred__dd){c[term], tail[term]}, x[j]));
            continue;
        }
        linpred__dd before = {0.0, 0.0}, now = {1.0, 0.0};
        for (int32_t k = 0; k < p->degree; k++) {
            linpred__dd next = next_value(p, k, meant(block, j, x[j]), now, before);
            sum = linpred__dd_add(sum, linpred__dd_multiply(next, (linpred__dd){c[p->term + k], tail[p->term + k]}));
            before = k == 0 && !basis->has_intercept ? (linpred__dd){0.0, 0.0} : now;
            now = next;
        }
        next_polynomial++;
    }
    return sum.hi;
}
