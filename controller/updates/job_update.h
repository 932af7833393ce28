/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/job_update.h - scontrol update JobId= */
#pragma once

#include "controller/model/cluster.h"
#include "controller/model/partition.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

#define REBOOT_FOR_ADMINS "rebooting of nodes is only allowed for admins"

/* The user that updates the job: the owner, a coordinator of the account, or an operator.
   is_admin: SlurmUser, root or AdminLevel Administrator, who are operators, too.  is_of_whole: all
   components of a heterogeneous job are updated; settings reserved for the leader apply to the
   leader. */
struct updater {
        struct submitter user;
        bool is_operator, is_admin, is_of_whole;
};

/* Returns the full name of a key, equal for all keys with the same effect; word itself if
   unknown. */
const char *job_setting_key(const char *word);
/* Returns the resulting value; the caller frees: the new limit for TimeLimit+, the number for
   NumCPUs=4-4, "" where "(null)" clears a text. */
char *job_setting_value(const struct job *j, const struct update_setting *s);
/* The update of a component of a heterogeneous job. */
struct job_update {
        struct job *j;
        const struct update_setting *settings;
        size_t n;
        bool made;           /* updated; else the job is over */
        struct bitset *kept; /* see *ret_kept of job_update() */
};

/* Updates all jobs, each checked beside the updated jobs before, or no job.  Finished jobs count
   only if all jobs are finished.  fail names the refusing component, unless all components refuse
   with an identical message. */
enum slumber_error jobs_update(struct cluster *c, struct job_update *of, size_t n,
                const struct updater *by, usec_t now, struct fail *fail);
/* Applies all settings or no setting; fail adds to the error's own text where needed.  *ret_kept:
   the places, see job_shrink(), of the nodes that a running job has kept, owned by the caller; NULL
   if the job has kept all nodes. */
enum slumber_error job_update(struct cluster *c, struct job *j, const struct updater *by,
                const struct update_setting *settings, size_t n, usec_t now,
                struct bitset **ret_kept, struct fail *fail);
