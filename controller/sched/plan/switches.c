/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --switches=N@time: a place on more leaf switches is not used until the wait is over, which
   begins when such a place is first available. */
#include "controller/accounts/bids.h"
#include "controller/indexes/changed.h"
#include "controller/sched/plan/usable.h"

usec_t sched_switches_until(const struct cluster *c, const struct job *j, usec_t now) {
        const usec_t since = job_itself(j)->waiting.switches_since;

        return (since ? since : now) + MIN(j->asked.switch_wait, c->config->max_switch_wait);
}

bool sched_waits_for_switches(struct cluster *c, const struct job *j, const struct placement *where,
                usec_t now) {
        if (!j->asked.switches || where->switches <= j->asked.switches)
                return false;
        usec_t until = sched_switches_until(c, j, now);
        if (now >= until)
                return false;
        struct job *itself = job_itself(j);
        if (!itself->waiting.switches_since) {
                itself->waiting.switches_since = now;
                cluster_job_changed(c, itself);
        }
        if (!itself->waiting.switches_armed)
                cluster_arm(c, until, DEADLINE_PASS, 0);
        itself->waiting.switches_armed = true;
        return true;
}
