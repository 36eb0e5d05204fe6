/* What the checker measures of a regression: sums of its residuals, how near it is to the minimum of its loss, whether
 * the two forms of a fit with powers agree.
 *
 * Residuals r = y - <x,w> are summed in double-double, in units of 2^unit. Vectors have an entry for each coefficient,
 * the intercept's last.
 */
#ifndef LINPRED_CHECK_REGRESSION_MEASURE_H
#define LINPRED_CHECK_REGRESSION_MEASURE_H

#include "check/null/vectors.h"
#include "proof/witness.h"

typedef struct linpred__residual_sums {
    double weight;       /* W = Σ weight */
    double squares;      /* Σ weight r² */
    double noise;        /* the rounding of sqrt(squares) is at most about this */
    double absolute;     /* Σ weight |r| */
    double loss;         /* Σ of the absolute or quantile loss; NaN: squared loss */
    double around;       /* Σ weight (y - mean y)², without intercept Σ weight y²; NaN: not measured */
    double around_error; /* the rounding of `around` is at most this */
    int unit;
} linpred__residual_sums;

/* basis_form.c: how far the form that predict uses (the basis) is from the coefficients, relative to the targets. */
typedef struct linpred__form_finding {
    double apart;        /* by which predictions differ, in the norm of the rows */
    double rounding;     /* rounding may hide this much more */
    double dependencies; /* the same of the dependencies of columns in both forms */
    double dependencies_rounding;
    double *off; /* of each coefficient, how far it may be from the basis form in plain powers; NULL: no powers */
} linpred__form_finding;

linpred_status linpred__measure_forms(const linpred_model *model, const linpred_data *data, linpred__form_finding *form,
                                      linpred_error *error);
void linpred__form_clear(linpred__form_finding *form);

/* squares.c: least squares. */
typedef struct linpred__squares_finding {
    linpred__residual_sums sums;
    linpred__form_finding form;
    /* The minimum. */
    bool by_factor;       /* the bounds below come from S; else from the gradient alone */
    bool perfect;         /* the residuals are nothing but rounding: no objective is below 0 */
    double gap;           /* relative; NaN: not bounded */
    double gap_min;       /* the relative gap is at least this; 0 where nothing is known */
    double gradient_left; /* how far the gradient is from 0, beside the sums it is made of */
    double digits;        /* every coefficient is right to this many; NaN: not bounded */
    double *error_bound;  /* of each coefficient, the distance from an exact minimiser; NaN: not bounded */
    /* Dependencies of columns. */
    bool whole;        /* nothing can be gained along the dependencies, for sure */
    bool null_seen;    /* the rows were asked about the dependencies */
    bool null_exact;   /* each holds without any rounding, or a whole-numbered one beside it does */
    double null_worst; /* the largest |<x,n>| / Σ|x_j n_j| of any row */
    double norm_left;  /* the largest |n'w| / (||n|| ||w||) */
    int32_t rank;      /* of the columns; -1: not known */
    /* S: S'(X'VX + penalty)S = I, from which standard errors and intervals come. */
    double *length;         /* ||row j of S|| in plain powers; NULL: no S, or nothing bounds how far it is from right */
    double length_rounding; /* what the rounding of S may be of a length, relative */
    double factor_off;      /* ||I - S'GS|| as measured */
    double factor_usual;    /* what making S in doubles makes of it */
    double factor_rounding; /* what rounding may have added */
} linpred__squares_finding;

linpred_status linpred__measure_squares(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                        linpred__squares_finding *finding, linpred_error *error);
void linpred__squares_finding_clear(linpred__squares_finding *finding);
/* S and the dependencies that a model holds make up its coefficients; otherwise it is no model of ours. */
bool linpred__factor_fits(const linpred__regression *regression);

/* absolute.c: least absolute deviations and quantiles. */
typedef struct linpred__absolute_finding {
    linpred__residual_sums sums;
    linpred__form_finding form;
    bool perfect;      /* the loss is nothing but rounding */
    double gap;        /* relative; of a perfect fit beside the terms of the sums */
    double imbalance;  /* Σ a x of all rows' duals a, beside Σ|a x| */
    double excess;     /* of a dual beyond its interval, relative to it */
    double blur;       /* powers are known to this only */
    int64_t uncertain; /* rows outside the support whose side is not certain */
    int64_t used;      /* rows of the support met in the data */
} linpred__absolute_finding;

/* `duals` may be empty. */
linpred_status linpred__measure_absolute(const linpred_model *model, const linpred__support *duals,
                                         const linpred_data *data, linpred__pool *pool,
                                         linpred__absolute_finding *finding, linpred_error *error);

/* ---- what these files share ---- */

/* The coordinates in which a fit is judged. Powers that are independent, without a penalty: the fit's own polynomials,
   which span the same functions, since plain powers would lose what is to be judged in rounding. Else plain powers, of
   which least norm and a penalty speak. `w` is 2 width long, leading and trailing parts. False: out of memory. */
bool linpred__judged_in_basis(const linpred_model *model);
bool linpred__judged_coordinates(const linpred_model *model, linpred__polynomial_basis *basis, double *w);
/* The highest power of a column, at least 1. */
int32_t linpred__highest_power(const linpred__polynomial_basis *basis);

/* ||row j of T S|| for S (width x rank by rows) in the basis, rounding of its arithmetic included. Answers how much of
   one of them the rounding of S itself may be, relative; -1: out of memory. */
double linpred__plain_lengths(const linpred__polynomial_basis *basis, const double *factor, size_t rank,
                              double *length);

#endif
