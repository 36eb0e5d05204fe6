/* linpred fit ball DATA: what the search did, mistakes, centre and radius, and witness. */
#include <inttypes.h>
#include <math.h>

#include "cli.h"

void cli_ball_to_text(const linpred_model *model)
{
    double square = linpred_model_radius_squared(model);
    const char *inside = linpred_model_label(model, linpred_model_inside(model));
    if (square > 0)
        printf("radius       %.9g, with %s = %s inside\n", sqrt(square), linpred_model_target(model), inside);
    else
        printf("radius       none: the ball is empty (radius^2 = %.9g), and nothing is called %s\n", square, inside);
    puts("centre");
    cli_print_features(model);
}

void cli_ball_to_json(json_t *object, const linpred_model *model)
{
    double square = linpred_model_radius_squared(model);
    json_t *centre = json_object();
    for (int32_t j = 0; j < linpred_model_columns(model); j++)
        cli_set_number(centre, linpred_model_feature(model, j), linpred_model_centre(model)[j]);
    json_object_set_new(object, "centre", centre);
    cli_set_number(object, "radius", square > 0 ? sqrt(square) : NAN);
    cli_set_number(object, "radius_squared", square);
    json_object_set_new(object, "empty", json_boolean(square <= 0));
    cli_set_text(object, "inside", linpred_model_label(model, linpred_model_inside(model)));
}

/* Fits a ball with the other label inside; false if the fit failed. */
static bool fit_other_way(const cli_session *session, bool outside, linpred_result **other)
{
    linpred_options *options = linpred_options_new();
    if (!options)
        return false;
    linpred_options_set_task(options, LINPRED_TASK_BALL);
    bool fitted = linpred_options_set_choice(options, "method", LINPRED_METHOD_LP, NULL) == LINPRED_OK &&
                  linpred_options_set_switch(options, "outside", outside, NULL) == LINPRED_OK &&
                  linpred_options_set_count(options, "threads", cli_threads(session->cli), NULL) == LINPRED_OK &&
                  linpred_fit(session->data, options, other, NULL) == LINPRED_OK;
    linpred_options_free(options);
    return fitted;
}

/* If no ball has this label inside, prints whether one has the other label inside. For larger data it prints nothing.
 */
static void print_other_way(const cli_session *session)
{
    enum { QUICK = 100000 }; /* rows x columns for which the second fit takes no time that a user notices */
    const linpred_model *model = linpred_result_model(session->result);
    linpred_shape shape = cli_shape(session->data);
    int inside = linpred_model_inside(model);
    linpred_result *other = NULL;
    if (shape.rows * shape.columns > QUICK || !fit_other_way(session, inside > 0, &other))
        return;
    linpred_outcome outcome = linpred_result_outcome(other);
    if (outcome == LINPRED_OUTCOME_SEPARATED || outcome == LINPRED_OUTCOME_INSEPARABLE)
        printf("other way    %s ball has %s = %s inside and the rest outside%s\n",
               outcome == LINPRED_OUTCOME_SEPARATED ? "a" : "no", linpred_model_target(model),
               linpred_model_label(model, -inside),
               outcome == LINPRED_OUTCOME_INSEPARABLE ? " either"
               : inside > 0                           ? ": --outside finds it"
                                                      : ": leave --outside out to find it");
    linpred_result_free(other);
}

void cli_ball_text(const linpred_result *result)
{
    const cli_figures stated[1] = {cli_read_figures(result)};
    cli_print_errors(stated);
    putchar('\n');
    cli_print_lower_bound(result, "ball");
    if (!isnan(stated->margin_without_intercept))
        printf("distance     %.9g: no row is nearer to the sphere\n", stated->margin_without_intercept);
    cli_ball_to_text(linpred_result_model(result));
    if (linpred_result_direction(result, 0)) {
        puts("integers     these separate the rows; no ball of doubles was found that does");
        cli_print_direction(result);
    }
    const linpred_model *model = linpred_result_model(result);
    cli_print_witness(result, "prove that no ball has %s = %s inside and the rest outside (linpred verify checks it)",
                      linpred_model_target(model), linpred_model_label(model, linpred_model_inside(model)));
}

static void print_ball_text(const cli_session *session)
{
    cli_print_search(session);
    cli_ball_text(session->result);
    if (session->figures.outcome == LINPRED_OUTCOME_INSEPARABLE)
        print_other_way(session);
}

static void add_ball_json(json_t *object, const cli_session *session)
{
    cli_ball_to_json(object, linpred_result_model(session->result));
}

int cli_run_fit_ball(cli_invocation *cli)
{
    return cli_learn(cli,
                     &(cli_presentation){.text = print_ball_text, .json = add_ball_json, .promised = cli_auto_promise});
}
