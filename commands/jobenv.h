/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobenv.h - environment, limits and umask which a job or step takes from the
   submitting process */
#pragma once

#include "lib/environment.h"
#include "lib/fail.h"
#include "proto/slumber.pb-c.h"

/* Adds the variables selected by --export from env (ends with NULL): ALL (also NULL), NONE, or
   names and NAME=value, possibly with ALL. SLURM_ and SPANK_ variables are always added. fresh:
   omits variables that an enclosing job has set for itself (SLURM_PROCID, ...), as for a new
   job. */
int job_env_fill(struct environment *e, char *const *env, const char *export, bool fresh,
                struct fail *fail);
/* Adds HOME, LOGNAME, PATH, SHELL and USER of env unless already set. */
void job_env_basic(struct environment *e, char *const *env);
/* Returns whether export selects the variable, by name or by ALL. */
bool job_env_is_wanted(const char *export, const char *name);
/* Returns whether export is NONE, or a list without ALL and NIL: the remaining environment is a
   login's. */
bool job_env_is_fresh(const char *export);

/* Returns the resource limits except those with a bit in not; a single allocation, which the
   caller frees. */
Slumber__Rlimit **job_rlimits(uint32_t not, size_t *ret_n);
uint32_t job_umask(void);
char *job_cwd(void);  /* absolute; the caller frees */
char *job_host(void); /* this host's name without domain; the caller frees */
