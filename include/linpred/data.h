/* Rows, targets, optional row weights: from files and from arrays; and what is in a file. Part of linpred.h. */
#ifndef LINPRED_DATA_H
#define LINPRED_DATA_H

#include "linpred/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rows from files and arrays ---------------------------------------------------------------------------------- */

/* Reads a data file (CSV, TSV, LIBSVM, npy, SQLite, Parquet; .gz and .zst; "-" is standard input) into memory and
 * encodes it. */
LINPRED_API linpred_status linpred_data_load(const char *path, const linpred_options *options, linpred_data **data,
                                             linpred_error *error);

/* Reads a data file as a model's recipe says: the same features, levels and labels. Without `labels` the label column
   may be absent, and is ignored; the file may then hold names and no rows. Of the options those of scope "apply" count
   too, and `keep`. Without `missing`, what the fit did about missing values is done again. Without options (NULL) all
   of them have their defaults. */
LINPRED_API linpred_status linpred_data_load_for(const linpred_model *model, const char *path, bool labels,
                                                 const linpred_options *options, linpred_data **data,
                                                 linpred_error *error);

/* Rows in memory. The arrays are borrowed until the data is freed. All values must be finite. */
typedef struct linpred_arrays {
    size_t struct_size;
    int64_t rows;
    int32_t columns;
    const double *values; /* dense: row after row; sparse: the entries */
    int64_t stride;       /* dense: from one row to the next, in doubles; 0: `columns` */
    /* Sparse, rows + 1 long: row i is entries start[i] to start[i+1]-1, 0 <= start[0]. NULL: the rows are dense. */
    const int64_t *start;
    const int32_t *indices; /* sparse: the column of each entry, 0-based, ascending within a row */
    const double *labels;   /* -1 or +1; regression: any numbers. NULL: not known, the rows can only be predicted. */
    const double *weights;  /* 0 or more; NULL: all 1. A row of weight 0 is left out. */
    /* Called when the library no longer needs the arrays, also if the call fails. NULL: nothing is to be released. */
    void (*release)(void *context);
    void *context; /* for `release` */
    /* What people call it, as UTF-8; copied. */
    const char *const *names; /* of the columns, all different; NULL: x1, x2, … */
    const char *target;       /* of the column of labels; NULL: "label" */
    const char *label[2];     /* what the labels -1 and +1 stand for; NULL: "-1" and "1". Nothing to a regression. */
} linpred_arrays;

/* Makes data of arrays, which are not copied. */
LINPRED_API linpred_status linpred_data_from_arrays(const linpred_arrays *arrays, linpred_data **data,
                                                    linpred_error *error);

/* A column of a frame: numbers, or text by the indices of its levels. */
typedef struct linpred_frame_column {
    size_t struct_size;
    const char *name;
    const double *values;      /* one for each row, NaN if it is missing; of text the index of the level, from 0 */
    int64_t stride;            /* from one row to the next, in doubles; 0: 1 */
    const char *const *levels; /* text: its levels, all different; NULL: the column holds numbers */
    int32_t level_count;       /* text: how many levels there are */
} linpred_frame_column;

/* A frame: a table in memory, as a file would hold it. */
typedef struct linpred_frame {
    size_t struct_size;
    const char *name; /* in messages, where a file has its path; NULL: "frame" */
    int64_t rows;
    int32_t columns;
    const linpred_frame_column *const *column; /* a pointer to each column */
} linpred_frame;

/* The same as linpred_data_load and linpred_data_load_for, for a frame: text columns become indicators, missing values
   are treated as the options say. The frame is copied. */
LINPRED_API linpred_status linpred_data_from_frame(const linpred_frame *table, const linpred_options *options,
                                                   linpred_data **data, linpred_error *error);
LINPRED_API linpred_status linpred_data_from_frame_for(const linpred_model *model, const linpred_frame *table,
                                                       bool labels, const linpred_options *options, linpred_data **data,
                                                       linpred_error *error);
LINPRED_API void linpred_data_free(linpred_data *data);

/* ---- what is in the data ----------------------------------------------------------------------------------------- */

typedef struct linpred_shape {
    size_t struct_size;
    int64_t rows;
    int32_t columns;
    int64_t entries; /* stored values: rows x columns, or the entries of sparse rows */
    bool sparse;
    int64_t rows_in_file;       /* before rows were dropped */
    int64_t dropped_missing;    /* rows left out because a value is missing */
    int64_t dropped_weightless; /* rows left out because their weight is 0 */
    double weight;              /* the weight of all rows; their number if they have no weights */
    double positive;            /* the weight of the rows labelled +1 */
    int32_t index_base;         /* LIBSVM: the first index, 0 or 1; -1 elsewhere */
    bool weighted;              /* the rows have weights */
    bool whole_weights;         /* all weights are whole numbers; true without weights */
    int64_t dropped_unknown;    /* rows left out because a text column has a level that the fit did not see */
    int64_t filled_missing;     /* rows in which the mean of the fit stands for a missing value */
    int64_t unknown_as_zero;    /* rows in which all indicators of a column are 0 because its level is unknown */
} linpred_shape;

/* Reads a file once and writes its rows to `output`: as NumPy's npz archive, which linpred_data_load reads with the
   same numbers, names and meaning, or, if the name ends in .npy, as one matrix of plain numbers, the target last.
   Options: those of reading, and target, weights, features and drop. Memory is bounded: the table lies on the disk of
   the output meanwhile, in a file without a name. *shape becomes that of what was written. */
LINPRED_API linpred_status linpred_convert(const char *path, const linpred_options *options, const char *output,
                                           linpred_shape *shape, linpred_error *error);

LINPRED_API int64_t linpred_data_rows(const linpred_data *data); /* without the rows that were dropped */
/* All rows, also those that were dropped: an array of predictions must have this length. */
LINPRED_API int64_t linpred_data_rows_in_file(const linpred_data *data);
LINPRED_API int32_t linpred_data_columns(const linpred_data *data);
LINPRED_API bool linpred_data_shape(const linpred_data *data, linpred_shape *shape); /* false: struct_size is not set */
/* The name of a feature, 0-based; NULL past the last. */
LINPRED_API const char *linpred_data_feature(const linpred_data *data, int32_t column);
/* The label that stands for -1 (sign < 0) or +1 (sign > 0), as text; NULL for a regression. */
LINPRED_API const char *linpred_data_label(const linpred_data *data, int sign);
/* The name of the column of labels or targets. */
LINPRED_API const char *linpred_data_target(const linpred_data *data);
LINPRED_API const char *linpred_data_level(const linpred_data *data, const char *column,
                                           int32_t index); /* as of a model */
/* ---- notes and warnings ------------------------------------------------------------------------------------------ */

/* A remark about data: as a sentence for people, and as values for programs. */
typedef struct linpred_note {
    size_t struct_size;
    const char *kind;     /* one of the words below; later versions add others */
    const char *sentence; /* for people */
    const char *column;   /* the column that it is about; NULL: none */
    int64_t count;        /* -1: nothing is counted */
    int64_t line;         /* of the file, 1-based; 0: it is about no line */
} linpred_note;

/* How features and labels are made. Note `index`; false past the last.
     target          the score is the column itself                   labels, one_label   what the sign of a score means
     levels          a text column of `count` levels is indicators    one_level           a text column gives no feature
     missing_drop    rows with missing values are left out            missing_mean        a missing value is the mean
     index_base      the first index of a LIBSVM file is `count`      days                dates are a number of days */
LINPRED_API bool linpred_data_note(const linpred_data *data, size_t index, linpred_note *note);
/* What is probably not meant, though it can be read. Warning `index`; false past the last.
     identifier      a text column has `count` levels, nearly one a row, or all `count` numbers of a column are beyond
                     2^53
     row_numbers     a column counts the rows
     altered_numbers `count` numbers are not doubles; the first stands in this line
     number_texts    a column of a typed file is text, and its `count` levels are numbers
     repeated_name   several columns have the name of one that the model needs, here or in the fit, where it was
                     number `count` of them
     unknown_level   `count` rows have a level that the fit did not see; the first stands in this line
     binary_target   the target of a regression is 0 or 1 in all `count` rows
     rest_labels     `count` labels are not that of --positive and count as the other; of many numbers, 7
     unknown_features `count` entries are of features that the model does not know
     no_weights      the column of row weights is missing
     read_as_text    `count` columns are text because of cells that are no numbers; the first stands in this line
     missing_marker  `count` cells such as NULL count as missing values; the first stands in this line
     marker_level    a level of a text column is written as a missing value is, such as N/A, in `count` cells
     decimal_comma   numbers have a decimal comma, found by looking; the first stands in this line
     decimal_point   numbers have a decimal point, found by looking, which may be meant otherwise
     thousands       `count` numbers have separators of thousands; the first stands in this line
     codes           `count` numbers of a column may be codes, such as 007; the first stands in this line
     hidden_rows     `count` comments have the fields of a row; the first stands in this line
     blank_rows      `count` blank lines of a file of one column are missing values
     dates           a column holds dates, as text or as numbers such as 20240131
     row_names       the first column holds row names and is no feature
     open_ends       each row ends with a separator that the first line does not have
     title           the first `count` lines seem to be a title before the names
     totals          the last row, in this line, is the sum of all others in `count` columns
     skipped         the first `count` lines are skipped, because the model says so
     not_skipped     the model says that `count` lines are skipped, but the names stand in the first line
     header          for inspect: the first line may be names or data
     not_utf8        for inspect: some text is not UTF-8 */
LINPRED_API bool linpred_data_warning(const linpred_data *data, size_t index, linpred_note *warning);
/* ---- columns that are passed through ----------------------------------------------------------------------------- */

/* The name of column `index` of those that option `keep` names, in its order; NULL past the last. */
LINPRED_API const char *linpred_data_kept(const linpred_data *data, int32_t index);
/* What it holds in row `file_row` of the file (1-based): the text of the cell without blanks around it and without
   quotes; of a column that is also a feature of numbers the shortest text of the number, of dates the date as
   2024-01-31, written into `buffer`, which has LINPRED_KEPT_BYTES. NULL: the value is missing. */
enum { LINPRED_KEPT_BYTES = 40 };
LINPRED_API const char *linpred_data_kept_cell(const linpred_data *data, int32_t index, int64_t file_row, char *buffer);

/* ---- single rows ------------------------------------------------------------------------------------------------- */

/* Row `file_row` of the file (1-based): `columns` values, zeros included, and the label. False: the row was dropped. */
LINPRED_API bool linpred_data_row(const linpred_data *data, int64_t file_row, double *values, double *label);
/* The weight of row `file_row`: 1 without weights. NaN: the row was dropped. */
LINPRED_API double linpred_data_row_weight(const linpred_data *data, int64_t file_row);
/* The row of the file (1-based) that is row `row` (0-based) of the data. They differ if rows were dropped. 0: the data
   has no such row. */
LINPRED_API int64_t linpred_data_source_row(const linpred_data *data, int64_t row);

/* ---- inspect: what is in a data file ----------------------------------------------------------------------------- */

typedef struct linpred_inspection linpred_inspection;

typedef enum linpred_column_type {
    LINPRED_COLUMN_EMPTY,
    LINPRED_COLUMN_NUMBER,
    LINPRED_COLUMN_TEXT
} linpred_column_type;

typedef struct linpred_column_report {
    size_t struct_size;
    const char *name;
    linpred_column_type type;
    int64_t missing;
    int64_t distinct; /* text: its levels; number: 1 if constant, else -1 (not counted) */
    double low;       /* numbers only */
    double high;
    double mean;
    bool constant;
    int32_t duplicate_of; /* 0-based column that holds the same values, or -1 */
    int32_t number;       /* as other commands count columns, from 1; 0: the label of a LIBSVM file */
    const char *refusal;  /* why the column cannot be used, such as "row 3 holds a blob"; NULL if it can */
    int32_t decimals;     /* numbers: digits after the point that the values as written need; -1: they mean doubles */
} linpred_column_report;

/* Reads a data file and describes its columns. *inspection is freed by linpred_inspection_free. */
LINPRED_API linpred_status linpred_inspect(const char *path, const linpred_options *options,
                                           linpred_inspection **inspection, linpred_error *error);
LINPRED_API int64_t linpred_inspection_rows(const linpred_inspection *inspection);
LINPRED_API int32_t linpred_inspection_columns(const linpred_inspection *inspection);
LINPRED_API const char *linpred_inspection_format(const linpred_inspection *inspection); /* as a sentence */
LINPRED_API bool linpred_inspection_column(const linpred_inspection *inspection, int32_t column,
                                           linpred_column_report *report); /* false past the last */
/* What was guessed while the file was read, and why columns that hold numbers are text; false past the last. The kinds
   are those of linpred_data_warning. */
LINPRED_API bool linpred_inspection_note(const linpred_inspection *inspection, size_t index, linpred_note *note);
/* Level `index` of a text column, most frequent first, with its count; NULL past the last. */
LINPRED_API const char *linpred_inspection_level(const linpred_inspection *inspection, int32_t column, int32_t index,
                                                 int64_t *count);
LINPRED_API void linpred_inspection_free(linpred_inspection *inspection);

#ifdef __cplusplus
}
#endif
#endif
