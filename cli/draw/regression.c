/* A regression: of one feature its curve over the rows, with the band in which the curve and in which new targets lie;
 * of several features, observed against fitted targets. A second regression of the same feature may be drawn beside it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dates.h"
#include "rows.h"

enum { STEPS = 240 }; /* points of a curve */

typedef struct curve {
    double x[STEPS + 1];
    double score[STEPS + 1];
    double low[STEPS + 1]; /* of new targets; NaN where there are no intervals */
    double high[STEPS + 1];
    double leverage[STEPS + 1];
    bool has_band;
} curve;

/* The model at evenly spaced values of its feature. */
static linpred_status follow(const linpred_result *result, double from, double to, curve *made, linpred_error *error)
{
    const linpred_model *model = linpred_result_model(result);
    linpred_data *data = NULL;
    for (int i = 0; i <= STEPS; i++)
        made->x[i] = from + (to - from) * i / STEPS;
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = STEPS + 1, .columns = 1, .values = made->x};
    linpred_status status = linpred_data_from_arrays(&arrays, &data, error);
    if (status == LINPRED_OK)
        status = linpred_score(model, data, 1, made->score, error);
    linpred_error none; /* a model without intervals is drawn without a band */
    made->has_band = status == LINPRED_OK &&
                     linpred_predict_interval(model, data, 1, linpred_result_confidence(result), made->low, made->high,
                                              &none) == LINPRED_OK &&
                     linpred_leverage(model, data, 1, made->leverage, &none) == LINPRED_OK;
    linpred_data_free(data);
    return status;
}

static void name_fit(const linpred_result *result, char *text, size_t bytes)
{
    const linpred_model *model = linpred_result_model(result);
    double quantile = linpred_model_quantile(model);
    int used;
    if (linpred_model_loss(model) == LINPRED_LOSS_SQUARED)
        used = snprintf(text, bytes, "least squares");
    else if (quantile == 0.5)
        used = snprintf(text, bytes, "least absolute");
    else
        used = snprintf(text, bytes, "quantile %g", quantile);
    if (linpred_model_degree(model) > 1)
        snprintf(text + used, bytes - (size_t)used, ", degree %d", linpred_model_degree(model));
}

/* The area between centre - half and centre + half; part 1: of new targets, else of the curve itself. */
static void draw_band(const svg_document *svg, const axes_panel *panel, const curve *drawn, bool of_targets)
{
    bool begun = false;
    svg_path_begin(svg, of_targets ? "band" : "band2");
    for (int k = 0; k <= 2 * STEPS + 1; k++) {
        int i = k <= STEPS ? k : 2 * STEPS + 1 - k;
        /* Of new targets t s √(1+h), of the curve t s √h. */
        double half = 0.5 * (drawn->high[i] - drawn->low[i]), h = drawn->leverage[i];
        half *= of_targets ? 1 : sqrt(h / (1 + h));
        if (!isfinite(half))
            continue;
        svg_path_to(svg, !begun, axes_at(&panel->x, drawn->x[i]),
                    axes_at(&panel->y, drawn->score[i] + (k <= STEPS ? half : -half)));
        begun = true;
    }
    svg_path_end(svg, begun);
}

static void draw_curve(const svg_document *svg, const axes_panel *panel, const curve *drawn, const char *class_name)
{
    svg_path_begin(svg, class_name);
    for (int i = 0; i <= STEPS; i++)
        svg_path_to(svg, i == 0, axes_at(&panel->x, drawn->x[i]), axes_at(&panel->y, drawn->score[i]));
    svg_path_end(svg, false);
}

/* The range of the targets, and of the curve as far as it does not leave them far behind. */
static void choose_range(axes_panel *panel, const draw_rows *rows, const curve *drawn)
{
    double low, high, from, to;
    cloud_limits(rows->target, rows->count, &low, &high);
    cloud_limits(drawn->score, STEPS + 1, &from, &to);
    for (int i = 0; drawn->has_band && i <= STEPS; i++) {
        from = fmin(from, drawn->low[i]);
        to = fmax(to, drawn->high[i]);
    }
    double room = 0.5 * (high - low);
    axes_range(&panel->y, fmax(fmin(low, from), low - room), fmin(fmax(high, to), high + room), 0.04);
}

static void say_fit(const draw_subject *subject, char *title, char *note, size_t bytes)
{
    const linpred_model *model = linpred_result_model(subject->result);
    double r_squared = linpred_result_number(subject->result, "r_squared");
    double mean = linpred_result_number(subject->result, "mean_absolute_error");
    char name[100], number[40], rows[32];
    svg_count(linpred_data_rows(subject->data), rows);
    bool one = linpred_data_columns(subject->data) == 1;
    snprintf(title, bytes, one ? "%.120s by %.120s" : "%.120s: observed and fitted", linpred_model_target(model),
             linpred_data_feature(subject->data, 0));
    name_fit(subject->result, name, sizeof name);
    name[0] = (char)(name[0] - 'a' + 'A');
    int used = snprintf(note, bytes, "%s over %s rows", name, rows);
    if (!subject->same_data) {
        snprintf(note + used, bytes - (size_t)used, ", which are not those of the fit");
    } else if (linpred_model_loss(model) == LINPRED_LOSS_SQUARED && !isnan(r_squared)) {
        svg_people(r_squared, 4, number);
        snprintf(note + used, bytes - (size_t)used, "; R² = %s", number);
    } else if (!isnan(mean)) {
        svg_people(mean, 4, number);
        snprintf(note + used, bytes - (size_t)used, "; mean absolute error %s", number);
    }
}

static void draw_fit_legend(const svg_document *svg, const draw_subject *subject, const curve *drawn,
                            const cloud *points)
{
    double x = LEGEND_LEFT, percent = 100 * linpred_result_confidence(subject->result);
    char name[100], text[100];
    name_fit(subject->result, name, sizeof name);
    legend_line(svg, &x, "curve2", name);
    if (subject->with) {
        name_fit(subject->with, name, sizeof name);
        legend_line(svg, &x, "other", name);
    }
    if (drawn->has_band) {
        snprintf(text, sizeof text, "%g %% of new targets", percent);
        legend_box(svg, &x, "band", text);
        snprintf(text, sizeof text, "%g %% for the curve", percent);
        legend_box(svg, &x, "band2", text);
    }
    legend_weight(svg, &x, points);
}

/* The picture of one feature; `points` are the rows. */
static linpred_status draw_one_feature(const svg_document *svg, const draw_subject *subject, const draw_rows *rows,
                                       cloud *points, linpred_error *error)
{
    axes_panel panel = axes_whole(svg);
    curve *drawn = calloc(2, sizeof *drawn);
    double low, high;
    char title[300], note[300];
    if (!drawn)
        return draw_no_memory(error);
    cloud_limits(points->x, points->count, &low, &high);
    axes_range(&panel.x, low, high, 0.04);
    panel.x.dates = dates_in(linpred_result_model(subject->result), points->x_name, &panel.x);
    linpred_status status = follow(subject->result, panel.x.low, panel.x.high, &drawn[0], error);
    if (status == LINPRED_OK && subject->with)
        status = follow(subject->with, panel.x.low, panel.x.high, &drawn[1], error);
    if (status == LINPRED_OK) {
        choose_range(&panel, rows, &drawn[0]);
        if (dates_in(linpred_result_model(subject->result), points->y_name, &panel.y))
            axes_dates_up(&panel);
        say_fit(subject, title, note, sizeof title);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &panel, points->x_name, points->y_name);
        axes_clip(svg, &panel);
        if (drawn[0].has_band) {
            draw_band(svg, &panel, &drawn[0], true);
            draw_band(svg, &panel, &drawn[0], false);
        }
        cloud_draw(svg, &panel, points);
        draw_curve(svg, &panel, &drawn[0], "curve2");
        if (subject->with)
            draw_curve(svg, &panel, &drawn[1], "other");
        axes_unclip(svg);
        draw_fit_legend(svg, subject, &drawn[0], points);
        svg_close(svg);
    }
    free(drawn);
    return status;
}

/* Of several features: where fit and observation agree, a row lies on the diagonal. */
static void draw_several(const svg_document *svg, const draw_subject *subject, cloud *points)
{
    axes_panel panel = axes_whole(svg);
    char title[300], note[300];
    double low, high, x = LEGEND_LEFT;
    cloud_limits(points->x, points->count, &low, &high);
    axes_range(&panel.x, low, high, 0.04);
    cloud_limits(points->y, points->count, &low, &high);
    axes_range(&panel.y, low, high, 0.04);
    say_fit(subject, title, note, sizeof title);
    svg_open(svg, title, note);
    axes_heading(svg, title, note);
    axes_draw(svg, &panel, "fitted", points->y_name);
    axes_clip(svg, &panel);
    cloud_draw(svg, &panel, points);
    svg_line(svg, "curve2", panel.x.from, axes_at(&panel.y, panel.x.low), panel.x.to, axes_at(&panel.y, panel.x.high));
    axes_unclip(svg);
    legend_mark(svg, &x, 0, "row");
    legend_line(svg, &x, "curve2", "fitted = observed");
    legend_weight(svg, &x, points);
    svg_close(svg);
}

linpred_status draw_regression(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    draw_rows rows;
    cloud points = {0};
    bool one = linpred_data_columns(subject->data) == 1;
    const double along = 1;
    linpred_status status = draw_rows_read(&rows, subject, error);
    if (status == LINPRED_OK && !cloud_init(&points, rows.count, false))
        status = draw_no_memory(error);
    if (status == LINPRED_OK) {
        points.row = rows.row;
        points.weight = rows.weight;
        points.usual_weight = rows.usual_weight;
        points.x_name = one ? linpred_data_feature(subject->data, 0) : "fitted";
        points.y_name = linpred_model_target(linpred_result_model(subject->result));
        memcpy(points.y, rows.target, (size_t)rows.count * sizeof *points.y);
        memcpy(points.x, rows.score, (size_t)rows.count * sizeof *points.x);
        if (one)
            status = draw_rows_along(&rows, subject, &along, points.x, NULL, error);
    }
    if (status == LINPRED_OK && one) {
        points.score = rows.score;
        points.score_name = "fitted";
        status = draw_one_feature(svg, subject, &rows, &points, error);
    } else if (status == LINPRED_OK) {
        draw_several(svg, subject, &points);
    }
    cloud_clear(&points);
    draw_rows_clear(&rows);
    return status;
}
