/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/calendar.h - days of the local calendar: of its arguments and the time zone alone, so that
   core may ask */
#pragma once

#include "lib/base.h"

/* The same time of day so many days later in the local zone, or the first day from then on that is
   one of these; 0: there is no such time. */
enum { TIME_WEEKDAYS = 0x3e, TIME_WEEKEND = 0x41, TIME_ALL_DAYS = 0x7f }; /* 1 << tm_wday */
usec_t time_later_day(usec_t t, int days, unsigned wanted);

/* The local day that t lies in; 0 everywhere: there is no such time. */
struct local_day {
        int64_t number;  /* days since Thursday 1970-01-01, by the calendar */
        int year, month; /* 1 to 12 */
};
struct local_day time_local_day(usec_t t);
