/* A halfspace: rows of both classes, the line, its normal, the margin with its support, mistakes, or the rows that
 * prove that nothing separates. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plane.h"

enum { MAX_RINGS = 300 }; /* more would hide what they are around */

/* What the rows of the picture say of the halfspace. */
typedef struct halfspace_view {
    int64_t mistakes;
    double least; /* the smallest y score */
    int64_t *mistake;
} halfspace_view;

static bool look_at_rows(const plane *drawn, halfspace_view *seen)
{
    *seen = (halfspace_view){.least = INFINITY, .mistake = calloc(MAX_RINGS, sizeof *seen->mistake)};
    for (int64_t i = 0; i < drawn->rows.count && seen->mistake; i++) {
        double along = drawn->points.side[i] * drawn->rows.score[i];
        seen->least = along < seen->least ? along : seen->least;
        if (along <= 0 && seen->mistakes++ < MAX_RINGS)
            seen->mistake[seen->mistakes - 1] = drawn->rows.row[i];
    }
    return seen->mistake != NULL;
}

static void say_counts(const draw_subject *subject, const plane *drawn, const halfspace_view *seen, char *text,
                       size_t bytes)
{
    char margin[40], rows[32], mistakes[32];
    int used;
    svg_count(drawn->rows.count, rows);
    svg_count(seen->mistakes, mistakes);
    if (seen->mistakes == 0) {
        double length = 0;
        const linpred_model *model = linpred_result_model(subject->result);
        for (int32_t j = 0; j < linpred_model_columns(model); j++)
            length = hypot(length, linpred_model_coefficients(model)[j]);
        svg_people(seen->least / length, 4, margin);
        used = snprintf(text, bytes, "All %" PRId64 " rows on their side, the nearest at distance %s",
                        drawn->rows.count, margin);
    } else {
        snprintf(text, bytes, "%s of %s rows on the wrong side", mistakes, rows);
        plane_say_bound(subject, drawn, "halfspace", text, bytes);
        used = (int)strlen(text);
    }
    if (drawn->rows.every > 1)
        snprintf(text + used, bytes - (size_t)used, "; one of %" PRId64 " rows is drawn", drawn->rows.every);
}

/* The rows that hold the largest margin, where the data is that of the fit. */
static int64_t support_rows(const draw_subject *subject, const int64_t **rows)
{
    size_t claim;
    if (!subject->same_data || !linpred_result_claim_find(subject->result, LINPRED_CLAIM_LARGEST_MARGIN, &claim))
        return 0;
    return linpred_result_claim_rows(subject->result, claim, rows);
}

static void draw_legend(const svg_document *svg, const plane *drawn, const halfspace_view *seen, int64_t support,
                        bool witness)
{
    double x = LEGEND_LEFT;
    char text[120];
    for (int side = 1; side >= -1; side -= 2) {
        char name[100];
        svg_fit(drawn->points.label[side > 0], 150, 12, name, sizeof name);
        snprintf(text, sizeof text, "%s (score %s 0)", name, side > 0 ? ">" : "<");
        legend_mark(svg, &x, side, text);
    }
    if (witness)
        legend_ring(svg, &x, "accent", "proof: both hulls hold the dot");
    if (seen->mistakes > 0 && seen->mistakes <= MAX_RINGS)
        legend_ring(svg, &x, "ring", "mistake");
    if (support > 0)
        legend_ring(svg, &x, "ring", "support row");
    if (seen->mistakes == 0)
        legend_box(svg, &x, "margin", "margin");
    legend_weight(svg, &x, &drawn->points);
}

linpred_status draw_halfspace(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    const linpred_model *model = linpred_result_model(subject->result);
    plane drawn;
    halfspace_view seen = {0};
    char title[300], note[400];
    linpred_status status =
        plane_init(&drawn, svg, subject, linpred_model_coefficients(model), linpred_model_intercept(model), error);
    if (status == LINPRED_OK && !look_at_rows(&drawn, &seen))
        status = draw_no_memory(error);
    if (status == LINPRED_OK) {
        const int64_t *rows = NULL;
        int64_t support = support_rows(subject, &rows);
        snprintf(title, sizeof title, "%.80s: %.80s or %.80s", linpred_model_target(model), drawn.points.label[1],
                 drawn.points.label[0]);
        say_counts(subject, &drawn, &seen, note, sizeof note);
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &drawn.panel, drawn.x_name, drawn.y_name);
        axes_clip(svg, &drawn.panel);
        if (seen.mistakes == 0 && drawn.rows.count > 0) {
            plane_band(svg, &drawn, "margin", -seen.least, seen.least);
            plane_line(svg, &drawn, "edge", -seen.least);
            plane_line(svg, &drawn, "edge", seen.least);
        }
        if (drawn.rows.count <= CLOUD_DOTS)
            plane_line(svg, &drawn, "line", 0);
        cloud_draw(svg, &drawn.panel, &drawn.points);
        if (drawn.rows.count > CLOUD_DOTS) /* over the density, which would hide it */
            plane_line(svg, &drawn, "line", 0);
        if (drawn.equal) /* else it would not stand at a right angle */
            plane_normal(svg, &drawn, "w");
        plane_rings(svg, &drawn, rows, support, "ring", 7);
        bool witness = subject->same_data && plane_witness(svg, &drawn, subject->result);
        if (seen.mistakes <= MAX_RINGS)
            plane_rings(svg, &drawn, seen.mistake, seen.mistakes, "ring", witness ? 10 : 7);
        axes_unclip(svg);
        axes_caption(svg, drawn.held);
        draw_legend(svg, &drawn, &seen, support, witness);
        svg_close(svg);
    }
    free(seen.mistake);
    plane_clear(&drawn);
    return status;
}
