/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/audit.h - compares a BMC's reading with the recorded power state of the node
 *
 * The caller reads the BMCs: at intervals for all nodes, and for a single node when the connection
 * of slumberd is lost (FX_LOOK).  Each reading arrives here as an event. */
#pragma once

#include "controller/model/cluster.h"

enum node_observed {
        OBSERVED_NOTHING, /* no reading */
        OBSERVED_OFF,
        OBSERVED_ON,
        OBSERVED_MAX,
};
DECLARE_STRTAB(node_observed);

enum audit_result {
        AUDIT_AGREES,
        AUDIT_CHANGING, /* power is changing, or has changed since the BMC was asked: no verdict */
        /* differs from the record, but an admin has taken the node out of service */
        AUDIT_LEFT_ALONE,
        AUDIT_SUSPECT,     /* on after our power-off, read once: no proof yet */
        AUDIT_OFF_AGAIN,   /* on after our power-off, read twice: SuspendProgram runs again */
        AUDIT_SWITCHED_ON, /* switched on by hand: the BMC has read off since our power-off */
        AUDIT_POWER_LOST,  /* the node goes DOWN */
        /* off, but slumberd is connected and has AUDIT_ANSWER_WAIT to answer */
        AUDIT_ASKED,
        AUDIT_RESULT_MAX,
};
DECLARE_STRTAB(audit_result); /* the end of a sentence: "is on, ..." */

#define AUDIT_ANSWER_WAIT (5 * USEC_PER_SEC)
/* Minimum time between two readings of a node with an unstable connection. */
#define AUDIT_LOOK_PAUSE (30 * USEC_PER_SEC)

/* The BMC of n was asked at `asked` and has read `seen`. */
enum audit_result node_observed(struct cluster *c, struct node *n, enum node_observed seen,
                usec_t asked, usec_t now);
/* Records the reading that the power program took after the last power request; no verdict. */
void audit_read_back(struct cluster *c, struct node *n, enum node_observed seen, usec_t now);
void audit_due(struct cluster *c, struct node *n, usec_t now);
/* The connection of n's slumberd is lost: n goes DOWN if the BMC has just read off, else FX_LOOK
   asks for a reading. */
void audit_lost(struct cluster *c, struct node *n, usec_t now);
/* Discards earlier readings of n, because the controller is switching n or n has registered. */
void audit_forget(struct cluster *c, struct node *n, enum node_event event, usec_t now);
