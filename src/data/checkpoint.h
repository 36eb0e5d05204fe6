/* What the passes of several processes have found so far, in a file: a run that was killed goes on from there.
 *
 * The processes decide everything from the data and from what their shared passes give (core/comm.h). So the results of
 * these passes, in order, are all that a run has found. The first process writes each of them to the file as a record.
 * A run that resumes takes its first passes from the file, without visiting rows, and comes to the same point by the
 * same steps: it ends with the same bits. This holds for every learner, and none knows of it but conjugate gradients:
 * what they keep for each row is known to one process only, so their trips are no passes, and they record where they
 * stand before each step.
 *
 * A record has a checksum: one that was cut by a kill is not used, nor is the last pass before it. The file says what
 * command it belongs to, and the fingerprint of the data of its first pass.
 */
#ifndef LINPRED_DATA_CHECKPOINT_H
#define LINPRED_DATA_CHECKPOINT_H

#include "data/data.h"

/* Begins a file, or goes on with it if `resume` says so. `command` is a hash of what was asked. A file that is not
   there is begun, and `resume` becomes false. What is in a file is never lost: without `resume` it must be empty. */
linpred_status linpred__checkpoint_open(const char *path, bool *resume, uint64_t command, linpred_error *error);

/* Whether a record could not be written, which has ended all processes: the disk is full. */
bool linpred__checkpoint_is_unwritten(void);

/* ---- for tree_processes.c ---------------------------------------------------------------------------------------- */

/* Whether passes are recorded. */
bool linpred__checkpoint_is_on(void);
/* Before a pass of the given shape over data: whether the file has its result, which linpred__checkpoint_load then
   gives piece by piece. A file that does not belong to this run ends all processes. */
bool linpred__checkpoint_take(const linpred_data *data, uint64_t shape);
void linpred__checkpoint_load(void *memory, size_t bytes);
/* Adds a piece to the record, and ends the record: that of the states of a pass, or of what it wrote for its rows. */
void linpred__checkpoint_add(const void *memory, size_t bytes);
typedef enum linpred__record_kind {
    LINPRED__RECORD_ROWS,  /* what a pass wrote for its rows; it follows the states of that pass */
    LINPRED__RECORD_PASS,  /* the states of a pass */
    LINPRED__RECORD_POINT, /* where a method stands: nothing that was recorded before it in the same run is needed */
} linpred__record_kind;
void linpred__checkpoint_end(linpred__record_kind kind, uint64_t shape);

/* ---- for a method that records where it stands ------------------------------------------------------------------- */

/* A number for a run of a method: the same in a run that resumes. */
uint64_t linpred__checkpoint_number(void);
/* Whether the file has points of this shape: linpred__checkpoint_load then gives the last one, and what was recorded
   before it is skipped. */
bool linpred__checkpoint_take_last(const linpred_data *data, uint64_t shape);
/* Begins the record of a point; false if nothing is recorded. */
bool linpred__checkpoint_begin(void);

#endif
