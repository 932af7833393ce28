/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sender of a request: rights to change and to see. */
#include "controller/loop/caller.h"

#include "controller/accounts/assoc.h"
#include "controller/loop/controller.h"
#include "controller/loop/users.h"
#include "controller/orders/viewer.h"

bool job_leads(const struct caller *caller, const struct job *j) {
        return caller->operator||(
                        caller->acct && caller->user && j->accounting.assoc &&
                        assoc_coordinates(caller->acct, j->accounting.assoc, caller->user->name));
}

bool job_access(const struct caller *caller, const struct job *j) {
        return caller->uid == j->uid || job_leads(caller, j);
}

struct submitter submitter_of(const struct caller *caller) {
        const struct user *user = caller->user;

        return (struct submitter){ .uid = caller->uid,
                .gid = caller->gid,
                .user = user->name,
                .group = user->group,
                .groups = user->groups,
                .n_groups = user->n_groups,
                .host = caller->host,
                .hidden = caller->hidden,
                .coordinates_nothing = !caller->acct };
}

struct viewer viewer_of(const struct controller *ctl, const struct caller *caller) {
        struct viewer v = { .c = ctl->cluster };

        if (caller->hidden)
                v.caller = submitter_of(caller);
        return v;
}
