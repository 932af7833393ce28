/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out effects: a table row per kind.  A slumberd that is not connected misses nothing: at
 * registration the actual jobs are compared with the expected jobs. */
#include "controller/effects.h"

#include "controller/indexes/array.h"
#include "controller/launch/batch.h"
#include "controller/launch/launch.h"
#include "controller/launch/step_requests.h"
#include "controller/launch/steps.h"
#include "controller/loop/controller.h"

#include "controller/jobs/job_events.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/programs/audit.h"
#include "controller/programs/gather.h"
#include "controller/programs/hook_programs.h"
#include "controller/programs/mail.h"
#include "controller/programs/programs.h"
#include "controller/programs/trigger_programs.h"
#include "controller/records/past_question.h"
#include "controller/records/record.h"
#include "lib/log.h"

static void effect_launch(struct controller *ctl, const struct effect *fx) {
        batch_launch(ctl, fx->job);
}

static void effect_freeze(struct controller *ctl, const struct effect *fx) {
        Slumber__FreezeJob m = SLUMBER__FREEZE_JOB__INIT;
        const struct job *j = cluster_job(ctl->cluster, fx->job);

        m.job_id = fx->job;
        m.freeze = fx->kind == FX_FREEZE;
        m.serial = fx->serial;
        m.uid = j ? j->uid : 0;
        ENVELOPE(env, FREEZE_JOB, freeze_job, &m);
        (void)tree_gather(ctl, (int)fx->kind, fx->job, NULL, fx->node, &env);
}

static void effect_reclaim(struct controller *ctl, const struct effect *fx) {
        Slumber__ReclaimJob m = SLUMBER__RECLAIM_JOB__INIT;

        m.job_id = fx->job;
        m.serial = fx->serial;
        m.keep = fx->memory * 1024 * 1024;
        m.timeout = ctl->cluster->config->site.reclaim_timeout;
        ENVELOPE(env, RECLAIM_JOB, reclaim_job, &m);
        (void)agent_send(ctl, fx->node, &env);
}

static void effect_signal(struct controller *ctl, const struct effect *fx) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;

        m.job_id = fx->job;
        m.signal = (uint32_t)fx->signal;
        m.batch_only = fx->batch_only;
        m.full = fx->full;
        m.terminate = fx->terminate;
        m.text = (char *)(uintptr_t)strempty(fx->text);
        if (fx->step != STEP_ANY && run_signal_unsent(ctl, fx))
                return;
        if (fx->step != STEP_ANY) {
                step.value = fx->step;
                m.step = &step;
        }
        ENVELOPE(env, SIGNAL_JOB, signal_job, &m);
        (void)tree_gather(ctl, (int)fx->kind, fx->job, NULL, fx->node, &env);
}

static const Slumber__JobNotice__Kind notices[EFFECT_MAX] = {
        [FX_ALLOCATED] = SLUMBER__JOB_NOTICE__KIND__ALLOCATED,
        [FX_READY] = SLUMBER__JOB_NOTICE__KIND__READY,
        [FX_STOPPED] = SLUMBER__JOB_NOTICE__KIND__SUSPENDED,
        [FX_CONTINUED] = SLUMBER__JOB_NOTICE__KIND__RESUMED,
        [FX_ENDED] = SLUMBER__JOB_NOTICE__KIND__ENDED,
        [FX_MESSAGE] = SLUMBER__JOB_NOTICE__KIND__MESSAGE,
};

static void effect_tell_waiting(struct controller *ctl, const struct job *j, bool ended) {
        Slumber__Error error = SLUMBER__ERROR__INIT;
        Slumber__Ok ok = SLUMBER__OK__INIT;

        error.code = SLUMBER_JOB_ENDED;
        if (ended) {
                ENVELOPE(env, ERROR, error, &error);
                watch_tell(ctl, WATCH_READY, j->id, &env, true);
        } else {
                ENVELOPE(env, OK, ok, &ok);
                watch_tell(ctl, WATCH_READY, j->id, &env, true);
        }
}

/* A command waiting for the end (sbatch --wait) waits for all tasks of an array, and gets the worst
   exit code. */
static void effect_tell_end(struct controller *ctl, const struct job *j, Envelope *env,
                Slumber__JobNotice *m) {
        const struct array *a = j->array;

        if (a && !array_is_over(a))
                return;
        for (size_t i = 0; a && i < a->n_tasks; i++)
                m->job->exit_code = MAX(m->job->exit_code, a->tasks[i]->running.exit_code);
        m->job_id = job_script_id(j);
        watch_tell(ctl, WATCH_END, m->job_id, env, true);
}

static void tell_watchers(struct controller *ctl, const struct effect *fx, const struct job *j) {
        bool ended = fx->kind == FX_ENDED, over = ended && job_is_finished(j);
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;
        _cleanup_(allocation_message_freep) Slumber__Allocation *allocation = NULL;
        struct job_message jm;

        if ((fx->kind == FX_ALLOCATED || fx->kind == FX_READY) && run_tells_allocation(ctl, j->id))
                return;
        if (!watch_exists(ctl, WATCH_HOLDER, j->id) &&
                        !(over && watch_exists(ctl, WATCH_END, job_script_id(j))))
                return; /* the message of a large job is large */
        job_message_init(&jm, ctl->cluster, j, RECORD_ALLOC, controller_now(ctl));
        m.job_id = j->id;
        m.kind = notices[fx->kind];
        m.job = &jm.job;
        m.text = (char *)(uintptr_t)(fx->text                 ? fx->text
                                     : j->running.kill_reason ? j->running.kill_reason
                                                              : "");
        if (j->placed.nodes && (fx->kind == FX_ALLOCATED || fx->kind == FX_READY))
                m.allocation = allocation = allocation_message(ctl, j);
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);
        watch_tell(ctl, WATCH_HOLDER, j->id, &env, ended);
        if (ended)
                watch_tell(ctl, WATCH_X11, j->id, &env, true);
        if (over)
                effect_tell_end(ctl, j, &env, &m);
        job_message_done(&jm);
}

static void effect_notice(struct controller *ctl, const struct effect *fx) {
        const struct job *j = cluster_job(ctl->cluster, fx->job);
        bool ended = fx->kind == FX_ENDED;

        if (!j)
                return;
        tell_watchers(ctl, fx, j);
        mail_tell(ctl, fx->kind, j);
        if (ended || fx->kind == FX_READY)
                effect_tell_waiting(ctl, j, ended);
        if (fx->kind == FX_STOPPED || fx->kind == FX_CONTINUED)
                runs_tell_job(ctl, j->id, notices[fx->kind]);
        if (ended)
                runs_end_job(ctl, j->id);
        else if (fx->kind != FX_MESSAGE)
                runs_retry(ctl, j->id);
}

static void effect_mail(struct controller *ctl, const struct effect *fx) {
        const struct job *j = cluster_job(ctl->cluster, fx->job);

        if (j)
                mail_reached(ctl, j, fx->mail_type);
}

static void effect_log(struct controller *ctl, const struct effect *fx) {
        static struct log_fold fold;

        if (fx->folded && !log_fold(&fold, LOG_INFO, "%s", fx->text))
                return;
        log_fields(fx->error ? LOG_ERR : LOG_INFO, 0, fx->job, fx->node ? fx->node->name : NULL,
                        "%s", fx->text);
}

static void effect_probe(struct controller *ctl, const struct effect *fx) {
        struct peer *p = ctl->agents[fx->node->index];

        if (p && p->conn)
                p->question = agent_ask(p);
}

static void effect_disconnect(struct controller *ctl, const struct effect *fx) {
        struct peer *p = ctl->agents[fx->node->index];

        if (p)
                peer_drop(ctl, p);
}

static void effect_node_lost(struct controller *ctl, const struct effect *fx) {
        run_node_failed(ctl, fx->node, fx->job);
}

static void effect_step_lost(struct controller *ctl, const struct effect *fx) {
        run_node_lost(ctl, fx->node, fx->job);
}

static void effect_step_orphaned(struct controller *ctl, const struct effect *fx) {
        run_orphaned(ctl, fx->job, fx->step);
}

static void effect_launch_step(struct controller *ctl, const struct effect *fx) {
        run_is_stored(ctl, fx->job, fx->step);
}

static void effect_power(struct controller *ctl, const struct effect *fx) {
        if (!fx->action)
                gather_add(ctl, fx->kind == FX_RESUME ? RUNNING_RESUME : RUNNING_SUSPEND, fx);
        else /* a PowerAction never shares a run */
                (fx->kind == FX_RESUME ? program_resume : program_suspend)(ctl, fx);
}

static void effect_nothing(struct controller *ctl, const struct effect *fx) {
        (void)ctl; /* save_changes() has handled the effect */
        (void)fx;
}

void effect_carry_out(struct controller *ctl, const struct effect *fx) {
        static void (*const carry_out[EFFECT_MAX])(struct controller *, const struct effect *) = {
                [FX_LAUNCH] = effect_launch,
                [FX_FREEZE] = effect_freeze,
                [FX_THAW] = effect_freeze,
                [FX_TERMINATE] = terminate_send,
                [FX_PROLOG] = launch_prolog,
                [FX_HOOK] = hook_program,
                [FX_HOOK_OVER] = hook_program_over,
                [FX_RECLAIM] = effect_reclaim,
                [FX_SIGNAL] = effect_signal,
                [FX_SUSPEND] = effect_power,
                [FX_RESUME] = effect_power,
                [FX_RESUME_FAIL] = program_resume_fail,
                [FX_REBOOT] = program_reboot,
                [FX_DISCONNECT] = effect_disconnect,
                [FX_ALLOCATED] = effect_notice,
                [FX_PROBE] = effect_probe,
                [FX_LOOK] = audit_look,
                [FX_READY] = effect_notice,
                [FX_STOPPED] = effect_notice,
                [FX_CONTINUED] = effect_notice,
                [FX_ENDED] = effect_notice,
                [FX_MESSAGE] = effect_notice,
                [FX_MAIL] = effect_mail,
                [FX_FORGET] = effect_nothing,
                [FX_STEP_ROW] = effect_nothing,
                [FX_RUN_ROW] = effect_nothing,
                [FX_TRIGGER] = trigger_program,
                [FX_ASK_ACCOUNTS] = past_question_add,
                [FX_LOG] = effect_log,
                [FX_LAUNCH_STEP] = effect_launch_step,
                [FX_STEP_LOST] = effect_step_lost,
                [FX_NODE_LOST] = effect_node_lost,
                [FX_STEP_ORPHANED] = effect_step_orphaned,
        };

        assert(fx->kind < EFFECT_MAX && carry_out[fx->kind]);
        if (fx->kind != FX_LOG &&
                        ((int)fx->kind != ctl->gathering.kind || fx->job != ctl->gathering.job))
                tree_gathered(ctl); /* later effects may concern the gathered nodes */
        carry_out[fx->kind](ctl, fx);
}
