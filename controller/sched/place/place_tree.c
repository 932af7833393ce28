/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions with topology/tree: nodes below one switch, on as few leaves as possible.
 *
 *   tree_find_nearest()  considers the offers nearest to being powered up and without victims,
 *                        until some switch has enough of these offers
 *   switch_lowest()      takes the lowest switch with enough offers; among equal switches the
 *                        switch with the lightest nodes, then with the fewest nodes
 *   rank_leaves()        orders the leaves below the switch: leaves of named nodes, then the
 *                        smallest leaf with everything still missing, otherwise the largest leaf
 *
 * A range of nodes (-N2-4) gets as many nodes as a single switch has; with --switches as many as
 * the requested number of leaves has, or the minimum if these leaves have too few tasks. Other
 * offers are dropped as unconnected or farther away. */
#include "controller/sched/place/place_private.h"

struct sum { /* sums over the offers below a switch */
        size_t nodes, required;
        uint64_t tasks;
        struct gres_sums gres;
        uint32_t most;   /* maximum tasks of an offer */
        uint32_t weight; /* of the heaviest among the min_nodes lightest offers */
        size_t rank;     /* order of a leaf; 0: not taken */
};

struct tree {
        struct search *s;
        const struct topology *t;
        struct sum *of;  /* by switch */
        size_t required; /* number of required offers */
        size_t distance; /* maximum distance of considered offers */
        bool victims;    /* considered offers may need victims */
};

static bool tree_counts_offer(const struct tree *tr, const struct offer *o) {
        return o->required ||
               (place_distance(o) <= tr->distance && (tr->victims || !o->needs_victims));
}

static void tree_add_up(struct tree *tr) {
        memset(tr->of, 0, tr->t->n * sizeof tr->of[0]);
        for (size_t i = 0; i < tr->s->n_offers; i++) {
                const struct offer *o = &tr->s->offers[i];
                for (size_t at = node_leaf(o->node, tr->t);
                                tree_counts_offer(tr, o) && at != TOPOLOGY_NONE;
                                at = tr->t->list[at].parent) {
                        struct sum *sum = &tr->of[at];
                        /* the lightest offers come first */
                        if (sum->nodes++ < MAX(1u, tr->s->min_nodes))
                                sum->weight = MAX(sum->weight, o->node->weight);
                        sum->tasks += o->tasks;
                        gres_sums_add(&sum->gres, &o->gres);
                        sum->most = MAX(sum->most, o->tasks);
                        sum->required += o->required;
                }
        }
}

static bool switch_suffices(const struct tree *tr, const struct sum *sum, size_t nodes) {
        const struct search *s = tr->s;

        return sum->nodes >= nodes && sum->tasks >= s->num_tasks && sum->required == tr->required &&
               (uint64_t)sum->most * MIN(sum->nodes, (size_t)s->max_nodes) >= s->num_tasks &&
               gres_sums_do(&sum->gres, &s->total);
}

static bool is_nearer(const struct tree *tr, size_t a, size_t b) {
        const struct sum *x = &tr->of[a], *y = &tr->of[b];

        if (tr->t->list[a].level != tr->t->list[b].level)
                return tr->t->list[a].level < tr->t->list[b].level;
        return x->weight != y->weight ? x->weight < y->weight : x->nodes < y->nodes;
}

/* Returns the lowest switch with enough offers for `nodes` nodes; TOPOLOGY_NONE: none. */
static size_t switch_lowest(const struct tree *tr, size_t nodes) {
        size_t best = TOPOLOGY_NONE;

        for (size_t i = 0; i < tr->t->n; i++)
                if (switch_suffices(tr, &tr->of[i], nodes) &&
                                (best == TOPOLOGY_NONE || is_nearer(tr, i, best)))
                        best = i;
        return best;
}

static bool tree_find_nearest(struct tree *tr) {
        for (size_t i = 0; i < tr->s->n_offers; i++)
                tr->required += tr->s->offers[i].required;
        for (tr->distance = 0; tr->distance < NODE_POWER_MAX; tr->distance++)
                for (int victims = 0; victims < 1 + tr->s->stops; victims++) {
                        tr->victims = victims;
                        tree_add_up(tr);
                        if (switch_lowest(tr, tr->s->min_nodes) != TOPOLOGY_NONE)
                                return true;
                }
        return false;
}

static bool switch_is_below(const struct topology *t, size_t at, size_t top) {
        while (at != top && at != TOPOLOGY_NONE)
                at = t->list[at].parent;
        return at == top;
}

static int leaves_by_number(const void *a, const void *b) {
        const size_t *x = a, *y = b;

        return *x > *y ? -1 : *x < *y;
}

/* Returns the maximum number of nodes below top on so many leaves; leaves 0: no limit. */
static size_t on_leaves(const struct tree *tr, size_t top, size_t leaves) {
        _cleanup_free_ size_t *nodes = NULL;
        size_t n = 0, sum = 0;

        if (leaves == 0)
                return tr->of[top].nodes;
        nodes = xnew(size_t, tr->t->n);
        for (size_t i = 0; i < tr->t->n; i++)
                if (!tr->t->list[i].switches && tr->of[i].nodes && switch_is_below(tr->t, i, top))
                        nodes[n++] = tr->of[i].nodes;
        list_sort(nodes, n, sizeof nodes[0], leaves_by_number);
        for (size_t i = 0; i < MIN(n, leaves); i++)
                sum += nodes[i];
        return sum;
}

/* Returns the number of nodes to take. */
static size_t best_count(const struct tree *tr) {
        size_t least = tr->s->min_nodes, most = least;

        if (tr->s->want_nodes <= least)
                return least;
        for (size_t i = 0; i < tr->t->n; i++)
                if (switch_suffices(tr, &tr->of[i], least))
                        most = MAX(most, on_leaves(tr, i, tr->s->j->asked.switches));
        return MIN(most, (size_t)tr->s->want_nodes);
}

static bool leaf_is_better(const struct sum *a, const struct sum *b, size_t nodes, uint64_t tasks) {
        bool does = a->nodes >= nodes && a->tasks >= tasks;

        if (does != (b->nodes >= nodes && b->tasks >= tasks))
                return does;
        if (does)
                return a->nodes < b->nodes;
        return a->tasks > b->tasks || (a->tasks == b->tasks && a->nodes > b->nodes);
}

static size_t next_leaf(const struct tree *tr, size_t top, size_t nodes, uint64_t tasks) {
        size_t best = TOPOLOGY_NONE;

        for (size_t i = 0; i < tr->t->n; i++) {
                const struct sum *sum = &tr->of[i];
                if (tr->t->list[i].switches || sum->rank || !sum->nodes ||
                                !switch_is_below(tr->t, i, top))
                        continue;
                if (sum->required)
                        return i;
                if (best == TOPOLOGY_NONE || leaf_is_better(sum, &tr->of[best], nodes, tasks))
                        best = i;
        }
        return best;
}

/* Ranks leaves until there are enough nodes; leaves without a rank, which --gpus may need, stay in
   order. Returns the number of ranked leaves. */
static size_t rank_leaves(struct tree *tr, size_t top, size_t nodes) {
        uint64_t tasks = tr->s->num_tasks;
        size_t rank = 0, required = 0;

        for (size_t i = 0; i < tr->t->n; i++)
                tr->of[i].rank = 0;
        while (nodes || tasks || required < tr->required) {
                size_t at = next_leaf(tr, top, nodes, tasks);
                if (at == TOPOLOGY_NONE)
                        break;
                tr->of[at].rank = ++rank;
                nodes -= MIN(nodes, tr->of[at].nodes);
                tasks -= MIN(tasks, tr->of[at].tasks);
                required += tr->of[at].required;
        }
        return rank;
}

static int by_rank(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->required != y->required)
                return x->required ? -1 : 1;
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

/* Keeps the considered offers below top; ranked: only offers on ranked leaves. */
static void tree_keep_offers(struct tree *tr, size_t top, bool ranked) {
        struct search *s = tr->s;
        size_t kept = 0;

        for (size_t i = 0; i < s->n_offers; i++) {
                struct offer *o = &s->offers[i];
                size_t leaf = node_leaf(o->node, tr->t);
                if (!tree_counts_offer(tr, o) || !switch_is_below(tr->t, leaf, top))
                        continue;
                size_t rank = tr->of[leaf].rank;
                if (ranked && !rank)
                        continue;
                o->rank = rank ? rank : SIZE_MAX;
                o->at = i;
                s->offers[kept++] = *o;
        }
        s->n_offers = kept;
        list_sort(s->offers, kept, sizeof s->offers[0], by_rank);
}

bool place_by_switch(struct search *s) {
        _cleanup_free_ struct sum *of = xnew0(struct sum, s->tree->n);
        struct tree tr = { .s = s, .t = s->tree, .of = of };

        if (s->n_offers == 0 || !tree_find_nearest(&tr))
                return false;
        const uint32_t leaves = s->j->asked.switches;
        size_t nodes = best_count(&tr), top = switch_lowest(&tr, nodes), ranks = 0;
        if (top != TOPOLOGY_NONE)
                ranks = rank_leaves(&tr, top, nodes);
        if (top == TOPOLOGY_NONE || (leaves && ranks > leaves && nodes > s->min_nodes)) {
                top = switch_lowest(&tr, s->min_nodes);
                ranks = rank_leaves(&tr, top, s->min_nodes);
        }
        tree_keep_offers(&tr, top, leaves && ranks <= leaves && !s->total.n);
        return true;
}

uint32_t place_count_switches(const struct search *s, size_t n) {
        _cleanup_free_ bool *has = xnew0(bool, s->tree->n);
        uint32_t count = 0;

        for (size_t i = 0; i < n; i++) {
                bool *leaf = &has[node_leaf(s->offers[i].node, s->tree)];
                count += !*leaf;
                *leaf = true;
        }
        return count;
}
