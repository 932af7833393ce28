/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ports that a step has for itself on its nodes. */
#include "tests/unit/test.h"

#include "controller/model/node.h"
#include "controller/steps/step_ports.h"

#define NODES 3

/* Two jobs on the same nodes. */
struct fixture {
        struct node node[NODES];
        struct job *of_node[NODES][2];
        struct job_node alloc[2][NODES];
        struct job job[2];
        uint32_t next;
};

static void begin(struct fixture *f) {
        *f = (struct fixture){ 0 };
        for (size_t k = 0; k < 2; k++) {
                f->job[k].placed.alloc = f->alloc[k];
                f->job[k].placed.n_alloc = NODES;
        }
        for (size_t i = 0; i < NODES; i++) {
                f->node[i].jobs = f->of_node[i];
                f->node[i].n_jobs = 2;
                for (size_t k = 0; k < 2; k++) {
                        f->of_node[i][k] = &f->job[k];
                        f->alloc[k][i].node = &f->node[i];
                }
        }
}

static void end_steps(struct fixture *f) {
        for (size_t k = 0; k < 2; k++) {
                while (f->job[k].running.n_steps > 0)
                        job_step_remove(&f->job[k], &f->job[k].running.steps[0]);
                free(f->job[k].running.steps);
        }
}

static void add_step(struct fixture *f, size_t job, const char *places, const char *ports) {
        struct step *s = job_step_add(&f->job[job]);

        s->nodes = bitset_new(NODES);
        s->ended = bitset_new(NODES);
        assert_int_equal(bitset_parse(s->nodes, places), 0);
        s->resv_ports = xstrdup(ports);
}

static const struct port_range range = { 12000, 12009 };

static void finds(struct fixture *f, size_t place, uint32_t asked, const char *wanted) {
        uint32_t tasks = 3;
        _cleanup_free_ char *ports = NULL;

        assert_int_equal(step_ports_find(&f->job[0], &place, &tasks, 1, asked, range, &f->next,
                                         &ports),
                        SLUMBER_OK);
        assert_string_equal(strempty(ports), wanted);
}

static enum slumber_error error_of(struct fixture *f, size_t place, uint32_t asked) {
        uint32_t tasks = 3;
        char *ports;

        enum slumber_error e = step_ports_find(&f->job[0], &place, &tasks, 1, asked, range,
                        &f->next, &ports);
        assert_null(ports);
        return e;
}

static void ports_are_given_in_turn(void **state) {
        struct fixture f;

        (void)state;
        begin(&f);
        finds(&f, 0, 0, "");
        finds(&f, 0, 2, "12000-12001");
        finds(&f, 0, STEP_PORTS_BY_TASKS, "12002-12005");
        finds(&f, 0, 5, "12000,12006-12009");
        finds(&f, 0, 10, "12000-12009");
        assert_int_equal(error_of(&f, 0, 11), SLUMBER_TOO_MANY_PORTS);
        end_steps(&f);
}

static void ports_of_others_are_left_alone(void **state) {
        struct fixture f;

        (void)state;
        begin(&f);
        add_step(&f, 0, "0", "12000-12003");
        add_step(&f, 1, "0-1", "12005,12007-12008");
        add_step(&f, 1, "2", "12009");
        finds(&f, 0, 3, "12004,12006,12009");
        f.next = 0;
        finds(&f, 1, 6, "12000-12004,12006");
        f.next = 0;
        finds(&f, 2, 9, "12000-12008");
        assert_int_equal(error_of(&f, 0, 4), SLUMBER_PORTS_BUSY);
        /* on two nodes: free on both */
        const size_t both[] = { 1, 2 };
        const uint32_t tasks[] = { 5, 1 };
        _cleanup_free_ char *ports = NULL;
        f.next = 0;
        assert_int_equal(step_ports_find(&f.job[0], both, tasks, 2, STEP_PORTS_BY_TASKS, range,
                                         &f.next, &ports),
                        SLUMBER_OK);
        assert_string_equal(ports, "12000-12004,12006");
        /* it has ended on the first node */
        bitset_add(f.job[1].running.steps[0].ended, 0);
        f.next = 0;
        finds(&f, 0, 6, "12004-12009");
        end_steps(&f);
}

static void without_a_range_there_are_none(void **state) {
        const struct port_range none = { 0 };
        struct fixture f;
        const size_t place = 0;
        const uint32_t tasks = 1;
        char *ports;

        (void)state;
        begin(&f);
        assert_int_equal(step_ports_find(&f.job[0], &place, &tasks, 1, 0, none, &f.next, &ports),
                        SLUMBER_OK);
        assert_int_equal(step_ports_find(&f.job[0], &place, &tasks, 1, 1, none, &f.next, &ports),
                        SLUMBER_TOO_MANY_PORTS);
        end_steps(&f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(ports_are_given_in_turn),
                cmocka_unit_test(ports_of_others_are_left_alone),
                cmocka_unit_test(without_a_range_there_are_none),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
