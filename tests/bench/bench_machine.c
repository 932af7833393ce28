/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's own limits, measured beside the figures of a cluster on it.
 *
 * usage: bench_machine tasks COUNT LOOPS   a script's life without a workload manager, by so many
 *                                          processes at once: fork, setsid, mkdir of a cgroup (v2,
 *                                          where one can be made), exec of sh, wait, rmdir
 *        bench_machine sync SECONDS FOLDER  4 KiB appended to a file there and fsync, one after the
 *                                          other
 *
 * Each prints one number a second. */
#include "lib/base.h"
#include "lib/timetext.h"

#include <err.h>
#include <fcntl.h>
#include <mntent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Return the mount point of cgroup v2 where a group can be made, or NULL; the caller frees it. */
static char *cgroup_root(void) {
        FILE *mounts = setmntent("/proc/mounts", "r");
        char *found = NULL;

        for (struct mntent *m; !found && mounts && (m = getmntent(mounts));)
                if (streq(m->mnt_type, "cgroup2") && access(m->mnt_dir, W_OK) == 0)
                        found = xstrdup(m->mnt_dir);
        if (mounts)
                endmntent(mounts);
        return found;
}

/* Run one task to its end, in a cgroup that is made for it at that path (NULL: without one). */
static void task_run(const char *group) {
        if (group && mkdir(group, 0755) < 0)
                err(1, "%s", group);
        pid_t pid = fork();
        if (pid < 0)
                err(1, "fork");
        if (pid == 0) {
                setsid();
                execl("/bin/sh", "sh", "-c", "true", NULL);
                _exit(127);
        }
        int status;
        if (waitpid(pid, &status, 0) < 0 || status != 0)
                errx(1, "sh failed");
        if (group && rmdir(group) < 0)
                err(1, "%s", group);
}

static void tasks(uint64_t count, uint64_t loops) {
        _cleanup_free_ char *root = cgroup_root();
        double began = seconds();

        for (uint64_t loop = 0; loop < loops; loop++) {
                pid_t pid = fork();
                if (pid < 0)
                        err(1, "fork");
                if (pid > 0)
                        continue;
                _cleanup_free_ char *group = root ? xasprintf("%s/bench-machine-%d", root,
                                                                    (int)getpid())
                                                  : NULL;
                for (uint64_t i = loop; i < count; i += loops)
                        task_run(group);
                exit(0);
        }
        for (uint64_t loop = 0; loop < loops; loop++) {
                int status;
                if (wait(&status) < 0 || status != 0)
                        errx(1, "a loop failed");
        }
        printf("%.0f%s\n", (double)count / (seconds() - began), root ? "" : " without cgroups");
}

static void sync_file(uint64_t limit, const char *folder) {
        static const char block[4096];
        _cleanup_free_ char *path = xasprintf("%s/bench-machine-%d", folder, (int)getpid());
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        uint64_t n = 0;

        if (fd < 0)
                err(1, "%s", path);
        (void)unlink(path);
        double began = seconds(), took;
        do {
                if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block) || fsync(fd) < 0)
                        err(1, "%s", path);
                n++;
                took = seconds() - began;
        } while (took < (double)limit);
        close(fd);
        printf("%.0f\n", (double)n / took);
}

int main(int argc, char **argv) {
        uint64_t first, second;

        if (argc == 4 && streq(argv[1], "tasks") && uint_parse(argv[2], 1, 1000000, &first) >= 0 &&
                        uint_parse(argv[3], 1, 1000, &second) >= 0)
                tasks(first, second);
        else if (argc == 4 && streq(argv[1], "sync") && uint_parse(argv[2], 1, 3600, &first) >= 0)
                sync_file(first, argv[3]);
        else
                errx(2, "usage: bench_machine tasks COUNT LOOPS | sync SECONDS FOLDER");
        return 0;
}
