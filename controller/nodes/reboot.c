/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/nodes/reboot.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_reboot.h"
#include "controller/model/node_features.h"
#include "controller/nodes/node_events.h"

/* ---- Reason: like Slurm, results of a reboot are appended ---- */

static const char issued_text[] = " : reboot issued";

static bool reboot_wrote_reason(const char *reason) {
        static const char *const texts[] = { "Reboot ASAP", "reboot requested", issued_text + 3 };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (reason && streq(reason, texts[i]))
                        return true;
        return false;
}

static void add_to_reason(struct cluster *c, struct node *n, const char *text, usec_t now) {
        _cleanup_free_ char *both = xasprintf("%s%s", strempty(n->reason), text);

        node_set_reason(c, n, both, c->config->slurm_uid, now);
}

/* A reason set by an admin stays. */
static void restore_reason(struct cluster *c, struct node *n) {
        const char *added = n->reason ? strstr(n->reason, issued_text) : NULL;
        _cleanup_free_ char *rest = added ? xstrndup(n->reason, (size_t)(added - n->reason)) : NULL;

        if (rest)
                node_set_reason(c, n, rest, n->reason_uid, n->reason_time);
        if (reboot_wrote_reason(n->reason))
                node_set_reason(c, n, NULL, 0, 0);
}

/* ---- request and cancel ---- */

/* reboot force: ends any power operation under way; jobs of n are killed or requeued. */
static void clear_the_way(struct cluster *c, struct node *n, usec_t now) {
        bool brought = n->flags & NODE_POWER_DRAIN && !(n->flags & NODE_POWER_FORCED);

        reboot_forget(c, n, now);
        bitset_del(c->to_suspend, n->index);
        if (n->power != NODE_ON)
                (void)node_power_event(c, n, NODE_TAKEN_FOR_ON, now);
        node_fail_jobs(c, n, now);
        powered_wake_no_more(c, n);
        n->retry_at = 0;
        node_flag(c, n, 0,
                        NODE_POWER_DOWN_WANTED | NODE_POWER_UP_WANTED | NODE_POWER_FORCED |
                                        NODE_POWER_DRAIN | (brought ? NODE_DRAIN : 0),
                        now);
}

enum slumber_error reboot_request(struct cluster *c, struct node *n, const struct reboot_wish *w,
                usec_t now) {
        if (w->force && n->base != NODE_FUTURE)
                clear_the_way(c, n, now);
        bool off = n->power != NODE_ON || n->flags & NODE_POWER_DOWN_WANTED;

        if (off || n->base == NODE_FUTURE || n->flags & (NODE_REBOOT_WANTED | NODE_REBOOT_ISSUED))
                return SLUMBER_BAD_NODE_STATE;
        free_and_strdup(&n->action, w->action);
        n->next = w->asap && w->next == NODE_NEXT_SAME ? NODE_NEXT_RESUME : w->next;
        if (w->reason)
                node_set_reason(c, n, w->reason, w->uid, now);
        else if (isempty(n->reason))
                node_set_reason(c, n, w->asap ? "Reboot ASAP" : "reboot requested", w->uid, now);
        bool drain = w->asap && !(n->flags & NODE_DRAIN);
        node_flag(c, n,
                        NODE_REBOOT_WANTED | (w->force ? NODE_REBOOT_FORCED : 0) |
                                        (drain ? NODE_DRAIN | NODE_REBOOT_DRAIN : 0),
                        0, now);
        bitset_add(c->to_reboot, n->index);
        return SLUMBER_OK;
}

static void reboot_clear(struct cluster *c, struct node *n, usec_t now) {
        unsigned drain = n->flags & NODE_REBOOT_DRAIN ? NODE_DRAIN : 0;

        bitset_del(c->to_reboot, n->index);
        n->next = NODE_NEXT_SAME;
        free_and_strdup(&n->action, NULL);
        node_flag(c, n, 0,
                        NODE_REBOOT_WANTED | NODE_REBOOT_FORCED | NODE_REBOOT_ISSUED |
                                        NODE_REBOOT_DRAIN | drain,
                        now);
}

static void reboot_undo(struct cluster *c, struct node *n, usec_t now) {
        reboot_clear(c, n, now);
        restore_reason(c, n);
}

enum slumber_error reboot_cancel(struct cluster *c, struct node *n, usec_t now) {
        if (!(n->flags & NODE_REBOOT_WANTED))
                return SLUMBER_BAD_NODE_STATE;
        reboot_undo(c, n, now);
        return SLUMBER_OK;
}

void reboot_forget(struct cluster *c, struct node *n, usec_t now) {
        bool issued = n->flags & NODE_REBOOT_ISSUED;

        if (!(n->flags & (NODE_REBOOT_WANTED | NODE_REBOOT_ISSUED)))
                return;
        /* rebooted for a job: the features of the new boot are irrelevant now */
        if (issued && n->base == NODE_IDLE) {
                node_fail_jobs(c, n, now);
                node_features_forget(n);
        }
        bool back = issued && n->next != NODE_NEXT_DOWN;
        reboot_undo(c, n, now);
        if (back)
                node_set_base(c, n, NODE_IDLE, now);
}

/* ---- issuing ---- */

static bool can_reboot(const struct node *n) {
        if (n->power != NODE_ON || n->n_jobs)
                return false;
        return n->flags & NODE_REBOOT_FORCED || n->base == NODE_DOWN ||
               (n->base == NODE_IDLE && !(n->flags & NODE_NOT_RESPONDING));
}

static void reboot_issue(struct cluster *c, struct node *n, usec_t now) {
        if (n->next == NODE_NEXT_SAME && n->base == NODE_DOWN)
                n->next = NODE_NEXT_DOWN;
        n->power_request = now;
        n->program_started = false;
        /* unless slumberctld ended between issuing the reboot and starting RebootProgram */
        if (!n->reason || !strstr(n->reason, issued_text))
                add_to_reason(c, n, issued_text + (isempty(n->reason) ? strlen(" : ") : 0), now);
        cluster_log(c, 0, n, "Node %s is rebooted", n->name);
        n->flags |= NODE_REBOOT_ISSUED;
        n->flags &= ~(unsigned)(NODE_REBOOT_WANTED | NODE_REBOOT_FORCED);
        node_set_base(c, n, NODE_DOWN, now);
}

static bool all_allow(const struct cluster *c, const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->needs.features && !reboot_allowed(c, n->jobs[i]))
                        return false;
        return true;
}

/* n keeps the features of the boot.  A job that n does not serve returns to the queue if not begun;
   else n fails for the job. */
static void release_unserved(struct cluster *c, struct node *n, usec_t now) {
        node_features_set(n, n->image);
        for (size_t i = n->n_jobs; i-- > 0;) {
                struct job *j = n->jobs[i];
                if (node_features_serve(n, j))
                        continue;
                if (j->state == JOB_RUNNING && j->configuring)
                        job_unstart(c, j, "a node of it has woken without its features", now);
                else
                        job_node_failed(c, j, n, now);
                i = MIN(i, n->n_jobs);
        }
}

void reboot_woken(struct cluster *c, struct node *n, usec_t now) {
        cluster_log(c, 0, n, "Node %s has woken with features %s, not %s", n->name,
                        isempty(n->image) ? "none" : n->image, n->active);
        if (all_allow(c, n))
                reboot_for_features(c, n, now);
        else
                release_unserved(c, n, now);
}

void reboot_pass(struct cluster *c, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *issued = NULL;

        if (bitset_empty(c->to_reboot))
                return;
        issued = bitset_new(c->n_nodes);
        bitset_for_each(i, c->to_reboot) {
                struct node *n = c->nodes[i];
                bool wanted = n->flags & NODE_REBOOT_WANTED;

                if (wanted && !can_reboot(n))
                        continue; /* the node stays in the set */
                bitset_del(c->to_reboot, i);
                if (wanted) {
                        reboot_issue(c, n, now);
                        bitset_add(issued, i);
                }
        }
        while (!bitset_empty(issued)) {
                const char *action = c->nodes[bitset_next(issued, 0)]->action;
                struct effect *fx = effects_add(&c->effects, FX_REBOOT);

                fx->action = xstrdup(action);
                fx->nodes = bitset_new(c->n_nodes);
                bitset_for_each(i, issued)
                        if (streq(strempty(c->nodes[i]->action), strempty(action)))
                                bitset_add(fx->nodes, i);
                bitset_minus(issued, fx->nodes);
        }
}

void reboot_restart(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[i];
                if (!(n->flags & NODE_REBOOT_ISSUED) || n->program_started)
                        continue;
                if (n->base == NODE_IDLE) { /* rebooted for a job's features */
                        reboot_tell(c, n);
                        continue;
                }
                enum node_base base = n->next == NODE_NEXT_DOWN ? NODE_DOWN : NODE_IDLE;
                n->flags = (n->flags & ~(unsigned)NODE_REBOOT_ISSUED) | NODE_REBOOT_WANTED;
                node_set_base(c, n, base, now);
                bitset_add(c->to_reboot, i);
        }
}

/* ---- completion ---- */

/* Holds jobs with --reboot waiting for n: a requeue would bring down further nodes one after
   another. */
static void hold_jobs(struct cluster *c, const struct node *n, const char *why, usec_t now) {
        _cleanup_free_ char *text = xasprintf("node %s: %s", n->name, why);

        for (size_t i = 0; i < n->n_jobs; i++) {
                struct job *j = n->jobs[i];
                if (!j->asked.reboot || !j->configuring || j->completing)
                        continue;
                (void)job_hold(c, j, false, now); /* cannot fail: the job is not over */
                job_set_reason(c, j, REASON_HELD_USER, text);
        }
}

static void reboot_fail(struct cluster *c, struct node *n, const char *why, usec_t now) {
        unsigned over = NODE_REBOOT_ISSUED | NODE_REBOOT_DRAIN;

        hold_jobs(c, n, why, now);

        n->next = NODE_NEXT_SAME;
        if (n->flags & NODE_REBOOT_DRAIN)
                over |= NODE_DRAIN;
        if (n->connected) /* the node has not left the old boot */
                over |= NODE_NOT_RESPONDING;
        node_flag(c, n, 0, over, now);
        n->last_busy = now; /* no job could use the node during the reboot */
        node_set_reason(c, n, why, c->config->slurm_uid, now);
        node_down(c, n, NULL, now);
}

void reboot_expired(struct cluster *c, struct node *n, usec_t now) {
        node_features_forget(n); /* the next registration reports the features */
        reboot_fail(c, n, "reboot timed out", now);
}

void reboot_failed(struct cluster *c, struct node *n, const char *why, usec_t now) {
        _cleanup_free_ char *text = xasprintf("reboot failed: %.200s", why);

        if (!(n->flags & NODE_REBOOT_ISSUED))
                return;
        node_features_set(n, n->image); /* the node is still in the old boot */
        reboot_fail(c, n, text, now);
}

void reboot_done(struct cluster *c, struct node *n, usec_t now) {
        bool down = n->next == NODE_NEXT_DOWN;

        cluster_log(c, 0, n, "Node %s has rebooted", n->name);
        n->last_busy = now;
        reboot_clear(c, n, now);
        if (down) {
                add_to_reason(c, n, isempty(n->reason) ? "reboot complete" : " : reboot complete",
                                now);
                return;
        }
        restore_reason(c, n);
        /* a drained node keeps the reason of the drain */
        if (!(n->flags & (NODE_DRAIN | NODE_FAIL)))
                node_set_reason(c, n, NULL, 0, now);
        node_set_base(c, n, NODE_IDLE, now);
}
