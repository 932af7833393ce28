/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What preempt_place() says, done: who must end is told so, and his nodes are kept for the one that waits. */
#include "controller/core/array.h"
#include "controller/core/job_events.h"
#include "controller/sched/preempt.h"
#include "controller/sched/sched_private.h"

/* Somebody will have run long enough by then (PreemptExemptTime): the pass comes back. */
static void come_back(struct cluster *c, usec_t again, usec_t now) {
        if (again == USEC_INFINITY || (c->exempt_until > now && c->exempt_until <= again))
                return;
        c->exempt_until = again;
        cluster_arm(c, again, DEADLINE_PASS, 0);
}

static void end_victims(struct cluster *c, struct job *j, const struct preemption *p, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *claim = bitset_new(c->n_nodes);

        for (size_t i = 0; i < p->where.n_victims; i++) {
                struct job *v = p->where.victims[i];
                enum preempt_mode mode = preempt_mode_of(c, v);
                if (mode == PREEMPT_SUSPEND) /* when the others are gone */
                        continue;
                bitset_or(claim, v->nodes);
                job_preempt(c, v, j->id, mode, preempt_grace(c, v), now);
        }
        job_claim(c, j, claim);
        cluster_job_changed(c, j);
        c->want_sched = true; /* perhaps they are gone already: nothing of them ran */
}

/* Each task of an array has victims of its own. */
static struct job *who_waits(struct cluster *c, struct job *j) {
        return job_is_rest(j) ? sched_next_task(c, j) : j;
}

int sched_force(struct cluster *c, struct job *j, const struct bitset *usable, usec_t now, struct placement *ret, bool *ret_split) {
        struct preemption p;
        size_t powered = cluster_count_powered(c);
        int r = preempt_place(c, j, usable, now, &p);

        *ret_split = false;
        come_back(c, p.again, now);
        if (r == 0) {
                *ret = p.where;
                p.where = (struct placement){ 0 };
        }
        if (r == -EINPROGRESS && p.ends && !j->now_or_never && !sched_too_many_powered(c, &p.where, &powered)) {
                struct job *waits = who_waits(c, j);
                *ret_split = waits && waits != j;
                if (waits)
                        end_victims(c, waits, &p, now);
        }
        preemption_done(&p);
        return r;
}
