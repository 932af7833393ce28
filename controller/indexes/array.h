/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/array.h - creation of job arrays (model/array.h), splitting into tasks,
 * removal */
#pragma once

#include "controller/model/array.h"
#include "controller/model/cluster.h"

/* Parses "0-15:4,20%2", optionally in brackets, with indexes below size.  *ret: the set, freed by
   the caller; *limit: the number behind %, or 0.  Returns -EINVAL or -ERANGE with fail. */
int array_tasks_parse(const char *text, uint32_t size, struct bitset **ret, uint32_t *limit,
                struct fail *fail);
/* Makes j, which has an id, the rest of a new array.  Takes ownership of tasks, which is not
   empty. */
void array_new(struct cluster *c, struct job *j, struct bitset *tasks, uint32_t limit);
/* Restores an array from the records of its tasks; waiting: tasks of the rest, ignored for
   tasks. */
int array_restore(struct cluster *c, struct job *j, uint32_t id, const char *waiting,
                uint32_t limit, bool failed, struct fail *fail);
/* Gives a pending task of the rest a record of its own.  Returns NULL if no job id is free. */
struct job *array_take(struct cluster *c, struct array *a, uint32_t task);
/* Removes j from its array before j is freed.  Returns the id of a script no longer needed, or
   0. */
uint32_t array_leave(struct cluster *c, struct job *j);
void array_free(struct array *a);

/* The record of the task; NULL: part of the rest, or unknown. */
struct job *array_task(const struct array *a, uint32_t task);
/* "2-4": the tasks of the rest that are in chosen (NULL: all); the caller frees. */
char *array_waiting_text(const struct array *a, const struct bitset *chosen);
/* True if every task has ended. */
bool array_is_over(const struct array *a);
/* Sets the maximum of tasks running at once; 0: no limit.  Tasks waiting for the limit are
   considered again. */
void array_set_limit(struct cluster *c, struct array *a, uint32_t limit);
/* True if the limit forbids starting a further task now. */
bool array_is_full(const struct array *a);
