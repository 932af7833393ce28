/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Victims of a job that starts while nodes of it boot: chosen -> they run on -> suspended when the
 * nodes are up, or shortly before -> the job begins.
 *
 * Such a job (CONFIGURING) has its units from the start, and its victims (SUSPEND) have them, too,
 * until they stand still: no process of it runs before that (job_try_launch()).  A victim has
 * stop_at from then on: until when it runs at the latest.  Which jobs it is for is not kept: they
 * are those that are configuring on its units.  So nothing has to be undone where one of them goes
 * away, as its boot has failed or it was cancelled: a victim that none is left for is no victim any
 * more.  stop_at is in the records, so that a restart goes on where it was.
 *
 * Victims that are cancelled or requeued (job_preempt.c) run on by the same field: their
 * preemptor is in the queue, and its claim has the nodes woken. */
#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"

/* For the order to stop, to its nodes and back. */
#define STOP_MARGIN USEC_PER_SEC

void job_is_victim(struct job *v, usec_t now) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m && m->state == JOB_RUNNING && !m->stopping.stop_at)
                        m->stopping.stop_at = now;
        }
}

/* j has not begun, and needs v's units or memory on n. */
static bool needs(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n) {
        return j != v && j->state == JOB_RUNNING && j->configuring && !j->completing &&
               (alloc_counts_cpus(c) || alloc_overlap(j, v, n) || memory_is_awaited(j, v, n));
}

/* The nodes that must be up before j begins: its batch node, or all.  The caller frees. */
static struct bitset *wanted_nodes(const struct cluster *c, const struct job *j) {
        struct bitset *nodes = bitset_copy(j->placed.nodes);

        if (!job_all_nodes_wanted(j, c->config->sbatch_wait_nodes)) {
                bitset_clear(nodes);
                bitset_add(nodes, j->placed.alloc[j->placed.batch_at].node->index);
        }
        return nodes;
}

/* A node that is on is rebooted for the job, or its agent is away: it is looked at again. */
static usec_t one_ready_by(const struct cluster *c, const struct job *j, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *nodes = wanted_nodes(c, j);
        usec_t by = nodes_up_by(c, nodes, now);

        bitset_for_each(i, nodes)
                if (c->nodes[i]->flags & NODE_REBOOT_ISSUED)
                        by = MAX(by, c->nodes[i]->power_request + node_boot_time(c->nodes[i]));
        return by > now ? by : now + STOP_MARGIN + ANSWER_MARGIN;
}

/* When the nodes of j, and of all other components, are expected to be up; 0: they are;
   USEC_INFINITY: a component has none yet. */
static usec_t ready_by(const struct cluster *c, const struct job *j, usec_t now) {
        usec_t by = 0;

        for (uint32_t i = 0; i < job_n_together(j); i++) {
                const struct job *m = j->het ? j->het->of[i] : j;
                if (!m || job_is_finished(m))
                        continue;
                if (m->state == JOB_PENDING) /* it starts in this instant */
                        return USEC_INFINITY;
                if (m->configuring && !job_nodes_ready(c, m))
                        by = MAX(by, one_ready_by(c, m, now));
        }
        return by;
}

/* v is told so much before it has to stand still. */
static usec_t lead_of(const struct cluster *c, const struct job *v) {
        usec_t lead = c->config->preempt.suspend_grace + STOP_MARGIN;

        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (v->placed.alloc[i].asked) /* which takes time to be pushed out */
                        return lead + c->config->site.reclaim_timeout;
        return lead;
}

/* v with all its components. */
static usec_t lead_of_whole(const struct cluster *c, struct job *v) {
        usec_t lead = 0;

        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together(v, i);
                lead = m ? MAX(lead, lead_of(c, m)) : lead;
        }
        return lead;
}

static void set_stop(struct cluster *c, struct job *v, usec_t at) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (!m || !job_is_to_stop(m) || m->stopping.stop_at == at)
                        continue;
                m->stopping.stop_at = at;
                cluster_job_changed(c, m);
        }
}

/* The job for which v runs on, and *ret_by, when its nodes are up (as stop_by()): of several the
   first; ret_by may be NULL.  NULL: there is none any more. */
static const struct job *makes_way_for(const struct cluster *c, struct job *v, usec_t now,
                usec_t *ret_by) {
        const struct job *ret = NULL;

        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together(v, i);
                for (size_t k = 0; m && k < m->placed.n_alloc; k++) {
                        const struct node *n = m->placed.alloc[k].node;
                        for (size_t w = 0; !m->placed.alloc[k].done && w < n->n_jobs; w++) {
                                if (!needs(c, n->jobs[w], m, n))
                                        continue;
                                if (!ret_by)
                                        return n->jobs[w];
                                usec_t by = ready_by(c, n->jobs[w], now);
                                if (!ret || by < *ret_by) {
                                        *ret_by = by;
                                        ret = n->jobs[w];
                                }
                        }
                }
        }
        return ret;
}

/* by: when the nodes of j, which it makes way for, are up; 0: they are. */
static void stop_by(struct cluster *c, struct job *v, const struct job *j, usec_t by, usec_t now) {
        bool fresh = v->stopping.stop_at <= now;

        if (by == USEC_INFINITY)
                return;
        /* A job that was given units of v before j may have its nodes already. */
        if (fresh && !(j = makes_way_for(c, v, now, &by)))
                return;
        usec_t lead = lead_of_whole(c, v), at = by > lead ? by - lead : 0;
        if (at <= now) {
                job_stop_whole(c, v, now);
                return;
        }
        if (fresh)
                cluster_log(c, v->id, NULL,
                                "JobId=%u runs on until the nodes of JobId=%u are up, for %llu s at most",
                                v->id, j->id, (unsigned long long)((at - now) / USEC_PER_SEC));
        if (fresh || at < v->stopping.stop_at)
                set_stop(c, v, at);
}

static void stop_on(struct cluster *c, const struct job *j, struct node *n, usec_t by, usec_t now) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (job_is_to_stop(n->jobs[i]) && needs(c, j, n->jobs[i], n))
                        stop_by(c, n->jobs[i], j, by, now);
}

void job_stop_victims(struct cluster *c, struct job *j, usec_t now) {
        usec_t by = ready_by(c, j, now);

        for (uint32_t i = 0; i < job_n_together(j); i++) {
                const struct job *m = job_together(j, i);
                for (size_t k = 0; m && m->configuring && k < m->placed.n_alloc; k++)
                        if (!m->placed.alloc[k].done)
                                stop_on(c, m, m->placed.alloc[k].node, by, now);
        }
}

void job_nodes_are_up(struct cluster *c, struct job *j, usec_t now) {
        for (uint32_t i = 0; i < job_n_together(j); i++) {
                const struct job *m = j->het ? j->het->of[i] : j;
                if (m && !job_is_finished(m) &&
                                (m->state == JOB_PENDING ||
                                                (m->configuring && !job_nodes_ready(c, m))))
                        return;
        }
        job_stop_victims(c, j, now);
}

/* Nothing needs v: it goes on as if nothing had been. */
static void is_no_victim(struct cluster *c, struct job *v) {
        cluster_log(c, v->id, NULL, "JobId=%u goes on: no job needs its nodes any more", v->id);
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m && job_is_to_stop(m))
                        m->stopping.preempt_time = 0;
        }
        set_stop(c, v, 0);
}

void job_spare_victims(struct cluster *c, const struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct node *n = j->placed.alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++)
                        if (job_is_to_stop(n->jobs[k]) && !makes_way_for(c, n->jobs[k], 0, NULL))
                                is_no_victim(c, n->jobs[k]);
        }
}

void job_stop_due(struct cluster *c, struct job *v, usec_t now) {
        usec_t by = USEC_INFINITY;

        if (v->stopping.preempt_mode) {
                job_preempt_due(c, v, now);
                return;
        }
        const struct job *j = makes_way_for(c, v, now, &by);
        if (!j)
                is_no_victim(c, v);
        else if (by == USEC_INFINITY)
                set_stop(c, v, now + ANSWER_MARGIN);
        else
                stop_by(c, v, j, by, now);
}
