/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/reservation_life.h - reservations begin, end, recur and are deleted */
#pragma once

#include "controller/model/cluster.h"

/* Begins and ends reservations that are due and sets the next deadline. Also called at the start
   and after a new configuration. */
void resv_review(struct cluster *c, usec_t now);
/* Updates plans, nodes and deadlines after a reservation was created or changed. */
void resv_changed(struct cluster *c, usec_t now);
/* Deletes r; SLUMBER_RESERVATION_BUSY while jobs run in r. Jobs waiting for r only are held, as at
   the end of r. */
enum slumber_error resv_delete(struct cluster *c, struct resv *r, usec_t now);
