/* The question of separation.h: what the two-way answer for rounded rows means for balls. */
#include "fit/ball/separation.h"

#include "core/error.h"
#include "core/memory.h"
#include "separate/two_way.h"

/* Moves the witness to the answer, with row numbers of the file. The hard row, if present, is the last and is
   dropped. */
static void take_lifted_witness(const linpred_data *data, linpred__combination *witness,
                                linpred__ball_separation *answer)
{
    if (witness->row[witness->count - 1] > data->rows)
        linpred__release(witness->weight[--witness->count]);
    for (int64_t i = 0; i < witness->count; i++)
        witness->row[i] = linpred_data_source_row(data, witness->row[i] - 1);
    answer->kind = LINPRED_SEPARATION_INSEPARABLE;
    answer->witness = *witness;
    *witness = (linpred__combination){0};
}

static linpred_status take_two_way(linpred__run *run, const linpred__ball_lift *lift, const linpred__problem *lifted,
                                   linpred__two_way *found, linpred__best_ball *best, linpred__ball_separation *answer,
                                   linpred_error *error)
{
    bool separates;
    answer->updates = found->updates;
    answer->passes = found->passes;
    answer->rounds = found->rounds;
    answer->working_rows = found->working_rows;
    answer->solver_seconds = found->solver_seconds;
    linpred_status status = linpred__ball_try_weights(run, lift, found->w, true, best, &separates, error);
    if (status != LINPRED_OK)
        return status;
    if (separates)
        answer->kind = LINPRED_SEPARATION_SEPARATED;
    else if (found->kind == LINPRED_SEPARATION_INSEPARABLE && lift->exact)
        take_lifted_witness(lift->data, &found->witness, answer);
    else if (found->kind != LINPRED_SEPARATION_UNDECIDED)
        status = linpred__search_exact_balls(run, lift, lifted, found, best, answer, error);
    return status;
}

linpred_status linpred__ask_ball_separation(linpred__run *run, const linpred__ball_lift *lift,
                                            const linpred__problem *lifted, linpred__best_ball *best,
                                            linpred__ball_separation *answer, linpred_error *error)
{
    linpred__two_way found;
    *answer = (linpred__ball_separation){.kind = LINPRED_SEPARATION_UNDECIDED, .working_rows = -1};
    linpred_status status = linpred__ask_two_way(run, lifted, 0.0, &found, error);
    if (status != LINPRED_OK)
        return status;
    status = take_two_way(run, lift, lifted, &found, best, answer, error);
    linpred__two_way_clear(&found);
    if (status != LINPRED_OK)
        linpred__ball_separation_clear(answer);
    return status;
}
