/* A ball in two features: rows of both classes, the circle, its centre, mistakes. Of more features it is the shadow of
 * the ball: what lies inside the ball lies inside the circle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plane.h"

/* The panel holds the ball too, unless that would leave the rows a corner. */
static void make_room(axes_scale *scale, double centre, double radius)
{
    enum { MOST = 3 };
    double low = fmin(scale->low, centre - 1.05 * radius), high = fmax(scale->high, centre + 1.05 * radius);
    if (high - low <= MOST * (scale->high - scale->low)) {
        scale->low = low;
        scale->high = high;
    }
}

/* The circle, which is an ellipse where the axes have units of their own. */
static void draw_circle(const svg_document *svg, const plane *drawn, const char *class_name, const double *centre,
                        double radius)
{
    enum { STEPS = 180 };
    svg_path_begin(svg, class_name);
    for (int i = 0; i < STEPS; i++) {
        double angle = 2 * 3.14159265358979 * i / STEPS;
        svg_path_to(svg, i == 0, axes_at(&drawn->panel.x, centre[drawn->column[0]] + radius * cos(angle)),
                    axes_at(&drawn->panel.y, centre[drawn->column[1]] + radius * sin(angle)));
    }
    svg_path_end(svg, true);
}

static void draw_ball_rows(const svg_document *svg, const plane *drawn, int64_t *mistakes, bool count_only)
{
    enum { MAX_RINGS = 300 };
    if (!count_only && *mistakes > MAX_RINGS)
        return;
    int64_t count = 0;
    for (int64_t i = 0; i < drawn->rows.count; i++) {
        if (drawn->points.side[i] * drawn->rows.score[i] > 0)
            continue;
        count++;
        if (!count_only)
            plane_rings(svg, drawn, &drawn->rows.row[i], 1, "ring", 8);
    }
    *mistakes = count;
}

static void draw_centre(const svg_document *svg, const plane *drawn, const double *centre)
{
    double x = axes_at(&drawn->panel.x, centre[drawn->column[0]]);
    double y = axes_at(&drawn->panel.y, centre[drawn->column[1]]);
    svg_line(svg, "line", x - 6, y, x + 6, y);
    svg_line(svg, "line", x, y - 6, x, y + 6);
}

static void say_ball(const draw_subject *subject, const plane *drawn, int64_t mistakes, char *title, char *note,
                     size_t bytes)
{
    const linpred_model *model = linpred_result_model(subject->result);
    double squared = linpred_model_radius_squared(model);
    char radius[40], rows[32], wrong[32];
    svg_count(drawn->rows.count, rows);
    svg_count(mistakes, wrong);
    int inside = linpred_model_inside(model);
    svg_people(sqrt(fmax(0, squared)), 5, radius);
    snprintf(title, bytes, "%.80s: %.80s inside, %.80s outside", linpred_model_target(model),
             drawn->points.label[inside > 0], drawn->points.label[inside < 0]);
    int used = squared > 0 ? snprintf(note, bytes, "Radius %s; ", radius) : snprintf(note, bytes, "An empty ball; ");
    if (mistakes == 0)
        snprintf(note + used, bytes - (size_t)used, "all %s rows on their side", rows);
    else
        snprintf(note + used, bytes - (size_t)used, "%s of %s rows on the wrong side", wrong, rows);
    if (mistakes > 0)
        plane_say_bound(subject, drawn, "ball", note, bytes);
}

linpred_status draw_ball(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    const linpred_model *model = linpred_result_model(subject->result);
    const double *centre = linpred_model_centre(model);
    double squared = linpred_model_radius_squared(model);
    plane drawn;
    char title[400], note[400];
    int32_t columns = linpred_data_columns(subject->data);
    if (columns < 2)
        return draw_fail(error, LINPRED_ERROR_USAGE, "a ball is drawn in two features or more, and this one has %d",
                         columns);
    double *ones = calloc((size_t)columns, sizeof *ones);
    if (!ones)
        return draw_no_memory(error);
    for (int32_t j = 0; j < columns; j++)
        ones[j] = 1; /* the features that spread most are the axes */
    linpred_status status = plane_init(&drawn, svg, subject, ones, 0, error);
    free(ones);
    if (status == LINPRED_OK) {
        int64_t mistakes = 0;
        double radius = sqrt(fmax(0, squared));
        make_room(&drawn.panel.x, centre[drawn.column[0]], radius);
        make_room(&drawn.panel.y, centre[drawn.column[1]], radius);
        axes_equal(&drawn.panel);
        draw_ball_rows(svg, &drawn, &mistakes, true);
        say_ball(subject, &drawn, mistakes, title, note, sizeof title);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &drawn.panel, drawn.x_name, drawn.y_name);
        axes_clip(svg, &drawn.panel);
        draw_circle(svg, &drawn, "margin", centre, radius);
        cloud_draw(svg, &drawn.panel, &drawn.points);
        draw_circle(svg, &drawn, "line", centre, radius);
        draw_centre(svg, &drawn, centre);
        draw_ball_rows(svg, &drawn, &mistakes, false);
        axes_unclip(svg);
        double x = LEGEND_LEFT;
        legend_mark(svg, &x, 1, drawn.points.label[1]);
        legend_mark(svg, &x, -1, drawn.points.label[0]);
        legend_line(svg, &x, "line", columns > 2 ? "shadow of the ball" : "the ball");
        if (mistakes > 0)
            legend_ring(svg, &x, "ring", "mistake");
        legend_weight(svg, &x, &drawn.points);
        if (columns > 2)
            axes_caption(svg, "What is inside the ball is inside its shadow; rows outside may lie in front of it.");
        svg_close(svg);
    }
    plane_clear(&drawn);
    return status;
}
