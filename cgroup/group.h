/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/group.h - inside cgroup/: what a kind of group must know how to do */
#pragma once

#include "cgroup/cgroup.h"
#include "cgroup/proc.h"

enum cg_part { /* folders of one group: the one that freezes, and v1's others */
        CG_MAIN,
        CG_MEMORY,
        CG_CPUSET,
        CG_DEVICES,
        CG_CPUACCT, /* limits nothing: for programs that look there */
        CG_PART_MAX,
};

struct members { /* by number */
        struct proc_entry *entry;
        size_t n;
        size_t still; /* so many of the first have been seen to stand still since */
};

struct cg {
        const struct cg_ops *ops;
        char *folder[CG_PART_MAX]; /* NULL: that controller has no folder of its own */
        char *handle, *events;
        /* kind "none": the members that were told to stop in the last pass; none before the
           first */
        struct members told;
};

struct cg_ops {
        const char *name, *key;                    /* "cgroup/v2"; the word in handles: "v2" */
        const char *events_file;                   /* NULL: must be polled */
        int (*set_owner)(struct cg *g, uid_t uid); /* NULL: it makes no difference */
        int (*enter)(struct cg *g);
        int (*move)(struct cg *g, pid_t pid); /* NULL: only children can be members */
        /* negative: not possible, fork and enter; NULL: never */
        pid_t (*fork_inside)(struct cg *g);
        int (*pids)(struct cg *g, struct pid_set *set);
        int (*populated)(struct cg *g);
        int (*set_frozen)(struct cg *g, bool frozen);
        bool refuses_self; /* set_frozen() says -EDEADLK itself, as it knows the members anyway */
        int (*frozen)(struct cg *g);
        bool (*asked)(struct cg *g); /* a freeze was asked for, or a thaw was begun and not ended */
        int (*kill)(struct cg *g);
        int (*remove)(const char *folder);
        bool tasks; /* in Slurm's layout the tasks of a step have groups of their own */
};

extern const struct cg_ops cg_v2, cg_v1, cg_none;

/* parts[CG_MAIN] must be set; copies them. */
struct cg *cg_new(const struct cg_ops *ops, const char *const parts[CG_PART_MAX]);

/* Shared by v1 and v2, which have the same folders and cgroup.procs. */
int group_enter(struct cg *g);
int group_move(struct cg *g, pid_t pid);
int group_pids(struct cg *g, struct pid_set *set);
int group_remove(const char *folder);
/* Freezes, kills each member, thaws: for kinds that cannot kill a whole group at once. */
int group_kill_frozen(struct cg *g);
int file_write(const char *folder, const char *name, const char *text);
/* What is in the memory of groups in folder could be pushed out: 0, or -EOPNOTSUPP and why not.
   proc: "/proc". */
int group_can_reclaim(const char *folder, const char *proc, struct fail *why);
/* At most size - 1 bytes; the last newline is cut. */
int file_read(const char *folder, const char *name, char *buf, size_t size);
/* The number behind "key " in a file of such lines; -ENODATA. */
int file_read_key(const char *folder, const char *name, const char *key, uint64_t *ret);
/* The same for n keys, into ret[n], read at once; -ENODATA: one is missing. */
int file_read_keys(const char *folder, const char *name, const char *const *keys, size_t n,
                uint64_t *ret);
