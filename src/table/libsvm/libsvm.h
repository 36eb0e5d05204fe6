/* What the files of the LIBSVM reader share. libsvm_parse.c reads a piece fast and stops at anything that is wrong;
 * libsvm_blame.c says what it was; libsvm.c puts the pieces together. */
#ifndef LINPRED_TABLE_LIBSVM_LIBSVM_H
#define LINPRED_TABLE_LIBSVM_LIBSVM_H

#include "table/pieces.h"
#include "table/table.h"

typedef struct linpred__libsvm_piece {
    bool has_error;
    bool no_memory;
    int64_t rows;
    int64_t lines;
    int64_t entries;
    int64_t altered;      /* numbers that no double holds */
    int64_t altered_line; /* of the first, within the piece, from 0 */
    int32_t largest;      /* index as written, -1 if there is none */
    bool zero;            /* an index 0 occurs */
    double *label;        /* rows */
    int64_t *start;       /* rows + 1 */
    double *values;       /* entries */
    int32_t *indices;     /* entries; as written, less one: an index 0 is -1 here */
    size_t row_capacity;
    size_t entry_capacity;
    /* Whole blocks of this piece, to be filled by whoever stores it. */
    int64_t first_whole; /* the piece's row that begins the first of them */
    int64_t whole;
    linpred__table_block *target;
    size_t targets_capacity;
} linpred__libsvm_piece;

/* index_base 1: an index 0 is wrong. */
void linpred__libsvm_parse(const linpred__piece_text *text, linpred_index_base base, linpred__libsvm_piece *piece);
linpred_status linpred__libsvm_diagnose(const char *name, const linpred__piece_text *text, linpred_index_base base,
                                        int64_t lines_before, linpred_error *error);

#endif
