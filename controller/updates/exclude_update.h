/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/exclude_update.h - scontrol update suspendexcnodes= and its like */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

/* All settings come into force or none does.  *ret_kinds: bits of enum exclude_kind that have
   another value now. */
enum slumber_error exclusions_update_all(struct cluster *c, const struct update_setting *settings,
                size_t n, usec_t now, unsigned *ret_kinds, struct fail *fail);
