/* Rows for pictures: see rows.h. */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A picture needs no more entries than this; of more rows it takes every second, third, … */
static const double most_entries = 3e8;

void draw_rows_clear(draw_rows *rows)
{
    if (rows->shared)
        return;
    free(rows->leverage);
    free(rows->row);
    free(rows->target);
    free(rows->weight);
    free(rows->score);
    free(rows->mean);
    free(rows->spread);
}

/* Scores of all rows of the file come first, then those of the rows that are drawn. */
static linpred_status read_scores(draw_rows *rows, const draw_subject *subject, linpred_error *error)
{
    int64_t places = linpred_data_rows_in_file(subject->data);
    rows->score = calloc(places > 0 ? (size_t)places : 1, sizeof *rows->score);
    if (!rows->score)
        return draw_no_memory(error);
    return linpred_score(linpred_result_model(subject->result), subject->data, subject->threads, rows->score, error);
}

/* Means and spreads about the first row, so that columns far from 0 keep their digits. */
static void finish_moments(draw_rows *rows, const double *first)
{
    double n = rows->count > 0 ? (double)rows->count : 1;
    for (int32_t j = 0; j < rows->columns; j++) {
        double mean = rows->mean[j] / n;
        rows->spread[j] = sqrt(fmax(0, rows->spread[j] / n - mean * mean));
        rows->mean[j] = first[j] + mean;
    }
}

static bool is_weighted(const linpred_data *data)
{
    linpred_shape shape = {.struct_size = sizeof shape};
    return linpred_data_shape(data, &shape) && shape.weighted;
}

linpred_status draw_rows_read(draw_rows *rows, const draw_subject *subject, linpred_error *error)
{
    const linpred_data *data = subject->data;
    int64_t all = linpred_data_rows(data);
    int32_t columns = linpred_data_columns(data);
    if (subject->read) {
        *rows = *subject->read;
        rows->shared = true;
        return LINPRED_OK;
    }
    *rows = (draw_rows){.columns = columns};
    rows->every = 1 + (int64_t)((double)all * columns / most_entries);
    rows->count = (all + rows->every - 1) / rows->every;
    size_t n = rows->count > 0 ? (size_t)rows->count : 1, width = columns > 0 ? (size_t)columns : 1;
    rows->row = calloc(n, sizeof *rows->row);
    rows->target = calloc(n, sizeof *rows->target);
    bool weighted = is_weighted(data);
    rows->weight = weighted ? calloc(n, sizeof *rows->weight) : NULL;
    rows->mean = calloc(width, sizeof *rows->mean);
    rows->spread = calloc(width, sizeof *rows->spread);
    double *x = calloc(2 * width, sizeof *x);
    bool made = rows->row && rows->target && rows->mean && rows->spread && x && (!weighted || rows->weight);
    linpred_status status = made ? read_scores(rows, subject, error) : draw_no_memory(error);
    double *first = x ? x + width : NULL;
    for (int64_t i = 0; status == LINPRED_OK && i < rows->count; i++) {
        rows->row[i] = linpred_data_source_row(data, i * rows->every);
        linpred_data_row(data, rows->row[i], x, &rows->target[i]);
        rows->score[i] = rows->score[rows->row[i] - 1];
        if (weighted) {
            rows->weight[i] = linpred_data_row_weight(data, rows->row[i]);
            rows->usual_weight += rows->weight[i] / (double)rows->count;
        }
        if (i == 0)
            memcpy(first, x, (size_t)columns * sizeof *x);
        for (int32_t j = 0; j < columns; j++) {
            double from_first = x[j] - first[j];
            rows->mean[j] += from_first;
            rows->spread[j] += from_first * from_first;
        }
    }
    if (status == LINPRED_OK)
        finish_moments(rows, first);
    free(x);
    return status;
}

/* Leverages of all rows of the file come first, then those of the rows that are drawn. */
static linpred_status read_leverages(draw_rows *rows, const draw_subject *subject, linpred_error *error)
{
    double *leverage = calloc((size_t)linpred_data_rows_in_file(subject->data) + 1, sizeof *leverage);
    if (!leverage)
        return draw_no_memory(error);
    linpred_status status =
        linpred_leverage(linpred_result_model(subject->result), subject->data, subject->threads, leverage, error);
    for (int64_t i = 0; status == LINPRED_OK && i < rows->count; i++)
        leverage[i] = leverage[rows->row[i] - 1];
    if (status == LINPRED_OK)
        rows->leverage = leverage;
    else
        free(leverage);
    return status == LINPRED_ERROR_USAGE ? LINPRED_OK : status;
}

linpred_status draw_rows_leverage(draw_rows *rows, const draw_subject *subject, linpred_error *error)
{
    draw_rows *owner = subject->read ? subject->read : rows;
    linpred_status status = owner->asked ? LINPRED_OK : read_leverages(owner, subject, error);
    owner->asked = status == LINPRED_OK;
    rows->leverage = owner->leverage;
    return status;
}

static double length_along(const double *along, const double *values, int32_t columns)
{
    double sum = 0;
    for (int32_t j = 0; j < columns; j++)
        sum += along[j] != 0 ? along[j] * values[j] : 0;
    return sum;
}

linpred_status draw_rows_along(const draw_rows *rows, const draw_subject *subject, const double *along, double *x,
                               double *y, linpred_error *error)
{
    double *values = calloc(rows->columns > 0 ? (size_t)rows->columns : 1, sizeof *values), label;
    if (!values)
        return draw_no_memory(error);
    for (int64_t i = 0; i < rows->count; i++) {
        linpred_data_row(subject->data, rows->row[i], values, &label);
        x[i] = length_along(along, values, rows->columns);
        if (y)
            y[i] = length_along(along + rows->columns, values, rows->columns);
    }
    free(values);
    return LINPRED_OK;
}

int64_t draw_rows_find(const draw_rows *rows, int64_t file_row)
{
    int64_t low = 0, high = rows->count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (rows->row[middle] < file_row)
            low = middle + 1;
        else
            high = middle;
    }
    return rows->count > 0 && rows->row[low] == file_row ? low : -1;
}

/* The feature of this name, or number where no name fits; -1 if there is none. */
static int32_t find_feature(const linpred_data *data, const char *name, size_t length)
{
    char *end = NULL;
    for (int32_t j = 0; j < linpred_data_columns(data); j++)
        if (strncmp(linpred_data_feature(data, j), name, length) == 0 && linpred_data_feature(data, j)[length] == '\0')
            return j;
    long number = strtol(name, &end, 10);
    return end == name + length && length > 0 && number >= 1 && number <= linpred_data_columns(data)
               ? (int32_t)number - 1
               : -1;
}

linpred_status draw_find_axes(const draw_subject *subject, int32_t column[2], linpred_error *error)
{
    enum { MOST = 256 };
    const char *words[MOST], *axes = subject->axes, *comma = strchr(axes, ',');
    size_t n = 0, first = comma ? (size_t)(comma - axes) : strlen(axes);
    if (!comma)
        return draw_fail(error, LINPRED_ERROR_USAGE,
                         "--axes takes two features with a comma between them, not '%.100s'", axes);
    for (; comma; comma = strchr(comma + 1, ',')) { /* a name may hold commas itself */
        column[0] = find_feature(subject->data, axes, (size_t)(comma - axes));
        column[1] = find_feature(subject->data, comma + 1, strlen(comma + 1));
        if (column[0] >= 0 && column[1] >= 0 && column[0] != column[1])
            return LINPRED_OK;
    }
    if (column[0] >= 0 && column[0] == column[1])
        return draw_fail(error, LINPRED_ERROR_USAGE, "--axes names one feature twice");
    bool is_first = find_feature(subject->data, axes, first) < 0;
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(first < 199 ? first : 199), axes);
    if (!is_first)
        snprintf(name, sizeof name, "%s", axes + first + 1);
    for (int32_t j = 0; n < MOST && j < linpred_data_columns(subject->data); j++)
        words[n++] = linpred_data_feature(subject->data, j);
    const char *near = linpred_nearest(name, words, n);
    return draw_fail(error, LINPRED_ERROR_USAGE, "--axes: there is no feature '%.100s'%s%.100s%s", name,
                     near ? "; did you mean '" : "; linpred inspect MODEL lists them", near ? near : "",
                     near ? "'?" : "");
}
