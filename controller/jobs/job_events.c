/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a job:
 *
 *    queued -> allocated -> launched -> (suspended, resumed) -> ended -> released by every node
 *           -> forgotten
 *
 * Invariants
 *  - Nothing of a job is launched on a node where processes of another job still run on the same
 *    units: job_try_launch() waits until slumberd has reported every job in the way as frozen.
 *  - A job holds its units until the node reports that nothing of the job is left there, or the
 *    node is given up.
 *  - Effects may be repeated (after a restart, a reconnect): they name job and incarnation
 *    (restarts). */
#include "controller/jobs/job_events.h"

#include "controller/accounts/job_defaults.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/usage.h"
#include "controller/ended/ended.h"
#include "controller/ended/ended_step.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/listen.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/het_wait.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/feature.h"
#include "controller/model/het.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "lib/wordlist.h"

#include <signal.h>

void job_set_reason(struct cluster *c, struct job *j, enum job_reason reason, const char *text) {
        if (j->reason == reason && streq(j->reason_text ? j->reason_text : "", text ? text : ""))
                return;
        j->reason = reason;
        free_and_strdup(&j->reason_text, isempty(text) ? NULL : text);
        cluster_job_changed(c, j);
}

static struct effect *job_effect(struct cluster *c, enum effect_kind kind, const struct job *j,
                struct node *n) {
        struct effect *fx = effects_add(&c->effects, kind);

        fx->job = j->id;
        fx->node = n;
        fx->serial = j->restarts;
        return fx;
}

/* ---- into the queue ---- */

/* Returns whether j's requeue with a hold has already set a more specific reason. */
static bool is_told_why_held(const struct job *j) {
        return j->reason_text && !j->held_by_admin &&
               (j->reason == REASON_HELD_USER || j->reason == REASON_LAUNCH_FAILED);
}

/* Holds j if a license that j asks for has left the configuration; releases j when the license is
   back. */
static void settle_licenses(struct cluster *c, struct job *j) {
        const char *unknown = licenses_unknown(c, j);

        if (unknown && !job_is_held(j)) {
                j->held_priority = MAX(1u, j->priority);
                j->priority = 0;
                cluster_log(c, j->id, NULL,
                                "JobId=%u is held: the license %s is not configured any more",
                                j->id, unknown);
        } else if (!unknown && j->held_priority) {
                uint32_t before = j->held_priority;
                j->held_priority = 0;
                j->priority = job_is_held(j) ? 0 : before;
                cluster_log(c, j->id, NULL, "JobId=%u: the licenses that it asks for are there",
                                j->id);
        } else if (j->held_priority) {
                j->held_priority = j->priority ? j->priority : j->held_priority;
                j->priority = 0;
        }
}

/* Sets the reason of a held job, with the unknown license if a license is why. */
static void tell_held(struct cluster *c, struct job *j) {
        const char *unknown = j->held_by_admin || j->held_by_user ? NULL : licenses_unknown(c, j);
        _cleanup_free_ char *text = unknown ? xasprintf("JobHeldAdmin, UnknownLicenses:%s", unknown)
                                            : NULL;

        job_set_reason(c, j, job_held_reason(c, j), text);
}

static void job_enqueue(struct cluster *c, struct job *j, usec_t now) {
        job_mail_dependency(c, j, j->waiting.depends && dependencies_never(j->waiting.depends));
        if (j->needs.limit_asked)
                j->needs.time_limit = j->needs.limit_asked;
        j->needs.limit_asked = 0;
        j->waiting.boot_delayed = false;
        job_defaults_settle(c, j);
        settle_licenses(c, j);
        if (job_is_held(j)) {
                j->waiting.eligible_time = 0;
                if (!is_told_why_held(j))
                        tell_held(c, j);
        } else if (j->waiting.depends) {
                j->waiting.eligible_time = 0;
                job_set_reason(c, j, job_awaits(c, j), NULL);
        } else if (job_begin(j) > now) {
                j->waiting.eligible_time = job_begin(j);
                job_set_reason(c, j, REASON_BEGIN_TIME, NULL);
                cluster_arm(c, job_begin(j), DEADLINE_PASS, PASS_BEGIN);
        } else {
                j->waiting.eligible_time = now;
                job_set_reason(c, j, REASON_PRIORITY, NULL); /* until the next pass */
        }
        accrue_enter(c, j, now);
        cluster_queue_insert(c, j);
        cluster_job_changed(c, j);
        if (j->het)
                het_tell_awaited(c, j->het, now);
}

void job_eligibility_changed(struct cluster *c, struct job *j, usec_t now) {
        if (j->state != JOB_PENDING || j->completing)
                return;
        cluster_queue_remove(c, j);
        job_enqueue(c, j, now);
}

void job_submitted(struct cluster *c, struct job *j, usec_t now) {
        j->submit_time = j->waiting.queued_time = now;
        if (j->asked.hold)
                j->held_by_user = true;
        j->priority = job_is_held(j)      ? 0
                      : j->asked.priority ? j->asked.priority
                                          : priority_take(c, j, now);
        cluster_job_insert(c, j);
        job_enqueue(c, j, now);
        dependencies_join(c, j, now);
}

/* ---- onto nodes ---- */

static void want_nodes(struct cluster *c, struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct node *n = j->placed.alloc[i].node;
                if (n->power != NODE_ON)
                        bitset_add(c->to_resume, n->index);
        }
}

/* --deadline: a job without --time, or with --time-min, gets the whole minutes left until then. */
static void cut_to_deadline(struct job *j, usec_t now) {
        const usec_t minute = 60 * USEC_PER_SEC, least = MAX(minute, j->asked.time_min),
                     asked = j->needs.time_limit;

        if (!j->asked.deadline || (j->asked.time_limit && !j->asked.time_min))
                return;
        j->needs.time_limit = MIN(asked,
                        MAX(least, (j->asked.deadline - MIN(now, j->asked.deadline)) / minute *
                                                        minute));
        if (j->asked.time_limit && j->needs.time_limit < asked && !j->needs.limit_asked)
                j->needs.limit_asked = asked; /* for the next run */
}

/* --batch: picks the first node with these features, or else the first node. */
static void pick_batch_node(struct job *j) {
        _cleanup_(features_freep) struct features *f = NULL;
        size_t at = 0;

        j->placed.batch_at = 0;
        if (!j->asked.batch_features || features_parse(j->asked.batch_features, &f, NULL) < 0)
                return;
        while (at < j->placed.n_alloc && !features_match(f, j->placed.alloc[at].node, FEATURES_NOW))
                at++;
        j->placed.batch_at = at < j->placed.n_alloc ? (uint32_t)at : 0;
}

void job_start(struct cluster *c, struct job *j, usec_t now) {
        assert(j->placed.nodes && j->placed.units);
        cluster_queue_remove(c, j);
        int r = job_move(j, JOB_STARTED, 0);
        assert(r >= 0);
        c->counts.started++;
        j->running.start_time = j->running.configure_time = now;
        j->configuring = true;
        cut_to_deadline(j, now);
        j->running.ran_before = j->accounting.usage_charged = j->accounting.energy =
                        j->accounting.batch_energy = 0;
        j->running.resumed_at = j->running.up_by = 0;
        j->running.launched = j->running.launch_sent = false;
        j->running.lost_launches = j->running.prologs = 0;
        j->running.off_nodes = false;
        j->running.warned = false;
        j->running.mail_told = 0;
        j->stopping.preempt_time = j->stopping.grace_end = j->stopping.stop_at = 0;
        j->stopping.preempt_mode = j->stopping.preemptor = 0;
        j->stopping.gang_at = c->next_gang++;
        j->stopping.gang_filler = j->stopping.gang_next = false;
        j->running.exit_code = j->running.derived_exit_code = 0;
        j->waiting.last_sched_eval = now;
        job_set_reason(c, j, REASON_NONE, NULL);
        cluster_active_insert(c, j);
        alloc_take(c, j, now);
        pick_batch_node(j);
        want_nodes(c, j);
        job_effect(c, FX_ALLOCATED, j, NULL);
        job_hook_allocated(c, j);
        cluster_job_changed(c, j);
}

bool job_nodes_ready(const struct cluster *c, const struct job *j) {
        bool all = job_all_nodes_wanted(j, c->config->sbatch_wait_nodes);

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                /* a lost node of a --no-kill job is not needed */
                if ((all || i == j->placed.batch_at) && !j->placed.alloc[i].done &&
                                !node_is_ready(j->placed.alloc[i].node))
                        return false;
        return true;
}

/* Returns whether v's processes do not run on n, where vn is. A suspended job must be frozen on all
   nodes: if one node cannot freeze the job, the job resumes everywhere. *still caches the last
   frozen job, as large jobs share many nodes. */
static bool out_of_the_way(const struct job *v, const struct job_node *vn,
                const struct job **still) {
        if (v->completing)
                return !vn->used || vn->stopped;
        if (v == *still)
                return true;
        if (v->state != JOB_SUSPENDED || !job_is_stopped_everywhere(v))
                return false;
        *still = v;
        return true;
}

static bool is_there_still(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n, void *user) {
        (void)c, (void)j;
        return !out_of_the_way(v, job_node_find(v, n), user);
}

/* Returns whether every job that was suspended for j is frozen on n. */
static bool others_stand_still(const struct cluster *c, const struct job *j, const struct node *n,
                const struct job **still) {
        return !alloc_crowded(c, j, n, is_there_still, still);
}

static bool waits_to_launch(const struct job *j) {
        return j->state == JOB_RUNNING && !j->completing &&
               (j->configuring || (job_has_script(j) && !j->running.launched &&
                                                  !j->running.launch_sent));
}

/* When the launch must be confirmed; 0 with a prolog, which may take any time. */
static usec_t launch_deadline(const struct cluster *c, usec_t now) {
        return config_has_prolog(c->config) ? 0
                                            : now + c->config->batch_start_timeout + ANSWER_MARGIN;
}

/* Returns whether j's nodes could run j now. */
static bool has_ready_nodes(struct cluster *c, struct job *j, usec_t now) {
        const struct job *still = NULL;

        if (memory_collect(c, j, now) || !job_nodes_ready(c, j))
                return false;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!others_stand_still(c, j, j->placed.alloc[i].node, &still))
                        return false;
        if (j->configuring && !job_prologs_over(c, j, now)) {
                job_set_reason(c, j, REASON_PROLOG, NULL);
                return false;
        }
        return true;
}

/* Returns whether the remaining components of j, with a common begin of the time limit, have ready
   nodes, too. */
static bool others_have_ready_nodes(struct cluster *c, const struct job *j, usec_t now) {
        for (uint32_t i = 0; j->het && j->configuring && i < j->het->n; i++) {
                struct job *m = j->het->of[i];
                if (!m || m == j || job_is_finished(m))
                        continue;
                if (m->state == JOB_PENDING || (m->configuring && !has_ready_nodes(c, m, now)))
                        return false;
        }
        return true;
}

static void job_begin_run(struct cluster *c, struct job *j, usec_t now) {
        if (j->configuring) { /* the time limit does not run while nodes boot */
                j->configuring = false;
                j->running.launch_due = 0;
                if (j->reason == REASON_PROLOG)
                        job_set_reason(c, j, REASON_NONE, NULL);
                if (j->running.start_time != now)
                        cluster_log(c, j->id, NULL, "Configuration for JobId=%u complete", j->id);
                j->running.start_time = j->running.resumed_at = now;
                for (size_t i = 0; i < j->running.n_steps; i++) /* the extern step */
                        j->running.steps[i].start_time = now;
                energy_job_runs(c, j, now);
                j->running.end_time = j->needs.time_limit == NO_LIMIT ? 0
                                                                      : now + j->needs.time_limit;
                job_effect(c, FX_READY, j, NULL);
                dependency_news(c, j);
                job_spare_victims(c, j);
                cluster_job_changed(c, j);
                note(c, FACT_JOB_PREEMPTABLE);
        }
        if (job_has_script(j) && !j->running.launched && !j->running.launch_sent) {
                j->running.launch_sent = true;
                j->running.launch_due = launch_deadline(c, now);
                j->placed.alloc[j->placed.batch_at].used = true;
                job_effect(c, FX_LAUNCH, j, j->placed.alloc[j->placed.batch_at].node);
                cluster_job_changed(c, j);
        }
}

void job_try_launch(struct cluster *c, struct job *j, usec_t now) {
        bool begins = j->configuring;

        job_extern_again(c, j);
        if (j->configuring)
                job_nodes_are_up(c, j, now);
        if (!waits_to_launch(j) || !has_ready_nodes(c, j, now) ||
                        !others_have_ready_nodes(c, j, now))
                return;
        job_begin_run(c, j, now);
        for (uint32_t i = 0; j->het && begins && i < j->het->n; i++)
                if (j->het->of[i] && j->het->of[i]->configuring)
                        job_begin_run(c, j->het->of[i], now);
}

void jobs_try_launch(struct cluster *c, struct node *n, usec_t now) {
        for (size_t i = 0; i < n->n_jobs; i++)
                job_try_launch(c, n->jobs[i], now);
}

/* ---- leaving nodes ---- */

static void forget_later(struct cluster *c, struct job *j) {
        j->listed.armed = 0;
        dependency_news(c, j);
        cluster_job_changed(c, j);
}

/* requeued: j has had its nodes, in contrast to job_unstart(). */
static void back_to_queue(struct cluster *c, struct job *j, bool requeued, usec_t now) {
        job_clear_allocation(j);
        j->running.start_time = j->running.end_time = j->running.suspend_time =
                        j->running.resumed_at = j->running.ran_before = j->running.configure_time =
                                        j->running.resize_time = j->running.resize_ran = 0;
        j->running.launch_due = 0;
        j->running.started_by = STARTER_NONE;
        j->accounting.batch_told = false;
        j->running.launched = j->running.launch_sent = j->stopping.suspended_by_user =
                        j->running.requeue_wanted = false;
        j->stopping.no_suspend = j->stopping.cannot_freeze =
                        false; /* the next run has new processes, perhaps on new nodes */
        free_and_strdup(&j->stopping.no_suspend_why, NULL);
        j->stopping.stop_failures = 0;
        j->stopping.no_reclaim = false;
        free_and_strdup(&j->stopping.no_reclaim_why, NULL);
        j->stopping.may_stop_again = j->stopping.may_give_again = j->stopping.answers_due = 0;
        j->stopping.asked_again = 0;
        j->placed.num_cpus = 0;
        j->listed.armed = 0;
        resv_job_returns(c, j);
        free_and_strdup(&j->running.kill_reason, NULL);
        free_and_strdup(&j->running.notice, NULL);
        if (requeued && c->config->requeue_delay)
                j->waiting.not_before = MAX(j->waiting.not_before, now + c->config->requeue_delay);
        j->stopping.preempt_mode = j->stopping.preemptor = 0;
        if (job_is_held(j))
                j->priority = 0;
        else if (j->priority == 0)
                j->priority = priority_take(c, j, now);
        job_enqueue(c, j, now);
}

/* Releases licenses and units: waiting jobs can start while EpilogSlurmctld still runs. */
static void off_nodes(struct cluster *c, struct job *j, usec_t now) {
        if (j->running.off_nodes)
                return;
        steps_are_over(c, j, now);
        licenses_return(c, j);
        j->running.off_nodes = true;
        job_victim_gone(c, j);
        j->placed.units = bitset_free(j->placed.units);
        cluster_job_changed(c, j);
}

void job_check_done(struct cluster *c, struct job *j, usec_t now) {
        if (!job_is_off_nodes(j))
                return;
        off_nodes(c, j, now);
        if (job_hook_runs(j))
                return;
        cluster_active_remove(c, j);
        j->completing = false;
        if (j->state == JOB_PENDING)
                back_to_queue(c, j, j->running.requeue_wanted, now);
        else
                forget_later(c, j);
}

/* Returns whether something of j may be left on jn's node, or an Epilog has to run there. */
static bool owes_end(const struct cluster *c, const struct job_node *jn, bool began) {
        bool epilog = began && !jn->given_up && config_has_epilog(c->config);

        return (jn->used || epilog) && jn->node->power != NODE_POWERED_DOWN &&
               jn->node->power != NODE_POWERING_UP;
}

/* began: j has had its nodes. */
static void leave_nodes(struct cluster *c, struct job *j, bool began, usec_t now) {
        j->completing = true;
        c->n_completing++;
        c->completing_from = now;
        j->stopping.answers_due = j->running.launch_due = j->stopping.grace_end =
                        j->stopping.stop_at = j->running.heard_by = 0;
        /* Waiting jobs judge completing victims node by node from now on. */
        if (c->config->preempt_type != PREEMPT_NONE && j->placed.nodes)
                note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->done)
                        continue;
                jn->due = 0;
                jn->overdue = jn->reclaiming = false;
                if (!owes_end(c, jn, began)) {
                        alloc_release_node(c, j, jn, now);
                } else {
                        jn->used = true;
                        job_kill_node(c, j, jn, now);
                        if (jn->owed) /* no other job needs to give the owed memory now */
                                memory_level(c, jn->node, now);
                }
                /* Units lent because of scontrol suspend are not lent any more until they are
                   free. */
                if (j->stopping.suspended_by_user && !jn->done)
                        alloc_recount(c, jn->node, now);
        }
        job_hook_leaves(c, j, began);
        job_spare_victims(c, j);
        cluster_job_changed(c, j);
        job_check_done(c, j, now);
}

/* Returns the end of j as reported by slumberd, else now: no time after the end is charged. */
static usec_t take_said_end(struct job *j, usec_t now) {
        usec_t said = j->running.said_end,
               begun = MAX(j->running.start_time, j->running.resumed_at);

        j->running.said_end = 0;
        return said && said < now ? MIN(now, MAX(said, begun)) : now;
}

static void stop_clock(struct cluster *c, struct job *j, usec_t now) {
        if (j->state == JOB_RUNNING && !j->configuring && j->running.resumed_at)
                j->running.ran_before += now > j->running.resumed_at ? now - j->running.resumed_at
                                                                     : 0;
        j->running.resumed_at = 0;
        energy_job_rests(c, j, now);
}

/* Notes the consequences for the remaining components of j's heterogeneous job. */
static void het_note_left(struct cluster *c, const struct job *j) {
        if (j->het)
                note(c, FACT_HET_LEFT);
        for (uint32_t i = 0; j->het && i < j->het->n; i++) /* these waited for j's nodes */
                if (j->het->of[i] && j->het->of[i]->configuring)
                        note_nodes(c, FACT_LAUNCH_POSSIBLE, j->het->of[i]->placed.nodes);
}

void job_end(struct cluster *c, struct job *j, enum job_state state, enum job_reason reason,
                const char *kill_reason, usec_t now) {
        bool pending = j->state == JOB_PENDING && !j->completing;
        usec_t end = take_said_end(j, now);

        assert(!job_is_finished(j));
        c->counts.ended[state]++;
        if (j->completing && j->state == JOB_PENDING) { /* j was being requeued */
                int r = job_move(j, JOB_ENDED, state);
                assert(r >= 0);
                j->running.end_time = now;
                job_set_reason(c, j, reason, NULL);
                job_effect(c, FX_ENDED, j, NULL)->ended = ended_new(c, j,
                                job_state_text((int)state), false, now);
                cluster_job_changed(c, j);
                return;
        }
        if (pending)
                cluster_queue_remove(c, j);
        stop_clock(c, j, end);
        usage_charge(c, j, end);
        int r = job_move(j, JOB_ENDED, state);
        assert(r >= 0);
        j->configuring = false;
        if (!j->running.start_time)
                j->running.start_time = end;
        j->running.end_time = end;
        j->running.known_over = now;
        free_and_strdup(&j->running.kill_reason, kill_reason);
        job_set_reason(c, j, reason, NULL);
        het_note_left(c, j);
        job_effect(c, FX_ENDED, j, NULL)->ended = ended_new(c, j, job_state_text((int)state),
                        !pending, end);
        if (pending)
                forget_later(c, j);
        else
                leave_nodes(c, j, true, now);
}

/* The state of a requeued run in the accounts. */
static const char *requeued_word(const struct job *j, const char *kill_reason) {
        if (j->stopping.preempt_mode)
                return job_state_text(JOB_PREEMPTED);
        return streq(strempty(kill_reason), "NODE FAILURE") ? job_state_text(JOB_NODE_FAIL)
                                                            : "REQUEUED";
}

enum slumber_error job_requeue(struct cluster *c, struct job *j, const char *kill_reason, bool hold,
                usec_t now) {
        return j->asked.batch && !job_may_run_again(j)
                               ? SLUMBER_DISABLED
                               : job_requeue_always(c, j, kill_reason, hold, now);
}

enum slumber_error job_requeue_always(struct cluster *c, struct job *j, const char *kill_reason,
                bool hold, usec_t now) {
        if (!j->asked.batch)
                return SLUMBER_BATCH_ONLY;
        if (j->state == JOB_PENDING)
                return SLUMBER_JOB_PENDING;
        bool finished = job_is_finished(j);
        usec_t end = take_said_end(j, now);
        /* The row is made before the job's times are reset. */
        struct ended *run = finished ? NULL
                                     : ended_new(c, j, requeued_word(j, kill_reason), true, end);
        j->held_by_user |= hold;
        j->restarts++;
        j->waiting.queued_time = now;
        if (!finished)
                stop_clock(c, j, end);
        usage_charge(c, j, end);
        int r = job_move(j, JOB_REQUEUED, 0);
        assert(r >= 0);
        het_note_left(c, j);
        cluster_log(c, j->id, NULL, "Requeuing JobId=%u (restart %u)", j->id, j->restarts);
        if (hold)
                job_set_reason(c, j, REASON_HELD_USER, "job requeued in held state");
        else if (!is_told_why_held(j))
                job_set_reason(c, j, job_is_held(j) ? job_held_reason(c, j) : REASON_CLEANING,
                                NULL);
        if (finished && !j->completing) {
                back_to_queue(c, j, true, now);
                dependency_news(c, j);
                if (j->waiting.depends) /* dependencies were not followed while j was finished */
                        dependencies_join(c, j, now);
                return SLUMBER_OK;
        }
        j->configuring = false;
        j->running.requeue_wanted = true;
        if (finished) /* j is still completing */
                return SLUMBER_OK;
        free_and_strdup(&j->running.kill_reason, kill_reason);
        job_effect(c, FX_ENDED, j, NULL)->ended = run;
        leave_nodes(c, j, true, now);
        return SLUMBER_OK;
}

void job_hold_special(struct cluster *c, struct job *j) {
        assert(j->held_by_user);
        j->special_exit = true;
        cluster_job_changed(c, j);
}

bool job_requeue_for_exit(struct cluster *c, struct job *j, uint32_t status, usec_t now) {
        const unsigned code = status >> 8 & 0xff;
        const struct bitset *again = c->config->requeue_exit, *held = c->config->requeue_exit_hold;
        bool hold = held && bitset_has(held, code);

        if (!hold && !(again && bitset_has(again, code)))
                return false;
        if (job_requeue(c, j, NULL, hold, now) != SLUMBER_OK)
                return false;
        if (!hold) /* a script that fails at once must not take all starts */
                j->waiting.not_before = MAX(j->waiting.not_before,
                                now + (c->config->requeue_delay ? c->config->requeue_delay
                                                                : REQUEUE_PAUSE));
        cluster_log(c, j->id, NULL, "JobId=%u is requeued%s: its script exited with %u (%s)", j->id,
                        hold ? " and held" : "", code, hold ? "RequeueExitHold" : "RequeueExit");
        if (hold)
                job_hold_special(c, j);
        return true;
}

enum slumber_error job_requeue_unlaunched(struct cluster *c, struct job *j, bool always, bool hold,
                usec_t now) {
        if (j->asked.batch && (always || job_may_run_again(j))) {
                j->failed_launches++;
                if (job_launches_fail_too_often(c, j)) {
                        j->held_by_admin = true;
                        cluster_log(c, j->id, NULL,
                                        "%u launches of JobId=%u have failed: it is held "
                                        "(MaxBatchRequeue)",
                                        j->failed_launches, j->id);
                }
        }
        return always ? job_requeue_always(c, j, NULL, hold, now)
                      : job_requeue(c, j, NULL, hold, now);
}

void job_unstart(struct cluster *c, struct job *j, const char *why, usec_t now) {
        if (!j->asked.batch) /* the user's command knows that the job had nodes */
                job_effect(c, FX_MESSAGE, j, NULL)->text = xasprintf(
                                "job %u gives its nodes back and waits for resources again: %s",
                                j->id, why);
        het_note_left(c, j);
        cluster_log(c, j->id, NULL, "JobId=%u could not take its nodes and waits again: %s", j->id,
                        why);
        int r = job_move(j, JOB_REQUEUED, 0);
        assert(r >= 0);
        j->configuring = false;
        leave_nodes(c, j, false, now);
}

void job_let_go(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *before = j->completing ? NULL : licenses_nodes(c, j);

        alloc_release_node(c, j, jn, now);
        licenses_shrink(c, j, before);
        cluster_job_changed(c, j);
        if (j->completing)
                job_check_done(c, j, now);
}

/* --no-kill: whether j can go on without jn, which must not be the batch script's node. */
static bool job_can_lose_node(const struct job *j, const struct job_node *jn) {
        size_t left = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                left += !j->placed.alloc[i].done;
        return j->asked.no_kill && !j->configuring && left > 1 &&
               !(job_has_script(j) && jn == &j->placed.alloc[j->placed.batch_at]);
}

void job_goes_on_without(struct cluster *c, struct job *j, struct node *n) {
        struct effect *fx = effects_add(&c->effects, FX_NODE_LOST);

        fx->job = j->id;
        fx->node = n;
        j->running.lost_nodes = true;
        note(c, FACT_NODE_LOST);
        cluster_log(c, j->id, n, "JobId=%u lost node %s and goes on without it (--no-kill)", j->id,
                        n->name);
}

void job_node_failed(struct cluster *c, struct job *j, struct node *n, usec_t now) {
        struct job_node *jn = job_node_find(j, n);

        if (!jn || jn->done)
                return;
        if (jn->used && n->connected)
                node_end_stray(c, n, j->id, job_incarnation(j), false, now);
        jn->used = false; /* the node itself is not waited for */
        jn->given_up = true;
        if (j->completing || job_can_lose_node(j, jn)) {
                if (!j->completing)
                        job_goes_on_without(c, j, n);
                job_let_go(c, j, jn, now);
                return;
        }
        cluster_log(c, j->id, n, "JobId=%u lost node %s", j->id, n->name);
        /* j has lost nodes before: wait for the fault to end. */
        if (j->restarts && job_may_run_again(j) && !j->configuring)
                j->waiting.not_before = now + REQUEUE_PAUSE;
        /* requeue_on_resume_failure: even with --no-requeue, as the job never ran */
        bool always = c->config->requeue_on_resume_failure && j->configuring;
        enum slumber_error e = always ? job_requeue_always(c, j, "NODE FAILURE", false, now)
                                      : job_requeue(c, j, "NODE FAILURE", false, now);
        if (e != SLUMBER_OK)
                job_end(c, j, JOB_NODE_FAIL, REASON_NODE_DOWN, "NODE FAILURE", now);
}

/* ---- requests of users ---- */

enum slumber_error job_cancel(struct cluster *c, struct job *j, uid_t uid, usec_t now) {
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        j->running.cancelled_by = uid + 1;
        job_end(c, j, JOB_CANCELLED, REASON_NONE, "", now);
        return SLUMBER_OK;
}

static void signal_node(struct cluster *c, struct job *j, const struct job_node *jn, uint32_t step,
                const struct effect *what) {
        struct effect *fx = job_effect(c, FX_SIGNAL, j, jn->node);

        fx->signal = what->signal;
        fx->step = step;
        fx->batch_only = what->batch_only;
        fx->full = what->full;
        fx->terminate = what->terminate;
        fx->text = xstrdup(what->text);
}

static uint64_t signal_bit(int signal) {
        return (uint64_t)1 << (signal - 1);
}

#define STOPS                                                                                      \
        (signal_bit(SIGSTOP) | signal_bit(SIGTSTP) | signal_bit(SIGTTIN) | signal_bit(SIGTTOU))

/* The latest of SIGSTOP and SIGCONT counts, as for a process. */
static uint64_t undone_by(int signal) {
        return signal == SIGCONT ? STOPS : signal_bit(signal) & STOPS ? signal_bit(SIGCONT) : 0;
}

/* Keeps a signal for the whole job until slumberd is back; returns false if the signal is lost. */
static bool note_signal(struct cluster *c, struct job *j, struct job_node *jn, uint32_t step,
                const struct effect *what) {
        enum signal_reach reach = what->batch_only ? SIGNAL_BATCH
                                  : what->full     ? SIGNAL_FULL
                                                   : SIGNAL_STEPS;

        if (step != STEP_ANY || what->terminate)
                return false;
        if (reach == SIGNAL_BATCH && jn != &j->placed.alloc[j->placed.batch_at])
                return true; /* the script is on another node */
        for (int r = 0; r < SIGNAL_REACH_MAX; r++)
                if (r == (int)reach || reach == SIGNAL_FULL)
                        jn->signals[r] &= ~undone_by(what->signal);
        jn->signals[reach] |= signal_bit(what->signal);
        cluster_job_changed(c, j);
        cluster_log(c, j->id, jn->node, "JobId=%u: signal %d waits for %s to be back", j->id,
                        what->signal, jn->node->name);
        return true;
}

void job_signal_missed(struct cluster *c, struct job *j, struct node *n, int signal,
                bool batch_only, bool full) {
        struct job_node *jn = job_node_find(j, n);
        const struct effect what = { .signal = signal, .batch_only = batch_only, .full = full };

        if (jn && jn->used && !jn->done && !job_is_finished(j))
                (void)note_signal(c, j, jn, STEP_ANY, &what);
}

/* Returns whether step runs on the node at, so that a signal for the step concerns the node. */
static bool step_is_on_node(struct job *j, size_t at, uint32_t step) {
        const struct step *s = step == STEP_ANY ? NULL : job_step_find(j, step);

        return s ? bitset_has(s->nodes, at) && !bitset_has(s->ended, at)
                 : step == STEP_ANY || at == j->placed.batch_at;
}

static enum slumber_error signal_nodes(struct cluster *c, struct job *j, uint32_t step,
                const struct effect *what) {
        bool away = false;

        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (j->state == JOB_PENDING)
                return SLUMBER_JOB_PENDING;
        if (step != STEP_ANY && !(step == STEP_BATCH && j->asked.batch) &&
                        (step == STEP_EXTERN || !job_step_find(j, step)))
                return SLUMBER_BAD_STEP_ID;
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->used && !jn->done && jn->node->connected)
                        signal_node(c, j, jn, step, what);
                else if (jn->used && !jn->done && step_is_on_node(j, i, step))
                        away |= !note_signal(c, j, jn, step, what);
        }
        return away && !what->terminate ? SLUMBER_NODE_AWAY : SLUMBER_OK;
}

enum slumber_error job_signal(struct cluster *c, struct job *j, int signal, uint32_t step,
                bool batch_only, bool full) {
        return signal_nodes(c, j, step,
                        &(struct effect){ .signal = signal,
                                        .batch_only = batch_only,
                                        .full = full });
}

#define NOTICE_MAX ((size_t)64 << 10) /* kept for a script: the size of the largest notice */

/* Keeps a notice for a batch script that has not begun. */
static enum slumber_error keep_notice(struct cluster *c, struct job *j, const char *text) {
        _cleanup_free_ char *before = TAKE(j->running.notice);

        if (strlen(strempty(before)) + strlen(text) >= NOTICE_MAX) {
                j->running.notice = TAKE(before);
                return SLUMBER_TOO_BIG;
        }
        j->running.notice = before ? xasprintf("%s\n%s", before, text) : xstrdup(text);
        cluster_job_changed(c, j);
        return SLUMBER_OK;
}

static void write_notice(struct cluster *c, struct job *j, const char *text) {
        struct effect *fx = job_effect(c, j->asked.batch ? FX_SIGNAL : FX_MESSAGE, j,
                        j->asked.batch ? j->placed.alloc[j->placed.batch_at].node : NULL);

        fx->step = STEP_BATCH;
        fx->text = xstrdup(text);
}

void job_write_notices(struct cluster *c, struct job *j) {
        _cleanup_free_ char *text = TAKE(j->running.notice);

        for_each_word(line, text, "\n")
                write_notice(c, j, line);
}

enum slumber_error job_notify(struct cluster *c, struct job *j, const char *text) {
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (j->state == JOB_PENDING)
                return SLUMBER_DISABLED;
        if (j->asked.batch && (j->configuring || !j->running.launched))
                return keep_notice(c, j, text);
        if (j->asked.batch && !j->placed.alloc[j->placed.batch_at].node->connected)
                return SLUMBER_NODE_AWAY;
        write_notice(c, j, text);
        return SLUMBER_OK;
}

enum slumber_error job_terminate_step(struct cluster *c, struct job *j, uint32_t step) {
        return signal_nodes(c, j, step, &(struct effect){ .terminate = true });
}

void job_steps_due(struct cluster *c, struct job *j, usec_t now) {
        for (size_t i = 0; i < j->running.n_steps; i++) {
                struct step *s = &j->running.steps[i];
                if (now < job_step_time_up(j, s))
                        continue;
                if (!s->timed_out)
                        cluster_log(c, j->id, NULL, "Time limit exhausted for StepId=%u.%u", j->id,
                                        s->id);
                s->timed_out = now;
                (void)signal_nodes(c, j, s->id,
                                &(struct effect){ .terminate = true,
                                                .text = (char *)(uintptr_t) "TIME LIMIT" });
                cluster_job_changed(c, j);
        }
}

enum slumber_error job_cancel_step(struct cluster *c, struct job *j, uint32_t step, uid_t uid,
                int signal) {
        enum slumber_error e = signal_nodes(c, j, step,
                        &(struct effect){ .terminate = true, .signal = signal });
        struct step *s = e == SLUMBER_OK ? job_step_find(j, step) : NULL;

        if (s && !s->cancelled_by) {
                s->cancelled_by = uid + 1;
                cluster_job_changed(c, j);
        }
        return e;
}

static void deliver_signals(struct cluster *c, struct job *j, struct job_node *jn,
                enum signal_reach reach, uint64_t which) {
        uint64_t list = jn->signals[reach] & which;

        jn->signals[reach] &= ~which;
        for (int signal = 1; list; signal++) {
                if (list & signal_bit(signal))
                        signal_node(c, j, jn, STEP_ANY,
                                        &(struct effect){ .signal = signal,
                                                        .batch_only = reach == SIGNAL_BATCH,
                                                        .full = reach == SIGNAL_FULL });
                list &= ~signal_bit(signal);
        }
}

void job_node_catch_up(struct cluster *c, struct job *j, struct job_node *jn) {
        size_t at = (size_t)(jn - j->placed.alloc);

        for (int reach = 0; reach < SIGNAL_REACH_MAX; reach++)
                deliver_signals(c, j, jn, reach, STOPS);
        for (int reach = 0; reach < SIGNAL_REACH_MAX; reach++)
                deliver_signals(c, j, jn, reach, ~(uint64_t)0);
        for (size_t i = 0; i < j->running.n_steps; i++) {
                const struct step *s = &j->running.steps[i];
                if (s->cancelled_by && bitset_has(s->nodes, at) && !bitset_has(s->ended, at))
                        signal_node(c, j, jn, s->id, &(struct effect){ .terminate = true });
        }
}

enum slumber_error job_hold(struct cluster *c, struct job *j, bool by_admin, usec_t now) {
        bool queued = job_is_queued(j);

        if (job_is_finished(j))
                return SLUMBER_JOB_FINISHED;
        if (queued)
                cluster_queue_remove(c, j);
        j->held_by_admin |= by_admin;
        j->held_by_user |= !by_admin;
        j->priority = 0;
        if (queued) {
                job_enqueue(c, j, now);
        } else if (j->state != JOB_PENDING) {
                job_set_reason(c, j, job_held_reason(c, j), NULL);
                note(c, FACT_PRIORITY_CHANGED); /* pending jobs may preempt j now (WITHIN) */
        }
        cluster_job_changed(c, j);
        return SLUMBER_OK;
}

enum slumber_error job_release(struct cluster *c, struct job *j, bool admin, usec_t now) {
        bool queued = job_is_queued(j);

        if (job_is_finished(j))
                return SLUMBER_JOB_FINISHED;
        if (j->held_by_admin && !admin)
                return SLUMBER_ACCESS_DENIED;
        if (!job_is_held(j) && !(admin && j->asked.priority))
                return SLUMBER_OK;
        if (!j->held_by_admin && !j->held_by_user && j->held_priority)
                return SLUMBER_BAD_LICENSE; /* the license is still unknown */
        if (queued)
                cluster_queue_remove(c, j);
        j->held_by_admin = j->held_by_user = j->special_exit = false;
        note(c, FACT_JOB_UPDATED);
        if (admin) /* a release, as in Slurm, resets a priority set by hand */
                j->asked.priority = 0;
        j->priority = j->asked.priority ? j->asked.priority : priority_take(c, j, now);
        if (queued)
                job_enqueue(c, j, now);
        else if (j->state != JOB_PENDING)
                job_set_reason(c, j, REASON_NONE, NULL);
        cluster_job_changed(c, j);
        return SLUMBER_OK;
}

enum slumber_error job_suspend(struct cluster *c, struct job *j, usec_t now) {
        if (j->state == JOB_PENDING)
                return SLUMBER_JOB_PENDING;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (j->configuring && j->state == JOB_RUNNING)
                return SLUMBER_NODES_BOOTING;
        if (j->state == JOB_RUNNING)
                job_stop(c, j, true, now);
        j->stopping.suspended_by_user = true;
        j->stopping.gang_next = false;
        j->priority = 0;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        alloc_recount(c, j->placed.alloc[i].node, now);
        note(c, FACT_JOB_SUSPENDED);
        cluster_job_changed(c, j);
        return SLUMBER_OK;
}

/* Gang scheduling resumes j as soon as j's units are free: at once if no job holds the units. */
enum slumber_error job_resume(struct cluster *c, struct job *j, usec_t now) {
        if (j->state == JOB_PENDING)
                return SLUMBER_JOB_PENDING;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (j->state != JOB_SUSPENDED)
                return SLUMBER_JOB_NOT_SUSPENDED;
        bool was_by_user = j->stopping.suspended_by_user;
        j->stopping.suspended_by_user = false;
        if (was_by_user)
                j->stopping.gang_at = c->next_gang++; /* j joins the gang at the end of its list */
        cluster_stopped_insert(c, j);
        if (j->priority == 0 && !job_is_held(j))
                j->priority = priority_take(c, j, now);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        alloc_recount(c, j->placed.alloc[i].node, now);
        if (was_by_user) /* j is preemptible again: higher tiers may be waiting */
                note(c, FACT_JOB_SUSPENDED);
        cluster_job_changed(c, j);
        return SLUMBER_OK;
}
