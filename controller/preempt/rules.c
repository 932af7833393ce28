/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The single place that decides which job may preempt which, in which mode and from when, by tiers,
 * QOS and reservations. */
#include "controller/preempt/preempt.h"

#include "controller/accounts/qos.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/reservations/reservation.h"

static bool preempts_by_qos(const struct cluster *c, const struct qos *q) {
        unsigned words = c->config->preempt_mode;

        if (q && q->preempt_mode != PREEMPT_UNSET)
                words |= q->preempt_mode;
        return q && (q->preempt || (words & PREEMPT_WITHIN));
}

bool preempt_is_possible(const struct cluster *c, const struct job *j) {
        if (j->placed.resv && j->placed.resv->max_start_delay)
                return true;
        switch (c->config->preempt_type) {
        case PREEMPT_NONE:
                break;
        case PREEMPT_QOS:
                return preempts_by_qos(c, j->accounting.qos);
        case PREEMPT_PARTITION_PRIO:
                for (size_t i = 0; i < c->n_partitions; i++)
                        if (c->partitions[i]->priority_tier < j->partition->priority_tier)
                                return true;
        }
        return false;
}

/* Returns the words of PreemptMode for v, taken from the victim's partition or QOS. */
static unsigned preempt_mode_words(const struct cluster *c, const struct job *v) {
        switch (c->config->preempt_type) {
        case PREEMPT_NONE:
                break;
        case PREEMPT_PARTITION_PRIO:
                return partition_preempt_mode(c, v->partition);
        case PREEMPT_QOS:
                return v->accounting.qos && v->accounting.qos->preempt_mode != PREEMPT_UNSET
                                       ? v->accounting.qos->preempt_mode
                                       : c->config->preempt_mode;
        }
        return PREEMPT_OFF;
}

static enum preempt_mode configured_mode(const struct cluster *c, const struct job *v) {
        unsigned words = preempt_mode_words(c, v);

        /* The cluster's mode counts for a QOS with only GANG, WITHIN or PRIORITY, and for SUSPEND
           without GANG of the cluster. */
        if (c->config->preempt_type == PREEMPT_QOS && words &&
                        !(words & (PREEMPT_CANCEL | PREEMPT_REQUEUE)) &&
                        !(words & PREEMPT_SUSPEND && c->config->preempt_mode & PREEMPT_GANG))
                words = c->config->preempt_mode;
        return words & PREEMPT_SUSPEND   ? PREEMPT_SUSPEND
               : words & PREEMPT_REQUEUE ? PREEMPT_REQUEUE
               : words & PREEMPT_CANCEL  ? PREEMPT_CANCEL
                                         : PREEMPT_OFF;
}

/* Returns whether the processes of v, or of any component, could not be frozen. */
static bool cannot_freeze(const struct job *v) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together((struct job *)(uintptr_t)v, i);
                if (m && m->stopping.no_suspend && m->stopping.cannot_freeze)
                        return true;
        }
        return false;
}

/* Returns the mode for a job that cannot be suspended: the cluster's mode beside SUSPEND. */
static enum preempt_mode mode_instead(const struct cluster *c) {
        unsigned words = c->config->preempt_mode;

        return words & PREEMPT_REQUEUE  ? PREEMPT_REQUEUE
               : words & PREEMPT_CANCEL ? PREEMPT_CANCEL
                                        : PREEMPT_SUSPEND;
}

/* Returns the mode of v without regard to components; stuck: cannot_freeze(), equal for all
   components.  A reservation gets lent nodes back whatever PreemptType and PreemptMode are. */
static enum preempt_mode own_mode(const struct cluster *c, const struct job *v, bool stuck) {
        enum preempt_mode mode = configured_mode(c, v);

        if (v->asked.borrows &&
                        (mode == PREEMPT_SUSPEND || (mode == PREEMPT_OFF && resv_has_lent(c, v))))
                return PREEMPT_REQUEUE;
        return mode == PREEMPT_SUSPEND && stuck ? mode_instead(c) : mode;
}

/* Returns the common mode of two components: SUSPEND before REQUEUE before CANCEL; OFF of either is
   OFF of both. */
static enum preempt_mode mode_of_both(enum preempt_mode a, enum preempt_mode b) {
        static const enum preempt_mode order[] = { PREEMPT_OFF, PREEMPT_SUSPEND, PREEMPT_REQUEUE };

        for (size_t i = 0; i < ELEMENTSOF(order); i++)
                if (a == order[i] || b == order[i])
                        return order[i];
        return PREEMPT_CANCEL;
}

enum preempt_mode preempt_mode_of(const struct cluster *c, const struct job *v) {
        const bool stuck = cannot_freeze(v);
        enum preempt_mode mode = own_mode(c, v, stuck);

        for (uint32_t i = 0; v->het && i < v->het->n; i++)
                if (v->het->of[i] && preempt_is_there(v->het->of[i]))
                        mode = mode_of_both(mode, own_mode(c, v->het->of[i], stuck));
        return mode;
}

/* Returns PreemptExemptTime of v's QOS or of the partition's QOS, in the order of their limits,
   else of the cluster. */
static usec_t exempt_time(const struct cluster *c, const struct job *v) {
        const struct qos *own = v->accounting.qos, *part = v->partition->qos;
        bool own_first = own && own->flags & QOS_OVER_PART_QOS;
        const struct qos *order[] = { own_first ? own : part, own_first ? part : own };

        for (size_t i = 0; i < ELEMENTSOF(order); i++)
                if (order[i] && order[i]->preempt_exempt_time != TIME_UNSET)
                        return order[i]->preempt_exempt_time;
        return c->config->preempt_exempt_time;
}

usec_t preempt_eligible_time(const struct cluster *c, const struct job *v) {
        return v->running.start_time + exempt_time(c, v);
}

/* A reservation takes lent nodes back whenever a job of the reservation wants the nodes. */
static usec_t exempt_from(const struct cluster *c, const struct job *j, const struct job *v) {
        return resv_wants_back(j, v) ? 0 : exempt_time(c, v);
}

usec_t preempt_grace(const struct cluster *c, const struct job *j, const struct job *v) {
        if (job_needs_no_grace(v))
                return 0;
        if (j && resv_wants_back(j, v))
                return v->asked.warn_time;
        if (c->config->preempt_type == PREEMPT_QOS)
                return v->accounting.qos ? v->accounting.qos->grace_time * USEC_PER_SEC : 0;
        return v->partition->grace_time * USEC_PER_SEC;
}

/* Jobs of the same QOS preempt each other only with WITHIN, by priority.  A victim must not have a
   higher tier: the victim would precede the preemptor in the queue, take the nodes again, and so
   on. */
static bool qos_allows(const struct cluster *c, const struct job *j, const struct job *v) {
        unsigned words = preempt_mode_words(c, v);

        if (!j->accounting.qos || !v->accounting.qos)
                return false;
        if (j->accounting.qos == v->accounting.qos)
                return ((words | c->config->preempt_mode) & PREEMPT_WITHIN) &&
                       j->priority > v->priority &&
                       j->partition->priority_tier >= v->partition->priority_tier;
        return qos_preempts(j->accounting.qos, v->accounting.qos) &&
               (!(words & PREEMPT_PRIORITY) || j->priority > v->priority);
}

bool preempt_allowed(const struct cluster *c, const struct job *j, const struct job *v) {
        if (v == j)
                return false;
        if (resv_wants_back(j, v))
                return true;
        if (v->priority > c->config->preempt.min_exempt_priority)
                return false;
        if (v->asked.borrows && configured_mode(c, v) == PREEMPT_OFF)
                return false;
        if (c->config->preempt_type == PREEMPT_QOS)
                return qos_allows(c, j, v);
        if ((preempt_mode_words(c, v) & PREEMPT_PRIORITY) && j->priority < v->priority)
                return false;
        return v->partition->priority_tier < j->partition->priority_tier;
}

static bool would_end_alone(const struct cluster *c, const struct job *j, const struct job *v) {
        return preempt_allowed(c, j, v) &&
               preempt_mode_of(c, v) & (PREEMPT_CANCEL | PREEMPT_REQUEUE);
}

bool preempt_would_end(const struct cluster *c, const struct job *j, const struct job *v) {
        bool ends = would_end_alone(c, j, v);

        for (uint32_t i = 0; v->het && i < v->het->n && ends; i++)
                if (v->het->of[i] && i != v->het_offset)
                        ends = would_end_alone(c, j, v->het->of[i]);
        return ends;
}

/* Returns whether the partition of j forces OverSubscribe, or allows OverSubscribe and j asks for
   it. */
static bool takes_sharing(const struct job *j) {
        return j->partition->oversubscribe == OVERSUBSCRIBE_FORCE ||
               (j->partition->oversubscribe == OVERSUBSCRIBE_YES && job_share(j) == SHARE_YES);
}

/* A suspended job shares cores with the preemptor.  As in Slurm the victim's partition must have
   OverSubscribe=FORCE and the preemptor's must not be EXCLUSIVE (preemption guide,
   "configuration"), or both jobs must accept sharing; with select/linear only the tiers count.
   With preempt/qos both jobs must accept sharing: within a partition they take turns, else the
   preemptor's tier must be higher. */
static bool share_cores(const struct cluster *c, const struct job *j, const struct job *v) {
        bool qos = c->config->preempt_type == PREEMPT_QOS;

        if (qos && v->partition != j->partition &&
                        v->partition->priority_tier >= j->partition->priority_tier)
                return false;
        if (!qos && cluster_whole_nodes(c))
                return true;
        if (!qos && v->partition->oversubscribe == OVERSUBSCRIBE_FORCE)
                return j->partition->oversubscribe != OVERSUBSCRIBE_EXCLUSIVE;
        return takes_sharing(v) && takes_sharing(j);
}

/* A component of another mode is suspended along with a component of SUSPEND, as the guide says,
   without regard to the component's partition. */
static bool lends_cores(const struct cluster *c, const struct job *j, const struct job *v,
                bool stuck) {
        return own_mode(c, v, stuck) != PREEMPT_SUSPEND || share_cores(c, j, v);
}

bool preempt_lends(const struct cluster *c, const struct job *j, const struct job *v) {
        return (job_is_gang_stopped(v) || job_is_to_stop(v)) && !v->completing &&
               preempt_mode_of(c, v) == PREEMPT_SUSPEND && preempt_allowed(c, j, v) &&
               lends_cores(c, j, v, cannot_freeze(v));
}

static bool can_be_suspended(const struct cluster *c, const struct job *j, const struct job *v,
                bool stuck) {
        return v->state == JOB_RUNNING && !v->stopping.no_suspend && !v->configuring &&
               lends_cores(c, j, v, stuck);
}

bool preempt_is_there(const struct job *v) {
        return (v->state == JOB_RUNNING || v->state == JOB_SUSPENDED) && !v->completing;
}

enum preempt_mode preempt_all_or_none(const struct cluster *c, const struct job *j,
                struct job *const *parts, size_t n, usec_t now) {
        const bool stuck = n && cannot_freeze(parts[0]);
        enum preempt_mode all = n ? own_mode(c, parts[0], stuck) : PREEMPT_OFF;

        for (size_t i = 1; i < n; i++)
                all = mode_of_both(all, own_mode(c, parts[i], stuck));
        for (size_t i = 0; i < n && all != PREEMPT_OFF; i++) {
                const struct job *v = parts[i];
                if (!preempt_is_there(v) || !preempt_allowed(c, j, v) ||
                                now < v->running.start_time + exempt_from(c, j, v) ||
                                (all == PREEMPT_SUSPEND && !can_be_suspended(c, j, v, stuck)))
                        return PREEMPT_OFF;
        }
        return all;
}

static enum preempt_mode of_components(const struct cluster *c, const struct job *j,
                const struct het *h, usec_t now) {
        struct job *parts[HET_MAX] = { NULL };
        size_t n = 0;

        for (uint32_t i = 0; i < h->n && i < HET_MAX; i++)
                if (h->of[i] && job_is_active(h->of[i]) && !h->of[i]->completing)
                        parts[n++] = h->of[i];
        enum preempt_mode mode = preempt_all_or_none(c, j, parts, n, now);
        return n && mode == PREEMPT_REQUEUE && !job_may_run_again(parts[0]) ? PREEMPT_CANCEL : mode;
}

enum preempt_mode preempt_mode_now(const struct cluster *c, const struct job *j, struct job *v,
                usec_t now) {
        return job_is_het(v) ? of_components(c, j, v->het, now)
                             : preempt_all_or_none(c, j, &v, 1, now);
}

uint32_t preempt_tier(const struct cluster *c, const struct job *v) {
        if (c->config->preempt_type == PREEMPT_QOS)
                return v->accounting.qos ? MIN(v->accounting.qos->priority, (uint32_t)UINT16_MAX)
                                         : 0;
        return v->partition->priority_tier;
}

int preempt_order(const struct cluster *c, const struct job *v, const struct job *w) {
        if (c->config->preempt.youngest_first) {
                if (v->running.start_time != w->running.start_time)
                        return v->running.start_time > w->running.start_time ? -1 : 1;
        } else {
                if (preempt_tier(c, v) != preempt_tier(c, w))
                        return preempt_tier(c, v) < preempt_tier(c, w) ? -1 : 1;
                if (v->placed.n_alloc != w->placed.n_alloc)
                        return v->placed.n_alloc < w->placed.n_alloc ? -1 : 1;
        }
        return v->id < w->id ? -1 : v->id > w->id;
}
