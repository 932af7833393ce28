/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/programs/resume_file.h"

#include <json-c/json.h>

static void expect(const struct resume_job *jobs, size_t n, const char *all, const char *text) {
        _cleanup_free_ char *got = resume_file_text(jobs, n, all);

        assert_string_equal(got, text);
}

static void nodes_without_jobs_have_an_empty_list(void **state) {
        expect(NULL, 0, "n[1-3]", "{\"jobs\":[],\"all_nodes_resume\":\"n[1-3]\"}");
}

static void jobs_stand_on_one_line_with_null_for_unset(void **state) {
        static const struct resume_job jobs[] = {
                { .id = 7,
                                .extra = "{\"a\":1}",
                                .features = "gpu&big",
                                .nodes_alloc = "n[1-3]",
                                .nodes_resume = "n[2-3]",
                                .oversubscribe = "NO",
                                .partition = "debug",
                                .reservation = "maint" },
                { .id = 4294967295,
                                .nodes_alloc = "n4",
                                .nodes_resume = "n4",
                                .oversubscribe = "OK",
                                .partition = "p/q" },
        };

        expect(jobs, 2, "n[2-4]",
                        "{\"jobs\":[{\"extra\":\"{\\\"a\\\":1}\",\"job_id\":7,\"features\":\"gpu&"
                        "big\","
                        "\"nodes_alloc\":\"n[1-3]\",\"nodes_resume\":\"n[2-3]\",\"oversubscribe\":"
                        "\"NO\","
                        "\"partition\":\"debug\",\"reservation\":\"maint\"},"
                        "{\"extra\":null,\"job_id\":4294967295,\"features\":null,\"nodes_alloc\":"
                        "\"n4\","
                        "\"nodes_resume\":\"n4\",\"oversubscribe\":\"OK\",\"partition\":\"p/q\","
                        "\"reservation\":null}],\"all_nodes_resume\":\"n[2-4]\"}");
}

static void the_newer_form_has_two_keys_more(void **state) {
        const struct resume_job job = { .id = 7,
                .nodes_alloc = "n1",
                .nodes_resume = "n1",
                .oversubscribe = "NO",
                .exclusive = "NODE",
                .priority = 4294901758,
                .partition = "p" };

        expect(&job, 1, "n1",
                        "{\"jobs\":[{\"extra\":null,\"exclusive\":\"NODE\",\"job_id\":7,"
                        "\"features\":null,\"nodes_alloc\":\"n1\",\"nodes_resume\":\"n1\","
                        "\"oversubscribe\":\"NO\",\"partition\":\"p\",\"priority\":4294901758,"
                        "\"reservation\":null}],\"all_nodes_resume\":\"n1\"}");
}

static void extra_survives(const char *extra, const char *expected) {
        const struct resume_job job = { .id = 1, .extra = extra, .oversubscribe = "OK" };
        _cleanup_free_ char *text = resume_file_text(&job, 1, "n1");
        json_tokener *tokener = json_tokener_new();

        assert_null(strchr(text, '\n'));
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        json_object *file = json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
        assert_non_null(file);
        json_object *first = json_object_array_get_idx(json_object_object_get(file, "jobs"), 0);
        assert_string_equal(json_object_get_string(json_object_object_get(first, "extra")),
                        expected);
        json_object_put(file);
        json_tokener_free(tokener);
}

static void hostile_text_of_users_stays_one_valid_string(void **state) {
        static const char *const kept[] = { "\"}],\"all_nodes_resume\":\"x", "a\nb\tc\\",
                "\x01\x1f\x7f", "gr\xc3\xbc\xc3\x9f", "\xe2\x82\xac\xef\xbf\xbf",
                "\xf0\x9f\x92\xa4", "\xf4\x8f\xbf\xbf" };
        static const char *const replaced[][2] = {
                { "\xff", "\xef\xbf\xbd" },
                { "a\xc3", "a\xef\xbf\xbd" },
                { "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
                { "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
                { "\xf4\x90\x80\x80z", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz" },
                { "\xe2\x82"
                  "a",
                                "\xef\xbf\xbd\xef\xbf\xbd"
                                "a" },
        };

        for (size_t i = 0; i < ELEMENTSOF(kept); i++)
                extra_survives(kept[i], kept[i]);
        for (size_t i = 0; i < ELEMENTSOF(replaced); i++)
                extra_survives(replaced[i][0], replaced[i][1]);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(nodes_without_jobs_have_an_empty_list),
                cmocka_unit_test(jobs_stand_on_one_line_with_null_for_unset),
                cmocka_unit_test(the_newer_form_has_two_keys_more),
                cmocka_unit_test(hostile_text_of_users_stays_one_valid_string),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
