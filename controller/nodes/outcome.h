/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/outcome.h - the result that a Resume or Suspend program reports for a node
 *
 * A program may report for each node whether switching has worked (docs/states.md, "what the
 * programs say").  A program that reports no result is judged by SuspendTimeout and ResumeTimeout
 * alone, as in Slurm. */
#pragma once

#include "controller/nodes/audit.h"

enum outcome_kind {
        OUTCOME_OK,
        OUTCOME_CAPACITY,   /* no capacity available; no fault of the node */
        OUTCOME_NO_POWER,   /* the node cannot be switched at present */
        OUTCOME_NO_BOOT,    /* the node has power but does not boot */
        OUTCOME_BAD_CONFIG, /* retrying is useless until an admin changes the configuration */
        OUTCOME_FATAL,
        /* no fault of the node: a file, a password, the program, the name service */
        OUTCOME_COMMON,
        OUTCOME_KIND_MAX,
};
DECLARE_STRTAB(outcome_kind); /* the programs' words: "no-power" */

enum outcome_verb { OUTCOME_RESUME, OUTCOME_SUSPEND, OUTCOME_VERB_MAX };

/* Maximum accepted pause: a mistyped number must not lose a node. */
#define OUTCOME_PAUSE_MAX (24 * 3600 * USEC_PER_SEC)

struct outcome {
        enum outcome_kind kind;
        usec_t retry_after;      /* duration; 0: not given */
        const char *text;        /* for the admin; NULL: none */
        enum node_observed seen; /* later reading of the BMC; OBSERVED_NOTHING: not given */
};

/* The program of `verb`, started at `started`, reports o for n.  -ESTALE: n is past the request (n
   has registered, the timeout has passed, a later request came); nothing changes then, except that
   the BMC's reading is recorded unless a later request came. */
int node_outcome(struct cluster *c, struct node *n, enum outcome_verb verb, const struct outcome *o,
                usec_t started, usec_t now);
/* The ResumeProgram started at `started` has ended without a result for any node.  why: how the
   program failed; NULL: success.  A failure counts as a common cause unless n has come up
   meanwhile.  At a site whose exit status has proved meaningless, a failure is shown in PowerError
   only. */
void node_resume_exited(struct cluster *c, struct node *n, const char *why, usec_t started,
                usec_t now);
/* ResumeProgram could not be run for n. */
void node_not_resumed(struct cluster *c, struct node *n, const char *why, usec_t started,
                usec_t now);
/* ResumeTimeout of n has passed. */
void node_boot_expired(struct cluster *c, struct node *n, usec_t now);
/* Jobs of n that have not begun return to the queue as if never started: further nodes may be up
   sooner. */
void node_unstart_jobs(struct cluster *c, struct node *n, usec_t now);
/* The boot of n has failed and may have left n with power: SuspendProgram is to switch n off. */
void outcome_switch_off(struct cluster *c, struct node *n, usec_t now);
/* An admin has dealt with n: resets the count of failures and the pause. */
void outcome_forgive(struct node *n);
