/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/reboot.h - scontrol reboot: requested, issued when the node is idle, complete at
 * the node's next registration (power-saving guide, RebootProgram)
 *
 *   REBOOT_REQUESTED   running jobs may end; an idle node gets no further job
 *   REBOOT_ISSUED      DOWN until slumberd registers from a later boot; the deadline is
 *                      ResumeTimeout */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

enum node_next { NODE_NEXT_SAME, NODE_NEXT_RESUME, NODE_NEXT_DOWN, NODE_NEXT_MAX };

struct reboot_wish {
        bool asap;  /* no new jobs before the reboot */
        bool force; /* at once in any state; the node's jobs are killed or requeued */
        enum node_next next;
        const char *reason; /* NULL: none given */
        const char *action; /* a PowerAction instead of RebootProgram; NULL: none */
        uid_t uid;
};

/* SLUMBER_BAD_NODE_STATE: n is being rebooted already or has no power (neither with force), or n is
   FUTURE. */
enum slumber_error reboot_request(struct cluster *c, struct node *n, const struct reboot_wish *w,
                usec_t now);
/* SLUMBER_BAD_NODE_STATE: no reboot is wanted, or the reboot has been issued. */
enum slumber_error reboot_cancel(struct cluster *c, struct node *n, usec_t now);
/* Cancels a reboot at any stage, because n is switched off or an admin returns n to service. */
void reboot_forget(struct cluster *c, struct node *n, usec_t now);

/* n has woken without the features that the jobs of n ask for (n->active): n is rebooted for the
   jobs; if a reboot is not allowed, the jobs return to the queue. */
void reboot_woken(struct cluster *c, struct node *n, usec_t now);

/* Issues the wanted reboots of idle nodes (FX_REBOOT). */
void reboot_pass(struct cluster *c, usec_t now);

/* A restart of slumberctld: a reboot issued but not yet started is wanted again. */
void reboot_restart(struct cluster *c, usec_t now);

void reboot_expired(struct cluster *c, struct node *n, usec_t now);
/* RebootProgram could not be run, or reports a failure. */
void reboot_failed(struct cluster *c, struct node *n, const char *why, usec_t now);
/* n has registered from a later boot. */
void reboot_done(struct cluster *c, struct node *n, usec_t now);
