/* What the files of the CSV reader share.
 *
 *   field.c     cuts a line into fields
 *   cell.c      classifies a cell
 *   sniff.c     finds the separator, the decimal mark and row names by looking at the first lines
 *   dialect.c   finds how the file is written: by options, by looking, or as in a model's fit
 *   head.c      reads the names of the columns, and asks what each is needed for
 *   parse.c     reads a piece fast and stops at the first thing that is wrong
 *   diagnose.c  reads a piece with an error again, cell by cell, and words the error
 *   csv.c       joins the pieces into a table; complete.c gives its columns their types
 *   notes.c     what was guessed, in sentences
 */
#ifndef LINPRED_TABLE_CSV_CSV_H
#define LINPRED_TABLE_CSV_CSV_H

#include "core/error.h"
#include "core/options.h"
#include "table/cells/dictionary.h"
#include "table/cells/markers.h"
#include "table/bytes/pieces.h"
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
    char separator;            /* '\0' if the file has one column */
    bool blanks;               /* a run of blanks and tabs is one separator; separator is then ' ' */
    unsigned char plain[256];  /* plain[byte] is 1 if the byte neither ends an unquoted field nor is a quote */
    const char *comment;       /* lines that begin with it, blanks aside, are skipped; NULL: there are no comments, and
                                  a line that begins with '#' is an error */
    const char *const *values; /* missing values: a line whose first field is one of them is a row. NULL ends them. */
} linpred__dialect;

/* Memory for the text of a field in which doubled quotes are made single. */
typedef struct linpred__scratch {
    char *text;
    size_t capacity;
    bool no_memory; /* the memory could not be had; the field is then not usable */
} linpred__scratch;

/* Sets the separator and what follows from it. */
void linpred__dialect_set(linpred__dialect *dialect, char separator);
/* Reads the field that begins at `at`. The text ends at `end`, and a line feed must follow it there. The field's text
   stays valid until the next call with the same scratch. */
linpred__field linpred__field_read(const linpred__dialect *dialect, const char *at, const char *end,
                                   linpred__scratch *scratch);

/* The same, but quotes in the wrong place are part of the text. For columns that are not judged. */
linpred__field linpred__field_read_loosely(const linpred__dialect *dialect, const char *at, const char *end,
                                           linpred__scratch *scratch);

/* Makes a field the last of its line if nothing but the line end follows its separator. For files with open ends. */
void linpred__field_close_line(const linpred__dialect *dialect, const char *end, linpred__field *field);

typedef enum linpred__line_kind {
    LINPRED__LINE_ROW,        /* the line holds fields; *at is not moved */
    LINPRED__LINE_BLANK,      /* the line is blank; *at is moved to the next line */
    LINPRED__LINE_SKIPPED,    /* the line is a comment; *at is moved to the next line */
    LINPRED__LINE_COMMENT,    /* the line begins with '#', but the file has no comments: an error */
    LINPRED__LINE_END_OF_FILE /* only Ctrl-Z and line ends are left of the file; *at is moved to `end` */
} linpred__line_kind;

/* What kind of line begins at *at. `last` says that the file ends at `end`. */
linpred__line_kind linpred__line_begin(const linpred__dialect *dialect, const char **at, const char *end, bool last);

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* What a cell is. A new number format or marker of missing values is one more case in linpred__cell_read; parse.c sends
   it every cell that is not a plain number. */
typedef enum linpred__cell {
    LINPRED__CELL_NUMBER,
    LINPRED__CELL_GROUPED,    /* a number with thousands separators, such as 1,234 */
    LINPRED__CELL_MISSING,    /* an empty cell, NA or ?, or one that --na lists */
    LINPRED__CELL_MARKER,     /* a missing value among numbers, a word among words, such as NULL */
    LINPRED__CELL_WORD,       /* any other UTF-8 text */
    LINPRED__CELL_NOT_FINITE, /* resembles a number: inf */
    LINPRED__CELL_TOO_LARGE,  /* resembles a number: beyond the range of double, such as 1e400 */
    LINPRED__CELL_COMMA,      /* resembles a number, but has commas, such as 0,5 */
    LINPRED__CELL_UNIT,       /* resembles a number, but has a unit, such as 50% or $1.5 */
    LINPRED__CELL_NOT_UTF8,   /* text that is not UTF-8 */
    LINPRED__CELL_NOT_DATE    /* no date, in a column of dates */
} linpred__cell;

/* What separates the thousands of a number: bits, so that those of a column can be joined. */
typedef enum linpred__group {
    LINPRED__GROUP_NONE = 0,
    LINPRED__GROUP_COMMA = 1,
    LINPRED__GROUP_POINT = 2,
    LINPRED__GROUP_BLANK = 4,
    LINPRED__GROUP_APOSTROPHE = 8
} linpred__group;

/* How cells are read. */
typedef struct linpred__cell_rules {
    char decimal; /* '.' or ',' */
    linpred__na na;
} linpred__cell_rules;

/* Classifies a cell of a column with this use. *value is set to a number, or to the value of a marker. */
linpred__cell linpred__cell_read(const linpred__cell_rules *rules, linpred__use use, const char *text, size_t bytes,
                                 double *value);
/* What separates the thousands of a cell that is a number. */
linpred__group linpred__cell_group(const linpred__cell_rules *rules, const char *text, size_t bytes);
/* How a text that is no number may mean one below 0. */
typedef enum linpred__negative {
    LINPRED__NEGATIVE_NONE,
    LINPRED__NEGATIVE_DASH,       /* −5, with another dash than - */
    LINPRED__NEGATIVE_PARENTHESES /* (5), as accountants write it */
} linpred__negative;
linpred__negative linpred__cell_negative(const char *text, size_t bytes);
/* Whether a text that is no number is digits with blanks or apostrophes between them. */
bool linpred__cell_wrong_groups(const char *text, size_t bytes);
/* linpred__number_altered for the text of a cell. */
bool linpred__cell_altered(const linpred__cell_rules *rules, const char *text, size_t bytes, double value);

/* A marker that may be a missing value or a word is stored as a NaN that tells which marker it was, until the type of
   its column is known. linpred__marker_of gives -1 for any other value. */
int32_t linpred__marker_of(double value);

typedef enum linpred__decimal_hint {
    LINPRED__DECIMAL_ANY,    /* the cell tells nothing: it is a whole number or a word */
    LINPRED__DECIMAL_POINT,  /* 1.5 or 1,234.5 */
    LINPRED__DECIMAL_COMMA,  /* 1,5 or 1.234,5 */
    LINPRED__DECIMAL_EITHER, /* 1,234: a comma that is a decimal mark or groups thousands */
    LINPRED__DECIMAL_GROUPS, /* 1.234: a point that is a decimal mark or groups thousands */
    LINPRED__DECIMAL_NEITHER /* 1 234: thousands have a mark of their own, so that a comma is a decimal mark */
} linpred__decimal_hint;

/* What a cell tells about the decimal mark of its file. */
linpred__decimal_hint linpred__cell_decimal(const char *text, size_t bytes);

/* ---- one file ---------------------------------------------------------------------------------------------------- */

/* A cell that must be told to the user. */
typedef struct linpred__csv_place {
    char *text;
    int64_t line; /* 1-based line of the file */
} linpred__csv_place;

/* Bytes of a number that may be a code, for messages: postcodes and account numbers are shorter. */
enum { LINPRED__CODE_BYTES = 24 };

/* What the pieces merged so far tell about a column. */
typedef struct linpred__csv_column {
    linpred__use use;
    bool numbers;                   /* the column holds a number */
    int64_t word_line;              /* line of the first word, which is level 0; 0 if there is none */
    linpred__dictionary levels;     /* the different words */
    int64_t marked;                 /* cells with a marker, such as NULL */
    int64_t marked_line;            /* line of the first of them */
    int32_t first_marker;           /* the marker in that cell */
    uint32_t markers;               /* bit i is set if marker i occurs */
    int64_t grouped;                /* numbers with thousands separators */
    int64_t grouped_line;           /* line of the first of them */
    int64_t grouped_only;           /* those among them that the other decimal mark would not make numbers: 1.234.567 */
    uint32_t groups;                /* what separates them: bits of linpred__group */
    int64_t codes;                  /* numbers that may be codes: see linpred__csv_tally */
    int64_t code_line;              /* line of the first of them */
    char code[LINPRED__CODE_BYTES]; /* the first of them */
} linpred__csv_column;

typedef struct linpred__csv {
    linpred__source *source;
    const linpred__read_request *request;
    linpred__dialect dialect;
    linpred__cell_rules rules;
    linpred__table *table;
    linpred__csv_column *column; /* one for each column of the table */
    int32_t *number_run;         /* number_run[c] is the first column >= c whose cells are not plain numbers, or the
                                    number of columns. The columns from c up to it may be read in one loop. */
    linpred__csv_place *odd;     /* for each column, the cell because of which it is text although it holds numbers, or
                                    the first that only resembles a number; it outlives a second reading */
    bool *must_be_text;          /* columns that hold numbers and words, found by reading the file once */
    int32_t odd_columns;         /* length of `odd` and `must_be_text` */
    bool again;                  /* such a column was found: the file must be read again */
    int64_t pieces;              /* merged so far */
    int64_t lines;               /* lines of the file before the next piece to be merged */
    size_t blocks_capacity;      /* of table->block */
    bool broken_utf8;            /* lenient: some text was mended */
    int64_t hidden_rows;         /* comments that have the fields of a row */
    int64_t hidden_line;         /* line of the first of them */
    int64_t preamble;            /* lines that seem to stand before the table; 0: none */
    int64_t title;               /* those among them that have as many fields as rows; 0: none */
    bool open_ends;              /* each line but the first ends with a separator, behind which is no field */
    bool no_head;                /* reading failed before the names were known */
    int64_t skip_of_fit;         /* lines that the model's fit skipped, and that are not skipped here; 0: none */
    int64_t blanks_before;       /* blank lines before the first record */
    int64_t blank_rows;          /* blank lines of a file of one column, which are missing values */
    int64_t last_blank_rows;     /* those among them that follow the last row, and are none */
} linpred__csv;

/* sniff.c: the separator that an option means: comma, semicolon, tab, space, or a character itself. */
linpred_status linpred__csv_named_separator(const char *word, char *separator, linpred_error *error);
/* sniff.c: the decimal mark that an option means: a comma or a point, or one of these words. */
linpred_status linpred__csv_named_decimal(const char *word, char *decimal, linpred_error *error);
/* What each line has too much where the first has one field less. */
typedef enum linpred__extra_field {
    LINPRED__EXTRA_NONE,     /* nothing that is understood */
    LINPRED__EXTRA_ROW_NAME, /* a row name at its beginning, as R writes it */
    LINPRED__EXTRA_EMPTY,    /* an empty field at its end, as the line ends with a separator */
    LINPRED__EXTRA_EITHER    /* it may be either */
} linpred__extra_field;

/* sniff.c: finds the separator by looking at what is held; `like` is tried first unless it is '\0'. */
char linpred__csv_find_separator(const linpred__csv *csv, char like, linpred__scratch *scratch,
                                 linpred__extra_field *extra);
/* sniff.c: how many lines stand before the table, as far as lines that are held tell; 0 if it begins with the first.
   `separator` is that which was found. */
int64_t linpred__csv_find_preamble(const linpred__csv *csv, char separator, linpred__scratch *scratch);
/* sniff.c: how many lines stand before the names, where a title such as "Report;;" has as many fields as the rows; 0 if
   there is none. */
int64_t linpred__csv_find_title(const linpred__csv *csv, char separator, linpred__scratch *scratch);
/* sniff.c: finds the decimal mark by looking at what is held. *found is set to a number that must be shown, because it
   is read with a mark that may surprise, and else is empty; the caller frees its text. */
linpred_status linpred__csv_find_decimal(const linpred__csv *csv, char *decimal, linpred__csv_place *found,
                                         linpred_error *error);

/* dialect.c: finds comments, separator, decimal mark and markers of missing values. *bytes is the length of the first
   record, which is held. */
linpred_status linpred__csv_find_dialect(linpred__csv *csv, size_t *bytes, linpred__extra_field *extra,
                                         linpred__scratch *scratch, linpred_error *error);

/* head.c: finds the dialect, reads the names, makes table->column and asks what the columns are for. The
   source then begins with the first row of data. */
linpred_status linpred__csv_head(linpred__csv *csv, linpred_error *error);

/* complete.c: sets the types of the columns and cuts the last block to its rows. */
linpred_status linpred__csv_complete(linpred__csv *csv, linpred_error *error);

/* notes.c: writes table->format. */
void linpred__csv_describe(const linpred__csv *csv);
/* notes.c: adds notes about what was read to the table, once its columns have types. */
void linpred__csv_note(const linpred__csv *csv);
/* notes.c: the part of a message after a cell that is no number: "has a unit". */
const char *linpred__csv_oddity(const linpred__csv *csv, const char *text);

/* ---- one piece --------------------------------------------------------------------------------------------------- */

/* What one piece holds of one column. Lines are counted from 0 at the beginning of the piece. */
typedef struct linpred__csv_tally {
    int64_t missing;      /* missing values */
    int64_t missing_line; /* line of the first missing value */
    int64_t altered;      /* numbers that were rounded when read: see linpred__number_altered */
    int64_t altered_line; /* line of the first such number */
    bool long_numbers;    /* some number has more than 15 digits, or was altered: the column means its doubles */
    bool full;            /* the last number that was read with care had many digits: the next likely has them too */
    int64_t marked;       /* markers such as NULL; `missing` does not count them */
    int64_t marked_line;  /* line of the first of them */
    int32_t first_marker; /* the marker in that cell */
    uint32_t markers;     /* bit i is set if marker i occurs */
    int64_t grouped;      /* numbers with thousands separators */
    int64_t grouped_line; /* line of the first of them */
    int64_t grouped_only; /* those among them that the other decimal mark would not make numbers: 1.234.567 */
    uint32_t groups;      /* what separates them: bits of linpred__group */
    int64_t codes;        /* numbers that may be codes: 007, or hexadecimal 12e3 */
    int64_t code_line;    /* line of the first of them */
    char code[LINPRED__CODE_BYTES]; /* the first of them */
    int64_t words;
    int64_t word_line;           /* line of the first word */
    int64_t odd_line;            /* line of the first word that resembles a number */
    int32_t odd;                 /* its level in this piece; -1 if there is none */
    linpred__dictionary *levels; /* the different words of this piece; NULL until the first word */
    int32_t *number;             /* number[i] is the table's level that is level i of this piece; set by merging */
    size_t number_capacity;
} linpred__csv_tally;

typedef struct linpred__csv_piece {
    int32_t columns;
    bool has_error; /* parsing stopped at an error, which linpred__csv_diagnose finds */
    bool no_memory;
    bool discarded; /* the file will be read again; set by merging */
    int64_t rows;
    int64_t lines;
    linpred__row_lines row_lines; /* of the rows of this piece */
    double *values;  /* rows x columns; a word is the number of its level in this piece, a missing value NaN */
    size_t capacity; /* of `values` */
    linpred__csv_tally *tally; /* one for each column */
    bool any_words;            /* some tally counts words */
    bool any_others;           /* some tally counts anything else */
    bool broken_utf8;          /* lenient: some text was mended */
    int64_t hidden_rows;       /* comments that have the fields of a row */
    int64_t hidden_line;       /* line of the first of them */
    int64_t blank_rows;        /* blank lines of a file of one column */
    int64_t last_blank_rows;   /* those among them that no row of the piece follows */
    linpred__scratch scratch;
    linpred__scratch mended; /* memory for text that was mended */
    double **target; /* the values of the table's blocks that the rows go into, from the block of first_row on */
    size_t targets_capacity; /* of `target` */
    int64_t first_row;       /* the table's row that is row 0 of this piece */
} linpred__csv_piece;

/* Reads the rows of a piece up to its first error. Any thread may call it; nothing but `piece` is changed. */
void linpred__csv_parse(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece);

/* Reports the first error of a piece, given what the pieces before it held. */
linpred_status linpred__csv_diagnose(const linpred__csv *csv, const linpred__piece_text *text, linpred_error *error);
/* Reports a field whose `end` is an error. `name` is the file's. */
linpred_status linpred__csv_report_field(const char *name, int64_t line, int64_t column, const linpred__field *field,
                                         linpred_error *error);
/* Reports a line that begins with '#'. */
linpred_status linpred__csv_report_comment(const char *name, int64_t line, linpred_error *error);
#endif
