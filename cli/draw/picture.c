/* The table of pictures, and what they share: see picture.h. */
#include "picture.h"

#include <stdarg.h>
#include <stdlib.h>

#define TASK(name) (1u << LINPRED_TASK_##name)

/* Whether standardised residuals exist: squared loss, no penalty, degrees of freedom left. */
static bool has_leverages(const draw_subject *subject)
{
    const linpred_model *model = linpred_result_model(subject->result);
    return linpred_model_loss(model) == LINPRED_LOSS_SQUARED &&
           linpred_result_number(subject->result, "residual_sd") > 0;
}

static bool has_two_labels(const draw_subject *subject)
{
    linpred_shape shape = {.struct_size = sizeof shape};
    return linpred_data_shape(subject->data, &shape) && shape.positive > 0 && shape.positive < shape.weight;
}

static bool has_two_features(const draw_subject *subject)
{
    return linpred_data_columns(subject->data) >= 2;
}

const draw_kind draw_kinds[] = {
    {"halfspace", "rows of two features, the line, its normal, margin, mistakes, proof", TASK(HALFSPACE),
     draw_halfspace, true, true, NULL},
    {"fit", "the curve over one feature with its bands; of several, observed against fitted", TASK(REGRESSION),
     draw_regression, false, false, NULL},
    {"sigmoid", "probability over the score, with the rows", TASK(LOGISTIC), draw_sigmoid, false, false, NULL},
    {"ball", "rows of two features and the ball", TASK(BALL), draw_ball, true, false, has_two_features},
    {"plane", "rows of two features and the line of probability 0.5", TASK(LOGISTIC), draw_halfspace, true, true, NULL},
    {"coefficients", "coefficients with their intervals", TASK(HALFSPACE) | TASK(REGRESSION) | TASK(LOGISTIC),
     draw_forest, false, false, NULL},
    {"residuals", "residuals against the fit", TASK(REGRESSION), draw_residuals, false, false, NULL},
    {"qq", "residuals against normal quantiles", TASK(REGRESSION), draw_qq, false, false, NULL},
    {"leverage", "how much single rows pull the fit", TASK(REGRESSION), draw_leverage, false, false, has_leverages},
    {"calibration", "whether what is probable happens as often", TASK(LOGISTIC), draw_calibration, false, false, NULL},
    {"roc", "labels found and mistaken as the threshold moves", TASK(HALFSPACE) | TASK(LOGISTIC) | TASK(BALL), draw_roc,
     false, false, has_two_labels},
};
const size_t draw_kind_count = sizeof draw_kinds / sizeof draw_kinds[0];

linpred_status draw_fail(linpred_error *error, linpred_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *error = (linpred_error){.status = status};
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

linpred_status draw_to_text(const draw_kind *kind, const draw_subject *subject, svg_theme theme, int id, char **text,
                            size_t *bytes, linpred_error *error)
{
    *text = NULL;
    FILE *out = open_memstream(text, bytes);
    if (!out)
        return draw_no_memory(error);
    svg_document svg = {.out = out, .theme = theme, .id = id, .width = DRAW_WIDTH, .height = DRAW_HEIGHT};
    linpred_status status = kind->draw(&svg, subject, error);
    bool lost = ferror(out) != 0;
    if (fclose(out) != 0 || lost)
        status = status == LINPRED_OK ? draw_no_memory(error) : status;
    if (status != LINPRED_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
