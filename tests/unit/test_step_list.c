/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks on the nodes that a list names for them. */
#include "tests/unit/test.h"

#include "controller/model/layout.h"
#include "controller/model/node.h"
#include "controller/steps/step_list.h"

#define NODES 3

struct fixture {
        struct node nodes[NODES];
        struct job_node alloc[NODES];
        struct job job;
        size_t at[NODES];
        uint32_t room[NODES], most[NODES], cpus[NODES], count[NODES], *place;
        struct task_list *list;
        struct fail fail;
};

static void begin(struct fixture *f, const char *list) {
        static char *const names[] = {
                (char *)(uintptr_t) "n1",
                (char *)(uintptr_t) "n2",
                (char *)(uintptr_t) "n3",
        };

        *f = (struct fixture){ 0 };
        for (size_t i = 0; i < NODES; i++) {
                f->nodes[i].name = names[i];
                f->alloc[i].node = &f->nodes[i];
                f->at[i] = i;
                f->room[i] = f->most[i] = f->cpus[i] = 4;
        }
        f->job.placed.alloc = f->alloc;
        f->job.placed.n_alloc = NODES;
        f->list = task_list_new(0);
        assert_int_equal(task_list_add(f->list, list, NULL), 0);
}

static enum slumber_error lay_out(struct fixture *f, size_t n) {
        return step_list_lay_out(f->list, &f->job, f->at, n, f->room, f->most, f->cpus, f->count,
                        &f->place, &f->fail);
}

static void end(struct fixture *f) {
        free(f->place);
        task_list_free(f->list);
}

static void check_ranks(const struct fixture *f, uint32_t i, const uint32_t *expected) {
        _cleanup_free_ uint32_t *ranks = layout_ranks_at(f->place,
                        (uint32_t)task_list_tasks(f->list), f->count, NODES);
        size_t first = 0;

        for (uint32_t k = 0; k < i; k++)
                first += f->count[k];
        assert_memory_equal(ranks + first, expected, f->count[i] * sizeof *ranks);
}

static void ranks_follow_the_list(void **state) {
        struct fixture f;

        (void)state;
        begin(&f, "n3,n1,n3,n2,n1");
        assert_int_equal(lay_out(&f, 3), SLUMBER_OK);
        assert_memory_equal(f.count, ((const uint32_t[]){ 2, 1, 2 }), sizeof f.count);
        assert_memory_equal(f.place, ((const uint32_t[]){ 2, 0, 2, 1, 0 }), 5 * sizeof f.place[0]);
        check_ranks(&f, 0, (const uint32_t[]){ 1, 4 });
        check_ranks(&f, 1, (const uint32_t[]){ 3 });
        check_ranks(&f, 2, (const uint32_t[]){ 0, 2 });
        end(&f);
}

static void some_nodes_of_the_job_are_left_out(void **state) {
        struct fixture f;

        (void)state;
        begin(&f, "n3,n2");
        f.at[0] = 1;
        f.at[1] = 2;
        assert_int_equal(lay_out(&f, 2), SLUMBER_OK);
        check_ranks(&f, 0, (const uint32_t[]){ 1 });
        check_ranks(&f, 1, (const uint32_t[]){ 0 });
        end(&f);
}

static void cpus_may_be_fewer_but_not_taken(void **state) {
        struct fixture f;

        (void)state;
        begin(&f, "n1*6,n2,n3");
        f.most[0] = UINT32_MAX;
        assert_int_equal(lay_out(&f, 3), SLUMBER_OK);
        free(TAKE(f.place));
        f.room[0] = 3; /* another step has a CPU */
        assert_int_equal(lay_out(&f, 3), SLUMBER_NODES_BUSY);
        assert_null(f.place);
        f.most[0] = 5; /* memory of the job */
        assert_int_equal(lay_out(&f, 3), SLUMBER_NODES_NOT_AVAILABLE);
        assert_string_equal(f.fail.text,
                        "6 tasks are listed for n1, which has memory, generic resources, cores and "
                        "sockets for 5");
        end(&f);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(ranks_follow_the_list),
                cmocka_unit_test(some_nodes_of_the_job_are_left_out),
                cmocka_unit_test(cpus_may_be_fewer_but_not_taken),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
