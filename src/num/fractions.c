/* Tries the denominators 1, 2, …, 16. */
#include "num/fractions.h"

#include <math.h>
#include <stdbool.h>

/* With larger denominators, more vectors are near whole numbers by chance. The number 16 was not measured. */
enum { MAX_DENOMINATOR = 16 };

int linpred__round_to_fractions(double *n, int32_t d)
{
    for (int q = 1; q <= MAX_DENOMINATOR; q++) {
        bool near = true;
        for (int32_t j = 0; near && j < d; j++)
            near = n[j] == 0.0 ||
                   (fabs(n[j] * q) < 0x1p40 && fabs(n[j] * q - nearbyint(n[j] * q)) < 1e-6 * q * fabs(n[j]) &&
                    nearbyint(n[j] * q) != 0.0);
        for (int32_t j = 0; near && j < d; j++)
            n[j] = nearbyint(n[j] * q);
        if (near)
            return q;
    }
    return 0;
}
