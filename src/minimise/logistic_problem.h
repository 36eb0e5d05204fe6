/* Logistic regression: the problem as its methods see it.
 *
 *   minimise  F(w,b) = (1/W) Σ c_i log(1 + exp(-y_i(<w,x_i>+b))) + (l2/2)||w||²,   W = Σ c_i,
 *
 * where c_i is the weight of the row times the weight of its class.
 *
 * The methods use their own units. Each column is divided by a power of two, so that |x| <= 1 and no bit is lost. A
 * coefficient v stands for w = unit v in the units of the file. Gradient and Hessian are derivatives with respect to v.
 * The intercept, if there is one, comes last; its unit is 1. If the mean of a column is large beside its spread, the
 * column is taken about a centre. The score is <w, x - centre> + v_b, so b = v_b - <w, centre>.
 */
#ifndef LINPRED_MINIMISE_LOGISTIC_PROBLEM_H
#define LINPRED_MINIMISE_LOGISTIC_PROBLEM_H

#include "core/run.h"
#include "data/drop_empty_columns.h"
#include "num/logistic_loss.h"
#include "pass/problem.h"

/* Coefficients to begin at, in the units of the file. */
typedef struct linpred__logistic_start {
    const double *w; /* one for each column of the file */
    double b;
} linpred__logistic_start;

/* What is minimised, and how well. */
typedef struct linpred__logistic_terms {
    double l2;                            /* 0: no penalty */
    double class_weight[2];               /* factors of the weights of rows labelled -1 and +1 */
    double tolerance;                     /* the relative gap (F - min F) / F that the caller wants to prove */
    const linpred__logistic_start *start; /* NULL: begin at 0 */
    bool drop; /* without a penalty: the columns left out are those that depend on columns before them and the intercept
                */
} linpred__logistic_terms;

/* How a method ended. */
typedef enum linpred__logistic_end {
    LINPRED__LOGISTIC_SMALL,     /* the gap is small by the method's own estimate */
    LINPRED__LOGISTIC_STALLED,   /* no step lowers F: only rounding is left, or the minimum is at infinity */
    LINPRED__LOGISTIC_SEPARATES, /* without a penalty: no row, or no more than the caller allows, is a mistake */
    LINPRED__LOGISTIC_SPENT,     /* the caller's limit of passes is reached */
    LINPRED__LOGISTIC_STOPPED    /* the run was stopped; run->stopped says why */
} linpred__logistic_end;

/* Memory for one evaluation. */
typedef struct linpred__logistic_scratch {
    double *w;                         /* coefficients, dimension long */
    linpred__score_tally *block_tally; /* sums of each block of rows */
    double *block_curvature;           /* the sum of the curvatures of each block of rows */
} linpred__logistic_scratch;

/* How far the methods have come. */
typedef struct linpred__logistic_progress {
    bool start_ignored; /* the start was no better than 0, or no step from it lowered F: the fit began at 0 */
    int64_t passes;     /* over all rows */
    int64_t iterations; /* steps taken on all rows; steps on samples do not count */
} linpred__logistic_progress;

typedef struct linpred__logistic_problem {
    linpred__run *run;
    const linpred__problem *original;            /* the rows as they were given */
    const linpred_data *data;                    /* the rows of the passes: the given ones, or one of the next three */
    linpred__without_empty_columns used_columns; /* a view without empty columns; column NULL: not made */
    linpred_data *scaled;  /* a copy, made where numbers are too large or too small to be squared; else NULL */
    linpred_data *shifted; /* a copy of the rows about their centres: of sparse rows if some column needs a centre, of
                              dense rows if the scores need it; else NULL */
    linpred__logistic_terms terms;
    bool has_intercept;
    int32_t dimension; /* columns of data, + 1 with an intercept */
    double weight;     /* W */
    double share[2];   /* Σ c_i of each class, divided by W */
    int64_t rows[2];   /* the number of rows of each class */
    double *unit;      /* w = unit v in the units of the file */
    double *data_unit; /* the same in the units of `data` */
    double *centre;    /* dense rows, in the units of `data`: passes take the column about it; 0: it has none */
    bool is_centred;   /* some centre is not 0 */
    double *origin;    /* the centre, also if it is subtracted in `shifted`: b in the file is v_b - <origin,w> */
    double *extent;    /* the largest |x - centre| of each column in the units of v, at most 2 */
    double *penalty;   /* l2 unit², and 0 for the intercept */
    double radius;     /* R >= ||(x,1)|| over all rows, in the units of the file */
    double *leverage;  /* of each row, for samples of the Hessian (row_sample.h); NULL until it is measured */
    linpred__logistic_scratch scratch;
    linpred__logistic_progress progress; /* of all methods on this problem so far */
} linpred__logistic_problem;

/* `matrix` says whether Newton's method with factors may be used. If so, dense columns may get a centre, provided that
   there is an intercept. If not, columns of zeros are left out. Sparse columns may get a centre in either case.
   `original` and `run` must outlive the problem. */
linpred_status linpred__logistic_open(linpred__run *run, const linpred__problem *original,
                                      const linpred__logistic_terms *terms, bool matrix,
                                      linpred__logistic_problem *problem, linpred_error *error);
void linpred__logistic_close(linpred__logistic_problem *problem);

/* The number of rows of each class, and the sum of their weights without class weights. */
void linpred__class_sums(const linpred_data *data, int64_t rows[2], double sum[2]);

/* Turns v into coefficients in the units of the file, for the columns of `data`, the intercept last; and back. `from`
   may be `to`. */
void linpred__logistic_to_file(const linpred__logistic_problem *problem, const double *from, double *to);
void linpred__logistic_from_file(const linpred__logistic_problem *problem, const double *from, double *to);
/* Turns v into coefficients w of all columns of the file, and b. Uses scratch.w. */
void linpred__logistic_coefficients(linpred__logistic_problem *problem, const double *v, double *w, double *b);

#endif
