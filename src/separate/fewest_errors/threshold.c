/* The intercept that costs least (see threshold.h). */
#include "separate/fewest_errors/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "data/tree.h"

/* A row as the threshold sees it. */
struct scored_row {
    double score;  /* <w,x> */
    double change; /* what the cost of mistakes changes by as the threshold rises above the score */
};

struct scoring {
    const double *w;
    const double *class_cost;
    struct scored_row *row; /* one for each data row */
};

static void score_for_threshold(void *context, void *state, const linpred__block *block)
{
    const struct scoring *scoring = context;
    (void)state;
    for (int32_t r = 0; r < block->rows; r++) {
        double cost = linpred__row_weight(block, r) * scoring->class_cost[block->target[r] > 0];
        scoring->row[block->first_row + r] =
            (struct scored_row){linpred__row_dot(block, r, scoring->w), block->target[r] > 0 ? cost : -cost};
    }
}

static int by_score(const void *a, const void *b)
{
    double x = ((const struct scored_row *)a)->score, y = ((const struct scored_row *)b)->score;
    return (x > y) - (x < y);
}

/* The threshold t of smallest cost, where a row is positive if its score is above t. */
static double choose_threshold(const struct scored_row *row, int64_t rows)
{
    double cost = 0.0, least = 0.0, widest = INFINITY, chosen = row[0].score - 1.0 - fabs(row[0].score);
    for (int64_t i = 0; i < rows; i++) {
        cost += row[i].change;
        bool last = i + 1 == rows;
        double next = last ? row[i].score + 2.0 + 2.0 * fabs(row[i].score) : row[i + 1].score;
        double gap = last ? INFINITY : next - row[i].score;
        if (!(gap > 0) || cost > least || (cost == least && gap <= widest))
            continue;
        least = cost;
        widest = gap;
        chosen = row[i].score + 0.5 * (next - row[i].score);
    }
    return chosen;
}

linpred_status linpred__find_threshold(linpred__run *run, const linpred__problem *problem, const double class_cost[2],
                                       const double *w, double *b, linpred_error *error)
{
    const linpred_data *data = problem->data;
    struct scoring scoring = {w, class_cost, linpred__alloc((size_t)data->rows, sizeof *scoring.row)};
    linpred__visitor visitor = {.state_bytes = sizeof(double),
                                .block = score_for_threshold,
                                .context = &scoring,
                                .pieces = linpred__whole_state};
    double nothing;
    bool finite = true;
    if (!scoring.row)
        return linpred__no_memory(error);
    linpred__cut cut = linpred__cut_small(data);
    linpred_status status = linpred__pass_all(data, run->pool, &visitor, (void *[]){&nothing}, 1, cut, error);
    if (status == LINPRED_OK)
        linpred__share_rows(data, cut, scoring.row, sizeof *scoring.row);
    for (int64_t i = 0; i < data->rows && status == LINPRED_OK; i++)
        finite = finite && isfinite(scoring.row[i].score) && isfinite(scoring.row[i].change);
    if (status == LINPRED_OK && finite && data->rows > 0) {
        qsort(scoring.row, (size_t)data->rows, sizeof *scoring.row, by_score);
        *b = -choose_threshold(scoring.row, data->rows);
    }
    linpred__release(scoring.row);
    return status;
}
