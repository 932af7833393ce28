/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/priority_top.h - scontrol top */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

/* Checks whether the user may move j together with first (NULL: j is the first), which must belong
   to the same user. */
enum slumber_error priority_top_access(const struct cluster *c, const struct job *j,
                const struct job *first, uid_t uid, bool is_operator, struct fail *fail);
/* Returns why j cannot be moved: j is not pending, is held, has a priority set by hand, or names
   several partitions. */
enum slumber_error priority_top_check(const struct job *j, struct fail *fail);
/* Returns whether j and lead share places in the queue: equal user, partition, account and QOS. */
bool priority_is_like(const struct job *j, const struct job *lead);
/* Moves the jobs of the list before all similar jobs, in the order of the list.  Each job must be
   movable and similar to the first job. */
void priority_top(struct cluster *c, struct job *const *list, size_t n_list, usec_t now);
