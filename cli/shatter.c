/* linpred shatter POINTS: whether the points are shattered, with the rank that proves it, or with a labelling that
 * nothing realises and the weights that prove it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct answer {
    const cli_invocation *cli;
    const linpred_data *points;
    const linpred_shattering *shattering;
    const linpred_shatter_info *info;
    double read_seconds;
};

static const char *weight_of_shattering(const void *shattering, int64_t index)
{
    return linpred_shattering_weight(shattering, index);
}

static const char *result_weight(const void *result, int64_t index)
{
    return linpred_result_witness_weight(result, index);
}

/* "halfspaces", "halfspaces through the origin" or "balls". */
static const char *members(const linpred_shatter_info *info)
{
    return info->class_asked == LINPRED_CLASS_BALL ? "balls"
           : info->has_intercept                   ? "halfspaces"
                                                   : "halfspaces through the origin";
}

static const char *member(const linpred_shatter_info *info)
{
    return info->class_asked == LINPRED_CLASS_BALL ? "ball"
           : info->has_intercept                   ? "halfspace"
                                                   : "halfspace through the origin";
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Prints why no member of the class gives the points of the table above their labels. */
static void print_reason(const struct answer *answer, const signed char *sign, int64_t count)
{
    const linpred_shatter_info *info = answer->info;
    bool mixed = false;
    for (int64_t i = 1; i < count; i++)
        mixed = mixed || sign[i] != sign[0];
    const char *groups =
        "\nWeighted by these whole numbers, the points labelled + and the points labelled - have the same ";
    if (info->class_asked == LINPRED_CLASS_BALL)
        printf("%saverage, exactly,\nand those labelled + have at least the same sum of |x|²: no ball holds them and "
               "leaves the others out.\n",
               groups);
    else if (info->has_intercept)
        printf("%saverage, exactly\n(a Radon partition): no halfspace can have it on both of its sides.\n", groups);
    else if (count == 1)
        puts("\nIt is the origin, which lies on the boundary of every halfspace through it.");
    else if (mixed)
        printf("%ssum, exactly:\nno halfspace through the origin can have it on both of its sides.\n", groups);
    else
        puts("\nWeighted by these whole numbers, the points sum to zero exactly: no halfspace through the origin has "
             "them\n"
             "all strictly on one side.");
    if (info->points > count)
        puts("The other points may have any labels.");
}

/* The labels of --labels for the points of the witness, in the order of the file; NULL if out of memory. */
static signed char *labels_of_witness(const struct answer *answer, const int64_t *row, int64_t count)
{
    signed char *sign = malloc((size_t)count + 1);
    for (int64_t i = 0, k = 0; sign && i < count; i++) {
        while (linpred_data_source_row(answer->points, k) < row[i])
            k++;
        sign[i] = linpred_options_get_text(answer->cli->options, "labels")[k] == '+' ? 1 : -1;
    }
    return sign;
}

static void print_unrealised(const struct answer *answer)
{
    const linpred_result *result = linpred_shattering_result(answer->shattering);
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    signed char *sign = labels_of_witness(answer, row, count);
    if (!sign)
        return;
    cli_witness_table(answer->points, &(cli_witness){count, row, sign, result_weight, result});
    print_reason(answer, sign, count);
    free(sign);
}

/* Whether the witness against the labelling of --labels has the same points as the witness against shattering. */
static bool is_shown(const struct answer *answer, const int64_t *row, int64_t count)
{
    const int64_t *other = NULL;
    bool shown = answer->info->realised == 0 &&
                 linpred_result_witness(linpred_shattering_result(answer->shattering), &other) == count;
    for (int64_t i = 0; shown && i < count; i++)
        shown = other[i] == row[i];
    return shown;
}

/* Whether the labelling of --labels is realised by a model of doubles, which is then shown. */
static bool shows_model(const struct answer *answer)
{
    return answer->info->realised == 1 && !linpred_result_direction(linpred_shattering_result(answer->shattering), 0);
}

static void print_realised(const linpred_result *result)
{
    if (linpred_result_direction(result, 0)) {
        puts("by whole numbers; no weights of doubles were found that do");
        cli_print_direction(result);
    } else if (linpred_model_task(linpred_result_model(result)) == LINPRED_TASK_BALL) {
        cli_ball_to_text(linpred_result_model(result));
    } else {
        cli_print_coefficients(linpred_result_model(result));
    }
}

static void print_labelling(const struct answer *answer)
{
    const linpred_shatter_info *info = answer->info;
    const char *labels = linpred_options_get_text(answer->cli->options, "labels");
    printf("%s %s gives the labels %.60s%s, strictly.\n",
           info->realised < 0 ? "UNDECIDED: whether a"
           : info->realised   ? "REALISED: this"
                              : "NOT REALISED: no",
           member(info), labels, strlen(labels) > 60 ? "…" : "");
    if (info->realised == 1)
        print_realised(linpred_shattering_result(answer->shattering));
    else if (info->realised == 0)
        print_unrealised(answer);
    cli_claims_to_text(linpred_shattering_result(answer->shattering), linpred_shattering_check(answer->shattering),
                       shows_model(answer));
}

static void print_count(const struct answer *answer)
{
    const linpred_shatter_info *info = answer->info;
    const char *realised = linpred_shattering_count(answer->shattering, LINPRED_LABELLINGS_REALISED);
    bool ball = info->class_asked == LINPRED_CLASS_BALL;
    if (realised)
        printf("labellings   %s of 2^%" PRId64 " are realised\n", realised, info->points);
    else
        printf("labellings   not counted: %s\n", info->reason_no_count);
    printf("             %s in general position%s, %s\n",
           linpred_shattering_count(answer->shattering, LINPRED_LABELLINGS_GENERAL_POSITION),
           info->general_position == 1   ? ", as these points are"
           : info->general_position == 0 ? ", as these points are not"
                                         : "",
           ball ? "Σ_{k<=D} C(m,k)" : "2 Σ_{k<D} C(m-1,k)");
    printf("             %s at most by any class of this VC dimension, Σ_{k<=D} C(m,k) (Sauer)\n",
           linpred_shattering_count(answer->shattering, LINPRED_LABELLINGS_SAUER));
}

static void print_shattered(const struct answer *answer)
{
    const linpred_shatter_info *info = answer->info;
    const int64_t *row;
    const signed char *sign;
    int64_t count = linpred_shattering_witness(answer->shattering, &row, &sign);
    if (info->shattered == 1) {
        printf("SHATTERED: %s realise each of the 2^%" PRId64 " labellings of %s, strictly.\n", members(info),
               info->points, info->points == 1 ? "this point" : "these points");
        printf("rank         %" PRId64 ", proved in exact arithmetic: the points%s are linearly independent\n",
               info->rank, info->has_intercept ? ", with 1 appended," : "");
    } else if (info->shattered == 0) {
        if (is_shown(answer, row, count)) {
            printf("NOT SHATTERED: no %s gives the labels above.\n", member(info));
            return;
        }
        printf("NOT SHATTERED: no %s gives the label%s below, strictly.\n", member(info), cli_plural(count, "s"));
        cli_witness_table(answer->points, &(cli_witness){count, row, sign, weight_of_shattering, answer->shattering});
        print_reason(answer, sign, count);
    } else {
        puts("UNDECIDED: stopped before it was known.");
    }
}

static void print_shattering_text(const struct answer *answer)
{
    const linpred_shatter_info *info = answer->info;
    if (linpred_shattering_result(answer->shattering))
        print_labelling(answer);
    print_shattered(answer);
    printf("VC dimension %" PRId64 " of %s in %d dimension%s: no more points than that are ever shattered\n",
           info->vc_dimension, members(info), info->columns, cli_plural(info->columns, "s"));
    if (linpred_options_get_switch(answer->cli->options, "count"))
        print_count(answer);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void witness_to_json(json_t *object, const struct answer *answer)
{
    const int64_t *row;
    const signed char *sign;
    int64_t count = linpred_shattering_witness(answer->shattering, &row, &sign);
    if (count == 0)
        return;
    json_t *rows = json_array(), *weights = json_array(), *labels = json_array();
    for (int64_t i = 0; i < count; i++) {
        json_array_append_new(rows, json_integer(row[i]));
        json_array_append_new(weights, json_string(linpred_shattering_weight(answer->shattering, i)));
        json_array_append_new(labels, json_string(sign[i] > 0 ? "+" : "-"));
    }
    json_object_set_new(object, "witness_rows", rows);
    json_object_set_new(object, "witness_weights", weights);
    json_object_set_new(object, "witness_labels", labels);
}

static json_t *labelling_to_json(const struct answer *answer)
{
    const linpred_result *result = linpred_shattering_result(answer->shattering);
    json_t *object = json_object();
    cli_set_text(object, "labels", linpred_options_get_text(answer->cli->options, "labels"));
    cli_set_text(object, "outcome", linpred_outcome_name(linpred_result_outcome(result)));
    if (answer->info->realised >= 0)
        json_object_set_new(object, "realised", json_boolean(answer->info->realised));
    bool in_doubles = shows_model(answer);
    if (in_doubles && answer->info->class_asked == LINPRED_CLASS_BALL)
        cli_ball_to_json(object, linpred_result_model(result));
    else if (in_doubles)
        json_object_set_new(object, "coefficients", cli_coefficients(linpred_result_model(result)));
    cli_direction_to_json(object, result);
    cli_witness_to_json(object, result);
    cli_claims_to_json(object, result, linpred_shattering_check(answer->shattering), in_doubles);
    cli_check_to_json(object, result, linpred_shattering_check(answer->shattering), true);
    return object;
}

static json_t *count_to_json(const struct answer *answer)
{
    static const char *const keys[] = {"realised", "in_general_position", "sauer"};
    json_t *object = json_object();
    for (int which = LINPRED_LABELLINGS_REALISED; which <= LINPRED_LABELLINGS_SAUER; which++)
        if (linpred_shattering_count(answer->shattering, (linpred_labellings)which))
            cli_set_text(object, keys[which], linpred_shattering_count(answer->shattering, (linpred_labellings)which));
    if (answer->info->general_position >= 0)
        json_object_set_new(object, "general_position", json_boolean(answer->info->general_position));
    if (*answer->info->reason_no_count)
        cli_set_text(object, "not_counted", answer->info->reason_no_count);
    return object;
}

static int print_shattering_json(const struct answer *answer)
{
    const linpred_shatter_info *info = answer->info;
    json_t *object = json_object();
    cli_set_text(object, "class", info->class_asked == LINPRED_CLASS_BALL ? "ball" : "halfspace");
    json_object_set_new(object, "shattered", info->shattered < 0 ? json_null() : json_boolean(info->shattered));
    cli_set_count(object, "rows", info->points);
    cli_set_count(object, "columns", info->columns);
    json_object_set_new(object, "intercept", json_boolean(info->has_intercept));
    cli_set_count(object, "vc_dimension", info->vc_dimension);
    cli_set_count(object, "rank", info->rank);
    witness_to_json(object, answer);
    if (linpred_shattering_result(answer->shattering))
        json_object_set_new(object, "labelling", labelling_to_json(answer));
    if (linpred_options_get_switch(answer->cli->options, "count"))
        json_object_set_new(object, "labellings", count_to_json(answer));
    cli_notices_to_json(answer->cli, object);
    cli_seconds_to_json(object, answer->read_seconds, info->seconds, NAN);
    return cli_print_json(object);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* 0 if the answer is yes and a count that was asked for was made. With --labels the question is whether that labelling
   is realised, else whether the points are shattered. */
static int exit_code(const struct answer *answer)
{
    const linpred_check *check = linpred_shattering_check(answer->shattering);
    bool holds =
        check ? answer->info->realised == 1 && cli_check_code(check) == EXIT_HOLDS : answer->info->shattered == 1;
    return holds && !*answer->info->reason_no_count ? EXIT_HOLDS : EXIT_NO;
}

int cli_run_shatter(cli_invocation *cli)
{
    struct answer answer = {.cli = cli};
    linpred_error error;
    linpred_data *points = NULL;
    linpred_shattering *shattering = NULL;
    const char *path = cli->positional[0];
    double began = cli_now();
    if (cli_points_load(path, cli->options, &points, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, path);
    answer.points = points;
    answer.read_seconds = cli_now() - began;
    linpred_shape shape = cli_shape(points);
    cli_warn_of_data(cli, points);
    if (shape.index_base >= 0)
        cli_notice(cli, "the labels in a LIBSVM file are not looked at here");
    if (shape.dropped_missing > 0)
        cli_notice(cli, "%" PRId64 " point%s with missing values %s left out", shape.dropped_missing,
                   cli_plural(shape.dropped_missing, "s"), shape.dropped_missing == 1 ? "is" : "are");
    cli_watch(cli);
    linpred_status status = linpred_shatter(points, cli->options, &shattering, &error);
    cli_unwatch();
    int code = 0;
    if (status != LINPRED_OK) {
        code = cli_fail_rows(cli, &error, path);
    } else {
        answer.shattering = shattering;
        answer.info = linpred_shattering_info(shattering);
        if (cli->json)
            code = print_shattering_json(&answer);
        else
            print_shattering_text(&answer);
        code = code ? code : exit_code(&answer);
    }
    linpred_shattering_free(shattering);
    linpred_data_free(points);
    return code;
}
