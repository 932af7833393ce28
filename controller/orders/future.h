/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/future.h - slumberd -F: assigns a node of State=FUTURE to a machine */
#pragma once

#include "controller/model/node.h"
#include "lib/fail.h"

struct cluster;

/* Returns the node that the machine already is (DYNAMIC_FUTURE), else the first node in the order
   of slurm.conf that is FUTURE, is not connected, has the feature ("": any), has the machine's
   CPUs, boards, sockets, cores and threads, and needs no more memory and temporary disk than the
   machine has.  NULL: no such node, fail describes the machine. */
struct node *future_find(const struct cluster *c, const char *machine, const char *feature,
                const struct node_hardware *has, struct fail *fail);
/* Assigns n to the machine until an admin sets n to FUTURE. */
void future_take(struct cluster *c, struct node *n, const char *machine, usec_t now);
