/* What the files of the LIBSVM reader share.
 *
 *   parse.c     reads a piece fast and stops at the first thing that is wrong
 *   diagnose.c  reads a piece with an error again, token by token, and words the error
 *   libsvm.c    joins the pieces into a table
 */
#ifndef LINPRED_TABLE_LIBSVM_LIBSVM_H
#define LINPRED_TABLE_LIBSVM_LIBSVM_H

#include "table/bytes/pieces.h"
#include "table/table.h"

typedef struct linpred__libsvm_piece {
    bool has_error; /* parsing stopped at an error, which linpred__libsvm_diagnose finds */
    bool no_memory;
    int64_t rows;
    int64_t lines;
    linpred__row_lines row_lines; /* of the rows of this piece */
    int64_t entries;
    int64_t altered;      /* numbers that were rounded when read: see linpred__number_altered */
    int64_t altered_line; /* line of the first such number, from 0 at the beginning of the piece */
    bool long_numbers;    /* some number has more than 15 digits, or was altered */
    int32_t largest;      /* the largest index as written in the file; -1 if there is none */
    bool zero;            /* some index is 0 */
    double *label;        /* label of each row */
    int64_t *start;       /* row r has the entries start[r] … start[r + 1] - 1; length rows + 1 */
    double *values;       /* value of each entry */
    int32_t *indices;     /* the index of each entry minus 1, so that an index 0 becomes -1 */
    size_t row_capacity;
    size_t entry_capacity;
    /* Rows of this piece that fill whole blocks of the table. Merging sets these fields; storing fills the blocks. */
    int64_t first_whole;          /* the row of this piece that begins the first whole block */
    int64_t whole;                /* the number of whole blocks */
    linpred__table_block *target; /* the table's blocks to fill */
    size_t targets_capacity;
} linpred__libsvm_piece;

/* Reads the rows of a piece up to its first error. Any thread may call it; nothing but `piece` is changed. With base
   LINPRED_INDEX_ONE an index 0 is an error. */
void linpred__libsvm_parse(const linpred__piece_text *text, linpred_index_base base, linpred__libsvm_piece *piece);
/* Reports the first error of a piece. `name` is the file's; `lines_before` lines of it come before the piece. */
linpred_status linpred__libsvm_diagnose(const char *name, const linpred__piece_text *text, linpred_index_base base,
                                        int64_t lines_before, linpred_error *error);

#endif
