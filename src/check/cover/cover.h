/* What a cover proof proves: a lower bound of the cost of every predictor's mistakes (proof/witness.h).
 *
 * If the bound falls short of the claimed one and the model is a halfspace, all halfspaces are gone through, by boxes
 * of them or by hyperplanes through rows.
 */
#ifndef LINPRED_CHECK_COVER_COVER_H
#define LINPRED_CHECK_COVER_COVER_H

#include "core/threads.h"
#include "model/model.h"
#include "proof/witness.h"

typedef struct linpred__cover_question {
    const linpred_model *model;
    const linpred_data *data;
    const linpred__cover_proof *proof;
    double class_cost[2]; /* of a mistake on a row of weight 1 labelled -1, and labelled +1 */
    double claimed;       /* the bound to be proved */
} linpred__cover_question;

/* What a bound comes from. */
typedef enum linpred__proved_by {
    LINPRED__BY_SUBSETS,     /* the subsets and the trees of the proof */
    LINPRED__BY_HYPERPLANES, /* all hyperplanes through rows were tried */
    LINPRED__BY_BOXES        /* all halfspaces were divided into boxes */
} linpred__proved_by;

typedef struct linpred__cover_finding {
    int64_t broken; /* the first subset that is not inseparable, 1-based; 0: all are */
    int64_t stray;  /* a row that the proof names and the data do not have; 0: none */
    double proved;  /* no predictor's mistakes cost less */
    linpred__proved_by by;
} linpred__cover_finding;

linpred_status linpred__measure_cover(const linpred__cover_question *question, linpred__pool *pool,
                                      linpred__cover_finding *finding, linpred_error *error);

/* equal_rows.c: rows that are equal have equal hashes. Labels and weights are not compared. */
uint64_t linpred__hash_row(const linpred__block *block, int32_t r);
bool linpred__rows_equal(const linpred__block *block, int32_t r, const linpred__block *other, int32_t s);

/* decimals.c: rounds a proved bound up to the next possible sum of costs, if the costs are multiples of a decimal unit.
 */
double linpred__round_up_to_decimals(const linpred__cover_question *question, double proved);

#endif
