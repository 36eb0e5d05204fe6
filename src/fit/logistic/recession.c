/* A direction in which the loss falls for ever, guessed from where Newton's method ran away to.
 *
 * On quasi-separated rows the fit goes to infinity along some d with <d,z> > 0 on the rows it settles, whose curvature
 * dies out, and <d,z> = 0 on the others, which alone are left in H. So d lies in the null space of H, as far as H is
 * above what has died out; a basis n_k of it, one for each column that depends on others there, often has small whole
 * numbers. d = Σ a_k n_k with a_k the coordinate of the fit, or of its last step, rounded: positive stays positive.
 * Then one exact pass over the rows decides; only a guess that fails is left to the three-way oracle, which is much
 * dearer. Conjugate gradients have no H, but their last step is such a d already: on the rows that are left the fit
 * stands still, while those that are settled move on by 1 with each step, as e^-t falls. A direction with zeros proves
 * that there is no minimum, not that no other is strict: that is another question.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "num/fractions.h"
#include "minimise/logistic.h"
#include "separate/answer.h"
#include "separate/direction_rows.h"
#include "separate/file_rows.h"

/* What has died out: parts of a column's squared length. */
static const double died_out[] = {1e-10, 1e-8, 1e-6};
/* The coordinates of d are rounded to at most this. */
static const double largest_whole[] = {8.0, 1000.0, 1e6};

enum { GUESSES = sizeof died_out / sizeof died_out[0], ROUNDINGS = sizeof largest_whole / sizeof largest_whole[0] };

struct guess {
    linpred__newton *newton;
    linpred__three_way *overlap;
    double *hessian; /* of the kept columns, rank x rank */
    double *null;    /* for each column k that is left over: n_k in whole numbers, dimension long */
    int32_t *column; /* k */
    int *factor;     /* by which n_k was multiplied to be whole */
    int32_t *alive;  /* places of columns that are not, ascending */
    double *direction;
    double *scratch;
    int32_t count; /* of null vectors */
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

/* The lengths of the columns, where Newton's method began without them. */
static linpred_status find_lengths(linpred__newton *newton, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    linpred__logistic_point zero;
    int32_t d = problem->dimension;
    if (!isnan(newton->length[0]))
        return LINPRED_OK;
    if (!linpred__logistic_point_open(problem, true, &zero))
        return linpred__no_memory(error);
    linpred_status status = linpred__logistic_evaluate(problem, NULL, LINPRED__HESSIAN_WHOLE, &zero, error);
    for (int32_t j = 0; status == LINPRED_OK && j < d; j++)
        newton->length[j] = zero.hessian[(int64_t)j * d + j];
    linpred__logistic_point_close(&zero);
    return status;
}

/* H on the kept columns; those of which nothing is left are zero. */
static void take_hessian(const struct guess *guess, double dead)
{
    const linpred__newton *newton = guess->newton;
    int32_t n = newton->rank, d = newton->problem->dimension;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            int64_t a = newton->keep[i], b = newton->keep[j];
            bool alive = newton->point.hessian[a * d + a] > dead * newton->length[a] &&
                         newton->point.hessian[b * d + b] > dead * newton->length[b];
            guess->hessian[(int64_t)i * n + j] = alive ? newton->point.hessian[a * d + b] : 0.0;
        }
}

/* A basis of the null space in whole numbers; *found false: there is none, or its numbers are not small. */
static linpred_status find_basis(struct guess *guess, double dead, bool *found, linpred_error *error)
{
    const linpred__newton *newton = guess->newton;
    const linpred__logistic *problem = newton->problem;
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
            null[newton->keep[k]] = guess->direction[k];
        linpred__logistic_to_file(problem, null, null);
        for (int32_t j = 0; j < d; j++)
            null[j] /= problem->unit[newton->keep[i]];
        guess->factor[guess->count] = linpred__round_to_fractions(null, d);
        small = guess->factor[guess->count] > 0;
        guess->column[guess->count++] = newton->keep[i];
    }
    linpred__cholesky_close(&cholesky);
    *found = small && guess->count > 0;
    return LINPRED_OK;
}

/* Tries a direction in the file's units, the intercept's part last, on every row. */
static linpred_status try_on_rows(linpred__logistic *problem, const double *direction, linpred__three_way *overlap,
                                  bool *found, linpred_error *error)
{
    const linpred_data *data = problem->fit->problem.data;
    linpred__integers v;
    linpred__tried tried;
    if (!linpred__integers_of_doubles(direction, data->columns,
                                      problem->has_intercept ? &direction[data->columns] : NULL, &v))
        return linpred__no_memory(error);
    linpred_status status = linpred__try_direction(data, problem->fit->run.pool, problem->has_intercept, &v,
                                                   problem->radius, NULL, &tried, error);
    if (status == LINPRED_OK) {
        overlap->passes++;
        *found = tried.count == 0 && tried.positive > 0;
        overlap->settled_rows = tried.positive;
        overlap->kind =
            tried.positive == data->rows ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_QUASI_SEPARATED;
        linpred__release(tried.row);
    }
    if (status == LINPRED_OK && *found)
        status = linpred__take_direction(&overlap->direction, &v, error);
    linpred__integers_close(&v);
    return status;
}

/* Only the passes are left of a guess that failed. */
static void forget_unless(bool found, linpred__three_way *overlap)
{
    int64_t passes = overlap->passes;
    if (found)
        return;
    linpred__three_way_clear(overlap);
    overlap->kind = LINPRED_SEPARATION_UNDECIDED;
    overlap->passes = passes;
}

/* Tries Σ a_k n_k, a_k from `along` rounded to at most `largest`, on every row. */
static linpred_status try_along(struct guess *guess, const double *along, double largest, bool *found,
                                linpred_error *error)
{
    linpred__logistic *problem = guess->newton->problem;
    int32_t d = problem->dimension;
    double most = 0.0;
    memset(guess->direction, 0, (size_t)d * sizeof(double));
    for (int32_t k = 0; k < guess->count; k++) {
        int32_t j = guess->column[k];
        guess->scratch[k] = along[j] * problem->unit[j] / guess->factor[k];
        most = fmax(most, fabs(guess->scratch[k]));
    }
    for (int32_t k = 0; k < guess->count && most > 0 && isfinite(most); k++)
        for (int32_t j = 0; j < d; j++)
            guess->direction[j] += nearbyint(guess->scratch[k] / most * largest) * guess->null[(int64_t)k * d + j];
    return try_on_rows(problem, guess->direction, guess->overlap, found, error);
}

/* Tries `away` rounded so that the largest is `largest`. */
static linpred_status try_rounded(linpred__logistic *problem, const double *away, double largest, double *direction,
                                  linpred__three_way *overlap, bool *found, linpred_error *error)
{
    int32_t d = problem->dimension, columns = problem->fit->problem.data->columns;
    const int32_t *column = problem->narrow.column;
    double most = 0.0;
    for (int32_t j = 0; j < d; j++)
        most = fmax(most, fabs(away[j]));
    for (int32_t j = 0; j < d; j++)
        problem->w[j] = nearbyint(away[j] / most * largest);
    linpred__logistic_to_file(problem, problem->w, problem->w);
    memset(direction, 0, ((size_t)columns + 1) * sizeof *direction);
    for (int32_t j = 0; j < problem->data->columns; j++)
        direction[column ? column[j] : j] = problem->w[j];
    if (problem->has_intercept)
        direction[columns] = problem->w[d - 1];
    return try_on_rows(problem, direction, overlap, found, error);
}

linpred_status linpred__guess_by_step(linpred__logistic *problem, const double *step, linpred__three_way *overlap,
                                      linpred_error *error)
{
    *overlap = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    bool found = false;
    double *direction = linpred__alloc((size_t)problem->fit->problem.data->columns + 1, sizeof *direction);
    linpred_status status = direction ? LINPRED_OK : linpred__no_memory(error);
    for (int k = 0; k < ROUNDINGS && status == LINPRED_OK && !found; k++)
        status = try_rounded(problem, step, largest_whole[k], direction, overlap, &found, error);
    linpred__release(direction);
    forget_unless(status == LINPRED_OK && found, overlap);
    return status;
}

linpred_status linpred__guess_recession(linpred__newton *newton, linpred__three_way *overlap, linpred_error *error)
{
    *overlap = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    struct guess guess = {.newton = newton, .overlap = overlap};
    bool found = false;
    if (memcmp(newton->made_at, newton->point.v, (size_t)newton->problem->dimension * sizeof(double)) != 0)
        return LINPRED_OK; /* the Hessian at hand is of another point */
    linpred_status status = find_lengths(newton, error);
    if (status == LINPRED_OK && !guess_open(newton, &guess))
        status = linpred__no_memory(error);
    for (int i = 0; i < GUESSES && status == LINPRED_OK && !found; i++) {
        bool basis;
        status = find_basis(&guess, died_out[i], &basis, error);
        if (linpred__fit_should_stop(newton->problem->fit, "overlapping?", 0, overlap->passes, NAN))
            break; /* the oracle asks again, and ends */
        for (int k = 0; k < 2 * ROUNDINGS && status == LINPRED_OK && basis && !found; k++)
            status = try_along(&guess, k % 2 ? newton->step : newton->point.v, largest_whole[k / 2], &found, error);
    }
    guess_close(&guess);
    forget_unless(status == LINPRED_OK && found, overlap);
    return status;
}
