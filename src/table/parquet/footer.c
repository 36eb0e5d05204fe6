/* The footer of a Parquet file: … pages …, footer, its length in 4 bytes, "PAR1".
 *
 * Offsets and lengths are compared with the file here; page headers are compared with the footer in reader.c before
 * memory for the rows is allocated. The footer is not trusted with numbers that the file cannot justify: a file may
 * have LINPRED__PARQUET_CELLS cells, and LINPRED__PARQUET_CELLS_A_BYTE more for each of its bytes.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/limits.h"
#include "table/parquet/parquet.h"

static linpred_status damaged_footer(const linpred__parquet_file *file, const unsigned char *at, const char *what,
                                     linpred_error *error)
{
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the Parquet file is damaged: byte %lld: %s", file->name,
                         (long long)(at - file->data), what);
}

/* Finds the footer by the last 8 bytes of the file. */
static linpred_status find_footer(linpred__parquet_file *file, linpred__thrift *footer, linpred_error *error)
{
    const unsigned char *data = file->data, *end = data + file->bytes;
    if (file->bytes < 4 || memcmp(data, "PAR1", 4) != 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: this is not a Parquet file%s", file->name,
                             file->bytes >= 4 && memcmp(data, "PARE", 4) == 0 ? ", or it is encrypted" : "");
    if (file->bytes < 12 || memcmp(end - 4, "PAR1", 4) != 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the Parquet file is cut short: it does not end with PAR1",
                             file->name);
    uint32_t length = (uint32_t)end[-8] | (uint32_t)end[-7] << 8 | (uint32_t)end[-6] << 16 | (uint32_t)end[-5] << 24;
    if (length > file->bytes - 12)
        return damaged_footer(file, end - 8, "the footer is longer than the file", error);
    file->data_end = file->bytes - 8 - (int64_t)length;
    *footer = (linpred__thrift){data + file->data_end, end - 8, false};
    return LINPRED_OK;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Skips `below` elements of the schema and all that is below them; counts those that have values. */
static void skip_elements_below(linpred__thrift *t, int64_t below, int64_t left, int64_t *taken, int32_t *leaves)
{
    for (; below > 0 && !t->damaged; below--) {
        linpred__parquet_column inner;
        int64_t children;
        linpred__parquet_element_read(t, &inner, &children);
        if (++*taken > left || children < 0 || children > left)
            t->damaged = true;
        *leaves += children == 0;
        below += children;
    }
}

static bool read_schema(linpred__parquet_footer *footer, linpred__thrift *t, const linpred__thrift_field *list)
{
    int64_t elements = linpred__thrift_structs(t, list), taken = 1;
    linpred__parquet_column root;
    int64_t children;
    linpred__parquet_element_read(t, &root, &children);
    if (children < 1 || children >= elements || elements > INT32_MAX)
        t->damaged = true;
    for (int64_t i = 0; i < children && !t->damaged; i++) {
        if (!linpred__grow(&footer->column, &footer->column_capacity, (size_t)footer->columns + 1,
                           sizeof *footer->column))
            return false;
        linpred__parquet_column *column = &footer->column[footer->columns++];
        int64_t below;
        linpred__parquet_element_read(t, column, &below);
        column->leaf = footer->leaves;
        if (++taken > elements || below < 0 || below > elements)
            t->damaged = true;
        else if (below == 0)
            footer->leaves++;
        else
            skip_elements_below(t, below, elements, &taken, &footer->leaves);
    }
    t->damaged = t->damaged || taken != elements;
    return true;
}

/* ---- row groups -------------------------------------------------------------------------------------------------- */

static void read_place(linpred__thrift *t, const linpred__thrift_field *of, linpred__parquet_place *place)
{
    int64_t type = -1, codec = -1, bytes = -1, data = -1, dictionary = 0;
    linpred__thrift_field field = {0};
    linpred__thrift_struct(t, of);
    while (linpred__thrift_next(t, &field))
        switch (field.id) {
        case 1:
            type = linpred__thrift_whole(t, &field);
            break;
        case 4:
            codec = linpred__thrift_whole(t, &field);
            break;
        case 7:
            bytes = linpred__thrift_whole(t, &field);
            break;
        case 9:
            data = linpred__thrift_whole(t, &field);
            break;
        case 11:
            dictionary = linpred__thrift_whole(t, &field);
            break;
        default:
            linpred__thrift_skip(t, &field);
        }
    place->offset = dictionary > 0 && dictionary < data ? dictionary : data;
    place->bytes = bytes;
    place->type = type >= 0 && type <= LINPRED__PARQUET_FIXED ? (int32_t)type : -1;
    place->codec = codec >= 0 && codec <= INT16_MAX ? (int32_t)codec : -1;
    place->refusal = linpred__parquet_codec_refusal(place->codec);
}

static void read_chunk(linpred__thrift *t, linpred__parquet_place *place)
{
    size_t bytes;
    bool elsewhere = false, encrypted = false, described = false;
    *place = (linpred__parquet_place){0};
    linpred__thrift_field field = {0};
    while (linpred__thrift_next(t, &field)) {
        if (field.id == 1) {
            linpred__thrift_text(t, &field, &bytes);
            elsewhere = bytes > 0;
        } else if (field.id == 3) {
            read_place(t, &field, place);
            described = true;
        } else {
            encrypted = encrypted || field.id == 8 || field.id == 9;
            linpred__thrift_skip(t, &field);
        }
    }
    if (elsewhere)
        place->refusal = "its values lie in another file";
    else if (encrypted)
        place->refusal = "it is encrypted";
    else if (!described)
        t->damaged = true;
}

static bool read_group(linpred__parquet_footer *footer, linpred__thrift *t)
{
    if (!linpred__grow(&footer->group, &footer->group_capacity, (size_t)footer->groups + 1, sizeof *footer->group))
        return false;
    linpred__parquet_group *group = &footer->group[footer->groups++];
    *group = (linpred__parquet_group){-1, footer->rows};
    int64_t chunks = 0;
    linpred__thrift_field field = {0};
    while (linpred__thrift_next(t, &field)) {
        if (field.id == 3) {
            group->rows = linpred__thrift_whole(t, &field);
        } else if (field.id == 1) {
            int64_t count = linpred__thrift_structs(t, &field);
            for (; chunks < count && !t->damaged; chunks++) {
                if (!linpred__grow(&footer->place, &footer->place_capacity, (size_t)footer->places + 1,
                                   sizeof *footer->place))
                    return false;
                read_chunk(t, &footer->place[footer->places++]);
            }
        } else {
            linpred__thrift_skip(t, &field);
        }
    }
    if (chunks != footer->leaves || group->rows < 0 || group->rows > INT64_MAX / 4 - footer->rows)
        t->damaged = true;
    else
        footer->rows += group->rows;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Compares the places of the chunks with the file and their types with the schema. */
static linpred_status check_places(const linpred__parquet_file *file, linpred_error *error)
{
    const linpred__parquet_footer *footer = &file->footer;
    for (int64_t g = 0; g < footer->groups; g++)
        for (int32_t c = 0; c < footer->columns; c++) {
            linpred__parquet_column *column = &footer->column[c];
            const linpred__parquet_place *place = &footer->place[g * footer->leaves + column->leaf];
            if (!column->refusal)
                column->refusal = place->refusal;
            if (column->refusal)
                continue;
            bool inside = place->offset >= 4 && place->bytes >= 0 && place->bytes <= file->data_end &&
                          place->offset <= file->data_end - place->bytes;
            if (!inside || place->type != (int32_t)column->type)
                return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, c + 1,
                                        "%s: the Parquet file is damaged: row group %lld, column %d (%.*s): %s",
                                        file->name, (long long)g + 1, c + 1,
                                        column->name_bytes < 60 ? (int)column->name_bytes : 60, column->name,
                                        inside ? "its type is not that of the schema" : "it lies outside the file");
        }
    return LINPRED_OK;
}

static linpred_status check_size(const linpred__parquet_file *file, linpred_error *error)
{
    const linpred__parquet_footer *footer = &file->footer;
    int64_t cells, justified = LINPRED__PARQUET_CELLS + file->bytes * LINPRED__PARQUET_CELLS_A_BYTE;
    if (__builtin_mul_overflow(footer->rows, (int64_t)footer->columns, &cells) || cells > justified)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: the Parquet file says that it has %lld rows and %d columns, which its %lld bytes "
                             "cannot hold",
                             file->name, (long long)footer->rows, footer->columns, (long long)file->bytes);
    return LINPRED_OK;
}

linpred_status linpred__parquet_footer_read(linpred__parquet_file *file, linpred_error *error)
{
    linpred__parquet_footer *footer = &file->footer;
    *footer = (linpred__parquet_footer){0};
    linpred__thrift t, schema = {0}, groups = {0};
    linpred__thrift_field field = {0}, schema_list = {0}, groups_list = {0};
    linpred_status status = find_footer(file, &t, error);
    if (status != LINPRED_OK)
        return status;
    while (linpred__thrift_next(&t, &field)) {
        if (field.id == 2)
            schema = t, schema_list = field;
        else if (field.id == 4)
            groups = t, groups_list = field;
        linpred__thrift_skip(&t, &field);
    }
    if (t.damaged || !schema.at || !groups.at)
        return damaged_footer(file, t.at, "the footer cannot be read", error);
    if (!read_schema(footer, &schema, &schema_list))
        return linpred__no_memory(error);
    if (schema.damaged)
        return damaged_footer(file, schema.at, "the list of columns cannot be read", error);
    int64_t count = linpred__thrift_structs(&groups, &groups_list);
    while (footer->groups < count && !groups.damaged)
        if (!read_group(footer, &groups))
            return linpred__no_memory(error);
    if (groups.damaged)
        return damaged_footer(file, groups.at, "the list of row groups cannot be read", error);
    status = check_size(file, error);
    return status == LINPRED_OK ? check_places(file, error) : status;
}

void linpred__parquet_footer_free(linpred__parquet_footer *footer)
{
    linpred__release(footer->column);
    linpred__release(footer->group);
    linpred__release(footer->place);
}
