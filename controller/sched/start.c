/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a pending job on the nodes found: allocates the nodes, records the use of the job's plan,
 * and stops the victims. */
#include "controller/sched/sched_private.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/indexes/array.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/preempt/borrow.h"
#include "controller/preempt/gang.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

/* Returns whether j starts on just the planned nodes, in time: the plan leaves nothing for further
   jobs. */
static bool is_as_planned(const struct job *j, const struct bitset *nodes, usec_t now) {
        size_t n = 0;

        if (j->waiting.plan->start > now)
                return false;
        for (size_t i = 0; i < j->waiting.plan->n_ranges; n += j->waiting.plan->ranges[i++].n)
                for (size_t k = 0; k < j->waiting.plan->ranges[i].n; k++)
                        if (!bitset_has(nodes, j->waiting.plan->ranges[i].from + k))
                                return false;
        return n == bitset_count(nodes);
}

static void note_use_of_plan(const struct job *j, const struct bitset *nodes, usec_t now) {
        if (j->waiting.plan)
                j->waiting.plan->used = is_as_planned(j, nodes, now);
}

/* Splits the next task from the rest of an array. The task takes over the plan; the remaining tasks
   are planned anew. NULL: no job id is left. */
static struct job *next_task(struct cluster *c, struct job *rest) {
        struct job *j = array_take(c, rest->array, (uint32_t)bitset_next(rest->array->waiting, 0));

        if (!j || j == rest)
                return j;
        j->waiting.plan = TAKE(rest->waiting.plan);
        if (j->waiting.plan) {
                j->waiting.plan->job = j;
                j->waiting.plan->bid = &j->waiting.bids[j->waiting.plan->bid - rest->waiting.bids];
        }
        cluster_queue_touch(c, rest);
        return j;
}

static bool job_start_placed(struct cluster *c, const struct job *as, struct placement *where,
                enum job_starter by, usec_t now) {
        _cleanup_free_ char *names = cluster_nodes_text(c, where->nodes);
        struct job *j = job_itself(as);

        if (as->needs.hres && !where->layers) /* placed without a check of hierarchical resources */
                return false;
        note_use_of_plan(j, where->nodes, now);
        if (job_is_rest(j))
                j = next_task(c, j);
        if (!j)
                return false;
        job_becomes(j, as);
        if (j->waiting.n_bids > 1)
                acct_bind(c, j); /* an association may be for one partition */

        job_clear_allocation(j);
        resv_job_starts(j);
        j->placed.nodes = TAKE(where->nodes);
        j->placed.units = TAKE(where->units);
        j->placed.gres = TAKE(where->gres);
        j->placed.n_gres = where->n_gres;
        j->placed.alloc = TAKE(where->alloc);
        j->placed.n_alloc = where->n_alloc;
        j->placed.num_cpus = where->num_cpus;
        licenses_choose(j, where->license, TAKE(where->layers));
        j->placed.preferred = where->preferred;
        j->waiting.switches_since = 0;
        j->waiting.switches_armed = false;
        cluster_log(c, j->id, NULL, "Allocate JobId=%u NodeList=%s #CPUs=%u Partition=%s", j->id,
                        names, j->placed.num_cpus, j->partition->name);
        for (size_t i = 0; i < where->n_victims; i++) {
                if (where->victims[i]->state == JOB_SUSPENDED ||
                                /* stopped already for another component */
                                job_is_to_stop(where->victims[i]))
                        continue;
                cluster_log(c, where->victims[i]->id, NULL,
                                "Preempting JobId=%u: JobId=%u takes %s", where->victims[i]->id,
                                j->id, names);
                for (uint32_t k = 0; k < job_n_together(where->victims[i]); k++) {
                        struct job *m = job_together(where->victims[i], k);
                        if (m)
                                m->stopping.preempt_time = now;
                }
                job_is_victim(where->victims[i], now);
        }
        borrow_memory(c, j);
        j->running.started_by = j->needs.now_or_never ? STARTER_SUBMISSION : by;
        job_start(c, j, now);
        job_stop_victims(c, j, now);
        resv_replenish(c, j, now);
        gang_started(c, j, now);
        job_try_launch(c, j, now);
        return true;
}

void sched_start_together(struct cluster *c, struct together *of, size_t n, enum job_starter by,
                usec_t now) {
        for (size_t i = 0; i < n; i++)
                note_use_of_plan(job_itself(of[i].j), of[i].where.nodes, now);
        for (size_t i = 0; i < n; i++) {
                bool started = job_start_placed(c, of[i].j, &of[i].where, by, now);
                assert(started);
        }
}

bool sched_start(struct cluster *c, const struct job *as, struct placement *where,
                enum job_starter by, usec_t now) {
        return !job_is_het(as) && job_start_placed(c, as, where, by, now);
}
