/* Claims from a certificate, for learners that write one; a certificate from claims, for a checker that reads one. */
#include <math.h>
#include <string.h>

#include "model/adapter.h"
#include "core/error.h"
#include "core/memory.h"

static char *copy(const char *text)
{
    return text ? linpred__copy_text(text, strlen(text)) : NULL;
}

static bool copy_combination(const linpred__combination *from, linpred__combination *to)
{
    bool whole = linpred__combination_open(to, from->count);
    for (int64_t i = 0; whole && i < from->count; i++) {
        to->row[i] = from->row[i];
        to->weight[i] = copy(from->weight[i]);
        whole = to->weight[i] != NULL;
    }
    return whole;
}

static bool copy_support(const linpred__support *from, linpred__support *to)
{
    to->usual = from->usual;
    if (from->count == 0)
        return true;
    if (!linpred__support_open(to, from->count))
        return false;
    for (int64_t i = 0; i < from->count; i++) {
        to->row[i] = from->row[i];
        to->multiplier[i] = from->multiplier[i];
        to->tail[i] = from->tail[i];
    }
    return true;
}

static bool copy_direction(const linpred__direction *from, linpred__direction *to)
{
    return from->count == 0 || linpred__direction_copy(from, to);
}

static bool copy_cover(const linpred__cover_proof *from, linpred__cover_proof *to)
{
    bool whole = from->nodes == 0 ||
                 (linpred__cover_proof_subsets(to, from->subsets) && linpred__cover_proof_nodes(to, from->nodes));
    for (int64_t s = 0; whole && s < to->subsets; s++) {
        whole = linpred__subset_rows(&to->subset[s], from->subset[s].rows);
        for (int64_t i = 0; whole && i < to->subset[s].rows; i++) {
            to->subset[s].row[i] = from->subset[s].row[i];
            to->subset[s].weight[i] = copy(from->subset[s].weight[i]);
            whole = to->subset[s].weight[i] != NULL;
        }
    }
    for (int64_t k = 0; whole && k < to->nodes; k++) {
        const linpred__node *node = &from->node[k];
        to->node[k].row = node->row;
        whole = linpred__node_multipliers(&to->node[k], node->count);
        for (int64_t i = 0; whole && i < node->count; i++) {
            to->node[k].subset[i] = node->subset[i];
            to->node[k].multiplier[i] = node->multiplier[i];
        }
    }
    return whole;
}

/* The parts of a certificate as witnesses; borrowed. */
static linpred__combination combination_of(const linpred__certificate *certificate)
{
    return (linpred__combination){certificate->witnesses, certificate->witness_row, certificate->witness_weight};
}

static linpred__support support_of(const linpred__certificate *certificate)
{
    return (linpred__support){certificate->supports, certificate->support_row, certificate->multiplier,
                              certificate->tail, certificate->claim == LINPRED__CLAIM_LARGEST_USUAL_MARGIN};
}

/* What the learner set out to show. */
static bool add_main(linpred_result *result)
{
    const linpred__certificate *certificate = &result->certificate;
    linpred_info *info = &result->info;
    linpred__claims *claims = &result->claims;
    const linpred__combination combination = combination_of(certificate);
    const linpred__support support = support_of(certificate);
    const linpred__direction direction = {certificate->directions, certificate->direction};
    switch (certificate->claim) {
    case LINPRED__CLAIM_SEPARATES:
        return copy_direction(&direction, &linpred__claims_add(claims, LINPRED_CLAIM_SEPARATES, true)->by.direction);
    case LINPRED__CLAIM_ERRORS:
        linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, true);
        return true;
    case LINPRED__CLAIM_INSEPARABLE: /* by the witness, which any claim may bring */
        return true;
    case LINPRED__CLAIM_LARGEST_USUAL_MARGIN:
        info->usual_margin_bound = certificate->bound;
        __attribute__((fallthrough));
    case LINPRED__CLAIM_LARGEST_MARGIN:
        linpred__claims_add(claims, LINPRED_CLAIM_SEPARATES, true);
        return copy_support(&support, &linpred__claims_add(claims, LINPRED_CLAIM_LARGEST_MARGIN, true)->by.support);
    case LINPRED__CLAIM_MARGIN_AT_MOST:
        info->margin_bound = certificate->bound;
        return copy_support(&support, &linpred__claims_add(claims, LINPRED_CLAIM_MARGIN_AT_MOST, true)->by.support);
    case LINPRED__CLAIM_NO_MINIMISER:
        return copy_direction(&direction, &linpred__claims_add(claims, LINPRED_CLAIM_NO_MINIMISER, true)->by.direction);
    case LINPRED__CLAIM_OVERLAPPING:
        return copy_combination(&combination,
                                &linpred__claims_add(claims, LINPRED_CLAIM_OVERLAPPING, true)->by.combination);
    case LINPRED__CLAIM_FEWEST_ERRORS:
        linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, true);
        info->cost_negative = certificate->class_weight[0];
        info->cost_positive = certificate->class_weight[1];
        return copy_cover(&certificate->search,
                          &linpred__claims_add(claims, LINPRED_CLAIM_FEWEST_ERRORS, true)->by.cover);
    case LINPRED__CLAIM_LEAST_SQUARES: /* regressions and logistic fits add their claims themselves */
    case LINPRED__CLAIM_LEAST_ABSOLUTE:
    case LINPRED__CLAIM_LOGISTIC_OPTIMUM:
        return true;
    }
    return true;
}

/* Every figure that is stated has a claim that states it. */
static void add_for_figures(linpred_result *result)
{
    const linpred_info *info = &result->info;
    linpred__claims *claims = &result->claims;
    if (!isnan(info->errors))
        linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, false);
    if (!isnan(info->objective))
        linpred__claims_add(claims, LINPRED_CLAIM_OBJECTIVE, false);
    if (!isnan(info->margin) || !isnan(info->margin_without_intercept))
        linpred__claims_add(claims, LINPRED_CLAIM_MARGIN, false);
    if (!isnan(info->lower_bound))
        linpred__claims_add(claims, LINPRED_CLAIM_FEWEST_ERRORS, false);
    if (!isnan(info->update_bound) || !isnan(info->norm))
        linpred__claims_add(claims, LINPRED_CLAIM_UPDATE_BOUND, false);
    else if (!isnan(info->margin_bound) && !linpred__claims_find(claims, LINPRED_CLAIM_LARGEST_MARGIN))
        linpred__claims_add(claims, LINPRED_CLAIM_MARGIN_AT_MOST, false);
}

linpred_status linpred__claims_of_certificate(linpred_result *result, linpred_error *error)
{
    const linpred__certificate *certificate = &result->certificate;
    linpred__claims *claims = &result->claims;
    const linpred__combination combination = combination_of(certificate);
    const linpred__support support = support_of(certificate);
    bool whole = add_main(result);
    if (whole && !isnan(result->info.gap) && certificate->supports > 0 &&
        certificate->claim == LINPRED__CLAIM_SEPARATES) /* a margin that is proved to be near the largest */
        whole = copy_support(&support, &linpred__claims_add(claims, LINPRED_CLAIM_LARGEST_MARGIN, false)->by.support);
    else if (whole && !isnan(result->info.margin_bound) && certificate->supports > 0 &&
             certificate->claim == LINPRED__CLAIM_SEPARATES)
        whole = copy_support(&support, &linpred__claims_add(claims, LINPRED_CLAIM_MARGIN_AT_MOST, false)->by.support);
    if (whole && certificate->witnesses > 0 && certificate->claim != LINPRED__CLAIM_OVERLAPPING)
        whole = copy_combination(&combination,
                                 &linpred__claims_add(claims, LINPRED_CLAIM_INSEPARABLE, true)->by.combination);
    add_for_figures(result);
    return whole ? LINPRED_OK : linpred__no_memory(error);
}

/* ---- the other way ------------------------------------------------------------------------------------------------
 */

static linpred__certificate_claim old_claim(const linpred_result *result)
{
    static const struct {
        linpred_claim_kind kind;
        linpred__certificate_claim claim;
    } order[] = {
        {LINPRED_CLAIM_LEAST_SQUARES, LINPRED__CLAIM_LEAST_SQUARES},
        {LINPRED_CLAIM_LEAST_ABSOLUTE, LINPRED__CLAIM_LEAST_ABSOLUTE},
        {LINPRED_CLAIM_NO_MINIMISER, LINPRED__CLAIM_NO_MINIMISER},
        {LINPRED_CLAIM_OVERLAPPING, LINPRED__CLAIM_OVERLAPPING},
        {LINPRED_CLAIM_FEWEST_ERRORS, LINPRED__CLAIM_FEWEST_ERRORS},
        {LINPRED_CLAIM_LARGEST_MARGIN, LINPRED__CLAIM_LARGEST_MARGIN},
        {LINPRED_CLAIM_LOGISTIC_OPTIMUM, LINPRED__CLAIM_LOGISTIC_OPTIMUM},
        {LINPRED_CLAIM_MARGIN_AT_MOST, LINPRED__CLAIM_MARGIN_AT_MOST},
        {LINPRED_CLAIM_SEPARATES, LINPRED__CLAIM_SEPARATES},
        {LINPRED_CLAIM_ERRORS, LINPRED__CLAIM_ERRORS},
        {LINPRED_CLAIM_INSEPARABLE, LINPRED__CLAIM_INSEPARABLE},
    };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const linpred__claim *claim = linpred__claims_find(&result->claims, order[i].kind);
        if (!claim || !claim->main)
            continue;
        if (claim->kind == LINPRED_CLAIM_LARGEST_MARGIN && claim->by.support.usual)
            return LINPRED__CLAIM_LARGEST_USUAL_MARGIN;
        if (claim->kind == LINPRED_CLAIM_LOGISTIC_OPTIMUM && isnan(result->info.gap_tolerance))
            return LINPRED__CLAIM_ERRORS;
        return order[i].claim;
    }
    return LINPRED__CLAIM_ERRORS;
}

static double old_bound(const linpred_result *result, linpred__certificate_claim claim)
{
    switch (claim) {
    case LINPRED__CLAIM_LARGEST_MARGIN:
    case LINPRED__CLAIM_MARGIN_AT_MOST:
        return result->info.margin_bound;
    case LINPRED__CLAIM_LARGEST_USUAL_MARGIN:
        return result->info.usual_margin_bound;
    case LINPRED__CLAIM_LOGISTIC_OPTIMUM:
        return result->info.gap_tolerance;
    case LINPRED__CLAIM_FEWEST_ERRORS:
        return result->info.lower_bound;
    default:
        return NAN;
    }
}

static bool take_witness(const linpred__claim *claim, linpred__certificate *certificate)
{
    linpred__combination combination = {0};
    linpred__support support = {0};
    linpred__direction direction = {0};
    bool whole = true;
    switch (linpred_claim_witness(claim->kind)) {
    case LINPRED_WITNESS_COMBINATION:
        whole = copy_combination(&claim->by.combination, &combination);
        certificate->witnesses = combination.count;
        certificate->witness_row = combination.row;
        certificate->witness_weight = combination.weight;
        return whole;
    case LINPRED_WITNESS_SUPPORT:
        whole = copy_support(&claim->by.support, &support);
        certificate->supports = support.count;
        certificate->support_row = support.row;
        certificate->multiplier = support.multiplier;
        certificate->tail = support.tail;
        return whole;
    case LINPRED_WITNESS_DIRECTION:
        whole = copy_direction(&claim->by.direction, &direction);
        certificate->directions = direction.count;
        certificate->direction = direction.entry;
        return whole;
    case LINPRED_WITNESS_COVER:
        return copy_cover(&claim->by.cover, &certificate->search);
    case LINPRED_WITNESS_FINGERPRINT:
        certificate->fingerprint = claim->by.fingerprint;
        return true;
    default:
        return true;
    }
}

linpred_status linpred__certificate_of_claims(linpred_result *result, linpred_error *error)
{
    linpred__certificate *certificate = &result->certificate;
    const linpred_info *info = &result->info;
    linpred__certificate_clear(certificate);
    certificate->claim = old_claim(result);
    certificate->errors = info->errors;
    certificate->bound = old_bound(result, certificate->claim);
    bool logistic = result->model.task == LINPRED_TASK_LOGISTIC;
    certificate->l2 = logistic && certificate->claim != LINPRED__CLAIM_NO_MINIMISER && !isnan(info->l2) ? info->l2 : 0;
    bool costs = certificate->claim == LINPRED__CLAIM_FEWEST_ERRORS;
    double each[2] = {costs ? info->cost_negative : info->class_weight_negative,
                      costs ? info->cost_positive : info->class_weight_positive};
    for (int k = 0; k < 2; k++)
        certificate->class_weight[k] = isnan(each[k]) ? 1.0 : each[k];
    bool support_of_main = false;
    for (int32_t i = 0; i < result->claims.count; i++) {
        const linpred__claim *claim = &result->claims.claim[i];
        bool support = linpred_claim_witness(claim->kind) == LINPRED_WITNESS_SUPPORT;
        if (support && (!claim->main || support_of_main))
            continue;
        support_of_main = support_of_main || support;
        if (!take_witness(claim, certificate))
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}
