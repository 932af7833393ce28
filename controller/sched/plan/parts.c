/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/sched/plan/parts.h"

#include "controller/indexes/node_sharing.h"
#include "controller/model/spec.h"
#include "controller/reservations/reservation.h"

struct part {
        struct bitset *units;
        uint32_t *of; /* reservations of the units, as indexes in cluster.resvs */
        size_t n_of, a_of;
};

struct split {
        size_t node, first; /* first: index of the second part */
        size_t n;
        struct part *parts;
};

struct parts {
        size_t n_nodes, bits;
        struct bitset *split;
        struct split *list; /* sorted by node */
        size_t n, allocated;
        uint32_t *owner; /* the node of each part beyond the first parts */
        size_t a_owners;
};

/* ---- making parts ---- */

static struct part *add_part(struct split *s, struct bitset *units) {
        s->parts = xrenew(s->parts, s->n + 1);
        s->parts[s->n] = (struct part){ .units = units };
        return &s->parts[s->n++];
}

static void note_owner(struct part *p, uint32_t resv) {
        GROW(p->of, p->a_of, p->n_of);
        p->of[p->n_of++] = resv;
}

/* Splits each part in two of which a reservation has some units, but not all. */
static void split_by_resv(struct split *s, uint32_t resv, const struct bitset *its) {
        for (size_t k = 0, n = s->n; k < n; k++) {
                if (!bitset_overlaps(s->parts[k].units, its))
                        continue;
                if (!bitset_contains(its, s->parts[k].units)) {
                        struct part *others = add_part(s, bitset_copy(s->parts[k].units));
                        bitset_minus(others->units, its);
                        bitset_and(s->parts[k].units, its);
                        for (size_t i = 0; i < s->parts[k].n_of; i++)
                                note_owner(others, s->parts[k].of[i]);
                }
                note_owner(&s->parts[k], resv);
        }
}

static void split_done(struct split *s) {
        for (size_t k = 0; k < s->n; k++) {
                bitset_free(s->parts[k].units);
                free(s->parts[k].of);
        }
        free(s->parts);
}

static void add_split(struct parts *p, const struct cluster *c, size_t node) {
        struct split s = { .node = node, .first = p->bits };
        struct bitset *all = bitset_new(c->nodes[node]->units);

        _cleanup_(bitset_freep) struct bitset *kept = bitset_new(all->bits);

        bitset_fill(all);
        node_add_spec(c->nodes[node], kept);
        bitset_minus(all, kept);
        (void)add_part(&s, all);
        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct bitset *its = resv_cores_on(c->resvs.list[i], node);
                if (its)
                        split_by_resv(&s, (uint32_t)i, its);
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
        bitset_for_each(i, nodes)
                add_split(p, c, i);
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

static const struct split *split_find(const struct parts *p, size_t node) {
        return bitset_has(p->split, node) ? &p->list[FIRST_NOT(p->n, i, p->list[i].node < node)]
                                          : NULL;
}

size_t parts_of(const struct parts *p, size_t node) {
        const struct split *s = split_find(p, node);

        return s ? s->n : 1;
}

static size_t split_part_index(const struct split *s, size_t k) {
        return k ? s->first + k - 1 : s->node;
}

size_t parts_at(const struct parts *p, size_t node, size_t k) {
        return k ? split_part_index(split_find(p, node), k) : node;
}

const struct bitset *parts_units(const struct parts *p, size_t node, size_t k) {
        return split_find(p, node)->parts[k].units;
}

/* ---- the parts of a job ---- */

/* Returns whether j uses no more of a node than its cores, gres and memory. */
static bool keeps_to_cores(const struct cluster *c, const struct job *j) {
        return !keeps_to_its_own(c, j) && !place_wants_whole(c, j) &&
               !(partition_select(c, j->partition) & CR_SOCKET) &&
               j->partition->max_cpus_per_node == UINT32_MAX;
}

/* Returns whether parts may be kept from the job. Else the job has all parts: place() decides
   what reservations leave of the node. */
static bool goes_by_parts(const struct part_wish *w) {
        return w->numbers || (!w->j->needs.gres_wants && keeps_to_cores(w->c, w->j));
}

/* Returns whether j must use the cores of its own reservation, and p has none of these. */
static bool is_foreign(const struct cluster *c, const struct job *j, const struct part *p) {
        if (!resv_binds(j) || !j->placed.resv->n_cores)
                return false;
        for (size_t i = 0; i < p->n_of; i++)
                if (c->resvs.list[p->of[i]] == j->placed.resv)
                        return false;
        return true;
}

#define ASKED 8 /* the work of checking a reservation; checking a part is 1 */

/* Returns the reservations that keep the job off their cores; each is checked once, however many
   nodes it has. */
static struct bitset *keeping_off(const struct part_wish *w) {
        const struct cluster *c = w->c;
        struct bitset *ret = bitset_new(c->resvs.n);
        const usec_t until = resv_until(w->j, w->from, w->until);

        for (size_t i = 0; i < c->resvs.n; i++)
                if (c->resvs.list[i]->n_cores &&
                                resv_keeps_off(c->resvs.list[i], w->j, w->from, until))
                        bitset_add(ret, i);
        *w->work += ASKED * c->resvs.n;
        return ret;
}

static void add_wanted(const struct split *s, const struct part_wish *w, const struct bitset *off,
                struct bitset *ret) {
        for (size_t k = 0; k < s->n; k++) {
                const struct part *p = &s->parts[k];
                bool kept = is_foreign(w->c, w->j, p);
                for (size_t i = 0; i < p->n_of && !kept; i++, ++*w->work)
                        kept = bitset_has(off, p->of[i]);
                bitset_put(ret, split_part_index(s, k), !kept);
        }
}

static void add_all(const struct split *s, struct bitset *ret) {
        for (size_t k = 0; k < s->n; k++)
                bitset_add(ret, split_part_index(s, k));
}

/* Sets to to the first bits of from, for nodes; the rest is cleared. */
static void parts_copy_nodes(struct bitset *to, const struct bitset *from, size_t nodes) {
        size_t words = (nodes + 63) / 64;

        bitset_clear(to);
        memcpy(to->word, from->word, words * sizeof to->word[0]);
        if (nodes % 64)
                to->word[words - 1] &= (UINT64_C(1) << nodes % 64) - 1;
}

void parts_wanted(const struct parts *p, const struct part_wish *w, const struct bitset *nodes,
                struct bitset *ret) {
        _cleanup_(bitset_freep) struct bitset *off = NULL;

        parts_copy_nodes(ret, nodes, p->n_nodes);
        if (!bitset_overlaps(nodes, p->split))
                return;
        if (goes_by_parts(w))
                off = keeping_off(w);
        *w->work += p->bits - p->n_nodes;
        for (size_t i = 0; i < p->n; i++) {
                if (!bitset_has(nodes, p->list[i].node))
                        continue;
                if (off)
                        add_wanted(&p->list[i], w, off, ret);
                else
                        add_all(&p->list[i], ret);
        }
}

static const struct part *split_part(const struct parts *p, const struct split *s, size_t part) {
        return &s->parts[part < p->n_nodes ? 0 : part - s->first + 1];
}

bool parts_is_wanted(const struct parts *p, const struct part_wish *w, const struct node *n,
                size_t part) {
        const struct split *s = split_find(p, n->index);

        if (!s || !goes_by_parts(w))
                return true;
        const struct part *it = split_part(p, s, part);
        const usec_t until = resv_until(w->j, w->from, w->until);
        bool kept = is_foreign(w->c, w->j, it);
        for (size_t i = 0; i < it->n_of && !kept; i++, *w->work += ASKED)
                kept = resv_keeps_off(w->c->resvs.list[it->of[i]], w->j, w->from, until);
        return !kept;
}

void parts_placed(const struct parts *p, const struct placement *where, struct bitset *ret) {
        parts_copy_nodes(ret, where->nodes, p->n_nodes);
        for (size_t i = 0; i < where->n_alloc; i++) {
                const struct job_node *jn = &where->alloc[i];
                const struct split *s = split_find(p, jn->node->index);
                for (size_t k = 0; s && k < s->n; k++)
                        bitset_put(ret, split_part_index(s, k),
                                        bitset_parts_overlap(s->parts[k].units, 0, where->units,
                                                        jn->units_at, jn->node->units));
        }
}

bool parts_held(const struct parts *p, const struct cluster *c, const struct job *j,
                const struct node *n, size_t part) {
        const struct split *s = split_find(p, n->index);
        const struct job_node *jn = s ? job_node_find(j, n) : NULL;

        if (!jn || jn->done || !j->placed.units || !keeps_to_cores(c, j))
                return true;
        return job_meets(j, jn, split_part(p, s, part)->units, 0);
}

void parts_nodes(const struct parts *p, const struct bitset *wanted, const struct bitset *free,
                struct bitset *ret) {
        parts_copy_nodes(ret, free, p->n_nodes);
        for (size_t i = 0; i < p->n; i++) {
                const struct split *s = &p->list[i];
                bool some = false, all = true;
                for (size_t k = 0; k < s->n; k++) {
                        some |= bitset_has(wanted, split_part_index(s, k));
                        all &= bitset_has(wanted, split_part_index(s, k)) ==
                               bitset_has(free, split_part_index(s, k));
                }
                bitset_put(ret, s->node, some && all);
        }
}
