/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/tree.h - one message for each of many nodes, down a tree of their slumberds
 *
 * The controller tells TreeWidth of them, each with the rows of the nodes below it
 * (lib/tree_rows.h), and hears what all of a subtree have (TreeAnswer), with a proof of each
 * node's.  A row that its node does not speak for in time goes by another slumberd, then by the
 * node's own connection.  A row names the one before it that its node is not known to have, and
 * waits for that.  What the controller sends a node by its connection is not overtaken by a row;
 * where a row is on its way and something else about jobs is to follow by that, the row is sent by
 * it, too, and first: a node has it once, whichever comes. */
#pragma once

#include "controller/loop/controller.h"

struct tree;

/* Patience with a slumberd that says nothing, us. */
#define TREE_LAUNCH_PATIENCE USEC_PER_SEC
#define TREE_URGENT_PATIENCE (300 * USEC_PER_MSEC)

struct tree_wish {
        /* Of a launch: whose step starts; else job 0. */
        uint32_t job, restarts, step;
        struct wire_tail *common; /* what all messages end with, borrowed; NULL: nothing */
        usec_t patience;
        uint32_t width; /* 0: TreeWidth */
};

/* n is connected and its slumberd takes part. */
bool tree_takes(const struct controller *ctl, const struct node *n);
/* Of a tree of that width: more nodes than are told directly. */
bool tree_is_worth_it(uint32_t width, size_t n);
struct tree *tree_new(struct controller *ctl, const struct tree_wish *w);
/* A row for n, which tree_takes(): the fields of env before w->common. false: it is too large. */
bool tree_add(struct tree *t, const struct node *n, Envelope *env);
/* Number of the next one (TreeMessage.id): earlier ones do not hold for a node that registers now.
 */
uint64_t tree_next(struct controller *ctl);
void tree_send(struct tree *t); /* it goes by itself when all is answered, or too late */

/* What follows each other and is for many nodes of job: w->common as for tree_new(); from the first
   call to tree_gathered(), or one for something else, it is one message.  false: n is not
   connected, and misses it. */
bool tree_gather(struct controller *ctl, int kind, uint32_t job, struct wire_tail *common,
                const struct node *n, Envelope *env);
void tree_gathered(struct controller *ctl); /* it goes; where there is nothing it does nothing */

/* An answer of p.  Each row whose step has started is told once. */
void tree_answer(struct controller *ctl, const struct peer *p, const Slumber__TreeAnswer *m,
                void (*launched)(struct controller *ctl, const struct tree_wish *w,
                                struct node *n));

/* Before env is sent to p: rows that are on their way go first.  true: env itself waits for them,
   and is copied. */
bool tree_before(struct peer *p, const Envelope *env);
/* What it was to be told it is told when it registers; what it had to tell of others is asked for.
 */
void tree_peer_gone(struct peer *p);
void trees_free(struct controller *ctl);
