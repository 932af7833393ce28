/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/ended/ended.h"

#include "controller/indexes/array.h"
#include "controller/indexes/node_sharing.h"
#include "controller/model/het.h"
#include "controller/model/kept_fields.h"
#include "controller/model/tres.h"

static char *ended_nodes(const struct cluster *c, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                bitset_add(nodes, j->placed.alloc[i].node->index);
        return cluster_nodes_text(c, nodes);
}

static uint64_t memory_held(const struct job *j) {
        uint64_t mb = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                mb += j->placed.alloc[i].memory;
        return mb;
}

static char *tres_line(const struct cluster *c, const struct tres_set *set, char *named) {
        _cleanup_free_ char *counted = tres_text(&c->acct.tres, set), *rest = named;

        return xasprintf("%s%s%s", counted, isempty(rest) ? "" : ",", strempty(rest));
}

static void set_first(struct tres_set *set, uint64_t cpus, uint64_t mb, uint64_t nodes) {
        uint64_t cost = set->of[TRES_BILLING];

        tres_clear(set);
        set->of[TRES_CPU] = cpus;
        set->of[TRES_BILLING] = cost ? cost : TRES_NONE;
        set->of[TRES_MEM] = mb ? mb : TRES_NONE;
        set->of[TRES_NODE] = nodes;
}

static char *asked_text(const struct cluster *c, const struct job *j) {
        uint32_t nodes = MAX(1u, j->asked.min_nodes),
                 cpus = (uint32_t)MIN(job_cpus_asked(j), UINT32_MAX);
        uint64_t mb = j->needs.mem_per_node ? j->needs.mem_per_node * nodes
                                            : j->needs.mem_per_cpu * cpus;
        struct tres_set set;

        tres_asked(c, j, &set, NULL);
        set_first(&set, cpus, mb, nodes);
        return tres_line(c, &set,
                        j->needs.gres_wants || j->needs.licenses || j->needs.hres
                                        ? tres_job_text(c, j, false)
                                        : NULL);
}

/* energy: J; 0: unknown, not printed. */
static char *held_text(const struct cluster *c, const struct job *j, int64_t energy) {
        _cleanup_free_ char *named = j->placed.n_gres || j->placed.licenses_held
                                                     ? tres_job_text(c, j, true)
                                                     : NULL;
        char joules[32] = "";
        struct tres_set set;

        tres_of_job(c, j, &set);
        set_first(&set, j->placed.num_cpus, memory_held(j), j->placed.n_alloc);
        if (energy)
                snprintf(joules, sizeof joules, "energy=%lld%s", (long long)energy,
                                isempty(named) ? "" : ",");
        return tres_line(c, &set, xasprintf("%s%s", joules, strempty(named)));
}

static const char *share_word(enum job_share share) {
        static const char *const words[SHARE_MAX] = { "OK", "NO", "YES", "USER", "MCS" };

        return share < SHARE_MAX ? words[share] : "";
}

static void fill_texts(struct ended *e, const struct cluster *c, const struct job *j,
                const char *state, bool ran) {
        const struct job_spec *s = &j->asked;

#define X(field) e->field = xstrdup(s->field);
        JOB_TEXTS_KEPT(X)
#undef X
        if (c->config->store_flags & KEEP_NO_FILES) {
                free_and_strdup(&e->std_in, NULL);
                free_and_strdup(&e->std_out, NULL);
                free_and_strdup(&e->std_err, NULL);
        }
        e->cluster = xstrdup(c->config->cluster_name);
        e->group_name = xstrdup(j->group);
        e->partition = xstrdup(ran || !s->partition ? j->partition->name : s->partition);
        e->state = xstrdup(state);
        e->reason = xstrdup(job_reason_text((int)j->reason));
        e->nodes = ran ? ended_nodes(c, j) : NULL;
        e->share = xstrdup(share_word(s->share));
        e->tres_req = asked_text(c, j);
        e->tres_alloc = ran ? held_text(c, j, e->consumed_energy) : NULL;
        if (job_is_rest(j))
                e->array_tasks = array_waiting_text(j->array, NULL);
#define X(field) e->field = e->field ? e->field : xstrdup("");
        ENDED_TEXTS(X)
#undef X
}

static void fill_numbers(struct ended *e, const struct job *j, bool ran, usec_t now) {
        const struct job_spec *s = &j->asked;

#define X(field) e->field = (int64_t)s->field;
        JOB_NUMBERS_KEPT(X)
#undef X
        e->job_id = j->id;
        e->array_job = j->array ? j->array->id : 0;
        e->array_task = j->array && !job_is_rest(j) ? (int64_t)j->array_task : -1;
        e->het_job = j->het ? j->het->id : 0;
        e->het_offset = j->het_offset;
        e->priority_asked = s->priority;
        e->num_nodes = ran ? (int64_t)j->placed.n_alloc : 0;
        e->num_cpus = ran ? (int64_t)j->placed.num_cpus : 0;
        e->memory = ran ? (int64_t)memory_held(j) : 0;
        e->num_tasks = s->tasks_set ? (int64_t)s->num_tasks : 0;
        e->cancelled_by = (int64_t)j->running.cancelled_by - 1;
        e->consumed_energy = ran ? (int64_t)(energy_of_job(j, now) / 1000) : 0;
}

static void fill_times(struct ended *e, const struct job *j, bool ran, usec_t now) {
        const struct job_spec *s = &j->asked;
        usec_t all = job_run_time(j, now), run = all - MIN(all, j->running.resize_ran);
        /* an end reported late may precede the resize */
        usec_t resized = MIN(j->running.resize_time, now);
        usec_t from = resized ? resized : j->running.start_time;

        e->time_submit = j->submit_time;
        e->time_queued = resized ? resized : MAX(j->waiting.queued_time, j->submit_time);
        e->time_eligible = resized ? resized : j->waiting.eligible_time;
        e->time_start = ran ? from : 0;
        e->time_end = now;
        e->time_begin = s->begin_time;
        e->deadline = s->deadline;
        bool counted = run || j->running.suspend_time; /* false: the job ended while configuring */
        e->time_suspended = ran && counted && now > from + run ? now - from - run : 0;
        e->time_limit_asked = j->needs.limit_asked ? j->needs.limit_asked : j->needs.time_limit;
#define X(field) e->field = s->field;
        JOB_TIMES_KEPT(X)
#undef X
}

/* Copies the members stored unchanged. */
static void fill_members(struct ended *e, const struct job *j) {
#define X(member, name) e->name = (__typeof__(e->name))j->member;
        JOB_MEMBERS(ACCOUNTS_VALUES, X)
#undef X
#define X(member, name) e->name = xstrdup(j->member);
        JOB_MEMBERS(ACCOUNTS_TEXTS, X)
#undef X
}

struct ended *ended_new(const struct cluster *c, const struct job *j, const char *state, bool ran,
                usec_t now) {
        if (!c->keeps_ended)
                return NULL;
        struct ended *e = xnew0(struct ended, 1);
        fill_members(e, j);
        fill_numbers(e, j, ran, now);
        fill_texts(e, c, j, state, ran);
        fill_times(e, j, ran, now);
        return e;
}
