/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/rules.h - JobSubmitPlugins: rules for requests before admission
 *
 * The rules run in order on a copy of the request. A request that needs the script waits, packed,
 * and is handled again with the result as if just received. */
#pragma once

#include "controller/loop/caller.h"

/* Result of the rules for a request. */
struct ruled {
        /* own; one per component, without batch scripts (they remain in the request); NULL: no rule
           is in force */
        Slumber__SubmitRequest **submits;
        size_t n;
        enum slumber_error error; /* SLUMBER_OK: the request continues */
        char *text;               /* own: text for the error; NULL: the default text */
        char *told;               /* own: messages for the user, in lines; NULL: none */
};
void ruled_done(struct ruled *r);
/* Returns the submissions in env, one per component of a heterogeneous job; borrowed. */
Slumber__SubmitRequest *const *submissions_of(const Envelope *env, size_t *ret_n);

/* Returns true with the result in *ret (empty if no rule is in force), or false: the request waits
   and ctl->ops->message() will get it again. caller->user must be set. */
bool rules_judge(struct controller *ctl, const struct caller *caller, const Envelope *env,
                struct ruled *ret);
/* Refuses the request, with the rules' messages for the user. */
void ruled_refuse(const struct address *to, const struct ruled *r);
/* Applies a new configuration. */
void rules_reconfigured(struct controller *ctl);
void rules_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void rules_free(struct controller *ctl);
