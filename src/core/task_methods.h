/* The methods of each task, and their traits. Everything comes from method.def. */
#ifndef LINPRED_CORE_TASK_METHODS_H
#define LINPRED_CORE_TASK_METHODS_H

#include "core/scopes.h"
#include "linpred/linpred.h"

/* Traits of a method, as bits. */
enum {
    LINPRED__DRAWS = 1,        /* it draws random numbers: --seed has a meaning */
    LINPRED__DRAWS_ORDER = 2,  /* it draws random numbers with --order random only */
    LINPRED__TRACES = 4,       /* it reports its updates: --trace has a meaning */
    LINPRED__STARTS = 8,       /* it can begin at the weights of a model: --start has a meaning */
    LINPRED__NEEDS_RANGES = 16 /* without a penalty it needs the range of each column: linpred__row_extents */
};

enum linpred__task_method_index {
#define LINPRED_TASK_METHOD(task, name, word, learner, traits, help) LINPRED__TASK_METHOD_##task##_##name,
#include "core/method.def"
    LINPRED__TASK_METHODS
};

/* One method of one task. */
typedef struct linpred__task_method {
    linpred_task task;
    linpred_method method;
    linpred__scopes scope;  /* the scope of options that are for this method of this task */
    const char *scope_word; /* the name of the scope in the public interface */
    unsigned traits;        /* LINPRED__DRAWS and so on */
    const char *help;       /* what the method does; "" if its name says so */
} linpred__task_method;

extern const linpred__task_method linpred__task_methods[LINPRED__TASK_METHODS];

/* Returns NULL if the task has no such method. */
const linpred__task_method *linpred__find_task_method(linpred_task task, linpred_method method);
/* The scope of the task itself. */
linpred__scopes linpred__task_scope(linpred_task task);
/* The scopes of the methods of the task. */
linpred__scopes linpred__methods_of(linpred_task task);
/* The scopes of all methods that have the trait. If all methods of a task have it, the scope of the task stands for
 * them.
 */
linpred__scopes linpred__methods_with(unsigned trait);
/* Writes the methods of the task as a choice, such as "auto|newton|newton-cg". */
void linpred__methods_words(linpred_task task, char *buffer, size_t bytes);

#endif
