/* The public calls that make data, and those that read its names and notes.
 *
 * From a file, or a frame in memory: read the table, then make a recipe from it (a fit) or match the recipe of a model
 * (predict, evaluate, verify), then encode. from_memory.c makes data of arrays.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/npz/beyond.h"
#include "table/recipe/encode.h"
#include "table/recipe/keep.h"

/* Makes a recipe from the table and encodes the table by it. Takes the table over, also on failure. */
static linpred_status encode_new(linpred__table *table, const linpred_options *options, bool labels,
                                 linpred__pool *pool, linpred_data **data, linpred_error *error)
{
    linpred__recipe *recipe;
    linpred__roles roles;
    linpred_status status = linpred__recipe_make(table, options, labels, &recipe, &roles, error);
    if (status != LINPRED_OK) {
        linpred__table_free(table);
        return status;
    }
    linpred__policy policy = {recipe->missing, LINPRED_UNKNOWN_FAIL, false};
    linpred_data *made;
    status = linpred__encode(table, recipe, &roles, policy, pool, &made, error);
    linpred__roles_clear(&roles);
    bool kept = status == LINPRED_OK && linpred__recipe_keep_decimals(recipe, made->decimals);
    linpred__recipe_release(recipe);
    if (status == LINPRED_OK && !kept) {
        linpred_data_free(made);
        return linpred__no_memory(error);
    }
    if (status == LINPRED_OK)
        *data = made;
    return status;
}

static const char fewer[] = "leave columns out with --features or --drop, or read fewer rows";

/* Where a table comes from: a file, or the caller's memory. One of the two is NULL. */
typedef struct origin {
    const char *path;
    const linpred_frame *memory;
} origin;

static linpred_status read_table(origin from, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table **table, linpred_error *error)
{
    return from.memory ? linpred__table_of_frame(from.memory, request, table, error)
                       : linpred__table_read(from.path, request, pool, table, error);
}

/* After reading and encoding: the data owns the spill that its rows lie in, which may be NULL. */
static linpred_status keep_spill(linpred_status status, linpred__spill *spill, linpred_data **data,
                                 linpred_error *error)
{
    if (!spill)
        return status;
    status =
        status == LINPRED_OK ? linpred__own_spill(data, spill, error) : linpred__spill_failure(spill, status, error);
    if (status != LINPRED_OK)
        linpred__spill_close(spill);
    return status;
}

static linpred_status load(origin from, const linpred_options *options, bool labels, linpred_data **data,
                           linpred_error *error)
{
    linpred__pool *pool;
    linpred__table *table;
    linpred__fit_columns wanted = {options, labels};
    linpred__read_request request = {.options = options, .choose = linpred__choose_uses, .context = &wanted};
    linpred_status status = linpred__pool_open((int)options->threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred__policy policy = {options->missing, LINPRED_UNKNOWN_FAIL, false};
    linpred__beyond_request beyond = {&request, NULL, policy, labels, false, pool};
    linpred_data *made = NULL;
    if (from.path)
        status = linpred__npz_beyond(from.path, &beyond, &made, &request.spill, error);
    if (status == LINPRED_OK && !made) {
        status = read_table(from, &request, pool, &table, error);
        if (status == LINPRED_OK)
            status = encode_new(table, options, labels, pool, &made, error);
    }
    status = keep_spill(status, request.spill, &made, error);
    if (status == LINPRED_OK)
        *data = made;
    linpred__pool_close(pool);
    return linpred__no_memory_when(status, "reading ", from.memory ? "a frame" : from.path, fewer, error);
}

linpred_status linpred_data_load(const char *path, const linpred_options *options, linpred_data **data,
                                 linpred_error *error)
{
    LINPRED__NEEDS(path, options, data);
    return load((origin){.path = path}, options, true, data, error);
}

linpred_status linpred_data_from_frame(const linpred_frame *table, const linpred_options *options, linpred_data **data,
                                       linpred_error *error)
{
    LINPRED__NEEDS(table, options, data);
    return load((origin){.memory = table}, options, true, data, error);
}

linpred_status linpred_points_load(const char *path, const linpred_options *options, linpred_data **data,
                                   linpred_error *error)
{
    LINPRED__NEEDS(path, options, data);
    return load((origin){.path = path}, options, false, data, error);
}

/* What is done about missing values and unknown levels: what the options say, else what the fit did. */
static linpred_status choose_policy(const linpred__recipe *recipe, const linpred_options *options,
                                    linpred__policy *policy, linpred_error *error)
{
    bool given = linpred__option_is_set(options, LINPRED__OPTION_missing);
    *policy = (linpred__policy){given ? options->missing : recipe->missing, options->unknown_level, true};
    if (policy->missing == LINPRED_MISSING_MEAN && recipe->missing != LINPRED_MISSING_MEAN)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the model holds no means, because it was not fitted with --missing mean; choose "
                             "--missing drop");
    return LINPRED_OK;
}

/* Encodes a table by the recipe of a model. Takes the table over, also on failure. */
static linpred_status encode_by(linpred__recipe *recipe, linpred__table *table, bool labels,
                                const linpred_options *options, linpred__pool *pool, linpred_data **data,
                                linpred_error *error)
{
    linpred__roles roles = {0}, kept = {0};
    linpred__policy policy;
    linpred_status status = choose_policy(recipe, options, &policy, error);
    if (status == LINPRED_OK && options->keep)
        status = linpred__kept_find(recipe, table, options->keep, &kept, error);
    if (status == LINPRED_OK)
        status = linpred__recipe_match(recipe, table, labels, policy.missing, options->index_base == LINPRED_INDEX_AUTO,
                                       &roles, error);
    if (status == LINPRED_OK && policy.missing == LINPRED_MISSING_DROP)
        linpred__recipe_take_markers(recipe, &roles, table);
    roles.kept = kept.kept;
    roles.kept_columns = kept.kept_columns;
    if (status == LINPRED_OK)
        status = linpred__encode(table, recipe, &roles, policy, pool, data, error);
    else
        linpred__table_free(table);
    linpred__roles_clear(&roles);
    return status;
}

/* What the cells mean belongs to the model: --text, --date and --na cannot say otherwise. How a file is laid out may
   differ from file to file, so --separator, --decimal, --header, --skip and --comment can. */
static linpred_status check_contradictions(const linpred__recipe *recipe, const char *path,
                                           const linpred_options *options, linpred_error *error)
{
    const char *kept = recipe->reading.na;
    if (options->na && (!kept || strcmp(options->na, kept) != 0) && recipe->reading.known)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --na contradicts the model, which was fitted %s%s; leave it out, or fit again", path,
                             kept ? "with --na " : "with the usual markers of missing values", kept ? kept : "");
    return LINPRED_OK;
}

static linpred_status load_by(origin from, linpred__recipe *recipe, bool labels, const linpred_options *options,
                              linpred_data **data, linpred_error *error)
{
    linpred__pool *pool;
    linpred__table *table;
    linpred_options reading = *options;
    char *as_text = NULL;
    linpred__needed_columns wanted = {recipe, labels};
    linpred__read_request request = {
        .options = &reading, .choose = linpred__recipe_uses, .context = &wanted, .like = &recipe->reading};
    linpred_status status = linpred__pool_open((int)options->threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    if (options->keep)
        status = linpred__kept_as_text(recipe, options->keep, &as_text, error);
    reading.keep = as_text;
    reading.may_be_empty = !labels;
    linpred__beyond_request beyond = {&request, recipe, {0}, labels, options->keep != NULL, pool};
    linpred_data *made = NULL;
    if (status == LINPRED_OK)
        status = choose_policy(recipe, options, &beyond.policy, error);
    if (status == LINPRED_OK && from.path)
        status = linpred__npz_beyond(from.path, &beyond, &made, &request.spill, error);
    if (status == LINPRED_OK && !made) {
        status = read_table(from, &request, pool, &table, error);
        if (status == LINPRED_OK)
            status = encode_by(recipe, table, labels, options, pool, &made, error);
    }
    status = keep_spill(status, request.spill, &made, error);
    if (status == LINPRED_OK)
        *data = made;
    linpred__release(as_text);
    linpred__pool_close(pool);
    return linpred__no_memory_when(status, "reading ", from.memory ? "a frame" : from.path,
                                   labels ? "free some, or use a machine with more" : "predict the file in parts",
                                   error);
}

linpred_status linpred__data_load_by(linpred__recipe *recipe, const char *path, bool labels,
                                     const linpred_options *options, linpred_data **data, linpred_error *error)
{
    linpred_status status = check_contradictions(recipe, path, options, error);
    return status == LINPRED_OK ? load_by((origin){.path = path}, recipe, labels, options, data, error) : status;
}

linpred_status linpred__data_frame_by(linpred__recipe *recipe, const linpred_frame *table, bool labels,
                                      const linpred_options *options, linpred_data **data, linpred_error *error)
{
    if (options->keep)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "a frame has no columns to keep: the caller has them");
    return load_by((origin){.memory = table}, recipe, labels, options, data, error);
}

const char *linpred_data_feature(const linpred_data *data, int32_t column)
{
    if (!data)
        return NULL;
    const linpred__recipe *recipe = data->recipe;
    if (column < 0 || column >= data->columns)
        return NULL;
    /* The terms of a column with powers are x, x^2, …, so earlier columns shift the term by their powers. */
    int32_t term = column;
    for (int32_t i = 0, feature = 0; recipe->terms > recipe->features && i < recipe->sources && feature <= column;
         i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        feature += linpred__recipe_column_features(&source);
        if (feature <= column)
            term += linpred__recipe_column_terms(&source) - linpred__recipe_column_features(&source);
    }
    return linpred__recipe_feature(recipe, term);
}

const char *linpred_data_label(const linpred_data *data, int sign)
{
    if (!data)
        return NULL;
    return data->recipe->label[sign > 0];
}

const char *linpred_data_level(const linpred_data *data, const char *column, int32_t index)
{
    if (!data || !column)
        return NULL;
    return linpred__recipe_level(data->recipe, column, index);
}

const char *linpred_data_target(const linpred_data *data)
{
    if (!data)
        return NULL;
    return data->recipe->target;
}

bool linpred_data_warning(const linpred_data *data, size_t index, linpred_note *warning)
{
    if (!data || !warning)
        return false;
    return index < (size_t)data->warnings &&
           linpred__remark_fill(&data->warning[index].about, data->warning[index].sentence, warning);
}

bool linpred_data_note(const linpred_data *data, size_t index, linpred_note *note)
{
    if (!data || !note)
        return false;
    const linpred__recipe *recipe = data->recipe;
    return index < (size_t)recipe->notes && linpred__remark_fill(&recipe->about[index], recipe->note[index], note);
}
