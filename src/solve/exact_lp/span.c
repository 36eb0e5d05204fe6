/* The fast test and the exact test for membership in a span. The header has the idea. */
#include "solve/exact_lp/span.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "solve/exact_lp/modular_basis.h"
#include "num/modular.h"

/* The powers of two that are needed. A double is an integer below 2^53 times 2^e with -1126 <= e <= 971 (frexp), and a
   column exponent c is from -1074 to 1023, of which 2^-c is needed. */
enum { LOWEST = -1126, HIGHEST = 1074, POWERS = HIGHEST - LOWEST + 1 };

struct linpred__span {
    int32_t rank;           /* rank of the members modulo the prime */
    uint64_t prime;         /* p */
    uint64_t *normal;       /* u modulo p, one number for each column of the view */
    uint64_t power[POWERS]; /* 2^(LOWEST + k) modulo p */
};

/* Chooses u. It is random on the columns outside J. On J it solves <u,z_b> = 0 for the integer rows of the basis. For
   rows of doubles, u_j is multiplied by 2^-column_exponent_j. Columns in which no member has an entry stay random. */
static void choose_normal(const linpred__modular_basis *basis, uint64_t *scratch, linpred__span *span)
{
    const linpred__integral *z = basis->z;
    uint64_t p = span->prime;
    for (int32_t b = 0; b < basis->size; b++) {
        uint64_t sum = 0;
        int32_t i = basis->row[b];
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            int32_t j = z->index[e];
            if (basis->column_place[j] < 0)
                sum = linpred__mod_subtract(
                    sum, linpred__mod_multiply(basis->residue[e], span->normal[z->column_of[j]], p), p);
        }
        scratch[b] = sum;
    }
    for (int32_t k = 0; k < basis->size; k++)
        span->normal[z->column_of[basis->column[k]]] =
            linpred__mod_dot(basis->inverse + (size_t)k * (size_t)basis->capacity, scratch, basis->size, p);
    for (int32_t j = 0; j < z->columns; j++) {
        uint64_t *u = span->normal + z->column_of[j];
        *u = linpred__mod_multiply(*u, span->power[-z->column_exponent[j] - LOWEST], p);
    }
}

linpred_status linpred__span_open(const linpred__rows *rows, const int32_t *member, int32_t members, uint64_t seed,
                                  linpred__span **out, linpred_error *error)
{
    linpred__integral z;
    linpred__modular_basis basis;
    if (!linpred__integral_open(rows, member, members, &z))
        return linpred__no_memory(error);
    if (!linpred__modular_basis_fits(&z)) {
        linpred__integral_close(&z);
        return linpred__fail(error, LINPRED_ERROR_INPUT, "too many rows for a span");
    }
    bool made = linpred__modular_basis_open(&z, &basis);
    linpred__span *span = linpred__calloc(1, sizeof *span);
    uint64_t *scratch = linpred__alloc((size_t)basis.capacity, sizeof *scratch);
    if (span)
        span->normal = linpred__alloc((size_t)rows->columns, sizeof *span->normal);
    made = made && scratch && span && span->normal;
    if (made) {
        span->prime = basis.prime;
        uint64_t half = (basis.prime + 1) / 2; /* 2^-1 */
        span->power[-LOWEST] = 1;
        for (int k = -LOWEST - 1; k >= 0; k--)
            span->power[k] = linpred__mod_multiply(span->power[k + 1], half, basis.prime);
        for (int k = -LOWEST + 1; k < POWERS; k++)
            span->power[k] = linpred__mod_multiply(span->power[k - 1], 2, basis.prime);
        linpred__random random;
        linpred__random_seed(&random, seed);
        for (int32_t j = 0; j < rows->columns; j++)
            span->normal[j] = linpred__random_below(&random, basis.prime);
        for (int32_t i = 0; i < members; i++) {
            int32_t column = linpred__modular_basis_express(&basis, i);
            if (column >= 0)
                linpred__modular_basis_grow(&basis, i, column);
        }
        span->rank = basis.size;
        choose_normal(&basis, scratch, span);
    }
    linpred__modular_basis_close(&basis);
    linpred__integral_close(&z);
    linpred__release(scratch);
    if (!made) {
        linpred__span_close(span);
        return linpred__no_memory(error);
    }
    *out = span;
    return LINPRED_OK;
}

void linpred__span_close(linpred__span *span)
{
    if (!span)
        return;
    linpred__release(span->normal);
    linpred__release(span);
}

bool linpred__span_may_hold(const linpred__span *span, const linpred__entries *row)
{
    uint64_t p = span->prime, sum = 0;
    for (int32_t k = 0; k < row->count; k++) {
        double value = row->values[k];
        uint64_t u = span->normal[linpred__entry_column(row, k)];
        if (value == 0.0 || u == 0)
            continue;
        int exponent;
        uint64_t m = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
        uint64_t term = linpred__mod_multiply(linpred__mod_multiply(m, span->power[exponent - 53 - LOWEST], p), u, p);
        sum = linpred__mod_subtract(sum, value < 0 ? linpred__mod_negate(term, p) : term, p);
    }
    return sum == 0;
}

/* On the rows of the basis, the column is Σ_k x_k (column J_k). Whether this holds on all rows. */
static bool column_depends(const linpred__modular_basis *basis, int32_t column, const linpred__fractions *x,
                           linpred__effort *effort)
{
    const linpred__integral *z = basis->z;
    mpz_t sum, scratch, minus;
    mpz_init(sum);
    mpz_init(scratch);
    mpz_init(minus);
    mpz_neg(minus, x->denominator);
    bool zero = true;
    for (int32_t i = 0; i < z->rows && zero && !effort->over; i++) {
        mpz_set_ui(sum, 0);
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            int32_t k = basis->column_place[z->index[e]];
            if (k >= 0)
                linpred__integral_add_multiple(z, e, x->numerator.value[k], scratch, sum);
            else if (z->index[e] == column)
                linpred__integral_add_multiple(z, e, minus, scratch, sum);
        }
        zero = mpz_sgn(sum) == 0;
        linpred__effort_spend(effort, (double)(z->start[i + 1] - z->start[i]) * 20);
    }
    mpz_clear(sum);
    mpz_clear(scratch);
    mpz_clear(minus);
    return zero;
}

/* The rows lie in the span of the basis if and only if the columns J span all columns on all rows. So each column
   outside J is solved as a combination of J on the rows of the basis, and the combination is tested on all rows. */
static linpred_status check_columns(const linpred__modular_basis *basis, linpred__effort *effort, bool *holds,
                                    bool *decided)
{
    const linpred__integral *z = basis->z;
    linpred__integers right = {0, NULL};
    linpred__fractions x;
    if (!linpred__integers_open(basis->size, &right))
        return LINPRED_ERROR_MEMORY;
    if (!linpred__fractions_open(basis->size, &x)) {
        linpred__integers_close(&right);
        return LINPRED_ERROR_MEMORY;
    }
    linpred_status status = LINPRED_OK;
    mpz_t scratch;
    mpz_init(scratch);
    *holds = *decided = true;
    for (int32_t j = 0; j < z->columns && status == LINPRED_OK && *holds && *decided; j++) {
        if (basis->column_place[j] >= 0)
            continue;
        for (int32_t b = 0; b < basis->size; b++)
            linpred__integral_at(z, basis->row[b], j, scratch, right.value[b]);
        status = linpred__modular_basis_solve(basis, false, &right, &x, effort, decided);
        if (status == LINPRED_OK && *decided)
            *holds = column_depends(basis, j, &x, effort);
        if (effort->over && *holds)
            *decided = false;
    }
    mpz_clear(scratch);
    linpred__integers_close(&right);
    linpred__fractions_close(&x);
    return status;
}

linpred_status linpred__span_holds_all(const linpred__rows *rows, const int32_t *member, int32_t members,
                                       linpred__effort *effort, bool *holds, bool *decided, linpred_error *error)
{
    int32_t *all = linpred__alloc((size_t)rows->rows, sizeof *all);
    linpred__integral z;
    linpred__modular_basis basis;
    if (!all)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < rows->rows; i++)
        all[i] = i;
    bool good = linpred__integral_open(rows, all, rows->rows, &z);
    linpred__release(all);
    if (!good)
        return linpred__no_memory(error);
    if (!linpred__modular_basis_fits(&z)) {
        linpred__integral_close(&z);
        *decided = false;
        return LINPRED_OK;
    }
    linpred_status status = linpred__modular_basis_open(&z, &basis) ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK) {
        for (int32_t k = 0; k < members; k++) {
            int32_t column = linpred__modular_basis_express(&basis, member[k]);
            if (column >= 0)
                linpred__modular_basis_grow(&basis, member[k], column);
        }
        status = check_columns(&basis, effort, holds, decided);
    }
    linpred__modular_basis_close(&basis);
    linpred__integral_close(&z);
    return status == LINPRED_ERROR_MEMORY ? linpred__no_memory(error) : status;
}
