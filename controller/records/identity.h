/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/identity.h - by which agents recognise an older copy of the state
 *
 * A state has a random number from its first start on, and counts the starts of controllers with
 * it: its generation.  Each start has a random number, too.  Agents are told all three and the last
 * job id that was given, when these are on the controller's disk, and report them when they
 * register.  A controller whose state does not know what an agent has been told has an older copy
 * of it: it would give ids of jobs that ran already to others.  It stops then, and the store keeps
 * that, until a start with --accept-state goes on above all that agents have been told.
 *
 * What an agent is told has a proof, made with a key that is in the state alone: root of a node has
 * the cluster's key, and could stop the controller by a number that was made up.  What comes
 * without its proof counts as nothing.
 *
 * A state that begins anew (an empty StateSaveLocation, -c) has another number: what agents were
 * told of others is nothing to it. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/wire.h"

/* Earlier ones are known by their numbers alone. */
#define IDENTITY_STARTS 100

/* given: the number of times that job ids have begun anew, in the upper half, and a job id. */
struct state_seen {
        uint64_t state, generation, start, given; /* state 0: nothing */
        uint64_t proof;                           /* of those that agents report */
};

struct identity {
        struct state_seen now; /* given: as it was when this start began */
        struct state_start {
                uint64_t start, given; /* given: when it began */
        } starts[IDENTITY_STARTS];     /* the newest last; now.generation is its number */
        size_t n_starts;
        struct state_seen told;    /* what is on the disk, and agents may know */
        struct state_seen waiting; /* will be, with the batch */
        uint64_t batch;
        uint64_t key[2];
        bool accepts; /* --accept-state: what agents know is gone on above */
        bool dirty;   /* the store has it otherwise */
        struct {      /* that an agent has been told of, and this state does not know */
                char *node;
                uint64_t generation, given;
        } newer; /* node NULL: there is none; the controller stands still, otherwise */
};

/* What c has given up to now, and where its job id stands there. */
uint64_t identity_given(const struct cluster *c);
uint64_t identity_given_with(const struct cluster *c, uint32_t job_id);

#define IDENTITY_RANDOM 4
/* After the store has been read (or not: -c).  random: of a new state, of this start, and a key
   where there is none. Of a state that stands still nothing changes, unless it accepts. */
void identity_begin(struct identity *id, struct cluster *c,
                const uint64_t random[static IDENTITY_RANDOM]);
/* The proof that belongs to the rest of seen, and whether a controller with this state has said
   that: seen has the proof. */
uint64_t identity_proof(const struct identity *id, const struct state_seen *seen);
bool identity_has_told(const struct identity *id, const struct state_seen *seen);
/* Whether seen is something that the state with c should know, and does not. */
bool identity_is_older(const struct identity *id, const struct cluster *c,
                const struct state_seen *seen);
/* seen is such: it is gone on above it (accepts), or the controller has to stand still. */
void identity_accept(struct identity *id, struct cluster *c, const struct state_seen *seen);
void identity_stop(struct identity *id, const char *node, const struct state_seen *seen);
/* Why the controller stands still, and what to do; the caller frees. */
char *identity_text(const struct identity *id, const struct cluster *c);

/* A turn has ended with that batch; batches up to that one are on the disk. */
void identity_seal(struct identity *id, const struct cluster *c, uint64_t batch);
void identity_durable(struct identity *id, uint64_t batch);
/* What an agent may be told, in *m.  job_id: that is on the disk with its id; 0: none.  NULL:
   nothing yet. */
Slumber__StateSeen *identity_tell(const struct identity *id, const struct cluster *c,
                uint32_t job_id, Slumber__StateSeen *m);

/* As the store has it; m borrows from id until identity_record_done(). */
void identity_record_fill(const struct identity *id, const struct cluster *c,
                Slumber__StateIdentity *m);
void identity_record_done(Slumber__StateIdentity *m);
void identity_restore(struct identity *id, struct cluster *c, const Slumber__StateIdentity *m);
void identity_done(struct identity *id);
