/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/guests.h - requests of users of other clusters (docs/clusters.md) */
#pragma once

#include "controller/loop/caller.h"

/* Who the user is that p, the controller of another cluster, names: that of the same name and
   number here.  It has no more rights than any user, unless that cluster's operators in
   slumber.yaml name it; root and SlurmUser are nobody then.  -EAGAIN: it is being looked up,
   -EACCES: it may not ask that, or is not let in, and was told so; or it was a question of that
   controller itself, and is answered. */
int guest_identify(struct peer *p, const Envelope *env, struct caller *ret);
/* It keeps the rights that its name has here. */
bool guest_is_operator(const struct caller *caller, const char *name);
