/* Shattering and counts of labellings, against all labellings of small integer points.
 *
 * The reference is Gordan's theorem with minimal supports: a labelling y is not realised on vectors v exactly if some
 * circuit (a minimal dependent set, Σ a_i v_i = 0) has y_i = sign a_i on all of its vectors, or the opposite on all.
 * Circuits are found by elimination in machine integers. For balls the vectors are (x, 1, |x|²), and e_last with the
 * label -. */
#include "num/exact_sum.h"
#include "fit_support.h"
#include "core/int128.h"

enum { MOST = 10 };

typedef struct points {
    int m, d;
    double x[MOST][MOST];
} points;

typedef struct circuits {
    int vectors, count;
    unsigned support[1024], positive[1024];
} circuits;

/* ---- the reference
 * -------------------------------------------------------------------------------------------------------- */

/* Rank of some integer vectors, and if exactly one combination is zero, its signs. */
static int eliminate(int n, int width, const int64_t *const *v, int *sign)
{
    linpred__int128 a[MOST + 2][2 * MOST + 4] = {{0}}; /* (v_i, e_i) */
    int rank = 0, whole = width + n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < width; j++)
            a[i][j] = v[i][j];
        a[i][width + i] = 1;
    }
    for (int j = 0; j < width && rank < n; j++) {
        int pivot = rank;
        while (pivot < n && a[pivot][j] == 0)
            pivot++;
        if (pivot == n)
            continue;
        for (int k = 0; k < whole; k++) {
            linpred__int128 t = a[pivot][k];
            a[pivot][k] = a[rank][k], a[rank][k] = t;
        }
        for (int i = rank + 1; i < n; i++) {
            linpred__int128 f = a[i][j], g = a[rank][j];
            for (int k = 0; k < whole; k++)
                a[i][k] = a[i][k] * g - a[rank][k] * f;
        }
        rank++;
    }
    for (int i = 0; i < n && rank == n - 1; i++)
        sign[i] = (a[n - 1][width + i] > 0) - (a[n - 1][width + i] < 0);
    return rank;
}

static circuits find_circuits(int n, int width, int64_t v[MOST + 1][MOST + 2])
{
    circuits all = {.vectors = n};
    for (unsigned set = 1; set < 1u << n; set++) {
        const int64_t *chosen[MOST + 1];
        int place[MOST + 1], sign[MOST + 1], k = 0;
        for (int i = 0; i < n; i++)
            if (set >> i & 1) {
                place[k] = i;
                chosen[k++] = v[i];
            }
        if (k > width + 1 || eliminate(k, width, chosen, sign) != k - 1)
            continue;
        bool full = true;
        unsigned positive = 0;
        for (int i = 0; i < k; i++) {
            full = full && sign[i] != 0;
            positive |= sign[i] > 0 ? 1u << place[i] : 0;
        }
        if (full) {
            assert_true(all.count < 1024);
            all.support[all.count] = set;
            all.positive[all.count++] = positive;
        }
    }
    return all;
}

static circuits circuits_of(const points *p, bool intercept, bool ball)
{
    int64_t v[MOST + 1][MOST + 2] = {{0}};
    int width = p->d + intercept + ball;
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->d; j++) {
            v[i][j] = (int64_t)p->x[i][j];
            if (ball)
                v[i][width - 1] += v[i][j] * v[i][j];
        }
        if (intercept)
            v[i][p->d] = 1;
    }
    v[p->m][width - 1] = 1;
    return find_circuits(p->m + ball, width, v);
}

/* Bit i of the labelling: point i is +. e_last, if it is there, is -. */
static bool realised(const circuits *all, unsigned labelling)
{
    for (int c = 0; c < all->count; c++) {
        unsigned on = labelling & all->support[c];
        if (on == all->positive[c] || on == (all->support[c] ^ all->positive[c]))
            return false;
    }
    return true;
}

static int count_realised(const circuits *all, int m)
{
    int count = 0;
    for (unsigned labelling = 0; labelling < 1u << m; labelling++)
        count += realised(all, labelling);
    return count;
}

/* ---- the library
 * ------------------------------------------------------------------------------------------------------------- */

static linpred_data *as_data(const points *p, bool sparse)
{
    static double values[MOST * MOST + 1], zeros[MOST];
    static int64_t start[MOST + 1];
    static int32_t indices[MOST * MOST + 1];
    int64_t at = 0;
    for (int i = 0; i < p->m; i++) {
        start[i] = at;
        for (int j = 0; j < p->d; j++)
            if (!sparse || p->x[i][j] != 0.0) {
                indices[at] = j;
                values[at++] = p->x[i][j];
            }
    }
    start[p->m] = at;
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = p->m, .columns = p->d, .values = values, .labels = zeros};
    if (sparse) {
        arrays.start = start;
        arrays.indices = indices;
    }
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    return data;
}

static linpred_options asking(bool intercept, bool ball, bool count)
{
    linpred_options options;
    linpred__options_init(&options);
    options.no_intercept = !intercept;
    options.class_asked = ball ? LINPRED_CLASS_BALL : LINPRED_CLASS_HALFSPACE;
    options.count = count;
    options.threads = 1;
    return options;
}

static linpred_shattering *shatter(const points *p, const linpred_options *options, bool sparse)
{
    linpred_shattering *s = NULL;
    linpred_error error = {.message = ""};
    linpred_data *data = as_data(p, sparse);
    if (linpred_shatter(data, options, &s, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    linpred_data_free(data);
    return s;
}

static const char *counted(const linpred_shattering *s, linpred_labellings which)
{
    const char *text = linpred_shattering_count(s, which);
    assert_non_null(text);
    return text;
}

/* The witness: sums that are zero exactly, a labelling that the reference refuses, and minimal. */
static void check_witness(const points *p, const circuits *all, const linpred_shattering *s, bool intercept, bool ball,
                          bool *all_minus)
{
    const int64_t *row;
    const signed char *sign;
    int64_t count = linpred_shattering_witness(s, &row, &sign);
    unsigned set = 0, plus = 0;
    double sum[MOST] = {0}, ones = 0, squares = 0;
    assert_true(count >= 1 && count <= p->d + intercept + 1);
    for (int64_t k = 0; k < count; k++) {
        double a = sign[k] * strtod(linpred_shattering_weight(s, k), NULL);
        assert_true(fabs(a) >= 1 && fabs(a) < 1e9 && (k == 0 || row[k] > row[k - 1]));
        const double *x = p->x[row[k] - 1];
        for (int j = 0; j < p->d; j++) {
            sum[j] += a * x[j];
            squares += a * x[j] * x[j];
        }
        ones += a;
        set |= 1u << (row[k] - 1);
        plus |= sign[k] > 0 ? 1u << (row[k] - 1) : 0;
    }
    for (int j = 0; j < p->d; j++)
        assert_true(sum[j] == 0.0);
    assert_true(!intercept || ones == 0.0);
    assert_true(!ball || squares >= 0.0);
    assert_true(plus != set); /* some point is labelled -: it fails also where the boundary counts as + */
    for (unsigned others = 0; others < 1u << p->m; others++)
        assert_false(realised(all, (others & ~set) | plus));
    circuits plain = circuits_of(p, intercept, false);
    for (int64_t k = 0; k < count; k++) { /* the rest of the witness is independent, and so takes every labelling */
        unsigned rest = set & ~(1u << (row[k] - 1));
        for (int c = 0; c < plain.count; c++)
            assert_false((plain.support[c] & ~rest) == 0);
    }
    *all_minus = plus == 0;
}

static points random_points(linpred__random *random)
{
    points p = {.m = 1 + (int)linpred__random_below(random, 7), .d = 1 + (int)linpred__random_below(random, 3)};
    uint64_t size = 2 + linpred__random_below(random, 4);
    for (int i = 0; i < p.m; i++)
        for (int j = 0; j < p.d; j++)
            p.x[i][j] = (double)linpred__random_below(random, size) - (double)(size / 2);
    if (p.m > 1 && linpred__random_below(random, 6) == 0)
        memcpy(p.x[p.m - 1], p.x[0], sizeof p.x[0]);
    return p;
}

/* ---- tests
 * ------------------------------------------------------------------------------------------------------------------------
 */

static void all_labellings_of_small_points(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    int shattered = 0, not_shattered = 0, one_sign = 0;
    for (int round = 0; round < 3000; round++) {
        points p = random_points(&random);
        bool ball = round % 3 == 2, intercept = round % 3 != 0;
        circuits all = circuits_of(&p, intercept, ball);
        int reference = count_realised(&all, p.m);
        linpred_options options = asking(intercept, ball, true);
        linpred_shattering *s = shatter(&p, &options, round % 2);
        const linpred_shatter_info *info = linpred_shattering_info(s);
        assert_int_equal(strtol(counted(s, LINPRED_LABELLINGS_REALISED), NULL, 10), reference);
        assert_true(reference <= strtol(counted(s, LINPRED_LABELLINGS_GENERAL_POSITION), NULL, 10));
        assert_int_equal(info->shattered, reference == 1 << p.m);
        assert_int_equal(info->vc_dimension, p.d + intercept);
        if (info->shattered == 1) {
            assert_int_equal(info->rank, p.m);
            assert_int_equal(info->general_position, 1);
            shattered++;
        } else {
            bool all_minus;
            check_witness(&p, &all, s, intercept, ball, &all_minus);
            one_sign += all_minus;
            not_shattered++;
        }
        linpred_shattering_free(s);
    }
    assert_true(shattered > 300 && not_shattered > 300 && one_sign > 20);
}

/* The sign that a model gives a point, exactly: <w,x> + b, or radius² - |x - centre|². */
static int exact_sign(const points *p, int i, const linpred_model *model, bool ball)
{
    const double *w = linpred_model_coefficients(model);
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int j = 0; j < p->d; j++) {
        linpred__exact_add(&sum, (ball ? 2.0 : 1.0) * w[j], p->x[i][j]);
        if (ball) {
            linpred__exact_add(&sum, -w[j], w[j]);
            linpred__exact_add(&sum, -p->x[i][j], p->x[i][j]);
        }
    }
    linpred__exact_add(&sum, ball ? linpred_model_radius_squared(model) : linpred_model_intercept(model), 1.0);
    return linpred__exact_sign(&sum);
}

/* Of every labelling of some points: realised or not, by a predictor with the exact signs or by rows with weights. */
static void every_labelling_with_its_proof(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 12);
    for (int round = 0; round < 90; round++) {
        points p = random_points(&random);
        bool ball = round % 3 == 2, intercept = round % 3 != 0;
        circuits all = circuits_of(&p, intercept, ball);
        for (unsigned labelling = 0; labelling < 1u << p.m; labelling++) {
            char labels[MOST + 1] = {0};
            for (int i = 0; i < p.m; i++)
                labels[i] = labelling >> i & 1 ? '+' : '-';
            linpred_options options = asking(intercept, ball, false);
            options.labelling = labels;
            linpred_shattering *s = shatter(&p, &options, false);
            const linpred_model *model = linpred_result_model(linpred_shattering_result(s));
            assert_int_equal(linpred_shattering_info(s)->realised, realised(&all, labelling));
            assert_int_equal(linpred_check_verdict(linpred_shattering_check(s)), LINPRED_PROVED);
            for (int i = 0; i < p.m && realised(&all, labelling); i++)
                assert_int_equal(exact_sign(&p, i, model, ball), labels[i] == '+' ? 1 : -1);
            linpred_shattering_free(s);
        }
    }
}

static void expect_same(const points *p, const points *q, bool intercept, bool ball)
{
    linpred_options options = asking(intercept, ball, true);
    linpred_shattering *s = shatter(p, &options, false), *t = shatter(q, &options, false);
    assert_int_equal(linpred_shattering_info(s)->shattered, linpred_shattering_info(t)->shattered);
    assert_string_equal(counted(s, LINPRED_LABELLINGS_REALISED), counted(t, LINPRED_LABELLINGS_REALISED));
    linpred_shattering_free(s);
    linpred_shattering_free(t);
}

/* Moving, turning by signs, scaling and reordering the points changes nothing; nor does the unit of a column, but for
 * balls. */
static void laws(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 13);
    for (int round = 0; round < 300; round++) {
        points p = random_points(&random), moved = p, scaled = p, turned = p, columns = p;
        bool ball = round % 3 == 2, intercept = round % 3 != 0;
        double factor = ldexp(1.0, (int)linpred__random_below(&random, 300) - 150);
        for (int i = 0; i < p.m; i++)
            for (int j = 0; j < p.d; j++) {
                moved.x[i][j] = p.x[i][j] + (intercept ? 100.0 * j + 7.0 : 0.0);
                scaled.x[i][j] = factor * p.x[i][j];
                turned.x[p.m - 1 - i][p.d - 1 - j] = -p.x[i][j];
                columns.x[i][j] = p.x[i][j] * (ball ? 3.0 : pow(10.0, 60 * j));
            }
        expect_same(&p, &moved, intercept, ball);
        expect_same(&p, &scaled, intercept, ball);
        expect_same(&p, &turned, intercept, ball);
        expect_same(&p, &columns, intercept, ball);
    }
}

/* Random doubles are in general position; halfspaces then meet Cover's formula, balls Sauer's. Some values are known.
 */
static void general_position(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 14);
    for (int d = 1; d <= 5; d++)
        for (int m = 1; m <= MOST; m++)
            for (int kind = 0; kind < 3; kind++) {
                points p = {.m = m, .d = d};
                for (int i = 0; i < m; i++)
                    for (int j = 0; j < d; j++)
                        p.x[i][j] = ldexp((double)linpred__random_below(&random, UINT64_C(1) << 53), -50) - 4.0;
                linpred_options options = asking(kind != 0, kind == 2, true);
                linpred_shattering *s = shatter(&p, &options, false);
                assert_int_equal(linpred_shattering_info(s)->general_position, 1);
                assert_string_equal(counted(s, LINPRED_LABELLINGS_REALISED),
                                    counted(s, LINPRED_LABELLINGS_GENERAL_POSITION));
                long cover = 0, term = 1, sauer = 0; /* 2 Σ_{k<D} C(m-1,k), Σ_{k<=D} C(m,k) */
                for (int k = 0; k < d + (kind != 0) && k < m; k++) {
                    cover += 2 * term;
                    term = term * (m - 1 - k) / (k + 1);
                }
                term = 1;
                for (int k = 0; k <= d + (kind != 0) && k <= m; k++) {
                    sauer += term;
                    term = term * (m - k) / (k + 1);
                }
                assert_int_equal(strtol(counted(s, LINPRED_LABELLINGS_SAUER), NULL, 10), sauer);
                assert_int_equal(strtol(counted(s, LINPRED_LABELLINGS_REALISED), NULL, 10), kind == 2 ? sauer : cover);
                linpred_shattering_free(s);
            }
}

/* Sets whose numbers others have counted: the corners of a cube (threshold functions of n variables, OEIS A000609) and
   square grids (twice A114043). */
static void known_counts(void **state)
{
    (void)state;
    static const char *const cubes[] = {"4", "14", "104", "1882", "94572"};
    static const char *const grids[] = {"2", "14", "58", "174", "402", "838", "1498"};
    static double values[64 * 5], labels[64];
    for (int k = 0; k < 12; k++) {
        bool cube = k < 5;
        int n = cube ? k + 1 : k - 4, rows = cube ? 1 << n : n * n, columns = cube ? n : 2;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                values[i * columns + j] = cube ? i >> j & 1 : j ? i % n : i / n;
        linpred_arrays arrays = {
            .struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = values, .labels = labels};
        linpred_data *data = NULL;
        linpred_shattering *s = NULL;
        linpred_options options = asking(true, false, true);
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
        assert_int_equal(linpred_shatter(data, &options, &s, NULL), LINPRED_OK);
        assert_string_equal(counted(s, LINPRED_LABELLINGS_REALISED), cube ? cubes[k] : grids[k - 5]);
        linpred_shattering_free(s);
        linpred_data_free(data);
    }
}

/* Decimal points on a line are not on a line as doubles, and the answer is about the doubles. */
static void borderline(void **state)
{
    (void)state;
    points whole = {.m = 3, .d = 2, .x = {{0, 1}, {1, 2}, {2, 3}}};
    points tenths = {.m = 3, .d = 2, .x = {{0, 0.1}, {1, 0.2}, {2, 0.3}}};
    points huge = {.m = 3, .d = 2, .x = {{1e300, 1e-300}, {-1e300, 5e-324}, {1e-300, 1e300}}};
    points same = {.m = 2, .d = 3, .x = {{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}}};
    points near = {.m = 2, .d = 3, .x = {{0.1, 0.2, 0.3}, {0.1, 0.2, 0.30000000000000004}}};
    const struct {
        const points *p;
        int shattered;
        const char *count, *ball_count;
    } cases[] = {{&whole, 0, "6", "7"},
                 {&tenths, 1, "8", "8"},
                 {&huge, 1, "8", "8"},
                 {&same, 0, "2", "2"},
                 {&near, 1, "4", "4"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int ball = 0; ball < 2; ball++) {
            linpred_options options = asking(true, ball, true);
            linpred_shattering *s = shatter(cases[k].p, &options, false);
            assert_int_equal(linpred_shattering_info(s)->shattered, cases[k].shattered);
            assert_string_equal(counted(s, LINPRED_LABELLINGS_REALISED), ball ? cases[k].ball_count : cases[k].count);
            linpred_shattering_free(s);
        }
}

/* e_1 .. e_d are shattered through the origin, 0, e_1 .. e_d with an intercept; one more random point ends it, and is
 * in the witness. */
static void unit_vectors(void **state)
{
    (void)state;
    for (int d = 1; d <= 300; d = d * 3 + 1) {
        double *values = calloc((size_t)((d + 2) * d), sizeof *values), *labels = calloc((size_t)d + 2, sizeof *labels);
        for (int i = 0; i < d; i++) {
            values[(i + 1) * d + i] = 1.0;
            values[(d + 1) * d + i] = 1.0 / (i + 3.0);
        }
        for (int rows = d; rows <= d + 2; rows++) /* e's; 0 and e's; one more */
            for (int intercept = 0; intercept < 2; intercept++) {
                bool zero = rows > d;
                linpred_arrays arrays = {.struct_size = sizeof arrays,
                                         .rows = rows,
                                         .columns = d,
                                         .labels = labels,
                                         .values = values + (zero ? 0 : d)};
                linpred_data *data = NULL;
                linpred_shattering *s = NULL;
                linpred_options options = asking(intercept, false, rows <= d + 1);
                assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
                assert_int_equal(linpred_shatter(data, &options, &s, NULL), LINPRED_OK);
                const int64_t *row;
                const signed char *sign;
                int64_t witnesses = linpred_shattering_witness(s, &row, &sign);
                assert_int_equal(linpred_shattering_info(s)->shattered, rows == d || (rows == d + 1 && intercept));
                assert_int_equal(witnesses, rows == d || (rows == d + 1 && intercept) ? 0 : intercept ? d + 2 : 1);
                linpred_shattering_free(s);
                linpred_data_free(data);
            }
        free(values);
        free(labels);
    }
}

static void scarce(void **state)
{
    (void)state;
    points p = {.m = 5, .d = 2, .x = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 2}}};
    bool done = false;
    for (int64_t k = 0; !done; k++)
        for (int ball = 0; ball < 2; ball++) {
            linpred_shattering *s = NULL;
            linpred_error error = {.message = ""};
            linpred_options options = asking(true, ball, true);
            options.labelling = "+--+-";
            linpred_data *data = as_data(&p, false);
            scarce_memory(k);
            linpred_status status = linpred_shatter(data, &options, &s, &error);
            enough_memory();
            done = status == LINPRED_OK;
            assert_true(done || (status == LINPRED_ERROR_MEMORY && !s && *error.message));
            linpred_shattering_free(s);
            linpred_data_free(data);
        }
}

static bool stop_at_once(void *context, const linpred_progress *progress)
{
    ++*(int *)context;
    return progress->seconds < 0;
}

/* What cannot be counted is said so, and a stop ends the count. */
static void limits(void **state)
{
    (void)state;
    enum { M = 400, D = 6 };
    static double values[20001 * D], labels[20001];
    linpred__random random;
    linpred__random_seed(&random, 15);
    for (int i = 0; i < 20001 * D; i++)
        values[i] = (double)linpred__random_below(&random, 1 << 30);
    for (int large = 0; large < 2; large++) {
        int asked = 0;
        linpred_arrays arrays = {
            .struct_size = sizeof arrays, .rows = large ? 20001 : M, .columns = D, .values = values, .labels = labels};
        linpred_data *data = NULL;
        linpred_shattering *s = NULL;
        linpred_options options = asking(true, false, true);
        options.on_progress = stop_at_once;
        options.context = &asked;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
        assert_int_equal(linpred_shatter(data, &options, &s, NULL), LINPRED_OK);
        assert_int_equal(linpred_shattering_info(s)->shattered, 0);
        assert_null(linpred_shattering_count(s, LINPRED_LABELLINGS_REALISED));
        assert_non_null(linpred_shattering_count(s, LINPRED_LABELLINGS_SAUER));
        assert_string_equal(linpred_shattering_info(s)->reason_no_count,
                            large ? "20001 points of 6 coordinates are too many (up to 20000 numbers in all)"
                                  : "stopped");
        assert_true(large || asked == 1);
        linpred_shattering_free(s);
        linpred_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_labellings_of_small_points),
        cmocka_unit_test(every_labelling_with_its_proof),
        cmocka_unit_test(laws),
        cmocka_unit_test(general_position),
        cmocka_unit_test(known_counts),
        cmocka_unit_test(borderline),
        cmocka_unit_test(unit_vectors),
        cmocka_unit_test(scarce),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
