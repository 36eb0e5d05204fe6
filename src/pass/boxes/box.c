/* One box of halfspaces, divided until its rows decide (see hyperplanes.h).
 *
 * A level of the search holds the rows that are undecided on its box, each with its score in the centre and with how
 * far the score may be from that anywhere on the box. Dividing the box at entry j moves the centre by h and shrinks the
 * box by h there, so one product a row updates both. All rows have length at most 1 and all |w_j| <= 1: a level adds a
 * rounding of some 2^-52, and `tolerance` is far above the sum of them.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "pass/boxes/hyperplanes.h"
#include "pass/limits.h"

/* The rows that are undecided at a level, in one piece of memory. */
struct box_level {
    int32_t capacity;
    int32_t *row;
    double *score;
    double *reach; /* Σ r_j |z_j| */
};

struct box_walk {
    const linpred__box_rows *rows;
    linpred__box_answer *answer;
    double max_work;
    struct box_level level[LINPRED__BOX_LEVELS + 1];
    linpred__box box; /* the box of the current level */
    bool failed;      /* memory ran out */
};

static bool make_room(struct box_level *level, int32_t rows)
{
    if (level->capacity >= rows && level->row)
        return true;
    linpred__release(level->row);
    linpred__release(level->score);
    level->row = linpred__alloc((size_t)rows, sizeof *level->row);
    level->score = linpred__alloc(2 * (size_t)rows, sizeof *level->score);
    level->reach = level->score ? level->score + rows : NULL;
    level->capacity = rows;
    return level->row && level->score;
}

/* ---- a level ----------------------------------------------------------------------------------------------------- */

/* The score of row i in the centre, and how far it may be from that anywhere on the box. */
static void score_on_box(const linpred__box_rows *rows, const linpred__box *box, int32_t i, double *score,
                         double *reach)
{
    *score = *reach = 0;
    for (int32_t j = 0; j < rows->d; j++) {
        double z = rows->z[(int64_t)j * rows->n + i];
        *score += box->centre[j] * z;
        *reach += box->half[j] * fabs(z);
    }
}

/* Puts the rows that are undecided on the whole box into level 0. Returns the cost of those that are wrong. */
static int64_t enter_box(struct box_walk *walk, int32_t *undecided)
{
    const linpred__box_rows *rows = walk->rows;
    struct box_level *level = &walk->level[0];
    int64_t wrong = 0;
    *undecided = 0;
    for (int32_t i = 0; i < rows->n; i++) {
        double score, reach;
        score_on_box(rows, &walk->box, i, &score, &reach);
        if (score + reach < -rows->tolerance) {
            wrong += rows->cost[i];
        } else if (!(score - reach > rows->tolerance)) {
            level->row[*undecided] = i;
            level->score[*undecided] = score;
            level->reach[(*undecided)++] = reach;
        }
    }
    return wrong;
}

/* Makes the next level, with entry j of the centre moved by `by` and half of its width taken away. Returns the cost of
   the rows that become wrong. */
static int64_t enter_half(struct box_walk *walk, int32_t depth, int32_t rows, int32_t j, double by, int32_t *undecided)
{
    const linpred__box_rows *all = walk->rows;
    const struct box_level *from = &walk->level[depth];
    struct box_level *to = &walk->level[depth + 1];
    const double *z = all->z + (int64_t)j * all->n;
    double tolerance = all->tolerance, half = fabs(by);
    int64_t wrong = 0;
    int32_t kept = 0;
    for (int32_t i = 0; i < rows; i++) {
        int32_t row = from->row[i];
        double score = from->score[i] + z[row] * by, reach = from->reach[i] - fabs(z[row]) * half;
        bool is_wrong = score + reach < -tolerance;
        bool is_right = score - reach > tolerance;
        wrong += is_wrong ? all->cost[row] : 0;
        to->row[kept] = row;
        to->score[kept] = score;
        to->reach[kept] = reach;
        kept += !(is_wrong || is_right);
    }
    *undecided = kept;
    return wrong;
}

/* The halfspace in the centre is offered; rows that are too near its hyperplane count as wrong. */
static void offer_centre(struct box_walk *walk, int32_t depth, int32_t rows, int64_t wrong)
{
    const struct box_level *level = &walk->level[depth];
    linpred__box_answer *answer = walk->answer;
    for (int32_t i = 0; i < rows; i++)
        wrong += level->score[i] <= walk->rows->tolerance ? walk->rows->cost[level->row[i]] : 0;
    if (wrong >= answer->cost)
        return;
    answer->better = true;
    answer->cost = wrong;
    memcpy(answer->w, walk->box.centre, sizeof answer->w);
}

/* The entry that contributes most to what the rows may gain. The undecided rows alone would choose hardly better. */
static int32_t widest_entry(const linpred__box_rows *rows, const linpred__box *box)
{
    int32_t widest = 0;
    for (int32_t j = 1; j < rows->d; j++)
        if (box->half[j] * rows->gain[j] > box->half[widest] * rows->gain[widest])
            widest = j;
    return widest;
}

void linpred__find_gains(linpred__box_rows *rows)
{
    for (int32_t j = 0; j < rows->d; j++) {
        rows->gain[j] = 0.0;
        for (int32_t i = 0; i < rows->n; i++)
            rows->gain[j] += fabs(rows->z[(int64_t)j * rows->n + i]);
    }
}

void linpred__divide_box(const linpred__box_rows *rows, const linpred__box *box, linpred__box half[2])
{
    int32_t j = widest_entry(rows, box);
    for (int side = 0; side < 2; side++) {
        half[side] = *box;
        half[side].half[j] = 0.5 * box->half[j];
        half[side].centre[j] = box->centre[j] + (side ? half[side].half[j] : -half[side].half[j]);
    }
}

/* ---- rows that meet in one halfspace ----------------------------------------------------------------------------- */

/* What the integers say of the undecided rows of a level, without a box, and when they are asked. */
struct asked_rows {
    int32_t asked; /* for so many rows they were asked last; -1: for none */
    int32_t rows;  /* so many are undecided, */
    int32_t stale; /* for so many levels */
    int64_t least; /* no halfspace of the box costs less */
};

/* Writes the rows of a part as doubles: columns, then rows, scaled to less than 1 by powers of two, then each row
   divided by the sum of its entries. */
static void fill_part(linpred__box_rows *part)
{
    long top[LINPRED__BOX_COLUMNS] = {0}, exponent[LINPRED__BOX_COLUMNS];
    for (int32_t i = 0; i < part->n; i++)
        for (int32_t j = 0; j < part->d; j++) {
            long bits =
                (long)mpz_sizeinbase(part->grid->z[(int64_t)part->row[i] * part->grid->columns + part->column[j]], 2);
            top[j] = bits > top[j] ? bits : top[j];
        }
    for (int32_t i = 0; i < part->n; i++) {
        double fraction[LINPRED__BOX_COLUMNS], sum = 0;
        long highest = LONG_MIN;
        for (int32_t j = 0; j < part->d; j++) {
            fraction[j] = mpz_get_d_2exp(&exponent[j],
                                         part->grid->z[(int64_t)part->row[i] * part->grid->columns + part->column[j]]);
            exponent[j] -= top[j];
            highest = fraction[j] != 0.0 && exponent[j] > highest ? exponent[j] : highest;
        }
        for (int32_t j = 0; j < part->d; j++) {
            fraction[j] =
                fraction[j] == 0.0 ? 0.0 : ldexp(fraction[j], (int)fmax((double)(exponent[j] - highest), -900));
            sum += fabs(fraction[j]);
        }
        for (int32_t j = 0; j < part->d; j++)
            part->z[(int64_t)j * part->n + i] = fraction[j] / sum;
    }
    part->tolerance = 0x1p-42;
    linpred__find_gains(part);
}

/* The rows have a smaller rank than their columns: a search by boxes in so many columns. Returns a bound, at most
   `limit`, of what any halfspace costs. No row may be 0. */
static int64_t search_part(struct box_walk *walk, const int32_t *row, int32_t rows, const int32_t *column, int32_t rank,
                           int64_t limit)
{
    linpred__box_rows part = {.n = rows, .d = rank, .grid = walk->rows->grid, .column = column};
    part.z = linpred__alloc((size_t)rows * (size_t)rank, sizeof *part.z);
    part.cost = linpred__alloc((size_t)rows, sizeof *part.cost);
    part.row = linpred__alloc((size_t)rows, sizeof *part.row);
    walk->failed = walk->failed || !part.z || !part.cost || !part.row;
    int64_t least = walk->failed ? 0 : limit;
    for (int32_t i = 0; i < rows && least > 0; i++) {
        part.row[i] = row[i];
        part.cost[i] = part.grid->cost[row[i]];
    }
    if (least > 0)
        fill_part(&part);
    for (int32_t face = 0; face < 2 * rank && least > 0; face++) {
        linpred__box box = {.centre = {0}};
        linpred__box_answer answer;
        for (int32_t j = 0; j < rank; j++)
            box.half[j] = j == face / 2 ? 0.0 : 1.0;
        box.centre[face / 2] = face % 2 ? -1.0 : 1.0;
        linpred__search_box(&part, &box, least, LINPRED__BOX_WORK, &answer);
        walk->answer->work += answer.work;
        walk->failed = walk->failed || answer.failed;
        least = answer.cost < least ? answer.cost : least;
        least = answer.open < least ? answer.open : least;
        least = answer.large || answer.failed ? 0 : least;
    }
    linpred__release(part.z);
    linpred__release(part.cost);
    linpred__release(part.row);
    return least;
}

/* Asks the integers about rows that are undecided on a box, if they need not work long; else boxes, if the rows have a
   smaller rank. Returns what no halfspace of the box costs less than, if `wrong` is the cost of the rows that are wrong
   on it. */
static int64_t ask_integers(struct box_walk *walk, const int32_t *undecided, int32_t rows, int64_t wrong)
{
    const linpred__box_rows *all = walk->rows;
    int64_t missing = walk->answer->cost - wrong;
    if (rows == 0 || missing <= 0)
        return wrong;
    walk->answer->work += LINPRED__BOX_EXACT_WORK * rows * all->d;
    int32_t *row = linpred__alloc((size_t)rows, sizeof *row), chosen[LINPRED__BOX_COLUMNS + 1];
    for (int32_t i = 0; row && i < rows; i++)
        row[i] = all->row[undecided[i]];
    int32_t rank = row ? linpred__grid_columns(all->grid, row, rows, all->column, all->d, chosen) : -1;
    double signs = rows;
    for (int32_t k = 0; k < rank - 1; k++)
        signs *= fmax((double)rows - k, 1.0) / (k + 1);
    bool failed = rank < 0;
    if (!failed && rows > rank && signs <= LINPRED__BOX_EXACT_SIGNS) {
        walk->answer->work += LINPRED__BOX_EXACT_WORK * signs;
        wrong += linpred__grid_min_cost(all->grid, row, rows, all->column, all->d, missing, &failed);
    } else if (!failed && rows > rank && rank < all->d) {
        wrong += search_part(walk, row, rows, chosen, rank, missing);
    }
    walk->failed = walk->failed || failed;
    linpred__release(row);
    return wrong;
}

/* A small box may miss by little the halfspace in which its rows meet. So larger boxes around it are asked too. */
static int64_t ask_around(struct box_walk *walk)
{
    const linpred__box_rows *rows = walk->rows;
    linpred__box box = walk->box;
    int32_t *undecided = linpred__alloc((size_t)rows->n, sizeof *undecided);
    int64_t least = 0;
    walk->failed = walk->failed || !undecided;
    for (int step = 0; step < LINPRED__BOX_AROUND && undecided && least < walk->answer->cost && !walk->failed; step++) {
        int32_t count = 0;
        int64_t wrong = 0;
        for (int32_t j = 0; j < rows->d; j++)
            box.half[j] *= 16.0;
        walk->answer->work += (double)rows->n * rows->d;
        for (int32_t i = 0; i < rows->n; i++) {
            double score, reach;
            score_on_box(rows, &box, i, &score, &reach);
            if (score + reach < -rows->tolerance)
                wrong += rows->cost[i];
            else if (!(score - reach > rows->tolerance))
                undecided[count++] = i;
        }
        int64_t bound = ask_integers(walk, undecided, count, wrong);
        least = bound > least ? bound : least;
    }
    linpred__release(undecided);
    return least;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* Asks the integers if rows have been undecided while each entry was divided twice, if the box is small, or at once if
   rows are few. */
static void improve_bound(struct box_walk *walk, int32_t depth, int32_t rows, int64_t wrong, bool small,
                          struct asked_rows *asked)
{
    asked->stale = rows == asked->rows ? asked->stale + 1 : 0;
    asked->rows = rows;
    if (rows == asked->asked || !(small || asked->stale >= 2 * walk->rows->d || walk->rows->n <= LINPRED__BOX_FEW_ROWS))
        return;
    int64_t least = ask_integers(walk, walk->level[depth].row, rows, wrong);
    asked->least = least > asked->least ? least : asked->least;
    asked->asked = rows;
}

/* A box that is not divided further is left open. */
static void search_level(struct box_walk *walk, int32_t depth, int32_t rows, int64_t wrong, struct asked_rows asked)
{
    linpred__box_answer *answer = walk->answer;
    offer_centre(walk, depth, rows, wrong);
    if (wrong >= answer->cost || asked.least >= answer->cost || walk->failed)
        return;
    int32_t j = widest_entry(walk->rows, &walk->box);
    double half = 0.5 * walk->box.half[j], centre = walk->box.centre[j];
    bool last = depth == LINPRED__BOX_LEVELS || half < LINPRED__BOX_SMALLEST;
    answer->work += rows * 3.0;
    improve_bound(walk, depth, rows, wrong, last || half < LINPRED__BOX_SMALL, &asked);
    if (last && asked.least < answer->cost) {
        int64_t around = ask_around(walk);
        asked.least = around > asked.least ? around : asked.least;
        answer->open = asked.least < answer->open ? asked.least : answer->open;
    }
    if (last || asked.least >= answer->cost)
        return;
    answer->large = answer->work > walk->max_work;
    walk->failed = walk->failed || !make_room(&walk->level[depth + 1], rows);
    for (int side = -1; side <= 1 && !answer->large && !walk->failed; side += 2) {
        int32_t undecided;
        int64_t more = enter_half(walk, depth, rows, j, side * half, &undecided);
        if (wrong + more >= answer->cost || asked.least >= answer->cost)
            continue;
        walk->box.centre[j] = centre + side * half;
        walk->box.half[j] = half;
        search_level(walk, depth + 1, undecided, wrong + more, asked);
        walk->box.centre[j] = centre;
        walk->box.half[j] = 2.0 * half;
    }
}

void linpred__search_box(const linpred__box_rows *rows, const linpred__box *box, int64_t limit, double max_work,
                         linpred__box_answer *answer)
{
    struct box_walk *walk = linpred__calloc(1, sizeof *walk);
    bool ready = walk && make_room(&walk->level[0], rows->n);
    *answer = (linpred__box_answer){.cost = limit, .open = INT64_MAX};
    if (ready) {
        int32_t undecided;
        walk->rows = rows;
        walk->answer = answer;
        walk->max_work = max_work;
        walk->box = *box;
        answer->work = (double)rows->n * rows->d;
        int64_t wrong = enter_box(walk, &undecided);
        if (wrong < limit)
            search_level(walk, 0, undecided, wrong, (struct asked_rows){.asked = -1});
    }
    answer->failed = !ready || walk->failed;
    for (int32_t depth = 0; walk && depth <= LINPRED__BOX_LEVELS; depth++) {
        linpred__release(walk->level[depth].row);
        linpred__release(walk->level[depth].score);
    }
    linpred__release(walk);
}
