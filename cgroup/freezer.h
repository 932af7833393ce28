/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/freezer.h - freezes and thaws a group within a deadline, and never leaves it in between
 *
 * A group whose last threads hang in the kernel and use no CPU counts as frozen after a while: one
 * that runs again is frozen then.  Where the freezer is not enough, members get SIGSTOP in the last
 * quarter of the time.  A freeze that does not complete all the same is taken back: the group is
 * thawed and the failure reported with the processes that hung.  All on sd-event; watching a group
 * for its end is here as well. */
#pragma once

#include "cgroup/cgroup.h"

#include <systemd/sd-event.h>

enum freezer_state {
        FREEZER_THAWED,
        FREEZER_FREEZING,
        FREEZER_STOPPING, /* ... which did not work so far: SIGSTOP was sent, too */
        FREEZER_FROZEN,
        FREEZER_THAWING,
        FREEZER_BACKING_OUT, /* the freeze failed; thawing again */
        FREEZER_STATE_MAX,
};
enum freezer_event {
        FREEZER_ASK_FREEZE,
        FREEZER_ASK_THAW,
        FREEZER_SEEN_FROZEN,
        FREEZER_SEEN_THAWED,
        FREEZER_SEEN_STILL, /* not frozen, but no process of the group runs: cg_stood_still() */
        FREEZER_EXPIRED,
        FREEZER_EVENT_MAX,
};
enum { /* effects */
        FREEZER_FX_FREEZE = 1,
        FREEZER_FX_THAW = 2,
        FREEZER_FX_ARM = 4, /* the deadline starts anew */
        FREEZER_FX_DONE = 8,
        FREEZER_FX_FAIL = 16, /* remember which members hang, to be reported with DONE */
        FREEZER_FX_STOP = 32, /* SIGSTOP for all members; a thaw sends SIGCONT */
};
struct freezer_move {
        enum freezer_state to;
        unsigned effects;
};
/* The table; a pair that is not in it: -EPROTO. */
int freezer_step(enum freezer_state from, enum freezer_event event, struct freezer_move *ret);

/* ---- a group on an event loop ---- */
struct cg_freezer;

struct cg_freezer_result {
        int error; /* 0, or why the state is not the one asked for */
        bool frozen;
        usec_t duration; /* from the write to the confirmation */
        const char *why; /* "" or a sentence; without an error: what of it hangs in the kernel */
};

struct cg_freezer_ops {
        /* The answer to the last cg_freezer_ask(); may come before that returns. */
        void (*done)(struct cg_freezer *f, const struct cg_freezer_result *result, void *user);
        /* Something changed in the group (kinds that must poll, or inotify is used up: some time
           passed), only while cg_freezer_watch() is on.  The callback asks cg_populated() itself.
         */
        void (*changed)(struct cg_freezer *f, void *user);
};

/* g is borrowed and must outlive it.  The state is read from the group: it may be frozen already.
   A freeze or a thaw that another one did not end ends as a thaw: no other freezer of the same
   group may be held at that time. */
int cg_freezer_new(sd_event *event, struct cg *g, const struct cg_freezer_ops *ops, void *user,
                struct cg_freezer **ret);
struct cg_freezer *cg_freezer_free(struct cg_freezer *f);
DEFINE_CLEANUP(struct cg_freezer *, cg_freezer_free)
/* A new wish replaces one that is on its way, which then gets no answer of its own. */
void cg_freezer_ask(struct cg_freezer *f, bool freeze, usec_t timeout);
bool cg_freezer_is_frozen(const struct cg_freezer *f);
enum freezer_state cg_freezer_state(const struct cg_freezer *f);
void cg_freezer_watch(struct cg_freezer *f, bool on);
