/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/ended_step.h - the accounting row of an ended step
 *
 * There is a row for the batch script of each run, and a row for each step of srun.  A row is made
 * when the last node has reported the end of the step with the resources used; for nodes that no
 * longer report, when the job gives up the nodes. */
#pragma once

#include "lib/step/measure.h"

/* Each field is a column with the field's name.

     state               as sacct shows it
     nodes               host list
     max_rss_node        node of max_rss
     task_...            measures of the tasks, from measures_text()
     cpu_freq            as requested */
/* clang-format off */
#define ENDED_STEP_TEXTS(X) X(name) X(state) X(nodes) X(tres_alloc) X(max_rss_node) X(submit_line) \
        X(container)                                                                               \
        X(task_most) X(task_most_node) X(task_most_rank) X(task_least) X(task_least_node)          \
        X(task_least_rank) X(task_sum) X(cpu_freq)
/* clang-format on */
/* Numbers:

     step_id                 including STEP_BATCH
     part                    as in struct step
     user_cpu, system_cpu    microseconds, on all nodes
     max_rss                 bytes, maximum of a node
     sum_rss                 bytes, sum of all nodes
     consumed_energy         J */
/* clang-format off */
#define ENDED_STEP_NUMBERS(X)                                                                      \
        X(job_id) X(array_job) X(array_task) X(het_job) X(het_offset) X(restarts) X(uid) X(step_id) \
        X(num_nodes) X(num_cpus) X(num_tasks) X(exit_code) X(part)                                 \
        X(user_cpu) X(system_cpu) X(max_rss) X(sum_rss) X(consumed_energy)
/* clang-format on */
/* time_submit is the submission of the job. */
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

/* Resources used by a step on a node, reported by the agent. */
struct step_use {
        uint64_t user_cpu, system_cpu; /* us */
        uint64_t rss;                  /* bytes */
        struct measures measures;      /* measures of the step's tasks on the node */
        bool out_of_memory;
        usec_t ended; /* time of the end; 0: unknown */
};

static inline void step_use_done(struct step_use *u) {
        measures_done(&u->measures);
}
