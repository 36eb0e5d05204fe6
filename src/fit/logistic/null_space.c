/* Dependent columns of a logistic fit, and the coefficients of minimum norm among those that predict the same.
 *
 * A dependency is a vector n with <n,(x,1)> = 0 in every row. The Gram matrix G gives a first n. Three forms of it are
 * checked on every row in exact arithmetic:
 *
 *   rounded to small fractions, if it is near them;
 *   if it has two nonzero entries: in the proportion that one row gives;
 *   as G gives it, then corrected in its own columns by its residuals in the rows: n <- n - G^-1 X'V X n.
 *
 * All coefficients (w,b) + Σ a_k n_k predict the same. Those of least norm are taken, or, if dependent columns are
 * dropped, those with 0 in the column that n_k ends with (fit/least_norm.h).
 *
 * An n that holds only to 2^-44 is taken for a dependency whose numbers were rounded in the file. The fit is then made
 * among coefficients orthogonal to it. An n that holds less well is no dependency, even if it nearly holds: the
 * residuals <n,(x,1)> may separate the rows.
 */
#include "fit/logistic/null_space.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/least_norm.h"
#include "fit/logistic/limits.h"
#include "model/limits.h"
#include "num/vector.h"
#include "pass/dependence.h"
#include "pass/fused.h"

void linpred__null_vector(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *kept, int32_t k,
                          double *scratch, double *null)
{
    memset(null, 0, (size_t)n * sizeof *null);
    null[k] = 1.0;
    double length = a[(int64_t)k * n + k];
    if (!(length > 0))
        return;
    for (int32_t i = 0; i < factor->n; i++)
        scratch[i] = a[(int64_t)kept[i] * n + k];
    linpred__cholesky_solve(factor, scratch);
    for (int32_t i = 0; i < factor->n; i++) {
        int32_t j = kept[i];
        double part = scratch[i] * sqrt(a[(int64_t)j * n + j] / length); /* of the length of column k */
        if (fabs(part) > 1e-7)
            null[j] = -scratch[i];
    }
}

/* ---- checking forms on all rows ---------------------------------------------------------------------------------- */

/* The null vectors, one for each column that was left out. Matrices have one row for each vector. */
struct null {
    linpred__newton *newton;
    int32_t count;
    int32_t *column; /* for each vector, the column that was left out */
    double *inside;  /* the vectors as the Gram matrix gives them, in the units of v */
    double *file;    /* the best form of each so far, in the units of the file; not owned */
    double *other;   /* the form that is checked now */
    double *worst;   /* max |<n,(x,1)>| / Σ|n_j x_j| over the rows, for the best form; 0: it holds exactly */
    double *now;     /* the same for the form that is checked now */
};

static void null_close(struct null *null)
{
    linpred__release(null->column);
    linpred__release(null->inside);
    linpred__release(null->other);
    linpred__release(null->worst);
    linpred__release(null->now);
}

static bool null_open(linpred__newton *newton, linpred__dependencies *dependencies, struct null *null)
{
    int32_t d = newton->problem->dimension;
    *null = (struct null){.newton = newton, .count = d - newton->rank};
    size_t count = (size_t)null->count;
    null->column = linpred__alloc(count, sizeof *null->column);
    null->inside = linpred__calloc(count * (size_t)d, sizeof(double));
    null->other = linpred__calloc(count * (size_t)d, sizeof(double));
    null->worst = linpred__alloc(count, sizeof(double));
    null->now = linpred__alloc(count, sizeof(double));
    if (null->column && null->inside && null->other && null->worst && null->now &&
        linpred__dependencies_open(dependencies, null->count, d)) {
        null->file = dependencies->vector;
        return true;
    }
    null_close(null);
    return false;
}

/* Checks all vectors on all rows, in one pass. */
static linpred_status try_vectors(struct null *null, const double *vectors, double *worst, linpred_error *error)
{
    linpred__logistic_problem *problem = null->newton->problem;
    problem->progress.passes++;
    return linpred__dependence(problem->original->data, problem->run->pool, problem->has_intercept, vectors,
                               null->count, worst, error);
}

/* Replaces the vectors for which the form checked now holds better. */
static void take_better(struct null *null)
{
    int32_t d = null->newton->problem->dimension;
    for (int32_t k = 0; k < null->count; k++)
        if (null->now[k] < null->worst[k]) {
            memcpy(null->file + (int64_t)k * d, null->other + (int64_t)k * d, (size_t)d * sizeof(double));
            null->worst[k] = null->now[k];
        }
}

/* Writes vector k in the units of the file, divided by the entry of the column that was left out. */
static void to_file(const struct null *null, int32_t k, double *to)
{
    const linpred__logistic_problem *problem = null->newton->problem;
    linpred__logistic_to_file(problem, null->inside + (int64_t)k * problem->dimension, to);
    for (int32_t j = 0; j < problem->dimension; j++)
        to[j] /= problem->unit[null->column[k]];
}

/* ---- two columns in proportion ----------------------------------------------------------------------------------- */

static double entry_of(const linpred__logistic_problem *problem, int64_t row, int32_t column)
{
    const linpred_data *data = problem->original->data;
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    if (column == data->columns)
        return 1.0;
    for (int64_t i = 0; i < entries.count; i++)
        if (linpred__entry_column(&entries, i) == column)
            return entries.values[i];
    return 0.0;
}

/* If n has two nonzero entries, takes the proportion of their columns from the first row in which both are not 0. For a
   constant column like 0.1 that is exact in doubles. Returns false if there is no such row or n has other entries. */
static bool take_proportion(const linpred__logistic_problem *problem, const double *n, double *to)
{
    int32_t place[2], parts = 0;
    for (int32_t j = 0; j < problem->dimension; j++)
        if (n[j] != 0.0) {
            if (parts == 2)
                return false;
            place[parts++] = j;
        }
    for (int64_t row = 0; parts == 2 && row < problem->original->data->rows; row++) {
        double a = entry_of(problem, row, place[0]), b = entry_of(problem, row, place[1]);
        if (a == 0.0 || b == 0.0)
            continue;
        memset(to, 0, (size_t)problem->dimension * sizeof *to);
        to[place[0]] = b;
        to[place[1]] = -a;
        return true;
    }
    return false;
}

static linpred_status try_proportions(struct null *null, linpred_error *error)
{
    const linpred__logistic_problem *problem = null->newton->problem;
    int32_t d = problem->dimension, tries = 0;
    memcpy(null->other, null->file, (size_t)null->count * (size_t)d * sizeof(double));
    for (int32_t k = 0; k < null->count; k++)
        tries +=
            null->worst[k] > 0 && take_proportion(problem, null->file + (int64_t)k * d, null->other + (int64_t)k * d);
    if (tries == 0)
        return LINPRED_OK;
    linpred_status status = try_vectors(null, null->other, null->now, error);
    for (int32_t k = 0; status == LINPRED_OK && k < null->count; k++)
        if (null->now[k] > 0)
            null->now[k] = INFINITY; /* a proportion is taken only if it holds exactly */
    if (status == LINPRED_OK)
        take_better(null);
    return status;
}

/* ---- corrections ----------------------------------------------------------------------------------------------- */

struct left {
    const linpred__logistic_problem *problem;
    const double *n; /* in the units of the problem's data */
    double b;        /* the constant term of <n,(x,1)>, with the centres taken into account */
};

/* Computes the residual <n,(x,1)> of each row in double-double. */
static void left_rows(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                      double *curvature)
{
    const struct left *left = context;
    (void)z;
    for (int32_t i = 0; i < block->rows; i++) {
        linpred__entries row = linpred__entries_of(block, i);
        linpred__dd sum = {left->b, 0.0};
        for (int64_t k = 0; k < row.count; k++)
            sum = linpred__dd_add(sum, linpred__two_product(row.values[k], left->n[linpred__entry_column(&row, k)]));
        double weight = linpred__row_weight(block, i) * left->problem->terms.class_weight[block->target[i] > 0];
        r[i] = 0.25 * weight * sum.hi;
        loss[i] = curvature[i] = 0.0;
    }
}

/* Corrects vector k once, in the columns where it is not 0. `scratch` has 3 numbers for each coefficient. */
static linpred_status refine(struct null *null, int32_t k, double *scratch, linpred_error *error)
{
    linpred__logistic_problem *problem = null->newton->problem;
    int32_t d = problem->dimension, columns = problem->data->columns, n = 0;
    double *inside = null->inside + (int64_t)k * d, *data_n = scratch, *gradient = scratch + d,
           *step = scratch + 2 * (int64_t)d;
    int32_t *support = linpred__alloc((size_t)d, sizeof *support);
    linpred__cholesky cholesky;
    if (!support)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < d; j++) {
        data_n[j] = problem->data_unit[j] * inside[j];
        if (inside[j] != 0.0 && j != null->column[k])
            support[n++] = j;
    }
    struct left left = {problem, data_n, problem->has_intercept ? data_n[columns] : 0.0};
    for (int32_t j = 0; problem->is_centred && j < columns; j++)
        left.b -= problem->centre[j] * data_n[j];
    linpred__fused fused = {.weights = data_n,
                            .intercept = left.b,
                            .has_intercept = problem->has_intercept,
                            .row_function = left_rows,
                            .context = &left,
                            .centre = problem->is_centred ? problem->centre : NULL,
                            .gradient = gradient};
    bool opened = n > 0 && linpred__cholesky_open(n, &cholesky);
    linpred_status status = opened || n == 0 ? LINPRED_OK : linpred__no_memory(error);
    if (opened && linpred__cholesky_factor(&cholesky, null->newton->gram, d, support, 0.0)) {
        status = linpred__fused_pass(problem->data, problem->run->pool, &fused, error);
        problem->progress.passes++;
        for (int32_t i = 0; i < n; i++)
            step[i] = -gradient[support[i]] * problem->data_unit[support[i]] / problem->weight;
        linpred__cholesky_solve(&cholesky, step);
        for (int32_t i = 0; status == LINPRED_OK && i < n; i++)
            inside[support[i]] += step[i];
    }
    if (opened)
        linpred__cholesky_close(&cholesky);
    linpred__release(support);
    return status;
}

/* Checks the vectors that do not hold even up to rounding: first as the Gram matrix gives them, then corrected. */
static linpred_status try_refined(struct null *null, linpred_error *error)
{
    int32_t d = null->newton->problem->dimension;
    double *scratch = linpred__alloc(3 * (size_t)d, sizeof *scratch);
    linpred_status status = scratch ? LINPRED_OK : linpred__no_memory(error);
    bool open = true;
    for (int times = 0; status == LINPRED_OK && open && times < LINPRED__NULL_VECTOR_FORMS; times++) {
        open = false;
        memcpy(null->other, null->file, (size_t)null->count * (size_t)d * sizeof(double));
        for (int32_t k = 0; status == LINPRED_OK && k < null->count; k++) {
            if (null->worst[k] <= LINPRED__RANK_THRESHOLD)
                continue;
            open = true;
            if (times > 0)
                status = refine(null, k, scratch, error);
            to_file(null, k, null->other + (int64_t)k * d);
        }
        if (status == LINPRED_OK && open)
            status = try_vectors(null, null->other, null->now, error);
        if (status == LINPRED_OK && open)
            take_better(null);
    }
    linpred__release(scratch);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* If columns are dropped, column k depends on those before it alone. What the vector has of later ones is rounding. */
static void end_at(const linpred__logistic_problem *problem, int32_t k, double *n)
{
    for (int32_t j = k + 1; problem->terms.drop && j < problem->data->columns; j++)
        n[j] = 0.0;
}

/* Finds the null vector of each column that was left out. *complete is false if rounding hides some of them. */
static linpred_status find_vectors(struct null *null, bool *complete, linpred_error *error)
{
    linpred__newton *newton = null->newton;
    int32_t d = newton->problem->dimension, found = 0;
    linpred__cholesky gram;
    double *scratch = linpred__alloc((size_t)newton->rank, sizeof *scratch);
    if (!scratch || !linpred__cholesky_open(newton->rank, &gram)) {
        linpred__release(scratch);
        return linpred__no_memory(error);
    }
    if (linpred__cholesky_factor(&gram, newton->gram, d, newton->kept, 0.0))
        for (int32_t k = 0, next = 0; k < d; k++) {
            if (next < newton->rank && newton->kept[next] == k) {
                next++;
                continue;
            }
            double *n = null->file + (int64_t)found * d;
            linpred__null_vector(newton->gram, d, &gram, newton->kept, k, scratch, null->inside + (int64_t)found * d);
            end_at(newton->problem, k, null->inside + (int64_t)found * d);
            null->column[found] = k;
            to_file(null, found++, n);
            (void)linpred__round_to_fractions(n, d);
        }
    linpred__cholesky_close(&gram);
    linpred__release(scratch);
    *complete = found == null->count;
    return LINPRED_OK;
}

/* A dependency of columns far from 0 may hold to rounding of their offsets, and say nothing about what varies. On the
   rows about their centres it must hold in some digits too. *hold becomes false if not. */
static linpred_status try_about_centres(struct null *null, bool *hold, linpred_error *error)
{
    const linpred__logistic_problem *problem = null->newton->problem;
    if (!problem->shifted)
        return LINPRED_OK;
    for (int32_t k = 0; k < null->count; k++) {
        double *n = null->other + (int64_t)k * problem->dimension;
        linpred__logistic_from_file(problem, null->file + (int64_t)k * problem->dimension, n);
        for (int32_t j = 0; j < problem->dimension; j++)
            n[j] *= problem->data_unit[j];
    }
    linpred_status status = linpred__dependence(problem->data, problem->run->pool, problem->has_intercept, null->other,
                                                null->count, null->now, error);
    for (int32_t k = 0; status == LINPRED_OK && k < null->count; k++)
        *hold = *hold && (null->worst[k] == 0.0 || null->now[k] <= linpred__dependent_about_centres);
    return status;
}

static linpred_status find_dependencies(linpred__newton *newton, linpred__null_space *answer, linpred_error *error)
{
    struct null null;
    bool complete = false;
    if (!null_open(newton, &answer->dependencies, &null))
        return linpred__no_memory(error);
    linpred_status status = find_vectors(&null, &complete, error);
    if (status == LINPRED_OK && complete)
        status = try_vectors(&null, null.file, null.worst, error);
    if (status == LINPRED_OK && complete)
        status = try_proportions(&null, error);
    if (status == LINPRED_OK && complete)
        status = try_refined(&null, error);
    bool hold = true;
    if (status == LINPRED_OK && complete)
        status = try_about_centres(&null, &hold, error);
    for (int32_t k = 0, d = newton->problem->dimension; status == LINPRED_OK && complete && k < null.count; k++) {
        answer->dependencies.exact[k] = null.worst[k] == 0.0;
        answer->inexact += null.worst[k] != 0.0;
        hold = hold && null.worst[k] <= LINPRED__RANK_THRESHOLD &&
               linpred__has_least_norm(null.file + (int64_t)k * d, newton->problem->data->columns);
    }
    answer->nearly_dependent = !complete || !hold;
    null_close(&null);
    return status;
}

/* Moves v to the least norm, or to 0 in dropped columns. `w` has an entry for each coefficient. */
static bool move_to_chosen(const linpred__logistic_problem *problem, const linpred__dependencies *dependencies,
                           linpred__dd *w, double *v)
{
    int32_t columns = problem->data->columns;
    linpred__logistic_to_file(problem, v, v);
    for (int32_t j = 0; j < problem->dimension; j++)
        w[j] = (linpred__dd){v[j], 0.0};
    bool moved = linpred__null_space_choose(dependencies, columns, w);
    for (int32_t j = 0; j < problem->dimension; j++)
        v[j] = w[j].hi;
    linpred__logistic_from_file(problem, v, v);
    return moved;
}

linpred_status linpred__find_null_space(linpred__newton *newton, linpred__null_space *answer, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    linpred__dependencies *dependencies = &answer->dependencies;
    int32_t d = problem->dimension;
    *answer = (linpred__null_space){0};
    if (d == newton->rank)
        return LINPRED_OK;
    linpred_status status = find_dependencies(newton, answer, error);
    if (status != LINPRED_OK || answer->nearly_dependent) {
        linpred__dependencies_clear(dependencies);
        return status;
    }
    dependencies->drop = problem->terms.drop;
    linpred__dd *w = linpred__alloc((size_t)d, sizeof *w);
    bool moved = w && move_to_chosen(problem, dependencies, w, newton->point.v);
    linpred__release(w);
    if (!moved) {
        linpred__dependencies_clear(dependencies);
        return linpred__no_memory(error);
    }
    newton->evaluated = false;
    newton->factor = LINPRED__FACTOR_NONE;
    return LINPRED_OK;
}
