/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/calendar.h"

#include <time.h>

/* Returns the seconds by which local time got is ahead of local time wanted. */
static time_t clocks_apart(struct tm got, struct tm wanted) {
        return timegm(&got) - timegm(&wanted);
}

usec_t time_later_day(usec_t t, int days, unsigned wanted, usec_t *late) {
        time_t seconds = (time_t)(t / USEC_PER_SEC);
        struct tm tm;

        if (!localtime_r(&seconds, &tm))
                return 0;
        tm.tm_sec -= (int)(*late / USEC_PER_SEC);
        for (int i = 0; i < 8; i++) {
                struct tm then = tm;
                then.tm_mday += days + i;
                then.tm_isdst = -1;
                const struct tm asked = then;
                time_t at = mktime(&then);
                if (at == (time_t)-1)
                        return 0;
                if (!(wanted & 1u << then.tm_wday))
                        continue;
                *late = (usec_t)MAX(clocks_apart(then, asked), (time_t)0) * USEC_PER_SEC;
                return (usec_t)at * USEC_PER_SEC + t % USEC_PER_SEC;
        }
        return 0;
}

/* Days since Thursday 1970-01-01. */
static int64_t day_number(struct tm tm) {
        tm.tm_hour = tm.tm_min = tm.tm_sec = 0; /* midnight UTC of the local date */
        return timegm(&tm) / 86400;
}

int64_t time_period(usec_t t, enum calendar_period period) {
        time_t seconds = (time_t)(t / USEC_PER_SEC);
        struct tm tm;

        if (!localtime_r(&seconds, &tm))
                return 0;
        int year = tm.tm_year + 1900;
        switch (period) {
        case CALENDAR_DAY:
                return day_number(tm);
        case CALENDAR_WEEK:
                return (day_number(tm) + 4) / 7;
        case CALENDAR_MONTH:
                return year * 12 + tm.tm_mon;
        case CALENDAR_QUARTER:
                return year * 4 + tm.tm_mon / 3;
        case CALENDAR_YEAR:
                return year;
        }
        return 0;
}
