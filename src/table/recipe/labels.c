/* Finds the two labels of a table, and decides which of them is +1: the one of --positive, else the larger number or
 * the text that comes later in the order of bytes. Only rows that will be in the data count. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/limits.h"
#include "table/cells/markers.h"
#include "table/recipe/encode_rows.h"
#include "table/recipe/make.h"

enum { ADVICE = 320, LABEL_LIST = 256 }; /* bytes of the end of a message, and of a list of labels */

struct labels {
    double value[LINPRED__MAX_LABELS_SHOWN]; /* the first distinct labels, in the order of appearance */
    int count; /* number of distinct labels; LINPRED__MAX_LABELS_SHOWN + 1 stands for any larger number */
};

static void note_label(struct labels *labels, double value)
{
    for (int i = 0; i < labels->count && i < LINPRED__MAX_LABELS_SHOWN; i++)
        if (labels->value[i] == value)
            return;
    if (labels->count < LINPRED__MAX_LABELS_SHOWN)
        labels->value[labels->count] = value;
    if (labels->count <= LINPRED__MAX_LABELS_SHOWN)
        labels->count++;
}

/* Whether all of the numbers, which stand `stride` apart, are one of the two labels that are known. */
LINPRED__FAST static bool are_known(const struct labels *labels, const double *number, int64_t stride, int32_t count)
{
    double one = labels->value[0], other = labels->value[1];
    int unknown = labels->count != 2;
    for (int32_t i = 0; i < count; i++)
        unknown |= (number[i * stride] != one) & (number[i * stride] != other);
    return !unknown;
}

/* The distinct labels of the rows that will be in the data. */
static struct labels find_labels(const linpred__table *table, const linpred__roles *roles, const bool *used)
{
    struct labels labels = {.count = 0};
    bool sparse = table->layout == LINPRED__SPARSE;
    for (int64_t b = 0; b < table->blocks && labels.count <= LINPRED__MAX_LABELS_SHOWN; b++) {
        const linpred__table_block *block = &table->block[b];
        const double *label = sparse ? block->target : block->values + roles->target;
        int64_t stride = sparse ? 1 : table->columns, row = b * table->block_rows;
        if (are_known(&labels, label, stride, block->rows)) /* mostly all are */
            continue;
        for (int32_t r = 0; r < block->rows; r++)
            if (sparse || !used || used[row + r])
                note_label(&labels, label[r * stride]);
    }
    return labels;
}

/* A label as text: the level, or the number written into `buffer`. */
static const char *label_text(const linpred__table *table, const linpred__recipe *recipe, const linpred__roles *roles,
                              double value, char buffer[LINPRED__NUMBER_BYTES])
{
    if (recipe->target_type == LINPRED_COLUMN_TEXT)
        return table->column[roles->target].level[(int64_t)value];
    linpred__number_write(value, buffer);
    return buffer;
}

/* Writes what to do if there are more than two labels: two of them may be the same word, written in two ways. */
static void advise(const linpred__table *table, const linpred__recipe *recipe, const linpred__roles *roles,
                   const struct labels *labels, char text[ADVICE])
{
    snprintf(text, ADVICE, "--positive LABEL takes one of them against the rest, or choose another column with -t");
    if (recipe->target_type != LINPRED_COLUMN_TEXT)
        return;
    const linpred__column *target = &table->column[roles->target];
    if (target->odd) {
        char place[LINPRED__LINE_TEXT], line[40];
        snprintf(line, sizeof line, "%s %lld", table->lines_are_rows ? "row" : "line", (long long)target->odd_line);
        const char *where = line;
        if (table->file && linpred__table_place(table, target->odd_line, place)[0])
            where = place + 2; /* after ", " */
        snprintf(text, ADVICE, "it is text because '%.30s' in %.150s %.60s; correct it, or choose another column",
                 target->odd, where, target->odd_why);
        return;
    }
    int shown = labels->count < LINPRED__MAX_LABELS_SHOWN ? labels->count : LINPRED__MAX_LABELS_SHOWN;
    for (int i = 0; i < shown; i++) {
        const char *label = label_text(table, recipe, roles, labels->value[i], NULL);
        if (linpred__usual_marker(label, strlen(label)) >= 0) {
            snprintf(text, ADVICE, "--na 'NA,?,%s' makes '%s' a missing value, and --missing drop leaves its rows out",
                     label, label);
            return;
        }
    }
    for (int i = 0; i < shown; i++)
        for (int k = i + 1; k < shown; k++) {
            const char *a = label_text(table, recipe, roles, labels->value[i], NULL);
            const char *b = label_text(table, recipe, roles, labels->value[k], NULL);
            if (linpred__nearly_same(a, b)) {
                snprintf(text, ADVICE, "'%.30s' and '%.30s' differ in capitals or blanks only: write them alike", a, b);
                return;
            }
        }
}

/* Writes "a, b, c, …" and returns it. */
static const char *list_labels(const linpred__table *table, const linpred__recipe *recipe, const linpred__roles *roles,
                               const struct labels *labels, char list[LABEL_LIST])
{
    list[0] = '\0';
    int shown = labels->count < LINPRED__MAX_LABELS_SHOWN ? labels->count : LINPRED__MAX_LABELS_SHOWN;
    for (int i = 0; i < shown; i++) {
        char buffer[LINPRED__NUMBER_BYTES];
        size_t used = strlen(list);
        snprintf(list + used, LABEL_LIST - used, "%s%.40s", i ? ", " : "",
                 label_text(table, recipe, roles, labels->value[i], buffer));
    }
    if (labels->count > LINPRED__MAX_LABELS_SHOWN)
        snprintf(list + strlen(list), LABEL_LIST - strlen(list), ", …");
    return list;
}

static linpred_status wrong_number_of_labels(const linpred__table *table, const linpred__recipe *recipe,
                                             const linpred__roles *roles, const struct labels *labels,
                                             linpred_error *error)
{
    char list[LABEL_LIST];
    list_labels(table, recipe, roles, labels, list);
    if (labels->count == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no row is left: all have missing values or weight 0",
                             table->name);
    if (labels->count == 1)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, roles->target + 1,
                                "%s: all labels are the same, %.60s = %s, but two different labels are needed",
                                table->name, recipe->target, list);
    char advice[ADVICE];
    advise(table, recipe, roles, labels, advice);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, roles->target + 1,
                            "%s: label column '%.60s' has more than two values (%s), but it must have two; %s",
                            table->name, recipe->target, list, advice);
}

/* Length of `text` without the blanks that begin it, which *text is moved over, and those that end it. */
static size_t trimmed_length(const char **text)
{
    *text += strspn(*text, " \t");
    size_t length = strlen(*text);
    while (length > 0 && strchr(" \t", (*text)[length - 1]))
        length--;
    return length;
}

/* Whether `text` names the label `value` (shown as `name`). Blanks around either do not matter if `trimmed`. */
static bool is_label(const linpred__recipe *recipe, const char *text, const char *name, double value, bool trimmed)
{
    double number;
    if (recipe->target_type != LINPRED_COLUMN_TEXT) {
        size_t bytes = trimmed_length(&text);
        return linpred__number_read(text, bytes, &number) == LINPRED__NUMBER && number == value;
    }
    if (!trimmed)
        return strcmp(text, name) == 0;
    size_t given = trimmed_length(&text), length = trimmed_length(&name);
    return given == length && memcmp(text, name, length) == 0;
}

/* All rows have the same label: it is +1, and the label -1 has the name "". */
static linpred_status map_one_label(linpred__recipe *recipe, const linpred__table *table, const linpred__roles *roles,
                                    double value, linpred_error *error)
{
    char number[LINPRED__NUMBER_BYTES];
    const char *text = label_text(table, recipe, roles, value, number);
    recipe->label[1] = linpred__copy_text(text, strlen(text));
    recipe->label[0] = linpred__copy_text("", 0);
    recipe->label_value[1] = recipe->target_type == LINPRED_COLUMN_NUMBER ? value : NAN;
    recipe->label_value[0] = NAN;
    return recipe->label[0] && recipe->label[1] ? LINPRED_OK : linpred__no_memory(error);
}

/* Whether a row that will be in the data has the label of --positive; *value is the label. */
static bool find_label(const linpred__table *table, const linpred__recipe *recipe, const linpred__roles *roles,
                       const bool *used, const char *positive, bool trimmed, double *value)
{
    for (int64_t row = 0; row < table->rows; row++) {
        const linpred__table_block *block = &table->block[row / table->block_rows];
        int64_t r = row % table->block_rows;
        if (table->layout == LINPRED__DENSE && used && !used[row])
            continue;
        *value =
            table->layout == LINPRED__SPARSE ? block->target[r] : block->values[r * table->columns + roles->target];
        char number[LINPRED__NUMBER_BYTES];
        if (is_label(recipe, positive, label_text(table, recipe, roles, *value, number), *value, trimmed))
            return true;
    }
    return false;
}

static linpred_status no_such_label(const linpred__table *table, const linpred__recipe *recipe,
                                    const linpred__roles *roles, const struct labels *labels, const char *positive,
                                    linpred_error *error)
{
    char list[LABEL_LIST], buffer[LINPRED__EXCERPT];
    return linpred__fail_at(error, LINPRED_ERROR_USAGE, 0, roles->target + 1,
                            "%s: --positive '%s' is none of the labels of '%.60s', which are %s", table->name,
                            linpred__excerpt(positive, strlen(positive), buffer), recipe->target,
                            list_labels(table, recipe, roles, labels, list));
}

/* More than two labels, and --positive names one of them: it is +1, and all others are -1. */
static linpred_status map_rest(linpred__recipe *recipe, const linpred__table *table, const linpred__roles *roles,
                               const bool *used, const char *positive, linpred_error *error)
{
    struct labels labels = find_labels(table, roles, used);
    char number[LINPRED__NUMBER_BYTES];
    double value;
    if (!find_label(table, recipe, roles, used, positive, false, &value) &&
        !find_label(table, recipe, roles, used, positive, true, &value))
        return no_such_label(table, recipe, roles, &labels, positive, error);
    const char *text = label_text(table, recipe, roles, value, number);
    recipe->rest = true;
    recipe->label[1] = linpred__copy_text(text, strlen(text));
    recipe->label[0] = linpred__calloc(strlen(text) + sizeof "not ", 1);
    if (recipe->label[0]) {
        memcpy(recipe->label[0], "not ", 4);
        memcpy(recipe->label[0] + 4, text, strlen(text));
    }
    recipe->label_value[1] = recipe->target_type == LINPRED_COLUMN_NUMBER ? value : NAN;
    recipe->label_value[0] = NAN;
    return recipe->label[0] && recipe->label[1] ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__recipe_map_labels(linpred__recipe *recipe, const linpred__table *table,
                                          const linpred__roles *roles, const bool *used, const linpred_options *options,
                                          linpred_error *error)
{
    const char *positive = options->positive;
    struct labels labels = find_labels(table, roles, used);
    if (labels.count == 1 && options->one_class)
        return map_one_label(recipe, table, roles, labels.value[0], error);
    if (labels.count > 2 && positive)
        return map_rest(recipe, table, roles, used, positive, error);
    if (labels.count != 2)
        return wrong_number_of_labels(table, recipe, roles, &labels, error);
    char number[2][LINPRED__NUMBER_BYTES];
    const char *text[2];
    for (int i = 0; i < 2; i++)
        text[i] = label_text(table, recipe, roles, labels.value[i], number[i]);
    bool first_is_larger =
        recipe->target_type == LINPRED_COLUMN_TEXT ? strcmp(text[0], text[1]) > 0 : labels.value[0] > labels.value[1];
    int up = first_is_larger ? 0 : 1;
    if (positive) {
        int found = -1;
        for (int trimmed = 0; trimmed < 2 && found < 0; trimmed++)
            for (int i = 0; i < 2 && found < 0; i++)
                if (is_label(recipe, positive, text[i], labels.value[i], trimmed))
                    found = i;
        if (found < 0)
            return no_such_label(table, recipe, roles, &labels, positive, error);
        up = found;
    }
    for (int sign = 0; sign < 2; sign++) {
        int which = sign ? up : 1 - up;
        recipe->label[sign] = linpred__copy_text(text[which], strlen(text[which]));
        recipe->label_value[sign] = recipe->target_type == LINPRED_COLUMN_NUMBER ? labels.value[which] : NAN;
        if (!recipe->label[sign])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}
