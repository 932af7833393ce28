/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/files/job_container.h"

static struct job_containers *parse(const char *text, struct fail *fail) {
        struct job_containers *c = NULL;

        return job_containers_parse("jc", text, strlen(text), &c, fail) < 0 ? NULL : c;
}

static void lines_of_nodes_count_more(void **state) {
        _cleanup_(job_containers_freep) struct job_containers *c = parse(
                        "NodeName=n[2-3] BasePath=/fast/%n Shared=true InitScript=/etc/init\n"
                        "BasePath=/local AutoBasePath=true\n"
                        "NodeName=n3 Dirs=/tmp,/var/tmp\nNodeName=n4 BasePath=none\n",
                        NULL);

        (void)state;
        assert_non_null(c);
        struct node_container of = job_containers_of(c, "n1");
        assert_string_equal(of.base, "/local");
        assert_string_equal(of.dirs, "/tmp,/dev/shm");
        assert_null(of.init_script);
        assert_true(of.auto_base && !of.shared);
        free(of.base);
        of = job_containers_of(c, "n3");
        assert_string_equal(of.base, "/fast/n3");
        assert_string_equal(of.dirs, "/tmp,/var/tmp");
        assert_string_equal(of.init_script, "/etc/init");
        assert_true(of.auto_base && of.shared);
        free(of.base);
        of = job_containers_of(c, "n4");
        assert_null(of.base);
        of = job_containers_of(NULL, "n1");
        assert_null(of.base);
}

static void what_is_wrong_is_named(void **state) {
        static const char *const bad[][2] = {
                { "AutoBasePath=true\n", "jc has no BasePath" },
                { "BasePath=/a\nBasePth=/b\n",
                                "jc line 2: BasePth: job_container.conf has no such key" },
                { "BasePath=local\n", "jc line 1: BasePath=local is not an absolute path" },
                { "BasePath=/a/../tmp\n", "jc line 1: BasePath=/a/../tmp is not an absolute path" },
                { "BasePath=/tmp\n", "jc line 1: BasePath=/tmp cannot be among what is private" },
                { "BasePath=/a/%h\n",
                                "jc line 1: BasePath=/a/%h: %n is the only pattern that is known" },
                { "BasePath=/a Dirs=/tmp,\n",
                                "jc line 1: Dirs=/tmp,: absolute paths by commas were expected" },
                { "BasePath=/a Shared=2\n", "jc line 1: Shared=2: true or false was expected" },
                { "BasePath=/a InitScript=x\n", "jc line 1: InitScript=x is not an absolute path" },
                { "BasePath=/a EntireStepInNS=yes\n",
                                "jc line 1: EntireStepInNS is not implemented by Slumber" },
                { "BasePath=/a CloneNSEpilog=/b\n",
                                "jc line 1: CloneNSEpilog is not implemented by Slumber" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                assert_null(parse(bad[i][0], &fail));
                assert_string_equal(fail.text, bad[i][1]);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(lines_of_nodes_count_more),
                cmocka_unit_test(what_is_wrong_is_named),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
