/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/future.h - slumberd -F: which node of State=FUTURE a machine becomes */
#pragma once

#include "controller/model/node.h"
#include "lib/fail.h"

struct cluster;

/* The node that the machine of that name is already (DYNAMIC_FUTURE), else the first one in the
   order of slurm.conf of state FUTURE, that no agent is connected as, that has the feature ("":
   any) and of which the CPUs, boards, sockets, cores and threads are the machine's, which has at
   least its memory and temporary disk. NULL: there is none, fail says what was looked for. */
struct node *future_find(const struct cluster *c, const char *machine, const char *feature,
                const struct node_hardware *has, struct fail *fail);
/* n is that machine's from now on, until an admin sets it to FUTURE. */
void future_take(struct cluster *c, struct node *n, const char *machine, usec_t now);
