/* From a file to data: read, make or match the recipe, encode. */
#include "core/error.h"
#include "core/memory.h"
#include "table/encode.h"

static linpred_status encode_new(linpred__table *table, const linpred_options *options, bool labels,
                                 linpred__pool *pool, linpred_data **data, linpred_error *error)
{
    linpred__recipe *recipe;
    linpred__parts parts;
    linpred_status status = linpred__recipe_make(table, options, labels, &recipe, &parts, error);
    if (status != LINPRED_OK) {
        linpred__table_free(table);
        return status;
    }
    status = linpred__encode(table, recipe, &parts, LINPRED_UNKNOWN_FAIL, pool, data, error);
    linpred__parts_clear(&parts);
    linpred__recipe_release(recipe);
    return status;
}

static linpred_status load(const char *path, const linpred_options *options, bool labels, linpred_data **data,
                           linpred_error *error)
{
    linpred__pool *pool;
    linpred__table *table;
    linpred_status status = linpred__pool_open((int)options->threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__table_read(path, options, pool, &table, error);
    if (status == LINPRED_OK)
        status = encode_new(table, options, labels, pool, data, error);
    linpred__pool_close(pool);
    return status;
}

linpred_status linpred_data_load(const char *path, const linpred_options *options, linpred_data **data,
                                 linpred_error *error)
{
    return load(path, options, true, data, error);
}

linpred_status linpred_points_load(const char *path, const linpred_options *options, linpred_data **data,
                                   linpred_error *error)
{
    return load(path, options, false, data, error);
}

linpred_status linpred__data_load_by(linpred__recipe *recipe, const char *path, bool labels,
                                     const linpred_options *options, linpred_data **data, linpred_error *error)
{
    linpred__pool *pool;
    linpred__table *table;
    linpred__parts parts;
    linpred_status status = linpred__pool_open((int)options->threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__table_read(path, options, pool, &table, error);
    if (status == LINPRED_OK) {
        status = linpred__recipe_match(recipe, table, labels, options->index_base == LINPRED_INDEX_AUTO, &parts, error);
        if (status != LINPRED_OK) {
            linpred__table_free(table);
        } else {
            status = linpred__encode(table, recipe, &parts, options->unknown_level, pool, data, error);
            linpred__parts_clear(&parts);
        }
    }
    linpred__pool_close(pool);
    return status;
}

const char *linpred_data_feature(const linpred_data *data, int32_t column)
{
    const linpred__recipe *recipe = data->recipe;
    if (!recipe || column < 0 || column >= data->columns)
        return NULL;
    int32_t term = column; /* powers stand behind their column's own term */
    for (int32_t i = 0, feature = 0; i < recipe->sources && feature <= column; i++) {
        feature += linpred__source_features(&recipe->source[i]);
        if (feature <= column)
            term += linpred__source_terms(&recipe->source[i]) - linpred__source_features(&recipe->source[i]);
    }
    return linpred__recipe_feature(recipe, term);
}

const char *linpred_data_label(const linpred_data *data, int sign)
{
    return data->recipe ? data->recipe->label[sign > 0] : sign > 0 ? "1" : "-1";
}

const char *linpred_data_target(const linpred_data *data)
{
    return data->recipe ? data->recipe->target : "label";
}

const char *linpred_data_note(const linpred_data *data, size_t index)
{
    return data->recipe && index < (size_t)data->recipe->notes ? data->recipe->note[index] : NULL;
}
