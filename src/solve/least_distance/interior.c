/* Mehrotra's method for the least-distance problem (see the header). */
#include "solve/least_distance/interior.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "solve/dense/normal_equations.h"
#include "solve/limits.h"

struct interior {
    /* Of B and D. */
    linpred__normal_equations equations;
    const linpred__least_distance *p;
    int64_t n;       /* rows */
    int64_t q;       /* columns of B */
    double mean;     /* of ||z_i||² */
    double *b;       /* B, n x q, column by column */
    double *weight;  /* q: the diagonal of P */
    double *ridge;   /* q: what is added to B'DB */
    double *w;       /* q */
    double *dw;      /* q: its step */
    double *dual;    /* q: Pw - B'α */
    double *d;       /* n: the diagonal of D */
    double *s;       /* n */
    double *ds;      /* n: its step */
    double *alpha;   /* n */
    double *da;      /* n: its step */
    double *miss;    /* n: Bw - s - 1 */
    double *product; /* n: what α s shall change by, negated */
    double *right;   /* n: scratch */
};

static bool open_interior(struct interior *work)
{
    size_t n = (size_t)work->n, q = (size_t)work->q;
    double **long_ones[] = {&work->d, &work->s, &work->ds, &work->da, &work->miss, &work->product, &work->right};
    double **short_ones[] = {&work->weight, &work->ridge, &work->w, &work->dw, &work->dual};
    bool made = true;
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        made = (*long_ones[i] = linpred__calloc(n, sizeof(double))) && made;
    for (size_t i = 0; i < sizeof short_ones / sizeof *short_ones; i++)
        made = (*short_ones[i] = linpred__calloc(q, sizeof(double))) && made;
    work->b = linpred__calloc(n * q, sizeof(double));
    work->equations.matrix = linpred__calloc(q * q, sizeof(double));
    return made && work->b && work->equations.matrix;
}

static void close_interior(struct interior *work)
{
    double *arrays[] = {
        work->d,      work->s,     work->ds, work->da, work->miss, work->product, work->right,
        work->weight, work->ridge, work->w,  work->dw, work->dual, work->b,       work->equations.matrix};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        linpred__release(arrays[i]);
}

/* Writes B from the rows of the problem, and P. */
static void write_problem(struct interior *work, double phi)
{
    const linpred__least_distance *p = work->p;
    int64_t n = work->n;
    double sum = 0.0;
    for (int64_t j = 0; j < work->q; j++)
        work->weight[j] = j == p->columns ? phi : 1.0;
    for (int64_t i = 0; i < n; i++) {
        const linpred__distance_row *row = &p->row[i];
        const double *x = p->values + row->values;
        for (int64_t k = 0; k < row->count; k++) {
            int64_t j = row->sparse ? p->indices[row->indices + (size_t)k] : k;
            work->b[j * n + i] = x[k];
            sum += j < p->columns ? x[k] * x[k] : 0.0;
        }
        if (p->form != LINPRED__FORM_ORIGIN)
            work->b[p->columns * n + i] = linpred__distance_sign(p, i);
    }
    work->mean = sum / (double)n;
    work->equations.rows = n;
    work->equations.columns = (int32_t)work->q;
    work->equations.x = work->b;
}

/* Factors ridge P + B'DB, where D is diag(α/s), or 1 if `unit`. */
static bool factor_matrix(struct interior *work, bool unit, double ridge)
{
    for (int64_t i = 0; i < work->n; i++)
        work->d[i] = unit ? 1.0 : work->alpha[i] / work->s[i];
    for (int64_t j = 0; j < work->q; j++)
        work->ridge[j] = ridge * work->weight[j];
    return linpred__normal_factor(&work->equations, work->d, work->ridge);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* w = argmin ||Bw - 1||² + mean <w, Pw>; s and α are far from 0. */
static bool start_interior(struct interior *work)
{
    if (!factor_matrix(work, true, work->mean))
        return false;
    for (int64_t i = 0; i < work->n; i++)
        work->right[i] = 1.0;
    linpred__normal_times_transposed(&work->equations, work->right, 0.0, work->w);
    linpred__normal_solve(&work->equations, work->w);
    linpred__normal_times(&work->equations, work->w, 0.0, work->s);
    for (int64_t i = 0; i < work->n; i++) {
        work->s[i] = work->s[i] > 1.1 ? work->s[i] - 1.0 : 0.1;
        work->alpha[i] = 1.0 / work->mean;
    }
    return true;
}

/* The residuals of the point. Returns μ; *gap is n μ relative to <w, Pw>, *miss the largest |Bw - s - 1|. */
static double residuals_at(struct interior *work, double *gap, double *miss)
{
    double square = 0.0, sum = 0.0, largest = 0.0;
    for (int64_t j = 0; j < work->q; j++) {
        work->dual[j] = -work->weight[j] * work->w[j];
        square -= work->dual[j] * work->w[j];
    }
    linpred__normal_times_transposed(&work->equations, work->alpha, 1.0, work->dual);
    for (int64_t j = 0; j < work->q; j++)
        work->dual[j] = -work->dual[j];
    linpred__normal_times(&work->equations, work->w, 0.0, work->miss);
    for (int64_t i = 0; i < work->n; i++) {
        work->miss[i] -= work->s[i] + 1.0;
        double size = fabs(work->miss[i]);
        largest = size > largest ? size : largest;
        sum += work->alpha[i] * work->s[i];
    }
    *gap = sum / square;
    *miss = largest;
    return sum / (double)work->n;
}

/* Newton's step for  Pw - B'α = 0,  Bw - s - 1 = 0  and a change of α s by -product:
       (P + B'DB) dw = -dual - B'(product/s + D miss),   ds = B dw + miss,   dα = -product/s - D ds. */
static void newton_step(struct interior *work)
{
    for (int64_t i = 0; i < work->n; i++)
        work->right[i] = -(work->product[i] + work->alpha[i] * work->miss[i]) / work->s[i];
    for (int64_t j = 0; j < work->q; j++)
        work->dw[j] = -work->dual[j];
    linpred__normal_times_transposed(&work->equations, work->right, 1.0, work->dw);
    linpred__normal_solve(&work->equations, work->dw);
    memcpy(work->ds, work->miss, (size_t)work->n * sizeof(double));
    linpred__normal_times(&work->equations, work->dw, 1.0, work->ds);
    for (int64_t i = 0; i < work->n; i++)
        work->da[i] = -(work->product[i] + work->alpha[i] * work->ds[i]) / work->s[i];
}

/* The largest t <= 1 for which s + t ds >= 0 and α + t dα >= 0. */
static double step_length(const struct interior *work)
{
    double t = 1.0;
    for (int64_t i = 0; i < work->n; i++) {
        if (work->s[i] + t * work->ds[i] < 0.0)
            t = -work->s[i] / work->ds[i];
        if (work->alpha[i] + t * work->da[i] < 0.0)
            t = -work->alpha[i] / work->da[i];
    }
    return t;
}

/* One predictor and corrector. */
static bool move_interior(struct interior *work, double mu)
{
    if (!factor_matrix(work, false, 1.0))
        return false;
    for (int64_t i = 0; i < work->n; i++)
        work->product[i] = work->alpha[i] * work->s[i];
    newton_step(work);
    double t = step_length(work), reached = 0.0;
    for (int64_t i = 0; i < work->n; i++)
        reached += (work->alpha[i] + t * work->da[i]) * (work->s[i] + t * work->ds[i]);
    double ratio = reached / ((double)work->n * mu);
    double aim = ratio * ratio * ratio * mu;
    for (int64_t i = 0; i < work->n; i++)
        work->product[i] += work->da[i] * work->ds[i] - aim;
    newton_step(work);
    t = step_length(work) * LINPRED__INTERIOR_STEP;
    cblas_daxpy((int)work->q, t, work->dw, 1, work->w, 1);
    cblas_daxpy((int)work->n, t, work->ds, 1, work->s, 1);
    cblas_daxpy((int)work->n, t, work->da, 1, work->alpha, 1);
    return true;
}

static bool converge(struct interior *work, linpred__run *run)
{
    if (!(work->mean > 0.0) || !isfinite(work->mean) || !start_interior(work))
        return false;
    for (int step = 0; step < LINPRED__INTERIOR_STEPS; step++) {
        double gap, miss, mu = residuals_at(work, &gap, &miss);
        if (gap <= LINPRED__INTERIOR_GAP && miss <= LINPRED__INTERIOR_MISS)
            return true;
        if (!isfinite(gap) || linpred__run_should_stop(run, "largest margin", 0, 0, NAN) || !move_interior(work, mu))
            return false;
    }
    return false;
}

bool linpred__distance_interior(const linpred__least_distance *p, double phi, linpred__run *run, double *alpha,
                                double *w, bool *found)
{
    struct interior work = {.p = p, .n = p->rows, .q = p->width, .alpha = alpha, .equations.pool = run->pool};
    bool made = open_interior(&work);
    *found = false;
    if (made) {
        linpred__blas_enter();
        write_problem(&work, phi);
        *found = converge(&work, run);
        linpred__blas_leave();
        memcpy(w, work.w, (size_t)work.q * sizeof(double));
        for (int64_t i = 0; i < work.n; i++) {
            double length = p->row[i].length;
            if (!*found || alpha[i] * length * length <= work.s[i])
                alpha[i] = 0.0;
        }
    }
    close_interior(&work);
    return made && !work.equations.no_memory;
}
