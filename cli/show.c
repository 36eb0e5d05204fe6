/* What several commands show: cells of tables, mistakes, coefficients, figures and witnesses. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "names.h"

enum { SHOWN = 25 }; /* coefficients that fit into a screen */

int cli_width(const char *text)
{
    char flat[NAMES_BYTES];
    names_flat(text, flat);
    return names_length(flat);
}

/* Prints a text cut to `max` characters: see names_cut. */
static void print_flat(FILE *out, const char *text, size_t common, int max)
{
    char cut[NAMES_BYTES];
    names_cut(text, common, max, cut);
    for (const char *c = cut; *c; c++)
        fputc((unsigned char)*c < 0x20 || *c == 0x7F ? '?' : *c, out);
}

void cli_print_cut(FILE *out, const char *text, int max)
{
    char flat[NAMES_BYTES];
    names_flat(text, flat);
    print_flat(out, flat, 0, max);
}

void cli_print_cell(const char *text, int max, bool before)
{
    int width = cli_width(text), padding = width < max ? max - width : 0;
    printf("%*s", before ? padding : 0, "");
    cli_print_cut(stdout, text, max);
    printf("%*s", before ? 0 : padding, "");
}

void cli_print_name(const linpred_model *model, int32_t column, int max)
{
    char flat[NAMES_BYTES];
    names_flat(cli_coefficient_name(model, column), flat);
    print_flat(stdout, flat, names_common(model, column, flat), max);
    int width = names_length(flat);
    printf("%*s", width < max ? max - width : 0, "");
}

void cli_print_note(const linpred_note *note, const char *(*level)(const void *from, const char *column, int32_t index),
                    const void *from)
{
    enum { LEVELS = 5 };
    if (strcmp(note->kind, "levels") != 0 || note->count - 1 <= LEVELS) {
        puts(note->sentence);
        return;
    }
    printf("text column '%s': %" PRId64 " levels, reference '%s', indicators", note->column, note->count,
           level(from, note->column, 0));
    for (int32_t k = 1; k <= LEVELS; k++)
        printf("%s '%s=%s'", k > 1 ? "," : "", note->column, level(from, note->column, k));
    printf(" … and %" PRId64 " more: with --json\n", note->count - 1 - LEVELS);
}

void cli_print_field(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

const char *cli_plural(int64_t count, const char *ending)
{
    return count == 1 ? "" : ending;
}

void cli_print_errors(const cli_figures *stated)
{
    char errors[40], weight[40];
    if (isnan(stated->errors)) {
        fputs("errors       not stated", stdout);
        return;
    }
    cli_format_sum(stated->errors, errors);
    cli_format_sum(stated->total_weight, weight);
    printf("errors       %s of %s (%.4g %%)", errors, weight, 100.0 * stated->errors / stated->total_weight);
}

void cli_print_weights(const linpred_result *result)
{
    const char *column = linpred_model_weights(linpred_result_model(result));
    char total[40];
    if (!column)
        return;
    cli_format_sum(linpred_result_number(result, "total_weight"), total);
    printf("weights      column %s, total %s (a weight of k counts as k copies)\n", column, total);
}

static json_t *labels_to_json(const linpred_model *model)
{
    json_t *labels = json_object();
    cli_set_text(labels, "target", linpred_model_target(model));
    cli_set_text(labels, "negative", linpred_model_label(model, -1));
    cli_set_text(labels, "positive", linpred_model_label(model, 1));
    return labels;
}

void cli_about_to_json(json_t *object, const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    json_t *notes = json_array();
    if (linpred_model_task(model) == LINPRED_TASK_REGRESSION)
        cli_set_text(object, "target", linpred_model_target(model));
    else
        json_object_set_new(object, "labels", labels_to_json(model));
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; linpred_model_note(model, i, &note); i++)
        json_array_append_new(notes, json_string(note.sentence));
    json_object_set_new(object, "notes", notes);
    if (linpred_model_weights(model))
        cli_set_text(object, "weights", linpred_model_weights(model));
}

int cli_print_features(const linpred_model *model)
{
    int32_t columns = linpred_model_columns(model);
    const double *w = linpred_model_coefficients(model);
    int width = 11;
    for (int32_t j = 0; j < columns && j < SHOWN; j++) {
        int length = cli_width(linpred_model_feature(model, j));
        width = length > width ? length < 40 ? length : 40 : width;
    }
    for (int32_t j = 0; j < columns && j < SHOWN; j++) {
        fputs("  ", stdout);
        cli_print_name(model, j, width);
        printf(" %16.9g\n", w[j] + 0.0); /* -0 is printed as 0 */
    }
    if (columns > SHOWN)
        printf("  … and %d more: in the model (-o) and with --json\n", columns - SHOWN);
    return width;
}

void cli_print_coefficients(const linpred_model *model)
{
    puts("coefficients");
    int width = cli_print_features(model);
    if (linpred_model_has_intercept(model))
        printf("  %-*s %16.9g\n", width, "(intercept)", linpred_model_intercept(model) + 0.0); /* no -0 */
}

json_t *cli_coefficients(const linpred_model *model)
{
    json_t *coefficients = json_object();
    for (int32_t j = 0; j < linpred_model_columns(model); j++)
        cli_set_number(coefficients, linpred_model_feature(model, j), linpred_model_coefficients(model)[j]);
    if (linpred_model_has_intercept(model))
        cli_set_number(coefficients, "(intercept)", linpred_model_intercept(model));
    return coefficients;
}

const char *cli_coefficient_name(const linpred_model *model, int32_t column)
{
    int32_t columns = linpred_model_columns(model);
    bool lifted = linpred_model_task(model) == LINPRED_TASK_BALL && column == columns;
    return column < columns ? linpred_model_feature(model, column) : lifted ? "|x|^2" : "(intercept)";
}

void cli_print_direction(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    enum { DIGITS = 60 };
    int32_t shown = 0, others = 0;
    bool cut_short = false;
    for (int32_t j = 0; linpred_result_direction(result, j); j++) {
        const char *entry = linpred_result_direction(result, j);
        if (strcmp(entry, "0") == 0)
            continue;
        if (shown++ >= SHOWN) {
            others++;
            continue;
        }
        bool is_long = strlen(entry) > DIGITS;
        fputs("  ", stdout);
        cli_print_name(model, j, 30);
        printf(" %.*s%s\n", DIGITS, entry, is_long ? "…" : "");
        cut_short = cut_short || is_long;
    }
    if (others > 0)
        printf("  … and %d more: with --json\n", others);
    if (cut_short)
        puts("  all their digits: with --json");
}

/* The rows that the direction of a loss without a minimum leaves, if they are proved to overlap. */
static int64_t rows_left(const linpred_result *result, const int64_t **row)
{
    size_t claim;
    bool left = linpred_result_claim_find(result, LINPRED_CLAIM_NO_MINIMISER, NULL) &&
                linpred_result_claim_find(result, LINPRED_CLAIM_OVERLAPPING, &claim);
    return left ? linpred_result_claim_rows(result, claim, row) : 0;
}

void cli_print_rows_left(const linpred_result *result)
{
    const int64_t *row;
    int64_t count = rows_left(result, &row);
    if (count == 0)
        return;
    printf("rows left   ");
    for (int64_t i = 0; i < count && i < SHOWN; i++)
        printf("%s %" PRId64, i ? "," : "", row[i]);
    printf("%s: no direction settles any of them; they overlap, and alone have a minimum\n",
           count > SHOWN ? ", … (all: with --json)" : "");
}

/* The weights of the finite part of a fit without a minimum, the intercept last; 0 if there are none. */
static int32_t finite_part(const linpred_result *result, const double **weights)
{
    size_t claim;
    return linpred_result_claim_find(result, LINPRED_CLAIM_FINITE_PART, &claim)
               ? linpred_result_claim_numbers(result, claim, weights)
               : 0;
}

void cli_print_finite_part(const linpred_result *result, const cli_figures *stated)
{
    const double *weights;
    int32_t count = finite_part(result, &weights), others = 0;
    if (count == 0)
        return;
    printf("finite part  no coefficients bring the objective below %.12g, and along v it comes as near as one likes "
           "from\n",
           stated->infimum);
    for (int32_t j = 0; j < count; j++) {
        if (j >= SHOWN && j < count - 1) {
            others++;
            continue;
        }
        fputs("  ", stdout);
        cli_print_name(linpred_result_model(result), j, 30);
        printf(" %.9g\n", weights[j] + 0.0); /* no -0 */
    }
    if (others > 0)
        printf("  … and %d more: with --json\n", others);
}

void cli_direction_to_json(json_t *object, const linpred_result *result)
{
    const int64_t *row;
    int64_t count = rows_left(result, &row);
    json_t *left = count > 0 ? json_array() : NULL;
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(left, json_integer(row[i]));
    if (left)
        json_object_set_new(object, "rows_left", left);
    if (!linpred_result_direction(result, 0))
        return;
    json_t *direction = json_object();
    for (int32_t j = 0; linpred_result_direction(result, j); j++)
        cli_set_text(direction, cli_coefficient_name(linpred_result_model(result), j),
                     linpred_result_direction(result, j));
    json_object_set_new(object, "direction", direction);
    const double *weights;
    count = finite_part(result, &weights);
    json_t *finite = count > 0 ? json_object() : NULL;
    for (int32_t j = 0; j < (int32_t)count; j++)
        cli_set_number(finite, cli_coefficient_name(linpred_result_model(result), j), weights[j]);
    if (finite)
        json_object_set_new(object, "finite_part", finite);
}

void cli_figures_to_json(json_t *object, const cli_figures *stated)
{
    if (stated->separation != LINPRED_SEPARATION_UNDECIDED && stated->separation != LINPRED_SEPARATION_INSEPARABLE)
        cli_set_text(object, "separation", linpred_separation_name(stated->separation));
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) cli_set_number(object, #name, stated->name);
#define LINPRED_FIGURE_COUNT(name, claims, meaning) cli_set_count(object, #name, stated->name);
#include "linpred/figures.def"
    json_object_del(object, "seconds"); /* cli_seconds_to_json adds it as an object */
    if (stated->unique >= 0)
        json_object_set_new(object, "unique", json_boolean(stated->unique));
}

void cli_witness_to_json(json_t *object, const linpred_result *result)
{
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    if (count == 0)
        return;
    json_t *rows = json_array();
    json_t *weights = json_array();
    for (int64_t i = 0; i < count; i++) {
        json_array_append_new(rows, json_integer(row[i]));
        json_array_append_new(weights, json_string(linpred_result_witness_weight(result, i)));
    }
    json_object_set_new(object, "witness_rows", rows);
    json_object_set_new(object, "witness_weights", weights);
}

void cli_seconds_to_json(json_t *object, double read, double fit, double verify)
{
    json_t *seconds = json_object();
    cli_set_number(seconds, "read", read);
    cli_set_number(seconds, "fit", fit);
    cli_set_number(seconds, "verify", verify);
    json_object_set_new(object, "seconds", seconds);
}
