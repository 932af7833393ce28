/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CliFilterPlugins without lua: how a daemon tells its commands, the user's file of defaults, the
 * line for the system's log. */
#include "tests/unit/test.h"

#include "commands/filter/filter.h"
#include "commands/filter/submit_log.h"
#include "commands/filter/user_defaults.h"
#include "lib/cli_filter.h"

static void told(const char *words, const char *text) {
        struct cli_filter f = { 0 }, back;

        cli_filter_words(&f, words);
        _cleanup_free_ char *is = cli_filter_text(&f, "c", "/etc/x/cli_filter.lua");
        if (!text) {
                assert_null(is);
                return;
        }
        assert_string_equal(is, text);
        assert_int_equal(cli_filter_parse(is, &back), 0);
        assert_int_equal(back.n, f.n);
        assert_memory_equal(back.kinds, f.kinds, f.n * sizeof *f.kinds);
        cli_filter_done(&back);
}

static void a_daemon_tells_which_and_in_which_order(void **state) {
        static const char *const wrong[] = { "", "lua", "lua:c", "lua:c:", "nosuch:c:", ":c:/x",
                "syslog:c:/x" };
        struct cli_filter f;

        (void)state;
        told("", NULL);
        told("none", NULL);
        told("cli_filter/lua", "/etc/x/cli_filter.lua");
        told("user_defaults", "user_defaults:c:");
        told("cli_filter/syslog,Lua, syslog,user_defaults",
                        "syslog,lua,user_defaults:c:/etc/x/cli_filter.lua");
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                assert_int_equal(cli_filter_parse(wrong[i], &f), -EINVAL);
                cli_filter_done(&f);
        }
}

/* The options of a command of cluster c, with the file's text. */
static int set(struct job_options *o, enum job_command command, const char *text,
                struct fail *fail) {
        static struct user_defaults d; /* options are borrowed from it */

        user_defaults_done(&d);
        job_options_init(o, command);
        int r = user_defaults_parse("defaults", text, strlen(text), &d, fail);
        return r < 0 ? r : user_defaults_set(&d, "c", o, fail);
}

static void good(enum job_command command, const char *text, const char *partition) {
        struct job_options o;
        struct fail fail = { 0 };

        if (set(&o, command, text, &fail) < 0)
                fail_msg("%s: %s", text, fail.text);
        Slumber__JobSpec spec;
        job_options_spec(&o, &spec);
        assert_string_equal(spec.partition, partition);
}

static void a_line_is_for_some_commands_and_clusters(void **state) {
        struct job_options o;
        struct fail fail = { 0 };

        (void)state;
        good(JOB_SBATCH, "partition=p", "p");
        good(JOB_SBATCH, "# partition=q\n\n \t partition \t=  p \r\n", "p");
        good(JOB_SBATCH, "sbatch:partition=p\nsrun:partition=q", "p");
        good(JOB_SRUN, "sbatch:partition=p\nsrun:partition=q", "q");
        good(JOB_SALLOC, "*:*:partition=p", "p");
        good(JOB_SALLOC, " : c : partition = p", "p");
        good(JOB_SALLOC, "salloc:d:partition=p", "");
        good(JOB_SBATCH, "sbatch:c:partition=p\n*:d:partition=q", "p");
        good(JOB_SBATCH, "partition=a=b:c", "a=b:c");
        good(JOB_SBATCH, "mpi=pmi2", ""); /* of srun alone */
        assert_int_equal(set(&o, JOB_SBATCH, "hold\nexclusive=\nrequeue = yes\ncomment=two words",
                                         &fail),
                        0);
        assert_true(o.spec.hold);
        assert_string_equal(o.spec.comment, "two words");
}

static void a_wrong_line_is_named(void **state) {
        static const struct {
                const char *text, *why;
        } wrong[] = {
                { "\nnosuch=1", "defaults line 2: no command has option --nosuch" },
                { "sbatch:mpi=pmi2", "defaults line 1: this command has no option --mpi" },
                { "squeue:partition=p",
                                "defaults line 1: \"squeue\" is no command: sbatch, srun, salloc or * was expected" },
                { "--partition=p", "defaults line 1: \"--partition\" is no option: "
                                   "COMMAND:CLUSTER:OPTION=VALUE was expected" },
                { "a:b:c:d=1", "defaults line 1: \"a\" is no command: sbatch, srun, salloc or * was expected" },
                { "=x", "defaults line 1: \"\" is no option: COMMAND:CLUSTER:OPTION=VALUE was expected" },
                { "hold=no", "defaults line 1: --hold takes no value, and there is \"no\"" },
                { "partition", "defaults line 1: --partition needs a value" },
                { "time=soon", "defaults line 1: Invalid --time specification" },
                { "comment=a\x1b[1m", "defaults line 1: comment: a control character" },
        };
        struct job_options o;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                struct fail fail = { 0 };
                assert_true(set(&o, JOB_SBATCH, wrong[i].text, &fail) < 0);
                assert_string_equal(fail.text, wrong[i].why);
        }
}

static void there_are_limits(void **state) {
        _cleanup_free_ char *many = xmalloc(USER_DEFAULTS_SIZE + 2);
        struct user_defaults d;
        struct fail fail = { 0 };

        (void)state;
        memset(many, ' ', USER_DEFAULTS_SIZE + 1);
        assert_int_equal(user_defaults_parse("f", many, USER_DEFAULTS_SIZE + 1, &d, &fail), -E2BIG);
        user_defaults_done(&d);
        for (size_t i = 0; i <= USER_DEFAULTS_ROWS; i++)
                memcpy(many + 2 * i, "a\n", 2);
        assert_int_equal(user_defaults_parse("f", many, 2 * (size_t)USER_DEFAULTS_ROWS + 2, &d,
                                         &fail),
                        -E2BIG);
        assert_string_equal(fail.text, "f line 1001: more than 1000 defaults");
        user_defaults_done(&d);
        assert_int_equal(user_defaults_parse("f", "a\0b", 3, &d, &fail), -EINVAL);
        user_defaults_done(&d);
}

static void a_submission_is_one_line(void **state) {
        struct job_options o;
        struct fail fail = { 0 };
        char *argv[] = { (char *)"a\"b\\c", (char *)"d\ne\xff", (char *)"\xc3\xa9" };

        (void)state;
        job_options_init(&o, JOB_SALLOC);
        assert_int_equal(job_options_set(&o, "comment", "x y", &fail), 0);
        job_options_read(&o);
        _cleanup_free_ char *line = submit_log_line(&o, argv, 3, 7, STEP_NONE);
        assert_string_equal(line,
                        "{\"type\":\"salloc\",\"job_id\":7,\"options\":{\"comment\":\"x y\"},"
                        "\"argv\":[\"a\\u0022b\\u005cc\",\"d\\u000ae\\ufffd\",\"\xc3\xa9\"]}");
        _cleanup_free_ char *step = submit_log_line(&o, argv, 0, 7, 3);
        assert_string_equal(step, "{\"type\":\"salloc\",\"job_id\":7,\"step_id\":3,"
                                  "\"options\":{\"comment\":\"x y\"},\"argv\":[]}");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                /* first: what is said of an option is remembered */
                cmocka_unit_test(a_submission_is_one_line),
                cmocka_unit_test(a_daemon_tells_which_and_in_which_order),
                cmocka_unit_test(a_line_is_for_some_commands_and_clusters),
                cmocka_unit_test(a_wrong_line_is_named),
                cmocka_unit_test(there_are_limits),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
