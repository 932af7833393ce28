/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/places/container.h - private mount namespaces and folders of jobs (job_container/tmpfs)
 *
 *     BASE/.lock          locked by the slumberd using BASE; the name of its node
 *     BASE/JOB-RESTARTS/  a job's folder:
 *         ns              the mounted namespace, outlives all daemons
 *         dir0, dir1...   private folders, mounted over /tmp and others in the namespace
 *         init            process of a running init script
 *         ends            the job is being ended
 *
 * BASE belongs to root alone, and is a mount without propagation. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct container {
        const char *path;         /* BASE/JOB-RESTARTS */
        const char *dirs;         /* absolute paths, by commas; /dev/shm becomes an empty tmpfs */
        const char *init_script;  /* run as root in the namespace; NULL or "": none */
        char *const *environment; /* environment of init_script; ends with NULL */
        bool shared;              /* later mounts on the node appear in the namespace, too */
};

/* Makes the namespace if missing, and waits up to 60 s for the init script. *ret is for
   container_enter(). */
int container_open(const struct container *c, int *ret, struct fail *fail);
/* Moves the calling process, which must have a single thread, into the namespace; its working
   folder becomes the root. */
int container_enter(int ns);

/* Called by slumberd before jobs start: checks BASE, makes BASE with make, mounts BASE, and locks
   BASE for this slumberd's node. *ret_lock must stay open. -EBUSY: another slumberd uses BASE, or
   jobs of its node do, with folders of equal names. */
int container_base(const char *base, const char *node, bool make, int *ret_lock, struct fail *fail);
/* The last part of container_base(): locks BASE. */
int container_lock(const char *base, const char *node, int *ret_lock, struct fail *fail);
/* The job is being ended: kills its init script, and keeps a later script from starting. */
void container_interrupt(const char *path);
/* The job has ended: removes its namespace, and its folders by a child process (*ret_pid, 0: no
   folders). */
int container_end(const char *path, pid_t *ret_pid, struct fail *fail);
/* Removes the folders of jobs that known() does not know; child() is called for each child
   process. */
void container_clean(const char *base, bool (*known)(uint32_t job, uint32_t restarts, void *user),
                void (*child)(pid_t pid, void *user), void *user);
