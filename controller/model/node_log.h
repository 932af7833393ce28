/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/node_log.h - log lines for events of many nodes: a few lines instead of one per
   node */
#pragma once

#include "controller/model/cluster.h"

/* Logs "Node n1 TEXT"; several nodes within a short time become "Nodes n[1-4000] TEXT".  The first
   node is logged at once, the next within a second, continuing bursts within half a minute.  With
   DebugFlags=Power each node is logged at once on a separate line. */
void node_log(struct cluster *c, struct node *n, usec_t now, const char *format, ...)
                _printf_(4, 5);
/* Writes the lines due at now; called at the end of each turn.  USEC_INFINITY: all lines, as the
   controller ends or nodes are renumbered. */
void node_log_tell(struct cluster *c, usec_t now);
void node_log_done(struct node_logs *logs);
