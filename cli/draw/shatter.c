/* Points in the plane, and whether a class shatters them. Shattered: every labelling with a line or circle that
 * realises it. Not shattered: the labelling that fails, on the fewest points, with the hulls of its two sides. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { ACROSS = 4, TOP = 70, HEIGHT = 172, MAX_POINTS = 3 };

/* The points of the file in the order of its rows. */
typedef struct plane_points {
    int64_t count;
    double *x;
    double *y;
    int64_t *row;
} plane_points;

static bool read_points(const linpred_data *data, plane_points *points)
{
    double values[2], label;
    points->count = linpred_data_rows(data);
    size_t n = (size_t)points->count + 1;
    points->x = calloc(n, sizeof *points->x);
    points->y = calloc(n, sizeof *points->y);
    points->row = calloc(n, sizeof *points->row);
    if (!points->x || !points->y || !points->row)
        return false;
    for (int64_t i = 0; i < points->count; i++) {
        points->row[i] = linpred_data_source_row(data, i);
        linpred_data_row(data, points->row[i], values, &label);
        points->x[i] = values[0];
        points->y[i] = values[1];
    }
    return true;
}

static void set_panel_ranges(axes_panel *panel, const plane_points *points, double room)
{
    double low, high;
    cloud_limits(points->x, points->count, &low, &high);
    axes_range(&panel->x, low, high, room);
    cloud_limits(points->y, points->count, &low, &high);
    axes_range(&panel->y, low, high, room);
    axes_equal(panel);
}

static void draw_sign(const svg_document *svg, const axes_panel *panel, const plane_points *points, int64_t i, int sign)
{
    double x = axes_at(&panel->x, points->x[i]), y = axes_at(&panel->y, points->y[i]);
    svg_open_mark(svg, "row %" PRId64 "%s", points->row[i], sign > 0 ? ": +" : sign < 0 ? ": −" : "");
    cloud_mark(svg, sign, x, y, 1);
    svg_close_group(svg);
    if (sign)
        svg_text(svg, "name halo", x + 8, y - 6, SVG_START, "%s", sign > 0 ? "+" : "−");
}

/* ---- a labelling that fails ---- */

static int64_t point_of_row(const plane_points *points, int64_t row)
{
    int64_t i = 0;
    while (i < points->count && points->row[i] != row)
        i++;
    return i < points->count ? i : -1;
}

static void draw_failing(const svg_document *svg, const linpred_data *data, const linpred_shattering *answer,
                         const plane_points *points)
{
    axes_panel panel = axes_whole(svg);
    const int64_t *row;
    const signed char *sign;
    int64_t count = linpred_shattering_witness(answer, &row, &sign);
    set_panel_ranges(&panel, points, 0.15);
    axes_draw(svg, &panel, linpred_data_feature(data, 0), linpred_data_feature(data, 1));
    axes_clip(svg, &panel);
    for (int side = -1; side <= 1; side += 2) {
        int joined = 0;
        svg_path_begin(svg, "other");
        for (int64_t k = 0; k < count; k++) {
            int64_t i = point_of_row(points, row[k]);
            if (i >= 0 && sign[k] == side)
                svg_path_to(svg, joined++ == 0, axes_at(&panel.x, points->x[i]), axes_at(&panel.y, points->y[i]));
        }
        svg_path_end(svg, joined > 2);
    }
    for (int64_t i = 0; i < points->count; i++)
        draw_sign(svg, &panel, points, i, 0);
    for (int64_t k = 0; k < count; k++) {
        int64_t i = point_of_row(points, row[k]);
        if (i >= 0)
            draw_sign(svg, &panel, points, i, sign[k]);
    }
    axes_unclip(svg);
    double x = LEGEND_LEFT;
    legend_mark(svg, &x, 1, "+");
    legend_mark(svg, &x, -1, "−");
    legend_mark(svg, &x, 0, "other points");
    legend_line(svg, &x, "other", "hulls of the two sides, which meet");
}

/* ---- all labellings ---- */

/* The line or circle where the model's score is 0. */
static void draw_boundary(const svg_document *svg, const axes_panel *panel, const linpred_model *model)
{
    enum { STEPS = 120, FAR = 1000 };
    const double *centre = linpred_model_centre(model), *w = linpred_model_coefficients(model);
    if (centre) {
        double radius = sqrt(fmax(0, linpred_model_radius_squared(model)));
        svg_path_begin(svg, "line");
        for (int i = 0; i < STEPS; i++) {
            double angle = 2 * 3.14159265358979 * i / STEPS;
            svg_path_to(svg, i == 0, axes_at(&panel->x, centre[0] + radius * cos(angle)),
                        axes_at(&panel->y, centre[1] + radius * sin(angle)));
        }
        svg_path_end(svg, true);
        return;
    }
    double a = w[0] * (panel->x.high - panel->x.low) / (panel->x.to - panel->x.from);
    double b = w[1] * (panel->y.high - panel->y.low) / (panel->y.to - panel->y.from), length = hypot(a, b);
    double px = 0.5 * (panel->x.from + panel->x.to), py = 0.5 * (panel->y.from + panel->y.to);
    if (!(length > 0))
        return;
    double off =
        (w[0] * axes_value(&panel->x, px) + w[1] * axes_value(&panel->y, py) + linpred_model_intercept(model)) / length;
    a /= length;
    b /= length;
    svg_line(svg, "line", px - off * a - FAR * b, py - off * b + FAR * a, px - off * a + FAR * b,
             py - off * b - FAR * a);
}

static linpred_status draw_labelling(const svg_document *svg, const linpred_data *data, const linpred_options *options,
                                     const plane_points *points, int which, linpred_error *error)
{
    double width = (svg->width - 32) / ACROSS, left = 16 + width * (which % ACROSS);
    double top = TOP + HEIGHT * (double)(which / ACROSS);
    axes_panel panel = {.x = {.from = left + 6, .to = left + width - 6},
                        .y = {.from = top + HEIGHT - 10, .to = top + 18},
                        .clip = which};
    char signs[MAX_POINTS + 1] = "";
    linpred_shattering *answer = NULL;
    for (int64_t i = 0; i < points->count; i++)
        signs[i] = which >> i & 1 ? '+' : '-';
    linpred_options *asked = linpred_options_copy(options);
    linpred_status status = asked ? linpred_options_set(asked, "labels", signs, error) : draw_no_memory(error);
    if (status == LINPRED_OK)
        status = linpred_shatter(data, asked, &answer, error);
    if (status == LINPRED_OK) {
        set_panel_ranges(&panel, points, 0.5);
        fprintf(svg->out, "<rect class=\"grid\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", panel.x.from,
                panel.y.to, panel.x.to - panel.x.from, panel.y.from - panel.y.to);
        for (int64_t i = 0; i < points->count; i++)
            svg_text(svg, "tick", panel.x.from + 14 * (double)i, panel.y.to - 5, SVG_START, "%s",
                     signs[i] == '+' ? "+" : "−");
        axes_clip(svg, &panel);
        if (linpred_shattering_result(answer))
            draw_boundary(svg, &panel, linpred_result_model(linpred_shattering_result(answer)));
        for (int64_t i = 0; i < points->count; i++)
            draw_sign(svg, &panel, points, i, signs[i] == '+' ? 1 : -1);
        axes_unclip(svg);
    }
    linpred_shattering_free(answer);
    linpred_options_free(asked);
    return status;
}

static void say_shattering(const linpred_shatter_info *info, char *title, char *note, size_t bytes)
{
    const char *class_name = info->class_asked == LINPRED_CLASS_BALL ? "balls" : "halfspaces";
    const char *origin = info->class_asked == LINPRED_CLASS_BALL || info->has_intercept ? "" : " through the origin";
    if (info->shattered == 1) {
        snprintf(title, bytes, "%" PRId64 " point%s that %s%s shatter", info->points, info->points == 1 ? "" : "s",
                 class_name, origin);
        snprintf(note, bytes, "Every labelling is realised; no more than %" PRId64 " points ever are (VC dimension)",
                 info->vc_dimension);
    } else if (info->shattered == 0) {
        snprintf(title, bytes, "%" PRId64 " points that %s%s do not shatter", info->points, class_name, origin);
        snprintf(note, bytes, "No member of the class gives these signs");
    } else {
        snprintf(title, bytes, "Stopped before it was known");
        snprintf(note, bytes, "%" PRId64 " points", info->points);
    }
}

linpred_status draw_shattering(const svg_document *svg, const linpred_data *data, const linpred_options *options,
                               linpred_error *error)
{
    linpred_shattering *answer = NULL;
    plane_points points = {0};
    char title[160], note[200];
    svg_document sized = *svg;
    if (linpred_data_columns(data) != 2)
        return draw_fail(error, LINPRED_ERROR_USAGE,
                         "points are drawn in the plane, and these have %d column%s: choose two with --features",
                         linpred_data_columns(data), linpred_data_columns(data) == 1 ? "" : "s");
    linpred_status status = linpred_shatter(data, options, &answer, error);
    if (status == LINPRED_OK && !read_points(data, &points))
        status = draw_no_memory(error);
    if (status == LINPRED_OK) {
        const linpred_shatter_info *info = linpred_shattering_info(answer);
        int labellings = info->shattered == 1 && points.count <= MAX_POINTS ? 1 << points.count : 0;
        if (labellings > 0)
            sized.height = TOP + HEIGHT * (double)((labellings + ACROSS - 1) / ACROSS) + 12;
        say_shattering(info, title, note, sizeof title);
        svg_open(&sized, title, note);
        axes_heading(&sized, title, note);
        if (labellings == 0)
            draw_failing(&sized, data, answer, &points);
        for (int k = 0; k < labellings && status == LINPRED_OK; k++)
            status = draw_labelling(&sized, data, options, &points, k, error);
        svg_close(&sized);
    }
    free(points.x);
    free(points.y);
    free(points.row);
    linpred_shattering_free(answer);
    return status;
}
