/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct's fields, with the widths that Slurm gives them. */
#include "commands/sacct.h"

#include "lib/timetext.h"

#define TEXT(id, ...)                                                                              \
        static const char *id(const void *record, struct scratch *s, const void *user) {           \
                const Ended *e = record;                                                           \
                return __VA_ARGS__;                                                                \
        }
#define NUMBER(id, value) TEXT(id, scratch_printf(s, "%lld", (long long)(value)))

static const char *moment(usec_t t, const char *none, struct scratch *s) {
        char buf[TIMETEXT_MAX];

        return t ? scratch_printf(s, "%s", time_text(t, getenv("SLURM_TIME_FORMAT"), buf)) : none;
}

static const char *duration(usec_t d, struct scratch *s) {
        char buf[TIMETEXT_MAX];

        return scratch_printf(s, "%s", duration_text(d, buf));
}

/* Until now, if it is not over; without the time for which it stood still. */
static usec_t elapsed(const Ended *e, const void *user) {
        usec_t end = e->time_end ? e->time_end : *(const usec_t *)user;

        return e->time_start && end > e->time_start + e->time_suspended ? end - e->time_start - e->time_suspended : 0;
}

/* How long it waited once it might have started. */
static usec_t planned(const Ended *e, const void *user) {
        usec_t until = e->time_start ? e->time_start : e->time_end ? e->time_end : *(const usec_t *)user;

        return e->time_eligible && until > e->time_eligible ? until - e->time_eligible : 0;
}

const char *sacct_job_id(const Ended *e, struct scratch *s) {
        if (!e->array_job)
                return scratch_printf(s, "%lld", (long long)e->job_id);
        if (e->array_task < 0)
                return scratch_printf(s, "%lld_[%s]", (long long)e->array_job, e->array_tasks);
        return scratch_printf(s, "%lld_%lld", (long long)e->array_job, (long long)e->array_task);
}

static const char *exit_pair(int64_t status, struct scratch *s) {
        return scratch_printf(s, "%lld:%lld", (long long)(status >> 8 & 0xff), (long long)(status & 0x7f));
}

static const char *requested_memory(const Ended *e, struct scratch *s) {
        char buf[TIMETEXT_MAX];
        uint64_t nodes = (uint64_t)MAX(e->num_nodes, MAX(e->min_nodes, (int64_t)1)), cpus = (uint64_t)MAX(e->num_cpus, (int64_t)1);
        uint64_t mb = e->mem_per_node ? (uint64_t)e->mem_per_node * nodes : (uint64_t)e->mem_per_cpu * cpus;

        return mb ? scratch_printf(s, "%s", memory_text(mb, buf)) : "0";
}

/* "cpu=3,..." */
static int64_t cpus_asked(const Ended *e) {
        return strncmp(e->tres_req, "cpu=", 4) == 0 ? strtoll(e->tres_req + 4, NULL, 10) : 0;
}

TEXT(account, e->account)
TEXT(alloc_tres, e->tres_alloc)
TEXT(cluster, e->cluster)
TEXT(comment, e->comment)
TEXT(constraints, e->features)
TEXT(cpu_time, duration(elapsed(e, user) * (uint64_t)e->num_cpus, s))
TEXT(elapsed_text, duration(elapsed(e, user), s))
TEXT(eligible, moment(e->time_eligible, "Unknown", s))
TEXT(end, moment(e->time_end, "Unknown", s))
TEXT(derived, exit_pair(e->derived_exit_code, s))
TEXT(exit_code, exit_pair(e->exit_code, s))
TEXT(extra, e->extra)
TEXT(group, e->group_name)
TEXT(job_id, sacct_job_id(e, s))
TEXT(name, e->name)
TEXT(node_list, *e->nodes ? e->nodes : "None assigned")
TEXT(partition, e->partition)
TEXT(planned_text, duration(planned(e, user), s))
TEXT(qos, e->qos)
TEXT(reason, e->reason)
TEXT(req_mem, requested_memory(e, s))
TEXT(req_tres, e->tres_req)
TEXT(reservation, e->reservation)
TEXT(start, moment(e->time_start, e->time_end ? "None" : "Unknown", s))
TEXT(state, strcmp(e->state, "CANCELLED") == 0 && e->cancelled_by >= 0 ? scratch_printf(s, "CANCELLED by %lld", (long long)e->cancelled_by) : e->state)
TEXT(submit, moment(e->time_queued, "Unknown", s))
TEXT(suspended, duration(e->time_suspended, s))
TEXT(time_limit, e->time_limit ? duration(e->time_limit, s) : "Partition_Limit")
TEXT(time_limit_raw, e->time_limit == NO_LIMIT ? "UNLIMITED" : scratch_printf(s, "%llu", (unsigned long long)(e->time_limit / (60 * USEC_PER_SEC))))
TEXT(user_name, e->user)
TEXT(wckey, e->wckey)
TEXT(work_dir, e->work_dir)
NUMBER(alloc_cpus, e->num_cpus)
NUMBER(alloc_nodes, e->num_nodes)
NUMBER(cpu_time_raw, elapsed(e, user) / USEC_PER_SEC * (uint64_t)e->num_cpus)
NUMBER(elapsed_raw, elapsed(e, user) / USEC_PER_SEC)
NUMBER(gid, e->gid)
NUMBER(job_id_raw, e->job_id)
NUMBER(n_nodes, e->num_nodes ? e->num_nodes : MAX(e->min_nodes, (int64_t)1))
NUMBER(priority, e->priority)
NUMBER(req_cpus, cpus_asked(e))
NUMBER(req_nodes, MAX(e->min_nodes, (int64_t)1))
NUMBER(restarts, e->restarts)
NUMBER(uid, e->uid)
TEXT(missing, e->name) /* is never asked */

#define MISSING(name) { name, 10, missing, NULL, NULL }
static const struct table_field fields[] = {
        { "Account", 10, account, NULL, NULL },
        MISSING("AdminComment"),
        { "AllocCPUS", 10, alloc_cpus, NULL, NULL },
        { "AllocNodes", 10, alloc_nodes, NULL, NULL },
        { "AllocTRES", 10, alloc_tres, NULL, NULL },
        MISSING("AssocID"),
        MISSING("AveCPU"),
        MISSING("AveCPUFreq"),
        MISSING("AveDiskRead"),
        MISSING("AveDiskWrite"),
        MISSING("AvePages"),
        MISSING("AveRSS"),
        MISSING("AveVMSize"),
        MISSING("BlockID"),
        { "Cluster", 10, cluster, NULL, NULL },
        { "Comment", 14, comment, NULL, NULL },
        { "Constraints", 19, constraints, NULL, NULL },
        MISSING("ConsumedEnergy"),
        MISSING("ConsumedEnergyRaw"),
        MISSING("Container"),
        { "CPUTime", 10, cpu_time, NULL, NULL },
        { "CPUTimeRAW", 10, cpu_time_raw, NULL, NULL },
        MISSING("DBIndex"),
        { "DerivedExitCode", 15, derived, NULL, NULL },
        { "Elapsed", 10, elapsed_text, NULL, NULL },
        { "ElapsedRaw", 10, elapsed_raw, NULL, NULL },
        { "Eligible", 19, eligible, NULL, NULL },
        { "End", 19, end, NULL, NULL },
        { "ExitCode", 8, exit_code, NULL, NULL },
        { "Extra", 19, extra, NULL, NULL },
        MISSING("FailedNode"),
        MISSING("Flags"),
        { "GID", 6, gid, NULL, NULL },
        { "Group", 9, group, NULL, NULL },
        { "JobID", -12, job_id, NULL, NULL },
        { "JobIDRaw", -12, job_id_raw, NULL, NULL },
        { "JobName", 10, name, NULL, NULL },
        MISSING("Layout"),
        MISSING("MaxDiskRead"),
        MISSING("MaxDiskReadNode"),
        MISSING("MaxDiskReadTask"),
        MISSING("MaxDiskWrite"),
        MISSING("MaxDiskWriteNode"),
        MISSING("MaxDiskWriteTask"),
        MISSING("MaxPages"),
        MISSING("MaxPagesNode"),
        MISSING("MaxPagesTask"),
        MISSING("MaxRSS"),
        MISSING("MaxRSSNode"),
        MISSING("MaxRSSTask"),
        MISSING("MaxVMSize"),
        MISSING("MaxVMSizeNode"),
        MISSING("MaxVMSizeTask"),
        MISSING("McsLabel"),
        MISSING("MinCPU"),
        MISSING("MinCPUNode"),
        MISSING("MinCPUTask"),
        { "NCPUS", 10, alloc_cpus, NULL, NULL },
        { "NNodes", 8, n_nodes, NULL, NULL },
        { "NodeList", 15, node_list, NULL, NULL },
        MISSING("NTasks"),
        { "Partition", 10, partition, NULL, NULL },
        { "Planned", 10, planned_text, NULL, NULL },
        MISSING("PlannedCPU"),
        MISSING("PlannedCPURAW"),
        { "Priority", 10, priority, NULL, NULL },
        { "QOS", 10, qos, NULL, NULL },
        MISSING("QOSRAW"),
        { "Reason", 22, reason, NULL, NULL },
        MISSING("ReqCPUFreq"),
        MISSING("ReqCPUFreqGov"),
        MISSING("ReqCPUFreqMax"),
        MISSING("ReqCPUFreqMin"),
        { "ReqCPUS", 8, req_cpus, NULL, NULL },
        { "ReqMem", 10, req_mem, NULL, NULL },
        { "ReqNodes", 8, req_nodes, NULL, NULL },
        { "ReqTRES", 10, req_tres, NULL, NULL },
        { "Reservation", 20, reservation, NULL, NULL },
        MISSING("ReservationId"),
        { "Reserved", 10, planned_text, NULL, NULL },
        MISSING("ResvCPU"),
        MISSING("ResvCPURAW"),
        { "Restarts", 8, restarts, NULL, NULL },
        { "Start", 19, start, NULL, NULL },
        { "State", 10, state, NULL, NULL },
        { "Submit", 19, submit, NULL, NULL },
        MISSING("SubmitLine"),
        { "Suspended", 10, suspended, NULL, NULL },
        MISSING("SystemComment"),
        MISSING("SystemCPU"),
        { "Timelimit", 10, time_limit, NULL, NULL },
        { "TimelimitRaw", 12, time_limit_raw, NULL, NULL },
        MISSING("TotalCPU"),
        MISSING("TRESUsageInAve"),
        MISSING("TRESUsageInMax"),
        MISSING("TRESUsageInTot"),
        MISSING("TRESUsageOutTot"),
        { "UID", 6, uid, NULL, NULL },
        { "User", 9, user_name, NULL, NULL },
        MISSING("UserCPU"),
        { "WCKey", 10, wckey, NULL, NULL },
        MISSING("WCKeyID"),
        { "WorkDir", 20, work_dir, NULL, NULL },
};

const struct table_field *sacct_fields(size_t *ret_n) {
        *ret_n = ELEMENTSOF(fields);
        return fields;
}

bool sacct_field_is_missing(const struct table_field *field) {
        return field->text == missing;
}
