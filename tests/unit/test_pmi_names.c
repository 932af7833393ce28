/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that tasks publish over two nodes: each question has one answer, whatever the first node
   does. */
#include "tests/unit/test.h"

#include "agent/step/mpi/exchange.h"
#include "agent/step/mpi/pmi_names.h"

#define T0 (1000 * USEC_PER_SEC)

static struct node {
        struct step s;
        void (*hook)(struct step *s, uint32_t from, const uint8_t *data, size_t size, void *user);
        struct packet {
                uint8_t *data;
                size_t size;
        } sent[8];
        size_t n_sent;
} nodes[2];
static int send_error;
static size_t n_answers, n_complaints;
static struct pmi_name last; /* thread and port are compared when it comes */
static char last_port[32], last_thread[32];

/* ---- what names have around them ---- */

static struct node *node_of(const struct step *s) {
        return (struct node *)(uintptr_t)s;
}

uint32_t exchange_nodes(const struct step *s) {
        return ELEMENTSOF(nodes);
}

uint32_t exchange_node(const struct step *s) {
        return (uint32_t)(node_of(s) - nodes);
}

void exchange_hook(struct step *s, enum exchange_kind kind,
                void (*received)(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                                void *user),
                void *user) {
        assert_int_equal(kind, EXCHANGE_NAMES);
        node_of(s)->hook = received;
}

int exchange_send(struct step *s, uint32_t node, enum exchange_kind kind, const void *data,
                size_t size) {
        struct node *n = node_of(s);

        assert_int_equal(node, 1 - exchange_node(s));
        if (send_error)
                return send_error;
        assert_true(n->n_sent < ELEMENTSOF(n->sent));
        n->sent[n->n_sent].data = xmalloc(size);
        memcpy(n->sent[n->n_sent].data, data, size);
        n->sent[n->n_sent++].size = size;
        return 0;
}

void step_complain(struct step *s, const char *format, ...) {
        n_complaints++;
}

void pmi_name_answered(struct step *s, const struct pmi_name *n) {
        assert_ptr_equal(s, &nodes[1].s);
        last = *n;
        snprintf(last_port, sizeof last_port, "%s", strempty(n->port));
        snprintf(last_thread, sizeof last_thread, "%s", strempty(n->thread));
        n_answers++;
}

void pmix_name_answered(struct step *s, const struct pmi_name *n) {
        assert_int_equal(n->task, PMI_NAME_OF_PMIX);
        pmi_name_answered(s, n);
}

/* ---- the two nodes ---- */

static void begin(void) {
        memset(nodes, 0, sizeof nodes);
        n_answers = n_complaints = 0;
        send_error = 0;
        for (size_t i = 0; i < ELEMENTSOF(nodes); i++)
                pmi_names_begin(&nodes[i].s);
}

static void end(void) {
        for (size_t i = 0; i < ELEMENTSOF(nodes); i++) {
                pmi_names_done(&nodes[i].s);
                while (nodes[i].n_sent)
                        free(nodes[i].sent[--nodes[i].n_sent].data);
        }
}

/* All that a node has sent comes to the other one. */
static void deliver(size_t from) {
        struct node *n = &nodes[from], *to = &nodes[1 - from];

        for (size_t i = 0; i < n->n_sent; i++) {
                to->hook(&to->s, (uint32_t)from, n->sent[i].data, n->sent[i].size, NULL);
                free(n->sent[i].data);
        }
        n->n_sent = 0;
}

static void ask(enum pmi_name_act act, uint32_t task, usec_t now) {
        const struct pmi_name n = { .act = act,
                .task = task,
                .begun = 7,
                .thread = "t1",
                .name = "a-name",
                .port = act == PMI_NAME_PUBLISH ? "a-port" : NULL };

        pmi_name_ask(&nodes[1].s, &n, now);
}

static void is_answered(size_t number, enum pmi_name_act act, uint32_t task, bool done) {
        assert_int_equal(n_answers, number);
        assert_int_equal(last.act, act);
        assert_int_equal(last.task, task);
        assert_int_equal(last.begun, 7);
        assert_int_equal(last.done, done);
        assert_string_equal(last_thread, "t1");
}

static void the_first_node_answers(void **state) {
        begin();
        ask(PMI_NAME_PUBLISH, 3, T0);
        ask(PMI_NAME_LOOKUP, 4, T0);
        assert_int_equal(n_answers, 0);
        deliver(1);
        deliver(0);
        is_answered(2, PMI_NAME_LOOKUP, 4, true);
        assert_string_equal(last_port, "a-port");
        assert_int_equal(pmi_names_patience(&nodes[1].s, T0), -1);
        pmi_names_go_on(&nodes[1].s, T0 + 2 * PMI_NAME_WAIT);
        assert_int_equal(n_answers, 2);
        end();
}

/* Its step daemon is of a build without names, or its tasks are over. */
static void a_first_node_that_does_not_answer_is_a_no(void **state) {
        begin();
        ask(PMI_NAME_LOOKUP, 3, T0);
        ask(PMI_NAME_PUBLISH, 4, T0 + USEC_PER_SEC);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT - 1);
        assert_int_equal(n_answers, 0);
        assert_in_range(pmi_names_patience(&nodes[1].s, T0 + PMI_NAME_WAIT - USEC_PER_SEC), 1000,
                        1001);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT);
        is_answered(1, PMI_NAME_LOOKUP, 3, false);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT + USEC_PER_SEC);
        is_answered(2, PMI_NAME_PUBLISH, 4, false);
        assert_int_equal(n_complaints, 1);
        deliver(1); /* it was late */
        deliver(0);
        assert_int_equal(n_answers, 2);
        end();
}

static void what_cannot_be_sent_is_a_no(void **state) {
        begin();
        send_error = -ENOBUFS;
        ask(PMI_NAME_LOOKUP, 3, T0);
        is_answered(1, PMI_NAME_LOOKUP, 3, false);
        send_error = 0;
        ask(PMI_NAME_LOOKUP, 4, T0);
        send_error = -ENOBUFS; /* its answer */
        deliver(1);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT);
        is_answered(2, PMI_NAME_LOOKUP, 4, false);
        end();
}

static void by_pmix_a_name_is_published_once(void **state) {
        begin();
        ask(PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, T0);
        deliver(1);
        deliver(0);
        is_answered(1, PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, true);
        assert_string_equal(last_port, "");
        ask(PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, T0);
        deliver(1);
        deliver(0);
        is_answered(2, PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, false);
        assert_string_equal(last_port, PMI_NAME_THERE);
        ask(PMI_NAME_PUBLISH, 3, T0); /* by PMI its value changes */
        deliver(1);
        deliver(0);
        is_answered(3, PMI_NAME_PUBLISH, 3, true);
        end();
}

/* Publishes or looks up; what was sent before comes first. */
static bool is_done(enum pmi_name_act act, uint32_t task) {
        ask(act, task, T0);
        deliver(1);
        deliver(0);
        assert_int_equal(last.act, act);
        assert_int_equal(last.task, task);
        return last.done;
}

/* The task was told that it is not published. */
static void what_is_published_too_late_is_taken_back(void **state) {
        begin();
        ask(PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, T0);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT);
        is_answered(1, PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, false);
        assert_false(is_done(PMI_NAME_LOOKUP, 3));
        assert_true(is_done(PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX));
        end();
}

/* One is late that would change nothing, or that another one has changed since. */
static void what_others_have_published_stays(void **state) {
        begin();
        assert_true(is_done(PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX));
        ask(PMI_NAME_PUBLISH, PMI_NAME_OF_PMIX, T0);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT);
        assert_true(is_done(PMI_NAME_LOOKUP, 3));
        ask(PMI_NAME_PUBLISH, 4, T0); /* by PMI: in its stead */
        ask(PMI_NAME_PUBLISH, 5, T0 + 1);
        pmi_names_go_on(&nodes[1].s, T0 + PMI_NAME_WAIT);
        assert_true(is_done(PMI_NAME_LOOKUP, 3));
        end();
}

static void wait_by_pmix(usec_t patience, usec_t now) {
        const struct pmi_name n = { .act = PMI_NAME_AWAIT,
                .task = PMI_NAME_OF_PMIX,
                .begun = 7,
                .thread = "t1",
                .name = "a-name",
                .patience = patience };

        pmi_name_ask(&nodes[1].s, &n, now);
}

static void a_lookup_waits_for_its_name(void **state) {
        begin();
        wait_by_pmix(0, T0);
        deliver(1);
        deliver(0);
        assert_int_equal(pmi_names_patience(&nodes[1].s, T0), -1);
        pmi_names_go_on(&nodes[1].s, T0 + 100 * PMI_NAME_WAIT);
        assert_int_equal(n_answers, 0);
        assert_true(is_done(PMI_NAME_PUBLISH, 3));
        assert_int_equal(n_answers, 2);
        wait_by_pmix(0, T0);
        deliver(1);
        deliver(0);
        is_answered(3, PMI_NAME_AWAIT, PMI_NAME_OF_PMIX, true);
        assert_string_equal(last_port, "a-port");
        end();
}

static void a_time_limit_counts_before_longer_ones(void **state) {
        begin();
        wait_by_pmix(0, T0);
        ask(PMI_NAME_LOOKUP, 3, T0);
        wait_by_pmix(5 * USEC_PER_SEC, T0);
        assert_in_range(pmi_names_patience(&nodes[1].s, T0), 5000, 5001);
        pmi_names_go_on(&nodes[1].s, T0 + 5 * USEC_PER_SEC);
        is_answered(1, PMI_NAME_AWAIT, PMI_NAME_OF_PMIX, false);
        assert_true(last.late);
        assert_int_equal(n_complaints, 0);
        deliver(1); /* the first node forgets that one: the other wait is answered alone */
        deliver(0);
        assert_int_equal(n_answers, 2);
        assert_true(is_done(PMI_NAME_PUBLISH, 3));
        assert_int_equal(n_answers, 4);
        end();
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_lookup_waits_for_its_name),
                cmocka_unit_test(a_time_limit_counts_before_longer_ones),
                cmocka_unit_test(what_is_published_too_late_is_taken_back),
                cmocka_unit_test(what_others_have_published_stays),
                cmocka_unit_test(the_first_node_answers),
                cmocka_unit_test(by_pmix_a_name_is_published_once),
                cmocka_unit_test(a_first_node_that_does_not_answer_is_a_no),
                cmocka_unit_test(what_cannot_be_sent_is_a_no),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
