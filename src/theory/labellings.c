/* Counts the labellings of given points that a class realises, the labellings of points in general position, and
 * Sauer's bound Σ_{k<=D} C(m,k).
 *
 * Halfspaces: the count is the number of regions of the arrangement with the normals (x_i, 1); x_i through the origin.
 * m points in general position have 2 Σ_{k<D} C(m-1,k) labellings, D the VC dimension.
 *
 * Balls: r² - |x-v|² = <2v,x> + c - |x|² has the sign of <w,(x, 1, |x|²)> for some w whose last entry is negative. The
 * normals (x_i, 1, |x_i|²) and e_last have regions in pairs w, -w, so that half of them have a negative last entry, and
 * each of these is one labelling. Points in general position have 1/2 · 2 Σ_{k<d+2} C(m,k) = Σ_{k<=d+1} C(m,k)
 * labellings: Sauer's bound is reached.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "num/gmp64.h"
#include "theory/limits.h"
#include "theory/regions.h"
#include "theory/shatter.h"

/* ---- points as integers ------------------------------------------------------------------------------------------ */

/* A coordinate as the sum of two doubles; if the points have decimals, times 10^K, the same for all. */
static linpred__dd coordinate(const linpred_data *points, int32_t column, double x)
{
    bool decimal = points->decimals && points->decimals->most > 0;
    return decimal ? linpred__whole_cell(points->decimals, column, x) : (linpred__dd){x, 0.0};
}

int linpred__lowest_exponent(const linpred_data *points, int64_t rows, double *row)
{
    int lowest = INT_MAX, exponent;
    double label;
    for (int64_t i = 0; i < rows; i++) {
        linpred_data_row(points, linpred_data_source_row(points, i), row, &label);
        for (int32_t j = 0; j < points->columns; j++) {
            linpred__dd x = coordinate(points, j, row[j]);
            for (int part = 0; part < 2; part++)
                if ((part ? x.lo : x.hi) != 0.0) {
                    frexp(part ? x.lo : x.hi, &exponent);
                    lowest = exponent < lowest ? exponent : lowest;
                }
        }
    }
    return lowest;
}

void linpred__add_scaled(mpz_t sum, const linpred_data *points, int32_t column, double x, int lowest)
{
    linpred__dd value = coordinate(points, column, x);
    mpz_t integer;
    mpz_init(integer);
    for (int part = 0; part < 2; part++) {
        int exponent;
        double fraction = frexp(part ? value.lo : value.hi, &exponent);
        if (fraction == 0.0)
            continue;
        mpz_set_d(integer, ldexp(fraction, 53));
        mpz_mul_2exp(integer, integer, (mp_bitcnt_t)(exponent - lowest));
        mpz_add(sum, sum, integer);
    }
    mpz_clear(integer);
}

/* The normals of the arrangement: (x, 1) or x for halfspaces; for balls (x, 1, |x|²), and e_last as one more normal.
   The coordinates of all points are scaled by one factor, which changes no region. */
static bool make_normals(const linpred_data *points, const linpred_shatter_info *info, int32_t n, int32_t width,
                         linpred__integers *normals)
{
    bool ball = info->class_asked == LINPRED_CLASS_BALL;
    double label, *row = linpred__alloc((size_t)points->columns, sizeof *row);
    if (!row || !linpred__integers_open(n * width, normals)) {
        linpred__release(row);
        return false;
    }
    int lowest = linpred__lowest_exponent(points, points->rows, row);
    for (int64_t i = 0; i < points->rows; i++) {
        mpz_t *to = normals->value + i * width;
        linpred_data_row(points, linpred_data_source_row(points, i), row, &label);
        for (int32_t j = 0; j < points->columns; j++) {
            linpred__add_scaled(to[j], points, j, row[j], lowest);
            if (ball)
                mpz_addmul(to[width - 1], to[j], to[j]);
        }
        if (info->has_intercept)
            mpz_set_ui(to[points->columns], 1);
    }
    if (ball)
        mpz_set_ui(normals->value[(int64_t)n * width - 1], 1);
    linpred__release(row);
    return true;
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* Σ_{k<=top} C(n,k) */
static void binomial_sum(int64_t n, int64_t top, mpz_t sum)
{
    mpz_t term;
    if (top >= n) {
        mpz_set_ui(sum, 0);
        mpz_setbit(sum, (mp_bitcnt_t)n);
        return;
    }
    mpz_init_set_ui(term, 1);
    mpz_set_ui(sum, top >= 0);
    for (int64_t k = 1; k <= top; k++) {
        linpred__mpz_mul_uint64(term, term, (uint64_t)(n - k + 1));
        linpred__mpz_divexact_uint64(term, term, (uint64_t)k);
        mpz_add(sum, sum, term);
    }
    mpz_clear(term);
}

static char *decimal(const mpz_t number)
{
    char *text = linpred__alloc(mpz_sizeinbase(number, 10) + 2, 1);
    return text ? mpz_get_str(text, 10, number) : NULL;
}

/* ---- the count --------------------------------------------------------------------------------------------------- */

/* Counts the realised labellings: 2^m if the points are shattered, else by regions. If they are too many to count,
 *counted is false and info->reason_no_count says why. */
static linpred_status count_realised(const linpred_data *points, linpred_shattering *s, linpred__effort *effort,
                                     mpz_t count, bool *counted)
{
    linpred_shatter_info *info = &s->info;
    bool ball = info->class_asked == LINPRED_CLASS_BALL;
    *counted = info->shattered == 1;
    if (*counted) {
        mpz_set_ui(count, 0);
        mpz_setbit(count, (mp_bitcnt_t)info->points);
        return LINPRED_OK;
    }
    int64_t n = info->points + ball, width = info->columns + info->has_intercept + ball;
    if (info->shattered < 0 || n * width > LINPRED__MAX_COUNTED_NUMBERS) {
        snprintf(info->reason_no_count, sizeof info->reason_no_count,
                 info->shattered < 0 ? "stopped"
                                     : "%lld points of %d coordinates are too many (up to %d numbers in all)",
                 (long long)info->points, info->columns, LINPRED__MAX_COUNTED_NUMBERS);
        return LINPRED_OK;
    }
    linpred__integers normals = {0, NULL};
    if (!make_normals(points, info, (int32_t)n, (int32_t)width, &normals))
        return LINPRED_ERROR_MEMORY;
    effort->limit = effort->spent + LINPRED__COUNT_EFFORT;
    linpred_status status = linpred__count_regions(&normals, (int32_t)n, (int32_t)width, effort, count, counted);
    linpred__integers_close(&normals);
    if (ball)
        mpz_divexact_ui(count, count, 2);
    if (!*counted)
        snprintf(info->reason_no_count, sizeof info->reason_no_count, "%s",
                 effort->spent > effort->limit ? "it would take more than 1e10 steps" : "stopped");
    return status;
}

linpred_status linpred__count_labellings(const linpred_data *points, linpred_shattering *s, linpred__effort *effort,
                                         linpred_error *error)
{
    linpred_shatter_info *info = &s->info;
    bool counted = false;
    mpz_t realised, general, sauer;
    mpz_init(realised);
    mpz_init(general);
    mpz_init(sauer);
    binomial_sum(info->points, info->vc_dimension, sauer);
    if (info->class_asked == LINPRED_CLASS_BALL) {
        mpz_set(general, sauer);
    } else {
        binomial_sum(info->points - 1, info->vc_dimension - 1, general);
        mpz_mul_2exp(general, general, 1);
    }
    linpred_status status = count_realised(points, s, effort, realised, &counted);
    if (status == LINPRED_OK) {
        if (counted) {
            info->general_position = mpz_cmp(realised, general) == 0;
            s->count[LINPRED_LABELLINGS_REALISED] = decimal(realised);
        }
        s->count[LINPRED_LABELLINGS_GENERAL_POSITION] = decimal(general);
        s->count[LINPRED_LABELLINGS_SAUER] = decimal(sauer);
        for (int which = 0; which < LINPRED__LABELLINGS; which++)
            if (!s->count[which] && (which != LINPRED_LABELLINGS_REALISED || counted))
                status = LINPRED_ERROR_MEMORY;
    }
    mpz_clear(realised);
    mpz_clear(general);
    mpz_clear(sauer);
    return status == LINPRED_OK ? status : linpred__no_memory(error);
}
