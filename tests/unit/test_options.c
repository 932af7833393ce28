/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/fold.h"
#include "lib/options.h"

struct sample {
        bool flag, on;
        unsigned verbose;
        const char *text;
        uint32_t number;
        int calls;
        char last[32];
};
#define FIELD(name) offsetof(struct sample, name)

static int note(void *field, const char *value, struct fail *fail) {
        struct sample *s = field;

        if (value && streq(value, "bad"))
                return fail_set(fail, -EINVAL, "bad is bad");
        s->calls++;
        snprintf(s->last, sizeof s->last, "%s", value ? value : "-");
        return 0;
}

static const struct option_row rows[] = {
        { "flag", 'f', OPTION_FLAG, FIELD(flag), NULL, NULL, "a flag" },
        { "off", 0, OPTION_UNFLAG, FIELD(on), NULL, NULL, "turns on off" },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL, "more" },
        { "text", 't', OPTION_TEXT, FIELD(text), NULL, "word", "a word" },
        { "number", 'n', OPTION_NUMBER, FIELD(number), NULL, "count", "a number" },
        { "call", 'c', OPTION_CALL, 0, note, "what", "calls" },
        { "maybe", 'm', OPTION_CALL_OPTIONAL, 0, note, "what", "may have a value" },
        { "bare", 0, OPTION_CALL_FLAG, 0, note, NULL, "has none" },
        { "quiet", 'q', OPTION_IGNORED, 0, NULL, NULL, "nothing" },
        { "later", 'L', OPTION_REFUSED, 0, NULL, NULL, NULL },
        OPTION_ROWS_HELP('h'),
};
static const struct option_table table = {
        .program = "sample",
        .operands = "[name...]",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};
static const struct option_table stopping = {
        .program = "sample",
        .stop = true,
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

static int parse(const struct option_table *t, struct sample *s, int *first,
                const char *const *words) {
        char *argv[16];
        int argc = 0;

        for (; words[argc]; argc++)
                argv[argc] = (char *)words[argc];
        argv[argc] = NULL;
        return options_parse(t, argc, argv, s, first);
}
#define PARSE(t, s, first, ...)                                                                    \
        parse((t), (s), (first), (const char *const[]){ "sample", __VA_ARGS__, NULL })

static void every_kind_sets_its_field(void **state) {
        struct sample s = { .on = true };
        int first;

        assert_int_equal(PARSE(&table, &s, &first, "-fvv", "--off", "a", "-t", "x y", "--num=7",
                                         "-c", "now", "-q"),
                        0);
        assert_int_equal(first, 9); /* "a" went behind the options */
        assert_true(s.flag);
        assert_false(s.on);
        assert_int_equal(s.verbose, 2);
        assert_string_equal(s.text, "x y");
        assert_int_equal(s.number, 7);
        assert_string_equal(s.last, "now");
}

static void an_optional_argument_may_be_left_out(void **state) {
        struct sample s = { 0 };
        int first;

        assert_int_equal(PARSE(&table, &s, &first, "-m", "--maybe=x", "--bare"), 0);
        assert_int_equal(s.calls, 3);
        assert_string_equal(s.last, "-");
}

static void the_first_operand_ends_options_where_the_table_says_so(void **state) {
        struct sample s = { 0 };
        int first;

        assert_int_equal(PARSE(&stopping, &s, &first, "-f", "program", "-v"), 0);
        assert_int_equal(first, 2);
        assert_true(s.flag);
        assert_int_equal(s.verbose, 0);
}

static void what_is_wrong_is_refused(void **state) {
        struct sample s = { 0 };
        int first;

        assert_int_equal(PARSE(&table, &s, &first, "--nonsense"), -EINVAL);
        assert_int_equal(PARSE(&table, &s, &first, "-n", "7x"), -EINVAL);
        assert_int_equal(PARSE(&table, &s, &first, "-n", "-1"), -EINVAL);
        assert_int_equal(PARSE(&table, &s, &first, "-n", "99999999999"), -EINVAL);
        assert_int_equal(PARSE(&table, &s, &first, "-t"), -EINVAL);
        assert_int_equal(PARSE(&table, &s, &first, "-c", "bad"), -EINVAL);
        assert_int_equal(PARSE(&table, &s, &first, "-L"), -ENOTSUP);
}

static void the_environment_sets_by_long_name(void **state) {
        struct sample s = { 0 };
        struct fail fail = { 0 };

        assert_int_equal(options_set(&table, "number", "12", &s, &fail), 0);
        assert_int_equal(s.number, 12);
        assert_int_equal(options_set(&table, "flag", NULL, &s, &fail), 0);
        assert_true(s.flag);
        assert_int_equal(options_set(&table, "text", NULL, &s, &fail), -EINVAL);
        assert_int_equal(options_set(&table, "nothing", "1", &s, &fail), -ENOENT);
        assert_int_equal(options_set(&table, "later", NULL, &s, &fail), -ENOTSUP);
        assert_string_equal(fail.text, "--later is not implemented by Slumber yet");
}

static void rows_are_listed_by_name_where_the_table_says_so(void **state) {
        _cleanup_free_ char *text = NULL;
        struct option_table by_name = table;
        const char *flag, *off, *verbose;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        (void)state;
        by_name.n_by_name = ELEMENTSOF(rows) - 3; /* all but help, usage, version */
        options_help(&by_name, f);
        fclose(f);
        flag = strstr(text, "--flag");
        off = strstr(text, "--off");
        verbose = strstr(text, "--verbose");
        assert_true(strstr(text, "--bare") < strstr(text, "--call"));
        assert_true(strstr(text, "--call") < flag && flag < off && off < verbose);
        assert_true(verbose < strstr(text, "--help"));
}

static void help_and_usage_come_from_the_table(void **state) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        options_help(&table, f);
        options_usage(&table, f);
        options_version(f);
        fclose(f);
        assert_non_null(strstr(text, "Usage: sample [OPTIONS] [name...]\n  -f, --flag              "
                                     "      a flag\n"));
        assert_non_null(strstr(text, "\n  -m, --maybe[=what]            may have a value\n"));
        assert_non_null(strstr(text, "\n      --bare                    has none\n"));
        assert_null(strstr(text, "later"));
        assert_non_null(strstr(text, "\nUsage: sample [-f] [--off] [-v] [-t word]"));
        assert_non_null(strstr(text, "\nslurm 25.05.0 (Slumber "));
}

/* Lines that are too long go on below their second column; words stay whole. */
static void help_is_folded(void **state) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        (void)state;
        fold_text(f, "short\n\n  -x                  aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbb "
                     "cccccc dddddd\n");
        fold_text(f, "Usage: program aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
                     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb c\n"
                     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                     "no newline");
        fclose(f);
        assert_string_equal(text,
                        "short\n\n"
                        "  -x                  aaaaaaaaaaaaaaaaaaaa "
                        "bbbbbbbbbbbbbbbbbbbbbbbbbbbb cccccc\n"
                        "                      dddddd\n"
                        "Usage: program aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                        "       bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb c\n"
                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                        "no newline\n");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_kind_sets_its_field),
                cmocka_unit_test(an_optional_argument_may_be_left_out),
                cmocka_unit_test(the_first_operand_ends_options_where_the_table_says_so),
                cmocka_unit_test(what_is_wrong_is_refused),
                cmocka_unit_test(the_environment_sets_by_long_name),
                cmocka_unit_test(help_and_usage_come_from_the_table),
                cmocka_unit_test(help_is_folded),
                cmocka_unit_test(rows_are_listed_by_name_where_the_table_says_so),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
