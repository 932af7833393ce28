/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/realtime.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer's search at the end runs in a process without real-time priority, for which this
   one waits in a loop of sched_yield(): with SCHED_RR it would keep the CPU from that process. */
static void give_priority_back(void) {
        struct sched_param p = { 0 };

        (void)sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &p);
}
#endif

int realtime_take(void) {
        struct sched_param p = { .sched_priority = 1 };

#ifdef __SANITIZE_ADDRESS__
        (void)atexit(give_priority_back);
#endif
        if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &p) >= 0)
                return 0;
        p.sched_priority = 0;
        (void)sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &p);
        return setpriority(PRIO_PROCESS, 0, -10) < 0 ? -errno : 0;
}
