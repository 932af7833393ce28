/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup v2, by cgroup.freeze, cgroup.events and cgroup.kill. Freezing needs Linux 5.2, the atomic
 * kill 5.14; older kernels freeze the group while killing its members. */
#include "cgroup/group.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>

static int v2_event(struct cg *g, const char *key) {
        uint64_t value = 0;
        int r = file_read_key(g->folder[CG_MAIN], "cgroup.events", key, &value);

        return r < 0 ? r : value != 0;
}

static int v2_populated(struct cg *g) {
        int r = v2_event(g, "populated");

        return r == -ENOENT || r == -ENODEV ? 0 : r;
}

static int v2_set_frozen(struct cg *g, bool frozen) {
        return file_write(g->folder[CG_MAIN], "cgroup.freeze", frozen ? "1" : "0");
}

static int v2_frozen(struct cg *g) {
        return v2_event(g, "frozen");
}

static bool v2_asked(struct cg *g) {
        char wish[8];

        return file_read(g->folder[CG_MAIN], "cgroup.freeze", wish, sizeof wish) >= 0 &&
               streq(wish, "1");
}

static int v2_kill(struct cg *g) {
        int r = file_write(g->folder[CG_MAIN], "cgroup.kill", "1");

        return r == -ENOENT && access(g->folder[CG_MAIN], F_OK) == 0 ? group_kill_frozen(g) : r;
}

/* Needs Linux 5.7. Calls clone3() directly: libc's fork() would also run handlers and update the
   thread ID, both needless for the child of a program with one thread, which execs. */
static pid_t v2_fork_inside(struct cg *g) {
        struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };

        for (size_t i = CG_MAIN + 1; i < CG_PART_MAX; i++)
                if (g->folder[i])
                        return -1; /* other folders must be entered, too */
        _cleanup_close_ int fd = open(g->folder[CG_MAIN], O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -1;
        args.cgroup = (uint64_t)fd;
        return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

const struct cg_ops cg_v2 = {
        .name = "cgroup/v2",
        .key = "v2",
        .events_file = "cgroup.events",
        .enter = group_enter,
        .move = group_move,
        .fork_inside = v2_fork_inside,
        .pids = group_pids,
        .populated = v2_populated,
        .set_frozen = v2_set_frozen,
        .frozen = v2_frozen,
        .asked = v2_asked,
        .kill = v2_kill,
        .remove = group_remove,
        .tasks = true,
};
