/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol power plan [NODES] [hours=N] [--with KEY=VALUE,...]: prints the actions of power saving,
 * computed by the controller on a copy of the cluster. Nothing is switched. */
#include "commands/json.h"
#include "commands/scontrol/scontrol.h"
#include "commands/setting.h"
#include "lib/errors.h"
#include "lib/timetext.h"
#include "lib/wire.h"

#include <json-c/json.h>
#include <stdarg.h>
#include <strings.h>
#include <time.h>

#define SETTINGS_MAX 100
#define HOURS_MAX    168

struct request {
        Slumber__PlanRequest m;
        Slumber__KeyValue values[SETTINGS_MAX], *pointers[SETTINGS_MAX];
        char *texts[SETTINGS_MAX]; /* changed copies; values point into the texts */
};

/* ---- the request ---- */

/* Returns the comma before the next KEY=; NULL if none. A comma inside brackets, or before
   anything but KEY=, belongs to the value ("SuspendExcNodes=n1,n[3,5],SuspendRate=10"). */
static char *next_setting(char *p) {
        int depth = 0;

        for (; *p; p++) {
                depth += (*p == '[') - (*p == ']');
                if (*p != ',' || depth > 0)
                        continue;
                size_t n = strcspn(p + 1, ",=[");
                if (p[1 + n] == '=')
                        return p;
        }
        return NULL;
}

/* text is cut into pieces. */
static int add_settings(const struct scontrol *s, struct request *rq, char *text) {
        for (char *p = text, *end; p; p = end) {
                end = next_setting(p);
                if (end)
                        *end++ = 0;
                char *equals = strchr(p, '=');
                if (!equals || equals == p)
                        return scontrol_refuse("--with %s: KEY=VALUE is expected", p);
                if (rq->m.n_settings == SETTINGS_MAX)
                        return scontrol_refuse("--with: more than %d settings", SETTINGS_MAX);
                *equals = 0;
                Slumber__KeyValue *kv = &rq->values[rq->m.n_settings];
                slumber__key_value__init(kv);
                kv->key = p;
                kv->value = equals + 1;
                rq->pointers[rq->m.n_settings++] = kv;
        }
        return EXIT_SUCCESS;
}

static int plan_parse_word(const struct scontrol *s, struct request *rq, char *word) {
        struct setting setting;
        uint64_t hours;

        if (!strchr(word, '=')) {
                if (*rq->m.nodes)
                        return scontrol_refuse(
                                        "invalid argument for power plan: %s (nodes are given already: %s)",
                                        word, rq->m.nodes);
                rq->m.nodes = word;
                return EXIT_SUCCESS;
        }
        _cleanup_free_ char *whole = xstrdup(word);
        if (setting_parse(word, &setting) < 0 || !setting_is(&setting, "hours", 1))
                return scontrol_refuse(
                                "invalid argument for power plan: %s (NODES or hours=N is expected; settings follow --with)",
                                whole);
        if (uint_parse(setting.value, 1, HOURS_MAX, &hours) < 0)
                return scontrol_refuse("hours=%s: a number from 1 to %d is expected", setting.value,
                                HOURS_MAX);
        rq->m.horizon = hours * 3600 * USEC_PER_SEC;
        return EXIT_SUCCESS;
}

static int make_request(const struct scontrol *s, int argc, char **argv, struct request *rq) {
        slumber__plan_request__init(&rq->m);
        rq->m.horizon = 3600 * USEC_PER_SEC;
        rq->m.settings = rq->pointers;
        for (int i = 1; i < argc; i++)
                if (plan_parse_word(s, rq, argv[i]) != EXIT_SUCCESS)
                        return EXIT_FAILURE;
        for (size_t i = 0; i < s->with.n; i++) {
                rq->texts[i] = xstrdup(s->with.texts[i]);
                if (add_settings(s, rq, rq->texts[i]) != EXIT_SUCCESS)
                        return EXIT_FAILURE;
        }
        return EXIT_SUCCESS;
}

/* ---- the answer as text ---- */

/* Formats a time of day; adds the date if not on start's day. */
static const char *plan_clock_text(usec_t t, usec_t start, char buf[TIMETEXT_MAX]) {
        time_t at = (time_t)(t / USEC_PER_SEC), from = (time_t)(start / USEC_PER_SEC);
        struct tm tm, first;

        localtime_r(&at, &tm);
        localtime_r(&from, &first);
        bool same = tm.tm_yday == first.tm_yday && tm.tm_year == first.tm_year;
        (void)strftime(buf, TIMETEXT_MAX, same ? "%H:%M:%S" : "%Y-%m-%dT%H:%M:%S", &tm);
        return buf;
}

static double usec_to_hours(usec_t t) {
        return (double)t / (double)(3600 * USEC_PER_SEC);
}

static void print_lines(const Slumber__PlanReply *p, FILE *out) {
        char from[TIMETEXT_MAX], until[TIMETEXT_MAX];

        for (size_t i = 0; i < p->n_lines; i++) {
                const Slumber__PlanLine *l = p->lines[i];
                bool long_one = l->until / USEC_PER_SEC != l->from / USEC_PER_SEC;

                fprintf(out, "%s%s%s %s %s (%s)\n", plan_clock_text(l->from, p->start, from),
                                long_one ? "-" : "",
                                long_one ? plan_clock_text(l->until, p->start, until) : "",
                                l->action, l->nodes, l->why);
        }
        if (p->left_out)
                fprintf(out, "... and %u more: name fewer nodes or hours to see them\n",
                                p->left_out);
        if (p->n_lines == 0)
                fprintf(out, "Nothing would be switched.\n");
}

static void print_totals(const char *title, const Slumber__PlanTotals *t, FILE *out) {
        if (!t)
                return;
        fprintf(out, "%s: %u of %u nodes on now, %u at the end; %.1f node-hours on; %u switched off, %u switched on",
                        title, t->on_at_start, t->nodes, t->on_at_end, usec_to_hours(t->on),
                        t->suspends, t->resumes);
        if (t->failures)
                fprintf(out, ", %u boots fail", t->failures);
        fputc('\n', out);
}

/* Prints the actions before the totals. */
static void plan_print_text(const Slumber__PlanReply *p, const struct request *rq, FILE *out) {
        char start[TIMETEXT_MAX], end[TIMETEXT_MAX];

        fprintf(out, "From %s to %s", time_text(p->start, NULL, start),
                        time_text(p->end, NULL, end));
        for (size_t i = 0; i < rq->m.n_settings; i++)
                fprintf(out, "%s%s=%s", i ? ", " : " with ", rq->values[i].key,
                                rq->values[i].value);
        fputc('\n', out);
        if (*p->off_because)
                fprintf(out, "Power saving is off: %s\n", p->off_because);
        print_lines(p, out);
        for (size_t i = 0; i < p->n_awake; i++)
                fprintf(out, "Always on: %s (%s)\n", p->awake[i]->nodes, p->awake[i]->why);
        print_totals("In all", p->totals, out);
        print_totals("Unchanged", p->unchanged, out);
        fprintf(out, "Assumed: no new jobs; those that run end at their time limits");
        if (p->endless_jobs)
                fprintf(out, ", %u without one go on", p->endless_jobs);
        if (p->guessed_boots)
                fprintf(out, "; %u nodes of unknown boot time take ResumeTimeout to boot",
                                p->guessed_boots);
        fputc('\n', out);
}

/* ---- the answer as JSON: times in seconds since 1970 ---- */

static void plan_put_number(struct json_object *o, const char *key, uint64_t value) {
        json_object_object_add(o, key, json_object_new_int64((int64_t)value));
}

static void plan_put_text(struct json_object *o, const char *key, const char *value) {
        json_object_object_add(o, key, json_object_new_string(value));
}

static struct json_object *totals_object(const Slumber__PlanTotals *t) {
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "node_hours_on", json_object_new_double(usec_to_hours(t->on)));
        plan_put_number(o, "nodes", t->nodes);
        plan_put_number(o, "on_at_start", t->on_at_start);
        plan_put_number(o, "on_at_end", t->on_at_end);
        plan_put_number(o, "suspends", t->suspends);
        plan_put_number(o, "resumes", t->resumes);
        plan_put_number(o, "boot_failures", t->failures);
        return o;
}

static struct json_object *line_object(const Slumber__PlanLine *l) {
        struct json_object *o = json_object_new_object();

        plan_put_number(o, "from", l->from / USEC_PER_SEC);
        plan_put_number(o, "until", l->until / USEC_PER_SEC);
        plan_put_text(o, "action", l->action);
        plan_put_text(o, "nodes", l->nodes);
        plan_put_number(o, "node_count", l->node_count);
        if (l->job_id)
                plan_put_number(o, "job_id", l->job_id);
        plan_put_text(o, "why", l->why);
        return o;
}

static void plan_print_json(const Slumber__PlanReply *p, const struct request *rq, FILE *out) {
        struct json_object *o = json_object_new_object(), *with = json_object_new_object();
        struct json_object *lines = json_object_new_array(), *awake = json_object_new_array();

        plan_put_number(o, "start", p->start / USEC_PER_SEC);
        plan_put_number(o, "end", p->end / USEC_PER_SEC);
        for (size_t i = 0; i < rq->m.n_settings; i++)
                plan_put_text(with, rq->values[i].key, rq->values[i].value);
        json_object_object_add(o, "with", with);
        json_object_object_add(o, "off_because",
                        *p->off_because ? json_object_new_string(p->off_because) : NULL);
        for (size_t i = 0; i < p->n_lines; i++)
                json_object_array_add(lines, line_object(p->lines[i]));
        json_object_object_add(o, "decisions", lines);
        plan_put_number(o, "decisions_left_out", p->left_out);
        for (size_t i = 0; i < p->n_awake; i++) {
                struct json_object *a = json_object_new_object();
                plan_put_text(a, "nodes", p->awake[i]->nodes);
                plan_put_number(a, "node_count", p->awake[i]->node_count);
                plan_put_text(a, "why", p->awake[i]->why);
                json_object_array_add(awake, a);
        }
        json_object_object_add(o, "always_on", awake);
        json_object_object_add(o, "totals", p->totals ? totals_object(p->totals) : NULL);
        json_object_object_add(o, "unchanged", p->unchanged ? totals_object(p->unchanged) : NULL);
        plan_put_number(o, "jobs_without_limit", p->endless_jobs);
        plan_put_number(o, "nodes_of_unknown_boot_time", p->guessed_boots);
        json_print_object("plan", o, p->start, out);
}

/* ---- the verb ---- */

static int plan_send_request(const struct scontrol *s, struct request *rq) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        ENVELOPE(envelope, PLAN, plan, &rq->m);
        int r = command_connect(&w, &fail);
        if (r >= 0)
                r = wire_call(w, &envelope, &reply, NULL, &fail);
        if (r < 0)
                return scontrol_refuse("scontrol_power_plan error: %s", fail.text);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_PLAN_REPLY)
                return scontrol_refuse(
                                "scontrol_power_plan error: the controller sent an unexpected answer");
        if (s->json)
                plan_print_json(reply->plan_reply, rq, stdout);
        else
                plan_print_text(reply->plan_reply, rq, stdout);
        return EXIT_SUCCESS;
}

int scontrol_power_plan(const struct scontrol *s, int argc, char **argv) {
        _cleanup_free_ struct request *rq = xnew0(struct request, 1);
        int rc = make_request(s, argc, argv, rq);

        if (rc == EXIT_SUCCESS)
                rc = plan_send_request(s, rq);
        for (size_t i = 0; i < ELEMENTSOF(rq->texts); i++)
                free(rq->texts[i]);
        return rc;
}
