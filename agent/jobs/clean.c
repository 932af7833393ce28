/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deletes the OCI containers of a step whose daemon was killed. A new step daemon does the
 * cleaning, with the StepdSpec sent to the killed daemon (kept in the spool). The step's cgroup
 * was killed, so the cleaning daemon has a separate cgroup within the job's cgroup, which ends
 * with the cleaning. */
#include "agent/jobs/stepds.h"
#include "agent/jobs/steps.h"
#include "agent/state/agent.h"

static void cleaning_on_message(struct conn *c, Envelope *env, void *user) {
        (void)c, (void)env, (void)user; /* a cleaning daemon sends no messages */
}

static void cleaning_group_remove(struct step *s) {
        (void)cg_kill(s->cleaning.group);
        (void)cg_remove(s->cleaning.group);
        s->cleaning.group = cg_free(s->cleaning.group);
}

static void cleaning_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct step *s = user;
        bool again = conn_unread(c) && ++s->cleaning.daemons < STEPDS_FOR_STEP;

        (void)r, (void)why;
        s->cleaning.conn = NULL;
        cleaning_group_remove(s);
        if (!again || !step_clean(s))
                step_tell_lost(s);
}

static int cleaning_group_make(struct step *s, struct fail *fail) {
        const struct job *j = s->job;
        _cleanup_free_ char *name = xasprintf("%s.clean", STEP_WORD(s->name.step));

        return cg_system_make(j->agent->cgroups, j->group, name, j->uid, NULL, &s->cleaning.group,
                        fail);
}

static int cleaning_start(struct step *s, Slumber__StepdSpec *spec, struct fail *fail) {
        static const struct conn_ops ops = { .message = cleaning_on_message,
                .closed = cleaning_on_closed };
        _cleanup_(stepd_freep) struct stepd *d = NULL;
        int r = cleaning_group_make(s, fail);

        if (r >= 0)
                r = stepd_get(s->job->agent, &d, fail);
        if (r < 0)
                return r;
        free(spec->cgroup);
        spec->cgroup = xstrdup(cg_handle(s->cleaning.group));
        spec->clean = true;
        ENVELOPE(env, STEPD_SPEC, stepd_spec, spec);
        r = conn_send(d->conn, &env);
        if (r >= 0)
                r = stepd_start(d, fail);
        if (r < 0)
                return r;
        s->cleaning.conn = TAKE(d->conn);
        conn_set_ops(s->cleaning.conn, &ops, s);
        return 0;
}

bool step_clean(struct step *s) {
        Slumber__StepdSpec *spec = NULL;
        struct fail fail = { 0 };
        int r = spool_read_spec(&s->name, &spec);

        if (r == -ENOENT) /* the step has no container */
                return false;
        if (r >= 0)
                r = cleaning_start(s, spec, &fail);
        if (spec)
                slumber__stepd_spec__free_unpacked(spec, NULL);
        if (r >= 0)
                return true;
        log_fields(LOG_WARNING, r, s->name.job, s->job->agent->node,
                        "What a runtime keeps of the containers of step %s is not deleted: %s",
                        STEP_WORD(s->name.step), *fail.text ? fail.text : strerror(-r));
        if (s->cleaning.group)
                cleaning_group_remove(s);
        return false;
}

void step_clean_stop(struct step *s) {
        if (s->cleaning.conn)
                conn_close(TAKE(s->cleaning.conn));
        if (s->cleaning.group)
                cleaning_group_remove(s);
}
