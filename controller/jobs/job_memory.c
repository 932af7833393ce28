/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a suspended job: asked for -> (frozen on all nodes) -> pushed out -> measured -> given
 * to another job -> returned.
 *
 * On each node a job is promised the allocated memory minus memory given and memory owed; the sum
 * of all promises never exceeds the node's memory. A job starting beside frozen jobs may be owed a
 * part of the memory at first (owed), and is not launched before the whole memory is promised. For
 * each owed megabyte a victim is asked (asked, asked_for). When slumberd has measured the victim's
 * use and the rest is enough for the victim, the amount moves from the victim (given) to the
 * starting job in a single change: each megabyte always belongs to exactly one job. If the victim
 * uses more, nothing is given: the starting job returns to the queue, and the victim resumes and is
 * not asked again.
 *
 * Memory that becomes free on a node goes first to jobs that are owed memory, then back to the jobs
 * that gave memory (memory_level()). A job stays frozen until all memory is returned, and a job to
 * be ended before is killed while frozen: thawed, the job would use the memory. */
#include "controller/jobs/job_memory.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/model/spec.h"

/* Part of a job's memory never asked for: no job can do without page tables, kernel stacks and
   locked pages, even in a long sleep (1/STAYS_PART of the memory, at least STAYS_LEAST MB). */
#define STAYS_PART  20
#define STAYS_LEAST 16

/* the pause after a silent node, as for freezes */
#define ASK_AGAIN (5 * 60 * USEC_PER_SEC)

/* ---- questions ---- */

/* Returns whether slumber.yaml (reclaim_suspended) allows pushing out memory of frozen jobs of
   p. */
static bool may_be_pushed_out(const struct cluster *c, const struct partition *p) {
        const char *list = c->config->site.reclaim_suspended.text;

        return list && (streq(list, "ALL") || names_have(list, p->name, strlen(p->name)));
}

/* Jobs of one partition are not asked: such jobs may take turns, and pushing memory out and in
   would make the turns slow. */
bool memory_may_ask(const struct cluster *c, const struct job *j, const struct job *v) {
        return !v->stopping.no_reclaim && v->partition != j->partition && !v->completing &&
               may_be_pushed_out(c, v->partition);
}

uint64_t memory_can_give(const struct job *v, const struct node *n) {
        const struct job_node *vn = n->reclaims && n->connected ? job_node_find(v, n) : NULL;

        if (!vn || vn->done || vn->asked || vn->owed)
                return 0;
        uint64_t stays = vn->given + MAX(vn->memory / STAYS_PART, (uint64_t)STAYS_LEAST);
        return vn->memory > stays ? MIN(vn->memory - stays, n->swap_free) : 0;
}

/* Returns whether after is larger than before by more than noise (1/8). */
static bool has_grown(uint64_t before, uint64_t after) {
        return after > before && after - before > before / 8;
}

void memory_swap(struct cluster *c, struct node *n, bool reclaims, const char *why_not,
                uint64_t free_mb, usec_t now) {
        bool better = reclaims && (!n->reclaims || has_grown(n->swap_free, free_mb));

        n->swap_free = better || free_mb < n->swap_free ? free_mb : n->swap_free;
        if (n->reclaims != reclaims) {
                cluster_log(c, 0, n, "Node %s: memory of frozen jobs can%s be pushed out%s%s",
                                n->name, reclaims ? "" : "not", isempty(why_not) ? "" : ": ",
                                strempty(why_not));
                n->reclaims = reclaims;
                free_and_strdup(&n->no_reclaim, reclaims || isempty(why_not) ? NULL : why_not);
                cluster_node_changed(c, n, now);
        }
        if (!better || !c->config->site.reclaim_suspended.text)
                return;
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->stopping.no_reclaim)
                        memory_may_be_asked(c, n->jobs[i]);
        note(c, FACT_MEMORY_OFFERED);
}

void memory_may_be_asked(struct cluster *c, struct job *v) {
        v->stopping.may_give_again = 0;
        v->stopping.no_reclaim = false;
        free_and_strdup(&v->stopping.no_reclaim_why, NULL);
        note(c, FACT_MEMORY_OFFERED);
        cluster_job_changed(c, v);
}

bool memory_is_lent(const struct job *v) {
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (!v->placed.alloc[i].done &&
                                (v->placed.alloc[i].given || v->placed.alloc[i].asked))
                        return true;
        return false;
}

bool memory_is_awaited(const struct job *j, const struct job *v, const struct node *n) {
        const struct job_node *vn = job_node_find(v, n), *jn = job_node_find(j, n);

        return vn && jn && vn->asked && vn->asked_for == j->id && jn->owed;
}

uint64_t memory_given(const struct job *j) {
        uint64_t sum = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                sum += j->placed.alloc[i].done ? 0 : j->placed.alloc[i].given;
        return sum;
}

uint64_t memory_owed(const struct job *j) {
        uint64_t sum = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                sum += j->placed.alloc[i].done ? 0 : j->placed.alloc[i].owed;
        return sum;
}

bool memory_moves(const struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                if (!jn->done && (jn->given || jn->asked || jn->owed))
                        return true;
        }
        return false;
}

/* Returns the part of the job *ret that is owed the memory vn is asked for; NULL: no job any
   more. */
static struct job_node *memory_borrower(const struct cluster *c, const struct job_node *vn,
                struct job **ret) {
        struct job *j = vn->asked ? cluster_job(c, vn->asked_for) : NULL;
        struct job_node *jn = j && job_is_active(j) && !j->completing ? job_node_find(j, vn->node)
                                                                      : NULL;

        *ret = j;
        return jn && !jn->done && jn->owed ? jn : NULL;
}

/* ---- asking ---- */

void memory_ask(struct cluster *c, struct job *v, struct node *n, uint64_t mb,
                const struct job *j) {
        struct job_node *vn = job_node_find(v, n);

        assert(mb && mb <= memory_can_give(v, n));
        vn->asked = mb;
        vn->asked_for = j->id;
        cluster_log(c, v->id, n, "JobId=%u is to give %llu MB of its memory on %s to JobId=%u",
                        v->id, (unsigned long long)mb, n->name, j->id);
        cluster_job_changed(c, v);
}

static void memory_drop_request(struct cluster *c, struct job *v, struct job_node *vn) {
        if (vn->reclaiming)
                vn->due = 0;
        vn->asked = 0;
        vn->asked_for = 0;
        vn->reclaiming = false;
        note(c, FACT_MEMORY_KEPT); /* v may resume, or be asked for more */
        cluster_job_changed(c, v);
}

static void memory_send_request(struct cluster *c, struct job *v, struct job_node *vn, usec_t now) {
        struct effect *fx = effects_add(&c->effects, FX_RECLAIM);

        fx->job = v->id;
        fx->node = vn->node;
        /* A thaw takes a new serial: late answers to the request sent here are ignored. */
        fx->serial = vn->serial = c->next_serial++;
        fx->memory = vn->memory - vn->given - vn->asked;
        vn->reclaiming = true;
        job_set_due(c, v, vn, now + c->config->site.reclaim_timeout + ANSWER_MARGIN);
}

bool memory_collect(struct cluster *c, struct job *j, usec_t now) {
        bool owed = false;

        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct node *n = j->placed.alloc[i].node;
                if (j->placed.alloc[i].done || !j->placed.alloc[i].owed)
                        continue;
                owed = true;
                for (size_t k = 0; n->connected && k < n->n_jobs; k++) {
                        struct job *v = n->jobs[k];
                        struct job_node *vn = job_node_find(v, n);
                        if (vn->asked && vn->asked_for == j->id && !vn->reclaiming &&
                                        v->state == JOB_SUSPENDED && !v->completing &&
                                        job_is_stopped_everywhere(v))
                                memory_send_request(c, v, vn, now);
                }
        }
        return owed;
}

/* ---- answers ---- */

/* Jobs waiting for memory of v return to the queue and look for new nodes. */
static void memory_cancel_requests(struct cluster *c, struct job *v, usec_t now) {
        for (size_t i = 0; i < v->placed.n_alloc; i++) {
                struct job *j;
                if (!memory_borrower(c, &v->placed.alloc[i], &j))
                        continue;
                assert(!j->running.launched && !j->running.launch_sent && j->configuring);
                job_unstart(c, j, "a job there does not give its memory", now);
        }
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (v->placed.alloc[i].asked)
                        memory_drop_request(c, v, &v->placed.alloc[i]);
}

static void memory_mark_refused(struct cluster *c, struct job *v, const struct node *n,
                const char *why, bool silent, usec_t now) {
        cluster_log(c, v->id, NULL, "JobId=%u does not give its memory on %s: %s", v->id, n->name,
                        why);
        v->stopping.no_reclaim = true;
        v->stopping.may_give_again = silent ? now + ASK_AGAIN : 0;
        free(v->stopping.no_reclaim_why);
        v->stopping.no_reclaim_why = xasprintf("%s: %s", n->name, why);
        cluster_job_changed(c, v);
        memory_cancel_requests(c, v, now);
}

static void memory_transfer(struct cluster *c, struct job *v, struct job_node *vn, usec_t now) {
        struct job *j;
        struct job_node *jn = memory_borrower(c, vn, &j);

        if (jn) {
                uint64_t mb = MIN(vn->asked, jn->owed);
                vn->given += mb;
                jn->owed -= mb;
                cluster_job_changed(c, j);
        }
        memory_drop_request(c, v, vn);
        alloc_recount(c, vn->node, now);
        memory_level(c, vn->node, now);
        note_node(c, FACT_LAUNCH_POSSIBLE, vn->node);
}

void memory_reclaimed(struct cluster *c, struct job *v, struct node *n, uint64_t serial,
                uint64_t before, uint64_t after, usec_t took, const char *error, usec_t now) {
        struct job_node *vn = job_node_find(v, n);

        if (!vn || vn->done || !vn->reclaiming || vn->serial != serial || v->completing ||
                        v->state != JOB_SUSPENDED)
                return;
        vn->reclaiming = false;
        vn->due = 0;
        uint64_t keep = vn->memory - vn->given - vn->asked;
        cluster_log(c, v->id, n,
                        "JobId=%u used %llu MB on %s and uses %llu MB after %llu ms, it is to use no more than %llu MB%s%s",
                        v->id, (unsigned long long)before, n->name, (unsigned long long)after,
                        (unsigned long long)(took / USEC_PER_MSEC), (unsigned long long)keep,
                        error ? ": " : "", strempty(error));
        if (error || after > keep) {
                _cleanup_free_ char *why =
                                error ? xstrdup(error)
                                      : xasprintf("%llu MB are in use, %llu MB would be its own",
                                                        (unsigned long long)after,
                                                        (unsigned long long)keep);
                memory_mark_refused(c, v, n, why, false, now);
                return;
        }
        memory_transfer(c, v, vn, now);
}

void memory_overdue(struct cluster *c, struct job *v, struct job_node *vn, usec_t now) {
        vn->reclaiming = false;
        if (vn->node->connected) /* a disconnected node is asked again when it registers */
                memory_mark_refused(c, v, vn->node, "its agent does not say what it uses", true,
                                now);
}

/* ---- memory that becomes free ---- */

/* Returns the part of jn->owed for which no job on n is asked any more: the asked job has left. */
static uint64_t asked_of_none(const struct node *n, const struct job *j,
                const struct job_node *jn) {
        uint64_t asked = 0;

        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *vn = job_node_find(n->jobs[i], n);
                asked += vn->asked && vn->asked_for == j->id ? vn->asked : 0;
        }
        return jn->owed - MIN(jn->owed, asked);
}

/* Gives free memory to jobs with owed memory. all: even if another job has been asked for the same
   memory. */
static void memory_pay_owed(struct cluster *c, struct node *n, bool all, uint64_t *free_mb) {
        for (size_t i = 0; i < n->n_jobs && *free_mb; i++) {
                struct job *j = n->jobs[i];
                struct job_node *jn = job_node_find(j, n);
                uint64_t owed = !jn->owed || all ? jn->owed : asked_of_none(n, j, jn),
                         mb = MIN(owed, *free_mb);
                if (mb == 0 || j->completing) /* completing jobs are launched no more */
                        continue;
                jn->owed -= mb;
                *free_mb -= mb;
                note_node(c, FACT_LAUNCH_POSSIBLE, n);
                cluster_job_changed(c, j);
        }
}

static bool memory_returns_before(const struct job *v, const struct job *w) {
        if (v->partition->priority_tier != w->partition->priority_tier)
                return v->partition->priority_tier > w->partition->priority_tier;
        return v->running.suspend_time > w->running.suspend_time;
}

static void memory_give_back(struct cluster *c, struct node *n, uint64_t *free_mb) {
        while (*free_mb) {
                struct job *first = NULL;
                for (size_t i = 0; i < n->n_jobs; i++)
                        if (job_node_find(n->jobs[i], n)->given &&
                                        (!first || memory_returns_before(n->jobs[i], first)))
                                first = n->jobs[i];
                if (!first)
                        return;
                struct job_node *vn = job_node_find(first, n);
                uint64_t mb = MIN(vn->given, *free_mb);
                vn->given -= mb;
                *free_mb -= mb;
                note(c, FACT_MEMORY_RETURNED);
                cluster_job_changed(c, first);
        }
}

void memory_level(struct cluster *c, struct node *n, usec_t now) {
        uint64_t all = node_job_memory(n),
                 free_mb = all > n->memory_used ? all - n->memory_used : 0, before = free_mb;

        memory_pay_owed(c, n, false, &free_mb);
        memory_pay_owed(c, n, true, &free_mb);
        memory_give_back(c, n, &free_mb);
        for (size_t i = 0; i < n->n_jobs; i++) {
                struct job_node *vn = job_node_find(n->jobs[i], n);
                struct job *j;
                if (vn->asked && !memory_borrower(c, vn, &j))
                        memory_drop_request(c, n->jobs[i], vn);
        }
        if (free_mb != before)
                alloc_recount(c, n, now);
}
