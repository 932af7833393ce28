/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/node_deadline.h"

#include "controller/model/exclude.h"
#include "controller/reservations/reservation.h"

usec_t node_power_deadline(const struct node *n) {
        if (n->power == NODE_POWERING_DOWN && n->suspend_timeout != NO_LIMIT)
                return n->power_request + n->suspend_timeout;
        if (n->power == NODE_POWERING_UP && n->resume_timeout != NO_LIMIT)
                return n->power_request + n->resume_timeout;
        return USEC_INFINITY;
}

usec_t node_wake_after(const struct node *n) {
        if (n->power != NODE_POWERED_DOWN || !n->suspending || n->confirmed ||
                        n->suspend_timeout == NO_LIMIT)
                return 0;
        return n->power_request + 2 * n->suspend_timeout;
}

usec_t node_sleep_after(const struct node *n) {
        bool runs = n->resuming || !n->program_started; /* or is about to run */

        if (n->power != NODE_POWERING_UP || !runs || n->confirmed || n->suspend_timeout == NO_LIMIT)
                return 0;
        usec_t until = n->power_request + n->suspend_timeout;
        /* a later time has no effect: the boot fails first */
        return until < node_power_deadline(n) ? until : 0;
}

/* When ResumeRate lets all nodes in to_resume pass, plus a beat. */
static usec_t rate_lets_pass(const struct cluster *c, usec_t now) {
        const struct bucket *rate = &c->resume_bucket;

        return rate->rate ? bucket_after(rate, bitset_count(c->to_resume), now) + BUCKET_BEAT : now;
}

/* A boot longer than usual is expected to take until ResumeTimeout. */
static usec_t node_boot_end(const struct node *n, usec_t now) {
        usec_t usual = n->power_request + node_boot_time(n), last = node_power_deadline(n);

        return usual > now || last == USEC_INFINITY ? usual : last;
}

usec_t nodes_up_by(const struct cluster *c, const struct bitset *nodes, usec_t now) {
        usec_t rate = 0, up_by = 0;

        bitset_for_each(i, nodes) {
                const struct node *n = c->nodes[i];
                if (n->power == NODE_ON)
                        continue;
                if (n->power == NODE_POWERING_UP) {
                        up_by = MAX(up_by, node_boot_end(n, now));
                        continue;
                }
                rate = rate ? rate : rate_lets_pass(c, now);
                usec_t from = n->power == NODE_POWERING_DOWN
                                              ? MAX(rate, n->power_request + n->suspend_timeout)
                                              : rate;
                up_by = MAX(up_by, from + node_boot_time(n));
        }
        return up_by;
}

usec_t audit_deadline(const struct node *n) {
        return n->answer_due && n->power == NODE_ON ? n->answer_due : USEC_INFINITY;
}

usec_t reboot_deadline(const struct node *n) {
        bool waits = n->flags & NODE_REBOOT_ISSUED && n->resume_timeout != NO_LIMIT;

        return waits ? n->power_request + n->resume_timeout : USEC_INFINITY;
}

usec_t strays_deadline(const struct node *n) {
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; n->connected && i < n->n_strays; i++)
                next = MIN(next, n->strays[i].due);
        return next;
}

/* SlurmdTimeout (0: never) of a node that was lost or has never registered. */
usec_t node_lost_deadline(const struct cluster *c, const struct node *n) {
        bool lost = n->power == NODE_ON && !(n->flags & NODE_REBOOT_ISSUED) &&
                    ((n->base == NODE_IDLE && n->flags & NODE_NOT_RESPONDING) ||
                                    (n->base == NODE_UNKNOWN && !n->connected));

        return lost && !n->retry_at && c->config->slurmd_timeout
                               ? n->lost_since + c->config->slurmd_timeout
                               : USEC_INFINITY;
}

/* The end of SuspendTime, whether or not the node is kept up. */
static usec_t idle_end(const struct cluster *c, const struct node *n) {
        if (!c->power_save || n->power != NODE_ON || n->last_busy == 0 ||
                        n->suspend_time == NO_LIMIT)
                return USEC_INFINITY;
        if ((n->base != NODE_IDLE && n->base != NODE_DOWN) || n->n_jobs ||
                        n->flags & (NODE_REBOOT_WANTED | NODE_REBOOT_ISSUED))
                return USEC_INFINITY;
        return MAX(n->last_busy + n->suspend_time, n->retry_at);
}

usec_t node_idle_deadline(const struct cluster *c, const struct node *n) {
        if (resv_keeps_awake(c, n) || exclusion_of(c, n) || node_is_vetoed(n) ||
                        bitset_has(c->exclusions.held, n->index) || n->flags & NODE_QUARANTINE)
                return USEC_INFINITY;
        return idle_end(c, n);
}

/* DebugFlags=Power logs once for each reason that a node stays up after SuspendTime.  Most reasons
   are found by the pass that would suspend the node; excluded nodes are not examined by that
   pass. */
usec_t node_tell_deadline(const struct cluster *c, const struct node *n) {
        const char *excluded = c->debug & DEBUG_POWER ? exclusion_of(c, n) : NULL;

        return excluded && excluded != n->told && !node_is_vetoed(n) ? idle_end(c, n)
                                                                     : USEC_INFINITY;
}

void node_rearm(struct cluster *c, struct node *n, usec_t now) {
        usec_t next = MIN(MIN(node_power_deadline(n), reboot_deadline(n)),
                        MIN(node_lost_deadline(c, n), strays_deadline(n)));

        next = MIN(next, audit_deadline(n));

        if (n->retry_at)
                next = MIN(next, n->retry_at);
        if (now < node_wake_after(n))
                next = MIN(next, node_wake_after(n));
        if (n->flags & NODE_POWER_FORCED && now < node_sleep_after(n))
                next = MIN(next, node_sleep_after(n));
        if (n->resume_after)
                next = MIN(next, n->resume_after);
        next = MIN(next, node_late_deadline(n));
        if (!bitset_has(c->to_suspend, n->index))
                next = MIN(next, MIN(node_idle_deadline(c, n), node_tell_deadline(c, n)));
        if (next == USEC_INFINITY || (n->armed && n->armed <= next))
                return;
        n->armed = next;
        cluster_arm(c, next, DEADLINE_NODE, n->index);
}
