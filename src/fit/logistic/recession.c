/* A direction along which the loss falls without end, guessed from the point or step at which a method ended.
 *
 * On quasi-separated rows the fit goes to infinity along some direction d. Rows with <d,z> > 0 are settled; their
 * curvature tends to 0. Only the rows with <d,z> = 0 remain in the Hessian H. So H d is nearly 0, and d lies in the
 * null space of H after entries that have become very small are set to 0.
 *
 * A basis of that null space has one vector n_k for each column that depends on others there, often in small whole
 * numbers. The guess is d = Σ a_k n_k, where a_k is the coordinate of the fit, or of its last step, in the column of
 * n_k, rounded. One exact pass over the rows checks it. If no guess holds, the three-way question decides, which costs
 * much more.
 *
 * Conjugate gradients have no H, but their last step approximates such a d: the scores of settled rows grow by about 1
 * with each step, while those of the other rows no longer change.
 */
#include "fit/logistic/recession.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/limits.h"
#include "fit/logistic/null_space.h"
#include "num/vector.h"
#include "separate/rows/direction_rows.h"
#include "separate/rows/solver_rows.h"

enum {
    GUESSES = sizeof linpred__died_out / sizeof linpred__died_out[0],
    ROUNDINGS = sizeof linpred__largest_whole / sizeof linpred__largest_whole[0]
};

struct guess {
    linpred__newton *newton;
    linpred__three_way *answer;
    double *hessian;   /* of the kept columns, rank x rank */
    int32_t count;     /* the number of null vectors n_k */
    double *null;      /* the n_k in whole numbers, each `dimension` long */
    int32_t *column;   /* for each n_k, the column that depends on others */
    int *factor;       /* for each n_k, the factor that made it whole */
    int32_t *alive;    /* the places of the independent columns among the kept ones, ascending */
    double *direction; /* scratch, dimension long */
    double *scratch;   /* rank long */
};

static bool guess_open(linpred__newton *newton, struct guess *guess)
{
    size_t n = (size_t)newton->rank, d = (size_t)newton->problem->dimension;
    guess->hessian = linpred__alloc(n * n, sizeof(double));
    guess->null = linpred__alloc(n * d, sizeof(double));
    guess->column = linpred__alloc(n, sizeof *guess->column);
    guess->factor = linpred__alloc(n, sizeof *guess->factor);
    guess->alive = linpred__alloc(n, sizeof *guess->alive);
    guess->direction = linpred__alloc(d, sizeof(double));
    guess->scratch = linpred__alloc(n, sizeof(double));
    return guess->hessian && guess->null && guess->column && guess->factor && guess->alive && guess->direction &&
           guess->scratch;
}

static void guess_close(struct guess *guess)
{
    linpred__release(guess->hessian);
    linpred__release(guess->null);
    linpred__release(guess->column);
    linpred__release(guess->factor);
    linpred__release(guess->alive);
    linpred__release(guess->direction);
    linpred__release(guess->scratch);
}

/* Computes the diagonal of H at v = 0, if Newton's method did not. */
static linpred_status find_squares(linpred__newton *newton, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    linpred__logistic_point zero;
    int32_t d = problem->dimension;
    if (!isnan(newton->square[0]))
        return LINPRED_OK;
    if (!linpred__logistic_point_open(problem, true, &zero))
        return linpred__no_memory(error);
    linpred_status status = linpred__logistic_evaluate(problem, NULL, LINPRED__HESSIAN_WHOLE, &zero, error);
    for (int32_t j = 0; status == LINPRED_OK && j < d; j++)
        newton->square[j] = zero.hessian[(int64_t)j * d + j];
    linpred__logistic_point_close(&zero);
    return status;
}

/* Copies H of the kept columns, with the rows and columns of dead columns set to 0. */
static void take_hessian(const struct guess *guess, double dead)
{
    const linpred__newton *newton = guess->newton;
    int32_t n = newton->rank, d = newton->problem->dimension;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            int64_t a = newton->kept[i], b = newton->kept[j];
            bool alive = newton->point.hessian[a * d + a] > dead * newton->square[a] &&
                         newton->point.hessian[b * d + b] > dead * newton->square[b];
            guess->hessian[(int64_t)i * n + j] = alive ? newton->point.hessian[a * d + b] : 0.0;
        }
}

/* Finds a basis of the null space in whole numbers. *found is false if the null space is 0, or if its vectors are not
   in the ratio of small whole numbers. */
static linpred_status find_basis(struct guess *guess, double dead, bool *found, linpred_error *error)
{
    const linpred__newton *newton = guess->newton;
    const linpred__logistic_problem *problem = newton->problem;
    int32_t n = newton->rank, d = problem->dimension;
    take_hessian(guess, dead);
    int32_t rank = linpred__independent_columns(guess->hessian, n, dead, guess->alive);
    linpred__cholesky cholesky;
    *found = false;
    if (rank < 0 || !linpred__cholesky_open(rank, &cholesky))
        return linpred__no_memory(error);
    bool small = rank < n && linpred__cholesky_factor(&cholesky, guess->hessian, n, guess->alive, 0.0);
    guess->count = 0;
    for (int32_t i = 0, next = 0; small && i < n; i++) {
        if (next < rank && guess->alive[next] == i) {
            next++;
            continue;
        }
        double *null = guess->null + (int64_t)guess->count * d;
        memset(null, 0, (size_t)d * sizeof *null);
        linpred__null_vector(guess->hessian, n, &cholesky, guess->alive, i, guess->scratch, guess->direction);
        for (int32_t k = 0; k < n; k++)
            null[newton->kept[k]] = guess->direction[k];
        linpred__logistic_to_file(problem, null, null);
        for (int32_t j = 0; j < d; j++)
            null[j] /= problem->unit[newton->kept[i]];
        guess->factor[guess->count] = linpred__round_to_fractions(null, d);
        small = guess->factor[guess->count] > 0;
        guess->column[guess->count++] = newton->kept[i];
    }
    linpred__cholesky_close(&cholesky);
    *found = small && guess->count > 0;
    return LINPRED_OK;
}

/* Checks a direction on every row. It is in the units of the file, the intercept last. */
static linpred_status try_on_rows(const linpred__logistic_problem *problem, const double *direction,
                                  linpred__three_way *answer, bool *found, linpred_error *error)
{
    const linpred_data *data = problem->original->data;
    linpred__integers v;
    linpred__found_rows tried;
    *found = false;
    for (int32_t j = 0; j < data->columns + problem->has_intercept; j++)
        if (!isfinite(direction[j]))
            return LINPRED_OK;
    if (!linpred__integers_of_doubles(direction, data->columns,
                                      problem->has_intercept ? &direction[data->columns] : NULL, &v))
        return linpred__no_memory(error);
    linpred_status status = linpred__try_direction(problem->run, problem->original, &v, NULL, &tried, error);
    if (status == LINPRED_OK) {
        answer->passes++;
        *found = tried.count == 0 && tried.positive > 0;
        answer->settled_rows = tried.positive;
        answer->kind = tried.positive == data->rows ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_QUASI_SEPARATED;
        linpred__release(tried.row);
    }
    if (status == LINPRED_OK && *found)
        status = linpred__take_direction(&answer->direction, &v, error);
    linpred__integers_close(&v);
    return status;
}

/* If no guess held, clears the answer except for its count of passes. */
static void forget_unless(bool found, linpred__three_way *answer)
{
    int64_t passes = answer->passes;
    if (found)
        return;
    linpred__three_way_clear(answer);
    answer->kind = LINPRED_SEPARATION_UNDECIDED;
    answer->passes = passes;
}

/* Checks d = Σ a_k n_k on every row. The a_k are the coordinates of `along`, scaled so that the largest is `whole` and
   rounded to whole numbers. */
static linpred_status try_along(struct guess *guess, const double *along, double whole, bool *found,
                                linpred_error *error)
{
    linpred__logistic_problem *problem = guess->newton->problem;
    int32_t d = problem->dimension;
    double largest = 0.0;
    memset(guess->direction, 0, (size_t)d * sizeof(double));
    for (int32_t k = 0; k < guess->count; k++) {
        int32_t j = guess->column[k];
        guess->scratch[k] = along[j] * problem->unit[j] / guess->factor[k];
        largest = fmax(largest, fabs(guess->scratch[k]));
    }
    for (int32_t k = 0; k < guess->count && largest > 0 && isfinite(largest); k++)
        for (int32_t j = 0; j < d; j++)
            guess->direction[j] += nearbyint(guess->scratch[k] / largest * whole) * guess->null[(int64_t)k * d + j];
    return try_on_rows(problem, guess->direction, guess->answer, found, error);
}

/* Checks `away`, scaled so that its largest coordinate is `whole` and rounded to whole numbers, on every row. */
static linpred_status try_rounded(linpred__logistic_problem *problem, const double *away, double whole,
                                  double *direction, linpred__three_way *answer, bool *found, linpred_error *error)
{
    int32_t d = problem->dimension, columns = problem->original->data->columns;
    const int32_t *column = problem->used_columns.column;
    double largest = 0.0;
    for (int32_t j = 0; j < d; j++)
        largest = fmax(largest, fabs(away[j]));
    for (int32_t j = 0; j < d; j++)
        problem->scratch.w[j] = nearbyint(away[j] / largest * whole);
    linpred__logistic_to_file(problem, problem->scratch.w, problem->scratch.w);
    memset(direction, 0, ((size_t)columns + 1) * sizeof *direction);
    for (int32_t j = 0; j < problem->data->columns; j++)
        direction[column ? column[j] : j] = problem->scratch.w[j];
    if (problem->has_intercept)
        direction[columns] = problem->scratch.w[d - 1];
    return try_on_rows(problem, direction, answer, found, error);
}

linpred_status linpred__recession_by_step(linpred__logistic_problem *problem, const double *step,
                                          linpred__three_way *answer, linpred_error *error)
{
    *answer = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    bool found = false;
    double *direction = linpred__alloc((size_t)problem->original->data->columns + 1, sizeof *direction);
    linpred_status status = direction ? LINPRED_OK : linpred__no_memory(error);
    for (int k = 0; k < ROUNDINGS && status == LINPRED_OK && !found; k++)
        status = try_rounded(problem, step, linpred__largest_whole[k], direction, answer, &found, error);
    linpred__release(direction);
    forget_unless(status == LINPRED_OK && found, answer);
    return status;
}

linpred_status linpred__recession_by_newton(linpred__newton *newton, linpred__three_way *answer, linpred_error *error)
{
    *answer = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    struct guess guess = {.newton = newton, .answer = answer};
    bool found = false;
    if (memcmp(newton->factor_at, newton->point.v, (size_t)newton->problem->dimension * sizeof(double)) != 0)
        return LINPRED_OK; /* the Hessian was made at another point */
    linpred_status status = find_squares(newton, error);
    if (status == LINPRED_OK && !guess_open(newton, &guess))
        status = linpred__no_memory(error);
    for (int i = 0; i < GUESSES && status == LINPRED_OK && !found; i++) {
        bool basis;
        status = find_basis(&guess, linpred__died_out[i], &basis, error);
        if (linpred__run_should_stop(newton->problem->run, "overlapping?", 0, answer->passes, NAN))
            break; /* the next question asks the run again and stops too */
        for (int k = 0; k < 2 * ROUNDINGS && status == LINPRED_OK && basis && !found; k++)
            status =
                try_along(&guess, k % 2 ? newton->step : newton->point.v, linpred__largest_whole[k / 2], &found, error);
    }
    guess_close(&guess);
    forget_unless(status == LINPRED_OK && found, answer);
    return status;
}
