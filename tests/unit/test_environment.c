/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/common/task_environment.h"

#define GET(e, name, value) assert_string_equal(environment_get(e, name), value)

static void the_later_value_wins_and_keeps_its_place(void **state) {
        struct environment *e = environment_new();

        (void)state;
        environment_put(e, "A=1");
        environment_put(e, "AB=2");
        environment_put(e, "A=3");
        environment_default(e, "A", "4");
        environment_default(e, "C", "5");
        char **v = environment_vector(e);
        assert_string_equal(v[0], "A=3");
        assert_string_equal(v[1], "AB=2");
        assert_string_equal(v[2], "C=5");
        assert_null(v[3]);
        environment_free(e);
}

static void what_is_no_variable_is_left_out(void **state) {
        static const char *const lines[] = { "", "=", "=x", "name", "two words" };
        struct environment *e = environment_new();

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                environment_put(e, lines[i]);
        environment_put(e, "EMPTY=");
        assert_int_equal(environment_count(e), 1);
        GET(e, "EMPTY", "");
        assert_null(environment_get(e, "EMPT"));
        environment_free(e);
}

struct step { /* a description with all its parts */
        Slumber__StepdSpec spec;
        Slumber__LaunchStep launch;
        Slumber__CredentialBody credential;
        Slumber__AgentConfig config;
        Slumber__StepSpec step;
        Slumber__JobScript script;
        uint32_t ranks[3];
};

static void describe(struct step *s, bool batch) {
        *s = (struct step){ SLUMBER__STEPD_SPEC__INIT, SLUMBER__LAUNCH_STEP__INIT,
                SLUMBER__CREDENTIAL_BODY__INIT, SLUMBER__AGENT_CONFIG__INIT,
                SLUMBER__STEP_SPEC__INIT, SLUMBER__JOB_SCRIPT__INIT, { 4, 5, 6 } };
        s->spec.launch = &s->launch;
        s->spec.credential = &s->credential;
        s->spec.config = &s->config;
        s->spec.node = (char *)"n2";
        s->config.cluster_name = (char *)"blue";
        s->credential.job_id = 9;
        s->credential.step_id = batch ? STEP_BATCH : 1;
        s->credential.restarts = 2;
        s->credential.uid = 1000;
        s->credential.cpus = 4;
        s->credential.user = (char *)"ada";
        s->launch.spec = &s->step;
        s->launch.batch = batch;
        s->launch.script = batch ? &s->script : NULL;
        s->launch.ranks = s->ranks;
        s->launch.n_ranks = 3;
        s->launch.num_tasks = 7;
        s->launch.num_nodes = 2;
        s->launch.node_rank = 1;
        s->launch.step_nodes = (char *)"n[1-2]";
        s->launch.tasks_per_node = (char *)"4,3";
}

static void a_step_gets_what_the_node_knows(void **state) {
        struct environment *e = environment_new();
        struct step s;

        (void)state;
        describe(&s, false);
        environment_of_step(e, &s.spec);
        environment_of_task(e, &s.spec, 1);
        GET(e, "SLURM_JOB_ID", "9");
        GET(e, "SLURM_JOBID", "9");
        GET(e, "SLURM_STEP_ID", "1");
        GET(e, "SLURM_STEP_NODELIST", "n[1-2]");
        GET(e, "SLURM_STEP_TASKS_PER_NODE", "4,3");
        GET(e, "SLURM_TASKS_PER_NODE", "4,3");
        GET(e, "SLURM_NTASKS", "7");
        GET(e, "SLURM_NODEID", "1");
        GET(e, "SLURM_GTIDS", "4,5,6");
        GET(e, "SLURM_PROCID", "5");
        GET(e, "SLURM_LOCALID", "1");
        GET(e, "SLURM_CPUS_ON_NODE", "4");
        GET(e, "SLURM_CLUSTER_NAME", "blue");
        GET(e, "SLURMD_NODENAME", "n2");
        assert_null(environment_get(e, "ENVIRONMENT"));
        environment_free(e);
}

static void slurms_variables_are_not_the_users_to_set(void **state) {
        char *users[] = { (char *)"SLURM_JOB_ID=666", (char *)"SLURM_JOB_NAME=mine",
                (char *)"HOME=/h" };
        char *controllers[] = { (char *)"SLURM_JOB_NAME=true" };
        struct environment *e = environment_new();
        struct step s;

        (void)state;
        describe(&s, true);
        s.script.environment = users;
        s.script.n_environment = ELEMENTSOF(users);
        s.launch.job_environment = controllers;
        s.launch.n_job_environment = ELEMENTSOF(controllers);
        environment_of_step(e, &s.spec);
        GET(e, "SLURM_JOB_ID", "9");
        GET(e, "SLURM_JOB_NAME", "true");
        GET(e, "HOME", "/h");
        GET(e, "ENVIRONMENT", "BATCH");
        GET(e, "HOSTNAME", "n2");
        GET(e, "SLURM_RESTART_COUNT", "2");
        assert_null(environment_get(e, "SLURM_STEP_ID"));
        environment_free(e);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_later_value_wins_and_keeps_its_place),
                cmocka_unit_test(what_is_no_variable_is_left_out),
                cmocka_unit_test(a_step_gets_what_the_node_knows),
                cmocka_unit_test(slurms_variables_are_not_the_users_to_set),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
