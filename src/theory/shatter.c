/* Does a class shatter given points: realise each of their 2^m labellings?
 *
 * Halfspaces do exactly if the points, with 1 appended if there is an intercept, are linearly independent. If they are,
 * some w has <w,z_i> = y_i for any labels y. If not, Σ a_i z_i = 0 with integers a that are not all zero, and no w has
 * the sign of a_i on each z_i, since Σ a_i <w,z_i> would be positive (Radon: the two groups have hulls that meet). If
 * all a_i have one sign, the labelling is all -.
 *
 * Balls do exactly if the points are affinely independent: halfspaces realise every labelling then, and a halfspace is
 * as good as a ball that is large enough. If not, Σ a_i x_i = 0 and Σ a_i = 0; with a turned so that Σ a_i |x_i|² >= 0,
 * no f(x) = r² - |x-v|² has the sign of a_i on each x_i, since Σ a_i f(x_i) = -Σ a_i |x_i|² <= 0.
 */
#include "theory/shatter.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "separate/gather.h"
#include "solve/exact_lp/dependency.h"

typedef struct question {
    const linpred_data *points;
    const linpred_options *options;
    linpred_shattering *answer;
    linpred_data *labelled; /* the same rows with labels of ours */
    double *labels;
    linpred__effort effort;
    struct timespec began;
} question;

static bool should_stop(void *context)
{
    const question *q = context;
    double seconds = linpred__seconds_since(&q->began);
    linpred_progress progress = {.stage = "shatter", .errors = NAN, .seconds = seconds};
    return seconds >= q->options->max_seconds ||
           (q->options->on_progress && !q->options->on_progress(q->options->context, &progress));
}

/* ---- dependent or not
 * ------------------------------------------------------------------------------------------------------ */

/* The sign of Σ a_i |x_i|². */
static linpred_status sign_of_squares(const question *q, const linpred__dependency *dependency, int *sign)
{
    int32_t columns = q->points->columns;
    double label, *row = linpred__alloc((size_t)columns, sizeof *row);
    if (!row)
        return LINPRED_ERROR_MEMORY;
    int lowest = linpred__lowest_exponent(q->points, dependency->row[dependency->count - 1] + 1, row);
    mpz_t sum, square, entry;
    mpz_init(sum);
    mpz_init(square);
    mpz_init(entry);
    for (int32_t k = 0; k < dependency->count; k++) {
        linpred_data_row(q->points, linpred_data_source_row(q->points, dependency->row[k]), row, &label);
        mpz_set_ui(square, 0);
        for (int32_t j = 0; j < columns; j++) {
            linpred__set_scaled(entry, row[j], lowest);
            mpz_addmul(square, entry, entry);
        }
        mpz_addmul(sum, square, dependency->weight.value[k]);
    }
    *sign = mpz_sgn(sum);
    mpz_clear(sum);
    mpz_clear(square);
    mpz_clear(entry);
    linpred__release(row);
    return LINPRED_OK;
}

/* Which way the dependency is turned: a factor of +1 or -1. */
static linpred_status orient(const question *q, const linpred__dependency *dependency, int *factor)
{
    int squares = 0;
    if (q->answer->info.class_asked == LINPRED_CLASS_BALL) {
        linpred_status status = sign_of_squares(q, dependency, &squares);
        if (status != LINPRED_OK)
            return status;
    }
    int first = mpz_sgn(dependency->weight.value[0]);
    bool mixed = false;
    for (int32_t k = 1; k < dependency->count; k++)
        mixed = mixed || mpz_sgn(dependency->weight.value[k]) != first;
    *factor = squares ? squares : mixed ? first : -first;
    return LINPRED_OK;
}

static linpred_status take_witness(const question *q, const linpred__dependency *dependency)
{
    linpred_shattering *s = q->answer;
    size_t count = (size_t)dependency->count;
    int factor = 1;
    s->row = linpred__alloc(count, sizeof *s->row);
    s->sign = linpred__alloc(count, sizeof *s->sign);
    s->weight = linpred__calloc(count, sizeof *s->weight);
    if (!s->row || !s->sign || !s->weight || orient(q, dependency, &factor) != LINPRED_OK)
        return LINPRED_ERROR_MEMORY;
    for (int32_t k = 0; k < dependency->count; k++) {
        mpz_ptr a = dependency->weight.value[k];
        s->row[k] = linpred_data_source_row(q->points, dependency->row[k]);
        s->sign[k] = (signed char)(factor * mpz_sgn(a));
        mpz_abs(a, a);
        s->weight[k] = linpred__integers_text(&dependency->weight, k);
        if (!s->weight[k])
            return LINPRED_ERROR_MEMORY;
        s->witnesses++;
    }
    return LINPRED_OK;
}

/* One row more than can be independent is enough to look at. */
static linpred_status decide(question *q, linpred_error *error)
{
    linpred_shatter_info *info = &q->answer->info;
    int64_t most = (int64_t)info->columns + info->has_intercept + 1;
    int64_t count = info->points < most ? info->points : most;
    int64_t *row = linpred__alloc((size_t)count, sizeof *row);
    linpred__gathered gathered;
    if (!row)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < count; i++) {
        row[i] = i;
        q->labels[i] = 1.0;
    }
    linpred_status status = linpred__gather(q->labelled, info->has_intercept, row, count, &gathered, error);
    linpred__release(row);
    if (status != LINPRED_OK)
        return status;
    linpred__dependency dependency;
    status = linpred__find_dependency(&gathered.rows, &q->effort, &dependency, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    if (dependency.decided) {
        info->shattered = dependency.count == 0;
        info->rank = info->shattered ? dependency.rank : -1;
        if (dependency.count > 0 && take_witness(q, &dependency) != LINPRED_OK)
            status = linpred__no_memory(error);
    }
    linpred__dependency_close(&dependency);
    return status;
}

/* ---- one labelling
 * ----------------------------------------------------------------------------------------------------------- */

static linpred_status check_labels(const question *q, linpred_error *error)
{
    const char *text = q->options->labelling;
    size_t signs = strspn(text, "+-");
    if (text[signs] != '\0')
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--labels takes + and -, one for each point; its character %zu is neither", signs + 1);
    if ((int64_t)signs != q->points->rows)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--labels has %zu sign%s, but there %s %lld point%s", signs,
                             signs == 1 ? "" : "s", q->points->rows == 1 ? "is" : "are", (long long)q->points->rows,
                             q->points->rows == 1 ? "" : "s");
    return LINPRED_OK;
}

static linpred_status realise(question *q, linpred_error *error)
{
    linpred_shattering *s = q->answer;
    for (int64_t i = 0; i < q->points->rows; i++)
        q->labels[i] = q->options->labelling[i] == '+' ? 1.0 : -1.0;
    linpred_options options = *q->options;
    options.task = options.class_asked == LINPRED_CLASS_BALL ? LINPRED_TASK_BALL : LINPRED_TASK_HALFSPACE;
    options.method = LINPRED_METHOD_LP;
    options.one_class = true;
    options.start = NULL;
    linpred_status status = linpred_fit(q->labelled, &options, &s->result, error);
    if (status == LINPRED_OK)
        status = linpred_verify(s->result, q->labelled, (int)options.threads, &s->check, error);
    if (status != LINPRED_OK)
        return status;
    linpred_outcome outcome = linpred_result_info(s->result)->outcome;
    s->info.realised = outcome == LINPRED_OUTCOME_SEPARATED ? 1 : outcome == LINPRED_OUTCOME_INSEPARABLE ? 0 : -1;
    return LINPRED_OK;
}

/* ---- the calls
 * ------------------------------------------------------------------------------------------------------------------ */

static linpred_status check_question(const question *q, linpred_error *error)
{
    const linpred_options *options = q->options;
    linpred_status status = linpred__options_check_for(options, LINPRED__FOR(POINTS), "shattering", error);
    if (status != LINPRED_OK)
        return status;
    if (q->points->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "no point is left: all have missing values");
    if (options->class_asked == LINPRED_CLASS_BALL && options->no_intercept)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--no-intercept has no meaning for balls: their centre is free");
    return options->labelling ? check_labels(q, error) : LINPRED_OK;
}

static linpred_status answer_all(question *q, linpred_error *error)
{
    linpred_shatter_info *info = &q->answer->info;
    *info = (linpred_shatter_info){
        .class_asked = q->options->class_asked,
        .has_intercept = !q->options->no_intercept,
        .points = q->points->rows,
        .columns = q->points->columns,
        .vc_dimension = (int64_t)q->points->columns + !q->options->no_intercept,
        .shattered = -1,
        .rank = -1,
        .realised = -1,
        .general_position = -1,
    };
    linpred_status status = linpred__data_relabel(q->points, q->labels, &q->labelled, error);
    if (status == LINPRED_OK)
        status = decide(q, error);
    if (status == LINPRED_OK && q->options->labelling)
        status = realise(q, error);
    if (status == LINPRED_OK && q->options->count)
        status = linpred__count_labellings(q->points, q->answer, &q->effort, error);
    info->seconds = linpred__seconds_since(&q->began);
    return status;
}

linpred_status linpred_shatter(const linpred_data *points, const linpred_options *options,
                               linpred_shattering **shattering, linpred_error *error)
{
    LINPRED__NEEDS(points, options, shattering);
    question q = {.points = points, .options = options};
    q.began = linpred__now();
    q.effort = (linpred__effort){.stop = should_stop, .context = &q};
    linpred_status status = check_question(&q, error);
    if (status != LINPRED_OK)
        return status;
    q.answer = linpred__calloc(1, sizeof *q.answer);
    q.labels = linpred__calloc((size_t)points->rows, sizeof *q.labels);
    status = q.answer && q.labels ? answer_all(&q, error) : linpred__no_memory(error);
    linpred_data_free(q.labelled);
    linpred__release(q.labels);
    if (status != LINPRED_OK) {
        linpred_shattering_free(q.answer);
        return status;
    }
    *shattering = q.answer;
    return LINPRED_OK;
}

const linpred_shatter_info *linpred_shattering_info(const linpred_shattering *shattering)
{
    return &shattering->info;
}

int64_t linpred_shattering_witness(const linpred_shattering *shattering, const int64_t **rows,
                                   const signed char **signs)
{
    *rows = shattering->row;
    *signs = shattering->sign;
    return shattering->witnesses;
}

const char *linpred_shattering_weight(const linpred_shattering *shattering, int64_t index)
{
    return index >= 0 && index < shattering->witnesses ? shattering->weight[index] : NULL;
}

const linpred_result *linpred_shattering_result(const linpred_shattering *shattering)
{
    return shattering->result;
}

const linpred_check *linpred_shattering_check(const linpred_shattering *shattering)
{
    return shattering->result ? &shattering->check : NULL;
}

const char *linpred_shattering_count(const linpred_shattering *shattering, linpred_labellings which)
{
    return shattering->count[which];
}

void linpred_shattering_free(linpred_shattering *shattering)
{
    if (!shattering)
        return;
    for (int64_t k = 0; k < shattering->witnesses; k++)
        linpred__release(shattering->weight[k]);
    for (int which = 0; which < LINPRED__LABELLINGS; which++)
        linpred__release(shattering->count[which]);
    linpred__release(shattering->weight);
    linpred__release(shattering->row);
    linpred__release(shattering->sign);
    linpred_result_free(shattering->result);
    linpred__release(shattering);
}
