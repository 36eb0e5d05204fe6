/* Least absolute deviations: searches for the vertex (search.h) and converts it to the user's units. */
#include "fit/least_absolute/least_absolute.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_absolute/limits.h"
#include "fit/limits.h"
#include "fit/least_absolute/search.h"
#include "fit/least_absolute/stated.h"

void linpred__least_absolute_clear(linpred__least_absolute *answer)
{
    linpred__coefficients_clear(&answer->coefficients);
    linpred__support_clear(&answer->support);
    *answer = (linpred__least_absolute){0};
}

/* Fails if a dependency has no part of any feature left in the user's units: powers such as (1e300)² are no doubles,
   and their parts are 0. A model could not state it. */
static linpred_status check_parts(const linpred__design *design, const linpred__dependencies *dependencies,
                                  linpred_error *error)
{
    for (int32_t k = 0; k < dependencies->count; k++) {
        const double *vector = dependencies->vector + (int64_t)k * dependencies->width;
        bool some = false, finite = true;
        for (int32_t j = 0; j < dependencies->width; j++) {
            some = some || (j < design->basis.terms && vector[j] != 0.0);
            finite = finite && isfinite(vector[j]);
        }
        if (!some || !finite)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "columns depend on each other, but how is beyond the range of numbers, since their "
                                 "powers are: change the units of the columns, or ask for a lower --degree");
    }
    return LINPRED_OK;
}

/* Scales a pair by a power of two so that the largest part of a feature in its first half is between 1 and 2: products
   with coefficients then stay in range. */
static void normalise_pair(linpred__dd *pair, size_t terms, size_t p)
{
    double largest = 0.0;
    for (size_t j = 0; j < terms; j++)
        largest = fmax(largest, fabs(pair[j].hi));
    int exponent = largest > 0.0 && isfinite(largest) ? ilogb(largest) : 0;
    for (size_t j = 0; exponent != 0 && j < 2 * p; j++)
        pair[j] = (linpred__dd){ldexp(pair[j].hi, -exponent), ldexp(pair[j].lo, -exponent)};
}

/* Writes coefficients and dependencies in the user's units and plain powers. The vertex has 0 for columns that
   depend on those before them; unless these are dropped, the coefficients are those of least norm that fit the same. */
static linpred_status convert_vectors(const linpred__design *design, const linpred__problem *problem,
                                      const linpred__recipe *recipe, const linpred__deviation_search *search, bool drop,
                                      linpred__coefficients *coefficients, linpred_error *error)
{
    size_t p = (size_t)design->width, count = (size_t)search->span.dependencies;
    linpred__dependencies *dependencies = &coefficients->dependencies;
    linpred__dd *pairs = linpred__alloc(2 * (count + 1) * p, sizeof *pairs); /* each in plain powers, in the basis */
    bool complete = linpred__coefficients_open(coefficients, design->width) && pairs &&
                    (count == 0 || linpred__dependencies_open(dependencies, (int32_t)count, design->width));
    for (size_t k = 0; complete && k < count; k++) {
        linpred__dd *pair = pairs + 2 * k * p;
        linpred__design_to_user(design, search->span.null + k * p, 1, 0, pair + p, pair);
        normalise_pair(pair, (size_t)design->basis.terms, p);
        for (size_t j = 0; j < p; j++)
            dependencies->vector[k * p + j] = pair[j].hi;
    }
    linpred_status status = complete ? check_parts(design, dependencies, error) : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        dependencies->drop = drop;
        linpred__design_to_user(design, search->proof.w, 1, design->target_exponent, coefficients->in_basis,
                                coefficients->plain);
        if (design->basis.polynomials == 0) /* powers are not tested, and the vertex would lose its rows to rounding */
            status = linpred__coefficients_choose(design, problem, recipe, pairs, coefficients, error);
    }
    linpred__release(pairs);
    return status;
}

/* Writes the support with row numbers of the file. */
static bool convert_support(const linpred_data *data, const linpred__deviation_proof *proof, linpred__support *support)
{
    if (!linpred__support_open(support, (int64_t)proof->supports))
        return false;
    for (size_t i = 0; i < proof->supports; i++) {
        support->row[i] = linpred_data_source_row(data, proof->support[i].row);
        support->multiplier[i] = proof->support[i].dual.hi;
        support->tail[i] = proof->support[i].dual.lo;
    }
    return true;
}

static linpred_status convert(linpred__deviations *question, const linpred__problem *problem,
                              const linpred__recipe *recipe, linpred__deviation_search *search, bool drop,
                              linpred__least_absolute *answer, linpred_error *error)
{
    linpred__design *design = &question->design;
    const linpred__deviation_proof *proof = &search->proof; /* changes as the coefficients are stated */
    bool known = !search->span.unknown;
    *answer = (linpred__least_absolute){.effort = search->effort,
                                        .rank = known ? search->span.rank : -1,
                                        .unique = known ? proof->unique && search->span.dependencies == 0 : -1,
                                        .gap = proof->gap,
                                        .duals_prove = known && proof->fault <= LINPRED__DEVIATIONS_TOLERANCE,
                                        .target_exponent = design->target_exponent,
                                        .weight = proof->weight,
                                        .loss = proof->loss,
                                        .absolute = proof->absolute,
                                        .squares = proof->squares};
    answer->proved = known && fmax(proof->fault, proof->gap) <= LINPRED__DEVIATIONS_TOLERANCE;
    linpred_status status = convert_vectors(design, problem, recipe, search, drop, &answer->coefficients, error);
    if (status == LINPRED_OK)
        status = linpred__coefficients_check_range(&answer->coefficients, recipe, error);
    if (status == LINPRED_OK)
        status = linpred__deviations_as_stated(question, search, answer, error);
    if (status == LINPRED_OK && !convert_support(design->data, proof, &answer->support))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        linpred__coefficients_take_basis(&answer->coefficients, design);
    return status;
}

linpred_status linpred__ask_least_absolute(linpred__run *run, const linpred__problem *problem,
                                           const linpred__recipe *recipe, double quantile, bool drop,
                                           linpred__least_absolute *answer, linpred_error *error)
{
    linpred__deviations question = {.quantile = quantile};
    linpred__deviation_search search = {0};
    linpred__design *design = &question.design;
    linpred_status status = linpred__design_open(design, run, problem->data, recipe, problem->has_intercept, error);
    if (status == LINPRED_OK && design->width > LINPRED__DEVIATIONS_MAX_WIDTH)
        status = linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "--loss absolute takes at most %d coefficients, here are %d: choose some with --features, or take "
            "--loss squared",
            LINPRED__DEVIATIONS_MAX_WIDTH, design->width);
    if (status == LINPRED_OK) {
        question.scratch = linpred__calloc(2 * (size_t)design->width, sizeof *question.scratch);
        status = question.scratch ? LINPRED_OK : linpred__no_memory(error);
    }
    if (status == LINPRED_OK && linpred__design_needs_units(design))
        status = linpred__design_measure(design, error);
    if (status == LINPRED_OK && design->target_exponent < LINPRED__MIN_ABSOLUTE_TARGET_EXPONENT)
        status = linpred__fail(error, LINPRED_ERROR_INPUT,
                               "the targets are too small for a regression, up to about 1e%.0f: give them in a smaller "
                               "unit",
                               design->target_exponent * log10(2.0));
    if (status == LINPRED_OK)
        status = linpred__deviations_search(&question, &search, error);
    if (status == LINPRED_OK)
        status = linpred__design_check_coefficients(design, error);
    if (status == LINPRED_OK && search.span.dependencies > 0)
        status = linpred__design_check_spread(design, "dependent columns", LINPRED__MAX_DEPENDENT_SPREAD, error);
    if (status == LINPRED_OK)
        status = convert(&question, problem, recipe, &search, drop, answer, error);
    linpred__deviation_search_clear(&search);
    linpred__release(question.scratch);
    linpred__design_close(design);
    return status;
}
