/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/containers.h - job_container/tmpfs */
#pragma once

#include "agent/state/agent.h"

/* m: NULL if job_container/tmpfs is off */
void containers_configure(struct agent *a, const Slumber__JobContainer *m);
void containers_done(struct agent *a);
/* Returns 0 if jobs can be launched. A base folder found bad earlier is checked again; negative
 * errno with fail while the base is unusable. */
int containers_check(struct agent *a, struct fail *fail);
/* Fills m for the step's daemon: the caller frees m->folder, the remaining members are borrowed
   from a. Returns false if job_container/tmpfs is off. */
bool containers_fill(const struct agent *a, const struct step_name *name, Slumber__JobContainer *m);
/* Returns the path of the file of j's mount namespace; the caller frees. NULL: job_container/tmpfs
   is off. */
char *containers_namespace(const struct job *j);
/* the job is being ended: ends a running InitScript */
void containers_interrupt(const struct job *j);
/* called when the job has no process left; removes the job's folders */
void containers_end(struct agent *a, uint32_t job, uint32_t restarts);
