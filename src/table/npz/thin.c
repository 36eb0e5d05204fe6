/* A table of the columns of archives that are not features: the weights, then the target. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/checksum.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/files/files.h"
#include "table/npz/archives.h"

/* A column of the table that takes the numbers of an archive. */
struct thin_column {
    linpred__table *thin;
    int32_t column;
    int64_t first_row;     /* of the archive */
    int32_t levels;        /* of a text column of the archive; -1: it holds numbers */
    const int32_t *number; /* the number of each of its levels among those of all archives; NULL: the same */
    atomic_bool odd;       /* a number is missing, or no level */
};

static void take_cells(void *context, int64_t first, const double *numbers, int64_t count)
{
    struct thin_column *to = context;
    linpred__table *thin = to->thin;
    bool odd = !linpred__all_finite(numbers, (size_t)count), text = to->levels >= 0;
    for (int64_t i = 0, run; i < count; i += run) { /* rows of one block */
        int64_t row = to->first_row + first + i, left = thin->block_rows - row % thin->block_rows;
        double *cell = linpred__table_cell(thin, row, to->column);
        run = left < count - i ? left : count - i;
        for (int64_t k = 0; k < run; k++) {
            double x = cell[k * thin->columns] = numbers[i + k];
            odd = odd | (text && !(x >= 0.0 && x < to->levels && x == floor(x)));
        }
        for (int64_t k = 0; to->number && !odd && k < run; k++)
            cell[k * thin->columns] = to->number[(int64_t)numbers[i + k]];
    }
    if (odd)
        atomic_store(&to->odd, true);
}

/* Finds the levels of an archive among those of all. Sets *number, unless they are the same. */
static linpred_status number_archive_levels(const linpred__column *all, const linpred__column *own, int32_t **number,
                                            linpred_error *error)
{
    linpred__dictionary levels = {0};
    *number = own ? linpred__alloc((size_t)own->levels + 1, sizeof **number) : NULL;
    bool whole =
        !own || (*number && linpred__list_levels(all, &levels, NULL) && linpred__list_levels(own, &levels, *number));
    linpred__dictionary_free(&levels);
    return whole ? LINPRED_OK : linpred__no_memory(error);
}

/* Reads column `from` of the head into a column of the table. Fails and sets *missing if a number is missing. */
static linpred_status read_column(const linpred__archives *archives, const char *name, int32_t from,
                                  linpred__pool *pool, struct thin_column *to, bool *missing, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    const linpred__column *column = &archives->head->column[from];
    bool text = column->type == LINPRED_COLUMN_TEXT;
    for (int64_t i = 0; i < archives->count && status == LINPRED_OK; i++) {
        const linpred__archive *archive = &archives->archive[i];
        const linpred__column *own = text && archive->head ? &archive->head->column[from] : NULL;
        int32_t *number;
        status = number_archive_levels(column, own, &number, error);
        to->first_row = archive->first_row;
        to->levels = !text ? -1 : own ? own->levels : column->levels;
        to->number = number;
        if (status == LINPRED_OK)
            status = linpred__archive_numbers(archives, i, name, pool, take_cells, to, error);
        linpred__release(number);
    }
    if (status == LINPRED_OK && atomic_load(&to->odd)) {
        *missing = true;
        status = LINPRED_ERROR_MEMORY;
    }
    return status;
}

/* Copies why a column is text although it holds numbers. */
static bool copy_odd(const linpred__column *from, linpred__column *to)
{
    to->odd_line = from->odd_line;
    to->odd = from->odd ? linpred__copy_text(from->odd, strlen(from->odd)) : NULL;
    to->own_why = from->odd_why ? linpred__copy_text(from->odd_why, strlen(from->odd_why)) : NULL;
    to->odd_why = to->own_why;
    return (to->odd || !from->odd) && (to->own_why || !from->odd_why);
}

/* Copies what the head says of a column. */
static bool copy_column(const linpred__column *from, linpred__column *to)
{
    *to = (linpred__column){.use = from->use, .type = from->type, .long_numbers = from->long_numbers};
    if (!copy_odd(from, to))
        return false;
    to->name = linpred__copy_text(from->name, strlen(from->name));
    to->level = from->levels > 0 ? linpred__calloc((size_t)from->levels, sizeof *to->level) : NULL;
    for (int32_t i = 0; to->level && i < from->levels; i++, to->levels++) {
        to->level[i] = linpred__copy_text(from->level[i], strlen(from->level[i]));
        if (!to->level[i])
            return false;
    }
    return to->name && (to->level || from->levels == 0);
}

/* Copies where the files begin, for messages. */
static bool copy_files(const linpred__table *from, linpred__table *to)
{
    to->file = from->files > 0 ? linpred__calloc((size_t)from->files, sizeof *to->file) : NULL;
    for (; to->file && to->files < from->files; to->files++) {
        const linpred__table_file *file = &from->file[to->files];
        linpred__table_file *made = &to->file[to->files];
        made->first_row = file->first_row;
        made->first_line = file->first_line;
        made->name = linpred__copy_text(file->name, strlen(file->name));
        if (!made->name || !linpred__append_row_lines(&made->row_lines, &file->row_lines, 0, 0))
            return false;
    }
    return to->file || from->files == 0;
}

/* Makes the rows of the table, which follow one another in memory. They are zeros if no column is read into them. */
static bool add_rows_to_fill(linpred__table *thin, bool zeros)
{
    int64_t blocks = (thin->rows - 1) / thin->block_rows + 1;
    size_t row_bytes = (size_t)thin->columns * sizeof(double);
    thin->in_a_row = linpred__table_alloc(thin, (size_t)thin->rows, row_bytes);
    thin->block = linpred__calloc((size_t)blocks, sizeof *thin->block);
    if (!thin->block || !thin->in_a_row)
        return false;
    if (zeros)
        memset(thin->in_a_row, 0, (size_t)thin->rows * row_bytes);
    for (; thin->blocks < blocks; thin->blocks++) {
        int64_t first = thin->blocks * thin->block_rows, left = thin->rows - first;
        thin->block[thin->blocks] =
            (linpred__table_block){.rows = left < thin->block_rows ? (int32_t)left : thin->block_rows,
                                   .values = thin->in_a_row + first * thin->columns};
    }
    return true;
}

linpred_status linpred__archives_thin(const linpred__archives *archives, const linpred__roles *roles,
                                      linpred__pool *pool, bool *missing, linpred__table **out, linpred_error *error)
{
    const linpred__table *head = archives->head;
    bool weights = roles->weights >= 0, target = roles->target >= 0;
    linpred__table *thin = linpred__calloc(1, sizeof *thin);
    if (!thin)
        return linpred__no_memory(error);
    *thin = (linpred__table){.layout = LINPRED__DENSE,
                             .rows = head->rows,
                             .block_rows = head->block_rows,
                             .decimal = head->decimal,
                             .index_base = -1,
                             .row_names = -1,
                             .weights = -1,
                             .lines_are_rows = true,
                             .first_row_line = 1,
                             .has_names = true};
    memcpy(thin->note, head->note, sizeof thin->note);
    thin->notes = head->notes;
    thin->columns = weights + target > 0 ? weights + target : 1;
    thin->name = linpred__copy_text(head->name, strlen(head->name));
    thin->column = linpred__calloc((size_t)thin->columns, sizeof *thin->column);
    bool ready = thin->name && thin->column && copy_files(head, thin) && add_rows_to_fill(thin, !weights && !target);
    if (ready && weights)
        ready = copy_column(&head->column[roles->weights], &thin->column[0]);
    if (ready && target)
        ready = copy_column(&head->column[roles->target], &thin->column[weights]);
    linpred_status status = ready ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && weights)
        status =
            read_column(archives, "weights", roles->weights, pool, &(struct thin_column){.thin = thin}, missing, error);
    if (status == LINPRED_OK && target)
        status = read_column(archives, "target", roles->target, pool,
                             &(struct thin_column){.thin = thin, .column = weights}, missing, error);
    if (status != LINPRED_OK) {
        linpred__table_free(thin);
        return status;
    }
    *out = thin;
    return LINPRED_OK;
}
