/* Tables of numbers: the coefficients, which can be sorted, and the figures of the fit. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "page.h"

void page_number_cell(FILE *out, double value, int digits)
{
    char all[32], shown[40];
    if (isnan(value)) {
        fputs("<td data-v=\"\">–</td>", out);
        return;
    }
    linpred_number_text(value + 0.0, all);
    svg_people(value, digits, shown);
    fprintf(out, "<td data-v=\"%s\">%s</td>", all, shown);
}

void page_open_table(FILE *out, const char *name, bool sortable)
{
    fprintf(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table%s>\n<caption>%s</caption>\n",
        name, sortable ? " class=\"sortable\"" : "", name);
}

void page_close_table(FILE *out)
{
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void write_heads(FILE *out, const char *const *heads, size_t count)
{
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "<th scope=\"col\"><button type=\"button\">%s</button></th>", heads[i]);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static linpred_coefficient coefficient_of(const linpred_result *result, int32_t column)
{
    linpred_coefficient c = {sizeof c, NULL, NAN, NAN, NAN, NAN, NAN, NAN};
    linpred_result_coefficient(result, column, &c);
    return c;
}

static void write_centre(FILE *out, const linpred_model *model)
{
    static const char *const heads[] = {"Feature", "Centre"};
    double squared = linpred_model_radius_squared(model);
    page_open_table(out, "Centre of the ball", true);
    write_heads(out, heads, 2);
    for (int32_t j = 0; j < linpred_model_columns(model); j++) {
        fputs("<tr><td data-v=\"", out);
        svg_escape(out, linpred_model_feature(model, j));
        fputs("\">", out);
        svg_escape(out, linpred_model_feature(model, j));
        fputs("</td>", out);
        page_number_cell(out, linpred_model_centre(model)[j], 7);
        fputs("</tr>\n", out);
    }
    page_close_table(out);
    char all[32];
    linpred_number_text(sqrt(fmax(0, squared)), all);
    fprintf(out, "<p>Radius <span id=\"radius\" data-v=\"%s\">%s</span>%s</p>\n", all, all,
            squared > 0 ? "." : ": the ball is empty.");
}

static void write_coefficient(FILE *out, const linpred_coefficient *c, bool inference)
{
    fputs("<tr><td data-v=\"", out);
    svg_escape(out, c->name);
    fputs("\">", out);
    svg_escape(out, c->name);
    fputs("</td>", out);
    page_number_cell(out, c->value, 7);
    if (inference) {
        page_number_cell(out, c->standard_error, 4);
        page_number_cell(out, c->t, 4);
        page_number_cell(out, c->p, 3);
        page_number_cell(out, c->low, 5);
        page_number_cell(out, c->high, 5);
    }
    fputs("</tr>\n", out);
}

void page_coefficients(FILE *out, const page_subject *subject)
{
    enum { MOST = 2000 }; /* rows of a table that a browser sorts at once */
    const linpred_result *result = subject->drawn.result;
    const linpred_model *model = linpred_result_model(result);
    bool logistic = linpred_model_task(model) == LINPRED_TASK_LOGISTIC, inference = false;
    int32_t columns = linpred_model_columns(model), count = columns + linpred_model_has_intercept(model);
    char low[40], high[40];
    snprintf(low, sizeof low, "%g %% from", 100 * linpred_result_confidence(result));
    snprintf(high, sizeof high, "to");
    const char *const heads[] = {"Feature", "Coefficient", "Std. error", logistic ? "z" : "t", "p", low, high};
    for (int32_t j = 0; j < count && !inference; j++)
        inference = !isnan(coefficient_of(result, j).low);
    fputs("<section aria-labelledby=\"coefficients-heading\">\n<h2 id=\"coefficients-heading\">Coefficients</h2>\n",
          out);
    if (linpred_model_task(model) == LINPRED_TASK_BALL) {
        write_centre(out, model);
        fputs("</section>\n", out);
        return;
    }
    fputs(linpred_model_task(model) == LINPRED_TASK_REGRESSION
              ? "<p>The prediction changes by the coefficient when the feature grows by 1 and the others stay.</p>\n"
          : logistic
              ? "<p>The log odds change by the coefficient when the feature grows by 1 and the others stay.</p>\n"
              : "<p>The score changes by the coefficient when the feature grows by 1; its sign is the label.</p>\n",
          out);
    page_open_table(out, "Coefficients; a heading sorts by its column", true);
    write_heads(out, heads, inference ? 7 : 2);
    for (int32_t j = 0; j < count; j++) {
        linpred_coefficient c = coefficient_of(result, j);
        if (j < MOST || j == columns)
            write_coefficient(out, &c, inference);
    }
    page_close_table(out);
    if (columns > MOST)
        fprintf(out, "<p>The first %d of %d; all are in the model file.</p>\n", MOST, columns);
    if (linpred_result_no_standard_errors(result)) {
        fputs("<p>No standard errors: ", out);
        svg_escape(out, linpred_result_no_standard_errors(result));
        fputs(".</p>\n", out);
    }
    for (size_t i = 0; linpred_result_dependency_sentence(result, i); i++) {
        fputs("<p>", out);
        svg_escape(out, linpred_result_dependency_sentence(result, i));
        fputs(".</p>\n", out);
    }
    fputs("</section>\n", out);
}

void page_figures(FILE *out, const page_subject *subject)
{
    fputs("<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">All figures</h2>\n<details>\n"
          "<summary>Every number that the fit states, and what it means</summary>\n",
          out);
    page_open_table(out, "Figures", false);
    fputs("<thead><tr><th scope=\"col\">Figure</th><th scope=\"col\">Value</th><th "
          "scope=\"col\">Meaning</th></tr></thead>\n"
          "<tbody>\n",
          out);
    for (size_t i = 0; linpred_figure_name(i); i++) {
        const char *name = linpred_figure_name(i);
        double value = linpred_result_number(subject->drawn.result, name);
        if (isnan(value) || strstr(name, "seconds")) /* the same model gives the same page */
            continue;
        fprintf(out, "<tr id=\"figure-%s\"><td>%s</td>", name, name);
        page_number_cell(out, value, 9);
        fputs("<td class=\"words\">", out);
        svg_escape(out, linpred_figure_meaning(name));
        fputs("</td></tr>\n", out);
    }
    page_close_table(out);
    fputs("</details>\n</section>\n", out);
}
