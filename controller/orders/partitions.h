/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/partitions.h - partitions of a cluster during a reconfiguration */
#pragma once

#include "controller/model/cluster.h"

/* Replaces the partitions of c by those of config; jobs are moved by name.  A partition that is no
   longer configured is kept for its jobs. */
void partitions_install(struct cluster *c, const struct config *config, usec_t now);
void partitions_join_nodes(struct cluster *c); /* renews each node's list of partitions */
/* Finds the topology of each partition and the switches of each node. */
void partitions_find_places(struct cluster *c);
/* Passes places set by scontrol to the configuration; skip: a node with an impossible place is put
   in no topology and logged.  The caller calls partitions_find_places() afterwards. */
int partitions_move_nodes(struct cluster *c, bool skip, struct fail *fail);
/* slumberd of n, a node of slurm.conf, reports a place (Topology= of --conf; NULL: none).  A
   changed report moves n: to the place, or, with NULL, to the place of the files unless scontrol
   has moved n since.  An impossible place, or a place that slumberd may not choose, changes
   nothing: negative, with fail. */
#define PLACE_TOLD_MAX 4096
int partitions_place_told(struct cluster *c, struct node *n, const char *text, struct fail *fail);

/* ---- cluster_config.c ---- */
/* Returns whether j, with the heterogeneous job of j, is over and kept for display only. */
bool job_is_history(const struct job *j);
/* OverTimeLimit has changed the end of the running jobs of p (NULL: all). */
void cluster_rearm_active(struct cluster *c, const struct partition *p);
