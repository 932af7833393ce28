/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "power/redfish_json.h"
#include "power/wake_on_lan.h"

#define TEXT(s) (s), strlen(s)

static void a_system_is_understood(void **state) {
        static const char text[] =
                        "{\"PowerState\":\"PoweringOff\",\"Actions\":{\"#ComputerSystem.Reset\":{"
                        "\"target\":\"/r/Reset\",\"ResetType@Redfish.AllowableValues\":[\"Nmi\","
                        "\"ForceOff\",7,\"On\"]}},\"Links\":{\"Chassis\":[{\"@odata.id\":\"/c/"
                        "1\"}]}}";
        struct redfish_system s;
        struct fail fail;

        (void)state;
        assert_int_equal(redfish_system_parse(TEXT(text), &s, &fail), 0);
        assert_int_equal(s.state, POWER_IS_CHANGING);
        assert_string_equal(s.target, "/r/Reset");
        assert_string_equal(s.chassis, "/c/1");
        assert_true(s.has_allowed);
        assert_int_equal(s.allowed, 1u << REDFISH_ON | 1u << REDFISH_FORCE_OFF);
        for (size_t n = 0; n < sizeof text - 1; n++) { /* cut off anywhere, it is refused */
                _cleanup_free_ char *cut = xstrndup(text, n);
                assert_true(redfish_system_parse(cut, n, &s, &fail) < 0);
        }
        assert_int_equal(redfish_system_parse(TEXT("{\"PowerState\":null}"), &s, &fail), 0);
        assert_int_equal(s.state, POWER_UNKNOWN);
        assert_false(s.has_allowed);
        assert_true(redfish_system_parse(TEXT("[]"), &s, &fail) < 0);
        assert_true(redfish_system_parse(TEXT("{} {}"), &s, &fail) < 0);
        assert_true(redfish_system_parse(TEXT(""), &s, &fail) < 0);
}

static void paths_stay_on_the_host(void **state) {
        static const struct {
                const char *text, *path; /* NULL: refused */
        } cases[] = {
                { "/redfish/v1/x", "/redfish/v1/x" },
                { "https://10.0.0.1/a/b?c", "/a/b?c" },
                { "https://10.0.0.1", NULL },
                { "//evil.example/x", NULL },
                { "https://10.0.0.1//evil", NULL },
                { "relative", NULL },
                { "", NULL },
                { "/a b", NULL },
                { "/a\r\nX-Evil: 1", NULL },
                { "/\xc3\xa4", NULL },
        };
        char path[REDFISH_PATH_MAX + 1], *long_one;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                int r = redfish_path_parse(cases[i].text, path);
                assert_int_equal(r < 0, cases[i].path == NULL);
                if (r >= 0)
                        assert_string_equal(path, cases[i].path);
        }
        long_one = xasprintf("/%0300d", 0);
        assert_true(redfish_path_parse(long_one, path) < 0);
        free(long_one);
}

static void members_watts_and_errors_are_understood(void **state) {
        char text[64], path[REDFISH_PATH_MAX + 1];
        unsigned allowed = 0;
        double watts = 0;
        struct fail fail;

        (void)state;
        assert_int_equal(redfish_member_parse(TEXT("{\"Members\":[{\"@odata.id\":\"/s/1\"}]}"),
                                         path, &fail),
                        0);
        assert_string_equal(path, "/s/1");
        assert_int_equal(redfish_member_parse(TEXT("{\"Members\":[{},{}]}"), path, &fail), -EMLINK);
        assert_int_equal(redfish_member_parse(TEXT("{}"), path, &fail), -ENOENT);
        assert_int_equal(redfish_watts_parse(TEXT("{\"PowerWatts\":{\"Reading\":12.5}}"), &watts,
                                         &fail),
                        0);
        assert_true(watts > 12.4 && watts < 12.6);
        assert_int_equal(
                        redfish_watts_parse(TEXT("{\"PowerControl\":[{\"PowerConsumedWatts\":7}]}"),
                                        &watts, &fail),
                        0);
        assert_true(watts > 6.9 && watts < 7.1);
        assert_int_equal(redfish_watts_parse(TEXT("{\"PowerWatts\":{\"Reading\":-1}}"), &watts,
                                         &fail),
                        -ENODATA);
        assert_int_equal(redfish_watts_parse(TEXT("{\"PowerWatts\":{\"Reading\":1e300}}"), &watts,
                                         &fail),
                        -ENODATA);
        assert_int_equal(redfish_action_info_parse(
                                         TEXT("{\"Parameters\":[{\"Name\":\"x\"},{\"Name\":"
                                              "\"ResetType\",\"AllowableValues\":[\"ForceOn\"]}]}"),
                                         &allowed, &fail),
                        0);
        assert_int_equal(allowed, 1u << REDFISH_FORCE_ON);
        redfish_error_text(TEXT("{\"error\":{\"message\":\"a\",\"@Message.ExtendedInfo\":[{"
                                "\"Message\":\"b\\u001b[1m\\u00e4\"}]}}"),
                        text, sizeof text);
        assert_string_equal(text, "b?[1m??");
        redfish_error_text(TEXT("<html>"), text, sizeof text);
        assert_string_equal(text, "");
        for (int i = 0; i < REDFISH_RESET_MAX; i++)
                assert_int_equal(redfish_reset_parse(redfish_reset_text(i)), i);
}

static void a_magic_packet_is_as_the_cards_want_it(void **state) {
        uint8_t mac[MAC_SIZE], password[6], packet[MAGIC_PACKET_MAX];

        (void)state;
        assert_int_equal(mac_parse("00-1a-2B-3c-4d-ff", mac), 0);
        assert_int_equal(mac_parse("001a2b3c4dff", mac), 0);
        assert_int_equal(mac_parse("00:1a:2b:3c:4d:ff", mac), 0);
        assert_true(mac_parse("00:1a:2b:3c:4d", mac) < 0);
        assert_true(mac_parse("00:1a-2b:3c:4d:ff", mac) < 0);
        assert_true(mac_parse("00:1a:2b:3c:4d:ff:", mac) < 0);
        assert_true(mac_parse("0", mac) < 0);
        assert_true(mac_parse("", mac) < 0);
        assert_int_equal(magic_packet(mac, NULL, 0, packet), 102);
        for (size_t i = 0; i < 102; i++)
                assert_int_equal(packet[i], i < 6 ? 0xff : mac[i % 6]);
        assert_int_equal(secure_on_parse("10.2.3.255", password), 4);
        assert_int_equal(password[3], 255);
        assert_int_equal(magic_packet(mac, password, 4, packet), 106);
        assert_int_equal(packet[102], 10);
        assert_int_equal(secure_on_parse("aa:bb:cc:dd:ee:ff", password), 6);
        assert_int_equal(secure_on_parse(NULL, password), 0);
        assert_int_equal(secure_on_parse("10.2.3.256", password), -EINVAL);
        assert_int_equal(secure_on_parse("hush", password), -EINVAL);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_system_is_understood),
                cmocka_unit_test(paths_stay_on_the_host),
                cmocka_unit_test(members_watts_and_errors_are_understood),
                cmocka_unit_test(a_magic_packet_is_as_the_cards_want_it),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
