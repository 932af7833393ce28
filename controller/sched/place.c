/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placing one job.
 *
 * place_offers() walks the nodes in order of preference and asks each what it can give; place_choose() takes the first that
 * are enough; place_settle() deals the tasks out and picks the units.  Nothing is changed: the caller starts the job or not. */
#include "controller/sched/place_private.h"

#include "controller/core/feature.h"
#include "controller/core/reboot.h"

bool place_wants_whole(const struct cluster *c, const struct job *j) {
        return cluster_whole_nodes(c) || j->spec.share == SHARE_NO ||
               j->partition->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE;
}

static int search(struct cluster *c, const struct job *j, const struct bitset *usable, enum place_mode mode,
                const struct yield *base, const struct yield *of, struct placement *ret) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        const struct job_spec *spec = &j->spec;
        struct search s = {
                .c = c,
                .j = j,
                .mode = mode,
                .may_reboot = j->features && mode != PLACE_EVER && reboot_allowed(c, j),
                .base = *base,
                .of = *of,
                .stops = of != base,
                .whole = place_wants_whole(c, j),
                .min_nodes = MAX(1u, spec->max_nodes ? spec->min_nodes : MAX(spec->min_nodes, j->partition->min_nodes)),
                .max_nodes = spec->max_nodes ? spec->max_nodes : UINT32_MAX,
                .num_tasks = job_tasks(j),
                .cpus_per_task = MAX(1u, spec->cpus_per_task),
        };
        int r = j->req_nodes ? place_required(&s, usable) : 0;

        s.want_nodes = s.min_nodes;
        if (spec->max_nodes > s.min_nodes)
                s.want_nodes = spec->tasks_set ? MAX(s.min_nodes, MIN(spec->max_nodes, s.num_tasks)) : spec->max_nodes;
        if (r < 0)
                goto out;
        set = bitset_copy(usable);
        bitset_and(set, j->partition->nodes);
        if (j->exc_nodes)
                bitset_minus(set, j->exc_nodes);
        if (j->req_nodes)
                s.min_nodes = MAX(s.min_nodes, (uint32_t)bitset_count(j->req_nodes));
        r = bitset_count(set) < s.min_nodes ? -ENOENT : 0;
        if (r < 0)
                goto out;
        if (mode == PLACE_FREE && !of->gone && !of->lent && s.whole && bitset_count_and(set, c->unused) < s.min_nodes) {
                r = -EBUSY; /* the common case, answered without looking at any other node */
                goto out;
        }
        place_offers(&s, set);
        size_t n = place_choose(&s);
        if (n == 0)
                r = -EBUSY;
        else
                place_settle(&s, n, ret);
out:
        free(s.offers);
        bitset_free(s.blocked);
        return r;
}

int place(struct cluster *c, const struct job *j, const struct bitset *usable, enum place_mode mode,
                struct placement *ret) {
        static const struct yield nobody;

        return search(c, j, usable, mode, &nobody, &nobody, ret);
}

int place_after(struct cluster *c, const struct job *j, const struct bitset *usable, const struct bitset *gone,
                struct placement *ret) {
        const struct yield base = { .gone = gone };

        return search(c, j, usable, PLACE_FREE, &base, &base, ret);
}

int place_instead(struct cluster *c, const struct job *j, const struct bitset *usable, const struct yield *base,
                const struct yield *of, struct placement *ret) {
        return search(c, j, usable, PLACE_FREE, base, of, ret);
}

void placement_done(struct placement *p) {
        bitset_free(TAKE(p->nodes));
        bitset_free(TAKE(p->units));
        free(TAKE(p->alloc));
        free(TAKE(p->victims));
}
