/* Thrift's compact protocol, in which the footer and the page headers of a Parquet file are written.
 *
 * Nothing is allocated. Reading past the end, a length that does not fit, or a type other than the expected one sets
 * `damaged`; every later read then gives 0 or nothing, so that a caller may test `damaged` once at the end.
 */
#ifndef LINPRED_TABLE_PARQUET_THRIFT_H
#define LINPRED_TABLE_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct linpred__thrift {
    const unsigned char *at;
    const unsigned char *end;
    bool damaged;
} linpred__thrift;

/* Types of fields and of list elements. */
enum {
    LINPRED__THRIFT_TRUE = 1,
    LINPRED__THRIFT_FALSE = 2,
    LINPRED__THRIFT_I8 = 3,
    LINPRED__THRIFT_I16 = 4,
    LINPRED__THRIFT_I32 = 5,
    LINPRED__THRIFT_I64 = 6,
    LINPRED__THRIFT_DOUBLE = 7,
    LINPRED__THRIFT_BINARY = 8,
    LINPRED__THRIFT_LIST = 9,
    LINPRED__THRIFT_SET = 10,
    LINPRED__THRIFT_MAP = 11,
    LINPRED__THRIFT_STRUCT = 12,
    LINPRED__THRIFT_UUID = 13
};

typedef struct linpred__thrift_field {
    int32_t id; /* of the field before, then of this one: 0 before the first of a struct */
    int type;
} linpred__thrift_field;

/* Goes to the next field of a struct; false after the last. */
bool linpred__thrift_next(linpred__thrift *thrift, linpred__thrift_field *field);
/* The value of a field, which must have the right type. */
int64_t linpred__thrift_whole(linpred__thrift *thrift, const linpred__thrift_field *field);
bool linpred__thrift_truth(linpred__thrift *thrift, const linpred__thrift_field *field);
const char *linpred__thrift_text(linpred__thrift *thrift, const linpred__thrift_field *field, size_t *bytes);
/* Begins a struct; its fields follow. */
void linpred__thrift_struct(linpred__thrift *thrift, const linpred__thrift_field *field);
/* Begins a list of structs and gives their number. Each has at least one byte. */
int64_t linpred__thrift_structs(linpred__thrift *thrift, const linpred__thrift_field *field);
/* Skips the value of a field. */
void linpred__thrift_skip(linpred__thrift *thrift, const linpred__thrift_field *field);
/* A number of 7 bits a byte, which other parts of a Parquet file use too. */
uint64_t linpred__thrift_varint(linpred__thrift *thrift);
int64_t linpred__thrift_zigzag(linpred__thrift *thrift);

#endif
