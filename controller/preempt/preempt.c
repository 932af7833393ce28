/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses victims among the jobs that the rules (rules.c) allow.
 *
 *   hunt_collect()        candidates: the jobs that j may preempt, in Slurm's order: lowest tier,
 *                         then fewest nodes (or youngest first)
 *   hunt_by_nodes()       a place on the nodes where preemption does the least harm
 *   hunt_by_order()       Slurm's choice: the first candidates in order until j fits, repeated with
 *                         the useful candidates first
 *   hunt_single_victim()  a single victim, if enough
 *
 * The result with the least harm is taken: number of jobs, tiers, lost work (of jobs that end),
 * nodes.  With equal harm Slurm's choice is taken; with strict_order only Slurm's choice is
 * computed.  Each attempt is a placement.  The number of attempts is bounded, so that a large
 * cluster gets a good answer soon rather than the best answer late.
 *
 * Candidates that would be suspended are tried first and alone: j can start at once, or as soon as
 * they have given memory, where memory may be asked for (jobs/job_memory.h).  If candidates must
 * end, j has to wait; hence no job is preempted if waiting for a job already ending is enough.  No
 * job is preempted needlessly.
 *
 * With PreemptParameters=reclaim_licenses the hierarchical resources held by victims that end count
 * as free, too.  Candidates are then also jobs on any node that hold some of the resources, and the
 * choice is Slurm's, or a single victim: prices of nodes do not cover layers. */
#include "controller/preempt/preempt.h"

#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt_known.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

/* Maximum number of nodes examined for a job after the first answer. */
#define BUDGET 200000u

/* ---- candidates ---- */

struct candidate {
        struct job *job;
        enum preempt_mode mode;
        bool in;       /* a victim in this attempt */
        uint32_t rank; /* set by hunt_reorder() */
        double tier;   /* hunt_rank() */
        double work;   /* CPU seconds lost if the job ends; 0: the job is suspended */
};

struct hunt {
        struct cluster *c;
        const struct job *j;
        const struct bitset *usable;
        struct period when;
        usec_t now, again;
        struct candidate *list;
        size_t n, allocated;
        size_t *at;             /* index in list by index in c->active; SIZE_MAX: no candidate */
        struct bitset *stopped; /* jobs suspended already whose units j may use: preempt_lends() */
        struct bitset *going;   /* jobs already ending */
        uint64_t *yielding;     /* per node: a hash of the node's jobs in stopped and going */
        struct bitset *gone, *lent, *give, *touched, *look_at; /* scratch */
        /* Indexes in list of candidates that were put in; some may have been taken out again. */
        size_t *in;
        size_t n_in;
        bool all; /* all candidates are in */
        struct preempt_known *known;
        struct preempt_memo *memo[2]; /* index: ends; NULL: not looked up yet */
        struct bitset *givers;        /* jobs that, when suspended, may be asked for memory */
        bool asks;                    /* this attempt asks givers for memory */
        bool layers;                  /* layers held by victims count */
        bool ends; /* this attempt may end candidates, and ending jobs count as gone */
        bool own;  /* earlier victims of j are still ending */
        const struct preempt_chosen *chosen; /* victims of components before j; NULL: none */
        enum job_reason limit;               /* the limit that forbids some place */
        bool awaits_power;                   /* see struct placement */
        size_t looked;                       /* nodes examined */
};

/* Returns whether v, which runs on node, has any node that j could use. */
static bool hunt_shares_node(const struct hunt *h, const struct job *v, size_t node) {
        if (bitset_has(h->usable, node))
                return true;
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (bitset_has(v->placed.nodes, v->placed.alloc[i].node->index) &&
                                bitset_has(h->usable, v->placed.alloc[i].node->index))
                        return true;
        return false;
}

static double hunt_rank(const struct hunt *h, const struct job *v) {
        return h->c->config->preempt.youngest_first
                               ? (double)(h->now - MIN(h->now, v->running.start_time)) /
                                                 USEC_PER_SEC
                               : preempt_tier(h->c, v);
}

static void add_candidate(struct hunt *h, struct job *v, size_t node) {
        if (!preempt_allowed(h->c, h->j, v))
                return;
        bool there = hunt_shares_node(h, v, node);
        if (!there && !(h->layers && licenses_meet(h->c, h->j, v)))
                return;
        enum preempt_mode mode = preempt_mode_now(h->c, h->j, v, h->now);
        if (!there && mode == PREEMPT_SUSPEND) /* a suspended job keeps licenses */
                return;
        if (mode == PREEMPT_OFF) {
                usec_t from = preempt_eligible_time(h->c, v);
                if (preempt_is_there(v) && from > h->now && preempt_mode_of(h->c, v) != PREEMPT_OFF)
                        h->again = MIN(h->again, from);
                return;
        }
        GROW(h->list, h->allocated, h->n);
        h->list[h->n++] = (struct candidate){ .job = v,
                .mode = mode,
                .tier = hunt_rank(h, v),
                .work = mode == PREEMPT_SUSPEND ? 0
                                                : (double)job_run_time(v, h->now) / USEC_PER_SEC *
                                                                  MAX(1u, v->placed.num_cpus) };
}

/* Adds v to the hash of each node's yielding jobs; different sets practically never have equal
   hashes. */
static void note_yielding(struct hunt *h, const struct job *v, uint64_t how) {
        uint64_t word = (v->id * 2 + how) * 0x9e3779b97f4a7c15u;

        word ^= word >> 31;
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                h->yielding[v->placed.alloc[i].node->index] += word * 0xbf58476d1ce4e5b9u;
}

/* Returns whether an earlier component has chosen v: ends: to end; else to be suspended, with units
   that j may use. */
static bool hunt_already_chose(const struct hunt *h, struct job *v, bool ends) {
        if (!h->chosen)
                return false;
        if (ends)
                return bitset_has(h->chosen->gone, v->listed.queue_at);
        return bitset_has(h->chosen->lent, v->listed.queue_at) &&
               preempt_mode_now(h->c, h->j, v, h->now) == PREEMPT_SUSPEND;
}

static void hunt_collect(struct hunt *h) {
        size_t n;
        const struct preempt_one *order = preempt_known_order(h->known, &n);

        h->c->slices.looked += (n + h->c->n_nodes) / 2; /* the cost of a preemptor */
        h->stopped = bitset_new(h->c->n_active);
        h->going = bitset_new(h->c->n_active);
        h->gone = bitset_new(h->c->n_active);
        h->lent = bitset_new(h->c->n_active);
        h->give = bitset_new(h->c->n_active);
        h->givers = bitset_new(h->c->n_active);
        h->touched = bitset_new(h->c->n_nodes);
        h->look_at = bitset_new(h->c->n_nodes);
        h->yielding = xnew0(uint64_t, h->c->n_nodes + 1);
        for (size_t i = 0; i < n; i++) {
                struct job *v = order[i].job;
                if (v->completing || v->stopping.grace_end || hunt_already_chose(h, v, true)) {
                        bitset_add(h->going, v->listed.queue_at);
                        note_yielding(h, v, 1);
                        h->own |= v->stopping.preemptor == job_leader(h->j)->id;
                } else if (hunt_already_chose(h, v, false) || preempt_lends(h->c, h->j, v)) {
                        bitset_add(h->stopped, v->listed.queue_at);
                        note_yielding(h, v, 0);
                } else {
                        add_candidate(h, v, order[i].node);
                }
        }
        h->in = xnew(size_t, h->n + 1);
        h->at = xnew(size_t, h->c->n_active + 1);
        for (size_t i = 0; i < h->c->n_active; i++)
                h->at[i] = SIZE_MAX;
        for (size_t i = 0; i < h->n; i++)
                h->at[h->list[i].job->listed.queue_at] = i;
}

static void collect_givers(struct hunt *h) {
        for (size_t i = 0; i < h->c->n_active; i++)
                if (memory_may_ask(h->c, h->j, h->c->active[i]))
                        bitset_add(h->givers, i);
}

static void hunt_done(struct hunt *h) {
        bitset_free(h->stopped);
        bitset_free(h->going);
        bitset_free(h->gone);
        bitset_free(h->lent);
        bitset_free(h->give);
        bitset_free(h->givers);
        bitset_free(h->touched);
        bitset_free(h->look_at);
        free(h->yielding);
        free(h->list);
        free(h->in);
        free(h->at);
}

/* Returns the memo of earlier searches; NULL where reservations keep cores, which depends on the
   time, or where memory is asked for. */
static struct preempt_memo *memo_of(struct hunt *h) {
        struct preempt_memo **m = &h->memo[h->ends];

        if (h->asks || h->c->resvs.cores)
                return NULL;
        if (!*m)
                *m = preempt_known_memo(h->known, h->j, h->ends, h->yielding);
        return *m;
}

/* ---- one attempt ---- */

static bool may_be_in(const struct hunt *h, const struct candidate *v) {
        return h->ends || v->mode == PREEMPT_SUSPEND;
}

/* Puts all candidates in, or no candidate. */
static void hunt_mark_all(struct hunt *h, bool in) {
        for (size_t i = 0; i < h->n_in; i++)
                h->list[h->in[i]].in = false;
        h->n_in = 0;
        h->all = in;
}

static void put_in(struct hunt *h, size_t i) {
        if (!h->list[i].in)
                h->in[h->n_in++] = i;
        h->list[i].in = true;
}

static void hunt_stop_candidate(struct hunt *h, const struct candidate *v) {
        bitset_add(v->mode == PREEMPT_SUSPEND ? h->lent : h->gone, v->job->listed.queue_at);
        for (size_t i = 0; i < v->job->placed.n_alloc; i++)
                bitset_add(h->touched, v->job->placed.alloc[i].node->index);
}

/* Returns the candidate of job v; NULL if v is no candidate or may not be in. */
static const struct candidate *may_go(const struct hunt *h, const struct job *v) {
        size_t at = h->at[v->listed.queue_at];

        return at != SIZE_MAX && may_be_in(h, &h->list[at]) ? &h->list[at] : NULL;
}

/* Sets gone, lent and touched from the candidates that are in; if all are in, only candidates on
   usable nodes matter. */
static void stop_marked(struct hunt *h, const struct bitset *usable) {
        bitset_assign(h->lent, h->stopped);
        bitset_assign(h->gone, h->going);
        bitset_clear(h->touched);
        for (size_t i = 0; h->all && h->layers && i < h->n; i++)
                if (may_be_in(h, &h->list[i]))
                        hunt_stop_candidate(h, &h->list[i]);
        if (h->all && !h->layers)
                bitset_for_each(i, usable) {
                        const struct node *n = h->c->nodes[i];
                        for (size_t k = 0; k < n->n_jobs; k++) {
                                const struct candidate *v = may_go(h, n->jobs[k]);
                                if (v)
                                        hunt_stop_candidate(h, v);
                        }
                }
        for (size_t i = 0; i < h->n_in; i++)
                if (h->list[h->in[i]].in)
                        hunt_stop_candidate(h, &h->list[h->in[i]]);
}

/* Returns whether the victims of p free enough layers: first the victims on the nodes, then further
   candidates in gone, which become victims.  Sets the charge of *p. */
static bool settle_layers(struct hunt *h, struct placement *p) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_copy(h->going);
        struct countlist *charge = NULL;
        size_t next = 0;

        for (size_t i = 0; i < p->n_victims; i++)
                if (h->list[h->at[p->victims[i]->listed.queue_at]].mode != PREEMPT_SUSPEND)
                        bitset_add(gone, p->victims[i]->listed.queue_at);
        for (;;) {
                struct hres_room *room = preempt_known_room(h->known, h->j, gone);
                charge = hres_charge(room, p->nodes, licenses_name, h->c);
                hres_room_free(room);
                while (!charge && next < h->n &&
                                (!bitset_has(h->gone, h->list[next].job->listed.queue_at) ||
                                                bitset_has(gone, h->list[next].job->listed
                                                                                 .queue_at) ||
                                                !licenses_meet(h->c, h->j, h->list[next].job)))
                        next++;
                if (charge || next == h->n)
                        break;
                bitset_add(gone, h->list[next].job->listed.queue_at);
                p->victims = xrenew(p->victims, p->n_victims + 1);
                p->victims[p->n_victims++] = h->list[next++].job;
        }
        countlist_free(p->layers);
        p->layers = charge;
        return charge;
}

/* Finds a place, treating the candidates that are in as gone or suspended. */
static int hunt_attempt(struct hunt *h, const struct bitset *usable, struct placement *ret) {
        /* A preemptor may use an extra row. */
        uint32_t most = h->c->config->preempt_type == PREEMPT_QOS ? alloc_rows(h->j) + 1 : 0;
        const struct yield base = {
                .gone = h->ends ? h->going : NULL,
                .lent = h->stopped,
                .most = most,
        };
        const struct yield of = {
                .gone = h->ends ? h->gone : NULL,
                .lent = h->lent,
                .give = h->asks ? h->give : NULL,
                .most = most,
        };
        struct preempt_memo *memo = memo_of(h);

        stop_marked(h, usable);
        bitset_assign(h->give, h->lent);
        bitset_and(h->give, h->givers);
        h->looked += bitset_count_and(usable, h->j->partition->nodes);
        bitset_assign(h->look_at, usable);
        if (memo) { /* skip nodes known to give no room, unless a candidate on the node is in */
                for (size_t w = 0; w < usable->words; w++)
                        h->look_at->word[w] &= ~memo->place.none->word[w] | h->touched->word[w];
                memo->place.touched = h->touched;
        }
        *ret = (struct placement){ 0 };
        struct period when = h->when;
        _cleanup_(hres_room_freep) struct hres_room *room =
                        h->layers && h->ends ? preempt_known_room(h->known, h->j, h->gone) : NULL;
        if (room)
                when.room = room;
        int r = place_instead(h->c, h->j, h->look_at, when, &base, &of, memo ? &memo->place : NULL,
                        ret);
        if (r >= 0 && room && !settle_layers(h, ret)) {
                placement_done(ret);
                *ret = (struct placement){ 0 };
                return -EBUSY;
        }
        if (r == -EDQUOT) {
                h->limit = ret->limit;
                h->awaits_power = ret->awaits_power;
                h->again = ret->limit_again ? MIN(h->again, ret->limit_again) : h->again;
        }
        return r;
}

static bool hunt_has_budget(const struct hunt *h) {
        return h->looked < BUDGET;
}

/* ---- harm ---- */

struct harm {
        size_t jobs;
        double rank; /* sum of tiers, or with youngest_first of run times */
        double work;
        size_t nodes;
};

static const struct candidate *candidate_of(const struct hunt *h, const struct job *v) {
        return &h->list[h->at[v->listed.queue_at]];
}

static struct harm harm_of(const struct hunt *h, const struct placement *p) {
        struct harm harm = { .jobs = p->n_victims };

        for (size_t i = 0; i < p->n_victims; i++) {
                if (p->victims[i]->het) /* all components are preempted */
                        harm.jobs += p->victims[i]->het->n - 1;
                harm.rank += candidate_of(h, p->victims[i])->tier;
                harm.work += candidate_of(h, p->victims[i])->work;
                harm.nodes += p->victims[i]->placed.n_alloc;
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

/* Replaces best by p if p does less harm, if best is empty, or with equal harm if p is
   preferred. */
static void hunt_keep_better(const struct hunt *h, struct placement *best, struct placement *p,
                bool preferred) {
        struct harm a = best->nodes ? harm_of(h, best) : (struct harm){ 0 }, b = harm_of(h, p);
        int order = best->nodes ? compare_harm(&b, &a) : -1;

        if (order < 0 || (order == 0 && preferred)) {
                placement_done(best);
                *best = *p;
                *p = (struct placement){ 0 };
        }
        placement_done(p);
}

/* ---- the first candidates in some order ---- */

/* Puts in exactly the first n of order. */
static void mark_first(struct hunt *h, const size_t *order, size_t n) {
        hunt_mark_all(h, false);
        for (size_t i = 0; i < n; i++)
                put_in(h, order[i]);
}

/* Returns the number of attempts of a binary search for `needed` among n.  The search is charged
   for this number, so that the budget does not depend on the order of the attempts. */
static size_t attempts_for(size_t n, size_t needed) {
        size_t low = 0, high = n, tries = 1;

        for (; low < high; tries++) {
                size_t middle = low + (high - low) / 2;
                if (middle < needed)
                        low = middle + 1;
                else
                        high = middle;
        }
        return tries;
}

/* Finds the least *ret_n such that j fits with the first *ret_n of list[order[0 .. n)] in; -EBUSY:
   not even with all.  Usually few are needed: the number is doubled until j fits, then searched
   below. */
static int first_of(struct hunt *h, const struct bitset *usable, const size_t *order, size_t n,
                size_t *ret_n, struct placement *ret) {
        size_t low = 0, high = 0, before = h->looked, each;
        int r;

        for (;; high = MIN(n, MAX((size_t)1, 2 * high))) {
                mark_first(h, order, high);
                r = hunt_attempt(h, usable, ret);
                if (r >= 0 || high == n)
                        break;
                placement_done(ret);
                low = high + 1;
        }
        each = bitset_count_and(usable, h->j->partition->nodes);
        while (r >= 0 && low < high) {
                size_t middle = low + (high - low) / 2;
                struct placement p = { 0 };
                mark_first(h, order, middle);
                if (hunt_attempt(h, usable, &p) < 0) {
                        placement_done(&p);
                        low = middle + 1;
                        continue;
                }
                placement_done(ret);
                *ret = p;
                high = middle;
        }
        h->looked = before + each * (r < 0 ? 1 : attempts_for(n, high));
        *ret_n = high;
        return r < 0 ? -EBUSY : 0;
}

/* Takes out victims that are not needed, the last of order first. */
static void hunt_spare(struct hunt *h, const struct bitset *usable, const size_t *order, size_t n,
                struct placement *best) {
        hunt_mark_all(h, false);
        for (size_t k = 0; k < best->n_victims; k++)
                put_in(h, h->at[best->victims[k]->listed.queue_at]);
        for (size_t i = n; i-- > 0 && hunt_has_budget(h) && best->n_victims;) {
                struct candidate *v = &h->list[order[i]];
                struct placement p = { 0 };
                if (!v->in)
                        continue;
                v->in = false;
                if (hunt_attempt(h, usable, &p) < 0) {
                        v->in = true;
                        placement_done(&p);
                        continue;
                }
                placement_done(best);
                *best = p;
        }
}

static size_t hunt_eligible(const struct hunt *h, size_t *order) {
        size_t n = 0;

        for (size_t i = 0; i < h->n; i++)
                if (may_be_in(h, &h->list[i]))
                        order[n++] = i;
        return n;
}

static int hunt_compare_rank(const void *a, const void *b, void *user) {
        const struct hunt *h = user;
        const size_t *x = a, *y = b;

        if (h->list[*x].rank != h->list[*y].rank)
                return h->list[*x].rank > h->list[*y].rank ? -1 : 1;
        return *x < *y ? -1 : *x > *y;
}

/* Moves the last needed candidate to the front, then the candidates before, by the number of chosen
   nodes that each holds. */
static void hunt_reorder(struct hunt *h, size_t *order, size_t n, size_t needed,
                const struct placement *p) {
        size_t last = order[needed - 1];

        if (h->c->config->preempt.strict_order) {
                memmove(&order[1], &order[0], (needed - 1) * sizeof order[0]);
                order[0] = last;
                return;
        }
        for (size_t i = 0; i < n; i++)
                h->list[order[i]].rank =
                                i + 1 == needed ? UINT32_MAX
                                : i < needed    ? (uint32_t)bitset_count_and(
                                                                  h->list[order[i]].job->placed.nodes,
                                                                  p->nodes)
                                             : 0;
        qsort_r(order, n, sizeof order[0], hunt_compare_rank, h);
}

static int hunt_by_order(struct hunt *h, const struct bitset *usable, struct placement *best) {
        _cleanup_free_ size_t *order = xnew(size_t, h->n + 1);
        size_t n = hunt_eligible(h, order), needed = 0;
        struct placement p = { 0 };
        int r = first_of(h, usable, order, n, &needed, &p);

        for (size_t pass = 0; r >= 0 && needed > 1 && pass <= h->c->config->preempt.reorder_count &&
                              pass + 1 < n && hunt_has_budget(h);
                        pass++) {
                struct placement q = { 0 };
                hunt_reorder(h, order, n, needed, &p);
                r = first_of(h, usable, order, n, &needed, &q);
                if (r < 0)
                        break; /* cannot happen: these candidates were enough before */
                placement_done(&p);
                p = q;
        }
        if (r < 0)
                return r;
        hunt_spare(h, usable, order, needed, &p);
        hunt_keep_better(h, best, &p, true);
        return 0;
}

/* ---- a single victim ---- */

static struct harm harm_alone(const struct candidate *v) {
        return (struct harm){ 1, v->tier, v->work, v->job->placed.n_alloc };
}

static int by_harm(const void *a, const void *b, void *user) {
        const struct hunt *h = user;
        const struct candidate *v = &h->list[*(const size_t *)a], *w = &h->list[*(const size_t *)b];
        const struct harm x = harm_alone(v), y = harm_alone(w);
        int order = compare_harm(&x, &y);

        return order ? order : *(const size_t *)a < *(const size_t *)b ? -1 : 1;
}

/* Finds the least harmful single victim that is enough, if better than best. */
static void hunt_single_victim(struct hunt *h, const struct bitset *usable,
                struct placement *best) {
        _cleanup_free_ size_t *order = xnew(size_t, h->n + 1);
        struct harm limit = harm_of(h, best);
        size_t n = 0;

        if (best->n_victims == 0)
                return;
        for (size_t i = 0; i < h->n; i++) {
                const struct harm harm = harm_alone(&h->list[i]);
                if (may_be_in(h, &h->list[i]) && compare_harm(&harm, &limit) < 0)
                        order[n++] = i;
        }
        qsort_r(order, n, sizeof order[0], by_harm, h);
        for (size_t i = 0; i < n && hunt_has_budget(h); i++) {
                struct placement p = { 0 };
                mark_first(h, &order[i], 1);
                int r = hunt_attempt(h, usable, &p);
                if (r >= 0) {
                        hunt_keep_better(h, best, &p, false);
                        return;
                }
                placement_done(&p);
        }
}

/* ---- by nodes ---- */

static int by_price(const void *a, const void *b) {
        const struct preempt_price *x = a, *y = b;

        if (x->jobs != y->jobs)
                return x->jobs < y->jobs ? -1 : 1;
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        if (x->work != y->work)
                return x->work < y->work ? -1 : 1;
        return x->node < y->node ? -1 : x->node > y->node;
}

/* Returns the harm of preempting all candidates on n: j's share of n is not known yet. */
static struct preempt_price price_of(const struct hunt *h, const struct node *n) {
        struct preempt_price p = { .node = n->index };

        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct candidate *v = may_go(h, n->jobs[i]);
                if (!v)
                        continue;
                double share = 1.0 / (double)MAX((size_t)1, v->job->placed.n_alloc);
                p.jobs += share;
                p.rank += v->tier * share;
                p.work += v->work * share;
        }
        return p;
}

static const struct preempt_price *known_price(struct hunt *h, size_t i) {
        struct preempt_memo *m = memo_of(h);

        if (!bitset_has(m->priced, i))
                m->price[i] = price_of(h, h->c->nodes[i]);
        bitset_add(m->priced, i);
        return &m->price[i];
}

struct prices {
        struct preempt_price *list; /* prices of all nodes; sorted: by price */
        size_t n;
        bool sorted;
        struct preempt_price *top; /* the cheapest, sorted */
        size_t n_top;
};

static struct prices prices_of(struct hunt *h, const struct bitset *usable) {
        struct prices p = { .list = xnew(struct preempt_price, h->c->n_nodes + 1) };
        bool known = memo_of(h);

        bitset_for_each(i, usable)
                if (bitset_has(h->j->partition->nodes, i))
                        p.list[p.n++] = known ? *known_price(h, i) : price_of(h, h->c->nodes[i]);
        return p;
}

/* Up to this number is picked by insertion; more are sorted. */
#define TOP_MAX 256u

static void pick_top(struct prices *p, size_t count) {
        size_t most = MIN(p->n, count);

        p->top = xrealloc_array(p->top, most + 1, sizeof p->top[0]);
        p->n_top = 0;
        for (size_t i = 0; i < p->n; i++) {
                if (p->n_top == most && by_price(&p->list[i], &p->top[most - 1]) >= 0)
                        continue;
                size_t at = FIRST_NOT(p->n_top, k, by_price(&p->top[k], &p->list[i]) < 0);
                p->n_top += p->n_top < most;
                memmove(&p->top[at + 1], &p->top[at], (p->n_top - 1 - at) * sizeof p->top[0]);
                p->top[at] = p->list[i];
        }
}

/* Returns the `count` cheapest nodes, in order; borrowed. */
static const struct preempt_price *prices_first(struct prices *p, size_t count) {
        if (count > p->n_top && !p->sorted && count <= TOP_MAX / 4)
                pick_top(p, 4 * count);
        if (count <= p->n_top)
                return p->top;
        if (!p->sorted)
                list_sort(p->list, p->n, sizeof p->list[0], by_price);
        p->sorted = true;
        return p->list;
}

static struct bitset *hunt_cheapest_nodes(const struct hunt *h, const struct bitset *usable,
                struct prices *p, size_t n) {
        const struct preempt_price *list = prices_first(p, n);
        struct bitset *set = bitset_new(usable->bits);

        for (size_t i = 0; i < n; i++)
                bitset_add(set, list[i].node);
        if (h->j->needs.req_nodes)
                bitset_or(set, h->j->needs.req_nodes);
        bitset_and(set, usable);
        return set;
}

/* Returns the smallest set of the cheapest nodes where j fits with all candidates in; NULL if j
   does not fit on all nodes. */
static struct bitset *fewest_nodes(struct hunt *h, const struct bitset *usable,
                struct prices *prices) {
        struct bitset *best = NULL;
        size_t low, high = MAX(1u, h->j->asked.min_nodes);

        hunt_mark_all(h, true);
        for (low = 0; !best || low + 1 < high;) {
                size_t count = MIN(prices->n, best ? low + (high - low) / 2 : high);
                struct bitset *set = hunt_cheapest_nodes(h, usable, prices, count);
                struct placement p = { 0 };
                int r = hunt_attempt(h, set, &p);
                placement_done(&p);
                if (r >= 0) {
                        bitset_free(best);
                        best = set;
                        high = count;
                        continue;
                }
                bitset_free(set);
                low = count;
                if (!best && count == prices->n)
                        return NULL;
                if (!best)
                        high = 2 * high;
        }
        return best;
}

static struct bitset *cheap_nodes(struct hunt *h, const struct bitset *usable) {
        struct prices prices = prices_of(h, usable);
        struct bitset *nodes = fewest_nodes(h, usable, &prices);

        free(prices.list);
        free(prices.top);
        return nodes;
}

/* Collects the candidates on any of these nodes. */
static size_t sessions_on(const struct hunt *h, const struct bitset *nodes, size_t *order) {
        _cleanup_(bitset_freep) struct bitset *seen = bitset_new(h->n + 1);
        size_t n = 0;

        bitset_for_each(i, nodes) {
                const struct node *node = h->c->nodes[i];
                for (size_t k = 0; k < node->n_jobs; k++) {
                        const struct candidate *v = may_go(h, node->jobs[k]);
                        if (!v || bitset_has(seen, (size_t)(v - h->list)))
                                continue;
                        bitset_add(seen, (size_t)(v - h->list));
                        order[n++] = (size_t)(v - h->list);
                }
        }
        return n;
}

static int hunt_by_nodes(struct hunt *h, const struct bitset *usable, struct placement *best) {
        _cleanup_(bitset_freep) struct bitset *nodes = cheap_nodes(h, usable);
        _cleanup_free_ size_t *order = xnew(size_t, h->n + 1);
        struct placement p = { 0 };
        size_t needed = 0;

        if (!nodes)
                return -EBUSY;
        size_t n = sessions_on(h, nodes, order);
        qsort_r(order, n, sizeof order[0], by_harm, h);
        int r = first_of(h, nodes, order, n, &needed, &p);
        if (r < 0)
                return r;
        hunt_spare(h, nodes, order, needed, &p);
        hunt_keep_better(h, best, &p, false);
        return 0;
}

/* ---- all together ---- */

/* Returns the nodes that are up, if j fits there with all candidates in: further nodes are not
   examined then, so that an urgent job does not wait for a boot.  NULL if j does not fit or all
   nodes are up. */
static struct bitset *with_power(struct hunt *h) {
        struct bitset *set = bitset_copy(h->usable);
        struct placement p = { 0 };

        bitset_and(set, h->c->power[NODE_ON]);
        hunt_mark_all(h, true);
        bool enough = !bitset_equal(set, h->usable) && hunt_attempt(h, set, &p) >= 0;
        placement_done(&p);
        return enough ? set : bitset_free(set);
}

static void put_in_victims(struct hunt *h, const struct placement *p) {
        hunt_mark_all(h, false);
        for (size_t i = 0; i < p->n_victims; i++)
                put_in(h, (size_t)(candidate_of(h, p->victims[i]) - h->list));
}

/* The place found for a range of nodes (-N1-5) has the fewest nodes.  Adds nodes of the range that
   are free or that the chosen victims leave: these nodes need no more victims. */
static void fill_range(struct hunt *h, const struct bitset *usable, struct placement *best) {
        struct placement p = { 0 };

        if (!place_takes_more(h->j) || !hunt_has_budget(h))
                return;
        put_in_victims(h, best);
        if (hunt_attempt(h, usable, &p) >= 0 && p.n_victims <= best->n_victims &&
                        bitset_count(p.nodes) > bitset_count(best->nodes)) {
                struct placement fewer = *best;
                *best = p;
                p = fewer;
        }
        placement_done(&p);
}

static int least_harm(struct hunt *h, struct placement *best) {
        _cleanup_(bitset_freep) struct bitset *on = with_power(h);
        const struct bitset *usable = on ? on : h->usable;
        int r;

        if (h->c->config->preempt.strict_order)
                return hunt_by_order(h, usable, best);
        if (h->layers && h->ends) {
                r = hunt_by_order(h, usable, best);
                if (r >= 0 && hunt_has_budget(h))
                        hunt_single_victim(h, usable, best);
                return r;
        }
        r = hunt_by_nodes(h, usable, best);
        if (r < 0)
                return r;
        if (best->n_victims && hunt_has_budget(h))
                (void)hunt_by_order(h, usable, best);
        if (hunt_has_budget(h))
                hunt_single_victim(h, usable, best);
        fill_range(h, usable, best);
        return 0;
}

static int without_ending(struct hunt *h, struct preemption *ret) {
        bool some = !bitset_empty(h->stopped);

        for (size_t i = 0; i < h->n; i++)
                some |= h->list[i].mode == PREEMPT_SUSPEND;
        h->ends = false;
        hunt_mark_all(h, false);
        /* j may fit with no job to suspend, if nodes are claimed only by jobs behind j in the
           queue */
        int r = some ? least_harm(h, &ret->where) : hunt_attempt(h, h->usable, &ret->where);
        if (r < 0 && some)
                collect_givers(h);
        /* no room beside the memory of suspended jobs: ask for a part of the memory */
        if (r < 0 && some && !bitset_empty(h->givers)) {
                h->asks = true;
                r = least_harm(h, &ret->where);
                h->asks = false;
        }
        return r;
}

/* Victims that would be suspended run on until the ending jobs are gone. */
static int with_ending(struct hunt *h, struct preemption *ret) {
        size_t n_ending = 0;
        int r;

        h->ends = true;
        for (size_t i = 0; i < h->n; i++)
                n_ending += h->list[i].mode != PREEMPT_SUSPEND;
        if (n_ending == 0 && bitset_empty(h->going))
                return -EBUSY;
        hunt_mark_all(h, false);
        r = hunt_attempt(h, h->usable, &ret->where);
        if (r >= 0) /* the jobs already ending are enough */
                return -EINPROGRESS;
        placement_done(&ret->where);
        r = h->own ? -EBUSY : least_harm(h, &ret->where);
        if (r < 0)
                return r;
        /* if no victim ends, suspended jobs and jobs already ending are enough */
        for (size_t i = 0; i < ret->where.n_victims; i++)
                ret->ends |= candidate_of(h, ret->where.victims[i])->mode != PREEMPT_SUSPEND;
        /* j fits although no job ends, for instance on nodes that are up */
        if (!ret->ends && bitset_empty(h->going))
                return 0;
        return -EINPROGRESS;
}

/* more: see preempt_place(). */
static int hunt_place(struct hunt *h, bool more, struct preemption *ret) {
        int r = -EBUSY;

        *ret = (struct preemption){ .again = USEC_INFINITY };
        if (!preempt_is_possible(h->c, h->j))
                return r;
        struct hres_room *room = preempt_known_room(h->known, h->j, NULL);
        h->layers = room;
        hres_room_free(room);
        hunt_collect(h);
        h->own &= !more;
        r = without_ending(h, ret);
        if (r < 0)
                r = with_ending(h, ret);
        if (r == -EBUSY && h->limit != REASON_NONE) {
                r = -EDQUOT;
                ret->where.limit = h->limit;
                ret->where.awaits_power = h->awaits_power;
        }
        ret->again = h->again;
        hunt_done(h);
        return r;
}

static struct hunt hunt_new(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct preempt_known *known) {
        return (struct hunt){
                .c = c,
                .j = j,
                .usable = usable,
                .when = when,
                .now = when.from,
                .again = USEC_INFINITY,
                .known = known,
        };
}

int preempt_place(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, bool more, struct preempt_known *known,
                struct preemption *ret) {
        struct hunt h = hunt_new(c, j, usable, when, known);

        return hunt_place(&h, more, ret);
}

int preempt_place_beside(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct preempt_chosen *chosen,
                struct preempt_known *known, struct preemption *ret) {
        struct hunt h = hunt_new(c, j, usable, when, known);

        h.chosen = chosen;
        return hunt_place(&h, false, ret);
}

void preemption_done(struct preemption *p) {
        placement_done(&p->where);
}
