/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/users.h - names and groups of users, without ever waiting for the name service
 *
 * What was found is kept: for USERS_FRESH as it is, after that it is still given out while it is
 * looked up again, and after USERS_OLD it is not.  All functions belong to the event loop's thread.
 */
#pragma once

#include "lib/base.h"

#include <sys/types.h>
#include <systemd/sd-event.h>

#define USERS_FRESH (60 * USEC_PER_SEC)
#define USERS_OLD   (600 * USEC_PER_SEC) /* Slurm's GroupUpdateTime */

/* What to tell of -EBUSY. */
#define USERS_BUSY "the controller looks up too many names of users; try again"

struct users;
struct user {
        uid_t uid;
        gid_t gid;
        char *name, *group; /* "nobody" when there is none */
        char **groups;      /* names of all groups; none unless they were wanted */
        size_t n_groups;
};

/* found() is called when a look-up that users_get() began has ended. */
int users_new(sd_event *event, void (*found)(void *user), void *user, struct users **ret);
struct users *users_free(struct users *u); /* takes NULL, returns NULL */
/* What is known; NULL: it is being looked up. Borrowed until the next call. groups: with their
   names. */
const struct user *users_get(struct users *u, uid_t uid, gid_t gid, bool groups);
/* The user of that name, or of that uid where it is a number: -ENOENT = there is none, as of a name
   longer than any may be, -EAGAIN = it is being looked up, -EBUSY = too many are.  The name is
   borrowed until the next call. */
int users_find(struct users *u, const char *wanted, uid_t *ret_uid, const char **ret_name);
/* ... by its name alone, with its primary group.  Its room is its own: names that other clusters
   make up leave that of users_find() to others. */
int users_find_login(struct users *u, const char *wanted, uid_t *ret_uid, gid_t *ret_gid);
/* Is each of a comma list such a user? A minus before a name is not of it. -ENOENT, -EAGAIN,
   -EBUSY: likewise. */
int users_check(struct users *u, const char *list);
/* The look-up that was last told of by NULL or -EAGAIN: its number, from 1. */
uint64_t users_awaited(const struct users *u);
/* Does that one still go on? Not 0. */
bool users_await(const struct users *u, uint64_t number);
/* A name that is known, however old, or NULL. */
const char *users_name(const struct users *u, uid_t uid);
void users_learn(struct users *u, uid_t uid, const char *name); /* for users_name() */
/* The next request waits for a new look-up. */
void users_outdate(struct users *u);
