/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/lives/changed.h - what follows a change of a node or a job at once: indexes, what is to be stored, deadlines */
#pragma once

#include "controller/model/cluster.h"

/* Must follow every change of a node or job: indexes, store, deadlines. */
void cluster_node_changed(struct cluster *c, struct node *n, usec_t now);
void cluster_job_changed(struct cluster *c, struct job *j);
void cluster_job_rearm(struct cluster *c, struct job *j); /* its deadlines alone; part of the above */
usec_t job_forgotten_at(const struct cluster *c, const struct job *j); /* one that is over: not before */
void exclusions_update(struct cluster *c, enum exclude_kind kind, char op, const char *value, usec_t now); /* checked */
