/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/exclude_update.h - scontrol update SuspendExcNodes=, SuspendExcParts=,
 * SuspendExcStates= */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

/* Applies all settings or no setting.  *ret_kinds: bits of enum exclude_kind that were
   updated. */
enum slumber_error exclusions_update_all(struct cluster *c, const struct update_setting *settings,
                size_t n, usec_t now, unsigned *ret_kinds, struct fail *fail);
