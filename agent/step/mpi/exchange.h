/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/exchange.h - inside slumberstepd: messages between the nodes of a step
 * (docs/launch.md, "The exchange")
 *
 * Nodes are numbered from 0 in the step's order (SLURM_NODEID). Before the first call no connection
 * is made and no memory allocated. All callbacks come from the step daemon's event loop, never from
 * inside these functions, and may call these functions. When the step ends on this node, pending
 * operations are dropped without a callback; so they are if another node is lost, as the controller
 * ends the step. */
#pragma once

#include "agent/step/base/stepd.h"

struct exchange;

/* Data of one node; borrowed. */
struct exchange_part {
        const uint8_t *data;
        size_t size;
};

/* Maximum bytes of a part, and of all nodes' parts together; a larger sum ends the step. */
#define EXCHANGE_PART_MAX ((size_t)16 << 20)
#define EXCHANGE_ALL_MAX  ((size_t)64 << 20)

/* Kinds of messages; each user adds a kind. */
enum exchange_kind {
        EXCHANGE_GATHER, /* exchange_all(): up the tree */
        EXCHANGE_SPREAD, /* exchange_all(): down the tree */
        EXCHANGE_PMIX,   /* a PMIx server's data of a task (pmix.c) */
        EXCHANGE_NAMES,  /* published names (pmi_names.c) */
        EXCHANGE_TEST,   /* for tests */
        EXCHANGE_KIND_MAX,
};

/* Number of the step's nodes; number of this node. */
uint32_t exchange_nodes(const struct step *s);
uint32_t exchange_node(const struct step *s);

/* Exchanges a part of each node with all nodes. All nodes of the step call the function in the same
   order. data is copied and may be empty. done() gets the parts of all nodes, by node number, valid
   until done() returns. A call during an exchange waits for its end. In a step of one node done()
   is called at the next round of the event loop. -EMSGSIZE: size exceeds EXCHANGE_PART_MAX;
   -ENOBUFS: too many bytes wait for the present exchange. */
int exchange_all(struct step *s, const void *data, size_t size,
                void (*done)(const struct exchange_part *parts, size_t n_nodes, void *user),
                void *user);

/* Sends a message to another node, whose hook of this kind gets the message exactly once, in the
   order of sending. data is copied. -EINVAL: no such node, this node, or a kind of exchange_all();
   -EMSGSIZE: size exceeds EXCHANGE_PART_MAX; -ENOBUFS: too many bytes wait for other nodes. */
int exchange_send(struct step *s, uint32_t node, enum exchange_kind kind, const void *data,
                size_t size);

/* Returns true if the node's step daemon has acknowledged all messages. */
bool exchange_has_all(const struct step *s, uint32_t node);

/* Sets the callback for messages of a kind from other nodes; data is borrowed. Must be set before
   the step's tasks start, because a message without a hook is dropped. */
void exchange_hook(struct step *s, enum exchange_kind kind,
                void (*received)(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                                void *user),
                void *user);

/* ---- for the step daemon's event loop; now is CLOCK_MONOTONIC ---- */
/* Takes a message from slumberd. */
void exchange_message(struct step *s, const Slumber__NodeMessage *m, usec_t now);
/* A new link: unacknowledged messages are sent again. */
void exchange_resume(struct step *s);
/* Calls done() of completed exchanges, and sends queued messages as far as the link takes them. */
void exchange_go_on(struct step *s, usec_t now);
/* Returns the milliseconds until exchange_go_on() has work without an event; -1: never. */
int exchange_patience(const struct step *s, usec_t now);
/* Returns true if the other nodes have acknowledged all messages, or never will: the step may be
   released. */
bool exchange_settled(struct step *s, usec_t now);
void exchange_done(struct step *s);
