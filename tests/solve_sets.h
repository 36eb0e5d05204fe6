/* Real data sets for tests, as signed homogeneous rows (the larger label counts as +1, a 1 is appended). Read by a few
 * lines of their own, so that these tests need nothing but src/solve. */
#ifndef LINPRED_TESTS_SOLVE_SETS_H
#define LINPRED_TESTS_SOLVE_SETS_H

#include "solve_reference.h"
#include "reference_data.h"

typedef struct set {
    linpred__rows rows;
    double *values;
    int64_t *start;
    int32_t *indices;
} set;

static inline void set_free(set *s)
{
    free(s->values);
    free(s->start);
    free(s->indices);
}

/* Space for one entry more. */
static inline void set_grow(set *s, int64_t entries, int64_t *capacity)
{
    if (entries < *capacity)
        return;
    *capacity *= 2;
    s->values = realloc(s->values, (size_t)*capacity * sizeof *s->values);
    s->indices = realloc(s->indices, (size_t)*capacity * sizeof *s->indices);
}

/* Rows without the largest label are negated; the 1 of each row gets its column. */
static inline void set_sign(set *s, const double *label, int32_t rows, int32_t columns)
{
    double top = label[0];
    for (int32_t i = 0; i < rows; i++)
        top = label[i] > top ? label[i] : top;
    for (int32_t i = 0; i < rows; i++)
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            if (label[i] != top)
                s->values[e] = -s->values[e];
            if (s->indices[e] < 0)
                s->indices[e] = columns;
        }
}

/* A set of the folder classify of the reference data. False: not there. */
static inline bool set_read(const char *name, set *s)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/classify/%s", reference_data(), name);
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("skipped: no %s\n", path);
        return false;
    }
    bool csv = strstr(name, ".csv");
    size_t line_capacity = 0;
    char *line = NULL;
    int64_t entries = 0, entry_room = 1 << 16;
    int32_t rows = 0, row_room = 1 << 12, columns = 0;
    double *label = malloc((size_t)row_room * sizeof *label);
    s->values = malloc((size_t)entry_room * sizeof *s->values);
    s->indices = malloc((size_t)entry_room * sizeof *s->indices);
    s->start = malloc(((size_t)row_room + 1) * sizeof *s->start);
    s->start[0] = 0;
    if (csv && getline(&line, &line_capacity, file) < 0)
        fail();
    while (getline(&line, &line_capacity, file) > 0) {
        char *at = line;
        if (rows == row_room) {
            row_room *= 2;
            label = realloc(label, (size_t)row_room * sizeof *label);
            s->start = realloc(s->start, ((size_t)row_room + 1) * sizeof *s->start);
        }
        label[rows] = strtod(at, &at);
        for (int32_t column = 0;; column++) {
            while (*at == ',' || *at == ' ')
                at++;
            if (*at == '\0' || *at == '\n' || *at == '\r')
                break;
            set_grow(s, entries, &entry_room);
            if (!csv) {
                column = (int32_t)strtol(at, &at, 10);
                at++; /* the colon */
            }
            s->values[entries] = strtod(at, &at);
            s->indices[entries++] = column;
            columns = column + 1 > columns ? column + 1 : columns;
        }
        set_grow(s, entries, &entry_room);
        s->values[entries] = 1;
        s->indices[entries++] = -1; /* its column is known at the end */
        s->start[++rows] = entries;
    }
    free(line);
    fclose(file);
    set_sign(s, label, rows, columns);
    free(label);
    s->rows = (linpred__rows){rows, columns + 1, s->values, s->start, s->indices, NULL};
    return true;
}

#endif
