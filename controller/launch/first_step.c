/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/launch/first_step.h"

#include "controller/launch/step_requests.h"
#include "controller/loop/caller.h"
#include "controller/loop/watches.h"
#include "lib/abilities.h"
#include "lib/wire.h"

struct first_step {
        uint32_t job;
        struct address from;
        uid_t uid;
        Slumber__StepRequest *request;
};

/* Returns whether the slumberd of the command's host knows SubmitRequest.step and expects the
   step's streams. */
static bool passes_streams(const struct peer *p) {
        return p->local || p->can & CAN_FIRST_STEPS;
}

void first_step_note(struct controller *ctl, const struct caller *caller, uint32_t job,
                const Slumber__StepRequest *m) {
        if (!m || !passes_streams(caller->from.peer))
                return;
        GROW(ctl->first_steps, ctl->a_first_steps, ctl->n_first_steps);
        ctl->first_steps[ctl->n_first_steps++] = (struct first_step){
                .job = job,
                .from = address_copy(&caller->from),
                .uid = caller->uid,
                .request = wire_copy(&m->base),
        };
}

static void first_step_done(struct first_step *f) {
        address_done(&f->from);
        slumber__step_request__free_unpacked(f->request, NULL);
}

static void first_step_begin(struct controller *ctl, struct first_step *f) {
        struct caller caller = { .from = f->from, .uid = f->uid };
        struct job *j = cluster_job(ctl->cluster, f->job);

        caller.from.id = 0; /* 0 makes the StepReply a notice */
        f->request->job_id = f->job;
        if (j && watch_of(ctl, WATCH_HOLDER, j->id, &f->from))
                step_begin_at_once(ctl, &caller, j, f->request);
}

void first_steps_begin(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_first_steps; i++) {
                first_step_begin(ctl, &ctl->first_steps[i]);
                first_step_done(&ctl->first_steps[i]);
        }
        ctl->n_first_steps = 0;
}

void first_steps_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_first_steps; i++)
                first_step_done(&ctl->first_steps[i]);
        free(TAKE(ctl->first_steps));
        ctl->n_first_steps = ctl->a_first_steps = 0;
}
