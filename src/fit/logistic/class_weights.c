/* The option --class-weights as two factors. */
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "fit/logistic/logistic.h"

static bool read_number(const char *text, size_t bytes, double *value)
{
    return linpred__number_read(text, bytes, value) == LINPRED__NUMBER && *value > 0;
}

linpred_status linpred__read_class_weights(const char *text, const linpred_data *data, double weight[2],
                                           linpred_error *error)
{
    weight[0] = weight[1] = 1.0;
    if (!text)
        return LINPRED_OK;
    if (strcmp(text, "balanced") == 0) {
        int64_t rows[2];
        double sum[2];
        linpred__class_sums(data, rows, sum);
        for (int k = 0; k < 2; k++)
            weight[k] = (sum[0] + sum[1]) / (2.0 * sum[k]);
        return LINPRED_OK;
    }
    const char *colon = strchr(text, ':');
    if (colon && read_number(text, (size_t)(colon - text), &weight[0]) &&
        read_number(colon + 1, strlen(colon + 1), &weight[1]))
        return LINPRED_OK;
    char excerpt[LINPRED__EXCERPT];
    return linpred__fail(
        error, LINPRED_ERROR_USAGE,
        "--class-weights takes balanced, or two positive numbers A:B for the labels -1 and +1, not '%s'",
        linpred__excerpt(text, strlen(text), excerpt));
}
