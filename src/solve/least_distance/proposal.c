/* Proposes the active rows (see the header). All of it is in doubles, and on one thread but for the factor. */
#include "solve/least_distance/proposal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/fast.h"
#include "core/memory.h"
#include "solve/dense/tiled_factor.h"
#include "solve/least_distance/interior.h"
#include "solve/least_distance/row_products.h"
#include "solve/limits.h"

struct pivoting {
    const linpred__least_distance *p;
    linpred__pool *pool;
    int64_t n;         /* rows */
    const double *k;   /* K */
    double *y;         /* labels; all 0 through the origin */
    double *alpha;     /* n multipliers */
    double *value;     /* n: <z_i, w> of the multipliers */
    double *gain;      /* n: scratch */
    double *curvature; /* n: of the dual along each multiplier */
    double *factor;    /* n x n at most: K of the set, then its factor */
    double *ones;      /* n: right sides and solutions */
    double *labels;    /* n: the same */
    int64_t *member;   /* the set */
    int64_t size;
    double mean;      /* of the diagonal of K */
    double intercept; /* b */
};

/* ---- 1. single multipliers --------------------------------------------------------------------------------------- */

/* Here the intercept is a column of the size of a row: K + mean yy'. That is not the problem asked about, but its
   support is nearly the same, and no constraint ties the multipliers to each other. */
static void start_values(struct pivoting *g)
{
    cblas_dsymv(CblasRowMajor, CblasUpper, (int)g->n, 1.0, g->k, (int)g->n, g->alpha, 1, 0.0, g->value, 1);
    double balance = cblas_ddot((int)g->n, g->y, 1, g->alpha, 1);
    cblas_daxpy((int)g->n, g->mean * balance, g->y, 1, g->value, 1);
}

/* What the best change of each multiplier alone gains: it lowers the dual by gain/2. miss is the violation of value >=
   1, or of value = 1 where α > 0. */
LINPRED__FAST static void find_gains(const struct pivoting *g, double *restrict gain, double *restrict miss)
{
    const double *restrict value = g->value, *restrict alpha = g->alpha, *restrict curvature = g->curvature;
    int64_t n = g->n;
    for (int64_t i = 0; i < n; i++) {
        double slope = 1.0 - value[i];
        double best = alpha[i] + slope / curvature[i];
        double step = (best > 0.0 ? best : 0.0) - alpha[i];
        gain[i] = step * (2.0 * slope - step * curvature[i]);
        miss[i] = step == 0.0 ? 0.0 : fabs(slope);
    }
}

/* The largest of n numbers, or 0 if none is positive. It is found in lanes, which a vector holds. */
LINPRED__FAST static double largest_in_lanes(int64_t n, const double *restrict x)
{
    enum { LANES = 8 };
    double most[LANES] = {0.0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            most[l] = x[i + l] > most[l] ? x[i + l] : most[l];
    double largest = 0.0;
    for (; i < n; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (int l = 0; l < LANES; l++)
        largest = most[l] > largest ? most[l] : largest;
    return largest;
}

LINPRED__FAST static void move_values(int64_t n, double step, const double *restrict row, double label,
                                      const double *restrict y, double *restrict value)
{
    for (int64_t j = 0; j < n; j++)
        value[j] += step * row[j] + label * y[j];
}

/* Whether all rows came near enough. */
static bool change_single_multipliers(struct pivoting *g)
{
    start_values(g);
    for (int64_t i = 0; i < g->n; i++) /* read from an array: the diagonal of K is spread over as many pages */
        g->curvature[i] = g->k[i * (g->n + 1)] + g->mean * g->y[i] * g->y[i];
    double *miss = g->ones; /* which is for the next step */
    for (int64_t round = 0; round < LINPRED__PROPOSAL_CHANGES * g->n; round++) {
        find_gains(g, g->gain, miss);
        if (largest_in_lanes(g->n, miss) <= LINPRED__PROPOSAL_MISS)
            return true;
        double most = largest_in_lanes(g->n, g->gain);
        int64_t i = 0; /* the first row that gains most */
        while (most > 0.0 && g->gain[i] != most)
            i++;
        double step = fmax(g->alpha[i] + (1.0 - g->value[i]) / g->curvature[i], 0.0) - g->alpha[i];
        g->alpha[i] += step;
        move_values(g->n, step, g->k + i * g->n, g->mean * g->y[i] * step, g->y, g->value);
    }
    return false;
}

/* ---- 2. block pivoting ------------------------------------------------------------------------------------------- */

/* The factor of K on the set, with a little more on the diagonal. */
static bool factor_set(struct pivoting *g)
{
    for (int64_t a = 0; a < g->size; a++) {
        const double *row = g->k + g->member[a] * g->n;
        for (int64_t b = a; b < g->size; b++)
            g->factor[a * g->size + b] = row[g->member[b]];
        g->factor[a * g->size + a] += LINPRED__PROPOSAL_RIDGE * g->mean;
    }
    /* The upper triangle by rows is the lower one by columns. */
    return linpred__tiled_factor(g->pool, (int)g->size, g->factor);
}

LINPRED__FAST static void rotate_rows(int64_t n, double cosine, double sine, double *restrict x, double *restrict y)
{
    for (int64_t k = 0; k < n; k++) {
        double first = x[k], second = y[k];
        x[k] = cosine * first + sine * second;
        y[k] = cosine * second - sine * first;
    }
}

/* The factor R of K on the set becomes that of K + (entry y)(entry y)': rotations bring the row (entry y)' into it. */
static void add_intercept(struct pivoting *g, double entry)
{
    int64_t n = g->size;
    double *x = g->labels;
    for (int64_t a = 0; a < n; a++)
        x[a] = entry * g->y[g->member[a]];
    for (int64_t a = 0; a < n; a++) {
        double *row = g->factor + a * n, length = hypot(row[a], x[a]);
        rotate_rows(n - a, row[a] / length, x[a] / length, row + a, x + a);
    }
}

static void solve_set(const struct pivoting *g, double *x)
{
    cblas_dtrsv(CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, (int)g->size, g->factor, (int)g->size, x, 1);
    cblas_dtrsv(CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)g->size, g->factor, (int)g->size, x, 1);
}

/* The weight of b² in the norm, when the entries of the intercept are 1. */
static double intercept_weight(const linpred__least_distance *p)
{
    return p->bordered ? p->phi : ldexp(1.0, 2 * p->scale);
}

/* Solves  K α + b y = 1  on the set and  <y,α> = φ b, then computes the values of all rows. */
static bool solve_equations(struct pivoting *g)
{
    if (!factor_set(g))
        return false;
    for (int64_t a = 0; a < g->size; a++) {
        g->ones[a] = 1.0;
        g->labels[a] = g->y[g->member[a]];
    }
    solve_set(g, g->ones);
    g->intercept = 0.0;
    if (g->p->form != LINPRED__FORM_ORIGIN) {
        solve_set(g, g->labels);
        double above = 0.0, below = intercept_weight(g->p);
        for (int64_t a = 0; a < g->size; a++) {
            above += g->y[g->member[a]] * g->ones[a];
            below += g->y[g->member[a]] * g->labels[a];
        }
        g->intercept = above / below;
    }
    memset(g->alpha, 0, (size_t)g->n * sizeof(double));
    for (int64_t a = 0; a < g->size; a++)
        g->alpha[g->member[a]] = g->ones[a] - g->intercept * g->labels[a];
    cblas_dsymv(CblasRowMajor, CblasUpper, (int)g->n, 1.0, g->k, (int)g->n, g->alpha, 1, 0.0, g->value, 1);
    cblas_daxpy((int)g->n, g->intercept, g->y, 1, g->value, 1);
    return isfinite(g->intercept);
}

/* Rows leave and join the set. Returns their number. */
static int64_t exchange(struct pivoting *g)
{
    int64_t changes = 0, size = 0, a = 0;
    for (int64_t i = 0; i < g->n; i++) {
        bool was = a < g->size && g->member[a] == i;
        a += was;
        bool stays = was ? g->alpha[i] > 0.0 : g->value[i] < 1.0 - LINPRED__PROPOSAL_VIOLATION;
        changes += stays != was;
        if (stays)
            g->ones[size++] = (double)i; /* `member` is still being read */
    }
    for (int64_t k = 0; k < size; k++)
        g->member[k] = (int64_t)g->ones[k];
    g->size = size;
    return changes;
}

/* Whether a set was found that no row leaves or joins. */
static bool pivot_blocks(struct pivoting *g, linpred__run *run)
{
    int64_t fewest = INT64_MAX;
    for (int without_gain = 0; without_gain <= LINPRED__PROPOSAL_PATIENCE; without_gain++) {
        if (g->size == 0 || linpred__run_should_stop(run, "largest margin", 0, 0, NAN) || !solve_equations(g))
            return false;
        int64_t changes = exchange(g);
        if (changes == 0)
            return true;
        if (changes < fewest) {
            fewest = changes;
            without_gain = 0;
        }
    }
    return false;
}

/* ---- the proposal ------------------------------------------------------------------------------------------------ */

static bool open_pivoting(struct pivoting *g)
{
    size_t n = (size_t)g->n;
    g->y = linpred__calloc(n, sizeof(double));
    g->value = linpred__calloc(n, sizeof(double));
    g->gain = linpred__calloc(n, sizeof(double));
    g->curvature = linpred__calloc(n, sizeof(double));
    g->ones = linpred__calloc(n, sizeof(double));
    g->labels = linpred__calloc(n, sizeof(double));
    if (!g->y || !g->value || !g->gain || !g->curvature || !g->ones || !g->labels)
        return false;
    for (int64_t i = 0; i < g->n; i++) {
        g->y[i] = g->p->form == LINPRED__FORM_ORIGIN ? 0.0 : linpred__distance_sign(g->p, i);
        g->mean += g->k[i * (g->n + 1)] / (double)g->n;
    }
    return true;
}

static void close_pivoting(struct pivoting *g)
{
    linpred__release(g->y);
    linpred__release(g->value);
    linpred__release(g->gain);
    linpred__release(g->curvature);
    linpred__release(g->ones);
    linpred__release(g->labels);
}

/* Whether all products are of a size that can be divided by. Rows of zeros and tiny rows are left to the active-set
   method. */
static bool can_start(const struct pivoting *g)
{
    double smallest = INFINITY;
    for (int64_t i = 0; i < g->n; i++)
        smallest = fmin(smallest, g->k[i * (g->n + 1)]);
    return smallest > LINPRED__PROPOSAL_MIN_SHARE * g->mean && isfinite(g->mean);
}

/* w = Σ α z in the columns, and b for an intercept that is a column of the size of a row. */
static void add_up(const struct pivoting *g, double *w)
{
    const linpred__least_distance *p = g->p;
    double balance = 0.0;
    memset(w, 0, (size_t)p->width * sizeof(double));
    for (int64_t i = 0; i < g->n; i++) {
        const linpred__distance_row *row = &p->row[i];
        for (int64_t k = 0; k < row->count; k++)
            w[row->sparse ? p->indices[row->indices + (size_t)k] : k] +=
                g->alpha[i] * p->values[row->values + (size_t)k];
        balance += g->alpha[i] * g->y[i];
    }
    if (p->form != LINPRED__FORM_ORIGIN)
        w[p->columns] = g->mean * balance;
}

bool linpred__distance_rough(linpred__least_distance *p, linpred__run *run, double *alpha, double *w, bool *found)
{
    *found = false;
    if (p->rows > p->width + p->width / 4) {
        if (p->rows * p->width > LINPRED__INTERIOR_VALUES)
            return true;
        return linpred__distance_interior(p, intercept_weight(p), run, alpha, w, found);
    }
    if (!linpred__row_products_update(p, run->pool))
        return false;
    struct pivoting g = {.p = p, .n = p->rows, .k = p->products, .alpha = alpha};
    bool made = open_pivoting(&g);
    if (made && can_start(&g)) {
        linpred__blas_enter();
        *found = change_single_multipliers(&g);
        linpred__blas_leave();
        add_up(&g, w);
    }
    close_pivoting(&g);
    return made;
}

bool linpred__distance_pivot(const linpred__least_distance *p, linpred__run *run, linpred__distance_proposal *proposal)
{
    struct pivoting g = {.p = p,
                         .pool = run->pool,
                         .n = p->rows,
                         .k = p->products,
                         .alpha = proposal->alpha,
                         .member = proposal->member};
    size_t n = (size_t)p->rows;
    linpred__release(proposal->factor); /* of a proposal that failed */
    g.factor = linpred__alloc(n * n, sizeof(double));
    bool made = open_pivoting(&g) && g.factor;
    bool found = false;
    if (made && can_start(&g)) {
        linpred__blas_enter();
        for (int64_t i = 0; i < g.n; i++)
            if (g.alpha[i] > 0.0)
                g.member[g.size++] = i;
        found = pivot_blocks(&g, run);
        if (found)
            add_intercept(&g, p->bordered ? 1.0 : ldexp(1.0, -p->scale));
        linpred__blas_leave();
    }
    close_pivoting(&g);
    proposal->size = found ? g.size : 0;
    proposal->intercept = g.intercept;
    proposal->factor = g.factor;
    return made;
}
