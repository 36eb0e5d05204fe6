/* The names of statuses, outcomes, verdicts and separations, and of the version. */
#include "linpred/linpred.h"

const char *linpred_status_name(linpred_status status)
{
    switch (status) {
#define LINPRED_STATUS(name, text)                                                                                     \
    case LINPRED_##name:                                                                                               \
        return #name;
#include "linpred/status.def"
#undef LINPRED_STATUS
    }
    return "UNKNOWN";
}

const char *linpred_status_text(linpred_status status)
{
    switch (status) {
#define LINPRED_STATUS(name, text)                                                                                     \
    case LINPRED_##name:                                                                                               \
        return text;
#include "linpred/status.def"
#undef LINPRED_STATUS
    }
    return "unknown status";
}

const char *linpred_outcome_name(linpred_outcome outcome)
{
    switch (outcome) {
#define LINPRED_OUTCOME(name, text)                                                                                    \
    case LINPRED_OUTCOME_##name:                                                                                       \
        return text;
#include "linpred/outcome.def"
#undef LINPRED_OUTCOME
    }
    return "unknown";
}

const char *linpred_verdict_name(linpred_verdict verdict)
{
    switch (verdict) {
    case LINPRED_PROVED:
        return "proved";
    case LINPRED_WITHIN_TOLERANCE:
        return "within_tolerance";
    case LINPRED_RECOMPUTED:
        return "recomputed";
    case LINPRED_PARTLY_PROVED:
        return "partly_proved";
    case LINPRED_REFUTED:
        return "refuted";
    }
    return "unknown";
}

const char *linpred_separation_name(linpred_separation separation)
{
    switch (separation) {
    case LINPRED_SEPARATION_SEPARATED:
        return "separated";
    case LINPRED_SEPARATION_QUASI_SEPARATED:
        return "quasi_separated";
    case LINPRED_SEPARATION_OVERLAPPING:
        return "overlapping";
    case LINPRED_SEPARATION_INSEPARABLE:
        return "inseparable";
    case LINPRED_SEPARATION_UNDECIDED:
        return "undecided";
    }
    return "unknown";
}

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(tokens) #tokens

const char *linpred_version(void)
{
    return TEXT_OF(LINPRED_VERSION_MAJOR) "." TEXT_OF(LINPRED_VERSION_MINOR) "." TEXT_OF(LINPRED_VERSION_PATCH);
}

int linpred_version_number(void)
{
    return LINPRED_VERSION_NUMBER;
}
