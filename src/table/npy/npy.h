/* The header of an npy file, and its types as doubles. */
#ifndef LINPRED_TABLE_NPY_NPY_H
#define LINPRED_TABLE_NPY_NPY_H

#include "table/source.h"

typedef struct linpred__npy_header {
    size_t bytes; /* where the data begins */
    char type[16];
    char kind; /* f, i, u or b */
    int item_bytes;
    bool swap; /* the bytes of an item stand in the order of the other machines */
    bool native_doubles;
    bool fortran;
    int64_t rows;
    int64_t columns;
} linpred__npy_header;

linpred_status linpred__npy_header_read(linpred__source *source, linpred__npy_header *header, linpred_error *error);
/* Rows first .. first+rows-1 of the array as rows of doubles. */
void linpred__npy_convert(const linpred__npy_header *header, const char *data, int64_t first, int64_t rows,
                          double *values);
/* Whether no double is the whole number at this place, and `value` is but the nearest. */
bool linpred__npy_altered(const linpred__npy_header *header, const char *data, int64_t row, int64_t column,
                          double value);

#endif
