/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/audit.h - what a node's BMC reads, against what we think of its power
 *
 * A BMC is read by the outside: for all nodes at times, for one node when its agent's connection is
 * lost (FX_LOOK).  What was read comes here as an event. */
#pragma once

#include "controller/model/cluster.h"

enum node_observed {
        OBSERVED_NOTHING, /* not a reading */
        OBSERVED_OFF,
        OBSERVED_ON,
        OBSERVED_MAX,
};
DECLARE_STRTAB(node_observed);

enum audit_result {
        AUDIT_AGREES,
        AUDIT_CHANGING,    /* it is being switched, or was heard of since: counts neither way */
        AUDIT_LEFT_ALONE,  /* another than we think, but a person has taken it out of service */
        AUDIT_SUSPECT,     /* on, though we have switched it off: once is no proof */
        AUDIT_OFF_AGAIN,   /* ... twice is: SuspendProgram runs again */
        AUDIT_SWITCHED_ON, /* a person's hand: it was read as off since we switched it off */
        AUDIT_POWER_LOST,  /* DOWN */
        /* reads off while its agent is connected: it has AUDIT_ANSWER_WAIT to show that it lives */
        AUDIT_ASKED,
        AUDIT_RESULT_MAX,
};
DECLARE_STRTAB(audit_result); /* a sentence's end: "is on, ..." */

#define AUDIT_ANSWER_WAIT (5 * USEC_PER_SEC)
/* shortest pause between looks at a node with an unstable connection */
#define AUDIT_LOOK_PAUSE (30 * USEC_PER_SEC)

/* n's BMC was asked at that time and read that. */
enum audit_result node_observed(struct cluster *c, struct node *n, enum node_observed seen,
                usec_t asked, usec_t now);
/* Its program has read it back, after our last command: that is what its BMC says now, and no
   verdict. */
void audit_read_back(struct cluster *c, struct node *n, enum node_observed seen, usec_t now);
void audit_due(struct cluster *c, struct node *n, usec_t now);
/* Its agent's connection is gone: DOWN if its BMC has just read off, else its BMC is to be read. */
void audit_lost(struct cluster *c, struct node *n, usec_t now);
/* It is being switched by us, or has registered: what was read before says nothing any more. */
void audit_forget(struct cluster *c, struct node *n, enum node_event event, usec_t now);
