/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State machine of a freeze: request, write, wait for the kernel's confirmation, deadline.
 *
 * Order: the table; effects; freezer_check_state(), which turns the kernel's state into an event.
 * freezer_check_state() runs after each write and each change of cgroup.events; for kinds without
 * events, or without free inotify watches, a timer runs it and repeats the request. Invariant:
 * without a request no timer is armed and no watch exists. */
#include "cgroup/freezer.h"

#include "lib/timer.h"

#include <signal.h>
#include <sys/inotify.h>

#define POLL_FIRST  (1 * USEC_PER_MSEC)
#define POLL_LAST   (50 * USEC_PER_MSEC)
#define REPEAT_FROM (8 * USEC_PER_MSEC) /* poll interval from which the request is repeated */
#define POLL_EXACT  100                 /* us; 0 would be sd-event's 250 ms */
/* First check of a group that does not freeze, and time without CPU use to count as frozen; both at
   most a quarter of the timeout. */
#define STILL_AFTER USEC_PER_SEC
#define STILL_FOR   (USEC_PER_SEC / 2)

static const struct freezer_move moves[FREEZER_STATE_MAX][FREEZER_EVENT_MAX] = {
        [FREEZER_THAWED] = {
                [FREEZER_ASK_FREEZE]  = { FREEZER_FREEZING,    FREEZER_FX_FREEZE | FREEZER_FX_ARM },
                [FREEZER_ASK_THAW]    = { FREEZER_THAWING,     FREEZER_FX_THAW | FREEZER_FX_ARM },
                [FREEZER_SEEN_FROZEN] = { FREEZER_THAWED,      0 }, /* frozen by a group above */
                [FREEZER_SEEN_THAWED] = { FREEZER_THAWED,      0 },
                [FREEZER_SEEN_STILL]  = { FREEZER_THAWED,      0 },
        },
        [FREEZER_FREEZING] = {
                [FREEZER_ASK_FREEZE]  = { FREEZER_FREEZING,    FREEZER_FX_FREEZE | FREEZER_FX_ARM },
                [FREEZER_ASK_THAW]    = { FREEZER_THAWING,     FREEZER_FX_THAW | FREEZER_FX_ARM },
                [FREEZER_SEEN_FROZEN] = { FREEZER_FROZEN,      FREEZER_FX_DONE },
                [FREEZER_SEEN_THAWED] = { FREEZER_FREEZING,    0 }, /* not yet frozen */
                [FREEZER_SEEN_STILL]  = { FREEZER_FROZEN,      FREEZER_FX_DONE },
                [FREEZER_EXPIRED]     = { FREEZER_STOPPING,    FREEZER_FX_STOP | FREEZER_FX_ARM },
        },
        [FREEZER_STOPPING] = {
                [FREEZER_ASK_FREEZE]  = { FREEZER_FREEZING,    FREEZER_FX_FREEZE | FREEZER_FX_ARM },
                [FREEZER_ASK_THAW]    = { FREEZER_THAWING,     FREEZER_FX_THAW | FREEZER_FX_ARM },
                [FREEZER_SEEN_FROZEN] = { FREEZER_FROZEN,      FREEZER_FX_DONE },
                [FREEZER_SEEN_THAWED] = { FREEZER_STOPPING,    0 },
                [FREEZER_SEEN_STILL]  = { FREEZER_FROZEN,      FREEZER_FX_DONE },
                [FREEZER_EXPIRED]     = { FREEZER_BACKING_OUT, FREEZER_FX_FAIL | FREEZER_FX_THAW |
                                                               FREEZER_FX_ARM },
        },
        [FREEZER_FROZEN] = {
                [FREEZER_ASK_FREEZE]  = { FREEZER_FREEZING,    FREEZER_FX_FREEZE | FREEZER_FX_ARM },
                [FREEZER_ASK_THAW]    = { FREEZER_THAWING,     FREEZER_FX_THAW | FREEZER_FX_ARM },
                [FREEZER_SEEN_FROZEN] = { FREEZER_FROZEN,      0 },
                /* a new member is about to freeze */
                [FREEZER_SEEN_THAWED] = { FREEZER_FROZEN,      0 },
                [FREEZER_SEEN_STILL]  = { FREEZER_FROZEN,      0 },
        },
        [FREEZER_THAWING] = {
                [FREEZER_ASK_FREEZE]  = { FREEZER_FREEZING,    FREEZER_FX_FREEZE | FREEZER_FX_ARM },
                [FREEZER_ASK_THAW]    = { FREEZER_THAWING,     FREEZER_FX_THAW | FREEZER_FX_ARM },
                [FREEZER_SEEN_FROZEN] = { FREEZER_THAWING,     0 },
                [FREEZER_SEEN_STILL]  = { FREEZER_THAWING,     0 },
                [FREEZER_SEEN_THAWED] = { FREEZER_THAWED,      FREEZER_FX_DONE },
                [FREEZER_EXPIRED]     = { FREEZER_THAWED,      FREEZER_FX_FAIL | FREEZER_FX_DONE },
        },
        [FREEZER_BACKING_OUT] = {
                [FREEZER_ASK_FREEZE]  = { FREEZER_FREEZING,    FREEZER_FX_FREEZE | FREEZER_FX_ARM },
                [FREEZER_ASK_THAW]    = { FREEZER_THAWING,     FREEZER_FX_THAW | FREEZER_FX_ARM },
                [FREEZER_SEEN_FROZEN] = { FREEZER_BACKING_OUT, 0 },
                [FREEZER_SEEN_STILL]  = { FREEZER_BACKING_OUT, 0 },
                [FREEZER_SEEN_THAWED] = { FREEZER_THAWED,      FREEZER_FX_DONE },
                [FREEZER_EXPIRED]     = { FREEZER_THAWED,      FREEZER_FX_DONE },
        },
};

int freezer_step(enum freezer_state from, enum freezer_event event, struct freezer_move *ret) {
        assert(from < FREEZER_STATE_MAX);
        assert(event < FREEZER_EVENT_MAX);

        /* A deadline without request is impossible. */
        if (event == FREEZER_EXPIRED && (from == FREEZER_THAWED || from == FREEZER_FROZEN))
                return -EPROTO;
        *ret = moves[from][event];
        return 0;
}

struct cg_freezer {
        sd_event *event;
        struct cg *group;
        const struct cg_freezer_ops *ops;
        void *user;
        enum freezer_state state;
        sd_event_source *deadline, *poll, *inotify;
        sd_event_source *still;    /* timer of the next check of threads while not frozen */
        struct cg_threads threads; /* threads at the last check */
        bool looked_at;            /* a check was made since the request */
        bool stopped;              /* members received SIGSTOP */
        usec_t timeout, asked, poll_step;
        bool watched;
        int error;
        char *why;
};

static void freezer_feed(struct cg_freezer *f, enum freezer_event event);

static bool freezer_is_under_way(const struct cg_freezer *f) {
        return f->state != FREEZER_THAWED && f->state != FREEZER_FROZEN;
}

static bool is_freezing(const struct cg_freezer *f) {
        return f->state == FREEZER_FREEZING || f->state == FREEZER_STOPPING;
}

static void freezer_check_state(struct cg_freezer *f) {
        int r = freezer_is_under_way(f) ? cg_frozen(f->group) : -EALREADY;

        if (r == -ENOENT || r == -ENODEV) /* no member left: either state is reached */
                r = is_freezing(f);
        if (r >= 0)
                freezer_feed(f, r ? FREEZER_SEEN_FROZEN : FREEZER_SEEN_THAWED);
}

static int freezer_on_deadline(sd_event_source *source, uint64_t t, void *user) {
        struct cg_freezer *f = user;

        (void)source, (void)t;
        freezer_check_state(f); /* check the kernel's state a last time */
        if (freezer_is_under_way(f))
                freezer_feed(f, FREEZER_EXPIRED);
        return 0;
}

static void freezer_set_error(struct cg_freezer *f, int r, char *why) {
        f->error = r;
        free(f->why);
        f->why = why;
}

static void name_the_still(struct cg_freezer *f) {
        _cleanup_free_ char *stuck = cg_stuck(f->group);

        freezer_set_error(f, 0, xasprintf("%s stands still%s", cg_folder(f->group), stuck));
}

static int on_still(sd_event_source *source, uint64_t t, void *user) {
        struct cg_freezer *f = user;
        struct cg_threads before = f->threads;

        (void)source, (void)t;
        if (!is_freezing(f))
                return 0;
        cg_threads(f->group, &f->threads);
        bool still = f->looked_at && cg_stood_still(&before, &f->threads);
        f->looked_at = true;
        if (still)
                name_the_still(f);
        else
                timer_arm(f->still, MIN(STILL_FOR, f->timeout / 4));
        if (still)
                freezer_feed(f, FREEZER_SEEN_STILL); /* may free f */
        return 0;
}

static int freezer_on_change(sd_event_source *source, const struct inotify_event *e, void *user) {
        struct cg_freezer *f = user;

        (void)source, (void)e;
        freezer_check_state(f);
        if (f->watched)
                f->ops->changed(f, f->user); /* may free f */
        return 0;
}

static void poll_again(struct cg_freezer *f) {
        f->poll_step = MIN(f->poll_step * 2, POLL_LAST);
        timer_arm(f->poll, f->poll_step);
}

static int on_poll(sd_event_source *source, uint64_t t, void *user) {
        struct cg_freezer *f = user;

        (void)source, (void)t;
        freezer_check_state(f);
        if (freezer_is_under_way(f) && f->poll_step >= REPEAT_FROM)
                (void)cg_set_frozen(f->group, is_freezing(f));
        if ((freezer_is_under_way(f) || f->watched) && !f->inotify)
                poll_again(f);
        if (f->watched)
                f->ops->changed(f, f->user); /* may free f */
        return 0;
}

/* Returns false if the kind has no events, the group is gone, or inotify instances, watches or
   descriptors are exhausted. */
static bool freezer_has_inotify(struct cg_freezer *f) {
        if (!f->inotify && !cg_must_poll(f->group))
                (void)sd_event_add_inotify(f->event, &f->inotify, cg_events_file(f->group),
                                IN_MODIFY, freezer_on_change, f);
        return f->inotify;
}

/* Starts or stops inotify or polling, as needed. */
static void listen_to(struct cg_freezer *f) {
        if (!freezer_is_under_way(f) && !f->watched) {
                f->inotify = sd_event_source_disable_unref(f->inotify);
                timer_disarm(f->poll);
        } else if (!timer_is_armed(f->poll) && !freezer_has_inotify(f)) {
                f->poll_step = POLL_FIRST;
                timer_arm(f->poll, POLL_FIRST);
        }
}

static void name_the_stuck(struct cg_freezer *f, enum freezer_state from) {
        _cleanup_free_ char *stuck = cg_stuck(f->group);

        freezer_set_error(f, -ETIMEDOUT,
                        xasprintf("%s did not %s within %llu ms%s", cg_folder(f->group),
                                        from == FREEZER_THAWING ? "thaw" : "freeze",
                                        (unsigned long long)(f->timeout / USEC_PER_MSEC), stuck));
}

static void freezer_report(struct cg_freezer *f) {
        struct cg_freezer_result result = {
                .error = f->error,
                .frozen = f->state == FREEZER_FROZEN,
                .duration = now_monotonic() - f->asked,
                .why = f->why ? f->why : "",
        };

        timer_disarm(f->deadline);
        timer_disarm(f->still);
        f->ops->done(f, &result, f->user);
}

/* Time for a state. Members of kind "none" have SIGSTOP from the start. */
static usec_t time_for(const struct cg_freezer *f, enum freezer_state state) {
        usec_t last = streq(cg_kind(f->group), "none") ? 1 : f->timeout / 4;

        return state == FREEZER_FREEZING   ? f->timeout - last
               : state == FREEZER_STOPPING ? last
                                           : f->timeout;
}

/* Sends SIGSTOP or SIGCONT with a freeze or thaw. SIGCONT before the thaw cancels the SIGSTOP of
   frozen members. */
static void tell_members(struct cg_freezer *f, unsigned effects) {
        if (effects & FREEZER_FX_STOP)
                (void)cg_signal(f->group, SIGSTOP);
        else if (f->stopped && (effects & FREEZER_FX_THAW))
                (void)cg_signal(f->group, SIGCONT);
        if (effects & (FREEZER_FX_STOP | FREEZER_FX_THAW))
                f->stopped = effects & FREEZER_FX_STOP;
}

static void freezer_feed(struct cg_freezer *f, enum freezer_event event) {
        enum freezer_state from = f->state;
        struct freezer_move m;
        int r = 0;

        if (freezer_step(from, event, &m) < 0)
                return;
        f->state = m.to;
        if (m.effects & FREEZER_FX_FAIL)
                name_the_stuck(f, from);
        if (m.effects & FREEZER_FX_ARM)
                timer_arm(f->deadline, time_for(f, m.to));
        tell_members(f, m.effects);
        if (m.effects & (FREEZER_FX_FREEZE | FREEZER_FX_THAW))
                r = cg_set_frozen(f->group, m.effects & FREEZER_FX_FREEZE);
        if (r < 0 && r != -ENOENT && r != -ENODEV) {
                freezer_set_error(f, r,
                                xasprintf("cannot %s %s: %s",
                                                m.to == FREEZER_FREEZING ? "freeze" : "thaw",
                                                cg_folder(f->group), strerror(-r)));
                f->state = from == FREEZER_FROZEN ? FREEZER_FROZEN : FREEZER_THAWED;
                m.effects = FREEZER_FX_DONE;
        }
        listen_to(f);
        if (m.effects & FREEZER_FX_DONE)
                freezer_report(f); /* may free f or start a request */
        else if (m.effects)
                freezer_check_state(f);
}

static int freezer_new(sd_event *event, struct cg *g, const struct cg_freezer_ops *ops, void *user,
                bool frozen, bool stopped, struct cg_freezer **ret) {
        struct cg_freezer *f = xnew0(struct cg_freezer, 1);

        *f = (struct cg_freezer){
                .event = sd_event_ref(event),
                .group = g,
                .ops = ops,
                .user = user,
                .state = frozen ? FREEZER_FROZEN : FREEZER_THAWED,
                .stopped = stopped,
        };
        int r = timer_new(event, USEC_PER_MSEC, freezer_on_deadline, f, &f->deadline);
        if (r >= 0)
                r = timer_new(event, POLL_EXACT, on_poll, f, &f->poll);
        if (r >= 0)
                r = timer_new(event, USEC_PER_MSEC, on_still, f, &f->still);
        if (r < 0) {
                cg_freezer_free(f);
                return r;
        }
        *ret = f;
        return 0;
}

int cg_freezer_new_thawed(sd_event *event, struct cg *g, const struct cg_freezer_ops *ops,
                void *user, struct cg_freezer **ret) {
        return freezer_new(event, g, ops, user, false, false, ret);
}

int cg_freezer_new(sd_event *event, struct cg *g, const struct cg_freezer_ops *ops, void *user,
                struct cg_freezer **ret) {
        struct cg_threads threads = { 0 };
        int r = cg_frozen(g);

        if (r < 0 && r != -ENOENT)
                return r;
        bool asked = r == 0 && cg_is_asked(g), told = (r > 0 || asked) && cg_is_told_to_stop(g);
        if (asked)
                cg_threads(g, &threads);
        /* Undo the request of a daemon that was killed. */
        bool still = asked && cg_stood_still(&threads, &threads);
        if (asked && !still) {
                if (told)
                        (void)cg_signal(g, SIGCONT);
                (void)cg_set_frozen(g, false);
        }
        bool frozen = r > 0 || still;
        return freezer_new(event, g, ops, user, frozen, told && frozen, ret);
}

struct cg_freezer *cg_freezer_free(struct cg_freezer *f) {
        if (!f)
                return NULL;
        sd_event_source_disable_unref(f->deadline);
        sd_event_source_disable_unref(f->poll);
        sd_event_source_disable_unref(f->still);
        sd_event_source_disable_unref(f->inotify);
        sd_event_unref(f->event);
        free(f->why);
        free(f);
        return NULL;
}

void cg_freezer_ask(struct cg_freezer *f, bool freeze, usec_t timeout) {
        f->timeout = timeout;
        f->asked = now_monotonic();
        freezer_set_error(f, 0, NULL);
        f->looked_at = false;
        if (freeze)
                timer_arm(f->still, MIN(STILL_AFTER, timeout / 4));
        else
                timer_disarm(f->still);
        freezer_feed(f, freeze ? FREEZER_ASK_FREEZE : FREEZER_ASK_THAW);
}

bool cg_freezer_is_frozen(const struct cg_freezer *f) {
        return f->state == FREEZER_FROZEN;
}

enum freezer_state cg_freezer_state(const struct cg_freezer *f) {
        return f->state;
}

void cg_freezer_watch(struct cg_freezer *f, bool on) {
        f->watched = on;
        listen_to(f);
}
