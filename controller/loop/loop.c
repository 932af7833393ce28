/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls from all parts of slumberctld to the loop. */
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"

/* A command that has heard of the end of its step says within this what comes next. */
#define A_MOMENT (5 * USEC_PER_MSEC)

void controller_changed(struct controller *ctl) {
        usec_t now = now_monotonic();

        if (!ctl->changed_since) {
                ctl->changed_since = now;
                (void)sd_event_source_set_enabled(ctl->defer, SD_EVENT_ONESHOT);
                (void)sd_event_source_set_enabled(ctl->post, SD_EVENT_ON);
        }
}

void controller_changed_a_little(struct controller *ctl) {
        int on = SD_EVENT_OFF;

        if (ctl->changed_since || (sd_event_source_get_enabled(ctl->gathering_ends, &on) >= 0 &&
                                                  on != SD_EVENT_OFF))
                return;
        usec_t wait = MAX(A_MOMENT, pace_wait(&ctl->pace, now_monotonic()));
        (void)sd_event_source_set_time_relative(ctl->gathering_ends, wait);
        (void)sd_event_source_set_enabled(ctl->gathering_ends, SD_EVENT_ONESHOT);
}

void controller_answers_command(struct controller *ctl) {
        controller_changed(ctl);
        if (ctl->pace.asked)
                return;
        ctl->pace.asked = true;
        (void)sd_event_source_set_enabled(ctl->defer, SD_EVENT_ONESHOT);
}

void controller_want_reconfigure(struct controller *ctl, const struct address *to) {
        ctl->reconfigure_wanted = true;
        if (to) {
                GROW(ctl->reconfigure, ctl->a_reconfigure, ctl->n_reconfigure);
                ctl->reconfigure[ctl->n_reconfigure++] = address_copy(to);
        }
        controller_changed(ctl);
}
