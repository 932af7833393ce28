/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heterogeneous job in its leader's turn: the components, and the ways to place them (guide
 * "Heterogeneous job support"). A way is a choice of one partition and one reservation for each
 * component; the ways are numbered from 0. */
#include "controller/model/het.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/jobs/job_events.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/sched_private.h"

/* Maximum number of ways tried; the full number is the product of the partitions and reservations
   of all components. */
#define WAYS_MAX 16u

/* The partitions and reservations possible for a component; for the leader only the partition of
   its present turn. */
struct options {
        struct bid *bids[WAYS_MAX];
        size_t n_bids, n_resvs;
        struct resv *resvs[RESV_CHOICES_MAX];
};

static bool is_hindered_in(const struct cluster *c, struct bid *b, bool limits, usec_t now,
                usec_t *ret_again) {
        struct job room;
        const struct job *m = job_in_bid(b, &room);

        return partition_wait_reason(c, m) != REASON_NONE ||
               (limits && limits_wait_reason(c, m, NULL, NULL, now, ret_again) != REASON_NONE);
}

/* Lists the partitions in which nothing hinders m from starting; all partitions if there is
   none. */
static size_t bids_of(const struct cluster *c, struct job *m, enum het_when when, usec_t now,
                struct bid *ret[WAYS_MAX]) {
        struct bid *bids = m->waiting.bids;
        size_t n = 0;

        for (size_t i = 0; i < m->waiting.n_bids && n < WAYS_MAX && when != HET_EVER; i++)
                if (!is_hindered_in(c, &bids[i], when != HET_LATER, now, NULL))
                        ret[n++] = &bids[i];
        if (n)
                return n;
        for (; n < m->waiting.n_bids && n < WAYS_MAX; n++)
                ret[n] = &bids[n];
        return n;
}

static struct options options_of(const struct cluster *c, const struct job *j, uint32_t at,
                enum het_when when, usec_t now) {
        struct job *m = j->het->of[at];
        struct options o = { .n_bids = 1, .n_resvs = 1 };

        if (at == 0)
                o.bids[0] = j->waiting.current;
        else if (m->waiting.n_bids == 1)
                o.bids[0] = m->waiting.bids;
        else
                o.n_bids = bids_of(c, m, when, now, o.bids);
        if (c->resvs.n)
                o.n_resvs = resv_choices(c, m, when != HET_NOW, now, o.resvs);
        return o;
}

size_t het_ways(const struct cluster *c, const struct job *j, enum het_when when, usec_t now) {
        size_t ways = 1;

        for (uint32_t i = 0; i < j->het->n && ways < WAYS_MAX; i++) {
                const struct options o = options_of(c, j, i, when, now);
                ways *= o.n_bids * o.n_resvs;
        }
        return MIN(ways, (size_t)WAYS_MAX);
}

/* The value of a component in the partition of b, with the leader's turn. */
static const struct job *component_in(struct bid *b, const struct bid *turn, struct job *room) {
        const struct job *there = job_in_bid(b, room);

        if (turn == b) /* the leader itself */
                return there;
        if (there != room)
                *room = *there;
        room->waiting.turn = turn;
        return room;
}

struct het_way het_way(const struct cluster *c, const struct job *j, size_t which,
                enum het_when when, usec_t now) {
        struct het_way w = { .of = xnew0(struct together, j->het->n),
                .license = xnew0(size_t, j->het->n),
                .n = j->het->n,
                .rooms = xnew0(struct job, 2 * (size_t)j->het->n) };

        for (uint32_t i = 0; i < j->het->n; i++) {
                const struct options o = options_of(c, j, i, when, now);
                const struct job *there = component_in(o.bids[which % o.n_bids], j->waiting.current,
                                &w.rooms[2 * i]);
                which /= o.n_bids;
                if (c->resvs.n && o.n_resvs)
                        there = job_in_resv(there, o.resvs[which % o.n_resvs], &w.rooms[2 * i + 1]);
                which /= MAX((size_t)1, o.n_resvs);
                w.of[i].j = there;
        }
        return w;
}

void het_way_done(struct het_way *w) {
        together_free(TAKE(w->of), w->n);
        free(TAKE(w->license));
        free(TAKE(w->rooms));
}

static bool way_is_impossible(struct cluster *c, const struct job *j, size_t which, usec_t now) {
        _cleanup_(het_way_done) struct het_way w = het_way(c, j, which, HET_EVER, now);
        size_t why;

        for (size_t i = 0; i < w.n; i++) {
                w.of[i].usable = bitset_new(c->n_nodes);
                bitset_fill(w.of[i].usable);
        }
        return place_together(c, w.of, w.n, PLACE_EVER, NULL, &why) == -ENOENT;
}

/* Number of ways known to be impossible (het.never_ways), reset if the nodes or the leader's bid
   have changed. */
static uint32_t *impossible_ways(const struct cluster *c, const struct job *j) {
        struct het *h = j->het;

        if (h->never_as_of != c->nodes_as_of || h->never_in != j->waiting.current) {
                h->never_as_of = c->nodes_as_of;
                h->never_in = j->waiting.current;
                h->never_ways = 0;
        }
        return &h->never_ways;
}

int het_could_never_run(struct cluster *c, const struct job *j, usec_t now) {
        struct bid *b = j->waiting.current;
        uint64_t until = c->slices.looked + LOOKS_MAX / 4;

        if (b->never_as_of == c->nodes_as_of)
                return b->never;
        uint32_t *done = impossible_ways(c, j);
        size_t n = het_ways(c, j, HET_EVER, now);
        bool never = true;
        while (*done < n && never) {
                never = way_is_impossible(c, j, *done, now);
                *done += never;
                if (never && *done < n && c->slices.looked >= until)
                        return -EAGAIN;
        }
        b->never = never;
        b->never_as_of = c->nodes_as_of;
        return never;
}

enum job_reason het_way_limit(const struct cluster *c, const struct het_way *w, usec_t now,
                usec_t *ret_again) {
        _cleanup_free_ const struct job **of = xnew(const struct job *, w->n + 1);
        enum job_reason why = REASON_NONE;

        for (size_t i = 0; i < w->n; i++)
                of[i] = w->of[i].j;
        _cleanup_(limits_without_freep) struct limits_without *beside = limits_without_of(c, of,
                        w->n, NULL);
        for (size_t i = 0; i < w->n && why == REASON_NONE; i++) {
                why = limits_wait_reason(c, of[i], NULL, beside, now, ret_again);
                limits_without_add(beside, c, of[i], NULL);
        }
        return why;
}

enum job_reason het_limit(const struct cluster *c, const struct job *j, usec_t now,
                usec_t *ret_again) {
        enum job_reason first = REASON_NONE;

        for (size_t i = 0, n = het_ways(c, j, HET_AHEAD, now); i < n; i++) {
                _cleanup_(het_way_done) struct het_way w = het_way(c, j, i, HET_AHEAD, now);
                enum job_reason why = het_way_limit(c, &w, now, ret_again);
                if (why == REASON_NONE)
                        return why;
                first = i == 0 ? why : first;
        }
        return first;
}

bool het_is_hindered(const struct cluster *c, const struct job *j, usec_t now, usec_t *ret_again) {
        bool hindered = false;

        for (uint32_t i = 0; i < j->het->n && !hindered; i++) {
                const struct job *m = j->het->of[i];
                struct bid *bids = i ? m->waiting.bids : j->waiting.current;
                size_t k = 0, n = i ? m->waiting.n_bids : 1;
                while (k < n && is_hindered_in(c, &bids[k], true, now, ret_again))
                        k++;
                hindered = k == n || resv_excludes_job(c, m);
        }
        return hindered;
}

void het_tell(struct cluster *c, const struct job *of) {
        const struct job *told = job_itself(of);

        for (uint32_t i = 0; i < told->het->n; i++) {
                struct job *m = told->het->of[i];
                if (m && m != told && job_is_queued(m) && !job_is_held(m))
                        job_set_reason(c, m, told->reason, told->reason_text);
        }
}
