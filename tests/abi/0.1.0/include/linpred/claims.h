/* What a result claims and in which numbers: the kinds of claims, the shapes of witnesses, the figures. Part of
 * linpred.h. */
#ifndef LINPRED_CLAIMS_H
#define LINPRED_CLAIMS_H

#include "linpred/base.h"
#include "linpred/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds of claims --------------------------------------------------------------------------------------------- */

/* The shapes of what proves a claim: the witnesses. */
typedef enum linpred_witness {
    LINPRED_WITNESS_NONE,         /* the rows and the model themselves */
    LINPRED_WITNESS_FINGERPRINT,  /* of the rows */
    LINPRED_WITNESS_COMBINATION,  /* rows of the file and a positive integer for each */
    LINPRED_WITNESS_SUPPORT,      /* rows of the file and a multiplier for each */
    LINPRED_WITNESS_DIRECTION,    /* an integer for each coefficient */
    LINPRED_WITNESS_COVER,        /* inseparable subsets of rows, and trees of bounds over them */
    LINPRED_WITNESS_WEIGHTS,      /* weights that separate, the intercept last */
    LINPRED_WITNESS_VECTOR,       /* a number for each coefficient, the intercept's last */
    LINPRED_WITNESS_DEPENDENCIES, /* vectors with a number for each coefficient, the intercept's last */
    LINPRED_WITNESS_MARGIN,       /* weights that separate, and rows of the file with a multiplier for each */
    LINPRED_WITNESS_FINITE_PART,  /* weights, and vectors along which the scores of the rows left do not change */
} linpred_witness;

typedef enum linpred_claim_kind {
#define LINPRED_CLAIM(kind, name, witness, meaning) LINPRED_CLAIM_##kind,
#include "linpred/claim.def"
#undef LINPRED_CLAIM
} linpred_claim_kind;

/* ---- figures: what is known of a fit in numbers, by name; figures.def lists them --------------------------------- */

/* How many figures there are, with those that are derived from others. */
LINPRED_API size_t linpred_figure_count(void);
/* The name of figure `index`; NULL past the last. */
LINPRED_API const char *linpred_figure_name(size_t index);
/* What a figure means, as a phrase; NULL: there is no figure of this name. */
LINPRED_API const char *linpred_figure_meaning(const char *name);
/* Whether it is a whole number; else a double. */
LINPRED_API bool linpred_figure_is_count(const char *name);

/* A figure of a result, also of a count. NaN: it is not stated, or there is no such figure. */
LINPRED_API double linpred_result_number(const linpred_result *result, const char *name);
/* A figure that is a count. -1: it is not stated, or there is no such count. */
LINPRED_API int64_t linpred_result_count(const linpred_result *result, const char *name);

/* ---- claims ------------------------------------------------------------------------------------------------------ */

/* Calls about a kind of claim are called linpred_claim_…, calls about a claim of a result linpred_result_claim_…, and
   calls about the checker's answer to it linpred_check_claim_…. Claims of a result, and answers to them, have the same
   index. */

/* The name of a kind as in model files and --json, what it says, and the shape of its witness. NULL and NONE for what
   is no kind. */
LINPRED_API const char *linpred_claim_name(linpred_claim_kind kind);
LINPRED_API const char *linpred_claim_meaning(linpred_claim_kind kind);
LINPRED_API linpred_witness linpred_claim_witness(linpred_claim_kind kind);
/* Whether claims of this kind may state the figure. No claim states a figure that is derived from others, or one that
   tells how the fit went. */
LINPRED_API bool linpred_claim_may_state(linpred_claim_kind kind, const char *figure);

/* The claims of a result, by index; at most one of each kind. Past the last the kind is one without a name. */
LINPRED_API size_t linpred_result_claim_count(const linpred_result *result);
LINPRED_API linpred_claim_kind linpred_result_claim_kind(const linpred_result *result, size_t index);
/* The verdict of the whole is that of the weakest main claim. */
LINPRED_API bool linpred_result_claim_is_main(const linpred_result *result, size_t index);
/* What is claimed, with its numbers, as a sentence; NULL past the last. */
LINPRED_API const char *linpred_result_claim_sentence(const linpred_result *result, size_t index);
/* Whether the result claims something of this kind; *index, if not NULL, is then its place. */
LINPRED_API bool linpred_result_claim_find(const linpred_result *result, linpred_claim_kind kind, size_t *index);

/* Witnesses. Each call is for the shapes it names; of other claims it answers 0, NULL or NaN. Rows are those of the
   file, 1-based and ascending; integers are decimal. */
/* FINGERPRINT */
LINPRED_API uint64_t linpred_result_claim_fingerprint(const linpred_result *result, size_t claim);
/* Whether the rows are those of the fit, by the fingerprint of claim `data`; what claims and witnesses say of rows
   holds for these alone. Of a result without that claim *same is false. `threads` 0: one for each processor. */
LINPRED_API linpred_status linpred_result_same_data(const linpred_result *result, const linpred_data *data, int threads,
                                                    bool *same, linpred_error *error);
/* COMBINATION, SUPPORT, MARGIN: how many rows, and which. */
LINPRED_API int64_t linpred_result_claim_rows(const linpred_result *result, size_t claim, const int64_t **rows);
/* COMBINATION: the positive integer of row `index`; also SUPPORT and MARGIN, where doubles are not enough, else NULL.
   DIRECTION: the integer of coefficient `index`; also COVER of a halfspace, or of a ball, for (x, ||x||², 1), that is
   none of doubles. NULL past the last. */
LINPRED_API const char *linpred_result_claim_integer(const linpred_result *result, size_t claim, int64_t index);
/* SUPPORT, MARGIN: the multiplier of row `index`; its part beyond the precision of a double goes to *tail, if not
   NULL. Where multipliers are integers: rounded, as a part of the largest. */
LINPRED_API double linpred_result_claim_multiplier(const linpred_result *result, size_t claim, int64_t index,
                                                   double *tail);
/* SUPPORT of a largest margin, MARGIN: the norm by which the margin is the largest. Other claims: WITH_INTERCEPT. */
LINPRED_API linpred_margin_norm linpred_result_claim_margin_norm(const linpred_result *result, size_t claim);
/* WEIGHTS, VECTOR, MARGIN: how many numbers, and which; 0 and NULL if there are none. */
LINPRED_API int32_t linpred_result_claim_numbers(const linpred_result *result, size_t claim, const double **numbers);
/* COVER: the inseparable subsets, by index: their number; rows and integers of each. */
LINPRED_API int64_t linpred_result_claim_subsets(const linpred_result *result, size_t claim);
LINPRED_API int64_t linpred_result_claim_subset_rows(const linpred_result *result, size_t claim, int64_t subset,
                                                     const int64_t **rows);
LINPRED_API const char *linpred_result_claim_subset_integer(const linpred_result *result, size_t claim, int64_t subset,
                                                            int64_t index);
/* COVER: the trees, one after another, each node before its branches: the one that keeps the row, then the one that
   gives it up. A node branches on a row, or is a leaf (row 0) with multipliers for subsets (0-based). */
LINPRED_API int64_t linpred_result_claim_nodes(const linpred_result *result, size_t claim);
LINPRED_API int64_t linpred_result_claim_node_row(const linpred_result *result, size_t claim, int64_t node);
LINPRED_API int64_t linpred_result_claim_node_subsets(const linpred_result *result, size_t claim, int64_t node,
                                                      const int64_t **subsets, const double **multipliers);

/* ---- dependencies: columns that others determine ------------------------------------------------------------------
 */

/* How many dependencies the columns have. A result has them also where no claim states them. */
LINPRED_API size_t linpred_result_dependency_count(const linpred_result *result);
/* Which column depends on which others, as a sentence; NULL past the last. */
LINPRED_API const char *linpred_result_dependency_sentence(const linpred_result *result, size_t index);
/* The vector n with <n,(x,1)> = 0 in every row: a number for each coefficient, the intercept's last. NULL past the
   last. */
LINPRED_API const double *linpred_result_dependency_vector(const linpred_result *result, size_t index);
/* Whether it holds without any rounding. */
LINPRED_API bool linpred_result_dependency_is_exact(const linpred_result *result, size_t index);
/* The coefficient that it gives by the others: the last with a part in it. -1 past the last. */
LINPRED_API int32_t linpred_result_dependency_gives(const linpred_result *result, size_t index);
/* The column of the file to which that coefficient belongs: without this column the dependency ends. NULL past the
   last. */
LINPRED_API const char *linpred_result_dependency_column(const linpred_result *result, size_t index);
/* Whether the coefficients that dependencies give are 0, their columns dropped; else those of least norm are taken. */
LINPRED_API bool linpred_result_drops_dependent(const linpred_result *result);
/* For each dependency, rows[index] is the number of rows of `data` that break it, and first[index] the first of them,
   as a 1-based row of the file, 0 if there is none. The training data do not determine the prediction of such a row.
   Both have linpred_result_dependency_count entries. `threads` 0: one for each processor. */
LINPRED_API linpred_status linpred_broken_dependencies(const linpred_result *result, const linpred_data *data,
                                                       int threads, int64_t *rows, int64_t *first,
                                                       linpred_error *error);

/* ---- the two witnesses that most programs ask for ---------------------------------------------------------------- */

/* Where nothing separates the rows: rows of the file (1-based, ascending) and positive integers (decimal) with
   Σ weight_i y_i (x_i, 1) = 0 exactly. Where no ball does, the same with Σ weight_i y_i ||x_i||² >= 0 besides (<= 0 if
   the label +1 is outside). Count 0, NULL: there is no such witness. */
LINPRED_API int64_t linpred_result_witness(const linpred_result *result, const int64_t **rows);
LINPRED_API const char *linpred_result_witness_weight(const linpred_result *result, int64_t index);
/* Logistic regression without a minimiser, or quasi-separated rows: the integer direction v (decimal; the intercept
   last) with y(<v,x>+v_b) >= 0 on every row and > 0 on some. Rows that integers separate, but no weights of doubles
   that were found, or that the model does not separate: these integers, > 0 on every row; where a ball does, for
   (x, ||x||², 1). Entry `index` of it; NULL: there is none. */
LINPRED_API const char *linpred_result_direction(const linpred_result *result, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
