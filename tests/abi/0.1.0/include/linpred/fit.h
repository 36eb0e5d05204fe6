/* Fits, and what a result says. Part of linpred.h; claims.h has what a result claims, model.h the predictor. */
#ifndef LINPRED_FIT_H
#define LINPRED_FIT_H

#include "linpred/base.h"
#include "linpred/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

/* What a fit found: see outcome.def. */
typedef enum linpred_outcome {
#define LINPRED_OUTCOME(name, text) LINPRED_OUTCOME_##name,
#include "linpred/outcome.def"
#undef LINPRED_OUTCOME
} linpred_outcome;

/* Whether a halfspace can tell the rows apart. */
typedef enum linpred_separation {
    LINPRED_SEPARATION_UNDECIDED,       /* not known: it was not asked, or not decided */
    LINPRED_SEPARATION_SEPARATED,       /* some (w,b) has y(<w,x>+b) > 0 on every row */
    LINPRED_SEPARATION_QUASI_SEPARATED, /* none has that, but some has >= 0 on every row and > 0 on one */
    LINPRED_SEPARATION_OVERLAPPING,     /* neither is the case */
    LINPRED_SEPARATION_INSEPARABLE      /* quasi-separated or overlapping; which of the two is not known */
} linpred_separation;

/* "limit_reached", "newton-cg", "quasi_separated", as in --json; "unknown" for what is none. */
LINPRED_API const char *linpred_outcome_name(linpred_outcome outcome);
LINPRED_API const char *linpred_method_name(linpred_method method);
LINPRED_API const char *linpred_separation_name(linpred_separation separation);

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

/* Fits what the options ask for. *result is freed by linpred_result_free. A limit that was reached, or rows that
   nothing separates, are outcomes and no errors. */
LINPRED_API linpred_status linpred_fit(const linpred_data *data, const linpred_options *options,
                                       linpred_result **result, linpred_error *error);

/* Separated, quasi-separated or overlapping, with proof: linpred_result_separation. The outcome is then
   SEPARATED, NO_MINIMISER or INSEPARABLE; UNDECIDED if exact arithmetic is too dear. Of the options no-intercept,
   max-seconds, threads, progress and those of reading count; others are errors. */
LINPRED_API linpred_status linpred_find_separation(const linpred_data *data, const linpred_options *options,
                                                   linpred_result **result, linpred_error *error);

/* Frees the result, and with it its model. */
LINPRED_API void linpred_result_free(linpred_result *result);

/* ---- what a result says ------------------------------------------------------------------------------------------ */

/* The model, which lives as long as the result; what was found; and the method that found it. */
LINPRED_API const linpred_model *linpred_result_model(const linpred_result *result);
LINPRED_API linpred_outcome linpred_result_outcome(const linpred_result *result);
LINPRED_API linpred_method linpred_result_method(const linpred_result *result);
/* What the claims say of it. `separates`, or `no_minimiser` with every row settled: separated. `overlapping`, or a
   minimum of the logistic loss without a penalty: overlapping. `inseparable`, or `fewest_errors` with a lower bound
   above 0: inseparable, and with `no_minimiser` quasi-separated. Anything else, and all claims about balls:
   undecided. */
LINPRED_API linpred_separation linpred_result_separation(const linpred_result *result);
/* Why the fit ended, as a sentence. */
LINPRED_API const char *linpred_result_reason(const linpred_result *result);

/* ---- coefficients of a result ------------------------------------------------------------------------------------ */

/* A coefficient and what is known of it, for a regression under squared loss or a logistic fit without a penalty. The
   intercept is the column after the last. NaN: not known, or it cannot be estimated since its column depends on
   others. */
typedef struct linpred_coefficient {
    size_t struct_size;
    const char *name;
    double value;
    double standard_error;
    double t;   /* value / standard_error, with the figure degrees_of_freedom; of a logistic fit the normal z; NaN if
                   the standard error is 0 */
    double p;   /* of a |t| at least as large, if the coefficient were 0 */
    double low; /* confidence interval, at the level of the option `confidence` */
    double high;
} linpred_coefficient;

LINPRED_API bool linpred_result_coefficient(const linpred_result *result, int32_t column,
                                            linpred_coefficient *coefficient); /* false past the intercept */
LINPRED_API double linpred_result_confidence(const linpred_result *result);    /* the level of their intervals */

/* Standard errors of the coefficients, the intercept's last; NaN where one is not estimable. NULL where theory gives
   none (linpred_result_no_standard_errors says why). The model file keeps them. */
LINPRED_API const double *linpred_result_standard_errors(const linpred_result *result);
/* Why there are no standard errors, as a sentence; NULL: there are some, or they were never asked for. */
LINPRED_API const char *linpred_result_no_standard_errors(const linpred_result *result);

/* ---- options of a result ----------------------------------------------------------------------------------------- */

/* An option as the fit used it, by its flag: "class-weights", "cost". NULL if it was not given, or is nothing to such a
 * fit. */
LINPRED_API const char *linpred_result_option(const linpred_result *result, const char *flag);
/* What multiplied the weights of the rows labelled -1 (sign < 0) or +1: a logistic optimum, and costs of mistakes;
 * else 1. */
LINPRED_API double linpred_result_class_weight(const linpred_result *result, int sign);

#ifdef __cplusplus
}
#endif
#endif
