/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/energy.h"

#include "controller/model/cluster.h"

static enum energy_figure figure_of(const struct node *n) {
        if (n->power == NODE_POWERED_DOWN)
                return ENERGY_OFF;
        if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                return ENERGY_BOOTING;
        return n->power == NODE_ON && n->n_jobs ? ENERGY_ON : ENERGY_IDLE;
}

static uint64_t node_draw(const struct node *n) {
        const struct energy *e = &n->energy;

        if (n->base == NODE_FUTURE)
                return 0;
        return e->read_in == (unsigned)n->power ? e->reading : n->figures[figure_of(n)];
}

static uint64_t node_saving(const struct node *n) {
        uint64_t idle = n->figures[ENERGY_IDLE] ? n->figures[ENERGY_IDLE] : n->energy.idle_reading,
                 now = node_draw(n);

        return n->power == NODE_POWERED_DOWN && n->base != NODE_FUTURE && idle > now ? idle - now
                                                                                     : 0;
}

/* Energy in mJ of a power in mW during t. */
static uint64_t energy_of_power(uint64_t milliwatts, usec_t t) {
        return (uint64_t)((__uint128_t)milliwatts * t / USEC_PER_SEC);
}

struct energy energy_of(const struct node *n, usec_t now) {
        struct energy e = n->energy;

        if (e.from && now > e.at) {
                uint64_t used = energy_of_power(e.draws, now - e.at);
                e.used += used;
                e.saved += energy_of_power(e.saves, now - e.at);
                if (n->sharing_cpus)
                        e.per_cpu += (used + n->sharing_cpus / 2) / n->sharing_cpus;
        }
        e.at = MAX(e.at, now);
        return e;
}

void energy_note(struct node *n, usec_t now) {
        /* the reading is from a previous power state */
        if (n->energy.read_in != (unsigned)n->power)
                n->energy.read_in = NODE_POWER_NONE;
        uint64_t draw = node_draw(n), save = node_saving(n);
        if (draw == n->energy.draws && save == n->energy.saves)
                return;
        n->energy = energy_of(n, now);
        n->energy.from = n->energy.from ? n->energy.from : now;
        n->energy.draws = draw;
        n->energy.saves = save;
}

/* Changes the number of CPUs sharing the power of n. */
static void share_among(struct cluster *c, struct node *n, uint32_t cpus, usec_t now) {
        n->energy = energy_of(n, now);
        n->sharing_cpus = cpus;
        note_node(c, FACT_NODE_SHARED, n);
}

/* The energy of a drawing job is reduced by the sums of its nodes at the start.  Arithmetic is
   modulo 2^64, as only differences are used. */
static void energy_share_add(struct cluster *c, struct job *j, const struct job_node *jn,
                usec_t now) {
        share_among(c, jn->node, jn->node->sharing_cpus + jn->cpus, now);
        j->accounting.energy -= jn->node->energy.per_cpu * jn->cpus;
}

static void energy_share_remove(struct cluster *c, struct job *j, const struct job_node *jn,
                usec_t now) {
        share_among(c, jn->node, jn->node->sharing_cpus - MIN(jn->node->sharing_cpus, jn->cpus),
                        now);
        j->accounting.energy += jn->node->energy.per_cpu * jn->cpus;
}

/* ---- steps: while the job draws power, the step's energy is reduced by the nodes' sums ---- */

/* The sum of the node at place, the step's kth node, times the step's CPUs there. */
static uint64_t sum_at(const struct job *j, const struct step *s, size_t place, size_t k,
                usec_t now) {
        const struct job_node *jn = &j->placed.alloc[place];
        uint32_t own = k < s->n_tasks_on ? s->taken[k] : 0;

        if (jn->done || bitset_has(s->ended, place))
                return 0;
        return energy_of(jn->node, now).per_cpu * (own ? own : jn->cpus);
}

/* The sums of all nodes of the step. */
static uint64_t step_energy_sum(const struct job *j, const struct step *s, usec_t now) {
        uint64_t all = 0;
        size_t k = 0;

        bitset_for_each(at, s->nodes)
                all += sum_at(j, s, at, k++, now);
        return all;
}

static uint64_t batch_sum(const struct job *j, usec_t now) {
        if (!job_has_script(j) || j->accounting.batch_told || j->placed.n_alloc == 0)
                return 0;
        const struct job_node *jn = &j->placed.alloc[j->placed.batch_at];
        return jn->done ? 0 : energy_of(jn->node, now).per_cpu * jn->cpus;
}

/* sign: -1 when the job begins to draw power, 1 when the job stops. */
static void step_draws(const struct job *j, struct step *s, int sign, usec_t now) {
        uint64_t sum = step_energy_sum(j, s, now);

        s->energy = sign > 0 ? s->energy + sum : s->energy - sum;
        for (size_t i = 0; i < s->n_parts; i++)
                step_draws(j, &s->parts[i], sign, now);
}

void energy_step_begins(const struct job *j, struct step *s, usec_t now) {
        if (j->accounting.draws)
                step_draws(j, s, -1, now);
}

void energy_step_leaves(const struct job *j, struct step *s, size_t place, usec_t now) {
        if (j->accounting.draws && bitset_has(s->nodes, place))
                s->energy += sum_at(j, s, place, bitset_count_below(s->nodes, place), now);
        for (size_t i = 0; i < s->n_parts; i++)
                energy_step_leaves(j, &s->parts[i], place, now);
}

/* Returns 0 for a value above the job's energy, which comes from a record without energy of
   steps. */
static uint64_t energy_plausible(uint64_t used, const struct job *j, usec_t now) {
        return used > energy_of_job(j, now) ? 0 : used;
}

uint64_t energy_of_step(const struct job *j, const struct step *s, usec_t now) {
        return energy_plausible(s->energy + (j->accounting.draws ? step_energy_sum(j, s, now) : 0),
                        j, now);
}

uint64_t energy_of_batch(const struct job *j, usec_t now) {
        return energy_plausible(j->accounting.batch_energy +
                                                (j->accounting.draws ? batch_sum(j, now) : 0),
                        j, now);
}

/* ---- jobs ---- */

void energy_job_runs(struct cluster *c, struct job *j, usec_t now) {
        if (j->accounting.draws)
                return;
        j->accounting.draws = true;
        j->accounting.batch_energy -= batch_sum(j, now);
        for (size_t i = 0; i < j->running.n_steps; i++)
                step_draws(j, &j->running.steps[i], -1, now);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        energy_share_add(c, j, &j->placed.alloc[i], now);
}

/* Power of a node with a job, since the given time. */
static void draw_with_job(struct node *n, usec_t since) {
        struct energy *e = &n->energy;

        if (n->power != NODE_ON || e->read_in == (unsigned)n->power)
                return;
        e->draws = n->figures[ENERGY_ON];
        e->saves = 0;
        e->from = e->from ? e->from : since;
}

void energy_job_restored(struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc && j->accounting.draws && j->running.resumed_at;
                        i++) {
                struct node *n = j->placed.alloc[i].node;
                if (j->placed.alloc[i].done || n->energy_known >= j->running.resumed_at)
                        continue;
                n->energy = energy_of(n, j->running.resumed_at);
                n->sharing_cpus += j->placed.alloc[i].cpus;
                draw_with_job(n, j->running.resumed_at);
        }
}

void energy_job_rests(struct cluster *c, struct job *j, usec_t now) {
        if (!j->accounting.draws)
                return;
        j->accounting.draws = false;
        j->accounting.batch_energy += batch_sum(j, now);
        for (size_t i = 0; i < j->running.n_steps; i++)
                step_draws(j, &j->running.steps[i], 1, now);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        energy_share_remove(c, j, &j->placed.alloc[i], now);
}

void energy_job_leaves(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        size_t place = (size_t)(jn - j->placed.alloc);

        if (!j->accounting.draws)
                return;
        if (place == j->placed.batch_at)
                j->accounting.batch_energy += batch_sum(j, now);
        for (size_t i = 0; i < j->running.n_steps; i++)
                energy_step_leaves(j, &j->running.steps[i], place, now);
        energy_share_remove(c, j, jn, now);
}

uint64_t energy_of_job(const struct job *j, usec_t now) {
        uint64_t used = j->accounting.energy;

        for (size_t i = 0; j->accounting.draws && i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        used += energy_of(j->placed.alloc[i].node, now).per_cpu *
                                j->placed.alloc[i].cpus;
        return used > INT64_MAX ? 0 : used; /* a state that was put back has different sums */
}
