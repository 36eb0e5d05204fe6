/* A document of SVG, written piece by piece: elements with classes, whose colours come from the theme. Bytes depend on
 * the arguments alone. Text from outside goes through svg_text, svg_title or svg_escape, which let no markup through.
 */
#ifndef CLI_DRAW_SVG_H
#define CLI_DRAW_SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum svg_theme {
    SVG_LIGHT,
    SVG_DARK,
    SVG_AUTO,  /* light; dark where the viewer asks for it */
    SVG_INLINE /* part of a page, which holds the styles: svg_style */
} svg_theme;

typedef struct svg_document {
    FILE *out;
    svg_theme theme;
    int id; /* tells the pictures of one page apart */
    double width;
    double height;
} svg_document;

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;

/* The root element with title and description, the styles, the background. */
void svg_open(const svg_document *svg, const char *title, const char *description);
void svg_close(const svg_document *svg);
/* The styles of the light or dark theme, each rule for elements within class lp. */
void svg_style(FILE *out, svg_theme theme);

/* A number as an attribute: one decimal, and none where it is 0. */
void svg_number(const svg_document *svg, double value);
void svg_escape(FILE *out, const char *text);
void svg_line(const svg_document *svg, const char *class_name, double x1, double y1, double x2, double y2);
void svg_circle(const svg_document *svg, const char *class_name, double x, double y, double radius);
void svg_text(const svg_document *svg, const char *class_name, double x, double y, svg_anchor anchor,
              const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Opens a group that shows this text on hover; svg_close_group ends it. */
void svg_open_mark(const svg_document *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));
void svg_close_group(const svg_document *svg);
/* A path of straight pieces: begins, goes on, ends; `closed` joins the end with the beginning. */
void svg_path_begin(const svg_document *svg, const char *class_name);
void svg_path_to(const svg_document *svg, bool move, double x, double y);
void svg_path_end(const svg_document *svg, bool closed);
/* A line with an arrow at its end. */
void svg_arrow(const svg_document *svg, const char *class_name, double x1, double y1, double x2, double y2);

/* ---- text ---- */

/* About how many pixels the text takes; letters of Latin are taken as 0.55 of the size, wide ones as all of it. */
double svg_width_of(const char *text, double size);
/* Copies a text, cut with "…" if it is wider than that. */
void svg_fit(const char *text, double pixels, double size, char *fitted, size_t bytes);
/* A number as people write it: rounded to so many digits; with a power of ten where it is small or large. */
void svg_people(double value, int digits, char text[40]);

void svg_power(int power, char text[40]); /* "10⁶" */
/* A count with commas between thousands. */
void svg_count(int64_t count, char text[32]);

#endif
