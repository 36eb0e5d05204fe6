/* Dependencies of columns: memory for them, and their sentences. */
#include "model/dependency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/limits.h"

bool linpred__dependencies_open(linpred__dependencies *dependencies, int32_t count, int32_t width)
{
    *dependencies = (linpred__dependencies){.width = width};
    dependencies->vector = linpred__calloc((size_t)count * (size_t)width, sizeof(double));
    dependencies->exact = linpred__calloc((size_t)count, sizeof(bool));
    if (!dependencies->vector || !dependencies->exact) {
        linpred__dependencies_clear(dependencies);
        return false;
    }
    dependencies->count = count;
    return true;
}

static void clear_sentences(linpred__dependencies *dependencies)
{
    for (int32_t k = 0; dependencies->sentence && k < dependencies->count; k++)
        linpred__release(dependencies->sentence[k]);
    linpred__release(dependencies->sentence);
    dependencies->sentence = NULL;
}

void linpred__dependencies_clear(linpred__dependencies *dependencies)
{
    clear_sentences(dependencies);
    linpred__release(dependencies->vector);
    linpred__release(dependencies->exact);
    *dependencies = (linpred__dependencies){0};
}

static int32_t last_term(const double *n, int32_t terms)
{
    int32_t last = 0;
    for (int32_t j = 0; j < terms; j++)
        if (n[j] != 0.0)
            last = j;
    return last;
}

int32_t linpred__dependency_last(const linpred__recipe *recipe, const double *n)
{
    return last_term(n, recipe->terms);
}

bool linpred__dependencies_leave(const linpred__dependencies *dependencies, int32_t terms, int32_t coefficient)
{
    for (int32_t k = 0; k < dependencies->count; k++) {
        const double *n = dependencies->vector + (int64_t)k * dependencies->width;
        if (dependencies->drop ? last_term(n, terms) == coefficient : n[coefficient] != 0.0)
            return false;
    }
    return true;
}

static char *write_sentence(const linpred__recipe *recipe, const double *n, int32_t width, bool exact)
{
    int32_t last = linpred__dependency_last(recipe, n), shown = 0;
    linpred__text text = {0};
    linpred__text_format(&text, "%s %s", linpred__recipe_feature(recipe, last), exact ? "=" : "≈");
    for (int32_t j = 0; j < width; j++) {
        double part = -n[j] / n[last];
        if (j == last || n[j] == 0.0)
            continue;
        if (shown == LINPRED__TERMS_NAMED) {
            linpred__text_add(&text, " + …");
            break;
        }
        linpred__text_add(&text, shown == 0 ? (part < 0 ? " -" : " ") : part < 0 ? " - " : " + ");
        char factor[32]; /* that of a column is left out if it is 1 to the digits shown: kcal ≈ protein + fat + carb */
        snprintf(factor, sizeof factor, "%.6g", fabs(part));
        if (j == recipe->terms || strcmp(factor, "1") != 0)
            linpred__text_format(&text, "%s%s", factor, j == recipe->terms ? "" : " ");
        if (j < recipe->terms)
            linpred__text_add(&text, linpred__recipe_feature(recipe, j));
        shown++;
    }
    linpred__text_add(&text, shown > 0 ? " in every row" : " 0 in every row");
    char *sentence = text.failed ? NULL : linpred__copy_text(text.bytes, text.length);
    linpred__text_clear(&text);
    if (sentence)
        linpred__mend_utf8(sentence);
    return sentence;
}

bool linpred__dependencies_write(linpred__dependencies *dependencies, const linpred__recipe *recipe)
{
    clear_sentences(dependencies);
    if (dependencies->count == 0)
        return true;
    dependencies->sentence = linpred__calloc((size_t)dependencies->count, sizeof *dependencies->sentence);
    for (int32_t k = 0; dependencies->sentence && k < dependencies->count; k++) {
        dependencies->sentence[k] = write_sentence(recipe, dependencies->vector + (int64_t)k * dependencies->width,
                                                   dependencies->width, dependencies->exact[k]);
        if (!dependencies->sentence[k])
            return false;
    }
    return dependencies->sentence != NULL;
}
