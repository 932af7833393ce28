/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/trigger_record.h"

static char *text(const char *s) {
        return (char *)(uintptr_t)strempty(s);
}

static void add(Slumber__TriggerList *to, const struct trigger *t) {
        Slumber__Trigger *m = xnew(Slumber__Trigger, 1);

        slumber__trigger__init(m);
        m->id = t->id;
        m->events = t->events;
        m->job_id = t->job;
        m->nodes = text(t->nodes);
        m->offset = t->offset;
        m->program = text(t->program);
        m->permanent = t->permanent;
        m->uid = t->uid;
        m->gid = t->gid;
        m->user = text(t->user);
        m->hits = t->hits;
        m->idle_until = t->idle_until;
        m->serial = t->serial;
        m->at = t->at;
        m->argument = text(t->argument);
        m->pid = t->pid;
        m->start = t->start;
        to->triggers[to->n_triggers++] = m;
}

static void make_room(const struct triggers *all, Slumber__TriggerList *m) {
        m->triggers = xnew(Slumber__Trigger *, all->n_waiting + all->n_runs + 1);
}

void trigger_record_fill(const struct cluster *c, const char *boot_id, Slumber__TriggerList *m) {
        const struct triggers *all = &c->triggers;

        make_room(all, m);
        for (size_t i = 0; i < all->n_waiting; i++)
                add(m, all->waiting[i]);
        for (size_t i = 0; i < all->n_runs; i++)
                add(m, all->runs[i]);
        m->clock_set = c->clock_set;
        m->last_id = all->last_id;
        m->last_serial = all->last_serial;
        m->events = all->events;
        m->stopped = all->stopped;
        m->boot_id = text(boot_id);
}

void trigger_record_fill_waiting(const struct cluster *c, Slumber__TriggerList *m) {
        const struct triggers *all = &c->triggers;

        make_room(all, m);
        for (size_t i = 0; i < all->n_runs; i++)
                if (!all->runs[i]->handed && !all->runs[i]->permanent)
                        add(m, all->runs[i]);
        for (size_t i = 0; i < all->n_waiting; i++)
                add(m, all->waiting[i]);
}

void trigger_record_done(Slumber__TriggerList *m) {
        for (size_t i = 0; i < m->n_triggers; i++)
                free(m->triggers[i]);
        free(TAKE(m->triggers));
        m->n_triggers = 0;
}

static char *or_null(char *s) {
        return isempty(s) ? NULL : s;
}

struct trigger trigger_of(const Slumber__Trigger *m) {
        return (struct trigger){
                .id = m->id,
                .events = m->events,
                .job = m->job_id,
                .nodes = or_null(m->nodes),
                .offset = m->offset,
                .program = or_null(m->program),
                .permanent = m->permanent,
                .uid = m->uid,
                .gid = m->gid,
                .user = or_null(m->user),
                .hits = m->hits,
                .idle_until = m->idle_until,
                .serial = m->serial,
                .at = m->at,
                .argument = or_null(m->argument),
                .pid = m->pid,
                .start = m->start,
        };
}

void trigger_record_restore(struct cluster *c, const char *boot_id, const Slumber__TriggerList *m) {
        struct triggers *all = &c->triggers;
        bool same_boot = !isempty(boot_id) && streq(boot_id, m->boot_id);

        for (size_t i = 0; i < m->n_triggers; i++) {
                const struct trigger borrowed = trigger_of(m->triggers[i]);
                if (!borrowed.program || borrowed.pid > INT32_MAX)
                        continue;
                struct trigger *t = trigger_copy(&borrowed);
                if (!same_boot)
                        t->pid = 0, t->start = 0;
                if (t->serial)
                        triggers_add_run(all, t);
                else
                        triggers_add(all, t);
        }
        all->last_id = MAX(all->last_id, m->last_id);
        all->last_serial = MAX(all->last_serial, m->last_serial);
        all->events = m->events & TRIGGER_EVENTS_CLUSTER;
        all->stopped = m->stopped;
        all->known = true;
        triggers_clock_set(all, c->clock_set - m->clock_set);
        all->dirty = true;
}
