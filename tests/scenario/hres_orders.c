/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hres_orders [FIRST-SEED [SEEDS]]: the examples of the guide (hierarchical-resources) in random
 * orders of jobs and nodes, which come, end, are cancelled, requeued, preempted and made smaller,
 * and after each step the controller dies and comes back with what it has written.
 *
 * After every turn each job that runs holds what its nodes are charged for, no more than 250 of
 * natural and 24 of flat are in use, and the rules of check.c hold; and so many are in use at some
 * time. */
#include "controller/jobs/job_events.h"
#include "controller/reservations/license.h"
#include "controller/sched/sched.h"
#include "controller/updates/resize.h"
#include "tests/scenario/restart.h"

#include <inttypes.h>

#define NATURAL 250
#define FLAT    24
#define STEPS   100

static const char conf[] =
                "ClusterName=orders\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/orders-state\n"
                "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nPreemptType=preempt/partition_prio\n"
                "PreemptMode=REQUEUE\nPreemptParameters=reclaim_licenses\nNodeName=node[01-32] CPUs=8\n"
                "PartitionName=DEFAULT Nodes=ALL\nPartitionName=low Default=YES PriorityTier=1\n"
                "PartitionName=high PriorityTier=2 PreemptMode=OFF\n"
                "resources.yaml - resource: flat\nresources.yaml   mode: MODE_2\nresources.yaml   layers:\n"
                "resources.yaml     - {nodes: ['node[01-32]'], count: 24}\n"
                "resources.yaml     - {nodes: ['node[01-16]'], count: 16}\n"
                "resources.yaml     - {nodes: ['node[17-32]'], count: 16}\n"
                "resources.yaml     - {nodes: ['node[01-08]'], count: 12}\n"
                "resources.yaml     - {nodes: ['node[09-16]'], count: 12}\n"
                "resources.yaml     - {nodes: ['node[17-24]'], count: 12}\n"
                "resources.yaml     - {nodes: ['node[25-32]'], count: 12}\n"
                "resources.yaml - resource: natural\nresources.yaml   mode: MODE_1\nresources.yaml   layers:\n"
                "resources.yaml     - {nodes: ['node[01-32]'], count: 50}\n"
                "resources.yaml     - {nodes: ['node[01-16]'], count: 100}\n"
                "resources.yaml     - {nodes: ['node[17-32]'], count: 100}\n";

struct orders {
        struct world *w;
        struct records store;
        uint64_t state;
        uint64_t most[2]; /* in use at once, of NATURAL and FLAT */
        uint64_t preempted, requeued, shrunk;
        char *wrong;
};

static uint32_t roll(struct orders *x, uint32_t n) {
        x->state = x->state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(x->state >> 33) % n;
}

/* ---- what must hold ---- */

static uint32_t held_of(const struct job *j, const char *name) {
        const struct countlist *held = job_licenses(j);
        uint32_t n = 0;

        for (size_t i = 0; held && i < held->n; i++)
                n += streq(held->list[i].name, name) ? held->list[i].n : 0;
        return n;
}

/* Of each layer that its nodes are in what it asks for, or of one of them. */
static char *wrong_charge(const struct cluster *c, const struct job *j, const struct hres *h,
                uint32_t asked) {
        uint64_t sum = 0;
        bool shrunk = j->running.resize_time > 0;

        for (size_t i = 0; i < h->n_layers; i++) {
                const char *name = c->licenses.list[h->layers[i].license].name;
                bool in = bitset_overlaps(h->layers[i].nodes, j->placed.nodes);
                uint32_t held = held_of(j, name);
                sum += held;
                if (h->mode == RESOURCE_MODE_2 ? held != (in ? asked : 0) : held && !in && !shrunk)
                        return xasprintf("job %u asks for %u and holds %u of %s", j->id, asked,
                                        held, name);
        }
        if (h->mode == RESOURCE_MODE_1 && sum != asked)
                return xasprintf("job %u asks for %u of %s and holds %llu", j->id, asked, h->name,
                                (unsigned long long)sum);
        return NULL;
}

static char *check_charges(struct orders *x) {
        const struct cluster *c = x->w->c;
        uint64_t sum[2] = { 0 };

        for (size_t i = 0; i < c->n_active; i++) {
                const struct job *j = c->active[i];
                for (size_t k = 0; j->needs.hres && k < j->needs.hres->n; k++) {
                        const struct count *asked = &j->needs.hres->list[k];
                        const struct hres *h = hres_find(&c->hres, asked->name);
                        char *wrong = wrong_charge(c, j, h, asked->n);
                        if (wrong)
                                return wrong;
                        sum[h->mode == RESOURCE_MODE_2] += asked->n;
                }
        }
        for (size_t i = 0; i < 2; i++)
                x->most[i] = MAX(x->most[i], sum[i]);
        if (sum[0] <= NATURAL && sum[1] <= FLAT)
                return NULL;
        return xasprintf("%" PRIu64 " of natural and %" PRIu64 " of flat are in use", sum[0],
                        sum[1]);
}

static void on_turn(struct world *w, void *user) {
        struct orders *x = user;

        if (!x->wrong)
                x->wrong = world_check(w);
        if (!x->wrong)
                x->wrong = check_charges(x);
}

static bool on_commit(struct world *w, void *user) {
        records_commit(&((struct orders *)user)->store, w);
        return true;
}

/* ---- what happens ---- */

static void submit(struct orders *x) {
        static const char *const asks[] = { "natural:10", "natural:30", "natural:50", "flat:1",
                "flat:2", "flat:4", "flat:2,natural:10", "flat:8" };
        _cleanup_free_ char *node = xasprintf("node%02u", 1 + roll(x, 32));
        struct job_spec spec = { .batch = true,
                .name = (char *)(uintptr_t) "order",
                .licenses = (char *)(uintptr_t)asks[roll(x, ELEMENTSOF(asks))],
                .partition = (char *)(uintptr_t)(roll(x, 4) ? "low" : "high"),
                .min_nodes = 1 + (roll(x, 3) ? 0 : roll(x, 12)),
                .req_nodes = roll(x, 3) ? NULL : node,
                .time_limit = 600 * USEC_PER_SEC };
        const struct submitter by = { .uid = 1, .gid = 1, .user = "u", .group = "g" };
        struct fail why = { 0 };
        struct job *j;

        spec.max_nodes = spec.num_tasks = spec.min_nodes;
        if (job_admit(x->w->c, &spec, &by, x->w->now, &j, &why) == SLUMBER_OK)
                world_plan(x->w, j->id, (1 + roll(x, 300)) * USEC_PER_SEC, 0);
}

static struct job *running(struct orders *x) {
        struct cluster *c = x->w->c;
        struct job *j = c->n_active ? c->active[roll(x, (uint32_t)c->n_active)] : NULL;

        return j && j->state == JOB_RUNNING && !j->completing ? j : NULL;
}

static void shrink(struct orders *x, struct job *j) {
        _cleanup_(bitset_freep) struct bitset *keep = bitset_new(j->placed.n_alloc);
        struct fail why;

        bitset_add(keep, 0);
        for (size_t i = 1; i < j->placed.n_alloc; i++)
                bitset_put(keep, i, roll(x, 2));
        if (job_may_shrink(j, keep, &why) != SLUMBER_OK)
                return;
        job_shrink(x->w->c, j, keep, x->w->now);
        x->shrunk++;
}

static void something(struct orders *x) {
        struct job *j = running(x);

        switch (roll(x, 8)) {
        case 0:
                if (j)
                        (void)job_cancel(x->w->c, j, 1, x->w->now);
                break;
        case 1:
                if (j)
                        x->requeued += job_requeue(x->w->c, j, "", false, x->w->now) == SLUMBER_OK;
                break;
        case 2:
                if (j)
                        shrink(x, j);
                break;
        default:
                for (uint32_t n = 1 + roll(x, 4); n; n--)
                        submit(x);
        }
}

static uint64_t preempted(const struct cluster *c) {
        uint64_t n = 0;

        for (size_t i = 0; i < c->n_active; i++)
                n += c->active[i]->stopping.preempt_mode != 0;
        return n;
}

static bool run(uint64_t seed) {
        struct orders x = { .state = seed * 7919 + 1 };
        struct fail fail = { 0 };

        if (world_new(conf, &x.w, &fail) < 0) {
                fprintf(stderr, "hres_orders: %s\n", fail.text);
                return false;
        }
        x.w->after_turn = on_turn;
        x.w->commit = on_commit;
        x.w->user = &x;
        world_advance(x.w, x.w->now + 5 * USEC_PER_SEC);
        for (int step = 0; step < STEPS && !x.wrong; step++) {
                something(&x);
                world_turn(x.w);
                x.preempted += preempted(x.w->c);
                records_restart(&x.store, x.w, 0);
                world_turn(x.w);
                world_advance(x.w, x.w->now + 2 * USEC_PER_SEC + roll(&x, 20) * USEC_PER_SEC);
        }
        world_advance(x.w, x.w->now + 100000 * USEC_PER_SEC);
        for (size_t i = 0; i < x.w->c->licenses.n && !x.wrong; i++)
                if (x.w->c->licenses.list[i].used)
                        x.wrong = xasprintf("%s is in use at the end",
                                        x.w->c->licenses.list[i].name);
        if (!x.wrong && (x.most[0] != NATURAL || x.most[1] != FLAT || !x.preempted || !x.requeued ||
                                        !x.shrunk))
                x.wrong = xasprintf("%" PRIu64 " of natural and %" PRIu64
                                    " of flat were in use at most, %" PRIu64 " preempted, %" PRIu64
                                    " requeued, %" PRIu64 " smaller",
                                x.most[0], x.most[1], x.preempted, x.requeued, x.shrunk);
        bool good = !x.wrong;
        if (x.wrong)
                fprintf(stderr, "hres_orders: seed %" PRIu64 ": %s\n", seed, x.wrong);
        else
                printf("seed %" PRIu64 ": %u jobs, %" PRIu64 " preempted, %" PRIu64
                       " requeued, %" PRIu64 " smaller\n",
                                seed, x.w->c->next_job_id - 1, x.preempted, x.requeued, x.shrunk);
        free(x.wrong);
        world_free(x.w);
        records_done(&x.store);
        return good;
}

int main(int argc, char **argv) {
        uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
                 seeds = argc > 2 ? strtoull(argv[2], NULL, 10) : 2;
        bool good = true;

        for (uint64_t seed = first; seed < first + seeds; seed++)
                good = run(seed) && good;
        return good ? 0 : 1;
}
