/* The page from top to bottom: see page.h. What comes from files goes through svg_escape. */
#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cli.h"
#include "../draw/rows.h"

static void term(FILE *out, const char *name)
{
    fprintf(out, "<dt>%s</dt><dd>", name);
}

static void open_page(FILE *out, const page_subject *subject)
{
    const linpred_model *model = linpred_result_model(subject->drawn.result);
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    svg_escape(out, linpred_model_target(model));
    fprintf(out, ": report on a model of fit %s</title>\n<style>\n", linpred_task_name(linpred_model_task(model)));
    fputs(page_style, out);
    svg_style(out, SVG_AUTO);
    fputs("\n</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#claims\">To the claims</a>\n", out);
}

/* "PARTLY PROVED" with its meaning. */
static void write_verdict(FILE *out, const page_subject *subject)
{
    static const char *const meanings[] = {
        [LINPRED_PROVED] = "checked in exact arithmetic, or with all rounding bounded",
        [LINPRED_WITHIN_TOLERANCE] = "checked up to a small relative difference, which is stated",
        [LINPRED_RECOMPUTED] = "the same came out again, by code that the fit uses too",
        [LINPRED_PARTLY_PROVED] = "nothing speaks against it, but not all of it could be checked",
        [LINPRED_REFUTED] = "the rows contradict what the model claims",
    };
    linpred_verdict verdict = linpred_check_verdict(subject->check);
    char word[40];
    bool other_rows = !linpred_check_same_data(subject->check);
    fprintf(out, "<p><strong class=\"verdict %s\">%s</strong> %s%s.</p>\n", linpred_verdict_name(verdict),
            cli_verdict_text(subject->check, verdict, word),
            other_rows && verdict == LINPRED_PARTLY_PROVED ? "the claims speak of the rows of the fit"
                                                           : meanings[verdict],
            other_rows ? "; these are not its rows, or not in its order" : "");
}

static void write_top(FILE *out, const page_subject *subject)
{
    const linpred_result *result = subject->drawn.result;
    const linpred_model *model = linpred_result_model(result);
    int32_t features = linpred_model_columns(model);
    fputs("<header>\n<p class=\"lead\">linpred report</p>\n<h1>", out);
    svg_escape(out, linpred_model_target(model));
    fprintf(out, " by %d feature%s</h1>\n<p class=\"answer\" id=\"answer\">", features, features == 1 ? "" : "s");
    page_answer(out, result);
    fputs("</p>\n", out);
    write_verdict(out, subject);
    fputs("</header>\n", out);
}

/* ---- what was fitted ---- */

static void write_notes(FILE *out, const linpred_model *model)
{
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; linpred_model_note(model, i, &note); i++) {
        fputs(i > 0 ? "<br>" : "", out);
        svg_escape(out, note.sentence);
    }
}

static void write_about(FILE *out, const page_subject *subject)
{
    const linpred_result *result = subject->drawn.result;
    const linpred_model *model = linpred_result_model(result);
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_data_shape(subject->drawn.data, &shape);
    char rows[32];
    svg_count(shape.rows, rows);
    fputs("<section aria-labelledby=\"about\">\n<h2 id=\"about\">What was fitted, on what</h2>\n<dl>\n", out);
    term(out, "Task");
    fprintf(out, "fit %s", linpred_task_name(linpred_model_task(model)));
    if (linpred_model_task(model) == LINPRED_TASK_REGRESSION)
        fprintf(out, ", %s loss", linpred_model_loss(model) == LINPRED_LOSS_SQUARED ? "squared" : "absolute");
    fputs("</dd>\n", out);
    term(out, "Method");
    fprintf(out, "%s</dd>\n", linpred_method_name(linpred_result_method(result)));
    term(out, "Outcome");
    fprintf(out, "<span id=\"outcome\">%s</span>", linpred_outcome_name(linpred_result_outcome(result)));
    if (linpred_result_reason(result) && *linpred_result_reason(result)) {
        fputs(": ", out);
        svg_escape(out, linpred_result_reason(result));
    }
    fputs("</dd>\n", out);
    term(out, "Rows");
    svg_escape(out, subject->data_path);
    fprintf(out, ": <span data-v=\"%" PRId64 "\" id=\"rows\">%s</span> rows", shape.rows, rows);
    if (shape.rows_in_file != shape.rows)
        fprintf(out, " of %" PRId64 " in the file", shape.rows_in_file);
    fprintf(out, ", %d features%s</dd>\n", shape.columns,
            linpred_check_same_data(subject->check) ? ", the rows of the fit" : ", not the rows of the fit");
    term(out, linpred_model_task(model) == LINPRED_TASK_REGRESSION ? "Target" : "Labels");
    write_notes(out, model);
    fputs("</dd>\n", out);
    if (linpred_model_weights(model)) {
        term(out, "Row weights");
        svg_escape(out, linpred_model_weights(model));
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n</section>\n", out);
}

/* ---- pictures ---- */

/* The rows are read once, for all pictures. */
static linpred_status write_pictures(FILE *out, const page_subject *subject, linpred_error *error)
{
    linpred_task task = linpred_model_task(linpred_result_model(subject->drawn.result));
    draw_rows rows;
    draw_subject drawn = subject->drawn;
    linpred_status status = draw_rows_read(&rows, &drawn, error);
    drawn.read = &rows;
    fputs("<section aria-labelledby=\"pictures\">\n<h2 id=\"pictures\">Pictures</h2>\n"
          "<p class=\"hint\">The line below a picture shows the values of the mark under the pointer. With the "
          "keyboard: go to a picture, then use the arrow keys.</p>\n",
          out);
    for (size_t i = 0; i < draw_kind_count && status == LINPRED_OK; i++) {
        const draw_kind *kind = &draw_kinds[i];
        char *text = NULL;
        size_t bytes = 0;
        if (!(kind->tasks & (1u << task)) || (kind->suits && !kind->suits(&drawn)))
            continue;
        status = draw_to_text(kind, &drawn, SVG_INLINE, (int)i + 1, &text, &bytes, error);
        if (status == LINPRED_OK) {
            fprintf(out, "<figure id=\"%s\">\n<div class=\"plot\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n",
                    kind->name, kind->help);
            fwrite(text, 1, bytes, out);
            fprintf(out,
                    "</div>\n<figcaption><span>%c%s.</span> <span class=\"value\" role=\"status\"></span>"
                    "</figcaption>\n</figure>\n",
                    kind->help[0] - 'a' + 'A', kind->help + 1);
        }
        free(text);
    }
    fputs("</section>\n", out);
    draw_rows_clear(&rows);
    return status;
}

/* ---- how to do it again ---- */

/* A word of a command line, quoted where a shell would read it otherwise. */
static void write_word(FILE *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=@%+-";
    char one[2] = "";
    if (*word && strspn(word, plain) == strlen(word)) {
        svg_escape(out, word);
        return;
    }
    fputs("&#39;", out);
    for (const char *from = word; *from; from += strcspn(from, "'") + (from[strcspn(from, "'")] == '\'')) {
        size_t length = strcspn(from, "'");
        char *part = strndup(from, length);
        svg_escape(out, part ? part : "");
        free(part);
        one[0] = from[length];
        fputs(*one ? "&#39;\\&#39;&#39;" : "", out);
    }
    fputs("&#39;", out);
}

static void write_again(FILE *out, const page_subject *subject)
{
    const linpred_result *result = subject->drawn.result;
    const linpred_model *model = linpred_result_model(result);
    linpred_option_text option = {.struct_size = sizeof option};
    fputs("<section aria-labelledby=\"again\">\n<h2 id=\"again\">How to do it again</h2>\n"
          "<p>The fit, to which the options belong by which its file was read (--drop, --weights, --positive and the "
          "like); what proves it; and this page:</p>\n<pre><code>",
          out);
    fprintf(out, "linpred fit %s ", linpred_task_name(linpred_model_task(model)));
    write_word(out, subject->data_path);
    fputs(" --target ", out);
    write_word(out, linpred_model_target(model));
    for (size_t i = 0; linpred_options_describe(i, &option); i++) {
        const char *value = linpred_result_option(result, option.name);
        if (!value)
            continue;
        fprintf(out, " --%s", option.name);
        if (*option.takes) {
            fputc(' ', out);
            write_word(out, value);
        }
    }
    fputs(" -o ", out);
    write_word(out, subject->model_path);
    for (int i = 0; i < 2; i++) {
        fprintf(out, "\nlinpred %s ", i ? "report" : "verify");
        write_word(out, subject->model_path);
        fputc(' ', out);
        write_word(out, subject->data_path);
    }
    fputs(" -o report.html</code></pre>\n", out);
    size_t claim;
    if (linpred_result_claim_find(result, LINPRED_CLAIM_DATA, &claim))
        fprintf(out, "<p>The fingerprint of the rows of the fit is <code>%016" PRIx64 "</code>.</p>\n",
                linpred_result_claim_fingerprint(result, claim));
    fputs("</section>\n", out);
}

static linpred_status write_page(FILE *out, const page_subject *subject, linpred_error *error)
{
    open_page(out, subject);
    write_top(out, subject);
    fputs("<main>\n", out);
    write_about(out, subject);
    page_claims(out, subject);
    page_coefficients(out, subject);
    linpred_status status = write_pictures(out, subject, error);
    page_figures(out, subject);
    write_again(out, subject);
    fprintf(out, "</main>\n<footer>linpred %s. This page loads nothing: it is whole as it is.</footer>\n<script>\n",
            linpred_version());
    fputs(page_script, out);
    fputs("</script>\n</body>\n</html>\n", out);
    return status;
}

linpred_status page_to_text(const page_subject *subject, char **text, size_t *bytes, linpred_error *error)
{
    *text = NULL;
    FILE *out = open_memstream(text, bytes);
    if (!out)
        return draw_no_memory(error);
    linpred_status status = write_page(out, subject, error);
    bool lost = ferror(out) != 0;
    if (fclose(out) != 0 || lost)
        status = status == LINPRED_OK ? draw_no_memory(error) : status;
    if (status != LINPRED_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
