/* The canary: does on purpose what a sanitizer must catch, so that a sanitizer that is not on makes a test fail.
 *
 *   canary heap|undefined|race
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared;

static void *add(void *context)
{
    for (int i = 0; i < 100000; i++)
        shared++;
    return context;
}

/* The arguments keep the compiler from seeing through it. */
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "heap") == 0) {
        char *buffer = malloc((size_t)argc);
        if (buffer)
            ((volatile char *)buffer)[argc] = 'x';
        free(buffer);
    } else if (strcmp(what, "undefined") == 0) {
        volatile int largest = INT_MAX;
        largest = largest + argc;
    } else if (strcmp(what, "race") == 0) {
        pthread_t other;
        if (pthread_create(&other, NULL, add, NULL) != 0)
            return 2;
        add(NULL);
        pthread_join(other, NULL);
    } else {
        fprintf(stderr, "usage: canary heap|undefined|race\n");
        return 2;
    }
    printf("%s: nothing was caught (%d)\n", what, shared);
    return 0;
}
