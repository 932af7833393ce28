/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/call_stats.h - how many requests of each type and of each user have been handled, and how long that took (sdiag)
 *
 * Users beyond CALL_USERS_MAX are counted together, so that a host's users cannot make the controller grow. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

#define CALL_TYPES_MAX 1024 /* numbers of the bodies of Envelope that are requests stay below it */
#define CALL_USERS_MAX 1000
#define CALL_OTHERS    ((uid_t)-1) /* users beyond that many */

struct call_count {
        uint64_t n;
        usec_t time; /* us, all together */
};
struct call_stats {
        struct call_count types[CALL_TYPES_MAX];
        struct call_user {
                uid_t uid;
                struct call_count count;
        } *users;
        size_t n_users, a_users;
};

struct call_stats *call_stats_new(void);
struct call_stats *call_stats_free(struct call_stats *s); /* takes NULL, returns NULL */
void call_stats_add(struct call_stats *s, unsigned type, uid_t uid, usec_t spent);
void call_stats_reset(struct call_stats *s);
