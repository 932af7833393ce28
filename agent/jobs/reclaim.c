/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves the memory of a frozen job to swap. A child process does so, because the kernel works
 * inside of write() and takes long. The report to the controller has the kernel's memory counts
 * when the child has ended or the time is over.
 *
 * A thaw does not wait: the child is killed (the kernel stops at the next signal), no report is
 * sent, and the job's processes swap memory in as needed. The child closes slumberd's
 * descriptors, so that nobody takes the child for slumberd. */
#include "agent/jobs/reclaim.h"
#include "agent/state/agent.h"
#include "lib/timer.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct reclaim {
        struct job *job; /* NULL: no report is wanted any more */
        pid_t pid;
        sd_event_source *deadline;
        uint64_t serial, before;
        usec_t began;
};

static void send_result(struct agent *a, const Slumber__ReclaimJob *m, uint64_t before,
                uint64_t after, usec_t took, const char *error) {
        Slumber__ReclaimResult result = SLUMBER__RECLAIM_RESULT__INIT;
        Slumber__Error e = SLUMBER__ERROR__INIT;

        result.job_id = m->job_id;
        result.serial = m->serial;
        result.before = before;
        result.after = after;
        result.duration = took;
        if (error) {
                set_error(&e, SLUMBER_FAILED, error);
                result.error = &e;
        }
        ENVELOPE(env, RECLAIM_RESULT, reclaim_result, &result);
        upstream_send(a, &env);
}

/* Detaches r from the job and kills the child; r is freed when the child has ended. */
static void reclaim_detach(struct reclaim *r) {
        r->deadline = sd_event_source_disable_unref(r->deadline);
        r->job->reclaim = NULL;
        r->job = NULL;
        (void)kill(r->pid, SIGKILL); /* the child is not reaped yet, so the pid is valid */
}

void reclaim_stop(struct job *j) {
        if (j->reclaim)
                reclaim_detach(j->reclaim);
}

void reclaim_answer(struct job *j) {
        Slumber__ReclaimJob m = SLUMBER__RECLAIM_JOB__INIT;
        struct reclaim *r = j->reclaim;
        uint64_t after = 0;

        if (!r)
                return;
        m.job_id = j->id;
        m.serial = r->serial;
        int e = cg_memory_current(j->group, &after);
        usec_t took = now_monotonic() - r->began;
        log_fields(LOG_INFO, 0, j->id, j->agent->node,
                        "Job %u used %llu MB of memory, and uses %llu MB after %llu ms", j->id,
                        (unsigned long long)(r->before >> 20), (unsigned long long)(after >> 20),
                        (unsigned long long)(took / USEC_PER_MSEC));
        send_result(j->agent, &m, r->before, after, took,
                        e < 0 && e != -ENOENT ? "what it uses cannot be read" : NULL);
        reclaim_detach(r);
}

static int reclaim_on_ended(sd_event_source *source, const siginfo_t *si, void *user) {
        struct reclaim *r = user;

        (void)source, (void)si;
        if (r->job)
                reclaim_answer(r->job); /* no kill: the event loop reaps the child afterwards */
        free(r);
        return 0;
}

static int on_deadline(sd_event_source *source, uint64_t t, void *user) {
        struct reclaim *r = user;

        (void)source, (void)t;
        reclaim_answer(r->job);
        return 0;
}

static void push_out(struct cg *group, uint64_t keep) {
        sigset_t none;

        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)close_range(3, ~0u, 0);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        (void)cg_memory_push_out(group, keep);
        _exit(0);
}

static int reclaim_start(struct job *j, const Slumber__ReclaimJob *m, uint64_t before) {
        struct reclaim *r = xnew(struct reclaim, 1);

        *r = (struct reclaim){ .job = j,
                .serial = m->serial,
                .before = before,
                .began = now_monotonic() };
        int e = timer_new(j->agent->event, USEC_PER_MSEC, on_deadline, r, &r->deadline);
        if (e >= 0) {
                r->pid = fork();
                if (r->pid == 0)
                        push_out(j->group, m->keep);
                e = r->pid < 0 ? -errno
                               : sd_event_add_child(j->agent->event, NULL, r->pid, WEXITED,
                                                 reclaim_on_ended, r);
                /* the child's end cannot be watched for lack of descriptors; the reaping may
                   fail */
                if (e < 0 && r->pid > 0) {
                        (void)kill(r->pid, SIGKILL);
                        (void)waitpid(r->pid, NULL, WNOHANG);
                }
        }
        if (e < 0) {
                sd_event_source_disable_unref(r->deadline);
                free(r);
                return e;
        }
        timer_arm(r->deadline, m->timeout);
        j->reclaim = r;
        return 0;
}

void job_reclaim(struct agent *a, const Slumber__ReclaimJob *m) {
        struct job *j = job_find(a, m->job_id);
        struct fail why = { 0 };
        uint64_t before = 0;
        int r;

        if (!j) {
                send_result(a, m, 0, 0, 0, NULL);
                return;
        }
        reclaim_stop(j);
        if (job_terminating(j) || !cg_freezer_is_frozen(j->freezer)) {
                send_result(a, m, 0, 0, 0, "it does not stand still");
                return;
        }
        r = cg_system_reclaims(a->cgroups, &why);
        if (r >= 0)
                r = cg_memory_current(j->group, &before);
        if (r >= 0 && before <= m->keep) {
                send_result(a, m, before, before, 0, NULL);
                return;
        }
        if (r >= 0)
                r = reclaim_start(j, m, before);
        if (r < 0)
                send_result(a, m, 0, 0, 0, *why.text ? why.text : strerror(-r));
}
