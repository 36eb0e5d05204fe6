/* The VC dimension of halfspaces and balls: the largest number of points that the class shatters.
 *
 *     d       halfspaces through the origin
 *     d + 1   halfspaces, and balls, which have an intercept
 */
#ifndef LINPRED_THEORY_VC_DIMENSION_H
#define LINPRED_THEORY_VC_DIMENSION_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t linpred__vc_dimension(int64_t features, bool has_intercept)
{
    return features + has_intercept;
}

#endif
