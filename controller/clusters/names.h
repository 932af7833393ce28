/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/clusters/names.h - the addresses of a host, without ever waiting for the name service
 */
#pragma once

#include "lib/base.h"

#include <systemd/sd-event.h>

#define NAME_ADDRESSES_MAX 8 /* of one host; the others are not tried */

struct name_lookup;
/* Numeric addresses, in the order in which to try them; n 0: there are none, why says so.  All of
   it is borrowed, and the look-up is over and freed. */
typedef void name_found_t(char *const *addresses, size_t n, const char *why, void *user);
/* found() is called from the loop, once.  0, or a negative errno: it has not begun. */
int name_look_up(sd_event *event, const char *host, name_found_t *found, void *user,
                struct name_lookup **ret);
/* found() is not called any more; its thread is not waited for.  Takes NULL, returns NULL. */
struct name_lookup *name_lookup_drop(struct name_lookup *l);
