/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reclaims memory of a group to swap: memory.reclaim of cgroup v2 (Linux 5.19).
 *
 * A write of a number of bytes returns after the memory was reclaimed, seconds for gigabytes, or
 * with -EAGAIN if the kernel found less. Writes are small, so that a signal ends the call soon, and
 * memory use is read after each write: the kernel reclaims a little more or less than requested. */
#include "cgroup/group.h"

#include <time.h>

#define PIECE     (32ull << 20)        /* at a time: some 0.1 s of writing to a disk */
#define TRIES     10                   /* tries without a decrease of memory use */
#define TRY_AGAIN (50 * USEC_PER_MSEC) /* memory being written is free a moment later */

static bool has_memory_v2(const struct cg *g) {
        return g->ops == &cg_v2 && !g->folder[CG_MEMORY];
}

int cg_memory_current(struct cg *g, uint64_t *ret) {
        char buf[64];

        if (!has_memory_v2(g))
                return -EOPNOTSUPP;
        int r = file_read(g->folder[CG_MAIN], "memory.current", buf, sizeof buf);
        if (r < 0)
                return r;
        *ret = strtoull(buf, NULL, 10);
        return 0;
}

static void pause_for(usec_t t) {
        const struct timespec ts = { (time_t)(t / USEC_PER_SEC), (long)(t % USEC_PER_SEC) * 1000 };

        (void)nanosleep(&ts, NULL);
}

int cg_memory_push_out(struct cg *g, uint64_t keep) {
        uint64_t now, least;
        int r = cg_memory_current(g, &now);

        least = r < 0 ? 0 : now;
        for (unsigned in_vain = 0; r >= 0 && now > keep && in_vain < TRIES;) {
                char text[32];
                snprintf(text, sizeof text, "%llu\n", (unsigned long long)MIN(now - keep, PIECE));
                r = file_write(g->folder[CG_MAIN], "memory.reclaim", text);
                if (r == -EAGAIN || r == -EINTR)
                        r = 0;
                if (r >= 0)
                        r = cg_memory_current(g, &now);
                if (r >= 0 && now >= least) {
                        in_vain++;
                        pause_for(TRY_AGAIN);
                } else {
                        in_vain = 0;
                        least = now;
                }
        }
        return r;
}

/* ---- is reclaim possible? ---- */

/* Checks folder and its parents; the root has no such file. */
static int check_swap_allowed(const char *folder, struct fail *why) {
        _cleanup_free_ char *path = xstrdup(folder);
        char value[64];

        while (strrchr(path, '/') && file_read(path, "memory.swap.max", value, sizeof value) >= 0) {
                if (streq(value, "0"))
                        return fail_set(why, -EOPNOTSUPP, "%s/memory.swap.max is 0", path);
                *strrchr(path, '/') = 0;
        }
        return 0;
}

int group_can_reclaim(const char *folder, const char *proc, struct fail *why) {
        _cleanup_free_ char *file = xasprintf("%s/memory.reclaim", folder);
        uint64_t total = 0;

        if (access(file, W_OK) < 0)
                return fail_set(why, -EOPNOTSUPP, "the kernel has no memory.reclaim in %s", folder);
        if (file_read_key(proc, "meminfo", "SwapTotal:", &total) < 0 || total == 0)
                return fail_set(why, -EOPNOTSUPP, "the node has no swap");
        return check_swap_allowed(folder, why);
}
