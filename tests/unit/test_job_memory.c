/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of frozen jobs, and a controller that is killed at any moment: with the rules of
 * tests/scenario/check.c after every turn, it ends as if nothing had happened. */
#include "tests/unit/test.h"

#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/sched/sched.h"
#include "sim/virtual.h"
#include "tests/scenario/restart.h"

static const char conf[] =
                "ClusterName=c\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/x\nyaml reclaim_suspended: low\n"
                "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nPreemptMode=SUSPEND,GANG\n"
                "PreemptType=preempt/partition_prio\nNodeName=n[1-2] CPUs=2 RealMemory=1000\n"
                "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\nPartitionName=low PriorityTier=1 Default=YES\n"
                "PartitionName=high PriorityTier=2\n";

struct life {
        struct world *w;
        struct records store;
        unsigned commits, dies_at; /* 0: never */
        bool before_effects;       /* dies when it is written, and no agent has been told yet */
        bool dead;
        char *wrong;
        unsigned reclaims;
};

static bool on_commit(struct world *w, void *user) {
        struct life *x = user;

        for (size_t i = 0; i < w->c->effects.n; i++)
                x->reclaims += w->c->effects.list[i].kind == FX_RECLAIM;
        records_commit(&x->store, w);
        x->dead = ++x->commits == x->dies_at;
        return !(x->dead && x->before_effects);
}

static void on_turn(struct world *w, void *user) {
        struct life *x = user;

        if (!x->wrong)
                x->wrong = world_check(w);
        if (!x->dead)
                return;
        x->dead = false;
        records_restart(&x->store, w, 0);
}

static uint32_t submit(struct life *x, const char *partition, uint32_t nodes, uint64_t memory,
                usec_t runs) {
        const struct submitter submitter = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        struct job_spec spec = { .partition = (char *)(uintptr_t)partition,
                .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .cpus_per_task = 2,
                .num_tasks = nodes,
                .tasks_set = true,
                .mem_per_node = memory,
                .command = (char *)(uintptr_t) "x",
                .work_dir = (char *)(uintptr_t) "/" };
        struct fail fail = { 0 };
        struct job *j;

        assert_int_equal(job_admit(x->w->c, &spec, &submitter, x->w->now, &j, &fail), SLUMBER_OK);
        uint32_t id = j->id;
        world_plan(x->w, id, runs, 0);
        world_turn(x->w);
        return id;
}

static void begin(struct life *x, unsigned dies_at, bool before_effects) {
        struct fail fail = { 0 };

        *x = (struct life){ .dies_at = dies_at, .before_effects = before_effects };
        assert_int_equal(world_new(conf, &x->w, &fail), 0);
        x->w->commit = on_commit;
        x->w->after_turn = on_turn;
        x->w->user = x;
        world_advance(x->w, x->w->now + USEC_PER_SEC);
}

static void end(struct life *x) {
        if (x->wrong)
                fail_msg("killed at commit %u%s: %s", x->dies_at,
                                x->before_effects ? ", before it had told" : "", x->wrong);
        records_done(&x->store);
        world_free(x->w);
}

static enum job_state state_of(const struct life *x, uint32_t id) {
        const struct job *j = cluster_job(x->w->c, id);

        assert_non_null(j);
        return j->state;
}

/* Two nodes are frozen, pushed out, lent, and given back.  Returns how many commits that takes. */
static unsigned live(unsigned dies_at, bool before_effects) {
        struct life x;

        begin(&x, dies_at, before_effects);
        uint32_t low = submit(&x, "low", 2, 800, 40 * USEC_PER_SEC);
        world_advance(x.w, x.w->now + 5 * USEC_PER_SEC);
        uint32_t high = submit(&x, "high", 2, 600, 20 * USEC_PER_SEC);
        world_advance(x.w, x.w->now + 16 * USEC_PER_SEC);
        assert_int_equal(state_of(&x, low), JOB_SUSPENDED);
        assert_int_equal(state_of(&x, high), JOB_RUNNING);
        assert_true(cluster_job(x.w->c, high)->running.launched);
        assert_int_equal(memory_given(cluster_job(x.w->c, low)), 800);
        world_advance(x.w, x.w->now + 120 * USEC_PER_SEC);
        assert_int_equal(state_of(&x, low), JOB_COMPLETED);
        assert_int_equal(state_of(&x, high), JOB_COMPLETED);
        assert_true(x.reclaims >= 2);
        unsigned commits = x.commits;
        end(&x);
        return commits;
}

static void the_controller_may_be_killed_at_any_moment(void **state) {
        unsigned n = live(0, false);

        (void)state;
        assert_true(n > 15);
        for (unsigned at = 1; at <= n; at++) {
                live(at, false);
                live(at, true);
        }
}

/* What is left in memory is too much: also then. */
static unsigned live_without_room(unsigned dies_at, bool before_effects) {
        struct life x;

        begin(&x, dies_at, before_effects);
        x.w->agents[0].faults = FAULT_KEEPS_MEMORY;
        uint32_t low = submit(&x, "low", 2, 800, 40 * USEC_PER_SEC);
        world_advance(x.w, x.w->now + 5 * USEC_PER_SEC);
        uint32_t high = submit(&x, "high", 2, 600, 20 * USEC_PER_SEC);
        world_advance(x.w, x.w->now + 16 * USEC_PER_SEC);
        assert_int_equal(state_of(&x, low), JOB_RUNNING);
        assert_int_equal(state_of(&x, high), JOB_PENDING);
        assert_true(cluster_job(x.w->c, low)->stopping.no_reclaim);
        assert_non_null(strstr(cluster_job(x.w->c, low)->stopping.no_reclaim_why, "MB are in use"));
        assert_int_equal(memory_given(cluster_job(x.w->c, low)), 0);
        world_advance(x.w, x.w->now + 120 * USEC_PER_SEC);
        assert_int_equal(state_of(&x, low), JOB_COMPLETED);
        assert_int_equal(state_of(&x, high), JOB_COMPLETED);
        unsigned commits = x.commits;
        end(&x);
        return commits;
}

static void also_when_too_little_is_freed(void **state) {
        unsigned n = live_without_room(0, false);

        (void)state;
        for (unsigned at = 1; at <= n; at++) {
                live_without_room(at, false);
                live_without_room(at, true);
        }
}

static usec_t twenty_seconds(const struct job *j, void *user) {
        (void)j, (void)user;
        return 20 * USEC_PER_SEC;
}

static void a_plan_goes_on_with_what_is_being_pushed_out(void **state) {
        static const struct virtual_ops ops = { .runs = twenty_seconds };
        struct life x;

        (void)state;
        begin(&x, 0, false);
        x.w->delays[DELAY_RECLAIM] = 1000 * USEC_PER_SEC;
        uint32_t low = submit(&x, "low", 1, 800, NO_LIMIT);
        world_advance(x.w, x.w->now + 5 * USEC_PER_SEC);
        submit(&x, "low", 1, 800, NO_LIMIT); /* the other node */
        uint32_t high = submit(&x, "high", 1, 600, NO_LIMIT);
        world_advance(x.w, x.w->now + USEC_PER_SEC);
        assert_int_equal(state_of(&x, low), JOB_SUSPENDED);
        assert_int_equal(memory_owed(cluster_job(x.w->c, high)), 400);
        _cleanup_(virtual_freep) struct virtual *v = virtual_new(x.w->c, x.w->now, &ops, NULL);
        (void)virtual_run(v, x.w->now + 10 * USEC_PER_SEC);
        assert_true(cluster_job(x.w->c, high)->running.launched);
        assert_int_equal(memory_given(cluster_job(x.w->c, low)), 400);
        (void)virtual_run(v, x.w->now + 100 * USEC_PER_SEC);
        assert_int_equal(state_of(&x, high), JOB_COMPLETED);
        assert_int_equal(state_of(&x, low), JOB_COMPLETED);
        end(&x);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_controller_may_be_killed_at_any_moment),
                cmocka_unit_test(also_when_too_little_is_freed),
                cmocka_unit_test(a_plan_goes_on_with_what_is_being_pushed_out),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
