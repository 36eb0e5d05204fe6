/* The search by boxes: boxes that wait are searched some at a time, on all threads (see hyperplanes.h). A box that is
 * too much work is divided, and its parts wait. So what is found depends on neither time nor threads. */
#include "pass/boxes/hyperplanes.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/limits.h"

/* Boxes that are searched at the same time. */
struct box_tasks {
    const linpred__box_rows *rows;
    const linpred__box *box;
    int64_t limit;
    linpred__box_answer *answer;
};

static void search_one_box(void *context, int64_t number)
{
    const struct box_tasks *tasks = context;
    linpred__search_box(tasks->rows, &tasks->box[number], tasks->limit, LINPRED__BOX_WORK, &tasks->answer[number]);
}

/* Keeps the w of a box as one of the data. */
static void take_better(linpred__hyperplanes *s, const linpred__box_answer *answer)
{
    const linpred__box_rows *rows = &s->rows;
    s->best = answer->cost + s->always;
    s->better = true;
    memset(s->w, 0, ((size_t)s->grid.columns + 1) * sizeof *s->w);
    double shift = 0;
    for (int32_t j = 0; j < rows->d; j++) {
        s->w[rows->column[j]] = answer->w[j] * s->unit[rows->column[j]];
        shift += j == s->constant ? 0.0 : answer->w[j] * s->mean[j] * s->scale[j];
    }
    if (s->constant >= 0)
        s->w[rows->column[s->constant]] = (answer->w[s->constant] - shift) * s->unit[rows->column[s->constant]];
}

/* Divides a box that was too much work; its parts wait. */
static bool wait_in_parts(linpred__hyperplanes *s, const linpred__box *box, int divisions)
{
    linpred__box half[2];
    if (divisions == 0) {
        if (!linpred__grow(&s->waiting, &s->capacity, (size_t)s->boxes + 1, sizeof *s->waiting))
            return false;
        s->waiting[s->boxes++] = *box;
        return true;
    }
    linpred__divide_box(&s->rows, box, half);
    return wait_in_parts(s, &half[0], divisions - 1) && wait_in_parts(s, &half[1], divisions - 1);
}

/* Searches the last boxes that wait. Returns false if memory runs out. */
static bool search_some_boxes(linpred__hyperplanes *s, linpred__pool *pool)
{
    linpred__box box[LINPRED__BOXES_AT_A_TIME];
    linpred__box_answer answer[LINPRED__BOXES_AT_A_TIME];
    int64_t count = s->boxes < LINPRED__BOXES_AT_A_TIME ? s->boxes : LINPRED__BOXES_AT_A_TIME;
    struct box_tasks tasks = {&s->rows, box, s->best - s->always, answer};
    s->boxes -= count;
    memcpy(box, s->waiting + s->boxes, (size_t)count * sizeof *box);
    linpred__pool_run(pool, count, search_one_box, &tasks);
    for (int64_t i = 0; i < count; i++) {
        if (answer[i].better && answer[i].cost + s->always < s->best)
            take_better(s, &answer[i]);
        s->work += answer[i].work;
        if (!answer[i].large && answer[i].open < INT64_MAX - s->always && answer[i].open + s->always < s->open)
            s->open = answer[i].open + s->always;
        if (answer[i].failed || (answer[i].large && !wait_in_parts(s, &box[i], LINPRED__BOX_DIVISIONS)))
            return false;
    }
    return true;
}

/* Few rows that meet in many ways: integers go through all hyperplanes in less time than boxes. Returns false if memory
   runs out. If one costs less than the best, its w is not known. */
static bool go_through_all(linpred__hyperplanes *s)
{
    const linpred__box_rows *rows = &s->rows;
    double signs = rows->n;
    bool failed = false;
    for (int32_t k = 0; k < rows->d - 1; k++)
        signs *= (double)(rows->n - k) / (k + 1);
    if (s->work < LINPRED__BOX_FEW_WORK || signs > LINPRED__BOX_ALL_SIGNS)
        return true;
    int64_t least =
        linpred__grid_min_cost(&s->grid, rows->row, rows->n, rows->column, rows->d, s->best - s->always, &failed);
    if (least + s->always < s->best) {
        s->best = least + s->always;
        s->better = false;
    }
    s->boxes = 0;
    s->open = INT64_MAX;
    return !failed;
}

linpred_status linpred__hyperplanes_run(linpred__hyperplanes *s, const linpred__hyperplanes_turn *turn,
                                        linpred__hyperplanes_end *end, linpred_error *error)
{
    double last = s->work + turn->max_work;
    *end = LINPRED__HYPERPLANES_TOO_MANY;
    if (turn->limit < s->best) {
        s->best = turn->limit;
        s->better = false;
    }
    if (s->suits && s->rows.d == 0 && s->always < s->best) { /* all rows are zeros */
        s->best = s->always;
        s->better = true;
    }
    while (s->suits && *end == LINPRED__HYPERPLANES_TOO_MANY && s->work < last) {
        if (s->boxes > 0 && s->best > s->always && !(search_some_boxes(s, turn->pool) && go_through_all(s)))
            return linpred__no_memory(error);
        if (s->boxes == 0 || s->best <= s->always)
            *end = s->open < s->best ? LINPRED__HYPERPLANES_UNDECIDED : LINPRED__HYPERPLANES_DONE;
        else if (turn->stop && turn->stop(turn->context))
            *end = LINPRED__HYPERPLANES_STOPPED;
    }
    return LINPRED_OK;
}
