/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/containers.h - job_container/tmpfs */
#pragma once

#include "agent/state/agent.h"

void containers_configure(struct agent *a, const Slumber__JobContainer *m); /* NULL: none */
void containers_done(struct agent *a);
/* Negative errno with fail: nothing can be launched here.  A base that was bad is looked at anew.
 */
int containers_check(struct agent *a, struct fail *fail);
/* What the step's daemon is told; m->folder is the caller's, the rest a's.  False: nothing. */
bool containers_fill(const struct agent *a, const struct step_name *name, Slumber__JobContainer *m);
/* The file of j's mount namespace; the caller frees.  NULL: jobs have none. */
char *containers_namespace(const struct job *j);
void containers_interrupt(const struct job *j); /* it is being ended: its InitScript too */
void containers_end(struct agent *a, uint32_t job, uint32_t restarts); /* no process is left */
