/* Centres of dense columns.
 *
 * Let a column have mean m and spread s with |m| >> s. In the Gram matrix s² is lost in the rounding of m². If the
 * column is taken about a centre near m, no digit of s is lost. A centre has few bits, so that x - centre is mostly
 * exact.
 */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "minimise/limits.h"
#include "minimise/logistic_problem.h"

/* Sums of x - shift and its square over the rows of a dense block. */
static void add_moments(const linpred__block *block, const double *shift, double *sum, double *square)
{
    for (int32_t r = 0; r < block->rows; r++)
        for (int32_t j = 0; j < block->columns; j++) {
            double x = block->values[r * block->stride + j] - shift[j];
            sum[j] += x;
            square[j] += x * x;
        }
}

/* The mean, rounded to a few bits. It is 0 if the spread is not small beside the mean, or if the column is constant. */
static double centre_of(double first, double sum, double square, double rows)
{
    double offset = sum / rows, mean = first + offset;
    double variance = fmax(0.0, square / rows - offset * offset);
    if (!(fabs(mean) > LINPRED__CENTRE_SPREADS * sqrt(variance)) || !(variance > 0) || !isfinite(mean))
        return 0.0;
    int exponent;
    double fraction = frexp(mean, &exponent);
    return ldexp(nearbyint(ldexp(fraction, LINPRED__CENTRE_BITS)), exponent - LINPRED__CENTRE_BITS);
}

/* The largest |x - centre| of the columns that have a centre, rounded up. */
static void find_extents(linpred__logistic_problem *problem)
{
    const linpred_data *data = problem->data;
    for (int32_t j = 0; j < data->columns; j++)
        problem->extent[j] = problem->centre[j] != 0.0 ? 0.0 : problem->extent[j];
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = &data->block[i];
        for (int32_t r = 0; r < block->rows; r++)
            for (int32_t j = 0; j < data->columns; j++)
                if (problem->centre[j] != 0.0)
                    problem->extent[j] =
                        fmax(problem->extent[j], fabs(block->values[r * block->stride + j] - problem->centre[j]) *
                                                     problem->data_unit[j] * (1.0 + 0x1p-50));
    }
}

linpred_status linpred__logistic_find_centres(linpred__logistic_problem *problem, linpred_error *error)
{
    const linpred_data *data = problem->data;
    size_t columns = (size_t)data->columns;
    linpred_data sample;
    int64_t every = data->rows / LINPRED__CENTRE_ROWS + 1;
    double *sum = linpred__calloc(2 * columns + 1, sizeof *sum);
    if (!sum || !linpred__data_sample(data, every, &sample)) {
        linpred__release(sum);
        return linpred__no_memory(error);
    }
    const double *first = data->block[0].values; /* subtracted from all rows; it is near enough to the mean */
    for (int64_t i = 0; i < sample.blocks; i++)
        add_moments(&sample.block[i], first, sum, sum + columns);
    for (size_t j = 0; j < columns; j++) {
        problem->centre[j] = centre_of(first[j], sum[j], sum[columns + j], (double)sample.rows);
        problem->is_centred = problem->is_centred || problem->centre[j] != 0.0;
    }
    linpred__release(sample.block);
    linpred__release(sum);
    if (problem->is_centred)
        find_extents(problem);
    return LINPRED_OK;
}
