/* linpred_inspect: what a data file holds. For each column its type, levels, missing values, range, mean, and whether
 * it is constant or equal to an earlier column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "table/column_notes.h"
#include "table/columns.h"
#include "table/table.h"

struct level_count {
    int32_t level;
    int64_t count;
};

struct column_facts {
    linpred_column_report report;
    uint64_t hash;              /* of all values in the order of rows (sparse: of nonzero values and their rows) */
    struct level_count *levels; /* text columns: levels and how often they occur, in the end sorted by count */
    int64_t seen;               /* numbers, missing values not counted */
    linpred__dd sum;            /* of these numbers */
    int needed;                 /* decimals that the numbers so far need */
    double far_sum;             /* the same times 2^-64, which cannot overflow */
    linpred__warning *odd;      /* the note about a text column that holds numbers too; NULL: there is none */
};

struct linpred_inspection {
    linpred__table *table;
    int32_t columns;            /* those of the table; of a sparse table the label comes first, as one more column */
    struct column_facts *facts; /* one for each column */
    char *names;                /* sparse: "label", "x1", "x2", … in slots of LINPRED__NUMBERED_BYTES */
};

void linpred_inspection_free(linpred_inspection *inspection)
{
    if (!inspection)
        return;
    for (int32_t i = 0; inspection->facts && i < inspection->columns; i++) {
        linpred__release(inspection->facts[i].levels);
        linpred__release(inspection->facts[i].odd);
    }
    linpred__release(inspection->facts);
    linpred__release(inspection->names);
    linpred__table_free(inspection->table);
    linpred__release(inspection);
}

/* ---- gathering --------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    double plain = value + 0.0; /* turns -0 into 0, so that both have the same hash */
    memcpy(&bits, &plain, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static void take_number(struct column_facts *facts, double value)
{
    linpred_column_report *report = &facts->report;
    report->low = value < report->low ? value : report->low;
    report->high = value > report->high ? value : report->high;
    facts->seen++;
    facts->needed = linpred__decimals_needed(value, facts->needed);
    facts->sum = linpred__dd_add_double(facts->sum, value);
    facts->far_sum += value * 0x1p-64;
}

static void take_cell(struct column_facts *facts, double value)
{
    facts->hash = mix(facts->hash, value);
    if (isnan(value))
        return;
    if (facts->levels)
        facts->levels[(int64_t)value].count++;
    else
        take_number(facts, value);
}

/* Sparse rows: only nonzero entries are visited. A column with fewer entries than rows has a 0, which is added to its
   range at the end. */
static void gather_sparse(linpred_inspection *inspection)
{
    const linpred__table *table = inspection->table;
    for (int64_t b = 0; b < table->blocks; b++) {
        const linpred__table_block *block = &table->block[b];
        for (int32_t r = 0; r < block->rows; r++) {
            double row = (double)(b * table->block_rows + r);
            take_cell(&inspection->facts[0], block->target[r]);
            for (int64_t k = block->start[r]; k < block->start[r + 1]; k++) {
                struct column_facts *facts = &inspection->facts[1 + block->indices[k]];
                if (block->values[k] == 0.0)
                    continue;
                facts->hash = mix(mix(facts->hash, row), block->values[k]);
                take_number(facts, block->values[k]);
            }
        }
    }
    for (int32_t i = 1; i < inspection->columns; i++) {
        struct column_facts *facts = &inspection->facts[i];
        if (facts->seen < table->rows) {
            facts->report.low = fmin(facts->report.low, 0.0);
            facts->report.high = fmax(facts->report.high, 0.0);
            facts->seen = table->rows;
        }
    }
}

static void gather_dense(linpred_inspection *inspection)
{
    const linpred__table *table = inspection->table;
    for (int64_t b = 0; b < table->blocks; b++) {
        const linpred__table_block *block = &table->block[b];
        for (int32_t r = 0; r < block->rows; r++)
            for (int32_t i = 0; i < table->columns; i++)
                take_cell(&inspection->facts[i], block->values[(int64_t)r * table->columns + i]);
    }
}

/* Most frequent level first; levels with the same count in the order of first appearance. */
static int by_count(const void *a, const void *b)
{
    const struct level_count *x = a;
    const struct level_count *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : (x->level > y->level) - (x->level < y->level);
}

static int by_hash(const void *a, const void *b)
{
    const struct column_facts *x = *(struct column_facts *const *)a;
    const struct column_facts *y = *(struct column_facts *const *)b;
    return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : (x > y) - (x < y);
}

/* Marks number columns as duplicates if their 64-bit hashes, minima and maxima agree. The values themselves are not
   compared. */
static bool find_duplicates(linpred_inspection *inspection)
{
    struct column_facts **order = linpred__alloc((size_t)inspection->columns, sizeof *order);
    if (!order)
        return false;
    for (int32_t i = 0; i < inspection->columns; i++)
        order[i] = &inspection->facts[i];
    qsort(order, (size_t)inspection->columns, sizeof *order, by_hash);
    for (int32_t i = 1; i < inspection->columns; i++) {
        struct column_facts *a = order[i - 1], *b = order[i];
        bool numbers = a->report.type == LINPRED_COLUMN_NUMBER && b->report.type == LINPRED_COLUMN_NUMBER;
        if (numbers && a->hash == b->hash && a->report.low == b->report.low && a->report.high == b->report.high)
            b->report.duplicate_of =
                a->report.duplicate_of >= 0 ? a->report.duplicate_of : (int32_t)(a - inspection->facts);
    }
    linpred__release(order);
    return true;
}

/* Whole numbers have none, whatever the file is. */
static int32_t decimals_of_column(const linpred__table *table, const struct column_facts *facts)
{
    const linpred_column_report *report = &facts->report;
    bool written = table->decimal && !(table->column && table->column[report->number - 1].long_numbers);
    bool has = linpred__has_decimals(facts->needed, fmax(fabs(report->low), fabs(report->high)));
    return has && (written || facts->needed == 0) ? facts->needed : -1;
}

/* Completes the reports once all rows are visited. */
static void finish_reports(linpred_inspection *inspection)
{
    for (int32_t i = 0; i < inspection->columns; i++) {
        struct column_facts *facts = &inspection->facts[i];
        linpred_column_report *report = &facts->report;
        if (report->type == LINPRED_COLUMN_TEXT) {
            qsort(facts->levels, (size_t)report->distinct, sizeof *facts->levels, by_count);
            report->constant = report->distinct == 1 && report->missing == 0;
        } else if (report->type == LINPRED_COLUMN_NUMBER) {
            report->low += 0.0; /* turns -0 into 0 */
            report->high += 0.0;
            report->mean = isfinite(facts->sum.hi) ? facts->sum.hi / (double)facts->seen
                                                   : ldexp(facts->far_sum / (double)facts->seen, 64);
            report->constant = report->low == report->high;
            report->distinct = report->constant ? 1 : -1;
            report->decimals = decimals_of_column(inspection->table, facts);
        }
        if (report->type != LINPRED_COLUMN_NUMBER)
            report->low = report->high = report->mean = NAN;
    }
}

/* Writes the note about text column i, which holds numbers too; false if out of memory. */
static bool write_odd(struct column_facts *facts, const linpred__table *table, int32_t i)
{
    const linpred__column *column = &table->column[i];
    char excerpt[LINPRED__EXCERPT], at[LINPRED__LINE_TEXT], advice[LINPRED__NA_ADVICE];
    linpred__warning *odd = facts->odd = linpred__calloc(1, sizeof *odd);
    if (!odd)
        return false;
    odd->about = linpred__remark_of(LINPRED__NOTE_READ_AS_TEXT, column->name, 1, column->odd_line);
    snprintf(odd->sentence, sizeof odd->sentence, "%.100s%s: column %d (%.60s) is read as text, because '%s' %s%s",
             table->name, linpred__table_place(table, column->odd_line, at), i + 1, column->name,
             linpred__excerpt(column->odd, strlen(column->odd), excerpt), column->odd_why,
             linpred__na_advice(table, column, advice));
    linpred__mend_utf8(odd->sentence);
    return true;
}

/* Begins the report of column i with what the table knows; false if out of memory. */
static bool begin_report(linpred_inspection *inspection, int32_t i)
{
    const linpred__table *table = inspection->table;
    struct column_facts *facts = &inspection->facts[i];
    facts->report = (linpred_column_report){.type = LINPRED_COLUMN_NUMBER,
                                            .low = INFINITY,
                                            .high = -INFINITY,
                                            .distinct = -1,
                                            .duplicate_of = -1,
                                            .number = table->column ? i + 1 : i};
    if (!table->column) {
        char *slot = inspection->names + (size_t)i * LINPRED__NUMBERED_BYTES;
        if (i == 0)
            strcpy(slot, "label");
        else
            linpred__column_name(table, i - 1, slot);
        facts->report.name = slot;
        return true;
    }
    const linpred__column *column = &table->column[i];
    facts->report.name = column->name;
    facts->report.type = column->type;
    facts->report.missing = column->missing;
    facts->report.refusal = column->refusal;
    if (column->odd && !write_odd(facts, table, i))
        return false;
    if (column->type == LINPRED_COLUMN_TEXT) {
        facts->report.distinct = column->levels;
        facts->levels = linpred__calloc((size_t)column->levels, sizeof *facts->levels);
        for (int32_t k = 0; facts->levels && k < column->levels; k++)
            facts->levels[k].level = k;
    }
    return column->type != LINPRED_COLUMN_TEXT || facts->levels;
}

static bool gather(linpred_inspection *inspection)
{
    const linpred__table *table = inspection->table;
    bool sparse = table->layout == LINPRED__SPARSE;
    inspection->columns = table->columns + sparse;
    inspection->facts = linpred__calloc((size_t)inspection->columns, sizeof *inspection->facts);
    if (sparse)
        inspection->names = linpred__alloc((size_t)inspection->columns, LINPRED__NUMBERED_BYTES);
    if (!inspection->facts || (sparse && !inspection->names))
        return false;
    for (int32_t i = 0; i < inspection->columns; i++)
        if (!begin_report(inspection, i))
            return false;
    if (sparse)
        gather_sparse(inspection);
    else
        gather_dense(inspection);
    finish_reports(inspection);
    return find_duplicates(inspection);
}

linpred_status linpred_inspect(const char *path, const linpred_options *options, linpred_inspection **out,
                               linpred_error *error)
{
    LINPRED__NEEDS(path, options, out);
    linpred__pool *pool;
    linpred_inspection *inspection = linpred__calloc(1, sizeof *inspection);
    if (!inspection)
        return linpred__no_memory(error);
    linpred_status status = linpred__pool_open((int)options->threads, &pool, error);
    if (status == LINPRED_OK) {
        linpred_options reading = *options;
        reading.may_be_empty = true;
        linpred__read_request request = {.options = &reading, .lenient = true};
        status = linpred__table_read(path, &request, pool, &inspection->table, error);
        linpred__pool_close(pool);
    }
    if (status == LINPRED_OK)
        status = linpred__check_empty_columns(inspection->table, "inspect",
                                              sizeof(struct column_facts) + LINPRED__NUMBERED_BYTES, error);
    if (status == LINPRED_OK && !gather(inspection))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred_inspection_free(inspection);
        return linpred__no_memory_when(status, "reading ", path, "inspect the beginning of it, by head", error);
    }
    *out = inspection;
    return LINPRED_OK;
}

/* ---- reading the reports ----------------------------------------------------------------------------------------- */

int64_t linpred_inspection_rows(const linpred_inspection *inspection)
{
    if (!inspection)
        return 0;
    return inspection->table->rows;
}

int32_t linpred_inspection_columns(const linpred_inspection *inspection)
{
    if (!inspection)
        return 0;
    return inspection->columns;
}

const char *linpred_inspection_format(const linpred_inspection *inspection)
{
    if (!inspection)
        return NULL;
    return inspection->table->format;
}

bool linpred_inspection_note(const linpred_inspection *inspection, size_t index, linpred_note *note)
{
    const linpred__table *table = inspection ? inspection->table : NULL;
    if (!table || !note)
        return false;
    if (index < (size_t)table->notes)
        return linpred__remark_fill(&table->note[index].about, table->note[index].sentence, note);
    index -= (size_t)table->notes;
    for (int32_t i = 0; table->column && i < table->columns; i++)
        if (inspection->facts[i].odd && index-- == 0)
            return linpred__remark_fill(&inspection->facts[i].odd->about, inspection->facts[i].odd->sentence, note);
    return false;
}

bool linpred_inspection_column(const linpred_inspection *inspection, int32_t column, linpred_column_report *report)
{
    if (!inspection || !report)
        return false;
    if (column < 0 || column >= inspection->columns)
        return false;
    return linpred__struct_fill(report, &inspection->facts[column].report, sizeof *report);
}

const char *linpred_inspection_level(const linpred_inspection *inspection, int32_t column, int32_t index,
                                     int64_t *count)
{
    if (!inspection)
        return NULL;
    const struct column_facts *facts = &inspection->facts[column];
    if (!facts->levels || index < 0 || index >= facts->report.distinct)
        return NULL;
    *count = facts->levels[index].count;
    return inspection->table->column[column].level[facts->levels[index].level];
}
