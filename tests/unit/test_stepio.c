/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/steps/step_signals.h"
#include "commands/steps/stepio.h"
#include "lib/wire.h"

#include <fcntl.h>
#include <signal.h>

/* What has been written to the pipe so far. */
static const char *written(int fd) {
        static char text[256];
        ssize_t n = read(fd, text, sizeof text - 1);

        text[n > 0 ? n : 0] = 0;
        return text;
}

struct fixture {
        int pipe[2];
        struct step_output *o;
};

static void open_output(struct fixture *f, uint32_t tasks, bool label) {
        assert_int_equal(pipe2(f->pipe, O_NONBLOCK | O_CLOEXEC), 0);
        f->o = step_output_new(f->pipe[1], tasks, label);
}

static void close_output(struct fixture *f) {
        step_output_free(f->o);
        close(f->pipe[0]);
        close(f->pipe[1]);
}

static int put(struct fixture *f, uint32_t rank, const char *text) {
        return step_output_write(f->o, rank, step_output_taken(f->o, rank), text, strlen(text));
}

static void without_label_bytes_pass_at_once(void **state) {
        struct fixture f;

        open_output(&f, 2, false);
        put(&f, 0, "half a");
        assert_string_equal(written(f.pipe[0]), "half a");
        assert_int_equal(step_output_finish(f.o, 0), 0);
        assert_string_equal(written(f.pipe[0]), "");
        close_output(&f);
}

static void lines_get_their_rank(void **state) {
        struct fixture f;

        open_output(&f, 2, true);
        put(&f, 0, "a\nb\n");
        put(&f, 1, "c\n\n");
        assert_string_equal(written(f.pipe[0]), "0: a\n0: b\n1: c\n1: \n");
        close_output(&f);
}

static void a_line_in_pieces_is_one_line(void **state) {
        struct fixture f;

        open_output(&f, 2, true);
        put(&f, 0, "he");
        put(&f, 1, "other\n");
        put(&f, 0, "llo\nrest");
        assert_string_equal(written(f.pipe[0]), "1: other\n0: hello\n");
        step_output_finish(f.o, 0);
        assert_string_equal(written(f.pipe[0]), "0: rest\n");
        step_output_finish(f.o, 0);
        assert_string_equal(written(f.pipe[0]), "");
        close_output(&f);
}

static void labels_are_as_wide_as_the_last_rank(void **state) {
        struct fixture f;

        open_output(&f, 11, true);
        put(&f, 3, "x\n");
        put(&f, 10, "y\n");
        assert_string_equal(written(f.pipe[0]), " 3: x\n10: y\n");
        close_output(&f);
}

static void a_rank_beyond_the_step_is_refused(void **state) {
        struct fixture f;

        open_output(&f, 2, true);
        assert_int_equal(put(&f, 2, "x\n"), -EINVAL);
        assert_int_equal(step_output_finish(f.o, RANK_ALL), -EINVAL);
        assert_string_equal(written(f.pipe[0]), "");
        close_output(&f);
}

static void closed_output_is_reported_once(void **state) {
        struct fixture f;

        signal(SIGPIPE, SIG_IGN);
        open_output(&f, 1, false);
        close(f.pipe[0]);
        assert_int_equal(put(&f, 0, "x"), -EPIPE);
        assert_int_equal(put(&f, 0, "x"), 0);
        f.pipe[0] = dup(f.pipe[1]);
        close_output(&f);
}

static void what_comes_again_is_passed_over_and_a_gap_waits(void **state) {
        struct fixture f;

        open_output(&f, 1, false);
        assert_int_equal(step_output_write(f.o, 0, 0, "abc", 3), 0);
        assert_int_equal(step_output_write(f.o, 0, 1, "bcd", 3), 0);
        assert_int_equal(step_output_write(f.o, 0, 0, "ab", 2), 0);
        assert_int_equal(step_output_write(f.o, 0, 5, "f", 1), 0);
        assert_int_equal(step_output_taken(f.o, 0), 4);
        assert_int_equal(step_output_write(f.o, 0, 4, "ef", 2), 0);
        assert_string_equal(written(f.pipe[0]), "abcdef");
        close_output(&f);
}

static void taken_bytes_are_told_once(void **state) {
        struct fixture f;
        uint32_t rank = 7;

        open_output(&f, 3, false);
        assert_false(step_output_untold(f.o, 0, &rank));
        put(&f, 1, "abc");
        assert_false(step_output_untold(f.o, 4, &rank));
        put(&f, 1, "d");
        assert_true(step_output_untold(f.o, 4, &rank));
        assert_int_equal(rank, 1);
        assert_false(step_output_untold(f.o, 0, &rank));
        assert_int_equal(step_output_write(f.o, 1, 0, "abcd", 4), 0); /* it was not heard */
        assert_true(step_output_untold(f.o, 0, &rank));
        assert_false(step_output_untold(f.o, 0, &rank));
        close_output(&f);
}

static void the_slowest_node_says_how_much_may_be_sent(void **state) {
        struct step_input *i = step_input_new((const char *const[]){ "n1", "n2" }, 2);
        _cleanup_free_ char *much = xcalloc(1, STEP_WINDOW);

        assert_int_equal(step_input_room(i), STEP_WINDOW);
        assert_int_equal(step_input_add(i, RANK_ALL, much, STEP_WINDOW, false), 0);
        assert_int_equal(step_input_room(i), 0);
        step_input_taken(i, "n1", 100);
        assert_int_equal(step_input_room(i), 0);
        step_input_taken(i, "n2", 60);
        assert_int_equal(step_input_room(i), 60);
        step_input_gone(i, "n2");
        assert_int_equal(step_input_room(i), 100);
        assert_int_equal(step_input_add(i, RANK_ALL, "x", 1, false), STEP_WINDOW);
        assert_false(step_input_unwanted(i));
        step_input_gone(i, "n1");
        assert_true(step_input_unwanted(i));
        assert_int_equal(step_input_room(i), 0);
        step_input_free(i);
}

static void more_than_was_sent_is_not_taken(void **state) {
        struct step_input *i = step_input_new((const char *const[]){ "n1" }, 1);

        step_input_add(i, RANK_ALL, "0123456789", 10, false);
        step_input_taken(i, "n1", 1000);
        step_input_taken(i, "", 5); /* an older word */
        assert_int_equal(step_input_room(i), STEP_WINDOW);
        assert_int_equal(step_input_add(i, RANK_ALL, "a", 1, false), 10);
        assert_int_equal(step_input_room(i), STEP_WINDOW - 1);
        step_input_free(i);
}

static void again(struct step_input *i, const char *node, const char *expected) {
        struct step_input_part part = { 0 };
        char text[64] = "";

        while (step_input_again(i, node, 4, &part)) {
                snprintf(text + strlen(text), 32, "%u:%.*s%s ", (unsigned)part.offset,
                                (int)part.size, (const char *)part.data, part.end ? "." : "");
        }
        assert_string_equal(text, expected);
}

static void a_node_gets_again_what_it_has_not_taken(void **state) {
        struct step_input *i = step_input_new((const char *const[]){ "n1", "n2" }, 2);

        again(i, "n1", "");
        step_input_add(i, RANK_ALL, "abcdefghi", 9, false);
        again(i, "n1", "0:abcd 4:efgh 8:i ");
        step_input_taken(i, "n1", 5);
        again(i, "n1", "5:fghi ");
        again(i, "n2", "0:abcd 4:efgh 8:i ");
        step_input_taken(i, "", 9);
        again(i, "n1", "");
        step_input_add(i, RANK_ALL, "j", 1, true);
        again(i, "n1", "9:j. ");
        step_input_taken(i, "", 10);
        again(i, "n2", "10:. "); /* the end has no bytes that could be taken */
        again(i, "n9", "");      /* not one of the step's */
        again(i, "", "");
        step_input_free(i);
}

static void named(const char *pattern, const char *expected) {
        const struct step_file_names names = { .job = 7, .step = 2, .user = "joe", .name = "job" };
        _cleanup_free_ char *name = step_file_name(pattern, &names);

        assert_string_equal(name, expected);
}

static void of_task(const char *pattern, const char *expected) {
        const struct step_file_names names = {
                .job = 9,
                .array_job = 7,
                .array_task = 3,
                .user = "joe",
                .name = "job",
        };
        _cleanup_free_ char *name = step_file_name(pattern, &names);

        assert_string_equal(name, expected);
}

static void file_names_are_filled_in(void **state) {
        named("out", "out");
        named("%x-%j.%s", "job-7.2");
        named("%4j_%J_%u", "0007_7.2_joe");
        named("%A_%a", "7_4294967294");
        of_task("%A_%a-%j", "7_3-9");
        of_task("%4A_%2a", "0007_03");
        named("100%%", "100%");
        named("%q %", "%q %");
        named("%99999j", "0000000007");
        assert_true(step_file_has("out-%t", "tnN"));
        assert_true(step_file_has("%j-%3n", "tnN"));
        assert_true(step_file_has("%N", "tnN"));
        assert_false(step_file_has("%j-n%%t", "tnN"));
        assert_false(step_file_has("%", "tnN"));
}

DEFINE_CLEANUP(struct step_signals *, step_signals_free)

/* What a node has not had, in words. */
static const char *signals_left(const struct step_signals *s, size_t node) {
        static char text[512];
        uint32_t number = 0, signal;
        size_t len = 0;

        text[0] = 0;
        while (step_signals_next(s, node, &number, &signal))
                len += (size_t)snprintf(text + len, sizeof text - len, "%u=%u ", number, signal);
        return text;
}

static void a_node_gets_again_the_signals_it_has_not_had(void **state) {
        _cleanup_(step_signals_freep) struct step_signals *s = step_signals_new(2);

        assert_string_equal(signals_left(s, 0), "");
        assert_int_equal(step_signals_add(s, SIGUSR1), 1);
        assert_int_equal(step_signals_add(s, SIGTERM), 2);
        step_signals_taken(s, 1, 2);
        step_signals_taken(s, 1, 3); /* there is none yet */
        step_signals_taken(s, 2, 1); /* no such node */
        assert_string_equal(signals_left(s, 0), "1=10 2=15 ");
        assert_string_equal(signals_left(s, 1), "1=10 ");
        assert_string_equal(signals_left(s, 2), "");
        for (uint32_t k = 3; k <= STEP_SIGNALS_MAX + 2; k++) { /* the first two are forgotten */
                assert_int_equal(step_signals_add(s, 1), k);
                step_signals_taken(s, 0, k - (k == 34));
        }
        assert_string_equal(signals_left(s, 0), "34=1 ");
        step_signals_taken(s, 0, 2);
        assert_string_equal(signals_left(s, 0), "34=1 ");
}

/* What is sent again is for those that it was for. */
static void input_for_one_task_stays_so(void **state) {
        const char *const nodes[] = { "a" };
        _cleanup_(step_input_freep) struct step_input *i = step_input_new(nodes, 1);
        struct step_input_part part = { 0 };

        (void)state;
        step_input_add(i, RANK_ALL, "all", 3, false);
        step_input_add(i, 2, "two", 3, false);
        step_input_add(i, 2, "more", 4, false);
        step_input_add(i, RANK_ALL, "end", 3, true);
        step_input_taken(i, "a", 4);
        assert_true(step_input_again(i, "a", 100, &part));
        assert_int_equal(part.rank, 2);
        assert_int_equal(part.size, 6);
        assert_memory_equal(part.data, "womore", 6);
        assert_true(step_input_again(i, "a", 100, &part));
        assert_int_equal(part.rank, RANK_ALL);
        assert_int_equal(part.size, 3);
        assert_true(part.end);
        assert_false(step_input_again(i, "a", 100, &part));
        step_input_taken(i, "a", 13);
        step_input_add(i, 1, "x", 0, false);
        assert_false(step_input_again(i, "a", 100, &part));
}

/* The end behind it is for all. */
static void end_behind_input_for_one_task_is_for_all(void **state) {
        const char *const nodes[] = { "a" };
        _cleanup_(step_input_freep) struct step_input *i = step_input_new(nodes, 1);
        struct step_input_part part = { 0 };

        (void)state;
        step_input_add(i, 2, "x", 1, false);
        step_input_add(i, RANK_ALL, "", 0, true);
        assert_true(step_input_again(i, "a", 100, &part));
        assert_int_equal(part.rank, 2);
        assert_false(part.end);
        assert_true(step_input_again(i, "a", 100, &part));
        assert_int_equal(part.rank, RANK_ALL);
        assert_int_equal(part.offset, 1);
        assert_int_equal(part.size, 0);
        assert_true(part.end);
        assert_false(step_input_again(i, "a", 100, &part));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(input_for_one_task_stays_so),
                cmocka_unit_test(end_behind_input_for_one_task_is_for_all),
                cmocka_unit_test(without_label_bytes_pass_at_once),
                cmocka_unit_test(lines_get_their_rank),
                cmocka_unit_test(a_line_in_pieces_is_one_line),
                cmocka_unit_test(labels_are_as_wide_as_the_last_rank),
                cmocka_unit_test(a_rank_beyond_the_step_is_refused),
                cmocka_unit_test(closed_output_is_reported_once),
                cmocka_unit_test(the_slowest_node_says_how_much_may_be_sent),
                cmocka_unit_test(more_than_was_sent_is_not_taken),
                cmocka_unit_test(a_node_gets_again_what_it_has_not_taken),
                cmocka_unit_test(what_comes_again_is_passed_over_and_a_gap_waits),
                cmocka_unit_test(taken_bytes_are_told_once),
                cmocka_unit_test(file_names_are_filled_in),
                cmocka_unit_test(a_node_gets_again_the_signals_it_has_not_had),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
