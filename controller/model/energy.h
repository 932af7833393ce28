/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/energy.h - what nodes draw, have used, and have not used because they slept
 *
 * Power is in milliwatts, energy in millijoules.  What a node draws is its BMC's last reading, for
 * as long as its power state is the same, else the figure of slumber.yaml for that state.  Nothing
 * is summed up at times: a node's account is written where what it draws changes, and read by
 * adding what has come since.  Saved is what it would have drawn idle, less what it draws, while it
 * is off.
 *
 * A job has what its nodes draw while it runs; jobs that share a node share that by their CPUs.  A
 * node sums up what one CPU has had (per_cpu), and a job remembers where these sums stood when it
 * began, all its nodes in one number: so it costs nothing while it runs, and a restart loses
 * nothing. */
#pragma once

#include "lib/base.h"

struct cluster;
struct job;
struct job_node;
struct node;
struct step;

enum energy_figure { ENERGY_ON, ENERGY_IDLE, ENERGY_OFF, ENERGY_BOOTING, ENERGY_FIGURE_MAX };

struct energy {                /* of a node; node.h */
        uint64_t draws, saves; /* now, since at */
        uint64_t used, saved;  /* up to at */
        usec_t at, from;       /* counted from; 0: nothing is known of what it draws */
        /* of its BMC, in the power state read_in (enum node_power; 0: none) */
        uint64_t reading;
        unsigned read_in;
        uint64_t idle_reading; /* the last one of the node on and unused; 0: none */
        uint64_t per_cpu;      /* of used: what each CPU of node.sharing_cpus has had, up to at */
};

/* n has changed, or what is known of it: part of cluster_node_changed(). */
void energy_note(struct node *n, usec_t now);
/* n's account as it is now. */
struct energy energy_of(const struct node *n, usec_t now);

/* j's run time begins or goes on, or stands still since now, which may be a while ago
   (job.said_end); a second time changes nothing. */
void energy_job_runs(struct cluster *c, struct job *j, usec_t now);
void energy_job_rests(struct cluster *c, struct job *j, usec_t now);
/* j, which is restored, has its record since it began to draw; a node is stored a little later than
   a job joins it.  On nodes whose record is from before j joins now, as of the time when it did.
   Before it is on them. */
void energy_job_restored(struct job *j);
/* j is about to lose jn's node.  Part of alloc_release_node(). */
void energy_job_leaves(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* s has begun, and its tasks and CPUs are known; it is about to end on the node at that place of
   j->placed.alloc.  A step has the share of its own CPUs, of those that it shares with other steps
   all that its job has there; a job's times are its own. */
void energy_step_begins(const struct job *j, struct step *s, usec_t now);
void energy_step_leaves(const struct job *j, struct step *s, size_t place, usec_t now);
/* mJ that a step, or the script of this run, has used; 0 also where nothing is known. */
uint64_t energy_of_step(const struct job *j, const struct step *s, usec_t now);
uint64_t energy_of_batch(const struct job *j, usec_t now);
/* mJ that j has used, in this run or its last one; 0 also where nothing is known of what its nodes
   draw. */
uint64_t energy_of_job(const struct job *j, usec_t now);
