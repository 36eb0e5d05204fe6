/* The header of an npy file, and the conversion of its numbers to doubles. */
#ifndef LINPRED_TABLE_NPY_NPY_H
#define LINPRED_TABLE_NPY_NPY_H

#include "table/bytes/source.h"

typedef struct linpred__npy_header {
    size_t bytes;        /* length of the header: the numbers begin there */
    char type[16];       /* NumPy's name of the type, such as "<f8" */
    char kind;           /* 'f' floating point, 'i' signed, 'u' unsigned, 'b' truth value */
    int item_bytes;      /* length of a number: 1, 2, 4 or 8 */
    bool swap;           /* the byte order is not that of this machine */
    bool native_doubles; /* the numbers are doubles in the byte order of this machine */
    bool fortran;        /* stored column by column; else row by row */
    int64_t rows;
    int64_t columns;
} linpred__npy_header;

/* Reads the header from what the source holds. */
linpred_status linpred__npy_header_read(linpred__source *source, linpred__npy_header *header, linpred_error *error);
/* Converts the rows first … first+rows-1 of the array to doubles, row by row. */
void linpred__npy_convert(const linpred__npy_header *header, const char *data, int64_t first, int64_t rows,
                          double *values);
/* Whether the number in this row and column is an integer that differs from `value`, the double nearest to it. */
bool linpred__npy_altered(const linpred__npy_header *header, const char *data, int64_t row, int64_t column,
                          double value);

#endif
