/* Computes in integers what a cover proof proves.
 *
 * Each subset is checked to be inseparable. Then each leaf of the tree proves the bound of proof/witness.h, with
 * any multipliers y_S >= 0:
 *
 *   Σ_S y_S + Σ_{i given up} (cost_i - a_i) + Σ_{i free} min(0, cost_i - a_i),   a_i = Σ_{S ∋ i} y_S
 *
 * The bound of the tree is the smallest bound of its leaves. Weights, costs and multipliers are doubles, so they are
 * integers times one power of two, and the bound is computed exactly. Every cost is a multiple of the common divisor of
 * the costs of all rows, so the bound is rounded up to such a multiple.
 *
 * The bounds of several trees are added. A row costs nothing in a tree if an earlier one names it.
 */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>

#include "check/cover/cover.h"
#include "check/cover/pencils.h"
#include "check/limits.h"
#include "check/witness/combination.h"
#include "check/witness/integers.h"
#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/data.h"
#include "num/gmp64.h"

enum state { FREE, KEPT, GIVEN_UP };

struct cover_check {
    const linpred__cover_question *question;
    int64_t rows;      /* number of rows that subsets or branches name */
    int64_t *row;      /* their numbers in the file, ascending */
    enum state *state; /* of each such row, at the present leaf */
    mpz_t *cost;       /* of the row and all rows equal to it, times 2^scale */
    int64_t *tree_of;  /* the first tree that names the row, from 1; 0: none so far */
    int64_t tree;      /* the present tree */
    mpz_t *load;       /* scratch: a_i, the sum of the multipliers of the subsets with the row */
    bool *touched;     /* scratch: the row's load was set for the present leaf and is not yet counted */
    mpz_t divisor;     /* greatest common divisor of the costs of all rows */
    int scale;         /* costs and multipliers times 2^scale are integers */
    mpz_t lowest;      /* the smallest bound of the leaves of the present tree so far */
    mpz_t sum;         /* of the bounds of the trees before it */
    mpz_t nothing;     /* 0 */
    mpz_t given_up;    /* cost of the rows that are given up at the present leaf */
    mpz_t bound;       /* scratch */
    mpz_t number;      /* scratch */
    bool any;          /* `lowest` is set */
};

static int64_t place_of(const struct cover_check *work, int64_t row)
{
    const int64_t *at = bsearch(&row, work->row, (size_t)work->rows, sizeof *work->row, linpred__ascending);
    return at - work->row;
}

/* Lists the rows that subsets and branches name, and allocates what is kept of each. */
static linpred_status collect_rows(struct cover_check *work, linpred_error *error)
{
    const linpred__cover_proof *search = work->question->proof;
    int64_t count = search->nodes;
    for (int64_t s = 0; s < search->subsets; s++)
        count += search->subset[s].count;
    work->row = linpred__alloc((size_t)count, sizeof *work->row);
    if (!work->row)
        return linpred__no_memory(error);
    count = 0;
    for (int64_t s = 0; s < search->subsets; s++)
        for (int64_t i = 0; i < search->subset[s].count; i++)
            work->row[count++] = search->subset[s].row[i];
    for (int64_t k = 0; k < search->nodes; k++)
        if (search->node[k].row > 0)
            work->row[count++] = search->node[k].row;
    qsort(work->row, (size_t)count, sizeof *work->row, linpred__ascending);
    for (int64_t i = 0; i < count; i++)
        if (work->rows == 0 || work->row[i] != work->row[work->rows - 1])
            work->row[work->rows++] = work->row[i];
    work->state = linpred__calloc((size_t)work->rows, sizeof *work->state);
    work->touched = linpred__calloc((size_t)work->rows, sizeof *work->touched);
    work->cost = linpred__alloc((size_t)work->rows, sizeof *work->cost);
    work->load = linpred__alloc((size_t)work->rows, sizeof *work->load);
    work->tree_of = linpred__calloc((size_t)work->rows, sizeof *work->tree_of);
    if (!work->state || !work->touched || !work->cost || !work->load || !work->tree_of) {
        work->rows = 0;
        return linpred__no_memory(error);
    }
    for (int64_t i = 0; i < work->rows; i++) {
        mpz_init(work->cost[i]);
        mpz_init(work->load[i]);
    }
    return LINPRED_OK;
}

/* ---- costs as integers ---- */

/* The larger of `most` and the number of bits of x behind the binary point. */
static int more_bits(int most, double x)
{
    return -linpred__lowest_bit(x) > most ? -linpred__lowest_bit(x) : most;
}

/* number 2^-scale, rounded down. A bound below the normal doubles is given up. */
static double rounded_down(const mpz_t number, int scale)
{
    long exponent;
    double fraction = mpz_get_d_2exp(&exponent, number); /* towards zero */
    double bound = ldexp(fraction, (int)(exponent - scale));
    return isnormal(bound) ? bound : 0.0;
}

/* Whether costs and multipliers are finite and no multiplier is negative. Negative multipliers would prove bounds that
   are too high: a subset has at least one mistake, but may have more. */
static bool all_usable(const linpred__cover_question *question)
{
    const linpred__cover_proof *search = question->proof;
    bool usable = isfinite(question->claimed) && isfinite(question->class_cost[0]) && isfinite(question->class_cost[1]);
    for (int64_t k = 0; k < search->nodes; k++)
        for (int64_t i = 0; i < search->node[k].count; i++)
            usable = usable && isfinite(search->node[k].multiplier[i]) && search->node[k].multiplier[i] >= 0;
    return usable;
}

/* The scale for which all costs and multipliers are integers. A cost is a weight times the cost of a label. */
static void find_scale(struct cover_check *work)
{
    const linpred__cover_proof *search = work->question->proof;
    int weights = 0, costs = 0, multipliers = 0;
    for (int64_t b = 0; b < work->question->data->blocks; b++)
        for (int32_t r = 0; work->question->data->block[b].weight && r < work->question->data->block[b].rows; r++)
            weights = more_bits(weights, work->question->data->block[b].weight[r]);
    for (int k = 0; k < 2; k++)
        costs = more_bits(costs, work->question->class_cost[k]);
    for (int64_t k = 0; k < search->nodes; k++)
        for (int64_t i = 0; i < search->node[k].count; i++)
            multipliers = more_bits(multipliers, search->node[k].multiplier[i]);
    work->scale = weights + costs > multipliers ? weights + costs : multipliers;
}

/* Sets work->number to the cost of a mistake on this row, times 2^scale. */
static void row_cost(struct cover_check *work, const linpred__block *block, int32_t r)
{
    double factor = work->question->class_cost[block->target[r] > 0];
    int bits = more_bits(0, factor);
    linpred__set_shifted(work->number, block->weight ? block->weight[r] : 1.0, work->scale - bits);
    linpred__set_shifted(work->bound, factor, bits);
    mpz_mul(work->number, work->number, work->bound);
}

/* Adds the cost of every data row to the first row of work->row that is equal to it, if there is one. Also finds the
   divisor. A row that is not in the data goes to *stray. */
static linpred_status add_costs(struct cover_check *work, int64_t *stray, linpred_error *error)
{
    const linpred_data *data = work->question->data;
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)work->rows)
        slots *= 2;
    uint64_t *hash = linpred__alloc((size_t)data->rows, sizeof *hash);
    int64_t *slot = linpred__calloc((size_t)slots, sizeof *slot); /* hash table of places in work->row, + 1; 0: empty */
    int64_t *at = linpred__alloc((size_t)work->rows, sizeof *at); /* the data row of each place */
    linpred_status status = hash && slot && at ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t row = 0; status == LINPRED_OK && row < data->rows; row++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, row, &r);
        hash[row] = linpred__hash_row(block, r);
    }
    for (int64_t i = 0; status == LINPRED_OK && i < work->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, work->row[i], &r);
        if (!block) {
            *stray = work->row[i];
            break;
        }
        at[i] = block->first_row + r;
        uint64_t k = hash[at[i]] & (slots - 1);
        while (slot[k])
            k = (k + 1) & (slots - 1);
        slot[k] = i + 1;
    }
    for (int64_t row = 0; status == LINPRED_OK && *stray == 0 && row < data->rows; row++) {
        int32_t r, s;
        const linpred__block *block = linpred__block_of(data, row, &r);
        row_cost(work, block, r);
        mpz_gcd(work->divisor, work->divisor, work->number);
        for (uint64_t k = hash[row] & (slots - 1); slot[k]; k = (k + 1) & (slots - 1)) {
            int64_t known = at[slot[k] - 1];
            const linpred__block *other = linpred__block_of(data, known, &s);
            if (hash[known] == hash[row] && other->target[s] == block->target[r] &&
                linpred__rows_equal(other, s, block, r)) {
                mpz_add(work->cost[slot[k] - 1], work->cost[slot[k] - 1], work->number);
                break;
            }
        }
    }
    linpred__release(hash);
    linpred__release(slot);
    linpred__release(at);
    return status;
}

/* ---- the trees ---- */

/* What a row costs in the present tree. The row is named here. */
static mpz_srcptr cost_here(struct cover_check *work, int64_t at)
{
    if (work->tree_of[at] == 0)
        work->tree_of[at] = work->tree;
    return work->tree_of[at] == work->tree ? work->cost[at] : work->nothing;
}

/* Computes the bound of a leaf and keeps the smallest. */
static void weigh_leaf(struct cover_check *work, const linpred__node *leaf)
{
    const linpred__cover_proof *search = work->question->proof;
    mpz_set(work->bound, work->given_up);
    for (int64_t k = 0; k < leaf->count; k++) {
        const linpred__combination *subset = &search->subset[leaf->subset[k]];
        linpred__set_shifted(work->number, leaf->multiplier[k], work->scale);
        mpz_add(work->bound, work->bound, work->number);
        for (int64_t i = 0; i < subset->count; i++) {
            int64_t at = place_of(work, subset->row[i]);
            if (!work->touched[at])
                mpz_set_ui(work->load[at], 0);
            work->touched[at] = true;
            mpz_add(work->load[at], work->load[at], work->number);
        }
    }
    for (int64_t k = 0; k < leaf->count; k++) {
        const linpred__combination *subset = &search->subset[leaf->subset[k]];
        for (int64_t i = 0; i < subset->count; i++) {
            int64_t at = place_of(work, subset->row[i]);
            if (!work->touched[at])
                continue;
            work->touched[at] = false;
            if (work->state[at] == GIVEN_UP) {
                mpz_sub(work->bound, work->bound, work->load[at]);
            } else if (work->state[at] == FREE && mpz_cmp(cost_here(work, at), work->load[at]) < 0) {
                mpz_add(work->bound, work->bound, cost_here(work, at));
                mpz_sub(work->bound, work->bound, work->load[at]);
            }
        }
    }
    if (!work->any || mpz_cmp(work->bound, work->lowest) < 0)
        mpz_set(work->lowest, work->bound);
    work->any = true;
}

/* Adds the smallest bound of the leaves of a tree, rounded up. */
static void end_tree(struct cover_check *work)
{
    if (mpz_sgn(work->lowest) > 0 && mpz_sgn(work->divisor) > 0) {
        mpz_cdiv_q(work->lowest, work->lowest, work->divisor);
        mpz_addmul(work->sum, work->lowest, work->divisor);
    }
    work->any = false;
    work->tree++;
}

/* Adds up the bounds of the trees. The stack `open` holds the rows that are kept or given up at the present node.
   Returns false if a tree is not one: a row is branched on twice on one path, or nodes are missing. */
static bool weigh_trees(struct cover_check *work, int64_t *open)
{
    const linpred__cover_proof *search = work->question->proof;
    int64_t depth = 0;
    for (int64_t k = 0; k < search->nodes; k++) {
        const linpred__node *node = &search->node[k];
        if (node->row > 0) {
            int64_t at = place_of(work, node->row);
            if (work->state[at] != FREE)
                return false;
            work->state[at] = KEPT;
            open[depth++] = at;
            continue;
        }
        weigh_leaf(work, node);
        while (depth > 0 && work->state[open[depth - 1]] == GIVEN_UP) {
            int64_t at = open[--depth];
            work->state[at] = FREE;
            mpz_sub(work->given_up, work->given_up, cost_here(work, at));
        }
        if (depth == 0) {
            end_tree(work);
            continue;
        }
        work->state[open[depth - 1]] = GIVEN_UP;
        mpz_add(work->given_up, work->given_up, cost_here(work, open[depth - 1]));
    }
    return depth == 0;
}

/* Tries all hyperplanes through rows, if these are not too many, or boxes of halfspaces, if the proof is empty: then
   the search has found its bound by boxes. Costs are counted in a unit, which is kept in `lowest`. It is the divisor of
   the costs. If their sum then has more than 51 bits, it is a power of two, and costs are rounded down. */
static linpred_status go_through_hyperplanes(struct cover_check *work, linpred__pool *pool,
                                             linpred__cover_finding *finding, linpred_error *error)
{
    const linpred_data *data = work->question->data;
    int64_t *cost = linpred__alloc((size_t)data->rows, sizeof *cost), limit = 0;
    linpred_status status = cost ? LINPRED_OK : linpred__no_memory(error);
    mpz_set(work->lowest, work->divisor);
    for (int pass = 0; pass < 2 && cost; pass++) {
        mpz_set_ui(work->given_up, 0); /* the sum of all costs */
        for (int64_t row = 0; row < data->rows; row++) {
            int32_t r;
            const linpred__block *block = linpred__block_of(data, row, &r);
            row_cost(work, block, r);
            mpz_add(work->given_up, work->given_up, work->number);
            mpz_fdiv_q(work->number, work->number, work->lowest);
            cost[row] = linpred__mpz_get_int64(work->number);
        }
        mpz_fdiv_q(work->number, work->given_up, work->lowest);
        if (mpz_sizeinbase(work->number, 2) > 51) {
            mpz_set_ui(work->lowest, 0);
            mpz_setbit(work->lowest, mpz_sizeinbase(work->given_up, 2) - 51);
        }
    }
    /* The limit is rounded up to a whole number of units: 53 more bits keep what it would lose else. */
    linpred__set_shifted(work->bound, work->question->claimed * (1.0 - 1e-10), work->scale + 53);
    mpz_mul_2exp(work->given_up, work->lowest, 53);
    mpz_cdiv_q(work->bound, work->bound, work->given_up);
    if (mpz_sizeinbase(work->bound, 2) <= 52)
        limit = linpred__mpz_get_int64(work->bound);
    int64_t least = -1;
    bool by_boxes;
    if (cost && limit > 0)
        status = linpred__least_cost_of_data(&(linpred__costs_of_data){data, work->question->model->has_intercept, cost,
                                                                       limit, work->question->proof->nodes == 0},
                                             pool, &least, &by_boxes, error);
    if (status == LINPRED_OK && least >= limit && limit > 0) {
        finding->by = by_boxes ? LINPRED__BY_BOXES : LINPRED__BY_HYPERPLANES;
        mpz_mul(work->bound, work->bound, work->lowest);
        finding->proved = rounded_down(work->bound, work->scale);
    }
    linpred__release(cost);
    return status;
}

/* The bound that the trees prove; 0 if they prove nothing. */
static linpred_status weigh(struct cover_check *work, linpred__cover_finding *finding, linpred_error *error)
{
    int64_t *open = linpred__alloc((size_t)work->question->proof->nodes, sizeof *open);
    if (!open)
        return linpred__no_memory(error);
    find_scale(work);
    linpred_status status = add_costs(work, &finding->stray, error);
    if (status == LINPRED_OK && finding->stray == 0 && weigh_trees(work, open) && mpz_sgn(work->sum) > 0)
        finding->proved = linpred__round_up_to_decimals(work->question, rounded_down(work->sum, work->scale));
    linpred__release(open);
    return status;
}

static linpred_status check_subsets(const linpred__cover_question *question, linpred__cover_finding *finding,
                                    linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    for (int64_t s = 0; s < question->proof->subsets && status == LINPRED_OK && finding->broken == 0; s++) {
        bool holds = false;
        status =
            linpred__check_combination(&question->proof->subset[s], question->model, question->data, &holds, error);
        if (status == LINPRED_OK && !holds)
            finding->broken = s + 1;
    }
    return status;
}

static void close_work(struct cover_check *work)
{
    for (int64_t i = 0; i < work->rows; i++) {
        mpz_clear(work->cost[i]);
        mpz_clear(work->load[i]);
    }
    mpz_clears(work->divisor, work->lowest, work->sum, work->nothing, work->bound, work->given_up, work->number, NULL);
    linpred__release(work->row);
    linpred__release(work->state);
    linpred__release(work->touched);
    linpred__release(work->cost);
    linpred__release(work->load);
    linpred__release(work->tree_of);
}

linpred_status linpred__measure_cover(const linpred__cover_question *question, linpred__pool *pool,
                                      linpred__cover_finding *finding, linpred_error *error)
{
    struct cover_check work = {.question = question, .tree = 1};
    *finding = (linpred__cover_finding){0};
    linpred_status status = check_subsets(question, finding, error);
    if (status != LINPRED_OK || finding->broken > 0 || !all_usable(question))
        return status;
    mpz_inits(work.divisor, work.lowest, work.sum, work.nothing, work.bound, work.given_up, work.number, NULL);
    status = collect_rows(&work, error);
    if (status == LINPRED_OK)
        status = weigh(&work, finding, error);
    bool short_of = finding->proved < question->claimed * (1.0 - 1e-12);
    if (status == LINPRED_OK && short_of && finding->stray == 0 && question->model->task == LINPRED_TASK_HALFSPACE)
        status = go_through_hyperplanes(&work, pool, finding, error);
    close_work(&work);
    return status;
}
