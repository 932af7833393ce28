/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan kept right: its profile is what is in service, without what runs (until its limit) and without what is planned.
 *
 * Of each node it is known until when it is busy, and which plans it is in; a plan on it never begins before.  When a node
 * turns out to be busy for longer, the plans in the way are dropped, and their jobs get new ones at their turn. */
#include "controller/sched/backfill_private.h"

#include "controller/core/job_events.h"
#include "controller/core/node_events.h"

/* A job without a limit: as Slurm, a year. */
#define UNLIMITED (365ull * 24 * 3600 * USEC_PER_SEC)
/* A node that should be free by now gets so long; it is known when it is. */
#define OVERDUE (30 * USEC_PER_SEC)

/* ---- life ---- */

void plan_keeper_free(struct backfill *b) {
        if (!b)
                return;
        for (size_t i = 0; i < b->n_nodes; i++)
                free(b->of[i].list);
        free(b->of);
        free(b->first);
        profile_free(b->profile);
        shapes_free(b->shapes);
        request_done(&b->forbidden);
        request_done(&b->asked_for);
        leases_free(b->leases);
        bitset_free(b->in_part);
        bitset_free(b->up);
        bitset_free(b->shifted);
        bitset_free(b->scratch);
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
        b->profile = profile_new(c->n_nodes);
        b->shapes = shapes_new();
        b->leases = leases_new(c);
        b->of = xnew0(struct node_plans, c->n_nodes + 1);
        b->first = xnew(usec_t, c->n_nodes + 1);
        b->in_part = bitset_new(c->n_nodes);
        b->up = bitset_new(c->n_nodes);
        b->shifted = bitset_new(c->n_nodes);
        b->scratch = bitset_new(c->n_nodes);
        b->partly = bitset_new(c->n_nodes);
        b->tasks_then = xnew0(uint32_t, c->n_nodes + 1);
        b->gres_then = xnew0(uint32_t, c->n_nodes + 1);
        b->fit = bitset_new(c->n_nodes);
        b->chosen = bitset_new(c->n_nodes);
        b->n_parts = c->n_partitions;
        b->parts = xnew0(struct per_partition, b->n_parts + 1);
        return b;
}

/* ---- how long a node is busy ---- */

usec_t plan_limit(const struct job *j) {
        return j->time_limit == NO_LIMIT ? UNLIMITED : j->time_limit;
}

static usec_t end_of(const struct job *j, usec_t now) {
        usec_t ran = job_run_time(j, now), left = plan_limit(j) > ran ? plan_limit(j) - ran : 0, boot = 0;

        if (j->completing || job_is_finished(j))
                return now;
        if (j->state == JOB_RUNNING && !j->configuring)
                return j->resumed_at + (plan_limit(j) > j->ran_before ? plan_limit(j) - j->ran_before : 0);
        for (size_t i = 0; j->configuring && i < j->n_alloc; i++)
                if (j->alloc[i].node->power != NODE_ON)
                        boot = MAX(boot, node_boot_time(j->alloc[i].node));
        return (j->configuring ? MAX(now, j->configure_time + boot) : now) + left;
}

static usec_t bounded_end(const struct job *j, usec_t now) {
        usec_t end = end_of(j, now);

        return j->resv ? MAX(now, resv_until(j, now, end)) : end;
}

static usec_t busy_until(const struct cluster *c, struct backfill *b, const struct node *n, usec_t now) {
        usec_t until = 0;

        if (n->power == NODE_POWERING_DOWN && n->base == NODE_IDLE && !(n->flags & (NODE_DRAIN | NODE_FAIL)))
                until = MAX(n->power_request + n->suspend_timeout, now + USEC_PER_SEC);
        else if (!bitset_has(c->schedulable, n->index) || (n->power == NODE_POWERED_DOWN && !c->power_save))
                return USEC_INFINITY;
        for (size_t i = 0; i < n->n_jobs; i++) {
                if (b->asked != n->jobs[i]) { /* large jobs are asked for node by node */
                        b->asked = n->jobs[i];
                        b->its_end = bounded_end(n->jobs[i], now);
                }
                until = MAX(until, b->its_end);
        }
        return n->n_jobs && until <= now ? now + OVERDUE : until;
}

/* ---- plans ---- */

void plan_nodes(const struct job_plan *p, struct bitset *ret) {
        bitset_clear(ret);
        for (size_t i = 0; i < p->n_ranges; i++)
                bitset_add_range(ret, p->ranges[i].from, p->ranges[i].n);
}

static void list_add(struct backfill *b, size_t node, struct job_plan *p) {
        struct node_plans *np = &b->of[node];
        size_t at = FIRST_NOT(np->n, i, np->list[i]->start <= p->start);

        GROW(np->list, np->allocated, np->n);
        memmove(&np->list[at + 1], &np->list[at], (np->n - at) * sizeof np->list[0]);
        np->list[at] = p;
        np->n++;
        b->first[node] = np->list[0]->start;
        bitset_add(b->shifted, node);
}

static void list_remove(struct backfill *b, size_t node, const struct job_plan *p) {
        struct node_plans *np = &b->of[node];
        size_t at = FIRST_NOT(np->n, i, np->list[i]->start < p->start);

        while (np->list[at] != p)
                at++;
        memmove(&np->list[at], &np->list[at + 1], (np->n - at - 1) * sizeof np->list[0]);
        np->n--;
        b->first[node] = np->n ? np->list[0]->start : USEC_INFINITY;
        bitset_add(b->shifted, node);
}

#define for_each_node_of(i, p)                                                                         \
        for (size_t r_ = 0; r_ < (p)->n_ranges; r_++)                                                  \
                for (size_t i = (p)->ranges[r_].from; i < (size_t)(p)->ranges[r_].from + (p)->ranges[r_].n; i++)

static void room_from(struct backfill *b, usec_t from, usec_t until) {
        shapes_freed(b->shapes, from);
        b->reach = MAX(b->reach, until);
        b->next_reach = MAX(b->next_reach, until);
        b->moment++;
}

void plan_freed(struct backfill *b, usec_t from, usec_t until) {
        b->moved = true;
        room_from(b, from, until);
}

void plan_open(struct backfill *b, const struct job_plan *p) {
        assert(p->laid);
        b->opened = p;
        plan_nodes(p, b->scratch);
        profile_give(b->profile, b->scratch, p->start, p->until);
        leases_give(b->leases, p);
}

void plan_shut(struct backfill *b, const struct job_plan *p) {
        b->opened = NULL;
        plan_nodes(p, b->scratch);
        profile_take(b->profile, b->scratch, p->start, p->until);
        leases_take(b->leases, p);
}

void plan_lift_opened(struct backfill *b, struct job_plan *p) {
        p->laid = false;
        b->opened = NULL;
        b->warm_due = true;
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
        for (size_t i = 0; i < b->n_parts; i++)
                if (b->parts[i].reserved == p)
                        b->parts[i].reserved = NULL;
        free(p);
}

void plan_drop(struct backfill *b, struct job_plan *p) {
        if (p->laid) {
                plan_lift(b, p);
                plan_freed(b, p->start, p->until);
        }
        if (p->job)
                p->job->plan = NULL;
        plan_release(b, p);
}

static struct job_plan *add_licenses(struct job_plan *p, const struct cluster *c, const struct countlist *licenses) {
        p = xrealloc_array(p, 1, sizeof *p + (p->n_ranges + licenses->n) * sizeof p->ranges[0]);
        for (size_t i = 0; i < licenses->n; i++) {
                size_t of = leases_place(c, p->job->resv, licenses->list[i].name);
                p->ranges[p->n_ranges + p->n_licenses++] = (struct node_range){ (uint32_t)of, licenses->list[i].n };
        }
        return p;
}

struct job_plan *plan_new(const struct cluster *c, struct job *j, const struct bitset *nodes, const struct countlist *licenses,
                usec_t start, usec_t boot, usec_t until) {
        struct job_plan *p = xmalloc(sizeof *p);
        size_t allocated = 0;

        *p = (struct job_plan){ .job = j, .bid = j->current, .start = start, .boot = boot, .until = until };
        for (size_t i = bitset_next(nodes, 0); i != SIZE_MAX;) {
                size_t end = i + 1;
                while (end < nodes->bits && bitset_has(nodes, end))
                        end++;
                if (p->n_ranges >= allocated) {
                        allocated = 2 * allocated + 1;
                        p = xrealloc_array(p, 1, sizeof *p + allocated * sizeof p->ranges[0]);
                }
                p->ranges[p->n_ranges].from = (uint32_t)i;
                p->ranges[p->n_ranges++].n = (uint32_t)(end - i);
                i = bitset_next(nodes, end);
        }
        return licenses ? add_licenses(p, c, licenses) : p;
}

/* ---- what has changed ---- */

static int by_time(const void *a, const void *b) {
        const struct profile_end *x = a, *y = b;

        if (x->at != y->at)
                return x->at < y->at ? -1 : 1;
        return x->node < y->node ? -1 : x->node > y->node;
}

/* true: there is more room for others on it than there was. */
static bool note_use(struct backfill *b, const struct node *n) {
        struct node_plans *np = &b->of[n->index];
        uint64_t gres = gres_used_sum(n);
        bool more = n->cpus_used < np->cpus_used || n->memory_used < np->memory_used || gres < np->gres_used || n->n_jobs < np->n_jobs;

        np->cpus_used = n->cpus_used;
        np->memory_used = n->memory_used;
        np->gres_used = gres;
        np->n_jobs = n->n_jobs;
        bitset_put(b->in_part, n->index, n->n_jobs && (n->cpus_used < n->configured.cpus || alloc_has_rows(n)));
        return more;
}

void plan_rebuild(struct cluster *c, struct backfill *b, usec_t now) {
        _cleanup_free_ struct profile_end *ends = xnew(struct profile_end, c->n_nodes + 1);
        size_t n = 0;

        cluster_replan(c);
        c->replan.reset = false;
        for (size_t i = 0; i < b->n_parts; i++)
                b->parts[i].reserved = NULL;
        b->asked = NULL;
        for (size_t i = 0; i < c->n_nodes; i++) {
                b->of[i].n = 0;
                b->first[i] = USEC_INFINITY;
                bitset_add(b->shifted, i);
                b->of[i].busy_until = busy_until(c, b, c->nodes[i], now);
                (void)note_use(b, c->nodes[i]);
                if (b->of[i].busy_until)
                        ends[n++] = (struct profile_end){ b->of[i].busy_until, (uint32_t)i };
        }
        qsort(ends, n, sizeof ends[0], by_time);
        profile_build(b->profile, now, ends, n);
        leases_free(b->leases);
        b->leases = leases_new(c);
        c->replan.licenses = true;
        shapes_clear(b->shapes);
        bitset_assign(b->up, c->power[NODE_ON]);
        b->moment++;
        b->sweeping = b->freed = false;
        fit_note_boots(c, b);
        b->warm_due = true;
        spend(b, c->n_nodes);
}

struct change {
        usec_t from, to; /* busy until then, and now until then */
        uint32_t node;
};

static int by_change(const void *a, const void *b) {
        const struct change *x = a, *y = b;

        if (x->from != y->from)
                return x->from < y->from ? -1 : 1;
        if (x->to != y->to)
                return x->to < y->to ? -1 : 1;
        return x->node < y->node ? -1 : x->node > y->node;
}

/* Plans that begin before the node is free are lifted: they wait for their jobs' turn. */
static void displace(struct backfill *b, uint32_t node, usec_t until) {
        while (b->of[node].n && b->of[node].list[0]->start < until) {
                struct job_plan *p = b->of[node].list[0];
                plan_lift(b, p);
                plan_freed(b, p->start, p->until);
                b->freed = true;
        }
}

static void put_change(struct backfill *b, const struct change *ch, const struct bitset *nodes, usec_t now) {
        usec_t from = MAX(ch->from, now), to = MAX(ch->to, now);

        if (from < to)
                profile_take(b->profile, nodes, from, to);
        if (to < from) {
                profile_give(b->profile, nodes, to, from);
                room_from(b, to, from);
                b->freed = true;
        }
}

/* What did not fit on nodes with power may fit on more of them. */
static void take_up_power(const struct cluster *c, struct backfill *b) {
        bool more = !bitset_contains(b->up, c->power[NODE_ON]);

        bitset_assign(b->up, c->power[NODE_ON]);
        if (!more)
                return;
        shapes_powered(b->shapes);
        b->reach = b->next_reach = USEC_INFINITY;
        b->moment++;
        b->freed = true;
}

static void take_up_nodes(struct cluster *c, struct backfill *b, usec_t now) {
        _cleanup_free_ struct change *list = NULL;
        size_t n = 0, allocated = 0;

        b->asked = NULL;
        b->warm_due = true;
        take_up_power(c, b);
        bitset_for_each(i, c->replan.nodes) {
                if (c->power_save && c->nodes[i]->power != NODE_ON) /* what is planned with it is longer by its boot */
                        b->boot_max = MAX(b->boot_max, node_boot_time(c->nodes[i]));
                usec_t until = busy_until(c, b, c->nodes[i], now), before = b->of[i].busy_until;
                if (note_use(b, c->nodes[i])) {
                        b->moment++;
                        b->freed = true;
                }
                spend(b, 1);
                if (until == before || (until <= now && before <= now)) {
                        b->of[i].busy_until = until;
                        continue;
                }
                if (until > before)
                        displace(b, (uint32_t)i, until);
                b->of[i].busy_until = until;
                GROW(list, allocated, n);
                list[n++] = (struct change){ before, until, (uint32_t)i };
        }
        bitset_clear(c->replan.nodes);
        if (n)
                qsort(list, n, sizeof list[0], by_change);
        for (size_t i = 0; i < n;) {
                const struct change *first = &list[i];
                bitset_clear(b->scratch);
                for (; i < n && list[i].from == first->from && list[i].to == first->to; i++)
                        bitset_add(b->scratch, list[i].node);
                put_change(b, first, b->scratch, now);
        }
}

/* Of jobs that have left the queue.  One that has started in its place leaves nothing free. */
static void take_up_void(struct cluster *c, struct backfill *b) {
        for (size_t i = 0; i < c->replan.n_void; i++) {
                b->freed |= !c->replan.voids[i]->used;
                plan_drop(b, c->replan.voids[i]);
        }
        c->replan.n_void = 0;
}

static usec_t license_until(const struct job *j, usec_t now) {
        usec_t until = end_of(j, now);

        return until <= now ? now + OVERDUE : until;
}

/* Who runs has its licenses whatever was planned: plans that go beyond what is left are lifted, the last jobs' first, and wait
   for their jobs' turn. */
static void take_up_licenses(struct cluster *c, struct backfill *b, usec_t now) {
        usec_t until;

        c->replan.licenses = false;
        if (leases_running(b->leases, c, license_until, now, &until)) {
                plan_freed(b, now, until);
                b->freed = true;
        }
        for (size_t i = MIN(c->replan.end, c->n_queue); i-- > 0;) {
                struct job_plan *p = bid_plan(c->queue[i]);
                if (!p || !p->laid || !p->n_licenses || !leases_overdrawn(b->leases, p))
                        continue;
                plan_lift(b, p);
                plan_freed(b, p->start, p->until);
                b->freed = true;
        }
        spend(b, leases_steps(b->leases));
}

void plan_find_overdue(struct cluster *c, struct backfill *b, usec_t now) {
        c->replan.licenses |= c->licenses.n > 0;
        for (size_t i = 0; i < c->n_nodes; i++)
                if (b->of[i].busy_until && b->of[i].busy_until <= now)
                        bitset_add(c->replan.nodes, i);
        spend(b, c->n_nodes / 8);
}

void plan_take_up(struct cluster *c, struct backfill *b, usec_t now) {
        profile_forget(b->profile, now);
        take_up_void(c, b);
        if (!bitset_empty(c->replan.nodes))
                take_up_nodes(c, b, now);
        if (c->replan.licenses)
                take_up_licenses(c, b, now);
        if (c->replan.allowed) {
                c->replan.allowed = false;
                b->freed = true;
                b->moment++;
        }
}

