/* Mehrotra's method for the least-distance problem (see the header). */
#include "solve/least_distance/interior.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "solve/limits.h"

struct interior {
    const linpred__least_distance *p;
    linpred__pool *pool;
    int64_t n;       /* rows */
    int64_t q;       /* columns of B */
    double phi;      /* the last entry of P, if there is an intercept */
    double mean;     /* of ||z_i||² */
    double *rows;    /* B, n x q */
    double *times;   /* DB, n x q */
    double *matrix;  /* P + B'DB, then its factor; q x q */
    double *w;       /* q */
    double *dw;      /* q: its step */
    double *dual;    /* q: Pw - B'α */
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
    double **long_ones[] = {&work->s, &work->ds, &work->da, &work->miss, &work->product, &work->right};
    double **short_ones[] = {&work->w, &work->dw, &work->dual};
    bool made = true;
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        made = (*long_ones[i] = linpred__calloc(n, sizeof(double))) && made;
    for (size_t i = 0; i < sizeof short_ones / sizeof *short_ones; i++)
        made = (*short_ones[i] = linpred__calloc(q, sizeof(double))) && made;
    work->rows = linpred__calloc(n * q, sizeof(double));
    work->times = linpred__calloc(n * q, sizeof(double));
    work->matrix = linpred__calloc(q * q, sizeof(double));
    return made && work->rows && work->times && work->matrix;
}

static void close_interior(struct interior *work)
{
    double *arrays[] = {work->s, work->ds, work->da,   work->miss, work->product, work->right,
                        work->w, work->dw, work->dual, work->rows, work->times,   work->matrix};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        linpred__release(arrays[i]);
}

/* Writes B from the rows of the problem. */
static void write_rows(struct interior *work)
{
    const linpred__least_distance *p = work->p;
    for (int64_t i = 0; i < work->n; i++) {
        const linpred__distance_row *row = &p->row[i];
        double *out = work->rows + i * work->q;
        for (int64_t k = 0; k < row->count; k++)
            out[row->sparse ? p->indices[row->indices + (size_t)k] : k] = p->values[row->values + (size_t)k];
        if (p->form != LINPRED__FORM_ORIGIN)
            out[p->columns] = linpred__distance_sign(p, i);
        work->mean += cblas_ddot((int)p->columns, out, 1, out, 1) / (double)work->n;
    }
}

/* ---- the matrix -------------------------------------------------------------------------------------------------- */

static void multiply_columns(void *context, int64_t task)
{
    struct interior *work = context;
    int64_t from = task * LINPRED__PRODUCTS_TILE, to = from + LINPRED__PRODUCTS_TILE;
    to = to < work->q ? to : work->q;
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)(to - from), (int)(work->q - from), (int)work->n, 1.0,
                work->times + from, (int)work->q, work->rows + from, (int)work->q, 0.0,
                work->matrix + from * work->q + from, (int)work->q);
}

static double weight(const struct interior *work, int64_t j)
{
    return work->p->form != LINPRED__FORM_ORIGIN && j == work->p->columns ? work->phi : 1.0;
}

/* Factors ridge P + B'DB, where D is diag(α/s), or 1 if `unit`. */
static bool factor_matrix(struct interior *work, bool unit, double ridge)
{
    for (int64_t i = 0; i < work->n; i++) {
        double d = unit ? 1.0 : work->alpha[i] / work->s[i];
        for (int64_t j = 0; j < work->q; j++)
            work->times[i * work->q + j] = d * work->rows[i * work->q + j];
    }
    int64_t tasks = (work->q + LINPRED__PRODUCTS_TILE - 1) / LINPRED__PRODUCTS_TILE;
    linpred__blas_run(work->pool, tasks, multiply_columns, work);
    for (int64_t j = 0; j < work->q; j++)
        work->matrix[j * (work->q + 1)] += ridge * weight(work, j);
    return LAPACKE_dpotrf_work(LAPACK_ROW_MAJOR, 'U', (int)work->q, work->matrix, (int)work->q) == 0;
}

static void solve_matrix(const struct interior *work, double *x)
{
    int q = (int)work->q;
    cblas_dtrsv(CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, q, work->matrix, q, x, 1);
    cblas_dtrsv(CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, q, work->matrix, q, x, 1);
}

/* y <- factor y + B x,  and  x <- factor x + B'y */
static void add_rows_times(const struct interior *work, const double *x, double factor, double *y)
{
    cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)work->n, (int)work->q, 1.0, work->rows, (int)work->q, x, 1, factor, y,
                1);
}

static void add_columns_times(const struct interior *work, const double *y, double factor, double *x)
{
    cblas_dgemv(CblasRowMajor, CblasTrans, (int)work->n, (int)work->q, 1.0, work->rows, (int)work->q, y, 1, factor, x,
                1);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* w = argmin ||Bw - 1||² + mean <w, Pw>; s and α are far from 0. */
static bool start_interior(struct interior *work)
{
    if (!factor_matrix(work, true, work->mean))
        return false;
    for (int64_t i = 0; i < work->n; i++)
        work->right[i] = 1.0;
    add_columns_times(work, work->right, 0.0, work->w);
    solve_matrix(work, work->w);
    add_rows_times(work, work->w, 0.0, work->s);
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
        work->dual[j] = -weight(work, j) * work->w[j];
        square -= work->dual[j] * work->w[j];
    }
    add_columns_times(work, work->alpha, 1.0, work->dual);
    for (int64_t j = 0; j < work->q; j++)
        work->dual[j] = -work->dual[j];
    add_rows_times(work, work->w, 0.0, work->miss);
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
    add_columns_times(work, work->right, 1.0, work->dw);
    solve_matrix(work, work->dw);
    memcpy(work->ds, work->miss, (size_t)work->n * sizeof(double));
    add_rows_times(work, work->dw, 1.0, work->ds);
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
    struct interior work = {.p = p, .pool = run->pool, .n = p->rows, .q = p->width, .phi = phi, .alpha = alpha};
    bool made = open_interior(&work);
    *found = false;
    if (made) {
        linpred__blas_enter();
        write_rows(&work);
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
    return made;
}
