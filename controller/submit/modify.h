/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/modify.h - slurm_job_modify() of job_submit.lua: what the script makes of
 * updates
 *
 * The script is asked about each job of the request. Meanwhile the request waits, packed, and is
 * then handled again as if just received. Jobs that are new, or have changed since the question,
 * are asked about again. A hold and a release are updates of Priority, as in Slurm. */
#pragma once

#include "controller/loop/caller.h"

struct modify;

/* Returns whether the script is asked about updates. */
bool modify_is_on(const struct controller *ctl);
/* Begins or resumes a request; caller->user must be set. Pass the result to modify_waits() or
   modify_free(). */
struct modify *modify_open(struct controller *ctl, const struct caller *caller);
/* Adds j, for which the request has these settings (keys as typed); held: slurm.ALLOC_SID_..._HOLD,
   or 0. */
void modify_add(struct modify *m, const struct job *j, Slumber__KeyValue *const *settings, size_t n,
                uint32_t held);
/* Returns true if answers are pending: the request waits and m is taken over. */
bool modify_waits(struct modify *m, const Envelope *env);
/* Returns the script's verdict on j; *update is set to the update as the script returned it.
   Without m, or if j is finished, *update is unchanged. */
enum slumber_error modify_verdict(struct modify *m, const struct job *j,
                const Slumber__JobUpdate **update, struct fail *fail);
/* Returns messages for the user, in lines; NULL: none. */
const char *modify_told(const struct modify *m); /* m may be NULL */
struct modify *modify_free(struct modify *m);    /* takes NULL, returns NULL */
