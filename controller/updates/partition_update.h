/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/partition_update.h - scontrol create, update and delete PartitionName= */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

/* Apply all settings or no setting; fail adds to the error's text where needed. */
enum slumber_error partition_create(struct cluster *c, const char *name,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail);
enum slumber_error partition_update(struct cluster *c, const char *name,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail);
enum slumber_error partition_delete(struct cluster *c, const char *name, usec_t now,
                struct fail *fail);
