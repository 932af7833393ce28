/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each job and array lists its dependents: the end of a job examines only dependents. */
#include "controller/indexes/dependency_listen.h"
#include "controller/indexes/array.h"

#include "controller/model/dependency.h"
#include "lib/sorted.h"

struct dependencies *dependencies_copy(const struct dependencies *d) {
        struct dependencies *copy;

        if (!d)
                return NULL;
        copy = xnew(struct dependencies, 1);
        *copy = *d;
        copy->allocated = d->n;
        copy->of = memcpy(xnew(struct dependency, d->n), d->of, d->n * sizeof d->of[0]);
        return copy;
}

/* Removes duplicates and jobs without dependencies from the list: repeated changes of dependencies
   do not make the list longer. */
static void dependents_compact(const struct cluster *c, uint32_t *list, size_t *n) {
        size_t kept = 0;

        for (size_t i = 0; i < *n; i++) {
                const struct job *j = cluster_job(c, list[i]);
                if (j && j->waiting.depends)
                        list[kept++] = list[i];
        }
        *n = kept;
        sort_numbers(list, n);
}

/* Skips a job added just before: a job may name one job several times. */
void dependency_list(const struct cluster *c, uint32_t **list, size_t *n, size_t *allocated,
                uint32_t waits) {
        if (*n && (*list)[*n - 1] == waits)
                return;
        if (*n == *allocated) {
                dependents_compact(c, *list, n);
                if (*n > *allocated / 2) /* a list more than half full would soon be full again */
                        *list = xrenew(*list, *allocated *= 2);
                else if (*allocated == 0)
                        *list = xrenew(*list, *allocated = 8);
        }
        (*list)[(*n)++] = waits;
}

void dependency_listen(const struct cluster *c, struct job *a, struct array *all,
                const struct job *j) {
        if (all)
                dependency_list(c, &all->dependents, &all->n_dependents, &all->a_dependents, j->id);
        else
                dependency_list(c, &a->listed.dependents, &a->listed.n_dependents,
                                &a->listed.a_dependents, j->id);
}

void dependencies_listen(struct cluster *c, struct job *j) {
        for (size_t i = 0; j->waiting.depends && i < j->waiting.depends->n; i++) {
                struct dependency *d = &j->waiting.depends->of[i];
                if (d->hidden)
                        continue;
                struct array *all = cluster_array(c, d->job);
                struct job *a = cluster_job(c, d->job);

                d->array |= all && d->kind != DEPENDENCY_SINGLETON;
                if (!all && a)
                        all = a->array;
                if (all || a)
                        dependency_listen(c, a, all, j);
        }
}
