/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sbatch and scancel as processes, and this test as their daemon. */
#include "commands/command.h"
#include "lib/errors.h"
#include "tests/unit/fakedaemon.h"

#define JOB 7

#define SBATCH(f, ...)                                                                             \
        fake_start((f), sbatch_main, (const char *const[]){ "sbatch", __VA_ARGS__, NULL })
#define SCANCEL(f, ...)                                                                            \
        fake_start((f), scancel_main, (const char *const[]){ "scancel", __VA_ARGS__, NULL })

static void send_submitted(struct fake *f, uint64_t reply_to) {
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;

        m.job_id = JOB;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(f, &env, reply_to);
}

static void put_script(struct fake *f, const char *script) {
        size_t n = strlen(script);

        assert_int_equal(write(f->in, script, n), n);
        close(f->in);
        f->in = -1;
}

static const char *env_of(const Slumber__JobScript *script, const char *name) {
        for (size_t i = 0; i < script->n_environment; i++)
                if (strncmp(script->environment[i], name, strlen(name)) == 0 &&
                                script->environment[i][strlen(name)] == '=')
                        return script->environment[i] + strlen(name) + 1;
        return NULL;
}

static void a_script_from_standard_input_is_submitted(void **state) {
        _cleanup_free_ char *cwd = getcwd(NULL, 0);
        struct fake f;

        fake_open(&f);
        setenv("SBATCH_QOS", "env", 1);
        SBATCH(&f, "-p", "cmd", "--export=ALL,A=b");
        unsetenv("SBATCH_QOS");
        put_script(&f, "#!/bin/sh\n#SBATCH -p line -q line -N2 -J name\ntrue\n");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        const Slumber__JobSpec *spec = request->submit->spec;
        const Slumber__JobScript *script = request->submit->script;
        assert_string_equal(spec->partition, "cmd");
        assert_string_equal(spec->qos, "env");
        assert_string_equal(spec->name, "name");
        assert_int_equal(spec->min_nodes, 2);
        assert_true(spec->batch);
        assert_string_equal(spec->std_out, "slurm-%j.out");
        assert_string_equal(spec->work_dir, cwd);
        assert_non_null(strstr((const char *)script->script.data, "true\n"));
        assert_string_equal(env_of(script, "A"), "b");
        assert_string_equal(env_of(script, "SLURM_SUBMIT_DIR"), cwd);
        assert_true(script->n_rlimits > 0);
        send_submitted(&f, request->id);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.out, "Submitted batch job 7\n");
        assert_string_equal(f.err, "");
        fake_close(&f);
}

static void lines_of_other_systems_win_over_sbatch_lines_and_lose_to_the_command(void **state) {
        static const char script[] =
                        "#!/bin/sh\n#SBATCH -J ours -N2\n#PBS -N theirs -q line -k oe\n#BSUB -W 30\ntrue\n";
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "-p", "cmd");
        put_script(&f, script);
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        assert_string_equal(request->submit->spec->name, "theirs");
        assert_string_equal(request->submit->spec->partition, "cmd");
        assert_int_equal(request->submit->spec->min_nodes, 2);
        assert_int_equal(request->submit->spec->time_limit, 1800 * USEC_PER_SEC);
        send_submitted(&f, request->id);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.err, "sbatch: script: line 3: #PBS -k oe is not read\n");
        fake_close(&f);
}

static void ignore_pbs_leaves_them_alone(void **state) {
        static const char *const ways[] = { "--ignore-pbs", "-Q" };

        for (size_t i = 0; i < ELEMENTSOF(ways); i++) {
                struct fake f;
                fake_open(&f);
                if (i == 1)
                        setenv("SBATCH_IGNORE_PBS", "1", 1);
                SBATCH(&f, ways[i]);
                unsetenv("SBATCH_IGNORE_PBS");
                put_script(&f, "#!/bin/sh\n#PBS -N theirs -k oe\n#BSUB -n none\ntrue\n");
                fake_accept(&f);
                _cleanup_envelope_ Envelope *request = fake_receive(&f,
                                SLUMBER__ENVELOPE__BODY_SUBMIT);
                assert_string_equal(request->submit->spec->name, "sbatch");
                send_submitted(&f, request->id);
                assert_int_equal(fake_end(&f), 0);
                assert_string_equal(f.err, "");
                fake_close(&f);
        }
}

static void parsable_is_the_id_alone(void **state) {
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "--parsable", "--wrap", "sleep 1");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        assert_string_equal(request->submit->spec->name, "wrap");
        assert_non_null(strstr((const char *)request->submit->script->script.data, "\nsleep 1\n"));
        send_submitted(&f, request->id);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.out, "7\n");
        fake_close(&f);
}

static void a_refusal_is_said_in_slurms_words(void **state) {
        Slumber__Error error = SLUMBER__ERROR__INIT;
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "--wrap", "true");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        error.code = SLUMBER_NODES_NOT_AVAILABLE;
        ENVELOPE(env, ERROR, error, &error);
        fake_send(&f, &env, request->id);
        assert_int_equal(fake_end(&f), 1);
        assert_string_equal(f.out, "");
        assert_string_equal(f.err, "sbatch: error: Batch job submission failed: Requested node "
                                   "configuration is not available\n");
        fake_close(&f);
}

static void send_ended(struct fake *f, uint32_t status) {
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;
        Slumber__Job job = SLUMBER__JOB__INIT;

        job.id = JOB;
        job.exit_code = status;
        m.job_id = JOB;
        m.kind = SLUMBER__JOB_NOTICE__KIND__ENDED;
        m.job = &job;
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);
        fake_send(f, &env, 0);
}

static void wait_exits_with_the_jobs_code(void **state) {
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "-W", "--wrap", "exit 3");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        assert_true(request->submit->wait);
        send_submitted(&f, request->id);
        send_ended(&f, 3 << 8);
        assert_int_equal(fake_end(&f), 3);
        assert_string_equal(f.out, "Submitted batch job 7\n");
        fake_close(&f);
}

static void signal_ends_waiting(void **state) {
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "-W", "--wrap", "kill -9 $$");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        send_submitted(&f, request->id);
        send_ended(&f, 9);
        assert_int_equal(fake_end(&f), 1);
        fake_close(&f);
}

static void test_only_says_when_and_where(void **state) {
        Slumber__StartEstimate estimate = SLUMBER__START_ESTIMATE__INIT;
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;
        uint32_t preempts[] = { 3, 5 };
        struct fake f;

        fake_open(&f);
        setenv("TZ", "UTC", 1);
        SBATCH(&f, "--test-only", "-W", "--wrap", "true");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        assert_true(request->submit->test_only);
        estimate.start_time = 1900000000ull * USEC_PER_SEC;
        estimate.num_cpus = 6;
        estimate.nodes = (char *)"n[1-3]";
        estimate.partition = (char *)"main";
        estimate.preempts = preempts;
        estimate.n_preempts = ELEMENTSOF(preempts);
        m.job_id = JOB;
        m.estimate = &estimate;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(&f, &env, request->id);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.out, "");
        assert_string_equal(f.err,
                        "sbatch: Job 7 to start at 2030-03-17T17:46:40 using 6 processors on nodes n[1-3] "
                        "in partition main\nsbatch:   Preempts: 3,5\n");
        fake_close(&f);
}

static void waiting_outlives_the_connection(void **state) {
        Slumber__Job job = SLUMBER__JOB__INIT;
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "-W", "--wrap", "kill $$");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        send_submitted(&f, request->id);
        fake_accept(&f); /* the first connection is closed before */
        _cleanup_envelope_ Envelope *query = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);
        assert_int_equal(query->job_query->ids[0], JOB);
        assert_true(query->job_query->with_finished);
        job.id = JOB;
        job.state = SLUMBER__JOB_STATE__JOB_FAILED;
        job.exit_code = SIGTERM;
        fake_send_job(&f, &job, query->id);
        assert_int_equal(fake_end(&f), 1);
        fake_close(&f);
}

static void refuse(struct fake *f, uint64_t reply_to, int code) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        error.code = (uint32_t)code;
        ENVELOPE(env, ERROR, error, &error);
        fake_send(f, &env, reply_to);
}

/* By a node's socket: the connection stays, the controller behind it does not. */
static void waiting_outlives_the_controller(void **state) {
        Slumber__Job job = SLUMBER__JOB__INIT;
        struct fake f;

        fake_open(&f);
        SBATCH(&f, "-W", "--wrap", "exit 3");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        send_submitted(&f, request->id);
        refuse(&f, 0, SLUMBER_CONTROLLER_AWAY);
        fake_accept(&f);
        _cleanup_envelope_ Envelope *early = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);
        refuse(&f, early->id, SLUMBER_CONTROLLER_AWAY);
        fake_accept(&f);
        _cleanup_envelope_ Envelope *query = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);
        assert_int_equal(query->job_query->ids[0], JOB);
        job.id = JOB;
        job.state = SLUMBER__JOB_STATE__JOB_FAILED;
        job.exit_code = 3 << 8;
        fake_send_job(&f, &job, query->id);
        assert_int_equal(fake_end(&f), 3);
        fake_close(&f);
}

/* ---- scancel ---- */

static void send_results(struct fake *f, uint64_t reply_to, uint32_t id, uint32_t code) {
        Slumber__JobActionReply m = SLUMBER__JOB_ACTION_REPLY__INIT;
        Slumber__JobResult result = SLUMBER__JOB_RESULT__INIT, *results = &result;

        result.id = id;
        result.code = code;
        m.results = &results;
        m.n_results = 1;
        ENVELOPE(env, JOB_ACTION_REPLY, job_action_reply, &m);
        fake_send(f, &env, reply_to);
}

static void cancelled(uint32_t code, const char *option, int expected_exit,
                const char *expected_err) {
        struct fake f;

        fake_open(&f);
        SCANCEL(&f, "7", option);
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_ACTION);
        assert_int_equal(request->job_action->kind, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL);
        assert_int_equal(request->job_action->ids[0], 7);
        send_results(&f, request->id, 7, code);
        assert_int_equal(fake_end(&f), expected_exit);
        assert_string_equal(f.err, expected_err);
        fake_close(&f);
}

static void what_has_ended_is_no_error(void **state) {
        cancelled(SLUMBER_OK, "-Q", 0, "");
        cancelled(SLUMBER_ALREADY_DONE, "-Q", 0, "");
        cancelled(SLUMBER_BAD_JOB_ID, "-Q", 0, "");
        cancelled(SLUMBER_BAD_JOB_ID, "-v", 0,
                        "scancel: Terminating job 7\n"
                        "scancel: error: Kill job error on job id 7: Invalid job id specified\n");
        cancelled(SLUMBER_ACCESS_DENIED, "-Q", 1,
                        "scancel: error: Kill job error on job id 7: Access/permission denied\n");
}

static void selections_and_signals_are_one_request(void **state) {
        struct fake f;

        fake_open(&f);
        SCANCEL(&f, "-s", "USR1", "-p", "part", "-t", "PD", "-f");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_ACTION);
        const Slumber__JobAction *a = request->job_action;
        assert_int_equal(a->kind, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL);
        assert_int_equal(a->signal, SIGUSR1);
        assert_true(a->full);
        assert_int_equal(a->n_ids, 0);
        assert_string_equal(a->partition, "part");
        assert_int_equal(a->n_states, 1);
        assert_int_equal(a->states[0], SLUMBER__JOB_STATE__JOB_PENDING);
        send_results(&f, request->id, 3, SLUMBER_OK);
        assert_int_equal(fake_end(&f), 0);
        fake_close(&f);
}

/* Answers the query for job id by that job, in this partition. */
static void send_job(struct fake *f, uint32_t id, const char *partition) {
        Slumber__Job job = SLUMBER__JOB__INIT;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        _cleanup_envelope_ Envelope *query = fake_receive(f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);

        assert_int_equal(query->job_query->n_ids, 1);
        assert_int_equal(query->job_query->ids[0], id);
        job.id = id;
        job.spec = &spec;
        job.partition = (char *)(uintptr_t)partition;
        fake_send_job(f, &job, query->id);
}

static void ids_with_a_selection_are_looked_up(void **state) {
        struct fake f;

        fake_open(&f);
        SCANCEL(&f, "-p", "a", "7", "8.0");
        fake_accept(&f);
        send_job(&f, 7, "b");
        send_job(&f, 8, "a");
        _cleanup_envelope_ Envelope *request = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_ACTION);
        assert_int_equal(request->job_action->n_ids, 1);
        assert_int_equal(request->job_action->ids[0], 8);
        assert_non_null(request->job_action->step);
        send_results(&f, request->id, 8, SLUMBER_OK);
        assert_int_equal(fake_end(&f), 0);
        fake_close(&f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_script_from_standard_input_is_submitted),
                cmocka_unit_test(
                                lines_of_other_systems_win_over_sbatch_lines_and_lose_to_the_command),
                cmocka_unit_test(ignore_pbs_leaves_them_alone),
                cmocka_unit_test(parsable_is_the_id_alone),
                cmocka_unit_test(a_refusal_is_said_in_slurms_words),
                cmocka_unit_test(wait_exits_with_the_jobs_code),
                cmocka_unit_test(signal_ends_waiting),
                cmocka_unit_test(test_only_says_when_and_where),
                cmocka_unit_test(waiting_outlives_the_connection),
                cmocka_unit_test(waiting_outlives_the_controller),
                cmocka_unit_test(what_has_ended_is_no_error),
                cmocka_unit_test(selections_and_signals_are_one_request),
                cmocka_unit_test(ids_with_a_selection_are_looked_up),
        };

        clearenv();
        setenv("PATH", "/bin", 1);
        signal(SIGPIPE, SIG_IGN);
        return cmocka_run_group_tests(tests, NULL, NULL);
}
