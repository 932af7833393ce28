/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/brake.h - waking is stopped while it fails for a common cause (docs/states.md,
 * "The brake")
 *
 * One fault of the common ground (power.yaml, a password, the program, the name service),
 * brake_after different nodes in a row that could not be woken, or more than brake_share percent of
 * the last brake_window wakes: then no node is woken but for one at a time, the probe, with pauses
 * that double from brake_pause to brake_pause_max.  Sleeping nodes stay idle~ and are given to no
 * job meanwhile. */
#pragma once

#include "controller/model/brake.h"
#include "lib/strtab.h"

struct cluster;
struct node;

DECLARE_STRTAB(brake_by);

enum wake_proof {    /* what a wake has shown so far */
        WAKE_RAN,    /* its program has ended well */
        WAKE_POWER,  /* ... and has read the node's power as on */
        WAKE_BOOTED, /* its agent has registered */
};

void brake_done(struct brake *b);
void brake_clock_set(struct brake *b, int64_t by); /* clock.c */
/* n, which was being woken, could not be; what becomes of n is the caller's business, which looks
   at brake.by after that.  by is BRAKE_COMMON or BRAKE_ROW: the kind of fault. */
void brake_wake_failed(struct cluster *c, struct node *n, enum brake_by by, const char *cause,
                usec_t now);
/* n could not be switched off for a common cause: one error in the log for all nodes. */
void brake_off_failed(struct cluster *c, struct node *n, const char *cause, usec_t now);
/* May end the brake: nodes that went DOWN for its cause come back. */
void brake_wake_worked(struct cluster *c, struct node *n, enum wake_proof proof, usec_t now);
/* Jobs that have not begun are pending again; for those that run already n stays wanted. */
void brake_send_jobs_back(struct cluster *c, struct node *n, usec_t now);
/* n, which is DOWN, is back in service when the brake's cause is over. */
bool brake_will_return(const struct cluster *c, const struct node *n);
/* A person asks for power of n, maybe after a repair: one probe need not wait. */
void brake_asked(struct cluster *c, const struct node *n, usec_t now);
/* It was said to be mended: the next probe need not wait. */
void brake_retry(struct cluster *c, usec_t now);
/* The node for the probe that is due; NULL: none is due, or there is none to be had. */
struct node *brake_choose_probe(struct cluster *c, usec_t now);
void brake_probe_begun(struct cluster *c, struct node *n, usec_t now);
