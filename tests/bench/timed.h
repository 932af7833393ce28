/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/bench/timed.h - turns of a simulated cluster, timed; with each figure goes a number that
 * stands for all that was decided: two versions that decide the same print the same. */
#pragma once

#include "controller/turn/turn.h"
#include "tests/scenario/world.h"

#include <inttypes.h>
#include <time.h>

struct bench {
        struct world *w;
        uint64_t decided;
};

static void hash_word(struct bench *b, uint64_t word) {
        b->decided = (b->decided ^ word) * 0x9e3779b97f4a7c15u;
        b->decided ^= b->decided >> 29;
}

/* What a turn has decided, in its order. */
static void note_effects(struct bench *b) {
        const struct effects *e = &b->w->c->effects;

        for (size_t i = 0; i < e->n; i++) {
                hash_word(b, e->list[i].kind);
                hash_word(b, e->list[i].job);
                hash_word(b, e->list[i].node ? e->list[i].node->index : 0);
                for (const char *p = strempty(e->list[i].text); *p; p++)
                        hash_word(b, (uint64_t)*p);
        }
}

/* Of the processor, so that others on the machine do not count. */
static double used_ms(void) {
        return (double)clock() * 1000 / CLOCKS_PER_SEC;
}

/* Turns until nothing more is to be done at once: how many, all of them and the longest. */
static void timed_turns(struct bench *b, const char *what) {
        double all = 0, longest = 0;
        unsigned n = 0;

        do {
                double from = used_ms();
                turn(b->w->c, b->w->now);
                double ms = used_ms() - from;
                all += ms;
                longest = MAX(longest, ms);
                n++;
                note_effects(b);
                effects_done(&b->w->c->effects);
        } while (cluster_next_deadline(b->w->c) <= b->w->now);
        printf("%-56s %9.1f ms, %4u turns, longest %9.1f ms  %016" PRIx64
               "  %zu wait, %zu have nodes\n",
                        what, all, n, longest, b->decided, b->w->c->n_queue, b->w->c->n_active);
}
