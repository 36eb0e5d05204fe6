/* Writing a file so that it is whole or not there: a temporary name in the same folder, synced, renamed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

static linpred_status cannot(linpred_error *error, const char *verb, const char *path, int code)
{
    char room[LINPRED__EXCERPT];
    return linpred__fail(error, LINPRED_ERROR_FILE, "cannot %s '%s': %s", verb,
                         linpred__excerpt(path, strlen(path), room), strerror(code));
}

/* path's folder, with its slash, followed by name; the caller frees it. */
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

/* A device or pipe (/dev/stdout, /dev/null) is written to as it is: renaming onto it would replace it. */
static bool special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

static bool write_all(int descriptor, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(descriptor, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        bytes -= (size_t)written;
    }
    return true;
}

static linpred_status write_special(const char *path, const void *text, size_t bytes, linpred_error *error)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    bool whole = descriptor >= 0 && write_all(descriptor, text, bytes);
    int code = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && whole) {
        whole = false;
        code = errno;
    }
    return whole ? LINPRED_OK : cannot(error, "write", path, code);
}

/* The mode an ordinary new file would get, or that of the file being replaced. */
static mode_t mode_for(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return about.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static void sync_folder(const char *path)
{
    char *folder = beside(path, ".");
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor); /* not every file system can; the file itself is safe */
        close(descriptor);
    }
    linpred__release(folder);
}

linpred_status linpred_write_file(const char *path, const void *text, size_t bytes, linpred_error *error)
{
    if (special(path))
        return write_special(path, text, bytes, error);
    char *temporary = beside(path, ".linpred-XXXXXX");
    if (!temporary)
        return linpred__no_memory(error);
    int code = 0;
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0) {
        linpred_status status = cannot(error, "write", path, errno);
        linpred__release(temporary);
        return status;
    }
    if (!write_all(descriptor, text, bytes) || fchmod(descriptor, mode_for(path)) != 0 || fsync(descriptor) != 0)
        code = errno;
    if (close(descriptor) != 0 && code == 0)
        code = errno;
    if (code == 0 && rename(temporary, path) != 0)
        code = errno;
    if (code != 0)
        unlink(temporary);
    else
        sync_folder(path);
    linpred__release(temporary);
    return code == 0 ? LINPRED_OK : cannot(error, "write", path, code);
}

linpred_status linpred_path_writable(const char *path, linpred_error *error)
{
    struct stat about;
    if (path[0] == '\0')
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the name of the file to write is empty");
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return cannot(error, "write", path, EISDIR);
    if (special(path))
        return access(path, W_OK) == 0 ? LINPRED_OK : cannot(error, "write", path, errno);
    char *folder = beside(path, ".");
    if (!folder)
        return linpred__no_memory(error);
    linpred_status status = access(folder, W_OK | X_OK) == 0 ? LINPRED_OK : cannot(error, "write", path, errno);
    linpred__release(folder);
    return status;
}
