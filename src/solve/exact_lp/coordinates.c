/* Coordinates of rows in an exact basis. Coordinate b of every row is its product with column b of the inverse of A,
 * which is an exact solution of A x = e_b (modular_basis.h).
 */
#include "solve/exact_lp/coordinates.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "solve/exact_lp/modular_basis.h"

/* Row numbers are local: the anchors come first, the rows of `use` follow. */
struct linpred__coordinates {
    int32_t view_columns;         /* columns of the view that the rows came from */
    int32_t anchors;              /* number of anchors; they have the first places in the basis */
    int32_t used;                 /* rows without the anchors */
    linpred__integral z;          /* the local rows as integers */
    linpred__modular_basis basis; /* spans all local rows modulo its prime */
    double *values;               /* used x (basis.size - anchors), row by row: the coordinates */
};

/* Returns false if the anchors are dependent modulo the prime. Then they are dependent, or the prime divides a
   determinant (very unlikely). */
static bool build_basis(linpred__modular_basis *basis, const linpred__exact_question *question, const int32_t *local,
                        linpred__effort *effort)
{
    int32_t anchors = question->anchors, starts = question->starts;
    int32_t n = basis->z->rows;
    for (int32_t k = 0; k < anchors + starts + n && basis->size < basis->capacity; k++) {
        int32_t i = k < anchors ? k : k < anchors + starts ? local[question->start[k - anchors]] : k - anchors - starts;
        if (i < 0 || basis->row_place[i] >= 0)
            continue;
        double size = basis->size + 1.0;
        if (!linpred__effort_spend(effort, 4 * size * size + basis->z->columns))
            return true;
        int32_t column = linpred__modular_basis_express(basis, i);
        if (column >= 0)
            linpred__modular_basis_grow(basis, i, column);
        else if (k < anchors)
            return false;
    }
    return basis->size >= anchors;
}

/* Fills coordinate `column` of every row. `right` and `x` are scratch of the basis's size. */
static linpred_status one_coordinate(linpred__coordinates *c, int32_t column, linpred__integers *right,
                                     linpred__fractions *x, linpred__effort *effort)
{
    const linpred__modular_basis *basis = &c->basis;
    const linpred__integral *z = basis->z;
    int32_t anchors = c->anchors, place = anchors + column, width = basis->size - anchors;
    for (int32_t b = 0; b < basis->size; b++)
        mpz_set_ui(right->value[b], b == place);
    bool solved;
    linpred_status status = linpred__modular_basis_solve(basis, false, right, x, effort, &solved);
    if (status != LINPRED_OK || !solved)
        return status;
    mpz_t sum, scratch;
    mpz_init(sum);
    mpz_init(scratch);
    long below;
    double denominator = linpred__integer_fraction(x->denominator, &below);
    for (int32_t i = anchors; i < z->rows; i++) {
        mpz_set_ui(sum, 0);
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            int32_t j = basis->column_place[z->index[e]];
            if (j >= 0)
                linpred__integral_add_multiple(z, e, x->numerator.value[j], scratch, sum);
        }
        long exponent;
        double fraction = linpred__integer_fraction(sum, &exponent) / denominator;
        exponent -= below;
        /* The range is cut to that of doubles. The coordinates only lead to proposals, which are tested exactly. */
        exponent = exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
        c->values[(int64_t)(i - anchors) * width + column] = ldexp(fraction, (int)exponent);
    }
    linpred__effort_spend(effort, (double)z->start[z->rows] * (20 + 0.5 * (double)mpz_size(x->denominator)));
    mpz_clear(sum);
    mpz_clear(scratch);
    return LINPRED_OK;
}

static linpred_status all_coordinates(linpred__coordinates *c, linpred__effort *effort)
{
    int32_t width = c->basis.size - c->anchors;
    linpred__integers right = {0, NULL};
    linpred__fractions x;
    c->values = linpred__alloc((size_t)c->used * (size_t)width, sizeof *c->values);
    if (!c->values || !linpred__integers_open(c->basis.size, &right))
        return LINPRED_ERROR_MEMORY;
    if (!linpred__fractions_open(c->basis.size, &x)) {
        linpred__integers_close(&right);
        return LINPRED_ERROR_MEMORY;
    }
    linpred_status status = LINPRED_OK;
    for (int32_t b = 0; b < width && status == LINPRED_OK && !effort->over; b++)
        status = one_coordinate(c, b, &right, &x, effort);
    linpred__integers_close(&right);
    linpred__fractions_close(&x);
    return status;
}

linpred_status linpred__coordinates_open(const linpred__exact_question *question, linpred__effort *effort,
                                         linpred__coordinates **out)
{
    const linpred__rows *rows = question->rows;
    int32_t anchors = question->anchors, used = question->used;
    *out = NULL;
    int32_t *global = linpred__alloc((size_t)anchors + (size_t)used, sizeof *global);
    int32_t *local = linpred__alloc((size_t)rows->rows, sizeof *local);
    linpred__coordinates *c = linpred__calloc(1, sizeof *c);
    linpred_status status = global && local && c ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK) {
        c->view_columns = rows->columns;
        c->anchors = anchors;
        c->used = used;
        for (int32_t i = 0; i < rows->rows; i++)
            local[i] = -1;
        for (int32_t k = 0; k < anchors + used; k++) {
            global[k] = k < anchors ? question->anchor[k] : question->use[k - anchors];
            local[global[k]] = k;
        }
        if (!linpred__integral_open(rows, global, anchors + used, &c->z))
            status = LINPRED_ERROR_MEMORY;
    }
    bool whole = status == LINPRED_OK && linpred__modular_basis_fits(&c->z);
    if (whole && !linpred__modular_basis_open(&c->z, &c->basis))
        status = LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK && whole)
        whole = build_basis(&c->basis, question, local, effort);
    if (status == LINPRED_OK && whole && !effort->over)
        status = all_coordinates(c, effort);
    linpred__release(global);
    linpred__release(local);
    if (status != LINPRED_OK || !whole || effort->over) {
        linpred__coordinates_close(c);
        return status;
    }
    *out = c;
    return LINPRED_OK;
}

void linpred__coordinates_close(linpred__coordinates *c)
{
    if (!c)
        return;
    linpred__modular_basis_close(&c->basis);
    linpred__integral_close(&c->z);
    linpred__release(c->values);
    linpred__release(c);
}

linpred__rows linpred__coordinates_rows(const linpred__coordinates *c)
{
    return (linpred__rows){c->used, c->basis.size - c->anchors, c->values, NULL, NULL, NULL};
}

linpred_status linpred__coordinates_direction(const linpred__coordinates *c, const double *u, linpred__effort *effort,
                                              linpred__integers *w, bool *found)
{
    *found = false;
    int32_t k = c->basis.size;
    linpred__integers right = {0, NULL};
    linpred__fractions x;
    if (!linpred__integers_open(k, &right))
        return LINPRED_ERROR_MEMORY;
    if (!linpred__fractions_open(k, &x)) {
        linpred__integers_close(&right);
        return LINPRED_ERROR_MEMORY;
    }
    int top = -2000;
    for (int32_t b = c->anchors; b < k; b++) {
        int exponent;
        frexp(u[b - c->anchors], &exponent);
        if (u[b - c->anchors] != 0.0 && exponent > top)
            top = exponent;
    }
    for (int32_t b = c->anchors; b < k; b++)
        mpz_set_d(right.value[b], rint(ldexp(u[b - c->anchors], 30 - top)));
    linpred_status status = linpred__modular_basis_solve(&c->basis, false, &right, &x, effort, found);
    if (status == LINPRED_OK && *found) {
        if (linpred__integers_open(c->view_columns, w))
            linpred__modular_basis_direction(&c->basis, &x, w);
        else
            status = LINPRED_ERROR_MEMORY;
    }
    linpred__integers_close(&right);
    linpred__fractions_close(&x);
    return status;
}
