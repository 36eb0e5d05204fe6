/* Dixon's lifting: exact solutions of A x = right from the inverse of A modulo one prime p.
 *
 *   r_0 = right,  x_t = A^-1 r_t mod p,  r_(t+1) = (r_t - A x_t)/p,  x = x_0 + x_1 p + x_2 p^2 + …
 *
 * Each digit x_t costs two products of a matrix and a vector of machine words. The entries of A are cut into slices of
 * 54 bits, so that 4096 products of a slice and a 60-bit digit add up to less than 2^126. If the entries of each column
 * differ by few binary orders of magnitude, one or two slices suffice.
 *
 * The number of digits depends on the answer: the sum of the digits is tried as a fraction again and again. Fractions
 * of small integers are recognised after a few digits. Hadamard's bound limits the number of digits.
 */
#include "solve/exact_lp/modular_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "num/gmp64.h"
#include "num/modular.h"
#include "solve/limits.h"

enum { SLICE_BITS = 54 }; /* 2^54 · 2^60 · LINPRED__MAX_BASIS_ROWS = 2^126 fits in a signed 128-bit integer */

bool linpred__fractions_open(int32_t count, linpred__fractions *fractions)
{
    if (!linpred__integers_open(count, &fractions->numerator))
        return false;
    mpz_init_set_ui(fractions->denominator, 1);
    return true;
}

void linpred__fractions_close(linpred__fractions *fractions)
{
    linpred__integers_close(&fractions->numerator);
    mpz_clear(fractions->denominator);
}

typedef struct lifting {
    int32_t k;              /* equations and unknowns */
    int slices;             /* slices of each entry of A */
    uint64_t p;             /* the prime */
    int64_t *slice;         /* A as [slice][equation][unknown] */
    uint64_t *inverse;      /* A^-1 mod p as [unknown][equation] */
    uint64_t *residue;      /* r_t mod p */
    uint64_t *digit;        /* x_t */
    double width;           /* bits of the largest entry of A */
    double volume;          /* bits of the product of the norms of A's rows; no minor of A is larger (Hadamard) */
    linpred__integers rest; /* r_t */
    linpred__integers sum;  /* x_0 + … + x_(t-1) p^(t-1) */
    mpz_t power;            /* p^t */
    mpz_t term;             /* scratch */
} lifting;

static void close_lifting(lifting *lift)
{
    linpred__release(lift->slice);
    linpred__release(lift->inverse);
    linpred__release(lift->residue);
    linpred__release(lift->digit);
    linpred__integers_close(&lift->rest);
    linpred__integers_close(&lift->sum);
    mpz_clear(lift->power);
    mpz_clear(lift->term);
}

static bool open_lifting(const linpred__modular_basis *basis, bool transposed, lifting *lift)
{
    const linpred__integral *z = basis->z;
    size_t k = (size_t)basis->size;
    memset(lift, 0, sizeof *lift);
    mpz_init_set_ui(lift->power, 1);
    mpz_init(lift->term);
    lift->k = basis->size;
    lift->p = basis->prime;
    int32_t widest = 1;
    for (size_t b = 0; b < k; b++) {
        double square = 0; /* the squared norm of the row is at most this times 2^(2 width) */
        int32_t i = basis->row[b];
        int32_t width = 1;
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++)
            if (basis->column_place[z->index[e]] >= 0) {
                int bits = z->shift[e] + 64 - __builtin_clzll((unsigned long long)llabs(z->mantissa[e]));
                width = bits > width ? bits : width;
                square += 1;
            }
        widest = width > widest ? width : widest;
        lift->volume += width + 0.5 * log2(square + 1);
    }
    lift->width = widest;
    lift->slices = (widest + SLICE_BITS - 1) / SLICE_BITS;
    lift->slice = linpred__calloc(k * k * (size_t)lift->slices, sizeof *lift->slice);
    lift->inverse = linpred__alloc(k * k, sizeof *lift->inverse);
    lift->residue = linpred__alloc(k, sizeof *lift->residue);
    lift->digit = linpred__alloc(k, sizeof *lift->digit);
    if (!lift->slice || !lift->inverse || !lift->residue || !lift->digit ||
        !linpred__integers_open(basis->size, &lift->rest) || !linpred__integers_open(basis->size, &lift->sum)) {
        close_lifting(lift);
        return false;
    }
    for (size_t b = 0; b < k; b++) {
        int32_t i = basis->row[b];
        for (int64_t e = z->start[i]; e < z->start[i + 1]; e++) {
            int32_t j = basis->column_place[z->index[e]];
            if (j < 0)
                continue;
            size_t at = transposed ? (size_t)j * k + b : b * k + (size_t)j;
            int64_t m = z->mantissa[e];
            linpred__uint128 size = (linpred__uint128)(m < 0 ? -m : m) << (z->shift[e] % SLICE_BITS);
            for (size_t l = (size_t)(z->shift[e] / SLICE_BITS); size; l++, size >>= SLICE_BITS) {
                int64_t part = (int64_t)(size & ((UINT64_C(1) << SLICE_BITS) - 1));
                /* Entries of one column have no bit in common, so a slice stays below 2^54. */
                lift->slice[l * k * k + at] += m < 0 ? -part : part;
            }
        }
    }
    for (size_t j = 0; j < k; j++)
        for (size_t b = 0; b < k; b++) {
            uint64_t c = basis->inverse[j * (size_t)basis->capacity + b];
            lift->inverse[transposed ? b * k + j : j * k + b] = c;
        }
    return true;
}

/* from -= value · 2^shift */
static void subtract_shifted(mpz_t from, linpred__int128 value, unsigned shift, mpz_t term)
{
    bool negative = value < 0;
    linpred__uint128 size = negative ? -(linpred__uint128)value : (linpred__uint128)value;
    uint64_t word[2] = {(uint64_t)size, (uint64_t)(size >> 64)};
    mpz_import(term, 2, -1, sizeof word[0], 0, 0, word);
    if (shift)
        mpz_mul_2exp(term, term, shift);
    if (negative)
        mpz_add(from, from, term);
    else
        mpz_sub(from, from, term);
}

/* Computes the digit x_t, adds it to the sum, and computes r_(t+1) and p^(t+1). */
static void lift_once(lifting *lift)
{
    int32_t k = lift->k;
    size_t stride = (size_t)k;
    for (int32_t i = 0; i < k; i++)
        lift->residue[i] = linpred__mpz_mod_uint64(lift->rest.value[i], lift->p);
    for (int32_t j = 0; j < k; j++) {
        lift->digit[j] = linpred__mod_dot(lift->inverse + (size_t)j * stride, lift->residue, k, lift->p);
        linpred__mpz_addmul_uint64(lift->sum.value[j], lift->power, lift->digit[j]);
    }
    for (int32_t i = 0; i < k; i++) {
        for (int l = 0; l < lift->slices; l++) {
            const int64_t *a = lift->slice + ((size_t)l * stride + (size_t)i) * stride;
            linpred__int128 sum = 0;
            for (int32_t j = 0; j < k; j++)
                sum += (linpred__int128)a[j] * (int64_t)lift->digit[j];
            if (sum != 0)
                subtract_shifted(lift->rest.value[i], sum, (unsigned)(SLICE_BITS * l), lift->term);
        }
        linpred__mpz_divexact_uint64(lift->rest.value[i], lift->rest.value[i], lift->p);
    }
    linpred__mpz_mul_uint64(lift->power, lift->power, lift->p);
}

/* Finds n and d > 0 with n = d y modulo `power`, both about as long as the square root of `power` at most. Euclid's
   algorithm on (power, y) gives them when the remainder n has half the bits of `power`. */
static void recognise(const mpz_t y, const mpz_t power, mpz_t n, mpz_t d)
{
    size_t half = mpz_sizeinbase(power, 2) / 2;
    mpz_t r, t, q;
    mpz_init_set(r, power);
    mpz_init(t);
    mpz_init(q);
    mpz_mod(n, y, power);
    mpz_set_ui(d, 1);
    while (mpz_sizeinbase(n, 2) > half) {
        mpz_tdiv_qr(q, r, r, n);
        mpz_submul(t, q, d);
        mpz_swap(r, n);
        mpz_swap(t, d);
    }
    if (mpz_sgn(d) < 0) {
        mpz_neg(d, d);
        mpz_neg(n, n);
    }
    mpz_clear(r);
    mpz_clear(t);
    mpz_clear(q);
}

/* Writes the sums as fractions with one denominator. Returns true only if they are the solution: A numerator -
   denominator right is 0 modulo p^t, and the sizes of numerators and denominator show that it is below p^t, so it is
   0. */
static bool recognise_all(lifting *lift, double right_bits, linpred__fractions *x)
{
    double power_bits = (double)mpz_sizeinbase(lift->power, 2) - 1;
    double numerator_capacity = power_bits - 2 - lift->width - log2(lift->k + 1.0);
    double denominator_capacity = power_bits - 2 - right_bits;
    mpz_t y, n, d;
    mpz_init(y);
    mpz_init(n);
    mpz_init(d);
    mpz_set_ui(x->denominator, 1);
    bool good = numerator_capacity > 1 && denominator_capacity > 1;
    for (int32_t j = 0; j < lift->k && good; j++) {
        mpz_ptr numerator = x->numerator.value[j];
        mpz_mul(y, lift->sum.value[j], x->denominator);
        mpz_mod(y, y, lift->power);
        mpz_mul_2exp(n, y, 1);
        if (mpz_cmp(n, lift->power) > 0)
            mpz_sub(y, y, lift->power);
        /* A number that is 24 bits shorter than allowed is hardly there by chance: y is a numerator over the
           denominator found so far. */
        if ((double)mpz_sizeinbase(y, 2) <= numerator_capacity - 24) {
            mpz_set(numerator, y);
            continue;
        }
        recognise(y, lift->power, n, d);
        /* A wrong pair n, d together has about the bits of `power`. A pair 24 bits shorter is accepted. The test of
           sizes at the end proves it. */
        double used = (double)mpz_sizeinbase(n, 2) + (double)mpz_sizeinbase(d, 2);
        if (used > power_bits - 24) {
            good = false;
            continue;
        }
        mpz_set(numerator, n);
        mpz_mul(x->denominator, x->denominator, d);
        for (int32_t i = 0; i < j; i++)
            mpz_mul(x->numerator.value[i], x->numerator.value[i], d);
    }
    good = good && (double)linpred__integers_bits(&x->numerator) <= numerator_capacity &&
           (double)mpz_sizeinbase(x->denominator, 2) <= denominator_capacity;
    mpz_clear(y);
    mpz_clear(n);
    mpz_clear(d);
    return good;
}

linpred_status linpred__modular_basis_solve(const linpred__modular_basis *basis, bool transposed,
                                            const linpred__integers *right, linpred__fractions *x,
                                            linpred__effort *effort, bool *solved)
{
    *solved = false;
    if (effort->over)
        return LINPRED_OK;
    lifting lift;
    if (!open_lifting(basis, transposed, &lift))
        return LINPRED_ERROR_MEMORY;
    /* By Cramer's rule a denominator has at most `volume` bits, and a numerator at most `volume` bits and those of the
       right side. */
    double right_bits = (double)linpred__integers_bits(right) + 1;
    double longest = 2 * lift.volume + right_bits + lift.width + 200;
    double max_digits = ceil(longest / LINPRED__PRIME_BITS) + 4;
    double bytes = (3.0 * lift.k + 20) * (longest / 8 + 64);
    double cost = (double)lift.k * (lift.k * (lift.slices + 1.0) + 60.0) + 100;
    /* GNU MP aborts the process if memory runs out, so an allocation of the largest size is tried first. */
    void *probe = bytes < linpred__max_gmp_bytes ? linpred__alloc((size_t)bytes, 1) : NULL;
    linpred__release(probe);
    linpred_status status = LINPRED_OK;
    if (bytes >= linpred__max_gmp_bytes)
        effort->over = true;
    else if (!probe)
        status = LINPRED_ERROR_MEMORY;
    else {
        for (int32_t i = 0; i < lift.k; i++)
            mpz_set(lift.rest.value[i], right->value[i]);
        double next = 2 + ceil((lift.width + right_bits) / LINPRED__PRIME_BITS);
        for (double digits = 1; !*solved && linpred__effort_spend(effort, cost); digits++) {
            lift_once(&lift);
            if (digits < next && digits < max_digits)
                continue;
            next = digits + 2 + floor(digits / 3);
            if (!linpred__effort_spend(effort, 20 * digits * digits + lift.k * digits * 20))
                break;
            *solved = recognise_all(&lift, right_bits, x);
            if (!*solved && digits > 2 * max_digits + 20) {
                status = LINPRED_ERROR_INTERNAL; /* impossible by Hadamard's bound */
                break;
            }
        }
    }
    close_lifting(&lift);
    return status;
}

linpred_status linpred__modular_basis_solve_anew(const linpred__modular_basis *basis, bool transposed,
                                                 const linpred__integers *right, linpred__fractions *x,
                                                 linpred__effort *effort, bool *solved)
{
    linpred__integers used = *right;
    used.count = basis->size;
    if (x->numerator.value)
        linpred__fractions_close(x);
    memset(x, 0, sizeof *x);
    if (!linpred__fractions_open(basis->size, x)) {
        x->numerator.value = NULL;
        return LINPRED_ERROR_MEMORY;
    }
    return linpred__modular_basis_solve(basis, transposed, &used, x, effort, solved);
}
