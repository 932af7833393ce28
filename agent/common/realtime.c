/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/realtime.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer's search at the end runs in a process without real-time priority, while the calling
   process waits in a loop of sched_yield(): with SCHED_RR the loop would take the CPU from the
   search. */
static void give_priority_back(void) {
        realtime_give(0);
}
#endif

int realtime_take(pid_t thread) {
        struct sched_param p = { .sched_priority = 1 };

#ifdef __SANITIZE_ADDRESS__
        static bool registered;
        if (!registered)
                registered = atexit(give_priority_back) == 0;
#endif
        if (sched_setscheduler(thread, SCHED_RR | SCHED_RESET_ON_FORK, &p) >= 0)
                return 0;
        p.sched_priority = 0;
        (void)sched_setscheduler(thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &p);
        return setpriority(PRIO_PROCESS, (id_t)thread, -10) < 0 ? -errno : 0;
}

void realtime_give(pid_t thread) {
        const struct sched_param p = { 0 };

        if (sched_getscheduler(thread) != (SCHED_RR | SCHED_RESET_ON_FORK))
                (void)setpriority(PRIO_PROCESS, (id_t)thread, 0);
        (void)sched_setscheduler(thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &p);
}
