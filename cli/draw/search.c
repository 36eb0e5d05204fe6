/* The search for the fewest mistakes over time: the best predictor so far, and the bound below which none is. Where the
 * two meet, the answer is proved. The numbers are those that a fit reports ten times a second, and those of its result.
 * Of pocket, the best so far over updates, which the fit reports one by one.
 */
#include "search.h"

#include <math.h>
#include <stdlib.h>

#include "cloud.h"

enum { MOST = 4096 };

void search_init(search_record *record)
{
    *record = (search_record){.stride = 1};
    record->at = calloc(MOST, sizeof *record->at);
}

void search_clear(search_record *record)
{
    free(record->at);
}

void search_note(search_record *record, double at, double errors, double bound)
{
    if (!record->at || (record->seen++ % record->stride && !record->last))
        return;
    if (record->count == MOST) { /* every second report is enough from here on */
        for (int i = 0; i < MOST / 2; i++)
            record->at[i] = record->at[2 * i];
        record->count = MOST / 2;
        record->stride *= 2;
    }
    record->at[record->count++] = (search_moment){at, errors, bound};
}

/* A curve of steps: a value holds until the next one is known. */
static void draw_steps(const svg_document *svg, const axes_panel *panel, const search_record *record, bool bound,
                       const char *class_name)
{
    bool begun = false;
    double before = 0;
    svg_path_begin(svg, class_name);
    for (int i = 0; i < record->count; i++) {
        double value = bound ? record->at[i].bound : record->at[i].errors;
        if (isnan(value))
            continue;
        double x = axes_at(&panel->x, record->at[i].at);
        if (begun)
            svg_path_to(svg, false, x, axes_at(&panel->y, before));
        svg_path_to(svg, !begun, x, axes_at(&panel->y, value));
        before = value;
        begun = true;
    }
    svg_path_end(svg, false);
    if (begun)
        svg_circle(svg, bound ? "accentfill" : "pos", axes_at(&panel->x, record->at[record->count - 1].at),
                   axes_at(&panel->y, before), bound ? 3 : 5);
}

/* The largest of the mistakes; at least 1. */
static double most_errors(const search_record *record)
{
    double most = 1;
    for (int i = 0; i < record->count; i++)
        most = fmax(most, isnan(record->at[i].errors) ? 0 : record->at[i].errors);
    return most;
}

void draw_pocket(const svg_document *svg, const search_record *record, const linpred_result *result)
{
    static const char title[] = "Pocket: the best of the perceptron's weights so far";
    axes_panel panel = axes_whole(svg);
    double updates = record->count > 0 ? record->at[record->count - 1].at : 0;
    double errors = linpred_result_number(result, "errors"), weight = linpred_result_number(result, "total_weight");
    char note[200], best[40], all[40], made[40];
    svg_people(errors, 6, best);
    svg_people(weight, 6, all);
    svg_people(updates, 9, made);
    snprintf(note, sizeof note, "%s mistake%s of %s after %s update%s%s", best, errors == 1 ? "" : "s", all, made,
             updates == 1 ? "" : "s", errors > 0 ? "; whether fewer are possible is not known" : "");
    panel.x.high = updates > 0 ? 1.04 * updates : 1;
    panel.y.high = 1.1 * most_errors(record);
    svg_open(svg, title, note);
    axes_heading(svg, title, note);
    axes_draw(svg, &panel, "updates", "mistakes");
    axes_clip(svg, &panel);
    draw_steps(svg, &panel, record, false, "curve");
    axes_unclip(svg);
    double x = LEGEND_LEFT;
    legend_line(svg, &x, "curve", "best so far");
    svg_close(svg);
}

void draw_search(const svg_document *svg, const search_record *record, const linpred_result *result)
{
    axes_panel panel = axes_whole(svg);
    double bound = linpred_result_number(result, "lower_bound"), cost = linpred_result_number(result, "cost");
    double errors = linpred_result_number(result, "errors");
    cost = isnan(cost) ? errors : cost;
    bool proved = bound >= cost;
    char note[200], best[40], least[40];
    double seconds = record->count > 0 ? record->at[record->count - 1].at : 0;
    panel.x.high = seconds > 0 ? 1.04 * seconds : 1;
    panel.y.high = 1.1 * most_errors(record);
    svg_people(cost, 6, best);
    svg_people(bound, 6, least);
    if (proved)
        snprintf(note, sizeof note, "%s mistake%s, and none makes fewer: proved after %.2g s", best,
                 cost == 1 ? "" : "s", seconds);
    else if (bound > 0)
        snprintf(note, sizeof note, "%s mistakes so far, and none makes fewer than %s, after %.2g s", best, least,
                 seconds);
    else
        snprintf(note, sizeof note, "%s mistakes after %.2g s; how few are possible is not known", best, seconds);
    svg_open(svg, "The search for the fewest mistakes", note);
    axes_heading(svg, "The search for the fewest mistakes", note);
    axes_draw(svg, &panel, "seconds", "mistakes");
    axes_clip(svg, &panel);
    draw_steps(svg, &panel, record, false, "curve");
    draw_steps(svg, &panel, record, true, "other");
    axes_unclip(svg);
    double x = LEGEND_LEFT;
    legend_line(svg, &x, "curve", "best so far");
    legend_line(svg, &x, "other", "none makes fewer than");
    svg_close(svg);
}
