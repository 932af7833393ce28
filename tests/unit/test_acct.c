/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/account_admin/acct_change.h"
#include "controller/account_admin/acct_tables.h"
#include "controller/indexes/queue.h"
#include "controller/indexes/rank.h"
#include "controller/jobs/job_events.h"
#include "controller/model/cluster.h"
#include "controller/records/acct_rows.h"
#include "controller/sched/sched.h"
#include "controller/store/accounting.h"
#include "controller/turn/turn.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include <time.h>

#define NOW (1000 * USEC_PER_SEC)
#define CONF                                                                                                          \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nNodeName=n[1-4] CPUs=4 RealMemory=1000\n" \
        "PartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=ALL AllowQos=high QOS=part\nPartitionName=d Nodes=ALL DenyQos=high\n"

static struct cluster *make(const char *more) {
        _cleanup_free_ char *text = xasprintf("%s%s", CONF, more);

        return cluster_of(text, NOW);
}

static enum slumber_error submit(struct cluster *c, const char *user, const struct job_spec *spec,
                struct job **ret) {
        const struct submitter submitter = {
                .uid = 1000,
                .gid = 1000,
                .user = user,
                .group = user,
        };
        struct fail fail = { 0 };

        *ret = NULL;
        return job_admit(c, spec, &submitter, NOW, ret, &fail);
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
}

static void without_enforcement_any_account_will_do_but_no_unknown_qos(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct job *j;

        struct job_spec spec = { .min_nodes = 1, .account = (char *)"whatever" };
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_null(j->accounting.assoc);
        assert_string_equal(j->asked.account, "whatever");
        assert_string_equal(j->accounting.qos->name, "normal");
        assert_string_equal(j->asked.qos, "normal");
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
        _cleanup_(cluster_freep) struct cluster *c = make(
                        "AccountingStorageEnforce=associations,qos\n");
        struct job_spec spec = { .min_nodes = 1 };
        struct job *j;

        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_ACCOUNT);
        grow(c);
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_string_equal(j->asked.account, "theory");
        assert_string_equal(j->accounting.assoc->user, "alice");
        assert_null(j->accounting.assoc->partition);
        assert_string_equal(j->asked.qos, "high");
        spec.qos = (char *)"normal"; /* there, but not hers */
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_QOS);
        spec.qos = NULL;
        spec.account = (char *)"physics";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_ACCOUNT);
        spec.account = (char *)"THEORY";
        spec.partition = (char *)"q";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_string_equal(j->asked.account, "theory");
        spec.partition = (char *)"d";
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_BAD_QOS); /* denied there */
        partition_set_list(&cluster_partition(c, "d")->deny_qos, NULL);
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        assert_string_equal(j->accounting.assoc->partition, "d");
        assert_int_equal(submit(c, "bob", &spec, &j), SLUMBER_BAD_ACCOUNT);
}

static void preemption_rules(void **state) {
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
        j->accounting.qos = NULL; /* restarted */
        acct_bind(c, j);
        assert_ptr_equal(j->accounting.qos, high);
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
        assert_string_equal(assoc_default_qos(a, assoc_find(a, "theory", "alice", NULL))->name,
                        "normal");
}

static void the_tree_moves(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        grow(c);
        struct assoc *theory = assoc_find(a, "theory", NULL, NULL),
                     *physics = assoc_find(a, "physics", NULL, NULL);
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
                { "gres/gpu:a100=2,GRES/gpu=4,license/x=1,cpu=3",
                                "cpu=3,gres/gpu=4,gres/gpu:a100=2,license/x=1" },
                { "cpu=4,cpu=-1", "" },
                { "-1", "" },
                { "", "" },
        };
        static const char *const bad[] = { "cpu", "cpu=", "cpu=x", "cpu=4G", "mem=4X", "mem=4GG",
                "gpu=4", "gres/nic=1", "gres/gpu:b=1", "gres/gpu=4G", "gres=1", "cpu=-2", "=4",
                "mem=99999999999999999999", "cpu=999999999999999", "mem=999999P" };
        struct tres_names names = { 0 };
        struct tres_set set;

        assert_int_equal(tres_names_add(&names,
                                         "cpu,gres/gpu,gres/gpu:a100,energy,license/x,gres/gpu",
                                         NULL),
                        0);
        assert_int_equal(names.n, 3);
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                tres_clear(&set);
                assert_int_equal(tres_parse(&names, rows[i].text, &set, NULL), 0);
                _cleanup_free_ char *shown = tres_text(&names, &set);
                assert_string_equal(shown, rows[i].shown);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                tres_clear(&set);
                if (tres_parse(&names, bad[i], &set, &fail) >= 0)
                        fail_msg("%s is taken", bad[i]);
                assert_true(*fail.text);
        }
        tres_clear(&set); /* changes only what it names */
        assert_int_equal(tres_parse(&names, "cpu=1,node=2", &set, NULL), 0);
        assert_int_equal(tres_parse(&names, "cpu=-1,mem=5", &set, NULL), 0);
        _cleanup_free_ char *shown = tres_text(&names, &set);
        assert_string_equal(shown, "mem=5M,node=2");
        for (int i = 0; i < CONFIG_TRES_MAX + 1; i++) {
                _cleanup_free_ char *name = xasprintf("license/n%d", i);
                assert_int_equal(tres_names_add(&names, name, NULL),
                                i + 3 < CONFIG_TRES_MAX ? 0 : -ENOSPC);
        }
        tres_names_done(&names);
}

static void flags_have_words(void **state) {
        unsigned flags = 0;
        struct fail fail = { 0 };

        assert_int_equal(qos_flags_parse("denyonlimit,OverPartQOS", &flags, NULL), 0);
        assert_int_equal(flags, QOS_DENY_ON_LIMIT | QOS_OVER_PART_QOS);
        _cleanup_free_ char *text = qos_flags_text(flags);
        assert_string_equal(text, "DenyOnLimit,OverPartQOS");
        assert_int_equal(qos_flags_parse("Deny", &flags, &fail), -EINVAL);
        assert_non_null(strstr(fail.text,
                        " Unknown QOS flag used in:\n  'Deny'\n Valid QOS flags are\n  'DenyOnLimit,"));
}

/* ---- sacctmgr ---- */

/* "add qos high priority=5", "modify user name=x set y+=z"; with "!" before it is only looked
   at. */
static int change(struct cluster *c, enum admin_level level, const char *line, char **ret_text,
                struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(line + (*line == '!'));
        static const char *const verbs[] = { "add", "modify", "delete" };
        static const char *const entities[] = {
                "qos",
                "account",
                "user",
                "assoc",
                "cluster",
                "coordinator",
        };
        struct acct_word words[2][16];
        size_t n[2] = { 0 };
        char *rest = NULL, *verb = strtok_r(copy, " ", &rest), *entity = strtok_r(NULL, " ", &rest);
        struct acct_request req = {
                .where = words[0],
                .set = words[1],
                .user = "alice",
                .level = level,
                .commit = *line != '!',
        };
        int at;

        while (!streq(verbs[req.verb], verb))
                req.verb++;
        while (!streq(entities[req.entity], entity))
                req.entity++;
        at = req.verb == ACCT_ADD;
        for (char *w = strtok_r(NULL, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
                char *equals = strchr(w, '=');
                if (streq(w, "set")) {
                        at = 1;
                        continue;
                }
                struct acct_word *to = &words[at][n[at]++];
                *to = (struct acct_word){ "", w, '=' };
                if (!equals)
                        continue;
                *equals = 0;
                *to = (struct acct_word){ w, equals + 1, '=' };
                if (strchr("+-", equals[-1])) {
                        to->op = equals[-1];
                        equals[-1] = 0;
                }
        }
        req.n_where = n[0];
        req.n_set = n[1];
        return acct_change(c, &req, ret_text, fail);
}

static void must(struct cluster *c, const char *line, const char *told) {
        _cleanup_free_ char *text = NULL;
        struct fail fail = { 0 };
        int r = change(c, ADMIN_ADMINISTRATOR, line, &text, &fail);

        if (r != 0)
                fail_msg("%s: %d %s", line, r, fail.text);
        if (told)
                assert_string_equal(text, told);
}

static void refused(struct cluster *c, const char *line, int r, const char *why) {
        _cleanup_free_ char *text = NULL;
        struct fail fail = { 0 };
        int got = change(c, ADMIN_ADMINISTRATOR, line, &text, &fail);

        if (got != r || (why && !strstr(fail.text, why)))
                fail_msg("%s: %d %s", line, got, fail.text);
        if (text && strstr(text, " Modified"))
                fail_msg("%s: is refused, and tells %s", line, text);
}

static void what_is_added_is_told_and_there(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        must(c, "!add qos high priority=100",
                        " Adding QOS(s)\n  high\n Settings\n  Description    = high\n  Priority                 = 100\n");
        assert_null(qos_find(a, "high")); /* only looked at */
        must(c, "add qos High priority=100 preempt=normal gracetime=1:00 maxwall=1:59:01 maxtrespu=cpu=8",
                        NULL);
        struct qos *high = qos_find(a, "high");
        assert_int_equal(high->priority, 100);
        assert_int_equal(high->grace_time, 60);
        /* whole minutes, unlike the grace */
        assert_int_equal(high->limits.max_wall, 7200 * USEC_PER_SEC);
        assert_int_equal(high->limits.tres[LIMIT_MAX_TRES_USER].of[TRES_CPU], 8);
        assert_true(qos_preempts(high, qos_find(a, "normal")));
        assert_int_equal(a->n_dirty, 1);
        must(c, "add account physics organization=science", NULL);
        must(c, "add account theory parent=physics fairshare=parent grpcpus=12",
                        " Adding Account(s)\n  theory\n Settings\n  Description     = Account Name\n  Organization    = Parent/Account Name\n"
                        " Associations\n  A = theory     C = c         \n Settings\n  Fairshare     = parent\n  GrpCPUs       = 12\n"
                        "  Parent        = physics\n");
        assert_ptr_equal(assoc_find(a, "theory", NULL, NULL)->parent,
                        assoc_find(a, "physics", NULL, NULL));
        assert_int_equal(assoc_find(a, "theory", NULL, NULL)
                                         ->limits.tres[LIMIT_GRP_TRES]
                                         .of[TRES_CPU],
                        12);
        must(c, "add user alice,bob account=theory,physics partition=p", NULL);
        assert_non_null(assoc_find(a, "physics", "bob", "p"));
        assert_string_equal(acct_user_find(a, "alice")->default_account, "theory");
        refused(c, "add user alice account=theory partition=p", 1, NULL);
        refused(c, "add user carol account=nope", -ENOENT, "This account 'nope' doesn't exist.");
        refused(c, "add user carol", -EINVAL, "Need name of account");
        refused(c, "add account a,b parent=nope", -ENOENT,
                        "Parent account 'nope' doesn't exist on cluster c");
        assert_null(account_find(a, "a"));
        refused(c, "add account a a=b", -EINVAL, "Unknown option: a=b");
        refused(c, "add account x cluster=other", -ENOENT,
                        " This cluster 'other' doesn't exist.\n        Contact your admin to add it to accounting.");
        refused(c, "add qos x,y maxjobs=many", -EINVAL, "MaxJobsPerUser=many");
        assert_null(qos_find(a, "x"));
        refused(c, "add qos x newname=y", -EOPNOTSUPP, "not implemented");
        refused(c, "add qos -x", -EINVAL, "can not be the name");
        refused(c, "add qos", -EINVAL, "Need name of qos");
}

static void preemption_loop_is_refused(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        (void)state;
        must(c, "add qos low", NULL);
        must(c, "add qos middle preempt=low", NULL);
        must(c, "add qos high preempt=middle,low", NULL);
        refused(c, "modify qos low set preempt=high", -ELOOP, "QOS Preemption loop detected");
        refused(c, "modify qos high set preempt+=high", -ELOOP, "jobs of high");
        refused(c, "modify qos set preempt=normal", -ELOOP, "jobs of normal");
        assert_false(qos_preempts(qos_find(a, "low"), qos_find(a, "high")));
        must(c, "modify qos middle,high set preempt=normal,low", NULL);
        must(c, "modify qos middle set preempt=high", NULL);
        /* from before this was looked at */
        qos_set_preempt(qos_find(a, "low"), qos_find(a, "middle")->id, true);
        qos_set_preempt(qos_find(a, "high"), qos_find(a, "middle")->id, true);
        must(c, "modify qos low set priority=3", NULL);
        must(c, "modify qos high set preempt=", NULL);
        refused(c, "modify qos high set preempt=middle", -ELOOP, NULL);
}

static void what_is_modified_is_told(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        grow(c);
        must(c, "modify qos high set preempt+=part priority=7", " Modified qos...\n  high\n");
        assert_true(qos_preempts(qos_find(a, "high"), qos_find(a, "part")));
        must(c, "modify qos name=high set preempt-=normal flags+=DenyOnLimit", NULL);
        assert_false(qos_preempts(qos_find(a, "high"), qos_find(a, "normal")));
        must(c, "modify qos high set preempt=", NULL);
        assert_false(qos_preempts(qos_find(a, "high"), qos_find(a, "part")));
        must(c, "modify user name=alice partition=d set maxjobs=3 qos+=normal",
                        " Modified user associations...\n  C = c          A = theory               U = alice     P = d\n");
        struct assoc *s = assoc_find(a, "theory", "alice", "d");
        assert_int_equal(s->limits.count[LIMIT_MAX_JOBS], 3);
        assert_int_equal(assoc_find(a, "theory", "alice", NULL)->limits.count[LIMIT_MAX_JOBS],
                        LIMIT_NONE);
        assert_true(assoc_allows_qos(s, qos_find(a, "high"))); /* its parent's stay */
        assert_true(assoc_allows_qos(s, qos_find(a, "normal")));
        must(c, "modify user alice set adminlevel=operator", " Modified users...\n  alice\n");
        must(c, "modify account theory set parent=root",
                        " Modified account associations...\n  C = c          A = theory of physics\n");
        assert_ptr_equal(assoc_find(a, "theory", NULL, NULL)->parent, a->root);
        must(c, "modify cluster set fairshare=9 grptres=cpu=3", NULL);
        assert_int_equal(a->root->shares, 9);
        refused(c, "modify account root set parent=theory", -EINVAL, "can not be below");
        must(c, "modify account physics set parent=theory", NULL);
        refused(c, "modify account theory set parent=physics", -EINVAL, "can not be below");
        refused(c, "modify user alice set defaultaccount=physics", -ENOENT,
                        "aren't associated with new default account 'physics'...");
        refused(c, "modify qos nix set priority=1", 1, NULL);
        refused(c, "modify qos color=red set priority=1", -EINVAL, "Unknown condition: color=red");
        refused(c, "modify qos high set priority+=1", -EINVAL, "only a list");
        refused(c, "modify qos high set preempt=nix", -ENOENT, "there is no QOS \"nix\"");
        refused(c, "modify qos high", -EINVAL, "anything to set");
}

static void what_is_in_use_stays(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct job_spec spec = { .min_nodes = 1 };
        struct acct *a = &c->acct;
        struct job *j;

        grow(c);
        assert_int_equal(submit(c, "alice", &spec, &j), SLUMBER_OK);
        refused(c, "delete qos high", -EBUSY,
                        "Job(s) active, cancel job(s) before remove\n  JobID = 1 ");
        refused(c, "delete account physics", -EBUSY, "Job(s) active"); /* it is above theory */
        refused(c, "delete user alice", -EBUSY, "Job(s) active");
        refused(c, "delete qos part", -EBUSY, "Partition q has the QOS part");
        refused(c, "delete qos normal", -EINVAL, "can not be deleted");
        refused(c, "delete account root", -EINVAL, "not allowed to remove the root account");
        refused(c, "delete user root", -EINVAL, "can not be deleted");
        refused(c, "delete account", -EINVAL, "No conditions");
        must(c, "modify account theory set parent=root", NULL); /* the charge moves too */
        assert_int_equal(assoc_find(a, "physics", NULL, NULL)->used.submitted, 0);
        assert_int_equal(a->root->used.submitted, 1);
        job_end(c, j, JOB_CANCELLED, REASON_NONE, NULL, NOW);
        assert_int_equal(a->root->used.submitted, 0);
        refused(c, "delete user alice account=nope", 1, NULL);
        must(c, "delete user alice account=theory partition=d", NULL);
        refused(c, "delete qos high", -EBUSY, "have these as their Default QOS.\n  DefQOS = high ");
        must(c, "modify account physics set defaultqos=-1", NULL);
        must(c, "delete qos high", " Deleting QOS(s)...\n  high\n");
        assert_null(j->accounting.qos);
        must(c, "delete account theory", " Deleting accounts...\n  theory\n");
        assert_null(j->accounting.assoc);
        assert_null(acct_user_find(a, "alice")->default_account);
        must(c, "delete user alice", " Deleting users...\n  alice\n");
        refused(c, "delete user alice", 1, NULL);
}

static void a_default_account_stays_while_there_are_others(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");

        grow(c);
        must(c, "add account chem", NULL);
        must(c, "add user alice account=chem", NULL);
        refused(c, "delete account theory", -EBUSY,
                        "You can not remove the default account of a user\n  C = c               A = theory     U = alice ");
        must(c, "add user dave account=chem", NULL);
        must(c, "delete user dave account=chem",
                        " Deleting user associations...\n  C = c          A = chem       U = dave     \n"
                        " Deleting users (No Associations)...\n  dave\n");
        assert_null(acct_user_find(&c->acct, "dave"));
}

/* The test's user is alice. */
static void a_coordinator_does_what_an_operator_may_but_below_his_account(void **state) {
        static const struct {
                const char *line;
                int r;
        } rows[] = {
                { "add account sub parent=theory", 0 },
                { "add account beside parent=physics", -EPERM },
                { "add user carol account=sub", 0 },
                { "add user carol account=physics", -EPERM },
                { "add user carol account=sub partition=d adminlevel=operator", -EPERM },
                { "modify user carol set maxjobs=3", 0 },
                { "modify user carol set defaultaccount=sub", -EPERM },
                { "modify account sub set grpjobs=3", 0 },
                { "modify account sub set parent=physics", -EPERM },
                { "modify account physics set grpjobs=3", -EPERM },
                { "add coordinator account=sub names=carol", 0 },
                { "add coordinator account=physics names=carol", -EPERM },
                { "add qos x", -EPERM },
                { "delete user root", -EINVAL },
                { "delete user carol account=sub", 0 },
                { "delete account sub", 0 },
                { "delete coordinator account=theory", 0 },
                { "add account sub parent=theory", -EPERM },
        };
        _cleanup_(cluster_freep) struct cluster *c = make("");

        grow(c);
        refused(c, "add coordinator names=alice", -EINVAL,
                        " You need to specify an account list here.");
        refused(c, "add coordinator account=theory", -EINVAL,
                        " You need to specify a user list here.");
        refused(c, "add coordinator account=nope names=alice", -ENOENT,
                        " You specified a non-existent account 'nope'.");
        refused(c, "add coordinator account=theory names=nope", -ENOENT,
                        " You specified a non-existent user 'nope'.");
        refused(c, "delete coordinator", -EINVAL,
                        " You need to specify a user list or account list here.");
        refused(c, "delete coordinator names=alice", 1, NULL);
        must(c, "add coordinator account=theory names=alice",
                        " Adding Coordinator User(s)\n  alice\n To Account(s) and all sub-accounts\n  theory\n");
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = NULL;
                struct fail fail = { 0 };
                int r = change(c, ADMIN_NONE, rows[i].line, &text, &fail);
                if (r != rows[i].r)
                        fail_msg("%s: %d %s", rows[i].line, r, fail.text);
        }
}

/* Of the account theory, below physics, with sub below it: which role may do what. */
/* alice coordinates theory alone; physics is above, far is another cluster. */
static void a_coordinator_has_no_right_by_another_cluster(void **state) {
        static const struct {
                const char *line;
                int r;
        } rows[] = {
                { "add account physics parent=theory cluster=far", -EPERM },
                { "add account new parent=theory", 0 },
                { "add account mine parent=theory cluster=far", 0 },
                { "add account mine parent=theory", 0 },
                { "modify account mine set description=x", 0 },
                { "modify account both where cluster=far set grpjobs=3", 0 },
                { "modify account both where cluster=far set description=x", -EPERM },
                { "modify account both where cluster=far set organization=x", -EPERM },
                { "modify account away where cluster=c set description=x", -EPERM },
                { "add coordinator account=away names=alice", -EPERM },
                { "delete coordinator account=away names=bob", -EPERM },
                { "modify account both where cluster=c set grpjobs=3", -EPERM },
        };
        _cleanup_(cluster_freep) struct cluster *c = make("");

        grow(c);
        must(c, "add cluster far", NULL);
        must(c, "add account theory cluster=far", NULL);
        must(c, "add account both parent=physics cluster=c", NULL);
        must(c, "add account both parent=theory cluster=far", NULL);
        must(c, "add account away parent=theory cluster=c", NULL);
        must(c, "add account away cluster=far", NULL);
        must(c, "add coordinator account=theory names=alice", NULL);
        must(c, "add user bob account=both", NULL);
        must(c, "add coordinator account=away names=bob", NULL);
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = NULL;
                struct fail fail = { 0 };
                int r = change(c, ADMIN_NONE, rows[i].line, &text, &fail);
                if (r != rows[i].r)
                        fail_msg("%s: %d %s", rows[i].line, r, fail.text);
        }
        (void)state;
}

static void each_role_may_do_what_is_its_own(void **state) {
        enum { NOBODY = 1, ABOVE = 2, OWN = 4, BELOW = 8, OPERATOR = 16, ADMINISTRATOR = 32 };
        static const struct {
                const char *coordinates;
                enum admin_level level;
        } roles[] = {
                { NULL, ADMIN_NONE },
                { "physics", ADMIN_NONE },
                { "theory", ADMIN_NONE },
                { "sub", ADMIN_NONE },
                { NULL, ADMIN_OPERATOR },
                { NULL, ADMIN_ADMINISTRATOR },
        };
        static const struct {
                const char *line;
                unsigned roles;
        } rows[] = {
                { "modify account theory set grpjobs=-1", ABOVE | OPERATOR | ADMINISTRATOR },
                { "modify account theory set description=x", ABOVE | OPERATOR | ADMINISTRATOR },
                { "modify account theory set qos=high", ABOVE | OPERATOR | ADMINISTRATOR },
                { "modify account theory set parent=root", OPERATOR | ADMINISTRATOR },
                { "modify account sub set grpjobs=3", ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "modify account sub set parent=physics", ABOVE | OPERATOR | ADMINISTRATOR },
                { "modify account physics set grpjobs=3", OPERATOR | ADMINISTRATOR },
                { "delete account theory", ABOVE | OPERATOR | ADMINISTRATOR },
                { "delete account sub", ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "delete account sub,theory", ABOVE | OPERATOR | ADMINISTRATOR },
                { "add account new parent=theory", ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "add account new parent=physics", ABOVE | OPERATOR | ADMINISTRATOR },
                { "add user dave account=theory", ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "add user dave account=sub", ABOVE | OWN | BELOW | OPERATOR | ADMINISTRATOR },
                { "modify user carol account=theory set maxjobs=3",
                                ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "delete user carol account=theory", ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "add coordinator account=theory names=carol",
                                ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "delete coordinator account=theory names=carol",
                                ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "modify user carol account=theory set qos+=part", OPERATOR | ADMINISTRATOR },
                { "modify user carol account=theory set qos=high",
                                ABOVE | OWN | OPERATOR | ADMINISTRATOR },
                { "modify account sub set qos=part", OPERATOR | ADMINISTRATOR },
                { "add account new parent=theory qos=part", OPERATOR | ADMINISTRATOR },
                { "add user dave account=sub qos=high,part", OPERATOR | ADMINISTRATOR },
                { "modify user carol set adminlevel=operator", OPERATOR | ADMINISTRATOR },
                { "modify user carol set adminlevel=admin", ADMINISTRATOR },
                { "add qos x", ADMINISTRATOR },
                { "modify qos high set priority=1", ADMINISTRATOR },
                { "delete qos high", ADMINISTRATOR },
                { "modify cluster set fairshare=2", ADMINISTRATOR },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                for (size_t k = 0; k < ELEMENTSOF(roles); k++) {
                        _cleanup_(cluster_freep) struct cluster *c = make("");
                        _cleanup_free_ char *text = NULL;
                        struct fail fail = { 0 };

                        grow(c);
                        must(c, "add account sub parent=theory", NULL);
                        must(c, "add user carol account=theory", NULL);
                        if (roles[k].coordinates) {
                                _cleanup_free_ char *line = xasprintf(
                                                "add coordinator account=%s names=alice",
                                                roles[k].coordinates);
                                must(c, line, NULL);
                        }
                        int r = change(c, roles[k].level, rows[i].line, &text, &fail);
                        if ((r == -EPERM) == !!(rows[i].roles & 1u << k))
                                fail_msg("%s, role %zu: %d %s", rows[i].line, k, r, fail.text);
                }
}

/* Of physics and its account theory the first has QOS part: its coordinator gives part below, too.
 */
static void a_coordinator_gives_the_qos_of_the_own_accounts(void **state) {
        static const struct {
                const char *coordinates, *line;
                int r;
        } rows[] = {
                { "physics", "modify user alice account=theory set qos+=part", 0 },
                { "physics", "modify account theory set qos+=part", 0 },
                { "physics", "add user dave account=theory qos=part", 0 },
                { "theory", "modify user alice account=theory set qos+=part", -EPERM },
                { "theory", "add user dave account=theory qos=part", -EPERM },
                { "theory", "modify user bob account=theory set qos=high,part", 0 }, /* has it */
                { "theory", "modify user bob account=theory set qos-=part", 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(cluster_freep) struct cluster *c = make("");
                _cleanup_free_ char *line = xasprintf("add coordinator account=%s names=alice",
                                                    rows[i].coordinates),
                                    *text = NULL;
                struct fail fail = { 0 };

                grow(c);
                must(c, "modify account physics set qos=high,part", NULL);
                must(c, "modify account theory set qos=high", NULL);
                must(c, "modify user alice account=theory set qos=high", NULL);
                must(c, "add user bob account=theory qos=high,part", NULL);
                must(c, line, NULL);
                int r = change(c, ADMIN_NONE, rows[i].line, &text, &fail);
                if (r != rows[i].r)
                        fail_msg("%s: %d %s", rows[i].line, r, fail.text);
                if (r < 0)
                        assert_string_equal(fail.text,
                                        "QOS part is not one of the accounts that alice coordinates");
        }
}

static void rights_are_checked(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        static const struct {
                enum admin_level level;
                const char *line;
                int r;
        } rows[] = {
                { ADMIN_NONE, "!add account x", 0 }, /* looking is free */
                { ADMIN_NONE, "add account x", -EPERM },
                { ADMIN_OPERATOR, "add account x", 0 },
                { ADMIN_OPERATOR, "add qos x", -EPERM },
                { ADMIN_OPERATOR, "modify qos high set priority=1", -EPERM },
                { ADMIN_OPERATOR, "delete qos high", -EPERM },
                { ADMIN_NONE, "add user bob account=theory", -EPERM },
                { ADMIN_OPERATOR, "add user bob account=theory adminlevel=admin", -EPERM },
                { ADMIN_OPERATOR, "add user bob account=theory adminlevel=operator", 0 },
                { ADMIN_OPERATOR, "modify user bob set adminlevel=admin", -EPERM },
                { ADMIN_OPERATOR, "modify user root set adminlevel=none", -EPERM },
                { ADMIN_NONE, "modify user alice set defaultaccount=theory", 0 }, /* her own */
                { ADMIN_NONE, "modify user alice set adminlevel=operator", -EPERM },
                { ADMIN_NONE, "modify user alice set fairshare=1000", -EPERM },
                { ADMIN_NONE, "modify user bob set defaultaccount=theory", -EPERM },
                { ADMIN_NONE, "delete user bob", -EPERM },
                { ADMIN_OPERATOR, "modify cluster set fairshare=2", -EPERM },
                { ADMIN_ADMINISTRATOR, "add qos x", 0 },
        };

        grow(c);
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = NULL;
                struct fail fail = { 0 };
                int r = change(c, rows[i].level, rows[i].line, &text, &fail);
                if (r != rows[i].r)
                        fail_msg("%s at level %d: %d %s", rows[i].line, (int)rows[i].level, r,
                                        fail.text);
        }
        assert_int_equal(acct_user_find(&c->acct, "bob")->admin, ADMIN_OPERATOR);
}

static void every_setting_is_shown_as_it_can_be_set(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");

        grow(c);
        void *const objects[ACCT_TABLE_MAX] = { qos_find(&c->acct, "high"),
                account_find(&c->acct, "physics"), acct_user_find(&c->acct, "alice"),
                assoc_find(&c->acct, "theory", "alice", NULL) };
        static const char *const values[ACCT_TYPE_MAX] = { [ACCT_TEXT] = "text",
                [ACCT_NUMBER] = "7",
                [ACCT_COUNT] = "8",
                [ACCT_SECONDS] = "00:01:30",
                [ACCT_WALL] = "1-02:00:00",
                [ACCT_EXEMPT] = "00:05:00",
                [ACCT_REAL] = "0.500000",
                [ACCT_TRES] = "cpu=4,mem=2G",
                [ACCT_TRES_ONE] = "9",
                [ACCT_MODE] = "suspend",
                [ACCT_FLAGS] = "NoReserve",
                [ACCT_QOS_SET] = "normal,part",
                [ACCT_QOS_ID] = "part",
                [ACCT_SHARES] = "parent",
                [ACCT_ADMIN] = "Operator" };

        for (int t = 0; t < ACCT_TABLE_MAX; t++) {
                size_t n;
                const struct acct_field *fields = acct_fields((enum acct_table)t, &n);
                for (size_t i = 0; i < n; i++) {
                        void *copy = acct_object_copy((enum acct_table)t, objects[t]);
                        _cleanup_free_ char *key = xstrndup(fields[i].name, fields[i].least);
                        assert_int_equal(acct_field_set(&c->acct, &fields[i], copy, '=',
                                                         values[fields[i].type], NULL),
                                        0);
                        _cleanup_free_ char *text = acct_field_text(&c->acct, &fields[i], copy);
                        assert_string_equal(text, values[fields[i].type]);
                        assert_int_equal(
                                        acct_field_set(&c->acct, &fields[i], copy, '=', text, NULL),
                                        0);
                        assert_ptr_equal(acct_field_find((enum acct_table)t, fields[i].name),
                                        &fields[i]);
                        if (!acct_field_find((enum acct_table)t, key))
                                fail_msg("%s is too short for %s", key, fields[i].name);
                        acct_object_free((enum acct_table)t, copy);
                }
        }
}

/* What is to be written is found by one walk, not by one for each row. */
static void many_rows_are_soon_found(void **state) {
        enum { N_CLUSTERS = 50, N_USERS = 600 };
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;
        size_t n;

        (void)state;
        must(c, "add account x", NULL);
        for (int i = 0; i < N_CLUSTERS; i++) {
                _cleanup_free_ char *name = xasprintf("far%d", i);
                acct_cluster_fill(a, acct_cluster_add(a, name));
        }
        acct_clean(a);
        for (size_t k = 0; k <= N_CLUSTERS; k++) {
                acct_enter(a, k ? a->clusters[k - 1] : NULL);
                for (int i = 0; i < N_USERS; i++) {
                        _cleanup_free_ char *user = xasprintf("u%d", i);
                        struct assoc *s = assoc_add(a, a->next_id, a->root, "root", user, NULL);
                        acct_touch(a, k ? ACCT_FAR_ASSOC : ACCT_ASSOC, NULL, s->id, false);
                }
        }
        acct_enter(a, NULL);
        uint32_t gone = a->next_id + 7;
        acct_touch(a, ACCT_FAR_ASSOC, NULL, gone, false); /* changed, and then removed */
        acct_touch(a, ACCT_FAR_ASSOC, NULL, gone, true);
        acct_touch(a, ACCT_ASSOC, NULL, assoc_find(a, "root", "u599", NULL)->id, false); /* again */
        struct timespec began, ended;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
        struct accounting_row *rows = acct_rows(a, &n);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
        assert_int_equal(n, (N_CLUSTERS + 1) * N_USERS + 2);
        assert_true(rows[n - 2].remove);
        assert_string_equal(rows[0].table, acct_table_name(ACCT_ASSOC));
        assert_string_equal(rows[N_USERS].table, acct_table_name(ACCT_FAR_ASSOC));
        assert_string_equal(rows[N_USERS].values[5], "far0");
        assert_string_equal(rows[n - 3].values[5], "far9"); /* by name */
        assert_string_equal(rows[n - 1].values[3], "u599");
        assert_null(a->entered);
        assert_int_equal(a->n_dirty, 0);
        for (size_t i = 0; i < n; i++) {
                for (size_t k = 0; k < rows[i].n; k++)
                        free(rows[i].values[k]);
                free(rows[i].values);
        }
        free(rows);
        assert_true(ended.tv_sec - began.tv_sec <= 5);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_always_there),
                cmocka_unit_test(without_enforcement_any_account_will_do_but_no_unknown_qos),
                cmocka_unit_test(account_qos_and_association_follow_from_the_user),
                cmocka_unit_test(preemption_rules),
                cmocka_unit_test(a_job_is_charged_at_each_level_and_everything_is_taken_back),
                cmocka_unit_test(a_qos_that_goes_leaves_nothing_behind),
                cmocka_unit_test(the_tree_moves),
                cmocka_unit_test(resources_are_read_and_shown),
                cmocka_unit_test(flags_have_words),
                cmocka_unit_test(what_is_added_is_told_and_there),
                cmocka_unit_test(what_is_modified_is_told),
                cmocka_unit_test(what_is_in_use_stays),
                cmocka_unit_test(a_default_account_stays_while_there_are_others),
                cmocka_unit_test(preemption_loop_is_refused),
                cmocka_unit_test(a_coordinator_does_what_an_operator_may_but_below_his_account),
                cmocka_unit_test(a_coordinator_has_no_right_by_another_cluster),
                cmocka_unit_test(a_coordinator_gives_the_qos_of_the_own_accounts),
                cmocka_unit_test(each_role_may_do_what_is_its_own),
                cmocka_unit_test(rights_are_checked),
                cmocka_unit_test(every_setting_is_shown_as_it_can_be_set),
                cmocka_unit_test(many_rows_are_soon_found),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
