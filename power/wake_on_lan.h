/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/wake_on_lan.h - magic packets */
#pragma once

#include "lib/identity.h"
#include "power/power.h"

#define MAGIC_PACKET_MAX (6 + 16 * MAC_SIZE + 6)

/* Reads a SecureOn password: like a MAC (6 bytes) or an IPv4 address (4 bytes); NULL or "": none.
   Returns its size, or -EINVAL. */
int secure_on_parse(const char *text, uint8_t ret[6]);
/* Returns the packet's size: six bytes FF, 16 times the MAC, the password. */
size_t magic_packet(const uint8_t mac[MAC_SIZE], const uint8_t *password, size_t password_size,
                uint8_t ret[MAGIC_PACKET_MAX]);
