/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/array.h - job arrays (sbatch --array)
 *
 * The tasks that have not begun share one record, the array's rest: 100,000 tasks that wait cost
 * what one job costs.  A task gets a record, and a job id, of its own when it starts or when a
 * request names it alone; the last one takes over the rest's record, and with it the array's id. */
#pragma once

#include "controller/model/job.h"

#define ARRAY_REST     UINT32_MAX /* job.array_task of the rest */
#define ARRAY_SIZE_MAX 4000001u   /* MaxArraySize; indices are below it */

struct array {
        uint32_t id;                    /* N of N_3: the job id that sbatch printed */
        struct job *rest;               /* NULL: every task has a record */
        struct bitset *waiting;         /* indices of the rest's tasks */
        uint32_t limit;                 /* so many run at once; 0 = all */
        struct bitset *asked;           /* all of its indices */
        uint32_t min, max, step, count; /* of those */
        size_t n_active;                /* tasks that hold resources */
        bool failed;                    /* a task that is forgotten did not complete */
        struct job **tasks;             /* with a record, by index */
        size_t n_tasks, a_tasks;
        uint32_t *dependents; /* as job.dependents, for all of its tasks */
        size_t n_dependents, a_dependents;
};

static inline bool job_is_rest(const struct job *j) {
        return j->array && j->array_task == ARRAY_REST;
}
/* Its script is kept under this id. */
static inline uint32_t job_script_id(const struct job *j) {
        return j->array ? j->array->id : j->id;
}

static inline bool array_waits(const struct array *a, size_t task) {
        return a->rest && task < a->waiting->bits && bitset_has(a->waiting, task);
}
/* It was among the indices that were asked for. */
static inline bool array_had(const struct array *a, uint32_t task) {
        return task < a->asked->bits && bitset_has(a->asked, task);
}
