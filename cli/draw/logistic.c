/* A logistic model: the sigmoid over the score with the rows of both labels; whether what is called probable happens as
 * often; and the ROC curve, which halfspaces and balls have too. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

/* A number in [0,1) that depends on the row alone: rows of one label lie on one line, and would hide each other. */
static double scatter(int64_t row)
{
    uint64_t h = (uint64_t)row * 0x9E3779B97F4A7C15u;
    return (double)((h ^ h >> 32) & 0xFFFFu) / 0x10000;
}

static void draw_curve_of_probability(const svg_document *svg, const axes_panel *panel)
{
    enum { STEPS = 200 };
    svg_path_begin(svg, "line");
    for (int i = 0; i <= STEPS; i++) {
        double score = panel->x.low + (panel->x.high - panel->x.low) * i / STEPS;
        svg_path_to(svg, i == 0, axes_at(&panel->x, score), axes_at(&panel->y, linpred_probability(score)));
    }
    svg_path_end(svg, false);
}

static void draw_sigmoid_legend(const svg_document *svg, const cloud *points)
{
    double x = LEGEND_LEFT;
    legend_mark(svg, &x, 1, points->label[1]);
    legend_mark(svg, &x, -1, points->label[0]);
    legend_line(svg, &x, "line", "1/(1+exp(−score))");
    legend_weight(svg, &x, points);
}

linpred_status draw_sigmoid(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    static const double strip = 0.13; /* the rows of a label lie in a strip of this height beyond 0 or 1 */
    const linpred_model *model = linpred_result_model(subject->result);
    draw_rows rows;
    cloud points = {0};
    axes_panel panel = axes_whole(svg);
    char title[300], note[300];
    double low, high;
    linpred_status status = draw_rows_read(&rows, subject, error);
    double *probability = calloc((size_t)rows.count + 1, sizeof *probability);
    if (status == LINPRED_OK && !(probability && cloud_init(&points, rows.count, true)))
        status = draw_no_memory(error);
    if (status == LINPRED_OK) {
        const char *label[2] = {linpred_model_label(model, -1), linpred_model_label(model, 1)};
        int64_t wrong = 0;
        for (int64_t i = 0; i < rows.count; i++) {
            points.x[i] = rows.score[i];
            probability[i] = linpred_probability(rows.score[i]);
            points.side[i] = rows.target[i] > 0 ? 1 : -1;
            double away = 0.02 + strip * scatter(rows.row[i]);
            points.y[i] = points.side[i] > 0 ? 1 + away : -away;
            wrong += points.side[i] != linpred_decide(model, rows.score[i], NAN);
        }
        cloud_limits(points.x, points.count, &low, &high);
        axes_range(&panel.x, low, high, 0.04);
        panel.y.low = -strip - 0.04;
        panel.y.high = 1 + strip + 0.04;
        points.row = rows.row;
        points.weight = rows.weight;
        points.usual_weight = rows.usual_weight;
        points.x_name = "score";
        points.score = probability;
        points.score_name = "probability";
        points.label[0] = label[0];
        points.label[1] = label[1];
        snprintf(title, sizeof title, "The probability of %.80s = %.80s", linpred_model_target(model), label[1]);
        snprintf(note, sizeof note,
                 "By the score; from 0 on a row is labelled %.60s: %" PRId64 " of %" PRId64 " rows wrong", label[1],
                 wrong, rows.count);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &panel, "score", "probability");
        axes_clip(svg, &panel);
        svg_line(svg, "zero", axes_at(&panel.x, 0), panel.y.from, axes_at(&panel.x, 0), panel.y.to);
        cloud_draw(svg, &panel, &points);
        draw_curve_of_probability(svg, &panel);
        axes_unclip(svg);
        draw_sigmoid_legend(svg, &points);
        axes_caption(svg, "Rows lie beyond 1 and 0 by their label, scattered so that they do not hide each other.");
        svg_close(svg);
    }
    free(probability);
    cloud_clear(&points);
    draw_rows_clear(&rows);
    return status;
}

/* ---- calibration ---- */

static void draw_bins(const svg_document *svg, const axes_panel *panel, const linpred_calibration *calibration)
{
    linpred_bin bin = {.struct_size = sizeof bin};
    double most = 0;
    for (size_t k = 0; linpred_calibration_bin(calibration, k, &bin); k++)
        most = fmax(most, bin.weight);
    double x = 0, y = 0;
    bool before = false;
    for (size_t k = 0; linpred_calibration_bin(calibration, k, &bin); k++) {
        if (!(bin.weight > 0))
            continue;
        double to_x = axes_at(&panel->x, bin.predicted), to_y = axes_at(&panel->y, bin.observed);
        if (before)
            svg_line(svg, "curve", x, y, to_x, to_y);
        before = true;
        x = to_x;
        y = to_y;
    }
    for (size_t k = 0; linpred_calibration_bin(calibration, k, &bin); k++) {
        if (!(bin.weight > 0))
            continue;
        svg_open_mark(svg, "probability %.2g to %.2g: weight %.6g, mean probability %.4g, observed %.4g", bin.from,
                      bin.to, bin.weight, bin.predicted, bin.observed);
        svg_circle(svg, "pos", axes_at(&panel->x, bin.predicted), axes_at(&panel->y, bin.observed),
                   4 + 10 * sqrt(bin.weight / most));
        svg_close_group(svg);
    }
}

/* A panel for shares: both axes from 0 to 1. */
static axes_panel panel_of_shares(const svg_document *svg)
{
    axes_panel panel = axes_whole(svg);
    panel.x.low = panel.y.low = -0.03;
    panel.x.high = panel.y.high = 1.03;
    return panel;
}

linpred_status draw_calibration(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    enum { BINS = 10 };
    const linpred_model *model = linpred_result_model(subject->result);
    linpred_calibration *calibration = NULL;
    linpred_evaluation figures = {.struct_size = sizeof figures};
    axes_panel panel = panel_of_shares(svg);
    char title[200], note[200], brier[40], loss[40];
    linpred_status status = linpred_calibrate(model, subject->data, subject->threads, BINS, &calibration, error);
    if (status == LINPRED_OK)
        status = linpred_evaluate(model, subject->data, subject->threads, &figures, error);
    if (status == LINPRED_OK) {
        svg_people(figures.brier, 4, brier);
        svg_people(figures.log_loss, 4, loss);
        snprintf(title, sizeof title, "Calibration: is %.60s as frequent as it is probable?",
                 linpred_model_label(model, 1));
        snprintf(note, sizeof note, "By tenths of the probability; Brier score %s, log loss %s", brier, loss);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &panel, "mean probability", "observed share");
        svg_line(svg, "zero", axes_at(&panel.x, 0), axes_at(&panel.y, 0), axes_at(&panel.x, 1), axes_at(&panel.y, 1));
        draw_bins(svg, &panel, calibration);
        double x = LEGEND_LEFT;
        legend_mark(svg, &x, 1, "rows of one tenth; the area is their number");
        legend_line(svg, &x, "zero", "as often as probable");
        svg_close(svg);
    }
    linpred_calibration_free(calibration);
    return status;
}

/* ---- ROC ---- */

/* Corners that lie less than half a pixel on are left out. */
static void draw_roc_curve(const svg_document *svg, const axes_panel *panel, const linpred_roc *roc)
{
    linpred_roc_corner corner = {.struct_size = sizeof corner};
    double x = -1, y = -1;
    svg_path_begin(svg, "curve");
    for (size_t k = 0; linpred_roc_point(roc, k, &corner); k++) {
        double to_x = axes_at(&panel->x, corner.false_positive_rate);
        double to_y = axes_at(&panel->y, corner.true_positive_rate);
        bool last = corner.false_positive_rate == 1 && corner.true_positive_rate == 1;
        if (k > 0 && !last && hypot(to_x - x, to_y - y) < 0.5)
            continue;
        svg_path_to(svg, k == 0, to_x, to_y);
        x = to_x;
        y = to_y;
    }
    svg_path_end(svg, false);
}

linpred_status draw_roc(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    const linpred_model *model = linpred_result_model(subject->result);
    linpred_roc *roc = NULL;
    linpred_evaluation figures = {.struct_size = sizeof figures};
    axes_panel panel = panel_of_shares(svg);
    char title[200], note[200], auc[40], share[2][40];
    linpred_status status = linpred_roc_draw(model, subject->data, subject->threads, &roc, error);
    if (status == LINPRED_OK)
        status = linpred_evaluate(model, subject->data, subject->threads, &figures, error);
    if (status == LINPRED_OK) {
        double false_rate = figures.false_positive / (figures.false_positive + figures.true_negative);
        svg_people(figures.auc, 4, auc);
        svg_people(figures.recall, 4, share[1]);
        svg_people(false_rate, 4, share[0]);
        snprintf(title, sizeof title, "ROC: %.60s found, %.60s mistaken for it", linpred_model_label(model, 1),
                 linpred_model_label(model, -1));
        snprintf(note, sizeof note, "As the threshold goes down; area under the curve (AUC) %s", auc);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &panel, "share of the others labelled so too", "share that is found");
        svg_line(svg, "zero", axes_at(&panel.x, 0), axes_at(&panel.y, 0), axes_at(&panel.x, 1), axes_at(&panel.y, 1));
        draw_roc_curve(svg, &panel, roc);
        svg_open_mark(svg, "the model's own threshold: found %s, mistaken %s", share[1], share[0]);
        svg_circle(svg, "accentfill halo", axes_at(&panel.x, false_rate), axes_at(&panel.y, figures.recall), 5.5);
        svg_close_group(svg);
        double x = LEGEND_LEFT;
        legend_line(svg, &x, "curve", "the model");
        legend_line(svg, &x, "zero", "chance");
        legend_ring(svg, &x, "accentfill", "the model's own threshold");
        svg_close(svg);
    }
    linpred_roc_free(roc);
    return status;
}
