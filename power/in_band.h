/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/in_band.h - the machine's own BMC, by the kernel's driver (/dev/ipmi0) */
#pragma once

#include "power/power.h"

#define IPMI_ADDRESS_SIZE sizeof("255.255.255.255")

/* Opens the device bmc->address. The session works with power_driver_ipmi()'s status, watts and
   close. */
int ipmi_open_in_band(const struct power_bmc *bmc, void **ret_session, struct power_cause *cause);
/* Reads the address of the first LAN channel that has one, and its MAC ("" if unknown). -ENOENT: no
   channel has an address. */
int ipmi_lan_address(void *session, char ret[IPMI_ADDRESS_SIZE], char ret_mac[MAC_TEXT_SIZE]);

/* Runs in a child of slumberd: sends a BmcReport to fd at start and after each message. Returns the
   exit code. */
int power_in_band(int fd, const char *device);
