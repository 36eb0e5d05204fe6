/* Reads chunks: the dictionary, if there is one, then page after page in batches of values.
 *
 * Neighbouring columns are read side by side, a batch of rows of each in turn, because their cells are neighbours in
 * the rows of the table: what one column brings into the cache is there for the others.
 */
#include "table/parquet/chunk.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

/* Memory that a buffer of the pages or of the values grows in. */
typedef struct buffer {
    unsigned char *bytes;
    size_t capacity;
} buffer;

struct linpred__parquet_desk {
    buffer page[LINPRED__PARQUET_COLUMNS]; /* a page of each column, unpacked */
    buffer text[LINPRED__PARQUET_COLUMNS]; /* values of a batch that do not lie in the page as they are */
    /* A batch, of one column after the other. */
    linpred__parquet_batch batch;
    double cells[LINPRED__PARQUET_BATCH];
    unsigned char oddity[LINPRED__PARQUET_BATCH];
    uint32_t present[LINPRED__PARQUET_BATCH]; /* definition levels: 1 if the value is there */
};

/* The work on one chunk. */
typedef struct work {
    const linpred__parquet_column *column;
    linpred__table *table;
    int32_t number;  /* of the column */
    int64_t row;     /* 0-based row of the file that comes next */
    int64_t row_end; /* of the row group */
    linpred__parquet_pages pages;
    int64_t page_left;    /* rows of the page that are not read yet */
    linpred__runs levels; /* its definition levels */
    linpred__parquet_values values;
    linpred__parquet_desk *desk;
    double *entry; /* the dictionary, as cells */
    unsigned char *entry_oddity;
    int64_t entries; /* -1: there is no dictionary yet */
    linpred__parquet_chunk *chunk;
} work;

static const linpred__parquet_place *place_of(const linpred__parquet_file *file, int64_t group, int32_t column)
{
    return &file->footer.place[group * file->footer.leaves + file->footer.column[column].leaf];
}

static bool is_data(const linpred__parquet_page *page)
{
    return page->kind == LINPRED__PAGE_DATA || page->kind == LINPRED__PAGE_DATA_2;
}

void linpred__parquet_chunk_scan(const linpred__parquet_file *file, int64_t group, int32_t column,
                                 linpred__parquet_chunk *chunk)
{
    linpred__parquet_pages pages;
    linpred__parquet_page page;
    const linpred__parquet_column *about = &file->footer.column[column];
    int64_t left = file->footer.group[group].rows;
    linpred__parquet_pages_open(file, place_of(file, group, column), about->optional, &pages);
    while (left > 0 && linpred__parquet_pages_next(&pages, &page)) {
        if (!is_data(&page))
            continue;
        left -= page.values;
        if (!linpred__parquet_encoding_known(about->type, page.encoding))
            chunk->unknown_encoding = true;
    }
    chunk->wrong = pages.wrong;
    if (!chunk->wrong && left != 0)
        chunk->wrong = "its pages have not as many values as the row group has rows";
    chunk->wrong_at = pages.at;
}

static bool unpack_page(work *w, linpred__parquet_page *page)
{
    bool done = linpred__parquet_page_unpack(&w->pages, page);
    w->chunk->no_memory = !done && !w->pages.wrong;
    return done;
}

/* ---- the dictionary ---------------------------------------------------------------------------------------------- */

static bool read_dictionary(work *w, linpred__parquet_page *page)
{
    bool odd = false;
    if (w->entries >= 0 || page->values > page->unpacked_bytes ||
        (page->encoding != LINPRED__ENCODING_PLAIN && page->encoding != LINPRED__ENCODING_PLAIN_DICTIONARY)) {
        w->pages.wrong = "its dictionary is damaged";
        return false;
    }
    if (!unpack_page(w, page) || !linpred__parquet_values_open(&w->values, w->column, page))
        return false;
    w->entry = linpred__alloc((size_t)page->values + 1, sizeof *w->entry);
    w->entry_oddity = linpred__calloc((size_t)page->values + 1, 1);
    w->chunk->no_memory = !w->entry || !w->entry_oddity;
    for (int64_t i = 0, now; !w->chunk->no_memory && i < page->values; i += now) {
        now = page->values - i < LINPRED__PARQUET_BATCH ? page->values - i : LINPRED__PARQUET_BATCH;
        if (!linpred__parquet_values_next(&w->values, now, &w->desk->batch))
            return false;
        w->chunk->no_memory = !linpred__parquet_cells(w->column, &w->desk->batch, now, &w->chunk->levels, w->entry + i,
                                                      w->entry_oddity + i, &odd);
    }
    w->entries = page->values;
    return !w->chunk->no_memory;
}

static bool look_up(work *w, int64_t count, bool *odd)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t entry = w->desk->batch.entry[i];
        if (entry >= w->entries)
            return false;
        w->desk->cells[i] = w->entry[entry];
        w->desk->oddity[i] = w->entry_oddity[entry];
        *odd = *odd || w->desk->oddity[i] != LINPRED__ODD_NONE;
    }
    return true;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static void note_missing(linpred__parquet_chunk *chunk, int64_t row)
{
    if (chunk->missing++ == 0)
        chunk->first_missing = row;
}

static void note_oddity(linpred__parquet_chunk *chunk, linpred__oddity oddity, int64_t row)
{
    if (oddity == LINPRED__ODD_ABSENT) {
        note_missing(chunk, row);
    } else if (oddity == LINPRED__ODD_ALTERED) {
        if (chunk->altered++ == 0)
            chunk->first_altered = row;
    } else if (oddity >= LINPRED__ODD_INFINITE && chunk->refused == 0) {
        chunk->refused = row;
        chunk->oddity = oddity;
    }
}

/* Writes the cells of `rows` rows into the table. `present` is NULL if all are there. */
static void store_cells(work *w, const double *cells, int64_t rows, const uint32_t *present, bool odd)
{
    linpred__table *table = w->table;
    int64_t taken = 0, columns = table->columns;
    while (rows > 0) {
        int64_t at = w->row % table->block_rows, left = table->block_rows - at;
        int64_t now = rows < left ? rows : left;
        double *to = table->block[w->row / table->block_rows].values + at * columns + w->number;
        bool plain = !present && !odd;
        for (int64_t i = 0; plain && i < now; i++, to += columns)
            *to = cells[taken++];
        for (int64_t i = 0; !plain && i < now; i++, to += columns) {
            if (present && !present[i]) {
                *to = NAN;
                note_missing(w->chunk, w->row + i + 1);
                continue;
            }
            if (odd && w->desk->oddity[taken] != LINPRED__ODD_NONE)
                note_oddity(w->chunk, (linpred__oddity)w->desk->oddity[taken], w->row + i + 1);
            *to = cells[taken++];
        }
        present = present ? present + now : NULL;
        w->row += now;
        rows -= now;
    }
}

/* Reads one batch of rows of a page. */
static bool read_batch(work *w, int64_t rows)
{
    int64_t count = rows;
    bool odd = false;
    if (w->column->optional) {
        if (!linpred__runs_next(&w->levels, rows, w->desk->present))
            return false;
        count = 0;
        for (int64_t i = 0; i < rows; i++) {
            if (w->desk->present[i] > 1)
                return false;
            count += w->desk->present[i];
        }
    }
    if (!linpred__parquet_values_next(&w->values, count, &w->desk->batch)) {
        w->chunk->no_memory = w->values.no_memory;
        return false;
    }
    double *cells = w->desk->cells;
    if (w->values.by_dictionary) {
        if (!look_up(w, count, &odd))
            return false;
    } else {
        if (w->column->meaning == LINPRED__PARQUET_REAL && !w->column->as_text)
            cells = w->desk->batch.real; /* they are cells already */
        w->chunk->no_memory =
            !linpred__parquet_cells(w->column, &w->desk->batch, count, &w->chunk->levels, cells, w->desk->oddity, &odd);
    }
    if (w->chunk->no_memory)
        return false;
    store_cells(w, cells, rows, count < rows ? w->desk->present : NULL, odd);
    return true;
}

/* Goes to the next page. */
static bool open_page(work *w)
{
    linpred__parquet_page page;
    const unsigned char *data = w->pages.file->data;
    if (!linpred__parquet_pages_next(&w->pages, &page))
        return false;
    w->chunk->wrong_at = page.body - data;
    if (page.kind == LINPRED__PAGE_DICTIONARY)
        return read_dictionary(w, &page);
    if (!is_data(&page))
        return true;
    if (page.values > w->row_end - w->row || !linpred__parquet_encoding_known(w->column->type, page.encoding) ||
        !unpack_page(w, &page) || !linpred__parquet_values_open(&w->values, w->column, &page))
        return false;
    linpred__runs_open(page.levels, page.levels_end, 1, &w->levels);
    w->page_left = page.values;
    return true;
}

/* Reads rows up to the 0-based row `until`. */
static void read_up_to(work *w, int64_t until)
{
    bool right = true;
    while (right && w->row < until) {
        int64_t rows = until - w->row < w->page_left ? until - w->row : w->page_left;
        right = rows == 0 ? open_page(w) : read_batch(w, rows);
        w->page_left -= rows;
    }
    if (!right && !w->chunk->no_memory)
        w->chunk->wrong = w->pages.wrong ? w->pages.wrong : "the values of a page are damaged";
}

linpred__parquet_desk *linpred__parquet_desk_new(void)
{
    return linpred__calloc(1, sizeof(linpred__parquet_desk));
}

void linpred__parquet_desk_free(linpred__parquet_desk *desk)
{
    for (int i = 0; desk && i < LINPRED__PARQUET_COLUMNS; i++) {
        linpred__release(desk->page[i].bytes);
        linpred__release(desk->text[i].bytes);
    }
    linpred__release(desk);
}

static void open_chunk(const linpred__parquet_file *file, int64_t group, int32_t column, linpred__table *table, work *w)
{
    const linpred__parquet_group *rows = &file->footer.group[group];
    int32_t slot = column % LINPRED__PARQUET_COLUMNS;
    w->column = &file->footer.column[column];
    w->table = table;
    w->number = column;
    w->row = rows->first_row;
    w->row_end = rows->first_row + rows->rows;
    w->entries = -1;
    linpred__parquet_pages_open(file, place_of(file, group, column), w->column->optional, &w->pages);
    w->pages.unpacked = w->desk->page[slot].bytes;
    w->pages.unpacked_capacity = w->desk->page[slot].capacity;
    w->values.text = w->desk->text[slot].bytes;
    w->values.text_capacity = w->desk->text[slot].capacity;
}

/* Gives the memory of pages and values back to the desk. */
static void close_chunk(work *w)
{
    int32_t slot = w->number % LINPRED__PARQUET_COLUMNS;
    w->desk->page[slot] = (buffer){w->pages.unpacked, w->pages.unpacked_capacity};
    w->desk->text[slot] = (buffer){w->values.text, w->values.text_capacity};
    linpred__release(w->entry);
    linpred__release(w->entry_oddity);
}

void linpred__parquet_chunks_read(const linpred__parquet_file *file, int64_t group, int32_t first,
                                  linpred__table *table, linpred__parquet_chunk *chunks, linpred__parquet_desk *desk)
{
    const linpred__parquet_group *rows = &file->footer.group[group];
    work all[LINPRED__PARQUET_COLUMNS] = {0};
    int32_t count = 0, end = first + LINPRED__PARQUET_COLUMNS;
    for (int32_t c = first; c < end && c < table->columns; c++) {
        if (!file->footer.column[c].wanted)
            continue;
        all[count].desk = desk;
        all[count].chunk = &chunks[c];
        open_chunk(file, group, c, table, &all[count++]);
    }
    for (int64_t done = 0; done < rows->rows; done += LINPRED__PARQUET_BATCH) {
        int64_t left = rows->rows - done, now = left < LINPRED__PARQUET_BATCH ? left : LINPRED__PARQUET_BATCH;
        for (int32_t i = 0; i < count; i++)
            if (!all[i].chunk->wrong && !all[i].chunk->no_memory)
                read_up_to(&all[i], rows->first_row + done + now);
    }
    for (int32_t i = 0; i < count; i++)
        close_chunk(&all[i]);
}
