/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/log.h"

#include <fcntl.h>
#include <regex.h>
#include <sys/stat.h>

static char path[64], rotated[80];

static int set_up(void **state) {
        snprintf(path, sizeof path, "/tmp/test-log-XXXXXX");
        int fd = mkstemp(path);

        assert_true(fd >= 0);
        close(fd);
        snprintf(rotated, sizeof rotated, "%s.1", path);
        return 0;
}

static int tear_down(void **state) {
        log_open("test", NULL, LOG_INFO); /* closes the file */
        unlink(path);
        unlink(rotated);
        return 0;
}

static char *contents(const char *name) {
        _cleanup_fclose_ FILE *f = fopen(name, "re");
        char *text = xnew0(char, 65536);

        assert_non_null(f);
        assert_true(fread(text, 1, 65535, f) < 65535);
        return text;
}

static void assert_matches(const char *text, const char *pattern) {
        regex_t re;

        assert_int_equal(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB), 0);
        int r = regexec(&re, text, 0, NULL, 0);
        regfree(&re);
        if (r != 0)
                fail_msg("\"%s\" does not match \"%s\"", text, pattern);
}

static void lines_carry_time_program_and_reason(void **state) {
        assert_int_equal(log_open("slumbertest", path, LOG_INFO), 0);
        assert_int_equal(log_warning(-ENOENT, "Failed to read %s: %m", "x"), -ENOENT);
        log_info("job %u ends", 7);
        log_debug("not shown");
        assert_int_equal(log_fields(LOG_ERR, 0, 7, "n1", "Launch failed"), 0);

        _cleanup_free_ char *text = contents(path);
        assert_matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}[+-]"
                             "[0-9]{4} "
                             "slumbertest: warning: Failed to read x: No such file or directory\n"
                             "[^\n]* slumbertest: job 7 ends\n"
                             "[^\n]* slumbertest: error: Launch failed\n$");
}

static void a_users_newline_makes_no_line(void **state) {
        assert_int_equal(log_open("t", path, LOG_INFO), 0);
        log_info("job \"%s\"", "a\n2030-01-01 forged\x1b[2J");
        _cleanup_free_ char *text = contents(path);
        assert_matches(text, "job \"a\\?2030-01-01 forged\\?\\[2J\"\n$");
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void a_long_line_is_cut(void **state) {
        _cleanup_free_ char *big = xnew0(char, 100001);

        memset(big, 'x', 100000);
        assert_int_equal(log_open("t", path, LOG_INFO), 0);
        log_info("%s", big);
        _cleanup_free_ char *text = contents(path);
        assert_true(strlen(text) < 3000);
        assert_int_equal(text[strlen(text) - 1], '\n');
}

static void a_rotated_file_is_opened_anew(void **state) {
        assert_int_equal(log_open("t", path, LOG_INFO), 0);
        log_info("first");
        assert_int_equal(rename(path, rotated), 0);
        log_info("second");
        log_reopen();
        log_info("third");

        _cleanup_free_ char *old = contents(rotated), *new = contents(path);
        assert_matches(old, "first\n.*second\n$");
        assert_matches(new, "third\n$");
        assert_null(strstr(new, "second"));
}

static void a_file_that_cannot_be_opened_changes_nothing(void **state) {
        assert_int_equal(log_open("t", path, LOG_INFO), 0);
        assert_int_equal(log_open("t", "/nonexistent/log", LOG_INFO), -ENOENT);
        log_info("still here");
        _cleanup_free_ char *text = contents(path);
        assert_matches(text, "still here\n$");
}

/* Logs a line with stderr going to the file; text says what $JOURNAL_STREAM is. */
static char *with_stderr_in_file(const char *journal_stream) {
        _cleanup_close_ int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

        setenv("JOURNAL_STREAM", journal_stream, 1);
        dup2(fd, STDERR_FILENO);
        assert_int_equal(log_open("t", NULL, LOG_INFO), 0);
        log_info("to stderr");
        dup2(saved, STDERR_FILENO);
        unsetenv("JOURNAL_STREAM");
        return contents(path);
}

static void a_redirected_stderr_is_no_journal(void **state) {
        _cleanup_free_ char *text = with_stderr_in_file("1:2");

        assert_matches(text, " t: to stderr\n$");
}

/* Of each place by itself; the others of that time are counted. */
static void a_flood_is_folded(void **state) {
        static struct log_fold fold;
        unsigned written = 0;

        assert_int_equal(log_open("t", path, LOG_INFO), 0);
        for (int i = 0; i < 1000; i++)
                written += log_fold(&fold, LOG_WARNING, "from %d", i);
        assert_int_equal(written, LOG_FOLD_LINES);
        for (int i = 0; i < 3; i++)
                log_warning_folded("another");
        fold.since -= LOG_FOLD_TIME; /* it is over */
        log_info("anything");
        _cleanup_free_ char *text = contents(path);
        assert_non_null(strstr(text, "warning: 990 more lines like this: from 999\n"));
        assert_non_null(strstr(text, "anything"));
        assert_true(log_fold(&fold, LOG_WARNING, "anew"));
}

/* The journal gets it through its own socket, with fields; nothing goes to the stream as well. */
static void the_journals_stream_is_known_by_its_inode(void **state) {
        char stream[64];
        struct stat st;

        assert_int_equal(stat(path, &st), 0);
        snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev,
                        (unsigned long long)st.st_ino);
        _cleanup_free_ char *text = with_stderr_in_file(stream);
        assert_string_equal(text, "");
}

static void slurms_words_for_levels_are_known(void **state) {
        assert_int_equal(log_level_parse("quiet"), LOG_EMERG);
        assert_int_equal(log_level_parse("Error"), LOG_ERR);
        assert_int_equal(log_level_parse("info"), LOG_INFO);
        assert_int_equal(log_level_parse("3"), LOG_INFO);
        assert_int_equal(log_level_parse("debug2"), LOG_DEBUG);
        assert_int_equal(log_level_parse("9"), LOG_DEBUG);
        assert_int_equal(log_level_parse("debug6"), -EINVAL);
        assert_int_equal(log_level_parse(""), -EINVAL);
        assert_int_equal(log_level_parse("10"), -EINVAL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
        static const struct CMUnitTest tests[] = {
                CASE(lines_carry_time_program_and_reason),
                CASE(a_users_newline_makes_no_line),
                CASE(a_long_line_is_cut),
                CASE(a_rotated_file_is_opened_anew),
                CASE(a_file_that_cannot_be_opened_changes_nothing),
                CASE(a_redirected_stderr_is_no_journal),
                CASE(a_flood_is_folded),
                CASE(the_journals_stream_is_known_by_its_inode),
                CASE(slurms_words_for_levels_are_known),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
