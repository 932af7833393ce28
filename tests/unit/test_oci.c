/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/oci/bundle.h"
#include "agent/oci/oci_line.h"
#include "lib/files/oci.h"

static char *const arguments[] = { (char *)"echo", (char *)"it's", NULL };
static char *const environment[] = { (char *)"A=step", NULL };

static void patterns_are_replaced_and_quoted(void **state) {
        static const struct oci_names names = { .bundle = "/a b",
                .folder = "/f",
                .node = "n1",
                .user = "ada",
                .arguments = arguments,
                .job = 7,
                .task = 2,
                .uid = 5,
                .pid = 9,
                .step = "batch" };
        _cleanup_free_ char *line = oci_line("run %b %m %n.%j.%s.%t %u/%U %p 100%% [%r] %@",
                        &names);

        (void)state;
        assert_string_equal(line, "run '/a b' /f n1.7.batch.2 ada/5 9 100% [''] 'echo' 'it'\\''s'");
}

static int refused(const char *text, const char *why) {
        struct oci_config *c = NULL;
        struct fail fail = { 0 };
        int r = oci_config_parse("oci.conf", text, strlen(text), &c, &fail);

        assert_null(c);
        assert_string_equal(fail.text, why);
        return r;
}

static void the_file_is_refused_by_line_and_key(void **state) {
        (void)state;
        refused("", "oci.conf: RunTimeRun is missing");
        refused("RunTimeRun=x\nRunTimeStart=x\n",
                        "oci.conf: RunTimeRun excludes RunTimeCreate and RunTimeStart");
        refused("RunTimeCreate=x\n", "oci.conf: RunTimeStart is missing");
        refused("RunTimeStart=x\nRunTimeQuery=x\n", "oci.conf: RunTimeCreate is missing");
        refused("RunTimeCreate=x\nRunTimeStart=x\n",
                        "oci.conf: RunTimeQuery is missing: it tells the process that RunTimeCreate has made");
        refused("RunTimeRun=x\nNone=1\n", "oci.conf line 2: None: oci.conf has no such key");
        refused("RunTimeRun=\"x %z\"\n", "oci.conf line 1: RunTimeRun: \"%z\" is not a pattern");
        refused("RunTimeRun=\"x %\"\n", "oci.conf line 1: RunTimeRun: \"%\" is not a pattern");
        refused("RunTimeRun=x\nSrunPath=/x\n",
                        "oci.conf line 2: SrunPath: it cannot be had here: it is for scrun, which Slumber does not have");
        refused("MountSpoolDir=x\n",
                        "oci.conf line 1: MountSpoolDir: \"x\" is not an absolute path");
        refused("CreateEnvFile=x\n",
                        "oci.conf line 1: CreateEnvFile: \"x\" is none of newline, null, disabled");
        refused("DisableHooks=prestart,x\n",
                        "oci.conf line 1: DisableHooks: \"x\" is not a hook of OCI");
        refused("IgnoreFileConfigJson=maybe\n",
                        "oci.conf line 1: IgnoreFileConfigJson: \"maybe\" is neither true nor false");
        assert_int_equal(refused("EnvExclude=\"(\"\n",
                                         "oci.conf line 1: EnvExclude: \"(\": Unmatched ( or \\("),
                        -EINVAL);
}

static int state_of(const char *text, pid_t *ret, struct fail *fail) {
        return container_state_pid(text, strlen(text), ret, fail);
}

static void a_state_tells_the_process(void **state) {
        static const char *const wrong[] = { "", "[]", "{}", "{\"pid\":0}", "{\"pid\":1}",
                "{\"pid\":-7}", "{\"pid\":\"7\"}", "{\"pid\":99999999999}" };
        pid_t pid = 0;

        (void)state;
        assert_int_equal(state_of("{\"ociVersion\":\"1.0.0\",\"status\":\"created\",\"pid\":77}",
                                         &pid, NULL),
                        0);
        assert_int_equal(pid, 77);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                struct fail fail = { 0 };
                assert_int_equal(state_of(wrong[i], &pid, &fail), -EINVAL);
                assert_true(*fail.text);
        }
}

static void the_file_is_read(void **state) {
        static const char text[] = "# containers\nRunTimeRun=\"run %b\" CreateEnvFile=disabled\n"
                                   "IgnoreFileConfigJson=yes EnvExclude=\"^(A|B)=\"\n";
        _cleanup_(oci_config_freep) struct oci_config *c = NULL;
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(oci_config_parse("oci.conf", text, strlen(text), &c, &fail), 0);
        assert_string_equal(c->run, "run %b");
        assert_string_equal(c->env_exclude, "^(A|B)=");
        assert_null(c->env_file);
        assert_true(c->ignore_config);
}

static void config(const char *text, uid_t uid, const char *wanted) {
        _cleanup_free_ char *made = NULL, *root = NULL;
        struct fail fail = { 0 };
        int r = bundle_config(text, strlen(text),
                        &(struct bundle_wish){ .folder = "/b",
                                        .arguments = arguments,
                                        .environment = environment,
                                        .disable_hooks = "poststop",
                                        .uid = uid,
                                        .gid = uid },
                        &made, &root, &fail);

        assert_string_equal(r < 0 ? fail.text : made, wanted);
        if (r >= 0)
                assert_string_equal(root, "/b/rootfs");
}

static void a_bundle_gets_what_the_task_has(void **state) {
        (void)state;
        config("{\"root\":{\"path\":\"rootfs\"},\"process\":{\"terminal\":true,\"cwd\":\"/w\","
               "\"env\":[\"A=bundle\",\"B=1\"]},\"hooks\":{\"poststop\":[]},"
               "\"linux\":{\"resources\":{},\"cgroupsPath\":\"/x\"}}",
                        0,
                        "{\"root\":{\"path\":\"/b/rootfs\"},\"process\":{\"terminal\":false,"
                        "\"cwd\":\"/w\",\"env\":[\"B=1\",\"A=step\"],"
                        "\"args\":[\"echo\",\"it's\"]},\"hooks\":{},\"linux\":{}}");
        config("{\"root\":{\"path\":\"rootfs\"}}", 5,
                        "{\"root\":{\"path\":\"/b/rootfs\"},\"process\":{\"terminal\":false,"
                        "\"args\":[\"echo\",\"it's\"],\"cwd\":\"/\",\"env\":[\"A=step\"],"
                        "\"user\":{\"uid\":0,\"gid\":0}},\"linux\":{"
                        "\"uidMappings\":[{\"containerID\":0,\"hostID\":5,\"size\":1}],"
                        "\"gidMappings\":[{\"containerID\":0,\"hostID\":5,\"size\":1}],"
                        "\"namespaces\":[{\"type\":\"user\"}]}}");
}

static void a_bad_bundle_is_refused(void **state) {
        (void)state;
        config("", 5, "it ends too early");
        config("{\"root\":", 5, "it ends too early");
        config("[]", 5, "it is not an object");
        config("null", 5, "it is not an object");
        config("{} x", 5, "root.path is missing");
        config("{\"root\":7}", 5, "root.path is missing");
        config("{\"root\":{\"path\":\"r\"},\"process\":1}", 5, "process is not an object");
        config("{\"root\":{\"path\":\"r\"},\"process\":{\"env\":1}}", 5,
                        "process.env is not an array");
        config("{\"root\":{\"path\":\"r\"},\"linux\":1}", 5,
                        "linux is not an object, or linux.namespaces not an array");
        config("{\"root\":{\"path\":\"r\"},\"linux\":{\"namespaces\":{}}}", 5,
                        "linux is not an object, or linux.namespaces not an array");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(patterns_are_replaced_and_quoted),
                cmocka_unit_test(the_file_is_refused_by_line_and_key),
                cmocka_unit_test(a_state_tells_the_process),
                cmocka_unit_test(the_file_is_read),
                cmocka_unit_test(a_bundle_gets_what_the_task_has),
                cmocka_unit_test(a_bad_bundle_is_refused),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
