/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/io/io.h"

#include <inttypes.h>

/* Quotes text if necessary. */
static void csv_put_text(const char *text, FILE *out) {
        if (!strpbrk(text, ",\"\n\r")) {
                fputs(text, out);
                return;
        }
        fputc('"', out);
        for (; *text; text++) {
                if (*text == '"')
                        fputc('"', out);
                fputc(*text, out);
        }
        fputc('"', out);
}

static void put_time(usec_t t, bool known, FILE *out) {
        char buf[32];

        fprintf(out, ",%s", known ? seconds_text(t, buf) : "");
}

void csv_jobs(const struct report *r, const struct sim_case *k, FILE *out) {
        fputs("job,submit,start,end,wait,state,nodes,cpus,requeues,suspended,node_list\n", out);
        for (size_t i = 0; i < k->result.n_jobs; i++) {
                const struct sim_job *j = &k->result.jobs[i];
                _cleanup_free_ char *nodes = sim_nodes_text(k->c, j);
                bool ran = j->n_nodes > 0;
                csv_put_text(r->t->jobs[i].name, out);
                put_time(j->submit, j->outcome != SIM_NOT_SUBMITTED, out);
                put_time(j->start, ran, out);
                put_time(j->end, ran, out);
                put_time(j->start - j->submit, ran, out);
                fprintf(out, ",%s,%u,%u,%u", sim_outcome_text(j->outcome), j->n_nodes, j->cpus,
                                j->restarts);
                put_time(j->suspended, ran, out);
                fputc(',', out);
                csv_put_text(nodes, out);
                fputc('\n', out);
        }
}

void csv_nodes(const struct sim_case *k, FILE *out) {
        char buf[32];

        fputs("node,suspends,resumes,boot_failures,used_kwh,saved_kwh", out);
        for (int i = 0; i < SIM_STATE_MAX; i++)
                fprintf(out, ",%s", sim_state_text(i));
        fputc('\n', out);
        for (size_t i = 0; i < k->result.n_nodes; i++) {
                const struct sim_node *n = &k->result.nodes[i];
                fprintf(out, "%s,%u,%u,%u,", k->c->nodes[i]->name, n->suspends, n->resumes,
                                n->failures);
                if (k->result.knows_watts)
                        fprintf(out, "%.6f,%.6f", (double)n->used / 3.6e9,
                                        (double)n->saved / 3.6e9);
                else
                        fputc(',', out);
                for (int s = 0; s < SIM_STATE_MAX; s++)
                        fprintf(out, ",%s", seconds_text(n->in[s], buf));
                fputc('\n', out);
        }
}

void csv_states(const struct report *r, const struct sim_case *k, const struct bitset *nodes,
                FILE *out) {
        char buf[32];

        fputs("time,node,state,job\n", out);
        for (size_t i = 0; i < k->result.n_changes; i++) {
                const struct sim_change *ch = &k->result.changes[i];
                if (!bitset_has(nodes, ch->node) || ch->at > k->result.end)
                        continue;
                fprintf(out, "%s,%s,%s,", seconds_text(ch->at, buf), k->c->nodes[ch->node]->name,
                                sim_state_text((int)ch->state));
                if (ch->job != SIM_NO_JOB)
                        csv_put_text(r->t->jobs[ch->job].name, out);
                fputc('\n', out);
        }
}

void csv_series(const struct sim_case *k, FILE *out) {
        char buf[32];

        fputs("time,pending,running", out);
        for (int i = 0; i < SIM_STATE_MAX; i++)
                fprintf(out, ",%s", sim_state_text(i));
        fputs(",watts\n", out);
        for (size_t i = 0; i < k->result.n_points; i++) {
                const struct sim_point *p = &k->result.points[i];
                if (p->at > k->result.end)
                        break;
                fprintf(out, "%s,%u,%u", seconds_text(p->at, buf), p->pending, p->running);
                for (int s = 0; s < SIM_STATE_MAX; s++)
                        fprintf(out, ",%u", p->nodes[s]);
                if (k->result.knows_watts)
                        fprintf(out, ",%" PRIu64 ".%03u\n", p->milliwatts / 1000,
                                        (unsigned)(p->milliwatts % 1000));
                else
                        fputs(",\n", out);
        }
}

void csv_sums(const struct report *r, FILE *out) {
        size_t n;
        const struct row *rows = rows_get(&n);

        fputs("what,unit", out);
        for (size_t k = 0; k < r->n; k++) {
                fputc(',', out);
                csv_put_text(r->cases[k].label, out);
        }
        fputc('\n', out);
        for (size_t i = 0; i < n; i++) {
                fprintf(out, "%s,%s", rows[i].key,
                                streq(rows[i].unit, "time") ? "s" : rows[i].unit);
                for (size_t k = 0; k < r->n; k++)
                        if (!rows[i].needs_watts || r->cases[k].sums.knows_watts)
                                fprintf(out, ",%.*f", row_decimals(&rows[i]),
                                                rows[i].get(&r->cases[k].sums));
                        else
                                fputc(',', out);
                fputc('\n', out);
        }
}
