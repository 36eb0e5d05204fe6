/* NumPy's npz container: a zip archive whose members are npy arrays, stored as they are.
 *
 * What is written has the sizes of 64-bit zip archives (zip64) in every member, whatever its size, so that there is one
 * form only. Extra fields pad the members such that their numbers begin at multiples of 64 bytes. A member's checksum
 * is known after its numbers; it is then written into the header that stands before them.
 */
#ifndef LINPRED_TABLE_NPZ_ZIP_H
#define LINPRED_TABLE_NPZ_ZIP_H

#include "linpred/linpred.h"

enum { LINPRED__ZIP_NAME = 32, LINPRED__ZIP_MEMBERS = 16 }; /* bytes of a name with its NUL; members of an archive */

/* An array in an archive. */
typedef struct linpred__zip_member {
    char name[LINPRED__ZIP_NAME]; /* with its ending .npy */
    uint64_t header;              /* where its local header begins */
    uint64_t begins;              /* where its bytes begin: those of the npy header */
    uint64_t numbers;             /* writing: where its numbers begin */
    uint64_t bytes;               /* of npy header and numbers */
    uint32_t checksum;            /* CRC-32 of these bytes; writing: that of the npy header alone until the end */
} linpred__zip_member;

typedef struct linpred__zip {
    int descriptor;
    const char *name; /* of the file, for messages */
    linpred__zip_member member[LINPRED__ZIP_MEMBERS];
    int members;
    uint64_t end; /* where the next member begins */
} linpred__zip;

/* Writing. Adds a member for an array of `bytes` bytes: `type` is NumPy's name of its type, `shape` its shape as Python
   writes it. Its place is fixed by this call alone; the numbers may be written to it in any order. */
linpred_status linpred__zip_add(linpred__zip *zip, const char *name, const char *type, const char *shape,
                                uint64_t bytes, linpred_error *error);
/* Writes the header of an npy file; returns its length. */
enum { LINPRED__NPY_HEADER = 512 };
size_t linpred__npy_header_make(const char *type, const char *shape, unsigned char header[LINPRED__NPY_HEADER]);
/* Writes bytes at a place of the file. */
linpred_status linpred__zip_put(const linpred__zip *zip, uint64_t at, const void *bytes, size_t count,
                                linpred_error *error);
/* Completes the checksum of the last member: `checksum` is that of its numbers. */
linpred_status linpred__zip_seal(linpred__zip *zip, uint32_t checksum, linpred_error *error);
/* Writes the directory, with which the archive ends. */
linpred_status linpred__zip_finish(linpred__zip *zip, linpred_error *error);

/* Reading. Reads the directory of an archive of `size` bytes. */
linpred_status linpred__zip_open(linpred__zip *zip, uint64_t size, linpred_error *error);
/* Reads bytes at a place of the file. It is an error if the file ends before. */
linpred_status linpred__zip_get(const linpred__zip *zip, uint64_t at, void *bytes, size_t count, linpred_error *error);
/* The member called `name` (without .npy); NULL if there is none. */
const linpred__zip_member *linpred__zip_find(const linpred__zip *zip, const char *name);

#endif
