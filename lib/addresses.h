/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/addresses.h - where the nodes of a step can be reached, in its order, as LaunchStep says it
 *
 * A row is "HOST:PORT" of one node, "HOSTLIST:PORT" of nodes that follow each other and have the
 * same port ("10.0.0.[1-300]:6818"), or "" of one whose address is not known.  An IPv6 address has
 * no brackets: the port is behind the last colon. */
#pragma once

#include "lib/base.h"

struct addresses;

/* hosts: "" or NULL: not known.  The caller frees the rows and their list; NULL with *ret_n = 0:
   none is known. */
char **addresses_rows(const char *const *hosts, const uint16_t *ports, size_t n, size_t *ret_n);
void addresses_rows_free(char **rows, size_t n);

/* A row that cannot be read is an address that is not known. */
struct addresses *addresses_parse(const char *const *rows, size_t n);
struct addresses *addresses_free(struct addresses *a); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct addresses *, addresses_free)
/* "HOST:PORT" of node i; "": not known.  Borrowed. */
const char *addresses_get(const struct addresses *a, size_t i);
/* "HOST:PORT" in two; *ret_host is the caller's. -EINVAL: it is not one. */
int address_split(const char *address, char **ret_host, uint16_t *ret_port);
