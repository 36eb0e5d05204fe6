/* The tuning constants of src/minimise, each with its reason. Counts are in the enumeration; the others follow it. The
 * thresholds decide only how many steps and passes a fit takes; whether its answer is right is proved elsewhere.
 *
 * ν² = g' H^-1 g is the squared Newton decrement, and F the objective: ν²/2 estimates F - min F near the minimum.
 */
#ifndef LINPRED_MINIMISE_LIMITS_H
#define LINPRED_MINIMISE_LIMITS_H

enum {
    /* -- units and centres of columns -- */
    LINPRED__MAX_SQUARED_EXPONENT = 400, /* sums of squares of numbers below 2^400 stay in the range of doubles */
    LINPRED__MIN_UNIT_EXPONENT = -1000,  /* keeps units below 2^1000 even if a column holds denormal numbers */
    LINPRED__CENTRE_SPREADS = 16, /* a mean of 16 spreads costs a Gram matrix 8 bits: such a column gets a centre */
    LINPRED__CENTRE_BITS = 26,    /* a centre has half the bits of a double, so that x - centre is mostly exact; it has
                                     more where the spread is smaller than its last bit would be */
    LINPRED__SHIFT_SPREADS = 1 << 16, /* scores of rows that are not shifted lose 16 bits to such a mean: the Newton
                                         decrement is then known to about 1e-20 */
    LINPRED__CENTRE_ROWS = 10000,     /* a sample of 10^4 rows gives mean and spread to about a percent */

    /* -- samples of rows -- */
    LINPRED__SAMPLED_BLOCKS = 64,       /* a sample takes rows from 64 blocks all over the file, which may be sorted */
    LINPRED__MIN_ROWS_OF_BLOCK = 8,     /* with fewer rows from a block its overhead outweighs the rows */
    LINPRED__SAMPLE_RATIO = 8,          /* each nested sample is 8 times as large as the one before */
    LINPRED__SAMPLE_ROWS_A_COLUMN = 10, /* with fewer rows for each column, the minimum of a sample is far from that of
                                           all rows */
    LINPRED__SAMPLE_MIN_DATA_ROWS = 5000, /* with fewer rows in all, samples cost more than they save */
    LINPRED__SAMPLE_MAX_STEPS = 15,       /* a sample that takes more steps probably has no minimum */

    /* -- Newton's method with factors -- */
    LINPRED__NEWTON_MAX_STEPS = 100, /* a finite minimum takes far fewer */
    LINPRED__NEWTON_MAX_TRIES = 30,  /* lengths of one step; 30 halvings leave nothing of it */

    /* -- Hessians of a sample of sparse rows -- */
    LINPRED__HESSIAN_ROWS_A_COLUMN = 40, /* rows sampled for each column: more make better steps, fewer cheaper ones */
    LINPRED__HESSIAN_SAMPLE_SAVES = 3, /* a sample is made if it is at most a third of all rows; else it saves little */

    /* -- line search -- */
    LINPRED__LINE_ROWS_A_CLASS = 2048, /* sampled rows of each class: they estimate a slope to a few percent */
    LINPRED__LINE_MAX_TRIES = 12,      /* iterations for the length; a safeguarded Newton iteration needs fewer */

    /* -- Newton's method by conjugate gradients -- */
    LINPRED__CG_MAX_STEPS = 500,      /* a finite minimum takes far fewer */
    LINPRED__CG_MAX_DIRECTIONS = 300, /* directions in one step, each a pass; longer steps rarely pay for themselves */
    LINPRED__CG_MAX_REFUSED = 40,     /* steps refused in a row: the trust region has shrunk to nothing */
    LINPRED__CG_MAX_FLAT = 4,         /* steps in a row that do not lower the computed F: only rounding is left */
    LINPRED__CG_LANES = 64,           /* parts of sums over rows at most, whatever the threads: so many can have work */
    LINPRED__CG_FEW_LANES = 8,        /* more lanes only if each has CG_LANE_ENTRIES entries a column */
    LINPRED__CG_LANE_ENTRIES = 32, /* adding lanes up then takes a thirtieth of the time, and of the memory of rows */
    LINPRED__CG_CHUNK = 2048,      /* columns of one task: six vectors of them, 96 KB, stay in the second cache */
    LINPRED__CG_OWNED_CHUNKS = 16, /* the least that a process owns: work of half a millisecond, longer than messages */

    /* -- leverages -- */
    LINPRED__LEVERAGE_ROWS = 64 /* rows for one call of BLAS: enough for its inner loops, few enough to stay in cache */
};

/* A column is dependent if the others leave less than this part of its squared length. The rounding of a Gram matrix is
   about 1e-15 of it. */
static const double linpred__dependent_part = 1e-12;

/* A Hessian of more multiplications than this (some milliseconds) is costly: it is used for several steps. */
static const double linpred__costly_hessian = 3e6;

/* Below this ν²/F the Hessian changes by at most a few tenths on the way to the minimum, so the factor is kept. */
static const double linpred__keep_factor_below = 5e-4;

/* A kept factor is good while each step multiplies ν² by this or less. A smaller value makes more Hessians, a larger
   one more steps. */
static const double linpred__good_shrink = 0.04;

/* Above this ν²/F, far from the minimum, steps by a rough Hessian are about as good as by the exact one. */
static const double linpred__rough_above = 0.01;

/* If a step by a rough Hessian must be shortened to less than this part, the Hessian is too rough. */
static const double linpred__rough_min_step = 0.1;

/* Above this ν²/F a line search finds the length of a step. Below it the length 1 is near the best. */
static const double linpred__line_search_above = 2e-3;

/* If ν²/2F is below this on a sample, one more step brings it below the difference between the sample and all rows. */
static const double linpred__sample_gap = 1e-3;

/* If ν²/2F is below this and a step does not shrink ν² to a quarter, it is the last step: only rounding is left. */
static const double linpred__rounding_gap = 1e-12;

/* The longest step of a line search, in Newton steps. */
static const double linpred__line_max_step = 8.0;

/* A line search ends when the length changes by less than this part. F changes by the square of that, which is small
   enough. */
static const double linpred__line_tolerance = 0.03;

/* Conjugate gradients compare the decrease of F with the promised one. Below `poor` the step is refused. Below `fair`
   the trust region shrinks. Above `good` the region grows, if the step reached its boundary. */
static const double linpred__cg_poor = 1e-4;
static const double linpred__cg_fair = 0.25;
static const double linpred__cg_good = 0.75;

/* An estimate of the relative rounding error of a computed F: a smaller decrease says nothing about a step. */
static const double linpred__cg_rounding = 1e-14;

#endif
