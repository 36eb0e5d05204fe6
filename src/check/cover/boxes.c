/* Divides boxes of halfspaces (see boxes.h).
 *
 * The rows that are undecided on a box lie in one list behind those of the box that it is half of. Halving a box at
 * entry j moves its centre by half its width there: one product a row gives the new score in the centre and the new
 * reach, which is how far the score may be from that anywhere on the box. Centres and widths are multiples of powers of
 * two, without rounding.
 */
#include "check/cover/boxes.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "check/limits.h"
#include "core/memory.h"

struct undecided {
    double score; /* <c,z> */
    double reach; /* Σ h_j |z_j| */
    int32_t place;
};

/* One search: of all halfspaces for some rows. */
struct box_question {
    const linpred__row_set *set; /* its columns are independent */
    const linpred__checked_rows *rows;
    int64_t limit;
    double max_signs;
    int divided; /* each face of the cube is cut into 2^divided tasks */
    _Atomic int64_t signs;
    _Atomic bool open;
    _Atomic bool failed; /* memory ran out */
};

/* What a task walks with. */
struct box_walk {
    struct box_question *question;
    double centre[LINPRED__CHECKED_BOX_COLUMNS];
    double half[LINPRED__CHECKED_BOX_COLUMNS];
    struct undecided *row;
    size_t capacity;
    int64_t signs; /* found and not yet counted in the question */
};

/* A box of the walk: its undecided rows, and how long halving has not helped. */
struct box_level {
    size_t from;   /* of the list */
    int32_t count; /* undecided rows */
    int32_t stale; /* halvings since that number changed */
    int32_t asked; /* the number for which pencils or smaller boxes were asked last */
    int64_t wrong; /* the cost of the rows that are wrong on the box */
    int64_t more;  /* of the undecided rows that are not certainly right in the centre */
};

static linpred__boxes_say ask_rank(const linpred__row_set *set, int64_t limit, int32_t below, double max_signs,
                                   double *signs);

/* Whether the walk goes on. */
static bool may_go_on(struct box_walk *walk)
{
    struct box_question *question = walk->question;
    if (walk->signs >= LINPRED__BOX_SIGNS_AT_A_TIME) {
        int64_t all = atomic_fetch_add(&question->signs, walk->signs) + walk->signs;
        walk->signs = 0;
        if ((double)all > question->max_signs)
            atomic_store(&question->open, true);
    }
    return !atomic_load(&question->open) && !atomic_load(&question->failed);
}

/* ---- a box ---- */

/* Makes the list long enough for so many rows; `used` of them are kept. */
static bool make_room_for(struct box_walk *walk, size_t rows, size_t used)
{
    if (rows <= walk->capacity)
        return true;
    struct undecided *longer = linpred__alloc(2 * rows, sizeof *longer);
    if (!longer) {
        atomic_store(&walk->question->failed, true);
        return false;
    }
    if (used > 0)
        memcpy(longer, walk->row, used * sizeof *longer);
    linpred__release(walk->row);
    walk->row = longer;
    walk->capacity = 2 * rows;
    return true;
}

/* Adds a row to the list, unless it is decided. */
static inline void sort_out(const linpred__checked_rows *rows, const struct undecided *row, struct undecided *list,
                            struct box_level *level)
{
    bool wrong = -(row->score + row->reach) > rows->tolerance;
    bool right = row->score - row->reach > rows->tolerance;
    int64_t cost = rows->cost[row->place];
    list[level->count] = *row;
    level->count += !(wrong || right);
    level->wrong += wrong ? cost : 0;
    level->more += !wrong && row->score <= rows->tolerance ? cost : 0;
}

/* The rows of the box at the top of the walk. If memory runs out, the question has failed, and the walk ends. */
static void open_top(struct box_walk *walk, struct box_level *level)
{
    const linpred__checked_rows *rows = walk->question->rows;
    *level = (struct box_level){.asked = -1};
    if (!make_room_for(walk, (size_t)rows->n + 1, 0))
        return;
    for (int32_t i = 0; i < rows->n; i++) {
        struct undecided row = {0.0, 0.0, i};
        for (int32_t j = 0; j < rows->columns; j++) {
            double z = rows->z[(int64_t)i * rows->columns + j];
            row.score += walk->centre[j] * z;
            row.reach += walk->half[j] * fabs(z);
        }
        sort_out(rows, &row, walk->row, level);
    }
    walk->signs += (int64_t)rows->n * rows->columns;
}

/* The rows of the box that is left if entry j of the centre moves by `by`. */
static void open_half(struct box_walk *walk, const struct box_level *whole, int32_t j, double by,
                      struct box_level *level)
{
    const linpred__checked_rows *rows = walk->question->rows;
    *level = (struct box_level){whole->from + (size_t)whole->count, 0, 0, whole->asked, whole->wrong, 0};
    if (!make_room_for(walk, level->from + (size_t)whole->count + 1, level->from))
        return;
    const struct undecided *from = walk->row + whole->from;
    struct undecided *to = walk->row + level->from;
    const double *column = rows->z + j;
    double half = fabs(by);
    for (int32_t i = 0; i < whole->count; i++) {
        double z = column[(int64_t)from[i].place * rows->columns];
        struct undecided row = {from[i].score + z * by, from[i].reach - fabs(z) * half, from[i].place};
        sort_out(rows, &row, to, level);
    }
    walk->signs += whole->count + 8;
    level->stale = level->count == whole->count ? whole->stale + 1 : 0;
}

/* The entry to halve: where the rows have most to gain. */
static int32_t widest(const struct box_walk *walk)
{
    const linpred__checked_rows *rows = walk->question->rows;
    int32_t best = 0;
    for (int32_t j = 1; j < rows->columns; j++)
        if (walk->half[j] * rows->weight[j] > walk->half[best] * rows->weight[best])
            best = j;
    return best;
}

/* ---- rows that no box decides ---- */

/* Whether the undecided rows cost what is missing in any halfspace. */
static bool ask_undecided(struct box_walk *walk, const struct box_level *level, bool last)
{
    const struct box_question *question = walk->question;
    linpred__row_set set = *question->set;
    int32_t *row = linpred__alloc((size_t)level->count, sizeof *row);
    linpred__boxes_say say = LINPRED__BOXES_NO_MEMORY;
    double signs = 0.0;
    for (int32_t i = 0; row && i < level->count; i++)
        row[i] = question->rows->row[walk->row[level->from + (size_t)i].place];
    set.rows = level->count;
    set.row = row;
    if (row)
        say = ask_rank(&set, question->limit - level->wrong, set.columns,
                       last ? LINPRED__LAST_ASKED_SIGNS : LINPRED__ASKED_SIGNS, &signs);
    walk->signs += (int64_t)signs;
    linpred__release(row);
    if (say == LINPRED__BOXES_NO_MEMORY)
        atomic_store(&walk->question->failed, true);
    return say == LINPRED__BOXES_PROVE;
}

/* ---- the walk ---- */

static void walk_box(struct box_walk *walk, struct box_level *level)
{
    struct box_question *question = walk->question;
    if (level->wrong >= question->limit || !may_go_on(walk))
        return;
    if (level->wrong + level->more < question->limit) { /* the halfspace in the centre costs less */
        atomic_store(&question->open, true);
        return;
    }
    int32_t j = widest(walk);
    double half = 0.5 * walk->half[j], centre = walk->centre[j];
    bool last = half < LINPRED__SMALLEST_BOX;
    if (last || (level->stale >= question->rows->columns && level->count != level->asked)) {
        level->asked = level->count;
        if (ask_undecided(walk, level, last))
            return;
    }
    if (last) {
        atomic_store(&question->open, true);
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        struct box_level part;
        open_half(walk, level, j, side * half, &part);
        walk->centre[j] = centre + side * half;
        walk->half[j] = half;
        walk_box(walk, &part);
        walk->centre[j] = centre;
        walk->half[j] = 2.0 * half;
    }
}

/* Task number 2^divided face + part: `part` says which half to take of the face, then of that half, and so on. */
static void walk_task(void *context, int64_t task)
{
    struct box_question *question = context;
    struct box_walk walk = {.question = question};
    struct box_level top;
    int32_t face = (int32_t)(task >> question->divided);
    for (int32_t j = 0; j < question->rows->columns; j++)
        walk.half[j] = 1.0;
    walk.half[face / 2] = 0.0;
    walk.centre[face / 2] = face % 2 ? -1.0 : 1.0;
    for (int k = 0; k < question->divided; k++) {
        int32_t j = widest(&walk);
        walk.half[j] *= 0.5;
        walk.centre[j] += task >> k & 1 ? walk.half[j] : -walk.half[j];
    }
    open_top(&walk, &top);
    walk_box(&walk, &top);
    atomic_fetch_add(&question->signs, walk.signs);
    linpred__release(walk.row);
}

/* ---- the question ---- */

/* Asks boxes with as many entries as the set has columns. Adds the signs that were found to *signs. */
static linpred__boxes_say divide_boxes(struct box_question *question, linpred__pool *pool, double *signs)
{
    linpred__checked_rows rows;
    bool ready = linpred__checked_rows_open(question->set, &rows);
    bool suits = ready && rows.tolerance <= LINPRED__MAX_BOX_ROUNDING;
    question->rows = &rows;
    if (suits)
        linpred__pool_run(pool, (int64_t)(2 * rows.columns) << question->divided, walk_task, question);
    linpred__checked_rows_close(&rows);
    double found = (double)atomic_load(&question->signs);
    *signs += found;
    if (!ready || atomic_load(&question->failed))
        return LINPRED__BOXES_NO_MEMORY;
    bool open = !suits || atomic_load(&question->open) || found > question->max_signs;
    return open ? LINPRED__BOXES_OPEN : LINPRED__BOXES_PROVE;
}

/* Asks pencils if these have little to sort, else boxes if the rank is below `below`. Adds what was done to *signs. */
static linpred__boxes_say ask_rank(const linpred__row_set *set, int64_t limit, int32_t below, double max_signs,
                                   double *signs)
{
    int32_t column[LINPRED__CHECKED_BOX_COLUMNS], rank = linpred__row_set_rank(set, column);
    linpred__row_set part = *set;
    part.columns = rank;
    part.column = column;
    *signs += (double)set->rows * set->columns * LINPRED__SIGNS_OF_A_VECTOR;
    if (rank < 0)
        return LINPRED__BOXES_NO_MEMORY;
    double pencils = linpred__pencil_signs(set->rows, rank);
    if (rank < 2 || pencils <= max_signs) {
        *signs += pencils;
        int64_t least = linpred__least_cost(&part, NULL, limit);
        return least < 0 ? LINPRED__BOXES_NO_MEMORY : least >= limit ? LINPRED__BOXES_PROVE : LINPRED__BOXES_OPEN;
    }
    if (rank >= below)
        return LINPRED__BOXES_OPEN;
    struct box_question question = {.set = &part, .limit = limit, .max_signs = max_signs};
    return divide_boxes(&question, NULL, signs);
}

linpred__boxes_say linpred__divide_halfspaces(const linpred__row_set *set, linpred__pool *pool, int64_t limit,
                                              double max_signs)
{
    if (set->columns > LINPRED__CHECKED_BOX_COLUMNS)
        return LINPRED__BOXES_OPEN;
    int32_t *row = linpred__alloc((size_t)set->rows, sizeof *row);
    int64_t *cost = linpred__alloc((size_t)set->whole->rows, sizeof *cost), always = 0;
    int32_t column[LINPRED__CHECKED_BOX_COLUMNS], rank = -1;
    linpred__row_set left = *set;
    left.row = row;
    left.cost = cost;
    left.rows = row && cost ? linpred__cancel_opposites(set, row, cost, &always) : -1;
    if (left.rows >= 0)
        rank = linpred__row_set_rank(&left, column);
    left.columns = rank;
    left.column = column;
    linpred__boxes_say say = LINPRED__BOXES_NO_MEMORY;
    double signs = 0.0;
    if (rank >= 0 && always >= limit)
        say = LINPRED__BOXES_PROVE;
    else if (rank >= 0)
        say = rank == 0 ? LINPRED__BOXES_OPEN
                        : divide_boxes(&(struct box_question){.set = &left,
                                                              .limit = limit - always,
                                                              .max_signs = max_signs,
                                                              .divided = LINPRED__BOX_TASKS},
                                       pool, &signs);
    linpred__release(row);
    linpred__release(cost);
    return say;
}
