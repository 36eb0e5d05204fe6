/* The scheduler of pieces. 2 slots per thread hold pieces in work; a slot is free, busy (some thread cuts, parses or
 * stores its piece) or parsed (it waits for its turn to be merged). One mutex guards all of `run`; merging happens with
 * the mutex held, cutting, parsing and storing without it. */
#include "table/bytes/pieces.h"

#include <pthread.h>

#include "core/error.h"
#include "core/memory.h"

typedef enum stage { FREE, BUSY, PARSED } stage;

typedef struct slot {
    linpred__piece piece;
    stage stage;
    int64_t number;        /* of the piece, from 0 in the order of the file */
    linpred_status status; /* of cutting the piece. A failure is reported when the piece is merged, so that errors in
                              earlier pieces come first. */
    linpred_error error;   /* of cutting the piece */
} slot;

typedef struct run {
    linpred__source *source;
    const linpred__piece_work *work;
    pthread_mutex_t mutex;
    pthread_cond_t change; /* signalled after every step */
    slot *slots;
    int count;             /* of slots */
    bool cutting;          /* some thread is cutting a piece */
    bool ended;            /* there are no more pieces to cut */
    bool over;             /* an error was found, or all pieces are stored */
    int64_t cut;           /* pieces cut so far */
    int64_t merged;        /* pieces merged so far: the number of the next one to merge */
    int64_t stored;        /* pieces stored so far */
    linpred_status status; /* valid once `over` is true */
    linpred_error *error;  /* the caller's, may be NULL */
} run;

/* A slot in this stage; with number >= 0, the slot of that piece. NULL if there is none. */
static slot *find_slot(run *r, stage wanted, int64_t number)
{
    for (int i = 0; i < r->count; i++)
        if (r->slots[i].stage == wanted && (number < 0 || r->slots[i].number == number))
            return &r->slots[i];
    return NULL;
}

static void finish_run(run *r, linpred_status status)
{
    r->status = status;
    r->over = true;
}

/* The caller holds the mutex, before and after the call. */
static void merge_and_store(run *r, slot *s)
{
    linpred_status status = s->status;
    if (status != LINPRED_OK) {
        if (r->error)
            *r->error = s->error;
    } else {
        status = r->work->merge(r->work->context, &s->piece, r->error);
    }
    if (status != LINPRED_OK) {
        finish_run(r, status);
        return;
    }
    r->merged++;
    s->stage = BUSY;
    pthread_cond_broadcast(&r->change);
    pthread_mutex_unlock(&r->mutex);
    r->work->store(r->work->context, &s->piece);
    pthread_mutex_lock(&r->mutex);
    s->stage = FREE;
    r->stored++;
    if (r->ended && r->stored == r->cut)
        finish_run(r, LINPRED_OK);
}

/* The caller holds the mutex, before and after the call. */
static void cut_and_parse(run *r, slot *s)
{
    r->cutting = true;
    s->stage = BUSY;
    pthread_mutex_unlock(&r->mutex);
    s->status = linpred__source_piece(r->source, &s->piece.text, &s->error);
    pthread_mutex_lock(&r->mutex);
    r->cutting = false;
    bool empty = s->status == LINPRED_OK && s->piece.text.bytes == 0;
    if (empty) {
        r->ended = true;
        s->stage = FREE;
        if (r->stored == r->cut)
            finish_run(r, LINPRED_OK);
        return;
    }
    s->number = r->cut++;
    r->ended = s->status != LINPRED_OK || s->piece.text.last;
    if (s->status == LINPRED_OK) {
        pthread_cond_broadcast(&r->change);
        pthread_mutex_unlock(&r->mutex);
        r->work->parse(r->work->context, &s->piece);
        pthread_mutex_lock(&r->mutex);
    }
    s->stage = PARSED;
}

/* What each thread does: steps until all is over. Merging goes first, because it frees slots. */
static void take_steps(void *context, int64_t task)
{
    (void)task;
    run *r = context;
    pthread_mutex_lock(&r->mutex);
    while (!r->over) {
        slot *due = find_slot(r, PARSED, r->merged);
        slot *idle = !due && !r->cutting && !r->ended ? find_slot(r, FREE, -1) : NULL;
        if (due)
            merge_and_store(r, due);
        else if (idle)
            cut_and_parse(r, idle);
        else {
            pthread_cond_wait(&r->change, &r->mutex);
            continue;
        }
        pthread_cond_broadcast(&r->change);
    }
    pthread_mutex_unlock(&r->mutex);
}

linpred_status linpred__pieces_run(linpred__source *source, linpred__pool *pool, const linpred__piece_work *work,
                                   linpred_error *error)
{
    int threads = linpred__pool_threads(pool);
    run r = {.source = source, .work = work, .count = threads > 1 ? 2 * threads : 1, .error = error};
    r.slots = linpred__calloc((size_t)r.count, sizeof *r.slots);
    if (!r.slots)
        return linpred__no_memory(error);
    pthread_mutex_init(&r.mutex, NULL);
    pthread_cond_init(&r.change, NULL);
    linpred__pool_run(pool, threads, take_steps, &r);
    pthread_cond_destroy(&r.change);
    pthread_mutex_destroy(&r.mutex);
    for (int i = 0; i < r.count; i++) {
        linpred__release(r.slots[i].piece.text.text);
        if (r.slots[i].piece.parsed)
            work->release(r.slots[i].piece.parsed);
    }
    linpred__release(r.slots);
    return r.status;
}
