/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/peers.h - connections: commands of this host, slumberd */
#pragma once

#include "controller/loop/controller.h"
#include "lib/tree_rows.h"

/* Largest request of a foreign cluster: the largest script with the submission. */
#define GUEST_REQUEST_MAX ((size_t)16 << 20)

/* A connection: a user's command on this host, or a node's slumberd, also with relayed commands. */
struct peer {
        struct controller *ctl;
        struct conn *conn; /* NULL: closed, only references remain */
        unsigned refs;
        bool local; /* Unix socket: uid, gid, pid of the command */
        uid_t uid;
        gid_t gid;
        pid_t pid;
        struct process_id process; /* the command, once asked for: address_process() */
        struct node *node;         /* the registered node */
        /* CLOCK_MONOTONIC of the last message and of our last heartbeat */
        usec_t heard, told;
        /* duration of the silence for which slumberd was dropped; else 0 */
        usec_t silent;
        uint64_t question;   /* last question of FX_PROBE */
        uint64_t instance;   /* of the slumberd process; 0: unknown */
        uint16_t listens;    /* port for other slumberd; 0: none */
        bool login;          /* slumberd --login: relays commands and belongs to no node */
        unsigned unanswered; /* login: questions in a row without answer */
        unsigned can;        /* enum slumberd_ability */
        /* CLOCK_MONOTONIC: not chosen to make steps until then, after a failure; 0: may be
           chosen */
        usec_t makes_none_until;
        /* rows for this node, in order of sending (tree.h) */
        TAILQ_HEAD(tree_rows, tree_row) tree_rows;
        size_t tree_left;                /* rows not known to have arrived */
        uint8_t tree_key[TREE_KEY_SIZE]; /* for tree_proof(); all 0: none yet */
        STAILQ_HEAD(, tree_held) tree_held;
        size_t tree_held_size;
        usec_t registered; /* CLOCK_BOOTTIME of its registration */
        bool admitted;     /* may take the place of another connection (rival.c) */
        bool refused;      /* was told to register first */
        bool bmc_silent;   /* a request for power is unanswered (bmc_requests.c) */
        size_t at;         /* index in peers[] */
        size_t n_waiting;  /* messages in the outbox */
};

/* The destination of a reply, kept until the reply is sent. */
struct address {
        struct peer *peer; /* a reference */
        uint64_t client;   /* of a relaying slumberd */
        uint64_t id;       /* of the request */
};

/* ---- address.c ---- */
struct address address_copy(const struct address *a);
void address_done(struct address *a);
/* returns whether a and b are the same command on the same connection */
bool address_same(const struct address *a, const struct address *b);
/* Sets *ret to the process of a command of this host; pid 0 for remote clients or if unknown.
   Returns whether *ret has changed. */
bool address_process(const struct address *a, struct process_id *ret);
/* releases a reference; the last one frees p */
void peer_unref(struct peer *p);

/* ---- peers.c ---- */
int peers_listen(struct controller *ctl, struct fail *fail);
/* Publishes plugstack.conf of the present configuration to commands of this host. */
int peers_publish_plugins(struct controller *ctl, struct fail *fail);
/* Closes p's connection. All its clients count as disconnected; p is freed unless references
   remain. */
void peer_drop(struct controller *ctl, struct peer *p);
/* a peer with a step: streams have credits, so larger limits hold */
void peer_streams(struct peer *p);
void peers_free(struct controller *ctl);
/* Asks for a heartbeat at once. The answer has the returned number in reply_to and comes after all
   earlier messages of slumberd. */
uint64_t agent_ask(struct peer *p);
/* Returns the address of n's slumberd for nodes: NodeAddr if numeric, else the source address of p
   (NULL: not connected), so that no name has to be looked up. "": unknown. */
const char *peer_slumberd_host(const struct node *n, const struct peer *p);
/* Sends env; returns false if n is not connected. */
bool agent_send(struct controller *ctl, const struct node *n, Envelope *env);
/* agent_send() with a tail, the fields of the body shared by several messages
   (wire_pack_before()). */
bool agent_send_with_tail(struct controller *ctl, const struct node *n, Envelope *env,
                struct wire_tail *tail);
