/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which messages an agent may send: before it has registered, afterwards, and never. */
#include "tests/unit/test.h"

#include "controller/agents/agents.h"
#include "controller/loop/controller.h"
#include "controller/requests/requests.h"

static void before_registration_only_that(void **state) {
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;

        for (unsigned i = 0; i < d->n_fields; i++) {
                assert_int_equal(agent_may_send(d->fields[i].id, false),
                                streq(d->fields[i].name, "register_node"));
        }
}

/* A command's request comes through an agent with the caller's identity; from the agent itself it
   is refused. */
static void requests_of_commands_are_no_agents(void **state) {
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;
        size_t n_requests = 0;

        for (unsigned i = 0; i < d->n_fields; i++) {
                const char *rpc;
                unsigned number;
                bool of_agents = agent_may_send(d->fields[i].id, true),
                     is_request = request_name(d->fields[i].id, &rpc, &number);

                n_requests += is_request;
                assert_int_equal(of_agents,
                                agent_message_name(d->fields[i].id, &rpc, &number) != NULL);
                if (of_agents && is_request)
                        assert_string_equal(d->fields[i].name, "step_io");
        }
        assert_true(n_requests > 30);
        assert_false(agent_may_send(SLUMBER__ENVELOPE__BODY_SHUTDOWN, true));
        assert_false(agent_may_send(SLUMBER__ENVELOPE__BODY__NOT_SET, true));
        assert_false(agent_may_send(UINT32_MAX, true));
}

/* A registration has another name in sdiag than a request, and no number stands for two
   messages. */
static void each_is_counted_by_one_number(void **state) {
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;
        unsigned seen[64];
        size_t n = 0;

        for (unsigned i = 0; i < d->n_fields; i++) {
                const char *rpc = NULL;
                unsigned number = 0;

                (void)request_name(d->fields[i].id, &rpc, &number);
                if (!rpc)
                        (void)agent_message_name(d->fields[i].id, &rpc, &number);
                number = rpc ? number : 0;

                for (size_t k = 0; number && k < n; k++)
                        assert_int_not_equal(number, seen[k]);
                if (number)
                        seen[n++] = number;
                assert_true(n < ELEMENTSOF(seen));
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(before_registration_only_that),
                cmocka_unit_test(requests_of_commands_are_no_agents),
                cmocka_unit_test(each_is_counted_by_one_number),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
