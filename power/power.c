/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/power.h"

static const char *const verbs[] = {
        [POWER_STATUS] = "status",
        [POWER_ON] = "on",
        [POWER_OFF] = "off",
        [POWER_SOFT] = "soft",
        [POWER_CYCLE] = "cycle",
        [POWER_WATTS] = "watts",
        [POWER_CHECK] = "check",
};
DEFINE_STRTAB(power_verb, verbs)

static const char *const states[] = {
        [POWER_UNKNOWN] = "unknown",
        [POWER_IS_OFF] = "off",
        [POWER_IS_ON] = "on",
        [POWER_IS_CHANGING] = "changing",
};
DEFINE_STRTAB(power_state, states)

static const char *const faults[] = {
        [POWER_OK] = "ok",
        [POWER_FAULT_CONFIG] = "config",
        [POWER_FAULT_SHARED] = "shared",
        [POWER_FAULT_NAMES] = "names",
        [POWER_FAULT_SILENT] = "silent",
        [POWER_FAULT_BUSY] = "busy",
        [POWER_FAULT_NOT_NOW] = "not-now",
        [POWER_FAULT_REFUSED] = "refused",
        [POWER_FAULT_STUCK] = "stuck",
};
DEFINE_STRTAB(power_fault, faults)

static const struct power_driver *(*const drivers[])(void) = {
        power_driver_ipmi,
        power_driver_redfish,
        power_driver_wake_on_lan,
        power_driver_program,
        power_driver_suspend,
        power_driver_logind_suspend,
        power_driver_logind_poweroff,
};

const struct power_driver *power_driver_find(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(drivers); i++)
                if (streq(drivers[i]()->name, name))
                        return drivers[i]();
        return NULL;
}
