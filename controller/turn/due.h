/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/turn/due.h - handles deadlines of a node or a job that may have come
 * (indexes/node_deadline.h and job_deadline.h define the deadlines) */
#pragma once

#include "controller/model/cluster.h"

void node_due(struct cluster *c, struct node *n, usec_t now);
void job_due(struct cluster *c, struct job *j, usec_t now);
