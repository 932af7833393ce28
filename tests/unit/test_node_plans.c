/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/nodes/node_events.h"
#include "controller/sched/backfill.h"
#include "controller/sched/plan/plan.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "controller/updates/reservation_edit.h"

#define T0 (1700000000 * USEC_PER_SEC)

static const char conf[] =
                "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nSelectType=select/cons_tres\n"
                "SelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\n"
                "NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";

static void register_node(struct cluster *c) {
        struct registration reg = { .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0 };

        assert_int_equal(node_register(c, c->nodes[0], &reg, T0, NULL), 0);
        turn(c, T0);
}

static struct job *submit_to(struct cluster *c, const char *reservation, uint32_t tasks,
                uint32_t priority) {
        struct job_spec spec = { .batch = true,
                .reservation = (char *)(uintptr_t)reservation,
                .num_tasks = tasks,
                .min_nodes = 1,
                .priority = priority,
                .time_limit = 600 * USEC_PER_SEC };
        const struct submitter by = { .user = "root", .group = "root" };
        struct job *j = NULL;

        assert_int_equal(job_admit(c, &spec, &by, T0, &j, NULL), SLUMBER_OK);
        j->priority = priority;
        turn(c, T0);
        return j;
}

static struct job *submit(struct cluster *c, uint32_t tasks, uint32_t priority) {
        return submit_to(c, NULL, tasks, priority);
}

/* Three jobs begin at one time on one node.  A job that would come before two of them, or before
   all, is asked for. */
static void plans_with_one_start_come_back_in_the_same_order(void **state) {
        struct cluster *c = cluster_of(conf, T0);
        const struct job_plan *before[3];

        (void)state;
        c->config->bf.parts = true;
        register_node(c);
        assert_int_equal(submit(c, 4, 1000)->state, JOB_RUNNING);
        for (uint32_t i = 0; i < ELEMENTSOF(before); i++)
                submit(c, 1, 900 - 100 * i);
        backfill_run(c, T0);
        const struct node_plans *np = &c->backfill->of[0];
        assert_int_equal(np->n, ELEMENTSOF(before));
        memcpy(before, np->list, sizeof before);
        assert_true(before[0]->start == before[2]->start);
        for (uint32_t priority = 850; priority < 1000; priority += 100) {
                struct job asked = *before[0]->job;
                asked.id = 99;
                asked.waiting.n_bids = 0; /* it is none of the jobs that are planned */
                asked.waiting.current = NULL;
                asked.priority = priority;
                struct aside aside = plans_put_aside(c, c->backfill, &asked, USEC_INFINITY);
                assert_int_equal(aside.n, priority > 900 ? 3 : 2);
                plans_put_back(c->backfill, &aside);
                assert_int_equal(np->n, ELEMENTSOF(before));
                assert_memory_equal(before, np->list, sizeof before);
        }
        cluster_free(c);
}

static void reserve_two_cores(struct cluster *c) {
        static const struct update_setting settings[] = { { "ReservationName", "r" },
                { "StartTime", "now" }, { "Duration", "1000" }, { "Users", "root" },
                { "Nodes", "n1" }, { "CoreCnt", "2" } };
        struct fail fail = { 0 };
        struct resv *r;

        if (resv_create(c, settings, ELEMENTSOF(settings), 0, T0, &r, &fail) != SLUMBER_OK)
                fail_msg("%s", fail.text);
        turn(c, T0);
}

/* One job waits for a core of the reservation, and behind it in the queue one waits for the other
   cores of the node, when the limit of a job that runs in the reservation grows. */
static void plans_that_have_nothing_of_an_overdrawn_part_stay(void **state) {
        struct cluster *c = cluster_of(conf, T0);

        (void)state;
        c->config->bf.parts = true;
        register_node(c);
        reserve_two_cores(c);
        struct job *runs = submit_to(c, "r", 2, 1000);
        assert_int_equal(runs->state, JOB_RUNNING);
        assert_int_equal(submit(c, 2, 900)->state, JOB_RUNNING);
        const struct job *inside = submit_to(c, "r", 1, 800), *outside = submit(c, 1, 700);
        backfill_run(c, T0);
        assert_true(inside->waiting.plan->laid && outside->waiting.plan->laid);
        runs->needs.time_limit *= 2;
        note_node(c, FACT_NODE_USE, c->nodes[0]);
        plan_take_up(c, c->backfill, T0);
        assert_false(inside->waiting.plan->laid);
        assert_true(outside->waiting.plan->laid);
        cluster_free(c);
}

/* The first job to end after that has only plans looked at that its nodes may change. */
static void a_plan_that_is_made_anew_counts_no_node_as_freed(void **state) {
        struct cluster *c = cluster_of(conf, T0);

        (void)state;
        c->config->bf.parts = true;
        register_node(c);
        assert_int_equal(submit(c, 4, 1000)->state, JOB_RUNNING);
        const struct job *waits = submit(c, 1, 900);
        backfill_run(c, T0);
        plan_rebuild(c, c->backfill, T0);
        backfill_run(c, T0);
        assert_true(waits->waiting.plan->laid);
        assert_true(bitset_empty(c->backfill->freed_nodes.nodes));
        assert_true(bitset_empty(c->backfill->next_freed_nodes.nodes));
        cluster_free(c);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(plans_with_one_start_come_back_in_the_same_order),
                cmocka_unit_test(a_plan_that_is_made_anew_counts_no_node_as_freed),
                cmocka_unit_test(plans_that_have_nothing_of_an_overdrawn_part_stay),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
