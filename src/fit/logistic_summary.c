/* What is said of a logistic fit: dependent columns by name and the minimum norm among equal fits; standard errors from
 * the observed information, SE_j² = (W H)^-1_jj; deviances and AIC.
 *
 * A dependency is a vector n with <n,(x,1)> = 0 on every row. It comes from the Gram matrix, is rounded to small
 * fractions where that is near, and is then tried on every row exactly. Of all fits (w,b) + Σ a_k n_k, which are the
 * same predictor, the one of minimum norm (b counted) is (w,b) less its projection on the n_k.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "fit/logistic.h"
#include "fit/overlap_rows.h"

enum { LARGEST_DENOMINATOR = 16, TERMS_NAMED = 6 };

/* ---- dependencies ------------------------------------------------------------------------------------------------ */

void linpred__null_vector(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *keep, int32_t k,
                          double *scratch, double *null)
{
    memset(null, 0, (size_t)n * sizeof *null);
    null[k] = 1.0;
    double length = a[(int64_t)k * n + k];
    if (!(length > 0))
        return;
    for (int32_t i = 0; i < factor->n; i++)
        scratch[i] = a[(int64_t)keep[i] * n + k];
    linpred__cholesky_solve(factor, scratch);
    for (int32_t i = 0; i < factor->n; i++) {
        int32_t j = keep[i];
        double part = scratch[i] * sqrt(a[(int64_t)j * n + j] / length); /* of the length of column k */
        if (fabs(part) > 1e-7)
            null[j] = -scratch[i];
    }
}

int linpred__round_to_fractions(double *n, int32_t d)
{
    for (int q = 1; q <= LARGEST_DENOMINATOR; q++) {
        bool near = true;
        for (int32_t j = 0; near && j < d; j++)
            near = n[j] == 0.0 ||
                   (fabs(n[j] * q) < 0x1p40 && fabs(n[j] * q - nearbyint(n[j] * q)) < 1e-6 * q * fabs(n[j]) &&
                    nearbyint(n[j] * q) != 0.0);
        for (int32_t j = 0; near && j < d; j++)
            n[j] = nearbyint(n[j] * q);
        if (near)
            return q;
    }
    return 0;
}

/* Whether <n,(x,1)> = 0 on every row, in exact arithmetic. */
static linpred_status holds_exactly(linpred__logistic *problem, const double *n, bool *holds, linpred_error *error)
{
    const linpred_data *data = problem->fit->data;
    linpred__integers integers;
    linpred__tried tried;
    if (!linpred__integers_of_doubles(n, data->columns, problem->has_intercept ? &n[data->columns] : NULL, &integers))
        return linpred__no_memory(error);
    linpred_status status = linpred__try_direction(data, problem->fit->pool, problem->has_intercept, &integers,
                                                   problem->radius, &tried, error);
    linpred__integers_close(&integers);
    if (status != LINPRED_OK)
        return status;
    problem->passes++;
    *holds = tried.count == 0 && tried.positive == 0;
    linpred__release(tried.row);
    return LINPRED_OK;
}

static const char *name_of(const linpred__logistic *problem, int32_t column)
{
    const linpred_model *model = &problem->fit->result->model;
    return column < model->columns ? linpred_model_feature(model, column) : "(intercept)";
}

/* "x3 = 2 x1 - x2": one sentence. */
static bool tell(const linpred__logistic *problem, const double *n, int32_t k, bool exactly)
{
    linpred_result *result = problem->fit->result;
    linpred__text text = {0};
    int named = 0;
    linpred__text_format(&text, "%s %s", name_of(problem, k), exactly ? "=" : "≈");
    for (int32_t j = 0; j < problem->dimension; j++) {
        double factor = -n[j] / n[k];
        if (j == k || factor == 0.0 || ++named > TERMS_NAMED)
            continue;
        linpred__text_add(&text, factor < 0 ? " - " : named == 1 ? " " : " + ");
        if (j == problem->fit->data->columns || fabs(factor) != 1.0)
            linpred__text_format(&text, "%.6g%s", fabs(factor), j == problem->fit->data->columns ? "" : " ");
        if (j < problem->fit->data->columns)
            linpred__text_add(&text, name_of(problem, j));
    }
    if (named == 0)
        linpred__text_add(&text, " 0");
    if (named > TERMS_NAMED)
        linpred__text_format(&text, " … (%d terms)", named);
    linpred__text_add(&text, " on every row");
    char **grown = linpred__resize(result->dependency, result->dependencies + 1, sizeof *grown);
    if (grown)
        result->dependency = grown;
    if (!grown || text.failed) {
        linpred__text_clear(&text);
        return false;
    }
    result->dependency[result->dependencies++] = text.bytes;
    return true;
}

/* w <- w - N (N'N)^-1 N'w for the `count` rows n of `null`, each scaled to length 1. Twice, which heals rounding. */
static bool project(double *null, int32_t count, int32_t d, double *w)
{
    linpred__cholesky cholesky;
    double *product = linpred__alloc((size_t)count * (size_t)count, sizeof *product);
    double *part = linpred__alloc((size_t)count, sizeof *part);
    int32_t *all = linpred__alloc((size_t)count, sizeof *all);
    bool made = product && part && all && linpred__cholesky_open(count, &cholesky);
    for (int32_t i = 0; made && i < count; i++) {
        all[i] = i;
        for (int32_t l = 0; l <= i; l++) {
            double sum = 0.0;
            for (int32_t j = 0; j < d; j++)
                sum += null[(int64_t)i * d + j] * null[(int64_t)l * d + j];
            product[(int64_t)i * count + l] = product[(int64_t)l * count + i] = sum;
        }
    }
    if (made && linpred__cholesky_factor(&cholesky, product, count, all, 0.0))
        for (int twice = 0; twice < 2; twice++) {
            for (int32_t i = 0; i < count; i++) {
                part[i] = 0.0;
                for (int32_t j = 0; j < d; j++)
                    part[i] += null[(int64_t)i * d + j] * w[j];
            }
            linpred__cholesky_solve(&cholesky, part);
            for (int32_t i = 0; i < count; i++)
                for (int32_t j = 0; j < d; j++)
                    w[j] -= part[i] * null[(int64_t)i * d + j];
        }
    if (made)
        linpred__cholesky_close(&cholesky);
    linpred__release(product);
    linpred__release(part);
    linpred__release(all);
    return made;
}

/* Finds, tells and tries the null vector of each column left out; rows of `null` are filled. */
static linpred_status find_dependencies(linpred__newton *newton, const linpred__cholesky *gram, double *null,
                                        linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    int32_t d = problem->dimension, found = 0;
    double *scratch = linpred__alloc((size_t)newton->rank, sizeof *scratch);
    linpred_status status = scratch ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t k = 0, next = 0; status == LINPRED_OK && k < d; k++) {
        if (next < newton->rank && newton->keep[next] == k) {
            next++;
            continue;
        }
        double *n = null + (int64_t)found++ * d;
        bool exactly = false;
        linpred__null_vector(newton->gram, d, gram, newton->keep, k, scratch, n);
        linpred__logistic_to_file(problem, n, n);
        for (int32_t j = 0; j < d; j++)
            n[j] /= problem->unit[k];
        if (linpred__round_to_fractions(n, d) > 0)
            status = holds_exactly(problem, n, &exactly, error);
        newton->inexact += !exactly;
        if (status == LINPRED_OK && !tell(problem, n, k, exactly))
            status = linpred__no_memory(error);
    }
    linpred__release(scratch);
    return status;
}

linpred_status linpred__logistic_dependencies(linpred__newton *newton, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    int32_t d = problem->dimension, count = d - newton->rank;
    if (count == 0 || newton->null)
        return LINPRED_OK;
    linpred__cholesky gram;
    double *null = linpred__calloc((size_t)count * (size_t)d, sizeof *null);
    if (!null || !linpred__cholesky_open(newton->rank, &gram)) {
        linpred__release(null);
        return linpred__no_memory(error);
    }
    linpred_status status = LINPRED_OK;
    if (linpred__cholesky_factor(&gram, newton->gram, d, newton->keep, 0.0))
        status = find_dependencies(newton, &gram, null, error);
    linpred__cholesky_close(&gram);
    newton->null = null;
    linpred__logistic_to_file(problem, newton->point.v, problem->w);
    if (status == LINPRED_OK && !project(null, count, d, problem->w))
        status = linpred__no_memory(error);
    linpred__logistic_from_file(problem, problem->w, newton->point.v);
    newton->evaluated = false;
    newton->factor = LINPRED__FACTOR_NONE;
    return status;
}

/* ---- the summary ------------------------------------------------------------------------------------------------- */

/* The intercept is v_b - <center, w>: its variance is t' H^-1 t with t = (-center, 1). `t` is scratch. */
static double intercept_variance(const linpred__logistic *problem, const linpred__newton *newton, double *t)
{
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->keep[i];
        t[i] = j < problem->data->columns ? -problem->center[j] * problem->data_unit[j] : 1.0;
    }
    return linpred__cholesky_square(&newton->cholesky, t);
}

static linpred_status standard_errors(const linpred__logistic *problem, linpred__newton *newton, linpred_error *error)
{
    linpred_result *result = problem->fit->result;
    int32_t d = problem->dimension;
    result->standard_error = linpred__alloc((size_t)result->model.columns + 1, sizeof(double));
    if (!result->standard_error)
        return linpred__no_memory(error);
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j <= result->model.columns; j++)
        result->standard_error[j] = NAN;
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->keep[i];
        bool estimable = true;
        for (int32_t k = 0; newton->null && k < d - newton->rank; k++)
            estimable = estimable && newton->null[(int64_t)k * d + j] == 0.0;
        if (estimable)
            result->standard_error[j] = problem->unit[j] * sqrt(newton->inverse[i] / problem->weight);
    }
    double *intercept = &result->standard_error[result->model.columns];
    if (problem->centred && !isnan(*intercept))
        *intercept = sqrt(intercept_variance(problem, newton, newton->step) / problem->weight);
    return LINPRED_OK;
}

linpred_status linpred__logistic_summary(const linpred__logistic *problem, linpred__newton *newton, double loss,
                                         linpred_error *error)
{
    linpred_info *info = &problem->fit->result->info;
    bool plain = !problem->fit->options->class_weights;
    info->l2 = problem->l2;
    if (plain) {
        double one = problem->share[1], other = problem->share[0];
        info->deviance = 2.0 * problem->weight * loss;
        info->null_deviance =
            2.0 * problem->weight * (problem->has_intercept ? -one * log(one) - other * log(other) : log(2.0));
    }
    if (newton && problem->l2 == 0.0)
        info->rank = newton->rank;
    info->unique = problem->l2 > 0 || (newton && newton->rank == problem->dimension);
    if (plain && problem->l2 == 0.0 && newton)
        info->aic = info->deviance + 2.0 * newton->rank;
    const char *reason = !plain ? "class weights are no frequencies, so the information is not that of the data"
                         : problem->l2 > 0 ? "a penalty biases the coefficients on purpose"
                         : !newton         ? "there are too many features for a matrix of them"
                         : info->outcome != LINPRED_OUTCOME_OPTIMAL
                             ? "the fit is not proved to be a maximum of the likelihood"
                             : NULL;
    if (!reason)
        return standard_errors(problem, newton, error);
    strcpy(info->reason_no_errors, reason);
    return LINPRED_OK;
}
