/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/array.h - job arrays (sbatch --array)
 *
 * All tasks not started yet share one record, the array's rest, so 100,000 pending tasks cost as
 * much memory as one job.  A task gets a record and a job id of its own when the task starts or a
 * request names the task alone; the last task takes over the record of the rest with the array's
 * id. */
#pragma once

#include "controller/model/job.h"

#define ARRAY_REST     UINT32_MAX /* value of job.array_task in the rest */
#define ARRAY_SIZE_MAX 4000001u   /* maximum of MaxArraySize; indexes are smaller */

struct array {
        uint32_t id;                    /* N of N_3: the job id printed by sbatch */
        struct job *rest;               /* NULL: every task has a record */
        struct bitset *waiting;         /* indexes of the tasks in rest */
        uint32_t limit;                 /* maximum of tasks running at once; 0: no limit */
        struct bitset *asked;           /* the requested indexes */
        uint32_t min, max, step, count; /* minimum, maximum, step and count of asked */
        size_t n_active;                /* tasks holding resources */
        bool failed;                    /* a task whose record was removed did not complete */
        struct job **tasks;             /* tasks with a record, sorted by index */
        size_t n_tasks, a_tasks;
        uint32_t *dependents; /* ids of jobs depending on the array, like job.dependents */
        size_t n_dependents, a_dependents;
};

static inline bool job_is_rest(const struct job *j) {
        return j->array && j->array_task == ARRAY_REST;
}
/* The id under which the batch script is stored. */
static inline uint32_t job_script_id(const struct job *j) {
        return j->array ? j->array->id : j->id;
}

static inline bool array_waits(const struct array *a, size_t task) {
        return a->rest && task < a->waiting->bits && bitset_has(a->waiting, task);
}
/* True if the task is one of the requested indexes. */
static inline bool array_had(const struct array *a, uint32_t task) {
        return task < a->asked->bits && bitset_has(a->asked, task);
}
