/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of wakes go into a short list; from it follows when the brake goes on.  A node that has
 * failed since the last wake that went well counts once, so that one dead node, tried again and
 * again, stops no other node's wakes.
 *
 * Invariants.  While the brake is on at most one node is being woken that was not before.  It ends
 * by a wake that proves what its cause had denied: after a fault of the common ground a program
 * that ends well is enough, after boots that failed a node must register. All nodes are looked at
 * when it goes on and when it ends, and not in between. */
#include "controller/nodes/brake.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/powered.h"
#include "controller/nodes/outcome.h"

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
        *b = (struct brake){ 0 };
}

/* ---- results ---- */

static void add_result(struct cluster *c, const struct node *n, bool failed, usec_t now) {
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

/* Since the last that went well. */
static size_t in_a_row(const struct brake *b) {
        size_t row = 0;

        while (row < b->n && b->last[b->n - 1 - row].failed)
                row++;
        return row;
}

static bool has_failed(const struct brake *b, const struct node *n) {
        for (size_t i = b->n - in_a_row(b); i < b->n; i++)
                if (streq(b->last[i].node, n->name))
                        return true;
        return false;
}

/* Of the last so many results, some of which are failures. */
static usec_t first_failure(const struct brake *b, size_t last) {
        size_t i = b->n - last;

        while (!b->last[i].failed)
                i++;
        return b->last[i].at;
}

static enum brake_by judge(const struct cluster *c) {
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

/* ---- on ---- */

void brake_send_jobs_back(struct cluster *c, struct node *n, usec_t now) {
        node_unstart_jobs(c, n, now);
        if (n->n_jobs)
                bitset_add(c->to_resume, n->index);
        else if (!(n->flags & NODE_POWER_UP_WANTED))
                powered_wake_no_more(c, n);
}

static void engage(struct cluster *c, struct node *n, enum brake_by by, const char *cause,
                usec_t now) {
        struct brake *b = &c->brake;
        size_t row = in_a_row(b);
        _cleanup_free_ char *others = row > 1 ? xasprintf(" and %zu more nodes", row - 1)
                                              : xstrdup("");

        b->by = by;
        b->since = now;
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

static void probe_failed(struct cluster *c, const char *cause, usec_t now) {
        struct brake *b = &c->brake;

        free(b->probed);
        b->probed = TAKE(b->probe);
        b->probes++;
        b->pause = MIN(2 * b->pause, c->config->site.brake_pause_max);
        b->probe_at = now + b->pause;
        b->wanted = false;
        note(c, FACT_BRAKE_CHANGED); /* jobs are told the new cause, and want the next probe */
        if (!streq(strempty(b->cause), cause))
                cluster_log_error(c, NULL,
                                "Waking of nodes stays stopped: %s could not be woken: %s",
                                b->probed, cause);
        free_and_strdup(&b->cause, cause);
}

void brake_wake_failed(struct cluster *c, struct node *n, enum brake_by by, const char *cause,
                usec_t now) {
        struct brake *b = &c->brake;

        if (!has_failed(b, n))
                add_result(c, n, true, now);
        b->dirty = true;
        if (b->by != BRAKE_OFF) {
                if (b->probe && streq(b->probe, n->name))
                        probe_failed(c, cause, now);
                return;
        }
        enum brake_by judged = by == BRAKE_COMMON ? BRAKE_COMMON : judge(c);
        if (judged != BRAKE_OFF)
                engage(c, n, judged, cause, now);
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

/* ---- off ---- */

/* It went DOWN for what turned out to be a common cause. */
static void bring_back(struct cluster *c, struct node *n, usec_t now) {
        cluster_log(c, 0, n,
                        "Node %s is back in service: the fault that it went DOWN for is over (%s)",
                        n->name, strna(n->reason));
        outcome_forgive(n);
        if (!(n->flags & (NODE_DRAIN | NODE_FAIL))) /* else it is the reason of that */
                node_set_reason(c, n, NULL, 0, now);
        if (n->power == NODE_ON)
                n->last_busy = now;
        node_set_base(c, n, NODE_IDLE, now);
}

static void release(struct cluster *c, struct node *n, usec_t now) {
        struct brake *b = &c->brake;
        usec_t from = b->failed_from;

        cluster_log(c, 0, n, "Nodes are woken again: %s could be woken", n->name);
        b->by = BRAKE_OFF;
        b->since = b->failed_from = b->probe_at = b->pause = 0;
        b->by_exit = false;
        free_and_strdup(&b->probe, NULL);
        free_and_strdup(&b->cause, NULL);
        forget_results(b);
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *other = c->nodes[i];
                if (other->base == NODE_DOWN && other->flags & NODE_FELL &&
                                other->reason_time >= from)
                        bring_back(c, other, now);
                else if (other->power == NODE_POWERED_DOWN)
                        cluster_node_changed(c, other, now);
        }
        note(c, FACT_BRAKE_CHANGED);
}

static bool proves(const struct brake *b, const struct node *n, enum wake_proof proof) {
        bool is_probe = b->probe && streq(b->probe, n->name);

        if (b->by == BRAKE_COMMON)
                return is_probe || proof == WAKE_BOOTED;
        return proof == WAKE_BOOTED && (is_probe || b->by == BRAKE_ROW);
}

void brake_wake_worked(struct cluster *c, struct node *n, enum wake_proof proof, usec_t now) {
        struct brake *b = &c->brake;

        b->worked = proof >= WAKE_POWER ? now : b->worked;
        if (proof == WAKE_BOOTED && b->by_exit && has_failed(b, n)) {
                b->exit_ignored = true;
                cluster_log_error(c, n,
                                "Node %s has come up although its ResumeProgram had failed (%s): its exit status is ignored "
                                "until the next reconfiguration",
                                n->name, strna(b->cause));
        }
        if (b->by == BRAKE_OFF && proof == WAKE_BOOTED)
                add_result(c, n, false, now);
        else if (b->by != BRAKE_OFF && proves(b, n, proof))
                release(c, n, now);
        b->dirty = true;
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

/* Off, and no SuspendProgram of its still runs. */
static bool can_be_woken(const struct node *n, usec_t now) {
        return n->power == NODE_POWERED_DOWN && n->retry_at == 0 && now >= node_wake_after(n);
}

/* A person's wish for power need not wait for the pause: it may follow a repair. */
static struct node *asked_for(const struct cluster *c, usec_t now) {
        bitset_for_each(i, c->to_resume)
                if (can_be_woken(c->nodes[i], now) && c->nodes[i]->flags & NODE_POWER_UP_WANTED)
                        return c->nodes[i];
        return NULL;
}

static bool may_probe(const struct node *n) {
        bool serves = n->base == NODE_IDLE || (n->base == NODE_DOWN && n->flags & NODE_FELL);

        return serves &&
               !(n->flags & (NODE_DRAIN | NODE_FAIL | NODE_INVALID_REG | NODE_POWER_DOWN_WANTED));
}

/* In turn, behind the last one; fresh: none of those that have failed, if there is another. */
static struct node *next_in_turn(const struct cluster *c, bool fresh, usec_t now) {
        const struct brake *b = &c->brake;
        const struct node *before = b->probed ? cluster_node(c, b->probed) : NULL;
        size_t start = before ? before->index + 1 : 0;

        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[(start + i) % c->n_nodes];
                if (can_be_woken(n, now) && may_probe(n) && !(fresh && has_failed(b, n)))
                        return n;
        }
        return NULL;
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
        if ((n = asked_for(c, now)))
                return n;
        if (!b->wanted && bitset_empty(c->to_resume))
                return NULL;
        if (now < b->probe_at) {
                if (b->armed != b->probe_at)
                        cluster_arm(c, b->probe_at, DEADLINE_TURN, 0);
                b->armed = b->probe_at;
                return NULL;
        }
        if (powered_room(c) == 0)
                return NULL;
        return (n = next_in_turn(c, true, now)) ? n : next_in_turn(c, false, now);
}

void brake_probe_begun(struct cluster *c, struct node *n, usec_t now) {
        struct brake *b = &c->brake;

        free_and_strdup(&b->probe, n->name);
        b->dirty = true;
        cluster_log(c, 0, n, "Node %s is woken as a test, %llu s after waking was stopped", n->name,
                        (unsigned long long)((now - b->since) / USEC_PER_SEC));
}
