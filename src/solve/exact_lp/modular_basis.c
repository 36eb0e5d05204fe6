/* The inverse of the basis modulo a prime, and its updates. The header has the formulas. */
#include "solve/exact_lp/modular_basis.h"

#include <string.h>

#include "core/memory.h"
#include "num/modular.h"

static void take_residues(linpred__modular_basis *basis)
{
    const linpred__integral *z = basis->z;
    uint64_t p = basis->prime;
    for (int64_t e = 0; e < z->start[z->rows]; e++) {
        int64_t m = z->mantissa[e]; /* |m| < 2^53 < p */
        uint64_t r = m >= 0 ? (uint64_t)m : p - (uint64_t)-m;
        if (z->shift[e] > 0)
            r = linpred__mod_multiply(r, linpred__mod_power_of_two((unsigned)z->shift[e], p), p);
        basis->residue[e] = r;
    }
}

static int32_t capacity_for(const linpred__integral *z)
{
    return z->rows < z->columns ? z->rows : z->columns;
}

bool linpred__modular_basis_fits(const linpred__integral *z)
{
    return capacity_for(z) <= LINPRED__MAX_BASIS_ROWS;
}

bool linpred__modular_basis_open(const linpred__integral *z, linpred__modular_basis *basis)
{
    memset(basis, 0, sizeof *basis);
    int32_t capacity = capacity_for(z);
    size_t k = (size_t)capacity;
    basis->z = z;
    basis->capacity = capacity;
    basis->residue = linpred__alloc((size_t)z->start[z->rows], sizeof *basis->residue);
    basis->row = linpred__alloc(k, sizeof *basis->row);
    basis->column = linpred__alloc(k, sizeof *basis->column);
    basis->row_place = linpred__alloc((size_t)z->rows, sizeof *basis->row_place);
    basis->column_place = linpred__alloc((size_t)z->columns, sizeof *basis->column_place);
    basis->inverse = linpred__alloc(k * k, sizeof *basis->inverse);
    basis->alpha = linpred__alloc(k, sizeof *basis->alpha);
    basis->residual = linpred__alloc((size_t)z->columns, sizeof *basis->residual);
    basis->scratch = linpred__alloc(k, sizeof *basis->scratch);
    basis->sums = linpred__alloc(k, sizeof *basis->sums);
    if (!basis->residue || !basis->row || !basis->column || !basis->row_place || !basis->column_place ||
        !basis->inverse || !basis->alpha || !basis->residual || !basis->scratch || !basis->sums) {
        linpred__modular_basis_close(basis);
        return false;
    }
    for (int32_t i = 0; i < z->rows; i++)
        basis->row_place[i] = -1;
    for (int32_t j = 0; j < z->columns; j++)
        basis->column_place[j] = -1;
    basis->prime = linpred__prime(0);
    take_residues(basis);
    return true;
}

void linpred__modular_basis_close(linpred__modular_basis *basis)
{
    linpred__release(basis->residue);
    linpred__release(basis->row);
    linpred__release(basis->column);
    linpred__release(basis->row_place);
    linpred__release(basis->column_place);
    linpred__release(basis->inverse);
    linpred__release(basis->alpha);
    linpred__release(basis->residual);
    linpred__release(basis->scratch);
    linpred__release(basis->sums);
    memset(basis, 0, sizeof *basis);
}

/* alpha = a_i C: adds the rows of C at the columns where a_i has entries, each times its entry. Products are below
   2^120, so 128 of them fit in 128 bits before they are reduced. */
static void express_on_basis(linpred__modular_basis *basis, int32_t row)
{
    const linpred__integral *z = basis->z;
    uint64_t p = basis->prime;
    int32_t k = basis->size;
    memset(basis->sums, 0, (size_t)k * sizeof *basis->sums);
    int added = 0;
    for (int64_t e = z->start[row]; e < z->start[row + 1]; e++) {
        int32_t j = basis->column_place[z->index[e]];
        if (j < 0)
            continue;
        const uint64_t *c = basis->inverse + (size_t)j * (size_t)basis->capacity;
        uint64_t a = basis->residue[e];
        for (int32_t b = 0; b < k; b++)
            basis->sums[b] += (linpred__uint128)a * c[b];
        if (++added == 128) {
            for (int32_t b = 0; b < k; b++)
                basis->sums[b] = linpred__mod_reduce(basis->sums[b], p);
            added = 0;
        }
    }
    for (int32_t b = 0; b < k; b++)
        basis->alpha[b] = linpred__mod_reduce(basis->sums[b], p);
}

int32_t linpred__modular_basis_express(linpred__modular_basis *basis, int32_t row)
{
    const linpred__integral *z = basis->z;
    uint64_t p = basis->prime;
    express_on_basis(basis, row);
    memset(basis->residual, 0, (size_t)z->columns * sizeof *basis->residual);
    for (int64_t e = z->start[row]; e < z->start[row + 1]; e++) {
        uint64_t *r = basis->residual + z->index[e];
        *r = linpred__mod_add(*r, basis->residue[e], p);
    }
    for (int32_t b = 0; b < basis->size; b++) {
        if (basis->alpha[b] == 0)
            continue;
        linpred__mod_factor f = linpred__mod_prepare(basis->alpha[b], p);
        int32_t i = basis->row[b];
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            uint64_t *r = basis->residual + z->index[e];
            *r = linpred__mod_subtract(*r, linpred__mod_times(f, basis->residue[e], p), p);
        }
    }
    for (int32_t j = 0; j < z->columns; j++)
        if (basis->residual[j] != 0 && basis->column_place[j] < 0)
            return j;
    return -1;
}

/* Let u be the new column on the rows B, y = C u, and s the residual of the new row in that column. The inverse of the
   bordered matrix is [C + y alpha/s, -y/s; -alpha/s, 1/s]. */
void linpred__modular_basis_grow(linpred__modular_basis *basis, int32_t row, int32_t column)
{
    uint64_t p = basis->prime;
    int32_t k = basis->size;
    size_t stride = (size_t)basis->capacity;
    for (int32_t b = 0; b < k; b++) {
        int32_t i = basis->row[b];
        int64_t e = linpred__integral_find(basis->z, i, column);
        basis->scratch[b] = 0;
        for (; e >= 0 && e < basis->z->start[i + 1] && basis->z->index[e] == column; e++)
            basis->scratch[b] = linpred__mod_add(basis->scratch[b], basis->residue[e], p);
    }
    uint64_t t = linpred__mod_inverse(basis->residual[column], p);
    linpred__mod_factor by_t = linpred__mod_prepare(t, p);
    uint64_t *last = basis->inverse + (size_t)k * stride;
    for (int32_t b = 0; b < k; b++)
        last[b] = linpred__mod_negate(linpred__mod_times(by_t, basis->alpha[b], p), p);
    last[k] = t;
    for (int32_t j = 0; j < k; j++) {
        uint64_t *c = basis->inverse + (size_t)j * stride;
        uint64_t y = linpred__mod_dot(c, basis->scratch, k, p);
        linpred__mod_subtract_multiple(c, y, last, k, p);
        c[k] = linpred__mod_negate(linpred__mod_times(by_t, y, p), p);
    }
    basis->row[k] = row;
    basis->column[k] = column;
    basis->row_place[row] = k;
    basis->column_place[column] = k;
    basis->size = k + 1;
}

/* The rows of B join an empty basis one by one, each with a column of J in which it has a residual. */
bool linpred__modular_basis_change_prime(linpred__modular_basis *basis)
{
    int32_t k = basis->size;
    while (++basis->prime_index < LINPRED__PRIMES) {
        basis->prime = linpred__prime(basis->prime_index);
        take_residues(basis);
        /* -2 marks the columns of J that have no row yet. Columns outside J keep -1 and are not used. */
        for (int32_t j = 0; j < k; j++)
            basis->column_place[basis->column[j]] = -2;
        basis->size = 0;
        bool whole = true;
        for (int32_t b = 0; b < k && whole; b++) {
            int32_t row = basis->row[b];
            linpred__modular_basis_express(basis, row);
            int32_t found = -1;
            for (int32_t j = 0; j < basis->z->columns && found < 0; j++)
                if (basis->column_place[j] == -2 && basis->residual[j] != 0)
                    found = j;
            whole = found >= 0;
            if (whole) {
                /* This overwrites basis->column[b]. The marks still tell which columns belong to J. */
                linpred__modular_basis_grow(basis, row, found);
            }
        }
        if (whole)
            return true;
        int32_t taken = 0;
        for (int32_t j = 0; j < basis->z->columns; j++)
            if (basis->column_place[j] != -1)
                basis->column[taken++] = j;
    }
    return false;
}

/* The update of C when a row of A is replaced. With c = C[j][place] for a row j of C:
     C[j][b] -= c alpha_b / alpha_place  for b ≠ place,   C[j][place] = c / alpha_place. */
bool linpred__modular_basis_replace(linpred__modular_basis *basis, int32_t place, int32_t row)
{
    uint64_t p = basis->prime;
    int32_t k = basis->size;
    uint64_t pivot = basis->alpha[place];
    basis->row_place[basis->row[place]] = -1;
    basis->row[place] = row;
    basis->row_place[row] = place;
    if (pivot == 0)
        return linpred__modular_basis_change_prime(basis);
    uint64_t t = linpred__mod_inverse(pivot, p);
    for (int32_t b = 0; b < k; b++)
        basis->scratch[b] = linpred__mod_multiply(basis->alpha[b], t, p);
    /* At `place` the factor is 1 - 1/alpha_place, so that c becomes c / alpha_place. */
    basis->scratch[place] = linpred__mod_subtract(1, t, p);
    for (int32_t j = 0; j < k; j++) {
        uint64_t *c = basis->inverse + (size_t)j * (size_t)basis->capacity;
        linpred__mod_subtract_multiple(c, c[place], basis->scratch, k, p);
    }
    return true;
}

void linpred__modular_basis_direction(const linpred__modular_basis *basis, const linpred__fractions *x,
                                      linpred__integers *w)
{
    const linpred__integral *z = basis->z;
    int32_t top = INT32_MIN;
    for (int32_t k = 0; k < basis->size; k++) {
        int32_t exponent = z->column_exponent[basis->column[k]];
        if (mpz_sgn(x->numerator.value[k]) != 0 && exponent > top)
            top = exponent;
    }
    for (int32_t k = 0; k < basis->size; k++) {
        int32_t j = basis->column[k];
        if (mpz_sgn(x->numerator.value[k]) != 0)
            mpz_mul_2exp(w->value[z->column_of[j]], x->numerator.value[k], (mp_bitcnt_t)(top - z->column_exponent[j]));
    }
    linpred__integers_reduce(w);
}
