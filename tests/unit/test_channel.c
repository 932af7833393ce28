/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/channel.h: whatever is lost on the way, all bytes arrive once, within the window */
#include "tests/unit/test.h"

#include "lib/channel.h"

static Slumber__StepIo next_of(struct channel *c, size_t most) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        assert_true(channel_next(c, most, &io));
        return io;
}

static bool is_quiet(struct channel *c) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        return !channel_next(c, SIZE_MAX, &io);
}

static void assert_waits(const struct channel *c, const char *text) {
        size_t size;
        const uint8_t *data = channel_waiting(c, &size);

        assert_int_equal(size, strlen(text));
        assert_memory_equal(data, text, size);
}

static void bytes_arrive_and_are_acknowledged(void **state) {
        struct channel a = { 0 }, b = { 0 };
        Slumber__StepIo io;

        assert_true(is_quiet(&a));
        channel_put(&a, "hello", 5);
        io = next_of(&a, 3);
        assert_int_equal(channel_take(&b, &io), 0);
        io = next_of(&a, 3);
        assert_int_equal(channel_take(&b, &io), 0);
        assert_true(is_quiet(&a));
        assert_waits(&b, "hello");
        assert_true(is_quiet(&b)); /* nothing is written yet */
        channel_written(&b, 5);
        io = next_of(&b, 3);
        assert_int_equal(io.taken, 5);
        assert_int_equal(channel_take(&a, &io), 0);
        assert_int_equal(channel_room(&a, 1), CHANNEL_WINDOW);
        channel_done(&a);
        channel_done(&b);
}

static void what_was_lost_comes_again_once(void **state) {
        struct channel a = { 0 }, b = { 0 };
        Slumber__StepIo io;

        channel_put(&a, "one", 3);
        (void)next_of(&a, 9); /* lost */
        channel_put(&a, "two", 3);
        io = next_of(&a, 9);
        assert_int_equal(io.offset, 3);
        assert_int_equal(channel_take(&b, &io), 0); /* behind a gap */
        assert_waits(&b, "");
        channel_again(&a);
        io = next_of(&a, 4);
        assert_true(io.resume);
        assert_int_equal(channel_take(&b, &io), 0);
        assert_int_equal(channel_take(&b, &io), 0); /* twice */
        assert_waits(&b, "onet");
        io = next_of(&a, 9);
        assert_int_equal(channel_take(&b, &io), 0);
        assert_waits(&b, "onetwo");
        channel_done(&a);
        channel_done(&b);
}

static void its_end_comes_behind_all_bytes(void **state) {
        struct channel a = { 0 }, b = { 0 };
        Slumber__StepIo io;

        channel_put(&a, "last", 4);
        channel_end(&a);
        assert_int_equal(channel_room(&a, 1), 0);
        io = next_of(&a, 9);
        assert_true(io.eof);
        assert_int_equal(channel_take(&b, &io), 0);
        assert_false(channel_is_over(&b));
        channel_written(&b, 4);
        assert_true(channel_is_over(&b));
        io = (Slumber__StepIo)SLUMBER__STEP_IO__INIT;
        channel_say_closed(7, &io);
        assert_true(channel_says_closed(&io));
        assert_int_equal(io.rank, 7);
        channel_done(&a);
        channel_done(&b);
}

static void more_than_the_window_is_refused(void **state) {
        static uint8_t much[CHANNEL_WINDOW + 1];
        struct channel b = { 0 };
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.data.data = much;
        io.data.len = sizeof much;
        assert_int_equal(channel_take(&b, &io), -EPROTO);
        io.data.len = CHANNEL_WINDOW;
        assert_int_equal(channel_take(&b, &io), 0);
        io.taken = 5; /* of what was never sent */
        assert_int_equal(channel_take(&b, &io), 0);
        channel_done(&b);
}

/* As when each of so many programs stands still with all that its window takes. */
static void many_share_what_is_kept(void **state) {
        static const uint8_t bytes[CHANNEL_WINDOW];
        static struct channel all[512];
        size_t held = 0;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(all); i++) {
                channel_put(&all[i], bytes, channel_room(&all[i], i + 1));
                held += channel_held(&all[i]);
        }
        assert_in_range(held, 1 << 20, 8 << 20);
        assert_int_equal(channel_room(&all[0], 512), 0);
        assert_int_equal(channel_room(&(struct channel){ 0 }, 4096), CHANNEL_LEAST);
        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                channel_done(&all[i]);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(bytes_arrive_and_are_acknowledged),
                cmocka_unit_test(what_was_lost_comes_again_once),
                cmocka_unit_test(many_share_what_is_kept),
                cmocka_unit_test(its_end_comes_behind_all_bytes),
                cmocka_unit_test(more_than_the_window_is_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
