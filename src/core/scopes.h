/* Scopes: what an option can be for. They come from scopes.def; a set of scopes is a set of bits. */
#ifndef LINPRED_CORE_SCOPES_H
#define LINPRED_CORE_SCOPES_H

#include <stddef.h>
#include <stdint.h>

/* For each task: how the scopes of its methods begin in the public interface (WORD), and the words before the method in
   messages (FLAG). */
#define LINPRED__SCOPE_WORD_HALFSPACE ""
#define LINPRED__SCOPE_FLAG_HALFSPACE "--method "
#define LINPRED__SCOPE_WORD_LOGISTIC "logistic-"
#define LINPRED__SCOPE_FLAG_LOGISTIC "fit logistic --method "
#define LINPRED__SCOPE_WORD_BALL "ball-"
#define LINPRED__SCOPE_FLAG_BALL "fit ball --method "

enum linpred__scope {
#define LINPRED_SCOPE(bit, word, before, after) LINPRED__SCOPE_##bit,
#include "core/scopes.def"
#undef LINPRED_SCOPE
    LINPRED__SCOPES
};

typedef uint64_t linpred__scopes; /* a set of scopes: bit s is set if scope s is in it */
_Static_assert(LINPRED__SCOPES <= 64, "linpred__scopes has a bit for every scope");

#define LINPRED__FOR(bit) (UINT64_C(1) << LINPRED__SCOPE_##bit)

/* Writes the scopes as the public interface names them, such as "perceptron pocket". */
void linpred__scopes_words(linpred__scopes scopes, char *buffer, size_t bytes);

#endif
