/* The answer of a least-distance problem, rounded to doubles, with its certified gap.
 *
 * Rounding the multipliers hardly changes the bound ||Σ α z|| / Σ α. With α + δ in place of α, norm and sum grow by the
 * same fraction Σ δ / Σ α to first order, because <w,z_i> = 1 on the support. What is left is ||Σ δ z||² / (2 ||w||²),
 * the square of a rounding error. If the norm of w times that of the rows is beyond about 1e11, this square matters,
 * and a second double, the tail, is added to each multiplier.
 *
 * If Σ α y must be a given number exactly (0 for the free intercept), all multipliers are rounded to integers times one
 * power of two. Then some of these integers are reduced until their signed sum is right.
 */
#include <math.h>
#include <string.h>

#include "core/int128.h"
#include "solve/least_distance/state.h"

typedef linpred__int128 whole;

/* The exponent for which α / 2^exponent is at most 2^bits. Some α must be positive. */
static int common_exponent(const linpred__least_distance *p, int bits)
{
    int largest = -4000;
    for (int64_t i = 0; i < p->best_active; i++) {
        int exponent;
        frexp(p->best_alpha.hi[i], &exponent);
        if (p->best_alpha.hi[i] > 0.0 && exponent > largest)
            largest = exponent;
    }
    return largest - bits;
}

/* a / 2^exponent, rounded to a whole number. */
static whole nearest(linpred__dd a, int exponent)
{
    double hi = ldexp(a.hi, -exponent), lo = ldexp(a.lo, -exponent);
    double top = rint(hi);
    return linpred__int128_of(top) + linpred__int128_of(rint(lo + (hi - top)));
}

/* multiplier + tail = k 2^exponent */
static void split(whole k, int exponent, double *multiplier, double *tail)
{
    double leading = linpred__int128_value(k);
    *multiplier = ldexp(leading, exponent);
    *tail = ldexp(linpred__int128_value(k - linpred__int128_of(leading)), exponent);
}

static whole rounded_multiplier(const linpred__least_distance *p, int64_t i, int exponent)
{
    return nearest((linpred__dd){p->multipliers[i], p->tails[i]}, exponent);
}

static int sign_of(const linpred__least_distance *p, int64_t i)
{
    return linpred__distance_sign(p, p->best_member[i]) > 0.0 ? 1 : -1;
}

/* Subtracts `excess` from the multipliers of the rows with label `sign`. The first round subtracts the same fraction
   from each; two more rounds subtract 1 from each until nothing is left. Multipliers stay positive. */
static void subtract_excess(linpred__least_distance *p, int sign, whole excess, int exponent)
{
    double sum = 0.0;
    for (int64_t i = 0; i < p->best_active; i++)
        if (sign_of(p, i) == sign)
            sum += linpred__int128_value(rounded_multiplier(p, i, exponent));
    double fraction = fmin(1.0, linpred__int128_value(excess) / sum);
    for (int round = 0; round < 3; round++, fraction = 0.0)
        for (int64_t i = 0; i < p->best_active && excess > 0; i++) {
            whole k = rounded_multiplier(p, i, exponent);
            whole part = round == 0 ? linpred__int128_of(linpred__int128_value(k) * fraction) : 1;
            if (sign_of(p, i) != sign || k <= part)
                continue;
            part = part < excess ? part : excess;
            split(k - part, exponent, &p->multipliers[i], &p->tails[i]);
            excess -= part;
        }
}

/* Rounds the multipliers to multiples of 2^exponent with Σ α y = φ b, where φ b is rounded in the same way. Returns
   false if the sum could not be made right. */
static bool round_balanced(linpred__least_distance *p, int bits)
{
    int exponent = common_exponent(p, bits);
    linpred__dd balance = linpred__dd_multiply_double(linpred__dd_get(p->best_w, p->columns), p->phi);
    whole wanted = nearest(balance, exponent);
    for (int64_t i = 0; i < p->best_active; i++) {
        whole k = nearest(linpred__dd_get(p->best_alpha, i), exponent);
        split(k > 0 ? k : 0, exponent, &p->multipliers[i], &p->tails[i]);
    }
    for (int round = 0; round < 4; round++) {
        whole excess = -wanted;
        for (int64_t i = 0; i < p->best_active; i++)
            excess += sign_of(p, i) * rounded_multiplier(p, i, exponent);
        if (excess == 0)
            return true;
        subtract_excess(p, excess > 0 ? 1 : -1, excess > 0 ? excess : -excess, exponent);
    }
    return false;
}

static void round_each(linpred__least_distance *p, bool tails)
{
    for (int64_t i = 0; i < p->best_active; i++) {
        p->multipliers[i] = fmax(0.0, p->best_alpha.hi[i]);
        p->tails[i] = tails && p->multipliers[i] > 0.0 ? p->best_alpha.lo[i] : 0.0;
    }
}

static bool round_multipliers(linpred__least_distance *p, bool tails)
{
    if (p->bordered)
        return round_balanced(p, tails ? 96 : 53);
    round_each(p, tails);
    return true;
}

/* ---- margin and bound -------------------------------------------------------------------------------------------- */

/* ||v||² in the norm of the problem. With `dual`, the square of the dual norm, for v = Σ α z. In a bordered problem the
   square of the intercept's entry has the factor φ in the norm and 1/φ in the dual norm (0 if φ = 0, since that entry
   is then 0). With `homogeneous` the factors are those of the homogeneous form. */
static double squared(const linpred__least_distance *p, linpred__dd_vector v, bool dual, bool homogeneous)
{
    if (!p->bordered)
        return linpred__dd_dot_both(p->width, v, v).hi;
    double entry = v.hi[p->columns];
    double weight = homogeneous ? ldexp(1.0, p->scale) : sqrt(p->phi);
    if (dual)
        entry = weight > 0.0 ? entry / weight : 0.0;
    else
        entry *= weight;
    return linpred__dd_dot_both(p->columns, v, v).hi + entry * entry;
}

/* ||Σ α z|| / Σ α, rounded up, for the rounded multipliers of the `n` rows. d becomes Σ α z. */
static double bound(linpred__least_distance *p, int64_t n, const int64_t *rows, bool homogeneous)
{
    memset(p->d.hi, 0, (size_t)p->width * sizeof(double));
    memset(p->d.lo, 0, (size_t)p->width * sizeof(double));
    double lengths = 0.0;
    linpred__dd sum = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++) {
        linpred__distance_add_row(p, rows[i], p->multipliers[i], p->d);
        linpred__distance_add_row(p, rows[i], p->tails[i], p->d);
        lengths += p->multipliers[i] * p->row[rows[i]].length;
        sum = linpred__dd_add(sum, linpred__two_sum(p->multipliers[i], p->tails[i]));
    }
    double rounding = ((double)n + 4.0) * 0x1p-101 * lengths;
    return (sqrt(squared(p, p->d, true, homogeneous)) + rounding) / sum.hi * (1.0 + 0x1p-48);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Lists the rows with a positive multiplier, ascending. The multipliers are converted to the caller's units, unless
   they would leave the range of doubles; then they are multiplied by another power of two. */
static void list_support(linpred__least_distance *p, int64_t n, const int64_t *rows, linpred__distance_answer *answer)
{
    int exponent, largest = -4000, shift = p->outcome == LINPRED__DISTANCE_INFEASIBLE ? 0 : -2 * p->scale;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        if (p->multipliers[i] <= 0.0)
            continue;
        frexp(p->multipliers[i], &exponent);
        largest = exponent > largest ? exponent : largest;
        double multiplier = p->multipliers[i], tail = p->tails[i];
        int64_t k = kept++;
        for (; k > 0 && p->support_rows[k - 1] > rows[i]; k--) {
            p->support_rows[k] = p->support_rows[k - 1];
            p->multipliers[k] = p->multipliers[k - 1];
            p->tails[k] = p->tails[k - 1];
        }
        p->support_rows[k] = rows[i];
        p->multipliers[k] = multiplier;
        p->tails[k] = tail;
    }
    if (largest + shift > 900)
        shift = 900 - largest;
    if (largest + shift < -700)
        shift = -700 - largest;
    for (int64_t i = 0; i < kept; i++) {
        p->multipliers[i] = ldexp(p->multipliers[i], shift);
        p->tails[i] = ldexp(p->tails[i], shift);
    }
    answer->support = kept;
    answer->rows = p->support_rows;
    answer->multipliers = p->multipliers;
    answer->tails = p->tails;
}

static void list_weights(linpred__least_distance *p, linpred__distance_answer *answer)
{
    for (int64_t j = 0; j < p->columns; j++)
        p->weights[j] = ldexp(p->best_w.hi[j], -p->scale);
    answer->weights = p->weights;
    answer->intercept = 0.0;
    if (p->form != LINPRED__FORM_ORIGIN)
        answer->intercept = p->bordered ? p->best_w.hi[p->columns] : ldexp(p->best_w.hi[p->columns], -p->scale);
}

/* Fills the multipliers of the combination that proves infeasibility: 1 on the entering row, -step on the active rows.
   Returns the number of rows. */
static int64_t list_ray(linpred__least_distance *p)
{
    for (int64_t i = 0; i < p->active; i++) {
        p->multipliers[i] = fmax(0.0, -p->step.hi[i]);
        p->tails[i] = p->multipliers[i] > 0.0 ? -p->step.lo[i] : 0.0;
        p->best_member[i] = p->member[i];
    }
    p->best_member[p->active] = p->entering;
    p->multipliers[p->active] = 1.0;
    p->tails[p->active] = 0.0;
    return p->active + 1;
}

/* The margin bound. Multipliers get tails only if the bound needs them. If nothing is proved, it is infinite and all
   multipliers are 0. */
static double multiplier_bound(linpred__least_distance *p, double length)
{
    bool some = false;
    for (int64_t i = 0; i < p->best_active; i++)
        some = some || p->best_alpha.hi[i] > 0.0;
    double value = INFINITY;
    for (int tails = 0; tails < 2 && some && !(value * length <= 1.0 + 0x1p-44); tails++)
        value = round_multipliers(p, tails) ? bound(p, p->best_active, p->best_member, false) : INFINITY;
    for (int64_t i = 0; i < p->best_active && !isfinite(value); i++)
        p->multipliers[i] = 0.0;
    return value;
}

static double gap_between(double margin, double margin_bound)
{
    if (isinf(margin))
        return 0.0;
    return margin > 0.0 ? fmax(0.0, margin_bound / margin - 1.0) : INFINITY;
}

linpred__distance_answer linpred__least_distance_answer(linpred__least_distance *p)
{
    linpred__distance_answer answer = {.outcome = p->outcome, .steps = p->steps};
    list_weights(p, &answer);
    memset(p->best_w.lo, 0, (size_t)p->width * sizeof(double)); /* from here on, best_w is the answer's w */
    double unit = ldexp(1.0, p->scale);
    double length = sqrt(squared(p, p->best_w, false, false));
    double margin = length > 0.0 ? linpred__distance_smallest_value(p, p->best_w) / length : INFINITY;
    int64_t n = p->best_active;
    double margin_bound;
    if (p->outcome == LINPRED__DISTANCE_INFEASIBLE) {
        n = list_ray(p);
        margin_bound = bound(p, n, p->best_member, true);
    } else {
        margin_bound = multiplier_bound(p, length);
    }
    if (length > 0.0)
        margin -= fabs(margin) * 0x1p-48;
    answer.norm = length / unit;
    answer.margin = margin * unit;
    answer.margin_bound = margin_bound * unit;
    answer.gap = gap_between(margin, margin_bound);
    list_support(p, n, p->best_member, &answer);
    return answer;
}
