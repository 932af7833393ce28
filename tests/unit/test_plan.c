/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What power saving would do, as text: when, what, which nodes, why. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/jobs/job_events.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/veto.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "sim/plan.h"

#define T0 (1700000000 * USEC_PER_SEC)
#define S  USEC_PER_SEC

#define PROGRAMS "SuspendProgram=/bin/true\nResumeProgram=/bin/true\n"
#define QUICK                                                                                      \
        PROGRAMS "SuspendTime=300\nSuspendRate=0\nResumeRate=0\nSuspendTimeout=30\nResumeTimeout=120\n"
#define NODES                                                                                      \
        "NodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=n[3-4]\n"

/* All nodes that are not CLOUD are up and have been idle since T0. */
static struct cluster *make(const char *settings) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n%s",
                        settings);
        struct registration reg = { .version = "1",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0 };
        struct cluster *c = cluster_of(text, T0);

        for (size_t i = 0; i < c->n_nodes; i++)
                if (c->nodes[i]->power == NODE_ON)
                        assert_int_equal(node_register(c, c->nodes[i], &reg, T0, NULL), 0);
        turn(c, T0);
        effects_done(&c->effects);
        return c;
}

static struct job *begin(struct cluster *c, uint32_t nodes, usec_t limit) {
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .share = SHARE_NO,
                .time_limit = limit };
        struct submitter submitter = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        struct job *j = NULL;

        assert_int_equal(job_admit(c, &spec, &submitter, T0, &j, NULL), SLUMBER_OK);
        turn(c, T0);
        effects_done(&c->effects);
        return j;
}

static struct job *submit(struct cluster *c, uint32_t nodes, usec_t limit) {
        struct job *j = begin(c, nodes, limit);

        if (j->state == JOB_RUNNING && !j->configuring)
                job_launched(c, j, NULL, T0);
        return j;
}

static void append(char **text, char *more) {
        char *all = xasprintf("%s%s", *text, more);

        free(*text);
        free(more);
        *text = all;
}

static char *plan_text(const struct plan *p) {
        char *text = xstrdup("");

        if (p->off_because)
                append(&text, xasprintf("off: %s\n", p->off_because));
        for (size_t i = 0; i < p->n_lines; i++) {
                const struct plan_line *l = &p->lines[i];
                append(&text, xasprintf("%llu-%llu %s %s (%s)\n",
                                              (unsigned long long)((l->from - T0) / S),
                                              (unsigned long long)((l->until - T0) / S),
                                              plan_action_text((int)l->action), l->nodes, l->why));
        }
        for (size_t i = 0; i < p->n_awake; i++)
                append(&text, xasprintf("stays %s: %s\n", p->awake[i].nodes, p->awake[i].why));
        append(&text, xasprintf("%zu->%zu on, %llu s, off %zu, on %zu, failed %zu\n",
                                      p->totals.on_start, p->totals.on_end,
                                      (unsigned long long)(p->totals.on / S), p->totals.suspends,
                                      p->totals.resumes, p->totals.failures));
        return text;
}

/* With settings "KEY", "VALUE", ..., NULL; from now for an hour. */
static void tells(struct cluster *c, usec_t now, const char *const *words, const char *wanted) {
        struct what_if settings[8];
        struct plan_request req = { .horizon = 3600 * S, .settings = settings };
        struct plan plan;
        struct fail fail = { 0 };

        for (; words && *words; words += 2)
                settings[req.n_settings++] = (struct what_if){ words[0], words[1] };
        if (plan_make(c, &req, now, &plan, &fail) < 0)
                fail_msg("%s", fail.text);
        _cleanup_free_ char *text = plan_text(&plan);
        assert_string_equal(text, wanted);
        plan_done(&plan);
}
#define WITH(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void idle_nodes_sleep_after_suspend_time(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);

        tells(c, T0 + 100 * S, NULL,
                        "300-300 suspend n[1-4] (idle 300 s)\n"
                        "4->0 on, 920 s, off 4, on 0, failed 0\n");
}

/* Nodes that registered at once have done so some milliseconds apart. */
static void one_second_is_one_line(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);

        (void)state;
        for (size_t i = 0; i < 4; i++)
                c->nodes[i]->last_busy += i * 300 * USEC_PER_MSEC;
        tells(c, T0 + 10 * S, NULL,
                        "300-300 suspend n[1-4] (idle 300 s)\n4->0 on, 1281 s, off 4, on 0, failed 0\n");
}

static void a_longer_time_and_exceptions_keep_them_up(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);

        tells(c, T0 + 100 * S,
                        WITH("SuspendTime", "1000", "SuspendExcNodes", "n1", "q.SuspendTime",
                                        "INFINITE"),
                        "1000-1000 suspend n2 (idle 1000 s)\n"
                        "stays n1: SuspendExcNodes\n"
                        "stays n[3-4]: SuspendTime=INFINITE of partition q\n"
                        "4->3 on, 11730 s, off 1, on 0, failed 0\n");
}

static void veto_keeps_nodes_up(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);

        node_set_veto(c, c->nodes[0], "backup", T0);
        node_set_veto(c, c->nodes[1], "backup", T0);
        assert_int_equal(node_admin(c, c->nodes[1], "POWER_DOWN", NULL, 0, T0), SLUMBER_OK);
        tells(c, T0 + 100 * S, NULL,
                        "300-300 suspend n[3-4] (idle 300 s)\n"
                        "stays n[1-2]: a veto of its agent: backup\n"
                        "4->2 on, 7660 s, off 2, on 0, failed 0\n");
}

static void a_rate_draws_a_decision_out(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);

        tells(c, T0 + 1000 * S, WITH("SuspendRate", "4"),
                        "1015-1060 suspend n[1-4] (idle 300 s)\n"
                        "4->0 on, 270 s, off 4, on 0, failed 0\n");
}

static void what_is_off_says_why_and_can_be_tried(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(PROGRAMS "SuspendRate=60\n" NODES);
        _cleanup_(cluster_freep) struct cluster *again = make(PROGRAMS "SuspendRate=60\n" NODES);

        tells(c, T0 + 5000 * S, NULL,
                        "off: no SuspendTime, globally or for a partition or node\n"
                        "stays n[1-4]: power saving is off\n"
                        "4->4 on, 14400 s, off 0, on 0, failed 0\n");
        tells(again, T0 + 5000 * S, WITH("SuspendTime", "600", "SuspendRate", "6"),
                        "5010-5040 suspend n[1-4] (idle 600 s)\n"
                        "4->0 on, 220 s, off 4, on 0, failed 0\n");
}

static void jobs_end_at_limits_and_wake_nodes(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK
                        "NodeName=n[1-2] CPUs=4\nNodeName=c1 CPUs=4 State=CLOUD\n"
                        "PartitionName=p Nodes=n[1-2] Default=YES\nPartitionName=q Nodes=n2,c1\n");

        assert_int_equal(submit(c, 1, 600 * S)->state, JOB_RUNNING);
        assert_int_equal(submit(c, 1, 7200 * S)->state, JOB_RUNNING);
        assert_int_equal(submit(c, 2, 60 * S)->state, JOB_PENDING);
        submit(c, 1, NO_LIMIT);
        tells(c, T0, NULL,
                        "900-900 suspend n1 (idle 300 s)\n"
                        "stays n2: runs jobs\n"
                        "2->1 on, 4530 s, off 1, on 0, failed 0\n");
}

static void a_job_wakes_its_nodes(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(
                        QUICK "NodeName=c[1-3] CPUs=4 State=CLOUD\n"
                              "PartitionName=p Nodes=ALL Default=YES\n");
        _cleanup_(cluster_freep) struct cluster *slow = make(
                        QUICK "NodeName=c[1-3] CPUs=4 State=CLOUD\n"
                              "PartitionName=p Nodes=ALL Default=YES\n");

        submit(c, 1, 600 * S); /* boots already */
        c->nodes[0]->boot_took = 50 * S;
        assert_true(c->nodes[0]->power == NODE_POWERING_UP);
        /* the second one waits for the plan's first moment */
        c->partitions[0]->state = PARTITION_DOWN;
        submit(c, 2, 600 * S);
        c->partitions[0]->state = PARTITION_UP;
        note(c, FACT_PASS_DUE);
        tells(c, T0 + 10 * S, NULL,
                        "10-10 resume c[2-3] (for job 2)\n"
                        "950-950 suspend c1 (idle 300 s)\n"
                        "1030-1030 suspend c[2-3] (idle 300 s)\n"
                        "1->0 on, 3070 s, off 3, on 2, failed 0\n");
        slow->nodes[0]->boot_took = slow->nodes[1]->boot_took = slow->nodes[2]->boot_took = 50 * S;
        slow->partitions[0]->state = PARTITION_DOWN;
        submit(slow, 2, 600 * S);
        slow->partitions[0]->state = PARTITION_UP;
        note(slow, FACT_PASS_DUE);
        tells(slow, T0, WITH("ResumeTimeout", "40"),
                        "0-0 resume c[1-2] (for job 1)\n"
                        "40-40 resume-fail c[1-2] (ResumeTimeout 40 s reached)\n"
                        "0->0 on, 80 s, off 0, on 2, failed 2\n");
}

/* The agent has not said yet that the script runs. */
static void a_job_that_is_being_launched_runs(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);

        begin(c, 4, 600 * S);
        tells(c, T0, NULL,
                        "900-900 suspend n[1-4] (idle 300 s)\n"
                        "4->0 on, 3720 s, off 4, on 0, failed 0\n");
}

static void only_the_nodes_asked_for_are_told_of(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);
        struct plan_request req = { .horizon = 3600 * S };
        struct plan plan;
        struct fail fail = { 0 };

        _cleanup_(bitset_freep) struct bitset *nodes = req.nodes = bitset_new(c->n_nodes);
        bitset_add(nodes, 2);
        assert_int_equal(plan_make(c, &req, T0, &plan, &fail), 0);
        _cleanup_free_ char *text = plan_text(&plan);
        assert_string_equal(text,
                        "300-300 suspend n3 (idle 300 s)\n1->0 on, 330 s, off 1, on 0, failed 0\n");
        plan_done(&plan);
}

static void refuses(const char *key, const char *value, const char *why) {
        _cleanup_(cluster_freep) struct cluster *c = make(QUICK NODES);
        struct what_if setting = { key, value };
        struct plan_request req = { .horizon = 3600 * S, .settings = &setting, .n_settings = 1 };
        struct plan plan = { 0 };
        struct fail fail = { 0 };

        assert_true(plan_make(c, &req, T0, &plan, &fail) < 0);
        assert_string_equal(fail.text, why);
        plan_done(&plan);
}

static void a_setting_that_cannot_be_is_refused(void **state) {
        refuses("SuspendTim", "5",
                        "\"SuspendTim\" is not a setting of power saving; expected one of SuspendTime, SuspendTimeout, "
                        "ResumeTimeout, SuspendRate, ResumeRate, SuspendProgram, ResumeProgram, power_save_interval, "
                        "power_save_min_interval, max_powered_nodes, idle_on_node_suspend, SuspendExcNodes, "
                        "SuspendExcParts, SuspendExcStates, PARTITION.SuspendTime, PARTITION.SuspendTimeout, "
                        "PARTITION.ResumeTimeout, PARTITION.PowerDownOnIdle");
        refuses("SuspendTime", "soon", "SuspendTime: \"soon\" is not a number of seconds");
        refuses("SuspendRate", "70000", "SuspendRate: 70000 is not between 0 and 60000");
        refuses("SuspendProgram", "bin/true", "SuspendProgram: bin/true is not an absolute path");
        refuses("SuspendExcNodes", "x9", "SuspendExcNodes: there is no node \"x9\"");
        refuses("SuspendExcStates", "TIRED",
                        "SuspendExcStates: \"TIRED\" is not a state of a node");
        refuses("max_powered_nodes", "few",
                        "max_powered_nodes: SlurmctldParameters: max_powered_nodes=few: a whole number up to 4294967294 was expected");
        refuses("idle_on_node_suspend", "maybe",
                        "idle_on_node_suspend: \"maybe\" is neither yes nor no");
        refuses("nope.SuspendTime", "5", "nope.SuspendTime: there is no partition \"nope\"");
        refuses("p.SuspendRate", "5",
                        "p.SuspendRate: \"SuspendRate\" is not a setting of power saving; expected one of SuspendTime, SuspendTimeout, ResumeTimeout, PowerDownOnIdle");
        refuses("p.PowerDownOnIdle", "perhaps",
                        "p.PowerDownOnIdle: \"perhaps\" is neither YES nor NO");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(idle_nodes_sleep_after_suspend_time),
                cmocka_unit_test(one_second_is_one_line),
                cmocka_unit_test(a_longer_time_and_exceptions_keep_them_up),
                cmocka_unit_test(veto_keeps_nodes_up),
                cmocka_unit_test(a_rate_draws_a_decision_out),
                cmocka_unit_test(what_is_off_says_why_and_can_be_tried),
                cmocka_unit_test(jobs_end_at_limits_and_wake_nodes),
                cmocka_unit_test(a_job_wakes_its_nodes),
                cmocka_unit_test(a_job_that_is_being_launched_runs),
                cmocka_unit_test(only_the_nodes_asked_for_are_told_of),
                cmocka_unit_test(a_setting_that_cannot_be_is_refused),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
