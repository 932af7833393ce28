/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/sched/parts.h"

#include "controller/sched/place.h"

struct split {
        size_t node, first; /* first: the number of its second part */
        size_t n;
        struct bitset **units; /* of each */
};

struct parts {
        size_t n_nodes, bits;
        struct bitset *split;
        struct split *list; /* in order of their nodes */
        size_t n, allocated;
        uint32_t *owner; /* of each part behind all nodes */
        size_t a_owners;
};

/* ---- which there are ---- */

static void add_part(struct split *s, struct bitset *units) {
        s->units = xrenew(s->units, s->n + 1);
        s->units[s->n++] = units;
}

/* Each part that of has some of, but not all, becomes two. */
static void cut(struct split *s, const struct bitset *of) {
        for (size_t k = 0, n = s->n; k < n; k++) {
                if (!bitset_overlaps(s->units[k], of) || bitset_contains(of, s->units[k]))
                        continue;
                struct bitset *others = bitset_copy(s->units[k]);
                bitset_minus(others, of);
                bitset_and(s->units[k], of);
                add_part(s, others);
        }
}

static void split_done(struct split *s) {
        for (size_t k = 0; k < s->n; k++)
                bitset_free(s->units[k]);
        free(s->units);
}

static void add_split(struct parts *p, const struct cluster *c, size_t node) {
        struct split s = { .node = node, .first = p->bits };
        struct bitset *all = bitset_new(c->nodes[node]->units);

        bitset_fill(all);
        add_part(&s, all);
        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct bitset *its = resv_cores_on(c->resvs.list[i], node);
                if (its)
                        cut(&s, its);
        }
        if (s.n == 1) {
                split_done(&s);
                return;
        }
        for (size_t k = 1; k < s.n; k++, p->bits++) {
                GROW(p->owner, p->a_owners, p->bits - p->n_nodes);
                p->owner[p->bits - p->n_nodes] = (uint32_t)node;
        }
        bitset_add(p->split, node);
        GROW(p->list, p->allocated, p->n);
        p->list[p->n++] = s;
}

struct parts *parts_new(const struct cluster *c) {
        struct parts *p = xnew0(struct parts, 1);
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);

        p->n_nodes = p->bits = c->n_nodes;
        p->split = bitset_new(c->n_nodes);
        for (size_t i = 0; i < c->resvs.n; i++)
                for (size_t k = 0; k < c->resvs.list[i]->n_cores; k++)
                        bitset_add(nodes, c->resvs.list[i]->cores[k].index);
        bitset_for_each(i, nodes) add_split(p, c, i);
        return p;
}

struct parts *parts_free(struct parts *p) {
        if (!p)
                return NULL;
        for (size_t i = 0; i < p->n; i++)
                split_done(&p->list[i]);
        free(p->list);
        free(p->owner);
        bitset_free(p->split);
        free(p);
        return NULL;
}

size_t parts_bits(const struct parts *p) {
        return p->bits;
}

const struct bitset *parts_split(const struct parts *p) {
        return p->split;
}

size_t parts_node(const struct parts *p, size_t part) {
        return part < p->n_nodes ? part : p->owner[part - p->n_nodes];
}

static const struct split *find(const struct parts *p, size_t node) {
        return bitset_has(p->split, node) ? &p->list[FIRST_NOT(p->n, i, p->list[i].node < node)] : NULL;
}

size_t parts_of(const struct parts *p, size_t node) {
        const struct split *s = find(p, node);

        return s ? s->n : 1;
}

static size_t number(const struct split *s, size_t k) {
        return k ? s->first + k - 1 : s->node;
}

size_t parts_at(const struct parts *p, size_t node, size_t k) {
        return k ? number(find(p, node), k) : node;
}

/* ---- whose they are ---- */

/* It takes no more of a node than its cores, gres and its memory. */
static bool keeps_to_cores(const struct cluster *c, const struct job *j) {
        return !c->keeps_company && !place_wants_whole(c, j) && !(partition_select(c, j->partition) & CR_SOCKET) &&
               j->partition->max_cpus_per_node == UINT32_MAX;
}

/* Units that j is kept off; none, if it takes more than cores. */
static struct bitset *blocked_for(const struct cluster *c, const struct job *j, const struct node *n, usec_t from, usec_t until) {
        struct bitset *blocked = bitset_new(n->units);

        if (!j->gres_wants && keeps_to_cores(c, j))
                resv_block_cores(c, j, n, from, until, false, blocked);
        return blocked;
}

static void add_wanted(const struct split *s, const struct cluster *c, const struct job *j, usec_t from, usec_t until, struct bitset *ret) {
        _cleanup_(bitset_freep) struct bitset *blocked = blocked_for(c, j, c->nodes[s->node], from, until);

        for (size_t k = 0; k < s->n; k++)
                bitset_put(ret, number(s, k), !bitset_contains(blocked, s->units[k]));
}

/* The first words of from, as far as to has bits. */
static void copy_nodes(struct bitset *to, const struct bitset *from, size_t nodes) {
        size_t words = (nodes + 63) / 64;

        bitset_clear(to);
        memcpy(to->word, from->word, words * sizeof to->word[0]);
        if (nodes % 64)
                to->word[words - 1] &= (UINT64_C(1) << nodes % 64) - 1;
}

void parts_wanted(const struct parts *p, const struct cluster *c, const struct job *j, const struct bitset *nodes, usec_t from,
                usec_t until, struct bitset *ret) {
        copy_nodes(ret, nodes, p->n_nodes);
        for (size_t i = 0; i < p->n; i++)
                if (bitset_has(nodes, p->list[i].node))
                        add_wanted(&p->list[i], c, j, from, until, ret);
}

static const struct bitset *units_of(const struct parts *p, const struct split *s, size_t part) {
        return s->units[part < p->n_nodes ? 0 : part - s->first + 1];
}

bool parts_is_wanted(const struct parts *p, const struct cluster *c, const struct job *j, const struct node *n, size_t part, usec_t from,
                usec_t until) {
        const struct split *s = find(p, n->index);
        _cleanup_(bitset_freep) struct bitset *blocked = s ? blocked_for(c, j, n, from, until) : NULL;

        return !s || !bitset_contains(blocked, units_of(p, s, part));
}

bool parts_held(const struct parts *p, const struct cluster *c, const struct job *j, const struct node *n, size_t part) {
        const struct split *s = find(p, n->index);
        const struct job_node *jn = s ? job_node_find(j, n) : NULL;

        if (!jn || jn->done || !j->units || !keeps_to_cores(c, j))
                return true;
        bitset_for_each(u, units_of(p, s, part)) if (bitset_has(j->units, jn->units_at + u)) return true;
        return false;
}

void parts_nodes(const struct parts *p, const struct bitset *wanted, const struct bitset *free, struct bitset *ret) {
        copy_nodes(ret, free, p->n_nodes);
        for (size_t i = 0; i < p->n; i++) {
                const struct split *s = &p->list[i];
                bool some = false, all = true;
                for (size_t k = 0; k < s->n; k++) {
                        some |= bitset_has(wanted, number(s, k));
                        all &= bitset_has(wanted, number(s, k)) == bitset_has(free, number(s, k));
                }
                bitset_put(ret, s->node, some && all);
        }
}
