/* A table: the named columns of a file, in blocks of rows. The readers make it; recipe/encode.c turns it into data.
 *
 * A reader first finds the names of the columns, then asks its caller what each is needed for. It judges only columns
 * that are needed: what they hold decides their type.
 *
 * A dense table has one double per cell: the number; NaN if the value is missing (a NaN in the file is an error); or,
 * in a text column, the index of the cell's level. A sparse table (LIBSVM) has compressed rows, and the labels in
 * `target`.
 */
#ifndef LINPRED_TABLE_TABLE_H
#define LINPRED_TABLE_TABLE_H

#include "core/arena.h"
#include "core/options.h"
#include "core/spill.h"
#include "core/threads.h"
#include "data/data.h"
#include "table/cells/dictionary.h"
#include "table/reading.h"
#include "table/row_lines.h"

/* What a column is needed for. */
typedef enum linpred__use {
    LINPRED__UNUSED,          /* nothing: its cells are not judged. The table holds 0 in them; its type is empty. */
    LINPRED__USED,            /* its values decide: numbers if every value can be read as a number, else text */
    LINPRED__USED_AS_TEXT,    /* text, also if it holds numbers */
    LINPRED__USED_AS_NUMBERS, /* numbers; a value that is none is an error at its place */
    LINPRED__USED_AS_DAYS     /* dates, which become days since 1970-01-01; a value that is none is an error */
} linpred__use;

typedef struct linpred__column {
    char *name; /* without blanks around it; UTF-8 if the column is used. Names may be "" or occur twice: see
                   `repeated_names`. It is x1, x2, … if the file has no names. */
    linpred__use use;
    linpred_column_type type;
    int64_t missing;            /* missing values */
    int64_t first_missing_line; /* 1-based line of the file (npy: row) with the first missing value */
    int64_t altered;            /* numbers that were rounded when read: see linpred__number_altered */
    int64_t first_altered_line; /* 1-based line of the file (npy: row) with the first such number */
    bool long_numbers;          /* read from text: some number has more than 15 digits, or was altered */
    char **level;               /* text columns: the distinct values, in an order that depends on the file alone */
    int32_t levels;             /* length of `level` */
    bool typed_text;            /* the file itself says that this is text; false in files without types */
    char *refusal; /* why the column cannot be used, such as "row 3 holds a blob"; NULL if it can. A refused column is
                    empty, and a recipe that uses it fails. */
    int64_t refusal_line;   /* 1-based row that is the reason; 0: it is no row's fault */
    char *odd;              /* text columns: why the column is text although it holds numbers, or cells that a
                               person would take for numbers: the first cell that is none. NULL otherwise. */
    int64_t odd_line;       /* 1-based line of that cell */
    const char *odd_why;    /* what is wrong with it: "has a unit" */
    char *own_why;          /* the memory of odd_why, where it is no literal */
    int64_t first_word_row; /* a text column of one of several files: 1-based row of the first cell of level 0 */
    const char *marker;     /* number columns: the first missing value that is written as NULL or the like, as it is
                               written; NULL if there is none */
} linpred__column;

enum { LINPRED__TABLE_NOTES = 16 };

typedef struct linpred__table_block {
    int32_t rows;
    double *values;   /* dense: rows x columns, row by row; sparse: the value of each entry */
    int64_t *start;   /* sparse: row r has the entries start[r] … start[r + 1] - 1; length rows + 1 */
    int32_t *indices; /* sparse: the 0-based column of each entry */
    double *target;   /* sparse: the label of each row */
} linpred__table_block;

/* One of several files that a table was made of. */
typedef struct linpred__table_file {
    char *name;
    int64_t first_row;            /* the 0-based row of the table with which it begins */
    int64_t first_line;           /* 1-based line of its first row; 0: not known, or the file has no lines */
    linpred__row_lines row_lines; /* as in linpred__table */
} linpred__table_file;

typedef struct linpred__table {
    char *name; /* of the file, for messages */
    linpred__layout layout;
    int64_t rows;
    int32_t columns;             /* sparse: the features, without the label */
    linpred__column *column;     /* NULL in a sparse table: its features are x1, x2, … and its label is "label" */
    int64_t entries;             /* dense: rows x columns; sparse: stored entries */
    int32_t block_rows;          /* rows of each block but the last; see linpred__block_rows */
    int64_t blocks;              /* length of `block` */
    linpred__table_block *block; /* the rows, in the order of the file */
    bool decimal;                /* numbers were read from decimal text, and may mean it (data/decimals.h): in columns
                                    without long numbers; of a LIBSVM file, if it has none at all */
    bool has_names;              /* the names of the columns come from the file */
    bool repeated_names;         /* some name occurs twice */
    int32_t row_names;           /* the column that holds the row names of R, which is no feature unless it is chosen by
                                    --features; -1 if there is none */
    int32_t weights;             /* the column that holds the row weights unless --weights says otherwise; -1: none */
    int64_t names_line;          /* 1-based line of the file with the names; 0 if it has none */
    int64_t first_row_line;      /* 1-based line of the first row; 0: the lines of rows are not known */
    linpred__row_lines row_lines; /* rows that begin later than one line a row would have them */
    bool lines_are_rows;          /* the file has no lines; where lines are spoken of, 1-based rows are meant */
    char format[160];             /* the format found, for people: "CSV, separated by ';', with names in line 1" */
    int64_t altered;              /* LIBSVM: numbers of the whole file that were rounded when read */
    int64_t first_altered_line;   /* LIBSVM: 1-based line with the first such number */
    int32_t index_base;           /* LIBSVM: the first index, 0 or 1; -1 for other formats */
    linpred__reading reading;     /* CSV: how the file was read */
    linpred__warning note[LINPRED__TABLE_NOTES]; /* what was guessed or changed, for the user */
    int32_t notes;                               /* length of `note` */
    bool archived;                               /* an npz archive: what its cells were as text is not known any more */
    bool one_piece;                              /* LIBSVM: the file is so short that it was read at once */
    linpred__table_file *file; /* the files that the rows come from, in order; NULL: one file, `name` */
    int64_t files;             /* length of `file` */
    void *mapping;             /* npy: the mapped file that the blocks point into, NULL if they own their memory. It
                                  is mapped copy on write, so that blocks may be changed in place. */
    size_t mapping_bytes;
    double *in_a_row; /* the values of all blocks, which follow one another in memory; NULL: each block has its own */
    int rows_in;      /* npy: an open file in which the rows stay; blocks have no values then. 0: they are in memory. */
    uint64_t rows_at; /* the byte of that file at which they begin, as doubles */
    linpred__spill *spill; /* where the rows lie, if they may not fit into memory; NULL: in memory. Not owned. */
    linpred__arena arena;  /* where the rows lie otherwise */
} linpred__table;

/* What is asked of a reader. */
typedef struct linpred__read_request {
    const linpred_options *options; /* those with the scope READ, and max_seconds */
    /* Says what each column is needed for. The reader calls it once it knows the names: in `head` are columns with
       names, and no rows. NULL: every column is used. A sparse table does not call it. */
    linpred_status (*choose)(void *context, const linpred__table *head, linpred__use *use, linpred_error *error);
    void *context;                /* the argument of `choose` */
    const linpred__reading *like; /* how the data of a model was read: decides where neither options nor the file do.
                                     NULL if there is none. */
    linpred__spill *spill;        /* where the rows shall lie; NULL: in memory */
    bool may_stay;                /* rows may stay in the file: whoever wants them calls linpred__table_block_get */
    bool lenient;                 /* for inspect: what a fit would refuse in a cell becomes text */
} linpred__read_request;

/* Reads a whole file. */
linpred_status linpred__table_read(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                   linpred__table **table, linpred_error *error);
/* Copies a table that the caller has in memory. */
linpred_status linpred__table_of_frame(const linpred_frame *given, const linpred__read_request *request,
                                       linpred__table **table, linpred_error *error);
void linpred__table_free(linpred__table *table);
/* Frees what the table holds, but for its name. */
void linpred__table_clear(linpred__table *table);
/* Memory for rows of the table, from its spill or its arena. All that its blocks point to comes from here, and
   linpred__table_clear frees it. */
void *linpred__table_alloc(linpred__table *table, size_t count, size_t size);
/* Frees such memory earlier; in a spill it stays. */
void linpred__table_release(linpred__table *table, void *memory);
/* Frees the values of a block, if they are its own. */
void linpred__table_release_values(linpred__table *table, linpred__table_block *block);
/* Makes the blocks for `rows` rows of a dense table that it has not yet. The last block has its full length until
   linpred__table_trim. `capacity` is that of table->block. False if out of memory. */
bool linpred__table_add_blocks(linpred__table *table, size_t *capacity, int64_t rows);
/* Reads the rows of a block that stay in the file. An error if the file was cut meanwhile. */
linpred_status linpred__table_block_get(const linpred__table *table, int64_t block, double *values,
                                        linpred_error *error);
/* Cuts the last block of a dense table to the rows that the table has. */
void linpred__table_trim(linpred__table *table);
/* Copies the texts of a dictionary into the levels of a column, which has none. False if out of memory. */
bool linpred__column_name_levels(linpred__column *column, const linpred__dictionary *levels);
/* Adds a note. After LINPRED__TABLE_NOTES of them further ones are dropped. */
void linpred__table_note(linpred__table *table, linpred__remark about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A cell of a dense table, by its 0-based row and column. */
static inline double *linpred__table_cell(const linpred__table *table, int64_t row, int32_t column)
{
    return &table->block[row / table->block_rows].values[row % table->block_rows * table->columns + column];
}

/* The 1-based line of a 0-based row, for messages. 0: it is not known. */
static inline int64_t linpred__table_line(const linpred__table *table, int64_t row)
{
    return table->first_row_line > 0 ? table->first_row_line + row + linpred__extra_lines(&table->row_lines, row) : 0;
}

/* Writes ":LINE" or ": row ROW" into `text`, which follows the name of the file in messages; "" if the line is not
   known. Of several files it is ", FILE:LINE". The first takes a 1-based line, the second a 0-based row. */
enum { LINPRED__LINE_TEXT = 256 };
const char *linpred__table_place(const linpred__table *table, int64_t line, char text[LINPRED__LINE_TEXT]);
const char *linpred__table_line_text(const linpred__table *table, int64_t row, char text[LINPRED__LINE_TEXT]);

#endif
