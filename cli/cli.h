/* What the commands of the program share. The program uses the public header only. README.md is the guide. */
#ifndef LINPRED_CLI_H
#define LINPRED_CLI_H

#include <jansson.h>
#include <stdio.h>

#include "draw/svg.h"
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
    OWN_ALL,
    OWN_KIND,
    OWN_AXES,
    OWN_PROJECT,
    OWN_WITH,
    OWN_THEME,
    OWN_FLAGS
} own_flag;

typedef struct cli_invocation cli_invocation;
enum { AND_FILES = 16 }; /* added to the number of positionals of a command that takes several files */

typedef struct cli_command {
    const char *name;
    const char *arguments; /* for the help: "DATA" or "MODEL DATA" */
    const char *summary;   /* for the help: what the command does */
    const char *scopes; /* words: the command takes the library's options of these scopes, and those of the methods of
                           its task */
    unsigned own;       /* the program's own flags that the command takes: bits 1 << own_flag */
    int positionals;    /* the number of arguments that are not flags; AND_FILES: further ones are files of the data */
    int (*run)(cli_invocation *cli); /* returns the exit code */
} cli_command;

struct cli_invocation {
    const cli_command *command;
    const char *positional[3];
    const char **file; /* further files of the data, after the last positional */
    int files;         /* length of `file` */
    linpred_options *options;
    const char *own[OWN_FLAGS]; /* the value of each own flag, "" for a switch; NULL if the flag is not given */
    json_t *notices;            /* with --json: the texts of cli_notice; else NULL */
    bool json;                  /* --json */
    bool quiet;                 /* --quiet */
    const char *progress;       /* --progress; NULL: not given */
};

/* The figures of a result by their names; NaN or -1 if the result does not state them. */
typedef struct cli_figures {
    linpred_outcome outcome;
    linpred_method method;
    linpred_separation separation;
    const char *reason;             /* why the fit ended with this outcome */
    const char *no_standard_errors; /* why there are no standard errors; NULL if there are some, or if none were asked
                                       for */
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) double name;
#define LINPRED_FIGURE_COUNT(name, claims, meaning) int64_t name;
#include "linpred/figures.def"
} cli_figures;

/* The state of a command that learns from a file: session.c. */
typedef struct cli_session {
    cli_invocation *cli;
    linpred_data *data;
    linpred_result *result;
    cli_figures figures;   /* those of `result` */
    linpred_result *start; /* the model of --start; NULL if not given */
    linpred_output *trace; /* the file of --trace; NULL if not given */
    double read_seconds;   /* the time that reading took */
    double verify_seconds; /* the time that the check took */
    linpred_check *check;  /* NULL with --no-verify */
} cli_session;

/* How a command that learns shows its result. */
typedef struct cli_presentation {
    void (*text)(const cli_session *session);                 /* prints the text above the claims */
    void (*json)(json_t *object, const cli_session *session); /* adds the command's own keys; NULL if it has none */
    bool (*promised)(const cli_session *session); /* whether the outcome is what was asked for: exit code 0 */
    bool or_nothing; /* coefficients and their figures are not shown if `promised` is false */
} cli_presentation;

/* What stands before a command's name: "linpred ", and "linpred-" in the program linpred-verify. */
extern const char cli_first_word[];
extern const cli_command cli_commands[];
extern const size_t cli_command_count;

/* flags.c: the flags of a command */
enum { NOT_OWN = -1 };
typedef struct cli_flag {
    const char *name;       /* without its dashes */
    const char *takes;      /* what value it takes, for the help; "" for a switch */
    char initial[32];       /* the default; "" if there is none */
    const char *text;       /* what it does, for the help */
    char only[160];         /* what it is for, such as "--method perceptron or pocket"; "" if always */
    char method_names[160]; /* memory for `takes` of --method, and of choices that not all methods take */
    char method_help[400];  /* memory for `text` of --method and --kind */
    int own;                /* its own_flag; NOT_OWN for an option of the library and for flags of every command */
} cli_flag;
/* Sets *flag to the next flag of a command; false if there are no more. *at is 0 before the first call. First come the
   library's options, then the program's own flags, then the flags of every command. */
bool cli_next_flag(const cli_command *command, size_t *at, cli_flag *flag);
/* Sets *flag to the command's flag of this name; false if it has none. */
bool cli_find_flag(const cli_command *command, const char *name, cli_flag *flag);
/* Whether a fit with these options and this method listens to the option. */
bool cli_method_listens(const linpred_options *options, linpred_method method, const char *name);
/* Whether the command is `fit TASK`; sets *task. */
bool cli_find_task(const cli_command *command, linpred_task *task);

/* flag_words.c: what the help says of a flag */
/* Says in words which methods a flag is for and what it takes; `scopes` are those of the option, or the group of a flag
   of the program's own. */
void cli_word_flag(const cli_command *command, const char *scopes, cli_flag *flag);
/* Writes the scopes whose options the command takes: its own, and those of the methods of its task. */
void cli_list_scopes(const cli_command *command, char *scopes, size_t bytes);
/* Whether two lists of words, separated by spaces, have one in common. */
bool cli_words_meet(const char *a, const char *b);

/* arguments.c */
/* Sets the options, and the task by the command's name. Returns 0, or prints the error and returns an exit code. */
int cli_parse(cli_invocation *cli, int argc, char **argv, int from);
void cli_help(FILE *out, const cli_command *command);
json_t *cli_help_to_json(const cli_command *command);

/* library.c: structs that the library fills, as values */
cli_figures cli_read_figures(const linpred_result *result);
linpred_shape cli_shape(const linpred_data *data);
/* Coefficient `column`; the intercept comes after the last column, and after that all numbers are NaN. */
linpred_coefficient cli_coefficient(const linpred_result *result, int32_t column);
int cli_threads(const cli_invocation *cli); /* the value of --threads */
/* Sets an option to one of its choices. Returns 0, or prints the error and returns an exit code. */
int cli_choose(cli_invocation *cli, const char *option, int choice);

/* output.c */
/* Prints an error about a file (NULL: about no file) and returns `code`. */
int cli_fail(const cli_invocation *cli, int code, const linpred_error *error, const char *file);
/* The same, with the exit code that belongs to the error's status. */
int cli_fail_status(const cli_invocation *cli, const linpred_error *error, const char *file);
/* The same for an error about rows that were read from the file: its name stands before the message. */
int cli_fail_rows(const cli_invocation *cli, const linpred_error *error, const char *file);
/* The same for a file that could not be written. */
int cli_fail_written(const cli_invocation *cli, const linpred_error *error, const char *file);
/* Prints a usage error and returns EXIT_INPUT. */
int cli_usage(const cli_invocation *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a notice to standard error unless --quiet. With --json a notice before cli_notices_to_json is also in the
   object, under `notices`. */
void cli_notice(const cli_invocation *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_notices_to_json(const cli_invocation *cli, json_t *object);
void cli_warn_of_data(const cli_invocation *cli, const linpred_data *data); /* prints the data's warnings as notices */
int cli_print_json(json_t *object);                                   /* prints and frees; returns 0 or EXIT_FAULT */
void cli_set_number(json_t *object, const char *key, double value);   /* sets nothing if NaN */
void cli_set_count(json_t *object, const char *key, int64_t value);   /* sets nothing if negative */
void cli_set_text(json_t *object, const char *key, const char *text); /* broken UTF-8 is replaced */
void cli_format_number(double value, char text[40]); /* the shortest text that reads back to the same bits */
void cli_format_sum(double value, char text[40]);    /* a sum of weights: all digits of a whole number, else 9 digits */
/* Flushes standard output and returns `code`. If writing failed (the disk is full), prints the error and returns
   EXIT_FAULT; a closed pipe is no error. */
int cli_close_output(const cli_invocation *cli, int code);
/* Checks the file of a flag before anything takes long: it can be written, it is not `input` (the file that is read, or
   NULL), and with --json it is not standard output. Returns 0, or prints the error and returns an exit code. */
int cli_check_output(const cli_invocation *cli, own_flag flag, const char *input);
double cli_now(void); /* seconds of a clock that never goes back */

/* progress.c: what happens while a file is read or a fit runs */
/* Begins to show progress, of reading too, as --progress says. Returns 0, or prints the error and returns an exit
   code. */
int cli_progress_begin(cli_invocation *cli);
/* Shows one report; for callers with a callback of their own. Returns false after Ctrl-C. */
bool cli_on_progress(void *context, const linpred_progress *progress);
/* The calls of the library that read files, after which no progress is left on the terminal. */
linpred_status cli_data_load(const char *path, const linpred_options *options, linpred_data **data,
                             linpred_error *error);
linpred_status cli_data_load_for(const linpred_model *model, const char *path, bool labels,
                                 const linpred_options *options, linpred_data **data, linpred_error *error);
linpred_status cli_points_load(const char *path, const linpred_options *options, linpred_data **points,
                               linpred_error *error);
linpred_status cli_convert_file(const char *path, const linpred_options *options, const char *output,
                                linpred_shape *shape, linpred_error *error);
linpred_status cli_inspect_file(const char *path, const linpred_options *options, linpred_inspection **inspection,
                                linpred_error *error);
/* Between these two, any call with cli->options can be ended by Ctrl-C. */
void cli_watch(cli_invocation *cli);
void cli_unwatch(void);
bool cli_interrupted(void); /* whether Ctrl-C was pressed */

/* trace.c: the file of --trace */
bool cli_trace_update(void *context, const linpred_update *update); /* `context` is the session */
int cli_trace_open(cli_session *session);
int cli_trace_write(cli_session *session);

/* session.c: a whole command that learns, with the task and method of cli->options; returns the exit code */
int cli_learn(cli_invocation *cli, const cli_presentation *presentation);
void cli_print_data(const cli_session *session); /* prints what was read: rows, features, notes */
bool cli_reached(const cli_session *session);    /* the outcome is separated or optimal */

/* logistic.c: the objective, how well the model fits, and the table of coefficients */
void cli_logistic_text(const linpred_result *result);
void cli_logistic_to_json(json_t *object, const linpred_result *result);

/* inference.c: the table of coefficients, with standard errors if the result has them */
bool cli_has_inference(const linpred_result *result); /* whether some coefficient has a standard error */
void cli_inference_table(const linpred_result *result);
void cli_inference_to_json(json_t *object, const linpred_result *result);
void cli_format_p(double p, char text[16]);        /* three digits, or "<1e-300" */
void cli_print_rank(const linpred_result *result); /* prints nothing if the rank is not known */

/* fit_regression.c: how well the model fits, and the table of coefficients */
void cli_regression_text(const linpred_result *result);
void cli_regression_to_json(json_t *object, const linpred_result *result);

/* other_words.c */
const char *cli_other_word(const char *word); /* what to do if `word` is tried as a command; NULL if it is not known */

bool cli_is_among(const char *words, const char *word); /* words separated by blanks; capitals and '_' do not matter */

/* other_flags.c */
/* Writes what to do if `word` is tried as an option of the command. False if it is not known. */
bool cli_other_flag(const char *word, const cli_command *command, char *answer, size_t bytes);

/* notice_rows.c */
/* Prints the data's warnings, and how many rows were left out or filled in; `left_out` says what this means. */
void cli_notice_rows(const cli_invocation *cli, const linpred_data *data, const char *left_out);
/* Prints a notice for each dependency of the training columns that rows break. The training data do not determine the
   predictions of such rows. Returns 0, or prints an error and returns an exit code. */
int cli_notice_broken(const cli_invocation *cli, const linpred_result *result, const linpred_data *data);

/* evaluate.c */
/* Sets *threshold to the value of --threshold, NaN if it is not given. Returns 0, or prints why the model has none and
   returns an exit code. */
int cli_read_threshold(const cli_invocation *cli, const linpred_model *model, double *threshold);

/* predict.c */
bool cli_is_mere_proof(const linpred_result *result); /* whether the coefficients were not chosen to predict well */

/* plot.c: what commands that draw share */
/* Checks, before anything takes long, where the picture goes. Returns 0, or prints the error and returns a code. */
int cli_check_picture(const cli_invocation *cli);
/* Writes a picture: to the file of -o, by its ending; else to standard output. Returns an exit code. */
int cli_write_picture(const cli_invocation *cli, const char *kind, const char *text, size_t bytes);
/* The theme of --theme; PNG and PDF hold one theme only, so there auto is light. */
svg_theme cli_picture_theme(const cli_invocation *cli);
/* Loads the model and the data of the arguments MODEL DATA, and prints notices about the rows. The caller frees both,
   also after an error. */
int cli_load_pair(const cli_invocation *cli, linpred_result **result, linpred_data **data);

/* completion.c: prints a completion script for the shell argv[2]. manual.c: prints the manual page of the command named
   by argv[2] and on, or of the program. Both return an exit code. */
int cli_completion(const cli_invocation *cli, int argc, char **argv);
int cli_manual(const cli_invocation *cli, int argc, char **argv);

/* render.c: pictures that are not SVG */
typedef enum cli_format { CLI_SVG, CLI_PNG, CLI_PDF } cli_format;
cli_format cli_picture_format(const char *path); /* by its ending; SVG if it is none of the others */
/* Whether the file's ending is that of a picture, or none, and its format can be made here. Returns 0, or prints what
   is wrong and returns an exit code. */
int cli_check_render(const cli_invocation *cli, const char *path);
int cli_render(const cli_invocation *cli, const char *path, const char *text, size_t bytes); /* from SVG */

/* the commands */
/* The program: runs the command that the arguments name, and returns the exit code. */
int cli_main(int argc, char **argv);

int cli_run_fit_halfspace(cli_invocation *cli);
int cli_run_fit_regression(cli_invocation *cli);
int cli_run_fit_ball(cli_invocation *cli);
int cli_run_fit_logistic(cli_invocation *cli);
int cli_run_separable(cli_invocation *cli);
int cli_run_predict(cli_invocation *cli);
int cli_run_evaluate(cli_invocation *cli);
int cli_run_verify(cli_invocation *cli);
int cli_run_inspect(cli_invocation *cli);
int cli_run_convert(cli_invocation *cli);
int cli_run_generate(cli_invocation *cli);
int cli_run_shatter(cli_invocation *cli);
int cli_run_plot(cli_invocation *cli);
int cli_run_plot_perceptron(cli_invocation *cli);
int cli_run_plot_pocket(cli_invocation *cli);
int cli_run_plot_search(cli_invocation *cli);
int cli_run_plot_separable(cli_invocation *cli);
int cli_run_plot_shatter(cli_invocation *cli);
int cli_run_report(cli_invocation *cli);
int cli_run_bounds_vc(cli_invocation *cli);
int cli_run_bounds_sample_size(cli_invocation *cli);
int cli_run_bounds_updates(cli_invocation *cli);
int cli_run_bounds_generalization(cli_invocation *cli);

/* generate.c: prints the list of instances, with --json as JSON; returns an exit code */
int cli_list_instances(const cli_invocation *cli);

/* witness.c */
typedef struct cli_witness {
    int64_t rows;            /* the number of rows of the witness */
    const int64_t *row;      /* the 1-based row of the file of each */
    const signed char *sign; /* the label of each, -1 or +1; NULL if it is that of the data */
    const char *(*weight)(const void *from, int64_t index); /* the integer of each, in decimal */
    const void *from;                                       /* is passed to `weight` */
} cli_witness;
void cli_witness_table(const linpred_data *data, const cli_witness *witness);

/* fit.c: what fits of halfspaces and balls share */
/* Prints data, method with its limits, and outcome. */
void cli_print_search(const cli_session *session);
/* Prints the line "witness rows 1, 2 …", which ends with the formatted text: what these rows prove. Prints nothing
   without a witness. */
void cli_print_witness(const linpred_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints cost and lower bound of the mistakes if the result has them; `what` is "halfspace" or "ball". For a pocket fit
   it suggests --method exact. */
void cli_print_lower_bound(const linpred_result *result, const char *what);
/* Prints mistakes, margin, coefficients and proof of a halfspace, fitted now or saved. */
void cli_halfspace_text(const linpred_result *result);
/* Whether the fit did what it promises: it separated, or with --method auto it proved that nothing separates. */
bool cli_auto_promise(const cli_session *session);

/* fit_ball.c */
void cli_ball_text(const linpred_result *result); /* prints mistakes, distance and ball, fitted now or saved */
void cli_ball_to_text(const linpred_model *model);
void cli_ball_to_json(json_t *object, const linpred_model *model);

/* claims.c: the claims of a result, the same in fit, verify, inspect and shatter. If the model is not shown, claims
   about its coefficients are left out: mistakes, objective, margin. */
/* Adds the verdict of the whole and what was found. */
void cli_check_to_json(json_t *object, const linpred_result *result, const linpred_check *check, bool model_shown);
/* "PARTLY PROVED"; on other rows than those of the fit "NOT JUDGED" instead. */
const char *cli_verdict_text(const linpred_check *check, linpred_verdict verdict, char text[40]);
/* Adds the list of claims, with verdicts if `check` is not NULL. */
void cli_claims_to_json(json_t *object, const linpred_result *result, const linpred_check *check, bool model_shown);
/* Prints the verdict of the whole, then a line for each claim: verdict, sentence, finding. If `check` is NULL, prints
   the sentences alone. */
void cli_claims_to_text(const linpred_result *result, const linpred_check *check, bool model_shown);
int cli_check_code(const linpred_check *check); /* the exit code that belongs to the verdict */
/* Prints a notice if the verdict holds among coefficients that respect dependencies which hold to rounding only. */
void cli_notice_respecting(const cli_invocation *cli, const linpred_result *result, const linpred_check *check);

/* screen.c: what standard output and standard error lead to */
typedef enum cli_colour { CLI_GREEN, CLI_YELLOW, CLI_RED } cli_colour;
int cli_line_width(void); /* the largest length of a line in characters; 0 if lines are not broken */
/* Prints the words of `text` from column `at`, in lines of at most `width` characters (0: of any length), the later
   ones indented by `indent`. Returns the column after the last word. */
int cli_print_words(FILE *out, const char *text, int at, int indent, int width);
/* Prints an error or a notice on standard error, as one line; on a terminal in lines of its width. */
void cli_print_message(const char *text);
void cli_print_coloured(const char *text, cli_colour colour); /* in colour on a terminal that may have it */

/* show.c: what several commands show */
/* Prints a user's text as a cell of `max` characters: cut, or padded with blanks, on the left if `before`, else on the
   right. A line end is shown as "\n"; other control characters become '?'. */
void cli_print_cell(const char *text, int max, bool before);
void cli_print_cut(FILE *out, const char *text, int max); /* the same, without padding */
/* Prints the name of a coefficient as a cell, cut so that it differs from the names beside it. */
void cli_print_name(const linpred_model *model, int32_t column, int max);
/* Prints a note as one line. Of a text column with many levels it shows the first five indicators; level(from, column,
   i) returns level i of a column. */
void cli_print_note(const linpred_note *note, const char *(*level)(const void *from, const char *column, int32_t index),
                    const void *from);
void cli_print_field(FILE *out, const char *text);         /* prints a field of CSV, quoted if necessary */
int cli_width(const char *text);                           /* the length in characters */
const char *cli_plural(int64_t count, const char *ending); /* the ending, or "" if count is 1 */
void cli_print_errors(const cli_figures *stated);          /* prints "errors 2 of 13 (15.38 %)" without a line end */
void cli_print_weights(const linpred_result *result); /* prints name and sum of the row weights, if there are any */
void cli_about_to_json(json_t *object, const linpred_result *result); /* adds labels or target, notes, weights */
void cli_print_coefficients(const linpred_model *model);
int cli_print_features(const linpred_model *model); /* prints a line per coefficient; returns the width of the names */
json_t *cli_coefficients(const linpred_model *model);
/* The name of a coefficient. After the last column comes the intercept; for a ball |x|^2 comes before it. */
const char *cli_coefficient_name(const linpred_model *model, int32_t column);
/* Prints the nonzero integers of linpred_result_direction. */
void cli_print_direction(const linpred_result *result);
/* Prints which rows the direction of a loss without a minimum leaves, where that is proved. */
void cli_print_rows_left(const linpred_result *result);
/* Prints the infimum of a loss without a minimum and the coefficients of its finite part, where they are proved. */
void cli_print_finite_part(const linpred_result *result, const cli_figures *stated);
void cli_direction_to_json(json_t *object, const linpred_result *result); /* adds nothing if there is no direction */
void cli_figures_to_json(json_t *object, const cli_figures *stated);
void cli_witness_to_json(json_t *object, const linpred_result *result);
void cli_seconds_to_json(json_t *object, double read, double fit, double verify); /* verify is NaN if not verified */

#endif
