/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/dependency_listen.h - the jobs that wait for a job: each job and array lists
   them */
#pragma once

#include "controller/model/cluster.h"

/* Adds the job waits to a list of those that wait for one, which grows with their number, however
   often each is added. */
void dependency_list(const struct cluster *c, uint32_t **list, size_t *n, size_t *allocated,
                uint32_t waits);
/* The caller frees by dependencies_free(); NULL stays NULL. */
struct dependencies *dependencies_copy(const struct dependencies *d);
/* j hears of what becomes of those that j->waiting.depends names. */
void dependencies_listen(struct cluster *c, struct job *j);
/* j is listed with those that wait for a, or for a task of all; one of them may be NULL. */
void dependency_listen(const struct cluster *c, struct job *a, struct array *all,
                const struct job *j);
