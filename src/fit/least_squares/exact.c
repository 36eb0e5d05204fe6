/* Least squares in rationals. The minimiser among coefficients that respect the dependencies, C w = 0, solves
 *
 *   [X'VX + κI   C'] [w]   [X'Vy]
 *   [C           0 ] [λ] = [0   ]
 *
 * Its rounding to double-double, w + d, has an objective that is exactly d'(X'VX + κI)d larger, since C'λ is orthogonal
 * to a d with C d = 0, and what is left of C d is rounding of rounding.
 */
#include "fit/least_squares/exact.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/row.h"
#include "fit/least_squares/limits.h"
#include "solve/dense/rational_system.h"

/* Scratch of the sums. */
struct exact_sums {
    linpred__rationals x; /* one row: columns, then the target */
    linpred__rationals term;
    linpred__rationals size; /* Σ v |x_j r| */
    double *row;             /* leading parts, trailing parts, 2 width */
    size_t p, n;             /* columns, and columns with the constraints */
    mpq_t *a;                /* the system, n x (n+1) by rows */
    mpq_t *squares;
};

/* Writes a row in rationals: columns, target, and its weight. */
static void fetch_exact_row(const linpred__design *design, const struct exact_sums *sums, const linpred__block *block,
                            int32_t r)
{
    size_t p = sums->p;
    double y = block->target[r];
    linpred__polynomial_basis_row(&design->basis, block, r, sums->row, sums->row + p);
    for (size_t j = 0; j < p; j++)
        linpred__rational_set_dd(sums->x.at[j], (linpred__dd){sums->row[j], sums->row[p + j]});
    linpred__rational_set_dd(sums->x.at[p], (linpred__dd){y, linpred__target_lost(design->data, y)});
    mpq_set_d(sums->term.at[0], linpred__row_weight(block, r));
}

/* Adds a row to X'VX, X'Vy and y'Vy. */
static void add_exact_row(const linpred__design *design, const struct exact_sums *sums, const linpred__block *block,
                          int32_t r)
{
    size_t p = sums->p, n = sums->n;
    mpq_t *x = sums->x.at, *weight = &sums->term.at[0], *part = &sums->term.at[1], *term = &sums->term.at[2];
    fetch_exact_row(design, sums, block, r);
    for (size_t j = 0; j <= p; j++) {
        mpq_mul(*part, x[j], *weight);
        for (size_t k = j; k <= p; k++) {
            size_t to = k == p ? n : k;
            mpq_mul(*term, *part, x[k]);
            if (j < p)
                mpq_add(sums->a[j * (n + 1) + to], sums->a[j * (n + 1) + to], *term);
            else
                mpq_add(*sums->squares, *sums->squares, *term);
        }
    }
}

/* The lower half of the matrix, κ, and the constraints. */
static void complete_system(const linpred__squares_objective *objective, const linpred__dependencies *dependencies,
                            const struct exact_sums *sums)
{
    size_t p = sums->p, n = sums->n, terms = (size_t)objective->design.basis.terms;
    mpq_t *kappa = &sums->term.at[0];
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < j; k++)
            mpq_set(sums->a[j * (n + 1) + k], sums->a[k * (n + 1) + j]);
    mpq_set_d(*kappa, objective->penalty);
    for (size_t j = 0; j < terms; j++)
        mpq_add(sums->a[j * (n + 1) + j], sums->a[j * (n + 1) + j], *kappa);
    for (size_t i = p; i < n; i++)
        for (size_t j = 0; j < terms; j++) {
            mpq_set_d(sums->a[i * (n + 1) + j], dependencies->vector[(i - p) * p + j]);
            mpq_set(sums->a[j * (n + 1) + i], sums->a[i * (n + 1) + j]);
        }
}

/* Reads the coefficients off the system, whose matrix is kept in `matrix`, and finds the gap. */
static void read_exact(const linpred__squares_objective *objective, const struct exact_sums *sums,
                       const linpred__rationals *matrix, linpred__dd *plain, linpred__squares_exact *answer)
{
    int target_exponent = objective->design.target_exponent;
    size_t p = sums->p, n = sums->n, terms = (size_t)objective->design.basis.terms;
    mpq_t *d = sums->x.at, *rise = &sums->term.at[0], *least = &sums->term.at[1], *term = &sums->term.at[2];
    mpq_t *penalised = &sums->term.at[4]; /* κ||w||² */
    mpq_set(*least, *sums->squares);
    mpq_set_si(*rise, 0, 1);
    mpq_set_si(*penalised, 0, 1);
    for (size_t j = 0; j < p; j++) {
        const mpq_t *w = (const mpq_t *)&sums->a[j * (n + 1) + n];
        plain[j] = linpred__rational_get_dd(*w);
        mpq_mul(*term, *w, matrix->at[j * (n + 1) + n]);
        mpq_sub(*least, *least, *term); /* y'Vy - w'X'Vy, as w'C' = 0 */
        bool finite = isfinite(plain[j].hi);
        linpred__rational_set_dd(d[j], finite ? plain[j] : (linpred__dd){0.0, 0.0});
        mpq_mul(*term, d[j], d[j]);
        if (j < terms)
            mpq_add(*penalised, *penalised, *term);
        mpq_sub(d[j], d[j], *w);
    }
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++) {
            mpq_mul(*term, matrix->at[j * (n + 1) + k], d[j]);
            mpq_mul(*term, *term, d[k]);
            mpq_add(*rise, *rise, *term);
        }
    mpq_set_d(*term, objective->penalty);
    mpq_mul(*penalised, *penalised, *term);
    mpq_add(*term, *least, *rise);
    mpq_sub(*term, *term, *penalised);
    if (target_exponent > 0)
        mpq_div_2exp(*term, *term, 2 * (mp_bitcnt_t)target_exponent);
    else
        mpq_mul_2exp(*term, *term, 2 * (mp_bitcnt_t)-target_exponent);
    answer->squares = mpq_get_d(*term);
    /* Where the targets themselves are fitted, their rounding is the measure. */
    mpq_div_2exp(*term, *sums->squares, LINPRED__SQUARES_EXACT_ROUNDING);
    mpq_add(*least, *least, *term);
    if (mpq_sgn(*least) > 0)
        mpq_div(*rise, *rise, *least);
    answer->gap = mpq_get_d(*rise);
}

/* Adds v |x_j r| of a row, r being the residual at the solution. */
static void add_pull_terms(const linpred__design *design, const struct exact_sums *sums, const linpred__block *block,
                           int32_t r)
{
    size_t p = sums->p, n = sums->n;
    mpq_t *left = &sums->x.at[p], *term = &sums->term.at[2];
    fetch_exact_row(design, sums, block, r);
    for (size_t j = 0; j < p; j++) {
        mpq_mul(*term, sums->x.at[j], sums->a[j * (n + 1) + n]);
        mpq_sub(*left, *left, *term);
    }
    mpq_mul(*left, *left, sums->term.at[0]);
    for (size_t j = 0; j < p; j++) {
        mpq_mul(*term, *left, sums->x.at[j]);
        mpq_abs(*term, *term);
        mpq_add(sums->size.at[j], sums->size.at[j], *term);
    }
}

/* Fills sums->x with g = C'λ. Returns the largest |g_j| / Σ v |x_j r|. */
static double find_pull(const linpred__design *design, const struct exact_sums *sums, const linpred__rationals *matrix)
{
    size_t p = sums->p, n = sums->n;
    mpq_t *g = sums->x.at, *term = &sums->term.at[2];
    double pull = 0.0;
    for (int64_t i = 0; i < design->data->blocks; i++) {
        const linpred__block *block = linpred__block_at(design->data, i);
        for (int32_t r = 0; r < block->rows; r++)
            add_pull_terms(design, sums, block, r);
    }
    for (size_t j = 0; j < p; j++) {
        mpq_set_si(g[j], 0, 1);
        for (size_t k = p; k < n; k++) {
            mpq_mul(*term, matrix->at[j * (n + 1) + k], sums->a[k * (n + 1) + n]);
            mpq_add(g[j], g[j], *term);
        }
        if (mpq_sgn(g[j]) != 0 && mpq_sgn(sums->size.at[j]) > 0) {
            mpq_div(*term, g[j], sums->size.at[j]);
            pull = fmax(pull, fabs(mpq_get_d(*term)));
        }
    }
    return pull;
}

/* ||S'g||² / Σ v r², g being in sums->x and Σ v r² in sums->term[1]. */
static double find_fall(const linpred__design *design, const linpred__squares_solution *solution,
                        const struct exact_sums *sums)
{
    size_t p = sums->p, rank = (size_t)solution->rank;
    mpq_t *along = &sums->term.at[0], *squares = &sums->term.at[1], *term = &sums->term.at[2], *sum = sums->size.at;
    if (!solution->factor || mpq_sgn(*squares) <= 0)
        return 0.0;
    mpq_set_si(*sum, 0, 1);
    for (size_t k = 0; k < rank; k++) {
        mpq_set_si(*along, 0, 1);
        for (size_t j = 0; j < p; j++) { /* S in the user's units is S 2^-exponent */
            mpq_set_d(*term, solution->factor[j * rank + k].hi);
            if (design->exponent[j] > 0)
                mpq_div_2exp(*term, *term, (mp_bitcnt_t)design->exponent[j]);
            else
                mpq_mul_2exp(*term, *term, (mp_bitcnt_t)-design->exponent[j]);
            mpq_mul(*term, *term, sums->x.at[j]);
            mpq_add(*along, *along, *term);
        }
        mpq_mul(*along, *along, *along);
        mpq_add(*sum, *sum, *along);
    }
    mpq_div(*sum, *sum, *squares);
    return mpq_get_d(*sum);
}

linpred_status linpred__squares_exactly(const linpred__squares_objective *objective,
                                        const linpred__squares_solution *solution,
                                        const linpred__dependencies *dependencies, linpred__dd *plain,
                                        linpred__squares_exact *answer, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width, n = p + (objective->penalty > 0.0 ? 0 : (size_t)dependencies->count);
    *answer = (linpred__squares_exact){0};
    if ((double)design->data->rows * (double)(p * p) > LINPRED__SQUARES_EXACT_WORK ||
        n > LINPRED__SQUARES_EXACT_COLUMNS)
        return LINPRED_OK;
    linpred__rationals a = {0}, matrix = {0};
    struct exact_sums sums = {.p = p, .n = n, .row = linpred__alloc(2 * p, sizeof *sums.row)};
    bool made = sums.row && linpred__rationals_open(&a, n, n + 1) && linpred__rationals_open(&matrix, n, n + 1) &&
                linpred__rationals_open(&sums.x, 1, p + 1) && linpred__rationals_open(&sums.term, 1, 5) &&
                linpred__rationals_open(&sums.size, 1, p);
    if (made) {
        sums.a = a.at;
        sums.squares = &sums.term.at[3];
        for (int64_t i = 0; i < design->data->blocks; i++) {
            const linpred__block *block = linpred__block_at(design->data, i);
            for (int32_t r = 0; r < block->rows; r++)
                add_exact_row(design, &sums, block, r);
        }
        complete_system(objective, dependencies, &sums);
        for (size_t i = 0; i < n * (n + 1); i++)
            mpq_set(matrix.at[i], a.at[i]);
        answer->solved = linpred__rationals_solve(&a);
        if (answer->solved) {
            read_exact(objective, &sums, &matrix, plain, answer);
            answer->pull = n > p ? find_pull(design, &sums, &matrix) : 0.0;
            answer->fall = n > p ? find_fall(design, solution, &sums) : 0.0;
        }
    }
    linpred__rationals_close(&a);
    linpred__rationals_close(&matrix);
    linpred__rationals_close(&sums.x);
    linpred__rationals_close(&sums.term);
    linpred__rationals_close(&sums.size);
    linpred__release(sums.row);
    return made ? LINPRED_OK : linpred__no_memory(error);
}
