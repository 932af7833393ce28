/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/user_texts.h - how much memory the texts of each user's known jobs take
 *
 * Each job has a limit of its own (TEXTS_MAX); what a user has of all jobs together is counted
 * here, so that no user fills the controller's memory. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct job;
struct user_texts;

#define USER_TEXTS_MAX (UINT64_C(512) << 20) /* bytes; root's jobs have no such limit */

struct user_texts *user_texts_new(void);
struct user_texts *user_texts_free(struct user_texts *t); /* takes NULL, returns NULL */

/* As long as it is counted its uid does not change; when its texts do, it is counted anew. */
void user_texts_add(struct user_texts *t, struct job *j);
void user_texts_remove(struct user_texts *t, struct job *j);
/* Whether the user's jobs may have so many bytes more. */
bool user_texts_have_room(const struct user_texts *t, uid_t uid, size_t more);
