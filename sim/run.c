/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a trace. The trace's jobs are the events from outside (sim_next_time(), sim_submit_due());
 * effects report ends of jobs (sim_on_effect()), dirty nodes report changes (sim_on_turned()).
 * Counters are updated at each change. */
#include "sim/run.h"

#include "controller/accounts/qos.h"
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "sim/reserve.h"
#include "sim/virtual.h"

/* Maximum time without any running or coming job after all nodes sleep: a job still waiting then
   waits forever. */
#define PATIENCE (3600 * USEC_PER_SEC)
#define PROGRESS 1024 /* jobs */

static const char *const state_words[] = { "idle", "busy", "booting", "going_down", "off", "out" };
_Static_assert(ELEMENTSOF(state_words) == SIM_STATE_MAX, "a state without a word");
DEFINE_STRTAB(sim_state, state_words)

const char *sim_outcome_text(unsigned outcome) {
        static const char *const words[] = { "REFUSED", "NEVER_STARTED", "NOT_SUBMITTED" };

        return outcome < JOB_STATE_MAX ? job_state_text((int)outcome)
                                       : words[outcome - JOB_STATE_MAX];
}

struct to_come { /* submission with feedback */
        usec_t at;
        uint32_t job;
};

struct seen { /* state of a node when last counted */
        enum sim_state state;
        uint32_t job;
        usec_t since;
        uint64_t milliwatts;
};

struct sim {
        struct cluster *c;
        const struct trace *t;
        const struct sim_options *o;
        struct sim_result *result;
        usec_t zero, now, last, patience; /* last: time of the last event of a job */
        size_t next, over, told; /* next: index of the next job of the trace; over: finished jobs */
        struct to_come *heap;
        size_t n_heap, a_heap;
        /* First follower of each job; next_follower: the next one of the same job, by follower. */
        uint32_t *followers;
        uint32_t *next_follower;
        uint32_t *of_id, first_id; /* index in the trace by id - first_id */
        size_t n_ids, a_ids;
        struct seen *seen;
        uint32_t counts[SIM_STATE_MAX];
        uint64_t milliwatts, random;
};

/* ---- future submissions ---- */

static bool submission_before(const struct to_come *a, const struct to_come *b) {
        return a->at != b->at ? a->at < b->at : a->job < b->job;
}

static void submission_push(struct sim *s, struct to_come e) {
        GROW(s->heap, s->a_heap, s->n_heap);
        size_t i = s->n_heap++;
        for (; i > 0 && submission_before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
                s->heap[i] = s->heap[(i - 1) / 2];
        s->heap[i] = e;
}

static struct to_come submission_pop(struct sim *s) {
        struct to_come first = s->heap[0], last = s->heap[--s->n_heap];
        size_t i = 0;

        for (size_t child; (child = 2 * i + 1) < s->n_heap; i = child) {
                if (child + 1 < s->n_heap &&
                                submission_before(&s->heap[child + 1], &s->heap[child]))
                        child++;
                if (!submission_before(&s->heap[child], &last))
                        break;
                s->heap[i] = s->heap[child];
        }
        s->heap[i] = last;
        return first;
}

static bool job_has_feedback(const struct sim *s, const struct trace_job *j) {
        return s->o->feedback && j->after != UINT32_MAX && j->think != NO_LIMIT;
}

static uint32_t job_components(const struct trace_job *j) {
        return MAX(1u, j->het);
}

static void skip_followers(struct sim *s) {
        while (s->next < s->t->n && job_has_feedback(s, &s->t->jobs[s->next]))
                s->next += job_components(&s->t->jobs[s->next]);
}

static usec_t sim_next_time(void *user) {
        struct sim *s = user;
        usec_t at = s->next < s->t->n ? s->zero + s->t->jobs[s->next].submit : USEC_INFINITY;

        return MIN(at, s->n_heap ? s->heap[0].at : USEC_INFINITY);
}

/* ---- submission ---- */

static void note_cause(struct sim_causes *causes, uint32_t job, const char *why) {
        for (size_t i = 0; i < causes->n; i++)
                if (streq(causes->list[i].why, why)) {
                        causes->list[i].n++;
                        causes->list[i].job = MIN(causes->list[i].job, job);
                        return;
                }
        if (causes->n >= 100) { /* reasons with numbers of their own: the first ones suffice */
                causes->list[99].n++;
                return;
        }
        GROW(causes->list, causes->allocated, causes->n);
        causes->list[causes->n++] = (struct sim_cause){ xstrdup(why), job, 1 };
}

static void sim_refuse(struct sim *s, uint32_t job, enum slumber_error e, const struct fail *why) {
        _cleanup_free_ char *text = isempty(why->text) ? xstrdup(slumber_error_text((int)e))
                                                       : xasprintf("%s: %s",
                                                                         slumber_error_text((int)e),
                                                                         why->text);

        s->result->jobs[job].outcome = SIM_REFUSED;
        s->over++;
        note_cause(&s->result->refused, job, text);
}

static const char *partition_of(const struct sim *s, const struct trace_job *j) {
        if (!s->t->guess_partitions || (j->partition && cluster_partition(s->c, j->partition)))
                return j->partition;
        return j->partition_too && cluster_partition(s->c, j->partition_too) ? j->partition_too
                                                                             : NULL;
}

static const char *qos_of(const struct sim *s, const struct trace_job *j) {
        bool known = !s->c->config->accounting_off && qos_find(&s->c->acct, j->qos);

        return s->t->optional_qos && !known ? NULL : j->qos;
}

static char *sim_text(const char *s) {
        return (char *)(uintptr_t)s; /* job_admit() copies the text */
}

static usec_t by_clock(const struct sim *s, usec_t at) {
        return at ? s->zero + at : 0;
}

void trace_more_ask(const struct trace_more *m, struct job_spec *spec) {
#define X(type, field) spec->field = sim_text(m->field);
        JOB_TEXTS_REPLAYED(X)
#undef X
#define X(type, field) spec->field = m->field;
        JOB_NUMBERS_REPLAYED(X)
        JOB_TIMES_REPLAYED(X)
#undef X
#define X(type, field, last) spec->field = (type)MIN(m->field, (uint32_t)(last));
        JOB_ENUMS_REPLAYED(X)
#undef X
        spec->cpus_per_gpu = m->cpus_per_gpu;
        spec->min_cpus_node = m->min_cpus_node;
}

static void fill_more(const struct sim *s, const struct trace_more *m, struct job_spec *spec) {
        trace_more_ask(m, spec);
        spec->begin_time = by_clock(s, m->begin);
        spec->deadline = by_clock(s, m->deadline);
        spec->reservation = sim_text(m->reservation);
        if (m->share && m->share < SHARE_MAX)
                spec->share = (enum job_share)m->share;
        if (s->c->config->select_params & CR_MEMORY)
                spec->mem_per_gpu = m->mem_per_gpu;
}

static void sim_fill_spec(const struct sim *s, const struct trace_job *j, struct job_spec *spec) {
        *spec = (struct job_spec){ .name = sim_text(j->name),
                .partition = sim_text(partition_of(s, j)),
                .account = sim_text(j->account),
                .qos = sim_text(qos_of(s, j)),
                .features = sim_text(j->features),
                .req_nodes = sim_text(j->nodelist),
                .exc_nodes = sim_text(j->exclude),
                /* a parallel job starts working when its last node is up */
                .batch = true,
                .wait_all_nodes = 1,
                .min_nodes = MAX(1u, j->nodes),
                .max_nodes = j->max_nodes,
                .cpus_per_task = j->cpus_per_task,
                .ntasks_per_node = j->tasks_per_node,
                .num_tasks = j->tasks,
                .tasks_set = j->tasks || j->tasks_per_node,
                .time_limit = j->limit,
                .nice = j->nice,
                .priority = j->priority,
                .share = j->exclusive ? SHARE_NO : SHARE_OK };
        if (s->c->config->select_params & CR_MEMORY) {
                spec->mem_per_cpu = j->mem_per_cpu;
                spec->mem_per_node = j->mem_per_node;
        }
        if (j->more)
                fill_more(s, j->more, spec);
        if (s->o->per_node) {
                uint64_t tasks = (uint64_t)MAX(1u, j->tasks) * MAX(1u, j->cpus_per_task);
                spec->min_nodes = spec->max_nodes = MAX(spec->min_nodes,
                                (uint32_t)DIV_ROUND_UP(tasks, s->o->per_node));
                spec->num_tasks = spec->cpus_per_task = 0;
                spec->tasks_set = false;
                spec->share = SHARE_NO;
        }
}

static void sim_refuse_all(struct sim *s, uint32_t at, enum slumber_error e,
                const struct fail *why) {
        for (uint32_t i = 0; i < job_components(&s->t->jobs[at]); i++)
                sim_refuse(s, at + i, e, why);
}

/* Returns the text of the job's dependency, in buf; NULL: none. */
static char *dependency_of(const struct sim *s, const struct trace_job *t, char buf[32]) {
        const struct sim_job *before = t->after == UINT32_MAX ? NULL : &s->result->jobs[t->after];

        if (!before || before->outcome != JOB_PENDING || !before->id)
                return NULL;
        (void)snprintf(buf, 32, "afterany:%u", before->id);
        return buf;
}

static void sim_job_admitted(struct sim *s, uint32_t at, const struct job *j) {
        struct sim_job *r = &s->result->jobs[at];

        r->id = j->id;
        r->outcome = JOB_PENDING;
        while (s->n_ids <= j->id - s->first_id) {
                GROW(s->of_id, s->a_ids, s->n_ids);
                s->of_id[s->n_ids++] = SIM_NO_JOB;
        }
        s->of_id[j->id - s->first_id] = at;
}

/* Submits a job with all its components. */
static void sim_submit(struct sim *s, uint32_t at, usec_t now) {
        const struct trace_job *t = &s->t->jobs[at];
        uint32_t n = job_components(t);
        _cleanup_free_ struct job_spec *specs = xnew(struct job_spec, n);
        char user[32], group[32], waits[HET_MAX][32];
        struct job *jobs[HET_MAX] = { NULL };
        struct fail why = { 0 };
        size_t failed;

        (void)snprintf(user, sizeof user, "u%u", t->uid);
        (void)snprintf(group, sizeof group, "g%u", t->gid);
        const char *named = t->more && t->more->user ? t->more->user : trace_user(s->t, t->uid);
        const struct submitter submitter = { .uid = t->uid,
                .gid = t->gid,
                .user = named ? named : user,
                .group = t->more && t->more->group ? t->more->group : group };
        for (uint32_t i = 0; i < n; i++) {
                sim_fill_spec(s, &t[i], &specs[i]);
                specs[i].dependency = dependency_of(s, &t[i], waits[i]);
                s->result->jobs[at + i].submit = now - s->zero;
        }
        s->last = now;
        enum slumber_error e = n == 1 ? job_admit(s->c, specs, &submitter, now, jobs, &why)
                                      : het_admit(s->c, specs, n, &submitter, now, jobs, &failed,
                                                        &why);
        if (e != SLUMBER_OK) {
                sim_refuse_all(s, at, e, &why);
                return;
        }
        for (uint32_t i = 0; i < n; i++)
                sim_job_admitted(s, at + i, jobs[i]);
}

static void sim_submit_due(usec_t now, void *user) {
        struct sim *s = user;

        while (s->next < s->t->n && s->zero + s->t->jobs[s->next].submit <= now) {
                sim_submit(s, (uint32_t)s->next, now);
                s->next += job_components(&s->t->jobs[s->next]);
                skip_followers(s);
        }
        while (s->n_heap && s->heap[0].at <= now)
                sim_submit(s, submission_pop(s).job, now);
}

/* ---- jobs ---- */

static uint32_t sim_job_index(const struct sim *s, uint32_t id) {
        return id >= s->first_id && id - s->first_id < s->n_ids ? s->of_id[id - s->first_id]
                                                                : SIM_NO_JOB;
}

static usec_t sim_run_time(const struct job *j, void *user) {
        struct sim *s = user;
        uint32_t at = sim_job_index(s, j->id);

        return at == SIM_NO_JOB ? NO_LIMIT : s->t->jobs[at].run;
}

static uint32_t sim_exit_status(const struct job *j, void *user) {
        struct sim *s = user;
        uint32_t at = sim_job_index(s, j->id);

        return at != SIM_NO_JOB && s->t->jobs[at].fails ? 1 << 8 : 0;
}

static void keep_nodes(struct sim_job *r, const struct job *j) {
        size_t allocated = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                uint32_t n = j->placed.alloc[i].node->index;
                if (r->n_ranges && r->ranges[r->n_ranges - 1].from + r->ranges[r->n_ranges - 1].n ==
                                                   n) {
                        r->ranges[r->n_ranges - 1].n++;
                        continue;
                }
                GROW(r->ranges, allocated, r->n_ranges);
                r->ranges[r->n_ranges++] = (struct node_range){ n, 1 };
        }
        r->n_nodes = (uint32_t)j->placed.n_alloc;
        r->cpus = j->placed.num_cpus;
        if (r->n_ranges)
                r->ranges = xrenew(r->ranges, r->n_ranges);
}

static void sim_on_end(struct sim *s, uint32_t at, const struct job *j, usec_t now) {
        struct sim_job *r = &s->result->jobs[at];

        s->last = now;
        r->restarts = j->restarts;
        if (!job_is_finished(j))
                return;
        r->outcome = j->state;
        r->start = j->running.start_time - s->zero;
        r->end = j->running.end_time - s->zero;
        r->suspended = j->configuring ? 0
                                      : j->running.end_time - j->running.start_time -
                                                        job_run_time(j, now);
        keep_nodes(r, j);
        if (!r->n_nodes)
                note_cause(&s->result->waiting, at, job_reason_text((int)j->reason));
        s->over++;
        for (uint32_t f = s->o->feedback ? s->followers[at] : SIM_NO_JOB; f != SIM_NO_JOB;
                        f = s->next_follower[f])
                submission_push(s, (struct to_come){ now + s->t->jobs[f].think, f });
        if (s->o->progress && s->over >= s->told + PROGRESS) {
                s->told = s->over;
                s->o->progress(s->next, s->over, now - s->zero, s->o->user);
        }
}

static void sim_on_effect(const struct effect *fx, usec_t now, void *user) {
        struct sim *s = user;
        uint32_t at = fx->kind == FX_ENDED ? sim_job_index(s, fx->job) : SIM_NO_JOB;
        const struct job *j = at == SIM_NO_JOB ? NULL : cluster_job(s->c, fx->job);

        if (j)
                sim_on_end(s, at, j, now);
        if (fx->kind == FX_SUSPEND)
                bitset_for_each(i, fx->nodes)
                        s->result->nodes[i].suspends++;
        else if (fx->kind == FX_RESUME)
                bitset_for_each(i, fx->nodes)
                        s->result->nodes[i].resumes++;
        else if (fx->kind == FX_RESUME_FAIL)
                bitset_for_each(i, fx->nodes)
                        s->result->nodes[i].failures++;
}

/* ---- nodes ---- */

static enum sim_state sim_node_state(const struct node *n) {
        if (n->base != NODE_IDLE ||
                        (n->power == NODE_ON && !n->n_jobs && node_is_out_of_service(n)))
                return SIM_OUT;
        switch (n->power) {
        case NODE_POWERED_DOWN:
                return SIM_OFF;
        case NODE_POWERING_DOWN:
                return SIM_GOING_DOWN;
        case NODE_POWERING_UP:
                return SIM_BOOTING;
        case NODE_ON:
        case NODE_POWER_NONE:
        case NODE_POWER_MAX:
        default:
                return n->n_jobs ? SIM_BUSY : SIM_IDLE;
        }
}

/* Returns the job of a node: of several, the first that is not suspended. */
static uint32_t job_on(const struct sim *s, const struct node *n) {
        const struct job *j = n->n_jobs ? n->jobs[0] : NULL;

        for (size_t i = 0; i < n->n_jobs && j->state == JOB_SUSPENDED; i++)
                if (n->jobs[i]->state != JOB_SUSPENDED)
                        j = n->jobs[i];
        return j ? sim_job_index(s, j->id) : SIM_NO_JOB;
}

static void sim_note_node(struct sim *s, uint32_t i, usec_t now) {
        const struct node *n = s->c->nodes[i];
        struct seen *seen = &s->seen[i];
        enum sim_state state = sim_node_state(n);
        uint32_t job = job_on(s, n);

        s->milliwatts += n->energy.draws - seen->milliwatts;
        seen->milliwatts = n->energy.draws;
        if (state == seen->state && job == seen->job)
                return;
        if (state != seen->state) {
                s->result->nodes[i].in[seen->state] += now - seen->since;
                s->counts[seen->state]--;
                s->counts[state]++;
                seen->since = now;
        }
        seen->state = state;
        seen->job = job;
        if (!s->o->changes)
                return;
        struct sim_result *r = s->result;
        GROW(r->changes, r->a_changes, r->n_changes);
        r->changes[r->n_changes++] = (struct sim_change){ now - s->zero, i, job, state };
}

static void note_point(struct sim *s, usec_t now) {
        struct sim_result *r = s->result;
        struct sim_point p = { .at = now - s->zero,
                .pending = (uint32_t)s->c->n_pending,
                .running = (uint32_t)s->c->n_active,
                .milliwatts = s->milliwatts };
        struct sim_point *last = r->n_points ? &r->points[r->n_points - 1] : NULL;

        memcpy(p.nodes, s->counts, sizeof p.nodes);
        if (last && last->at == p.at) {
                *last = p;
                return;
        }
        if (last && last->pending == p.pending && last->running == p.running &&
                        last->milliwatts == p.milliwatts &&
                        memcmp(last->nodes, p.nodes, sizeof p.nodes) == 0)
                return;
        GROW(r->points, r->a_points, r->n_points);
        r->points[r->n_points++] = p;
}

static void sim_on_turned(usec_t now, void *user) {
        struct sim *s = user;

        s->now = now;
        s->result->turns++;
        bitset_for_each(i, follows_nodes(s->c, FOLLOW_STORE_NODE))
                sim_note_node(s, (uint32_t)i, now);
        note_point(s, now);
}

/* ---- failing and varying machines ---- */

/* Returns a pseudo-random number (splitmix64). */
static uint64_t random_draw(struct sim *s) {
        uint64_t z = s->random += 0x9e3779b97f4a7c15u;

        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
}

static usec_t sim_boot_time(const struct node *n, void *user) {
        struct sim *s = user;
        /* the last boot's time does not count: it was random, too */
        usec_t takes = n->boots_in ? n->boots_in : virtual_boot(n);
        bool fails = random_draw(s) % 1000000 < s->o->boot_fails;
        uint64_t by = s->o->boot_varies ? random_draw(s) % (2 * (uint64_t)s->o->boot_varies + 1)
                                        : 0;

        if (fails)
                return USEC_INFINITY;
        return takes - takes * s->o->boot_varies / 1000 + takes * by / 1000;
}

/* ---- the run ---- */

/* True if no job can start or end any more, though nodes may still change. */
static bool sim_is_over(usec_t now, void *user) {
        struct sim *s = user;

        if (s->next < s->t->n || s->n_heap || s->c->n_active)
                return false;
        return s->c->n_queue == 0 || now > s->last + s->patience;
}

static usec_t patience_with(const struct node *n) {
        const usec_t times[] = { n->suspend_time, n->suspend_timeout, n->resume_timeout };
        usec_t sum = PATIENCE;

        for (size_t i = 0; i < ELEMENTSOF(times); i++)
                sum += times[i] == NO_LIMIT ? 0 : times[i];
        return sum;
}

static void sim_begin(struct sim *s, usec_t now) {
        struct sim_result *r = s->result;

        r->n_jobs = s->t->n;
        r->jobs = xnew0(struct sim_job, r->n_jobs + 1);
        r->n_nodes = s->c->n_nodes;
        r->nodes = xnew0(struct sim_node, r->n_nodes + 1);
        s->seen = xnew0(struct seen, r->n_nodes + 1);
        for (uint32_t i = 0; i < r->n_nodes; i++) {
                s->seen[i] = (struct seen){ .state = SIM_OUT, .job = SIM_NO_JOB, .since = now };
                s->counts[SIM_OUT]++;
                s->patience = MAX(s->patience, patience_with(s->c->nodes[i]));
                for (size_t k = 0; k < ENERGY_FIGURE_MAX; k++)
                        r->knows_watts |= s->c->nodes[i]->figures[k] != 0;
        }
        for (size_t i = 0; i < r->n_jobs; i++)
                r->jobs[i].outcome = SIM_NOT_SUBMITTED;
        if (!s->o->feedback)
                return;
        s->followers = xnew(uint32_t, r->n_jobs + 1);
        s->next_follower = xnew(uint32_t, r->n_jobs + 1);
        for (size_t i = 0; i < r->n_jobs; i++)
                s->followers[i] = SIM_NO_JOB;
        for (size_t i = r->n_jobs; i-- > 0;) {
                const struct trace_job *j = &s->t->jobs[i];
                if (!job_has_feedback(s, j))
                        continue;
                s->next_follower[i] = s->followers[j->after];
                s->followers[j->after] = (uint32_t)i;
        }
        skip_followers(s);
}

static int cause_by_job(const void *a, const void *b) {
        const struct sim_cause *x = a, *y = b;

        return x->job < y->job ? -1 : x->job > y->job;
}

/* Notes the reasons of jobs still in the queue or not submitted: the jobs never start. */
static void note_waiting(struct sim *s) {
        struct sim_causes *causes = &s->result->waiting;

        for (size_t i = 0; i < s->c->n_queue; i++) {
                const struct job *j = s->c->queue[i]->job;
                uint32_t at = sim_job_index(s, j->id);
                if (at != SIM_NO_JOB && s->c->queue[i] == &j->waiting.bids[0])
                        note_cause(causes, at,
                                        isempty(j->reason_text) ? job_reason_text((int)j->reason)
                                                                : j->reason_text);
        }
        for (size_t i = 0; i < s->result->n_jobs; i++)
                if (s->result->jobs[i].outcome == SIM_NOT_SUBMITTED)
                        note_cause(causes, (uint32_t)i, "the job that it comes after does not run");
        list_sort(causes->list, causes->n, sizeof causes->list[0], cause_by_job);
}

static void sim_finish(struct sim *s) {
        struct sim_result *r = s->result;

        usec_t end = s->over == r->n_jobs ? s->last : s->now;

        r->end = end - s->zero;
        note_waiting(s);
        for (size_t i = 0; i < r->n_jobs; i++)
                if (r->jobs[i].outcome == JOB_PENDING)
                        r->jobs[i].outcome = SIM_NEVER_STARTED;
        for (size_t i = 0; i < r->n_nodes; i++) {
                struct energy e = energy_of(s->c->nodes[i], end);
                r->nodes[i].in[s->seen[i].state] += end - MIN(end, s->seen[i].since);
                r->nodes[i].used = e.used;
                r->nodes[i].saved = e.saved;
                r->out_at_end += s->seen[i].state == SIM_OUT;
        }
        free(s->heap);
        free(s->followers);
        free(s->next_follower);
        free(s->of_id);
        free(s->seen);
}

int sim_run(struct cluster *c, const struct trace *t, usec_t now, const struct sim_options *options,
                struct sim_result *ret, struct fail *fail) {
        struct sim s = { .c = c,
                .t = t,
                .o = options,
                .result = ret,
                .zero = now,
                .last = now,
                .first_id = c->config->first_job_id,
                .random = options->seed };
        const struct virtual_ops ops = { .effect = sim_on_effect,
                .runs = sim_run_time,
                .status = sim_exit_status,
                .next = sim_next_time,
                .outside = sim_submit_due,
                .turned = sim_on_turned,
                .over = sim_is_over,
                .boots = options->boot_fails || options->boot_varies ? sim_boot_time : NULL };

        *ret = (struct sim_result){ 0 };
        c->config->min_job_age = USEC_PER_SEC; /* finished jobs are not queried */
        /* A limit of the daemon's memory, not of the cluster. */
        c->config->max_job_count = UINT32_MAX;
        c->config->bf.at_once = true;
        sim_begin(&s, now);
        _cleanup_(virtual_freep) struct virtual *v = virtual_new(c, now, &ops, &s);
        virtual_register_all(v);
        int r = options->reservations ? sim_reserve(c, options->reservations, now, fail) : 0;
        if (r >= 0 && virtual_run(v, USEC_INFINITY) < 0)
                r = fail_set(fail, -ELOOP,
                                "the simulation does not come to an end: one decision leads to another without time passing");
        sim_finish(&s);
        return r;
}

static void causes_done(struct sim_causes *causes) {
        for (size_t i = 0; i < causes->n; i++)
                free(causes->list[i].why);
        free(causes->list);
}

void sim_result_done(struct sim_result *r) {
        for (size_t i = 0; i < r->n_jobs; i++)
                free(r->jobs[i].ranges);
        causes_done(&r->refused);
        causes_done(&r->waiting);
        free(r->jobs);
        free(r->nodes);
        free(r->points);
        free(r->changes);
        *r = (struct sim_result){ 0 };
}

char *sim_nodes_text(const struct cluster *c, const struct sim_job *j) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);

        for (size_t i = 0; i < j->n_ranges; i++)
                bitset_add_range(nodes, j->ranges[i].from, j->ranges[i].n);
        return cluster_nodes_text(c, nodes);
}
