/* What the commands of the program share. The program uses the public header only. README.md is the guide. */
#ifndef LINPRED_CLI_H
#define LINPRED_CLI_H

#include <jansson.h>
#include <stdio.h>

#include "linpred/linpred.h"

/* Exit codes; people script against them. */
enum {
    EXIT_HOLDS = 0, /* done, and the claim holds */
    EXIT_NO = 1,    /* answered, but the answer is no, or the claim was not reached */
    EXIT_INPUT = 2, /* usage or input error */
    EXIT_FAULT = 3  /* out of memory, disk, internal */
};

/* Flags that belong to the program rather than to the library's options. */
typedef enum own_flag {
    OWN_OUTPUT,
    OWN_NO_VERIFY,
    OWN_TRACE,
    OWN_START,
    OWN_WHAT,
    OWN_INTERVAL,
    OWN_ACCEPT_EDITED,
    OWN_TRUTH,
    OWN_FLAGS
} own_flag;

typedef struct cli_invocation cli_invocation;

typedef struct cli_command {
    const char *name;
    const char *arguments; /* "DATA" or "MODEL DATA" */
    const char *summary;
    const char *scopes; /* words: the command takes the library's options for these, and for the methods of its task */
    unsigned own;       /* 1 << own_flag */
    int positionals;
    int (*run)(cli_invocation *cli);
} cli_command;

struct cli_invocation {
    const cli_command *command;
    const char *positional[3];
    linpred_options *options;
    const char *own[OWN_FLAGS]; /* the value of each own flag; "": a switch that was given; NULL: not given */
    json_t *notices;            /* with --json: the texts of cli_notice; else NULL */
    bool json;
    bool quiet;
};

/* What is known of a result: its figures by their names, NaN or -1 if not stated. */
typedef struct figures {
    linpred_outcome outcome;
    linpred_method method;
    linpred_separation separation;
    const char *reason;             /* of the result */
    const char *no_standard_errors; /* why there are none; NULL: there are some, or they were never asked for */
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) double name;
#define LINPRED_FIGURE_COUNT(name, claims, meaning) int64_t name;
#include "linpred/figures.def"
#undef LINPRED_FIGURE_NUMBER
#undef LINPRED_FIGURE_COUNT
} figures;

/* A command that learns from a file, on its way from the options to the exit code: session.c. */
typedef struct cli_session {
    cli_invocation *cli;
    linpred_data *data;
    linpred_result *result;
    figures figures;       /* of the result */
    linpred_result *start; /* --start */
    linpred_output *trace; /* --trace */
    double read_seconds;
    double verify_seconds;
    linpred_check *check; /* NULL: not verified */
} cli_session;

/* What such a command shows above the checker's answer, and what it promises. */
typedef struct cli_presentation {
    void (*text)(const cli_session *session);
    void (*json)(json_t *object, const cli_session *session); /* keys of its own; NULL: none */
    bool (*promised)(const cli_session *session); /* whether the outcome is the one that was asked for: exit code 0 */
    bool or_nothing;                              /* if the outcome is another one, no coefficients are shown */
} cli_presentation;

extern const cli_command commands[];
extern const size_t command_count;

/* flags.c: the flags of a command */
enum { NOT_OWN = -1 };
typedef struct cli_flag {
    const char *name; /* without its dashes */
    const char *takes;
    char initial[32]; /* the default, "" if none */
    const char *text;
    char only[80];          /* "--method perceptron or pocket"; "": whatever the command does */
    char method_names[160]; /* `takes` of --method */
    char method_help[400];  /* `text` of --method */
    int own;                /* own_flag; NOT_OWN: an option of the library, or a flag of every command */
} cli_flag;
/* The next flag of a command, after place *at: first the library's options, then the program's own flags, then those of
   every command. False: there are no more. */
bool cli_next_flag(const cli_command *command, size_t *at, cli_flag *flag);
/* Whether the command fits, as `fit ball` does: its second word is the task. */
bool cli_find_task(const cli_command *command, linpred_task *task);

/* arguments.c */
/* Sets the options and, by the command's name, the task. Returns 0, or an exit code after telling the error. */
int cli_parse(cli_invocation *cli, int argc, char **argv, int from);
void cli_help(FILE *out, const cli_command *command);
json_t *cli_help_to_json(const cli_command *command);

/* library.c: what the library fills in, as values */
figures cli_figures(const linpred_result *result);
linpred_shape cli_shape(const linpred_data *data);
linpred_coefficient cli_coefficient(const linpred_result *result, int32_t column); /* all NaN past the last */
int cli_threads(const cli_invocation *cli);                                        /* --threads */
int cli_choose(cli_invocation *cli, const char *option,
               int choice); /* sets a choice; returns 0, or an exit code after telling the error */

/* output.c */
int cli_fail(const cli_invocation *cli, int code, const linpred_error *error,
             const char *file); /* tells the error, returns code */
int cli_fail_status(const cli_invocation *cli, const linpred_error *error,
                    const char *file); /* the status decides the code */
int cli_fail_written(const cli_invocation *cli, const linpred_error *error,
                     const char *file); /* the same for a file that is written */
int cli_usage(const cli_invocation *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints to standard error unless --quiet. With --json the text is among the `notices` too, if it is told before they
   are printed. */
void cli_notice(const cli_invocation *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_notices_to_json(const cli_invocation *cli, json_t *object);
void cli_warn_of_data(const cli_invocation *cli, const linpred_data *data); /* notices of what is probably not meant */
int cli_print_json(json_t *object);                                   /* prints and frees; returns 0 or EXIT_FAULT */
void cli_set_number(json_t *object, const char *key, double value);   /* sets nothing if NaN */
void cli_set_count(json_t *object, const char *key, int64_t value);   /* sets nothing if negative */
void cli_set_text(json_t *object, const char *key, const char *text); /* broken UTF-8 is replaced */
void cli_format_number(double value, char text[40]); /* the shortest text that reads back to the same bits */
void cli_format_sum(double value, char text[40]);    /* a sum of weights: whole numbers whole, others to 9 digits */
int cli_close_output(const cli_invocation *cli, int code); /* notices a full disk behind standard output */
/* Returns 0 if the file of this flag can be written, is not `input` (the file that is read, or NULL), and with --json
   is not standard output. Else tells the error and returns an exit code. */
int cli_check_output(const cli_invocation *cli, own_flag flag, const char *input);
double cli_now(void);

/* progress.c: a fit that shows its progress on a terminal; Ctrl-C ends it and keeps the best so far */
linpred_status cli_fit(cli_invocation *cli, const linpred_data *data, linpred_result **result, linpred_error *error);
void cli_watch(cli_invocation *cli); /* the same around any call with cli->options */
void cli_unwatch(void);
bool cli_interrupted(void);

/* session.c: a whole command that learns, with the task and method of cli->options; returns the exit code */
int cli_learn(cli_invocation *cli, const cli_presentation *presentation);
void cli_print_data(const cli_session *session); /* what was read, as text */
bool cli_reached(const cli_session *session);    /* the outcome is separated or optimal */

/* trace.c */
bool cli_trace_update(void *context, const linpred_update *update); /* context: the session */
int cli_trace_open(cli_session *session);
int cli_trace_write(cli_session *session);

/* logistic.c: the objective, how well it fits, and the table */
void cli_logistic_text(const linpred_result *result);
void cli_logistic_to_json(json_t *object, const linpred_result *result);

/* inference.c: the table of coefficients with standard errors, where the result has them; also of a saved model */
bool cli_has_inference(const linpred_result *result); /* whether it has any standard error */
void cli_inference_table(const linpred_result *result);
void cli_inference_to_json(json_t *object, const linpred_result *result);
void cli_format_p(double p, char room[16]);        /* one too small to matter is "<1e-300" */
void cli_print_rank(const linpred_result *result); /* nothing if it is not known */

/* fit_regression.c: how well it fits, and the table */
void cli_regression_text(const linpred_result *result);
void cli_regression_to_json(json_t *object, const linpred_result *result);

/* predict.c */
bool cli_is_mere_proof(const linpred_result *result); /* its coefficients are not chosen to predict well */

/* the commands */
int run_fit_halfspace(cli_invocation *cli);
int run_fit_regression(cli_invocation *cli);
int run_fit_ball(cli_invocation *cli);
int run_fit_logistic(cli_invocation *cli);
int run_separable(cli_invocation *cli);
int run_predict(cli_invocation *cli);
int run_evaluate(cli_invocation *cli);
int run_verify(cli_invocation *cli);
int run_inspect(cli_invocation *cli);
int run_generate(cli_invocation *cli);
int run_shatter(cli_invocation *cli);
int run_bounds_vc(cli_invocation *cli);
int run_bounds_sample_size(cli_invocation *cli);
int run_bounds_updates(cli_invocation *cli);
int run_bounds_generalization(cli_invocation *cli);

/* generate.c: prints the list of instances, with --json as JSON; returns an exit code */
int cli_list_instances(const cli_invocation *cli);

/* witness.c */
typedef struct cli_witness {
    int64_t rows;
    const int64_t *row;      /* of the file */
    const signed char *sign; /* the label of each; NULL: as the data has it */
    const char *(*weight)(const void *from, int64_t index);
    const void *from;
} cli_witness;
void cli_witness_table(const linpred_data *data, const cli_witness *witness);
/* fit.c: what fits of halfspaces and balls share */
void cli_print_search(const cli_session *session); /* data, method with the limits that could have ended it, outcome */
/* The rows that prove that nothing separates the data, in a line that ends with what they do. */
void cli_print_witness(const linpred_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_print_least(const linpred_result *result, const char *what); /* what is known of the least, or how it can be */
void cli_halfspace_text(
    const linpred_result *result); /* mistakes, margin, coefficients, proof; also of a saved model */
/* auto promises the best that separates or, with a proof that nothing does, the count of a good one's mistakes. */
bool cli_auto_promise(const cli_session *session);

/* fit_ball.c */
void cli_ball_text(const linpred_result *result); /* mistakes, distance, the ball; also of a saved model */
void cli_ball_to_text(const linpred_model *model);
void cli_ball_to_json(json_t *object, const linpred_model *model);

/* claims.c: the claims of a result, the same in fit, verify and inspect */
/* The verdict of the whole, and what was found; `errors`: with the mistakes of the model. */
void cli_check_to_json(json_t *object, const linpred_result *result, const linpred_check *check, bool errors);
/* The list of claims; check NULL: without verdicts. */
void cli_claims_to_json(json_t *object, const linpred_result *result, const linpred_check *check);
/* The verdict of the whole, then a line a claim: verdict, sentence, finding. check NULL: the sentences alone.
   `details`: also the claims that are not main. */
void cli_claims_to_text(const linpred_result *result, const linpred_check *check, bool details);
void cli_summary_to_text(const linpred_check *check); /* the verdict of the whole and what was found, in one line */
int cli_check_code(const linpred_check *check);       /* the exit code */

/* show.c: what several commands show */
/* Prints a name of the user's in a table: cut to `most` characters, control characters as '?', then padded to `most` at
   its right (before false) or left. */
void cli_print_cell(const char *text, int most, bool before);
/* A line; of many indicators the first five. `level` answers level `index` of a text column. */
void cli_print_note(const linpred_note *note, const char *(*level)(const void *from, const char *column, int32_t index),
                    const void *from);
void cli_print_field(FILE *out, const char *text);         /* of CSV: quoted if it must be */
int cli_width(const char *text);                           /* in characters */
const char *cli_plural(int64_t count, const char *ending); /* the ending, or "" for one */
void cli_print_errors(const figures *info);                /* "errors 2 of 13 (15.38 %)", its line left open */
void cli_print_weights(
    const linpred_result *result); /* the column of row weights, and what they add up to; nothing without */
void cli_about_to_json(
    json_t *object, const linpred_result *result); /* labels or target, notes, weights: what a model and its fit tell */
void cli_print_coefficients(const linpred_model *model);
int cli_print_features(const linpred_model *model); /* a line for each coefficient; the width of their names */
json_t *cli_coefficients(const linpred_model *model);
const char *cli_coefficient_name(const linpred_model *model,
                                 int32_t column); /* after the last the intercept, of a ball |x|^2 before it */
/* The integers of linpred_result_direction, those that are not 0. */
void cli_print_direction(const linpred_result *result);
void cli_direction_to_json(json_t *object, const linpred_result *result); /* nothing if there is none */
void cli_figures_to_json(json_t *object, const figures *info);
void cli_witness_to_json(json_t *object, const linpred_result *result);
void cli_seconds_to_json(json_t *object, double read, double fit, double verify); /* verify NaN: not done */

#endif
