/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/identity.h - numbers by which agents recognise an old copy of the state
 *
 * A state gets a random number at its first start and counts the starts of controllers as its
 * generation.  Each start gets a random number too.  When the three numbers and the last job id are
 * on the controller's disk, they are sent to agents, which report them at registration.  If an
 * agent reports numbers unknown to the state, the state is an old copy and would assign ids of past
 * jobs again.  The controller then stops, and the store keeps the reason, until a start with
 * --accept-state continues above all numbers known to agents.
 *
 * The numbers are sent with a proof, made with a key that only the state has: root of a node knows
 * the cluster's key, and could otherwise stop the controller with invented numbers.  Numbers
 * without a valid proof are ignored.
 *
 * A new state (an empty StateSaveLocation, -c) has a new number; reports about earlier states are
 * ignored. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/wire.h"

/* Number of starts kept in full; older starts are only counted. */
#define IDENTITY_STARTS 100

/* given: the number of wraps of job ids in the upper half, and the last job id in the lower
   half. */
struct state_seen {
        uint64_t state, generation, start, given; /* state 0: none */
        uint64_t proof; /* proof of the numbers, when reported by an agent */
};

struct identity {
        struct state_seen now; /* given: value at the begin of this start */
        struct state_start {
                uint64_t start, given; /* given: value at the begin of that start */
        } starts[IDENTITY_STARTS];     /* newest last, which is generation now.generation */
        size_t n_starts;
        struct state_seen told;    /* on the disk: agents may know the numbers */
        struct state_seen waiting; /* on the disk after the batch */
        uint64_t batch;
        uint64_t key[2];
        bool accepts; /* --accept-state: continue above numbers known to agents */
        bool dirty;   /* differs from the store */
        struct {      /* numbers reported by an agent and unknown to this state */
                char *node;
                uint64_t generation, given;
        } newer; /* node NULL: none; otherwise the controller stands still */
};

/* Returns the value of given with job_id as the next one. */
uint64_t identity_given_with(const struct cluster *c, uint32_t job_id);

#define IDENTITY_RANDOM 4
/* Begins a start, after the state was read (or skipped by -c).  random: numbers for a new state and
   for this start, and two for a key if none exists.  A controller that stands still changes
   nothing, unless accepts is set. */
void identity_begin(struct identity *id, struct cluster *c,
                const uint64_t random[static IDENTITY_RANDOM]);
/* Return the proof for the numbers in seen, and whether seen has the proof and this state's
   number. */
uint64_t identity_proof(const struct identity *id, const struct state_seen *seen);
bool identity_has_told(const struct identity *id, const struct state_seen *seen);
/* True if the state should know the numbers in seen and does not: an old copy. */
bool identity_is_older(const struct identity *id, const struct cluster *c,
                const struct state_seen *seen);
/* Called for such numbers: continues above them (accepts), or makes the controller stand still. */
void identity_accept(struct identity *id, struct cluster *c, const struct state_seen *seen);
void identity_stop(struct identity *id, const char *node, const struct state_seen *seen);
/* Returns why the controller stands still, and advice; the caller frees. */
char *identity_text(const struct identity *id, const struct cluster *c);

/* Seals the numbers into the turn's batch; reports that all batches up to batch are on the disk. */
void identity_seal(struct identity *id, const struct cluster *c, uint64_t batch);
void identity_durable(struct identity *id, uint64_t batch);
/* Fills *m with the numbers that may be sent to an agent.  job_id: a job whose id is on the disk
   too; 0: none.  Returns m, or NULL before the first batch. */
Slumber__StateSeen *identity_tell(const struct identity *id, const struct cluster *c,
                uint32_t job_id, Slumber__StateSeen *m);

/* Conversion for the store; m borrows from id until identity_record_done(). */
void identity_record_fill(const struct identity *id, const struct cluster *c,
                Slumber__StateIdentity *m);
void identity_record_done(Slumber__StateIdentity *m);
void identity_restore(struct identity *id, struct cluster *c, const Slumber__StateIdentity *m);
void identity_done(struct identity *id);
