/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/record.h - conversion of core's structs to messages and back, for the store
 * and for queries
 *
 * A message borrows from its struct and must not outlive the struct; ..._done() frees only the
 * memory allocated by the message. */
#pragma once

#include "controller/model/cluster.h"
#include "proto/slumber.pb-c.h"

enum record_what {        /* bits */
        RECORD_STORE = 1, /* everything needed for a restart */
        RECORD_ALLOC = 2, /* nodes one by one */
        RECORD_STEPS = 4,
};

/* The power state of a node: phase, reason, duration (power_save/why.h). */
struct power_message {
        Slumber__Power power;
        char *texts[5];
};
enum power_detail {
        POWER_PHASE,
        POWER_FULL,  /* includes the explanation and the settings in force */
        POWER_BRIEF, /* like POWER_FULL, with an explanation common to several nodes */
};
void power_message_init(struct power_message *m, const struct cluster *c, const struct node *n,
                enum power_detail detail, usec_t now);
/* Adds the last lines of the node's console; takes ownership of tail (NULL: no-op). */
void power_message_console(struct power_message *m, char *tail);

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
        bool steps_stored; /* members only stored are owned too */
};
/* The sharing in force, for display, which may differ from the request. */
enum job_share record_share(const struct cluster *c, const struct job *j);
/* Values for Slurm 26.05's fields: YES, NO or OK; and who is excluded from j's nodes: NODE (all
   other jobs), USER, MCS or NO (none). */
const char *record_oversubscribe_word(const struct cluster *c, const struct job *j);
const char *record_exclusive_word(const struct job *j);
void job_message_init(struct job_message *m, const struct cluster *c, const struct job *j,
                unsigned what, usec_t now);
/* Rest of an array: displays only the chosen tasks. */
void job_message_choose(struct job_message *m, const struct job *j, const struct bitset *chosen);
void job_message_done(struct job_message *m);

/* Texts of a node's state; a list shares the texts among consecutive nodes in equal states. */
struct node_words {
        const struct node *of;
        char *texts[3];
};
void node_words_done(struct node_words *w);

struct node_message {
        Slumber__Node node;
        Slumber__Hardware configured, registered;
        Slumber__Energy energy;
        struct node_words words; /* unused if shared texts were passed */
        char **partitions;
        char *reason_user, *active, *alike, *owner, *gres[3], *spec;
        struct power_message *power;
};
void node_message_init(struct node_message *m, const struct cluster *c, const struct node *n);
/* words: shared with the previous node of the list, all zero for the first node; must outlive the
   message. */
void node_message_init_with(struct node_message *m, const struct cluster *c, const struct node *n,
                struct node_words *words);
/* Only members needed for a restart: thousands of nodes are stored at once when a large job wakes
   nodes. */
void node_record_init(struct node_message *m, const struct cluster *c, const struct node *n);
/* Replaces the stored energy by the sums at now. */
void node_message_energy(struct node_message *m, const struct node *n, usec_t now);
/* True if records of both nodes are equal except for name, address, host, times (but the time of
   the reason counts), load and free memory. */
bool nodes_alike(const struct node *a, const struct node *b);
void node_message_done(struct node_message *m);

struct partition_message {
        Slumber__Partition partition;
        char *nodes, *oversubscribe, *tres, *select_params, *times[3];
};
void partition_message_init(struct partition_message *m, const struct cluster *c,
                const struct partition *p);
void partition_message_done(struct partition_message *m);

/* Inserts a stored job into c.  Returns -EINVAL with fail if the job names a partition or node no
   longer configured; such a job is removed if it is finished. */
int job_restore(struct cluster *c, const Slumber__Job *from, usec_t now, struct fail *fail);
/* Restores the state of the configured node with the record's name; no-op if the node was
   removed. */
void node_restore(struct cluster *c, const Slumber__Node *from, usec_t now);
/* Call after all jobs and nodes are restored: nodes get their jobs, and answers outstanding to the
   last controller get a deadline. */
void records_settle(struct cluster *c, usec_t now);

/* Borrows every text of from. */
void job_spec_from_message(struct job_spec *to, const Slumber__JobSpec *from);
void hardware_from_message(struct node_hardware *to, const Slumber__Hardware *from);
