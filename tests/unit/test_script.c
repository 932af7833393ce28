/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/submit/script.h"

static int check(const char *s, struct fail *fail) {
        return script_check(s, strlen(s), fail);
}

static void what_is_no_script_is_refused(void **state) {
        struct fail fail = { 0 };

        assert_int_equal(check("#!/bin/sh\ntrue\n", &fail), 0);
        assert_int_equal(check("", &fail), -EINVAL);
        assert_string_equal(fail.text, "Batch script is empty!");
        assert_int_equal(check(" \n\n", &fail), -EINVAL);
        assert_string_equal(fail.text, "Batch script contains only whitespace!");
        assert_int_equal(check("echo\n", &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "This does not look like a batch script.  The first\n"));
        assert_int_equal(check(" #!/bin/sh\n", &fail), -EINVAL);
        assert_int_equal(check("#!/bin/sh\r\necho\r\n", &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "DOS line breaks"));
        assert_int_equal(check("#!/bin/sh\n#SBATCH -N1\r\n", &fail), -EINVAL);
        assert_int_equal(script_check("#!/bin/sh\n\0\n", 12, &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "NULL character"));
}

static int lines(const char *s, struct script_lines *ret, struct fail *fail) {
        return script_lines(s, strlen(s), "job.sh", ret, fail);
}

/* All words of a line, joined by |. */
static void words(const char *line, const char *expected) {
        _cleanup_(script_lines_done) struct script_lines l = { 0 };
        _cleanup_free_ char *script = xasprintf("#!/bin/sh\n#SBATCH %s\n", line);
        struct fail fail = { 0 };
        char text[256] = "";

        assert_int_equal(lines(script, &l, &fail), 0);
        assert_int_equal(l.n, 1);
        for (int i = 1; i < l.lines[0].argc; i++)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 1 ? "|" : "",
                                l.lines[0].argv[i]);
        assert_string_equal(text, expected);
        assert_null(l.lines[0].argv[l.lines[0].argc]);
}

static void words_are_split_as_a_shell_would(void **state) {
        words("-N 2", "-N|2");
        words(" --job-name='a b'\t-n1", "--job-name=a b|-n1");
        words("-J \"x \\\"y\\\"\" # words", "-J|x \"y\"");
        words("-J a\\ b", "-J|a b");
        words("--comment='a#b' -C x#y", "--comment=a#b|-C|x");
        words("-J ''", "-J|");
        words("-o out\r", "-o|out");
}

static void directives_of_burst_buffers_are_comments(void **state) {
        _cleanup_(script_lines_done) struct script_lines l = { 0 };
        struct fail fail = { 0 };

        assert_int_equal(lines("#!/bin/sh\n#DW jobdw capacity=1\n#BB x\n#SBATCH -n2\n", &l, &fail),
                        0);
        assert_int_equal(l.n, 1);
}

static void lines_end_at_the_first_command(void **state) {
        _cleanup_(script_lines_done) struct script_lines l = { 0 };
        struct fail fail = { 0 };

        assert_int_equal(
                        lines("#!/bin/sh\n# words\n#SBATCH -N1\n\n  \n\t # x\n#SBATCH -n2\n##SBATCH "
                              "-c9\ntrue\n"
                              "#SBATCH -N9\n",
                                        &l, &fail),
                        0);
        assert_int_equal(l.n, 2);
        assert_int_equal(l.lines[0].number, 3);
        assert_int_equal(l.lines[1].number, 7);
        assert_string_equal(l.lines[1].argv[1], "-n2");
}

static void damaged_lines_are_named(void **state) {
        struct script_lines l = { 0 };
        struct fail fail = { 0 };

        assert_int_equal(lines("#!/bin/sh\n#SBATCH -J \"a b\n", &l, &fail), -EINVAL);
        assert_string_equal(fail.text, "job.sh: line 2: Unmatched `\"` in [ -J \"a b]");
        assert_int_equal(lines("#!/bin/sh\n#SBATCH -N1\n#SBATCHx -N1\n", &l, &fail), -EINVAL);
        assert_string_equal(fail.text, "Invalid directive found in batch script: x -N1");
        assert_null(l.lines);
}

static void a_first_word_in_quotes_is_not_plain(void **state) {
        _cleanup_(script_lines_done) struct script_lines l = { 0 };
        struct fail fail = { 0 };

        assert_int_equal(lines("#!/bin/sh\n#SBATCH  a b\n#SBATCH \"a\"\n#SBATCH 'a' b\n#SBATCH "
                               "a\"b\"\n#SBATCH \n",
                                         &l, &fail),
                        0);
        assert_int_equal(l.n, 5);
        assert_true(l.lines[0].plain);
        for (size_t i = 1; i < l.n; i++)
                assert_false(l.lines[i].plain);
}

static void a_missing_script_is_named(void **state) {
        char *script = NULL;
        struct fail fail = { 0 };
        size_t size;

        assert_int_equal(script_read("/nonexistent/x", &script, &size, &fail), -ENOENT);
        assert_string_equal(fail.text, "Unable to open file /nonexistent/x");
        assert_int_equal(script_read("/tmp", &script, &size, &fail), -EISDIR);
}

static void a_script_beyond_the_limit_is_refused(void **state) {
        char *script = NULL;
        struct fail fail = { 0 };
        size_t size;

        assert_int_equal(script_read("/dev/zero", &script, &size, &fail), -EFBIG);
        assert_null(script);
}

static void a_bare_name_is_looked_for_in_path(void **state) {
        _cleanup_free_ char *here = NULL, *there = NULL, *nowhere = NULL;

        setenv("PATH", "/nonexistent:/bin", 1);
        here = script_find("./sh");
        there = script_find("sh");
        nowhere = script_find("no-such-script");
        assert_string_equal(here, "./sh");
        assert_string_equal(there, "/bin/sh");
        assert_string_equal(nowhere, "no-such-script");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_no_script_is_refused),
                cmocka_unit_test(words_are_split_as_a_shell_would),
                cmocka_unit_test(directives_of_burst_buffers_are_comments),
                cmocka_unit_test(lines_end_at_the_first_command),
                cmocka_unit_test(damaged_lines_are_named),
                cmocka_unit_test(a_first_word_in_quotes_is_not_plain),
                cmocka_unit_test(a_missing_script_is_named),
                cmocka_unit_test(a_script_beyond_the_limit_is_refused),
                cmocka_unit_test(a_bare_name_is_looked_for_in_path),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
