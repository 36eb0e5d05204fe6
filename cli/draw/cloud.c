/* Points and legends: see cloud.h. */
#include "cloud.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dates.h"

bool cloud_init(cloud *points, int64_t count, bool sides)
{
    size_t n = count > 0 ? (size_t)count : 1;
    points->count = count;
    points->x = calloc(n, sizeof *points->x);
    points->y = calloc(n, sizeof *points->y);
    points->side = sides ? calloc(n, 1) : NULL;
    return points->x && points->y && (points->side || !sides);
}

void cloud_clear(cloud *points)
{
    free(points->x);
    free(points->y);
    free(points->side);
    points->x = points->y = NULL;
    points->side = NULL;
}

void cloud_limits(const double *values, int64_t count, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        *low = values[i] < *low ? values[i] : *low;
        *high = values[i] > *high ? values[i] : *high;
    }
}

/* ---- marks and dots ---- */

double cloud_scale(const cloud *points, int64_t i)
{
    static const double least = 0.35, most = 4.0; /* smaller marks are not seen, larger ones hide others */
    if (!points->weight)
        return 1;
    return fmin(most, fmax(least, sqrt(points->weight[i] / points->usual_weight)));
}

void cloud_mark(const svg_document *svg, int side, double x, double y, double scale)
{
    double half = 4 * scale;
    if (side >= 0) {
        svg_circle(svg, side > 0 ? "pos" : "row", x, y, 3.6 * scale);
        return;
    }
    svg_path_begin(svg, "neg");
    svg_path_to(svg, true, x, y - half);
    svg_path_to(svg, false, x + half, y);
    svg_path_to(svg, false, x, y + half);
    svg_path_to(svg, false, x - half, y);
    svg_path_end(svg, true);
}

static void say_value(const axes_scale *scale, double value, char text[40])
{
    if (scale->dates)
        dates_label(value, 1, text);
    else
        svg_people(value, 6, text);
}

static void draw_marks(const svg_document *svg, const axes_panel *panel, const cloud *points)
{
    char x[40], y[40], score[40];
    for (int64_t i = 0; i < points->count; i++) {
        int side = points->side ? points->side[i] : 0, used;
        char text[600];
        say_value(&panel->x, points->x[i], x);
        say_value(&panel->y, points->y[i], y);
        used = snprintf(text, sizeof text, "row %" PRId64 ": %.120s %s", points->row[i], points->x_name, x);
        if (points->y_name)
            used += snprintf(text + used, sizeof text - (size_t)used, ", %.120s %s", points->y_name, y);
        if (side)
            used += snprintf(text + used, sizeof text - (size_t)used, ", %.120s", points->label[side > 0]);
        if (points->score) {
            svg_people(points->score[i], 6, score);
            used += snprintf(text + used, sizeof text - (size_t)used, ", %s %s", points->score_name, score);
        }
        if (points->weight) {
            svg_people(points->weight[i], 6, score);
            snprintf(text + used, sizeof text - (size_t)used, ", weight %s", score);
        }
        svg_open_mark(svg, "%s", text);
        cloud_mark(svg, side, axes_at(&panel->x, points->x[i]), axes_at(&panel->y, points->y[i]),
                   cloud_scale(points, i));
        svg_close_group(svg);
    }
}

/* Dots with weights come in few sizes, each a path of its own. */
enum { DOT_SIZES = 5 };

static int dot_size(const cloud *points, int64_t i)
{
    int size = (int)(cloud_scale(points, i) * 2 + 0.5) - 1;
    return size < 0 ? 0 : size < DOT_SIZES ? size : DOT_SIZES - 1;
}

static void draw_dots(const svg_document *svg, const axes_panel *panel, const cloud *points, int side)
{
    const char *name = side > 0 ? "posdots" : side < 0 ? "negdots" : "rowdots";
    for (int size = 0; size < (points->weight ? DOT_SIZES : 1); size++) {
        if (points->weight)
            fprintf(svg->out, "<path class=\"%s\" style=\"stroke-width:%.1f\" d=\"", name, 1.6 * (size + 1));
        else
            svg_path_begin(svg, name);
        for (int64_t i = 0; i < points->count; i++)
            if ((!points->side || points->side[i] == side) && (!points->weight || dot_size(points, i) == size)) {
                svg_path_to(svg, true, axes_at(&panel->x, points->x[i]), axes_at(&panel->y, points->y[i]));
                fputs("h0", svg->out);
            }
        svg_path_end(svg, false);
    }
}

/* ---- density ---- */

enum { CELL = 6, LEVELS = 6 }; /* pixels of a cell's side; shades */

typedef struct density {
    int across;
    int up;
    double *count[2]; /* the points labelled -1 (or without labels) and +1 in each cell, or their weight */
    double most;      /* in one cell */
    bool weighted;
} density;

static bool count_cells(const axes_panel *panel, const cloud *points, density *cells)
{
    cells->across = (int)ceil((panel->x.to - panel->x.from) / CELL);
    cells->up = (int)ceil((panel->y.from - panel->y.to) / CELL);
    size_t n = (size_t)cells->across * (size_t)cells->up;
    cells->count[0] = calloc(n, sizeof *cells->count[0]);
    cells->count[1] = calloc(n, sizeof *cells->count[1]);
    if (!cells->count[0] || !cells->count[1])
        return false;
    double x_unit = 1 / (panel->x.high - panel->x.low), y_unit = 1 / (panel->y.high - panel->y.low);
    for (int64_t i = 0; i < points->count; i++) {
        int column = (int)(fmin(1, fmax(0, (points->x[i] - panel->x.low) * x_unit)) * (cells->across - 1e-6));
        int row = (int)(fmin(1, fmax(0, (panel->y.high - points->y[i]) * y_unit)) * (cells->up - 1e-6));
        double *count = cells->count[points->side && points->side[i] > 0];
        count[row * cells->across + column] += points->weight ? points->weight[i] / points->usual_weight : 1;
        cells->most = fmax(cells->most, count[row * cells->across + column]);
    }
    return true;
}

/* The class with more points in a cell, and its shade from 1; 0 if the cell is empty. */
static int shade(const density *cells, int at, int *major)
{
    *major = cells->count[1][at] > cells->count[0][at];
    double count = cells->count[*major][at];
    if (count == 0)
        return 0;
    double share = cells->weighted   ? log1p(count) / log1p(cells->most) /* a count may be below 1 */
                   : cells->most > 1 ? log(count) / log(cells->most)
                                     : 1;
    return 1 + (int)(share * (LEVELS - 1) + 0.5);
}

/* Cells of one class and shade as one path; neighbours in a row are one rectangle. */
static void draw_shade(const svg_document *svg, const axes_panel *panel, const density *cells, int which, int level)
{
    bool any = false;
    for (int row = 0; row < cells->up; row++)
        for (int column = 0; column < cells->across; column++) {
            int begin = column, major;
            while (column < cells->across && shade(cells, row * cells->across + column, &major) == level &&
                   major == which)
                column++;
            if (column == begin)
                continue;
            if (!any)
                fprintf(svg->out, "%.2f\" d=\"", 0.15 + 0.8 * (level - 1) / (LEVELS - 1));
            any = true;
            svg_path_to(svg, true, panel->x.from + CELL * begin, panel->y.to + CELL * row);
            fprintf(svg->out, "h%dv%dh-%dz", CELL * (column - begin), CELL, CELL * (column - begin));
        }
    if (!any)
        fputs("0\" d=\"", svg->out);
}

/* Cells in which the other class has a part too: a small square of its colour. */
static void draw_minor(const svg_document *svg, const axes_panel *panel, const density *cells, int which)
{
    static const double least_part = 0.05;
    svg_path_begin(svg, which ? "pos" : "neg");
    for (int at = 0; at < cells->across * cells->up; at++) {
        int major, level = shade(cells, at, &major);
        double minor = cells->count[which][at];
        if (level == 0 || major == which || minor < least_part * cells->count[major][at] || minor == 0)
            continue;
        svg_path_to(svg, true, panel->x.from + CELL * (at % cells->across) + 2,
                    panel->y.to + CELL * (double)(at / cells->across) + 2);
        fputs("h2v2h-2z", svg->out);
    }
    svg_path_end(svg, false);
}

static void draw_density(const svg_document *svg, const axes_panel *panel, const cloud *points)
{
    static const char *const names[] = {"neg", "pos"};
    density cells = {.weighted = points->weight != NULL};
    if (count_cells(panel, points, &cells)) {
        for (int which = 0; which < (points->side ? 2 : 1); which++)
            for (int level = 1; level <= LEVELS; level++) {
                fprintf(svg->out, "<path class=\"%s\" style=\"fill-opacity:", points->side ? names[which] : "row");
                draw_shade(svg, panel, &cells, which, level);
                svg_path_end(svg, false);
            }
        for (int which = 0; points->side && which < 2; which++)
            draw_minor(svg, panel, &cells, which);
    }
    free(cells.count[0]);
    free(cells.count[1]);
}

void cloud_draw(const svg_document *svg, const axes_panel *panel, const cloud *points)
{
    if (points->count <= CLOUD_MARKS) {
        draw_marks(svg, panel, points);
    } else if (points->count > CLOUD_DOTS) {
        draw_density(svg, panel, points);
    } else if (points->side) {
        draw_dots(svg, panel, points, -1);
        draw_dots(svg, panel, points, 1);
    } else {
        draw_dots(svg, panel, points, 0);
    }
}

/* ---- legends ---- */

/* Writes the text behind a sign that ends at *x; whether there is room for both. */
static bool has_room(const svg_document *svg, double x, const char *text)
{
    return x + 34 + fmin(svg_width_of(text, 12), 60) < svg->width;
}

static void write_meaning(const svg_document *svg, double *x, double sign, const char *text)
{
    char fitted[200];
    svg_fit(text, svg->width - *x - sign - 12, 12, fitted, sizeof fitted);
    svg_text(svg, "tick", *x + sign + 5, LEGEND_Y + 4, SVG_START, "%s", fitted);
    *x += sign + 21 + svg_width_of(fitted, 12);
}

void legend_mark(const svg_document *svg, double *x, int side, const char *text)
{
    if (!has_room(svg, *x, text))
        return;
    cloud_mark(svg, side, *x + 5, LEGEND_Y, 1);
    write_meaning(svg, x, 10, text);
}

void legend_weight(const svg_document *svg, double *x, const cloud *points)
{
    char text[80], number[40];
    if (!points->weight)
        return;
    svg_people(points->usual_weight, 3, number);
    snprintf(text, sizeof text, points->count > CLOUD_DOTS ? "darkness: weight" : "area: weight, here %s", number);
    legend_mark(svg, x, 0, text);
}

void legend_ring(const svg_document *svg, double *x, const char *class_name, const char *text)
{
    if (!has_room(svg, *x, text))
        return;
    svg_circle(svg, class_name, *x + 6, LEGEND_Y, 5.5);
    write_meaning(svg, x, 12, text);
}

void legend_line(const svg_document *svg, double *x, const char *class_name, const char *text)
{
    if (!has_room(svg, *x, text))
        return;
    svg_line(svg, class_name, *x, LEGEND_Y, *x + 22, LEGEND_Y);
    write_meaning(svg, x, 22, text);
}

void legend_box(const svg_document *svg, double *x, const char *class_name, const char *text)
{
    if (!has_room(svg, *x, text))
        return;
    fprintf(svg->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"18\" height=\"10\"/>\n", class_name, *x,
            LEGEND_Y - 5);
    write_meaning(svg, x, 18, text);
}
