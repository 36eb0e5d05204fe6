/* --max-seconds is kept: no step of a fit of halfspaces works on without looking at the clock.
 *
 * Each of these fits would take hours: the finding of other methods' halfspaces, the search by boxes, the tree and the
 * working rows of many rows are each stopped at work. This is no measurement: a fit may use as much again as its limit,
 * as slow builds do; how exactly the limit is kept stands in the seconds of `bench/run exact`.
 *
 * What counts is processor time. A second thread sleeps until the time is up and reads the processor time of the
 * process; whoever else uses the machine may delay both threads, but adds nothing to it.
 */
#include <pthread.h>
#include <time.h>

#include "fewest_errors_samples.h"
#include "fit_support.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double slower = 10.0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static const double slower = 10.0;
#else
static const double slower = 1.0;
#endif
#else
static const double slower = 1.0;
#endif

static const double limit = 1.0;

struct alarm {
    struct timespec at;
    double processor;
};

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *read_at_the_limit(void *context)
{
    struct alarm *alarm = context;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &alarm->at, NULL) != 0)
        continue;
    alarm->processor = processor_seconds();
    return NULL;
}

/* Rows and labels without a pattern: proofs take hours. */
static sample noise(int64_t rows, int32_t columns)
{
    linpred__random random;
    linpred__random_seed(&random, 11);
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows * columns; i++)
        s.values[i] = linpred__random_normal(&random);
    for (int64_t i = 0; i < rows; i++)
        s.labels[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0;
    return s;
}

/* Processor seconds of the fit after its time was up; negative: it had not used it up. */
static double overtime(const linpred_data *data, linpred_method method)
{
    linpred_options options;
    linpred__options_init(&options);
    options.method = method;
    options.threads = 1;
    options.max_seconds = limit;
    if (method == LINPRED_METHOD_POCKET)
        options.max_passes = INT64_MAX;
    struct alarm alarm;
    pthread_t thread;
    clock_gettime(CLOCK_MONOTONIC, &alarm.at);
    alarm.at.tv_sec += (time_t)limit;
    assert_int_equal(pthread_create(&thread, NULL, read_at_the_limit, &alarm), 0);
    linpred_result *result = fit_data(data, &options);
    double ended = processor_seconds();
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_LIMIT_REACHED);
    linpred_result_free(result);
    return ended - alarm.processor;
}

static void the_limit_is_kept(void **state)
{
    (void)state;
    static const struct {
        int64_t rows;
        int32_t columns;
        linpred_method method;
    } fits[] = {{400, 5, LINPRED_METHOD_EXACT},  {400, 12, LINPRED_METHOD_EXACT},   {300, 60, LINPRED_METHOD_EXACT},
                {2500, 4, LINPRED_METHOD_EXACT}, {60000, 20, LINPRED_METHOD_EXACT}, {60000, 20, LINPRED_METHOD_POCKET}};
    for (size_t k = 0; k < sizeof fits / sizeof fits[0]; k++) {
        sample s = noise(fits[k].rows, fits[k].columns);
        linpred_data *data = sample_data(&s, false); /* it borrows the rows */
        double over = overtime(data, fits[k].method);
        print_message("%lld x %d, method %d: %.4f s over\n", (long long)fits[k].rows, (int)fits[k].columns,
                      (int)fits[k].method, over);
        if (over > slower * limit)
            fail_msg("%lld x %d: %.3f processor seconds after the limit of %g s", (long long)fits[k].rows,
                     (int)fits[k].columns, over, limit);
        linpred_data_free(data);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_limit_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
