/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/timer.h - event loop timers, created in advance so that arming cannot fail
 *
 * sd-event opens a descriptor with the first timer of a clock: creating a timer fails when no
 * descriptor is free, arming an existing timer does not. */
#pragma once

#include "lib/base.h"

#include <systemd/sd-event.h>

/* Longest time: practically forever; a peer may send longer ones. */
#define TIMER_LAST ((usec_t)36500 * 24 * 3600 * USEC_PER_SEC)

/* Makes a timer, not armed, of CLOCK_MONOTONIC; accuracy in microseconds, 0: sd-event's 250 ms. The
 * caller unrefs *ret. */
static inline int timer_new(sd_event *event, usec_t accuracy, sd_event_time_handler_t handler,
                void *user, sd_event_source **ret) {
        int r = sd_event_add_time(event, ret, CLOCK_MONOTONIC, 0, accuracy, handler, user);

        return r < 0 ? r : sd_event_source_set_enabled(*ret, SD_EVENT_OFF);
}

/* Calls the handler once, after the given time from now. Arming again replaces the earlier time. */
static inline void timer_arm(sd_event_source *timer, usec_t after) {
        int r = sd_event_source_set_time_relative(timer, MIN(after, TIMER_LAST));

        if (r >= 0)
                r = sd_event_source_set_enabled(timer, SD_EVENT_ONESHOT);
        assert(r >= 0);
}

static inline void timer_disarm(sd_event_source *timer) {
        if (timer)
                (void)sd_event_source_set_enabled(timer, SD_EVENT_OFF);
}

static inline bool timer_is_armed(sd_event_source *timer) {
        return sd_event_source_get_enabled(timer, NULL) > 0;
}
