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

/* Opens the group for CLONE_INTO_CGROUP (Linux 5.7). Returns -1 where the group has other folders,
   which must be entered, too, or cannot be opened. */
static int v2_open_birthplace(const struct cg *g) {
        for (size_t i = CG_MAIN + 1; i < CG_PART_MAX; i++)
                if (g->folder[i])
                        return -1;
        return open(g->folder[CG_MAIN], O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Calls clone3() directly: libc's fork() would also run handlers and update the thread ID, both
   needless for the child of a program with one thread, which execs. */
static pid_t v2_fork_inside(struct cg *g) {
        struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
        _cleanup_close_ int fd = v2_open_birthplace(g);

        if (fd < 0)
                return -1;
        args.cgroup = (uint64_t)fd;
        return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

#ifdef __x86_64__
/* libc has no function for clone3(), and a child on a stack of its own cannot return from
   syscall().  The machine's calling convention wants a stack aligned to 16 bytes before a call. */
static long clone_shared(struct clone_args *args, void (*begin)(void *arg), void *arg) {
        long r;

        __asm__ volatile("syscall\n\t"
                         "test %%rax, %%rax\n\t"
                         "jnz 1f\n\t"
                         "mov %[arg], %%rdi\n\t"
                         "call *%[begin]\n\t"
                         "hlt\n"
                         "1:"
                         : "=a"(r)
                         : "0"((long)SYS_clone3), "D"(args),
                         "S"(sizeof *args), [begin] "r"(begin), [arg] "r"(arg)
                         : "rcx", "r11", "cc", "memory");
        return r;
}

static pid_t v2_fork_shared(struct cg *g, void *stack, size_t size, void (*begin)(void *arg),
                void *arg) {
        struct clone_args args = {
                .flags = CLONE_INTO_CGROUP | CLONE_VM | CLONE_VFORK,
                .exit_signal = SIGCHLD,
                .stack = (uintptr_t)stack,
                .stack_size = size / 16 * 16,
        };
        _cleanup_close_ int fd = v2_open_birthplace(g);

        assert((uintptr_t)stack % 16 == 0);
        if (fd < 0)
                return -1;
        args.cgroup = (uint64_t)fd;
        long r = clone_shared(&args, begin, arg);
        return r > 0 ? (pid_t)r : -1;
}
#else
#define v2_fork_shared NULL
#endif

const struct cg_ops cg_v2 = {
        .name = "cgroup/v2",
        .key = "v2",
        .events_file = "cgroup.events",
        .enter = group_enter,
        .move = group_move,
        .fork_inside = v2_fork_inside,
        .fork_shared = v2_fork_shared,
        .pids = group_pids,
        .populated = v2_populated,
        .set_frozen = v2_set_frozen,
        .frozen = v2_frozen,
        .asked = v2_asked,
        .kill = v2_kill,
        .remove = group_remove,
        .tasks = true,
};
