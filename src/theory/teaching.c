/* Instances small enough to follow by hand. z_i = y_i x_i; with an intercept z_i = y_i (x_i, 1).
 *
 * undershoot
 *     z = (4,1), (-1,1). After the update with row 1 w = (4,1), and row 2 has y · score = -3. Each update with row 2
 * adds |x|^2 = 2 to it, so row 2 is right only after 2 updates. (With an intercept: -4 at first, then -1, then 2.)
 * offset
 *     x1 + x2 is 2 in the negative rows and 4 in the positive ones, so x1 + x2 > 3 separates. Row 3 is twice row 1 and
 *     has the other label, so that nothing separates through the origin.
 * two-updates
 *     z = (2,-1), (-1,2), … After rows 1 and 2 w = (1,1), which is right on all rows. B^2 = 2: w = (1,1) has y · score
 * = 1 on rows 1 and 2, and the sum of both conditions is <w,(1,1)> >= 2. R^2 = 5. xor The two diagonals of the square
 * have the same midpoint: z_1 + z_2 + z_3 + z_4 = 0.
 */
#include "theory/instances.h"

/* Each of `rows` is x1, x2, y. */
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
    linpred__truth_key(instance, "witness_rows"); /* prove that nothing separates through the origin */
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
