/* Claims on the page: sentence, verdict, what the check found, and why that proves it; witnesses as tables that a
 * person can check by hand. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cli.h"
#include "page.h"

enum { MAX_ROWS = 40, MAX_COLUMNS = 8 }; /* of a table that a person reads */

/* A sentence that begins with a capital and ends with a stop. */
static void write_sentence(FILE *out, const char *text)
{
    char first[2] = {(char)toupper((unsigned char)*text), '\0'};
    if (!*text)
        return;
    svg_escape(out, first);
    svg_escape(out, text + 1);
    fputs(text[strlen(text) - 1] == '.' ? "" : ".", out);
}

void page_answer(FILE *out, const linpred_result *result)
{
    bool any = false;
    for (size_t i = 0; i < linpred_result_claim_count(result); i++) {
        if (!linpred_result_claim_is_main(result, i) || linpred_result_claim_kind(result, i) == LINPRED_CLAIM_DATA)
            continue;
        fputs(any ? " " : "", out);
        write_sentence(out, linpred_result_claim_sentence(result, i));
        any = true;
    }
    if (!any)
        write_sentence(out, linpred_result_reason(result));
}

/* ---- witnesses ---- */

static void open_witness(FILE *out, const char *name, const char *weight, const linpred_data *data, int32_t columns)
{
    page_open_table(out, name, false);
    fprintf(out, "<thead><tr><th scope=\"col\">Row</th><th scope=\"col\">Label</th><th scope=\"col\">%s</th>", weight);
    for (int32_t j = 0; j < columns; j++) {
        fputs("<th scope=\"col\">", out);
        svg_escape(out, linpred_data_feature(data, j));
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

/* Row, label and the first values of a row of the file; `weight` was written before. */
static void write_witness_row(FILE *out, const page_subject *subject, int64_t row, const char *weight, double *values)
{
    const linpred_data *data = subject->drawn.data;
    const linpred_model *model = linpred_result_model(subject->drawn.result);
    int32_t columns = linpred_data_columns(data);
    double label = NAN;
    bool known = linpred_check_same_data(subject->check) && linpred_data_row(data, row, values, &label);
    fprintf(out, "<tr><td>%" PRId64 "</td><td>", row);
    if (known && linpred_model_task(model) != LINPRED_TASK_REGRESSION)
        svg_escape(out, linpred_model_label(model, label > 0 ? 1 : -1));
    else if (known)
        fprintf(out, "%.9g", label);
    fputs("</td><td>", out);
    svg_escape(out, weight);
    fputs("</td>", out);
    for (int32_t j = 0; j < columns && j < MAX_COLUMNS; j++)
        page_number_cell(out, known ? values[j] : NAN, 15);
    fputs("</tr>\n", out);
}

static void write_rows(FILE *out, const page_subject *subject, size_t claim, bool integers)
{
    const linpred_result *result = subject->drawn.result;
    const linpred_data *data = subject->drawn.data;
    const int64_t *row;
    int64_t count = linpred_result_claim_rows(result, claim, &row);
    int32_t columns = linpred_data_columns(data);
    double *values = calloc(columns > 0 ? (size_t)columns : 1, sizeof *values);
    if (count == 0 || !values) {
        free(values);
        return;
    }
    open_witness(out, integers ? "The rows of the proof" : "The rows that support it",
                 integers ? "Whole number λ" : "Multiplier α", data, columns < MAX_COLUMNS ? columns : MAX_COLUMNS);
    for (int64_t i = 0; i < count && i < MAX_ROWS; i++) {
        char number[40];
        const char *integer = integers ? linpred_result_claim_integer(result, claim, i) : NULL;
        svg_people(integers ? 0 : linpred_result_claim_multiplier(result, claim, i, NULL), 9, number);
        write_witness_row(out, subject, row[i], integer ? integer : number, values);
    }
    page_close_table(out);
    if (count > MAX_ROWS || columns > MAX_COLUMNS)
        fprintf(out,
                "<p>Shown: %" PRId64 " of %" PRId64
                " rows, %d of %d features. The model file and the data have all.</p>\n",
                count < MAX_ROWS ? count : MAX_ROWS, count, columns < MAX_COLUMNS ? columns : MAX_COLUMNS, columns);
    free(values);
}

static void write_direction(FILE *out, const page_subject *subject, size_t claim)
{
    const linpred_model *model = linpred_result_model(subject->drawn.result);
    int32_t columns = linpred_model_columns(model);
    if (!linpred_result_claim_integer(subject->drawn.result, claim, 0))
        return;
    page_open_table(out, "The direction, in whole numbers", false);
    fputs("<thead><tr><th scope=\"col\">Feature</th><th scope=\"col\">v</th></tr></thead>\n<tbody>\n", out);
    for (int32_t j = 0; j < MAX_ROWS; j++) {
        const char *integer = linpred_result_claim_integer(subject->drawn.result, claim, j);
        if (!integer)
            break;
        fputs("<tr><td>", out);
        svg_escape(out, j < columns ? linpred_model_feature(model, j) : "(intercept)");
        fputs("</td><td>", out);
        svg_escape(out, integer);
        fputs("</td></tr>\n", out);
    }
    page_close_table(out);
}

/* ---- proofs in words ---- */

/* Why what was found proves the claim, for a reader without the source; NULL: the meaning of the kind says it all. */
static const char *why(linpred_claim_kind kind)
{
    switch (kind) {
    case LINPRED_CLAIM_SEPARATES:
        return "Each row's score was computed again with a bound on its rounding; where the bound leaves the sign "
               "open, it "
               "was settled in exact arithmetic.";
    case LINPRED_CLAIM_ERRORS:
        return "Each row's sign was computed again, with certainty, and the rows on the wrong side were counted.";
    case LINPRED_CLAIM_INSEPARABLE:
        return "To check it by hand: multiply the rows below by their whole numbers λ. The sum over one label and the "
               "sum "
               "over the other are then the same in every column, and so are the sums of λ (with an intercept). Both "
               "labels "
               "have a point in common, and no hyperplane has that point on both of its sides.";
    case LINPRED_CLAIM_OVERLAPPING:
        return "To check it by hand: multiply the rows below by their whole numbers λ; both labels then sum to the "
               "same in "
               "every column. Any direction that leaves no row on its wrong side must therefore be 0 on all these "
               "rows, "
               "which span all rows.";
    case LINPRED_CLAIM_NO_MINIMISER:
        return "Moving along the direction below makes no row's loss larger and some smaller, for ever: there is no "
               "minimum.";
    case LINPRED_CLAIM_LARGEST_MARGIN:
    case LINPRED_CLAIM_MARGIN_AT_MOST:
    case LINPRED_CLAIM_OTHER_MARGIN:
        return "The rows below, each times its label and its multiplier α, average to a vector. No halfspace has a "
               "larger "
               "margin on these rows than the length of that vector, so none has on all rows.";
    case LINPRED_CLAIM_FEWEST_ERRORS:
        return "The model file holds subsets of rows that no predictor gets all right, each proved in whole numbers, "
               "and a "
               "tree of bounds over them: every predictor is wrong on at least so many.";
    case LINPRED_CLAIM_LEAST_SQUARES:
        return "At a minimum the residuals are orthogonal to every column. They were computed again with more digits, "
               "and "
               "what is left bounds how far the coefficients are from the exact ones.";
    case LINPRED_CLAIM_LEAST_ABSOLUTE:
        return "Every row has a multiplier between -1 and 1, ±1 off the fit, so that the rows times their multipliers "
               "sum to "
               "0: no other coefficients have a smaller loss. The rows on the fit and their multipliers are below.";
    case LINPRED_CLAIM_LOGISTIC_OPTIMUM:
        return "Gradient and curvature at the coefficients were computed again. Together they prove that a minimum "
               "exists "
               "and bound how much lower it can be.";
    case LINPRED_CLAIM_DATA:
        return "Number, weight and fingerprint of the rows were computed again.";
    default:
        return NULL;
    }
}

static void write_proof(FILE *out, const page_subject *subject, size_t index)
{
    linpred_claim_kind kind = linpred_result_claim_kind(subject->drawn.result, index);
    linpred_witness witness = linpred_claim_witness(kind);
    bool table = witness == LINPRED_WITNESS_COMBINATION;
    fprintf(out, "<details%s>\n<summary>The proof, in words</summary>\n<p>", table ? " open" : "");
    fputs(why(kind) ? why(kind) : "", out);
    fputs(why(kind) ? "</p>\n<p>" : "", out);
    fputs("In short: ", out);
    svg_escape(out, linpred_claim_meaning(kind));
    fputs(".</p>\n", out);
    if (witness == LINPRED_WITNESS_COMBINATION)
        write_rows(out, subject, index, true);
    else if (witness == LINPRED_WITNESS_SUPPORT || witness == LINPRED_WITNESS_MARGIN)
        write_rows(out, subject, index, false);
    else if (witness == LINPRED_WITNESS_DIRECTION)
        write_direction(out, subject, index);
    fputs("</details>\n", out);
}

static void write_claim(FILE *out, const page_subject *subject, size_t index)
{
    const linpred_result *result = subject->drawn.result;
    linpred_verdict found = linpred_check_claim_verdict(subject->check, index);
    const char *verdict = linpred_verdict_name(found);
    char word[40];
    fprintf(out, "<li id=\"claim-%s\" data-verdict=\"%s\">\n<p><strong class=\"verdict %s\">%s</strong> ",
            linpred_claim_name(linpred_result_claim_kind(result, index)), verdict, verdict,
            cli_verdict_text(subject->check, found, word));
    write_sentence(out, linpred_result_claim_sentence(result, index));
    fputs("</p>\n<p>Found: ", out);
    svg_escape(out, linpred_check_claim_finding(subject->check, index));
    fputs(".</p>\n", out);
    write_proof(out, subject, index);
    fputs("</li>\n", out);
}

void page_claims(FILE *out, const page_subject *subject)
{
    const linpred_result *result = subject->drawn.result;
    fputs(
        "<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">What is claimed, and whether it holds</h2>\n"
        "<p>Each claim was checked against the rows by code that does not know how the model was found. The verdict of "
        "the whole is that of the weakest main claim.</p>\n",
        out);
    for (int main = 1; main >= 0; main--) {
        bool open = false;
        for (size_t i = 0; i < linpred_result_claim_count(result); i++) {
            if (linpred_result_claim_is_main(result, i) != (main == 1))
                continue;
            if (!open)
                fprintf(out, "<h3>%s</h3>\n<ol class=\"claims\">\n", main ? "Main claims" : "Details");
            open = true;
            write_claim(out, subject, i);
        }
        fputs(open ? "</ol>\n" : "", out);
    }
    fputs("</section>\n", out);
}
