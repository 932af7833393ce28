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
        static const char *id(const void *record, struct scratch *s, const void *user) {           \
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

const char *sacct_size(uint64_t n, char unit, const struct sacct_view *view, struct scratch *s) {
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

const char *sacct_starter_text(int64_t starter) {
        return starter >= 0 && (size_t)starter < ELEMENTSOF(starters) ? starters[starter] : "";
}

int64_t sacct_starter_parse(const char *word) {
        for (size_t i = 1; i < ELEMENTSOF(starters); i++)
                if (strcasecmp(starters[i], word) == 0)
                        return (int64_t)i;
        return -EINVAL;
}

TEXT(account, e->account)
JOB_TEXT(admin_comment, e->admin_comment)
JOB_NUMBER(assoc_id, sacct_assoc_id(&view->assocs, e))
TEXT(alloc_tres, tres_sorted_text(e->tres_alloc, view, s))
TEXT(cluster, e->cluster)
JOB_TEXT(comment, e->comment)
JOB_TEXT(constraints, e->features)
TEXT(cpu_time, sacct_duration_text(sacct_elapsed(e, view->now) * (uint64_t)e->num_cpus, s))
TEXT(elapsed_text, sacct_duration_text(sacct_elapsed(e, view->now), s))
JOB_TEXT(eligible, sacct_time_text(e->time_eligible, "Unknown", s))
TEXT(end, sacct_time_text(e->time_end, "Unknown", s))
JOB_TEXT(derived, exit_pair(e->derived_exit_code, s))
TEXT(exit_code, exit_pair(e->exit_code, s))
JOB_TEXT(extra, e->extra)
JOB_TEXT(flags, sacct_starter_text(e->started_by))
JOB_TEXT(group, e->group_name)
TEXT(job_id, sacct_row_id(row, s))
JOB_TEXT(licenses, e->licenses)
JOB_TEXT(mcs_label, e->mcs_label)
TEXT(name, e->name)
TEXT(node_list, *e->nodes ? e->nodes : "None assigned")
JOB_TEXT(partition, e->partition)
JOB_TEXT(planned_text, sacct_duration_text(sacct_planned(e, view->now), s))
JOB_TEXT(planned_cpu,
                sacct_duration_text(sacct_planned(e, view->now) * (uint64_t)requested_cpus(e), s))
JOB_NUMBER(planned_cpu_raw,
                sacct_planned(e, view->now) / USEC_PER_SEC * (uint64_t)requested_cpus(e))
JOB_TEXT(qos, e->qos)
JOB_TEXT(qos_req, e->qos_req)
JOB_TEXT(reason, e->reason)
JOB_TEXT(req_mem, requested_memory(e, view, s))
JOB_TEXT(req_tres, tres_sorted_text(e->tres_req, view, s))
JOB_TEXT(reservation, e->reservation)
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
JOB_TEXT(user_name, e->user)
JOB_TEXT(wckey, e->wckey)
JOB_TEXT(work_dir, e->work_dir)
NUMBER(alloc_cpus, e->num_cpus)
NUMBER(alloc_nodes, e->num_nodes)
NUMBER(cpu_time_raw, sacct_elapsed(e, view->now) / USEC_PER_SEC * (uint64_t)e->num_cpus)
NUMBER(elapsed_raw, sacct_elapsed(e, view->now) / USEC_PER_SEC)
JOB_NUMBER(gid, e->gid)
TEXT(consumed_energy, joules_text(e->consumed_energy, s))
NUMBER(consumed_energy_raw, e->consumed_energy)
TEXT(job_id_raw, step_id(scratch_printf(s, "%lld", (long long)e->job_id), row->step, s))
NUMBER(n_nodes, e->num_nodes ? e->num_nodes : MAX(e->min_nodes, (int64_t)1))
JOB_NUMBER(priority, e->priority)
NUMBER(req_cpus, row->step ? e->num_cpus : requested_cpus(e))
JOB_NUMBER(req_nodes, MAX(e->min_nodes, (int64_t)1))
JOB_NUMBER(restarts, e->restarts)
JOB_NUMBER(uid, e->uid)
STEP_NUMBER(n_tasks, row->step->num_tasks)
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
#define MEASURED(id, part, which, tasks)                                                           \
        STEP_TEXT(id, measured_one(row->step->part, which, tasks, view, s))
#define MEASURED_TRES(id, part, tasks)                                                             \
        STEP_TEXT(id##_in, measured_tres(row->step->part, false, tasks, view, s))                  \
        STEP_TEXT(id##_out, measured_tres(row->step->part, true, tasks, view, s))
MEASURED(max_rss_task, task_most_rank, MEASURE_RSS, 0)
MEASURED(min_cpu, task_least, MEASURE_CPU, 1)
MEASURED(min_cpu_node, task_least_node, MEASURE_CPU, 0)
MEASURED(min_cpu_task, task_least_rank, MEASURE_CPU, 0)
MEASURED(max_pages, task_most, MEASURE_PAGES, 1)
MEASURED(max_pages_node, task_most_node, MEASURE_PAGES, 0)
MEASURED(max_pages_task, task_most_rank, MEASURE_PAGES, 0)
MEASURED(ave_pages, task_sum, MEASURE_PAGES, row->step->num_tasks)
MEASURED(max_read, task_most, MEASURE_READ, 1)
MEASURED(max_read_node, task_most_node, MEASURE_READ, 0)
MEASURED(max_read_task, task_most_rank, MEASURE_READ, 0)
MEASURED(ave_read, task_sum, MEASURE_READ, row->step->num_tasks)
MEASURED(max_written, task_most, MEASURE_WRITTEN, 1)
MEASURED(max_written_node, task_most_node, MEASURE_WRITTEN, 0)
MEASURED(max_written_task, task_most_rank, MEASURE_WRITTEN, 0)
MEASURED(ave_written, task_sum, MEASURE_WRITTEN, row->step->num_tasks)
MEASURED(max_vm, task_most, MEASURE_VM, 1)
MEASURED(max_vm_node, task_most_node, MEASURE_VM, 0)
MEASURED(max_vm_task, task_most_rank, MEASURE_VM, 0)
MEASURED(ave_vm, task_sum, MEASURE_VM, row->step->num_tasks)
MEASURED_TRES(used_on_average, task_sum, row->step->num_tasks)
MEASURED_TRES(used_at_most, task_most, 1)
MEASURED_TRES(used_most_on, task_most_node, 0)
MEASURED_TRES(used_most_by, task_most_rank, 0)
MEASURED_TRES(used_at_least, task_least, 1)
MEASURED_TRES(used_least_on, task_least_node, 0)
MEASURED_TRES(used_least_by, task_least_rank, 0)
MEASURED_TRES(used_in_all, task_sum, 1)
TEXT(db_index, e->row ? scratch_printf(s, "%llu", (unsigned long long)e->row) : "")

/* Requested CPU frequency of a step */
enum cpu_freq_part { CPU_FREQ_MIN, CPU_FREQ_MAX, CPU_FREQ_GOVERNOR };

static const char *cpu_freq_part(const struct sacct_row *row, enum cpu_freq_part part,
                struct scratch *s) {
        struct cpu_freq f;

        if (!row->step || cpu_freq_parse(row->step->cpu_freq, &f, NULL) < 0)
                return "";
        if (part == CPU_FREQ_GOVERNOR)
                return cpu_governor_name(f.governor);
        _cleanup_free_ char *text = cpu_freq_number_text(part == CPU_FREQ_MIN ? f.min : f.max);
        return scratch_printf(s, "%s", text);
}

TEXT(req_freq_min, cpu_freq_part(row, CPU_FREQ_MIN, s))
TEXT(req_freq_max, cpu_freq_part(row, CPU_FREQ_MAX, s))
TEXT(req_governor, cpu_freq_part(row, CPU_FREQ_GOVERNOR, s))
STEP_TEXT(req_freq, row->step->cpu_freq)
TEXT(nothing, "") /* not measured or not stored, as with most Slurms */

#define MISSING(name)                                                                              \
        { name, 10, nothing, NULL, NULL }
static const struct table_field fields[] = {
        { "Account", 10, account, NULL, NULL },
        { "AdminComment", 19, admin_comment, NULL, NULL },
        { "AllocCPUS", 10, alloc_cpus, NULL, NULL },
        { "AllocNodes", 10, alloc_nodes, NULL, NULL },
        { "AllocTRES", 10, alloc_tres, NULL, NULL },
        { "AssocID", 10, assoc_id, NULL, NULL },
        { "AveCPU", 10, ave_cpu, NULL, NULL },
        MISSING("AveCPUFreq"),
        { "AveDiskRead", 14, ave_read, NULL, NULL },
        { "AveDiskWrite", 14, ave_written, NULL, NULL },
        { "AvePages", 10, ave_pages, NULL, NULL },
        { "AveRSS", 10, ave_rss, NULL, NULL },
        { "AveVMSize", 10, ave_vm, NULL, NULL },
        MISSING("BlockID"),
        { "Cluster", 10, cluster, NULL, NULL },
        { "Comment", 14, comment, NULL, NULL },
        { "Constraints", 19, constraints, NULL, NULL },
        { "Container", 19, container, NULL, NULL },
        { "ConsumedEnergy", 14, consumed_energy, NULL, NULL },
        { "ConsumedEnergyRaw", 17, consumed_energy_raw, NULL, NULL },
        { "CPUTime", 10, cpu_time, NULL, NULL },
        { "CPUTimeRAW", 10, cpu_time_raw, NULL, NULL },
        { "DBIndex", 10, db_index, NULL, NULL },
        { "DerivedExitCode", 15, derived, NULL, NULL },
        { "Elapsed", 10, elapsed_text, NULL, NULL },
        { "ElapsedRaw", 10, elapsed_raw, NULL, NULL },
        { "Eligible", 19, eligible, NULL, NULL },
        { "End", 19, end, NULL, NULL },
        { "ExitCode", 8, exit_code, NULL, NULL },
        { "Extra", 19, extra, NULL, NULL },
        MISSING("FailedNode"),
        { "Flags", 20, flags, NULL, NULL },
        { "GID", 6, gid, NULL, NULL },
        { "Group", 9, group, NULL, NULL },
        { "JobID", -12, job_id, NULL, NULL },
        { "JobIDRaw", -12, job_id_raw, NULL, NULL },
        { "JobName", 10, name, NULL, NULL },
        { "Layout", 9, layout, NULL, NULL },
        { "Licenses", 20, licenses, NULL, NULL },
        { "MaxDiskRead", 12, max_read, NULL, NULL },
        { "MaxDiskReadNode", 15, max_read_node, NULL, NULL },
        { "MaxDiskReadTask", 15, max_read_task, NULL, NULL },
        { "MaxDiskWrite", 12, max_written, NULL, NULL },
        { "MaxDiskWriteNode", 16, max_written_node, NULL, NULL },
        { "MaxDiskWriteTask", 16, max_written_task, NULL, NULL },
        { "MaxPages", 8, max_pages, NULL, NULL },
        { "MaxPagesNode", 12, max_pages_node, NULL, NULL },
        { "MaxPagesTask", 14, max_pages_task, NULL, NULL },
        { "MaxRSS", 10, max_rss, NULL, NULL },
        { "MaxRSSNode", 10, max_rss_node, NULL, NULL },
        { "MaxRSSTask", 10, max_rss_task, NULL, NULL },
        { "MaxVMSize", 10, max_vm, NULL, NULL },
        { "MaxVMSizeNode", 14, max_vm_node, NULL, NULL },
        { "MaxVMSizeTask", 14, max_vm_task, NULL, NULL },
        { "McsLabel", 10, mcs_label, NULL, NULL },
        { "MinCPU", 10, min_cpu, NULL, NULL },
        { "MinCPUNode", 10, min_cpu_node, NULL, NULL },
        { "MinCPUTask", 10, min_cpu_task, NULL, NULL },
        { "NCPUS", 10, alloc_cpus, NULL, NULL },
        { "NNodes", 8, n_nodes, NULL, NULL },
        { "NodeList", 15, node_list, NULL, NULL },
        { "NTasks", 8, n_tasks, NULL, NULL },
        { "Partition", 10, partition, NULL, NULL },
        { "Planned", 10, planned_text, NULL, NULL },
        { "PlannedCPU", 10, planned_cpu, NULL, NULL },
        { "PlannedCPURAW", 13, planned_cpu_raw, NULL, NULL },
        { "Priority", 10, priority, NULL, NULL },
        { "QOS", 10, qos, NULL, NULL },
        MISSING("QOSRAW"),
        { "QOSREQ", 10, qos_req, NULL, NULL },
        { "Reason", 22, reason, NULL, NULL },
        { "ReqCPUFreq", 10, req_freq, NULL, NULL },
        { "ReqCPUFreqGov", 13, req_governor, NULL, NULL },
        { "ReqCPUFreqMax", 13, req_freq_max, NULL, NULL },
        { "ReqCPUFreqMin", 13, req_freq_min, NULL, NULL },
        { "ReqCPUS", 8, req_cpus, NULL, NULL },
        { "ReqMem", 10, req_mem, NULL, NULL },
        { "ReqNodes", 8, req_nodes, NULL, NULL },
        { "ReqTRES", 10, req_tres, NULL, NULL },
        { "Reservation", 20, reservation, NULL, NULL },
        MISSING("ReservationId"),
        { "Reserved", 10, planned_text, NULL, NULL },
        { "ResvCPU", 10, planned_cpu, NULL, NULL },
        { "ResvCPURAW", 10, planned_cpu_raw, NULL, NULL },
        { "Restarts", 8, restarts, NULL, NULL },
        { "Start", 19, start, NULL, NULL },
        { "State", 10, state, NULL, NULL },
        { "StdErr", 20, std_err, NULL, NULL },
        { "StdIn", 20, std_in, NULL, NULL },
        { "StdOut", 20, std_out, NULL, NULL },
        { "Submit", 19, submit, NULL, NULL },
        { "SubmitLine", 20, submit_line, NULL, NULL },
        { "Suspended", 10, suspended, NULL, NULL },
        MISSING("SystemComment"),
        { "SystemCPU", 10, system_cpu, NULL, NULL },
        { "Timelimit", 10, time_limit, NULL, NULL },
        { "TimelimitRaw", 12, time_limit_raw, NULL, NULL },
        { "TotalCPU", 10, total_cpu, NULL, NULL },
        { "TRESUsageInAve", 10, used_on_average_in, NULL, NULL },
        { "TRESUsageInMax", 10, used_at_most_in, NULL, NULL },
        { "TRESUsageInMaxNode", 10, used_most_on_in, NULL, NULL },
        { "TRESUsageInMaxTask", 10, used_most_by_in, NULL, NULL },
        { "TRESUsageInMin", 10, used_at_least_in, NULL, NULL },
        { "TRESUsageInMinNode", 10, used_least_on_in, NULL, NULL },
        { "TRESUsageInMinTask", 10, used_least_by_in, NULL, NULL },
        { "TRESUsageInTot", 10, used_in_all_in, NULL, NULL },
        { "TRESUsageOutAve", 10, used_on_average_out, NULL, NULL },
        { "TRESUsageOutMax", 10, used_at_most_out, NULL, NULL },
        { "TRESUsageOutMaxNode", 10, used_most_on_out, NULL, NULL },
        { "TRESUsageOutMaxTask", 10, used_most_by_out, NULL, NULL },
        { "TRESUsageOutMin", 10, used_at_least_out, NULL, NULL },
        { "TRESUsageOutMinNode", 10, used_least_on_out, NULL, NULL },
        { "TRESUsageOutMinTask", 10, used_least_by_out, NULL, NULL },
        { "TRESUsageOutTot", 10, used_in_all_out, NULL, NULL },
        { "UID", 6, uid, NULL, NULL },
        { "User", 9, user_name, NULL, NULL },
        { "UserCPU", 10, user_cpu, NULL, NULL },
        { "WCKey", 10, wckey, NULL, NULL },
        MISSING("WCKeyID"),
        { "WorkDir", 20, work_dir, NULL, NULL },
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
