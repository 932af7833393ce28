/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placing the components of a heterogeneous job at once, on distinct nodes.
 *
 *   joint_walk()       places one component after the other, fewest usable nodes first. Nearly
 *                      always sufficient. Otherwise, if the failed component fits alone, earlier
 *                      components must leave nodes.
 *   joint_share_out()  computes by kinds of nodes whether there are enough nodes at all
 *                      (place_share.c); if not, the job is refused. Nodes of a kind are equal for
 *                      all components; nodes which could not serve a component even if empty do not
 *                      count for the component. If there are enough nodes, joint_walk() is tried
 *                      with the distribution found.
 *   joint_search()     tries, for each component before the failed component and each kind in use
 *                      by the component, fewer nodes of the kind. In each solution at least one
 *                      such pair has fewer nodes, so the search is complete, until too many nodes
 *                      were looked at.
 *   joint_grow()       gives nodes left over to components with a range of nodes.
 *
 * If the failed component exceeds a limit, joint_search() considers all nodes of the earlier
 * components, the largest nodes first, and joint_share_out() prefers nodes with few CPUs.
 *
 * Each pair tried gives up n / m nodes, if the failed component lacks n nodes and there are m
 * pairs. */
#include "controller/sched/place/place_private.h"

#include "controller/accounts/limit_check.h"
#include "controller/indexes/powered.h"
#include "controller/model/tres.h"
#include "controller/reservations/license.h"

/* Looks at nodes (place_offer.c) before a search gives up: some ms. */
#define SEARCH_LOOKS 60000u

#define NO_KIND UINT32_MAX

struct joint {
        struct cluster *c;
        struct together *of;
        size_t n;
        enum place_mode mode;
        const struct bitset *gone;
        uint32_t *order;
        struct bitset *allowed, *taken;
        /* usage without the gone jobs; plus the components already placed */
        struct limits_without *without, *beside;
        struct bitset *powered; /* max_powered_nodes: nodes powered then; NULL: no limit */
        /* Members of the search; kind is NULL before begin_search(). */
        uint32_t *kind;     /* by node */
        uint32_t *size;     /* number of nodes, by kind */
        uint32_t *cpus;     /* CPUs of a node, by kind */
        uint32_t *wants;    /* minimum number of nodes, by component */
        uint32_t *used;     /* used nodes, by component and kind */
        uint32_t *most;     /* allowed nodes, by component and kind; UINT32_MAX: all */
        struct bitset *has; /* usable kinds, by component */
        size_t n_kinds;
        uint64_t until; /* maximum of slices.looked */
        bool over;      /* the search gave up */
        size_t why;     /* the component without a placement */
};

static size_t pair_index(const struct joint *t, size_t component, size_t kind) {
        return component * t->n_kinds + kind;
}

/* ---- one after the other ---- */

static int joint_by_nodes(const void *a, const void *b, void *user) {
        const struct together *of = user;
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
        size_t m = bitset_count(of[x].usable), n = bitset_count(of[y].usable);

        return m != n ? (m < n ? -1 : 1) : x < y ? -1 : x > y;
}

/* Removes nodes beyond the allowed number of each kind. */
static void heed_most(const struct joint *t, size_t i, struct bitset *nodes) {
        _cleanup_free_ uint32_t *left = NULL;

        if (!t->kind)
                return;
        left = xnew(uint32_t, t->n_kinds + 1);
        memcpy(left, &t->most[pair_index(t, i, 0)], t->n_kinds * sizeof left[0]);
        bitset_for_each(k, nodes) {
                if (t->kind[k] == NO_KIND || left[t->kind[k]] == UINT32_MAX)
                        continue;
                if (left[t->kind[k]] == 0)
                        bitset_del(nodes, k);
                else
                        left[t->kind[k]]--;
        }
}

static struct limits_without *limits_of(const struct cluster *c, const struct together *of,
                size_t n, const struct bitset *gone) {
        _cleanup_free_ const struct job **jobs = xnew(const struct job *, n + 1);

        for (size_t i = 0; i < n; i++)
                jobs[i] = of[i].j;
        return limits_without_of(c, jobs, n, gone);
}

/* Places a component beside the `before` components placed earlier; alone: as if no other component
   were placed. */
static int place_one(struct joint *t, size_t before, bool alone, struct placement *ret) {
        const struct together *o = &t->of[t->order[before]];

        bitset_assign(t->allowed, o->usable);
        if (!alone)
                bitset_minus(t->allowed, t->taken);
        heed_most(t, t->order[before], t->allowed);
        *ret = (struct placement){ 0 };
        if (t->mode == PLACE_EVER)
                return place(t->c, o->j, t->allowed, o->when, t->mode, ret) < 0 ? -ENOENT : 0;
        const struct supposed then = { .gone = t->gone,
                .limits = alone ? t->without : t->beside,
                .powered = t->powered };
        /* Only the leader has hierarchical resources: no other component is charged. */
        _cleanup_(hres_room_freep) struct hres_room
                        *room = o->when.room ? NULL
                                             : licenses_room(t->c, o->j, o->when.from, false, NULL,
                                                               t->gone);
        struct period when = o->when;
        when.room = room ? room : o->when.room;
        return place_then(t->c, o->j, t->allowed, when, &then, ret);
}

static void note_used(struct joint *t, size_t i) {
        const struct tres_holding h = place_holding(t->of[i].j, &t->of[i].where);

        limits_without_add(t->beside, t->c, t->of[i].j, &h);
        bitset_or(t->taken, t->of[i].where.nodes);
        if (t->powered)
                bitset_or(t->powered, t->of[i].where.nodes);
        if (!t->kind)
                return;
        memset(&t->used[pair_index(t, i, 0)], 0, t->n_kinds * sizeof t->used[0]);
        bitset_for_each(k, t->of[i].where.nodes) {
                if (t->kind[k] != NO_KIND)
                        t->used[pair_index(t, i, t->kind[k])]++;
        }
}

static void joint_forget_places(struct joint *t) {
        for (size_t i = 0; i < t->n; i++)
                placement_done(&t->of[i].where);
}

/* Returns the nodes counted as powered before any component is placed; NULL: no limit. */
static struct bitset *powered_then(const struct joint *t) {
        const struct cluster *c = t->c;
        struct bitset *set;

        if (t->mode == PLACE_EVER || powered_room(c) == SIZE_MAX)
                return NULL;
        if (t->gone)
                return powered_without(c, t->gone);
        set = bitset_new(c->n_nodes);
        for (size_t i = 0; i < c->n_nodes; i++)
                bitset_put(set, i, !node_lacks_power(c->nodes[i]) || bitset_has(c->to_resume, i));
        return set;
}

/* Places all components in order; *ret: number of components placed. Returns 0 or the error of
   component t->why. */
static int joint_walk(struct joint *t, size_t *ret) {
        int r = 0;

        bitset_clear(t->taken);
        bitset_free(t->powered);
        t->powered = powered_then(t);
        limits_without_free(t->beside);
        t->beside = limits_without_copy(t->without);
        for (*ret = 0; *ret < t->n && r >= 0; *ret += r >= 0) {
                struct together *o = &t->of[t->order[*ret]];
                r = place_one(t, *ret, false, &o->where);
                if (r >= 0)
                        note_used(t, t->order[*ret]);
                else
                        t->why = t->order[*ret];
        }
        return r;
}

/* ---- kinds ---- */

struct likeness {
        uint64_t key;
        uint32_t cpus, node;
};

static uint64_t key_mix(uint64_t key, uint64_t word) {
        key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        return key ^ key >> 29;
}

static uint64_t key_mix_text(uint64_t key, const char *text) {
        for (; text && *text; text++)
                key = key_mix(key, (unsigned char)*text);
        return key_mix(key, 0);
}

static bool has_others(const struct joint *t, const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (!t->gone || !bitset_has(t->gone, n->jobs[i]->listed.queue_at))
                        return true;
        return false;
}

/* Returns a key: free nodes with the same hardware are alike; a partly used node is a kind of its
   own. */
static uint64_t likeness_key(const struct joint *t, const struct node *n, bool particular) {
        const struct node_hardware *h = &n->configured;
        const uint64_t words[] = { h->cpus, h->boards, h->sockets, h->cores, h->threads, h->memory,
                h->tmp_disk, n->weight, n->power, n->flags, n->base,
                particular || has_others(t, n) || n->resv ? n->index + 1 : 0 };
        uint64_t key = 1;

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                key = key_mix(key, words[i]);
        for (size_t i = 0; i < t->n; i++)
                key = key_mix(key, bitset_has(t->of[i].usable, n->index));
        key = key_mix_text(key, n->features);
        key = key_mix_text(key, n->active);
        return key_mix_text(key, n->gres);
}

static int likeness_by_key(const void *a, const void *b) {
        const struct likeness *x = a, *y = b;

        if (x->cpus != y->cpus)
                return x->cpus < y->cpus ? -1 : 1;
        if (x->key != y->key)
                return x->key < y->key ? -1 : 1;
        return x->node < y->node ? -1 : x->node > y->node;
}

static bool tells_all_apart(const struct joint *t) {
        for (size_t i = 0; i < t->n; i++)
                if (place_is_particular(t->c, t->of[i].j) || place_heeds_switches(t->c, t->of[i].j))
                        return true;
        return false;
}

/* Numbers the kinds, fewest CPUs first. */
static void sort_kinds(struct joint *t, const struct bitset *nodes) {
        _cleanup_free_ struct likeness *all = xnew(struct likeness, bitset_count(nodes) + 1);
        bool particular = tells_all_apart(t);
        size_t n = 0;

        bitset_for_each(i, nodes)
                all[n++] = (struct likeness){ likeness_key(t, t->c->nodes[i], particular),
                        t->c->nodes[i]->configured.cpus, (uint32_t)i };
        list_sort(all, n, sizeof all[0], likeness_by_key);
        t->kind = xnew(uint32_t, t->c->n_nodes + 1);
        memset(t->kind, 0xff, t->c->n_nodes * sizeof t->kind[0]);
        for (size_t i = 0; i < n; i++) {
                t->n_kinds += i == 0 || all[i].key != all[i - 1].key;
                t->kind[all[i].node] = (uint32_t)t->n_kinds - 1;
        }
}

static void allow_all(struct joint *t) {
        memset(t->most, 0xff, t->n * t->n_kinds * sizeof t->most[0]);
}

/* Returns whether both nodes are part of the same topologies. */
static bool hang_alike(const struct cluster *c, const struct node *a, const struct node *b) {
        const struct topologies *all = config_topologies(c->config);

        for (size_t i = 0; all && i < all->n; i++)
                if ((node_leaf(a, all->list[i]) == TOPOLOGY_NONE) !=
                                (node_leaf(b, all->list[i]) == TOPOLOGY_NONE))
                        return false;
        return true;
}

/* Returns whether both nodes, if empty, could serve the same jobs equally. */
static bool are_built_alike(const struct joint *t, const struct node *a, const struct node *b) {
        const struct node_hardware *h = &a->configured, *k = &b->configured;

        return h->cpus == k->cpus && h->boards == k->boards && h->sockets == k->sockets &&
               h->cores == k->cores && h->threads == k->threads && h->memory == k->memory &&
               h->tmp_disk == k->tmp_disk && !a->n_spec && !b->n_spec &&
               a->spec_memory == b->spec_memory && !a->sides && !b->sides && !a->changeable &&
               !b->changeable && hang_alike(t->c, a, b) &&
               streq(strempty(a->features), strempty(b->features)) &&
               streq(strempty(a->gres), strempty(b->gres));
}

/* Removes nodes which could not serve the component from each usable set. Returns the union. */
static struct bitset *leave_able(struct joint *t) {
        _cleanup_free_ uint32_t *run = xnew0(uint32_t, t->c->n_nodes + 1);
        struct bitset *nodes = bitset_new(t->c->n_nodes);

        for (size_t i = 1; i < t->c->n_nodes; i++)
                run[i] = run[i - 1] + !are_built_alike(t, t->c->nodes[i - 1], t->c->nodes[i]);
        t->wants = xnew(uint32_t, t->n);
        for (size_t i = 0; i < t->n; i++) {
                t->wants[i] = place_could_serve(t->c, t->of[i].j, run, t->of[i].usable);
                bitset_or(nodes, t->of[i].usable);
        }
        return nodes;
}

/* Prepares the search: sorts nodes into kinds. */
static void begin_search(struct joint *t) {
        _cleanup_(bitset_freep) struct bitset *nodes = leave_able(t);

        sort_kinds(t, nodes);
        t->size = xnew0(uint32_t, t->n_kinds + 1);
        t->cpus = xnew0(uint32_t, t->n_kinds + 1);
        t->used = xnew0(uint32_t, t->n * t->n_kinds + 1);
        t->most = xnew(uint32_t, t->n * t->n_kinds + 1);
        allow_all(t);
        t->has = bitset_new(t->n * t->n_kinds);
        bitset_for_each(k, nodes) {
                t->size[t->kind[k]]++;
                t->cpus[t->kind[k]] = t->c->nodes[k]->configured.cpus;
        }
        for (size_t i = 0; i < t->n; i++)
                bitset_for_each(k, t->of[i].usable)
                        bitset_add(t->has, pair_index(t, i, t->kind[k]));
}

/* Sets t->most to a distribution of nodes among all components; limit: prefers kinds with few CPUs.
   -ENOENT: not enough nodes; -E2BIG: unknown. */
static int joint_share_out(struct joint *t, bool limit) {
        const struct shares s = { .n = t->n,
                .kinds = t->n_kinds,
                .wants = t->wants,
                .size = t->size,
                .has = t->has,
                .first = limit,
                .ret = t->most };

        return place_share_out(&s);
}

/* ---- the search ---- */

struct pair { /* a component which might use fewer nodes of a kind */
        uint32_t component, kind, used;
        /* free nodes of other kinds usable instead; with a limit: CPUs of a node */
        uint64_t others;
};

static int by_others(const void *a, const void *b) {
        const struct pair *x = a, *y = b;

        if (x->others != y->others)
                return x->others > y->others ? -1 : 1;
        if (x->component != y->component)
                return x->component < y->component ? -1 : 1;
        return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* Returns the free nodes of kind beside the first `before` components. */
static uint32_t left_of(const struct joint *t, size_t before, size_t kind) {
        uint32_t used = 0;

        for (size_t k = 0; k < before; k++)
                used += t->used[pair_index(t, t->order[k], kind)];
        return t->size[kind] - MIN(used, t->size[kind]);
}

/* Returns the pairs of the first `before` components, for kinds usable by the next component;
   limit: for any kind. *ret_lacks: minimum number of nodes the next component lacks. The caller
   frees. */
static struct pair *pairs_new(const struct joint *t, size_t before, bool limit, size_t *ret,
                uint32_t *ret_lacks) {
        struct pair *of = xnew(struct pair, before * t->n_kinds + 1);
        _cleanup_free_ uint64_t *others = xnew0(uint64_t, t->n + 1);
        uint64_t left = 0, wants = t->wants[t->order[before]];

        *ret = 0;
        for (size_t k = 0; k < t->n_kinds; k++) {
                uint32_t free = left_of(t, before, k);
                bool wanted = bitset_has(t->has, pair_index(t, t->order[before], k));
                left += wanted ? free : 0;
                for (size_t i = 0; i < before; i++) {
                        uint32_t o = t->order[i];
                        others[o] += !wanted && bitset_has(t->has, pair_index(t, o, k)) ? free : 0;
                        if ((wanted || limit) && t->used[pair_index(t, o, k)])
                                of[(*ret)++] = (struct pair){ o, (uint32_t)k,
                                        t->used[pair_index(t, o, k)], t->cpus[k] };
                }
        }
        for (size_t i = 0; i < *ret && !limit; i++)
                of[i].others = others[of[i].component];
        list_sort(of, *ret, sizeof of[0], by_others);
        *ret_lacks = (uint32_t)(wants > left && !limit ? wants - left : 1);
        return of;
}

/* Returns 0 when all components are placed; -EBUSY: gave up, or no solution. */
static int joint_search(struct joint *t) {
        size_t before, n;
        uint32_t lacks;
        int r = joint_walk(t, &before);

        if (r >= 0)
                return r;
        t->over |= t->c->slices.looked >= t->until;
        _cleanup_free_ struct pair *of = pairs_new(t, before, r == -EDQUOT, &n, &lacks);
        joint_forget_places(t);
        for (size_t i = 0; i < n && !t->over; i++) {
                uint32_t *most = &t->most[pair_index(t, of[i].component, of[i].kind)];
                uint32_t was = *most;
                *most = of[i].used - MIN(of[i].used, (uint32_t)DIV_ROUND_UP(lacks, n));
                r = joint_search(t);
                if (r >= 0)
                        return r;
                *most = was;
        }
        return -EBUSY;
}

/* Tries the distribution of joint_share_out() if there is one, then searches. */
static int try_shared_or(struct joint *t, bool shared) {
        size_t before;
        int r = shared ? joint_walk(t, &before) : -EBUSY;

        if (r >= 0)
                return r;
        joint_forget_places(t);
        allow_all(t);
        t->until = t->c->slices.looked + SEARCH_LOOKS;
        return joint_search(t);
}

/* Raises t->most by unused nodes for components with a range of nodes, in order. Returns false if
   no component can have more. */
static bool raise_most(struct joint *t) {
        _cleanup_free_ uint32_t *left = xnew(uint32_t, t->n_kinds + 1);
        bool raised = false;

        for (size_t k = 0; k < t->n_kinds; k++)
                left[k] = left_of(t, t->n, k);
        for (size_t i = 0; i < t->n; i++) {
                uint32_t o = t->order[i], has = (uint32_t)t->of[o].where.n_alloc;
                uint32_t wants = MAX(t->of[o].j->asked.max_nodes, has) - has;
                for (size_t k = 0; k < t->n_kinds; k++) {
                        bool may = bitset_has(t->has, pair_index(t, o, k));
                        uint32_t more = may ? MIN(left[k], wants) : 0;
                        t->most[pair_index(t, o, k)] = t->used[pair_index(t, o, k)] + more;
                        left[k] -= more;
                        wants -= more;
                        raised |= more;
                }
        }
        return raised;
}

/* Places all components again with more nodes, if nodes are left over; otherwise restores the
   placement. */
static int joint_grow(struct joint *t) {
        size_t bytes = t->n * t->n_kinds * sizeof t->most[0], before;
        _cleanup_free_ uint32_t *was = xnew(uint32_t, t->n * t->n_kinds + 1);

        memcpy(was, t->most, bytes);
        if (!raise_most(t))
                return 0;
        joint_forget_places(t);
        int r = joint_walk(t, &before);
        if (r >= 0)
                return r;
        joint_forget_places(t);
        memcpy(t->most, was, bytes);
        return joint_walk(t, &before); /* the former placement */
}

/* Searches after joint_walk() failed with r at component `before`, if the component fits alone. */
static int search_from(struct joint *t, size_t before, int r) {
        struct placement nowhere = { 0 };
        const size_t why = t->why;

        if (before == 0)
                return r;
        int alone = place_one(t, before, true, &nowhere);
        placement_done(&nowhere);
        if (alone < 0)
                return r == -EDQUOT || alone == -EDQUOT ? r : alone;
        joint_forget_places(t);
        begin_search(t);
        int shared = joint_share_out(t, r == -EDQUOT);
        int found = shared == -ENOENT ? shared : try_shared_or(t, shared == 0);
        /* no job is preempted for more nodes */
        if (found >= 0 && t->mode != PLACE_EVER && !t->gone)
                found = joint_grow(t);
        if (found >= 0)
                return found;
        t->why = why;
        if (r == -EDQUOT)
                return r;
        return t->mode == PLACE_EVER && !t->over ? -ENOENT : -EBUSY;
}

static void joint_free_members(struct joint *t) {
        free(t->order);
        bitset_free(t->allowed);
        bitset_free(t->taken);
        bitset_free(t->powered);
        limits_without_free(t->without);
        limits_without_free(t->beside);
        free(t->kind);
        free(t->size);
        free(t->cpus);
        free(t->wants);
        free(t->used);
        free(t->most);
        bitset_free(t->has);
}

int place_together(struct cluster *c, struct together *of, size_t n, enum place_mode mode,
                const struct bitset *gone, size_t *ret_why) {
        struct joint t = { .c = c,
                .of = of,
                .n = n,
                .mode = mode,
                .gone = gone,
                .order = xnew(uint32_t, n),
                .allowed = bitset_new(c->n_nodes),
                .taken = bitset_new(c->n_nodes),
                .without = limits_of(c, of, n, gone) };
        size_t before;

        for (uint32_t i = 0; i < n; i++) {
                t.order[i] = i;
                of[i].where = (struct placement){ 0 };
                bitset_and(of[i].usable, of[i].j->partition->nodes);
                if (of[i].j->needs.exc_nodes)
                        bitset_minus(of[i].usable, of[i].j->needs.exc_nodes);
                for (size_t k = 0; k < n; k++) /* the other component must have the nodes named */
                        if (k != i && of[k].j->needs.req_nodes)
                                bitset_minus(of[i].usable, of[k].j->needs.req_nodes);
        }
        qsort_r(t.order, n, sizeof t.order[0], joint_by_nodes, of);
        int r = joint_walk(&t, &before);
        if (r < 0) {
                const struct placement refused = of[t.why].where;
                of[t.why].where = (struct placement){ 0 };
                r = search_from(&t, before, r);
                if (r < 0)
                        joint_forget_places(&t);
                if (r == -EDQUOT)
                        of[t.why].where = refused;
        }
        *ret_why = t.why;
        joint_free_members(&t);
        return r;
}

enum job_reason place_together_limit(struct cluster *c, const struct together *of, size_t n,
                usec_t now) {
        _cleanup_(limits_without_freep) struct limits_without *beside = limits_of(c, of, n, NULL);
        enum job_reason why = REASON_NONE;

        for (size_t i = 0; i < n && why == REASON_NONE; i++) {
                const struct tres_holding h = place_holding(of[i].j, &of[i].where);
                why = limits_wait_reason(c, of[i].j, &h, beside, now, NULL);
                limits_without_add(beside, c, of[i].j, &h);
        }
        return why;
}

void together_free(struct together *of, size_t n) {
        for (size_t i = 0; of && i < n; i++) {
                placement_done(&of[i].where);
                bitset_free(of[i].usable);
                hres_room_free(of[i].room);
        }
        free(of);
}
