/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps and the generic resources of their job. A step asking for generic resources gets units of
 * the job for exclusive use (except with --overlap); a step not asking shares all units of the
 * job. */
#include "controller/steps/step_gres.h"

#include "controller/model/gres.h"
#include "controller/model/node.h"
#include "lib/step_id.h"

/* Returns the number of units of a share occupied by steps with their own units; the interactive
   step occupies none. set (may be NULL): the occupied units are added. */
static uint64_t gres_share_taken(const struct job *j, const struct gres_share *of,
                struct bitset *set) {
        uint64_t count = 0;

        for (size_t i = 0; i < j->running.n_steps; i++) {
                const struct step *s = &j->running.steps[i];
                if (s->gres_kind != STEP_GRES_OWN || s->id == STEP_INTERACTIVE ||
                                !bitset_has(s->nodes, of->place) || bitset_has(s->ended, of->place))
                        continue;
                for (size_t k = 0; k < s->n_gres; k++)
                        if (s->gres[k].place == of->place && s->gres[k].item == of->item) {
                                count += s->gres[k].count;
                                if (set && s->gres[k].units)
                                        bitset_or(set, s->gres[k].units);
                        }
        }
        return count;
}

static bool gres_share_is_wanted(const struct job *j, const struct gres_share *share,
                const struct gres_want *w) {
        const struct node_gres *g = &j->placed.alloc[share->place].node->gres_items[share->item];

        return streq(g->name, w->name) && (!w->type || (g->type && streq(g->type, w->type)));
}

/* Returns the count left for a want at a position of j->placed.alloc; ever: as if no step ran. */
static uint64_t gres_left_at(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_want *w, size_t at, bool ever) {
        uint64_t left = 0;
        size_t n;
        const struct gres_share *shares = gres_shares_of(j->placed.gres, j->placed.n_gres,
                        (uint32_t)at, &n);

        for (size_t k = 0; k < n; k++) {
                if (!gres_share_is_wanted(j, &shares[k], w))
                        continue;
                uint64_t gone = ever || spec->overlap ? 0 : gres_share_taken(j, &shares[k], NULL);
                left += shares[k].count - MIN(gone, shares[k].count);
        }
        return left;
}

/* Returns the resources at a position that the step wants in total (per job). */
static struct gres_parts gres_parts_at(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, size_t at, bool ever) {
        struct gres_parts has = { .most = UINT32_MAX };

        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_job)
                        has.of[w->list[i].of_job] = (uint32_t)MIN(
                                        gres_left_at(j, spec, &w->list[i], at, ever),
                                        (uint64_t)UINT32_MAX);
        return has;
}

uint32_t step_gres_room(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, size_t at, bool ever) {
        const struct gres_parts has = gres_parts_at(j, spec, w, at, ever);
        uint64_t room = gres_total_of(w).n && !gres_parts_sum(&has) ? 0 : UINT32_MAX;

        for (size_t i = 0; w && i < w->n; i++) {
                uint64_t left = gres_left_at(j, spec, &w->list[i], at, ever);
                if (left < w->list[i].per_node)
                        return 0;
                if (w->list[i].per_task)
                        room = MIN(room, gres_tasks_of(&w->list[i], left));
        }
        return (uint32_t)room;
}

enum slumber_error step_gres_wants(const struct job *j, const Slumber__StepSpec *spec,
                struct gres_wants **ret, struct fail *fail) {
        struct job as = { .asked = { .tres_per_node = spec->tres_per_node,
                                          .tres_per_task = spec->tres_per_task,
                                          .tres_per_job = spec->tres_per_job,
                                          .ntasks_per_gpu = spec->ntasks_per_gpu } };
        _cleanup_(gres_wants_freep) struct gres_wants *w = NULL;
        uint64_t tasks = 0, tasks_wanted = MAX(1u, spec->num_tasks);
        size_t nodes = 0;

        if (gres_wants_parse(NULL, &as, &w, fail) < 0)
                return SLUMBER_BAD_GRES;
        for (size_t i = 0; w && i < j->placed.n_alloc; i++) {
                uint32_t room = step_gres_room(j, spec, w, i, true);
                nodes += room > 0;
                tasks += MIN(room, spec->num_tasks ? spec->num_tasks : 1);
        }
        bool enough = !w || (nodes >= MAX(1u, spec->min_nodes) &&
                                            tasks >= (*spec->tres_per_task ? tasks_wanted : 1));
        const struct gres_total total = gres_total_of(w);
        struct gres_sums there = { 0 };
        for (size_t i = 0; total.n && i < j->placed.n_alloc; i++) {
                const struct gres_parts has = gres_parts_at(j, spec, w, i, true);
                gres_sums_add(&there, &has);
        }
        if (!enough || !gres_sums_do(&there, &total)) {
                fail_set(fail, -EINVAL, "the job does not have so many generic resources");
                return SLUMBER_BAD_GRES;
        }
        *ret = TAKE(w);
        return SLUMBER_OK;
}

/* Takes up to count from one of the job's shares; returns the count still missing. */
static uint64_t take_share(const struct job *j, struct step *s, const struct gres_share *of,
                bool overlap, uint64_t count) {
        _cleanup_(bitset_freep) struct bitset *gone = of->units ? bitset_new(of->units->bits)
                                                                : NULL;
        uint64_t used = overlap ? 0 : gres_share_taken(j, of, gone),
                 takes = MIN(count, of->count - MIN(used, of->count)), left = takes;
        struct gres_share share = {
                of->place,
                of->item,
                takes,
                of->units ? bitset_new(of->units->bits) : NULL,
        };

        if (overlap && gone)
                bitset_clear(gone);
        if (of->units)
                bitset_for_each(i, of->units)
                        if (left && !bitset_has(gone, i)) {
                                bitset_add(share.units, i);
                                left--;
                        }
        if (takes == 0) {
                bitset_free(share.units);
                return count;
        }
        s->gres = xrenew(s->gres, s->n_gres + 1);
        s->gres[s->n_gres++] = share;
        return count - takes;
}

/* Returns the index of the entry that reduces the missing resources most, the first of several. */
static size_t gres_next_entry(const struct gres_parts *has, size_t n, const bool *taken,
                const struct gres_total *total, const struct gres_reach *reach) {
        uint64_t best = 0, lacking = gres_lacking(total, reach);
        size_t found = n;

        for (size_t i = 0; i < n; i++) {
                struct gres_reach with = *reach;
                if (taken[i])
                        continue;
                if (lacking)
                        gres_reach_add(&with, total, &has[i]);
                uint64_t brings = lacking - gres_lacking(total, &with);
                if (found == n || brings > best) {
                        found = i;
                        best = brings;
                }
                if (!lacking)
                        break;
        }
        return found;
}

/* Chooses entries by the largest gain in turn; ret: the chosen indexes, ascending. */
static bool choose_largest(const struct gres_parts *has, size_t n, size_t wanted,
                const struct gres_total *total, size_t *ret) {
        _cleanup_free_ struct gres_parts *theirs = xnew(struct gres_parts, wanted + 1),
                                         *dealt = xnew(struct gres_parts, wanted + 1);
        _cleanup_free_ bool *taken = xnew0(bool, n + 1);
        struct gres_reach reach = { 0 };

        for (size_t k = 0; k < wanted; k++) {
                size_t i = gres_next_entry(has, n, taken, total, &reach);
                taken[i] = true;
                if (gres_lacking(total, &reach))
                        gres_reach_add(&reach, total, &has[i]);
        }
        for (size_t i = 0, k = 0; i < n; i++)
                if (taken[i]) {
                        theirs[k] = has[i];
                        ret[k++] = i;
                }
        return gres_deal(total, theirs, NULL, NULL, wanted, dealt);
}

bool step_gres_choose(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, const size_t *at, size_t n, size_t wanted, bool ever,
                size_t *ret) {
        _cleanup_free_ struct gres_parts *has = xnew(struct gres_parts, n + 1),
                                         *dealt = xnew(struct gres_parts, n + 1);
        const struct gres_total total = gres_total_of(w);
        bool found = n >= wanted && !total.n;
        size_t from = 0;

        for (size_t i = 0; total.n && i < n; i++)
                has[i] = gres_parts_at(j, spec, w, at[i], ever);
        while (!found && from + wanted <= n)
                if (gres_deal(&total, &has[from], NULL, NULL, wanted, dealt))
                        found = true;
                else
                        from++;
        for (size_t k = 0; found && k < wanted; k++)
                ret[k] = from + k;
        return found || (n >= wanted && choose_largest(has, n, wanted, &total, ret));
}

/* Deals the total resources out to the step's nodes; the caller frees. */
static struct gres_parts *gres_deal_to_nodes(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, const size_t *at, const uint32_t *count, size_t n) {
        _cleanup_free_ struct gres_parts *has = xnew(struct gres_parts, n + 1),
                                         *least = xnew0(struct gres_parts, n + 1);
        struct gres_parts *dealt = xnew0(struct gres_parts, n + 1);
        const struct gres_total total = gres_total_of(w);

        for (size_t i = 0; i < n; i++) {
                has[i] = gres_parts_at(j, spec, w, at[i], false);
                for (size_t k = 0; k < w->n; k++)
                        if (w->list[k].per_job)
                                least[i].of[w->list[k].of_job] = (uint32_t)MIN(
                                                MAX(w->list[k].per_node, gres_of_tasks(&w->list[k],
                                                                                         count[i])),
                                                (uint64_t)UINT32_MAX);
        }
        (void)gres_deal(&total, has, least, NULL, n, dealt);
        return dealt;
}

static int gres_share_compare(const void *a, const void *b) {
        const struct gres_share *x = a, *y = b;

        if (x->place != y->place)
                return x->place < y->place ? -1 : 1;
        return x->item < y->item ? -1 : x->item > y->item;
}

void step_gres_take(struct job *j, struct step *s, const Slumber__StepSpec *spec, const size_t *at,
                const uint32_t *count, size_t n) {
        _cleanup_(gres_wants_freep) struct gres_wants *w = NULL;

        s->gres_kind = spec->no_gres ? STEP_GRES_NONE : STEP_GRES_ALL;
        if (step_gres_wants(j, spec, &w, NULL) != SLUMBER_OK || !w)
                return;
        _cleanup_free_ struct gres_parts *dealt = gres_deal_to_nodes(j, spec, w, at, count, n);
        for (size_t i = 0; i < n; i++) {
                size_t n_shares;
                const struct gres_share *shares = gres_shares_of(j->placed.gres, j->placed.n_gres,
                                (uint32_t)at[i], &n_shares);
                for (size_t k = 0; k < w->n; k++) {
                        uint64_t rest = MAX(w->list[k].per_node,
                                        gres_of_tasks(&w->list[k], count[i]));
                        if (w->list[k].per_job)
                                rest = MAX(rest, (uint64_t)dealt[i].of[w->list[k].of_job]);
                        for (size_t m = 0; m < n_shares && rest; m++)
                                if (gres_share_is_wanted(j, &shares[m], &w->list[k]))
                                        rest = take_share(j, s, &shares[m], spec->overlap, rest);
                }
        }
        s->gres_kind = STEP_GRES_OWN; /* set last: gres_share_taken() must not count this step */
        /* a component's nodes may precede nodes of earlier components */
        if (s->n_gres)
                list_sort(s->gres, s->n_gres, sizeof *s->gres, gres_share_compare);
}
