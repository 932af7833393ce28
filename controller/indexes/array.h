/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/array.h - job arrays (sbatch --array)
 *
 * The tasks that have not begun share one record, the array's rest: 100,000 tasks that wait cost
 * what one job costs.  A task gets a record, and a job id, of its own when it starts or when a
 * request names it alone; the last one takes over the rest's record, and with it the array's id. */
#pragma once

#include "controller/model/cluster.h"

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

/* "0-15:4,20%2", also in brackets, indices below size: a set with room for the highest, and the
   number behind %, or 0. -EINVAL or -ERANGE with fail.  The caller frees *ret. */
int array_tasks_parse(const char *text, uint32_t size, struct bitset **ret, uint32_t *limit,
                struct fail *fail);
/* j, which has an id, becomes the rest of a new array.  tasks is taken over and not empty. */
void array_new(struct cluster *c, struct job *j, struct bitset *tasks, uint32_t limit);
/* The same from the store, record by record; waiting: the rest's, otherwise ignored. */
int array_restore(struct cluster *c, struct job *j, uint32_t id, const char *waiting,
                uint32_t limit, bool failed, struct fail *fail);
/* A record for the task that waits with the rest, as a pending job. NULL: there is no free job
   id. */
struct job *array_take(struct cluster *c, struct array *a, uint32_t task);
/* j is about to be forgotten.  The id of a script that is not needed any more, or 0. */
uint32_t array_leave(struct cluster *c, struct job *j);
void array_free(struct array *a);

/* The task's own record; NULL: it is part of the rest, or unknown. */
struct job *array_task(const struct array *a, uint32_t task);
static inline bool array_waits(const struct array *a, size_t task) {
        return a->rest && task < a->waiting->bits && bitset_has(a->waiting, task);
}
/* It was among the indices that were asked for. */
static inline bool array_had(const struct array *a, uint32_t task) {
        return task < a->asked->bits && bitset_has(a->asked, task);
}
/* "2-4": those of the rest that are also among chosen (NULL: all); the caller frees. */
char *array_waiting_text(const struct array *a, const struct bitset *chosen);
/* Nothing of it is left to run. */
bool array_is_over(const struct array *a);
/* So many may run at once from now on; 0: any number. Tasks that waited for that are looked at
   again. */
void array_set_limit(struct cluster *c, struct array *a, uint32_t limit);
/* The limit may let no more of them run now. */
bool array_is_full(const struct array *a);
