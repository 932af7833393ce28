/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/sums.h - results of a simulation in figures */
#pragma once

#include "sim/run.h"

/* Minimum run time in the bounded slowdown, so that jobs of a second do not outweigh all others. */
#define SLOWDOWN_BOUND (10 * USEC_PER_SEC)

struct spread {
        double mean, median, p95, max;
};

struct sums {
        /* ran: started and ended. Invariant: each job is in ran, refused or never_started. */
        size_t jobs, ran, by[JOB_STATE_MAX], refused, never_started;
        struct spread wait; /* seconds */
        struct spread slowdown;
        size_t jobs_suspended;       /* suspended for some time */
        double suspended;            /* hours, sum over these jobs */
        double makespan;             /* seconds, from the first submission to the last end */
        double hours[SIM_STATE_MAX]; /* node hours by state */
        double cpus_used;            /* percent of all CPU time */
        double nodes_busy;           /* percent of all node time */
        double pending_mean;
        uint32_t pending_max;
        bool knows_watts;
        double energy, saved, watts_mean, watts_max; /* kWh; watts_*: W */
        uint64_t suspends, resumes, failures;
        double switches_mean; /* per node; off and on count as two */
        uint32_t switches_max, requeues;
        size_t nodes, out_at_end;
};

/* Returns how many jobs of t have a recorded waiting time, with their statistics. */
size_t sums_waited(const struct trace *t, struct spread *ret);
void sums_make(const struct cluster *c, const struct sim_result *r, struct sums *ret);
