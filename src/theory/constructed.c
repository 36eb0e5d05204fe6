/* Instances that are constructed, without random numbers: extremal ones, and small ones to follow by hand. */
#include <math.h>

#include "theory/instances.h"

/* ---- extremal instances ------------------------------------------------------------------------------------------ */

/* Instances that show how sharp the perceptron's bound of (RB)^2 updates is. All are to be fitted through the origin.
 *
 * basis      x_i = e_i. Each row is wrong until it is visited, and an update changes no other score. R = 1, B^2 = m.
 * tight      z_t = (p_t, 1) with p_t in the plane and |p_t|^2 = m-1+ε. Let P = p_1 + … + p_{t-1}; the weights before
 *            row t are (P, t-1). p_t has the component (-(t-1) - ε/2)/|P| along P, so that row t has the score -ε/2: a
 *            mistake. After row t |P|^2 = t(m-t) + ε, and after row m the weights are nearly (0, 0, m), which
 * separates. (0,0,1) has y · score = 1 on every row and R^2 = m + ε. The m mistakes prove (RB)^2 >= m, so the floor of
 *            (RB)^2 is m.
 * shrinking  z_1 = e_1, z_k = e_k - 2e_{k-1}. The conditions w_1 >= 1 and w_k >= 1 + 2w_{k-1} give w_k = 2^k - 1 and
 *            B^2 = Σ(2^k-1)^2.
 *
 * Only the signed rows z = yx matter. Labels alternate, because a fit needs both.
 */

static double alternating(int64_t row)
{
    return row % 2 ? -1.0 : 1.0;
}

linpred_status linpred__make_basis(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    (void)error;
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)options->seed);
    int64_t positive = instance->rows / 2, of = instance->rows;
    for (int64_t i = 0; i < instance->rows; i++) {
        linpred__instance_row(instance, i)[i] = 1.0;
        instance->targets[i] = linpred__random_chosen(&random, &positive, &of) ? 1.0 : -1.0;
    }
    linpred__truth_count(instance, "updates", instance->rows);
    linpred__truth_count(instance, "update_bound", instance->rows);
    return LINPRED_OK;
}

/* Values are multiples of 2^-42. For m <= 4000, |P| <= m/2 + 1 < 2^11, so all sums are exact in doubles. Rounding p_t
   changes the score of row t by at most √2 · 2^-43 · |P| < 3.3e-10, and the rounding of the perceptron's own score is
   less than 1e-10. Together this is less than ε/2, so that the row stays a mistake. */
linpred_status linpred__make_tight(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    (void)options;
    (void)error;
    const double epsilon = 1e-9;
    double sum[2] = {0.0, 0.0};
    double square = (double)(instance->rows - 1) + epsilon;
    for (int64_t i = 0; i < instance->rows; i++) {
        double *x = linpred__instance_row(instance, i);
        double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
        double along = i > 0 ? -((double)i + epsilon / 2.0) / length : sqrt(square);
        double across =
            sqrt(fmax(square - along * along, 0.0)); /* in the last row rounding can make the difference negative */
        double unit[2] = {i > 0 ? sum[0] / length : 1.0, i > 0 ? sum[1] / length : 0.0};
        x[0] = linpred__to_grid(along * unit[0] - across * unit[1], 0x1p42);
        x[1] = linpred__to_grid(along * unit[1] + across * unit[0], 0x1p42);
        x[2] = 1.0;
        sum[0] += x[0];
        sum[1] += x[1];
        instance->targets[i] = alternating(i);
        for (int j = 0; j < 3; j++)
            x[j] *= instance->targets[i];
    }
    linpred__truth_count(instance, "updates", instance->rows);
    linpred__truth_count(instance, "update_bound", instance->rows); /* the floor of (RB)^2 */
    return LINPRED_OK;
}

linpred_status linpred__make_shrinking(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    (void)options;
    (void)error;
    double square = 0.0; /* B^2 */
    for (int64_t k = 0; k < instance->rows; k++) {
        double *x = linpred__instance_row(instance, k);
        double y = alternating(k);
        x[k] = y;
        if (k > 0)
            x[k - 1] = -2.0 * y;
        instance->targets[k] = y;
        double w = ldexp(1.0, (int)k + 1) - 1.0;
        square += w * w;
    }
    linpred__truth_number(instance, "updates", square);
    linpred__truth_number(instance, "update_bound", 5.0 * square);
    linpred__truth_number(instance, "margin", 1.0 / sqrt(square));
    return LINPRED_OK;
}

/* ---- small instances --------------------------------------------------------------------------------------------- */

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
