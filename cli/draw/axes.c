/* Axes: see axes.h. */
#include "axes.h"

#include <math.h>
#include <string.h>

#include "dates.h"

double axes_at(const axes_scale *scale, double value)
{
    double span = scale->high - scale->low;
    /* Half of each first: the difference of large numbers may be no double. */
    double share = isfinite(span) ? (value - scale->low) / span
                                  : (0.5 * value - 0.5 * scale->low) / (0.5 * scale->high - 0.5 * scale->low);
    return scale->from + share * (scale->to - scale->from);
}

double axes_value(const axes_scale *scale, double pixel)
{
    double share = (pixel - scale->from) / (scale->to - scale->from);
    return (1 - share) * scale->low + share * scale->high;
}

void axes_range(axes_scale *scale, double low, double high, double room)
{
    if (!(low <= high))
        low = high = 0;
    double size = fmax(fabs(low), fabs(high));
    /* Values that differ in their last digits only have no scale of their own. */
    if (0.5 * high - 0.5 * low <= 1e-12 * size || low == high) {
        double around = size > 0 ? 0.1 * size : 1;
        low -= around;
        high += around;
        room = 0;
    }
    double more = 2 * room * (0.5 * high - 0.5 * low);
    scale->low = fmax(low - more, -0x1p1022);
    scale->high = fmin(high + more, 0x1p1022);
}

static void widen(axes_scale *scale, double span)
{
    double middle = 0.5 * scale->low + 0.5 * scale->high;
    scale->low = middle - 0.5 * span;
    scale->high = middle + 0.5 * span;
}

bool axes_equal(axes_panel *panel)
{
    enum { MOST = 3 };
    double across = fabs(panel->x.to - panel->x.from), up = fabs(panel->y.to - panel->y.from);
    double x_span = panel->x.high - panel->x.low, y_span = panel->y.high - panel->y.low;
    double unit = fmax(x_span / across, y_span / up); /* values a pixel */
    if (!(unit * across <= MOST * x_span && unit * up <= MOST * y_span))
        return false;
    widen(&panel->x, unit * across);
    widen(&panel->y, unit * up);
    return true;
}

/* ---- ticks ---- */

enum { DATE_ROOM = 36 }; /* pixels that dates beside an axis need more than numbers */

int axes_ticks(double low, double high, int wanted, double tick[AXES_TICKS], double *step)
{
    static const double round_steps[] = {1, 2, 5, 10};
    double rough = (high / wanted - low / wanted);
    double ten = pow(10, floor(log10(rough)));
    *step = 10 * ten;
    for (int i = 3; i >= 0; i--)
        if (round_steps[i] * ten >= 0.999 * rough)
            *step = round_steps[i] * ten;
    int count = 0;
    double first = ceil(low / *step - 1e-9);
    for (int i = 0; count < AXES_TICKS && (first + i) * *step <= high + 1e-9 * *step; i++)
        tick[count++] = (first + i) * *step + 0.0;
    return count;
}

/* The power of ten that all labels of an axis share: 0 unless numbers are long. */
static int shared_power(const axes_scale *scale)
{
    double size = fmax(fabs(scale->low), fabs(scale->high));
    int power = (int)floor(log10(size));
    return power >= 5 || power <= -3 ? power : 0;
}

static void label_number(double value, double step, int power, char text[40])
{
    double scaled = power == 0 ? value : value / pow(10, power);
    double unit = power == 0 ? step : step / pow(10, power);
    int decimals = (int)-floor(log10(unit) + 1e-9);
    decimals = decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
    scaled = fabs(scaled) < 1e-9 * unit ? 0 : scaled;
    snprintf(text, 40, "%s%.*f", scaled < 0 ? "−" : "", decimals, fabs(scaled));
}

/* The name of an axis with the power of ten that its labels leave out. */
static void name_axis(const char *name, int power, double pixels, char *text, size_t bytes)
{
    char unit[60] = "", one[40], fitted[200];
    if (power != 0) {
        svg_power(power, one);
        snprintf(unit, sizeof unit, " (×%s)", one);
    }
    svg_fit(name, pixels - svg_width_of(unit, 13), 13, fitted, sizeof fitted);
    snprintf(text, bytes, "%s%s", fitted, unit);
}

/* The ticks of an axis, `wanted` of them at most, and the power of ten that its labels share. */
static int find_ticks(const axes_scale *scale, int wanted, double tick[AXES_TICKS], double *step, int *power)
{
    *power = scale->dates ? 0 : shared_power(scale);
    return (scale->dates ? dates_ticks : axes_ticks)(scale->low, scale->high, wanted, tick, step);
}

static void label_tick(const axes_scale *scale, double value, double step, int power, char text[40])
{
    if (scale->dates)
        dates_label(value, step, text);
    else
        label_number(value, step, power, text);
}

static void draw_x_axis(const svg_document *svg, const axes_panel *panel, const char *name)
{
    double tick[AXES_TICKS], step, across = panel->x.to - panel->x.from;
    int power, count = find_ticks(&panel->x, across > 380 ? 7 : 4, tick, &step, &power);
    char text[260];
    svg_path_begin(svg, "grid");
    for (int i = 0; i < count; i++) {
        svg_path_to(svg, true, axes_at(&panel->x, tick[i]), panel->y.from);
        svg_path_to(svg, false, axes_at(&panel->x, tick[i]), panel->y.to);
    }
    svg_path_end(svg, false);
    double free_from = -INFINITY; /* labels that would touch are left out */
    for (int i = 0; i < count; i++) {
        double at = axes_at(&panel->x, tick[i]);
        label_tick(&panel->x, tick[i], step, power, text);
        double half = 0.5 * svg_width_of(text, 12) + 3;
        if (at - half < free_from)
            continue;
        free_from = at + half;
        svg_text(svg, "tick", at, panel->y.from + 17, SVG_MIDDLE, "%s", text);
    }
    if (*name) {
        name_axis(name, power, across, text, sizeof text);
        svg_text(svg, "name", 0.5 * (panel->x.from + panel->x.to), panel->y.from + 35, SVG_MIDDLE, "%s", text);
    }
}

static void draw_y_axis(const svg_document *svg, const axes_panel *panel, const char *name)
{
    double tick[AXES_TICKS], step, up = panel->y.from - panel->y.to;
    int power, count = find_ticks(&panel->y, up > 200 ? 6 : 4, tick, &step, &power);
    char text[260];
    svg_path_begin(svg, "grid");
    for (int i = 0; i < count; i++) {
        svg_path_to(svg, true, panel->x.from, axes_at(&panel->y, tick[i]));
        svg_path_to(svg, false, panel->x.to, axes_at(&panel->y, tick[i]));
    }
    svg_path_end(svg, false);
    for (int i = 0; i < count; i++) {
        label_tick(&panel->y, tick[i], step, power, text);
        svg_text(svg, "tick", panel->x.from - 7, axes_at(&panel->y, tick[i]) + 4, SVG_END, "%s", text);
    }
    if (*name) {
        name_axis(name, power, up, text, sizeof text);
        double x = panel->x.from - 46 - (panel->y.dates ? DATE_ROOM : 0), y = 0.5 * (panel->y.from + panel->y.to);
        fprintf(svg->out, "<g transform=\"translate(%.1f %.1f) rotate(-90)\">", x, y);
        svg_text(svg, "name", 0, 0, SVG_MIDDLE, "%s", text);
        svg_close_group(svg);
    }
}

void axes_dates_up(axes_panel *panel)
{
    panel->y.dates = true;
    panel->x.from += DATE_ROOM;
}

void axes_draw(const svg_document *svg, const axes_panel *panel, const char *x_name, const char *y_name)
{
    draw_x_axis(svg, panel, x_name);
    draw_y_axis(svg, panel, y_name);
    svg_path_begin(svg, "frame");
    svg_path_to(svg, true, panel->x.from, panel->y.to);
    svg_path_to(svg, false, panel->x.from, panel->y.from);
    svg_path_to(svg, false, panel->x.to, panel->y.from);
    svg_path_end(svg, false);
}

/* ---- panels ---- */

void axes_clip(const svg_document *svg, const axes_panel *panel)
{
    fprintf(svg->out, "<clipPath id=\"c%d_%d\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/></clipPath>\n",
            svg->id, panel->clip, panel->x.from, panel->y.to, panel->x.to - panel->x.from, panel->y.from - panel->y.to);
    fprintf(svg->out, "<g clip-path=\"url(#c%d_%d)\">\n", svg->id, panel->clip);
}

void axes_unclip(const svg_document *svg)
{
    svg_close_group(svg);
}

axes_panel axes_whole(const svg_document *svg)
{
    enum { LEFT = 70, RIGHT = 20, TOP = 92, BOTTOM = 60 };
    return (axes_panel){.x = {.from = LEFT, .to = svg->width - RIGHT}, .y = {.from = svg->height - BOTTOM, .to = TOP}};
}

void axes_heading(const svg_document *svg, const char *title, const char *note)
{
    char text[400];
    svg_fit(title, svg->width - 40, 16, text, sizeof text);
    svg_text(svg, "title", 20, 28, SVG_START, "%s", text);
    svg_fit(note, svg->width - 40, 13, text, sizeof text);
    svg_text(svg, "note", 20, 50, SVG_START, "%s", text);
}

void axes_caption(const svg_document *svg, const char *text)
{
    char fitted[400];
    svg_fit(text, svg->width - 40, 12, fitted, sizeof fitted);
    if (*text)
        svg_text(svg, "tick", 20, svg->height - 8, SVG_START, "%s", fitted);
}
