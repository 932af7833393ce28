/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/rank.h"
#include "controller/orders/viewer.h"

#include "controller/accounts/assoc.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/past.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/sched.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#define NOW (1000 * USEC_PER_SEC)
#define CONF                                                                                       \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\n"                      \
        "NodeName=n[1-2] CPUs=4 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n"

enum role { OWNER, STRANGER, COORDINATOR, OPERATOR, ROLES };

static const char *const users[ROLES] = { "ann", "eve", "carl", "olga" };

static char *groups[] = { (char *)"users" };

/* ann's job 1 of account lab, which carl coordinates; eve is in account other. */
static struct cluster *make(const char *more) {
        _cleanup_free_ char *text = xasprintf("%s%s", CONF, more);
        const struct submitter ann = { .uid = 1,
                .gid = 1,
                .user = users[OWNER],
                .group = "ann",
                .groups = groups,
                .n_groups = 1 };
        struct cluster *c = cluster_of(text, NOW);
        struct job_spec spec = { .min_nodes = 1, .account = (char *)"lab" };
        struct acct *a = &c->acct;
        struct fail fail = { 0 };
        struct job *j;

        account_coordinate(account_add(a, "lab"), users[COORDINATOR], true);
        account_add(a, "other");
        struct assoc *lab = assoc_add(a, a->next_id, a->root, "lab", NULL, NULL);
        struct assoc *other = assoc_add(a, a->next_id, a->root, "other", NULL, NULL);
        acct_user_add(a, users[OWNER])->default_account = xstrdup("lab");
        assoc_add(a, a->next_id, lab, "lab", users[OWNER], NULL);
        acct_user_add(a, users[STRANGER])->default_account = xstrdup("other");
        assoc_add(a, a->next_id, other, "other", users[STRANGER], NULL);
        acct_bind_all(c);
        assert_int_equal(job_admit(c, &spec, &ann, NOW, &j, &fail), SLUMBER_OK);
        assert_int_equal(j->id, 1);
        return c;
}

/* What a request of each role carries: operators are bound by nothing. */
static struct viewer as(const struct cluster *c, enum role role) {
        return (struct viewer){ c,
                { .uid = (uid_t)role + 1,
                                .gid = (gid_t)role + 1,
                                .user = users[role],
                                .group = users[role],
                                .groups = groups,
                                .n_groups = 1,
                                .hidden = role == OPERATOR ? 0 : c->config->private_data } };
}

enum object {
        JOB,
        NODES,
        PARTITIONS,
        EVENTS,
        RESERVATION,
        LAB,
        LAB_ASSOC,
        ANN,
        ANN_ASSOC,
        ANN_USAGE,
        LAB_TALLY,
        ANN_TALLY,
        OBJECTS
};

static bool sees(const struct viewer *v, enum object object) {
        const struct acct *a = &v->c->acct;
        char accounts[] = "lab";
        const struct resv r = { .accounts = accounts };
        const struct assoc *lab = assoc_find(a, "lab", NULL, NULL),
                           *ann = assoc_find(a, "lab", users[OWNER], NULL);
        const bool seen[OBJECTS] = {
                [JOB] = viewer_sees_job(v, cluster_job(v->c, 1)),
                [NODES] = viewer_sees_nodes(v),
                [PARTITIONS] = viewer_sees_partitions(v),
                [EVENTS] = viewer_sees_events(v),
                [RESERVATION] = viewer_sees_reservation(v, &r),
                [LAB] = viewer_sees_account(v, account_find(a, "lab")),
                [LAB_ASSOC] = viewer_sees_assoc(v, lab, PRIVATE_USERS | PRIVATE_ACCOUNTS),
                [ANN] = viewer_sees_user(v, users[OWNER]),
                [ANN_ASSOC] = viewer_sees_assoc(v, ann, PRIVATE_USERS | PRIVATE_ACCOUNTS),
                [ANN_USAGE] = viewer_sees_assoc(v, ann, PRIVATE_USAGE),
                [LAB_TALLY] = viewer_sees_account_tally(v, "lab"),
                [ANN_TALLY] = viewer_sees_user_tally(v, users[OWNER]),
        };

        return seen[object];
}

/* Of another cluster: it knows the user's name alone, and who coordinates here is not asked. */
static void a_guest_coordinates_nothing(void **state) {
        struct cluster *c = make("PrivateData=jobs,accounts,users,usage\n");
        struct viewer v = as(c, COORDINATOR);

        (void)state;
        assert_true(sees(&v, JOB) && sees(&v, LAB) && sees(&v, ANN_ASSOC) && sees(&v, LAB_TALLY));
        assert_false(viewer_is_plain(&v));
        v.caller.coordinates_nothing = true;
        for (enum object o = 0; o < OBJECTS; o++)
                if (o == JOB || o >= LAB)
                        assert_false(sees(&v, o));
        assert_true(viewer_is_plain(&v));
        cluster_free(c);
}

/* One row per value: for each object the users that do not see it, O(wner), S(tranger),
   C(oordinator). */
static void each_value_hides_its_data(void **state) {
        static const struct {
                const char *value, *hidden[OBJECTS];
        } rows[] = {
                { "none", { NULL } },
                { "cloud", { NULL } },
                { "jobs", { [JOB] = "S" } },
                { "nodes", { [NODES] = "OSC" } },
                { "partitions", { [PARTITIONS] = "OSC" } },
                { "events", { [EVENTS] = "OSC" } },
                { "reservations", { [RESERVATION] = "SC" } },
                { "accounts", { [LAB] = "OS",
                                              [LAB_ASSOC] = "OS",
                                              [ANN_ASSOC] = "S",
                                              [LAB_TALLY] = "OS" } },
                { "users", { [ANN] = "SC",
                                           [LAB_ASSOC] = "OS",
                                           [ANN_ASSOC] = "S",
                                           [ANN_TALLY] = "SC" } },
                { "usage", { [ANN_USAGE] = "S", [LAB_TALLY] = "OS", [ANN_TALLY] = "SC" } },
                { "all", { [JOB] = "S",
                                         [NODES] = "OSC",
                                         [PARTITIONS] = "OSC",
                                         [EVENTS] = "OSC",
                                         [RESERVATION] = "SC",
                                         [LAB] = "OS",
                                         [LAB_ASSOC] = "OS",
                                         [ANN] = "SC",
                                         [ANN_ASSOC] = "S",
                                         [ANN_USAGE] = "S",
                                         [LAB_TALLY] = "OS",
                                         [ANN_TALLY] = "SC" } },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *line = xasprintf("PrivateData=%s\n", rows[i].value);
                _cleanup_(cluster_freep) struct cluster *c = make(line);
                for (int role = 0; role < ROLES; role++)
                        for (int object = 0; object < OBJECTS; object++) {
                                const struct viewer v = as(c, (enum role)role);
                                bool hidden = rows[i].hidden[object] &&
                                              strchr(rows[i].hidden[object], "OSC-"[role]);
                                if (sees(&v, (enum object)object) == hidden)
                                        fail_msg("PrivateData=%s: object %d is %s for %s",
                                                        rows[i].value, object,
                                                        hidden ? "seen" : "hidden", users[role]);
                        }
        }
}

static void a_hidden_job_is_unknown(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("PrivateData=jobs\n");
        const struct viewer eve = as(c, STRANGER), ann = as(c, OWNER);
        _cleanup_(dependencies_freep) struct dependencies *d = NULL;

        (void)state;
        assert_null(viewer_job(&eve, 1));
        assert_ptr_equal(viewer_job(&ann, 1), cluster_job(c, 1));
        assert_int_equal(viewer_job_id(&eve, 1), 0);
        assert_int_equal(viewer_job_id(&ann, 1), 1);
        assert_int_equal(dependencies_parse("afterok:1,singleton", false, &d, NULL), 0);
        viewer_hide_dependencies(&ann, d);
        assert_int_equal(d->of[0].job, 1);
        viewer_hide_dependencies(&eve, d);
        assert_int_equal(d->of[0].job, 0);
}

/* A dependency upon it is met at once, as one upon an id that there never was. */
static void nothing_is_learnt_by_waiting_for_a_hidden_job(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("PrivateData=jobs\n");
        const struct viewer eve = as(c, STRANGER), carl = as(c, COORDINATOR);
        struct job_spec spec = { .min_nodes = 1, .dependency = (char *)"afterok:1" };
        struct fail fail = { 0 };
        struct job *j;

        (void)state;
        assert_int_equal(job_admit(c, &spec, &eve.caller, NOW, &j, &fail), SLUMBER_OK);
        assert_null(j->waiting.depends);
        assert_int_equal(job_admit(c, &spec, &carl.caller, NOW, &j, &fail), SLUMBER_OK);
        assert_non_null(j->waiting.depends);
}

/* Of accounts her own rows alone are asked for, whether the controller has the job or not. */
static void nothing_is_learnt_of_the_accounts_of_a_hidden_job(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("PrivateData=jobs\n");
        const struct viewer eve = as(c, STRANGER);
        struct job_spec spec = { .min_nodes = 1, .dependency = (char *)"afterok:1" };
        struct fail fail = { 0 };
        struct job *j;

        (void)state;
        c->pasts.kept = true;
        for (unsigned own = 0; own < 2; own++) {
                assert_int_equal(job_admit(c, &spec, &eve.caller, NOW, &j, &fail), SLUMBER_OK);
                assert_true(j->waiting.depends->of[0].hidden);
                struct past *p = past_of(c, 1);
                assert_non_null(p);
                const struct past_row row = { .row = 1,
                        .completed = true,
                        .uid = own ? j->uid : j->uid + 1 };
                past_add(p, &row);
                past_settle(p);
                dependencies_told(c, 1, NOW);
                assert_null(past_of(c, 1));
                _cleanup_free_ char *text = dependencies_text(j->waiting.depends);
                assert_string_equal(text, own ? "" : "afterok:1(unknown)");
                assert_true(own || dependencies_never(j->waiting.depends));
        }
}

/* As in Slurm: with MCSParameters=privatedata those of the job's label see it, and one without a
   label hides nothing. */
/* A coordinator learns of the accounts that she coordinates, and of jobs whose rows have one
 * account. */
static void coordinators_learn_of_the_jobs_of_their_accounts(void **state) {
        static const struct {
                const char *first, *second; /* the accounts of two components */
                bool learns;
        } rows[] = {
                { "lab", "lab", true },
                { "other", "other", false },
                { "lab", "other", false },
                { "lab", NULL, false },
                { NULL, NULL, false },
                { "gone", "gone", false },
        };
        _cleanup_(cluster_freep) struct cluster *c = make("PrivateData=jobs\n");
        const struct viewer carl = as(c, COORDINATOR);
        struct job_spec spec = { .min_nodes = 1, .dependency = (char *)"afterok:1" };
        struct fail fail = { 0 };
        struct job *j;

        (void)state;
        c->pasts.kept = true;
        struct account *lab = account_find(&c->acct, "lab");
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                account_coordinate(lab, users[COORDINATOR], false);
                assert_int_equal(job_admit(c, &spec, &carl.caller, NOW, &j, &fail), SLUMBER_OK);
                assert_true(j->waiting.depends->of[0]
                                                .hidden); /* as the controller has no such job */
                account_coordinate(lab, users[COORDINATOR], true);
                struct past *p = past_of(c, 1);
                assert_non_null(p);
                for (uint32_t part = 0; part < 2; part++) {
                        const struct past_row row = { .row = part + 1,
                                .het_job = 1,
                                .part = part,
                                .completed = true,
                                .uid = 99,
                                .account = part ? rows[i].second : rows[i].first };
                        past_add(p, &row);
                }
                past_settle(p);
                dependencies_told(c, 1, NOW);
                assert_int_equal(!j->waiting.depends, rows[i].learns);
        }
}

static void labels_open_jobs_to_their_users(void **state) {
        static const struct {
                const char *plugin, *label;
                bool stranger; /* sees it */
        } rows[] = {
                { "user", "ann", false },
                { "user", "eve", true },
                { "group", "users", true },
                { "group", "staff", false },
                { "account", "lab", false },
                { "account", "other", true },
                { "label", "eve", false },
                { "user", NULL, true },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *line = xasprintf(
                                "PrivateData=jobs\nMCSPlugin=mcs/%s\nMCSParameters=privatedata\n",
                                rows[i].plugin);
                _cleanup_(cluster_freep) struct cluster *c = make(line);
                const struct viewer eve = as(c, STRANGER), ann = as(c, OWNER);
                struct job *j = cluster_job(c, 1);
                free(j->asked.mcs_label);
                j->asked.mcs_label = rows[i].label ? xstrdup(rows[i].label) : NULL;
                assert_int_equal(viewer_sees_job(&eve, j), rows[i].stranger);
                assert_true(viewer_sees_job(&ann, j));
        }
        _cleanup_(cluster_freep) struct cluster *none = make(
                        "PrivateData=jobs\nMCSParameters=privatedata\n");
        const struct viewer eve = as(none, STRANGER);
        assert_false(viewer_sees_job(&eve, cluster_job(none, 1)));
}

static void what_is_no_kind_of_private_data_is_refused(void **state) {
        static const char conf[] = CONF "PrivateData=jobs,node\n";
        struct config *config = NULL;
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(config_parse("x", conf, strlen(conf), &config, &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "PrivateData: \"node\" is not one of"));
}

static void root_runs_nothing_where_that_is_disabled(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("DisableRootJobs=YES\n");
        const struct submitter root = { .user = "root", .group = "root" };
        const struct viewer ann = as(c, OWNER);
        struct job_spec spec = { .min_nodes = 1 };
        struct fail fail = { 0 };
        struct job *j;

        (void)state;
        assert_int_equal(job_admit(c, &spec, &root, NOW, &j, &fail), SLUMBER_BAD_USER);
        assert_int_equal(job_admit(c, &spec, &ann.caller, NOW, &j, &fail), SLUMBER_OK);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_guest_coordinates_nothing),
                cmocka_unit_test(each_value_hides_its_data),
                cmocka_unit_test(a_hidden_job_is_unknown),
                cmocka_unit_test(nothing_is_learnt_by_waiting_for_a_hidden_job),
                cmocka_unit_test(nothing_is_learnt_of_the_accounts_of_a_hidden_job),
                cmocka_unit_test(coordinators_learn_of_the_jobs_of_their_accounts),
                cmocka_unit_test(labels_open_jobs_to_their_users),
                cmocka_unit_test(what_is_no_kind_of_private_data_is_refused),
                cmocka_unit_test(root_runs_nothing_where_that_is_disabled),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
