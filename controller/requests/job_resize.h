/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/job_resize.h - scontrol update numnodes= and nodelist= of a job that runs: it
   gives nodes back */
#pragma once

#include "controller/loop/controller.h"

/* count, nodes: as the update says it; NULL: it does not.  *ret: the places in j->placed.alloc that
   it keeps, the caller frees; NULL where nothing is said.  An error, with a sentence in fail where
   its own words do not say enough: it may not. */
enum slumber_error resize_check(const struct cluster *c, const struct job *j, const char *count,
                const char *nodes, struct bitset **ret, struct fail *fail);
/* What resize_check() has allowed. */
void resize_apply(struct controller *ctl, struct job *j, const struct bitset *keep);
