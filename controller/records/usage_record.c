/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/usage_record.h"

#include "controller/orders/clock.h"

#include <math.h>

static void usage_record_add(Slumber__Usage *m, bool qos, uint32_t id, double seconds,
                struct usage *u) {
        if (seconds <= 0 && u->wall <= 0)
                return;
        m->of = xrenew(m->of, m->n_of + 1);
        m->of[m->n_of] = xnew(Slumber__UsageOf, 1);
        *m->of[m->n_of++] = (Slumber__UsageOf){ .base = PROTOBUF_C_MESSAGE_INIT(
                                                                &slumber__usage_of__descriptor),
                .qos = qos,
                .id = id,
                .seconds = seconds,
                .n_tres = TRES_NAMED + m->n_tres_names,
                .tres = u->tres,
                .wall = u->wall };
}

void usage_record_fill(struct cluster *c, Slumber__Usage *m) {
        m->at = c->usage_at;
        m->clock_set = c->clock_set;
        m->n_tres_names = c->acct.tres.n;
        m->tres_names = xnew(char *, m->n_tres_names + 1);
        for (size_t i = 0; i < m->n_tres_names; i++)
                m->tres_names[i] = c->acct.tres.list[i].text;
        for (size_t i = 0; i < c->acct.n_assocs; i++)
                usage_record_add(m, false, c->acct.assocs[i]->id, c->acct.assocs[i]->usage_raw,
                                &c->acct.assocs[i]->usage);
        for (size_t i = 0; i < c->acct.n_qos; i++)
                usage_record_add(m, true, c->acct.qos[i]->id, c->acct.qos[i]->usage_raw,
                                &c->acct.qos[i]->usage);
}

void usage_record_done(Slumber__Usage *m) {
        for (size_t i = 0; i < m->n_of; i++)
                free(m->of[i]);
        free(m->of);
        free(m->tres_names);
}

static int usage_by_id(const void *a, const void *b) {
        const Slumber__UsageOf *const *x = a, *const *y = b;

        if ((*x)->qos != (*y)->qos)
                return (*x)->qos ? 1 : -1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static double usage_sanitize(double v) {
        return isfinite(v) ? MAX(0.0, v) : 0;
}

/* Returns the seconds, and the usage of each resource in *ret. */
static double usage_record_find(const struct tres_names *names, const Slumber__Usage *m, bool qos,
                uint32_t id, struct usage *ret) {
        const Slumber__UsageOf wanted = { .qos = qos, .id = id }, *key = &wanted;
        Slumber__UsageOf **found = list_search(&key, m->of, m->n_of, sizeof m->of[0], usage_by_id);

        *ret = (struct usage){ 0 };
        if (!found)
                return 0;
        for (size_t i = 0; i < (*found)->n_tres; i++) {
                int t = i < TRES_NAMED ? (int)i
                        : i - TRES_NAMED < m->n_tres_names
                                        ? tres_find(names, m->tres_names[i - TRES_NAMED])
                                        : -ENOENT;
                if (t >= 0)
                        ret->tres[t] = usage_sanitize((*found)->tres[i]);
        }
        ret->wall = usage_sanitize((*found)->wall);
        return usage_sanitize((*found)->seconds);
}

void usage_record_restore(struct cluster *c, const Slumber__Usage *m) {
        list_sort(m->of, m->n_of, sizeof m->of[0], usage_by_id);
        c->usage_at = clock_moved(m->at, c->clock_set - m->clock_set);
        for (size_t i = 0; i < c->acct.n_assocs; i++)
                c->acct.assocs[i]->usage_raw = usage_record_find(&c->acct.tres, m, false,
                                c->acct.assocs[i]->id, &c->acct.assocs[i]->usage);
        for (size_t i = 0; i < c->acct.n_qos; i++)
                c->acct.qos[i]->usage_raw = usage_record_find(&c->acct.tres, m, true,
                                c->acct.qos[i]->id, &c->acct.qos[i]->usage);
}
