/* The table of methods, made from method.def. */
#include "core/task_methods.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"

const linpred__task_method linpred__task_methods[LINPRED__TASK_METHODS] = {
#define LINPRED_TASK_METHOD(task, name, word, learner, traits, help)                                                   \
    {LINPRED_TASK_##task,                                                                                              \
     LINPRED_METHOD_##name,                                                                                            \
     LINPRED__FOR(task##_##name),                                                                                      \
     LINPRED__SCOPE_WORD_##task word,                                                                                  \
     traits,                                                                                                           \
     help},
#include "core/method.def"
};

const linpred__task_method *linpred__find_task_method(linpred_task task, linpred_method method)
{
    for (size_t i = 0; i < LINPRED__TASK_METHODS; i++)
        if (linpred__task_methods[i].task == task && linpred__task_methods[i].method == method)
            return &linpred__task_methods[i];
    return NULL;
}

linpred__scopes linpred__task_scope(linpred_task task)
{
    switch (task) {
    case LINPRED_TASK_HALFSPACE:
        return LINPRED__FOR(HALFSPACE);
    case LINPRED_TASK_LOGISTIC:
        return LINPRED__FOR(LOGISTIC);
    case LINPRED_TASK_REGRESSION:
        return LINPRED__FOR(REGRESSION);
    case LINPRED_TASK_BALL:
        return LINPRED__FOR(BALL);
    }
    return 0;
}

/* The scopes of the methods of the task that have one of the traits. */
static linpred__scopes methods(linpred_task task, unsigned traits)
{
    linpred__scopes scopes = 0;
    for (size_t i = 0; i < LINPRED__TASK_METHODS; i++)
        if (linpred__task_methods[i].task == task && (linpred__task_methods[i].traits & traits) != 0)
            scopes |= linpred__task_methods[i].scope;
    return scopes;
}

linpred__scopes linpred__methods_of(linpred_task task)
{
    linpred__scopes scopes = 0;
    for (size_t i = 0; i < LINPRED__TASK_METHODS; i++)
        if (linpred__task_methods[i].task == task)
            scopes |= linpred__task_methods[i].scope;
    return scopes;
}

linpred__scopes linpred__methods_with(unsigned trait)
{
    linpred__scopes scopes = 0;
    for (int task = LINPRED_TASK_HALFSPACE; task <= LINPRED_TASK_BALL; task++) {
        linpred__scopes some = methods((linpred_task)task, trait);
        bool all = some != 0 && some == linpred__methods_of((linpred_task)task);
        scopes |= all ? linpred__task_scope((linpred_task)task) : some;
    }
    return scopes;
}

void linpred__methods_words(linpred_task task, char *buffer, size_t bytes)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < LINPRED__TASK_METHODS; i++)
        if (linpred__task_methods[i].task == task && used < bytes)
            used += (size_t)snprintf(buffer + used, bytes - used, "%s%s", used ? "|" : "",
                                     linpred_method_name(linpred__task_methods[i].method));
}

bool linpred_methods_describe(linpred_task task, size_t index, linpred_method_text *text)
{
    if (!text)
        return false;
    for (size_t i = 0; i < LINPRED__TASK_METHODS; i++) {
        const linpred__task_method *found = &linpred__task_methods[i];
        if (found->task != task || index-- > 0)
            continue;
        linpred_method_text made = {0, found->method, linpred_method_name(found->method), found->help,
                                    found->scope_word};
        return linpred__struct_fill(text, &made, sizeof made);
    }
    return false;
}

const char *linpred_method_name(linpred_method method)
{
    switch (method) {
#define LINPRED_METHOD(name, word)                                                                                     \
    case LINPRED_METHOD_##name:                                                                                        \
        return word;
#define LINPRED_SOLVER(name, word) LINPRED_METHOD(name, word)
#include "core/method.def"
    }
    return "unknown";
}
