/* The perceptron at work: some of its updates, each with the line before and after it, and the two sides of each
 * inequality in the proof of its bound over all updates T:
 *
 *   <w*,w> >= T     ||w||² <= T R²     cos(w*,w) >= √T/(RB)
 *
 * The run is made twice: the first tells how many updates there are, the second keeps those that are shown. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { SHOWN = 6, KEPT = 4000, PANELS = 3 };

typedef struct update_figures {
    double update;
    double star, norm, norm_limit, cosine, cosine_limit;
} update_figures;

typedef struct shown_update {
    int64_t update;
    int64_t row;
    double before[3]; /* w1, w2, b */
    double after[3];
} shown_update;

typedef struct run_record {
    int64_t updates;
    update_figures *kept; /* every `stride`-th update, and the last one */
    int count;
    int64_t stride;
    update_figures last;
    shown_update shown[SHOWN]; /* by the second run */
    int wanted;
    double now[3]; /* the weights so far */
} run_record;

static bool keep_figures(void *context, const linpred_update *update)
{
    run_record *record = context;
    record->updates = update->update;
    record->last = (update_figures){(double)update->update, update->star_product, update->norm_squared,
                                    update->norm_limit,     update->cosine,       update->cosine_limit};
    if (update->update % record->stride)
        return true;
    if (record->count == KEPT) { /* every second one is enough from here on */
        for (int i = 0; i < KEPT / 2; i++)
            record->kept[i] = record->kept[2 * i + 1];
        record->count = KEPT / 2;
        record->stride *= 2;
        if (update->update % record->stride)
            return true;
    }
    record->kept[record->count++] = record->last;
    return true;
}

static bool keep_shown(void *context, const linpred_update *update)
{
    run_record *record = context;
    double after[3] = {update->columns > 0 ? update->weights[0] : 0, update->columns > 1 ? update->weights[1] : 0,
                       update->intercept};
    for (int k = 0; k < record->wanted; k++)
        if (record->shown[k].update == update->update) {
            record->shown[k].row = update->row;
            memcpy(record->shown[k].before, record->now, sizeof after);
            memcpy(record->shown[k].after, after, sizeof after);
        }
    memcpy(record->now, after, sizeof after);
    return true;
}

/* The first three updates, the last one, and two between. */
static void choose_updates(run_record *record)
{
    int64_t last = record->updates;
    const int64_t candidates[SHOWN] = {1, 2, 3, 3 + (last - 3) / 3, 3 + 2 * (last - 3) / 3, last};
    for (int k = 0; k < SHOWN; k++) {
        bool is_new = candidates[k] >= 1 && candidates[k] <= last;
        for (int i = 0; i < record->wanted; i++)
            is_new = is_new && record->shown[i].update < candidates[k];
        if (is_new)
            record->shown[record->wanted++].update = candidates[k];
    }
}

/* ---- panels of updates ---- */

/* Panel `place` of a grid with PANELS columns. */
static axes_panel panel_at(const svg_document *svg, int place, double top, double height)
{
    double width = (svg->width - 16) / PANELS, left = 8 + width * (place % PANELS);
    double from = top + height * (double)(place / PANELS);
    return (axes_panel){.x = {.from = left + 42, .to = left + width - 10},
                        .y = {.from = from + height - 30, .to = from + 26},
                        .clip = place};
}

/* The line w1 x + w2 y + b = 0 within the panel, by its ends far outside. */
static void draw_line_of(const svg_document *svg, const axes_panel *panel, const double w[3], const char *class_name)
{
    enum { FAR = 1000 };
    double a = w[0] * (panel->x.high - panel->x.low) / (panel->x.to - panel->x.from);
    double b = w[1] * (panel->y.high - panel->y.low) / (panel->y.to - panel->y.from), length = hypot(a, b);
    double px = 0.5 * (panel->x.from + panel->x.to), py = 0.5 * (panel->y.from + panel->y.to);
    if (!(length > 0))
        return;
    double off = (w[0] * axes_value(&panel->x, px) + w[1] * axes_value(&panel->y, py) + w[2]) / length;
    a /= length;
    b /= length;
    svg_line(svg, class_name, px - off * a - FAR * b, py - off * b + FAR * a, px - off * a + FAR * b,
             py - off * b - FAR * a);
}

/* The direction of w as an arrow from the middle: an update turns it. */
static void draw_normal_of(const svg_document *svg, const axes_panel *panel, const double w[3], const char *class_name)
{
    enum { LENGTH = 40 };
    double ux = w[0] * (panel->x.to - panel->x.from) / (panel->x.high - panel->x.low);
    double uy = w[1] * (panel->y.to - panel->y.from) / (panel->y.high - panel->y.low), length = hypot(ux, uy);
    double px = 0.5 * (panel->x.from + panel->x.to), py = 0.5 * (panel->y.from + panel->y.to);
    if (length > 0)
        svg_arrow(svg, class_name, px, py, px + LENGTH * ux / length, py + LENGTH * uy / length);
}

static void draw_update(const svg_document *svg, const axes_panel *panel, const cloud *points, const draw_rows *rows,
                        const shown_update *shown)
{
    int64_t i = draw_rows_find(rows, shown->row);
    svg_text(svg, "tick", panel->x.from, panel->y.to - 8, SVG_START, "update %" PRId64 ": row %" PRId64, shown->update,
             shown->row);
    axes_draw(svg, panel, "", "");
    axes_clip(svg, panel);
    draw_line_of(svg, panel, shown->before, "edge");
    draw_line_of(svg, panel, shown->after, "line");
    cloud_draw(svg, panel, points);
    draw_normal_of(svg, panel, shown->before, "edge");
    draw_normal_of(svg, panel, shown->after, "line");
    if (i >= 0)
        svg_circle(svg, "accent", axes_at(&panel->x, points->x[i]), axes_at(&panel->y, points->y[i]), 8);
    axes_unclip(svg);
}

/* ---- the proof ---- */

typedef double figure_of(const update_figures *at);
static double star_of(const update_figures *at)
{
    return at->star;
}
static double updates_of(const update_figures *at)
{
    return at->update;
}
static double square_of(const update_figures *at)
{
    return at->norm;
}
static double square_limit_of(const update_figures *at)
{
    return at->norm_limit;
}
static double cosine_of(const update_figures *at)
{
    return at->cosine;
}
static double cosine_limit_of(const update_figures *at)
{
    return at->cosine_limit;
}

static void draw_side(const svg_document *svg, const axes_panel *panel, const run_record *record, figure_of *side,
                      const char *class_name)
{
    svg_path_begin(svg, class_name);
    svg_path_to(svg, true, axes_at(&panel->x, 0), axes_at(&panel->y, 0));
    for (int i = 0; i < record->count; i++)
        svg_path_to(svg, false, axes_at(&panel->x, record->kept[i].update), axes_at(&panel->y, side(&record->kept[i])));
    svg_path_to(svg, false, axes_at(&panel->x, record->last.update), axes_at(&panel->y, side(&record->last)));
    svg_path_end(svg, false);
}

static void draw_proof(const svg_document *svg, const run_record *record, double top, double height)
{
    static const struct {
        const char *name;
        figure_of *side;
        figure_of *limit;
    } sides[] = {{"⟨w*,w⟩ ≥ T", star_of, updates_of},
                 {"‖w‖² ≤ T R²", square_of, square_limit_of},
                 {"cos(w*,w) ≥ √T/(RB)", cosine_of, cosine_limit_of}};
    for (int k = 0; k < PANELS; k++) {
        axes_panel panel = panel_at(svg, k, top, height);
        panel.clip = SHOWN + k;
        panel.y.from -= 16;
        double most = 0;
        for (int i = 0; i <= record->count; i++) {
            const update_figures *at = i < record->count ? &record->kept[i] : &record->last;
            most = fmax(most, fmax(sides[k].side(at), sides[k].limit(at)));
        }
        panel.x.high = record->last.update * 1.04;
        panel.y.high = k == 2 ? 1.05 : most * 1.08;
        svg_text(svg, "tick", panel.x.from, panel.y.to - 8, SVG_START, "%s", sides[k].name);
        axes_draw(svg, &panel, "updates T", "");
        axes_clip(svg, &panel);
        draw_side(svg, &panel, record, sides[k].limit, "edge");
        draw_side(svg, &panel, record, sides[k].side, "curve");
        axes_unclip(svg);
    }
}

/* ---- the picture ---- */

static linpred_status run_twice(const linpred_data *data, linpred_options *options, run_record *record,
                                linpred_result **result, linpred_error *error)
{
    linpred_result *again = NULL;
    record->stride = 1;
    linpred_options_on_update(options, keep_figures, record);
    linpred_status status = linpred_fit(data, options, result, error);
    if (status == LINPRED_OK && record->updates > 0) {
        choose_updates(record);
        linpred_options_on_update(options, keep_shown, record);
        status = linpred_fit(data, options, &again, error);
    }
    linpred_options_on_update(options, NULL, NULL);
    linpred_result_free(again);
    return status;
}

static void say_run(const linpred_result *result, const run_record *record, bool bounded, char *note, size_t bytes)
{
    char updates[32], bound[40];
    svg_count(record->updates, updates);
    svg_people(linpred_result_number(result, "update_bound"), 5, bound);
    bool ended = linpred_result_outcome(result) == LINPRED_OUTCOME_SEPARATED;
    int used = snprintf(note, bytes, "%s update%s", updates, record->updates == 1 ? "" : "s");
    if (!ended)
        snprintf(note + used, bytes - (size_t)used, ", and not at its end: mistakes are left");
    else if (bounded)
        snprintf(note + used, bytes - (size_t)used, " until every row is right; the bound (RB)² allows %s", bound);
    else
        snprintf(note + used, bytes - (size_t)used, " until every row is right");
}

static void draw_whole(const svg_document *svg, const draw_subject *subject, const run_record *record,
                       const draw_rows *rows, cloud *points)
{
    enum { TOP = 88, HEIGHT = 190, PROOF = 230 };
    bool plane = linpred_data_columns(subject->data) == 2, bounded = !isnan(record->last.cosine_limit);
    int strip = plane ? (record->wanted + PANELS - 1) / PANELS : 0;
    char note[300];
    svg_document tall = *svg;
    tall.height = TOP + strip * HEIGHT + (bounded ? PROOF : 0) + 26;
    say_run(subject->result, record, bounded, note, sizeof note);
    svg_open(&tall, "The perceptron at work", note);
    axes_heading(&tall, "The perceptron at work", note);
    for (int k = 0; plane && k < record->wanted; k++) {
        axes_panel panel = panel_at(&tall, k, TOP, HEIGHT);
        double low, high;
        cloud_limits(points->x, points->count, &low, &high);
        axes_range(&panel.x, low, high, 0.12);
        cloud_limits(points->y, points->count, &low, &high);
        axes_range(&panel.y, low, high, 0.12);
        axes_equal(&panel);
        draw_update(&tall, &panel, points, rows, &record->shown[k]);
    }
    if (bounded)
        draw_proof(&tall, record, TOP + strip * HEIGHT, PROOF);
    double x = LEGEND_LEFT;
    if (plane) {
        legend_mark(&tall, &x, 1, points->label[1]);
        legend_mark(&tall, &x, -1, points->label[0]);
        legend_ring(&tall, &x, "accent", "the row");
        legend_line(&tall, &x, "edge", "before");
        legend_line(&tall, &x, "line", "after");
        legend_weight(&tall, &x, points);
    }
    if (bounded) {
        legend_line(&tall, &x, "curve", "the run");
        legend_line(&tall, &x, "edge", "what is proved");
    }
    svg_close(&tall);
}

linpred_status draw_perceptron(const svg_document *svg, const linpred_data *data, linpred_options *options,
                               linpred_error *error)
{
    linpred_result *result = NULL;
    draw_rows rows = {0};
    cloud points = {0};
    int32_t columns = linpred_data_columns(data);
    run_record *record = calloc(1, sizeof *record);
    update_figures *kept = calloc(KEPT, sizeof *kept);
    double *along = calloc(2 * (size_t)columns + 1, sizeof *along);
    linpred_status status = record && kept && along ? LINPRED_OK : draw_no_memory(error);
    if (status == LINPRED_OK) {
        record->kept = kept;
        status = run_twice(data, options, record, &result, error);
    }
    draw_subject subject = {.result = result, .data = data};
    if (status == LINPRED_OK)
        status = draw_rows_read(&rows, &subject, error);
    if (status == LINPRED_OK && !cloud_init(&points, rows.count, true))
        status = draw_no_memory(error);
    if (status == LINPRED_OK && columns == 2) {
        along[0] = along[3] = 1;
        status = draw_rows_along(&rows, &subject, along, points.x, points.y, error);
    }
    if (status == LINPRED_OK) {
        for (int64_t i = 0; i < rows.count; i++)
            points.side[i] = rows.target[i] > 0 ? 1 : -1;
        points.row = rows.row;
        points.weight = rows.weight;
        points.usual_weight = rows.usual_weight;
        points.x_name = linpred_data_feature(data, 0);
        points.y_name = linpred_data_feature(data, columns > 1 ? 1 : 0);
        points.label[0] = linpred_data_label(data, -1);
        points.label[1] = linpred_data_label(data, 1);
        draw_whole(svg, &subject, record, &rows, &points);
    }
    cloud_clear(&points);
    draw_rows_clear(&rows);
    linpred_result_free(result);
    free(along);
    free(kept);
    free(record);
    return status;
}
