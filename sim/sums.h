/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/sums.h - what a simulation comes to, in figures */
#pragma once

#include "sim/run.h"

/* The bounded slowdown counts a shorter run as so long, so that jobs of a second do not outweigh
   all others. */
#define SLOWDOWN_BOUND (10 * USEC_PER_SEC)

struct spread {
        double mean, median, p95, max;
};

struct sums {
        /* ran: has started and ended; all jobs are one of the three */
        size_t jobs, ran, by[JOB_STATE_MAX], refused, never_started;
        struct spread wait; /* s */
        struct spread slowdown;
        size_t jobs_suspended;       /* stood still for some time */
        double suspended;            /* h, all of these together */
        double makespan;             /* s, from the first submission to the last end */
        double hours[SIM_STATE_MAX]; /* of nodes */
        double cpus_used;            /* of all the time of all CPUs, percent */
        double nodes_busy;           /* likewise */
        double pending_mean;
        uint32_t pending_max;
        bool knows_watts;
        double energy, saved, watts_mean, watts_max; /* kWh; W */
        uint64_t suspends, resumes, failures;
        double switches_mean; /* of a node, off and on again being two */
        uint32_t switches_max, requeues;
        size_t nodes, out_at_end;
};

/* How long the jobs of t waited in truth; and of how many it says so. */
size_t sums_waited(const struct trace *t, struct spread *ret);
void sums_make(const struct cluster *c, const struct sim_result *r, struct sums *ret);
