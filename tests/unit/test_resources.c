/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.yaml: what is read of it, and each mistake with its line, its column and what was
   expected. */
#include "lib/config/resources.h"
#include "lib/timetext.h"
#include "tests/unit/test.h"

/* node01 to node32, as in the guide. */
static size_t find_node(const char *name, const void *user) {
        uint64_t n = 0;

        (void)user;
        if (strncmp(name, "node", 4) != 0 || strlen(name) != 6 ||
                        uint_parse(name + 4, 1, 32, &n) < 0)
                return SIZE_MAX;
        return (size_t)n - 1;
}

static bool is_license(const char *name, const void *user) {
        (void)user;
        return streq(name, "matlab");
}

static const struct resource_names names = { .n_nodes = 32,
        .node = find_node,
        .license = is_license };

static int parse(const char *text, struct resources **ret, struct fail *fail) {
        return resources_parse("resources.yaml", text, strlen(text), &names, ret, fail);
}

static const char guide[] =
                "---\n- resource: flat\n  mode: MODE_2\n  layers:\n    - nodes:\t\t\t# top\n        - \"node[01-32]\"\n      count: 24\n"
                "    - nodes:\n        - \"node[01-16]\"\n      count: 16\n    - nodes:\n        - \"node[17-32]\"\n      count: 16\n"
                "- resource: natural\n  mode: MODE_1\n  layers:\n    - nodes:\n        - \"node[01-32]\"\n      count: 50\n"
                "    - nodes:\n        - \"node[17-20]\"\n        - \"node[21-32]\"\n      count: -1\n";

static void the_guides_file_is_read(void **state) {
        _cleanup_(resources_freep) struct resources *r = NULL;
        struct fail fail = { 0 };

        assert_int_equal(parse(guide, &r, &fail), 0);
        assert_int_equal(r->n, 2);
        assert_string_equal(r->list[0].name, "flat");
        assert_int_equal(r->list[0].mode, RESOURCE_MODE_2);
        assert_int_equal(r->list[0].n_layers, 3);
        assert_int_equal(r->list[0].layers[0].count, 24);
        assert_string_equal(r->list[0].layers[1].text, "node[01-16]");
        assert_int_equal(bitset_count(r->list[0].layers[1].nodes), 16);
        assert_true(r->list[1].layers[1].infinite);
        assert_string_equal(r->list[1].layers[1].text, "node[17-32]");
}

static void a_byte_order_mark_is_passed_over(void **state) {
        _cleanup_(resources_freep) struct resources *r = NULL;
        _cleanup_free_ char *text = xasprintf("\xef\xbb\xbf%s", guide);
        struct fail fail = { 0 };

        assert_int_equal(parse(text, &r, &fail), 0);
        assert_int_equal(r->n, 2);
}

/* However deep, it is refused at the seventh level. */
static void a_deep_document_costs_nothing(void **state) {
        _cleanup_(resources_freep) struct resources *r = NULL;
        _cleanup_free_ char *text = xnew0(char, 1024 * 1024);
        struct fail fail = { 0 };

        memset(text, '[', 1024 * 1024 - 1);
        assert_true(parse(text, &r, &fail) < 0);
        assert_non_null(strstr(fail.text, "line 1 column 7: "));
}

static void what_is_in_use_anyway_is_taken_off(void **state) {
        _cleanup_(resources_freep) struct resources *r = NULL;
        struct fail fail = { 0 };

        assert_int_equal(
                        parse("- resource: power\n  mode: MODE_3\n  variables:\n    - {name: full_node, value: 1000}\n  layers:\n"
                              "    - {nodes: 'node[01-08]', count: 16000, base: [{name: a, value: 100}]}\n"
                              "    - {nodes: 'node[01-04]', count: 8000, base: [{name: b, value: 20}, {name: c, value: 3}]}\n"
                              "    - {nodes: 'node[05-08]', count: -1}\n",
                                        &r, &fail),
                        0);
        assert_int_equal(r->list[0].layers[0].count, 16000 - 123);
        assert_int_equal(r->list[0].layers[1].count, 8000 - 23);
        assert_int_equal(r->list[0].n_variables, 1);
        assert_int_equal(r->list[0].variables[0].value, 1000);
}

static void a_file_may_say_nothing(void **state) {
        static const char *const none[] = { "", "# nothing\n", "---\n", "[]\n" };

        for (size_t i = 0; i < ELEMENTSOF(none); i++) {
                struct resources *r = NULL;
                struct fail fail = { 0 };
                assert_int_equal(parse(none[i], &r, &fail), 0);
                assert_null(r);
        }
}

/* Two resources with one list of layers. */
static void an_alias_may_be_used(void **state) {
        _cleanup_(resources_freep) struct resources *r = NULL;
        struct fail fail = { 0 };

        assert_int_equal(
                        parse("- resource: a\n  mode: MODE_1\n  layers: &l [{nodes: node01, count: 1}]\n"
                              "- resource: b\n  mode: MODE_2\n  layers: *l\n",
                                        &r, &fail),
                        0);
        assert_int_equal(r->list[1].n_layers, 1);
}

#define ONE(layers)  "- resource: a\n  mode: MODE_1\n  layers:\n" layers
#define TREE(layers) "- resource: a\n  mode: MODE_3\n  layers:\n" layers

static const struct {
        const char *text, *message;
} bad[] = {
        { "a: 1", "line 1 column 1: a mapping stands here, expected a list of resources" },
        { "- a", "line 1 column 3: a text stands here, expected a resource as a mapping (key: value)" },
        { "[[[[[[[", "line 1 column 7: lists and mappings are nested more than 6 deep" },
        { "- - - - - - - a", "line 1 column 13: lists and mappings are nested more than 6 deep" },
        { "- mode: MODE_1\n  resource: a",
                        "line 1 column 3: resource was expected as the first key" },
        { "- resource: a\n  mode: MODE_1", "line 1 column 3: a resource has no layers" },
        { "- resource: a\n  mode: MODE_4",
                        "line 2 column 9: mode: \"MODE_4\" is not MODE_1, MODE_2 or MODE_3" },
        { "- resource: a\n  mode: [MODE_1]",
                        "line 2 column 9: mode: a list stands here, expected MODE_1, MODE_2 or MODE_3" },
        { "- resource: a\n  mode: MODE_1\n  mode: MODE_2", "line 3 column 3: mode stands twice" },
        { "- resource: a\n  colour: red", "line 2 column 3: colour is not a key of a resource" },
        { "- resource: matlab", "line 1 column 13: matlab is the name of a license in slurm.conf" },
        { "- resource: \"a(b)\"", "line 1 column 13: \"a(b)\" is not a name: letters" },
        { ONE("  - {nodes: node01, count: 1}\n") ONE("  - {nodes: node01, count: 1}\n"),
                        "line 5 column 13: there is a resource a already, line 1" },
        { "- resource: a\n  mode: MODE_1\n  layers: []",
                        "line 3 column 11: layers: an empty list stands here, expected a list of layers" },
        { ONE("  - {nodes: [], count: 1}"), "line 4 column 13: a layer has no nodes" },
        { ONE("  - {nodes: node33, count: 1}"),
                        "line 4 column 13: there is no node node33 in slurm.conf" },
        { ONE("  - {nodes: 'node[1-', count: 1}"),
                        "line 4 column 13: names of nodes were expected: " },
        { ONE("  - {nodes: node01}"), "line 4 column 5: a layer has no count" },
        { ONE("  - {nodes: node01, count: -2}"),
                        "line 4 column 28: count: \"-2\" is not a number from 0 to 2147483647, or -1 for no end" },
        { ONE("  - {nodes: node01, count: 18446744073709551616}"),
                        "line 4 column 28: count: \"18446744073709551616\" is not a number from 0 to 2147483647, or -1 for no end" },
        { ONE("  - {nodes: node01, count: 2147483648}"),
                        "line 4 column 28: count: \"2147483648\" is not a number from 0 to 2147483647, or -1 for no end" },
        { ONE("  - {nodes: node01, count: 1}\n  - {nodes: [node01], count: 2}"),
                        "line 5 column 13: a has a layer of these nodes already, line 4" },
        { ONE("  - {nodes: node01, count: 1, base: [{name: b, value: 1}]}"),
                        "line 4 column 37: base is for MODE_3" },
        { "- resource: a\n  mode: MODE_1\n  variables: [{name: b, value: 1}]\n  layers: [{nodes: node01, count: 1}]",
                        "line 2 column 9: variables are for MODE_3" },
        { "- resource: a\n  mode: MODE_3\n  variables: [{name: b, value: 1}, {name: b, value: 2}]",
                        "line 3 column 36: the variable b stands twice" },
        { "- resource: a\n  mode: MODE_3\n  variables: [{name: 12, value: 1}]",
                        "line 3 column 15: the variable 12 would be a count" },
        { "- resource: a\n  mode: MODE_3\n  topology: t",
                        "line 3 column 13: topology is not implemented" },
        { TREE("  - {nodes: 'node[01-02]', count: 10, base: [{name: b, value: 11}]}"),
                        "line 4 column 13: nodes node[01-02]: the sum of base, 11, is more than the count, 10" },
        { TREE("  - {nodes: 'node[01-04]', count: 1}\n  - {nodes: 'node[05-08]', count: 1}"),
                        "line 5 column 13: nodes node[05-08]: a second layer that no other contains" },
        { TREE("  - {nodes: 'node[01-08]', count: 1}\n  - {nodes: 'node[01-04]', count: 1}\n  - {nodes: 'node[04-08]', count: 1}"),
                        "line 6 column 13: nodes node[04-08]: a part of the layer of line 5" },
        { TREE("  - {nodes: 'node[01-08]', count: 1}\n  - {nodes: 'node[01-04]', count: 1}\n  - {nodes: 'node[05-08]', count: 1}\n  - {nodes: 'node05', count: 1}"),
                        "line 7 column 13: nodes node05: 2 layers around it, around others 1" },
        { "&a [ *a ]", "line 1 column 1: an alias stands inside what it stands for" },
        { "- resource: a\n  mode: MODE_1\n  layers: &l [ *l ]",
                        "line 3 column 11: an alias stands inside what it stands for" },
        { "- resource: a\n  layers: *b", "line 2 column 11: found undefined alias" },
        { "[]\n---\n[]", "line 3 column 1: a second document: one was expected" },
        { "- [", "line 2 column 1: not YAML: did not find expected node content" },
        { "- resource: \"\\0\"",
                        "line 1 column 13: resource: a zero byte stands here, expected a name" },
};

static void mistakes_are_told_with_line_and_column(void **state) {
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct resources *r = NULL;
                struct fail fail = { 0 };
                assert_true(parse(bad[i].text, &r, &fail) < 0);
                _cleanup_free_ char *wanted = xasprintf("resources.yaml %s", bad[i].message);
                if (strncmp(fail.text, wanted, strlen(wanted)) != 0)
                        fail_msg("%s\nsays: %s\nnot:  %s", bad[i].text, fail.text, wanted);
                assert_null(r);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_guides_file_is_read),
                cmocka_unit_test(a_byte_order_mark_is_passed_over),
                cmocka_unit_test(a_deep_document_costs_nothing),
                cmocka_unit_test(what_is_in_use_anyway_is_taken_off),
                cmocka_unit_test(a_file_may_say_nothing),
                cmocka_unit_test(an_alias_may_be_used),
                cmocka_unit_test(mistakes_are_told_with_line_and_column),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
