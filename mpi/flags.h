/* The options that linpred-mpi has beside those of linpred: --checkpoint FILE and --resume. */
#ifndef LINPRED_MPI_FLAGS_H
#define LINPRED_MPI_FLAGS_H

/* Takes them out of the arguments, and opens the checkpoint. Returns an exit code. */
int flags_take(int *argc, char **argv);
/* Shows them below the help of linpred, if --help is among the arguments. */
void flags_show_help(int argc, char **argv);

#endif
