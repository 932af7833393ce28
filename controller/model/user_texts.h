/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/user_texts.h - memory used by the texts of each user's jobs
 *
 * Each job has its own limit (TEXTS_MAX).  The sum over all jobs of a user is limited too, so that
 * no user fills the controller's memory. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct job;
struct user_texts;

#define USER_TEXTS_MAX (UINT64_C(512) << 20) /* bytes; not applied to root's jobs */

struct user_texts *user_texts_new(void);
struct user_texts *user_texts_free(struct user_texts *t); /* accepts NULL, returns NULL */

/* The uid must not change while j is counted; before a change of the texts j must be removed. */
void user_texts_add(struct user_texts *t, struct job *j);
void user_texts_remove(struct user_texts *t, struct job *j);
/* True if the user's jobs may have more additional bytes. */
bool user_texts_have_room(const struct user_texts *t, uid_t uid, size_t more);
