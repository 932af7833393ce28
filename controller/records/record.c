/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/record.h"
#include "controller/indexes/node_deadline.h"
#include "controller/loop/peers.h"

#include "controller/indexes/array.h"
#include "controller/indexes/node_sharing.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/model/effect.h"
#include "controller/model/het.h"
#include "controller/model/kept_fields.h"
#include "controller/model/layout.h"
#include "controller/model/node_features.h"
#include "controller/model/spec.h"
#include "controller/model/tres.h"
#include "controller/power_save/why.h"
#include "controller/preempt/preempt.h"
#include "controller/sched/sched.h"
#include "controller/steps/step_span.h"
#include "lib/step/measure_wire.h"
#include "lib/timetext.h"

_Static_assert((int)JOB_OUT_OF_MEMORY == (int)SLUMBER__JOB_STATE__JOB_OUT_OF_MEMORY,
                "job states are the wire's");
_Static_assert((int)SHARE_YES == (int)SLUMBER__SHARE__SHARE_YES, "shares are the wire's");

/* ---- power ---- */

static char *setting_from(const struct node *n, enum why_setting setting) {
        const char *partition = why_setting_from(n, setting);

        if (setting == WHY_SUSPEND_TIME && n->own_suspend_time != TIME_UNSET)
                return xstrdup("node");
        return partition ? xasprintf("partition %s", partition) : xstrdup("cluster");
}

void power_message_init(struct power_message *m, const struct cluster *c, const struct node *n,
                enum power_detail detail, usec_t now) {
        Slumber__Power *to = &m->power;
        struct why w;

        memset(m, 0, sizeof *m);
        slumber__power__init(to);
        if (detail != POWER_PHASE)
                why_init(&w, c, n, detail == POWER_BRIEF, now);
        else
                why_init_phase(&w, c, n, now);
        to->node = n->name;
        to->phase = message_text(w.phase);
        to->since = w.since;
        to->deadline = w.until;
        to->tries = n->tries;
        to->error = message_text(n->power_error);
        if (detail == POWER_PHASE)
                return;
        to->why = m->texts[1] = TAKE(w.text);
        why_done(&w);
        to->suspend_time = n->suspend_time;
        to->suspend_timeout = n->suspend_timeout;
        to->resume_timeout = n->resume_timeout;
        to->suspend_time_from = m->texts[2] = setting_from(n, WHY_SUSPEND_TIME);
        to->suspend_timeout_from = m->texts[3] = setting_from(n, WHY_SUSPEND_TIMEOUT);
        to->resume_timeout_from = m->texts[4] = setting_from(n, WHY_RESUME_TIMEOUT);
        to->excluded = message_text(exclusion_of(c, n));
}

void power_message_console(struct power_message *m, char *tail) {
        if (!tail)
                return;
        m->power.console = m->texts[0] = tail;
        m->power.phase = message_text("console");
}

static void power_message_done(struct power_message *m) {
        for (size_t i = 0; i < ELEMENTSOF(m->texts); i++)
                free(m->texts[i]);
}

static void add_waits_for(struct job_message *m, const struct cluster *c, const struct job *j,
                usec_t now) {
        const struct node *n = j->configuring && j->state == JOB_RUNNING && !j->completing
                                               ? why_slowest(c, j, now)
                                               : NULL;

        if (!n)
                return;
        m->waits_for = xnew(struct power_message, 1);
        power_message_init(m->waits_for, c, n, POWER_PHASE, now);
        m->job.waits_for = &m->waits_for->power;
}

/* ---- jobs: the request, from the list of fields (model/job_fields.h) ---- */

static void spec_to_message(Slumber__JobSpec *to, const struct job_spec *from) {
        slumber__job_spec__init(to);
#define X(field) to->field = message_text(from->field);
        JOB_TEXTS_ALL(X)
#undef X
#define X(field) to->field = from->field;
        JOB_VALUES_ALL(X)
#undef X
#define X(type, field, wire, last) to->wire = (__typeof__(to->wire))from->field;
        JOB_ENUMS_ALL(X)
#undef X
}

void job_spec_from_message(struct job_spec *to, const Slumber__JobSpec *from) {
        *to = (struct job_spec){ 0 };
#define X(field) to->field = isempty(from->field) ? NULL : from->field;
        JOB_TEXTS_ALL(X)
#undef X
#define X(field) to->field = from->field;
        JOB_VALUES_ALL(X)
#undef X
#define X(type, field, wire, last) to->field = (type)MIN((uint32_t)from->wire, (uint32_t)(last));
        JOB_ENUMS_ALL(X)
#undef X
}

static unsigned state_flags(const struct job *j) {
        unsigned flags = 0;

        if (j->completing)
                flags |= SLUMBER__JOB_FLAG__JOB_FLAG_COMPLETING;
        if (j->configuring)
                flags |= SLUMBER__JOB_FLAG__JOB_FLAG_CONFIGURING;
        if (j->special_exit && j->state == JOB_PENDING)
                flags |= SLUMBER__JOB_FLAG__JOB_FLAG_SPECIAL_EXIT;
        return flags;
}

/* The number of units of jn's node when j got them: a node that j has left may have a different
   number by now. */
static size_t units_of_part(const struct job *j, const struct job_node *jn) {
        const bool last = jn + 1 == j->placed.alloc + j->placed.n_alloc;

        return (last ? j->placed.units->bits : jn[1].units_at) - jn->units_at;
}

/* The cores of a node's part, as numbers on the node. */
static char *cores_text(const struct job *j, const struct job_node *jn) {
        _cleanup_(bitset_freep) struct bitset *cores = NULL;

        if (!j->placed.units)
                return xstrdup("");
        cores = bitset_new(units_of_part(j, jn));
        bitset_or_part(cores, j->placed.units, jn->units_at);
        return bitset_text(cores);
}

static void add_alloc(struct job_message *m, const struct job *j) {
        m->n_alloc = j->placed.n_alloc;
        m->alloc = xnew(Slumber__AllocNode, j->placed.n_alloc);
        m->alloc_list = xnew(Slumber__AllocNode *, j->placed.n_alloc);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                Slumber__AllocNode *a = m->alloc_list[i] = &m->alloc[i];

                slumber__alloc_node__init(a);
                a->name = jn->node->name;
#define X(member, name) a->name = jn->member;
                JOB_NODE_MEMBERS(SHOWN_VALUES, X)
#undef X
                a->mem = jn->memory;
                a->mem_given = jn->given;
                a->mem_owed = jn->owed;
                a->mem_asked = jn->asked;
                a->mem_asked_for = jn->asked_for;
                a->cores = cores_text(j, jn);
                a->cpus_per_core = jn->node->cpus_per_unit;
                size_t n_gres = 0;
                const struct gres_share *gres = gres_shares_of(j->placed.gres, j->placed.n_gres,
                                (uint32_t)i, &n_gres);
                a->gres = gres_shares_text(jn->node, gres, n_gres);
                char *shown = gres_shares_shown(jn->node, gres, n_gres);
                if (shown)
                        a->gres_shown = shown;
                if (jn->signals[SIGNAL_STEPS] | jn->signals[SIGNAL_BATCH] |
                                jn->signals[SIGNAL_FULL]) {
                        a->n_signals = SIGNAL_REACH_MAX;
                        a->signals = (uint64_t *)(uintptr_t)jn->signals;
                }
        }
        m->job.n_alloc = j->placed.n_alloc;
        m->job.alloc = m->alloc_list;
}

static char *record_step_nodes(const struct job *j, const struct step *s) {
        _cleanup_free_ const char **names = xnew(const char *, j->placed.n_alloc);
        size_t n = 0;

        bitset_for_each(i, s->nodes)
                names[n++] = j->placed.alloc[i].node->name;
        return hostlist_compress(names, n);
}

/* Adds the members of a step needed after a restart; the message owns the texts. */
static void add_step_store(Slumber__Step *to, const struct job *j, const struct step *s) {
        to->places = bitset_text(s->nodes);
        to->ended = bitset_text(s->ended);
        to->launched = bitset_text(s->launched);
        to->tasks = s->tasks;
        to->cpus = s->taken;
        to->n_tasks = to->n_cpus = s->n_tasks_on;
        to->task_places = s->place;
        to->n_task_places = s->place ? s->num_tasks : 0;
        if (s->cores)
                to->cores = xnew(char *, s->n_tasks_on);
        for (size_t i = 0; s->cores && i < s->n_tasks_on; i++)
                to->cores[to->n_cores++] = bitset_text(s->cores[i]);
#define X(member, name) to->name = s->member;
        STEP_MEMBERS(STORED_VALUES, X)
#undef X
#define X(member, name) to->name = message_text(s->member);
        STEP_MEMBERS(STORED_TEXTS, X)
#undef X
        to->measures = measures_pack(&s->measures);
        to->n_measures = MEASURE_MAX;
        if (s->span) {
                to->span = xnew(Slumber__StepSpan, 1);
                span_pack(s->span, to->span);
        }
        to->gres_kind = (uint32_t)s->gres_kind;
        if (s->gres_kind != STEP_GRES_OWN)
                return;
        to->gres = xnew(char *, bitset_count(s->nodes));
        bitset_for_each(at, s->nodes) {
                size_t n;
                const struct gres_share *shares = gres_shares_of(s->gres, s->n_gres, (uint32_t)at,
                                &n);
                to->gres[to->n_gres++] = gres_shares_text(j->placed.alloc[at].node, shares, n);
        }
}

/* Adds the batch script as a step, as users expect; core has no such step. */
static Slumber__Step *add_batch_step(struct job_message *m, const struct job *j, usec_t now) {
        Slumber__Step *to = &m->steps[m->n_steps++];

        slumber__step__init(to);
        to->id = STEP_BATCH;
        to->name = (char *)(uintptr_t) "batch";
        to->nodes = xstrdup(j->placed.alloc[j->placed.batch_at].node->name);
        to->container = message_text(j->asked.container);
        to->num_tasks = 1;
        to->num_cpus = j->placed.alloc[j->placed.batch_at].cpus;
        to->start_time = j->running.start_time;
        to->run_time = job_step_run_time(j, j->running.start_time, 0, now);
        to->energy = energy_of_batch(j, now);
        return to;
}

/* s: the whole step, or a component. */
static Slumber__Step *record_add_step(struct job_message *m, const struct job *j,
                const struct step *whole, const struct step *s, bool store, usec_t now) {
        Slumber__Step *to = &m->steps[m->n_steps++];

        slumber__step__init(to);
#define X(member, name) to->name = s->member;
        STEP_MEMBERS(SHOWN_VALUES, X)
#undef X
#define X(member, name) to->name = message_text(s->member);
        STEP_MEMBERS(SHOWN_TEXTS, X)
#undef X
        to->time_limit = whole->time_limit;
        to->nodes = record_step_nodes(j, s);
        to->run_time = job_step_run_time(j, s->start_time, s->ran_before, now);
        to->energy = energy_of_step(j, s, now);
        if (store)
                add_step_store(to, j, s);
        return to;
}

/* Stored steps contain their components; displays show only the components. */
static void record_add_parts(struct job_message *m, const struct job *j, const struct step *s,
                bool store, Slumber__Step **list, size_t *n, usec_t now) {
        for (size_t i = 0; i < s->n_parts; i++)
                if (store || !job_step_is_over(&s->parts[i]))
                        list[(*n)++] = record_add_step(m, j, s, &s->parts[i], store, now);
}

/* Number of steps and components. */
static size_t count_steps(const struct job *j) {
        size_t n = j->running.n_steps;

        for (size_t i = 0; i < j->running.n_steps; i++)
                n += j->running.steps[i].n_parts;
        return n;
}

/* Ended steps are stored until srun has been informed, but not displayed. */
static void record_add_steps(struct job_message *m, const struct job *j, bool store, usec_t now) {
        size_t most = count_steps(j) + 1, n = 0;

        m->steps = xnew(Slumber__Step, most);
        m->step_list = xnew(Slumber__Step *, 2 * most); /* components follow behind the steps */
        Slumber__Step **parts = m->step_list + most;
        m->steps_stored = store;
        if (!store && j->asked.batch && (j->running.launched || j->running.launch_sent) &&
                        !job_is_finished(j) && !j->completing)
                m->step_list[n++] = add_batch_step(m, j, now);
        for (size_t i = 0; i < j->running.n_steps; i++) {
                const struct step *s = &j->running.steps[i];
                if (!store && job_step_is_over(s))
                        continue;
                if (!store && s->n_parts) {
                        record_add_parts(m, j, s, store, m->step_list, &n, now);
                        continue;
                }
                Slumber__Step *to = m->step_list[n++] = record_add_step(m, j, s, s, store, now);
                to->parts = parts;
                record_add_parts(m, j, s, store, to->parts, &to->n_parts, now);
                parts += to->n_parts;
        }
        m->job.n_steps = n;
        m->job.steps = m->step_list;
}

/* Adds the expected start and nodes, including any wake before the start. */
static void add_plan(struct job_message *m, const struct cluster *c, const struct job *j,
                bool nodes_wanted, usec_t now) {
        /* names would be the main cost of a long list */
        _cleanup_(bitset_freep) struct bitset *nodes = nodes_wanted ? bitset_new(c->n_nodes) : NULL;
        usec_t start = sched_expected_start(c, j, now, nodes);

        if (!start)
                return;
        m->job.start_time = start;
        if (!nodes_wanted)
                return;
        m->job.sched_nodes = m->sched_nodes = cluster_nodes_text(c, nodes);
}

/* Display only: when the job may be preempted, and the preemptor of a suspended job. */
static void add_preemption(struct job_message *m, const struct cluster *c, const struct job *j,
                usec_t now) {
        if (c->config->preempt_type != PREEMPT_NONE && j->running.start_time &&
                        j->state != JOB_PENDING)
                m->job.preempt_eligible_time = preempt_eligible_time(c, j);
        if (job_is_gang_stopped(j) && !j->completing)
                job_stopped_for(c, j, now, &m->job.stopped_for, &m->job.resume_expected);
        if (j->stopping.grace_end) {
                m->job.stopped_for = j->stopping.preemptor;
                m->job.resume_expected = 0; /* the victim ends and does not resume */
        }
}

static void record_add_array(struct job_message *m, const struct array *a, const struct job *j) {
        m->job.array_job = a->id;
        m->job.array_task = j->array_task;
        m->job.array_limit = a->limit;
        m->job.array_failed = a->failed;
        if (job_is_rest(j))
                m->job.array_waiting = m->array_waiting = array_waiting_text(a, NULL);
}

static void record_add_het(struct job_message *m, const struct job *j) {
        m->job.het_job = j->het->id;
        m->job.het_offset = j->het_offset;
        m->job.het_size = j->het->n;
}

void job_message_choose(struct job_message *m, const struct job *j, const struct bitset *chosen) {
        free(m->array_waiting);
        m->job.array_waiting = m->array_waiting = array_waiting_text(j->array, chosen);
        /* a single task is displayed as itself */
        if (m->array_waiting[strspn(m->array_waiting, "0123456789")] == 0)
                m->job.array_task = (uint32_t)strtoul(m->array_waiting, NULL, 10);
}

enum job_share record_share(const struct cluster *c, const struct job *j) {
        enum oversubscribe o = j->partition->oversubscribe;
        bool alone = o == OVERSUBSCRIBE_EXCLUSIVE ||
                     (cluster_whole_nodes(c) && o == OVERSUBSCRIBE_NO);

        return alone ? SHARE_NO : shares_with_own_user(j) ? SHARE_USER : job_share(j);
}

const char *record_oversubscribe_word(const struct cluster *c, const struct job *j) {
        enum job_share share = record_share(c, j);

        return share == SHARE_YES ? "YES" : share == SHARE_NO ? "NO" : "OK";
}

const char *record_exclusive_word(const struct job *j) {
        if (job_share(j) == SHARE_NO || j->partition->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE)
                return "NODE";
        return shares_with_own_user(j) ? "USER" : job_share(j) == SHARE_MCS ? "MCS" : "NO";
}

/* Minimum of nodes; if the request names no number, with nodes of the largest size. */
static uint32_t record_least_nodes(const struct job *j) {
        uint32_t least = MAX(1u, j->asked.min_nodes), most;

        if (j->asked.max_nodes)
                return least;
        most = job_most_cpus(j);
        if (!most)
                return least;
        return (uint32_t)MIN(MAX((uint64_t)least, DIV_ROUND_UP(job_cpus_asked(j), (uint64_t)most)),
                        UINT32_MAX);
}

static void record_add_bids(struct job_message *m, const struct job *j) {
        size_t n = j->state == JOB_PENDING ? j->waiting.n_bids : 0;

        if (n < 2)
                return;
        m->bids = xnew(Slumber__JobBid, n);
        m->bid_list = xnew(Slumber__JobBid *, n);
        for (size_t i = 0; i < n; i++) {
                const struct bid *bid = &j->waiting.bids[i];
                Slumber__JobBid *to = m->bid_list[i] = &m->bids[i];

                slumber__job_bid__init(to);
                to->partition = bid->partition->name;
                to->priority = bid->priority ? bid->priority : j->priority;
                if (bid->reason)
                        to->reason_name = message_text(job_reason_text((int)bid->reason));
        }
        m->job.bids = m->bid_list;
        m->job.n_bids = n;
}

/* Display only: values derived from the job, the nodes and the queue. */
static void record_add_display(struct job_message *m, const struct cluster *c, const struct job *j,
                unsigned what, usec_t now) {
        Slumber__Job *to = &m->job;

        if (j->placed.n_gres || j->placed.licenses_held)
                to->tres_alloc = m->gres[1] = tres_job_text(c, j, true);
        if (j->placed.n_gres)
                to->gres = m->gres[2] = gres_total_text(j, false);
        if (j->needs.gres_wants || j->needs.licenses || j->needs.hres)
                to->tres_req = m->gres[0] = tres_job_text(c, j, false);
        if (j->state == JOB_PENDING && j->asked.partition) /* requested partitions */
                to->partition = j->asked.partition;
        if (j->partition->billing.weighted) {
                struct tres_set set;
                tres_asked(c, j, &set, NULL);
                to->billing = set.of[TRES_BILLING] + 1;
                tres_of_job(c, j, &set);
                to->billing_alloc = set.of[TRES_BILLING] + 1;
        }
        to->energy = energy_of_job(j, now);
        /* tasks as counted for billing */
        m->spec.num_tasks = MAX(job_tasks(j),
                        (uint32_t)j->placed.n_alloc * j->asked.ntasks_per_node);
        /* --distribution=arbitrary repeats nodes; each node is shown once. */
        if (layout_is_listed(j) && j->needs.req_nodes)
                m->spec.req_nodes = m->req_nodes = cluster_nodes_text(c, j->needs.req_nodes);
        m->spec.oversubscribe = (Slumber__Share)record_share(c, j);
        /* a begin time in the past is not shown */
        m->spec.begin_time = j->state == JOB_PENDING && job_begin(j) <= now ? 0 : job_begin(j);
        add_preemption(m, c, j, now);
        add_waits_for(m, c, j, now);
        add_plan(m, c, j, what & RECORD_ALLOC, now);
        record_add_bids(m, j);
}

static void record_add_claim(struct job_message *m, const struct cluster *c, const struct job *j) {
        Slumber__Job *to = &m->job;

        if (j->claim.nodes)
                to->claim = m->claim = cluster_nodes_text(c, j->claim.nodes);
        for (size_t i = 0; j->claim.in && i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].partition == j->claim.in) {
                        to->claim_in = j->claim.in->name;
                        to->claim_tasks = j->claim.tasks;
                }
}

void job_message_init(struct job_message *m, const struct cluster *c, const struct job *j,
                unsigned what, usec_t now) {
        Slumber__Job *to = &m->job;
        bool store = what & RECORD_STORE;

        memset(m, 0, sizeof *m);
        slumber__job__init(to);
        spec_to_message(&m->spec, &j->asked);
        to->spec = &m->spec;
#define X(member, name) to->name = j->member;
        JOB_MEMBERS(SHOWN_VALUES, X)
#undef X
#define X(member, name) to->name = message_text(j->member);
        JOB_MEMBERS(SHOWN_TEXTS, X)
        if (store) {
                JOB_MEMBERS(STORED_TEXTS, X)
        }
#undef X
#define X(member, name) to->name = j->member;
        if (store) {
                JOB_MEMBERS(STORED_VALUES, X)
        }
#undef X
        to->state = (Slumber__JobState)j->state;
        to->state_flags = state_flags(j);
        to->reason = (uint32_t)j->reason;
        to->reason_name = message_text(job_reason_text((int)j->reason));
        record_add_claim(m, c, j);
        /* queries get pre_suspend only for jobs that were suspended */
        if (store || j->running.suspend_time)
                to->pre_suspend = j->running.ran_before;
        if (j->array)
                record_add_array(m, j->array, j);
        if (j->het)
                record_add_het(m, j);
        if (j->waiting.depends)
                to->depends = m->depends = dependencies_text(j->waiting.depends);
        if (j->placed.licenses_held)
                to->licenses_alloc = m->licenses = countlist_text(j->placed.licenses_held);
        to->clock_set = c->clock_set;
        to->run_time = job_run_time(j, now);
        to->partition = j->partition->name;
        to->partition_created = j->partition->created;
        if (j->placed.nodes && (j->state != JOB_PENDING || (j->completing && !store)))
                to->nodes = m->nodes = cluster_nodes_text(c, j->placed.nodes);
        to->num_nodes = j->placed.n_alloc ? (uint32_t)j->placed.n_alloc : record_least_nodes(j);
        to->batch_host = j->asked.batch && j->placed.n_alloc
                                         ? j->placed.alloc[j->placed.batch_at].node->name
                                         : message_text(NULL);
        if (!j->placed.num_cpus && !store)
                to->num_cpus = (uint32_t)MIN(job_cpus_asked(j), UINT32_MAX);
        if (!store)
                record_add_display(m, c, j, what, now);
        if (what & RECORD_ALLOC)
                add_alloc(m, j);
        if (what & RECORD_STEPS)
                record_add_steps(m, j, store, now);
}

void job_message_done(struct job_message *m) {
        for (size_t i = 0; i < m->n_alloc; i++) {
                free(m->alloc[i].cores);
                free(m->alloc[i].gres);
                if (*m->alloc[i].gres_shown)
                        free(m->alloc[i].gres_shown);
        }
        for (size_t i = 0; i < m->n_steps; i++) {
                free(m->steps[i].nodes);
                if (m->steps_stored) {
                        free(m->steps[i].places);
                        free(m->steps[i].ended);
                        free(m->steps[i].launched);
                        free(m->steps[i].measures);
                        free(m->steps[i].span);
                        for (size_t k = 0; k < m->steps[i].n_cores; k++)
                                free(m->steps[i].cores[k]);
                        free(m->steps[i].cores);
                        for (size_t k = 0; k < m->steps[i].n_gres; k++)
                                free(m->steps[i].gres[k]);
                        free(m->steps[i].gres);
                }
        }
        free(m->alloc);
        free(m->alloc_list);
        free(m->steps);
        free(m->step_list);
        free(m->bids);
        free(m->bid_list);
        free(m->nodes);
        free(m->claim);
        free(m->depends);
        free(m->licenses);
        for (size_t i = 0; i < ELEMENTSOF(m->gres); i++)
                free(m->gres[i]);
        free(m->sched_nodes);
        free(m->req_nodes);
        free(m->array_waiting);
        if (m->waits_for)
                power_message_done(m->waits_for);
        free(m->waits_for);
}

/* ---- nodes ---- */

static void hardware_to_message(Slumber__Hardware *to, const struct node_hardware *from) {
        slumber__hardware__init(to);
#define X(member, name) to->name = from->member;
        HARDWARE_MEMBERS(SHOWN_VALUES, X)
#undef X
}

void hardware_from_message(struct node_hardware *to, const Slumber__Hardware *from) {
        *to = (struct node_hardware){ 0 };
#define X(member, name) to->member = from->name;
        HARDWARE_MEMBERS(RESTORED_VALUES, X)
#undef X
}

static void add_energy(struct node_message *m, const struct energy *e) {
        if (!e->from && !e->read_in)
                return;
        slumber__energy__init(&m->energy);
#define X(member, name) m->energy.name = e->member;
        ENERGY_MEMBERS(SHOWN_VALUES, X)
#undef X
        m->node.energy = &m->energy;
}

void node_record_init(struct node_message *m, const struct cluster *c, const struct node *n) {
        Slumber__Node *to = &m->node;

        memset(m, 0, sizeof *m);
        slumber__node__init(to);
#define X(member, name) to->name = message_text(n->member);
        NODE_MEMBERS(SHOWN_TEXTS, X)
#undef X
#define X(member, name) to->name = n->member;
        NODE_MEMBERS(SHOWN_VALUES, X)
#undef X
        to->boots = (uint32_t *)(uintptr_t)n->boots;
        to->n_boots = n->n_boots;
        to->base_state = (uint32_t)n->base;
        to->power_state = (uint32_t)n->power;
        to->clock_set = c->clock_set;
        add_energy(m, &n->energy);
        hardware_to_message(&m->registered, &n->registered);
        if (n->last_response) /* unknown before the first registration */
                to->registered = &m->registered;
}

void node_words_done(struct node_words *w) {
        for (size_t i = 0; i < ELEMENTSOF(w->texts); i++)
                free(w->texts[i]);
        *w = (struct node_words){ 0 };
}

static void add_state_words(struct node_message *m, const struct node *n,
                struct node_words *words) {
        if (!words->of || !node_state_same(n, words->of)) {
                node_words_done(words);
                words->of = n;
                words->texts[0] = node_state_text(n);
                words->texts[1] = node_state_short(n);
                words->texts[2] = node_state_long(n);
        }
        m->node.state_text = words->texts[0];
        m->node.state_short = words->texts[1];
        m->node.state_long = words->texts[2];
}

void node_message_init(struct node_message *m, const struct cluster *c, const struct node *n) {
        node_message_init_with(m, c, n, &m->words);
}

static char *shown_gres(const struct node *n) {
        return n->gres_shown ? n->gres_shown : n->gres;
}

void node_message_init_with(struct node_message *m, const struct cluster *c, const struct node *n,
                struct node_words *words) {
        Slumber__Node *to = &m->node;
        usec_t deadline = node_power_deadline(n);

        node_record_init(m, c, n);
        m->active = n->changeable ? node_features_active(n) : NULL;
        to->active_features = message_text(n->changeable ? m->active : n->features);
        hardware_to_message(&m->configured, &n->configured);
        m->registered.free_memory = n->free_memory_mb;
        m->registered.load = n->load_100;
        m->registered.arch = message_text(n->arch);
        m->registered.os = message_text(n->os);
        to->configured = &m->configured;
        to->reservation = message_text(n->resv ? n->resv->name : NULL);
        to->port = n->port;
        to->weight = n->weight;
        if (n->own_suspend_time != TIME_UNSET)
                to->suspend_time = n->own_suspend_time == NO_LIMIT ? NO_LIMIT
                                                                   : n->own_suspend_time + 1;
        add_state_words(m, n, words);
        to->gres = message_text(shown_gres(n));
        if (n->n_gres) {
                to->gres_used = m->gres[0] = gres_used_text(n);
                to->tres = m->gres[1] = tres_node_text(c, n, false);
                to->tres_alloc = m->gres[2] = tres_node_text(c, n, true);
        }
        uint64_t cost = tres_node_cost(c, n);
        to->billing = cost ? cost + 1 : 0;
        m->partitions = xnew(char *, n->n_partitions);
        for (size_t i = 0; i < n->n_partitions; i++)
                m->partitions[i] = n->partitions[i]->name;
        to->partitions = m->partitions;
        to->n_partitions = n->n_partitions;
        to->cpus_alloc = n->cpus_used;
        to->cpus_effective = node_job_cpus(n);
        to->mem_alloc = n->memory_used;
        to->core_spec = n->n_spec;
        to->cpu_spec = m->spec = node_spec_text(n);
        to->mem_spec = n->spec_memory;
        to->reclaim_wanted = c->config->site.reclaim_suspended.text != NULL;
        const struct job *owner = node_sharing_owner(n), *labeller = node_sharing_labeller(c, n);
        if (owner)
                to->owner = m->owner = xasprintf("%s(%u)", strempty(owner->user),
                                (unsigned)owner->uid);
        if (labeller)
                to->mcs_label = labeller->asked.mcs_label;
        to->deadline = deadline == USEC_INFINITY ? 0 : deadline;
        to->up_requested = n->flags & NODE_POWER_UP_WANTED;
}

void node_message_energy(struct node_message *m, const struct node *n, usec_t now) {
        const struct energy e = energy_of(n, now);

        add_energy(m, &e);
}

static bool record_same_text(const char *a, const char *b) {
        return a == b || streq(strempty(a), strempty(b));
}

static bool same_hardware(const struct node_hardware *a, const struct node_hardware *b) {
#define X(member, name) &&a->member == b->member
        return true HARDWARE_MEMBERS(ALL_VALUES, X);
#undef X
}

static bool same_partitions(const struct node *a, const struct node *b) {
        return a->n_partitions == b->n_partitions &&
               (a->n_partitions == 0 ||
                               memcmp(a->partitions, b->partitions,
                                               a->n_partitions * sizeof *a->partitions) == 0);
}

static bool same_gres(const struct node *a, const struct node *b) {
        if (a->n_gres == 0 || gres_used_sum(a) + gres_used_sum(b) == 0)
                return true; /* gres without use is compared as text */
        _cleanup_free_ char *x = gres_used_text(a), *y = gres_used_text(b);
        return streq(x, y);
}

/* True if both nodes are restricted to the same user, or neither is restricted. */
static bool same_owner(const struct node *a, const struct node *b) {
        const struct job *x = node_sharing_owner(a), *y = node_sharing_owner(b);

        if (x != y && (!x || !y || x->uid != y->uid))
                return false;
        for (size_t i = 0; i < a->n_jobs; i++)
                if (a->jobs[i]->asked.mcs_label) /* rare: treated as different */
                        return false;
        return true;
}

/* Compares the members whose row in NODE_MEMBERS says SAME. */
static bool same_members(const struct node *a, const struct node *b) {
#define X(member, name) &&a->member == b->member
        bool same = true NODE_MEMBERS(ALIKE_VALUES, X);
#undef X
#define X(member, name) &&record_same_text(a->member, b->member)
        return same NODE_MEMBERS(ALIKE_TEXTS, X);
#undef X
}

bool nodes_alike(const struct node *a, const struct node *b) {
        return same_owner(a, b) && node_state_same(a, b) && same_members(a, b) &&
               !a->last_response == !b->last_response &&
               same_hardware(&a->configured, &b->configured) &&
               same_hardware(&a->registered, &b->registered) && same_partitions(a, b) &&
               record_same_text(shown_gres(a), shown_gres(b)) && same_gres(a, b);
}

void node_message_done(struct node_message *m) {
        free(m->alike);
        for (size_t i = 0; i < ELEMENTSOF(m->gres); i++)
                free(m->gres[i]);
        free(m->owner);
        free(m->spec);
        free(m->active);
        node_words_done(&m->words);
        free(m->partitions);
        free(m->reason_user);
        if (m->power)
                power_message_done(m->power);
        free(m->power);
}

/* ---- partitions ---- */

static char *global_or(const struct cluster *c, usec_t value) {
        char buf[TIMETEXT_MAX];

        if (isempty(c->config->suspend_program) || isempty(c->config->resume_program))
                return xstrdup("");
        if (value == TIME_UNSET)
                return xstrdup("GLOBAL");
        if (value == NO_LIMIT)
                return xstrdup("INFINITE");
        snprintf(buf, sizeof buf, "%llu", (unsigned long long)(value / USEC_PER_SEC));
        return xstrdup(buf);
}

static char *oversubscribe_text(const struct partition *p) {
        if (partition_exclusive_now(p) == EXCLUSIVE_NODE)
                return xstrdup("NO");
        switch (p->oversubscribe) {
        case OVERSUBSCRIBE_NO:
                break;
        case OVERSUBSCRIBE_EXCLUSIVE:
                return xstrdup("EXCLUSIVE");
        case OVERSUBSCRIBE_FORCE:
                return xasprintf("FORCE:%u", p->oversubscribe_max);
        case OVERSUBSCRIBE_YES:
                return xasprintf("YES:%u", p->oversubscribe_max);
        }
        return xstrdup("NO");
}

/* Copied under the same name. */
/* clang-format off */
#define PARTITION_VALUES(X) \
        X(name) X(is_default) X(hidden) X(root_only) X(disable_root_jobs) \
        X(power_down_on_idle) X(lln) X(exclusive_user) X(max_time) X(default_time) \
        X(min_nodes) X(max_nodes) X(priority_tier) X(priority_job_factor) X(grace_time) \
        X(def_mem_per_node) X(def_mem_per_cpu) X(max_mem_per_node) X(max_mem_per_cpu) \
        X(def_mem_per_gpu) X(def_cpu_per_gpu)
/* clang-format on */

/* Minutes; two special values mean UNLIMITED and "the cluster's value". */
static uint32_t over_time_value(usec_t over_time) {
        return over_time == TIME_UNSET ? UINT32_MAX
               : over_time == NO_LIMIT
                               ? UINT32_MAX - 1
                               : (uint32_t)MIN(over_time / (60 * USEC_PER_SEC), (usec_t)UINT16_MAX);
}

void partition_message_init(struct partition_message *m, const struct cluster *c,
                const struct partition *p) {
        Slumber__Partition *to = &m->partition;

        memset(m, 0, sizeof *m);
        slumber__partition__init(to);
#define X(field) to->field = p->field;
        PARTITION_VALUES(X)
#undef X
        to->nodes = m->nodes = cluster_nodes_text(c, p->nodes);
        to->state = message_text(partition_state_text(p->state));
        bitset_for_each(i, p->nodes) {
                to->total_nodes++;
                to->total_cpus += c->nodes[i]->configured.cpus;
                to->job_cpus += node_job_cpus(c->nodes[i]);
                to->total_memory += c->nodes[i]->configured.memory;
        }
        to->tres = m->tres = tres_partition_text(c, p);
        to->billing = p->billing.weighted ? tres_partition_cost(c, p) + 1 : 0;
        to->billing_weights = message_text(p->billing_text);
        to->oversubscribe = m->oversubscribe = oversubscribe_text(p);
        to->exclusive = message_text(partition_exclusive_text(partition_exclusive_now(p)));
        to->preempt_mode = message_text(preempt_mode_text(partition_preempt_mode(c, p)));
        to->over_time_limit = over_time_value(p->over_time);
        to->allow_groups = message_text(p->allow_groups ? p->allow_groups : "ALL");
        to->allow_accounts = message_text(p->allow_accounts ? p->allow_accounts : "ALL");
        to->deny_accounts = message_text(p->deny_accounts);
        to->alloc_nodes = message_text(p->alloc_nodes ? p->alloc_nodes : "ALL");
        to->allow_qos = message_text(p->allow_qos ? p->allow_qos : "ALL");
        to->deny_qos = message_text(p->deny_qos);
        to->qos = message_text(p->qos_name);
        to->max_cpus_per_node = p->max_cpus_per_node == UINT32_MAX ? 0 : p->max_cpus_per_node;
        to->select_params = m->select_params = select_params_text(p->select_params);
        to->topology = message_text(p->topology_name);
        to->resume_timeout = m->times[0] = global_or(c, p->resume_timeout);
        to->suspend_timeout = m->times[1] = global_or(c, p->suspend_timeout);
        to->suspend_time = m->times[2] = global_or(c, p->suspend_time);
}

void partition_message_done(struct partition_message *m) {
        free(m->nodes);
        free(m->oversubscribe);
        free(m->tres);
        free(m->select_params);
        for (size_t i = 0; i < ELEMENTSOF(m->times); i++)
                free(m->times[i]);
}
