/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/job_text.h"

#include "lib/hostlist.h"
#include "lib/timetext.h"

#include <ctype.h>
#include <limits.h>
#include <strings.h>

static const struct {
        const char *full, *compact;
} shown[SHOWN_MAX] = {
        [SLUMBER__JOB_STATE__JOB_PENDING] = { "PENDING", "PD" },
        [SLUMBER__JOB_STATE__JOB_RUNNING] = { "RUNNING", "R" },
        [SLUMBER__JOB_STATE__JOB_SUSPENDED] = { "SUSPENDED", "S" },
        [SLUMBER__JOB_STATE__JOB_COMPLETED] = { "COMPLETED", "CD" },
        [SLUMBER__JOB_STATE__JOB_CANCELLED] = { "CANCELLED", "CA" },
        [SLUMBER__JOB_STATE__JOB_FAILED] = { "FAILED", "F" },
        [SLUMBER__JOB_STATE__JOB_TIMEOUT] = { "TIMEOUT", "TO" },
        [SLUMBER__JOB_STATE__JOB_NODE_FAIL] = { "NODE_FAIL", "NF" },
        [SLUMBER__JOB_STATE__JOB_PREEMPTED] = { "PREEMPTED", "PR" },
        [SLUMBER__JOB_STATE__JOB_BOOT_FAIL] = { "BOOT_FAIL", "BF" },
        [SLUMBER__JOB_STATE__JOB_DEADLINE] = { "DEADLINE", "DL" },
        [SLUMBER__JOB_STATE__JOB_OUT_OF_MEMORY] = { "OUT_OF_MEMORY", "OOM" },
        [SHOWN_COMPLETING] = { "COMPLETING", "CG" },
        [SHOWN_CONFIGURING] = { "CONFIGURING", "CF" },
        [SHOWN_RESIZING] = { "RESIZING", "RS" },
        [SHOWN_RESV_DEL_HOLD] = { "RESV_DEL_HOLD", "RD" },
        [SHOWN_REQUEUED] = { "REQUEUED", "RQ" },
        [SHOWN_REQUEUE_FED] = { "REQUEUE_FED", "RF" },
        [SHOWN_REQUEUE_HOLD] = { "REQUEUE_HOLD", "RH" },
        [SHOWN_REVOKED] = { "REVOKED", "RV" },
        [SHOWN_SIGNALING] = { "SIGNALING", "SI" },
        [SHOWN_SPECIAL_EXIT] = { "SPECIAL_EXIT", "SE" },
        [SHOWN_STAGE_OUT] = { "STAGE_OUT", "SO" },
        [SHOWN_STOPPED] = { "STOPPED", "ST" },
};

int job_shown(const Job *job) {
        if (job->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_COMPLETING)
                return SHOWN_COMPLETING;
        if (job->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_CONFIGURING &&
                        job->state == SLUMBER__JOB_STATE__JOB_RUNNING)
                return SHOWN_CONFIGURING;
        if (job->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_SPECIAL_EXIT)
                return SHOWN_SPECIAL_EXIT;
        if (job->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_REQUEUED)
                return SHOWN_REQUEUED;
        if (job_pending(job) && streq(strempty(job->reason_name), "ReservationDeleted"))
                return SHOWN_RESV_DEL_HOLD;
        return (int)job->state;
}

const char *job_shown_long(int state) {
        return state >= 0 && state < SHOWN_MAX ? shown[state].full : "?";
}

const char *job_shown_short(int state) {
        return state >= 0 && state < SHOWN_MAX ? shown[state].compact : "?";
}

static bool state_word_is(const char *word, size_t n, const char *have) {
        return strncasecmp(word, have, n) == 0 && have[n] == 0;
}

int job_shown_parse(const char *word, size_t n) {
        for (int i = 0; n > 0 && i < SHOWN_MAX; i++)
                if (state_word_is(word, n, shown[i].full) ||
                                state_word_is(word, n, shown[i].compact))
                        return i;
        return -EINVAL;
}

bool job_pending(const Job *job) {
        return job->state == SLUMBER__JOB_STATE__JOB_PENDING;
}

bool job_finished(const Job *job) {
        return job->state > SLUMBER__JOB_STATE__JOB_SUSPENDED;
}

const char *job_reason(const Job *job) {
        if (!isempty(job->reason_text))
                return job->reason_text;
        return isempty(job->reason_name) ? "None" : job->reason_name;
}

const char *job_waits_or_reason(const Job *job, struct scratch *s) {
        const Slumber__Power *p = job->waits_for;
        char buf[TIMETEXT_MAX];

        if (job->stopped_for && !job->resume_expected)
                return scratch_printf(s, "StoppedFor:%u", job->stopped_for);
        if (job->stopped_for)
                return scratch_printf(s, "StoppedFor:%u,until:%s", job->stopped_for,
                                time_text(job->resume_expected, "%H:%M:%S", buf));
        if (!p)
                return job_reason(job);
        if (!p->deadline)
                return scratch_printf(s, "WaitsFor:%s", p->node);
        return scratch_printf(s, "WaitsFor:%s,until:%s", p->node,
                        time_text(p->deadline, "%H:%M:%S", buf));
}

usec_t job_start(const Job *job) {
        if (job->start_time || !job_pending(job) || !job->spec)
                return job->start_time;
        return job->spec->begin_time;
}

usec_t job_end(const Job *job) {
        if (job->end_time || !job_pending(job) || !job_start(job) || job->time_limit == NO_LIMIT)
                return job->end_time;
        return job_start(job) + job->time_limit;
}

/* Nodes requested by --nodes; num_nodes of a pending job may be higher if nodes have too few
   CPUs. */
static uint32_t job_nodes_requested(const Job *job) {
        return job->spec && job->spec->min_nodes ? job->spec->min_nodes : 1;
}

uint32_t job_nodes(const Job *job) {
        return job->num_nodes ? job->num_nodes : job_nodes_requested(job);
}

uint32_t job_tasks(const Job *job) {
        if (!job->spec)
                return 1;
        if (job->spec->num_tasks)
                return job->spec->num_tasks;
        return MAX(job->spec->ntasks_per_node, 1u) *
               (isempty(job->nodes) ? job_nodes_requested(job) : job_nodes(job));
}

/* Equals job_cpus_asked() of the controller. */
static uint32_t job_cpus_requested(const Job *job) {
        if (!job->spec)
                return job_tasks(job);
        return (job->spec->overcommit ? job_nodes_requested(job) : job_tasks(job)) *
               MAX(job->cpus_per_task, 1u);
}

uint32_t job_cpus(const Job *job) {
        return job->num_cpus ? job->num_cpus : job_cpus_requested(job);
}

uint32_t job_min_cpus_node(const Job *job) {
        uint32_t tasks = job->spec ? MAX(job->spec->ntasks_per_node, 1u) : 1;

        return MAX(tasks * MAX(job->cpus_per_task, 1u), job->min_cpus_node);
}

const char *job_memory(const Job *job, bool per_cpu, bool noconvert, char buf[TIMETEXT_MAX]) {
        uint64_t mb = per_cpu ? job->mem_per_cpu : job->mem_per_node;

        if (mb == 0 || mb == NO_LIMIT)
                return "0";
        if (!noconvert)
                return memory_text(mb, buf);
        snprintf(buf, TIMETEXT_MAX, "%lluM", (unsigned long long)mb);
        return buf;
}

const char *job_oversubscribe(const Job *job) {
        static const char *const words[] = {
                [SLUMBER__SHARE__SHARE_OK] = "OK",
                [SLUMBER__SHARE__SHARE_NO] = "NO",
                [SLUMBER__SHARE__SHARE_YES] = "YES",
                [SLUMBER__SHARE__SHARE_USER] = "USER",
                [SLUMBER__SHARE__SHARE_MCS] = "MCS",
        };
        unsigned share = job->spec ? (unsigned)job->spec->oversubscribe : 0;

        return share < ELEMENTSOF(words) ? words[share] : "OK";
}

static uint64_t job_memory_mb(const Job *job, bool allocated) {
        uint64_t mb = 0;

        for (size_t i = 0; allocated && i < job->n_alloc; i++)
                mb += job->alloc[i]->mem;
        if (allocated && job->n_alloc) /* 0 if memory is not allocated (CR_CPU, CR_Core) */
                return mb;
        if (job->mem_per_node)
                return job->mem_per_node * (allocated ? job_nodes(job) : job_nodes_requested(job));
        return job->mem_per_cpu * job_cpus(job);
}

const char *billing_text(uint64_t said, uint32_t cpus, char *buf) {
        uint64_t cost = said ? said - 1 : cpus;

        *buf = 0;
        if (cost)
                snprintf(buf, BILLING_TEXT_MAX, ",billing=%llu", (unsigned long long)cost);
        return buf;
}

const char *job_tres(const Job *job, bool allocated, struct scratch *s) {
        char buf[TIMETEXT_MAX];
        uint32_t cpus = job_cpus(job), nodes = job_nodes(job);
        uint64_t mb;

        if (allocated && isempty(job->nodes))
                return "(null)";
        if (!allocated && job->spec) {
                cpus = job_cpus_requested(job);
                nodes = job_nodes_requested(job);
        }
        mb = job_memory_mb(job, allocated);
        char cost[BILLING_TEXT_MAX];
        uint64_t billing = allocated ? job->billing_alloc : job->billing;
        const char *gres = strempty(allocated ? job->tres_alloc : job->tres_req);
        char joules[32] = "";
        if (allocated && job->energy >= 1000)
                snprintf(joules, sizeof joules, ",energy=%llu",
                                (unsigned long long)(job->energy / 1000));
        return scratch_printf(s, "cpu=%u%s%s%s,node=%u%s%s%s", cpus, mb ? ",mem=" : "",
                        mb ? memory_text(mb, buf) : "", joules, nodes,
                        billing_text(billing, cpus, cost), *gres ? "," : "", gres);
}

static uint64_t step_memory_mb(const Job *job, const Step *step, const struct hostlist *nodes) {
        uint64_t mb = 0;

        if (step->mem_per_node)
                return step->mem_per_node * hostlist_count(nodes);
        if (step->mem_per_cpu)
                return step->mem_per_cpu * step->num_cpus;
        if (!job->n_alloc) /* query without alloc */
                return job_memory_mb(job, true) * hostlist_count(nodes) / MAX(job_nodes(job), 1u);
        for (size_t i = 0; i < job->n_alloc; i++)
                if (hostlist_has(nodes, job->alloc[i]->name))
                        mb += job->alloc[i]->mem;
        return mb;
}

const char *step_tres(const Job *job, const Step *step, struct scratch *s) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        char buf[TIMETEXT_MAX];

        if (hostlist_parse(step->nodes, &nodes, NULL) < 0)
                return "(null)";
        uint64_t mb = step_memory_mb(job, step, nodes);
        return scratch_printf(s, "cpu=%u%s%s,node=%zu", step->num_cpus, mb ? ",mem=" : "",
                        mb ? memory_text(mb, buf) : "", hostlist_count(nodes));
}

/* ---- files of the standard streams ---- */

#define ARRAY_REST UINT32_MAX /* as in controller/indexes/array.h */

bool job_is_rest(const Job *job) {
        return job->array_job && job->array_task == ARRAY_REST;
}

/* Maximum length of the task list; 0 = unlimited. */
static size_t shown_length(void) {
        const char *value = getenv("SLURM_BITSTR_LEN");
        uint64_t length;

        return value && uint_parse(value, 0, 1 << 20, &length) == 0 ? (size_t)length : 64;
}

static char *waiting_text(const Job *job) {
        size_t length = strlen(job->array_waiting), most = shown_length();
        bool cut = most && length > most;
        char limit[16] = "";

        if (job->array_limit)
                snprintf(limit, sizeof limit, "%%%u", job->array_limit);
        return xasprintf("%.*s%s%s", (int)(cut ? most : length), job->array_waiting,
                        cut ? "..." : "", limit);
}

char *job_array_tasks(const Job *job) {
        if (!job->array_job)
                return xstrdup("N/A");
        return job_is_rest(job) ? waiting_text(job) : xasprintf("%u", job->array_task);
}

char *job_array_id(const Job *job) {
        _cleanup_free_ char *tasks = job_array_tasks(job);

        if (job->het_job)
                return xasprintf("%u+%u", job->het_job, job->het_offset);
        if (!job->array_job)
                return xasprintf("%u", job->id);
        return xasprintf(job_is_rest(job) ? "%u_[%s]" : "%u_%s", job->array_job, tasks);
}

char *job_het_set(const Job *job) {
        return xasprintf("%u-%u", job->het_job, job->het_job + job->het_size - 1);
}

static uint32_t array_index(const Job *job) {
        /* Slurm's number for "none" */
        return job->array_job && !job_is_rest(job) ? job->array_task : 4294967294u;
}

/* Returns the text for a letter of a pattern; NULL: unknown here (tasks and steps), the letter
   stays. */
static const char *pattern_text(const Job *job, char letter, unsigned width,
                char buf[HOSTLIST_NAME_MAX + 1]) {
        switch (letter) {
        case 'A':
                snprintf(buf, HOSTLIST_NAME_MAX, "%0*u", (int)width,
                                job->array_job ? job->array_job : job->id);
                return buf;
        case 'j':
        case 'J':
                snprintf(buf, HOSTLIST_NAME_MAX, "%0*u", (int)width, job->id);
                return buf;
        case 'r':
                snprintf(buf, HOSTLIST_NAME_MAX, "%0*u", (int)width, job->restarts);
                return buf;
        case 'b':
                snprintf(buf, HOSTLIST_NAME_MAX, "%0*u", (int)width, array_index(job) % 10);
                return buf;
        case 'n':
        case 't':
                snprintf(buf, HOSTLIST_NAME_MAX, "%0*u", (int)width, 0u);
                return buf;
        case 'a':
                snprintf(buf, HOSTLIST_NAME_MAX, "%0*u", (int)width, array_index(job));
                return buf;
        case 's':
                return "batch";
        case 'u':
                return job->user;
        case 'x':
                return job->spec->name;
        case 'N':
                return isempty(job->batch_host) ? NULL : job->batch_host;
        case '%':
                return "%";
        default:
                return NULL;
        }
}

static void job_pattern_expand(const Job *job, const char *pattern, FILE *out) {
        for (const char *p = pattern; *p; p++) {
                char buf[HOSTLIST_NAME_MAX + 1];
                const char *letter = p + 1, *text = NULL;
                unsigned width = 0;

                if (*p == '%') {
                        for (; isdigit((unsigned char)*letter); letter++)
                                width = MIN(width * 10 + (unsigned)(*letter - '0'), 10u);
                        text = pattern_text(job, *letter, width, buf);
                }
                if (!text) {
                        putc(*p, out);
                        continue;
                }
                fputs(text, out);
                p = letter;
        }
}

static const char *file_text(const Job *job, enum job_stream stream, bool expands,
                struct scratch *s) {
        const char *pattern = "";
        char *text = NULL;
        size_t size;

        if (!job->spec || !job->spec->batch)
                return "";
        if (stream == JOB_STDIN)
                pattern = isempty(job->spec->std_in) ? "/dev/null" : job->spec->std_in;
        if (stream == JOB_STDERR)
                pattern = job->spec->std_err;
        if (stream == JOB_STDOUT || (stream == JOB_STDERR && isempty(pattern)))
                pattern = !isempty(job->spec->std_out) ? job->spec->std_out
                          : job->array_job             ? "slurm-%A_%a.out"
                                                       : "slurm-%j.out";
        if (streq(path_base(pattern), "none"))
                return "/dev/null";

        FILE *out = memstream_open(&text, &size);
        if (pattern[0] != '/')
                fprintf(out, "%s/", job->spec->work_dir);
        if (!expands || strchr(pattern, '\\')) /* a backslash turns patterns off */
                fputs(pattern, out);
        else
                job_pattern_expand(job, pattern, out);
        memstream_close(out);
        scratch_printf(s, "%s", text);
        free(text);
        return s->text;
}

const char *job_shown_file(const Job *job, enum job_stream stream, struct scratch *s) {
        return file_text(job, stream, true, s);
}

const char *job_file_pattern(const Job *job, enum job_stream stream, struct scratch *s) {
        return file_text(job, stream, false, s);
}
