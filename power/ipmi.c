/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IPMI 2.0 chassis power over LAN (RMCP+) by libfreeipmi.
 *
 * The library blocks and cannot be cancelled; a context is used by one thread at a time. Calls can
 * fail with error number 0 (a stray or doubled reply ends the session): only return values decide,
 * the number is just a reason. The library's session time-out is an idle timer, not a deadline: the
 * pool has deadlines. Retransmission before the BMC's slowest answer makes the BMC unreachable:
 * duplicates end the session. */
#include <freeipmi/freeipmi.h>

#include "power/in_band.h"
#include "power/name.h"
#include "power/power.h"

#define PASSWORD_MAX    20 /* bytes, IPMI 2.0 */
#define USER_MAX        16
#define SESSION_MIN     (400 * USEC_PER_MSEC)
#define RETRANSMITS_MIN 2 /* minimum in a session shortened by the deadline */

struct session {
        ipmi_ctx_t ctx;
        const struct power_bmc *bmc;
};

/* Treatment of libfreeipmi's errors; %s: the BMC. */
static const struct {
        int number;
        enum power_fault fault;
        const char *format;
} errors[] = {
        { IPMI_ERR_PERMISSION, POWER_FAULT_SHARED, "permission refused by BMC %s" },
        { IPMI_ERR_USERNAME_INVALID, POWER_FAULT_SHARED, "user name refused by BMC %s" },
        { IPMI_ERR_PASSWORD_INVALID, POWER_FAULT_SHARED, "password refused by BMC %s" },
        { IPMI_ERR_K_G_INVALID, POWER_FAULT_SHARED, "BMC %s wants a K_g key" },
        { IPMI_ERR_PRIVILEGE_LEVEL_INSUFFICIENT, POWER_FAULT_SHARED,
                        "privilege of the user is too low for BMC %s" },
        { IPMI_ERR_PRIVILEGE_LEVEL_CANNOT_BE_OBTAINED, POWER_FAULT_SHARED,
                        "administrator privilege refused by BMC %s (workaround opensesspriv?)" },
        { IPMI_ERR_AUTHENTICATION_TYPE_UNAVAILABLE, POWER_FAULT_SHARED,
                        "authentication type refused by BMC %s" },
        { IPMI_ERR_CIPHER_SUITE_ID_UNAVAILABLE, POWER_FAULT_SHARED,
                        "cipher suite refused by BMC %s" },
        { IPMI_ERR_IPMI_2_0_UNAVAILABLE, POWER_FAULT_CONFIG, "BMC %s does not speak IPMI 2.0" },
        { IPMI_ERR_HOSTNAME_INVALID, POWER_FAULT_CONFIG, "address of BMC %s cannot be resolved" },
        { IPMI_ERR_PARAMETERS, POWER_FAULT_SHARED,
                        "parameters for BMC %s are not possible (cipher suite?)" },
        { IPMI_ERR_COMMAND_INVALID_OR_UNSUPPORTED, POWER_FAULT_REFUSED,
                        "command not supported by BMC %s" },
        { IPMI_ERR_PASSWORD_VERIFICATION_TIMEOUT, POWER_FAULT_BUSY,
                        "password check of BMC %s timed out" },
        { IPMI_ERR_CONNECTION_TIMEOUT, POWER_FAULT_SILENT, "BMC %s does not answer" },
        { IPMI_ERR_SESSION_TIMEOUT, POWER_FAULT_SILENT, "BMC %s fell silent" },
        { IPMI_ERR_MESSAGE_TIMEOUT, POWER_FAULT_SILENT, "BMC %s left a message unanswered" },
        { IPMI_ERR_BMC_BUSY, POWER_FAULT_BUSY, "BMC %s is busy" },
        /* "internal IPMI error": two causes look alike, and the first is temporary */
        { IPMI_ERR_IPMI_ERROR, POWER_FAULT_BUSY,
                        "BMC %s refused the session (none free, or the cipher suite)" },
        { IPMI_ERR_BAD_RMCPPLUS_STATUS_CODE, POWER_FAULT_BUSY, "BMC %s refused the session" },
        { IPMI_ERR_SUCCESS, POWER_FAULT_BUSY, "BMC %s sent a stray reply" },
};

static const struct {
        uint8_t code;
        enum power_fault fault;
        const char *text;
} completions[] = {
        { 0xC0, POWER_FAULT_BUSY, "busy" },
        { 0xC3, POWER_FAULT_BUSY, "time-out" },
        { 0xC4, POWER_FAULT_BUSY, "out of space" },
        { 0xC1, POWER_FAULT_REFUSED, "invalid command" },
        { 0xC9, POWER_FAULT_REFUSED, "parameter out of range" },
        { 0xCC, POWER_FAULT_REFUSED, "invalid data field" },
        { 0xCE, POWER_FAULT_BUSY, "response could not be provided" },
        { 0xD2, POWER_FAULT_BUSY, "BMC is starting" },
        { 0xD4, POWER_FAULT_SHARED, "insufficient privilege" },
        { 0xD5, POWER_FAULT_NOT_NOW, "not supported in present state" },
        { 0xD6, POWER_FAULT_REFUSED, "command disabled" },
};

static int ipmi_failed(ipmi_ctx_t ctx, const struct power_bmc *bmc, struct power_cause *cause) {
        int number = ipmi_ctx_errnum(ctx);

        for (size_t i = 0; i < ELEMENTSOF(errors); i++) {
                if (errors[i].number != number)
                        continue;
                cause->fault = number == IPMI_ERR_HOSTNAME_INVALID
                                               ? power_name_fault(power_name_look_up(bmc->address,
                                                                 SOCK_DGRAM, NULL))
                                               : errors[i].fault;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                return fail_set(&cause->fail, -EIO, errors[i].format, bmc->address);
#pragma GCC diagnostic pop
        }
        cause->fault = POWER_FAULT_BUSY;
        return fail_set(&cause->fail, -EIO, "BMC %s: %s", bmc->address, ipmi_ctx_errormsg(ctx));
}

/* Handles a failed request in an open session: the completion code, if any, has details. */
static int failed_request(const struct session *s, fiid_obj_t answer, struct power_cause *cause) {
        uint64_t code = 0;

        if (ipmi_ctx_errnum(s->ctx) != IPMI_ERR_BAD_COMPLETION_CODE ||
                        fiid_obj_get(answer, "comp_code", &code) < 0)
                return ipmi_failed(s->ctx, s->bmc, cause);
        for (size_t i = 0; i < ELEMENTSOF(completions); i++)
                if (completions[i].code == code) {
                        cause->fault = completions[i].fault;
                        return fail_set(&cause->fail, -EIO, "BMC %s answered \"%s\" (0x%02X)",
                                        s->bmc->address, completions[i].text, (unsigned)code);
                }
        cause->fault = POWER_FAULT_BUSY;
        return fail_set(&cause->fail, -EIO, "BMC %s answered with code 0x%02X", s->bmc->address,
                        (unsigned)code);
}

/* Creates a first context before threads: the library's initialization (cryptography) is not
   thread-safe. */
static void ipmi_init(void) {
        ipmi_ctx_t ctx = ipmi_ctx_create();

        if (ctx)
                ipmi_ctx_destroy(ctx);
}

static int check_access(const struct power_bmc *bmc, struct power_cause *cause) {
        const struct power_access *a = bmc->access;

        cause->fault = POWER_FAULT_SHARED;
        if (strlen(a->user) > USER_MAX)
                return fail_set(&cause->fail, -EINVAL,
                                "user name for BMC %s is longer than IPMI's %d bytes", bmc->address,
                                USER_MAX);
        if (strlen(a->password) > PASSWORD_MAX)
                return fail_set(&cause->fail, -EINVAL,
                                "password for BMC %s is longer than IPMI's %d bytes", bmc->address,
                                PASSWORD_MAX);
        return 0;
}

static int context_new(const struct power_bmc *bmc, ipmi_ctx_t *ret, struct power_cause *cause) {
        *ret = ipmi_ctx_create();
        if (*ret)
                return 0;
        cause->fault = POWER_FAULT_BUSY;
        return fail_set(&cause->fail, -errno, "no IPMI context for BMC %s: %s", bmc->address,
                        strerror(errno));
}

static fiid_obj_t answer_new(fiid_template_t template) {
        fiid_obj_t answer = fiid_obj_create(template);

        if (!answer)
                out_of_memory(); /* memory is the only possible cause */
        return answer;
}

static int ipmi_open(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                struct power_cause *cause) {
        const struct power_access *a = bmc->access;
        usec_t session = MAX(MIN(a->session, limit), SESSION_MIN);
        usec_t retransmit = MIN(a->retransmit, session / RETRANSMITS_MIN);
        ipmi_ctx_t ctx = NULL;
        int r = check_access(bmc, cause);

        if (r >= 0)
                r = context_new(bmc, &ctx, cause);
        if (r < 0)
                return r;
        if (ipmi_ctx_open_outofband_2_0(ctx, bmc->address, a->user, a->password, NULL, 0,
                            IPMI_PRIVILEGE_LEVEL_ADMIN, (uint8_t)a->cipher_suite,
                            (unsigned)(session / USEC_PER_MSEC),
                            (unsigned)(retransmit / USEC_PER_MSEC), a->workarounds,
                            IPMI_FLAGS_DEFAULT) < 0) {
                r = ipmi_failed(ctx, bmc, cause);
                ipmi_ctx_destroy(ctx);
                return r;
        }
        struct session *s = xnew0(struct session, 1);
        s->ctx = ctx;
        s->bmc = bmc;
        *ret_session = s;
        return 0;
}

/* ---- in-band access ---- */

int ipmi_open_in_band(const struct power_bmc *bmc, void **ret_session, struct power_cause *cause) {
        ipmi_ctx_t ctx = NULL;
        struct session *s;
        int r = context_new(bmc, &ctx, cause);

        if (r < 0)
                return r;
        if (ipmi_ctx_open_inband(ctx, IPMI_DEVICE_OPENIPMI, 1, 0, 0, bmc->address, 0,
                            IPMI_FLAGS_DEFAULT) < 0) {
                r = ipmi_failed(ctx, bmc, cause);
                ipmi_ctx_destroy(ctx);
                return r;
        }
        s = xnew0(struct session, 1);
        s->ctx = ctx;
        s->bmc = bmc;
        *ret_session = s;
        return 0;
}

#define CHANNELS_MAX 16

static void read_mac(struct session *s, uint8_t channel, char ret[MAC_TEXT_SIZE]) {
        fiid_obj_t answer = fiid_obj_create(
                        tmpl_cmd_get_lan_configuration_parameters_mac_address_rs);
        char text[MAC_TEXT_SIZE];
        uint64_t mac = 0;

        assert(answer);
        if (ipmi_cmd_get_lan_configuration_parameters_mac_address(s->ctx, channel,
                            IPMI_GET_LAN_PARAMETER, 0, 0, answer) >= 0 &&
                        fiid_obj_get(answer, "mac_address", &mac) >= 0) {
                snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", (unsigned)(mac & 255),
                                (unsigned)(mac >> 8 & 255), (unsigned)(mac >> 16 & 255),
                                (unsigned)(mac >> 24 & 255), (unsigned)(mac >> 32 & 255),
                                (unsigned)(mac >> 40 & 255));
                (void)mac_spell(text, ret);
        }
        fiid_obj_destroy(answer);
}

int ipmi_lan_address(void *session, char ret[IPMI_ADDRESS_SIZE], char ret_mac[MAC_TEXT_SIZE]) {
        struct session *s = session;
        uint8_t channels[CHANNELS_MAX];
        int n = ipmi_get_channel_numbers(s->ctx, IPMI_CHANNEL_MEDIUM_TYPE_LAN_802_3, channels,
                        CHANNELS_MAX);
        int r = -ENOENT;

        for (int i = 0; i < n && r < 0; i++) {
                fiid_obj_t answer = answer_new(
                                tmpl_cmd_get_lan_configuration_parameters_ip_address_rs);
                uint64_t ip = 0;
                if (ipmi_cmd_get_lan_configuration_parameters_ip_address(s->ctx, channels[i],
                                    IPMI_GET_LAN_PARAMETER, 0, 0, answer) >= 0 &&
                                fiid_obj_get(answer, "ip_address", &ip) >= 0 && ip) {
                        snprintf(ret, IPMI_ADDRESS_SIZE, "%u.%u.%u.%u", (unsigned)(ip & 255),
                                        (unsigned)(ip >> 8 & 255), (unsigned)(ip >> 16 & 255),
                                        (unsigned)(ip >> 24 & 255));
                        read_mac(s, channels[i], ret_mac);
                        r = 0;
                }
                fiid_obj_destroy(answer);
        }
        return r;
}

static int ipmi_status(void *session, enum power_state *ret, struct power_cause *cause) {
        struct session *s = session;
        fiid_obj_t answer = answer_new(tmpl_cmd_get_chassis_status_rs);
        uint64_t on = 0;
        int r = 0;

        if (ipmi_cmd_get_chassis_status(s->ctx, answer) < 0)
                r = failed_request(s, answer, cause);
        else if (fiid_obj_get(answer, "current_power_state.power_is_on", &on) < 0) {
                cause->fault = POWER_FAULT_BUSY;
                r = fail_set(&cause->fail, -EBADMSG, "BMC %s gave a malformed state",
                                s->bmc->address);
        } else
                *ret = on ? POWER_IS_ON : POWER_IS_OFF;
        fiid_obj_destroy(answer);
        return r;
}

static int ipmi_control(void *session, enum power_verb verb, struct power_cause *cause) {
        static const uint8_t control[POWER_VERB_MAX] = {
                [POWER_ON] = IPMI_CHASSIS_CONTROL_POWER_UP,
                [POWER_OFF] = IPMI_CHASSIS_CONTROL_POWER_DOWN,
                [POWER_SOFT] = IPMI_CHASSIS_CONTROL_INITIATE_SOFT_SHUTDOWN,
        };
        struct session *s = session;
        fiid_obj_t answer = answer_new(tmpl_cmd_chassis_control_rs);
        int r = 0;

        assert(verb == POWER_ON || verb == POWER_OFF || verb == POWER_SOFT);
        if (ipmi_cmd_chassis_control(s->ctx, control[verb], answer) < 0)
                r = failed_request(s, answer, cause);
        fiid_obj_destroy(answer);
        return r;
}

static int ipmi_watts(void *session, double *ret, struct power_cause *cause) {
        struct session *s = session;
        fiid_obj_t answer = answer_new(tmpl_cmd_dcmi_get_power_reading_rs);
        uint64_t watts = 0, active = 0;
        int r = 0;

        if (ipmi_cmd_dcmi_get_power_reading(s->ctx,
                            IPMI_DCMI_POWER_READING_MODE_SYSTEM_POWER_STATISTICS, 0, answer) < 0)
                r = failed_request(s, answer, cause);
        else if (fiid_obj_get(answer, "current_power", &watts) < 0 ||
                        fiid_obj_get(answer, "power_reading_state.power_measurement", &active) <
                                        0) {
                cause->fault = POWER_FAULT_BUSY;
                r = fail_set(&cause->fail, -EBADMSG, "BMC %s gave a malformed power reading",
                                s->bmc->address);
        } else if (!active) {
                cause->fault = POWER_FAULT_REFUSED;
                r = fail_set(&cause->fail, -ENODATA, "BMC %s is not measuring power",
                                s->bmc->address);
        } else
                *ret = (double)watts;
        fiid_obj_destroy(answer);
        return r;
}

/* Reads the GUID; empty if the BMC has none. */
static void read_guid(struct session *s, char ret[37]) {
        fiid_obj_t answer = answer_new(tmpl_cmd_get_system_guid_rs);
        uint8_t b[16];

        if (ipmi_cmd_get_system_guid(s->ctx, answer) >= 0 &&
                        fiid_obj_get_data(answer, "guid", b, sizeof b) == (int)sizeof b)
                snprintf(ret, 37,
                                "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
                                b[11], b[12], b[13], b[14], b[15]);
        fiid_obj_destroy(answer);
}

/* Reads a text of the inventory; "" if missing. */
static void fru_text(ipmi_fru_ctx_t fru, uint8_t language, const ipmi_fru_field_t *field,
                char ret[IPMI_FRU_AREA_STRING_MAX + 1]) {
        unsigned n = IPMI_FRU_AREA_STRING_MAX;

        memset(ret, 0, IPMI_FRU_AREA_STRING_MAX + 1);
        if (field->type_length_field_length == 0 ||
                        ipmi_fru_type_length_field_to_string(fru, field->type_length_field,
                                        field->type_length_field_length, language, ret, &n) < 0)
                *ret = 0;
}

static void take_area(ipmi_fru_ctx_t fru, unsigned type, const uint8_t *area, unsigned n,
                struct power_identity *ret) {
        ipmi_fru_field_t name = { 0 }, serial = { 0 };
        char text[IPMI_FRU_AREA_STRING_MAX + 1];
        uint8_t language = 0;
        int r = -1;

        if (type == IPMI_FRU_AREA_TYPE_PRODUCT_INFO_AREA)
                r = ipmi_fru_product_info_area(fru, area, n, &language, NULL, &name, NULL, NULL,
                                &serial, NULL, NULL, NULL, 0);
        else if (type == IPMI_FRU_AREA_TYPE_BOARD_INFO_AREA)
                r = ipmi_fru_board_info_area(fru, area, n, &language, NULL, NULL, &name, &serial,
                                NULL, NULL, NULL, 0);
        if (r < 0)
                return;
        fru_text(fru, language, &serial, text);
        identity_add_serial(ret->serials, text);
        fru_text(fru, language, &name, text);
        if (type == IPMI_FRU_AREA_TYPE_PRODUCT_INFO_AREA)
                (void)identity_copy(ret->product, text);
}

#define FRU_AREAS_MAX 16 /* areas and records; the product's area is the third at the latest */

/* Reads the inventory of the system (device 0), if any. */
static void read_fru(struct session *s, struct power_identity *ret) {
        ipmi_fru_ctx_t fru = ipmi_fru_ctx_create(s->ctx);
        uint8_t area[2048]; /* an area's length is a byte in units of 8 */
        unsigned type = IPMI_FRU_AREA_TYPE_RAW_DATA, n = 0;

        if (!fru)
                out_of_memory(); /* memory is the only possible cause */
        if (ipmi_fru_open_device_id(fru, 0) >= 0) {
                for (int i = 0; i < FRU_AREAS_MAX; i++) {
                        if (ipmi_fru_read_data_area(fru, &type, &n, area, sizeof area) >= 0 &&
                                        n > 0)
                                take_area(fru, type, area, MIN(n, (unsigned)sizeof area), ret);
                        if (type == IPMI_FRU_AREA_TYPE_PRODUCT_INFO_AREA || ipmi_fru_next(fru) <= 0)
                                break;
                }
                ipmi_fru_close_device_id(fru);
        }
        ipmi_fru_ctx_destroy(fru);
}

static int ipmi_identify(void *session, struct power_identity *ret, struct power_cause *cause) {
        struct session *s = session;
        fiid_obj_t answer = answer_new(tmpl_cmd_get_device_id_rs);
        uint64_t major = 0, minor = 0;
        int r = 0;

        if (ipmi_cmd_get_device_id(s->ctx, answer) < 0)
                r = failed_request(s, answer, cause);
        else if (fiid_obj_get(answer, "firmware_revision1.major_revision", &major) >= 0 &&
                        fiid_obj_get(answer, "firmware_revision2.minor_revision", &minor) >= 0)
                /* the minor revision is BCD */
                snprintf(ret->firmware, sizeof ret->firmware, "%u.%02x", (unsigned)major,
                                (unsigned)minor);
        fiid_obj_destroy(answer);
        if (r >= 0) {
                char address[IPMI_ADDRESS_SIZE];
                read_guid(s, ret->uuid);
                (void)ipmi_lan_address(s, address, ret->bmc_mac);
                read_fru(s, ret);
        }
        return r;
}

static void ipmi_close(void *session) {
        struct session *s = session;

        ipmi_ctx_close(s->ctx);
        ipmi_ctx_destroy(s->ctx);
        free(s);
}

const struct power_driver *power_driver_ipmi(void) {
        static const struct power_driver driver = {
                .name = "ipmi",
                .noun = "BMC",
                .console = true,
                .init = ipmi_init,
                .open = ipmi_open,
                .status = ipmi_status,
                .control = ipmi_control,
                .watts = ipmi_watts,
                .identify = ipmi_identify,
                .close = ipmi_close,
        };

        return &driver;
}
