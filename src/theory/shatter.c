/* Decides whether a class shatters given points, that is, realises each of their 2^m labellings.
 *
 * Halfspaces shatter the points exactly if they are linearly independent; with an intercept, the points (x_i, 1). Let
 * z_i be these vectors. If they are independent, then for any labels y some w has <w,z_i> = y_i. If not, Σ a_i z_i = 0
 * with integers a_i that are not all 0. No w has the sign of a_i on each z_i, because Σ a_i <w,z_i> would be positive.
 * (Radon: the hulls of the two groups meet.) If all a_i have the same sign, the labelling is - on all points.
 *
 * Balls shatter the points exactly if they are affinely independent. Then halfspaces realise every labelling, and on
 * finitely many points a large ball does the same as a halfspace. If not, Σ a_i x_i = 0 and Σ a_i = 0; choose the sign
 * of a so that Σ a_i |x_i|² >= 0. No f(x) = r² - |x-v|² has the sign of a_i on each x_i, because Σ a_i f(x_i) = -Σ a_i
 * |x_i|² <= 0.
 */
#include "theory/shatter.h"

#include "core/error.h"
#include "core/memory.h"
#include "separate/rows/solver_rows.h"
#include "solve/exact_lp/dependency.h"

/* The sign of Σ a_i |x_i|². */
static linpred_status sign_of_squares(const linpred__shatter_question *q, const linpred__dependency *dependency,
                                      int *sign)
{
    int32_t columns = q->points->columns;
    double label, *row = linpred__alloc((size_t)columns, sizeof *row);
    if (!row)
        return LINPRED_ERROR_MEMORY;
    int lowest = linpred__lowest_exponent(q->points, dependency->row[dependency->count - 1] + 1, row);
    mpz_t sum, square, entry;
    mpz_init(sum);
    mpz_init(square);
    mpz_init(entry);
    for (int32_t k = 0; k < dependency->count; k++) {
        linpred_data_row(q->points, linpred_data_source_row(q->points, dependency->row[k]), row, &label);
        mpz_set_ui(square, 0);
        for (int32_t j = 0; j < columns; j++) {
            mpz_set_ui(entry, 0);
            linpred__add_scaled(entry, q->points, j, row[j], lowest);
            mpz_addmul(square, entry, entry);
        }
        mpz_addmul(sum, square, dependency->weight.value[k]);
    }
    *sign = mpz_sgn(sum);
    mpz_clear(sum);
    mpz_clear(square);
    mpz_clear(entry);
    linpred__release(row);
    return LINPRED_OK;
}

/* Chooses the sign of the dependency: *factor is +1 or -1. */
static linpred_status orient(const linpred__shatter_question *q, const linpred__dependency *dependency, int *factor)
{
    int squares = 0;
    if (q->answer->info.class_asked == LINPRED_CLASS_BALL) {
        linpred_status status = sign_of_squares(q, dependency, &squares);
        if (status != LINPRED_OK)
            return status;
    }
    int first = mpz_sgn(dependency->weight.value[0]);
    bool mixed = false;
    for (int32_t k = 1; k < dependency->count; k++)
        mixed = mixed || mpz_sgn(dependency->weight.value[k]) != first;
    *factor = squares ? squares : mixed ? first : -first;
    return LINPRED_OK;
}

/* Copies the dependency into the answer, with the labelling that is not realised. */
static linpred_status take_labelling_witness(const linpred__shatter_question *q, const linpred__dependency *dependency)
{
    linpred_shattering *s = q->answer;
    size_t count = (size_t)dependency->count;
    int factor = 1;
    s->row = linpred__alloc(count, sizeof *s->row);
    s->sign = linpred__alloc(count, sizeof *s->sign);
    s->weight = linpred__calloc(count, sizeof *s->weight);
    if (!s->row || !s->sign || !s->weight || orient(q, dependency, &factor) != LINPRED_OK)
        return LINPRED_ERROR_MEMORY;
    for (int32_t k = 0; k < dependency->count; k++) {
        mpz_ptr a = dependency->weight.value[k];
        s->row[k] = linpred_data_source_row(q->points, dependency->row[k]);
        s->sign[k] = (signed char)(factor * mpz_sgn(a));
        mpz_abs(a, a);
        s->weight[k] = linpred__integers_text(&dependency->weight, k);
        if (!s->weight[k])
            return LINPRED_ERROR_MEMORY;
        s->witnesses++;
    }
    return LINPRED_OK;
}

/* Of d + 1 vectors in d dimensions some are dependent, so that no more need to be looked at. */
linpred_status linpred__decide_shattering(linpred__shatter_question *q, linpred_error *error)
{
    linpred_shatter_info *info = &q->answer->info;
    int64_t max_count = (int64_t)info->columns + info->has_intercept + 1;
    int64_t count = info->points < max_count ? info->points : max_count;
    int64_t *row = linpred__alloc((size_t)count, sizeof *row);
    linpred__gathered gathered;
    if (!row)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < count; i++) {
        row[i] = i;
        q->labels[i] = 1.0;
    }
    linpred_status status = linpred__gather(q->labelled, info->has_intercept, row, count, &gathered, error);
    linpred__release(row);
    if (status != LINPRED_OK)
        return status;
    linpred__dependency dependency;
    status = linpred__find_dependency(&gathered.rows, &q->effort, &dependency, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    if (dependency.decided) {
        info->shattered = dependency.count == 0;
        info->rank = info->shattered ? dependency.rank : -1;
        if (dependency.count > 0 && take_labelling_witness(q, &dependency) != LINPRED_OK)
            status = linpred__no_memory(error);
    }
    linpred__dependency_close(&dependency);
    return status;
}
