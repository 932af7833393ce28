/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the accounting file for ended jobs and steps: no row is lost or written twice.
 *
 *   a run ends               core makes effect.ended
 *   save_changes()           job_rows_note() stores the row in the state (table STORE_ENDED), in
 *                            the batch that has the end
 *   the batch is durable     SEND_PAUSE later all collected rows are sent to the accounting file
 *   the file is synced       the rows are deleted from STORE_ENDED
 *
 * So a row is in the state together with the end, until the accounts have the row for good.  Rows
 * left by a kill are sent again at the next start.  The row's number is the key in both files, and
 * an existing row is overwritten.  The number is the time of creation, so that a number is never
 * used twice, even if either file is replaced.
 *
 * A query of the accounts is answered when all rows of earlier ends are in the file; waiting
 * queries make the rows go without SEND_PAUSE.
 *
 * Scripts kept by AccountingStoreFlags take the same way from their submission on.
 *
 * While the accounting file cannot be written, rows wait in memory; rows beyond WAITING_MAX stay
 * only in the state until the next start. */
#include "controller/records/job_rows.h"

#include "controller/loop/controller.h"

#include "controller/ended/ended.h"
#include "controller/ended/ended_step.h"
#include "controller/indexes/array.h"
#include "controller/indexes/trigger_events.h"
#include "controller/loop/wall_clock.h"
#include "controller/records/ended_rows.h"
#include "controller/store/accounting.h"
#include "lib/log.h"

#define SEND_PAUSE    (100 * USEC_PER_MSEC) /* a sync for ten rows costs as much as for one */
#define PURGE_PAUSE   (3600 * USEC_PER_SEC)
#define WAITING_MAX   100000              /* about 200 MB */
#define WAITING_BYTES ((size_t)256 << 20) /* limit for long scripts and environments */

struct row {
        /* batch: must be durable before the row is sent; UNSEALED: not numbered yet */
        uint64_t id, batch;
        struct accounting_row row;
        size_t size; /* bytes */
};
#define UNSEALED UINT64_MAX

struct waiter { /* a query waiting for all rows up to id */
        uint64_t id;
        job_rows_ready ready;
        void *user;
};

struct job_rows {
        struct row *list; /* sorted by id, and so by batch */
        size_t n, allocated;
        size_t bytes;   /* sum of sizes */
        uint64_t *sent; /* ids of rows now being written */
        size_t n_sent;
        uint64_t last;    /* last id */
        uint64_t durable; /* last durable batch */
        size_t left;      /* number of rows only in the state */
        size_t given_up;  /* rows only in the state because a write failed */
        usec_t purged;    /* last purge; 0: none */
        sd_event_source *timer;
        bool armed;
        struct waiter *waiters; /* sorted by id */
        size_t n_waiters, a_waiters;
};

/* ---- a row ---- */

static struct accounting_row job_row_make(uint64_t id, const Slumber__Ended *m) {
        enum ended_kind kind = m->step ? ENDED_STEP : m->script ? ENDED_SCRIPT : ENDED_JOB;
        const void *const parts[ENDED_KIND_MAX] = {
                [ENDED_JOB] = m,
                [ENDED_STEP] = m->step,
                [ENDED_SCRIPT] = m->script,
        };
        return (struct accounting_row){ .table = ended_table(kind),
                .columns = ended_columns_written(kind),
                .n = ended_n_columns(kind),
                .values = ended_row_make(kind, id, parts[kind]) };
}

static void row_done(struct accounting_row *row) {
        texts_free(row->values, row->n);
}

static void fill_message(Slumber__Ended *m, const struct ended *e) {
        slumber__ended__init(m);
#define X(field) m->field = e->field;
        ENDED_TEXTS(X) ENDED_NUMBERS(X) ENDED_TIMES(X)
#undef X
}

/* ---- into the state ---- */

static void job_rows_add(struct job_rows *w, uint64_t id, uint64_t batch, const Slumber__Ended *m,
                size_t size) {
        if (w->n >= WAITING_MAX || (w->n && w->bytes + size > WAITING_BYTES)) {
                if (w->left++ == 0)
                        log_warning(0, "%zu rows wait to be written to the accounts; from now on they go there at the next start",
                                        w->n);
                return;
        }
        GROW(w->list, w->allocated, w->n);
        w->list[w->n++] = (struct row){ id, batch, job_row_make(id, m), size };
        w->bytes += size;
}

static void note_row(struct controller *ctl, const Slumber__Ended *m) {
        struct job_rows *w = ctl->job_rows;

        w->last = MAX(w->last + 1, now_realtime());
        size_t size = slumber__ended__get_packed_size(m);
        uint8_t *data = xmalloc(size);
        slumber__ended__pack(m, data);
        store_put(ctl->store, STORE_ENDED, NULL, w->last, data, size);
        size_t left = w->left;
        job_rows_add(w, w->last, UNSEALED, m, size);
        if (w->left > left && left == 0)
                trigger_note(ctl->cluster, TRIGGER_ACCT_FULL, controller_now(ctl));
}

void job_rows_note(struct controller *ctl, const struct ended *e) {
        Slumber__Ended m;

        if (!ctl->job_rows)
                return;
        fill_message(&m, e);
        note_row(ctl, &m);
}

void job_rows_note_step(struct controller *ctl, const struct ended_step *e) {
        Slumber__Ended m = SLUMBER__ENDED__INIT;
        Slumber__EndedStep step = SLUMBER__ENDED_STEP__INIT;

        if (!ctl->job_rows)
                return;
#define X(field) step.field = e->field;
        ENDED_STEP_TEXTS(X)
        ENDED_STEP_NUMBERS(X)
        ENDED_STEP_TIMES(X)
#undef X
        m.step = &step;
        note_row(ctl, &m);
}

void job_rows_note_script(struct controller *ctl, const struct job *j,
                const Slumber__JobScript *script) {
        unsigned flags = ctl->cluster->config->store_flags;
        bool text = flags & KEEP_SCRIPT, environment = flags & KEEP_ENVIRONMENT;
        Slumber__Ended m = SLUMBER__ENDED__INIT;
        Slumber__KeptScript kept = SLUMBER__KEPT_SCRIPT__INIT;

        if (!ctl->job_rows || (!text && !environment))
                return;
        _cleanup_free_ char *lines = ended_lines(script->environment,
                        environment ? script->n_environment : 0);
        _cleanup_free_ char *whole = xstrndup((const char *)script->script.data,
                        text ? script->script.len : 0);
        kept.script = whole;
        kept.environment = lines;
        kept.job_id = job_script_id(j);
        kept.uid = j->uid;
        kept.time_submit = j->submit_time;
        m.script = &kept;
        note_row(ctl, &m);
}

size_t job_rows_left(const struct controller *ctl) {
        return ctl->job_rows ? ctl->job_rows->n : 0;
}

bool job_rows_lack(const struct controller *ctl) {
        const struct job_rows *w = ctl->job_rows;

        return w && (w->left || w->given_up);
}

void job_rows_seal(struct controller *ctl, uint64_t batch) {
        struct job_rows *w = ctl->job_rows;

        for (size_t i = w ? w->n : 0; i-- > 0 && w->list[i].batch == UNSEALED;)
                w->list[i].batch = batch;
}

/* ---- to the accounts ---- */

/* Sends at once if a query waits. */
static void job_rows_arm(struct job_rows *w) {
        if (w->armed && !w->n_waiters)
                return;
        w->armed = true;
        (void)sd_event_source_set_time_relative(w->timer, w->n_waiters ? 0 : SEND_PAUSE);
        (void)sd_event_source_set_enabled(w->timer, SD_EVENT_ONESHOT);
}

/* Answers queries whose rows are written or have failed. */
static void job_rows_answer(struct job_rows *w) {
        size_t n = 0;

        while (n < w->n_waiters && (w->n == 0 || w->list[0].id > w->waiters[n].id))
                n++;
        for (size_t i = 0; i < n; i++)
                w->waiters[i].ready(true, w->waiters[i].user);
        w->n_waiters -= n;
        if (n)
                memmove(w->waiters, w->waiters + n, w->n_waiters * sizeof *w->waiters);
}

void job_rows_wait(struct controller *ctl, job_rows_ready ready, void *user) {
        struct job_rows *w = ctl->job_rows;

        if (!w || (w->n == 0 && !w->n_sent)) {
                ready(true, user);
                return;
        }
        GROW(w->waiters, w->a_waiters, w->n_waiters);
        w->waiters[w->n_waiters++] = (struct waiter){ w->last, ready, user };
        if (!w->n_sent && w->list[0].batch <= w->durable)
                job_rows_arm(w);
}

static void on_written(int r, const char *why, void *user) {
        struct controller *ctl = user;
        struct job_rows *w = ctl->job_rows;

        if (r < 0) {
                w->given_up += w->n_sent;
                log_error(r, "The ends of %zu jobs are not in the accounts; they go there at the next start: %s",
                                w->n_sent, why);
        }
        for (size_t i = 0; i < w->n_sent && r >= 0 && ctl->store; i++)
                store_delete(ctl->store, STORE_ENDED, NULL, w->sent[i]);
        free(TAKE(w->sent));
        w->n_sent = 0;
        if (!ctl->store)
                return;
        job_rows_answer(w);
        if (r >= 0)
                controller_changed(ctl);
        if (w->n && w->list[0].batch <= w->durable)
                job_rows_arm(w);
}

/* SQL condition for scripts to keep: the job is known, or still in the accounts. */
static char *kept_scripts(const struct cluster *c, usec_t below) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        fputs("EXISTS (SELECT 1 FROM job WHERE job.job_id = script.job_id)"
              " OR EXISTS (SELECT 1 FROM job WHERE job.array_job = script.job_id) OR job_id IN (0",
                        out);
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && c->jobs[i].job->submit_time < below)
                        fprintf(out, ",%u", job_script_id(c->jobs[i].job));
        fputc(')', out);
        memstream_close(out);
        return text;
}

/* purge_jobs_after in slumber.yaml.  Runs from time to time while jobs end; without ends nothing
   grows. */
static void job_rows_purge(struct controller *ctl) {
        usec_t age = ctl->cluster->config->site.purge_jobs_after, now = controller_now(ctl);
        struct job_rows *w = ctl->job_rows;

        if (!age || now < age || (w->purged && now - w->purged < PURGE_PAUSE))
                return;
        w->purged = now;
        double below = (double)(now - age) / (double)USEC_PER_SEC;
        accounting_purge(ctl->accounting, "job", "time_end", below, NULL);
        accounting_purge(ctl->accounting, "step", "time_end", below, NULL);
        accounting_purge(ctl->accounting, "script", "time_submit", below,
                        kept_scripts(ctl->cluster, now - age));
}

/* Sends all durable rows; only a single write is under way. */
static void job_rows_send(struct controller *ctl) {
        struct job_rows *w = ctl->job_rows;
        struct accounting_row *rows;
        size_t n = 0;

        while (n < w->n && w->list[n].batch <= w->durable)
                n++;
        if (n == 0 || w->n_sent)
                return;
        rows = xnew(struct accounting_row, n);
        w->sent = xnew(uint64_t, n);
        w->n_sent = n;
        for (size_t i = 0; i < n; i++) {
                rows[i] = w->list[i].row;
                w->sent[i] = w->list[i].id;
                w->bytes -= w->list[i].size;
        }
        memmove(w->list, w->list + n, (w->n - n) * sizeof *w->list);
        w->n -= n;
        accounting_rows_write(ctl->accounting, rows, n, on_written, ctl);
        job_rows_purge(ctl);
}

static int job_rows_on_timer(sd_event_source *s, uint64_t usec, void *user) {
        struct controller *ctl = user;

        ctl->job_rows->armed = false;
        job_rows_send(ctl);
        return 0;
}

void job_rows_durable(struct controller *ctl, uint64_t batch) {
        struct job_rows *w = ctl->job_rows;

        if (!w)
                return;
        w->durable = batch;
        if (w->n && w->list[0].batch <= batch && !w->n_sent)
                job_rows_arm(w);
}

/* ---- start and end ---- */

static int job_rows_load_row(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct job_rows *w = user;
        Slumber__Ended *m = slumber__ended__unpack(NULL, size, data);

        w->last = MAX(w->last, number);
        if (m)
                job_rows_add(w, number, 0, m, size);
        else
                log_warning(0, "Row %llu of a job that is over cannot be read: it is not written to the accounts",
                                (unsigned long long)number);
        slumber__ended__free_unpacked(m, NULL);
        return 0;
}

int job_rows_open(struct controller *ctl, struct fail *fail) {
        if (!ctl->accounting)
                return 0;
        ctl->job_rows = xnew0(struct job_rows, 1);
        ctl->cluster->keeps_ended = true;
        ctl->cluster->keeps_steps = true;
        ctl->cluster->pasts.kept = true;
        int r = sd_event_add_time_relative(ctl->event, &ctl->job_rows->timer, CLOCK_BOOTTIME, 0, 1,
                        job_rows_on_timer, ctl);
        if (r < 0)
                return fail_set(fail, r, "cannot make event sources: %s", strerror(-r));
        (void)sd_event_source_set_enabled(ctl->job_rows->timer, SD_EVENT_OFF);
        r = store_load(ctl->store, STORE_ENDED, job_rows_load_row, ctl->job_rows, fail);
        if (r >= 0 && ctl->job_rows->n)
                job_rows_arm(ctl->job_rows);
        return r;
}

void job_rows_close(struct controller *ctl) {
        if (ctl->job_rows && !ctl->job_rows->n_sent)
                job_rows_send(ctl);
}

void job_rows_free(struct controller *ctl) {
        struct job_rows *w = TAKE(ctl->job_rows);

        if (!w)
                return;
        for (size_t i = 0; i < w->n; i++)
                row_done(&w->list[i].row);
        for (size_t i = 0; i < w->n_waiters; i++)
                w->waiters[i].ready(false, w->waiters[i].user);
        free(w->waiters);
        sd_event_source_disable_unref(w->timer);
        free(w->list);
        free(w->sent);
        free(w);
}
