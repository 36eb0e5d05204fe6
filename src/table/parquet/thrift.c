/* Reads Thrift's compact protocol. A field is a byte of type and step of the id, then its value; a struct ends with the
 * byte 0. Whole numbers are zigzag numbers of 7 bits a byte. */
#include "table/parquet/thrift.h"

#include "table/limits.h"

static unsigned take_byte(linpred__thrift *t)
{
    if (t->damaged || t->at == t->end) {
        t->damaged = true;
        return 0;
    }
    return *t->at++;
}

static void skip_bytes(linpred__thrift *t, uint64_t bytes)
{
    if (t->damaged || bytes > (uint64_t)(t->end - t->at))
        t->damaged = true;
    else
        t->at += bytes;
}

uint64_t linpred__thrift_varint(linpred__thrift *t)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned byte = take_byte(t);
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    t->damaged = true;
    return 0;
}

int64_t linpred__thrift_zigzag(linpred__thrift *t)
{
    uint64_t folded = linpred__thrift_varint(t);
    return (int64_t)(folded >> 1 ^ (0 - (folded & 1)));
}

bool linpred__thrift_next(linpred__thrift *t, linpred__thrift_field *field)
{
    unsigned head = take_byte(t);
    if (t->damaged || head == 0)
        return false;
    field->type = (int)(head & 0x0F);
    if (head >> 4) {
        field->id += (int32_t)(head >> 4);
    } else {
        int64_t id = linpred__thrift_zigzag(t);
        t->damaged = t->damaged || id < INT16_MIN || id > INT16_MAX;
        field->id = t->damaged ? 0 : (int32_t)id;
    }
    return !t->damaged;
}

int64_t linpred__thrift_whole(linpred__thrift *t, const linpred__thrift_field *field)
{
    switch (field->type) {
    case LINPRED__THRIFT_I8:
        return (int8_t)take_byte(t);
    case LINPRED__THRIFT_I16:
    case LINPRED__THRIFT_I32:
    case LINPRED__THRIFT_I64:
        return linpred__thrift_zigzag(t);
    default:
        t->damaged = true;
        return 0;
    }
}

bool linpred__thrift_truth(linpred__thrift *t, const linpred__thrift_field *field)
{
    t->damaged = t->damaged || (field->type != LINPRED__THRIFT_TRUE && field->type != LINPRED__THRIFT_FALSE);
    return field->type == LINPRED__THRIFT_TRUE;
}

const char *linpred__thrift_text(linpred__thrift *t, const linpred__thrift_field *field, size_t *bytes)
{
    t->damaged = t->damaged || field->type != LINPRED__THRIFT_BINARY;
    uint64_t length = linpred__thrift_varint(t);
    const char *text = (const char *)t->at;
    skip_bytes(t, length);
    *bytes = t->damaged ? 0 : (size_t)length;
    return text;
}

void linpred__thrift_struct(linpred__thrift *t, const linpred__thrift_field *field)
{
    t->damaged = t->damaged || field->type != LINPRED__THRIFT_STRUCT;
}

/* The head of a list or set: the number of its elements, and their type. */
static uint64_t list_head(linpred__thrift *t, int *type)
{
    unsigned head = take_byte(t);
    *type = (int)(head & 0x0F);
    uint64_t count = head >> 4 == 15 ? linpred__thrift_varint(t) : head >> 4;
    if (count > (uint64_t)(t->end - t->at)) /* an element has at least one byte */
        t->damaged = true;
    return t->damaged ? 0 : count;
}

int64_t linpred__thrift_structs(linpred__thrift *t, const linpred__thrift_field *field)
{
    int type;
    t->damaged = t->damaged || field->type != LINPRED__THRIFT_LIST;
    int64_t count = (int64_t)list_head(t, &type);
    t->damaged = t->damaged || (count > 0 && type != LINPRED__THRIFT_STRUCT);
    return t->damaged ? 0 : count;
}

static void skip_value(linpred__thrift *t, int type, bool element, int depth);

static void skip_elements(linpred__thrift *t, int type, int depth)
{
    int inner;
    if (type == LINPRED__THRIFT_MAP) {
        uint64_t count = linpred__thrift_varint(t);
        unsigned types = count ? take_byte(t) : 0;
        for (uint64_t i = 0; i < count && !t->damaged; i++) {
            skip_value(t, (int)(types >> 4), true, depth);
            skip_value(t, (int)(types & 0x0F), true, depth);
        }
        return;
    }
    uint64_t count = list_head(t, &inner);
    for (uint64_t i = 0; i < count && !t->damaged; i++)
        skip_value(t, inner, true, depth);
}

/* A truth value is in the type of a field, but takes a byte as an element. */
static void skip_value(linpred__thrift *t, int type, bool element, int depth)
{
    linpred__thrift_field inner = {0};
    if (depth == LINPRED__PARQUET_DEPTH)
        t->damaged = true;
    if (t->damaged)
        return;
    switch (type) {
    case LINPRED__THRIFT_TRUE:
    case LINPRED__THRIFT_FALSE:
        skip_bytes(t, element);
        break;
    case LINPRED__THRIFT_I8:
        skip_bytes(t, 1);
        break;
    case LINPRED__THRIFT_I16:
    case LINPRED__THRIFT_I32:
    case LINPRED__THRIFT_I64:
        linpred__thrift_varint(t);
        break;
    case LINPRED__THRIFT_DOUBLE:
        skip_bytes(t, 8);
        break;
    case LINPRED__THRIFT_BINARY:
        skip_bytes(t, linpred__thrift_varint(t));
        break;
    case LINPRED__THRIFT_LIST:
    case LINPRED__THRIFT_SET:
    case LINPRED__THRIFT_MAP:
        skip_elements(t, type, depth + 1);
        break;
    case LINPRED__THRIFT_STRUCT:
        while (linpred__thrift_next(t, &inner))
            skip_value(t, inner.type, false, depth + 1);
        break;
    case LINPRED__THRIFT_UUID:
        skip_bytes(t, 16);
        break;
    default:
        t->damaged = true;
    }
}

void linpred__thrift_skip(linpred__thrift *t, const linpred__thrift_field *field)
{
    skip_value(t, field->type, false, 0);
}
