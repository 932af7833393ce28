/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/redfish_json.h - what Redfish services answer, taken out of their JSON; no I/O
 *
 * An answer comes from firmware that is not trusted: nesting has a limit, a path is taken only if
 * it is one on the same host, and texts for people are made printable. */
#pragma once

#include "power/power.h"

#define REDFISH_PATH_MAX       255 /* longer ones are refused */
#define REDFISH_INTERFACES_MAX 8   /* of a machine, that are read */

enum redfish_reset { /* what of ComputerSystem.Reset's values is used here */
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
        enum power_state state;            /* unknown: it does not say */
        char target[REDFISH_PATH_MAX + 1]; /* of the action Reset; "": it has none */
        char action_info[REDFISH_PATH_MAX +
                         1];                /* where the values are, when they are not here; "" */
        char chassis[REDFISH_PATH_MAX + 1]; /* the first; "" */
        char manager[REDFISH_PATH_MAX + 1]; /* likewise */
        char interfaces[REDFISH_PATH_MAX + 1]; /* of its network; "" */
        /* "" where it does not say */
        char uuid[37], product[IDENTITY_WORD_MAX + 1], serials[IDENTITY_LIST_SIZE];
        bool has_allowed;
        unsigned allowed; /* bits: 1 << enum redfish_reset */
};

/* All take the size bytes of text and return 0, or -EBADMSG with fail saying what is wrong with
   it. */
int redfish_root_parse(const char *text, size_t size, struct redfish_root *ret, struct fail *fail);
/* ret: the path of the only member; -ENOENT if there is none, -EMLINK if there are several. */
int redfish_member_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail);
int redfish_system_parse(const char *text, size_t size, struct redfish_system *ret,
                struct fail *fail);
int redfish_action_info_parse(const char *text, size_t size, unsigned *ret, struct fail *fail);
/* Of a Manager: where its network interfaces are, "" if nowhere. */
int redfish_manager_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail);
/* Of an EthernetInterfaceCollection: the first REDFISH_INTERFACES_MAX members; how many, or
   -EBADMSG. */
int redfish_interfaces_parse(const char *text, size_t size,
                char ret[REDFISH_INTERFACES_MAX][REDFISH_PATH_MAX + 1], struct fail *fail);
/* Of an EthernetInterface: its addresses are added to macs. */
int redfish_interface_parse(const char *text, size_t size, char macs[IDENTITY_LIST_SIZE],
                struct fail *fail);
/* Of a Chassis: where its watts are, EnvironmentMetrics rather than Power. */
int redfish_chassis_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail);
/* Of EnvironmentMetrics or Power; -ENODATA if there are none. */
int redfish_watts_parse(const char *text, size_t size, double *ret, struct fail *fail);
/* What an error's body says, printable; "" when nothing can be understood. */
void redfish_error_text(const char *text, size_t size, char *ret, size_t ret_size);
/* A path on the same host, from a path or a URL (as in Location). */
int redfish_path_parse(const char *text, char ret[REDFISH_PATH_MAX + 1]);
