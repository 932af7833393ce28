/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about the step common to all parts of a step daemon, and reports of tasks' ends. */
#include "agent/step/base/stepd.h"

#include <signal.h>

bool step_waits(const struct step *s) {
        return s->n_started < s->n_tasks;
}

bool step_has_oci(const struct step *s) {
        return s->launch->spec && *s->launch->spec->container;
}

void step_fill_ended(const struct step *s, Slumber__StepEnded *m) {
        m->job_id = s->credential->job_id;
        m->step_id = s->credential->step_id;
        m->restarts = s->credential->restarts;
        m->node = s->spec->node;
        m->end_time = now_realtime();
        m->ended_boottime = s->over_at ? s->over_at : now_boottime();
}

void task_fill_exit(const struct task *t, Slumber__TaskExit *m) {
        slumber__task_exit__init(m);
        m->rank = t->rank;
        m->status = (uint32_t)t->status;
        m->aborted = t->aborted;
}

void task_send_exit(struct step *s, const struct task *t) {
        Slumber__StepEnded ended = SLUMBER__STEP_ENDED__INIT;
        Slumber__TaskExit exit, *list = &exit;

        task_fill_exit(t, &exit);
        step_fill_ended(s, &ended);
        ended.tasks = &list;
        ended.n_tasks = 1;
        ENVELOPE(env, STEP_ENDED, step_ended, &ended);
        link_send(s->link, &env);
}

void step_abort(struct step *s, struct task *t, int code) {
        if (s->abort_status)
                return;
        t->aborted = true;
        t->status = s->abort_status = (code & 0xff ? code & 0xff : EXIT_FAILURE) << 8;
        task_send_exit(s, t); /* tasks on the other nodes are ended by this message */
        (void)cg_kill(s->group);
        for (size_t i = 0; i < s->n_tasks; i++)
                if (s->tasks[i].running)
                        (void)kill(s->tasks[i].pid, SIGKILL);
}
