/* Samples of the rows for least absolute deviations. */
#include "fit/least_absolute/sample.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "fit/least_absolute/row.h"

enum { SEED = 20250101 }; /* any number does; it is fixed so that the same data give the same fit */

int64_t *linpred__deviations_draw(int64_t rows, int64_t count)
{
    linpred__random random;
    int64_t *row = linpred__alloc((size_t)rows, sizeof *row);
    linpred__random_seed(&random, SEED);
    for (int64_t i = 0; row && i < rows; i++)
        row[i] = i;
    for (int64_t i = 0; row && i < count; i++) {
        int64_t other = i + (int64_t)linpred__random_below(&random, (uint64_t)(rows - i));
        int64_t held = row[i];
        row[i] = row[other];
        row[other] = held;
    }
    return row;
}

static double target_at(const linpred__deviations *question, int64_t row)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(question->design.data, row, &r);
    return linpred__deviations_target(question, block, r);
}

double linpred__deviations_spread(const linpred__deviations *question, const int64_t *sample, int64_t count)
{
    double mean = 0.0, distance = 0.0, size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double y = target_at(question, sample[i]);
        mean += y / (double)count;
        size = fmax(size, fabs(y));
    }
    for (int64_t i = 0; i < count; i++)
        distance += fabs(target_at(question, sample[i]) - mean) / (double)count;
    return distance > 0 ? fmax(distance, 0x1p-16 * size) : size > 0 ? size : 1.0;
}

/* The number that would stand at place `want` if all were sorted: quickselect. Reorders the numbers. */
static double select_number(double *number, int64_t count, int64_t want)
{
    int64_t from = 0, end = count;
    while (end - from > 1) {
        double pivot = number[from + (end - from) / 2];
        int64_t low = from, high = end - 1;
        while (low <= high) {
            while (number[low] < pivot)
                low++;
            while (number[high] > pivot)
                high--;
            if (low <= high) {
                double held = number[low];
                number[low++] = number[high];
                number[high--] = held;
            }
        }
        if (want <= high)
            end = high + 1;
        else if (want >= low)
            from = low;
        else
            break;
    }
    return number[want < count ? want : count - 1];
}

linpred_status linpred__deviations_unsure_band(const linpred__deviations *question,
                                               const linpred__deviation_vertex *vertex, int32_t rank,
                                               const int64_t *sample, int64_t count, double *band, linpred_error *error)
{
    double share = fmin(1.0, 3.0 * sqrt((double)rank / (double)count));
    double *distance = linpred__alloc((size_t)count, sizeof *distance);
    if (!distance)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < count; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(question->design.data, sample[i], &r);
        distance[i] = fabs(linpred__deviations_residual(question, vertex, block, r, question->scratch));
    }
    *band = select_number(distance, count, (int64_t)(share * (double)count));
    linpred__release(distance);
    return LINPRED_OK;
}
