/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/freezer.h - freezes and thaws a group within a deadline, never leaving an intermediate
 * state
 *
 * A group whose last threads hang in the kernel without using CPU counts as frozen after a while: a
 * thread freezes when it runs again. If the freezer is not enough, members get SIGSTOP in the last
 * quarter of the time. A freeze that fails nevertheless is undone: the group is thawed, and the
 * failure is reported with the hanging processes. Runs on sd-event; can also watch a group for its
 * end. */
#pragma once

#include "cgroup/cgroup.h"

#include <systemd/sd-event.h>

enum freezer_state {
        FREEZER_THAWED,
        FREEZER_FREEZING,
        FREEZER_STOPPING, /* freezing took too long: SIGSTOP was sent, too */
        FREEZER_FROZEN,
        FREEZER_THAWING,
        FREEZER_BACKING_OUT, /* the freeze failed: thawing again */
        FREEZER_STATE_MAX,
};
enum freezer_event {
        FREEZER_ASK_FREEZE,
        FREEZER_ASK_THAW,
        FREEZER_SEEN_FROZEN,
        FREEZER_SEEN_THAWED,
        FREEZER_SEEN_STILL, /* threads idle, though not frozen: cg_stood_still() */
        FREEZER_EXPIRED,
        FREEZER_EVENT_MAX,
};
enum { /* effects */
        FREEZER_FX_FREEZE = 1,
        FREEZER_FX_THAW = 2,
        FREEZER_FX_ARM = 4, /* start the deadline */
        FREEZER_FX_DONE = 8,
        FREEZER_FX_FAIL = 16, /* remember hanging members for the report at DONE */
        FREEZER_FX_STOP = 32, /* send SIGSTOP to all members; a thaw sends SIGCONT */
};
struct freezer_move {
        enum freezer_state to;
        unsigned effects;
};
/* Looks up the table; -EPROTO: impossible pair. */
int freezer_step(enum freezer_state from, enum freezer_event event, struct freezer_move *ret);

/* ---- a group on an event loop ---- */
struct cg_freezer;

struct cg_freezer_result {
        int error; /* 0, or reason why the requested state was not reached */
        bool frozen;
        usec_t duration; /* from write to confirmation */
        const char *why; /* "" or a sentence; without error: processes hanging in the kernel */
};

struct cg_freezer_ops {
        /* Result of the last cg_freezer_ask(); may be called before cg_freezer_ask() returns. */
        void (*done)(struct cg_freezer *f, const struct cg_freezer_result *result, void *user);
        /* The group has changed (when polling: some time has passed); called only while
           cg_freezer_watch() is on. The callback calls cg_populated() itself. */
        void (*changed)(struct cg_freezer *f, void *user);
};

/* Makes a freezer of g, borrowed, which must outlive the freezer. Reads the state: the group may be
   frozen already. A freeze or thaw that another process did not complete ends as a thaw: no other
   freezer of the group may exist. */
int cg_freezer_new(sd_event *event, struct cg *g, const struct cg_freezer_ops *ops, void *user,
                struct cg_freezer **ret);
/* The same for a group that was made a moment ago, of which nobody has asked anything. */
int cg_freezer_new_thawed(sd_event *event, struct cg *g, const struct cg_freezer_ops *ops,
                void *user, struct cg_freezer **ret);
struct cg_freezer *cg_freezer_free(struct cg_freezer *f);
DEFINE_CLEANUP(struct cg_freezer *, cg_freezer_free)
/* Requests a state. A new request replaces a pending one, which gets no result. */
void cg_freezer_ask(struct cg_freezer *f, bool freeze, usec_t timeout);
bool cg_freezer_is_frozen(const struct cg_freezer *f);
enum freezer_state cg_freezer_state(const struct cg_freezer *f);
void cg_freezer_watch(struct cg_freezer *f, bool on);
