/* The table of figures, and reading and setting a figure by its line of that table. */
#include "model/figures.h"

#include <math.h>
#include <string.h>

static const linpred__figure table[] = {
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) {#name, meaning, claims, offsetof(linpred__figures, name), false},
#define LINPRED_FIGURE_COUNT(name, claims, meaning) {#name, meaning, claims, offsetof(linpred__figures, name), true},
#include "linpred/figures.def"
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

int64_t linpred__figure_as_count(const linpred__figures *figures, const linpred__figure *figure)
{
    int64_t value;
    memcpy(&value, (const char *)figures + figure->offset, sizeof value);
    return value;
}

double linpred__figure_as_number(const linpred__figures *figures, const linpred__figure *figure)
{
    double value;
    if (figure->count)
        return linpred__figure_as_count(figures, figure) < 0 ? (double)NAN
                                                             : (double)linpred__figure_as_count(figures, figure);
    memcpy(&value, (const char *)figures + figure->offset, sizeof value);
    return value;
}

bool linpred__figure_is_stated(const linpred__figures *figures, const linpred__figure *figure)
{
    return !isnan(linpred__figure_as_number(figures, figure));
}

void linpred__figure_set_number(linpred__figures *figures, const linpred__figure *figure, double value)
{
    memcpy((char *)figures + figure->offset, &value, sizeof value);
}

void linpred__figure_set_count(linpred__figures *figures, const linpred__figure *figure, int64_t value)
{
    memcpy((char *)figures + figure->offset, &value, sizeof value);
}

bool linpred__figure_may_be_of(const linpred__figure *figure, linpred_claim_kind kind)
{
    const char *name = linpred_claim_name(kind);
    size_t length = name ? strlen(name) : 0;
    for (const char *word = figure->claims; length > 0 && *word; word += strspn(word, " ")) {
        size_t letters = strcspn(word, " ");
        if (letters == length && memcmp(word, name, length) == 0)
            return true;
        word += letters;
    }
    return false;
}

bool linpred__figure_is_of_run(const linpred__figure *figure)
{
    return *figure->claims == '\0';
}

int linpred__figure_home(const linpred__figure *figure, const linpred__claims *claims)
{
    for (int kind = 0; kind < LINPRED__CLAIM_KINDS; kind++)
        if (linpred__claims_find(claims, (linpred_claim_kind)kind) &&
            linpred__figure_may_be_of(figure, (linpred_claim_kind)kind))
            return kind;
    return -1;
}

void linpred__figures_clear(linpred__figures *figures)
{
    memset(figures, 0, sizeof *figures);
    for (size_t i = 0; i < FIGURES; i++)
        if (table[i].count)
            linpred__figure_set_count(figures, &table[i], -1);
        else
            linpred__figure_set_number(figures, &table[i], NAN);
}
