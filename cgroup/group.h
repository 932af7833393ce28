/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/group.h - operations that each kind of group implements; for cgroup/ only */
#pragma once

#include "cgroup/cgroup.h"
#include "cgroup/proc.h"

enum cg_part { /* folders of a group: the one that freezes, and v1's others */
        CG_MAIN,
        CG_MEMORY,
        CG_CPUSET,
        CG_DEVICES,
        CG_CPUACCT, /* no limits: for programs reading accounting files */
        CG_PART_MAX,
};

struct members { /* sorted by pid */
        struct proc_entry *entry;
        size_t n;
        size_t still; /* the first members, already seen stopped */
};

struct cg {
        const struct cg_ops *ops;
        char *folder[CG_PART_MAX]; /* NULL: controller without a separate folder */
        char *handle, *events;
        /* Kind "none": members that got SIGSTOP in the last pass; empty before the first pass. */
        struct members told;
        bool fresh; /* it was not there before cg_system_make() or cg_system_make_job() */
};

struct cg_ops {
        const char *name, *key;                    /* "cgroup/v2"; word in handles: "v2" */
        const char *events_file;                   /* NULL: must poll */
        int (*set_owner)(struct cg *g, uid_t uid); /* NULL: no effect */
        int (*enter)(struct cg *g);
        int (*move)(struct cg *g, pid_t pid); /* NULL: only children can be members */
        /* Negative: failed, use fork and enter; NULL: never possible. */
        pid_t (*fork_inside)(struct cg *g);
        /* as cg_fork_shared(); NULL: never */
        pid_t (*fork_shared)(struct cg *g, void *stack, size_t size, void (*begin)(void *arg),
                        void *arg);
        int (*pids)(struct cg *g, struct pid_set *set);
        int (*populated)(struct cg *g);
        int (*set_frozen)(struct cg *g, bool frozen);
        bool refuses_self; /* set_frozen() checks for -EDEADLK itself, while listing members */
        int (*frozen)(struct cg *g);
        bool (*asked)(struct cg *g); /* a freeze was requested, or a thaw not completed */
        int (*kill)(struct cg *g);
        int (*remove)(const char *folder);
        bool tasks; /* tasks have groups of their own in Slurm's layout */
};

extern const struct cg_ops cg_v2, cg_v1, cg_none;

/* Makes a group from copies of parts; parts[CG_MAIN] must be set. */
struct cg *cg_new(const struct cg_ops *ops, const char *const parts[CG_PART_MAX]);

/* Shared by v1 and v2, which both have folders and cgroup.procs. */
int group_enter(struct cg *g);
int group_move(struct cg *g, pid_t pid);
int group_pids(struct cg *g, struct pid_set *set);
int group_remove(const char *folder);
/* Freezes, kills each member, thaws: for kinds without an atomic kill. */
int group_kill_frozen(struct cg *g);
int file_write(const char *folder, const char *name, const char *text);
/* Checks that memory of groups in folder can be reclaimed: 0, or -EOPNOTSUPP with the reason. proc:
   "/proc". */
int group_can_reclaim(const char *folder, const char *proc, struct fail *why);
/* Reads at most size - 1 bytes without the last newline. */
int file_read(const char *folder, const char *name, char *buf, size_t size);
/* Reads the number after "key " from a file of such lines; -ENODATA: no such key. */
int file_read_key(const char *folder, const char *name, const char *key, uint64_t *ret);
