/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an accounting record of a job known to the controller. */
#include "commands/accounts/sacct.h"

#include "commands/job_text.h"

void sacct_live_init(struct sacct_live *l, const Job *job, usec_t now) {
        const Slumber__JobSpec *spec = job->spec;
        struct scratch s = { 0 };
        Ended *e = &l->e;
        bool ran = !job_pending(job) && *job->nodes;

        slumber__ended__init(e);
        e->batch = spec->batch;
#define X(field) e->field = spec->field;
        /* clang-format off */
        X(name) X(account) X(qos) X(qos_req) X(reservation) X(wckey) X(features) X(work_dir)
        X(comment) X(extra) X(min_nodes) X(mcs_label) X(submit_line) X(container)
        X(licenses) X(std_in) X(std_out) X(std_err);
        /* clang-format on */
#undef X
#define X(field) e->field = (int64_t)job->field;
        /* clang-format off */
        X(uid) X(gid) X(priority) X(restarts) X(started_by) X(mem_per_node) X(mem_per_cpu)
        X(exit_code) X(derived_exit_code) X(array_job);
        /* clang-format on */
#undef X
        e->job_id = job->id;
        e->het_job = job->het_job;
        e->het_offset = job->het_offset;
        e->array_task = job->array_job && !job_is_rest(job) ? (int64_t)job->array_task : -1;
        e->array_tasks = job->array_waiting;
        e->user = job->user;
        e->admin_comment = job->admin_comment;
        e->group_name = job->group;
        e->partition = job->partition;
        e->state = (char *)job_shown_long((int)job->state);
        e->reason = (char *)job_reason(job);
        e->nodes = ran ? job->nodes : (char *)"";
        e->tres_req = l->texts[0] = xstrdup(job_tres(job, false, &s));
        e->tres_alloc = l->texts[1] = xstrdup(ran ? job_tres(job, true, &s) : "");
        e->num_nodes = ran ? (int64_t)job->num_nodes : 0;
        e->num_cpus = ran ? (int64_t)job->num_cpus : 0;
        e->cancelled_by = (int64_t)job->cancelled_by - 1;
        e->consumed_energy = ran ? (int64_t)(job->energy / 1000) : 0;
        e->time_submit = job->submit_time;
        e->time_queued = job->resize_time ? job->resize_time
                                          : MAX(job->queued_time, job->submit_time);
        e->time_eligible = job->resize_time ? job->resize_time : job->eligible_time;
        e->time_start = ran ? job->resize_time ? job->resize_time : job->start_time : 0;
        e->time_end = job_finished(job) ? job->end_time : 0;
        e->time_limit = job->time_limit;
        usec_t end = e->time_end ? e->time_end : now;
        usec_t run = job->run_time - MIN(job->run_time, job->resize_ran);
        e->time_suspended = e->time_start && end > e->time_start + run ? end - e->time_start - run
                                                                       : 0;
        scratch_done(&s);
}

void sacct_live_done(struct sacct_live *l) {
        for (size_t i = 0; i < ELEMENTSOF(l->texts); i++)
                free(l->texts[i]);
}
