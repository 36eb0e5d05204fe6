/* Projections onto the span of the active rows in double-double, by iterative refinement with the triangle R.
 *
 * The active rows are the columns of A, and R'R = A'A. The projection z = A c + d starts with c = 0, d = z and repeats
 *     δ = R^-1 R'^-1 A'd,   c <- c + δ,   d <- d - A δ
 * until A'd = 0. A'd and A δ are products with the rows themselves, in double-double. So errors of R cost more rounds,
 * but no digits. A round leaves a fraction of A'd of about the condition number of A times the roundoff of the solves.
 * If A'A were formed and factored, its roundoff would count with the square of the condition number.
 */
#include <math.h>
#include <string.h>

#include "solve/least_distance/state.h"
#include "solve/limits.h"

static double norm_of(int64_t n, linpred__dd_vector x)
{
    return sqrt(linpred__dot(n, x.hi, x.hi));
}

/* ||z|| + Σ |c_i| ||z_i||, to which the rounding errors of d = z - Σ c_i z_i are relative. */
static double magnitude(const linpred__least_distance *p, double length, linpred__dd_vector c)
{
    double sum = length;
    for (int64_t i = 0; i < p->active; i++)
        sum += fabs(c.hi[i]) * p->row[p->member[i]].length;
    return sum;
}

/* g <- R^-1 R'^-1 g. Returns ||R'^-1 g||, the length of the part of d in the span of A. */
static double solve(linpred__least_distance *p)
{
    linpred__triangle_solve_transposed(&p->r, p->g, p->careful);
    double size = norm_of(p->active, p->g);
    linpred__triangle_solve(&p->r, p->g, p->careful);
    return size;
}

static void clear_vector(linpred__dd_vector vector, int64_t n)
{
    memset(vector.hi, 0, (size_t)n * sizeof(double));
    memset(vector.lo, 0, (size_t)n * sizeof(double));
}

/* Projects z, a vector of doubles that is passed in d, and fills c and d. `length` is ||z||. Returns false if the
   corrections do not shrink to a quarter in each round. */
static bool correct(linpred__least_distance *p, double length, linpred__dd_vector c, linpred__dd_vector d)
{
    clear_vector(c, p->active);
    double before = INFINITY;
    for (int round = 0; round < LINPRED__REFINEMENT_ROUNDS && p->active > 0; round++) {
        linpred__distance_active_values(p, d, round == 0, p->g); /* at first d has no trailing parts */
        double size = solve(p);
        if (!isfinite(size))
            return false;
        for (int64_t i = 0; i < p->active; i++)
            linpred__dd_set(c, i, linpred__dd_add(linpred__dd_get(c, i), linpred__dd_get(p->g, i)));
        linpred__distance_add_active(p, -1.0, p->g, d);
        if (size <= 0x1p-44 * norm_of(p->width, d) || size <= 0x1p-96 * magnitude(p, length, c))
            return true;
        if (round > 1 && size > 0.25 * before)
            return false;
        before = size;
    }
    return p->active == 0;
}

/* Projects a row, or the unit vector of the intercept if row is -1. The solves use the leading parts of R first, and R
   in double-double if these do not converge. */
static bool project(linpred__least_distance *p, int64_t row, linpred__dd_vector c, linpred__dd_vector d)
{
    for (;;) {
        clear_vector(d, p->width);
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

/* φ + (1-φ) <y, border>, where <y, border> = 1 - (the intercept's entry of axis). */
static linpred__dd pivot(const linpred__least_distance *p)
{
    linpred__dd part = linpred__dd_add_double(linpred__dd_negate(linpred__dd_get(p->axis, p->columns)), 1.0);
    return linpred__dd_add_double(linpred__dd_multiply(one_minus_phi(p), part), p->phi);
}

/* Computes border and axis, unless they belong to the current active set. */
static bool make_border(linpred__least_distance *p)
{
    if (!p->bordered || p->border_current)
        return true;
    p->border_current = project(p, -1, p->border, p->axis);
    return p->border_current;
}

/* Not bordered: step = c, d stays as it is, and the curvature is ||d||².

   Bordered: b changes at the rate β. The active rows keep their values if A'd + β y = 0, with A and d in the columns
   alone. Σ α y = φ b is kept if y_p - <y,step> = φ β. Both hold for
       step = c + β (1-φ) border,   β = d_intercept / (φ + (1-φ) <y, border>),
   and d changes by β (1-φ) axis in the columns. The curvature is ||d||² (columns) + φ β². */
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

/* g <- 1 - <z_i, w> for the active rows. Returns the largest absolute value. */
static double residuals(linpred__least_distance *p)
{
    double largest = 0.0;
    linpred__distance_active_values(p, p->w, false, p->g);
    for (int64_t i = 0; i < p->active; i++) {
        linpred__dd_set(p->g, i, linpred__dd_add_double(linpred__dd_negate(linpred__dd_get(p->g, i)), 1.0));
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

/* φ b - Σ α y, which is 0 at the solution of a bordered problem. */
static linpred__dd imbalance(const linpred__least_distance *p)
{
    linpred__dd wanted = linpred__dd_multiply_double(linpred__dd_get(p->w, p->columns), p->phi);
    return linpred__dd_add(wanted, linpred__dd_negate(signed_sum(p, p->alpha)));
}

/* Turns u = (A'A)^-1 residuals, passed in g, into the change δα of the multipliers, left in g. Returns the change δb of
   the intercept. With h = φ b - Σ α y they solve
       A'A δα + ((1-φ) δb - h) y = residuals   and   <y, δα> = h + φ δb. */
static linpred__dd border_correction(linpred__least_distance *p)
{
    linpred__dd h = imbalance(p);
    linpred__dd part = linpred__dd_multiply(h, linpred__dd_get(p->axis, p->columns)); /* h (1 - <y, border>) */
    linpred__dd change = linpred__dd_divide(linpred__dd_add(signed_sum(p, p->g), linpred__dd_negate(part)), pivot(p));
    linpred__dd weighted = linpred__dd_multiply(change, one_minus_phi(p));
    linpred__dd_add_multiple_both(p->active, linpred__dd_add(h, linpred__dd_negate(weighted)), p->border, p->g);
    return change;
}

/* Whether the active rows have the value 1, and φ b = Σ α y, within the tolerance or the rounding of double-doubles. g
   becomes the residuals, *largest the largest of them. */
static bool converged(linpred__least_distance *p, double tolerance, double *largest)
{
    double length = 0.0;
    for (int64_t i = 0; i < p->active; i++)
        length = fmax(length, p->row[p->member[i]].length);
    tolerance = fmax(tolerance, 0x1p-96 * length * norm_of(p->width, p->w));
    *largest = residuals(p);
    double unbalanced = p->bordered ? fabs(imbalance(p).hi) : 0.0;
    return *largest <= tolerance && unbalanced <= tolerance * total(p);
}

/* Corrects α by (A'A)^-1 g and w by A (A'A)^-1 g, where g are the residuals. Returns ||R'^-1 g||, the length of the
   change of w without the border. This length shrinks from round to round; the residuals need not shrink at first. */
static double correct_active(linpred__least_distance *p)
{
    double size = solve(p);
    linpred__dd intercept = {0.0, 0.0};
    if (p->bordered)
        intercept = linpred__dd_add(linpred__dd_get(p->w, p->columns), border_correction(p));
    for (int64_t i = 0; i < p->active; i++)
        linpred__dd_set(p->alpha, i, linpred__dd_add(linpred__dd_get(p->alpha, i), linpred__dd_get(p->g, i)));
    linpred__distance_add_active(p, 1.0, p->g, p->w);
    if (p->bordered)
        linpred__dd_set(p->w, p->columns, intercept);
    return size;
}

/* Repeats  δ = (A'A)^-1 (1 - A'w),  α <- α + δ,  w <- w + A δ. Both α and w are corrected and neither is computed from
   the other, so the last digits of both are right. */
bool linpred__distance_refine(linpred__least_distance *p, double tolerance)
{
    double before = INFINITY, largest;
    if (!make_border(p))
        return false;
    for (int round = 0; round < LINPRED__REFINEMENT_ROUNDS; round++) {
        if (converged(p, tolerance, &largest))
            return true;
        double size = correct_active(p);
        if (size > 0.25 * before) {
            if (p->careful)
                return largest <= LINPRED__DISTANCE_VIOLATION;
            p->careful = true;
            size = INFINITY; /* the next round has nothing to be compared with */
        }
        before = size;
    }
    return false;
}

/* When a row leaves, its multiplier is 0 only up to rounding, and w keeps that rounding until it is computed anew. */
void linpred__distance_rebuild(linpred__least_distance *p)
{
    linpred__dd intercept = {0.0, 0.0};
    if (p->bordered)
        intercept = linpred__dd_get(p->w, p->columns);
    clear_vector(p->w, p->width);
    linpred__distance_add_active(p, 1.0, p->alpha, p->w);
    if (p->bordered)
        linpred__dd_set(p->w, p->columns, intercept);
}
