/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads the start time, and whether the process is a zombie. false: no such process, or hidden. */
static bool process_stat_read(pid_t pid, uint64_t *ret_start, bool *ret_ended) {
        unsigned long long start = 0;
        char path[64], text[1024], state;

        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        /* procfs returns the whole text at once */
        ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        if (n <= 0)
                return false;
        text[n] = 0;
        const char *rest = strrchr(text, ')'); /* the name before ')' may contain any characters */
        if (!rest || sscanf(rest + 1,
                                     " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                                     &state, &start) != 2)
                return false;
        *ret_start = start;
        *ret_ended = state == 'Z' || state == 'X';
        return true;
}

uint64_t process_start(pid_t pid, bool dead_too) {
        uint64_t start;
        bool ended;

        return process_stat_read(pid, &start, &ended) && (dead_too || !ended) ? start : 0;
}

uint64_t process_space(void) {
        struct stat pids = { 0 }, times = { 0 };
        char boot[BOOT_ID_SIZE], self[16] = "", host[256] = "";

        boot_id(boot);
        uint64_t number = strtoull(boot, NULL, 16); /* up to the first '-': 32 bits */
        if (!number || readlink("/proc/self", self, sizeof self - 1) < 0 ||
                        strtol(self, NULL, 10) != getpid() || stat("/proc/self/ns/pid", &pids) < 0)
                return 0;
        (void)stat("/proc/self/ns/time", &times); /* an old kernel has no time namespaces */
        (void)gethostname(host, sizeof host - 1);
        uint32_t where = (uint32_t)(pids.st_ino ^ times.st_ino);
        for (const char *c = host; *c; c++)
                where = (where ^ (uint8_t)*c) * 16777619u; /* FNV */
        return number << 32 | where;
}

struct process_id process_named(pid_t pid, uint64_t space) {
        uint64_t start = pid > 0 && space ? process_start(pid, false) : 0;

        return start ? (struct process_id){ (uint32_t)pid, start, space }
                     : (struct process_id){ 0 };
}

bool process_same(const struct process_id *a, const struct process_id *b) {
        return a->pid == b->pid && a->start == b->start && a->space == b->space;
}

bool process_is_gone(const struct process_id *id, uint64_t space) {
        pid_t pid = (pid_t)id->pid;
        uint64_t start;
        bool ended;

        if (pid <= 0 || !space || (uint32_t)id->space != (uint32_t)space)
                return false;
        if (id->space != space) /* an earlier boot */
                return true;
        if (process_stat_read(pid, &start, &ended))
                return ended || start != id->start;
        return kill(pid, 0) < 0 && errno == ESRCH; /* /proc may hide the process (hidepid=) */
}
