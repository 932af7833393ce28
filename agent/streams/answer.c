/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages to a command of this host: the streams of srun and sattach are opened, closed and
 * adjusted by the controller's replies on their way to the command. */
#include "agent/peers/peers.h"
#include "agent/state/agent.h"
#include "agent/streams/attach.h"
#include "agent/streams/srun_streams.h"
#include "lib/timer.h"

/* srun learns only whether its streams need the controller. Addresses and token stay in slumberd,
   so that srun cannot send to nodes itself. */
static void deliver_step(struct client *c, Envelope *env) {
        Slumber__StepStreams shown = SLUMBER__STEP_STREAMS__INIT, *all = env->step_reply->streams;

        srun_streams_open(c, env->step_reply);
        if (c->streams)
                conn_pause(c->conn, false);
        env->step_reply->streams = c->streams ? &shown : NULL;
        (void)conn_send(c->conn, env);
        env->step_reply->streams = all;
}

/* sattach, too, gets neither addresses nor token. */
static void deliver_attach(struct client *c, Envelope *env) {
        Slumber__StepStreams shown = SLUMBER__STEP_STREAMS__INIT, *all = env->attach_reply->streams;

        attach_open(c, env->attach_reply);
        env->attach_reply->streams = c->attached ? &shown : NULL;
        (void)conn_send(c->conn, env);
        env->attach_reply->streams = all;
}

/* Sends env by the slumberd of the command's host. If the connection is lost, the timer fires, and
   the command asks again for missed messages. */
static void visit_forward(struct client *c, const Envelope *env) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;

        m.job_id = c->proxy->job;
        m.restarts = c->proxy->restarts;
        m.token = c->proxy->token;
        m.visitor = c->id;
        m.id = env->reply_to;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY)
                m.reply = env->step_reply;
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE)
                m.notice = env->step_notice;
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_JOB_NOTICE)
                m.job_notice = env->job_notice;
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION_REPLY)
                m.done = env->job_action_reply;
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ATTACH_REPLY)
                m.attached = env->attach_reply;
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                m.error = env->error;
        ENVELOPE(told, VISIT, visit, &m);
        if (!peer_send(c->proxy->peer, &told))
                timer_arm(c->proxy->lost_timer, 0);
}

void client_answer(struct client *c, Envelope *env) {
        if (!c->conn) {
                visit_forward(c, env);
                return;
        }
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE)
                srun_streams_notice(c, env->step_notice);
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO && srun_streams_hear(c, env->step_io))
                return;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO)
                srun_streams_shown(c, env->step_io);
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY)
                deliver_step(c, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ATTACH_REPLY)
                deliver_attach(c, env);
        else
                (void)conn_send(c->conn, env);
}
