/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/trigger_events.h - events for triggers (strigger)
 *
 * Events of a node stay in the node's record until matched against the triggers, so that an event
 * survives a crash together with the change. */
#pragma once

#include "controller/model/cluster.h"

/* Parts of cluster_node_changed() and cluster_job_changed(). */
void trigger_node_changed(struct cluster *c, struct node *n, usec_t now);
void trigger_job_changed(struct cluster *c, const struct job *j);
/* Notes an event of a node not visible in the node's state: TRIGGER_RESUME. */
void trigger_note_node(struct cluster *c, struct node *n, uint32_t event, usec_t now);
/* Notes an event of TRIGGER_EVENTS_CLUSTER. */
void trigger_note(struct cluster *c, uint32_t event, usec_t now);
/* Makes triggers_review() run at the given time. */
void trigger_arm(struct cluster *c, usec_t at);
/* Drop all events after matching; and drop events too old for a trigger set now. */
void trigger_events_forget(struct cluster *c);
void trigger_events_expire(struct cluster *c, usec_t now);
/* Nodes have new indexes. */
void trigger_renumber(struct cluster *c);
/* Takes the restored state of n as known: no event after a restart. */
void trigger_node_restored(struct node *n);
/* True if n is idle according to its state. */
bool trigger_node_idles(const struct node *n);
