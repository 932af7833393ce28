/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/clusters/names.h - look-up of a host's addresses without blocking the loop */
#pragma once

#include "lib/base.h"

#include <systemd/sd-event.h>

#define NAME_ADDRESSES_MAX 8 /* per host; further addresses are ignored */

struct name_lookup;
/* Receives numeric addresses in the order of preference; n 0: failed for why.  All arguments are
   borrowed; the look-up is freed after the call. */
typedef void name_found_t(char *const *addresses, size_t n, const char *why, void *user);
/* Calls found() once, from the loop.  Returns 0, or a negative errno: found() is not called. */
int name_look_up(sd_event *event, const char *host, name_found_t *found, void *user,
                struct name_lookup **ret);
/* Cancels a look-up without waiting for its thread; found() is not called.  Accepts NULL, returns
   NULL. */
struct name_lookup *name_lookup_drop(struct name_lookup *l);
