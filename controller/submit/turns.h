/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/turns.h - requests waiting for one worker, users in turn
 *
 * Users with requests wait in a ring, and a single request of the first user is taken at a time:
 * many requests of a user delay no request of the rest. A user may occupy at most as many places as
 * are left, so a new user always finds room. */
#pragma once

#include "lib/base.h"

struct turns;
struct turn { /* embedded in a waiting request */
        struct turn *next;
        uid_t uid;
        size_t size; /* bytes */
};

/* Limits of the number of requests and of their bytes. */
struct turns *turns_new(size_t most, size_t most_bytes);
struct turns *turns_free(struct turns *t); /* takes NULL, returns NULL; t must be empty */
/* Returns false if there is no room: new remains the caller's. */
bool turns_add(struct turns *t, struct turn *new);
/* Removes and returns the next request; NULL if none. */
struct turn *turns_take(struct turns *t);
/* Returns how many requests of the same user are before of; *ret_others: number of other users with
   requests. */
size_t turns_before(const struct turns *t, const struct turn *of, size_t *ret_others);
/* Calls each() for all waiting requests; each() must not add or take any. */
void turns_each(const struct turns *t, void (*each)(struct turn *turn, void *user), void *user);
