/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/tree.h - one message for each of many nodes, passed down a tree of slumberd
 *
 * slumberctld sends rows to TreeWidth slumberd, each with the rows of the nodes below
 * (lib/tree_rows.h), and hears about all rows received in a subtree (TreeAnswer), with a proof by
 * each node. A row without confirmation in time is sent by way of a second slumberd, then by the
 * node's own connection. A row names the node's last unconfirmed row, and waits for that row. A row
 * never overtakes a message on the node's connection. If a message about jobs has to follow on the
 * connection while a row is under way, the row is sent on the connection, too, before the message:
 * the node uses the first copy to arrive. */
#pragma once

#include "controller/loop/controller.h"

struct tree;

/* Time a slumberd may stay silent, us. */
#define TREE_LAUNCH_PATIENCE USEC_PER_SEC
#define TREE_URGENT_PATIENCE (300 * USEC_PER_MSEC)

struct tree_wish {
        /* The step that a launch starts; else job 0. */
        uint32_t job, restarts, step;
        struct wire_tail *common; /* common end of all messages, borrowed; NULL: none */
        usec_t patience;
        uint32_t width; /* 0: TreeWidth */
};

/* Returns whether n is connected and its slumberd supports trees. */
bool tree_takes(const struct controller *ctl, const struct node *n);
/* Returns whether n nodes are more than a tree of that width would send to directly. */
bool tree_is_worth_it(uint32_t width, size_t n);
struct tree *tree_new(struct controller *ctl, const struct tree_wish *w);
/* Adds a row for n (tree_takes() must be true) with the fields of env before w->common. Returns
   false if env is too large. */
bool tree_add(struct tree *t, const struct node *n, Envelope *env);
/* Returns the number of the next tree (TreeMessage.id): earlier trees are not valid for a node that
   registers now. */
uint64_t tree_next(struct controller *ctl);
void tree_send(struct tree *t); /* t is freed when all is answered, or too late */

/* Gathers consecutive messages of a kind for many nodes of job into a tree, until tree_gathered()
   or a call with different arguments; common as for tree_new(). Returns false if n is not connected
   and misses the message. */
bool tree_gather(struct controller *ctl, int kind, uint32_t job, struct wire_tail *common,
                const struct node *n, Envelope *env);
void tree_gathered(struct controller *ctl); /* sends the gathered tree, if any */

/* Handles an answer of p; calls launched() once for each row whose step has started. */
void tree_answer(struct controller *ctl, const struct peer *p, const Slumber__TreeAnswer *m,
                void (*launched)(struct controller *ctl, const struct tree_wish *w,
                                struct node *n));

/* Sends, before env, the rows under way to p. Returns true if env itself waits for a row; env is
   copied. */
bool tree_before(struct peer *p, const Envelope *env);
/* Handles the loss of p: p's rows are repeated when p registers, and missing reports of p about
   other nodes are asked for. */
void tree_peer_gone(struct peer *p);
void trees_free(struct controller *ctl);
