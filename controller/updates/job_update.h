/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/job_update.h - scontrol update jobid= */
#pragma once

#include "controller/model/cluster.h"
#include "controller/model/partition.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

#define REBOOT_FOR_ADMINS "rebooting of nodes is only allowed for admins"

/* The user that updates the job: its owner, a coordinator of its account, or an operator.
   is_admin: SlurmUser, root or AdminLevel Administrator, which are operators, too.  is_of_whole:
   the job is one of the components of a heterogeneous job that all are updated, so that what the
   first one alone may have is meant for that. */
struct updater {
        struct submitter user;
        bool is_operator, is_admin, is_of_whole;
};

/* The full name of a key, the same for all that set the same; the word itself where there is no
   such key. */
const char *job_setting_key(const char *word);
/* Its value, a new text: of TimeLimit+ the limit that it would be, of NumCPUs=4-4 the number, ""
   where "(null)" takes a text away. */
char *job_setting_value(const struct job *j, const struct update_setting *s);
/* What is asked of one of the components of a heterogeneous job. */
struct job_update {
        struct job *j;
        const struct update_setting *settings;
        size_t n;
        bool made;           /* it has been updated; else it is over */
        struct bitset *kept; /* as *ret_kept of job_update() */
};

/* All of them are updated, each checked with those before it as they would be, or none is.  Those
   that are over count only where there are no others.  fail names the one that has refused it,
   unless all do so in the same words. */
enum slumber_error jobs_update(struct cluster *c, struct job_update *of, size_t n,
                const struct updater *by, usec_t now, struct fail *fail);
/* All settings come into force or none does; fail says more where the error's own text does not say
   enough.  *ret_kept, with job_shrink()'s places that a running job has kept of those it had, is
   the caller's; NULL where it has kept all. */
enum slumber_error job_update(struct cluster *c, struct job *j, const struct updater *by,
                const struct update_setting *settings, size_t n, usec_t now,
                struct bitset **ret_kept, struct fail *fail);
