/* The tuning constants of src/minimise, each with its reason. Counts are enumerated; other numbers are constants.
 *
 * ν² = g' H^-1 g is the squared Newton decrement, and F the objective: ν²/2 estimates F - min F near the minimum.
 */
#ifndef LINPRED_MINIMISE_LIMITS_H
#define LINPRED_MINIMISE_LIMITS_H

enum {
    /* -- units and centers of columns -- */
    LINPRED__MAX_SQUARED_EXPONENT = 400, /* squares of 2^400, summed over any number of rows, stay in the range */
    LINPRED__MIN_UNIT_EXPONENT = -1000,  /* units stay below 2^1000, also where a column holds denormal numbers */
    LINPRED__CENTER_SPREADS = 16,        /* at 16 spreads from 0 a Gram matrix loses 8 bits of the spread */
    LINPRED__CENTER_BITS = 26,           /* a center of half the bits of a double: x - center is mostly exact */
    LINPRED__CENTER_ROWS = 10000,        /* a sample of 10^4 rows tells mean and spread to a percent */

    /* -- samples of rows -- */
    LINPRED__SAMPLED_BLOCKS = 64,       /* a sample takes rows from 64 blocks all over the file, which may be sorted */
    LINPRED__MIN_ROWS_OF_BLOCK = 8,     /* fewer rows side by side would cost a block's overhead for nothing */
    LINPRED__SAMPLE_RATIO = 8,          /* each nested sample is 8 times as large as the one before */
    LINPRED__SAMPLE_ROWS_A_COLUMN = 10, /* a sample with fewer rows a column is far from the minimum of all rows */
    LINPRED__SAMPLE_MIN_DATA_ROWS = 5000, /* with fewer rows, all rows cost less than samples save */
    LINPRED__SAMPLE_MAX_STEPS = 15,       /* a sample that takes more steps probably has no minimum */

    /* -- Newton's method with factors -- */
    LINPRED__NEWTON_MAX_STEPS = 100, /* a finite minimum takes far fewer */
    LINPRED__NEWTON_MAX_TRIES = 30,  /* lengths of one step; 30 halvings leave nothing of it */

    /* -- Hessians of a sample of sparse rows -- */
    LINPRED__HESSIAN_ROWS_A_COLUMN = 40, /* rows sampled for each column */
    LINPRED__HESSIAN_SAMPLE_SAVES = 3,   /* a sample pays if it is at most a third of all rows */

    /* -- line search -- */
    LINPRED__LINE_ROWS_A_CLASS = 2048, /* rows of each class that stand for all: they tell a slope to a few percent */
    LINPRED__LINE_MAX_TRIES = 12,      /* of a safeguarded Newton iteration on one number */

    /* -- Newton's method by conjugate gradients -- */
    LINPRED__CG_MAX_STEPS = 500,      /* far beyond any that a finite minimum takes */
    LINPRED__CG_MAX_DIRECTIONS = 300, /* of conjugate gradients in one step */
    LINPRED__CG_MAX_REFUSED = 40,     /* steps refused in a row: the trust region has shrunk to nothing */
    LINPRED__CG_MAX_FLAT = 4,         /* steps in a row that do not lower F as computed: only rounding is left */
    LINPRED__CG_LANES = 8,            /* sums over rows are kept in at most 8 parts, whatever the threads */
    LINPRED__CG_CHUNK = 2048          /* columns of one task: six vectors of them, 96 KB, stay in the second cache */
};

/* A column is dependent if the others leave less than this part of its squared length. The rounding of a Gram matrix is
   about 1e-15 of it. */
static const double linpred__dependent_part = 1e-12;

/* A Hessian of more multiplications than this (some milliseconds) is costly: it is used for several steps. */
static const double linpred__costly_hessian = 3e6;

/* Below this ν²/F the Hessian changes by a few tenths at most until the minimum, so the factor is kept. */
static const double linpred__keep_factor_below = 5e-4;

/* A kept factor is good while each step shrinks ν² to this part or less. */
static const double linpred__good_shrink = 0.04;

/* Above this ν²/F a rough Hessian is as good as the exact one. */
static const double linpred__rough_above = 0.01;

/* If a step with a rough Hessian must be shortened below this part, the Hessian is too rough. */
static const double linpred__rough_min_step = 0.1;

/* Above this ν²/F the length of a step is searched for; below it Newton's own length 1 is near the best. */
static const double linpred__line_search_above = 2e-3;

/* Below this ν²/2F one more step on a sample ends below what the sample can tell of all rows. */
static const double linpred__sample_gap = 1e-3;

/* Below this ν²/2F a step that does not shrink ν² to a quarter is the last: only rounding is left. */
static const double linpred__rounding_gap = 1e-12;

/* The longest step of a line search, in Newton steps. */
static const double linpred__line_max_step = 8.0;

/* A line search ends when the length changes by less than this part: F is flat there to its square. */
static const double linpred__line_tolerance = 0.03;

#endif
