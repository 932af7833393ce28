/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/timetext.h"

#include <time.h>

#define S USEC_PER_SEC

static void time_limits_in_all_spellings(void **state) {
        static const struct {
                const char *text;
                usec_t value;
        } good[] = {
                { "0", 0 },
                { "90", 5400 * S },
                { "1:30", 90 * S },
                { "2:00:05", 7205 * S },
                { "1-2", 26 * 3600 * S },
                { "1-2:30", (26 * 3600 + 1800) * S },
                { "1-02:30:15", (26 * 3600 + 1800 + 15) * S },
                { "365-0", (usec_t)365 * 86400 * S },
                { "UNLIMITED", NO_LIMIT },
                { "infinite", NO_LIMIT },
                { "-1", NO_LIMIT },
        };
        static const char *const bad[] = { "", "x", "-2", "1:", ":1", "1:2:3:4", "1-", "-1-2",
                "1-2:3:4:5", "1.5", " 1", "1 ", "1-2-3", "9999999999", "999999999-0", "1h" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(good); i++) {
                usec_t t = 1;
                assert_int_equal(duration_parse(good[i].text, &t, NULL), 0);
                assert_int_equal(t, good[i].value);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                usec_t t = 1;
                assert_int_equal(duration_parse(bad[i], &t, &fail), -EINVAL);
                assert_int_equal(t, 1);
                assert_non_null(strstr(fail.text, "is not a time"));
        }
}

static void limits_are_whole_minutes(void **state) {
        static const struct {
                const char *text;
                usec_t minutes;
        } good[] = { { "0", 0 }, { "0:00", 0 }, { "0:01", 1 }, { "0:30", 1 }, { "1:00", 1 },
                { "5:30", 6 }, { "90", 90 }, { "1:59:59", 120 }, { "1-0:0:1", 1441 },
                { "366000-0", (usec_t)366000 * 1440 } };
        usec_t t = 1;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(good); i++) {
                assert_int_equal(limit_parse(good[i].text, &t, NULL), 0);
                assert_int_equal(t, good[i].minutes * 60 * S);
        }
        assert_int_equal(limit_parse("UNLIMITED", &t, NULL), 0);
        assert_true(t == NO_LIMIT);
        t = 1;
        assert_int_equal(limit_parse("0:30x", &t, NULL), -EINVAL);
        assert_int_equal(t, 1);
}

static void seconds_of_the_configuration(void **state) {
        struct fail fail = { 0 };
        usec_t t = 1;

        (void)state;
        assert_int_equal(seconds_parse("300", &t, NULL), 0);
        assert_int_equal(t, 300 * S);
        assert_int_equal(seconds_parse("INFINITE", &t, NULL), 0);
        assert_int_equal(t, NO_LIMIT);
        assert_int_equal(seconds_parse("-1", &t, NULL), 0);
        assert_int_equal(seconds_parse("abc", &t, &fail), -EINVAL);
        assert_string_equal(fail.text, "\"abc\" is not a number of seconds");
        assert_int_equal(seconds_parse("-2", &t, NULL), -EINVAL);
        assert_int_equal(seconds_parse("99999999999999999999999", &t, NULL), -EINVAL);
        assert_int_equal(seconds_parse("", &t, NULL), -EINVAL);
}

static void a_negative_suspend_time_is_none(void **state) {
        const char *const never[] = { "-1", "-5", "-600", "NONE", "none", "INFINITE", "UNLIMITED" };
        const char *const wrong[] = { "-", "-x", "--5", "-5s", "5m", "", "NONE5" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(never); i++) {
                usec_t t = 1;
                assert_int_equal(suspend_time_parse(never[i], &t, NULL), 0);
                assert_int_equal(t, NO_LIMIT);
        }
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                usec_t t = 1;
                assert_int_equal(suspend_time_parse(wrong[i], &t, NULL), -EINVAL);
                assert_int_equal(t, 1);
        }
        usec_t t = 1;
        assert_int_equal(suspend_time_parse("0", &t, NULL), 0);
        assert_int_equal(t, 0);
}

static void durations_are_printed(void **state) {
        static const struct {
                usec_t value;
                const char *text, *brief;
        } rows[] = {
                { 0, "00:00:00", "0:00" },
                { 5 * S, "00:00:05", "0:05" },
                { 65 * S, "00:01:05", "1:05" },
                { 3600 * S, "01:00:00", "1:00:00" },
                { 86399 * S, "23:59:59", "23:59:59" },
                { 86400 * S, "1-00:00:00", "1-00:00:00" },
                { 31536000 * S, "365-00:00:00", "365-00:00:00" },
                { NO_LIMIT, "UNLIMITED", "UNLIMITED" },
        };
        char buf[TIMETEXT_MAX];

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                assert_string_equal(duration_text(rows[i].value, buf), rows[i].text);
                assert_string_equal(duration_short(rows[i].value, buf), rows[i].brief);
        }
}

/* 2026-03-14 15:00:00 UTC, a Saturday */
#define NOW ((usec_t)1773500400 * S)

static void points_in_time(void **state) {
        static const struct {
                const char *text, *result;
        } rows[] = {
                { "now", "2026-03-14T15:00:00" },
                { "now+60", "2026-03-14T15:01:00" },
                { "now+1hour", "2026-03-14T16:00:00" },
                { "now + 2 hours", "2026-03-14T17:00:00" },
                { "NOW+3days", "2026-03-17T15:00:00" },
                { "now+1week", "2026-03-21T15:00:00" },
                { "now+5min", "2026-03-14T15:05:00" },
                { "now+5minutes", "2026-03-14T15:05:00" },
                { "now-1hour", "2026-03-14T14:00:00" },
                { "16:00", "2026-03-14T16:00:00" },
                { "15:00", "2026-03-14T15:00:00" },
                { "14:59:59", "2026-03-15T14:59:59" },
                { "4:30PM", "2026-03-14T16:30:00" },
                { "4:30 am", "2026-03-15T04:30:00" },
                { "12:15am", "2026-03-15T00:15:00" },
                { "12:15pm", "2026-03-15T12:15:00" },
                { "midnight", "2026-03-15T00:00:00" },
                { "noon", "2026-03-15T12:00:00" },
                { "elevenses", "2026-03-15T11:00:00" },
                { "fika", "2026-03-14T15:00:00" },
                { "teatime", "2026-03-14T16:00:00" },
                { "today", "2026-03-14T00:00:00" },
                { "tomorrow", "2026-03-15T00:00:00" },
                { "tomorrow noon", "2026-03-15T12:00:00" },
                { "noon tomorrow", "2026-03-15T12:00:00" },
                { "08:00 tomorrow", "2026-03-15T08:00:00" },
                { "noon-tomorrow", "2026-03-15T12:00:00" },
                { "tomorrow-noon", "2026-03-15T12:00:00" },
                { "noontomorrow", "2026-03-15T12:00:00" },
                { "16:00-tomorrow", "2026-03-15T16:00:00" },
                { "tomorrow-16:00", "2026-03-15T16:00:00" },
                { "2027-01-02Tnoon", "2027-01-02T12:00:00" },
                { "2027-01-02-teatime", "2027-01-02T16:00:00" },
                { "noon-2027-01-02", "2027-01-02T12:00:00" },
                { "  noon   tomorrow ", "2026-03-15T12:00:00" },
                { "032026", "2026-03-20T00:00:00" },
                { "0320", "2026-03-20T00:00:00" },
                { "0313", "2027-03-13T00:00:00" },
                { "0314", "2026-03-14T00:00:00" },
                { "03/20", "2026-03-20T00:00:00" },
                { "03/20/27", "2027-03-20T00:00:00" },
                { "03.20.27", "2027-03-20T00:00:00" },
                { "03/20/27-12:30", "2027-03-20T12:30:00" },
                { "03/20/2027 12:30", "2027-03-20T12:30:00" },
                { "2027-01-02", "2027-01-02T00:00:00" },
                { "2027-01-02T03:04", "2027-01-02T03:04:00" },
                { "2027-01-02T03:04:05", "2027-01-02T03:04:05" },
                { "2027-01-02-03:04:05", "2027-01-02T03:04:05" },
                { "2028-02-29", "2028-02-29T00:00:00" },
                { "uts1773500400", "2026-03-14T15:00:00" },
        };
        char buf[TIMETEXT_MAX];

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                usec_t t = 0;
                if (time_parse(rows[i].text, NOW, &t, NULL) < 0)
                        fail_msg("%s is refused", rows[i].text);
                assert_string_equal(time_text(t, NULL, buf), rows[i].result);
        }
}

static void bad_points_in_time_are_refused(void **state) {
        static const char *const bad[] = { "", " ", "x", "nowhere", "now+", "now+x",
                "now+1fortnight", "now+1hourss", "now*2", "24:00", "12:60", "12:00:60", "13:00pm",
                "0:30am", "pm", "1", "12", "2026-13-01", "2026-02-30", "2027-02-29", "2026-01",
                "2026-01-02T", "2026-01-02Tx", "12:00 13:00", "today tomorrow", "1/2/3/4", "uts",
                "utsx", "now+999999999weeks", "99999999", "12:00x", "tomorrowx", "noon-",
                "noon--today", "noon+1day", "tomorrow16:00", "noonT12:00", "noon- tomorrow",
                "now-tomorrow", "2026-01-02-", "13/01", "1-2-3" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                usec_t t = 1;
                if (time_parse(bad[i], NOW, &t, NULL) != -EINVAL &&
                                time_parse(bad[i], NOW, &t, NULL) != -ERANGE)
                        fail_msg("%s is accepted", bad[i]);
                assert_int_equal(t, 1);
        }
}

static void times_are_printed(void **state) {
        char buf[TIMETEXT_MAX], format[200];

        (void)state;
        assert_string_equal(time_text(0, NULL, buf), "Unknown");
        assert_string_equal(time_text(NO_LIMIT, NULL, buf), "Unknown");
        assert_string_equal(time_text(NOW, NULL, buf), "2026-03-14T15:00:00");
        assert_string_equal(time_text(NOW, "%d.%m.%Y", buf), "14.03.2026");
        assert_string_equal(time_text(NOW, "standard", buf), "2026-03-14T15:00:00");
        memset(format, 'x', sizeof format);
        format[199] = 0;
        assert_string_equal(time_text(NOW, format, buf), "2026-03-14T15:00:00");
}

static void memory_in_all_units(void **state) {
        static const struct {
                const char *text;
                uint64_t mb;
                const char *printed;
        } rows[] = {
                { "0", 0, "0" },
                { "100", 100, "100M" },
                { "100M", 100, "100M" },
                { "4G", 4096, "4G" },
                { "4gb", 4096, "4G" },
                { "1536", 1536, "1536M" },
                { "512K", 1, "1M" },
                { "1025K", 2, "2M" },
                { "1T", 1024 * 1024, "1T" },
                { "3P", UINT64_C(3) << 30, "3P" },
        };
        static const char *const bad[] = { "", "G", "-1", "1.5G", "4X", "4GG", "9999999999999999",
                "9999999T", " 4", "4 G" };
        char buf[TIMETEXT_MAX];

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                uint64_t mb = 7;
                assert_int_equal(memory_parse(rows[i].text, &mb, NULL), 0);
                assert_int_equal(mb, rows[i].mb);
                assert_string_equal(memory_text(mb, buf), rows[i].printed);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                uint64_t mb = 7;
                assert_int_equal(memory_parse(bad[i], &mb, NULL), -EINVAL);
                assert_int_equal(mb, 7);
        }
}

static void whole_numbers_within_limits(void **state) {
        uint64_t v = 7;

        (void)state;
        assert_int_equal(uint_parse("5", 1, 10, &v), 0);
        assert_int_equal(v, 5);
        assert_int_equal(uint_parse("18446744073709551615", 0, UINT64_MAX, &v), 0);
        assert_true(v == UINT64_MAX);
        assert_int_equal(uint_parse("18446744073709551616", 0, UINT64_MAX, &v), -ERANGE);
        assert_int_equal(uint_parse("0", 1, 10, &v), -ERANGE);
        assert_int_equal(uint_parse("11", 1, 10, &v), -ERANGE);
        assert_int_equal(uint_parse("", 0, 10, &v), -EINVAL);
        assert_int_equal(uint_parse("+1", 0, 10, &v), -EINVAL);
        assert_int_equal(uint_parse("1 ", 0, 10, &v), -EINVAL);
}

static void how_often_tasks_are_looked_at(void **state) {
        static const struct {
                const char *text;
                uint64_t seconds; /* 7: not named */
        } rows[] = { { "30", 30 }, { "task=5", 5 }, { "TASK=0,energy=60", 0 }, { "energy=60", 7 },
                { "energy=1,network=2,filesystem=3,task=4", 4 }, { "", 7 } };
        static const char *const bad[] = { "x", "-1", "101", "task=", "task=x", "task=101",
                "tasks=5", "foo=5", "5,energy=x", "energy=5,=5" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                uint64_t seconds = 7;
                assert_int_equal(sampling_parse(rows[i].text, 100, &seconds), 0);
                assert_int_equal(seconds, rows[i].seconds);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                uint64_t seconds = 7;
                assert_int_equal(sampling_parse(bad[i], 100, &seconds), -EINVAL);
                assert_int_equal(seconds, 7);
        }
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(time_limits_in_all_spellings),
                cmocka_unit_test(limits_are_whole_minutes),
                cmocka_unit_test(seconds_of_the_configuration),
                cmocka_unit_test(a_negative_suspend_time_is_none),
                cmocka_unit_test(durations_are_printed),
                cmocka_unit_test(points_in_time),
                cmocka_unit_test(bad_points_in_time_are_refused),
                cmocka_unit_test(times_are_printed),
                cmocka_unit_test(memory_in_all_units),
                cmocka_unit_test(whole_numbers_within_limits),
                cmocka_unit_test(how_often_tasks_are_looked_at),
        };

        setenv("TZ", "UTC", 1);
        tzset();
        return cmocka_run_group_tests(tests, NULL, NULL);
}
