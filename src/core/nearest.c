/* The edit distance of Damerau and Levenshtein, with neighbours swapped at most once. */
#include "core/nearest.h"

#include <ctype.h>
#include <string.h>

#include "linpred/linpred.h"

/* The number of edits from a to b: insertions, deletions, replacements and swaps of neighbours. Upper and lower case
   are the same. Words of 32 letters or more are never near. */
static size_t distance(const char *a, const char *b)
{
    enum { MAX = 32 };
    size_t n = strlen(a), m = strlen(b);
    if (n >= MAX || m >= MAX)
        return MAX;
    size_t d[MAX + 1][MAX + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

linpred__suggestion linpred__nearest_to(const char *text)
{
    size_t length = strlen(text);
    return (linpred__suggestion){.best = NULL, .edits = length < 3 ? 1 : length / 3 + 1};
}

void linpred__nearest_try(linpred__suggestion *nearest, const char *text, const char *word)
{
    size_t length = strlen(text);
    size_t edits = distance(text, word);
    if (length >= 3 && edits > 1 && strncmp(word, text, length) == 0)
        edits = 1; /* the text is the beginning of the word */
    if (edits < nearest->edits) {
        nearest->edits = edits;
        nearest->best = word;
    }
}

const char *linpred_nearest(const char *text, const char *const *words, size_t count)
{
    linpred__suggestion nearest = linpred__nearest_to(text);
    for (size_t i = 0; i < count; i++)
        linpred__nearest_try(&nearest, text, words[i]);
    return nearest.best;
}
