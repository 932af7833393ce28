/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the nodes of a reservation: named nodes, or a number of nodes of a partition that are
 * free by the start; and replaces nodes of the latter kind that go out of service, or (REPLACE)
 * that jobs use. */
#include "controller/reservations/reservation_private.h"

#include "controller/reservations/reservation.h"

bool resv_search_meets(const struct resv_search *s, const struct resv *of) {
        const unsigned above = RESV_MAINT | RESV_OVERLAP;

        return of != s->r && of != s->old && !(s->r->flags & above) && !(of->flags & above) &&
               resv_overlap(s->r, of);
}

/* Nodes under maintenance may be named, but are not chosen. */
static bool meets_maint(const struct resv_search *s, const struct resv *of) {
        return of != s->r && of != s->old && of->flags & RESV_MAINT &&
               !(s->r->flags & (RESV_MAINT | RESV_OVERLAP)) && resv_overlap(s->r, of);
}

void resv_search_begin(struct resv_search *s) {
        s->taken = bitset_new(s->c->n_nodes);
        s->maint = bitset_new(s->c->n_nodes);
        if (s->r->features)
                (void)features_parse(s->r->features, &s->features, NULL);
        for (size_t i = 0; i < s->c->resvs.n; i++) {
                const struct resv *of = s->c->resvs.list[i];
                if (!(s->cores && of->n_cores) && resv_search_meets(s, of))
                        bitset_or(s->taken, of->nodes);
                if (meets_maint(s, of))
                        bitset_or(s->maint, of->nodes);
        }
}

void resv_search_done(struct resv_search *s) {
        bitset_free(s->taken);
        bitset_free(s->maint);
        features_free(s->features);
}

usec_t resv_search_until(const struct resv_search *s, const struct job *j) {
        usec_t ran = job_run_time(j, s->now);

        if (s->old && j->placed.resv == s->old)
                return 0;
        return j->completing ? s->now
               : j->needs.time_limit == NO_LIMIT
                               ? USEC_INFINITY
                               : s->now + (j->needs.time_limit > ran ? j->needs.time_limit - ran
                                                                     : 0);
}

/* Returns when the running jobs will have left n, without jobs of the reservation. */
static usec_t node_busy_until(const struct resv_search *s, const struct node *n) {
        usec_t until = 0;

        for (size_t i = 0; i < n->n_jobs; i++)
                until = MAX(until, resv_search_until(s, n->jobs[i]));
        return until;
}

static bool ignores_jobs(const struct resv_search *s, const struct node *n) {
        return s->r->flags & RESV_IGNORE_JOBS || (s->old && bitset_has(s->old->nodes, n->index)) ||
               node_busy_until(s, n) <= MAX(s->r->start, s->now);
}

static bool resv_node_out_of_service(const struct node *n) {
        return n->base == NODE_DOWN || n->base == NODE_FUTURE ||
               n->flags & (NODE_DRAIN | NODE_FAIL);
}

bool resv_search_suits(const struct resv_search *s, const struct node *n) {
        return !bitset_has(s->taken, n->index) && !bitset_has(s->maint, n->index) &&
               !resv_node_out_of_service(n) && features_match(s->features, n, FEATURES_EVER);
}

static bool resv_could_have_node(const struct resv_search *s, const struct node *n) {
        return resv_search_suits(s, n) && ignores_jobs(s, n);
}

static bool cores_are_taken(const struct resv_search *s) {
        for (size_t i = 0; s->cores && i < s->c->resvs.n; i++)
                if (resv_cores_overlap(s->r, s->c->resvs.list[i]) &&
                                resv_search_meets(s, s->c->resvs.list[i]))
                        return true;
        return false;
}

enum slumber_error resv_check_named(const struct cluster *c, const struct resv *draft,
                const struct resv *old, usec_t now, struct fail *fail) {
        struct resv_search s = {
                .c = c,
                .r = draft,
                .old = old,
                .now = now,
                .cores = draft->n_cores > 0,
        };
        enum slumber_error e = SLUMBER_OK;

        if (bitset_empty(draft->nodes) && draft->flags & RESV_ANY_NODES)
                return SLUMBER_OK;
        if (bitset_empty(draft->nodes)) {
                fail_set(fail, -EINVAL, "Nodes or NodeCnt must be given");
                return SLUMBER_BAD_NODE_COUNT;
        }
        resv_search_begin(&s);
        if (bitset_overlaps(s.taken, draft->nodes) || cores_are_taken(&s))
                e = SLUMBER_RESERVATION_OVERLAP;
        else
                bitset_for_each(i, draft->nodes)
                        if (!ignores_jobs(&s, c->nodes[i]))
                                e = SLUMBER_NODES_BUSY;
        resv_search_done(&s);
        return e;
}

/* Adds up to `left` nodes of p, light nodes first; returns the number still missing. */
static size_t resv_add_nodes(const struct resv_search *s, const struct partition *p, int busy,
                size_t left, struct bitset *nodes) {
        for (size_t w = 0; w < s->c->n_weights; w++)
                bitset_for_each(i, s->c->weights[w]) {
                        const struct node *n = s->c->nodes[i];
                        bool kept = s->old && bitset_has(s->old->nodes, i);
                        if (left == 0)
                                return 0;
                        if (bitset_has(p->nodes, i) && !bitset_has(nodes, i) &&
                                        (busy < 0 ? kept : busy == (n->n_jobs > 0)) &&
                                        resv_could_have_node(s, n)) {
                                bitset_add(nodes, i);
                                left--;
                        }
                }
        return left;
}

enum slumber_error resv_pick(const struct cluster *c, struct resv *draft, const struct resv *old,
                usec_t now, struct fail *fail) {
        const struct partition *p = draft->partition ? cluster_partition(c, draft->partition)
                                                     : cluster_default_partition(c);
        struct resv_search s = { .c = c, .r = draft, .old = old, .now = now };
        size_t left = draft->node_count;

        if (!p)
                return SLUMBER_BAD_PARTITION;
        free_and_strdup(&draft->partition, p->name);
        resv_search_begin(&s);
        bitset_clear(draft->nodes);
        for (int busy = -1; busy <= 1; busy++)
                left = resv_add_nodes(&s, p, busy, left, draft->nodes);
        resv_search_done(&s);
        if (left == 0)
                return SLUMBER_OK;
        fail_set(fail, -EBUSY, "%s: only %zu of %u nodes of partition %s are free at that time",
                        slumber_error_text(SLUMBER_NODES_BUSY), (size_t)draft->node_count - left,
                        draft->node_count, p->name);
        return SLUMBER_NODES_BUSY;
}

/* ---- replacement ---- */

bool resv_wanders(const struct resv *r) {
        return r->flags & RESV_REPLACE && r->node_count;
}

struct bitset *resv_reach(const struct cluster *c, const struct resv *r, usec_t now) {
        const struct partition *p = resv_wanders(r) && r->partition
                                                    ? cluster_partition(c, r->partition)
                                                    : NULL;
        struct resv_search s = { .c = c, .r = r, .now = now };
        struct bitset *nodes = bitset_copy(r->nodes);

        if (!p)
                return nodes;
        resv_search_begin(&s);
        bitset_for_each(i, p->nodes)
                if (resv_search_suits(&s, c->nodes[i]))
                        bitset_add(nodes, i);
        resv_search_done(&s);
        return nodes;
}

/* p: the reservation's partition, which n may have left. */
static bool gives_way(const struct resv *r, const struct partition *p, const struct node *n) {
        return resv_node_out_of_service(n) || !bitset_has(p->nodes, n->index) ||
               (r->flags & RESV_REPLACE && n->n_jobs > 0);
}

static bool resv_follow_nodes(struct resv *r, const struct bitset *nodes) {
        if (bitset_contains(nodes, r->nodes) && bitset_contains(r->nodes, nodes))
                return false;
        bitset_assign(r->nodes, nodes);
        return true;
}

/* The cluster may have grown. */
static bool follow_all(const struct cluster *c, struct resv *r) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);

        bitset_fill(nodes);
        return resv_follow_nodes(r, nodes);
}

bool resv_replace(const struct cluster *c, struct resv *r, usec_t now) {
        const struct partition *p = r->partition ? cluster_partition(c, r->partition) : NULL;
        struct resv_search s = { .c = c, .r = r, .now = now };
        size_t lost = 0, missing;

        if (r->flags & RESV_PART_NODES)
                return p && resv_follow_nodes(r, p->nodes);
        if (r->flags & RESV_ALL_NODES)
                return follow_all(c, r);
        if (!p || !r->node_count || r->flags & (RESV_STATIC | RESV_SPEC_NODES) ||
                        (r->active && !(r->flags & (RESV_REPLACE | RESV_REPLACE_DOWN))))
                return false;
        bitset_for_each(i, r->nodes)
                lost += gives_way(r, p, c->nodes[i]);
        if (lost == 0)
                return false;
        struct bitset *others = bitset_copy(r->nodes);
        resv_search_begin(&s);
        missing = resv_add_nodes(&s, p, 0, lost, others);
        resv_search_done(&s);
        lost -= missing;
        bitset_for_each(i, r->nodes)
                if (lost && gives_way(r, p, c->nodes[i])) {
                        bitset_del(others, i);
                        lost--;
                }
        bool changed = !bitset_contains(r->nodes, others);
        bitset_assign(r->nodes, others);
        bitset_free(others);
        return changed;
}

void resv_replenish(struct cluster *c, const struct job *j, usec_t now) {
        for (size_t i = 0; i < c->resvs.n && c->resvs.replaces; i++) {
                struct resv *r = c->resvs.list[i];
                if (!resv_wanders(r) || !bitset_overlaps(r->nodes, j->placed.nodes) ||
                                !resv_replace(c, r, now))
                        continue;
                c->resvs.moved = true;
                note(c, FACT_RESERVATION_USE);
                note(c, FACT_RESERVATION_RECORD);
        }
}
