/* fit regression --loss squared: chooses the way by the data, and turns the solution into coefficients and what is
 * known of them.
 *
 *   m p² <= 10^7            QR in double-double throughout
 *   p <= 1500               Cholesky of the Gram matrix where its condition allows, else QR in doubles; both refined by
 *                           residuals in double-double until w stands still
 *   more columns            conjugate gradients, restarted from residuals in double-double
 */
#include "fit/least_squares/least_squares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/distribution.h"
#include "core/error.h"
#include "core/memory.h"

static const double small_work = 1e7;

static void clear(linpred__squares *squares)
{
    linpred__design_close(&squares->design);
    linpred__release(squares->map);
    linpred__release(squares->w);
    linpred__release(squares->factor);
    linpred__release(squares->null);
}

bool linpred__squares_make_map(linpred__squares *squares)
{
    const linpred__design *design = &squares->design;
    size_t p = (size_t)squares->width, terms = (size_t)design->basis->terms;
    if (squares->penalty == 0.0)
        return true;
    squares->map = linpred__calloc(terms * p, sizeof *squares->map);
    linpred__dd *unit = linpred__calloc(2 * p, sizeof *unit);
    bool complete = squares->map && unit;
    for (size_t k = 0; complete && k < p; k++) {
        unit[k].hi = ldexp(1.0, -design->exponent[k]);
        linpred__polynomial_basis_to_powers(design->basis, unit, unit + p);
        unit[k].hi = 0.0;
        for (size_t j = 0; j < terms; j++)
            squares->map[j * p + k] = unit[p + j];
    }
    linpred__release(unit);
    return complete;
}

linpred_status linpred__squares_residual(linpred__squares *squares, linpred__dd *gradient, linpred_error *error)
{
    size_t p = (size_t)squares->width;
    double *parts = linpred__alloc(2 * p, sizeof *parts);
    if (!parts)
        return linpred__no_memory(error);
    for (size_t j = 0; j < p; j++) {
        parts[j] = squares->w[j].hi;
        parts[p + j] = squares->w[j].lo;
    }
    const linpred__design *design = &squares->design;
    linpred__residual residual = {.width = squares->width,
                                  .has_intercept = design->basis->has_intercept,
                                  .hi = parts,
                                  .lo = parts + p,
                                  .center = design->basis->has_intercept ? design->target_mean : 0.0,
                                  .target_exponent = design->target_exponent,
                                  .expand = design->plain ? NULL : linpred__design_row,
                                  .context = design,
                                  .gradient = gradient};
    if (!squares->fit->fingerprinted)
        residual.fingerprint = &squares->fit->problem.extents.fingerprint;
    linpred_status status = linpred__residual_pass(design->data, design->pool, &residual, error);
    linpred__release(parts);
    if (status != LINPRED_OK)
        return status;
    squares->fit->fingerprinted = true;
    squares->squares = residual.squares;
    squares->absolute = residual.absolute;
    squares->around = residual.around;
    bool diagonal = !squares->map && squares->penalty > 0; /* no map was made: powers and columns are the same */
    for (int32_t j = 0; gradient && diagonal && j < design->basis->terms; j++) {
        double scale = ldexp(squares->penalty, -2 * design->exponent[j]);
        gradient[j] = linpred__dd_add(gradient[j], linpred__dd_multiply_double(squares->w[j], -scale));
    }
    for (int32_t j = 0; gradient && squares->map && j < design->basis->terms; j++) {
        const linpred__dd *row = squares->map + (size_t)j * p;
        linpred__dd u = {0.0, 0.0};
        for (size_t k = 0; k < p; k++)
            u = linpred__dd_add(u, linpred__dd_multiply(row[k], squares->w[k]));
        u = linpred__dd_multiply_double(u, -squares->penalty);
        for (size_t k = 0; k < p; k++)
            gradient[k] = linpred__dd_add(gradient[k], linpred__dd_multiply(row[k], u));
    }
    return LINPRED_OK;
}

/* ---- from the design's coordinates to the user's
 * --------------------------------------------------------------------- */

static linpred__dd scaled(linpred__dd a, int exponent)
{
    return (linpred__dd){ldexp(a.hi, exponent), ldexp(a.lo, exponent)};
}

/* One vector: out of the design's units, `shift` added to the exponent, then to plain powers. */
static void to_user(const linpred__squares *squares, const linpred__dd *from, size_t stride, int shift,
                    linpred__dd *room, linpred__dd *plain)
{
    const linpred__design *design = &squares->design;
    for (int32_t j = 0; j < squares->width; j++)
        room[j] = scaled(from[(size_t)j * stride], shift - design->exponent[j]);
    linpred__polynomial_basis_to_powers(design->basis, room, plain);
}

/* A vector as people know it and in the basis, one behind the other: what is done to the first is done to both, so that
   both stay the same function. `pair` is the part of itself orthogonal to all rows of N, by Gram-Schmidt on N (which is
   changed). */
static void project_out(linpred__dd *null, int32_t count, size_t p, linpred__dd *pair)
{
    for (int32_t i = 0; i < count; i++) {
        linpred__dd *a = null + (size_t)i * 2 * p;
        for (int32_t k = 0; k <= i; k++) {
            linpred__dd *b = null + (size_t)k * 2 * p;
            linpred__dd *target = k < i ? a : pair;
            linpred__dd along = {0.0, 0.0}, square = {0.0, 0.0};
            for (size_t j = 0; j < p; j++) {
                along = linpred__dd_add(along, linpred__dd_multiply(b[j], target[j]));
                square = linpred__dd_add(square, linpred__dd_multiply(b[j], b[j]));
            }
            if (!(square.hi > 0))
                continue;
            linpred__dd part = linpred__dd_negate(linpred__dd_divide(along, square));
            for (size_t j = 0; j < 2 * p; j++)
                target[j] = linpred__dd_add(target[j], linpred__dd_multiply(part, b[j]));
        }
    }
}

/* About the largest entry of the column of each coefficient, in plain powers. */
static void column_sizes(const linpred__design *design, double *size)
{
    const linpred__polynomial_basis *basis = design->basis;
    for (int32_t j = 0; j < design->width; j++)
        size[j] = ldexp(1.0, design->exponent[j]);
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *p = &basis->polynomial[i];
        double most = fabs(p->center[0]) + ldexp(1.0, p->exponent);
        for (int32_t k = 0; k < p->degree; k++)
            size[p->term + k] = pow(most, k + 1);
    }
}

/* Parts of a dependency that are but rounding in the change to plain powers are none. */
static void clean(linpred__dd *n, const double *size, size_t p)
{
    double largest = 0.0;
    for (size_t j = 0; j < p; j++)
        largest = fmax(largest, fabs(n[j].hi) * size[j]);
    for (size_t j = 0; j < p; j++)
        if (fabs(n[j].hi) * size[j] < 0x1p-70 * largest)
            n[j] = (linpred__dd){0.0, 0.0};
}

/* Dependencies in the user's units and in the basis, the largest part about 1. */
static bool keep_dependencies(linpred__squares *squares, linpred__regression *regression, linpred__dd *pairs)
{
    size_t p = (size_t)squares->width;
    if (squares->dependencies == 0)
        return true;
    bool powers = regression->basis.polynomials > 0;
    if (!linpred__regression_dependencies(regression, squares->dependencies) ||
        (powers && !linpred__regression_basis_dependencies(regression)))
        return false;
    double *size = linpred__alloc(p, sizeof *size);
    if (!size)
        return false;
    column_sizes(&squares->design, size);
    for (int32_t k = 0; k < squares->dependencies; k++) {
        linpred__dd *pair = pairs + (size_t)k * 2 * p;
        to_user(squares, squares->null + (size_t)k * p, 1, 0, pair + p, pair);
        if (powers)
            clean(pair, size, p);
        double largest = 0.0;
        for (size_t j = 0; j < p; j++)
            largest = fmax(largest, fabs(pair[j].hi));
        int exponent = largest > 0 ? ilogb(largest) : 0;
        for (size_t j = 0; j < 2 * p; j++)
            pair[j] = scaled(pair[j], -exponent);
        for (size_t j = 0; j < p; j++) {
            regression->dependencies.vector[(size_t)k * p + j] = pair[j].hi;
            if (powers)
                regression->basis_dependency[(size_t)k * p + j] = pair[p + j].hi;
        }
    }
    linpred__release(size);
    return linpred__dependencies_write(&regression->dependencies, squares->fit->result->model.recipe);
}

static void keep_weights(const linpred__squares *squares, linpred__regression *regression, const linpred__dd *plain,
                         const linpred__dd *in_basis)
{
    linpred_model *model = &squares->fit->result->model;
    for (int32_t j = 0; j < squares->width; j++) {
        *(j < model->columns ? &model->w[j] : &model->b) = plain[j].hi;
        regression->tail[j] = plain[j].lo;
        regression->basis_weight[j] = in_basis[j].hi;
        regression->basis_tail[j] = in_basis[j].lo;
    }
}

/* Standard errors s ||row j of S|| in plain powers, and S itself in the basis. A coefficient with a part in a
 * dependency has none. */
static bool keep_factor(const linpred__squares *squares, linpred__regression *regression, double sd, linpred__dd *room)
{
    size_t p = (size_t)squares->width;
    if (!squares->factor)
        return true;
    bool kept = squares->width <= LINPRED__FACTOR_MAX_WIDTH;
    if (kept && !linpred__regression_factor(regression, squares->rank))
        return false;
    regression->rank = squares->rank;
    linpred__dd *square = linpred__calloc(p, sizeof *square);
    double *largest =
        linpred__calloc(p, sizeof *largest); /* of each row of S: squares of 1e-200 or 1e200 leave the range */
    for (int32_t turn = 0; square && largest && turn < 2 * squares->rank; turn++) {
        int32_t k = turn % squares->rank;
        to_user(squares, squares->factor + k, (size_t)squares->rank, 0, room, room + p);
        for (size_t j = 0; j < p; j++) {
            linpred__dd part = room[p + j];
            if (turn < squares->rank) {
                largest[j] = fmax(largest[j], fabs(part.hi));
                if (kept)
                    regression->factor[j * (size_t)squares->rank + (size_t)k] = room[j].hi;
                continue;
            }
            part = scaled(part, largest[j] > 0 ? -ilogb(largest[j]) : 0);
            square[j] = linpred__dd_add(square[j], linpred__dd_multiply(part, part));
        }
    }
    for (size_t j = 0; square && largest && j < p; j++) {
        bool estimable = true;
        for (int32_t k = 0; k < squares->dependencies; k++)
            estimable = estimable && regression->dependencies.vector[(size_t)k * p + j] == 0.0;
        double length = ldexp(linpred__dd_square_root(square[j]).hi, largest[j] > 0 ? ilogb(largest[j]) : 0);
        regression->standard_error[j] = estimable ? sd * length : NAN;
    }
    bool complete = square && largest;
    linpred__release(square);
    linpred__release(largest);
    return complete;
}

static void powers_row(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo)
{
    linpred__polynomial_basis_row(context, block, r, hi, lo);
}

/* Least norm and penalties speak of plain powers: there the fit must hold too, as far as anyone can tell who has the
   coefficients: g = 0 beside the sums it is made of, or ||S'g||² beside the objective. */
static linpred_status holds_in_powers(linpred__squares *squares, const linpred__dd *plain, bool *holds,
                                      linpred_error *error)
{
    const linpred__design *design = &squares->design;
    const linpred_model *model = &squares->fit->result->model;
    size_t p = (size_t)squares->width;
    linpred__polynomial_basis powers = {0};
    linpred__dd *gradient = linpred__calloc(3 * p, sizeof *gradient), *column = gradient ? gradient + p : NULL;
    double *room = linpred__calloc(4 * p, sizeof *room), *size = room ? room + 2 * p : NULL;
    if (!gradient || !room || !linpred__polynomial_basis_make(&powers, model->recipe, model->has_intercept)) {
        linpred__release(gradient);
        linpred__release(room);
        return linpred__no_memory(error);
    }
    for (size_t j = 0; j < p; j++) {
        room[j] = ldexp(plain[j].hi, -design->target_exponent);
        room[p + j] = ldexp(plain[j].lo, -design->target_exponent);
    }
    linpred__residual residual = {.width = squares->width,
                                  .has_intercept = powers.has_intercept,
                                  .hi = room,
                                  .lo = room + p,
                                  .target_exponent = design->target_exponent,
                                  .expand = powers_row,
                                  .context = &powers,
                                  .gradient = gradient,
                                  .size = size};
    linpred_status status = linpred__residual_pass(design->data, design->pool, &residual, error);
    double total = sqrt(residual.around.hi), gap = squares->factor ? 0.0 : (double)INFINITY,
           apart = fabs(sqrt(residual.squares.hi) - sqrt(squares->squares.hi));
    bool perfect =
        squares->penalty == 0.0 && residual.squares.hi <= 0x1p-80 * residual.around.hi; /* no gradient to speak of */
    bool small = true;
    for (size_t j = 0; status == LINPRED_OK && !perfect && j < p; j++) {
        double pull = j < (size_t)model->columns ? squares->penalty : 0.0;
        gradient[j] =
            linpred__dd_add(gradient[j], linpred__dd_multiply_double((linpred__dd){room[j], room[p + j]}, -pull));
        double sum = fmax(size[j] + pull * fabs(room[j]), 1e-6 * (size[p + j] + pull * fabs(room[j])));
        small = small && (fabs(gradient[j].hi) <= 0.25e-9 * sum || sum == 0.0);
    }
    for (int32_t k = 0; status == LINPRED_OK && !small && k < squares->rank; k++) {
        linpred__dd along = {0.0, 0.0};
        to_user(squares, squares->factor + k, (size_t)squares->rank, 0, column, column + p);
        for (size_t j = 0; j < p; j++)
            along = linpred__dd_add(along, linpred__dd_multiply(column[p + j], gradient[j]));
        gap += along.hi * along.hi;
    }
    column_sizes(design, size); /* beyond these nobody can bound S'GS */
    for (size_t j = 0; j < p; j++)
        gap = size[j] < 1e-100 || size[j] > 1e100 ? INFINITY : gap;
    *holds = apart <= 0x1p-42 * total && (small || gap <= 0.25e-9 * residual.squares.hi);
    linpred__polynomial_basis_clear(&powers);
    linpred__release(gradient);
    linpred__release(room);
    return status;
}

/* ---- what is said of it
 * --------------------------------------------------------------------------------------------------- */

static void summarise(linpred__squares *squares, linpred__regression *regression)
{
    linpred_info *info = &squares->fit->result->info;
    const linpred__design *design = &squares->design;
    bool intercept = design->basis->has_intercept;
    double weight = design->weight;
    int unit = design->target_exponent;
    double rss = squares->squares.hi, total = squares->around.hi;
    double df = squares->rank >= 0 ? weight - squares->rank : NAN;
    bool inference = squares->penalty == 0.0 && df > 0 && squares->factor;
    info->mean_squared_error = ldexp(rss / weight, 2 * unit);
    info->mean_absolute_error = ldexp(squares->absolute.hi / weight, unit);
    info->r_squared = total > 0 ? 1.0 - rss / total : NAN;
    info->l2 = regression->l2;
    info->condition = squares->condition;
    info->rank_threshold = squares->threshold;
    info->rank = squares->rank;
    info->unique = squares->rank < 0 ? -1 : squares->rank == squares->width;
    info->method = squares->method;
    regression->degrees_of_freedom = df;
    info->degrees_of_freedom = df;
    if (!inference) {
        snprintf(
            info->reason_no_errors, sizeof info->reason_no_errors, "%s",
            squares->penalty > 0 ? "a penalty moves the coefficients by an amount that the data do not tell"
            : squares->rank < 0  ? "conjugate gradients find neither the rank nor the variances"
            : weight == (double)squares->fit->problem.data->rows
                ? "as many coefficients as rows leave no degrees of freedom"
                : "the total weight is not above the rank, and a weight counts copies: no degrees of freedom are left");
        return;
    }
    info->residual_sd = regression->residual_sd = ldexp(sqrt(rss / df), unit);
    double model_df = squares->rank - (intercept ? 1 : 0);
    if (model_df > 0 && total > 0) {
        info->f_statistic = (total - rss) / model_df / (rss / df);
        info->f_p_value = rss > 0 ? linpred__f_upper(info->f_statistic, model_df, df) : 0.0;
        if (!(rss > 0))
            info->f_statistic = NAN; /* infinite: the fit is perfect */
    }
}

static linpred_status finish(linpred__squares *squares, linpred_error *error)
{
    linpred__fit *fit = squares->fit;
    linpred_model *model = &fit->result->model;
    linpred__regression *regression = model->regression;
    size_t p = (size_t)squares->width;
    linpred__dd *room = linpred__calloc((2 * (size_t)squares->dependencies + 4) * p, sizeof *room);
    if (!room)
        return linpred__no_memory(error);
    summarise(squares, regression);
    linpred__dd *plain = room + 2 * p, *in_basis = room + 3 * p, *null = room + 4 * p;
    bool complete =
        keep_dependencies(squares, regression, null) && keep_factor(squares, regression, regression->residual_sd, room);
    if (complete) {
        to_user(squares, squares->w, 1, squares->design.target_exponent, in_basis, plain);
        project_out(null, squares->dependencies, p, plain);
        if (regression->basis.polynomials > 0) /* rounding may have led the two forms apart */
            linpred__polynomial_basis_to_powers(&regression->basis, in_basis, plain);
        keep_weights(squares, regression, plain, in_basis);
    }
    bool holds = true;
    linpred_status status = complete ? LINPRED_OK : linpred__no_memory(error);
    if (complete && regression->basis.polynomials > 0 && (squares->dependencies > 0 || squares->penalty > 0.0))
        status = holds_in_powers(squares, plain, &holds, error);
    linpred__release(room);
    if (status != LINPRED_OK || !holds)
        return status != LINPRED_OK ? status : linpred__design_lost(&squares->design, error);
    double norm = 0.0;
    for (int32_t j = 0; j < model->columns; j++) {
        norm += model->w[j] * model->w[j];
        if (!isfinite(model->w[j]))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the coefficient of '%.60s' is beyond the range of numbers: "
                                 "change its unit",
                                 linpred__recipe_feature(model->recipe, j));
    }
    fit->result->info.objective =
        fit->result->info.mean_squared_error + (regression->l2 > 0 ? 0.5 * regression->l2 * norm : 0.0);
    fit->result->certificate.claim = LINPRED__CLAIM_LEAST_SQUARES;
    return LINPRED_OK;
}

static void tell(linpred__squares *squares)
{
    const linpred_info *info = &squares->fit->result->info;
    static const char *const how[] = {
        [LINPRED_METHOD_GRAM] = "Cholesky of the Gram matrix, refined by residuals in double-double",
        [LINPRED_METHOD_QR] = "QR, refined by residuals in double-double",
        [LINPRED_METHOD_CG] = "conjugate gradients, restarted from residuals in double-double",
    };
    bool small = squares->method == LINPRED_METHOD_QR && squares->accuracy == 0.0;
    const char *words = small ? "QR in double-double throughout" : how[squares->method];
    if (info->outcome == LINPRED_OUTCOME_LIMIT_REACHED || info->outcome == LINPRED_OUTCOME_STOPPED)
        return;
    if (squares->method == LINPRED_METHOD_CG)
        linpred__fit_end(squares->fit, LINPRED_OUTCOME_OPTIMAL,
                         "%s; the gradient is %.2g of the residual, in columns of length 1; the rank is not known",
                         words, squares->accuracy);
    else if (squares->dependencies > 0 && squares->penalty > 0)
        linpred__fit_end(
            squares->fit, LINPRED_OUTCOME_OPTIMAL,
            "%s; %d of %d columns depend on others and the penalty is lost in rounding beside them: the minimiser of "
            "least norm without it; a larger penalty is needed",
            words, squares->dependencies, squares->width);
    else if (squares->dependencies > 0)
        linpred__fit_end(squares->fit, LINPRED_OUTCOME_OPTIMAL,
                         "%s; %d of %d columns depend on others: of all minimisers, that of least norm", words,
                         squares->dependencies, squares->width);
    else
        linpred__fit_end(squares->fit, LINPRED_OUTCOME_OPTIMAL, "%s", words);
}

static linpred_status solve(linpred__squares *squares, linpred_error *error)
{
    double work = (double)squares->fit->problem.data->rows * squares->width * squares->width;
    if (work <= small_work)
        return linpred__squares_small(squares, error);
    if (squares->width <= LINPRED__SQUARES_MOST)
        return linpred__squares_blocks(squares, error);
    return linpred__squares_gradients(squares, error);
}

linpred_status linpred__fit_least_squares(linpred__fit *fit, linpred_error *error)
{
    linpred__regression *regression = fit->result->model.regression;
    linpred__squares squares = {.fit = fit, .width = regression->width, .rank = -1, .threshold = NAN, .condition = NAN};
    squares.penalty = regression->l2; /* times W/2 once the total weight is known */
    squares.w = linpred__calloc((size_t)regression->width, sizeof *squares.w);
    linpred_status status =
        linpred__design_open(&squares.design, fit->problem.data, &regression->basis, fit->run.pool, error);
    if (status == LINPRED_OK && !squares.w)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = solve(&squares, error);
    if (status == LINPRED_OK) {
        tell(&squares);
        status = finish(&squares, error);
    }
    clear(&squares);
    return status;
}
