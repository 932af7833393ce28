/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the accounts are told of a job that is over. */
#include "controller/ended/ended.h"
#include "controller/ended/ended_step.h"
#include "controller/jobs/job_events.h"
#include "controller/nodes/node_events.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "controller/updates/resize.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#define S  USEC_PER_SEC
#define T0 (1790000000 * S)
#define CONF                                                                                               \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nSelectType=select/cons_tres\n" \
        "SelectTypeParameters=CR_Core_Memory\nNodeName=n[1-2] CPUs=4 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n"

static struct cluster *make(void) {
        struct registration reg = {
                .version = "1",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0,
        };
        struct cluster *c = cluster_of(CONF, T0);

        for (size_t i = 0; i < c->n_nodes; i++)
                assert_int_equal(node_register(c, c->nodes[i], &reg, T0, NULL), 0);
        c->keeps_ended = true;
        return c;
}

static struct job *submit(struct cluster *c, const struct job_spec *asked, usec_t now) {
        const struct submitter submitter = {
                .uid = 1000,
                .gid = 100,
                .user = "ann",
                .group = "users",
        };
        struct job_spec spec = *asked;
        struct fail fail = { 0 };
        struct job *j = NULL;

        spec.name = (char *)"j";
        spec.batch = true;
        if (job_admit(c, &spec, &submitter, now, &j, &fail) != SLUMBER_OK)
                fail_msg("%s", fail.text);
        turn(c, now);
        if (j->state == JOB_RUNNING && !j->configuring)
                job_launched(c, j, NULL, now);
        effects_done(&c->effects);
        return j;
}

/* The one end that there was. */
static const struct ended *ended(const struct cluster *c) {
        const struct ended *e = NULL;

        for (size_t i = 0; i < c->effects.n; i++)
                if (c->effects.list[i].kind == FX_ENDED) {
                        assert_null(e);
                        e = c->effects.list[i].ended;
                        assert_non_null(e);
                }
        assert_non_null(e);
        return e;
}

static void one_that_ran_tells_where_and_how_long(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c,
                        &(struct job_spec){ .min_nodes = 2,
                                        .max_nodes = 2,
                                        .num_tasks = 3,
                                        .tasks_set = true,
                                        .mem_per_node = 100,
                                        .time_limit = 600 * S,
                                        .features = NULL,
                                        .nice = -3,
                                        .comment = (char *)"x" },
                        T0 + S / 4);

        assert_int_equal(j->state, JOB_RUNNING);
        job_batch_ended(c, j, 3 << 8, false, NULL, T0 + 20 * S, T0 + 20 * S);
        const struct ended *e = ended(c);
        assert_string_equal(e->state, "FAILED");
        assert_string_equal(e->reason, "NonZeroExitCode");
        assert_string_equal(e->nodes, "n[1-2]");
        assert_string_equal(e->tres_req, "cpu=3,mem=200M,node=2,billing=3");
        assert_string_equal(e->tres_alloc, "cpu=3,mem=200M,node=2,billing=3");
        assert_string_equal(e->user, "ann");
        assert_string_equal(e->group_name, "users");
        assert_string_equal(e->cluster, "c");
        assert_string_equal(e->partition, "p");
        assert_string_equal(e->comment, "x");
        assert_string_equal(e->reservation, "");
        assert_true(e->job_id == j->id && e->array_job == 0 && e->array_task == -1 &&
                        e->exit_code == 3 << 8 && e->restarts == 0);
        assert_true(e->num_nodes == 2 && e->num_cpus == 3 && e->memory == 200 && e->nice == -3 &&
                        e->num_tasks == 3 && e->cancelled_by == -1);
        assert_true(e->time_submit == T0 + S / 4 && e->time_queued == e->time_submit &&
                        e->time_eligible == e->time_submit);
        assert_true(e->time_start == T0 + S / 4 && e->time_end == T0 + 20 * S &&
                        e->time_suspended == 0 && e->time_limit == 600 * S);
}

static void an_end_that_is_told_late_is_as_early_as_it_was(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 1, .time_limit = NO_LIMIT }, T0);

        job_batch_ended(c, j, 0, false, NULL, T0 + 20 * S, T0 + 400 * S);
        const struct ended *e = ended(c);
        assert_true(e->time_end == T0 + 20 * S && j->running.end_time == T0 + 20 * S &&
                        job_run_time(j, T0 + 500 * S) == 20 * S);
        node_job_gone(c, j->placed.alloc[0].node, j->id, 0, NULL, T0 + 400 * S);
        j->dirty = false;
        turn(c, T0 + 401 * S);
        assert_non_null(cluster_job(c, 1)); /* MinJobAge counts from when it was told */
}

static void suspended_time_is_told_apart(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 1, .time_limit = NO_LIMIT }, T0);

        assert_int_equal(job_suspend(c, j, T0 + 5 * S), SLUMBER_OK);
        turn(c, T0 + 5 * S);
        assert_true(j->running.suspend_time == T0 + 5 * S);
        assert_int_equal(job_resume(c, j, T0 + 7 * S), SLUMBER_OK);
        turn(c, T0 + 7 * S);
        /* "last suspended or resumed" */
        assert_true(j->state == JOB_RUNNING && j->running.suspend_time == T0 + 7 * S);
        assert_int_equal(job_suspend(c, j, T0 + 8 * S), SLUMBER_OK);
        turn(c, T0 + 8 * S);
        assert_int_equal(job_cancel(c, j, 77, T0 + 13 * S), SLUMBER_OK);
        const struct ended *e = ended(c);
        assert_string_equal(e->state, "CANCELLED");
        assert_true(e->time_end - e->time_start == 13 * S && e->time_suspended == 7 * S &&
                        e->cancelled_by == 77 && e->time_limit == NO_LIMIT);
}

static void a_run_that_is_sent_back_is_told_with_what_it_had(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 1, .requeue = 1 }, T0);

        assert_int_equal(job_requeue(c, j, "JOB REQUEUE", false, T0 + 9 * S), SLUMBER_OK);
        const struct ended *e = ended(c);
        assert_string_equal(e->state, "REQUEUED");
        assert_string_equal(e->nodes, "n1");
        assert_true(e->restarts == 0 && e->time_start == T0 && e->time_end == T0 + 9 * S &&
                        e->time_suspended == 0);
        effects_done(&c->effects);

        /* Cancelled on its way back: a row for the run that it does not get. */
        assert_int_equal(job_cancel(c, j, 0, T0 + 10 * S), SLUMBER_OK);
        e = ended(c);
        assert_string_equal(e->state, "CANCELLED");
        assert_string_equal(e->nodes, "");
        assert_true(e->restarts == 1 && e->time_start == 0 && e->num_cpus == 0 &&
                        e->time_queued == T0 + 9 * S && e->time_submit == T0);
}

/* How long the script stood still, by the row that it makes when it is through. */
static usec_t script_stood_still(struct cluster *c, struct job *j, usec_t now) {
        batch_is_over(c, j, 15, NULL, now);
        for (size_t i = 0; i < c->effects.n; i++)
                if (c->effects.list[i].kind == FX_STEP_ROW)
                        return c->effects.list[i].ended_step->time_suspended;
        fail_msg("no row was made");
        return 0;
}

static void a_script_that_is_sent_back_has_run_until_it_ended(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 1, .requeue = 1 }, T0);
        struct job *stopped = submit(c, &(struct job_spec){ .min_nodes = 1, .requeue = 1 }, T0);

        c->keeps_steps = c->nodes[0]->connected = true;
        j->placed.alloc[0].used = stopped->placed.alloc[0].used = true;
        assert_int_equal(job_requeue(c, j, "JOB REQUEUE", false, T0 + 9 * S), SLUMBER_OK);
        assert_true(script_stood_still(c, j, T0 + 12 * S) == 0);
        effects_done(&c->effects);
        assert_int_equal(job_suspend(c, stopped, T0 + 5 * S), SLUMBER_OK);
        turn(c, T0 + 5 * S);
        assert_true(job_step_run_time(stopped, T0 + 2 * S, 2 * S, T0 + 8 * S) == 3 * S);
        assert_int_equal(job_requeue(c, stopped, "JOB REQUEUE", false, T0 + 9 * S), SLUMBER_OK);
        assert_true(script_stood_still(c, stopped, T0 + 12 * S) == 4 * S);
}

static void a_lost_node_is_named_as_the_cause(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 1, .requeue = 1 }, T0);

        job_node_failed(c, j, j->placed.alloc[0].node, T0 + 4 * S);
        assert_string_equal(ended(c)->state, "NODE_FAIL");
}

static void keep_one(struct job *j, size_t place, struct bitset **ret) {
        *ret = bitset_new(j->placed.n_alloc);
        bitset_add(*ret, place);
}

static void one_that_gives_nodes_back_has_a_row_for_each_size(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c,
                        &(struct job_spec){ .min_nodes = 2,
                                        .max_nodes = 2,
                                        .num_tasks = 4,
                                        .tasks_set = true,
                                        .ntasks_per_node = 2,
                                        .mem_per_node = 100,
                                        .time_limit = 600 * S },
                        T0);
        _cleanup_(bitset_freep) struct bitset *keep = NULL, *all = NULL;
        struct fail fail = { 0 };
        const struct ended *e = NULL;

        keep_one(j, 0, &keep);
        all = bitset_new(2);
        bitset_fill(all);
        struct step *s = job_step_started(c, j, job_step_number(j, false), all, T0 + S);
        assert_int_equal(job_may_shrink(j, keep, &fail), SLUMBER_FAILED);
        assert_string_equal(fail.text,
                        "StepId=1.0 runs on nodes that would go and on others; end it first");
        bitset_fill(s->ended);
        assert_int_equal(job_may_shrink(j, keep, &fail), SLUMBER_OK);
        job_shrink(c, j, keep, T0 + 5 * S);
        assert_true(j->running.n_steps == 0 && j->placed.n_alloc == 1 && j->placed.num_cpus == 2 &&
                        j->placed.units->bits == 4 && bitset_count(j->placed.units) == 2);
        assert_true(bitset_count(j->placed.nodes) == 1 && c->nodes[1]->n_jobs == 0 &&
                        c->nodes[1]->cpus_used == 0 && c->nodes[1]->memory_used == 0);
        assert_true(c->nodes[1]->n_strays == 1 && follows(c, FOLLOW_PASS));
        for (size_t i = 0; i < c->effects.n; i++)
                if (c->effects.list[i].kind == FX_RUN_ROW)
                        e = c->effects.list[i].ended;
        assert_non_null(e);
        assert_string_equal(e->state, "RESIZING");
        assert_string_equal(e->nodes, "n[1-2]");
        assert_string_equal(e->tres_alloc, "cpu=4,mem=200M,node=2,billing=4");
        assert_true(e->time_start == T0 && e->time_end == T0 + 5 * S && e->time_suspended == 0);
        effects_done(&c->effects);

        job_batch_ended(c, j, 0, false, NULL, T0 + 20 * S, T0 + 20 * S);
        e = ended(c);
        assert_string_equal(e->nodes, "n1");
        assert_string_equal(e->tres_alloc, "cpu=2,mem=100M,node=1,billing=2");
        assert_true(e->time_start == T0 + 5 * S && e->time_end == T0 + 20 * S &&
                        e->time_suspended == 0);
        assert_true(e->time_queued == T0 + 5 * S && e->time_eligible == T0 + 5 * S &&
                        e->time_submit == T0);
}

static void an_end_before_a_shrink_makes_no_time_negative(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c,
                        &(struct job_spec){ .min_nodes = 2, .max_nodes = 2, .time_limit = 600 * S },
                        T0);
        _cleanup_(bitset_freep) struct bitset *keep = NULL;

        keep_one(j, 0, &keep);
        job_shrink(c, j, keep, T0 + 5 * S);
        effects_done(&c->effects);
        job_batch_ended(c, j, 0, false, NULL, T0 + 3 * S, T0 + 20 * S);
        const struct ended *e = ended(c);
        assert_true(e->time_end == T0 + 3 * S && e->time_start == e->time_end &&
                        e->time_suspended == 0);
        assert_true(e->time_queued <= e->time_start && e->time_eligible <= e->time_start);
}

static void one_that_never_ran_has_no_nodes(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 2, .hold = true }, T0);

        assert_int_equal(job_cancel(c, j, 1000, T0 + 4 * S), SLUMBER_OK);
        const struct ended *e = ended(c);
        assert_string_equal(e->nodes, "");
        assert_string_equal(e->tres_alloc, "");
        assert_true(e->time_start == 0 && e->time_end == T0 + 4 * S && e->time_eligible == 0 &&
                        e->num_nodes == 0);
}

static void nothing_is_made_unless_wanted(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make();
        struct job *j = submit(c, &(struct job_spec){ .min_nodes = 1 }, T0);

        c->keeps_ended = false;
        assert_int_equal(job_cancel(c, j, 0, T0 + S), SLUMBER_OK);
        for (size_t i = 0; i < c->effects.n; i++)
                assert_null(c->effects.list[i].ended);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(one_that_ran_tells_where_and_how_long),
                cmocka_unit_test(an_end_that_is_told_late_is_as_early_as_it_was),
                cmocka_unit_test(suspended_time_is_told_apart),
                cmocka_unit_test(a_run_that_is_sent_back_is_told_with_what_it_had),
                cmocka_unit_test(a_script_that_is_sent_back_has_run_until_it_ended),
                cmocka_unit_test(a_lost_node_is_named_as_the_cause),
                cmocka_unit_test(one_that_gives_nodes_back_has_a_row_for_each_size),
                cmocka_unit_test(an_end_before_a_shrink_makes_no_time_negative),
                cmocka_unit_test(one_that_never_ran_has_no_nodes),
                cmocka_unit_test(nothing_is_made_unless_wanted),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
