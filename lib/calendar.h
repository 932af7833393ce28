/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/calendar.h - days of the local calendar; depends on arguments and time zone only, so that the
   core may call the functions */
#pragma once

#include "lib/base.h"

/* Returns the first time at least so many days after t, on a day in wanted, with the local time of
   day of t; 0 if no such time exists. *late (in and out) is the shift by a change of clocks: if a
   day skips 2:30 the result is 3:30 and *late one hour; the next call subtracts *late again. */
enum { TIME_WEEKDAYS = 0x3e, TIME_WEEKEND = 0x41, TIME_ALL_DAYS = 0x7f }; /* bits 1 << tm_wday */
usec_t time_later_day(usec_t t, int days, unsigned wanted, usec_t *late);

enum calendar_period {
        CALENDAR_DAY,
        CALENDAR_WEEK, /* starts on Sunday */
        CALENDAR_MONTH,
        CALENDAR_QUARTER,
        CALENDAR_YEAR,
};
/* Returns the number of the local day, week... of t: constant within the period, greater in later
   periods; 0 if t has no local time. */
int64_t time_period(usec_t t, enum calendar_period period);
