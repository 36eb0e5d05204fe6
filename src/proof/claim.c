/* The list of claims of a result, and what claim.def says of their kinds. */
#include "proof/claim.h"

#include "core/memory.h"

static const struct {
    const char *name;
    linpred_witness witness;
    const char *meaning;
} kinds[LINPRED__CLAIM_KINDS] = {
#define LINPRED_CLAIM(kind, name, witness, meaning) {#name, LINPRED_WITNESS_##witness, meaning},
#include "linpred/claim.def"
#undef LINPRED_CLAIM
};

static bool is_kind(linpred_claim_kind kind)
{
    return (int)kind >= 0 && (int)kind < LINPRED__CLAIM_KINDS;
}

const char *linpred_claim_name(linpred_claim_kind kind)
{
    return is_kind(kind) ? kinds[kind].name : NULL;
}

const char *linpred_claim_meaning(linpred_claim_kind kind)
{
    return is_kind(kind) ? kinds[kind].meaning : NULL;
}

linpred_witness linpred_claim_witness(linpred_claim_kind kind)
{
    return is_kind(kind) ? kinds[kind].witness : LINPRED_WITNESS_NONE;
}

linpred__claim *linpred__claims_add(linpred__claims *claims, linpred_claim_kind kind, bool main)
{
    linpred__claim *claim = (linpred__claim *)linpred__claims_find(claims, kind);
    if (!claim) {
        claim = &claims->claim[claims->count++];
        *claim = (linpred__claim){.kind = kind};
    }
    claim->main = claim->main || main;
    return claim;
}

const linpred__claim *linpred__claims_find(const linpred__claims *claims, linpred_claim_kind kind)
{
    for (int32_t i = 0; i < claims->count; i++)
        if (claims->claim[i].kind == kind)
            return &claims->claim[i];
    return NULL;
}

static void clear_claim(linpred__claim *claim)
{
    linpred__release(claim->sentence);
    switch (linpred_claim_witness(claim->kind)) {
    case LINPRED_WITNESS_NONE:
    case LINPRED_WITNESS_FINGERPRINT:
    case LINPRED_WITNESS_VECTOR:
    case LINPRED_WITNESS_DEPENDENCIES:
        break;
    case LINPRED_WITNESS_COMBINATION:
        linpred__combination_clear(&claim->by.combination);
        break;
    case LINPRED_WITNESS_SUPPORT:
        linpred__support_clear(&claim->by.support);
        break;
    case LINPRED_WITNESS_DIRECTION:
        linpred__direction_clear(&claim->by.direction);
        break;
    case LINPRED_WITNESS_COVER:
        linpred__cover_proof_clear(&claim->by.cover);
        break;
    case LINPRED_WITNESS_WEIGHTS:
        linpred__vector_clear(&claim->by.weights);
        break;
    case LINPRED_WITNESS_MARGIN:
        linpred__vector_clear(&claim->by.margin.weights);
        linpred__support_clear(&claim->by.margin.support);
        break;
    case LINPRED_WITNESS_FINITE_PART:
        linpred__finite_part_clear(&claim->by.finite);
        break;
    }
}

void linpred__claims_clear(linpred__claims *claims)
{
    for (int32_t i = 0; i < claims->count; i++)
        clear_claim(&claims->claim[i]);
    *claims = (linpred__claims){0};
}
