/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal of a step manager, and its reports to the controller.
 *
 * The start and the end of a step is a row each. A row goes into the journal first; then srun is
 * told, and the row is sent to the controller: at once, or a second after an earlier report, and
 * again after each registration until the controller acknowledges the row. The journal keeps a row
 * until the acknowledgement, and while the step's srun may ask for the step again. */
#include "agent/stepmgr/remote_sruns.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"

#include "lib/credential.h"
#include "lib/step_id.h"
#include "lib/timer.h"

#include <signal.h>

#define REPORT_EACH USEC_PER_SEC
#define REPORT_ROWS 256                /* rows of a report; a full report is sent at once */
#define ROWS_MAX    20000              /* maximum of rows not acknowledged; new steps wait */
#define BYTES_MAX   ((size_t)64 << 20) /* maximum size of rows still needed, bytes */
#define GATHER_TIME (4 * USEC_PER_SEC) /* an srun asks again every 2 s or more often */
#define TIDY_FROM   ((size_t)1 << 20)  /* minimum size of a journal to be rewritten, bytes */

/* ---- rows ---- */

static struct stepmgr_row *journal_row_keep(struct stepmgr *k, struct stepmgr_step *s,
                const Slumber__JournalEntry *e) {
        struct stepmgr_row *r = xnew0(struct stepmgr_row, 1);

        r->entry = wire_copy(&e->base);
        r->step = s;
        if (s) {
                r->next_of_step = s->rows;
                s->rows = r;
        }
        TAILQ_INSERT_TAIL(&k->rows, r, next);
        k->n_rows++;
        k->size += slumber__journal_entry__get_packed_size(e);
        return r;
}

static void journal_row_drop(struct stepmgr *k, struct stepmgr_row *r) {
        TAILQ_REMOVE(&k->rows, r, next);
        k->n_rows--;
        k->size -= slumber__journal_entry__get_packed_size(r->entry);
        slumber__journal_entry__free_unpacked(r->entry, NULL);
        free(r);
}

static bool journal_row_is_needed(const struct stepmgr *k, const struct stepmgr_row *r) {
        return r->step || r->entry->row->serial > k->acknowledged;
}

void stepmgr_rows_forget_step(struct stepmgr_step *s) {
        struct stepmgr *k = s->stepmgr;
        struct stepmgr_row *r;
        bool full = stepmgr_rows_are_full(k);

        while ((r = s->rows)) {
                s->rows = r->next_of_step;
                r->step = NULL;
                if (!journal_row_is_needed(k, r))
                        journal_row_drop(k, r);
        }
        s->row = NULL;
        if (full)
                stepmgr_retry_queue_soon(k);
}

bool stepmgr_rows_are_full(const struct stepmgr *k) {
        return k->next_serial - k->acknowledged > ROWS_MAX || k->size > BYTES_MAX;
}

/* The first row after a second of silence is sent at once: the user may ask the controller about
   the step now. */
static usec_t rows_report_delay(const struct stepmgr *k) {
        usec_t now = now_monotonic(), due = k->reported + REPORT_EACH;

        return k->reported && due > now ? due - now : 0;
}

int stepmgr_row_add(struct stepmgr *k, struct stepmgr_step *s, Slumber__StepsRow *row,
                const Slumber__StepsRow **ret, struct fail *fail) {
        Slumber__JournalEntry e = SLUMBER__JOURNAL_ENTRY__INIT;

        row->serial = k->next_serial;
        e.row = row;
        int r = journal_add(k->journal, &e, fail);
        if (r < 0 && !k->ends)
                return r;
        if (r < 0) /* the next slumberd gets the end from the step daemon */
                log_fields(LOG_WARNING, r, k->job->id, k->job->agent->node,
                                "How a step of job %u has ended is told, but not written: %s",
                                k->job->id, fail->text);
        k->next_serial++;
        *ret = journal_row_keep(k, s, &e)->entry->row;
        if (k->next_serial - k->sent > REPORT_ROWS)
                timer_arm(k->report, 0);
        else if (!timer_is_armed(k->report))
                timer_arm(k->report, rows_report_delay(k));
        return 0;
}

/* A failed write, on a full disk, loses only the order of the queue after a restart. */
void stepmgr_rows_note_queue(struct stepmgr *k, bool waits) {
        Slumber__JournalEntry e = SLUMBER__JOURNAL_ENTRY__INIT;
        struct fail fail = { 0 };

        if (waits == k->queue_written)
                return;
        e.queue = waits ? SLUMBER__JOURNAL_ENTRY__QUEUE__WAITS
                        : SLUMBER__JOURNAL_ENTRY__QUEUE__EMPTY;
        if (journal_add(k->journal, &e, &fail) >= 0)
                k->queue_written = waits;
}

/* ---- the controller ---- */

static void rows_send(struct stepmgr *k, Slumber__StepsRow **rows, size_t n) {
        Slumber__StepsReport m = SLUMBER__STEPS_REPORT__INIT;

        m.job_id = k->job->id;
        m.restarts = k->job->restarts;
        m.rows = rows;
        m.n_rows = n;
        ENVELOPE(env, STEPS_REPORT, steps_report, &m);
        upstream_send(k->job->agent, &env);
        k->reported = now_monotonic();
}

/* Sends all rows not yet sent on the present connection. */
static void rows_send_unsent(struct stepmgr *k) {
        Slumber__StepsRow *rows[REPORT_ROWS];
        struct stepmgr_row *r;
        size_t n = 0;

        TAILQ_FOREACH(r, &k->rows, next) {
                if (r->entry->row->serial <= k->sent)
                        continue;
                k->sent = r->entry->row->serial;
                rows[n++] = r->entry->row;
                if (n == REPORT_ROWS) {
                        rows_send(k, rows, n);
                        n = 0;
                }
        }
        if (n)
                rows_send(k, rows, n);
}

static void rows_report(struct stepmgr *k) {
        if (k->job->agent->welcome) /* the next registration sends the rows later */
                rows_send_unsent(k);
}

void stepmgr_rows_send_all(struct stepmgr *k) {
        if (!k->job->agent->welcome) /* registering: rows sent before may be lost */
                k->sent = k->acknowledged;
        rows_send_unsent(k);
}

static int rows_on_report_timer(sd_event_source *source, uint64_t t, void *user) {
        (void)source, (void)t;
        rows_report(user);
        return 0;
}

/* The steps are lost: the controller ends the steps that it knows, and this node kills its own
   steps. */
static void steps_report_lost(struct job *j) {
        Slumber__StepsReport m = SLUMBER__STEPS_REPORT__INIT;

        if (journal_is_there(j->id, j->restarts, "")) /* the next slumberd may read the file */
                return;
        m.job_id = j->id;
        m.restarts = j->restarts;
        m.lost = true;
        ENVELOPE(env, STEPS_REPORT, steps_report, &m);
        upstream_send(j->agent, &env);
        for (struct step *s = j->steps, *after; s; s = after) {
                Slumber__SignalJob kill = SLUMBER__SIGNAL_JOB__INIT;
                Slumber__Number number = SLUMBER__NUMBER__INIT;
                after = s->next;
                if (!step_is_home(s->name.step) || s->stepmgr_address)
                        continue;
                number.value = s->name.step;
                kill.job_id = j->id;
                kill.step = &number;
                kill.signal = SIGKILL;
                j->agent->orders->signal(j->agent, &kill);
        }
}

void stepmgr_set_record_lost(struct job *j) {
        if (j->steps_unread)
                return;
        j->steps_unread = true;
        log_fields(LOG_ERR, 0, j->id, j->agent->node,
                        "Job %u makes no more steps: %s/makers/%u.%u, which has those that it has "
                        "made, %s (scontrol requeue begins a batch job anew)",
                        j->id, j->agent->spool, j->id, j->restarts,
                        journal_is_there(j->id, j->restarts, "") ? "cannot be read" : "is gone");
        steps_report_lost(j);
}

void stepmgr_hold_queue(struct stepmgr *k) {
        if (k->queue_held)
                return;
        k->queue_held = true;
        k->queue_held_until = now_monotonic() + GATHER_TIME;
        stepmgr_arm_timer(k, k->queue_held_until);
}

/* Called after the registration, when sruns reach this node again: starts the hold of the queue. */
static void queue_start_hold(struct stepmgr *k) {
        if (!k->queue_held || k->queue_held_until)
                return;
        k->queue_held_until = now_monotonic() + GATHER_TIME;
        stepmgr_arm_timer(k, k->queue_held_until);
}

void stepmgr_send_reports_again(struct agent *a) {
        for (struct job *j = a->jobs; j; j = j->next)
                if (j->steps_unread) {
                        steps_report_lost(j);
                } else if (j->stepmgr) {
                        j->stepmgr->sent = j->stepmgr->acknowledged;
                        rows_report(j->stepmgr);
                        queue_start_hold(j->stepmgr);
                        stepmgr_retry_queue_soon(j->stepmgr); /* slurm.conf is known now */
                }
}

static void journal_entry_pack(struct journal_text *to, const Slumber__JournalEntry *e) {
        to->size = slumber__journal_entry__get_packed_size(e);
        to->data = xmalloc(MAX(to->size, (size_t)1));
        slumber__journal_entry__pack(e, to->data);
}

/* Rewrites the journal with the needed entries alone; the file stays unchanged on failure. */
static void journal_drop_old_rows(struct stepmgr *k) {
        Slumber__JournalEntry first = SLUMBER__JOURNAL_ENTRY__INIT;
        _cleanup_free_ struct journal_text *list = xnew(struct journal_text, k->n_rows + 1);
        struct fail fail = { 0 };
        struct stepmgr_row *r;
        size_t n = 0;

        first.maker = k->message;
        first.acknowledged = k->acknowledged;
        first.next_step = k->next_step;
        first.next_bcast = k->next_bcast;
        first.next_serial = k->next_serial;
        first.queue = k->queue_written ? SLUMBER__JOURNAL_ENTRY__QUEUE__WAITS
                                       : SLUMBER__JOURNAL_ENTRY__QUEUE__EMPTY;
        journal_entry_pack(&list[n++], &first);
        TAILQ_FOREACH(r, &k->rows, next)
                journal_entry_pack(&list[n++], r->entry);
        if (journal_rewrite(k->journal, list, n, &fail) < 0)
                log_fields(LOG_WARNING, 0, k->job->id, k->job->agent->node,
                                "The steps of job %u: %s", k->job->id, fail.text);
        while (n)
                free(list[--n].data);
}

void stepmgr_handle_ack(struct agent *a, const Slumber__StepsReportAck *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct stepmgr *k = j ? j->stepmgr : NULL;
        Slumber__JournalEntry e = SLUMBER__JOURNAL_ENTRY__INIT;
        struct stepmgr_row *r, *after;
        struct fail fail = { 0 };

        if (!k || m->serial <= k->acknowledged || m->serial >= k->next_serial)
                return;
        bool full = stepmgr_rows_are_full(k);
        k->acknowledged = e.acknowledged = m->serial;
        for (r = TAILQ_FIRST(&k->rows); r; r = after) {
                after = TAILQ_NEXT(r, next);
                if (!journal_row_is_needed(k, r))
                        journal_row_drop(k, r);
        }
        if (journal_size(k->journal) > TIDY_FROM && journal_size(k->journal) / 4 > k->size)
                journal_drop_old_rows(k);
        else
                /* If not written, the next slumberd sends the rows again */
                (void)journal_add(k->journal, &e, &fail);
        if (full)
                stepmgr_retry_queue_soon(k);
}

/* ---- beginning and end ---- */

static int stepmgr_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct stepmgr *k = user;

        (void)source, (void)t;
        k->later_at = USEC_INFINITY;
        stepmgr_do_due_work(k);
        return 0;
}

void stepmgr_arm_timer(struct stepmgr *k, usec_t at) {
        usec_t now = now_monotonic();

        if (at >= k->later_at)
                return;
        k->later_at = at;
        timer_arm(k->later, at > now ? at - now : 0);
}

static int queue_on_retry(sd_event_source *source, void *user) {
        (void)source;
        stepmgr_try_queue(user);
        return 0;
}

static int stepmgr_create_timers(struct stepmgr *k) {
        sd_event *event = k->job->agent->event;
        int r = timer_new(event, USEC_PER_MSEC, rows_on_report_timer, k, &k->report);

        if (r >= 0)
                r = timer_new(event, USEC_PER_MSEC, stepmgr_on_timer, k, &k->later);
        if (r >= 0)
                r = sd_event_add_defer(event, &k->retry, queue_on_retry, k);
        return r < 0 ? r : sd_event_source_set_enabled(k->retry, SD_EVENT_OFF);
}

static void stepmgr_free(struct stepmgr *k) {
        while (!TAILQ_EMPTY(&k->steps))
                stepmgr_step_free(TAILQ_FIRST(&k->steps));
        remote_sruns_free_of_job(k->job->agent, k->job);
        while (!TAILQ_EMPTY(&k->rows))
                journal_row_drop(k, TAILQ_FIRST(&k->rows));
        sd_event_source_disable_unref(k->report);
        sd_event_source_disable_unref(k->later);
        sd_event_source_disable_unref(k->retry);
        stepmgr_job_free(k->model);
        credential_key_free(k->key);
        for (size_t i = 0; k->addresses && i < k->message->n_nodes; i++)
                free(k->addresses[i]);
        free(k->addresses);
        journal_free(k->journal);
        if (k->message)
                slumber__step_maker__free_unpacked(k->message, NULL);
        free(k);
}

/* Stores the addresses of the job's nodes, and the index of this node. */
static int stepmgr_read_nodes(struct stepmgr *k, struct fail *fail) {
        const Slumber__StepMaker *m = k->message;
        bool found = false;

        k->addresses = xnew(char *, m->n_nodes);
        for (size_t i = 0; i < m->n_nodes; i++) {
                k->addresses[i] = xstrdup(m->nodes[i]->address);
                if (!streq(m->nodes[i]->name, k->job->agent->node))
                        continue;
                k->home = (uint32_t)i;
                found = true;
        }
        if (!found)
                return fail_set(fail, -EBADMSG, "this node is none of the job's");
        if (m->n_nodes > 1 && credential_key_of_seed(m->key.data, m->key.len, &k->key) < 0)
                return fail_set(fail, -EBADMSG, "it has no key for the job's other nodes");
        return 0;
}

/* Takes message, also when it fails. */
static int stepmgr_new(struct job *j, Slumber__StepMaker *message, struct stepmgr **ret,
                struct fail *fail) {
        struct stepmgr *k = xnew0(struct stepmgr, 1);

        TAILQ_INIT(&k->steps);
        TAILQ_INIT(&k->rows);
        k->job = j;
        k->message = message;
        k->next_serial = 1;
        k->later_at = USEC_INFINITY;
        k->model = stepmgr_job_new(message, fail);
        int r = k->model ? stepmgr_create_timers(k) : -EBADMSG;
        if (r >= 0)
                r = stepmgr_read_nodes(k, fail);
        if (r == -EBADMSG)
                fail_prefix(fail, r, "the controller's StepMaker");
        else if (r < 0)
                fail_set(fail, r, "cannot watch over steps: %s", strerror(-r));
        if (r < 0) {
                stepmgr_free(k);
                return r;
        }
        *ret = k;
        return 0;
}

int stepmgr_begin(struct job *j, Slumber__StepMaker *message, struct fail *fail) {
        Slumber__JournalEntry first = SLUMBER__JOURNAL_ENTRY__INIT;
        struct stepmgr *k = NULL;

        if (j->stepmgr) {
                slumber__step_maker__free_unpacked(message, NULL);
                return 0;
        }
        j->steps_unread |= journal_is_there(j->id, j->restarts, JOURNAL_UNREAD);
        if (j->steps_unread) {
                slumber__step_maker__free_unpacked(message, NULL);
                return fail_set(fail, -EBADMSG, "what it has made before cannot be read");
        }
        int r = stepmgr_new(j, message, &k, fail);
        if (r < 0)
                return r;
        first.maker = k->message;
        first.next_step = k->next_step;
        first.next_serial = k->next_serial;
        r = journal_create(j->id, j->restarts, &first, &k->journal, fail);
        if (r < 0)
                stepmgr_free(k);
        else
                j->stepmgr = k;
        return r;
}

void stepmgr_end(struct job *j) {
        struct stepmgr *k = j->stepmgr;

        if (!k)
                return;
        stepmgr_release_steps(k);
        journal_remove(k->journal);
        j->stepmgr = NULL;
        stepmgr_free(k);
}

void stepmgr_stop(struct job *j) {
        if (j->stepmgr)
                stepmgr_free(TAKE(j->stepmgr));
}

void stepmgr_retry_job(struct job *j) {
        if (j->stepmgr)
                stepmgr_retry_queue_soon(j->stepmgr);
}

void stepmgr_set_suspended(struct job *j, bool halted) {
        if (!j->stepmgr)
                return;
        j->stepmgr->halted = halted;
        j->stepmgr->state_unknown = false;
        stepmgr_retry_queue_soon(j->stepmgr);
}

bool stepmgr_is_suspended(const struct job *j) {
        return j->stepmgr && (j->stepmgr->halted || j->stepmgr->state_unknown);
}

bool stepmgr_settle_job(struct job *j) {
        if (!j->stepmgr)
                return true;
        bool all = stepmgr_end_steps(j->stepmgr);
        stepmgr_rows_send_all(j->stepmgr);
        return all;
}

/* ---- after a restart ---- */

struct adoption {
        struct job *job;
        struct stepmgr *maker;
        struct fail *fail;
};

static struct stepmgr_step *restored_step_find(struct stepmgr *k, uint32_t step) {
        struct stepmgr_step *s;

        TAILQ_FOREACH(s, &k->steps, next)
                if (s->row->step_id == step)
                        break;
        return s;
}

/* The number is in use: the next step gets a higher number. */
static void step_number_reserve(struct stepmgr *k, uint32_t step) {
        if (step >= STEP_BCAST_FIRST)
                k->next_bcast = MAX(k->next_bcast, step - STEP_BCAST_FIRST + 1);
        else
                k->next_step = MAX(k->next_step, step + 1);
}

static int journal_restore_row(struct stepmgr *k, const Slumber__JournalEntry *e) {
        const Slumber__StepsRow *row = e->row;
        struct stepmgr_step *s = row->ended ? restored_step_find(k, row->ended->step_id) : NULL;

        if (!row->serial || (!row->made && !row->ended))
                return -EBADMSG;
        k->next_serial = MAX(k->next_serial, row->serial + 1);
        if (row->made) {
                if (restored_step_find(k, row->made->step_id))
                        return -EBADMSG;
                step_number_reserve(k, row->made->step_id);
                s = stepmgr_step_new(k);
                s->started = true;
        }
        const Slumber__StepsRow *kept = journal_row_keep(k, s, e)->entry->row;
        int r = row->made ? stepmgr_step_restore(s, kept->made) : 0;
        if (r < 0)
                return r;
        return row->ended && s ? stepmgr_step_restore_end(s, kept->ended) : 0;
}

static int journal_restore_entry(const Slumber__JournalEntry *e, void *user) {
        struct adoption *a = user;

        if (e->maker) {
                int r = stepmgr_new(a->job, wire_copy(&e->maker->base), &a->maker, a->fail);
                if (r < 0)
                        return r;
                a->maker->next_step = MAX(a->maker->next_step, e->next_step);
                a->maker->next_bcast = e->next_bcast;
                a->maker->next_serial = MAX(a->maker->next_serial, e->next_serial);
        }
        a->maker->acknowledged = MAX(a->maker->acknowledged, e->acknowledged);
        if (e->queue != SLUMBER__JOURNAL_ENTRY__QUEUE__UNSAID)
                a->maker->queue_written = e->queue == SLUMBER__JOURNAL_ENTRY__QUEUE__WAITS;
        return e->row ? journal_restore_row(a->maker, e) : 0;
}

int stepmgr_restore(struct job *j, struct fail *fail) {
        struct adoption adoption = { .job = j, .fail = fail };
        struct journal *journal = NULL;
        int r = journal_open(j->id, j->restarts, journal_restore_entry, &adoption, &journal, fail);

        if (r >= 0) {
                adoption.maker->journal = journal;
                adoption.maker->sent = adoption.maker->acknowledged;
                j->stepmgr = adoption.maker;
                j->stepmgr->state_unknown = true;
                j->stepmgr->queue_held = j->stepmgr->queue_written;
                j->adopted = true;
                j->uid = adoption.maker->message->credential->uid;
                stepmgr_await_sruns(adoption.maker);
                return 0;
        }
        if (adoption.maker)
                stepmgr_free(adoption.maker);
        if (r == -EBADMSG) /* the next slumberd may succeed after other errors */
                journal_put_aside(j->id, j->restarts, fail);
        return r;
}
