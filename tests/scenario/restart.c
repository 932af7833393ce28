/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/scenario/restart.h"

#include "controller/nodes/node_events.h"
#include "controller/nodes/reboot.h"
#include "controller/power_save/power_save.h"
#include "controller/records/brake_record.h"
#include "controller/records/record.h"
#include "controller/records/reservation_record.h"
#include "controller/records/trigger_record.h"

static void put(struct record *r, uint8_t *data, size_t size) {
        free(r->data);
        *r = (struct record){ data, size };
}

static void put_job(struct records *s, const struct cluster *c, const struct job *j) {
        struct job_message m;

        job_message_init(&m, c, j, RECORD_STORE | RECORD_ALLOC | RECORD_STEPS, 0);
        size_t size = slumber__job__get_packed_size(&m.job);
        uint8_t *data = xmalloc(size + 1);
        slumber__job__pack(&m.job, data);
        job_message_done(&m);
        put(&s->jobs[j->id], data, size);
}

static void put_node(struct records *s, const struct cluster *c, const struct node *n) {
        struct node_message m;

        node_record_init(&m, c, n);
        size_t size = slumber__node__get_packed_size(&m.node);
        uint8_t *data = xmalloc(size + 1);
        slumber__node__pack(&m.node, data);
        node_message_done(&m);
        put(&s->nodes[n->index], data, size);
}

static void put_reservations(struct records *s, struct cluster *c) {
        Slumber__ReservationList m = SLUMBER__RESERVATION_LIST__INIT;

        reservation_record_fill(&(struct viewer){ .c = c }, "", 0, &m);
        size_t size = slumber__reservation_list__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__reservation_list__pack(&m, data);
        reservation_record_done(&m);
        put(&s->reservations, data, size);
        (void)follows_take(c, FOLLOW_STORE_RESERVATIONS);
}

static void put_brake(struct records *s, struct cluster *c, usec_t now) {
        Slumber__WakeBrake m = SLUMBER__WAKE_BRAKE__INIT;

        brake_record_fill(c, now, &m);
        size_t size = slumber__wake_brake__get_packed_size(&m);
        uint8_t *data = xmalloc(size + 1);
        slumber__wake_brake__pack(&m, data);
        brake_record_done(&m);
        put(&s->brake, data, size);
        c->brake.dirty = false;
}

static struct trigger_row *row_of(struct records *s, const char *key) {
        for (size_t i = 0; i < s->n_triggers; i++)
                if (streq(s->triggers[i].key, key))
                        return &s->triggers[i];
        s->triggers = xrenew(s->triggers, s->n_triggers + 1);
        s->triggers[s->n_triggers] = (struct trigger_row){ .key = xstrdup(key) };
        return &s->triggers[s->n_triggers++];
}

static void put_trigger(const char *key, uint8_t *data, size_t size, void *user) {
        put(&row_of(user, key)->record, data, size);
}

static void drop_trigger(const char *key, void *user) {
        put(&row_of(user, key)->record, NULL, 0);
}

static void put_triggers(struct records *s, struct cluster *c) {
        trigger_record_save(c, "", &(struct trigger_rows){ put_trigger, drop_trigger, s });
}

static int by_key(const void *a, const void *b) {
        const struct trigger_row *x = a, *y = b;

        return strcmp(x->key, y->key);
}

static void load_triggers(const struct records *s, struct cluster *c) {
        if (s->n_triggers)
                qsort(s->triggers, s->n_triggers, sizeof s->triggers[0], by_key);
        for (size_t i = 0; i < s->n_triggers; i++) {
                const struct trigger_row *row = &s->triggers[i];
                if (!row->record.data)
                        continue;
                int r = trigger_record_restore(c, "", row->key, row->record.data, row->record.size);
                assert(r == 1);
        }
}

static void make_room(struct records *s, const struct cluster *c) {
        size_t n = MAX((size_t)c->next_job_id + 1, 2 * s->n_jobs);

        if (c->n_nodes > s->n_nodes) {
                s->nodes = xrenew(s->nodes, c->n_nodes);
                memset(&s->nodes[s->n_nodes], 0, (c->n_nodes - s->n_nodes) * sizeof s->nodes[0]);
                s->n_nodes = c->n_nodes;
        }
        if (c->next_job_id < s->n_jobs)
                return;
        s->jobs = xrenew(s->jobs, n);
        memset(&s->jobs[s->n_jobs], 0, (n - s->n_jobs) * sizeof s->jobs[0]);
        s->n_jobs = n;
}

void records_commit(struct records *s, const struct world *w) {
        const struct cluster *c = w->c;

        make_room(s, c);
        for (size_t i = 0; i < c->n_dirty_jobs; i++) {
                const struct job *j = cluster_job(c, c->dirty_jobs[i]);
                if (j)
                        put_job(s, c, j);
        }
        bitset_for_each(i, follows_nodes(c, FOLLOW_STORE_NODE))
                put_node(s, c, c->nodes[i]);
        bitset_for_each(i, follows_nodes(c, FOLLOW_STORE_LATER))
                put_node(s, c, c->nodes[i]);
        for (size_t i = 0; i < c->effects.n; i++)
                if (c->effects.list[i].kind == FX_FORGET)
                        put(&s->jobs[c->effects.list[i].job], NULL, 0);
        if (follows(c, FOLLOW_STORE_RESERVATIONS))
                put_reservations(s, w->c);
        if (c->brake.dirty)
                put_brake(s, w->c, w->now);
        if (c->triggers.dirty)
                put_triggers(s, w->c);
        s->next_job_id = c->next_job_id;
        s->clock_set = c->clock_set;
}

static void load(const struct records *s, struct cluster *c, usec_t now) {
        struct fail fail = { 0 };
        Slumber__ReservationList *m = s->reservations.data ? slumber__reservation_list__unpack(NULL,
                                                                             s->reservations.size,
                                                                             s->reservations.data)
                                                           : NULL;

        if (m)
                reservation_record_restore(c, m);
        slumber__reservation_list__free_unpacked(m, NULL);
        Slumber__WakeBrake *b = s->brake.data ? slumber__wake_brake__unpack(NULL, s->brake.size,
                                                                s->brake.data)
                                              : NULL;
        if (b)
                brake_record_restore(c, b);
        slumber__wake_brake__free_unpacked(b, NULL);
        load_triggers(s, c);
        for (size_t i = 0; i < MIN(s->n_nodes, c->n_nodes); i++) {
                Slumber__Node *n = s->nodes[i].data ? slumber__node__unpack(NULL, s->nodes[i].size,
                                                                      s->nodes[i].data)
                                                    : NULL;
                if (n)
                        node_restore(c, n, now);
                slumber__node__free_unpacked(n, NULL);
        }
        for (size_t i = 0; i < s->n_jobs; i++) {
                if (!s->jobs[i].data)
                        continue;
                Slumber__Job *j = slumber__job__unpack(NULL, s->jobs[i].size, s->jobs[i].data);
                int r = job_restore(c, j, now, &fail);
                assert(r >= 0);
                slumber__job__free_unpacked(j, NULL);
        }
        if (s->next_job_id)
                c->next_job_id = s->next_job_id;
        records_settle(c, now);
        power_save_restart(c, now);
        reboot_restart(c, now);
}

void records_restart(struct records *s, struct world *w, int64_t clock) {
        struct fail fail = { 0 };

        world_move_time(w, clock);
        int r = world_new_controller(w, &fail);

        assert(r >= 0);
        w->c->clock_set = s->clock_set + clock;
        load(s, w->c, w->now);
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                node_suspending(w->c, w->c->nodes[i], (int)w->agents[i].suspending, w->now);
                node_resuming(w->c, w->c->nodes[i], (int)w->agents[i].resuming, w->now);
        }
}

void records_done(struct records *s) {
        for (size_t i = 0; i < s->n_jobs; i++)
                free(s->jobs[i].data);
        for (size_t i = 0; i < s->n_nodes; i++)
                free(s->nodes[i].data);
        free(s->reservations.data);
        free(s->brake.data);
        for (size_t i = 0; i < s->n_triggers; i++) {
                free(s->triggers[i].key);
                free(s->triggers[i].record.data);
        }
        free(s->triggers);
        free(s->jobs);
        free(s->nodes);
}
