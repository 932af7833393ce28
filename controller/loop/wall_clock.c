/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of the pure rooms: CLOCK_BOOTTIME plus an offset, steady and readable.
 *
 * The offset is the wall clock's. If the wall clock is set, while slumberctld runs or between a
 * kill and the next start in the same boot (same boot id), the offset follows and all stored points
 * in time move with it (orders/clock.h): deadlines keep their distance, and times given by the
 * clock (--begin) stay. After a reboot only the wall clock knows the length of the reboot, so the
 * wall clock is believed. */
#include "controller/loop/wall_clock.h"

#include "controller/loop/controller.h"

#include "controller/orders/clock.h"
#include "lib/log.h"
#include "lib/timetext.h"

/* Smaller steps are ignored; accumulated drift is followed. */
#define STEP_MIN USEC_PER_SEC
/* Limit between two readings of the same clock: a larger distance means sleep in between, and
   useless readings. */
#define READING_MAX (100 * USEC_PER_MSEC)

static int64_t read_offset(int64_t otherwise) {
        for (int i = 0; i < 5; i++) {
                usec_t before = now_boottime(), wall = now_realtime();
                if (now_boottime() - before < READING_MAX)
                        return (int64_t)(wall - before);
        }
        return otherwise;
}

static void read_boot_id(char *buf, size_t size) {
        _cleanup_fclose_ FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

        if (!f || !fgets(buf, (int)size, f))
                *buf = 0;
        buf[strcspn(buf, "\n")] = 0;
}

void wall_clock_start(struct controller *ctl) {
        read_boot_id(ctl->boot_id, sizeof ctl->boot_id);
        ctl->clock_offset = read_offset((int64_t)(now_realtime() - now_boottime()));
}

usec_t controller_now(const struct controller *ctl) {
        return now_boottime() + (usec_t)ctl->clock_offset;
}

usec_t controller_boottime(const struct controller *ctl, usec_t t) {
        return (int64_t)t > ctl->clock_offset ? t - (usec_t)ctl->clock_offset : 0;
}

void wall_clock_fill(const struct controller *ctl, Slumber__Clock *m) {
        m->boot_id = (char *)(uintptr_t)ctl->boot_id;
        m->offset = ctl->clock_offset;
        m->set = ctl->cluster->clock_set;
}

static int64_t clock_step_size(int64_t by) {
        return by < 0 ? -by : by;
}

static void wall_clock_log_step(int64_t by, const char *when) {
        char buf[TIMETEXT_MAX];

        log_info("The wall clock was set %s by %s%s: deadlines move with it, begin times stay",
                        by < 0 ? "back" : "forward",
                        duration_text((usec_t)clock_step_size(by) + USEC_PER_SEC / 2, buf), when);
}

void wall_clock_restore(struct controller *ctl, const Slumber__Clock *m) {
        int64_t by = ctl->clock_offset - m->offset;

        ctl->cluster->clock_set = m->set;
        if (!*ctl->boot_id || !streq(ctl->boot_id, m->boot_id))
                return;
        if (clock_step_size(by) < (int64_t)STEP_MIN) {
                ctl->clock_offset = m->offset;
                return;
        }
        ctl->cluster->clock_set += by;
        wall_clock_log_step(by, " since the last controller ran");
}

void wall_clock_check(struct controller *ctl) {
        int64_t offset = read_offset(ctl->clock_offset), by = offset - ctl->clock_offset;

        if (clock_step_size(by) < (int64_t)STEP_MIN)
                return;
        wall_clock_log_step(by, "");
        ctl->clock_offset = offset;
        ctl->boot_time = clock_moved(ctl->boot_time, by);
        cluster_clock_set(ctl->cluster, by, controller_now(ctl));
        ctl->ops->clock_set(ctl, by);
        controller_changed(ctl);
}
