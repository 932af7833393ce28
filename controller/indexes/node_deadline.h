/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/node_deadline.h - the deadlines of a node */
#pragma once

#include "controller/model/cluster.h"

/* The end of the present power state; USEC_INFINITY: none. */
usec_t node_power_deadline(const struct node *n);
/* POWERED_DOWN while a SuspendProgram still runs and may cut the power: when the node is woken
   anyway, twice SuspendTimeout after the request; 0: no SuspendProgram prevents a wake. */
usec_t node_wake_after(const struct node *n);
/* POWERING_UP while a ResumeProgram still runs and may switch the node on: when the node is
   suspended anyway, SuspendTimeout after the request; 0: no ResumeProgram prevents a suspend. */
usec_t node_sleep_after(const struct node *n);
/* When the node has been idle for SuspendTime; USEC_INFINITY: not idle, or kept up. */
usec_t node_idle_deadline(const struct cluster *c, const struct node *n);
/* When the agent must have answered the audit; USEC_INFINITY: not asked. */
usec_t audit_deadline(const struct node *n);
/* Expected time for all of nodes to be up if nodes without power were woken now within ResumeRate;
   0: all are up. */
usec_t nodes_up_by(const struct cluster *c, const struct bitset *nodes, usec_t now);
/* USEC_INFINITY: no reboot under way. */
usec_t reboot_deadline(const struct node *n);
/* When n's first stray must be gone; USEC_INFINITY: none. */
usec_t strays_deadline(const struct node *n);
/* SlurmdTimeout of a node lost or never registered; USEC_INFINITY: neither. */
usec_t node_lost_deadline(const struct cluster *c, const struct node *n);
/* When DebugFlags=Power logs that n stays up although idle; USEC_INFINITY: never. */
usec_t node_tell_deadline(const struct cluster *c, const struct node *n);
/* Arms the earliest of all deadlines; called by cluster_node_changed(). */
void node_rearm(struct cluster *c, struct node *n, usec_t now);
