/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sdiag: counters of the controller, in Slurm's lines as far as Slumber has a counterpart. */
#include "commands/show/sdiag.h"
#include "commands/command.h"
#include "commands/document.h"
#include "commands/json.h"
#include "lib/errors.h"
#include "lib/options.h"
#include "lib/timetext.h"

#include <json-c/json.h>
#include <time.h>

struct sdiag {
        bool all, reset, json, by_id, by_time, by_mean;
        const char *clusters;
};

#define FIELD(name) offsetof(struct sdiag, name)

static const struct option_row rows[] = {
        { "all", 'a', OPTION_FLAG, FIELD(all), NULL, NULL, "all statistics, as it is anyway" },
        OPTION_ROWS_DOCUMENT(FIELD(json), "the statistics"),
        { "reset", 'r', OPTION_FLAG, FIELD(reset), NULL, NULL, "count from now on" },
        OPTION_ROWS_ALL_CLUSTERS(FIELD(clusters)),
        { "sort-by-id", 'i', OPTION_FLAG, FIELD(by_id), NULL, NULL, "requests by their number" },
        { "sort-by-time", 't', OPTION_FLAG, FIELD(by_time), NULL, NULL,
                        "requests by the time that all of a kind took" },
        { "sort-by-time2", 'T', OPTION_FLAG, FIELD(by_mean), NULL, NULL,
                        "requests by the mean time of one" },
        OPTION_ROWS_HELP('h'),
};

static const struct option_table table = {
        .program = "sdiag",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

void sdiag_print_brake(const Slumber__WakeBrake *b) {
        static const char format[] = "%Y-%m-%dT%H:%M:%S";
        char since[TIMETEXT_MAX], next[TIMETEXT_MAX];

        printf("Waking of nodes is stopped since %s (%s): %s\n", time_text(b->since, format, since),
                        b->by, b->cause);
        if (*b->probe)
                printf("\tProbes that failed: %u, under way: %s\n", b->probes, b->probe);
        else
                printf("\tProbes that failed: %u, the next not before %s\n", b->probes,
                                time_text(b->probe_at, format, next));
}

/* Prints a time such as "Sun Nov 22 23:17:38 2026 (1795389458)". */
static void print_moment(const char *before, usec_t at) {
        time_t t = (time_t)(at / USEC_PER_SEC);
        char text[64] = "";
        struct tm tm;

        if (localtime_r(&t, &tm))
                strftime(text, sizeof text, "%a %b %d %H:%M:%S %Y", &tm);
        printf("%s%s (%lld)\n", before, text, (long long)t);
}

static uint64_t mean_of(uint64_t sum, uint64_t n) {
        return n ? sum / n : 0;
}

static uint64_t stats_mean_cycle(const Slumber__StatsReply *m) {
        return mean_of(m->sum_cycle, m->cycles);
}

static uint64_t stats_minutes(const Slumber__StatsReply *m) {
        return m->now > m->since ? (m->now - m->since) / (60 * USEC_PER_SEC) : 0;
}

static void sdiag_print_count(const char *name, uint64_t n) {
        printf("%s%llu\n", name, (unsigned long long)n);
}

/* ---- requests ---- */

static int call_compare_count(const void *a, const void *b) {
        const Slumber__CallStats *x = *(Slumber__CallStats *const *)a,
                                 *y = *(Slumber__CallStats *const *)b;

        return x->count != y->count ? (x->count > y->count ? -1 : 1)
                                    : (x->number > y->number) - (x->number < y->number);
}

static int call_compare_id(const void *a, const void *b) {
        const Slumber__CallStats *x = *(Slumber__CallStats *const *)a,
                                 *y = *(Slumber__CallStats *const *)b;

        return (x->number > y->number) - (x->number < y->number);
}

static int call_compare_time(const void *a, const void *b) {
        const Slumber__CallStats *x = *(Slumber__CallStats *const *)a,
                                 *y = *(Slumber__CallStats *const *)b;

        return (x->time < y->time) - (x->time > y->time);
}

/* Returns the mean time of a request type; a counted type has at least one request. */
static uint64_t mean_time(const Slumber__CallStats *c) {
        return c->time / MAX(c->count, (uint64_t)1);
}

static int call_compare_mean(const void *a, const void *b) {
        uint64_t x = mean_time(*(Slumber__CallStats *const *)a),
                 y = mean_time(*(Slumber__CallStats *const *)b);

        return (x < y) - (x > y);
}

static void sort_calls(const struct sdiag *s, Slumber__CallStats **calls, size_t n) {
        list_sort(calls, n, sizeof calls[0],
                        s->by_id     ? call_compare_id
                        : s->by_time ? call_compare_time
                        : s->by_mean ? call_compare_mean
                                     : call_compare_count);
}

static void print_calls(Slumber__CallStats *const *calls, size_t n, int width, int number_width) {
        for (size_t i = 0; i < n; i++) {
                const Slumber__CallStats *c = calls[i];
                char number[16];

                snprintf(number, sizeof number, "%u", c->number);
                printf("\t%-*s (%*s) count:%-6llu ave_time:%-6llu total_time:%llu\n", width,
                                *c->name ? c->name : number, number_width, number,
                                (unsigned long long)c->count, (unsigned long long)mean_time(c),
                                (unsigned long long)c->time);
        }
}

static void print_main(const Slumber__StatsReply *m) {
        puts("\nMain schedule statistics (microseconds):");
        sdiag_print_count("\tLast cycle:   ", m->last_cycle);
        sdiag_print_count("\tMax cycle:    ", m->max_cycle);
        sdiag_print_count("\tTotal cycles: ", m->cycles);
        if (m->cycles) {
                sdiag_print_count("\tMean cycle:   ", stats_mean_cycle(m));
                sdiag_print_count("\tMean depth cycle:  ", mean_of(m->depth, m->cycles));
        }
        if (stats_minutes(m))
                sdiag_print_count("\tCycles per minute: ", m->cycles / stats_minutes(m));
        sdiag_print_count("\tLast queue length: ", m->queue);
}

static void sdiag_print_plan(const Slumber__StatsReply *m) {
        static const Slumber__PlanStats none = SLUMBER__PLAN_STATS__INIT;
        const Slumber__PlanStats *p = m->plan ? m->plan : &none;

        puts("\nBackfilling stats");
        sdiag_print_count("\tTotal backfilled jobs (since last slurm start): ",
                        m->backfilled_in_all);
        sdiag_print_count("\tTotal backfilled jobs (since last stats cycle start): ",
                        m->backfilled);
        /* not counted separately */
        sdiag_print_count("\tTotal backfilled heterogeneous job components: ", 0);
        sdiag_print_count("\tTotal cycles: ", p->cycles);
        if (p->when)
                print_moment("\tLast cycle when: ", p->when);
        else
                puts("\tLast cycle when: N/A");
        sdiag_print_count("\tLast cycle: ", p->last_cycle);
        sdiag_print_count("\tMax cycle:  ", p->max_cycle);
        if (p->cycles)
                sdiag_print_count("\tMean cycle: ", mean_of(p->sum_cycle, p->cycles));
        sdiag_print_count("\tLast depth cycle: ", p->last_depth);
        sdiag_print_count("\tLast depth cycle (try sched): ", p->last_tried);
        if (p->cycles) {
                sdiag_print_count("\tDepth Mean: ", mean_of(p->sum_depth, p->cycles));
                sdiag_print_count("\tDepth Mean (try depth): ", mean_of(p->sum_tried, p->cycles));
        }
        sdiag_print_count("\tLast queue length: ", p->last_queue);
        if (p->cycles)
                sdiag_print_count("\tQueue length mean: ", mean_of(p->sum_queue, p->cycles));
        sdiag_print_count("\tLast table size: ", p->last_table);
        if (p->cycles)
                sdiag_print_count("\tMean table size: ", mean_of(p->sum_table, p->cycles));
}

static void sdiag_print_text(const Slumber__StatsReply *m) {
        static const char rule[] = "*******************************************************";

        puts(rule);
        print_moment("sdiag output at ", m->now);
        print_moment("Data since      ", m->since);
        puts(rule);
        sdiag_print_count("Server thread count:  ", m->connections);
        sdiag_print_count("Agent queue size:     ", m->agent_queue);
        sdiag_print_count("Agent count:          ", m->agents);
        sdiag_print_count("Agent thread count:   ", 0); /* a single event loop serves all agents */
        sdiag_print_count("DBD Agent queue size: ", m->accounting_queue);
        sdiag_print_count("\nJobs submitted: ", m->submitted);
        sdiag_print_count("Jobs started:   ", m->started);
        sdiag_print_count("Jobs completed: ", m->completed);
        sdiag_print_count("Jobs canceled:  ", m->cancelled);
        sdiag_print_count("Jobs failed:    ", m->failed);
        print_moment("\nJob states ts:  ", m->now);
        sdiag_print_count("Jobs pending:   ", m->pending);
        sdiag_print_count("Jobs running:   ", m->running);
        print_main(m);
        sdiag_print_plan(m);
        printf("\nLatency for 1000 calls to gettimeofday(): %llu microseconds\n",
                        (unsigned long long)m->clock_time);
        if (m->brake) {
                puts("\nPower saving");
                sdiag_print_brake(m->brake);
        }
        puts("\nRemote Procedure Call statistics by message type");
        print_calls(m->by_type, m->n_by_type, 39, 5);
        puts("\nRemote Procedure Call statistics by user");
        print_calls(m->by_user, m->n_by_user, 15, 8);
        puts("\nPending RPC statistics");
        if (m->agent_queue)
                sdiag_print_count("\tAgents that have not taken all that was sent to them: ",
                                m->agent_queue);
        else
                puts("\tNo pending RPCs");
}

static struct json_object *moment_object(usec_t at) {
        return json_number_object(true, false, at / USEC_PER_SEC);
}

static struct json_object *brake_object(const Slumber__WakeBrake *b) {
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "reason", json_object_new_string(b->by));
        json_object_object_add(o, "cause", json_object_new_string(b->cause));
        json_object_object_add(o, "since", moment_object(b->since));
        json_object_object_add(o, "probes_failed", json_object_new_int64(b->probes));
        json_object_object_add(o, "probe", json_object_new_string(b->probe));
        json_object_object_add(o, "next_probe", moment_object(b->probe_at));
        return o;
}

static struct json_object *calls_object(Slumber__CallStats *const *calls, size_t n,
                const char *name, const char *number) {
        struct json_object *list = json_object_new_array();

        for (size_t i = 0; i < n; i++) {
                struct json_object *o = json_object_new_object();

                json_object_object_add(o, name, json_object_new_string(calls[i]->name));
                json_object_object_add(o, number, json_object_new_int64(calls[i]->number));
                json_object_object_add(o, "count", json_object_new_int64((int64_t)calls[i]->count));
                json_object_object_add(o, "average_time",
                                json_number_object(true, false, mean_time(calls[i])));
                json_object_object_add(o, "total_time",
                                json_object_new_int64((int64_t)calls[i]->time));
                json_object_array_add(list, o);
        }
        return list;
}

struct number {
        const char *key;
        uint64_t value;
};

static void object_add_all_numbers(struct json_object *o, const struct number *numbers, size_t n) {
        for (size_t i = 0; i < n; i++)
                json_object_object_add(o, numbers[i].key,
                                json_object_new_int64((int64_t)numbers[i].value));
}

static void sdiag_add_numbers(struct json_object *o, const Slumber__StatsReply *m) {
        const struct number numbers[] = {
                { "server_thread_count", m->connections },
                { "agent_queue_size", m->agent_queue },
                { "agent_count", m->agents },
                { "dbd_agent_queue_size", m->accounting_queue },
                { "jobs_submitted", m->submitted },
                { "jobs_started", m->started },
                { "jobs_completed", m->completed },
                { "jobs_canceled", m->cancelled },
                { "jobs_failed", m->failed },
                { "jobs_pending", m->pending },
                { "jobs_running", m->running },
                { "schedule_cycle_last", m->last_cycle },
                { "schedule_cycle_max", m->max_cycle },
                { "schedule_cycle_total", m->cycles },
                { "schedule_cycle_mean", stats_mean_cycle(m) },
                { "schedule_cycle_per_minute",
                                stats_minutes(m) ? m->cycles / stats_minutes(m) : 0 },
                { "schedule_queue_length", m->queue },
                { "bf_backfilled_jobs", m->backfilled_in_all },
                { "bf_last_backfilled_jobs", m->backfilled },
                { "agent_thread_count", 0 },
                { "gettimeofday_latency", m->clock_time },
                { "schedule_cycle_depth", m->depth },
                { "schedule_cycle_mean_depth", mean_of(m->depth, m->cycles) },
                { "bf_backfilled_het_jobs", 0 },
        };

        object_add_all_numbers(o, numbers, ELEMENTSOF(numbers));
}

static void add_plan_numbers(struct json_object *o, const Slumber__PlanStats *p) {
        const struct number numbers[] = {
                { "bf_cycle_counter", p->cycles },
                { "bf_cycle_last", p->last_cycle },
                { "bf_cycle_max", p->max_cycle },
                { "bf_cycle_sum", p->sum_cycle },
                { "bf_cycle_mean", mean_of(p->sum_cycle, p->cycles) },
                { "bf_last_depth", p->last_depth },
                { "bf_last_depth_try", p->last_tried },
                { "bf_depth_sum", p->sum_depth },
                { "bf_depth_try_sum", p->sum_tried },
                { "bf_depth_mean", mean_of(p->sum_depth, p->cycles) },
                { "bf_depth_mean_try", mean_of(p->sum_tried, p->cycles) },
                { "bf_queue_len", p->last_queue },
                { "bf_queue_len_sum", p->sum_queue },
                { "bf_queue_len_mean", mean_of(p->sum_queue, p->cycles) },
                { "bf_table_size", p->last_table },
                { "bf_table_size_sum", p->sum_table },
                { "bf_table_size_mean", mean_of(p->sum_table, p->cycles) },
        };

        object_add_all_numbers(o, numbers, ELEMENTSOF(numbers));
}

static void sdiag_print_json(const Slumber__StatsReply *m) {
        static const Slumber__PlanStats none = SLUMBER__PLAN_STATS__INIT;
        const Slumber__PlanStats *p = m->plan ? m->plan : &none;
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "req_time", moment_object(m->now));
        json_object_object_add(o, "req_time_start", moment_object(m->since));
        json_object_object_add(o, "job_states_ts", moment_object(m->now));
        json_object_object_add(o, "bf_when_last_cycle", moment_object(p->when));
        sdiag_add_numbers(o, m);
        add_plan_numbers(o, p);
        json_object_object_add(o, "rpcs_by_message_type",
                        calls_object(m->by_type, m->n_by_type, "message_type", "type_id"));
        json_object_object_add(o, "rpcs_by_user",
                        calls_object(m->by_user, m->n_by_user, "user", "user_id"));
        if (m->brake)
                json_object_object_add(o, "waking_stopped", brake_object(m->brake));
        json_print_object("statistics", o, m->now, stdout);
}

int sdiag_ask(bool reset, Envelope **ret, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__StatsQuery query = SLUMBER__STATS_QUERY__INIT;
        uint32_t code = SLUMBER_OK;
        int r = command_connect(&w, fail);

        query.reset = reset;
        ENVELOPE(envelope, STATS_QUERY, stats_query, &query);
        return r < 0 ? r : wire_call(w, &envelope, ret, &code, fail);
}

static int sdiag_print_cluster(const struct sdiag *s) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        if (sdiag_ask(s->reset, &reply, &fail) < 0) {
                fprintf(stderr, "%s: %s\n",
                                s->reset ? "slurm_reset_statistics" : "slurm_get_statistics",
                                fail.text);
                return EXIT_FAILURE;
        }
        if (s->reset)
                puts("Reset scheduling statistics");
        else if (reply->body_case != SLUMBER__ENVELOPE__BODY_STATS_REPLY)
                command_error("sdiag", "%s", slumber_error_text(SLUMBER_PROTOCOL));
        else {
                sort_calls(s, reply->stats_reply->by_type, reply->stats_reply->n_by_type);
                sort_calls(s, reply->stats_reply->by_user, reply->stats_reply->n_by_user);
                (s->json ? sdiag_print_json : sdiag_print_text)(reply->stats_reply);
        }
        return s->reset || reply->body_case == SLUMBER__ENVELOPE__BODY_STATS_REPLY ? EXIT_SUCCESS
                                                                                   : EXIT_FAILURE;
}

struct each {
        const struct sdiag *s;
        const struct clusters *c;
};

static int sdiag_run_in_cluster(void *user, size_t at) {
        const struct each *e = user;

        if (e->c->n > 1)
                command_cluster_heading(e->c, at);
        return sdiag_print_cluster(e->s);
}

static int sdiag_run(const struct sdiag *s) {
        _cleanup_(command_clusters_done) struct clusters clusters = { 0 };
        struct each each = { s, &clusters };

        if (command_clusters_to_show("sdiag", s->clusters, &clusters) < 0)
                return EXIT_FAILURE;
        if (s->json && clusters.n > 1) {
                command_error("sdiag", "--json shows one cluster at a time");
                return EXIT_FAILURE;
        }
        return command_at_once(&clusters, sdiag_run_in_cluster, &each);
}

int sdiag_main(int argc, char **argv) {
        struct sdiag s = { 0 };
        int first, r = options_parse(&table, argc, argv, &s, &first);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (first < argc) {
                command_error("sdiag", "Unrecognized option: %s", argv[first]);
                return EXIT_FAILURE;
        }
        return sdiag_run(&s);
}
