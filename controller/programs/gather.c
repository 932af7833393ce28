/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting nodes have been decided but not started: the nodes' records say so, and after kill -9 the
 * next controller starts the programs.  A node that has changed state meanwhile is left out of the
 * run. */
#include "controller/programs/gather.h"
#include "controller/programs/programs.h"

#define KINDS (RUNNING_RESUME + 1)
_Static_assert(RUNNING_SUSPEND < RUNNING_RESUME, "the kinds that gather stand first");

struct gather {
        struct controller *ctl;
        enum running_kind kind;
        struct effect waiting; /* nodes is NULL: no node waits */
        usec_t last;           /* start of the last run, CLOCK_MONOTONIC; 0: none yet */
        usec_t pause;
        usec_t until; /* waiting nodes gather until then, CLOCK_MONOTONIC; 0: no gathering */
        sd_event_source *timer; /* runs until both times have passed, while nodes wait */
};

static struct gather *gather_of(struct controller *ctl, enum running_kind kind) {
        assert(kind < KINDS);
        if (!ctl->gathers) {
                ctl->gathers = xnew0(struct gather, KINDS);
                for (size_t i = 0; i < KINDS; i++)
                        ctl->gathers[i] = (struct gather){ .ctl = ctl,
                                .kind = (enum running_kind)i,
                                .pause = GATHER_PAUSE };
        }
        return &ctl->gathers[kind];
}

static void waiting_done(struct gather *g) {
        for (size_t i = 0; i < g->waiting.n_wakes; i++)
                bitset_free(g->waiting.wakes[i].nodes);
        free(g->waiting.wakes);
        bitset_free(g->waiting.nodes);
        g->waiting = (struct effect){ 0 };
        g->until = 0;
        g->timer = sd_event_source_disable_unref(g->timer);
}

static void gather_add_wake(struct effect *to, const struct wake *w) {
        for (size_t i = 0; i < to->n_wakes; i++)
                if (to->wakes[i].job == w->job) {
                        bitset_or(to->wakes[i].nodes, w->nodes);
                        return;
                }
        to->wakes = xrenew(to->wakes, to->n_wakes + 1);
        to->wakes[to->n_wakes++] = (struct wake){ w->job, bitset_copy(w->nodes) };
}

static void drop_others(struct gather *g) {
        const struct cluster *c = g->ctl->cluster;
        enum node_power power = g->kind == RUNNING_RESUME ? NODE_POWERING_UP : NODE_POWERING_DOWN;
        struct effect *fx = &g->waiting;

        bitset_for_each(i, fx->nodes)
                if (c->nodes[i]->power != power || c->nodes[i]->program_started)
                        bitset_del(fx->nodes, i);
        for (size_t i = fx->n_wakes; i-- > 0;) {
                bitset_and(fx->wakes[i].nodes, fx->nodes);
                if (!bitset_empty(fx->wakes[i].nodes))
                        continue;
                bitset_free(fx->wakes[i].nodes);
                fx->wakes[i] = fx->wakes[--fx->n_wakes];
        }
}

static bool one_runs(const struct gather *g) {
        return running_some(g->ctl, g->kind);
}

static void gather_run(struct gather *g) {
        drop_others(g);
        if (!bitset_empty(g->waiting.nodes)) {
                g->pause = one_runs(g) ? MIN(2 * g->pause, GATHER_PAUSE_MAX) : GATHER_PAUSE;
                g->last = now_monotonic();
                (g->kind == RUNNING_RESUME ? program_resume : program_suspend)(g->ctl, &g->waiting);
        }
        waiting_done(g);
}

static int gather_on_time(sd_event_source *source, uint64_t usec, void *user) {
        (void)source, (void)usec;
        gather_run(user);
        return 0;
}

/* Returns the waiting time of a node that comes now. */
static usec_t time_left(const struct gather *g) {
        usec_t pause = one_runs(g) ? g->pause : GATHER_PAUSE, now = now_monotonic(),
               until = MAX(g->last ? g->last + pause : 0, g->until);

        return until - MIN(now, until);
}

static void run_or_wait(struct gather *g) {
        usec_t left = time_left(g);

        g->timer = sd_event_source_disable_unref(g->timer);
        if (left == 0 || sd_event_add_time_relative(g->ctl->event, &g->timer, CLOCK_MONOTONIC, left,
                                         USEC_PER_MSEC, gather_on_time, g) < 0)
                gather_run(g);
}

/* Returns until when nodes to be switched off wait for further nodes that fall idle in the same
   second; must not take much of SuspendTimeout. */
static usec_t wait_for_company(const struct gather *g, const struct bitset *nodes) {
        usec_t longest = GATHER_SUSPEND;

        if (g->kind != RUNNING_SUSPEND)
                return 0;
        bitset_for_each(i, nodes)
                longest = MIN(longest, g->ctl->cluster->nodes[i]->suspend_timeout / 4);
        return now_monotonic() + longest;
}

void gather_add(struct controller *ctl, enum running_kind kind, const struct effect *fx) {
        struct gather *g = gather_of(ctl, kind);
        usec_t until = wait_for_company(g, fx->nodes);

        g->until = g->until ? MIN(g->until, until) : until;
        if (g->waiting.nodes)
                bitset_or(g->waiting.nodes, fx->nodes);
        else
                g->waiting.nodes = bitset_copy(fx->nodes);
        for (size_t i = 0; i < fx->n_wakes; i++)
                gather_add_wake(&g->waiting, &fx->wakes[i]);
        if (!g->timer)
                run_or_wait(g);
}

void gather_ended(struct controller *ctl, enum running_kind kind) {
        struct gather *g = kind < KINDS && ctl->gathers ? &ctl->gathers[kind] : NULL;

        if (g && g->waiting.nodes)
                run_or_wait(g);
}

void gather_flush(struct controller *ctl) {
        for (size_t i = 0; ctl->gathers && i < KINDS; i++)
                if (ctl->gathers[i].waiting.nodes)
                        gather_run(&ctl->gathers[i]);
}

void gather_free(struct controller *ctl) {
        for (size_t i = 0; ctl->gathers && i < KINDS; i++)
                waiting_done(&ctl->gathers[i]);
        free(TAKE(ctl->gathers));
}
