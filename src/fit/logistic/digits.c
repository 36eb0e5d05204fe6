/* The model of a fit to many digits: coefficients with tails, dependencies, and what is proved of them; see digits.h.
 */
#include "fit/logistic/digits.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/least_norm.h"
#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"

static bool may_be_refined(const linpred__logistic_problem *problem)
{
    const linpred_data *data = problem->original->data;
    double width = data->columns + problem->has_intercept;
    return !data->stored && width > 0 && data->rows <= LINPRED__FINE_ROWS &&
           ((double)data->rows + width) * width * width <= LINPRED__FINE_WORK;
}

/* ---- dependencies ---- */

/* Keeps the vectors that hold exactly. */
static void keep_exact(linpred__dependencies *dependencies)
{
    int32_t kept = 0;
    size_t width = (size_t)dependencies->width;
    for (int32_t k = 0; k < dependencies->count; k++) {
        if (!dependencies->exact[k])
            continue;
        memmove(dependencies->vector + (size_t)kept * width, dependencies->vector + (size_t)k * width,
                width * sizeof *dependencies->vector);
        dependencies->exact[kept++] = true;
    }
    dependencies->count = kept;
}

/* The vector of a column of the tableau that is 0 in every row of the data. False: it has too many digits for doubles,
   or too large a range. */
static bool read_null_vector(const linpred__fine_fit *fit, int32_t column, double *vector)
{
    mpz_t divisor;
    bool exact = true;
    mpz_init(divisor);
    for (int32_t j = 0; j < fit->width; j++)
        mpz_gcd(divisor, divisor, *linpred__tableau_at(&fit->tableau, fit->rows + j, column));
    for (int32_t j = 0; exact && j < fit->width; j++) {
        mpz_t entry;
        long exponent;
        mpz_init(entry);
        mpz_divexact(entry, *linpred__tableau_at(&fit->tableau, fit->rows + j, column), divisor);
        double fraction = linpred__integer_fraction(entry, &exponent);
        exact = mpz_sgn(entry) == 0 ||
                mpz_sizeinbase(entry, 2) - (size_t)mpz_scan1(entry, 0) <= 53; /* bits from the first 1 to the last */
        vector[j] = ldexp(fraction, (int)(exponent > 3000 ? 3000 : exponent) + fit->shift[j]);
        exact = exact && isfinite(vector[j]);
        mpz_clear(entry);
    }
    mpz_clear(divisor);
    return exact && linpred__has_least_norm(vector, fit->columns);
}

/* All exact dependencies of the columns. *known is false if doubles do not hold them. */
static bool find_exact_dependencies(const linpred__fine_fit *fit, const linpred__dependencies *before,
                                    linpred__dependencies *exact, bool *known)
{
    int32_t count = fit->width - fit->rank, exact_before = 0, next = 0;
    for (int32_t k = 0; k < before->count; k++)
        exact_before += before->exact[k];
    *known = true;
    *exact = (linpred__dependencies){0};
    if (count == 0 || fit->problem->terms.l2 > 0)
        return true;
    bool same = exact_before == count && before->width == fit->width;
    if (!linpred__dependencies_open(exact, same ? before->count : count, fit->width))
        return false;
    if (same) {
        memcpy(exact->vector, before->vector, (size_t)before->count * (size_t)fit->width * sizeof *exact->vector);
        memcpy(exact->exact, before->exact, (size_t)before->count * sizeof *exact->exact);
        exact->drop = before->drop;
        keep_exact(exact);
        return true;
    }
    *known = !fit->problem->terms.drop && (double)count * count * fit->width <= linpred__max_fine_vectors;
    for (int32_t k = 0; *known && k < fit->width; k++)
        if (fit->tableau.basis[k] < 0) {
            *known = read_null_vector(fit, k, exact->vector + (size_t)next * (size_t)fit->width);
            exact->exact[next++] = true;
        }
    return true;
}

/* ---- the coefficients ---- */

/* Rounds the values of the coefficients to two parts, moved to the least norm. */
static bool round_fine(const linpred__fine_fit *fit, const linpred__dependencies *dependencies, linpred__dd *exact,
                       double *parts)
{
    mpf_t rest, part;
    mpf_init2(rest, LINPRED__DIGITS);
    mpf_init2(part, LINPRED__DIGITS);
    for (int32_t j = 0; j < fit->width; j++) {
        mpf_mul_2exp(rest, fit->value[fit->rows + j], (mp_bitcnt_t)fit->shift[j]);
        double first = linpred__digits_double(rest);
        mpf_set_d(part, isfinite(first) ? first : 0.0);
        mpf_sub(rest, rest, part);
        exact[j] = linpred__quick_two_sum(first, linpred__digits_double(rest));
    }
    mpf_clear(rest);
    mpf_clear(part);
    if (dependencies->count > 0 && !linpred__null_space_choose(dependencies, fit->columns, exact))
        return false;
    memset(parts, 0, (size_t)LINPRED__FINE_PARTS * (size_t)fit->width * sizeof *parts);
    for (int32_t j = 0; j < fit->width; j++) {
        parts[j] = exact[j].hi;
        parts[fit->width + j] = exact[j].hi + exact[j].lo == exact[j].hi ? exact[j].lo : 0.0;
    }
    return true;
}

static bool are_doubles(const double *w, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        if (!isfinite(w[j]))
            return false;
    return true;
}

/* The weight of the rows that are wrong at the values. */
static double weigh_errors(const linpred__fine_fit *fit)
{
    const linpred_data *data = fit->problem->original->data;
    linpred__dd sum = {0.0, 0.0};
    int32_t row = 0;
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++, row++)
            if (mpf_sgn(fit->value[row]) * mpf_sgn(fit->sign[row]) <= 0)
                sum = linpred__dd_add_double(sum, linpred__row_weight(&data->block[i], r));
    return sum.hi;
}

/* Takes the answer over. values->tails.value has room for all parts but the first. */
static void take_fine(linpred__fine_fit *fit, const double *parts, linpred__logistic_values *values)
{
    int32_t columns = fit->columns, width = fit->width;
    memcpy(values->w, parts, (size_t)columns * sizeof *parts);
    values->b = width > columns ? parts[columns] : 0.0;
    values->tails.width = width;
    for (int32_t i = width; i < LINPRED__FINE_PARTS * width; i++) {
        values->tails.value[i - width] = parts[i];
        values->tails.count = parts[i] != 0.0 ? i / width : values->tails.count;
    }
    values->errors = weigh_errors(fit);
    mpf_div(fit->objective, fit->objective, fit->mass);
    mpf_div(fit->loss, fit->loss, fit->mass);
    values->objective = linpred__digits_double(fit->objective);
    values->loss = linpred__digits_double(fit->loss);
}

/* Standard errors of the coefficients that can be estimated. */
static bool find_fine_errors(const linpred__fine_fit *fit, const linpred__dependencies *dependencies,
                             linpred__logistic_fine *fine)
{
    double *each = linpred__alloc((size_t)fit->columns + 1, sizeof *each);
    if (!each || !linpred__fine_errors(fit, each)) {
        linpred__release(each);
        return false;
    }
    for (int32_t j = 0; j < fit->width; j++)
        if (!linpred__dependencies_leave(dependencies, fit->columns, j))
            each[j] = NAN;
    if (fit->width == fit->columns)
        each[fit->columns] = NAN;
    fine->standard_error = each;
    return true;
}

/* The gap at coefficients of several parts; INFINITY: none is proved, or the loss is too small for figures. */
static double gap_of_rounded(linpred__fine_fit *fit, const double *parts)
{
    double q;
    if (!are_doubles(parts, LINPRED__FINE_PARTS * fit->width))
        return INFINITY;
    linpred__fine_take(fit, parts, LINPRED__FINE_PARTS);
    linpred__fine_evaluate(fit);
    double least = linpred__digits_log2(fit->mass) + linpred__fine_least;
    bool measurable = linpred__digits_log2(fit->loss) >= least && linpred__fine_choose(fit);
    return measurable ? linpred__fine_gap(fit, &q) : (double)INFINITY;
}

/* The first coefficient that is beyond the range of doubles; -1: none is. */
static int32_t find_beyond(const double *w, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        if (isinf(w[j]))
            return j;
    return -1;
}

/* The largest of the coefficients of least norm; 1 if all are 0, the largest double if one is beyond the doubles. */
static double largest_coefficient(const linpred__dd *exact, int32_t columns)
{
    double largest = 0.0;
    for (int32_t j = 0; j < columns; j++)
        largest = isfinite(exact[j].hi) ? fmax(largest, fabs(exact[j].hi)) : DBL_MAX;
    return largest > 0 ? largest : 1.0;
}

/* Rounds each coefficient for itself; if that is too far from the minimum, one after the other, to two parts or to as
   many as it takes. */
static bool round_and_measure(linpred__fine_fit *fit, const linpred__dependencies *dependencies, linpred__dd *exact,
                              double *parts, double *gap)
{
    static const struct {
        bool all;
        int32_t parts;
    } way[] = {{false, 2}, {true, 2}, {false, LINPRED__FINE_PARTS}, {true, LINPRED__FINE_PARTS}};
    size_t ways = sizeof way / sizeof *way, size = (size_t)LINPRED__FINE_PARTS * (size_t)fit->width;
    double *other = linpred__calloc(ways * size, sizeof *other), tolerance = fit->problem->terms.tolerance;
    bool ready = other && round_fine(fit, dependencies, exact, parts);
    bool beyond = false;                                  /* a coefficient is; the last way is then the answer */
    for (size_t k = ways; ready && k-- > 0 && !beyond;) { /* before the values are those of rounded coefficients */
        ready = linpred__fine_round(fit, dependencies, largest_coefficient(exact, fit->columns), way[k].all,
                                    way[k].parts, other + k * size);
        beyond = find_beyond(other + k * size, fit->width) >= 0;
    }
    if (ready && !beyond)
        *gap = gap_of_rounded(fit, parts);
    for (size_t k = beyond ? ways - 1 : 0; ready && k < ways && !(*gap <= tolerance); k++) {
        memcpy(parts, other + k * size, size * sizeof *parts);
        *gap = gap_of_rounded(fit, parts);
    }
    linpred__release(other);
    return ready;
}

/* Minimises, rounds, and measures the rounded coefficients. `parts` has room for all parts. A coefficient of the
   minimum that is beyond the range of doubles is INFINITY there. */
static bool minimise_and_round(linpred__fine_fit *fit, linpred__logistic_found *found, linpred__dd *exact,
                               double *parts, linpred__dependencies *dependencies, double *gap)
{
    bool known;
    *gap = INFINITY;
    bool near = true; /* from far out Newton's method may not come back */
    for (int32_t i = 0; i < fit->rows; i++)
        near = near && fabs(linpred__digits_double(fit->value[i])) <= linpred__fine_start;
    if (!near) {
        memset(parts, 0, (size_t)fit->width * sizeof *parts);
        linpred__fine_take(fit, parts, 1);
    }
    linpred__fine_evaluate(fit);
    if (!linpred__fine_minimise(fit))
        return false;
    if (!(fit->gap <= fit->problem->terms.tolerance))
        return true;
    if (!find_exact_dependencies(fit, &found->null_space.dependencies, dependencies, &known))
        return false;
    return !known || round_and_measure(fit, dependencies, exact, parts, gap);
}

linpred_status linpred__logistic_refine(const linpred__logistic_problem *problem, linpred__logistic_found *found,
                                        linpred__logistic_values *values, linpred__logistic_fine *fine,
                                        linpred_error *error)
{
    if (!may_be_refined(problem))
        return LINPRED_OK;
    size_t width = (size_t)problem->original->data->columns + 1;
    linpred__fine_fit fit;
    linpred__dependencies dependencies = {0};
    double *parts = linpred__calloc((size_t)LINPRED__FINE_PARTS * width, sizeof *parts), gap = INFINITY;
    linpred__dd *exact = linpred__calloc(width, sizeof *exact);
    bool ready = linpred__fine_open(problem, &fit) && parts && exact;
    if (ready) {
        memcpy(parts, values->w, (width - 1) * sizeof *parts);
        parts[width - 1] = values->b;
        if (!are_doubles(parts, fit.width))
            memset(parts, 0, width * sizeof *parts);
        linpred__fine_take(&fit, parts, 1);
        ready = minimise_and_round(&fit, found, exact, parts, &dependencies, &gap);
    }
    if (ready && gap <= problem->terms.tolerance) {
        values->tails.value = linpred__calloc((size_t)LINPRED__FINE_PARTS * width, sizeof(double));
        bool plain = problem->terms.class_weight[0] == 1.0 && problem->terms.class_weight[1] == 1.0;
        ready = values->tails.value && (problem->terms.l2 > 0 || !plain || find_fine_errors(&fit, &dependencies, fine));
        if (ready) {
            take_fine(&fit, parts, values);
            fine->made = true;
            fine->rank = fit.rank;
            found->gap = gap;
            linpred__dependencies_clear(&found->null_space.dependencies);
            found->null_space = (linpred__null_space){.dependencies = dependencies};
            dependencies = (linpred__dependencies){0};
        }
    }
    int32_t beyond = ready && fit.gap <= linpred__fine_enough ? find_beyond(parts, fit.columns) : -1;
    if (beyond >= 0)
        values->w[beyond] = INFINITY;
    linpred__dependencies_clear(&dependencies);
    linpred__fine_close(&fit);
    linpred__release(parts);
    linpred__release(exact);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}
