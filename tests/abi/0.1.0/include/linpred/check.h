/* An independent check of what a result claims. Part of linpred.h. */
#ifndef LINPRED_CHECK_H
#define LINPRED_CHECK_H

#include "linpred/base.h"
#include "linpred/claims.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From the strongest to the weakest. */
typedef enum linpred_verdict {
    LINPRED_PROVED,           /* in exact arithmetic, or with all rounding bounded */
    LINPRED_WITHIN_TOLERANCE, /* up to a small relative difference, which the finding states where it is a gap */
    LINPRED_RECOMPUTED,       /* the same came out again, by code that the fit uses too */
    LINPRED_PARTLY_PROVED,    /* nothing speaks against it, but not all of it could be checked */
    LINPRED_REFUTED
} linpred_verdict;

/* Gives every claim of the result a verdict of its own, by the rows. Nothing is written into the result. The check is
   freed by linpred_check_free; it needs neither result nor rows. `threads` 0: one for each processor. */
LINPRED_API linpred_status linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                                          linpred_check **check, linpred_error *error);
LINPRED_API void linpred_check_free(linpred_check *check);
/* The verdict of the whole: that of the weakest main claim. Any claim that is refuted refutes the whole. On rows that
   are not those of the fit nothing is more than partly proved. */
LINPRED_API linpred_verdict linpred_check_verdict(const linpred_check *check);
/* Whether the verdict is partly proved for this reason alone: columns depend on each other up to rounding, but not
   exactly, and what is claimed holds among coefficients that respect these dependencies. */
LINPRED_API bool linpred_check_is_respecting(const linpred_check *check);
/* What was found, as a sentence: of the first claim that is refuted, else of all main claims. */
LINPRED_API const char *linpred_check_summary(const linpred_check *check);
/* Whether the fingerprint of the rows is that of the fit's. */
LINPRED_API bool linpred_check_same_data(const linpred_check *check);
/* One answer a claim, in the order of the result's claims: their number; the kind of each (past the last one without a
   name), whether it is a main one, its verdict, and what was found as a sentence (NULL past the last). */
LINPRED_API size_t linpred_check_claim_count(const linpred_check *check);
LINPRED_API linpred_claim_kind linpred_check_claim_kind(const linpred_check *check, size_t index);
LINPRED_API bool linpred_check_claim_is_main(const linpred_check *check, size_t index);
LINPRED_API linpred_verdict linpred_check_claim_verdict(const linpred_check *check, size_t index);
LINPRED_API const char *linpred_check_claim_finding(const linpred_check *check, size_t index);
/* A number by its name; NaN where it does not apply, or for a name that is none:
     errors               mistakes by weight, each row's sign certain
     gap                  relative, as far as it is proved: of the margin from its bound, of an objective from its
                          minimum; infinite if nothing is proved
     lower_bound_proved   no predictor's mistakes cost less, by the checker's own account
     worst_row            1-based row of the file with the smallest y(<w,x>+b)
     settled_exactly      rows whose sign needed exact arithmetic */
LINPRED_API double linpred_check_number(const linpred_check *check, const char *name);
/* Regression by least squares: how far a coefficient (the intercept's index is the number of columns) is from that of
   an exact minimiser at most; NaN where that is not known. */
LINPRED_API double linpred_check_error_bound(const linpred_check *check, int32_t column);
/* "within_tolerance", as in --json; "unknown" for what is no verdict. */
LINPRED_API const char *linpred_verdict_name(linpred_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
