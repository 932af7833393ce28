/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/reservation_edit.h - what people wish of reservations, as they type it
 *
 * Not in core: what is typed depends on the time zone and the like.  What comes of it is
 * reservations/reservation.h's. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"

/* A new one, of what is wished (fail says more); *ret is the cluster's. */
enum slumber_error resv_create(struct cluster *c, const struct update_setting *wishes, size_t n,
                uid_t creator, usec_t now, struct resv **ret, struct fail *fail);
/* All that is wished or nothing. */
enum slumber_error resv_update(struct cluster *c, struct resv *r,
                const struct update_setting *wishes, size_t n, usec_t now, struct fail *fail);
/* "MAINT,DAILY,SPEC_NODES", as scontrol shows it; the caller frees. */
char *resv_flags_text(const struct resv *r);
