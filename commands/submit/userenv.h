/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/userenv.h - the user of a job, and what a login of that user would find: --uid,
 * --gid,
 * --get-user-env,
 * --export-file */
#pragma once

#include "commands/jobenv.h"

/* user, group: what --uid and --gid ask for, names or numbers; NULL = our own. Becomes that user
   for good: the controller takes the user from the connection. -EPERM unless we are root. */
int user_become(const char *user, const char *group, struct fail *fail);

/* A heterogeneous job is of one user.  user, group: --uid and --gid of component 0, user2, group2:
   of component at, each NULL if not given.  -EINVAL where they differ. */
int user_check_component(const char *user, const char *group, const char *user2, const char *group2,
                size_t at, struct fail *fail);

/* The environment that our user's login shell makes, put into e beside what is there.  patience:
   how long it may take.  mode: 'L' a login shell, 'S' a plain one. */
int user_login_environment(struct environment *e, usec_t patience, char mode, struct fail *fail);

/* NAME=value, each ended by a null character, from a file; a number from 3 on is a descriptor that
   is open. Put into e. */
int user_export_file(struct environment *e, const char *file, struct fail *fail);
