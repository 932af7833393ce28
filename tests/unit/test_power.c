/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "power/identity.h"

#include <sys/stat.h>

/* ---- power.yaml ---- */

static int parse(const char *text, struct power_conf **ret, struct fail *fail) {
        *fail = (struct fail){ 0 };
        return power_conf_parse("/x/power.yaml", text, strlen(text), ret, fail);
}

#define GOOD_DEFAULTS                                                                              \
        "defaults: {user: admin, password_file: pw, cipher_suite: 3, workarounds: "                \
        "[opensesspriv]}\n"

static void a_whole_file_is_understood(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        struct fail fail;

        (void)state;
        int r = parse("console: {dir: /var/log/c, seconds: 30, max_bytes: 4096, workarounds: "
                      "[solpayloadsize]}\n"
                      "nodes:\n"
                      "  - {nodes: \"n[1-8]\", bmc: \"127.1.0.[1-8]\"}\n"
                      "  - {nodes: \"x[01-02]\", bmc: \"bmc-%n:624\", user: root, "
                      "password_credential: bmc,\n"
                      "     cipher_suite: 17, retransmit: 500ms, session: 6s, workarounds: "
                      "\"intel20, sun20\"}\n"
                      "defaults: {driver: ipmi, user: admin, password_file: pw, deadline: 2m, "
                      "poll: 100ms,\n"
                      "           threads: 8, cycle_pause: 1}\n",
                        &conf, &fail);
        assert_string_equal(fail.text, "");
        assert_int_equal(r, 0);
        assert_int_equal(conf->n_bmcs, 10);
        assert_int_equal(conf->deadline, 120 * USEC_PER_SEC);
        assert_int_equal(conf->poll, 100 * USEC_PER_MSEC);
        assert_int_equal(conf->threads, 8);
        assert_int_equal(conf->console.max_bytes, 4096);
        assert_int_equal(conf->console.workarounds, 0x01000000);

        const struct power_bmc *n8 = power_conf_lookup(conf, "n8"),
                               *x2 = power_conf_lookup(conf, "x02");
        assert_non_null(n8);
        assert_non_null(x2);
        assert_null(power_conf_lookup(conf, "n9"));
        assert_string_equal(n8->address, "127.1.0.8");
        assert_string_equal(n8->access->user, "admin");
        assert_int_equal(n8->access->retransmit, 3 * USEC_PER_SEC);
        assert_string_equal(x2->address, "bmc-x02:624");
        assert_string_equal(x2->access->user, "root");
        assert_int_equal(x2->access->cipher_suite, 17);
        assert_int_equal(x2->access->workarounds, 0x0000000a);
        assert_int_equal(x2->access->retransmit, 500 * USEC_PER_MSEC);
}

static void errors_name_file_line_and_key(void **state) {
        static const struct {
                const char *text, *message;
        } cases[] = {
                { "nodes:\n  - {nodes: n1, bmc: b1}\ndefaults:\n  usr: x\n",
                                "/x/power.yaml line 4 column 3: usr is not a key of defaults (driver, user, password_file, password_credential, cipher_suite, workarounds, retransmit, session, auth, ca_file, tls_verify, timeout, broadcast, off_program, program, soft, via, deadline, poll, cycle_pause, threads, lock_file)" },
                { "nods: []\n", "/x/power.yaml line 1 column 1: nods is not a key of power.yaml (nodes, defaults, console)" },
                { "", "/x/power.yaml: the file is empty, expected the key nodes" },
                { "- a\n", "/x/power.yaml line 1 column 1: a list stands here, expected power.yaml as a mapping (key: value)" },
                { GOOD_DEFAULTS, "/x/power.yaml: there are no nodes in it, expected nodes: "
                                 "[{nodes: ..., bmc: ...}]" },
                { GOOD_DEFAULTS GOOD_DEFAULTS,
                                "/x/power.yaml line 2 column 1: defaults stands twice" },
                { "defaults: {user: a, user: b}\n",
                                "/x/power.yaml line 1 column 21: user stands twice" },
                { "defaults: &x {user: a}\nconsole: *x\n",
                                "/x/power.yaml line 1 column 11: anchors (&) are not allowed" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: \"n[1-3]\", bmc: \"b[1-2]\"}\n",
                                "/x/power.yaml line 3 column 28: bmc: 2 addresses for 3 nodes" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: \"n[1-2]\", bmc: \"same{n}\"}\n  - {nodes: "
                                "n3, bmc: same2}\n",
                                "/x/power.yaml line 4 column 5: nodes n2 and n3 have the same BMC same2 (the other is in line 3)" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a}\n  - {nodes: n1, bmc: b}\n",
                                "/x/power.yaml line 4 column 5: nodes: node n1 stands there twice (the other is in line 3)" },
                { GOOD_DEFAULTS "nodes:\n  - {bmc: a}\n",
                                "/x/power.yaml line 3 column 5: an entry needs the key nodes" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: \"a:0\"}\n",
                                "/x/power.yaml line 3 column 22: bmc: \"a:0\" does not end with a port number" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, workarounds: [nosuch]}\n",
                                "/x/power.yaml line 3 column 38: workarounds: \"nosuch\" is not a workaround that FreeIPMI knows" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, cipher_suite: 0}\n",
                                "/x/power.yaml line 3 column 39: cipher_suite: \"0\" is not one of 1, 2, 3, 6, 7, 8, 11, 12, 15, 16 and 17" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, cipher_suite: 5}\n",
                                "/x/power.yaml line 3 column 39: cipher_suite: \"5\" is not one of 1, 2, 3, 6, 7, 8, 11, 12, 15, 16 and 17" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, retransmit: 20s}\n",
                                "/x/power.yaml line 3 column 5: retransmit must be shorter than session" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, session: 3x}\n",
                                "/x/power.yaml line 3 column 34: session: \"3x\" is not a duration (250ms, 3s, 2m)" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, driver: snmp}\n",
                                "/x/power.yaml line 3 column 33: driver: \"snmp\" is not a driver (ipmi, redfish, wake-on-lan, suspend, program)" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: redfish, bmc: a, session: 3s}\n",
                                "/x/power.yaml line 3 column 51: session is not a key of the driver redfish" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: redfish, bmc: a, auth: digest}\n",
                                "/x/power.yaml line 3 column 48: auth: \"digest\" is not session or basic" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: redfish, bmc: a, system: a/b}\n",
                                "/x/power.yaml line 3 column 50: system: \"a/b\" is not the Id of a ComputerSystem, or a pattern (blade{n})" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: redfish, bmc: a, ca_file: c, "
                                "tls_verify: no}\n",
                                "/x/power.yaml line 3 column 51: ca_file: of no use with tls_verify: no" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: wake-on-lan, bmc: a}\n",
                                "/x/power.yaml line 3 column 43: bmc is not a key of the driver wake-on-lan" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: wake-on-lan}\n",
                                "/x/power.yaml line 3 column 5: an entry needs the keys nodes and mac" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: wake-on-lan, mac: \"aa:bb\"}\n",
                                "/x/power.yaml line 3 column 43: mac: \"aa:bb\" is not as many MAC addresses ([aa:bb:cc:dd:ee:ff, ...])" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: \"n[1-2]\", driver: wake-on-lan, mac: "
                                "aabbccddeeff}\n",
                                "/x/power.yaml line 3 column 49: mac: 1 addresses for 2 nodes" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, driver: wake-on-lan, mac: aabbccddeeff, "
                                "check: \"%n\"}\n",
                                "/x/power.yaml line 3 column 64: check: \"n1\" is not HOST:PORT for each node (%n:22)" },
                { "nodes:\n  - {nodes: n1, driver: program, program: pdu}\n",
                                "/x/power.yaml line 2 column 43: program: \"pdu\" is not an absolute path" },
                { "nodes:\n  - {nodes: n1, driver: program}\n",
                                "/x/power.yaml line 2 column 5: an entry needs the key program, here or in defaults" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, password_credential: ../x}\n",
                                "/x/power.yaml line 3 column 46: password_credential: \"../x\" is not the name of a systemd credential" },
                { "nodes:\n  - {nodes: n1, bmc: a, user: u}\n",
                                "/x/power.yaml line 2 column 5: an entry needs password_file or password_credential, here or in defaults" },
                { "nodes:\n  - {nodes: n1, bmc: a, password_file: p}\n",
                                "/x/power.yaml line 2 column 5: an entry needs the key user, here or in defaults" },
                { "defaults: [[[[[[[[\n",
                                "/x/power.yaml line 1 column 14: lists and mappings are nested more than 4 deep" },
                { "defaults: {user: {a: b}}\n",
                                "/x/power.yaml line 1 column 18: user: a mapping stands here, expected a user's name" },
                { "defaults: {user: }\n",
                                "/x/power.yaml line 1 column 18: user: nothing stands here, expected a user's name" },
                { "defaults: {user: \"a\\0b\"}\n",
                                "/x/power.yaml line 1 column 18: user: a zero byte stands here, expected a user's name" },
                { "\ndefaults: {user: *x}\n",
                                "/x/power.yaml line 2 column 18: aliases (*) are not allowed" },
                { "defaults: {user: !!binary YQ==}\n",
                                "/x/power.yaml line 1 column 18: tags (!) are not allowed" },
                { "# x\n\ndefaults: {user: \"\xff\xfe\"}\n",
                                "/x/power.yaml line 3 column 19: not YAML: invalid leading UTF-8 octet" },
                { "defaults:\n\tuser: a\n",
                                "/x/power.yaml line 2 column 1: not YAML: found character that cannot start any token" },
                { "{a: b}: c\n",
                                "/x/power.yaml line 1 column 1: a mapping stands here, expected a key" },
                { GOOD_DEFAULTS "---\n" GOOD_DEFAULTS,
                                "/x/power.yaml line 3 column 1: a second document: one was expected" },
                { GOOD_DEFAULTS "nodes: n1\n",
                                "/x/power.yaml line 2 column 8: nodes: a text stands here, expected a list of entries (- {nodes: ..., bmc: ...})" },
                { GOOD_DEFAULTS "nodes: [n1]\n",
                                "/x/power.yaml line 2 column 9: nodes: a text stands here, expected an entry of nodes as a mapping (key: value)" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: \"n[1-\", bmc: b}\n",
                                "/x/power.yaml line 3 column 13: nodes: host list \"n[1-\": a number is missing in its brackets" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: \"fe80::1\"}\n",
                                "/x/power.yaml line 3 column 22: bmc: \"fe80::1\" is not HOST or HOST:PORT" },
                { GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a, user: seventeen-letters}\n",
                                "/x/power.yaml line 3 column 31: user: \"seventeen-letters\" is longer than IPMI's 16 bytes" },
                { "defaults: {user: a, password_file: p, threads: 0}\nnodes: [{nodes: n1, bmc: "
                  "b}]\n",
                                "/x/power.yaml line 1 column 48: threads: \"0\" is not a number from 1 to 1024" },
                { GOOD_DEFAULTS "console: {dir: relative}\nnodes:\n  - {nodes: n1, bmc: a}\n",
                                "/x/power.yaml line 2 column 16: dir: \"relative\" is not an absolute path" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct power_conf *conf = NULL;
                struct fail fail;
                int r = parse(cases[i].text, &conf, &fail);
                assert_string_equal(fail.text, cases[i].message);
                assert_true(r < 0);
                assert_null(conf);
        }
}

static void a_password_that_cannot_be_had_is_told_with_its_line(void **state) {
        char path[] = "/tmp/slumber-test-power-XXXXXX";
        static const char text[] = "nodes:\n  - nodes: n1\n    bmc: b1\n    user: u\n"
                                   "    password_file: slumber-test-no-such-file\n";
        struct power_conf *conf = NULL;
        struct fail fail = { 0 };

        (void)state;
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
        close(fd);
        assert_int_equal(power_conf_read(path, &conf, &fail), -ENOENT);
        _cleanup_free_ char *wanted = xasprintf("%s line 5 column 20: password file "
                                                "/tmp/slumber-test-no-such-file: No such file or "
                                                "directory",
                        path);
        assert_string_equal(fail.text, wanted);
        unlink(path);
}

static void patterns_make_addresses(void **state) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        struct fail fail;
        char **a;

        (void)state;
        assert_int_equal(hostlist_parse("n[008-010],login", &nodes, &fail), 0);
        assert_int_equal(power_addresses("bmc-%n.x:623", nodes, &a, &fail), 0);
        assert_string_equal(a[0], "bmc-n008.x:623");
        assert_string_equal(a[3], "bmc-login.x:623");
        for (size_t i = 0; i < 4; i++)
                free(a[i]);
        free(a);
        assert_true(power_addresses("10.0.0.{n};x", nodes, &a, &fail) < 0);
        assert_string_equal(fail.text, "\"10.0.0.8;x\" is not HOST or HOST:PORT");
        assert_int_equal(power_addresses("b{n}", nodes, &a, &fail), 0);
        assert_string_equal(a[0], "b8");
        assert_string_equal(a[2], "b10");
        assert_string_equal(a[3], "b");
        for (size_t i = 0; i < 4; i++)
                free(a[i]);
        free(a);
}

static void durations_have_units(void **state) {
        usec_t t = 0;

        (void)state;
        assert_int_equal(power_duration_parse("250ms", &t), 0);
        assert_int_equal(t, 250000);
        assert_int_equal(power_duration_parse("3", &t), 0);
        assert_int_equal(t, 3000000);
        assert_int_equal(power_duration_parse("2m", &t), 0);
        assert_int_equal(t, 120000000);
        assert_true(power_duration_parse("", &t) < 0);
        assert_true(power_duration_parse("s", &t) < 0);
        assert_true(power_duration_parse("-3s", &t) < 0);
        assert_true(power_duration_parse("99999999999999999999h", &t) < 0);
}

static void secrets_must_be_closed_to_others(void **state) {
        char path[] = "/tmp/slumber-test-secret-XXXXXX";
        struct fail fail;
        char *secret = NULL;

        (void)state;
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, "hush\nsecond line\n", 17), 17);
        assert_int_equal(power_secret_read(path, &secret, &fail), 0);
        assert_string_equal(secret, "hush");
        free(secret);
        assert_int_equal(fchmod(fd, 0640), 0);
        assert_int_equal(power_secret_read(path, &secret, &fail), -EPERM);
        assert_non_null(strstr(fail.text, "mode 0640 gives others access"));
        assert_null(strstr(fail.text, "hush"));
        assert_int_equal(fchmod(fd, 0600), 0);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(power_secret_read(path, &secret, &fail), -EINVAL);
        close(fd);
        unlink(path);
        assert_int_equal(power_secret_read(path, &secret, &fail), -ENOENT);
        assert_int_equal(power_secret_read("/dev/null", &secret, &fail), -EINVAL);
}

/* ---- what is printed ---- */

static void results_are_grouped_by_state(void **state) {
        struct power_result r[] = {
                { .node = "n1", .state = POWER_IS_ON, .ok = true },
                { .node = "n2", .state = POWER_IS_ON, .ok = true },
                { .node = "n3",
                                .state = POWER_UNKNOWN,
                                .cause = { POWER_FAULT_SILENT, { .text = "BMC b3 does not answer" },
                                                0 } },
                { .node = "n5", .state = POWER_IS_OFF, .ok = true },
                { .node = "n4", .state = POWER_IS_ON, .ok = true },
        };
        const struct power_result *p[] = { &r[0], &r[1], &r[2], &r[3], &r[4] };

        (void)state;
        _cleanup_free_ char *text = power_report_text(p, 5);
        assert_string_equal(text, "n[1-2,4]: on\nn3: unknown\nn5: off\n");
        _cleanup_free_ char *json = power_report_json(POWER_STATUS, p, NULL, 5);
        assert_non_null(strstr(json, "\"error\":\"BMC b3 does not answer\""));
        assert_int_equal(power_report_exit(p, 5), 1);
        assert_int_equal(power_report_exit(p, 2), 0);
        assert_int_equal(power_report_exit(p + 2, 1), 2);
}

static void watts_are_grouped(void **state) {
        struct power_result r[] = {
                { .node = "n1", .ok = true, .watts = 351.6 },
                { .node = "n2", .cause = { .fault = POWER_FAULT_REFUSED } },
                { .node = "n3", .ok = true, .watts = 352.2 },
                { .node = "n4", .ok = true, .watts = 0 },
        };
        const struct power_result *p[] = { &r[0], &r[1], &r[2], &r[3] };

        (void)state;
        _cleanup_free_ char *text = power_report_watts(p, 4);
        assert_string_equal(text, "n[1,3]: 352 W\nn2: unknown\nn4: 0 W\n");
        _cleanup_free_ char *json = power_report_json(POWER_WATTS, p, NULL, 4);
        assert_non_null(strstr(json, "\"watts\":352,"));
        assert_non_null(strstr(json, "\"watts\":null,"));
}

/* What "slumber-power check" prints of these. */
static char *checked(const struct power_result *const *results, size_t n,
                const struct power_reported *told, size_t n_told, size_t *ret_wrong) {
        struct power_verdict verdicts[8];

        _cleanup_(power_marks_freep) struct power_marks *marks = power_marks_new(results, n, told,
                        n_told);
        *ret_wrong = 0;
        for (size_t i = 0; i < n; i++) {
                verdicts[i] = power_verdict(marks, i);
                *ret_wrong += verdicts[i].kind > VERDICT_OWN;
        }
        return power_report_owners(results, verdicts, n);
}

static void bmcs_of_other_nodes_are_named(void **state) {
        struct power_result n1 = {
                .node = "n1",
                .ok = true,
                .state = POWER_IS_ON,
                .identity = { "00112233-4455-6677-8899-aabbccddeeff", "2.10", "", "", "", "" },
        };
        struct power_result n2 = {
                .node = "n2",
                .ok = true,
                .state = POWER_IS_OFF,
                .identity = { "10112233-4455-6677-8899-aabbccddeeff", "2.10", "", "", "", "" },
        };
        struct power_result n3 = { .node = "n3", .ok = true, .state = POWER_IS_OFF };
        const struct power_result *all[] = { &n1, &n2, &n3 };
        char one[] = "33221100-5544-7766-8899-aabbccddeeff",
             two[] = "10112233-4455-6677-8899-aabbccddeeff";
        char name1[] = "n1", name2[] = "n2";
        const struct power_reported right[] = { { .node = name1, .uuid = one } };
        const struct power_reported swapped[] = {
                { .node = name1, .uuid = two },
                { .node = name2, .uuid = one },
        };
        size_t wrong;

        (void)state;
        _cleanup_free_ char *good = checked(all, 3, right, 1, &wrong);
        assert_int_equal(wrong, 0);
        assert_string_equal(good,
                        "n1: on, firmware 2.10, UUID 00112233-4455-6677-8899-aabbccddeeff as its agent says\n"
                        "n2: off, firmware 2.10, UUID 10112233-4455-6677-8899-aabbccddeeff, "
                        "whose it is cannot be told: its agent has not registered yet\n"
                        "n3: off, tells no UUID, whose it is cannot be told: its agent has not registered yet\n");
        _cleanup_free_ char *bad = checked(all, 3, swapped, 2, &wrong);
        assert_int_equal(wrong, 2);
        assert_string_equal(bad,
                        "n1: on, firmware 2.10, UUID 00112233-4455-6677-8899-aabbccddeeff: "
                        "this is the BMC of n2 (UUID 00112233-4455-6677-8899-aabbccddeeff)\n"
                        "n2: off, firmware 2.10, UUID 10112233-4455-6677-8899-aabbccddeeff: "
                        "this is the BMC of n1 (UUID 10112233-4455-6677-8899-aabbccddeeff)\n"
                        "n3: off, tells no UUID, whose it is cannot be told: its agent has not registered yet\n");
        assert_true(power_uuid_same("ffeeddcc-bbaa-9988-7766-554433221100",
                        "00112233-4455-6677-8899-aabbccddeeff"));
        assert_false(power_uuid_same("", ""));
        assert_false(power_uuid_same("00112233", "00112233"));
        assert_false(power_uuid_same("00000000-0000-0000-0000-000000000000",
                        "00000000-0000-0000-0000-000000000000"));
        assert_false(power_uuid_same("03000200-0400-0500-0006-000700080009",
                        "03000200-0400-0500-0006-000700080009"));
}

static struct power_verdict verdict_of(const struct power_identity *id,
                const struct power_reported *told, size_t n) {
        struct power_result res = { .node = "n1", .ok = true, .identity = *id };
        const struct power_result *const all[] = { &res };

        _cleanup_(power_marks_freep) struct power_marks *marks = power_marks_new(all, 1, told, n);
        return power_verdict(marks, 0);
}

/* 20,000 BMCs of which no agent has told anything: each is looked up, not compared with all
   others. */
static void many_bmcs_without_a_match_are_judged_at_once(void **state) {
        enum { MANY = 20000 };
        struct power_result *list = xnew0(struct power_result, MANY);
        const struct power_result **all = xnew(const struct power_result *, MANY);
        struct power_reported *told = xnew0(struct power_reported, MANY);
        usec_t begin = now_monotonic();

        (void)state;
        for (size_t i = 0; i < MANY; i++) {
                struct power_identity *id = &list[i].identity;
                list[i].node = told[i].node = xasprintf("n%05zu", i);
                list[i].ok = true;
                snprintf(id->uuid, sizeof id->uuid, "00112233-4455-6677-8899-%012zx", i);
                snprintf(id->serials, sizeof id->serials, "SN%06zu,BRD%06zu", i, i);
                told[i].uuid = xasprintf("f0112233-4455-6677-8899-%012zx", i);
                told[i].serials = xasprintf("XX%06zu", i);
                all[i] = &list[i];
        }
        snprintf(list[7].identity.uuid, sizeof list[7].identity.uuid, "%s", told[19999].uuid);
        _cleanup_(power_marks_freep) struct power_marks *marks = power_marks_new(all, MANY, told,
                        MANY);
        for (size_t i = 0; i < MANY; i++)
                assert_int_equal(power_verdict(marks, i).kind,
                                i == 7 ? VERDICT_OTHER : VERDICT_DIFFERS);
        assert_string_equal(power_verdict(marks, 7).node, "n19999");
        /* 400 million comparisons take minutes */
        assert_true(now_monotonic() - begin < 20 * USEC_PER_SEC);
        for (size_t i = 0; i < MANY; i++) {
                free(told[i].node);
                free(told[i].uuid);
                free(told[i].serials);
        }
        free(told);
        free(all);
        free(list);
}

/* What each value proves, and what it does not. */
static void serials_and_macs_identify_the_bmc(void **state) {
        char n1[] = "n1", n2[] = "n2", n3[] = "n3", s1[] = "SN0001,BRD1", s2[] = "SN0002,BRD2",
             uuid[] = "00112233-4455-6677-8899-aabbccddeeff";
        char m1[] = "02:00:00:00:00:01,02:00:00:00:01:01", m2[] = "02:00:00:00:00:02",
             bmc1[] = "02:00:00:00:0b:01", bmc2[] = "02:00:00:00:0b:02";
        const struct power_reported told[] = {
                { n1, uuid, s1, m1, bmc1 },
                { n2, NULL, s2, m2, bmc2 },
        };
        const struct power_reported shared[] = {
                { .node = n2, .serials = s2 },
                { .node = n3, .serials = s2 },
        };
        const struct power_reported card[] = { { .node = n1, .macs = m1 } };
        const struct power_reported mute[] = { { .node = n1 } };
        struct power_verdict v;

        (void)state;
        v = verdict_of(&(struct power_identity){ .uuid = "f0112233-4455-6677-8899-aabbccddeeff",
                                       .serials = "OTHER,SN0001" },
                        told, 2);
        assert_int_equal(v.kind, VERDICT_OWN); /* a match in one value, whatever the others */
        assert_string_equal(v.value, "SN0001");
        v = verdict_of(&(struct power_identity){ .uuid = "f0112233-4455-6677-8899-aabbccddeeff",
                                       .serials = "BRD2" },
                        told, 2);
        assert_int_equal(v.kind, VERDICT_OTHER);
        assert_string_equal(v.node, "n2");
        v = verdict_of(&(struct power_identity){ .uuid = "f0112233-4455-6677-8899-aabbccddeeff",
                                       .serials = "SN0009" },
                        told, 2);
        assert_int_equal(v.kind, VERDICT_DIFFERS);
        assert_string_equal(v.told, uuid);
        v = verdict_of(&(struct power_identity){ .serials = "SN0009" }, told, 2);
        /* the serial number of another part proves nothing */
        assert_int_equal(v.kind, VERDICT_UNKNOWN);
        assert_int_equal(v.unknown, UNKNOWN_NOT_COMPARABLE);
        v = verdict_of(&(struct power_identity){ .serials = "" }, told, 2);
        assert_int_equal(v.unknown, UNKNOWN_BMC_MUTE);
        v = verdict_of(&(struct power_identity){ .serials = "SN0009" }, mute, 1);
        assert_int_equal(v.unknown, UNKNOWN_AGENT_MUTE);
        v = verdict_of(&(struct power_identity){ .serials = "SN0009" }, mute, 0);
        assert_int_equal(v.unknown, UNKNOWN_NOT_REGISTERED);
        v = verdict_of(&(struct power_identity){ .serials = "SN0002" }, shared, 2);
        assert_int_equal(v.kind, VERDICT_UNKNOWN); /* two have told it */
        v = verdict_of(&(struct power_identity){ .macs = "02:00:00:00:09:09,02:00:00:00:00:02" },
                        told, 2);
        assert_int_equal(v.kind, VERDICT_OTHER);
        assert_string_equal(v.node, "n2");
        v = verdict_of(&(struct power_identity){ .bmc_mac = "02:00:00:00:0b:09" }, card, 1);
        /* a BMC's own MAC is not that of its machine's cards */
        assert_int_equal(v.kind, VERDICT_UNKNOWN);
        v = verdict_of(&(struct power_identity){ .bmc_mac = "02:00:00:00:01:01" }, card, 1);
        assert_int_equal(v.kind, VERDICT_OWN); /* ... but where they share a port */
        v = verdict_of(&(struct power_identity){ .bmc_mac = "02:00:00:00:0b:01" }, told, 2);
        assert_int_equal(v.kind, VERDICT_OWN); /* seen from inside */
        v = verdict_of(&(struct power_identity){ .bmc_mac = "02:00:00:00:0b:02" }, told, 2);
        assert_int_equal(v.kind, VERDICT_OTHER);
        v = verdict_of(&(struct power_identity){ .bmc_mac = "02:00:00:00:0b:09" }, told, 2);
        assert_int_equal(v.kind, VERDICT_DIFFERS);
}

static void what_no_single_machine_has_is_left_out(void **state) {
        char list[IDENTITY_LIST_SIZE] = "", word[IDENTITY_WORD_MAX + 1];
        static const char *const nothing[] = { "", "  ", "0000000", "To be filled by O.E.M.",
                "Default string", "None", "Not Specified", "System Serial Number", "a,b,c",
                "tab\tin it", "0123456789" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(nothing); i++)
                identity_add_serial(list, nothing[i]);
        assert_string_equal(list, "");
        identity_add_serial(list, " CZ1 234 \n");
        identity_add_serial(list, "CZ1 234");
        identity_add_serial(list, "B-77");
        assert_string_equal(list, "CZ1 234,B-77");
        assert_true(identity_shared("X-99,B-77", list, word));
        assert_string_equal(word, "B-77");
        assert_false(identity_shared("B-7", list, word));
        *list = 0;
        identity_add_mac(list, "00:00:00:00:00:00");
        identity_add_mac(list, "ff:ff:ff:ff:ff:ff");
        identity_add_mac(list, "33-33-00-00-00-01");
        assert_string_equal(list, "");
        for (unsigned i = 0; i < 100; i++) {
                char mac[MAC_TEXT_SIZE];
                snprintf(mac, sizeof mac, "02-AA-00-00-00-%02x", i);
                identity_add_mac(list, mac);
        }
        assert_int_equal(strlen(list), 10 * (MAC_TEXT_SIZE - 1) + 9); /* whole ones only */
        assert_true(strncmp(list, "02:aa:00:00:00:00,02:aa:", 24) == 0);
}

static void an_outcome_is_one_line(void **state) {
        const struct power_result good = { .node = "n7", .ok = true, .state = POWER_IS_OFF };
        const struct power_result up = { .node = "n7", .ok = true, .state = POWER_IS_ON };
        struct power_result bad = { .node = "n8" };
        static const char *const wanted[POWER_FAULT_MAX] = {
                [POWER_FAULT_CONFIG] = "\"bad-config\",\"text\"",
                [POWER_FAULT_SHARED] = "\"common\",\"text\"",
                [POWER_FAULT_NAMES] = "\"common\",\"text\"",
                [POWER_FAULT_SILENT] = "\"no-power\",\"retry_after\":60,\"text\"",
                [POWER_FAULT_BUSY] = "\"no-power\",\"retry_after\":30,\"text\"",
                [POWER_FAULT_NOT_NOW] = "\"no-power\",\"retry_after\":30,\"text\"",
                [POWER_FAULT_REFUSED] = "\"fatal\",\"text\"",
                [POWER_FAULT_STUCK] = "\"no-power\",\"retry_after\":60,\"text\"",
        };

        (void)state;
        _cleanup_free_ char *line = power_report_outcome(&good);
        assert_string_equal(line, "{\"node\":\"n7\",\"ok\":true,\"power\":\"off\"}\n");
        _cleanup_free_ char *line_up = power_report_outcome(&up);
        assert_string_equal(line_up, "{\"node\":\"n7\",\"ok\":true,\"power\":\"on\"}\n");
        for (int i = 1; i < POWER_FAULT_MAX; i++) {
                bad.cause.fault = (enum power_fault)i;
                snprintf(bad.cause.fail.text, sizeof bad.cause.fail.text, "a \"b\"\nc/d");
                _cleanup_free_ char *is = power_report_outcome(&bad);
                _cleanup_free_ char *want = xasprintf("{\"node\":\"n8\",\"ok\":false,\"error\":%s:"
                                                      "\"a \\\"b\\\"\\nc/d\"}\n",
                                wanted[i]);
                assert_string_equal(is, want);
        }
        bad.state = POWER_IS_ON; /* it did not obey */
        _cleanup_free_ char *stuck = power_report_outcome(&bad);
        assert_non_null(strstr(stuck, ",\"power\":\"on\"}\n"));
}

static void words_make_the_round_trip(void **state) {
        (void)state;
        for (int i = 0; i < POWER_VERB_MAX; i++)
                assert_int_equal(power_verb_parse(power_verb_text(i)), i);
        for (int i = 0; i < POWER_STATE_MAX; i++)
                assert_int_equal(power_state_parse(power_state_text(i)), i);
        for (int i = 0; i < POWER_FAULT_MAX; i++)
                assert_int_equal(power_fault_parse(power_fault_text(i)), i);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_whole_file_is_understood),
                cmocka_unit_test(errors_name_file_line_and_key),
                cmocka_unit_test(a_password_that_cannot_be_had_is_told_with_its_line),
                cmocka_unit_test(patterns_make_addresses),
                cmocka_unit_test(durations_have_units),
                cmocka_unit_test(secrets_must_be_closed_to_others),
                cmocka_unit_test(results_are_grouped_by_state),
                cmocka_unit_test(watts_are_grouped),
                cmocka_unit_test(bmcs_of_other_nodes_are_named),
                cmocka_unit_test(serials_and_macs_identify_the_bmc),
                cmocka_unit_test(many_bmcs_without_a_match_are_judged_at_once),
                cmocka_unit_test(what_no_single_machine_has_is_left_out),
                cmocka_unit_test(an_outcome_is_one_line),
                cmocka_unit_test(words_make_the_round_trip),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
