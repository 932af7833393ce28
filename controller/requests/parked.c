/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of users being looked up: stored as received, and handled again when the name service
 * has answered. */
#include "controller/requests/parked.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"

/* A silent directory must not fill the memory with waiting requests. */
#define PARKED_MAX       10000
#define PARKED_BYTES_MAX ((size_t)256 << 20)

/* Limits per foreign cluster, whose slumberctld could invent names that take long to look up and
   keep other requests out. */
#define PARKED_OF_CLUSTER_MAX       64
#define PARKED_OF_CLUSTER_BYTES_MAX ((size_t)64 << 20)

/* Longest useful wait of a command. */
#define PARKED_LONGEST (60 * USEC_PER_SEC)

struct parked {
        struct address from;
        uid_t uid;
        char *cluster;   /* foreign cluster that sent the request; NULL: own */
        usec_t since;    /* CLOCK_MONOTONIC when the request was first parked */
        uint64_t awaits; /* users_awaited() at that time */
        uint8_t *data;
        size_t size;
};

static void parked_done(struct parked *p) {
        address_done(&p->from);
        free(p->cluster);
        free(p->data);
}

/* Returns whether groups are needed at all: for AllowGroups of a partition, Groups of a reservation
   or MCS labels by group. */
static bool wants_groups(const struct controller *ctl) {
        if (ctl->cluster->config->mcs.plugin == MCS_GROUP)
                return true;
        for (size_t i = 0; i < ctl->cluster->n_partitions; i++)
                if (ctl->cluster->partitions[i]->allow_groups)
                        return true;
        for (size_t i = 0; i < ctl->cluster->resvs.n; i++)
                if (ctl->cluster->resvs.list[i]->groups)
                        return true;
        return false;
}

const struct user *request_user(struct controller *ctl, const struct caller *caller) {
        return users_get(ctl->users, caller->uid, caller->gid, wants_groups(ctl));
}

static bool parked_has_room(const struct controller *ctl, const struct caller *caller,
                size_t size) {
        size_t n = 0, bytes = 0;

        if (ctl->n_parked >= PARKED_MAX || ctl->parked_bytes + size > PARKED_BYTES_MAX)
                return false;
        for (size_t i = 0; caller->guest && i < ctl->n_parked; i++) {
                const struct parked *p = &ctl->parked[i];
                if (!p->cluster || !streq(p->cluster, caller->guest->name))
                        continue;
                n++;
                bytes += p->size;
        }
        return n < PARKED_OF_CLUSTER_MAX && bytes + size <= PARKED_OF_CLUSTER_BYTES_MAX;
}

void request_park(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        /* when the request came */
        usec_t since = ctl->unparking ? ctl->unparking : now_monotonic();
        size_t size = slumber__envelope__get_packed_size(env);

        if (!parked_has_room(ctl, caller, size)) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED,
                                "the controller's name service does not answer, and too many requests wait for it");
                return;
        }
        GROW(ctl->parked, ctl->a_parked, ctl->n_parked);
        struct parked *p = &ctl->parked[ctl->n_parked++];
        *p = (struct parked){ address_copy(&caller->from), caller->uid,
                caller->guest ? xstrdup(caller->guest->name) : NULL, since,
                users_awaited(ctl->users), xmalloc(size), size };
        slumber__envelope__pack(env, p->data);
        ctl->parked_bytes += size;
}

static void parked_handle_again(struct controller *ctl, struct parked *p) {
        struct peer *peer = p->from.peer;
        Envelope *env = peer->conn ? slumber__envelope__unpack(NULL, p->size, p->data) : NULL;

        ctl->unparking = p->since;
        if (env)
                ctl->ops->message(peer, env);
        ctl->unparking = 0;
        slumber__envelope__free_unpacked(env, NULL);
        parked_done(p);
}

/* Handles requests whose look-up has ended; a request in need of a further look-up is parked
   again. */
void requests_unpark(void *user) {
        struct controller *ctl = user;
        _cleanup_free_ struct parked *ready = xnew0(struct parked, ctl->n_parked + 1);
        size_t n = 0, n_ready = 0;

        for (size_t i = 0; i < ctl->n_parked; i++) { /* both lists keep their order */
                struct parked *p = &ctl->parked[i];
                bool waits = users_await(ctl->users, p->awaits);
                ctl->parked_bytes -= waits ? 0 : p->size;
                *(waits ? &ctl->parked[n++] : &ready[n_ready++]) = *p;
        }
        ctl->n_parked = n;
        for (size_t i = 0; i < n_ready; i++)
                parked_handle_again(ctl, &ready[i]);
}

void parked_expire(struct controller *ctl) {
        usec_t now = now_monotonic();
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_parked; i++) { /* the rest keeps its order */
                struct parked *q = &ctl->parked[i];
                if (now - q->since < PARKED_LONGEST) {
                        ctl->parked[n++] = *q;
                        continue;
                }
                _cleanup_free_ char *text = xasprintf(
                                "the controller's name service does not know uid %u",
                                (unsigned)q->uid);
                reply_result(ctl, &q->from, SLUMBER_FAILED, text);
                ctl->parked_bytes -= q->size;
                parked_done(q);
        }
        ctl->n_parked = n;
}

void parked_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_parked; i++) { /* the rest keeps its order */
                struct parked *q = &ctl->parked[i];
                if (q->from.peer != p || (!all && q->from.client != client)) {
                        ctl->parked[n++] = *q;
                        continue;
                }
                ctl->parked_bytes -= q->size;
                parked_done(q);
        }
        ctl->n_parked = n;
}

void parked_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_parked; i++)
                parked_done(&ctl->parked[i]);
        free(TAKE(ctl->parked));
        ctl->n_parked = 0;
}
