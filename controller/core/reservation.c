/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reservations do: begin, end, come again; and whom they keep off which nodes.
 *
 * A reservation's time is [start, end).  Jobs that ask for it run on its nodes alone, from its start on, and are ended at
 * its end; with FLEX they may have any nodes at any time.  All others must be off its nodes by its start and do not
 * come back before its end.  Of two that overlap, the jobs of a MAINT one may go into any other, those of an OVERLAP one into any
 * that is not MAINT.  One with TIME_FLOAT never begins: it keeps off its nodes whoever would need them for longer than up to
 * its start, whenever that job begins.
 *
 * Which nodes it has is decided in reservation_nodes.c, which reservation a job goes into in reservation_choice.c; what is
 * wished of one is read in controller/requests/reservation_edit.c. */
#include "controller/core/reservation.h"

#include "controller/core/changed.h"
#include "controller/core/cluster.h"
#include "controller/core/job_events.h"
#include "controller/core/node_events.h"
#include "lib/calendar.h"

/* A turn must be found soon; nobody plans further ahead by such steps. */
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
        c->resvs.dirty = true;
}

void resvs_done(struct cluster *c) {
        for (size_t i = 0; i < c->resvs.n; i++)
                resv_free(c->resvs.list[i]);
        free(c->resvs.list);
        c->resvs = (struct resvs){ 0 };
}

bool resv_is_used(const struct cluster *c, const struct resv *r) {
        for (size_t i = 0; i < c->n_queue; i++)
                if (c->queue[i]->job->resv == r || resv_is_named(c->queue[i]->job, r->name))
                        return true;
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->resv == r)
                        return true;
        return false;
}

/* ---- for whom ---- */

static bool is_name(const char *word, size_t n, const char *name) {
        return name && strlen(name) == n && strncmp(word, name, n) == 0;
}

/* -1: the list has nothing to say about name, 0: it is left out, 1: it is there. */
static int names_say(const char *list, const char *name) {
        bool exclude = false;

        for (const char *p = list; *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                exclude |= *p == '-';
                if (is_name(p + (*p == '-'), n - (*p == '-'), name))
                        return *p != '-';
                p += n;
        }
        return exclude ? 1 : -1; /* all but some */
}

static bool takes_groups(const struct resv *r, const struct submitter *who) {
        bool some = false, out = false;
        const char *group = who->group;

        for (size_t i = 0; i <= who->n_groups; i++) {
                int said = group ? names_say(r->groups, group) : -1;
                some |= said == 1;
                out |= said == 0;
                group = i < who->n_groups ? who->groups[i] : NULL;
        }
        return some && !out;
}

static bool takes_user(const struct resv *r, uid_t uid, const char *user) {
        char number[16];

        snprintf(number, sizeof number, "%u", (unsigned)uid);
        int by_name = names_say(r->users, user), by_uid = names_say(r->users, number);
        return by_name != 0 && by_uid != 0 && (by_name > 0 || by_uid > 0);
}

static bool takes_names(const struct resv *r, uid_t uid, const char *user, const char *account, const char *qos) {
        return (!r->users || takes_user(r, uid, user)) && (!r->accounts || names_say(r->accounts, account) == 1) &&
               (!r->qos || names_say(r->qos, qos) == 1);
}

bool resv_admits(const struct resv *r, const struct submitter *who, const char *account, const char *qos) {
        return takes_names(r, who->uid, who->user, account, qos) && (!r->groups || takes_groups(r, who));
}

bool resv_still_admits(const struct resv *r, const struct job *j) {
        return takes_names(r, j->uid, j->user, j->spec.account, j->spec.qos);
}

bool resv_admits_job(const struct resv *r, const struct job *j) {
        const struct submitter owner = { .uid = j->uid, .gid = j->gid, .user = j->user, .group = j->group };

        return resv_admits(r, &owner, j->spec.account, j->spec.qos);
}

/* ---- turns ---- */

static usec_t next_start(const struct resv *r, usec_t start) {
        unsigned wanted = r->flags & RESV_WEEKDAY ? TIME_WEEKDAYS : r->flags & RESV_WEEKEND ? TIME_WEEKEND : TIME_ALL_DAYS;

        if (r->flags & RESV_HOURLY)
                return start + HOUR;
        return time_later_day(start, r->flags & RESV_WEEKLY ? 7 : 1, wanted);
}

struct span {
        usec_t start, end;
};

/* The next turn behind s; false: there is none. */
static bool next_turn(const struct resv *r, struct span *s) {
        usec_t length = s->end - s->start;

        if (!(r->flags & RESV_REPEATS) || s->start > USEC_INFINITY / 4)
                return false;
        usec_t start = next_start(r, s->start);
        if (start <= s->start)
                return false;
        *s = (struct span){ start, start + length };
        return true;
}

/* The first turn that ends after t; false: there is none. */
static bool turn_at(const struct resv *r, usec_t t, struct span *ret) {
        *ret = (struct span){ r->start, r->end };
        if (r->flags & RESV_FLOAT) {
                *ret = (struct span){ t + r->ahead, t + r->ahead + (r->end - r->start) };
                return true;
        }
        if (r->flags & RESV_HOURLY && ret->end <= t) { /* thousands a year */
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
        struct span x = { a->start, a->flags & RESV_FLOAT ? USEC_INFINITY : a->end };
        struct span y = { b->start, b->flags & RESV_FLOAT ? USEC_INFINITY : b->end };

        for (int i = 0; i < TURNS_MAX && (x.start < until || y.start < until); i++) {
                if (x.start < y.end && y.start < x.end)
                        return true;
                if (x.end <= y.start ? !next_turn(a, &x) : !next_turn(b, &y))
                        return false;
        }
        return false;
}

/* ---- whom it keeps away ---- */

/* Jobs of mine (NULL: of none) do not heed of. */
static bool is_above(const struct resv *mine, const struct resv *of) {
        return mine && (mine == of || mine->flags & RESV_MAINT || (mine->flags & RESV_OVERLAP && !(of->flags & RESV_MAINT)));
}

bool resv_binds(const struct job *j) {
        return j->resv && !(j->resv->flags & RESV_FLEX);
}

bool resv_lasts_in(const struct resv *r, usec_t from, usec_t until) {
        struct span turn;

        return turn_at(r, from, &turn) && turn.start < until;
}

bool resv_next_turn(const struct resv *r, usec_t *start, usec_t *end) {
        struct span turn = { *start, *end };

        if (*start == 0)
                turn = (struct span){ r->start, r->end };
        else if (!next_turn(r, &turn))
                return false;
        *start = turn.start;
        *end = turn.end;
        return true;
}

usec_t resv_until_in(const struct resv *r, usec_t start, usec_t until) {
        struct span turn;

        if (!turn_at(r, start, &turn) || turn.start > start)
                return until;
        return MIN(until, turn.end);
}

usec_t resv_until(const struct job *j, usec_t start, usec_t until) {
        return resv_binds(j) ? resv_until_in(j->resv, start, until) : until;
}

bool resv_is_awaited(const struct cluster *c, const struct job *j, usec_t now) {
        struct resv *of[RESV_CHOICES_MAX];

        if (!resv_binds(j))
                return false;
        size_t n = resv_is_list(j) ? resv_choices(c, j, false, now, of) : (of[0] = j->resv, 1);
        for (size_t i = 0; i < n; i++)
                if (of[i]->flags & RESV_FLEX || (now >= of[i]->start && !(of[i]->flags & RESV_FLOAT)))
                        return false;
        return true;
}

/* MaxStartDelay: it could be in r, and is on its nodes for so short a time that those who are in r can wait for that. */
static bool is_tolerated(const struct resv *r, const struct job *j, usec_t from, usec_t until, const struct span *turn) {
        if (!r->max_start_delay || j->resv || MIN(until, turn->end) - MAX(from, turn->start) > r->max_start_delay)
                return false;
        return resv_admits_job(r, j);
}

bool resv_keeps_off(const struct resv *r, const struct job *j, usec_t from, usec_t until) {
        struct span turn;

        return !is_above(j->resv, r) && turn_at(r, from, &turn) && turn.start < until && !is_tolerated(r, j, from, until, &turn);
}

void resv_filter(const struct cluster *c, const struct job *j, usec_t from, usec_t until, struct bitset *usable) {
        resv_filter_in(c, j, j->resv ? j->resv->nodes : NULL, from, until, usable);
}

/* It named none, and nobody ends it at the end of one. */
static bool is_attracted(const struct job *j) {
        return j->resv && !j->spec.reservation;
}

void resv_filter_in(const struct cluster *c, const struct job *j, const struct bitset *own, usec_t from, usec_t until,
                struct bitset *usable) {
        struct span turn;

        if (resv_binds(j)) {
                if (!turn_at(j->resv, from, &turn) || turn.start > from || (is_attracted(j) && until > turn.end)) {
                        bitset_clear(usable);
                        return;
                }
                if (!(j->resv->flags & RESV_ANY_NODES))
                        bitset_and(usable, own);
                until = MIN(until, turn.end);
        }
        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *r = c->resvs.list[i];
                if (!r->n_cores && resv_keeps_off(r, j, from, until))
                        bitset_minus(usable, r->nodes);
        }
}

static void note(usec_t *best, usec_t t, usec_t after) {
        if (t > after && t < *best)
                *best = t;
}

/* From when on one with TIME_FLOAT is not in the way of j, which ends with its own reservation; 0: it is for ever, or never. */
static usec_t float_gives_way(const struct resv *r, const struct job *j, usec_t after) {
        struct span own;

        if (!resv_binds(j) || !turn_at(j->resv, after, &own) || own.end <= r->ahead)
                return 0;
        return own.end - r->ahead;
}

usec_t resv_next_change(const struct cluster *c, const struct job *j, usec_t after, usec_t duration) {
        usec_t best = USEC_INFINITY;

        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct resv *r = c->resvs.list[i];
                bool own = resv_binds(j) && r == j->resv;
                struct span turn;
                if (!own && is_above(j->resv, r))
                        continue;
                if (r->flags & RESV_FLOAT)
                        note(&best, float_gives_way(r, j, after), after);
                if (r->flags & RESV_FLOAT || !turn_at(r, after, &turn))
                        continue;
                for (int k = 0; k < 2; k++) { /* this turn, and what a long job meets of the next one */
                        usec_t point = own ? turn.end : turn.start; /* from then on so long a job would go beyond it */
                        if (own)
                                note(&best, turn.start, after);
                        if (!own || is_attracted(j))
                                note(&best, point > duration ? point - duration + 1 : 0, after);
                        if (!own && r->max_start_delay) {
                                note(&best, turn.start + r->max_start_delay > duration ? turn.start + r->max_start_delay - duration + 1 : 0, after);
                                note(&best, turn.end > r->max_start_delay ? turn.end - r->max_start_delay : 0, after);
                        }
                        note(&best, turn.end, after);
                        if (!next_turn(r, &turn))
                                break;
                }
        }
        return best;
}

/* ---- beginnings and ends ---- */

bool resv_keeps_awake(const struct cluster *c, const struct node *n) {
        return n->resv && c->config->bf.warm_up && !(n->resv->flags & RESV_MAINT);
}

static void mark(struct cluster *c, struct node *n, const struct resv *of, usec_t now) {
        if (n->resv == of)
                return;
        n->resv = of;
        if (!of && n->n_jobs == 0 && n->last_busy)
                n->last_busy = MAX(n->last_busy, now); /* it stayed as it was; now it idles */
        cluster_node_changed(c, n, now);
}

/* Nodes say whose they are, where it has them whole; of several the first, but MAINT before others. */
static void mark_nodes(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct resv *of = NULL;
                for (size_t k = 0; k < c->resvs.n; k++) {
                        const struct resv *r = c->resvs.list[k];
                        if (r->active && !r->n_cores && bitset_has(r->nodes, i) && (!of || (r->flags & RESV_MAINT && !(of->flags & RESV_MAINT))))
                                of = r;
                }
                mark(c, c->nodes[i], of, now);
        }
}

/* A job that waits for r: it has others, or is held as Slurm does with jobs whose reservation is over. */
static void release_waiting(struct cluster *c, struct job *j, const struct resv *r, bool hold, usec_t now) {
        _cleanup_free_ char *rest = resv_list_without(j->spec.reservation, r->name);

        free_and_strdup(&j->spec.reservation, *rest ? rest : NULL);
        j->resv = resv_of_job(c, j);
        if (!j->resv && hold) {
                (void)job_hold(c, j, false, now);
                job_set_reason(c, j, REASON_RESV_DELETED, NULL);
        }
        cluster_job_changed(c, j);
}

/* Everybody who refers to it does not any more; only_waiting: who runs does, for a while. */
static void release_jobs(struct cluster *c, struct resv *r, bool hold, bool only_waiting, usec_t now) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (!j || (j->resv != r && !resv_is_named(j, r->name)))
                        continue;
                if (j->state == JOB_PENDING && !j->completing)
                        release_waiting(c, j, r, hold, now);
                else if (j->resv == r && !only_waiting) {
                        j->resv = NULL;
                        cluster_job_changed(c, j);
                }
        }
}

/* Of the turn that is over. */
static void end_jobs(struct cluster *c, const struct resv *r, usec_t now) {
        for (size_t i = c->n_active; i-- > 0;) {
                struct job *j = i < c->n_active ? c->active[i] : NULL;
                if (!j || j->resv != r || j->completing || job_is_finished(j) || (r->over && j->start_time >= r->over))
                        continue;
                cluster_log(c, j->id, NULL, "JobId=%u: its reservation %s is over", j->id, r->name);
                job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, "TIME LIMIT", now);
        }
}

static void drop(struct cluster *c, size_t at, bool hold, usec_t now) {
        struct resv *r = c->resvs.list[at];

        memmove(&c->resvs.list[at], &c->resvs.list[at + 1], (c->resvs.n - at - 1) * sizeof c->resvs.list[0]);
        c->resvs.n--;
        for (size_t i = 0; i < c->n_nodes; i++)
                if (c->nodes[i]->resv == r)
                        mark(c, c->nodes[i], NULL, now);
        release_jobs(c, r, hold, false, now);
        resv_free(r);
        c->resvs.dirty = true;
        licenses_recount(c);
}

static bool has_running(const struct cluster *c, const struct resv *r) {
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->resv == r && !c->active[i]->completing && c->active[i]->start_time < r->over)
                        return true;
        return false;
}

static usec_t longest_overrun(const struct cluster *c) {
        uint32_t minutes = c->config->resv_over_run;

        return minutes == UINT32_MAX ? NO_LIMIT : minutes * 60 * USEC_PER_SEC;
}

/* ResvOverRun: who runs when its turn ends may go on for a while. */
static void overrun(struct cluster *c, struct resv *r, usec_t now) {
        usec_t most = longest_overrun(c);

        if (has_running(c, r) && (most == NO_LIMIT || now < r->over + most))
                return;
        end_jobs(c, r, now);
        r->over = 0;
        c->resvs.dirty = true;
}

static void end_turn(struct cluster *c, struct resv *r, bool last, usec_t now) {
        r->active = false;
        r->idle_since = 0;
        c->resvs.dirty = true;
        if (r->flags & RESV_FLEX)
                return;
        if (c->config->resv_over_run == 0) {
                end_jobs(c, r, now);
                return;
        }
        r->over = r->end;
        overrun(c, r, now);
        if (last && r->over)
                release_jobs(c, r, !(r->flags & RESV_NO_HOLD), true, now);
}

/* true: it is over for good. */
static bool move_on(struct cluster *c, struct resv *r, usec_t now) {
        bool overran = r->over != 0;
        struct span turn;

        if (r->flags & RESV_FLOAT)
                return false;
        if (overran)
                overrun(c, r, now);
        if (r->end > now)
                return false;
        bool more = turn_at(r, now, &turn);
        if (more || !overran)
                end_turn(c, r, !more, now);
        if (more) {
                r->start = turn.start;
                r->end = turn.end;
        } else if (!r->over)
                cluster_log(c, 0, NULL, "Reservation %s is over", r->name);
        return !more && !r->over;
}

/* PURGE_COMP: nobody has used it for so long. */
static bool is_purged(struct cluster *c, struct resv *r, usec_t now) {
        if (!(r->flags & RESV_PURGE) || !r->active)
                return false;
        if (resv_is_used(c, r)) {
                r->idle_since = 0;
                return false;
        }
        if (!r->idle_since) {
                r->idle_since = now;
                c->resvs.dirty = true;
        }
        if (now < r->idle_since + r->purge)
                return false;
        cluster_log(c, 0, NULL, "Reservation %s is not used and goes (PURGE_COMP)", r->name);
        return true;
}

static usec_t next_due(const struct cluster *c, const struct resv *r, usec_t now) {
        usec_t at = r->flags & RESV_FLOAT || r->end <= now ? USEC_INFINITY : r->active ? r->end : r->start;

        if (r->over && longest_overrun(c) != NO_LIMIT)
                at = MIN(at, r->over + longest_overrun(c));
        return r->active && r->flags & RESV_PURGE && r->idle_since ? MIN(at, r->idle_since + r->purge) : at;
}

static void arm(struct cluster *c, usec_t now) {
        usec_t at = USEC_INFINITY;

        for (size_t i = 0; i < c->resvs.n; i++)
                at = MIN(at, MAX(next_due(c, c->resvs.list[i], now), now + 1));
        if (at == USEC_INFINITY || (c->resvs.armed > now && c->resvs.armed <= at))
                return;
        c->resvs.armed = at;
        cluster_arm(c, at, DEADLINE_RESV, 0);
}

void resv_review(struct cluster *c, usec_t now) {
        bool changed = c->resvs.moved;

        c->resvs.moved = false;
        c->resvs.want = c->resvs.replaces = c->resvs.personal = c->resvs.licenses = c->resvs.cores = c->resvs.magnetic = false;
        for (size_t i = 0; i < c->resvs.n;) {
                struct resv *r = c->resvs.list[i];
                usec_t start = r->start;
                if (move_on(c, r, now) || is_purged(c, r, now)) {
                        drop(c, i, !(r->flags & RESV_NO_HOLD), now);
                        changed = true;
                        continue;
                }
                bool active = now >= r->start && now < r->end && !(r->flags & RESV_FLOAT);
                if (active && !r->active)
                        cluster_log(c, 0, NULL, "Reservation %s begins", r->name);
                changed |= active != r->active || start != r->start;
                r->active = active;
                if (resv_replace(c, r, now))
                        changed = c->resvs.dirty = true;
                c->resvs.replaces |= r->node_count > 0 || r->flags & (RESV_PART_NODES | RESV_ALL_NODES);
                c->resvs.personal |= r->max_start_delay > 0;
                c->resvs.licenses |= r->licenses != NULL;
                c->resvs.cores |= r->n_cores > 0;
                c->resvs.magnetic |= r->flags & RESV_MAGNETIC;
                (void)is_purged(c, r, now); /* it begins to idle */
                i++;
        }
        arm(c, now);
        if (!changed)
                return;
        licenses_recount(c);
        mark_nodes(c, now);
        cluster_replan(c);
        c->want_sched = c->want_reasons = true;
}

void resv_changed(struct cluster *c, usec_t now) {
        c->resvs.dirty = true;
        resv_review(c, now);
        licenses_recount(c);
        mark_nodes(c, now);
        cluster_replan(c);
        c->want_sched = c->want_reasons = true;
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

enum slumber_error resv_delete(struct cluster *c, struct resv *r, usec_t now) {
        size_t at = 0;

        if (resv_is_used(c, r))
                return SLUMBER_RESERVATION_BUSY;
        while (c->resvs.list[at] != r)
                at++;
        drop(c, at, false, now);
        resv_changed(c, now);
        return SLUMBER_OK;
}
