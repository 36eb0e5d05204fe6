/* The simplex method for least absolute deviations in rationals.
 *
 * With the rows of the basis h, T = X X_h^-1 and residuals r = y - T y_h. Every row outside of the basis has the dual
 * of its side, a = up above the fit and -down below. The duals of the basis follow from Σ a x = 0:  a_h = -Σ a_i T_i.
 * The vertex is optimal if they are all in their intervals. If that of row k is not, the fit leaves row k to the side
 * that its dual exceeds, and goes on until the loss no longer falls; the row that it meets there joins the basis.
 *
 * Where more rows than columns lie on a fit, steps of length 0 could go round for ever. So y stands for y + ε u with an
 * infinitely small ε and numbers u from a hash. Residuals are then pairs, compared by their first part, then by their
 * second.
 */
#include "fit/least_absolute/exact.h"

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_absolute/limits.h"
#include "fit/least_absolute/row.h"
#include "solve/dense/rational_system.h"

struct exact_vertex {
    size_t rows, n;
    linpred__rationals x;     /* rows x (n + 2): columns, y, u */
    linpred__rationals t;     /* T, rows x n */
    linpred__rationals r;     /* rows x 2: residuals and their parts of ε */
    linpred__rationals slope; /* rows x 2: up and down */
    linpred__rationals dual;  /* of the basis, then scratch: n + 6 */
    linpred__rationals square;
    size_t *basis;
    bool *in_basis;
};

static void close_exact_vertex(struct exact_vertex *v)
{
    linpred__rationals_close(&v->x);
    linpred__rationals_close(&v->t);
    linpred__rationals_close(&v->r);
    linpred__rationals_close(&v->slope);
    linpred__rationals_close(&v->dual);
    linpred__rationals_close(&v->square);
    linpred__release(v->basis);
    linpred__release(v->in_basis);
}

static bool open_exact_vertex(struct exact_vertex *v, size_t rows, size_t n)
{
    *v = (struct exact_vertex){.rows = rows, .n = n};
    v->basis = linpred__calloc(n + 1, sizeof *v->basis);
    v->in_basis = linpred__calloc(rows, sizeof *v->in_basis);
    return v->basis && v->in_basis && linpred__rationals_open(&v->x, rows, n + 2) &&
           linpred__rationals_open(&v->t, rows, n) && linpred__rationals_open(&v->r, rows, 2) &&
           linpred__rationals_open(&v->slope, rows, 2) && linpred__rationals_open(&v->dual, 1, n + 6) &&
           linpred__rationals_open(&v->square, n, n + rows + 2);
}

/* x <- x 2^exponent */
static void shift(mpq_t x, int exponent)
{
    if (exponent > 0)
        mpq_mul_2exp(x, x, (mp_bitcnt_t)exponent);
    else if (exponent < 0)
        mpq_div_2exp(x, x, (mp_bitcnt_t)-exponent);
}

/* Rows in the units of the design, without the rounding of doubles that are far smaller than others of a column. */
static void fill_exact_rows(const linpred__deviations *question, const linpred__deviation_span *span,
                            struct exact_vertex *v)
{
    const linpred__design *design = &question->design;
    size_t n = v->n, width = (size_t)design->width;
    for (size_t i = 0; i < v->rows; i++) {
        int32_t at;
        const linpred__block *block = linpred__block_of(design->data, (int64_t)i, &at);
        mpq_t *row = v->x.at + i * (n + 2);
        double up, down, y = block->target[at];
        linpred__polynomial_basis_row(&design->basis, block, at, question->scratch, question->scratch + width);
        for (size_t k = 0; k < n; k++) {
            size_t j = (size_t)span->column[k];
            linpred__rational_set_dd(row[k], (linpred__dd){question->scratch[j], question->scratch[width + j]});
            shift(row[k], -design->exponent[j]);
        }
        linpred__rational_set_dd(row[n], (linpred__dd){y, linpred__target_lost(design->data, y)});
        shift(row[n], -design->target_exponent);
        uint64_t hash = (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u;
        mpq_set_d(row[n + 1], (double)((hash ^ (hash >> 29)) >> 12));
        linpred__deviations_slopes(question, block, at, &up, &down);
        mpq_set_d(v->slope.at[2 * i], up);
        mpq_set_d(v->slope.at[2 * i + 1], down);
    }
}

/* Takes the first rows that are independent. Returns false if there are fewer than columns. */
static bool find_exact_basis(struct exact_vertex *v)
{
    size_t n = v->n, found = 0;
    mpq_t *rest = v->dual.at, *factor = v->dual.at + n, *term = factor + 1;
    size_t *pivot = linpred__alloc(n + 1, sizeof *pivot);
    for (size_t i = 0; pivot && found < n && i < v->rows; i++) { /* reduced rows are kept in v->square */
        size_t stride = v->square.columns, j = 0;
        for (size_t k = 0; k < n; k++)
            mpq_set(rest[k], v->x.at[i * (n + 2) + k]);
        for (size_t b = 0; b < found; b++) {
            mpq_set(*factor, rest[pivot[b]]);
            for (size_t k = 0; k < n; k++) {
                mpq_mul(*term, *factor, v->square.at[b * stride + k]);
                mpq_sub(rest[k], rest[k], *term);
            }
        }
        while (j < n && mpq_sgn(rest[j]) == 0)
            j++;
        if (j == n)
            continue;
        for (size_t k = n; k-- > 0;)
            if (k != j)
                mpq_div(v->square.at[found * stride + k], rest[k], rest[j]);
        mpq_set_si(v->square.at[found * stride + j], 1, 1);
        pivot[found] = j;
        v->basis[found++] = i;
        v->in_basis[i] = true;
    }
    linpred__release(pivot);
    return found == n;
}

/* T and r of the basis: X_h' T' = X' is solved for all rows at once. Returns false if the basis is singular. */
static bool evaluate_basis(struct exact_vertex *v)
{
    size_t n = v->n, stride = v->square.columns;
    mpq_t *term = v->dual.at + n;
    for (size_t k = 0; k < n; k++) {
        for (size_t b = 0; b < n; b++)
            mpq_set(v->square.at[k * stride + b], v->x.at[v->basis[b] * (n + 2) + k]);
        for (size_t i = 0; i < v->rows + 2; i++)
            mpq_set_si(v->square.at[k * stride + n + i], 0, 1);
        for (size_t i = 0; i < v->rows; i++)
            mpq_set(v->square.at[k * stride + n + i], v->x.at[i * (n + 2) + k]);
    }
    if (!linpred__rationals_solve(&v->square))
        return false;
    for (size_t i = 0; i < v->rows; i++) {
        mpq_set(v->r.at[2 * i], v->x.at[i * (n + 2) + n]);
        mpq_set(v->r.at[2 * i + 1], v->x.at[i * (n + 2) + n + 1]);
        for (size_t b = 0; b < n; b++) {
            mpq_set(v->t.at[i * n + b], v->square.at[b * stride + n + i]);
            for (size_t part = 0; part < 2; part++) {
                mpq_mul(*term, v->t.at[i * n + b], v->x.at[v->basis[b] * (n + 2) + n + part]);
                mpq_sub(v->r.at[2 * i + part], v->r.at[2 * i + part], *term);
            }
        }
    }
    return true;
}

/* 1 above the fit, -1 below. */
static int side_of(const struct exact_vertex *v, size_t row)
{
    int first = mpq_sgn(v->r.at[2 * row]);
    return (first != 0 ? first : mpq_sgn(v->r.at[2 * row + 1])) < 0 ? -1 : 1;
}

/* Duals of the basis. Returns the place in it of the row to leave, with *sign 1 if it comes to lie above the fit; n if
   the vertex is optimal. `*fall` becomes by how much the loss falls at first. */
static size_t find_leaving(struct exact_vertex *v, int *sign, mpq_t *fall)
{
    size_t n = v->n, leaving = n;
    mpq_t *term = v->dual.at + n, *over = term + 1;
    mpq_set_si(*fall, 0, 1);
    for (size_t b = 0; b < n; b++) {
        mpq_set_si(v->dual.at[b], 0, 1);
        for (size_t i = 0; i < v->rows; i++) {
            if (v->in_basis[i])
                continue;
            bool above = side_of(v, i) > 0;
            mpq_mul(*term, v->slope.at[2 * i + !above], v->t.at[i * n + b]);
            (above ? mpq_sub : mpq_add)(v->dual.at[b], v->dual.at[b], *term);
        }
        for (int s = 1; s >= -1; s -= 2) { /* a - up above, -a - down below */
            mpq_set(*over, v->dual.at[b]);
            if (s < 0)
                mpq_neg(*over, *over);
            mpq_sub(*over, *over, v->slope.at[2 * v->basis[b] + (s < 0)]);
            if (mpq_cmp(*over, *fall) > 0) {
                mpq_set(*fall, *over);
                *sign = s;
                leaving = b;
            }
        }
    }
    return leaving;
}

/* Whether row i is met before row k: t = -s r / T, compared as pairs. `scratch` has 2 places. */
static bool is_met_before(const struct exact_vertex *v, size_t leaving, int sign, size_t i, size_t k, mpq_t *scratch)
{
    for (size_t part = 0; part < 2; part++) {
        mpq_div(scratch[0], v->r.at[2 * i + part], v->t.at[i * v->n + leaving]);
        mpq_div(scratch[1], v->r.at[2 * k + part], v->t.at[k * v->n + leaving]);
        int order = -sign * mpq_cmp(scratch[0], scratch[1]);
        if (order != 0)
            return order < 0;
    }
    return i < k;
}

/* The row that joins: the one at which the loss no longer falls. The fit moves by t along  -s X_h^-1 e_b, so residual i
   changes by s t T_ib. Returns `rows` if there is none. */
static size_t find_joining(struct exact_vertex *v, size_t leaving, int sign, mpq_t *fall)
{
    size_t n = v->n, joining = v->rows;
    mpq_t *term = v->dual.at + n, *both = term + 1, *scratch = term + 2;
    bool *passed = linpred__calloc(v->rows, sizeof *passed);
    while (passed && mpq_sgn(*fall) > 0) {
        joining = v->rows;
        for (size_t i = 0; i < v->rows; i++) {
            int change = sign * mpq_sgn(v->t.at[i * n + leaving]);
            bool nears = !v->in_basis[i] && !passed[i] && change != 0 && change != side_of(v, i);
            if (nears && (joining == v->rows || is_met_before(v, leaving, sign, i, joining, scratch)))
                joining = i;
        }
        if (joining == v->rows)
            break;
        passed[joining] = true;
        mpq_add(*both, v->slope.at[2 * joining], v->slope.at[2 * joining + 1]);
        mpq_abs(*term, v->t.at[joining * n + leaving]);
        mpq_mul(*term, *term, *both);
        mpq_sub(*fall, *fall, *term);
    }
    linpred__release(passed);
    return joining;
}

/* Goes from vertex to vertex until one is optimal. */
static bool run_exact_simplex(struct exact_vertex *v)
{
    mpq_t *fall = v->dual.at + v->n + 5;
    for (size_t step = 0; step < LINPRED__DEVIATIONS_EXACT_STEPS * (v->rows + v->n) && evaluate_basis(v); step++) {
        int sign = 0;
        size_t leaving = find_leaving(v, &sign, fall);
        if (leaving == v->n)
            return true;
        size_t joining = find_joining(v, leaving, sign, fall);
        if (joining == v->rows)
            return false;
        v->in_basis[v->basis[leaving]] = false;
        v->in_basis[joining] = true;
        v->basis[leaving] = joining;
    }
    return false;
}

linpred_status linpred__deviations_exactly(const linpred__deviations *question, const linpred__deviation_span *span,
                                           int64_t *basis, int8_t *side, bool *solved, linpred_error *error)
{
    size_t rows = (size_t)question->design.data->rows, n = (size_t)span->rank;
    *solved = false;
    if ((double)rows * (double)(n * n) > LINPRED__DEVIATIONS_EXACT_WORK || n > LINPRED__DEVIATIONS_EXACT_COLUMNS ||
        n == 0)
        return LINPRED_OK;
    struct exact_vertex v;
    bool opened = open_exact_vertex(&v, rows, n);
    if (opened) {
        fill_exact_rows(question, span, &v);
        *solved = find_exact_basis(&v) && run_exact_simplex(&v);
    }
    for (size_t k = 0; *solved && k < n; k++)
        basis[k] = (int64_t)v.basis[k];
    for (size_t i = 0; *solved && i < rows; i++)
        side[i] = v.in_basis[i] ? 0 : side_of(&v, i) > 0 ? LINPRED__KNOWN_ABOVE : LINPRED__KNOWN_BELOW;
    close_exact_vertex(&v);
    return opened ? LINPRED_OK : linpred__no_memory(error);
}
