/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol show assoc_mgr: users, associations and QOS as limits see them, each record as KEY=VALUE
 * words in lines. Pages are short, because the name service is asked for the users of each page. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/limit_check.h"
#include "controller/accounts/share_tree.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/requests/handlers.h"
#include "controller/requests/parked.h"
#include "lib/sorted.h"

#define PAGE_RECORDS 100 /* below the number of names kept by users.c */
#define NO_UID       4294967294u
#define RAW_PARENT   2147483647u /* SharesRaw of fairshare=parent */

struct page {
        struct controller *ctl;
        const Slumber__AssocMgrQuery *q;
        struct viewer viewer;
        Slumber__AssocMgrRecord **records;
        size_t n, allocated;
        uint32_t seen; /* records so far, wanted or not */
        uint32_t next;
        bool unknown; /* the name service has not answered for some user yet */
};

/* ---- a record ---- */

static Slumber__AssocMgrRecord *record_add(Slumber__AssocMgrRecord ***list, size_t *n) {
        Slumber__AssocMgrRecord *r = xnew(Slumber__AssocMgrRecord, 1);

        slumber__assoc_mgr_record__init(r);
        *list = xrenew(*list, *n + 1);
        (*list)[(*n)++] = r;
        return r;
}

static void records_free(Slumber__AssocMgrRecord **list, size_t n) {
        for (size_t i = 0; i < n; i++) {
                for (size_t k = 0; k < list[i]->n_words; k++) {
                        free(list[i]->words[k]->value);
                        free(list[i]->words[k]);
                }
                free(list[i]->words);
                records_free(list[i]->accounts, list[i]->n_accounts);
                records_free(list[i]->users, list[i]->n_users);
                free(list[i]);
        }
        free(list);
}

/* Adds a word; the record takes value over. before: the separator before the word. */
static void assoc_mgr_add_word(Slumber__AssocMgrRecord *r, char before, const char *key,
                char *value) {
        Slumber__AcctWord *w = xnew(Slumber__AcctWord, 1);

        slumber__acct_word__init(w);
        w->key = (char *)(uintptr_t)key;
        w->op = (uint32_t)before;
        w->value = value;
        r->words = xrenew(r->words, r->n_words + 1);
        r->words[r->n_words++] = w;
}

/* Returns "N(3)" or "8(3)". */
static char *limit_used_text(uint32_t limit, uint32_t used) {
        return limit == LIMIT_NONE ? xasprintf("N(%u)", used) : xasprintf("%u(%u)", limit, used);
}

/* The same for limits of an association or user: "" without a limit. */
static char *limit_own_used_text(uint32_t limit, uint32_t used) {
        return limit == LIMIT_NONE ? xstrdup("") : limit_used_text(limit, used);
}

static char *limit_number_text(uint64_t v, uint64_t none) {
        return v == none ? xstrdup("") : xasprintf("%llu", (unsigned long long)v);
}

static char *limit_minutes_text(usec_t limit) {
        return limit_number_text(limit == NO_LIMIT ? NO_LIMIT : limit / (60 * USEC_PER_SEC),
                        NO_LIMIT);
}

static char *grp_wall(const struct limits *l, double used) {
        _cleanup_free_ char *limit = l->grp_wall == NO_LIMIT ? xstrdup("N")
                                                             : limit_minutes_text(l->grp_wall);

        return xasprintf("%s(%.2f)", limit, used / 60);
}

static char *limit_tres_text(const struct page *p, const struct limits *l, enum limit_tres kind) {
        return tres_plain_text(&p->ctl->cluster->acct.tres, &l->tres[kind], NULL);
}

static char *with_use(const struct page *p, const struct limits *l, enum limit_tres kind,
                const struct tres_set *used) {
        return tres_plain_text(&p->ctl->cluster->acct.tres, &l->tres[kind], used);
}

/* Adds the limits of an association or QOS for all of its jobs together. submit_op: before
   GrpSubmitJobs. */
static void assoc_mgr_add_group(const struct page *p, Slumber__AssocMgrRecord *r, char submit_op,
                const struct limits *l, const struct tally *used, const struct usage *usage) {
        struct tres_set gone, left;

        assoc_mgr_add_word(r, '\n', "GrpJobs",
                        limit_used_text(l->count[LIMIT_GRP_JOBS], used->running));
        assoc_mgr_add_word(r, ' ', "GrpJobsAccrue",
                        limit_used_text(l->count[LIMIT_GRP_ACCRUE], used->accruing));
        assoc_mgr_add_word(r, submit_op, "GrpSubmitJobs",
                        limit_used_text(l->count[LIMIT_GRP_SUBMIT], used->submitted));
        assoc_mgr_add_word(r, ' ', "GrpWall", grp_wall(l, usage->wall));
        limits_minutes(used, usage, controller_now(p->ctl), &gone, &left);
        assoc_mgr_add_word(r, '\n', "GrpTRES", with_use(p, l, LIMIT_GRP_TRES, &used->used));
        assoc_mgr_add_word(r, '\n', "GrpTRESMins", with_use(p, l, LIMIT_GRP_TRES_MINS, &gone));
        assoc_mgr_add_word(r, '\n', "GrpTRESRunMins",
                        with_use(p, l, LIMIT_GRP_TRES_RUN_MINS, &left));
}

/* Adds the limits of an association or QOS for each job. op: before MaxWallPJ. */
static void assoc_mgr_add_per_job(const struct page *p, Slumber__AssocMgrRecord *r, char op,
                const struct limits *l) {
        assoc_mgr_add_word(r, op, "MaxWallPJ", limit_minutes_text(l->max_wall));
        assoc_mgr_add_word(r, '\n', "MaxTRESPJ", limit_tres_text(p, l, LIMIT_MAX_TRES_JOB));
        assoc_mgr_add_word(r, '\n', "MaxTRESPN", limit_tres_text(p, l, LIMIT_MAX_TRES_NODE));
        assoc_mgr_add_word(r, '\n', "MaxTRESMinsPJ",
                        limit_tres_text(p, l, LIMIT_MAX_TRES_MINS_JOB));
        assoc_mgr_add_word(r, '\n', "MinPrioThresh",
                        limit_number_text(l->count[LIMIT_MIN_PRIO], LIMIT_NONE));
}

/* ---- selection of records ---- */

static bool is_one_of(char *const *list, size_t n, const char *name) {
        return n == 0 || sorted_has_name(list, n, name, ANY_CASE);
}

/* Adds the next record if wanted and on this page; NULL: skipped. */
static Slumber__AssocMgrRecord *assoc_mgr_next_record(struct page *p, bool is_wanted) {
        uint32_t at = p->seen++;

        if (!is_wanted || at < p->q->skip || p->next)
                return NULL;
        if (p->n == PAGE_RECORDS) {
                p->next = at;
                return NULL;
        }
        return record_add(&p->records, &p->n);
}

/* Returns "bin(2)". */
static char *user_text(struct page *p, const char *name) {
        const char *same;
        uid_t uid = NO_UID;

        int r = users_find(p->ctl->users, name, &uid, &same);
        if (r == -EAGAIN || r == -EBUSY)
                p->unknown = true;
        return xasprintf("%s(%u)", name, (unsigned)uid);
}

/* ---- a record of each kind ---- */

static void assoc_mgr_add_user(struct page *p, const struct acct_user *u) {
        Slumber__AssocMgrRecord *r = assoc_mgr_next_record(p,
                        is_one_of(p->q->users, p->q->n_users, u->name) &&
                                        viewer_sees_user(&p->viewer, u->name));

        if (!r)
                return;
        assoc_mgr_add_word(r, 0, "UserName", user_text(p, u->name));
        assoc_mgr_add_word(r, ' ', "DefAccount", xstrdup(strempty(u->default_account)));
        assoc_mgr_add_word(r, ' ', "DefWckey", xstrdup(""));
        assoc_mgr_add_word(r, ' ', "AdminLevel", xstrdup(admin_level_text((int)u->admin)));
}

static bool assoc_is_default_of_user(const struct acct *acct, const struct assoc *a) {
        const struct acct_user *u = a->user && !a->partition ? acct_user_find(acct, a->user) : NULL;

        return u && u->default_account && strcasecmp(u->default_account, a->account) == 0;
}

static void assoc_mgr_describe(struct page *p, Slumber__AssocMgrRecord *r,
                const struct share_of *of) {
        const struct acct *acct = &p->ctl->cluster->acct;
        const struct assoc *a = of->assoc, *above = a->parent;
        double all = acct->root->usage_raw;

        assoc_mgr_add_word(r, 0, "ClusterName", xstrdup(p->ctl->cluster->config->cluster_name));
        assoc_mgr_add_word(r, ' ', "Account", xstrdup(a->account));
        assoc_mgr_add_word(r, ' ', "UserName", a->user ? user_text(p, a->user) : xstrdup(""));
        assoc_mgr_add_word(r, ' ', "Partition", xstrdup(strempty(a->partition)));
        assoc_mgr_add_word(r, ' ', "Priority", xasprintf("%u", assoc_priority(a)));
        assoc_mgr_add_word(r, ' ', "ID", xasprintf("%u", a->id));
        assoc_mgr_add_word(r, '\n', "SharesRaw/Norm/Level/Factor",
                        xasprintf("%u/%.2f/%.0f/%.2f",
                                        a->shares == SHARES_PARENT ? RAW_PARENT : a->shares,
                                        of->norm_shares, above ? of->all_shares : 1, a->fairshare));
        assoc_mgr_add_word(r, '\n', "UsageRaw/Norm/Efctv",
                        xasprintf("%.2f/%.2f/%.2f", a->usage_raw, all > 0 ? a->usage_raw / all : 0,
                                        of->effective));
        assoc_mgr_add_word(r, '\n', "ParentAccount",
                        above && !a->user ? xasprintf("%s(%u)", above->account, above->id)
                                          : xstrdup(""));
        assoc_mgr_add_word(r, ' ', "Lft", xasprintf("%u", 1 + 2 * of->index - of->depth));
        assoc_mgr_add_word(r, ' ', "DefAssoc",
                        xstrdup(assoc_is_default_of_user(acct, a) ? "Yes" : "No"));
}

static void assoc_mgr_add_assoc(const struct share_of *of, void *user) {
        struct page *p = user;
        const struct assoc *a = of->assoc;
        const struct limits *l = &a->limits;
        Slumber__AssocMgrRecord *r = assoc_mgr_next_record(p,
                        is_one_of(p->q->accounts, p->q->n_accounts, a->account) &&
                                        (!a->user || is_one_of(p->q->users, p->q->n_users,
                                                                     a->user)) &&
                                        viewer_sees_assoc(&p->viewer, a,
                                                        PRIVATE_USERS | PRIVATE_ACCOUNTS |
                                                                        PRIVATE_USAGE));

        if (!r)
                return;
        assoc_mgr_describe(p, r, of);
        assoc_mgr_add_group(p, r, '\n', l, &a->used, &a->usage);
        assoc_mgr_add_word(r, '\n', "MaxJobs",
                        limit_own_used_text(l->count[LIMIT_MAX_JOBS], a->used.running));
        assoc_mgr_add_word(r, ' ', "MaxJobsAccrue",
                        limit_own_used_text(l->count[LIMIT_MAX_ACCRUE], a->used.accruing));
        assoc_mgr_add_word(r, ' ', "MaxSubmitJobs",
                        limit_own_used_text(l->count[LIMIT_MAX_SUBMIT], a->used.submitted));
        assoc_mgr_add_per_job(p, r, ' ', l);
}

struct share { /* names of a QOS's limits per account or per user */
        const char *jobs, *accrue, *submit, *tres;
        enum limit_count of_jobs, of_accrue, of_submit;
        enum limit_tres of_tres;
};

static void assoc_mgr_add_tally(const struct page *p, Slumber__AssocMgrRecord *r,
                const struct limits *l, const struct share *s, const struct tally *t) {
        r->name = t->key;
        assoc_mgr_add_word(r, 0, s->jobs, limit_used_text(l->count[s->of_jobs], t->running));
        assoc_mgr_add_word(r, ' ', s->accrue, limit_used_text(l->count[s->of_accrue], t->accruing));
        assoc_mgr_add_word(r, ' ', s->submit,
                        limit_used_text(l->count[s->of_submit], t->submitted));
        assoc_mgr_add_word(r, '\n', s->tres, with_use(p, l, s->of_tres, &t->used));
}

static void assoc_mgr_add_qos(struct page *p, const struct qos *q) {
        static const struct share of_account = { "MaxJobsPA", "MaxJobsAccruePA", "MaxSubmitJobsPA",
                "MaxTRESPA", LIMIT_MAX_JOBS_ACCOUNT, LIMIT_MAX_ACCRUE_ACCOUNT,
                LIMIT_MAX_SUBMIT_ACCOUNT, LIMIT_MAX_TRES_ACCOUNT };
        static const struct share of_user = { "MaxJobsPU", "MaxJobsAccruePU", "MaxSubmitJobsPU",
                "MaxTRESPU", LIMIT_MAX_JOBS, LIMIT_MAX_ACCRUE, LIMIT_MAX_SUBMIT,
                LIMIT_MAX_TRES_USER };
        Slumber__AssocMgrRecord *r = assoc_mgr_next_record(p,
                        is_one_of(p->q->qos, p->q->n_qos, q->name));
        const struct limits *l = &q->limits;

        if (!r)
                return;
        assoc_mgr_add_word(r, 0, "QOS", xasprintf("%s(%u)", q->name, q->id));
        assoc_mgr_add_word(r, '\n', "UsageRaw", xasprintf("%f", q->usage_raw));
        assoc_mgr_add_group(p, r, ' ', l, &q->all, &q->usage);
        assoc_mgr_add_per_job(p, r, '\n', l);
        assoc_mgr_add_word(r, '\n', "MinTRESPJ", limit_tres_text(p, l, LIMIT_MIN_TRES_JOB));
        assoc_mgr_add_word(r, '\n', "PreemptMode",
                        xstrdup(preempt_mode_text(
                                        q->preempt_mode == PREEMPT_UNSET ? 0 : q->preempt_mode)));
        assoc_mgr_add_word(r, '\n', "Priority", xasprintf("%u", q->priority));
        for (size_t i = 0; i < q->n_accounts; i++)
                if (viewer_sees_account_tally(&p->viewer, q->accounts[i]->key))
                        assoc_mgr_add_tally(p, record_add(&r->accounts, &r->n_accounts), l,
                                        &of_account, q->accounts[i]);
        for (size_t i = 0; i < q->n_users; i++)
                if (viewer_sees_user_tally(&p->viewer, q->users[i]->key))
                        assoc_mgr_add_tally(p, record_add(&r->users, &r->n_users), l, &of_user,
                                        q->users[i]);
}

/* ---- the request ---- */

static void assoc_mgr_fill(struct page *p) {
        const struct acct *a = &p->ctl->cluster->acct;

        switch (p->q->kind) {
        case SLUMBER__ASSOC_MGR_QUERY__KIND__USERS:
                for (size_t i = 0; i < a->n_users; i++)
                        assoc_mgr_add_user(p, a->users[i]);
                break;
        case SLUMBER__ASSOC_MGR_QUERY__KIND__ASSOCS:
                share_tree(a, share_rule(&p->ctl->cluster->config->priority), assoc_mgr_add_assoc,
                                p);
                break;
        case SLUMBER__ASSOC_MGR_QUERY__KIND__QOS:
        case _SLUMBER__ASSOC_MGR_QUERY__KIND_IS_INT_SIZE:
                for (size_t i = 0; i < a->n_qos; i++)
                        assoc_mgr_add_qos(p, a->qos[i]);
                break;
        }
}

void handle_assoc_mgr_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        Slumber__AssocMgrQuery *q = env->assoc_mgr_query;
        struct page p = { .ctl = ctl, .q = q, .viewer = viewer_of(ctl, caller) };

        if (ctl->cluster->config->accounting_off) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED,
                                "AccountingStorageType is accounting_storage/none: there are no associations");
                return;
        }
        sort_names(q->users, q->n_users, ANY_CASE);
        sort_names(q->accounts, q->n_accounts, ANY_CASE);
        sort_names(q->qos, q->n_qos, ANY_CASE);
        assoc_mgr_fill(&p);
        if (p.unknown) {
                request_park(ctl, caller, env);
        } else {
                Slumber__AssocMgrList m = SLUMBER__ASSOC_MGR_LIST__INIT;
                m.records = p.records;
                m.n_records = p.n;
                m.next = p.next;
                ENVELOPE(reply, ASSOC_MGR_LIST, assoc_mgr_list, &m);
                reply_now(&caller->from, &reply);
        }
        records_free(p.records, p.n);
}
