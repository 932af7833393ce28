/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/hooks.h - Prolog and Epilog */
#pragma once

#include "agent/state/agent.h"

/* Jobs may have a prolog or epilog here; plug-ins may have a part in both. */
bool hooks_wanted(const struct agent *a, bool epilog);
/* Before a step of j: 0, it may start; 1, it waits for the prolog, which runs: to be put into
   hooks_launches(). -ECANCELED: that has failed; other errors: it cannot be run. */
int hooks_before_step(struct job *j, const Slumber__LaunchStep *m,
                const Slumber__CredentialBody *body, struct fail *fail);
struct launch **hooks_launches(struct job *j);
bool hooks_prolog_runs(const struct job *j);
/* The controller ends j: launches that wait are refused; notes what the epilog is told. */
void hooks_before_end(struct job *j, const Slumber__TerminateJob *m);
/* Nothing of j runs any more; false: no epilog runs, see hooks_error(). */
bool hooks_start_epilog(struct job *j);
/* What the controller is to be told at the end of j, "": nothing; by which code: of the epilog, or
   of a prolog that no launch has told of. */
const char *hooks_error(const struct job *j, int *ret_code);
bool hooks_of_earlier_boot(const struct job *j);
void hooks_acknowledged(struct job *j); /* forgets them */
void hooks_free(struct job *j);
/* Those of an earlier slumberd.  Where one cannot be taken over, an epilog would be forgotten. */
int hooks_adopt(struct agent *a, struct fail *fail);
