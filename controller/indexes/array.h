/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/array.h - how job arrays (model/array.h) are made, split into tasks and
 * forgotten */
#pragma once

#include "controller/model/array.h"
#include "controller/model/cluster.h"

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
/* "2-4": those of the rest that are also among chosen (NULL: all); the caller frees. */
char *array_waiting_text(const struct array *a, const struct bitset *chosen);
/* Nothing of it is left to run. */
bool array_is_over(const struct array *a);
/* So many may run at once from now on; 0: any number. Tasks that waited for that are looked at
   again. */
void array_set_limit(struct cluster *c, struct array *a, uint32_t limit);
/* The limit may let no more of them run now. */
bool array_is_full(const struct array *a);
