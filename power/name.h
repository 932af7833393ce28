/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/name.h - host names in power.yaml, and the kind of fault if a name cannot be resolved */
#pragma once

#include <netdb.h>
#include <sys/socket.h>

#include "power/power.h"

/* Resolves "HOST" or "HOST:PORT" for a type of socket. Returns getaddrinfo()'s code; the caller
   frees *ret by freeaddrinfo(); ret may be NULL. Blocks as long as the resolver. */
int power_name_look_up(const char *address, int type, struct addrinfo **ret);
/* Returns the fault for such a code: an unknown name is a configuration fault, a name service
   without answer is not. */
enum power_fault power_name_fault(int code);
