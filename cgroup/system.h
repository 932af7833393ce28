/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/system.h - the machine's kind of groups, their folders and limits
 *
 * Determined once when slumberd starts. Groups are below a root in one of two layouts (roots.h):
 * BASE/slumber-NODE, where BASE is the configured folder, a systemd scope if systemd has started
 * slumberd (scope.h), or slumberd's own cgroup; or Slurm's paths. Jobs started by an earlier
 * slumberd in the other layout stay there. cgroup v2 allows processes in leaves only:
 * BASE/supervisor is for slumberd itself in its own cgroup, and in a scope for step daemons, which
 * must not end with slumberd's service. */
#pragma once

#include "cgroup/cgroup.h"

struct cg_system;

struct cg_setup {
        const char *kind; /* "auto", "v2", "v1", "none"; NULL: auto */
        /* Absolute path below the mount point, or relative to it; NULL: own cgroup. */
        const char *root;
        const char *layout;    /* "auto", "slurm", "slumber"; NULL: auto, slurm in a scope */
        const char *node;      /* distinguishes several slumberds on one machine */
        const char *name;      /* node's name in paths of Slurm's layout; NULL: node */
        const char *state_dir; /* private folder for the files of kind none */
        const char *holder;    /* program for scope_open(); NULL: never use a scope */
};

struct cg_device {
        bool block;
        unsigned major, minor;
};

#define CG_NO_LIMIT UINT64_MAX
struct cg_limits {
        const struct cg_device *denied; /* devices that processes must not open; NULL: none */
        size_t n_denied;
        uint64_t memory;  /* bytes; 0: unchanged; CG_NO_LIMIT: lift limits of memory and swap */
        uint64_t soft;    /* bytes from which use is throttled; 0: none */
        bool limit_swap;  /* only with memory */
        uint64_t swap;    /* bytes of swap in addition to memory */
        const char *cpus; /* "0-3,6"; NULL: all */
        bool set_swappiness;
        uint32_t swappiness; /* 0 to 100, if cg_system_has_swappiness() */
};

/* why: with auto, reasons for skipping better kinds ("" if the best is used). */
int cg_system_open(const struct cg_setup *setup, struct cg_system **ret, struct fail *why);
struct cg_system *cg_system_free(struct cg_system *s);
DEFINE_CLEANUP(struct cg_system *, cg_system_free)
const char *cg_system_kind(const struct cg_system *s);
const char *cg_system_folder(const struct cg_system *s); /* BASE/slumber-NODE */
bool cg_system_limits_memory(const struct cg_system *s);
bool cg_system_limits_swap(const struct cg_system *s);
bool cg_system_has_swappiness(const struct cg_system *s); /* false for cgroup v2 */
/* Checks that cg_memory_push_out() works for groups made here: 0, or -EOPNOTSUPP with the
   reason. */
int cg_system_reclaims(const struct cg_system *s, struct fail *why);
bool cg_system_limits_cpus(const struct cg_system *s);
bool cg_system_limits_devices(const struct cg_system *s);

struct cg_job {
        uint32_t id, restarts;
        uid_t uid;
        bool known;   /* an earlier slumberd may have made the group: open it */
        bool another; /* an earlier run of the job is still on the node: use another group */
};
#define CG_NO_USER ((uid_t)-1) /* the job's user is unknown */

/* Makes or opens the job's group, without limits. */
int cg_system_make_job(struct cg_system *s, const struct cg_job *job, struct cg **ret,
                struct fail *fail);
/* Makes or opens the group of step "3" of job; step NULL: of the job itself. uid: the job's user,
   part of the path in Slurm's layout of v1. Limits that the machine does not support are ignored
   (ask before); limits NULL: none. */
int cg_system_make(struct cg_system *s, const struct cg *job, const char *step, uid_t uid,
                const struct cg_limits *limits, struct cg **ret, struct fail *fail);
/* Returns the groups of jobs, without steps; NULL-terminated; the caller frees all. */
struct cg **cg_system_list(struct cg_system *s);
/* Removes v1 folders of limits whose job has no group any more. */
void cg_system_tidy(struct cg_system *s);
/* fork() of a process with one thread for a child that must outlive slumberd: born outside
   slumberd's group, beside the jobs. */
pid_t cg_system_fork(struct cg_system *s);
/* Puts slumberd and its future children (also of cg_system_fork()) into a group limited to memory
   bytes; 0: no limit. Exceeding the limit kills no process: processes wait for memory (v1) or are
   throttled (v2). Groups made later are outside. Under systemd step daemons have a group of their
   own, and slumberd its service. Returns 1 if slumberd has just moved, else 0. -EOPNOTSUPP:
   slumberd's group is shared; why has advice. */
int cg_system_confine(struct cg_system *s, uint64_t memory, struct fail *fail);
/* Cuts "supervisor" or "supervisor-NODE", slumberd's own leaf, from the end of a group's path;
   keeps other paths. The result has no final slash. */
void cg_cut_leaf(char *path, const char *node);
/* Removes the node's folder if empty. */
void cg_system_remove(struct cg_system *s);
