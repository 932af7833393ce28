/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/orders/viewer.h"

#include "controller/accounts/assoc.h"
#include "controller/indexes/array.h"
#include "controller/indexes/node_sharing.h"
#include "controller/jobs/dependency.h"
#include "controller/reservations/reservation.h"

static bool viewer_hides(const struct viewer *v, unsigned kinds) {
        return v->caller.hidden & kinds;
}

bool viewer_sees_nodes(const struct viewer *v) {
        return !viewer_hides(v, PRIVATE_NODES);
}

bool viewer_sees_partitions(const struct viewer *v) {
        return !viewer_hides(v, PRIVATE_PARTITIONS);
}

bool viewer_sees_events(const struct viewer *v) {
        return !viewer_hides(v, PRIVATE_EVENTS);
}

/* ---- accounts ---- */

static bool is_self(const struct viewer *v, const char *user) {
        return user && streq(user, v->caller.user);
}

static bool viewer_coordinates(const struct viewer *v, const struct assoc *a) {
        return a && !v->caller.coordinates_nothing &&
               assoc_coordinates(&v->c->acct, a, v->caller.user);
}

static bool coordinates_account(const struct viewer *v, const char *account) {
        return viewer_coordinates(v, assoc_find(&v->c->acct, account, NULL, NULL));
}

/* Coordinators, too, see only themselves. */
bool viewer_sees_user(const struct viewer *v, const char *name) {
        return !viewer_hides(v, PRIVATE_USERS) || is_self(v, name);
}

bool viewer_sees_account(const struct viewer *v, const struct account *account) {
        return !viewer_hides(v, PRIVATE_ACCOUNTS) || coordinates_account(v, account->name);
}

bool viewer_sees_assoc(const struct viewer *v, const struct assoc *a, unsigned kinds) {
        return !viewer_hides(v, kinds) || is_self(v, a->user) || viewer_coordinates(v, a);
}

bool viewer_is_plain(const struct viewer *v) {
        const struct acct *a = &v->c->acct;

        if (v->caller.coordinates_nothing)
                return v->caller.hidden;
        for (size_t i = 0; v->caller.hidden && i < a->n_accounts; i++)
                for (size_t k = 0; k < a->accounts[i]->n_coordinators; k++)
                        if (is_self(v, a->accounts[i]->coordinators[k]))
                                return false;
        return v->caller.hidden;
}

bool viewer_sees_user_tally(const struct viewer *v, const char *user) {
        return !viewer_hides(v, PRIVATE_USERS | PRIVATE_USAGE) || is_self(v, user);
}

bool viewer_sees_account_tally(const struct viewer *v, const char *account) {
        return !viewer_hides(v, PRIVATE_ACCOUNTS | PRIVATE_USAGE) ||
               coordinates_account(v, account);
}

/* ---- jobs ---- */

bool viewer_sees_job(const struct viewer *v, const struct job *j) {
        if (!viewer_hides(v, PRIVATE_JOBS) || j->uid == v->caller.uid ||
                        viewer_coordinates(v, j->accounting.assoc))
                return true;
        return v->c->config->mcs.private_data && mcs_admits(v->c, &v->caller, j->asked.mcs_label);
}

const struct job *viewer_job(const struct viewer *v, uint32_t id) {
        const struct array *a = cluster_array(v->c, id);
        const struct job *j = a ? (a->rest ? a->rest : a->tasks[0]) : cluster_job(v->c, id);

        return j && viewer_sees_job(v, j) ? j : NULL;
}

uint32_t viewer_job_id(const struct viewer *v, uint32_t id) {
        return !viewer_hides(v, PRIVATE_JOBS) || viewer_job(v, id) ? id : 0;
}

void viewer_hide_dependencies(const struct viewer *v, struct dependencies *d) {
        for (size_t i = 0; d && i < d->n; i++) {
                struct dependency *one = &d->of[i];
                if (one->kind == DEPENDENCY_SINGLETON)
                        continue;
                if (v->c->pasts.kept)
                        one->hidden = !viewer_job_id(v, one->job);
                else
                        one->job = viewer_job_id(v, one->job);
        }
}

/* ---- reservations ---- */

/* Returns whether jobs of the association may use r, with any QOS of the association. */
static bool admits_assoc(const struct viewer *v, const struct resv *r, const struct assoc *a) {
        const struct acct *acct = &v->c->acct;

        if (!r->qos)
                return resv_admits(r, &v->caller, a->account, NULL);
        for (size_t i = 0; i < acct->n_qos; i++)
                if (assoc_allows_qos(a, acct->qos[i]) &&
                                resv_admits(r, &v->caller, a->account, acct->qos[i]->name))
                        return true;
        return false;
}

bool viewer_sees_reservation(const struct viewer *v, const struct resv *r) {
        const struct acct *acct = &v->c->acct;

        if (!viewer_hides(v, PRIVATE_RESERVATIONS) || resv_admits(r, &v->caller, NULL, NULL))
                return true;
        for (size_t i = 0; (r->accounts || r->qos) && i < acct->n_assocs; i++)
                if (is_self(v, acct->assocs[i]->user) && admits_assoc(v, r, acct->assocs[i]))
                        return true;
        return false;
}

enum slumber_error viewer_check_reservations(const struct viewer *v, const char *list,
                const char *account, const char *qos, struct resv **ret) {
        struct resv *of = NULL;
        enum slumber_error e = resv_check_list(v->c, list, &v->caller, account, qos, &of);

        if (e == SLUMBER_OK)
                *ret = of;
        return e == SLUMBER_RESERVATION_ACCESS && !viewer_sees_reservation(v, of)
                               ? SLUMBER_BAD_RESERVATION
                               : e;
}
