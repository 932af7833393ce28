/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries for priorities and shares (sprio, sshare), computed on demand. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/share_tree.h"
#include "controller/indexes/array.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/het.h"
#include "controller/orders/viewer.h"
#include "controller/requests/handlers.h"
#include "lib/sorted.h"

#define PAGE_JOBS 5000

/* ---- priorities ---- */

static const char *const factor_names[PRIORITY_NAMED] = {
        [PRIORITY_AGE] = "age",
        [PRIORITY_ASSOC] = "assoc",
        [PRIORITY_FAIRSHARE] = "fairshare",
        [PRIORITY_JOB_SIZE] = "jobsize",
        [PRIORITY_PARTITION] = "partition",
        [PRIORITY_QOS] = "qos",
        [PRIORITY_CPUS] = "cpu",
        [PRIORITY_MEMORY] = "mem",
        [PRIORITY_NODES] = "node",
};

static size_t n_factors(const struct cluster *c) {
        return PRIORITY_NAMED + c->config->priority.n_tres;
}

struct job_priority {
        Slumber__JobPriority m;
        double factors[PRIORITY_FACTOR_MAX];
};

static bool id_wanted(const Slumber__PriorityQuery *q, const struct job *j) {
        return q->n_ids == 0 || sorted_has_number(q->ids, q->n_ids, j->id) ||
               (j->array && sorted_has_number(q->ids, q->n_ids, j->array->id)) ||
               (j->het && sorted_has_number(q->ids, q->n_ids, j->het->id));
}

static bool user_wanted(const Slumber__PriorityQuery *q, const struct job *j) {
        return q->n_users == 0 ||
               (j->user && sorted_has_name(q->users, q->n_users, j->user, EXACT_CASE));
}

/* Returns whether j's priority grows: a job that waits for its begin time or a dependency has none,
   except with ACCRUE_ALWAYS. */
static bool is_eligible(const struct cluster *c, const struct job *j, usec_t now) {
        return c->config->priority.flags & PRIORITY_ACCRUE_ALWAYS ||
               (!j->waiting.depends && job_begin(j) <= now);
}

static bool partition_wanted(const Slumber__PriorityQuery *q, const struct partition *p) {
        return q->n_partitions == 0 ||
               sorted_has_name(q->partitions, q->n_partitions, p->name, EXACT_CASE);
}

/* Returns whether j has a priority to show: pending jobs, and running jobs with
   CALCULATE_RUNNING. */
static bool has_priority(const struct cluster *c, const struct job *j) {
        if (j->state == JOB_RUNNING)
                return c->config->priority.flags & PRIORITY_CALCULATE_RUNNING;
        return j->state == JOB_PENDING && !j->completing;
}

/* Returns whether the query selects j, in any of its partitions as in Slurm; the lists must be
   sorted. */
static bool priority_query_wants(const Slumber__PriorityQuery *q, const struct caller *caller,
                const struct viewer *v, const struct job *j) {
        if (!j || !viewer_sees_job(v, j) || !has_priority(v->c, j) || job_is_held(j) ||
                        j->id <= q->after_id)
                return false;
        if (j->partition->hidden && !caller->operator)
                return false;
        return id_wanted(q, j) && user_wanted(q, j) &&
               (q->n_partitions == 0 || job_bids_for_one_of(j, q->partitions, q->n_partitions));
}

static void job_priority_fill(const struct cluster *c, struct job_priority *to, const struct job *j,
                usec_t now) {
        slumber__job_priority__init(&to->m);
        to->m.id = j->id;
        to->m.array_job = j->array ? j->array->id : 0;
        to->m.array_task = j->array_task;
        to->m.het_job = j->het ? j->het->id : 0;
        to->m.het_offset = j->het_offset;
        to->m.priority = j->waiting.current && j->waiting.current->priority
                                         ? j->waiting.current->priority
                                         : j->priority;
        to->m.own = j->asked.priority != 0;
        to->m.nice = j->asked.nice;
        to->m.site_factor = j->accounting.site_factor;
        to->m.user = j->user;
        to->m.partition = j->partition->name;
        to->m.account = (char *)(uintptr_t)strempty(j->asked.account);
        to->m.qos = (char *)(uintptr_t)strempty(j->asked.qos);
        memset(to->factors, 0, sizeof to->factors);
        if (!to->m.own)
                priority_factors(c, j, now, to->factors);
        to->m.factors = to->factors;
        to->m.n_factors = n_factors(c);
}

struct page {
        const struct cluster *c;
        const Slumber__PriorityQuery *q;
        usec_t now;
        struct job_priority *jobs;
        Slumber__JobPriority **pointers;
        Slumber__PriorityList m;
};

static void priority_page_add(struct page *p, const struct job *j) {
        if (!partition_wanted(p->q, j->partition))
                return;
        job_priority_fill(p->c, &p->jobs[p->m.n_jobs], j, p->now);
        p->pointers[p->m.n_jobs] = &p->jobs[p->m.n_jobs].m;
        p->m.n_jobs++;
}

/* Adds a line for each partition that j waits for. */
static void priority_page_add_job(struct page *p, const struct job *j) {
        struct job room;

        p->m.more = p->m.n_jobs + MAX(j->waiting.n_bids, (size_t)1) > PAGE_JOBS;
        if (p->m.more)
                return;
        if (j->waiting.n_bids == 0)
                priority_page_add(p, j);
        for (size_t k = 0; k < j->waiting.n_bids; k++)
                priority_page_add(p, job_in_bid(&j->waiting.bids[k], &room));
}

void handle_priority_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        Slumber__PriorityQuery *q = env->priority_query;
        const struct viewer viewer = viewer_of(ctl, caller);
        struct cluster *c = ctl->cluster;
        char *names[PRIORITY_FACTOR_MAX];
        uint32_t weights[PRIORITY_FACTOR_MAX];
        struct page p = { .c = c,
                .q = q,
                .now = controller_now(ctl),
                .m = SLUMBER__PRIORITY_LIST__INIT,
                .jobs = xnew(struct job_priority, PAGE_JOBS),
                .pointers = xnew(Slumber__JobPriority *, PAGE_JOBS) };

        sort_numbers(q->ids, &q->n_ids);
        sort_names(q->users, q->n_users, EXACT_CASE);
        sort_names(q->partitions, q->n_partitions, EXACT_CASE);
        acct_count_priorities(&c->acct);
        for (size_t i = 0; i < n_factors(c); i++) {
                names[i] = (char *)(uintptr_t)(i < PRIORITY_NAMED
                                                               ? factor_names[i]
                                                               : c->config->priority.tres
                                                                                 [i - PRIORITY_NAMED]);
                weights[i] = c->config->priority.weight[i];
        }
        for (size_t i = cluster_slot_after(c, q->after_id);
                        i < c->n_jobs && c->config->priority.multifactor && !p.m.more; i++)
                if (priority_query_wants(q, caller, &viewer, c->jobs[i].job) &&
                                is_eligible(c, c->jobs[i].job, p.now))
                        priority_page_add_job(&p, c->jobs[i].job);
        p.m.jobs = p.pointers;
        p.m.names = names;
        p.m.weights = weights;
        p.m.n_names = p.m.n_weights = n_factors(c);
        p.m.multifactor = c->config->priority.multifactor;
        ENVELOPE(reply, PRIORITY_LIST, priority_list, &p.m);
        reply_now(&caller->from, &reply);
        free(p.jobs);
        free(p.pointers);
}

/* ---- shares ---- */

struct shares {
        const struct acct *acct;
        struct viewer viewer;
        usec_t now;
        Slumber__ShareOf **list;
        size_t n, allocated;
};

static void add_minutes(const struct shares *s, const struct assoc *a, Slumber__ShareOf *m) {
        const struct tres_names *names = &s->acct->tres;
        struct tres_set gone, left;

        limits_minutes(&a->used, &a->usage, s->now, &gone, &left);
        m->grp_tres_mins = tres_plain_text(names, &a->limits.tres[LIMIT_GRP_TRES_MINS], NULL);
        m->grp_tres_raw = tres_plain_text(names, &gone, NULL);
        m->tres_run_mins = tres_plain_text(names, &left, NULL);
}

static void shares_add(const struct share_of *of, void *user) {
        struct shares *s = user;
        const struct assoc *a = of->assoc;

        if (!viewer_sees_assoc(&s->viewer, a, PRIVATE_USAGE | PRIVATE_USERS | PRIVATE_ACCOUNTS))
                return;
        Slumber__ShareOf *m = xnew(Slumber__ShareOf, 1);
        slumber__share_of__init(m);
        m->id = a->id;
        m->account = a->account;
        m->user = (char *)(uintptr_t)strempty(a->user);
        m->partition = (char *)(uintptr_t)strempty(a->partition);
        m->depth = of->depth;
        m->shares = a->shares;
        m->usage = a->usage_raw;
        m->fair_share = a->fairshare;
        m->norm_shares = of->norm_shares;
        m->effective_usage = of->effective;
        add_minutes(s, a, m);
        GROW(s->list, s->allocated, s->n);
        s->list[s->n++] = m;
}

void handle_share_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        struct shares s = {
                .acct = &ctl->cluster->acct,
                .viewer = viewer_of(ctl, caller),
                .now = controller_now(ctl),
        };
        enum share_rule rule = share_rule(&ctl->cluster->config->priority);
        Slumber__ShareList m = SLUMBER__SHARE_LIST__INIT;

        if (ctl->cluster->config->accounting_off) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED,
                                "AccountingStorageType is accounting_storage/none: there are no shares");
                return;
        }
        share_tree(s.acct, rule, shares_add, &s);
        m.cluster = ctl->cluster->config->cluster_name;
        m.shares = s.list;
        m.n_shares = s.n;
        m.multifactor = ctl->cluster->config->priority.multifactor;
        m.no_fair_tree = rule != SHARE_FAIR_TREE;
        ENVELOPE(reply, SHARE_LIST, share_list, &m);
        reply_now(&caller->from, &reply);
        for (size_t i = 0; i < s.n; i++) {
                free(s.list[i]->grp_tres_mins);
                free(s.list[i]->grp_tres_raw);
                free(s.list[i]->tres_run_mins);
                free(s.list[i]);
        }
        free(s.list);
}
