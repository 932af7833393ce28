/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/addresses.h - the addresses of a step's nodes, in the step's node order, as LaunchStep has
 * them
 *
 * A row is "HOST:PORT" of one node, "HOSTLIST:PORT" of consecutive nodes with equal ports
 * ("10.0.0.[1-300]:6818"), or "" of a node with unknown address. An IPv6 address has no brackets:
 * the port is behind the last colon. */
#pragma once

#include "lib/base.h"

struct addresses;

/* Makes rows of n hosts ("" or NULL: address unknown) and ports. The caller frees with
   texts_free(); NULL with *ret_n = 0 if all addresses are unknown. */
char **addresses_rows(const char *const *hosts, const uint16_t *ports, size_t n, size_t *ret_n);

/* Reads n rows; a malformed row counts as one unknown address. */
struct addresses *addresses_parse(const char *const *rows, size_t n);
struct addresses *addresses_free(struct addresses *a); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct addresses *, addresses_free)
/* Returns "HOST:PORT" of node i, or "" if unknown or i is out of range. Borrowed. */
const char *addresses_get(const struct addresses *a, size_t i);
/* Splits "HOST:PORT"; the caller frees *ret_host. -EINVAL: no host, or no port from 1 to 65535. */
int address_split(const char *address, char **ret_host, uint16_t *ret_port);
