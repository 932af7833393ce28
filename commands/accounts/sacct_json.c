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

static void object_add(Json *o, const char *key, Json *value) {
        json_object_object_add(o, key, value);
}

static void object_add_text(Json *o, const char *key, const char *s) {
        object_add(o, key, json_text(s));
}

static void object_add_number(Json *o, const char *key, int64_t n) {
        object_add(o, key, json_object_new_int64(n));
}

/* Adds Slurm's number object; negative: not set. */
static void object_add_count(Json *o, const char *key, int64_t n) {
        object_add(o, key, json_number_object(n >= 0, false, (uint64_t)n));
}

static void object_add_moment(Json *o, const char *key, usec_t t) {
        object_add_number(o, key, (int64_t)(t / USEC_PER_SEC));
}

static void object_add_split(Json *o, const char *key, usec_t t) {
        Json *split = json_object_new_object();

        object_add_number(split, "seconds", (int64_t)(t / USEC_PER_SEC));
        object_add_number(split, "microseconds", (int64_t)(t % USEC_PER_SEC));
        object_add(o, key, split);
}

static Json *single_word_list(const char *word) {
        Json *list = json_object_new_array();

        if (!isempty(word))
                json_object_array_add(list, json_text(word));
        return list;
}

/* Removes the uid of "CANCELLED by 1000". */
static Json *state_list(const char *state) {
        _cleanup_free_ char *word = xstrndup(state, strcspn(state, " "));

        return single_word_list(word);
}

static Json *exit_object(int64_t status, bool over) {
        Json *o = json_object_new_object(), *signal = json_object_new_object();
        int number = (int)(status & 0x7f);
        const char *name = number ? sigabbrev_np(number) : NULL;

        object_add(o, "status",
                        single_word_list(!over    ? "PENDING"
                                         : number ? "SIGNALED"
                                         : status ? "ERROR"
                                                  : "SUCCESS"));
        object_add_count(o, "return_code", over && !number ? status >> 8 & 0xff : -1);
        object_add_count(signal, "id", number ? number : -1);
        object_add_text(signal, "name", name);
        object_add(o, "signal", signal);
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

        object_add_text(o, "type", kind);
        object_add_text(o, "name", name[type] ? name + type + 1 : "");
        object_add_number(o, "id", tres_id(name));
        object_add_number(o, "count", count);
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
                        object_add_text(o, "node", node);
                        object_add_number(o, "task", task);
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

        object_add(o, "max", used_list(-1, most, step->max_rss_node, -1));
        object_add(o, "min", json_object_new_array());
        object_add(o, "average",
                        used_list(cpu < 0 ? -1 : cpu / tasks, all < 0 ? -1 : all / tasks, NULL, 0));
        object_add(o, "total", used_list(cpu, all, NULL, 0));
        return o;
}

/* ---- steps ---- */

/* Adds the uid of the cancelling user; negative: not cancelled. */
static void add_killer(Json *o, int64_t uid) {
        char number[32] = "";

        if (uid >= 0)
                snprintf(number, sizeof number, "%lld", (long long)uid);
        object_add_text(o, "kill_request_user", number);
}

static void add_times(Json *time, const struct sacct_row *row, usec_t now) {
        object_add_moment(time, "elapsed", sacct_elapsed(row->e, now));
        object_add_moment(time, "suspended", row->e->time_suspended);
        object_add_split(time, "system", row->system_cpu);
        object_add_split(time, "user", row->user_cpu);
        object_add_split(time, "total", row->system_cpu + row->user_cpu);
}

static Json *step_time(const struct sacct_row *row, usec_t now) {
        Json *time = json_object_new_object();

        add_times(time, row, now);
        object_add(time, "start",
                        json_number_object(row->e->time_start != 0, false,
                                        row->e->time_start / USEC_PER_SEC));
        object_add(time, "end",
                        json_number_object(row->e->time_end != 0, false,
                                        row->e->time_end / USEC_PER_SEC));
        object_add_count(time, "limit", -1);
        return time;
}

static Json *step_nodes_object(const EndedStep *step) {
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        Json *o = json_object_new_object(), *list = json_object_new_array();

        if (hostlist_parse(step->nodes, &hosts, NULL) >= 0)
                for (size_t i = 0; i < hostlist_count(hosts); i++)
                        json_object_array_add(list, json_text(hostlist_get(hosts, i)));
        object_add_number(o, "count", step->num_nodes);
        object_add_text(o, "range", step->nodes);
        object_add(o, "list", list);
        return o;
}

static int64_t frequency_number(uint32_t frequency) {
        return frequency ? (int64_t)frequency : -1;
}

static Json *step_cpu(const EndedStep *step) {
        Json *o = json_object_new_object(), *frequency = json_object_new_object();
        struct cpu_freq f;

        (void)cpu_freq_parse(step->cpu_freq, &f, NULL);
        object_add_count(frequency, "min", frequency_number(f.min));
        object_add_count(frequency, "max", frequency_number(f.max));
        object_add(o, "requested_frequency", frequency);
        object_add_text(o, "governor", cpu_governor_name(f.governor));
        return o;
}

static Json *step_statistics(const EndedStep *step) {
        Json *o = json_object_new_object(), *cpu = json_object_new_object(),
             *energy = json_object_new_object();

        object_add_number(cpu, "actual_frequency", 0);
        object_add_count(energy, "consumed", step->consumed_energy);
        object_add(o, "CPU", cpu);
        object_add(o, "energy", energy);
        return o;
}

static Json *step_object(const Ended *job, const EndedStep *step, usec_t now, struct scratch *s) {
        Ended e;
        const struct sacct_row row = sacct_step_row(job, step, &e);
        Json *o = json_object_new_object(), *id = json_object_new_object(),
             *tasks = json_object_new_object();
        Json *tres = json_object_new_object(), *task = json_object_new_object();
        const char *by = strstr(step->state, " by ");

        object_add(o, "time", step_time(&row, now));
        object_add(o, "exit_code", exit_object(step->exit_code, step->time_end));
        object_add(o, "nodes", step_nodes_object(step));
        object_add_number(tasks, "count", step->num_tasks);
        object_add(o, "tasks", tasks);
        object_add_text(o, "pid", "");
        object_add(o, "CPU", step_cpu(step));
        add_killer(o, by ? strtoll(by + 4, NULL, 10) : -1);
        object_add(o, "state", state_list(step->state));
        object_add(o, "statistics", step_statistics(step));
        object_add_text(id, "id", sacct_row_id(&row, s));
        object_add_text(id, "name", step->name);
        object_add(o, "step", id);
        object_add_text(task, "distribution", "");
        object_add(o, "task", task);
        object_add(tres, "requested",
                        used_object(&(struct sacct_row){
                                        .step = &(EndedStep){ .max_rss_node = (char *)"" } }));
        object_add(tres, "consumed", used_object(&row));
        object_add(tres, "allocated", tres_list(step->tres_alloc));
        object_add(o, "tres", tres);
        return o;
}

/* ---- jobs ---- */

static Json *job_time(const struct sacct_row *row, usec_t now) {
        const Ended *e = row->e;
        Json *time = json_object_new_object();

        add_times(time, row, now);
        object_add_moment(time, "eligible", e->time_eligible);
        object_add_moment(time, "start", e->time_start);
        object_add_moment(time, "end", e->time_end);
        object_add_moment(time, "submission", e->time_queued);
        object_add_count(time, "planned", (int64_t)(sacct_planned(e, now) / USEC_PER_SEC));
        object_add(time, "limit",
                        json_number_object(e->time_limit != 0, e->time_limit == NO_LIMIT,
                                        e->time_limit / USEC_PER_SEC / 60));
        return time;
}

static Json *array_object(const Ended *e) {
        Json *o = json_object_new_object(), *limits = json_object_new_object(),
             *max = json_object_new_object();
        Json *running = json_object_new_object();

        object_add_number(running, "tasks", 0);
        object_add(max, "running", running);
        object_add(limits, "max", max);
        object_add_number(o, "job_id", e->array_job);
        object_add(o, "limits", limits);
        object_add_count(o, "task_id", e->array_job ? e->array_task : -1);
        object_add_text(o, "task", e->array_job && e->array_task < 0 ? e->array_tasks : "");
        return o;
}

static Json *two_texts(const char *key, const char *value, const char *key2, const char *value2) {
        Json *o = json_object_new_object();

        object_add_text(o, key, value);
        object_add_text(o, key2, value2);
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

        object_add_text(comment, "system", "");
        object_add(o, "comment", comment);
        object_add_text(association, "partition", "");
        object_add_text(association, "user", e->user);
        object_add_number(association, "id", 0);
        object_add(o, "association", association);
        object_add_number(het, "job_id", e->het_job);
        object_add_count(het, "job_offset", e->het_job ? e->het_offset : -1);
        object_add(o, "het", het);
        object_add_text(mcs, "label", e->mcs_label);
        object_add(o, "mcs", mcs);
        object_add_number(required, "CPUs",
                        strncmp(e->tres_req, "cpu=", 4) == 0 ? strtoll(e->tres_req + 4, NULL, 10)
                                                             : 0);
        object_add_count(required, "memory_per_cpu", e->mem_per_cpu ? e->mem_per_cpu : -1);
        object_add_count(required, "memory_per_node", e->mem_per_node ? e->mem_per_node : -1);
        object_add(o, "required", required);
        object_add_number(reservation, "id", 0);
        object_add_text(reservation, "name", e->reservation);
        object_add_text(reservation, "requested", e->reservation);
        object_add(o, "reservation", reservation);
        object_add(state, "current", state_list(e->state));
        object_add_text(state, "reason", e->reason);
        object_add(o, "state", state);
        object_add(tres, "allocated", tres_list(e->tres_alloc));
        object_add(tres, "requested", tres_list(e->tres_req));
        object_add(o, "tres", tres);
        object_add_text(wckey, "wckey", e->wckey);
        object_add(wckey, "flags", json_object_new_array());
        object_add(o, "wckey", wckey);
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
                object_add_text(o, texts[i][0], texts[i][1]);
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
        object_add_number(o, "job_id", e->job_id);
        object_add_number(o, "allocation_nodes", e->num_nodes);
        object_add_number(o, "restart_cnt", e->restarts);
        object_add_number(o, "segment_size", 0);
        object_add(o, "hold",
                        json_object_new_boolean(
                                        e->priority == 0 && !e->time_start && !e->time_end));
        object_add_count(o, "priority", e->priority);
        add_killer(o, e->cancelled_by);
        object_add(o, "array", array_object(e));
        object_add(o, "derived_exit_code", exit_object(e->derived_exit_code, e->time_end));
        object_add(o, "exit_code", exit_object(e->exit_code, e->time_end));
        object_add(o, "time", job_time(job, now));
        object_add(o, "flags", flags_list(e->started_by));
        for (size_t i = 0; i < n_steps; i++)
                json_object_array_add(list, step_object(e, steps[i], now, &s));
        object_add(o, "steps", list);
        scratch_done(&s);
        return o;
}
