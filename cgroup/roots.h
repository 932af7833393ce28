/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/roots.h - folders with the groups of all jobs of a node, in one of two layouts
 *
 *     slumber   BASE/slumber-NODE/job7-0/3                  in each hierarchy
 *     slurm     BASE/slurmstepd.scope/job_7/step_3          of cgroup v2, with user/task_0 below
 *               BASE/slurm/uid_1000/job_7/step_3            of each controller of v1
 *
 * The second one is where programs that were written for Slurm look.  Its folders may be another
 * slumberd's, or a real Slurm's: an empty group "slumber-NODE" in them says whose they are. */
#pragma once

#include "cgroup/group.h"

enum cg_layout {
        CG_LAYOUT_SLUMBER,
        CG_LAYOUT_SLURM,
        CG_LAYOUT_MAX,
};

struct cg_root {
        char *folder; /* whole path, of the kind that freezes; NULL: there is no such root */
        char *v1_name[CG_PART_MAX]; /* likewise below the mount points of v1; NULL: not there */
        bool memory, cpuset;        /* controllers of v2 that its groups have */
};

void root_done(struct cg_root *root);
/* Makes folder and the empty group mark in it.  -EBUSY: it is another's, and is left as it was. */
int root_take(const char *folder, const char *mark);
bool root_is_taken(const char *folder, const char *mark); /* by the owner of mark */
/* Removes the mark, and the folder where nothing else is in it; false: groups of jobs are in it,
   and both stay. */
bool root_leave(const char *folder, const char *mark);

/* The layout that a job's or a step's group with that name is in: "job_7/step_3" is Slurm's. */
enum cg_layout layout_of(const char *name);
/* Where the group is below a root; v1: of a v1 controller.  The caller frees. */
char *layout_path(const char *name, bool v1, uid_t uid);
/* The root of the n-th choice, 0 or 1, of a node: "slurmstepd.scope", "n1_slurmstepd.scope"; v1:
   "slurm", "slurm_n1".  The caller frees. */
char *layout_root_name(unsigned n, bool v1, const char *node);
/* The unit of systemd with jobs of the service unit ("slumberd", "slumberd@n1"); the caller
   frees. */
char *layout_scope_name(enum cg_layout layout, const char *unit);
