/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/node_deadline.h - until when a node may stay as it is */
#pragma once

#include "controller/model/cluster.h"

/* Until when its present power state may last; USEC_INFINITY. */
usec_t node_power_deadline(const struct node *n);
/* Off, and a SuspendProgram that may yet cut its power runs still: when it is switched on all the
   same, as long after SuspendTimeout as that is long; 0: nothing is in the way. */
usec_t node_wake_after(const struct node *n);
/* Booting, and a ResumeProgram that may yet switch it on runs still: when it is switched off all
   the same, SuspendTimeout after that was started; 0: nothing is in the way. */
usec_t node_sleep_after(const struct node *n);
/* When it has idled for SuspendTime; USEC_INFINITY: it does not idle, or something keeps it up. */
usec_t node_idle_deadline(const struct cluster *c, const struct node *n);
/* Until when its agent must show that it lives; USEC_INFINITY. */
usec_t audit_deadline(const struct node *n);
/* When all of nodes are expected to be up, were those without power woken now, as ResumeRate lets
   them; 0: they are. */
usec_t nodes_up_by(const struct cluster *c, const struct bitset *nodes, usec_t now);
/* USEC_INFINITY: none is under way. */
usec_t reboot_deadline(const struct node *n);
/* When a stray of n's must be gone; USEC_INFINITY. */
usec_t strays_deadline(const struct node *n);
/* SlurmdTimeout of a node that is lost or was never heard of; USEC_INFINITY. */
usec_t node_lost_deadline(const struct cluster *c, const struct node *n);
/* When DebugFlags=Power tells that n stays up although it idles; USEC_INFINITY. */
usec_t node_tell_deadline(const struct cluster *c, const struct node *n);
/* Arms the earliest of them; cluster_node_changed() calls it. */
void node_rearm(struct cluster *c, struct node *n, usec_t now);
