/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/call_stats.h - number and duration of handled requests by type and user (sdiag)
 *
 * Users beyond CALL_USERS_MAX are counted together, so that the users of a host cannot make
 * slumberctld grow. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

/* upper limit of the field numbers of requests in Envelope */
#define CALL_TYPES_MAX 1280
#define CALL_USERS_MAX 1000
#define CALL_OTHERS    ((uid_t)-1) /* all users beyond CALL_USERS_MAX */

struct call_stats;

struct call_stats *call_stats_new(void);
struct call_stats *call_stats_free(struct call_stats *s); /* takes NULL, returns NULL */
void call_stats_add(struct call_stats *s, unsigned type, uid_t uid, usec_t spent);
void call_stats_reset(struct call_stats *s);
/* Returns the number of requests of a type; *ret_time is their total duration in us. */
uint64_t call_stats_of_type(const struct call_stats *s, unsigned type, usec_t *ret_time);
/* The same for a user, by position from 0 to call_stats_users() - 1. */
size_t call_stats_users(const struct call_stats *s);
uint64_t call_stats_of_user(const struct call_stats *s, size_t at, uid_t *ret_uid,
                usec_t *ret_time);
