/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/brake_record.h - the brake on waking as a record, for the store, sdiag and
   scontrol show power */
#pragma once

#include "controller/model/cluster.h"
#include "lib/wire.h"

/* m borrows from c until brake_record_done(). */
void brake_record_fill(const struct cluster *c, usec_t now, Slumber__WakeBrake *m);
void brake_record_done(Slumber__WakeBrake *m);
/* Restores the brake; points in time are moved with the clock. */
void brake_record_restore(struct cluster *c, const Slumber__WakeBrake *m);
