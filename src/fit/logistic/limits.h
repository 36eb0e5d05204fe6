/* The tuning constants of the logistic fit. */
#ifndef LINPRED_FIT_LOGISTIC_LIMITS_H
#define LINPRED_FIT_LOGISTIC_LIMITS_H

enum {
    /* Method auto without a penalty uses Newton's method, which needs a matrix, up to so many features. Conjugate
       gradients prove nothing without a penalty, so the limit is higher than with one. */
    LINPRED__AUTO_MATRIX_UNPENALISED = 1500,

    /* Method auto with a penalty uses Newton's method up to so many features. Conjugate gradients prove the gap too,
       and are faster with more. */
    LINPRED__AUTO_MATRIX_PENALISED = 1000,

    /* Up to so many features method auto always uses Newton's method: the matrix costs next to nothing. */
    LINPRED__AUTO_MATRIX_ALWAYS = 200,

    /* Method auto uses Newton's method on dense rows only if there are so many rows for each feature. With fewer, the
       factor of the matrix costs more than the passes it saves. */
    LINPRED__AUTO_ROWS_A_FEATURE = 50,

    /* Method auto uses Newton's method on sparse rows only if a Hessian costs no more than so many passes over them. */
    LINPRED__AUTO_HESSIAN_TRIPS = 10,

    /* The estimate of that cost counts so many matrices that a pass over many rows clears and merges. */
    LINPRED__AUTO_MERGED_MATRICES = 16,

    /* A null vector is tried in so many forms: as the Gram matrix gives it, corrected once, corrected twice. A second
       correction reaches the accuracy of double-double sums, so a third would gain nothing. */
    LINPRED__NULL_VECTOR_FORMS = 3,

    /* Doubles on either side of a coefficient that are tried, so that the intercept hardly needs rounding: they change
       the coefficient by 1e-11 of it, and bring the rounding down by five digits. */
    LINPRED__ROUNDING_CANDIDATES = 1 << 16,

    /* Steps that are taken where rounding the coefficients left a gap. The first one brings nearly all there is. */
    LINPRED__ROUNDING_STEPS = 6
};

/* A fit to many digits is made if rows and rows x columns² are at most these, which takes about a second at most. The
   checker has the same limits. Steps far along a direction change scores by about 1 each. A loss takes some 40
   microseconds, and values of all bits half as much. */
enum {
    LINPRED__FINE_ROWS = 2000,
    LINPRED__FINE_WORK = 50000,
    LINPRED__FINE_STEPS = 1000,
    LINPRED__FINE_LOSSES = 30000,
    LINPRED__FINE_HALVINGS = 2048,
    LINPRED__FINE_DOUBLINGS = 12
};

/* Values of a fit to many digits have at most so many bits. That is enough where columns in units of 1e-300 and 1e300
   nearly depend on each other. */
enum { LINPRED__FINE_BITS = 4096 };

/* Orders in which its coefficients are rounded, at most; fewer, if orders x rows x columns² is more than the work. */
enum { LINPRED__FINE_ORDERS = 150 };
#define LINPRED__FINE_ORDER_WORK 1e5

/* A coefficient is a sum of so many doubles at most: all bits that doubles have places for. Two are tried first. */
enum { LINPRED__FINE_PARTS = 40 };

/* It begins at the coefficients of the fit in doubles, if no score is beyond this, else at 0. */
static const double linpred__fine_start = 40.0;

/* A step brings a score of more than 2^20 no nearer to 0 than this. Rows a factor of 1e400 larger than those of the
   basis have curvature enough there to join it. */
static const double linpred__fine_near = 1000.0;

/* log2 of the least loss of a fit to many digits: below it losses are taken as 0. A figure below the range of doubles
   is stated as the nearest of them, which may be 0. */
static const double linpred__fine_least = -1000000.0;

/* Newton's method to many digits ends at this gap, if q of digits.h is at most the second number in each row of the
   data. A double and one tail have no more digits. */
static const double linpred__fine_enough = 1e-72, linpred__fine_ratio = 1e-20;

/* Scores that are off by no more than this change a gap by 1e-20 and a standard error by 1e-10. */
static const double linpred__small_rounding = 1e-10;

/* A dependency that holds to rounding only must hold to this part of its terms on rows about their centres. */
static const double linpred__dependent_about_centres = 1e-6;

/* The largest rounding of a factor from which standard errors are made: they have three digits at least. */
static const double linpred__usable_rounding = 2e-3;

/* Standard errors are computed in double-double if rows x rank² is at most this, which takes a tenth of a second. A
   column of which less than the threshold is left beside others is then lost in rounding. */
static const double linpred__careful_errors_work = 1e6, linpred__careful_threshold = 0x1p-90;

/* Dependencies that many digits find are stated where count² x width is at most this: so many the checker shows to be
   independent in integers. */
static const double linpred__max_fine_vectors = 1e4;

/* Passes count exp(-708) for every row whose loss is less, which shows in an objective below this. */
static const double linpred__tiny_objective = 1e-290;

/* Rounding is looked into if it may hide more than this part of the tolerance. */
static const double linpred__rounding_share = 1e-3;

/* If the last step of conjugate gradients changes a score by more than this, the fit probably runs to infinity: along a
   direction of recession scores grow by about 1 with each step, while near a minimum they hardly change. */
static const double linpred__runaway_score_change = 0.25;

/* The exact leverage is computed if it costs at most so many multiplications, about a minute. If it costs more, the
   question about separation is usually cheaper. */
static const double linpred__max_exact_leverage = 1e12;

/* Guesses of a direction of recession: a column counts as dead if its diagonal entry of H is less than this part of
   that at v = 0. The right value depends on how far the fit went, so three are tried. */
static const double linpred__died_out[] = {1e-10, 1e-8, 1e-6};

/* A guessed direction d is rounded to whole numbers with this as the largest. Small numbers are more likely right if d
   is simple, large ones if it is not, so three are tried. */
static const double linpred__largest_whole[] = {8.0, 1000.0, 1e6};

/* The smallest class weight; the largest is 1 over it. Products with row weights then stay in the range of doubles. */
#define LINPRED__MIN_CLASS_WEIGHT 1e-30

#endif
