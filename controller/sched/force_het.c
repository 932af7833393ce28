/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The victims of a heterogeneous job. Each component finds its place and victims beside the earlier
 * components: the victims of earlier components count as gone. A victim is spared if the victims of
 * the other components turn out to be enough, or if all components have a place without the victim
 * by fewer victims. No state changes here; force.c carries out the result.
 *
 * Components unable to preempt choose first, on free nodes, then the components with the fewest
 * possible nodes. A component without a place chooses first in the next try, or last if unable to
 * preempt. If a range of nodes (-N1-5) would cost a victim, or leave another component without a
 * place, the minimum of the range is tried too, and then more nodes as long as no further victim is
 * needed. */
#include "controller/indexes/powered.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/sched/sched_private.h"

/* maximum number of orders of components, and of numbers of nodes, that are tried */
#define TRIES_MAX 8u

struct chooser {                   /* a component in the order of choice */
        size_t component, n_nodes; /* number of possible nodes */
        bool stops;                /* the component may preempt jobs */
        bool moved;                /* moved to the first or last position, having found no place */
};

struct choosing {
        struct cluster *c;
        const struct together *of;
        size_t n;
        const struct bitset *only; /* only these nodes; NULL: any */
        const uint32_t *most; /* maximum of nodes of each component; 0, or NULL: as requested */
        struct preempt_known *known;
        struct preempt_chosen chosen; /* victims of the components so far */
        struct bitset *taken;         /* nodes of the components so far */
        size_t hunts;                 /* number of searches so far */
        struct preemption *p;         /* the place of each component... */
        int *r;                       /* ... and the result of preempt_place() */
};

/* Returns whether further searches are allowed. The number is bounded, as a job of many components
   must not hold up the scheduler; the best result so far counts. */
static bool may_hunt(const struct choosing *s) {
        return s->hunts < TRIES_MAX * s->n + 64;
}

static int by_choice(const void *a, const void *b) {
        const struct chooser *x = a, *y = b;

        if (x->stops != y->stops)
                return x->stops ? 1 : -1;
        if (x->n_nodes != y->n_nodes)
                return x->n_nodes < y->n_nodes ? -1 : 1;
        return x->component < y->component ? -1 : 1;
}

static struct chooser *choosers_new(const struct cluster *c, const struct together *of, size_t n) {
        struct chooser *turns = xnew(struct chooser, n + 1);

        for (size_t i = 0; i < n; i++)
                turns[i] = (struct chooser){ .component = i,
                        .n_nodes = bitset_count_and(of[i].usable, of[i].j->partition->nodes),
                        .stops = preempt_is_possible(c, of[i].j) };
        list_sort(turns, n, sizeof turns[0], by_choice);
        return turns;
}

/* ---- one component ---- */

/* The nodes left for component i: without the nodes of other components, and without nodes named by
   other components. */
static struct bitset *left_for(const struct choosing *s, size_t i) {
        struct bitset *left = bitset_copy(s->of[i].usable);

        if (s->only)
                bitset_and(left, s->only);
        bitset_minus(left, s->taken);
        for (size_t k = 0; k < s->n; k++)
                if (k != i && s->of[k].j->needs.req_nodes)
                        bitset_minus(left, s->of[k].j->needs.req_nodes);
        return left;
}

/* Places a component unable to preempt: on free nodes, or on nodes left by victims of other
   components. */
static int place_free(const struct choosing *s, const struct job *j, const struct bitset *left,
                struct period when, struct preemption *ret) {
        int r = place(s->c, j, left, when, PLACE_FREE, &ret->where);

        if (r >= 0)
                return 0;
        if (r != -EDQUOT && !bitset_empty(s->chosen.gone)) {
                placement_done(&ret->where);
                ret->where = (struct placement){ 0 };
                if (place_after(s->c, j, left, when, s->chosen.gone, &ret->where) >= 0)
                        return -EINPROGRESS;
        }
        return r == -ENOENT ? -EBUSY : r;
}

static bool is_placed(int r) {
        return r == 0 || r == -EINPROGRESS;
}

/* Chooses a place for component i, beside the places of other components. No victim is told before
   all have chosen. */
static int component_choose(struct choosing *s, size_t i, struct preemption *ret) {
        const struct together *o = &s->of[i];
        _cleanup_(bitset_freep) struct bitset *left = left_for(s, i);
        struct job fewer = *o->j;

        s->hunts++;
        *ret = (struct preemption){ .again = USEC_INFINITY };
        if (s->most && s->most[i])
                fewer.asked.max_nodes = s->most[i];
        const struct job *j = s->most && s->most[i] ? &fewer : o->j;
        return preempt_is_possible(s->c, j) ? preempt_place_beside(s->c, j, left, o->when,
                                                              &s->chosen, s->known, ret)
                                            : place_free(s, j, left, o->when, ret);
}

static void add_chosen(struct choosing *s, size_t i) {
        const struct placement *where = &s->p[i].where;

        for (size_t v = 0; v < where->n_victims; v++) {
                bool lent = preempt_mode_now(s->c, s->of[i].j, where->victims[v],
                                            s->of[i].when.from) == PREEMPT_SUSPEND;
                for (uint32_t k = 0; k < job_n_together(where->victims[v]); k++) {
                        const struct job *m = job_together(where->victims[v], k);
                        if (m)
                                bitset_add(lent ? s->chosen.lent : s->chosen.gone,
                                                m->listed.queue_at);
                }
        }
        if (where->nodes)
                bitset_or(s->taken, where->nodes);
}

/* Sets chosen and taken from the places of all components but i (n: of all). */
static void chosen_by_others(struct choosing *s, size_t i) {
        bitset_clear(s->chosen.gone);
        bitset_clear(s->chosen.lent);
        bitset_clear(s->taken);
        for (size_t k = 0; k < s->n; k++)
                if (k != i && is_placed(s->r[k]))
                        add_chosen(s, k);
}

/* ---- all of them ---- */

/* Lets the components choose in the order of turns. *ret_at: index in turns of the component
   without a place; n: all have places. */
static int choose_in_order(struct choosing *s, const struct chooser *turns, size_t *ret_at) {
        int ret = 0;

        for (size_t i = 0; i < s->n; i++)
                s->r[i] = -EBUSY;
        chosen_by_others(s, s->n);
        for (*ret_at = 0; *ret_at < s->n; ++*ret_at) {
                size_t i = turns[*ret_at].component;
                s->r[i] = component_choose(s, i, &s->p[i]);
                if (!is_placed(s->r[i]))
                        return s->r[i];
                ret = s->r[i] ? s->r[i] : ret;
                add_chosen(s, i);
        }
        return ret;
}

/* Moves the chooser before all others, or behind all if unable to preempt; false: the chooser is
   there already, or was moved before. */
static bool move_chooser(struct chooser *turns, size_t n, size_t at) {
        struct chooser moved = turns[at];
        size_t to = moved.stops ? 0 : n - 1;

        if (at == to || moved.moved)
                return false;
        if (to < at)
                memmove(turns + 1, turns, at * sizeof turns[0]);
        else
                memmove(turns + at, turns + at + 1, (n - 1 - at) * sizeof turns[0]);
        moved.moved = true;
        turns[to] = moved;
        return true;
}

static size_t victims_of(const struct preemption *p, size_t n) {
        size_t victims = 0;

        for (size_t i = 0; i < n; i++)
                victims += p[i].where.n_victims;
        return victims;
}

/* Returns whether v, or a component suspended with v, is on some of the nodes. */
static bool stands_on(struct job *v, const struct bitset *nodes) {
        bool stands = false;

        for (uint32_t i = 0; i < job_n_together(v) && !stands; i++) {
                const struct job *m = job_together(v, i);
                stands = m && bitset_overlaps(m->placed.nodes, nodes);
        }
        return stands;
}

static bool is_victim_of(const struct placement *where, const struct job *v) {
        for (size_t i = 0; i < where->n_victims; i++)
                if (where->victims[i] == v)
                        return true;
        return false;
}

/* Returns whether other components use nodes of a victim of component i that is not a victim in
   q. */
static bool others_need(const struct choosing *s, size_t i, const struct preemption *q) {
        const struct placement *where = &s->p[i].where;

        for (size_t v = 0; v < where->n_victims; v++)
                if (!is_victim_of(&q->where, where->victims[v]) &&
                                stands_on(where->victims[v], s->taken))
                        return true;
        return false;
}

/* Searches each component again beside the final places of all others: fewer victims may be enough
   now. */
static int spare_victims(struct choosing *s) {
        int ret = 0;

        for (size_t i = 0; i < s->n && may_hunt(s); i++) {
                size_t own = s->p[i].where.n_victims;
                struct preemption q;
                if (!own || own == victims_of(s->p, s->n))
                        continue;
                chosen_by_others(s, i);
                int r = component_choose(s, i, &q);
                if (is_placed(r) && q.where.n_victims < own && !others_need(s, i, &q)) {
                        preemption_done(&s->p[i]);
                        s->p[i] = q;
                        s->r[i] = r;
                } else {
                        preemption_done(&q);
                }
        }
        for (size_t i = 0; i < s->n; i++)
                ret = s->r[i] ? s->r[i] : ret;
        return ret;
}

/* Lets all components choose, in up to TRIES_MAX orders. *ret_why: the component without a place;
   n: all have places. */
static int choose_all(struct choosing *s, size_t *ret_why) {
        _cleanup_free_ struct chooser *turns = choosers_new(s->c, s->of, s->n);
        usec_t again = USEC_INFINITY;
        size_t tries = 0, at;
        int r;

        do {
                for (size_t i = 0; i < s->n; i++) {
                        again = tries ? MIN(again, s->p[i].again) : again;
                        preemption_done(&s->p[i]);
                        s->p[i] = (struct preemption){ .again = USEC_INFINITY };
                }
                r = choose_in_order(s, turns, &at);
                *ret_why = at < s->n ? turns[at].component : s->n;
        } while ((r == -EBUSY || r == -EDQUOT) && ++tries < TRIES_MAX && may_hunt(s) &&
                        move_chooser(turns, s->n, at));
        s->p[0].again = MIN(s->p[0].again, again);
        return is_placed(r) ? spare_victims(s) : r;
}

/* ---- victims of several ---- */

static void placement_add_victim(struct placement *where, struct job *v) {
        where->victims = xrenew(where->victims, where->n_victims + 1);
        where->victims[where->n_victims++] = v;
}

/* Adds to each component the victims suspended by further components on the component's nodes: the
   component starts when all victims on its nodes are frozen. */
static void share_victims(struct preemption *p, size_t n) {
        _cleanup_free_ size_t *own = xnew(size_t, n + 1);

        for (size_t i = 0; i < n; i++)
                own[i] = p[i].where.n_victims;
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < n; k++)
                        for (size_t v = 0; k != i && v < own[k]; v++)
                                if (stands_on(p[k].where.victims[v], p[i].where.nodes))
                                        placement_add_victim(&p[i].where, p[k].where.victims[v]);
}

/* ---- ranges of nodes ---- */

/* The minimum of nodes for each component with a range (else 0); NULL: no component has a range. */
static uint32_t *least_nodes_of(const struct together *of, size_t n) {
        uint32_t *most = xnew0(uint32_t, n + 1);
        bool some = false;

        for (size_t i = 0; i < n; i++) {
                uint32_t least = MAX(1u, of[i].j->asked.min_nodes);
                most[i] = of[i].j->asked.max_nodes > least ? least : 0;
                some |= most[i];
        }
        if (some)
                return most;
        free(most);
        return NULL;
}

static void preemptions_reset(struct preemption *p, size_t n) {
        for (size_t i = 0; i < n; i++) {
                preemption_done(&p[i]);
                p[i] = (struct preemption){ .again = USEC_INFINITY };
        }
}

/* Lets all choose with the minimum of nodes; a component without a place gets twice as many in the
   next try. */
static int choose_least(struct choosing *s, uint32_t *most) {
        size_t why;
        int r = -EBUSY;

        s->most = most;
        for (size_t i = 0; i < TRIES_MAX && may_hunt(s); i++) {
                r = choose_all(s, &why);
                if (is_placed(r) || why == s->n || !most[why])
                        break;
                most[why] = most[why] < s->of[why].j->asked.max_nodes / 2 ? 2 * most[why] : 0;
        }
        s->most = NULL;
        return r;
}

static struct choosing choosing_new(struct cluster *c, const struct together *of, size_t n,
                const struct bitset *only, struct preempt_known *known) {
        return (struct choosing){ .c = c,
                .of = of,
                .n = n,
                .only = only,
                .known = known,
                .chosen = { .gone = bitset_new(c->n_active), .lent = bitset_new(c->n_active) },
                .taken = bitset_new(c->n_nodes),
                .p = xnew0(struct preemption, n + 1),
                .r = xnew0(int, n + 1) };
}

static void choosing_done(struct choosing *s) {
        for (size_t i = 0; i < s->n; i++)
                preemption_done(&s->p[i]);
        free(s->p);
        free(s->r);
        bitset_free(s->taken);
        bitset_free(s->chosen.gone);
        bitset_free(s->chosen.lent);
}

/* Moves the places from s to p; the previous places in p are released. */
static void take_over(struct choosing *s, struct preemption *p) {
        for (size_t i = 0; i < s->n; i++) {
                preemption_done(&p[i]);
                p[i] = s->p[i];
                s->p[i] = (struct preemption){ .again = USEC_INFINITY };
        }
}

/* ---- victims that all can do without ---- */

struct victims {
        struct job **list; /* fewest nodes first */
        size_t n;
};

static int victim_compare_size(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->placed.n_alloc != (*y)->placed.n_alloc)
                return (*x)->placed.n_alloc < (*y)->placed.n_alloc ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static struct victims victims_new(const struct preemption *p, size_t n) {
        struct victims all = { .list = xnew(struct job *, victims_of(p, n) + 1) };

        for (size_t i = 0; i < n; i++)
                for (size_t v = 0; v < p[i].where.n_victims; v++)
                        all.list[all.n++] = p[i].where.victims[v];
        list_sort(all.list, all.n, sizeof all.list[0], victim_compare_size);
        return all;
}

/* Number of jobs stopped: the victims, and the components stopped with them. */
static size_t jobs_stopped(const struct preemption *p, size_t n) {
        size_t jobs = 0;

        for (size_t i = 0; i < n; i++)
                for (size_t v = 0; v < p[i].where.n_victims; v++)
                        jobs += job_n_together(p[i].where.victims[v]);
        return jobs;
}

/* The nodes of before (NULL: all nodes) without v and the components stopped with v. */
static struct bitset *nodes_without(const struct cluster *c, const struct bitset *before,
                struct job *v) {
        struct bitset *nodes = before ? bitset_copy(before) : bitset_new(c->n_nodes);

        if (!before)
                bitset_fill(nodes);
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together(v, i);
                if (m)
                        bitset_minus(nodes, m->placed.nodes);
        }
        return nodes;
}

/* Looks for fewer victims in total, as each component has only minimized its own: tries to leave
   each victim alone in turn. p: the places found so far, with result r; returns the new result. */
static int choose_without(struct choosing *s, struct preemption *p, int r) {
        const struct bitset *before = s->only;
        _cleanup_(bitset_freep) struct bitset *only = NULL;
        struct victims all = victims_new(p, s->n);
        size_t why;

        for (size_t i = 0; i < MIN(all.n, (size_t)TRIES_MAX) && jobs_stopped(p, s->n) > 1 &&
                           may_hunt(s);
                        i++) {
                struct bitset *fewer = nodes_without(s->c, only ? only : before, all.list[i]);
                s->only = fewer;
                int without = choose_all(s, &why);
                if (is_placed(without) && jobs_stopped(s->p, s->n) < jobs_stopped(p, s->n)) {
                        take_over(s, p);
                        r = without;
                        bitset_free(only);
                        only = fewer;
                } else {
                        bitset_free(fewer);
                }
        }
        s->only = before;
        free(all.list);
        return r;
}

/* ---- more nodes than the least ---- */

static size_t nodes_chosen(const struct preemption *p, size_t n) {
        size_t nodes = 0;

        for (size_t i = 0; i < n; i++)
                nodes += p[i].where.nodes ? bitset_count(p[i].where.nodes) : 0;
        return nodes;
}

/* Lets all choose with at most most[i] nodes for component i. true: the components together have
   more nodes than in p, stop no more jobs, and need not wait if they did not before (*r); p and *r
   are updated. */
static bool choose_more(struct choosing *s, const uint32_t *most, struct preemption *p, int *r) {
        size_t why;

        s->most = most;
        int more = choose_all(s, &why);
        s->most = NULL;
        if (!is_placed(more) || (more && !*r) || jobs_stopped(s->p, s->n) > jobs_stopped(p, s->n) ||
                        nodes_chosen(s->p, s->n) <= nodes_chosen(p, s->n))
                return false;
        take_over(s, p);
        *r = more;
        return true;
}

/* The maximum of nodes of a component with a range; 0: no range. */
static uint32_t most_of(const struct together *o) {
        uint32_t least = MAX(1u, o->j->asked.min_nodes);
        size_t there = bitset_count_and(o->usable, o->j->partition->nodes);

        return o->j->asked.max_nodes > least ? MIN(o->j->asked.max_nodes, (uint32_t)there) : 0;
}

/* Gives components with the minimum of their range more nodes as long as no further victim is
   needed: the first component as many as possible, then the next. */
static int choose_rest(struct choosing *s, struct preemption *p, int r) {
        _cleanup_free_ uint32_t *most = xnew0(uint32_t, s->n + 1);

        for (size_t i = 0; i < s->n; i++) {
                uint32_t high = most_of(&s->of[i]), low = (uint32_t)bitset_count(p[i].where.nodes);
                for (size_t k = 0; k < s->n; k++)
                        most[k] = most_of(&s->of[k]) ? (uint32_t)bitset_count(p[k].where.nodes) : 0;
                most[i] = high;
                while (low < high && may_hunt(s)) {
                        if (choose_more(s, most, p, &r))
                                low = most[i];
                        else
                                high = most[i] - 1;
                        most[i] = (low + high + 1) / 2;
                }
        }
        return r;
}

/* Places each component on distinct nodes, with victims; only: from these nodes, NULL: any. */
static int preempt_each(struct cluster *c, const struct together *of, size_t n,
                const struct bitset *only, struct preempt_known *known, struct preemption *p) {
        struct choosing s = choosing_new(c, of, n, only, known);
        _cleanup_free_ uint32_t *most = least_nodes_of(of, n);
        size_t why;
        bool least = false; /* p has the places with the minimum of nodes */
        int r = choose_all(&s, &why);

        take_over(&s, p);
        if (most && (!is_placed(r) || victims_of(p, n))) {
                int few = choose_least(&s, most);
                least = is_placed(few) && (!is_placed(r) || victims_of(s.p, n) < victims_of(p, n));
                if (least) {
                        take_over(&s, p);
                        r = few;
                }
        }
        if (is_placed(r) && jobs_stopped(p, n) > 1)
                r = choose_without(&s, p, r);
        if (is_placed(r) && least)
                r = choose_rest(&s, p, r);
        if (r == 0)
                share_victims(p, n);
        choosing_done(&s);
        return r;
}

/* ---- what forbids them together ---- */

/* Returns whether the nodes of all components together would exceed max_powered_nodes. */
static bool too_many_powered(const struct cluster *c, const struct preemption *p, size_t n) {
        size_t powered = powered_count(c);

        for (size_t i = 0; i < n; i++)
                if (p[i].where.nodes && sched_too_many_powered(c, &p[i].where, &powered))
                        return true;
        return false;
}

/* Returns whether all components together would exceed a limit; victims count until they are
   gone. */
static bool too_much_together(struct cluster *c, const struct together *of, size_t n,
                const struct preemption *p) {
        _cleanup_free_ struct together *then = xnew(struct together, n + 1);

        for (size_t i = 0; i < n; i++) {
                then[i] = of[i];
                then[i].where = p[i].where;
        }
        return place_together_limit(c, then, n, of->when.from) != REASON_NONE;
}

int sched_preempt_together(struct cluster *c, struct together *of, size_t n,
                struct preempt_known *known, struct preemption *p, bool *ret_ends) {
        int r = preempt_each(c, of, n, NULL, known, p);

        if ((r == 0 || r == -EINPROGRESS) && too_many_powered(c, p, n)) {
                _cleanup_(bitset_freep) struct bitset *powered = bitset_copy(c->powered);
                bitset_or(powered, c->to_resume);
                preemptions_reset(p, n);
                r = preempt_each(c, of, n, powered, known, p);
        }
        if ((r == 0 || r == -EINPROGRESS) && too_much_together(c, of, n, p))
                r = -EBUSY;
        *ret_ends = false;
        for (size_t i = 0; i < n && r == -EINPROGRESS; i++)
                *ret_ends |= p[i].ends;
        return r;
}

usec_t sched_preempt_again(const struct preemption *p, size_t n) {
        usec_t again = USEC_INFINITY;

        for (size_t i = 0; i < n; i++)
                again = MIN(again, p[i].again);
        return again;
}

usec_t sched_preempted_start(const struct cluster *c, const struct together *of, size_t n,
                const struct preemption *p, bool ends) {
        usec_t start = of->when.from;

        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < p[i].where.n_victims && ends; k++)
                        start = MAX(start, of->when.from + sched_grace(c, p[i].where.victims[k],
                                                                           of[i].j));
        return start;
}

void preemptions_done(struct preemption *p, size_t n) {
        for (size_t i = 0; i < n; i++)
                preemption_done(&p[i]);
}
