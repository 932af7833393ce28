/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drivers for a node's own slumberd, on request: logind suspends or powers off the machine, as
 * "systemctl suspend" and "systemctl poweroff". logind answers before acting, so that the answer
 * gets out; success must be observed from outside. */
#include <systemd/sd-bus.h>

#include "power/power.h"

#define MANAGER                                                                                    \
        "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"

struct session {
        const struct power_bmc *bmc;
        sd_bus *bus;
};

static int logind_fault(struct power_cause *cause, enum power_fault kind, const char *what,
                const sd_bus_error *error, int r) {
        cause->fault = kind;
        return fail_set(&cause->fail, r, "logind: %s: %s", what,
                        error && error->message ? error->message : strerror(-r));
}

static int logind_open(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                struct power_cause *cause) {
        struct session *s = xnew0(struct session, 1);
        int r = sd_bus_open_system(&s->bus);

        s->bmc = bmc;
        if (r < 0) {
                free(s);
                return logind_fault(cause, POWER_FAULT_REFUSED, "there is no system bus", NULL, r);
        }
        (void)sd_bus_set_method_call_timeout(s->bus, MAX(limit, USEC_PER_SEC));
        *ret_session = s;
        return 0;
}

/* The machine that answers is on. */
static int logind_status(void *session, enum power_state *ret, struct power_cause *cause) {
        *ret = POWER_IS_ON;
        return 0;
}

/* Asks logind whether the machine supports the action: "yes", or a reason ("na": not supported). */
static int logind_check(struct session *s, const char *method, struct power_cause *cause) {
        sd_bus_error error = SD_BUS_ERROR_NULL;
        sd_bus_message *reply = NULL;
        const char *word = "";
        int r = sd_bus_call_method(s->bus, MANAGER, method, &error, &reply, "");

        if (r >= 0)
                r = sd_bus_message_read(reply, "s", &word);
        if (r < 0)
                r = logind_fault(cause, POWER_FAULT_REFUSED, method, &error, r);
        else if (!streq(word, "yes")) {
                cause->fault = POWER_FAULT_REFUSED;
                r = fail_set(&cause->fail, -EOPNOTSUPP, "logind: %s says \"%.20s\"", method, word);
        }
        sd_bus_error_free(&error);
        sd_bus_message_unref(reply);
        return r;
}

static int logind_control(void *session, enum power_verb verb, struct power_cause *cause) {
        struct session *s = session;
        bool sleep = s->bmc->access->driver == power_driver_logind_suspend();
        const char *method = sleep ? "Suspend" : "PowerOff";
        sd_bus_error error = SD_BUS_ERROR_NULL;
        int r = verb == POWER_ON ? -EOPNOTSUPP
                                 : logind_check(s, sleep ? "CanSuspend" : "CanPowerOff", cause);

        if (r < 0)
                return r;
        r = sd_bus_call_method(s->bus, MANAGER, method, &error, NULL, "b", 0);
        if (r < 0)
                r = logind_fault(cause, POWER_FAULT_BUSY, method, &error, r);
        sd_bus_error_free(&error);
        return r < 0 ? r : 1;
}

static void logind_close(void *session) {
        struct session *s = session;

        sd_bus_flush_close_unref(s->bus);
        free(s);
}

static void logind_init(void) {
}

#define LOGIND_DRIVER(text)                                                                        \
        {                                                                                          \
                .name = (text), .noun = "logind", .init = logind_init, .open = logind_open,        \
                .status = logind_status, .control = logind_control, .close = logind_close,         \
        }

const struct power_driver *power_driver_logind_suspend(void) {
        static const struct power_driver driver = LOGIND_DRIVER("logind-suspend");

        return &driver;
}

const struct power_driver *power_driver_logind_poweroff(void) {
        static const struct power_driver driver = LOGIND_DRIVER("logind-poweroff");

        return &driver;
}
