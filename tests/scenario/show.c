/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a story can look at: nodes in the way of sinfo, jobs in the way of squeue. */
#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/array.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/nodes/brake.h"
#include "controller/power_save/why.h"
#include "controller/sched/sched.h"
#include "controller/updates/reservation_edit.h"
#include "lib/timetext.h"
#include "tests/scenario/story.h"

/* One line per state, in the order in which the states first occur. */
void show_nodes(struct story *s) {
        const struct cluster *c = s->w->c;
        _cleanup_(bitset_freep) struct bitset *shown = bitset_new(c->n_nodes),
                                              *same = bitset_new(c->n_nodes);

        for (size_t i = 0; i < c->n_nodes; i++) {
                if (bitset_has(shown, i))
                        continue;
                _cleanup_free_ char *state = node_state_short(c->nodes[i]), *names = NULL;
                bitset_clear(same);
                for (size_t k = i; k < c->n_nodes; k++) {
                        _cleanup_free_ char *other = node_state_short(c->nodes[k]);
                        if (streq(state, other))
                                bitset_add(same, k);
                }
                bitset_or(shown, same);
                names = cluster_nodes_text(c, same);
                story_out(s, "%s %s", names, state);
        }
}

/* What nodes have in use, and which units jobs have on their nodes. */
void show_gres(struct story *s) {
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->n_nodes; i++) {
                _cleanup_free_ char *used = gres_used_text(c->nodes[i]);
                if (gres_used_sum(c->nodes[i]))
                        story_out(s, "%s %s", c->nodes[i]->name, used);
        }
        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                for (size_t k = 0; j && job_is_active(j) && k < j->placed.n_alloc; k++) {
                        size_t n;
                        const struct gres_share *shares = gres_shares_of(j->placed.gres,
                                        j->placed.n_gres, (uint32_t)k, &n);
                        _cleanup_free_ char *text = gres_shares_text(j->placed.alloc[k].node,
                                        shares, n);
                        _cleanup_free_ char *shown = gres_shares_shown(j->placed.alloc[k].node,
                                        shares, n);
                        if (*text)
                                story_out(s, " job %u has %s of %s", j->id, shown ? shown : text,
                                                j->placed.alloc[k].node->name);
                }
        }
}

/* CPUs and memory of each job on each node. */
void show_parts(struct story *s) {
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->n_jobs; i++)
                for (size_t k = 0; c->jobs[i].job && job_is_active(c->jobs[i].job) &&
                                   k < c->jobs[i].job->placed.n_alloc;
                                k++) {
                        const struct job_node *jn = &c->jobs[i].job->placed.alloc[k];
                        story_out(s, " job %u has %u CPUs, %llu MB of %s%s", c->jobs[i].job->id,
                                        jn->cpus, (unsigned long long)job_node_promised(jn),
                                        jn->node->name,
                                        jn->given  ? ", has given some"
                                        : jn->owed ? ", waits for more"
                                                   : "");
                }
}

void show_licenses(struct story *s) {
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->licenses.n; i++)
                story_out(s, "%s %llu of %u", c->licenses.list[i].name,
                                (unsigned long long)c->licenses.list[i].used,
                                c->licenses.list[i].total);
        for (size_t i = 0; i < c->n_active; i++) {
                _cleanup_free_ char *held = countlist_text(c->active[i]->placed.licenses_held);
                if (*held)
                        story_out(s, " job %u has %s", c->active[i]->id, held);
        }
}

/* " (n1:0-1 n2:3)" */
static char *cores_text(const struct resv *r) {
        char *text = xstrdup("");

        for (size_t i = 0; i < r->n_cores; i++) {
                _cleanup_free_ char *units = bitset_text(r->cores[i].units);
                char *longer = xasprintf("%s%s%s:%s%s", text, i ? " " : " (", r->cores[i].node,
                                units, i + 1 == r->n_cores ? ")" : "");
                free(text);
                text = longer;
        }
        return text;
}

void show_reservations(struct story *s) {
        const struct cluster *c = s->w->c;
        char from[32], until[32];

        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *r = c->resvs.list[i];
                _cleanup_free_ char *nodes = cluster_nodes_text(c, r->nodes),
                                    *flags = resv_flags_text(r);
                _cleanup_free_ char *cores = cores_text(r), *licenses = countlist_text(r->licenses);
                story_out(s, "%s %s from %s until %s on %s%s%s%s %s", r->name,
                                r->active ? "ACTIVE" : "INACTIVE",
                                time_word(r->start > s->w->start ? r->start - s->w->start : 0,
                                                from),
                                time_word(r->end - s->w->start, until), nodes, cores,
                                r->licenses ? " with " : "", licenses, flags);
        }
}

void show_brake(struct story *s) {
        const struct brake *b = &s->w->c->brake;
        char since[32], next[32];

        if (b->by == BRAKE_OFF) {
                story_out(s, "off");
                return;
        }
        story_out(s, "%s since %s: %s; %u probes failed, %s%s", brake_by_text((int)b->by),
                        time_word(b->since - s->w->start, since), strna(b->cause), b->probes,
                        b->probe ? "under way: " : "next not before ",
                        b->probe ? b->probe : time_word(b->probe_at - s->w->start, next));
}

void show_node(struct story *s, const char *name) {
        const struct node *n = cluster_node(s->w->c, name);

        if (!n) {
                story_out(s, "no node %s", name);
                return;
        }
        _cleanup_free_ char *text = node_state_text(n), *word = node_state_short(n),
                            *longer = node_state_long(n);
        story_out(s, "%s %s (%s, %s)%s%s%s%s", n->name, text, word, longer,
                        n->reason ? " Reason=" : "", n->reason ? n->reason : "",
                        n->power_error ? " PowerError=" : "", n->power_error ? n->power_error : "");
}

void show_address(struct story *s, const char *name) {
        const struct node *n = cluster_node(s->w->c, name);

        if (n)
                story_out(s, "%s NodeAddr=%s NodeHostName=%s", n->name, n->address, n->hostname);
        else
                story_out(s, "no node %s", name);
}

static const char *moment(const struct story *s, usec_t t, char buf[32]) {
        return t == 0 ? "-" : t < s->w->start ? "before" : time_word(t - s->w->start, buf);
}

void show_why(struct story *s, const char *name) {
        const struct node *n = cluster_node(s->w->c, name);
        char since[32], until[32];
        struct why w;

        if (!n) {
                story_out(s, "no node %s", name);
                return;
        }
        why_init(&w, s->w->c, n, false, s->w->now);
        story_out(s, "%s %s since %s until %s: %s", name, w.phase, moment(s, w.since, since),
                        moment(s, w.until, until), w.text);
        why_done(&w);
}

void show_features(struct story *s, const char *name) {
        const struct node *n = cluster_node(s->w->c, name);

        story_out(s, "%s has %s active", name, n && n->active ? n->active : "nothing");
}

void show_energy(struct story *s, const char *name) {
        const struct node *n = cluster_node(s->w->c, name);
        struct energy e = n ? energy_of(n, s->w->now) : (struct energy){ 0 };

        story_out(s, "%s draws %llu W, has used %llu J, saved %llu J", name,
                        (unsigned long long)(e.draws / 1000), (unsigned long long)(e.used / 1000),
                        (unsigned long long)(e.saved / 1000));
}

void show_consumed(struct story *s, uint32_t id) {
        const struct job *j = cluster_job(s->w->c, id);

        story_out(s, "job %u has used %llu J", id,
                        j ? (unsigned long long)(energy_of_job(j, s->w->now) / 1000) : 0);
        for (size_t i = 0; j && i < j->running.n_steps; i++)
                story_out(s, "step %u.%u has used %llu J", id, j->running.steps[i].id,
                                (unsigned long long)(energy_of_step(j, &j->running.steps[i],
                                                                     s->w->now) /
                                                     1000));
}

void show_ports(struct story *s, uint32_t id) {
        const struct job *j = cluster_job(s->w->c, id);

        for (size_t i = 0; j && i < j->running.n_steps; i++)
                story_out(s, "step %u.%u has %s%s", id, j->running.steps[i].id,
                                j->running.steps[i].resv_ports ? "ports " : "no ports",
                                strempty(j->running.steps[i].resv_ports));
}

static const char *state_word(const struct job *j) {
        if (j->completing)
                return "CG";
        return j->configuring && j->state == JOB_RUNNING ? "CF"
                                                         : job_state_short_text((int)j->state);
}

static void show(struct story *s, const struct job *j) {
        _cleanup_free_ char *where = NULL;
        char buf[TIMETEXT_MAX];

        if (j->placed.nodes)
                where = cluster_nodes_text(s->w->c, j->placed.nodes);
        else
                where = xasprintf("(%s)",
                                j->reason_text ? j->reason_text : job_reason_text((int)j->reason));
        _cleanup_free_ char *rest = job_is_rest(j) ? array_waiting_text(j->array, NULL) : NULL;
        _cleanup_free_ char *id = rest       ? xasprintf("%u_[%s]", j->array->id, rest)
                                  : j->array ? xasprintf("%u_%u", j->array->id, j->array_task)
                                             : xasprintf("%2u", j->id);
        story_out(s, "%s %-6s %-2s %5s %zu %s", id, j->partition->name, state_word(j),
                        duration_short(job_run_time(j, s->w->now), buf),
                        j->placed.nodes ? j->placed.n_alloc
                                        : MAX((size_t)1, (size_t)j->asked.min_nodes),
                        where);
}

/* As squeue: what is pending, runs, is stopped or completing, by id. */
void show_jobs(struct story *s) {
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                if (j && (!job_is_finished(j) || j->completing))
                        show(s, j);
        }
}

/* "job 2: 3 CPUs: n1 0-1,4; n2 0" */
void show_cores(struct story *s, const char *id) {
        const struct job *j = cluster_job(s->w->c, (uint32_t)strtoul(id, NULL, 10));
        _cleanup_free_ char *line = j && j->placed.units ? xasprintf("job %u: %u CPUs:", j->id,
                                                                           j->placed.num_cpus)
                                                         : xasprintf("job %s has none", id);

        for (size_t i = 0; j && j->placed.units && i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(jn->node->units);
                _cleanup_free_ char *before = line;

                for (size_t k = 0; k < jn->node->units; k++)
                        bitset_put(set, k, bitset_has(j->placed.units, jn->units_at + k));
                _cleanup_free_ char *cores = bitset_text(set);
                line = xasprintf("%s%s %s %s", before, i ? ";" : "", jn->node->name, cores);
        }
        story_out(s, "%s", line);
}

/* Suspended jobs, their preemptors, and until when that is expected: "2 for 1 until 31s". */
void show_stopped(struct story *s) {
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                uint32_t by = 0;
                usec_t until = 0;
                char at[32];
                if (!j || !job_is_gang_stopped(j))
                        continue;
                job_stopped_for(c, j, s->w->now, &by, &until);
                story_out(s, "%u for %u until %s", j->id, by,
                                until ? time_word(until - s->w->start, at) : "-");
        }
}

/* The plan of j is not what is told of it. */
static void show_earlier(struct story *s, const struct job *j) {
        const struct cluster *c = s->w->c;
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);
        usec_t start = sched_expected_start(c, j, s->w->now, nodes);
        char at[32];

        if (!start || start == j->waiting.plan->start + j->waiting.plan->boot)
                return;
        _cleanup_free_ char *names = cluster_nodes_text(c, nodes);
        story_out(s, "%u is expected at %s on %s by preemption", j->id,
                        time_word(start - s->w->start, at), names);
}

/* What waits, in the queue's order, and when and where it is expected to start. */
void show_plan(struct story *s) {
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->n_queue; i++) {
                const struct job *j = c->queue[i]->job;
                _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);
                char at[32], until[32];
                for (size_t k = 0; j->waiting.plan && k < j->waiting.plan->n_ranges; k++)
                        bitset_add_range(nodes, j->waiting.plan->ranges[k].from,
                                        j->waiting.plan->ranges[k].n);
                _cleanup_free_ char *names = cluster_nodes_text(c, nodes);
                if (j->waiting.plan && !job_is_het_follower(j) ? j->waiting.plan->bid != c->queue[i]
                                                               : c->queue[i] != &j->waiting.bids[0])
                        continue;
                if (j->waiting.plan)
                        story_out(s, "%u at %s on %s until %s%s%s", j->id,
                                        time_word(j->waiting.plan->start + j->waiting.plan->boot -
                                                                        s->w->start,
                                                        at),
                                        names,
                                        time_word(j->waiting.plan->until - s->w->start, until),
                                        j->waiting.n_bids > 1 ? " in " : "",
                                        j->waiting.n_bids > 1
                                                        ? j->waiting.plan->bid->partition->name
                                                        : "");
                else
                        story_out(s, "%u is not planned", j->id);
                show_earlier(s, j);
        }
}

/* The queue in its order, and what each priority is made of: age, job size, partition, tres/cpu,
   /mem, /node, those that have a name; and association, QOS where they have a weight. */
void show_priorities(struct story *s) {
        static const enum priority_factor shown[] = { PRIORITY_AGE, PRIORITY_JOB_SIZE,
                PRIORITY_PARTITION, PRIORITY_CPUS, PRIORITY_MEMORY, PRIORITY_NODES };
        const struct cluster *c = s->w->c;

        for (size_t i = 0; i < c->n_queue; i++) {
                double factors[PRIORITY_FACTOR_MAX];
                char text[128];
                struct bid *b = c->queue[i];
                int n = snprintf(text, sizeof text, "%2u %u:", b->job->id,
                                b->priority ? b->priority : b->job->priority);

                struct job room;
                priority_factors(c, job_in_bid(b, &room), s->w->now, factors);
                for (size_t k = 0; k < ELEMENTSOF(shown); k++)
                        n += snprintf(text + n, sizeof text - (size_t)n, " %.4f",
                                        factors[shown[k]]);
                for (size_t k = 0; k < c->config->priority.n_tres; k++)
                        n += snprintf(text + n, sizeof text - (size_t)n, " %.4f",
                                        factors[PRIORITY_NAMED + k]);
                for (int k = 0; k < 2; k++) {
                        enum priority_factor more = k ? PRIORITY_QOS : PRIORITY_ASSOC;
                        if (c->config->priority.weight[more])
                                n += snprintf(text + n, sizeof text - (size_t)n, " %.4f",
                                                factors[more]);
                }
                story_out(s, "%s", text);
        }
}

/* The users' associations: raw usage, fair share. */
void show_shares(struct story *s) {
        const struct acct *a = &s->w->c->acct;

        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->user)
                        story_out(s, "%s/%s %u: %.0f %.4f", a->assocs[i]->account,
                                        a->assocs[i]->user, a->assocs[i]->shares,
                                        a->assocs[i]->usage_raw, a->assocs[i]->fairshare);
}

/* What is in force for it where it is, and then what it has: "job 3 in c, 3:00: 2 CPUs a task; 1000
   MB a CPU; has 2 CPUs, 2000 MB". */
void show_sizes(struct story *s, uint32_t id) {
        const struct job *j = cluster_job(s->w->c, id);
        char buf[TIMETEXT_MAX], text[256];

        if (!j) {
                story_out(s, "no job %u", id);
                return;
        }
        const struct {
                uint64_t n;
                const char *of;
        } sizes[] = { { j->needs.cpus_per_task, "CPUs a task" },
                { j->needs.min_cpus_node, "CPUs a node" }, { j->needs.cpus_per_gpu, "CPUs a GPU" },
                { j->needs.mem_per_node, "MB a node" }, { j->needs.mem_per_cpu, "MB a CPU" },
                { j->needs.mem_per_gpu, "MB a GPU" } };
        int n = snprintf(text, sizeof text, "job %u in %s, %s:", id, j->partition->name,
                        duration_text(j->needs.time_limit, buf));
        for (size_t i = 0; i < ELEMENTSOF(sizes); i++)
                if (sizes[i].n)
                        n += snprintf(text + n, sizeof text - (size_t)n, " %llu %s;",
                                        (unsigned long long)sizes[i].n, sizes[i].of);
        uint64_t memory = 0;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                memory += j->placed.alloc[i].memory;
        if (j->placed.n_alloc)
                snprintf(text + n, sizeof text - (size_t)n, " has %u CPUs, %llu MB",
                                j->placed.num_cpus, (unsigned long long)memory);
        story_out(s, "%s", text);
}

void show_slowest(struct story *s, uint32_t id) {
        const struct job *j = cluster_job(s->w->c, id);
        const struct node *n = j ? why_slowest(s->w->c, j, s->w->now) : NULL;

        story_out(s, "job %u waits for %s", id, n ? n->name : "no node");
}

void show_job(struct story *s, uint32_t id) {
        const struct job *j = cluster_job(s->w->c, id);

        if (!j) {
                story_out(s, "no job %u", id);
                return;
        }
        _cleanup_free_ char *where = j->placed.nodes ? cluster_nodes_text(s->w->c, j->placed.nodes)
                                                     : xstrdup("");
        char buf[TIMETEXT_MAX];
        story_out(s,
                        "job %u %s%s%s%s Reason=%s%s%s Priority=%u Restarts=%u RunTime=%s Nodes=%s "
                        "CPUs=%u Exit=%u:%u%s%s",
                        j->id, job_state_text((int)j->state), j->completing ? "+COMPLETING" : "",
                        j->configuring && j->state == JOB_RUNNING ? "+CONFIGURING" : "",
                        j->special_exit ? "+SPECIAL_EXIT" : "", job_reason_text((int)j->reason),
                        j->reason_text ? " " : "", j->reason_text ? j->reason_text : "",
                        j->priority, j->restarts, duration_text(job_run_time(j, s->w->now), buf),
                        where, j->placed.num_cpus, j->running.exit_code >> 8,
                        j->running.exit_code & 0x7f, j->asked.reservation ? " Reservation=" : "",
                        strempty(j->asked.reservation));
}
