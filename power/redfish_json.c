/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/redfish_json.h"

#include <ctype.h>
#include <json-c/json.h>
#include <math.h>

#define DEPTH_MAX 24 /* a ComputerSystem has about 6 */

static const char *const resets[] = {
        [REDFISH_ON] = "On",
        [REDFISH_FORCE_ON] = "ForceOn",
        [REDFISH_FORCE_OFF] = "ForceOff",
        [REDFISH_GRACEFUL_SHUTDOWN] = "GracefulShutdown",
};
DEFINE_STRTAB(redfish_reset, resets)

static void redfish_objectp(struct json_object **o) {
        json_object_put(*o);
}

static int redfish_parse(const char *text, size_t size, struct json_object **ret,
                struct fail *fail) {
        struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
        struct json_object *o;

        if (!tokener)
                out_of_memory();
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        o = json_tokener_parse_ex(tokener, text, (int)MIN(size, (size_t)INT32_MAX));
        enum json_tokener_error error = json_tokener_get_error(tokener);
        json_tokener_free(tokener);
        if (error != json_tokener_success || !json_object_is_type(o, json_type_object)) {
                json_object_put(o);
                return fail_set(fail, -EBADMSG, "its answer is not JSON of Redfish");
        }
        *ret = o;
        return 0;
}

/* Returns a member, borrowed; NULL if missing or of another type. */
static struct json_object *redfish_member(struct json_object *o, const char *name,
                enum json_type type) {
        struct json_object *v = NULL;

        if (!json_object_is_type(o, json_type_object) || !json_object_object_get_ex(o, name, &v) ||
                        !json_object_is_type(v, type))
                return NULL;
        return v;
}

static const char *redfish_string(struct json_object *o, const char *name) {
        struct json_object *v = redfish_member(o, name, json_type_string);

        return v ? json_object_get_string(v) : NULL;
}

int redfish_path_parse(const char *text, char ret[REDFISH_PATH_MAX + 1]) {
        const char *slashes = strstr(text, "://");

        if (*text != '/' && slashes) {
                text = strchr(slashes + 3, '/');
                if (!text)
                        return -EINVAL;
        }
        size_t n = strlen(text);
        if (*text != '/' || text[1] == '/' || n > REDFISH_PATH_MAX)
                return -EINVAL;
        for (size_t i = 0; i < n; i++)
                if (text[i] <= ' ' || text[i] > '~')
                        return -EINVAL;
        memcpy(ret, text, n + 1);
        return 0;
}

/* Returns the path in o's link; "" if unusable. Only Location may be a URL. */
static void link_path(struct json_object *o, const char *name, char ret[REDFISH_PATH_MAX + 1]) {
        const char *id = redfish_string(name ? redfish_member(o, name, json_type_object) : o,
                        "@odata.id");

        ret[0] = '\0';
        if (id && *id == '/')
                redfish_path_parse(id, ret);
}

int redfish_root_parse(const char *text, size_t size, struct redfish_root *ret, struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        link_path(o, "Systems", ret->systems);
        link_path(redfish_member(o, "Links", json_type_object), "Sessions", ret->sessions);
        if (!ret->systems[0])
                return fail_set(fail, -EBADMSG, "its service root has no Systems");
        if (!ret->sessions[0])
                strcpy(ret->sessions, "/redfish/v1/SessionService/Sessions");
        return 0;
}

int redfish_member_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        struct json_object *members = redfish_member(o, "Members", json_type_array);
        size_t n = members ? json_object_array_length(members) : 0;
        if (n == 0)
                return fail_set(fail, -ENOENT, "it has no system");
        if (n > 1)
                return fail_set(fail, -EMLINK,
                                "it has %zu systems: the key system must say which is the node's",
                                n);
        link_path(json_object_array_get_idx(members, 0), NULL, ret);
        if (!ret[0])
                return fail_set(fail, -EBADMSG, "its only system has no usable @odata.id");
        return 0;
}

static enum power_state redfish_state(const char *text) {
        static const struct {
                const char *text;
                enum power_state state;
        } states[] = {
                { "On", POWER_IS_ON },
                { "Off", POWER_IS_OFF },
                { "Paused", POWER_IS_ON },
                { "PoweringOn", POWER_IS_CHANGING },
                { "PoweringOff", POWER_IS_CHANGING },
        };

        for (size_t i = 0; text && i < ELEMENTSOF(states); i++)
                if (streq(states[i].text, text))
                        return states[i].state;
        return POWER_UNKNOWN;
}

static unsigned allowed_of(struct json_object *values) {
        unsigned allowed = 0;

        for (size_t i = 0; i < json_object_array_length(values); i++) {
                struct json_object *v = json_object_array_get_idx(values, i);
                int reset = json_object_is_type(v, json_type_string)
                                            ? redfish_reset_parse(json_object_get_string(v))
                                            : -1;
                if (reset >= 0)
                        allowed |= 1u << reset;
        }
        return allowed;
}

/* Reads the system's identity, and the paths of its networks. */
static void redfish_read_identity(struct json_object *o, struct redfish_system *ret) {
        struct json_object *managers = redfish_member(redfish_member(o, "Links", json_type_object),
                        "ManagedBy", json_type_array);
        const char *uuid = strempty(redfish_string(o, "UUID"));

        if (managers && json_object_array_length(managers) > 0)
                link_path(json_object_array_get_idx(managers, 0), NULL, ret->manager);
        link_path(o, "EthernetInterfaces", ret->interfaces);
        if (strlen(uuid) < sizeof ret->uuid &&
                        strspn(uuid, "0123456789abcdefABCDEF-") == strlen(uuid))
                for (size_t i = 0; uuid[i]; i++)
                        ret->uuid[i] = (char)tolower((unsigned char)uuid[i]);
        (void)identity_copy(ret->product, strempty(redfish_string(o, "Model")));
        identity_add_serial(ret->serials, strempty(redfish_string(o, "SerialNumber")));
}

int redfish_system_parse(const char *text, size_t size, struct redfish_system *ret,
                struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        *ret = (struct redfish_system){ .state = redfish_state(redfish_string(o, "PowerState")) };
        struct json_object *reset = redfish_member(redfish_member(o, "Actions", json_type_object),
                        "#ComputerSystem.Reset", json_type_object);
        const char *target = redfish_string(reset, "target"),
                   *info = redfish_string(reset, "@Redfish.ActionInfo");
        if (target && *target == '/')
                redfish_path_parse(target, ret->target);
        if (info && *info == '/')
                redfish_path_parse(info, ret->action_info);
        struct json_object *values = redfish_member(reset, "ResetType@Redfish.AllowableValues",
                        json_type_array);
        ret->has_allowed = values != NULL;
        if (values)
                ret->allowed = allowed_of(values);
        struct json_object *chassis = redfish_member(redfish_member(o, "Links", json_type_object),
                        "Chassis", json_type_array);
        if (chassis && json_object_array_length(chassis) > 0)
                link_path(json_object_array_get_idx(chassis, 0), NULL, ret->chassis);
        redfish_read_identity(o, ret);
        return 0;
}

int redfish_manager_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r >= 0)
                link_path(o, "EthernetInterfaces", ret);
        return r;
}

int redfish_interfaces_parse(const char *text, size_t size,
                char ret[REDFISH_INTERFACES_MAX][REDFISH_PATH_MAX + 1], struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail), n = 0;

        if (r < 0)
                return r;
        struct json_object *members = redfish_member(o, "Members", json_type_array);
        for (size_t i = 0; members && i < json_object_array_length(members) &&
                           n < REDFISH_INTERFACES_MAX;
                        i++) {
                link_path(json_object_array_get_idx(members, i), NULL, ret[n]);
                n += ret[n][0] != 0;
        }
        return n;
}

int redfish_interface_parse(const char *text, size_t size, char macs[IDENTITY_LIST_SIZE],
                struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        identity_add_mac(macs, strempty(redfish_string(o, "PermanentMACAddress")));
        identity_add_mac(macs, strempty(redfish_string(o, "MACAddress")));
        return 0;
}

int redfish_action_info_parse(const char *text, size_t size, unsigned *ret, struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        struct json_object *parameters = redfish_member(o, "Parameters", json_type_array);
        for (size_t i = 0; parameters && i < json_object_array_length(parameters); i++) {
                struct json_object *p = json_object_array_get_idx(parameters, i);
                struct json_object *values = redfish_member(p, "AllowableValues", json_type_array);
                const char *name = redfish_string(p, "Name");
                if (!values || !name || !streq(name, "ResetType"))
                        continue;
                *ret = allowed_of(values);
                return 0;
        }
        return fail_set(fail, -EBADMSG, "its ActionInfo does not say which resets are allowed");
}

int redfish_chassis_parse(const char *text, size_t size, char ret[REDFISH_PATH_MAX + 1],
                struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        link_path(o, "EnvironmentMetrics", ret);
        if (!ret[0])
                link_path(o, "Power", ret);
        return ret[0] ? 0 : fail_set(fail, -ENODATA, "its chassis measures no power");
}

static bool redfish_number(struct json_object *o, const char *name, double *ret) {
        struct json_object *v = NULL;

        if (!json_object_is_type(o, json_type_object) || !json_object_object_get_ex(o, name, &v) ||
                        (!json_object_is_type(v, json_type_double) &&
                                        !json_object_is_type(v, json_type_int)))
                return false;
        double x = json_object_get_double(v);
        if (!isfinite(x) || x < 0 || x > POWER_WATTS_MAX)
                return false;
        *ret = x;
        return true;
}

int redfish_watts_parse(const char *text, size_t size, double *ret, struct fail *fail) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        int r = redfish_parse(text, size, &o, fail);

        if (r < 0)
                return r;
        if (redfish_number(redfish_member(o, "PowerWatts", json_type_object), "Reading", ret))
                return 0;
        struct json_object *control = redfish_member(o, "PowerControl", json_type_array);
        if (control && json_object_array_length(control) > 0 &&
                        redfish_number(json_object_array_get_idx(control, 0), "PowerConsumedWatts",
                                        ret))
                return 0;
        return fail_set(fail, -ENODATA, "it gives no reading of its power");
}

void redfish_error_text(const char *text, size_t size, char *ret, size_t ret_size) {
        _cleanup_(redfish_objectp) struct json_object *o = NULL;
        size_t n = 0;

        ret[0] = '\0';
        if (redfish_parse(text, size, &o, NULL) < 0)
                return;
        struct json_object *error = redfish_member(o, "error", json_type_object);
        struct json_object *infos = redfish_member(error, "@Message.ExtendedInfo", json_type_array);
        const char *message = infos && json_object_array_length(infos) > 0
                                              ? redfish_string(json_object_array_get_idx(infos, 0),
                                                                "Message")
                                              : NULL;
        if (!message)
                message = redfish_string(error, "message");
        for (const char *p = message ? message : ""; *p && n + 1 < ret_size; p++)
                ret[n++] = *p < ' ' || *p > '~' ? '?' : *p;
        ret[n] = '\0';
}
