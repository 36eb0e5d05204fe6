/* Scores in ascending order, each with the weights of the rows that have it. */
#ifndef LINPRED_MODEL_RANKING_H
#define LINPRED_MODEL_RANKING_H

#include "linpred/linpred.h"

typedef struct linpred__ranking linpred__ranking;

/* A score, and the weights of its positive and its negative rows. */
typedef struct linpred__ranked {
    double score, positive, negative;
} linpred__ranked;

/* For so many rows. */
linpred_status linpred__ranking_open(int64_t rows, linpred__ranking **ranking, linpred_error *error);
/* Adds a row; `weight` is negative for a negative row. */
void linpred__ranking_add(linpred__ranking *ranking, double score, double weight);
/* The next higher score; false if there is none. No row is added once this was asked. */
bool linpred__ranking_next(linpred__ranking *ranking, linpred__ranked *tied);
void linpred__ranking_close(linpred__ranking *ranking);

#endif
