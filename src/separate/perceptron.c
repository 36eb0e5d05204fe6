/* The perceptron's loop and pocket (see perceptron.h). walk/walk.h finds the mistakes. */
#include "separate/perceptron.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/walk/pocket.h"
#include "separate/walk/walk.h"

struct perceptron_loop {
    linpred__run *run;
    const linpred__perceptron_question *question;
    linpred__perceptron *answer;
    linpred__walk walk;
    linpred__pocket *pocket; /* NULL: plain perceptron */
    double *scaled;          /* the weights at rate 1, for on_update; NULL without on_update */
    bool ended;              /* on_update returned false */
};

void linpred__perceptron_clear(linpred__perceptron *answer)
{
    linpred__release(answer->w);
    *answer = (linpred__perceptron){0};
}

static int64_t passes(const linpred__walk *walk)
{
    return (walk->visited + walk->data->rows - 1) / walk->data->rows;
}

/* Calls on_update for the update just made. `score` is the score of its row before the update. */
static void tell(struct perceptron_loop *work, double score)
{
    const linpred__walk *walk = &work->walk;
    for (int32_t j = 0; j < walk->data->columns; j++)
        work->scaled[j] = walk->hyperplane.w[j] / walk->step;
    linpred_update update = {
        .update = walk->updates,
        .pass = passes(walk),
        .label = walk->data->block[walk->block_number].target[walk->row],
        .score = score / walk->step,
        .loss = fmax(0.0, -score / walk->step),
        .columns = walk->data->columns,
        .weights = work->scaled,
        .intercept = walk->hyperplane.b / walk->step,
        .norm_squared = linpred__norm_squared(work->scaled, walk->data->columns, walk->hyperplane.b / walk->step),
        .star_product = NAN,
        .norm_limit = NAN,
        .cosine = NAN,
        .cosine_limit = NAN,
        .best_errors = work->pocket ? work->pocket->errors : (double)NAN,
    };
    work->ended = !work->question->on_update(work->question->context,
                                             walk->data->block[walk->block_number].first_row + walk->row, &update);
}

static void take_mistake(struct perceptron_loop *work)
{
    linpred__walk *walk = &work->walk;
    if (work->pocket && !work->question->pass_ends_only)
        linpred__pocket_score(work->pocket, walk, false);
    double score = 0.0;
    if (work->scaled)
        linpred__signed_scores(&walk->hyperplane, linpred__walk_block(walk), walk->row, walk->row + 1, &score);
    linpred__walk_update(walk);
    if (work->scaled)
        tell(work, score);
}

/* Whether a limit is reached; answer->end says which. */
static bool at_limit(struct perceptron_loop *work)
{
    const linpred__perceptron_question *question = work->question;
    const linpred__walk *walk = &work->walk;
    linpred__perceptron_end *end = &work->answer->end;
    int64_t patience = work->pocket ? question->patience : 0;
    if (work->ended)
        *end = LINPRED__PERCEPTRON_ENDED;
    else if (walk->updates >= question->max_updates)
        *end = LINPRED__PERCEPTRON_MAX_UPDATES;
    else if (walk->visited / walk->data->rows >= question->max_passes)
        *end = LINPRED__PERCEPTRON_MAX_PASSES;
    else if (patience > 0 && walk->visited - work->pocket->kept_visited >= patience * walk->data->rows)
        *end = LINPRED__PERCEPTRON_PATIENCE;
    else if (!isfinite(walk->norm))
        *end = LINPRED__PERCEPTRON_RANGE;
    else if (linpred__run_should_stop(work->run, work->pocket ? "pocket" : "perceptron", walk->updates, passes(walk),
                                      work->pocket ? work->pocket->errors : NAN))
        *end = LINPRED__PERCEPTRON_STOPPED;
    else
        return false;
    return true;
}

/* Whether the loop ends with this pass: it had no mistake, or the pocket makes none. */
static bool is_finished(struct perceptron_loop *work)
{
    if (work->pocket)
        linpred__pocket_score(work->pocket, &work->walk, true);
    bool faultless = work->pocket && work->pocket->errors == 0.0;
    work->answer->end = faultless ? LINPRED__PERCEPTRON_NO_ERRORS : LINPRED__PERCEPTRON_CLEAN_PASS;
    return faultless || work->walk.clean;
}

static void learn(struct perceptron_loop *work)
{
    do {
        switch (linpred__walk_advance(&work->walk)) {
        case LINPRED__WALK_MISTAKE:
            take_mistake(work);
            break;
        case LINPRED__WALK_PASS_END:
            if (is_finished(work))
                return;
            linpred__walk_next_pass(&work->walk);
            break;
        case LINPRED__WALK_PAUSE:
            break;
        }
    } while (!at_limit(work));
    if (work->pocket)
        linpred__pocket_score(work->pocket, &work->walk, true);
}

/* Sets the answer to the weights times rate/step, or to the weights themselves if the product leaves the range of
   doubles. */
static void take_weights(struct perceptron_loop *work)
{
    const linpred__walk *walk = &work->walk;
    linpred__perceptron *answer = work->answer;
    const double *w = work->pocket ? work->pocket->w : walk->hyperplane.w;
    double b = work->pocket ? work->pocket->b : walk->hyperplane.b;
    double largest = fabs(b);
    for (int32_t j = 0; j < walk->data->columns; j++)
        largest = fmax(largest, fabs(w[j]));
    double factor = work->question->rate / walk->step;
    if (!isfinite(largest * factor))
        factor = 1.0;
    for (int32_t j = 0; j < walk->data->columns; j++)
        answer->w[j] = w[j] * factor;
    answer->b = b * factor;
    answer->updates = walk->updates;
    answer->passes = passes(walk);
}

static linpred_status learn_all(struct perceptron_loop *work, linpred_error *error)
{
    linpred__pocket pocket = {0};
    linpred_status status = LINPRED_OK;
    if (work->question->pocket) {
        status = linpred__pocket_open(&pocket, &work->walk, error);
        work->pocket = status == LINPRED_OK ? &pocket : NULL;
    }
    if (status == LINPRED_OK) {
        learn(work);
        take_weights(work);
    }
    linpred__pocket_close(&pocket);
    return status;
}

linpred_status linpred__ask_perceptron(linpred__run *run, const linpred__problem *problem,
                                       const linpred__perceptron_question *question, linpred__perceptron *answer,
                                       linpred_error *error)
{
    struct perceptron_loop work = {.run = run, .question = question, .answer = answer};
    size_t columns = (size_t)problem->data->columns;
    bool in_order = question->order == LINPRED_ORDER_CYCLIC || question->order == LINPRED_ORDER_RANDOM;
    linpred__walk_rules rules = {.order = question->order,
                                 .mistake = question->mistake,
                                 .seed = question->seed,
                                 .max_updates = question->max_updates,
                                 .eager = in_order && !question->pocket && !question->on_update};
    *answer = (linpred__perceptron){.w = linpred__calloc(columns, sizeof(double))};
    work.scaled = question->on_update ? linpred__alloc(columns, sizeof(double)) : NULL;
    bool ready = answer->w && (work.scaled || !question->on_update);
    linpred_status status = ready
                                ? linpred__walk_open(&work.walk, run, problem, &rules, question->w, question->b, error)
                                : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        status = learn_all(&work, error);
        linpred__walk_close(&work.walk);
    }
    linpred__release(work.scaled);
    if (status != LINPRED_OK)
        linpred__perceptron_clear(answer);
    return status;
}
