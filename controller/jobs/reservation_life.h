/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/reservation_life.h - reservations begin, end, come again and go */
#pragma once

#include "controller/model/cluster.h"

/* What is due: beginnings, ends, turns; and the deadline of the next. Also at the start and after a
   new configuration. */
void resv_review(struct cluster *c, usec_t now);
/* One is new or another than it was: plans, nodes and deadlines follow. */
void resv_changed(struct cluster *c, usec_t now);
/* SLUMBER_RESERVATION_BUSY while jobs run in it.  Those that wait for it alone are held, as at its
   end. */
enum slumber_error resv_delete(struct cluster *c, struct resv *r, usec_t now);
