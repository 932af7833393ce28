/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of admins about a node (power-saving guide, "manual power saving"): one table row per
 * word, one function each. */
#include "controller/indexes/changed.h"
#include "controller/indexes/powered.h"
#include "controller/indexes/trigger_events.h"
#include "controller/jobs/job_events.h"
#include "controller/nodes/brake.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/outcome.h"
#include "controller/nodes/reboot.h"

#include <strings.h>

struct wish {
        const char *reason; /* NULL: none given */
        uid_t uid;
        usec_t now;
};

typedef enum slumber_error (*wish_func)(struct cluster *c, struct node *n, const struct wish *w);

/* Requests by hand work without power saving, too.  A FUTURE node does not exist: the request could
   never be carried out. */
static bool can_be_switched(const struct cluster *c, const struct node *n, bool on) {
        return (n->action || cluster_has_switch(c, on)) && n->base != NODE_FUTURE;
}

static enum slumber_error power_down(struct cluster *c, struct node *n, const struct wish *w) {
        if (!can_be_switched(c, n, false))
                return SLUMBER_BAD_NODE_STATE;
        if (n->power == NODE_POWERING_DOWN) {
                if (n->n_jobs == 0)
                        powered_wake_no_more(c, n);
                node_flag(c, n, 0, NODE_POWER_UP_WANTED, w->now); /* the later request counts */
                return SLUMBER_OK;
        }
        reboot_forget(c, n, w->now);
        n->retry_at = 0; /* now, without the pause */
        n->wish_uid = w->uid;
        /* No job waits for the boot of a DOWN node. */
        bool abort_boot = n->base == NODE_DOWN && n->power == NODE_POWERING_UP;
        node_flag(c, n, NODE_POWER_DOWN_WANTED | (abort_boot ? NODE_POWER_FORCED : 0),
                        NODE_POWER_UP_WANTED, w->now);
        if (n->n_jobs == 0) /* jobs still want the node woken */
                powered_wake_no_more(c, n);
        bitset_add(c->to_suspend, n->index);
        if (w->reason)
                node_set_reason(c, n, w->reason, w->uid, w->now);
        return SLUMBER_OK;
}

static const char by_asap[] = "POWER_DOWN_ASAP";

static enum slumber_error power_down_asap(struct cluster *c, struct node *n, const struct wish *w) {
        enum slumber_error e = power_down(c, n, w);

        if (e != SLUMBER_OK || n->power == NODE_POWERING_DOWN)
                return e;
        if (!(n->flags & NODE_DRAIN))
                node_flag(c, n, NODE_DRAIN | NODE_POWER_DRAIN, 0, w->now);
        if (isempty(n->reason) || strncmp(n->reason, "Not responding", 14) == 0)
                node_set_reason(c, n, by_asap, w->uid, w->now);
        return SLUMBER_OK;
}

static enum slumber_error power_down_force(struct cluster *c, struct node *n,
                const struct wish *w) {
        enum slumber_error e = power_down(c, n, w);

        if (e != SLUMBER_OK || n->power == NODE_POWERING_DOWN)
                return e;
        node_fail_jobs(c, n, w->now);
        /* job_node_failed() may clear the request, hence set it again.  The node's drain ends with
           the power-off, as after POWER_DOWN_ASAP; a quarantine stays. */
        bool undrain = n->flags & NODE_DRAIN && !(n->flags & NODE_QUARANTINE);
        node_flag(c, n,
                        NODE_POWER_DOWN_WANTED | NODE_POWER_FORCED |
                                        (undrain ? NODE_POWER_DRAIN : 0),
                        NODE_FAIL, w->now);
        bitset_add(c->to_suspend, n->index);
        if (n->base != NODE_IDLE)
                node_set_base(c, n, NODE_IDLE, w->now);
        return SLUMBER_OK;
}

/* max_powered_nodes counts all nodes that have power or will get power. */
static bool room_for_power(const struct cluster *c, const struct node *n) {
        return n->power == NODE_POWERING_UP || bitset_has(c->to_resume, n->index) ||
               powered_room(c) > 0;
}

/* Cancels any POWER_DOWN.  A drain set by POWER_DOWN_ASAP ends, too; a drain that POWER_DOWN_FORCE
   was to end stays. */
static void take_power_down_back(struct cluster *c, struct node *n, usec_t now) {
        bool brought = n->flags & NODE_POWER_DRAIN && !(n->flags & NODE_POWER_FORCED);

        /* first: node_flag() re-adds a node that has been idle for SuspendTime */
        bitset_del(c->to_suspend, n->index);
        node_flag(c, n, 0,
                        NODE_POWER_DOWN_WANTED | NODE_POWER_FORCED | NODE_POWER_DRAIN |
                                        (brought ? NODE_DRAIN : 0),
                        now);
        if (brought && n->base == NODE_IDLE && n->reason && streq(n->reason, by_asap))
                node_set_reason(c, n, NULL, 0, now);
}

static enum slumber_error power_up(struct cluster *c, struct node *n, const struct wish *w) {
        if (!can_be_switched(c, n, true))
                return SLUMBER_BAD_NODE_STATE;
        if (n->power == NODE_ON) {
                take_power_down_back(c, n, w->now);
                return SLUMBER_OK; /* already up; the later request counts */
        }
        if (!room_for_power(c, n))
                return SLUMBER_MAX_POWERED_NODES;
        n->retry_at = 0;
        n->wish_uid = w->uid;
        take_power_down_back(c, n, w->now);
        node_flag(c, n, NODE_POWER_UP_WANTED, 0, w->now);
        bitset_add(c->to_resume, n->index);
        brake_asked(c, n, w->now);
        return SLUMBER_OK;
}

/* POWER_UP_FORCE: treats n as off, for a node whose machine disappeared unnoticed. */
static enum slumber_error power_up_force(struct cluster *c, struct node *n, const struct wish *w) {
        if (!can_be_switched(c, n, true))
                return SLUMBER_BAD_NODE_STATE;
        if (node_lacks_power(n) && !room_for_power(c, n))
                return SLUMBER_MAX_POWERED_NODES;
        reboot_forget(c, n, w->now);
        node_fail_jobs(c, n, w->now);
        if (n->power != NODE_POWERED_DOWN)
                (void)node_power_event(c, n, NODE_GIVEN_UP, w->now);
        return power_up(c, n, w);
}

/* n must answer within SlurmdTimeout, and the idle time of n starts. */
static void into_service(struct cluster *c, struct node *n, usec_t now) {
        if (n->connected) { /* an admin had set NORESP */
                node_flag(c, n, 0, NODE_NOT_RESPONDING, now);
        } else if (n->power == NODE_ON) {
                n->lost_since = now;
                node_flag(c, n, NODE_NOT_RESPONDING, 0, now);
        }
        if (n->power == NODE_ON)
                n->last_busy = now;
        node_set_base(c, n, NODE_IDLE, now);
}

static enum slumber_error admin_set_resume(struct cluster *c, struct node *n,
                const struct wish *w) {
        bool down = n->base == NODE_DOWN || n->base == NODE_FUTURE;
        /* a node that has never registered enters service at the registration */
        bool out = down || n->base == NODE_UNKNOWN || n->retry_at ||
                   n->flags & (NODE_DRAIN | NODE_FAIL | NODE_REBOOT_WANTED);

        if (n->power == NODE_POWERING_DOWN)
                (void)node_power_event(c, n, NODE_SETTLED, w->now);
        else if (!out || n->flags & NODE_INVALID_REG)
                return SLUMBER_BAD_NODE_STATE;
        reboot_forget(c, n, w->now);
        if (down) /* even if reboot_forget() has ended DOWN */
                into_service(c, n, w->now);
        if (n->power == NODE_POWERED_DOWN)
                node_flag(c, n, 0, NODE_NOT_RESPONDING, w->now);
        outcome_forgive(n);
        free_and_strdup(&n->wake_error, NULL); /* RESUME reports a repair */
        node_flag(c, n, 0, NODE_DRAIN | NODE_FAIL | NODE_POWER_DRAIN | NODE_QUARANTINE, w->now);
        n->failed_launches = 0;
        n->failed_for_many = false;
        node_set_reason(c, n, NULL, 0, w->now);
        trigger_note_node(c, n, TRIGGER_RESUME, w->now);
        return SLUMBER_OK;
}

static enum slumber_error admin_set_undrain(struct cluster *c, struct node *n,
                const struct wish *w) {
        if (n->flags & NODE_INVALID_REG)
                return SLUMBER_BAD_NODE_STATE;
        if (n->flags & NODE_QUARANTINE)
                outcome_forgive(n);
        node_flag(c, n, 0, NODE_DRAIN | NODE_POWER_DRAIN | NODE_QUARANTINE, w->now);
        n->failed_launches = 0;
        n->failed_for_many = false;
        if (n->base == NODE_IDLE)
                node_set_reason(c, n, NULL, 0, w->now);
        return SLUMBER_OK;
}

static bool is_allocated(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (!n->jobs[i]->completing)
                        return true;
        return false;
}

static enum slumber_error admin_set_idle(struct cluster *c, struct node *n, const struct wish *w) {
        /* Slurm refuses IDLE for ALLOCATED and MIXED nodes */
        if (n->flags & NODE_REBOOT_ISSUED || is_allocated(n))
                return SLUMBER_BAD_NODE_STATE;
        if ((n->base != NODE_DOWN && n->base != NODE_IDLE) || n->flags & NODE_INVALID_REG)
                return SLUMBER_BAD_NODE_STATE;
        if (n->base == NODE_DOWN && !(n->flags & (NODE_DRAIN | NODE_FAIL)))
                node_set_reason(c, n, NULL, 0, w->now);
        into_service(c, n, w->now);
        return SLUMBER_OK;
}

/* DOWN, DRAIN and FAIL need a reason, which informs the next admin. */
static enum slumber_error take_reason(struct cluster *c, struct node *n, const struct wish *w) {
        if (isempty(w->reason) && isempty(n->reason))
                return SLUMBER_NODE_REASON_MISSING;
        if (!isempty(w->reason))
                node_set_reason(c, n, w->reason, w->uid, w->now);
        return SLUMBER_OK;
}

static enum slumber_error admin_set_down(struct cluster *c, struct node *n, const struct wish *w) {
        enum slumber_error e = take_reason(c, n, w);

        if (e != SLUMBER_OK)
                return e;
        if (n->flags & NODE_REBOOT_ISSUED) /* the node stays DOWN after the reboot */
                n->next = NODE_NEXT_DOWN;
        n->flags &= ~(unsigned)NODE_FELL; /* DOWN by the admin from now on */
        node_down(c, n, NULL, w->now);
        return SLUMBER_OK;
}

/* Jobs that have not begun need not wait for the boot of a node that takes no jobs. */
static void release_unbooted(struct cluster *c, struct node *n, usec_t now) {
        while (n->n_jobs && (n->power == NODE_POWERED_DOWN || n->power == NODE_POWERING_UP))
                job_node_failed(c, n->jobs[n->n_jobs - 1], n, now);
}

static enum slumber_error admin_set_drain(struct cluster *c, struct node *n, const struct wish *w) {
        enum slumber_error e = take_reason(c, n, w);

        if (e != SLUMBER_OK)
                return e;
        node_flag(c, n, NODE_DRAIN, NODE_POWER_DRAIN, w->now);
        release_unbooted(c, n, w->now);
        return SLUMBER_OK;
}

static enum slumber_error set_fail(struct cluster *c, struct node *n, const struct wish *w) {
        enum slumber_error e = take_reason(c, n, w);

        if (e != SLUMBER_OK)
                return e;
        node_flag(c, n, NODE_FAIL, 0, w->now);
        release_unbooted(c, n, w->now);
        return SLUMBER_OK;
}

/* The node no longer belongs to the machine that slumberd -F assigned. */
static void forget_machine(struct cluster *c, struct node *n) {
        for (size_t i = 0; i < c->config->n_nodes && n->flags & NODE_DYNAMIC_FUTURE; i++) {
                const struct config_node *from = &c->config->nodes[i];
                if (!streq(from->name, n->name))
                        continue;
                free_and_strdup(&n->address, from->address);
                free_and_strdup(&n->hostname, from->hostname);
        }
}

static enum slumber_error admin_set_future(struct cluster *c, struct node *n,
                const struct wish *w) {
        if ((n->base != NODE_DOWN && n->base != NODE_IDLE) || n->n_jobs ||
                        n->power == NODE_POWERING_UP ||
                        /* a program is working on the node */
                        n->power == NODE_POWERING_DOWN || n->flags & NODE_REBOOT_ISSUED)
                return SLUMBER_BAD_NODE_STATE;
        reboot_forget(c, n, w->now);
        bitset_del(c->to_suspend, n->index);
        powered_wake_no_more(c, n);
        forget_machine(c, n);
        node_flag(c, n, 0,
                        NODE_POWER_DOWN_WANTED | NODE_POWER_UP_WANTED | NODE_POWER_FORCED |
                                        NODE_DYNAMIC_FUTURE,
                        w->now);
        node_set_base(c, n, NODE_FUTURE, w->now);
        return SLUMBER_OK;
}

static enum slumber_error no_resp(struct cluster *c, struct node *n, const struct wish *w) {
        n->lost_since = w->now;
        node_flag(c, n, NODE_NOT_RESPONDING, 0, w->now);
        return SLUMBER_OK;
}

static enum slumber_error cancel_reboot(struct cluster *c, struct node *n, const struct wish *w) {
        return reboot_cancel(c, n, w->now);
}

static const struct {
        const char *word;
        size_t least; /* minimum number of letters */
        wish_func grant;
} wishes[] = {
        { "POWER_DOWN", 7, power_down },
        { "POWER_DOWN_ASAP", 12, power_down_asap },
        { "POWER_DOWN_FORCE", 12, power_down_force },
        { "POWER_UP", 7, power_up },
        { "POWER_UP_FORCE", 12, power_up_force },
        { "RESUME", 3, admin_set_resume },
        { "UNDRAIN", 3, admin_set_undrain },
        { "IDLE", 4, admin_set_idle },
        { "DOWN", 4, admin_set_down },
        { "DRAIN", 3, admin_set_drain },
        { "FAIL", 3, set_fail },
        { "FUTURE", 3, admin_set_future },
        { "NORESP", 3, no_resp },
        { "CANCEL_REBOOT", 3, cancel_reboot },
};

enum slumber_error node_admin(struct cluster *c, struct node *n, const char *word,
                const char *reason, uid_t uid, usec_t now) {
        struct wish w = { .reason = reason, .uid = uid, .now = now };
        size_t length = strlen(word);

        for (size_t i = 0; i < ELEMENTSOF(wishes); i++)
                if (length >= wishes[i].least && strncasecmp(wishes[i].word, word, length) == 0)
                        return wishes[i].grant(c, n, &w);
        return SLUMBER_BAD_NODE_STATE;
}

char *node_refusal(const struct cluster *c, const struct node *n, const char *word,
                enum slumber_error e) {
        _cleanup_free_ char *state = node_state_text(n);

        if (e == SLUMBER_MAX_POWERED_NODES)
                return xasprintf(
                                "%s is %s, and as many as max_powered_nodes=%u have power or are to get it",
                                n->name, state, c->config->max_powered_nodes);
        bool on = strncasecmp(word, "POWER_U", 7) == 0;
        if (strncasecmp(word, "POWER", 5) == 0 && !cluster_has_switch(c, on)) {
                const char *key = on ? "ResumeProgram" : "SuspendProgram";
                const char *fault = strempty(c->config->power_fault);
                bool of_it = strncmp(fault, key, strlen(key)) == 0;
                return of_it ? xasprintf("%s is %s, and nothing switches it: %s", n->name, state,
                                               fault)
                             : xasprintf("%s is %s, and there is no %s", n->name, state, key);
        }
        if (n->flags & NODE_INVALID_REG)
                return xasprintf("%s is %s, what it registered with does not do: %s", n->name,
                                state, strna(n->reason));
        return xasprintf("%s is %s", n->name, state);
}

enum slumber_error node_resume_after(struct cluster *c, struct node *n, usec_t after, usec_t now) {
        if (after != NO_LIMIT && !node_is_out_of_service(n))
                return SLUMBER_BAD_NODE_STATE;
        n->resume_after = after == NO_LIMIT ? 0 : now + after;
        cluster_node_changed(c, n, now);
        return SLUMBER_OK;
}

/* A node that cannot be resumed (the registration was refused) keeps waiting for the admin. */
void node_resume_due(struct cluster *c, struct node *n, usec_t now) {
        n->resume_after = 0;
        enum slumber_error e = node_admin(c, n, "RESUME", NULL, c->config->slurm_uid, now);
        cluster_log(c, 0, n, "Node %s: ResumeAfter is over, it is %s", n->name,
                        e == SLUMBER_OK ? "resumed" : "not resumed, because its state forbids it");
        cluster_node_changed(c, n, now);
}
