/* What the checker measures of an absolute or quantile loss, against plain loops in long doubles: losses, gaps, duals,
 * what cancels and what rounding hides. The numbers are chosen so that each part of a bound counts. */
#include "regression_support.h"
#include "process_support.h"

#include "check/limits.h"
#include "check/regression/measure.h"
#include "check/regression/polynomials.h"
#include "core/memory.h"

enum { COLUMNS = 3, MOST = 7 };

/* How rows and coefficients are made. */
struct absolute_case {
    uint64_t seed;
    int64_t rows;
    bool sparse, intercept, weighted;
    double quantile;
    int big;       /* two coefficients of 2^big that cancel; 0: none */
    bool perfect;  /* targets on the fit, but for some that are off by a part 2^-slip */
    int slip;      /* 0: none is off */
    bool tenths;   /* cells and targets mean tenths */
    bool depends;  /* the model states a dependency of columns 0 and 2 */
    bool powers;   /* the squares of columns, as polynomials that are 0 in some rows */
    int64_t every; /* each so many rows are in the support */
    bool light;    /* column 2 varies in rows that weigh next to nothing */
    bool nothing;  /* coefficients and targets are 0 */
};

struct absolute_problem {
    struct absolute_case asked;
    sample rows;
    linpred_data *data;
    linpred__decimals *tenths;
    linpred_result *shell; /* a fit of other rows, for the model that it has */
    double w[MOST], tail[MOST], vector[MOST];
    linpred__support duals;
    int32_t p;
};

/* ---- the problem ---- */

static double draw(linpred__random *random, int range)
{
    return (double)linpred__random_below(random, 2 * (uint64_t)range + 1) - range;
}

/* A model of this shape, by a fit of random rows. It is made once. */
static linpred_result *shell_of(const struct absolute_case *asked)
{
    static linpred_result *made[2][2][2][4];
    linpred_result **shell = &made[asked->sparse][asked->intercept][asked->powers][(int)(4.0 * asked->quantile)];
    linpred__random random;
    if (*shell)
        return *shell;
    linpred__random_seed(&random, 3);
    sample s = sample_linear(&random, 60, COLUMNS, 1.0);
    linpred_data *data = sample_data(&s, asked->sparse);
    linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
    options.no_intercept = !asked->intercept;
    options.quantile = asked->quantile;
    options.degree = asked->powers ? 2 : 1;
    *shell = fit_data(data, &options);
    linpred_data_free(data);
    sample_free(&s);
    return *shell;
}

/* φ_1 = x, φ_2 = x² - 4 */
static void set_polynomials(linpred__regression *regression, struct absolute_problem *s)
{
    for (int32_t i = 0; i < regression->basis.polynomials; i++) {
        linpred__polynomial *of = &regression->basis.polynomial[i];
        of->exponent = 0;
        of->centre[0] = of->centre[1] = of->step[0] = 0.0;
        of->step[1] = 4.0;
    }
    for (int32_t j = 0; j < s->p; j++) {
        regression->basis_weight[j] = s->w[j];
        regression->basis_tail[j] = s->tail[j];
    }
}

static void set_coefficients(struct absolute_problem *s, linpred__random *random)
{
    const struct absolute_case *asked = &s->asked;
    linpred_model *model = &s->shell->model;
    linpred__regression *regression = model->regression;
    s->p = regression->width;
    for (int32_t j = 0; j < s->p; j++)
        s->w[j] = draw(random, 8) / (asked->tenths ? 1.0 : 4.0); /* tenths on the fit are tenths */
    if (asked->big > 0 && !asked->powers) {
        s->w[0] = ldexp(1.0, asked->big);
        s->w[1] = -s->w[0];
    } else if (asked->big > 0 && asked->rows % 2) {
        s->w[1] = ldexp(1.0, asked->big);
    } else if (asked->big > 0) {
        s->w[2] = ldexp(1.0, asked->big);
        s->w[4] = -s->w[2];
    } else {
        s->tail[0] = 0x1p-40;
    }
    for (int32_t j = 0; j < s->p && asked->nothing; j++)
        s->w[j] = s->tail[j] = 0.0;
    for (int32_t j = 0; j < s->p && !asked->powers; j++) {
        *(j < COLUMNS ? &model->w[j] : &model->b) = s->w[j];
        regression->tail[j] = s->tail[j];
    }
    if (asked->powers)
        set_polynomials(regression, s);
    if (asked->depends) {
        s->vector[0] = 1.0;
        s->vector[2] = -1.0;
        regression->dependencies = (linpred__dependencies){.count = 1, .width = s->p, .vector = s->vector};
    }
}

/* Coordinates of row i in the unit of its cells. */
static void coordinates(const struct absolute_problem *s, int64_t i, long double *x)
{
    const double *cell = s->rows.values + i * COLUMNS;
    for (int32_t j = 0; j < COLUMNS; j++) {
        long double value = s->asked.tenths ? roundl(10.0L * cell[j]) : (long double)cell[j];
        x[s->asked.powers ? 2 * j : j] = value;
        if (s->asked.powers)
            x[2 * j + 1] = value * value - (s->asked.intercept ? 4.0L : 0.0L);
    }
    if (s->asked.intercept)
        x[s->p - 1] = s->asked.tenths ? 10.0L : 1.0L;
}

static long double score_of(const struct absolute_problem *s, const long double *x)
{
    long double z = 0.0L; /* large terms first: they cancel */
    for (int32_t j = 0; j < s->p; j++)
        z += fabs(s->w[j]) > 0x1p50 ? x[j] * s->w[j] : 0.0L;
    for (int32_t j = 0; j < s->p; j++)
        z += fabs(s->w[j]) > 0x1p50 ? 0.0L : x[j] * ((long double)s->w[j] + s->tail[j]);
    return z;
}

static void fill_rows_and_duals(struct absolute_problem *s, linpred__random *random)
{
    const struct absolute_case *asked = &s->asked;
    double unit = asked->tenths ? 10.0 : 1.0;
    assert_true(linpred__support_open(&s->duals, (asked->rows - 1) / asked->every + 1));
    for (int64_t i = 0; i < asked->rows; i++) {
        double *x = s->rows.values + i * COLUMNS;
        long double coordinate[MOST];
        for (int32_t j = 0; j < COLUMNS; j++)
            x[j] = draw(random, 5) / unit;
        if (asked->big > 0 && !asked->powers)
            x[1] = x[0];
        if (asked->powers) {
            x[0] = linpred__random_below(random, 2) ? 2.0 : -2.0;
            x[2] = asked->rows % 2 ? x[2] : x[1];
        }
        if (asked->light)
            x[2] = i % 4 == 1 ? 2.0 : 1.0;
        if (asked->tenths && x[0] == 0.0) /* so that the tail decides the side of the row */
            x[0] = 0.1;
        coordinates(s, i, coordinate);
        double y = asked->perfect ? (double)score_of(s, coordinate) : asked->nothing ? 0.0 : draw(random, 90);
        s->rows.labels[i] = (asked->slip > 0 && i % 3 == 0 ? y * (1.0 + ldexp(1.0, -asked->slip)) : y) / unit;
        double weight = asked->weighted ? (double)(1 + linpred__random_below(random, 4)) : 1.0;
        if (asked->weighted && asked->seed % 5 == 0 && !asked->light)
            weight *= 0x1p-14; /* so that sums are below 1 */
        if (asked->light && i % 4 == 1)
            weight = 0x1p-100;
        if (asked->weighted)
            s->rows.weights[i] = weight;
        if (i % asked->every == 0) {
            int64_t k = i / asked->every;
            s->duals.row[k] = i + 1;
            s->duals.multiplier[k] = weight * draw(random, 10) / 8.0;
            s->duals.tail[k] = 0x1p-30;
        }
    }
}

static void open_absolute(const struct absolute_case *asked, struct absolute_problem *s)
{
    linpred__random random;
    linpred__random_seed(&random, asked->seed);
    *s = (struct absolute_problem){.asked = *asked, .rows = sample_new(asked->rows, COLUMNS)};
    s->rows.weights = asked->weighted ? calloc((size_t)asked->rows, sizeof(double)) : NULL;
    s->shell = shell_of(asked);
    set_coefficients(s, &random);
    fill_rows_and_duals(s, &random);
    sample_index(&s->rows);
    s->data = sample_data(&s->rows, asked->sparse);
    if (asked->tenths) {
        s->tenths = calloc(1, sizeof *s->tenths + COLUMNS);
        s->tenths->most = s->tenths->target = 1;
        s->tenths->unit = 10.0;
        memset(s->tenths->column, 1, COLUMNS);
        linpred__set_decimals(s->data, s->tenths);
    }
}

static void close_absolute(struct absolute_problem *s)
{
    if (s->asked.depends)
        s->shell->model.regression->dependencies = (linpred__dependencies){0};
    linpred__support_clear(&s->duals);
    linpred_data_free(s->data);
    sample_free(&s->rows);
    free(s->tenths);
}

/* ---- plain loops ---- */

struct plain_sums {
    long double pull[MOST], moved[MOST], size[4][MOST], /* moved: Σ a (x - first) */
        loss, squares, absolute, weight, gap, gap_off, scale, targets, excess;
    int64_t uncertain, used;
    double first[MOST], terms;
};

static void add_plain_row(const struct absolute_problem *s, int64_t i, struct plain_sums *sums)
{
    long double x[MOST], unit = s->asked.tenths ? 10.0L : 1.0L, y = s->rows.labels[i], off = 0.0L;
    double hi[MOST], lo[MOST], error[MOST] = {0}, q = s->asked.quantile;
    coordinates(s, i, x);
    long double r = ((s->asked.tenths ? roundl(10.0L * y) : y) - score_of(s, x)) / unit, reach = fabsl(y);
    long double weight = s->asked.weighted ? s->rows.weights[i] : 1.0L, up = 2 * q * weight, down = 2 * weight - up;
    if (s->asked.powers) {
        const linpred__polynomial_basis *basis = &s->shell->model.regression->basis;
        linpred__block row = {.rows = 1, .columns = COLUMNS, .stride = COLUMNS, .layout = LINPRED__DENSE};
        row.values = s->rows.values + i * COLUMNS;
        linpred__row_in_basis(basis, &row, 0, hi, lo);
        linpred__row_in_basis_error(basis, &row, 0, hi, error);
    }
    for (int32_t j = 0; j < s->p; j++) {
        x[j] /= unit;
        reach += fabsl(x[j] * s->w[j]);
        off += error[j] * fabs(s->w[j]);
    }
    long double a = r > 0 ? up : -down, loss = r * a, doubt = sums->terms * reach + off;
    if (i % s->asked.every == 0) {
        int64_t k = i / s->asked.every;
        long double beyond = fmaxl(s->duals.multiplier[k] - up, -down - s->duals.multiplier[k]) / (up + down);
        a = (long double)s->duals.multiplier[k] + s->duals.tail[k];
        sums->excess = fmaxl(sums->excess, beyond);
        sums->gap += fabsl(loss - r * a);
        sums->gap_off += (up + down) * doubt;
        sums->used++;
    } else if (fabsl(r) <= doubt) {
        sums->uncertain++;
        for (int32_t j = 0; j < s->p; j++)
            sums->size[3][j] += (up + down) * fabsl(x[j]);
    }
    for (int32_t j = 0; j < s->p; j++) {
        sums->pull[j] += a * x[j];
        sums->moved[j] += a * (x[j] - sums->first[j]);
        sums->size[0][j] += (up + down) * fabsl(x[j]);
        sums->size[1][j] += (up + down) * error[j];
        sums->size[2][j] += (up + down) * fabsl(x[j] - sums->first[j]);
    }
    sums->loss += loss;
    sums->squares += weight * r * r;
    sums->absolute += weight * fabsl(r);
    sums->weight += weight;
    sums->scale += (up + down) * reach;
    sums->targets += (up + down) * fabsl(y);
}

static long double plain_imbalance(const struct absolute_problem *s, const struct plain_sums *sums, int32_t j)
{
    bool spreads = s->asked.intercept && j < s->p - 1 && !(s->asked.depends && j % 2 == 0);
    long double spread = sums->size[spreads ? 2 : 0][j], pull = spreads ? sums->moved[j] : sums->pull[j];
    long double off = fmaxl(0.0L, fabsl(pull) - sums->size[3][j] - sums->size[1][j]);
    if (off <= sums->terms * sums->size[0][j])
        off = fminl(off, LINPRED__DUAL_TOLERANCE * spread);
    return spread > 0 ? off / spread : 0.0L;
}

static void close_to(double found, long double wanted, long double beside, const char *what, uint64_t seed)
{
    if (!(fabsl(found - wanted) <= 1e-9L * fabsl(wanted) + beside))
        fail_msg("case %d: %s is %.17g, not %.17Lg", (int)seed, what, found, wanted);
}

static void findings_are_the_sums(const struct absolute_case *asked)
{
    struct absolute_problem s;
    open_absolute(asked, &s);
    struct plain_sums sums = {.terms = (s.p + 4.0 * (asked->powers ? 2 : 1) + 18.0)};
    sums.terms *= sums.terms * 0x1p-104;
    long double x[MOST];
    coordinates(&s, 0, x);
    for (int32_t j = 0; j < s.p; j++)
        sums.first[j] = (double)(x[j] / (asked->tenths ? 10.0L : 1.0L));
    for (int64_t i = 0; i < asked->rows; i++)
        add_plain_row(&s, i, &sums);
    linpred__absolute_finding found;
    assert_int_equal(linpred__measure_absolute(&s.shell->model, &s.duals, s.data, NULL, &found, NULL), LINPRED_OK);
    long double size = sums.targets + 0x1p-46L * sums.scale, imbalance = 0.0L, blur = 0.0L;
    bool perfect = sums.loss <= 0x1p-44L * size;
    for (int32_t j = 0; j < s.p; j++)
        if (sums.size[0][j] > 0) {
            imbalance = fmaxl(imbalance, plain_imbalance(&s, &sums, j));
            blur = fmaxl(blur, sums.size[1][j] / sums.size[0][j]);
        }
    uint64_t seed = asked->seed;
    assert_int_equal(found.perfect, perfect);
    assert_int_equal(found.hidden, perfect && sums.loss > LINPRED__DUAL_TOLERANCE * sums.targets);
    assert_int_equal(found.used, sums.used);
    assert_int_equal(found.uncertain, sums.uncertain);
    close_to(found.sums.loss, sums.loss, 1e-28L * size, "the loss", seed);
    close_to(found.sums.absolute, sums.absolute, 1e-28L * size, "the sum of residuals", seed);
    close_to(found.sums.squares, sums.squares, 1e-28L, "the sum of squares", seed);
    close_to(found.sums.weight, sums.weight, 0.0L, "the weight", seed);
    close_to(found.sums.noise, 0x1p-60L * sums.scale, 0.0L, "the noise", seed);
    long double gap = perfect ? sums.loss : sums.gap;
    close_to(found.gap, gap == 0 ? 0.0L : gap / (perfect ? size : sums.loss), 1e-28L, "the gap", seed);
    close_to(found.gap_min, perfect ? 0.0L : fmaxl(0.0L, sums.gap - sums.gap_off) / sums.loss, 0.0L, "its least", seed);
    close_to(found.excess, sums.excess, 0.0L, "the excess", seed);
    close_to(found.blur, blur, 0.0L, "the blur", seed);
    close_to(found.imbalance, imbalance, 1e-13L, "the imbalance", seed);
    linpred__form_clear(&found.form);
    close_absolute(&s);
}

static struct absolute_case some_case(uint64_t seed)
{
    static const int bigs[] = {0, 0, 92, 94, 95, 97}, slips[] = {0, 30, 40, 42, 43, 44, 45, 50};
    static const double quantiles[] = {0.5, 0.25, 0.75};
    struct absolute_case made = {.seed = seed,
                                 .rows = 4 + (int64_t)(seed % 29),
                                 .sparse = seed % 2,
                                 .intercept = seed / 2 % 2,
                                 .weighted = seed / 4 % 2,
                                 .quantile = quantiles[seed % 3],
                                 .big = bigs[seed / 8 % 6],
                                 .every = 1 + (int64_t)(seed % 4)};
    made.perfect = seed / 16 % 4 == 0 && made.big == 0 && seed % 9 > 0;
    made.slip = made.perfect ? slips[seed / 64 % 8] : 0;
    made.tenths = seed / 32 % 3 == 0 && made.big == 0;
    made.depends = seed / 8 % 3 == 0;
    made.light = made.weighted && seed % 9 == 0 && !made.tenths && made.big == 0;
    made.nothing = seed % 50 == 7;
    made.powers = !made.sparse && !made.tenths && !made.depends && !made.perfect && !made.light && seed % 5 < 2;
    return made;
}

static void findings_are_sums(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct absolute_case asked = some_case(seed);
        findings_are_the_sums(&asked);
    }
    for (uint64_t seed = 0; seed < 48; seed++) { /* several parts of a pass */
        struct absolute_case asked = some_case(seed);
        asked.rows = 60000;
        findings_are_the_sums(&asked);
    }
}

/* ---- processes ---- */

static void find_absolute(void *context, double *found)
{
    const struct absolute_problem *s = context;
    linpred__absolute_finding finding;
    assert_int_equal(linpred__measure_absolute(&s->shell->model, &s->duals, s->data, NULL, &finding, NULL), LINPRED_OK);
    const double all[] = {finding.sums.weight,       finding.sums.squares, finding.sums.noise,
                          finding.sums.absolute,     finding.sums.loss,    finding.gap,
                          finding.gap_min,           finding.imbalance,    finding.excess,
                          (double)finding.uncertain, (double)finding.used};
    memcpy(found, all, sizeof all);
    linpred__form_clear(&finding.form);
}

static void processes_change_no_bit(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed += 3) {
        struct absolute_case asked = some_case(seed);
        struct absolute_problem s;
        asked.rows = 100000;
        open_absolute(&asked, &s);
        processes_find_the_same(find_absolute, &s, 11);
        close_absolute(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_sums),
        cmocka_unit_test(processes_change_no_bit),
    };
    return cmocka_run_group_tests(tests, guard_memory, NULL);
}
