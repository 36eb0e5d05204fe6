/* Where the reference data is. tests/data holds the small sets that every clone has. A larger collection is used
   instead where there is one: in $LINPRED_DATA, or in ../shared/data beside the source. Both have the same layout. */
#ifndef LINPRED_TESTS_REFERENCE_DATA_H
#define LINPRED_TESTS_REFERENCE_DATA_H

#include <stdlib.h>
#include <unistd.h>

static inline const char *reference_data(void)
{
    const char *chosen = getenv("LINPRED_DATA");
    if (chosen)
        return chosen;
    const char *beside = LINPRED_SOURCE_DIR "/../shared/data";
    return access(beside, R_OK) == 0 ? beside : LINPRED_SOURCE_DIR "/tests/data";
}

#endif
