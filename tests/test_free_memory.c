/* What the machine and control groups leave, from files as both versions of Linux write them. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/free_memory.h"

static char root[] = "/tmp/linpred-free-XXXXXX";

/* Writes a file below the root, with its folders. */
static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void begin(const char *meminfo, const char *groups)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/proc %s/sys", root, root);
    assert_int_equal(system(command), 0);
    if (meminfo)
        put("/proc/meminfo", meminfo);
    if (groups)
        put("/proc/self/cgroup", groups);
}

static void the_machine_alone(void **unused)
{
    (void)unused;
    begin(NULL, NULL);
    assert_true(isinf(linpred__free_memory(root)));
    begin("MemTotal:       9000 kB\nMemFree:   10 kB\nMemAvailable:    2000 kB\n", NULL);
    assert_float_equal(linpred__free_memory(root), 2000 * 1024.0, 0);
    begin("MemAvailable: 2000 kB\n", "0::/\n"); /* a group without files */
    assert_float_equal(linpred__free_memory(root), 2000 * 1024.0, 0);
}

static void a_group_of_the_second_version(void **unused)
{
    (void)unused;
    begin("MemAvailable: 2000 kB\n", "0::/user/some:odd name\n");
    put("/sys/fs/cgroup/user/some:odd name/memory.max", "max\n");
    assert_float_equal(linpred__free_memory(root), 2000 * 1024.0, 0);
    put("/sys/fs/cgroup/user/memory.max", "1000000\n"); /* the one above it */
    put("/sys/fs/cgroup/user/memory.stat", "file 900000\nanon 300000\nanon_thp 5\n");
    assert_float_equal(linpred__free_memory(root), 700000, 0);
    put("/sys/fs/cgroup/user/some:odd name/memory.max", "400000\n");
    assert_float_equal(linpred__free_memory(root), 400000, 0);
    put("/sys/fs/cgroup/user/some:odd name/memory.stat", "anon 500000\n"); /* more than it may */
    assert_float_equal(linpred__free_memory(root), 0, 0);
}

static void a_group_of_the_first_version(void **unused)
{
    (void)unused;
    begin("MemAvailable: 9000 kB\n", "5:cpu,cpuacct:/a\n4:memory:/box\n0::/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_float_equal(linpred__free_memory(root), 9000 * 1024.0, 0);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n"); /* a container sees its own group at the top */
    assert_float_equal(linpred__free_memory(root), 5000000, 0);
    put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000\n");
    put("/sys/fs/cgroup/memory/box/memory.stat", "rss 7\ntotal_cache 99999\ntotal_rss 1000000\ntotal_rss_huge 3\n");
    assert_float_equal(linpred__free_memory(root), 2000000, 0);
}

/* Controllers that share their groups stand in one line, and their folder bears the names of all. */
static void controllers_in_one_line(void **unused)
{
    (void)unused;
    static const char *const lines[] = {"4:cpu,memory:/box\n", "4:memory,hugetlb:/box\n", "4:cpu,memory,blkio:/box\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char name[128];
        begin("MemAvailable: 9000 kB\n", lines[i]);
        const char *controllers = lines[i] + 2;
        snprintf(name, sizeof name, "/sys/fs/cgroup/%.*s/box/memory.limit_in_bytes", (int)strcspn(controllers, ":"),
                 controllers);
        put(name, "4000000\n");
        assert_float_equal(linpred__free_memory(root), 4000000, 0);
        put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000\n"); /* a name of its own */
        assert_float_equal(linpred__free_memory(root), 3000000, 0);
    }
    begin("MemAvailable: 9000 kB\n", "4:cpu,memorable:/box\n3:name=memory:/box\n");
    put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000\n");
    assert_float_equal(linpred__free_memory(root), 9000 * 1024.0, 0);
}

int main(void)
{
    if (!mkdtemp(root))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_alone),
        cmocka_unit_test(a_group_of_the_second_version),
        cmocka_unit_test(a_group_of_the_first_version),
        cmocka_unit_test(controllers_in_one_line),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    begin(NULL, NULL);
    rmdir(root);
    return failed;
}
