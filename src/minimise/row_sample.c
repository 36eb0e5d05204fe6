/* A sample of the rows (see row_sample.h): the first rows of some blocks, as a view of the data. */
#include "minimise/row_sample.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "data/stored.h"
#include "data/tree.h"
#include "minimise/limits.h"

bool linpred__row_sample_open(const linpred__logistic_problem *problem, int64_t every, linpred__row_sample *sample)
{
    const linpred_data *data = problem->data;
    int64_t skip = data->blocks / LINPRED__SAMPLED_BLOCKS;
    skip = skip < every ? skip : every;
    skip = skip > 1 ? skip : 1;
    int64_t rows = data->block_rows * skip / every;
    rows = rows > LINPRED__MIN_ROWS_OF_BLOCK ? rows : LINPRED__MIN_ROWS_OF_BLOCK;
    sample->values = NULL;
    if (!linpred__data_sample(data, skip, &sample->data))
        return false;
    sample->data.rows = 0;
    for (int64_t i = 0; i < sample->data.blocks; i++) {
        if (sample->data.block[i].rows > rows)
            sample->data.block[i].rows = (int32_t)rows;
        sample->data.rows += sample->data.block[i].rows;
    }
    const double *class_weight = problem->terms.class_weight;
    int64_t of_class[2];
    double sum[2];
    linpred__class_sums(&sample->data, of_class, sum);
    sample->weight = class_weight[0] * sum[0] + class_weight[1] * sum[1];
    if (sum[0] > 0 && sum[1] > 0) {
        sample->values = linpred__keep_sample(&sample->data, problem->run->pool);
        return true;
    }
    linpred__row_sample_close(sample);
    return false;
}

void linpred__row_sample_close(linpred__row_sample *sample)
{
    linpred__release(sample->data.block);
    linpred__release(sample->values);
    sample->data.block = NULL;
    sample->values = NULL;
}

/* ---- samples for a rough Hessian --------------------------------------------------------------------------------- */

/* The rows from which a rough Hessian of sparse rows is made.
 *
 *   q_i = Σ_j x_ij² / Σ_k c_k x_kj²,   u_i = c_i D_i q_i
 *
 * u_i estimates the share of row i in the diagonal of H, summed over all columns. A row that is the only one with an
 * entry in some column has a large share.
 *
 * Rows with u_i >= τ are kept. The u of the other rows are added up in turn. When the sum reaches τ, the current row is
 * kept and represents the rows since the last one: its curvature is multiplied by τ / u_i. So no column is lost, and
 * every sum is right on average. With τ = h / m, where h is the mean curvature, about m rows are kept for each column.
 */

bool linpred__hessian_sample_pays(const linpred__logistic_problem *problem)
{
    return problem->data->layout == LINPRED__SPARSE &&
           (double)problem->data->rows >=
               (double)LINPRED__HESSIAN_SAMPLE_SAVES * LINPRED__HESSIAN_ROWS_A_COLUMN * problem->dimension;
}

/* ---- leverages q ------------------------------------------------------------------------------------------------- */

struct squares {
    double *sum; /* Σ c x² of each column */
};

static bool init_squares(void *context, void *state)
{
    const linpred__logistic_problem *problem = context;
    ((struct squares *)state)->sum = linpred__calloc((size_t)problem->dimension, sizeof(double));
    return ((struct squares *)state)->sum != NULL;
}

static void clear_squares(void *context, void *state)
{
    (void)context;
    linpred__release(((struct squares *)state)->sum);
}

static double weight_in_class(const linpred__logistic_problem *problem, const linpred__block *block, int32_t r)
{
    return linpred__row_weight(block, r) * problem->terms.class_weight[block->target[r] > 0];
}

static void add_squares(void *context, void *state, const linpred__block *block)
{
    const linpred__logistic_problem *problem = context;
    double *sum = ((struct squares *)state)->sum;
    for (int32_t r = 0; r < block->rows; r++) {
        double c = weight_in_class(problem, block, r);
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
            sum[block->indices[k]] += c * block->values[k] * block->values[k];
    }
}

static void merge_squares(void *context, void *into, const void *from)
{
    const linpred__logistic_problem *problem = context;
    for (int32_t j = 0; j < problem->dimension; j++)
        ((struct squares *)into)->sum[j] += ((const struct squares *)from)->sum[j];
}

static void list_squares(void *context, void *state, linpred__state_pieces *pieces)
{
    const linpred__logistic_problem *problem = context;
    linpred__state_piece(pieces, ((struct squares *)state)->sum, (size_t)problem->dimension * sizeof(double));
}

struct leverage {
    linpred__logistic_problem *problem; /* its `leverage` is filled */
    const double *inverse;              /* 1 / Σ c x² of each column; 0 for a column of zeros */
    linpred__share blocks;              /* of this process */
};

static void measure_block(void *context, int64_t task)
{
    const struct leverage *leverage = context;
    linpred__logistic_problem *problem = leverage->problem;
    const linpred__block *block = linpred__block_at(problem->data, leverage->blocks.from + task);
    for (int32_t r = 0; r < block->rows; r++) {
        double q = 1.0 / problem->weight; /* the term of the intercept */
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++)
            q += block->values[k] * block->values[k] * leverage->inverse[block->indices[k]];
        problem->leverage[block->first_row + r] = q;
    }
}

linpred_status linpred__logistic_measure_leverage(linpred__logistic_problem *problem, linpred_error *error)
{
    if (problem->leverage)
        return LINPRED_OK;
    linpred__visitor visitor = {sizeof(struct squares), init_squares, add_squares, merge_squares,
                                clear_squares,          problem,      list_squares};
    struct squares squares;
    problem->leverage = linpred__alloc((size_t)problem->data->rows, sizeof *problem->leverage);
    if (!problem->leverage)
        return linpred__no_memory(error);
    linpred_status status = linpred__pass(problem->data, problem->run->pool, &visitor, &squares, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j < problem->data->columns; j++)
        squares.sum[j] = squares.sum[j] > 0 ? 1.0 / squares.sum[j] : 0.0;
    linpred__cut cut = linpred__cut_small(problem->data);
    struct leverage leverage = {problem, squares.sum, linpred__own_blocks(problem->data, cut)};
    linpred__pool_run(problem->run->pool, leverage.blocks.to - leverage.blocks.from, measure_block, &leverage);
    linpred__share_rows(problem->data, cut, problem->leverage, sizeof *problem->leverage);
    clear_squares(problem, &squares);
    problem->progress.passes++;
    return LINPRED_OK;
}

/* ---- the sample -------------------------------------------------------------------------------------------------- */

void linpred__hessian_sample(const linpred__logistic_problem *problem, const linpred__block *block, double mean,
                             double *curvature)
{
    const double *leverage = problem->leverage + block->first_row;
    double threshold = mean / LINPRED__HESSIAN_ROWS_A_COLUMN, owed = 0.5 * threshold;
    for (int32_t r = 0; r < block->rows; r++) {
        double u = curvature[r] * leverage[r];
        if (u >= threshold)
            continue;
        owed += u;
        bool due = owed >= threshold;
        owed -= due ? threshold : 0.0;
        curvature[r] = due ? curvature[r] * (threshold / u) : 0.0;
    }
}
