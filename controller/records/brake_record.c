/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/brake_record.h"

#include "controller/nodes/brake.h"

void brake_record_fill(const struct cluster *c, usec_t now, Slumber__WakeBrake *m) {
        const struct brake *b = &c->brake;

        m->at = now;
        m->clock_set = c->clock_set;
        m->by = message_text(brake_by_text((int)b->by));
        m->cause = message_text(b->cause);
        m->since = b->since;
        m->failed_from = b->failed_from;
        m->probe_at = b->probe_at;
        m->probe = message_text(b->probe);
        m->probes = b->probes;
        m->pause = b->pause;
        m->worked = b->worked;
        m->probed = message_text(b->probed);
        m->by_exit = b->by_exit;
        m->exit_ignored = b->exit_ignored;
        m->nodes = xnew0(char *, b->n);
        m->failed = xnew0(protobuf_c_boolean, b->n);
        m->ended = xnew0(uint64_t, b->n);
        for (size_t i = 0; i < b->n; i++) {
                m->nodes[m->n_nodes++] = b->last[i].node;
                m->failed[m->n_failed++] = b->last[i].failed;
                m->ended[m->n_ended++] = b->last[i].at;
        }
}

void brake_record_done(Slumber__WakeBrake *m) {
        free(TAKE(m->nodes));
        free(TAKE(m->failed));
        free(TAKE(m->ended));
        m->n_nodes = m->n_failed = m->n_ended = 0;
}

void brake_record_restore(struct cluster *c, const Slumber__WakeBrake *m) {
        struct brake *b = &c->brake;
        int by = brake_by_parse(m->by);

        brake_done(b);
        *b = (struct brake){
                .by = by < 0 ? BRAKE_OFF : (enum brake_by)by,
                .cause = text_copy_or_null(m->cause),
                .since = m->since,
                .failed_from = m->failed_from,
                .probe_at = m->probe_at,
                .probe = text_copy_or_null(m->probe),
                .probes = m->probes,
                .pause = m->pause,
                .worked = m->worked,
                .probed = text_copy_or_null(m->probed),
                .by_exit = m->by_exit,
                .exit_ignored = m->exit_ignored,
        };
        for (size_t i = 0; i < MIN(m->n_nodes, MIN(m->n_failed, m->n_ended)); i++) {
                b->last = xrenew(b->last, b->n + 1);
                b->last[b->n++] = (struct wake_result){ xstrdup(m->nodes[i]), m->failed[i],
                        m->ended[i] };
        }
        brake_clock_set(b, c->clock_set - m->clock_set);
}
