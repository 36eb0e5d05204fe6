/* Logistic regression: the problem as its methods see it.
 *
 *   minimise  F(w,b) = (1/W) Σ c_i log(1 + exp(-y_i(<w,x_i>+b))) + (l2/2)||w||²,   W = Σ c_i,
 *
 * where c_i is the row's weight times its class's. Inside, the unit of each column is a power of two, so that |x| <= 1
 * and no bit is lost: a coefficient v stands for w = unit v in the file's units; g and H are those of v. The intercept,
 * if there is one, comes last; its unit is 1. Columns that lie far from zero for their spread are taken about a center:
 * the score is <w, x - center> + v_b, and b = v_b - <w, center>.
 */
#ifndef LINPRED_MINIMISE_LOGISTIC_H
#define LINPRED_MINIMISE_LOGISTIC_H

#include "num/logistic_loss.h"
#include "fit/fit.h"
#include "data/drop_empty_columns.h"
#include "pass/problem.h"
#include "solve/dense/cholesky.h"

/* Features of which a matrix can be had, if it must be: 200 megabytes, some seconds for a factor. */
enum { LINPRED__MOST_IN_MATRIX = 5000 };

struct linpred__three_way;

typedef struct linpred__logistic {
    linpred__fit *fit;
    const linpred_data *data; /* the file's rows; or without empty columns; or a copy, where columns are too large or
                                 small for squares */
    linpred__without_empty_columns narrow;
    linpred_data *copy;
    bool has_intercept;
    int32_t dimension; /* columns + has_intercept */
    double l2;
    double class_weight[2];      /* of the labels -1 and +1 */
    double weight;               /* W */
    double share[2];             /* of each class in W */
    int64_t rows[2];             /* of each class */
    double *unit;                /* w = unit v */
    double *data_unit;           /* the same for `data` */
    double *center;              /* in the units of `data`; 0 where not needed */
    bool centred;                /* some center is not 0 */
    double *extent;              /* the largest |x - center| of each column in the units of v, at most 2 */
    double *penalty;             /* l2 unit², 0 for the intercept */
    double radius;               /* R >= ||(x,1)|| in the file's units */
    double *w;                   /* scratch, dimension long */
    linpred__score_tally *tally; /* scratch: of each block */
    double *curvature;           /* likewise: the sum of its rows' */
    double *leverage;            /* of each row, for thinning; NULL: not measured */
    bool start_left;             /* the start was no better than 0, or led nowhere: the fit began at 0 */
    int64_t enough; /* mistakes as few as this are left to the caller: newton-cg without penalty ends there */
    int64_t passes;
    int64_t iterations;
} linpred__logistic;

/* F at v and what one pass found there. */
typedef struct linpred__logistic_point {
    double *v;
    double objective;
    double *gradient;
    double *hessian;      /* dimension x dimension, or NULL: not wanted */
    double errors;        /* weight of rows with y(<w,x>+b) <= 0 as computed, class weights left out */
    int64_t unsure;       /* rows whose computed sign is not certain */
    double mean_score[2]; /* of each class */
    double curvature; /* the mean of the rows': the second derivative of F by the intercept. Before, what to expect. */
    double decrement; /* ν² = g' H^-1 g, by the Hessian used last; NaN: not known */
    double *step;     /* of newton-cg: the last one it took */
    double moved;     /* the most that a score changed by it */
} linpred__logistic_point;

/* `matrix`: for Newton's method; columns may be taken about centers (of dense rows, with an intercept). If not, columns
   without entries may be left out. */
linpred_status linpred__logistic_open(linpred__fit *fit, bool matrix, linpred__logistic *problem, linpred_error *error);
void linpred__logistic_close(linpred__logistic *problem);

bool linpred__logistic_point_open(const linpred__logistic *problem, bool hessian, linpred__logistic_point *point);
void linpred__logistic_point_close(linpred__logistic_point *point);

/* Some of the rows, standing for all. */
typedef struct linpred__logistic_view {
    linpred_data data;
    double weight;
} linpred__logistic_view;

/* What of the Hessian a pass makes. Thinned: an estimate by few rows (thin.c). */
typedef enum linpred__hessian {
    LINPRED__HESSIAN_NONE,
    LINPRED__HESSIAN_WHOLE,
    LINPRED__HESSIAN_SAMPLED
} linpred__hessian;

/* Evaluates at point->v: one pass over the view (NULL: all rows). */
linpred_status linpred__logistic_evaluate(linpred__logistic *problem, const linpred__logistic_view *view,
                                          linpred__hessian hessian, linpred__logistic_point *point,
                                          linpred_error *error);
/* Whether a thinned Hessian takes much fewer rows than there are; what it needs to know of the rows, once; and which of
   a block's are left: the others' curvatures become 0. `mean` is the curvature to expect. */
bool linpred__hessian_sample_pays(const linpred__logistic *problem);
linpred_status linpred__logistic_measure_leverage(linpred__logistic *problem, linpred_error *error);
void linpred__hessian_sample(const linpred__logistic *problem, const linpred__block *block, double mean,
                             double *curvature);
/* About one row in `every`, the first ones of blocks all over the file, so that one in order is seen as a whole; false
   if they have but one class, or there is no memory. The caller releases view->data.block. */
bool linpred__logistic_sample(const linpred__logistic *problem, int64_t every, linpred__logistic_view *view);

/* From coefficients inside to those of the file (w, then b) and back. `from` and `to` may be the same. */
void linpred__logistic_to_file(const linpred__logistic *problem, const double *from, double *to);
void linpred__logistic_from_file(const linpred__logistic *problem, const double *from, double *to);
/* v as w, b of the result's model. */
void linpred__logistic_take(const linpred__logistic *problem, const double *v);
/* The point where a method begins: that of the model, or 0 where that is no worse. The weights of a halfspace, say, may
   have any scale, and where every score is large nothing is left of the curvature. */
linpred_status linpred__logistic_begin(linpred__logistic *problem, const linpred_model *model,
                                       linpred__logistic_point *point, linpred_error *error);

/* The gap F(v) - min F is at most this, where l2 > 0; see docs/logistic.md. */
double linpred__penalised_gap(const linpred__logistic *problem, const linpred__logistic_point *point);

/* How a method ended. */
typedef enum linpred__logistic_end {
    LINPRED__LOGISTIC_SMALL,     /* the gap is small by the method's own estimate */
    LINPRED__LOGISTIC_STALLED,   /* rounding, or a minimum at infinity, lets it go no further */
    LINPRED__LOGISTIC_SEPARATES, /* the weights separate all rows, as computed (all but a few, if that is enough) */
    LINPRED__LOGISTIC_STOPPED    /* time, or the caller */
} linpred__logistic_end;

/* Where a factor of the Hessian comes from. */
typedef enum linpred__factor_origin {
    LINPRED__FACTOR_NONE,
    LINPRED__FACTOR_OF_SAMPLE, /* from some of the rows, at an earlier point */
    LINPRED__FACTOR_NEAR,      /* from an earlier point, with a ridge, or of a thinned Hessian */
    LINPRED__FACTOR_FRESH      /* from the point itself */
} linpred__factor_origin;

/* Some rows of each class that stand for all, and scratch for each of them: for how far to go along a step (line.h). */
typedef struct linpred__line_search {
    int32_t rows;
    int64_t *row;           /* of the data */
    double class_weight[2]; /* that make sums over these rows means over all */
    double *target;
    double *weight;
    double *z;     /* scores */
    double *moved; /* what a step adds to them */
    double *trial;
    double *loss;
    double *derivative;
    double *curvature;
    double *w; /* coefficients in the units of the data */
} linpred__line_search;

/* Newton's method with Cholesky factors; what it leaves behind is for the summary. */
typedef struct linpred__newton {
    linpred__logistic *problem;
    linpred__logistic_point point;
    linpred__cholesky cholesky; /* of the Hessian on the kept columns */
    linpred__factor_origin factor;
    double *made_at;  /* v where the factor was made */
    double made_from; /* the share in W of the rows it was made from; 0: it bounds nothing */
    double *step;     /* scratch, twice as long */
    linpred__line_search line;
    bool evaluated; /* the point is, on all rows */
    bool thins;     /* far from the minimum Hessians are thinned: sparse rows, no start, and it works */
    int32_t rank;
    int32_t *keep;   /* independent columns */
    double *length;  /* of each column: its diagonal entry of the Hessian at v = 0; where l2 = 0. NaN: not known yet */
    double *inverse; /* the diagonal of the inverse of L L'; NULL: not known yet */
    double *gram;    /* the Hessian at v = 0, if columns are dependent; else NULL */
    int32_t inexact; /* dependencies that hold only to rounding */
    bool apart;      /* a column was left out that depends on others less well than that */
} linpred__newton;

/* Ready to run from v; NULL: from options->start, or else from near the minimum of a sample of the rows. */
linpred_status linpred__newton_open(linpred__logistic *problem, const double *v, linpred__newton *newton,
                                    linpred_error *error);
void linpred__newton_close(linpred__newton *newton);
/* Back to v = 0, nothing known. */
void linpred__newton_reset(linpred__newton *newton);
/* Until ν²/2 <= gap F; from where the point is. `polish`: on to working precision. */
linpred_status linpred__newton_run(linpred__newton *newton, double gap, bool polish, linpred__logistic_end *end,
                                   linpred_error *error);
/* Makes the factor that of the Hessian at the point. */
linpred_status linpred__newton_refresh(linpred__newton *newton, linpred_error *error);
/* κ with H(v) >= κ L L' for the factor L that is at hand; 0: not known. */
double linpred__newton_trust(const linpred__newton *newton);
/* Makes newton->inverse for the factor that is at hand. */
linpred_status linpred__newton_invert(linpred__newton *newton, linpred_error *error);
/* H >= (1 - doubt) L L' for the factor of the Hessian of all rows at the point: with a unit diagonal an entry of H is
   off by (K + 2n) 2^-52 at most, K the terms of its sums, and the factor too, so the whole by n times that; and x'x <=
   trace((L L')^-1) x'L L'x. */
linpred_status linpred__newton_doubt(linpred__newton *newton, double *doubt, linpred_error *error);
/* max ||x||_{(L L')^-1} over the rows, or more: by the diagonal of the inverse, or in one pass to the point. */
linpred_status linpred__leverage_bound(linpred__newton *newton, bool exactly, double *reach, linpred_error *error);

/* The most that newton->step changes a score by: no more than νρ. */
linpred_status linpred__newton_moves(linpred__newton *newton, double *most, linpred_error *error);

/* Newton's method by conjugate gradients, for many columns, from where the point is. Fills `point`. */
linpred_status linpred__newton_cg(linpred__logistic *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error);

/* A null vector of the Gram matrix a (n x n) with n[k] = 1, by the columns keep[] that its factor is of; `scratch` is
   as long as they are. What is below 1e-7 of column k's length is taken as 0. */
void linpred__null_vector(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *keep, int32_t k,
                          double *scratch, double *null);

/* A direction that Newton's method ran away along, tried on every row: overlap->kind says what came of it. */
linpred_status linpred__guess_recession(linpred__newton *newton, struct linpred__three_way *overlap,
                                        linpred_error *error);

/* The same for the last step of newton-cg. */
linpred_status linpred__guess_by_step(linpred__logistic *problem, const double *step,
                                      struct linpred__three_way *overlap, linpred_error *error);

/* Rank, dependencies, the minimum norm among equals; standard errors, deviances. */
linpred_status linpred__logistic_dependencies(linpred__newton *newton, linpred_error *error);
linpred_status linpred__logistic_summary(const linpred__logistic *problem, linpred__newton *newton, double loss,
                                         linpred_error *error);

#endif
