/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass wakes wanted nodes, in the order in which the jobs started, then switches off nodes that
 * are idle or wanted off, then reports failed boots to ResumeFailProgram.
 *
 * A node enters the sets through events (the idle deadline, a job, an admin) and leaves the sets
 * here: a pass without events costs no time.  Each node takes a token of SuspendRate or ResumeRate.
 * When no token is left, the remaining nodes stay in the set, and a deadline repeats the pass as
 * soon as each waiting node has a token, at most a second later: a program runs for several nodes
 * at once instead of for each alone. */
#include "controller/power_save/power_save.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/job_events.h"
#include "controller/model/node_log.h"
#include "controller/nodes/brake.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/veto.h"
#include "controller/reservations/reservation.h"

/* Takes no token before the pass is due again, even if an earlier turn runs the pass. */
static bool lets_pass(struct bucket *b, usec_t now) {
        return now >= b->armed && bucket_take(b, now);
}

static void bucket_arm_next(struct cluster *c, struct bucket *b, const char *rate,
                const struct bitset *waiting) {
        usec_t next = bucket_next(b, bitset_count(waiting));

        if (next == b->armed)
                return;
        b->armed = next;
        cluster_debug(c, DEBUG_POWER, NULL, "POWER: %s lets no more nodes pass now, %zu wait", rate,
                        bitset_count(waiting));
        cluster_arm(c, next, DEADLINE_TURN, 0);
}

/* ---- waking ---- */

static const char by_suspend[] = "its SuspendProgram still runs",
                  by_resume[] = "its ResumeProgram still runs";

/* Returns whether slurm.conf or the request names a program. */
static bool has_program(const struct cluster *c, const struct node *n, bool on) {
        return n->action || cluster_has_switch(c, on);
}

/* A job that already runs because the first node was up counts, too. */
static bool some_job_waits(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (!n->jobs[i]->completing)
                        return true;
        return false;
}

static void tell_wake(struct cluster *c, struct node *n) {
        const struct job *j = NULL;

        for (size_t i = 0; i < n->n_jobs && !j; i++)
                j = n->jobs[i]->completing ? NULL : n->jobs[i];
        if (j)
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s is switched on for JobId=%u", n->name,
                                j->id);
        else if (!(n->flags & NODE_POWER_UP_WANTED) && node_claimed_by(c, n))
                cluster_debug(c, DEBUG_POWER, n,
                                "POWER: %s is switched on for JobId=%u, which preempts others",
                                n->name, node_claimed_by(c, n)->id);
        else if (!(n->flags & NODE_POWER_UP_WANTED))
                cluster_debug(c, DEBUG_POWER, n,
                                "POWER: %s is switched on: a planned job or reservation needs it soon",
                                n->name);
        else
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s is switched on, asked for by uid %u",
                                n->name, (unsigned)n->wish_uid);
        if (node_wake_after(n))
                cluster_log(c, 0, n,
                                "Node %s is switched on although %s, twice SuspendTimeout after its start",
                                n->name, by_suspend);
}

static bool node_is_needed(const struct cluster *c, const struct node *n) {
        return some_job_waits(n) || bitset_has(c->warm, n->index) || node_claimed_by(c, n);
}

/* Returns whether to wake n now; removes a node that is no longer wanted from the set. */
static bool should_wake(struct cluster *c, struct node *n) {
        bool by_hand = n->flags & NODE_POWER_UP_WANTED;

        if (n->power == NODE_POWERING_DOWN)
                return false; /* woken after powering down */
        if (n->power == NODE_ON ||
                        (!by_hand && (n->power == NODE_POWERING_UP || !node_is_needed(c, n)))) {
                if (n->power != NODE_ON && n->power != NODE_POWERING_UP)
                        cluster_debug(c, DEBUG_POWER, n,
                                        "POWER: %s stays off: no job needs it any more", n->name);
                powered_wake_no_more(c, n);
                return false;
        }
        if (!c->power_save && !by_hand)
                return false;
        return n->retry_at == 0 && has_program(c, n, true); /* retried after the pause */
}

/* Returns whether a program still running would give the BMC the opposite command of the program
   that is due.  The pass is repeated at the end of the running program or at the node's deadline,
   `until`. */
static bool is_at_odds(struct cluster *c, struct node *n, const char *by, bool on, usec_t until,
                usec_t now) {
        if (now >= until)
                return false;
        if (n->told != by)
                cluster_log(c, 0, n,
                                "Node %s is not switched %s yet: %s, which is waited for until %llu s from now",
                                n->name, on ? "on" : "off", by,
                                (unsigned long long)DIV_ROUND_UP(until - now, USEC_PER_SEC));
        n->told = by;
        return true;
}

static bool still_cut(struct cluster *c, struct node *n, usec_t now) {
        return is_at_odds(c, n, by_suspend, true, node_wake_after(n), now);
}

static bool node_resume(struct cluster *c, struct node *n, struct bitset *woken, usec_t now) {
        if (!should_wake(c, n) || still_cut(c, n, now))
                return true;
        if (!lets_pass(&c->resume_bucket, now)) {
                bucket_arm_next(c, &c->resume_bucket, "ResumeRate", c->to_resume);
                return false;
        }
        tell_wake(c, n);
        int r = node_power_event(c, n, NODE_RESUMED, now);
        assert(r >= 0);
        bitset_add(woken, n->index);
        return true;
}

static int by_start(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->running.configure_time != (*y)->running.configure_time)
                return (*x)->running.configure_time < (*y)->running.configure_time ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static struct job **waiting_jobs(const struct cluster *c, size_t *ret_n) {
        struct job **jobs = NULL;
        size_t n = 0, allocated = 0;

        for (size_t i = 0; i < c->n_active; i++)
                if (!c->active[i]->completing &&
                                bitset_overlaps(c->active[i]->placed.nodes, c->to_resume)) {
                        GROW(jobs, allocated, n);
                        jobs[n++] = c->active[i];
                }
        list_sort(jobs, n, sizeof jobs[0], by_start);
        *ret_n = n;
        return jobs;
}

/* Adds the effect; power_save_min_interval counts from now. */
static struct effect *start_program(struct cluster *c, enum effect_kind kind, usec_t now) {
        struct program_pace *pace = kind == FX_RESUME    ? &c->resume_pace
                                    : kind == FX_SUSPEND ? &c->suspend_pace
                                                         : &c->resume_fail_pace;

        pace->started = now;
        return effects_add(&c->effects, kind);
}

static void effect_add_wake(struct effect *fx, const struct job *j, const struct bitset *woken) {
        struct bitset *nodes = bitset_copy(j->placed.nodes);

        bitset_and(nodes, woken);
        if (bitset_empty(nodes)) {
                bitset_free(nodes);
                return;
        }
        fx->wakes = xrenew(fx->wakes, fx->n_wakes + 1);
        fx->wakes[fx->n_wakes++] = (struct wake){ j->id, nodes };
}

/* Starts a program for each PowerAction named by a request, and slurm.conf's program for the
   remaining nodes. */
static void start_programs(struct cluster *c, enum effect_kind kind, struct bitset *nodes,
                struct job *const *jobs, size_t n_jobs, usec_t now) {
        while (!bitset_empty(nodes)) {
                const char *action = c->nodes[bitset_next(nodes, 0)]->action;
                struct effect *fx = start_program(c, kind, now);

                fx->action = xstrdup(action);
                fx->nodes = bitset_new(c->n_nodes);
                bitset_for_each(i, nodes)
                        if (streq(strempty(c->nodes[i]->action), strempty(action)))
                                bitset_add(fx->nodes, i);
                bitset_minus(nodes, fx->nodes);
                for (size_t k = 0; k < n_jobs; k++)
                        if (!jobs[k]->completing)
                                effect_add_wake(fx, jobs[k], fx->nodes);
        }
}

/* The brake is on: wakes a single node as a test. */
static void wake_probe(struct cluster *c, usec_t now) {
        struct node *n = brake_choose_probe(c, now);

        if (!n || !has_program(c, n, true))
                return;
        if (!lets_pass(&c->resume_bucket, now)) {
                bucket_arm_next(c, &c->resume_bucket, "ResumeRate", c->to_resume);
                return;
        }
        brake_probe_begun(c, n, now);
        int r = node_power_event(c, n, NODE_RESUMED, now);
        assert(r >= 0);
        _cleanup_(bitset_freep) struct bitset *only = bitset_new(c->n_nodes);
        bitset_add(only, n->index);
        start_programs(c, FX_RESUME, only, n->jobs, n->n_jobs, now);
}

static void wake_nodes(struct cluster *c, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *woken = NULL;
        _cleanup_free_ struct job **jobs = NULL;
        size_t n = 0;
        bool tokens = true;

        if (bitset_empty(c->to_resume) || c->brake.by != BRAKE_OFF)
                return;
        woken = bitset_new(c->n_nodes);
        jobs = waiting_jobs(c, &n);
        for (size_t k = 0; k < n && tokens; k++)
                bitset_for_each(i, jobs[k]->placed.nodes)
                        if (bitset_has(c->to_resume, i) &&
                                        !(tokens = node_resume(c, c->nodes[i], woken, now)))
                                break;
        for (size_t i = bitset_next(c->to_resume, 0); i != SIZE_MAX && tokens;
                        i = bitset_next(c->to_resume, i + 1))
                tokens = node_resume(c, c->nodes[i], woken, now);
        if (bitset_empty(woken))
                return;
        node_log_tell(c, now); /* logged before any output of the program */
        start_programs(c, FX_RESUME, woken, jobs, n, now);
}

/* ---- putting to sleep ---- */

static bool idled_long_enough(const struct node *n, usec_t now) {
        return n->last_busy && n->suspend_time != NO_LIMIT && now >= n->last_busy + n->suspend_time;
}

/* POWER_DOWN by hand works for a quarantined node, too. */
static bool node_is_quarantined(const struct node *n) {
        return n->flags & NODE_QUARANTINE && !(n->flags & NODE_POWER_DOWN_WANTED);
}

static const char by_count[] = "a count in SuspendExcNodes";
static const char by_plan[] = "a planned job or reservation needs it soon";
static const char by_claim[] = "a job waits there for those that it preempts";

/* A boot has failed while the brake was on, and a job begun on further nodes still waits for n; no
   process of the job is on n. */
static bool has_failed_boot(const struct node *n) {
        return n->power == NODE_POWERED_DOWN && n->flags & NODE_POWER_DOWN_WANTED &&
               n->flags & NODE_BOOT_REMAINS;
}

/* Returns why n must not be switched off on any request; NULL if n may be. */
static const char *cannot_sleep(const struct node *n) {
        bool wanted = n->flags & NODE_POWER_DOWN_WANTED, forced = n->flags & NODE_POWER_FORCED;

        if (n->base != NODE_IDLE && n->base != NODE_DOWN)
                return "it is not in service";
        if (n->n_jobs && !has_failed_boot(n))
                return "it has jobs";
        /* an admin's POWER_DOWN has cancelled the reboot; any other power-off waits */
        if (n->flags & (NODE_REBOOT_WANTED | NODE_REBOOT_ISSUED))
                return "it is to be rebooted";
        if (n->retry_at)
                return "its last power-off has failed, it is tried again later";
        if (node_is_quarantined(n))
                return "it is quarantined";
        if (n->power == NODE_ON || (n->power == NODE_POWERED_DOWN && wanted) ||
                        (n->power == NODE_POWERING_UP && forced))
                return NULL;
        return "its power is changing";
}

/* Returns why an idle node without a request for POWER_DOWN stays up; NULL if the node may
   sleep. */
static const char *keeps_awake(const struct cluster *c, const struct node *n,
                const struct bitset *kept, usec_t now) {
        const char *why = cannot_sleep(n), *excluded = exclusion_of(c, n);

        if (!c->power_save)
                return "power saving is off";
        if (why || n->power != NODE_ON)
                return why ? why : "its power is changing";
        if (node_is_vetoed(n))
                return "its agent's veto";
        if (resv_keeps_awake(c, n))
                return "it is reserved";
        if (!idled_long_enough(n, now))
                return "it has not been idle for SuspendTime";
        if (excluded)
                return excluded;
        if (bitset_has(c->warm, n->index) || c->warm_unsure)
                return by_plan; /* warm_up, SuspendExcStates=PLANNED */
        if (node_claimed_by(c, n))
                return by_claim;
        return kept && bitset_has(kept, n->index) ? by_count : NULL;
}

/* Logged once per reason: every pass examines a node that waits to be switched off. */
static void tell_stay(struct cluster *c, struct node *n, const char *why) {
        if (n->told == why)
                return;
        n->told = why;
        cluster_debug(c, DEBUG_POWER, n, "POWER: %s stays up: %s", n->name, why);
}

static bool should_sleep(struct cluster *c, struct node *n, const struct bitset *kept, usec_t now) {
        const char *why;

        if (n->flags & NODE_POWER_DOWN_WANTED) {
                why = cannot_sleep(n);
                if (!why && !(n->flags & NODE_POWER_FORCED) && node_is_vetoed(n))
                        why = "its agent's veto";
                if (why)
                        tell_stay(c, n, why); /* the node stays in the set */
                return !why;
        }
        why = keeps_awake(c, n, kept, now);
        if (!why)
                return true;
        tell_stay(c, n, why);
        if (why == by_plan || why == by_claim)
                return false; /* the node stays in the set and sleeps when no longer needed */
        bitset_del(c->to_suspend, n->index);
        if (why == by_count)
                bitset_add(c->exclusions.held, n->index);
        node_rearm(c, n, now);
        return false;
}

/* A forced end of a boot does not end the ResumeProgram of the boot. */
static bool still_woken(struct cluster *c, struct node *n, usec_t now) {
        return is_at_odds(c, n, by_resume, false, node_sleep_after(n), now);
}

static void tell_sleep(struct cluster *c, struct node *n, usec_t now) {
        n->told = NULL;
        if (!(n->flags & NODE_POWER_DOWN_WANTED))
                cluster_debug(c, DEBUG_POWER, n,
                                "POWER: %s is switched off: idle for %llu s, SuspendTime is %llu s",
                                n->name, (unsigned long long)((now - n->last_busy) / USEC_PER_SEC),
                                (unsigned long long)(n->suspend_time / USEC_PER_SEC));
        else if (n->flags & NODE_BOOT_REMAINS)
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s is switched off: its boot has failed",
                                n->name);
        else if (n->wish_uid == WISH_OF_PARTITION)
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s is switched off: PowerDownOnIdle",
                                n->name);
        else
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s is switched off, asked for by uid %u%s",
                                n->name, (unsigned)n->wish_uid,
                                n->flags & NODE_POWER_FORCED ? " (force)" : "");
        if (node_sleep_after(n))
                cluster_log(c, 0, n,
                                "Node %s is switched off although %s, SuspendTimeout after its start",
                                n->name, by_resume);
}

/* No program is configured.  A request by a user or a partition waits for another slurm.conf; jobs
   do not wait for a request by the brake. */
static void cannot_be_switched_off(struct cluster *c, struct node *n, usec_t now) {
        bool by_brake = n->wish_uid == WISH_OF_BRAKE;

        bitset_del(c->to_suspend, n->index);
        node_flag(c, n, 0, NODE_BOOT_REMAINS | (by_brake ? NODE_POWER_DOWN_WANTED : 0), now);
}

static void suspend_nodes(struct cluster *c, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *slept = NULL, *kept = NULL;

        if (bitset_empty(c->to_suspend))
                return;
        slept = bitset_new(c->n_nodes);
        kept = exclusions_kept(c);
        bitset_for_each(i, c->to_suspend) {
                if (!has_program(c, c->nodes[i], false)) {
                        cannot_be_switched_off(c, c->nodes[i], now);
                        continue;
                }
                if (!should_sleep(c, c->nodes[i], kept, now) || still_woken(c, c->nodes[i], now))
                        continue;
                if (!lets_pass(&c->suspend_bucket, now)) {
                        bucket_arm_next(c, &c->suspend_bucket, "SuspendRate", c->to_suspend);
                        break;
                }
                tell_sleep(c, c->nodes[i], now);
                if (c->config->idle_on_node_suspend && !c->nodes[i]->n_jobs) {
                        node_flag(c, c->nodes[i], 0, NODE_DRAIN | NODE_FAIL, now);
                        node_set_base(c, c->nodes[i], NODE_IDLE, now);
                }
                int r = node_power_event(c, c->nodes[i], NODE_SUSPENDED, now);
                assert(r >= 0);
                bitset_add(slept, i);
                if (c->nodes[i]->n_jobs) /* the jobs still want the node woken */
                        bitset_add(c->to_resume, i);
        }
        if (bitset_empty(slept))
                return;
        if (c->brake.by != BRAKE_OFF) /* jobs may wait for these nodes and want a probe now */
                note(c, FACT_BRAKE_CHANGED);
        node_log_tell(c, now); /* logged before any output of the program */
        start_programs(c, FX_SUSPEND, slept, NULL, 0, now);
}

/* power_save_min_interval: minimum time between starts of a program.  The first program starts at
   once, later requests gather for the next start.  (power_save_interval, the longest gap, always
   holds, because the pass never waits longer.) */
static bool too_soon(struct cluster *c, struct program_pace *pace, usec_t now) {
        usec_t next = pace->started + c->config->power_save_min_interval * USEC_PER_SEC;

        if (pace->started == 0 || now >= next)
                return false;
        if (pace->armed != next) {
                cluster_arm(c, next, DEADLINE_TURN, 0);
                cluster_debug(c, DEBUG_POWER, NULL,
                                "POWER: power_save_min_interval puts it off for %llu s",
                                (unsigned long long)DIV_ROUND_UP(next - now, USEC_PER_SEC));
        }
        pace->armed = next;
        return true;
}

static bool may_wake(struct cluster *c, usec_t now) {
        bool wanted = !bitset_empty(c->to_resume) || c->brake.by != BRAKE_OFF;

        return wanted && !too_soon(c, &c->resume_pace, now);
}

void power_save_pass(struct cluster *c, usec_t now) {
        bool wakes = may_wake(c, now);

        if (wakes)
                wake_nodes(c, now);
        if (!bitset_empty(c->to_suspend) && !too_soon(c, &c->suspend_pace, now))
                suspend_nodes(c, now);
        if (wakes)
                /* last: suspend_nodes() may have made room below max_powered_nodes */
                wake_probe(c, now);
        if (bitset_empty(c->boot_failed) || too_soon(c, &c->resume_fail_pace, now))
                return;
        start_program(c, FX_RESUME_FAIL, now)->nodes = bitset_copy(c->boot_failed);
        bitset_clear(c->boot_failed);
}

void power_save_wake(struct cluster *c, usec_t now) {
        if (!may_wake(c, now))
                return;
        wake_nodes(c, now);
        wake_probe(c, now);
}

void power_save_restart(struct cluster *c, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *up = bitset_new(c->n_nodes),
                                              *down = bitset_new(c->n_nodes);

        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[i];
                /* no program: the timeout handles the node */
                if (n->program_started || now >= node_power_deadline(n))
                        continue;
                if (n->power == NODE_POWERING_UP && has_program(c, n, true))
                        bitset_add(up, i);
                if (n->power == NODE_POWERING_DOWN && has_program(c, n, false))
                        bitset_add(down, i);
        }
        start_programs(c, FX_SUSPEND, down, NULL, 0, now);
        start_programs(c, FX_RESUME, up, c->active, c->n_active, now);
}
