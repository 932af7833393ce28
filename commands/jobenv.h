/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobenv.h - what a job or step takes along from where it was asked for: environment,
   limits, mask */
#pragma once

#include "lib/environment.h"
#include "lib/fail.h"
#include "proto/slumber.pb-c.h"

/* What --export says of the environment env (ends with NULL): ALL (also NULL), NONE, or names and
   NAME=value, perhaps with ALL among them.  SLURM_ and SPANK_ variables always go along.  Names
   that an enclosing job has set for itself (SLURM_PROCID, ...) are left out when fresh is set: a
   new job gets its own. */
int job_env_fill(struct environment *e, char *const *env, const char *export, bool fresh,
                struct fail *fail);
/* HOME, LOGNAME, PATH, SHELL and USER of env, as far as they are not there. */
void job_env_basic(struct environment *e, char *const *env);
/* Is the variable named in the list, or all are? */
bool job_env_is_wanted(const char *export, const char *name);
/* NONE, or a list without ALL and NIL: the rest is to be that of a login. */
bool job_env_is_fresh(const char *export);

/* Without those of which the bit is set in not; one piece of memory that the caller frees. */
Slumber__Rlimit **job_rlimits(uint32_t not, size_t *ret_n);
uint32_t job_umask(void);
char *job_cwd(void);  /* absolute; the caller frees */
char *job_host(void); /* this host's name, without domain; the caller frees */
