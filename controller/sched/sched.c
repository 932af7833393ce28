/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass over the queue: highest tier and priority first; the first job of a partition that must
 * wait keeps later ones of that partition waiting (Priority), and its nodes from partitions of
 * lower tiers.  (Backfill lets the small ones through without delaying it.)  A job that waits for
 * something special, nodes it names or features, delays no other.
 *
 * It must not cost much to find that nothing has changed for a long queue.  The pass ends when no
 * job is left of a partition that is still open (left), unless why they wait may have changed
 * (FOLLOW_REASONS), jobs of a partition that is down are told so once, and a request like the one
 * before, which has just been refused, is not tried again: within a pass nothing becomes free,
 * except by preemption.
 *
 * Nor may it hold up requests.  One that has cost much ends in the middle of the queue, and the
 * next turn goes on there: nothing else is decided before it has come to the end.  But when
 * something has come that may let a job start that it has passed, a new one begins instead, and has
 * twice the time that the old one has lost with those that did not: so one comes to its end however
 * much comes.
 *
 * A pass may ask for another one: a victim may be gone already, if nothing of it ran, and a job
 * that has started may leave others no room in their limits for which nodes were kept, or had some
 * kept in another of its partitions.  That has an end: each of them takes a job off its nodes,
 * which rests if that comes again (job_preempt.c), or a plan or a partition's nodes from a job that
 * does not get them back by it, or does not need them. */
#include "controller/sched/sched_private.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/usage.h"
#include "controller/indexes/array.h"
#include "controller/lives/job_events.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/preempt/request.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/backfill.h"

struct queue {                    /* per partition */
        bool blocked;             /* a job waits there */
        const struct job *holder; /* the job that its nodes are kept for */
        /* ... and before it for this one, which is behind it: up to here they do not know it yet */
        const struct job *passed;
        bool counted;           /* a reason was to be given: ... */
        size_t in_service;      /* ... so many of its nodes are */
        char *out;              /* ... and the reason of jobs that need more; NULL: none does yet */
        size_t left;            /* jobs to be looked at yet */
        struct request refused; /* what the last one asked for, and how; n 0: none was */
        int refusal;
        /* the same for the last one that a limit forbade all nodes that it could have */
        struct request forbidden;
        enum job_reason limit; /* ... which one */
};

/* whether only reservations keep those waiting that ask for that, behind others */
struct told {
        struct request of;
        int r;
};

struct pass {
        struct cluster *c;
        usec_t now;
        bool reasons;                    /* all are told why they wait */
        size_t at;                       /* in the queue: the job to be looked at next */
        uint64_t without_start;          /* looks for those that have not started */
        size_t n_partitions, n_licenses; /* that it was begun with... */
        int64_t clock_set;               /* ... and by which clock */
        struct bitset *usable;           /* nodes that jobs still to be looked at may have */
        struct bitset *all;              /* with those that are kept for others */
        struct queue *of;
        struct request asked; /* scratch */
        struct told *told;
        size_t n_told, a_told;
        size_t left;                 /* of all */
        uint32_t *kept;              /* of each license: what jobs that wait ask for */
        usec_t again;                /* a limit leaves room for a job then (GrpTRESRunMins) */
        struct preempt_known *known; /* for preempt_place() */
        struct hres_room *room;      /* of the job that try_start() looks at */
        /* max_powered_nodes keeps the job that is looked at waiting, not for ever */
        bool awaits_power;
};

/* No other job is looked at there. */
static void close_queue(struct pass *p, struct queue *q) {
        q->passed = NULL;
        p->left -= q->left;
        q->left = 0;
}

/* The job that the last pass kept the nodes of j's partition for, if it waits there behind j
   now. */
static const struct job *passed_by(const struct pass *p, const struct job *j) {
        const struct job *was = cluster_job(p->c, j->partition->kept_for);

        for (size_t i = 0; was && was != job_itself(j) && i < was->waiting.n_bids; i++)
                if (was->waiting.bids[i].partition == j->partition &&
                                was->waiting.bids[i].counted &&
                                bid_order(&was->waiting.bids[i], j->waiting.current) > 0)
                        return was;
        return NULL;
}

static void block(struct pass *p, const struct job *j) {
        const struct partition *part = j->partition;
        struct queue *q = &p->of[part->index];

        if (q->blocked)
                return;
        q->blocked = true;
        q->holder = job_itself(j);
        q->passed = passed_by(p, j);
        if (!q->passed)
                close_queue(p, q);
        bitset_minus(p->usable, part->nodes);
}

/* Nodes of its partition sleep and are not woken now. */
static bool awaits_brake(const struct cluster *c, const struct job *j, enum job_reason why) {
        if (c->brake.by == BRAKE_OFF ||
                        (why != REASON_RESOURCES && why != REASON_NODE_NOT_AVAILABLE))
                return false;
        const struct bitset *among = j->needs.req_nodes ? j->needs.req_nodes : j->partition->nodes;
        return bitset_overlaps(c->power[NODE_POWERED_DOWN], among);
}

/* Of one that waits for several partitions: of all that is known. */
static void tell(const struct pass *p, const struct job *j, enum job_reason why, const char *text) {
        _cleanup_free_ char *asleep = awaits_brake(p->c, j, why)
                                                      ? xasprintf("Nodes cannot be woken: %s",
                                                                        strna(p->c->brake.cause))
                                                      : NULL;

        if (asleep) {
                p->c->brake.wanted = true;
                why = REASON_POWER_NOT_AVAIL;
                text = asleep;
        }
        enum job_reason said = bids_reason(j, why);

        job_set_reason(p->c, job_itself(j), said, said == why ? text : NULL);
}

static bool is_out_of_service(const struct node *n) {
        return n->base != NODE_IDLE || n->flags & (NODE_DRAIN | NODE_FAIL | NODE_INVALID_REG);
}

bool job_lacks_nodes(const struct cluster *c, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);
        const char *rest = j->asked.partition && strchr(j->asked.partition, ',')
                                           ? j->asked.partition
                                           : j->partition->name;
        bool lacks = true;

        for (size_t i = 0; i < c->n_nodes; i++)
                bitset_put(nodes, i, !is_out_of_service(c->nodes[i]));
        if (j->needs.exc_nodes)
                bitset_minus(nodes, j->needs.exc_nodes);
        if (j->needs.req_nodes && !bitset_contains(nodes, j->needs.req_nodes))
                return true;
        for (char *name; lacks && (name = partition_next(&rest)); free(name)) {
                const struct partition *part = cluster_partition(c, name);
                lacks = !part || bitset_count_and(nodes, part->nodes) < MAX(1u, j->asked.min_nodes);
        }
        return lacks;
}

/* Why it may not even be tried; REASON_NONE: it may. */
static enum job_reason hindrance(struct pass *p, const struct job *j) {
        if (job_begin(j) > p->now)
                return REASON_BEGIN_TIME;
        if (j->array && array_is_full(j->array))
                return REASON_ARRAY_LIMIT;
        if (resv_is_awaited(p->c, j, p->now) || resv_excludes_job(p->c, j))
                return REASON_RESERVATION;
        enum job_reason why = partition_wait_reason(p->c, j);
        return why == REASON_NONE ? limits_wait_reason(p->c, j, NULL, NULL, p->now, &p->again)
                                  : why;
}

static bool start(struct pass *p, const struct job *j, struct placement *where) {
        for (size_t i = 0; where->n_victims && i < p->c->n_partitions; i++)
                p->of[i].refused.n = p->of[i].forbidden.n = 0;
        /* What is left is seen by the jobs behind it and was too little for those before: no other
           pass is needed, but for nodes kept for it in another of its partitions
           (sched_has_stale_claims()). */
        follows_ignore(p->c, FOLLOW_PASS);
        bool starts = sched_start(p->c, j, where, STARTER_PASS, p->now);
        follows_heed(p->c);
        return starts;
}

/* With sched/builtin every job does: strictly in order. In a reservation only those behind it
   there, which backfill sees to. */
static bool holds_others_up(const struct pass *p, const struct job *j) {
        return !j->placed.resv &&
               ((!j->needs.req_nodes && !j->needs.features) || !p->c->config->bf.on);
}

static const char too_few[] =
                "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

static const char others_have_it[] = "ReqNodeNotAvail, May be reserved for other job";

/* There are not so many nodes in service, or they are kept for higher tiers. */
static void tell_too_few(const struct pass *p, const struct job *j) {
        if (!j->needs.exc_nodes) {
                tell(p, j, REASON_RESOURCES, too_few);
                return;
        }
        _cleanup_(bitset_freep) struct bitset *missing = bitset_copy(j->partition->nodes);
        bitset_minus(missing, j->needs.exc_nodes);
        bitset_minus(missing, p->c->schedulable);
        _cleanup_free_ char *text = sched_unavailable_text(p->c, missing);
        tell(p, j, bitset_empty(missing) ? REASON_RESOURCES : REASON_NODE_NOT_AVAILABLE,
                        bitset_empty(missing) ? NULL : text);
}

/* What a job is told that could start were it not for reservations, and one that could not on all
   of its partition's nodes. */
enum { RESERVED_LATER = -ETIME, RESERVED_NOW = -EPERM, NEVER = -ENODEV };

static void tell_reserved(const struct pass *p, const struct job *j, int r) {
        if (r == RESERVED_LATER)
                tell(p, j, REASON_NODE_NOT_AVAILABLE, "ReqNodeNotAvail, Reserved for maintenance");
        else if (j->needs.req_nodes)
                tell(p, j, REASON_NODE_NOT_AVAILABLE, others_have_it);
        else
                tell(p, j, REASON_RESOURCES, too_few);
}

/* Those that it names are not all in service; otherwise they are kept for those before it. */
static void tell_unavailable(const struct pass *p, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *missing = bitset_copy(j->needs.req_nodes);

        bitset_minus(missing, p->c->schedulable);
        _cleanup_free_ char *text = sched_unavailable_text(p->c, missing);
        tell(p, j, REASON_NODE_NOT_AVAILABLE, bitset_empty(missing) ? others_have_it : text);
}

static void set_waiting(struct pass *p, const struct job *j, int r) {
        if (r == RESERVED_LATER || r == RESERVED_NOW) {
                tell_reserved(p, j, r);
                if (holds_others_up(p, j))
                        block(p, j);
                return;
        }
        if (r == NEVER) { /* no job waits for it */
                tell(p, j, REASON_BAD_CONSTRAINTS, NULL);
                return;
        }
        if (r == -EBUSY) {
                tell(p, j, REASON_RESOURCES, NULL);
                if (holds_others_up(p, j))
                        block(p, j);
                return;
        }
        if (j->needs.req_nodes) {
                tell_unavailable(p, j);
                return;
        }
        tell_too_few(p, j);
        if (holds_others_up(p, j))
                block(p, j);
}

static void set_unpowered(struct pass *p, const struct job *j) {
        p->awaits_power = true;
        tell(p, j, REASON_MAX_POWERED_NODES, NULL);
        if (holds_others_up(p, j))
                block(p, j);
}

/* Nodes that are kept for j alone, in those of its partitions where it has found no room, or that
   its victims have left; NULL: there are none. */
static struct bitset *kept_for_itself(const struct pass *p, const struct job *j) {
        const struct job *itself = job_itself(j);
        struct bitset *nodes = itself->claim.nodes ? bitset_copy(itself->claim.nodes) : NULL;

        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++) {
                const struct partition *part = j->waiting.bids[i].partition;
                if (p->of[part->index].holder != itself)
                        continue;
                nodes = nodes ? nodes : bitset_new(p->c->n_nodes);
                bitset_or(nodes, part->nodes);
        }
        for (size_t i = 0; nodes && i < p->c->n_partitions; i++)
                if (p->of[i].holder && p->of[i].holder != itself &&
                                !(itself->claim.nodes &&
                                                preempt_would_end(p->c, j, p->of[i].holder)))
                        bitset_minus(nodes, p->c->partitions[i]->nodes);
        if (nodes)
                bitset_and(nodes, p->all);
        return nodes;
}

/* Without the nodes that are kept for others (force: for those before it); NULL: p->usable is
   right. ret_when: it would run then. */
static struct bitset *usable_for(const struct pass *p, const struct job *j, bool force,
                struct period *ret_when) {
        _cleanup_(bitset_freep) struct bitset *own = kept_for_itself(p, j);
        bool whole = p->c->config->bf.on && place_wants_whole(p->c, j);

        *ret_when = (struct period){ p->now, p->now, p->room };
        if (!own && !whole && !p->c->n_claims && !p->c->resvs.n)
                return NULL;
        struct bitset *usable = bitset_copy(p->usable);
        if (own)
                bitset_or(usable, own);
        if (j->placed.resv) { /* a job that waits for other nodes is not in its way */
                bitset_assign(usable, p->all);
                bitset_and(usable, j->placed.resv->nodes);
                if (j->placed.resv->flags & (RESV_FLEX | RESV_ANY_NODES))
                        bitset_or(usable, p->usable);
        }
        *ret_when = sched_heed_reservations(p->c, j, p->now, usable);
        ret_when->room = p->room;
        claims_take(p->c, j, usable);
        if (whole)
                backfill_keep(p->c, j, force, p->now, usable);
        return usable;
}

/* Places j where it delays no other job; without such a place, or power for it, where jobs behind
   it are delayed. */
static int place_now(const struct pass *p, const struct job *j, const struct bitset *usable,
                struct period when, struct placement *ret) {
        int r = place(p->c, j, usable ? usable : p->usable, when, PLACE_FREE, ret);
        const struct job_plan *plan = job_itself(j)->waiting.plan;

        if (r >= 0 || !usable || !plan || plan->start > p->now)
                return r;
        _cleanup_(bitset_freep) struct bitset *more = usable_for(p, j, true, &when);
        if (!more || bitset_equal(more, usable))
                return r;
        struct placement where = { 0 };
        int with_more = place(p->c, j, more, when, PLACE_FREE, &where);
        if (with_more < 0 && r == -EDQUOT)
                return r;
        *ret = where;
        return with_more;
}

/* As the one before it in its partition. */
static bool was_refused(struct pass *p, const struct job *j) {
        const struct request *refused = &p->of[j->partition->index].refused;

        if (refused->n == 0)
                return false;
        request_of(&p->asked, p->c, j, true);
        return request_same(refused, &p->asked);
}

/* The same with what limits look at. */
static bool was_forbidden(struct pass *p, const struct job *j) {
        const struct request *forbidden = &p->of[j->partition->index].forbidden;

        if (forbidden->n == 0)
                return false;
        request_with_limits(&p->asked, p->c, j);
        return request_same(forbidden, &p->asked);
}

/* It delays no other job. */
static void set_forbidden(struct pass *p, const struct job *j, const struct placement *where) {
        struct queue *q = &p->of[j->partition->index];

        request_with_limits(&q->forbidden, p->c, j);
        q->limit = where->limit;
        p->again = where->limit_again ? MIN(p->again, where->limit_again) : p->again;
        tell(p, j, where->limit, NULL);
}

/* Jobs behind it in the queue make way, rather than that another is stopped. */
static int force(struct pass *p, const struct job *j, struct placement *ret) {
        struct period when;
        _cleanup_(bitset_freep) struct bitset *usable = usable_for(p, j, true, &when);

        return sched_force(p->c, j, usable ? usable : p->usable, when, p->known, ret);
}

/* r, which place() has said, if that does not help. */
static int force_or(struct pass *p, const struct job *j, int r, struct placement *where) {
        struct placement by_force = { 0 };
        int forced = force(p, j, &by_force);

        if (forced == -EBUSY)
                return r;
        *where = by_force;
        return forced;
}

static bool finds_place(const struct pass *p, const struct job *j, const struct bitset *nodes,
                struct period when) {
        struct placement where = { 0 };
        when.room = p->room;
        bool fits = place(p->c, j, nodes, when, PLACE_FREE, &where) >= 0;

        placement_done(&where);
        return fits;
}

/* What keeps it off left, of those that reservations would keep from it on all: r is neither.
   RESERVED_LATER: with the nodes that only a reservation to come has it would start. */
static int reserved_on(const struct pass *p, const struct job *j, const struct bitset *all,
                const struct bitset *left, struct period when, int r) {
        _cleanup_(bitset_freep) struct bitset *later = bitset_copy(all);

        bitset_for_each(i, all) {
                if (!bitset_has(left, i) && p->c->nodes[i]->resv)
                        bitset_del(later, i);
        }
        bool some_now = !bitset_contains(later, all);
        if (finds_place(p, j, later, when))
                return RESERVED_LATER;
        return some_now && finds_place(p, j, all, when) ? RESERVED_NOW : r;
}

/* It waits for others in the one that it names: that is under way, so that others' may lie over it
   (MAINT, OVERLAP). */
static bool is_admitted(const struct pass *p, const struct job *j) {
        return j->asked.reservation && resv_lasts_in(j->placed.resv, p->now, p->now + 1);
}

/* r, or what it is told if nothing but reservations is in its way. */
static int reserved_or(const struct pass *p, const struct job *j, const struct bitset *usable,
                int r) {
        if (!usable || p->c->resvs.n == 0 || (j->placed.resv && !is_admitted(p, j)))
                return r;
        _cleanup_(bitset_freep) struct bitset *all = bitset_copy(
                        j->placed.resv ? p->all : p->usable);
        if (j->placed.resv)
                bitset_and(all, j->placed.resv->nodes);
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(all);
        const struct period when = sched_heed_reservations(p->c, j, p->now, left);
        if (bitset_equal(left, all))
                return r;
        bitset_minus(all, left);
        bitset_or(all, usable);
        if (j->placed.resv)
                return finds_place(p, j, all, when) ? RESERVED_LATER : r;
        return reserved_on(p, j, all, usable, when, r);
}

/* Would j, which waits behind others, have had nodes were it not for reservations? RESERVED_LATER,
   RESERVED_NOW, -EBUSY. */
static int reserved_behind(const struct pass *p, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(p->all),
                                              *kept = bitset_copy(p->all);

        const struct period when = sched_heed_reservations(p->c, j, p->now, left);
        bitset_minus(kept, left);
        bitset_and(kept, j->partition->nodes);
        if (bitset_empty(kept) || finds_place(p, j, left, when))
                return -EBUSY;
        return reserved_on(p, j, p->all, left, when, -EBUSY);
}

/* So many kinds of requests are looked at in a pass; the others are told that they wait for their
   turn, which is true too. */
#define TOLD_MAX 64

static int known_reserved_behind(struct pass *p, const struct job *j) {
        if (p->c->resvs.n == 0)
                return -EBUSY;
        request_of(&p->asked, p->c, j, true);
        for (size_t i = 0; i < p->n_told; i++)
                if (request_same(&p->told[i].of, &p->asked))
                        return p->told[i].r;
        if (p->n_told == TOLD_MAX)
                return -EBUSY;
        GROW(p->told, p->a_told, p->n_told);
        p->told[p->n_told++] = (struct told){ .of = p->asked, .r = reserved_behind(p, j) };
        p->asked = (struct request){ 0 };
        return p->told[p->n_told - 1].r;
}

/* Its partition has fewer nodes in service than it needs.  NULL: it has enough. */
static const char *lacks_service(struct pass *p, const struct job *j) {
        struct queue *q = &p->of[j->partition->index];

        if (!q->counted)
                q->in_service = partition_in_service(p->c, j->partition);
        q->counted = true;
        if (q->in_service >= MAX(1u, j->asked.min_nodes))
                return NULL;
        if (!q->out)
                q->out = partition_unavailable(p->c, j->partition);
        return q->out;
}

/* Others are before it.  It is told of nodes that are out of service, and of reservations, if they
   would keep it waiting without those, too. */
static void tell_turn(struct pass *p, const struct job *j) {
        _cleanup_free_ char *named = job_unavailable(p->c, j);
        const char *unavailable = named ? named : lacks_service(p, j);

        if (unavailable) {
                tell(p, j, REASON_NODE_NOT_AVAILABLE, unavailable);
                return;
        }
        int r = known_reserved_behind(p, j);
        if (r == RESERVED_LATER || (r == RESERVED_NOW && j->needs.req_nodes))
                tell_reserved(p, j, r);
        else
                tell(p, j, REASON_PRIORITY, NULL);
}

static bool license_is_left(const struct job *j, size_t choice, void *user) {
        const struct pass *p = user;

        return license_left(p->c, j, j->needs.licenses->list[choice].name, p->now, false,
                               p->kept) >= j->needs.licenses->list[choice].n;
}

/* It was admitted, but what the nodes there have has changed since; or a limit was in its way then,
   and it was not looked at. */
static bool could_never_run(const struct pass *p, const struct job *j) {
        struct bid *b = j->waiting.current;

        if (b->never_as_of != p->c->nodes_as_of) {
                _cleanup_(bitset_freep) struct bitset *all = bitset_new(p->c->n_nodes);
                struct placement where = { 0 };

                bitset_fill(all);
                _cleanup_(hres_room_freep) struct hres_room *room = licenses_room_ever(p->c, j);
                b->never = place(p->c, j, all, (struct period){ .room = room }, PLACE_EVER,
                                           &where) < 0;
                b->never_as_of = p->c->nodes_as_of;
                placement_done(&where);
        }
        return b->never;
}

/* With what the search has come to: it starts, or is told why not. */
static bool start_or_tell(struct pass *p, const struct job *j, int r, struct placement *where) {
        struct queue *q = &p->of[j->partition->index];

        if (r == -EINPROGRESS) { /* another one may have victims of its own */
                set_waiting(p, j, -EBUSY);
        } else if (r == -EDQUOT && where->awaits_power) {
                set_unpowered(p, j);
        } else if (r == -EDQUOT) {
                set_forbidden(p, j, where);
        } else if (r < 0) {
                request_of(&q->refused, p->c, j, true);
                q->refusal = could_never_run(p, j) ? NEVER : r;
                set_waiting(p, j, q->refusal);
        } else if (sched_waits_for_switches(p->c, j, where, p->now) || !start(p, j, where)) {
                set_waiting(p, j, -EBUSY);
        } else {
                return true;
        }
        return false;
}

/* It has not enough of its hierarchical resources on the nodes that it could have otherwise: r is
   what place() has said of them. */
static bool lacks_layers(const struct pass *p, const struct job *j, const struct bitset *usable,
                struct period when, int r) {
        struct placement where = { 0 };

        if (!when.room || (r != -EBUSY && r != -ENOENT))
                return false;
        when.room = NULL;
        bool fits = place(p->c, j, usable ? usable : p->usable, when, PLACE_FREE, &where) >= 0;
        placement_done(&where);
        return fits;
}

static bool try_in_room(struct pass *p, const struct job *j) {
        struct cluster *c = p->c;
        struct queue *q = &p->of[j->partition->index];
        struct placement where = { 0 };
        struct period when;
        size_t license = 0;

        job_itself(j)->waiting.last_sched_eval = p->now;
        if (was_refused(p, j)) {
                set_waiting(p, j, q->refusal);
                return false;
        }
        if ((j->needs.licenses || j->needs.hres) &&
                        !licenses_free(c, j, p->now, false, p->kept, &license)) {
                tell(p, j, REASON_LICENSES, NULL);
                if (c->config->preempt.reclaim_licenses && preempt_is_possible(c, j)) {
                        _cleanup_(bitset_freep) struct bitset *left = usable_for(p, j, true, &when);
                        sched_reclaim(c, j, left ? left : p->usable, when, p->kept);
                }
                return false;
        }
        if (was_forbidden(p, j)) {
                tell(p, j, q->limit, NULL);
                return false;
        }
        _cleanup_(bitset_freep) struct bitset *usable = usable_for(p, j, false, &when);
        int r = place_now(p, j, usable, when, &where);

        if ((r == -EBUSY || r == -EDQUOT) && preempt_is_possible(c, j))
                r = force_or(p, j, r, &where);
        if (lacks_layers(p, j, usable, when, r)) {
                tell(p, j, REASON_LICENSES, NULL);
                return false;
        }
        if (r == -ENOENT && usable &&
                        (!j->needs.req_nodes || bitset_contains(p->usable, j->needs.req_nodes)))
                /* some of them are only kept for others */
                r = -EBUSY;
        if (r == -EBUSY)
                r = reserved_or(p, j, usable, r);
        where.license = license;
        if (r >= 0)
                r = place_heed_license_limits(c, j, p->now, license_is_left, p, &where);
        bool started = start_or_tell(p, j, r, &where);
        placement_done(&where);
        return started;
}

static bool try_start(struct pass *p, const struct job *j) {
        p->room = licenses_room(p->c, j, p->now, false, p->kept, NULL);
        bool started = try_in_room(p, j);
        p->room = hres_room_free(p->room);
        return started;
}

/* Of each layer of what j asks for, as it is not known which it will have. */
static void keep_layers(struct pass *p, const struct job *j) {
        for (size_t i = 0; j->needs.hres && i < j->needs.hres->n; i++) {
                const struct hres *h = hres_find(&p->c->hres, j->needs.hres->list[i].name);
                uint64_t n = (uint64_t)j->needs.hres->list[i].n *
                             (h->mode == RESOURCE_MODE_3 ? MAX(1u, j->asked.min_nodes) : 1);
                for (size_t k = 0; k < h->n_layers; k++) {
                        uint32_t *kept = &p->kept[h->layers[k].license];
                        *kept = (uint32_t)MIN(*kept + n, (uint64_t)INT32_MAX);
                }
        }
}

/* What a job that waits for its turn asks for is not given to later ones here; backfill may do so,
   where that delays none. */
static void keep_licenses(struct pass *p, const struct job *j) {
        const enum job_reason why = job_itself(j)->reason;
        bool soon = why == REASON_PRIORITY || why == REASON_LICENSES || why == REASON_RESOURCES ||
                    (why == REASON_MAX_POWERED_NODES && p->awaits_power);

        if (!soon || (j->waiting.n_bids > 1 && j->waiting.current != &j->waiting.bids[0]))
                return;
        keep_layers(p, j);
        for (size_t i = 0; j->needs.licenses && i < j->needs.licenses->n; i++) {
                const struct license *of = license_find(&p->c->licenses,
                                j->needs.licenses->list[i].name);
                uint32_t *kept = of ? &p->kept[of - p->c->licenses.list] : NULL;
                if (of)
                        *kept = (uint32_t)MIN((uint64_t)*kept + j->needs.licenses->list[i].n,
                                        of->total);
        }
}

/* In each reservation that it may be in, and outside of all unless it is blocked there. */
static bool try_choices(struct pass *p, const struct job *j, bool blocked) {
        struct resv *of[RESV_CHOICES_MAX];
        size_t n = p->c->resvs.n ? resv_choices(p->c, j, false, p->now, of) : (of[0] = NULL, 1);
        bool started = false;
        struct job room;

        for (size_t i = 0; !started && i < n; i++) {
                const struct job *there = job_in_resv(j, of[i], &room);
                if (!there->placed.resv && blocked)
                        tell_turn(p, there);
                else
                        started = try_start(p, there);
        }
        return started;
}

/* Jobs that backfill has no place for either, until they go: what they were to have is for
   others. */
static bool ends_plan(const struct pass *p, const struct job *j, enum job_reason why) {
        return why != REASON_BEGIN_TIME &&
               (why != REASON_RESERVATION || resv_excludes_job(p->c, j));
}

/* ---- heterogeneous jobs ---- */

/* What the components may have now.  why, license: of which they may not even be tried. */
static enum job_reason look_at_way(struct pass *p, struct het_way *w, bool force, size_t *ret_of) {
        enum job_reason why = REASON_NONE;

        for (size_t i = 0; i < w->n && why == REASON_NONE; i++) {
                struct together *o = &w->of[i];
                *ret_of = i;
                why = hindrance(p, o->j);
                if (why == REASON_NONE && (o->j->needs.licenses || o->j->needs.hres) &&
                                !licenses_free(p->c, o->j, p->now, false, p->kept, &w->license[i]))
                        why = REASON_LICENSES;
                if (why != REASON_NONE)
                        break;
                o->usable = usable_for(p, o->j, force, &o->when);
                if (!o->usable)
                        o->usable = bitset_copy(p->usable);
                o->when.room = o->room = licenses_room(p->c, o->j, p->now, false, p->kept, NULL);
        }
        return why;
}

/* A limit forbids every license of a list with "|" (-EDQUOT), or one waits for fewer switches. */
static int heed_rest(struct pass *p, struct het_way *w, size_t *ret_of) {
        for (size_t i = 0; i < w->n; i++) {
                struct together *o = &w->of[i];
                *ret_of = i;
                o->where.license = w->license[i];
                int r = place_heed_license_limits(p->c, o->j, p->now, license_is_left, p,
                                &o->where);
                if (r < 0)
                        return r;
        }
        for (size_t i = 0; i < w->n; i++)
                if (sched_waits_for_switches(p->c, w->of[i].j, &w->of[i].where, p->now))
                        return -EBUSY;
        return 0;
}

/* Of each of its components the partition waits, for all of them. */
static void block_all(struct pass *p, const struct het_way *w) {
        for (size_t i = 0; i < w->n; i++)
                if (holds_others_up(p, w->of[i].j))
                        block(p, w->of[i].j);
}

static void tell_together(struct pass *p, const struct job *j, const struct het_way *w, int r,
                size_t of) {
        const struct job *v = w->of[of].j;
        const struct placement *where = &w->of[of].where;

        if (r == -EDQUOT && where->awaits_power) {
                set_unpowered(p, v);
        } else if (r == -EDQUOT) {
                p->again = where->limit_again ? MIN(p->again, where->limit_again) : p->again;
                tell(p, v, where->limit, NULL);
                return;
        } else if (r != -EINPROGRESS && het_could_never_run(p->c, j, p->now)) {
                set_waiting(p, v, NEVER);
                return;
        } else {
                set_waiting(p, v, r == -EINPROGRESS ? -EBUSY : r);
        }
        if (holds_others_up(p, v))
                block_all(p, w);
}

static void start_way(struct pass *p, struct het_way *w) {
        for (size_t i = 0; i < p->c->n_partitions; i++)
                p->of[i].refused.n = p->of[i].forbidden.n = 0;
        follows_ignore(p->c, FOLLOW_PASS);
        sched_start_together(p->c, w->of, w->n, STARTER_PASS, p->now);
        follows_heed(p->c);
}

static bool way_may_stop_others(const struct pass *p, const struct het_way *w) {
        for (size_t i = 0; i < w->n; i++)
                if (preempt_is_possible(p->c, w->of[i].j))
                        return true;
        return false;
}

/* r, which place_together() has said, if that does not help. */
static int force_way_or(struct pass *p, struct het_way *w, int r) {
        for (size_t i = 0; i < w->n; i++) {
                struct bitset *left = usable_for(p, w->of[i].j, true, &w->of[i].when);
                bitset_assign(w->of[i].usable, left ? left : p->usable);
                bitset_free(left);
        }
        int forced = sched_force_together(p->c, w->of, w->n, p->known);
        return forced == 0 || forced == -EINPROGRESS ? forced : r;
}

/* true: all have started. */
static bool try_way(struct pass *p, const struct job *j, size_t which, bool last) {
        _cleanup_(het_way_done) struct het_way w = het_way(p->c, j, which, false, p->now);
        const struct job_plan *plan = job_itself(j)->waiting.plan;
        size_t of = 0;
        enum job_reason why = look_at_way(p, &w, plan && plan->start <= p->now, &of);
        int r = 0;

        if (why == REASON_NONE) {
                r = place_together(p->c, w.of, w.n, PLACE_FREE, NULL, &of);
                if (r < 0 && way_may_stop_others(p, &w))
                        r = force_way_or(p, &w, r);
                if (r >= 0)
                        r = heed_rest(p, &w, &of);
                if (lacks_layers(p, w.of[of].j, w.of[of].usable, w.of[of].when, r))
                        why = REASON_LICENSES;
                if (r >= 0) {
                        start_way(p, &w);
                        return true;
                }
        }
        if (last && why != REASON_NONE && why != REASON_LICENSES && ends_plan(p, w.of[of].j, why))
                plan_void(p->c, job_itself(j));
        if (last && why != REASON_NONE)
                tell(p, w.of[of].j, why, NULL);
        else if (last)
                tell_together(p, j, &w, r, of);
        if (last)
                het_tell(p->c, w.of[of].j);
        return false;
}

/* The leader's turn is that of all. */
static bool consider_het(struct pass *p, const struct job *j) {
        struct queue *q = &p->of[j->partition->index];
        const struct job *of;
        enum job_reason why = het_awaits(p->c, j, &of);
        bool started = false;

        if (why != REASON_NONE) {
                if (of == job_itself(j) || !job_is_held(job_itself(j)))
                        tell(p, j, why, NULL);
                het_tell(p->c, j);
                plan_void(p->c, job_itself(j));
                return false;
        }
        why = het_limit(p->c, j, p->now, &p->again);
        if (why != REASON_NONE) {
                tell(p, j, why, NULL);
                het_tell(p->c, j);
                plan_void(p->c, job_itself(j));
                return false;
        }
        for (uint32_t i = 0; i < j->het->n; i++)
                j->het->of[i]->waiting.last_sched_eval = p->now;
        if (q->blocked && !j->placed.resv) {
                tell_turn(p, j);
                het_tell(p->c, j);
                keep_licenses(p, j);
                return false;
        }
        for (size_t i = 0, n = het_ways(p->c, j, false, p->now); i < n && !started; i++)
                started = try_way(p, j, i, i + 1 == n);
        if (!started)
                keep_licenses(p, j);
        return started;
}

/* true: it has started. */
static bool consider_here(struct pass *p, const struct job *j) {
        struct queue *q = &p->of[j->partition->index];
        struct job *itself = job_itself(j);
        enum job_reason why;

        p->awaits_power = false;
        if (q->left) {
                q->left--;
                p->left--;
        }
        if (job_is_het(j))
                return consider_het(p, j);
        why = hindrance(p, j);
        if (why != REASON_NONE) {
                tell(p, j, why, NULL);
                keep_licenses(p, j);
                if (bid_plan(j->waiting.current) && ends_plan(p, j, why))
                        plan_void(p->c, itself);
                return false;
        }
        bool started = !sched_awaits_victims(j) && try_choices(p, j, q->blocked && !j->placed.resv);
        if (!started)
                keep_licenses(p, j);
        if (started && itself->waiting.n_bids) { /* the rest of an array is still there */
                q->left++;
                p->left++;
        }
        return started;
}

/* true: it has left the queue, and *ret of its places there were before this one. */
static bool consider(struct pass *p, struct bid *b, size_t *ret) {
        struct job *j = b->job, room;
        struct queue *q = &p->of[b->partition->index];

        *ret = 0;
        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++)
                *ret += bid_order(&j->waiting.bids[i], b) < 0;
        for (uint32_t k = 1; j->het && k < j->het->n; k++)
                for (size_t i = 0; j->het->of[k] && i < j->het->of[k]->waiting.n_bids; i++)
                        *ret += bid_order(&j->het->of[k]->waiting.bids[i], b) < 0;
        /* One that is held was told why when it was. */
        bool started = b->counted && consider_here(p, job_in_bid(b, &room));
        if (q->passed == j)
                close_queue(p, q);
        return started;
}

/* What it costs to look at a job, and to start one, beside what is looked at for it. */
enum { JOB_LOOKS = 10, START_LOOKS = 100 };

/* Jobs, in their order; false: there are more, for the next turn, after so many looks. */
static bool walk_queue(struct pass *p, uint64_t most) {
        struct cluster *c = p->c;
        uint64_t from = c->slices.looked;

        while (p->at < c->n_queue && (p->left || c->resvs.n || p->reasons)) {
                const struct job *j = c->queue[p->at]->job;
                uint64_t before = c->slices.looked;
                size_t ahead;

                if (c->slices.looked - from >= most)
                        return false;
                bool started = consider(p, c->queue[p->at], &ahead);
                c->counts.looked++;
                c->slices.looked += started ? START_LOOKS : JOB_LOOKS;
                p->without_start += started ? 0 : c->slices.looked - before;
                if (!started)
                        p->at++;
                else if (!j->waiting.n_bids) /* else the rest of an array is still there */
                        p->at -= ahead;
        }
        return true;
}

/* ---- slices ---- */

static void pass_free(struct pass *p) {
        if (!p)
                return;
        for (size_t i = 0; i < p->n_partitions; i++) {
                request_done(&p->of[i].refused);
                request_done(&p->of[i].forbidden);
                free(p->of[i].out);
        }
        request_done(&p->asked);
        for (size_t i = 0; i < p->n_told; i++)
                request_done(&p->told[i].of);
        free(p->told);
        free(p->of);
        free(p->kept);
        bitset_free(p->usable);
        bitset_free(p->all);
        preempt_known_free(p->known);
        free(p);
}

static struct pass *pass_new(struct cluster *c) {
        struct pass *p = xnew0(struct pass, 1);

        p->c = c;
        p->n_partitions = c->n_partitions;
        p->n_licenses = c->licenses.n;
        p->clock_set = c->clock_set;
        p->of = xnew0(struct queue, c->n_partitions + 1);
        p->kept = xnew0(uint32_t, c->licenses.n + 1);
        p->again = USEC_INFINITY;
        p->reasons = follows_take(c, FOLLOW_REASONS);
        for (size_t i = 0; i < c->n_partitions; i++) {
                struct partition *part = c->partitions[i];
                bool starts = part->state & PARTITION_SCHED;

                p->of[i].left = part->told && !starts && !p->reasons ? 0 : part->n_waiting;
                part->told = !starts; /* when this pass is over */
                p->left += p->of[i].left;
        }
        claims_renew(c);
        (void)follows_take(c, FOLLOW_PASS);
        return p;
}

/* Nothing has come since that may let a job start. */
static bool may_go_on(const struct pass *p) {
        const struct cluster *c = p->c;

        return !follows(c, FOLLOW_PASS | FOLLOW_REASONS) && p->n_partitions == c->n_partitions &&
               p->n_licenses == c->licenses.n && p->clock_set == c->clock_set;
}

/* Those behind have not been told anything yet. */
static void give_up(struct pass *p) {
        struct cluster *c = p->c;
        bool cut = p->reasons;

        for (size_t i = 0; i < c->n_partitions; i++) {
                c->partitions[i]->told = false;
                cut |= i < p->n_partitions && p->of[i].passed;
        }
        if (cut)
                note(c, FACT_PASS_CUT);
        pass_free(p);
}

/* Nodes as they are now: some may have gone. */
static void look_around(struct pass *p, usec_t now) {
        struct cluster *c = p->c;

        p->now = now;
        bitset_free(p->usable);
        bitset_free(p->all);
        preempt_known_free(p->known);
        p->usable = sched_usable(c);
        p->all = bitset_copy(p->usable);
        p->known = preempt_known_new(c);
        for (size_t i = 0; i < c->n_partitions; i++)
                if (p->of[i].blocked)
                        bitset_minus(p->usable, c->partitions[i]->nodes);
        if (acct_counts_minutes(&c->acct))
                usage_refresh(c, now);
}

/* The one that was cut, or a new one; *ret: so many looks are its slice. */
static struct pass *take_up(struct cluster *c, bool whole, uint64_t *ret) {
        struct pass *p = TAKE(c->slices.pass);

        *ret = whole ? UINT64_MAX : LOOKS_MAX;
        if (p && !whole && may_go_on(p))
                return p;
        if (p && !whole)
                *ret = MAX(*ret, 2 * p->without_start);
        if (p)
                give_up(p);
        return pass_new(c);
}

void sched_pass(struct cluster *c, usec_t now, bool whole) {
        uint64_t most;
        struct pass *p = take_up(c, whole, &most);

        c->counts.passes++;
        look_around(p, now);
        bool through = walk_queue(p, most);
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->kept_for = p->of[i].holder ? p->of[i].holder->id : 0;
        if (sched_has_stale_claims(c, now))
                note(c, FACT_PLAN_MOVED);
        if (!through) {
                c->slices.pass = p;
                c->slices.pass_free = pass_free;
                return;
        }
        claims_end(c);
        sched_come_back(c, p->again, now);
        pass_free(p);
        if (sched_drops_plans(c, now))
                note(c, FACT_PLAN_MOVED);
}
