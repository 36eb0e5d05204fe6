/* The types of the checker: what was measured of a result on some rows, and the answer to each claim.
 *
 * Measuring comes first and gives no verdict. Then the file with the name of a claim judges it. It uses the
 * measurements, the witness of the claim and the figures that the claim states. No file here knows how an answer was
 * found.
 */
#ifndef LINPRED_CHECK_CHECK_H
#define LINPRED_CHECK_CHECK_H

#include "check/logistic/measure.h"
#include "check/regression/measure.h"
#include "check/rows/rows.h"
#include "core/error.h"
#include "proof/claim.h"

/* The answer to one claim. */
typedef struct linpred__claim_check {
    linpred_claim_kind kind;
    bool main;
    linpred_verdict verdict;
    double gap;          /* the relative gap found; NaN: the claim is not about one, or none was found */
    double lower_bound;  /* fewest_errors: no predictor's mistakes cost less, proved; NaN: another claim */
    int64_t exact_signs; /* rows whose sign needed exact arithmetic; -1: the claim computed no signs of its own */
    bool respecting;     /* partly proved only because columns depend on each other to rounding only: it holds among
                            coefficients that respect the dependencies */
    char finding[640];   /* what was found, as a sentence */
} linpred__claim_check;

struct linpred_check {
    linpred_verdict verdict;   /* the weakest main claim; any refuted claim refutes the whole */
    bool same_data;            /* the rows are those of the fit */
    bool respecting;           /* partly proved only because main claims are, each of which is `respecting` */
    double errors;             /* weight of the mistakes; NaN: not counted */
    double gap;                /* the relative gap of a claim, of a main one if there is one; NaN: none has a gap */
    double lower_bound_proved; /* of the claim fewest_errors; NaN: there is none */
    int64_t worst_row;         /* 1-based row of the file with the smallest y s(x); -1: not measured */
    int64_t exact_signs;       /* rows whose sign needed exact arithmetic */
    int32_t coefficients;      /* with the intercept */
    double *error_bound;       /* for each coefficient a bound of its error (least squares); NULL: not known */
    int32_t claims;
    linpred__claim_check claim[LINPRED__CLAIM_KINDS]; /* in the order of the result's claims */
    char summary[1400];                               /* the findings that decide the verdict of the whole */
};

/* What the files of all claims get. Measurements that no claim needs are NULL. */
typedef struct linpred__measured {
    const linpred_result *result;
    const linpred_data *data;
    linpred__pool *pool;
    bool same_data;
    linpred__rows_finding *rows; /* classifiers only */
    linpred__logistic_finding *logistic;
    linpred__squares_finding *squares;
    linpred__absolute_finding *absolute;
    linpred__null_finding null; /* regressions only */
} linpred__measured;

/* Judges a claim: sets its verdict and its finding. There is one such function for each kind. It fails only if memory
   runs out. */
typedef linpred_status linpred__check_function(const linpred__measured *measured, const linpred__claim *claim,
                                               linpred__claim_check *check, linpred_error *error);

/* linpred__check_separates and so on. A kind whose function is missing does not link. */
#define LINPRED_CLAIM(kind, name, witness, meaning) linpred__check_function linpred__check_##name;
#include "linpred/claim.def"
#undef LINPRED_CLAIM

/* ---- finding.c: what the files of the claims share ---- */

/* Appends to the finding. */
void linpred__find(linpred__claim_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refutes the claim. The reason replaces the finding so far. Returns false. */
bool linpred__refute(linpred__claim_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Weakens the verdict to this one, unless it is as weak already. */
void linpred__at_best(linpred__claim_check *check, linpred_verdict verdict);
/* Compares a stated figure with the one found on the rows. If they differ by more than `within`, refutes the claim and
   returns false. If one of them is NaN, there is nothing to compare. */
bool linpred__compare(linpred__claim_check *check, const char *name, double stated, double found, double within);
/* The same, but the claim is also refuted if it states no figure and the rows give one that a double can hold. */
bool linpred__compare_required(linpred__claim_check *check, const char *name, double stated, double found,
                               double within);
/* Refutes the claim and returns false if `stated`: the figure is one that a fit of this kind does not have. */
bool linpred__must_not_state(linpred__claim_check *check, const char *name, bool stated);
/* A count as a double: NaN if it is not stated. */
double linpred__count_figure(int64_t count);
/* Whether the fit ended by itself. A fit that was stopped or met a limit does not claim a minimum, so it is not refuted
   if it has none. */
bool linpred__finished(const linpred_result *result);
/* Appends "all 7 rows are", "both rows are" or "the row is". */
void linpred__find_all_rows(int64_t rows, linpred__claim_check *check);
/* The margin of the model on the rows: min y(<w,x>+b) / ||(w,b)||, or / ||w|| if `without_intercept`. NaN: the divisor
   is 0, or the smallest score is no normal double. */
double linpred__own_margin(const linpred__measured *measured, bool without_intercept);
/* bound / margin - 1 for the bound fraction 2^exponent. Both may be below the range of doubles. NaN as above. */
double linpred__own_gap(const linpred__measured *measured, bool without_intercept, double fraction, long exponent);
/* Sets *margin to that of other weights, the intercept last. NaN: they do not separate the rows, or have the wrong
   length. */
linpred_status linpred__margin_of_weights(const linpred__measured *measured, const linpred__vector *weights,
                                          bool without_intercept, double *margin, linpred_error *error);
/* The sums of a regression's residuals. If there are none, refutes the claim and returns NULL; if doubles do not hold
   them, the claim is partly proved, and NULL is returned too. */
const linpred__residual_sums *linpred__sums_of(const linpred__measured *measured, linpred__claim_check *check);
/* Compares the degrees of freedom of a regression with those of the rows, W - rank. Sets *found to these; NaN: the rank
   is not known. */
bool linpred__compare_degrees(const linpred__measured *measured, const linpred__residual_sums *sums,
                              linpred__claim_check *check, double *found);
/* logistic_optimum.c: judges the relative gap of coefficients by what was found of them. The gap and the tolerance are
   those that the result states. */
void linpred__judge_gap(const linpred_result *result, const linpred__logistic_finding *found,
                        linpred__claim_check *check);
/* objective.c: whether class weights that are said to be balanced give each label half of the total weight. */
bool linpred__judge_balance(const linpred__measured *measured, linpred__claim_check *check);
/* Compares the form that predict uses with the coefficients. Refutes the claim if they are different functions. Makes
   it partly proved if rounding hides whether they are. */
void linpred__judge_forms(const linpred__form_finding *form, linpred__claim_check *check);

#endif
