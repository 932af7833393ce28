/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/modify.h - slurm_job_modify() of job_submit.lua: what becomes of an update of
 * jobs
 *
 * The script is asked about each job that the request means.  Meanwhile the request waits, packed,
 * and is handled again as if it came then.  A job that has changed since the script was told of it,
 * or is new, is asked about again.  A hold and a release are updates of Priority, as in Slurm. */
#pragma once

#include "controller/loop/caller.h"

struct modify;

/* The script is asked about updates. */
bool modify_is_on(const struct controller *ctl);
/* Begins with a request or goes on with it; caller->user is known. Give it to modify_waits() or to
   modify_free(). */
struct modify *modify_open(struct controller *ctl, const struct caller *caller);
/* Of this job the request asks for that; held: slurm.ALLOC_SID_..._HOLD, or 0.  The keys as typed.
 */
void modify_add(struct modify *m, const struct job *j, Slumber__KeyValue *const *settings, size_t n,
                uint32_t held);
/* true: answers are to come, the request waits for them, m is taken. */
bool modify_waits(struct modify *m, const Envelope *env);
/* What the script has said of j; *update is then as it has left it.  m is NULL, or j is over: it is
   not touched. */
enum slumber_error modify_verdict(struct modify *m, const struct job *j,
                const Slumber__JobUpdate **update, struct fail *fail);
/* For the user, in lines; NULL: nothing. */
const char *modify_told(const struct modify *m); /* m: may be NULL */
struct modify *modify_free(struct modify *m);    /* takes NULL, returns NULL */
