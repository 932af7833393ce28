/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A starting job asks the jobs suspended for it on its nodes for memory, in proportion to the
 * memory that each can give, because no job can give all.  jobs/job_memory.c does the rest. */
#include "controller/preempt/borrow.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/spec.h"
#include "controller/preempt/preempt.h"

static uint64_t borrow_can_get(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n) {
        return v != j && preempt_lends(c, j, v) && memory_may_ask(c, j, v) ? memory_can_give(v, n)
                                                                           : 0;
}

static void borrow_ask(struct cluster *c, const struct job *j, struct job_node *jn) {
        struct node *n = jn->node;
        uint64_t left = jn->owed, all = 0;

        for (size_t i = 0; i < n->n_jobs; i++)
                all += borrow_can_get(c, j, n->jobs[i], n);
        assert(all >= left); /* guaranteed by the search for a place */
        for (size_t i = 0; i < n->n_jobs && left; i++) {
                uint64_t can = borrow_can_get(c, j, n->jobs[i], n);
                if (can == 0)
                        continue;
                uint64_t mb = DIV_ROUND_UP(left * can, all);
                memory_ask(c, n->jobs[i], n, mb, j);
                left -= mb;
                all -= can;
        }
}

void borrow_memory(struct cluster *c, struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                uint64_t used = jn->node->memory_used, all = node_job_memory(jn->node);
                uint64_t free_mb = all > used ? all - used : 0;

                if (jn->memory <= free_mb)
                        continue;
                jn->owed = jn->memory - free_mb;
                borrow_ask(c, j, jn);
        }
}
