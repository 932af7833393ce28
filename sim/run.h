/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/run.h - runs a trace on a cluster: start and nodes of each job, states of nodes over time
 *
 * A pure function of configuration, trace and options: equal inputs give equal results. */
#pragma once

#include "controller/model/cluster.h"
#include "sim/trace.h"

/* State of a node, as pictures show it. */
enum sim_state {
        SIM_IDLE,
        SIM_BUSY,
        SIM_BOOTING,
        SIM_GOING_DOWN,
        SIM_OFF,
        SIM_OUT, /* DOWN, drained, never registered: unusable */
        SIM_STATE_MAX,
};
DECLARE_STRTAB(sim_state); /* idle, busy, booting, going_down, off, out */

enum sim_outcome { /* outcomes of a job beyond enum job_state */
        SIM_REFUSED = JOB_STATE_MAX,
        SIM_NEVER_STARTED, /* waiting for resources or events that never come */
        SIM_NOT_SUBMITTED, /* the preceding job never ended */
};
const char *sim_outcome_text(unsigned outcome); /* takes a job_state, too */

#define SIM_NO_JOB UINT32_MAX

struct sim_job { /* times count from the trace's time 0 */
        /* suspended: total suspension during the last run. */
        usec_t submit, start, end, suspended;
        unsigned outcome; /* enum job_state or enum sim_outcome */
        uint32_t id, n_nodes, cpus, restarts;
        struct node_range *ranges;
        uint32_t n_ranges;
};

struct sim_change { /* change of a node's state */
        usec_t at;
        uint32_t node, job; /* job: index in the trace, or SIM_NO_JOB */
        enum sim_state state;
};

struct sim_point { /* state of the cluster from a time on */
        usec_t at;
        uint32_t pending, running, nodes[SIM_STATE_MAX];
        uint64_t milliwatts;
};

struct sim_cause { /* reason why n jobs did not run */
        char *why;
        uint32_t job; /* the first of the jobs */
        size_t n;
};

struct sim_causes {
        struct sim_cause *list;
        size_t n, allocated;
};

struct sim_node {
        uint32_t suspends, resumes, failures;
        usec_t in[SIM_STATE_MAX];
        uint64_t used, saved; /* mJ */
};

struct sim_result {
        struct sim_job *jobs; /* in trace order */
        size_t n_jobs;
        /* End of counting: the last job has ended, or no event can follow. */
        usec_t end;
        struct sim_node *nodes;
        size_t n_nodes;
        struct sim_point *points;
        size_t n_points, a_points;
        struct sim_change *changes; /* NULL unless requested */
        size_t n_changes, a_changes;
        /* Reasons for refused submissions, and for jobs that waited forever or too long. */
        struct sim_causes refused, waiting;
        bool knows_watts;
        size_t out_at_end; /* number of nodes */
        uint64_t turns;
};

struct sim_options {
        /* Processors of the trace per node, for jobs of whole nodes; 0: processors are CPUs or
           tasks. */
        uint32_t per_node;
        /* A job with a preceding job is submitted its think time after that job's end. */
        bool feedback;
        bool changes; /* keep the nodes' changes */
        uint64_t seed;
        uint32_t boot_fails;  /* failing boots per million */
        uint32_t boot_varies; /* maximum variation of boot times, in thousandths */
        /* Made when all nodes are up, before the first job: reserve.h; NULL: none. */
        const char *reservations;
        /* Called from time to time; may be NULL. */
        void (*progress)(size_t submitted, size_t over, usec_t at, void *user);
        void *user;
};

/* Runs t on c, just made at time now; c cannot be used for another run. -ELOOP, or errors of
   sim_reserve(), with fail. */
int sim_run(struct cluster *c, const struct trace *t, usec_t now, const struct sim_options *options,
                struct sim_result *ret, struct fail *fail);
void sim_result_done(struct sim_result *r);
/* Returns the nodes of a job; the caller frees. */
char *sim_nodes_text(const struct cluster *c, const struct sim_job *j);
