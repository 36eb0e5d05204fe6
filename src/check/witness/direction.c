/* The sign of <v,z> = y <v,(x,1)> on every row, for integers v.
 *
 * If <v,z> > 0 on every row, v separates the rows. If <v,z> >= 0 on every row and > 0 on some, the logistic loss falls
 * without end along v. A sign is taken from doubles if rounding cannot change it, and from integers otherwise.
 */
#include <float.h>
#include <gmp.h>
#include <math.h>

#include "check/rows/whole.h"
#include "check/witness/combination.h"
#include "check/witness/integers.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"

struct direction {
    int32_t count;
    bool has_intercept;
    mpz_t *v;
    double *rounded; /* v times a power of two, rounded */
    bool *zero;      /* for each row of the data: <v,z> = 0; NULL: not wanted */
    bool cut; /* some entry is below 2^-1000 of the largest and was rounded to 0; signs come from integers then */
};

static bool init_signs(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

static int exact_sign(const struct direction *direction, const linpred__block *block, int32_t r)
{
    linpred__entries row = linpred__entries_of(block, r);
    mpz_t sum, scratch;
    mpz_inits(sum, scratch, NULL);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        double part[2];
        linpred__read_cell(block, j, row.values[k], part);
        linpred__add_exactly(sum, direction->v[j], part[0], scratch);
        linpred__add_exactly(sum, direction->v[j], part[1], scratch);
    }
    if (direction->has_intercept)
        linpred__add_exactly(sum, direction->v[direction->count - 1], linpred__row_factor(block), scratch);
    int sign = mpz_sgn(sum);
    mpz_clears(sum, scratch, NULL);
    return sign;
}

static void visit_direction_rows(void *context, void *state, const linpred__block *block)
{
    const struct direction *direction = context;
    linpred__direction_signs *signs = state;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        double sum = direction->has_intercept ? direction->rounded[direction->count - 1] : 0.0;
        double size = fabs(sum);
        for (int64_t k = 0; k < row.count; k++) {
            double product = row.values[k] * direction->rounded[linpred__entry_column(&row, k)];
            sum += product;
            size += fabs(product);
        }
        /* Each term has two more roundings than in a plain sum: that of v, and that of a decimal to the double x. */
        double bound = ((double)row.count + 8.0) * 2.0 * DBL_EPSILON * size + (double)(row.count + 1) * 0x1p-1000;
        bool clear = fabs(sum) > bound && !direction->cut;
        int sign = clear ? (sum > 0) - (sum < 0) : exact_sign(direction, block, r);
        sign = block->target[r] > 0 ? sign : -sign;
        signs->exact_signs += !clear;
        signs->positive += sign > 0;
        signs->negative += sign < 0;
        linpred__dd *wrong = &signs->wrong[block->target[r] > 0];
        if (sign <= 0)
            *wrong = linpred__dd_add_double(*wrong, block->weight ? block->weight[r] : 1.0);
        if (direction->zero)
            direction->zero[block->first_row + r] = sign == 0;
    }
}

static void merge_signs(void *context, void *into, const void *from)
{
    (void)context;
    linpred__direction_signs *a = into;
    const linpred__direction_signs *b = from;
    a->positive += b->positive;
    a->negative += b->negative;
    a->exact_signs += b->exact_signs;
    for (int label = 0; label < 2; label++)
        a->wrong[label] = linpred__dd_add(a->wrong[label], b->wrong[label]);
}

/* Sets `rounded` to v as doubles, the largest in [1/2, 1). */
static void round_direction(struct direction *direction)
{
    long top = 0;
    for (int32_t j = 0; j < direction->count; j++) {
        long exponent;
        mpz_get_d_2exp(&exponent, direction->v[j]);
        top = exponent > top ? exponent : top;
    }
    for (int32_t j = 0; j < direction->count; j++) {
        long exponent;
        double fraction =
            mpz_get_d_2exp(&exponent, direction->v[j]); /* rounded towards zero: the relative error is at most 2^-52 */
        bool small = fraction != 0.0 && exponent - top < -1000;
        direction->rounded[j] = small ? 0.0 : ldexp(fraction, (int)(exponent - top));
        direction->cut = direction->cut || small;
    }
}

/* Reads v. Returns false if an entry is no integer. All entries are initialised in any case, so that they can be
 * cleared. */
static bool read_entries(struct direction *direction, const linpred__direction *text)
{
    bool all = true;
    for (int32_t j = 0; j < direction->count; j++)
        all = mpz_init_set_str(direction->v[j], text->entry[j] ? text->entry[j] : "", 10) == 0 && all;
    return all;
}

linpred_status linpred__check_direction(const linpred__direction *text, const linpred_model *model,
                                        const linpred_data *data, linpred__pool *pool, bool *zero,
                                        linpred__direction_signs *signs, linpred_error *error)
{
    struct direction direction = {.count = text->count, .has_intercept = model->has_intercept, .zero = zero};
    size_t count = (size_t)direction.count;
    *signs = (linpred__direction_signs){0};
    if (text->count != data->columns + model->has_intercept)
        return LINPRED_OK;
    direction.v = linpred__alloc(count, sizeof *direction.v);
    direction.rounded = linpred__alloc(count, sizeof *direction.rounded);
    if (!direction.v || !direction.rounded) {
        linpred__release(direction.v);
        linpred__release(direction.rounded);
        return linpred__no_memory(error);
    }
    linpred_status status = LINPRED_OK;
    if (read_entries(&direction, text)) {
        round_direction(&direction);
        linpred__visitor visitor = {sizeof *signs,
                                    init_signs,
                                    visit_direction_rows,
                                    merge_signs,
                                    NULL,
                                    &direction,
                                    zero ? NULL : linpred__whole_state};
        status = linpred__pass(data, pool, &visitor, signs, error);
        signs->read = true;
    }
    for (size_t j = 0; j < count; j++)
        mpz_clear(direction.v[j]);
    linpred__release(direction.v);
    linpred__release(direction.rounded);
    return status;
}
