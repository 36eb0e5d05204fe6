/* The rows of the data as arrays, for pictures: scores, labels, and the columns that are drawn. */
#ifndef CLI_DRAW_ROWS_H
#define CLI_DRAW_ROWS_H

#include "cloud.h"
#include "picture.h"

typedef struct draw_rows {
    int64_t count;
    int64_t *row;        /* of the file, 1-based */
    double *target;      /* label or target */
    double *weight;      /* NULL: all rows count once */
    double usual_weight; /* the mean of `weight` */
    double *score;       /* of the model */
    int64_t every;       /* only each so-manieth row was taken, since there are very many entries; 1: all */
    double *mean;        /* of each column */
    double *spread;      /* the standard deviation of each column */
    int32_t columns;     /* of the data */
    double *leverage;    /* of each row; NULL: nobody has asked for it, or the model gives none */
    bool asked;          /* for leverages */
    bool shared;         /* the arrays are those of subject->read */
} draw_rows;

/* Reads rows, scores, means and spreads, or takes them from subject->read. draw_rows_clear frees it, also after an
   error. */
linpred_status draw_rows_read(draw_rows *rows, const draw_subject *subject, linpred_error *error);
void draw_rows_clear(draw_rows *rows);
/* Sets rows->leverage. A model without leverages (another loss, a penalty) is no error here. */
linpred_status draw_rows_leverage(draw_rows *rows, const draw_subject *subject, linpred_error *error);
/* Sets x[i] = <along, row i> for each row; `along` has an entry for each column. If `y` is not NULL, as many entries
   follow for it. */
linpred_status draw_rows_along(const draw_rows *rows, const draw_subject *subject, const double *along, double *x,
                               double *y, linpred_error *error);
/* The place of a row of the file among the rows, or -1. */
int64_t draw_rows_find(const draw_rows *rows, int64_t file_row);
/* Sets the columns of subject->axes, "A,B": names or 1-based numbers of features. */
linpred_status draw_find_axes(const draw_subject *subject, int32_t column[2], linpred_error *error);

#endif
