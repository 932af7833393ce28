/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/priority_top.h - scontrol top */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

/* May this user move j, beside first (NULL: it is the first), which is of the same user then. */
enum slumber_error priority_top_access(const struct cluster *c, const struct job *j,
                const struct job *first, uid_t uid, bool is_operator, struct fail *fail);
/* Why j cannot be moved: it does not wait, or a hold, a priority set by hand or a list of
   partitions is in the way. */
enum slumber_error priority_top_check(const struct job *j, struct fail *fail);
/* They share their places in the queue: same user, partition, account and QOS. */
bool priority_is_like(const struct job *j, const struct job *lead);
/* The jobs of the list, of which each can be moved and is like the first, wait before the others
   that are like them, in the order of the list. */
void priority_top(struct cluster *c, struct job *const *list, size_t n_list, usec_t now);
