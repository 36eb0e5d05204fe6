/* Points of two classes in a plane with a line between them: what pictures of halfspaces, of directions and of logistic
 * models share. The line is wx x + wy y + c = 0 in the coordinates of the picture. */
#ifndef CLI_DRAW_PLANE_H
#define CLI_DRAW_PLANE_H

#include "rows.h"

typedef struct plane {
    draw_rows rows;
    cloud points;
    axes_panel panel;
    double wx;
    double wy;
    double c;
    bool is_true; /* the line is the whole hyperplane: all features are drawn, or the picture lies along the normal */
    bool equal;   /* a unit is as long across as up */
    int32_t column[2];
    char x_name[200];
    char y_name[200];
    char held[160]; /* what the picture leaves out, as a phrase; "" if nothing */
} plane;

/* Reads the rows, chooses the axes and sets the points and the line of score 0 by these weights. plane_clear frees it,
   also after an error. */
linpred_status plane_init(plane *made, const svg_document *svg, const draw_subject *subject, const double *w, double b,
                          linpred_error *error);
void plane_clear(plane *made);
/* The line score = level; what lies between the levels from and to, as an area. */
void plane_line(const svg_document *svg, const plane *drawn, const char *class_name, double level);
void plane_band(const svg_document *svg, const plane *drawn, const char *class_name, double from, double to);
/* An arrow from the line along (wx, wy), labelled. */
void plane_normal(const svg_document *svg, const plane *drawn, const char *name);
/* Rings around rows of the file. */
void plane_rings(const svg_document *svg, const plane *drawn, const int64_t *row, int64_t count, const char *class_name,
                 double radius);
/* The witness of inseparable rows: their hulls by class, and where these meet. False: there is none to draw. */
bool plane_witness(const svg_document *svg, const plane *drawn, const linpred_result *result);

/* Appends "; no halfspace has fewer than 3" to a sentence about mistakes, as far as it is proved of these rows. Where
   mistakes are counted by weight or cost, it says what they cost. */
void plane_say_bound(const draw_subject *subject, const plane *drawn, const char *what, char *text, size_t bytes);

#endif
