/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/exchange.h - inside slumberstepd: what the nodes of a step tell each other
 * (docs/launch.md, "The exchange")
 *
 * Nodes are numbered from 0 in the step's order (SLURM_NODEID).  Nothing is connected or allocated
 * before the first call.  All callbacks come from the step daemon's loop, never from inside a call
 * of these functions, and may call them.  When the step ends on this node, what is under way is
 * forgotten and its callbacks are not called; so it is when another node is lost: the controller
 * ends the step then. */
#pragma once

#include "agent/step/base/stepd.h"

struct exchange;

/* What one node has given; borrowed. */
struct exchange_part {
        const uint8_t *data;
        size_t size;
};

/* Of one call, in bytes; and of all nodes' parts together: more ends the step. */
#define EXCHANGE_PART_MAX ((size_t)16 << 20)
#define EXCHANGE_ALL_MAX  ((size_t)64 << 20)

/* What messages are about; their users add a line. */
enum exchange_kind {
        EXCHANGE_GATHER, /* exchange_all()'s own: up the tree */
        EXCHANGE_SPREAD, /* ... and down */
        EXCHANGE_PMIX,   /* what a PMIx server knows of a task (pmix.c) */
        EXCHANGE_NAMES,  /* what tasks publish (pmi_names.c) */
        EXCHANGE_TEST,   /* of tests */
        EXCHANGE_KIND_MAX,
};

/* Nodes of the step, and the number of this one. */
uint32_t exchange_nodes(const struct step *s);
uint32_t exchange_node(const struct step *s);

/* All nodes of the step call this, in the same order, each with a part of its own, which is copied
   and may be empty.  done() is called when the parts of all nodes are here: one for each node, by
   its number; they last until it returns.  A call that comes while one is under way waits behind
   it. A step of one node is done in the loop's next turn.  -EMSGSIZE: the part is larger than
   EXCHANGE_PART_MAX; -ENOBUFS: too much waits behind the one that is under way. */
int exchange_all(struct step *s, const void *data, size_t size,
                void (*done)(const struct exchange_part *parts, size_t n_nodes, void *user),
                void *user);

/* One message to another node, whose hook of that kind gets it once, behind those that were sent to
   it before.  data is copied.  -EINVAL: there is no such node, or it is this one, or the kind is
   exchange_all()'s; -EMSGSIZE: larger than EXCHANGE_PART_MAX; -ENOBUFS: too much waits for nodes
   that do not take it. */
int exchange_send(struct step *s, uint32_t node, enum exchange_kind kind, const void *data,
                size_t size);

/* That node's step daemon has all that was sent to it. */
bool exchange_has_all(const struct step *s, uint32_t node);

/* Called for each message of that kind from another node; data is borrowed.  To be set before the
   step's tasks start, because a message without a hook is dropped. */
void exchange_hook(struct step *s, enum exchange_kind kind,
                void (*received)(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                                void *user),
                void *user);

/* ---- for the step daemon's loop; now is CLOCK_MONOTONIC ---- */
/* From slumberd. */
void exchange_message(struct step *s, const Slumber__NodeMessage *m, usec_t now);
/* The link is new: what has not been acknowledged is sent again. */
void exchange_resume(struct step *s);
/* Calls done() of what is complete, and sends what waits, as far as the link takes it. */
void exchange_go_on(struct step *s, usec_t now);
/* Milliseconds until exchange_go_on() has something to do without an event; -1: never. */
int exchange_patience(const struct step *s, usec_t now);
/* The other nodes have all that was sent to them, or will never: the step may be forgotten. */
bool exchange_settled(struct step *s, usec_t now);
void exchange_done(struct step *s);
