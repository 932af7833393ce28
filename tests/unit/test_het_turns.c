/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heterogeneous jobs whose components are hard to place: the pass and the plan look for them in
 * several turns, none of which takes long, and come to an end whatever happens in between. */
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#include <inttypes.h>

#define NODES      96u
#define JOBS       5u
#define COMPONENTS 4u

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

/* Partition pK has half of the nodes, from K eighths on; parts: the plan has parts of nodes. */
static struct world *make(bool parts) {
        char *text = xasprintf(
                        "yaml plan_whole_nodes: %s\n"
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMaxJobCount=10000\n"
                        "NodeName=n[1-96] CPUs=8\nPartitionName=p Nodes=ALL Default=YES\n",
                        parts ? "no" : "yes");
        struct fail fail = { 0 };
        struct world *w = NULL;

        for (unsigned i = 0; i < 8; i++) {
                unsigned from = i * NODES / 8, until = from + NODES / 2;
                _cleanup_free_ char *before = text, *rest = NULL;
                if (until > NODES)
                        rest = xasprintf(",n[1-%u]", until - NODES);
                text = xasprintf("%sPartitionName=p%u Nodes=n[%u-%u]%s\n", before, i, from + 1,
                                MIN(until, NODES), strempty(rest));
        }
        if (world_new(text, &w, &fail) < 0)
                fail_msg("%s", fail.text);
        free(text);
        w->answering = true;
        w->tell_agents = false;
        world_advance(w, w->now);
        w->answering = false;
        return w;
}

static const struct submitter who = { .uid = 1, .gid = 1, .user = "u", .group = "g" };

/* On each node a job, of some hours, that has it or a half of it. */
static void fill(struct world *w) {
        for (unsigned i = 0; i < NODES; i++) {
                const struct job_spec spec = { .batch = true,
                        .min_nodes = 1,
                        .max_nodes = 1,
                        .num_tasks = 4,
                        .time_limit = (1 + roll(600)) * 60 * USEC_PER_SEC,
                        .share = roll(3) ? SHARE_NO : SHARE_OK };
                struct job *j;
                assert_int_equal(job_admit(w->c, &spec, &who, w->now, &j, NULL), SLUMBER_OK);
        }
}

static void submit(struct world *w) {
        struct job_spec specs[COMPONENTS] = { 0 };
        struct job *of[COMPONENTS];
        struct fail fail = { 0 };
        uint32_t n = NODES * 9 / 10 / COMPONENTS;
        size_t failed;

        for (uint32_t i = 0; i < COMPONENTS; i++) {
                uint32_t at = roll(8);
                specs[i] = (struct job_spec){ .batch = true,
                        .partition = xasprintf("p%u,p%u", at, (at + 3) % 8),
                        .min_nodes = n,
                        .max_nodes = n,
                        .num_tasks = n * 4,
                        .time_limit = (10 + roll(300)) * 60 * USEC_PER_SEC,
                        .time_min = i ? 0 : 5 * 60 * USEC_PER_SEC,
                        .share = i % 2 ? SHARE_NO : SHARE_OK };
        }
        assert_int_equal(het_admit(w->c, specs, COMPONENTS, &who, w->now, of, &failed, &fail),
                        SLUMBER_OK);
        for (uint32_t i = 0; i < COMPONENTS; i++)
                free(specs[i].partition);
}

static void end_one(struct world *w) {
        struct job *j = w->c->n_active ? w->c->active[roll((uint32_t)w->c->n_active)] : NULL;

        if (!j || j->state != JOB_RUNNING || j->completing)
                return;
        job_end(w->c, j, JOB_COMPLETED, REASON_NONE, 0, w->now);
        for (size_t k = 0; k < j->placed.n_alloc; k++)
                job_gone(w->c, j, j->placed.alloc[k].node, NULL, w->now);
}

static void cancel_one(struct world *w) {
        struct job *j = w->c->n_queue ? w->c->queue[roll((uint32_t)w->c->n_queue)]->job : NULL;

        for (uint32_t i = 0; j && j->het && i < COMPONENTS; i++)
                (void)job_cancel(w->c, j->het->of[i], 0, w->now);
}

/* In one turn the pass and the plan may each look at so much, and finish what they are at. */
#define TURN_LOOKS (3 * LOOKS_MAX)

/* How many turns it takes until nothing is left to be done at that moment; happens, at most so many
   times: after each but the last few. */
static unsigned settle(struct world *w, void (*happens)(struct world *w), unsigned times) {
        unsigned n = 0;

        do {
                uint64_t looked = w->c->slices.looked;
                turn(w->c, w->now);
                effects_done(&w->c->effects);
                if (w->c->slices.looked - looked > TURN_LOOKS)
                        fail_msg("%" PRIu64 " looks in turn %u", w->c->slices.looked - looked, n);
                if (n++ < times)
                        happens(w);
                assert_true(n < 1000 + times);
        } while (cluster_next_deadline(w->c) <= w->now);
        return n;
}

static void all_are_planned(struct world *w) {
        for (size_t i = 0; i < w->c->n_queue; i++) {
                const struct job *j = w->c->queue[i]->job;
                if (j->het && !j->waiting.plan)
                        fail_msg("job %u is not planned", j->id);
        }
}

static struct world *busy(uint64_t seed, bool parts) {
        state = seed;
        struct world *w = make(parts);
        fill(w);
        (void)settle(w, NULL, 0);
        for (unsigned i = 0; i < JOBS; i++)
                submit(w);
        return w;
}

static void take_turns(bool parts) {
        struct world *w = busy(1, parts);

        assert_true(settle(w, NULL, 0) > 2);
        all_are_planned(w);
        for (unsigned i = 0; i < 5; i++) {
                w->now += USEC_PER_SEC;
                end_one(w);
                (void)settle(w, NULL, 0);
                all_are_planned(w);
        }
        world_free(w);
}

static void no_turn_takes_long(void **unused) {
        take_turns(false);
}

static void parts_of_nodes_take_no_longer(void **unused) {
        take_turns(true);
}

static void what_happens_meanwhile_is_heeded(void **unused) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
                struct world *w = busy(seed, seed == 2);
                (void)settle(w, end_one, 20);
                w->now += USEC_PER_SEC;
                (void)settle(w, end_one, 20);
                all_are_planned(w);
                for (unsigned i = 0; i < JOBS; i++)
                        submit(w);
                (void)settle(w, cancel_one, 6);
                w->now += USEC_PER_SEC;
                (void)settle(w, submit, 2);
                all_are_planned(w);
                assert_true(w->c->n_queue > 0);
                world_free(w);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(no_turn_takes_long),
                cmocka_unit_test(parts_of_nodes_take_no_longer),
                cmocka_unit_test(what_happens_meanwhile_is_heeded),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
