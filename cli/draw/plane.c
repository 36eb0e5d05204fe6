/* Planes: see plane.h. Of more than two features the two that move the score most, |w| times the spread of the column,
 * are the axes, numbers before indicators, on which rows lie in two lines; the others are held at their means; or the
 * picture lies along the normal and the direction across it in which the rows spread most, found by power iteration. */
#include "plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dates.h"

void plane_clear(plane *made)
{
    draw_rows_clear(&made->rows);
    cloud_clear(&made->points);
}

/* ---- the axes ---- */

/* The two columns with the largest |w| spread, in the order of the file. An indicator comes after all numbers that move
   the score at all. */
static void choose_columns(const plane *made, const linpred_model *model, const double *w, int32_t column[2])
{
    double best[2] = {-1, -1}, most = 0;
    for (int32_t j = 0; j < made->rows.columns; j++)
        most = fmax(most, fabs(w[j]) * made->rows.spread[j]);
    column[0] = 0;
    column[1] = made->rows.columns > 1 ? 1 : 0;
    for (int32_t j = 0; j < made->rows.columns; j++) {
        double moves = fabs(w[j]) * made->rows.spread[j];
        if (moves > 0 && linpred_model_feature_power(model, j) != 0)
            moves += most;
        if (moves > best[0]) {
            best[1] = best[0];
            column[1] = column[0];
            best[0] = moves;
            column[0] = j;
        } else if (moves > best[1]) {
            best[1] = moves;
            column[1] = j;
        }
    }
    if (column[0] > column[1]) {
        int32_t other = column[0];
        column[0] = column[1];
        column[1] = other;
    }
}

static linpred_status take_columns(plane *made, const draw_subject *subject, const double *w, double b,
                                   linpred_error *error)
{
    int32_t columns = made->rows.columns;
    double *along = calloc(2 * (size_t)columns, sizeof *along);
    if (!along)
        return draw_no_memory(error);
    along[made->column[0]] = along[columns + made->column[1]] = 1;
    linpred_status status = draw_rows_along(&made->rows, subject, along, made->points.x, made->points.y, error);
    made->wx = w[made->column[0]];
    made->wy = w[made->column[1]];
    made->c = b;
    for (int32_t j = 0; j < columns; j++)
        if (j != made->column[0] && j != made->column[1])
            made->c += w[j] * made->rows.mean[j];
    made->is_true = columns == 2;
    snprintf(made->x_name, sizeof made->x_name, "%s", linpred_data_feature(subject->data, made->column[0]));
    snprintf(made->y_name, sizeof made->y_name, "%s", linpred_data_feature(subject->data, made->column[1]));
    if (columns > 2)
        snprintf(made->held, sizeof made->held, "The other %d feature%s held at %s mean.", columns - 2,
                 columns == 3 ? " is" : "s are", columns == 3 ? "its" : "their");
    free(along);
    return status;
}

/* One feature: it against the row of the file, so that rows do not hide each other. */
static linpred_status take_one_column(plane *made, const draw_subject *subject, const double *w, double b,
                                      linpred_error *error)
{
    const double one = 1;
    linpred_status status = draw_rows_along(&made->rows, subject, &one, made->points.x, NULL, error);
    for (int64_t i = 0; i < made->rows.count; i++)
        made->points.y[i] = (double)made->rows.row[i];
    made->wx = w[0];
    made->c = b;
    made->is_true = true;
    snprintf(made->x_name, sizeof made->x_name, "%s", linpred_data_feature(subject->data, 0));
    snprintf(made->y_name, sizeof made->y_name, "row of the file");
    return status;
}

/* ---- along the normal ---- */

static double norm_of(const double *x, int32_t n)
{
    double largest = 0, sum = 0;
    for (int32_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(x[j]));
    for (int32_t j = 0; j < n && largest > 0; j++)
        sum += (x[j] / largest) * (x[j] / largest);
    return largest * sqrt(sum);
}

/* Takes the part along the unit vector u out of v, and scales v to length 1. */
static void make_orthogonal(double *v, const double *u, int32_t n)
{
    double along = 0;
    for (int32_t j = 0; j < n; j++)
        along += u[j] * v[j];
    for (int32_t j = 0; j < n; j++)
        v[j] -= along * u[j];
    double length = norm_of(v, n);
    for (int32_t j = 0; j < n && length > 0; j++)
        v[j] /= length;
}

/* v becomes the direction across u in which the rows spread most. A few thousand rows are enough to see it. */
static linpred_status find_across(const plane *made, const draw_subject *subject, const double *u, double *v,
                                  linpred_error *error)
{
    enum { ROWS = 2000, ROUNDS = 30, MAX_KEPT = 1 << 22 }; /* entries that are kept for all rounds: 32 MB */
    const draw_rows *rows = &made->rows;
    int32_t n = rows->columns;
    int64_t step = 1 + rows->count / ROWS;
    int64_t taken = (rows->count + step - 1) / step, kept = (double)taken * n <= MAX_KEPT ? taken : 0;
    double *x = calloc((size_t)(kept + 2) * (size_t)n, sizeof *x), label;
    if (!x)
        return draw_no_memory(error);
    double *next = x + n, *sample = next + n;
    for (int64_t i = 0; i < kept; i++)
        linpred_data_row(subject->data, rows->row[i * step], sample + i * n, &label);
    for (int32_t j = 0; j < n; j++)
        v[j] = rows->spread[j] * (1 + 0.1 * (double)j / n); /* not orthogonal to the answer by accident */
    make_orthogonal(v, u, n);
    for (int round = 0; round < ROUNDS; round++) {
        memset(next, 0, (size_t)n * sizeof *next);
        for (int64_t i = 0; i < taken; i++) {
            const double *at = kept > 0 ? sample + i * n : x;
            if (kept == 0)
                linpred_data_row(subject->data, rows->row[i * step], x, &label);
            double along = 0;
            for (int32_t j = 0; j < n; j++)
                along += v[j] * (at[j] - rows->mean[j]);
            for (int32_t j = 0; j < n; j++)
                next[j] += along * (at[j] - rows->mean[j]);
        }
        double length = norm_of(next, n);
        for (int32_t j = 0; j < n && length > 0; j++)
            v[j] = next[j] / length;
        make_orthogonal(v, u, n);
    }
    free(x);
    return LINPRED_OK;
}

static linpred_status take_normal(plane *made, const draw_subject *subject, const double *w, double b,
                                  linpred_error *error)
{
    int32_t n = made->rows.columns;
    double *u = calloc(2 * (size_t)n, sizeof *u), length = norm_of(w, n);
    if (!u)
        return draw_no_memory(error);
    for (int32_t j = 0; j < n; j++)
        u[j] = length > 0 ? w[j] / length : 0;
    linpred_status status = find_across(made, subject, u, u + n, error);
    if (status == LINPRED_OK)
        status = draw_rows_along(&made->rows, subject, u, made->points.x, made->points.y, error);
    for (int64_t i = 0; i < made->rows.count && length > 0; i++)
        made->points.x[i] += b / length;
    free(u);
    made->wx = length;
    made->is_true = true;
    snprintf(made->x_name, sizeof made->x_name, "distance from the hyperplane");
    snprintf(made->y_name, sizeof made->y_name, "widest direction across");
    snprintf(made->held, sizeof made->held, "All %d features, seen along the hyperplane.", n);
    return status;
}

linpred_status plane_init(plane *made, const svg_document *svg, const draw_subject *subject, const double *w, double b,
                          linpred_error *error)
{
    *made = (plane){.panel = axes_whole(svg)};
    linpred_status status = draw_rows_read(&made->rows, subject, error);
    if (status == LINPRED_OK && made->rows.columns == 0)
        return draw_fail(error, LINPRED_ERROR_USAGE, "the model has no feature to draw");
    if (status == LINPRED_OK && !cloud_init(&made->points, made->rows.count, true))
        status = draw_no_memory(error);
    if (status == LINPRED_OK && subject->axes)
        status = draw_find_axes(subject, made->column, error);
    else if (status == LINPRED_OK)
        choose_columns(made, linpred_result_model(subject->result), w, made->column);
    if (status != LINPRED_OK)
        return status;
    if (made->rows.columns == 1)
        status = take_one_column(made, subject, w, b, error);
    else
        status = (subject->project ? take_normal : take_columns)(made, subject, w, b, error);
    cloud *points = &made->points;
    for (int64_t i = 0; i < points->count; i++)
        points->side[i] = made->rows.target[i] > 0 ? 1 : -1;
    double low, high;
    cloud_limits(points->x, points->count, &low, &high);
    axes_range(&made->panel.x, low, high, 0.08);
    cloud_limits(points->y, points->count, &low, &high);
    axes_range(&made->panel.y, low, high, 0.08);
    const linpred_model *model = linpred_result_model(subject->result);
    bool columns = !subject->project;
    made->panel.x.dates = columns && dates_in(model, made->x_name, &made->panel.x);
    if (columns && made->rows.columns > 1 && dates_in(model, made->y_name, &made->panel.y))
        axes_dates_up(&made->panel);
    made->equal = made->rows.columns > 1 && axes_equal(&made->panel);
    points->row = made->rows.row;
    points->weight = made->rows.weight;
    points->usual_weight = made->rows.usual_weight;
    points->score = made->rows.score;
    points->score_name = "score";
    points->x_name = made->x_name;
    points->y_name = made->y_name;
    points->label[0] = linpred_model_label(linpred_result_model(subject->result), -1);
    points->label[1] = linpred_model_label(linpred_result_model(subject->result), 1);
    return status;
}

/* ---- lines ---- */

/* Two points far outside the panel on the line score = level; false if there is no line. */
static bool line_ends(const plane *drawn, double level, double end[4])
{
    enum { FAR = 3000 };
    const axes_scale *x = &drawn->panel.x, *y = &drawn->panel.y;
    double x_unit = (x->high - x->low) / (x->to - x->from), y_unit = (y->high - y->low) / (y->to - y->from);
    double a = drawn->wx * x_unit, b = drawn->wy * y_unit, length = hypot(a, b);
    if (!(length > 0))
        return false;
    double px = 0.5 * (x->from + x->to), py = 0.5 * (y->from + y->to);
    double score = drawn->wx * axes_value(x, px) + drawn->wy * axes_value(y, py) + drawn->c - level;
    double off = score / length; /* pixels from the middle to the line */
    if (!isfinite(off))
        return false;
    a /= length;
    b /= length;
    px -= off * a;
    py -= off * b;
    end[0] = px - FAR * b;
    end[1] = py + FAR * a;
    end[2] = px + FAR * b;
    end[3] = py - FAR * a;
    return true;
}

void plane_line(const svg_document *svg, const plane *drawn, const char *class_name, double level)
{
    double end[4];
    if (line_ends(drawn, level, end))
        svg_line(svg, class_name, end[0], end[1], end[2], end[3]);
}

void plane_band(const svg_document *svg, const plane *drawn, const char *class_name, double from, double to)
{
    double a[4], b[4];
    if (!line_ends(drawn, from, a) || !line_ends(drawn, to, b))
        return;
    svg_path_begin(svg, class_name);
    svg_path_to(svg, true, a[0], a[1]);
    svg_path_to(svg, false, a[2], a[3]);
    svg_path_to(svg, false, b[2], b[3]);
    svg_path_to(svg, false, b[0], b[1]);
    svg_path_end(svg, true);
}

static bool is_inside(const axes_panel *panel, double x, double y)
{
    return x > panel->x.from && x < panel->x.to && y > panel->y.to && y < panel->y.from;
}

void plane_normal(const svg_document *svg, const plane *drawn, const char *name)
{
    enum { LENGTH = 46, TRIES = 200 };
    const axes_scale *x = &drawn->panel.x, *y = &drawn->panel.y;
    double end[4];
    if (!line_ends(drawn, 0, end))
        return;
    double ux = drawn->wx * (x->to - x->from) / (x->high - x->low);
    double uy = drawn->wy * (y->to - y->from) / (y->high - y->low), length = hypot(ux, uy);
    if (!(length > 0) || !isfinite(length))
        return;
    ux /= length;
    uy /= length;
    /* From the point of the line nearest to the middle of the panel, or the next one from which the arrow lies inside.
     */
    double px = 0, py = 0;
    bool fits = false;
    for (int step = 0; step < TRIES && !fits; step++) {
        double along = 0.5 + (step % 2 ? 0.5 : -0.5) / TRIES * 0.25 * step;
        px = end[0] + along * (end[2] - end[0]);
        py = end[1] + along * (end[3] - end[1]);
        fits = is_inside(&drawn->panel, px, py) &&
               is_inside(&drawn->panel, px + (LENGTH + 20) * ux, py + (LENGTH + 20) * uy);
    }
    if (!fits)
        return;
    svg_arrow(svg, "line", px, py, px + LENGTH * ux, py + LENGTH * uy);
    svg_text(svg, "name halo", px + (LENGTH + 10) * ux, py + (LENGTH + 10) * uy + 4, ux > 0.3 ? SVG_START : SVG_MIDDLE,
             "%s", name);
}

void plane_say_bound(const draw_subject *subject, const plane *drawn, const char *what, char *text, size_t bytes)
{
    double bound = linpred_result_number(subject->result, "lower_bound");
    double cost = linpred_result_number(subject->result, "cost");
    double errors = linpred_result_number(subject->result, "errors");
    char stated[40], least[40];
    size_t used = strlen(text);
    if (!subject->same_data || !(bound > 0))
        return;
    cost = isnan(cost) ? errors : cost;
    svg_people(cost, 6, stated);
    svg_people(bound, 6, least);
    if (drawn->rows.weight || cost != errors)
        snprintf(text + used, bytes - used, "; they cost %s, and no %s's cost less than %s", stated, what, least);
    else
        snprintf(text + used, bytes - used, "; no %s has fewer than %s", what, least);
}

/* ---- rings ---- */

void plane_rings(const svg_document *svg, const plane *drawn, const int64_t *row, int64_t count, const char *class_name,
                 double radius)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t i = draw_rows_find(&drawn->rows, row[k]);
        if (i >= 0)
            svg_circle(svg, class_name, axes_at(&drawn->panel.x, drawn->points.x[i]),
                       axes_at(&drawn->panel.y, drawn->points.y[i]),
                       radius + 3.6 * fmax(0, cloud_scale(&drawn->points, i) - 1));
    }
}

/* A long integer relative to 10^digits. */
static double part_of(const char *integer, size_t digits)
{
    char head[24];
    snprintf(head, sizeof head, "%.17s", integer);
    size_t length = strlen(integer), taken = strlen(head);
    return strtod(head, NULL) * pow(10, (double)length - (double)taken - (double)digits);
}

bool plane_witness(const svg_document *svg, const plane *drawn, const linpred_result *result)
{
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    size_t digits = 0;
    double x = 0, y = 0, sum = 0;
    for (int64_t k = 0; k < count; k++) {
        size_t length = strlen(linpred_result_witness_weight(result, k));
        digits = length > digits ? length : digits;
    }
    for (int side = -1; side <= 1 && count > 0; side += 2) {
        int joined = 0;
        svg_path_begin(svg, "other");
        for (int64_t k = 0; k < count; k++) {
            int64_t i = draw_rows_find(&drawn->rows, row[k]);
            if (i < 0 || drawn->points.side[i] != side)
                continue;
            svg_path_to(svg, joined++ == 0, axes_at(&drawn->panel.x, drawn->points.x[i]),
                        axes_at(&drawn->panel.y, drawn->points.y[i]));
            double part = side > 0 ? part_of(linpred_result_witness_weight(result, k), digits) : 0;
            x += part * drawn->points.x[i];
            y += part * drawn->points.y[i];
            sum += part;
        }
        svg_path_end(svg, joined > 2);
    }
    if (!(sum > 0))
        return false;
    plane_rings(svg, drawn, row, count, "accent", 7);
    double px = axes_at(&drawn->panel.x, x / sum), py = axes_at(&drawn->panel.y, y / sum);
    svg_circle(svg, "accentfill halo", px, py, 5.5);
    return true;
}
