/* The processes that work together: see comm.h. */
#include "core/comm.h"

static const linpred__comm *processes;

void linpred__comm_set(const linpred__comm *comm)
{
    processes = comm;
}

const linpred__comm *linpred__comm_get(void)
{
    return processes;
}

bool linpred__comm_writes(void)
{
    return !processes || processes->process == 0;
}

bool linpred__comm_agree(bool answer)
{
    unsigned char agreed = answer;
    if (processes)
        processes->broadcast(0, &agreed, sizeof agreed);
    return agreed != 0;
}

/* floor(count k / n) without overflow */
static int64_t cut_at(int64_t count, int k, int n)
{
    return count / n * k + count % n * k / n;
}

linpred__share linpred__share_of(int64_t count, int all, int process)
{
    return (linpred__share){cut_at(count, process, all), cut_at(count, process + 1, all)};
}

int linpred__sharer(int64_t count, int all, int64_t thing)
{
    int low = 0, high = all - 1; /* the process is in low .. high */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (thing < linpred__share_of(count, all, middle).to)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
