/* What the bytes of files become: dense rows, sparse rows, and rows that are made from others. What cannot be read
 * becomes zeros, or rows without entries. */
#include "data/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"

enum { FOLIO_BYTES = 2 << 20 }; /* the cache of Linux has pieces of up to 2 MB */

void linpred__rows_held_clear(linpred__rows_held *held)
{
    if (held->under)
        linpred__rows_held_clear(held->under);
    linpred__release(held->under);
    linpred__release(held->own_values);
    linpred__release(held->start);
    linpred__release(held->own_indices);
    *held = (linpred__rows_held){0};
}

bool linpred__rows_held_grow(linpred__rows_held *held, int64_t values, int64_t sparse_rows)
{
    if (!linpred__grow(&held->own_values, &held->value_capacity, (size_t)values + 1, sizeof *held->values) ||
        (sparse_rows >= 0 &&
         !(linpred__grow(&held->start, &held->start_capacity, (size_t)sparse_rows + 1, sizeof *held->start) &&
           linpred__grow(&held->own_indices, &held->index_capacity, (size_t)values + 1, sizeof *held->indices))))
        return false;
    held->values = held->own_values;
    held->indices = held->own_indices;
    return true;
}

void linpred__stored_fail(linpred__stored *stored, int64_t file, int failure)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&stored->failure, &none, failure))
        atomic_store(&stored->failed, file);
}

int64_t linpred__stored_file_of(const linpred__stored_files *all, int64_t row)
{
    int64_t low = 0, high = all->files - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (all->file[middle].first_row <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int64_t linpred__values_between(const linpred__stored_files *all, int64_t first, int64_t end)
{
    return all->start ? all->start[end] - all->start[first] : (end - first) * all->columns;
}

/* Pages of the cache that nobody wants again must make room for others. To look for such pages is slower for the
   system than to be told. A piece of the cache goes as a whole, so the one in which the range begins goes now. */
static void drop_pages(int descriptor, uint64_t at, size_t bytes)
{
    uint64_t before = at < FOLIO_BYTES ? at : FOLIO_BYTES;
    (void)posix_fadvise(descriptor, (off_t)(at - before), (off_t)(bytes + before), POSIX_FADV_DONTNEED);
}

/* Some rows that follow one another in one file. */
typedef struct file_run {
    int64_t file;
    int64_t row; /* the first of them, in the file */
    int64_t rows;
} file_run;

/* Those of the rows from `first` on, at most `rows`, that lie in one file. */
static file_run run_in_file(const linpred__stored_files *all, int64_t first, int64_t rows)
{
    int64_t i = linpred__stored_file_of(all, first), row = first - all->file[i].first_row;
    int64_t left = all->file[i].rows - row;
    return (file_run){i, row, left < rows ? left : rows};
}

/* Some bytes of a file, and where they go. */
typedef struct file_bytes {
    int64_t file;
    uint64_t at;
    size_t bytes;
    void *items;
} file_bytes;

/* The first items of a room may be written with what stands beside them in the file. */
static bool are_first_of_room(const linpred__rows_held *held, const void *items)
{
    return held->room && (items == held->values || items == held->indices);
}

static void read_bytes(linpred__stored *stored, const linpred__rows_held *held, const file_bytes *wanted)
{
    const linpred__stored_file *from = &stored->all.file[wanted->file];
    int descriptor = held->alone && from->single >= 0 ? from->single : from->descriptor;
    size_t done = held->once && are_first_of_room(held, wanted->items)
                      ? linpred__direct_read(from->direct, wanted->at, wanted->bytes, wanted->items)
                      : 0;
    uint64_t at = wanted->at + done;
    size_t left = wanted->bytes - done;
    while (done < wanted->bytes) {
        ssize_t got = pread(descriptor, (char *)wanted->items + done, wanted->bytes - done, (off_t)(wanted->at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            linpred__stored_fail(stored, wanted->file, got < 0 ? errno : LINPRED__STORED_CHANGED);
            memset((char *)wanted->items + done, 0, wanted->bytes - done);
            return;
        }
        done += (size_t)got;
    }
    if (held->once && left > 0)
        drop_pages(descriptor, at, left);
}

/* Where the entries of a row of a file begin, counted in those of the file. */
static uint64_t first_entry(const linpred__stored_files *all, const file_run *run)
{
    int64_t first = all->file[run->file].first_row;
    return all->start ? (uint64_t)(all->start[first + run->row] - all->start[first])
                      : (uint64_t)run->row * (uint64_t)all->columns;
}

static file_bytes value_bytes(const linpred__stored_files *all, const file_run *run, int64_t entries, double *items)
{
    uint64_t at = all->file[run->file].values + first_entry(all, run) * sizeof *items;
    return (file_bytes){run->file, at, (size_t)entries * sizeof *items, items};
}

static file_bytes index_bytes(const linpred__stored_files *all, const file_run *run, int64_t entries, int32_t *items)
{
    uint64_t at = all->file[run->file].indices + first_entry(all, run) * sizeof *items;
    return (file_bytes){run->file, at, (size_t)entries * sizeof *items, items};
}

static void read_dense_rows(linpred__stored *stored, int64_t first, int64_t rows, linpred__rows_held *held)
{
    const linpred__stored_files *all = &stored->all;
    for (int64_t done = 0; done < rows;) {
        file_run run = run_in_file(all, first + done, rows - done);
        file_bytes values = value_bytes(all, &run, run.rows * all->columns, held->values + done * all->columns);
        read_bytes(stored, held, &values);
        done += run.rows;
    }
}

/* Whether the columns of the entries ascend within each row and are some. Loops write where an index says, so that a
   file that was changed must not lead them astray. */
static bool columns_ascend(const linpred__rows_held *held, int64_t first, int64_t rows, int32_t columns)
{
    bool right = true;
    for (int64_t r = first; r < first + rows; r++) {
        int32_t last = -1;
        for (int64_t k = held->start[r]; k < held->start[r + 1]; k++) {
            right = right && held->indices[k] > last;
            last = held->indices[k];
        }
        right = right && last < columns;
    }
    return right;
}

static void read_sparse_rows(linpred__stored *stored, int64_t first, int64_t rows, linpred__rows_held *held)
{
    const linpred__stored_files *all = &stored->all;
    const int64_t *start = all->start + first;
    bool right = true;
    for (int64_t i = 0; i <= rows; i++)
        held->start[i] = start[i] - start[0];
    for (int64_t row = 0; row < rows;) {
        file_run run = run_in_file(all, first + row, rows - row);
        int64_t to = held->start[row], entries = held->start[row + run.rows] - to;
        file_bytes values = value_bytes(all, &run, entries, held->values + to);
        file_bytes indices = index_bytes(all, &run, entries, held->indices + to);
        read_bytes(stored, held, &values);
        read_bytes(stored, held, &indices);
        if (!columns_ascend(held, row, run.rows, all->columns)) {
            linpred__stored_fail(stored, run.file, LINPRED__STORED_CHANGED);
            right = false;
        }
        row += run.rows;
    }
    if (!right)
        memset(held->start, 0, (size_t)(rows + 1) * sizeof *held->start);
}

/* Makes rows of those that they are made from; false if memory ran out. */
static bool make_rows(const linpred__stored_view *view, int64_t first, int64_t rows, linpred__rows_held *held)
{
    if (!held->under && (held->under = linpred__calloc(1, sizeof *held->under)) == NULL)
        return false;
    const linpred__block *like = &view->under->block[0];
    linpred__block from = *like, made;
    from.first_row = first;
    from.rows = (int32_t)rows;
    from.target = like->target ? like->target + (first - like->first_row) : NULL;
    from.weight = like->weight ? like->weight + (first - like->first_row) : NULL;
    held->under->alone = held->alone;
    held->under->once = held->once;
    held->under->room = held->room;
    linpred__stored_read(view->under, &from, 1, held->under, &made);
    bool sparse = view->layout == LINPRED__SPARSE;
    int64_t entries = sparse ? made.start[made.rows] : rows * view->columns;
    if (made.rows != rows || !linpred__rows_held_grow(held, entries, sparse ? rows : -1))
        return false;
    if (view->make)
        view->make(view->context, &made, held->values);
    else
        memcpy(held->values, made.values, (size_t)entries * sizeof *held->values);
    if (sparse)
        memcpy(held->start, made.start, (size_t)(rows + 1) * sizeof *held->start);
    for (int64_t k = 0; sparse && k < entries; k++)
        held->indices[k] = view->new_index ? view->new_index[made.indices[k]] : made.indices[k];
    return true;
}

/* Finds a place for rows of files in the room that was given. */
static void use_room(const linpred__stored_files *all, int64_t first, int64_t rows, linpred__rows_held *held)
{
    file_run run = run_in_file(all, first, rows);
    int64_t entries = linpred__values_between(all, first, first + rows);
    file_bytes values = value_bytes(all, &run, entries, NULL), indices = index_bytes(all, &run, entries, NULL);
    held->values = linpred__room_place(held->room, values.at, sizeof *held->values);
    if (all->start)
        held->indices = linpred__room_place(held->room + linpred__room_bytes(values.at, values.bytes), indices.at,
                                            sizeof *held->indices);
}

/* Reads rows first … first + rows - 1 of the data; false if memory ran out. */
static bool fetch_rows(const linpred_data *data, int64_t first, int64_t rows, linpred__rows_held *held)
{
    linpred__stored *stored = data->stored;
    if (stored->view.under)
        return make_rows(&stored->view, first, rows, held);
    bool sparse = data->layout == LINPRED__SPARSE;
    int64_t values = held->room ? 0 : linpred__values_between(&stored->all, first, first + rows);
    if (!linpred__rows_held_grow(held, values, sparse ? rows : -1))
        return false;
    if (held->room)
        use_room(&stored->all, first, rows, held);
    (sparse ? read_sparse_rows : read_dense_rows)(stored, first, rows, held);
    return true;
}

void linpred__stored_read(const linpred_data *data, const linpred__block *from, int64_t blocks,
                          linpred__rows_held *held, linpred__block *made)
{
    static const double zero = 0.0;
    static const int64_t no_entries[2] = {0, 0};
    static const int32_t no_index = 0;
    int64_t first = from[0].first_row, rows = from[blocks - 1].first_row + from[blocks - 1].rows - first;
    bool read = fetch_rows(data, first, rows, held);
    if (!read)
        linpred__stored_fail(data->stored, 0, LINPRED__STORED_NO_MEMORY);
    for (int64_t i = 0; i < blocks; i++) {
        int64_t before = from[i].first_row - first;
        made[i] = from[i];
        if (!read) { /* no rows, or one without entries: nobody trusts the data from now on */
            made[i].rows = made[i].columns = 0;
            made[i].values = &zero;
            made[i].start = no_entries;
            made[i].indices = &no_index;
        } else if (data->layout == LINPRED__DENSE) {
            made[i].values = held->values + before * data->columns;
            made[i].stride = data->columns;
        } else {
            made[i].values = held->values;
            made[i].start = held->start + before;
            made[i].indices = held->indices;
        }
        if (read && !held->later)
            linpred__look_at(data->stored, &made[i]);
    }
}

static void announce_bytes(const linpred__stored_files *all, const file_bytes *soon)
{
    (void)posix_fadvise(all->file[soon->file].descriptor, (off_t)soon->at, (off_t)soon->bytes, POSIX_FADV_WILLNEED);
}

/* The files that hold rows, which may be made from theirs. */
static const linpred__stored_files *files_of(const linpred_data *data)
{
    const linpred__stored *stored = data->stored;
    while (stored->view.under)
        stored = stored->view.under->stored;
    return &stored->all;
}

void linpred__stored_announce(const linpred_data *data, int64_t first_row, int64_t rows)
{
    const linpred__stored_files *all = files_of(data);
    file_run run = run_in_file(all, first_row, rows); /* those of one file */
    int64_t entries = linpred__values_between(all, first_row, first_row + run.rows);
    file_bytes values = value_bytes(all, &run, entries, NULL), indices = index_bytes(all, &run, entries, NULL);
    announce_bytes(all, &values);
    if (all->start)
        announce_bytes(all, &indices);
}

size_t linpred__stored_room(const linpred_data *data, int64_t first_row, int64_t rows)
{
    const uint64_t anywhere = UINT64_MAX; /* the last byte of a sector: the most stands beside what begins there */
    const linpred__stored_files *all = files_of(data);
    size_t values = (size_t)linpred__values_between(all, first_row, first_row + rows);
    return linpred__room_bytes(anywhere, values * sizeof(double)) +
           (all->start ? linpred__room_bytes(anywhere, values * sizeof(int32_t)) : 0);
}

double linpred__stored_row_bytes(const linpred_data *data)
{
    double entries = (double)data->entries / (data->rows > 0 ? (double)data->rows : 1.0);
    return data->layout == LINPRED__SPARSE ? entries * (sizeof(double) + sizeof(int32_t)) + sizeof(int64_t)
                                           : data->columns * (double)sizeof(double);
}
