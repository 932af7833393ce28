/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/dependency_listen.h - lists of the dependents of each job and array */
#pragma once

#include "controller/model/cluster.h"

/* Adds the job with id waits to a list of dependents, which grows with the number of dependents,
   however often each is added. */
void dependency_list(const struct cluster *c, uint32_t **list, size_t *n, size_t *allocated,
                uint32_t waits);
/* The caller frees the copy by dependencies_free(); NULL stays NULL. */
struct dependencies *dependencies_copy(const struct dependencies *d);
/* Adds j to the dependents of every job named in j->waiting.depends. */
void dependencies_listen(struct cluster *c, struct job *j);
/* Adds j to the dependents of job a, or of array all if not NULL; a may be NULL then. */
void dependency_listen(const struct cluster *c, struct job *a, struct array *all,
                const struct job *j);
