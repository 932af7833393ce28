/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/users.h - names and groups of users, without waiting for the name service
 *
 * Results are kept: fresh for USERS_FRESH, then still returned while a new look-up runs, and not
 * returned after USERS_OLD. All functions belong to the thread of the event loop. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>
#include <systemd/sd-event.h>

#define USERS_FRESH (60 * USEC_PER_SEC)
#define USERS_OLD   (600 * USEC_PER_SEC) /* Slurm's GroupUpdateTime */

/* Error text for -EBUSY. */
#define USERS_BUSY "the controller looks up too many names of users; try again"

struct users;
struct user {
        uid_t uid;
        gid_t gid;
        char *name, *group; /* "nobody" if unknown */
        char **groups;      /* names of all groups; none unless requested */
        size_t n_groups;
};

/* found() is called whenever a look-up has ended. Returns 0 or a negative errno. */
int users_new(sd_event *event, void (*found)(void *user), void *user, struct users **ret);
struct users *users_free(struct users *u); /* takes NULL, returns NULL */
/* Returns the known user, borrowed until the next call; NULL: a look-up is running. groups: with
   the names of all groups. */
const struct user *users_get(struct users *u, uid_t uid, gid_t gid, bool groups);
/* Finds a user by name, or by uid if wanted is a number. Returns 0, -ENOENT (no such user, or the
   name is too long), -EAGAIN (a look-up is running) or -EBUSY (too many look-ups). *ret_name is
   borrowed until the next call. */
int users_find(struct users *u, const char *wanted, uid_t *ret_uid, const char **ret_name);
/* Finds a user by exact name, with the primary group; errors as users_find(). Look-ups have
   separate space: names invented by other clusters take no space from users_find(). */
int users_find_login(struct users *u, const char *wanted, uid_t *ret_uid, gid_t *ret_gid);
/* Checks a comma-separated list of users, each perhaps with a sign before the name; errors as
   users_find(). */
int users_check(struct users *u, const char *list);
/* Returns the number (from 1) of the look-up behind the last NULL or -EAGAIN. */
uint64_t users_awaited(const struct users *u);
/* Returns whether the look-up number still runs; false for 0. */
bool users_await(const struct users *u, uint64_t number);
/* Returns the known name, however old; NULL if unknown. */
const char *users_name(const struct users *u, uid_t uid);
void users_learn(struct users *u, uid_t uid, const char *name); /* for users_name() */
/* Marks all results as outdated: the next request waits for a new look-up. */
void users_outdate(struct users *u);
