/* The public calls that read a check. */
#include "check/check.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

void linpred_check_free(linpred_check *check)
{
    if (check)
        linpred__release(check->error_bound);
    linpred__release(check);
}

linpred_verdict linpred_check_verdict(const linpred_check *check)
{
    if (!check)
        return LINPRED_REFUTED;
    return check->verdict;
}

const char *linpred_check_summary(const linpred_check *check)
{
    if (!check)
        return NULL;
    return check->summary;
}

bool linpred_check_is_respecting(const linpred_check *check)
{
    if (!check)
        return false;
    return check->respecting;
}

bool linpred_check_same_data(const linpred_check *check)
{
    if (!check)
        return false;
    return check->same_data;
}

size_t linpred_check_claim_count(const linpred_check *check)
{
    if (!check)
        return 0;
    return (size_t)check->claims;
}

linpred_claim_kind linpred_check_claim_kind(const linpred_check *check, size_t index)
{
    if (!check)
        return (linpred_claim_kind)LINPRED__CLAIM_KINDS;
    return index < (size_t)check->claims ? check->claim[index].kind : (linpred_claim_kind)LINPRED__CLAIM_KINDS;
}

bool linpred_check_claim_is_main(const linpred_check *check, size_t index)
{
    if (!check)
        return false;
    return index < (size_t)check->claims && check->claim[index].main;
}

linpred_verdict linpred_check_claim_verdict(const linpred_check *check, size_t index)
{
    if (!check)
        return LINPRED_REFUTED;
    return index < (size_t)check->claims ? check->claim[index].verdict : LINPRED_REFUTED;
}

const char *linpred_check_claim_finding(const linpred_check *check, size_t index)
{
    if (!check)
        return NULL;
    return index < (size_t)check->claims ? check->claim[index].finding : NULL;
}

double linpred_check_number(const linpred_check *check, const char *name)
{
    if (!check || !name)
        return (double)NAN;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"errors", check->errors},
        {"gap", check->gap},
        {"lower_bound_proved", check->lower_bound_proved},
        {"worst_row", check->worst_row > 0 ? (double)check->worst_row : (double)NAN},
        {"settled_exactly", (double)check->exact_signs},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return numbers[i].value;
    return NAN;
}

double linpred_check_error_bound(const linpred_check *check, int32_t column)
{
    if (!check)
        return (double)NAN;
    return check->error_bound && column >= 0 && column < check->coefficients ? check->error_bound[column] : (double)NAN;
}
