/* Nasty fits: tiny data that is hard to compute with, fitted by every task and method, and compared with references in
 * exact arithmetic. README.md says what is demanded. */
#ifndef LINPRED_TESTS_NASTY_H
#define LINPRED_TESTS_NASTY_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "linpred/linpred.h"
#include "model/model.h"

enum { MAX_ROWS = 12, MAX_COLUMNS = 5, MAX_WIDTH = 3 * MAX_COLUMNS + 1 };

/* What is fitted: a task with a method or a loss. */
typedef struct nasty_way {
    linpred_task task;
    const char *task_word, *option, *word; /* as on the command line; option NULL: the task alone */
} nasty_way;

typedef struct nasty_case {
    uint64_t number;
    const nasty_way *way;
    int rows, columns;
    double x[MAX_ROWS * MAX_COLUMNS], target[MAX_ROWS], weight[MAX_ROWS];
    bool weighted, sparse, through_origin;
    const char *l2, *class_weights, *cost, *quantile, *degree; /* NULL: not given */
} nasty_case;

extern const nasty_way nasty_ways[];
int nasty_way_count(void);

/* cases.c: the case of this number; the same number gives the same case everywhere. */
void nasty_make(uint64_t number, nasty_case *c);
/* Prints the case as a command and a file. */
void nasty_print(const nasty_case *c);

/* ---- references (exact.c, losses.c, halfspaces.c) ---- */

/* A matrix of rationals. */
typedef struct rationals {
    int rows, columns;
    mpq_t *entry;
} rationals;

rationals rationals_open(int rows, int columns);
void rationals_close(rationals *a);
static inline mpq_t *at(const rationals *a, int i, int j)
{
    return &a->entry[i * a->columns + j];
}
/* Row echelon form with unit pivots and zeros above them. Fills `pivot` with the columns; returns the rank. */
int rationals_reduce(rationals *a, int *pivot);
/* A copy of some columns. */
rationals rationals_columns(const rationals *a, const int *column, int count);
rationals rationals_product(const rationals *a, const rationals *b);

/* The rows of weight above 0 as the fit sees them: features or their powers, then 1 with an intercept; only independent
   columns and, if the result says that dependencies hold to rounding only, only coefficients that respect them all. */
typedef struct exact_rows {
    int rows;
    rationals x;
    mpq_t y[MAX_ROWS], weight[MAX_ROWS], total;
} exact_rows;

/* What a reference says of a result. */
typedef enum nasty_judgement { NASTY_RIGHT, NASTY_WRONG, NASTY_NOT_COMPARED } nasty_judgement;

bool exact_rows_open(const nasty_case *c, const linpred_result *result, bool reduced, exact_rows *rows);
void exact_rows_close(exact_rows *rows);

nasty_judgement judge_squares(const nasty_case *c, const linpred_result *result, char *why);
nasty_judgement judge_absolute(const nasty_case *c, const linpred_result *result, char *why);
nasty_judgement judge_logistic(const nasty_case *c, const linpred_result *result, char *why);
nasty_judgement judge_halfspace(const nasty_case *c, const linpred_result *result, char *why);
nasty_judgement judge_ball(const nasty_case *c, const linpred_result *result, char *why);

enum { WHY = 400 }; /* length of the text of a judgement */

#endif
