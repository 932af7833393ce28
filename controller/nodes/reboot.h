/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/reboot.h - a node's reboot: asked for, issued when it is idle, over when it
 * registers anew
 *
 * scontrol reboot (power-saving guide, RebootProgram).  Wanted: REBOOT_REQUESTED, jobs that run may
 * end, no other comes once it is idle.  Issued: REBOOT_ISSUED and DOWN until its agent registers
 * from a later boot; ResumeTimeout is its deadline. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

enum node_next { NODE_NEXT_SAME, NODE_NEXT_RESUME, NODE_NEXT_DOWN, NODE_NEXT_MAX };

struct reboot_wish {
        bool asap;  /* no new jobs meanwhile */
        bool force; /* at once, whatever its state is; its jobs go */
        enum node_next next;
        const char *reason; /* NULL: none given */
        const char *action; /* a PowerAction instead of RebootProgram; NULL: none */
        uid_t uid;
};

/* SLUMBER_BAD_NODE_STATE: it is being rebooted already, has no power (both not with force), or is
   not in use. */
enum slumber_error reboot_request(struct cluster *c, struct node *n, const struct reboot_wish *w,
                usec_t now);
/* Only before it is issued. */
enum slumber_error reboot_cancel(struct cluster *c, struct node *n, usec_t now);
/* Takes back whatever stage it has reached: the node is switched off, or back in service by
   hand. */
void reboot_forget(struct cluster *c, struct node *n, usec_t now);

/* n has woken without what its jobs ask for (n->active): the same for them, or, where it may not be
   rebooted, they go back to the queue. */
void reboot_woken(struct cluster *c, struct node *n, usec_t now);

/* Issues what can be: FX_REBOOT for the nodes that have become idle. */
void reboot_pass(struct cluster *c, usec_t now);

/* After a restart of the controller: what was issued and not yet told to the node is wanted
   again. */
void reboot_restart(struct cluster *c, usec_t now);

void reboot_expired(struct cluster *c, struct node *n, usec_t now);
/* RebootProgram could not be run, or says that it failed. */
void reboot_failed(struct cluster *c, struct node *n, const char *why, usec_t now);
/* It has registered from a later boot. */
void reboot_done(struct cluster *c, struct node *n, usec_t now);
