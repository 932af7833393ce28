/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/resize.h - a running job gives nodes back */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

/* keep: places in j->placed.alloc of nodes that j still has (not done).  Returns SLUMBER_OK, or why
   j cannot be reduced to these nodes, with a sentence in fail. */
enum slumber_error job_may_shrink(const struct job *j, const struct bitset *keep,
                struct fail *fail);
/* Reduces j to the nodes of keep; job_may_shrink() must have returned SLUMBER_OK.  Resources on the
   released nodes go to pending jobs; processes there are killed, and steps running only there are
   over and forgotten.  The places in j->placed.alloc change; the accounts get a row (RESIZING) for
   the time before. */
void job_shrink(struct cluster *c, struct job *j, const struct bitset *keep, usec_t now);
/* Removes lost nodes from jobs that continue without the nodes (--no-kill), as soon as no
   running step has lost nodes.  Calls c->job_shrunk, if set, for each job, with places as for
   job_shrink(). */
void jobs_drop_lost(struct cluster *c, usec_t now);
/* NumNodes and NodeList of a running job.  count, nodes: values of the update; NULL: not given.
   *ret: the places in j->placed.alloc to keep, the caller frees; NULL if neither is given.  Returns
   an error, explained in fail where needed, if the job may not shrink. */
enum slumber_error resize_check(const struct cluster *c, const struct job *j, const char *count,
                const char *nodes, struct bitset **ret, struct fail *fail);
