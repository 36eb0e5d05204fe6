/* Writes files so that a file is complete or not there at all. The bytes go to a file without a name in the same
 * folder, or to a temporary name if the file system needs one; they are synced to disk, and the file is renamed. So
 * nothing is left of a file without a name, even if the process is killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"

static linpred_status cannot(linpred_error *error, const char *verb, const char *path, int code)
{
    char buffer[LINPRED__EXCERPT];
    return linpred__fail(error, LINPRED_ERROR_FILE, "cannot %s '%s': %s", verb,
                         linpred__excerpt(path, strlen(path), buffer), strerror(code));
}

/* The path of a file called `name` in the folder of `path`. linpred__release frees it. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *text = linpred__alloc(folder + strlen(name) + 1, 1);
    if (text) {
        memcpy(text, path, folder);
        strcpy(text + folder, name);
    }
    return text;
}

/* The descriptor of an open stream that has a name as a file, such as /dev/stdout; -1 for every other name. */
static int open_stream(const char *path)
{
    int number;
    char more;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    if (sscanf(path, "/dev/fd/%d%c", &number, &more) == 1 || sscanf(path, "/proc/self/fd/%d%c", &number, &more) == 1)
        return number;
    return -1;
}

/* Whether the file is a device, a pipe or an open stream. These are written directly, because renaming would replace
   them. /dev/stdout is written directly even if it leads to a regular file. */
static bool special(const char *path)
{
    struct stat about;
    return open_stream(path) >= 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

/* An open stream is duplicated. So it keeps its position, and what others wrote to it is not overwritten. */
static int open_special(const char *path)
{
    int stream = open_stream(path);
    return stream >= 0 ? dup(stream) : open(path, O_WRONLY | O_CLOEXEC);
}

/* The path with symbolic links resolved, so that the link stays and its target is replaced. NULL: out of memory. */
static char *behind_links(const char *path)
{
    char *real = realpath(path, NULL);
    const char *found = real ? real : path; /* a file that does not exist yet has no real path */
    char *copy = linpred__copy_text(found, strlen(found));
    free(real);
    return copy;
}

struct linpred_output {
    FILE *stream;    /* where the caller writes */
    char *path;      /* the file to be written */
    char *temporary; /* the temporary name; NULL if a device, pipe or open stream is written directly */
    bool nameless;   /* the file has no name yet, not even the temporary one */
};

/* Opens a file without a name in the folder of `path`; -1 if the file system has no such files. */
static int open_nameless(const char *path)
{
    struct stat about;
    char *folder = beside(path, ".");
    int descriptor = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    if (descriptor >= 0 && stat(path, &about) == 0)
        (void)fchmod(descriptor, about.st_mode & 0777);
    linpred__release(folder);
    return descriptor;
}

/* Replaces XXXXXX at the end of the name, or what an earlier call put there. */
static void mark_name(char *name)
{
    static unsigned counter;
    unsigned mark = ((unsigned)getpid() * 2654435761u) ^ (__atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED) * 40503u);
    snprintf(name + strlen(name) - 6, 7, "%06x", mark & 0xFFFFFFu);
}

enum { NAMES_TRIED = 1000 };

/* Gives the temporary name to a file that has none. Returns 0, or an error number. */
static int name_file(int descriptor, char *name)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        mark_name(name);
        if (linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

/* Creates a temporary file in the folder of `path`. It has the mode of the file that it will replace, or that of any
   new file. `name` ends in XXXXXX, which is replaced by digits. */
static int open_beside(char *name, const char *path)
{
    struct stat about;
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        mark_name(name);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 && stat(path, &about) == 0)
            (void)fchmod(descriptor, about.st_mode & 0777);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

static void sync_folder(const char *path)
{
    char *folder = beside(path, ".");
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor); /* some file systems cannot sync a folder; the file itself is synced */
        close(descriptor);
    }
    linpred__release(folder);
}

static void free_output(linpred_output *output)
{
    linpred__release(output->path);
    linpred__release(output->temporary);
    linpred__release(output);
}

static linpred_status open_output(const char *path, linpred_output **out, linpred_error *error)
{
    linpred_output *output = linpred__calloc(1, sizeof *output);
    bool in_place = special(path);
    if (output) {
        output->path = in_place ? linpred__copy_text(path, strlen(path)) : behind_links(path);
        output->temporary = in_place || !output->path ? NULL : beside(output->path, ".linpred-XXXXXX");
    }
    if (!output || !output->path || (!in_place && !output->temporary)) {
        if (output)
            free_output(output);
        return linpred__no_memory(error);
    }
    int descriptor = in_place ? open_special(path) : open_nameless(output->path);
    output->nameless = !in_place && descriptor >= 0;
    if (!in_place && descriptor < 0)
        descriptor = open_beside(output->temporary, output->path);
    output->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!output->stream) {
        linpred_status status = cannot(error, "write", path, errno);
        if (descriptor >= 0)
            close(descriptor);
        if (descriptor >= 0 && !in_place && !output->nameless)
            unlink(output->temporary);
        free_output(output);
        return status;
    }
    *out = output;
    return LINPRED_OK;
}

/* Of several processes only the first writes: the others go on as it does. */
static linpred_status as_the_first(linpred_status status, linpred_error *error)
{
    const linpred__comm *comm = linpred__comm_get();
    linpred_error known = {.status = status};
    if (!comm)
        return status;
    if (error && status != LINPRED_OK)
        known = *error;
    comm->broadcast(0, &known, sizeof known);
    if (error && known.status != LINPRED_OK)
        *error = known;
    return known.status;
}

linpred_status linpred_output_open(const char *path, linpred_output **out, linpred_error *error)
{
    LINPRED__NEEDS(path, out);
    linpred_output *output = NULL;
    linpred_status status = open_output(linpred__comm_writes() ? path : "/dev/null", &output, error);
    linpred_status first = as_the_first(status, error);
    if (first == LINPRED_OK && status == LINPRED_OK)
        *out = output;
    else
        linpred_output_discard(output);
    return first == LINPRED_OK ? status : first;
}

FILE *linpred_output_stream(linpred_output *output)
{
    if (!output)
        return NULL;
    return output->stream;
}

/* Why an earlier write failed: the stream has forgotten, so one more byte is tried. A full disk is then called so. */
static int why_not_written(const linpred_output *output, int descriptor)
{
    return output->temporary && write(descriptor, "", 1) < 0 ? errno : EIO;
}

linpred_status linpred_output_commit(linpred_output *output, linpred_error *error)
{
    LINPRED__NEEDS(output);
    int descriptor = fileno(output->stream);
    int code = ferror(output->stream) ? why_not_written(output, descriptor) : 0;
    if (fflush(output->stream) != 0)
        code = errno;
    if (code == 0 && output->temporary && fsync(descriptor) != 0)
        code = errno;
    if (code == 0 && output->nameless)
        code = name_file(descriptor, output->temporary);
    bool named = output->temporary && (!output->nameless || code == 0);
    if (fclose(output->stream) != 0 && code == 0)
        code = errno;
    if (code == 0 && output->temporary && rename(output->temporary, output->path) != 0)
        code = errno;
    if (named && code != 0)
        unlink(output->temporary);
    else if (named)
        sync_folder(output->path);
    linpred_status status = code == 0 ? LINPRED_OK : cannot(error, "write", output->path, code);
    free_output(output);
    return as_the_first(status, error);
}

void linpred_output_discard(linpred_output *output)
{
    if (!output)
        return;
    fclose(output->stream);
    if (output->temporary && !output->nameless)
        unlink(output->temporary);
    free_output(output);
}

linpred_status linpred_write_file(const char *path, const void *text, size_t bytes, linpred_error *error)
{
    LINPRED__NEEDS(path, bytes > 0 ? text : path);
    linpred_output *output = NULL;
    linpred_status status = linpred_output_open(path, &output, error);
    if (status != LINPRED_OK)
        return status;
    fwrite(text, 1, bytes, output->stream); /* linpred_output_commit reports a failure */
    return linpred_output_commit(output, error);
}

/* Creates the temporary file and removes it. The rights of a folder do not say all: nobody can create a file in /proc,
   and root has every right there. */
static linpred_status try_to_create(const char *path, linpred_error *error)
{
    linpred_output *output = NULL;
    linpred_status status = linpred_output_open(path, &output, error);
    linpred_output_discard(output);
    return status;
}

linpred_status linpred_path_writable(const char *path, linpred_error *error)
{
    LINPRED__NEEDS(path);
    struct stat about;
    if (path[0] == '\0')
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the name of the file to write is empty");
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return cannot(error, "write", path, EISDIR);
    if (special(path))
        return access(path, W_OK) == 0 ? LINPRED_OK : cannot(error, "write", path, errno);
    char *real = behind_links(path);
    char *folder = real ? beside(real, ".") : NULL;
    linpred__release(real);
    if (!folder)
        return linpred__no_memory(error);
    linpred_status status = access(folder, W_OK | X_OK) == 0 ? LINPRED_OK : cannot(error, "write", path, errno);
    linpred__release(folder);
    return status == LINPRED_OK ? try_to_create(path, error) : status;
}
