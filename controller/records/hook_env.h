/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/hook_env.h - what the controller tells programs of a job by their environment:
 * hooks and MailProg
 *
 * Values that are not known, or not set, have no variable. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/environment.h"

/* Which job it is: ids, user, account, partition, folder, files. */
void hook_env_job(struct environment *e, const struct cluster *c, const struct job *j);
/* Its nodes and CPUs, those that it has left included; without nodes the list is "(null)". */
void hook_env_nodes(struct environment *e, const struct job *j);
void hook_env_array(struct environment *e, const struct job *j); /* of a task of an array */
void hook_env_end(struct environment *e, const struct job *j);   /* its exit codes */

enum hook {
        HOOK_NODE_PROLOG, /* the node adds what it knows: agent/jobs/hooks.c */
        HOOK_NODE_EPILOG,
        HOOK_CTLD_PROLOG,
        HOOK_CTLD_EPILOG,
};
/* All that hook is told of j.  For those of the controller also PATH and SLURM_SCRIPT_CONTEXT. */
void hook_env_fill(struct environment *e, const struct cluster *c, const struct job *j,
                enum hook hook);
