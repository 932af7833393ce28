/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components of a heterogeneous step: each on nodes of its own, all at once or none. */
#include "tests/unit/test.h"

#include "controller/model/layout.h"
#include "controller/model/node.h"
#include "controller/steps/step_parts.h"

#define NODES 4
#define PARTS 3
#define CPUS  4 /* that the job has on each */

struct fixture {
        struct node nodes[NODES];
        struct job_node alloc[NODES];
        struct job job;
        Slumber__StepSpec specs[PARTS];
        struct step_ask asks[PARTS];
        struct step_taker taker;
        uint32_t taken[NODES];
        struct fit fits[PARTS];
        size_t n, part;
        struct fail fail;
};

static void begin(struct fixture *f) {
        static const char *const names[] = { "n1", "n2", "n3", "n4" };

        *f = (struct fixture){ 0 };
        f->job.placed.units = bitset_new(NODES * CPUS);
        bitset_fill(f->job.placed.units);
        for (size_t i = 0; i < NODES; i++) {
                f->nodes[i].name = (char *)(uintptr_t)names[i];
                f->nodes[i].base = NODE_IDLE;
                f->nodes[i].power = NODE_ON;
                f->nodes[i].connected = true;
                f->nodes[i].units = CPUS;
                f->nodes[i].cpus_per_unit = 1;
                f->nodes[i].configured = (struct node_hardware){ .boards = 1,
                        .sockets = 1,
                        .cores = CPUS,
                        .threads = 1 };
                f->alloc[i] = (struct job_node){ .node = &f->nodes[i],
                        .cpus = CPUS,
                        .units_at = i * CPUS };
        }
        f->job.placed.alloc = f->alloc;
        f->job.placed.n_alloc = NODES;
        f->taker = (struct step_taker){ .cpus = f->taken, .n_nodes = NODES };
}

static Slumber__StepSpec *ask(struct fixture *f, uint32_t nodes, uint32_t tasks, const char *list) {
        Slumber__StepSpec *spec = &f->specs[f->n];

        slumber__step_spec__init(spec);
        spec->min_nodes = spec->max_nodes = nodes;
        spec->num_tasks = tasks;
        spec->nodes = (char *)(uintptr_t)list;
        f->asks[f->n++] = (struct step_ask){ .spec = spec,
                .others = &f->taker,
                .n_others = 1,
                .max_tasks_per_node = 100 };
        return spec;
}

static enum slumber_error fit(struct fixture *f) {
        for (size_t i = 0; i < f->n; i++)
                fit_done(&f->fits[i]);
        memset(f->fits, 0, sizeof f->fits);
        return fit_parts(f->asks, f->n, &f->job, f->fits, &f->part, &f->fail);
}

static void end(struct fixture *f) {
        for (size_t i = 0; i < f->n; i++)
                fit_done(&f->fits[i]);
        bitset_free(f->job.placed.units);
}

static void components_have_nodes_of_their_own(void **state) {
        struct fixture f;
        struct fit all = { 0 };

        begin(&f);
        (void)ask(&f, 1, 2, "");
        (void)ask(&f, 2, 3, "");
        assert_int_equal(fit(&f), SLUMBER_OK);
        assert_int_equal(f.fits[0].n, 1);
        assert_int_equal(f.fits[0].at[0], 0);
        assert_int_equal(f.fits[1].at[0], 1);
        assert_int_equal(f.fits[1].at[1], 2);
        fit_join(f.asks, f.fits, 2, &all);
        assert_int_equal(all.n, 3);
        assert_int_equal(all.tasks, 5);
        assert_memory_equal(all.count, ((uint32_t[]){ 2, 2, 1 }), 3 * sizeof(uint32_t));
        assert_memory_equal(all.place, ((uint32_t[]){ 0, 0, 1, 1, 2 }), 5 * sizeof(uint32_t));
        fit_done(&all);
        end(&f);
}

/* The first one may have any node, and gives way. */
static void a_node_that_one_must_have_is_left_to_it(void **state) {
        struct fixture f;
        struct fit all = { 0 };

        begin(&f);
        (void)ask(&f, 1, 2, "");
        ask(&f, 2, 3, "n[1-2]")->cyclic = true;
        assert_int_equal(fit(&f), SLUMBER_OK);
        assert_int_equal(f.fits[0].at[0], 2);
        fit_join(f.asks, f.fits, 2, &all);
        /* ranks by component, nodes in the job's order */
        assert_memory_equal(all.count, ((uint32_t[]){ 2, 1, 2 }), 3 * sizeof(uint32_t));
        assert_memory_equal(all.place, ((uint32_t[]){ 2, 2, 0, 1, 0 }), 5 * sizeof(uint32_t));
        fit_done(&all);
        end(&f);
}

static void it_waits_for_all_or_begins_with_all(void **state) {
        struct fixture f;

        begin(&f);
        Slumber__StepSpec other = SLUMBER__STEP_SPEC__INIT;
        f.taker.spec = &other;
        f.taken[1] = 4;
        (void)ask(&f, 2, 2, "");
        (void)ask(&f, 2, 2, "");
        assert_int_equal(fit(&f), SLUMBER_NODES_BUSY);
        f.taken[1] = 0;
        assert_int_equal(fit(&f), SLUMBER_OK);
        end(&f);
}

static void what_never_fits_is_refused(void **state) {
        struct fixture f;

        begin(&f);
        (void)ask(&f, 3, 3, "");
        (void)ask(&f, 2, 2, "");
        assert_int_equal(fit(&f), SLUMBER_NODES_NOT_AVAILABLE);
        assert_int_equal(f.part, 2);
        assert_string_equal(f.fail.text,
                        "the 4 nodes of the job do not do for all components, each "
                        "on nodes of its own");
        end(&f);
        begin(&f);
        (void)ask(&f, 1, 1, "n1");
        (void)ask(&f, 1, 1, "n1");
        assert_int_equal(fit(&f), SLUMBER_NODES_NOT_AVAILABLE);
        end(&f);
        begin(&f);
        (void)ask(&f, 1, 1, "");
        (void)ask(&f, 1, 9, "");
        assert_int_equal(fit(&f), SLUMBER_TOO_MANY_CPUS);
        assert_int_equal(f.part, 1);
        end(&f);
}

/* n1 goes to the second, as it can have no other; then n2 to the first. */
static void one_that_finds_none_is_tried_first(void **state) {
        struct fixture f;

        begin(&f);
        ask(&f, 1, 1, "")->exc_nodes = (char *)(uintptr_t) "n[3-4]";
        (void)ask(&f, 1, 1, "n1");
        (void)ask(&f, 2, 2, "");
        assert_int_equal(fit(&f), SLUMBER_OK);
        assert_int_equal(f.fits[0].at[0], 1);
        assert_int_equal(f.fits[1].at[0], 0);
        assert_int_equal(f.fits[2].at[0], 2);
        end(&f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(components_have_nodes_of_their_own),
                cmocka_unit_test(a_node_that_one_must_have_is_left_to_it),
                cmocka_unit_test(it_waits_for_all_or_begins_with_all),
                cmocka_unit_test(what_never_fits_is_refused),
                cmocka_unit_test(one_that_finds_none_is_tried_first),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
