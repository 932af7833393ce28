/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/launch.h - messages that start and end steps */
#pragma once

#include "controller/loop/controller.h"

/* FX_TERMINATE: tells fx->node to end fx->job, with the data for Epilog. */
void terminate_send(struct controller *ctl, const struct effect *fx);
/* Sends the prolog or extern step of fx->job to the agents of fx->nodes. */
void launch_prolog(struct controller *ctl, const struct effect *fx);

/* The part of a step on one node. */
struct launch {
        const struct job *job;
        const struct job_node *at;
        uint32_t step, node_rank, num_nodes, num_tasks, cpus;
        uint32_t first_node; /* component's first node, as a number within the whole step */
        const uint32_t *ranks;
        size_t n_ranks;
        const char *tasks_per_node, *step_nodes;
        const char *process_mapping; /* maps ranks to nodes in steps of srun; NULL: none */
        uint64_t memory;             /* MB; 0: all memory of the job on the node */
        const char *launcher;        /* srun's numeric address; NULL: this host */
        const char *home;            /* relay_address() of srun's host */
        uint32_t x11;                /* result of x11_here() */
        Slumber__StepSpec *spec;
        Slumber__JobScript *script;
        const char *job_nodes;
        const Slumber__StepMaker *maker; /* data for the step manager; NULL: the node is none */
        struct wire_tail *common;        /* launch_common() */
        struct tree *tree; /* launch_tree(); NULL: each node is sent its own message */
};

/* Packs the part that is equal for all nodes, once for the step; the caller unrefs. */
struct wire_tail *launch_common(const struct controller *ctl, const struct launch *l);
/* Sends the launch, or adds it to l->tree (sent by tree_send()) if the node takes part in the
   tree. -ENOTCONN: the agent is not connected. -EOPNOTSUPP: see launch_lacks(). -EMSGSIZE: too
   large for the tree. */
int launch_send(struct controller *ctl, const struct launch *l);
/* Returns an ability needed by the step and missing in the node's slumberd, an earlier build
   (lib/abilities.h): the step would run outside its container or with a wrong DISPLAY. 0: none. */
unsigned launch_lacks(const struct controller *ctl, const struct launch *l);
/* Calls use with maker, whose launch and credential get the data common to all steps of the job
   made by the step manager on the node of `of`. */
void launch_by_node(const struct controller *ctl, const struct launch *of,
                Slumber__StepMaker *maker, void (*use)(Slumber__StepMaker *maker, void *user),
                void *user);
/* Returns the numbers of the cores that j has on a node; the caller frees. */
char *launch_job_cores(const struct job *j, const struct job_node *at);
/* Returns the number of tasks of j on each of its nodes; the caller frees. */
char *launch_job_tasks(const struct cluster *c, const struct job *j);
/* Returns a tree for the launch l, whose common must be set, on n nodes; NULL: too few nodes. */
struct tree *launch_tree(struct controller *ctl, const struct launch *l, size_t n);
uint32_t launch_tree_width(const struct controller *ctl, const struct step *s); /* s may be NULL */
/* Returns the allocation of j, which must have nodes, for the command that holds j. */
Slumber__Allocation *allocation_message(const struct controller *ctl, const struct job *j);
Slumber__Allocation *allocation_message_free(Slumber__Allocation *m);
DEFINE_CLEANUP(Slumber__Allocation *, allocation_message_free)
