/* Instances small enough to follow by hand. z_i = y_i x_i, with a 1 appended to x_i where there is an intercept.
 *
 * undershoot   z = (4,1), (-1,1). After row 1 w = (4,1) and row 2 scores -3; an update adds |x|^2 = 2, which is not
 * enough; a row repeated is right after floor(3/2)+1 = 2 updates. With an intercept: -4, then -1, then 2. offset x1 +
 * x2 = 2 on the negative side, 4 on the positive: 3 tells them apart. Row 3 is twice row 1. two-updates  z = (2,-1),
 * (-1,2), … : after rows 1 and 2 w = (1,1), which is right on all rows. These two rows also force B^2 = 2 (w = (1,1)
 * has both at 1, and their sum gives <w,(1,1)> >= 2), R^2 = 5. xor          both diagonals of the square have the same
 * middle.
 */
#include "theory/instances.h"

/* rows: x1, x2, y. */
static void fill(linpred_instance *instance, const double (*rows)[3])
{
    for (int64_t i = 0; i < instance->rows; i++) {
        linpred__instance_row(instance, i)[0] = rows[i][0];
        linpred__instance_row(instance, i)[1] = rows[i][1];
        instance->targets[i] = rows[i][2];
    }
}

linpred_status linpred__make_undershoot(linpred_instance *instance, const linpred_options *options,
                                        linpred_error *error)
{
    (void)options;
    (void)error;
    static const double rows[][3] = {{4, 1, 1}, {1, -1, -1}};
    fill(instance, rows);
    linpred__truth_count(instance, "updates", 3);
    return LINPRED_OK;
}

linpred_status linpred__make_offset(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    (void)options;
    (void)error;
    static const double rows[][3] = {{1, 1, -1}, {0, 2, -1}, {2, 2, 1}, {3, 1, 1}};
    static const double w[] = {1, 1};
    fill(instance, rows);
    linpred__truth_key(instance, "coefficients");
    linpred__truth_vector(instance, w, -3, true);
    linpred__truth_key(instance, "witness_rows"); /* through the origin */
    linpred__text_add(&instance->truth, "[1, 3]");
    linpred__truth_key(instance, "witness_weights");
    linpred__text_add(&instance->truth, "[\"2\", \"1\"]");
    return LINPRED_OK;
}

linpred_status linpred__make_two_updates(linpred_instance *instance, const linpred_options *options,
                                         linpred_error *error)
{
    (void)options;
    (void)error;
    static const double rows[][3] = {{2, -1, 1}, {1, -2, -1}, {1, 1, 1}, {-1, -1, -1}, {2, 1, 1}, {-1, -2, -1}};
    fill(instance, rows);
    linpred__truth_count(instance, "updates", 2);
    linpred__truth_count(instance, "update_bound", 10);
    return LINPRED_OK;
}

linpred_status linpred__make_xor(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    (void)options;
    (void)error;
    static const double rows[][3] = {{0, 0, -1}, {0, 1, 1}, {1, 0, 1}, {1, 1, -1}};
    fill(instance, rows);
    linpred__truth_count(instance, "errors", 1);
    linpred__truth_key(instance, "witness_rows");
    linpred__text_add(&instance->truth, "[1, 2, 3, 4]");
    linpred__truth_key(instance, "witness_weights");
    linpred__text_add(&instance->truth, "[\"1\", \"1\", \"1\", \"1\"]");
    return LINPRED_OK;
}
