/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The priority of slumberd while output of steps passes: real-time, but not while there is much of
 * it, and at once where the controller says something. */
#include "agent/common/realtime.h"
#include "agent/state/agent.h"
#include "agent/streams/bulk.h"
#include "lib/conn/conn.h"
#include "tests/unit/test.h"

#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#define MUCH ((size_t)4 << 20)

static struct agent agent;
static int controller = -1; /* its end of the connection */

static void closed(struct conn *c, int r, const char *why, void *user) {
        (void)c, (void)r, (void)why, (void)user;
}

static void heard(struct conn *c, Envelope *env, void *user) {
        (void)c, (void)env, (void)user;
}

static const struct conn_ops ops = { .message = heard, .closed = closed };

static bool is_realtime(void) {
        return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_RR;
}

static int begin(void **state) {
        int ends[2];

        (void)state;
        assert_int_equal(sd_event_new(&agent.event), 0);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends),
                        0);
        controller = ends[1];
        assert_int_equal(conn_adopt(agent.event, ends[0], &ops, NULL, &agent.controller), 0);
        (void)realtime_take(0);
        assert_int_equal(bulk_new(&agent), 0);
        return 0;
}

static int end(void **state) {
        (void)state;
        agent.bulk = bulk_free(agent.bulk);
        realtime_give(0);
        if (agent.controller)
                conn_close(TAKE(agent.controller));
        sd_event_unref(TAKE(agent.event));
        (void)close(controller);
        return 0;
}

static void little_output_leaves_the_priority(void **state) {
        (void)state;
        if (!is_realtime())
                skip();
        for (int i = 0; i < 20; i++)
                bulk_moved(&agent, 1000);
        assert_true(is_realtime());
}

static void much_output_takes_it_until_it_is_over(void **state) {
        (void)state;
        if (!is_realtime())
                skip();
        for (int i = 0; i < 3; i++) /* the first one may end a window */
                bulk_moved(&agent, MUCH);
        assert_false(is_realtime());
        while (!is_realtime())
                assert_true(sd_event_run(agent.event, UINT64_MAX) >= 0);
}

static void controller_brings_it_back(void **state) {
        const usec_t until = now_monotonic() + 60 * USEC_PER_SEC;

        (void)state;
        if (!is_realtime())
                skip();
        for (int i = 0; i < 3; i++)
                bulk_moved(&agent, MUCH);
        assert_false(is_realtime());
        assert_int_equal(send(controller, "x", 1, 0), 1);
        while (!is_realtime() && now_monotonic() < until)
                (void)sched_yield();
        assert_true(is_realtime()); /* though this thread's loop has not run */
}

static void lost_controller_is_no_fault(void **state) {
        (void)state;
        if (!is_realtime())
                skip();
        conn_close(TAKE(agent.controller));
        for (int i = 0; i < 3; i++)
                bulk_moved(&agent, MUCH);
        assert_false(is_realtime());
        while (!is_realtime())
                assert_true(sd_event_run(agent.event, UINT64_MAX) >= 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(little_output_leaves_the_priority, begin, end),
                cmocka_unit_test_setup_teardown(much_output_takes_it_until_it_is_over, begin, end),
                cmocka_unit_test_setup_teardown(controller_brings_it_back, begin, end),
                cmocka_unit_test_setup_teardown(lost_controller_is_no_fault, begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
