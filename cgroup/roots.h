/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/roots.h - root folders of the groups of a node's jobs, in one of two layouts
 *
 *   slumber   BASE/slumber-NODE/job7-0/3              in each hierarchy
 *   slurm     BASE/slurmstepd.scope/job_7/step_3      of cgroup v2, with user/task_0 below
 *             BASE/slurm/uid_1000/job_7/step_3        of each controller of v1
 *
 * Programs written for Slurm look in Slurm's layout. Its root may belong to another slumberd or to
 * a real Slurm: an empty group "slumber-NODE" inside marks the owner. */
#pragma once

#include "cgroup/group.h"

enum cg_layout {
        CG_LAYOUT_SLUMBER,
        CG_LAYOUT_SLURM,
        CG_LAYOUT_MAX,
};

struct cg_root {
        char *folder; /* full path in the hierarchy that freezes; NULL: no such root */
        char *v1_name[CG_PART_MAX]; /* path below each v1 mount point; NULL: none */
        bool memory, cpuset;        /* v2 controllers available to its groups */
};

void root_done(struct cg_root *root);
/* Creates folder and the empty group mark in it. -EBUSY: another owner; the folder is unchanged. */
int root_take(const char *folder, const char *mark);
bool root_is_taken(const char *folder, const char *mark); /* true: folder has the mark */
/* Removes the mark, and the folder if empty; false: groups of jobs exist, and both stay. */
bool root_leave(const char *folder, const char *mark);

/* Returns the layout of a group by name: "job_7/step_3" is Slurm's. */
enum cg_layout layout_of(const char *name);
/* Returns a group's path below a root; v1: for a v1 controller. The caller frees. */
char *layout_path(const char *name, bool v1, uid_t uid);
/* Returns root number n, 0 or 1, for a node: "slurmstepd.scope", "n1_slurmstepd.scope"; v1:
   "slurm", "slurm_n1". The caller frees. */
char *layout_root_name(unsigned n, bool v1, const char *node);
/* Returns the systemd unit for the jobs of a service unit ("slumberd", "slumberd@n1"); the caller
   frees. */
char *layout_scope_name(enum cg_layout layout, const char *unit);
