/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The supplementary groups of users, remembered for GROUPS_LIFE.
 *
 * A look-up loads modules of the name service and may query a server: more time than the rest of a
 * short step, and slumberd must not wait. A step daemon looks the groups up and reports the result;
 * slumberd passes the groups to later step daemons of the user. */
#include "agent/jobs/groups.h"
#include "agent/state/agent.h"

#define GROUPS_LIFE (60 * USEC_PER_SEC)
/* users remembered at a time; groups of more users are looked up for each step */
#define USERS_MAX  256
#define GROUPS_MAX 65536

struct user_groups {
        uint32_t uid, gid;
        usec_t time; /* time of the look-up, CLOCK_MONOTONIC */
        uint32_t *groups;
        size_t n;
        struct user_groups *next;
};

static void user_groups_free(struct user_groups **p) {
        struct user_groups *u = *p;

        *p = u->next;
        free(u->groups);
        free(u);
}

static bool lookup_is_fresh(usec_t time) {
        usec_t now = now_monotonic();

        return time <= now && now - time < GROUPS_LIFE;
}

/* Removes expired entries and the user's entry; returns the number of entries left. */
static size_t user_groups_expire(struct agent *a, uint32_t uid, uint32_t gid) {
        size_t n = 0;

        for (struct user_groups **p = &a->groups; *p;)
                if (!lookup_is_fresh((*p)->time) || ((*p)->uid == uid && (*p)->gid == gid)) {
                        user_groups_free(p);
                } else {
                        p = &(*p)->next;
                        n++;
                }
        return n;
}

void groups_remember(struct agent *a, const Slumber__StepdHello *hello) {
        struct user_groups *u;

        if (hello->n_groups == 0 || hello->n_groups > GROUPS_MAX ||
                        !lookup_is_fresh(hello->groups_time))
                return;
        if (user_groups_expire(a, hello->uid, hello->gid) >= USERS_MAX)
                return;
        u = xnew0(struct user_groups, 1);
        *u = (struct user_groups){ .uid = hello->uid,
                .gid = hello->gid,
                .time = hello->groups_time,
                .groups = xnew(uint32_t, hello->n_groups),
                .n = hello->n_groups,
                .next = a->groups };
        memcpy(u->groups, hello->groups, u->n * sizeof *u->groups);
        a->groups = u;
}

void groups_fill(struct agent *a, Slumber__CredentialBody *body) {
        const struct user_groups *u = a->groups;

        while (u && (u->uid != body->uid || u->gid != body->gid))
                u = u->next;
        if (!u || !lookup_is_fresh(u->time) || body->n_groups)
                return;
        body->groups = xnew(uint32_t, u->n);
        body->n_groups = u->n;
        memcpy(body->groups, u->groups, u->n * sizeof *u->groups);
}

void groups_forget(struct agent *a) {
        while (a->groups)
                user_groups_free(&a->groups);
}
