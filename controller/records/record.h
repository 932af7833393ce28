/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/record.h - core's structs as messages and back: for the store, and for queries
 *
 * A message borrows from the struct it was made of and lives no longer; what it had to make itself
 * it frees. */
#pragma once

#include "controller/model/cluster.h"
#include "proto/slumber.pb-c.h"

enum record_what {        /* bits */
        RECORD_STORE = 1, /* everything a restart needs */
        RECORD_ALLOC = 2, /* nodes one by one */
        RECORD_STEPS = 4,
};

/* Whether, why and how long a node has power (power_save/why.h). */
struct power_message {
        Slumber__Power power;
        char *texts[5];
};
enum power_detail {
        POWER_PHASE,
        POWER_FULL,  /* also its sentence and the settings in force */
        POWER_BRIEF, /* the same, with the sentence that nodes share */
};
void power_message_init(struct power_message *m, const struct cluster *c, const struct node *n,
                enum power_detail detail, usec_t now);
/* Its console says that (taken over; NULL: nothing). */
void power_message_console(struct power_message *m, char *tail);
void power_message_done(struct power_message *m);

struct job_message {
        Slumber__Job job;
        Slumber__JobSpec spec;
        Slumber__AllocNode *alloc, **alloc_list;
        Slumber__Step *steps, **step_list;
        Slumber__JobBid *bids, **bid_list;
        char *nodes, *claim, *depends, *sched_nodes, *array_waiting, *licenses, *gres[3];
        char *req_nodes;
        struct power_message *waits_for;
        size_t n_alloc, n_steps;
        bool steps_stored; /* what is there for the store only is ours */
};
/* For display: what j gets, which need not be what it asked for. */
enum job_share record_share(const struct cluster *c, const struct job *j);
/* The same in the words of Slurm 26.05: YES, NO or OK; and who else may be on its nodes: NODE (no
   job), USER, MCS or NO (any). */
const char *record_oversubscribe_word(const struct cluster *c, const struct job *j);
const char *record_exclusive_word(const struct job *j);
void job_message_init(struct job_message *m, const struct cluster *c, const struct job *j,
                unsigned what, usec_t now);
/* Of a rest of an array: it is shown with these tasks alone. */
void job_message_choose(struct job_message *m, const struct job *j, const struct bitset *chosen);
void job_message_done(struct job_message *m);

/* The words for a node's state: made once for those of a list that are in the same. */
struct node_words {
        const struct node *of;
        char *texts[3];
};
void node_words_done(struct node_words *w);

struct node_message {
        Slumber__Node node;
        Slumber__Hardware configured, registered;
        Slumber__Energy energy;
        struct node_words words; /* unless they are lent */
        char **partitions;
        char *reason_user, *active, *alike, *owner, *gres[3], *spec;
        struct power_message *power;
};
void node_message_init(struct node_message *m, const struct cluster *c, const struct node *n);
/* words: of the list's node before, all zero at first; the message lives no longer than it has
   them. */
void node_message_init_with(struct node_message *m, const struct cluster *c, const struct node *n,
                struct node_words *words);
/* Only what a restart needs: thousands are stored at once when a large job wakes its nodes. */
void node_record_init(struct node_message *m, const struct cluster *c, const struct node *n);
/* Its account of energy as it is now, not as last written. */
void node_message_energy(struct node_message *m, const struct node *n, usec_t now);
/* Is what a record tells of them the same, but for name, address, host, times (that of the reason
   counts), load and free memory? */
bool nodes_alike(const struct node *a, const struct node *b);
void node_message_done(struct node_message *m);

struct partition_message {
        Slumber__Partition partition;
        char *nodes, *oversubscribe, *tres, *select_params, *times[3];
};
void partition_message_init(struct partition_message *m, const struct cluster *c,
                const struct partition *p);
void partition_message_done(struct partition_message *m);

/* A stored job becomes part of c.  -EINVAL with fail: it names a partition or node that is not
   configured any more; a job that is over is forgotten then. */
int job_restore(struct cluster *c, const Slumber__Job *from, usec_t now, struct fail *fail);
/* A stored node's state is taken over by the configured node of that name; one that is gone is left
   out. */
void node_restore(struct cluster *c, const Slumber__Node *from, usec_t now);
/* All of them are back: nodes learn of their jobs, and what was owed to the last controller gets a
   deadline. */
void records_settle(struct cluster *c, usec_t now);

/* Borrows every text of from. */
void job_spec_from_message(struct job_spec *to, const Slumber__JobSpec *from);
void hardware_from_message(struct node_hardware *to, const Slumber__Hardware *from);
