/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Victims of a job that starts while its nodes boot: chosen -> they run on -> suspended when the
 * nodes are up, or shortly before -> the job begins.
 *
 * The starting job (CONFIGURING) has the units from the start, and the victims (SUSPEND) have the
 * same units until frozen: before that moment the starting job has no process (job_try_launch()).
 * From the start on a victim has stop_at, the latest time of the suspension. The starting job is
 * not stored with the victim, but found as a configuring job on the victim's units. So a failed
 * boot or a cancelled job leaves no state to undo: a victim without a starting job is a victim no
 * more. stop_at is recorded and survives a restart.
 *
 * A boot may take longer than usual. A victim suspended just before the nodes were expected gets
 * stop_at again: the time at which the boot counts as late. Then the victim resumes (gang.c,
 * late_boot), and is suspended again when the nodes are up.
 *
 * Victims that are cancelled or requeued (job_preempt.c) run on by means of the same field: the
 * preemptor is in the queue, and the nodes of the preemptor's claim are resumed. */
#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"

/* Time for the order to suspend to reach the nodes, and for the answer. */
#define STOP_MARGIN USEC_PER_SEC
/* A boot longer than usual by this much is late: victims suspended for the boot resume. */
#define LATE_MARGIN (10 * USEC_PER_SEC)

void job_is_victim(struct job *v, usec_t now) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m && m->state == JOB_RUNNING && !m->stopping.stop_at)
                        m->stopping.stop_at = now;
        }
}

/* Returns whether j has not begun and needs v's units or memory on n. */
static bool starter_needs_units(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n) {
        return j != v && j->state == JOB_RUNNING && j->configuring && !j->completing &&
               (alloc_counts_cpus(c) || alloc_overlap(j, v, n) || memory_is_awaited(j, v, n));
}

/* Returns the nodes that must be up before j begins, the batch node or all nodes; the caller
   frees. */
static struct bitset *starter_wanted_nodes(const struct cluster *c, const struct job *j) {
        struct bitset *nodes = bitset_copy(j->placed.nodes);

        if (!job_all_nodes_wanted(j, c->config->sbatch_wait_nodes)) {
                bitset_clear(nodes);
                bitset_add(nodes, j->placed.alloc[j->placed.batch_at].node->index);
        }
        return nodes;
}

/* Returns whether n's boot, or reboot, takes longer than usual or its slumberd is away: the end is
   unknown. */
static bool is_overdue(const struct node *n, usec_t now) {
        bool boots = n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED;

        return boots && n->power_request + node_boot_time(n) <= now;
}

/* Returns when the nodes that j needs are expected to be up; USEC_INFINITY: unknown. */
static usec_t one_ready_by(const struct cluster *c, const struct job *j, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *nodes = starter_wanted_nodes(c, j);
        usec_t by = nodes_up_by(c, nodes, now);

        bitset_for_each(i, nodes) {
                if (is_overdue(c->nodes[i], now))
                        return USEC_INFINITY;
                if (c->nodes[i]->flags & NODE_REBOOT_ISSUED)
                        by = MAX(by, c->nodes[i]->power_request + node_boot_time(c->nodes[i]));
        }
        return by > now ? by : USEC_INFINITY;
}

/* Returns when the nodes of j and all its components are expected to be up; 0: up now;
   USEC_INFINITY: unknown, or a component has no nodes yet. */
static usec_t ready_by(const struct cluster *c, const struct job *j, usec_t now) {
        usec_t by = 0;

        for (uint32_t i = 0; i < job_n_together(j); i++) {
                const struct job *m = j->het ? j->het->of[i] : j;
                if (!m || job_is_finished(m))
                        continue;
                if (m->state == JOB_PENDING) /* the component starts in this instant */
                        return USEC_INFINITY;
                if (m->configuring && !job_nodes_ready(c, m))
                        by = MAX(by, one_ready_by(c, m, now));
        }
        return by;
}

/* Returns the time from the order to suspend v until v has to be frozen. */
static usec_t victim_lead_time(const struct cluster *c, const struct job *v) {
        usec_t lead = c->config->preempt.suspend_grace + STOP_MARGIN;

        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (v->placed.alloc[i].asked) /* pushing memory out takes time */
                        return lead + c->config->site.reclaim_timeout;
        return lead;
}

/* victim_lead_time() of v and all its components */
static usec_t victim_lead_time_whole(const struct cluster *c, struct job *v) {
        usec_t lead = 0;

        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together(v, i);
                lead = m ? MAX(lead, victim_lead_time(c, m)) : lead;
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

/* Returns whether v is suspended for a job whose nodes boot: stop_at is when the boot is late or,
   once the boot is late, until when v runs again. */
static bool is_stopped_early(const struct job *v) {
        return job_is_gang_stopped(v) && v->stopping.stop_at && !v->stopping.preempt_mode;
}

/* Sets the next review of the suspended v; 0: v resumes only after the end of the starting job. */
static void victim_set_review(struct cluster *c, struct job *v, bool late, usec_t at) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (!m || !job_is_gang_stopped(m) || m->stopping.preempt_mode)
                        continue;
                m->stopping.late_boot = late;
                m->stopping.stop_at = at;
                cluster_job_changed(c, m);
        }
}

/* Returns the starting job in need of v's units and sets *ret_by (may be NULL) to the time when the
   starting job's nodes are up, as ready_by(); of several jobs, the earliest. NULL: no such job. */
static const struct job *makes_way_for(const struct cluster *c, struct job *v, usec_t now,
                usec_t *ret_by) {
        const struct job *ret = NULL;

        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together(v, i);
                for (size_t k = 0; m && k < m->placed.n_alloc; k++) {
                        const struct node *n = m->placed.alloc[k].node;
                        for (size_t w = 0; !m->placed.alloc[k].done && w < n->n_jobs; w++) {
                                if (!starter_needs_units(c, n->jobs[w], m, n))
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

/* Suspends v for j or plans the suspension. by: when the nodes of j are up, as ready_by(). */
static void stop_by(struct cluster *c, struct job *v, const struct job *j, usec_t by, usec_t now) {
        bool fresh = v->stopping.stop_at <= now;

        if (by == USEC_INFINITY)
                return;
        /* The nodes of a job with an earlier claim on v's units may be up already. */
        if (fresh && !(j = makes_way_for(c, v, now, &by)))
                return;
        usec_t lead = victim_lead_time_whole(c, v), at = by > lead ? by - lead : 0;
        if (at <= now) {
                job_stop_whole(c, v, now);
                if (by)
                        victim_set_review(c, v, false, by + LATE_MARGIN);
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
        for (size_t i = 0; i < n->n_jobs; i++) {
                struct job *v = n->jobs[i];
                if (!starter_needs_units(c, j, v, n))
                        continue;
                if (job_is_to_stop(v))
                        stop_by(c, v, j, by, now);
                else if (by == 0 && v->stopping.late_boot) /* v was about to resume */
                        victim_set_review(c, v, false, v->stopping.stop_at);
        }
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

/* No job needs v's units: v runs on as if never chosen as victim. */
static void victim_release(struct cluster *c, struct job *v) {
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
                for (size_t k = 0; k < n->n_jobs; k++) {
                        struct job *v = n->jobs[k];
                        bool stopped = is_stopped_early(v);
                        if ((!stopped && !job_is_to_stop(v)) || makes_way_for(c, v, 0, NULL))
                                continue;
                        if (stopped)
                                victim_set_review(c, v, false, 0);
                        else
                                victim_release(c, v);
                }
        }
}

/* Returns when to review v, which runs beside the late job; with an unknown end of the boot,
   soon. */
static usec_t goes_on_until(usec_t by, usec_t lead, usec_t now) {
        return by == USEC_INFINITY ? now + ANSWER_MARGIN : by - lead;
}

/* The boot for which v is suspended is late: v resumes, unless the nodes are up in a moment. */
static void boot_is_late(struct cluster *c, struct job *v, usec_t now) {
        usec_t by = 0, lead = victim_lead_time_whole(c, v);
        const struct job *j = is_stopped_early(v) ? makes_way_for(c, v, now, &by) : NULL;

        if (!j) {
                v->stopping.stop_at = 0;
                cluster_job_changed(c, v);
        } else if (by <= now + lead) {
                victim_set_review(c, v, false, MAX(by, now) + LATE_MARGIN);
        } else {
                cluster_log(c, v->id, NULL,
                                "JobId=%u goes on: the boot of the nodes of JobId=%u is late",
                                v->id, j->id);
                victim_set_review(c, v, true, goes_on_until(by, lead, now));
                note(c, FACT_BOOT_LATE);
        }
}

void job_stop_due(struct cluster *c, struct job *v, usec_t now) {
        usec_t by = USEC_INFINITY;

        if (v->stopping.preempt_mode) {
                job_preempt_due(c, v, now);
                return;
        }
        if (v->state == JOB_SUSPENDED) {
                boot_is_late(c, v, now);
                return;
        }
        const struct job *j = makes_way_for(c, v, now, &by);
        if (!j)
                victim_release(c, v);
        else if (by == USEC_INFINITY)
                set_stop(c, v, now + ANSWER_MARGIN);
        else
                stop_by(c, v, j, by, now);
}
