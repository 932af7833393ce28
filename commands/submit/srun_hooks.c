/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SrunProlog and SrunEpilog, --prolog and --epilog: programs on srun's host with srun's rights.
 *
 * A step with a prolog is held: the step has an id and nodes, and is launched at srun's request
 * (StepRequest.go). So no task runs before the prolog has succeeded, and if srun is killed in
 * between, the step ends, too. srun_run() watches the prolog beside all else. The epilog runs at
 * the very end, after the release of the allocation. Prolog and epilog each lead a process group: a
 * signal to srun ends the whole group. */
#include "commands/submit/srun.h"

#include "commands/jobenv.h"
#include "lib/child.h"
#include "lib/hostlist.h"
#include "lib/trusted.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

#define NOT_RUN    127  /* exit code of a program that cannot be run, as in a shell */
#define LEAVE_WAIT 2000 /* ms after SIGTERM, for a prolog whose step is over */

void srun_keep_allocation(struct srun *s, const Slumber__Allocation *allocation) {
        s->job_env = environment_free(s->job_env);
        s->job_env = environment_new();
        for (size_t i = 0; allocation && i < allocation->n_environment; i++)
                environment_put(s->job_env, allocation->environment[i]);
}

static void hook_add_step(const struct srun *s, struct environment *e, const char *context) {
        size_t n = hostlist_count(s->nodes);
        _cleanup_free_ const char **names = xnew(const char *, n + 1);

        for (size_t i = 0; i < n; i++)
                names[i] = hostlist_get(s->nodes, i);
        _cleanup_free_ char *nodes = hostlist_compress(names, n);
        environment_set(e, "SLURM_JOB_ID", "%u", s->job);
        environment_set(e, "SLURM_JOBID", "%u", s->job);
        environment_set(e, "SLURM_STEP_ID", "%u", s->step);
        environment_set(e, "SLURM_STEPID", "%u", s->step);
        environment_set(e, "SLURM_STEP_NODELIST", "%s", nodes);
        environment_set(e, "SLURM_STEP_NUM_NODES", "%zu", n);
        environment_set(e, "SLURM_STEP_NUM_TASKS", "%u", s->num_tasks);
        environment_set(e, "SLURM_NTASKS", "%u", s->num_tasks);
        environment_set(e, "SLURM_NPROCS", "%u", s->num_tasks);
        environment_set(e, "SLURM_UMASK", "%04o", job_umask());
        environment_set(e, "SLURM_SCRIPT_CONTEXT", "%s", context);
}

/* Runs a program with srun's environment, the allocation's and the step's; the arguments are the
   step's command. */
static int hook_program_start(struct srun *s, const char *path, const char *context,
                struct fail *fail) {
        _cleanup_(environment_freep) struct environment *e = environment_new();
        _cleanup_free_ char **argv = xnew0(char *, (size_t)s->argc + 2);
        char **rows = s->job_env ? environment_vector(s->job_env) : NULL;

        for (char **v = environ; *v; v++)
                environment_put(e, *v);
        for (; rows && *rows; rows++)
                environment_put(e, *rows);
        hook_add_step(s, e, context);
        argv[0] = (char *)(uintptr_t)path;
        memcpy(argv + 1, s->argv, (size_t)s->argc * sizeof argv[0]);
        const struct child_program program = { .program = path,
                .argv = argv,
                .input = CHILD_NOTHING, /* srun's input belongs to the tasks */
                .output = STDOUT_FILENO,
                .error = STDERR_FILENO };
        int r = child_start_with(&program, environment_vector(e), &s->hook, fail);
        if (r < 0)
                return r;
        s->hook_fd = (int)syscall(SYS_pidfd_open, s->hook, 0);
        if (s->hook_fd >= 0)
                return 0;
        r = fail_set(fail, -errno, "cannot watch %s: %s", path, strerror(errno));
        srun_hook_leave(s);
        return r;
}

/* Starts an option's program, or slurm.conf's, which no other user may be able to change. */
static int start_checked(struct srun *s, const char *own, const char *configured, const char *key,
                const char *context) {
        const char *path = isempty(own) ? configured : own;
        struct fail fail = { 0 };
        int r = path == own ? 0 : trusted_program(path, &fail);

        if (r >= 0) {
                r = hook_program_start(s, path, context, &fail);
                if (r < 0)
                        command_error(SRUN, "Failed to execute srun prolog/epilog script: %s",
                                        fail.text);
        } else
                command_error(SRUN, "%s: %s", key, fail.text);
        return r;
}

/* Returns the program's exit code; 1 if a signal has ended the program. */
static int hook_reap(struct srun *s) {
        int status = 0;

        while (waitpid(s->hook, &status, 0) < 0 && errno == EINTR)
                ;
        close(TAKE_FD(s->hook_fd));
        s->hook = 0;
        if (WIFEXITED(status))
                return WEXITSTATUS(status);
        command_error(SRUN, "script did not exit normally");
        return 1;
}

void srun_hook_signal(struct srun *s) {
        (void)kill(-s->hook, s->hook_told ? SIGKILL : SIGTERM);
        s->hook_told = true;
}

void srun_hook_leave(struct srun *s) {
        int status;

        if (s->hook <= 0)
                return;
        (void)kill(-s->hook, SIGTERM);
        if (s->hook_fd >= 0)
                (void)poll(&(struct pollfd){ .fd = s->hook_fd, .events = POLLIN }, 1, LEAVE_WAIT);
        (void)kill(-s->hook, SIGKILL);
        while (waitpid(s->hook, &status, 0) < 0 && errno == EINTR)
                ;
        if (s->hook_fd >= 0)
                close(TAKE_FD(s->hook_fd));
        s->hook = 0;
}

/* ---- prolog ---- */

static void srun_prolog_failed(struct srun *s, int code) {
        command_error(SRUN, "srun prolog failed rc = %d. Aborting step.", code);
        s->failed = s->refused = true;
        srun_end_step(s);
}

void srun_prolog_begin(struct srun *s, const Slumber__StepReply *reply) {
        s->held = true;
        if (isempty(s->o.srun_prolog) && isempty(reply->srun_prolog)) {
                s->go = true; /* slurm.conf had a prolog when the step was made, but not any more */
                srun_go(s);
        } else if (start_checked(s, s->o.srun_prolog, reply->srun_prolog, "SrunProlog",
                                   "prolog_srun") < 0)
                srun_prolog_failed(s, NOT_RUN);
}

void srun_prolog_over(struct srun *s) {
        int code = hook_reap(s);

        if (s->phase != SRUN_RUNNING || s->deadline) /* the step has ended, or has to end */
                return;
        if (code || s->hook_told) { /* the signal was meant for the step, too */
                srun_prolog_failed(s, code ? code : 1);
                return;
        }
        s->go = true;
        srun_go(s);
}

/* ---- epilog ---- */

void srun_epilog(struct srun *s) {
        const char *own = s->o.srun_epilog;
        struct signalfd_siginfo info;
        int code = NOT_RUN;

        if (!s->nodes || (isempty(own) ? isempty(s->epilog) : streq(own, "none")))
                return;
        s->hook_told = false;
        if (start_checked(s, own, s->epilog, "SrunEpilog", "epilog_srun") >= 0) {
                struct pollfd fds[] = { { .fd = s->hook_fd, .events = POLLIN },
                        { .fd = s->signal_fd, .events = POLLIN } };
                while (poll(fds, ELEMENTSOF(fds), -1) < 0 ? errno == EINTR : !fds[0].revents)
                        if (read(s->signal_fd, &info, sizeof info) == (ssize_t)sizeof info &&
                                        srun_signal_ends((int)info.ssi_signo))
                                srun_hook_signal(s);
                code = hook_reap(s);
        }
        if (code)
                command_error(SRUN, "srun epilog failed status=%d", code);
}
