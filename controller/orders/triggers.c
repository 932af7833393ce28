/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order: conditions of a trigger, by kind of event; runs; the review; requests.
 *
 * The cost of a review is the number of triggers, and for a trigger on idle nodes the number of
 * nodes; a review runs after an event that a trigger may wait for, with events of nodes gathered
 * for TRIGGER_INTERVAL. */
#include "controller/orders/triggers.h"

#include "controller/indexes/trigger_events.h"
#include "lib/hostlist.h"

/* Notes the time when t must be reviewed again even without an event. */
static void trigger_review_at(usec_t *next, usec_t at) {
        *next = MIN(*next, at);
}

static usec_t offset_from(usec_t at, const struct trigger *t) {
        usec_t by = (usec_t)(t->offset < 0 ? -(int64_t)t->offset : t->offset) * USEC_PER_SEC;

        if (at == USEC_INFINITY || at == NO_LIMIT)
                return USEC_INFINITY;
        return t->offset < 0 ? at - MIN(by, at) : at + by;
}

/* ---- nodes ---- */

/* Nodes may have been removed since the trigger was set; the remaining nodes count. */
static void trigger_add_nodes(const struct cluster *c, const char *text, struct bitset *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (strcasecmp(text, "ALL") == 0)
                bitset_fill(nodes);
        else if (hostlist_parse(text, &names, NULL) >= 0)
                for (size_t i = 0; i < hostlist_count(names); i++) {
                        const struct node *n = cluster_node(c, hostlist_get(names, i));
                        if (n)
                                bitset_add(nodes, n->index);
                }
}

/* Returns the nodes of t; NULL if the job has no nodes. */
static struct bitset *trigger_nodes(struct cluster *c, struct trigger *t) {
        const struct job *j = t->job ? cluster_job(c, t->job) : NULL;

        if (t->job)
                return j && j->placed.nodes ? bitset_copy(j->placed.nodes) : NULL;
        if (!t->named) {
                t->named = bitset_new(c->n_nodes);
                trigger_add_nodes(c, t->nodes ? t->nodes : "ALL", t->named);
                if (bitset_empty(t->named))
                        cluster_log(c, 0, NULL,
                                        "Trigger %u waits in vain: none of its nodes (%s) is there",
                                        t->id, t->nodes);
        }
        return bitset_copy(t->named);
}

static bool events_are_due(const struct cluster *c, usec_t now) {
        return c->triggers.events_due && now >= c->triggers.events_due;
}

/* Returns whether n has been idle for t's offset, and t has not fired for the idle period. */
static bool has_idled(const struct node *n, const struct trigger *t, usec_t now, usec_t *next) {
        usec_t since = trigger_node_idles(n) && n->last_busy ? offset_from(n->last_busy, t)
                                                             : USEC_INFINITY;

        if (since > now)
                trigger_review_at(next, since);
        return since <= now && since > t->idle_until;
}

static void keep_matching(const struct cluster *c, const struct trigger *t, struct bitset *nodes,
                usec_t now, usec_t *next) {
        if (!(t->events & TRIGGER_IDLE)) /* few nodes have events */
                bitset_and(nodes, c->triggers.nodes);
        bitset_for_each(i, nodes) {
                const struct node *n = c->nodes[i];
                bool matches = events_are_due(c, now) &&
                               n->trigger_events & t->events & ~(unsigned)TRIGGER_IDLE;
                if (!matches && t->events & TRIGGER_IDLE)
                        matches = has_idled(n, t, now, next);
                if (!matches)
                        bitset_del(nodes, i);
        }
}

/* ---- firing ---- */

static size_t triggers_count_user(struct trigger *const *list, size_t n, uid_t uid) {
        size_t k = 0;

        for (size_t i = 0; i < n; i++)
                k += list[i]->uid == uid;
        return k;
}

static bool trigger_user_is_limited(const struct cluster *c, uid_t uid) {
        return uid != 0 && uid != c->config->slurm_uid;
}

/* A user with too many waiting programs gets no further program: a permanent trigger may add a
   program for each event. */
static void trigger_fire(struct cluster *c, struct trigger *t, const char *argument, usec_t at) {
        if (trigger_user_is_limited(c, t->uid) &&
                        triggers_count_user(c->triggers.runs, c->triggers.n_runs, t->uid) >=
                                        TRIGGERS_USER_MAX)
                return;
        struct trigger *run = trigger_copy(t);
        run->serial = c->triggers.last_serial + 1;
        run->at = at;
        free_and_strdup(&run->argument, argument);
        triggers_add_run(&c->triggers, run);
}

static bool fires_for_nodes(struct cluster *c, struct trigger *t, usec_t now, usec_t *next) {
        struct bitset *nodes = t->events & TRIGGER_EVENTS_NODE ? trigger_nodes(c, t) : NULL;
        bool fires = t->hits && events_are_due(c, now);
        char number[16];

        if (nodes)
                keep_matching(c, t, nodes, now, next);
        fires |= nodes && !bitset_empty(nodes);
        if (fires) {
                _cleanup_free_ char *names = t->job ? NULL : cluster_nodes_text(c, nodes);
                t->hits = 0;
                snprintf(number, sizeof number, "%u", t->job);
                /* the offset of TRIGGER_IDLE is the idle time, already passed */
                usec_t at = t->events & TRIGGER_IDLE ? now : offset_from(now, t);
                trigger_fire(c, t, t->job ? number : names, MAX(at, now));
                t->idle_until = now;
                trigger_changed(&c->triggers, t);
        }
        bitset_free(nodes);
        return fires;
}

static bool fires_for_cluster(struct cluster *c, struct trigger *t, usec_t now) {
        uint32_t events = c->triggers.events & t->events;

        if (!events || !events_are_due(c, now))
                return false;
        _cleanup_free_ char *words = trigger_events_text(events);
        trigger_fire(c, t, words, MAX(offset_from(now, t), now));
        return true;
}

/* Returns the time of the event of t; USEC_INFINITY: not known. */
static usec_t time_of_job_event(const struct trigger *t, const struct job *j, usec_t now) {
        usec_t at = USEC_INFINITY;

        if (t->events & TRIGGER_FINI && (!j || job_is_finished(j)))
                at = j && j->running.end_time ? j->running.end_time : now;
        if (t->events & TRIGGER_TIME && j && (j->state == JOB_RUNNING || j->state == JOB_TIMEOUT))
                at = MIN(at, j->state == JOB_TIMEOUT ? j->running.end_time : job_time_up(j));
        return at;
}

static bool fires_for_job(struct cluster *c, struct trigger *t, usec_t now, usec_t *next) {
        const struct job *j = cluster_job(c, t->job);
        char number[16];

        if (!(t->events & TRIGGER_EVENTS_JOB))
                return false;
        usec_t event = time_of_job_event(t, j, now), at = offset_from(event, t);
        if (MIN(event, at) > now) {
                trigger_review_at(next, MIN(event, at));
                return false;
        }
        /* the job may be forgotten before the trigger's time; the run is kept */
        snprintf(number, sizeof number, "%u", t->job);
        trigger_fire(c, t, number, MAX(at, now));
        return true;
}

/* Returns whether the job is forgotten, or no further event of the job can fire t. */
static bool is_in_vain(const struct cluster *c, const struct trigger *t, usec_t now) {
        const struct job *j = t->job ? cluster_job(c, t->job) : NULL;

        return t->job && !t->hits &&
               (!j || (job_is_finished(j) && !(t->events & TRIGGER_EVENTS_NODE) &&
                                      time_of_job_event(t, j, now) == USEC_INFINITY));
}

/* ---- the review ---- */

static void trigger_review(struct cluster *c, size_t i, usec_t now, usec_t *next, bool *gone) {
        struct trigger *t = c->triggers.waiting[i];
        bool fired = fires_for_nodes(c, t, now, next), by_job = false;

        if (!fired || t->permanent)
                fired |= fires_for_cluster(c, t, now);
        if (!fired || t->permanent)
                fired |= by_job = fires_for_job(c, t, now, next);
        /* a job ends once, even for a permanent trigger */
        *gone = by_job || (fired && !t->permanent) || is_in_vain(c, t, now);
        if (*gone)
                triggers_drop(&c->triggers, i);
}

static void ask_for_programs(struct cluster *c, usec_t now, usec_t *next) {
        for (size_t i = 0; i < c->triggers.n_runs; i++) {
                struct trigger *t = c->triggers.runs[i];
                if (t->handed)
                        continue;
                if (t->at > now) {
                        trigger_review_at(next, t->at);
                        continue;
                }
                t->handed = true;
                struct effect *fx = effects_add(&c->effects, FX_TRIGGER);
                fx->serial = t->serial;
                fx->text = xasprintf("%u %s", t->id, t->argument);
        }
}

void triggers_review(struct cluster *c, usec_t now) {
        usec_t next = USEC_INFINITY;
        bool gone;

        c->triggers.armed = 0;
        for (size_t i = 0; i < c->triggers.n_waiting; i += !gone)
                trigger_review(c, i, now, &next, &gone);
        if (events_are_due(c, now))
                trigger_events_forget(c);
        ask_for_programs(c, now, &next);
        if (c->triggers.events_due)
                trigger_review_at(&next, c->triggers.events_due);
        if (next < USEC_INFINITY)
                trigger_arm(c, next);
}

void trigger_ended(struct cluster *c, uint64_t serial) {
        for (size_t i = 0; i < c->triggers.n_runs; i++) {
                if (c->triggers.runs[i]->serial != serial)
                        continue;
                triggers_drop_run(&c->triggers, i);
                /* the traces of the program may be removed */
                effects_add(&c->effects, FX_TRIGGER)->serial = serial;
                return;
        }
}

static void trigger_watch_job(struct cluster *c, const struct trigger *t) {
        struct job *j = t->job ? cluster_job(c, t->job) : NULL;

        if (j)
                j->listed.triggers = true;
}

void triggers_restored(struct cluster *c, usec_t now) {
        struct triggers *all = &c->triggers;

        for (size_t i = 0; i < all->n_waiting; i++)
                trigger_watch_job(c, all->waiting[i]);
        trigger_renumber(c);
        if (all->n_waiting)
                all->events |= TRIGGER_CTLD_STARTED |
                               (all->known && !all->stopped ? TRIGGER_CTLD_FAILED |
                                                                               TRIGGER_CTLD_RESUMED
                                                            : 0);
        all->stopped = false;
        all->dirty = true;
        all->events_due = all->events || !bitset_empty(all->nodes) ? now + TRIGGER_INTERVAL : 0;
        if (!all->n_waiting)
                trigger_events_forget(c);
        if (all->n_waiting || all->n_runs)
                trigger_arm(c, now);
}

/* ---- requests ---- */

static bool trigger_exists(const struct cluster *c, const struct trigger *want) {
        for (size_t i = 0; i < c->triggers.n_waiting; i++) {
                const struct trigger *t = c->triggers.waiting[i];
                if (t->events == want->events && t->job == want->job && t->uid == want->uid &&
                                t->offset == want->offset && t->permanent == want->permanent &&
                                texts_equal(t->nodes, want->nodes) &&
                                texts_equal(t->program, want->program))
                        return true;
        }
        return false;
}

static enum slumber_error trigger_check(const struct cluster *c, const struct trigger *want,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        bool of_job = want->events & TRIGGER_EVENTS_JOB,
             of_node = want->events & TRIGGER_EVENTS_NODE;

        if (!want->events || want->events & ~TRIGGER_EVENTS_ALL || (of_job && !want->job) ||
                        (want->nodes && (want->job || !of_node)) ||
                        (want->job && want->events & TRIGGER_EVENTS_CLUSTER)) {
                fail_set(fail, -EINVAL, "a trigger has events, of one job or of nodes");
                return SLUMBER_FAILED;
        }
        if (want->job && !cluster_job(c, want->job))
                return SLUMBER_BAD_JOB_ID;
        if (want->nodes && cluster_nodes_parse(c, want->nodes, &nodes, fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        if (trigger_exists(c, want))
                return SLUMBER_DUPLICATE_TRIGGER;
        if (trigger_user_is_limited(c, want->uid) &&
                        triggers_count_user(c->triggers.waiting, c->triggers.n_waiting, want->uid) +
                                                        triggers_count_user(c->triggers.runs,
                                                                        c->triggers.n_runs,
                                                                        want->uid) >=
                                        TRIGGERS_USER_MAX) {
                fail_set(fail, -E2BIG, "you have %d triggers already", TRIGGERS_USER_MAX);
                return SLUMBER_FAILED;
        }
        if (c->triggers.n_waiting + c->triggers.n_runs >= TRIGGERS_MAX) {
                fail_set(fail, -E2BIG, "there are %d triggers already", TRIGGERS_MAX);
                return SLUMBER_FAILED;
        }
        return SLUMBER_OK;
}

enum slumber_error trigger_set(struct cluster *c, const struct trigger *want, usec_t now,
                uint32_t *ret_id, struct fail *fail) {
        enum slumber_error e = trigger_check(c, want, fail);

        if (e != SLUMBER_OK)
                return e;
        trigger_events_expire(c, now);
        struct trigger *t = trigger_copy(want);
        *ret_id = t->id = c->triggers.last_id + 1;
        triggers_add(&c->triggers, t);
        trigger_watch_job(c, t);
        trigger_arm(c, now);
        return SLUMBER_OK;
}

static bool trigger_is_chosen(const struct trigger *t, const struct trigger_choice *which) {
        return (!which->id || t->id == which->id) && (!which->job || t->job == which->job) &&
               (!which->uid || t->uid == *which->uid);
}

size_t triggers_clear(struct cluster *c, const struct trigger_choice *which, const uid_t *by) {
        struct triggers *all = &c->triggers;
        size_t n = 0;

        for (size_t i = all->n_waiting; i-- > 0;)
                if (trigger_is_chosen(all->waiting[i], which) &&
                                (!by || all->waiting[i]->uid == *by)) {
                        triggers_drop(all, i);
                        n++;
                }
        for (size_t i = all->n_runs; i-- > 0;)
                if (!all->runs[i]->handed && trigger_is_chosen(all->runs[i], which) &&
                                (!by || all->runs[i]->uid == *by)) {
                        triggers_drop_run(all, i);
                        n++;
                }
        return n;
}
