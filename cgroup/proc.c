/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cgroup/proc.h"

#include <dirent.h>
#include <fcntl.h>

#define PROC_STAT_MAX    1024
#define PROC_STATUS_MAX  4096         /* IDs are near the beginning */
#define PROC_ENVIRON_MAX (256u << 10) /* a marker beyond is not found */

static ssize_t proc_file_read(const char *path, char *buf, size_t size) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        size_t n = 0;

        if (fd < 0)
                return -errno;
        while (n < size - 1) {
                ssize_t k = read(fd, buf + n, size - 1 - n);

                if (k < 0)
                        return -errno;
                if (k == 0)
                        break;
                n += (size_t)k;
        }
        buf[n] = 0;
        return (ssize_t)n;
}

/* Reads a process's file "stat", which the kernel returns in one read: a node may have thousands of
   processes, and a freeze reads all. */
static ssize_t read_stat(pid_t pid, char *buf, size_t size) {
        char path[64];

        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);
        if (n < 0)
                return -errno;
        buf[n] = 0;
        return n;
}

int proc_read(pid_t pid, struct proc_entry *ret) {
        char buf[PROC_STAT_MAX];
        unsigned long long start;
        ssize_t n = read_stat(pid, buf, sizeof buf);

        if (n < 0)
                return (int)n;

        /* pid (name, may have any characters) state parent ... 22nd: start */
        char *open = strchr(buf, '('), *close = strrchr(buf, ')');
        if (!open || !close)
                return -ESRCH;
        struct proc_entry e = { .pid = pid };
        *close = 0;
        snprintf(e.name, sizeof e.name, "%s", open + 1);
        if (sscanf(close + 1,
                            " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d"
                            " %*d %llu",
                            &e.state, &e.parent, &start) != 3)
                return -ESRCH;
        e.start = start;
        *ret = e;
        return 0;
}

static int proc_by_pid(const void *a, const void *b) {
        const struct proc_entry *x = a, *y = b;

        return x->pid < y->pid ? -1 : x->pid > y->pid;
}

int proc_list(const struct proc_entry *known, size_t n_known, struct proc_entry **ret,
                size_t *ret_n) {
        _cleanup_free_ struct proc_entry *list = NULL;
        size_t n = 0, allocated = 0;
        struct dirent *d;
        DIR *dir = opendir("/proc");

        if (!dir)
                return -errno;
        while ((d = readdir(dir))) {
                pid_t pid = (pid_t)strtol(d->d_name, NULL, 10);

                if (pid <= 0)
                        continue;
                GROW(list, allocated, n);
                const struct proc_entry key = { .pid = pid },
                                        *found = list_search(&key, known, n_known, sizeof key,
                                                        proc_by_pid);
                if (found)
                        list[n++] = *found;
                else if (proc_read(pid, &list[n]) >= 0) /* otherwise the process ended meanwhile */
                        n++;
        }
        closedir(dir);
        list_sort(list, n, sizeof *list, proc_by_pid);
        *ret = TAKE(list);
        *ret_n = n;
        return 0;
}

bool proc_has_marker(pid_t pid, const char *prefix) {
        _cleanup_free_ char *buf = NULL;
        size_t len = strlen(prefix);
        char path[64];
        ssize_t n;

        snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
        buf = xmalloc(PROC_ENVIRON_MAX);
        n = proc_file_read(path, buf, PROC_ENVIRON_MAX);
        for (char *p = buf; n > 0 && p < buf + n; p += strlen(p) + 1)
                if (strncmp(p, prefix, len) == 0 && (p[len] == 0 || p[len] == '/'))
                        return true;
        return false;
}

int proc_real_uid(pid_t pid, uid_t *ret) {
        char path[64], buf[PROC_STATUS_MAX];
        const char *line;
        unsigned uid;
        ssize_t n;

        snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
        n = proc_file_read(path, buf, sizeof buf);
        if (n < 0)
                return (int)n;
        line = strstr(buf, "\nUid:");
        if (!line || sscanf(line, " Uid: %u", &uid) != 1)
                return -ESRCH;
        *ret = uid;
        return 0;
}

void pid_set_add(struct pid_set *set, pid_t pid) {
        GROW(set->pid, set->allocated, set->n);
        set->pid[set->n++] = pid;
}

bool pid_set_has(const struct pid_set *set, pid_t pid) {
        for (size_t i = 0; i < set->n; i++)
                if (set->pid[i] == pid)
                        return true;
        return false;
}

void pid_set_done(struct pid_set *set) {
        free(set->pid);
        *set = (struct pid_set){ 0 };
}
