/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of its job's cores a step has, what a restart makes of that, and what stays when the job
   gives a node back. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/jobs/job_events.h"
#include "controller/model/step_cores.h"
#include "controller/nodes/node_events.h"
#include "controller/records/record.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "controller/updates/resize.h"

static const char conf[] =
                "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nSelectType=select/cons_tres\n"
                "SelectTypeParameters=CR_Core\nReturnToService=2\n"
                "NodeName=n[1-2] CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000\n"
                "PartitionName=main Nodes=ALL Default=YES\n";

#define T0 (1700000000 * USEC_PER_SEC)

static struct cluster *started(uint32_t nodes, uint32_t tasks, uint32_t threads, struct job **ret) {
        struct cluster *c = cluster_of(conf, T0);
        struct registration reg = {
                .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 16, 1, 2, 4, 2, 1000, 0 },
                .boot_time = T0,
                .start_time = T0,
        };
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = tasks,
                .tasks_set = true,
                .threads_per_core = threads,
                .time_limit = 600 * USEC_PER_SEC };
        struct submitter by = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };

        for (size_t i = 0; i < c->n_nodes; i++)
                assert_int_equal(node_register(c, c->nodes[i], &reg, T0, NULL), 0);
        turn(c, T0);
        assert_int_equal(job_admit(c, &spec, &by, T0, ret, NULL), SLUMBER_OK);
        turn(c, T0);
        assert_int_equal((*ret)->state, JOB_RUNNING);
        return c;
}

/* On these places, so many CPUs on each. */
static struct step *deal(struct cluster *c, struct job *j, const char *places, uint32_t cpus,
                bool block) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(j->placed.n_alloc);
        struct step *s;

        assert_int_equal(bitset_parse(set, places), 0);
        s = job_step_started(c, j, job_step_number(j, false), set, T0);
        s->n_tasks_on = bitset_count(set);
        s->tasks = xnew(uint32_t, s->n_tasks_on);
        s->taken = xnew(uint32_t, s->n_tasks_on);
        for (size_t i = 0; i < s->n_tasks_on; i++)
                s->tasks[i] = s->taken[i] = cpus;
        step_cores_deal(j, s, s->taken, block);
        return s;
}

static void check(const struct step *s, size_t k, const char *expected) {
        _cleanup_free_ char *text = bitset_text(s->cores[k]);

        assert_string_equal(text, expected);
}

static void cores_go_round_the_sockets(void **state) {
        struct job *j;
        _cleanup_(cluster_freep) struct cluster *c = started(1, 16, 0, &j);

        (void)state;
        check(deal(c, j, "0", 1, false), 0, "0");
        check(deal(c, j, "0", 4, false), 0, "1,4");
        check(deal(c, j, "0", 5, true), 0, "2-3,5");
        check(deal(c, j, "0", 4, false), 0, "6-7");
}

static void a_core_is_shared_when_there_is_no_other(void **state) {
        struct job *j;
        _cleanup_(cluster_freep) struct cluster *c = started(1, 4, 0, &j);

        (void)state;
        check(deal(c, j, "0", 1, false), 0, "0");
        check(deal(c, j, "0", 1, false), 0, "4");
        check(deal(c, j, "0", 1, false), 0, "0");
        check(deal(c, j, "0", 4, false), 0, "0,4"); /* all that its job has */
}

static void cores_come_free_where_a_step_has_ended(void **state) {
        struct job *j;
        _cleanup_(cluster_freep) struct cluster *c = started(2, 32, 0, &j);
        struct step *s;

        (void)state;
        s = deal(c, j, "0-1", 4, true);
        check(s, 0, "0-1");
        check(s, 1, "0-1");
        bitset_add(s->ended, 1);
        s = deal(c, j, "0-1", 4, true);
        check(s, 0, "2-3");
        check(s, 1, "0-1");
}

static void threads_that_are_left_alone_do_not_count(void **state) {
        struct job *j;
        _cleanup_(cluster_freep) struct cluster *c = started(1, 8, 1, &j);

        (void)state;
        check(deal(c, j, "0", 2, true), 0, "0-1");
}

static void a_restart_keeps_them(void **state) {
        struct job *j;
        _cleanup_(cluster_freep) struct cluster *c = started(2, 32, 0, &j),
                                                *copy = cluster_of(conf, T0);
        struct job_message m;
        struct fail fail = { 0 };

        (void)state;
        deal(c, j, "1", 4, false);
        deal(c, j, "0-1", 2, false);
        job_message_init(&m, c, j, RECORD_STORE | RECORD_ALLOC | RECORD_STEPS, 0);
        if (job_restore(copy, &m.job, T0, &fail) < 0)
                fail_msg("%s", fail.text);
        job_message_done(&m);
        const struct job *again = cluster_job(copy, j->id);
        check(&again->running.steps[0], 0, "0,4");
        check(&again->running.steps[1], 0, "0");
        check(&again->running.steps[1], 1, "1");
}

static void a_node_given_back_leaves_the_others(void **state) {
        struct job *j;
        _cleanup_(cluster_freep) struct cluster *c = started(2, 32, 0, &j);
        _cleanup_(bitset_freep) struct bitset *keep = bitset_new(2);

        (void)state;
        deal(c, j, "1", 2, false);
        bitset_add(keep, 1);
        job_shrink(c, j, keep, T0);
        check(&j->running.steps[0], 0, "0");
        check(deal(c, j, "0", 2, false), 0, "4");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(cores_go_round_the_sockets),
                cmocka_unit_test(a_core_is_shared_when_there_is_no_other),
                cmocka_unit_test(cores_come_free_where_a_step_has_ended),
                cmocka_unit_test(threads_that_are_left_alone_do_not_count),
                cmocka_unit_test(a_restart_keeps_them),
                cmocka_unit_test(a_node_given_back_leaves_the_others),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
