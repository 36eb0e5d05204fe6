/* Method exact */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/gather.h"
#include "fit/oracle.h"
#include "solve/branch.h"

static bool stop(void *context) { return linpred__fit_should_stop(context, "exact", 0, 0, NAN); }

linpred_status linpred__fit_zero_one(linpred__fit *fit, linpred_error *error)
{
    const linpred_data *data = fit->data;
    bool has_intercept = !fit->options->no_intercept;
    linpred__gathered g;
    int64_t *row = malloc(8 * data->rows), *cost = malloc(8 * data->rows);
    for (int64_t i = 0; i < data->rows; i++) { row[i] = i; cost[i] = 1; }
    linpred_status status = linpred__gather(data, has_intercept, row, data->rows, &g, error);
    linpred__planes p;
    status = linpred__planes_open(&p, &g.rows, cost, has_intercept, 1, error);
    double *w = calloc(8, p.d);
    linpred__planes_least_squares(&p, w);
    linpred__planes_offer(&p, w);
    fprintf(stderr, "ls %ld\n", p.best_cost);
    for (int k = 0; k < 10; k++) {
    linpred__planes_improve(&p, k % 2 ? p.best : w, 1000);
    fprintf(stderr, "improve %ld work %g t %g\n", p.best_cost, p.work, linpred__fit_seconds(fit));
    }
    linpred__tree t;
    status = linpred__tree_open(&t, &p, error);
    linpred__effort effort = {.stop = stop, .context = fit};
    linpred__tree_end end = 0;
    double shown = 0;
    for (double work = p.work; ; ) {
        work += 1e8;
        status = linpred__tree_search(&t, work, &effort, &end, error);
        if (status != LINPRED_OK) { fprintf(stderr, "status %d %s\n", status, error->message); break; }
        if (linpred__fit_seconds(fit) > shown + 1 || end != LINPRED__TREE_WORKED) {
        shown = linpred__fit_seconds(fit);
        fprintf(stderr, "t %.2f end %d best %ld bound %ld root/top %g subsets %d asked %ld branches %d open %d explored %ld work %g\n", linpred__fit_seconds(fit), end, p.best_cost, linpred__tree_bound(&t), t.opens ? ldexp((double)t.branch[t.open[0]].bound, -t.cover.bits) : 0, t.cover.subsets, t.alternative.asked, t.branches, t.opens, t.explored, p.work);
        }
        if (end != LINPRED__TREE_WORKED) break;
    }
    linpred__planes_best(&p, w);
    memcpy(fit->result->model.w, w, 8 * data->columns);
    fit->result->model.b = has_intercept ? w[p.d - 1] : 0;
    linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL, "x");
    status = linpred__halfspace_report(fit, error);
    fit->result->certificate.claim = LINPRED__CLAIM_ERRORS;
    fit->result->certificate.errors = fit->result->info.errors;
    return status;
}
