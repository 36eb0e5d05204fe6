/* The smallest cost of mistakes by dividing the space of halfspaces into boxes. It is for few columns.
 *
 * The directions of w are the points of a cube: one entry is 1 or -1, the others are within [-1, 1]. On a box with
 * centre c and half widths r the score <w,z> is within <c,z> ± Σ r_j |z_j|. So some rows are right on the whole box,
 * some are wrong, and the rest is undecided. A box on which the rows that are wrong cost the limit or more holds no
 * better halfspace. Any other is divided in two. Few boxes hold halfspaces whose cost is near the smallest.
 *
 * Where many rows meet in one halfspace w, no box around w decides them. The undecided rows U of a small box are then a
 * problem of their own, without the box. Its smallest cost is found in integers. Let U have rank k. A halfspace of
 * smallest cost can be turned until its hyperplane contains k-1 independent rows; no row that ends up off the
 * hyperplane changes sides meanwhile. So
 *
 *     min cost = min over hyperplanes through k-1 independent rows, and over both orientations, of
 *                cost of the rows on the wrong side + min cost of the rows on the hyperplane.
 *
 * The last term is the same problem with one dimension less: a coordinate in which the normal is not 0 is dropped.
 */
#ifndef LINPRED_PASS_BOXES_HYPERPLANES_H
#define LINPRED_PASS_BOXES_HYPERPLANES_H

#include <gmp.h>

#include "core/threads.h"
#include "data/data.h"

/* The signed rows as integers: each column is multiplied by a power of two. */
typedef struct linpred__grid {
    int32_t rows;
    int32_t columns;
    mpz_t *z;            /* rows x columns, row by row */
    const int64_t *cost; /* of a mistake on each row */
} linpred__grid;

/* integers.c: integer arithmetic only, for the rows of small boxes. The functions set *failed if memory runs
 * out. */

/* The smaller of `limit` and the smallest cost of these rows in these columns. */
int64_t linpred__grid_min_cost(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                               int32_t columns, int64_t limit, bool *failed);
/* Chooses as many of the columns as the rows have rank, so that the rows have the same rank in the chosen columns.
   Returns the rank, or -1 if memory runs out. */
int32_t linpred__grid_columns(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                              int32_t columns, int32_t *chosen);

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

enum { LINPRED__BOX_COLUMNS = 16 }; /* the most columns of a search by boxes */

typedef struct linpred__box {
    double centre[LINPRED__BOX_COLUMNS];
    double half[LINPRED__BOX_COLUMNS]; /* half widths; 0 in the entry that is 1 or -1 */
} linpred__box;

/* The rows as boxes see them: standardised, of length 1, rounded. */
typedef struct linpred__box_rows {
    int32_t n;                         /* rows */
    int32_t d;                         /* independent columns */
    double *z;                         /* d columns of n values each */
    int64_t *cost;                     /* of a mistake on each row: > 0 */
    double tolerance;                  /* a score is off by less than this */
    double gain[LINPRED__BOX_COLUMNS]; /* Σ_i |z_ij|: what the rows may gain from entry j */
    const linpred__grid *grid;
    int32_t *row;          /* the row of the grid of each */
    const int32_t *column; /* the columns of the grid */
} linpred__box_rows;

/* What became of a box: no halfspace of it costs less than `cost`, nor than `open`, unless the box is large. */
typedef struct linpred__box_answer {
    bool failed;                    /* memory ran out */
    bool large;                     /* the work was not enough */
    bool better;                    /* w costs less than the limit asked for */
    int64_t cost;                   /* the cost of w, or the limit */
    int64_t open;                   /* what rounding or the work of integers leaves open: a bound of its cost */
    double w[LINPRED__BOX_COLUMNS]; /* for the rows as boxes see them */
    double work;                    /* signs found */
} linpred__box_answer;

/* box.c: searches a box for a halfspace that costs less than `limit`. The answer depends on nothing else. */
void linpred__search_box(const linpred__box_rows *rows, const linpred__box *box, int64_t limit, double max_work,
                         linpred__box_answer *answer);
/* Finds `gain`. */
void linpred__find_gains(linpred__box_rows *rows);
/* Divides the box in two where its rows have most to gain. */
void linpred__divide_box(const linpred__box_rows *rows, const linpred__box *box, linpred__box half[2]);

/* ---- the search -------------------------------------------------------------------------------------------------- */

typedef enum linpred__hyperplanes_end {
    LINPRED__HYPERPLANES_DONE,      /* no halfspace costs less than search->best */
    LINPRED__HYPERPLANES_TOO_MANY,  /* the work was not enough, or there are too many rows or columns */
    LINPRED__HYPERPLANES_UNDECIDED, /* all boxes were searched, and rounding leaves it open */
    LINPRED__HYPERPLANES_STOPPED
} linpred__hyperplanes_end;

typedef struct linpred__hyperplanes {
    bool suits;         /* there are not too many rows and columns */
    linpred__grid grid; /* its costs are those that are left, as in `rows` */
    int64_t *cost;
    int32_t *place; /* 0, 1, ...: all rows of the grid, then its independent columns */
    linpred__box_rows rows;
    int64_t always;        /* what every halfspace costs: rows of zeros, and the cheaper of opposite rows */
    double *unit;          /* w of the data = unit times w of the rows */
    double *mean;          /* of each independent column, in units of the constant one */
    double *scale;         /* of each independent column: 1 / deviation */
    int32_t constant;      /* the independent column of the intercept; -1: none */
    linpred__box *waiting; /* boxes that are not done; the last is next */
    int64_t boxes;
    size_t capacity;
    int64_t best; /* the smallest cost known */
    bool better;  /* w has this cost; else it is that of the caller */
    double *w;    /* columns of the data, and the intercept last */
    double work;  /* signs found so far */
    int64_t open; /* what rounding leaves open costs no less than this */
} linpred__hyperplanes;

/* Opens the search. cost[i] >= 0 is that of a mistake on row i; their sum is below 2^52. */
linpred_status linpred__hyperplanes_open(linpred__hyperplanes *search, const linpred_data *data, bool has_intercept,
                                         const int64_t *cost, linpred_error *error);
void linpred__hyperplanes_close(linpred__hyperplanes *search);
typedef struct linpred__hyperplanes_turn {
    linpred__pool *pool;
    int64_t limit;
    double max_work;             /* signs */
    bool (*stop)(void *context); /* asked now and then whether to end early; NULL: never */
    void *context;               /* for `stop` */
} linpred__hyperplanes_turn;

/* Searches on, for a halfspace that costs less than the limit and than any found before, until about max_work more
   signs are found. What is found depends on neither time nor threads. */
linpred_status linpred__hyperplanes_run(linpred__hyperplanes *search, const linpred__hyperplanes_turn *turn,
                                        linpred__hyperplanes_end *end, linpred_error *error);

#endif
