/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/trigger_events.h - what happens that a trigger (strigger) may wait for
 *
 * Events of a node stay in its record until they have been compared with the triggers, so that they
 * outlast a crash with the change that they tell of. */
#pragma once

#include "controller/model/cluster.h"

/* Part of cluster_node_changed() and cluster_job_changed(). */
void trigger_node_changed(struct cluster *c, struct node *n, usec_t now);
void trigger_job_changed(struct cluster *c, const struct job *j);
/* An event of a node that its state does not show: TRIGGER_RESUME. */
void trigger_note_node(struct cluster *c, struct node *n, uint32_t event, usec_t now);
/* One of TRIGGER_EVENTS_CLUSTER. */
void trigger_note(struct cluster *c, uint32_t event, usec_t now);
/* triggers_review() has something to do at that time. */
void trigger_arm(struct cluster *c, usec_t at);
/* They have been compared with all triggers; and those that are too old for one that is set now. */
void trigger_events_forget(struct cluster *c);
void trigger_events_expire(struct cluster *c, usec_t now);
/* Nodes have new indexes. */
void trigger_renumber(struct cluster *c);
/* After a restart: what n is now is no event. */
void trigger_node_restored(struct node *n);
/* It idles, as far as its state says. */
bool trigger_node_idles(const struct node *n);
