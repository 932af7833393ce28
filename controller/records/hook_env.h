/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/hook_env.h - environment of programs that the controller runs for a job: hooks
 * and MailProg
 *
 * Unknown or unset values get no variable. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/environment.h"

/* Identity of the job: ids, user, account, partition, folder, files. */
void hook_env_job(struct environment *e, const struct cluster *c, const struct job *j);
/* Nodes and CPUs, including nodes that the job has left; SLURM_JOB_NODELIST is "(null)" without
   nodes. */
void hook_env_nodes(struct environment *e, const struct job *j);
void hook_env_array(struct environment *e, const struct job *j); /* no-op unless an array task */
void hook_env_end(struct environment *e, const struct job *j);   /* exit codes */

enum hook {
        HOOK_NODE_PROLOG, /* the node adds further variables: agent/jobs/hooks.c */
        HOOK_NODE_EPILOG,
        HOOK_CTLD_PROLOG,
        HOOK_CTLD_EPILOG,
};
/* Adds the variables of the hook; hooks of the controller also get PATH and
   SLURM_SCRIPT_CONTEXT. */
void hook_env_fill(struct environment *e, const struct cluster *c, const struct job *j,
                enum hook hook);
