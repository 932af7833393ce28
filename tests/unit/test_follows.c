/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every fact that can be noted: what is due after it, and that a turn does all of it. */
#include "tests/unit/test.h"

#include "controller/jobs/job_events.h"
#include "controller/nodes/node_events.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

#define T0 (1700000000 * USEC_PER_SEC)
/* What a turn may leave: the store takes what is to be stored, room to grow older waits for a job
   that needs it, and srun's requests are the daemon's. */
#define LEFT (FOLLOW_STORE_RESERVATIONS | FOLLOW_ACCRUAL | FOLLOW_STEP_PORTS)

/* The words of what follows, in the order of enum follow. */
static const char *const follow_words[] = { "pass", "reasons", "gang", "gang-anew", "plan-retry",
        "plan-licenses", "plan-anew", "reservations", "accrual", "accrual-anew", "limit-plans",
        "store-reservations", "step-ports", "het", "lost-nodes", "places" };
/* And those of the nodes that the fact is noted for. */
static const struct {
        enum follow what;
        const char *word;
} node_words[] = {
        { FOLLOW_PLAN_NODES, "plan-nodes" },
        { FOLLOW_LAUNCH, "launch" },
        { FOLLOW_STORE_NODE, "store-node" },
        { FOLLOW_STORE_LATER, "store-later" },
};

/* +limits, +preempt: what follows only with AccountingStorageEnforce=limits, PreemptType. */
static const struct {
        enum fact fact;
        const char *name, *follows;
} facts[] = {
        { FACT_QUEUE_CHANGED, "QUEUE_CHANGED", "pass" },
        { FACT_REQUEST_CHANGED, "REQUEST_CHANGED", "pass" },
        { FACT_PRIORITY_CHANGED, "PRIORITY_CHANGED", "pass" },
        { FACT_JOB_UPDATED, "JOB_UPDATED", "reasons" },
        { FACT_JOB_STARTED, "JOB_STARTED", "gang" },
        { FACT_JOB_STOPPED, "JOB_STOPPED", "gang" },
        { FACT_JOB_SUSPENDED, "JOB_SUSPENDED", "pass gang" },
        { FACT_BOOT_LATE, "BOOT_LATE", "gang" },
        { FACT_JOB_STOPPABLE, "JOB_STOPPABLE", "pass gang" },
        { FACT_JOB_PREEMPTABLE, "JOB_PREEMPTABLE", "+preempt pass" },
        { FACT_PREEMPTION_BEGUN, "PREEMPTION_BEGUN", "pass" },
        { FACT_CLAIM_ENDED, "CLAIM_ENDED", "pass plan-nodes" },
        { FACT_ARRAY_SLOT_FREED, "ARRAY_SLOT_FREED", "pass" },
        { FACT_NODE_CHANGED, "NODE_CHANGED", "plan-nodes store-node" },
        { FACT_NODE_RECORD, "NODE_RECORD", "store-node" },
        { FACT_NODE_SHARED, "NODE_SHARED", "store-later" },
        { FACT_NODE_USE, "NODE_USE", "plan-nodes" },
        { FACT_LAUNCH_POSSIBLE, "LAUNCH_POSSIBLE", "launch" },
        { FACT_NODE_USABLE, "NODE_USABLE", "pass" },
        { FACT_NODE_SERVICE, "NODE_SERVICE", "reasons" },
        { FACT_NODE_FREED, "NODE_FREED", "pass gang launch" },
        { FACT_PORTS_FREED, "PORTS_FREED", "step-ports" },
        { FACT_INVENTORY_CHANGED, "INVENTORY_CHANGED", "pass reasons plan-anew" },
        { FACT_WEIGHT_CHANGED, "WEIGHT_CHANGED", "plan-anew" },
        { FACT_EXCLUSIONS_CHANGED, "EXCLUSIONS_CHANGED", "plan-anew" },
        { FACT_BRAKE_CHANGED, "BRAKE_CHANGED", "pass reasons" },
        { FACT_MEMORY_OFFERED, "MEMORY_OFFERED", "pass" },
        { FACT_MEMORY_KEPT, "MEMORY_KEPT", "pass gang plan-retry" },
        { FACT_MEMORY_RETURNED, "MEMORY_RETURNED", "gang" },
        { FACT_LIMITS_CHANGED, "LIMITS_CHANGED", "pass gang plan-retry plan-anew accrual" },
        { FACT_JOBS_REBOUND, "JOBS_REBOUND", "pass limit-plans" },
        { FACT_LIMIT_ROOM, "LIMIT_ROOM", "pass plan-retry" },
        { FACT_LIMIT_USE_FELL, "LIMIT_USE_FELL", "pass +limits plan-retry" },
        { FACT_LIMIT_USE_ROSE, "LIMIT_USE_ROSE", "limit-plans" },
        { FACT_ACCRUAL_ROOM, "ACCRUAL_ROOM", "accrual" },
        { FACT_LIMIT_USE_CHANGED, "LIMIT_USE_CHANGED", "pass" },
        { FACT_LICENSES_CHANGED, "LICENSES_CHANGED", "plan-licenses" },
        { FACT_LICENSES_RETURNED, "LICENSES_RETURNED", "pass plan-licenses" },
        { FACT_RESERVATION_CHANGED, "RESERVATION_CHANGED", "pass reasons plan-anew" },
        { FACT_RESERVATION_USE, "RESERVATION_USE", "reservations" },
        { FACT_RESERVATION_RECORD, "RESERVATION_RECORD", "store-reservations" },
        { FACT_PREEMPTION_CHANGED, "PREEMPTION_CHANGED", "gang" },
        { FACT_CONFIGURATION_CHANGED, "CONFIGURATION_CHANGED",
                        "pass gang gang-anew reservations accrual-anew step-ports" },
        { FACT_NODES_RENUMBERED, "NODES_RENUMBERED", "pass gang reservations" },
        { FACT_STATE_RESTORED, "STATE_RESTORED", "pass gang gang-anew het" },
        { FACT_CLOCK_SET, "CLOCK_SET", "pass plan-anew accrual-anew" },
        { FACT_JOB_BEGINS, "JOB_BEGINS", "pass reasons plan-retry" },
        { FACT_PASS_DUE, "PASS_DUE", "pass" },
        { FACT_PASS_CUT, "PASS_CUT", "reasons" },
        { FACT_PLAN_MOVED, "PLAN_MOVED", "pass" },
        { FACT_SLICE_OVER, "SLICE_OVER", "gang" },
        { FACT_NODE_LOST, "NODE_LOST", "lost-nodes" },
        { FACT_PLACE_LEFT, "PLACE_LEFT", "pass reasons plan-anew places" },
        { FACT_HET_LEFT, "HET_LEFT", "het" },
};
_Static_assert(ELEMENTSOF(facts) == FACT_COUNT, "a fact that is not tested");

static struct config *make_config(const char *more) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nLicenses=l:2\n"
                        "%sNodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n",
                        more);
        struct config *config = NULL;
        struct fail fail = { 0 };

        if (config_parse("test.conf", text, strlen(text), &config, &fail) < 0)
                fail_msg("%s", fail.text);
        return config;
}

static struct job *submit(struct cluster *c) {
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .batch = true,
                .min_nodes = 2,
                .max_nodes = 2,
                .share = SHARE_NO };
        const struct submitter by = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        struct job *j = NULL;

        assert_int_equal(job_admit(c, &spec, &by, T0, &j, NULL), SLUMBER_OK);
        turn(c, T0);
        return j;
}

/* One job runs, one waits for it, and nothing is due. */
static struct cluster *make_cluster(const char *more) {
        struct registration reg = { .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0 };
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        assert_int_equal(cluster_new(make_config(more), T0, &c, &fail), 0);
        for (size_t i = 0; i < c->n_nodes; i++)
                assert_int_equal(node_register(c, c->nodes[i], &reg, T0, NULL), 0);
        turn(c, T0);
        assert_int_equal(submit(c)->state, JOB_RUNNING);
        assert_int_equal(submit(c)->state, JOB_PENDING);
        assert_false(follows(c, ~LEFT));
        (void)follows_take(c, LEFT);
        return c;
}

static bool is_due(struct cluster *c, size_t at) {
        return follows(c, 1u << at);
}

/* Whether the word stands in text, behind what condition. */
static bool is_said(const char *text, const char *word, bool limits, bool preempts) {
        _cleanup_free_ char *copy = xstrdup(text);
        bool holds = true;

        for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
                if (*w == '+')
                        holds = streq(w, "+limits") ? limits : preempts;
                else if (streq(w, word))
                        return holds;
        }
        return false;
}

static void forget_nodes(struct cluster *c) {
        for (size_t k = 0; k < ELEMENTSOF(node_words); k++)
                follows_nodes_done(c, node_words[k].what);
}

/* n2, and no other. */
static bool is_noted(const struct cluster *c, enum follow what) {
        const struct bitset *nodes = follows_nodes(c, what);

        assert_true(bitset_count(nodes) <= 1);
        return bitset_has(nodes, 1);
}

static void walk(const char *more, bool limits, bool preempts) {
        struct cluster *c = make_cluster(more);

        /* now that its jobs, which have no association, are there */
        c->config->enforce |= limits ? ENFORCE_LIMITS : 0;
        for (size_t i = 0; i < FACT_COUNT; i++) {
                assert_int_equal(facts[i].fact, i);
                forget_nodes(c);
                (void)follows_take(c, LEFT);
                note_node(c, facts[i].fact, c->nodes[1]);
                for (size_t k = 0; k < ELEMENTSOF(node_words); k++)
                        if (is_noted(c, node_words[k].what) !=
                                        is_said(facts[i].follows, node_words[k].word, false, false))
                                fail_msg("%s: %s of node", facts[i].name, node_words[k].word);
                for (size_t k = 0; k < ELEMENTSOF(follow_words); k++)
                        if (is_due(c, k) != is_said(facts[i].follows, follow_words[k], limits,
                                                            preempts))
                                fail_msg("%s: %s is %sdue", facts[i].name, follow_words[k],
                                                is_due(c, k) ? "" : "not ");
                /* one without a word here */
                assert_false(follows(c, ~0u << ELEMENTSOF(follow_words)));
                bool pass = is_due(c, 0);
                uint64_t passes = c->counts.passes;
                turn(c, T0);
                assert_int_equal(c->counts.passes > passes, pass);
                note(c, FACT_PASS_DUE); /* what waits for a pass is taken with it */
                turn(c, T0);
                if (follows(c, ~LEFT) || is_noted(c, FOLLOW_LAUNCH) ||
                                is_noted(c, FOLLOW_PLAN_NODES))
                        fail_msg("%s: a turn leaves something that is due", facts[i].name);
        }
        cluster_free(c);
}

static void every_fact_has_its_consequences(void **state) {
        (void)state;
        walk("", false, false);
        walk("", true, false);
        walk("PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\n", false, true);
}

static void consequences_are_taken_once(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("");

        (void)state;
        note(c, FACT_NODE_FREED);
        note(c, FACT_NODE_FREED);
        assert_true(follows_take(c, FOLLOW_PASS));
        assert_false(follows_take(c, FOLLOW_PASS));
        assert_true(follows_take(c, FOLLOW_PASS | FOLLOW_GANG)); /* of several: one of them is */
        assert_false(follows(c, ~0u));
}

static void what_is_ignored_does_not_follow_from_what_is_noted_then(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("");

        (void)state;
        follows_ignore(c, FOLLOW_PASS);
        note(c, FACT_NODE_FREED);
        assert_true(follows(c, FOLLOW_GANG));
        assert_false(follows(c, FOLLOW_PASS));
        follows_heed(c);
        assert_false(follows(c, FOLLOW_PASS));
        note(c, FACT_QUEUE_CHANGED);
        follows_ignore(c, FOLLOW_PASS); /* what was noted before is still due */
        follows_heed(c);
        assert_true(follows(c, FOLLOW_PASS));
}

static void another_configuration_is_a_fact_like_others(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("");

        (void)state;
        assert_int_equal(cluster_reconfigure(c, make_config(""), T0, NULL), 0);
        assert_true(follows(c, FOLLOW_PASS) && follows(c, FOLLOW_GANG_ANEW));
        turn(c, T0);
        assert_false(follows(c, ~LEFT));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_fact_has_its_consequences),
                cmocka_unit_test(consequences_are_taken_once),
                cmocka_unit_test(what_is_ignored_does_not_follow_from_what_is_noted_then),
                cmocka_unit_test(another_configuration_is_a_fact_like_others),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
