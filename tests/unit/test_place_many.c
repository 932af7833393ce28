/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thousands of jobs that ask for anything, over every way of counting, while others end, are
 * suspended and go on: nothing is promised twice (world_check() has the rules), a suspended job
 * keeps its memory, and a job that starts has what it asked for: no core far from its GPUs, too,
 * where it keeps to such. */
#include "controller/jobs/job_events.h"
#include "controller/model/feature.h"
#include "controller/model/sockets.h"
#include "controller/sched/place/place.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define JOBS  70 /* in each run */
#define SEEDS 2

static const char *const modes[] = {
        "SelectType=select/linear",
        "SelectType=select/linear\nSelectTypeParameters=CR_Memory",
        "SelectTypeParameters=CR_CPU",
        "SelectTypeParameters=CR_CPU_Memory,CR_LLN",
        "SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE",
        "SelectTypeParameters=CR_Core_Memory",
        "SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK,CR_Pack_Nodes",
        "SelectTypeParameters=CR_Socket",
        "SelectTypeParameters=CR_Socket_Memory,CR_LLN",
};

struct run {
        struct world *w;
        uint64_t state;
        size_t started, suspended, near;
        struct bitset *seen; /* by job id: has been looked at since it started */
};

static uint32_t roll(struct run *r, uint32_t n) {
        r->state = r->state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(r->state >> 33) % n;
}

static struct world *make(const char *mode) {
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n%s\n"
                        "GresTypes=gpu,nic\ngres.conf NodeName=n[1-3] Name=gpu File=/dev/g[0-1] Cores=0-2\n"
                        "gres.conf NodeName=n[1-3] Name=gpu File=/dev/g[2-3] Cores=3-5\ngres.conf Name=nic Count=1 Cores=2-4\n"
                        "gres.conf Name=nic Count=1\ngres.conf NodeName=n[7-8] Name=gpu File=/dev/g0 Cores=0-1\n"
                        "gres.conf NodeName=n[7-8] Name=gpu File=/dev/g1 Cores=2-3\ngres.conf NodeName=n[7-8] Name=gpu File=/dev/g2 Cores=4,5\n"
                        "gres.conf NodeName=n[7-8] Name=gpu File=/dev/g[3-4] Cores=5-7\n"
                        "PreemptMode=SUSPEND,GANG\nPreemptType=preempt/partition_prio\n"
                        "NodeName=n[1-3] Sockets=2 CoresPerSocket=3 ThreadsPerCore=2 RealMemory=1000 Feature=a Gres=gpu:4,nic:2\n"
                        "NodeName=n[4-6] CPUs=4 RealMemory=600 Feature=b Weight=2\n"
                        "NodeName=n[7-8] Sockets=4 CoresPerSocket=2 RealMemory=2000 Feature=a,b Gres=gpu:5\n"
                        "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\n"
                        "PartitionName=low PriorityTier=1 Default=YES\nPartitionName=high PriorityTier=2\n"
                        "PartitionName=whole OverSubscribe=EXCLUSIVE\nPartitionName=plain OverSubscribe=NO MaxCPUsPerNode=3\n"
                        "PartitionName=sockets SelectTypeParameters=CR_Socket_Memory\n",
                        mode);
        struct world *w = NULL;
        struct fail fail = { 0 };

        assert_int_equal(world_new(conf, &w, &fail), 0);
        world_advance(w, w->now);
        return w;
}

static uint32_t rarely(struct run *r, uint32_t n) { /* 1..n, or mostly nothing */
        return roll(r, 4) ? 0 : 1 + roll(r, n);
}

static void submit(struct run *r) {
        static const char *const parts[] = { "low", "low", "high", "whole", "plain", "sockets" };
        static const char *const features[] = { "a", "[a|b]", "a*1&b*1", "[a*2&b*1]", "a|b" };
        static const char *const gres[] = { "gpu:1", "gpu:2", "gpu:2,nic:1", "gpu:3", "nic:1" };
        static const char *const users[] = { "u", "v" };
        uint32_t user = roll(r, 2);
        struct job_spec s = { .batch = true,
                .num_tasks = 1 + roll(r, 12),
                .cpus_per_task = rarely(r, 4),
                .min_nodes = rarely(r, 4),
                .partition = (char *)(uintptr_t)parts[roll(r, ELEMENTSOF(parts))],
                .ntasks_per_socket = rarely(r, 2),
                .ntasks_per_core = rarely(r, 2),
                .sockets_per_node = rarely(r, 2),
                .cores_per_socket = rarely(r, 2),
                .threads_per_core = rarely(r, 2),
                .one_core_per_socket = roll(r, 8) == 0,
                .contiguous = roll(r, 5) == 0,
                .spread_job = roll(r, 8) == 0,
                .use_min_nodes = roll(r, 8) == 0,
                .min_cpus_node = rarely(r, 3),
                .overcommit = roll(r, 12) == 0,
                .share = roll(r, 8) == 0 ? SHARE_NO : SHARE_OK,
                .socket_distribution = (enum distribution)roll(r, 3),
                .time_limit = (10 + roll(r, 200)) * USEC_PER_SEC };
        struct job *j = NULL;

        s.max_nodes = s.min_nodes && roll(r, 2) ? s.min_nodes + roll(r, 3) : 0;
        s.tasks_set = true;
        if (roll(r, 3))
                s.mem_per_node = roll(r, 2) ? 10 + roll(r, 500) : 0;
        if (!s.mem_per_node && roll(r, 3))
                s.mem_per_cpu = 1 + roll(r, 100);
        if (roll(r, 4) == 0)
                s.features = (char *)(uintptr_t)features[roll(r, ELEMENTSOF(features))];
        if (roll(r, 6) == 0)
                s.prefer = (char *)(uintptr_t)features[roll(r, ELEMENTSOF(features))];
        if (roll(r, 3) == 0)
                *(roll(r, 3) == 0            ? &s.tres_per_job
                                : roll(r, 2) ? &s.tres_per_task
                                             : &s.tres_per_node) = (char *)(uintptr_t)
                                gres[roll(r, ELEMENTSOF(gres))];
        s.gres_binding = (enum gres_binding)roll(r, GRES_BINDING_DISABLED + 1);
        (void)job_admit(r->w->c, &s,
                        &(struct submitter){ .uid = 1000 + user,
                                        .gid = 1,
                                        .user = users[user],
                                        .group = "g" },
                        r->w->now, &j, NULL);
}

/* ---- what a job got ---- */

static uint32_t units_in(const struct job *j, const struct job_node *jn, uint32_t from,
                uint32_t n) {
        uint32_t units = 0;

        for (uint32_t i = 0; i < n; i++)
                units += bitset_has(j->placed.units, jn->units_at + from + i);
        return units;
}

/* Tasks that its units on that node can hold. */
static uint64_t room_of(const struct cluster *c, const struct job *j, const struct job_node *jn) {
        const struct node *n = jn->node;
        uint32_t sockets = node_sockets(n), each = n->units / sockets,
                 used = job_threads_used(j, n);
        uint32_t per_task = MAX(1u, j->asked.cpus_per_task);
        bool whole = place_wants_whole(c, j);
        uint64_t tasks = 0;

        if (j->asked.overcommit)
                return UINT32_MAX;
        for (uint32_t i = 0; i < sockets; i++) {
                uint32_t units = units_in(j, jn, i * each, each);
                if (partition_select(c, j->partition) & CR_SOCKET)
                        assert_true(units == 0 || units == each);
                else if (j->asked.one_core_per_socket && !whole)
                        assert_true(units <= 1);
                if (j->asked.ntasks_per_socket)
                        tasks += MIN(units * used / per_task, j->asked.ntasks_per_socket);
        }
        return j->asked.ntasks_per_socket ? tasks : units_in(j, jn, 0, n->units) * used / per_task;
}

static bool has_core_of(const struct job *j, const struct job_node *jn, const struct bitset *side) {
        bitset_for_each(i, side)
                if (bitset_has(j->placed.units, jn->units_at + i))
                        return true;
        return false;
}

/* Returns whether it keeps to some of that node's cores. */
static bool check_near(const struct cluster *c, const struct job *j, const struct job_node *jn) {
        size_t n_gres = 0;
        uint32_t sides;
        const struct gres_share *gres = gres_shares_of(j->placed.gres, j->placed.n_gres,
                        (uint32_t)(jn - j->placed.alloc), &n_gres);
        _cleanup_(bitset_freep) struct bitset *near = n_gres ? gres_near(jn->node, gres, n_gres,
                                                                               &sides)
                                                             : NULL;

        if (!near || j->asked.gres_binding != GRES_BINDING_ENFORCED || place_wants_whole(c, j))
                return false;
        for (size_t i = 0; i < jn->node->units; i++)
                assert_true(!bitset_has(j->placed.units, jn->units_at + i) || bitset_has(near, i));
        for (uint32_t k = 1; k < jn->node->n_sides && j->asked.tres_per_node &&
                             (!j->asked.ntasks_per_socket || j->asked.overcommit);
                        k++)
                assert_true(!(sides >> k & 1) || has_core_of(j, jn, jn->node->sides[k]));
        return !bitset_equal(near, jn->node->sides[0]);
}

static void check_node(const struct cluster *c, const struct job *j, const struct job_node *jn) {
        const struct node_hardware *h = &jn->node->configured;
        unsigned select = partition_select(c, j->partition);
        uint32_t each = jn->node->cpus_per_unit,
                 used = j->asked.threads_per_core ? MIN(each, j->asked.threads_per_core) : each;
        uint64_t memory = j->needs.mem_per_node ? j->needs.mem_per_node
                          : j->needs.mem_per_cpu
                                          ? j->needs.mem_per_cpu *
                                                            ((jn->cpus * used + each - 1) / each)
                                          : h->memory;

        assert_int_equal(jn->memory, select & CR_MEMORY ? memory : 0);
        assert_true(jn->cpus >= MAX(1u, j->asked.min_cpus_node));
        assert_true(jn->cpus <= units_in(j, jn, 0, jn->node->units) * jn->node->cpus_per_unit);
        assert_true(j->asked.threads_per_core <= h->threads &&
                        j->asked.cores_per_socket <= h->cores);
        if (place_wants_whole(c, j))
                assert_int_equal(units_in(j, jn, 0, jn->node->units), jn->node->units);
        else
                assert_true(jn->cpus <= j->partition->max_cpus_per_node || select & CR_SOCKET);
}

static void check_features(const struct job *j, const struct features *f) {
        bool alike = !features_alternatives(f);

        for (size_t k = 0; k < features_alternatives(f); k++) {
                bool all = true;
                for (size_t i = 0; i < j->placed.n_alloc; i++)
                        all &= features_has_alternative(f, k, j->placed.alloc[i].node,
                                        FEATURES_NOW);
                alike |= all;
        }
        assert_true(alike);
        for (size_t k = 0; k < features_counts(f); k++) {
                uint32_t n = 0;
                for (size_t i = 0; i < j->placed.n_alloc; i++)
                        n += features_is_counted(f, k, j->placed.alloc[i].node, FEATURES_NOW);
                assert_true(n >= features_count(f, k));
        }
        assert_true(j->placed.n_alloc >= features_nodes(f));
}

static void check_job(const struct cluster *c, const struct job *j) {
        uint64_t room = 0;

        assert_true(j->placed.n_alloc >= MAX(1u, j->asked.min_nodes));
        assert_true(!j->asked.max_nodes || j->placed.n_alloc <= j->asked.max_nodes);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                check_node(c, j, &j->placed.alloc[i]);
                room += room_of(c, j, &j->placed.alloc[i]);
                if (j->asked.contiguous && i)
                        assert_int_equal(j->placed.alloc[i].node->index,
                                        j->placed.alloc[i - 1].node->index + 1);
        }
        assert_true(room >= j->asked.num_tasks);
        check_features(j, j->placed.preferred ? j->needs.prefer : j->needs.features);
}

static void check(struct run *r) {
        _cleanup_free_ char *wrong = world_check(r->w);

        if (wrong)
                fail_msg("%s", wrong);
        for (size_t i = 0; i < r->w->c->n_active; i++) {
                const struct job *j = r->w->c->active[i];
                if (bitset_has(r->seen, j->id) || j->completing)
                        continue;
                bitset_add(r->seen, j->id);
                r->started++;
                for (size_t k = 0; k < j->placed.n_alloc; k++)
                        r->near += check_near(r->w->c, j, &j->placed.alloc[k]);
                check_job(r->w->c, j);
        }
}

/* ---- what happens ---- */

static void suspend(struct run *r, struct job *j) {
        struct node *n = j->placed.alloc[0].node;
        uint64_t used = n->memory_used;

        if (j->state != JOB_RUNNING || j->configuring ||
                        job_suspend(r->w->c, j, r->w->now) != SLUMBER_OK)
                return;
        assert_int_equal(n->memory_used, used);
        r->suspended++;
}

static void something(struct run *r) {
        struct cluster *c = r->w->c;
        struct job *j = c->n_active ? c->active[roll(r, (uint32_t)c->n_active)] : NULL;

        switch (roll(r, 6)) {
        case 0:
                if (j && !j->completing)
                        (void)job_cancel(c, j, 0, r->w->now);
                break;
        case 1:
                if (j)
                        suspend(r, j);
                break;
        case 2:
                if (j && j->state == JOB_SUSPENDED)
                        (void)job_resume(c, j, r->w->now);
                break;
        default:
                submit(r);
        }
        world_turn(r->w);
        if (roll(r, 3) == 0)
                world_advance(r->w, r->w->now + (1 + roll(r, 20)) * USEC_PER_SEC);
}

static void nothing_is_promised_twice(void **state) {
        size_t started = 0, suspended = 0, near = 0;

        for (size_t m = 0; m < ELEMENTSOF(modes); m++)
                for (uint32_t seed = 0; seed < SEEDS; seed++) {
                        struct run r = {
                                .w = make(modes[m]),
                                .state = seed * 977 + m * 13 + 1,
                                .seen = bitset_new(10000),
                        };
                        for (size_t i = 0; i < JOBS * 2; i++) {
                                something(&r);
                                check(&r);
                        }
                        started += r.started;
                        suspended += r.suspended;
                        near += r.near;
                        bitset_free(r.seen);
                        world_free(r.w);
                }
        assert_true(started > 200 * SEEDS); /* they do start */
        assert_true(suspended > 12 * SEEDS);
        assert_true(near > 12 * SEEDS);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_is_promised_twice) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
