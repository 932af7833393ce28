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
