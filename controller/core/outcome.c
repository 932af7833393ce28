/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row per verb and kind says what becomes of the node; the rows' functions follow in that order.
 *
 * Invariants.  A node that could not be woken is POWERED_DOWN and no job gets it before retry_at.  One that could not be
 * switched off counts as on, but nobody gets it before its agent has shown by a new connection that it lives.  Either is
 * tried again by the pass, through the same sets as ever, when retry_at has come; quarantine_after failures in a row end
 * that.  A lack of capacity is not counted: it says nothing about the node. */
#include "controller/core/outcome.h"

#include "controller/core/job_events.h"
#include "controller/core/node_events.h"

/* Pauses where the program names none: long enough for a BMC's restart, short against a user's patience. */
#define PAUSE         (60 * USEC_PER_SEC)
#define BOOT_PAUSE    (10 * USEC_PER_SEC)
#define TEXT_SHOWN    400 /* characters: it goes into a Reason */

static const char *const kind_words[] = {
        [OUTCOME_OK] = "ok",
        [OUTCOME_CAPACITY] = "capacity",
        [OUTCOME_NO_POWER] = "no-power",
        [OUTCOME_NO_BOOT] = "no-boot",
        [OUTCOME_BAD_CONFIG] = "bad-config",
        [OUTCOME_FATAL] = "fatal",
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

/* Jobs that have not begun go back to the queue, as if they had never had it: others may be up sooner. */
static void unstart_jobs(struct cluster *c, struct node *n, usec_t now) {
        for (size_t i = n->n_jobs; i-- > 0;) {
                struct job *j = n->jobs[i];
                if (j->state == JOB_RUNNING && j->configuring && !j->completing)
                        job_unstart(c, j, "a node of it cannot be woken", now);
        }
}

/* The others, too. */
static void release_jobs(struct cluster *c, struct node *n, usec_t now) {
        unstart_jobs(c, n, now);
        while (n->n_jobs) {
                size_t before = n->n_jobs;
                job_node_failed(c, n->jobs[n->n_jobs - 1], n, now);
                assert(n->n_jobs < before);
        }
}

static bool too_often(const struct cluster *c, const struct node *n) {
        uint32_t limit = c->config->site.quarantine_after;

        return limit && n->power_failures >= limit;
}

static void quarantine(struct cluster *c, struct node *n, usec_t now) {
        _cleanup_free_ char *text = xasprintf("quarantined after %u power failures in a row, the last: %s",
                        n->power_failures, n->power_error);

        n->retry_at = 0;
        bitset_del(c->to_resume, n->index);
        bitset_del(c->to_suspend, n->index);
        if (!(n->flags & NODE_DRAIN))
                node_set_reason(c, n, text, c->config->slurm_uid, now);
        cluster_log(c, 0, n, "Node %s is drained: %s", n->name, text);
        node_flag(c, n, NODE_DRAIN | NODE_QUARANTINE, NODE_POWER_DOWN_WANTED | NODE_POWER_UP_WANTED, now);
        release_jobs(c, n, now);
}

/* ---- Resume ---- */

static void has_power(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)o;
        n->confirmed = now;
        bitset_add(c->dirty_nodes, n->index);
}

static void no_capacity(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        n->tries = 0;
        n->retry_at = now + pause_of(o, PAUSE, OUTCOME_PAUSE_MAX);
        node_flag(c, n, 0, NODE_NOT_RESPONDING | NODE_WISHED, now);
        release_jobs(c, n, now);
}

static void give_up(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)o;
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        node_boot_failed(c, n, n->power_error, now);
}

/* A job that runs already, as its first node was up, waits on, but not longer than for a boot that says nothing. */
static void try_again(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        usec_t longest = MIN(n->resume_timeout, OUTCOME_PAUSE_MAX);
        bool by_hand = n->flags & NODE_WISHED;

        if (n->tries > c->config->site.boot_retries && !too_often(c, n)) {
                give_up(c, n, o, now);
                return;
        }
        (void)node_power_event(c, n, NODE_BOOT_FAILED, now);
        n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
        if (too_often(c, n)) {
                quarantine(c, n, now);
                return;
        }
        n->retry_at = now + pause_of(o, BOOT_PAUSE, longest);
        unstart_jobs(c, n, now);
        if (by_hand || n->n_jobs)
                bitset_add(c->to_resume, n->index);
        node_flag(c, n, by_hand ? NODE_POWER_UP_WANTED : 0, 0, now);
}

/* ---- Suspend ---- */

static void is_off(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        (void)o;
        (void)node_power_event(c, n, NODE_SETTLED, now);
        n->confirmed = n->off_read_at = now; /* who is seen on from here on was switched on by somebody else */
}

static void stays_on(struct cluster *c, struct node *n, const struct outcome *o, usec_t now) {
        bool by_hand = n->flags & NODE_WISHED;

        (void)node_power_event(c, n, NODE_SUSPEND_FAILED, now);
        if (too_often(c, n)) {
                quarantine(c, n, now);
                return;
        }
        n->retry_at = now + pause_of(o, PAUSE, OUTCOME_PAUSE_MAX);
        if (by_hand)
                bitset_add(c->to_suspend, n->index);
        node_flag(c, n, by_hand ? NODE_POWER_DOWN_WANTED : 0, 0, now);
}

/* ---- which of them ---- */

typedef void (*outcome_func)(struct cluster *c, struct node *n, const struct outcome *o, usec_t now);

static const outcome_func rows[OUTCOME_VERB_MAX][OUTCOME_KIND_MAX] = {
        [OUTCOME_RESUME] = {
                [OUTCOME_OK] = has_power,
                [OUTCOME_CAPACITY] = no_capacity,
                [OUTCOME_NO_POWER] = try_again,
                [OUTCOME_NO_BOOT] = try_again,
                [OUTCOME_BAD_CONFIG] = give_up,
                [OUTCOME_FATAL] = give_up,
        },
        [OUTCOME_SUSPEND] = {
                [OUTCOME_OK] = is_off,
                [OUTCOME_CAPACITY] = stays_on,
                [OUTCOME_NO_POWER] = stays_on,
                [OUTCOME_NO_BOOT] = stays_on,
                [OUTCOME_BAD_CONFIG] = stays_on,
                [OUTCOME_FATAL] = stays_on,
        },
};

/* A power-off that fails after SuspendTimeout is still news, unless a job has got the node since. */
static bool is_awaited(const struct node *n, enum outcome_verb verb, const struct outcome *o) {
        if (verb == OUTCOME_RESUME)
                return n->power == NODE_POWERING_UP;
        return n->power == NODE_POWERING_DOWN ||
               (n->power == NODE_POWERED_DOWN && o->kind != OUTCOME_OK && n->n_jobs == 0 && n->retry_at == 0 &&
                               !(n->flags & NODE_POWER_UP_WANTED));
}

int node_outcome(struct cluster *c, struct node *n, enum outcome_verb verb, const struct outcome *o, usec_t started,
                usec_t now) {
        assert(verb < OUTCOME_VERB_MAX);
        assert(o->kind < OUTCOME_KIND_MAX);

        if (started < n->power_request)
                return -ESTALE;
        if (o->seen != OBSERVED_NOTHING)
                audit_read_back(c, n, o->seen, now);
        if (!is_awaited(n, verb, o))
                return -ESTALE;
        if (o->kind != OUTCOME_OK) {
                const char *word = outcome_kind_text((int)o->kind);
                _cleanup_free_ char *error = isempty(o->text) ? xstrdup(word) : xasprintf("%s: %.*s", word, TEXT_SHOWN, o->text);
                free_and_strdup(&n->power_error, error);
                cluster_log(c, 0, n, "Node %s could not be switched %s: %s", n->name,
                                verb == OUTCOME_RESUME ? "on" : "off", error);
                n->power_failures += o->kind != OUTCOME_CAPACITY;
        }
        rows[verb][o->kind](c, n, o, now);
        return 0;
}

void node_resume_trouble(struct cluster *c, struct node *n, const char *why, usec_t started) {
        if (n->power != NODE_POWERING_UP || started < n->power_request || n->confirmed >= n->power_request)
                return;
        _cleanup_free_ char *error = xasprintf("%.*s", TEXT_SHOWN, why);
        free_and_strdup(&n->power_error, error);
        bitset_add(c->dirty_nodes, n->index);
}
