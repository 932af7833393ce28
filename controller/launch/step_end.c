/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/launch/step_end.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "lib/step/measure_wire.h"

void step_end_ack(struct controller *ctl, const struct node *n, const Slumber__StepEnded *m) {
        Slumber__StepEndedAck ack = SLUMBER__STEP_ENDED_ACK__INIT;
        struct address to = { ctl->agents[n->index], 0, 0 };

        if (!to.peer)
                return; /* the node will repeat the report */
        ack.job_id = m->job_id;
        ack.step_id = m->step_id;
        ack.restarts = m->restarts;
        ENVELOPE(env, STEP_ENDED_ACK, step_ended_ack, &ack);
        reply_when_stored(ctl, &to, &env);
}

struct step_use step_use_of(const Slumber__StepEnded *m) {
        struct step_use use = { .user_cpu = m->cpu_time - MIN(m->cpu_time, m->system_time),
                .system_cpu = MIN(m->cpu_time, m->system_time),
                .rss = m->max_memory,
                .out_of_memory = m->out_of_memory,
                .ended = m->end_time };

        use.measures = measures_unpack(m->measures, m->n_measures);
        /* The node's figures for all processes of the step, including processes no task has
           waited for */
        use.measures.of[MEASURE_CPU].sum = m->cpu_time;
        use.measures.of[MEASURE_RSS].most.value = use.measures.of[MEASURE_RSS].sum = m->max_memory;
        return use;
}
