/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/system.h - which kind of group this machine has, where they are made, and their limits
 *
 * Found once when the agent starts.  Groups are below a root in one of two layouts (see roots.h):
 * BASE/slumber-NODE, where BASE is the folder that was configured, or a systemd scope if systemd
 * has started the agent (see scope.h), or the agent's own cgroup; or where Slurm has them.  Jobs
 * that an earlier agent has begun in the other layout stay in that.  cgroup v2 wants processes in
 * leaves only: BASE/supervisor is for the agent itself in its own cgroup, and in a scope for the
 * step daemons, which must not end with the agent's service. */
#pragma once

#include "cgroup/cgroup.h"

struct cg_system;

struct cg_setup {
        const char *kind;   /* "auto", "v2", "v1", "none"; NULL = auto */
        const char *root;   /* absolute path below the mount point, or relative to it; NULL = own */
        const char *layout; /* "auto", "slurm", "slumber"; NULL = auto: slurm in a scope */
        const char *node;   /* several agents may live on one machine */
        const char *name;   /* of the node, where Slurm's layout has it in a path; NULL = node */
        const char *state_dir; /* an own folder where kind none keeps its notes */
        const char *holder;    /* for scope_open(); NULL: never a scope */
};

struct cg_device {
        bool block;
        unsigned major, minor;
};

#define CG_NO_LIMIT UINT64_MAX
struct cg_limits {
        const struct cg_device *denied; /* what its processes must not open; NULL: nothing */
        size_t n_denied;
        uint64_t memory;  /* bytes, 0 = as it is, CG_NO_LIMIT = of both lifted */
        uint64_t soft;    /* ... from where on its use is held down; 0 = none */
        bool limit_swap;  /* only with memory: */
        uint64_t swap;    /* bytes of swap beside it */
        const char *cpus; /* "0-3,6"; NULL = all */
        bool set_swappiness;
        uint32_t swappiness; /* 0 to 100, where cg_system_has_swappiness() */
};

/* why: for auto, what was passed over and for which reason ("" if the best was taken). */
int cg_system_open(const struct cg_setup *setup, struct cg_system **ret, struct fail *why);
struct cg_system *cg_system_free(struct cg_system *s);
DEFINE_CLEANUP(struct cg_system *, cg_system_free)
const char *cg_system_kind(const struct cg_system *s);
const char *cg_system_folder(const struct cg_system *s); /* BASE/slumber-NODE */
bool cg_system_limits_memory(const struct cg_system *s);
bool cg_system_limits_swap(const struct cg_system *s);
bool cg_system_has_swappiness(const struct cg_system *s); /* cgroup v2 has none */
/* cg_memory_push_out() can do something for groups made here: 0, or -EOPNOTSUPP and why not. */
int cg_system_reclaims(const struct cg_system *s, struct fail *why);
bool cg_system_limits_cpus(const struct cg_system *s);
bool cg_system_limits_devices(const struct cg_system *s);

struct cg_job {
        uint32_t id, restarts;
        uid_t uid;
        bool known;   /* an earlier agent may have made its group: that is opened */
        bool another; /* another run of the job is on the node still: not in the same group */
};
#define CG_NO_USER ((uid_t)-1) /* whose job it is is not known */

/* The job's group, without limits. */
int cg_system_make_job(struct cg_system *s, const struct cg_job *job, struct cg **ret,
                struct fail *fail);
/* step: "3", of the group job; NULL: that one itself.  uid: the job's user, whose folder of v1 it
   is in where the layout has one.  Opens it if it is there.  Limits that the machine cannot set
   are left out (ask before); limits == NULL: none. */
int cg_system_make(struct cg_system *s, const struct cg *job, const char *step, uid_t uid,
                const struct cg_limits *limits, struct cg **ret, struct fail *fail);
/* The groups of jobs that are there, steps not; NULL-terminated, the caller frees all. */
struct cg **cg_system_list(struct cg_system *s);
/* Removes folders of v1's limits whose job has no group any more. */
void cg_system_tidy(struct cg_system *s);
/* As fork(), of a process with one thread that must outlive the agent: it is born beside the
   jobs. */
pid_t cg_system_fork(struct cg_system *s);
/* The agent, and what it forks from now on (cg_system_fork(), too), is in a group of its own with
   so many bytes of memory, 0: without a limit.  Nothing in it is killed for want of memory: what
   would go beyond waits for memory (v1), or is held up (v2).  The groups made from now on are
   outside of it.  Under systemd step daemons have a group of their own, and the agent its service.
   1: the agent has moved there just now; 0.  -EOPNOTSUPP: its group is not its own, and what to do
   instead. */
int cg_system_confine(struct cg_system *s, uint64_t memory, struct fail *fail);
/* path of a group, without a "/" at its end: of BASE, where it is that of a group that an agent of
   node has made for itself, "supervisor" or "supervisor-NODE"; else as it is. */
void cg_cut_leaf(char *path, const char *node);
/* Forgets the node's folder when it is empty. */
void cg_system_remove(struct cg_system *s);
