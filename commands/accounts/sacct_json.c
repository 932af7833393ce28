/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct --json and --yaml: jobs of the accounts with their steps, under the keys that slurmdbd's
 * clients read. Missing values are "", an empty list or a number "not set", as from slurmdbd. */
#include "commands/accounts/sacct.h"

#include "commands/json.h"
#include "commands/musl.h"
#include "lib/hostlist.h"
#include "lib/step/cpufreq.h"
#include "lib/timetext.h"

#include <json-c/json.h>

typedef struct json_object Json;

static void add(Json *o, const char *key, Json *value) {
        json_object_object_add(o, key, value);
}

static void add_text(Json *o, const char *key, const char *s) {
        add(o, key, json_text(s));
}

static void add_number(Json *o, const char *key, int64_t n) {
        add(o, key, json_object_new_int64(n));
}

/* Adds Slurm's number object; negative: not set. */
static void add_count(Json *o, const char *key, int64_t n) {
        add(o, key, json_number_object(n >= 0, false, (uint64_t)n));
}

static void add_moment(Json *o, const char *key, usec_t t) {
        add_number(o, key, (int64_t)(t / USEC_PER_SEC));
}

static void add_split(Json *o, const char *key, usec_t t) {
        Json *split = json_object_new_object();

        add_number(split, "seconds", (int64_t)(t / USEC_PER_SEC));
        add_number(split, "microseconds", (int64_t)(t % USEC_PER_SEC));
        add(o, key, split);
}

static Json *list_of(const char *word) {
        Json *list = json_object_new_array();

        if (!isempty(word))
                json_object_array_add(list, json_text(word));
        return list;
}

/* Removes the uid of "CANCELLED by 1000". */
static Json *state_list(const char *state) {
        _cleanup_free_ char *word = xstrndup(state, strcspn(state, " "));

        return list_of(word);
}

static Json *exit_object(int64_t status, bool over) {
        Json *o = json_object_new_object(), *signal = json_object_new_object();
        int number = (int)(status & 0x7f);
        const char *name = number ? sigabbrev_np(number) : NULL;

        add(o, "status",
                        list_of(!over            ? "PENDING"
                                        : number ? "SIGNALED"
                                        : status ? "ERROR"
                                                 : "SUCCESS"));
        add_count(o, "return_code", over && !number ? status >> 8 & 0xff : -1);
        add_count(signal, "id", number ? number : -1);
        add_text(signal, "name", name);
        add(o, "signal", signal);
        return o;
}

/* ---- TRES ---- */

/* Returns the fixed id of a TRES in Slurm; 0 for the site's own TRES, whose ids are unknown
   here. */
static int64_t tres_id(const char *name) {
        static const char *const names[] = {
                NULL,
                "cpu",
                "mem",
                "energy",
                "node",
                "billing",
                "fs/disk",
                "vmem",
                "pages",
        };

        for (size_t i = 1; i < ELEMENTSOF(names); i++)
                if (streq(names[i], name))
                        return (int64_t)i;
        return 0;
}

static Json *tres_object(const char *name, int64_t count) {
        Json *o = json_object_new_object();
        size_t type = strcspn(name, "/");
        _cleanup_free_ char *kind = xstrndup(name, type);

        add_text(o, "type", kind);
        add_text(o, "name", name[type] ? name + type + 1 : "");
        add_number(o, "id", tres_id(name));
        add_number(o, "count", count);
        return o;
}

/* Converts "cpu=4,mem=8G,gres/gpu=2"; memory in MB. */
static Json *tres_list(const char *tres) {
        _cleanup_free_ char *copy = xstrdup(tres);
        Json *list = json_object_new_array();

        for (char *rest = copy, *name; (name = strsep(&rest, ","));) {
                char *value = strchr(name, '=');
                uint64_t mb;
                if (!value)
                        continue;
                *value++ = 0;
                bool memory = streq(name, "mem") && memory_parse(value, &mb, NULL) >= 0;
                json_object_array_add(list,
                                tres_object(name, memory ? (int64_t)mb : strtoll(value, NULL, 10)));
        }
        return list;
}

/* cpu_ms: milliseconds; negative: unknown. */
static Json *used_list(int64_t cpu_ms, int64_t bytes, const char *node, int64_t task) {
        const int64_t counts[] = { cpu_ms, bytes };
        static const char *const names[] = { "cpu", "mem" };
        Json *list = json_object_new_array();

        for (size_t i = 0; i < ELEMENTSOF(counts); i++) {
                if (counts[i] < 0)
                        continue;
                Json *o = tres_object(names[i], counts[i]);
                if (node) {
                        add_text(o, "node", node);
                        add_number(o, "task", task);
                }
                json_object_array_add(list, o);
        }
        return list;
}

static Json *used_object(const struct sacct_row *row) {
        const EndedStep *step = row->step;
        Json *o = json_object_new_object();
        int64_t tasks = MAX(step->num_tasks, (int64_t)1),
                cpu = row->measured ? (int64_t)((row->user_cpu + row->system_cpu) / USEC_PER_MSEC)
                                    : -1;
        int64_t most = step->max_rss ? step->max_rss : -1, all = step->sum_rss ? step->sum_rss : -1;

        add(o, "max", used_list(-1, most, step->max_rss_node, -1));
        add(o, "min", json_object_new_array());
        add(o, "average",
                        used_list(cpu < 0 ? -1 : cpu / tasks, all < 0 ? -1 : all / tasks, NULL, 0));
        add(o, "total", used_list(cpu, all, NULL, 0));
        return o;
}

/* ---- steps ---- */

/* Adds the uid of the cancelling user; negative: not cancelled. */
static void add_killer(Json *o, int64_t uid) {
        char number[32] = "";

        if (uid >= 0)
                snprintf(number, sizeof number, "%lld", (long long)uid);
        add_text(o, "kill_request_user", number);
}

static void add_times(Json *time, const struct sacct_row *row, usec_t now) {
        add_moment(time, "elapsed", sacct_elapsed(row->e, now));
        add_moment(time, "suspended", row->e->time_suspended);
        add_split(time, "system", row->system_cpu);
        add_split(time, "user", row->user_cpu);
        add_split(time, "total", row->system_cpu + row->user_cpu);
}

static Json *step_time(const struct sacct_row *row, usec_t now) {
        Json *time = json_object_new_object();

        add_times(time, row, now);
        add(time, "start",
                        json_number_object(row->e->time_start != 0, false,
                                        row->e->time_start / USEC_PER_SEC));
        add(time, "end",
                        json_number_object(row->e->time_end != 0, false,
                                        row->e->time_end / USEC_PER_SEC));
        add_count(time, "limit", -1);
        return time;
}

static Json *step_nodes(const EndedStep *step) {
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        Json *o = json_object_new_object(), *list = json_object_new_array();

        if (hostlist_parse(step->nodes, &hosts, NULL) >= 0)
                for (size_t i = 0; i < hostlist_count(hosts); i++)
                        json_object_array_add(list, json_text(hostlist_get(hosts, i)));
        add_number(o, "count", step->num_nodes);
        add_text(o, "range", step->nodes);
        add(o, "list", list);
        return o;
}

static int64_t frequency_number(uint32_t frequency) {
        return frequency ? (int64_t)frequency : -1;
}

static Json *step_cpu(const EndedStep *step) {
        Json *o = json_object_new_object(), *frequency = json_object_new_object();
        struct cpu_freq f;

        (void)cpu_freq_parse(step->cpu_freq, &f, NULL);
        add_count(frequency, "min", frequency_number(f.min));
        add_count(frequency, "max", frequency_number(f.max));
        add(o, "requested_frequency", frequency);
        add_text(o, "governor", cpu_governor_name(f.governor));
        return o;
}

static Json *step_statistics(const EndedStep *step) {
        Json *o = json_object_new_object(), *cpu = json_object_new_object(),
             *energy = json_object_new_object();

        add_number(cpu, "actual_frequency", 0);
        add_count(energy, "consumed", step->consumed_energy);
        add(o, "CPU", cpu);
        add(o, "energy", energy);
        return o;
}

static Json *step_object(const Ended *job, const EndedStep *step, usec_t now, struct scratch *s) {
        Ended e;
        const struct sacct_row row = sacct_step_row(job, step, &e);
        Json *o = json_object_new_object(), *id = json_object_new_object(),
             *tasks = json_object_new_object();
        Json *tres = json_object_new_object(), *task = json_object_new_object();
        const char *by = strstr(step->state, " by ");

        add(o, "time", step_time(&row, now));
        add(o, "exit_code", exit_object(step->exit_code, step->time_end));
        add(o, "nodes", step_nodes(step));
        add_number(tasks, "count", step->num_tasks);
        add(o, "tasks", tasks);
        add_text(o, "pid", "");
        add(o, "CPU", step_cpu(step));
        add_killer(o, by ? strtoll(by + 4, NULL, 10) : -1);
        add(o, "state", state_list(step->state));
        add(o, "statistics", step_statistics(step));
        add_text(id, "id", sacct_row_id(&row, s));
        add_text(id, "name", step->name);
        add(o, "step", id);
        add_text(task, "distribution", "");
        add(o, "task", task);
        add(tres, "requested",
                        used_object(&(struct sacct_row){
                                        .step = &(EndedStep){ .max_rss_node = (char *)"" } }));
        add(tres, "consumed", used_object(&row));
        add(tres, "allocated", tres_list(step->tres_alloc));
        add(o, "tres", tres);
        return o;
}

/* ---- jobs ---- */

static Json *job_time(const struct sacct_row *row, usec_t now) {
        const Ended *e = row->e;
        Json *time = json_object_new_object();

        add_times(time, row, now);
        add_moment(time, "eligible", e->time_eligible);
        add_moment(time, "start", e->time_start);
        add_moment(time, "end", e->time_end);
        add_moment(time, "submission", e->time_queued);
        add_count(time, "planned", (int64_t)(sacct_planned(e, now) / USEC_PER_SEC));
        add(time, "limit",
                        json_number_object(e->time_limit != 0, e->time_limit == NO_LIMIT,
                                        e->time_limit / USEC_PER_SEC / 60));
        return time;
}

static Json *array_object(const Ended *e) {
        Json *o = json_object_new_object(), *limits = json_object_new_object(),
             *max = json_object_new_object();
        Json *running = json_object_new_object();

        add_number(running, "tasks", 0);
        add(max, "running", running);
        add(limits, "max", max);
        add_number(o, "job_id", e->array_job);
        add(o, "limits", limits);
        add_count(o, "task_id", e->array_job ? e->array_task : -1);
        add_text(o, "task", e->array_job && e->array_task < 0 ? e->array_tasks : "");
        return o;
}

static Json *two_texts(const char *key, const char *value, const char *key2, const char *value2) {
        Json *o = json_object_new_object();

        add_text(o, key, value);
        add_text(o, key2, value2);
        return o;
}

/* Adds objects with a few values. */
static void add_small(Json *o, const Ended *e) {
        Json *comment = two_texts("administrator", e->admin_comment, "job", e->comment);
        Json *association = two_texts("account", e->account, "cluster", e->cluster),
             *het = json_object_new_object();
        Json *mcs = json_object_new_object(), *required = json_object_new_object(),
             *reservation = json_object_new_object();
        Json *state = json_object_new_object(), *tres = json_object_new_object(),
             *wckey = json_object_new_object();

        add_text(comment, "system", "");
        add(o, "comment", comment);
        add_text(association, "partition", "");
        add_text(association, "user", e->user);
        add_number(association, "id", 0);
        add(o, "association", association);
        add_number(het, "job_id", e->het_job);
        add_count(het, "job_offset", e->het_job ? e->het_offset : -1);
        add(o, "het", het);
        add_text(mcs, "label", e->mcs_label);
        add(o, "mcs", mcs);
        add_number(required, "CPUs",
                        strncmp(e->tres_req, "cpu=", 4) == 0 ? strtoll(e->tres_req + 4, NULL, 10)
                                                             : 0);
        add_count(required, "memory_per_cpu", e->mem_per_cpu ? e->mem_per_cpu : -1);
        add_count(required, "memory_per_node", e->mem_per_node ? e->mem_per_node : -1);
        add(o, "required", required);
        add_number(reservation, "id", 0);
        add_text(reservation, "name", e->reservation);
        add_text(reservation, "requested", e->reservation);
        add(o, "reservation", reservation);
        add(state, "current", state_list(e->state));
        add_text(state, "reason", e->reason);
        add(o, "state", state);
        add(tres, "allocated", tres_list(e->tres_alloc));
        add(tres, "requested", tres_list(e->tres_req));
        add(o, "tres", tres);
        add_text(wckey, "wckey", e->wckey);
        add(wckey, "flags", json_object_new_array());
        add(o, "wckey", wckey);
}

static void add_texts(Json *o, const Ended *e) {
        const char *const texts[][2] = { { "account", e->account }, { "block", "" },
                { "cluster", e->cluster }, { "constraints", e->features },
                { "container", e->container }, { "extra", e->extra }, { "failed_node", "" },
                { "group", e->group_name }, { "licenses", e->licenses }, { "name", e->name },
                { "nodes", *e->nodes ? e->nodes : "None assigned" }, { "partition", e->partition },
                { "qos", e->qos }, { "qosreq", e->qos_req }, { "script", "" }, { "stdin", "" },
                { "stdout", "" }, { "stderr", "" }, { "stdin_expanded", "" },
                { "stdout_expanded", "" }, { "stderr_expanded", "" },
                { "submit_line", e->submit_line }, { "used_gres", "" }, { "user", e->user },
                { "working_directory", e->work_dir } };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                add_text(o, texts[i][0], texts[i][1]);
}

static Json *flags_list(int64_t starter) {
        static const char *const words[] = {
                "NOT_SET",
                "STARTED_ON_SUBMIT",
                "STARTED_ON_SCHEDULE",
                "STARTED_ON_BACKFILL",
        };
        Json *list = json_object_new_array();
        size_t word = starter > 0 ? (size_t)starter : 0;

        if (word > 0 && word < ELEMENTSOF(words))
                json_object_array_add(list, json_object_new_string(words[word]));
        return list;
}

struct json_object *sacct_json(const struct sacct_row *job, const EndedStep *const *steps,
                size_t n_steps, usec_t now) {
        const Ended *e = job->e;
        Json *o = json_object_new_object(), *list = json_object_new_array();
        struct scratch s = { 0 };

        add_texts(o, e);
        add_small(o, e);
        add_number(o, "job_id", e->job_id);
        add_number(o, "allocation_nodes", e->num_nodes);
        add_number(o, "restart_cnt", e->restarts);
        add_number(o, "segment_size", 0);
        add(o, "hold", json_object_new_boolean(e->priority == 0 && !e->time_start && !e->time_end));
        add_count(o, "priority", e->priority);
        add_killer(o, e->cancelled_by);
        add(o, "array", array_object(e));
        add(o, "derived_exit_code", exit_object(e->derived_exit_code, e->time_end));
        add(o, "exit_code", exit_object(e->exit_code, e->time_end));
        add(o, "time", job_time(job, now));
        add(o, "flags", flags_list(e->started_by));
        for (size_t i = 0; i < n_steps; i++)
                json_object_array_add(list, step_object(e, steps[i], now, &s));
        add(o, "steps", list);
        scratch_done(&s);
        return o;
}
