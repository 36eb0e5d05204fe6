/* linpred fit ball DATA: what is shown of a ball. The fit itself is that of fit.c. */
#include <math.h>
#include <string.h>

#include "cli.h"

int run_fit_ball(cli *cli)
{
    cli->options.task = LINPRED_TASK_BALL;
    return run_fit(cli);
}

void cli_ball_text(const linpred_model *model)
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

void cli_ball_json(json_t *object, const linpred_model *model)
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
