/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions for deadlines of a node (defined in node_deadline.h). */
#include "controller/turn/due.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/job_events.h"
#include "controller/model/exclude.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/reboot.h"

/* A failed operation may be retried now, by the pass or for a job. */
static void pause_over(struct cluster *c, struct node *n, usec_t now) {
        n->retry_at = 0;
        cluster_debug(c, DEBUG_POWER, n,
                        "POWER: %s may be switched again, its pause after a failure is over",
                        n->name);
        if (n->power == NODE_ON)
                n->lost_since = now;
        if (n->flags & NODE_POWER_DOWN_WANTED)
                bitset_add(c->to_suspend, n->index);
        cluster_node_changed(c, n, now);
}

void node_due(struct cluster *c, struct node *n, usec_t now) {
        n->armed = 0;
        if (n->retry_at && now >= n->retry_at)
                pause_over(c, n, now);
        if (now >= node_power_deadline(n))
                (void)node_power_event(c, n,
                                n->power == NODE_POWERING_DOWN ? NODE_SETTLED : NODE_BOOT_EXPIRED,
                                now);
        if (now >= node_late_deadline(n)) {
                n->late = true;
                cluster_node_changed(c, n, now);
        }
        if (now >= reboot_deadline(n))
                reboot_expired(c, n, now);
        if (now >= audit_deadline(n))
                audit_due(c, n, now);
        if (n->resume_after && now >= n->resume_after)
                node_resume_due(c, n, now);
        if (now >= node_lost_deadline(c, n)) {
                n->flags |= NODE_NOT_RESPONDING;
                node_down(c, n, "Not responding", now);
        }
        if (now >= strays_deadline(n))
                strays_due(c, n, now);
        if (now >= node_tell_deadline(c, n)) {
                n->told = exclusion_of(c, n);
                cluster_debug(c, DEBUG_POWER, n, "POWER: %s stays up: %s", n->name, n->told);
        }
        if (now >= node_idle_deadline(c, n))
                bitset_add(c->to_suspend, n->index);
        node_rearm(c, n, now);
}
