/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/node_log.h - what befalls many nodes alike is a few lines of the log, not one
   for each */
#pragma once

#include "controller/model/cluster.h"

/* "Node n1 TEXT" in the log; several in short time are "Nodes n[1-4000] TEXT": the first of them at
   once, others within a second, and where more and more come within half a minute.  With
   DebugFlags=Power each node has its own line, at once. */
void node_log(struct cluster *c, struct node *n, usec_t now, const char *format, ...)
                _printf_(4, 5);
/* What is due of it is told; a turn ends with it. USEC_INFINITY: all, as the controller ends or
   nodes get other numbers. */
void node_log_tell(struct cluster *c, usec_t now);
void node_log_done(struct node_logs *logs);
