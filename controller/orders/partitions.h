/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/partitions.h - inside a reconfiguration: the partitions of a cluster */
#pragma once

#include "controller/model/cluster.h"

/* Partitions as config has them, in place of those of c; jobs are moved by name, those of a
   partition that is not configured keep it. */
void partitions_install(struct cluster *c, const struct config *config, usec_t now);
void partitions_join_nodes(struct cluster *c); /* each node knows its partitions again */
/* Each partition knows its topology, and each node its switches. */
void partitions_find_places(struct cluster *c);
/* The configuration has nodes where scontrol has moved them; skip: one whose place cannot be any
   more is in no topology, which the log says.  partitions_find_places() is to follow. */
int partitions_move_nodes(struct cluster *c, bool skip, struct fail *fail);
/* What the agent of n, of slurm.conf, says of its place (Topology= of --conf; NULL: nothing).  That
   counts when it says something else than before: then n is there, or, with NULL, where files say
   unless scontrol has moved it since.  A place that cannot be, or that an agent may not name,
   changes nothing: negative, with fail. */
#define PLACE_TOLD_MAX 4096
int partitions_place_told(struct cluster *c, struct node *n, const char *text, struct fail *fail);

/* ---- cluster_config.c ---- */
/* It is over, and with it its heterogeneous job: it is there to be shown. */
bool job_is_history(const struct job *j);
/* Running jobs of a partition (NULL: all) end at other times: OverTimeLimit. */
void cluster_rearm_active(struct cluster *c, const struct partition *p);
