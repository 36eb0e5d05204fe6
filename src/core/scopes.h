/* Scopes: what an option can be for. They come from scopes.def; a set of scopes is a set of bits. */
#ifndef LINPRED_CORE_SCOPES_H
#define LINPRED_CORE_SCOPES_H

#include <stddef.h>
#include <stdint.h>

/* How the scope of a task's method begins in the public interface, and how messages introduce the method. */
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

typedef uint64_t linpred__scopes; /* a set of them: bit s is scope s */
_Static_assert(LINPRED__SCOPES <= 64, "linpred__scopes has a bit for every scope");

#define LINPRED__FOR(bit) (UINT64_C(1) << LINPRED__SCOPE_##bit)

/* The scopes as words for people, "--method perceptron or pocket". Returns the length; 0 if none has words. */
size_t linpred__scopes_phrase(linpred__scopes scopes, char *buffer, size_t bytes);
/* The scopes as the public interface names them, "perceptron pocket". */
void linpred__scopes_words(linpred__scopes scopes, char *buffer, size_t bytes);

#endif
