/* Projections onto the span of the active rows, at the accuracy of double-doubles, from the triangle R alone.
 *
 * With the active rows as the columns of A and R'R = A'A, the projection of a vector z is found by repeated correction:
 *     δ = R^-1 R'^-1 A'd,   c <- c + δ,   d <- d - A δ,       from c = 0, d = z,
 * until A'd = 0. A'd and A δ are products with the rows themselves, in double-double, so errors of R cost more rounds,
 * never digits: a round leaves a fraction of A'd of about the condition number times the unit roundoff of the solves.
 * That is why A'A is never formed: its roundoff would enter by the square of the condition number.
 */
#include <math.h>
#include <string.h>

#include "solve/least_distance/state.h"
#include "solve/limits.h"

static const double VIOLATION_ALLOWED = 0x1p-46; /* by active rows, where more digits are not to be had */

static double norm_of(int64_t n, linpred__dd_vector x)
{
    return sqrt(linpred__dot(n, x.hi, x.hi));
}

/* |z| + Σ |c_i| |z_i|: what rounding errors in d are relative to. */
static double magnitude(const linpred__least_distance *p, double length, linpred__dd_vector c)
{
    double sum = length;
    for (int64_t i = 0; i < p->active; i++)
        sum += fabs(c.hi[i]) * p->row[p->member[i]].length;
    return sum;
}

static void products(linpred__least_distance *p, linpred__dd_vector d, bool exact_input)
{
    for (int64_t i = 0; i < p->active; i++) {
        linpred__dd g = {0.0, 0.0};
        if (exact_input) /* d is a vector of doubles still: the first round corrects at plain precision */
            g.hi = linpred__distance_value(p, p->member[i], d.hi);
        else
            g = linpred__distance_careful_value(p, p->member[i], d);
        linpred__dd_set(p->g, i, g);
    }
}

/* vector += sign A g */
static void add_rows(const linpred__least_distance *p, double sign, linpred__dd_vector g, linpred__dd_vector vector)
{
    for (int64_t i = 0; i < p->active; i++) {
        linpred__distance_add_row(p, p->member[i], sign * g.hi[i], vector);
        linpred__distance_add_row(p, p->member[i], sign * g.lo[i], vector);
    }
}

/* g <- R^-1 R'^-1 g; answers |R'^-1 g|, the length of the part of d that lay in the span. */
static double solve(linpred__least_distance *p)
{
    linpred__triangle_solve_transposed(&p->r, p->g, p->careful);
    double size = norm_of(p->active, p->g);
    linpred__triangle_solve(&p->r, p->g, p->careful);
    return size;
}

static void clear(linpred__dd_vector vector, int64_t n)
{
    memset(vector.hi, 0, (size_t)n * sizeof(double));
    memset(vector.lo, 0, (size_t)n * sizeof(double));
}

/* Projects d (holding z, of plain doubles) into c and d; false if the corrections do not shrink. */
static bool correct(linpred__least_distance *p, double length, linpred__dd_vector c, linpred__dd_vector d)
{
    clear(c, p->active);
    double before = INFINITY;
    for (int round = 0; round < LINPRED__REFINEMENT_ROUNDS && p->active > 0; round++) {
        products(p, d, round == 0);
        double size = solve(p);
        if (!isfinite(size))
            return false;
        for (int64_t i = 0; i < p->active; i++)
            linpred__dd_set(c, i, linpred__dd_add(linpred__dd_get(c, i), linpred__dd_get(p->g, i)));
        add_rows(p, -1.0, p->g, d);
        if (size <= 0x1p-44 * norm_of(p->width, d) || size <= 0x1p-96 * magnitude(p, length, c))
            return true;
        if (round > 1 && size > 0.25 * before)
            return false;
        before = size;
    }
    return p->active == 0;
}

/* Projects a row, or for row -1 the intercept's axis, with R's leading parts if these will do. */
static bool project(linpred__least_distance *p, int64_t row, linpred__dd_vector c, linpred__dd_vector d)
{
    for (;;) {
        clear(d, p->width);
        if (row < 0)
            d.hi[p->columns] = 1.0;
        else
            linpred__distance_add_row(p, row, 1.0, d);
        if (correct(p, row < 0 ? 1.0 : p->row[row].length, c, d))
            return true;
        if (p->careful)
            return false;
        p->careful = true;
    }
}

/* c and d of one row, and ρ = ||d||; `dependent` if d is nothing but rounding: the row lies in the span. */
bool linpred__distance_project_row(linpred__least_distance *p, int64_t row, linpred__dd *rho, bool *dependent)
{
    if (!project(p, row, p->c, p->d))
        return false;
    *rho = linpred__dd_square_root(linpred__dd_dot_both(p->width, p->d, p->d));
    *dependent = rho->hi <= 0x1p-88 * magnitude(p, p->row[row].length, p->c);
    return true;
}

/* ---- the border: an intercept with a weight of its own ----------------------------------------------------------- */

static linpred__dd one_minus_phi(const linpred__least_distance *p)
{
    return linpred__two_sum(1.0, -p->phi);
}

/* φ + (1-φ) <y, border>, and <y, border> = 1 - axis_intercept. */
static linpred__dd pivot(const linpred__least_distance *p)
{
    linpred__dd part = linpred__dd_add_double(linpred__dd_negate(linpred__dd_get(p->axis, p->columns)), 1.0);
    return linpred__dd_add_double(linpred__dd_multiply(one_minus_phi(p), part), p->phi);
}

/* The projection of the intercept's axis, kept until the active set changes. */
static bool make_border(linpred__least_distance *p)
{
    if (!p->bordered || p->border_current)
        return true;
    p->border_current = project(p, -1, p->border, p->axis);
    return p->border_current;
}

/* From the projection of the entering row to the direction of the dual step, α_A - t step, and of the primal one, w + t
   d. `curvature` is the rate at which the entering row's value rises with t.

   Not bordered: step = c, and the curvature is ||d||². Bordered: with β the rate of b, the active rows keep their
   values if A'd + β y = 0 in the columns, and Σ α y = φ b if y_p - <y,c> = φ β. So step = c + β (1-φ) border, where β =
   d_intercept / (φ + (1-φ) <y, border>), and the curvature is ||d||² (columns) + φ β². */
bool linpred__distance_direct(linpred__least_distance *p, linpred__dd *curvature)
{
    memcpy(p->step.hi, p->c.hi, (size_t)p->active * sizeof(double));
    memcpy(p->step.lo, p->c.lo, (size_t)p->active * sizeof(double));
    if (!p->bordered) {
        *curvature = linpred__dd_dot_both(p->width, p->d, p->d);
        return true;
    }
    if (!make_border(p))
        return false;
    linpred__dd beta = linpred__dd_divide(linpred__dd_get(p->d, p->columns), pivot(p));
    linpred__dd multiple = linpred__dd_multiply(beta, one_minus_phi(p));
    linpred__dd_add_multiple_both(p->active, multiple, p->border, p->step);
    linpred__dd_add_multiple_both(p->columns, multiple, p->axis, p->d);
    linpred__dd_set(p->d, p->columns, beta);
    linpred__dd weight = linpred__dd_multiply(beta, linpred__dd_multiply_double(beta, p->phi));
    *curvature = linpred__dd_add(linpred__dd_dot_both(p->columns, p->d, p->d), weight);
    return true;
}

/* ---- the active equations ---------------------------------------------------------------------------------------- */

/* g <- 1 - <z_i, w>; answers the largest. */
static double residuals(linpred__least_distance *p)
{
    double largest = 0.0;
    for (int64_t i = 0; i < p->active; i++) {
        linpred__dd value = linpred__distance_careful_value(p, p->member[i], p->w);
        linpred__dd_set(p->g, i, linpred__dd_add_double(linpred__dd_negate(value), 1.0));
        largest = fmax(largest, fabs(p->g.hi[i]));
    }
    return largest;
}

static linpred__dd signed_sum(const linpred__least_distance *p, linpred__dd_vector x)
{
    linpred__dd sum = {0.0, 0.0};
    for (int64_t i = 0; i < p->active; i++) {
        linpred__dd term = linpred__dd_get(x, i);
        sum = linpred__dd_add(sum, linpred__distance_sign(p, p->member[i]) > 0.0 ? term : linpred__dd_negate(term));
    }
    return sum;
}

static double total(const linpred__least_distance *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < p->active; i++)
        sum += fabs(p->alpha.hi[i]);
    return sum;
}

/* φ b - Σ α y, in bordered problems. */
static linpred__dd imbalance(const linpred__least_distance *p)
{
    linpred__dd wanted = linpred__dd_multiply_double(linpred__dd_get(p->w, p->columns), p->phi);
    return linpred__dd_add(wanted, linpred__dd_negate(signed_sum(p, p->alpha)));
}

/* From u = (A'A)^-1 (residuals), in g, to the change of the multipliers, left in g; answers the change of b. With h the
   imbalance, δα and δb solve  A'A δα + ((1-φ) δb - h) y = residuals  and  <y, δα> = h + φ δb. */
static linpred__dd border_correction(linpred__least_distance *p)
{
    linpred__dd h = imbalance(p);
    linpred__dd part = linpred__dd_multiply(h, linpred__dd_get(p->axis, p->columns)); /* h (1 - <y, border>) */
    linpred__dd change = linpred__dd_divide(linpred__dd_add(signed_sum(p, p->g), linpred__dd_negate(part)), pivot(p));
    linpred__dd weighted = linpred__dd_multiply(change, one_minus_phi(p));
    linpred__dd_add_multiple_both(p->active, linpred__dd_add(h, linpred__dd_negate(weighted)), p->border, p->g);
    return change;
}

/* Whether the active equations hold within `tolerance`, or as far as double-doubles can tell. Fills g. */
static bool settled(linpred__least_distance *p, double tolerance, double *largest)
{
    double length = 0.0;
    for (int64_t i = 0; i < p->active; i++)
        length = fmax(length, p->row[p->member[i]].length);
    tolerance = fmax(tolerance, 0x1p-96 * length * norm_of(p->width, p->w));
    *largest = residuals(p);
    double unbalanced = p->bordered ? fabs(imbalance(p).hi) : 0.0;
    return *largest <= tolerance && unbalanced <= tolerance * total(p);
}

/* g <- the change of the multipliers that makes up for the residuals in g; α and w change by it. Answers its length in
   the orthonormal basis, the measure that shrinks from round to round: residuals themselves need not at first. */
static double correct_active(linpred__least_distance *p)
{
    double size = solve(p);
    linpred__dd intercept = {0.0, 0.0};
    if (p->bordered)
        intercept = linpred__dd_add(linpred__dd_get(p->w, p->columns), border_correction(p));
    for (int64_t i = 0; i < p->active; i++)
        linpred__dd_set(p->alpha, i, linpred__dd_add(linpred__dd_get(p->alpha, i), linpred__dd_get(p->g, i)));
    add_rows(p, 1.0, p->g, p->w);
    if (p->bordered)
        linpred__dd_set(p->w, p->columns, intercept);
    return size;
}

/* Brings the active rows' values to 1 within `tolerance`: α <- α + (A'A)^-1 (1 - A'w), w <- w + A (the same). Both α
   and w are corrected, not computed from one another, so each ends with its own last digits right. */
bool linpred__distance_refine(linpred__least_distance *p, double tolerance)
{
    double before = INFINITY, largest;
    if (!make_border(p))
        return false;
    for (int round = 0; round < LINPRED__REFINEMENT_ROUNDS; round++) {
        if (settled(p, tolerance, &largest))
            return true;
        double size = correct_active(p);
        if (size > 0.25 * before) {
            if (p->careful)
                return largest <= VIOLATION_ALLOWED;
            p->careful = true;
            size = INFINITY; /* a fresh start for the comparison */
        }
        before = size;
    }
    return false;
}

/* w <- A α afresh. Rows that left with a multiplier of zero but for rounding have left that rounding behind in w. */
void linpred__distance_rebuild(linpred__least_distance *p)
{
    linpred__dd intercept = {0.0, 0.0};
    if (p->bordered)
        intercept = linpred__dd_get(p->w, p->columns);
    clear(p->w, p->width);
    add_rows(p, 1.0, p->alpha, p->w);
    if (p->bordered)
        linpred__dd_set(p->w, p->columns, intercept);
}
