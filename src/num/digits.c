/* Exponential and logarithm to many digits; see digits.h. */
#include "num/digits.h"

#include <math.h>
#include <stdint.h>

#include "core/memory.h"

enum { SQUARINGS = 12 };

mpf_t *linpred__digits_open(size_t count, mp_bitcnt_t bits)
{
    mpf_t *digits = linpred__alloc(count, sizeof *digits);
    for (size_t i = 0; digits && i < count; i++)
        mpf_init2(digits[i], bits);
    return digits;
}

void linpred__digits_close(mpf_t *digits, size_t count)
{
    for (size_t i = 0; digits && i < count; i++)
        mpf_clear(digits[i]);
    linpred__release(digits);
}

double linpred__digits_log2(const mpf_t x)
{
    long exponent;
    double fraction = mpf_get_d_2exp(&exponent, x);
    return fraction == 0.0 ? -(double)INFINITY : log2(fabs(fraction)) + (double)exponent;
}

double linpred__digits_double(const mpf_t x)
{
    long exponent;
    double fraction = mpf_get_d_2exp(&exponent, x);
    exponent = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
    return ldexp(fraction, (int)exponent);
}

/* x -= number. */
static void take_off(mpf_t x, double number, mpf_t scratch)
{
    mpf_set_d(scratch, number);
    mpf_sub(x, x, scratch);
}

bool linpred__digits_parts(mpf_t x, size_t count, size_t stride, double *part)
{
    bool good = true;
    mpf_t scratch;
    mpf_init2(scratch, 64);
    for (size_t p = 0; p < count; p++)
        part[p * stride] = 0.0;
    for (size_t p = 0, moves = 0; good && p < count && mpf_sgn(x) != 0; p++) {
        double *at = part + p * stride, first = linpred__digits_double(x);
        if (!isfinite(first)) {
            good = false;
            break;
        }
        take_off(x, first, scratch);
        *at = first + linpred__digits_double(x); /* first was rounded towards 0 */
        take_off(x, *at - first, scratch);
        double before = p > 0 ? *(at - stride) : INFINITY, moved = before + *at;
        good = isfinite(*at) && (moved == before || ++moves <= count);
        if (!good || moved == before)
            continue;
        /* Hardly less than half of the last digit became half of it: the part before takes the other neighbour. */
        take_off(x, -*at, scratch);
        take_off(x, moved - before, scratch);
        *(at - stride) = moved;
        *at = 0.0;
        good = p < 2 || *(at - 2 * stride) + moved == *(at - 2 * stride);
        p--;
    }
    mpf_clear(scratch);
    return good;
}

/* Whether a term changes nothing any more beside a sum of about 1. */
static bool is_negligible(const mpf_t term)
{
    long exponent;
    return mpf_get_d_2exp(&exponent, term) == 0.0 || exponent < -(long)LINPRED__DIGITS - 20;
}

/* log(1+e) = 2 artanh(e / (2+e)) for 0 <= e <= 1, to a relative 2^-500. */
static void log_one_plus(const mpf_t e, mpf_t result)
{
    mpf_t square, power, term;
    mpf_init2(square, LINPRED__DIGITS);
    mpf_init2(power, LINPRED__DIGITS);
    mpf_init2(term, LINPRED__DIGITS);
    mpf_add_ui(term, e, 2);
    mpf_div(power, e, term);
    mpf_mul(square, power, power);
    mpf_set_ui(result, 1); /* the series divided by its first term, so that the error is relative */
    mpf_set_ui(term, 1);
    mpf_t part;
    mpf_init2(part, LINPRED__DIGITS);
    for (uint16_t n = 3;; n = (uint16_t)(n + 2)) {
        mpf_mul(term, term, square);
        mpf_div_ui(part, term, n);
        if (is_negligible(part))
            break;
        mpf_add(result, result, part);
    }
    mpf_mul(result, result, power);
    mpf_mul_2exp(result, result, 1);
    mpf_clear(square);
    mpf_clear(power);
    mpf_clear(term);
    mpf_clear(part);
}

/* exp(-a) for 0 <= a <= 2^20. */
static void exponential_of(const mpf_t a, mpf_t result)
{
    mpf_t rest, term, ln2;
    mpf_init2(rest, LINPRED__DIGITS);
    mpf_init2(term, LINPRED__DIGITS);
    mpf_init2(ln2, LINPRED__DIGITS);
    mpf_set_ui(term, 1);
    log_one_plus(term, ln2);
    mpf_div(rest, a, ln2);
    mpf_floor(rest, rest);
    mp_bitcnt_t k = (mp_bitcnt_t)mpf_get_d(rest);
    mpf_mul(rest, rest, ln2);
    mpf_sub(rest, a, rest);
    mpf_div_2exp(rest, rest, SQUARINGS);
    mpf_neg(rest, rest);
    mpf_set_ui(result, 1);
    for (uint16_t n = 1;; n++) {
        mpf_mul(term, term, rest);
        mpf_div_ui(term, term, n);
        if (is_negligible(term))
            break;
        mpf_add(result, result, term);
    }
    for (int i = 0; i < SQUARINGS; i++)
        mpf_mul(result, result, result);
    mpf_div_2exp(result, result, k);
    mpf_clear(rest);
    mpf_clear(term);
    mpf_clear(ln2);
}

bool linpred__digits_loss(const mpf_t t, mpf_t loss, mpf_t miss, mpf_t curvature)
{
    bool within = fabs(linpred__digits_double(t)) <= 0x1p20;
    mpf_t e, more;
    mpf_init2(e, LINPRED__DIGITS);
    mpf_init2(more, LINPRED__DIGITS);
    mpf_abs(more, t);
    if (within)
        exponential_of(more, e);
    log_one_plus(e, loss);
    if (mpf_sgn(t) < 0)
        mpf_sub(loss, loss, t);
    mpf_add_ui(more, e, 1);
    mpf_div(curvature, e, more);
    if (mpf_sgn(t) < 0)
        mpf_ui_div(miss, 1, more);
    else
        mpf_set(miss, curvature);
    mpf_div(curvature, curvature, more);
    mpf_clear(e);
    mpf_clear(more);
    return within;
}
