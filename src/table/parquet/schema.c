/* An element of the schema: a column with the type and the meaning of its values, or a group of further elements. */
#include "table/parquet/parquet.h"

/* The annotations of the format, old (converted type) and new (logical type), as one list. */
typedef struct annotation {
    int32_t converted;    /* -1: none */
    int32_t logical;      /* the field of the union; 0: none */
    int64_t scale;        /* of decimals */
    int64_t integer_bits; /* of the logical type "integer" */
    bool integer_signed;
    bool utc;
    int32_t unit; /* of times: 1 milli, 2 micro, 3 nano; 0: none */
} annotation;

/* The numbers of converted types and logical types that the code below speaks of. */
enum {
    CONVERTED_UTF8 = 0,
    CONVERTED_ENUM = 4,
    CONVERTED_DECIMAL = 5,
    CONVERTED_DATE = 6,
    CONVERTED_TIME_MILLIS = 7,
    CONVERTED_TIME_MICROS = 8,
    CONVERTED_TIMESTAMP_MILLIS = 9,
    CONVERTED_TIMESTAMP_MICROS = 10,
    CONVERTED_UINT_8 = 11,
    CONVERTED_UINT_64 = 14,
    CONVERTED_INT_8 = 15,
    CONVERTED_INT_64 = 18,
    CONVERTED_JSON = 19,
    CONVERTED_BSON = 20,
    CONVERTED_INTERVAL = 21,
    LOGICAL_STRING = 1,
    LOGICAL_ENUM = 4,
    LOGICAL_DECIMAL = 5,
    LOGICAL_DATE = 6,
    LOGICAL_TIME = 7,
    LOGICAL_TIMESTAMP = 8,
    LOGICAL_INTEGER = 10,
    LOGICAL_NULL = 11,
    LOGICAL_JSON = 12,
    LOGICAL_FLOAT16 = 15
};

static void read_time_unit(linpred__thrift *t, const linpred__thrift_field *of, annotation *about)
{
    linpred__thrift_field unit = {0};
    linpred__thrift_struct(t, of);
    while (linpred__thrift_next(t, &unit)) {
        about->unit = unit.id;
        linpred__thrift_skip(t, &unit);
    }
}

/* The fields of a logical type: of a decimal its scale, of a time zone and unit, of an integer its bits and sign. */
static void read_logical_fields(linpred__thrift *t, annotation *about)
{
    linpred__thrift_field field = {0};
    while (linpred__thrift_next(t, &field)) {
        bool time = about->logical == LOGICAL_TIME || about->logical == LOGICAL_TIMESTAMP;
        if (about->logical == LOGICAL_DECIMAL && field.id == 1)
            about->scale = linpred__thrift_whole(t, &field);
        else if (about->logical == LOGICAL_INTEGER && field.id == 1)
            about->integer_bits = linpred__thrift_whole(t, &field);
        else if (about->logical == LOGICAL_INTEGER && field.id == 2)
            about->integer_signed = linpred__thrift_truth(t, &field);
        else if (time && field.id == 1)
            about->utc = linpred__thrift_truth(t, &field);
        else if (time && field.id == 2)
            read_time_unit(t, &field, about);
        else
            linpred__thrift_skip(t, &field);
    }
}

static void read_logical(linpred__thrift *t, const linpred__thrift_field *of, annotation *about)
{
    linpred__thrift_field field = {0};
    linpred__thrift_struct(t, of);
    while (linpred__thrift_next(t, &field)) {
        about->logical = field.id;
        linpred__thrift_struct(t, &field);
        read_logical_fields(t, about);
    }
}

/* The meaning of numbers; UNREADABLE if the annotation does not suit the type. */
static linpred__parquet_meaning meaning_of_numbers(linpred__parquet_column *column, const annotation *about)
{
    int32_t converted = about->converted;
    bool milli = converted == CONVERTED_TIME_MILLIS || converted == CONVERTED_TIMESTAMP_MILLIS;
    bool time =
        about->logical == LOGICAL_TIME || converted == CONVERTED_TIME_MILLIS || converted == CONVERTED_TIME_MICROS;
    bool timestamp = about->logical == LOGICAL_TIMESTAMP || converted == CONVERTED_TIMESTAMP_MILLIS ||
                     converted == CONVERTED_TIMESTAMP_MICROS;
    column->utc = about->logical == LOGICAL_TIMESTAMP ? about->utc : timestamp;
    if (about->logical == LOGICAL_DECIMAL || converted == CONVERTED_DECIMAL)
        return LINPRED__PARQUET_DECIMAL;
    if (about->logical == LOGICAL_DATE || converted == CONVERTED_DATE)
        return column->type == LINPRED__PARQUET_INT32 ? LINPRED__PARQUET_DATE : LINPRED__PARQUET_UNREADABLE;
    if (time || timestamp) {
        column->scale = about->unit ? 3 * about->unit : milli ? 3 : 6;
        if (about->unit > 3)
            return LINPRED__PARQUET_UNREADABLE;
        return time ? LINPRED__PARQUET_TIME : LINPRED__PARQUET_TIMESTAMP;
    }
    if (about->logical == LOGICAL_INTEGER)
        return about->integer_signed ? LINPRED__PARQUET_WHOLE : LINPRED__PARQUET_UNSIGNED;
    if (converted >= CONVERTED_UINT_8 && converted <= CONVERTED_UINT_64)
        return LINPRED__PARQUET_UNSIGNED;
    bool plain = (converted < 0 || (converted >= CONVERTED_INT_8 && converted <= CONVERTED_INT_64)) &&
                 (about->logical == 0 || about->logical == LOGICAL_NULL);
    return plain ? LINPRED__PARQUET_WHOLE : LINPRED__PARQUET_UNREADABLE;
}

/* The meaning of bytes. Bytes without an annotation are taken as text, because old writers did not annotate text. */
static linpred__parquet_meaning meaning_of_bytes(const linpred__parquet_column *column, const annotation *about)
{
    bool fixed = column->type == LINPRED__PARQUET_FIXED;
    if (about->logical == LOGICAL_DECIMAL || about->converted == CONVERTED_DECIMAL)
        return LINPRED__PARQUET_DECIMAL;
    if (fixed)
        return about->logical == LOGICAL_FLOAT16 && column->length == 2 ? LINPRED__PARQUET_HALF
                                                                        : LINPRED__PARQUET_UNREADABLE;
    bool known = about->logical == LOGICAL_STRING || about->logical == LOGICAL_ENUM || about->logical == LOGICAL_JSON ||
                 about->logical == LOGICAL_NULL || about->converted == CONVERTED_UTF8 ||
                 about->converted == CONVERTED_ENUM || about->converted == CONVERTED_JSON;
    return known || (about->logical == 0 && about->converted < 0) ? LINPRED__PARQUET_TEXT : LINPRED__PARQUET_UNREADABLE;
}

static void find_meaning(linpred__parquet_column *column, const annotation *about)
{
    column->scale = about->scale >= 0 && about->scale <= 1000 ? (int32_t)about->scale : -1;
    bool scaled = column->scale >= 0;
    switch (column->type) {
    case LINPRED__PARQUET_BOOLEAN:
        column->meaning = LINPRED__PARQUET_WHOLE;
        break;
    case LINPRED__PARQUET_FLOAT:
    case LINPRED__PARQUET_DOUBLE:
        column->meaning = LINPRED__PARQUET_REAL;
        break;
    case LINPRED__PARQUET_INT32:
    case LINPRED__PARQUET_INT64:
        column->meaning = meaning_of_numbers(column, about);
        break;
    case LINPRED__PARQUET_BYTES:
    case LINPRED__PARQUET_FIXED:
        column->meaning = meaning_of_bytes(column, about);
        break;
    default:
        column->meaning = LINPRED__PARQUET_UNREADABLE;
        column->refusal = "it holds timestamps of 96 bits (INT96), an outdated type (TIMESTAMP is read)";
        return;
    }
    if (column->meaning == LINPRED__PARQUET_DECIMAL && !scaled)
        column->meaning = LINPRED__PARQUET_UNREADABLE;
    if (column->meaning == LINPRED__PARQUET_UNREADABLE)
        column->refusal = "its type is neither number, text, truth value, date nor time";
}

void linpred__parquet_element_read(linpred__thrift *t, linpred__parquet_column *column, int64_t *children)
{
    *column = (linpred__parquet_column){.name = ""};
    annotation about = {.converted = -1};
    int64_t type = -1, length = 0, repetition = 0, scale = 0;
    *children = 0;
    linpred__thrift_field field = {0};
    while (linpred__thrift_next(t, &field))
        switch (field.id) {
        case 1:
            type = linpred__thrift_whole(t, &field);
            break;
        case 2:
            length = linpred__thrift_whole(t, &field);
            break;
        case 3:
            repetition = linpred__thrift_whole(t, &field);
            break;
        case 4:
            column->name = linpred__thrift_text(t, &field, &column->name_bytes);
            break;
        case 5:
            *children = linpred__thrift_whole(t, &field);
            break;
        case 6:
            about.converted = (int32_t)(linpred__thrift_whole(t, &field) & 0xFFFF);
            break;
        case 7:
            scale = linpred__thrift_whole(t, &field);
            break;
        case 10:
            read_logical(t, &field, &about);
            break;
        default:
            linpred__thrift_skip(t, &field);
        }
    column->optional = repetition == 1;
    if (*children == 0 && (type < LINPRED__PARQUET_BOOLEAN || type > LINPRED__PARQUET_FIXED))
        t->damaged = true;
    if (type == LINPRED__PARQUET_FIXED && (length < 1 || length > INT32_MAX))
        t->damaged = true;
    if (t->damaged)
        return;
    if (about.logical != LOGICAL_DECIMAL)
        about.scale = scale;
    column->type = (linpred__parquet_type)(type < 0 ? 0 : type);
    column->length = type == LINPRED__PARQUET_FIXED ? (int32_t)length : 0;
    if (*children == 0)
        find_meaning(column, &about);
    if (*children != 0 || repetition > 1) {
        column->refusal = "it is nested: a list, a map or a struct in every row";
        column->meaning = LINPRED__PARQUET_UNREADABLE;
    }
}
