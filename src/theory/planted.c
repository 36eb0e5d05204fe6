/* Random rows on both sides of a known halfspace; "noisy" flips some labels.
 *
 * w and b are whole numbers in ±1 … ±9. A row begins as standard normal numbers g with the score s = <w,g> + b. It is
 * moved along w until its score is y(|s| + δ), where δ is margin·|(w,b)| plus a bound on rounding:
 *
 *     x = g + (y(|s| + δ) - s) w / |w|^2
 *
 * Values are rounded to six decimals, or to more if the margin is so small that six would not do. A row is kept if its
 * margin holds exactly for the rounded values; else it is drawn again. So the promise needs no analysis of rounding.
 */
#include <inttypes.h>
#include <math.h>

#include "core/error.h"
#include "num/exact_sum.h"
#include "core/memory.h"
#include "theory/instances.h"

typedef struct halfspace {
    double *w;
    double b;
    double w_square;  /* |w|^2 */
    double norm;      /* |(w,b)| */
    double size;      /* Σ|w_j| */
    double per_unit;  /* values are multiples of 1/per_unit, a power of 10 */
    double min_score; /* margin·|(w,b)|, rounded up: each row must have y · score >= min_score */
} halfspace;

/* Draws the halfspace and chooses per_unit; false if out of memory. */
static bool plant(halfspace *h, int32_t columns, double margin, linpred__random *random)
{
    *h = (halfspace){.w = linpred__alloc((size_t)columns, sizeof(double)), .per_unit = 1e6};
    if (!h->w)
        return false;
    for (int32_t j = 0; j < columns; j++) {
        h->w[j] = linpred__random_whole(random, 9);
        h->w_square += h->w[j] * h->w[j];
        h->size += fabs(h->w[j]);
    }
    h->b = linpred__random_whole(random, 9);
    h->norm = sqrt(h->w_square + h->b * h->b);
    h->min_score = margin * h->norm * (1.0 + 0x1p-50);
    while (h->size / h->per_unit > h->min_score / 100.0 && h->per_unit < 1e13)
        h->per_unit *= 10.0;
    return true;
}

/* The exact sign of y(<w,x> + b) - min_score. */
static int compare_with_halfspace(const halfspace *h, const double *x, int32_t columns, double y)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int32_t j = 0; j < columns; j++)
        linpred__exact_add(&sum, y * h->w[j], x[j]);
    linpred__exact_add(&sum, y, h->b);
    linpred__exact_add(&sum, -1.0, h->min_score);
    return linpred__exact_sign(&sum);
}

static double score(const halfspace *h, const double *x, int32_t columns)
{
    double sum = h->b;
    for (int32_t j = 0; j < columns; j++)
        sum += h->w[j] * x[j];
    return sum;
}

/* Draws a row with the label y. */
static void draw_row(const halfspace *h, linpred__random *random, int32_t columns, double y, double *x)
{
    double rounding = h->size / h->per_unit; /* twice the change of a score when the values are rounded */
    do {
        for (int32_t j = 0; j < columns; j++)
            x[j] = linpred__random_normal(random);
        double s = score(h, x, columns);
        double move = (y * (fabs(s) + h->min_score + rounding) - s) / h->w_square;
        for (int32_t j = 0; j < columns; j++)
            x[j] = linpred__to_grid(x[j] + move * h->w[j], h->per_unit);
    } while (compare_with_halfspace(h, x, columns, y) < 0);
}

/* Draws all rows; half of them are positive, in random order. The truth states the smallest margin of the rows. */
static void draw_rows(linpred_instance *instance, const halfspace *h, linpred__random *random)
{
    int64_t positive = instance->rows / 2, of = instance->rows;
    double min_score = INFINITY;
    for (int64_t i = 0; i < instance->rows; i++) {
        double *x = linpred__instance_row(instance, i);
        double y = linpred__random_chosen(random, &positive, &of) ? 1.0 : -1.0;
        instance->targets[i] = y;
        draw_row(h, random, instance->columns, y, x);
        min_score = fmin(min_score, y * score(h, x, instance->columns));
    }
    linpred__truth_key(instance, "coefficients");
    linpred__truth_vector(instance, h->w, h->b, true);
    linpred__truth_number(instance, "margin", min_score / h->norm);
}

linpred_status linpred__make_separable(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)options->seed);
    halfspace h;
    if (!plant(&h, instance->columns, options->instance_margin, &random))
        return linpred__no_memory(error);
    draw_rows(instance, &h, &random);
    linpred__release(h.w);
    return LINPRED_OK;
}

/* The number of labels to flip: `flip` itself, or that fraction of the rows if it is below 1. It must be less than half
   of the rows: else the reversed halfspace would be the better one, or one label could vanish. */
static linpred_status count_flips(const linpred_instance *instance, double flip, int64_t *flips, linpred_error *error)
{
    double count = flip < 1.0 ? floor(flip * (double)instance->rows + 0.5) : flip;
    if (count != floor(count))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--flip takes a fraction below 1 or a whole number of labels, not %g", flip);
    if (count > 0.0 && count >= (double)(instance->rows / 2))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--flip %g of %" PRId64 " labels is not fewer than half", flip,
                             instance->rows);
    *flips = (int64_t)count;
    return LINPRED_OK;
}

static void flip_labels(linpred_instance *instance, int64_t flips, linpred__random *random)
{
    int64_t of = instance->rows;
    const char *before = "[";
    linpred__truth_count(instance, "errors", flips);
    linpred__truth_key(instance, "flipped_rows");
    for (int64_t i = 0; i < instance->rows; i++)
        if (linpred__random_chosen(random, &flips, &of)) {
            instance->targets[i] = -instance->targets[i];
            linpred__text_format(&instance->truth, "%s%" PRId64, before, i + 1);
            before = ", ";
        }
    linpred__text_add(&instance->truth, before[0] == '[' ? "[]" : "]");
}

linpred_status linpred__make_noisy(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)options->seed);
    halfspace h;
    int64_t flips = 0;
    linpred_status status = count_flips(instance, options->instance_flip, &flips, error);
    if (status != LINPRED_OK)
        return status;
    if (!plant(&h, instance->columns, options->instance_margin, &random))
        return linpred__no_memory(error);
    draw_rows(instance, &h, &random);
    flip_labels(instance, flips, &random);
    linpred__release(h.w);
    return LINPRED_OK;
}
