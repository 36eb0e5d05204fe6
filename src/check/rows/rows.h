/* The checker's own pass over the rows of a classifier.
 *
 * The score of a row is s(x) = <w,x> + b. The score of a ball is ρ - ||x-v||² with ρ = r², negated if the label +1 is
 * outside. A row is a mistake if y s(x) <= 0. Each sign is certain: if rounding could change the sign of a computed
 * score, the products are added exactly. The claims about halfspaces, logistic models and balls all use these sums.
 */
#ifndef LINPRED_CHECK_ROWS_ROWS_H
#define LINPRED_CHECK_ROWS_ROWS_H

#include "data/tree.h"
#include "model/model.h"
#include "num/dd.h"
#include "num/exact_sum.h"

typedef struct linpred__rows_finding {
    double weight;       /* total weight of the rows */
    double errors;       /* weight of the mistakes */
    double wrong[2];     /* weight of the mistakes labelled -1, and of those labelled +1 */
    double lowest;       /* the smallest y s(x), summed exactly and rounded once; with decimals twice */
    int64_t worst_row;   /* the 0-based data row with the smallest y s(x) */
    int64_t exact_signs; /* signs that needed exact sums */
    double loss;         /* the perceptron's loss: Σ weight max(0, -y s(x)) */
    double loss_error;   /* a bound of the rounding error of `loss` */
    double radius;       /* the largest ||(x,1)||, without intercept ||x||; NaN: not measured */
    double nearest;      /* of a ball: the smallest | r - ||x-v|| |; NaN: not a ball, or ρ <= 0 */
    uint64_t fingerprint;
} linpred__rows_finding;

/* `radius` asks for rows->radius, which costs one more sum for each row. */
linpred_status linpred__measure_rows(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                     bool radius, linpred__rows_finding *rows, linpred_error *error);

/* The sums of one part of the rows; the names are those of linpred__rows_finding. */
typedef struct linpred__rows_part {
    linpred__dd weight;
    linpred__dd wrong[2];
    linpred__dd loss;
    double loss_error;
    double lowest;
    double nearest;
    double longest; /* the largest ||x|| */
    int64_t worst_row;
    int64_t exact_signs;
} linpred__rows_part;

/* The pass in parts: another pass over the same rows may take its visitors along, so that the rows are read once. */
typedef struct linpred__rows_pass {
    const linpred_model *model;
    const linpred_data *data;
    bool radius;                 /* also find the largest ||x|| */
    bool visited;                /* the totals are those of all rows */
    linpred__visitor visitor[2]; /* to be run with the states of `total` */
    void *total[2];
    linpred__rows_part part;
    uint64_t hash;
} linpred__rows_pass;

/* False if out of memory. The pass must not be moved. */
bool linpred__rows_open(const linpred_model *model, const linpred_data *data, bool radius, linpred__rows_pass *pass);
/* Visits the rows, unless that has been done. The finding is that of the totals. */
linpred_status linpred__rows_finish(linpred__rows_pass *pass, linpred__pool *pool, linpred__rows_finding *rows,
                                    linpred_error *error);
void linpred__rows_close(linpred__rows_pass *pass);

/* ---- what rows.c and ball.c share ---- */

/* A score in doubles, and the function that sums it exactly. */
typedef struct linpred__computed_score {
    double value;
    double error;  /* a bound of the rounding error of `value` */
    double side;   /* y s(x) = side · value */
    double factor; /* `sum_exactly` sums the score times this number */
    void (*sum_exactly)(const linpred_model *model, const linpred__block *block, int32_t r, linpred__exact *sum);
} linpred__computed_score;

/* Adds one row. */
void linpred__rows_add(linpred__rows_part *part, const linpred_model *model, const linpred__block *block, int32_t r,
                       const linpred__computed_score *score);

/* ball.c: the visitor's block function; its context is a linpred_model. */
void linpred__visit_ball_rows(void *model, void *part, const linpred__block *block);

#endif
