/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sdiag: what core and the event loop have counted, less what they had when somebody last asked to begin anew. */
#include "controller/controller.h"
#include "controller/records/brake_record.h"

/* As what Slurm counts each: "failed" is what nodes are to blame for. */
static const size_t places[JOB_STATE_MAX] = {
        [JOB_COMPLETED] = offsetof(Slumber__StatsReply, completed),
        [JOB_FAILED] = offsetof(Slumber__StatsReply, completed),
        [JOB_TIMEOUT] = offsetof(Slumber__StatsReply, completed),
        [JOB_DEADLINE] = offsetof(Slumber__StatsReply, completed),
        [JOB_OUT_OF_MEMORY] = offsetof(Slumber__StatsReply, completed),
        [JOB_CANCELLED] = offsetof(Slumber__StatsReply, cancelled),
        [JOB_PREEMPTED] = offsetof(Slumber__StatsReply, cancelled),
        [JOB_NODE_FAIL] = offsetof(Slumber__StatsReply, failed),
        [JOB_BOOT_FAIL] = offsetof(Slumber__StatsReply, failed),
};

static void fill_counts(Slumber__StatsReply *m, const struct counts *now, const struct counts *before) {
        m->submitted = now->submitted - before->submitted;
        m->started = now->started - before->started;
        m->backfilled = now->backfilled - before->backfilled;
        m->backfilled_in_all = now->backfilled;
        for (size_t i = 0; i < ELEMENTSOF(places); i++)
                if (places[i])
                        *(uint64_t *)(void *)((char *)m + places[i]) += now->ended[i] - before->ended[i];
}

static void fill_jobs(Slumber__StatsReply *m, const struct cluster *c) {
        m->queue = c->n_queue; /* a job of several partitions has a place for each */
        m->pending = c->n_pending;
        for (size_t i = 0; i < c->n_active; i++)
                m->running += c->active[i]->state == JOB_RUNNING;
}

static void reset(struct controller *ctl, const struct caller *who) {
        if (who->operator)
                ctl->cycles = (struct cycles){ .since = controller_now(ctl), .before = ctl->cluster->counts };
        reply_result(ctl, &who->from, who->operator ? SLUMBER_OK : SLUMBER_ACCESS_DENIED, NULL);
}

void handle_stats_query(struct controller *ctl, const struct caller *who, const Envelope *env) {
        Slumber__StatsReply m = SLUMBER__STATS_REPLY__INIT;
        Slumber__WakeBrake brake = SLUMBER__WAKE_BRAKE__INIT;
        const struct cycles *s = &ctl->cycles;

        if (env->stats_query->reset) {
                reset(ctl, who);
                return;
        }
        m.now = controller_now(ctl);
        m.since = s->since;
        fill_counts(&m, &ctl->cluster->counts, &s->before);
        fill_jobs(&m, ctl->cluster);
        m.cycles = s->n;
        m.last_cycle = s->last;
        m.max_cycle = s->most;
        m.sum_cycle = s->sum;
        if (ctl->cluster->brake.by != BRAKE_OFF) {
                brake_record_fill(ctl->cluster, m.now, &brake);
                m.brake = &brake;
        }
        ENVELOPE(reply, STATS_REPLY, stats_reply, &m);
        reply_now(&who->from, &reply);
        brake_record_done(&brake);
}
