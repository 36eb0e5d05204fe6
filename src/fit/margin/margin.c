/* Methods margin and auto.
 *
 * margin: the oracle says whether anything separates the rows (with proof if not); then the halfspace of largest
 * margin, minimum norm subject to y(<w,x>+b) >= 1, in the form asked for, and the largest margin of the other form
 * beside it. auto: the same if the rows are separable; else pocket, started from the least-squares fit of the labels,
 * and a local search from there.
 */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "fit/fit.h"
#include "core/memory.h"
#include "pass/fused.h"
#include "separate/largest_margin.h"
#include "separate/two_way.h"

enum {
    MOST_COLUMNS_SOLVED = 3000, /* beyond, the least-squares start costs more than it gives */
    PATIENCE = 10,              /* passes without a better halfspace after which auto's pocket ends, and so many */
    PATIENCE_ROWS = 200000      /* rows besides */
};

static void take_largest(linpred__fit *fit, linpred__largest_margin *largest)
{
    linpred_result *result = fit->result;
    memcpy(result->model.w, largest->w, (size_t)result->model.columns * sizeof(double));
    result->model.b = largest->b;
    linpred__certificate_clear(&result->certificate);
    result->certificate.errors = NAN;
    linpred__certify_support(&result->certificate, &largest->support, largest->bound);
    result->info.rounds += largest->rounds;
    result->info.passes += largest->passes;
    if (largest->working_rows > result->info.working_rows)
        result->info.working_rows = largest->working_rows;
}

/* Outcome, claim and gap of a largest-margin search in the form of the answer. */
static void settle_margin(linpred__fit *fit, const linpred__largest_margin *largest, bool usual)
{
    linpred_info *info = &fit->result->info;
    linpred__certificate *certificate = &fit->result->certificate;
    certificate->errors = info->errors;
    double margin = usual ? info->margin_without_intercept : info->margin;
    info->gap = largest->bound / margin - 1.0;
    bool sound = info->gap >= -1e-9 && isfinite(info->gap); /* else the figures left the range of doubles */
    info->gap = sound ? fmax(info->gap, 0.0) : NAN;
    certificate->claim = usual ? LINPRED__CLAIM_LARGEST_USUAL_MARGIN : LINPRED__CLAIM_LARGEST_MARGIN;
    if (!usual) {
        info->margin_bound = largest->bound;
        info->norm = 1.0 / info->margin;
        info->update_bound = isfinite(largest->updates) ? largest->updates : NAN;
    }
    if (info->errors > 0.0) {
        certificate->claim = LINPRED__CLAIM_ERRORS;
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "the rows are separable, but the largest margin is too small for weights of doubles");
    } else if (largest->end == LINPRED__MARGIN_FOUND && sound) {
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL, "separable, and the margin is the largest there is");
    } else if (fit->options->method == LINPRED_METHOD_AUTO) {
        certificate->claim = LINPRED__CLAIM_SEPARATES;
        if (largest->end != LINPRED__MARGIN_STOPPED)
            linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED,
                             "separable, by this halfspace; that its margin is the largest is beyond doubles to tell");
    } else if (largest->end != LINPRED__MARGIN_STOPPED) {
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "separable, by this halfspace; that its margin is the largest is beyond doubles to tell");
    }
}

/* The largest margin in the other form, for the report. */
static linpred_status other_margin(linpred__fit *fit, linpred__margin_form form, linpred_error *error)
{
    linpred_info *info = &fit->result->info;
    linpred__largest_margin other;
    linpred_status status = linpred__ask_largest_margin(&fit->run, &fit->problem, form, fit->result->model.w,
                                                        fit->result->model.b, &other, error);
    if (status != LINPRED_OK)
        return status;
    bool found = other.end == LINPRED__MARGIN_FOUND;
    if (form == LINPRED__MARGIN_FREE_INTERCEPT) {
        info->margin_without_intercept = found ? other.margin : NAN;
    } else {
        info->margin = found ? other.margin : NAN;
        info->margin_bound = found ? other.bound : NAN;
        info->norm = found ? 1.0 / other.margin : NAN;
        info->update_bound = found ? other.updates : NAN;
    }
    info->passes += other.passes;
    linpred__largest_margin_clear(&other);
    return LINPRED_OK;
}

/* From a halfspace that separates (in the model, not reported yet) to the largest margin. */
static linpred_status enlarge(linpred__fit *fit, linpred_error *error)
{
    linpred_model *model = &fit->result->model;
    bool usual = model->has_intercept && fit->options->norm == LINPRED_MARGIN_WITHOUT_INTERCEPT;
    linpred__margin_form form = !model->has_intercept ? LINPRED__MARGIN_ORIGIN
                                : usual               ? LINPRED__MARGIN_FREE_INTERCEPT
                                                      : LINPRED__MARGIN_HOMOGENEOUS;
    linpred__largest_margin largest;
    linpred_status status =
        linpred__ask_largest_margin(&fit->run, &fit->problem, form, model->w, model->b, &largest, error);
    if (status != LINPRED_OK)
        return status;
    linpred__fit_note_stop(fit);
    bool better = largest.support.count > 0 && largest.margin > 0; /* else the oracle's halfspace is kept */
    for (int32_t j = 0; j < model->columns; j++)
        better = better && isfinite(largest.w[j]);
    if (better) {
        take_largest(fit, &largest);
        status = linpred__halfspace_report(fit, error);
        if (status == LINPRED_OK)
            settle_margin(fit, &largest, usual);
        if (status == LINPRED_OK && model->has_intercept && largest.end == LINPRED__MARGIN_FOUND)
            status = other_margin(fit, usual ? LINPRED__MARGIN_HOMOGENEOUS : LINPRED__MARGIN_FREE_INTERCEPT, error);
    } else {
        status = linpred__report_decided(fit, error);
        if (largest.end != LINPRED__MARGIN_STOPPED)
            linpred__fit_end(fit,
                             fit->options->method == LINPRED_METHOD_AUTO ? LINPRED_OUTCOME_SEPARATED
                                                                         : LINPRED_OUTCOME_UNDECIDED,
                             "separable, by this halfspace; the largest margin is beyond weights of doubles");
    }
    linpred__largest_margin_clear(&largest);
    return status;
}

linpred_status linpred__fit_margin(linpred__fit *fit, linpred_error *error)
{
    linpred_status status = linpred__decide_halfspace(fit, error);
    if (status != LINPRED_OK)
        return status;
    return fit->result->info.outcome == LINPRED_OUTCOME_SEPARATED ? enlarge(fit, error)
                                                                  : linpred__report_decided(fit, error);
}

/* ---- auto -----------------------------------------------------------------------------------------------------------
 */

/* Squared loss of the labels, by weight, at z = 0: the gradient and Hessian of one pass give the whole problem. */
static void squared_loss(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                         double *curvature)
{
    (void)context;
    for (int32_t i = 0; i < block->rows; i++) {
        double weight = block->weight ? block->weight[i] : 1.0;
        loss[i] = 0.5 * weight * (z[i] - block->target[i]) * (z[i] - block->target[i]);
        r[i] = weight * (z[i] - block->target[i]);
        curvature[i] = weight;
    }
}

bool linpred__least_squares_start(linpred__fit *fit, double *w, double *b)
{
    const linpred_data *data = fit->problem.data;
    bool has_intercept = fit->result->model.has_intercept;
    int32_t d = data->columns + has_intercept;
    if (d > MOST_COLUMNS_SOLVED)
        return false;
    double *hessian = linpred__alloc((size_t)d * (size_t)d, sizeof(double));
    double *gradient = linpred__alloc((size_t)d, sizeof(double));
    double *scale = linpred__alloc((size_t)d, sizeof(double));
    double *zero = linpred__calloc((size_t)data->columns, sizeof(double));
    linpred__fused fused = {.weights = zero,
                            .has_intercept = has_intercept,
                            .row_function = squared_loss,
                            .gradient = gradient,
                            .hessian = hessian};
    bool solved =
        hessian && gradient && scale && zero && linpred__fused_pass(data, fit->run.pool, &fused, NULL) == LINPRED_OK;
    for (int32_t i = 0; solved && i < d; i++)
        scale[i] = hessian[i * d + i] > 0 && isfinite(hessian[i * d + i]) ? 1.0 / sqrt(hessian[i * d + i]) : 0.0;
    for (int32_t i = 0; solved && i < d; i++) {
        gradient[i] *= -scale[i];
        for (int32_t j = 0; j < d; j++)
            hessian[i * d + j] = i == j ? 1.0 + 1e-9 : hessian[i * d + j] * scale[i] * scale[j];
    }
    linpred__blas_enter();
    solved = solved && LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', d, 1, hessian, d, gradient, 1) == 0;
    linpred__blas_leave();
    for (int32_t i = 0; solved && i < d; i++) {
        double value = gradient[i] * scale[i];
        solved = isfinite(value);
        if (i < data->columns)
            w[i] = value;
        else
            *b = value;
    }
    linpred__release(hessian);
    linpred__release(gradient);
    linpred__release(scale);
    linpred__release(zero);
    return solved;
}

/* Pocket and local search from there; the witness that nothing separates the rows stays in the certificate. */
static linpred_status fall_back(linpred__fit *fit, linpred_error *error)
{
    linpred_model *model = &fit->result->model;
    linpred_info *info = &fit->result->info;
    linpred__learning learning = {.data = fit->problem.data,
                                  .radius = fit->problem.extents.radius.above,
                                  .pocket = true,
                                  .order = LINPRED_ORDER_RANDOM,
                                  .patience = PATIENCE + PATIENCE_ROWS / fit->problem.data->rows};
    double *start = linpred__calloc((size_t)fit->problem.data->columns, sizeof(double));
    if (!start)
        return linpred__no_memory(error);
    if (linpred__least_squares_start(fit, start, &learning.b)) {
        /* Long enough that an update turns it gently. */
        double norm = 0.0, radius = fit->problem.extents.radius.nearest;
        for (int32_t j = 0; j < model->columns; j++)
            norm = fmax(norm, fabs(start[j]));
        norm = fmax(norm, fabs(learning.b));
        double factor = norm > 0 && isfinite(radius) ? 10.0 * radius / norm : 1.0;
        for (int32_t j = 0; j < model->columns; j++)
            start[j] *= factor;
        learning.b *= factor;
        learning.w = start;
    }
    linpred_status status = linpred__learn_perceptron(fit, &learning, error);
    linpred__release(start);
    if (status == LINPRED_OK && info->outcome == LINPRED_OUTCOME_LIMIT_REACHED)
        status = linpred__local_search(fit, error);
    if (status == LINPRED_OK)
        status = linpred__halfspace_report(fit, error);
    if (status != LINPRED_OK)
        return status;
    bool proved = fit->result->certificate.witnesses > 0;
    linpred__claim_errors(fit);
    if (info->outcome != LINPRED_OUTCOME_LIMIT_REACHED)
        return LINPRED_OK;
    char ended[100];
    snprintf(ended, sizeof ended, "%.99s", info->reason);
    if (proved)
        linpred__fit_end(
            fit, LINPRED_OUTCOME_INSEPARABLE, "no halfspace separates the rows (%lld of them prove%s it); pocket %s",
            (long long)fit->result->certificate.witnesses, fit->result->certificate.witnesses == 1 ? "s" : "", ended);
    else
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "too large to decide whether a halfspace separates the rows; pocket %s", ended);
    return LINPRED_OK;
}

linpred_status linpred__fit_auto(linpred__fit *fit, linpred_error *error)
{
    linpred_status status = linpred__decide_halfspace(fit, error);
    if (status != LINPRED_OK)
        return status;
    switch (fit->result->info.outcome) {
    case LINPRED_OUTCOME_SEPARATED:
        fit->result->info.method = LINPRED_METHOD_MARGIN;
        return enlarge(fit, error);
    case LINPRED_OUTCOME_INSEPARABLE:
    case LINPRED_OUTCOME_UNDECIDED:
        fit->result->info.method = LINPRED_METHOD_POCKET;
        return fall_back(fit, error);
    default:
        return linpred__report_decided(fit, error);
    }
}
