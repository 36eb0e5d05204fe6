/* A panel with two axes: from values to pixels, round ticks, grid, names. */
#ifndef CLI_DRAW_AXES_H
#define CLI_DRAW_AXES_H

#include "svg.h"

/* The values `low` and `high` lie at the pixels `from` and `to`. */
typedef struct axes_scale {
    double low;
    double high;
    double from;
    double to;
    bool dates; /* values are days since 1970-01-01 (dates.h) */
} axes_scale;

typedef struct axes_panel {
    axes_scale x;
    axes_scale y;
    int clip; /* the number of its clip path */
} axes_panel;

double axes_at(const axes_scale *scale, double value);
double axes_value(const axes_scale *scale, double pixel);
/* A range that holds both values and some room around them; a single value gets room too. */
void axes_range(axes_scale *scale, double low, double high, double room);
/* Widens one of the ranges so that a unit takes as many pixels across as up, if no range grows to more than three times
   itself. Whether it did. */
bool axes_equal(axes_panel *panel);
/* Says that the values up are dates, whose labels take more room. */
void axes_dates_up(axes_panel *panel);
/* Grid, frame, ticks and names of both axes. */
void axes_draw(const svg_document *svg, const axes_panel *panel, const char *x_name, const char *y_name);
/* What is drawn between these two is cut off at the frame. */
void axes_clip(const svg_document *svg, const axes_panel *panel);
void axes_unclip(const svg_document *svg);
/* A panel below title, note and legend, with room for ticks and names. */
axes_panel axes_whole(const svg_document *svg);
/* A line at the bottom, cut to the width: what is left out, what a sign means. */
void axes_caption(const svg_document *svg, const char *text);
/* Title and one line below it, each cut to the width. */
void axes_heading(const svg_document *svg, const char *title, const char *note);
/* Round values between low and high, about `wanted` of them, at most AXES_TICKS; their number. */
enum { AXES_TICKS = 16 };
int axes_ticks(double low, double high, int wanted, double tick[AXES_TICKS], double *step);

#endif
