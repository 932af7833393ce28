/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/in_band.h - this machine's own BMC, by the kernel's driver (/dev/ipmi0) */
#pragma once

#include "power/power.h"

#define IPMI_ADDRESS_SIZE sizeof("255.255.255.255")

/* bmc->address: the device. The session is one of power_driver_ipmi(), for its status, watts and
   close. */
int ipmi_open_in_band(const struct power_bmc *bmc, void **ret_session, struct power_cause *cause);
/* Of its first LAN channel that has one, with its MAC, "" if it does not tell. -ENOENT: none
   has. */
int ipmi_lan_address(void *session, char ret[IPMI_ADDRESS_SIZE], char ret_mac[MAC_TEXT_SIZE]);

/* A child of slumberd: sends a BmcReport to fd now and whenever another message comes. Returns an
   exit code. */
int power_in_band(int fd, const char *device);
