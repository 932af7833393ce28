/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that never come, or come too early: SlurmdTimeout before the first registration,
   SuspendTimeout of a partition. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/nodes/node_events.h"
#include "controller/power_save/why.h"
#include "controller/records/record.h"
#include "controller/turn/turn.h"

#define T0 (1700000000 * USEC_PER_SEC)

static struct cluster *make_cluster(const char *settings) {
        _cleanup_free_ char *text = xasprintf("ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n%s"
                                              "NodeName=n1 CPUs=4\nNodeName=n2 CPUs=4\n"
                                              "PartitionName=p Nodes=n1 Default=YES\n"
                                              "PartitionName=slow Nodes=n2 SuspendTimeout=600\n",
                        settings);
        struct cluster *c = cluster_of(text, T0);

        turn(c, T0);
        return c;
}

static int enroll(struct cluster *c, size_t node, usec_t boot, usec_t now) {
        struct registration reg = { .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = boot,
                .start_time = boot };
        int r = node_register(c, c->nodes[node], &reg, now, NULL);

        turn(c, now);
        return r;
}

static void assert_state(const struct cluster *c, size_t node, const char *state) {
        _cleanup_free_ char *text = node_state_text(c->nodes[node]);

        assert_string_equal(text, state);
}

static void one_that_never_comes_is_down_and_trusted_when_it_comes(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(
                        "SlurmdTimeout=100\nReturnToService=1\n");

        (void)state;
        assert_int_equal(enroll(c, 0, T0, T0 + USEC_PER_SEC), 0);
        turn(c, T0 + 99 * USEC_PER_SEC);
        assert_state(c, 1, "UNKNOWN");
        assert_true(cluster_next_deadline(c) == T0 + 100 * USEC_PER_SEC);
        struct why why;
        why_init_phase(&why, c, c->nodes[1], T0 + 99 * USEC_PER_SEC);
        assert_string_equal(why.phase, "silent");
        assert_true(why.until == T0 + 100 * USEC_PER_SEC);
        turn(c, T0 + 100 * USEC_PER_SEC);
        assert_state(c, 0, "IDLE");
        assert_state(c, 1, "DOWN+NOT_RESPONDING");
        assert_string_equal(c->nodes[1]->reason, "Not responding");
        assert_int_equal(enroll(c, 1, T0 + 150 * USEC_PER_SEC, T0 + 200 * USEC_PER_SEC), 0);
        assert_state(c, 1, "IDLE");
        assert_null(c->nodes[1]->reason);
}

static void one_that_reboots_while_it_is_lost_is_not_trusted(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(
                        "SlurmdTimeout=100\nReturnToService=1\n");

        (void)state;
        assert_int_equal(enroll(c, 1, T0, T0 + USEC_PER_SEC), 0);
        node_lost(c, c->nodes[1], 0, T0 + 2 * USEC_PER_SEC);
        turn(c, T0 + 102 * USEC_PER_SEC);
        assert_state(c, 1, "DOWN+NOT_RESPONDING");
        assert_int_equal(enroll(c, 1, T0 + 150 * USEC_PER_SEC, T0 + 200 * USEC_PER_SEC), 0);
        assert_state(c, 1, "DOWN");
}

static void a_silent_one_is_down_after_its_last_word(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(
                        "SlurmdTimeout=100\nReturnToService=1\n");

        (void)state;
        assert_int_equal(enroll(c, 1, T0, T0 + USEC_PER_SEC), 0);
        node_lost(c, c->nodes[1], 70 * USEC_PER_SEC, T0 + 71 * USEC_PER_SEC);
        turn(c, T0 + 100 * USEC_PER_SEC);
        assert_state(c, 1, "IDLE+NOT_RESPONDING");
        turn(c, T0 + 101 * USEC_PER_SEC);
        assert_state(c, 1, "DOWN+NOT_RESPONDING");
}

static void a_slurmd_timeout_of_0_waits_for_ever(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("SlurmdTimeout=0\n");

        (void)state;
        assert_int_equal(enroll(c, 0, T0, T0 + USEC_PER_SEC), 0);
        node_lost(c, c->nodes[0], 0, T0 + 2 * USEC_PER_SEC);
        assert_true(cluster_next_deadline(c) == USEC_INFINITY);
        turn(c, T0 + 1000000 * USEC_PER_SEC);
        assert_state(c, 0, "IDLE+NOT_RESPONDING");
        assert_state(c, 1, "UNKNOWN");
}

static void a_restart_gives_it_its_time_again(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("SlurmdTimeout=100\n"),
                                                *again = make_cluster("SlurmdTimeout=100\n");
        struct node_message m;

        (void)state;
        node_message_init(&m, c, c->nodes[1]);
        node_restore(again, &m.node, T0 + 90 * USEC_PER_SEC);
        node_message_done(&m);
        turn(again, T0 + 189 * USEC_PER_SEC);
        assert_state(again, 1, "UNKNOWN");
        turn(again, T0 + 190 * USEC_PER_SEC);
        assert_state(again, 1, "DOWN+NOT_RESPONDING");
}

/* n2 takes up to 600s to switch off: what registers 60s after its SuspendProgram ran is still the
   old boot's. */
static void its_own_partition_says_when_a_boot_is_a_new_one(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(
                        "SuspendProgram=/bin/true\nResumeProgram=/bin/true\n"
                        "SuspendTime=300\nSuspendTimeout=30\n");
        usec_t off = T0 + 100 * USEC_PER_SEC;

        (void)state;
        for (size_t i = 0; i < 2; i++) {
                assert_int_equal(enroll(c, i, T0, T0 + USEC_PER_SEC), 0);
                assert_int_equal(node_admin(c, c->nodes[i], "POWER_DOWN", NULL, 0, off),
                                SLUMBER_OK);
        }
        turn(c, off);
        assert_int_equal(c->nodes[1]->power, NODE_POWERING_DOWN);
        assert_int_equal(enroll(c, 1, off + 60 * USEC_PER_SEC, off + 70 * USEC_PER_SEC), -EAGAIN);
        assert_int_equal(enroll(c, 0, off + 60 * USEC_PER_SEC, off + 70 * USEC_PER_SEC), 0);
        assert_int_equal(c->nodes[0]->power, NODE_ON);
}

static void one_that_has_never_come_may_be_resumed(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("SlurmdTimeout=100\n");

        (void)state;
        assert_int_equal(node_admin(c, c->nodes[1], "RESUME", NULL, 0, T0), SLUMBER_OK);
        assert_state(c, 1, "UNKNOWN");
        assert_int_equal(enroll(c, 1, T0, T0 + USEC_PER_SEC), 0);
        assert_state(c, 1, "IDLE");
        assert_int_equal(node_admin(c, c->nodes[1], "RESUME", NULL, 0, T0 + 2 * USEC_PER_SEC),
                        SLUMBER_BAD_NODE_STATE);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(one_that_has_never_come_may_be_resumed),
                cmocka_unit_test(one_that_never_comes_is_down_and_trusted_when_it_comes),
                cmocka_unit_test(one_that_reboots_while_it_is_lost_is_not_trusted),
                cmocka_unit_test(a_silent_one_is_down_after_its_last_word),
                cmocka_unit_test(a_slurmd_timeout_of_0_waits_for_ever),
                cmocka_unit_test(a_restart_gives_it_its_time_again),
                cmocka_unit_test(its_own_partition_says_when_a_boot_is_a_new_one),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
