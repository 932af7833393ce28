/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the accounts about a few ids at a time.  Rows arrive in pages, so that the loop is not
 * delayed, and are passed to jobs/past.h when all pages are there.  The answer about a job that has
 * just ended is complete, because a job is removed only after its rows have been handed over.  If
 * some rows go to the accounts only at the next start (job_rows_lack()), there is no answer before.
 */
#include "controller/records/past_question.h"

#include "controller/jobs/dependency.h"
#include "controller/jobs/past.h"
#include "controller/loop/wall_clock.h"
#include "controller/records/job_rows.h"
#include "controller/store/accounting.h"
#include "lib/log.h"
#include "lib/sorted.h"

#define IDS_AT_ONCE 16 /* each id may be an array with a row per task */
#define PAGE_ROWS   2000

struct wanted {
        uint32_t id, uid; /* uid: owner of the (first) dependent job */
};

struct past_question {
        struct controller *ctl;
        struct wanted *ids; /* ids for the next question */
        size_t n_ids, a_ids;
        uint32_t last_uid;           /* the user served last */
        uint32_t asked[IDS_AT_ONCE]; /* ids of the present question, sorted */
        size_t n_asked;
        bool under_way;
        bool is_told; /* the failure to read the accounts is logged */
};

static const char *const columns[] = { "id", "job_id", "array_job", "array_task", "het_job",
        "het_offset", "uid", "account", "state", "time_submit", "time_start", "array_tasks" };
enum column {
        ROW,
        JOB,
        ARRAY_JOB,
        ARRAY_TASK,
        HET_JOB,
        HET_OFFSET,
        OWNER,
        ACCOUNT,
        STATE,
        SUBMIT,
        START,
        TASKS,
};

static char *ids_text(const uint32_t *ids, size_t n) {
        char *text = xmalloc(n * 11 + 1), *p = text;

        *p = 0;
        for (size_t i = 0; i < n; i++)
                p += sprintf(p, "%s%u", i ? "," : "", ids[i]);
        return text;
}

/* Each condition has an index followed by the row's id, so that a page costs only the rows left.
   Selects only this cluster; the cluster name was checked and needs no quoting. */
static char *past_query_condition(const struct past_question *q, uint64_t after) {
        _cleanup_free_ char *ids = ids_text(q->asked, q->n_asked);
        unsigned long long above = after;

        return xasprintf("cluster IN ('', '%s') AND id IN ("
                         "SELECT id FROM job WHERE job_id IN (%s) AND id > %llu"
                         " UNION SELECT id FROM job WHERE array_job IN (%s) AND id > %llu"
                         " UNION SELECT id FROM job WHERE het_job > 0 AND het_job IN (%s)"
                         " AND id > %llu)",
                        q->ctl->cluster->config->cluster_name, ids, above, ids, above, ids, above);
}

/* Converts seconds with fractions. */
static usec_t past_time_parse(const char *text) {
        double t = strtod(text, NULL);

        return t > 0 ? (usec_t)(t * (double)USEC_PER_SEC + 0.5) : 0;
}

static void past_add_row(struct past_question *q, uint32_t id, const struct past_row *row) {
        struct past *p = id && sorted_has_number(q->asked, q->n_asked, id)
                                         ? past_of(q->ctl->cluster, id)
                                         : NULL;

        if (p && !p->told)
                past_add(p, row);
}

static void hear_row(struct past_question *q, char **values) {
        uint32_t job = (uint32_t)strtoul(values[JOB], NULL, 10);
        long long task = strtoll(values[ARRAY_TASK], NULL, 10);
        struct past_row row = {
                .row = strtoull(values[ROW], NULL, 10),
                .array_job = (uint32_t)strtoul(values[ARRAY_JOB], NULL, 10),
                .het_job = (uint32_t)strtoul(values[HET_JOB], NULL, 10),
                .completed = streq(values[STATE], "COMPLETED"),
                .uid = (uint32_t)strtoul(values[OWNER], NULL, 10),
                .account = isempty(values[ACCOUNT]) ? NULL : values[ACCOUNT],
                .submit = past_time_parse(values[SUBMIT]),
                .start = past_time_parse(values[START]),
                .array_tasks = values[TASKS],
        };

        row.part = row.het_job ? (uint32_t)strtoul(values[HET_OFFSET], NULL, 10)
                   : task < 0  ? PAST_REST
                               : (uint32_t)task;
        past_add_row(q, job, &row);
        if (row.array_job != job)
                past_add_row(q, row.array_job, &row);
        if (row.het_job != job)
                past_add_row(q, row.het_job, &row);
}

static void past_query_send(struct past_question *q);

static void end_question(struct past_question *q, bool heard) {
        struct cluster *c = q->ctl->cluster;
        usec_t now = controller_now(q->ctl);

        for (size_t i = 0; i < q->n_asked; i++) {
                struct past *p = past_of(c, q->asked[i]);
                if (p && heard) {
                        past_settle(p);
                        dependencies_told(c, q->asked[i], now);
                } else if (p) {
                        dependencies_untold(c, q->asked[i], now);
                }
        }
        q->under_way = false;
        controller_changed(q->ctl);
        past_query_send(q);
}

static void ask_page(struct past_question *q, uint64_t after);

static void past_query_on_rows(int r, const char *why, char **const *rows, size_t n, bool more,
                void *user) {
        struct past_question *q = user;

        if (!q->ctl->store) { /* the controller ends: its successor asks again */
                q->under_way = false;
                return;
        }
        if (r < 0 && !q->is_told)
                log_error(r, "The accounts do not say how jobs ended that others wait for; they are asked again: %s",
                                why);
        q->is_told = r < 0;
        for (size_t i = 0; i < n && r >= 0; i++)
                hear_row(q, rows[i]);
        if (r >= 0 && more && n)
                ask_page(q, strtoull(rows[n - 1][ROW], NULL, 10));
        else
                end_question(q, r >= 0 && !job_rows_lack(q->ctl));
}

static void ask_page(struct past_question *q, uint64_t after) {
        const struct accounting_find find = { .table = "job",
                .columns = columns,
                .n = ELEMENTSOF(columns),
                .where = past_query_condition(q, after),
                .limit = PAGE_ROWS };

        accounting_find(q->ctl->accounting, &find, past_query_on_rows, q);
}

static void rows_are_there(bool there, void *user) {
        struct past_question *q = user;

        if (there)
                ask_page(q, 0);
        else
                q->under_way = false;
}

/* Users take turns by uid: no user waits for all ids of one other user. */
static uint32_t take_next(struct past_question *q) {
        uint32_t after = q->last_uid + 1;
        size_t best = 0;

        for (size_t i = 1; i < q->n_ids; i++)
                if (q->ids[i].uid - after < q->ids[best].uid - after)
                        best = i;
        struct wanted taken = q->ids[best];
        q->n_ids--;
        memmove(q->ids + best, q->ids + best + 1, (q->n_ids - best) * sizeof q->ids[0]);
        q->last_uid = taken.uid;
        return taken.id;
}

static void past_query_send(struct past_question *q) {
        if (q->under_way || q->n_ids == 0)
                return;
        for (q->n_asked = 0; q->n_ids && q->n_asked < IDS_AT_ONCE;)
                q->asked[q->n_asked++] = take_next(q);
        sort_numbers(q->asked, &q->n_asked);
        q->under_way = true;
        job_rows_wait(q->ctl, rows_are_there, q);
}

void past_question_add(struct controller *ctl, const struct effect *fx) {
        struct past_question *q = ctl->past_question;

        if (!q) {
                q = ctl->past_question = xnew0(struct past_question, 1);
                q->ctl = ctl;
        }
        const struct past *p = past_of(ctl->cluster, fx->job);
        const struct job *j = p && p->n_waiting ? cluster_job(ctl->cluster, p->waiting[0]) : NULL;

        GROW(q->ids, q->a_ids, q->n_ids);
        q->ids[q->n_ids++] = (struct wanted){ fx->job, j ? j->uid : 0 };
        past_query_send(q);
}

void past_question_free(struct controller *ctl) {
        struct past_question *q = TAKE(ctl->past_question);

        if (!q)
                return;
        free(q->ids);
        free(q);
}
