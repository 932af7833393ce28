/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/caller.h - the sender of a request: rights to change and to see */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/orders/viewer.h"

struct caller {
        struct address from;
        uid_t uid;
        gid_t gid;
        pid_t pid;
        const char *host;
        bool super;    /* root, SlurmUser, or AdminLevel Administrator */
        bool operator; /* super, or AdminLevel Operator: any job, reservations */
        /* enum private_data in force for the request; 0: the caller sees everything. Use
           viewer_of(). */
        unsigned hidden;
        const struct acct *acct; /* the accounts, if any account has a coordinator; else NULL */
        const struct user *user; /* set by requests in need of the user; borrowed */
        /* the cluster that sent the request and vouches for the user; NULL: own cluster */
        const struct site_cluster *guest;
        const struct ruled *ruled; /* result of the submit rules for the request; borrowed */
};

bool job_access(const struct caller *caller, const struct job *j);
/* Returns whether the caller has more rights than the owner: as operator or coordinator of j's
   account. */
bool job_leads(const struct caller *caller, const struct job *j);
/* Returns the caller as partitions check a user who submits or moves a job; caller->user must be
   set. The texts are borrowed from caller. */
struct submitter submitter_of(const struct caller *caller);
/* Returns the caller's view on jobs and nodes; borrows from caller. */
struct viewer viewer_of(const struct controller *ctl, const struct caller *caller);
