/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/reservation_record.h - reservations as messages, for the store and for
   display */
#pragma once

#include "controller/orders/viewer.h"
#include "proto/slumber.pb-c.h"

/* Fills m with the reservations of that name ("": all) visible to v; now: for display at that time,
   0: for the store.  m borrows from v->c until reservation_record_done(). */
void reservation_record_fill(const struct viewer *v, const char *name, usec_t now,
                Slumber__ReservationList *m);
void reservation_record_done(Slumber__ReservationList *m);
/* Nodes no longer configured are dropped. */
void reservation_record_restore(struct cluster *c, const Slumber__ReservationList *m);
