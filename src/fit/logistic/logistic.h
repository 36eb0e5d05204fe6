/* A logistic fit under way, and what it found. Only this room knows these types.
 *
 * The questions fill the answer one after another, each its own part. linpred__logistic_assemble turns the answer into
 * a result; nothing else writes to the result.
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
    double errors;      /* weight of the rows with y(<w,x>+b) <= 0, each sign certain */
    double gap;         /* (F - min F) / F is at most this, as proved; INFINITY: nothing is proved */
    bool start_ignored; /* the start was no better than 0 */
    int64_t passes;     /* over all rows, those of questions about separation counted */
    int64_t iterations;

    /* is there a minimum? */
    bool asked;                    /* a question about separation was asked; the next two count its work */
    int64_t rounds;                /* linear programs */
    int64_t working_rows;          /* the largest number of rows in any of them */
    linpred_separation kind;       /* UNDECIDED: not asked, or not decided */
    linpred__direction direction;  /* F falls for ever along it: there is no minimum; count 0: none is known */
    int64_t settled_rows;          /* rows that the direction has strictly on their side */
    linpred__combination witness;  /* with a direction: no halfspace separates the rows; count 0: not known */
    linpred__combination carriers; /* OVERLAPPING: what proves it, where the question was asked */

    /* the columns; where the matrix was made */
    linpred__null_space null_space;
    bool has_matrix;                       /* the Hessian was made, by Newton's method */
    int32_t rank;                          /* -1: not known */
    int unique;                            /* 1: no other coefficients do as well; 0: some do; -1: not known */
    double deviance;                       /* NaN with class weights, as the next two */
    double null_deviance;                  /* of the intercept alone */
    double aic;                            /* NaN where the fit is not proved to be a maximum of the likelihood */
    double *standard_error;                /* columns + 1 long; NULL: there are none */
    const char *reason_no_standard_errors; /* NULL: there are some */
} linpred__logistic_answer;

typedef struct linpred__logistic_fit {
    linpred__logistic problem;
    linpred__newton newton;           /* open if answer.has_matrix */
    linpred__logistic_point cg_point; /* open if conjugate gradients ran */
    linpred__logistic_point *point;   /* of the method that ran last; NULL: none did */
    linpred__logistic_end end;        /* how that method ended */
    linpred__logistic_answer answer;
} linpred__logistic_fit;

/* The gap is proved to be within the tolerance. */
static inline bool linpred__logistic_is_optimal(const linpred__logistic_fit *fit)
{
    return fit->answer.gap <= fit->problem.terms.tolerance;
}

/* Whether nothing is left to ask: there is no minimum, or the run was stopped. */
static inline bool linpred__logistic_is_over(const linpred__logistic_fit *fit)
{
    return fit->answer.direction.count > 0 || fit->problem.run->stopped != LINPRED__NOT_STOPPED;
}

/* "balanced": each class weighs half of all. "A:B": the factors of the labels -1 and +1. NULL: 1 and 1. */
linpred_status linpred__read_class_weights(const char *text, const linpred_data *data, double weight[2],
                                           linpred_error *error);

/* The methods (methods.c): each minimises, then asks what is needed to prove the gap or that there is no minimum. */
linpred_status linpred__logistic_by_newton(linpred__logistic_fit *fit, linpred_error *error);
linpred_status linpred__logistic_by_conjugate_gradients(linpred__logistic_fit *fit, linpred_error *error);
/* answer.w and answer.b from the point. */
void linpred__logistic_take_coefficients(linpred__logistic_fit *fit);

/* answer.gap, by the factor of the Hessian (gap.c). It may move the point. */
linpred_status linpred__logistic_gap_by_newton(linpred__logistic_fit *fit, linpred_error *error);

/* Whether there is a minimum (existence.c). */
/* By single columns, before any method runs. */
linpred_status linpred__logistic_try_columns(linpred__logistic_fit *fit, linpred_error *error);
/* By the last step of conjugate gradients, if they ran away along it. */
linpred_status linpred__logistic_try_step(linpred__logistic_fit *fit, linpred_error *error);
/* By a direction guessed from the Hessian, then by exact arithmetic. */
linpred_status linpred__logistic_ask_existence(linpred__logistic_fit *fit, linpred_error *error);

/* Rank, deviances and standard errors of the answer (summary.c). */
linpred_status linpred__logistic_summary(linpred__logistic_fit *fit, linpred_error *error);

/* The result: model, figures, claims, outcome and reason (assemble.c). Takes what it needs out of the answer. */
linpred_status linpred__logistic_assemble(linpred__fit_context *fit, linpred__logistic_fit *found,
                                          linpred_error *error);

#endif
