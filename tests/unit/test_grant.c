/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a node lets the first node of a job start: what the controller grants, and no more. */
#include "tests/unit/test.h"

#include "agent/stepmgr/grant.h"
#include "lib/credential.h"
#include "lib/step_id.h"

#define NOW (1000 * USEC_PER_SEC)

static char node[] = "n2", user[] = "ann", root[] = "root", cores[] = "0-3", one_core[] = "2",
            more_cores[] = "2-4", gpus[] = "gpu:a100:2(IDX:0-1)", one_gpu[] = "gpu:a100:1(IDX:1)",
            other_gpu[] = "gpu:a100:1(IDX:2)", home[] = "10.0.0.1:6818", none[] = "",
            variable[] = "SLURM_JOB_ID=7";

struct world {
        struct credential_key *key, *other;
        Slumber__Grant grant;
        Slumber__CredentialBody most, body;
        Slumber__LaunchStep launch;
        Slumber__StepSpec spec;
        Slumber__JobScript script;
        char *hooks[1];
};

static struct credential_key *key_of(uint8_t first) {
        uint8_t seed[CREDENTIAL_SEED_SIZE] = { first };
        struct credential_key *key = NULL;

        assert_int_equal(credential_key_of_seed(seed, sizeof seed, &key), 0);
        return key;
}

static int make_world(void **state) {
        struct world *w = xnew(struct world, 1);

        *w = (struct world){ .key = key_of(1),
                .other = key_of(2),
                .grant = SLUMBER__GRANT__INIT,
                .most = SLUMBER__CREDENTIAL_BODY__INIT,
                .launch = SLUMBER__LAUNCH_STEP__INIT,
                .spec = SLUMBER__STEP_SPEC__INIT,
                .script = SLUMBER__JOB_SCRIPT__INIT,
                .hooks = { variable } };
        w->most.job_id = w->grant.job_id = 7;
        w->most.restarts = w->grant.restarts = 1;
        w->most.uid = w->most.gid = 1000;
        w->most.user = user;
        w->most.node = node;
        w->most.cpus = 4;
        w->most.mem = w->most.job_mem = 1000;
        w->most.cores = w->most.job_cores = cores;
        w->most.job_gres = w->most.step_gres = gpus;
        w->grant.most = &w->most;
        w->grant.key.data = (uint8_t *)(uintptr_t)credential_key_public(w->key);
        w->grant.key.len = CREDENTIAL_KEY_SIZE;
        w->grant.hook_environment = w->hooks;
        w->grant.n_hook_environment = 1;
        w->body = w->most;
        w->body.step_id = 3;
        w->body.maker = home;
        w->body.stream_token = 5;
        w->body.expires = NOW + USEC_PER_SEC;
        w->launch.spec = &w->spec;
        *state = w;
        return 0;
}

static int free_world(void **state) {
        struct world *w = *state;

        credential_key_free(w->key);
        credential_key_free(w->other);
        free(w);
        return 0;
}

static int check_on(struct world *w, const struct credential_key *key, const char *where,
                struct fail *fail) {
        _cleanup_(grant_freep) struct grant *g = grant_new(&w->grant, fail);
        _cleanup_(credential_freep) Slumber__Credential *c = NULL;
        _cleanup_(credential_body_freep) Slumber__CredentialBody *body = NULL;

        assert_non_null(g);
        assert_true(grant_is_of(g, 7, 1));
        assert_int_equal(credential_sign(key, &w->body, &c), 0);
        w->launch.credential = c;
        int r = grant_check(g, &w->launch, where, NOW, &body, fail);
        assert_int_equal(body != NULL, r >= 0);
        w->launch.credential = NULL;
        return r;
}

static int check(struct world *w) {
        struct fail fail = { 0 };

        return check_on(w, w->key, node, &fail);
}

static void what_is_granted_may_start(void **state) {
        struct world *w = *state;

        assert_int_equal(check(w), 0);
        w->body.cpus = 1;
        w->body.cores = one_core;
        w->body.mem = 10;
        w->body.step_gres = one_gpu;
        assert_int_equal(check(w), 0);
        w->body.step_gres = none;
        w->body.step_id = STEP_BCAST_FIRST;
        assert_int_equal(check(w), 0);
}

static void a_forged_or_foreign_credential_is_refused(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };

        assert_int_equal(check_on(w, w->other, node, &fail), -EKEYREJECTED);
        assert_int_equal(check_on(w, w->key, "n3", &fail), -EACCES);
        assert_non_null(strstr(fail.text, "is for node \"n2\", not \"n3\""));
        w->body.expires = NOW;
        assert_int_equal(check(w), -EKEYEXPIRED);
}

/* Each of these alone is more than is granted. */
static void more_than_is_granted_is_refused(void **state) {
        static uint32_t groups[] = { 0 };
        struct world *w = *state;
        const Slumber__CredentialBody good = w->body;

        for (unsigned i = 0; i < 18; i++) {
                Slumber__CredentialBody *b = &w->body;
                *b = good;
                switch (i) {
                case 0:
                        b->job_id = 8;
                        break;
                case 1:
                        b->restarts = 2;
                        break;
                case 2:
                        b->uid = 0;
                        break;
                case 3:
                        b->gid = 0;
                        break;
                case 4:
                        b->user = root;
                        break;
                case 5:
                        b->groups = groups;
                        b->n_groups = 1;
                        break;
                case 6:
                        b->step_id = STEP_BATCH;
                        break;
                case 7:
                        b->step_id = STEP_EXTERN;
                        break;
                case 8:
                        b->step_id = STEP_PROLOG;
                        break;
                case 9:
                        b->cpus = 5;
                        break;
                case 10:
                        b->cores = more_cores;
                        break;
                case 11:
                        b->cores = none;
                        break;
                case 12:
                        b->job_cores = more_cores;
                        break;
                case 13:
                        b->mem = 1001;
                        break;
                case 14:
                        b->mem = 0;
                        break;
                case 15:
                        b->job_mem = 0;
                        break;
                case 16:
                        b->step_gres = other_gpu;
                        break;
                default:
                        b->job_gres = none;
                        break;
                }
                if (check(w) != -EACCES)
                        fail_msg("case %u is not refused", i);
        }
        w->body = good;
        assert_int_equal(check(w), 0);
}

static void only_a_step_of_srun_is_launched(void **state) {
        struct world *w = *state;
        Slumber__StepMaker maker = SLUMBER__STEP_MAKER__INIT;

        w->launch.batch = true;
        assert_int_equal(check(w), -EACCES);
        w->launch.batch = false;
        w->launch.script = &w->script;
        assert_int_equal(check(w), -EACCES);
        w->launch.script = NULL;
        w->launch.maker = &maker;
        assert_int_equal(check(w), -EACCES);
        w->launch.maker = NULL;
        w->launch.spec = NULL;
        assert_int_equal(check(w), -EACCES);
}

static void a_refusal_grants_nothing(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };
        char why[] = "the job does not run here any more";

        w->grant.key.len = 31;
        assert_null(grant_new(&w->grant, &fail));
        w->grant.key.len = CREDENTIAL_KEY_SIZE;
        w->grant.most = NULL;
        assert_null(grant_new(&w->grant, &fail));
        w->grant.most = &w->most;
        w->grant.why = why;
        assert_null(grant_new(&w->grant, &fail));
        assert_string_equal(fail.text, why);
}

static void a_pair_follows_from_its_words(void **state) {
        struct world *w = *state;
        uint8_t seed[CREDENTIAL_SEED_SIZE], again[CREDENTIAL_SEED_SIZE];
        _cleanup_(credential_key_freep) struct credential_key *a = credential_key_derive(w->key,
                                                                              "job 7"),
                                                              *b = credential_key_derive(w->key,
                                                                              "job 8"),
                                                              *c = NULL;

        credential_key_seed(a, seed);
        credential_key_seed(b, again);
        assert_memory_not_equal(seed, again, sizeof seed);
        assert_int_equal(credential_key_of_seed(seed, sizeof seed, &c), 0);
        assert_memory_equal(credential_key_public(a), credential_key_public(c),
                        CREDENTIAL_KEY_SIZE);
        assert_int_equal(credential_key_of_seed(seed, sizeof seed - 1, &c), -EINVAL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_world, free_world)

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(what_is_granted_may_start),
                TEST(a_forged_or_foreign_credential_is_refused),
                TEST(more_than_is_granted_is_refused),
                TEST(only_a_step_of_srun_is_launched),
                TEST(a_refusal_grants_nothing),
                TEST(a_pair_follows_from_its_words),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
