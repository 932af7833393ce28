/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reservations of cores (CoreCnt): the cores of each node, and the jobs kept off the cores.
 *
 * Cores are chosen when the reservation is created: free cores, the lowest first, as CoreCnt says;
 * FIRST_CORES: the lowest cores or none.  Later the cores stay the same.  The nodes remain in
 * service for all jobs, which can use the remaining cores: place() asks for the kept cores of each
 * examined node (resv_kept_block()), while resv_filter() skips reservations of cores. */
#include "controller/model/spec.h"
#include "controller/reservations/reservation.h"
#include "controller/reservations/reservation_private.h"

/* ---- the reserved cores ---- */

const struct bitset *resv_cores_on(const struct resv *r, size_t node) {
        size_t at = FIRST_NOT(r->n_cores, i, r->cores[i].index < node);

        return at < r->n_cores && r->cores[at].index == node ? r->cores[at].units : NULL;
}

static void resv_add_cores(struct resv *r, const struct node *n, struct bitset *units) {
        size_t at = FIRST_NOT(r->n_cores, i, r->cores[i].index < n->index);

        r->cores = xrenew(r->cores, r->n_cores + 1);
        memmove(&r->cores[at + 1], &r->cores[at], (r->n_cores++ - at) * sizeof r->cores[0]);
        r->cores[at] = (struct resv_cores){ xstrdup(n->name), n->index, units };
}

void resv_cores_add(const struct cluster *c, struct resv *r, const char *node, const char *text) {
        const struct node *n = cluster_node(c, node);
        struct bitset *units = n ? bitset_new(n->units) : NULL;

        if (n && bitset_parse(units, text) >= 0 && !bitset_empty(units) &&
                        !resv_cores_on(r, n->index))
                resv_add_cores(r, n, units);
        else
                bitset_free(units);
}

void resv_cores_free(struct resv *r) {
        for (size_t i = 0; i < r->n_cores; i++) {
                free(r->cores[i].node);
                bitset_free(r->cores[i].units);
        }
        free(TAKE(r->cores));
        r->n_cores = 0;
}

void resv_cores_copy(struct resv *to, const struct resv *from) {
        to->cores = NULL;
        to->n_cores = 0;
        for (size_t i = 0; i < from->n_cores; i++) {
                to->cores = xrenew(to->cores, to->n_cores + 1);
                to->cores[to->n_cores++] = (struct resv_cores){ xstrdup(from->cores[i].node),
                        from->cores[i].index, bitset_copy(from->cores[i].units) };
        }
}

/* The units of n have changed: reserves as many units, as far as n has them. */
static struct bitset *units_fitted_to_node(const struct node *n, const struct bitset *units) {
        struct bitset *now;

        if (units->bits == n->units)
                return bitset_copy(units);
        now = bitset_new(n->units);
        bitset_add_range(now, 0, MIN(bitset_count(units), (size_t)n->units));
        return now;
}

void resv_cores_rebind(const struct cluster *c, struct resv *r) {
        struct resv old = { .cores = TAKE(r->cores), .n_cores = r->n_cores };

        r->n_cores = 0;
        for (size_t i = 0; i < old.n_cores; i++) {
                const struct node *n = cluster_node(c, old.cores[i].node);
                if (n)
                        resv_add_cores(r, n, units_fitted_to_node(n, old.cores[i].units));
        }
        resv_cores_free(&old);
}

/* ---- jobs kept off the cores ---- */

static void add_others(const struct bitset *mine, struct bitset *set) {
        for (size_t i = 0; i < set->bits; i++)
                if (!mine || !bitset_has(mine, i))
                        bitset_add(set, i);
}

struct kept {
        const struct bitset *units;
        uint32_t next; /* next entry of the node */
};

struct resv_kept {
        const struct resv *own; /* j must use the cores of this reservation; NULL: of none */
        /* per node: the first entry in list, counted from 1; 0: none */
        uint32_t *first;
        struct kept *list;
        size_t n, allocated;
};

static void resv_keep_cores(struct resv_kept *k, const struct resv *r) {
        for (size_t i = 0; i < r->n_cores; i++) {
                uint32_t *first = &k->first[r->cores[i].index];
                GROW(k->list, k->allocated, k->n);
                k->list[k->n++] = (struct kept){ r->cores[i].units, *first };
                *first = (uint32_t)k->n;
        }
}

struct resv_kept *resv_kept_new(const struct cluster *c, const struct job *j, usec_t from,
                usec_t until, bool always) {
        struct resv_kept *k = xnew0(struct resv_kept, 1);

        if (j->placed.resv && j->placed.resv->n_cores && resv_binds(j))
                k->own = j->placed.resv;
        if (always)
                return k;
        k->first = xnew0(uint32_t, c->n_nodes);
        until = resv_until(j, from, until);
        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *r = c->resvs.list[i];
                if (r->n_cores && resv_keeps_off(r, j, from, until))
                        resv_keep_cores(k, r);
        }
        return k;
}

struct resv_kept *resv_kept_free(struct resv_kept *k) {
        if (!k)
                return NULL;
        free(k->first);
        free(k->list);
        free(k);
        return NULL;
}

void resv_kept_block(const struct resv_kept *k, const struct node *n, struct bitset *set) {
        if (k->own)
                add_others(resv_cores_on(k->own, n->index), set);
        for (uint32_t at = k->first ? k->first[n->index] : 0; at; at = k->list[at - 1].next)
                bitset_or(set, k->list[at - 1].units);
}

/* ---- choosing ---- */

bool resv_cores_overlap(const struct resv *a, const struct resv *b) {
        for (size_t i = 0; i < a->n_cores; i++) {
                const struct bitset *its = resv_cores_on(b, a->cores[i].index);
                if (its && bitset_overlaps(its, a->cores[i].units))
                        return true;
        }
        return false;
}

/* Adds the units of n that s->r cannot have: units of further reservations, and of jobs that run
   beyond the start. */
static void resv_add_taken_units(const struct resv_search *s, const struct node *n, bool jobs,
                struct bitset *set) {
        for (size_t i = 0; i < s->c->resvs.n; i++) {
                const struct resv *of = s->c->resvs.list[i];
                const struct bitset *its = of->n_cores ? resv_cores_on(of, n->index) : NULL;
                if (its && resv_search_meets(s, of))
                        bitset_or(set, its);
        }
        for (size_t i = 0; i < n->n_jobs && jobs; i++) {
                const struct job *j = n->jobs[i];
                const struct job_node *jn = job_node_find(j, n);
                if (jn && !jn->done && resv_search_until(s, j) > MAX(s->r->start, s->now))
                        job_add_units(j, jn, set);
        }
}

/* Adds the lowest units that are not taken, up to most. */
static void units_fill_lowest(const struct bitset *taken, uint32_t most, struct bitset *units) {
        for (size_t u = 0; u < units->bits && bitset_count(units) < most; u++)
                if (!bitset_has(taken, u))
                        bitset_add(units, u);
}

static void resv_pick_units(const struct resv_search *s, const struct node *n, bool jobs,
                uint32_t most, struct bitset *units) {
        _cleanup_(bitset_freep) struct bitset *taken = bitset_new(n->units);

        resv_add_taken_units(s, n, jobs, taken);
        node_add_spec(n, taken);
        if (s->r->flags & RESV_FIRST_CORES)
                most = (uint32_t)MIN((size_t)most, bitset_next(taken, 0));
        units_fill_lowest(taken, most, units);
}

/* Chooses between least and most units of n; with IGNORE_JOBS even units of jobs.  NULL: too few;
   the caller frees. */
static struct bitset *resv_choose_units(const struct resv_search *s, const struct node *n,
                uint32_t least, uint32_t most) {
        _cleanup_(bitset_freep) struct bitset *units = bitset_new(n->units);

        resv_pick_units(s, n, true, most, units);
        if (s->r->flags & RESV_IGNORE_JOBS)
                resv_pick_units(s, n, false, most, units);
        return bitset_count(units) >= MAX(least, 1u) ? TAKE(units) : NULL;
}

static uint32_t resv_cores_asked(const struct resv_count *count, const struct node *n,
                uint32_t asked) {
        return count->cpus ? (uint32_t)DIV_ROUND_UP(asked, n->cpus_per_unit) : asked;
}

static enum slumber_error not_consistent(const struct resv_count *count, size_t nodes,
                struct fail *fail) {
        fail_set(fail, -EINVAL, "%s: %zu number%s for %zu node%s",
                        slumber_error_text(SLUMBER_BAD_CORE_COUNT), count->n,
                        count->n == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s");
        return SLUMBER_BAD_CORE_COUNT;
}

static enum slumber_error on_named(const struct resv_search *s, struct resv *draft,
                const struct resv_count *count, struct fail *fail) {
        size_t at = 0;

        if (count->n != bitset_count(draft->nodes))
                return not_consistent(count, bitset_count(draft->nodes), fail);
        if (bitset_overlaps(s->taken, draft->nodes))
                return SLUMBER_RESERVATION_OVERLAP;
        bitset_for_each(i, draft->nodes) {
                const struct node *n = s->c->nodes[i];
                uint32_t want = resv_cores_asked(count, n, count->list[at++]);
                struct bitset *units = resv_choose_units(s, n, want, want);
                if (!units) {
                        fail_set(fail, -EBUSY,
                                        "%s: node %s does not have %u cores free at that time",
                                        slumber_error_text(SLUMBER_NODES_BUSY), n->name, want);
                        return SLUMBER_NODES_BUSY;
                }
                resv_add_cores(draft, n, units);
        }
        return SLUMBER_OK;
}

/* The share of the next node in the remaining cores: an exact share, or (node_count 0: as few nodes
   as possible) up to all. */
struct share {
        uint32_t want; /* in the unit of CoreCnt */
        uint32_t least, most;
};

static struct share next_share(const struct resv *draft, const struct resv_count *count,
                const struct node *n, uint64_t left) {
        uint32_t want = (uint32_t)MIN(left, (uint64_t)UINT32_MAX);

        if (!draft->node_count)
                return (struct share){ want, 1, resv_cores_asked(count, n, want) };
        if (count->n > 1)
                want = count->list[draft->n_cores];
        else
                want = (uint32_t)DIV_ROUND_UP(left, draft->node_count - draft->n_cores);
        return (struct share){ want, resv_cores_asked(count, n, want),
                resv_cores_asked(count, n, want) };
}

static void add_from(const struct resv_search *s, const struct partition *p, bool busy,
                const struct resv_count *count, uint64_t *left, struct resv *draft) {
        for (size_t w = 0; w < s->c->n_weights; w++)
                bitset_for_each(i, s->c->weights[w]) {
                        const struct node *n = s->c->nodes[i];
                        if (*left == 0)
                                return;
                        if (!bitset_has(p->nodes, i) || busy != (n->n_jobs > 0) ||
                                        !resv_search_suits(s, n) || resv_cores_on(draft, i))
                                continue;
                        struct share share = next_share(draft, count, n, *left);
                        struct bitset *units = resv_choose_units(s, n, share.least, share.most);
                        if (!units)
                                continue;
                        uint64_t has = (uint64_t)bitset_count(units) *
                                       (count->cpus ? n->cpus_per_unit : 1);
                        resv_add_cores(draft, n, units);
                        *left -= MIN((uint64_t)share.want, has);
                }
}

static enum slumber_error on_any(const struct resv_search *s, struct resv *draft,
                const struct resv_count *count, struct fail *fail) {
        const struct cluster *c = s->c;
        const struct partition *p = draft->partition ? cluster_partition(c, draft->partition)
                                                     : cluster_default_partition(c);
        uint64_t all = 0, left;

        if (!p)
                return SLUMBER_BAD_PARTITION;
        for (size_t i = 0; i < count->n; i++)
                all += count->list[i];
        if ((count->n > 1 && count->n != draft->node_count) || all < draft->node_count)
                return not_consistent(count, draft->node_count, fail);
        free_and_strdup(&draft->partition, p->name);
        left = all;
        for (int busy = 0; busy <= 1; busy++)
                add_from(s, p, busy, count, &left, draft);
        for (size_t i = 0; i < draft->n_cores; i++)
                bitset_add(draft->nodes, draft->cores[i].index);
        if (left == 0)
                return SLUMBER_OK;
        fail_set(fail, -EBUSY, "%s: only %llu of %llu %s of partition %s are free at that time",
                        slumber_error_text(SLUMBER_NODES_BUSY), (unsigned long long)(all - left),
                        (unsigned long long)all, count->cpus ? "CPUs" : "cores", p->name);
        return SLUMBER_NODES_BUSY;
}

enum slumber_error resv_pick_cores(const struct cluster *c, struct resv *draft,
                const struct resv_count *count, usec_t now, struct fail *fail) {
        struct resv_search s = { .c = c, .r = draft, .now = now, .cores = true };
        enum slumber_error e;

        resv_search_begin(&s);
        e = bitset_empty(draft->nodes) ? on_any(&s, draft, count, fail)
                                       : on_named(&s, draft, count, fail);
        resv_search_done(&s);
        draft->node_count = 0; /* the chosen nodes stay */
        return e;
}
