/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/reservation_record.h"

#include "controller/model/spec.h"
#include "controller/orders/viewer.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/updates/reservation_edit.h"

/* clang-format off */
#define RESV_TEXTS(X) X(name) X(users) X(accounts) X(groups) X(partition) X(features) X(qos)
#define RESV_VALUES(X) X(flags) X(node_count) X(purge) X(idle_since) X(creator) X(ahead)           \
        X(max_start_delay) X(over) X(by_end) X(late)
/* clang-format on */

static void resv_record_fill_cores(const struct resv *r, Slumber__Reservation *to) {
        to->cores = xnew(Slumber__ReservedCores *, r->n_cores + 1);
        for (; to->n_cores < r->n_cores; to->n_cores++) {
                Slumber__ReservedCores *m = to->cores[to->n_cores] = xnew(Slumber__ReservedCores,
                                1);
                slumber__reserved_cores__init(m);
                m->node = message_text(r->cores[to->n_cores].node);
                m->cores = bitset_text(r->cores[to->n_cores].units);
        }
}

static void fill_one(const struct cluster *c, const struct resv *r, usec_t now,
                Slumber__Reservation *to) {
        slumber__reservation__init(to);
#define X(field) to->field = message_text(r->field);
        RESV_TEXTS(X)
#undef X
#define X(field) to->field = r->field;
        RESV_VALUES(X)
#undef X
        to->start_time = r->start;
        to->end_time = r->end;
        if (now && r->flags & RESV_FLOAT) {
                to->start_time = now + r->ahead;
                to->end_time = to->start_time + (r->end - r->start);
        }
        to->active = r->active;
        to->nodes = cluster_nodes_text(c, r->nodes);
        resv_record_fill_cores(r, to);
        to->licenses = countlist_text(r->licenses);
        to->flags_text = resv_flags_text(r);
        bitset_for_each(i, r->nodes) {
                const struct node *n = c->nodes[i];
                const struct bitset *its = resv_cores_on(r, i);
                uint32_t cores = its ? (uint32_t)bitset_count(its) : n->units - n->n_spec;
                to->num_nodes++;
                to->num_cores += cores;
                to->num_cpus += r->n_cores ? cores * n->cpus_per_unit : node_job_cpus(n);
        }
}

void reservation_record_fill(const struct viewer *v, const char *name, usec_t now,
                Slumber__ReservationList *m) {
        const struct cluster *c = v->c;

        m->now = now;
        m->made = c->resvs.made;
        m->reservations = xnew(Slumber__Reservation *, c->resvs.n + 1);
        for (size_t i = 0; i < c->resvs.n; i++) {
                if ((*name && !streq(name, c->resvs.list[i]->name)) ||
                                !viewer_sees_reservation(v, c->resvs.list[i]))
                        continue;
                m->reservations[m->n_reservations] = xnew(Slumber__Reservation, 1);
                fill_one(c, c->resvs.list[i], now, m->reservations[m->n_reservations++]);
        }
}

void reservation_record_done(Slumber__ReservationList *m) {
        for (size_t i = 0; i < m->n_reservations; i++) {
                for (size_t k = 0; k < m->reservations[i]->n_cores; k++) {
                        free(m->reservations[i]->cores[k]->cores);
                        free(m->reservations[i]->cores[k]);
                }
                free(m->reservations[i]->cores);
                free(m->reservations[i]->nodes);
                free(m->reservations[i]->licenses);
                free(m->reservations[i]->flags_text);
                free(m->reservations[i]);
        }
        free(m->reservations);
}

void reservation_record_restore(struct cluster *c, const Slumber__ReservationList *m) {
        c->resvs.made = m->made;
        for (size_t i = 0; i < m->n_reservations; i++) {
                const Slumber__Reservation *from = m->reservations[i];
                if (!*from->name || from->end_time <= from->start_time || resv_find(c, from->name))
                        continue;
                struct resv *r = xnew0(struct resv, 1);
#define X(field) r->field = *from->field ? xstrdup(from->field) : NULL;
                RESV_TEXTS(X)
#undef X
#define X(field) r->field = from->field;
                RESV_VALUES(X)
#undef X
                r->flags &= RESV_ALL;
                r->start = from->start_time;
                r->end = from->end_time;
                for (size_t k = 0; k < from->n_cores; k++)
                        resv_cores_add(c, r, from->cores[k]->node, from->cores[k]->cores);
                resv_rebind(c, r, from->nodes);
                if (*from->licenses &&
                                countlist_parse_layers(from->licenses, &r->licenses, NULL) == 0 &&
                                r->licenses)
                        r->licenses_used = xnew0(uint32_t, r->licenses->n);
                resv_add(c, r);
        }
        (void)follows_take(c, FOLLOW_STORE_RESERVATIONS); /* stored already */
        licenses_forget_kept(c);
        note(c, FACT_RESERVATION_USE);
}
