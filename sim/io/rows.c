/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums, one row each: table for text, JSON and CSV. */
#include "sim/io/io.h"

#include <inttypes.h>

#define GET(name, value)                                                                           \
        static double get_##name(const struct sums *s) {                                           \
                return (double)(value);                                                            \
        }

GET(nodes, s->nodes)
GET(jobs, s->jobs)
GET(ran, s->ran)
GET(completed, s->by[JOB_COMPLETED])
GET(failed, s->by[JOB_FAILED])
GET(timeout, s->by[JOB_TIMEOUT])
GET(lost, s->ran - s->by[JOB_COMPLETED] - s->by[JOB_FAILED] - s->by[JOB_TIMEOUT])
GET(refused, s->refused)
GET(never, s->never_started)
GET(requeues, s->requeues)
GET(jobs_suspended, s->jobs_suspended)
GET(suspended, s->suspended)
GET(makespan, s->makespan)
GET(wait_mean, s->wait.mean)
GET(wait_median, s->wait.median)
GET(wait_p95, s->wait.p95)
GET(wait_max, s->wait.max)
GET(slow_mean, s->slowdown.mean)
GET(slow_median, s->slowdown.median)
GET(slow_p95, s->slowdown.p95)
GET(slow_max, s->slowdown.max)
GET(pending_mean, s->pending_mean)
GET(pending_max, s->pending_max)
GET(cpus_used, s->cpus_used)
GET(nodes_busy, s->nodes_busy)
GET(busy, s->hours[SIM_BUSY])
GET(idle, s->hours[SIM_IDLE])
GET(booting, s->hours[SIM_BOOTING])
GET(going_down, s->hours[SIM_GOING_DOWN])
GET(off, s->hours[SIM_OFF])
GET(out, s->hours[SIM_OUT])
GET(energy, s->energy)
GET(saved, s->saved)
GET(watts_mean, s->watts_mean)
GET(watts_max, s->watts_max)
GET(suspends, s->suspends)
GET(resumes, s->resumes)
GET(failures, s->failures)
GET(switches_mean, s->switches_mean)
GET(switches_max, s->switches_max)
GET(out_at_end, s->out_at_end)

static const struct row rows[] = {
        { "nodes", "nodes", "", 0, get_nodes, false },
        { "jobs", "jobs", "", 0, get_jobs, false },
        { "jobs_ran", "jobs that ran", "", 0, get_ran, false },
        { "jobs_completed", "  completed", "", 0, get_completed, false },
        { "jobs_failed", "  failed", "", 0, get_failed, false },
        { "jobs_timeout", "  ended by their limit", "", 0, get_timeout, false },
        { "jobs_lost", "  ended otherwise", "", 0, get_lost, false },
        { "jobs_refused", "jobs refused", "", 0, get_refused, false },
        { "jobs_never_started", "jobs that never start", "", 0, get_never, false },
        { "requeues", "jobs sent back to the queue", "", 0, get_requeues, false },
        { "jobs_suspended", "jobs that were suspended", "", 0, get_jobs_suspended, false },
        { "suspended_hours", "  for so many hours together", "h", 1, get_suspended, false },
        { "makespan", "first submission to last end", "time", 0, get_makespan, false },
        { "wait_mean", "wait, mean", "time", 0, get_wait_mean, false },
        { "wait_median", "wait, median", "time", 0, get_wait_median, false },
        { "wait_p95", "wait, 95 of 100 at most", "time", 0, get_wait_p95, false },
        { "wait_max", "wait, longest", "time", 0, get_wait_max, false },
        { "slowdown_mean", "bounded slowdown, mean", "", 2, get_slow_mean, false },
        { "slowdown_median", "bounded slowdown, median", "", 2, get_slow_median, false },
        { "slowdown_p95", "bounded slowdown, 95 of 100", "", 2, get_slow_p95, false },
        { "slowdown_max", "bounded slowdown, largest", "", 2, get_slow_max, false },
        { "pending_mean", "jobs waiting, mean", "", 1, get_pending_mean, false },
        { "pending_max", "jobs waiting, most", "", 0, get_pending_max, false },
        { "cpus_used", "CPUs in use", "%", 2, get_cpus_used, false },
        { "nodes_busy", "nodes in use", "%", 2, get_nodes_busy, false },
        { "busy_hours", "node hours busy", "h", 1, get_busy, false },
        { "idle_hours", "node hours idle", "h", 1, get_idle, false },
        { "booting_hours", "node hours booting", "h", 1, get_booting, false },
        { "going_down_hours", "node hours going down", "h", 1, get_going_down, false },
        { "off_hours", "node hours off", "h", 1, get_off, false },
        { "out_hours", "node hours out of service", "h", 1, get_out, false },
        { "energy", "energy used", "kWh", 3, get_energy, true },
        { "energy_saved", "energy saved by sleep", "kWh", 3, get_saved, true },
        { "watts_mean", "power, mean", "W", 0, get_watts_mean, true },
        { "watts_max", "power, most", "W", 0, get_watts_max, true },
        { "suspends", "nodes switched off", "", 0, get_suspends, false },
        { "resumes", "nodes switched on", "", 0, get_resumes, false },
        { "boot_failures", "boots that failed", "", 0, get_failures, false },
        { "switches_mean", "switches of a node, mean", "", 2, get_switches_mean, false },
        { "switches_max", "switches of a node, most", "", 0, get_switches_max, false },
        { "nodes_out", "nodes out of service at the end", "", 0, get_out_at_end, false },
};

const struct row *rows_get(size_t *ret_n) {
        *ret_n = ELEMENTSOF(rows);
        return rows;
}

int row_decimals(const struct row *row) {
        return row->decimals ? 6 : streq(row->unit, "time") ? 3 : 0;
}

const char *seconds_text(usec_t t, char buf[32]) {
        int n = snprintf(buf, 32, "%" PRIu64 ".%06" PRIu64, t / USEC_PER_SEC, t % USEC_PER_SEC);

        while (n > 1 && buf[n - 1] == '0')
                buf[--n] = 0;
        if (buf[n - 1] == '.')
                buf[n - 1] = 0;
        return buf;
}
