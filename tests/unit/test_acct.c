/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/cluster.h"
#include "controller/sched/sched.h"
#include "controller/turn.h"
#include "tests/unit/test.h"

#define NOW (1000 * USEC_PER_SEC)
#define CONF                                                                                       \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nNodeName=n[1-4] CPUs=4 RealMemory=1000\n"                                                             \
        "PartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=ALL AllowQos=high QOS=part\nPartitionName=d Nodes=ALL DenyQos=high\n"

static struct cluster *make(const char *more) {
        _cleanup_free_ char *text = xasprintf("%s%s", CONF, more);
        struct config *config = NULL;
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        if (config_parse("slurm.conf", text, strlen(text), &config, &fail) < 0 || cluster_new(config, NOW, &c, &fail) < 0)
                fail_msg("%s", fail.text);
        return c;
}

static enum slumber_error submit(struct cluster *c, const char *user, const struct job_spec *spec, struct job **ret) {
        const struct submitter who = { .uid = 1000, .gid = 1000, .user = user, .group = user };
        struct fail fail = { 0 };

        *ret = NULL;
        return job_admit(c, spec, &who, NOW, ret, &fail);
}

static void what_is_always_there(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        const struct acct *a = &c->acct;

        assert_string_equal(qos_find(a, "NORMAL")->name, "normal");
        assert_ptr_equal(a->root, assoc_find(a, "root", NULL, NULL));
        assert_ptr_equal(assoc_find(a, "root", "root", NULL)->parent, a->root);
        assert_int_equal(acct_user_find(a, "root")->admin, ADMIN_ADMINISTRATOR);
        assert_null(account_find(a, "physics"));
        assert_null(assoc_find(a, "physics", "x", "y"));
        assert_false(a->used);
}

static void without_enforcement_any_account_will_do_but_no_unknown_qos(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct job *j;

        struct job_spec spec = { .min_nodes = 1, .account = (char *)"whatever" };
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_null(j->assoc);
        assert_string_equal(j->spec.account, "whatever");
        assert_string_equal(j->qos->name, "normal");
        assert_string_equal(j->spec.qos, "normal");
        spec.qos = (char *)"nope";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_QOS);
}

/* root - physics (default QOS high) - theory - alice */
static void grow(struct cluster *c) {
        struct acct *a = &c->acct;

        struct qos *high = qos_add(a, a->next_id, "high"), *part = qos_add(a, a->next_id, "part");
        qos_set_preempt(high, qos_find(a, "normal")->id, true);
        high->priority = 100;
        part->priority = 50;
        account_add(a, "physics");
        account_add(a, "theory");
        struct assoc *physics = assoc_add(a, a->next_id, a->root, "physics", NULL, NULL);
        struct assoc *theory = assoc_add(a, a->next_id, physics, "theory", NULL, NULL);
        acct_user_add(a, "alice")->default_account = xstrdup("theory");
        assoc_add(a, a->next_id, theory, "theory", "alice", NULL);
        assoc_add(a, a->next_id, theory, "theory", "alice", "d");
        physics->default_qos = high->id;
        qos_set_put(&physics->qos, high->id, true);
        acct_bind_all(c);
}

static void account_qos_and_association_follow_from_the_user(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("AccountingStorageEnforce=associations,qos\n");
        struct job_spec spec = { .min_nodes = 1 };
        struct job *j;

        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_ACCOUNT);
        grow(c);
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_string_equal(j->spec.account, "theory");
        assert_string_equal(j->assoc->user, "alice");
        assert_null(j->assoc->partition);
        assert_string_equal(j->spec.qos, "high");
        spec.qos = (char *)"normal"; /* there, but not hers */
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_QOS);
        spec.qos = NULL;
        spec.account = (char *)"physics";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_ACCOUNT);
        spec.account = (char *)"THEORY";
        spec.partition = (char *)"q";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_string_equal(j->spec.account, "theory");
        spec.partition = (char *)"d";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_QOS); /* denied there */
        partition_set_list(&cluster_partition(c, "d")->deny_qos, NULL);
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_string_equal(j->assoc->partition, "d");
        assert_int_equal(submit(c, "bob", &spec, &j), SLUMBER_BAD_ACCOUNT);
}

static void who_preempts_whom(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");

        grow(c);
        struct qos *normal = qos_find(&c->acct, "normal"), *high = qos_find(&c->acct, "high");
        assert_true(qos_preempts(high, normal));
        assert_false(qos_preempts(normal, high));
        assert_false(qos_preempts(high, high));
        assert_false(qos_preempts(NULL, normal));
        assert_false(qos_preempts(high, NULL));
        qos_set_preempt(normal, 200, true); /* beyond the first word */
        assert_true(qos_set_has(normal->preempt, 200));
        assert_true(qos_priority_factor(&c->acct, high) == 1);
        assert_true(qos_priority_factor(&c->acct, qos_find(&c->acct, "part")) == 0.5);
        _cleanup_free_ char *text = qos_set_text(&c->acct, high->preempt);
        assert_string_equal(text, "normal");
}

static void a_job_is_charged_at_each_level_and_everything_is_taken_back(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct job_spec spec = { .min_nodes = 1, .partition = (char *)"q" };
        struct job *j;

        grow(c);
        struct qos *high = qos_find(&c->acct, "high"), *part = qos_find(&c->acct, "part");
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_int_equal(c->acct.root->used.submitted, 1);
        assert_int_equal(c->acct.root->used.running, 0);
        assert_int_equal(high->all.submitted, 1);
        assert_int_equal(part->all.submitted, 1); /* the partition's */
        assert_int_equal(qos_user(high, "alice")->submitted, 1);
        assert_int_equal(qos_account(high, "theory")->submitted, 1);
        assert_int_equal(qos_user(high, "bob")->submitted, 0);
        j->qos = NULL; /* restarted */
        acct_bind(c, j);
        assert_ptr_equal(j->qos, high);
        assert_int_equal(high->all.submitted, 1);
        cluster_queue_remove(c, j);
        cluster_job_remove(c, j);
        assert_int_equal(c->acct.root->used.submitted, 0);
        assert_int_equal(part->all.submitted, 0);
        assert_int_equal(qos_user(high, "alice")->submitted, 0);
}

static void a_qos_that_goes_leaves_nothing_behind(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        grow(c);
        qos_set_preempt(qos_find(a, "normal"), qos_find(a, "high")->id, true);
        qos_remove(a, qos_find(a, "high"));
        acct_bind_all(c);
        assert_null(qos_find(a, "high"));
        assert_int_equal(assoc_find(a, "physics", NULL, NULL)->default_qos, 0);
        assert_true(bitset_empty(qos_find(a, "normal")->preempt));
        assert_string_equal(assoc_default_qos(a, assoc_find(a, "theory", "alice", NULL))->name, "normal");
}

static void the_tree_moves(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        grow(c);
        struct assoc *theory = assoc_find(a, "theory", NULL, NULL), *physics = assoc_find(a, "physics", NULL, NULL);
        assert_true(assoc_is_below(theory, physics));
        assert_false(assoc_is_below(physics, theory));
        assoc_set_parent(theory, a->root);
        assert_int_equal(physics->n_children, 0);
        assert_false(assoc_is_below(theory, physics));
        assoc_remove(a, physics);
        assert_null(assoc_find(a, "physics", NULL, NULL));
        assert_non_null(assoc_find(a, "theory", "alice", "d"));
}

static void resources_are_read_and_shown(void **state) {
        static const struct {
                const char *text, *shown;
        } rows[] = {
                { "cpu=4", "cpu=4" },
                { "CPU=4,mem=8G,node=2", "cpu=4,mem=8G,node=2" },
                { "mem=1500", "mem=1500M" },
                { "mem=1500K", "mem=2M" },
                { "mem=2T,billing=7", "mem=2T,billing=7" },
                { "node=0", "node=0" },
                { "cpu=4,cpu=-1", "" },
                { "-1", "" },
                { "", "" },
        };
        static const char *const bad[] = { "cpu", "cpu=", "cpu=x", "cpu=4G", "mem=4X", "mem=4GG", "gpu=4", "cpu=-2", "=4",
                "mem=99999999999999999999", "cpu=999999999999999", "mem=999999P" };
        struct tres_set set;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                tres_clear(&set);
                assert_int_equal(tres_parse(rows[i].text, &set, NULL), 0);
                _cleanup_free_ char *shown = tres_text(&set);
                assert_string_equal(shown, rows[i].shown);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                tres_clear(&set);
                if (tres_parse(bad[i], &set, &fail) >= 0)
                        fail_msg("%s is taken", bad[i]);
                assert_true(*fail.text);
        }
        tres_clear(&set); /* changes only what it names */
        assert_int_equal(tres_parse("cpu=1,node=2", &set, NULL), 0);
        assert_int_equal(tres_parse("cpu=-1,mem=5", &set, NULL), 0);
        _cleanup_free_ char *shown = tres_text(&set);
        assert_string_equal(shown, "mem=5M,node=2");
}

static void flags_have_words(void **state) {
        unsigned flags = 0;
        struct fail fail = { 0 };

        assert_int_equal(qos_flags_parse("denyonlimit,OverPartQOS", &flags, NULL), 0);
        assert_int_equal(flags, QOS_DENY_ON_LIMIT | QOS_OVER_PART_QOS);
        _cleanup_free_ char *text = qos_flags_text(flags);
        assert_string_equal(text, "DenyOnLimit,OverPartQOS");
        assert_int_equal(qos_flags_parse("Deny", &flags, &fail), -EINVAL);
        assert_string_equal(fail.text, "\"Deny\" is not a flag of a QOS");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_always_there),
                cmocka_unit_test(without_enforcement_any_account_will_do_but_no_unknown_qos),
                cmocka_unit_test(account_qos_and_association_follow_from_the_user),
                cmocka_unit_test(who_preempts_whom),
                cmocka_unit_test(a_job_is_charged_at_each_level_and_everything_is_taken_back),
                cmocka_unit_test(a_qos_that_goes_leaves_nothing_behind),
                cmocka_unit_test(the_tree_moves),
                cmocka_unit_test(resources_are_read_and_shown),
                cmocka_unit_test(flags_have_words),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
