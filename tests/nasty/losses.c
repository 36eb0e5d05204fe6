/* Exact minima of the squared and the absolute loss, and an interval around that of the logistic loss. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "nasty.h"

static double largest_target(const exact_rows *rows)
{
    double largest = 0.0;
    for (int i = 0; i < rows->rows; i++)
        largest = fmax(largest, fabs(mpq_get_d(rows->y[i])));
    return largest;
}

static nasty_judgement compare(const char *what, double stated, double exact, double within, char *why)
{
    if (fabs(stated - exact) <= within)
        return NASTY_RIGHT;
    snprintf(why, WHY, "%s is %.17g, exactly %.17g", what, stated, exact);
    return NASTY_WRONG;
}

/* ---- squares ---- */

/* min Σ v (y - Xc)² + κ‖c‖² = y'Vy - c'X'Vy, where (X'VX + κ) c = X'Vy; κ does not act on the last column if that is
 * free. */
static void least_squares(const exact_rows *rows, const mpq_t kappa, bool last_is_free, mpq_t minimum)
{
    int p = rows->x.columns, pivot[MAX_WIDTH + 1];
    rationals a = rationals_open(p, p + 1);
    mpq_t term, *gradient = malloc(((size_t)p + 1) * sizeof *gradient);
    mpq_init(term);
    mpq_set_si(minimum, 0, 1);
    for (int i = 0; i < rows->rows; i++) {
        mpq_mul(term, rows->y[i], rows->y[i]);
        mpq_mul(term, term, rows->weight[i]);
        mpq_add(minimum, minimum, term);
        for (int j = 0; j < p; j++)
            for (int k = 0; k <= p; k++) {
                mpq_mul(term, *at(&rows->x, i, j), rows->weight[i]);
                mpq_mul(term, term, k < p ? *at(&rows->x, i, k) : rows->y[i]);
                mpq_add(*at(&a, j, k), *at(&a, j, k), term);
            }
    }
    for (int j = 0; j < p; j++) {
        if (j < p - last_is_free)
            mpq_add(*at(&a, j, j), *at(&a, j, j), kappa);
        mpq_init(gradient[j]);
        mpq_set(gradient[j], *at(&a, j, p));
    }
    int rank = rationals_reduce(&a, pivot);
    for (int k = 0; k < rank && pivot[k] < p; k++) {
        mpq_mul(term, *at(&a, k, p), gradient[pivot[k]]);
        mpq_sub(minimum, minimum, term);
    }
    for (int j = 0; j < p; j++)
        mpq_clear(gradient[j]);
    mpq_clear(term);
    rationals_close(&a);
    free(gradient);
}

nasty_judgement judge_squares(const nasty_case *c, const linpred_result *result, char *why)
{
    exact_rows rows;
    if (result->figures.outcome != LINPRED_OUTCOME_OPTIMAL || !exact_rows_open(c, result, !c->l2, &rows))
        return NASTY_NOT_COMPARED;
    mpq_t kappa, minimum;
    mpq_inits(kappa, minimum, NULL);
    if (c->l2) { /* κ = l2 W / 2 */
        mpq_set_d(kappa, 0.5 * result->figures.l2);
        mpq_mul(kappa, kappa, rows.total);
    }
    least_squares(&rows, kappa, c->l2 && !c->through_origin, minimum);
    mpq_div(minimum, minimum, rows.total);
    double exact = mpq_get_d(minimum), noise = 0x1p-40 * largest_target(&rows); /* rounded down, to whole 2^-1074 */
    nasty_judgement judged =
        compare("the objective", result->figures.objective, exact, 1e-8 * exact + noise * noise + 0x1p-1074, why);
    mpq_clears(kappa, minimum, NULL);
    exact_rows_close(&rows);
    return judged;
}

/* ---- absolute loss ---- */

struct vertices {
    const exact_rows *rows;
    mpq_t up, down; /* 2τ and 2(1-τ) */
    mpq_t least;
    bool any;
    int64_t tried;
};

/* The loss of the fit through the chosen rows, if they are independent. */
static void try_vertex(struct vertices *v, const int *row)
{
    const exact_rows *rows = v->rows;
    int p = rows->x.columns, pivot[MAX_WIDTH + 1];
    rationals a = rationals_open(p, p + 1);
    for (int k = 0; k < p; k++)
        for (int j = 0; j <= p; j++)
            mpq_set(*at(&a, k, j), j < p ? *at(&rows->x, row[k], j) : rows->y[row[k]]);
    int rank = rationals_reduce(&a, pivot);
    v->tried++;
    if (rank == p && (p == 0 || pivot[p - 1] == p - 1)) {
        mpq_t loss, left, term;
        mpq_inits(loss, left, term, NULL);
        for (int i = 0; i < rows->rows; i++) {
            mpq_set(left, rows->y[i]);
            for (int j = 0; j < p; j++) {
                mpq_mul(term, *at(&rows->x, i, j), *at(&a, j, p));
                mpq_sub(left, left, term);
            }
            mpq_mul(term, left, mpq_sgn(left) > 0 ? v->up : v->down);
            mpq_mul(term, term, rows->weight[i]);
            mpq_abs(term, term);
            mpq_add(loss, loss, term);
        }
        if (!v->any || mpq_cmp(loss, v->least) < 0)
            mpq_set(v->least, loss);
        v->any = true;
        mpq_clears(loss, left, term, NULL);
    }
    rationals_close(&a);
}

static void try_vertices(struct vertices *v, int *row, int chosen)
{
    if (chosen == v->rows->x.columns) {
        try_vertex(v, row);
        return;
    }
    for (int i = chosen > 0 ? row[chosen - 1] + 1 : 0; i < v->rows->rows; i++) {
        row[chosen] = i;
        try_vertices(v, row, chosen + 1);
    }
}

static double choose(int n, int k)
{
    double count = 1.0;
    for (int i = 0; i < k; i++)
        count *= (double)(n - i) / (double)(i + 1);
    return count;
}

nasty_judgement judge_absolute(const nasty_case *c, const linpred_result *result, char *why)
{
    exact_rows rows;
    if (result->figures.outcome != LINPRED_OUTCOME_OPTIMAL || !exact_rows_open(c, result, true, &rows))
        return NASTY_NOT_COMPARED;
    nasty_judgement judged = NASTY_NOT_COMPARED;
    if (choose(rows.rows, rows.x.columns) <= 250.0) {
        struct vertices v = {.rows = &rows};
        double quantile = c->quantile ? strtod(c->quantile, NULL) : 0.5;
        int row[MAX_ROWS];
        mpq_inits(v.up, v.down, v.least, NULL);
        mpq_set_d(v.up, 2.0 * quantile);
        mpq_set_d(v.down, 2.0 * (1.0 - quantile));
        try_vertices(&v, row, 0);
        mpq_div(v.least, v.least, rows.total);
        double exact = mpq_get_d(v.least), noise = 0x1p-44 * largest_target(&rows);
        judged = compare("the objective", result->figures.objective, exact, 1e-11 * exact + noise, why);
        mpq_clears(v.up, v.down, v.least, NULL);
    }
    exact_rows_close(&rows);
    return judged;
}

/* ---- logistic loss ----
 *
 * By duality min F >= (1/W) Σ c H(α) - (l2/2) ‖q‖², H(α) = -α ln α - (1-α) ln(1-α), for all α in [0,1] with
 * Σ c α y (x,1) = l2 W (q,0). The α of the model, p = 1/(1+exp(ys)) with q = w, nearly fulfil that. One exact step of
 * Newton's method z makes them fulfil it: α = p - D U z, q = w + z, with D = p(1-p) and U the rows y(x,1). */

static double entropy(const mpq_t alpha)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_si(rest, 1, 1);
    mpq_sub(rest, rest, alpha);
    long double a = mpq_get_d(alpha), b = mpq_get_d(rest), sum = 0.0L;
    sum -= a > 0 ? a * (a < 0.5L ? logl(a) : log1pl(-b)) : 0.0L;
    sum -= b > 0 ? b * (b < 0.5L ? logl(b) : log1pl(-a)) : 0.0L;
    mpq_clear(rest);
    return (double)sum;
}

struct dual {
    const exact_rows *rows;
    mpq_t weight[MAX_ROWS], total; /* c and W, with class weights */
    mpq_t alpha[MAX_ROWS];
    mpq_t slope[MAX_ROWS]; /* D */
    double loss;           /* F of the model without the penalty */
};

/* A number that may be below the range of doubles, to their digits. */
static void set_small(mpq_t to, long double x)
{
    int exponent;
    mpq_set_d(to, (double)frexpl(x, &exponent));
    if (exponent < 0)
        mpq_div_2exp(to, to, (mp_bitcnt_t)-exponent);
    else
        mpq_mul_2exp(to, to, (mp_bitcnt_t)exponent);
}

/* Scores, p and F of the model. `x` are all columns. */
static void take_model(const nasty_case *c, const linpred_result *result, const rationals *x, struct dual *dual)
{
    const linpred_model *model = &result->model;
    mpq_t score, term;
    mpq_inits(score, term, dual->total, NULL);
    long double sum = 0.0L;
    for (int i = 0; i < dual->rows->rows; i++) {
        bool positive = mpq_sgn(dual->rows->y[i]) > 0;
        mpq_inits(dual->weight[i], dual->alpha[i], dual->slope[i], NULL);
        mpq_set_d(score, c->through_origin ? 0.0 : model->b);
        for (int p = -1; p < model->tails.count; p++) {
            const double *part = p < 0 ? model->w : model->tails.value + p * model->tails.width;
            for (int j = 0; j < c->columns; j++) {
                mpq_set_d(term, part[j]);
                mpq_mul(term, term, *at(x, i, j));
                mpq_add(score, score, term);
            }
            mpq_set_d(term, p < 0 || c->through_origin ? 0.0 : part[c->columns]);
            mpq_add(score, score, term);
        }
        mpq_set_d(term, positive ? result->figures.class_weight_positive : result->figures.class_weight_negative);
        mpq_mul(dual->weight[i], dual->rows->weight[i], term);
        mpq_add(dual->total, dual->total, dual->weight[i]);
        double t = mpq_get_d(score) * (positive ? 1.0 : -1.0);
        long double e = expl(-fabsl((long double)t));
        set_small(dual->alpha[i], t > 0 ? e / (1.0L + e) : 1.0L / (1.0L + e));
        set_small(dual->slope[i], e / (1.0L + e) / (1.0L + e));
        sum += (long double)mpq_get_d(dual->weight[i]) *
               ((t < 0 ? -(long double)t : 0.0L) + log1pl(expl(-fabsl((long double)t))));
    }
    dual->loss = (double)(sum / (long double)mpq_get_d(dual->total));
    mpq_clears(score, term, NULL);
}

/* α <- α - D U z with U'Cα = κ(w+z), κ = l2 W, for the first `features` columns, and = 0 for the others. `u` are the
   columns without the labels. Returns (l2/2) ‖w+z‖². Without a penalty `features` is 0. */
static double make_feasible(struct dual *dual, const rationals *u, int features, const double *w, double l2)
{
    int p = u->columns, n = dual->rows->rows, pivot[MAX_WIDTH + 1];
    rationals a = rationals_open(p, p + 1);
    mpq_t term, part, kappa, norm;
    mpq_inits(term, part, kappa, norm, NULL);
    mpq_set_d(kappa, l2);
    mpq_mul(kappa, kappa, dual->total);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            mpq_mul(part, dual->weight[i], *at(u, i, j));
            for (int k = 0; k < p; k++) {
                mpq_mul(term, part, *at(u, i, k));
                mpq_mul(term, term, dual->slope[i]);
                mpq_add(*at(&a, j, k), *at(&a, j, k), term);
            }
            mpq_mul(term, part, dual->rows->y[i]);
            mpq_mul(term, term, dual->alpha[i]);
            mpq_add(*at(&a, j, p), *at(&a, j, p), term);
        }
    for (int j = 0; j < features; j++) {
        mpq_add(*at(&a, j, j), *at(&a, j, j), kappa);
        mpq_set_d(term, w[j]);
        mpq_mul(term, term, kappa);
        mpq_sub(*at(&a, j, p), *at(&a, j, p), term);
    }
    int rank = rationals_reduce(&a, pivot);
    for (int k = 0; k < rank && pivot[k] < p; k++) {
        for (int i = 0; i < n; i++) {
            mpq_mul(term, *at(&a, k, p), *at(u, i, pivot[k]));
            mpq_mul(term, term, dual->rows->y[i]);
            mpq_mul(term, term, dual->slope[i]);
            mpq_sub(dual->alpha[i], dual->alpha[i], term);
        }
        if (pivot[k] < features) { /* with a penalty every column is a pivot */
            mpq_set_d(term, w[pivot[k]]);
            mpq_add(term, term, *at(&a, k, p));
            mpq_mul(term, term, term);
            mpq_add(norm, norm, term);
        }
    }
    mpq_set_d(term, 0.5 * l2);
    mpq_mul(norm, norm, term);
    double value = mpq_get_d(norm);
    mpq_clears(term, part, kappa, norm, NULL);
    rationals_close(&a);
    return value;
}

/* The lower bound of min F; NaN if some α is not in [0,1]. */
static double dual_value(const struct dual *dual)
{
    long double sum = 0.0L;
    for (int i = 0; i < dual->rows->rows; i++) {
        if (mpq_sgn(dual->alpha[i]) < 0 || mpq_cmp_si(dual->alpha[i], 1, 1) > 0)
            return NAN;
        sum += (long double)mpq_get_d(dual->weight[i]) * (long double)entropy(dual->alpha[i]);
    }
    return (double)(sum / (long double)mpq_get_d(dual->total));
}

static void close_dual(struct dual *dual)
{
    for (int i = 0; i < dual->rows->rows; i++)
        mpq_clears(dual->weight[i], dual->alpha[i], dual->slope[i], NULL);
    mpq_clear(dual->total);
}

nasty_judgement judge_logistic(const nasty_case *c, const linpred_result *result, char *why)
{
    exact_rows rows, reduced;
    const linpred__figures *figures = &result->figures;
    if (figures->outcome == LINPRED_OUTCOME_NO_MINIMISER || !exact_rows_open(c, result, false, &rows))
        return NASTY_NOT_COMPARED;
    exact_rows_open(c, result, true, &reduced);
    struct dual dual = {.rows = &rows};
    take_model(c, result, &rows.x, &dual);
    double objective = dual.loss;
    double bound = -(c->l2 ? make_feasible(&dual, &rows.x, c->columns, result->model.w, figures->l2)
                           : make_feasible(&dual, &reduced.x, 0, NULL, 0.0));
    bound += dual_value(&dual);
    for (int j = 0; c->l2 && j < c->columns; j++)
        objective += 0.5 * figures->l2 * result->model.w[j] * result->model.w[j];
    nasty_judgement judged = compare("the objective", figures->objective, objective, 1e-9 * objective + 1e-300, why);
    if (judged == NASTY_RIGHT && figures->outcome != LINPRED_OUTCOME_OPTIMAL)
        judged = NASTY_NOT_COMPARED;
    if (judged == NASTY_RIGHT && isnan(bound))
        judged = NASTY_NOT_COMPARED;
    if (judged == NASTY_RIGHT && !(objective - bound <= 1.01e-8 * objective + 1e-15)) {
        snprintf(why, WHY, "the objective is %.17g, and the dual proves %.17g only", objective, bound);
        judged = NASTY_WRONG;
    }
    close_dual(&dual);
    exact_rows_close(&rows);
    exact_rows_close(&reduced);
    return judged;
}
