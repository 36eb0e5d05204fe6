/* The search for the first row that depends on the rows before it. The header has the argument. */
#include "solve/exact_lp/dependency.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/exact_lp/modular_basis.h"

typedef struct search {
    linpred__integral z;          /* all rows as integers */
    linpred__modular_basis basis; /* the rows that were found independent */
    linpred__integers right;      /* scratch for right sides, as long as the largest possible basis */
    linpred__fractions alpha;     /* the last dependent row is Σ alpha_b z_b on the columns of the basis */
    linpred__integers weight;     /* one weight for each row of z */
    linpred__effort *effort;
} search;

void linpred__dependency_close(linpred__dependency *dependency)
{
    linpred__release(dependency->row);
    linpred__integers_close(&dependency->weight);
    memset(dependency, 0, sizeof *dependency);
}

static void close_search(search *s)
{
    linpred__modular_basis_close(&s->basis);
    linpred__integral_close(&s->z);
    linpred__integers_close(&s->right);
    linpred__integers_close(&s->weight);
    if (s->alpha.numerator.value)
        linpred__fractions_close(&s->alpha);
}

/* Sets *fits to false, and opens nothing more, if rows and columns are too many for exact arithmetic. */
static linpred_status open_search(const linpred__rows *rows, linpred__effort *effort, search *s, bool *fits)
{
    memset(s, 0, sizeof *s);
    s->effort = effort;
    int32_t *all = linpred__alloc((size_t)rows->rows, sizeof *all);
    if (!all)
        return LINPRED_ERROR_MEMORY;
    for (int32_t i = 0; i < rows->rows; i++)
        all[i] = i;
    bool good = linpred__integral_open(rows, all, rows->rows, &s->z);
    linpred__release(all);
    if (!good)
        return LINPRED_ERROR_MEMORY;
    *fits = linpred__modular_basis_fits(&s->z);
    if (!*fits)
        return LINPRED_OK;
    bool made = linpred__modular_basis_open(&s->z, &s->basis) && linpred__integers_open(s->basis.capacity, &s->right) &&
                linpred__integers_open(s->z.rows, &s->weight);
    return made ? LINPRED_OK : LINPRED_ERROR_MEMORY;
}

/* Finds alpha with z_row = Σ alpha_b z_b on the columns J of the basis. */
static linpred_status solve_for_alpha(search *s, int32_t row, bool *solved)
{
    const linpred__modular_basis *basis = &s->basis;
    linpred__integral_place(&s->z, row, basis->column_place, basis->size, s->right.value);
    return linpred__modular_basis_solve_anew(basis, true, &s->right, &s->alpha, s->effort, solved);
}

/* Whether the weights combine the integer rows to zero on all columns. */
static linpred_status combines_to_zero(const search *s, bool *zero)
{
    linpred__integers sum;
    if (!linpred__integers_open(s->z.columns, &sum))
        return LINPRED_ERROR_MEMORY;
    mpz_t scratch;
    mpz_init(scratch);
    for (int32_t i = 0; i < s->z.rows; i++)
        for (int64_t e = s->z.start[i]; mpz_sgn(s->weight.value[i]) != 0 && e < s->z.start[i + 1]; e++)
            linpred__integral_add_multiple(&s->z, e, s->weight.value[i], scratch, sum.value[s->z.index[e]]);
    *zero = true;
    for (int32_t j = 0; j < s->z.columns; j++)
        *zero = *zero && mpz_sgn(sum.value[j]) == 0;
    mpz_clear(scratch);
    linpred__integers_close(&sum);
    return LINPRED_OK;
}

/* For a row that depends on the basis modulo the prime: computes the weights and tests them on all columns. *proved is
   false if the row depends on the basis modulo the prime only. */
static linpred_status prove(search *s, int32_t row, bool *solved, bool *proved)
{
    linpred_status status = LINPRED_OK;
    *solved = true;
    if (s->basis.size > 0)
        status = solve_for_alpha(s, row, solved);
    if (status != LINPRED_OK || !*solved)
        return status;
    for (int32_t i = 0; i < s->z.rows; i++)
        mpz_set_ui(s->weight.value[i], 0);
    for (int32_t b = 0; b < s->basis.size; b++)
        mpz_neg(s->weight.value[s->basis.row[b]], s->alpha.numerator.value[b]);
    if (s->basis.size > 0)
        mpz_set(s->weight.value[row], s->alpha.denominator);
    else
        mpz_set_ui(s->weight.value[row], 1);
    return combines_to_zero(s, proved);
}

/* Converts weights of integer rows to weights of the rows of doubles. Row i of doubles is 2^row_exponent_i times the
   integer row (columns aside), so its weight is weight_i 2^(top - row_exponent_i), an integer. */
static linpred_status hand_out(search *s, linpred__dependency *out)
{
    int32_t top = INT32_MIN, count = 0;
    for (int32_t i = 0; i < s->z.rows; i++)
        if (mpz_sgn(s->weight.value[i]) != 0) {
            top = s->z.row_exponent[i] > top ? s->z.row_exponent[i] : top;
            count++;
        }
    out->row = linpred__alloc((size_t)count, sizeof *out->row);
    if (!out->row || !linpred__integers_open(count, &out->weight))
        return LINPRED_ERROR_MEMORY;
    for (int32_t i = 0; i < s->z.rows; i++)
        if (mpz_sgn(s->weight.value[i]) != 0) {
            mpz_mul_2exp(out->weight.value[out->count], s->weight.value[i], (mp_bitcnt_t)(top - s->z.row_exponent[i]));
            out->row[out->count++] = i;
        }
    linpred__integers_reduce(&out->weight);
    return LINPRED_OK;
}

static linpred_status run_dependency_search(search *s, linpred__dependency *out)
{
    linpred_status status = LINPRED_OK;
    for (int32_t i = 0; i < s->z.rows && status == LINPRED_OK;) {
        double cost = 4.0 * (s->basis.size + 1.0) * (s->basis.size + 1.0) + s->z.columns;
        if (!linpred__effort_spend(s->effort, cost))
            return LINPRED_OK;
        int32_t column = linpred__modular_basis_express(&s->basis, i);
        if (column >= 0) {
            linpred__modular_basis_grow(&s->basis, i++, column);
            out->rank = s->basis.size;
            continue;
        }
        bool solved, proved = false;
        status = prove(s, i, &solved, &proved);
        if (status != LINPRED_OK || !solved)
            return status;
        if (proved) {
            out->decided = true;
            return hand_out(s, out);
        }
        if (!linpred__modular_basis_change_prime(&s->basis))
            status = LINPRED_ERROR_INTERNAL;
    }
    out->decided = status == LINPRED_OK;
    return status;
}

linpred_status linpred__find_dependency(const linpred__rows *rows, linpred__effort *effort, linpred__dependency *out,
                                        linpred_error *error)
{
    search s;
    linpred__dependency found;
    memset(&found, 0, sizeof found);
    bool fits = true;
    linpred_status status = open_search(rows, effort, &s, &fits);
    if (status == LINPRED_OK && fits)
        status = run_dependency_search(&s, &found);
    close_search(&s);
    if (!fits)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "more than %d rows and columns are too many for exact arithmetic",
                             LINPRED__MAX_BASIS_ROWS);
    if (status == LINPRED_OK) {
        *out = found;
        return LINPRED_OK;
    }
    linpred__dependency_close(&found);
    return status == LINPRED_ERROR_MEMORY ? linpred__no_memory(error)
                                          : linpred__fail(error, status, "the search for a dependency went astray");
}
