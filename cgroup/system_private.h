/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/system_private.h - inside cgroup/: what is known of the machine, and what its files call
 */
#pragma once

#include "cgroup/roots.h"
#include "cgroup/system.h"

#define V1_SWAP "memory.memsw.limit_in_bytes"

/* A group that is to be made. */
struct place {
        struct cg_root *root;
        const char *name; /* "job7-0/3", "job_7/step_3" */
        uid_t uid;
};

struct driver {
        const char *key;
        int (*probe)(struct cg_system *s, struct fail *fail);
        /* parts[CG_MAIN] is set; make may add others, which the caller frees. */
        int (*make)(struct cg_system *s, const struct place *place, const struct cg_limits *limits,
                        char **parts, struct fail *fail);
        const struct cg_ops *ops;
};

struct cg_system {
        const struct driver *driver;
        char *base;            /* with "slumber-NODE" in it, whole path; NULL: none */
        char *mark;            /* "slumber-NODE" */
        enum cg_layout layout; /* of new jobs */
        struct cg_root roots[CG_LAYOUT_MAX];
        char *v1_mount[CG_PART_MAX]; /* NULL: not there */
        bool v2_devices;
        bool own_leaf;         /* v2: this process made its own group */
        char *confined;        /* whole path of the group of cg_system_confine(); NULL: none */
        struct cg_setup setup; /* a copy */
        char *unit;            /* of systemd, which has started the agent; NULL: it has not */
        bool scope;            /* base is a scope */
        struct cg *supervisor; /* in a scope: where step daemons are */
};

static inline struct cg_root *system_own_root(struct cg_system *s) {
        return &s->roots[CG_LAYOUT_SLUMBER];
}

/* ---- system.c ---- */
int system_make_folder(const char *path, struct fail *fail); /* 0 also where it is there */
void system_cut_end(char *path, const char *end);
/* Where cgroup2 is mounted; the caller frees. NULL: nowhere. */
char *system_v2_mount(void);
/* Groups in folder, of v2, may have these controllers. */
void system_enable(const char *folder, bool *memory, bool *cpuset);
/* The configured root relative to the mount point, or this process's own path; both without a
   slash at the end, "" is the hierarchy's root.  controller: of v1; NULL: v2.  NULL: there is none;
   the caller frees. */
char *system_base_path(const char *mount, const struct cg_setup *setup, const char *controller);

/* ---- system_v1.c ---- */
int system_v1_probe(struct cg_system *s, struct fail *fail); /* as struct driver */
int system_v1_make(struct cg_system *s, const struct place *p, const struct cg_limits *limits,
                char **parts, struct fail *fail);
/* Makes the folder of one controller below its mount point, with those above it. */
int system_v1_create(enum cg_part part, const char *name);
/* Where its controllers are that limit and account. */
void system_find_v1(struct cg_system *s, const struct cg_setup *setup);
/* Sets the limits of a group that controllers of v1 enforce.  Adds the folders that it makes to
   ret; the caller frees them. */
int system_v1_limits(struct cg_system *s, const struct place *place, const struct cg_limits *limits,
                char *ret[CG_PART_MAX], struct fail *fail);

/* ---- system_slurm.c ---- */
/* Before the probe: what s->setup asks for, and what systemd says. */
void system_choose_layout(struct cg_system *s);
/* After it: where v1's limits are, and Slurm's layout.  Without the latter new jobs are in
   Slumber's, and *passed says why. */
void system_find_roots(struct cg_system *s, struct fail *passed);
/* Finds Slurm's layout again, where its folders were removed by hand. */
int system_take_slurm(struct cg_system *s, struct fail *fail);
int system_find_slurm(struct cg_system *s, struct fail *fail); /* ... or its scope has ended */
/* Removes the root's folders; false: groups of jobs are in them, and all stay. */
bool system_leave_root(struct cg_system *s, const struct cg_root *root);
