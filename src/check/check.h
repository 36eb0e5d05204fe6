/* What the checker hands around: what was measured of a result on some rows, and the answer to each claim.
 *
 * Measuring comes first and judges nothing. Then each claim is judged by the file that bears its name, from what was
 * measured, from its own witness and from the figures that it states. Nothing here knows how an answer was found.
 */
#ifndef LINPRED_CHECK_CHECK_H
#define LINPRED_CHECK_CHECK_H

#include "check/logistic/measure.h"
#include "check/regression/measure.h"
#include "check/rows.h"
#include "proof/claim.h"

/* The answer to one claim. */
typedef struct linpred__claim_check {
    linpred_claim_kind kind;
    bool main;
    linpred_verdict verdict;
    double gap;          /* relative, as far as it is proved; NaN: none is claimed */
    double lower_bound;  /* fewest_errors: no predictor's mistakes cost less; NaN: none is claimed */
    int64_t exact_signs; /* rows whose sign needed exact arithmetic; -1: it did not ask for signs of its own */
    char finding[640];   /* a sentence */
} linpred__claim_check;

struct linpred_check {
    linpred_verdict verdict; /* the weakest main claim; any refuted claim refutes the whole */
    bool same_data;          /* the rows are those of the fit */
    double errors;
    double gap;
    double lower_bound_proved;
    int64_t worst_row; /* 1-based row of the file */
    int64_t settled_exactly;
    int32_t coefficients; /* with the intercept */
    double *error_bound;  /* of each coefficient; NULL: not known */
    int32_t claims;
    linpred__claim_check claim[LINPRED__CLAIM_KINDS]; /* in the order of the result's claims */
    char summary[1400];                               /* the finding of the whole */
};

/* All that claims share. Measurements that no claim needs are NULL. */
typedef struct linpred__measured {
    const linpred_result *result;
    const linpred_data *data;
    linpred__pool *pool;
    bool same_data;
    linpred__rows_finding *rows; /* classifiers only */
    linpred__logistic_finding *logistic;
    linpred__squares_finding *squares;
    linpred__absolute_finding *absolute;
} linpred__measured;

/* One function a kind of claim. It fills the verdict and the finding; an error is out of memory. */
typedef linpred_status linpred__check_function(const linpred__measured *measured, const linpred__claim *claim,
                                               linpred__claim_check *check, linpred_error *error);

/* linpred__check_separates and so on. A kind whose function is missing does not link. */
#define LINPRED_CLAIM(kind, name, witness, meaning) linpred__check_function linpred__check_##name;
#include "linpred/claim.def"
#undef LINPRED_CLAIM

/* ---- finding.c: what the judges share ---- */

/* Adds to the finding. */
void linpred__find(linpred__claim_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refutes the claim, and says why in place of what was found so far. Answers false. */
bool linpred__refute(linpred__claim_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The verdict becomes at best this one. */
void linpred__at_best(linpred__claim_check *check, linpred_verdict verdict);
/* Compares a figure with what the rows give. A figure that is off by more than `within` refutes the claim; then the
   answer is false. NaN, stated or found, is no figure. */
bool linpred__compare(linpred__claim_check *check, const char *name, double stated, double found, double within);
/* The same of a figure that the claim must state if the rows give it. */
bool linpred__compare_required(linpred__claim_check *check, const char *name, double stated, double found,
                               double within);
/* Refutes the claim if it states what such a fit does not have. */
bool linpred__must_not_state(linpred__claim_check *check, const char *name, bool stated);
/* A witness names rows by their numbers: on the rows of the fit it must hold, of other rows it only proves nothing. */
void linpred__witness_fails(const linpred__measured *measured, linpred__claim_check *check);
/* Whether the claim speaks of rows that these are not; it is then partly proved, and says so. */
bool linpred__other_rows(const linpred__measured *measured, linpred__claim_check *check);
/* "s" unless the count is 1. */
const char *linpred__plural(double count);
/* A count as a double: NaN if it is not stated. */
double linpred__count_figure(int64_t count);
/* Whether the fit came to its end. One that was stopped, or met a limit, does not claim a minimum: none is refuted. */
bool linpred__finished(const linpred_result *result);
/* "all 7 rows are", "both rows are", "the row is". */
void linpred__find_all_rows(int64_t rows, linpred__claim_check *check);
/* The margin of the model on the rows: the smallest y(<w,x>+b) by ||(w,b)||; `usual`: by ||w||. NaN: beyond doubles. */
double linpred__own_margin(const linpred__measured *measured, bool usual);
/* The sums of a regression's residuals; NULL: there are none, and the claim is refuted. */
const linpred__residual_sums *linpred__sums_of(const linpred__measured *measured, linpred__claim_check *check);
/* The form that predict uses against the coefficients: refutes, or weakens the verdict. */
void linpred__judge_forms(const linpred__form_finding *form, linpred__claim_check *check);

#endif
