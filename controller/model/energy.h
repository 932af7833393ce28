/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/energy.h - power drawn by nodes, energy used, and energy saved by sleeping
 *
 * Power is in milliwatts, energy in millijoules.  The power drawn by a node is the last reading of
 * its BMC, as long as the power state has not changed since; otherwise the figure in slumber.yaml
 * for the state.  Sums are not updated periodically: the sums of a node are updated when its power
 * changes, and a reader adds the time since. Saved is the idle power less the power drawn while the
 * node is off.
 *
 * A job uses the energy of its nodes while running; jobs sharing a node share the energy by CPUs. A
 * node sums the energy per CPU (per_cpu), and a job stores the sums at its start as a single number
 * for all nodes.  So a running job costs no work, and a restart loses no energy. */
#pragma once

#include "lib/base.h"

struct cluster;
struct job;
struct job_node;
struct node;
struct step;

enum energy_figure { ENERGY_ON, ENERGY_IDLE, ENERGY_OFF, ENERGY_BOOTING, ENERGY_FIGURE_MAX };

struct energy {                /* energy of a node; node.h */
        uint64_t draws, saves; /* present power, since at */
        uint64_t used, saved;  /* energy up to at */
        usec_t at, from;       /* counting began at from; 0: the power is unknown */
        /* Reading of the BMC, taken in power state read_in (enum node_power; 0: none). */
        uint64_t reading;
        unsigned read_in;
        uint64_t idle_reading; /* the last reading with the node on and unused; 0: none */
        uint64_t per_cpu;      /* part of used per CPU of node.sharing_cpus, up to at */
};

/* Updates the sums after a change of n's power; part of cluster_node_changed(). */
void energy_note(struct node *n, usec_t now);
/* Returns the sums of n at time now. */
struct energy energy_of(const struct node *n, usec_t now);

/* Begin and end a period of j's run time at now, which may be in the past (job.said_end).  Repeated
   calls have no effect. */
void energy_job_runs(struct cluster *c, struct job *j, usec_t now);
void energy_job_rests(struct cluster *c, struct job *j, usec_t now);
/* Joins a restored job to nodes whose records are older than the job's start, as of that start: a
   node is stored a little later than a job joins the node.  Must precede the job's return to its
   nodes. */
void energy_job_restored(struct job *j);
/* Must be called before j loses jn's node; part of alloc_release_node(). */
void energy_job_leaves(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Begin and end counting the energy of s, after its tasks and CPUs are known, and before s ends on
   the node at index place of j->placed.alloc.  A step is charged for its own CPUs; for shared CPUs
   the step is charged with all energy of the job on the node.  Times count like the job's. */
void energy_step_begins(const struct job *j, struct step *s, usec_t now);
void energy_step_leaves(const struct job *j, struct step *s, size_t place, usec_t now);
/* Energy in mJ of a step, or of the script of this run; 0 also if unknown. */
uint64_t energy_of_step(const struct job *j, const struct step *s, usec_t now);
uint64_t energy_of_batch(const struct job *j, usec_t now);
/* Energy in mJ used by j in this run or the last run; 0 also if the power of the nodes is
   unknown. */
uint64_t energy_of_job(const struct job *j, usec_t now);
