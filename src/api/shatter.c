/* linpred_shatter: does a class shatter given points, does it realise one labelling of them, and how many labellings
 * does it realise? theory/shatter.h answers the first and the last. The second is a fit to the labelling, with its
 * check. */
#include <math.h>
#include <string.h>

#include "api/fit.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "theory/shatter.h"
#include "theory/vc_dimension.h"

struct asking {
    linpred__shatter_question question;
    const linpred_options *options;
    linpred__run run; /* of the exact computations; the fit to a labelling has a run of its own */
};

/* Reports progress; true if the time is up or the caller wants to stop. */
static bool should_stop(void *run)
{
    return linpred__run_should_stop(run, "shatter", 0, 0, NAN);
}

static linpred_status check_labels(const struct asking *asking, linpred_error *error)
{
    const linpred__shatter_question *q = &asking->question;
    const char *text = asking->options->labelling;
    size_t signs = strspn(text, "+-");
    if (text[signs] != '\0')
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--labels takes + and -, one for each point; its character %zu is neither", signs + 1);
    if ((int64_t)signs != q->points->rows)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--labels has %zu sign%s, but there %s %lld point%s", signs,
                             linpred__plural((double)signs), q->points->rows == 1 ? "is" : "are",
                             (long long)q->points->rows, linpred__plural((double)q->points->rows));
    return LINPRED_OK;
}

/* Fits the labelling of the options, and checks the result. */
static linpred_status realise(struct asking *asking, linpred_error *error)
{
    linpred__shatter_question *q = &asking->question;
    linpred_shattering *s = q->answer;
    for (int64_t i = 0; i < q->points->rows; i++)
        q->labels[i] = asking->options->labelling[i] == '+' ? 1.0 : -1.0;
    const linpred_options *options = asking->options;
    bool ball = options->class_asked == LINPRED_CLASS_BALL;
    linpred__fit_request request =
        linpred__request_fit(ball ? LINPRED_TASK_BALL : LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, options);
    request.one_class = true;
    linpred_status status = linpred__run_fit(q->labelled, &request, options, &s->result, error);
    if (status == LINPRED_OK)
        status = linpred_verify(s->result, q->labelled, (int)options->threads, &s->check, error);
    if (status != LINPRED_OK)
        return status;
    linpred_outcome outcome = linpred_result_outcome(s->result);
    s->info.realised = outcome == LINPRED_OUTCOME_SEPARATED ? 1 : outcome == LINPRED_OUTCOME_INSEPARABLE ? 0 : -1;
    return LINPRED_OK;
}

static linpred_status check_question(const struct asking *asking, linpred_error *error)
{
    const linpred_options *options = asking->options;
    linpred_status status = linpred__options_check_for(options, LINPRED__FOR(POINTS), "shattering", error);
    if (status != LINPRED_OK)
        return status;
    if (asking->question.points->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "no point is left: all have missing values");
    if (options->class_asked == LINPRED_CLASS_BALL && options->no_intercept)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--no-intercept has no meaning for balls: their centre is free");
    return options->labelling ? check_labels(asking, error) : LINPRED_OK;
}

static linpred_status answer_all(struct asking *asking, linpred_error *error)
{
    linpred__shatter_question *q = &asking->question;
    linpred_shatter_info *info = &q->answer->info;
    *info = (linpred_shatter_info){
        .class_asked = asking->options->class_asked,
        .has_intercept = !asking->options->no_intercept,
        .points = q->points->rows,
        .columns = q->points->columns,
        .vc_dimension = linpred__vc_dimension(q->points->columns, !asking->options->no_intercept),
        .shattered = -1,
        .rank = -1,
        .realised = -1,
        .general_position = -1,
    };
    linpred_status status = linpred__data_relabel(q->points, q->labels, &q->labelled, error);
    if (status == LINPRED_OK)
        status = linpred__decide_shattering(q, error);
    if (status == LINPRED_OK && asking->options->labelling)
        status = realise(asking, error);
    if (status == LINPRED_OK && asking->options->count)
        status = linpred__count_labellings(q->points, q->answer, &q->effort, error);
    info->seconds = linpred__run_seconds(&asking->run);
    return status;
}

linpred_status linpred_shatter(const linpred_data *points, const linpred_options *options,
                               linpred_shattering **shattering, linpred_error *error)
{
    LINPRED__NEEDS(points, options, shattering);
    struct asking asking = {.options = options};
    linpred__shatter_question *q = &asking.question;
    q->points = points;
    /* `reported` is left at 0, so that the first report is made at the first chance */
    asking.run = (linpred__run){.max_seconds = options->max_seconds,
                                .on_progress = options->on_progress,
                                .context = options->context,
                                .began = linpred__now()};
    q->effort = (linpred__effort){.stop = should_stop, .context = &asking.run};
    linpred_status status = check_question(&asking, error);
    if (status != LINPRED_OK)
        return status;
    q->answer = linpred__calloc(1, sizeof *q->answer);
    q->labels = linpred__calloc((size_t)points->rows, sizeof *q->labels);
    status = q->answer && q->labels ? answer_all(&asking, error) : linpred__no_memory(error);
    linpred_data_free(q->labelled);
    linpred__release(q->labels);
    if (status != LINPRED_OK) {
        linpred_shattering_free(q->answer);
        return status;
    }
    *shattering = q->answer;
    return LINPRED_OK;
}

const linpred_shatter_info *linpred_shattering_info(const linpred_shattering *shattering)
{
    if (!shattering)
        return NULL;
    return &shattering->info;
}

int64_t linpred_shattering_witness(const linpred_shattering *shattering, const int64_t **rows,
                                   const signed char **signs)
{
    if (!shattering || !rows || !signs)
        return 0;
    *rows = shattering->row;
    *signs = shattering->sign;
    return shattering->witnesses;
}

const char *linpred_shattering_weight(const linpred_shattering *shattering, int64_t index)
{
    if (!shattering)
        return NULL;
    return index >= 0 && index < shattering->witnesses ? shattering->weight[index] : NULL;
}

const linpred_result *linpred_shattering_result(const linpred_shattering *shattering)
{
    if (!shattering)
        return NULL;
    return shattering->result;
}

const linpred_check *linpred_shattering_check(const linpred_shattering *shattering)
{
    if (!shattering)
        return NULL;
    return shattering->check;
}

const char *linpred_shattering_count(const linpred_shattering *shattering, linpred_labellings which)
{
    if (!shattering)
        return NULL;
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
    linpred_check_free(shattering->check);
    linpred_result_free(shattering->result);
    linpred__release(shattering);
}
