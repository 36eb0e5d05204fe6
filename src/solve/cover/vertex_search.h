/* A search for a halfspace of small cost that goes from vertex to vertex.
 *
 * Each row has a bar, a number above 0. Rows can be separated if and only if <w,z_i> >= bar_i holds for all of them for
 * some w. If columns are independent, it then holds for a w at which as many rows as there are columns, the tight ones,
 * are at their bars. The search stands at such a vertex. The rows below their bars are the wrong ones. A move
 *   1. draws a wrong row, the entering one, and raises its score by steps of the simplex method that leave right rows
 *      right;
 *   2. where no step does, lets one tight row become wrong, mostly the one that lets the entering row rise furthest,
 *      and wrong rows that get to their bars become right;
 *   3. goes on until the entering row is right.
 * Rows that moved lately stay where they are (a tabu search). If the wrong rows cost too much, the search returns to
 * the best vertex. Where columns are many and mistakes are few, this finds halfspaces that the other searches do not.
 *
 * Bars are random, so that no more rows than columns meet at a vertex, whatever the data. The tableau holds each row as
 * a combination of the tight rows. A step is O(n d), and so is the choice of the row that becomes wrong.
 */
#ifndef LINPRED_SOLVE_COVER_VERTEX_SEARCH_H
#define LINPRED_SOLVE_COVER_VERTEX_SEARCH_H

#include "solve/cover/vertex_steps.h"

linpred_status linpred__vertex_search_open(linpred__vertex_search *vertices, linpred__hyperplane_search *search,
                                           linpred_error *error);
void linpred__vertex_search_close(linpred__vertex_search *vertices);
/* Moves on until `work` more multiplications are done, and offers what costs less than the best halfspace. False: there
   is no start, since no halfspace is known, or the rows are too large. */
bool linpred__vertex_search_iterate(linpred__vertex_search *vertices, double work);

#endif
