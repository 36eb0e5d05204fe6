/* The gap of a small logistic fit to many digits, whatever the units, weights and near-dependencies of its columns.
 *
 * A basis B of the rows is chosen; with a penalty the coefficients themselves are rows too, of the loss (λW/2) w². Each
 * row is a combination of B in exact arithmetic (num/tableau.h), so the scores s of B are coordinates in which nothing
 * is nearly dependent. Let g be the gradient of WF by them and κ the curvatures of the losses of B. Losses are convex,
 * and the curvature of a logistic loss at s + t is at least e^-|t| times that at s, so
 *
 *   WF(s + t) - WF(s) >= Σ_B g t + κ (e^-|t| + |t| - 1),   for a penalty κ t²/2 in place of the second term.
 *
 * With q = |g| / κ each term is at least -κ q² / (2 (1-q)), for a penalty -κ q² / 2. So a minimum exists if all q < 1,
 * and the gap is at most the sum of these bounds. A column without a row in the basis must be 0 in all rows: it depends
 * on others exactly. Rows are taken for the basis so that none is more than twice as long in it: then g is small at a
 * minimum and H >= κ.
 */
#include <math.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "check/rows/whole.h"
#include "check/witness/integers.h"
#include "core/error.h"
#include "core/memory.h"
#include "num/digits.h"
#include "num/greater.h"
#include "num/tableau.h"

/* The rows, then the identity: one row for each coefficient. Coefficient j is counted in units of 2^shift_j, so that
   the entries of its column are integers; rows are multiplied by `factor`, so that decimals are. */
struct exact_fit {
    const linpred__logistic_question *question;
    const linpred_data *data;
    int32_t rows, columns, width; /* of the data; width counts the intercept */
    double factor;
    int *shift;
    linpred__tableau tableau;
    mpf_t *slope, *curvature; /* of the loss of each row of the tableau */
    double *lost;             /* its slope is off by at most this much, times 2^-1000000: 0, or its weight */
    double *log2_scale;       /* of factor⁻¹ sqrt(curvature); -INFINITY: it may not be in the basis */
    mpf_t mass, loss;         /* W, and WF without its penalty */
    mpf_t objective;          /* WF */
};

bool linpred__has_digits(const linpred_data *data, bool has_intercept)
{
    double width = data->columns + has_intercept;
    return !data->stored && width > 0 && (double)data->rows <= LINPRED__MAX_DIGITS_ROWS &&
           ((double)data->rows + width) * width * width <= LINPRED__MAX_DIGITS_WORK;
}

static bool open_exact_fit(const linpred__logistic_question *question, const linpred_data *data, struct exact_fit *fit)
{
    *fit =
        (struct exact_fit){.question = question, .data = data, .rows = (int32_t)data->rows, .columns = data->columns};
    fit->width = fit->columns + question->model->has_intercept;
    size_t all = (size_t)(fit->rows + fit->width);
    fit->factor = linpred__row_factor(&data->block[0]);
    fit->shift = linpred__calloc((size_t)fit->width, sizeof *fit->shift);
    fit->log2_scale = linpred__alloc(all, sizeof *fit->log2_scale);
    fit->lost = linpred__calloc(all, sizeof *fit->lost);
    fit->slope = linpred__digits_open(all, LINPRED__DIGITS);
    fit->curvature = linpred__digits_open(all, LINPRED__DIGITS);
    mpf_init2(fit->mass, LINPRED__DIGITS);
    mpf_init2(fit->loss, LINPRED__DIGITS);
    mpf_init2(fit->objective, LINPRED__DIGITS);
    return linpred__tableau_open((int32_t)all, fit->width, &fit->tableau) && fit->shift && fit->log2_scale &&
           fit->lost && fit->slope && fit->curvature;
}

static void close_exact_fit(struct exact_fit *fit)
{
    size_t all = (size_t)(fit->rows + fit->width);
    linpred__tableau_close(&fit->tableau);
    linpred__release(fit->shift);
    linpred__release(fit->log2_scale);
    linpred__release(fit->lost);
    linpred__digits_close(fit->slope, all);
    linpred__digits_close(fit->curvature, all);
    mpf_clear(fit->mass);
    mpf_clear(fit->loss);
    mpf_clear(fit->objective);
}

/* Calls `take` for each part of each cell. */
static void each_cell(struct exact_fit *fit, void (*take)(struct exact_fit *, int32_t row, int32_t column, double part))
{
    int32_t row = 0;
    for (int64_t i = 0; i < fit->data->blocks; i++) {
        const linpred__block *block = linpred__block_at(fit->data, i);
        for (int32_t r = 0; r < block->rows; r++, row++) {
            linpred__entries entries = linpred__entries_of(block, r);
            for (int64_t k = 0; k < entries.count; k++) {
                int32_t j = linpred__entry_column(&entries, k);
                double part[2];
                linpred__read_cell(block, j, entries.values[k], part);
                take(fit, row, j, part[0]);
                take(fit, row, j, part[1]);
            }
        }
    }
}

static void take_lowest_bit(struct exact_fit *fit, int32_t row, int32_t column, double part)
{
    (void)row;
    int up = part != 0.0 ? -linpred__lowest_bit(part) : 0;
    fit->shift[column] = up > fit->shift[column] ? up : fit->shift[column];
}

static void add_cell(struct exact_fit *fit, int32_t row, int32_t column, double part)
{
    mpz_t number;
    mpz_init(number);
    linpred__set_shifted(number, part, fit->shift[column]);
    mpz_t *entry = linpred__tableau_at(&fit->tableau, row, column);
    mpz_add(*entry, *entry, number);
    mpz_clear(number);
}

/* The score of a row of the tableau that is still as it was read: Σ entry_j coefficient_j 2^-shift_j / factor. */
static void find_score(const struct exact_fit *fit, int32_t row, mpf_t score)
{
    const linpred_model *model = fit->question->model;
    mpz_t sum, number;
    int most = 0;
    mpz_inits(sum, number, NULL);
    for (int32_t j = 0; j < fit->width; j++)
        most = fit->shift[j] > most ? fit->shift[j] : most;
    for (int32_t j = 0; j < fit->width; j++)
        for (int32_t part = -1; part < model->tails.count; part++) {
            double first = j < fit->columns ? model->w[j] : model->b;
            double coefficient = part < 0 ? first : model->tails.value[part * fit->width + j];
            linpred__set_shifted(number, coefficient, 1074 + most - fit->shift[j]);
            mpz_addmul(sum, *linpred__tableau_at(&fit->tableau, row, j), number);
        }
    mpf_t factor;
    mpf_init_set_d(factor, fit->factor);
    mpf_set_z(score, sum);
    mpf_div_2exp(score, score, (mp_bitcnt_t)(1074 + most));
    mpf_div(score, score, factor);
    mpf_clear(factor);
    mpz_clears(sum, number, NULL);
}

/* Loss, slope and curvature of `row` of the data, which is row r of the block. A loss that is taken as 0 makes the
   objective smaller, which only makes the relative gap larger. */
static void take_exact_row(struct exact_fit *fit, int32_t row, const linpred__block *block, int32_t r)
{
    bool positive = block->target[r] > 0;
    mpf_t weight, score, loss;
    mpf_init2(score, LINPRED__DIGITS);
    mpf_init2(loss, LINPRED__DIGITS);
    mpf_init2(weight, LINPRED__DIGITS);
    mpf_t *slope = &fit->slope[row], *curvature = &fit->curvature[row];
    find_score(fit, row, score);
    if (!positive)
        mpf_neg(score, score);
    bool within = linpred__digits_loss(score, loss, *slope, *curvature);
    mpf_set_d(score, fit->question->class_weight[positive]);
    mpf_set_d(weight, block->weight ? block->weight[r] : 1.0);
    mpf_mul(weight, weight, score);
    mpf_add(fit->mass, fit->mass, weight);
    fit->lost[row] = within ? 0.0 : 1.01 * linpred__digits_double(weight);
    mpf_mul(loss, loss, weight);
    mpf_add(fit->loss, fit->loss, loss);
    mpf_mul(*slope, *slope, weight);
    if (positive)
        mpf_neg(*slope, *slope);
    mpf_mul(*curvature, *curvature, weight);
    fit->log2_scale[row] = 0.5 * linpred__digits_log2(*curvature) - log2(fit->factor);
    mpf_clear(score);
    mpf_clear(loss);
    mpf_clear(weight);
}

/* The rows of the coefficients: with a penalty their slope λW 2^shift w, their curvature λW 4^shift; the intercept has
   none. */
static void take_penalty(struct exact_fit *fit)
{
    const linpred_model *model = fit->question->model;
    mpf_t w, tail;
    mpf_init2(w, LINPRED__DIGITS);
    mpf_init2(tail, LINPRED__DIGITS);
    mpf_set(fit->objective, fit->loss);
    fit->log2_scale[fit->rows + fit->width - 1] = -INFINITY;
    for (int32_t j = 0; j < fit->columns; j++) {
        int32_t row = fit->rows + j;
        mpf_t *slope = &fit->slope[row], *curvature = &fit->curvature[row];
        mpf_set_d(w, model->w[j]);
        for (int32_t part = 0; part < model->tails.count; part++) {
            mpf_set_d(tail, model->tails.value[part * fit->width + j]);
            mpf_add(w, w, tail);
        }
        mpf_set_d(*curvature, fit->question->l2);
        mpf_mul(*curvature, *curvature, fit->mass);
        mpf_mul(*slope, *curvature, w);
        mpf_mul(tail, *slope, w);
        mpf_div_2exp(tail, tail, 1);
        mpf_add(fit->objective, fit->objective, tail);
        mpf_mul_2exp(*slope, *slope, (mp_bitcnt_t)fit->shift[j]);
        mpf_mul_2exp(*curvature, *curvature, 2 * (mp_bitcnt_t)fit->shift[j]);
        fit->log2_scale[row] = mpf_sgn(*curvature) > 0 ? 0.5 * linpred__digits_log2(*curvature) : -(double)INFINITY;
    }
    mpf_clears(w, tail, NULL);
}

static void read_exact_fit(struct exact_fit *fit)
{
    int32_t row = 0;
    each_cell(fit, take_lowest_bit);
    each_cell(fit, add_cell);
    for (int32_t i = 0; fit->width > fit->columns && i < fit->rows; i++)
        mpz_set_d(*linpred__tableau_at(&fit->tableau, i, fit->columns), fit->factor);
    for (int64_t i = 0; i < fit->data->blocks; i++)
        for (int32_t r = 0; r < fit->data->block[i].rows; r++)
            take_exact_row(fit, row++, linpred__block_at(fit->data, i), r);
    take_penalty(fit);
}

/* Whether some loss changes along column k. Where no row with a curvature does, none is in the basis; one that is flat
   to all digits may still fall. */
static bool moves_a_loss(const struct exact_fit *fit, int32_t k)
{
    for (int32_t i = 0; i < fit->tableau.rows; i++)
        if ((i < fit->rows || mpf_sgn(fit->curvature[i]) > 0) &&
            mpz_sgn(*linpred__tableau_at(&fit->tableau, i, k)) != 0)
            return true;
    return false;
}

/* The bound of the term of column k, the score of a row of the basis; INFINITY: it proves none. */
static double bound_term(struct exact_fit *fit, int32_t k, mpf_t g, mpf_t size)
{
    int32_t basis = fit->tableau.basis[k];
    if (basis < 0)
        return moves_a_loss(fit, k) ? INFINITY : 0.0;
    if (mpf_sgn(fit->curvature[basis]) <= 0)
        return INFINITY;
    mpf_t entry, factor, lost;
    mpf_init2(entry, LINPRED__DIGITS);
    mpf_init2(lost, LINPRED__DIGITS);
    mpf_init_set_d(factor, fit->factor);
    mpf_set_ui(g, 0);
    mpf_set_ui(size, 0);
    for (int32_t i = 0; i < fit->tableau.rows; i++) {
        linpred__tableau_value(&fit->tableau, i, k, entry);
        if (i < fit->rows && basis >= fit->rows)
            mpf_div(entry, entry, factor);
        if (i >= fit->rows && basis < fit->rows)
            mpf_mul(entry, entry, factor);
        mpf_set_d(lost, fit->lost[i]);
        mpf_mul(lost, lost, entry);
        mpf_abs(lost, lost);
        mpf_div_2exp(lost, lost, 1000000 - LINPRED__DIGITS_RIGHT);
        mpf_add(size, size, lost);
        mpf_mul(entry, entry, fit->slope[i]);
        mpf_add(g, g, entry);
        mpf_abs(entry, entry);
        mpf_add(size, size, entry);
    }
    mpf_abs(g, g);
    mpf_div_2exp(size, size, LINPRED__DIGITS_RIGHT - 80);
    mpf_add(g, g, size);
    mpf_div(entry, g, fit->curvature[basis]);
    double q = linpred__digits_double(entry);
    mpf_mul(g, g, entry);
    mpf_div(g, g, fit->objective);
    double square = linpred__digits_double(g);
    mpf_clear(entry);
    mpf_clear(factor);
    mpf_clear(lost);
    if (basis >= fit->rows)
        return 0.501 * square;
    return q <= 0.5 ? 0.501 * square / (1.0 - q) : INFINITY;
}

/* ---- standard errors ---- */

/* Replaces x, scaled to a basis of length 1, by L^-1 x for H = L L'. h is its lower triangle, which L replaces. */
static void factor_small(double *h, int32_t n)
{
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = j; i < n; i++) {
            double sum = h[i * n + j];
            for (int32_t k = 0; k < j; k++)
                sum -= h[i * n + k] * h[j * n + k];
            h[i * n + j] = i == j ? sqrt(sum) : sum / h[j * n + j];
        }
}

/* T_ik scale_i / scale_basis_k, times 2^-less; 0 in columns without a row of the basis. */
static double scaled_entry(const struct exact_fit *fit, int32_t i, int32_t k, double log2_scale, double less)
{
    int32_t basis = fit->tableau.basis[k];
    if (basis < 0)
        return 0.0;
    double size = exp2(linpred__tableau_log2(&fit->tableau, i, k) + log2_scale - fit->log2_scale[basis] - less);
    return mpz_sgn(*linpred__tableau_at(&fit->tableau, i, k)) * mpz_sgn(fit->tableau.divisor) < 0 ? -size : size;
}

/* The standard error of coefficient j: the length of its row of the tableau in the norm of the inverse of H. */
static double small_error(const struct exact_fit *fit, const double *l, int32_t j, double *x)
{
    double most = -INFINITY, sum = 0.0;
    int32_t n = fit->width;
    for (int32_t k = 0; k < n; k++)
        if (fit->tableau.basis[k] >= 0)
            most = fmax(most, linpred__tableau_log2(&fit->tableau, fit->rows + j, k) -
                                  fit->log2_scale[fit->tableau.basis[k]]);
    for (int32_t i = 0; i < n; i++) {
        x[i] = scaled_entry(fit, fit->rows + j, i, 0.0, most);
        for (int32_t k = 0; k < i; k++)
            x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
        sum += x[i] * x[i];
    }
    return exp2(most + fit->shift[j]) * sqrt(sum);
}

static bool compare_errors(const struct exact_fit *fit, linpred__logistic_finding *finding)
{
    const linpred__logistic_question *question = fit->question;
    int32_t n = fit->width;
    double *h = linpred__calloc((size_t)n * (size_t)n + (size_t)n, sizeof *h), *x = h + (size_t)n * (size_t)n;
    if (!h)
        return false;
    for (int32_t i = 0; i < fit->rows; i++) {
        for (int32_t k = 0; k < n; k++)
            x[k] = scaled_entry(fit, i, k, fit->log2_scale[i], 0.0);
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = 0; b <= a; b++)
                h[a * n + b] += x[a] * x[b];
    }
    for (int32_t k = 0; k < n; k++)
        if (fit->tableau.basis[k] < 0)
            h[k * n + k] = 1.0;
    factor_small(h, n);
    finding->errors_off = 0.0;
    finding->error_missing = -1;
    for (int32_t j = 0; j < n; j++) {
        bool should = linpred__null_estimable(&question->null, question->model->columns, j);
        double stated = question->standard_error[j];
        if (should && isnan(stated) && finding->error_missing < 0)
            finding->error_missing = j;
        if (!isnan(stated))
            finding->errors_off =
                should ? linpred__greater(finding->errors_off, fabs(stated / small_error(fit, h, j, x) - 1.0))
                       : (double)INFINITY;
    }
    finding->errors_rounding =
        (fit->rows + 50.0) * n * n * 0x1p-48; /* H is at least I, and none of its rows above 4n */
    linpred__release(h);
    return true;
}

/* ---- the finding ---- */

/* Takes the finding over, if the bound is within the tolerance. */
static void take_digits(struct exact_fit *fit, int32_t rank, double gap, linpred__logistic_finding *finding)
{
    const linpred__logistic_question *question = fit->question;
    bool plain = question->class_weight[0] == 1.0 && question->class_weight[1] == 1.0;
    finding->proved = finding->estimated = finding->held = gap;
    finding->at_least = fmin(finding->at_least, gap);
    finding->by_intercept = fmin(finding->by_intercept, gap);
    finding->left_out = 0;
    if (question->l2 == 0.0)
        finding->rank_min = finding->rank_max = rank;
    finding->deviance = plain ? 2.0 * linpred__digits_double(fit->loss) : NAN;
    finding->deviance_step = fmax(1.0, 4.0 * linpred__digits_double(fit->mass)) * 0x1p-1074;
    mpf_div(fit->objective, fit->objective, fit->mass);
    finding->objective = linpred__digits_double(fit->objective);
    finding->objective_error = 0x1p-50 * finding->objective + 0x1p-1073;
}

linpred_status linpred__measure_digits(const linpred__logistic_question *question, const linpred_data *data,
                                       linpred__logistic_finding *finding, linpred_error *error)
{
    struct exact_fit fit;
    double gap = 0.0;
    bool ready = open_exact_fit(question, data, &fit), compared = true;
    if (ready)
        read_exact_fit(&fit);
    if (ready && mpf_sgn(fit.objective) > 0) {
        int32_t rank = linpred__tableau_choose(&fit.tableau, fit.log2_scale);
        mpf_t g, size;
        mpf_init2(g, LINPRED__DIGITS);
        mpf_init2(size, LINPRED__DIGITS);
        for (int32_t k = 0; k < fit.width; k++)
            gap += bound_term(&fit, k, g, size);
        mpf_clear(g);
        mpf_clear(size);
        if (rank >= 0 && gap <= question->tolerance) {
            take_digits(&fit, rank, gap, finding);
            if (question->standard_error && rank + question->null.count == fit.width)
                compared = compare_errors(&fit, finding);
        }
    }
    close_exact_fit(&fit);
    return ready && compared ? LINPRED_OK : linpred__no_memory(error);
}
