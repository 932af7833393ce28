/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct: ended jobs and steps, from the accounts. The query becomes an SQL condition of numbers and
   of account names as sql_quoted(). */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/records/ended_rows.h"
#include "controller/records/job_rows.h"
#include "controller/requests/handlers.h"
#include "controller/store/accounting.h"

#define PAGE_ENDED 2000
#define IDS_MAX    10000 /* per request */

struct asking {
        bool steps;
        struct address to;
        struct controller *ctl;
        struct accounting_find find; /* find.where is taken over by accounting_find() */
};

static void ended_send_page(const struct asking *q, Slumber__EndedList *m, bool more) {
        m->more = more;
        m->now = controller_now(q->ctl);
        ENVELOPE(env, ENDED_LIST, ended_list, m);
        reply_now(&q->to, &env);
}

static void ended_reply_jobs(const struct asking *q, char **const *rows, size_t n, bool more) {
        Slumber__EndedList m = SLUMBER__ENDED_LIST__INIT;
        _cleanup_free_ Slumber__Ended *list = xnew(Slumber__Ended, n);
        _cleanup_free_ Slumber__Ended **pointers = xnew(Slumber__Ended *, n);

        for (size_t i = 0; i < n; i++) {
                slumber__ended__init(&list[i]);
                ended_row_read(ENDED_JOB, rows[i], &list[i]);
                pointers[i] = &list[i];
        }
        m.jobs = pointers;
        m.n_jobs = n;
        ended_send_page(q, &m, more);
}

static void ended_reply_steps(const struct asking *q, char **const *rows, size_t n, bool more) {
        Slumber__EndedList m = SLUMBER__ENDED_LIST__INIT;
        _cleanup_free_ Slumber__EndedStep *list = xnew(Slumber__EndedStep, n);
        _cleanup_free_ Slumber__EndedStep **pointers = xnew(Slumber__EndedStep *, n);

        for (size_t i = 0; i < n; i++) {
                slumber__ended_step__init(&list[i]);
                ended_row_read(ENDED_STEP, rows[i], &list[i]);
                pointers[i] = &list[i];
        }
        m.steps = pointers;
        m.n_steps = n;
        ended_send_page(q, &m, more);
}

static void ended_on_rows(int r, const char *why, char **const *rows, size_t n, bool more,
                void *user) {
        struct asking *q = user;

        if (r < 0)
                reply_result(q->ctl, &q->to, SLUMBER_FAILED, why);
        else
                (q->steps ? ended_reply_steps : ended_reply_jobs)(q, rows, n, more);
        address_done(&q->to);
        free(q);
}

static void sql_append(char **text, char *more) {
        char *all = xasprintf("%s%s", *text, more);

        free(*text);
        free(more);
        *text = all;
}

static char *numbers_text(const uint32_t *list, size_t n) {
        char *text = xmalloc(n * 11 + 1), *p = text;

        *p = 0;
        for (size_t i = 0; i < n; i++)
                p += sprintf(p, "%s%u", i ? "," : "", list[i]);
        return text;
}

/* Returns an account name as an SQL string; the caller frees. */
static char *sql_quoted(const char *name) {
        char *text = xmalloc(strlen(name) * 2 + 3), *to = text;

        *to++ = '\'';
        for (const char *p = name; *p; p++) {
                if (*p == '\'')
                        *to++ = '\'';
                *to++ = *p;
        }
        strcpy(to, "'");
        return text;
}

/* Returns the accounts that v coordinates as an SQL list, starting with "NULL", which matches no
   account. */
static char *sql_coordinated_accounts(const struct viewer *v) {
        const struct acct *a = &v->c->acct;
        char *text = xstrdup("NULL");

        for (size_t i = 0; i < a->n_assocs; i++) {
                if (a->assocs[i]->user || !viewer_sees_assoc(v, a->assocs[i], PRIVATE_JOBS))
                        continue;
                _cleanup_free_ char *name = sql_quoted(a->assocs[i]->account);
                sql_append(&text, xasprintf(",%s", name));
        }
        return text;
}

/* Returns the running jobs of other users visible to v: such jobs have no row yet, but perhaps rows
   of steps. */
static char *sql_visible_active(const struct viewer *v) {
        const struct cluster *c = v->c;
        _cleanup_free_ uint32_t *ids = xnew(uint32_t, c->n_active + 1);
        size_t n = 0;

        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->uid != v->caller.uid && viewer_sees_job(v, c->active[i]))
                        ids[n++] = c->active[i]->id;
        return numbers_text(ids, n);
}

/* Returns the condition for visible rows: v's own, and the rows of coordinated accounts. Rows of
   steps have no account, so the rows of the jobs are asked. */
static char *sql_visible_rows(const struct viewer *v, bool steps) {
        _cleanup_free_ char *accounts = sql_coordinated_accounts(v),
                            *active = sql_visible_active(v);

        if (!steps)
                return xasprintf(" AND (uid = %u OR account IN (%s))", (unsigned)v->caller.uid,
                                accounts);
        return xasprintf(" AND (uid = %u OR job_id IN (%s) OR EXISTS (SELECT 1 FROM job"
                         " WHERE job.job_id = step.job_id AND job.account IN (%s)))",
                        (unsigned)v->caller.uid, active, accounts);
}

static char *ended_condition(const Slumber__EndedQuery *q, const struct viewer *v) {
        char *text = xasprintf("id > %llu", (unsigned long long)MIN(q->after, (uint64_t)INT64_MAX));
        _cleanup_free_ char *ids = numbers_text(q->job_ids, q->n_job_ids),
                            *uids = numbers_text(q->uids, q->n_uids);

        if (v->caller.hidden & PRIVATE_JOBS)
                sql_append(&text, sql_visible_rows(v, q->steps));
        if (q->n_job_ids)
                /* running components have rows of steps, but no row of the job yet */
                sql_append(&text,
                                xasprintf(" AND (job_id IN (%s) OR array_job IN (%s) OR (het_job > 0"
                                          " AND (het_job IN (%s) OR het_job IN (SELECT het_job FROM job"
                                          " WHERE job_id IN (%s)))))",
                                                ids, ids, ids, ids));
        if (q->n_uids)
                sql_append(&text, xasprintf(" AND uid IN (%s)", uids));
        if (q->time_start)
                sql_append(&text,
                                xasprintf(" AND time_end >= %llu.%06llu",
                                                (unsigned long long)(q->time_start / USEC_PER_SEC),
                                                (unsigned long long)(q->time_start %
                                                                     USEC_PER_SEC)));
        if (q->time_end)
                sql_append(&text,
                                xasprintf(" AND %s < %llu.%06llu",
                                                q->steps ? "time_start" : "time_queued",
                                                (unsigned long long)(q->time_end / USEC_PER_SEC),
                                                (unsigned long long)(q->time_end % USEC_PER_SEC)));
        return text;
}

static void ask_now(bool there, void *user) {
        struct asking *q = user;

        if (there) {
                accounting_find(q->ctl->accounting, &q->find, ended_on_rows, q);
                return;
        }
        free(q->find.where);
        address_done(&q->to);
        free(q);
}

void handle_ended_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__EndedQuery *q = env->ended_query;
        const struct viewer viewer = viewer_of(ctl, caller);
        enum ended_kind kind = q->steps ? ENDED_STEP : ENDED_JOB;

        if (!ctl->accounting) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED,
                                "AccountingStorageType is accounting_storage/none: nothing is kept");
                return;
        }
        if (q->n_job_ids > IDS_MAX || q->n_uids > IDS_MAX) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED,
                                "more jobs or users are named than one request may");
                return;
        }
        struct asking *asking = xnew(struct asking, 1);
        *asking = (struct asking){ .steps = q->steps,
                .to = address_copy(&caller->from),
                .ctl = ctl };
        asking->find = (struct accounting_find){ .table = ended_table(kind),
                .columns = ended_columns_read(kind),
                .n = ended_n_columns(kind),
                .where = ended_condition(q, &viewer),
                .limit = PAGE_ENDED };
        job_rows_wait(ctl, ask_now, asking);
}
