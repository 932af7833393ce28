/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/system_private.h - properties of the machine, and functions shared by the system files;
 * for cgroup/ only */
#pragma once

#include "cgroup/roots.h"
#include "cgroup/system.h"

#define V1_SWAP "memory.memsw.limit_in_bytes"

/* A group to be made. */
struct place {
        struct cg_root *root;
        const char *name; /* "job7-0/3", "job_7/step_3" */
        uid_t uid;
        bool fresh; /* set by make(): the group was not there before */
};

struct driver {
        const char *key;
        int (*probe)(struct cg_system *s, struct fail *fail);
        /* parts[CG_MAIN] is set; make() may set others, which the caller frees. */
        int (*make)(struct cg_system *s, struct place *place, const struct cg_limits *limits,
                        char **parts, struct fail *fail);
        const struct cg_ops *ops;
};

struct cg_system {
        const struct driver *driver;
        char *base;            /* full path of the folder with "slumber-NODE"; NULL: none */
        char *mark;            /* "slumber-NODE" */
        enum cg_layout layout; /* for new jobs */
        struct cg_root roots[CG_LAYOUT_MAX];
        char *v1_mount[CG_PART_MAX]; /* NULL: not mounted */
        bool v2_devices;
        bool own_leaf;         /* v2: this process has made its own group */
        char *confined;        /* full path of cg_system_confine()'s group; NULL: none */
        struct cg_setup setup; /* a copy */
        char *unit;            /* systemd unit of slumberd; NULL: not started by systemd */
        bool scope;            /* base is a scope */
        struct cg *supervisor; /* group of the step daemons, in a scope */
};

static inline struct cg_root *system_own_root(struct cg_system *s) {
        return &s->roots[CG_LAYOUT_SLUMBER];
}

/* ---- system.c ---- */
void system_cut_end(char *path, const char *end);
/* Returns the mount point of cgroup2; the caller frees. NULL: not mounted. */
char *system_v2_mount(void);
/* Enables controllers for v2 groups in folder; clears those unavailable. */
void system_enable(const char *folder, bool *memory, bool *cpuset);
/* Returns the configured root relative to the mount point, or this process's own path; without a
   final slash; "" is the hierarchy's root. controller: of v1; NULL: v2. NULL: not found; the caller
   frees. */
char *system_base_path(const char *mount, const struct cg_setup *setup, const char *controller);

/* ---- system_v1.c ---- */
int system_v1_probe(struct cg_system *s, struct fail *fail); /* see struct driver */
int system_v1_make(struct cg_system *s, struct place *p, const struct cg_limits *limits,
                char **parts, struct fail *fail);
/* Makes the folder of one controller below its mount point, with its parents. */
int system_v1_create(enum cg_part part, const char *name);
/* Finds v1's controllers for limits and accounting. */
void system_find_v1(struct cg_system *s, const struct cg_setup *setup);
/* Sets the limits that v1 controllers enforce. Adds the folders made to ret; the caller frees
   them. */
int system_v1_limits(struct cg_system *s, const struct place *place, const struct cg_limits *limits,
                char *ret[CG_PART_MAX], struct fail *fail);

/* ---- system_slurm.c ---- */
/* Chooses the layout, before the probe, by s->setup and systemd. */
void system_choose_layout(struct cg_system *s);
/* Finds, after the probe, v1's controllers and the root of Slurm's layout. If the latter fails, new
   jobs use Slumber's layout, and *passed has the reason. */
void system_find_roots(struct cg_system *s, struct fail *passed);
/* Finds or makes the root of Slurm's layout again after removal by hand. */
int system_take_slurm(struct cg_system *s, struct fail *fail);
/* Used also after the end of the scope. */
int system_find_slurm(struct cg_system *s, struct fail *fail);
/* Removes the root's folders; false: groups of jobs exist, and all folders stay. */
bool system_leave_root(struct cg_system *s, const struct cg_root *root);
