/* Rows as points in a panel: marks with values on hover where they are few, dots where they are more, density where a
 * circle for each would hide what there is. */
#ifndef CLI_DRAW_CLOUD_H
#define CLI_DRAW_CLOUD_H

#include <stdint.h>

#include "axes.h"

/* The points, and what their hover text says of them. */
typedef struct cloud {
    int64_t count;
    double *x;
    double *y;
    signed char *side;    /* the label, -1 or +1; NULL: points have none */
    const double *score;  /* NULL: not told */
    const int64_t *row;   /* the row of the file of each, 1-based */
    const double *weight; /* the area of a mark is as its weight; NULL: all count once */
    double usual_weight;  /* of a mark of the usual size: the mean */
    const char *x_name;   /* for the hover text */
    const char *y_name;   /* NULL: where it stands says nothing */
    const char *label[2]; /* what -1 and +1 mean; NULL where points have none */
    const char *score_name;
} cloud;

/* Up to how many points each is a mark, and each is a dot. */
enum { CLOUD_MARKS = 400, CLOUD_DOTS = 5000 };

/* Memory for so many points; false if there is none. cloud_clear frees it. */
bool cloud_init(cloud *points, int64_t count, bool sides);
void cloud_clear(cloud *points);
void cloud_limits(const double *values, int64_t count, double *low, double *high); /* NaN is left out */
void cloud_draw(const svg_document *svg, const axes_panel *panel, const cloud *points);
/* How much wider a point is than a usual one, by its weight. */
double cloud_scale(const cloud *points, int64_t i);
/* One mark of a class: +1 a disc, -1 a diamond, 0 a disc without a class; `scale` times as wide as usual. */
void cloud_mark(const svg_document *svg, int side, double x, double y, double scale);

/* A legend: a row of signs with their meaning. *x moves on; what would not fit is left out. */
void legend_mark(const svg_document *svg, double *x, int side, const char *text);
void legend_ring(const svg_document *svg, double *x, const char *class_name, const char *text);
void legend_line(const svg_document *svg, double *x, const char *class_name, const char *text);
void legend_weight(const svg_document *svg, double *x, const cloud *points); /* nothing without weights */
void legend_box(const svg_document *svg, double *x, const char *class_name, const char *text);
enum { LEGEND_LEFT = 20, LEGEND_Y = 72 };

#endif
