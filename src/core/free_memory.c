/* Free memory, as Linux tells it: /proc/meminfo, and the limits of control groups in either version.
 *
 * A group may have a limit, and so may each group above it. What a group leaves is its limit without the memory that
 * its processes hold; pages of files do not count, since the system takes them back.
 */
#include "core/free_memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 1024 }; /* of a line of /proc/self/cgroup, so of a group too */

/* Reads a number that follows `name` in a file of lines, or the first one if the name is empty. */
static double read_amount(const char *path, const char *name)
{
    char line[256];
    double found = (double)INFINITY;
    size_t length = strlen(name);
    FILE *file = fopen(path, "re");
    while (file && isinf(found) && fgets(line, sizeof line, file)) {
        unsigned long long amount;
        if (strncmp(line, name, length) == 0 && sscanf(line + length, " %llu", &amount) == 1)
            found = (double)amount;
    }
    if (file)
        fclose(file);
    return found;
}

/* How a version names things. */
struct group_version {
    const char *folder, *limit, *usage; /* `usage`: its line in memory.stat */
};

/* What one group leaves; infinite if it has no limit, or is not to be seen. */
static double left_by_group(const char *root, const struct group_version *version, const char *group)
{
    char limit[2 * PATH_BYTES], usage[2 * PATH_BYTES];
    snprintf(limit, sizeof limit, "%s/sys/fs/cgroup%s%s/%s", root, version->folder, group, version->limit);
    snprintf(usage, sizeof usage, "%s/sys/fs/cgroup%s%s/memory.stat", root, version->folder, group);
    double held = read_amount(usage, version->usage);
    return fmax(read_amount(limit, "") - (isfinite(held) ? held : 0.0), 0.0);
}

/* What a group and those above it leave. In a container the topmost one is that of the container. */
static double left_by_groups(const char *root, const struct group_version *version, char *group)
{
    double left = (double)INFINITY;
    for (;;) {
        left = fmin(left, left_by_group(root, version, strcmp(group, "/") == 0 ? "" : group));
        char *slash = strrchr(group, '/');
        if (!slash || !*group)
            return left;
        *slash = '\0';
    }
}

/* Whether a list of controllers, with commas between them, names that of memory. */
static bool has_memory(const char *controllers)
{
    static const char name[] = "memory";
    while (*controllers) {
        size_t length = strcspn(controllers, ",");
        if (length == strlen(name) && strncmp(controllers, name, length) == 0)
            return true;
        controllers += length + (controllers[length] == ',');
    }
    return false;
}

/* The first version: controllers that share groups share a folder, which bears the names of all; each name may be a
   link to it. */
static double left_in_first(const char *root, const char *controllers, const char *group)
{
    char folder[PATH_BYTES + 1], path[PATH_BYTES];
    const char *folders[] = {"/memory", folder};
    double left = (double)INFINITY;
    snprintf(folder, sizeof folder, "/%s", controllers);
    for (int i = 0; i < 2; i++) {
        const struct group_version first = {folders[i], "memory.limit_in_bytes", "total_rss "};
        snprintf(path, sizeof path, "%s", group);
        left = fmin(left, left_by_groups(root, &first, path));
    }
    return left;
}

double linpred__free_memory(const char *root)
{
    static const struct group_version second = {"", "memory.max", "anon "};
    char path[PATH_BYTES], line[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    double left = 1024.0 * read_amount(path, "MemAvailable:");
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) { /* number:controllers:group */
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || group[1] != '/')
            continue;
        *group++ = '\0';
        if (has_memory(controllers + 1))
            left = fmin(left, left_in_first(root, controllers + 1, group));
        else if (strcmp(controllers, ":") == 0)
            left = fmin(left, left_by_groups(root, &second, group));
    }
    if (file)
        fclose(file);
    return left;
}
