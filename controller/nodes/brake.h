/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/brake.h - stops the waking of nodes while wakes fail for a common cause
 * (docs/states.md, "The brake")
 *
 * The brake is applied after
 *
 *   a fault common to all nodes (power.yaml, a password, the program, the name service),
 *   brake_after different nodes in a row that could not be woken, or
 *   more than brake_share percent of failures in the last brake_window wakes.
 *
 * While the brake is on, a single node at a time is woken as a test, the probe, at intervals
 * doubling from brake_pause to brake_pause_max.  Sleeping nodes stay idle~ and are given to no job
 * meanwhile. */
#pragma once

#include "controller/model/brake.h"
#include "lib/strtab.h"

struct cluster;
struct node;

DECLARE_STRTAB(brake_by);

enum wake_proof {    /* the proof that a wake has given so far */
        WAKE_RAN,    /* ResumeProgram has exited successfully */
        WAKE_POWER,  /* ResumeProgram has read the node's power as on */
        WAKE_BOOTED, /* slumberd has registered */
};

void brake_done(struct brake *b);
void brake_clock_set(struct brake *b, int64_t by); /* called by orders/clock.c */
/* The wake of n has failed; the caller reads brake.by afterwards and decides what happens to n.
   `by` is the kind of fault: BRAKE_COMMON or BRAKE_ROW. */
void brake_wake_failed(struct cluster *c, struct node *n, enum brake_by by, const char *cause,
                usec_t now);
/* Switching n off has failed for a common cause: logs a single error for all nodes. */
void brake_off_failed(struct cluster *c, struct node *n, const char *cause, usec_t now);
/* May end the brake: nodes that went DOWN for the cause of the brake return to service. */
void brake_wake_worked(struct cluster *c, struct node *n, enum wake_proof proof, usec_t now);
/* Jobs that have not begun are pending again; n stays wanted for jobs that already run. */
void brake_send_jobs_back(struct cluster *c, struct node *n, usec_t now);
/* Returns whether n, which is DOWN, returns to service when the brake ends. */
bool brake_will_return(const struct cluster *c, const struct node *n);
/* An admin asks for power of n, perhaps after a repair: a single probe may skip the pause. */
void brake_asked(struct cluster *c, const struct node *n, usec_t now);
/* An admin reports a repair: the next probe may skip the pause. */
void brake_retry(struct cluster *c, usec_t now);
/* Returns the node for the probe that is due; NULL if no probe is due or no node can be probed. */
struct node *brake_choose_probe(struct cluster *c, usec_t now);
void brake_probe_begun(struct cluster *c, struct node *n, usec_t now);
