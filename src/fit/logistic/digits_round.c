/* Coefficients as sums of doubles, near the minimum of a fit to many digits.
 *
 * Rounding each coefficient for itself is not enough where terms of scores cancel: of x = 1e300 and 1.1e300 a score of
 * 1 has no digit left. So one coefficient after the other is rounded, and those not yet rounded make up for it (Babai's
 * nearest plane). With the rows, scaled so that an error of 1 is harmless, as rows of a matrix A and t = Aw at the
 * minimum, let q be what is left of column j beside the columns not yet rounded, and r = t - Σ w a over those
 * that are. Then the best w_j is <q,r> / <q,q>, and an error e of it costs e ‖q‖. It gets no more bits than that asks
 * for: the fewer bits it has, the more are left to the last coefficients. Which order is good is tried.
 *
 * Nothing is proved here: the gap is measured at the coefficients that come out.
 */
#include <math.h>

#include "core/memory.h"
#include "core/random.h"
#include "fit/logistic/digits.h"
#include "fit/logistic/limits.h"

/* Errors of about 2^-30 in each row are best; larger ones are better than none. */
enum { FINES = 3 };
static const int fines[FINES] = {30, 15, 3};

struct rounding {
    size_t n, rows;
    mpf_t *column;  /* A by columns, n x rows */
    mpf_t *beside;  /* q of each column, n x rows */
    mpf_t *squares; /* <q,q>, n */
    mpf_t *target;  /* t, rows */
    mpf_t *left;    /* r, rows */
    mpf_t *scratch; /* 2 */
    size_t *order;  /* coefficients in the order of their rounding */
    size_t parts;   /* of a coefficient, at most */
    double *w;      /* parts x n, for each of the fines: part p of coefficient j is w[p n + j] */
    int kept;       /* the first of the fines that an order has reached; FINES: none */
    bool beyond;    /* a coefficient, which is INFINITY in w of `kept`, is beyond the range of doubles */
};

static void close_rounding(struct rounding *a)
{
    linpred__digits_close(a->column, a->n * a->rows);
    linpred__digits_close(a->beside, a->n * a->rows);
    linpred__digits_close(a->squares, a->n);
    linpred__digits_close(a->target, a->rows);
    linpred__digits_close(a->left, a->rows);
    linpred__digits_close(a->scratch, 2);
    linpred__release(a->order);
    linpred__release(a->w);
}

static bool open_rounding(struct rounding *a, size_t n, size_t rows, size_t parts)
{
    *a = (struct rounding){.n = n,
                           .rows = rows,
                           .parts = parts,
                           .kept = FINES,
                           .column = linpred__digits_open(n * rows, LINPRED__FINE_BITS),
                           .beside = linpred__digits_open(n * rows, LINPRED__FINE_BITS),
                           .squares = linpred__digits_open(n, LINPRED__FINE_BITS),
                           .target = linpred__digits_open(rows, LINPRED__FINE_BITS),
                           .left = linpred__digits_open(rows, LINPRED__FINE_BITS),
                           .scratch = linpred__digits_open(2, LINPRED__FINE_BITS),
                           .order = linpred__alloc(n, sizeof *a->order),
                           .w = linpred__calloc(FINES * parts * n, sizeof *a->w)};
    return a->column && a->beside && a->squares && a->target && a->left && a->scratch && a->order && a->w;
}

/* ---- the matrix ---- */

/* What a row of the tableau is multiplied by: an error of 1 is then `share` of sqrt(WF) in sqrt(curvature) times the
   score, and no more than a thousandth in the score itself if it is a row of the basis; with `all`, no more than 1 if
   it is any row of the data. */
static void find_row_scale(const linpred__fine_fit *fit, int32_t row, bool all, mpf_t scale, mpf_t scratch)
{
    double share = 0.01 * sqrt(fmax(fit->problem->terms.tolerance, 1e-24));
    unsigned least = all && row < fit->rows;
    for (int32_t k = 0; k < fit->width; k++)
        least = fit->tableau.basis[k] == row && row < fit->rows ? 1000 : least;
    mpf_sqrt(scratch, fit->objective);
    mpf_set_d(scale, share);
    mpf_mul(scratch, scratch, scale);
    mpf_sqrt(scale, fit->curvature[row]);
    mpf_div(scale, scale, scratch);
    if (mpf_cmp_ui(scale, least) < 0)
        mpf_set_ui(scale, least);
}

/* A row of A and t: a row of the tableau. */
static void fill_row(const linpred__fine_fit *fit, int32_t row, bool all, struct rounding *a)
{
    mpf_t *scale = &a->scratch[0], *term = &a->scratch[1];
    find_row_scale(fit, row, all, *scale, *term);
    mpf_mul(a->target[row], *scale, fit->value[row]);
    for (size_t j = 0; j < a->n; j++) {
        mpf_t *entry = &a->column[j * a->rows + (size_t)row];
        mpf_set_ui(*entry, row - fit->rows == (int32_t)j);
        if (row < fit->rows) {
            mpf_set_z(*entry, fit->cells.value[(size_t)row * a->n + j]);
            mpf_set_d(*term, fit->factor);
            mpf_div(*entry, *entry, *term);
        }
        mpf_mul(*entry, *entry, *scale);
        mpf_div_2exp(*entry, *entry, (mp_bitcnt_t)fit->shift[j]);
    }
}

/* A row of A and t: <n,w> = 0 for a dependency n, the intercept left out, to 1e-12 of the largest coefficient. */
static void fill_null_row(const linpred__fine_fit *fit, const double *vector, double largest, size_t row,
                          struct rounding *a)
{
    double part = 0.0;
    for (int32_t j = 0; j < fit->columns; j++)
        part = fmax(part, fabs(vector[j]));
    mpf_set_ui(a->target[row], 0);
    for (size_t j = 0; j < a->n; j++) {
        mpf_t *entry = &a->column[j * a->rows + row], *factor = &a->scratch[0];
        mpf_set_d(*entry, (int32_t)j < fit->columns && part > 0 ? vector[j] / part : 0.0);
        mpf_set_d(*factor, 1e12);
        mpf_mul(*entry, *entry, *factor);
        mpf_set_d(*factor, largest);
        mpf_div(*entry, *entry, *factor);
    }
}

static void fill_matrix(const linpred__fine_fit *fit, const linpred__dependencies *dependencies, double largest,
                        bool all, struct rounding *a)
{
    for (int32_t i = 0; i < fit->tableau.rows; i++)
        fill_row(fit, i, all, a);
    for (int32_t k = 0; k < dependencies->count; k++)
        fill_null_row(fit, dependencies->vector + (size_t)k * a->n, largest, (size_t)(fit->tableau.rows + k), a);
}

/* ---- the rounding ---- */

static void inner(const mpf_t *x, const mpf_t *y, size_t n, mpf_t result, mpf_t term)
{
    mpf_set_ui(result, 0);
    for (size_t i = 0; i < n; i++) {
        mpf_mul(term, x[i], y[i]);
        mpf_add(result, result, term);
    }
}

/* x <- x - factor y */
static void subtract(mpf_t *x, const mpf_t *y, const mpf_t factor, size_t n, mpf_t term)
{
    for (size_t i = 0; i < n; i++) {
        mpf_mul(term, y[i], factor);
        mpf_sub(x[i], x[i], term);
    }
}

/* Fills `beside` and `squares` for the order. False: A is singular. */
static bool find_beside(struct rounding *a)
{
    size_t rows = a->rows;
    mpf_t *factor = &a->scratch[0], *term = &a->scratch[1];
    for (size_t i = a->n; i-- > 0;) {
        mpf_t *q = a->beside + i * rows, *column = a->column + a->order[i] * rows;
        for (size_t k = 0; k < rows; k++)
            mpf_set(q[k], column[k]);
        for (size_t m = i + 1; m < a->n; m++) {
            inner(q, a->beside + m * rows, rows, *factor, *term);
            mpf_div(*factor, *factor, a->squares[m]);
            subtract(q, a->beside + m * rows, *factor, rows, *term);
        }
        inner(q, q, rows, a->squares[i], *term);
        if (mpf_sgn(a->squares[i]) == 0)
            return false;
    }
    return true;
}

/* Rounds c to a multiple of 2^exponent. */
static void round_number(mpf_t c, long exponent, mpf_t half)
{
    mp_bitcnt_t down = exponent < 0 ? (mp_bitcnt_t)-exponent : 0, up = exponent > 0 ? (mp_bitcnt_t)exponent : 0;
    mpf_mul_2exp(c, c, down);
    mpf_div_2exp(c, c, up);
    mpf_set_d(half, 0.5);
    mpf_add(c, c, half);
    mpf_floor(c, c);
    mpf_div_2exp(c, c, down);
    mpf_mul_2exp(c, c, up);
}

/* The coefficients that number f of the fines has come to. */
static double *rounded_to(const struct rounding *a, int f)
{
    return a->w + (size_t)f * a->parts * a->n;
}

/* Rounds in the order, to number f of the fines. Returns whether all errors that are left are that small. With all
   parts every order comes near the same coefficients, so that one that is beyond the range of doubles is so in all. */
static bool round_in_order(struct rounding *a, int f)
{
    size_t rows = a->rows;
    double *w = rounded_to(a, f);
    mpf_t *c = &a->scratch[0], *term = &a->scratch[1];
    for (size_t k = 0; k < rows; k++)
        mpf_set(a->left[k], a->target[k]);
    for (size_t i = 0; i < a->n; i++) {
        inner(a->beside + i * rows, a->left, rows, *c, *term);
        mpf_div(*c, *c, a->squares[i]);
        double exponent = floor(-0.5 * linpred__digits_log2(a->squares[i])) - fines[f];
        round_number(*c, (long)fmin(fmax(exponent, -1074.0), 1023.0), *term);
        size_t j = a->order[i];
        bool beyond = !isfinite(linpred__digits_double(*c)); /* asked before its parts are taken off it */
        if (!linpred__digits_parts(*c, a->parts, a->n, w + j)) {
            w[j] = beyond ? INFINITY : NAN;
            a->beyond = beyond && a->parts == LINPRED__FINE_PARTS;
            return a->beyond;
        }
        for (size_t p = 0; p < a->parts && w[p * a->n + j] != 0.0; p++) {
            mpf_set_d(*c, w[p * a->n + j]);
            subtract(a->left, a->column + j * rows, *c, rows, *term);
        }
    }
    double worst = 0.0;
    for (size_t k = 0; k < rows; k++)
        worst = fmax(worst, fabs(linpred__digits_double(a->left[k])));
    return worst <= ldexp((double)a->n, -fines[f]);
}

/* Tries orders until one reaches the first of the fines, or nothing more can be reached. */
static void try_orders(struct rounding *a)
{
    linpred__random random;
    linpred__random_seed(&random, 1);
    double work = (double)a->n * (double)a->n * (double)a->rows;
    int tries = (int)fmin(LINPRED__FINE_ORDERS, 1.0 + LINPRED__FINE_ORDER_WORK / work);
    for (size_t j = 0; j < a->n; j++)
        a->order[j] = j;
    for (int k = 0; k < tries && !a->beyond && a->kept > 0; k++) {
        bool regular = find_beside(a);
        for (int f = 0; regular && f < a->kept; f++)
            if (round_in_order(a, f))
                a->kept = f;
        for (size_t j = a->n - 1; j > 0; j--) {
            size_t other = (size_t)linpred__random_below(&random, j + 1), held = a->order[j];
            a->order[j] = a->order[other];
            a->order[other] = held;
        }
    }
}

bool linpred__fine_round(const linpred__fine_fit *fit, const linpred__dependencies *dependencies, double largest,
                         bool all, int32_t count, double *parts)
{
    struct rounding a;
    for (int32_t j = 0; j < fit->width; j++)
        parts[j] = NAN;
    if (fit->rank + dependencies->count != fit->width || dependencies->drop || mpf_sgn(fit->objective) <= 0)
        return true;
    bool ready =
        open_rounding(&a, (size_t)fit->width, (size_t)(fit->tableau.rows + dependencies->count), (size_t)count);
    if (ready) {
        fill_matrix(fit, dependencies, largest, all, &a);
        try_orders(&a);
    }
    for (size_t i = 0; a.kept < FINES && i < a.parts * a.n; i++)
        parts[i] = rounded_to(&a, a.kept)[i];
    close_rounding(&a);
    return ready;
}
