/* The public calls that give the claims of a result and their witnesses as values. */
#include <math.h>

#include "core/error.h"
#include "data/fingerprint.h"
#include "model/model.h"

/* NULL past the last. */
static const linpred__claim *claim_at(const linpred_result *result, size_t index)
{
    return index < (size_t)result->claims.count ? &result->claims.claim[index] : NULL;
}

/* The claim, if its witness has this shape; else NULL. */
static const linpred__claim *shaped(const linpred_result *result, size_t index, linpred_witness witness)
{
    const linpred__claim *claim = claim_at(result, index);
    return claim && linpred_claim_witness(claim->kind) == witness ? claim : NULL;
}

/* The support of a claim that has one; else NULL. */
static const linpred__support *support_of(const linpred_result *result, size_t index)
{
    const linpred__claim *support = shaped(result, index, LINPRED_WITNESS_SUPPORT),
                         *margin = shaped(result, index, LINPRED_WITNESS_MARGIN);
    return support ? &support->by.support : margin ? &margin->by.margin.support : NULL;
}

size_t linpred_result_claim_count(const linpred_result *result)
{
    if (!result)
        return 0;
    return (size_t)result->claims.count;
}

linpred_claim_kind linpred_result_claim_kind(const linpred_result *result, size_t index)
{
    if (!result)
        return (linpred_claim_kind)LINPRED__CLAIM_KINDS;
    const linpred__claim *claim = claim_at(result, index);
    return claim ? claim->kind : (linpred_claim_kind)LINPRED__CLAIM_KINDS;
}

bool linpred_result_claim_is_main(const linpred_result *result, size_t index)
{
    if (!result)
        return false;
    const linpred__claim *claim = claim_at(result, index);
    return claim && claim->main;
}

const char *linpred_result_claim_sentence(const linpred_result *result, size_t index)
{
    if (!result)
        return NULL;
    const linpred__claim *claim = claim_at(result, index);
    return claim ? claim->sentence : NULL;
}

bool linpred_result_claim_find(const linpred_result *result, linpred_claim_kind kind, size_t *index)
{
    if (!result)
        return false;
    for (size_t i = 0; i < linpred_result_claim_count(result); i++)
        if (result->claims.claim[i].kind == kind) {
            if (index)
                *index = i;
            return true;
        }
    return false;
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

uint64_t linpred_result_claim_fingerprint(const linpred_result *result, size_t index)
{
    if (!result)
        return 0;
    const linpred__claim *claim = shaped(result, index, LINPRED_WITNESS_FINGERPRINT);
    return claim ? claim->by.fingerprint : 0;
}

linpred_status linpred_result_same_data(const linpred_result *result, const linpred_data *data, int threads, bool *same,
                                        linpred_error *error)
{
    LINPRED__NEEDS(result, data, same);
    size_t claim = 0;
    bool claims = linpred_result_claim_find(result, LINPRED_CLAIM_DATA, &claim);
    uint64_t fingerprint = 0;
    linpred__pool *pool = NULL;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status == LINPRED_OK)
        status = linpred__fingerprint(data, pool, &fingerprint, error);
    linpred__pool_close(pool);
    if (status == LINPRED_OK)
        *same = claims && fingerprint == linpred_result_claim_fingerprint(result, claim);
    return status;
}

int64_t linpred_result_claim_rows(const linpred_result *result, size_t index, const int64_t **rows)
{
    if (!result || !rows)
        return 0;
    const linpred__claim *combination = shaped(result, index, LINPRED_WITNESS_COMBINATION);
    const linpred__support *support = support_of(result, index);
    *rows = combination ? combination->by.combination.row : support ? support->row : NULL;
    return combination ? combination->by.combination.count : support ? support->count : 0;
}

const char *linpred_result_claim_integer(const linpred_result *result, size_t index, int64_t entry)
{
    if (!result)
        return NULL;
    const linpred__claim *combination = shaped(result, index, LINPRED_WITNESS_COMBINATION),
                         *direction = shaped(result, index, LINPRED_WITNESS_DIRECTION);
    if (combination && entry >= 0 && entry < combination->by.combination.count)
        return combination->by.combination.weight[entry];
    if (direction && entry >= 0 && entry < direction->by.direction.count)
        return direction->by.direction.entry[entry];
    const linpred__claim *cover = shaped(result, index, LINPRED_WITNESS_COVER);
    if (cover && entry >= 0 && entry < cover->by.cover.direction.count)
        return cover->by.cover.direction.entry[entry];
    const linpred__support *support = support_of(result, index);
    if (support && support->weight && entry >= 0 && entry < support->count)
        return support->weight[entry];
    return NULL;
}

double linpred_result_claim_multiplier(const linpred_result *result, size_t index, int64_t entry, double *tail)
{
    if (!result)
        return (double)NAN;
    const linpred__support *support = support_of(result, index);
    if (!support || entry < 0 || entry >= support->count)
        return NAN;
    if (tail)
        *tail = support->tail[entry];
    return support->multiplier[entry];
}

linpred_margin_norm linpred_result_claim_margin_norm(const linpred_result *result, size_t index)
{
    if (!result)
        return LINPRED_MARGIN_WITH_INTERCEPT;
    const linpred__support *support = support_of(result, index);
    return support && support->without_intercept ? LINPRED_MARGIN_WITHOUT_INTERCEPT : LINPRED_MARGIN_WITH_INTERCEPT;
}

int32_t linpred_result_claim_numbers(const linpred_result *result, size_t index, const double **numbers)
{
    if (!result || !numbers)
        return 0;
    const linpred__claim *weights = shaped(result, index, LINPRED_WITNESS_WEIGHTS),
                         *margin = shaped(result, index, LINPRED_WITNESS_MARGIN),
                         *finite = shaped(result, index, LINPRED_WITNESS_FINITE_PART);
    const linpred__vector *vector = weights  ? &weights->by.weights
                                    : margin ? &margin->by.margin.weights
                                    : finite ? &finite->by.finite.weights
                                             : NULL;
    *numbers = NULL;
    if (vector) {
        *numbers = vector->value;
        return vector->count;
    }
    if (shaped(result, index, LINPRED_WITNESS_VECTOR))
        *numbers = linpred_result_standard_errors(result);
    return *numbers ? result->model.columns + result->model.has_intercept : 0;
}

static const linpred__cover_proof *cover_of(const linpred_result *result, size_t index)
{
    static const linpred__cover_proof none = {0};
    const linpred__claim *claim = shaped(result, index, LINPRED_WITNESS_COVER);
    return claim ? &claim->by.cover : &none;
}

int64_t linpred_result_claim_subsets(const linpred_result *result, size_t index)
{
    if (!result)
        return 0;
    return cover_of(result, index)->subsets;
}

int64_t linpred_result_claim_subset_rows(const linpred_result *result, size_t index, int64_t subset,
                                         const int64_t **rows)
{
    if (!result || !rows)
        return 0;
    const linpred__cover_proof *cover = cover_of(result, index);
    bool there = subset >= 0 && subset < cover->subsets;
    *rows = there ? cover->subset[subset].row : NULL;
    return there ? cover->subset[subset].count : 0;
}

const char *linpred_result_claim_subset_integer(const linpred_result *result, size_t index, int64_t subset,
                                                int64_t entry)
{
    if (!result)
        return NULL;
    const linpred__cover_proof *cover = cover_of(result, index);
    bool there = subset >= 0 && subset < cover->subsets && entry >= 0 && entry < cover->subset[subset].count;
    return there ? cover->subset[subset].weight[entry] : NULL;
}

int64_t linpred_result_claim_nodes(const linpred_result *result, size_t index)
{
    if (!result)
        return 0;
    return cover_of(result, index)->nodes;
}

int64_t linpred_result_claim_node_row(const linpred_result *result, size_t index, int64_t node)
{
    if (!result)
        return 0;
    const linpred__cover_proof *cover = cover_of(result, index);
    return node >= 0 && node < cover->nodes ? cover->node[node].row : 0;
}

int64_t linpred_result_claim_node_subsets(const linpred_result *result, size_t index, int64_t node,
                                          const int64_t **subsets, const double **multipliers)
{
    if (!result || !subsets || !multipliers)
        return 0;
    const linpred__cover_proof *cover = cover_of(result, index);
    bool there = node >= 0 && node < cover->nodes;
    *subsets = there ? cover->node[node].subset : NULL;
    *multipliers = there ? cover->node[node].multiplier : NULL;
    return there ? cover->node[node].count : 0;
}

/* ---- dependencies ------------------------------------------------------------------------------------------------ */

size_t linpred_result_dependency_count(const linpred_result *result)
{
    if (!result)
        return 0;
    return (size_t)linpred__result_dependencies(result)->count;
}

const char *linpred_result_dependency_sentence(const linpred_result *result, size_t index)
{
    if (!result)
        return NULL;
    const linpred__dependencies *dependencies = linpred__result_dependencies(result);
    return index < (size_t)dependencies->count ? dependencies->sentence[index] : NULL;
}

const double *linpred_result_dependency_vector(const linpred_result *result, size_t index)
{
    if (!result)
        return NULL;
    const linpred__dependencies *dependencies = linpred__result_dependencies(result);
    return index < (size_t)dependencies->count ? dependencies->vector + index * (size_t)dependencies->width : NULL;
}

bool linpred_result_dependency_is_exact(const linpred_result *result, size_t index)
{
    if (!result)
        return false;
    const linpred__dependencies *dependencies = linpred__result_dependencies(result);
    return index < (size_t)dependencies->count && dependencies->exact[index];
}

int32_t linpred_result_dependency_gives(const linpred_result *result, size_t index)
{
    if (!result)
        return -1;
    const double *vector = linpred_result_dependency_vector(result, index);
    return vector ? linpred__dependency_last(result->model.recipe, vector) : -1;
}

bool linpred_result_drops_dependent(const linpred_result *result)
{
    return result && linpred__result_dependencies(result)->count > 0 && linpred__result_dependencies(result)->drop;
}

const char *linpred_result_dependency_column(const linpred_result *result, size_t index)
{
    if (!result)
        return NULL;
    int32_t given = linpred_result_dependency_gives(result, index);
    return given < 0 ? NULL : linpred__recipe_column_of(result->model.recipe, given);
}

/* ---- shortcuts to the witnesses that programs ask for most ------------------------------------------------------- */

static const linpred__combination *witness_of(const linpred_result *result)
{
    static const linpred__combination none = {0};
    const linpred__claim *claim = linpred__claims_find(&result->claims, LINPRED_CLAIM_INSEPARABLE);
    claim = claim ? claim : linpred__claims_find(&result->claims, LINPRED_CLAIM_OVERLAPPING);
    return claim ? &claim->by.combination : &none;
}

int64_t linpred_result_witness(const linpred_result *result, const int64_t **rows)
{
    if (!result || !rows)
        return 0;
    *rows = witness_of(result)->row;
    return witness_of(result)->count;
}

const char *linpred_result_witness_weight(const linpred_result *result, int64_t index)
{
    if (!result)
        return NULL;
    const linpred__combination *witness = witness_of(result);
    return index >= 0 && index < witness->count ? witness->weight[index] : NULL;
}

const char *linpred_result_direction(const linpred_result *result, int32_t index)
{
    if (!result)
        return NULL;
    const linpred__claim *claim = linpred__claims_find(&result->claims, LINPRED_CLAIM_SEPARATES);
    claim = claim ? claim : linpred__claims_find(&result->claims, LINPRED_CLAIM_NO_MINIMISER);
    return claim && index >= 0 && index < claim->by.direction.count ? claim->by.direction.entry[index] : NULL;
}
