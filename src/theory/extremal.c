/* Instances at the ends of the perceptron's bound, (RB)^2 updates; all are meant through the origin.
 *
 * basis      x_i = e_i: each row is wrong until it is visited, and no update changes another's score. R = 1, B^2 = m.
 * tight      z_t = (p_t, 1), p_t in the plane, |p_t|^2 = m-1+ε. With P = p_1 + … + p_{t-1} the weights before row t are
 *            (P, t-1); p_t has the component (-(t-1) - ε/2)/|P| along P, so that row t scores -ε/2: a mistake. Then
 *            |P|^2 = t(m-t) + ε after row t, and after row m the weights are nearly (0, 0, m), which separates.
 *            (0,0,1) has margin 1 and R^2 = m + ε; m mistakes prove (RB)^2 >= m, so its floor is m.
 * shrinking  z_1 = e_1, z_k = e_k - 2e_{k-1}: w_1 >= 1 and w_k >= 1 + 2w_{k-1} give w_k = 2^k - 1 and B^2 = Σ(2^k-1)^2.
 *
 * The signed rows z = yx are what counts; labels alternate, because one class alone is refused by every fit.
 */
#include <math.h>

#include "theory/instances.h"

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

/* On the grid of 2^-42 all sums are exact: |P| <= m/2 + 1 < 2^11 for m <= 4000. Rounding p_t moves the score of row t
   by at most √2 · 2^-43 · |P| < 3.3e-10, and evaluating it by less than 1e-10: less than ε/2 together. */
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
            sqrt(fmax(square - along * along, 0.0)); /* the last row's is near 0, and rounding may miss it */
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
    linpred__truth_count(instance, "update_bound", instance->rows); /* its floor */
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
