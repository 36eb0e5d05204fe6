/* Least squares: chooses a way of solving by the shape of the data (ways.h), and converts the solution to the user's
 * units. */
#include "fit/least_squares/least_squares.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/limits.h"
#include "fit/least_norm.h"
#include "fit/least_squares/exact.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/user_units.h"
#include "fit/least_squares/ways.h"

void linpred__least_squares_clear(linpred__least_squares *answer)
{
    linpred__coefficients_clear(&answer->coefficients);
    linpred__release(answer->factor);
    linpred__release(answer->error_per_sd);
    linpred__release(answer->basis_dependency);
    *answer = (linpred__least_squares){0};
}

/* ---- ways ---- */

static linpred_status solve_small(linpred__squares_objective *objective, double l2, linpred__squares_solution *solution,
                                  linpred_error *error)
{
    linpred_status status = linpred__design_measure(&objective->design, error);
    if (status != LINPRED_OK)
        return status;
    linpred__squares_set_penalty(objective, l2);
    if (!linpred__squares_make_map(objective))
        return linpred__no_memory(error);
    return linpred__squares_by_double_double(objective, solution, error);
}

/* Sums the Gram matrix in the units of the data. If there are polynomials, or if numbers left the range of doubles, the
   design is measured and the matrix is summed in its units. */
static linpred_status sum_gram(linpred__design *design, linpred__squares_gram *gram, linpred_error *error)
{
    linpred_status status = design->plain ? LINPRED_OK : linpred__design_measure(design, error);
    if (status == LINPRED_OK)
        status = linpred__squares_gram_sum(design, gram, error);
    if (status != LINPRED_OK || !design->plain || linpred__squares_gram_in_range(gram))
        return status;
    linpred__squares_gram_clear(gram);
    status = linpred__design_measure(design, error);
    return status == LINPRED_OK ? linpred__squares_gram_sum(design, gram, error) : status;
}

static linpred_status solve_many_rows(linpred__squares_objective *objective, double l2,
                                      linpred__squares_solution *solution, linpred_error *error)
{
    linpred__squares_gram gram = {0};
    double contraction = INFINITY;
    linpred_status status = sum_gram(&objective->design, &gram, error);
    if (status != LINPRED_OK)
        return status;
    linpred__squares_gram_totals(&gram, &objective->design);
    linpred__squares_set_penalty(objective, l2);
    if (linpred__squares_make_map(objective))
        status = linpred__squares_by_gram(objective, &gram, solution, &contraction, error);
    else
        status = linpred__no_memory(error);
    linpred__squares_gram_clear(&gram);
    if (status == LINPRED_OK && !(contraction < LINPRED__SQUARES_MAX_CONTRACTION))
        status = linpred__squares_by_qr(objective, solution, &contraction, error);
    return status == LINPRED_OK ? linpred__squares_refine(objective, contraction, solution, error) : status;
}

static linpred_status solve_many_columns(linpred__squares_objective *objective, double l2,
                                         linpred__squares_solution *solution, linpred_error *error)
{
    linpred__design *design = &objective->design;
    linpred_status status = LINPRED_OK;
    if (linpred__design_needs_units(design))
        status = linpred__design_measure(design, error);
    else
        linpred__design_total(design);
    if (status != LINPRED_OK)
        return status;
    linpred__squares_set_penalty(objective, l2);
    if (objective->penalty > 0 && design->basis.polynomials > 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--l2 with --degree takes at most %d coefficients",
                             LINPRED__SQUARES_MAX_WIDTH);
    return linpred__squares_by_gradients(objective, solution, error);
}

static linpred_status solve_objective(linpred__squares_objective *objective, double l2,
                                      linpred__squares_solution *solution, linpred_error *error)
{
    double width = objective->design.width, work = (double)objective->design.data->rows * width * width;
    if (work <= LINPRED__SQUARES_SMALL_WORK)
        return solve_small(objective, l2, solution, error);
    if (objective->design.width <= LINPRED__SQUARES_MAX_WIDTH)
        return solve_many_rows(objective, l2, solution, error);
    return solve_many_columns(objective, l2, solution, error);
}

/* ---- the answer ---- */

/* Units of the design, as the coefficients of a solution are, to those of the user; `sign` -1: and back. */
static void change_units(const linpred__design *design, int sign, const linpred__dd *from, linpred__dd *to)
{
    for (int32_t j = 0; j < design->width; j++) {
        int exponent = sign * (design->target_exponent - design->exponent[j]);
        to[j] = (linpred__dd){ldexp(from[j].hi, exponent), ldexp(from[j].lo, exponent)};
    }
}

/* One step w <- w + S S' g, then to the least norm again. `scratch` has room for the dependencies and 2 width more. */
static void step_respecting(const linpred__design *design, const linpred__dependencies *dependencies,
                            const linpred__dd *g, linpred__squares_solution *solution, linpred__dd *scratch)
{
    size_t p = (size_t)design->width, rank = (size_t)solution->rank, entries = (size_t)dependencies->count * p;
    linpred__dd *user = scratch + entries, *along = user + p;
    for (size_t i = 0; i < rank; i++) {
        along[i] = (linpred__dd){0.0, 0.0};
        for (size_t j = 0; j < p; j++)
            along[i] = linpred__dd_add(along[i], linpred__dd_multiply(solution->factor[j * rank + i], g[j]));
    }
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < rank; i++)
            solution->w[j] =
                linpred__dd_add(solution->w[j], linpred__dd_multiply(solution->factor[j * rank + i], along[i]));
    for (size_t i = 0; i < entries; i++)
        scratch[i] = (linpred__dd){dependencies->vector[i], 0.0};
    change_units(design, 1, solution->w, user);
    linpred__take_least_norm(scratch, dependencies->count, (size_t)design->basis.terms, p, user);
    change_units(design, -1, user, solution->w);
}

static void take_squares(const linpred__squares_solution *solution, linpred__least_squares *answer)
{
    answer->squares = solution->squares.hi;
    answer->absolute = solution->absolute.hi;
    answer->around = solution->around.hi;
}

/* Sums the residuals again if the least norm was taken along dependencies that hold to rounding only: that moved fitted
   values by a rounding of its own. Steps lead back to the minimum among coefficients that respect the dependencies. */
static linpred_status evaluate_again(const linpred__squares_objective *objective, linpred__squares_solution *solution,
                                     linpred__least_squares *answer, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    const linpred__dependencies *dependencies = &answer->coefficients.dependencies;
    bool moved = false; /* dropped columns have the coefficient 0 from the beginning */
    for (int32_t k = 0; !dependencies->drop && k < dependencies->count; k++)
        moved = moved || !dependencies->exact[k];
    if (!moved || design->basis.polynomials > 0)
        return LINPRED_OK;
    size_t p = (size_t)design->width, entries = (size_t)dependencies->count * p;
    linpred__dd *g = linpred__calloc(2 * p, sizeof *g), *best = g ? g + p : NULL;
    linpred__dd *scratch = linpred__alloc(entries + 2 * p, sizeof *scratch);
    linpred_status status = g && scratch ? LINPRED_OK : linpred__no_memory(error);
    double least = INFINITY;
    if (status == LINPRED_OK)
        change_units(design, -1, answer->coefficients.plain, solution->w);
    for (int i = 0; status == LINPRED_OK && i <= LINPRED__SQUARES_RESPECTING_STEPS; i++) {
        status = linpred__squares_evaluate(objective, solution, g, error);
        if (status != LINPRED_OK || !(solution->squares.hi < least))
            break;
        least = solution->squares.hi;
        memcpy(best, solution->w, p * sizeof *best);
        if (solution->factor && i < LINPRED__SQUARES_RESPECTING_STEPS)
            step_respecting(design, dependencies, g, solution, scratch);
    }
    if (status == LINPRED_OK) {
        memcpy(solution->w, best, p * sizeof *best);
        change_units(design, 1, best, answer->coefficients.plain);
        memcpy(answer->coefficients.in_basis, answer->coefficients.plain, p * sizeof *best);
        status = linpred__squares_evaluate(objective, solution, NULL, error);
    }
    linpred__release(g);
    linpred__release(scratch);
    double before = answer->squares;
    if (status == LINPRED_OK && !(solution->squares.hi <= before * (1.0 + 1e-9) + 0x1p-80 * answer->around))
        return linpred__design_lost(design, error); /* coefficients are too large for what the dependencies leave */
    take_squares(solution, answer);
    return status;
}

/* Replaces the coefficients by those that rationals find, if the problem is small and double-double may have lost
   digits. *solved says whether they did. *lost: what dependencies that hold to rounding only leave is no minimum, or
   its coefficients are too large for double-double. */
static linpred_status solve_exactly(const linpred__squares_objective *objective, linpred__squares_solution *solution,
                                    linpred__least_squares *answer, bool *solved, bool *lost, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    linpred__coefficients *coefficients = &answer->coefficients;
    const linpred__dependencies *dependencies = &coefficients->dependencies;
    bool doubtful = objective->penalty > 0.0 || !(solution->condition <= LINPRED__SQUARES_EXACT_CONDITION);
    for (int32_t k = 0; k < dependencies->count; k++)
        doubtful = doubtful || !dependencies->exact[k];
    *solved = *lost = false;
    if (!doubtful || dependencies->drop || design->basis.polynomials > 0 || !solution->in_double_double)
        return LINPRED_OK;
    linpred__squares_exact exact;
    linpred_status status =
        linpred__squares_exactly(objective, solution, dependencies, coefficients->plain, &exact, error);
    *solved = exact.solved;
    if (status != LINPRED_OK || !exact.solved)
        return status;
    *lost = !(fmax(exact.gap, fmax(exact.pull, exact.fall)) <= LINPRED__SQUARES_EXACT_GAP);
    if (*lost)
        return LINPRED_OK;
    memcpy(coefficients->in_basis, coefficients->plain, (size_t)design->width * sizeof *coefficients->plain);
    change_units(design, -1, coefficients->plain, solution->w);
    status = linpred__squares_evaluate(objective, solution, NULL, error);
    take_squares(solution, answer);
    answer->squares = exact.squares;
    return status;
}

static linpred_status convert(linpred__squares_objective *objective, linpred__squares_solution *solution,
                              const linpred__problem *problem, const linpred__recipe *recipe,
                              linpred__least_squares *answer, bool *lost, linpred_error *error)
{
    linpred__design *design = &objective->design;
    *answer = (linpred__least_squares){.method = solution->method,
                                       .in_double_double = solution->in_double_double,
                                       .converged = solution->converged,
                                       .accuracy = solution->accuracy,
                                       .passes = solution->passes,
                                       .rank = solution->rank,
                                       .condition = solution->condition,
                                       .threshold = solution->threshold,
                                       .weight = design->weight,
                                       .target_exponent = design->target_exponent,
                                       .squares = solution->squares.hi,
                                       .absolute = solution->absolute.hi,
                                       .around = solution->around.hi,
                                       .fingerprint = solution->fingerprint};
    bool holds = true;
    linpred_status status = LINPRED_OK;
    bool absolute = design->target_exponent >= LINPRED__MIN_ABSOLUTE_TARGET_EXPONENT && objective->penalty == 0.0;
    if (design->target_exponent < LINPRED__MIN_TARGET_EXPONENT)
        status =
            linpred__fail(error, LINPRED_ERROR_INPUT,
                          "the targets are too small for least squares, up to about 1e%.0f: their squares are below "
                          "the range of numbers; give them in a smaller unit%s",
                          design->target_exponent * log10(2.0), absolute ? ", or take --loss absolute" : "");
    else if (objective->penalty > 0.0)
        status = linpred__design_check_spread(design, "a penalty", LINPRED__MAX_PENALISED_SPREAD, error);
    else if (solution->dependencies > 0)
        status = linpred__design_check_spread(design, "dependent columns", LINPRED__MAX_DEPENDENT_SPREAD, error);
    if (status == LINPRED_OK)
        status = linpred__design_check_coefficients(design, error);
    if (status == LINPRED_OK)
        status = linpred__squares_to_user(objective, solution, problem, recipe, answer, error);
    bool solved = false;
    if (status == LINPRED_OK)
        status = solve_exactly(objective, solution, answer, &solved, lost, error);
    if (status != LINPRED_OK || *lost)
        return status;
    if (!solved && solution->condition > LINPRED__SQUARES_MAX_CONDITION)
        return linpred__design_lost(design, error);
    if (!solved)
        status = evaluate_again(objective, solution, answer, error);
    if (status == LINPRED_OK && design->basis.polynomials > 0 &&
        (solution->dependencies > 0 || objective->penalty > 0.0))
        status =
            linpred__squares_hold_in_powers(objective, solution, recipe, answer->coefficients.plain, &holds, error);
    if (status != LINPRED_OK || !holds)
        return status != LINPRED_OK ? status : linpred__design_lost(design, error);
    linpred__coefficients_take_basis(&answer->coefficients, design);
    return linpred__coefficients_check_range(&answer->coefficients, recipe, error);
}

linpred_status linpred__ask_least_squares(linpred__run *run, const linpred__problem *problem,
                                          const linpred__recipe *recipe, double l2, bool drop,
                                          linpred__least_squares *answer, linpred_error *error)
{
    linpred__squares_objective objective = {.drop = drop};
    linpred__squares_solution solution = {0};
    linpred_status status =
        linpred__design_open(&objective.design, run, problem->data, recipe, problem->has_intercept, error);
    if (status == LINPRED_OK && drop && objective.design.width > LINPRED__SQUARES_MAX_WIDTH)
        status =
            linpred__fail(error, LINPRED_ERROR_USAGE,
                          "--dependent drop takes at most %d coefficients, here are %d: for more of them dependent "
                          "columns are not looked for",
                          LINPRED__SQUARES_MAX_WIDTH, objective.design.width);
    if (status == LINPRED_OK && !linpred__squares_solution_open(&solution, objective.design.width))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = solve_objective(&objective, l2, &solution, error);
    bool lost = false;
    if (status == LINPRED_OK)
        status = convert(&objective, &solution, problem, recipe, answer, &lost, error);
    if (status == LINPRED_OK && lost) {
        objective.as_is = true;
        linpred__least_squares_clear(answer);
        linpred__squares_solution_clear(&solution);
        bool opened = linpred__squares_solution_open(&solution, objective.design.width);
        status = opened ? linpred__squares_by_double_double(&objective, &solution, error) : linpred__no_memory(error);
        if (status == LINPRED_OK)
            status = convert(&objective, &solution, problem, recipe, answer, &lost, error);
        if (status == LINPRED_OK && lost)
            status = linpred__design_lost(&objective.design, error);
    }
    linpred__squares_solution_clear(&solution);
    linpred__squares_objective_clear(&objective);
    return status;
}
