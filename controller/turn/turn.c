/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order matters: a pending job gets nodes before a suspended job resumes there (and would only
 * be suspended again), and power saving comes last, when the wanted nodes are known; only waking is
 * done earlier when a pass takes many turns. */
#include "controller/turn/turn.h"

#include "controller/accounts/limit_check.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/listen.h"
#include "controller/indexes/rank.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/reservation_life.h"
#include "controller/model/node_log.h"
#include "controller/nodes/reboot.h"
#include "controller/orders/partitions.h"
#include "controller/orders/triggers.h"
#include "controller/power_save/power_save.h"
#include "controller/preempt/gang.h"
#include "controller/sched/backfill.h"
#include "controller/sched/sched.h"
#include "controller/turn/due.h"
#include "controller/turn/het_fate.h"
#include "controller/updates/resize.h"

/* Scheduling and gang may create work for each other; more rounds would be a mistake of ours, and
   the next turn continues. */
#define ROUNDS_MAX 8
/* scheduling pass and gang */
#define DECISIONS (FOLLOW_PASS | FOLLOW_GANG)
/* maximum rounds of decisions and the plan of the queue */
#define PLANS_MAX 4
/* If a pass takes longer, started jobs get their nodes woken meanwhile; each time costs a run of
   ResumeProgram. */
#define WAKE_AFTER (200 * USEC_PER_MSEC)

static void turn_handle_deadline(struct cluster *c, const struct deadline *d, usec_t now) {
        struct job *j;

        switch (d->kind) {
        case DEADLINE_NODE:
                /* unless a later entry counts */
                if (d->id < c->n_nodes && c->nodes[d->id]->armed == d->at)
                        node_due(c, c->nodes[d->id], now);
                break;
        case DEADLINE_JOB:
                j = cluster_job(c, d->id);
                if (j && j->listed.armed == d->at)
                        job_due(c, j, now);
                break;
        case DEADLINE_PASS:
                note(c, d->id == PASS_BEGIN            ? FACT_JOB_BEGINS
                                : d->id == PASS_ALLOWS ? FACT_LIMIT_ROOM
                                                       : FACT_PASS_DUE);
                break;
        case DEADLINE_PRIORITY:
                priority_review(c, now);
                break;
        case DEADLINE_LIMITS:
                limits_review(c, now);
                break;
        case DEADLINE_RESV:
                resv_review(c, now);
                break;
        case DEADLINE_SLICE:
                /* unless no job waits any more */
                if (d->id < c->n_partitions && c->partitions[d->id]->slice_at == d->at)
                        gang_slice(c, c->partitions[d->id], now);
                break;
        case DEADLINE_TRIGGERS:
                if (d->at == c->triggers.armed) /* an earlier entry has been handled already */
                        triggers_review(c, now);
                break;
        case DEADLINE_TURN: /* every turn runs the plan and power saving */
                break;
        }
}

static void turn_launch(struct cluster *c, usec_t now) {
        const struct bitset *nodes = follows_nodes(c, FOLLOW_LAUNCH);

        if (bitset_empty(nodes))
                return;
        bitset_for_each(i, nodes)
                jobs_try_launch(c, c->nodes[i], now);
        follows_nodes_done(c, FOLLOW_LAUNCH);
        if (c->n_stopped) /* suspended jobs wait for the nodes, too */
                note(c, FACT_JOB_STARTED);
}

/* Ends or requeues all components of heterogeneous jobs where needed. */
static void share_fates(struct cluster *c, usec_t now) {
        if (follows_take(c, FOLLOW_HET))
                het_settle(c, now);
}

static void drop_lost_nodes(struct cluster *c, usec_t now) {
        if (follows_take(c, FOLLOW_LOST_NODES))
                jobs_drop_lost(c, now);
}

static void find_places(struct cluster *c) {
        if (!follows_take(c, FOLLOW_PLACES))
                return;
        (void)partitions_move_nodes(c, true, NULL);
        partitions_find_places(c);
}

/* Decides as far as the pass gets: suspended jobs resume only after the pass has finished. */
static void turn_decide(struct cluster *c, usec_t now) {
        for (int i = 0; i < ROUNDS_MAX && (follows(c, DECISIONS) || c->slices.pass); i++) {
                /* Changed jobs, accounts or configuration may change when a preemptor may
                   preempt. */
                if (follows(c, FOLLOW_REASONS | FOLLOW_GANG))
                        c->exempt_changes++;
                if (follows(c, FOLLOW_PASS) || c->slices.pass)
                        sched_pass(c, now, false);
                if (c->slices.pass)
                        return;
                if (follows(c, FOLLOW_GANG))
                        gang_settle(c, now);
                turn_launch(c, now);
                share_fates(c, now);
                dependencies_settle(c, now);
        }
}

void turn_deadlines(struct cluster *c, usec_t now) {
        struct deadline d;

        dependencies_settle(c, now); /* before the jobs concerned are forgotten */
        listen_review(c, now);
        while (cluster_pop_deadline(c, now, &d)) {
                if (!listen_keeps(c, &d))
                        turn_handle_deadline(c, &d, now);
                dependencies_settle(c, now);
        }
        share_fates(c, now);
        if (follows(c, FOLLOW_RESERVATIONS))
                resv_review(c, now);
}

/* Postpones the plan after a long pass: the plan gets a turn of its own, but is not postponed
   twice. */
static bool turn_postpone_plan(struct cluster *c, uint64_t looked) {
        c->slices.plan_put_off = !c->slices.plan_put_off && c->slices.looked - looked >= LOOKS_MAX;
        return c->slices.plan_put_off;
}

static void run_plan(struct cluster *c, usec_t now) {
        if (c->plan_runs)
                c->plan_runs(true, c->plan_user);
        backfill_run(c, now);
        if (c->plan_runs)
                c->plan_runs(false, c->plan_user);
}

/* false: continues in the next turn, without conclusions yet. */
static bool turn_settle(struct cluster *c, usec_t now) {
        uint64_t looked = c->slices.looked;

        turn_decide(c, now);
        for (int i = 0; i <= PLANS_MAX && !c->slices.pass; i++) {
                if (turn_postpone_plan(c, looked))
                        return false;
                /* a job that started or was requeued there has a new place in the plan */
                run_plan(c, now);
                share_fates(c, now);
                if (!follows(c, DECISIONS) || c->slices.looked - looked >= LOOKS_MAX)
                        break;
                if (i < PLANS_MAX)
                        turn_decide(c, now);
        }
        return !c->slices.pass;
}

static void wake_meanwhile(struct cluster *c, usec_t now) {
        if (c->slices.since && now < c->slices.since + WAKE_AFTER)
                return;
        if (c->slices.since)
                power_save_wake(c, now);
        c->slices.since = now;
}

/* No job starts: suspended jobs may resume, and wanted nodes are woken. */
static void stand_by(struct cluster *c, usec_t now) {
        for (int i = 0; i < ROUNDS_MAX && follows(c, FOLLOW_GANG); i++) {
                gang_settle(c, now);
                turn_launch(c, now);
                dependencies_settle(c, now);
        }
        power_save_wake(c, now);
        if (follows(c, FOLLOW_GANG)) /* the rounds were not enough */
                cluster_arm(c, now, DEADLINE_TURN, 0);
}

static void turn_follow(struct cluster *c, usec_t now) {
        turn_deadlines(c, now);
        drop_lost_nodes(c, now);
        find_places(c);
        claims_review(c, now);
        turn_launch(c, now);
        if (sched_awaits_completing(c, now)) {
                stand_by(c, now);
                return;
        }
        if (!turn_settle(c, now)) {
                cluster_arm(c, now, DEADLINE_TURN, 0);
                wake_meanwhile(c, now);
                return;
        }
        c->slices.since = 0;
        if (acct_counts_minutes(&c->acct))
                limits_review(c, now);
        accrue_review(c, now);
        /* jobs just started may use nodes that a REPLACE reservation keeps idle */
        if (follows(c, FOLLOW_RESERVATIONS))
                cluster_arm(c, now, DEADLINE_RESV, 0);
        power_save_pass(c, now);
        reboot_pass(c, now);
        if (follows(c, DECISIONS)) /* the rounds were not enough */
                cluster_arm(c, now, DEADLINE_PASS, 0);
}

void turn(struct cluster *c, usec_t now) {
        turn_follow(c, now);
        node_log_tell(c, now);
}
