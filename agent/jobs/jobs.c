/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs of the node as a whole: functions for the rooms below (struct job_orders), and the
 * restoration of an earlier slumberd's jobs. */
#include "agent/jobs/hooks.h"
#include "agent/jobs/job.h"
#include "agent/jobs/launch.h"
#include "agent/jobs/steps.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/journal.h"
#include "agent/stepmgr/stepmgr.h"
#include "lib/folder.h"

void jobs_begin(struct agent *a) {
        static const struct job_orders orders = { .signal = job_signal,
                .launch = launch_step_here,
                .launch_waits = launch_waits,
                .step_acknowledged = step_acknowledged,
                .step_ended = job_step_ended };

        a->orders = &orders;
}

/* ---- after a restart ---- */

static void adopt_maker(struct agent *a, uint32_t id, uint32_t restarts) {
        struct fail fail = { 0 };
        struct job *j = NULL;
        int r = job_get(a, id, restarts, CG_NO_USER, &j, &fail);

        if (r >= 0)
                r = stepmgr_restore(j, &fail);
        if (r >= 0)
                return;
        log_fields(LOG_ERR, 0, id, a->node,
                        "Job %u makes no more steps: what it has made is not known: %s", id,
                        fail.text);
        if (j)
                job_put(j);
}

/* Returns true if the file was set aside for the administrator; also returns the job and its
   restart count. */
static bool is_put_aside(const char *name, uint32_t *ret_job, uint32_t *ret_restarts) {
        const size_t n = strlen(name), end = strlen(JOURNAL_UNREAD);

        if (n <= end || !streq(name + n - end, JOURNAL_UNREAD))
                return false;
        _cleanup_free_ char *of = xstrndup(name, n - end);
        return hook_name_parse(of, ret_job, ret_restarts);
}

/* Reports a journal that cannot be read. If the job still runs, its steps are ended, and sruns and
   the controller are told. */
static void note_put_aside(struct agent *a, const char *name, uint32_t id, uint32_t restarts) {
        struct job *j = job_find_exactly(a, id, restarts);

        if (j)
                j->steps_unread = true;
        log_fields(LOG_WARNING, 0, id, a->node,
                        "%s/makers/%s has steps of job %u that this slumberd cannot read: %s; the "
                        "file is kept until it is removed by hand",
                        a->spool, name, id,
                        j ? "they are ended, and it makes no more (scontrol requeue begins a batch job anew)"
                          : "the job is not here any more");
}

static void note_unread(struct agent *a) {
        char **names = folder_list("makers", false);

        for (size_t i = 0; names[i]; i++) {
                uint32_t job, restarts;
                if (is_put_aside(names[i], &job, &restarts))
                        note_put_aside(a, names[i], job, restarts);
                free(names[i]);
        }
        free(names);
}

static void adopt_makers(struct agent *a) {
        char **names = folder_list("makers", false);

        for (size_t i = 0; names[i]; i++) {
                uint32_t job = 0, restarts = 0;
                bool named = hook_name_parse(names[i], &job, &restarts);
                if (is_put_aside(names[i], &job, &restarts) && !a->options.forget) {
                        /* the file was set aside for the administrator */
                } else if (!named || a->options.forget) {
                        _cleanup_free_ char *path = xasprintf("makers/%s", names[i]);
                        (void)unlink(path);
                } else {
                        adopt_maker(a, job, restarts);
                }
                free(names[i]);
        }
        free(names);
}

static bool belongs_to_a_job(const struct agent *a, const struct cg *group) {
        for (const struct job *j = a->jobs; j; j = j->next)
                if (streq(cg_folder(j->group), cg_folder(group)))
                        return true;
        return false;
}

static void end_orphans(struct agent *a) {
        struct cg **groups = cg_system_list(a->cgroups);

        for (size_t i = 0; groups[i]; i++) {
                struct cg *g = groups[i];

                if (!belongs_to_a_job(a, g)) {
                        if (cg_may_be_populated(g)) {
                                log_warning(0, "Killing leftover processes without a step daemon: %s",
                                                cg_folder(g));
                                (void)cg_kill(g);
                        }
                        (void)cg_remove(g);
                }
                cg_free(g);
        }
        free(groups);
        cg_system_tidy(a->cgroups);
}

int jobs_adopt(struct agent *a, struct fail *fail) {
        int r = hooks_adopt(a, fail);

        if (r < 0)
                return r;
        adopt_makers(a);
        steps_adopt(a);
        note_unread(a);
        end_orphans(a);
        a->adopted = true;
        steps_put_cpus_back(a);
        return 0;
}
