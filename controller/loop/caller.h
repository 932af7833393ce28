/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/caller.h - the sender of a request: what it may do and see */
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
        bool super;    /* root, SlurmUser, AdminLevel Administrator */
        bool operator; /* ... or Operator: any job, reservations */
        /* enum private_data that binds this request; 0: it sees all. Ask viewer_of(). */
        unsigned hidden;
        const struct acct *acct; /* the accounts, if there are coordinators; NULL */
        const struct user *user; /* of requests that need it; borrowed */
        /* The other cluster that has sent it, which alone knows that it is this user; NULL */
        const struct site_cluster *guest;
        const struct ruled *ruled; /* what submit rules have made of the request; borrowed */
};

bool job_access(const struct caller *caller, const struct job *j);
/* ... with more rights than its owner: operator, or coordinator of its account. */
bool job_leads(const struct caller *caller, const struct job *j);
/* What partitions ask of the user that submits or moves a job; caller->user is known. The texts are
   the caller's. */
struct submitter submitter_of(const struct caller *caller);
/* What it may see; borrows from caller. */
struct viewer viewer_of(const struct controller *ctl, const struct caller *caller);
