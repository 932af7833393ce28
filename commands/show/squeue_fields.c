/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of squeue's jobs and steps: one row per field, with the letter of -o and the name of -O.
 * Fields of Slurm without a counterpart in Slumber show Slurm's text for an unset value: "(null)",
 * "N/A", 0.
 */
#include "commands/show/squeue.h"

#include "lib/timetext.h"

#define TEXT(name)   static const char *name(const void *r, struct scratch *s, const void *u)
#define NUMBER(name) static uint64_t name(const void *r, const void *u)

/* Functions for constant fields and for plain fields of the message. */
#define CONSTANT(name, text)                                                                       \
        TEXT(name) {                                                                               \
                return text;                                                                       \
        }
#define JOB_TEXT(name, value)                                                                      \
        TEXT(name) {                                                                               \
                const Job *job = r;                                                                \
                return value;                                                                      \
        }
#define JOB_NUMBER(name, value)                                                                    \
        NUMBER(name##_number) {                                                                    \
                const Job *job = r;                                                                \
                return value;                                                                      \
        }                                                                                          \
        TEXT(name) {                                                                               \
                return scratch_number(s, name##_number(r, u));                                     \
        }
#define SPEC(field)      (job->spec ? job->spec->field : 0)
#define SPEC_TEXT(field) (job->spec ? job->spec->field : "")

/* Formats and frees text. */
static const char *scratch_take(struct scratch *s, char *text) {
        _cleanup_free_ char *own = text;

        return scratch_printf(s, "%s", own);
}

CONSTANT(null_text, "(null)")
CONSTANT(na_text, "N/A")

static const char *cluster_text(const void *record, struct scratch *s, const void *user) {
        const struct squeue_view *v = user;

        (void)record, (void)s;
        return v->cluster ? v->cluster : "N/A";
}
CONSTANT(na_short, "NA")
CONSTANT(zero, "0")
CONSTANT(not_set, "NotSet")
CONSTANT(nothing, "")

#define COUNT_OR_STAR(name, field)                                                                 \
        TEXT(name) {                                                                               \
                const Job *job = r;                                                                \
                return SPEC(field) ? scratch_printf(s, "%u", SPEC(field)) : "*";                   \
        }
TEXT(reboot) {
        const Job *job = r;

        return SPEC(reboot) ? "1" : "0";
}
TEXT(core_spec) {
        const Job *job = r;

        if (SPEC(thread_spec))
                return scratch_printf(s, "%u Threads", SPEC(thread_spec));
        return SPEC(core_spec) ? scratch_printf(s, "%u", SPEC(core_spec) - 1) : "N/A";
}
COUNT_OR_STAR(sockets, sockets_per_node)
COUNT_OR_STAR(cores, cores_per_socket)
COUNT_OR_STAR(threads, threads_per_core)
TEXT(sct) {
        _cleanup_free_ char *a = xstrdup(sockets(r, s, u)), *b = xstrdup(cores(r, s, u));

        return scratch_take(s, xasprintf("%s:%s:%s", a, b, threads(r, s, u)));
}

JOB_TEXT(account, strna(SPEC_TEXT(account)))
JOB_TEXT(admin_comment, strna(job->admin_comment))
JOB_TEXT(alloc_node, strna(SPEC_TEXT(submit_host)))
JOB_NUMBER(alloc_sid, SPEC(submit_pid))
JOB_NUMBER(batch_flag, SPEC(batch))
JOB_TEXT(command, strna(SPEC_TEXT(command)))
JOB_TEXT(comment, strna(SPEC_TEXT(comment)))
JOB_TEXT(container, strna(SPEC_TEXT(container)))
JOB_NUMBER(contiguous, SPEC(contiguous))
JOB_NUMBER(cpus, job_cpus(job))
JOB_NUMBER(cpus_per_task, MAX(job->cpus_per_task, 1u))
JOB_TEXT(dependency, strna(job->depends))
JOB_NUMBER(derived_exit, job->derived_exit_code)
JOB_TEXT(excluded, SPEC_TEXT(exc_nodes))
JOB_NUMBER(exit_status, job->exit_code)
JOB_TEXT(mcs_label, isempty(SPEC_TEXT(mcs_label)) ? "N/A" : SPEC_TEXT(mcs_label))
JOB_TEXT(features, strna(SPEC_TEXT(features)))
JOB_NUMBER(gid, job->gid)
JOB_TEXT(group, job->group)
JOB_NUMBER(id, job->id)
JOB_NUMBER(array_job, job->array_job ? job->array_job : job->id)
JOB_TEXT(array_id,
                job->array_job || job->het_job ? scratch_take(s, job_array_id(job)) : id(r, s, u))
JOB_TEXT(het_id, job->het_job ? scratch_printf(s, "%u", job->het_job) : "N/A")
JOB_TEXT(het_offset, job->het_job ? scratch_printf(s, "%u", job->het_offset) : "N/A")
JOB_TEXT(het_set, job->het_job ? scratch_take(s, job_het_set(job)) : "N/A")
/* Sorts tasks of an array by index, the record of the remaining tasks last. */
NUMBER(array_id_number) {
        const Job *job = r;
        uint32_t task = job->array_job && !job_is_rest(job) ? job->array_task : UINT32_MAX;

        return (uint64_t)(job->array_job ? job->array_job : job->id) << 32 | task;
}
JOB_TEXT(array_task, scratch_take(s, job_array_tasks(job)))
JOB_TEXT(licenses_alloc, strna(job->licenses_alloc))
JOB_TEXT(licenses, strna(SPEC_TEXT(licenses)))
JOB_NUMBER(max_cpus, job_cpus(job))
JOB_NUMBER(max_nodes, MAX(SPEC(max_nodes), job_nodes(job)))
JOB_NUMBER(min_cpus, job_min_cpus_node(job))
JOB_NUMBER(min_disk, SPEC(tmp_disk))
JOB_TEXT(name, SPEC_TEXT(name))
JOB_NUMBER(nodes, job_nodes(job))
JOB_TEXT(node_list, job->nodes)
JOB_NUMBER(tasks_per_node, SPEC(ntasks_per_node))
JOB_TEXT(tasks_per_core, SPEC(ntasks_per_core) ? scratch_number(s, SPEC(ntasks_per_core)) : "N/A")
JOB_TEXT(tasks_per_socket,
                SPEC(ntasks_per_socket) ? scratch_number(s, SPEC(ntasks_per_socket)) : "N/A")
JOB_TEXT(prefer, strna(SPEC_TEXT(prefer)))
JOB_NUMBER(switches, SPEC(switches))
JOB_TEXT(oversubscribe, job_oversubscribe(job))
JOB_TEXT(partition, isempty(job->partition) ? SPEC_TEXT(partition) : job->partition)
JOB_NUMBER(priority, job->priority)
JOB_TEXT(qos, strna(SPEC_TEXT(qos)))
JOB_TEXT(reason, job_waits_or_reason(job, s))
JOB_TEXT(requested, SPEC_TEXT(req_nodes))
JOB_NUMBER(requeue, job->requeue)
JOB_TEXT(reservation, strna(SPEC_TEXT(reservation)))
JOB_NUMBER(restarts, job->restarts)
JOB_TEXT(sched_nodes, strna(job->sched_nodes))
JOB_TEXT(state, job_shown_long(job_shown(job)))
JOB_TEXT(state_compact, job_shown_short(job_shown(job)))
JOB_TEXT(std_err, job_shown_file(job, JOB_STDERR, s))
JOB_TEXT(std_in, job_shown_file(job, JOB_STDIN, s))
JOB_TEXT(std_out, job_shown_file(job, JOB_STDOUT, s))
JOB_NUMBER(tasks, job_tasks(job))
JOB_NUMBER(uid, job->uid)
JOB_TEXT(user, job->user)
JOB_TEXT(wckey, strna(SPEC_TEXT(wckey)))
JOB_TEXT(work_dir, SPEC_TEXT(work_dir))
JOB_TEXT(extra, strna(SPEC_TEXT(extra)))
JOB_TEXT(tres_bind, isempty(SPEC_TEXT(tres_bind)) ? "N/A" : SPEC_TEXT(tres_bind))
JOB_TEXT(tres_per_node, isempty(SPEC_TEXT(tres_per_node)) ? "N/A" : SPEC_TEXT(tres_per_node))
JOB_TEXT(tres_per_socket, isempty(SPEC_TEXT(tres_per_socket)) ? "N/A" : SPEC_TEXT(tres_per_socket))
JOB_TEXT(tres_per_job, isempty(SPEC_TEXT(tres_per_job)) ? "N/A" : SPEC_TEXT(tres_per_job))
JOB_TEXT(tres_per_task, isempty(SPEC_TEXT(tres_per_task)) ? "N/A" : SPEC_TEXT(tres_per_task))
JOB_TEXT(cpus_per_tres,
                job->cpus_per_gpu ? scratch_printf(s, "gres/gpu:%u", job->cpus_per_gpu) : "N/A")
JOB_TEXT(mem_per_tres, job->mem_per_gpu ? scratch_printf(s, "gres/gpu:%llu",
                                                          (unsigned long long)job->mem_per_gpu)
                                        : "N/A")
JOB_TEXT(tres_alloc, job_tres(job, !isempty(job->nodes), s))

JOB_TEXT(batch_host, !isempty(job->batch_host) ? job->batch_host
                     : isempty(job->nodes)     ? "n/a"
                                               : SPEC_TEXT(submit_host))

NUMBER(nice_number) {
        const Job *job = r;

        return (uint64_t)((int64_t)SPEC(nice) + INT32_MAX); /* also sorts negative values */
}

TEXT(nice_text) {
        const Job *job = r;

        return scratch_printf(s, "%d", SPEC(nice));
}

TEXT(priority_share) {
        return scratch_printf(s, "%.14f", ((const Job *)r)->priority / (double)UINT32_MAX);
}

TEXT(memory) {
        const struct squeue_view *view = u;
        const Job *job = r;
        char buf[TIMETEXT_MAX];

        return scratch_printf(s, "%s",
                        job_memory(job, job->mem_per_node == 0, view->noconvert, buf));
}

NUMBER(memory_number) {
        const Job *job = r;

        return job->mem_per_node ? job->mem_per_node : job->mem_per_cpu;
}

/* Returns true if the reason is shown instead of the nodes. */
static bool is_explained(const Job *job) {
        static const bool explained[SHOWN_MAX] = {
                [SLUMBER__JOB_STATE__JOB_PENDING] = true,
                [SLUMBER__JOB_STATE__JOB_TIMEOUT] = true,
                [SLUMBER__JOB_STATE__JOB_OUT_OF_MEMORY] = true,
                [SLUMBER__JOB_STATE__JOB_DEADLINE] = true,
                [SLUMBER__JOB_STATE__JOB_FAILED] = true,
        };
        bool completing = job->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_COMPLETING;

        return !completing && (unsigned)job->state < SHOWN_MAX && explained[job->state];
}

TEXT(reason_list) {
        const Job *job = r;

        return is_explained(job) ? scratch_printf(s, "(%s)", job_reason(job)) : job->nodes;
}

/* ---- times ---- */

static const char *squeue_time_text(usec_t t, struct scratch *s, const struct squeue_view *view) {
        char buf[TIMETEXT_MAX];

        if (t == 0 || t == NO_LIMIT)
                return "N/A";
        return scratch_printf(s, "%s", time_text(t, view->time_format, buf));
}

#define JOB_TIME(name, value)                                                                      \
        NUMBER(name##_number) {                                                                    \
                const Job *job = r;                                                                \
                usec_t t = value;                                                                  \
                return t ? t : NO_LIMIT; /* unknown times sort last */                             \
        }                                                                                          \
        TEXT(name) {                                                                               \
                const Job *job = r;                                                                \
                return squeue_time_text(value, s, u);                                              \
        }

JOB_TIME(accrue, job->accrue_time)
JOB_TIME(deadline, SPEC(deadline))
JOB_TIME(eligible, job->eligible_time)
JOB_TIME(last_eval, job->last_sched_eval)
JOB_TIME(start, job_start(job))
JOB_TIME(submit, job->submit_time)
JOB_TIME(preempted, job->preempt_time)
JOB_TIME(resized, job->resize_time)

NUMBER(end_number) {
        const Job *job = r;

        return job_end(job) ? job_end(job) : NO_LIMIT;
}

TEXT(end) {
        const Job *job = r;

        if (!job_finished(job) && job_start(job) && job->time_limit == NO_LIMIT)
                return "NONE";
        return squeue_time_text(job_end(job), s, u);
}

static const char *squeue_duration_text(usec_t d, struct scratch *s) {
        char buf[TIMETEXT_MAX];

        return d == NO_LIMIT ? "UNLIMITED" : scratch_printf(s, "%s", duration_short(d, buf));
}

#define JOB_LENGTH(name, value)                                                                    \
        NUMBER(name##_number) {                                                                    \
                const Job *job = r;                                                                \
                return value;                                                                      \
        }                                                                                          \
        TEXT(name) {                                                                               \
                return squeue_duration_text(name##_number(r, u), s);                               \
        }

static usec_t job_time_left(const Job *job) {
        if (job->time_limit == NO_LIMIT)
                return NO_LIMIT;
        return job->time_limit > job->run_time ? job->time_limit - job->run_time : 0;
}

JOB_LENGTH(time_limit, job->time_limit)
JOB_LENGTH(time_left, job_time_left(job))
JOB_LENGTH(delay_boot, SPEC(delay_boot))
JOB_LENGTH(time_min, SPEC(time_min))
JOB_LENGTH(switch_wait, SPEC(switch_wait))
JOB_LENGTH(time_used, job->run_time)

TEXT(pending_time) {
        const struct squeue_view *view = u;
        const Job *job = r;
        usec_t until = !job_pending(job) && job->start_time ? job->start_time : view->now;

        if (until < job->submit_time)
                until = job->submit_time;
        return scratch_printf(s, "%llu",
                        (unsigned long long)((until - job->submit_time) / USEC_PER_SEC));
}

static const struct field job_fields[] = {
        { 'a', "Account", "ACCOUNT", account, NULL, FIELD_FEW },
        { 'b', "tres-per-node", "TRES_PER_NODE", tres_per_node, NULL, 0 },
        { 'c', "MinCpus", "MIN_CPUS", min_cpus, min_cpus_number, 0 },
        { 'd', "MinTmpDisk", "MIN_TMP_DISK", min_disk, min_disk_number, 0 },
        { 'e', "EndTime", "END_TIME", end, end_number, FIELD_FEW },
        { 'f', "Feature", "FEATURES", features, NULL, 0 },
        { 'g', "GroupName", "GROUP", group, NULL, 0 },
        { 'h', "OverSubscribe", "OVER_SUBSCRIBE", oversubscribe, NULL, 0 },
        { 'i', "JobArrayID", "JOBID", array_id, array_id_number, FIELD_FEW },
        { 'j', "Name", "NAME", name, NULL, FIELD_FEW },
        { 'k', "Comment", "COMMENT", comment, NULL, 0 },
        { 'l', "TimeLimit", "TIME_LIMIT", time_limit, time_limit_number, FIELD_UNCUT | FIELD_FEW },
        { 'm', "MinMemory", "MIN_MEMORY", memory, memory_number, 0 },
        { 'n', "ReqNodes", "REQ_NODES", requested, NULL, 0 },
        { 'o', "Command", "COMMAND", command, NULL, 0 },
        { 'p', "Priority", "PRIORITY", priority_share, priority_number, FIELD_FEW },
        { 'q', "QOS", "QOS", qos, NULL, FIELD_FEW },
        { 'r', "Reason", "REASON", reason, NULL, FIELD_FEW },
        { 's', "SelectJobInfo", "", nothing, NULL, 0 },
        { 't', "StateCompact", "ST", state_compact, NULL, FIELD_FEW },
        { 'u', "UserName", "USER", user, NULL, FIELD_FEW },
        { 'v', "Reservation", "RESERVATION", reservation, NULL, FIELD_FEW },
        { 'w', "WCKey", "WCKEY", wckey, NULL, 0 },
        { 'x', "ExcNodes", "EXC_NODES", excluded, NULL, 0 },
        { 'y', "Nice", "NICE", nice_text, nice_number, 0 },
        { 'z', "SCT", "S:C:T", sct, NULL, 0 },
        { 'A', "JobID", "JOBID", id, id_number, FIELD_FEW },
        { 'B', "BatchHost", "EXEC_HOST", batch_host, NULL, 0 },
        { 'C', "NumCPUs", "CPUS", cpus, cpus_number, FIELD_FEW },
        { 'D', "NumNodes", "NODES", nodes, nodes_number, FIELD_FEW },
        { 'E', "Dependency", "DEPENDENCY", dependency, NULL, 0 },
        { 'F', "ArrayJobID", "ARRAY_JOB_ID", array_job, array_job_number, FIELD_FEW },
        { 'G', "GroupID", "GROUP", gid, gid_number, 0 },
        { 'H', "Sockets", "SOCKETS_PER_NODE", sockets, NULL, 0 },
        { 'I', "Cores", "CORES_PER_SOCKET", cores, NULL, 0 },
        { 'J', "Threads", "THREADS_PER_CORE", threads, NULL, 0 },
        { 'K', "ArrayTaskID", "ARRAY_TASK_ID", array_task, NULL, FIELD_FEW },
        { 'L', "TimeLeft", "TIME_LEFT", time_left, time_left_number, FIELD_UNCUT | FIELD_FEW },
        { 'M', "TimeUsed", "TIME", time_used, time_used_number, FIELD_UNCUT | FIELD_FEW },
        { 'N', "NodeList", "NODELIST", node_list, NULL, FIELD_FEW },
        { 'O', "Contiguous", "CONTIGUOUS", contiguous, contiguous_number, 0 },
        { 'P', "Partition", "PARTITION", partition, NULL, FIELD_FEW },
        { 'Q', "PriorityLong", "PRIORITY", priority, priority_number, FIELD_FEW },
        { 'R', "ReasonList", "NODELIST(REASON)", reason_list, NULL, FIELD_FEW },
        { 'S', "StartTime", "START_TIME", start, start_number, FIELD_FEW },
        { 'T', "State", "STATE", state, NULL, FIELD_FEW },
        { 'U', "UserID", "UID", uid, uid_number, FIELD_FEW },
        { 'V', "SubmitTime", "SUBMIT_TIME", submit, submit_number, FIELD_FEW },
        { 'W', "Licenses", "LICENSES", licenses, NULL, FIELD_FEW },
        { 'X', "CoreSpec", "CORE_SPEC", core_spec, NULL, 0 },
        { 'Y', "SchedNodes", "SCHEDNODES", sched_nodes, NULL, 0 },
        { 'Z', "WorkDir", "WORK_DIR", work_dir, NULL, 0 },
        { 0, "AccrueTime", "ACCRUE_TIME", accrue, accrue_number, 0 },
        { 0, "admin_comment", "ADMIN_COMMENT", admin_comment, NULL, 0 },
        { 0, "AdminComment", "ADMIN_COMMENT", admin_comment, NULL, 0 },
        { 0, "AllocNodes", "ALLOC_NODES", alloc_node, NULL, 0 },
        { 0, "AllocSID", "ALLOC_SID", alloc_sid, alloc_sid_number, 0 },
        { 0, "AssocID", "ASSOC_ID", zero, NULL, 0 },
        { 0, "BatchFlag", "BATCH_FLAG", batch_flag, batch_flag_number, 0 },
        { 0, "BoardsPerNode", "BOARDS_PER_NODE", zero, NULL, 0 },
        { 0, "BurstBuffer", "BURST_BUFFER", null_text, NULL, 0 },
        { 0, "BurstBufferState", "BURST_BUFFER_STATE", null_text, NULL, 0 },
        { 0, "Cluster", "CLUSTER", cluster_text, NULL, 0 },
        { 0, "ClusterFeature", "CLUSTER_FEATURES", null_text, NULL, 0 },
        { 0, "Container", "CONTAINER", container, NULL, 0 },
        { 0, "ContainerID", "CONTAINER_ID", null_text, NULL, 0 },
        { 0, "cpus-per-task", "CPUS_PER_TASK", cpus_per_task, cpus_per_task_number, 0 },
        { 0, "CPUsPerTask", "CPUS_PER_TASK", cpus_per_task, cpus_per_task_number, 0 },
        { 0, "cpus-per-tres", "CPUS_PER_TRES", cpus_per_tres, NULL, 0 },
        { 0, "Deadline", "DEADLINE", deadline, deadline_number, 0 },
        { 0, "DelayBoot", "DELAY_BOOT", delay_boot, delay_boot_number, 0 },
        { 0, "DerivedEC", "DERIVED_EC", derived_exit, derived_exit_number, 0 },
        { 0, "EligibleTime", "ELIGIBLE_TIME", eligible, eligible_number, 0 },
        { 0, "exit_code", "EXIT_CODE", exit_status, exit_status_number, 0 },
        { 0, "Extra", "EXTRA", extra, NULL, 0 },
        { 0, "Gres", "TRES_PER_NODE", tres_per_node, NULL, 0 },
        { 0, "HetJobID", "HET_JOB_ID", het_id, NULL, 0 },
        { 0, "HetJobIDSet", "HET_JOB_ID_SET", het_set, NULL, 0 },
        { 0, "HetJobOffset", "HET_JOB_OFFSET", het_offset, NULL, 0 },
        { 0, "LastSchedEval", "LAST_SCHED_EVAL", last_eval, last_eval_number, 0 },
        { 0, "LicensesAlloc", "LICENSES_ALLOC", licenses_alloc, NULL, 0 },
        { 0, "MaxCPUs", "MAX_CPUS", max_cpus, max_cpus_number, 0 },
        { 0, "MaxNodes", "MAX_NODES", max_nodes, max_nodes_number, 0 },
        { 0, "MCSLabel", "MCSLABEL", mcs_label, NULL, 0 },
        { 0, "mem-per-tres", "MEM_PER_TRES", mem_per_tres, NULL, 0 },
        { 0, "MinTime", "TIME_MIN", time_min, time_min_number, 0 },
        { 0, "Network", "NETWORK", null_text, NULL, 0 },
        { 0, "NTPerBoard", "NTASKS_PER_BOARD", zero, NULL, 0 },
        { 0, "NTPerCore", "NTASKS_PER_CORE", tasks_per_core, NULL, 0 },
        { 0, "NTPerNode", "NTASKS_PER_NODE", tasks_per_node, tasks_per_node_number, 0 },
        { 0, "NTPerSocket", "NTASKS_PER_SOCKET", tasks_per_socket, NULL, 0 },
        { 0, "NumTasks", "TASKS", tasks, tasks_number, 0 },
        { 0, "Origin", "ORIGIN", na_short, NULL, 0 },
        { 0, "OriginRaw", "ORIGIN_RAW", na_short, NULL, 0 },
        { 0, "PendingTime", "PENDING_TIME", pending_time, NULL, 0 },
        { 0, "PreemptTime", "PREEMPT_TIME", preempted, preempted_number, 0 },
        { 0, "Prefer", "PREFER", prefer, NULL, 0 },
        { 0, "Profile", "PROFILE", not_set, NULL, 0 },
        { 0, "Reboot", "REBOOT", reboot, NULL, 0 },
        { 0, "ReqSwitch", "REQ_SWITCH", switches, switches_number, 0 },
        { 0, "Requeue", "REQUEUE", requeue, requeue_number, 0 },
        { 0, "ResizeTime", "RESIZE_TIME", resized, resized_number, 0 },
        { 0, "RestartCnt", "RESTART_COUNT", restarts, restarts_number, 0 },
        { 0, "Share", "OVER_SUBSCRIBE", oversubscribe, NULL, 0 },
        { 0, "Shared", "OVER_SUBSCRIBE", oversubscribe, NULL, 0 },
        { 0, "SiblingsActive", "ACTIVE_SIBLINGS", na_short, NULL, 0 },
        { 0, "SiblingsActiveRaw", "ACTIVE_SIBLINGS_RAW", na_short, NULL, 0 },
        { 0, "SiblingsViable", "VIABLE_SIBLINGS", na_short, NULL, 0 },
        { 0, "SiblingsViableRaw", "VIALBLE_SIBLINGS_RAW", na_short, NULL,
                        /* Slurm's spelling */
                        0 },
        { 0, "SPerBoard", "SOCKETS_PER_BOARD", zero, NULL, 0 },
        { 0, "STDERR", "STDERR", std_err, NULL, 0 },
        { 0, "STDIN", "STDIN", std_in, NULL, 0 },
        { 0, "STDOUT", "STDOUT", std_out, NULL, 0 },
        { 0, "system_comment", "SYSTEM_COMMENT", null_text, NULL, 0 },
        { 0, "tres", "TRES_ALLOC", tres_alloc, NULL, 0 },
        { 0, "tres-alloc", "TRES_ALLOC", tres_alloc, NULL, 0 },
        { 0, "tres-bind", "TRES_BIND", tres_bind, NULL, 0 },
        { 0, "tres-freq", "TRES_FREQ", na_text, NULL, 0 },
        { 0, "tres-per-job", "TRES_PER_JOB", tres_per_job, NULL, 0 },
        { 0, "tres-per-socket", "TRES_PER_SOCKET", tres_per_socket, NULL, 0 },
        { 0, "tres-per-task", "TRES_PER_TASK", tres_per_task, NULL, 0 },
        { 0, "Wait4Switch", "WAIT4SWITCH", switch_wait, switch_wait_number, 0 },
};

static const struct field_table job_table = {
        .fields = job_fields,
        .n_fields = ELEMENTSOF(job_fields),
        .bad_letter = "squeue: error: Invalid job format specification: ",
        .bad_name = "squeue: error: Invalid job format specification: ",
        .bad_sort = "squeue: error: Invalid sort specification: ",
};

const struct field_table *squeue_job_fields(void) {
        return &job_table;
}

/* Fields of Job and JobSpec needed by FIELD_FEW fields and by filters. */
static const char *const few_of_job[] = { "id", "spec", "uid", "user", "state", "state_flags",
        "reason_name", "reason_text", "priority", "submit_time", "start_time", "end_time",
        "run_time", "time_limit", "nodes", "num_nodes", "num_cpus", "cpus_per_task", "partition",
        "waits_for", "array_job", "array_task", "array_waiting", "array_limit", "stopped_for",
        "resume_expected", "het_job", "het_offset", "bids" };
static const char *const few_of_spec[] = { "name", "partition", "account", "qos", "reservation",
        "licenses", "min_nodes", "num_tasks", "ntasks_per_node", "begin_time", "overcommit" };

static uint32_t *field_numbers(const ProtobufCMessageDescriptor *kind, const char *const *names,
                size_t n) {
        uint32_t *list = xnew(uint32_t, n);

        for (size_t i = 0; i < n; i++)
                list[i] = protobuf_c_message_descriptor_get_field_by_name(kind, names[i])->id;
        return list;
}

void squeue_few_init(struct squeue_few *few) {
        *few = (struct squeue_few){
                .job = field_numbers(&slumber__job__descriptor, few_of_job, ELEMENTSOF(few_of_job)),
                .spec = field_numbers(&slumber__job_spec__descriptor, few_of_spec,
                                ELEMENTSOF(few_of_spec)),
                .n_job = ELEMENTSOF(few_of_job),
                .n_spec = ELEMENTSOF(few_of_spec),
        };
}

void squeue_few_done(struct squeue_few *few) {
        free(few->job);
        free(few->spec);
}

/* ---- steps ---- */

const char *step_id_text(const struct step_row *row, struct scratch *s) {
        _cleanup_free_ char *job = job_array_id(row->job);
        char step[STEP_TEXT_MAX];

        return scratch_printf(s, "%s.%s", job,
                        step_part_text(row->step->id, row->step->part, step));
}

#define STEP_TEXT(name, value)                                                                     \
        TEXT(step_##name) {                                                                        \
                const struct step_row *row = r;                                                    \
                return value;                                                                      \
        }

STEP_TEXT(id, step_id_text(row, s))
STEP_TEXT(job_id, scratch_printf(s, "%u", row->job->id))
STEP_TEXT(array_job,
                scratch_printf(s, "%u", row->job->array_job ? row->job->array_job : row->job->id))
STEP_TEXT(array_task, scratch_take(s, job_array_tasks(row->job)))
STEP_TEXT(name, row->step->name)
STEP_TEXT(partition, partition(row->job, s, u))
STEP_TEXT(user, row->job->user)
STEP_TEXT(uid, scratch_printf(s, "%u", row->job->uid))
STEP_TEXT(tasks, scratch_printf(s, "%u", MAX(row->step->num_tasks, 1u)))
STEP_TEXT(cpus, scratch_printf(s, "%u", row->step->num_cpus))
STEP_TEXT(nodes, row->step->nodes)
STEP_TEXT(container, strna(row->step->container))
STEP_TEXT(start, squeue_time_text(row->step->start_time, s, u))
STEP_TEXT(limit, squeue_duration_text(row->step->time_limit ? row->step->time_limit : NO_LIMIT, s))
STEP_TEXT(cpu_freq, isempty(row->step->cpu_freq) ? "N/A" : row->step->cpu_freq)
STEP_TEXT(resv_ports, isempty(row->step->resv_ports) ? "N/A" : row->step->resv_ports)
CONSTANT(step_state, "RUNNING")

/* Sorts by job, then step; the batch step (a large number) comes last. */
NUMBER(step_id_number) {
        const struct step_row *row = r;

        return (uint64_t)row->job->id << 32 | row->step->id;
}

NUMBER(step_time_number) {
        const struct step_row *row = r;

        (void)u;
        return row->step->run_time;
}

TEXT(step_time) {
        return squeue_duration_text(step_time_number(r, u), s);
}

static const struct field step_fields[] = {
        { 'i', "StepID", "STEPID", step_id, step_id_number, 0 },
        { 'A', "NumTasks", "TASKS", step_tasks, NULL, 0 },
        { 'b', "tres-per-node", "TRES_PER_NODE", na_text, NULL, 0 },
        { 'j', "StepName", "NAME", step_name, NULL, 0 },
        { 'l', "TimeLimit", "TIME_LIMIT", step_limit, NULL, FIELD_UNCUT },
        { 'M', "TimeUsed", "TIME", step_time, step_time_number, FIELD_UNCUT },
        { 'N', "Nodes", "NODELIST", step_nodes, NULL, 0 },
        { 'P', "Partition", "PARTITION", step_partition, NULL, 0 },
        { 'S', "StartTime", "START_TIME", step_start, NULL, 0 },
        { 'u', "UserName", "USER", step_user, NULL, 0 },
        { 'U', "UserID", "UID", step_uid, NULL, 0 },
        { 0, "Container", "CONTAINER", step_container, NULL, 0 },
        { 0, "JobID", "JOBID", step_job_id, NULL, 0 },
        { 0, "ArrayJobID", "ARRAY_JOB_ID", step_array_job, NULL, 0 },
        { 0, "ArrayTaskID", "ARRAY_TASK_ID", step_array_task, NULL, 0 },
        { 0, "Name", "NAME", step_name, NULL, 0 },
        { 0, "NodeList", "NODELIST", step_nodes, NULL, 0 },
        { 0, "Network", "NETWORK", null_text, NULL, 0 },
        { 0, "NumCPUs", "CPUS", step_cpus, NULL, 0 },
        { 0, "CPUFreq", "CPUFREQ", step_cpu_freq, NULL, 0 },
        { 0, "ResvPort", "RESV_PORT", step_resv_ports, NULL, 0 },
        { 0, "StepState", "STATE", step_state, NULL, 0 },
        { 0, "tres-per-step", "TRES_PER_STEP", na_text, NULL, 0 },
};

static const struct field_table step_table = {
        .fields = step_fields,
        .n_fields = ELEMENTSOF(step_fields),
        .bad_letter = "squeue: error: Invalid job step format specification: ",
        .bad_name = "squeue: error: Invalid job step format specification: ",
        .bad_sort = "squeue: error: Invalid sort specification: ",
};

const struct field_table *squeue_step_fields(void) {
        return &step_table;
}
