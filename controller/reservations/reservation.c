/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of reservations, and the jobs that reservations keep off nodes.
 *
 * The time of a reservation is [start, end).  Jobs in a reservation run on the reservation's nodes
 * alone, from the start, and are ended at the end; with FLEX they may use any nodes at any time.
 * All further jobs must leave the nodes by the start and may not return before the end.  If two
 * reservations overlap, jobs of a MAINT reservation may use the nodes of any reservation, jobs of
 * an OVERLAP reservation the nodes of any reservation without MAINT.  A reservation with TIME_FLOAT
 * never begins: the start moves with the time, and a job may use the nodes only if the job ends
 * before the start that holds at the beginning of the job.
 *
 * reservation_nodes.c decides which nodes a reservation has, reservation_choice.c which reservation
 * a job uses; controller/updates/reservation_edit.c reads requests about reservations;
 * reservation_life.c begins and ends reservations. */
#include "controller/reservations/reservation.h"

#include "controller/model/cluster.h"
#include "lib/calendar.h"

/* Limits the search for a turn; no plan needs more steps. */
#define TURNS_MAX 10000
#define HOUR      (3600 * USEC_PER_SEC)

struct resv *resv_find(const struct cluster *c, const char *name) {
        for (size_t i = 0; i < c->resvs.n; i++)
                if (streq(c->resvs.list[i]->name, name))
                        return c->resvs.list[i];
        return NULL;
}

struct resv *resv_free(struct resv *r) {
        if (!r)
                return NULL;
        free(r->name);
        free(r->users);
        free(r->accounts);
        free(r->groups);
        free(r->qos);
        free(r->partition);
        free(r->features);
        bitset_free(r->nodes);
        resv_cores_free(r);
        countlist_free(r->licenses);
        free(r->licenses_used);
        free(r);
        return NULL;
}

void resv_add(struct cluster *c, struct resv *r) {
        GROW(c->resvs.list, c->resvs.allocated, c->resvs.n);
        c->resvs.list[c->resvs.n++] = r;
        note(c, FACT_RESERVATION_RECORD);
}

void resvs_done(struct cluster *c) {
        for (size_t i = 0; i < c->resvs.n; i++)
                resv_free(c->resvs.list[i]);
        free(c->resvs.list);
        c->resvs = (struct resvs){ 0 };
}

bool resv_has_jobs(const struct cluster *c, const struct resv *r) {
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->placed.resv == r)
                        return true;
        return false;
}

bool resv_is_used(const struct cluster *c, const struct resv *r) {
        for (size_t i = 0; i < c->n_queue; i++)
                if (c->queue[i]->job->placed.resv == r || resv_is_named(c->queue[i]->job, r->name))
                        return true;
        return resv_has_jobs(c, r);
}

/* ---- users ---- */

static bool word_is_name(const char *word, size_t n, const char *name) {
        return name && strlen(name) == n && strncmp(word, name, n) == 0;
}

/* Returns 1 if the list includes name, 0 if the list excludes name, -1 if neither. */
static int names_say(const char *list, const char *name) {
        bool exclude = false;

        for (const char *p = list; *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                exclude |= *p == '-';
                if (word_is_name(p + (*p == '-'), n - (*p == '-'), name))
                        return *p != '-';
                p += n;
        }
        return exclude ? 1 : -1; /* "-a" means all but a */
}

static bool takes_groups(const struct resv *r, const struct submitter *submitter) {
        bool some = false, out = false;
        const char *group = submitter->group;

        for (size_t i = 0; i <= submitter->n_groups; i++) {
                int said = group ? names_say(r->groups, group) : -1;
                some |= said == 1;
                out |= said == 0;
                group = i < submitter->n_groups ? submitter->groups[i] : NULL;
        }
        return some && !out;
}

static bool resv_takes_user(const struct resv *r, uid_t uid, const char *user) {
        char number[16];

        snprintf(number, sizeof number, "%u", (unsigned)uid);
        int by_name = names_say(r->users, user), by_uid = names_say(r->users, number);
        return by_name != 0 && by_uid != 0 && (by_name > 0 || by_uid > 0);
}

static bool takes_names(const struct resv *r, uid_t uid, const char *user, const char *account,
                const char *qos) {
        return (!r->users || resv_takes_user(r, uid, user)) &&
               (!r->accounts || names_say(r->accounts, account) == 1) &&
               (!r->qos || names_say(r->qos, qos) == 1);
}

bool resv_admits(const struct resv *r, const struct submitter *submitter, const char *account,
                const char *qos) {
        return takes_names(r, submitter->uid, submitter->user, account, qos) &&
               (!r->groups || takes_groups(r, submitter));
}

bool resv_still_admits(const struct resv *r, const struct job *j) {
        return takes_names(r, j->uid, j->user, j->asked.account, j->asked.qos);
}

bool resv_admits_job(const struct resv *r, const struct job *j) {
        const struct submitter owner = {
                .uid = j->uid,
                .gid = j->gid,
                .user = j->user,
                .group = j->group,
        };

        return resv_admits(r, &owner, j->asked.account, j->asked.qos);
}

/* ---- turns ---- */

static usec_t next_start(const struct resv *r, const struct resv_turn *t, usec_t *late) {
        unsigned wanted = r->flags & RESV_WEEKDAY   ? TIME_WEEKDAYS
                          : r->flags & RESV_WEEKEND ? TIME_WEEKEND
                                                    : TIME_ALL_DAYS;

        *late = t->late;
        if (r->flags & RESV_HOURLY)
                return t->start + HOUR;
        return time_later_day(t->start, r->flags & RESV_WEEKLY ? 7 : 1, wanted, late);
}

/* Advances to the next turn; false: none. */
static bool next_turn(const struct resv *r, struct resv_turn *s) {
        usec_t length = s->end - s->start, late;

        if (!(r->flags & RESV_REPEATS) || s->start > USEC_INFINITY / 4)
                return false;
        usec_t start = next_start(r, s, &late);
        if (start <= s->start)
                return false;
        *s = (struct resv_turn){ start, start + length, late };
        return true;
}

bool resv_turn_at(const struct resv *r, usec_t t, struct resv_turn *ret) {
        *ret = (struct resv_turn){ r->start, r->end, r->late };
        if (r->flags & RESV_FLOAT) {
                *ret = (struct resv_turn){ .start = t + r->ahead,
                        .end = t + r->ahead + (r->end - r->start) };
                return true;
        }
        if (r->flags & RESV_HOURLY && ret->end <= t) { /* thousands per year */
                usec_t skip = (t - ret->end) / HOUR * HOUR;
                ret->start += skip;
                ret->end += skip;
        }
        for (int i = 0; i < TURNS_MAX && ret->end <= t; i++)
                if (!next_turn(r, ret))
                        return false;
        return ret->end > t;
}

bool resv_overlap(const struct resv *a, const struct resv *b) {
        usec_t until = MIN(a->start, b->start) + 366ull * 24 * 3600 * USEC_PER_SEC;
        struct resv_turn x = { a->start, a->flags & RESV_FLOAT ? USEC_INFINITY : a->end, a->late };
        struct resv_turn y = { b->start, b->flags & RESV_FLOAT ? USEC_INFINITY : b->end, b->late };

        for (int i = 0; i < TURNS_MAX && (x.start < until || y.start < until); i++) {
                if (x.start < y.end && y.start < x.end)
                        return true;
                if (x.end <= y.start ? !next_turn(a, &x) : !next_turn(b, &y))
                        return false;
        }
        return false;
}

/* ---- jobs kept off ---- */

/* Returns whether jobs in reservation `mine` (NULL: in none) may ignore reservation `of`. */
static bool resv_ignores(const struct resv *mine, const struct resv *of) {
        return mine && (mine == of || mine->flags & RESV_MAINT ||
                                       (mine->flags & RESV_OVERLAP && !(of->flags & RESV_MAINT)));
}

bool resv_binds(const struct job *j) {
        return j->placed.resv && !(j->placed.resv->flags & RESV_FLEX);
}

bool resv_lasts_in(const struct resv *r, usec_t from, usec_t until) {
        struct resv_turn turn;

        return resv_turn_at(r, from, &turn) && turn.start < until;
}

bool resv_next_turn(const struct resv *r, struct resv_turn *turn) {
        if (turn->start)
                return next_turn(r, turn);
        *turn = (struct resv_turn){ r->start, r->end, r->late };
        return true;
}

usec_t resv_until_in(const struct resv *r, usec_t start, usec_t until) {
        struct resv_turn turn;

        if (!resv_turn_at(r, start, &turn) || turn.start > start)
                return until;
        return MIN(until, turn.end);
}

usec_t resv_until(const struct job *j, usec_t start, usec_t until) {
        return resv_binds(j) ? resv_until_in(j->placed.resv, start, until) : until;
}

bool resv_is_awaited(const struct cluster *c, const struct job *j, usec_t now) {
        struct resv *of[RESV_CHOICES_MAX];

        if (!resv_binds(j))
                return false;
        size_t n = resv_is_list(j) ? resv_choices(c, j, false, now, of)
                                   : (of[0] = j->placed.resv, 1);
        for (size_t i = 0; i < n; i++)
                if (of[i]->flags & RESV_FLEX ||
                                (now >= of[i]->start && !(of[i]->flags & RESV_FLOAT)))
                        return false;
        return true;
}

/* MaxStartDelay: returns whether j would be admitted to r and uses r's nodes so briefly that the
   jobs of r can wait. */
static bool is_tolerated(const struct resv *r, const struct job *j, usec_t from, usec_t until,
                const struct resv_turn *turn) {
        if (!r->max_start_delay || j->placed.resv ||
                        MIN(until, turn->end) - MAX(from, turn->start) > r->max_start_delay)
                return false;
        return resv_admits_job(r, j);
}

/* Returns whether r lends nodes to j: j has --signal=R: and MaxStartDelay of r is at least the time
   of the signal; r's Users do not matter.  A job of r that needs the nodes preempts j with the time
   of the signal as GraceTime. */
static bool resv_lends(const struct resv *r, const struct job *j) {
        return j->asked.borrows && r->max_start_delay && !j->placed.resv &&
               j->asked.warn_time <= r->max_start_delay;
}

static bool holds_of(const struct job *v, const struct resv *r) {
        return resv_lends(r, v) && v->placed.nodes && bitset_overlaps(v->placed.nodes, r->nodes);
}

bool resv_has_lent(const struct cluster *c, const struct job *v) {
        for (size_t i = 0; i < c->resvs.n && v->asked.borrows; i++)
                if (holds_of(v, c->resvs.list[i]))
                        return true;
        return false;
}

bool resv_wants_back(const struct job *j, const struct job *v) {
        return j->placed.resv && holds_of(v, j->placed.resv);
}

bool resv_keeps_off(const struct resv *r, const struct job *j, usec_t from, usec_t until) {
        struct resv_turn turn;

        return !resv_ignores(j->placed.resv, r) && resv_turn_at(r, from, &turn) &&
               turn.start < until && !resv_lends(r, j) && !is_tolerated(r, j, from, until, &turn);
}

void resv_filter(const struct cluster *c, const struct job *j, usec_t from, usec_t until,
                struct bitset *usable) {
        resv_filter_in(c, j, j->placed.resv ? j->placed.resv->nodes : NULL, from, until, usable);
}

/* Returns whether a MAGNETIC reservation attracted j, which is not ended with the reservation. */
static bool is_attracted(const struct job *j) {
        return j->placed.resv && !j->asked.reservation;
}

void resv_filter_in(const struct cluster *c, const struct job *j, const struct bitset *own,
                usec_t from, usec_t until, struct bitset *usable) {
        struct resv_turn turn;

        if (resv_binds(j)) {
                if (!resv_turn_at(j->placed.resv, from, &turn) || turn.start > from ||
                                (is_attracted(j) && until > turn.end)) {
                        bitset_clear(usable);
                        return;
                }
                if (!(j->placed.resv->flags & RESV_ANY_NODES))
                        bitset_and(usable, own);
                until = MIN(until, turn.end);
        }
        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *r = c->resvs.list[i];
                if (!r->n_cores && resv_keeps_off(r, j, from, until))
                        bitset_minus(usable, r->nodes);
        }
}

static void note_time(usec_t *best, usec_t t, usec_t after) {
        if (t > after && t < *best)
                *best = t;
}

/* Returns from when on r, with TIME_FLOAT, does not keep off j, which ends with j's own
   reservation; 0: r always or never keeps j off. */
static usec_t float_gives_way(const struct resv *r, const struct job *j, usec_t after) {
        struct resv_turn own;

        if (!resv_binds(j) || !resv_turn_at(j->placed.resv, after, &own) || own.end <= r->ahead)
                return 0;
        return own.end - r->ahead;
}

usec_t resv_next_change(const struct cluster *c, const struct job *j, usec_t after,
                usec_t duration) {
        usec_t best = USEC_INFINITY;

        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *r = c->resvs.list[i];
                bool own = resv_binds(j) && r == j->placed.resv;
                struct resv_turn turn;
                if (!own && resv_ignores(j->placed.resv, r))
                        continue;
                if (r->flags & RESV_FLOAT)
                        note_time(&best, float_gives_way(r, j, after), after);
                if (r->flags & RESV_FLOAT || !resv_turn_at(r, after, &turn))
                        continue;
                /* this turn and the next, which a long job may reach */
                for (int k = 0; k < 2; k++) {
                        /* a job of the duration started later would extend beyond point */
                        usec_t point = own ? turn.end : turn.start;
                        if (own)
                                note_time(&best, turn.start, after);
                        if (!own || is_attracted(j))
                                note_time(&best, point > duration ? point - duration + 1 : 0,
                                                after);
                        if (!own && r->max_start_delay) {
                                note_time(&best,
                                                turn.start + r->max_start_delay > duration
                                                                ? turn.start + r->max_start_delay -
                                                                                  duration + 1
                                                                : 0,
                                                after);
                                note_time(&best,
                                                turn.end > r->max_start_delay
                                                                ? turn.end - r->max_start_delay
                                                                : 0,
                                                after);
                        }
                        note_time(&best, turn.end, after);
                        if (!next_turn(r, &turn))
                                break;
                }
        }
        return best;
}

bool resv_keeps_awake(const struct cluster *c, const struct node *n) {
        return n->resv && c->config->bf.warm_up && !(n->resv->flags & RESV_MAINT);
}

void resv_rebind(struct cluster *c, struct resv *r, const char *names) {
        _cleanup_(hostlist_freep) struct hostlist *list = NULL;

        bitset_free(r->nodes);
        r->nodes = bitset_new(c->n_nodes);
        resv_cores_rebind(c, r);
        if (hostlist_parse(names, &list, NULL) < 0)
                return;
        for (size_t i = 0; i < hostlist_count(list); i++) {
                const struct node *n = cluster_node(c, hostlist_get(list, i));
                if (n)
                        bitset_add(r->nodes, n->index);
        }
}
