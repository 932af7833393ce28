/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/wall_clock.h - the time of the pure rooms */
#pragma once

#include "controller/loop/controller.h"

void wall_clock_start(struct controller *ctl);
usec_t controller_now(const struct controller *ctl); /* the pure rooms' now */
/* Converts t to CLOCK_BOOTTIME. */
usec_t controller_boottime(const struct controller *ctl, usec_t t);
/* Follows the wall clock if set. */
void wall_clock_check(struct controller *ctl);
void wall_clock_fill(const struct controller *ctl, Slumber__Clock *m); /* borrows */
/* Restores the offset; call before restoring other records. */
void wall_clock_restore(struct controller *ctl, const Slumber__Clock *m);
