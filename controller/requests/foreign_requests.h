/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/foreign_requests.h - requests of users of other clusters (docs/clusters.md) */
#pragma once

#include "controller/loop/caller.h"

/* Identifies the user named by p, the slumberctld of another cluster: the user with the same name
   and number here. The user has no special rights unless slumber.yaml lists the name as an
   operator of that cluster; root and SlurmUser are nobody otherwise. Returns 0; -EAGAIN: a look-up
   is running; -EACCES: the request is refused, and answered, or was a ping of the slumberctld
   itself. */
int guest_identify(struct peer *p, const Envelope *env, struct caller *ret);
/* Returns whether slumber.yaml lists name as operator of the caller's cluster, so that the rights
   of the local user of this name apply. */
bool guest_is_operator(const struct caller *caller, const char *name);
