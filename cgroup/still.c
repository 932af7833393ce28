/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds groups that are idle although the kernel does not report them as frozen.
 *
 * A thread waiting in the kernel without reacting to signals (state D: the server of its file
 * system is frozen, too, or its disk does not answer) freezes only when it returns to its program.
 * Until then it uses no CPU. */
#include "cgroup/group.h"

#include <dirent.h>
#include <signal.h>

/* Reads "RUN_NS WAIT_NS TIMES"; 0 if the kernel does not count. */
static uint64_t used_by(const char *folder) {
        unsigned long long run = 0, times = 0;
        char buf[128];

        if (file_read(folder, "schedstat", buf, sizeof buf) < 0 ||
                        sscanf(buf, "%llu %*u %llu", &run, &times) != 2)
                return 0;
        return run + times;
}

static void add_thread(struct cg_threads *t, const char *folder) {
        char buf[1024], state;
        const char *close;

        if (file_read(folder, "stat", buf, sizeof buf) < 0 || !(close = strrchr(buf, ')')) ||
                        sscanf(close + 1, " %c", &state) != 1)
                return; /* ended meanwhile */
        t->n++;
        t->runs += state == 'R';
        t->stuck += state == 'D';
        t->used += used_by(folder);
}

static void add_threads_of(struct cg_threads *t, pid_t pid) {
        char path[64];
        struct dirent *d;

        snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
        DIR *dir = opendir(path);
        while (dir && (d = readdir(dir))) {
                if (d->d_name[0] == '.')
                        continue;
                _cleanup_free_ char *folder = xasprintf("%s/%s", path, d->d_name);
                add_thread(t, folder);
        }
        if (dir)
                closedir(dir);
}

void cg_threads(struct cg *g, struct cg_threads *ret) {
        struct pid_set set = { 0 };

        *ret = (struct cg_threads){ 0 };
        if (g->ops->pids(g, &set) >= 0)
                for (size_t i = 0; i < set.n; i++)
                        add_threads_of(ret, set.pid[i]);
        pid_set_done(&set);
}

bool cg_stood_still(const struct cg_threads *before, const struct cg_threads *now) {
        return now->stuck && !now->runs && !before->runs && now->n == before->n &&
               now->used == before->used;
}

static bool is_told_to_stop(pid_t pid) {
        _cleanup_free_ char *folder = xasprintf("/proc/%d", (int)pid);
        char buf[4096];
        unsigned long long pending = 0;
        const char *line = NULL;

        if (file_read(folder, "status", buf, sizeof buf) >= 0)
                line = strstr(buf, "\nShdPnd:");
        return line && sscanf(line, " ShdPnd: %llx", &pending) == 1 &&
               (pending >> (SIGSTOP - 1) & 1);
}

bool cg_is_told_to_stop(struct cg *g) {
        struct pid_set set = { 0 };
        bool told = false;

        if (g->ops->pids(g, &set) >= 0)
                for (size_t i = 0; i < set.n && !told; i++)
                        told = is_told_to_stop(set.pid[i]);
        pid_set_done(&set);
        return told;
}
