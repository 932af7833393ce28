/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/userenv.h - the user of a job and the user's login environment: --uid, --gid,
 * --get-user-env, --export-file */
#pragma once

#include "commands/jobenv.h"

/* Becomes a user for good, because the controller takes the user from the connection. user,
   group: names or numbers of --uid and --gid; NULL: unchanged. -EPERM unless called by root;
   -EINVAL: unknown name. */
int user_become(const char *user, const char *group, struct fail *fail);

/* Checks that a component has the same --uid (user, user2) and --gid (group, group2) as
   component 0; NULL: not given. -EINVAL: different. */
int user_check_component(const char *user, const char *group, const char *user2, const char *group2,
                size_t at, struct fail *fail);

/* Adds the environment of the user's login shell to e. patience: time limit. mode: 'L' a login
   shell, 'S' a plain shell. */
int user_login_environment(struct environment *e, usec_t patience, char mode, struct fail *fail);

/* Adds NAME=value texts, each ended by a null byte, from a file; a number from 3 on is an open
   descriptor. */
int user_export_file(struct environment *e, const char *file, struct fail *fail);
