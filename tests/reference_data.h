/* Where the reference data is that the project does not carry: $LINPRED_DATA, or ../shared/data beside the source. */
#ifndef LINPRED_TESTS_REFERENCE_DATA_H
#define LINPRED_TESTS_REFERENCE_DATA_H

#include <stdlib.h>

static inline const char *reference_data(void)
{
    const char *chosen = getenv("LINPRED_DATA");
    return chosen ? chosen : LINPRED_SOURCE_DIR "/../shared/data";
}

#endif
