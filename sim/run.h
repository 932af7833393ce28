/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/run.h - a trace through a cluster: when each job starts and where, what the nodes do
 * meanwhile
 *
 * A pure function of configuration, trace and options: what is the same goes in, the same comes
 * out. */
#pragma once

#include "controller/model/cluster.h"
#include "sim/trace.h"

/* What a node does, as a picture shows it. */
enum sim_state {
        SIM_IDLE,
        SIM_BUSY,
        SIM_BOOTING,
        SIM_GOING_DOWN,
        SIM_OFF,
        SIM_OUT, /* DOWN, drained, never heard of: of no use */
        SIM_STATE_MAX,
};
DECLARE_STRTAB(sim_state); /* idle, busy, booting, going_down, off, out */

enum sim_outcome { /* of a job, where the controller has no word */
        SIM_REFUSED = JOB_STATE_MAX,
        SIM_NEVER_STARTED, /* it waits for what does not come */
        SIM_NOT_SUBMITTED, /* nor does the one that it was to come after */
};
const char *sim_outcome_text(unsigned outcome); /* of a job_state too */

#define SIM_NO_JOB UINT32_MAX

struct sim_job { /* times count from the trace's zero */
        /* suspended: for how long of its last run it stood still */
        usec_t submit, start, end, suspended;
        unsigned outcome; /* enum job_state, enum sim_outcome */
        uint32_t id, n_nodes, cpus, restarts;
        struct node_range *ranges;
        uint32_t n_ranges;
};

struct sim_change { /* a node does something else from then on */
        usec_t at;
        uint32_t node, job; /* job: by its place in the trace, SIM_NO_JOB */
        enum sim_state state;
};

struct sim_point { /* the cluster from then on */
        usec_t at;
        uint32_t pending, running, nodes[SIM_STATE_MAX];
        uint64_t milliwatts;
};

struct sim_cause { /* why so many jobs did not run */
        char *why;
        uint32_t job; /* the first one */
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
        struct sim_job *jobs; /* as in the trace */
        size_t n_jobs;
        /* of what was counted: the last job has ended, or nothing can happen any more */
        usec_t end;
        struct sim_node *nodes;
        size_t n_nodes;
        struct sim_point *points;
        size_t n_points, a_points;
        struct sim_change *changes; /* NULL unless asked for */
        size_t n_changes, a_changes;
        /* at submission; for what, for ever or until it was too late */
        struct sim_causes refused, waiting;
        bool knows_watts;
        size_t out_at_end; /* nodes */
        uint64_t turns;
};

struct sim_options {
        /* the trace's processors to a node, of which jobs take whole ones; 0: they are CPUs or
           tasks */
        uint32_t per_node;
        /* a job that follows another is submitted its think time after the end of that */
        bool feedback;
        bool changes; /* of nodes are kept */
        uint64_t seed;
        uint32_t boot_fails;  /* so many boots of a million come to nothing */
        uint32_t boot_varies; /* a boot takes up to so many thousandths longer or less */
        /* made when all nodes are up, before the first job comes: reserve.h; NULL: none */
        const char *reservations;
        /* now and then; may be NULL */
        void (*progress)(size_t submitted, size_t over, usec_t at, void *user);
        void *user;
};

/* c has just been made, at now, and is of no use for another run.  -ELOOP, or as sim_reserve(),
   with fail. */
int sim_run(struct cluster *c, const struct trace *t, usec_t now, const struct sim_options *options,
                struct sim_result *ret, struct fail *fail);
void sim_result_done(struct sim_result *r);
/* Nodes that a job had; the caller frees. */
char *sim_nodes_text(const struct cluster *c, const struct sim_job *j);
