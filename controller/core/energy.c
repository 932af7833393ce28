/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/energy.h"

#include "controller/core/cluster.h"

static enum energy_figure figure_of(const struct node *n) {
        if (n->power == NODE_POWERED_DOWN)
                return ENERGY_OFF;
        if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                return ENERGY_BOOTING;
        return n->power == NODE_ON && n->n_jobs ? ENERGY_ON : ENERGY_IDLE;
}

static uint64_t draws(const struct node *n) {
        const struct energy *e = &n->energy;

        if (n->base == NODE_FUTURE)
                return 0;
        return e->read_in == (unsigned)n->power ? e->reading : n->figures[figure_of(n)];
}

static uint64_t saves(const struct node *n) {
        uint64_t idle = n->figures[ENERGY_IDLE] ? n->figures[ENERGY_IDLE] : n->energy.idle_reading, now = draws(n);

        return n->power == NODE_POWERED_DOWN && n->base != NODE_FUTURE && idle > now ? idle - now : 0;
}

/* mW for so long, in mJ. */
static uint64_t energy(uint64_t milliwatts, usec_t t) {
        return (uint64_t)((__uint128_t)milliwatts * t / USEC_PER_SEC);
}

struct energy energy_of(const struct node *n, usec_t now) {
        struct energy e = n->energy;

        if (e.from && now > e.at) {
                e.used += energy(e.draws, now - e.at);
                e.saved += energy(e.saves, now - e.at);
        }
        e.at = now;
        return e;
}

void energy_note(struct node *n, usec_t now) {
        if (n->energy.read_in != (unsigned)n->power) /* it was of before */
                n->energy.read_in = NODE_POWER_NONE;
        uint64_t draw = draws(n), save = saves(n);
        if (draw == n->energy.draws && save == n->energy.saves)
                return;
        n->energy = energy_of(n, now);
        n->energy.from = n->energy.from ? n->energy.from : now;
        n->energy.draws = draw;
        n->energy.saves = save;
}

void energy_reading(struct cluster *c, struct node *n, uint64_t milliwatts, usec_t now) {
        uint64_t before = n->energy.reading, difference = MAX(before, milliwatts) - MIN(before, milliwatts);

        if (n->energy.read_in == (unsigned)n->power && difference <= before / 20)
                return;
        n->energy.reading = milliwatts;
        n->energy.read_in = (unsigned)n->power;
        if (n->power == NODE_ON && n->n_jobs == 0)
                n->energy.idle_reading = milliwatts;
        cluster_node_changed(c, n, now);
}
