/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/reservation_edit.h - scontrol create and update ReservationName=
 *
 * controller/reservations/reservation.h describes the effects of a reservation. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"

/* Creates a reservation; after an error, explained in fail, none.  *ret belongs to the cluster. */
enum slumber_error resv_create(struct cluster *c, const struct update_setting *settings, size_t n,
                uid_t creator, usec_t now, struct resv **ret, struct fail *fail);
/* Applies all settings or no setting. */
enum slumber_error resv_update(struct cluster *c, struct resv *r,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail);
/* Returns whether key means Skip. */
bool resv_key_is_skip(const char *key);
/* Returns "MAINT,DAILY,SPEC_NODES", as shown by scontrol; the caller frees. */
char *resv_flags_text(const struct resv *r);
