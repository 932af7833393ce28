/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swap may be switched on and off while slumberd runs. The kernel signals changes on /proc/swaps;
 * each heartbeat has the free swap. */
#include "agent/swap.h"
#include "agent/state/agent.h"
#include "agent/upstream.h"

#include <fcntl.h>
#include <sys/epoll.h>

static int on_change(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct agent *a = user;

        (void)source, (void)fd, (void)events;
        if (a->welcome) /* if not registered yet, the registration has the swap */
                upstream_beat(a, 0);
        return 0;
}

void swap_watch(struct agent *a) {
        a->swaps = open("/proc/swaps", O_RDONLY | O_CLOEXEC);
        if (a->swaps >= 0 && sd_event_add_io(a->event, &a->swaps_source, a->swaps, EPOLLPRI,
                                             on_change, a) < 0)
                swap_done(a);
}

void swap_done(struct agent *a) {
        a->swaps_source = sd_event_source_disable_unref(a->swaps_source);
        if (a->swaps >= 0)
                close(TAKE_FD(a->swaps));
}
