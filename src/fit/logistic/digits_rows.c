/* The rows of a fit to many digits, their losses, and the gap; see digits.h. */
#include <math.h>

#include "core/memory.h"
#include "data/decimals.h"
#include "data/row.h"
#include "fit/logistic/digits.h"
#include "fit/logistic/limits.h"
#include "num/integers.h"

/* Reads the cells of a row, or with `shifts` only how far its columns must be shifted. */
static void read_fine_row(linpred__fine_fit *fit, const linpred__block *block, int32_t r, int32_t row, bool shifts)
{
    linpred__entries entries = linpred__entries_of(block, r);
    mpz_t number;
    mpz_init(number);
    for (int64_t k = 0; k < entries.count; k++) {
        int32_t j = linpred__entry_column(&entries, k);
        linpred__dd cell = linpred__cell(block, j, entries.values[k]);
        for (int half = 0; half < 2; half++) {
            double part = half ? cell.lo : cell.hi;
            if (shifts && -linpred__lowest_bit(part) > fit->shift[j])
                fit->shift[j] = -linpred__lowest_bit(part);
            if (shifts)
                continue;
            linpred__set_shifted(number, part, fit->shift[j]);
            mpz_t *to = &fit->cells.value[row * fit->width + j];
            mpz_add(*to, *to, number);
        }
    }
    if (!shifts && fit->width > fit->columns)
        mpz_set_d(fit->cells.value[row * fit->width + fit->columns], fit->factor);
    mpz_clear(number);
}

static void read_weight(linpred__fine_fit *fit, const linpred__block *block, int32_t r, int32_t row)
{
    bool positive = block->target[r] > 0;
    mpf_set_d(fit->sign[row], positive ? 1.0 : -1.0);
    mpf_set_d(fit->slope[row], fit->problem->terms.class_weight[positive]);
    mpf_set_d(fit->weight[row], linpred__row_weight(block, r));
    mpf_mul(fit->weight[row], fit->weight[row], fit->slope[row]);
    mpf_add(fit->mass, fit->mass, fit->weight[row]);
}

static void read_fine_rows(linpred__fine_fit *fit)
{
    const linpred_data *data = fit->problem->original->data;
    for (int shifts = 1; shifts >= 0; shifts--) {
        int32_t row = 0;
        for (int64_t i = 0; i < data->blocks; i++)
            for (int32_t r = 0; r < data->block[i].rows; r++)
                read_fine_row(fit, linpred__block_at(data, i), r, row++, shifts);
    }
    int32_t row = 0;
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++)
            read_weight(fit, linpred__block_at(data, i), r, row++);
    for (int32_t i = 0; i < fit->rows; i++)
        for (int32_t j = 0; j < fit->width; j++)
            mpz_set(*linpred__tableau_at(&fit->tableau, i, j), fit->cells.value[i * fit->width + j]);
}

/* Entries of the tableau are quotients of minors, which have hardly more bits than the largest cells of all columns
   together; LINPRED__DIGITS covers the rest. */
static mp_bitcnt_t bits_of_entries(const linpred__fine_fit *fit)
{
    mp_bitcnt_t all = LINPRED__DIGITS;
    for (int32_t j = 0; j < fit->width; j++) {
        size_t most = 0;
        for (int32_t i = 0; i < fit->rows; i++) {
            size_t bits = mpz_sizeinbase(fit->cells.value[i * fit->width + j], 2);
            most = bits > most ? bits : most;
        }
        all += most;
    }
    return all < LINPRED__FINE_BITS ? all : LINPRED__FINE_BITS;
}

bool linpred__fine_open(const linpred__logistic_problem *problem, linpred__fine_fit *fit)
{
    const linpred_data *data = problem->original->data;
    *fit =
        (linpred__fine_fit){.problem = problem, .rows = (int32_t)data->rows, .columns = data->columns, .gap = INFINITY};
    fit->width = fit->columns + problem->has_intercept;
    fit->factor = linpred__unit(linpred__block_at(data, 0));
    size_t rows = (size_t)fit->rows, all = rows + (size_t)fit->width;
    fit->shift = linpred__calloc((size_t)fit->width, sizeof *fit->shift);
    fit->log2_scale = linpred__alloc(all, sizeof *fit->log2_scale);
    fit->weight = linpred__digits_open(rows, LINPRED__DIGITS);
    fit->sign = linpred__digits_open(rows, LINPRED__DIGITS);
    fit->slope = linpred__digits_open(all, LINPRED__DIGITS);
    fit->curvature = linpred__digits_open(all, LINPRED__DIGITS);
    mpf_init2(fit->mass, LINPRED__DIGITS);
    mpf_init2(fit->loss, LINPRED__DIGITS);
    mpf_init2(fit->objective, LINPRED__DIGITS);
    bool ready = linpred__integers_open(fit->rows * fit->width, &fit->cells) &&
                 linpred__tableau_open((int32_t)all, fit->width, &fit->tableau) && fit->shift && fit->log2_scale &&
                 fit->weight && fit->sign && fit->slope && fit->curvature;
    if (!ready)
        return false;
    read_fine_rows(fit);
    fit->bits = bits_of_entries(fit);
    fit->value = linpred__digits_open(all, fit->bits);
    fit->entry = linpred__digits_open(all * (size_t)fit->width, fit->bits);
    return fit->value && fit->entry;
}

void linpred__fine_close(linpred__fine_fit *fit)
{
    size_t rows = (size_t)fit->rows, all = rows + (size_t)fit->width;
    linpred__release(fit->shift);
    linpred__release(fit->log2_scale);
    linpred__integers_close(&fit->cells);
    linpred__tableau_close(&fit->tableau);
    linpred__digits_close(fit->weight, rows);
    linpred__digits_close(fit->sign, rows);
    linpred__digits_close(fit->value, all);
    linpred__digits_close(fit->slope, all);
    linpred__digits_close(fit->curvature, all);
    linpred__digits_close(fit->entry, all * (size_t)fit->width);
    mpf_clear(fit->mass);
    mpf_clear(fit->loss);
    mpf_clear(fit->objective);
}

void linpred__fine_take(linpred__fine_fit *fit, const double *parts, int32_t count)
{
    mpz_t number, sum;
    mpz_init(number);
    mpz_init(sum);
    int most = 0;
    for (int32_t j = 0; j < fit->width; j++)
        most = fit->shift[j] > most ? fit->shift[j] : most;
    for (int32_t i = 0; i < fit->rows + fit->width; i++) {
        mpz_set_ui(sum, 0);
        for (int32_t j = 0; j < fit->width; j++)
            for (int32_t p = 0; p < count; p++) {
                double part = parts[p * fit->width + j];
                if ((i >= fit->rows && i - fit->rows != j) || part == 0.0)
                    continue;
                linpred__set_shifted(number, part, 1074 + most - fit->shift[j]);
                if (i < fit->rows)
                    mpz_addmul(sum, fit->cells.value[i * fit->width + j], number);
                else
                    mpz_add(sum, sum, number);
            }
        mpf_set_z(fit->value[i], sum);
        mpf_div_2exp(fit->value[i], fit->value[i], (mp_bitcnt_t)(1074 + most));
        mpf_set_d(fit->slope[i], i < fit->rows ? fit->factor : 1.0);
        mpf_div(fit->value[i], fit->value[i], fit->slope[i]);
    }
    mpz_clear(number);
    mpz_clear(sum);
}

/* The losses (λW/2) 4^shift value² of the coefficients. */
static void add_penalties(linpred__fine_fit *fit)
{
    mpf_t term;
    mpf_init2(term, LINPRED__DIGITS);
    for (int32_t j = 0; j < fit->width; j++) {
        int32_t i = fit->rows + j;
        mpf_set_d(fit->curvature[i], j < fit->columns ? fit->problem->terms.l2 : 0.0);
        mpf_mul(fit->curvature[i], fit->curvature[i], fit->mass);
        mpf_mul_2exp(fit->curvature[i], fit->curvature[i], 2 * (mp_bitcnt_t)fit->shift[j]);
        mpf_mul(fit->slope[i], fit->curvature[i], fit->value[i]);
        mpf_mul(term, fit->slope[i], fit->value[i]);
        mpf_div_2exp(term, term, 1);
        mpf_add(fit->objective, fit->objective, term);
        fit->log2_scale[i] = 0.5 * linpred__digits_log2(fit->curvature[i]);
    }
    mpf_clear(term);
}

void linpred__fine_evaluate(linpred__fine_fit *fit)
{
    mpf_t t, loss;
    mpf_init2(t, LINPRED__DIGITS);
    mpf_init2(loss, LINPRED__DIGITS);
    mpf_set_ui(fit->loss, 0);
    fit->losses += fit->rows + fit->rows * (int64_t)fit->bits / (2 * LINPRED__FINE_BITS);
    for (int32_t i = 0; i < fit->rows; i++) {
        mpf_mul(t, fit->sign[i], fit->value[i]);
        (void)linpred__digits_loss(t, loss, fit->slope[i], fit->curvature[i]);
        mpf_mul(loss, loss, fit->weight[i]);
        mpf_add(fit->loss, fit->loss, loss);
        mpf_mul(fit->slope[i], fit->slope[i], fit->weight[i]);
        mpf_mul(fit->slope[i], fit->slope[i], fit->sign[i]);
        mpf_neg(fit->slope[i], fit->slope[i]);
        mpf_mul(fit->curvature[i], fit->curvature[i], fit->weight[i]);
        fit->log2_scale[i] = 0.5 * linpred__digits_log2(fit->curvature[i]) - log2(fit->factor);
    }
    mpf_set(fit->objective, fit->loss);
    add_penalties(fit);
    mpf_clear(t);
    mpf_clear(loss);
}

bool linpred__fine_choose(linpred__fine_fit *fit)
{
    mpf_t factor;
    mpf_init_set_d(factor, fit->factor);
    fit->rank = linpred__tableau_choose(&fit->tableau, fit->log2_scale);
    for (int32_t i = 0; i < fit->tableau.rows; i++)
        for (int32_t k = 0; k < fit->width; k++) {
            mpf_t *entry = &fit->entry[i * fit->width + k];
            int32_t basis = fit->tableau.basis[k];
            mpf_set_ui(*entry, 0);
            if (basis < 0)
                continue;
            linpred__tableau_value(&fit->tableau, i, k, *entry);
            if (i < fit->rows && basis >= fit->rows)
                mpf_div(*entry, *entry, factor);
            if (i >= fit->rows && basis < fit->rows)
                mpf_mul(*entry, *entry, factor);
        }
    mpf_clear(factor);
    bool curved = fit->rank >= 0 && mpf_sgn(fit->objective) > 0;
    for (int32_t k = 0; curved && k < fit->width; k++)
        curved = fit->tableau.basis[k] < 0 || mpf_sgn(fit->curvature[fit->tableau.basis[k]]) > 0;
    return curved;
}

void linpred__fine_gradient(const linpred__fine_fit *fit, int32_t k, mpf_t g)
{
    mpf_t term;
    mpf_init2(term, LINPRED__DIGITS);
    mpf_set_ui(g, 0);
    for (int32_t i = 0; i < fit->tableau.rows; i++) {
        mpf_mul(term, fit->entry[i * fit->width + k], fit->slope[i]);
        mpf_add(g, g, term);
    }
    mpf_clear(term);
}

double linpred__fine_gap(const linpred__fine_fit *fit, double *largest)
{
    double gap = 0.0;
    *largest = 0.0;
    mpf_t g, ratio;
    mpf_init2(g, LINPRED__DIGITS);
    mpf_init2(ratio, LINPRED__DIGITS);
    for (int32_t k = 0; k < fit->width; k++) {
        int32_t basis = fit->tableau.basis[k];
        if (basis < 0)
            continue;
        linpred__fine_gradient(fit, k, g);
        mpf_div(ratio, g, fit->curvature[basis]);
        double q = basis < fit->rows ? fabs(linpred__digits_double(ratio)) : 0.0;
        *largest = fmax(*largest, q);
        mpf_mul(ratio, ratio, g);
        mpf_div(ratio, ratio, fit->objective);
        gap += q <= 0.49 ? 0.51 * linpred__digits_double(ratio) / (1.0 - q) : (double)INFINITY;
    }
    mpf_clear(g);
    mpf_clear(ratio);
    return gap;
}
