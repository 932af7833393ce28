/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long what fell due waits for agents that say nothing (indexes/listen.h). */
#include "controller/indexes/changed.h"
#include "controller/indexes/listen.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#define T0 (1000 * USEC_PER_SEC)

static const char conf[] =
                "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nNodeName=n[1-2]\n"
                "PartitionName=p Nodes=ALL Default=YES\n";

/* Both nodes have served, and their agents are gone without a word; a job's deadline is due. */
static struct cluster *begin(void) {
        struct cluster *c = cluster_of(conf, T0);

        for (size_t i = 0; i < c->n_nodes; i++) {
                c->nodes[i]->power = NODE_ON;
                node_set_base(c, c->nodes[i], NODE_IDLE, T0);
        }
        listen_begin(c, 120 * USEC_PER_SEC, T0);
        assert_int_equal(c->listen.n_awaited, 2);
        assert_true(listen_keeps(c,
                        &(struct deadline){ .at = T0 - 1, .kind = DEADLINE_JOB, .id = 1 }));
        return c;
}

static bool still_waits(struct cluster *c, usec_t now) {
        listen_review(c, now);
        return c->listen.n_kept > 0;
}

static void silence_is_waited_for_once(void **state) {
        struct cluster *c = begin();

        (void)state;
        assert_true(still_waits(c, T0 + LISTEN_TIME - 1));
        assert_false(still_waits(c, T0 + LISTEN_TIME));
        assert_int_equal(c->listen.until, 0);
        cluster_free(c);
}

/* It stands still for half a second every five: nothing would ever be judged if each of them began
   anew. */
static void short_pauses_end(void **state) {
        struct cluster *c = begin();
        usec_t now = T0;

        (void)state;
        while (still_waits(c, now) && now < T0 + 100 * USEC_PER_SEC) {
                now += 5 * USEC_PER_SEC;
                if (still_waits(c, now))
                        listen_begin(c, USEC_PER_SEC / 2, now);
        }
        assert_true(now <= T0 + LISTEN_TIME + 5 * USEC_PER_SEC);
        cluster_free(c);
}

static void a_long_one_begins_anew(void **state) {
        struct cluster *c = begin();
        usec_t again = T0 + LISTEN_TIME - 1 + 120 * USEC_PER_SEC;

        (void)state;
        listen_begin(c, 120 * USEC_PER_SEC, again);
        assert_true(still_waits(c, again + LISTEN_TIME - 1));
        assert_false(still_waits(c, again + LISTEN_TIME));
        cluster_free(c);
}

static void a_node_that_went_is_not_awaited(void **state) {
        struct cluster *c = begin();
        struct fail fail = { 0 };
        struct config *config = NULL;
        _cleanup_free_ char *less = xstrdup(conf);

        (void)state;
        memcpy(strstr(less, "n[1-2]"), "n1    ", 6);
        assert_int_equal(config_parse("test.conf", less, strlen(less), &config, &fail), 0);
        assert_int_equal(cluster_reconfigure(c, config, T0 + 1, &fail), 0);
        listen_begin(c, 120 * USEC_PER_SEC, T0 + 2);
        assert_int_equal(c->listen.n_awaited, 1);
        listen_heard(c, c->nodes[0]);
        assert_false(still_waits(c, T0 + 3));
        cluster_free(c);
}

/* --batch: its script is on n2, so that what n1 may have to say does not count. */
static void the_end_of_a_script_is_told_by_its_node(void **state) {
        struct cluster *c = begin();
        struct job_node alloc[] = {
                { .node = c->nodes[0], .used = true },
                { .node = c->nodes[1], .used = true },
        };
        struct job j = {
                .asked.batch = true,
                .state = JOB_RUNNING,
                .needs.time_limit = NO_LIMIT,
                .placed.alloc = alloc,
                .placed.n_alloc = 2,
                .placed.batch_at = 1,
        };

        (void)state;
        c->nodes[0]->connected = true;
        c->nodes[1]->lost_since = T0;
        assert_true(listen_for_job(c, &j, T0 + 1));
        j.running.heard_by = 0;
        j.placed.batch_at = 0;
        assert_false(listen_for_job(c, &j, T0 + 1));
        c->nodes[0]->connected = false;
        cluster_free(c);
}

/* Its srun is on its way back after a start: the end of its step is told when that has the
   output. */
static void job_waits_for_lost_srun(void **state) {
        struct cluster *c = begin();
        struct step step = { .orphan_due = T0 + 300 * USEC_PER_SEC };
        struct job j = {
                .asked.batch = true,
                .state = JOB_RUNNING,
                .needs.time_limit = NO_LIMIT,
                .running.steps = &step,
                .running.n_steps = 1,
        };

        (void)state;
        listen_begin(c, 120 * USEC_PER_SEC, T0);
        assert_true(listen_for_job(c, &j, T0 + 1));
        assert_int_equal(j.running.heard_by, T0 + LISTEN_TIME);
        assert_false(listen_for_job(c, &j, T0 + LISTEN_TIME));
        step.orphan_due = 0;
        assert_false(listen_for_job(c, &j, T0 + LISTEN_TIME + 1));
        cluster_free(c);
}

/* The step's end was told at 400 s; what was left then was left of the limit and of
   OverTimeLimit. */
static void time_held_up_counts_with_overtime(void **state) {
        static const struct {
                usec_t ended, until;
        } rows[] = {
                { 30 * USEC_PER_SEC, 730 * USEC_PER_SEC },
                { 100 * USEC_PER_SEC, 660 * USEC_PER_SEC }, /* beyond the limit */
                { 361 * USEC_PER_SEC, 0 },
        };
        struct cluster *c = begin();

        (void)state;
        c->config->over_time_limit = 5;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct job j = { .state = JOB_RUNNING,
                        .needs.time_limit = 60 * USEC_PER_SEC,
                        .running.resumed_at = T0,
                        .running.steps_told = T0 + 400 * USEC_PER_SEC,
                        .running.steps_late = 400 * USEC_PER_SEC - rows[i].ended };
                assert_int_equal(listen_for_job(c, &j, T0 + 400 * USEC_PER_SEC), rows[i].until > 0);
                assert_int_equal(j.running.heard_by, rows[i].until ? T0 + rows[i].until : 0);
        }
        cluster_free(c);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(silence_is_waited_for_once),
                cmocka_unit_test(short_pauses_end),
                cmocka_unit_test(a_long_one_begins_anew),
                cmocka_unit_test(a_node_that_went_is_not_awaited),
                cmocka_unit_test(the_end_of_a_script_is_told_by_its_node),
                cmocka_unit_test(time_held_up_counts_with_overtime),
                cmocka_unit_test(job_waits_for_lost_srun),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
