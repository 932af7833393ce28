/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reservations: queries and updates. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/jobs/reservation_life.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/records/record.h"
#include "controller/records/reservation_record.h"
#include "controller/requests/handlers.h"
#include "controller/requests/parked.h"
#include "controller/reservations/reservation.h"
#include "controller/updates/reservation_edit.h"
#include "lib/log.h"

#define SETTINGS_MAX 64

void handle_reservation_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const struct viewer viewer = viewer_of(ctl, caller);
        Slumber__ReservationList m = SLUMBER__RESERVATION_LIST__INIT;

        reservation_record_fill(&viewer, env->reservation_query->name, controller_now(ctl), &m);
        ENVELOPE(reply, RESERVATION_LIST, reservation_list, &m);
        reply_now(&caller->from, &reply);
        reservation_record_done(&m);
}

/* Checks the users of a reservation with the name service; errors as users_check(). */
static int check_all_users(struct controller *ctl, const Slumber__ReservationUpdate *m) {
        for (size_t i = 0; i < m->n_settings; i++) {
                const char *key = m->settings[i]->key;
                int r = strncasecmp(key, "u", 1) == 0 && !strchr(key, '-')
                                        ? users_check(ctl->users, m->settings[i]->value)
                                        : 0;
                if (r < 0)
                        return r;
        }
        return 0;
}

static struct update_setting *reservation_settings(const Slumber__ReservationUpdate *m,
                size_t *ret_n) {
        struct update_setting *wishes = xnew(struct update_setting, m->n_settings + 1);
        size_t n = 0;

        if (m->create && *m->name)
                wishes[n++] = (struct update_setting){ "ReservationName", m->name };
        for (size_t i = 0; i < m->n_settings; i++)
                wishes[n++] = (struct update_setting){ m->settings[i]->key, m->settings[i]->value };
        *ret_n = n;
        return wishes;
}

/* Checks the sizes; a list of nodes may be as long as any text of the request. */
static enum slumber_error reservation_check_size(const Slumber__ReservationUpdate *m) {
        if (m->n_settings > SETTINGS_MAX || (m->create && m->remove))
                return SLUMBER_PROTOCOL;
        for (size_t i = 0; i < m->n_settings; i++)
                if (strncasecmp(m->settings[i]->key, "n", 1) != 0 &&
                                strlen(m->settings[i]->value) > TEXT_MAX)
                        return SLUMBER_TOO_BIG;
        return SLUMBER_OK;
}

/* Returns whether the update only skips to the next occurrence. */
static bool only_skips(const Slumber__ReservationUpdate *m) {
        return !m->create && !m->remove && m->n_settings == 1 &&
               resv_key_is_skip(m->settings[0]->key);
}

/* USER_DELETE: users of the reservation may delete it, or skip an occurrence. */
static bool reservation_may_change(const struct caller *caller, const Slumber__ReservationUpdate *m,
                const struct resv *r) {
        struct submitter from = submitter_of(caller);
        bool user_may = (m->remove || only_skips(m)) && r && r->flags & RESV_USER_DELETE;

        return caller->operator||(
                        user_may && !r->accounts && !r->qos && resv_admits(r, &from, NULL, NULL));
}

/* Checks rights before any look-up: users without rights cause no look-ups. */
static enum slumber_error reservation_check_request(const struct cluster *c,
                const struct caller *caller, const Slumber__ReservationUpdate *m) {
        const struct resv *r = m->create ? NULL : resv_find(c, m->name);
        enum slumber_error e = reservation_check_size(m);

        if (e != SLUMBER_OK)
                return e;
        if (!reservation_may_change(caller, m, r))
                return SLUMBER_ACCESS_DENIED;
        return m->create || r ? SLUMBER_OK : SLUMBER_BAD_RESERVATION;
}

static enum slumber_error reservation_change(struct controller *ctl, const struct caller *caller,
                const Slumber__ReservationUpdate *m, struct resv **ret, struct fail *fail) {
        struct cluster *c = ctl->cluster;
        struct resv *r = m->create ? NULL : resv_find(c, m->name);
        _cleanup_free_ struct update_setting *wishes = NULL;
        size_t n = 0;

        if (m->remove)
                return resv_delete(c, r, controller_now(ctl));
        wishes = reservation_settings(m, &n);
        return m->create ? resv_create(c, wishes, n, caller->uid, controller_now(ctl), ret, fail)
                         : resv_update(c, r, wishes, n, controller_now(ctl), fail);
}

void handle_reservation_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__ReservationUpdate *m = env->reservation_update;
        Slumber__ReservationReply reply = SLUMBER__RESERVATION_REPLY__INIT;
        enum slumber_error e = reservation_check_request(ctl->cluster, caller, m);
        int known = e == SLUMBER_OK && !m->remove ? check_all_users(ctl, m) : 0;
        struct fail fail = { 0 };
        struct resv *made = NULL;

        if (known == -EAGAIN) {
                request_park(ctl, caller, env);
                return;
        }
        if (known == -EBUSY) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED, USERS_BUSY);
                return;
        }
        if (e == SLUMBER_OK)
                e = known < 0 ? SLUMBER_BAD_USER : reservation_change(ctl, caller, m, &made, &fail);
        controller_changed(ctl);
        if (e == SLUMBER_OK)
                log_info("Reservation %s %s by uid %u", made ? made->name : m->name,
                                made        ? "made"
                                : m->remove ? "deleted"
                                            : "changed",
                                (unsigned)caller->uid);
        if (e != SLUMBER_OK || !made) {
                reply_result(ctl, &caller->from, e, fail.text);
                return;
        }
        reply.name = made->name;
        ENVELOPE(answer, RESERVATION_REPLY, reservation_reply, &reply);
        reply_durable(ctl, &caller->from, &answer);
}
