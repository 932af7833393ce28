/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/trigger_record.h"

static void trigger_record_fill(Slumber__Trigger *m, const struct trigger *t) {
        slumber__trigger__init(m);
        m->id = t->id;
        m->events = t->events;
        m->job_id = t->job;
        m->nodes = message_text(t->nodes);
        m->offset = t->offset;
        m->program = message_text(t->program);
        m->permanent = t->permanent;
        m->uid = t->uid;
        m->gid = t->gid;
        m->user = message_text(t->user);
        m->hits = t->hits;
        m->idle_until = t->idle_until;
        m->serial = t->serial;
        m->at = t->at;
        m->argument = message_text(t->argument);
        m->pid = t->pid;
        m->start = t->start;
}

/* ---- the store ---- */

/* Sorted by key as text, triggers come by id, then runs by serial, the head last. */
#define HEAD "triggers"
#define ROW  "trigger."

static char *trigger_record_key(uint64_t serial, uint32_t id) {
        return serial ? xasprintf(ROW "run.%020llu", (unsigned long long)serial)
                      : xasprintf(ROW "%010u", id);
}

static void put_row(const struct trigger *t, const struct trigger_rows *to) {
        Slumber__Trigger m;
        _cleanup_free_ char *key = trigger_record_key(t->serial, t->id);

        trigger_record_fill(&m, t);
        size_t size = slumber__trigger__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__trigger__pack(&m, data);
        to->put(key, data, size, to->user);
}

static void put_rows(struct trigger **list, size_t n, const struct trigger_rows *to) {
        for (size_t i = 0; i < n; i++) {
                if (list[i]->dirty)
                        put_row(list[i], to);
                list[i]->dirty = false;
        }
}

static void put_head(const struct cluster *c, const char *boot_id, const struct trigger_rows *to) {
        const struct triggers *all = &c->triggers;
        Slumber__TriggerList m = SLUMBER__TRIGGER_LIST__INIT;

        m.clock_set = c->clock_set;
        m.last_id = all->last_id;
        m.last_serial = all->last_serial;
        m.events = all->events;
        m.stopped = all->stopped;
        m.boot_id = message_text(boot_id);
        size_t size = slumber__trigger_list__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__trigger_list__pack(&m, data);
        to->put(HEAD, data, size, to->user);
}

void trigger_record_save(struct cluster *c, const char *boot_id, const struct trigger_rows *to) {
        struct triggers *all = &c->triggers;

        for (size_t i = 0; i < all->n_gone; i++) {
                _cleanup_free_ char *key = trigger_record_key(all->gone[i].serial, all->gone[i].id);
                to->drop(key, to->user);
        }
        all->n_gone = 0;
        put_rows(all->waiting, all->n_waiting, to);
        put_rows(all->runs, all->n_runs, to);
        put_head(c, boot_id, to);
        all->dirty = false;
}

/* ---- messages for strigger ---- */

static void trigger_record_add(Slumber__TriggerList *to, const struct trigger *t) {
        Slumber__Trigger *m = to->triggers[to->n_triggers++] = xnew(Slumber__Trigger, 1);

        trigger_record_fill(m, t);
}

void trigger_record_fill_waiting(const struct cluster *c, Slumber__TriggerList *m) {
        const struct triggers *all = &c->triggers;

        m->triggers = xnew(Slumber__Trigger *, all->n_waiting + all->n_runs + 1);
        for (size_t i = 0; i < all->n_runs; i++)
                if (!all->runs[i]->handed && !all->runs[i]->permanent)
                        trigger_record_add(m, all->runs[i]);
        for (size_t i = 0; i < all->n_waiting; i++)
                trigger_record_add(m, all->waiting[i]);
}

void trigger_record_done(Slumber__TriggerList *m) {
        for (size_t i = 0; i < m->n_triggers; i++)
                free(m->triggers[i]);
        free(TAKE(m->triggers));
        m->n_triggers = 0;
}

static char *trigger_text_or_null(char *s) {
        return isempty(s) ? NULL : s;
}

/* Converts a request; the result borrows from m. */
static struct trigger trigger_of(const Slumber__Trigger *m) {
        return (struct trigger){
                .id = m->id,
                .events = m->events,
                .job = m->job_id,
                .nodes = trigger_text_or_null(m->nodes),
                .offset = m->offset,
                .program = trigger_text_or_null(m->program),
                .permanent = m->permanent,
                .uid = m->uid,
                .gid = m->gid,
                .user = trigger_text_or_null(m->user),
                .hits = m->hits,
                .idle_until = m->idle_until,
                .serial = m->serial,
                .at = m->at,
                .argument = trigger_text_or_null(m->argument),
                .pid = m->pid,
                .start = m->start,
        };
}

/* ---- restore ---- */

static int trigger_restore_one(struct triggers *all, const Slumber__Trigger *m, bool dirty) {
        const struct trigger borrowed = trigger_of(m);

        if (!borrowed.program || borrowed.pid > INT32_MAX)
                return -EBADMSG;
        struct trigger *t = trigger_copy(&borrowed);
        if (t->serial)
                triggers_add_run(all, t);
        else
                triggers_add(all, t);
        t->dirty = dirty;
        return 0;
}

static int restore_row(struct cluster *c, const uint8_t *data, size_t size) {
        Slumber__Trigger *m = slumber__trigger__unpack(NULL, size, data);

        if (!m)
                return -EBADMSG;
        int r = trigger_restore_one(&c->triggers, m, false);
        slumber__trigger__free_unpacked(m, NULL);
        return r < 0 ? r : 1;
}

static void forget_processes(struct triggers *all) {
        for (size_t i = 0; i < all->n_runs; i++)
                if (all->runs[i]->pid) {
                        all->runs[i]->pid = 0;
                        all->runs[i]->start = 0;
                        trigger_changed(all, all->runs[i]);
                }
}

static int restore_head(struct cluster *c, const char *boot_id, const uint8_t *data, size_t size) {
        Slumber__TriggerList *m = slumber__trigger_list__unpack(NULL, size, data);
        struct triggers *all = &c->triggers;
        int r = m ? 1 : -EBADMSG;

        /* an earlier version stored all triggers in the head */
        for (size_t i = 0; r > 0 && i < m->n_triggers; i++)
                if (trigger_restore_one(all, m->triggers[i], true) < 0)
                        r = -EBADMSG;
        if (r < 0) {
                if (m)
                        slumber__trigger_list__free_unpacked(m, NULL);
                return r;
        }
        if (isempty(boot_id) || !streq(boot_id, m->boot_id))
                forget_processes(all);
        all->last_id = MAX(all->last_id, m->last_id);
        all->last_serial = MAX(all->last_serial, m->last_serial);
        all->events = m->events & TRIGGER_EVENTS_CLUSTER;
        all->stopped = m->stopped;
        all->known = true;
        triggers_clock_set(all, c->clock_set - m->clock_set);
        all->dirty = true;
        slumber__trigger_list__free_unpacked(m, NULL);
        return 1;
}

int trigger_record_restore(struct cluster *c, const char *boot_id, const char *key,
                const uint8_t *data, size_t size) {
        if (streq(key, HEAD))
                return restore_head(c, boot_id, data, size);
        return strncmp(key, ROW, strlen(ROW)) == 0 ? restore_row(c, data, size) : 0;
}
