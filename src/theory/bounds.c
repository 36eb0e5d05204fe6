/* Bounds of learning theory with explicit constants: VC dimensions, sample sizes, and bounds on the true error from the
 * error on a sample. D is the VC dimension, m the number of rows, H a finite class.
 *
 * Sample sizes. With probability 1-δ over m rows:
 *   separable   m >= max(4/ε log2(2/δ), 8D/ε log2(13/ε)); every member without errors on the rows has a true error <= ε
 *   agnostic    m >= 64/ε² (2D ln(12/ε) + ln(4/δ)); a member with the fewest errors is within ε of the best
 *   finite      m >= 2 range² (ln|H| + ln(2/δ))/ε²; a member with the least mean loss is within ε of the least loss.
 *               With d features, an intercept and b bits for each number, ln|H| = b(d+1) ln 2.
 *
 * Bounds on the true error. With probability 1-δ, where S = Σ_{k<=D} C(2m,k):
 *   uniform     error <= error on the rows + sqrt(8/m (ln 4S + ln(1/δ)))
 *   consistent  error <= 2/m (log2 S + log2(2/δ)), if there is no error on the rows
 *   fresh       error <= error on the rows + sqrt(ln(1/δ)/(2m)), if the rows were not used in the fit
 *
 * "finite" is Hoeffding's inequality at ε/2 and the union bound over |H| members. "uniform" solves 4 S exp(-ε²m/8) = δ
 * for ε, and "consistent" solves 2 S 2^(-εm/2) = δ.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "linpred/linpred.h"
#include "theory/vc_dimension.h"

/* The sentence of all sample sizes for the separable case. */
static const char of_consistent[] =
    "if some member of the class makes no error at all: with probability 1-δ every member without an error on "
    "the rows has a true error of at most ε";

/* Rounds up to a whole number of rows. ε and δ are decimals that were rounded to doubles, so a value that exceeds a
   whole number by less than one part in 2^52 counts as that number. From 2^53 on, the result is the next double. */
static double whole_rows(long double value)
{
    if (value >= 0x1p53L) {
        double rows = (double)value;
        return (long double)rows < value ? nextafter(rows, INFINITY) : rows;
    }
    long double rows = floorl(value);
    if (value - rows > value * 0x1p-52L)
        rows += 1;
    return rows < 1 ? 1.0 : (double)rows;
}

/* ---- the list ------------------------------------------------------------------------------------------------ */

enum { MAX_BOUNDS = 3 };

struct linpred_bounds {
    size_t count;
    linpred_bound bound[MAX_BOUNDS];
};

size_t linpred_bounds_count(const linpred_bounds *bounds)
{
    if (!bounds)
        return 0;
    return bounds->count;
}

bool linpred_bounds_get(const linpred_bounds *bounds, size_t index, linpred_bound *bound)
{
    if (!bounds || !bound)
        return false;
    return index < bounds->count && linpred__struct_fill(bound, &bounds->bound[index], sizeof *bound);
}

void linpred_bounds_free(linpred_bounds *bounds)
{
    linpred__release(bounds);
}

/* Copies the list into memory of its own. */
static linpred_status hand_out(const linpred_bounds *made, linpred_bounds **bounds, linpred_error *error)
{
    linpred_bounds *kept = linpred__alloc(1, sizeof *kept);
    if (!kept)
        return linpred__no_memory(error);
    *kept = *made;
    *bounds = kept;
    return LINPRED_OK;
}

/* Fails if the number of rows overflowed. */
static linpred_status check_rows(const linpred_bound *bound, linpred_error *error)
{
    if (isfinite(bound->value))
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE,
                         "the number of rows is beyond 1e308: epsilon is too small, or the class too large");
}

/* ---- VC dimension ------------------------------------------------------------------------------------------------ */

linpred_status linpred_vc_dimension(linpred_class class_asked, int64_t dimension, bool has_intercept,
                                    linpred_bound *bound, linpred_error *error)
{
    LINPRED__NEEDS(bound);
    linpred_status status = linpred__struct_check(bound, "linpred_bound", error);
    if (status != LINPRED_OK)
        return status;
    bool ball = class_asked == LINPRED_CLASS_BALL;
    if (!ball && class_asked != LINPRED_CLASS_HALFSPACE)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the class is %d, which is no class of predictors",
                             (int)class_asked);
    if (dimension < 1 || dimension > INT64_MAX / 4)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "give the number of features, 1 or more, with --dimension N");
    if (ball && !has_intercept)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--no-intercept has no meaning for balls: their centre is free");
    linpred_bound made = {
        .name = "vc",
        .value = (double)linpred__vc_dimension(dimension, has_intercept),
        .formula = has_intercept ? "d + 1" : "d",
        .says =
            ball ? "0, e_1 .. e_d are shattered; of any d + 2 points two groups have hulls that meet, and a ball that "
                   "holds the one with the larger weighted sum of |x|² holds a point of the other"
            : has_intercept
                ? "0, e_1 .. e_d are shattered; of any d + 2 points two groups have hulls that meet, and no halfspace "
                  "tells these apart"
                : "e_1 .. e_d are shattered; any d + 1 points have a sum Σ a_i x_i = 0, and no w has the sign of a_i "
                  "on each x_i",
        .source = ball            ? "Dudley 1979"
                  : has_intercept ? "Radon 1921; Cover 1965"
                                  : "Cover 1965",
    };
    snprintf(made.numbers, sizeof made.numbers, has_intercept ? "%lld + 1" : "%lld", (long long)dimension);
    linpred__struct_fill(bound, &made, sizeof made);
    return LINPRED_OK;
}

/* ---- sample sizes ------------------------------------------------------------------------------------------------ */

/* "separable" and "agnostic" for the VC dimension d. */
static void vc_sizes(long double d, const linpred_options *options, linpred_bound bound[2])
{
    long double e = options->epsilon, delta = options->delta;
    long double few = 4 / e * log2l(2 / delta), many = 8 * d / e * log2l(13 / e);
    long double agnostic = 64 / (e * e) * (2 * d * logl(12 / e) + logl(4 / delta));
    bound[0] = (linpred_bound){
        .name = "separable",
        .value = whole_rows(few > many ? few : many),
        .formula = "max(4/ε log2(2/δ), 8D/ε log2(13/ε))",
        .says = of_consistent,
        .source = "Blumer, Ehrenfeucht, Haussler and Warmuth 1989, Theorem 2.1",
    };
    snprintf(bound[0].numbers, sizeof bound[0].numbers,
             "max(4/%g log2(2/%g), 8*%.0Lf/%g log2(13/%g)) = max(%.10Lg, %.10Lg)", options->epsilon, options->delta, d,
             options->epsilon, options->epsilon, few, many);
    bound[1] = (linpred_bound){
        .name = "agnostic",
        .value = whole_rows(agnostic),
        .formula = "64/ε² (2D ln(12/ε) + ln(4/δ))",
        .says = "with probability 1-δ a member of the class with the fewest errors on the rows has a true error within "
                "ε of the best in the class",
        .source = "Anthony and Bartlett 1999, Theorem 5.2",
    };
    snprintf(bound[1].numbers, sizeof bound[1].numbers, "64/%g² (2*%.0Lf ln(12/%g) + ln(4/%g)) = %.10Lg",
             options->epsilon, d, options->epsilon, options->delta, agnostic);
}

/* "finite" for log_size = ln|H| and a loss between 0 and loss_range. `size` is ln|H| as text. */
static linpred_bound finite_size(long double log_size, const char *name, const char *size,
                                 const linpred_options *options)
{
    long double e = options->epsilon, range = options->loss_range;
    long double rows = 2 * range * range * (log_size + logl(2 / (long double)options->delta)) / (e * e);
    linpred_bound bound = {
        .name = name,
        .value = whole_rows(rows),
        .formula = "2 range² (ln|H| + ln(2/δ))/ε²",
        .says = "with probability 1-δ a member of the class with the least mean loss on the rows has an expected loss "
                "within ε of the least in the class",
        .source = "Hoeffding 1963 and the union bound; Shalev-Shwartz and Ben-David 2014, Corollary 4.6",
    };
    snprintf(bound.numbers, sizeof bound.numbers, "2*%g² (%s + ln(2/%g))/%g² = %.10Lg", options->loss_range, size,
             options->delta, options->epsilon, rows);
    return bound;
}

/* The separable case of a finite class: m >= (ln|H| + ln(1/δ))/ε. */
static linpred_bound finite_separable(const linpred_options *options)
{
    long double rows =
        (logl(options->hypotheses) + logl(1 / (long double)options->delta)) / (long double)options->epsilon;
    linpred_bound bound = {
        .name = "separable",
        .value = whole_rows(rows),
        .formula = "(ln|H| + ln(1/δ))/ε",
        .says = of_consistent,
        .source = "Blumer, Ehrenfeucht, Haussler and Warmuth 1987",
    };
    snprintf(bound.numbers, sizeof bound.numbers, "(ln %g + ln(1/%g))/%g = %.10Lg", options->hypotheses, options->delta,
             options->epsilon, rows);
    return bound;
}

/* Exactly one of --vc, --dimension and --hypotheses must be given; --bits needs --dimension. An option that would be
   ignored is an error. */
static linpred_status check_class(const linpred_options *options, linpred_error *error)
{
    bool vc = options->vc > 0, dimension = options->dimension > 0, bits = options->bits > 0,
         finite = options->hypotheses > 0;
    if (vc + dimension + finite == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "name the class with --dimension N, --vc N or --hypotheses N%s",
                             bits ? "; --bits goes with --dimension" : "");
    if (vc + dimension + finite > 1 || (bits && !dimension))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s",
                             bits && !dimension ? "--bits goes with --dimension"
                                                : "--dimension, --vc and --hypotheses exclude each other");
    if (finite && !(options->hypotheses >= 1))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--hypotheses takes a number that is 1 or more");
    if (!dimension && options->no_intercept)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--no-intercept has no meaning without --dimension");
    if ((!dimension || bits) && options->class_asked != LINPRED_CLASS_HALFSPACE)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--class has no meaning %s",
                             bits ? "for regression" : "without --dimension");
    if (!(bits || finite) && options->loss_range != 1.0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--range goes with --bits or --hypotheses; errors are 0 or 1");
    if (!(options->loss_range > 0) || !isfinite(options->loss_range))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--range takes a finite number above 0");
    return LINPRED_OK;
}

static linpred_status make_sizes(const linpred_options *options, linpred_bound *made, size_t *count,
                                 linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    size_t n = 0;
    char size[80];
    if (options->hypotheses > 0) {
        if (options->loss_range == 1.0)
            made[n++] = finite_separable(options);
        snprintf(size, sizeof size, "ln %g", options->hypotheses);
        made[n++] = finite_size(logl(options->hypotheses), "agnostic", size, options);
    } else if (options->bits > 0) {
        long double numbers = (long double)options->dimension + !options->no_intercept;
        snprintf(size, sizeof size, "%lld*%.0Lf ln 2", (long long)options->bits, numbers);
        made[n++] = finite_size((long double)options->bits * numbers * logl(2), "regression", size, options);
        made[0].formula =
            options->no_intercept ? "2 range² (b d ln 2 + ln(2/δ))/ε²" : "2 range² (b (d+1) ln 2 + ln(2/δ))/ε²";
    } else {
        linpred_bound vc = {.struct_size = sizeof vc, .value = (double)options->vc};
        if (options->dimension > 0)
            status = linpred_vc_dimension(options->class_asked, options->dimension, !options->no_intercept, &vc, error);
        vc_sizes(vc.value, options, made);
        n = 2;
    }
    for (size_t k = 0; k < n && status == LINPRED_OK; k++)
        status = check_rows(&made[k], error);
    *count = n;
    return status;
}

linpred_status linpred_sample_size(const linpred_options *options, linpred_bounds **bounds, linpred_error *error)
{
    LINPRED__NEEDS(options, bounds);
    linpred_bounds made = {0};
    linpred_status status = linpred__options_check_for(options, LINPRED__FOR(SAMPLE_SIZE), "sample sizes", error);
    if (status == LINPRED_OK)
        status = check_class(options, error);
    if (status == LINPRED_OK)
        status = make_sizes(options, made.bound, &made.count, error);
    return status == LINPRED_OK ? hand_out(&made, bounds, error) : status;
}

/* ---- from the error on rows to the true error -------------------------------------------------------------------- */

/* ln Σ_{k<=top} C(n,k). With s_k = Σ_{j<=k} C(n,j) / C(n,k) the recursion is s_{k+1} = 1 + s_k (k+1)/(n-k), so that no
   term overflows. */
static long double log_binomial_sum(long double n, int64_t top)
{
    if ((long double)top >= n)
        return n * logl(2);
    long double log_term = 0, sum = 1;
    for (int64_t k = 0; k < top; k++) {
        long double ratio = (n - (long double)k) / ((long double)k + 1);
        log_term += logl(ratio);
        sum = 1 + sum / ratio;
    }
    return log_term + logl(sum);
}

/* Adds "uniform"; "consistent" if there is no error on the rows; "fresh" if these are not the rows of the fit. */
static void add_bounds(const linpred_generalization *made, double delta, linpred_bounds *bounds)
{
    long double m = made->rows, log_delta = logl(1 / (long double)delta);
    long double log_growth = log_binomial_sum(2 * m, made->vc_dimension);
    linpred_bound *bound = bounds->bound;
    *bound = (linpred_bound){
        .name = "uniform",
        .value = (double)(made->error + sqrtl(8 / m * (logl(4) + log_growth + log_delta))),
        .formula = "error on the rows + sqrt(8/m (ln 4S + ln(1/δ))), S = Σ_{k<=D} C(2m,k)",
        .says = "with probability 1-δ, whichever member of the class was chosen by looking at the rows; the rows must "
                "be independent draws, and the class, its columns included, must have been fixed before looking at "
                "them",
        .source = "Vapnik and Chervonenkis 1971 (Anthony and Bartlett 1999, Theorem 4.3); S by Sauer 1972",
    };
    snprintf(bound->numbers, sizeof bound->numbers, "%.6g + sqrt(8/%.0f (ln 4 + %.6Lg + ln(1/%g)))", made->error,
             made->rows, log_growth, delta);
    if (made->error == 0.0) {
        *++bound = (linpred_bound){
            .name = "consistent",
            .value = (double)(2 / m * (log_growth / logl(2) + log2l(2 / (long double)delta))),
            .formula = "2/m (log2 S + log2(2/δ)), S = Σ_{k<=D} C(2m,k)",
            .says = "with probability 1-δ, for whichever member of the class without an error on the rows was chosen "
                    "by looking at them, under the same conditions",
            .source = "Blumer, Ehrenfeucht, Haussler and Warmuth 1989, appendix; S by Sauer 1972",
        };
        snprintf(bound->numbers, sizeof bound->numbers, "2/%.0f (%.6Lg + log2(2/%g))", made->rows, log_growth / logl(2),
                 delta);
    }
    bounds->count = (size_t)(bound - bounds->bound) + 1;
    if (made->same_data)
        return;
    *++bound = (linpred_bound){
        .name = "fresh",
        .value = (double)(made->error + sqrtl(log_delta / (2 * m))),
        .formula = "error on the rows + sqrt(ln(1/δ)/(2m))",
        .says = "with probability 1-δ, if the rows are independent draws and none of them was used in the fit",
        .source = "Hoeffding 1963",
    };
    snprintf(bound->numbers, sizeof bound->numbers, "%.6g + sqrt(ln(1/%g)/(2*%.0f))", made->error, delta, made->rows);
    bounds->count++;
}

linpred_status linpred_generalize(const linpred_result *result, const linpred_data *data,
                                  const linpred_options *options, linpred_generalization *generalization,
                                  linpred_bounds **bounds, linpred_error *error)
{
    LINPRED__NEEDS(result, data, options, generalization, bounds);
    const linpred_model *model = linpred_result_model(result);
    linpred_evaluation on_rows = {.struct_size = sizeof on_rows};
    linpred_check *check = NULL;
    /* A caller may pass the options of the fit; only options of other questions are errors. */
    const linpred__scopes other_questions =
        LINPRED__FOR(POINTS) | LINPRED__FOR(VC) | LINPRED__FOR(SAMPLE_SIZE) | LINPRED__FOR(GENERATE);
    linpred_status status = linpred__struct_check(generalization, "linpred_generalization", error);
    if (status == LINPRED_OK)
        status = linpred__options_check_for(options, ~other_questions, "a bound from the error on rows", error);
    if (status == LINPRED_OK && linpred_model_task(model) == LINPRED_TASK_REGRESSION)
        status = linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "the bound is about errors of 0 or 1, and this model is a regression; see bounds sample-size --bits");
    if (status == LINPRED_OK)
        status = linpred_evaluate(model, data, (int)options->threads, &on_rows, error);
    if (status == LINPRED_OK)
        status = linpred_verify(result, data, (int)options->threads, &check, error);
    if (status != LINPRED_OK)
        return status;
    bool same_data = linpred_check_same_data(check);
    linpred_check_free(check);
    if (on_rows.weight != floor(on_rows.weight))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the weights sum to %.17g, but the bound needs a whole number of rows", on_rows.weight);
    linpred_generalization made = {
        .rows = on_rows.weight,
        .error = on_rows.error,
        .vc_dimension = linpred__vc_dimension(linpred_model_columns(model), linpred_model_has_intercept(model)),
        .same_data = same_data,
    };
    linpred_bounds list = {0};
    add_bounds(&made, options->delta, &list);
    status = hand_out(&list, bounds, error);
    if (status == LINPRED_OK)
        linpred__struct_fill(generalization, &made, sizeof made);
    return status;
}
