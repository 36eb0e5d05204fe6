/* The search of method exact (see search.h): rounds on working rows, each with branch and cut. */
#include "fit/fewest_errors/search.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/fewest_errors/all_rows.h"
#include "fit/fewest_errors/box_turns.h"
#include "fit/fewest_errors/limits.h"
#include "fit/fewest_errors/together.h"
#include "pass/halfspace_tally.h"
#include "pass/violators.h"
#include "separate/few_mistakes.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/fewest_errors/search_turns.h"

struct min_cost_search {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred_data *data;
    bool has_intercept;
    const linpred__fewest_errors_question *question;
    linpred__fewest_errors *answer;
    linpred__distinct distinct;
    int64_t rows;               /* working rows */
    int64_t *row;               /* the working rows, as numbers of distinct rows, in the order in which they joined */
    bool *joined;               /* for each distinct row: it is a working row */
    bool *wrong;                /* for each distinct row: the last halfspace tried on all rows gets it wrong */
    double *w;                  /* the best halfspace so far on all rows, intercept last */
    int64_t cost;               /* of the mistakes of w on all rows, in units of distinct.unit */
    linpred__integers integers; /* if they cost less than w, the best so far */
    int64_t integer_cost;       /* of their mistakes on all rows */
    int64_t bound;              /* no halfspace costs less, in the same units */
    int64_t proved;             /* a lower bound from boxes, 0 if they have not decided */
    linpred__hyperplane_search hyperplanes; /* the local search of the round */
    linpred__tree tree;                     /* the branch and cut of the round */
    linpred__together together;             /* its long search; the bound is 0 unless it is the largest */
};

void linpred__fewest_errors_clear(linpred__fewest_errors *answer)
{
    linpred__release(answer->w);
    linpred__cover_proof_clear(&answer->proof);
    *answer = (linpred__fewest_errors){0};
}

static bool stop_min_cost_search(void *context)
{
    struct min_cost_search *work = context;
    double best = (double)work->cost;
    if (work->hyperplanes.n > 0 && work->hyperplanes.n == work->distinct.rows)
        best = (double)work->hyperplanes.best_cost;
    if (linpred__run_reports(work->run) && work->tree.branches > 0) {
        int64_t bound = linpred__tree_bound(&work->tree);
        work->run->lower_bound = (double)(bound > work->bound ? bound : work->bound) * work->distinct.unit;
    }
    return linpred__run_should_stop(work->run, "exact", 0, 0, best * work->distinct.unit);
}

/* ---- halfspaces on all rows -------------------------------------------------------------------------------------- */

/* Keeps w if it is the best so far on all rows. */
static linpred_status offer(struct min_cost_search *work, const double *w, linpred_error *error)
{
    int64_t cost;
    linpred_status status = linpred__cost_of_doubles(work->problem, &work->distinct, w, work->wrong, &cost, error);
    if (status == LINPRED_OK && cost < work->cost) {
        work->cost = cost;
        memcpy(work->w, w, ((size_t)work->data->columns + work->has_intercept) * sizeof *w);
    }
    return status;
}

/* Keeps integers if they are the best so far on all rows. `w` is scratch for doubles that do as well: these are offered
   first. */
static linpred_status offer_integers(struct min_cost_search *work, const linpred__integers *integers, double *w,
                                     linpred_error *error)
{
    linpred__integers_tried tried;
    linpred__integers copy;
    linpred_status status =
        linpred__cost_of_integers(work->problem, &work->distinct, integers, work->wrong, w, &tried, error);
    if (status == LINPRED_OK && tried.rounded)
        status = offer(work, w, error);
    bool better = status == LINPRED_OK && tried.cost < work->cost &&
                  (work->integers.count == 0 || tried.cost < work->integer_cost);
    if (!better)
        return status;
    if (!linpred__integers_copy(integers, &copy))
        return linpred__no_memory(error);
    linpred__integers_close(&work->integers);
    work->integers = copy;
    work->integer_cost = tried.cost;
    return LINPRED_OK;
}

/* Asks for a halfspace with few mistakes, as method auto does. It is offered to the local search if that works on all
   rows, else to the whole search. */
static linpred_status try_few_mistakes(struct min_cost_search *work, linpred_error *error)
{
    const linpred__fewest_errors_question *asked = work->question;
    linpred__few_mistakes_question question = {.class_cost = {asked->class_cost[0], asked->class_cost[1]},
                                               .seed = asked->seed,
                                               .pocket = linpred__usual_pocket(work->data, asked->seed),
                                               .w = work->w,
                                               .b = work->has_intercept ? work->w[work->data->columns] : 0.0};
    linpred__few_mistakes found;
    linpred_status status = linpred__ask_few_mistakes(work->run, work->problem, &question, &found, error);
    if (status == LINPRED_OK && work->rows == work->distinct.rows)
        linpred__hyperplane_search_offer_unscaled(&work->hyperplanes, found.w);
    else if (status == LINPRED_OK)
        status = offer(work, found.w, error);
    linpred__few_mistakes_clear(&found);
    return status;
}

/* ---- the working rows -------------------------------------------------------------------------------------------- */

static void join_distinct_row(struct min_cost_search *work, int64_t distinct)
{
    if (work->joined[distinct])
        return;
    work->joined[distinct] = true;
    work->row[work->rows++] = distinct;
}

/* Adds up to `max` rows with the lowest y(<w,x>+b) to the working rows: mistakes, and rows below `below`. */
static linpred_status join_violators(struct min_cost_search *work, const double *w, int32_t max, double below,
                                     linpred_error *error)
{
    linpred__violators_sought sought = {w, work->has_intercept ? w[work->data->columns] : 0.0, max, below};
    linpred__violators violators;
    linpred_status status = linpred__find_violators(work->run, work->problem, &sought, &violators, error);
    if (status != LINPRED_OK)
        return status;
    for (int64_t i = 0; i < violators.count; i++)
        join_distinct_row(work, work->distinct.place[violators.row[i]]);
    linpred__violators_clear(&violators);
    return LINPRED_OK;
}

/* Adds rows that the last halfspace gets wrong to the working rows: those with the lowest scores of w, or, if they are
   working rows already, any others. So none joins only if all that are wrong have joined. */
static linpred_status join_mistakes(struct min_cost_search *work, const double *w, linpred_error *error)
{
    int64_t before = work->rows;
    linpred_status status = join_violators(work, w, LINPRED__EXACT_ROWS_A_ROUND, -INFINITY, error);
    if (status != LINPRED_OK || work->rows > before)
        return status;
    for (int64_t k = 0; k < work->distinct.rows && work->rows < before + LINPRED__EXACT_ROWS_A_ROUND; k++)
        if (work->wrong[k])
            join_distinct_row(work, k);
    return LINPRED_OK;
}

static linpred__chosen_rows working_rows(const struct min_cost_search *work)
{
    return (linpred__chosen_rows){work->data, work->has_intercept, &work->distinct, work->rows, work->row};
}

/* ---- a round ----------------------------------------------------------------------------------------------------- */

/* Takes turns until the local search has done so much work. */
static linpred_status take_turns(struct min_cost_search *work, double limit, linpred__tree_end *end,
                                 linpred_error *error)
{
    linpred__effort effort = {.stop = stop_min_cost_search, .context = work};
    return linpred__take_turns(&work->hyperplanes, work->w, &work->tree, limit, &effort, end, error);
}

/* The long search on all rows with more than a few columns. */
static linpred_status search_together(struct min_cost_search *work, linpred__tree_end *end, linpred_error *error)
{
    work->together = (linpred__together){
        .run = work->run, .all = working_rows(work), .seed = work->question->seed, .tree = &work->tree};
    return linpred__search_together(&work->together, end, error);
}

/* Finds the smallest cost on the working rows by branch and cut. If that takes long on all rows, the halfspaces that
   method auto would try are tried too; with few columns, boxes and branch and cut go on by turns that get longer. */
static linpred_status find_min_cost(struct min_cost_search *work, linpred__tree_end *end, linpred_error *error)
{
    bool all = work->rows == work->distinct.rows;
    bool few = all && work->hyperplanes.d <= LINPRED__EXACT_FEW_COLUMNS;
    linpred__box_turns boxes = {.data = work->data,
                                .has_intercept = work->has_intercept,
                                .distinct = &work->distinct,
                                .local = &work->hyperplanes,
                                .pool = work->run->pool,
                                .stop = stop_min_cost_search,
                                .context = work};
    *end = LINPRED__TREE_OUT_OF_WORK;
    linpred_status status = few ? linpred__boxes_first(&boxes, work->w, end, error) : LINPRED_OK;
    if (status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK)
        status = take_turns(work, all ? LINPRED__EXACT_QUICK_WORK : INFINITY, end, error);
    if (status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK)
        status = try_few_mistakes(work, error);
    linpred__effort effort = {.stop = stop_min_cost_search, .context = work};
    if (status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK)
        status = linpred__search_at_length(&work->hyperplanes, &effort, error);
    if (status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK && all && !few)
        status = search_together(work, end, error);
    for (double turn = LINPRED__EXACT_BOX_WORK; status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK;
         turn *= 2.0) {
        if (few)
            status = linpred__boxes_turn(&boxes, turn, end, error);
        if (status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK)
            status = take_turns(work, few ? work->hyperplanes.work + turn : INFINITY, end, error);
    }
    work->proved = boxes.proved;
    linpred__box_turns_close(&boxes);
    return status;
}

/* The proof of a bound by boxes is empty: the checker divides boxes itself. */
static linpred_status keep_proof(struct min_cost_search *work, linpred_error *error)
{
    linpred__cover_proof_clear(&work->answer->proof);
    if (work->together.bound > 0) {
        work->answer->proof = work->together.proof;
        work->together.proof = (linpred__cover_proof){0};
        return LINPRED_OK;
    }
    if (work->proved > 0 || work->tree.branches == 0)
        return LINPRED_OK;
    linpred__chosen_rows chosen = working_rows(work);
    return linpred__prove_by_tree(&chosen, &work->tree, &work->answer->proof, error);
}

/* One round: finds the smallest cost on the working rows, keeps halfspace and proof, and adds the rows that the
   halfspace gets wrong. *done is set if no row joins or if the search did not finish. */
static linpred_status min_cost_round(struct min_cost_search *work, bool *done, linpred_error *error)
{
    linpred__chosen_rows chosen = working_rows(work);
    linpred__gathered gathered = {0};
    int64_t *cost = NULL;
    double *w = linpred__alloc((size_t)work->data->columns + 1, sizeof *w);
    linpred__tree_end end = LINPRED__TREE_STOPPED;
    linpred_status status =
        w ? linpred__open_chosen_rows(&chosen, work->question->seed, &gathered, &cost, &work->hyperplanes, error)
          : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = find_min_cost(work, &end, error);
    int64_t before = work->rows;
    if (status == LINPRED_OK) {
        work->answer->rounds++;
        linpred__hyperplane_search_best(&work->hyperplanes, w);
        status = offer(work, w, error);
    }
    if (status == LINPRED_OK && work->hyperplanes.integers.count > 0)
        status = offer_integers(work, &work->hyperplanes.integers, w, error);
    int64_t bound = status == LINPRED_OK && work->tree.branches > 0 ? linpred__tree_bound(&work->tree) : 0;
    bound = work->proved > bound ? work->proved : bound;
    work->together.bound = work->together.bound > bound ? work->together.bound : 0;
    bound = work->together.bound > 0 ? work->together.bound : bound;
    if (status == LINPRED_OK && bound >= work->bound) {
        work->bound = bound;
        status = keep_proof(work, error);
    }
    if (status == LINPRED_OK && end == LINPRED__TREE_DONE && work->rows < work->distinct.rows)
        status = join_mistakes(work, w, error);
    *done = end != LINPRED__TREE_DONE || work->rows == before;
    work->answer->end = end;
    linpred__cover_proof_clear(&work->together.proof);
    work->together.bound = 0;
    linpred__tree_close(&work->tree);
    linpred__hyperplane_search_close(&work->hyperplanes);
    linpred__gathered_clear(&gathered);
    linpred__release(cost);
    linpred__release(w);
    return status;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The cost of the mistakes of w from the weights of the rows. The integer costs of `distinct` may be rounded. */
static linpred_status find_true_cost(struct min_cost_search *work, linpred_error *error)
{
    const double *class_cost = work->question->class_cost;
    double b = work->has_intercept ? work->w[work->data->columns] : 0.0;
    linpred__halfspace_tally tally;
    linpred_status status = linpred__ask_halfspace_tally(work->run, work->problem, work->w, b, &tally, error);
    if (status == LINPRED_OK)
        work->answer->cost = class_cost[0] * tally.wrong[0] + class_cost[1] * tally.wrong[1];
    return status;
}

/* Takes the integers as the answer, if they cost less than w. */
static linpred_status answer_by_integers(struct min_cost_search *work, linpred_error *error)
{
    linpred__fewest_errors *answer = work->answer;
    double *scratch = linpred__alloc((size_t)work->data->columns + 1, sizeof *scratch);
    linpred__integers_tried tried;
    linpred__integers_reduce(&work->integers);
    linpred_status status = scratch ? linpred__cost_of_integers(work->problem, &work->distinct, &work->integers,
                                                                work->wrong, scratch, &tried, error)
                                    : linpred__no_memory(error);
    linpred__release(scratch);
    if (status != LINPRED_OK)
        return status;
    double cost = linpred__cost_of_wrong(work->data, &work->distinct, work->question->class_cost, work->wrong);
    if (!(cost < (1.0 - LINPRED__COST_TOLERANCE) * answer->cost))
        return LINPRED_OK;
    answer->cost = cost;
    return linpred__take_direction(&answer->proof.direction, &work->integers, error);
}

static linpred_status take_answer(struct min_cost_search *work, linpred_error *error)
{
    linpred__fewest_errors *answer = work->answer;
    int32_t columns = work->data->columns;
    linpred_status status = find_true_cost(work, error);
    if (status == LINPRED_OK && work->integers.count > 0 && work->integer_cost < work->cost)
        status = answer_by_integers(work, error);
    if (status != LINPRED_OK)
        return status;
    answer->w = linpred__alloc((size_t)columns, sizeof(double));
    if (!answer->w)
        return linpred__no_memory(error);
    memcpy(answer->w, work->w, (size_t)columns * sizeof(double));
    answer->b = work->has_intercept ? work->w[columns] : 0.0;
    answer->working_rows = work->rows;
    answer->lower_bound = linpred__bound_reached(&work->distinct, work->bound, answer->cost,
                                                 answer->end == LINPRED__TREE_DONE, &answer->optimal);
    return LINPRED_OK;
}

/* Gathers the first working rows, then goes round after round until no row joins. */
static linpred_status run_rounds(struct min_cost_search *work, linpred_error *error)
{
    bool done = false;
    linpred_status status = LINPRED_OK;
    work->row = linpred__alloc((size_t)work->distinct.rows, sizeof *work->row);
    work->joined = linpred__calloc((size_t)work->distinct.rows, sizeof *work->joined);
    if (!work->row || !work->joined)
        return linpred__no_memory(error);
    if (work->distinct.rows <= LINPRED__EXACT_ALL_ROWS) {
        for (int64_t k = 0; k < work->distinct.rows; k++)
            join_distinct_row(work, k);
    } else {
        status = try_few_mistakes(work, error);
        if (status == LINPRED_OK)
            status = join_violators(work, work->w, LINPRED__EXACT_FIRST_ROWS, INFINITY, error);
        work->answer->end = LINPRED__TREE_STOPPED;
        done = work->run->stopped != LINPRED__NOT_STOPPED;
    }
    while (status == LINPRED_OK && !done)
        status = min_cost_round(work, &done, error);
    return status == LINPRED_OK ? take_answer(work, error) : status;
}

/* Finds the distinct rows and takes the halfspace to start from. */
static linpred_status open_min_cost_search(struct min_cost_search *work, linpred_error *error)
{
    int32_t columns = work->data->columns;
    work->w = linpred__calloc((size_t)columns + 1, sizeof *work->w);
    if (!work->w)
        return linpred__no_memory(error);
    memcpy(work->w, work->question->w, (size_t)columns * sizeof *work->w);
    work->w[columns] = work->question->b;
    linpred_status status =
        linpred__find_distinct(work->data, work->run->pool, work->question->class_cost, &work->distinct, error);
    if (status == LINPRED_OK)
        status = linpred__check_costs(&work->distinct, work->data, error);
    if (status != LINPRED_OK)
        return status;
    work->wrong = linpred__calloc((size_t)work->distinct.rows, sizeof *work->wrong);
    if (!work->wrong)
        return linpred__no_memory(error);
    return linpred__cost_of_doubles(work->problem, &work->distinct, work->w, work->wrong, &work->cost, error);
}

linpred_status linpred__ask_fewest_errors(linpred__run *run, const linpred__problem *problem,
                                          const linpred__fewest_errors_question *question,
                                          linpred__fewest_errors *answer, linpred_error *error)
{
    struct min_cost_search work = {.run = run,
                                   .problem = problem,
                                   .data = problem->data,
                                   .has_intercept = problem->has_intercept,
                                   .question = question,
                                   .answer = answer};
    *answer = (linpred__fewest_errors){0};
    linpred_status status = open_min_cost_search(&work, error);
    if (status == LINPRED_OK)
        status = run_rounds(&work, error);
    linpred__distinct_clear(&work.distinct);
    linpred__release(work.row);
    linpred__release(work.joined);
    linpred__release(work.wrong);
    linpred__release(work.w);
    linpred__integers_close(&work.integers);
    if (status != LINPRED_OK)
        linpred__fewest_errors_clear(answer);
    return status;
}
