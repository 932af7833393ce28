/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/name.h - names of hosts in power.yaml, and what it means that one cannot be resolved */
#pragma once

#include <netdb.h>
#include <sys/socket.h>

#include "power/power.h"

/* "HOST" or "HOST:PORT", looked up for that kind of socket.  Returns getaddrinfo()'s code; *ret is
   to be freed by freeaddrinfo(); ret may be NULL.  Blocks as long as the resolver does. */
int power_name_look_up(const char *address, int type, struct addrinfo **ret);
/* Of such a code: a name that does not exist is a mistake of the configuration, a name service that
   does not answer is none. */
enum power_fault power_name_fault(int code);
