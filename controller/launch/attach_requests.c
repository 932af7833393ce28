/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sattach: reports the tasks of a running step and the address of the slumberd on the host of the
 * step's srun; that slumberd passes the step's streams on (agent/streams/viewers.h). */
#include "controller/launch/attach_requests.h"

#include "controller/launch/run_span.h"
#include "controller/launch/step_manager.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_requests.h"
#include "controller/loop/outbox.h"
#include "controller/orders/viewer.h"
#include "lib/errors.h"
#include "lib/step_id.h"

/* Returns why sattach cannot have the step's streams; "": sattach can. */
static const char *streams_lack_text(const struct run *r, const struct step *s, const char *home) {
        if (s->to_files)
                return "its tasks write to files, or nowhere: there is nothing to attach to";
        if (!r->to.peer)
                return "its srun is cut off from the controller at present";
        if (!home || !s->stream_token)
                return "its streams go by the controller, as its srun's host or one of its nodes "
                       "has no slumberd that passes them on";
        return "";
}

static void attach_answer(struct controller *ctl, const struct caller *caller, const struct run *r,
                const struct job *j, const struct step *s) {
        _cleanup_free_ char *home = r->to.peer ? relay_address(r->to.peer) : NULL;
        _cleanup_(run_tasks_done) struct run_tasks tasks;
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        Slumber__AttachReply m = SLUMBER__ATTACH_REPLY__INIT;

        run_tasks_fill(ctl, r, &tasks);
        streams.token = s->stream_token;
        streams.restarts = tasks.restarts;
        streams.addresses = &home;
        streams.n_addresses = 1;
        m.job_id = run_known_job(r);
        m.step_id = s->id;
        m.nodes = tasks.nodes;
        m.tasks = tasks.lists;
        m.n_tasks = tasks.n;
        m.no_streams = (char *)(uintptr_t)streams_lack_text(r, s, home);
        /* A slumberd on sattach's host has to relay the streams */
        m.streams = *m.no_streams || caller->from.peer->local ? NULL : &streams;
        m.input_of_rank = s->input_of_rank;
        ENVELOPE(env, ATTACH_REPLY, attach_reply, &m);
        reply_durable(ctl, &caller->from, &env);
}

/* Handles a step without a run. Returns SLUMBER_OK if the job's step manager may know the step;
   else the error, with a text in fail for a step of no srun. */
static enum slumber_error no_run(const struct job *j, uint32_t id, struct fail *fail) {
        if (job_is_finished(j) || j->completing)
                return SLUMBER_JOB_ENDED;
        if (job_step_is_home(j, id) && j->placed.n_alloc)
                return SLUMBER_OK;
        if (step_is_sruns(id))
                return SLUMBER_BAD_STEP_ID;
        fail_set(fail, -EINVAL, "the %s step has no srun: there is nothing to attach to",
                        STEP_WORD(id));
        return SLUMBER_BAD_STEP_ID;
}

/* Finds the run of a step by the id of its job, or by the leader's id for a step over several
   components; then *j becomes the component that has the run. */
static const struct run *attach_run_find(const struct controller *ctl, const struct job **j,
                uint32_t step) {
        const struct run *r = run_find(ctl, (*j)->id, step);

        if (r || !(r = run_find_known(ctl, (*j)->id, step)))
                return r;
        *j = cluster_job(ctl->cluster, r->job);
        return r;
}

void handle_attach_request(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__AttachRequest *m = env->attach_request;
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *j = cluster_job(ctl->cluster, viewer_job_id(&viewer, m->job_id));
        const struct run *r = j ? attach_run_find(ctl, &j, m->step_id) : NULL;
        const struct step *s = r && !r->over ? job_step_find(j, m->step_id) : NULL;
        enum slumber_error e = SLUMBER_OK;
        struct fail fail = { 0 };

        if (!j)
                e = SLUMBER_BAD_JOB_ID;
        else if (caller->uid != j->uid && caller->uid != 0)
                e = SLUMBER_ACCESS_DENIED;
        else if (!s)
                e = r ? SLUMBER_JOB_ENDED : no_run(j, m->step_id, &fail);
        if (e == SLUMBER_OK && !s) /* the step manager may not have reported the step yet */
                e = home_attaches(ctl, &caller->from, j, m->step_id, &fail);
        if (e != SLUMBER_OK)
                reply_result(ctl, &caller->from, e, fail.text);
        else if (s)
                attach_answer(ctl, caller, r, j, s);
}
