/* Claims of a result, to be tampered with. */
#ifndef LINPRED_TESTS_CLAIM_SUPPORT_H
#define LINPRED_TESTS_CLAIM_SUPPORT_H

#include "model/model.h"
#include "support.h"

static inline linpred__claim *claim_of(linpred_result *result, linpred_claim_kind kind)
{
    linpred__claim *claim = (linpred__claim *)linpred__claims_find(&result->claims, kind);
    assert_non_null(claim);
    return claim;
}

/* The fingerprint that the claim `data` states. */
static inline uint64_t *fingerprint_of(linpred_result *result)
{
    return &claim_of(result, LINPRED_CLAIM_DATA)->by.fingerprint;
}

#endif
