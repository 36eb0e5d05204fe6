/* Scopes as words, for the public interface and for messages. A scope says what an option is for. */
#include <stdio.h>
#include <string.h>

#include "core/options.h"
#include "core/task_methods.h"

static const struct {
    const char *word;
    const char *before;
    const char *after;
} scope[LINPRED__SCOPES] = {
#define LINPRED_SCOPE(bit, word, before, after) {word, before, after},
#include "core/scopes.def"
#undef LINPRED_SCOPE
};

size_t linpred__scopes_phrase(linpred__scopes scopes, char *buffer, size_t bytes)
{
    const char *last = "";
    size_t used = 0;
    if (bytes > 0)
        buffer[0] = '\0';
    for (int s = 0; s < LINPRED__SCOPES; s++)
        if ((scopes >> s & 1) && *scope[s].after && used < bytes) {
            bool repeats = strcmp(last, scope[s].before) == 0;
            used += (size_t)snprintf(buffer + used, bytes - used, "%s%s%s", used ? " or " : "",
                                     repeats ? "" : scope[s].before, scope[s].after);
            last = scope[s].before;
        }
    return used;
}

void linpred__scopes_words(linpred__scopes scopes, char *buffer, size_t bytes)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int s = 0; s < LINPRED__SCOPES; s++)
        if ((scopes >> s & 1) && used < bytes)
            used += (size_t)snprintf(buffer + used, bytes - used, "%s%s", used ? " " : "", scope[s].word);
}

static linpred__scopes find_word(const char *word, size_t length)
{
    for (int s = 0; s < LINPRED__SCOPES; s++)
        if (strlen(scope[s].word) == length && memcmp(scope[s].word, word, length) == 0)
            return UINT64_C(1) << s;
    if (length == strlen("trace") && memcmp(word, "trace", length) == 0)
        return linpred__methods_with(LINPRED__TRACES);
    if (length == strlen("start") && memcmp(word, "start", length) == 0)
        return linpred__methods_with(LINPRED__STARTS);
    return 0; /* a later version may have more words; no option of this version has them */
}

static linpred__scopes read_words(const char *words)
{
    linpred__scopes scopes = 0;
    while (*words) {
        size_t length = strcspn(words, " ");
        scopes |= find_word(words, length);
        words += length;
        words += strspn(words, " ");
    }
    return scopes;
}

size_t linpred_scopes_text(const char *scopes, char *buffer, size_t bytes)
{
    if (!buffer)
        return 0;
    return linpred__scopes_phrase(scopes ? read_words(scopes) : 0, buffer, bytes);
}

bool linpred_options_listens(const linpred_options *options, const char *scopes)
{
    if (!options || !scopes)
        return false;
    return (linpred__options_scopes(options) & read_words(scopes)) != 0;
}
