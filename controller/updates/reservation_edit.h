/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/reservation_edit.h - scontrol create and update reservationname=
 *
 * What a reservation does is controller/reservations/reservation.h's. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"

/* Creates a reservation; an error, with more in fail, creates none.  *ret is the cluster's. */
enum slumber_error resv_create(struct cluster *c, const struct update_setting *settings, size_t n,
                uid_t creator, usec_t now, struct resv **ret, struct fail *fail);
/* All settings come into force or none does. */
enum slumber_error resv_update(struct cluster *c, struct resv *r,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail);
/* The key of a setting means Skip. */
bool resv_key_is_skip(const char *key);
/* "MAINT,DAILY,SPEC_NODES", as scontrol shows it; the caller frees. */
char *resv_flags_text(const struct resv *r);
