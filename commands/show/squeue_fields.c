/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of squeue's jobs and steps: one row per field, with the letter of -o and the name of -O.
 * Fields of Slurm without a counterpart in Slumber show Slurm's text for an unset value: "(null)",
 * "N/A", 0.
 */
#include "commands/show/squeue.h"

#include "lib/timetext.h"

#define TEXT(name)                                                                                 \
        static const char *name(const void *r, const struct member *m, struct scratch *s,          \
                        const void *u)
#define NUMBER(name) static uint64_t name(const void *r, const struct member *m, const void *u)

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
                return scratch_number(s, name##_number(r, m, u));                                  \
        }
#define SPEC_NUMBER(field) (job->spec ? job->spec->field : 0)
#define SPEC_TEXT(field)   (job->spec ? job->spec->field : "")

/* Formats and frees text. */
static const char *scratch_take(struct scratch *s, char *text) {
        _cleanup_free_ char *own = text;

        return scratch_printf(s, "%s", own);
}

TEXT(cluster_text) {
        const struct squeue_view *v = u;

        return v->cluster ? v->cluster : "N/A";
}

TEXT(core_spec) {
        const Job *job = r;

        if (SPEC_NUMBER(thread_spec))
                return scratch_printf(s, "%u Threads", SPEC_NUMBER(thread_spec));
        return SPEC_NUMBER(core_spec) ? scratch_printf(s, "%u", SPEC_NUMBER(core_spec) - 1) : "N/A";
}
static const char *count_or_star(uint32_t n, char buf[static 16]) {
        snprintf(buf, 16, "%u", n);
        return n ? buf : "*";
}

TEXT(sct) {
        const Job *job = r;
        char a[16], b[16], c[16];

        return scratch_printf(s, "%s:%s:%s", count_or_star(SPEC_NUMBER(sockets_per_node), a),
                        count_or_star(SPEC_NUMBER(cores_per_socket), b),
                        count_or_star(SPEC_NUMBER(threads_per_core), c));
}

JOB_NUMBER(cpus, job_cpus(job))
JOB_NUMBER(cpus_per_task, MAX(job->cpus_per_task, 1u))
JOB_NUMBER(array_job, job->array_job ? job->array_job : job->id)
JOB_TEXT(array_id, job->array_job || job->het_job ? scratch_take(s, job_array_id(job))
                                                  : scratch_number(s, job->id))
JOB_TEXT(het_offset, job->het_job ? scratch_printf(s, "%u", job->het_offset) : "N/A")
JOB_TEXT(het_set, job->het_job ? scratch_take(s, job_het_set(job)) : "N/A")
/* Sorts tasks of an array by index, the record of the remaining tasks last. */
NUMBER(array_id_number) {
        const Job *job = r;
        uint32_t task = job->array_job && !job_is_rest(job) ? job->array_task : UINT32_MAX;

        return (uint64_t)(job->array_job ? job->array_job : job->id) << 32 | task;
}
JOB_TEXT(array_task, scratch_take(s, job_array_tasks(job)))
JOB_NUMBER(max_nodes, MAX(SPEC_NUMBER(max_nodes), job_nodes(job)))
JOB_NUMBER(min_cpus, job_min_cpus_node(job))
JOB_NUMBER(nodes, job_nodes(job))
JOB_TEXT(oversubscribe, job_oversubscribe(job))
JOB_TEXT(partition, isempty(job->partition) ? SPEC_TEXT(partition) : job->partition)
JOB_TEXT(reason, job_waits_or_reason(job, s))
JOB_TEXT(state, job_shown_long(job_shown(job)))
JOB_TEXT(state_compact, job_shown_short(job_shown(job)))
JOB_TEXT(std_err, job_shown_file(job, JOB_STDERR, s))
JOB_TEXT(std_in, job_shown_file(job, JOB_STDIN, s))
JOB_TEXT(std_out, job_shown_file(job, JOB_STDOUT, s))
JOB_NUMBER(tasks, job_tasks(job))
JOB_TEXT(cpus_per_tres,
                job->cpus_per_gpu ? scratch_printf(s, "gres/gpu:%u", job->cpus_per_gpu) : "N/A")
JOB_TEXT(mem_per_tres, job->mem_per_gpu ? scratch_printf(s, "gres/gpu:%llu",
                                                          (unsigned long long)job->mem_per_gpu)
                                        : "N/A")
JOB_TEXT(tres_alloc, job_tres(job, !isempty(job->nodes), s))

JOB_TEXT(batch_host, !isempty(job->batch_host) ? job->batch_host
                     : isempty(job->nodes)     ? "n/a"
                                               : SPEC_TEXT(submit_host))

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

/* Unknown times sort last. */
NUMBER(squeue_time_number) {
        usec_t t = member_number(r, m);

        return t ? t : NO_LIMIT;
}

TEXT(squeue_time) {
        return squeue_time_text(member_number(r, m), s, u);
}

NUMBER(start_number) {
        return job_start(r) ? job_start(r) : NO_LIMIT;
}

TEXT(start) {
        return squeue_time_text(job_start(r), s, u);
}

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

TEXT(squeue_duration) {
        return squeue_duration_text(member_number(r, m), s);
}

NUMBER(time_left_number) {
        const Job *job = r;

        if (job->time_limit == NO_LIMIT)
                return NO_LIMIT;
        return job->time_limit > job->run_time ? job->time_limit - job->run_time : 0;
}

TEXT(time_left) {
        return squeue_duration_text(time_left_number(r, m, u), s);
}

TEXT(pending_time) {
        const struct squeue_view *view = u;
        const Job *job = r;
        usec_t until = !job_pending(job) && job->start_time ? job->start_time : view->now;

        if (until < job->submit_time)
                until = job->submit_time;
        return scratch_printf(s, "%llu",
                        (unsigned long long)((until - job->submit_time) / USEC_PER_SEC));
}

/* What a row shows: functions, or a member, perhaps in the form of a function. */
#define SORTED(name)    .text = name, .number = name##_number
#define DURATION        .text = squeue_duration
#define NONZERO(text)   .none = text, .zero_is_none = true
#define CONSTANT(value) .member.none = value
#define JOB(name, ...)  MEMBER(Job, name, __VA_ARGS__)
#define SPEC(name, ...) MEMBER_BEHIND(Job, spec, Slumber__JobSpec, name, __VA_ARGS__)

static const struct field job_fields[] = {
        { 'a', "Account", "ACCOUNT", FIELD_FEW, SPEC(account, .none = "(null)") },
        { 'b', "tres-per-node", "TRES_PER_NODE", 0, SPEC(tres_per_node, .none = "N/A") },
        { 'c', "MinCpus", "MIN_CPUS", 0, SORTED(min_cpus) },
        { 'd', "MinTmpDisk", "MIN_TMP_DISK", 0, SPEC(tmp_disk) },
        { 'e', "EndTime", "END_TIME", FIELD_FEW, SORTED(end) },
        { 'f', "Feature", "FEATURES", 0, SPEC(features, .none = "(null)") },
        { 'g', "GroupName", "GROUP", 0, JOB(group) },
        { 'h', "OverSubscribe", "OVER_SUBSCRIBE", 0, .text = oversubscribe },
        { 'i', "JobArrayID", "JOBID", FIELD_FEW, SORTED(array_id) },
        { 'j', "Name", "NAME", FIELD_FEW, SPEC(name) },
        { 'k', "Comment", "COMMENT", 0, SPEC(comment, .none = "(null)") },
        { 'l', "TimeLimit", "TIME_LIMIT", FIELD_UNCUT | FIELD_FEW, DURATION, JOB(time_limit) },
        { 'm', "MinMemory", "MIN_MEMORY", 0, SORTED(memory) },
        { 'n', "ReqNodes", "REQ_NODES", 0, SPEC(req_nodes) },
        { 'o', "Command", "COMMAND", 0, SPEC(command, .none = "(null)") },
        { 'p', "Priority", "PRIORITY", FIELD_FEW, .text = priority_share, JOB(priority) },
        { 'q', "QOS", "QOS", FIELD_FEW, SPEC(qos, .none = "(null)") },
        { 'r', "Reason", "REASON", FIELD_FEW, .text = reason },
        { 's', "SelectJobInfo", "", 0, CONSTANT("") },
        { 't', "StateCompact", "ST", FIELD_FEW, .text = state_compact },
        { 'u', "UserName", "USER", FIELD_FEW, JOB(user) },
        { 'v', "Reservation", "RESERVATION", FIELD_FEW, SPEC(reservation, .none = "(null)") },
        { 'w', "WCKey", "WCKEY", 0, SPEC(wckey, .none = "(null)") },
        { 'x', "ExcNodes", "EXC_NODES", 0, SPEC(exc_nodes) },
        { 'y', "Nice", "NICE", 0, SPEC(nice) },
        { 'z', "SCT", "S:C:T", 0, .text = sct },
        { 'A', "JobID", "JOBID", FIELD_FEW, JOB(id) },
        { 'B', "BatchHost", "EXEC_HOST", 0, .text = batch_host },
        { 'C', "NumCPUs", "CPUS", FIELD_FEW, SORTED(cpus) },
        { 'D', "NumNodes", "NODES", FIELD_FEW, SORTED(nodes) },
        { 'E', "Dependency", "DEPENDENCY", 0, JOB(depends, .none = "(null)") },
        { 'F', "ArrayJobID", "ARRAY_JOB_ID", FIELD_FEW, SORTED(array_job) },
        { 'G', "GroupID", "GROUP", 0, JOB(gid) },
        { 'H', "Sockets", "SOCKETS_PER_NODE", 0, SPEC(sockets_per_node, NONZERO("*")) },
        { 'I', "Cores", "CORES_PER_SOCKET", 0, SPEC(cores_per_socket, NONZERO("*")) },
        { 'J', "Threads", "THREADS_PER_CORE", 0, SPEC(threads_per_core, NONZERO("*")) },
        { 'K', "ArrayTaskID", "ARRAY_TASK_ID", FIELD_FEW, .text = array_task },
        { 'L', "TimeLeft", "TIME_LEFT", FIELD_UNCUT | FIELD_FEW, SORTED(time_left) },
        { 'M', "TimeUsed", "TIME", FIELD_UNCUT | FIELD_FEW, DURATION, JOB(run_time) },
        { 'N', "NodeList", "NODELIST", FIELD_FEW, JOB(nodes) },
        { 'O', "Contiguous", "CONTIGUOUS", 0, SPEC(contiguous) },
        { 'P', "Partition", "PARTITION", FIELD_FEW, .text = partition },
        { 'Q', "PriorityLong", "PRIORITY", FIELD_FEW, JOB(priority) },
        { 'R', "ReasonList", "NODELIST(REASON)", FIELD_FEW, .text = reason_list },
        { 'S', "StartTime", "START_TIME", FIELD_FEW, SORTED(start) },
        { 'T', "State", "STATE", FIELD_FEW, .text = state },
        { 'U', "UserID", "UID", FIELD_FEW, JOB(uid) },
        { 'V', "SubmitTime", "SUBMIT_TIME", FIELD_FEW, SORTED(squeue_time), JOB(submit_time) },
        { 'W', "Licenses", "LICENSES", FIELD_FEW, SPEC(licenses, .none = "(null)") },
        { 'X', "CoreSpec", "CORE_SPEC", 0, .text = core_spec },
        { 'Y', "SchedNodes", "SCHEDNODES", 0, JOB(sched_nodes, .none = "(null)") },
        { 'Z', "WorkDir", "WORK_DIR", 0, SPEC(work_dir) },
        { 0, "AccrueTime", "ACCRUE_TIME", 0, SORTED(squeue_time), JOB(accrue_time) },
        { 0, "admin_comment", "ADMIN_COMMENT", 0, JOB(admin_comment, .none = "(null)") },
        { 0, "AdminComment", "ADMIN_COMMENT", 0, JOB(admin_comment, .none = "(null)") },
        { 0, "AllocNodes", "ALLOC_NODES", 0, SPEC(submit_host, .none = "(null)") },
        { 0, "AllocSID", "ALLOC_SID", 0, SPEC(submit_pid) },
        { 0, "AssocID", "ASSOC_ID", 0, CONSTANT("0") },
        { 0, "BatchFlag", "BATCH_FLAG", 0, SPEC(batch) },
        { 0, "BoardsPerNode", "BOARDS_PER_NODE", 0, CONSTANT("0") },
        { 0, "BurstBuffer", "BURST_BUFFER", 0, CONSTANT("(null)") },
        { 0, "BurstBufferState", "BURST_BUFFER_STATE", 0, CONSTANT("(null)") },
        { 0, "Cluster", "CLUSTER", 0, .text = cluster_text },
        { 0, "ClusterFeature", "CLUSTER_FEATURES", 0, CONSTANT("(null)") },
        { 0, "Container", "CONTAINER", 0, SPEC(container, .none = "(null)") },
        { 0, "ContainerID", "CONTAINER_ID", 0, CONSTANT("(null)") },
        { 0, "cpus-per-task", "CPUS_PER_TASK", 0, SORTED(cpus_per_task) },
        { 0, "CPUsPerTask", "CPUS_PER_TASK", 0, SORTED(cpus_per_task) },
        { 0, "cpus-per-tres", "CPUS_PER_TRES", 0, .text = cpus_per_tres },
        { 0, "Deadline", "DEADLINE", 0, SORTED(squeue_time), SPEC(deadline) },
        { 0, "DelayBoot", "DELAY_BOOT", 0, DURATION, SPEC(delay_boot) },
        { 0, "DerivedEC", "DERIVED_EC", 0, JOB(derived_exit_code) },
        { 0, "EligibleTime", "ELIGIBLE_TIME", 0, SORTED(squeue_time), JOB(eligible_time) },
        { 0, "exit_code", "EXIT_CODE", 0, JOB(exit_code) },
        { 0, "Extra", "EXTRA", 0, SPEC(extra, .none = "(null)") },
        { 0, "Gres", "TRES_PER_NODE", 0, SPEC(tres_per_node, .none = "N/A") },
        { 0, "HetJobID", "HET_JOB_ID", 0, JOB(het_job, NONZERO("N/A")) },
        { 0, "HetJobIDSet", "HET_JOB_ID_SET", 0, .text = het_set },
        { 0, "HetJobOffset", "HET_JOB_OFFSET", 0, .text = het_offset },
        { 0, "LastSchedEval", "LAST_SCHED_EVAL", 0, SORTED(squeue_time), JOB(last_sched_eval) },
        { 0, "LicensesAlloc", "LICENSES_ALLOC", 0, JOB(licenses_alloc, .none = "(null)") },
        { 0, "MaxCPUs", "MAX_CPUS", 0, SORTED(cpus) },
        { 0, "MaxNodes", "MAX_NODES", 0, SORTED(max_nodes) },
        { 0, "MCSLabel", "MCSLABEL", 0, SPEC(mcs_label, .none = "N/A") },
        { 0, "mem-per-tres", "MEM_PER_TRES", 0, .text = mem_per_tres },
        { 0, "MinTime", "TIME_MIN", 0, DURATION, SPEC(time_min) },
        { 0, "Network", "NETWORK", 0, CONSTANT("(null)") },
        { 0, "NTPerBoard", "NTASKS_PER_BOARD", 0, CONSTANT("0") },
        { 0, "NTPerCore", "NTASKS_PER_CORE", 0, SPEC(ntasks_per_core, NONZERO("N/A")) },
        { 0, "NTPerNode", "NTASKS_PER_NODE", 0, SPEC(ntasks_per_node) },
        { 0, "NTPerSocket", "NTASKS_PER_SOCKET", 0, SPEC(ntasks_per_socket, NONZERO("N/A")) },
        { 0, "NumTasks", "TASKS", 0, SORTED(tasks) },
        { 0, "Origin", "ORIGIN", 0, CONSTANT("NA") },
        { 0, "OriginRaw", "ORIGIN_RAW", 0, CONSTANT("NA") },
        { 0, "PendingTime", "PENDING_TIME", 0, .text = pending_time },
        { 0, "PreemptTime", "PREEMPT_TIME", 0, SORTED(squeue_time), JOB(preempt_time) },
        { 0, "Prefer", "PREFER", 0, SPEC(prefer, .none = "(null)") },
        { 0, "Profile", "PROFILE", 0, CONSTANT("NotSet") },
        { 0, "Reboot", "REBOOT", 0, SPEC(reboot) },
        { 0, "ReqSwitch", "REQ_SWITCH", 0, SPEC(switches) },
        { 0, "Requeue", "REQUEUE", 0, JOB(requeue) },
        { 0, "ResizeTime", "RESIZE_TIME", 0, SORTED(squeue_time), JOB(resize_time) },
        { 0, "RestartCnt", "RESTART_COUNT", 0, JOB(restarts) },
        { 0, "Share", "OVER_SUBSCRIBE", 0, .text = oversubscribe },
        { 0, "Shared", "OVER_SUBSCRIBE", 0, .text = oversubscribe },
        { 0, "SiblingsActive", "ACTIVE_SIBLINGS", 0, CONSTANT("NA") },
        { 0, "SiblingsActiveRaw", "ACTIVE_SIBLINGS_RAW", 0, CONSTANT("NA") },
        { 0, "SiblingsViable", "VIABLE_SIBLINGS", 0, CONSTANT("NA") },
        { 0, "SiblingsViableRaw", "VIALBLE_SIBLINGS_RAW", 0,
                        CONSTANT("NA") }, /* Slurm's spelling */
        { 0, "SPerBoard", "SOCKETS_PER_BOARD", 0, CONSTANT("0") },
        { 0, "STDERR", "STDERR", 0, .text = std_err },
        { 0, "STDIN", "STDIN", 0, .text = std_in },
        { 0, "STDOUT", "STDOUT", 0, .text = std_out },
        { 0, "system_comment", "SYSTEM_COMMENT", 0, CONSTANT("(null)") },
        { 0, "tres", "TRES_ALLOC", 0, .text = tres_alloc },
        { 0, "tres-alloc", "TRES_ALLOC", 0, .text = tres_alloc },
        { 0, "tres-bind", "TRES_BIND", 0, SPEC(tres_bind, .none = "N/A") },
        { 0, "tres-freq", "TRES_FREQ", 0, CONSTANT("N/A") },
        { 0, "tres-per-job", "TRES_PER_JOB", 0, SPEC(tres_per_job, .none = "N/A") },
        { 0, "tres-per-socket", "TRES_PER_SOCKET", 0, SPEC(tres_per_socket, .none = "N/A") },
        { 0, "tres-per-task", "TRES_PER_TASK", 0, SPEC(tres_per_task, .none = "N/A") },
        { 0, "Wait4Switch", "WAIT4SWITCH", 0, DURATION, SPEC(switch_wait) },
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
STEP_TEXT(array_job,
                scratch_printf(s, "%u", row->job->array_job ? row->job->array_job : row->job->id))
STEP_TEXT(array_task, scratch_take(s, job_array_tasks(row->job)))
STEP_TEXT(partition, partition(row->job, m, s, u))
STEP_TEXT(tasks, scratch_printf(s, "%u", MAX(row->step->num_tasks, 1u)))
STEP_TEXT(limit, squeue_duration_text(row->step->time_limit ? row->step->time_limit : NO_LIMIT, s))

/* Sorts by job, then step; the batch step (a large number) comes last. */
NUMBER(step_id_number) {
        const struct step_row *row = r;

        return (uint64_t)row->job->id << 32 | row->step->id;
}

#define STEP(name, ...)   MEMBER_BEHIND(struct step_row, step, Step, name, __VA_ARGS__)
#define OF_JOB(name, ...) MEMBER_BEHIND(struct step_row, job, Job, name, __VA_ARGS__)

static const struct field step_fields[] = {
        { 'i', "StepID", "STEPID", 0, SORTED(step_id) },
        { 'A', "NumTasks", "TASKS", 0, .text = step_tasks },
        { 'b', "tres-per-node", "TRES_PER_NODE", 0, CONSTANT("N/A") },
        { 'j', "StepName", "NAME", 0, STEP(name) },
        { 'l', "TimeLimit", "TIME_LIMIT", FIELD_UNCUT, .text = step_limit },
        { 'M', "TimeUsed", "TIME", FIELD_UNCUT, DURATION, STEP(run_time) },
        { 'N', "Nodes", "NODELIST", 0, STEP(nodes) },
        { 'P', "Partition", "PARTITION", 0, .text = step_partition },
        { 'S', "StartTime", "START_TIME", 0, SORTED(squeue_time), STEP(start_time) },
        { 'u', "UserName", "USER", 0, OF_JOB(user) },
        { 'U', "UserID", "UID", 0, OF_JOB(uid) },
        { 0, "Container", "CONTAINER", 0, STEP(container, .none = "(null)") },
        { 0, "JobID", "JOBID", 0, OF_JOB(id) },
        { 0, "ArrayJobID", "ARRAY_JOB_ID", 0, .text = step_array_job },
        { 0, "ArrayTaskID", "ARRAY_TASK_ID", 0, .text = step_array_task },
        { 0, "Name", "NAME", 0, STEP(name) },
        { 0, "NodeList", "NODELIST", 0, STEP(nodes) },
        { 0, "Network", "NETWORK", 0, CONSTANT("(null)") },
        { 0, "NumCPUs", "CPUS", 0, STEP(num_cpus) },
        { 0, "CPUFreq", "CPUFREQ", 0, STEP(cpu_freq, .none = "N/A") },
        { 0, "ResvPort", "RESV_PORT", 0, STEP(resv_ports, .none = "N/A") },
        { 0, "StepState", "STATE", 0, CONSTANT("RUNNING") },
        { 0, "tres-per-step", "TRES_PER_STEP", 0, CONSTANT("N/A") },
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
