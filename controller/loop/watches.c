/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections waiting for news of a job. */
#include "controller/loop/watches.h"

#include "controller/loop/controller.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/job_tokens.h"
#include "lib/log.h"
#include "lib/process.h"

struct watch {
        enum watch_kind kind;
        uint32_t job;
        struct address to;
};

/* sbatch --wait, srun and scontrol wait_job need one; every change of a job looks at all
   watches. */
#define WATCHES_PER_COMMAND 100

bool watches_full(const struct controller *ctl, const struct address *to) {
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_watches; i++)
                n += address_same(&ctl->watches[i].to, to);
        return n >= WATCHES_PER_COMMAND;
}

void watch_add(struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to) {
        GROW(ctl->watches, ctl->a_watches, ctl->n_watches);
        ctl->watches[ctl->n_watches++] = (struct watch){ kind, job, address_copy(to) };
        struct job *j = kind == WATCH_HOLDER ? cluster_job(ctl->cluster, job) : NULL;
        if (j && address_process(to, &j->running.holder))
                cluster_job_changed(ctl->cluster, j);
}

static void watch_del(struct controller *ctl, size_t i) {
        address_done(&ctl->watches[i].to);
        ctl->watches[i] = ctl->watches[--ctl->n_watches];
}

const struct address *watch_address(const struct controller *ctl, enum watch_kind kind,
                uint32_t job) {
        for (size_t i = 0; i < ctl->n_watches; i++)
                if (ctl->watches[i].job == job && ctl->watches[i].kind == kind)
                        return &ctl->watches[i].to;
        return NULL;
}

bool watch_exists(const struct controller *ctl, enum watch_kind kind, uint32_t job) {
        return watch_address(ctl, kind, job) != NULL;
}

uint32_t watch_job(const struct controller *ctl, size_t i, const struct address **ret_to) {
        *ret_to = &ctl->watches[i].to;
        return ctl->watches[i].job;
}

bool watch_of(const struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to) {
        for (size_t i = 0; i < ctl->n_watches; i++)
                if (ctl->watches[i].job == job && ctl->watches[i].kind == kind &&
                                address_same(&ctl->watches[i].to, to))
                        return true;
        return false;
}

void watch_tell(struct controller *ctl, enum watch_kind kind, uint32_t job, Envelope *env,
                bool drop) {
        for (size_t i = ctl->n_watches; i-- > 0;) {
                struct watch *w = &ctl->watches[i];
                struct address to = w->to;
                if (w->job != job || w->kind != kind)
                        continue;
                if (kind != WATCH_READY) /* notices answer no request */
                        to.id = 0;
                reply_now(&to, env);
                if (drop)
                        watch_del(ctl, i);
        }
}

void watch_ask_holders(struct controller *ctl) {
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);

        if (!ctl->cluster->config->inactive_limit)
                return;
        m.kind = SLUMBER__JOB_NOTICE__KIND__PING;
        for (size_t i = 0; i < ctl->n_watches; i++) {
                const struct watch *w = &ctl->watches[i];
                struct job *j = w->kind == WATCH_HOLDER ? cluster_job(ctl->cluster, w->job) : NULL;
                struct address to = w->to;

                if (!j || !job_holder_ask(ctl->cluster, j, controller_now(ctl)))
                        continue;
                to.id = 0;
                m.job_id = j->id;
                reply_now(&to, &env);
        }
        controller_changed(ctl);
}

/* Replaces a holder that is back on a new connection. */
void watch_replace(struct controller *ctl, enum watch_kind kind, uint32_t job,
                const struct address *to) {
        for (size_t i = ctl->n_watches; i-- > 0;)
                if (ctl->watches[i].job == job && ctl->watches[i].kind == kind)
                        watch_del(ctl, i);
        watch_add(ctl, kind, job, to);
}

static void holder_gone(struct controller *ctl, struct job *j, bool for_good) {
        if (job_is_finished(j) || j->asked.batch)
                return;
        log_fields(LOG_INFO, 0, j->id, NULL,
                        "JobId=%u: the command that holds its allocation is %s", j->id,
                        for_good ? "gone" : "cut off");
        if (for_good)
                (void)job_cancel(ctl->cluster, j, j->uid, controller_now(ctl));
        else
                job_holder_lost(ctl->cluster, j, controller_now(ctl));
        controller_changed(ctl);
}

void watches_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        bool for_good = !all || p->local;

        for (size_t i = ctl->n_watches; i-- > 0;) {
                struct watch *w = &ctl->watches[i];
                if (w->to.peer != p || (!all && w->to.client != client))
                        continue;
                struct job *j = w->kind == WATCH_HOLDER ? cluster_job(ctl->cluster, w->job) : NULL;
                watch_del(ctl, i);
                if (j && !job_outlives_holder(j))
                        holder_gone(ctl, j, for_good);
        }
}

void watch_command_dead(struct controller *ctl, uint64_t token, uid_t uid) {
        struct job *j = job_tokens_find(ctl->cluster->tokens, token, uid);

        if (!j || job_outlives_holder(j))
                return;
        for (size_t i = ctl->n_watches; i-- > 0;)
                if (ctl->watches[i].job == j->id && ctl->watches[i].kind == WATCH_HOLDER)
                        watch_del(ctl, i);
        holder_gone(ctl, j, true);
}

bool watch_look_for_holders(struct controller *ctl) {
        struct cluster *c = ctl->cluster;
        bool away = false;

        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (!j || !j->running.orphan_due || !j->running.holder.pid || job_is_finished(j))
                        continue;
                away = true;
                if (process_is_gone(&j->running.holder, ctl->process_space))
                        holder_gone(ctl, j, true);
        }
        return away;
}

void watches_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_watches; i++)
                address_done(&ctl->watches[i].to);
        free(TAKE(ctl->watches));
        ctl->n_watches = 0;
}
