/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile has a part of a node (parts.h) as free only while no job runs and no plan is laid
 * on the part. cover_take() and cover_give() change the profile at the times when p is alone on
 * a part, as plans by numbers of cores may overlap. */
#include "controller/sched/plan/plan.h"

struct stretch {
        usec_t from, until;
};

/* Returns whether q is a plan other than p with cores of this part. */
static bool is_other(const struct job_plan *q, const struct job_plan *p, size_t part) {
        return q != p && plan_has_part(q, part);
}

/* Sets ret to the next period within left in which no plan other than p is on this part, and
   moves left behind ret; false: no such period. With p, the time of running jobs is skipped,
   too. */
static bool next_gap(const struct backfill *b, size_t part, const struct job_plan *p,
                struct stretch *left, struct stretch *ret) {
        const struct node_plans *np = &b->of[parts_node(b->node_parts, part)];

        if (p)
                left->from = MAX(left->from, MIN(left->until, b->held[part]));
        for (uint32_t i = 0; i < np->n && np->list[i]->start <= left->from; i++)
                if (is_other(np->list[i], p, part))
                        left->from = MAX(left->from, np->list[i]->until);
        if (left->from >= left->until)
                return false;
        *ret = *left;
        for (uint32_t i = 0; i < np->n && np->list[i]->start < ret->until; i++)
                if (is_other(np->list[i], p, part) && np->list[i]->start > ret->from) {
                        ret->until = np->list[i]->start;
                        break;
                }
        left->from = ret->until;
        return true;
}

static void cover_change_part(struct backfill *b, size_t part, const struct job_plan *p,
                struct stretch left, bool take) {
        struct stretch gap;

        bitset_clear(b->parts_scratch);
        bitset_add(b->parts_scratch, part);
        while (next_gap(b, part, p, &left, &gap))
                (take ? profile_take : profile_give)(b->profile, b->parts_scratch, gap.from,
                                gap.until);
}

/* Returns whether neither jobs nor plans other than p are on the part during p. */
static bool is_alone(const struct backfill *b, size_t part, const struct job_plan *p) {
        const struct node_plans *np = &b->of[parts_node(b->node_parts, part)];

        if (b->held[part] > p->start)
                return false;
        for (uint32_t i = 0; i < np->n && np->list[i]->start < p->until; i++)
                if (np->list[i]->until > p->start && is_other(np->list[i], p, part))
                        return false;
        return true;
}

static void cover_change(struct backfill *b, const struct job_plan *p, bool take) {
        _cleanup_(bitset_freep) struct bitset *shared = NULL;

        plan_parts(p, b->parts_scratch);
        if (plan_goes_by_numbers(p)) {
                shared = bitset_copy(b->parts_scratch);
                bitset_for_each(i, b->parts_scratch)
                        if (is_alone(b, i, p))
                                bitset_del(shared, i);
                bitset_minus(b->parts_scratch, shared);
        }
        (take ? profile_take : profile_give)(b->profile, b->parts_scratch, p->start, p->until);
        if (!shared)
                return;
        bitset_for_each(i, shared)
                cover_change_part(b, i, p, (struct stretch){ p->start, p->until }, take);
}

void cover_take(struct backfill *b, const struct job_plan *p) {
        cover_change(b, p, true);
}

void cover_give(struct backfill *b, const struct job_plan *p) {
        cover_change(b, p, false);
}

bool cover_leaves(const struct backfill *b, const struct job_plan *p) {
        size_t n;
        const struct node_range *of = plan_part_ranges(p, &n);

        if (!plan_goes_by_numbers(p))
                return true;
        for (size_t r = 0; r < n; r++)
                for (size_t i = of[r].from; i < (size_t)of[r].from + of[r].n; i++) {
                        struct stretch left = { p->start, p->until }, gap;
                        if (next_gap(b, i, p, &left, &gap))
                                return true;
                }
        return false;
}

bool cover_is_shared(const struct backfill *b, size_t part) {
        const struct node_plans *np = &b->of[parts_node(b->node_parts, part)];

        for (uint32_t i = 0; i < np->n; i++)
                if (plan_goes_by_numbers(np->list[i]) && plan_has_part(np->list[i], part))
                        return true;
        return false;
}

void cover_hold(struct backfill *b, size_t part, usec_t until, usec_t now) {
        usec_t before = MAX(b->held[part], now), then = MAX(until, now);

        cover_change_part(b, part, NULL, (struct stretch){ MIN(before, then), MAX(before, then) },
                        then > before);
        b->held[part] = until;
}
