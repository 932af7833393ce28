/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of the accounts, and what becomes of their answer; the accounts are the test. */
#include "controller/records/past_question.h"

#include "controller/jobs/past.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/dependency.h"
#include "controller/records/job_rows.h"
#include "controller/sched/sched.h"
#include "controller/store/accounting.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#define NOW (1700000000 * USEC_PER_SEC)

static struct controller ctl;
static bool lacking; /* rows wait for the next start */
static unsigned questions;
static bool held; /* answers wait */
static struct past_question *asker;
static char *asked; /* the last condition */
static void (*answer)(int r, const char *why, char **const *rows, size_t n, bool more, void *user);

usec_t controller_now(const struct controller *of) {
        return NOW;
}

void controller_changed(struct controller *of) {
}

void job_rows_wait(struct controller *of, job_rows_ready ready, void *user) {
        ready(true, user);
}

bool job_rows_lack(const struct controller *of) {
        return lacking;
}

/* They have no row. */
void accounting_find(struct accounting *a, const struct accounting_find *find,
                void (*done)(int r, const char *why, char **const *rows, size_t n, bool more,
                                void *user),
                void *user) {
        free(asked);
        asked = find->where;
        questions++;
        asker = user;
        answer = done;
        if (!held)
                done(0, NULL, NULL, 0, false, user);
}

static struct job *wait_for(struct cluster *c, uint32_t uid, const char *dependency) {
        struct job_spec spec = { .batch = true,
                .min_nodes = 1,
                .dependency = (char *)(uintptr_t)dependency };
        struct submitter submitter = { .uid = uid, .gid = 1000, .user = "u", .group = "g" };
        struct fail fail = { 0 };
        struct job *j = NULL;

        if (job_admit(c, &spec, &submitter, NOW, &j, &fail) != SLUMBER_OK)
                fail_msg("%s", fail.text);
        return j;
}

/* Rows that the accounts get at the next start alone may be those that are asked for. */
static void what_the_accounts_lack_is_no_answer(void **state) {
        (void)state;
        for (unsigned i = 0; i < 2; i++) {
                struct cluster *c = cluster_of(
                                "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                                "NodeName=n1\nPartitionName=p Nodes=n1 Default=YES\n",
                                NOW);
                c->next_job_id = 10;
                c->pasts.kept = true;
                ctl = (struct controller){ .cluster = c, .store = (struct store *)c };
                lacking = i;
                questions = 0;
                struct job *j = wait_for(c, 1000, "afterok:5");
                past_question_add(&ctl, &(struct effect){ .kind = FX_ASK_ACCOUNTS, .job = 5 });
                assert_int_equal(questions, 1);
                assert_null(past_of(c, 5));
                assert_int_equal(j->waiting.depends->of[0].failed, !lacking);
                assert_int_equal(j->waiting.depend_due, lacking ? NOW + 60 * USEC_PER_SEC : 0);
                past_question_free(&ctl);
                cluster_free(c);
        }
}

/* One user's many ids let another's wait for one question, not for all of them. */
static void users_take_turns(void **state) {
        struct cluster *c = cluster_of("ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                                       "NodeName=n1\nPartitionName=p Nodes=n1 Default=YES\n",
                        NOW);
        char text[512] = "afterok";

        (void)state;
        c->next_job_id = 1000;
        c->pasts.kept = held = true;
        lacking = false;
        ctl = (struct controller){ .cluster = c, .store = (struct store *)c };
        for (unsigned id = 100; id < 150; id++)
                sprintf(text + strlen(text), ":%u", id);
        wait_for(c, 1000, text);
        struct job *other = wait_for(c, 1001, "afternotok:777");
        for (uint32_t id = 100; id < 150; id++)
                past_question_add(&ctl, &(struct effect){ .job = id });
        past_question_add(&ctl, &(struct effect){ .job = 777 });
        answer(0, NULL, NULL, 0, false, asker);
        assert_non_null(strstr(asked, "777"));
        answer(0, NULL, NULL, 0, false, asker);
        assert_true(other->waiting.depends->of[0].failed);
        held = false;
        answer(0, NULL, NULL, 0, false, asker);
        assert_int_equal(c->pasts.n, 0);
        past_question_free(&ctl);
        cluster_free(c);
        free(TAKE(asked));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_the_accounts_lack_is_no_answer),
                cmocka_unit_test(users_take_turns),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
