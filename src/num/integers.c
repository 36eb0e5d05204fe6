/* Vectors of GNU MP integers in memory from linpred__alloc. */
#include "num/integers.h"

#include <math.h>

#include "core/memory.h"

bool linpred__integers_open(int32_t count, linpred__integers *integers)
{
    integers->count = 0;
    integers->value = linpred__alloc((size_t)count, sizeof *integers->value);
    if (!integers->value)
        return false;
    for (int32_t i = 0; i < count; i++)
        mpz_init(integers->value[i]);
    integers->count = count;
    return true;
}

void linpred__integers_close(linpred__integers *integers)
{
    for (int32_t i = 0; i < integers->count; i++)
        mpz_clear(integers->value[i]);
    linpred__release(integers->value);
    integers->value = NULL;
    integers->count = 0;
}

bool linpred__integers_copy(const linpred__integers *from, linpred__integers *to)
{
    linpred__integers copy;
    if (!linpred__integers_open(from->count, &copy))
        return false;
    for (int32_t i = 0; i < from->count; i++)
        mpz_set(copy.value[i], from->value[i]);
    *to = copy;
    return true;
}

void linpred__integers_take(const double *w, linpred__integers *out)
{
    int lowest = 2000, exponent;
    for (int32_t j = 0; j < out->count; j++)
        if (w[j] != 0.0) {
            frexp(w[j], &exponent);
            lowest = exponent < lowest ? exponent : lowest;
        }
    for (int32_t j = 0; j < out->count; j++) {
        mpz_set_d(out->value[j], ldexp(frexp(w[j], &exponent), 53));
        if (w[j] != 0.0)
            mpz_mul_2exp(out->value[j], out->value[j], (mp_bitcnt_t)(exponent - lowest));
    }
}

void linpred__integers_reduce(linpred__integers *integers)
{
    mpz_t divisor;
    mpz_init(divisor);
    for (int32_t i = 0; i < integers->count && mpz_cmp_ui(divisor, 1) != 0; i++)
        mpz_gcd(divisor, divisor, integers->value[i]);
    if (mpz_cmp_ui(divisor, 1) > 0)
        for (int32_t i = 0; i < integers->count; i++)
            mpz_divexact(integers->value[i], integers->value[i], divisor);
    mpz_clear(divisor);
}

size_t linpred__integers_bits(const linpred__integers *integers)
{
    size_t bits = 0;
    for (int32_t i = 0; i < integers->count; i++) {
        size_t b = mpz_sgn(integers->value[i]) ? mpz_sizeinbase(integers->value[i], 2) : 0;
        bits = b > bits ? b : bits;
    }
    return bits;
}

char *linpred__integers_text(const linpred__integers *integers, int32_t index)
{
    char *text = linpred__alloc(mpz_sizeinbase(integers->value[index], 10) + 2, 1);
    if (text)
        mpz_get_str(text, 10, integers->value[index]);
    return text;
}

double linpred__integer_fraction(const mpz_t value, long *exponent)
{
    *exponent = 0;
    if (mpz_sgn(value) == 0)
        return 0.0;
    size_t bits = mpz_sizeinbase(value, 2);
    mpz_t size, top;
    mpz_init(size);
    mpz_init(top);
    mpz_abs(size, value);
    if (bits > 53) {
        mp_bitcnt_t drop = bits - 53;
        mpz_tdiv_q_2exp(top, size, drop);
        if (mpz_tstbit(size, drop - 1) && (mpz_scan1(size, 0) < drop - 1 || mpz_odd_p(top)))
            mpz_add_ui(top, top, 1);
        *exponent = (long)drop;
    } else
        mpz_set(top, size);
    int e;
    double fraction = frexp(mpz_get_d(top), &e); /* exact, because top <= 2^53 */
    *exponent += e;
    mpz_clear(size);
    mpz_clear(top);
    return mpz_sgn(value) < 0 ? -fraction : fraction;
}
