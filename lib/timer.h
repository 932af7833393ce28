/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/timer.h - timers of an event loop that are made while failing can be told, and cannot fail
 * when they are needed
 *
 * sd-event asks the kernel for a descriptor with the first timer of a clock, so making one may fail
 * when descriptors are used up; arming one that is there asks for nothing. */
#pragma once

#include "lib/base.h"

#include <systemd/sd-event.h>

/* longer is as good as for ever, and may come from a peer */
#define TIMER_LAST ((usec_t)36500 * 24 * 3600 * USEC_PER_SEC)

/* Not armed. CLOCK_MONOTONIC; accuracy in microseconds, 0: sd-event's 250 ms. The caller unrefs
 *ret. */
static inline int timer_new(sd_event *event, usec_t accuracy, sd_event_time_handler_t handler,
                void *user, sd_event_source **ret) {
        int r = sd_event_add_time(event, ret, CLOCK_MONOTONIC, 0, accuracy, handler, user);

        return r < 0 ? r : sd_event_source_set_enabled(*ret, SD_EVENT_OFF);
}

/* The handler is called once, after so long from now; armed again before that, it is the later time
   that counts. */
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
