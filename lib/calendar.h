/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/calendar.h - days of the local calendar: of its arguments and the time zone alone, so that
   core may ask */
#pragma once

#include "lib/base.h"

/* The same time of day so many days later in the local zone, or the first day from then on that is
   one of these; 0: there is no such time.  *late: how much later t is than its time of day, which
   its day does not have, as clocks are put forward over it (2:30 is 3:30 then); the same of the
   result is put there. */
enum { TIME_WEEKDAYS = 0x3e, TIME_WEEKEND = 0x41, TIME_ALL_DAYS = 0x7f }; /* 1 << tm_wday */
usec_t time_later_day(usec_t t, int days, unsigned wanted, usec_t *late);

enum calendar_period {
        CALENDAR_DAY,
        CALENDAR_WEEK, /* from Sunday on */
        CALENDAR_MONTH,
        CALENDAR_QUARTER,
        CALENDAR_YEAR,
};
/* Which of these t lies in, by the local calendar: a number that is the same from the first
   midnight of one to that of the next, and rises; 0: there is no such time. */
int64_t time_period(usec_t t, enum calendar_period period);
