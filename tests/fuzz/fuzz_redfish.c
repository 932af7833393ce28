/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a Redfish service answers, as each of the things that are asked for. */
#include "power/redfish_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A path that came out is one on the same host. */
static void check_path(const char *path) {
        assert(strlen(path) <= REDFISH_PATH_MAX);
        assert(!*path || (*path == '/' && path[1] != '/'));
        for (; *path; path++)
                assert(*path > ' ' && *path <= '~');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        const char *text = (const char *)data;
        char path[REDFISH_PATH_MAX + 1] = "", said[80], macs[IDENTITY_LIST_SIZE] = "";
        char interfaces[REDFISH_INTERFACES_MAX][REDFISH_PATH_MAX + 1];
        struct redfish_root root = { 0 };
        struct redfish_system system = { 0 };
        struct fail fail = { 0 };
        unsigned allowed;
        double watts = 0;

        if (redfish_root_parse(text, size, &root, &fail) >= 0) {
                check_path(root.systems);
                check_path(root.sessions);
        }
        if (redfish_system_parse(text, size, &system, &fail) >= 0) {
                check_path(system.target);
                check_path(system.action_info);
                check_path(system.chassis);
                check_path(system.manager);
                check_path(system.interfaces);
                assert(strlen(system.uuid) < sizeof system.uuid &&
                                strlen(system.serials) < sizeof system.serials);
        }
        if (redfish_member_parse(text, size, path, &fail) >= 0)
                check_path(path);
        if (redfish_chassis_parse(text, size, path, &fail) >= 0)
                check_path(path);
        if (redfish_manager_parse(text, size, path, &fail) >= 0)
                check_path(path);
        for (int i = redfish_interfaces_parse(text, size, interfaces, &fail); i > 0; i--)
                check_path(interfaces[i - 1]);
        (void)redfish_interface_parse(text, size, macs, &fail);
        assert(strlen(macs) < sizeof macs);
        (void)redfish_action_info_parse(text, size, &allowed, &fail);
        if (redfish_watts_parse(text, size, &watts, &fail) >= 0)
                assert(watts >= 0 && watts <= POWER_WATTS_MAX);
        redfish_error_text(text, size, said, sizeof said);
        assert(strlen(said) < sizeof said);
        return 0;
}
