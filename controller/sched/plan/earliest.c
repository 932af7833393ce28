/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times are a tree of groups of 16. A search goes from the top down by the least time of
 * each group; a change goes up as long as least times of groups change. A copy has the times of
 * groups at once, and the times of nodes when a search comes to the group. */
#include "controller/sched/plan/earliest.h"

enum { GROUP = 16 };

static usec_t group_least(const usec_t *of) {
        usec_t least = of[0];

        for (size_t i = 1; i < GROUP; i++)
                least = MIN(least, of[i]);
        return least;
}

/* Computes the levels above `level` anew. */
static void levels_compute(struct earliest *e, int level) {
        for (int l = level + 1; l <= e->top; l++)
                for (size_t i = 0; i < e->size[l - 1] / GROUP; i++)
                        e->of[l][i] = group_least(&e->of[l - 1][i * GROUP]);
}

void earliest_init(struct earliest *e, size_t n) {
        size_t size = MAX(n, (size_t)1);

        *e = (struct earliest){ .n = n, .top = -1 };
        do {
                size = DIV_ROUND_UP(size, GROUP) * GROUP;
                e->size[++e->top] = size;
                e->of[e->top] = xnew(usec_t, size);
                for (size_t i = 0; i < size; i++)
                        e->of[e->top][i] = USEC_INFINITY;
                size /= GROUP;
        } while (size > 1);
        earliest_clear(e);
}

void earliest_clear(struct earliest *e) {
        e->n_uncopied = 0;
        if (e->uncopied)
                bitset_clear(e->uncopied);
        memset(e->of[0], 0, e->n * sizeof e->of[0][0]);
        levels_compute(e, 0);
}

void earliest_done(struct earliest *e) {
        for (int l = 0; l <= e->top; l++)
                free(e->of[l]);
        bitset_free(e->uncopied);
}

/* Computes the least time of a group of nodes anew, and of all groups above. */
static void go_up(struct earliest *e, size_t group) {
        for (int l = 1; l <= e->top; l++, group /= GROUP) {
                const usec_t least = group_least(&e->of[l - 1][group * GROUP]);
                if (e->of[l][group] == least)
                        return;
                e->of[l][group] = least;
        }
}

/* Returns the nodes of a group of 16 that are not in set, as bits. */
static uint32_t others_in(const struct bitset *set, size_t group) {
        const size_t word = group * GROUP / 64;
        const uint64_t some = word < set->words ? set->word[word] : 0;

        return ~(uint32_t)(some >> group * GROUP % 64) & ((1u << GROUP) - 1);
}

static void earliest_copy_group(struct earliest *e, const struct earliest *from,
                const struct bitset *only, size_t group) {
        usec_t *of = &e->of[0][group * GROUP];

        if (e != from)
                memcpy(of, &from->of[0][group * GROUP], GROUP * sizeof of[0]);
        for (uint32_t left = others_in(only, group); left; left &= left - 1)
                of[__builtin_ctz(left)] = USEC_INFINITY;
        go_up(e, group);
}

/* Copies the times of a group's nodes, if e is a copy without these times. */
static void group_fetch(struct earliest *e, size_t group) {
        if (e->n_uncopied == 0 || !bitset_has(e->uncopied, group))
                return;
        bitset_del(e->uncopied, group);
        e->n_uncopied--;
        earliest_copy_group(e, e->from, e->only, group);
}

static void groups_fetch(struct earliest *e, size_t first_group, size_t last_group) {
        for (size_t i = first_group; e->n_uncopied && i <= last_group; i++)
                group_fetch(e, i);
}

void earliest_assign(struct earliest *e, const struct earliest *from, const struct bitset *only) {
        const size_t groups = e->size[0] / GROUP;

        if (e == from || e->top == 0) {
                for (size_t i = 0; i < groups; i++)
                        earliest_copy_group(e, from, only, i);
                return;
        }
        for (int l = 1; l <= e->top; l++)
                memcpy(e->of[l], from->of[l], e->size[l] * sizeof e->of[l][0]);
        if (!e->uncopied)
                e->uncopied = bitset_new(groups);
        bitset_fill(e->uncopied);
        e->n_uncopied = groups;
        e->from = from;
        e->only = only;
}

void earliest_raise(struct earliest *e, const struct earliest *from) {
        for (size_t i = 0; i < e->n; i++)
                e->of[0][i] = MAX(e->of[0][i], from->of[0][i]);
        levels_compute(e, 0);
}

void earliest_set(struct earliest *e, size_t node, usec_t t) {
        group_fetch(e, node / GROUP);
        size_t i = node;
        usec_t before = e->of[0][i];

        e->of[0][i] = t;
        for (int l = 1; l <= e->top; l++) {
                usec_t *above = &e->of[l][i / GROUP];
                const usec_t old = *above;
                if (t <= old)
                        *above = t;
                else if (before == old)
                        *above = group_least(&e->of[l - 1][i / GROUP * GROUP]);
                if (*above == old)
                        return;
                before = old;
                t = *above;
                i /= GROUP;
        }
}

void earliest_lower(struct earliest *e, size_t first, size_t n, usec_t t) {
        size_t last = first + n - 1;

        if (n == 0)
                return;
        groups_fetch(e, first / GROUP, last / GROUP);
        for (int l = 0; l <= e->top; l++, first /= GROUP, last /= GROUP)
                for (size_t i = first; i <= last; i++)
                        e->of[l][i] = MIN(e->of[l][i], t);
}

/* Returns the first node by t of group i of level l, a group with a time of at most t; SIZE_MAX:
   a copy's time of the group was earlier than all of the group's nodes. */
static size_t go_down(struct earliest *e, size_t i, int l, usec_t t) {
        for (; l > 1; l--)
                for (i *= GROUP; e->of[l - 1][i] > t;)
                        i++;
        if (l == 0)
                return i;
        group_fetch(e, i);
        if (e->of[1][i] > t)
                return SIZE_MAX;
        for (i *= GROUP; e->of[0][i] > t;)
                i++;
        return i;
}

size_t earliest_by(struct earliest *e, size_t first, usec_t t) {
        size_t i = first;
        int l = 0;

        for (;;) {
                for (; l < e->top && i % GROUP == 0; l++) /* pass over whole groups */
                        i /= GROUP;
                if (i >= e->size[l])
                        return SIZE_MAX;
                const size_t end = (i / GROUP + 1) * GROUP;
                if (l == 0)
                        group_fetch(e, i / GROUP);
                while (i < end && e->of[l][i] > t)
                        i++;
                if (i == end)
                        continue;
                const size_t found = go_down(e, i, l, t);
                if (found != SIZE_MAX)
                        return found < e->n ? found : SIZE_MAX;
        }
}

size_t earliest_in(const struct earliest *e, const struct bitset *set, size_t first, usec_t t) {
        for (size_t i = first, next; (i = bitset_next(set, i)) != SIZE_MAX; i = next) {
                if (e->of[0][i] <= t)
                        return i;
                next = i + 1;
                for (size_t l = 1, at = i / GROUP, size = GROUP;
                                l <= (size_t)e->top && e->of[l][at] > t;
                                l++, at /= GROUP, size *= GROUP)
                        next = (at + 1) * size;
        }
        return SIZE_MAX;
}

usec_t earliest_after(struct earliest *e, usec_t t) {
        usec_t next = USEC_INFINITY;

        groups_fetch(e, 0, e->size[0] / GROUP - 1);
        for (size_t k = 0; k < e->size[0] / GROUP; k++)
                for (size_t i = k * GROUP; i < (k + 1) * GROUP; i++)
                        if (e->of[0][i] > t)
                                next = MIN(next, e->of[0][i]);
        return next;
}

/* Returns the element that sorting would put at `place`; reorders all (quickselect). The pivot
   varies with each round, so that usual orders of times do not make the run time quadratic. */
static usec_t times_select(usec_t *all, size_t n, size_t place) {
        size_t low = 0, high = n - 1;
        uint64_t mixed = n;

        while (low < high) {
                mixed = mixed * 6364136223846793005u + 1442695040888963407u;
                usec_t middle = all[low + (mixed >> 33) % (high - low + 1)];
                size_t i = low, k = high;
                while (i <= k) {
                        while (all[i] < middle)
                                i++;
                        while (all[k] > middle)
                                k--;
                        if (i > k)
                                break;
                        usec_t t = all[i];
                        all[i++] = all[k];
                        all[k] = t;
                        if (k == 0)
                                break;
                        k--;
                }
                if (place <= k && k < high)
                        high = k;
                else if (place >= i)
                        low = i;
                else
                        return all[place];
        }
        return all[place];
}

/* Returns a time by which at least count nodes have come: the count-th least time of groups, as
   each group has a node that comes by the group's least time. Takes the highest level with at
   least count groups. */
static usec_t at_the_latest(struct earliest *e, size_t count, usec_t *scratch) {
        size_t groups = e->n;
        int l = 0;

        for (; l < e->top && DIV_ROUND_UP(groups, GROUP) >= count; l++)
                groups = DIV_ROUND_UP(groups, GROUP);
        if (l == 0) /* all nodes are read */
                groups_fetch(e, 0, e->size[0] / GROUP - 1);
        memcpy(scratch, e->of[l], e->size[l] * sizeof scratch[0]);
        return times_select(scratch, e->size[l], count - 1);
}

/* Returns the least of all times. The least time of a copy is certain once a node with that time
   is found. */
static usec_t earliest_first(struct earliest *e) {
        for (;;) {
                const usec_t t = group_least(e->of[e->top]);
                if (e->n_uncopied == 0 || t == USEC_INFINITY || earliest_by(e, 0, t) != SIZE_MAX)
                        return t;
        }
}

usec_t earliest_of(struct earliest *e, size_t count) {
        size_t n, before;

        if (count == 1)
                return earliest_first(e);
        if (count > e->n)
                return USEC_INFINITY;
        _cleanup_free_ usec_t *some = xnew(usec_t, e->size[0]);
        do { /* repeated while groups of a copy turn out to come later */
                const usec_t last = MIN(at_the_latest(e, count, some), USEC_INFINITY - 1);
                n = 0;
                before = e->n_uncopied;
                for (size_t i = 0; (i = earliest_by(e, i, last)) != SIZE_MAX; i++)
                        some[n++] = e->of[0][i];
        } while (n < count && e->n_uncopied < before);
        return n < count ? USEC_INFINITY : times_select(some, n, count - 1);
}

size_t earliest_bytes(const struct earliest *e) {
        size_t bytes = 0;

        for (int l = 0; l <= e->top; l++)
                bytes += e->size[l] * sizeof e->of[l][0];
        return bytes;
}
