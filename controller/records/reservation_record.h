/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/reservation_record.h - reservations as they are stored and told of */
#pragma once

#include "controller/orders/viewer.h"
#include "proto/slumber.pb-c.h"

/* Those of that name that v sees; "": all; as they are shown at now, or, for the store, with 0. The
   message borrows from v->c. */
void reservation_record_fill(const struct viewer *v, const char *name, usec_t now,
                Slumber__ReservationList *m);
void reservation_record_done(Slumber__ReservationList *m);
/* Nodes that are not configured any more are left out. */
void reservation_record_restore(struct cluster *c, const Slumber__ReservationList *m);
