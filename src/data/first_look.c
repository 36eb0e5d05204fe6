/* The first look at rows of files (stored.h). Blocks are looked at by whoever claims them first. The thread that
 * completes the last one compares the sums.
 *
 * A file that ends within a block cuts it into pieces, each of one file. The piece of block i in file f has the number
 * i + f: with each piece at least one of the two grows, so no two pieces have the same number.
 */
#include "data/stored.h"

#include <string.h>
#include <zlib.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/tree.h"

enum { VALUES, INDICES, ARRAYS };

/* The checksums of some bytes of a file's two arrays. */
typedef struct piece_sums {
    uint32_t sum[ARRAYS];
} piece_sums;

typedef struct linpred__first_look linpred__first_look;
struct linpred__first_look {
    const linpred_data *data; /* all rows of the files */
    piece_sums *piece;        /* of each piece */
    atomic_uchar *claimed;    /* of each block: some thread looks at it, or has */
    linpred__need *needs;     /* what columns need, as the files state; NULL: they do not */
    linpred__need *found;     /* what they need */
    _Atomic int64_t left;     /* blocks that nobody has looked at */
};

void linpred__first_look_free(linpred__first_look *look)
{
    if (!look)
        return;
    linpred__release(look->piece);
    linpred__release(look->claimed);
    linpred__release(look->needs);
    linpred__release(look->found);
    linpred__release(look);
}

linpred_status linpred__look_first(const linpred_data *data, linpred__need *needs, linpred_error *error)
{
    size_t blocks = (size_t)data->blocks;
    linpred__first_look *look = linpred__calloc(1, sizeof *look);
    if (!look) {
        linpred__release(needs);
        return linpred__no_memory(error);
    }
    look->needs = needs;
    look->found = needs ? linpred__calloc((size_t)data->columns, sizeof *look->found) : NULL;
    look->piece = linpred__calloc(blocks + (size_t)data->stored->all.files, sizeof *look->piece);
    look->claimed = linpred__calloc(blocks, sizeof *look->claimed);
    if (!look->piece || !look->claimed || (needs && !look->found)) {
        linpred__first_look_free(look);
        return linpred__no_memory(error);
    }
    look->data = data;
    atomic_init(&look->left, data->blocks);
    data->stored->look = look;
    return LINPRED_OK;
}

const linpred__need *linpred__stated_needs(const linpred_data *data)
{
    return data->stored && data->stored->look ? data->stored->look->needs : NULL;
}

/* ---- checksums --------------------------------------------------------------------------------------------------- */

/* Adds the checksums of entries that follow. */
static void append_sums(piece_sums *sums, const piece_sums *next, int64_t entries)
{
    const size_t item[ARRAYS] = {sizeof(double), sizeof(int32_t)};
    for (int array = 0; entries > 0 && array < ARRAYS; array++)
        if (sums->sum[array] != 0 || next->sum[array] != 0) /* dense rows have no indices */
            sums->sum[array] =
                (uint32_t)crc32_combine(sums->sum[array], next->sum[array], (z_off_t)((size_t)entries * item[array]));
}

typedef void take_piece(void *context, int64_t file, const piece_sums *sums, int64_t entries);

/* Calls `take` for the pieces of the wanted rows, which are among those that were read. */
static void sum_pieces(const linpred__stored_files *all, const linpred__block *rows, linpred__share wanted,
                       take_piece *take, void *context)
{
    bool sparse = rows->layout == LINPRED__SPARSE;
    for (int64_t row = wanted.from, next; row < wanted.to; row = next) {
        int64_t file = linpred__stored_file_of(all, row), before = row - rows->first_row;
        next = all->file[file].first_row + all->file[file].rows;
        next = next < wanted.to ? next : wanted.to;
        int64_t entries = linpred__values_between(all, row, next);
        int64_t from = sparse ? rows->start[before] : before * all->columns;
        piece_sums sums = {{linpred__checksum(0, rows->values + from, (size_t)entries * sizeof(double)), 0}};
        if (sparse)
            sums.sum[INDICES] = linpred__checksum(0, rows->indices + from, (size_t)entries * sizeof(int32_t));
        take(context, file, &sums, entries);
    }
}

/* Breaks the data if the sums of all entries of a file are not those that it states. */
static void compare_file(linpred__stored *stored, int64_t file, const piece_sums *found)
{
    const linpred__stored_file *about = &stored->all.file[file];
    piece_sums whole = {{about->value_sums.before, about->index_sums.before}};
    append_sums(&whole, found, linpred__values_between(&stored->all, about->first_row, about->first_row + about->rows));
    if (whole.sum[VALUES] != about->value_sums.whole)
        linpred__stored_fail(stored, file, LINPRED__STORED_DAMAGED_VALUES);
    else if (stored->all.start && whole.sum[INDICES] != about->index_sums.whole)
        linpred__stored_fail(stored, file, LINPRED__STORED_DAMAGED_INDICES);
}

/* ---- the first look ---------------------------------------------------------------------------------------------- */

static void compare_sums(const linpred__first_look *look)
{
    const linpred_data *data = look->data;
    const linpred__stored_files *all = &data->stored->all;
    for (int64_t f = 0; f < all->files; f++) {
        int64_t row = all->file[f].first_row, end = row + all->file[f].rows;
        piece_sums sums = {{0}};
        for (int64_t next; row < end; row = next) {
            int64_t i = row / data->block_rows;
            next = (i + 1) * data->block_rows < end ? (i + 1) * data->block_rows : end;
            append_sums(&sums, &look->piece[i + f], linpred__values_between(all, row, next));
        }
        compare_file(data->stored, f, &sums);
    }
    for (int32_t j = 0; look->needs && j < data->columns; j++)
        if (!linpred__same_needs(&look->needs[j], &look->found[j]))
            linpred__stored_fail(data->stored, 0, LINPRED__STORED_DAMAGED_DECIMALS);
}

/* What the columns need by some of the rows that were read, from row `before` of them on. */
static void note_needs_of(const linpred__first_look *look, const linpred__block *rows, int64_t before, int32_t count)
{
    linpred__block some = *rows;
    some.rows = count;
    if (rows->layout == LINPRED__SPARSE)
        some.start = rows->start + before;
    else
        some.values = rows->values + before * look->data->columns;
    if (!linpred__note_needs(&some, look->found))
        linpred__stored_fail(look->data->stored, 0, LINPRED__STORED_NO_MEMORY);
}

/* A block whose pieces are looked at. */
struct piece_list {
    linpred__first_look *look;
    int64_t block;
};

static void keep_piece(void *context, int64_t file, const piece_sums *sums, int64_t entries)
{
    const struct piece_list *list = context;
    (void)entries;
    list->look->piece[list->block + file] = *sums;
}

/* Some number of the rows is not finite: breaks the data because of its file. */
static void fail_as_odd(linpred__stored *stored, const linpred__block *rows)
{
    int32_t r = 0;
    while (r + 1 < rows->rows) {
        linpred__entries entries = linpred__entries_of(rows, r);
        if (!linpred__all_finite(entries.values, (size_t)entries.count))
            break;
        r++;
    }
    linpred__stored_fail(stored, linpred__stored_file_of(&stored->all, rows->first_row + r),
                         LINPRED__STORED_NOT_FINITE);
}

void linpred__look_at(const linpred__stored *stored, const linpred__block *rows)
{
    linpred__first_look *look = stored->look;
    bool broken = look && atomic_load(&stored->failure) == LINPRED__STORED_NOT_FINITE;
    if (!look || (atomic_load(&look->left) == 0 && !broken))
        return;
    const linpred_data *data = look->data;
    int64_t end = rows->first_row + rows->rows, i = (rows->first_row + data->block_rows - 1) / data->block_rows;
    bool sparse = rows->layout == LINPRED__SPARSE;
    /* The values are in a buffer of whoever read them, which is not constant. */
    double *values = (double *)rows->values;
    int64_t first = sparse ? rows->start[0] : 0,
            count = (sparse ? rows->start[rows->rows] : rows->rows * (int64_t)data->columns) - first;
    bool finite = linpred__all_finite(values + first, (size_t)count);
    if (!finite)
        fail_as_odd(look->data->stored, rows);
    for (; i < data->blocks && data->block[i].first_row + data->block[i].rows <= end; i++) {
        if (atomic_exchange(&look->claimed[i], 1))
            continue;
        const linpred__block *block = &data->block[i];
        sum_pieces(&stored->all, rows, (linpred__share){block->first_row, block->first_row + block->rows}, keep_piece,
                   &(struct piece_list){look, i});
        if (look->needs && finite)
            note_needs_of(look, rows, block->first_row - rows->first_row, block->rows);
        if (atomic_fetch_sub(&look->left, 1) == 1)
            compare_sums(look);
    }
    if (!finite) /* nobody computes with them */
        memset(values + first, 0, (size_t)count * sizeof *values);
}

/* ---- a look at once ---------------------------------------------------------------------------------------------- */

/* The state of a pass: of each file, the sums of the entries that were visited, which follow one another. */
struct looked_file {
    piece_sums sums;
    int64_t entries;
    int64_t odd; /* blocks with a number that is not finite */
};

static void append_piece(void *context, int64_t file, const piece_sums *sums, int64_t entries)
{
    struct looked_file *looked = (struct looked_file *)context + file;
    append_sums(&looked->sums, sums, entries);
    looked->entries += entries;
}

static void look_at_block(void *context, void *state, const linpred__block *block)
{
    const linpred__stored_files *all = context;
    struct looked_file *looked = state;
    int64_t first = block->layout == LINPRED__SPARSE ? block->start[0] : 0;
    int64_t entries = linpred__values_between(all, block->first_row, block->first_row + block->rows);
    looked[0].odd += !linpred__all_finite(block->values + first, (size_t)entries);
    sum_pieces(all, block, (linpred__share){block->first_row, block->first_row + block->rows}, append_piece, looked);
}

static void merge_looks(void *context, void *into, const void *from)
{
    const linpred__stored_files *all = context;
    struct looked_file *looked = into;
    const struct looked_file *next = from;
    looked[0].odd += next[0].odd;
    for (int64_t i = 0; i < all->files; i++)
        append_piece(looked, i, &next[i].sums, next[i].entries);
}

linpred_status linpred__look_now(const linpred_data *data, linpred__pool *pool, bool *finite, linpred_error *error)
{
    linpred__stored *stored = data->stored;
    linpred__stored_files *all = &stored->all;
    struct looked_file *looked = linpred__calloc((size_t)all->files, sizeof *looked);
    linpred__visitor visitor = {.state_bytes = (size_t)all->files * sizeof *looked,
                                .block = look_at_block,
                                .merge = merge_looks,
                                .context = all,
                                .pieces = linpred__whole_state};
    linpred_status status =
        looked ? linpred__pass_all(data, pool, &visitor, (void *[]){looked}, 1, linpred__cut_small(data), error)
               : linpred__no_memory(error);
    for (int64_t i = 0; status == LINPRED_OK && i < all->files; i++)
        compare_file(stored, i, &looked[i].sums);
    *finite = status == LINPRED_OK && looked[0].odd == 0;
    linpred__release(looked);
    return status == LINPRED_OK ? linpred__stored_check(data, error) : status;
}
