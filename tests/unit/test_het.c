/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components of heterogeneous jobs: their ids, their records, and when they are forgotten. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/model/effect.h"
#include "controller/model/het.h"
#include "controller/records/record.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

static const char conf[] = "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nMinJobAge=10\n"
                           "FirstJobId=1\nMaxJobId=9\nNodeName=n[1-4] CPUs=4\n"
                           "PartitionName=p Nodes=ALL Default=YES\n";

static const char conf_without[] = "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                                   "NodeName=n[1-4] CPUs=4\n"
                                   "PartitionName=q Nodes=ALL Default=YES\n";

#define T0 (1700000000 * USEC_PER_SEC)

static void submit(struct cluster *c, struct job **ret, size_t n, usec_t now) {
        struct job_spec specs[HET_MAX];
        size_t failed;

        for (size_t i = 0; i < n; i++)
                specs[i] = (struct job_spec){ .batch = true, .min_nodes = 1, .max_nodes = 1 };
        const struct submitter user = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        assert_int_equal(het_admit(c, specs, n, &user, now, ret, &failed, NULL), SLUMBER_OK);
}

static int again(const struct cluster *from, const struct job *j, struct cluster *to,
                uint32_t offset, struct fail *fail) {
        struct job_message m;

        job_message_init(&m, from, j, RECORD_STORE | RECORD_ALLOC, 0);
        m.job.het_offset = offset;
        int r = job_restore(to, &m.job, T0, fail);
        job_message_done(&m);
        return r;
}

static void components_know_each_other_again(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0),
                                                *copy = cluster_of(conf, T0);
        struct job *jobs[3];

        submit(c, jobs, 3, T0);
        for (uint32_t i = 3; i-- > 0;) /* in any order */
                assert_int_equal(again(c, jobs[i], copy, i, NULL), 0);
        records_settle(copy, T0);
        const struct job *leader = cluster_job(copy, 1);
        assert_non_null(leader->het);
        assert_int_equal(leader->het->n, 3);
        for (uint32_t i = 0; i < 3; i++) {
                const struct job *j = cluster_job(copy, 1 + i);
                assert_ptr_equal(j->het, leader->het);
                assert_ptr_equal(leader->het->of[i], j);
                assert_int_equal(j->het_offset, i);
                assert_int_equal(j->priority > 0, true);
        }
}

static void one_without_the_others_is_held(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0),
                                                *copy = cluster_of(conf, T0);
        struct job *jobs[3];

        submit(c, jobs, 3, T0);
        assert_int_equal(again(c, jobs[1], copy, 1, NULL), 0);
        assert_int_equal(again(c, jobs[2], copy, 2, NULL), 0);
        records_settle(copy, T0);
        for (uint32_t id = 2; id <= 3; id++) {
                assert_int_equal(cluster_job(copy, id)->priority, 0);
                assert_int_equal(cluster_job(copy, id)->reason, REASON_HELD_ADMIN);
        }
        size_t told = 0;
        for (size_t i = 0; i < copy->effects.n; i++)
                told += copy->effects.list[i].kind == FX_LOG && copy->effects.list[i].error;
        assert_int_equal(told, 2);
}

static void one_without_the_others_does_not_run_again(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0),
                                                *copy = cluster_of(conf, T0);
        struct job *jobs[2];

        submit(c, jobs, 2, T0);
        assert_true(job_may_run_again(jobs[0]));
        assert_int_equal(again(c, jobs[0], copy, 0, NULL), 0);
        assert_false(job_may_run_again(cluster_job(copy, 1)));
        assert_int_equal(again(c, jobs[1], copy, 1, NULL), 0);
        assert_true(job_may_run_again(cluster_job(copy, 1)));
}

static void one_that_is_over_keeps_its_created_partition(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0),
                                                *copy = cluster_of(conf_without, T0);
        struct job *jobs[2];

        submit(c, jobs, 2, T0);
        c->partitions[0]->created = true; /* which the next controller does not know */
        job_end(c, jobs[1], JOB_CANCELLED, REASON_NONE, NULL, T0);
        for (uint32_t i = 2; i-- > 0;)
                assert_int_equal(again(c, jobs[i], copy, i, NULL), 0);
        assert_string_equal(cluster_job(copy, 2)->partition->name, "p");
        assert_true(job_may_run_again(cluster_job(copy, 1)));
}

static void records_that_do_not_fit_are_refused(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0),
                                                *copy = cluster_of(conf, T0);
        struct fail fail = { 0 };
        struct job *jobs[2];

        submit(c, jobs, 2, T0);
        assert_int_equal(again(c, jobs[1], copy, 0, &fail), -EINVAL);
        assert_string_equal(fail.text,
                        "corrupt record of JobId=2: it is component 0 of 2 of job 1");
        assert_int_equal(again(c, jobs[1], copy, 2, &fail), -EINVAL);
}

static void their_ids_follow_each_other(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0);
        struct job *jobs[4];

        c->next_job_id = 8; /* two are left, and one at the begin is in use */
        submit(c, jobs, 2, T0);
        assert_int_equal(jobs[0]->id, 8);
        submit(c, jobs, 2, T0);
        assert_int_equal(jobs[0]->id, 1);
        c->next_job_id = 6;
        submit(c, jobs, 4, T0);
        assert_int_equal(jobs[0]->id, 3);
        assert_int_equal(cluster_take_job_ids(c, 2), 0);
        assert_int_equal(cluster_take_job_ids(c, 1), 7);
}

static void they_are_forgotten_together(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(conf, T0);
        struct job *jobs[2];

        submit(c, jobs, 2, T0);
        job_end(c, jobs[1], JOB_CANCELLED, REASON_NONE, NULL, T0);
        turn(c, T0);
        assert_int_equal(jobs[0]->state, JOB_CANCELLED);
        jobs[1]->dirty = false; /* stored, and the other one not yet */
        turn(c, T0 + 60 * USEC_PER_SEC);
        assert_non_null(cluster_job(c, 1));
        assert_non_null(cluster_job(c, 2));
        jobs[0]->dirty = false;
        turn(c, T0 + 80 * USEC_PER_SEC);
        assert_null(cluster_job(c, 1));
        assert_null(cluster_job(c, 2));
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(components_know_each_other_again),
                cmocka_unit_test(one_without_the_others_is_held),
                cmocka_unit_test(one_without_the_others_does_not_run_again),
                cmocka_unit_test(one_that_is_over_keeps_its_created_partition),
                cmocka_unit_test(records_that_do_not_fit_are_refused),
                cmocka_unit_test(their_ids_follow_each_other),
                cmocka_unit_test(they_are_forgotten_together),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
