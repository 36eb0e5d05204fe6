/* Sorts vectors of the plane by the angles of their lines (see angles.h).
 *
 * Quotients of doubles put nearly all vectors in order, but prove nothing. Then each vector is compared with its
 * neighbour: by doubles where their rounding cannot matter, else in integers. If no neighbours are in the wrong order,
 * no vectors are. Else the runs that are in order are merged, two at a time, by the same comparisons.
 */
#include "check/cover/angles.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "num/dd.h"

enum { NUMBERS = 4 };

/* ---- vectors ---- */

/* Sets number to <f,z> exactly. */
static void find_product(const linpred__plane *plane, const mpz_t *f, int32_t row, mpz_t number)
{
    const linpred__row_set *set = plane->set;
    mpz_set_ui(number, 0);
    for (int32_t j = 0; j < set->columns; j++)
        mpz_addmul(number, f[j], set->whole->z[(int64_t)row * set->whole->columns + set->column[j]]);
}

/* Makes the vector of a row. Returns false if it is 0. */
static bool make_vector(linpred__plane *plane, int32_t row, linpred__plane_vector *vector)
{
    const linpred__row_set *set = plane->set;
    const double *z = set->whole->value + (int64_t)row * set->whole->columns;
    double x = 0.0, y = 0.0, size_x = 0.0, size_y = 0.0;
    for (int32_t j = 0; j < set->columns; j++) {
        double a = plane->fd[j] * z[set->column[j]], b = plane->gd[j] * z[set->column[j]];
        x += a;
        y += b;
        size_x += fabs(a);
        size_y += fabs(b);
    }
    bool exact = size_x < 0x1p52 && size_y < 0x1p52; /* integers: nothing was rounded, but for factors of a 0 */
    double unit = exact ? 0.0 : (set->columns + 4.0) * 0x1p-52, off_x = unit * size_x, off_y = unit * size_y;
    int side = (y > off_y) - (y < -off_y);
    *vector = (linpred__plane_vector){.row = row, .exact = exact, .x = x, .y = y, .off_x = off_x, .off_y = off_y};
    if (side == 0 && !exact) {
        find_product(plane, plane->g, row, plane->number[0]);
        side = mpz_sgn(plane->number[0]);
    }
    if (side == 0) {
        vector->y = vector->off_y = 0.0;
        find_product(plane, plane->f, row, plane->number[0]);
        side = mpz_sgn(plane->number[0]);
    }
    vector->flipped = side < 0;
    if (vector->flipped) {
        vector->x = -vector->x;
        vector->y = -vector->y;
    }
    return side != 0;
}

int32_t linpred__plane_take_rows(linpred__plane *plane, int32_t *dependent)
{
    int32_t count = 0;
    plane->vectors = 0;
    for (int32_t i = 0; i < plane->set->rows; i++)
        if (make_vector(plane, plane->set->row[i], &plane->vector[plane->vectors]))
            plane->vectors++;
        else
            dependent[count++] = plane->set->row[i];
    return count;
}

/* ---- angles ---- */

/* Compares x_b y_a with x_a y_b in integers. */
static int compare_exactly(linpred__plane *plane, const linpred__plane_vector *a, const linpred__plane_vector *b)
{
    mpz_t *n = plane->number;
    find_product(plane, plane->f, a->row, n[0]);
    find_product(plane, plane->g, b->row, n[1]);
    find_product(plane, plane->f, b->row, n[2]);
    find_product(plane, plane->g, a->row, n[3]);
    mpz_mul(n[0], n[0], n[1]);
    mpz_mul(n[2], n[2], n[3]);
    int sign = mpz_cmp(n[2], n[0]);
    return a->flipped == b->flipped ? sign : -sign;
}

/* Compares the angles of two vectors: negative, 0 or positive. That of a is the smaller one if x_a y_b > x_b y_a. */
static inline int compare_angles(linpred__plane *plane, const linpred__plane_vector *a, const linpred__plane_vector *b)
{
    double p = a->x * b->y, q = b->x * a->y;
    if (a->exact && b->exact) { /* if the products are equal as doubles, what they were rounded by decides */
        double first = p != q ? q - p : linpred__two_product(b->x, a->y).lo - linpred__two_product(a->x, b->y).lo;
        return (first > 0) - (first < 0);
    }
    double off = a->off_x * (fabs(b->y) + b->off_y) + b->off_y * fabs(a->x) + b->off_x * (fabs(a->y) + a->off_y) +
                 a->off_y * fabs(b->x) + 0x1p-52 * (fabs(p) + fabs(q));
    if (fabs(q - p) > 2.0 * off) /* then neither is NaN or infinite */
        return q > p ? 1 : -1;
    return compare_exactly(plane, a, b);
}

/* ---- by quotients ---- */

/* An integer that grows with the angle: the bits of -x/y, the last of which make room for the number of the vector. */
static uint64_t quotient_key(const linpred__plane_vector *vector, uint64_t number, uint64_t mask)
{
    double quotient = -vector->x / fabs(vector->y);
    uint64_t bits, sign = UINT64_C(1) << 63;
    memcpy(&bits, &quotient, sizeof bits);
    return ((bits & sign ? ~bits : bits | sign) & ~mask) | number;
}

/* Merges two sorted lists, which lie one after the other. */
static void merge_keys(const uint64_t *a, int32_t count_a, int32_t count_b, uint64_t *to)
{
    const uint64_t *b = a + count_a, *end_a = b, *end_b = b + count_b;
    while (a < end_a && b < end_b) {
        bool left = *a < *b;
        *to++ = left ? *a : *b;
        a += left;
        b += !left;
    }
    memcpy(to, a, (size_t)(end_a - a) * sizeof *a);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *b);
}

static void order_by_quotients(linpred__plane *plane)
{
    int32_t n = plane->vectors;
    uint64_t mask = 1, *key = plane->key, *merged = plane->key + n;
    while (mask < (uint64_t)n)
        mask = 2 * mask + 1;
    for (int32_t i = 0; i < n; i++)
        key[i] = quotient_key(&plane->vector[i], (uint64_t)i, mask);
    for (int32_t length = 1; length < n; length *= 2) {
        for (int32_t from = 0; from < n; from += 2 * length) {
            int32_t left = length < n - from ? length : n - from, right = n - from - left;
            merge_keys(key + from, left, right < length ? right : length, merged + from);
        }
        uint64_t *other = key;
        key = merged;
        merged = other;
    }
    for (int32_t i = 0; i < n; i++)
        plane->order[i] = (int32_t)(key[i] & mask);
}

/* ---- by comparisons ---- */

/* Compares all neighbours. Returns whether none are in the wrong order. */
static bool compare_neighbours(linpred__plane *plane)
{
    bool sorted = true;
    for (int32_t i = 1; i < plane->vectors; i++) {
        plane->turn[i] = (int8_t)-compare_angles(plane, linpred__plane_at(plane, i - 1), linpred__plane_at(plane, i));
        sorted = sorted && plane->turn[i] >= 0;
    }
    return sorted;
}

/* The end of the run that begins at `from`. */
static int32_t end_of_run(const linpred__plane *plane, int32_t from)
{
    int32_t end = from < plane->vectors ? from + 1 : from;
    while (end < plane->vectors && plane->turn[end] >= 0)
        end++;
    return end;
}

/* Merges each second run with the one before. */
static void merge_runs(linpred__plane *plane)
{
    for (int32_t from = 0, end; from < plane->vectors; from = end) {
        int32_t middle = end_of_run(plane, from), a = from, b = middle;
        end = end_of_run(plane, middle);
        for (int32_t to = from; to < end; to++) {
            bool left = b == end || (a < middle && compare_angles(plane, linpred__plane_at(plane, a),
                                                                  linpred__plane_at(plane, b)) <= 0);
            plane->merged[to] = plane->order[left ? a++ : b++];
        }
    }
    int32_t *other = plane->order;
    plane->order = plane->merged;
    plane->merged = other;
}

void linpred__plane_sort(linpred__plane *plane)
{
    order_by_quotients(plane);
    while (!compare_neighbours(plane))
        merge_runs(plane);
}

/* ---- opening and closing ---- */

bool linpred__plane_open(const linpred__row_set *set, linpred__plane *plane)
{
    size_t rows = (size_t)set->rows, columns = (size_t)set->columns, numbers = 2 * columns + NUMBERS;
    *plane = (linpred__plane){.set = set};
    plane->f = linpred__alloc(numbers, sizeof *plane->f);
    plane->fd = linpred__calloc(2 * columns, sizeof *plane->fd);
    plane->vector = linpred__alloc(rows, sizeof *plane->vector);
    plane->order = linpred__alloc(rows, sizeof *plane->order);
    plane->merged = linpred__alloc(rows, sizeof *plane->merged);
    plane->turn = linpred__alloc(rows, sizeof *plane->turn);
    plane->key = linpred__alloc(2 * rows, sizeof *plane->key);
    for (size_t j = 0; plane->f && j < numbers; j++)
        mpz_init(plane->f[j]);
    plane->g = plane->f ? plane->f + columns : NULL;
    plane->number = plane->f ? plane->g + columns : NULL;
    plane->gd = plane->fd ? plane->fd + columns : NULL;
    return plane->f && plane->fd && plane->vector && plane->order && plane->merged && plane->turn && plane->key;
}

void linpred__plane_close(linpred__plane *plane)
{
    for (int32_t j = 0; plane->f && j < 2 * plane->set->columns + NUMBERS; j++)
        mpz_clear(plane->f[j]);
    linpred__release(plane->f);
    linpred__release(plane->fd);
    linpred__release(plane->vector);
    linpred__release(plane->order);
    linpred__release(plane->merged);
    linpred__release(plane->turn);
    linpred__release(plane->key);
}

int linpred__plane_turn(linpred__plane *plane, const int32_t *through)
{
    int independent = linpred__row_set_orthogonal(plane->set, through, plane->f, plane->g);
    for (int32_t j = 0; independent > 0 && j < 2 * plane->set->columns; j++)
        plane->fd[j] = mpz_get_d(plane->f[j]);
    return independent;
}
