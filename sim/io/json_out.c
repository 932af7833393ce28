/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes JSON directly: a hundred thousand jobs are not built in memory first. */
#include "sim/io/io.h"

#include "lib/printable.h"

/* Writes a string in UTF-8; invalid bytes of a trace become U+FFFD. */
static void json_put_text(const char *text, FILE *out) {
        size_t n;

        fputc('"', out);
        for (; *text; text += MAX(n, (size_t)1)) {
                n = utf8_length(text);
                if (n == 0)
                        fputs("\xef\xbf\xbd", out);
                else if (*text == '"' || *text == '\\')
                        fprintf(out, "\\%c", *text);
                else if (n == 1 && *text < 0x20)
                        fprintf(out, "\\u%04x", (unsigned)*text);
                else
                        fwrite(text, 1, n, out);
        }
        fputc('"', out);
}

/* Writes , "key": (without the comma if first). */
static void json_put_key(const char *key, bool first, FILE *out) {
        fputs(first ? "" : ", ", out);
        json_put_text(key, out);
        fputs(": ", out);
}

static void put_named(const char *key, const char *text, bool first, FILE *out) {
        json_put_key(key, first, out);
        if (text)
                json_put_text(text, out);
        else
                fputs("null", out);
}

static void put_trace(const struct report *r, FILE *out) {
        bool first = true;

        fputs("{", out);
        put_named("file", r->trace_file, true, out);
        fprintf(out, ", \"jobs\": %zu, \"left_out\": {", r->t->n);
        for (int i = 0; i < TRACE_LEFT_OUT_MAX; i++) {
                if (!r->t->left_out[i])
                        continue;
                json_put_key(trace_left_out_text(i), first, out);
                fprintf(out, "%zu", r->t->left_out[i]);
                first = false;
        }
        struct spread waits;
        size_t told = sums_waited(r->t, &waits);
        fprintf(out, "}, \"waited\": {\"jobs\": %zu, \"mean\": %.3f, \"median\": %.3f, \"p95\": %.3f, \"max\": %.3f}, \"header\": [",
                        told, waits.mean, waits.median, waits.p95, waits.max);
        for (size_t i = 0; i < r->t->n_labels; i++) {
                fputs(i ? ", [" : "[", out);
                json_put_text(r->t->labels[i].label, out);
                fputs(", ", out);
                json_put_text(r->t->labels[i].value, out);
                fputs("]", out);
        }
        fputs("]}", out);
}

static void put_sums(const struct sums *s, FILE *out) {
        size_t n;
        const struct row *rows = rows_get(&n);

        fputs("{", out);
        for (size_t i = 0; i < n; i++) {
                json_put_key(rows[i].key, i == 0, out);
                if (rows[i].needs_watts && !s->knows_watts)
                        fputs("null", out);
                else
                        fprintf(out, "%.*f", row_decimals(&rows[i]), rows[i].get(s));
        }
        fputs("}", out);
}

static void put_job(const struct report *r, const struct sim_case *k, size_t i, FILE *out) {
        const struct sim_job *j = &k->result.jobs[i];
        char submit[32], start[32], end[32], wait[32], suspended[32];

        fputs("{", out);
        put_named("job", r->t->jobs[i].name, true, out);
        put_named("state", sim_outcome_text(j->outcome), false, out);
        fprintf(out, ", \"submit\": %s",
                        j->outcome == SIM_NOT_SUBMITTED ? "null" : seconds_text(j->submit, submit));
        if (j->n_nodes) {
                _cleanup_free_ char *nodes = sim_nodes_text(k->c, j);
                fprintf(out, ", \"start\": %s, \"end\": %s, \"wait\": %s, \"nodes\": %u, \"cpus\": %u, \"requeues\": %u, \"suspended\": %s",
                                seconds_text(j->start, start), seconds_text(j->end, end),
                                seconds_text(j->start - j->submit, wait), j->n_nodes, j->cpus,
                                j->restarts, seconds_text(j->suspended, suspended));
                put_named("node_list", nodes, false, out);
        }
        fputs("}", out);
}

static void put_node(const struct sim_case *k, size_t i, FILE *out) {
        const struct sim_node *n = &k->result.nodes[i];
        char buf[32];

        fputs("{", out);
        put_named("node", k->c->nodes[i]->name, true, out);
        fprintf(out, ", \"suspends\": %u, \"resumes\": %u, \"boot_failures\": %u", n->suspends,
                        n->resumes, n->failures);
        if (k->result.knows_watts)
                fprintf(out, ", \"used_kwh\": %.6f, \"saved_kwh\": %.6f", (double)n->used / 3.6e9,
                                (double)n->saved / 3.6e9);
        fputs(", \"seconds\": {", out);
        for (int s = 0; s < SIM_STATE_MAX; s++) {
                json_put_key(sim_state_text(s), s == 0, out);
                fputs(seconds_text(n->in[s], buf), out);
        }
        fputs("}}", out);
}

/* Writes the changes of the nodes' states. */
static void put_states(const struct report *r, const struct sim_case *k, FILE *out) {
        const char *between = "\n    ";
        char at[32];

        for (size_t i = 0; i < k->result.n_changes; i++) {
                const struct sim_change *ch = &k->result.changes[i];
                if (ch->at > k->result.end)
                        continue;
                fprintf(out, "%s{\"time\": %s", between, seconds_text(ch->at, at));
                put_named("node", k->c->nodes[ch->node]->name, false, out);
                put_named("state", sim_state_text((int)ch->state), false, out);
                put_named("job", ch->job == SIM_NO_JOB ? NULL : r->t->jobs[ch->job].name, false,
                                out);
                fputs("}", out);
                between = ",\n    ";
        }
}

static void put_series(const struct sim_case *k, FILE *out) {
        char at[32];

        for (size_t i = 0; i < k->result.n_points && k->result.points[i].at <= k->result.end; i++) {
                const struct sim_point *p = &k->result.points[i];
                fprintf(out, "%s\n    {\"time\": %s, \"pending\": %u, \"running\": %u",
                                i ? "," : "", seconds_text(p->at, at), p->pending, p->running);
                for (int s = 0; s < SIM_STATE_MAX; s++) {
                        json_put_key(sim_state_text(s), false, out);
                        fprintf(out, "%u", p->nodes[s]);
                }
                if (k->result.knows_watts)
                        fprintf(out, ", \"watts\": %.3f", (double)p->milliwatts / 1000);
                fputs("}", out);
        }
}

static void put_causes(const char *name, const struct sim_causes *causes, const struct trace *t,
                FILE *out) {
        fprintf(out, ",\n  \"%s\": [", name);
        for (size_t i = 0; i < causes->n; i++) {
                fputs(i ? ", {" : "{", out);
                put_named("why", causes->list[i].why, true, out);
                put_named("first_job", t->jobs[causes->list[i].job].name, false, out);
                fprintf(out, ", \"jobs\": %zu}", causes->list[i].n);
        }
        fputs("]", out);
}

static void put_case(const struct report *r, const struct sim_case *k, bool jobs, FILE *out) {
        fputs("{", out);
        put_named("label", k->label, true, out);
        put_named("conf", k->conf, false, out);
        put_named("with", k->with, false, out);
        put_named("power_saving_off", k->sleepless, false, out);
        fputs(",\n  \"sums\": ", out);
        put_sums(&k->sums, out);
        put_causes("refused", &k->result.refused, r->t, out);
        put_causes("never_started", &k->result.waiting, r->t, out);
        if (jobs) {
                fputs(",\n  \"jobs\": [", out);
                for (size_t i = 0; i < k->result.n_jobs; i++) {
                        fputs(i ? ",\n    " : "\n    ", out);
                        put_job(r, k, i, out);
                }
                fputs("],\n  \"nodes\": [", out);
                for (size_t i = 0; i < k->result.n_nodes; i++) {
                        fputs(i ? ",\n    " : "\n    ", out);
                        put_node(k, i, out);
                }
                fputs("],\n  \"states\": [", out);
                put_states(r, k, out);
                fputs("],\n  \"series\": [", out);
                put_series(k, out);
                fputs("]", out);
        }
        fputs("}", out);
}

void json_write(const struct report *r, bool jobs, FILE *out) {
        fputs("{\"slumber\": ", out);
        json_put_text(SLUMBER_VERSION, out);
        put_named("cluster", r->cluster_name, false, out);
        fprintf(out, ", \"nodes\": %zu,\n\"trace\": ", r->cases[0].sums.nodes);
        put_trace(r, out);
        fputs(",\n\"cases\": [", out);
        for (size_t i = 0; i < r->n; i++) {
                fputs(i ? ",\n " : "\n ", out);
                put_case(r, &r->cases[i], jobs, out);
        }
        fputs("]}\n", out);
}
