/* Compares the two forms of a fit with powers.
 *
 * The coefficients w of plain powers are reported and judged. The coefficients c of orthogonal polynomials are used by
 * predict. Both have leading and trailing parts. With T the change from polynomials to plain powers, in double-double,
 *
 *   e = T c - w
 *
 * is the difference of the two functions in plain powers. Over the rows, weighted, their predictions differ by at most
 * Σ_j |e_j| ||x_j||, where x_j is column j of plain powers.
 *
 * The rounding error of T c is bounded by the same sums with every term positive. These are T c for |c| and a basis
 * with centres -|a| and steps -|b|. What underflow takes from products is counted as if each |c_j| were larger by
 * LEAST_TERM, and what it takes from the coefficients as LEAST_COEFFICIENT. The dependencies of both forms are compared
 * in the same way.
 *
 * A length ||x_j|| may be beyond the range of doubles where x_j and e_j ||x_j|| are not, so lengths have an exponent of
 * their own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/regression/measure.h"
#include "check/regression/polynomials.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "data/row.h"

/* unit * LEAST_TERM is more than the 2^-1074 by which underflow changes each part of a product. */
#define LEAST_TERM 0x1p-960
/* Underflow of the leading and of the trailing part, in T c and in w. */
#define LEAST_COEFFICIENT 0x1p-1072

/* value 2^exponent */
struct length {
    double value;
    int exponent;
};

struct forms {
    const linpred__polynomial_basis *basis;
    linpred__polynomial_basis positive; /* the same basis with every term of T positive */
    size_t p;                           /* number of coefficients */
    struct length *length;              /* ||x_j|| of each column of plain powers, in the weights of the rows */
    struct length target;               /* ||y||, in the weights of the rows */
    double unit;         /* the rounding error of T c is at most this times the sums of absolute values */
    linpred__dd *buffer; /* 4 p long */
};

bool linpred__judged_in_basis(const linpred_model *model)
{
    const linpred__regression *regression = model->regression;
    bool in_basis =
        regression->basis.polynomials > 0 && regression->dependencies.count == 0 && linpred__model_l2(model) == 0.0;
    for (int32_t i = 0; i < regression->basis.polynomials;
         i++) /* a unit 2^exponent outside the range of doubles would make the polynomials 0 */
        in_basis = in_basis && abs(regression->basis.polynomial[i].exponent) <= 1000;
    return in_basis;
}

int32_t linpred__highest_power(const linpred__polynomial_basis *basis)
{
    int32_t degree = 1;
    for (int32_t i = 0; i < basis->polynomials; i++)
        degree = basis->polynomial[i].degree > degree ? basis->polynomial[i].degree : degree;
    return degree;
}

bool linpred__judged_coordinates(const linpred_model *model, linpred__polynomial_basis *basis, double *w)
{
    const linpred__regression *regression = model->regression;
    size_t p = (size_t)regression->width;
    bool in_basis = linpred__judged_in_basis(model);
    for (size_t j = 0; j < p; j++) {
        w[j] = in_basis ? regression->basis_weight[j] : j < (size_t)model->columns ? model->w[j] : model->b;
        w[p + j] = in_basis ? regression->basis_tail[j] : regression->tail[j];
    }
    return in_basis ? linpred__polynomial_basis_copy(basis, &regression->basis)
                    : linpred__polynomial_basis_make(basis, model->recipe, model->has_intercept);
}

/* length <- the length of (length, root x). */
static void lengthen(struct length *length, double root, double x)
{
    int of_root, of_x, exponent;
    double term = frexp(root, &of_root) * frexp(x, &of_x);
    if (term == 0.0)
        return;
    exponent = of_root + of_x;
    if (length->value == 0.0 || exponent > length->exponent) {
        length->value = ldexp(length->value, length->value == 0.0 ? 0 : length->exponent - exponent);
        length->exponent = exponent;
    }
    length->value = hypot(length->value, ldexp(term, exponent - length->exponent));
}

/* |size| length */
static struct length times(double size, const struct length *length)
{
    int exponent;
    double value = frexp(fabs(size), &exponent) * length->value;
    return (struct length){value, exponent + length->exponent};
}

/* |size| length / whole. It is 0 if the product is, and infinite if the whole alone is 0. */
static double share_of(double size, const struct length *length, const struct length *whole)
{
    struct length part = times(size, length);
    if (part.value == 0.0)
        return 0.0;
    return isfinite(part.value) ? ldexp(part.value / whole->value, part.exponent - whole->exponent) : INFINITY;
}

/* Sets `length` and `target`. */
static bool measure_columns(struct forms *forms, const linpred_model *model, const linpred_data *data)
{
    size_t p = forms->p;
    linpred__polynomial_basis powers;
    double *x = linpred__alloc(2 * p, sizeof *x);
    if (!x || !linpred__polynomial_basis_make(&powers, model->recipe, model->has_intercept)) {
        linpred__release(x);
        return false;
    }
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++) {
            double root = sqrt(linpred__row_weight(block, r));
            linpred__row_in_basis(&powers, block, r, x, x + p);
            for (size_t j = 0; j < p; j++)
                lengthen(&forms->length[j], root, x[j]);
            lengthen(&forms->target, root, block->target[r]);
        }
    }
    linpred__release(x);
    linpred__polynomial_basis_clear(&powers);
    return true;
}

/* Makes c into |c|, and adds LEAST_TERM to what products are made of. A polynomial whose coefficients are all 0 has
   exact products. */
static void take_sizes(const linpred__polynomial_basis *basis, linpred__dd *c)
{
    for (int32_t j = 0; j < linpred__polynomial_basis_width(basis); j++)
        c[j] = c[j].hi < 0 ? linpred__dd_negate(c[j]) : c[j];
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *of = &basis->polynomial[i];
        bool used = false;
        for (int32_t k = 0; k < of->degree; k++)
            used = used || c[of->term + k].hi != 0.0;
        for (int32_t k = 0; used && k < of->degree; k++)
            c[of->term + k] = linpred__dd_add_double(c[of->term + k], LEAST_TERM);
    }
}

/* Whether coefficient j is made by products: that of a power, where c_j as take_sizes makes it is not 0. */
static bool may_underflow(const linpred__polynomial_basis *basis, const linpred__dd *c, int32_t j)
{
    bool is_power = false;
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *of = &basis->polynomial[i];
        is_power = is_power || (j >= of->term && j < of->term + of->degree);
    }
    return is_power && c[j].hi != 0.0;
}

/* Sets *apart to Σ |(T c)_j - plain_j| ||x_j|| and *rounding to a bound of its error, if T c has the relative rounding
   error `unit`; both as parts of `whole`. c is in the first p places of the buffer. If `off` is not NULL, off_j becomes
   a bound of |(T c)_j - plain_j| plus the trailing part of plain_j. */
static void compare_forms(struct forms *forms, const linpred__dd *plain, double unit, const struct length *whole,
                          double *apart, double *rounding, double *off)
{
    size_t p = forms->p;
    linpred__dd *c = forms->buffer, *expanded = c + p, *size = expanded + p;
    linpred__plain_powers(forms->basis, c, expanded);
    take_sizes(forms->basis, c);
    linpred__plain_powers(&forms->positive, c, size);
    *apart = *rounding = 0.0;
    for (size_t j = 0; j < p; j++) {
        linpred__dd e = linpred__dd_add(expanded[j], linpred__dd_negate(plain[j]));
        double error = unit * size[j].hi + (may_underflow(forms->basis, c, (int32_t)j) ? LEAST_COEFFICIENT : 0.0);
        *apart += share_of(e.hi, &forms->length[j], whole);
        *rounding += share_of(error, &forms->length[j], whole);
        if (off)
            off[j] = fabs(e.hi) + error + fabs(plain[j].lo);
    }
}

/* Copies the basis so that every term of T is positive. */
static bool make_positive(const linpred__polynomial_basis *basis, linpred__polynomial_basis *positive)
{
    if (!linpred__polynomial_basis_copy(positive, basis))
        return false;
    for (int32_t i = 0; i < positive->polynomials; i++) {
        linpred__polynomial *polynomial = &positive->polynomial[i];
        for (int32_t k = 0; k < polynomial->degree; k++) {
            polynomial->centre[k] = -fabs(polynomial->centre[k]);
            polynomial->step[k] = -fabs(polynomial->step[k]);
        }
    }
    return true;
}

/* A bound of the rounding error of T c, relative to the sums of absolute values. */
static double change_unit(const linpred__polynomial_basis *basis)
{
    return (16.0 * linpred__highest_power(basis) + 64.0) * 0x1p-104;
}

static bool open_forms(struct forms *forms, const linpred_model *model, const linpred_data *data)
{
    forms->length = linpred__calloc(forms->p, sizeof *forms->length);
    forms->buffer = linpred__calloc(4 * forms->p, sizeof *forms->buffer);
    if (!forms->length || !forms->buffer || !make_positive(forms->basis, &forms->positive))
        return false;
    forms->unit = change_unit(forms->basis);
    return measure_columns(forms, model, data);
}

/* Compares the dependencies in the basis with those in plain powers, relative to the largest |n_j| ||x_j||. The model
   stores both as doubles, so their rounding error is 2^-52. */
static void compare_dependencies(struct forms *forms, const linpred__regression *regression,
                                 linpred__form_finding *form)
{
    size_t p = forms->p;
    linpred__dd *plain = forms->buffer + 3 * p;
    if (regression->loss != LINPRED_LOSS_SQUARED || regression->dependencies.count == 0)
        return;
    if (!regression->basis_dependency) {
        form->dependencies = INFINITY;
        return;
    }
    for (size_t k = 0; k < (size_t)regression->dependencies.count; k++) {
        double apart, rounding;
        struct length largest = {0};
        for (size_t j = 0; j < p; j++) {
            plain[j] = (linpred__dd){regression->dependencies.vector[k * p + j], 0.0};
            forms->buffer[j] = (linpred__dd){regression->basis_dependency[k * p + j], 0.0};
            if (share_of(plain[j].hi, &forms->length[j], &largest) > 1.0)
                largest = times(plain[j].hi, &forms->length[j]);
        }
        compare_forms(forms, plain, 0x1p-52, &largest, &apart, &rounding, NULL);
        form->dependencies = linpred__greater(form->dependencies, apart);
        form->dependencies_rounding = linpred__greater(form->dependencies_rounding, rounding);
    }
}

double linpred__plain_lengths(const linpred__polynomial_basis *basis, const double *factor, size_t rank, double *length)
{
    size_t p = (size_t)linpred__polynomial_basis_width(basis);
    linpred__polynomial_basis positive = {0};
    linpred__dd *buffer = linpred__alloc(3 * p, sizeof *buffer);
    double *size = linpred__calloc(p, sizeof *size);
    double worst = buffer && size && make_positive(basis, &positive) ? 0.0 : -1.0;
    memset(length, 0, p * sizeof *length);
    for (size_t k = 0; worst == 0.0 && k < rank; k++) {
        for (size_t j = 0; j < p; j++)
            /* NOLINTNEXTLINE(clang-analyzer-core*): worst is 0 only if both are allocated */
            buffer[j] = (linpred__dd){factor[j * rank + k], 0.0};
        linpred__plain_powers(basis, buffer, buffer + p);
        take_sizes(basis, buffer);
        linpred__plain_powers(&positive, buffer, buffer + 2 * p);
        for (size_t j = 0; j < p; j++) {
            length[j] = hypot(length[j], buffer[p + j].hi);
            /* NOLINTNEXTLINE(clang-analyzer-core*): worst is 0 only if both are allocated */
            size[j] = hypot(size[j], buffer[2 * p + j].hi);
        }
    }
    for (size_t j = 0; worst >= 0.0 && j < p; j++) {
        double underflow = LEAST_COEFFICIENT * (double)rank;
        /* NOLINTNEXTLINE(clang-analyzer-core*): worst is not negative only if both are allocated */
        worst = linpred__greater(worst, size[j] > 0.0 ? (0x1p-52 * size[j] + underflow) / length[j] : 0.0);
        length[j] += size[j] > 0.0 ? change_unit(basis) * size[j] + underflow : 0.0;
    }
    linpred__polynomial_basis_clear(&positive);
    linpred__release(buffer);
    linpred__release(size);
    return worst;
}

linpred_status linpred__measure_forms(const linpred_model *model, const linpred_data *data, linpred__form_finding *form,
                                      linpred_error *error)
{
    const linpred__regression *regression = model->regression;
    struct forms forms = {.basis = &regression->basis, .p = (size_t)regression->width};
    *form = (linpred__form_finding){0};
    if (regression->basis.polynomials == 0)
        return LINPRED_OK;
    form->off = linpred__calloc(forms.p, sizeof *form->off);
    bool complete = form->off && open_forms(&forms, model, data);
    if (complete) {
        linpred__dd *plain = forms.buffer + 3 * forms.p;
        for (size_t j = 0; j < forms.p; j++) {
            plain[j] = (linpred__dd){j < (size_t)model->columns ? model->w[j] : model->b, regression->tail[j]};
            forms.buffer[j] = (linpred__dd){regression->basis_weight[j], regression->basis_tail[j]};
        }
        compare_forms(&forms, plain, forms.unit, &forms.target, &form->apart, &form->rounding, form->off);
        compare_dependencies(&forms, regression, form);
    }
    linpred__polynomial_basis_clear(&forms.positive);
    linpred__release(forms.length);
    linpred__release(forms.buffer);
    if (!complete)
        linpred__form_clear(form);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

void linpred__form_clear(linpred__form_finding *form)
{
    linpred__release(form->off);
    form->off = NULL;
}
