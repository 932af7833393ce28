/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the reservation of a job: the first named reservation where the job can start; or, for a
 * job without --reservation, a MAGNETIC reservation that lasts as long as the job may run (the job
 * did not ask to be ended with a reservation).  asked.reservation is the requested list while the
 * job is pending, and the actual reservation while the job is running. */
#include "controller/model/cluster.h"
#include "controller/model/het.h"
#include "controller/reservations/reservation.h"
#include "lib/wordlist.h"

/* Returns the n-th name; NULL: the list is shorter. */
static const char *name_at(const char *list, size_t n, size_t *ret_length) {
        const char *p = strempty(list);

        for (p += strspn(p, ","); *p && n > 0; n--) {
                p += strcspn(p, ",");
                p += strspn(p, ",");
        }
        *ret_length = strcspn(p, ",");
        return *p ? p : NULL;
}

bool resv_is_list(const struct job *j) {
        return j->asked.reservation && strchr(j->asked.reservation, ',');
}

static bool reservation_list_has(const char *list, const char *name) {
        size_t length, wanted = strlen(name);
        const char *p;

        for (size_t i = 0; (p = name_at(list, i, &length)); i++)
                if (length == wanted && strncmp(p, name, length) == 0)
                        return true;
        return false;
}

bool resv_is_named(const struct job *j, const char *name) {
        if (j->placed.attracted || !j->asked.reservation)
                return false;
        return reservation_list_has(
                        j->placed.resv_asked ? j->placed.resv_asked : j->asked.reservation, name);
}

char *resv_list_without(const char *list, const char *name) {
        char *text = xstrdup("");
        size_t length;
        const char *p;

        for (size_t i = 0; (p = name_at(list, i, &length)); i++) {
                if (strlen(name) == length && strncmp(p, name, length) == 0)
                        continue;
                text_add_word(&text, ",", "%.*s", (int)length, p);
        }
        return text;
}

static struct resv *resv_find_name(const struct cluster *c, const char *name, size_t length) {
        for (size_t i = 0; i < c->resvs.n; i++)
                if (strlen(c->resvs.list[i]->name) == length &&
                                strncmp(c->resvs.list[i]->name, name, length) == 0)
                        return c->resvs.list[i];
        return NULL;
}

static size_t resv_list_named(const struct cluster *c, const char *list,
                struct resv *ret[RESV_CHOICES_MAX]) {
        size_t n = 0, length;
        const char *p;

        for (size_t i = 0; n < RESV_CHOICES_MAX && (p = name_at(list, i, &length)); i++) {
                struct resv *r = resv_find_name(c, p, length);
                if (r)
                        ret[n++] = r;
        }
        return n;
}

enum slumber_error resv_check_list(const struct cluster *c, const char *list,
                const struct submitter *submitter, const char *account, const char *qos,
                struct resv **ret) {
        struct resv *of[RESV_CHOICES_MAX];
        size_t n = resv_list_named(c, list, of), length;

        if (n == 0 || n == RESV_CHOICES_MAX || name_at(list, n, &length))
                /* some do not exist, or the list is too long */
                return SLUMBER_BAD_RESERVATION;
        for (size_t i = 0; i < n; i++)
                if (!resv_admits(of[i], submitter, account, qos)) {
                        *ret = of[i];
                        return SLUMBER_RESERVATION_ACCESS;
                }
        *ret = of[0];
        return SLUMBER_OK;
}

struct resv *resv_of_job(const struct cluster *c, const struct job *j) {
        struct resv *of[RESV_CHOICES_MAX];

        return resv_list_named(c, j->asked.reservation, of) ? of[0] : NULL;
}

/* ahead: in any turn of r.  A heterogeneous job is not attracted, because all components would have
   to be. */
static bool resv_attracts(const struct resv *r, const struct job *j, bool ahead, usec_t now) {
        usec_t from = ahead ? r->start : now;

        if (!(r->flags & RESV_MAGNETIC) || r->flags & RESV_FLOAT || job_is_het(j))
                return false;
        if (!(r->flags & RESV_FLEX) && ((!r->active && !ahead) || j->needs.time_limit == NO_LIMIT ||
                                                       from + j->needs.time_limit > r->end))
                return false;
        return resv_admits_job(r, j);
}

/* Lists the named reservations that still admit j. */
static size_t choices_named(const struct cluster *c, const struct job *j,
                struct resv *ret[RESV_CHOICES_MAX]) {
        size_t n = resv_list_named(c, j->asked.reservation, ret), kept = 0;

        if (n == 0)
                ret[n++] = j->placed.resv;
        for (size_t i = 0; i < n; i++)
                if (!ret[i] || resv_still_admits(ret[i], j))
                        ret[kept++] = ret[i];
        return kept;
}

bool resv_excludes_job(const struct cluster *c, const struct job *j) {
        struct resv *of[RESV_CHOICES_MAX];

        return j->asked.reservation && choices_named(c, j, of) == 0;
}

size_t resv_choices(const struct cluster *c, const struct job *j, bool ahead, usec_t now,
                struct resv *ret[RESV_CHOICES_MAX]) {
        size_t n = 0;

        if (j->asked.reservation)
                return choices_named(c, j, ret);
        for (size_t i = 0; i < c->resvs.n && n < RESV_CHOICES_MAX - 1; i++)
                if (resv_attracts(c->resvs.list[i], j, ahead, now))
                        ret[n++] = c->resvs.list[i];
        ret[n++] = NULL;
        return n;
}

void resv_job_starts(struct job *j) {
        if (!j->placed.resv)
                return;
        j->placed.attracted = !j->asked.reservation;
        if (resv_is_list(j))
                free_and_strdup(&j->placed.resv_asked, j->asked.reservation);
        free_and_strdup(&j->asked.reservation, j->placed.resv->name);
}

void resv_job_returns(const struct cluster *c, struct job *j) {
        if (j->placed.attracted)
                free_and_strdup(&j->asked.reservation, NULL);
        else if (j->placed.resv_asked)
                free_and_strdup(&j->asked.reservation, j->placed.resv_asked);
        j->placed.attracted = false;
        free_and_strdup(&j->placed.resv_asked, NULL);
        j->placed.resv = resv_of_job(c, j);
        if (!j->placed.resv) /* the reservation was over before the job was requeued */
                free_and_strdup(&j->asked.reservation, NULL);
}
