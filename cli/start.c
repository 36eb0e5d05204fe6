/* The program linpred: one process. mpi/start.c is the same for several. */
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"

/* Ends the program without running the libraries' exit handlers: everything is written by now, and OpenBLAS would wait
   for its threads, which try to get memory for ever if there is little of it. Sanitizers report in exit handlers, so
   with them the program ends in the usual way. */
static _Noreturn void leave(int code)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    _exit(code);
#endif
    exit(code);
}

int main(int argc, char **argv)
{
    leave(cli_main(argc, argv));
}
