/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/effect.h"
#include "controller/model/job.h"
#include "controller/nodes/audit.h"
#include "lib/abilities.h"
#include "lib/errors.h"
#include "tests/unit/test.h"

static void every_pair_of_the_table(void **state) {
        static const struct {
                enum job_state from;
                enum job_event event;
                enum job_state to;
        } legal[] = {
                { JOB_PENDING, JOB_STARTED, JOB_RUNNING },
                { JOB_PENDING, JOB_ENDED, JOB_CANCELLED },
                { JOB_RUNNING, JOB_STOPPED, JOB_SUSPENDED },
                { JOB_RUNNING, JOB_ENDED, JOB_CANCELLED },
                { JOB_RUNNING, JOB_REQUEUED, JOB_PENDING },
                { JOB_SUSPENDED, JOB_RESUMED, JOB_RUNNING },
                { JOB_SUSPENDED, JOB_ENDED, JOB_CANCELLED },
                { JOB_SUSPENDED, JOB_REQUEUED, JOB_PENDING },
        };

        for (int from = 0; from < JOB_STATE_MAX; from++)
                for (int event = 0; event < JOB_EVENT_MAX; event++) {
                        enum job_state to = JOB_STATE_MAX, want = JOB_STATE_MAX;
                        if (from >= JOB_COMPLETED && event == JOB_REQUEUED)
                                want = JOB_PENDING;
                        for (size_t i = 0; i < ELEMENTSOF(legal); i++)
                                if ((int)legal[i].from == from && (int)legal[i].event == event)
                                        want = legal[i].to;
                        int r = job_state_step((enum job_state)from, (enum job_event)event,
                                        JOB_CANCELLED, &to);
                        assert_int_equal(r, want == JOB_STATE_MAX ? -EPROTO : 0);
                        assert_int_equal(to, want);
                }
}

static void a_job_ends_in_the_state_that_is_named(void **state) {
        for (int end = JOB_COMPLETED; end < JOB_STATE_MAX; end++) {
                struct job j = { .state = JOB_RUNNING };
                assert_int_equal(job_move(&j, JOB_ENDED, (enum job_state)end), 0);
                assert_int_equal(j.state, end);
        }
}

static void every_word_comes_back(void **state) {
#define TABLE(name, max)                                                                           \
        { #name, name##_text, name##_parse, max }
        static const struct {
                const char *name;
                const char *(*text)(int);
                int (*parse)(const char *);
                int max;
        } tables[] = {
                TABLE(job_state, JOB_STATE_MAX),
                TABLE(job_state_short, JOB_STATE_MAX),
                TABLE(effect_kind, EFFECT_MAX),
                TABLE(node_power, NODE_POWER_MAX),
                TABLE(node_base, NODE_BASE_MAX),
                TABLE(node_event, NODE_EVENT_MAX),
                TABLE(node_observed, OBSERVED_MAX),
                TABLE(audit_result, AUDIT_RESULT_MAX),
                TABLE(slumber_error, SLUMBER_ERROR_MAX),
        };

        for (size_t i = 0; i < ELEMENTSOF(tables); i++) {
                size_t words = 0;
                for (int v = 0; v < tables[i].max; v++) {
                        const char *word = tables[i].text(v);
                        if (!word)
                                continue; /* NODE_POWER_NONE */
                        assert_int_equal(tables[i].parse(word), v);
                        words++;
                }
                assert_true(words + 1 >= (size_t)tables[i].max);
                assert_null(tables[i].text(tables[i].max));
                assert_null(tables[i].text(-1));
                assert_int_equal(tables[i].parse("no such word"), -EINVAL);
        }
}

static void time_stopped_does_not_count(void **state) {
        struct job j = {
                .state = JOB_RUNNING,
                .running.start_time = 100,
                .running.resumed_at = 100,
                .needs.time_limit = 50,
        };

        assert_int_equal(job_run_time(&j, 130), 30);
        assert_int_equal(job_time_up(&j), 150);
        j = (struct job){ .state = JOB_SUSPENDED,
                .running.start_time = 100,
                .running.ran_before = 30,
                .needs.time_limit = 50 };
        assert_int_equal(job_run_time(&j, 1000), 30);
        assert_true(job_time_up(&j) == NO_LIMIT);
        j = (struct job){ .state = JOB_RUNNING,
                .running.start_time = 100,
                .running.ran_before = 30,
                .running.resumed_at = 1000,
                .needs.time_limit = 50 };
        assert_int_equal(job_run_time(&j, 1010), 40);
        assert_int_equal(job_time_up(&j), 1020);
        j.configuring = true;
        assert_int_equal(job_run_time(&j, 1010), 0);
        assert_true(job_time_up(&j) == NO_LIMIT);
}

static void its_nodes_know_it_by_the_incarnation_before(void **state) {
        struct job j = { .restarts = 3 };

        assert_int_equal(job_incarnation(&j), 3);
        j.running.requeue_wanted = j.completing = true;
        assert_int_equal(job_incarnation(&j), 2);
}

static void a_home_reaches_all_of_its_nodes(void **state) {
        struct job j = { .placed.n_alloc = PEER_CONNECTIONS_MAX };

        assert_true(job_home_reaches_all(&j));
        j.placed.n_alloc++; /* it would close connections that it needs */
        assert_false(job_home_reaches_all(&j));
        j.placed.n_alloc = 2;
        j.asked.no_kill = true; /* it would not hear which of them are left */
        assert_false(job_home_reaches_all(&j));
        j.placed.n_alloc = 1;
        assert_true(job_home_reaches_all(&j));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_pair_of_the_table),
                cmocka_unit_test(a_job_ends_in_the_state_that_is_named),
                cmocka_unit_test(every_word_comes_back),
                cmocka_unit_test(time_stopped_does_not_count),
                cmocka_unit_test(its_nodes_know_it_by_the_incarnation_before),
                cmocka_unit_test(a_home_reaches_all_of_its_nodes),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
