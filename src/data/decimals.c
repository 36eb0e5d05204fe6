/* Finds the decimals of data (see decimals.h).
 *
 * A value needs k decimals if k is the smallest number for which x is the double nearest to a whole number times 10^-k.
 * A column needs the most that any of its values needs. `needed` only ever grows, and a value that has been satisfied
 * stays so, as long as |x| 10^k < 2^53. So the order in which blocks are looked at changes no decimals. A column for
 * which the last condition fails has none in any order, though what it needs may differ.
 */
#include "data/decimals.h"

#include <math.h>
#include <string.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "core/threads.h"

enum { NO_DECIMALS = LINPRED__MAX_DECIMALS + 1 };

const double linpred__tens[LINPRED__MAX_DECIMALS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint64_t size_bits(double x)
{
    double size = fabs(x);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return bits;
}

static double largest_of(const linpred__need *known)
{
    double size;
    memcpy(&size, &known->largest, sizeof size);
    return size;
}

struct decimals_search {
    const linpred_data *data;
    linpred__share blocks; /* those that this process looks at */
    bool real_target;
    linpred__need *column; /* all threads write to it, each number by itself; the target comes last */
    bool no_memory;
};

/* Whether x is the double nearest to some n 10^-k. The quotient of two whole doubles is rounded once. */
static inline bool has_decimals(double x, int k)
{
    return rint(x * linpred__tens[k]) / linpred__tens[k] == x;
}

int linpred__decimals_needed(double x, int k)
{
    while (k < NO_DECIMALS && !has_decimals(x, k))
        k++;
    return k;
}

/* Raises what all threads know of a column. */
static void raise_need(linpred__need *known, int needed, double largest)
{
    int seen = __atomic_load_n(&known->needed, __ATOMIC_RELAXED);
    while (seen < needed &&
           !__atomic_compare_exchange_n(&known->needed, &seen, needed, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    uint64_t size = size_bits(largest), before = __atomic_load_n(&known->largest, __ATOMIC_RELAXED);
    while (before < size &&
           !__atomic_compare_exchange_n(&known->largest, &before, size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void look_at(linpred__need *known, const double *x, int64_t count)
{
    int needed = __atomic_load_n(&known->needed, __ATOMIC_RELAXED);
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) {
        needed = linpred__decimals_needed(x[i], needed);
        largest = fmax(largest, fabs(x[i]));
    }
    raise_need(known, needed, largest);
}

static void look_at_entries(linpred__need *column, const linpred__block *block)
{
    for (int64_t e = block->start[0]; e < block->start[block->rows]; e++) {
        linpred__need *known = &column[block->indices[e]];
        double x = block->values[e];
        int needed = __atomic_load_n(&known->needed, __ATOMIC_RELAXED);
        if (size_bits(x) > __atomic_load_n(&known->largest, __ATOMIC_RELAXED) ||
            (needed < NO_DECIMALS && !has_decimals(x, needed)))
            raise_need(known, linpred__decimals_needed(x, needed), fabs(x));
    }
}

/* Whether all columns have the decimals power[j] = 10^k; 0: column j is not asked. Adding and subtracting 1.5 2^52
   rounds numbers below 2^51 to whole ones; for larger ones it may say no, and the row is looked at cell by cell. */
LINPRED__FAST static bool row_is_known(const double *x, const double *power, double *largest, int32_t columns)
{
    const double round = 0x1.8p52;
    int unknown = 0;
    for (int32_t j = 0; j < columns; j++) {
        double n = (x[j] * power[j] + round) - round;
        unknown |= (n / power[j] != x[j]) & (power[j] != 0.0);
        double size = fabs(x[j]);
        largest[j] = size > largest[j] ? size : largest[j];
    }
    return !unknown;
}

static bool look_at_dense_rows(linpred__need *column, const linpred__block *block)
{
    size_t columns = (size_t)block->columns;
    double *power = linpred__alloc(2 * columns, sizeof *power), *largest = power + columns;
    int *needed = linpred__alloc(columns, sizeof *needed);
    for (size_t j = 0; power && needed && j < columns; j++) {
        needed[j] = __atomic_load_n(&column[j].needed, __ATOMIC_RELAXED);
        power[j] = needed[j] < NO_DECIMALS ? linpred__tens[needed[j]] : 0.0;
        largest[j] = 0.0;
    }
    for (int32_t r = 0; power && needed && r < block->rows; r++) {
        const double *x = block->values + r * block->stride;
        if (row_is_known(x, power, largest, block->columns))
            continue;
        for (size_t j = 0; j < columns; j++) {
            needed[j] = linpred__decimals_needed(x[j], needed[j]);
            power[j] = needed[j] < NO_DECIMALS ? linpred__tens[needed[j]] : 0.0;
        }
    }
    for (size_t j = 0; power && needed && j < columns; j++)
        raise_need(&column[j], needed[j], largest[j]);
    bool looked = power && needed;
    linpred__release(power);
    linpred__release(needed);
    return looked;
}

bool linpred__note_needs(const linpred__block *block, linpred__need *column)
{
    if (block->layout == LINPRED__DENSE)
        return look_at_dense_rows(column, block);
    look_at_entries(column, block);
    return true;
}

bool linpred__has_decimals(int needed, double largest)
{
    return needed < NO_DECIMALS && largest * linpred__tens[needed] < 1e15;
}

bool linpred__same_needs(const linpred__need *one, const linpred__need *other)
{
    bool has = linpred__has_decimals(one->needed, largest_of(one));
    return one->largest == other->largest && has == linpred__has_decimals(other->needed, largest_of(other)) &&
           (!has || one->needed == other->needed);
}

/* The decimals of a column; -1: none. */
static signed char decimals_of(const linpred__need *column, int limit)
{
    bool has = column->needed <= limit && linpred__has_decimals(column->needed, largest_of(column));
    return has ? (signed char)column->needed : -1;
}

/* Sets everything but the decimals of columns and target. If a product 10^K x might overflow, no column has
   decimals. */
static void complete_decimals(linpred__decimals *made, const linpred__need *need, int32_t columns)
{
    double largest = 0.0;
    for (int32_t j = 0; j < columns; j++) {
        made->most = made->column[j] > made->most ? made->column[j] : made->most;
        largest = fmax(largest, largest_of(&need[j]));
    }
    if (largest > 1e250) {
        made->most = 0;
        memset(made->column, -1, (size_t)columns);
    }
    made->unit = made->most > 0 && made->most <= LINPRED__MAX_DECIMALS ? linpred__tens[made->most] : 1.0;
    for (int32_t j = 0; j < columns && made->most > 0; j++)
        made->long_cells = made->long_cells || (made->column[j] < 0 ? largest_of(&need[j]) > 0.0
                                                                    : largest_of(&need[j]) * made->unit >= 0x1p52);
}

/* What all processes found, each in its blocks. */
static void share_needs(struct decimals_search *search)
{
    const linpred__comm *comm = linpred__comm_get();
    size_t columns = (size_t)search->data->columns + 1;
    linpred_error error;
    linpred__need *theirs = comm ? linpred__alloc(columns, sizeof *theirs) : NULL;
    if (comm && (!theirs || search->no_memory)) {
        linpred__no_memory(&error);
        comm->give_up(&error);
    }
    for (int i = 0; theirs && i < comm->processes; i++) {
        memcpy(theirs, search->column, columns * sizeof *theirs);
        comm->broadcast(i, theirs, columns * sizeof *theirs);
        for (size_t j = 0; j < columns; j++)
            raise_need(&search->column[j], theirs[j].needed, largest_of(&theirs[j]));
    }
    linpred__release(theirs);
}

static void look_at_target(struct decimals_search *search, const linpred__block *block)
{
    if (search->real_target)
        look_at(&search->column[search->data->columns], block->target, block->rows);
}

static void look_at_target_of(void *context, int64_t task)
{
    struct decimals_search *search = context;
    look_at_target(search, &search->data->block[search->blocks.from + task]);
}

static void look_at_block(void *context, int64_t task)
{
    struct decimals_search *search = context;
    const linpred__block *block = linpred__block_at(search->data, search->blocks.from + task);
    if (!linpred__note_needs(block, search->column))
        __atomic_store_n(&search->no_memory, true, __ATOMIC_RELAXED);
    look_at_target(search, block);
}

/* Looks at all rows; at targets alone if no column may have decimals, since then nothing depends on its values, or if
   the file states what its columns need. */
static void look_at_all(struct decimals_search *search, const signed char *limit, const linpred__need *stated,
                        linpred__pool *pool)
{
    bool columns = false;
    for (int32_t j = 0; j < search->data->columns; j++)
        columns = columns || limit[j] > 0;
    if (columns && stated) {
        memcpy(search->column, stated, (size_t)search->data->columns * sizeof *stated);
        columns = false;
    }
    if (columns || search->real_target)
        linpred__pool_run(pool, search->blocks.to - search->blocks.from, columns ? look_at_block : look_at_target_of,
                          search);
    share_needs(search);
}

linpred_status linpred__find_decimals(const linpred_data *data, const signed char *limit, const linpred__need *stated,
                                      linpred__pool *pool, linpred__decimals **decimals, linpred_error *error)
{
    size_t columns = (size_t)data->columns;
    bool real_target = limit[columns] >= 0;
    const linpred__comm *comm = linpred__comm_get();
    struct decimals_search search = {.data = data, .blocks = {0, data->blocks}, .real_target = real_target};
    if (comm)
        search.blocks = linpred__share_of(data->blocks, comm->processes, comm->process);
    search.column = linpred__calloc(columns + 1, sizeof *search.column);
    linpred__decimals *made = linpred__calloc(1, sizeof *made + columns);
    if (search.column && made)
        look_at_all(&search, limit, stated, pool);
    if (!search.column || !made || search.no_memory) {
        linpred__release(search.column);
        linpred__release(made);
        return linpred__no_memory(error);
    }
    for (size_t j = 0; j < columns; j++)
        made->column[j] = decimals_of(&search.column[j], limit[j]);
    made->target = real_target ? decimals_of(&search.column[columns], limit[columns]) : -1;
    complete_decimals(made, search.column, data->columns);
    linpred__release(search.column);
    if (made->most == 0 && made->target <= 0) {
        linpred__release(made);
        made = NULL;
    }
    *decimals = made;
    return LINPRED_OK;
}
