/* What the checker measures of a regression: sums of its residuals, how near its loss is to the minimum, and whether
 * the two forms of a fit with powers agree.
 *
 * Residuals r = y - <x,w> are summed in double-double, in units of 2^unit. Vectors have an entry for each coefficient,
 * the intercept last.
 */
#ifndef LINPRED_CHECK_REGRESSION_MEASURE_H
#define LINPRED_CHECK_REGRESSION_MEASURE_H

#include "check/null/vectors.h"
#include "proof/witness.h"

typedef struct linpred__residual_sums {
    double weight;       /* W = Σ weight */
    double squares;      /* Σ weight r² */
    double noise;        /* an estimate of the rounding error of sqrt(squares), from above */
    double absolute;     /* Σ weight |r| */
    double loss;         /* Σ of the absolute or quantile loss; NaN: squared loss */
    double around;       /* Σ weight (y - mean y)², without intercept Σ weight y²; NaN: not measured */
    double around_error; /* the rounding of `around` is at most this */
    int unit;            /* residuals are in units of 2^unit */
} linpred__residual_sums;

/* basis_form.c: how far the form that predict uses (the basis) is from the coefficients, relative to the targets. */
typedef struct linpred__form_finding {
    double apart;                 /* the norm over the rows of the difference of their predictions */
    double rounding;              /* the rounding error of `apart` */
    double dependencies;          /* the difference of the dependencies of columns in both forms */
    double dependencies_rounding; /* the rounding error of that */
    double *off; /* for each coefficient a bound of its distance from the basis form in plain powers; NULL: no powers */
} linpred__form_finding;

linpred_status linpred__measure_forms(const linpred_model *model, const linpred_data *data, linpred__form_finding *form,
                                      linpred_error *error);
void linpred__form_clear(linpred__form_finding *form);

/* squares.c: least squares. */
typedef struct linpred__squares_finding {
    uint64_t fingerprint; /* of the rows */
    linpred__residual_sums sums;
    linpred__form_finding form;
    /* The minimum. */
    bool by_factor;       /* the bounds below come from S; else from the gradient alone */
    bool perfect;         /* the residuals are only rounding */
    double gap;           /* relative; NaN: not bounded */
    double gap_min;       /* the relative gap is at least this; 0 where nothing is known */
    double gradient_left; /* the largest |g_j| / (sum of the absolute values that g_j is made of) */
    double digits;        /* every coefficient but those that are 0 is right to this many digits; NaN: not bounded */
    double off_zero;      /* how far a coefficient that is 0 is from an exact minimiser's at most */
    bool all_zero;        /* every coefficient is 0 */
    double *error_bound;  /* for each coefficient a bound of its distance from an exact minimiser; NaN: not bounded */
    /* Dependencies of columns. */
    bool whole;        /* the objective certainly does not decrease along the dependencies */
    bool null_seen;    /* the dependencies were tested on the rows */
    bool null_exact;   /* each holds in exact arithmetic, as stated or in whole numbers */
    double null_worst; /* the largest |<x,n>| / Σ|x_j n_j| of any row */
    double norm_left;  /* the largest |n'w| / (||n|| ||w||) */
    int32_t rank;      /* of the columns; -1: not known */
    /* S: S'(X'VX + penalty)S = I, from which standard errors and intervals come. */
    double *length;         /* ||row j of S|| in plain powers; NULL: there is no S, or its error cannot be bounded */
    double length_rounding; /* the relative error of a length by the rounding of S */
    double factor_off;      /* ||I - S'GS|| as computed */
    double factor_usual;    /* the value of ||I - S'GS|| to expect if S was computed in doubles */
    double factor_rounding; /* a bound of the rounding error of factor_off */
} linpred__squares_finding;

linpred_status linpred__measure_squares(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                        linpred__squares_finding *finding, linpred_error *error);
void linpred__squares_finding_clear(linpred__squares_finding *finding);
/* Whether the numbers of columns of S and of dependencies add up to the number of coefficients. */
bool linpred__factor_fits(const linpred__regression *regression);

/* absolute.c: least absolute deviations and quantiles. */
typedef struct linpred__absolute_finding {
    linpred__residual_sums sums;
    linpred__form_finding form;
    bool perfect;      /* the loss is only rounding */
    bool hidden;       /* of such large terms that it need not be small: rounding may hide a better fit */
    double gap;        /* relative to the loss; for a perfect fit relative to the targets */
    double gap_min;    /* the gap without what rounding of the residuals may have added */
    double imbalance;  /* the largest |Σ a x_j| / Σ|a x_j| over the columns, with the duals a of all rows */
    double excess;     /* how far a dual lies outside its interval, relative to the length of the interval */
    double blur;       /* the relative accuracy to which powers are known */
    int64_t uncertain; /* rows outside the support whose side is not certain */
    int64_t used;      /* rows of the support met in the data */
    int32_t rank;      /* of the columns, to the accuracy of the dependencies; -1: not known */
    int unique;        /* 1: no other coefficients do as well, 0: some do, -1: not known */
} linpred__absolute_finding;

/* `duals` may be empty. */
linpred_status linpred__measure_absolute(const linpred_model *model, const linpred__support *duals,
                                         const linpred_data *data, linpred__pool *pool,
                                         linpred__absolute_finding *finding, linpred_error *error);

/* absolute_rank.c: sets rank and uniqueness, once the rest was measured. */
linpred_status linpred__measure_absolute_rank(const linpred_model *model, const linpred__support *duals,
                                              const linpred_data *data, linpred__absolute_finding *finding,
                                              linpred_error *error);

/* ---- what these files share ---- */

/* The coordinates in which a fit is judged. A fit with powers, without penalty and dependencies, is judged in its own
   polynomials: they span the same functions, and in plain powers rounding would hide what is to be judged. Other fits
   are judged in plain powers, for which smallest norm and penalty are defined. `w` is 2 width long, leading and
   trailing parts. The second function returns false if memory runs out. */
bool linpred__judged_in_basis(const linpred_model *model);
bool linpred__judged_coordinates(const linpred_model *model, linpred__polynomial_basis *basis, double *w);
/* The highest power of a column, at least 1. */
int32_t linpred__highest_power(const linpred__polynomial_basis *basis);

/* Sets length_j to ||row j of T S|| plus its rounding error, for S (width x rank by rows) in the basis; T is the change
   to plain powers. Returns a bound of the relative error by the rounding of S itself, or -1 if memory runs out. */
double linpred__plain_lengths(const linpred__polynomial_basis *basis, const double *factor, size_t rank,
                              double *length);

#endif
