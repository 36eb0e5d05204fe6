/* Whether rows are separated, quasi-separated or overlapping: the direction v that proves it, the rows that it settles
 * (y<v,z> > 0) and those that lie on its hyperplane; or the rows whose hulls meet. It is also why a logistic fit has no
 * minimum. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plane.h"

/* The integers of the direction as doubles, all divided by one power of ten. False: there is none. */
static bool direction_as_doubles(const linpred_result *result, int32_t columns, double *v, double *b)
{
    size_t longest = 1;
    for (int32_t j = 0; linpred_result_direction(result, j); j++) {
        size_t length = strlen(linpred_result_direction(result, j));
        longest = length > longest ? length : longest;
    }
    *b = 0;
    for (int32_t j = 0; j <= columns; j++) {
        const char *text = linpred_result_direction(result, j);
        if (!text)
            return j == columns && columns > 0; /* through the origin there is no intercept */
        char head[28];
        snprintf(head, sizeof head, "%.18s", text);
        double value = strtod(head, NULL) * pow(10, (double)strlen(text) - (double)strlen(head) - (double)longest + 6);
        *(j < columns ? &v[j] : b) = value;
    }
    return true;
}

/* The rows on the hyperplane of v, to rounding: those that v does not settle. */
static int64_t find_unsettled(const plane *drawn, const draw_subject *subject, const double *v, double b, int64_t *row)
{
    double *x = calloc((size_t)drawn->rows.columns + 1, sizeof *x), label;
    int64_t count = 0;
    for (int64_t i = 0; x && i < drawn->rows.count; i++) {
        linpred_data_row(subject->data, drawn->rows.row[i], x, &label);
        double sum = b, size = fabs(b);
        for (int32_t j = 0; j < drawn->rows.columns; j++) {
            sum += v[j] * x[j];
            size += fabs(v[j] * x[j]);
        }
        if (fabs(sum) <= 1e-12 * size)
            row[count++] = drawn->rows.row[i];
    }
    free(x);
    return count;
}

static void say_separation(const linpred_result *result, int64_t rows, int64_t unsettled, char *title, char *note,
                           size_t bytes)
{
    char all[32], on[32];
    svg_count(rows, all);
    svg_count(unsettled, on);
    switch (linpred_result_separation(result)) {
    case LINPRED_SEPARATION_SEPARATED:
        snprintf(title, bytes, "Separated");
        snprintf(note, bytes, "The direction v has all %s rows on their side: no logistic minimum", all);
        break;
    case LINPRED_SEPARATION_QUASI_SEPARATED:
        snprintf(title, bytes, "Quasi-separated");
        snprintf(note, bytes, "v has no row on the wrong side, %s of %s on its hyperplane: no logistic minimum", on,
                 all);
        break;
    case LINPRED_SEPARATION_OVERLAPPING:
        snprintf(title, bytes, "Overlapping");
        snprintf(note, bytes, "No direction leaves all rows on their side: the logistic loss has a minimum");
        break;
    default:
        snprintf(title, bytes, "Undecided");
        snprintf(note, bytes, "Exact arithmetic would have taken too long");
    }
}

linpred_status draw_separation(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    int32_t columns = linpred_data_columns(subject->data);
    double *v = calloc((size_t)columns + 1, sizeof *v), b = 0;
    int64_t *row = calloc((size_t)linpred_data_rows(subject->data) + 1, sizeof *row);
    plane drawn = {0};
    char title[300], note[300];
    if (!v || !row) {
        free(v);
        free(row);
        return draw_no_memory(error);
    }
    const linpred_model *model = linpred_result_model(subject->result);
    bool directed = direction_as_doubles(subject->result, columns, v, &b);
    bool separated = linpred_result_separation(subject->result) == LINPRED_SEPARATION_SEPARATED;
    if (!directed && separated) {
        memcpy(v, linpred_model_coefficients(model), (size_t)columns * sizeof *v);
        b = linpred_model_intercept(model);
        directed = true;
    }
    linpred_status status = plane_init(&drawn, svg, subject, v, b, error);
    if (status == LINPRED_OK) {
        int64_t unsettled = directed ? find_unsettled(&drawn, subject, v, b, row) : 0;
        drawn.points.score = NULL;
        say_separation(subject->result, drawn.rows.count, unsettled, title, note, sizeof title);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &drawn.panel, drawn.x_name, drawn.y_name);
        axes_clip(svg, &drawn.panel);
        if (directed)
            plane_line(svg, &drawn, "line", 0);
        cloud_draw(svg, &drawn.panel, &drawn.points);
        if (directed && drawn.equal)
            plane_normal(svg, &drawn, "v");
        if (unsettled <= CLOUD_MARKS)
            plane_rings(svg, &drawn, row, unsettled, "ring", 7);
        bool witness = !separated && plane_witness(svg, &drawn, subject->result);
        axes_unclip(svg);
        double x = LEGEND_LEFT;
        legend_mark(svg, &x, 1, drawn.points.label[1]);
        legend_mark(svg, &x, -1, drawn.points.label[0]);
        if (directed)
            legend_line(svg, &x, "line", "v = 0");
        if (unsettled > 0)
            legend_ring(svg, &x, "ring", "not settled");
        if (witness)
            legend_ring(svg, &x, "accent", "proof: both hulls hold the dot");
        legend_weight(svg, &x, &drawn.points);
        axes_caption(svg, drawn.held);
        svg_close(svg);
    }
    plane_clear(&drawn);
    free(v);
    free(row);
    return status;
}
