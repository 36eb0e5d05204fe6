/* What the files of the CSV reader share.
 *
 *   field.c     cuts a line into fields and classifies a cell
 *   head.c      finds the separator and the names of the columns
 *   parse.c     reads a piece fast and stops at the first thing that is wrong
 *   diagnose.c  reads a piece with an error again, cell by cell, and words the error
 *   csv.c       joins the pieces into a table
 */
#ifndef LINPRED_TABLE_CSV_CSV_H
#define LINPRED_TABLE_CSV_CSV_H

#include "core/options.h"
#include "table/dictionary.h"
#include "table/pieces.h"
#include "table/table.h"

/* ---- fields ------------------------------------------------------------------------------------------------------ */

/* How a field ends. All values after LINPRED__ENDS_LINE are errors. */
typedef enum linpred__field_end {
    LINPRED__ENDS_FIELD,        /* a separator follows, so the line has another field */
    LINPRED__ENDS_LINE,         /* a line end follows: this is the last field of its record */
    LINPRED__NUL_BYTE,          /* the field holds a NUL byte */
    LINPRED__QUOTE_INSIDE,      /* a quote in a field that does not begin with one: ab"c */
    LINPRED__QUOTE_BEFORE_TEXT, /* text after the closing quote: "ab"c */
    LINPRED__QUOTE_OPEN         /* the quote at the beginning is never closed: "abc */
} linpred__field_end;

typedef struct linpred__field {
    const char *text; /* without quotes, and without blanks around it */
    size_t bytes;
    linpred__field_end end;
    int64_t lines;    /* line ends inside the quotes of this field */
    const char *next; /* where the next field or record begins */
} linpred__field;

/* How a line is cut into fields. */
typedef struct linpred__dialect {
    char separator;           /* '\0' if the file has one column */
    bool blanks;              /* a run of blanks and tabs is one separator; separator is then ' ' */
    unsigned char plain[256]; /* plain[byte] is 1 if the byte neither ends an unquoted field nor is a quote */
} linpred__dialect;

/* Memory for the text of a field in which doubled quotes are made single. */
typedef struct linpred__scratch {
    char *text;
    size_t capacity;
    bool no_memory; /* the memory could not be had; the field is then not usable */
} linpred__scratch;

void linpred__dialect_set(linpred__dialect *dialect, char separator);
/* Reads the field that begins at `at`. The text ends at `end`, and a line feed must follow it there. The field's text
   stays valid until the next call with the same scratch. */
linpred__field linpred__field_read(const linpred__dialect *dialect, const char *at, const char *end,
                                   linpred__scratch *scratch);

typedef enum linpred__line_kind {
    LINPRED__LINE_ROW,        /* the line holds fields; *at is not moved */
    LINPRED__LINE_BLANK,      /* the line holds blanks only; *at is moved to the next line */
    LINPRED__LINE_COMMENT,    /* the line begins with '#', which is an error */
    LINPRED__LINE_END_OF_FILE /* only Ctrl-Z and line ends are left of the file; *at is moved to `end` */
} linpred__line_kind;

/* What kind of line begins at *at. `last` says that the file ends at `end`. */
linpred__line_kind linpred__line_begin(const linpred__dialect *dialect, const char **at, const char *end, bool last);

/* What a cell is. A new number format or marker of missing values is one more case in linpred__cell_read; parse.c sends
   it every cell that is not a plain number. */
typedef enum linpred__cell {
    LINPRED__CELL_NUMBER,
    LINPRED__CELL_MISSING,    /* an empty cell, NA or ? */
    LINPRED__CELL_WORD,       /* any other UTF-8 text */
    LINPRED__CELL_NOT_FINITE, /* error: nan, inf */
    LINPRED__CELL_TOO_LARGE,  /* error: a number beyond the range of double, such as 1e400 */
    LINPRED__CELL_COMMA,      /* error: resembles a number, but has commas, such as 0,5 or 1,234 */
    LINPRED__CELL_UNIT,       /* error: resembles a number, but has a unit, such as 50% or $1.5 */
    LINPRED__CELL_NOT_UTF8    /* error: text that is not UTF-8 */
} linpred__cell;

/* Classifies a cell; *value is set if it is a number. With `as_text` every cell is a word, missing, or not UTF-8. */
linpred__cell linpred__cell_read(const char *text, size_t bytes, bool as_text, double *value);

/* ---- one file ---------------------------------------------------------------------------------------------------- */

/* What the pieces merged so far tell about a column. */
typedef struct linpred__csv_column {
    bool as_text;               /* the option as_text (--text) names the column */
    bool numbers;               /* the column holds a number */
    int64_t word_line;          /* line of the first word, which is level 0; 0 if there is none */
    linpred__dictionary levels; /* the different words */
} linpred__csv_column;

typedef struct linpred__csv {
    linpred__source *source;
    linpred__dialect dialect;
    linpred__table *table;
    linpred__csv_column *column; /* one for each column of the table */
    int32_t *number_run;         /* number_run[c] is the first column >= c that --text names, or the number of columns.
                                    The columns from c up to it may be read as numbers in one loop. */
    int64_t lines;               /* lines of the file before the next piece to be merged */
    size_t blocks_capacity;      /* of table->block */
} linpred__csv;

/* Finds the separator, reads the names and makes table->column. The source then begins with the first row of data. */
linpred_status linpred__csv_head(linpred__csv *csv, const linpred_options *options, linpred_error *error);

/* ---- one piece --------------------------------------------------------------------------------------------------- */

/* What one piece holds of one column. Lines are counted from 0 at the beginning of the piece. */
typedef struct linpred__csv_tally {
    int64_t missing;      /* missing values */
    int64_t missing_line; /* line of the first missing value */
    int64_t altered;      /* numbers that were rounded when read: see linpred__number_altered */
    int64_t altered_line; /* line of the first such number */
    int64_t words;
    int64_t word_line;           /* line of the first word */
    linpred__dictionary *levels; /* the different words of this piece; NULL until the first word */
    int32_t *number;             /* number[i] is the table's level that is level i of this piece; set by merging */
    size_t number_capacity;
} linpred__csv_tally;

typedef struct linpred__csv_piece {
    int32_t columns;
    bool has_error; /* parsing stopped at an error, which linpred__csv_diagnose finds */
    bool no_memory;
    int64_t rows;
    int64_t lines;
    double *values;  /* rows x columns; a word is the number of its level in this piece, a missing value NaN */
    size_t capacity; /* of `values` */
    linpred__csv_tally *tally; /* one for each column */
    bool any_words;            /* some tally counts words */
    bool any_missing;          /* some tally counts missing values */
    bool any_altered;          /* some tally counts rounded numbers */
    linpred__scratch scratch;
    double **target; /* the values of the table's blocks that the rows go into, from the block of first_row on */
    size_t targets_capacity; /* of `target` */
    int64_t first_row;       /* the table's row that is row 0 of this piece */
} linpred__csv_piece;

/* Reads the rows of a piece up to its first error. Any thread may call it; nothing but `piece` is changed. */
void linpred__csv_parse(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece);

/* Reports the first error of a piece, given what the pieces before it held. */
linpred_status linpred__csv_diagnose(const linpred__csv *csv, const linpred__piece_text *text,
                                     const linpred__csv_piece *piece, linpred_error *error);
/* Reports a field whose `end` is an error. `name` is the file's. */
linpred_status linpred__csv_report_field(const char *name, int64_t line, int64_t column, const linpred__field *field,
                                         linpred_error *error);
/* Reports a line that begins with '#'. */
linpred_status linpred__csv_report_comment(const char *name, int64_t line, linpred_error *error);

#endif
