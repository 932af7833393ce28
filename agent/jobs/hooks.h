/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/hooks.h - Prolog and Epilog */
#pragma once

#include "agent/state/agent.h"

/* Returns true if a prolog (epilog: an epilog) is configured, or plug-ins may have callbacks in
   both. */
bool hooks_wanted(const struct agent *a, bool epilog);
/* Called before a step of j starts, and starts the prolog if necessary. 0: the step may start; 1:
   the caller adds the launch to hooks_launches(), as the prolog runs; -ECANCELED: the prolog has
   failed; other errors: the prolog cannot be run. */
int hooks_before_step(struct job *j, const Slumber__LaunchStep *m,
                const Slumber__CredentialBody *body, struct fail *fail);
struct launch **hooks_launches(struct job *j);
bool hooks_prolog_runs(const struct job *j);
/* Called when the controller ends j: refuses the waiting launches, and records the epilog's
   environment. */
void hooks_before_end(struct job *j, const Slumber__TerminateJob *m);
/* Starts the epilog; requires that no process of j is left. False: no epilog runs, see
   hooks_error(). */
bool hooks_start_epilog(struct job *j);
/* Returns the error for the controller at the end of j, "" without an error. *ret_code tells an
   error of the epilog from an error of the prolog, which is returned only if no refused launch has
   reported the prolog's error. */
const char *hooks_error(const struct job *j, int *ret_code);
bool hooks_of_earlier_boot(const struct job *j);
void hooks_acknowledged(struct job *j); /* the controller knows that j is gone: forgets the hooks */
void hooks_free(struct job *j);
/* Restores the hooks of an earlier slumberd. Fails if a record cannot be restored, as an epilog
   would be forgotten otherwise. */
int hooks_adopt(struct agent *a, struct fail *fail);
