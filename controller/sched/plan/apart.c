/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two jobs that could run on one node at one time, however full it is of them: one has cores of a
 * reservation (CoreCnt) alone, the other is kept off these all its time.  The plan keeps parts of
 * the node for them that are apart (parts.h); what they have in common is its memory. */
#include "controller/model/spec.h"
#include "controller/sched/plan/plan.h"

#include "controller/model/sockets.h"

/* CPUs of n that it is charged for at most: whole cores, were all its tasks there.  Where tasks are
   dealt to each node or socket by number it is not known. */
static uint64_t most_cpus(const struct job *j, const struct node *n) {
        const struct job_spec *t = &j->asked;
        uint64_t cpus = (uint64_t)job_tasks(j) * MAX(1u, j->needs.cpus_per_task);

        if (t->ntasks_per_node || t->ntasks_per_socket)
                return node_job_cpus(n);
        uint64_t units = MAX(DIV_ROUND_UP(cpus, job_threads_used(j, n)),
                        DIV_ROUND_UP(MAX(1u, j->needs.min_cpus_node), n->cpus_per_unit));
        return MIN(units * n->cpus_per_unit, (uint64_t)node_job_cpus(n));
}

/* MB that it has on n at most. */
static uint64_t most_memory(const struct cluster *c, const struct job *j, const struct node *n) {
        if (!(partition_select(c, j->partition) & CR_MEMORY))
                return 0;
        if (j->needs.mem_per_node)
                return j->needs.mem_per_node;
        return j->needs.mem_per_cpu ? job_memory_cpus(j, n, most_cpus(j, n)) * j->needs.mem_per_cpu
                                    : node_job_memory(n);
}

bool plan_is_apart(const struct cluster *c, struct backfill *b, const struct job_plan *p,
                const struct job *j, const struct node *n, usec_t from, usec_t until) {
        if (!bitset_has(parts_split(b->node_parts), n->index))
                return false;
        for (size_t k = 0; k < parts_of(b->node_parts, n->index); k++) {
                size_t part = parts_at(b->node_parts, n->index, k);
                spend(b, 1);
                if (plan_has_part(p, part) && parts_is_wanted(b->node_parts, c, j, n, part, from,
                                                              until, &b->work))
                        return false;
        }
        return true;
}

/* ---- memory ---- */

struct share { /* so much, until then */
        usec_t until;
        uint64_t memory;
};

struct shares {
        struct share *list;
        size_t n, allocated;
};

static void add_share(struct shares *all, usec_t until, uint64_t memory) {
        GROW(all->list, all->allocated, all->n);
        all->list[all->n++] = (struct share){ until, memory };
}

/* Of all that are not over by then, which stay. */
static uint64_t sum_at(struct shares *all, usec_t t) {
        uint64_t sum = 0;
        size_t kept = 0;

        for (size_t i = 0; i < all->n; i++)
                if (all->list[i].until > t) {
                        sum += all->list[i].memory;
                        all->list[kept++] = all->list[i];
                }
        all->n = kept;
        return sum;
}

/* Most is needed when a job begins. Plans come in that order, and as many at once as the node has
   parts. */
bool plan_memory_suffices(const struct cluster *c, struct backfill *b, const struct job *j,
                const struct node *n, usec_t now, struct period when, bool all) {
        const struct node_plans *np = &b->of[n->index];
        uint64_t mine = most_memory(c, j, n);
        struct shares others = { 0 };
        bool enough = true;

        spend(b, n->n_jobs + np->n);
        for (size_t i = 0; i < n->n_jobs && mine; i++) {
                const struct job_node *jn = job_node_find(n->jobs[i], n);
                if (jn && !jn->done)
                        add_share(&others, plan_job_until(n->jobs[i], now), jn->memory);
        }
        for (size_t i = 0; enough && mine; when.from = np->list[i]->start) {
                for (; i < np->n && np->list[i]->start <= when.from; i++)
                        if (plan_counts(c, np->list[i], j, all))
                                add_share(&others, np->list[i]->until,
                                                most_memory(c, np->list[i]->job, n));
                enough = sum_at(&others, when.from) + mine <= node_job_memory(n);
                if (i == np->n || np->list[i]->start >= when.until)
                        break;
        }
        free(others.list);
        return enough;
}
