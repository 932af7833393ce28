/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/changed.h - immediate consequences of a change of a node or a job: indexes,
   stored records, deadlines */
#pragma once

#include "controller/model/cluster.h"

/* Must be called after every change of a node or job. */
void cluster_node_changed(struct cluster *c, struct node *n, usec_t now);
void cluster_job_changed(struct cluster *c, struct job *j);
/* scontrol update SuspendExcNodes and the like; the value was checked by
   exclusions_check_update(). */
void exclusions_update(struct cluster *c, enum exclude_kind kind, char op, const char *value,
                usec_t now);

/* Set members of a node for many events, and call cluster_node_changed() where needed. */
void node_set_base(struct cluster *c, struct node *n, enum node_base base, usec_t now);
void node_flag(struct cluster *c, struct node *n, unsigned set, unsigned clear, usec_t now);
void node_set_reason(struct cluster *c, struct node *n, const char *reason, uid_t uid, usec_t now);
