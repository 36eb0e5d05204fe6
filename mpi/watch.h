/* Ends this process if another one of the same run has died on this machine.
 *
 * mpirun ends all processes when one of them dies. On a busy machine it is late now and then, or waits for a lock for
 * ever, and the others would wait for messages of the dead. So each process watches the others that mpirun has started
 * on this machine, from before MPI_Init until all have ended together.
 */
#ifndef LINPRED_MPI_WATCH_H
#define LINPRED_MPI_WATCH_H

/* Begins to watch, if mpirun has started several processes here. If one has died, and mpirun has not ended this one
   some seconds later, `say_why` is called and the process ends with EXIT_FAULT. */
void watch_begin(void (*say_why)(void));
/* From now on the others may end. */
void watch_end(void);

#endif
