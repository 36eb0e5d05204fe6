/* Exact pivots; see tableau.h. */
#include "num/tableau.h"

#include <math.h>

#include "core/memory.h"
#include "num/limits.h"

bool linpred__tableau_open(int32_t rows, int32_t columns, linpred__tableau *tableau)
{
    *tableau = (linpred__tableau){0};
    size_t entries = (size_t)rows * (size_t)columns;
    mpz_t *entry = linpred__alloc(entries, sizeof *entry);
    int32_t *basis = linpred__alloc((size_t)columns, sizeof *basis);
    if (!entry || !basis) {
        linpred__release(entry);
        linpred__release(basis);
        return false;
    }
    *tableau = (linpred__tableau){.rows = rows, .columns = columns, .entry = entry, .basis = basis};
    for (size_t i = 0; i < entries; i++)
        mpz_init(entry[i]);
    mpz_init_set_ui(tableau->divisor, 1);
    for (int32_t k = 0; k < columns; k++) {
        basis[k] = -1;
        mpz_set_ui(*linpred__tableau_at(tableau, rows - columns + k, k), 1);
    }
    return true;
}

void linpred__tableau_close(linpred__tableau *tableau)
{
    if (!tableau->entry)
        return;
    for (int64_t i = 0; i < (int64_t)tableau->rows * tableau->columns; i++)
        mpz_clear(tableau->entry[i]);
    mpz_clear(tableau->divisor);
    linpred__release(tableau->entry);
    linpred__release(tableau->basis);
    *tableau = (linpred__tableau){0};
}

void linpred__tableau_value(const linpred__tableau *tableau, int32_t row, int32_t column, mpf_t value)
{
    mpf_t divisor;
    mpf_init2(divisor, mpf_get_prec(value));
    mpf_set_z(divisor, tableau->divisor);
    mpf_set_z(value, *linpred__tableau_at(tableau, row, column));
    mpf_div(value, value, divisor);
    mpf_clear(divisor);
}

/* log2 |number|. */
static double size_in_bits(const mpz_t number)
{
    long exponent;
    double fraction = mpz_get_d_2exp(&exponent, number);
    return fraction == 0.0 ? -(double)INFINITY : log2(fabs(fraction)) + (double)exponent;
}

double linpred__tableau_log2(const linpred__tableau *tableau, int32_t row, int32_t column)
{
    return size_in_bits(*linpred__tableau_at(tableau, row, column)) - size_in_bits(tableau->divisor);
}

/* Row p becomes that of the identity with its 1 in column k: column k is divided by T_pk, and T_pj times it is
   subtracted from each other column j. With N = entry and D = divisor the new divisor is N_pk, column k of N stays, and
   N_ij becomes (N_ij N_pk - N_ik N_pj) / D. */
static void exchange_row(linpred__tableau *tableau, int32_t p, int32_t k)
{
    mpz_t pivot, factor;
    mpz_init_set(pivot, *linpred__tableau_at(tableau, p, k));
    mpz_init(factor);
    for (int32_t j = 0; j < tableau->columns; j++) {
        mpz_set(factor, *linpred__tableau_at(tableau, p, j));
        for (int32_t i = 0; j != k && i < tableau->rows; i++) {
            mpz_t *entry = linpred__tableau_at(tableau, i, j);
            mpz_mul(*entry, *entry, pivot);
            mpz_submul(*entry, *linpred__tableau_at(tableau, i, k), factor);
            mpz_divexact(*entry, *entry, tableau->divisor);
        }
    }
    mpz_set(tableau->divisor, pivot);
    tableau->basis[k] = p;
    mpz_clear(pivot);
    mpz_clear(factor);
}

/* The largest |T_ik| scale_i in column k, as log2. */
static double find_largest(const linpred__tableau *tableau, int32_t k, const double *log2_scale, int32_t *row)
{
    double largest = -INFINITY;
    for (int32_t i = 0; i < tableau->rows; i++) {
        if (!(log2_scale[i] > -INFINITY))
            continue;
        double size = linpred__tableau_log2(tableau, i, k) + log2_scale[i];
        if (size > largest) {
            largest = size;
            *row = i;
        }
    }
    return largest;
}

int32_t linpred__tableau_choose(linpred__tableau *tableau, const double *log2_scale)
{
    int32_t rank = 0;
    for (int32_t k = 0; k < tableau->columns; k++) {
        int32_t row = 0;
        if (tableau->basis[k] < 0 && find_largest(tableau, k, log2_scale, &row) > -INFINITY)
            exchange_row(tableau, row, k);
        rank += tableau->basis[k] >= 0;
    }
    for (int32_t exchanges = 0; exchanges < LINPRED__MAX_EXCHANGES; exchanges++) {
        int32_t best_row = -1, best_column = -1;
        double most = 1.0;
        for (int32_t k = 0; k < tableau->columns; k++) {
            int32_t row = 0;
            double grows = tableau->basis[k] < 0
                               ? -(double)INFINITY
                               : find_largest(tableau, k, log2_scale, &row) - log2_scale[tableau->basis[k]];
            if (grows > most) {
                most = grows;
                best_row = row;
                best_column = k;
            }
        }
        if (best_row < 0)
            return rank;
        exchange_row(tableau, best_row, best_column);
    }
    return -1;
}
