/* SPDX-License-Identifier: GPL-3.0-or-later */
/* X11 forwarding of jobs with --x11. The command that holds the job starts a process that forwards
 * X11 connections (commands/steps/x11_forward.c). The process attaches to the job's extern step,
 * which listens on the nodes (agent/step/x11.c); like a step's streams, the data then go through
 * the slumberds. */
#include "controller/launch/x11.h"

#include "controller/indexes/changed.h"
#include "controller/launch/run.h"
#include "controller/launch/step_nodes.h"
#include "controller/loop/caller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/orders/viewer.h"
#include "lib/addresses.h"
#include "lib/channel.h"
#include "lib/credential.h"
#include "lib/timer.h"
#include "lib/x11.h"

/* The forwarding process reconnects each half second, like the command */
#define BACK_BY (5 * USEC_PER_SEC)
#define LOOK    USEC_PER_SEC

uint32_t x11_here(const struct controller *ctl, const struct job *j, size_t i) {
        uint32_t yes = ctl->cluster->config->x11_home ? 2 : 1;

        switch ((enum x11_nodes)j->asked.x11) {
        case X11_ALL:
                return yes;
        case X11_BATCH:
                return i == j->placed.batch_at ? yes : 0;
        case X11_FIRST:
                return i == 0 ? yes : 0;
        case X11_LAST:
                return i + 1 == j->placed.n_alloc ? yes : 0;
        case X11_NONE:
                break;
        }
        return 0;
}

/* Returns the forwarding process; NULL: not attached yet. */
static const struct address *x11_forwarder(const struct controller *ctl, const struct job *j) {
        return watch_address(ctl, WATCH_X11, j->id);
}

char *x11_home(const struct controller *ctl, const struct job *j) {
        const struct address *to = x11_forwarder(ctl, j);

        if (!j->asked.x11)
                return NULL;
        if (!to)
                to = watch_address(ctl, WATCH_HOLDER, j->id);
        return to ? relay_address(to->peer) : NULL;
}

/* The token is derived from the job and the controller's key, so it need not be stored. */
uint64_t x11_token(const struct controller *ctl, const struct job *j, const struct step *s) {
        bool input_of_rank;

        if (!j->asked.x11 || s->id != STEP_EXTERN ||
                        !step_nodes_have_streams(ctl, j, s, &input_of_rank))
                return 0;
        return credential_number(ctl->signing_key, (uint64_t)j->id << 32 | j->restarts);
}

static void x11_answer(struct controller *ctl, const struct job *j, const struct step *s,
                const struct address *to) {
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        Slumber__StepReply m = SLUMBER__STEP_REPLY__INIT;
        _cleanup_free_ char *nodes = step_nodes_text(j, s), *home = relay_address(to->peer);

        m.job_id = j->id;
        m.step_id = s->id;
        m.nodes = nodes;
        m.attach = j->running.x11_attached;
        streams.token = x11_token(ctl, j, s);
        streams.restarts = j->restarts;
        streams.addresses = step_nodes_addresses(ctl, j, s, &streams.n_addresses);
        /* After a shrink the extern steps still have the tree of the larger allocation: use no
           tree */
        streams.tree_width = j->running.resize_time ? MAX((uint32_t)j->placed.n_alloc, 2u)
                                                    : ctl->cluster->config->tree_width;
        if (home && streams.token)
                m.streams = &streams;
        ENVELOPE(env, STEP_REPLY, step_reply, &m);
        reply_now(to, &env);
        texts_free(streams.addresses, streams.n_addresses);
}

void x11_launched(struct controller *ctl, const struct job *j) {
        const struct step *s = job_step_find(j, STEP_EXTERN);
        const struct address *to = x11_forwarder(ctl, j);

        if (s && to)
                x11_answer(ctl, j, s, to);
}

void handle_x11_attach(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const struct viewer viewer = viewer_of(ctl, caller);
        struct job *j = cluster_job(ctl->cluster, viewer_job_id(&viewer, env->x11_attach->job_id));
        enum slumber_error e = !j                      ? SLUMBER_BAD_JOB_ID
                               : caller->uid != j->uid ? SLUMBER_ACCESS_DENIED
                               : !j->asked.x11         ? SLUMBER_X11_NOT_AVAILABLE
                               : job_is_finished(j)    ? SLUMBER_JOB_ENDED
                                                       : SLUMBER_OK;

        if (e != SLUMBER_OK) {
                reply_result(ctl, &caller->from, e, NULL);
                return;
        }
        j->running.x11_forsaken = false;
        j->running.x11_due = 0;
        /* If the last number was not stored, the process still knows it */
        j->running.x11_attached = MIN(MAX(j->running.x11_attached, env->x11_attach->attach),
                                                  UINT32_MAX - 1) +
                                  1;
        cluster_job_changed(ctl->cluster, j);
        controller_changed(ctl);
        watch_replace(ctl, WATCH_X11, j->id, &caller->from);
        peer_streams(caller->from.peer);
        x11_launched(ctl, j); /* or later, when the extern step is launched */
}

/* ---- data through this controller ---- */

void x11_client_io(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__StepIo *m = env->step_io;
        const struct job *j = cluster_job(ctl->cluster, m->job_id);

        if (!j || m->data.len > STEP_WINDOW || !watch_of(ctl, WATCH_X11, m->job_id, &caller->from))
                return; /* late, or from another process */
        Envelope copy = SLUMBER__ENVELOPE__INIT;
        copy.body_case = SLUMBER__ENVELOPE__BODY_STEP_IO;
        copy.step_io = env->step_io;
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct node *n = j->placed.alloc[i].node;
                if (!*m->node || streq(m->node, n->name))
                        (void)agent_send(ctl, n, &copy);
        }
}

void x11_node_io(struct controller *ctl, const struct node *n, const Envelope *env) {
        const struct job *j = cluster_job(ctl->cluster, env->step_io->job_id);

        if (!j || !job_node_find(j, n))
                return;
        ENVELOPE(copy, STEP_IO, step_io, env->step_io);
        watch_tell(ctl, WATCH_X11, j->id, &copy, false);
}

static void tell_forsaken(struct controller *ctl, const struct job *j, const struct node *n) {
        Slumber__StepIo m = SLUMBER__STEP_IO__INIT;

        m.job_id = j->id;
        m.step_id = STEP_EXTERN;
        m.attach = j->running.x11_attached;
        channel_say_closed(RANK_ALL, &m);
        ENVELOPE(env, STEP_IO, step_io, &m);
        (void)agent_send(ctl, n, &env);
}

/* The forwarding process has ended: tells the nodes, where X11 connections now fail. */
static void x11_forsake(struct controller *ctl, struct job *j) {
        j->running.x11_forsaken = true;
        j->running.x11_due = 0;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                tell_forsaken(ctl, j, j->placed.alloc[i].node);
}

void x11_extern_there(struct controller *ctl, const struct job *j, const struct node *n) {
        if (j->running.x11_forsaken)
                tell_forsaken(ctl, j, n);
}

void x11_node_back(struct controller *ctl, const struct node *n) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        for (size_t i = 0; i < n->n_jobs; i++) {
                if (!n->jobs[i]->asked.x11)
                        continue;
                /* The node may have been away at that time */
                if (n->jobs[i]->running.x11_forsaken) {
                        tell_forsaken(ctl, n->jobs[i], n);
                        continue;
                }
                m.job_id = n->jobs[i]->id;
                m.step_id = STEP_EXTERN;
                m.kind = SLUMBER__STEP_NOTICE__KIND__NODE_BACK;
                m.node = n->name;
                ENVELOPE(env, STEP_NOTICE, step_notice, &m);
                watch_tell(ctl, WATCH_X11, m.job_id, &env, false);
        }
}

/* ---- forwarding processes that may come back ---- */

static int x11_look(sd_event_source *source, uint64_t t, void *user) {
        struct controller *ctl = user;
        const struct cluster *c = ctl->cluster;
        usec_t now = controller_now(ctl);
        bool any = false;

        (void)t;
        for (size_t i = 0; i < c->n_active; i++) {
                struct job *j = c->active[i];

                if (j->running.x11_due && j->running.x11_due <= now)
                        x11_forsake(ctl, j);
                any |= j->running.x11_due > 0;
        }
        if (any)
                timer_arm(source, LOOK);
        return 0;
}

static void x11_await(struct controller *ctl, struct job *j, usec_t patience) {
        usec_t due = controller_now(ctl) + patience;
        int r = 0;

        j->running.x11_due = j->running.x11_due ? MIN(j->running.x11_due, due) : due;
        if (!ctl->x11_wait)
                r = timer_new(ctl->event, USEC_PER_SEC / 4, x11_look, ctl, &ctl->x11_wait);
        if (r >= 0 && !timer_is_armed(ctl->x11_wait))
                timer_arm(ctl->x11_wait, LOOK);
}

void x11_restored(struct controller *ctl, struct job *j) {
        if (!j->asked.x11)
                return;
        /* Nodes may know the number of an attach that was not stored */
        j->running.x11_attached = MIN(j->running.x11_attached, UINT32_MAX - 1) + 1;
        x11_await(ctl, j, cluster_patience(ctl->cluster));
}

void x11_holder_back(struct controller *ctl, struct job *j) {
        if (j->running.x11_due)
                x11_await(ctl, j, BACK_BY);
}

void x11_done(struct controller *ctl) {
        ctl->x11_wait = sd_event_source_disable_unref(ctl->x11_wait);
}

void x11_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        for (size_t i = 0; i < ctl->n_watches; i++) {
                const struct address *to;
                struct job *j = cluster_job(ctl->cluster, watch_job(ctl, i, &to));
                bool gone = to->peer == p && (all || to->client == client);

                if (!gone || !j || !watch_of(ctl, WATCH_X11, j->id, to) || job_is_finished(j))
                        continue;
                if (all && !p->local)
                        x11_await(ctl, j, cluster_patience(ctl->cluster));
                else
                        x11_forsake(ctl, j);
        }
}
