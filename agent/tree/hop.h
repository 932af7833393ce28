/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/tree/hop.h - a slumberd's place in the trees of the controller's messages (TreeMessage)
 *
 * A message has a row for each node of a subtree. The slumberd checks and delivers the own row,
 * once even if received repeatedly, and sends the remaining rows, in up to "width" parts, to the
 * slumberds below. The answers (nodes with the row, nodes with a launched step) go back up as a
 * single answer, with a proof from each node. If a slumberd below cannot be reached or does not
 * answer, the rows go to the next slumberds below; the controller cares for the silent slumberd.
 *
 * A message is kept until the nodes below have the rows; afterwards, a launch is remembered until
 * the steps have started. Answers about a forgotten message are passed to the controller. */
#pragma once

#include "agent/peers/peers.h"
#include "lib/tree_rows.h"

struct hops;

struct hops_ops {
        /* Delivers the controller's message for this node; id: the tree's. */
        void (*deliver)(Envelope *env, uint64_t id, void *user);
        /* Sends an answer to the controller: the controller asked for it, or the sender of the
           message is gone. */
        void (*tell)(Slumber__TreeAnswer *m, void *user);
};

/* ops must outlive the result. */
struct hops *hops_new(sd_event *event, const struct hops_ops *ops, void *user);
struct hops *hops_free(struct hops *all); /* takes NULL, returns NULL */

/* Handles a TreeMessage. from: the sending slumberd, NULL: the controller. peers: for
   connections to slumberds below. received: number of messages received by the controller's own
   connection: this node's row waits until its predecessors (TreeRowBody.after, behind) have
   arrived. Takes *m if valid; otherwise the caller drops *m. -EBADMSG: malformed; errors of
   tree_row_open(); -ESTALE: a slumberd above kept the message until the controller had sent this
   node later messages. */
int hops_take(struct hops *all, struct peers *peers, struct peer *from, Slumber__TreeMessage **m,
                const struct tree_node *node, uint64_t received, struct fail *fail);
/* false: p reported on rows not given to p, and is ignored. */
bool hops_answered(struct hops *all, struct peer *p, Slumber__TreeAnswer *m);
/* Returns whether an answer about rows given to p is outstanding. */
bool hops_wait_for(const struct hops *all, const struct peer *p);
/* The connection p has ended; quiet: no message was under way. */
void hops_lost(struct hops *all, const struct peer *p, bool quiet);
/* The controller has sent received messages in all: delivers the rows waiting for these, in the
   order of sending. */
void hops_go_on(struct hops *all, uint64_t received);
/* Message number received of the controller was a message for which tree_keeps_order() is true. */
void hops_job_message(struct hops *all, uint64_t received);
/* The connection to the controller is lost: drops waiting rows, which the controller sends
   again. Takes NULL. */
void hops_controller_gone(struct hops *all);
/* The step of this node's row has started. false: the caller has to tell the controller. */
bool hops_launched(struct hops *all, uint64_t id);
/* The node reports the result of the row directly to the controller: the tree need not wait. */
void hops_apart(struct hops *all, uint64_t id);
/* The controller asks for this node's row of id, as an answer by the tree may be lost. */
void hops_asked(struct hops *all, uint64_t id);
