/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/tree/hop.h - a slumberd's place in the trees of the controller's messages (TreeMessage)
 *
 * What comes is one message for each node of a subtree: this node's row is checked and delivered,
 * once however often it comes; the others go, in as many parts as the tree is wide, to the
 * slumberds below.  The answer, what all of them have and have launched, goes back as one, with a
 * proof of each node's.  Where a slumberd below cannot be reached or says nothing, what it was
 * given goes to those below it; it itself is left to the controller.
 *
 * A message is kept until all below have their rows; of a launch it is known longer which step has
 * yet to start.  Of a message that is not known any more answers go on to the controller. */
#pragma once

#include "agent/peers/peers.h"
#include "lib/tree_rows.h"

struct hops;

struct hops_ops {
        /* A message of the controller, of those that concern jobs; id: of the tree. */
        void (*deliver)(Envelope *env, uint64_t id, void *user);
        /* An answer goes to the controller, as it asked; or the sender is gone. */
        void (*tell)(Slumber__TreeAnswer *m, void *user);
};

/* ops must outlive it. */
struct hops *hops_new(sd_event *event, const struct hops_ops *ops, void *user);
struct hops *hops_free(struct hops *all); /* takes NULL, returns NULL */

/* from: NULL, the controller.  peers: for the slumberds below.  received: messages that have come
   by the controller's own connection; a row that belongs behind others waits for them, and for the
   row of another message that it follows.  Takes *m over where it is good; -EBADMSG, as
   tree_row_open(), or -ESTALE, from a slumberd that has kept it until the controller had told this
   node something else: it is dropped. */
int hops_take(struct hops *all, struct peers *peers, struct peer *from, Slumber__TreeMessage **m,
                const struct tree_node *node, uint64_t received, struct fail *fail);
/* false: p speaks of rows that it was not given, and is not believed. */
bool hops_answered(struct hops *all, struct peer *p, Slumber__TreeAnswer *m);
/* Something is still to be heard of what p was given. */
bool hops_wait_for(const struct hops *all, const struct peer *p);
/* quiet: nothing was under way. */
void hops_lost(struct hops *all, const struct peer *p, bool quiet);
/* So many messages of the controller have come: rows that waited for them are delivered, in the
   order in which they were sent. */
void hops_go_on(struct hops *all, uint64_t received);
/* The last of so many was one that tree_keeps_order() for. */
void hops_job_message(struct hops *all, uint64_t received);
/* The connection to the controller is gone: what waits is worthless, it is said again.  Takes
   NULL. */
void hops_controller_gone(struct hops *all);
/* The step of this node's row has started.  false: the controller is to hear it from here. */
bool hops_launched(struct hops *all, uint64_t id);
/* The controller hears from here what has come of this node's row: nobody is to wait for it. */
void hops_apart(struct hops *all, uint64_t id);
/* The controller asks for this node's row of id, as what others say of it may be lost. */
void hops_asked(struct hops *all, uint64_t id);
