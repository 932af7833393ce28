/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/loop/call_stats.h"

struct call_count {
        uint64_t n;
        usec_t time; /* us, in total */
};
struct call_user {
        uid_t uid;
        struct call_count count;
};

struct call_stats {
        struct call_count types[CALL_TYPES_MAX];
        struct call_user *users;
        size_t n_users, a_users;
};

struct call_stats *call_stats_new(void) {
        return xnew0(struct call_stats, 1);
}

struct call_stats *call_stats_free(struct call_stats *s) {
        if (s)
                free(s->users);
        free(s);
        return NULL;
}

static void call_count_add(struct call_count *c, usec_t spent) {
        c->n++;
        c->time += spent;
}

/* Returns the count of uid. Each hit moves the user forward by a place, so frequent users are found
   early. */
static struct call_count *call_count_of_user(struct call_stats *s, uid_t uid) {
        for (size_t i = 0; i < s->n_users; i++) {
                if (s->users[i].uid != uid)
                        continue;
                if (i == 0)
                        return &s->users[0].count;
                struct call_user moved = s->users[i];
                s->users[i] = s->users[i - 1];
                s->users[i - 1] = moved;
                return &s->users[i - 1].count;
        }
        if (s->n_users >= CALL_USERS_MAX && uid != CALL_OTHERS)
                return call_count_of_user(s, CALL_OTHERS);
        GROW(s->users, s->a_users, s->n_users);
        s->users[s->n_users] = (struct call_user){ .uid = uid };
        return &s->users[s->n_users++].count;
}

void call_stats_add(struct call_stats *s, unsigned type, uid_t uid, usec_t spent) {
        assert(type < CALL_TYPES_MAX);

        call_count_add(&s->types[type], spent);
        call_count_add(call_count_of_user(s, uid), spent);
}

void call_stats_reset(struct call_stats *s) {
        memset(s->types, 0, sizeof s->types);
        s->n_users = 0;
}

uint64_t call_stats_of_type(const struct call_stats *s, unsigned type, usec_t *ret_time) {
        assert(type < CALL_TYPES_MAX);

        *ret_time = s->types[type].time;
        return s->types[type].n;
}

size_t call_stats_users(const struct call_stats *s) {
        return s->n_users;
}

uint64_t call_stats_of_user(const struct call_stats *s, size_t at, uid_t *ret_uid,
                usec_t *ret_time) {
        assert(at < s->n_users);

        *ret_uid = s->users[at].uid;
        *ret_time = s->users[at].count.time;
        return s->users[at].count.n;
}
