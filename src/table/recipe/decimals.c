/* What the numbers of a table mean (data/decimals.h). A model says it: where the numbers fit the decimals that it
 * knows, they mean them, in every format; else they mean their doubles. Without a model a text file says it itself: a
 * column means its decimals, unless some number of it has more than 15 digits. A file of doubles means doubles.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "table/recipe/encode_rows.h"

/* The most decimals that a column of the table may have; -1: it means its doubles. `known` is what the recipe says. */
static signed char limit_of(const linpred__meaning *meaning, int32_t column, int known)
{
    bool doubles = meaning->decimal && meaning->column && column >= 0 && meaning->column[column].long_numbers;
    if (doubles || (meaning->by_model && known <= 0))
        return -1;
    if (meaning->by_model)
        return (signed char)known;
    return meaning->decimal ? LINPRED__MAX_DECIMALS : -1;
}

static void set_limits(const linpred__meaning *meaning, signed char *limit)
{
    const linpred__recipe *recipe = meaning->recipe;
    const linpred__roles *roles = meaning->roles;
    for (int32_t k = 0; k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        int32_t features = linpred__recipe_column_features(&source);
        bool number = source.type == LINPRED_COLUMN_NUMBER; /* indicators are whole numbers */
        signed char most = number ? limit_of(meaning, roles->source[k], linpred__recipe_decimals(recipe, k)) : 0;
        memset(limit, most, (size_t)features);
        limit += features;
    }
    limit[0] = recipe->real_target ? limit_of(meaning, roles->target, recipe->target_decimals) : -1;
}

linpred_status linpred__find_meaning(const linpred__meaning *meaning, const linpred_data *data, linpred__pool *pool,
                                     linpred__decimals **decimals, linpred_error *error)
{
    const linpred__recipe *recipe = meaning->recipe;
    if (!meaning->decimal && !recipe->decimals && recipe->target_decimals == 0)
        return LINPRED_OK;
    signed char *limit = linpred__alloc((size_t)data->columns + 1, sizeof *limit);
    if (!limit)
        return linpred__no_memory(error);
    set_limits(meaning, limit);
    linpred_status status = linpred__find_decimals(data, limit, meaning->stated, pool, decimals, error);
    linpred__release(limit);
    return status;
}

int linpred__source_decimals(const linpred__decimals *decimals, const linpred__recipe_column *source, int32_t feature)
{
    bool has = decimals && source->type == LINPRED_COLUMN_NUMBER && decimals->column[feature] > 0;
    return has ? decimals->column[feature] : 0;
}

bool linpred__recipe_keep_decimals(linpred__recipe *recipe, const linpred__decimals *decimals)
{
    if (!decimals)
        return true;
    recipe->target_decimals = decimals->target > 0 ? decimals->target : 0;
    if (decimals->most == 0)
        return true;
    recipe->decimals = linpred__calloc((size_t)recipe->sources, sizeof *recipe->decimals);
    for (int32_t k = 0, feature = 0; recipe->decimals && k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        recipe->decimals[k] = (signed char)linpred__source_decimals(decimals, &source, feature);
        feature += linpred__recipe_column_features(&source);
    }
    return recipe->decimals != NULL;
}
