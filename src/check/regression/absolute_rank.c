/* The rank of the columns under absolute loss, and whether the coefficients are the only ones that do as well.
 *
 * The support holds the rows at residual 0. If p - k columns that have no part in k independent dependencies are
 * independent on these rows, the rank is at least p - k, and by the dependencies at most that.
 *
 * Let the duals a prove the minimum. Another minimiser has residual 0 on every row whose dual lies inside its interval:
 * elsewhere ρ(r) > a r. So if the columns are independent on these rows, there is no other. If exactly p rows determine
 * the fit and the dual of one is an end of its interval, the loss stays the same while that row alone leaves the fit in
 * one direction, so there are others. Where more than p rows lie on the fit, neither need be true.
 */
#include <math.h>

#include "check/limits.h"
#include "check/regression/measure.h"
#include "check/regression/polynomials.h"
#include "check/rows/whole.h"
#include "core/error.h"
#include "core/memory.h"

/* The columns of the support's rows: entry (j, i) is column j of row i, for `inside` rows first. */
struct columns {
    size_t p;
    size_t rows;
    size_t inside; /* rows whose dual lies inside its interval */
    double *at;    /* p x rows */
};

/* Whether the dual of a row lies inside its interval, not at an end of it. */
static bool lies_inside(double quantile, double weight, double dual)
{
    double up = 2.0 * quantile * weight, down = 2.0 * (1.0 - quantile) * weight;
    return fmin(up - dual, dual + down) > LINPRED__DUAL_TOLERANCE * (up + down);
}

/* Writes the columns; `buffer` holds 2 p numbers. Returns false if a row is not in the data. */
static bool take_columns(const linpred_model *model, const linpred__support *duals, const linpred_data *data,
                         const linpred__polynomial_basis *powers, double *buffer, struct columns *columns)
{
    size_t at[2] = {0, columns->rows}; /* inside from the left, the others from the right */
    for (int64_t k = 0; k < duals->count; k++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, duals->row[k], &r);
        if (!block)
            return false;
        double weight = block->weight ? block->weight[r] : 1.0;
        bool inside = lies_inside(model->regression->quantile, weight, duals->multiplier[k]);
        size_t place = inside ? at[0]++ : --at[1];
        linpred__row_in_basis(powers, block, r, buffer, buffer + columns->p);
        for (int32_t j = 0; powers->polynomials == 0 && j < powers->terms; j++)
            buffer[j] = linpred__in_own_unit(block, j, buffer[j]); /* the rank is the same, and decimals are whole */
        for (size_t j = 0; j < columns->p; j++)
            columns->at[j * columns->rows + place] = buffer[j];
    }
    columns->inside = at[0];
    return true;
}

/* Returns 1 if the columns but those `left_out` (NULL: all) are certainly independent on the first `rows` rows, 0 if
   that is not certain, -1 if memory runs out. */
static int independent_on(const struct columns *columns, size_t rows, const size_t *left_out, size_t count)
{
    double *vectors = linpred__alloc((columns->p + 1) * (rows + 1), sizeof *vectors);
    size_t kept = 0;
    if (!vectors)
        return -1;
    for (size_t j = 0; j < columns->p; j++) {
        bool out = false;
        for (size_t k = 0; k < count; k++)
            out = out || left_out[k] == j;
        for (size_t i = 0; !out && i < rows; i++)
            vectors[kept * rows + i] = columns->at[j * columns->rows + i];
        kept += !out;
    }
    int independent = linpred__null_independent(vectors, kept, rows, NULL, NULL);
    linpred__release(vectors);
    return independent;
}

/* Sets rank and uniqueness from the columns. Returns false if memory runs out. */
static bool conclude_rank(const linpred__regression *regression, const struct columns *columns,
                          linpred__absolute_finding *finding)
{
    size_t count = (size_t)regression->dependencies.count;
    size_t *pivot = linpred__alloc(count + 1, sizeof *pivot);
    int known = pivot ? linpred__null_independent(regression->dependencies.vector, count, columns->p, NULL, pivot) : -1;
    if (known == 1)
        known = independent_on(columns, columns->rows, pivot, count);
    int only = known == 1 && count == 0;
    if (only && columns->inside < columns->rows)
        only = independent_on(columns, columns->inside, NULL, 0);
    if (known == 1) {
        finding->rank = (int32_t)(columns->p - count);
        bool corner = columns->rows == columns->p && finding->uncertain == 0;
        finding->unique = count > 0 ? 0 : only == 1 ? 1 : corner ? 0 : -1;
    }
    linpred__release(pivot);
    return known >= 0 && only >= 0;
}

linpred_status linpred__measure_absolute_rank(const linpred_model *model, const linpred__support *duals,
                                              const linpred_data *data, linpred__absolute_finding *finding,
                                              linpred_error *error)
{
    const linpred__regression *regression = model->regression;
    linpred__polynomial_basis powers;
    struct columns columns = {.p = (size_t)regression->width, .rows = (size_t)duals->count};
    finding->rank = finding->unique = -1;
    double *buffer = linpred__alloc(2 * columns.p + 1, sizeof *buffer);
    columns.at = linpred__alloc(columns.p * columns.rows + 1, sizeof *columns.at);
    bool ready = buffer && columns.at;
    if (ready && linpred__judged_coordinates(model, &powers, buffer)) {
        if (take_columns(model, duals, data, &powers, buffer, &columns))
            ready = conclude_rank(regression, &columns, finding);
        linpred__polynomial_basis_clear(&powers);
    } else {
        ready = false;
    }
    linpred__release(buffer);
    linpred__release(columns.at);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}
