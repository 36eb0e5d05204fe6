/* The recipe: making it, sharing it, the names of its terms, and its notes. */
#include "table/recipe/recipe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"

linpred__recipe *linpred__recipe_new(void)
{
    linpred__recipe *recipe = linpred__calloc(1, sizeof *recipe);
    if (recipe)
        recipe->references = 1;
    return recipe;
}

linpred__recipe *linpred__recipe_share(linpred__recipe *recipe)
{
    __atomic_add_fetch(&recipe->references, 1, __ATOMIC_RELAXED);
    return recipe;
}

void linpred__recipe_release(linpred__recipe *recipe)
{
    if (!recipe || __atomic_sub_fetch(&recipe->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (int32_t i = 0; recipe->source && i < recipe->sources; i++) {
        linpred__release(recipe->source[i].name);
        for (int32_t k = 0; recipe->source[i].level && k < recipe->source[i].levels; k++)
            linpred__release(recipe->source[i].level[k]);
        linpred__release(recipe->source[i].level);
    }
    for (int32_t i = 0; recipe->note && i < recipe->notes; i++)
        linpred__release(recipe->note[i]);
    linpred__release(recipe->note);
    linpred__release(recipe->about);
    linpred__release(recipe->source);
    linpred__release(recipe->names);
    linpred__release(recipe->name_at);
    linpred__release(recipe->target);
    linpred__release(recipe->label[0]);
    linpred__release(recipe->label[1]);
    linpred__release(recipe->weights);
    linpred__release(recipe->decimals);
    linpred__reading_clear(&recipe->reading);
    linpred__release(recipe);
}

/* Replaces the name x9 by x10, and so on. A LIBSVM file may have millions of features, and this is faster than
   printf. */
static void next_name(char name[LINPRED__NUMBERED_BYTES])
{
    size_t digits = strlen(name) - 1, k = digits;
    for (; k > 0 && name[k] == '9'; k--)
        name[k] = '0';
    if (k == 0)
        memcpy(name + 1, "10000000000", digits + 1);
    else
        name[k]++;
}

bool linpred__recipe_number_columns(linpred__recipe *recipe, int32_t columns)
{
    recipe->names = linpred__alloc((size_t)columns, LINPRED__NUMBERED_BYTES);
    if (!recipe->names)
        return false;
    char name[LINPRED__NUMBERED_BYTES] = "x0";
    for (int32_t j = 0; j < columns; j++) {
        next_name(name);
        memcpy(recipe->names + (size_t)j * LINPRED__NUMBERED_BYTES, name, sizeof name);
    }
    recipe->sources = recipe->features = recipe->terms = columns;
    return true;
}

bool linpred__recipe_is_numbered(const linpred__recipe *recipe)
{
    for (int32_t j = 0; recipe->source && j < recipe->sources; j++) {
        char name[LINPRED__NUMBERED_BYTES];
        const linpred__recipe_column *source = &recipe->source[j];
        linpred__numbered_name(j, name);
        if (source->type != LINPRED_COLUMN_NUMBER || !isnan(source->mean) || source->degree > 1 || source->days ||
            source->occurrence > 0 || strcmp(source->name, name) != 0)
            return false;
    }
    return recipe->sources > 0;
}

int32_t linpred__recipe_column_features(const linpred__recipe_column *source)
{
    return source->type == LINPRED_COLUMN_TEXT ? source->levels - 1 : 1;
}

int32_t linpred__recipe_column_terms(const linpred__recipe_column *source)
{
    return source->type == LINPRED_COLUMN_TEXT ? source->levels - 1 : source->degree > 1 ? source->degree : 1;
}

/* Writes the name of term k of a source, "name", "name=level" or "name^3", and returns its length. Like snprintf it
   accepts a NULL buffer. */
static int term_name(const linpred__recipe_column *source, int32_t k, char *buffer, size_t bytes)
{
    if (source->type == LINPRED_COLUMN_TEXT)
        return snprintf(buffer, bytes, "%s=%s", source->name, source->level[k + 1]);
    if (k > 0)
        return snprintf(buffer, bytes, "%s^%d", source->name, k + 1);
    size_t length = strlen(source->name); /* faster than printf, for millions of columns */
    if (buffer)
        memcpy(buffer, source->name, length + 1);
    return (int)length;
}

const char *linpred__recipe_level(const linpred__recipe *recipe, const char *column, int32_t index)
{
    for (int32_t i = 0; recipe->source && i < recipe->sources; i++)
        if (recipe->source[i].type == LINPRED_COLUMN_TEXT && strcmp(recipe->source[i].name, column) == 0)
            return index >= 0 && index < recipe->source[i].levels ? recipe->source[i].level[index] : NULL;
    return NULL;
}

const char *linpred__recipe_column_of(const linpred__recipe *recipe, int32_t term)
{
    int32_t i = 0;
    for (int32_t before = 0; i + 1 < recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        before += linpred__recipe_column_terms(&source);
        if (term < before)
            break;
    }
    return linpred__recipe_source(recipe, i).name;
}

bool linpred__recipe_name_features(linpred__recipe *recipe)
{
    size_t bytes = 0;
    if (!recipe->source)
        return true; /* linpred__recipe_number_columns has made the names */
    linpred__release(recipe->names);
    recipe->features = recipe->terms = 0;
    for (int32_t i = 0; i < recipe->sources; i++) {
        const linpred__recipe_column *source = &recipe->source[i];
        recipe->features += linpred__recipe_column_features(source);
        recipe->terms += linpred__recipe_column_terms(source);
        for (int32_t k = 0; k < linpred__recipe_column_terms(source); k++)
            bytes += (size_t)term_name(source, k, NULL, 0) + 1;
    }
    recipe->names = linpred__alloc(bytes, 1);
    recipe->name_at = linpred__alloc((size_t)recipe->terms, sizeof *recipe->name_at);
    if (!recipe->names || !recipe->name_at)
        return false;
    size_t at = 0;
    int32_t term = 0;
    for (int32_t i = 0; i < recipe->sources; i++) {
        const linpred__recipe_column *source = &recipe->source[i];
        for (int32_t k = 0; k < linpred__recipe_column_terms(source); k++) {
            recipe->name_at[term++] = at;
            at += 1 + (size_t)term_name(source, k, recipe->names + at, bytes - at);
        }
    }
    return true;
}

static bool add_note(linpred__recipe *recipe, linpred__remark about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a note, and takes its text over, also on failure. False if out of memory, which a NULL text means too. */
static bool keep_note(linpred__recipe *recipe, const linpred__remark *about, char *text)
{
    char **grown = text ? linpred__resize(recipe->note, (size_t)recipe->notes + 1, sizeof *grown) : NULL;
    recipe->note = grown ? grown : recipe->note;
    linpred__remark *more = grown ? linpred__resize(recipe->about, (size_t)recipe->notes + 1, sizeof *more) : NULL;
    if (!more) {
        linpred__release(text);
        return false;
    }
    recipe->about = more;
    recipe->about[recipe->notes] = *about;
    recipe->note[recipe->notes++] = text;
    linpred__mend_utf8(text);
    return true;
}

static bool add_note(linpred__recipe *recipe, linpred__remark about, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return keep_note(recipe, &about, linpred__copy_text(text, strlen(text)));
}

/* The note about a text column: "text column 'c': 3 levels, reference 'blue', indicators 'c=green', 'c=red'". */
static bool note_levels(linpred__recipe *recipe, const linpred__recipe_column *source)
{
    if (source->levels == 1)
        return add_note(recipe, linpred__remark_of(LINPRED__NOTE_ONE_LEVEL, source->name, 1, 0),
                        "text column '%.60s' has only one level, '%.60s', and gives no feature", source->name,
                        source->level[0]);
    linpred__text text = {0};
    linpred__text_format(&text, "text column '%.60s': %d levels, reference '%.60s', indicators", source->name,
                         source->levels, source->level[0]);
    for (int32_t k = 1; k < source->levels; k++)
        linpred__text_format(&text, "%s '%.60s=%.60s'", k > 1 ? "," : "", source->name, source->level[k]);
    char *note = text.failed ? NULL : linpred__copy_text(text.bytes, text.length);
    linpred__text_clear(&text);
    linpred__remark about = linpred__remark_of(LINPRED__NOTE_LEVELS, source->name, source->levels, 0);
    return keep_note(recipe, &about, note);
}

static bool note_days(linpred__recipe *recipe, const char *column)
{
    return add_note(recipe, linpred__remark_of(LINPRED__NOTE_DAYS, column, -1, 0),
                    "date column '%.60s': days since 1970-01-01 as a number", column);
}

bool linpred__recipe_write_notes(linpred__recipe *recipe)
{
    bool complete = true;
    if (recipe->target && recipe->real_target)
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_TARGET, recipe->target, -1, 0),
                            "the score is %.60s itself", recipe->target);
    else if (recipe->target &&
             recipe->label[0][0] == '\0') /* an empty cell is a missing value, so "" means that there is one label */
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_ONE_LABEL, recipe->target, 1, 0),
                            "score > 0 means %.60s = %.60s, the only label", recipe->target, recipe->label[1]);
    else if (recipe->target && recipe->rest)
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_LABELS, recipe->target, 2, 0),
                            "score > 0 means %.60s = %.60s; score < 0 means any other label", recipe->target,
                            recipe->label[1]);
    else if (recipe->target)
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_LABELS, recipe->target, 2, 0),
                            "score > 0 means %.60s = %.60s; score < 0 means %.60s", recipe->target, recipe->label[1],
                            recipe->label[0]);
    for (int32_t i = 0; complete && recipe->source && i < recipe->sources; i++) {
        const linpred__recipe_column *source = &recipe->source[i];
        if (source->type == LINPRED_COLUMN_TEXT)
            complete = note_levels(recipe, source);
        else if (source->days)
            complete = note_days(recipe, source->name);
    }
    if (complete && recipe->target && recipe->target_days)
        complete = note_days(recipe, recipe->target);
    if (complete && recipe->missing == LINPRED_MISSING_DROP)
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_MISSING_DROP, NULL, -1, 0),
                            "rows with missing values are left out");
    if (complete && recipe->missing == LINPRED_MISSING_MEAN)
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_MISSING_MEAN, NULL, -1, 0),
                            "a missing number is replaced by the mean of its column in training");
    if (complete && recipe->index_base >= 0)
        complete = add_note(recipe, linpred__remark_of(LINPRED__NOTE_INDEX_BASE, NULL, recipe->index_base, 0),
                            "indices are %d-based: feature x1 is index %d of the file", recipe->index_base,
                            recipe->index_base);
    return complete;
}
