/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/outcome.h - what a Resume or Suspend program says of one node
 *
 * A program may tell for each of its nodes whether switching it worked (docs/states.md, "what the
 * programs say").  One that says nothing is judged by SuspendTimeout and ResumeTimeout alone, as in
 * Slurm. */
#pragma once

#include "controller/nodes/audit.h"

enum outcome_kind {
        OUTCOME_OK,
        OUTCOME_CAPACITY,   /* there is none to be had; no fault of the node's */
        OUTCOME_NO_POWER,   /* it does not switch, for now */
        OUTCOME_NO_BOOT,    /* it has power and does not come up */
        OUTCOME_BAD_CONFIG, /* trying again is no use before a person has changed something */
        OUTCOME_FATAL,
        /* no fault of the node's: a file, a password, the program, the name service */
        OUTCOME_COMMON,
        OUTCOME_KIND_MAX,
};
DECLARE_STRTAB(outcome_kind); /* as the programs write it: "no-power" */

enum outcome_verb { OUTCOME_RESUME, OUTCOME_SUSPEND, OUTCOME_VERB_MAX };

/* The longest pause that is granted: a node must not be lost by a mistyped number. */
#define OUTCOME_PAUSE_MAX (24 * 3600 * USEC_PER_SEC)

struct outcome {
        enum outcome_kind kind;
        usec_t retry_after;      /* duration; 0: not said */
        const char *text;        /* for a person; NULL: none */
        enum node_observed seen; /* what its BMC read after that; OBSERVED_NOTHING: not said */
};

/* The program of verb that was started at `started` says o of n.  -ESTALE: n is past that by now
   (it has registered, its time is over, another request came), nothing changes but, unless it was
   another request, what its BMC has read. */
int node_outcome(struct cluster *c, struct node *n, enum outcome_verb verb, const struct outcome *o,
                usec_t started, usec_t now);
/* The ResumeProgram that was started at `started` has ended without a word of any node.  why: how
   it failed; NULL: it went well.  A failure is one of the common ground, unless n has come up
   meanwhile; where a site's exit status has been shown to mean nothing only PowerError tells of it.
 */
void node_resume_exited(struct cluster *c, struct node *n, const char *why, usec_t started,
                usec_t now);
/* The ResumeProgram could not be run for n. */
void node_not_resumed(struct cluster *c, struct node *n, const char *why, usec_t started,
                usec_t now);
/* ResumeTimeout has passed. */
void node_boot_expired(struct cluster *c, struct node *n, usec_t now);
/* Jobs of n that have not begun go back to the queue, as if they had never had it: others may be up
   sooner. */
void node_unstart_jobs(struct cluster *c, struct node *n, usec_t now);
/* Its boot has failed, and may have left it with power: SuspendProgram is to switch it off. */
void outcome_switch_off(struct cluster *c, struct node *n, usec_t now);
/* An admin has seen to it: failures are not counted any more, nothing waits. */
void outcome_forgive(struct node *n);
