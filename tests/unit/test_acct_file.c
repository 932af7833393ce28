/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accounts as a file: what is read, refused with its line, made, and written again. */
#include "controller/account_admin/acct_file.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#define NOW (1000 * USEC_PER_SEC)
#define CONF                                                                                       \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\n"                      \
        "NodeName=n[1-4] CPUs=4 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n"

static const char whole[] =
                "# of a site\n"
                "Cluster - 'c':Fairshare=1:MaxJobs=50:QOS='normal'\n"
                "Parent - 'root'\n"
                "Account - 'Physics':Description='dept: of \"physics\"':Organization=\"the site's\":Fairshare=10\n"
                "Account - bio : MaxWall=02:00 # is not quoted, so that 00 is a word of its own\n";
static const char tree[] =
                "Cluster - c\n"
                "Account - physics:Description='dept of physics':Organization=\"it's\":GrpTRES=cpu=10,mem=2G\n"
                "Account - bio:MaxWall='1-02:00:00'\n"
                "Parent - physics\n"
                "Account - theory:Fairshare=parent:QOS=normal\n"
                "User - alice:DefaultAccount=theory:AdminLevel=Operator:Coordinator=bio,theory:MaxJobs=3\n"
                "Parent - theory\n"
                "User - alice:Partition=p:Fairshare=7\n"
                "User - alice\n";

static int import(struct cluster *c, const char *text, struct acct_import how, char **ret_told,
                struct fail *fail) {
        how.text = text;
        how.size = strlen(text);
        how.user = "root";
        how.level = ADMIN_ADMINISTRATOR;
        how.commit = true;
        return acct_import(c, &how, ret_told, fail);
}

static void must(struct cluster *c, const char *text, struct acct_import how, int wanted) {
        _cleanup_free_ char *told = NULL;
        struct fail fail = { 0 };
        int r = import(c, text, how, &told, &fail);

        if (r != wanted)
                fail_msg("%d: %s", r, fail.text);
}

static void refused(struct cluster *c, const char *text, const char *why) {
        _cleanup_free_ char *before = acct_dump(c), *told = NULL;
        struct fail fail = { 0 };
        int r = import(c, text, (struct acct_import){ 0 }, &told, &fail);
        _cleanup_free_ char *after = acct_dump(c);

        if (r >= 0 || !strstr(fail.text, why))
                fail_msg("%s: %d %s", text, r, fail.text);
        assert_string_equal(before, after);
}

static void a_file_is_made_and_written_again(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW),
                                                *other = cluster_of(CONF, NOW);
        const struct acct *a = &c->acct;

        must(c, tree, (struct acct_import){ 0 }, 0);
        assert_string_equal(assoc_find(a, "theory", NULL, NULL)->parent->account, "physics");
        assert_string_equal(account_find(a, "physics")->organization, "it's");
        assert_string_equal(account_find(a, "theory")->organization, "physics");
        assert_string_equal(acct_user_find(a, "alice")->default_account, "theory");
        assert_int_equal(acct_user_find(a, "alice")->admin, ADMIN_OPERATOR);
        assert_int_equal(assoc_find(a, "theory", "alice", "p")->shares, 7);
        assert_int_equal(assoc_find(a, "theory", "alice", NULL)->shares, 1);
        assert_int_equal(assoc_find(a, "theory", NULL, NULL)->shares, SHARES_PARENT);
        assert_int_equal(account_find(a, "bio")->n_coordinators, 1);
        assert_true(a->n_dirty > 0);
        _cleanup_free_ char *text = acct_dump(c), *again = NULL;
        must(c, text, (struct acct_import){ 0 }, 1);
        must(other, text, (struct acct_import){ 0 }, 0);
        again = acct_dump(other);
        assert_string_equal(text, again);
}

static void texts_are_quoted(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW),
                                                *other = cluster_of(CONF, NOW);
        _cleanup_free_ char *text = NULL, *again = NULL;

        refused(c, whole, "line 5: \"00\" is not KEY=VALUE");
        must(c, "Cluster - c\nAccount - a:Description='x: \"y\" # '\"it's\":Organization=''\n",
                        (struct acct_import){ 0 }, 0);
        assert_string_equal(account_find(&c->acct, "a")->description, "x: \"y\" # it's");
        assert_string_equal(account_find(&c->acct, "a")->organization, "");
        text = acct_dump(c);
        must(other, text, (struct acct_import){ 0 }, 0);
        again = acct_dump(other);
        assert_string_equal(account_find(&other->acct, "a")->description, "x: \"y\" # it's");
}

static void what_is_wrong_is_told_with_its_line(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW);
        static const char *const cases[][2] = {
                { "", "there is no line \"Cluster - NAME\"" },
                { "Account - a\n", "line 1: \"Cluster - NAME\" comes before" },
                { "Cluster - c\nCluster - d\n",
                                "line 2: a file is of one cluster, which line 1 names" },
                { "Cluster - d\n", "line 1: the accounts are those of cluster c, not of d" },
                { "Cluster - c\n\nUsr - a\n",
                                "line 3: \"Usr\" is none of Cluster, Parent, Account and User" },
                { "Cluster - c\nUser a\n", "line 2: \"User - NAME\" was expected" },
                { "Cluster - c\nUser - :a=b\n", "line 2: \"User - NAME\" was expected" },
                { "Cluster - c\nAccount - 'a\n", "line 2: a quoted text has no end" },
                { "Cluster - c\nAccount - a:MaxJobs\n", "line 2: \"MaxJobs\" is not KEY=VALUE" },
                { "Cluster - c\nAccount - a:MaxJobs=x\n", "line 2: MaxJobs=x: a number" },
                { "Cluster - c\nAccount - a:Color=red\n", "line 2: Unknown option: Color=red" },
                { "Cluster - c\nAccount - a:QOS=nope\n", "line 2: QOS: there is no QOS \"nope\"" },
                { "Cluster - c\nAccount - a b\n",
                                "line 2: \"a b\" can not be the name of an account" },
                { "Cluster - c\nAccount - a\x1b\n", "line 2: it has a control character" },
                { "Cluster - c\nParent - a\nAccount - b\n",
                                "line 3: Parent - a: there is no such account" },
                { "Cluster - c\nParent - root:MaxJobs=1\n",
                                "line 2: Parent - root: its settings stand in its own line" },
                { "Cluster - c\nAccount - a\nParent - a\nAccount - a\n",
                                "line 4: account a can not be below a" },
                { "Cluster - c\nUser - u:DefaultAccount=a\n",
                                "line 2: DefaultAccount=a: user u has no association" },
                { "Cluster - c\nUser - u:Coordinator=a\n",
                                "line 2: Coordinator=a: there is no such account" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                refused(c, cases[i][0], cases[i][1]);
}

static void clean_leaves_what_the_file_names(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW);
        const struct acct *a = &c->acct;

        must(c, tree, (struct acct_import){ 0 }, 0);
        must(c, "Cluster - x\nAccount - bio\nParent - bio\nUser - bob:MaxJobs=1\n",
                        (struct acct_import){ .cluster = "c", .clean = true }, 0);
        assert_null(account_find(a, "physics"));
        assert_null(account_find(a, "theory"));
        assert_null(acct_user_find(a, "alice"));
        assert_int_equal(assoc_find(a, "bio", NULL, NULL)->limits.max_wall, NO_LIMIT);
        assert_int_equal(account_find(a, "bio")->n_coordinators, 0);
        assert_string_equal(acct_user_find(a, "bob")->default_account, "bio");
        assert_int_equal(acct_user_find(a, "root")->admin, ADMIN_ADMINISTRATOR);
        assert_non_null(assoc_find(a, "root", "root", NULL));
}

static void a_user_has_one_spelling(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW);

        must(c, tree, (struct acct_import){ 0 }, 0);
        refused(c, "Cluster - c\nParent - bio\nUser - Alice\n", "that user is known as alice");
}

static void clean_refuses_what_goes_with_its_parent(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW);
        const struct acct_import clean = { .clean = true };
        _cleanup_free_ char *told = NULL;
        struct fail fail = { 0 };

        must(c, tree, (struct acct_import){ 0 }, 0);
        assert_int_equal(import(c, "Cluster - c\nParent - theory\nUser - alice\n", clean, &told,
                                         &fail),
                        -ENOENT);
        assert_non_null(strstr(fail.text, "the file has no line \"Account - theory\""));
        assert_non_null(assoc_find(&c->acct, "theory", "alice", NULL));
}

static void clean_opens_no_qos_and_knows_what_is_the_same(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW);
        const struct acct_import clean = { .clean = true };

        must(c, "Cluster - c\n", clean, 1);
        must(c, tree, (struct acct_import){ 0 }, 0);
        _cleanup_free_ char *dump = acct_dump(c);
        must(c, dump, clean, 1);
        must(c, "Cluster - c\n", clean, 0);
        assert_non_null(assoc_qos(c->acct.root)); /* none would be any */
}

static void a_plain_user_may_not(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, NOW);
        _cleanup_free_ char *told = NULL;
        struct fail fail = { 0 };
        const struct acct_import how = {
                .text = tree,
                .size = strlen(tree),
                .user = "u",
                .level = ADMIN_OPERATOR,
        };

        assert_int_equal(acct_import(c, &how, &told, &fail), -EPERM);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_file_is_made_and_written_again),
                cmocka_unit_test(texts_are_quoted),
                cmocka_unit_test(what_is_wrong_is_told_with_its_line),
                cmocka_unit_test(clean_leaves_what_the_file_names),
                cmocka_unit_test(a_user_has_one_spelling),
                cmocka_unit_test(clean_refuses_what_goes_with_its_parent),
                cmocka_unit_test(clean_opens_no_qos_and_knows_what_is_the_same),
                cmocka_unit_test(a_plain_user_may_not),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
