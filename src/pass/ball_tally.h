/* How a ball does on all rows: mistakes with certain signs, and how near rows come to the sphere. Each is one pass. */
#ifndef LINPRED_PASS_BALL_TALLY_H
#define LINPRED_PASS_BALL_TALLY_H

#include "core/threads.h"
#include "data/score.h"

typedef struct linpred__ball_tally {
    double weight;  /* the weight of all rows */
    double errors;  /* the weight of the mistakes, by certified signs */
    double nearest; /* the distance of the nearest row from the sphere, min |sqrt(ρ) - ||x-v|||; NaN if ρ <= 0 */
} linpred__ball_tally;

/* `inside` is the label of the rows that belong inside; here and below. */
linpred_status linpred__find_ball_tally(const linpred_data *data, linpred__pool *pool, const linpred__ball *ball,
                                        double inside, linpred__ball_tally *tally, linpred_error *error);

typedef struct linpred__ball_shells {
    double inner; /* the largest ||x-v||² of the rows that belong inside, rounded once; -∞ without such rows */
    double outer; /* the smallest ||x-v||² of the rows that belong outside, rounded once; ∞ without such rows */
} linpred__ball_shells;

/* v is the centre. */
linpred_status linpred__find_ball_shells(const linpred_data *data, linpred__pool *pool, const double *centre,
                                         double inside, linpred__ball_shells *shells, linpred_error *error);

#endif
