/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/array.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/past.h"
#include "controller/sched/sched.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#define T0    (1700000000 * USEC_PER_SEC)
#define TASKS 3000u

static void texts_become_lists_and_texts_again(void **state) {
        static const struct {
                const char *text, *shown;
                bool stored;
        } rows[] = {
                { "afterok:1", "afterok:1(unfulfilled)", false },
                { "12", "afterany:12(unfulfilled)", false },
                { "12:13", "afterany:12(unfulfilled),afterany:13(unfulfilled)", false },
                { "afterany:1:2", "afterany:1(unfulfilled),afterany:2(unfulfilled)", false },
                { "afterok:1,afternotok:2", "afterok:1(unfulfilled),afternotok:2(unfulfilled)",
                                false },
                { "afterok:1?singleton?after:2",
                                "afterok:1(unfulfilled)?singleton(unfulfilled)?after:2(unfulfilled)",
                                false },
                { "AfterCorr:1,afterburstbuffer:2",
                                "aftercorr:1(unfulfilled),afterburstbuffer:2(unfulfilled)", false },
                { "after:1+5:2", "after:1+5(unfulfilled),after:2(unfulfilled)", false },
                { "afterok:1+5:1:1+0:1+5",
                                "afterok:1+5(unfulfilled),afterok:1(unfulfilled),afterok:1+0(unfulfilled)",
                                false },
                { "after:1+5:1+9:1:1_2+3:1+7", "after:1+9(unfulfilled),after:1_2+3(unfulfilled)",
                                false },
                { "after:1+5:1+9?after:1+3?after:2:1+7",
                                "after:1+3(unfulfilled)?after:2(unfulfilled)", false },
                { "after:1+5?after:1", "after:1(unfulfilled)", false },
                { "after:1+5,afterok:1,afterany:1",
                                "after:1+5(unfulfilled),afterok:1(unfulfilled),afterany:1(unfulfilled)",
                                false },
                { "afterok:7_2:8_*", "afterok:7_2(unfulfilled),afterok:8_*(unfulfilled)", false },
                { "afterok:1,afterok:1", "afterok:1(unfulfilled)", false },
                { "afterok:7_[0-1]:8",
                                "afterok:7_0(unfulfilled),afterok:7_1(unfulfilled),afterok:8(unfulfilled)",
                                false },
                { "afternotok:7_[0-4:2]?7_[3]",
                                "afternotok:7_0(unfulfilled)?afternotok:7_2(unfulfilled)?afternotok:7_4(unfulfilled)"
                                "?afterany:7_3(unfulfilled)",
                                false },
                { "aftercorr:7_[1,9999,0-1]",
                                "aftercorr:7_0(unfulfilled),aftercorr:7_1(unfulfilled),aftercorr:7_9999(unfulfilled)",
                                false },
                { "after:7_[0-1]+5:7_1+3", "after:7_0+5(unfulfilled),after:7_1+5(unfulfilled)",
                                false },
                { "afterok:1(failed)?afterany:2(unfulfilled)",
                                "afterok:1(failed)?afterany:2(unfulfilled)", true },
                { "after:3+60(unfulfilled),singleton(unfulfilled)",
                                "after:3+60(unfulfilled),singleton(unfulfilled)", true },
                { "afterok:1(unknown),afterany:2_3(unknown),afterok:4+1(unknown)",
                                "afterok:1(unknown),afterany:2_3(unknown),afterok:4+1(unknown)",
                                true },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(dependencies_freep) struct dependencies *d = NULL;
                assert_int_equal(dependencies_parse(rows[i].text, rows[i].stored, &d, NULL), 0);
                _cleanup_free_ char *shown = dependencies_text(d);
                assert_string_equal(shown, rows[i].shown);
        }
}

/* afterany:1:2:...:n */
static char *chain(unsigned n) {
        char *text = xstrdup("after");

        text = xrenew(text, 9 + n * 11);
        for (unsigned i = 1, at = 5; i <= n; i++)
                at += (unsigned)sprintf(text + at, ":%u", i);
        return text;
}

static void what_cannot_be_is_refused_by_name(void **state) {
        static const struct {
                const char *text, *told;
                int r;
        } bad[] = {
                { "afterok", "afterok needs a job id", -EINVAL },
                { "afterok:", "\"\" is not a job id", -EINVAL },
                { "afterok:x", "\"x\" is not a job id", -EINVAL },
                { "afterok:1:", "\"\" is not a job id", -EINVAL },
                { "afterok:0", "\"0\" is not a job id", -EINVAL },
                { "afterok:4294967296", "\"4294967296\" is not a job id", -EINVAL },
                { "foo:1", "\"foo\" is none of after", -EINVAL },
                { "expand:1", "\"expand\" is none of after", -EINVAL },
                { ",", "\"\" is none of after", -EINVAL },
                { "afterok:1,", "\"\" is none of after", -EINVAL },
                { "singleton:1", "\":1\" is unexpected", -EINVAL },
                { "afterok:1,afterany:2?afterok:3", "\",\" (all of them) and \"?\" (any of them)",
                                -EINVAL },
                { "afterok:1?afterok:3,singleton", "\",\" (all of them) and \"?\" (any of them)",
                                -EINVAL },
                { "afterok:1 afterok:2", "\" afterok:2\" is unexpected", -EINVAL },
                { "after:1+x", "\"x\" is not a number of minutes", -EINVAL },
                { "afterok:1+500", "\"500\" is not a component", -EINVAL },
                { "afterok:1_2+5", "goes with after only, not with afterok", -EINVAL },
                { "afterok:1_[2-3]+5", "goes with after only, not with afterok", -EINVAL },
                { "afterok:1(failed)", "\"(failed)\" is unexpected", -EINVAL },
                { "afterok:7_", "\"\" is not a task of an array", -EINVAL },
                { "afterok:7_x", "\"x\" is not a task of an array", -EINVAL },
                { "afterok:7_[]", "array \"[]\": an index is expected at \"]\"", -EINVAL },
                { "afterok:7_[1-0]", "1-0 goes backwards", -EINVAL },
                { "afterok:7_[0-1", "\"]\" is missing", -EINVAL },
                { "afterok:7_[0-3%2]", "\"%2]\" is unexpected", -EINVAL },
                { "afterok:7_[0-1]_2", "\"_2\" is unexpected", -EINVAL },
                { "afterok:7_[0-4000000]", "array \"[0-4000000]\": 4000000 is more than 9999",
                                -ERANGE },
                { "afterok:7_[0-9999]:8_[0]", "its lists name more than 10000 tasks", -ERANGE },
                { "afterok:7_[0-9999]:7_[0]", "its lists name more than 10000 tasks", -ERANGE },
                { "0,afterok:1", "\"0\" is not a job id", -EINVAL },
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct dependencies *d = NULL;
                struct fail fail = { 0 };
                assert_int_equal(dependencies_parse(bad[i].text, false, &d, &fail), bad[i].r);
                assert_null(d);
                if (!strstr(fail.text, bad[i].told))
                        fail_msg("%s: %s", bad[i].text, fail.text);
        }
}

/* Those of an earlier state may be more. */
static void a_job_waits_for_so_many_jobs(void **state) {
        for (unsigned more = 0; more < 2; more++)
                for (unsigned stored = 0; stored < 2; stored++) {
                        _cleanup_(dependencies_freep) struct dependencies *d = NULL;
                        _cleanup_free_ char *text = chain(1000 + more);
                        struct fail fail = { 0 };
                        int r = dependencies_parse(text, stored, &d, &fail);
                        assert_int_equal(r, more && !stored ? -ERANGE : 0);
                        assert_string_equal(fail.text,
                                        r ? "a dependency on 1001 jobs: 1000 are the most" : "");
                }
}

static void nothing_is_nothing(void **state) {
        struct dependencies *d = NULL;

        assert_int_equal(dependencies_parse("", false, &d, NULL), 0);
        assert_null(d);
        assert_int_equal(dependencies_parse(NULL, true, &d, NULL), 0);
        assert_null(d);
        assert_int_equal(dependencies_parse("0", false, &d, NULL), 0);
        assert_null(d);
}

static void one_failure_is_final_unless_another_will_do(void **state) {
        static const struct {
                const char *text;
                bool never;
        } rows[] = {
                { "afterok:1(failed),afterok:2(unfulfilled)", true },
                { "afterok:1(failed)?afterok:2(unfulfilled)", false },
                { "afterok:1(failed)?afterok:2(failed)", true },
                { "afterok:1(unfulfilled)", false },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(dependencies_freep) struct dependencies *d = NULL;
                assert_int_equal(dependencies_parse(rows[i].text, true, &d, NULL), 0);
                assert_int_equal(dependencies_never(d), rows[i].never);
        }
}

static struct job *submit(struct cluster *c, char *tasks, char *dependency) {
        struct job_spec spec = {
                .batch = true,
                .min_nodes = 1,
                .max_nodes = 1,
                .array = tasks,
                .dependency = dependency,
        };
        struct submitter submitter = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        struct fail fail = { 0 };
        struct job *j = NULL;

        if (job_admit(c, &spec, &submitter, T0, &j, &fail) != SLUMBER_OK)
                fail_msg("%s", fail.text);
        return j;
}

/* Naming each task alone, it would be looked at for each, as often as it has named one of them,
   each time at all of them. */
static void news_of_many_is_one_look(void **state) {
        struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nMaxArraySize=4000\nNodeName=n1\n"
                        "PartitionName=p Nodes=n1 Default=YES\n",
                        T0);
        _cleanup_free_ char *tasks = xasprintf("0-%u", TASKS - 1), *text = xmalloc(TASKS * 16);
        struct job *first = submit(c, tasks, NULL);
        struct array *a = first->array;
        size_t used = (size_t)sprintf(text, "afterok:%u_0", a->id);

        for (uint32_t i = 1; i < TASKS; i++)
                used += (size_t)sprintf(text + used, ":%u_%u", a->id, i);
        for (uint32_t i = 0; i < TASKS; i++)
                assert_non_null(array_take(c, a, i));
        struct job *j = submit(c, NULL, text);
        assert_int_equal(a->n_dependents, 1);
        assert_int_equal(a->dependents[0], j->id);
        for (uint32_t i = 1; i < TASKS; i++) {
                a->tasks[i]->state = JOB_COMPLETED;
                dependency_news(c, a->tasks[i]);
        }
        dependencies_settle(c, T0);
        assert_int_equal(j->waiting.depends->n, 1);
        a->tasks[0]->state = JOB_COMPLETED;
        dependency_news(c, a->tasks[0]);
        dependencies_settle(c, T0);
        assert_null(j->waiting.depends);
        cluster_free(c);
}

/* How often an answer, or an update, has jobs looked at makes no list of those that wait longer. */
static void waiters_for_forgotten_jobs_are_listed_once(void **state) {
        struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nNodeName=n1\n"
                        "PartitionName=p Nodes=n1 Default=YES\n",
                        T0);
        _cleanup_free_ char *text = chain(1000);
        struct job *two[2];

        c->next_job_id = 100000;
        c->pasts.kept = true;
        for (size_t i = 0; i < ELEMENTSOF(two); i++)
                two[i] = submit(c, NULL, text);
        for (uint32_t id = 1; id < 1000; id++) {
                past_settle(past_of(c, id));
                dependencies_told(c, id, T0);
                assert_int_equal(past_of(c, 1000)->n_waiting, ELEMENTSOF(two));
        }
        for (size_t round = 0; round < 1000; round++)
                for (size_t i = 0; i < ELEMENTSOF(two); i++)
                        dependencies_renamed(c, two[i], T0);
        assert_in_range(past_of(c, 1000)->a_waiting, 2, 8);
        assert_int_equal(two[0]->waiting.depends->n, 1);
        past_settle(past_of(c, 1000));
        dependencies_told(c, 1000, T0);
        assert_null(two[0]->waiting.depends);
        assert_null(two[1]->waiting.depends);
        cluster_free(c);
}

/* As scontrol update does it. */
static void depend_on(struct cluster *c, struct job *j, const char *text) {
        j->waiting.depends = dependencies_free(j->waiting.depends);
        assert_int_equal(dependencies_parse(text, false, &j->waiting.depends, NULL), 0);
        dependencies_join(c, j, T0);
}

static void repeated_waiter_is_listed_once(void **state) {
        struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nNodeName=n1\n"
                        "PartitionName=p Nodes=n1 Default=YES\n",
                        T0);
        struct job *first = submit(c, NULL, NULL), *others[20];

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                others[i] = submit(c, NULL, NULL);
        for (size_t round = 0; round < 1000; round++)
                for (size_t i = 0; i < 2; i++)
                        depend_on(c, others[i], round % 2 ? "afterok:1" : "afterany:1");
        assert_int_equal(first->id, 1);
        assert_in_range(first->listed.n_dependents, 2, 8);
        /* a job that does not wait any more is not listed */
        for (size_t i = 2; i < ELEMENTSOF(others); i++)
                for (size_t round = 0; round < 1000; round++)
                        depend_on(c, others[i], round % 2 ? "" : "afterany:1");
        assert_in_range(first->listed.n_dependents, 2, 8);
        first->state = JOB_COMPLETED;
        dependency_news(c, first);
        dependencies_settle(c, T0);
        assert_null(others[0]->waiting.depends);
        assert_null(others[1]->waiting.depends);
        cluster_free(c);
}

static bool circular(const struct cluster *c, const struct job *j, const char *text) {
        _cleanup_(dependencies_freep) struct dependencies *d = NULL;

        assert_int_equal(dependencies_parse(text, false, &d, NULL), 0);
        return dependencies_circular(c, j, d);
}

static void a_circle_goes_through_the_tasks_that_are_named(void **state) {
        struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nNodeName=n1\n"
                        "PartitionName=p Nodes=n1 Default=YES\n",
                        T0);
        char tasks[] = "0-4", first[] = "afterok:1_[0-1]";
        struct array *a = submit(c, tasks, NULL)->array;
        struct job *one = array_take(c, a, 1), *two = array_take(c, a, 2), *other;

        assert_int_equal(a->id, 1);
        other = submit(c, NULL, first);
        _cleanup_free_ char *after_other = xasprintf("afterany:%u", other->id);
        assert_true(circular(c, one, after_other));
        assert_true(circular(c, a->rest, after_other)); /* 0 is one of it */
        assert_false(circular(c, two, after_other));
        assert_false(circular(c, two, "afterok:1_1"));
        assert_true(circular(c, two, "afterok:1"));
        assert_true(circular(c, a->rest, "afterok:1_[2,3]"));
        assert_false(circular(c, two, "afterok:1_9"));
        cluster_free(c);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(texts_become_lists_and_texts_again),
                cmocka_unit_test(what_cannot_be_is_refused_by_name),
                cmocka_unit_test(a_job_waits_for_so_many_jobs),
                cmocka_unit_test(nothing_is_nothing),
                cmocka_unit_test(one_failure_is_final_unless_another_will_do),
                cmocka_unit_test(news_of_many_is_one_look),
                cmocka_unit_test(repeated_waiter_is_listed_once),
                cmocka_unit_test(waiters_for_forgotten_jobs_are_listed_once),
                cmocka_unit_test(a_circle_goes_through_the_tasks_that_are_named),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
