/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table row per verb and kind gives the action for the node; the functions follow in the order of
 * the rows.
 *
 * Invariants.  A node that could not be woken is POWERED_DOWN, and no job gets the node before
 * retry_at.  A node that could not be switched off counts as on, but no job gets the node before
 * slumberd has connected anew.  Both are retried by the power-saving pass at retry_at, through
 * to_resume and to_suspend; quarantine_after failures in a row end the retries.  Lack of capacity
 * is not counted, because the node is not at fault.  A common fault (brake.h) is not counted
 * either; but a node for which the common fault is reported again, although further nodes could be
 * woken since, has a fault of its own.  While the brake is on no node goes DOWN or is quarantined,
 * and no line is logged for each node. */
#include "controller/nodes/outcome.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/nodes/brake.h"
#include "controller/nodes/node_events.h"

/* Pauses used when the program gives none: long enough for a restart of the BMC, short enough for a
   waiting user. */
#define PAUSE      (60 * USEC_PER_SEC)
#define BOOT_PAUSE (10 * USEC_PER_SEC)
#define TEXT_SHOWN 400 /* maximum characters: the text becomes part of a Reason */

static const char *const kind_words[] = {
        [OUTCOME_OK] = "ok",
        [OUTCOME_CAPACITY] = "capacity",
        [OUTCOME_NO_POWER] = "no-power",
        [OUTCOME_NO_BOOT] = "no-boot",
        [OUTCOME_BAD_CONFIG] = "bad-config",
        [OUTCOME_FATAL] = "fatal",
        [OUTCOME_COMMON] = "common",
};
_Static_assert(ELEMENTSOF(kind_words) == OUTCOME_KIND_MAX, "an outcome without a word");
DEFINE_STRTAB(outcome_kind, kind_words)

void outcome_forgive(struct node *n) {
        n->retry_at = 0;
        n->tries = n->power_failures = 0;
        free_and_strdup(&n->power_error, NULL);
}

static usec_t pause_of(const struct outcome *o, usec_t otherwise, usec_t longest) {
        return MIN(o->retry_after ? o->retry_after : otherwise, longest);
}

void node_unstart_jobs(struct cluster *c, struct node *n, usec_t now) {
        for (size_t i = n->n_jobs; i-- > 0;) {
                struct job *j = n->jobs[i];
                if (j->state == JOB_RUNNING && j->configuring && !j->completing)
                        job_unstart(c, j, "a node of it cannot be woken", now);
        }
}

/* Takes n from all jobs, including those that have begun. */
static void outcome_release_jobs(struct cluster *c, struct node *n, usec_t now) {
        node_unstart_jobs(c, n, now);
        node_fail_jobs(c, n, now);
}

/* The remains of a failed boot. */
enum remains {
        REMAINS_NOTHING,
        REMAINS_SOME,  /* ResumeFailProgram cleans up */
        REMAINS_POWER, /* ResumeFailProgram cleans up, SuspendProgram switches the node off */
};

void outcome_switch_off(struct cluster *c, struct node *n, usec_t now) {
        /* POWER_DOWN was already wanted for the time after the jobs */
        bool earlier = n->n_jobs && n->flags & NODE_POWER_DOWN_WANTED;

        if (!cluster_has_switch(c, false) || n->flags & NODE_POWER_UP_WANTED)
                return;
        if (!earlier)
                n->wish_uid = WISH_OF_BRAKE;
        free_and_strdup(&n->action, NULL);
        bitset_add(c->to_suspend, n->index);
        node_flag(c, n, NODE_POWER_DOWN_WANTED | NODE_BOOT_REMAINS, 0, now);
}

/* n stays asleep as before the request; the brake keeps jobs away for a while. */
static void leave_asleep(struct cluster *c, struct node *n, enum remains left, usec_t now) {
        bool ours = !(n->flags & NODE_BY_HAND);

        n->tries = 0;
        n->retry_at = 0;
        if (left != REMAINS_NOTHING && ours)
                bitset_add(c->boot_failed, n->index);
        brake_send_jobs_back(c, n, now);
        node_flag(c, n, 0, NODE_NOT_RESPONDING | NODE_WISHED | NODE_BY_HAND, now);
        if (left == REMAINS_POWER && ours)
                outcome_switch_off(c, n, now);
}

static void outcome_set_down(struct cluster *c, struct node *n, const char *why, enum remains left,
                usec_t now) {
        if (c->brake.by != BRAKE_OFF) {
                leave_asleep(c, n, left, now);
                return;
        }
        node_boot_failed(c, n, why, now);
        node_flag(c, n, NODE_FELL, 0, now);
}

static bool too_often(const struct cluster *c, const struct node *n) {
        uint32_t limit = c->config->site.quarantine_after;

        return limit && n->power_failures >= limit;
}

static void outcome_quarantine(struct cluster *c, struct node *n, usec_t now) {
        _cleanup_free_ char *text = xasprintf(
                        "quarantined after %u power failures in a row, the last: %s",
                        n->power_failures, n->power_error);

        n->retry_at = 0;
        bitset_del(c->to_resume, n->index);
        bitset_del(c->to_suspend, n->index);
        if (!(n->flags & NODE_DRAIN))
                node_set_reason(c, n, text, c->config->slurm_uid, now);
        cluster_log(c, 0, n, "Node %s is drained: %s", n->name, text);
        node_flag(c, n, NODE_DRAIN | NODE_QUARANTINE, NODE_POWER_DOWN_WANTED | NODE_POWER_UP_WANTED,
                        now);
        outcome_release_jobs(c, n, now);
}

/* ---- Resume ---- */

static void has_power(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)o;
        n->confirmed = now;
        free_and_strdup(&n->power_error, NULL);
        note_node(c, FACT_NODE_RECORD, n);
        brake_wake_worked(c, n, WAKE_POWER, now);
}

static void no_capacity(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        n->tries = 0;
        n->retry_at = now + pause_of(o, PAUSE, OUTCOME_PAUSE_MAX);
        node_flag(c, n, 0, NODE_NOT_RESPONDING | NODE_WISHED, now);
        outcome_release_jobs(c, n, now);
}

static void outcome_boot_failed(struct cluster *c, struct node *n, const struct outcome *o,
                usec_t now) {
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        outcome_set_down(c, n, n->power_error,
                        o->kind == OUTCOME_NO_BOOT ? REMAINS_POWER : REMAINS_SOME, now);
}

static void common_ground(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)o;
        n->common_at = now;
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        leave_asleep(c, n, REMAINS_NOTHING, now);
}

/* A job that runs already because the first node was up keeps waiting, but no longer than
   ResumeTimeout. */
static void outcome_try_again(struct cluster *c, struct node *n, const struct outcome *o,
                usec_t now) {
        usec_t longest = MIN(n->resume_timeout, OUTCOME_PAUSE_MAX);
        bool by_hand = n->flags & NODE_WISHED;

        if (c->brake.by != BRAKE_OFF) {
                outcome_boot_failed(c, n, o, now);
                return;
        }
        if (n->tries > c->config->site.boot_retries && !too_often(c, n)) {
                outcome_boot_failed(c, n, o, now);
                return;
        }
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
        if (too_often(c, n)) {
                outcome_quarantine(c, n, now);
                return;
        }
        n->retry_at = now + pause_of(o, BOOT_PAUSE, longest);
        node_unstart_jobs(c, n, now);
        if (by_hand || n->n_jobs)
                bitset_add(c->to_resume, n->index);
        node_flag(c, n, by_hand ? NODE_POWER_UP_WANTED : 0, 0, now);
}

/* ---- Suspend ---- */

static void outcome_confirm_off(struct cluster *c, struct node *n, const struct outcome *o,
                usec_t now) {
        (void)o;
        (void)node_power_event(c, n, NODE_SETTLED, now);
        free_and_strdup(&c->brake.off_cause, NULL);
        /* a later reading of on means that the node was switched on by hand */
        n->confirmed = n->off_read_at = now;
}

/* Switching n off after a failed boot has failed while jobs begun on further nodes wait for n.  The
   jobs keep waiting: no process of the jobs is on n, and n has not stopped responding under the
   jobs. */
static void stays_on_under_jobs(struct cluster *c, struct node *n, const struct outcome *o,
                usec_t now) {
        _cleanup_free_ char *error = TAKE(n->power_error);
        uint32_t failures = n->power_failures;

        (void)node_power_event(c, n, NODE_SETTLED, now); /* resets power_error and power_failures */
        free_and_strdup(&n->power_error, error);
        n->power_failures = failures;
        n->retry_at = now + pause_of(o, PAUSE, MIN(n->resume_timeout, OUTCOME_PAUSE_MAX));
        bitset_add(c->to_resume, n->index);
        if (c->brake.by != BRAKE_OFF)
                outcome_switch_off(c, n, now);
        cluster_node_changed(c, n, now);
}

static void stays_on(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        bool by_hand = n->flags & NODE_WISHED;

        if (n->n_jobs) {
                stays_on_under_jobs(c, n, o, now);
                return;
        }
        (void)node_power_event(c, n, NODE_SUSPEND_FAILED, now);
        if (too_often(c, n)) {
                outcome_quarantine(c, n, now);
                return;
        }
        n->retry_at = now + pause_of(o, PAUSE, OUTCOME_PAUSE_MAX);
        if (by_hand)
                bitset_add(c->to_suspend, n->index);
        node_flag(c, n, by_hand ? NODE_POWER_DOWN_WANTED : 0, 0, now);
}

/* ---- dispatch ---- */

typedef void (*outcome_func)(struct cluster *c, struct node *n, const struct outcome *o,
                usec_t now);

static const outcome_func rows[OUTCOME_VERB_MAX][OUTCOME_KIND_MAX] = {
        [OUTCOME_RESUME] = {
                [OUTCOME_OK] = has_power,
                [OUTCOME_CAPACITY] = no_capacity,
                [OUTCOME_NO_POWER] = outcome_try_again,
                [OUTCOME_NO_BOOT] = outcome_try_again,
                [OUTCOME_BAD_CONFIG] = outcome_boot_failed,
                [OUTCOME_FATAL] = outcome_boot_failed,
                [OUTCOME_COMMON] = common_ground,
        },
        [OUTCOME_SUSPEND] = {
                [OUTCOME_OK] = outcome_confirm_off,
                [OUTCOME_CAPACITY] = stays_on,
                [OUTCOME_NO_POWER] = stays_on,
                [OUTCOME_NO_BOOT] = stays_on,
                [OUTCOME_BAD_CONFIG] = stays_on,
                [OUTCOME_FATAL] = stays_on,
                [OUTCOME_COMMON] = stays_on,
        },
};

/* A failed power-off is still relevant after SuspendTimeout, unless a job has got the node
   since. */
static bool outcome_is_awaited(const struct node *n, enum outcome_verb verb,
                const struct outcome *o) {
        if (verb == OUTCOME_RESUME)
                return n->power == NODE_POWERING_UP;
        return n->power == NODE_POWERING_DOWN ||
               (n->power == NODE_POWERED_DOWN && o->kind != OUTCOME_OK && n->n_jobs == 0 &&
                               n->retry_at == 0 && !(n->flags & NODE_POWER_UP_WANTED));
}

/* While the brake is on, the failure is logged once for all nodes. */
static void note_failure(struct cluster *c, struct node *n, enum outcome_verb verb,
                enum outcome_kind kind, const struct outcome *o, usec_t now) {
        const char *word = outcome_kind_text((int)kind);
        _cleanup_free_ char *said = isempty(o->text) ? NULL
                                                     : xasprintf("%.*s", TEXT_SHOWN, o->text);
        _cleanup_free_ char *error = !said                    ? xstrdup(word)
                                     : kind == OUTCOME_COMMON ? xstrdup(said)
                                                              : xasprintf("%s: %s", word, said);
        bool common = kind == OUTCOME_COMMON, on = verb == OUTCOME_RESUME;

        free_and_strdup(&n->power_error, error);
        if (common && !on)
                brake_off_failed(c, n, error, now);
        else if (!common && c->brake.by == BRAKE_OFF)
                cluster_log(c, 0, n, "Node %s could not be switched %s: %s", n->name,
                                on ? "on" : "off", error);
        else
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s could not be switched %s: %s", n->name,
                                on ? "on" : "off", error);
        if (on && kind != OUTCOME_CAPACITY)
                brake_wake_failed(c, n, common ? BRAKE_COMMON : BRAKE_ROW, error, now);
        n->power_failures += kind != OUTCOME_CAPACITY && !common &&
                             (!on || c->brake.by == BRAKE_OFF);
}

int node_outcome(struct cluster *c, struct node *n, enum outcome_verb verb, const struct outcome *o,
                usec_t started, usec_t now) {
        assert(verb < OUTCOME_VERB_MAX);
        assert(o->kind < OUTCOME_KIND_MAX);

        if (started < n->power_request)
                return -ESTALE;
        if (o->seen != OBSERVED_NOTHING)
                audit_read_back(c, n, o->seen, now);
        if (!outcome_is_awaited(n, verb, o))
                return -ESTALE;
        enum outcome_kind kind = o->kind;
        if (kind == OUTCOME_COMMON && verb == OUTCOME_RESUME && n->common_at &&
                        c->brake.worked > n->common_at)
                /* further nodes could be woken since: a fault of this node */
                kind = OUTCOME_BAD_CONFIG;
        if (kind != OUTCOME_OK)
                note_failure(c, n, verb, kind, o, now);
        rows[verb][kind](c, n, o, now);
        return 0;
}

static bool has_no_result(const struct node *n, usec_t started) {
        return n->power == NODE_POWERING_UP && started >= n->power_request &&
               n->confirmed < n->power_request;
}

void node_not_resumed(struct cluster *c, struct node *n, const char *why, usec_t started,
                usec_t now) {
        struct outcome o = { .kind = OUTCOME_COMMON, .text = why };

        if (has_no_result(n, started))
                (void)node_outcome(c, n, OUTCOME_RESUME, &o, started, now);
}

void node_resume_exited(struct cluster *c, struct node *n, const char *why, usec_t started,
                usec_t now) {
        bool was_on = c->brake.by != BRAKE_OFF;

        if (!has_no_result(n, started))
                return;
        if (why && !c->brake.exit_ignored) {
                node_not_resumed(c, n, why, started, now);
                c->brake.by_exit |= !was_on && c->brake.by != BRAKE_OFF;
                return;
        }
        _cleanup_free_ char *error = why ? xasprintf("%.*s", TEXT_SHOWN, why) : NULL;
        free_and_strdup(&n->power_error, error);
        note_node(c, FACT_NODE_RECORD, n);
        if (!why)
                brake_wake_worked(c, n, WAKE_RAN, now);
}

void node_boot_expired(struct cluster *c, struct node *n, usec_t now) {
        static const char why[] = RESUME_TIMEOUT_REASON;

        if (!(n->flags & NODE_BY_HAND)) /* a node switched on by hand had no wake of ours */
                brake_wake_failed(c, n, BRAKE_ROW, why, now);
        outcome_set_down(c, n, why, REMAINS_POWER, now);
}
