/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/peers.h - connections: commands of this host, agents */
#pragma once

#include "controller/loop/controller.h"
#include "lib/tree_rows.h"

/* A request of another cluster: the largest script, and what is submitted with it. */
#define GUEST_REQUEST_MAX ((size_t)16 << 20)

/* A connection: a user's command on this host, or the agent of a node, which also relays its
   users. */
struct peer {
        struct controller *ctl;
        struct conn *conn; /* NULL: gone, only references remain */
        unsigned refs;
        bool local; /* Unix socket: uid, gid, pid are the caller's */
        uid_t uid;
        gid_t gid;
        pid_t pid;
        struct process_id process; /* it, once it was asked for: address_process() */
        struct node *node;         /* agent: registered as */
        usec_t heard, told;        /* CLOCK_MONOTONIC: the last message, our last heartbeat */
        usec_t silent;             /* it was dropped because nothing had come for so long; else 0 */
        uint64_t question;         /* the last that core has asked (FX_PROBE) */
        uint64_t instance;         /* of the agent's process; 0: it has not said */
        uint16_t listens;          /* the port for other slumberds; 0: none */
        bool login;                /* slumberd --login: it relays commands, and is no node's */
        unsigned unanswered;       /* likewise: questions in a row */
        unsigned can;              /* enum slumberd_ability */
        /* CLOCK_MONOTONIC: until when it is not chosen to make steps, as it could not; 0: it may be
         */
        usec_t makes_none_until;
        TAILQ_HEAD(tree_rows, tree_row) tree_rows; /* its own, in the order of sending (tree.h) */
        size_t tree_left;                          /* of them, those that it is not known to have */
        uint8_t tree_key[TREE_KEY_SIZE];           /* for tree_proof(); all 0: it has none yet */
        STAILQ_HEAD(, tree_held) tree_held;
        size_t tree_held_size;
        usec_t registered; /* CLOCK_BOOTTIME: it took the node's place */
        bool admitted;     /* ... or may take that of another connection (rival.c) */
        bool refused;      /* it was told that it has yet to register */
        bool bmc_silent;   /* the request for power that it has is given up (bmc_requests.c) */
        size_t at;         /* in peers[] */
        size_t n_waiting;  /* messages for it in the outbox */
};

/* Where an answer goes: kept until it is answered. */
struct address {
        struct peer *peer; /* a reference */
        uint64_t client;   /* of a relaying agent */
        uint64_t id;       /* of the request */
};

/* ---- address.c ---- */
struct address address_copy(const struct address *a);
void address_done(struct address *a);
/* the same connection of the same command */
bool address_same(const struct address *a, const struct address *b);
/* ret: the process behind it, if that is a command of this host; else, or where it cannot be known,
   its pid is 0.  false: ret is as before. */
bool address_process(const struct address *a, struct process_id *ret);
/* for the connection itself: it is freed with the last reference */
void peer_unref(struct peer *p);

/* ---- peers.c ---- */
int peers_listen(struct controller *ctl, struct fail *fail);
/* Commands of this host find plugstack.conf of the configuration in force. */
int peers_publish_plugins(struct controller *ctl, struct fail *fail);
/* Closes its connection; the clients that spoke through it are gone, and so is p, but for holders
   of a reference. */
void peer_drop(struct controller *ctl, struct peer *p);
void peer_streams(struct peer *p); /* the peer has a step: its streams have credits of their own */
void peers_free(struct controller *ctl);
/* Asks for a heartbeat at once: it comes, with the returned number in reply_to, behind all that the
   agent has said before. */
uint64_t agent_ask(struct peer *p);
/* Where other nodes reach the slumberd of n: NodeAddr if it is a number, else where it, p (NULL: it
   is away), has connected from, so that no name is looked up there.  "": not known. */
const char *peer_slumberd_host(const struct node *n, const struct peer *p);
/* false: it is not connected */
bool agent_send(struct controller *ctl, const struct node *n, Envelope *env);
/* ... with what the body's other fields are, shared by several (wire_pack_before()). */
bool agent_send_with_tail(struct controller *ctl, const struct node *n, Envelope *env,
                struct wire_tail *tail);
