/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the plan up to date: the profile has the nodes in service, without running jobs (until
 * their time limits) and without planned jobs.
 *
 * For each part of a node the end of its use (busy) is known, and for each node its plans; a
 * plan that has a whole part never begins before the end of its use. If a part turns out to be
 * busy for longer, plans in the way are lifted, and their jobs get new plans at their turns.
 *
 *   plan_take_up       applies changes of nodes, jobs and licenses since the last call
 *   plan_rebuild       makes the profile anew, and drops all plans
 *   plan_new           makes a plan, which plan_lay() adds to the profile, the tracks and the lists
 *   plan_lift          removes a plan from the profile, the tracks and the lists
 *   plan_drop          lifts and frees a plan */
#include "controller/sched/plan/plan.h"
#include "controller/indexes/node_deadline.h"
#include "controller/model/spec.h"
#include "controller/reservations/reservation.h"

#include "controller/jobs/job_events.h"

/* The time limit of a job without limit: a year, as in Slurm. */
#define UNLIMITED (365ull * 24 * 3600 * USEC_PER_SEC)

/* ---- making and freeing ---- */

void plan_keeper_free(struct backfill *b) {
        if (!b)
                return;
        for (size_t i = 0; i < b->n_nodes; i++) {
                free(b->of[i].list);
                track_done(&b->tracks[i]);
        }
        free(b->tracks);
        free(b->lifted);
        free(b->held);
        free(b->first_end);
        free(b->rest_of_node);
        free(b->take_of_node);
        track_scratch_done(&b->track_scratch);
        bounds_free(b->bounds);
        earliest_done(&b->earliest);
        bitset_free(b->reheld);
        bitset_free(b->retracked);
        freed_done(&b->freed_nodes);
        freed_done(&b->next_freed_nodes);
        free(b->of);
        free(b->busy);
        parts_free(b->node_parts);
        free(b->first);
        profile_free(b->profile);
        shapes_free(b->shapes);
        request_done(&b->forbidden);
        request_done(&b->asked_for);
        leases_free(b->leases);
        bitset_free(b->in_part);
        bitset_free(b->up);
        bitset_free(b->powered);
        free(b->up_by);
        bitset_free(b->booting);
        bitset_free(b->shifted);
        bitset_free(b->scratch);
        bitset_free(b->parts_scratch);
        bitset_free(b->wanted);
        bitset_free(b->free);
        bitset_free(b->partly);
        free(b->tasks_then);
        free(b->gres_then);
        bitset_free(b->fit);
        bitset_free(b->chosen);
        free(b->parts);
        free(b->users);
        free(b);
}

struct backfill *plan_keeper_new(const struct cluster *c) {
        struct backfill *b = xnew0(struct backfill, 1);

        b->n_nodes = c->n_nodes;
        b->node_parts = parts_new(c);
        b->profile = profile_new(parts_bits(b->node_parts));
        b->busy = xnew0(usec_t, parts_bits(b->node_parts) + 1);
        b->parts_scratch = bitset_new(parts_bits(b->node_parts));
        b->wanted = bitset_new(parts_bits(b->node_parts));
        b->free = bitset_new(parts_bits(b->node_parts));
        b->shapes = shapes_new();
        b->leases = leases_new(c);
        b->of = xnew0(struct node_plans, c->n_nodes + 1);
        b->first = xnew(usec_t, c->n_nodes + 1);
        b->held = xnew0(usec_t, parts_bits(b->node_parts) + 1);
        b->first_end = xnew0(usec_t, parts_bits(b->node_parts) + 1);
        b->tracks = xnew0(struct track, c->n_nodes + 1);
        earliest_init(&b->earliest, c->n_nodes);
        b->reheld = bitset_new(c->n_nodes);
        b->retracked = bitset_new(c->n_nodes);
        freed_init(&b->freed_nodes, c->n_nodes);
        freed_init(&b->next_freed_nodes, c->n_nodes);
        b->in_part = bitset_new(c->n_nodes);
        b->up = bitset_new(c->n_nodes);
        b->powered = bitset_new(c->n_nodes);
        b->up_by = xnew0(usec_t, c->n_nodes + 1);
        b->booting = bitset_new(c->n_nodes);
        b->shifted = bitset_new(c->n_nodes);
        b->scratch = bitset_new(c->n_nodes);
        b->partly = bitset_new(c->n_nodes);
        b->tasks_then = xnew0(uint32_t, c->n_nodes + 1);
        b->gres_then = xnew0(struct gres_parts, c->n_nodes + 1);
        b->fit = bitset_new(c->n_nodes);
        b->chosen = bitset_new(c->n_nodes);
        b->n_parts = c->n_partitions;
        b->parts = xnew0(struct per_partition, b->n_parts + 1);
        return b;
}

/* ---- how long a node is busy ---- */

usec_t plan_limit(const struct job *j) {
        return j->needs.time_limit == NO_LIMIT ? UNLIMITED : j->needs.time_limit;
}

/* Sets the job's expected end of the boot at the first call, and again once that time has
   passed: it stays while the nodes come up one after the other. */
static void expect_boots(const struct cluster *c, struct job *j, usec_t now) {
        if (!j->configuring || j->running.up_by > now)
                return;
        j->running.up_by = nodes_up_by(c, j->placed.nodes, now);
}

static usec_t end_of(const struct job *j, usec_t now) {
        usec_t ran = job_run_time(j, now), left = plan_limit(j) > ran ? plan_limit(j) - ran : 0;

        if (j->completing || job_is_finished(j))
                return now;
        if (j->state == JOB_RUNNING && !j->configuring)
                return MIN(j->running.resumed_at +
                                                (plan_limit(j) > j->running.ran_before
                                                                                ? plan_limit(j) - j->running.ran_before
                                                                                : 0),
                                j->stopping.grace_end ? j->stopping.grace_end : USEC_INFINITY);
        return (j->configuring ? MAX(now, j->running.up_by) : now) + left;
}

static usec_t bounded_end(const struct job *j, usec_t now) {
        usec_t end = end_of(j, now);

        return j->placed.resv ? MAX(now, resv_until(j, now, end)) : end;
}

/* Returns the latest end of a job: the end of its time limit or reservation, or OVERDUE from now
   for a job that should have ended. */
static usec_t plan_job_until(const struct job *j, usec_t now) {
        usec_t end = bounded_end(j, now);

        return end <= now ? now + OVERDUE : end;
}

usec_t plan_running_until(const struct cluster *c, struct job *j, usec_t now) {
        expect_boots(c, j, now);
        return plan_job_until(j, now);
}

usec_t plan_closed_until(const struct cluster *c, const struct node *n, usec_t now) {
        if (n->power == NODE_POWERING_DOWN && n->base == NODE_IDLE &&
                        !(n->flags & (NODE_DRAIN | NODE_FAIL)))
                return MAX(n->power_request + n->suspend_timeout, now + USEC_PER_SEC);
        if (!bitset_has(c->schedulable, n->index) ||
                        (n->power == NODE_POWERED_DOWN && !c->power_save))
                return USEC_INFINITY;
        return 0;
}

static usec_t busy_until(const struct cluster *c, struct backfill *b, const struct node *n,
                size_t part, usec_t now) {
        usec_t until = plan_closed_until(c, n, now);

        b->first_end[part] = until ? until : USEC_INFINITY;
        if (until == USEC_INFINITY)
                return until;
        for (size_t i = 0; i < n->n_jobs; i++) {
                if (!parts_held(b->node_parts, c, n->jobs[i], n, part))
                        continue;
                /* saves repeated calls for the nodes of a large job */
                if (b->asked != n->jobs[i]) {
                        b->asked = n->jobs[i];
                        b->its_end = plan_running_until(c, n->jobs[i], now);
                }
                until = MAX(until, b->its_end);
                b->first_end[part] = MIN(b->first_end[part], b->its_end);
        }
        return until;
}

/* ---- plans ---- */

void plan_nodes(const struct job_plan *p, struct bitset *ret) {
        bitset_clear(ret);
        for (size_t i = 0; i < p->n_ranges; i++)
                bitset_add_range(ret, p->ranges[i].from, p->ranges[i].n);
}

void plan_parts(const struct job_plan *p, struct bitset *ret) {
        size_t n;
        const struct node_range *of = plan_part_ranges(p, &n);

        bitset_clear(ret);
        for (size_t i = 0; i < n; i++)
                bitset_add_range(ret, of[i].from, of[i].n);
}

static bool plan_starts_before(const struct job_plan *p, const struct job_plan *q) {
        return p->start != q->start ? p->start < q->start : p->number < q->number;
}

static void list_add(struct backfill *b, size_t node, struct job_plan *p) {
        struct node_plans *np = &b->of[node];
        size_t at = FIRST_NOT(np->n, i, plan_starts_before(np->list[i], p));

        GROW(np->list, np->allocated, np->n);
        memmove(&np->list[at + 1], &np->list[at], (np->n - at) * sizeof np->list[0]);
        np->list[at] = p;
        np->n++;
        b->first[node] = np->list[0]->start;
        bitset_add(b->shifted, node);
}

static void list_remove(struct backfill *b, size_t node, const struct job_plan *p) {
        struct node_plans *np = &b->of[node];
        size_t at = FIRST_NOT(np->n, i, plan_starts_before(np->list[i], p));

        assert(at < np->n && np->list[at] == p);
        memmove(&np->list[at], &np->list[at + 1], (np->n - at - 1) * sizeof np->list[0]);
        np->n--;
        b->first[node] = np->n ? np->list[0]->start : USEC_INFINITY;
        bitset_add(b->shifted, node);
}

#define for_each_node_of(i, p)                                                                     \
        for (size_t r_ = 0; r_ < (p)->n_ranges; r_++)                                              \
                for (size_t i = (p)->ranges[r_].from;                                              \
                                i < (size_t)(p)->ranges[r_].from + (p)->ranges[r_].n; i++)

/* Notes that nodes, or parts of nodes with reservations, have become free as a whole from `from`
   to `until`. */
static void room_from(struct backfill *b, usec_t from, usec_t until) {
        shapes_freed(b->shapes, from);
        b->reach = MAX(b->reach, until);
        b->next_reach = MAX(b->next_reach, until);
        b->moment++;
}

static void note_freed(struct backfill *b, size_t first, size_t n, usec_t from, usec_t until) {
        freed_add(&b->freed_nodes, first, n, from, until);
        freed_add(&b->next_freed_nodes, first, n, from, until);
}

static void note_all_freed(struct backfill *b) {
        note_freed(b, 0, b->n_nodes, 0, USEC_INFINITY);
}

void plan_freed(struct backfill *b, usec_t from, usec_t until) {
        b->moved = true;
        room_from(b, from, until);
        note_all_freed(b);
}

void plan_left(struct backfill *b, const struct job_plan *p) {
        b->moved = true;
        if (cover_leaves(b, p))
                room_from(b, p->start, p->until);
        b->moment++;
        for (size_t r = 0; r < p->n_ranges; r++)
                note_freed(b, p->ranges[r].from, p->ranges[r].n, p->start, p->until);
}

static void lower_bounds(struct backfill *b, const struct job_plan *p) {
        for (size_t i = 0; i < p->n_ranges; i++)
                bounds_lower(b, p->ranges[i].from, p->ranges[i].n, p->start);
}

void plan_open(struct backfill *b, const struct job_plan *p) {
        assert(p->laid);
        b->opened = p;
        cover_give(b, p);
        leases_give(b->leases, p);
        tracks_give(b, p);
}

void plan_shut(struct backfill *b, const struct job_plan *p) {
        b->opened = NULL;
        cover_take(b, p);
        leases_take(b->leases, p);
        tracks_take(b, p);
}

void plan_lift_opened(struct backfill *b, struct job_plan *p) {
        p->laid = false;
        b->opened = NULL;
        b->warm_due = true;
        lower_bounds(b, p);
        for_each_node_of(i, p) {
                list_remove(b, i, p);
                spend(b, 1);
        }
}

void plan_lift(struct backfill *b, struct job_plan *p) {
        plan_open(b, p);
        plan_lift_opened(b, p);
}

void plan_lay(struct backfill *b, struct job_plan *p) {
        p->number = ++b->laid;
        plan_lay_again(b, p);
}

void plan_lay_again(struct backfill *b, struct job_plan *p) {
        assert(!p->laid);
        p->laid = true;
        b->warm_due = true;
        plan_shut(b, p);
        for_each_node_of(i, p) {
                list_add(b, i, p);
                spend(b, 1);
        }
}

void plan_release(struct backfill *b, struct job_plan *p) {
        lifted_remove(b, p);
        for (size_t i = 0; i < b->n_parts; i++)
                if (b->parts[i].reserved == p)
                        b->parts[i].reserved = NULL;
        free(p);
}

static void displace_one(struct backfill *b, struct job_plan *p) {
        if (!p->laid)
                return;
        plan_lift(b, p);
        plan_left(b, p);
}

void plan_displace(struct backfill *b, struct job_plan *p, bool late) {
        struct job_plan *q = p;

        do {
                if (q->laid)
                        lifted_add(b, q);
                displace_one(b, q);
                q->late = late;
                q = q->with;
        } while (q && q != p);
}

static void drop_one(struct backfill *b, struct job_plan *p) {
        displace_one(b, p);
        if (p->job)
                p->job->waiting.plan = NULL;
        plan_release(b, p);
}

void plan_drop(struct backfill *b, struct job_plan *p) {
        for (struct job_plan *q = p->with, *next; q && q != p; q = next) {
                next = q->with;
                drop_one(b, q);
        }
        drop_one(b, p);
}

/* Returns p with room for `more` ranges behind n ranges; p may move. */
static struct job_plan *plan_grow(struct job_plan *p, size_t n, size_t more) {
        return xrealloc_array(p, 1, sizeof *p + (n + more) * sizeof p->ranges[0]);
}

/* Adds the ranges of set behind n ranges; *ret: their number; p may move. */
static struct job_plan *add_ranges(struct job_plan *p, size_t n, const struct bitset *set,
                size_t *ret) {
        size_t allocated = 0, more = 0;

        for (size_t i = bitset_next(set, 0); i != SIZE_MAX;) {
                size_t end = i + 1;
                while (end < set->bits && bitset_has(set, end))
                        end++;
                if (more >= allocated) {
                        allocated = 2 * allocated + 1;
                        p = plan_grow(p, n, allocated);
                }
                p->ranges[n + more++] = (struct node_range){ (uint32_t)i, (uint32_t)(end - i) };
                i = bitset_next(set, end);
        }
        *ret = more;
        return p;
}

static struct job_plan *add_licenses(struct job_plan *p, const struct cluster *c,
                const struct resv *resv, const struct countlist *licenses) {
        p = plan_grow(p, p->n_ranges, licenses->n);
        for (size_t i = 0; i < licenses->n; i++) {
                size_t of = leases_place(c, resv, licenses->list[i].name);
                p->ranges[p->n_ranges + p->n_licenses++] = (struct node_range){ (uint32_t)of,
                        licenses->list[i].n };
        }
        return p;
}

/* Returns the most MB that j may have on a node in several parts, for a plan with parts as a
   whole. */
static uint64_t plan_part_memory(const struct cluster *c, const struct backfill *b,
                const struct job *j, const struct bitset *nodes) {
        uint64_t memory = 0;

        bitset_for_each(i, nodes)
                if (bitset_has(parts_split(b->node_parts), i))
                        memory = MAX(memory, plan_most_memory(c, j, c->nodes[i]));
        return memory;
}

struct job_plan *plan_new(const struct cluster *c, const struct backfill *b, const struct job *j,
                const struct bitset *nodes, const struct bitset *parts,
                const struct countlist *licenses, const struct placement *where, usec_t start,
                usec_t boot, usec_t until) {
        struct job_plan *p = xmalloc(sizeof *p);
        size_t n;

        *p = (struct job_plan){ .job = job_itself(j),
                .bid = j->waiting.current,
                .start = start,
                .boot = boot,
                .until = until };
        p = add_ranges(p, 0, nodes, &n);
        p->n_ranges = n;
        if (licenses)
                p = add_licenses(p, c, j->placed.resv, licenses);
        if (bitset_overlaps(nodes, parts_split(b->node_parts))) {
                p = add_ranges(p, p->n_ranges + p->n_licenses, parts, &n);
                p->n_parts = n;
                p->memory = where ? 0 : plan_part_memory(c, b, j, nodes);
        }
        return where ? plan_add_takes(p, b->node_parts, where) : p;
}

/* ---- what has changed ---- */

static int by_time(const void *a, const void *b) {
        const struct profile_end *x = a, *y = b;

        if (x->at != y->at)
                return x->at < y->at ? -1 : 1;
        return x->node < y->node ? -1 : x->node > y->node;
}

/* Notes the use of n; true: n has more room than before. */
static bool note_use(struct backfill *b, const struct node *n) {
        struct node_plans *np = &b->of[n->index];
        uint64_t gres = gres_used_sum(n);
        bool more = n->cpus_used < np->cpus_used || n->memory_used < np->memory_used ||
                    gres < np->gres_used || n->n_jobs < np->n_jobs;

        np->cpus_used = n->cpus_used;
        np->memory_used = n->memory_used;
        np->gres_used = gres;
        np->n_jobs = n->n_jobs;
        bitset_put(b->in_part, n->index,
                        n->n_jobs && (n->cpus_used < node_job_cpus(n) || alloc_has_rows(n)));
        return more;
}

/* Returns whether n needs no wake-up for further jobs: n has power, or boots for a job. */
static bool will_have_power(const struct backfill *b, const struct node *n) {
        if (n->power == NODE_ON)
                return true;
        if (b->busy[n->index] == USEC_INFINITY)
                return false;
        for (size_t i = 0; i < n->n_jobs; i++)
                if (!n->jobs[i]->completing)
                        return true;
        return false;
}

/* Returns when n is up, by the first of its jobs to have all nodes up; 0: no job waits for the
   boot. */
static usec_t boots_until(const struct cluster *c, const struct node *n, usec_t now) {
        usec_t by = USEC_INFINITY;

        for (size_t i = 0; i < n->n_jobs; i++) {
                if (n->jobs[i]->completing || !n->jobs[i]->configuring)
                        continue;
                expect_boots(c, n->jobs[i], now);
                by = MIN(by, n->jobs[i]->running.up_by);
        }
        return by == USEC_INFINITY ? 0 : by;
}

static void note_power(const struct cluster *c, struct backfill *b, const struct node *n,
                usec_t now) {
        const bool up = n->power == NODE_ON, powered = will_have_power(b, n);

        bitset_put(b->up, n->index, up);
        bitset_put(b->powered, n->index, powered);
        b->up_by[n->index] = powered && !up ? boots_until(c, n, now) : 0;
        bitset_put(b->booting, n->index, b->up_by[n->index] > 0);
}

void plan_rebuild(struct cluster *c, struct backfill *b, usec_t now) {
        _cleanup_free_ struct profile_end *ends = xnew(struct profile_end,
                        parts_bits(b->node_parts) + 1);
        size_t n = 0;

        (void)follows_take(c, FOLLOW_PLAN_ANEW);
        plans_forget(c);
        b->n_lifted = 0;
        for (size_t i = 0; i < b->n_parts; i++)
                b->parts[i].reserved = NULL;
        b->asked = NULL;
        for (size_t i = 0; i < c->n_nodes; i++) {
                b->of[i].n = 0;
                b->first[i] = USEC_INFINITY;
                bitset_add(b->shifted, i);
                tracks_changed(b, i);
                (void)note_use(b, c->nodes[i]);
        }
        bounds_lower(b, 0, c->n_nodes, 0);
        for (size_t i = 0; i < parts_bits(b->node_parts); i++) {
                b->busy[i] = b->held[i] = busy_until(c, b, c->nodes[parts_node(b->node_parts, i)],
                                i, now);
                if (b->busy[i])
                        ends[n++] = (struct profile_end){ b->busy[i], (uint32_t)i };
        }
        list_sort(ends, n, sizeof ends[0], by_time);
        profile_build(b->profile, now, ends, n);
        leases_free(b->leases);
        b->leases = leases_new(c);
        note(c, FACT_LICENSES_CHANGED);
        shapes_clear(b->shapes);
        for (size_t i = 0; i < c->n_nodes; i++)
                note_power(c, b, c->nodes[i], now);
        b->moment++;
        b->sweeping = b->freed = false;
        freed_clear(&b->freed_nodes);
        freed_clear(&b->next_freed_nodes);
        fit_note_boots(c, b);
        b->warm_due = true;
        spend(b, parts_bits(b->node_parts));
}

struct change {
        usec_t from, to; /* former and present end of use */
        uint32_t part;
};

struct changes {
        struct change *list;
        size_t n, allocated;
};

static int by_change(const void *a, const void *b) {
        const struct change *x = a, *y = b;

        if (x->from != y->from)
                return x->from < y->from ? -1 : 1;
        if (x->to != y->to)
                return x->to < y->to ? -1 : 1;
        return x->part < y->part ? -1 : x->part > y->part;
}

/* Returns whether p may overlap running jobs on the part: heed_numbers() checks whether enough
   is left for p. */
static bool is_beside(const struct backfill *b, const struct job_plan *p, size_t part) {
        return plan_goes_by_numbers(p) && b->busy[part] != USEC_INFINITY;
}

/* Returns whether some job on n should have ended by now. Where nodes are planned as a whole,
   every delay counts as late. */
static bool is_late(const struct cluster *c, const struct node *n, usec_t now) {
        if (!c->config->bf.parts)
                return true;
        for (size_t i = 0; i < n->n_jobs; i++)
                if (bounded_end(n->jobs[i], now) <= now)
                        return true;
        return false;
}

/* Lifts plans that begin before the part is free: their jobs wait for their turns. */
static void part_displace_plans(struct backfill *b, size_t part, usec_t until, bool late) {
        const struct node_plans *np = &b->of[parts_node(b->node_parts, part)];

        for (uint32_t i = 0; i < np->n && np->list[i]->start < until;) {
                struct job_plan *p = np->list[i];
                if (!plan_has_part(p, part) || is_beside(b, p, part)) {
                        i++;
                        continue;
                }
                plan_displace(b, p, late);
                b->freed = true;
        }
}

static void put_change(struct backfill *b, const struct change *ch, const struct bitset *parts,
                usec_t now) {
        usec_t from = MAX(ch->from, now), to = MAX(ch->to, now);

        bitset_for_each(i, parts)
                b->held[i] = ch->to;
        if (from < to)
                profile_take(b->profile, parts, from, to);
        if (to < from) {
                profile_give(b->profile, parts, to, from);
                room_from(b, to, from);
                b->freed = true;
        }
}

static void put_changes(struct backfill *b, const struct changes *all, usec_t now) {
        list_sort(all->list, all->n, sizeof all->list[0], by_change);
        for (size_t i = 0; i < all->n;) {
                const struct change *first = &all->list[i];
                bitset_clear(b->parts_scratch);
                for (; i < all->n && all->list[i].from == first->from &&
                                all->list[i].to == first->to;
                                i++)
                        bitset_add(b->parts_scratch, all->list[i].part);
                put_change(b, first, b->parts_scratch, now);
        }
}

/* Returns when the first part of a node is free. */
static usec_t busy_parts_until(const struct backfill *b, size_t node) {
        usec_t until = USEC_INFINITY;

        for (size_t k = 0; k < parts_of(b->node_parts, node); k++)
                until = MIN(until, b->busy[parts_at(b->node_parts, node, k)]);
        return until;
}

/* Notes the power of n: a job that starts on n now need not wait for a boot any more. *from:
   lowered to the first time when a node newly counted as powered is free. A node woken for a job
   is free at the job's end, which was known when the job started: its boot changes nothing. */
static void take_up_power(const struct cluster *c, struct backfill *b, const struct node *n,
                usec_t now, usec_t *from) {
        size_t i = n->index;
        const bool was_up = bitset_has(b->up, i), was_powered = bitset_has(b->powered, i);

        note_power(c, b, n, now);
        if (bitset_has(b->up, i) && !was_up && (n->n_jobs == 0 || bitset_has(b->in_part, i))) {
                b->moment++;
                b->freed = true;
        }
        if (bitset_has(b->powered, i) && !was_powered)
                *from = MIN(*from, MAX(now, busy_parts_until(b, i)));
}

/* Notes that more nodes have power: jobs that did not fit on nodes with power may fit now. */
static void note_powered(struct backfill *b, usec_t from, usec_t now) {
        if (from == USEC_INFINITY)
                return;
        shapes_powered(b->shapes, from, now);
        b->reach = b->next_reach = USEC_INFINITY;
        note_all_freed(b);
        b->freed = true;
}

static void take_up_part(const struct cluster *c, struct backfill *b, const struct node *n,
                size_t part, usec_t now, struct changes *all) {
        usec_t until = busy_until(c, b, n, part, now), before = b->busy[part];

        spend(b, 1);
        b->busy[part] = until;
        if (until == before || (until <= now && before <= now))
                return;
        if (until > before)
                part_displace_plans(b, part, until, is_late(c, n, now));
        if (cover_is_shared(b, part)) {
                cover_hold(b, part, until, now);
                if (until < before) {
                        room_from(b, MAX(until, now), before);
                        b->freed = true;
                }
                return;
        }
        GROW(all->list, all->allocated, all->n);
        all->list[all->n++] = (struct change){ before, until, (uint32_t)part };
}

/* Returns the last plan in queue order that takes some of what is overdrawn at t; NULL: none.
   Plans with whole parts follow busy: only their memory counts. */
static struct job_plan *last_overdrawing(const struct cluster *c, struct backfill *b, size_t node,
                const struct track *k, usec_t t) {
        const struct node_plans *np = &b->of[node];
        struct job_plan *last = NULL;

        for (uint32_t i = 0; i < np->n && np->list[i]->start <= t; i++) {
                struct job_plan *p = np->list[i];
                if (p->until <= t || (!plan_goes_by_numbers(p) && !p->memory) ||
                                (last && bid_order(last->bid, p->bid) > 0))
                        continue;
                if (track_is_overdrawn_by(k, c->nodes[node], p, t))
                        last = p;
        }
        spend(b, np->n);
        return last;
}

/* Where plans take more of a node than running jobs leave, lifts the plans of the last jobs in
   queue order that take some of the overdrawn amounts. */
static void heed_numbers(const struct cluster *c, struct backfill *b, size_t node, usec_t now) {
        usec_t t = now;

        while (b->of[node].n && t != USEC_INFINITY) {
                const struct track *k = track_of(c, b, node, now);
                t = track_overdrawn(k, c->nodes[node], t);
                struct job_plan *p = t == USEC_INFINITY ? NULL : last_overdrawing(c, b, node, k, t);
                if (p) {
                        plan_displace(b, p, is_late(c, c->nodes[node], now));
                        b->freed = true;
                } else {
                        t = track_step_after(k, t);
                }
        }
}

static void take_up_nodes(struct cluster *c, struct backfill *b, usec_t now) {
        struct changes all = { 0 };
        usec_t powered_from = USEC_INFINITY;

        b->asked = NULL;
        b->warm_due = true;
        bitset_for_each(i, follows_nodes(c, FOLLOW_PLAN_NODES)) {
                /* a plan on the node takes longer by the node's boot */
                if (c->power_save && c->nodes[i]->power != NODE_ON)
                        b->boot_max = MAX(b->boot_max, node_boot_time(c->nodes[i]));
                if (note_use(b, c->nodes[i])) {
                        b->moment++;
                        b->freed = true;
                }
                note_freed(b, i, 1, 0, USEC_INFINITY);
                tracks_changed(b, i);
                bounds_lower(b, i, 1, 0);
                for (size_t k = 0; k < parts_of(b->node_parts, i); k++)
                        take_up_part(c, b, c->nodes[i], parts_at(b->node_parts, i, k), now, &all);
                take_up_power(c, b, c->nodes[i], now, &powered_from);
        }
        put_changes(b, &all, now);
        free(all.list);
        bitset_for_each(i, follows_nodes(c, FOLLOW_PLAN_NODES))
                heed_numbers(c, b, i, now);
        follows_nodes_done(c, FOLLOW_PLAN_NODES);
        note_powered(b, powered_from, now);
}

/* Drops the plans of jobs that have left the queue. A job started according to its plan leaves
   no room. */
static void take_up_void(struct cluster *c, struct backfill *b) {
        struct job_plan *const *voids;
        size_t n = follows_take_voids(c, &voids);

        for (size_t i = 0; i < n; i++) {
                b->freed |= !voids[i]->used;
                plan_drop(b, voids[i]);
        }
}

/* Notes the licenses of running jobs, which precede all plans: plans beyond the rest are lifted,
   the last jobs' first, and their jobs wait for their turns. */
static void take_up_licenses(struct cluster *c, struct backfill *b, usec_t now) {
        usec_t until;

        if (leases_running(b->leases, c, plan_job_until, now, &until)) {
                plan_freed(b, now, until);
                b->freed = true;
        }
        for (size_t i = MIN(c->planned.end, c->n_queue); i-- > 0;) {
                struct job_plan *p = bid_plan(c->queue[i]);
                if (!p || !p->laid || !p->n_licenses || !leases_overdrawn(b->leases, p))
                        continue;
                plan_displace(b, p, true);
                b->freed = true;
        }
        spend(b, leases_steps(b->leases));
}

void plan_find_overdue(struct cluster *c, struct backfill *b, usec_t now) {
        if (c->licenses.n)
                note(c, FACT_LICENSES_CHANGED);
        for (size_t i = 0; i < parts_bits(b->node_parts); i++)
                if ((b->busy[i] && b->busy[i] <= now) || b->first_end[i] <= now)
                        note_node(c, FACT_NODE_USE, c->nodes[parts_node(b->node_parts, i)]);
        spend(b, parts_bits(b->node_parts) / 8);
}

void plan_take_up(struct cluster *c, struct backfill *b, usec_t now) {
        profile_forget(b->profile, now);
        take_up_void(c, b);
        if (!bitset_empty(follows_nodes(c, FOLLOW_PLAN_NODES)))
                take_up_nodes(c, b, now);
        if (follows_take(c, FOLLOW_PLAN_LICENSES))
                take_up_licenses(c, b, now);
        if (follows_take(c, FOLLOW_PLAN_RETRY)) {
                note_all_freed(b);
                b->freed = true;
                b->moment++;
        }
}
