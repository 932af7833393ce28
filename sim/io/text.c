/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/io/io.h"

#include "lib/printable.h"
#include "lib/timetext.h"

#include <inttypes.h>

static const char *row_value_text(const struct row *row, double v, char buf[TIMETEXT_MAX]) {
        if (streq(row->unit, "time"))
                return duration_short((usec_t)(v * (double)USEC_PER_SEC + 0.5), buf);
        (void)snprintf(buf, TIMETEXT_MAX, "%.*f%s%s", (int)row->decimals, v, *row->unit ? " " : "",
                        row->unit);
        return buf;
}

/* Returns the change against the first case, "+3.2%"; "" if not comparable. */
static const char *change_text(double first, double v, char buf[32]) {
        if (first == v || first <= 0)
                buf[0] = 0;
        else
                (void)snprintf(buf, 32, " (%+.1f%%)", 100 * (v - first) / first);
        return buf;
}

/* A case may have no watts. */
static bool row_is_known(const struct row *row, const struct sums *s) {
        return !row->needs_watts || s->knows_watts;
}

/* True if all cases have equal numbers of nodes. */
static bool same_nodes(const struct report *r) {
        for (size_t i = 1; i < r->n; i++)
                if (r->cases[i].sums.nodes != r->cases[0].sums.nodes)
                        return false;
        return true;
}

static bool is_shown(const struct report *r, const struct row *row) {
        bool watts = false, other = streq(row->key, "jobs") || streq(row->unit, "time");

        for (size_t i = 0; i < r->n; i++) {
                watts |= r->cases[i].sums.knows_watts;
                other |= row->get(&r->cases[i].sums) > 0;
        }
        if (streq(row->key, "nodes"))
                return !same_nodes(r); /* equal numbers are in the heading */
        return row->needs_watts ? watts : other;
}

static void write_left_out(const struct trace *t, FILE *out) {
        for (int i = 0; i < TRACE_LEFT_OUT_MAX; i++)
                if (t->left_out[i])
                        fprintf(out, "left out: %zu %s\n", t->left_out[i], trace_left_out_text(i));
}

static void write_causes(const struct report *r, const struct sim_case *k, const char *what,
                const struct sim_causes *causes, FILE *out) {
        for (size_t i = 0; i < causes->n; i++) {
                const struct sim_cause *cause = &causes->list[i];
                printable_fprintf(out, "%s%s%s: %zu, the first is job %s: %s\n", what,
                                r->n > 1 ? " with " : "", r->n > 1 ? k->label : "", cause->n,
                                r->t->jobs[cause->job].name, cause->why);
        }
}

static void write_sleepless(const struct report *r, const struct sim_case *k, FILE *out) {
        if (k->sleepless)
                fprintf(out, "no node sleeps%s%s: power saving is off: %s\n",
                                r->n > 1 ? " with " : "", r->n > 1 ? k->label : "", k->sleepless);
}

/* Width of a column: enough for "1-02:14:03 (+100.0%)" and the label. */
static int column_width(const struct report *r, size_t k) {
        return r->n > 1 ? (int)MAX((size_t)24, strlen(r->cases[k].label)) : 16;
}

static void write_table(const struct report *r, FILE *out) {
        const char *bold = r->colour ? "\033[1m" : "", *plain = r->colour ? "\033[0m" : "";
        size_t n;
        const struct row *rows = rows_get(&n);
        char buf[TIMETEXT_MAX], change[32];

        if (r->n > 1) {
                fprintf(out, "%-32s", "");
                for (size_t k = 0; k < r->n; k++)
                        fprintf(out, "  %s%*s%s", bold, column_width(r, k), r->cases[k].label,
                                        plain);
                fputc('\n', out);
        }
        for (size_t i = 0; i < n; i++) {
                if (!is_shown(r, &rows[i]))
                        continue;
                fprintf(out, "%-32s", rows[i].text);
                double first = row_is_known(&rows[i], &r->cases[0].sums)
                                               ? rows[i].get(&r->cases[0].sums)
                                               : 0;
                for (size_t k = 0; k < r->n; k++) {
                        double v = rows[i].get(&r->cases[k].sums);
                        _cleanup_free_ char *text =
                                        row_is_known(&rows[i], &r->cases[k].sums)
                                                        ? xasprintf("%s%s",
                                                                          row_value_text(&rows[i],
                                                                                          v, buf),
                                                                          change_text(first, v,
                                                                                          change))
                                                        : xstrdup("not known");
                        fprintf(out, "  %*s", column_width(r, k), text);
                }
                fputc('\n', out);
        }
}

/* Writes what the trace says about the traced machine, for comparison. */
static void write_origin(const struct trace *t, FILE *out) {
        const char *computer = trace_label_of(t, "Computer");
        char mean[TIMETEXT_MAX], p95[TIMETEXT_MAX];
        struct spread waits;
        size_t n = sums_waited(t, &waits);

        if (computer || t->processors || t->machine_nodes)
                printable_fprintf(out, "taken from: %s", computer ? computer : "a machine");
        if (t->processors)
                fprintf(out, ", %" PRIu64 " processors", t->processors);
        if (t->machine_nodes)
                fprintf(out, ", %" PRIu64 " nodes", t->machine_nodes);
        if (computer || t->processors || t->machine_nodes)
                fputc('\n', out);
        if (n)
                fprintf(out, "waits there: mean %s, 95 of 100 at most %s, of the %zu jobs that tell\n",
                                duration_short((usec_t)(waits.mean * (double)USEC_PER_SEC + 0.5),
                                                mean),
                                duration_short((usec_t)(waits.p95 * (double)USEC_PER_SEC + 0.5),
                                                p95),
                                n);
}

void text_write(const struct report *r, FILE *out) {
        size_t nodes = r->cases[0].sums.nodes;
        _cleanup_free_ char *size = same_nodes(r) ? xasprintf(", %zu node%s", nodes,
                                                                    nodes == 1 ? "" : "s")
                                                  : xstrdup("");

        printable_fprintf(out, "cluster %s%s; %zu job%s of %s\n", r->cluster_name, size, r->t->n,
                        r->t->n == 1 ? "" : "s", r->trace_file);
        write_origin(r->t, out);
        write_left_out(r->t, out);
        for (size_t k = 0; k < r->n; k++) {
                write_sleepless(r, &r->cases[k], out);
                write_causes(r, &r->cases[k], "refused", &r->cases[k].result.refused, out);
                write_causes(r, &r->cases[k], "never started", &r->cases[k].result.waiting, out);
        }
        fputc('\n', out);
        write_table(r, out);
        bool watts = false;
        for (size_t k = 0; k < r->n; k++)
                watts |= r->cases[k].sums.knows_watts;
        if (!watts)
                fprintf(out, "\nEnergy is not known: slumber.yaml has no watts_on, watts_idle, watts_off, watts_booting.\n");
}
