/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/guests.h - requests of users of other clusters (docs/clusters.md) */
#pragma once

#include "controller/loop/caller.h"

/* Who the user is that p, the controller of another cluster, names: that of the same name and
   number here.  It has no more rights than any user, unless that cluster's operators in
   slumber.yaml name it; root and SlurmUser are nobody then.  -EAGAIN: it is being looked up,
   -EACCES: it was refused, and told so. */
int guest_identify(struct peer *p, const Envelope *env, struct caller *ret);
/* May it ask that here?  false: it was told why not. */
bool guest_may(struct controller *ctl, struct caller *caller, const Envelope *env);
/* It keeps the rights that its name has here. */
bool guest_is_operator(const struct caller *caller, const char *name);
