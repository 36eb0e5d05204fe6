/* The checker's sums of logistic losses, gradients and Hessians, against plain loops in long doubles: dense and sparse
 * rows, few and many columns, one part of a pass and several. */
#include "fit_support.h"
#include "process_support.h"

#include <float.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "core/memory.h"
#include "data/tree.h"

/* Rows, and the point at which their losses are measured. */
struct measured {
    sample rows;
    linpred_data *data;
    linpred__careful careful;
    linpred__logistic_question question;
    double *w, *centre, *penalty;
};

static void open_measured(struct measured *m, int64_t rows, int32_t columns, bool sparse, bool intercept)
{
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)(rows + columns));
    int32_t d = columns + intercept;
    *m = (struct measured){.rows = sample_new(rows, columns)};
    m->rows.weights = calloc((size_t)rows, sizeof(double));
    m->w = calloc((size_t)d, sizeof(double));
    m->centre = calloc((size_t)d, sizeof(double));
    m->penalty = calloc((size_t)d, sizeof(double));
    for (int64_t i = 0; i < rows; i++) {
        for (int k = 0; k < 4 || (k < columns && !sparse); k++) {
            int64_t j = sparse ? (int64_t)linpred__random_below(&random, (uint64_t)columns) : k % columns;
            m->rows.values[i * columns + j] = (double)((int64_t)linpred__random_below(&random, 2001) - 900) / 512.0;
        }
        m->rows.labels[i] = linpred__random_below(&random, 3) ? 1.0 : -1.0;
        m->rows.weights[i] = 0.25 * (double)(1 + linpred__random_below(&random, 8));
    }
    sample_index(&m->rows);
    m->data = sample_data(&m->rows, sparse);
    for (int32_t j = 0; j < d; j++) {
        m->w[j] = (double)((int64_t)linpred__random_below(&random, 201) - 100) / 64.0;
        m->centre[j] = sparse || j == columns ? 0.0 : 0.125 * (double)(j % 5);
        m->penalty[j] = j == columns ? 0.0 : 0.5;
    }
    m->question = (linpred__logistic_question){.l2 = 0.5, .class_weight = {2.0, 3.0}, .tolerance = NAN};
    m->careful = (linpred__careful){.data = m->data,
                                    .w = m->w,
                                    .centre = m->centre,
                                    .centred = !sparse,
                                    .penalty = m->penalty,
                                    .dimension = d,
                                    .has_intercept = intercept,
                                    .weight = 7.0};
}

static void close_measured(struct measured *m)
{
    linpred_data_free(m->data);
    sample_free(&m->rows);
    free(m->w);
    free(m->centre);
    free(m->penalty);
}

/* What a row is for the loss. */
struct plain_row {
    const double *x;
    long double weight, score, miss, loss; /* miss: 1 - the probability of its label */
    bool positive;
};

static struct plain_row plain_row_of(const struct measured *m, int64_t i)
{
    struct plain_row row = {.x = m->rows.values + i * m->rows.columns, .positive = m->rows.labels[i] > 0};
    row.score = m->careful.has_intercept ? m->w[m->rows.columns] : 0.0;
    for (int32_t j = 0; j < m->rows.columns; j++)
        row.score += (long double)m->w[j] * row.x[j];
    row.weight = (long double)m->rows.weights[i] * (row.positive ? 3.0L : 2.0L);
    long double t = row.positive ? row.score : -row.score;
    row.miss = 1.0L / (1.0L + expl(t));
    row.loss = (t < 0 ? -t : 0.0L) + log1pl(expl(-fabsl(t)));
    return row;
}

/* The row about the centres, with 1 for the intercept. */
static long double cell_of_row(const struct measured *m, const struct plain_row *row, int32_t j)
{
    return j < m->rows.columns ? (long double)row->x[j] - m->centre[j] : 1.0L;
}

/* ---- the Hessian ---- */

static void hessian_is_the_sum(int64_t rows, int32_t columns, bool sparse, bool intercept, linpred__pool *pool)
{
    struct measured m;
    open_measured(&m, rows, columns, sparse, intercept);
    int32_t d = m.careful.dimension, *at = calloc((size_t)d, sizeof *at);
    size_t cells = (size_t)d * (size_t)d;
    double *found = malloc(cells * sizeof *found);
    long double *sum = calloc(cells, sizeof *sum), *size = calloc(cells, sizeof *size);
    for (int64_t i = 0; i < rows; i++) {
        struct plain_row row = plain_row_of(&m, i);
        long double curvature = row.weight * row.miss * (1.0L - row.miss);
        int32_t count = 0;
        for (int32_t j = 0; j < d; j++)
            if (cell_of_row(&m, &row, j) != 0.0L)
                at[count++] = j;
        for (int32_t a = 0; a < count; a++)
            for (int32_t b = 0; b < count; b++) {
                long double part = curvature * cell_of_row(&m, &row, at[a]) * cell_of_row(&m, &row, at[b]);
                sum[at[a] * d + at[b]] += part;
                size[at[a] * d + at[b]] += fabsl(part);
            }
    }
    assert_int_equal(linpred__sum_hessian(&m.question, m.data, pool, &m.careful, found, NULL), LINPRED_OK);
    for (int32_t a = 0; a < d; a++)
        for (int32_t b = 0; b < d; b++) {
            long double entry = sum[a * d + b] / 7.0L + (a == b ? m.penalty[a] : 0.0L);
            if (!(fabsl(found[a * d + b] - entry) <= 1e-13L * (size[a * d + b] + 1e-3L)))
                fail_msg("%d x %d, sparse %d: entry %d, %d is %.17g, not %.17Lg", (int)rows, columns, sparse, a, b,
                         found[a * d + b], entry);
        }
    close_measured(&m);
    free(at);
    free(found);
    free(sum);
    free(size);
}

static void hessians_are_sums(void **state)
{
    (void)state;
    linpred__pool *pool;
    assert_int_equal(linpred__pool_open(3, &pool, NULL), LINPRED_OK);
    for (int k = 0; k < 4; k++) {
        bool sparse = k % 2, intercept = k / 2;
        hessian_is_the_sum(30, 7, sparse, intercept, pool);
        hessian_is_the_sum(40000, 3, sparse, intercept, pool);
    }
    /* So many columns that the matrix is filled by its rows: the intercept stands in the last task, or has its own. */
    hessian_is_the_sum(5000, LINPRED__MANY_COLUMNS, true, true, pool);
    hessian_is_the_sum(5000, LINPRED__MANY_COLUMNS + 7, true, true, pool);
    hessian_is_the_sum(300, LINPRED__MANY_COLUMNS + 31, true, true, pool);
    hessian_is_the_sum(300, LINPRED__MANY_COLUMNS + 7, true, false, NULL);
    hessian_is_the_sum(300, LINPRED__MANY_COLUMNS - 1, true, true, NULL);
    hessian_is_the_sum(20, LINPRED__MANY_COLUMNS, false, true, pool);
    linpred__pool_close(pool);
}

/* Wherever memory runs out, it is said. */
static void memory_runs_out(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct measured m;
        open_measured(&m, 10, k == 2 ? LINPRED__MANY_COLUMNS : 4, k > 0, true);
        size_t d = (size_t)m.careful.dimension;
        double *found = malloc(d * d * sizeof *found);
        linpred_status status = LINPRED_ERROR_MEMORY;
        for (int64_t granted = 0; status != LINPRED_OK; granted++) {
            linpred_error error;
            scarce_memory(granted);
            status = linpred__sum_hessian(&m.question, m.data, NULL, &m.careful, found, &error);
            guard_memory(NULL);
            assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
        }
        free(found);
        close_measured(&m);
    }
}

/* ---- losses and gradients ---- */

static void within(long double found, long double expected, long double bound)
{
    if (!(fabsl(found - expected) <= bound))
        fail_msg("%.20Lg is not within %.3Lg of %.20Lg", found, bound, expected);
}

static void losses_are_the_sums(int64_t rows, int32_t columns, bool sparse, bool intercept, linpred__pool *pool)
{
    struct measured m;
    open_measured(&m, rows, columns, sparse, intercept);
    int32_t d = m.careful.dimension;
    long double *gradient = calloc(2 * (size_t)d, sizeof *gradient), *size = gradient + d;
    double *high = calloc(2 * (size_t)d, sizeof *high), *low = high + d;
    long double loss = 0, curvature = 0, weight[2] = {0}, score[2] = {0}, length[2] = {0}, radius = 0;
    for (int64_t i = 0; i < rows; i++) {
        struct plain_row row = plain_row_of(&m, i);
        long double r = (row.positive ? -row.miss : row.miss) * row.weight, square = 0;
        loss += row.weight * row.loss;
        curvature += row.weight * row.miss * (1.0L - row.miss);
        weight[row.positive] += row.weight;
        score[row.positive] += row.weight * row.score;
        length[row.positive] += row.weight * fabsl(row.score);
        for (int32_t j = 0; j < d; j++) {
            long double cell = cell_of_row(&m, &row, j);
            gradient[j] += r * cell;
            size[j] += fabsl(r * cell);
            square += cell * cell;
            if (j == columns)
                continue;
            double x = sparse ? fabs(row.x[j]) : row.x[j];
            high[j] = i == 0 || x > high[j] ? x : high[j];
            low[j] = i == 0 || x < low[j] ? x : low[j];
        }
        radius = square > radius ? square : radius;
    }
    linpred__losses total;
    assert_int_equal(linpred__sum_losses(&m.question, &m.careful, pool, &total, NULL), LINPRED_OK);
    within((long double)total.loss.hi + total.loss.lo, loss, total.loss_error);
    assert_true(total.loss_error < 1e-12L * (loss + length[0] + length[1]));
    within(total.curvature, curvature, 1e-10L * curvature);
    within(total.radius_square, radius, 1e-12L * radius);
    for (int k = 0; k < 2; k++) {
        within((long double)total.weight[k].hi + total.weight[k].lo, weight[k], 1e-25L * weight[k]);
        within(total.score[k], score[k], 1e-10L * length[k]);
        within(total.size[k], length[k], 1e-10L * length[k]);
    }
    for (int32_t j = 0; j < d; j++) {
        within(total.gradient[j], gradient[j], total.gradient[d + j]);
        assert_true(total.gradient[d + j] < 2e-12L * (double)(rows + 100) / 100 * (size[j] + 1e-3L));
        if (j < columns)
            assert_true(total.gradient[2 * d + j] == high[j] && (sparse || total.gradient[3 * d + j] == low[j]));
    }
    linpred__release(total.gradient);
    close_measured(&m);
    free(gradient);
    free(high);
}

static void losses_and_gradients_are_sums(void **state)
{
    (void)state;
    linpred__pool *pool;
    assert_int_equal(linpred__pool_open(3, &pool, NULL), LINPRED_OK);
    for (int k = 0; k < 4; k++) {
        bool sparse = k % 2, intercept = k / 2;
        for (int rows = 1; rows < 40; rows += 5)
            losses_are_the_sums(rows, 7, sparse, intercept, pool);
        losses_are_the_sums(3000, 90, sparse, intercept, pool);
        losses_are_the_sums(100000, 3, sparse, intercept, pool);
    }
    linpred__pool_close(pool);
}

/* One row x = (2, -3) with the score s, off by so much, which other coefficients do not change: the bounds are those of
   the formulas. */
static void bounds_follow_their_formulas(void **state)
{
    (void)state;
    static const double large[] = {0.0, 0x1p20, 0x1p35, 0x1p49, 0x1p51, 0x1p60, 0x1p110};
    double x[] = {2.0, -3.0}, label, weight = 5.0, centre[3] = {0.5, 0.0, 0.0}, penalty[3] = {0};
    for (int k = 0; k < 7 * 2 * 9; k++) {
        /* the last score leaves a derivative of 0, though the true one is none */
        double s = k % 9 < 8   ? 1.5 * (k % 9 - 4)
                   : k / 9 % 2 ? 2000.0
                               : -2000.0,
               w[3] = {3 * large[k / 18], 2 * large[k / 18], s};
        label = k / 9 % 2 ? 1.0 : -1.0;
        linpred_arrays arrays = {
            .struct_size = sizeof arrays, .rows = 1, .columns = 2, .values = x, .weights = &weight};
        arrays.labels = &label;
        linpred_data *data = NULL;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
        linpred__careful careful = {.data = data, .off = 0x1p-53, .w = w, .centre = centre, .centred = true};
        careful.penalty = penalty;
        careful.dimension = 3;
        careful.has_intercept = true;
        linpred__logistic_question question = {.class_weight = {2.0, 3.0}};
        linpred__measured_score score;
        linpred__careful_scores(&careful, linpred__block_at(data, 0), 0, 1, &score);
        linpred__losses total;
        assert_int_equal(linpred__sum_losses(&question, &careful, NULL, &total, NULL), LINPRED_OK);
        double off = score.off, c = 5.0 * (label > 0 ? 3.0 : 2.0), t = label * score.value, miss = 1 / (1 + exp(t));
        double curvature = off < 0.1 ? 1.2 * miss * (1 - miss) : 0.25, r = c * miss;
        double dr = c * fmin(off * curvature, 1.0) + r * (0x1p-48 + 41.0 * 0x1p-52), dx = r * 0x1p-53;
        if (k % 9 == 8 && off < 0.1) {
            assert_true(total.gradient[3] > 0 && total.gradient[4] > 0 && total.gradient[5] > 0);
            dr = total.gradient[5];
        }
        near(total.gradient[3], dr * 1.5 + dx * 2.0, 1e-9);
        near(total.gradient[4], dr * 3.0 + dx * 3.0, 1e-9);
        near(total.gradient[5], dr, 1e-9);
        double loss = c * (fmax(-t, 0.0) + log1p(exp(-fabs(t))));
        near(total.loss_error, c * off * fmin(1.0, 1.2 * miss + off) + loss * 0x1p-48, 1e-9);
        near(total.score_error, off, 1e-15);
        linpred__release(total.gradient);
        linpred_data_free(data);
    }
}

/* ---- another pass over the same rows ---- */

static void rows_are_taken_along(void **state)
{
    (void)state;
    struct measured m, other;
    open_measured(&m, 50, 3, false, true);
    open_measured(&other, 50, 3, false, true);
    linpred_model model = {.task = LINPRED_TASK_LOGISTIC, .columns = 3, .w = m.w, .b = m.w[3], .has_intercept = true};
    linpred__rows_finding wanted, found;
    assert_int_equal(linpred__measure_rows(&model, m.data, NULL, false, &wanted, NULL), LINPRED_OK);
    for (int k = 0; k < 2; k++) { /* rows of other data are not: the pass is left to be run */
        linpred__rows_pass pass;
        linpred__losses total;
        assert_true(linpred__rows_open(&model, m.data, false, &pass));
        m.question.beside = &pass;
        m.careful.data = k ? other.data : m.data;
        assert_int_equal(linpred__sum_losses(&m.question, &m.careful, NULL, &total, NULL), LINPRED_OK);
        assert_int_equal(pass.visited, k == 0);
        linpred__release(total.gradient);
        assert_int_equal(linpred__rows_finish(&pass, NULL, &found, NULL), LINPRED_OK);
        linpred__rows_close(&pass);
        assert_true(found.errors == wanted.errors && found.fingerprint == wanted.fingerprint);
    }
    close_measured(&m);
    close_measured(&other);
}

/* ---- processes ---- */

static void find_losses(void *context, double *found)
{
    const struct measured *m = context;
    size_t d = (size_t)m->careful.dimension, vectors = m->data->layout == LINPRED__SPARSE ? 3 : 4;
    linpred__losses total;
    assert_int_equal(linpred__sum_losses(&m->question, &m->careful, NULL, &total, NULL), LINPRED_OK);
    memcpy(found, total.gradient, vectors * d * sizeof *found);
    memcpy(found + 4 * d, &total.loss, sizeof total - offsetof(linpred__losses, loss));
    linpred__release(total.gradient);
}

static void find_hessian(void *context, double *found)
{
    const struct measured *m = context;
    assert_int_equal(linpred__sum_hessian(&m->question, m->data, NULL, &m->careful, found, NULL), LINPRED_OK);
}

static void processes_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct measured m;
        open_measured(&m, 100000, 3, k % 2, k / 2);
        size_t d = (size_t)m.careful.dimension;
        assert_true(linpred__segments(m.data, linpred__cut_vector(m.data, 4.0 * (double)d)) > 2);
        assert_true(linpred__segments(m.data, linpred__cut_matrix(m.data, (double)d)) > 2);
        processes_find_the_same(find_losses, &m, 4 * d + sizeof(linpred__losses) / sizeof(double));
        processes_find_the_same(find_hessian, &m, d * d);
        close_measured(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hessians_are_sums),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(losses_and_gradients_are_sums),
        cmocka_unit_test(bounds_follow_their_formulas),
        cmocka_unit_test(rows_are_taken_along),
        cmocka_unit_test(processes_change_no_bit),
    };
    return cmocka_run_group_tests(tests, guard_memory, NULL);
}
