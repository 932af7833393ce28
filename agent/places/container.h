/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/places/container.h - a mount namespace for each job on a node, with folders of its own
 *
 * BASE/.lock is held by the one slumberd that uses it, and names its node: what its jobs have there
 * outlives it.  BASE/JOB-RESTARTS/ has "ns", where the namespace is mounted, so that it outlives
 * all daemons, and the private folders, which are mounted over /tmp and others inside.  BASE is
 * root's alone, and a mount that propagates nothing.  "init" names the process of an init script
 * that runs, and "ends" says that the job is being ended. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct container {
        const char *path;         /* BASE/JOB-RESTARTS */
        const char *dirs;         /* absolute paths, by commas; /dev/shm is an empty tmpfs */
        const char *init_script;  /* NULL or "": none; root's, within the namespace */
        char *const *environment; /* of that; ends with NULL */
        bool shared;              /* what is mounted on the node later is seen there, too */
};

/* Makes the namespace if there is none; blocks for the init script, 60 s at most.  *ret is
   container_enter()'s. */
int container_open(const struct container *c, int *ret, struct fail *fail);
/* The calling process, which has one thread, is in that namespace from now on; its working folder
   is the root. */
int container_enter(int ns);

/* Slumberd, before jobs: BASE is there (made: make), fit, mounted, and its own: *ret_lock is to be
   kept open.  node: of this slumberd.  -EBUSY: another one has it, or its node's jobs still do;
   their folders have the same names as those of this one. */
int container_base(const char *base, const char *node, bool make, int *ret_lock, struct fail *fail);
/* The last part of that: BASE is its own. */
int container_lock(const char *base, const char *node, int *ret_lock, struct fail *fail);
/* The job is being ended: its init script is killed, and does not begin any more. */
void container_interrupt(const char *path);
/* The job is gone: its namespace, and by a child (*ret_pid, 0: there was nothing), its folders. */
int container_end(const char *path, pid_t *ret_pid, struct fail *fail);
/* Folders of jobs that known() does not know are removed; child() is given each child. */
void container_clean(const char *base, bool (*known)(uint32_t job, uint32_t restarts, void *user),
                void (*child)(pid_t pid, void *user), void *user);
