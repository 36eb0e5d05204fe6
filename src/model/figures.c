#include "model/figures.h"

#include <math.h>
#include <string.h>

static const linpred__figure table[] = {
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) {#name, meaning, claims, offsetof(linpred__figures, name), false},
#define LINPRED_FIGURE_COUNT(name, claims, meaning) {#name, meaning, claims, offsetof(linpred__figures, name), true},
#include "linpred/figures.def"
#undef LINPRED_FIGURE_NUMBER
#undef LINPRED_FIGURE_COUNT
};

enum { FIGURES = sizeof table / sizeof table[0] };

const linpred__figure *linpred__figure_at(size_t index)
{
    return index < FIGURES ? &table[index] : NULL;
}

const linpred__figure *linpred__figure_find(const char *name)
{
    for (size_t i = 0; i < FIGURES; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

int64_t linpred__figure_as_count(const linpred__figures *info, const linpred__figure *figure)
{
    int64_t value;
    memcpy(&value, (const char *)info + figure->offset, sizeof value);
    return value;
}

double linpred__figure_as_number(const linpred__figures *info, const linpred__figure *figure)
{
    double value;
    if (figure->count)
        return linpred__figure_as_count(info, figure) < 0 ? (double)NAN
                                                          : (double)linpred__figure_as_count(info, figure);
    memcpy(&value, (const char *)info + figure->offset, sizeof value);
    return value;
}

bool linpred__figure_is_stated(const linpred__figures *info, const linpred__figure *figure)
{
    return !isnan(linpred__figure_as_number(info, figure));
}

void linpred__figure_set_number(linpred__figures *info, const linpred__figure *figure, double value)
{
    memcpy((char *)info + figure->offset, &value, sizeof value);
}

void linpred__figure_set_count(linpred__figures *info, const linpred__figure *figure, int64_t value)
{
    memcpy((char *)info + figure->offset, &value, sizeof value);
}

int linpred__figure_home(const linpred__figure *figure, const linpred__claims *claims)
{
    for (int kind = 0; kind < LINPRED__CLAIM_KINDS; kind++)
        if ((figure->claims >> kind & 1u) && linpred__claims_find(claims, (linpred_claim_kind)kind))
            return kind;
    return -1;
}

void linpred__figures_clear(linpred__figures *info)
{
    memset(info, 0, sizeof *info);
    for (size_t i = 0; i < FIGURES; i++)
        if (table[i].count)
            linpred__figure_set_count(info, &table[i], -1);
        else
            linpred__figure_set_number(info, &table[i], NAN);
}
