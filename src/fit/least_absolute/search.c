/* The search for the optimal vertex of all rows. Beside the data it needs memory for a few times the active rows only.
 *
 * The optimal vertex of a small random sample is found, then that of a larger one. Most rows of the data lie clearly on
 * one side of that fit. They are fixed there, and the vertex of the rows near the fit is found (Portnoy and Koenker). A
 * pass over all rows finds the fixed rows that changed sides. They become active. This repeats until there are none.
 *
 * If more rows meet in a vertex than there are coefficients, the simplex method could walk in circles. Therefore y is
 * perturbed by a tiny seeded amount during the search. Duals do not depend on y, and the proof uses the unperturbed y.
 */
#include "fit/least_absolute/search.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "fit/least_absolute/exact.h"
#include "fit/least_absolute/limits.h"
#include "fit/least_absolute/row.h"
#include "num/select.h"

static bool is_stopped(const linpred__deviations *question)
{
    return question->design.run->stopped != LINPRED__NOT_STOPPED;
}

/* Whether the search has no more to do: the run was stopped, or doubles do not tell the basis from a singular one. */
static bool is_over(const linpred__deviations *question, const linpred__deviation_search *search)
{
    return is_stopped(question) || search->vertex.singular;
}

/* ---- samples of the rows ----------------------------------------------------------------------------------------- */

enum { SEED = 20250101 }; /* any number does; it is fixed so that the same data give the same fit */

/* Returns all row numbers, permuted so that the first `count` are a seeded random sample. NULL: out of memory. */
static int64_t *draw(int64_t rows, int64_t count)
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

/* Mean |y - mean y| of the sample; a positive number even if all y are equal. */
static double spread_of(const linpred__deviations *question, const int64_t *sample, int64_t count)
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

/* Finds the distance from the fit within which rows may change sides when more rows are fitted. The error of a fit with
   p coefficients to n rows is about sqrt(p/n) of the spread of the residuals, so the band is chosen to hold the share 3
   sqrt(p/n) of the sample. */
static linpred_status find_unsure_band(const linpred__deviations *question, const linpred__deviation_vertex *vertex,
                                       int32_t rank, const int64_t *sample, int64_t count, double *band,
                                       linpred_error *error)
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
    *band = linpred__select_number(distance, count, (int64_t)(share * (double)count));
    linpred__release(distance);
    return LINPRED_OK;
}

/* ---- fixing and releasing rows ---- */

/* c += sign · slope · x for a row on the side of `side`: sign 1 fixes it, sign -1 releases it. */
static void shift(const linpred__deviations *question, linpred__deviation_search *search, int64_t row, int side,
                  double sign)
{
    int32_t r;
    const linpred__block *block = linpred__deviations_fetch(question, row, &r);
    double up, down;
    linpred__deviations_slopes(question, block, r, &up, &down);
    for (int32_t k = 0; k < search->span.rank; k++)
        search->sides.c[k] += sign * (side > 0 ? up : -down) * question->scratch[search->span.column[k]];
}

static void release_row(const linpred__deviations *question, linpred__deviation_search *search, int64_t row)
{
    shift(question, search, row, search->sides.side[row], -1.0);
    search->sides.side[row] = 0;
}

/* Makes the rows active that are marked as being on the wrong side. Returns their number. */
static int64_t release_wrong(const linpred__deviations *question, linpred__deviation_search *search)
{
    int64_t count = 0;
    for (int64_t i = 0; i < question->design.data->rows; i++)
        if (search->sides.side[i] == 2 || search->sides.side[i] == -2) {
            release_row(question, search, i);
            count++;
        }
    return count;
}

/* Makes fixed rows of the basis active. Only rounding can have fixed them. Returns their number. */
static int64_t release_basis(const linpred__deviations *question, linpred__deviation_search *search)
{
    int64_t count = 0;
    for (int32_t k = 0; k < search->span.rank; k++)
        if (search->sides.side[search->vertex.basis[k]] != 0) {
            release_row(question, search, search->vertex.basis[k]);
            count++;
        }
    return count;
}

/* ---- solving ---- */

static linpred_status solve_rows(const linpred__deviations *question, linpred__deviation_search *search,
                                 const int64_t *row, int64_t count, linpred_error *error)
{
    linpred__deviation_rows rows = {row, count, search->sides.c};
    return linpred__deviations_solve(question, &search->span, rows, &search->vertex, &search->effort, error);
}

static linpred_status solve_active(const linpred__deviations *question, linpred__deviation_search *search,
                                   int64_t active, linpred_error *error)
{
    int64_t *rows = linpred__alloc((size_t)active, sizeof *rows);
    if (!rows)
        return linpred__no_memory(error);
    int64_t count = 0;
    for (int64_t i = 0; i < question->design.data->rows; i++)
        if (search->sides.side[i] == 0)
            rows[count++] = i;
    linpred_status status = solve_rows(question, search, rows, count, error);
    linpred__release(rows);
    return status;
}

/* Starts from a fit near the optimum. Fixes the rows farther than `band` from it and solves for the others, then makes
   rows active that were fixed on the wrong side, until there are none. */
static linpred_status solve_all(const linpred__deviations *question, linpred__deviation_search *search, double band,
                                linpred_error *error)
{
    int64_t active = 0, wrong = 1, rows = question->design.data->rows;
    linpred_status status =
        linpred__deviations_fix_rows(question, &search->span, &search->vertex, band, &search->sides, &active, error);
    search->effort.passes++;
    if (status == LINPRED_OK)
        active += release_basis(question, search);
    while (status == LINPRED_OK && wrong > 0 && !is_over(question, search)) {
        status = solve_active(question, search, active, error);
        if (status != LINPRED_OK || active == rows)
            break;
        status = linpred__deviations_price(question, &search->vertex, &search->sides, &wrong, error);
        search->effort.passes++;
        if (status == LINPRED_OK && wrong > 0)
            active += release_wrong(question, search);
    }
    return status;
}

static double residual_at(const linpred__deviations *question, const linpred__deviation_vertex *vertex, int64_t row)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(question->design.data, row, &r);
    return linpred__deviations_residual(question, vertex, block, r, question->scratch);
}

/* The same for the rows of a sample alone. */
static linpred_status solve_sample(const linpred__deviations *question, linpred__deviation_search *search,
                                   const int64_t *sample, int64_t count, double band, linpred_error *error)
{
    int8_t *side = linpred__alloc((size_t)count, sizeof *side);
    int64_t *active = linpred__alloc((size_t)count, sizeof *active), actives = 0;
    linpred_status status = side && active ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t i = 0; status == LINPRED_OK && i < count; i++) {
        double left = residual_at(question, &search->vertex, sample[i]);
        side[i] = fabs(left) > band ? (left > 0 ? 1 : -1) : 0;
        if (side[i] == 0)
            active[actives++] = sample[i];
        else
            shift(question, search, sample[i], side[i], 1.0);
    }
    bool again = true;
    while (again && status == LINPRED_OK && !is_over(question, search)) {
        status = solve_rows(question, search, active, actives, error);
        again = false;
        for (int64_t i = 0; status == LINPRED_OK && i < count; i++)
            if (side[i] != 0 && (residual_at(question, &search->vertex, sample[i]) > 0) != (side[i] > 0)) {
                shift(question, search, sample[i], side[i], -1.0);
                side[i] = 0;
                active[actives++] = sample[i];
                again = true;
            }
    }
    memset(search->sides.c, 0, (size_t)search->span.rank * sizeof *search->sides.c); /* no row is fixed any more */
    linpred__release(side);
    linpred__release(active);
    return status;
}

/* Solves a sample, then a larger one, then all rows. *band is kept for later attempts. */
static linpred_status solve_levels(const linpred__deviations *question, linpred__deviation_search *search,
                                   const int64_t *sample, int64_t samples, double *band, linpred_error *error)
{
    const linpred__deviation_vertex *vertex = &search->vertex;
    int32_t rank = search->span.rank;
    int64_t first = 1000 + 30 * (int64_t)rank;
    bool two_levels = first < samples / 2;
    linpred_status status = solve_rows(question, search, sample, two_levels ? first : samples, error);
    if (status == LINPRED_OK && two_levels && !is_over(question, search)) {
        status = find_unsure_band(question, vertex, rank, sample, first, band, error);
        if (status == LINPRED_OK)
            status = solve_sample(question, search, sample, samples, *band, error);
    }
    if (status != LINPRED_OK || samples == question->design.data->rows || is_over(question, search))
        return status;
    status = find_unsure_band(question, vertex, rank, sample, samples, band, error);
    return status == LINPRED_OK ? solve_all(question, search, *band, error) : status;
}

/* ---- attempts ---- */

/* Repeats the search with smaller and smaller perturbations until the vertex is optimal for the unperturbed y. */
static linpred_status attempt_all(const linpred__deviations *question, linpred__deviation_search *search,
                                  const int64_t *sample, int64_t samples, linpred_error *error)
{
    double band = 0.0;
    bool sampled = samples < question->design.data->rows;
    linpred_status status = LINPRED_OK;
    search->proof.gap = INFINITY;
    for (int attempt = 0; status == LINPRED_OK && attempt < LINPRED__DEVIATIONS_MAX_ATTEMPTS &&
                          search->proof.gap > LINPRED__DEVIATIONS_GAP_WANTED;
         attempt++) {
        bool last = attempt == LINPRED__DEVIATIONS_MAX_ATTEMPTS - 1;
        search->vertex.perturbation = last ? 0.0 : ldexp(question->spread, -28 - 8 * attempt);
        search->vertex.near_optimum = attempt > 0;
        if (attempt == 0)
            status = solve_levels(question, search, sample, samples, &band, error);
        else if (sampled)
            status = solve_all(question, search, band, error);
        else
            status = solve_rows(question, search, sample, samples, error);
        if (status == LINPRED_OK && search->vertex.singular)
            break;
        if (status == LINPRED_OK)
            status = linpred__deviations_certify(question, &search->span, &search->vertex, search->sides.side,
                                                 &search->proof, error);
        search->effort.passes++;
        if (is_stopped(question))
            break;
    }
    return status;
}

/* The size of the larger sample; all rows if it would be a third of them or more. */
static int64_t sample_size(int64_t rows, int32_t width)
{
    double wanted = pow(3.0 * sqrt((double)width) * (double)rows, 2.0 / 3.0);
    return wanted * 3.0 > (double)rows || rows < LINPRED__DEVIATIONS_SAMPLED_ROWS ? rows : (int64_t)wanted;
}

static bool open_search(linpred__deviation_search *search, size_t width, size_t rows)
{
    *search = (linpred__deviation_search){0};
    search->vertex.basis = linpred__alloc(width, sizeof *search->vertex.basis);
    search->vertex.w = linpred__calloc(width, sizeof *search->vertex.w);
    search->sides.side = linpred__calloc(rows, sizeof *search->sides.side);
    search->sides.c = linpred__calloc(width, sizeof *search->sides.c);
    return search->vertex.basis && search->vertex.w && search->sides.side && search->sides.c;
}

void linpred__deviation_search_clear(linpred__deviation_search *search)
{
    linpred__deviation_span_clear(&search->span);
    linpred__deviation_proof_clear(&search->proof);
    linpred__release(search->vertex.basis);
    linpred__release(search->vertex.w);
    linpred__release(search->sides.side);
    linpred__release(search->sides.c);
    *search = (linpred__deviation_search){0};
}

/* A search that was stopped may hold a vertex far from the optimum. Takes the intercept alone if its loss is smaller.
 */
static linpred_status keep_smaller_loss(const linpred__deviations *question, linpred__deviation_search *search,
                                        linpred_error *error)
{
    linpred__deviation_search alone = {.sides = search->sides};
    int64_t row = 0;
    alone.vertex = (linpred__deviation_vertex){.basis = &row, .w = search->vertex.w};
    linpred_status status = linpred__deviations_intercept(question, &alone.span, &row, error);
    if (status == LINPRED_OK)
        status =
            linpred__deviations_certify(question, &alone.span, &alone.vertex, search->sides.side, &alone.proof, error);
    if (status == LINPRED_OK && alone.proof.loss < search->proof.loss) {
        linpred__deviation_search other = *search;
        search->span = alone.span;
        search->proof = alone.proof;
        search->vertex.basis[0] = row;
        alone.span = other.span;
        alone.proof = other.proof;
    }
    linpred__deviation_span_clear(&alone.span);
    linpred__deviation_proof_clear(&alone.proof);
    return status;
}

static bool is_proved(const linpred__deviation_search *search)
{
    return search->proof.w && fmax(search->proof.fault, search->proof.gap) <= LINPRED__DEVIATIONS_TOLERANCE;
}

/* Where doubles found no vertex that can be proved, rationals look for it, if the problem is small. */
static linpred_status search_exactly(const linpred__deviations *question, linpred__deviation_search *search,
                                     linpred_error *error)
{
    bool solved = false;
    linpred_status status =
        linpred__deviations_exactly(question, &search->span, search->vertex.basis, search->sides.side, &solved, error);
    if (status != LINPRED_OK || !solved)
        return status;
    search->vertex.singular = false;
    search->vertex.perturbation = 0.0;
    return linpred__deviations_certify(question, &search->span, &search->vertex, search->sides.side, &search->proof,
                                       error);
}

linpred_status linpred__deviations_search(linpred__deviations *question, linpred__deviation_search *search,
                                          linpred_error *error)
{
    int64_t rows = question->design.data->rows, width = question->design.width;
    int64_t samples = sample_size(rows, question->design.width);
    int64_t *sample = draw(rows, samples);
    if (!open_search(search, (size_t)width, (size_t)rows) || !sample) {
        linpred__release(sample);
        return linpred__no_memory(error);
    }
    question->spread = spread_of(question, sample, samples);
    int64_t few = 4 * width + 64;
    linpred_status status = linpred__deviations_span(question, sample, few < samples ? few : samples, &search->span,
                                                     search->vertex.basis, &search->effort, error);
    if (status == LINPRED_OK && search->span.unknown)
        status = linpred__deviations_certify(question, &search->span, &search->vertex, search->sides.side,
                                             &search->proof, error);
    else if (status == LINPRED_OK)
        status = attempt_all(question, search, sample, samples, error);
    linpred__release(sample);
    if (status == LINPRED_OK && !is_stopped(question) && !is_proved(search))
        status = search_exactly(question, search, error);
    if (status != LINPRED_OK || is_proved(search))
        return status;
    if (is_stopped(question))
        return search->span.unknown ? status : keep_smaller_loss(question, search, error);
    return linpred__design_lost(&question->design, error);
}
