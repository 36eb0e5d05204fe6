/* The recipe of arrays: number columns with the names that the caller gives, or x1, x2, … */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "table/recipe/recipe.h"

/* Turns numbered columns into sources with their names, NULL for x1, x2, …, and powers up to `degree`; false if out of
   memory. */
static bool name_sources(linpred__recipe *recipe, const char *const *names, int32_t degree)
{
    linpred__recipe_column *source = linpred__calloc((size_t)recipe->sources, sizeof *source);
    bool complete = source != NULL;
    for (int32_t j = 0; complete && j < recipe->sources; j++) {
        source[j] = linpred__recipe_source(recipe, j);
        const char *name = names ? names[j] : source[j].name;
        source[j].degree = degree;
        source[j].name = linpred__copy_text(name, strlen(name));
        complete = source[j].name != NULL;
    }
    recipe->source = source;
    return complete && linpred__recipe_name_features(recipe);
}

/* Two labels that are both written as numbers are numbers. */
static bool name_labels(linpred__recipe *recipe, const char *const label[2])
{
    recipe->target_type = LINPRED_COLUMN_NUMBER;
    for (int sign = 0; sign < 2; sign++) {
        const char *text = label[sign] ? label[sign] : sign ? "1" : "-1";
        recipe->label[sign] = linpred__copy_text(text, strlen(text));
        if (!recipe->label[sign])
            return false;
        if (linpred__number_read(text, strlen(text), &recipe->label_value[sign]) != LINPRED__NUMBER)
            recipe->target_type = LINPRED_COLUMN_TEXT;
    }
    if (recipe->target_type == LINPRED_COLUMN_TEXT)
        recipe->label_value[0] = recipe->label_value[1] = NAN;
    return true;
}

linpred__recipe *linpred__recipe_of_arrays(int32_t columns, const linpred__array_names *names, bool real,
                                           int32_t degree)
{
    linpred__recipe *recipe = linpred__recipe_new();
    if (!recipe)
        return NULL;
    const char *target = names->target ? names->target : "label";
    recipe->index_base = -1;
    recipe->real_target = real;
    recipe->target = linpred__copy_text(target, strlen(target));
    recipe->target_type = LINPRED_COLUMN_NUMBER;
    recipe->label_value[0] = -1.0;
    recipe->label_value[1] = 1.0;
    bool complete = recipe->target && linpred__recipe_number_columns(recipe, columns);
    complete = complete && (real || name_labels(recipe, names->label));
    if (degree > 1 || names->columns)
        complete = complete && name_sources(recipe, names->columns, degree);
    if (!complete || !linpred__recipe_write_notes(recipe)) {
        linpred__recipe_release(recipe);
        return NULL;
    }
    return recipe;
}

linpred__recipe *linpred__recipe_for_arrays(const linpred__recipe *data, bool real, int32_t degree)
{
    const char **name = data->source ? linpred__alloc((size_t)data->sources, sizeof *name) : NULL;
    if (data->source && !name)
        return NULL;
    for (int32_t j = 0; name && j < data->sources; j++)
        name[j] = data->source[j].name;
    linpred__array_names names = {name, data->target, {data->label[0], data->label[1]}};
    linpred__recipe *recipe = linpred__recipe_of_arrays(data->sources, &names, real, degree);
    linpred__release(name);
    return recipe;
}
