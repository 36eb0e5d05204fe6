/* Coefficients as a forest plot: a line each, with its confidence interval where there is one. Columns have units of
 * their own, so a coefficient is drawn times the spread of its column; the numbers beside it are in the file's units.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../names.h"
#include "rows.h"

enum { MOST = 30, LINE = 26, TOP = 84, BELOW = 66, LEFT = 190, WIDEST_LEFT = 330, RIGHT = 230, EDGE = 16 };

typedef struct forest {
    int32_t shown[MOST];
    int32_t count;
    double left;    /* pixels for the names */
    double right;   /* and for the numbers */
    bool scaled;    /* by the spread of columns; powers have none */
    bool intervals; /* some coefficient has one */
    const double *spread;
} forest;

static linpred_coefficient coefficient_at(const linpred_result *result, int32_t column)
{
    linpred_coefficient c = {.struct_size = sizeof c, .value = NAN, .low = NAN, .high = NAN};
    linpred_result_coefficient(result, column, &c);
    return c;
}

static double factor_of(const forest *drawn, int32_t column)
{
    return drawn->scaled ? drawn->spread[column] : 1;
}

/* All coefficients in the order of the file; of very many those that move the prediction most. */
static void choose_coefficients(forest *drawn, const linpred_result *result, int32_t columns)
{
    for (int32_t j = 0; j < columns; j++) {
        double size = fabs(coefficient_at(result, j).value * factor_of(drawn, j));
        if (drawn->count < MOST) {
            drawn->shown[drawn->count++] = j;
            continue;
        }
        int32_t least = 0;
        for (int32_t k = 1; k < MOST; k++)
            if (fabs(coefficient_at(result, drawn->shown[k]).value * factor_of(drawn, drawn->shown[k])) <
                fabs(coefficient_at(result, drawn->shown[least]).value * factor_of(drawn, drawn->shown[least])))
                least = k;
        int32_t weak = drawn->shown[least];
        if (size > fabs(coefficient_at(result, weak).value * factor_of(drawn, weak))) {
            memmove(drawn->shown + least, drawn->shown + least + 1, (size_t)(MOST - 1 - least) * sizeof weak);
            drawn->shown[MOST - 1] = j;
        }
    }
}

static void range_of(const forest *drawn, const linpred_result *result, axes_scale *scale)
{
    double low = 0, high = 0;
    for (int32_t k = 0; k < drawn->count; k++) {
        linpred_coefficient c = coefficient_at(result, drawn->shown[k]);
        double factor = factor_of(drawn, drawn->shown[k]);
        double from = isnan(c.low) ? c.value : c.low, to = isnan(c.high) ? c.value : c.high;
        low = fmin(low, from * factor);
        high = fmax(high, to * factor);
    }
    axes_range(scale, low, high, 0.06);
}

/* The numbers beside a coefficient, in the file's units. */
static void write_numbers(const forest *drawn, const linpred_coefficient *c, char text[160])
{
    char value[40], low[40], high[40];
    svg_people(c->value, 4, value);
    svg_people(c->low, 4, low);
    svg_people(c->high, 4, high);
    if (drawn->intervals && isnan(c->low))
        snprintf(text, 160, "%s  (no interval)", value);
    else if (drawn->intervals)
        snprintf(text, 160, "%s  [%s, %s]", value, low, high);
    else
        snprintf(text, 160, "%s", value);
}

/* Names stand at the left edge, where nothing may be cut: widths are estimates, so there is some room more. */
static double name_width(const char *name)
{
    return 1.08 * svg_width_of(name, 13);
}

/* The name of a coefficient in at most so many pixels, cut so that it differs from the names beside it. */
static void write_name(const linpred_result *result, int32_t column, double pixels, char text[NAMES_BYTES])
{
    char flat[NAMES_BYTES];
    names_flat(coefficient_at(result, column).name, flat);
    size_t common = names_common(linpred_result_model(result), column, flat);
    int most = names_length(flat);
    names_cut(flat, common, most, text);
    while (most > 1 && name_width(text) > pixels)
        names_cut(flat, common, --most, text);
}

/* Names and numbers get the room that they need; what is between them keeps its own. */
static void choose_room(forest *drawn, const linpred_result *result)
{
    char name[NAMES_BYTES], numbers[160];
    drawn->left = LEFT;
    drawn->right = RIGHT;
    for (int32_t k = 0; k < drawn->count; k++) {
        linpred_coefficient c = coefficient_at(result, drawn->shown[k]);
        names_flat(c.name, name);
        write_numbers(drawn, &c, numbers);
        drawn->left = fmax(drawn->left, fmin(WIDEST_LEFT, name_width(name) + 30));
        drawn->right = fmax(drawn->right, svg_width_of(numbers, 12) + 2 * EDGE);
    }
}

static void draw_coefficient(const svg_document *svg, const axes_panel *panel, const forest *drawn,
                             const linpred_result *result, int32_t k)
{
    linpred_coefficient c = coefficient_at(result, drawn->shown[k]);
    double factor = factor_of(drawn, drawn->shown[k]), y = TOP + LINE * (k + 0.5);
    char name[NAMES_BYTES], value[40], low[40], high[40], p[40], numbers[160];
    write_name(result, drawn->shown[k], drawn->left - 30, name);
    svg_people(c.value, 4, value);
    svg_people(c.low, 4, low);
    svg_people(c.high, 4, high);
    svg_people(c.p, 3, p);
    svg_text(svg, "name", drawn->left - 12, y + 4, SVG_END, "%s", name);
    if (isnan(c.low)) {
        svg_open_mark(svg, "%.200s: %s", c.name, value);
    } else {
        svg_open_mark(svg, "%.200s: %s, interval %s to %s, p %s", c.name, value, low, high, p);
        double from = axes_at(&panel->x, c.low * factor), to = axes_at(&panel->x, c.high * factor);
        svg_line(svg, "curve", from, y, to, y);
        svg_line(svg, "curve", from, y - 4, from, y + 4);
        svg_line(svg, "curve", to, y - 4, to, y + 4);
    }
    svg_circle(svg, "pos", axes_at(&panel->x, c.value * factor), y, 4.5);
    svg_close_group(svg);
    write_numbers(drawn, &c, numbers);
    svg_text(svg, "tick", svg->width - drawn->right + EDGE, y + 4, SVG_START, "%s", numbers);
}

static void draw_ticks(const svg_document *svg, const axes_panel *panel, const char *name)
{
    axes_panel across = *panel;
    double tick[AXES_TICKS], step;
    int count = axes_ticks(panel->x.low, panel->x.high, 4, tick, &step);
    svg_path_begin(svg, "grid");
    for (int i = 0; i < count; i++) {
        svg_path_to(svg, true, axes_at(&across.x, tick[i]), across.y.from);
        svg_path_to(svg, false, axes_at(&across.x, tick[i]), across.y.to);
    }
    svg_path_end(svg, false);
    for (int i = 0; i < count; i++) {
        char text[40];
        svg_people(tick[i], 6, text);
        svg_text(svg, "tick", axes_at(&across.x, tick[i]), across.y.from + 17, SVG_MIDDLE, "%s", text);
    }
    svg_text(svg, "name", 0.5 * (across.x.from + across.x.to), across.y.from + 38, SVG_MIDDLE, "%s", name);
    svg_line(svg, "line", axes_at(&across.x, 0), across.y.from, axes_at(&across.x, 0), across.y.to);
}

static void draw_whole_forest(const svg_document *svg, const draw_subject *subject, const forest *drawn,
                              int32_t columns)
{
    const linpred_result *result = subject->result;
    const linpred_model *model = linpred_result_model(result);
    svg_document tall = *svg;
    tall.height = TOP + LINE * drawn->count + BELOW;
    tall.width += drawn->left - LEFT + drawn->right - RIGHT;
    axes_panel panel = {.x = {.from = drawn->left, .to = tall.width - drawn->right},
                        .y = {.from = tall.height - BELOW, .to = TOP - 4}};
    char title[300], note[300], axis[120];
    range_of(drawn, result, &panel.x);
    snprintf(title, sizeof title, "Coefficients of %.120s", linpred_model_target(model));
    int used = drawn->intervals
                   ? snprintf(note, sizeof note, "With %g %% intervals", 100 * linpred_result_confidence(result))
                   : snprintf(note, sizeof note, "Without intervals, as theory gives none here");
    if (drawn->count < columns)
        snprintf(note + used, sizeof note - (size_t)used, "; the %d of %d that move it most", drawn->count, columns);
    bool regression = linpred_model_task(model) == LINPRED_TASK_REGRESSION;
    snprintf(axis, sizeof axis, drawn->scaled ? "change of the %s by one standard deviation" : "coefficient",
             regression ? "fit" : "score");
    svg_open(&tall, title, note);
    axes_heading(&tall, title, note);
    svg_text(&tall, "tick", tall.width - drawn->right + EDGE, TOP - 12, SVG_START, "in the file's units");
    draw_ticks(&tall, &panel, axis);
    for (int32_t k = 0; k < drawn->count; k++)
        draw_coefficient(&tall, &panel, drawn, result, k);
    svg_close(&tall);
}

linpred_status draw_forest(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    int32_t columns = linpred_model_columns(linpred_result_model(subject->result));
    draw_rows rows;
    linpred_status status = draw_rows_read(&rows, subject, error);
    if (status == LINPRED_OK) {
        forest drawn = {.scaled = columns == rows.columns, .spread = rows.spread};
        choose_coefficients(&drawn, subject->result, columns);
        for (int32_t k = 0; k < drawn.count; k++)
            drawn.intervals = drawn.intervals || !isnan(coefficient_at(subject->result, drawn.shown[k]).low);
        choose_room(&drawn, subject->result);
        draw_whole_forest(svg, subject, &drawn, columns);
    }
    draw_rows_clear(&rows);
    return status;
}
