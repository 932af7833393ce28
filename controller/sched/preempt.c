/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom to stop.
 *
 *   collect()    who may be stopped at all, in Slurm's order: lowest tier first, then the smallest (or the youngest first)
 *   by_nodes()   a place on the nodes where stopping does the least harm
 *   by_order()   what Slurm would do: as many of them as are needed, in order, and again after the order was changed so that
 *                those come first that were of use
 *   alone()      one, if one is enough
 *
 * The best of these is taken, by harm: jobs stopped, their tiers, the work that is lost (of those that end), nodes.  Where the
 * harm is the same Slurm's choice stands.  With strict_order Slurm's choice is all there is.  Each attempt is a placement,
 * and what all may cost is bounded, so that a large cluster gets a good answer soon rather than the best one late.
 *
 * Those who would be suspended are looked at first, alone: the job can start at once, or as soon as they have given of their
 * memory, where they may be asked to (core/job_memory.h).  If others must end it has to wait; so
 * nobody is stopped where it is enough to wait for who is ending already.  Nobody is stopped who is not needed. */
#include "controller/sched/preempt.h"

#include "controller/core/job_memory.h"
#include "controller/core/qos.h"

/* Nodes looked at for one job, beyond what the first answer takes. */
#define BUDGET 200000u

/* ---- who may stop whom: the one place ---- */

bool preempt_is_possible(const struct cluster *c, const struct job *j) {
        switch (c->config->preempt_type) {
        case PREEMPT_NONE:
                break;
        case PREEMPT_QOS:
                return j->qos && (j->qos->preempt || (((j->qos->preempt_mode == PREEMPT_UNSET ? 0 : j->qos->preempt_mode) |
                                                      c->config->preempt_mode) & PREEMPT_WITHIN));
        case PREEMPT_PARTITION_PRIO:
                for (size_t i = 0; i < c->n_partitions; i++)
                        if (c->partitions[i]->priority_tier < j->partition->priority_tier)
                                return true;
        }
        return false;
}

/* The words of PreemptMode that hold for v: it is the victim's that count. */
static unsigned words_of(const struct cluster *c, const struct job *v) {
        switch (c->config->preempt_type) {
        case PREEMPT_NONE:
                break;
        case PREEMPT_PARTITION_PRIO:
                return partition_preempt_mode(c, v->partition);
        case PREEMPT_QOS:
                return v->qos && v->qos->preempt_mode != PREEMPT_UNSET ? v->qos->preempt_mode : c->config->preempt_mode;
        }
        return PREEMPT_OFF;
}

enum preempt_mode preempt_mode_of(const struct cluster *c, const struct job *v) {
        unsigned words = words_of(c, v);

        /* of a QOS: WITHIN or PRIORITY alone, and SUSPEND where there is no GANG, are in the way of the cluster */
        if (c->config->preempt_type == PREEMPT_QOS && words && !(words & (PREEMPT_CANCEL | PREEMPT_REQUEUE)) &&
                        !(words & c->config->preempt_mode & PREEMPT_GANG))
                words = c->config->preempt_mode;
        return words & PREEMPT_SUSPEND   ? PREEMPT_SUSPEND
               : words & PREEMPT_REQUEUE ? PREEMPT_REQUEUE
               : words & PREEMPT_CANCEL  ? PREEMPT_CANCEL
                                         : PREEMPT_OFF;
}

/* The first that says so: its QOS and the one of its partition, in the order that holds for their limits, then the cluster. */
static usec_t exempt_time(const struct cluster *c, const struct job *v) {
        const struct qos *own = v->qos, *part = v->partition->qos;
        bool own_first = own && own->flags & QOS_OVER_PART_QOS;
        const struct qos *order[] = { own_first ? own : part, own_first ? part : own };

        for (size_t i = 0; i < ELEMENTSOF(order); i++)
                if (order[i] && order[i]->preempt_exempt_time != TIME_UNSET)
                        return order[i]->preempt_exempt_time;
        return c->config->preempt_exempt_time;
}

usec_t preempt_eligible_time(const struct cluster *c, const struct job *v) {
        return v->start_time + exempt_time(c, v);
}

usec_t preempt_grace(const struct cluster *c, const struct job *v) {
        if (c->config->preempt_type == PREEMPT_QOS)
                return v->qos ? v->qos->grace_time * USEC_PER_SEC : 0;
        return v->partition->grace_time * USEC_PER_SEC;
}

/* Of one QOS only where WITHIN allows it, by priority. */
static bool qos_allows(const struct cluster *c, const struct job *j, const struct job *v) {
        unsigned words = words_of(c, v);

        if (!j->qos || !v->qos)
                return false;
        if (j->qos == v->qos)
                return ((words | c->config->preempt_mode) & PREEMPT_WITHIN) && j->priority > v->priority;
        return qos_preempts(j->qos, v->qos) && (!(words & PREEMPT_PRIORITY) || j->priority > v->priority);
}

bool preempt_allowed(const struct cluster *c, const struct job *j, const struct job *v) {
        if (v == j || v->priority > c->config->preempt.min_exempt_priority)
                return false;
        if (c->config->preempt_type == PREEMPT_QOS)
                return qos_allows(c, j, v);
        if ((words_of(c, v) & PREEMPT_PRIORITY) && j->priority < v->priority)
                return false;
        return v->partition->priority_tier < j->partition->priority_tier;
}

/* Lower ones go first. */
static uint32_t tier_of(const struct cluster *c, const struct job *v) {
        if (c->config->preempt_type == PREEMPT_QOS)
                return v->qos ? MIN(v->qos->priority, (uint32_t)UINT16_MAX) : 0;
        return v->partition->priority_tier;
}

/* Who is suspended shares its cores, which only OverSubscribe=FORCE on both sides allows (preemption guide, "limitations").  With
   preempt/qos they take turns in one partition; in another one it goes by the tiers who runs. */
static bool share_cores(const struct cluster *c, const struct job *j, const struct job *v) {
        if (c->config->preempt_type == PREEMPT_QOS && v->partition != j->partition &&
                        v->partition->priority_tier >= j->partition->priority_tier)
                return false;
        return v->partition->oversubscribe == OVERSUBSCRIBE_FORCE && j->partition->oversubscribe == OVERSUBSCRIBE_FORCE;
}

static bool can_be_suspended(const struct cluster *c, const struct job *j, const struct job *v) {
        return v->state == JOB_RUNNING && !v->no_suspend && !v->configuring && share_cores(c, j, v);
}

static bool is_there(const struct job *v) {
        return (v->state == JOB_RUNNING || v->state == JOB_SUSPENDED) && !v->completing;
}

enum preempt_mode preempt_all_or_none(const struct cluster *c, const struct job *j, struct job *const *parts, size_t n, usec_t now) {
        enum preempt_mode all = PREEMPT_OFF;

        for (size_t i = 0; i < n; i++) {
                const struct job *v = parts[i];
                enum preempt_mode mode = preempt_mode_of(c, v);
                if (mode == PREEMPT_OFF || !is_there(v) || !preempt_allowed(c, j, v) || now < preempt_eligible_time(c, v) ||
                                (mode == PREEMPT_SUSPEND && !can_be_suspended(c, j, v)))
                        return PREEMPT_OFF;
                if (all == PREEMPT_OFF || mode == PREEMPT_SUSPEND || (mode == PREEMPT_REQUEUE && all == PREEMPT_CANCEL))
                        all = mode;
        }
        return all;
}

/* ---- candidates ---- */

struct candidate {
        struct job *job;
        enum preempt_mode mode;
        bool in;        /* of the attempt */
        uint32_t rank;  /* for changing the order */
        double work;    /* CPU seconds that are lost when it ends */
};

struct hunt {
        struct cluster *c;
        const struct job *j;
        const struct bitset *usable;
        usec_t now, again;
        struct candidate *list;
        size_t n, allocated;
        size_t *at; /* of each place in c->active: its place in list, or SIZE_MAX */
        struct bitset *stopped; /* who stands still already, for somebody whom j outranks or for its equals */
        struct bitset *going;   /* who is on his way out */
        struct bitset *gone, *lent, *give; /* scratch */
        struct bitset *givers;  /* who may be asked for memory as well, should he stand still */
        bool asks;   /* they are asked */
        bool ends;   /* those may end, too, and who is on his way out counts as gone */
        bool own;    /* some of its victims are still on their way out */
        enum job_reason limit; /* some place that it could have is more than that allows it */
        size_t looked; /* at nodes */
};

/* Where it meets what j could have.  (Licenses that it holds and j lacks are reclaim.c's.) */
static bool meets(const struct hunt *h, const struct job *v) {
        return v->nodes && bitset_overlaps(v->nodes, h->usable);
}

static void add_candidate(struct hunt *h, struct job *v) {
        if (!preempt_allowed(h->c, h->j, v) || !meets(h, v))
                return;
        enum preempt_mode mode = preempt_all_or_none(h->c, h->j, &v, 1, h->now);
        if (mode == PREEMPT_OFF) {
                usec_t from = preempt_eligible_time(h->c, v);
                if (is_there(v) && from > h->now && preempt_mode_of(h->c, v) != PREEMPT_OFF)
                        h->again = MIN(h->again, from);
                return;
        }
        GROW(h->list, h->allocated, h->n);
        h->list[h->n++] = (struct candidate){ .job = v, .mode = mode,
                .work = mode == PREEMPT_SUSPEND ? 0 : (double)job_run_time(v, h->now) / USEC_PER_SEC * MAX(1u, v->num_cpus) };
}

int preempt_order(const struct cluster *c, const struct job *v, const struct job *w) {
        if (c->config->preempt.youngest_first) {
                if (v->start_time != w->start_time)
                        return v->start_time > w->start_time ? -1 : 1;
        } else {
                if (tier_of(c, v) != tier_of(c, w))
                        return tier_of(c, v) < tier_of(c, w) ? -1 : 1;
                if (v->n_alloc != w->n_alloc)
                        return v->n_alloc < w->n_alloc ? -1 : 1;
        }
        return v->id < w->id ? -1 : v->id > w->id;
}

static int by_right(const void *a, const void *b, void *user) {
        return preempt_order(((const struct hunt *)user)->c, ((const struct candidate *)a)->job, ((const struct candidate *)b)->job);
}

/* Stopped for somebody else: its units are j's for the asking, but that equals share cores must be allowed. */
bool preempt_lends(const struct cluster *c, const struct job *j, const struct job *v) {
        return job_is_gang_stopped(v) && !v->completing && preempt_mode_of(c, v) == PREEMPT_SUSPEND && preempt_allowed(c, j, v) &&
               share_cores(c, j, v);
}

static void collect(struct hunt *h) {
        h->stopped = bitset_new(h->c->n_active);
        h->going = bitset_new(h->c->n_active);
        h->gone = bitset_new(h->c->n_active);
        h->lent = bitset_new(h->c->n_active);
        h->give = bitset_new(h->c->n_active);
        h->givers = bitset_new(h->c->n_active);
        for (size_t i = 0; i < h->c->n_active; i++) {
                struct job *v = h->c->active[i];
                if (memory_may_ask(h->c, h->j, v))
                        bitset_add(h->givers, i);
                if (v->completing || v->grace_end) {
                        bitset_add(h->going, i);
                        h->own |= v->preemptor == h->j->id;
                } else if (preempt_lends(h->c, h->j, v)) {
                        bitset_add(h->stopped, i);
                } else {
                        add_candidate(h, v);
                }
        }
        if (h->n)
                qsort_r(h->list, h->n, sizeof h->list[0], by_right, h);
        h->at = xnew(size_t, h->c->n_active + 1);
        for (size_t i = 0; i < h->c->n_active; i++)
                h->at[i] = SIZE_MAX;
        for (size_t i = 0; i < h->n; i++)
                h->at[h->list[i].job->queue_at] = i;
}

static void hunt_done(struct hunt *h) {
        bitset_free(h->stopped);
        bitset_free(h->going);
        bitset_free(h->gone);
        bitset_free(h->lent);
        bitset_free(h->give);
        bitset_free(h->givers);
        free(h->list);
        free(h->at);
}

/* ---- one attempt ---- */

static void mark(struct hunt *h, bool in) {
        for (size_t i = 0; i < h->n; i++)
                h->list[i].in = in && (h->ends || h->list[i].mode == PREEMPT_SUSPEND);
}

/* A place, were those gone or lending who are in. */
static int attempt(struct hunt *h, const struct bitset *usable, struct placement *ret) {
        uint32_t most = h->c->config->preempt_type == PREEMPT_QOS ? alloc_rows(h->j) + 1 : 0; /* one row more, for preemptors */
        const struct yield base = { .gone = h->ends ? h->going : NULL, .lent = h->stopped, .most = most };
        const struct yield of = { .gone = h->ends ? h->gone : NULL, .lent = h->lent, .give = h->asks ? h->give : NULL, .most = most };

        bitset_assign(h->lent, h->stopped);
        bitset_assign(h->gone, h->going);
        for (size_t i = 0; i < h->n; i++)
                if (h->list[i].in)
                        bitset_add(h->list[i].mode == PREEMPT_SUSPEND ? h->lent : h->gone, h->list[i].job->queue_at);
        bitset_assign(h->give, h->lent);
        bitset_and(h->give, h->givers);
        h->looked += bitset_count_and(usable, h->j->partition->nodes);
        *ret = (struct placement){ 0 };
        int r = place_instead(h->c, h->j, usable, &base, &of, ret);
        if (r == -EDQUOT) {
                h->limit = ret->limit;
                h->again = ret->limit_again ? MIN(h->again, ret->limit_again) : h->again;
        }
        return r;
}

static bool may_go_on(const struct hunt *h) {
        return h->looked < BUDGET;
}

/* ---- harm ---- */

struct harm {
        size_t jobs;
        double rank; /* tiers, or with youngest_first how long they have been there */
        double work;
        size_t nodes;
};

static const struct candidate *candidate_of(const struct hunt *h, const struct job *v) {
        return &h->list[h->at[v->queue_at]];
}

static double rank_of(const struct hunt *h, const struct job *v) {
        return h->c->config->preempt.youngest_first ? (double)(h->now - MIN(h->now, v->start_time)) / USEC_PER_SEC
                                                    : tier_of(h->c, v);
}

static struct harm harm_of(const struct hunt *h, const struct placement *p) {
        struct harm harm = { .jobs = p->n_victims };

        for (size_t i = 0; i < p->n_victims; i++) {
                harm.rank += rank_of(h, p->victims[i]);
                harm.work += candidate_of(h, p->victims[i])->work;
                harm.nodes += p->victims[i]->n_alloc;
        }
        return harm;
}

static int compare_harm(const struct harm *a, const struct harm *b) {
        if (a->jobs != b->jobs)
                return a->jobs < b->jobs ? -1 : 1;
        if (a->rank != b->rank)
                return a->rank < b->rank ? -1 : 1;
        if (a->work != b->work)
                return a->work < b->work ? -1 : 1;
        return a->nodes < b->nodes ? -1 : a->nodes > b->nodes;
}

/* p is kept if it does less harm than best, or there was none; equal: if it is preferred. */
static void keep_better(const struct hunt *h, struct placement *best, struct placement *p, bool preferred) {
        struct harm a = best->nodes ? harm_of(h, best) : (struct harm){ 0 }, b = harm_of(h, p);
        int order = best->nodes ? compare_harm(&b, &a) : -1;

        if (order < 0 || (order == 0 && preferred)) {
                placement_done(best);
                *best = *p;
                *p = (struct placement){ 0 };
        }
        placement_done(p);
}

/* ---- as many as are needed, in some order ---- */

/* list[order[0 .. n)]: the fewest of the first ones that are enough; 0: nobody is needed; -EBUSY: all are not enough. */
static int first_of(struct hunt *h, const struct bitset *usable, const size_t *order, size_t n, size_t *ret_n,
                struct placement *ret) {
        size_t low = 0, high = n;

        for (size_t tries = 0; low < high || !ret->nodes; tries++) {
                size_t middle = tries == 0 ? high : low + (high - low) / 2;
                struct placement p = { 0 };
                mark(h, false);
                for (size_t i = 0; i < middle; i++)
                        h->list[order[i]].in = true;
                int r = attempt(h, usable, &p);
                if (r < 0 && tries == 0)
                        return -EBUSY;
                if (r < 0) {
                        placement_done(&p);
                        low = middle + 1;
                        continue;
                }
                placement_done(ret);
                *ret = p;
                high = middle;
        }
        *ret_n = high;
        return 0;
}

/* Who is not needed after all, last ones first. */
static void spare(struct hunt *h, const struct bitset *usable, const size_t *order, size_t n, struct placement *best) {
        mark(h, false);
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < best->n_victims; k++)
                        h->list[order[i]].in |= best->victims[k] == h->list[order[i]].job;
        for (size_t i = n; i-- > 0 && may_go_on(h) && best->n_victims;) {
                struct candidate *v = &h->list[order[i]];
                struct placement p = { 0 };
                if (!v->in)
                        continue;
                v->in = false;
                if (attempt(h, usable, &p) < 0) {
                        v->in = true;
                        placement_done(&p);
                        continue;
                }
                placement_done(best);
                *best = p;
        }
}

static size_t eligible(const struct hunt *h, size_t *order) {
        size_t n = 0;

        for (size_t i = 0; i < h->n; i++)
                if (h->ends || h->list[i].mode == PREEMPT_SUSPEND)
                        order[n++] = i;
        return n;
}

static int by_rank(const void *a, const void *b, void *user) {
        const struct hunt *h = user;
        const size_t *x = a, *y = b;

        if (h->list[*x].rank != h->list[*y].rank)
                return h->list[*x].rank > h->list[*y].rank ? -1 : 1;
        return *x < *y ? -1 : *x > *y;
}

/* Who made it possible comes first, then those before him by how much they have of the nodes that were chosen. */
static void reorder(struct hunt *h, size_t *order, size_t n, size_t needed, const struct placement *p) {
        size_t last = order[needed - 1];

        if (h->c->config->preempt.strict_order) {
                memmove(&order[1], &order[0], (needed - 1) * sizeof order[0]);
                order[0] = last;
                return;
        }
        for (size_t i = 0; i < n; i++)
                h->list[order[i]].rank = i + 1 == needed ? UINT32_MAX
                                         : i < needed    ? (uint32_t)bitset_count_and(h->list[order[i]].job->nodes, p->nodes)
                                                         : 0;
        qsort_r(order, n, sizeof order[0], by_rank, h);
}

static int by_order(struct hunt *h, const struct bitset *usable, struct placement *best) {
        _cleanup_free_ size_t *order = xnew(size_t, h->n + 1);
        size_t n = eligible(h, order), needed = 0;
        struct placement p = { 0 };
        int r = first_of(h, usable, order, n, &needed, &p);

        for (size_t pass = 0; r >= 0 && needed > 1 && pass <= h->c->config->preempt.reorder_count && pass + 1 < n && may_go_on(h); pass++) {
                struct placement q = { 0 };
                reorder(h, order, n, needed, &p);
                r = first_of(h, usable, order, n, &needed, &q);
                if (r < 0)
                        break; /* the same ones were enough before: not possible */
                placement_done(&p);
                p = q;
        }
        if (r < 0)
                return r;
        spare(h, usable, order, needed, &p);
        keep_better(h, best, &p, true);
        return 0;
}

/* ---- one alone ---- */

static int by_harm(const void *a, const void *b, void *user) {
        const struct hunt *h = user;
        const struct candidate *v = &h->list[*(const size_t *)a], *w = &h->list[*(const size_t *)b];
        const struct harm x = { 1, rank_of(h, v->job), v->work, v->job->n_alloc }, y = { 1, rank_of(h, w->job), w->work, w->job->n_alloc };
        int order = compare_harm(&x, &y);

        return order ? order : *(const size_t *)a < *(const size_t *)b ? -1 : 1;
}

/* The least harmful one that is enough, if he is better than best. */
static void alone(struct hunt *h, const struct bitset *usable, struct placement *best) {
        _cleanup_free_ size_t *order = xnew(size_t, h->n + 1);
        size_t n = eligible(h, order);
        struct harm limit = harm_of(h, best);

        if (best->n_victims == 0)
                return;
        qsort_r(order, n, sizeof order[0], by_harm, h);
        for (size_t i = 0; i < n && may_go_on(h); i++) {
                const struct candidate *v = &h->list[order[i]];
                const struct harm harm = { 1, rank_of(h, v->job), v->work, v->job->n_alloc };
                struct placement p = { 0 };
                if (compare_harm(&harm, &limit) >= 0)
                        return;
                mark(h, false);
                h->list[order[i]].in = true;
                int r = attempt(h, usable, &p);
                if (r >= 0) {
                        keep_better(h, best, &p, false);
                        return;
                }
                placement_done(&p);
        }
}

/* ---- by nodes ---- */

struct price {
        size_t node;
        double jobs, rank, work; /* that stopping costs there; a job's share of each of its nodes */
};

static int by_price(const void *a, const void *b) {
        const struct price *x = a, *y = b;

        if (x->jobs != y->jobs)
                return x->jobs < y->jobs ? -1 : 1;
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        if (x->work != y->work)
                return x->work < y->work ? -1 : 1;
        return x->node < y->node ? -1 : x->node > y->node;
}

/* As if all of them had to go; what the job needs of the node is not known yet. */
static struct price price_of(const struct hunt *h, const struct node *n) {
        struct price p = { .node = n->index };

        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *v = n->jobs[i];
                size_t at = h->at[v->queue_at];
                if (at == SIZE_MAX || (!h->ends && h->list[at].mode != PREEMPT_SUSPEND))
                        continue;
                double share = 1.0 / (double)MAX((size_t)1, v->n_alloc);
                p.jobs += share;
                p.rank += rank_of(h, v) * share;
                p.work += h->list[at].work * share;
        }
        return p;
}

static struct bitset *cheapest(const struct hunt *h, const struct bitset *usable, const struct price *list, size_t n) {
        struct bitset *set = bitset_new(usable->bits);

        for (size_t i = 0; i < n; i++)
                bitset_add(set, list[i].node);
        if (h->j->req_nodes)
                bitset_or(set, h->j->req_nodes);
        bitset_and(set, usable);
        return set;
}

/* The fewest of the cheapest nodes that would do with all candidates out of the way; NULL: all of them would not. */
static struct bitset *cheap_nodes(struct hunt *h, const struct bitset *usable) {
        _cleanup_free_ struct price *list = xnew(struct price, h->c->n_nodes + 1);
        struct bitset *best = NULL;
        size_t n = 0, low, high = MAX(1u, h->j->spec.min_nodes);

        bitset_for_each(i, usable)
                if (bitset_has(h->j->partition->nodes, i))
                        list[n++] = price_of(h, h->c->nodes[i]);
        qsort(list, n, sizeof list[0], by_price);
        mark(h, true);
        for (low = 0; !best || low + 1 < high;) {
                size_t count = MIN(n, best ? low + (high - low) / 2 : high);
                struct bitset *set = cheapest(h, usable, list, count);
                struct placement p = { 0 };
                int r = attempt(h, set, &p);
                placement_done(&p);
                if (r >= 0) {
                        bitset_free(best);
                        best = set;
                        high = count;
                        continue;
                }
                bitset_free(set);
                low = count;
                if (!best && count == n)
                        return NULL;
                if (!best)
                        high = 2 * high;
        }
        return best;
}

static int by_nodes(struct hunt *h, const struct bitset *usable, struct placement *best) {
        _cleanup_(bitset_freep) struct bitset *nodes = cheap_nodes(h, usable);
        _cleanup_free_ size_t *order = xnew(size_t, h->n + 1);
        struct placement p = { 0 };
        size_t n = 0, needed = 0;

        if (!nodes)
                return -EBUSY;
        for (size_t i = 0; i < h->n; i++)
                if ((h->ends || h->list[i].mode == PREEMPT_SUSPEND) && bitset_overlaps(h->list[i].job->nodes, nodes))
                        order[n++] = i;
        qsort_r(order, n, sizeof order[0], by_harm, h);
        int r = first_of(h, nodes, order, n, &needed, &p);
        if (r < 0)
                return r;
        spare(h, nodes, order, needed, &p);
        keep_better(h, best, &p, false);
        return 0;
}

/* ---- all together ---- */

/* Nodes that have power are enough, if all candidates go: then no others are looked at, an urgent job does not wait for a
   boot.  NULL: they are not, or there are no others. */
static struct bitset *with_power(struct hunt *h) {
        struct bitset *set = bitset_copy(h->usable);
        struct placement p = { 0 };

        bitset_and(set, h->c->power[NODE_ON]);
        mark(h, true);
        bool enough = !bitset_equal(set, h->usable) && attempt(h, set, &p) >= 0;
        placement_done(&p);
        return enough ? set : bitset_free(set);
}

static int least_harm(struct hunt *h, struct placement *best) {
        _cleanup_(bitset_freep) struct bitset *on = with_power(h);
        const struct bitset *usable = on ? on : h->usable;
        int r;

        if (h->c->config->preempt.strict_order)
                return by_order(h, usable, best);
        r = by_nodes(h, usable, best);
        if (r < 0)
                return r;
        if (best->n_victims && may_go_on(h))
                (void)by_order(h, usable, best);
        if (may_go_on(h))
                alone(h, usable, best);
        return 0;
}

static int without_ending(struct hunt *h, struct preemption *ret) {
        bool some = !bitset_empty(h->stopped);

        for (size_t i = 0; i < h->n; i++)
                some |= h->list[i].mode == PREEMPT_SUSPEND;
        h->ends = false;
        mark(h, false);
        int r = some ? least_harm(h, &ret->where) : attempt(h, h->usable, &ret->where); /* where those behind j make way nobody need be stopped */
        if (r < 0 && some && !bitset_empty(h->givers)) { /* beside all that they have in memory there is no room */
                h->asks = true;
                r = least_harm(h, &ret->where);
                h->asks = false;
        }
        return r;
}

/* Who is needed and would be suspended goes on until the others are gone. */
static int with_ending(struct hunt *h, struct preemption *ret) {
        size_t n_ending = 0;
        int r;

        h->ends = true;
        for (size_t i = 0; i < h->n; i++)
                n_ending += h->list[i].mode != PREEMPT_SUSPEND;
        if (n_ending == 0 && bitset_empty(h->going))
                return -EBUSY;
        mark(h, false);
        r = attempt(h, h->usable, &ret->where);
        if (r >= 0) /* those who are going are enough */
                return -EINPROGRESS;
        placement_done(&ret->where);
        r = h->own ? -EBUSY : least_harm(h, &ret->where);
        if (r < 0)
                return r;
        for (size_t i = 0; i < ret->where.n_victims; i++) /* none: who would be suspended and who is going are enough */
                ret->ends |= candidate_of(h, ret->where.victims[i])->mode != PREEMPT_SUSPEND;
        return -EINPROGRESS;
}

int preempt_place(struct cluster *c, const struct job *j, const struct bitset *usable, usec_t now, bool more, struct preemption *ret) {
        struct hunt h = { .c = c, .j = j, .usable = usable, .now = now, .again = USEC_INFINITY };
        int r = -EBUSY;

        *ret = (struct preemption){ .again = USEC_INFINITY };
        if (!preempt_is_possible(c, j))
                return r;
        collect(&h);
        h.own &= !more;
        r = without_ending(&h, ret);
        if (r < 0)
                r = with_ending(&h, ret);
        if (r == -EBUSY && h.limit != REASON_NONE) {
                r = -EDQUOT;
                ret->where.limit = h.limit;
        }
        ret->again = h.again;
        hunt_done(&h);
        return r;
}

void preemption_done(struct preemption *p) {
        placement_done(&p->where);
}
