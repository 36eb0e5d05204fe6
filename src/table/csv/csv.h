/* What the files of the CSV reader share.
 *
 * csv_field.c takes a line apart into fields and says what a field is; csv_head.c finds the separator and the names;
 * csv_parse.c reads a piece fast and stops at anything that is wrong; csv_blame.c then goes over that piece again, cell
 * by cell in the order of the file, and says what it was; csv.c puts the pieces together.
 */
#ifndef LINPRED_TABLE_CSV_CSV_H
#define LINPRED_TABLE_CSV_CSV_H

#include "core/options.h"
#include "table/dictionary.h"
#include "table/pieces.h"
#include "table/table.h"

/* ---- fields ------------------------------------------------------------------------------------------------------ */

typedef enum linpred__field_end {
    LINPRED__ENDS_FIELD,        /* a separator follows: there is another field */
    LINPRED__ENDS_LINE,         /* the last field of its record */
    LINPRED__NUL_BYTE,          /* from here on: no field at all */
    LINPRED__QUOTE_INSIDE,      /* ab"c */
    LINPRED__QUOTE_BEFORE_TEXT, /* "ab"c */
    LINPRED__QUOTE_OPEN         /* "abc, and never closed */
} linpred__field_end;

typedef struct linpred__field {
    const char *text; /* trimmed, quotes taken off */
    size_t bytes;
    linpred__field_end end;
    int64_t lines;    /* line ends inside its quotes */
    const char *next; /* where the next field or record begins */
} linpred__field;

/* How lines are taken apart. */
typedef struct linpred__dialect {
    char separator;           /* '\0': there is one column */
    bool blanks;              /* runs of blanks separate */
    unsigned char plain[256]; /* whether a byte can stand inside an unquoted field */
} linpred__dialect;

/* Room for a field whose doubled quotes have to be made single. */
typedef struct linpred__scratch {
    char *text;
    size_t capacity;
    bool no_memory;
} linpred__scratch;

void linpred__dialect_set(linpred__dialect *dialect, char separator);
/* The field that begins at `at`, in text that ends at `end` with a line feed behind it. */
linpred__field linpred__field_read(const linpred__dialect *dialect, const char *at, const char *end,
                                   linpred__scratch *scratch);

typedef enum linpred__line_kind {
    LINPRED__LINE_ROW,        /* fields begin at *at */
    LINPRED__LINE_BLANK,      /* a line of blanks; *at is moved behind it */
    LINPRED__LINE_COMMENT,    /* the line begins with '#' */
    LINPRED__LINE_END_OF_FILE /* Ctrl-Z at the end of the file; *at is moved to the end */
} linpred__line_kind;

linpred__line_kind linpred__line_begin(const linpred__dialect *dialect, const char **at, const char *end, bool last);

typedef enum linpred__cell {
    LINPRED__CELL_NUMBER,
    LINPRED__CELL_MISSING, /* nothing, NA or ? */
    LINPRED__CELL_WORD,
    LINPRED__CELL_NOT_FINITE, /* nan, inf */
    LINPRED__CELL_TOO_LARGE,  /* 1e400 */
    LINPRED__CELL_COMMA,      /* 0,5 or 1,234: a number to the eye, but not one we read */
    LINPRED__CELL_UNIT,       /* 50%, $1.5: the same */
    LINPRED__CELL_NOT_UTF8
} linpred__cell;

linpred__cell linpred__cell_read(const char *text, size_t bytes, bool as_text, double *value);

/* ---- one file ---------------------------------------------------------------------------------------------------- */

/* What is known of a column from the pieces merged so far. */
typedef struct linpred__csv_column {
    bool as_text;
    bool numbers;
    int64_t word_line; /* of the first word, which is level 0; 0 if there is none */
    linpred__dictionary levels;
} linpred__csv_column;

typedef struct linpred__csv {
    linpred__source *source;
    linpred__dialect dialect;
    linpred__table *table;
    linpred__csv_column *column;
    int32_t *number_run; /* for each column, the first from there on that is forced to text, or `columns` */
    int64_t lines;       /* physical lines before the next piece to be merged */
    size_t blocks_capacity;
} linpred__csv;

/* Finds the separator and reads the names; makes table->column. */
linpred_status linpred__csv_head(linpred__csv *csv, const linpred_options *options, linpred_error *error);

/* ---- one piece --------------------------------------------------------------------------------------------------- */

typedef struct linpred__csv_tally {
    int64_t missing;
    int64_t missing_line; /* within the piece, from 0 */
    int64_t altered;
    int64_t altered_line;
    int64_t words;
    int64_t word_line;
    linpred__dictionary *levels; /* of this piece; NULL if it never held a word here */
    int32_t *number;             /* the table's number of each level */
    size_t number_capacity;
} linpred__csv_tally;

typedef struct linpred__csv_piece {
    int32_t columns;
    bool has_error; /* something is wrong with it: go over it again */
    bool no_memory;
    int64_t rows;
    int64_t lines;
    double *values; /* rows x columns; a word is its level's number in this piece */
    size_t capacity;
    linpred__csv_tally *tally; /* per column */
    bool any_words;
    bool any_missing;
    bool any_altered;
    linpred__scratch scratch;
    double **target; /* where the rows go: block by block */
    size_t targets_capacity;
    int64_t first_row;
} linpred__csv_piece;

void linpred__csv_parse(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece);

/* Finds the first thing that is wrong in a piece, given what the pieces before it held. */
linpred_status linpred__csv_diagnose(const linpred__csv *csv, const linpred__piece_text *text,
                                     const linpred__csv_piece *piece, linpred_error *error);
/* What is wrong with the quotes of a field, or the NUL in it. */
linpred_status linpred__csv_report_field(const char *name, int64_t line, int64_t column, const linpred__field *field,
                                         linpred_error *error);
linpred_status linpred__csv_report_comment(const char *name, int64_t line, linpred_error *error);

#endif
