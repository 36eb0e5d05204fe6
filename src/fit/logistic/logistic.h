/* The state of a logistic fit and the answer it finds. Only files of fit/logistic use these types.
 *
 * The steps of the fit run one after another, and each fills its own part of the answer. linpred__logistic_assemble
 * turns the answer into a result; nothing else writes to the result.
 */
#ifndef LINPRED_FIT_LOGISTIC_LOGISTIC_H
#define LINPRED_FIT_LOGISTIC_LOGISTIC_H

#include "fit/fit.h"
#include "fit/logistic/null_space.h"
#include "minimise/newton.h"
#include "separate/answer.h"

/* What was found. */
typedef struct linpred__logistic_answer {
    /* the minimisation */
    bool by_newton;     /* the method that was chosen: with the matrix, or by conjugate gradients */
    double *w;          /* coefficients in the units of the file; zeros if no method ran */
    double b;           /* the intercept */
    double objective;   /* F at w, b */
    double loss;        /* F without the penalty */
    double errors;      /* weight of the rows with y(<w,x>+b) <= 0, by certified signs */
    double gap;         /* it is proved that (F - min F) / F is at most this; INFINITY: nothing is proved */
    bool start_ignored; /* the start was no better than 0, so the fit began at 0 */
    int64_t passes;     /* over all rows, including those of questions about separation */
    int64_t iterations;

    /* is there a minimum? */
    bool asked;                   /* a question about separation was asked */
    int64_t rounds;               /* linear programs solved for it */
    int64_t working_rows;         /* the largest number of rows in one of them */
    linpred_separation kind;      /* UNDECIDED if nothing was asked or the answer is unknown */
    linpred__direction direction; /* F falls without end along it, so there is no minimum; count 0: none is known */
    int64_t settled_rows;         /* rows with y<v,(x,1)> > 0 for the direction v */
    linpred__combination
        witness; /* with a direction: rows that prove that none is strict on all rows; count 0: not known */
    linpred__combination carriers; /* if kind is OVERLAPPING and the question was asked: the proof */

    /* the columns; known if the matrix was made */
    linpred__null_space null_space;
    bool has_matrix;                       /* the Hessian was made, by Newton's method */
    int32_t rank;                          /* -1: not known */
    int unique;                            /* 1: the minimiser is unique; 0: it is not; -1: not known */
    double deviance;                       /* NaN with class weights */
    double null_deviance;                  /* of the intercept alone; NaN with class weights */
    double aic;                            /* NaN with class weights, or if the fit is not proved optimal */
    double *standard_error;                /* columns + 1 long, the intercept last; NULL: there are none */
    const char *reason_no_standard_errors; /* why standard_error is NULL; NULL if it is not */
} linpred__logistic_answer;

typedef struct linpred__logistic_work {
    linpred__logistic_problem problem;
    linpred__newton newton;           /* open if answer.has_matrix */
    linpred__logistic_point cg_point; /* open if conjugate gradients ran */
    linpred__logistic_point *point;   /* the point of the method that ran last; NULL: none did */
    linpred__logistic_end end;        /* how that method ended */
    linpred__logistic_answer answer;
} linpred__logistic_work;

/* The gap is proved to be within the tolerance. */
static inline bool linpred__logistic_is_optimal(const linpred__logistic_work *work)
{
    return work->answer.gap <= work->problem.terms.tolerance;
}

/* There is no minimum, or the run was stopped: no more questions are asked. */
static inline bool linpred__logistic_is_over(const linpred__logistic_work *work)
{
    return work->answer.direction.count > 0 || work->problem.run->stopped != LINPRED__NOT_STOPPED;
}

/* Reads the option --class-weights. "balanced" gives each label half of the total weight. "A:B" gives the factors of
   the labels -1 and +1. NULL gives 1 and 1. */
linpred_status linpred__read_class_weights(const char *text, const linpred_data *data, double weight[2],
                                           linpred_error *error);

/* The methods (methods.c): each minimises, then asks what is needed to prove the gap or that there is no minimum. */
linpred_status linpred__logistic_by_newton(linpred__logistic_work *work, linpred_error *error);
linpred_status linpred__logistic_by_conjugate_gradients(linpred__logistic_work *work, linpred_error *error);
/* Sets answer.w and answer.b from the point. */
void linpred__logistic_take_coefficients(linpred__logistic_work *work);

/* Sets answer.gap by the factor of the Hessian (gap.c). A few more steps of Newton's method may move the point. */
linpred_status linpred__logistic_gap_by_newton(linpred__logistic_work *work, linpred_error *error);

/* Is there a minimum? (existence.c) This one tries single columns as directions, before any method runs. */
linpred_status linpred__logistic_try_columns(linpred__logistic_work *work, linpred_error *error);
/* Tries the last step of conjugate gradients as a direction, if it changes scores much. */
linpred_status linpred__logistic_try_step(linpred__logistic_work *work, linpred_error *error);
/* Tries a direction guessed from the Hessian, then asks the three-way question. */
linpred_status linpred__logistic_ask_existence(linpred__logistic_work *work, linpred_error *error);

/* Sets rank, deviances and standard errors of the answer (summary.c). */
linpred_status linpred__logistic_summary(linpred__logistic_work *work, linpred_error *error);

/* Writes the result: model, figures, claims, outcome and reason (assemble.c). It moves vectors out of the answer. */
linpred_status linpred__logistic_assemble(linpred__fit_context *fit, linpred__logistic_work *work,
                                          linpred_error *error);

#endif
