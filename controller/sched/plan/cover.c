/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a node is not free as a whole: while a job has anything of it, and during all of its plans,
 * which may be at the same time where they go by numbers. */
#include "controller/sched/plan/plan.h"

struct stretch {
        usec_t from, until;
};

/* What is not in the way of any other plan of the node, of a stretch; of p's: all but p's.  In
   order of time; *done: from there on. */
static bool next_gap(const struct backfill *b, size_t node, const struct job_plan *p,
                struct stretch *left, struct stretch *ret) {
        const struct node_plans *np = &b->of[node];

        if (p)
                left->from = MAX(left->from, MIN(left->until, b->held[node]));
        for (uint32_t i = 0; i < np->n && np->list[i]->start <= left->from; i++)
                if (np->list[i] != p)
                        left->from = MAX(left->from, np->list[i]->until);
        if (left->from >= left->until)
                return false;
        *ret = *left;
        for (uint32_t i = 0; i < np->n && np->list[i]->start < ret->until; i++)
                if (np->list[i] != p && np->list[i]->start > ret->from) {
                        ret->until = np->list[i]->start;
                        break;
                }
        left->from = ret->until;
        return true;
}

static void put(struct backfill *b, size_t node, const struct job_plan *p, struct stretch left,
                bool take) {
        struct stretch gap;

        bitset_clear(b->parts_scratch);
        bitset_add(b->parts_scratch, node);
        while (next_gap(b, node, p, &left, &gap))
                (take ? profile_take : profile_give)(b->profile, b->parts_scratch, gap.from,
                                gap.until);
}

/* Nothing else is there at any of its time. */
static bool is_alone(const struct backfill *b, size_t node, const struct job_plan *p) {
        const struct node_plans *np = &b->of[node];

        if (b->held[node] > p->start)
                return false;
        for (uint32_t i = 0; i < np->n && np->list[i]->start < p->until; i++)
                if (np->list[i] != p && np->list[i]->until > p->start)
                        return false;
        return true;
}

static void cover(struct backfill *b, const struct job_plan *p, bool take) {
        _cleanup_(bitset_freep) struct bitset *at_once = NULL;

        plan_parts(p, b->parts_scratch);
        if (plan_goes_by_numbers(p)) {
                at_once = bitset_copy(b->parts_scratch);
                bitset_for_each(i, b->parts_scratch) {
                        if (i >= b->n_nodes)
                                break;
                        if (!bitset_has(parts_split(b->node_parts), i) && !is_alone(b, i, p))
                                bitset_del(at_once, i);
                }
                bitset_assign(b->parts_scratch, at_once);
        }
        (take ? profile_take : profile_give)(b->profile, b->parts_scratch, p->start, p->until);
        if (!at_once)
                return;
        for (size_t r = 0; r < p->n_ranges; r++)
                for (size_t i = p->ranges[r].from; i < (size_t)p->ranges[r].from + p->ranges[r].n;
                                i++)
                        if (!bitset_has(parts_split(b->node_parts), i) && !bitset_has(at_once, i))
                                put(b, i, p, (struct stretch){ p->start, p->until }, take);
}

void cover_take(struct backfill *b, const struct job_plan *p) {
        cover(b, p, true);
}

void cover_give(struct backfill *b, const struct job_plan *p) {
        cover(b, p, false);
}

bool cover_leaves(const struct backfill *b, const struct job_plan *p) {
        if (!plan_goes_by_numbers(p))
                return true;
        for (size_t r = 0; r < p->n_ranges; r++)
                for (size_t i = p->ranges[r].from; i < (size_t)p->ranges[r].from + p->ranges[r].n;
                                i++) {
                        struct stretch left = { p->start, p->until }, gap;
                        if (bitset_has(parts_split(b->node_parts), i) ||
                                        next_gap(b, i, p, &left, &gap))
                                return true;
                }
        return false;
}

bool cover_is_shared(const struct backfill *b, size_t node) {
        const struct node_plans *np = &b->of[node];

        if (bitset_has(parts_split(b->node_parts), node))
                return false;
        for (uint32_t i = 0; i < np->n; i++)
                if (plan_goes_by_numbers(np->list[i]))
                        return true;
        return false;
}

void cover_hold(struct backfill *b, size_t node, usec_t until, usec_t now) {
        usec_t before = MAX(b->held[node], now), then = MAX(until, now);

        put(b, node, NULL, (struct stretch){ MIN(before, then), MAX(before, then) }, then > before);
        b->held[node] = until;
}
