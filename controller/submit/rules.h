/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/rules.h - JobSubmitPlugins: what becomes of a request before it is admitted
 *
 * The rules run in their order on a copy of the request.  One that needs the script waits for it,
 * packed, and is handled again as if it came then: with what was made of it. */
#pragma once

#include "controller/loop/caller.h"

/* What the rules have made of a request. */
struct ruled {
        /* own; one, or as many as it has components; without a script it is the request's; NULL: no
           rule is in force */
        Slumber__SubmitRequest **submits;
        size_t n;
        enum slumber_error error; /* SLUMBER_OK: it goes on */
        char *text;               /* own: the error's sentence; NULL: its own */
        char *told;               /* own: for the user, in lines; NULL: nothing */
};
void ruled_done(struct ruled *r);
/* What env, a submission, asks for: of a heterogeneous job its components, else one; borrowed. */
Slumber__SubmitRequest *const *submissions_of(const Envelope *env, size_t *ret_n);

/* true: *ret has what was made of it, or no rule is in force and it is empty.  false: it waits, and
   ctl->ops->message() brings it again.  caller->user is known. */
bool rules_judge(struct controller *ctl, const struct caller *caller, const Envelope *env,
                struct ruled *ret);
/* Refuses, with what the rules say to the user. */
void ruled_refuse(const struct address *to, const struct ruled *r);
/* The configuration was read anew. */
void rules_reconfigured(struct controller *ctl);
void rules_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void rules_free(struct controller *ctl);
