/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hierarchical resources against trying everything: a job starts if any nodes could serve it, is
   charged as its mode says, and else has its place in the plan at the first time at which any
   could. */
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define NODES     6
#define RESOURCES 2
#define LAYERS    5
#define RUNNING   4
#define INFINITE  UINT64_MAX

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

struct drawn {
        uint32_t cores[NODES];
        struct kind {
                uint32_t mode;
                size_t n;
                struct {
                        uint32_t nodes; /* bits */
                        uint64_t count;
                } layers[LAYERS];
                uint32_t nodes; /* where it can be had */
        } of[RESOURCES];
};

static void add_layer(struct kind *k, uint32_t nodes, uint64_t count) {
        for (size_t i = 0; i < k->n; i++)
                if (k->layers[i].nodes == nodes)
                        return;
        k->layers[k->n].nodes = nodes;
        k->layers[k->n++].count = count;
}

static uint64_t draw_count(uint32_t most) {
        return roll(8) ? roll(most) : INFINITE;
}

static void draw_kind(struct kind *k, uint32_t mode) {
        *k = (struct kind){ .mode = mode };
        if (mode == 3) {
                uint32_t part = roll(2) ? 2 : 3;
                add_layer(k, 63, draw_count(12));
                for (uint32_t i = 0; i < NODES; i += part)
                        add_layer(k, ((1u << part) - 1) << i, draw_count(7));
        } else {
                size_t n = 1 + roll(LAYERS - 1);
                for (size_t i = 0; i < n; i++)
                        add_layer(k, 1 + roll(63), draw_count(7));
        }
        for (size_t i = mode == 3; i < k->n; i++)
                k->nodes |= k->layers[i].nodes;
}

static struct world *make(struct drawn *d) {
        char *text = xstrdup(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nSelectType=select/cons_tres\n"
                        "SelectTypeParameters=CR_Core\nPartitionName=p Nodes=ALL Default=YES\n");
        uint32_t first = 1 + roll(3);
        struct fail fail = { 0 };
        struct world *w = NULL;

        draw_kind(&d->of[0], first);
        draw_kind(&d->of[1], 1 + (first == 3 ? roll(2) : roll(3)));
        for (uint32_t i = 0; i < NODES; i++) {
                _cleanup_free_ char *before = text;
                d->cores[i] = 1 + roll(3);
                text = xasprintf("%sNodeName=n%u CPUs=%u\n", before, i, d->cores[i]);
        }
        for (uint32_t r = 0; r < RESOURCES; r++) {
                char *before = text;
                text = xasprintf(
                                "%sresources.yaml - resource: r%u\nresources.yaml   mode: MODE_%u\nresources.yaml   layers:\n",
                                before, r, d->of[r].mode);
                free(before);
                for (size_t i = 0; i < d->of[r].n; i++) {
                        _cleanup_free_ char *nodes = xstrdup("");
                        for (uint32_t k = 0; k < NODES; k++)
                                if (d->of[r].layers[i].nodes >> k & 1) {
                                        char *list = xasprintf("%s%sn%u", nodes, *nodes ? "," : "",
                                                        k);
                                        free(nodes);
                                        nodes = list;
                                }
                        before = text;
                        text = xasprintf("%sresources.yaml     - {nodes: [%s], count: %lld}\n",
                                        before, nodes,
                                        d->of[r].layers[i].count == INFINITE
                                                        ? -1ll
                                                        : (long long)d->of[r].layers[i].count);
                        free(before);
                }
        }
        if (world_new(text, &w, &fail) < 0)
                fail_msg("%s\n%s", fail.text, text);
        free(text);
        world_advance(w, w->now);
        return w;
}

struct wish {
        uint32_t min_nodes, max_nodes, tasks, asked[RESOURCES];
};

/* What of each layer is free, and which nodes, when the jobs that end by then have ended. */
struct moment {
        uint64_t free[RESOURCES][LAYERS];
        uint32_t nodes;
};

static uint32_t nodes_of(const struct job *j) {
        uint32_t nodes = 0;

        bitset_for_each(i, j->placed.nodes)
                nodes |= 1u << i;
        return nodes;
}

static bool is_layer(const char *name, const struct kind *k, size_t r, size_t at) {
        uint32_t nodes = 0;
        struct hostlist *hosts = NULL;

        if (name[1] != (char)('0' + r))
                return false;
        _cleanup_free_ char *text = xstrndup(name + 3, strlen(name) - 4);
        assert_int_equal(hostlist_parse(text, &hosts, NULL), 0);
        for (size_t i = 0; i < hostlist_count(hosts); i++)
                nodes |= 1u << (hostlist_get(hosts, i)[1] - '0');
        hostlist_free(hosts);
        return nodes == k->layers[at].nodes;
}

static uint64_t held_of(const struct job *j, const struct kind *k, size_t r, size_t at) {
        const struct countlist *held = j->placed.licenses_held;

        for (size_t i = 0; held && i < held->n; i++)
                if (is_layer(held->list[i].name, k, r, at))
                        return held->list[i].n;
        return 0;
}

static struct moment moment_at(const struct world *w, const struct drawn *d, usec_t t) {
        struct moment m = { .nodes = 63 };

        for (size_t r = 0; r < RESOURCES; r++)
                for (size_t i = 0; i < d->of[r].n; i++)
                        m.free[r][i] = d->of[r].layers[i].count;
        for (size_t a = 0; a < w->c->n_active; a++) {
                const struct job *j = w->c->active[a];
                if (j->running.start_time + j->needs.time_limit <= t)
                        continue;
                m.nodes &= ~nodes_of(j);
                for (size_t r = 0; r < RESOURCES; r++)
                        for (size_t i = 0; i < d->of[r].n; i++)
                                if (m.free[r][i] != INFINITE)
                                        m.free[r][i] -= held_of(j, &d->of[r], r, i);
        }
        return m;
}

/* The guide's words. */
static bool has_enough(const struct kind *k, const uint64_t free[LAYERS], uint32_t nodes,
                uint32_t asked) {
        bool some = false;

        if (k->mode != 1 && nodes & ~k->nodes)
                return false;
        for (size_t i = 0; i < k->n; i++) {
                uint32_t overlap = nodes & k->layers[i].nodes;
                uint64_t takes = (uint64_t)asked *
                                 (k->mode == 3 ? (uint32_t)__builtin_popcount(overlap)
                                               : (overlap != 0));
                if (k->mode == 1)
                        some |= overlap && free[i] >= asked;
                else if (takes > free[i])
                        return false;
        }
        return k->mode != 1 || some;
}

static bool could(const struct drawn *d, const struct moment *m, const struct wish *j) {
        for (uint32_t nodes = 1; nodes < 64; nodes++) {
                uint32_t n = (uint32_t)__builtin_popcount(nodes), tasks = 0;
                bool good = n >= j->min_nodes && n <= j->max_nodes && !(nodes & ~m->nodes);
                for (uint32_t i = 0; i < NODES; i++)
                        tasks += nodes >> i & 1 ? d->cores[i] : 0;
                good = good && tasks >= j->tasks;
                for (size_t r = 0; good && r < RESOURCES; r++)
                        good = !j->asked[r] ||
                               has_enough(&d->of[r], m->free[r], nodes, j->asked[r]);
                if (good)
                        return true;
        }
        return false;
}

/* It holds what its mode says, of what was free before. */
static void check_charge(const struct drawn *d, const struct moment *before, const struct job *j,
                const struct wish *wish, unsigned seed) {
        uint32_t nodes = nodes_of(j);

        for (size_t r = 0; r < RESOURCES; r++) {
                const struct kind *k = &d->of[r];
                uint64_t largest = 0, charged = 0, taken = 0;
                for (size_t i = 0; i < k->n; i++) {
                        uint32_t overlap = nodes & k->layers[i].nodes;
                        uint64_t held = held_of(j, k, r, i);
                        if (overlap && wish->asked[r] && before->free[r][i] >= wish->asked[r])
                                largest = MAX(largest, k->layers[i].count);
                        taken += held > 0;
                        charged = held ? k->layers[i].count : charged;
                        if (k->mode != 1 &&
                                        held != (uint64_t)wish->asked[r] *
                                                                        (k->mode == 3 ? (uint32_t)__builtin_popcount(
                                                                                                        overlap)
                                                                                      : (overlap != 0)))
                                fail_msg("seed %u: r%zu, layer %zu: %llu are held", seed, r, i,
                                                (unsigned long long)held);
                }
                if (k->mode == 1 && wish->asked[r] && (taken != 1 || charged != largest))
                        fail_msg("seed %u: r%zu: %llu layers are charged, of %llu, the largest is %llu",
                                        seed, r, (unsigned long long)taken,
                                        (unsigned long long)charged, (unsigned long long)largest);
        }
}

static struct wish draw_wish(void) {
        struct wish j = { .min_nodes = 1 + roll(3) };

        j.max_nodes = roll(2) ? j.min_nodes + roll(2) : NODES;
        j.tasks = j.min_nodes + (roll(2) ? 0 : roll(4));
        j.max_nodes = MIN(j.max_nodes, j.tasks);
        for (size_t r = 0; r < RESOURCES; r++)
                j.asked[r] = roll(4) ? 1 + roll(3) : 0;
        return j;
}

static struct job *submit(struct world *w, const struct wish *j, usec_t limit) {
        const struct submitter submitter = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        _cleanup_free_ char *licenses = xasprintf("r0:%u,r1:%u", j->asked[0], j->asked[1]);
        struct job_spec s = { .batch = true,
                .tasks_set = true,
                .min_nodes = j->min_nodes,
                .max_nodes = j->max_nodes,
                .num_tasks = j->tasks,
                .share = SHARE_NO,
                .licenses = licenses,
                .time_limit = limit };
        struct job *job = NULL;

        if (job_admit(w->c, &s, &submitter, w->now, &job, NULL) != SLUMBER_OK)
                return NULL;
        world_turn(w);
        return job;
}

static usec_t first_time(const struct world *w, const struct drawn *d, const struct wish *wish) {
        usec_t first = USEC_INFINITY;

        for (size_t a = 0; a <= w->c->n_active; a++) {
                usec_t t = a < w->c->n_active ? w->c->active[a]->running.start_time +
                                                                w->c->active[a]->needs.time_limit
                                              : w->now;
                struct moment m = moment_at(w, d, t);
                if (could(d, &m, wish))
                        first = MIN(first, t);
        }
        return first;
}

static void tell(const struct world *w, const struct drawn *d, const struct wish *wish,
                const struct moment *m) {
        for (size_t r = 0; r < RESOURCES; r++) {
                fprintf(stderr, "r%zu MODE_%u:", r, d->of[r].mode);
                for (size_t i = 0; i < d->of[r].n; i++)
                        fprintf(stderr, " %x: %lld free", d->of[r].layers[i].nodes,
                                        (long long)m->free[r][i]);
                fputc('\n', stderr);
        }
        for (uint32_t i = 0; i < NODES; i++)
                fprintf(stderr, "n%u: %u%s ", i, d->cores[i], m->nodes >> i & 1 ? "" : " in use");
        fprintf(stderr, "\n-N%u-%u -n%u -L r0:%u,r1:%u\n", wish->min_nodes, wish->max_nodes,
                        wish->tasks, wish->asked[0], wish->asked[1]);
        (void)w;
}

/* 1: it runs; 0: it waits; -1: it is not admitted. */
static int ask(struct world *w, const struct drawn *d, unsigned seed) {
        const struct wish wish = draw_wish();
        const struct moment m = moment_at(w, d, w->now);
        struct job *j = submit(w, &wish, (60 + 60 * roll(10)) * USEC_PER_SEC);

        if (!j) {
                if (could(d, &m, &wish)) {
                        tell(w, d, &wish, &m);
                        fail_msg("seed %u: it is not admitted", seed);
                }
                return -1;
        }
        bool runs = j->state == JOB_RUNNING;
        if (runs != could(d, &m, &wish)) {
                tell(w, d, &wish, &m);
                fail_msg("seed %u: it %s", seed, runs ? "runs" : "waits");
        }
        if (runs)
                check_charge(d, &m, j, &wish, seed);
        _cleanup_free_ char *wrong = world_check(w);
        if (wrong)
                fail_msg("seed %u: %s", seed, wrong);
        /* of nodes of different sizes the plan takes the first or the largest alone */
        if (!runs && wish.tasks == wish.min_nodes) {
                usec_t first = first_time(w, d, &wish);
                usec_t planned = j->waiting.plan ? j->waiting.plan->start : USEC_INFINITY;
                if (planned != first) {
                        tell(w, d, &wish, &m);
                        fail_msg("seed %u: it is planned for %lld s, and could start at %lld s",
                                        seed, (long long)(planned - w->now) / 1000000,
                                        (long long)(first - w->now) / 1000000);
                }
        }
        if (!runs) {
                (void)job_cancel(w->c, j, 0, w->now);
                world_turn(w);
        }
        return runs;
}

static void a_job_starts_where_any_nodes_could_serve_it(void **unused) {
        size_t ran = 0, waited = 0;

        for (uint64_t seed = 1; seed <= 1500; seed++) {
                struct drawn d;
                state = seed * 977;
                struct world *w = make(&d);
                for (size_t i = 0; i < 8; i++) {
                        int r = ask(w, &d, (unsigned)seed);
                        ran += r > 0;
                        waited += r == 0;
                }
                world_free(w);
        }
        assert_true(ran > 1000 && waited > 1000);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_job_starts_where_any_nodes_could_serve_it),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
