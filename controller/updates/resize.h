/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/resize.h - a job that runs gives nodes back */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

/* keep: places in j->placed.alloc, of nodes that j still has (not done).  SLUMBER_OK, or why j
   cannot be left with these alone, with a sentence in fail. */
enum slumber_error job_may_shrink(const struct job *j, const struct bitset *keep,
                struct fail *fail);
/* j, for which job_may_shrink() is SLUMBER_OK, keeps these nodes alone.  What it has of the others
   goes to jobs that wait for it; what runs there is killed, steps that ran there alone are over and
   are known no longer.  Places in j->placed.alloc are new ones then; the accounts get a row
   (RESIZING) of what it was so far. */
void job_shrink(struct cluster *c, struct job *j, const struct bitset *keep, usec_t now);
/* Jobs that go on without nodes that they have lost (--no-kill) keep the others alone, as soon as
   no step of theirs runs that had some of those.  c->job_shrunk, if set, is called for each, with
   its places as job_shrink() has them. */
void jobs_drop_lost(struct cluster *c, usec_t now);
/* NumNodes and NodeList of a running job.  count, nodes: as the update says it; NULL: it does not.
   *ret: the places in j->placed.alloc that it keeps, the caller frees; NULL where nothing is said.
   An error, with a sentence in fail where its own words do not say enough: it may not. */
enum slumber_error resize_check(const struct cluster *c, const struct job *j, const char *count,
                const char *nodes, struct bitset **ret, struct fail *fail);
