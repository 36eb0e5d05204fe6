/* The file of a checkpoint: a heading, then records. A record is its heading and its bytes. Only the first process has
 * the file; what it reads it gives to all. */
#include "data/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/fingerprint.h"

enum { FORMAT = 4 };

struct file_heading {
    char name[16];        /* "linpred passes" */
    uint64_t format;      /* FORMAT */
    uint64_t command;     /* a hash of what was asked */
    uint64_t fingerprint; /* of the data of the first pass; 0: there was none yet */
};

struct record_heading {
    uint64_t kind;  /* a linpred__record_kind */
    uint64_t shape; /* of the pass, or of the method that stands there */
    uint64_t bytes;
    uint64_t checksum; /* of the bytes */
};

static struct {
    bool on;
    bool opened;    /* the data were compared, or their fingerprint written */
    bool asking;    /* the fingerprint is being computed: its pass is not recorded */
    bool resuming;  /* there may be more records to take */
    bool unwritten; /* a record could not be written */
    uint64_t runs;  /* of methods that record where they stand */
    char path[1024];
    FILE *file;    /* of the first process; NULL in the others */
    int64_t bytes; /* of the file when it was opened */
    long end;      /* of the records to take */
    struct file_heading heading;
    char *buffer; /* a record */
    size_t capacity;
    size_t used; /* bytes of the record */
    size_t at;   /* bytes that were loaded */
} journal;

static uint64_t hash_bytes(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

/* Ends all processes. */
static void cannot_go_on(linpred_status status, const char *why)
{
    linpred_error error;
    linpred__fail(&error, status, "%.300s: %s", journal.path, why);
    linpred__comm_get()->give_up(&error);
}

/* The same where all processes have found the same: the first one tells, and the others wait to be ended. */
static void all_cannot_go_on(const char *why)
{
    char nothing;
    if (journal.file)
        cannot_go_on(LINPRED_ERROR_INPUT, why);
    else
        linpred__comm_get()->receive(0, &nothing, sizeof nothing);
}

static bool grow_record(size_t bytes)
{
    if (linpred__grow(&journal.buffer, &journal.capacity, bytes, 1))
        return true;
    cannot_go_on(LINPRED_ERROR_MEMORY, "out of memory for a record of the checkpoint");
    return false;
}

static void tell_unwritten(void)
{
    char why[200];
    snprintf(why, sizeof why, "cannot write the checkpoint: %.150s", strerror(errno));
    journal.unwritten = true;
    cannot_go_on(LINPRED_ERROR_FILE, why);
}

bool linpred__checkpoint_is_unwritten(void)
{
    return journal.unwritten;
}

/* Flushed to the system after each record, so that killing the process loses nothing. */
static void write_bytes(const void *bytes, size_t count)
{
    if (journal.file && fwrite(bytes, 1, count, journal.file) != count)
        tell_unwritten();
}

static void flush_file(void)
{
    if (journal.file && fflush(journal.file) != 0)
        tell_unwritten();
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static const char title[16] = "linpred passes";

/* Reads the next record into the buffer; false if no whole one is left. */
static bool read_record(struct record_heading *record)
{
    return fread(record, sizeof *record, 1, journal.file) == 1 && record->bytes <= (uint64_t)journal.bytes &&
           grow_record((size_t)record->bytes + 1) &&
           fread(journal.buffer, 1, (size_t)record->bytes, journal.file) == record->bytes &&
           hash_bytes(journal.buffer, (size_t)record->bytes) == record->checksum;
}

/* Cuts the file before its last pass: what follows the states of that pass may be missing. A point is complete. */
static bool cut_file(void)
{
    struct record_heading record;
    long first = ftell(journal.file), at = first;
    journal.end = first;
    while (at >= 0 && read_record(&record)) {
        if (record.kind == LINPRED__RECORD_PASS)
            journal.end = at;
        at = ftell(journal.file);
        if (record.kind == LINPRED__RECORD_POINT)
            journal.end = at;
    }
    return at >= 0 && ftruncate(fileno(journal.file), journal.end) == 0 && fseek(journal.file, first, SEEK_SET) == 0;
}

/* Opens the file if it is there, and reads its heading; what is no file (/dev/full) has none. */
static size_t read_heading(void)
{
    struct stat about;
    journal.file = stat(journal.path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(journal.path, "r+b") : NULL;
    journal.bytes = journal.file ? (int64_t)about.st_size : 0;
    return journal.file ? fread(&journal.heading, 1, sizeof journal.heading, journal.file) : 0;
}

/* Nothing that is in the file is lost: it is a checkpoint to go on from, or empty, or another name must be chosen. */
static linpred_status open_records(bool resume, uint64_t command, linpred_error *error)
{
    size_t bytes = read_heading(), named = bytes < sizeof title ? bytes : sizeof title;
    bool whole = bytes == sizeof journal.heading;
    if (memcmp(journal.heading.name, title, named) != 0 || (whole && journal.heading.format != FORMAT))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%.300s is no checkpoint of this version of linpred-mpi: choose another name",
                             journal.path);
    if (whole && !resume)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%.300s is a checkpoint already: add --resume to go on from it, or delete it to begin "
                             "anew",
                             journal.path);
    if (whole && journal.heading.command != command)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%.300s is the checkpoint of another command: resume with the same data and options (only "
                             "-o, --threads and what is shown may differ), or begin another file",
                             journal.path);
    journal.resuming = whole;
    if (!whole && journal.file)
        fclose(journal.file);
    if (!whole)
        journal.file = fopen(journal.path, "w+b");
    if (!journal.file || (whole && !cut_file()))
        return linpred__fail(error, LINPRED_ERROR_FILE, "cannot write the checkpoint '%.300s': %s", journal.path,
                             strerror(errno));
    return LINPRED_OK;
}

linpred_status linpred__checkpoint_open(const char *path, bool *resume, uint64_t command, linpred_error *error)
{
    const linpred__comm *comm = linpred__comm_get();
    linpred_error known = {.status = LINPRED_OK};
    snprintf(journal.path, sizeof journal.path, "%s", path);
    if (comm->process == 0)
        known.status = open_records(*resume, command, &known);
    if (comm->process == 0 && !journal.resuming) {
        memcpy(journal.heading.name, title, sizeof title);
        journal.heading.format = FORMAT;
        journal.heading.command = command;
    }
    comm->broadcast(0, &known, sizeof known);
    comm->broadcast(0, &journal.resuming, sizeof journal.resuming);
    journal.on = known.status == LINPRED_OK;
    *resume = journal.resuming;
    if (error)
        *error = known;
    return known.status;
}

bool linpred__checkpoint_is_on(void)
{
    return journal.on && !journal.asking;
}

/* The first pass: are these the data of the file? */
static void compare_data(const linpred_data *data)
{
    uint64_t fingerprint = 0;
    linpred_error error;
    journal.asking = true;
    if (linpred__fingerprint(data, NULL, &fingerprint, &error) != LINPRED_OK)
        linpred__comm_get()->give_up(&error);
    journal.asking = false;
    journal.opened = true;
    if (journal.resuming && journal.file && journal.heading.fingerprint != fingerprint)
        cannot_go_on(LINPRED_ERROR_INPUT, "the data are not those of the checkpoint: begin another file");
    if (!journal.resuming) {
        journal.heading.fingerprint = fingerprint;
        write_bytes(&journal.heading, sizeof journal.heading);
        flush_file();
    }
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void tell_other_passes(void)
{
    all_cannot_go_on("its passes are not those of this fit: it is of another version of linpred, or damaged; begin "
                     "another file");
}

/* Gives the record in the buffer to all processes. */
static void give_record(struct record_heading *record)
{
    const linpred__comm *comm = linpred__comm_get();
    comm->broadcast(0, record, sizeof *record);
    journal.at = 0;
    journal.used = (size_t)record->bytes;
    if (grow_record(journal.used + 1))
        comm->broadcast(0, journal.buffer, journal.used);
}

/* Whether the file may have more records for this run. A file of other data ends all processes. */
static bool begin_taking(const linpred_data *data)
{
    if (!journal.opened && data)
        compare_data(data);
    journal.used = 0;
    return journal.resuming;
}

bool linpred__checkpoint_take(const linpred_data *data, uint64_t shape)
{
    const linpred__comm *comm = linpred__comm_get();
    struct record_heading record = {0};
    if (!begin_taking(data))
        return false;
    if (journal.file)
        journal.resuming = ftell(journal.file) < journal.end && read_record(&record);
    if (journal.file && !journal.resuming) /* from reading to writing */
        fseek(journal.file, journal.end, SEEK_SET);
    comm->broadcast(0, &journal.resuming, sizeof journal.resuming);
    if (!journal.resuming)
        return false;
    give_record(&record);
    if (record.shape != shape)
        tell_other_passes();
    return true;
}

uint64_t linpred__checkpoint_number(void)
{
    return ++journal.runs;
}

/* Reads the last point of this shape; if there is none, the file stays where it is. Of the first process. */
static bool read_last_point(uint64_t shape, struct record_heading *record)
{
    long began = ftell(journal.file), found = -1;
    for (long at = began; at >= 0 && at < journal.end && read_record(record); at = ftell(journal.file))
        if (record->kind == LINPRED__RECORD_POINT && record->shape == shape)
            found = at;
    fseek(journal.file, found >= 0 ? found : began, SEEK_SET);
    return found >= 0 && read_record(record);
}

bool linpred__checkpoint_take_last(const linpred_data *data, uint64_t shape)
{
    struct record_heading record = {0};
    bool found = false;
    if (!begin_taking(data))
        return false;
    if (journal.file)
        found = read_last_point(shape, &record);
    linpred__comm_get()->broadcast(0, &found, sizeof found);
    if (found)
        give_record(&record);
    return found;
}

bool linpred__checkpoint_begin(void)
{
    journal.used = 0;
    if (!linpred__checkpoint_is_on())
        return false;
    if (journal.resuming && journal.file && ftell(journal.file) != journal.end)
        tell_other_passes();
    if (journal.resuming && journal.file) /* from reading to writing */
        fseek(journal.file, journal.end, SEEK_SET);
    journal.resuming = false;
    return true;
}

void linpred__checkpoint_load(void *memory, size_t bytes)
{
    if (bytes > journal.used - journal.at) {
        all_cannot_go_on("a record is too short: begin another file");
        return;
    }
    memcpy(memory, journal.buffer + journal.at, bytes);
    journal.at += bytes;
}

void linpred__checkpoint_add(const void *memory, size_t bytes)
{
    if (!journal.file || !grow_record(journal.used + bytes))
        return;
    memcpy(journal.buffer + journal.used, memory, bytes);
    journal.used += bytes;
}

void linpred__checkpoint_end(linpred__record_kind kind, uint64_t shape)
{
    struct record_heading record = {kind, shape, journal.used, 0};
    if (!journal.file)
        return;
    record.checksum = hash_bytes(journal.buffer, journal.used);
    write_bytes(&record, sizeof record);
    write_bytes(journal.buffer, journal.used);
    flush_file();
    journal.used = 0;
}
