/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out the result of preempt_place(): victims are told to end, and their nodes are claimed
   for the preemptor. */
#include "controller/accounts/bids.h"
#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/sched/sched_private.h"

void sched_come_back(struct cluster *c, usec_t again, usec_t now) {
        if (again == USEC_INFINITY || (c->exempt_until > now && c->exempt_until <= again))
                return;
        c->exempt_until = again;
        c->exempt_changes++;
        cluster_arm(c, again, DEADLINE_PASS, PASS_ALLOWS);
}

/* Returns whether the value k has a right to its claimed nodes before j. */
static bool claim_precedes(const struct cluster *c, const struct job *k, const struct job *j) {
        return (job_leader(k)->claim.turn == CLAIM_VICTIMS && job_order(k, j) < 0) ||
               preempt_would_end(c, k, j);
}

/* claim_precedes() for any partition of k, as k may have stopped victims for any of its
   partitions. */
static bool claim_precedes_anywhere(const struct cluster *c, const struct job *k,
                const struct job *j) {
        struct job room;
        bool before = k->waiting.n_bids == 0 && claim_precedes(c, k, j);

        for (size_t i = 0; i < k->waiting.n_bids && !before; i++)
                before = claim_precedes(c, job_in_bid(&k->waiting.bids[i], &room), j);
        return before;
}

/* The leader claims nodes for all components, any of which may have stopped victims there. */
bool claim_keeps_from(const struct cluster *c, const struct job *k, const struct job *j) {
        bool keeps = claim_precedes_anywhere(c, k, j);

        for (uint32_t i = 1; k->het && i < k->het->n && !keeps; i++)
                keeps = k->het->of[i] && claim_precedes_anywhere(c, k->het->of[i], j);
        return keeps;
}

void claims_take(const struct cluster *c, const struct job *j, struct bitset *usable) {
        for (size_t i = 0; i < c->n_claims; i++)
                if (!job_is_with(c->claims[i], job_itself(j)) &&
                                claim_keeps_from(c, c->claims[i], j))
                        bitset_minus(usable, c->claims[i]->claim.nodes);
}

/* Number of j's array tasks that could start; each has victims of its own. 1 unless j is the rest
   of an array. */
static size_t tasks_that_wait(const struct job *j) {
        const struct array *a = j->array;
        size_t n = job_is_rest(j) ? bitset_count(a->waiting) : 1;

        return job_is_rest(j) && a->limit ? MIN(n, (size_t)a->limit - MIN(a->limit, a->n_active))
                                          : n;
}

bool sched_awaits_victims(const struct job *j) {
        const struct bid *in = NULL;

        if (!j->claim.nodes || !j->claim.in || j->claim.waits || j->claim.turn == CLAIM_TURN ||
                        tasks_that_wait(j) > j->claim.tasks)
                return false;
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].partition == j->claim.in)
                        in = &j->waiting.bids[i];
        return in && in != j->waiting.current && bid_order(in, j->waiting.current) < 0;
}

usec_t sched_grace(const struct cluster *c, const struct job *v, const struct job *j) {
        usec_t grace = preempt_grace(c, j, v);

        for (uint32_t i = 0; v->het && i < v->het->n; i++)
                if (v->het->of[i])
                        grace = MAX(grace, preempt_grace(c, j, v->het->of[i]));
        return grace;
}

void sched_end_victim(struct cluster *c, struct job *v, const struct job *j, usec_t up_by,
                usec_t now) {
        const struct het *h = v->het;
        enum preempt_mode mode = h ? preempt_mode_now(c, j, v, now) : preempt_mode_of(c, v);
        usec_t grace = sched_grace(c, v, j);

        /* already ending for another component */
        if (!h && preempt_is_there(v) && !v->stopping.grace_end)
                job_preempt(c, v, j, mode, grace, up_by, now);
        bool ends = mode == PREEMPT_REQUEUE || mode == PREEMPT_CANCEL;
        for (uint32_t i = 0; h && ends && i < h->n; i++) {
                struct job *m = h->of[i];
                /* the end of a component may have ended further components */
                if (m && preempt_is_there(m) && !m->stopping.grace_end)
                        job_preempt(c, m, j, mode, grace, up_by, now);
        }
}

/* Returns whether v is ended now; a suspended victim is stopped only when the ending victims are
   gone. */
static bool ends_now(const struct cluster *c, const struct job *v) {
        return preempt_mode_of(c, v) != PREEMPT_SUSPEND;
}

/* Adds all nodes of the place to the claim. Free nodes are included: lower jobs would take the
   nodes, and the preemptor would choose further victims. */
static void add_claim(const struct cluster *c, const struct preemption *p, struct bitset *claim) {
        bitset_or(claim, p->where.nodes);
        for (size_t i = 0; i < p->where.n_victims; i++)
                if (ends_now(c, p->where.victims[i]))
                        bitset_or(claim, p->where.victims[i]->placed.nodes);
}

static void end_victims(struct cluster *c, const struct job *by, const struct preemption *p,
                usec_t up_by, usec_t now) {
        for (size_t i = 0; i < p->where.n_victims; i++)
                if (ends_now(c, p->where.victims[i]))
                        sched_end_victim(c, p->where.victims[i], by, up_by, now);
}

/* When the nodes needed for the start of j are up; 0: all are up. A batch job that need not wait
   for all nodes (--wait-all-nodes) needs only the first node, except cloud nodes. */
static usec_t up_by_of(const struct cluster *c, const struct job *j, const struct bitset *nodes,
                usec_t now) {
        const struct job *itself = job_itself(j);
        bool one = j->asked.batch && itself->asked.wait_all_nodes != 1 &&
                   !j->asked.batch_features && !job_is_het(j) &&
                   (itself->asked.wait_all_nodes || !c->config->sbatch_wait_nodes);
        size_t first = bitset_next(nodes, 0);

        bitset_for_each(i, nodes)
                one &= !(c->nodes[i]->flags & NODE_CLOUD && c->nodes[i]->power != NODE_ON);
        if (one && c->nodes[first]->power == NODE_ON)
                return 0;
        return nodes_up_by(c, nodes, now);
}

/* up_by_of() for all n components; by NULL: j is not heterogeneous. */
static usec_t all_up_by(const struct cluster *c, const struct job *j, const struct together *by,
                const struct preemption *p, size_t n, usec_t now) {
        usec_t up_by = 0;

        for (size_t i = 0; i < n; i++)
                up_by = MAX(up_by, up_by_of(c, by ? by[i].j : j, p[i].where.nodes, now));
        return up_by;
}

/* Ends the victims and claims the nodes for j, the leader of components. p has n entries, one for
   each component in by; by may be NULL. The claim is determined before any victim ends: the end of
   a component ends the further components of the victim, which then may have no nodes any more. */
static void await_ends(struct cluster *c, const struct job *j, const struct together *by,
                const struct preemption *p, size_t n, usec_t now) {
        struct job *itself = job_itself(j);
        _cleanup_(bitset_freep) struct bitset *claim = bitset_new(c->n_nodes);
        usec_t up_by = all_up_by(c, j, by, p, n, now);

        for (size_t i = 0; i < n; i++)
                add_claim(c, &p[i], claim);
        for (size_t i = 0; i < n; i++)
                end_victims(c, by ? by[i].j : j, &p[i], up_by, now);
        job_claim(c, itself, claim);
        itself->claim.boots |= up_by > 0;
        if (up_by > 0)
                claim_wake(c, itself);
        itself->claim.in = j->partition;
        itself->claim.tasks++;
        claim_settle(c, itself); /* victims without processes are gone already */
        cluster_job_changed(c, itself);
        note(c, FACT_PREEMPTION_BEGUN);
}

static bool has_victims_on(const struct cluster *c, const struct job *j,
                const struct bitset *nodes) {
        bitset_for_each(i, nodes) {
                const struct node *n = c->nodes[i];
                for (size_t k = 0; k < n->n_jobs; k++)
                        if (n->jobs[k]->stopping.preempt_mode &&
                                        n->jobs[k]->stopping.preemptor == j->id)
                                return true;
        }
        return false;
}

/* Hastens the end of jobs on nodes that were to run until the nodes of a different preemptor are
   up: j may need the nodes earlier. */
static void hasten_victims(struct cluster *c, const struct job *j, const struct bitset *nodes,
                usec_t up_by, usec_t now) {
        bitset_for_each(i, nodes) {
                const struct node *n = c->nodes[i];
                for (size_t k = n->n_jobs; k-- > 0; k = MIN(k, n->n_jobs)) {
                        struct job *v = n->jobs[k];
                        if (v->stopping.preempt_mode && v->stopping.stop_at &&
                                        v->stopping.preemptor != job_leader(j)->id &&
                                        preempt_allowed(c, j, v))
                                job_preempt_hasten(c, v, MAX(now, up_by), now);
                }
        }
}

/* Waits for jobs already ending, which are enough: the nodes are claimed for j. forgotten: j has no
   claim, perhaps dropped by a reconfiguration or an update; true: j had stopped victims on nodes
   before, and has its full claim again. */
static bool await_victims(struct cluster *c, const struct job *j, const struct bitset *nodes,
                bool forgotten, usec_t up_by, usec_t now) {
        struct job *itself = job_itself(j);

        hasten_victims(c, j, nodes, up_by, now);
        if (!forgotten || !has_victims_on(c, j, nodes)) {
                job_claim_until_pass(c, itself, nodes);
                return false;
        }
        job_claim(c, itself, nodes);
        itself->claim.in = j->partition;
        itself->claim.tasks++;
        cluster_job_changed(c, itself);
        return true;
}

int sched_force(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct preempt_known *known, struct placement *ret) {
        const usec_t now = when.from;
        /* nodes left for further tasks */
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(usable);
        size_t powered = powered_count(c), tasks = tasks_that_wait(j);
        bool forgotten = !job_itself(j)->claim.in, more = true;
        int first = -EBUSY;

        for (size_t i = 0; i < tasks && more; i++) {
                struct preemption p;
                int r = preempt_place(c, j, left, when, i > 0, known, &p);
                bool ends = r == -EINPROGRESS && p.ends && !j->needs.now_or_never &&
                            !sched_too_many_powered(c, &p.where, &powered);
                sched_come_back(c, p.again, now);
                if (i == 0 && (r == 0 || r == -EINPROGRESS))
                        sched_forget_exempt(c, j, now);
                else if (i == 0)
                        sched_await_exempt(c, j, usable, when,
                                        r == -EBUSY ? p.again : USEC_INFINITY, known);
                more = ends;
                forgotten &= !ends;
                if (ends)
                        await_ends(c, j, NULL, &p, 1, now);
                else if (r == -EINPROGRESS && !p.ends && !j->needs.now_or_never)
                        more = await_victims(c, j, p.where.nodes, forgotten,
                                        up_by_of(c, j, p.where.nodes, now), now);
                if (more)
                        bitset_minus(left, p.where.nodes);
                if (i == 0) {
                        first = r;
                        ret->limit = p.where.limit;
                        ret->awaits_power = p.where.awaits_power;
                }
                if (r == 0 && i == 0) {
                        *ret = p.where;
                        p.where = (struct placement){ 0 };
                }
                preemption_done(&p);
        }
        return first;
}

/* ---- heterogeneous jobs ---- */

static bool all_now_or_never(const struct together *of, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (of[i].j->needs.now_or_never)
                        return true;
        return false;
}

/* Claims the nodes of all components for the leader; ends: some victims must be ended. */
static void await_all(struct cluster *c, const struct together *of, const struct preemption *p,
                size_t n, bool ends, usec_t now) {
        bool forgotten = !job_itself(of->j)->claim.in;

        if (ends) {
                await_ends(c, of->j, of, p, n, now);
                return;
        }
        usec_t up_by = all_up_by(c, of->j, of, p, n, now);
        for (size_t i = 0; i < n; i++)
                (void)await_victims(c, of->j, p[i].where.nodes, forgotten, up_by, now);
}

int sched_force_together(struct cluster *c, struct together *of, size_t n,
                struct preempt_known *known) {
        struct preemption *p = xnew0(struct preemption, n);
        usec_t now = of->when.from;
        bool ends;
        int r = sched_preempt_together(c, of, n, known, p, &ends);
        usec_t again = sched_preempt_again(p, n);

        sched_come_back(c, again, now);
        if (r == 0 || r == -EINPROGRESS)
                sched_forget_exempt(c, of->j, now);
        else
                sched_await_exempt_together(c, of, n, r == -EBUSY ? again : USEC_INFINITY, known);
        if (r == -EINPROGRESS && !all_now_or_never(of, n))
                await_all(c, of, p, n, ends, now);
        for (size_t i = 0; i < n && r == 0; i++) {
                of[i].where = p[i].where;
                p[i].where = (struct placement){ 0 };
        }
        preemptions_done(p, n);
        free(p);
        return r;
}
