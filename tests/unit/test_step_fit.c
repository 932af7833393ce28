/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a step fits beside the other steps of its job, known from the job and the request alone. */
#include "tests/unit/test.h"

#include "controller/model/node.h"
#include "controller/steps/step_fit.h"

#define NODES 3
#define CPUS  4 /* that the job has on each */

struct fixture {
        struct node node[NODES];
        struct job_node alloc[NODES];
        struct job job;
        Slumber__StepSpec spec, other_spec;
        uint32_t taken[NODES];
        struct step_taker other;
        struct step_ask ask;
        struct fit fit;
        struct fail fail;
};

static void begin(struct fixture *f) {
        static char *const names[NODES] = { "n1", "n2", "n3" };

        *f = (struct fixture){ .spec = SLUMBER__STEP_SPEC__INIT,
                .other_spec = SLUMBER__STEP_SPEC__INIT };
        f->job.placed.alloc = f->alloc;
        f->job.placed.n_alloc = NODES;
        f->job.placed.units = bitset_new(NODES * CPUS);
        for (size_t i = 0; i < NODES; i++) {
                f->node[i].name = names[i];
                f->node[i].base = NODE_IDLE;
                f->node[i].power = NODE_ON;
                f->node[i].connected = true;
                f->node[i].units = CPUS;
                f->node[i].cpus_per_unit = 1;
                f->node[i].configured = (struct node_hardware){ .boards = 1,
                        .sockets = 1,
                        .cores = CPUS,
                        .threads = 1 };
                f->alloc[i] = (struct job_node){ .node = &f->node[i],
                        .cpus = CPUS,
                        .units_at = i * CPUS,
                        .memory = 1000 };
                for (size_t k = 0; k < CPUS; k++)
                        bitset_add(f->job.placed.units, i * CPUS + k);
        }
        f->other = (struct step_taker){ .spec = &f->other_spec,
                .cpus = f->taken,
                .n_nodes = NODES };
        f->ask = (struct step_ask){ .spec = &f->spec, .max_tasks_per_node = 512 };
        f->spec.exact = true;
        f->spec.num_tasks = f->spec.cpus_per_task = f->spec.min_nodes = 1;
}

static void end(struct fixture *f) {
        fit_done(&f->fit);
        bitset_free(f->job.placed.units);
}

static enum slumber_error fits(struct fixture *f) {
        fit_done(&f->fit);
        f->fit = (struct fit){ 0 };
        f->fail = (struct fail){ 0 };
        return fit_in(&f->ask, &f->job, &f->fit, &f->fail);
}

/* The job's first node is full, and of the second a step has part of the CPUs. */
static void other_runs(struct fixture *f) {
        f->taken[0] = CPUS;
        f->taken[1] = CPUS - 1;
        f->ask.others = &f->other;
        f->ask.n_others = 1;
}

static void exact_steps_share_a_node(void **state) {
        struct fixture f;

        (void)state;
        begin(&f);
        assert_int_equal(fits(&f), SLUMBER_OK);
        assert_int_equal(f.fit.n, 1);
        assert_int_equal(f.fit.at[0], 0);
        other_runs(&f);
        assert_int_equal(fits(&f), SLUMBER_OK);
        assert_int_equal(f.fit.at[0], 1);
        f.spec.exact = false; /* it wants a node to itself */
        assert_int_equal(fits(&f), SLUMBER_OK);
        assert_int_equal(f.fit.at[0], 2);
        end(&f);
}

static void what_others_have_is_waited_for(void **state) {
        struct fixture f;

        (void)state;
        begin(&f);
        other_runs(&f);
        f.taken[1] = f.taken[2] = CPUS;
        assert_int_equal(fits(&f), SLUMBER_NODES_BUSY);
        f.ask.n_others = 0; /* --overlap */
        assert_int_equal(fits(&f), SLUMBER_OK);
        f.spec.num_tasks = NODES * CPUS + 1; /* never */
        f.spec.min_nodes = NODES;
        assert_int_equal(fits(&f), SLUMBER_TOO_MANY_CPUS);
        end(&f);
}

static void memory_of_others_is_theirs(void **state) {
        struct fixture f;

        (void)state;
        begin(&f);
        other_runs(&f);
        f.taken[0] = 1;
        f.other_spec.mem_per_node = 600;
        assert_int_equal(step_memory(&f.job, &f.other, 0), 600);
        f.spec.mem_per_node = 500;
        assert_int_equal(fits(&f), SLUMBER_OK);
        assert_int_equal(f.fit.at[0], 2);
        f.spec.mem_per_node = 1001; /* more than the job has */
        assert_int_equal(fits(&f), SLUMBER_MEMORY_NOT_AVAILABLE);
        end(&f);
}

static void relative_counts_from_a_node(void **state) {
        Slumber__Number first = SLUMBER__NUMBER__INIT;
        struct fixture f;

        (void)state;
        begin(&f);
        f.spec.min_nodes = f.spec.num_tasks = 2;
        assert_int_equal(fits(&f), SLUMBER_OK);
        assert_int_equal(f.fit.n, 2);
        assert_int_equal(f.fit.count[0] + f.fit.count[1], 2);
        f.spec.relative = &first;
        first.value = 1;
        assert_int_equal(fits(&f), SLUMBER_OK);
        assert_int_equal(f.fit.at[0], 1);
        first.value = 2; /* one is left from there */
        assert_int_equal(fits(&f), SLUMBER_BAD_NODE_COUNT);
        end(&f);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(exact_steps_share_a_node),
                cmocka_unit_test(what_others_have_is_waited_for),
                cmocka_unit_test(memory_of_others_is_theirs),
                cmocka_unit_test(relative_counts_from_a_node),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
