/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct's fields with Slurm's widths */
#include "commands/accounts/sacct.h"

#include "commands/job_text.h"
#include "lib/hostlist.h"
#include "lib/step/cpufreq.h"
#include "lib/step/measure.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>

#define TEXT(id, ...)                                                                              \
        static const char *id(const void *record, const struct member *m, struct scratch *s,       \
                        const void *user) {                                                        \
                const struct sacct_row *row = record;                                              \
                const Ended *e = row->e;                                                           \
                const struct sacct_view *view = user;                                              \
                (void)e, (void)view;                                                               \
                return __VA_ARGS__;                                                                \
        }
#define NUMBER(id, value) TEXT(id, scratch_printf(s, "%lld", (long long)(value)))
/* JOB_: empty for steps; STEP_: empty for jobs. */
#define JOB_TEXT(id, ...)      TEXT(id, row->step ? "" : __VA_ARGS__)
#define JOB_NUMBER(id, value)  JOB_TEXT(id, scratch_printf(s, "%lld", (long long)(value)))
#define STEP_TEXT(id, ...)     TEXT(id, row->step ? __VA_ARGS__ : "")
#define STEP_NUMBER(id, value) STEP_TEXT(id, scratch_printf(s, "%lld", (long long)(value)))

static const char *sacct_time_text(usec_t t, const char *none, struct scratch *s) {
        char buf[TIMETEXT_MAX];

        return t ? scratch_printf(s, "%s", time_text(t, getenv("SLURM_TIME_FORMAT"), buf)) : none;
}

static const char *sacct_duration_text(usec_t d, struct scratch *s) {
        char buf[TIMETEXT_MAX];

        return scratch_printf(s, "%s", duration_text(d, buf));
}

usec_t sacct_elapsed(const Ended *e, usec_t now) {
        usec_t end = e->time_end ? e->time_end : now;

        return e->time_start && end > e->time_start + e->time_suspended
                               ? end - e->time_start - e->time_suspended
                               : 0;
}

usec_t sacct_planned(const Ended *e, usec_t now) {
        usec_t until = e->time_start ? e->time_start : e->time_end ? e->time_end : now;

        return e->time_eligible && until > e->time_eligible ? until - e->time_eligible : 0;
}

const char *sacct_job_id(const Ended *e, struct scratch *s) {
        if (e->het_job)
                return scratch_printf(s, "%lld+%lld", (long long)e->het_job,
                                (long long)e->het_offset);
        if (!e->array_job)
                return scratch_printf(s, "%lld", (long long)e->job_id);
        if (e->array_task < 0)
                return scratch_printf(s, "%lld_[%s]", (long long)e->array_job, e->array_tasks);
        return scratch_printf(s, "%lld_%lld", (long long)e->array_job, (long long)e->array_task);
}

static const char *step_id(const char *job, const EndedStep *step, struct scratch *s) {
        if (!step)
                return job;
        _cleanup_free_ char *copy = xstrdup(job); /* job may point into s */
        char text[STEP_TEXT_MAX];
        return scratch_printf(s, "%s.%s", copy,
                        step_part_text((uint32_t)step->step_id, (uint32_t)step->part, text));
}

const char *sacct_row_id(const struct sacct_row *row, struct scratch *s) {
        return step_id(sacct_job_id(row->e, s), row->step, s);
}

/* Formats CPU times like Slurm: MM:SS.mmm, from an hour on without fractions. */
static const char *short_time(usec_t t, struct scratch *s) {
        unsigned seconds = (unsigned)(t / USEC_PER_SEC % 60),
                 minutes = (unsigned)(t / (60 * USEC_PER_SEC));

        if (minutes >= 60)
                return sacct_duration_text(t, s);
        unsigned ms = (unsigned)(t % USEC_PER_SEC / USEC_PER_MSEC);
        return ms ? scratch_printf(s, "%02u:%02u.%03u", minutes, seconds, ms)
                  : scratch_printf(s, "00:%02u:%02u", minutes, seconds);
}

static const char units[] = "\0KMGTP";

static size_t unit_index(char unit) {
        return unit ? (size_t)(strchr(units + 1, unit) - units) : 0;
}

static const char *sacct_unit_text(uint64_t n, size_t unit, struct scratch *s) {
        return unit ? scratch_printf(s, "%llu%c", (unsigned long long)n, units[unit])
                    : scratch_printf(s, "%llu", (unsigned long long)n);
}

/* Formats n (unit 0: bytes, 'M': MB) in the unit of the view; borrowed from s. */
static const char *sacct_size(uint64_t n, char unit, const struct sacct_view *view,
                struct scratch *s) {
        size_t from = unit_index(unit), to = unit_index(view->unit);
        double value = (double)n;

        if (n == 0)
                return "0";
        if (!view->unit) {
                for (; !view->no_convert && n % 1024 == 0 && from + 2 < sizeof units; from++)
                        n /= 1024;
                return sacct_unit_text(n, from, s);
        }
        for (; from < to; from++)
                value /= 1024;
        for (; from > to; from--)
                value *= 1024;
        return value == (double)(uint64_t)value ? sacct_unit_text((uint64_t)value, to, s)
                                                : scratch_printf(s, "%.2f%c", value, view->unit);
}

/* Formats "1.53K", with decimal units. */
static const char *joules_text(int64_t joules, struct scratch *s) {
        static const char prefixes[] = "\0KMGTP";
        double n = (double)joules;
        size_t i = 0;

        while (n >= 1000 && i + 2 < sizeof prefixes) {
                n /= 1000;
                i++;
        }
        return i == 0                    ? scratch_printf(s, "%lld", (long long)joules)
               : n == (double)(int64_t)n ? scratch_printf(s, "%.0f%c", n, prefixes[i])
                                         : scratch_printf(s, "%.2f%c", n, prefixes[i]);
}

static const char *exit_pair(int64_t status, struct scratch *s) {
        return scratch_printf(s, "%lld:%lld", (long long)(status >> 8 & 0xff),
                        (long long)(status & 0x7f));
}

static const char *requested_memory(const Ended *e, const struct sacct_view *view,
                struct scratch *s) {
        uint64_t nodes = (uint64_t)MAX(e->num_nodes, MAX(e->min_nodes, (int64_t)1)),
                 cpus = (uint64_t)MAX(e->num_cpus, (int64_t)1);
        uint64_t mb = e->mem_per_node ? (uint64_t)e->mem_per_node * nodes
                                      : (uint64_t)e->mem_per_cpu * cpus;

        return sacct_size(mb, 'M', view, s);
}

static int tres_item_compare(const void *a, const void *b) {
        return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Converts "mem=2G" to the view's unit; the caller frees. NULL: another item. */
static char *memory_item(const char *item, const struct sacct_view *view, struct scratch *s) {
        uint64_t mb;

        if (strncmp(item, "mem=", 4) != 0 || memory_parse(item + 4, &mb, NULL) < 0)
                return NULL;
        return xasprintf("mem=%s", sacct_size(mb, 'M', view, s));
}

/* Sorts TRES by name like sacct: "billing=3,cpu=3,...". */
static const char *tres_sorted_text(const char *tres, const struct sacct_view *view,
                struct scratch *s) {
        _cleanup_free_ char *copy = xstrdup(tres), *memory = NULL;
        const char *item[64] = { NULL };
        size_t n = 0, at = 0;
        _cleanup_free_ char *text = xmalloc(strlen(tres) + TIMETEXT_MAX);

        for (char *rest = copy, *word; (word = strsep(&rest, ","));) {
                if (n == ELEMENTSOF(item))
                        return tres;
                memory = memory ? memory : memory_item(word, view, s);
                item[n++] = memory && strncmp(word, "mem=", 4) == 0 ? memory : word;
        }
        list_sort(item, n, sizeof item[0], tres_item_compare);
        for (size_t i = 0; i < n; i++)
                at += (size_t)sprintf(text + at, "%s%s", i ? "," : "", item[i]);
        return scratch_printf(s, "%s", text);
}

/* ---- measurements of tasks (lib/step/measure.h) ---- */

static const char *time_value(uint64_t n, const struct sacct_view *view, struct scratch *s) {
        (void)view;
        return sacct_duration_text(n, s);
}

static const char *bytes_value(uint64_t n, const struct sacct_view *view, struct scratch *s) {
        return sacct_size(n, 0, view, s);
}

static const char *count_value(uint64_t n, const struct sacct_view *view, struct scratch *s) {
        (void)view;
        return scratch_printf(s, "%llu", (unsigned long long)n);
}

/* Sorted by name, the name of the TRES. */
static const struct {
        enum measure of;
        const char *name;
        bool out;
        const char *(*text)(uint64_t n, const struct sacct_view *view, struct scratch *s);
} measured[] = {
        { MEASURE_CPU, "cpu", false, time_value },
        { MEASURE_READ, "fs/disk", false, bytes_value },
        { MEASURE_RSS, "mem", false, bytes_value },
        { MEASURE_PAGES, "pages", false, count_value },
        { MEASURE_VM, "vmem", false, bytes_value },
        { MEASURE_WRITTEN, "fs/disk", true, bytes_value },
};

/* Formats an item of a measurement text. tasks 0: a node or a rank; else a number, divided by
   tasks. */
static const char *measured_value(const char *text, size_t row, int64_t tasks,
                const struct sacct_view *view, struct scratch *s) {
        const char *value = measure_find(text, measured[row].of);

        if (!value)
                return "";
        if (tasks == 0)
                return scratch_printf(s, "%.*s", (int)strcspn(value, ","), value);
        uint64_t by = (uint64_t)MAX(tasks, (int64_t)1);
        return measured[row].text(strtoull(value, NULL, 10) / by, view, s);
}

static const char *measured_one(const char *text, enum measure which, int64_t tasks,
                const struct sacct_view *view, struct scratch *s) {
        for (size_t i = 0; i < ELEMENTSOF(measured); i++)
                if (measured[i].of == which)
                        return measured_value(text, i, tasks, view, s);
        return "";
}

/* Formats "cpu=00:00:03,mem=20K", without unknown items. */
static const char *measured_tres(const char *text, bool out, int64_t tasks,
                const struct sacct_view *view, struct scratch *s) {
        _cleanup_free_ char *all = xstrdup("");

        for (size_t i = 0; i < ELEMENTSOF(measured); i++) {
                if (measured[i].out != out)
                        continue;
                const char *value = measured_value(text, i, tasks, view, s);
                if (!*value)
                        continue;
                text_add_word(&all, ",", "%s=%s", measured[i].name, value);
        }
        return scratch_printf(s, "%s", all);
}

/* How a text of measures is shown: as it is (a node or a rank), whole, or divided by the tasks. */
enum share { NAMED, WHOLE, PER_TASK, SHARE_BITS = 2 };
/* In place of an enum measure: all measures of the TRES */
enum { TRES_IN = MEASURE_MAX, TRES_OUT };

/* m: a text of measures of the step */
static const char *measured_text(const void *record, const struct member *m, struct scratch *s,
                const void *user) {
        const struct sacct_row *row = record;
        const unsigned which = m->detail >> SHARE_BITS, share = m->detail & ((1 << SHARE_BITS) - 1);
        const char *text = member_text(record, m, s);

        if (!row->step)
                return "";
        int64_t tasks = share == PER_TASK ? row->step->num_tasks : share;
        return which < MEASURE_MAX ? measured_one(text, (enum measure)which, tasks, user, s)
                                   : measured_tres(text, which == TRES_OUT, tasks, user, s);
}

/* Reads the count of "cpu=3,...". */
static int64_t requested_cpus(const Ended *e) {
        return strncmp(e->tres_req, "cpu=", 4) == 0 ? strtoll(e->tres_req + 4, NULL, 10) : 0;
}

/* Returns a batch job's file, as requested or, with --expand-patterns, with patterns replaced. */
static const char *sacct_stream_file(const Ended *e, enum job_stream stream,
                const struct sacct_view *view, struct scratch *s) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        Job job = SLUMBER__JOB__INIT;

        spec.batch = e->batch;
        spec.name = e->name;
        spec.work_dir = e->work_dir;
        spec.std_in = e->std_in;
        spec.std_out = e->std_out;
        spec.std_err = e->std_err;
        job.spec = &spec;
        job.id = (uint32_t)e->job_id;
        job.user = e->user;
        job.restarts = (uint32_t)e->restarts;
        job.array_job = (uint32_t)e->array_job;
        job.array_task = e->array_task < 0 ? 0 : (uint32_t)e->array_task;
        /* The script runs on the first node. */
        if (*e->nodes && hostlist_parse(e->nodes, &nodes, NULL) >= 0)
                job.batch_host = (char *)hostlist_get(nodes, 0);
        bool expands = view->expand_patterns && !(e->array_job && e->array_task < 0);
        return expands ? job_shown_file(&job, stream, s) : job_file_pattern(&job, stream, s);
}

static const char *const starters[] = { "", "SchedSubmit", "SchedMain", "SchedBackfill" };

/* Returns Slurm's word of a Job's started_by; "": none. */
static const char *sacct_starter_text(int64_t starter) {
        return starter >= 0 && (size_t)starter < ELEMENTSOF(starters) ? starters[starter] : "";
}

int64_t sacct_starter_parse(const char *word) {
        for (size_t i = 1; i < ELEMENTSOF(starters); i++)
                if (strcasecmp(starters[i], word) == 0)
                        return (int64_t)i;
        return -EINVAL;
}

JOB_NUMBER(assoc_id, sacct_assoc_id(&view->assocs, e))
TEXT(alloc_tres, tres_sorted_text(e->tres_alloc, view, s))
TEXT(cpu_time, sacct_duration_text(sacct_elapsed(e, view->now) * (uint64_t)e->num_cpus, s))
TEXT(elapsed_text, sacct_duration_text(sacct_elapsed(e, view->now), s))
JOB_TEXT(eligible, sacct_time_text(e->time_eligible, "Unknown", s))
TEXT(end, sacct_time_text(e->time_end, "Unknown", s))
JOB_TEXT(derived, exit_pair(e->derived_exit_code, s))
TEXT(exit_code, exit_pair(e->exit_code, s))
JOB_TEXT(flags, sacct_starter_text(e->started_by))
TEXT(job_id, sacct_row_id(row, s))
JOB_TEXT(planned_text, sacct_duration_text(sacct_planned(e, view->now), s))
JOB_TEXT(planned_cpu,
                sacct_duration_text(sacct_planned(e, view->now) * (uint64_t)requested_cpus(e), s))
JOB_NUMBER(planned_cpu_raw,
                sacct_planned(e, view->now) / USEC_PER_SEC * (uint64_t)requested_cpus(e))
JOB_TEXT(req_mem, requested_memory(e, view, s))
JOB_TEXT(req_tres, tres_sorted_text(e->tres_req, view, s))
JOB_TEXT(std_err, sacct_stream_file(e, JOB_STDERR, view, s))
JOB_TEXT(std_in, sacct_stream_file(e, JOB_STDIN, view, s))
JOB_TEXT(std_out, sacct_stream_file(e, JOB_STDOUT, view, s))
TEXT(start, sacct_time_text(e->time_start, e->time_end ? "None" : "Unknown", s))
TEXT(state, strcmp(e->state, "CANCELLED") == 0 && e->cancelled_by >= 0
                                ? scratch_printf(s, "CANCELLED by %lld", (long long)e->cancelled_by)
                                : e->state)
TEXT(submit, sacct_time_text(e->time_queued, "Unknown", s))
TEXT(container, row->step ? row->step->container : e->container)
TEXT(submit_line, row->step ? row->step->submit_line : e->submit_line)
TEXT(suspended, sacct_duration_text(e->time_suspended, s))
JOB_TEXT(time_limit, e->time_limit ? sacct_duration_text(e->time_limit, s) : "Partition_Limit")
JOB_TEXT(time_limit_raw,
                e->time_limit == NO_LIMIT
                                ? "UNLIMITED"
                                : scratch_printf(s, "%llu",
                                                  (unsigned long long)(e->time_limit /
                                                                       (60 * USEC_PER_SEC))))
NUMBER(cpu_time_raw, sacct_elapsed(e, view->now) / USEC_PER_SEC * (uint64_t)e->num_cpus)
NUMBER(elapsed_raw, sacct_elapsed(e, view->now) / USEC_PER_SEC)
TEXT(consumed_energy, joules_text(e->consumed_energy, s))
TEXT(job_id_raw, step_id(scratch_printf(s, "%lld", (long long)e->job_id), row->step, s))
NUMBER(n_nodes, e->num_nodes ? e->num_nodes : MAX(e->min_nodes, (int64_t)1))
NUMBER(req_cpus, row->step ? e->num_cpus : requested_cpus(e))
JOB_NUMBER(req_nodes, MAX(e->min_nodes, (int64_t)1))
STEP_TEXT(layout, row->step->step_id > STEP_NUMBER_MAX ? "Unknown" : "")
TEXT(total_cpu, row->measured || !row->step ? short_time(row->user_cpu + row->system_cpu, s) : "")
TEXT(user_cpu, row->measured || !row->step ? short_time(row->user_cpu, s) : "")
TEXT(system_cpu, row->measured || !row->step ? short_time(row->system_cpu, s) : "")
STEP_TEXT(ave_cpu, row->measured ? sacct_duration_text(
                                                   (row->user_cpu + row->system_cpu) /
                                                                   (usec_t)MAX(row->step->num_tasks,
                                                                                   (int64_t)1),
                                                   s)
                                 : "")
STEP_TEXT(max_rss, row->step->max_rss ? sacct_size((uint64_t)row->step->max_rss, 0, view, s) : "")
STEP_TEXT(max_rss_node, row->step->max_rss ? row->step->max_rss_node : "")
STEP_TEXT(ave_rss,
                row->step->sum_rss
                                ? sacct_size((uint64_t)row->step->sum_rss /
                                                                  (uint64_t)MAX(row->step->num_tasks,
                                                                                  (int64_t)1),
                                                  0, view, s)
                                : "")

/* Requested CPU frequency of a step */
enum cpu_freq_part { CPU_FREQ_MIN, CPU_FREQ_MAX, CPU_FREQ_GOVERNOR };

static const char *cpu_freq_part(const void *record, const struct member *m, struct scratch *s,
                const void *user) {
        const struct sacct_row *row = record;
        struct cpu_freq f;

        if (!row->step || cpu_freq_parse(row->step->cpu_freq, &f, NULL) < 0)
                return "";
        if (m->detail == CPU_FREQ_GOVERNOR)
                return cpu_governor_name(f.governor);
        _cleanup_free_ char *text = cpu_freq_number_text(m->detail == CPU_FREQ_MIN ? f.min : f.max);
        return scratch_printf(s, "%s", text);
}

#define ANY(name, ...) MEMBER_BEHIND(struct sacct_row, e, Ended, name, __VA_ARGS__)
#define JOB(name)      MEMBER_BEHIND(struct sacct_row, job, Ended, name, .none = "")
#define STEP(name, ...)                                                                            \
        MEMBER_BEHIND(struct sacct_row, step, EndedStep, name, .none = "", __VA_ARGS__)
/* A text of measures of a step; which: enum measure, TRES_IN or TRES_OUT; share: enum share. */
#define MEASURED(name, which, share)                                                               \
        .text = measured_text, STEP(name, .detail = (which) << SHARE_BITS | (share))
#define CPU_FREQ(part) .text = cpu_freq_part, .member.detail = part
/* not measured or not stored, as with most Slurms */
#define MISSING(name)                                                                              \
        { name, .width = 10 }
static const struct table_field fields[] = {
        { "Account", 10, ANY(account) },
        { "AdminComment", 19, JOB(admin_comment) },
        { "AllocCPUS", 10, ANY(num_cpus) },
        { "AllocNodes", 10, ANY(num_nodes) },
        { "AllocTRES", 10, .text = alloc_tres },
        { "AssocID", 10, .text = assoc_id },
        { "AveCPU", 10, .text = ave_cpu },
        MISSING("AveCPUFreq"),
        { "AveDiskRead", 14, MEASURED(task_sum, MEASURE_READ, PER_TASK) },
        { "AveDiskWrite", 14, MEASURED(task_sum, MEASURE_WRITTEN, PER_TASK) },
        { "AvePages", 10, MEASURED(task_sum, MEASURE_PAGES, PER_TASK) },
        { "AveRSS", 10, .text = ave_rss },
        { "AveVMSize", 10, MEASURED(task_sum, MEASURE_VM, PER_TASK) },
        MISSING("BlockID"),
        { "Cluster", 10, ANY(cluster) },
        { "Comment", 14, JOB(comment) },
        { "Constraints", 19, JOB(features) },
        { "Container", 19, .text = container },
        { "ConsumedEnergy", 14, .text = consumed_energy },
        { "ConsumedEnergyRaw", 17, ANY(consumed_energy) },
        { "CPUTime", 10, .text = cpu_time },
        { "CPUTimeRAW", 10, .text = cpu_time_raw },
        { "DBIndex", 10, ANY(row, .none = "", .zero_is_none = true) },
        { "DerivedExitCode", 15, .text = derived },
        { "Elapsed", 10, .text = elapsed_text },
        { "ElapsedRaw", 10, .text = elapsed_raw },
        { "Eligible", 19, .text = eligible },
        { "End", 19, .text = end },
        { "ExitCode", 8, .text = exit_code },
        { "Extra", 19, JOB(extra) },
        MISSING("FailedNode"),
        { "Flags", 20, .text = flags },
        { "GID", 6, JOB(gid) },
        { "Group", 9, JOB(group_name) },
        { "JobID", -12, .text = job_id },
        { "JobIDRaw", -12, .text = job_id_raw },
        { "JobName", 10, ANY(name) },
        { "Layout", 9, .text = layout },
        { "Licenses", 20, JOB(licenses) },
        { "MaxDiskRead", 12, MEASURED(task_most, MEASURE_READ, WHOLE) },
        { "MaxDiskReadNode", 15, MEASURED(task_most_node, MEASURE_READ, NAMED) },
        { "MaxDiskReadTask", 15, MEASURED(task_most_rank, MEASURE_READ, NAMED) },
        { "MaxDiskWrite", 12, MEASURED(task_most, MEASURE_WRITTEN, WHOLE) },
        { "MaxDiskWriteNode", 16, MEASURED(task_most_node, MEASURE_WRITTEN, NAMED) },
        { "MaxDiskWriteTask", 16, MEASURED(task_most_rank, MEASURE_WRITTEN, NAMED) },
        { "MaxPages", 8, MEASURED(task_most, MEASURE_PAGES, WHOLE) },
        { "MaxPagesNode", 12, MEASURED(task_most_node, MEASURE_PAGES, NAMED) },
        { "MaxPagesTask", 14, MEASURED(task_most_rank, MEASURE_PAGES, NAMED) },
        { "MaxRSS", 10, .text = max_rss },
        { "MaxRSSNode", 10, .text = max_rss_node },
        { "MaxRSSTask", 10, MEASURED(task_most_rank, MEASURE_RSS, NAMED) },
        { "MaxVMSize", 10, MEASURED(task_most, MEASURE_VM, WHOLE) },
        { "MaxVMSizeNode", 14, MEASURED(task_most_node, MEASURE_VM, NAMED) },
        { "MaxVMSizeTask", 14, MEASURED(task_most_rank, MEASURE_VM, NAMED) },
        { "McsLabel", 10, JOB(mcs_label) },
        { "MinCPU", 10, MEASURED(task_least, MEASURE_CPU, WHOLE) },
        { "MinCPUNode", 10, MEASURED(task_least_node, MEASURE_CPU, NAMED) },
        { "MinCPUTask", 10, MEASURED(task_least_rank, MEASURE_CPU, NAMED) },
        { "NCPUS", 10, ANY(num_cpus) },
        { "NNodes", 8, .text = n_nodes },
        { "NodeList", 15, ANY(nodes, .none = "None assigned") },
        { "NTasks", 8, STEP(num_tasks) },
        { "Partition", 10, JOB(partition) },
        { "Planned", 10, .text = planned_text },
        { "PlannedCPU", 10, .text = planned_cpu },
        { "PlannedCPURAW", 13, .text = planned_cpu_raw },
        { "Priority", 10, JOB(priority) },
        { "QOS", 10, JOB(qos) },
        MISSING("QOSRAW"),
        { "QOSREQ", 10, JOB(qos_req) },
        { "Reason", 22, JOB(reason) },
        { "ReqCPUFreq", 10, STEP(cpu_freq) },
        { "ReqCPUFreqGov", 13, CPU_FREQ(CPU_FREQ_GOVERNOR) },
        { "ReqCPUFreqMax", 13, CPU_FREQ(CPU_FREQ_MAX) },
        { "ReqCPUFreqMin", 13, CPU_FREQ(CPU_FREQ_MIN) },
        { "ReqCPUS", 8, .text = req_cpus },
        { "ReqMem", 10, .text = req_mem },
        { "ReqNodes", 8, .text = req_nodes },
        { "ReqTRES", 10, .text = req_tres },
        { "Reservation", 20, JOB(reservation) },
        MISSING("ReservationId"),
        { "Reserved", 10, .text = planned_text },
        { "ResvCPU", 10, .text = planned_cpu },
        { "ResvCPURAW", 10, .text = planned_cpu_raw },
        { "Restarts", 8, JOB(restarts) },
        { "Start", 19, .text = start },
        { "State", 10, .text = state },
        { "StdErr", 20, .text = std_err },
        { "StdIn", 20, .text = std_in },
        { "StdOut", 20, .text = std_out },
        { "Submit", 19, .text = submit },
        { "SubmitLine", 20, .text = submit_line },
        { "Suspended", 10, .text = suspended },
        MISSING("SystemComment"),
        { "SystemCPU", 10, .text = system_cpu },
        { "Timelimit", 10, .text = time_limit },
        { "TimelimitRaw", 12, .text = time_limit_raw },
        { "TotalCPU", 10, .text = total_cpu },
        { "TRESUsageInAve", 10, MEASURED(task_sum, TRES_IN, PER_TASK) },
        { "TRESUsageInMax", 10, MEASURED(task_most, TRES_IN, WHOLE) },
        { "TRESUsageInMaxNode", 10, MEASURED(task_most_node, TRES_IN, NAMED) },
        { "TRESUsageInMaxTask", 10, MEASURED(task_most_rank, TRES_IN, NAMED) },
        { "TRESUsageInMin", 10, MEASURED(task_least, TRES_IN, WHOLE) },
        { "TRESUsageInMinNode", 10, MEASURED(task_least_node, TRES_IN, NAMED) },
        { "TRESUsageInMinTask", 10, MEASURED(task_least_rank, TRES_IN, NAMED) },
        { "TRESUsageInTot", 10, MEASURED(task_sum, TRES_IN, WHOLE) },
        { "TRESUsageOutAve", 10, MEASURED(task_sum, TRES_OUT, PER_TASK) },
        { "TRESUsageOutMax", 10, MEASURED(task_most, TRES_OUT, WHOLE) },
        { "TRESUsageOutMaxNode", 10, MEASURED(task_most_node, TRES_OUT, NAMED) },
        { "TRESUsageOutMaxTask", 10, MEASURED(task_most_rank, TRES_OUT, NAMED) },
        { "TRESUsageOutMin", 10, MEASURED(task_least, TRES_OUT, WHOLE) },
        { "TRESUsageOutMinNode", 10, MEASURED(task_least_node, TRES_OUT, NAMED) },
        { "TRESUsageOutMinTask", 10, MEASURED(task_least_rank, TRES_OUT, NAMED) },
        { "TRESUsageOutTot", 10, MEASURED(task_sum, TRES_OUT, WHOLE) },
        { "UID", 6, JOB(uid) },
        { "User", 9, JOB(user) },
        { "UserCPU", 10, .text = user_cpu },
        { "WCKey", 10, JOB(wckey) },
        MISSING("WCKeyID"),
        { "WorkDir", 20, JOB(work_dir) },
};

const struct table_field *sacct_fields(size_t *ret_n) {
        *ret_n = ELEMENTSOF(fields);
        return fields;
}

bool sacct_field_wants_assocs(const struct table_field *field) {
        return field->text == assoc_id;
}

bool sacct_field_sums_steps(const struct table_field *field) {
        return field->text == total_cpu || field->text == user_cpu || field->text == system_cpu;
}

bool sacct_field_is_measured(const struct table_field *field) {
        static const char *const begins[] = { "Ave", "MaxDisk", "MaxPages", "MaxRSS", "MaxVM",
                "MinCPU", "TRESUsage" };

        for (size_t i = 0; i < ELEMENTSOF(begins); i++)
                if (strncmp(field->name, begins[i], strlen(begins[i])) == 0)
                        return true;
        return sacct_field_sums_steps(field);
}

/* Slurm's list; fields not measured are empty, as in Slurm. */
const char sacct_long_format[] =
                "JobID,JobIDRaw,JobName,Partition,MaxVMSize,MaxVMSizeNode,MaxVMSizeTask,AveVMSize,MaxRSS,MaxRSSNode,MaxRSSTask,AveRSS,"
                "MaxPages,MaxPagesNode,MaxPagesTask,AvePages,MinCPU,MinCPUNode,MinCPUTask,AveCPU,NTasks,AllocCPUS,Elapsed,State,"
                "ExitCode,AveCPUFreq,ReqCPUFreqMin,ReqCPUFreqMax,ReqCPUFreqGov,ReqMem,ConsumedEnergy,MaxDiskRead,MaxDiskReadNode,"
                "MaxDiskReadTask,AveDiskRead,MaxDiskWrite,MaxDiskWriteNode,MaxDiskWriteTask,AveDiskWrite,ReqTRES,AllocTRES,TRESUsageInAve,"
                "TRESUsageInMax,TRESUsageInMaxNode,TRESUsageInMaxTask,TRESUsageInMin,TRESUsageInMinNode,TRESUsageInMinTask,TRESUsageInTot,"
                "TRESUsageOutMax,TRESUsageOutMaxNode,TRESUsageOutMaxTask,TRESUsageOutAve,TRESUsageOutTot";
