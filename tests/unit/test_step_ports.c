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
                f->node[i].index = (uint32_t)i;
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

/* ---- many jobs, beside a plain reading of the rule ---- */

#define MANY_NODES 70
#define MANY_JOBS  5
#define MANY_STEPS 4
#define MANY_PORTS 40

struct many {
        struct node node[MANY_NODES];
        struct job *of_node[MANY_NODES][MANY_JOBS];
        struct job_node alloc[MANY_JOBS][MANY_NODES];
        struct job job[MANY_JOBS];
        uint64_t random;
};

static uint32_t below(struct many *m, uint32_t limit) {
        m->random = m->random * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(m->random >> 33) % limit;
}

/* Some have no ports, some have ended in places; a job may have given a node back. */
static void add_random_step(struct many *m, struct job *j) {
        struct step *s = job_step_add(j);
        uint32_t first = below(m, MANY_PORTS), wide = below(m, 4);

        s->nodes = bitset_new(j->placed.n_alloc);
        s->ended = bitset_new(j->placed.n_alloc);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                bool on = below(m, 4) < wide;
                bitset_put(s->nodes, i, on);
                bitset_put(s->ended, i, on && below(m, 2));
        }
        if (below(m, 4))
                s->resv_ports = xasprintf("%u-%u", range.first + first,
                                range.first + first + below(m, 3));
}

static void begin_many(struct many *m, uint64_t seed) {
        *m = (struct many){ .random = seed };
        for (size_t i = 0; i < MANY_NODES; i++) {
                m->node[i].index = (uint32_t)i;
                m->node[i].jobs = m->of_node[i];
        }
        for (size_t k = 0; k < MANY_JOBS; k++) {
                struct job *j = &m->job[k];
                j->placed.alloc = m->alloc[k];
                for (size_t i = 0; i < MANY_NODES; i++) {
                        if (k > 0 && below(m, 3) == 0)
                                continue;
                        m->alloc[k][j->placed.n_alloc++].node = &m->node[i];
                        if (below(m, 10))
                                m->of_node[i][m->node[i].n_jobs++] = j;
                }
                for (size_t i = 0; i < MANY_STEPS; i++)
                        add_random_step(m, j);
        }
}

static bool has_port_on(const struct job *j, const struct node *n, size_t port) {
        for (size_t k = 0; k < j->running.n_steps; k++) {
                const struct step *s = &j->running.steps[k];
                _cleanup_(bitset_freep) struct bitset *ports = bitset_new(UINT16_MAX);
                if (!s->resv_ports)
                        continue;
                assert_int_equal(bitset_parse(ports, s->resv_ports), 0);
                bitset_for_each(at, s->nodes)
                        if (j->placed.alloc[at].node == n && !bitset_has(s->ended, at) &&
                                        bitset_has(ports, port))
                                return true;
        }
        return false;
}

static bool is_free(const struct many *m, const size_t *at, size_t n, size_t port) {
        for (size_t i = 0; i < n; i++) {
                const struct node *node = m->alloc[0][at[i]].node;
                for (size_t k = 0; k < node->n_jobs; k++)
                        if (has_port_on(node->jobs[k], node, port))
                                return false;
        }
        return true;
}

static void check_many(struct many *m) {
        const struct port_range its = { range.first, range.first + MANY_PORTS + 2 };
        _cleanup_(bitset_freep) struct bitset *wanted = bitset_new(UINT16_MAX);
        _cleanup_free_ char *text = NULL, *ports = NULL;
        size_t at[MANY_NODES], n = 0;
        uint32_t tasks[MANY_NODES], next = 0, some = 1 + below(m, 12), free_ones = 0;

        for (size_t i = 0; i < MANY_NODES; i++)
                if (below(m, 12) < some) {
                        tasks[n] = 1;
                        at[n++] = i;
                }
        for (size_t port = its.first; port <= its.last; port++)
                if (is_free(m, at, n, port)) {
                        bitset_add(wanted, port);
                        free_ones++;
                }
        text = bitset_text(wanted);
        assert_int_equal(step_ports_find(&m->job[0], at, tasks, n, free_ones + 1, its, &next,
                                         &ports),
                        free_ones > its.last - its.first ? SLUMBER_TOO_MANY_PORTS
                                                         : SLUMBER_PORTS_BUSY);
        assert_int_equal(step_ports_find(&m->job[0], at, tasks, n, free_ones, its, &next, &ports),
                        SLUMBER_OK);
        assert_string_equal(strempty(ports), text);
}

static void many_jobs_share_nodes(void **state) {
        static struct many m;

        (void)state;
        for (uint64_t seed = 1; seed <= 300; seed++) {
                begin_many(&m, seed);
                check_many(&m);
                for (size_t k = 0; k < MANY_JOBS; k++) {
                        while (m.job[k].running.n_steps > 0)
                                job_step_remove(&m.job[k], &m.job[k].running.steps[0]);
                        free(m.job[k].running.steps);
                }
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(ports_are_given_in_turn),
                cmocka_unit_test(ports_of_others_are_left_alone),
                cmocka_unit_test(without_a_range_there_are_none),
                cmocka_unit_test(many_jobs_share_nodes),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
