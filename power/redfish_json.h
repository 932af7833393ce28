/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/redfish_json.h - reads JSON answers of Redfish services; no I/O
 *
 * Firmware is not trusted: nesting is limited, paths are accepted only on the BMC's own host, and
 * texts for people are made printable. */
#pragma once

#include "power/power.h"

#define REDFISH_PATH_MAX       255 /* longer paths are refused */
#define REDFISH_INTERFACES_MAX 8   /* interfaces read per machine */

enum redfish_reset { /* values of ComputerSystem.Reset used here */
        REDFISH_ON,
        REDFISH_FORCE_ON,
        REDFISH_FORCE_OFF,
        REDFISH_GRACEFUL_SHUTDOWN,
        REDFISH_RESET_MAX,
};
DECLARE_STRTAB(redfish_reset);

struct redfish_root {
        char systems[REDFISH_PATH_MAX + 1], sessions[REDFISH_PATH_MAX + 1];
};
struct redfish_system {
        enum power_state state;                 /* unknown: not reported */
        char target[REDFISH_PATH_MAX + 1];      /* path of action Reset; "": none */
        char action_info[REDFISH_PATH_MAX + 1]; /* path of ResetType's values, if elsewhere; "" */
        char chassis[REDFISH_PATH_MAX + 1];     /* first chassis; "" */
        char manager[REDFISH_PATH_MAX + 1];     /* first manager; "" */
        char interfaces[REDFISH_PATH_MAX + 1];  /* network interfaces; "" */
        /* "" if not reported. */
        char uuid[37], product[IDENTITY_WORD_MAX + 1], serials[IDENTITY_LIST_SIZE];
        bool has_allowed;
        unsigned allowed; /* bits: 1 << enum redfish_reset */
};

/* Parsers of size bytes of text: return 0, or -EBADMSG with fail explaining the fault. */
int redfish_root_parse(const char *text, size_t size, struct redfish_root *ret, struct fail *fail);
/* ret: path of the only member; -ENOENT: no member; -EMLINK: several. */
int redfish_member_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail);
int redfish_system_parse(const char *text, size_t size, struct redfish_system *ret,
                struct fail *fail);
int redfish_action_info_parse(const char *text, size_t size, unsigned *ret, struct fail *fail);
/* Reads a Manager: path of its network interfaces, or "". */
int redfish_manager_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail);
/* Reads an EthernetInterfaceCollection: the first REDFISH_INTERFACES_MAX members. Returns their
   number, or -EBADMSG. */
int redfish_interfaces_parse(const char *text, size_t size,
                char ret[REDFISH_INTERFACES_MAX][REDFISH_PATH_MAX + 1], struct fail *fail);
/* Reads an EthernetInterface and adds its addresses to macs. */
int redfish_interface_parse(const char *text, size_t size, char macs[IDENTITY_LIST_SIZE],
                struct fail *fail);
/* Reads a Chassis: path of its power readings, EnvironmentMetrics preferred over Power. */
int redfish_chassis_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail);
/* Reads EnvironmentMetrics or Power; -ENODATA: no power reading. */
int redfish_watts_parse(const char *text, size_t size, double *ret, struct fail *fail);
/* Writes the message of an error's body, printable; "" if not understood. */
void redfish_error_text(const char *text, size_t size, char *ret, size_t ret_size);
/* Reads a path on the BMC's host from a path or a URL (as in Location). */
int redfish_path_parse(const char *text, char ret[REDFISH_PATH_MAX + 1]);
