/* Claims: sentences about the rows of a fit, each with what proves it. claim.def lists the kinds.
 *
 * A learner's last step adds its claims:
 *
 *     linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, true);
 *     linpred__claim *claim = linpred__claims_add(&result->claims, LINPRED_CLAIM_INSEPARABLE, true);
 *     claim->by.combination = answer->witness;               // the claim owns it from here on
 *     answer->witness = (linpred__combination){0};
 *
 * The figures that a claim states stand in the result's figures; figures.def says which belong to it.
 */
#ifndef LINPRED_PROOF_CLAIM_H
#define LINPRED_PROOF_CLAIM_H

#include "linpred/linpred.h"
#include "proof/witness.h"

enum {
    LINPRED__CLAIM_KINDS = 0
#define LINPRED_CLAIM(kind, name, witness, meaning) +1
#include "linpred/claim.def"
#undef LINPRED_CLAIM
};

typedef struct linpred__claim {
    linpred_claim_kind kind;
    char *sentence; /* what is claimed, in words; NULL until the result is complete */
    bool main; /* the verdict of the whole is that of the weakest main claim; any refuted claim refutes the whole */
    union {    /* the witness; linpred_claim_witness(kind) says which member is used; all zero: there is none. Standard
                  errors and dependencies are kept in the result instead, because predictions need them too. */
        uint64_t fingerprint;
        linpred__combination combination;
        linpred__support support;
        linpred__direction direction;
        linpred__cover_proof cover;
        linpred__vector weights;
        linpred__margin_proof margin;
        linpred__finite_part finite;
    } by;
} linpred__claim;

/* A list with at most one claim of each kind, in the order in which they were added. Pointers to claims stay valid
   until the list is cleared. */
typedef struct linpred__claims {
    int32_t count;
    linpred__claim claim[LINPRED__CLAIM_KINDS];
} linpred__claims;

/* Adds a claim without a witness. If there is one of this kind already, returns that one. It is main if any call says
   so. */
linpred__claim *linpred__claims_add(linpred__claims *claims, linpred_claim_kind kind, bool main);
/* Returns NULL if there is no claim of this kind. */
const linpred__claim *linpred__claims_find(const linpred__claims *claims, linpred_claim_kind kind);
void linpred__claims_clear(linpred__claims *claims);

#endif
