/* What is left of a regression: residuals against the fit; their order against that of normal errors; and leverage,
 * with Cook's distance D = r² h / (p (1-h)) for the standardised residual r = e / (s √(1-h)) and the rank p. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

typedef struct left_over {
    draw_rows rows;
    double *residual; /* target - score; standardised where leverages are known */
    bool standardised;
} left_over;

static void clear_left_over(left_over *left)
{
    draw_rows_clear(&left->rows);
    free(left->residual);
}

static linpred_status init_left_over(left_over *left, const draw_subject *subject, bool standardise,
                                     linpred_error *error)
{
    *left = (left_over){0};
    linpred_status status = draw_rows_read(&left->rows, subject, error);
    if (status == LINPRED_OK && standardise)
        status = draw_rows_leverage(&left->rows, subject, error);
    left->residual = calloc((size_t)left->rows.count + 1, sizeof *left->residual);
    if (status == LINPRED_OK && !left->residual)
        status = draw_no_memory(error);
    if (status != LINPRED_OK)
        return status;
    double sd = linpred_result_number(subject->result, "residual_sd");
    const double *leverage = left->rows.leverage;
    left->standardised = standardise && leverage && sd > 0;
    for (int64_t i = 0; i < left->rows.count; i++) {
        left->residual[i] = left->rows.target[i] - left->rows.score[i];
        if (left->standardised) /* a row that the fit passes through whatever its target has none */
            left->residual[i] = leverage[i] < 1 - 1e-9 ? left->residual[i] / (sd * sqrt(1 - leverage[i])) : 0;
    }
    return LINPRED_OK;
}

/* Numbers at the rows with the largest |value|: what to look at first. */
static void name_extremes(const svg_document *svg, const axes_panel *panel, const cloud *points, const double *value)
{
    enum { NAMED = 3 };
    int64_t named[NAMED] = {-1, -1, -1};
    for (int64_t i = 0; i < points->count; i++)
        for (int k = 0; k < NAMED; k++)
            if (named[k] < 0 || fabs(value[i]) > fabs(value[named[k]])) {
                memmove(named + k + 1, named + k, (size_t)(NAMED - 1 - k) * sizeof *named);
                named[k] = i;
                break;
            }
    for (int k = 0; k < NAMED && points->count > 0; k++) {
        if (named[k] < 0)
            continue;
        double x = axes_at(&panel->x, points->x[named[k]]), y = axes_at(&panel->y, points->y[named[k]]);
        bool right = x > panel->x.to - 60;
        svg_text(svg, "tick halo", right ? x - 8 : x + 8, y + 4, right ? SVG_END : SVG_START, "row %" PRId64,
                 points->row[named[k]]);
    }
}

static void set_ranges(axes_panel *panel, const cloud *points, bool around_zero)
{
    double low, high;
    cloud_limits(points->x, points->count, &low, &high);
    axes_range(&panel->x, low, high, 0.05);
    cloud_limits(points->y, points->count, &low, &high);
    double size = fmax(fabs(low), fabs(high));
    axes_range(&panel->y, around_zero ? -size : low, around_zero ? size : high, 0.08);
}

linpred_status draw_residuals(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    left_over left;
    axes_panel panel = axes_whole(svg);
    char title[200], note[200];
    linpred_status status = init_left_over(&left, subject, false, error);
    if (status == LINPRED_OK) {
        const char *target = linpred_model_target(linpred_result_model(subject->result));
        cloud points = {.count = left.rows.count,
                        .x = left.rows.score,
                        .y = left.residual,
                        .row = left.rows.row,
                        .weight = left.rows.weight,
                        .usual_weight = left.rows.usual_weight,
                        .x_name = "fitted",
                        .y_name = "residual"};
        set_ranges(&panel, &points, true);
        snprintf(title, sizeof title, "%.120s: residuals", target);
        snprintf(note, sizeof note, "Observed − fitted against fitted. A shape in it is what the model does not tell.");
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &panel, "fitted", "residual");
        axes_clip(svg, &panel);
        svg_line(svg, "line", panel.x.from, axes_at(&panel.y, 0), panel.x.to, axes_at(&panel.y, 0));
        cloud_draw(svg, &panel, &points);
        name_extremes(svg, &panel, &points, left.residual);
        axes_unclip(svg);
        double x = LEGEND_LEFT;
        legend_mark(svg, &x, 0, "row; the three farthest have their number");
        legend_weight(svg, &x, &points);
        svg_close(svg);
    }
    clear_left_over(&left);
    return status;
}

/* ---- normal Q-Q ---- */

/* The normal quantile, by bisection of the distribution: no more digits than a pixel needs, and right in the tails. */
static double normal_quantile(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(-middle / sqrt(2)) < p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

typedef struct ranked {
    double value;
    int64_t row;
    double weight;
    double below; /* the share of all weight below the middle of this row's: (i + 1/2)/n if rows count once */
} ranked;

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Sorts the residuals. Weight k counts as k rows. */
static void rank_rows(const left_over *left, ranked *order)
{
    int64_t n = left->rows.count;
    double total = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double weight = left->rows.weight ? left->rows.weight[i] : 1;
        order[i] = (ranked){left->residual[i], left->rows.row[i], weight, 0};
        total += weight;
    }
    qsort(order, (size_t)n, sizeof *order, by_value);
    for (int64_t i = 0; i < n; i++) {
        order[i].below = (sum + 0.5 * order[i].weight) / total;
        sum += order[i].weight;
    }
}

/* The row at a quartile, k = 1 or 3. */
static const ranked *find_quartile(const left_over *left, const ranked *order, int k)
{
    int64_t n = left->rows.count, i = k * n / 4;
    if (left->rows.weight)
        for (i = 0; i < n - 1 && order[i].below < 0.25 * k;)
            i++;
    return &order[i];
}

/* The ranks that are drawn: all, or of very many those at both ends and some between. Returns how many. */
static int64_t choose_ranks(int64_t count, int64_t *rank)
{
    enum { MOST = 2000, ENDS = 100, BETWEEN = 800 };
    int64_t n = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t stride = count / BETWEEN;
        if (count <= MOST || i < ENDS || i >= count - ENDS || i % stride == 0)
            rank[n++] = i;
    }
    return n;
}

static void draw_qq_points(const svg_document *svg, const left_over *left, const char *target, cloud *points,
                           const ranked *order)
{
    axes_panel panel = axes_whole(svg);
    char title[200], note[160];
    set_ranges(&panel, points, false);
    /* The line through the quartiles, which single rows cannot tilt. */
    const ranked *q1 = find_quartile(left, order, 1), *q3 = find_quartile(left, order, 3);
    double z1 = normal_quantile(q1->below), z3 = normal_quantile(q3->below);
    double slope = z3 > z1 ? (q3->value - q1->value) / (z3 - z1) : 0, at_zero = q1->value - slope * z1;
    snprintf(note, sizeof note, "On the line, residuals are distributed like normal errors.%s",
             left->rows.weight ? " Weight k counts as k rows." : "");
    snprintf(title, sizeof title, "%.120s: normal Q-Q", target);
    svg_open(svg, title, note);
    axes_heading(svg, title, note);
    axes_draw(svg, &panel, "normal quantile", left->standardised ? "standardised residual" : "residual");
    axes_clip(svg, &panel);
    svg_line(svg, "line", panel.x.from, axes_at(&panel.y, at_zero + slope * panel.x.low), panel.x.to,
             axes_at(&panel.y, at_zero + slope * panel.x.high));
    cloud_draw(svg, &panel, points);
    double *off = calloc((size_t)points->count + 1, sizeof *off);
    for (int64_t i = 0; off && i < points->count; i++)
        off[i] = points->y[i] - at_zero - slope * points->x[i];
    if (off)
        name_extremes(svg, &panel, points, off);
    free(off);
    axes_unclip(svg);
    double x = LEGEND_LEFT;
    legend_mark(svg, &x, 0, "row");
    legend_line(svg, &x, "line", "through the quartiles");
    legend_weight(svg, &x, points);
    svg_close(svg);
}

linpred_status draw_qq(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    left_over left;
    cloud points = {0};
    linpred_status status = init_left_over(&left, subject, true, error);
    int64_t n = left.rows.count;
    ranked *order = calloc((size_t)n + 1, sizeof *order);
    int64_t *rank = calloc((size_t)n + 1, sizeof *rank), *row = calloc((size_t)n + 1, sizeof *row);
    if (status == LINPRED_OK && !(order && rank && row && cloud_init(&points, n, false)))
        status = draw_no_memory(error);
    double *weight = calloc((size_t)n + 1, sizeof *weight);
    if (status == LINPRED_OK && !weight)
        status = draw_no_memory(error);
    if (status == LINPRED_OK) {
        rank_rows(&left, order);
        points.count = choose_ranks(n, rank);
        for (int64_t k = 0; k < points.count; k++) {
            points.x[k] = normal_quantile(order[rank[k]].below);
            points.y[k] = order[rank[k]].value;
            row[k] = order[rank[k]].row;
            weight[k] = order[rank[k]].weight;
        }
        points.row = row;
        points.weight = left.rows.weight ? weight : NULL;
        points.usual_weight = left.rows.usual_weight;
        points.x_name = "normal quantile";
        points.y_name = "residual";
        draw_qq_points(svg, &left, linpred_model_target(linpred_result_model(subject->result)), &points, order);
    }
    free(order);
    free(rank);
    free(row);
    free(weight);
    cloud_clear(&points);
    clear_left_over(&left);
    return status;
}

/* ---- leverage ---- */

/* The curve of rows with Cook's distance D: r = ±√(D p (1-h)/h). */
static void draw_cook(const svg_document *svg, const axes_panel *panel, double distance, double rank)
{
    enum { STEPS = 60 };
    for (int sign = -1; sign <= 1; sign += 2) {
        svg_path_begin(svg, "edge");
        for (int i = 1; i <= STEPS; i++) {
            double h = panel->x.high * i / STEPS;
            if (h < 1)
                svg_path_to(svg, i == 1, axes_at(&panel->x, h),
                            axes_at(&panel->y, sign * sqrt(distance * rank * (1 - h) / h)));
        }
        svg_path_end(svg, false);
    }
}

/* The pixel of the upper curve of Cook's distance D at a pixel across. */
static double cook_at(const axes_panel *panel, double distance, double rank, double x)
{
    double h = axes_value(&panel->x, x);
    return h < 1 ? axes_at(&panel->y, sqrt(distance * rank * (1 - h) / h)) : INFINITY;
}

/* Names the upper curves at their right ends, each above its curve if there is room for both there, else below: never
   across a curve, nor cut off at the top. */
static void name_cooks(const svg_document *svg, const axes_panel *panel, double rank)
{
    enum { HEIGHT = 12, GAP = 5 };
    static const double distance[] = {1, 0.5}; /* from the top */
    double top = panel->y.to;
    bool above = true;
    for (int i = 0; i < 2; i++) {
        char text[40];
        snprintf(text, sizeof text, "D = %g", distance[i]);
        double to = panel->x.to - 8, from = to - svg_width_of(text, HEIGHT) - 6;
        double left = cook_at(panel, distance[i], rank, from), right = cook_at(panel, distance[i], rank, to);
        if (!(right > panel->y.to && right < panel->y.from)) /* the curve is not seen there */
            continue;
        above = above && left - GAP - HEIGHT > top;
        svg_text(svg, "tick halo", to, above ? left - GAP : right + GAP + HEIGHT, SVG_END, "%s", text);
        top = right;
    }
}

linpred_status draw_leverage(const svg_document *svg, const draw_subject *subject, linpred_error *error)
{
    left_over left;
    axes_panel panel = axes_whole(svg);
    char title[200], note[200];
    double rank = linpred_result_number(subject->result, "rank");
    linpred_status status = init_left_over(&left, subject, true, error);
    if (status == LINPRED_OK && !left.standardised)
        status = draw_fail(error, LINPRED_ERROR_USAGE,
                           "leverages and standardised residuals are those of least squares without a penalty, with "
                           "degrees of freedom left: this model has none");
    double *cook = calloc((size_t)left.rows.count + 1, sizeof *cook);
    if (status == LINPRED_OK && !cook)
        status = draw_no_memory(error);
    if (status == LINPRED_OK && left.rows.leverage) {
        cloud points = {.count = left.rows.count,
                        .x = left.rows.leverage,
                        .y = left.residual,
                        .row = left.rows.row,
                        .weight = left.rows.weight,
                        .usual_weight = left.rows.usual_weight,
                        .x_name = "leverage",
                        .y_name = "standardised residual"};
        for (int64_t i = 0; i < points.count; i++) {
            double h = left.rows.leverage[i];
            cook[i] = h < 1 - 1e-9 ? left.residual[i] * left.residual[i] * h / (rank * (1 - h)) : 0;
        }
        set_ranges(&panel, &points, true);
        panel.x.low = 0;
        snprintf(title, sizeof title, "%.120s: leverage", linpred_model_target(linpred_result_model(subject->result)));
        snprintf(note, sizeof note,
                 "Rows to the right pull the fit most; beyond a dashed line one row alone moves it.");
        svg_open(svg, title, note);
        axes_heading(svg, title, note);
        axes_draw(svg, &panel, "leverage", "standardised residual");
        axes_clip(svg, &panel);
        svg_line(svg, "zero", panel.x.from, axes_at(&panel.y, 0), panel.x.to, axes_at(&panel.y, 0));
        draw_cook(svg, &panel, 0.5, rank);
        draw_cook(svg, &panel, 1, rank);
        cloud_draw(svg, &panel, &points);
        name_cooks(svg, &panel, rank);
        name_extremes(svg, &panel, &points, cook);
        axes_unclip(svg);
        double x = LEGEND_LEFT;
        legend_mark(svg, &x, 0, "row");
        legend_line(svg, &x, "edge", "Cook's distance 0.5 and 1");
        legend_weight(svg, &x, &points);
        svg_close(svg);
    }
    free(cook);
    clear_left_over(&left);
    return status;
}
