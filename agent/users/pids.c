/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the processes of jobs from the cgroups of their steps, whatever processes have done to
 * their environment. A user gets only the user's own jobs, root all jobs. */
#include "agent/state/agent.h"
#include "agent/users/adopt.h"
#include "cgroup/proc.h"

static bool pids_query_selects(const struct step *s, const Slumber__PidsQuery *q, uid_t uid) {
        const struct job *j = s->job;

        return (uid == 0 || uid == j->uid) && (!q->job || q->job == j->id) &&
               (!q->step || q->step->value == s->name.step);
}

static Slumber__StepPids *pids_of(struct step *s) {
        Slumber__StepPids *ret = xnew(Slumber__StepPids, 1);
        struct pid_set set = { 0 };

        slumber__step_pids__init(ret);
        ret->job = s->name.job;
        ret->step = s->name.step;
        (void)cg_pids(s->group, &set); /* empty if the step is over */
        ret->pids = xnew(uint32_t, set.n + 1);
        for (; ret->n_pids < set.n; ret->n_pids++)
                ret->pids[ret->n_pids] = (uint32_t)set.pid[ret->n_pids];
        pid_set_done(&set);
        return ret;
}

void pids_answer(struct agent *a, struct conn *conn, const Envelope *env, uid_t uid) {
        Slumber__PidsReply m = SLUMBER__PIDS_REPLY__INIT;
        size_t allocated = 0;

        m.node = a->node;
        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next) {
                        if (!pids_query_selects(s, env->pids_query, uid))
                                continue;
                        GROW(m.steps, allocated, m.n_steps);
                        m.steps[m.n_steps++] = pids_of(s);
                }
        ENVELOPE(reply, PIDS_REPLY, pids_reply, &m);
        reply.reply_to = env->id;
        (void)conn_send(conn, &reply);
        for (size_t i = 0; i < m.n_steps; i++) {
                free(m.steps[i]->pids);
                free(m.steps[i]);
        }
        free(m.steps);
}
