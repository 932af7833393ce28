/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/ended_step.h - what is kept of a step when it is over: a row of the accounts
 *
 * One for the batch script of each run, and one for each of srun's steps, made when its last node
 * has said that it is through, with what it has used there; of nodes that say nothing any more,
 * when the job lets go of them. */
#pragma once

#include "lib/step/measure.h"

/* The fields are the columns, by the same names.  state: as sacct shows it; nodes: a host list;
   max_rss_node: where that was; task_...: what measures_text() tells, of tasks; cpu_freq:
   as asked. */
/* clang-format off */
#define ENDED_STEP_TEXTS(X) X(name) X(state) X(nodes) X(tres_alloc) X(max_rss_node) X(submit_line) \
        X(container)                                                                               \
        X(task_most) X(task_most_node) X(task_most_rank) X(task_least) X(task_least_node)          \
        X(task_least_rank) X(task_sum) X(cpu_freq)
/* clang-format on */
/* step_id: STEP_BATCH too; part: as of struct step; cpu times: microseconds, of all nodes; max_rss:
   bytes, the most on one node, sum_rss of all of them; consumed_energy: J. */
/* clang-format off */
#define ENDED_STEP_NUMBERS(X)                                                                      \
        X(job_id) X(array_job) X(array_task) X(het_job) X(het_offset) X(restarts) X(uid) X(step_id) \
        X(num_nodes) X(num_cpus) X(num_tasks) X(exit_code) X(part)                                 \
        X(user_cpu) X(system_cpu) X(max_rss) X(sum_rss) X(consumed_energy)
/* clang-format on */
/* time_submit: the job's. */
/* clang-format off */
#define ENDED_STEP_TIMES(X) X(time_submit) X(time_start) X(time_end) X(time_suspended)
/* clang-format on */

struct ended_step {
#define X(field) char *field;
        ENDED_STEP_TEXTS(X)
#undef X
#define X(field) int64_t field;
        ENDED_STEP_NUMBERS(X)
#undef X
#define X(field) usec_t field;
        ENDED_STEP_TIMES(X)
#undef X
};

/* What a step has used on a node, as its agent says. */
struct step_use {
        uint64_t user_cpu, system_cpu; /* us */
        uint64_t rss;                  /* bytes */
        struct measures measures;      /* of its tasks there */
        bool out_of_memory;
        usec_t ended; /* when; 0: not known */
};

static inline void step_use_done(struct step_use *u) {
        measures_done(&u->measures);
}

struct ended_step *ended_step_free(struct ended_step *e); /* takes NULL, returns NULL */
