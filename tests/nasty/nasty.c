/* nasty COUNT [FIRST]: fits the cases FIRST, FIRST + 1, … and counts what happens (README.md). The exit code is 0 if
 * none was refuted, crashed, took too long or differs from its reference. --show NUMBER prints one case, --list FILE
 * fits the cases of a file, and --decided FILE does so and allows none that is undecided.
 *
 * Cases are fitted in a child process, which is replaced if it dies. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nasty.h"

#ifdef NASTY_SLOW
static const double max_seconds = 20.0;
#else
static const double max_seconds = 2.0;
#endif

enum { WAYS = 12, MAX_LIST = 10000 };

/* What happened to the cases of each way. */
enum event { FITTED, REFUSED, OPTIMAL, COMPARED, UNDECIDED, PARTLY, REFUTED, WRONG, SLOW, CRASHED, UNSAVED, EVENTS };
static const char *const event_name[EVENTS] = {"fitted",  "refused", "optimal", "compared", "undecided", "partly",
                                               "refuted", "wrong",   "slow",    "crashed",  "unsaved"};

/* Shared with the child. */
struct progress {
    int64_t count[WAYS][EVENTS];
    volatile uint64_t now; /* the case that is being fitted */
    uint64_t next;         /* the one after it */
};
static struct progress *progress;

static void note(const nasty_case *c, enum event event, const char *text)
{
    progress->count[c->way - nasty_ways][event]++;
    if (event >= REFUTED) {
        printf("%s: case %llu: %s\n", event_name[event], (unsigned long long)c->number, text);
        nasty_print(c);
        fflush(stdout);
    }
}

static void set(linpred_options *options, const char *name, const char *text)
{
    linpred_error error = {.message = ""};
    if (text && linpred_options_set(options, name, text, &error) != LINPRED_OK) {
        printf("option %s %s: %s\n", name, text, error.message);
        exit(2);
    }
}

static linpred_options *options_of(const nasty_case *c)
{
    linpred_options *options = linpred_options_new();
    linpred_options_set_task(options, c->way->task);
    set(options, "threads", "1");
    if (c->way->option)
        set(options, c->way->option, c->way->word);
    set(options, "l2", c->l2);
    set(options, "class-weights", c->class_weights);
    set(options, "cost", c->cost);
    set(options, "quantile", c->quantile);
    set(options, "degree", c->degree);
    if (c->through_origin)
        set(options, "no-intercept", "yes");
    return options;
}

static linpred_status data_of(const nasty_case *c, linpred_data **data, linpred_error *error)
{
    static double values[MAX_ROWS * MAX_COLUMNS]; /* the data borrows them */
    static int32_t indices[MAX_ROWS * MAX_COLUMNS];
    static int64_t starts[MAX_ROWS + 1];
    int64_t entries = 0;
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = c->rows,
                             .columns = c->columns,
                             .values = c->x,
                             .labels = c->target,
                             .weights = c->weighted ? c->weight : NULL};
    for (int i = 0; c->sparse && i < c->rows; i++) {
        for (int j = 0; j < c->columns; j++)
            if (c->x[i * c->columns + j] != 0.0) {
                values[entries] = c->x[i * c->columns + j];
                indices[entries++] = j;
            }
        starts[i + 1] = entries;
    }
    if (c->sparse) {
        arrays.values = values;
        arrays.indices = indices;
        arrays.start = starts;
    }
    return linpred_data_from_arrays(&arrays, data, error);
}

/* Whether a result may be saved and read again. */
static void try_file(const nasty_case *c, const linpred_result *result)
{
    char *text = NULL;
    size_t length = 0;
    linpred_error error = {.message = ""};
    linpred_result *again = NULL;
    if (linpred_result_to_text(result, &text, &length, &error) == LINPRED_OK &&
        linpred_result_from_text(text, length, false, &again, &error) != LINPRED_OK)
        note(c, UNSAVED, error.message);
    linpred_result_free(again);
    linpred_text_free(text);
}

static void compare_with_reference(const nasty_case *c, const linpred_result *result)
{
    char why[WHY] = "";
    nasty_judgement judged = NASTY_NOT_COMPARED;
    bool absolute = c->way->word && strcmp(c->way->word, "absolute") == 0;
    if (c->way->task == LINPRED_TASK_HALFSPACE)
        judged = judge_halfspace(c, result, why);
    else if (c->way->task == LINPRED_TASK_BALL)
        judged = judge_ball(c, result, why);
    else if (c->way->task == LINPRED_TASK_LOGISTIC)
        judged = judge_logistic(c, result, why);
    else if (c->way->task == LINPRED_TASK_REGRESSION)
        judged = absolute ? judge_absolute(c, result, why) : judge_squares(c, result, why);
    if (judged != NASTY_NOT_COMPARED)
        note(c, COMPARED, "");
    if (judged == NASTY_WRONG)
        note(c, WRONG, why);
}

static void judge_result(const nasty_case *c, const linpred_result *result, const linpred_data *data)
{
    linpred_error error = {.message = ""};
    linpred_check *check = NULL;
    note(c, FITTED, "");
    if (result->figures.outcome == LINPRED_OUTCOME_UNDECIDED) {
        note(c, UNDECIDED, "");
        if (getenv("NASTY_UNDECIDED")) {
            printf("undecided: case %llu: %s\n", (unsigned long long)c->number, result->figures.reason);
            nasty_print(c);
        }
    }
    progress->count[c->way - nasty_ways][OPTIMAL] += result->figures.outcome == LINPRED_OUTCOME_OPTIMAL;
    if (linpred_verify(result, data, 1, &check, &error) != LINPRED_OK) {
        note(c, REFUTED, error.message);
        return;
    }
    if (linpred_check_verdict(check) == LINPRED_REFUTED)
        note(c, REFUTED, linpred_check_summary(check));
    if (linpred_check_verdict(check) == LINPRED_PARTLY_PROVED)
        note(c, PARTLY, "");
    linpred_check_free(check);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether NASTY_WAY, a task or a word behind it, leaves this way out. */
static bool is_left_out(const nasty_way *way)
{
    const char *only = getenv("NASTY_WAY");
    return only && strcmp(only, way->task_word) != 0 && strcmp(only, way->word ? way->word : "") != 0;
}

static void try_case(uint64_t number)
{
    nasty_case c;
    nasty_make(number, &c);
    if (is_left_out(c.way))
        return;
    double began = processor_seconds();
    linpred_error error = {.message = ""};
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_options *options = options_of(&c);
    linpred_status status = data_of(&c, &data, &error);
    if (status == LINPRED_OK)
        status = linpred_fit(data, options, &result, &error);
    if (status != LINPRED_OK && (error.message[0] == '\0' || status == LINPRED_ERROR_INTERNAL))
        note(&c, CRASHED, error.message[0] ? error.message : "an error without a message");
    if (status != LINPRED_OK) {
        note(&c, REFUSED, "");
        if (getenv("NASTY_REFUSED"))
            printf("refused: case %llu: %s\n", (unsigned long long)c.number, error.message);
    }
    if (status == LINPRED_OK)
        judge_result(&c, result, data);
    double seconds = processor_seconds() - began;
    char text[60];
    snprintf(text, sizeof text, "%.2f seconds", seconds);
    if (seconds > max_seconds)
        note(&c, SLOW, text);
    if (status == LINPRED_OK) {
        try_file(&c, result);
        compare_with_reference(&c, result);
    }
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
}

/* The cases to fit: those from `first` on, or those of a list. */
struct cases {
    uint64_t first, count;
    const uint64_t *list; /* NULL: none */
};

/* Fits cases in a child until all are done, or until it dies. */
static void try_in_child(const struct cases *cases)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        while (progress->next < cases->count) {
            uint64_t next = progress->next++;
            progress->now = cases->list ? cases->list[next] : cases->first + next;
            alarm(60);
            try_case(progress->now);
        }
        fflush(stdout);
        _exit(0);
    }
    int how = 0;
    waitpid(child, &how, 0);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return;
    nasty_case c;
    nasty_make(progress->now, &c);
    bool hung = WIFSIGNALED(how) && WTERMSIG(how) == SIGALRM;
    note(&c, hung ? SLOW : CRASHED, hung ? "no end within a minute" : "the process died");
}

static int report(uint64_t cases, bool decided)
{
    int64_t bad = 0;
    printf("%-30s", "");
    for (int e = 0; e < EVENTS; e++)
        printf(" %9s", event_name[e]);
    printf("\n");
    for (int w = 0; w < nasty_way_count(); w++) {
        char name[60];
        snprintf(name, sizeof name, "%s %s", nasty_ways[w].task_word, nasty_ways[w].word ? nasty_ways[w].word : "");
        printf("%-30s", name);
        for (int e = 0; e < EVENTS; e++) {
            printf(" %9lld", (long long)progress->count[w][e]);
            bad += e >= REFUTED || (decided && (e == UNDECIDED || e == PARTLY)) ? progress->count[w][e] : 0;
        }
        printf("\n");
    }
    printf("%llu cases, %lld bad\n", (unsigned long long)cases, (long long)bad);
    return bad > 0;
}

/* Reads the numbers of a file, one a line, with text behind it; at most `capacity` of them. */
static uint64_t read_list(const char *path, uint64_t *list, uint64_t capacity)
{
    char line[400];
    uint64_t count = 0;
    FILE *file = fopen(path, "r");
    while (file && count < capacity && fgets(line, sizeof line, file))
        if (line[0] >= '0' && line[0] <= '9')
            list[count++] = strtoull(line, NULL, 10);
    if (file)
        fclose(file);
    return count;
}

int main(int argc, char **argv)
{
    static uint64_t list[MAX_LIST];
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        nasty_case c;
        nasty_make(strtoull(argv[2], NULL, 10), &c);
        nasty_print(&c);
        return 0;
    }
    if (argc < 2) {
        fprintf(stderr, "nasty COUNT [FIRST] | --show NUMBER | --list FILE | --decided FILE\n");
        return 2;
    }
    bool decided = argc == 3 && strcmp(argv[1], "--decided") == 0;
    bool listed = decided || (argc == 3 && strcmp(argv[1], "--list") == 0);
    struct cases cases = {.count = listed ? read_list(argv[2], list, MAX_LIST) : strtoull(argv[1], NULL, 10),
                          .first = !listed && argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
                          .list = listed ? list : NULL};
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED || (listed && cases.count == 0))
        return 2;
    while (progress->next < cases.count)
        try_in_child(&cases);
    return report(cases.count, decided);
}
