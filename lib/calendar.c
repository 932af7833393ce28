/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/calendar.h"

#include <time.h>

usec_t time_later_day(usec_t t, int days, unsigned wanted) {
        time_t seconds = (time_t)(t / USEC_PER_SEC);
        struct tm tm;

        if (!localtime_r(&seconds, &tm))
                return 0;
        for (int i = 0; i < 8; i++) {
                struct tm then = tm;
                then.tm_mday += days + i;
                then.tm_isdst = -1;
                time_t at = mktime(&then);
                if (at == (time_t)-1)
                        return 0;
                if (wanted & 1u << then.tm_wday)
                        return (usec_t)at * USEC_PER_SEC + t % USEC_PER_SEC;
        }
        return 0;
}

struct local_day time_local_day(usec_t t) {
        time_t seconds = (time_t)(t / USEC_PER_SEC);
        struct tm tm;

        if (!localtime_r(&seconds, &tm))
                return (struct local_day){ 0 };
        struct local_day day = { .year = tm.tm_year + 1900, .month = tm.tm_mon + 1 };
        tm.tm_hour = tm.tm_min = tm.tm_sec = 0; /* as if it were midnight UTC there */
        day.number = timegm(&tm) / 86400;
        return day;
}
