/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After a sleep of the machine the connection to the controller is stale, although neither side
 * has closed the connection: the node registers again at once. After a sleep requested by the
 * controller (driver suspend in power.yaml), the wake-up counts as a boot; after any sleep of
 * a different cause the jobs, which slept too, continue.
 *
 * A wall clock timer that is cancelled when the clock is set is also cancelled by each wake-up.
 * The total time slept is the difference of CLOCK_BOOTTIME and CLOCK_MONOTONIC. On machines only
 * idling while "asleep" (s2idle without processor support) both clocks continue; so after a sleep
 * requested by the controller, logind's PrepareForSleep signal counts too. */
#include "agent/wake.h"
#include "agent/state/agent.h"
#include "agent/upstream.h"

#include <sys/timerfd.h>
#include <systemd/sd-bus.h>
#include <time.h>

#define SLEEP_MIN (100 * USEC_PER_MSEC) /* the two clocks are read one after the other */

static usec_t machine_time_asleep(void) {
        struct timespec boot, running;

        (void)clock_gettime(CLOCK_MONOTONIC, &running);
        (void)clock_gettime(CLOCK_BOOTTIME, &boot);
        return (usec_t)(boot.tv_sec - running.tv_sec) * USEC_PER_SEC +
               (usec_t)((boot.tv_nsec - running.tv_nsec) / 1000);
}

/* Arms the timer, to detect the next jump of the clock. */
static int wake_timer_arm(struct agent *a) {
        const struct itimerspec never = { .it_value.tv_sec = (time_t)1 << 35 };

        return timerfd_settime(a->wake_timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never,
                               NULL) < 0
                               ? -errno
                               : 0;
}

static void drop_bus(struct agent *a) {
        if (a->wake_bus)
                (void)sd_bus_detach_event(a->wake_bus);
        a->wake_bus = sd_bus_close_unref(a->wake_bus);
}

static void wake_handle(struct agent *a) {
        log_info("The machine has slept%s; registering again",
                        a->sleep_wanted ? " as the controller wanted" : "");
        if (a->sleep_wanted)
                a->booted = (int64_t)now_boottime();
        a->sleep_wanted = false;
        upstream_reconnect(a);
}

/* Handles PrepareForSleep: true before a sleep, false afterwards, even after a failed sleep. */
static int on_logind(sd_bus_message *m, void *user, sd_bus_error *error) {
        struct agent *a = user;
        int before = 1;

        (void)error;
        if (sd_bus_message_read(m, "b", &before) < 0 || before)
                return 0;
        a->asleep = machine_time_asleep(); /* on_jump() must not report the sleep again */
        if (a->sleep_wanted)
                wake_handle(a);
        return 0;
}

void wake_expect(struct agent *a) {
        a->sleep_wanted = true;
        drop_bus(a);
        if (sd_bus_open_system(&a->wake_bus) < 0) {
                a->wake_bus = NULL;
                return;
        }
        if (sd_bus_attach_event(a->wake_bus, a->event, SD_EVENT_PRIORITY_NORMAL) < 0 ||
                        sd_bus_match_signal_async(a->wake_bus, NULL, "org.freedesktop.login1",
                                        "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
                                        "PrepareForSleep", on_logind, NULL, a) < 0)
                drop_bus(a);
}

static int on_jump(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct agent *a = user;
        usec_t before = a->asleep;
        uint64_t n;

        (void)source, (void)events;
        (void)!read(fd, &n, sizeof n); /* ECANCELED */
        if (wake_timer_arm(a) < 0)
                wake_done(a);
        a->asleep = machine_time_asleep();
        if (a->asleep < before + SLEEP_MIN)
                return 0; /* the clock was set */
        wake_handle(a);
        return 0;
}

void wake_watch(struct agent *a) {
        a->asleep = machine_time_asleep();
        a->wake_timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
        if (a->wake_timer < 0 || wake_timer_arm(a) < 0 ||
                        sd_event_add_io(a->event, &a->wake_source, a->wake_timer, EPOLLIN, on_jump,
                                        a) < 0) {
                log_warning(0, "The wake-up from a sleep of this node cannot be noticed");
                wake_done(a);
        }
}

void wake_done(struct agent *a) {
        drop_bus(a);
        a->wake_source = sd_event_source_disable_unref(a->wake_source);
        if (a->wake_timer >= 0)
                close(TAKE_FD(a->wake_timer));
}
