/* Predictions and how good they are: precision, recall, F1, log loss and the ROC curve against their definitions, row
 * by row in long double; thresholds; columns that are passed through; rows that cannot be scored. */
#include <unistd.h>

#include "logistic_support.h"

/* ---- figures by their definitions -------------------------------------------------------------------------------- */

/* Integers with ties, about one label in three flipped against a plane, and small whole weights. */
static sample labelled_sample(uint64_t seed, int64_t rows)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample s = sample_integers(&random, rows, 3, 2);
    s.weights = calloc((size_t)rows, sizeof(double));
    for (int64_t i = 0; i < rows; i++) {
        const double *x = s.values + 3 * i;
        if (linpred__random_below(&random, 3))
            s.labels[i] = x[0] + x[1] - x[2] > 0 ? 1.0 : -1.0;
        s.weights[i] = (double)(1 + linpred__random_below(&random, 3));
    }
    s.labels[0] = 1.0;
    s.labels[1] = -1.0;
    return s;
}

/* What a threshold is compared with, in long double. */
static long double graded(linpred_task task, double score)
{
    return task == LINPRED_TASK_LOGISTIC ? 1.0L / (1.0L + expl(-(long double)score)) : (long double)score;
}

typedef struct counts {
    double tp, fp, tn, fn;
} counts;

static counts count_at(const sample *s, const double *scores, double least_score)
{
    counts c = {0};
    for (int64_t i = 0; i < s->rows; i++) {
        bool up = scores[i] >= least_score, positive = s->labels[i] > 0;
        *(up ? positive ? &c.tp : &c.fp : positive ? &c.fn : &c.tn) += s->weights[i];
    }
    return c;
}

static void assert_counts(const linpred_evaluation *e, const counts *c)
{
    assert_true(e->true_positive == c->tp && e->false_positive == c->fp);
    assert_true(e->true_negative == c->tn && e->false_negative == c->fn);
    if (c->tp + c->fp > 0)
        near(e->precision, c->tp / (c->tp + c->fp), 1e-15);
    else
        assert_true(isnan(e->precision));
    near(e->recall, c->tp / (c->tp + c->fn), 1e-15);
    if (c->tp > 0) /* the harmonic mean of both */
        near(e->f1, 2.0 / (1.0 / e->precision + 1.0 / e->recall), 1e-14);
    else
        assert_true(e->f1 == 0.0);
    near(e->error, (c->fp + c->fn) / (c->tp + c->fp + c->tn + c->fn), 1e-15);
}

/* The share of pairs in the right order, ties half: all pairs, one by one. */
static double pairs_in_order(const sample *s, const double *scores)
{
    double right = 0, all = 0;
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t k = 0; k < s->rows; k++)
            if (s->labels[i] > 0 && s->labels[k] < 0) {
                double w = s->weights[i] * s->weights[k];
                all += w;
                right += scores[i] > scores[k] ? w : scores[i] == scores[k] ? w / 2 : 0;
            }
    return right / all;
}

/* Whether (x, y) lies on the curve, which is a chain of straight lines. */
static bool on_curve(const linpred_roc *roc, double x, double y)
{
    linpred_roc_corner a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    linpred_roc_point(roc, 0, &a);
    for (size_t k = 1; linpred_roc_point(roc, k, &b); k++, a = b) {
        double dx = b.false_positive_rate - a.false_positive_rate, dy = b.true_positive_rate - a.true_positive_rate;
        bool within = x >= a.false_positive_rate - 1e-12 && x <= b.false_positive_rate + 1e-12 &&
                      y >= a.true_positive_rate - 1e-12 && y <= b.true_positive_rate + 1e-12;
        if (within && fabs(dx * (y - a.true_positive_rate) - dy * (x - a.false_positive_rate)) < 1e-12)
            return true;
    }
    return false;
}

/* The corners are points of the definition at their thresholds, all points of the definition lie on the curve, and the
   area below it is the share of pairs in the right order. */
static void assert_roc(const sample *s, const linpred_model *model, const linpred_data *data, const double *scores)
{
    linpred_roc *roc = NULL;
    assert_int_equal(linpred_roc_draw(model, data, 2, &roc, NULL), LINPRED_OK);
    linpred_roc_corner corner = {.struct_size = sizeof corner};
    counts whole = count_at(s, scores, -INFINITY);
    double area = 0, x = 0, y = 0;
    size_t k = 0;
    for (; linpred_roc_point(roc, k, &corner); k++) {
        if (k == 0) {
            assert_true(isinf(corner.threshold) && corner.true_positive_rate == 0 && corner.false_positive_rate == 0);
            continue;
        }
        counts c = {0};
        for (int64_t i = 0; i < s->rows; i++)
            if (linpred_decide(model, scores[i], corner.threshold) > 0)
                *(s->labels[i] > 0 ? &c.tp : &c.fp) += s->weights[i];
        near(corner.true_positive_rate, c.tp / whole.tp, 1e-15);
        near(corner.false_positive_rate, c.fp / whole.fp, 1e-15);
        area += (corner.false_positive_rate - x) * (corner.true_positive_rate + y) / 2;
        x = corner.false_positive_rate;
        y = corner.true_positive_rate;
    }
    assert_true(k >= 2 && x == 1.0 && y == 1.0);
    near(area, pairs_in_order(s, scores), 1e-12);
    for (int64_t i = 0; i < s->rows; i++) {
        counts c = count_at(s, scores, scores[i]);
        assert_true(on_curve(roc, c.fp / whole.fp, c.tp / whole.tp));
    }
    linpred_roc_free(roc);
}

static void figures_are_their_definitions(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        sample s = labelled_sample(seed, 90);
        linpred_options options = logistic_options(0.1);
        bool logistic = seed % 2 == 1;
        if (!logistic) {
            options.task = LINPRED_TASK_HALFSPACE;
            options.l2 = 0.0;
            options.method = LINPRED_METHOD_POCKET;
            options.max_passes = 20;
        }
        linpred_data *data = sample_data(&s, seed % 3 == 0);
        linpred_result *result = fit_data(data, &options);
        const linpred_model *model = linpred_result_model(result);
        double scores[90];
        linpred_evaluation e = {.struct_size = sizeof e};
        assert_int_equal(linpred_score(model, data, 2, scores, NULL), LINPRED_OK);
        assert_int_equal(linpred_evaluate(model, data, 2, &e, NULL), LINPRED_OK);
        counts c = count_at(&s, scores, 0.0);
        assert_counts(&e, &c);
        near(e.auc, pairs_in_order(&s, scores), 1e-13);
        long double loss = 0, brier = 0, weight = 0;
        for (int64_t i = 0; i < s.rows; i++) {
            long double p = graded(LINPRED_TASK_LOGISTIC, scores[i]), y = s.labels[i] > 0 ? 1 : 0;
            loss -= s.weights[i] * (y > 0 ? logl(p) : log1pl(-p));
            brier += s.weights[i] * (p - y) * (p - y);
            weight += s.weights[i];
        }
        if (logistic) {
            near(e.log_loss, (double)(loss / weight), 1e-13);
            near(e.brier, (double)(brier / weight), 1e-13);
        } else {
            assert_true(isnan(e.log_loss) && isnan(e.brier));
        }
        assert_roc(&s, model, data, scores);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* ---- thresholds -------------------------------------------------------------------------------------------------- */

/* Between the values of two rows the threshold divides the rows as their scores do. */
static void a_threshold_divides_the_rows(void **state)
{
    (void)state;
    sample s = labelled_sample(11, 60);
    for (int turn = 0; turn < 2; turn++) {
        linpred_options options = logistic_options(0.1);
        options.task = turn ? LINPRED_TASK_HALFSPACE : LINPRED_TASK_LOGISTIC;
        options.l2 = turn ? 0.0 : 0.1;
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit_data(data, &options);
        const linpred_model *model = linpred_result_model(result);
        double scores[60];
        assert_int_equal(linpred_score(model, data, 1, scores, NULL), LINPRED_OK);
        for (int64_t i = 0; i < s.rows; i++) {
            double below = -INFINITY; /* the next lower score */
            for (int64_t k = 0; k < s.rows; k++)
                below = scores[k] < scores[i] ? fmax(below, scores[k]) : below;
            long double here = graded(options.task, scores[i]);
            long double there = isinf(below) ? here - 0.01L : graded(options.task, below);
            double between = (double)((here + there) / 2);
            if (!turn && !(between >= 0 && between <= 1))
                continue;
            linpred_evaluation e = {.struct_size = sizeof e};
            assert_int_equal(linpred_evaluate_at(model, data, 1, between, &e, NULL), LINPRED_OK);
            counts c = count_at(&s, scores, scores[i]);
            assert_counts(&e, &c);
            assert_true(e.threshold == between && e.on_boundary == 0.0);
        }
        linpred_evaluation e = {.struct_size = sizeof e};
        linpred_error error;
        assert_int_equal(linpred_evaluate_at(model, data, 1, 1.5, &e, &error), turn ? LINPRED_OK : LINPRED_ERROR_USAGE);
        assert_int_equal(linpred_decide(model, NAN, 0.5), 0);
        assert_int_equal(linpred_decide(model, 0.0, NAN), 1);
        assert_int_equal(linpred_decide(model, -1e-300, NAN), -1);
        assert_int_equal(linpred_decide(model, -1e-300, turn ? 0.0 : 0.5),
                         -1); /* exp(1e-300) is 1, yet the sign counts */
        linpred_result_free(result);
        linpred_data_free(data);
    }
    sample_free(&s);
}

static void what_has_no_curve_is_refused(void **state)
{
    (void)state;
    sample s = labelled_sample(3, 30);
    linpred_options options = logistic_options(0.1);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_data(data, &options);
    linpred_data_free(data);
    linpred_roc *roc = NULL;
    linpred_error error;
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = 1.0;
    data = sample_data(&s, false);
    assert_int_equal(linpred_roc_draw(linpred_result_model(result), data, 1, &roc, &error), LINPRED_ERROR_USAGE);
    assert_non_null(strstr(error.message, "same label"));
    linpred_evaluation e = {.struct_size = sizeof e};
    assert_int_equal(linpred_evaluate_at(linpred_result_model(result), data, 1, 1.0, &e, NULL), LINPRED_OK);
    assert_true(isnan(e.precision) && e.recall == 0.0 && e.f1 == 0.0);
    linpred_result_free(result);
    options.task = LINPRED_TASK_REGRESSION;
    options.l2 = 0.0;
    result = fit_data(data, &options);
    assert_int_equal(linpred_roc_draw(linpred_result_model(result), data, 1, &roc, &error), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_evaluate_at(linpred_result_model(result), data, 1, 0.5, &e, &error), LINPRED_ERROR_USAGE);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
    linpred_roc_free(NULL);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *const path = "test_predict.csv";

static void write_text(const char *text)
{
    assert_int_equal(linpred_write_file(path, text, strlen(text), NULL), LINPRED_OK);
}

/* A regression on x and kind whose score is x + 10 [kind = b]. */
static linpred_result *fit_kinds(linpred_missing missing)
{
    write_text("x,kind,y\n1,a,1\n2,b,12\n3,a,3\n4,b,14\n");
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_REGRESSION;
    options.missing = missing;
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_load(path, &options, &data, NULL), LINPRED_OK);
    linpred_result *result = fit_data(data, &options);
    linpred_data_free(data);
    return result;
}

static void columns_are_passed_through(void **state)
{
    (void)state;
    linpred_result *result = fit_kinds(LINPRED_MISSING_FAIL);
    const linpred_model *model = linpred_result_model(result);
    write_text("kind,\"a,b\",x,id\nb,1e400,2.50,007\na,\"x \"\"y\"\"\",-0,NA\na,,1,0x1p9\n");
    linpred_options *options = linpred_options_new();
    assert_int_equal(linpred_options_set(options, "keep", "id,x,a,,b", NULL), LINPRED_OK);
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    if (linpred_data_load_for(model, path, false, options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    char buffer[LINPRED_KEPT_BYTES];
    assert_string_equal(linpred_data_kept(data, 0), "id");
    assert_string_equal(linpred_data_kept(data, 1), "x");
    assert_string_equal(linpred_data_kept(data, 2), "a,b");
    assert_null(linpred_data_kept(data, 3));
    assert_null(linpred_data_kept(data, -1));
    assert_string_equal(linpred_data_kept_cell(data, 0, 1, buffer), "007");
    assert_null(linpred_data_kept_cell(data, 0, 2, buffer));
    assert_string_equal(linpred_data_kept_cell(data, 0, 3, buffer), "0x1p9");
    assert_string_equal(linpred_data_kept_cell(data, 1, 1, buffer), "2.5");
    assert_string_equal(linpred_data_kept_cell(data, 2, 1, buffer), "1e400");
    assert_string_equal(linpred_data_kept_cell(data, 2, 2, buffer), "x \"y\"");
    assert_null(linpred_data_kept_cell(data, 2, 3, buffer));
    assert_null(linpred_data_kept_cell(data, 0, 0, buffer));
    assert_null(linpred_data_kept_cell(data, 0, 4, buffer));
    assert_null(linpred_data_kept_cell(data, 3, 1, buffer));
    double scores[3];
    assert_int_equal(linpred_score(model, data, 1, scores, NULL), LINPRED_OK);
    near(scores[0], 12.5, 1e-12);
    near(scores[2], 1.0, 1e-12);
    linpred_data_free(data);

    /* The k-th request for memory fails: an error, or all of it. */
    linpred_status status = LINPRED_ERROR_MEMORY;
    for (int64_t k = 0; status != LINPRED_OK; k++) {
        scarce_memory(k);
        status = linpred_data_load_for(model, path, false, options, &data, &error);
        enough_memory();
        assert_true(k < 10000 && (status == LINPRED_OK || status == LINPRED_ERROR_MEMORY));
    }
    linpred_data_free(data);
    write_text("kind,z,x,id\nb,1,2,3\n");
    assert_int_equal(linpred_options_set(options, "keep", "3", NULL), LINPRED_OK);
    assert_int_equal(linpred_data_load_for(model, path, false, options, &data, &error), LINPRED_ERROR_USAGE);
    assert_non_null(strstr(error.message, "give its name, 'x'"));
    assert_int_equal(linpred_options_set(options, "keep", "id,4", NULL), LINPRED_OK);
    assert_int_equal(linpred_data_load_for(model, path, false, options, &data, &error), LINPRED_ERROR_USAGE);
    assert_non_null(strstr(error.message, "twice"));
    linpred_options_free(options);
    linpred_result_free(result);
}

/* Loads the rows by a policy and compares the scores; NAN stands for a row that cannot be scored. */
static linpred_shape assert_scores(const linpred_model *model, const char *missing, const char *unknown,
                                   const double *expected, int64_t rows)
{
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    if (missing)
        assert_int_equal(linpred_options_set(options, "missing", missing, NULL), LINPRED_OK);
    if (unknown)
        assert_int_equal(linpred_options_set(options, "unknown-level", unknown, NULL), LINPRED_OK);
    linpred_shape shape = {.struct_size = sizeof shape};
    if (!expected) {
        assert_int_not_equal(linpred_data_load_for(model, path, false, options, &data, &error), LINPRED_OK);
    } else {
        double scores[8];
        if (linpred_data_load_for(model, path, false, options, &data, &error) != LINPRED_OK)
            fail_msg("%s", error.message);
        assert_int_equal(linpred_score(model, data, 1, scores, NULL), LINPRED_OK);
        for (int64_t i = 0; i < rows; i++)
            if (isnan(expected[i]))
                assert_true(isnan(scores[i]));
            else
                near(scores[i], expected[i], 1e-12);
        assert_true(linpred_data_shape(data, &shape) && shape.rows_in_file == rows);
    }
    linpred_data_free(data);
    linpred_options_free(options);
    return shape;
}

static void rows_that_cannot_be_scored(void **state)
{
    (void)state;
    linpred_result *result = fit_kinds(LINPRED_MISSING_FAIL);
    const linpred_model *model = linpred_result_model(result);
    /* The third row lacks x and has an unknown kind: it counts as missing. */
    write_text("x,kind\n1,a\n,b\n,c\n3,c\n4,b\n5,\n");
    assert_scores(model, NULL, NULL, NULL, 6);
    assert_scores(model, "drop", NULL, NULL, 6);
    assert_scores(model, "mean", "zero", NULL, 6);
    linpred_shape shape = assert_scores(model, "drop", "drop", (double[]){1, NAN, NAN, NAN, 14, NAN}, 6);
    assert_true(shape.dropped_missing == 3 && shape.dropped_unknown == 1 && shape.unknown_as_zero == 0);
    shape = assert_scores(model, "drop", "zero", (double[]){1, NAN, NAN, 3, 14, NAN}, 6);
    assert_true(shape.dropped_missing == 3 && shape.dropped_unknown == 0 && shape.unknown_as_zero == 1);
    linpred_result_free(result);

    result = fit_kinds(LINPRED_MISSING_MEAN); /* the mean of x is 2.5 */
    model = linpred_result_model(result);
    write_text("x,kind\n1,a\n,b\n,a\n");
    shape = assert_scores(model, NULL, NULL, (double[]){1, 12.5, 2.5}, 3);
    assert_true(shape.filled_missing == 2 && shape.dropped_missing == 0);
    shape = assert_scores(model, "drop", NULL, (double[]){1, NAN, NAN}, 3);
    assert_true(shape.filled_missing == 0 && shape.dropped_missing == 2);
    assert_scores(model, "fail", NULL, NULL, 3);

    /* Names and no rows: no scores, unless labels are needed. */
    write_text("kind,x,y\n");
    assert_scores(model, NULL, NULL, (double[]){0}, 0);
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_load_for(model, path, true, NULL, &data, NULL), LINPRED_ERROR_INPUT);
    linpred_result_free(result);
    remove(path);
}

/* The first row with an unknown level is reported, whatever the order in which levels appear. A row that is left out
   for a missing value ends no reading, but it is one of the rows with such levels. */
static void the_first_unknown_level_is_reported(void **state)
{
    (void)state;
    linpred_result *result = fit_kinds(LINPRED_MISSING_FAIL);
    write_text("x,kind\n,z\n1,a\n2,q\n3,z\n");
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_error error;
    linpred_note note = {.struct_size = sizeof note};
    assert_int_equal(linpred_options_set(options, "missing", "drop", NULL), LINPRED_OK);
    assert_int_equal(linpred_data_load_for(linpred_result_model(result), path, false, options, &data, &error),
                     LINPRED_ERROR_INPUT);
    assert_true(error.line == 4 && error.column == 2);
    assert_non_null(strstr(error.message, "'q'"));
    assert_int_equal(linpred_options_set(options, "unknown-level", "drop", NULL), LINPRED_OK);
    assert_int_equal(linpred_data_load_for(linpred_result_model(result), path, false, options, &data, &error),
                     LINPRED_OK);
    assert_true(linpred_data_warning(data, 0, &note));
    assert_string_equal(note.kind, "unknown_level");
    assert_string_equal(note.column, "kind");
    assert_true(note.count == 3 && note.line == 2);
    linpred_data_free(data);
    linpred_options_free(options);
    linpred_result_free(result);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_their_definitions), cmocka_unit_test(a_threshold_divides_the_rows),
        cmocka_unit_test(what_has_no_curve_is_refused),  cmocka_unit_test(columns_are_passed_through),
        cmocka_unit_test(rows_that_cannot_be_scored),    cmocka_unit_test(the_first_unknown_level_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
