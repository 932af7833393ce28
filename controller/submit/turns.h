/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/turns.h - requests that wait for one worker, of users that take turns
 *
 * Each user that has any waits in a ring, and one request of the first user's is taken at a time:
 * one that has many holds up its own alone.  A user may have as many as there are places left, so
 * that there is always room for another one's. */
#pragma once

#include "lib/base.h"

struct turns;
struct turn { /* a part of what waits */
        struct turn *next;
        uid_t uid;
        size_t size; /* bytes */
};

/* So many at most, and so many bytes. */
struct turns *turns_new(size_t most, size_t most_bytes);
struct turns *turns_free(struct turns *t); /* takes NULL, returns NULL; of one that is empty */
/* false: there is no room for it, and it is the caller's still. */
bool turns_add(struct turns *t, struct turn *new);
/* The next one, which does not wait any more; NULL: there is none. */
struct turn *turns_take(struct turns *t);
/* How many of the same user are before it, and how many other users have any. */
size_t turns_before(const struct turns *t, const struct turn *of, size_t *ret_others);
/* Each that waits; nothing may be added or taken meanwhile. */
void turns_each(const struct turns *t, void (*each)(struct turn *turn, void *user), void *user);
