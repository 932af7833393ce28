/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sender of a request: what it may do and see. */
#include "controller/loop/caller.h"

#include "controller/loop/controller.h"
#include "controller/loop/users.h"
#include "controller/orders/viewer.h"

bool job_leads(const struct caller *who, const struct job *j) {
        return who->operator || (who->acct && who->user && j->assoc && assoc_coordinates(who->acct, j->assoc, who->user->name));
}

bool job_access(const struct caller *who, const struct job *j) {
        return who->uid == j->uid || job_leads(who, j);
}

struct submitter submitter_of(const struct caller *who) {
        const struct user *user = who->user;

        return (struct submitter){ .uid = who->uid, .gid = who->gid, .user = user->name, .group = user->group,
                .groups = user->groups, .n_groups = user->n_groups, .host = who->host, .hidden = who->hidden };
}

struct viewer viewer_of(const struct controller *ctl, const struct caller *who) {
        struct viewer v = { .c = ctl->cluster };

        if (who->hidden)
                v.who = submitter_of(who);
        return v;
}
