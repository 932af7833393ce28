/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/launch.h - messages that start steps */
#pragma once

#include "controller/loop/controller.h"

/* FX_TERMINATE: tells fx->node to end what it has of fx->job, with what Epilog is told of it. */
void terminate_send(struct controller *ctl, const struct effect *fx);
/* Asks the agents of fx->nodes for the prolog of fx->job. */
void launch_prolog(struct controller *ctl, const struct effect *fx);

/* One node's part of a step: its tasks' ranks. */
struct launch {
        const struct job *job;
        const struct job_node *at;
        uint32_t step, node_rank, num_nodes, num_tasks, cpus;
        uint32_t first_node; /* of a component's, the number */
        const uint32_t *ranks;
        size_t n_ranks;
        const char *tasks_per_node, *step_nodes;
        const char *process_mapping; /* of ranks to nodes, of a step of srun; NULL: none */
        uint64_t memory;             /* MB; 0: all that the job has there */
        const char *launcher;        /* srun's address, numeric; NULL: it runs on this host */
        const char *home;            /* relay_address() */
        uint32_t x11;                /* x11_here() */
        Slumber__StepSpec *spec;
        Slumber__JobScript *script;
        const char *job_nodes;
        const Slumber__StepMaker *maker; /* of a batch job, whose node makes the steps; NULL */
        struct wire_tail *common;        /* what all its nodes are told alike: launch_common() */
        struct tree *tree; /* launch_tree(); NULL: each node is told by its own connection */
};

/* Packs what does not depend on the node, once for all of them; the caller unrefs. */
struct wire_tail *launch_common(const struct controller *ctl, const struct launch *l);
/* By its tree, which is sent by tree_send(), where there is one and the node takes part.
   -ENOTCONN: its agent is not there.  -EOPNOTSUPP: see launch_lacks(). */
int launch_send(struct controller *ctl, const struct launch *l);
/* What the slumberd of an earlier build lacks (lib/abilities.h): it would run a step outside of its
   container, or with the DISPLAY of another host.  0: nothing. */
unsigned launch_lacks(const struct controller *ctl, const struct launch *l);
/* Calls use with maker, in which is what all steps that the node of a batch job's launch makes have
   in common: launch and credential. */
void launch_by_node(const struct controller *ctl, const struct launch *of,
                Slumber__StepMaker *maker, void (*use)(Slumber__StepMaker *maker, void *user),
                void *user);
/* Numbers of the cores that j has on a node; the caller frees. */
char *launch_job_cores(const struct job *j, const struct job_node *at);
/* How many tasks it has on each; the caller frees. */
char *launch_job_tasks(const struct cluster *c, const struct job *j);
/* For a launch, with its common, on nodes among which so many may be told by a tree; NULL: they are
   too few. */
struct tree *launch_tree(struct controller *ctl, const struct launch *l, size_t n);
uint32_t launch_tree_width(const struct controller *ctl, const struct step *s); /* s: NULL: none */
/* What the command that holds j must know of it; j has nodes. */
Slumber__Allocation *allocation_message(const struct controller *ctl, const struct job *j);
Slumber__Allocation *allocation_message_free(Slumber__Allocation *m);
DEFINE_CLEANUP(Slumber__Allocation *, allocation_message_free)
