/* Whether the two forms of a fit with powers are the same function: the coefficients of plain powers (w + tail), which are reported
 * and judged, and those of the orthogonal polynomials (c + tail), which predict uses.
 *
 *   e = T c - w,   T the change to plain powers, in double-double
 *
 * Over the rows, predictions differ by at most Σ_j |e_j| ||x_j||, in the norm of the row weights. The rounding of T c is bounded by
 * the same sums with every term positive: those of |c| in the basis with centers -|a| and steps -|b|. The dependencies of both forms
 * are compared in the same way.
 */
#include <math.h>

#include "check/regression.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"

struct forms {
    const linpred__basis *basis;
    linpred__basis positive; /* the same with every term of T positive */
    size_t p;
    double *length;          /* ||x_j||, plain powers */
    double target;           /* ||y|| */
    double unit;             /* rounding of T c, relative to the sums of absolute values */
    linpred__dd *room;       /* 4 p */
};

/* Lengths of the columns of plain powers. */
static bool measure_columns(struct forms *forms, const linpred_result *result, const linpred_data *data)
{
    size_t p = forms->p;
    linpred__basis powers;
    double *x = linpred__alloc(2 * p, sizeof *x);
    if (!x || !linpred__basis_make(&powers, result->model.recipe, result->model.has_intercept)) {
        linpred__release(x);
        return false;
    }
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++) {
            double root = sqrt(linpred__row_weight(&data->block[i], r));
            linpred__basis_row(&powers, &data->block[i], r, x, x + p);
            for (size_t j = 0; j < p; j++)
                forms->length[j] = hypot(forms->length[j], root * x[j]);
            forms->target = hypot(forms->target, root * data->block[i].target[r]);
        }
    linpred__release(x);
    linpred__basis_clear(&powers);
    return true;
}

/* Σ |(T c)_j - plain_j| ||x_j||, and what rounding may have added to it. c stands in the first p places of the room. */
static void compare(struct forms *forms, const linpred__dd *plain, double *apart, double *doubt)
{
    size_t p = forms->p;
    linpred__dd *c = forms->room, *expanded = c + p, *size = expanded + p;
    linpred__basis_to_powers(forms->basis, c, expanded);
    for (size_t j = 0; j < p; j++)
        c[j] = c[j].hi < 0 ? linpred__dd_negate(c[j]) : c[j];
    linpred__basis_to_powers(&forms->positive, c, size);
    *apart = *doubt = 0.0;
    for (size_t j = 0; j < p; j++) {
        linpred__dd e = linpred__dd_add(expanded[j], linpred__dd_negate(plain[j]));
        *apart += e.hi != 0.0 ? fabs(e.hi) * forms->length[j] : 0.0;
        *doubt += forms->unit * size[j].hi * forms->length[j];
    }
}

static bool open_forms(struct forms *forms, const linpred_result *result, const linpred_data *data)
{
    int32_t degree = 1;
    forms->length = linpred__calloc(forms->p, sizeof *forms->length);
    forms->room = linpred__calloc(4 * forms->p, sizeof *forms->room);
    if (!forms->length || !forms->room || !linpred__basis_copy(&forms->positive, forms->basis))
        return false;
    for (int32_t i = 0; i < forms->positive.polynomials; i++) {
        linpred__polynomial *polynomial = &forms->positive.polynomial[i];
        degree = polynomial->degree > degree ? polynomial->degree : degree;
        for (int32_t k = 0; k < polynomial->degree; k++) {
            polynomial->center[k] = -fabs(polynomial->center[k]);
            polynomial->step[k] = -fabs(polynomial->step[k]);
        }
    }
    forms->unit = (16.0 * degree + 64.0) * 0x1p-104;
    return measure_columns(forms, result, data);
}

/* The dependencies in the basis against those in plain powers, relative to the longest part. */
static double dependencies_apart(struct forms *forms, const linpred__regression *regression)
{
    size_t p = forms->p;
    linpred__dd *plain = forms->room + 3 * p;
    double worst = 0.0;
    if (regression->loss != LINPRED_LOSS_SQUARED || regression->dependencies == 0)
        return 0.0;
    if (!regression->basis_dependency)
        return INFINITY;
    for (size_t k = 0; k < (size_t)regression->dependencies; k++) {
        double apart, doubt, largest = 0.0;
        for (size_t j = 0; j < p; j++) {
            plain[j] = (linpred__dd){regression->dependency[k * p + j], 0.0};
            forms->room[j] = (linpred__dd){regression->basis_dependency[k * p + j], 0.0};
            largest = fmax(largest, fabs(plain[j].hi) * forms->length[j]);
        }
        compare(forms, plain, &apart, &doubt);
        worst = fmax(worst, apart > 0 ? apart / largest : 0.0);
    }
    return worst;
}

linpred_status linpred__check_basis_form(const linpred_result *result, const linpred_data *data, linpred__basis_form *form,
                                         linpred_error *error)
{
    const linpred_model *model = &result->model;
    const linpred__regression *regression = model->regression;
    struct forms forms = {.basis = &regression->basis, .p = (size_t)regression->width};
    *form = (linpred__basis_form){0.0, 0.0, 0.0};
    if (regression->basis.polynomials == 0)
        return LINPRED_OK;
    bool complete = open_forms(&forms, result, data);
    if (complete) {
        linpred__dd *plain = forms.room + 3 * forms.p;
        for (size_t j = 0; j < forms.p; j++) {
            plain[j] = (linpred__dd){j < (size_t)model->columns ? model->w[j] : model->b, regression->tail[j]};
            forms.room[j] = (linpred__dd){regression->basis_weight[j], regression->basis_tail[j]};
        }
        compare(&forms, plain, &form->apart, &form->doubt);
        form->apart = form->apart > 0 ? form->apart / forms.target : form->apart;
        form->doubt = form->doubt > 0 ? form->doubt / forms.target : form->doubt;
        form->dependencies = dependencies_apart(&forms, regression);
    }
    linpred__basis_clear(&forms.positive);
    linpred__release(forms.length);
    linpred__release(forms.room);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}
