/* linpred-mpi: the program linpred, run by several processes of MPI (docs/scale.md). This file is all that knows MPI.
 *
 * Every process runs the whole program. The first one speaks: what the others print is kept back, and shown only if
 * they end otherwise than the first. Messages go from one process to another, in an order that does not depend on their
 * timing; MPI never adds anything up, since its order of additions is open.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "core/comm.h"
#include "data/checkpoint.h"
#include "flags.h"
#include "watch.h"

enum {
    LARGEST = 1 << 30,       /* bytes of a message: MPI counts in int */
    PATIENCE_SECONDS = 5,    /* how long a process that failed waits for the others to fail too */
    NAP_NANOSECONDS = 200000 /* between two looks whether the others have ended */
};

static linpred__comm comm;
static FILE *kept;     /* what a process other than the first has said; NULL in the first */
static FILE *terminal; /* where it would have said it */
static struct {
    uint64_t messages;
    uint64_t bytes;
} sent;

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static int next_bytes(size_t left)
{
    return left < LARGEST ? (int)left : LARGEST;
}

static void send_bytes(int to, const void *bytes, size_t count)
{
    const char *from = bytes;
    sent.messages++;
    sent.bytes += count;
    for (int n; count > 0; from += n, count -= (size_t)n)
        MPI_Send(from, n = next_bytes(count), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive_bytes(int from, void *bytes, size_t count)
{
    char *to = bytes;
    for (int n; count > 0; to += n, count -= (size_t)n)
        MPI_Recv(to, n = next_bytes(count), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange_bytes(int other, const void *send, size_t send_count, void *receive, size_t receive_count)
{
    const char *from = send;
    char *to = receive;
    sent.messages += send_count > 0;
    sent.bytes += send_count;
    while (send_count > 0 || receive_count > 0) {
        int out = next_bytes(send_count), in = next_bytes(receive_count);
        MPI_Sendrecv(from, out, MPI_BYTE, out > 0 ? other : MPI_PROC_NULL, 0, to, in, MPI_BYTE,
                     in > 0 ? other : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        from += out;
        send_count -= (size_t)out;
        to += in;
        receive_count -= (size_t)in;
    }
}

static void broadcast_bytes(int from, void *bytes, size_t count)
{
    char *at = bytes;
    if (from == comm.process) {
        sent.messages++;
        sent.bytes += count;
    }
    for (int n; count > 0; at += n, count -= (size_t)n)
        MPI_Bcast(at, n = next_bytes(count), MPI_BYTE, from, MPI_COMM_WORLD);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* Who speaks: "process 2 of 4 (on node7): ". */
static void name_process(FILE *to)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    fprintf(to, "linpred-mpi: process %d of %d (on %.*s): ", comm.process, comm.processes, length, host);
}

/* Shows what a process other than the first has said. */
static void show_kept(void)
{
    char line[4096];
    fflush(stderr);
    if (!kept || !terminal)
        return;
    rewind(kept);
    while (fgets(line, sizeof line, kept)) {
        name_process(terminal);
        fputs(line, terminal);
    }
    fflush(terminal);
}

/* This process cannot go on, so none can. */
static void give_up(const linpred_error *error)
{
    bool fault = error->status == LINPRED_ERROR_MEMORY || error->status == LINPRED_ERROR_INTERNAL ||
                 linpred__checkpoint_is_unwritten();
    FILE *to = terminal ? terminal : stderr;
    name_process(to);
    fprintf(to, "%s\n", error->message);
    fflush(to);
    MPI_Abort(MPI_COMM_WORLD, fault ? EXIT_FAULT : EXIT_INPUT);
}

/* The first process says why all end, where mpirun does not. */
static void say_that_one_died(void)
{
    if (comm.process == 0)
        fputs("linpred-mpi: another process of this run has died, so all end\n", stderr);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits until all processes have ended, and lists their exit codes. A process that failed does not wait long: the
   others may wait for a message of its own. */
static void gather_codes(int code, int *codes)
{
    MPI_Request request;
    int done = 0;
    double began = seconds_now();
    MPI_Iallgather(&code, 1, MPI_INT, codes, 1, MPI_INT, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        if (code >= EXIT_INPUT && seconds_now() - began > PATIENCE_SECONDS) {
            show_kept();
            MPI_Abort(MPI_COMM_WORLD, code);
        }
        nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* returns at once: the request is done */
}

/* The exit code of all is the highest. The first process that has it speaks, if the first of all has another. */
static int end_together(int code)
{
    int *codes = calloc((size_t)comm.processes, sizeof *codes), speaker = 0;
    if (!codes) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAULT);
        return EXIT_FAULT;
    }
    gather_codes(code, codes);
    for (int i = 1; i < comm.processes; i++)
        speaker = codes[i] > codes[speaker] ? i : speaker;
    code = codes[speaker];
    if (speaker == comm.process && speaker > 0)
        show_kept();
    free(codes);
    return code;
}

/* With LINPRED_MPI_TRAFFIC in the environment: what each process has sent, for `./run bench mpi`. */
static void tell_traffic(void)
{
    if (!getenv("LINPRED_MPI_TRAFFIC"))
        return;
    FILE *to = terminal ? terminal : stderr;
    name_process(to);
    fprintf(to, "sent %llu messages, %llu bytes\n", (unsigned long long)sent.messages, (unsigned long long)sent.bytes);
    fflush(to);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

/* The first process speaks for all. */
static void keep_silent(void)
{
    int own = dup(STDERR_FILENO);
    kept = tmpfile();
    terminal = own >= 0 ? fdopen(own, "w") : NULL;
    if (!kept || !terminal || dup2(fileno(kept), STDERR_FILENO) < 0 || !freopen("/dev/null", "w", stdout))
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAULT);
}

/* Only the first process has the standard input. */
static bool reads_input(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-") == 0) {
            fputs("linpred-mpi: only one process has the standard input: give the data as a file\n", stderr);
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    int threads;
    /* A process that waits lets others run: those that it waits for, where a machine has fewer processors than work. */
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    /* Where a process cannot copy from another's memory, as in containers, long messages go through shared memory in
       pieces, which are 32 kB unless this is said: the sums of a million columns are hundreds of them. */
    setenv("OMPI_MCA_btl_vader_max_send_size", "262144", 0);
    watch_begin(say_that_one_died);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_size(MPI_COMM_WORLD, &comm.processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &comm.process);
    comm.send = send_bytes;
    comm.receive = receive_bytes;
    comm.exchange = exchange_bytes;
    comm.broadcast = broadcast_bytes;
    comm.give_up = give_up;
    linpred__comm_set(&comm);
    setenv("NO_COLOR", "1", 1); /* mpirun shows every process a terminal, whether there is one or not */
    if (comm.process > 0)
        keep_silent();
    int code = reads_input(argc, argv) ? EXIT_INPUT : flags_take(&argc, argv);
    if (code == 0)
        code = cli_main(argc, argv);
    flags_show_help(argc, argv);
    code = end_together(code);
    watch_end();
    tell_traffic();
    MPI_Finalize();
    _exit(code);
}
