/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each component's step knows of a step over several components, and reads of its record. */
#include "tests/unit/test.h"

#include "controller/model/node.h"
#include "controller/steps/step_span.h"

#define PARTS 2

struct fixture {
        struct node nodes[3];
        struct job_node alloc[3];
        struct job jobs[PARTS];
        Slumber__StepSpec specs[PARTS];
        struct fit fits[PARTS];
        struct span_part parts[PARTS];
        size_t at[2];
        uint32_t counts[3];
        struct step_span *spans[PARTS], *span; /* as the second one has it */
        Slumber__StepSpan record;
};

/* Two tasks on n1; three dealt out in turn to n2 and n3. */
static void begin(struct fixture *f) {
        static const char *const names[] = { "n1", "n2", "n3" };

        *f = (struct fixture){ .at = { 0, 1 }, .counts = { 2, 2, 1 } };
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                f->nodes[i].name = (char *)(uintptr_t)names[i];
                f->alloc[i].node = &f->nodes[i];
        }
        f->jobs[0].id = 7;
        f->jobs[0].restarts = 3;
        f->jobs[0].placed.alloc = f->alloc;
        f->jobs[1].id = 8;
        f->jobs[1].placed.alloc = f->alloc + 1;
        for (size_t i = 0; i < PARTS; i++) {
                slumber__step_spec__init(&f->specs[i]);
                f->parts[i] = (struct span_part){ &f->jobs[i], &f->specs[i], &f->fits[i] };
        }
        f->specs[1].cyclic = true;
        f->fits[0] = (struct fit){ .at = f->at, .count = f->counts, .n = 1, .tasks = 2 };
        f->fits[1] = (struct fit){ .at = f->at, .count = f->counts + 1, .n = 2, .tasks = 3 };
        spans_new(&f->jobs[0], f->parts, PARTS, f->spans);
        f->span = f->spans[1];
        span_pack(f->span, &f->record);
}

static void end(struct fixture *f) {
        for (size_t i = 0; i < PARTS; i++)
                span_free(f->spans[i]);
}

static void components_are_numbered_through(void **state) {
        struct fixture f;

        begin(&f);
        assert_int_equal(f.span->job, 7);
        assert_int_equal(f.span->restarts, 3);
        assert_int_equal(f.span->first_task, 2);
        assert_int_equal(f.span->first_node, 1);
        assert_string_equal(f.span->nodes, "n[1-3]");
        assert_memory_equal(f.span->count, f.counts, sizeof f.counts);
        assert_memory_equal(f.span->place, ((uint32_t[]){ 0, 0, 1, 2, 1 }), 5 * sizeof(uint32_t));
        assert_memory_equal(f.span->parts, ((uint32_t[]){ 2, 3 }), 2 * sizeof(uint32_t));
        assert_int_equal(span_tasks_before(f.span), 2);
        uint32_t *ranks = span_ranks(f.span);
        assert_memory_equal(ranks, ((uint32_t[]){ 0, 1, 2, 4, 3 }), 5 * sizeof(uint32_t));
        free(ranks);
        end(&f);
}

static void tasks_are_where_a_list_has_them(void **state) {
        struct fixture f;
        uint32_t place[] = { 1, 0, 0 };

        begin(&f);
        end(&f);
        f.fits[1].place = place;
        spans_new(&f.jobs[0], f.parts, PARTS, f.spans);
        f.span = f.spans[0];
        assert_memory_equal(f.span->place, ((uint32_t[]){ 0, 0, 2, 1, 1 }), 5 * sizeof(uint32_t));
        assert_int_equal(f.span->first_task, 0);
        assert_int_equal(span_tasks_before(f.span), 0);
        end(&f);
}

/* Also those that were read of records, which each had their own. */
static void components_have_one_copy(void **state) {
        struct fixture f;

        begin(&f);
        assert_ptr_equal(f.spans[0]->place, f.spans[1]->place);
        assert_int_equal(f.spans[0]->first_node, 0);
        struct step_span *s = span_unpack(&f.record, 3, 2);
        assert_ptr_not_equal(s->place, f.span->place);
        assert_true(span_share(s, f.span));
        assert_ptr_equal(s->place, f.span->place);
        assert_int_equal(*s->users, 3);
        end(&f);
        assert_int_equal(*s->users, 1);
        assert_int_equal(s->place[4], 1);
        span_free(s);
        begin(&f);
        f.record.part_tasks = (uint32_t[]){ 3, 2 };
        s = span_unpack(&f.record, 3, 2);
        assert_false(span_share(s, f.span));
        span_free(s);
        end(&f);
}

static void a_record_is_read_as_it_was(void **state) {
        struct fixture f;
        Slumber__StepSpan again;

        begin(&f);
        struct step_span *s = span_unpack(&f.record, 3, 2);
        assert_non_null(s);
        span_pack(s, &again);
        uint8_t wanted[200], got[200];
        size_t n = slumber__step_span__get_packed_size(&f.record);
        assert_true(n <= sizeof wanted);
        assert_int_equal(slumber__step_span__get_packed_size(&again), n);
        slumber__step_span__pack(&f.record, wanted);
        slumber__step_span__pack(&again, got);
        assert_memory_equal(wanted, got, n);
        span_free(s);
        end(&f);
}

/* Each of these is all that is wrong with it. */
static void a_record_that_does_not_agree_is_none(void **state) {
        struct fixture f;

        begin(&f);
#define NONE(member, value)                                                                        \
        do {                                                                                       \
                Slumber__StepSpan wrong = f.record;                                                \
                wrong.member = value;                                                              \
                assert_null(span_unpack(&wrong, 3, 2));                                            \
        } while (0)
        NONE(job_id, 0);
        NONE(n_tasks, 0);
        NONE(n_tasks, 2);
        NONE(n_task_places, 0);
        NONE(n_task_places, 4);
        NONE(n_part_tasks, 0);
        NONE(n_part_tasks, 1);
        NONE(first_task, 3);
        NONE(first_task, UINT32_MAX);
        NONE(first_node, 2);
        NONE(first_node, UINT32_MAX);
        NONE(nodes, "n[1-2]");
        NONE(nodes, "n[1-");
        NONE(task_places, ((uint32_t[]){ 0, 0, 1, 3, 1 }));
        NONE(task_places, ((uint32_t[]){ 0, 0, 0, 2, 1 }));
        NONE(tasks, ((uint32_t[]){ 2, 2, UINT32_MAX }));
        NONE(part_tasks, ((uint32_t[]){ 6, UINT32_MAX }));
        assert_null(span_unpack(&f.record, 6, 2)); /* more than all of them */
        assert_null(span_unpack(&f.record, 3, 4));
        end(&f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(components_are_numbered_through),
                cmocka_unit_test(tasks_are_where_a_list_has_them),
                cmocka_unit_test(components_have_one_copy),
                cmocka_unit_test(a_record_is_read_as_it_was),
                cmocka_unit_test(a_record_that_does_not_agree_is_none),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
