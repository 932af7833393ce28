/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of wakes are kept in a short list, which decides when to apply the brake.  A node
 * that has failed since the last successful wake counts once, so that a single dead node, retried
 * again and again, stops no other node's wakes.
 *
 * Invariants.  While the brake is on, at most one further node is being woken.  The brake ends by a
 * wake that refutes the cause: after a common fault, a program that succeeds is enough; after
 * failed boots, a node must register.  All nodes are examined only when the brake is applied and
 * when the brake ends. */
#include "controller/nodes/brake.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/powered.h"
#include "controller/nodes/outcome.h"
#include "lib/wordlist.h"

static const char *const by_words[] = {
        [BRAKE_OFF] = "off",
        [BRAKE_COMMON] = "common-cause",
        [BRAKE_ROW] = "failures-in-a-row",
        [BRAKE_SHARE] = "share-of-failures",
};
_Static_assert(ELEMENTSOF(by_words) == BRAKE_BY_MAX, "a brake without a word");
DEFINE_STRTAB(brake_by, by_words)

static void forget_results(struct brake *b) {
        for (size_t i = 0; i < b->n; i++)
                free(b->last[i].node);
        b->n = 0;
}

void brake_done(struct brake *b) {
        forget_results(b);
        free(b->last);
        free(b->probe);
        free(b->probed);
        free(b->cause);
        free(b->off_cause);
        free(b->asked_for);
        *b = (struct brake){ 0 };
}

/* ---- results ---- */

static void brake_add_result(struct cluster *c, const struct node *n, bool failed, usec_t now) {
        struct brake *b = &c->brake;
        size_t most = MAX(1u, c->config->site.brake_window);

        while (b->n >= most) {
                free(b->last[0].node);
                memmove(b->last, b->last + 1, --b->n * sizeof b->last[0]);
        }
        b->last = xrenew(b->last, b->n + 1);
        b->last[b->n++] = (struct wake_result){ xstrdup(n->name), failed, now };
        b->dirty = true;
}

/* Returns the number of failures since the last successful wake. */
static size_t in_a_row(const struct brake *b) {
        size_t row = 0;

        while (row < b->n && b->last[b->n - 1 - row].failed)
                row++;
        return row;
}

/* Returns the words of a cause that are equal for nodes with the same fault: words with a digit
   (addresses, serial numbers, instances) and names of nodes are left out. */
static char *cause_class(const struct cluster *c, const char *cause) {
        static const char between[] = " \t\n,;:()[]\"'";
        char *class = xstrdup("");

        for_each_word(w, cause, between) {
                if (strpbrk(w, "0123456789") || cluster_node(c, w))
                        continue;
                text_add_word(&class, " ", "%s", w);
        }
        return class;
}

static bool causes_are_alike(const struct cluster *c, const char *a, const char *b) {
        _cleanup_free_ char *x = cause_class(c, a), *y = cause_class(c, b);

        return streq(x, y);
}

/* Returns the most frequent error among the last `last` results, in the words of the latest such
   node; NULL if no node has an error. */
static const char *common_cause(const struct cluster *c, size_t last) {
        const struct brake *b = &c->brake;
        _cleanup_free_ const char **errors = xnew0(const char *, last + 1);
        _cleanup_free_ char **classes = xnew0(char *, last + 1);
        size_t n = 0, most = 0;
        const char *cause = NULL;

        for (size_t i = b->n - last; i < b->n; i++) {
                const struct node *node = b->last[i].failed ? cluster_node(c, b->last[i].node)
                                                            : NULL;
                if (!node || !node->wake_error)
                        continue;
                errors[n] = node->wake_error;
                classes[n++] = cause_class(c, node->wake_error);
        }
        for (size_t i = n; i-- > 0;) {
                size_t alike = 0;
                for (size_t k = 0; k < n; k++)
                        alike += streq(classes[i], classes[k]);
                if (alike <= most)
                        continue;
                most = alike;
                cause = errors[i];
        }
        for (size_t i = 0; i < n; i++)
                free(classes[i]);
        return cause;
}

static bool brake_node_failed(const struct brake *b, const struct node *n) {
        for (size_t i = b->n - in_a_row(b); i < b->n; i++)
                if (streq(b->last[i].node, n->name))
                        return true;
        return false;
}

/* Returns the time of the first failure in the last `last` results; at least one has failed. */
static usec_t first_failure(const struct brake *b, size_t last) {
        size_t i = b->n - last;

        while (!b->last[i].failed)
                i++;
        return b->last[i].at;
}

static enum brake_by brake_judge(const struct cluster *c) {
        const struct site_config *site = &c->config->site;
        const struct brake *b = &c->brake;
        size_t failed = 0, row = MIN((size_t)site->brake_after, MAX((size_t)2, c->n_nodes));

        for (size_t i = 0; i < b->n; i++)
                failed += b->last[i].failed;
        if (site->brake_after && in_a_row(b) >= row)
                return BRAKE_ROW;
        if (site->brake_share && b->n >= site->brake_window &&
                        failed * 100 > b->n * site->brake_share)
                return BRAKE_SHARE;
        return BRAKE_OFF;
}

/* ---- applying the brake ---- */

void brake_send_jobs_back(struct cluster *c, struct node *n, usec_t now) {
        node_unstart_jobs(c, n, now);
        if (n->n_jobs)
                bitset_add(c->to_resume, n->index);
        else if (!(n->flags & NODE_POWER_UP_WANTED))
                powered_wake_no_more(c, n);
}

static void brake_engage(struct cluster *c, struct node *n, enum brake_by by, const char *cause,
                usec_t now) {
        struct brake *b = &c->brake;
        size_t row = in_a_row(b);
        _cleanup_free_ char *others = row > 1 ? xasprintf(" and %zu more nodes", row - 1)
                                              : xstrdup("");

        if (by != BRAKE_COMMON)
                cause = common_cause(c, by == BRAKE_SHARE ? b->n : row);

        b->by = by;
        b->since = b->begun = now;
        b->failed_from = first_failure(b, by == BRAKE_SHARE ? b->n : row);
        b->pause = c->config->site.brake_pause;
        b->probe_at = now + b->pause;
        b->probes = 0;
        b->wanted = false;
        free_and_strdup(&b->cause, cause);
        cluster_log_error(c, n,
                        "Waking of nodes is stopped (%s): %s%s could not be woken: %s; one at a time is tried again",
                        brake_by_text((int)by), n->name, others, cause);
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *held = c->nodes[i];
                if (!brake_holds(c, held))
                        continue;
                if (bitset_has(c->to_resume, i))
                        brake_send_jobs_back(c, held, now);
                cluster_node_changed(c, held, now);
        }
        note(c, FACT_BRAKE_CHANGED);
}

/* Returns the brake's cause after a further failed wake.  RESUME by an admin clears a node's error:
   when no node has an error any more, the cause stays. */
static const char *present_cause(const struct cluster *c, enum brake_by by, const char *cause) {
        const struct brake *b = &c->brake;
        const char *present = NULL; /* stays NULL for a fault of the probe alone */

        if (b->by != BRAKE_COMMON)
                present = common_cause(c, b->by == BRAKE_SHARE ? b->n : in_a_row(b));
        else if (by == BRAKE_COMMON)
                present = cause;
        if (!present)
                present = b->cause;
        return present ? present : cause;
}

/* The probe has failed for a fault unrelated to the brake's cause.  If the probe was the first node
   of the last POWER_UP, the next requested node is probed without a pause, but only once: many
   nodes may have a fault of their own. */
static void try_one_more(struct brake *b) {
        if (!b->asked_for || !streq(b->asked_for, b->probed))
                return;
        free_and_strdup(&b->asked_for, NULL);
        b->begun = 0;
}

static void probe_failed(struct cluster *c, enum brake_by by, const char *cause, usec_t now) {
        struct brake *b = &c->brake;
        _cleanup_free_ char *present = xstrdup(present_cause(c, by, cause));

        free(b->probed);
        b->probed = TAKE(b->probe);
        b->probes++;
        b->pause = MIN(2 * b->pause, c->config->site.brake_pause_max);
        b->probe_at = now + b->pause;
        b->wanted = false;
        note(c, FACT_BRAKE_CHANGED); /* jobs show the new cause and want the next probe */
        if (!causes_are_alike(c, b->cause, cause)) {
                try_one_more(b);
                cluster_log_error(c, NULL,
                                "Waking of nodes stays stopped: %s could not be woken: %s",
                                b->probed, cause);
        }
        free_and_strdup(&b->cause, present);
}

/* A wake begun before the brake has failed.  When many boots end at once, the first failures do not
   show the cause of most failures. */
static void earlier_wake_failed(struct cluster *c, enum brake_by by, const char *cause) {
        struct brake *b = &c->brake;

        if (b->by == BRAKE_COMMON || causes_are_alike(c, b->cause, cause))
                return;
        _cleanup_free_ char *present = xstrdup(present_cause(c, by, cause));
        if (causes_are_alike(c, b->cause, present))
                return;
        cluster_log_error(c, NULL,
                        "Waking of nodes stays stopped: most of the nodes could not be woken for another cause: %s",
                        present);
        free_and_strdup(&b->cause, present);
        note(c, FACT_BRAKE_CHANGED);
}

void brake_wake_failed(struct cluster *c, struct node *n, enum brake_by by, const char *cause,
                usec_t now) {
        struct brake *b = &c->brake;

        if (by != BRAKE_COMMON)
                free_and_strdup(&n->wake_error, cause);
        if (!brake_node_failed(b, n))
                brake_add_result(c, n, true, now);
        b->dirty = true;
        if (b->by != BRAKE_OFF) {
                if (b->probe && streq(b->probe, n->name))
                        probe_failed(c, by, cause, now);
                else
                        earlier_wake_failed(c, by, cause);
                return;
        }
        enum brake_by judged = by == BRAKE_COMMON ? BRAKE_COMMON : brake_judge(c);
        if (judged != BRAKE_OFF)
                brake_engage(c, n, judged, cause, now);
}

void brake_off_failed(struct cluster *c, struct node *n, const char *cause, usec_t now) {
        (void)now;
        if (c->brake.off_cause && streq(c->brake.off_cause, cause))
                return;
        free_and_strdup(&c->brake.off_cause, cause);
        cluster_log_error(c, n,
                        "Nodes cannot be switched off, %s the first of them: %s; they are tried again",
                        n->name, cause);
}

/* ---- releasing the brake ---- */

/* Returns whether n went DOWN for a failed boot since the brake's first failure. */
static bool went_down(const struct cluster *c, const struct node *n) {
        return n->base == NODE_DOWN && n->flags & NODE_FELL &&
               n->reason_time >= c->brake.failed_from;
}

/* Returns whether n went DOWN for the common cause, not for a fault of the node. */
static bool went_down_alike(const struct cluster *c, const struct node *n) {
        return went_down(c, n) && causes_are_alike(c, n->wake_error, c->brake.cause);
}

/* n has refuted the cause; `other` is n, or went DOWN for the cause. */
static bool brake_returns_node(const struct cluster *c, const struct node *other,
                const struct node *n) {
        return other == n ? went_down(c, other) : went_down_alike(c, other);
}

bool brake_will_return(const struct cluster *c, const struct node *n) {
        return c->brake.by != BRAKE_OFF && !(n->flags & (NODE_DRAIN | NODE_FAIL)) &&
               went_down_alike(c, n);
}

/* n went DOWN for what turned out to be a common cause.  Until n has booted, jobs get n among the
   last. */
static void bring_back(struct cluster *c, struct node *n, usec_t now) {
        cluster_log(c, 0, n,
                        "Node %s is back in service: the fault that it went DOWN for is over (%s)",
                        n->name, strna(n->reason));
        outcome_forgive(n);
        /* a drained node keeps the reason of the drain */
        if (!(n->flags & (NODE_DRAIN | NODE_FAIL)))
                node_set_reason(c, n, NULL, 0, now);
        if (n->power == NODE_ON)
                n->last_busy = now;
        node_set_base(c, n, NODE_IDLE, now);
        /* the failed boot may have left n on and stuck; an admin is at work on a drained node */
        if (n->power == NODE_POWERED_DOWN && !(n->flags & (NODE_BY_HAND | NODE_DRAIN | NODE_FAIL)))
                outcome_switch_off(c, n, now);
}

static void brake_release(struct cluster *c, struct node *n, usec_t now) {
        struct brake *b = &c->brake;
        _cleanup_(bitset_freep) struct bitset *back = bitset_new(c->n_nodes);

        cluster_log(c, 0, n, "Nodes are woken again: %s could be woken", n->name);
        for (size_t i = 0; i < c->n_nodes; i++)
                if (brake_returns_node(c, c->nodes[i], n))
                        bitset_add(back, i);
        b->by = BRAKE_OFF;
        b->since = b->failed_from = b->probe_at = b->pause = 0;
        b->by_exit = false;
        free_and_strdup(&b->probe, NULL);
        free_and_strdup(&b->cause, NULL);
        forget_results(b);
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *other = c->nodes[i];
                if (bitset_has(back, i))
                        bring_back(c, other, now);
                else if (other->power == NODE_POWERED_DOWN)
                        cluster_node_changed(c, other, now);
        }
        note(c, FACT_BRAKE_CHANGED);
}

static bool brake_proof_counts(const struct brake *b, const struct node *n, enum wake_proof proof) {
        bool is_probe = b->probe && streq(b->probe, n->name);

        if (b->by == BRAKE_COMMON)
                return is_probe || proof == WAKE_BOOTED;
        return proof == WAKE_BOOTED && (is_probe || b->by == BRAKE_ROW);
}

void brake_wake_worked(struct cluster *c, struct node *n, enum wake_proof proof, usec_t now) {
        struct brake *b = &c->brake;

        b->worked = proof >= WAKE_POWER ? now : b->worked;
        if (proof == WAKE_BOOTED && b->by_exit && brake_node_failed(b, n)) {
                b->exit_ignored = true;
                cluster_log_error(c, n,
                                "Node %s has come up although its ResumeProgram had failed (%s): its exit status is ignored "
                                "until the next reconfiguration",
                                n->name, strna(b->cause));
        }
        if (b->by == BRAKE_OFF && proof == WAKE_BOOTED)
                brake_add_result(c, n, false, now);
        else if (b->by != BRAKE_OFF && brake_proof_counts(b, n, proof))
                brake_release(c, n, now);
        b->dirty = true;
}

void brake_asked(struct cluster *c, const struct node *n, usec_t now) {
        if (c->brake.asked == now) /* a further node of the same request */
                return;
        c->brake.asked = now;
        free_and_strdup(&c->brake.asked_for, n->name);
}

void brake_retry(struct cluster *c, usec_t now) {
        struct brake *b = &c->brake;

        b->dirty |= b->exit_ignored;
        b->exit_ignored = false;
        if (b->by == BRAKE_OFF)
                return;
        b->pause = c->config->site.brake_pause;
        b->probe_at = now;
        b->dirty = true;
}

/* ---- the probe ---- */

/* Returns whether n is off and no SuspendProgram for n is still running. */
static bool can_be_woken(const struct node *n, usec_t now) {
        return n->power == NODE_POWERED_DOWN && n->retry_at == 0 && now >= node_wake_after(n);
}

static bool brake_is_requested(const struct node *n, usec_t now) {
        return n->flags & NODE_POWER_UP_WANTED && can_be_woken(n, now);
}

/* Returns a node for which POWER_UP is pending, first the first node of the last request. */
static struct node *brake_requested_node(const struct cluster *c, usec_t now) {
        struct node *last = c->brake.asked_for ? cluster_node(c, c->brake.asked_for) : NULL;

        if (last && bitset_has(c->to_resume, last->index) && brake_is_requested(last, now))
                return last;
        bitset_for_each(i, c->to_resume)
                if (brake_is_requested(c->nodes[i], now))
                        return c->nodes[i];
        return NULL;
}

static bool may_probe(const struct node *n) {
        bool serves = n->base == NODE_IDLE || (n->base == NODE_DOWN && n->flags & NODE_FELL);
        /* A node with jobs is switched off after the jobs, except to clean up a failed boot. */
        bool off_first = n->flags & NODE_POWER_DOWN_WANTED &&
                         (n->n_jobs == 0 || n->flags & NODE_BOOT_REMAINS);

        return serves && !off_first && !(n->flags & (NODE_DRAIN | NODE_FAIL | NODE_INVALID_REG));
}

/* The amount that a probe of n can reveal about the common cause; the lowest number reveals
   most. */
enum promise {
        PROMISE_FRESH,     /* no known fault */
        PROMISE_SAME,      /* n has failed for the common cause */
        PROMISE_OWN_FAULT, /* n would fail even without the common cause */
        PROMISE_NONE,      /* n cannot be woken */
};

static enum promise promise_of(const struct cluster *c, const struct node *n, usec_t now) {
        if (!can_be_woken(n, now) || !may_probe(n))
                return PROMISE_NONE;
        if (n->wake_error && !causes_are_alike(c, n->wake_error, c->brake.cause))
                return PROMISE_OWN_FAULT;
        return n->wake_error || brake_node_failed(&c->brake, n) ? PROMISE_SAME : PROMISE_FRESH;
}

/* Returns the most promising node, searching behind the last probe. */
static struct node *next_in_turn(const struct cluster *c, usec_t now) {
        const struct brake *b = &c->brake;
        const struct node *before = b->probed ? cluster_node(c, b->probed) : NULL;
        size_t start = before ? before->index + 1 : 0;
        enum promise best = PROMISE_NONE;
        struct node *next = NULL;

        for (size_t i = 0; i < c->n_nodes && best != PROMISE_FRESH; i++) {
                struct node *n = c->nodes[(start + i) % c->n_nodes];
                enum promise promise = promise_of(c, n, now);
                if (promise >= best)
                        continue;
                best = promise;
                next = n;
        }
        return next;
}

static bool is_under_way(const struct cluster *c) {
        const struct node *n = c->brake.probe ? cluster_node(c, c->brake.probe) : NULL;

        return n && n->power == NODE_POWERING_UP;
}

struct node *brake_choose_probe(struct cluster *c, usec_t now) {
        struct brake *b = &c->brake;
        struct node *n;

        if (b->by == BRAKE_OFF || is_under_way(c))
                return NULL;
        /* POWER_UP by hand skips the pause, because a repair may have preceded the request.  A
           single probe per request is enough to find out. */
        n = brake_requested_node(c, now);
        if (n && (b->asked > b->begun || now >= b->probe_at))
                return n;
        if (!n && (!c->power_save || (!b->wanted && bitset_empty(c->to_resume))))
                return NULL;
        if (now < b->probe_at) {
                if (b->armed != b->probe_at)
                        cluster_arm(c, b->probe_at, DEADLINE_TURN, 0);
                b->armed = b->probe_at;
                return NULL;
        }
        if (powered_room(c) == 0)
                return NULL;
        return next_in_turn(c, now);
}

void brake_probe_begun(struct cluster *c, struct node *n, usec_t now) {
        struct brake *b = &c->brake;

        free_and_strdup(&b->probe, n->name);
        b->begun = now;
        /* unless the probe fails, which doubles the pause; lack of capacity is no failure */
        b->probe_at = now + b->pause;
        b->dirty = true;
        cluster_log(c, 0, n, "Node %s is woken as a test, %llu s after waking was stopped", n->name,
                        (unsigned long long)((now - b->since) / USEC_PER_SEC));
}
