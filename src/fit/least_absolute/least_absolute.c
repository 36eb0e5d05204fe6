/* fit regression --loss absolute: the exact minimum, a vertex with its duals, with room for the rows and a few times
 * the active ones only.
 *
 * The vertex of a small random sample is found, then of a larger one. At its fit most rows of the data lie clearly on
 * one side; they are fixed there, and the vertex of the rows near the fit is found (Portnoy and Koenker). A pass over
 * all rows looks for rows that changed sides; they become active, and so on until none does. Vertices where more rows
 * meet than there are coefficients would let the simplex method walk in circles, so y is shaken by a tiny seeded amount
 * meanwhile; duals do not depend on y, and what is claimed is computed from y as it is.
 */
#include "fit/least_absolute/least_absolute.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

enum { MOST_COLUMNS = 3000 };

/* ---- fixing rows and finding those fixed wrongly
 * ------------------------------------------------------------------------- */

/* c += part x slope of a row that is fixed on the side of `sign`: part 1 when it is fixed, -1 when it becomes active.
 */
static void shift(linpred__deviations *dev, int64_t row, int sign, double part)
{
    int32_t r;
    const linpred__block *block = linpred__deviations_row(dev, row, &r);
    double up, down;
    linpred__deviations_slopes(dev, block, r, &up, &down);
    linpred__design_row(&dev->design, block, r, dev->scratch, dev->scratch + dev->width);
    for (int32_t k = 0; k < dev->rank; k++)
        dev->c[k] += part * (sign > 0 ? up : -down) * dev->scratch[dev->column[k]];
}

static void release_row(linpred__deviations *dev, int64_t row, int sign)
{
    shift(dev, row, sign, -1.0);
    dev->side[row] = 0;
}

static int64_t list_active(const linpred__deviations *dev, int64_t *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < dev->design.data->rows; i++)
        if (dev->side[i] == 0)
            rows[count++] = i;
    return count;
}

/* From a fit near the optimum: fixes the rows beyond `band`, solves the others, repairs. */
static linpred_status solve_all(linpred__deviations *dev, double band, linpred_error *error)
{
    int64_t active = 0, wrong = 1;
    linpred_status status = linpred__deviations_price(dev, band, &active, error);
    for (int32_t k = 0; status == LINPRED_OK && k < dev->rank; k++) /* the basis is active whatever rounding says */
        if (dev->side[dev->basis[k]] != 0) {
            release_row(dev, dev->basis[k], dev->side[dev->basis[k]]);
            active++;
        }
    while (status == LINPRED_OK && wrong > 0 && !dev->stopped) {
        int64_t *rows = linpred__alloc((size_t)active, sizeof *rows);
        if (!rows)
            return linpred__no_memory(error);
        int64_t count = list_active(dev, rows);
        status = linpred__deviations_solve(dev, rows, count, error);
        linpred__release(rows);
        if (status != LINPRED_OK || active == dev->design.data->rows)
            break;
        status = linpred__deviations_price(dev, -1.0, &wrong, error);
        for (int64_t i = 0; status == LINPRED_OK && wrong > 0 && i < dev->design.data->rows; i++)
            if (dev->side[i] == 2 || dev->side[i] == -2) {
                release_row(dev, i, dev->side[i]);
                active++;
            }
    }
    return status;
}

/* ---- samples
 * ---------------------------------------------------------------------------------------------------------------- */

/* The first `count` of a seeded shuffle of all rows. */
static int64_t *draw(int64_t rows, int64_t count)
{
    linpred__random random;
    int64_t *row = linpred__alloc((size_t)rows, sizeof *row);
    linpred__random_seed(&random, 20250101u);
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

/* Mean |y - mean y| of the sample: what "tiny" is measured by. */
static double spread(const linpred__deviations *dev, const int64_t *sample, int64_t count)
{
    double mean = 0.0, distance = 0.0, size = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < count; i++) {
            int32_t r;
            const linpred__block *block = linpred__deviations_row(dev, sample[i], &r);
            double y = linpred__deviations_target(dev, block, r);
            if (pass == 0) {
                mean += y / (double)count;
                size = fmax(size, fabs(y));
            } else {
                distance += fabs(y - mean) / (double)count;
            }
        }
    return distance > 0 ? fmax(distance, 0x1p-16 * size) : size > 0 ? size : 1.0;
}

/* The share `part` of the rows of a sample lies within this distance of the fit. */
static linpred_status find_band(linpred__deviations *dev, const int64_t *sample, int64_t count, double part,
                                double *band, linpred_error *error)
{
    double *distance = linpred__alloc((size_t)count, sizeof *distance);
    if (!distance)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < count; i++) {
        int32_t r;
        const linpred__block *block = linpred__deviations_row(dev, sample[i], &r);
        distance[i] = fabs(linpred__deviations_residual(dev, block, r, dev->scratch));
    }
    int64_t want = (int64_t)(part * (double)count), from = 0, end = count;
    while (end - from > 1) { /* quickselect */
        double pivot = distance[from + (end - from) / 2];
        int64_t low = from, high = end - 1;
        while (low <= high) {
            while (distance[low] < pivot)
                low++;
            while (distance[high] > pivot)
                high--;
            if (low <= high) {
                double held = distance[low];
                distance[low++] = distance[high];
                distance[high--] = held;
            }
        }
        if (want <= high)
            end = high + 1;
        else if (want >= low)
            from = low;
        else
            break;
    }
    *band = distance[want < count ? want : count - 1];
    linpred__release(distance);
    return LINPRED_OK;
}

static double residual_at(linpred__deviations *dev, int64_t row)
{
    int32_t r;
    const linpred__block *block = linpred__deviations_row(dev, row, &r);
    return linpred__deviations_residual(dev, block, r, dev->scratch);
}

/* As solve_all, but of the rows of a sample alone. `side` and `active` are `count` long. */
static linpred_status solve_some(linpred__deviations *dev, const int64_t *sample, int64_t count, double band,
                                 int8_t *side, int64_t *active, linpred_error *error)
{
    int64_t actives = 0;
    bool again = true;
    for (int64_t i = 0; i < count; i++) {
        double left = residual_at(dev, sample[i]);
        side[i] = fabs(left) > band ? (left > 0 ? 1 : -1) : 0;
        if (side[i] == 0)
            active[actives++] = sample[i];
        else
            shift(dev, sample[i], side[i], 1.0);
    }
    linpred_status status = LINPRED_OK;
    while (again && status == LINPRED_OK && !dev->stopped) {
        status = linpred__deviations_solve(dev, active, actives, error);
        again = false;
        for (int64_t i = 0; status == LINPRED_OK && i < count; i++)
            if (side[i] != 0 && (residual_at(dev, sample[i]) > 0) != (side[i] > 0)) {
                shift(dev, sample[i], side[i], -1.0);
                side[i] = 0;
                active[actives++] = sample[i];
                again = true;
            }
    }
    memset(dev->c, 0, (size_t)dev->rank * sizeof *dev->c); /* what comes next fixes rows of its own */
    return status;
}

/* A fit to n rows is off by about sqrt(p/n) of a row's own spread: rows within three times that are not sure of their
 * side. */
static linpred_status find_unsure(linpred__deviations *dev, const int64_t *sample, int64_t count, double *band,
                                  linpred_error *error)
{
    double part = fmin(1.0, 3.0 * sqrt((double)dev->rank / (double)count));
    return find_band(dev, sample, count, part, band, error);
}

/* The vertex of a sample, of a larger one, then of all rows. */
static linpred_status solve_levels(linpred__deviations *dev, const int64_t *sample, int64_t middle, double *band,
                                   linpred_error *error)
{
    int64_t first = 1000 + 30 * (int64_t)dev->rank;
    linpred_status status = LINPRED_OK;
    if (first >= middle / 2)
        status = linpred__deviations_solve(dev, sample, middle, error);
    else
        status = linpred__deviations_solve(dev, sample, first, error);
    if (status == LINPRED_OK && first < middle / 2 && !dev->stopped) {
        int8_t *side = linpred__alloc((size_t)middle, sizeof *side);
        int64_t *active = linpred__alloc((size_t)middle, sizeof *active);
        status = side && active ? find_unsure(dev, sample, first, band, error) : linpred__no_memory(error);
        if (status == LINPRED_OK)
            status = solve_some(dev, sample, middle, *band, side, active, error);
        linpred__release(side);
        linpred__release(active);
    }
    if (status != LINPRED_OK || middle == dev->design.data->rows || dev->stopped)
        return status;
    status = find_unsure(dev, sample, middle, band, error);
    return status == LINPRED_OK ? solve_all(dev, *band, error) : status;
}

/* Shakes less and less until the vertex is that of y as it is. */
static linpred_status solve(linpred__deviations *dev, linpred_error *error)
{
    int64_t rows = dev->design.data->rows;
    double want = pow(3.0 * sqrt((double)dev->width) * (double)rows, 2.0 / 3.0);
    int64_t middle = want * 3.0 > (double)rows || rows < 5000 ? rows : (int64_t)want;
    int64_t *sample = draw(rows, middle);
    if (!sample)
        return linpred__no_memory(error);
    double slack = INFINITY, band = 0.0;
    dev->size = spread(dev, sample, middle);
    int64_t look_first = 4 * (int64_t)dev->width + 64 < middle ? 4 * (int64_t)dev->width + 64 : middle;
    linpred_status status = linpred__deviations_span(dev, sample, look_first, error);
    for (int attempt = 0; status == LINPRED_OK && attempt < 4 && slack > 1e-15; attempt++) {
        dev->shake = attempt < 3 ? ldexp(dev->size, -28 - 8 * attempt) : 0.0;
        if (attempt == 0)
            status = solve_levels(dev, sample, middle, &band, error);
        else
            status =
                middle == rows ? linpred__deviations_solve(dev, sample, middle, error) : solve_all(dev, band, error);
        if (status == LINPRED_OK)
            status = linpred__deviations_certify(dev, &slack, error);
        if (dev->stopped)
            break;
    }
    linpred__release(sample);
    if (status == LINPRED_OK && !dev->stopped && !(fmax(dev->fault, slack) <= LINPRED__SLACK_ALLOWED))
        return linpred__design_lost(&dev->design, error);
    return status;
}

static void clear(linpred__deviations *dev)
{
    linpred__design_close(&dev->design);
    linpred__release(dev->column);
    linpred__release(dev->null);
    linpred__release(dev->basis);
    linpred__release(dev->w);
    linpred__release(dev->side);
    linpred__release(dev->c);
    linpred__release(dev->scratch);
}

linpred_status linpred__fit_absolute(linpred__fit *fit, linpred_error *error)
{
    linpred__regression *regression = fit->result->model.regression;
    if (regression->width >
        MOST_COLUMNS) /* the simplex method keeps several matrices with a row and a column for each */
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "--loss absolute takes at most %d coefficients, here are %d: choose some with --features, or take "
            "--loss squared",
            MOST_COLUMNS, regression->width);
    linpred__deviations dev = {.fit = fit, .quantile = regression->quantile, .width = regression->width};
    size_t p = (size_t)dev.width;
    linpred_status status =
        linpred__design_open(&dev.design, fit->problem.data, &regression->basis, fit->run.pool, error);
    dev.column = linpred__alloc(p, sizeof *dev.column);
    dev.basis = linpred__alloc(p, sizeof *dev.basis);
    dev.w = linpred__calloc(p, sizeof *dev.w);
    dev.c = linpred__calloc(p, sizeof *dev.c);
    dev.scratch = linpred__calloc(2 * p, sizeof *dev.scratch);
    dev.side = linpred__calloc((size_t)fit->problem.data->rows, sizeof *dev.side);
    if (status == LINPRED_OK && (!dev.column || !dev.basis || !dev.w || !dev.c || !dev.scratch || !dev.side))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && linpred__design_needs_units(&dev.design))
        status = linpred__design_measure(&dev.design, error);
    if (status == LINPRED_OK)
        status = solve(&dev, error);
    fit->result->info.updates = dev.steps;
    fit->result->info.rounds = dev.rounds;
    fit->result->info.passes = dev.passes;
    fit->result->info.working_rows = dev.most_active;
    clear(&dev);
    return status;
}
