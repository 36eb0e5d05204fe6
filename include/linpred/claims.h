/* What a result claims and in which numbers: the kinds of claims, the shapes of witnesses, the figures. Part of
 * linpred.h, which includes it. */
#ifndef LINPRED_CLAIMS_H
#define LINPRED_CLAIMS_H

/* The shapes of what proves a claim. */
typedef enum linpred_witness {
    LINPRED_WITNESS_NONE,         /* the rows and the model themselves */
    LINPRED_WITNESS_FINGERPRINT,  /* of the rows */
    LINPRED_WITNESS_COMBINATION,  /* rows of the file and a positive integer for each */
    LINPRED_WITNESS_SUPPORT,      /* rows of the file and a multiplier for each */
    LINPRED_WITNESS_DIRECTION,    /* an integer for each coefficient */
    LINPRED_WITNESS_COVER,        /* inseparable subsets of rows, and a tree of bounds over them */
    LINPRED_WITNESS_WEIGHTS,      /* weights that separate, the intercept last */
    LINPRED_WITNESS_VECTOR,       /* a number for each coefficient, the intercept's last */
    LINPRED_WITNESS_DEPENDENCIES, /* vectors with a number for each coefficient, the intercept's last */
} linpred_witness;

typedef enum linpred_claim_kind {
#define LINPRED_CLAIM(kind, name, witness, meaning) LINPRED_CLAIM_##kind,
#include "linpred/claim.def"
#undef LINPRED_CLAIM
} linpred_claim_kind;

#define LINPRED_CLAIM_BIT(kind) (1u << LINPRED_CLAIM_##kind)
#define LINPRED_RUN 0u /* a figure that tells how the fit went */

#endif
