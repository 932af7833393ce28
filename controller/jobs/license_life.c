/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/jobs/license_life.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/reservations/license.h"

void licenses_settle(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_active; i++)
                if (licenses_charge_late(c, c->active[i], now))
                        cluster_job_changed(c, c->active[i]);
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                bool unknown = j && job_is_queued(j) && licenses_unknown(c, j);
                if (j && job_is_queued(j) && (unknown ? !job_is_held(j) : j->held_priority != 0))
                        job_eligibility_changed(c, j, now);
        }
}
