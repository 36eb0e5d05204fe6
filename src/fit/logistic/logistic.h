/* The answers of a logistic fit, and the functions that find them. Only files of fit/logistic use these types.
 *
 * Each function takes the problem and earlier answers, and fills one answer. linpred__logistic_assemble turns the
 * answers into a result; nothing else writes to the result.
 */
#ifndef LINPRED_FIT_LOGISTIC_LOGISTIC_H
#define LINPRED_FIT_LOGISTIC_LOGISTIC_H

#include "fit/fit.h"
#include "fit/logistic/null_space.h"
#include "minimise/newton.h"
#include "separate/answer.h"

/* ---- is there a minimum? (existence.c) --------------------------------------------------------------------------- */

/* The three answers below have a direction if F is known to fall without end along it, so that there is no minimum.
   kind is OVERLAPPING if there is a minimum, with the carriers as proof. `rounds` and `working_rows` are -1 if no
   question was asked, or no guess held. */

/* An answer before any question: UNDECIDED, without a direction. */
linpred__three_way linpred__logistic_not_asked(void);

/* Tries single columns as directions, before any method runs. */
linpred_status linpred__logistic_try_columns(linpred__logistic_problem *problem, linpred__three_way *answer,
                                             linpred_error *error);
/* Tries the last step of conjugate gradients as a direction, if it changes scores much. */
linpred_status linpred__logistic_try_step(linpred__logistic_problem *problem, const linpred__logistic_point *point,
                                          linpred__three_way *answer, linpred_error *error);
/* Tries a direction guessed from the Hessian of `newton` (NULL: there is none), then asks the three-way question. The
   search for it starts from the halfspace of v. */
linpred_status linpred__logistic_ask_existence(linpred__logistic_problem *problem, linpred__newton *newton,
                                               const double *v, linpred__three_way *answer, linpred_error *error);

/* ---- the methods (methods.c) ------------------------------------------------------------------------------------- */

/* Where a method came to, and what is proved there. */
typedef struct linpred__logistic_found {
    bool has_matrix;                  /* Newton's method ran, and `newton` is open */
    linpred__newton newton;           /* its point is the answer if has_matrix */
    linpred__logistic_point cg_point; /* where conjugate gradients ended; the answer if Newton's method did not run */
    linpred__null_space null_space;   /* of the columns; empty without a matrix */
    double gap;                       /* it is proved that (F - min F) / F is at most this; INFINITY: nothing is */
    linpred__three_way existence;     /* is there a minimum? */
} linpred__logistic_found;

/* Each method minimises F, then asks what is needed to prove the gap or that there is no minimum. `found` must be all
   zero, and is to be cleared in any case. */
linpred_status linpred__logistic_by_newton(linpred__logistic_problem *problem, linpred__logistic_found *found,
                                           linpred_error *error);
linpred_status linpred__logistic_by_conjugate_gradients(linpred__logistic_problem *problem,
                                                        linpred__logistic_found *found, linpred_error *error);
void linpred__logistic_found_clear(linpred__logistic_found *found);
/* The relative gap by the factor that Newton's method holds and the step by it; INFINITY: they prove none. */
linpred_status linpred__logistic_gap_by_factor(linpred__newton *newton, double *gap, linpred_error *error);

/* The point at which the method ended. */
static inline const linpred__logistic_point *linpred__logistic_last_point(const linpred__logistic_found *found)
{
    return found->has_matrix ? &found->newton.point : &found->cg_point;
}

/* ---- the coefficients as the model states them (written.c) ------------------------------------------------------- */

/* The coefficients, and how they do on the rows. */
typedef struct linpred__logistic_values {
    double *w;            /* in the units of the file; NULL if no method ran */
    double b;             /* the intercept */
    linpred__tails tails; /* what is meant beyond w and b */
    double objective;     /* F at w, b */
    double loss;          /* F without the penalty */
    double errors;        /* weight of the rows with y(<w,x>+b) <= 0, by certified signs */
} linpred__logistic_values;

/* Rounds the last point to coefficients w, b. Where rounding may matter, the gap becomes the one that is proved for
   these coefficients, and F and gradient of the point theirs. */
linpred_status linpred__logistic_write(linpred__logistic_problem *problem, linpred__logistic_found *found,
                                       linpred__logistic_values *values, linpred_error *error);

/* ---- to many digits (digits.c) -------------------------------------------------------------------------------------
 */

/* What is known of a fit to many digits. */
typedef struct linpred__logistic_fine {
    bool made; /* the values, the gap and the dependencies are those to many digits */
    int32_t rank;
    double *standard_error; /* of all coefficients, the intercept last; NULL: none */
} linpred__logistic_fine;

/* Where doubles did not prove the gap: tries the fit to many digits, if the rows are few enough. Nothing changes if its
   gap is not within the tolerance, but a coefficient of the minimum that is beyond the range of doubles becomes
   INFINITY in the values. */
linpred_status linpred__logistic_refine(const linpred__logistic_problem *problem, linpred__logistic_found *found,
                                        linpred__logistic_values *values, linpred__logistic_fine *fine,
                                        linpred_error *error);

/* ---- what is said about the point (summary.c) -------------------------------------------------------------------- */

typedef struct linpred__logistic_summary {
    int32_t rank;                          /* -1: not known */
    int unique;                            /* 1: the minimiser is unique; 0: it is not; -1: not known */
    double deviance;                       /* NaN with class weights */
    double null_deviance;                  /* of the intercept alone; NaN with class weights */
    double aic;                            /* NaN with class weights, or if the fit is not proved optimal */
    double *standard_error;                /* columns + 1 long, the intercept last; NULL: there are none */
    const char *reason_no_standard_errors; /* why standard_error is NULL; NULL if it is not */
} linpred__logistic_summary;

/* Rank, deviances and standard errors of the point at which the method ended, written as `values`. Those of a fit to
   many digits move to the summary. */
linpred_status linpred__logistic_summarise(const linpred__logistic_problem *problem, linpred__logistic_found *found,
                                           const linpred__logistic_values *values, linpred__logistic_fine *fine,
                                           linpred__logistic_summary *summary, linpred_error *error);

/* ---- what is left without a minimum (finite_part.c) ---------------------------------------------------------------
 */

/* The fit of the rows that no direction settles. */
typedef struct linpred__logistic_finite {
    linpred__finite_part part; /* empty: no fit is proved, or every row is settled */
    double infimum;            /* of F over all coefficients, to the gap */
    double gap;                /* it is proved that the infimum is at least (1 - gap) times the one stated */
} linpred__logistic_finite;

/* Fits the rows that the direction of `existence` leaves, if they are proved to overlap. */
linpred_status linpred__logistic_find_finite_part(const linpred__logistic_problem *problem,
                                                  const linpred__three_way *existence, linpred__logistic_finite *finite,
                                                  linpred_error *error);
void linpred__logistic_finite_clear(linpred__logistic_finite *finite);

/* ---- the result (assemble.c) ------------------------------------------------------------------------------------- */

/* All answers. */
typedef struct linpred__logistic_answers {
    bool by_newton;                    /* the method that was chosen: with the matrix, or by conjugate gradients */
    linpred__three_way by_columns;     /* without a penalty: do single columns prove that there is no minimum? */
    linpred__logistic_found found;     /* asked if they do not */
    linpred__logistic_values values;   /* only w, b if there is no minimum */
    linpred__logistic_fine fine;       /* asked if doubles did not prove the gap */
    linpred__logistic_summary summary; /* asked if no direction was found */
    linpred__logistic_finite finite;   /* asked if one was */
} linpred__logistic_answers;

/* The answer to whether there is a minimum: that of single columns, if they decide. */
static inline linpred__three_way *linpred__logistic_existence(linpred__logistic_answers *answers)
{
    return answers->by_columns.direction.count > 0 ? &answers->by_columns : &answers->found.existence;
}

/* Writes the result: model, figures, claims, outcome and reason. It moves vectors out of the answers. */
linpred_status linpred__logistic_assemble(linpred__fit_context *fit, const linpred__logistic_problem *problem,
                                          linpred__logistic_answers *answers, linpred_error *error);

#endif
