/* SPDX-License-Identifier: GPL-3.0-or-later */
/* salloc holds an allocation for a command or a shell on this host.
 *
 * srun's code (srun.c) requests the allocation, waits, and reconnects after a restart of a daemon.
 * This file takes over when the allocation exists: salloc_allocated() waits for the nodes if
 * configured or requested, command_launch() runs the command in a process group of its own (which
 * gets the terminal), command_reap() handles the command's end and releases the allocation. If the
 * allocation ends first (salloc_revoked()), the command stays, as in Slurm, unless --kill-command
 * is set or the command is an interactive shell, which gets SIGHUP. */
#include "commands/steps/x11_forward.h"
#include "commands/submit/srun.h"

#include "commands/jobenv.h"
#include "lib/child.h"
#include "lib/errors.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>

#define SALLOC      "salloc"
#define SAY_WAITING USEC_PER_SEC /* no message if the nodes are up sooner */
/* Time for releasing the allocation while the controller is away; the controller would notice by
   itself */
#define LET_GO     (10 * USEC_PER_SEC)
#define BELL_AFTER (10 * USEC_PER_SEC) /* by default the bell rings after longer waits only */

extern char **environ;

struct salloc {
        usec_t began;
        pid_t child; /* 0: not running */
        bool shell;  /* no command given */
        bool terminal;
        bool waiting, said_waiting; /* for the nodes */
        usec_t wait_notice;
        usec_t let_go; /* deadline for releasing the allocation */
        char *nodes;
        struct environment *env;
        int rc;
};

static void salloc_print(const struct srun *s, const char *format, ...) _printf_(2, 3);
static void salloc_print(const struct srun *s, const char *format, ...) {
        va_list ap;

        if (s->o.quiet)
                return;
        fputs(SALLOC ": ", stderr);
        va_start(ap, format);
        vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
}

/* ---- the command ---- */

static void give_terminal(const struct salloc *a, pid_t group) {
        if (!a->terminal)
                return;
        signal(SIGTTOU, SIG_IGN); /* salloc may be in the background */
        (void)tcsetpgrp(STDIN_FILENO, group);
        signal(SIGTTOU, SIG_DFL);
}

static void bell_ring(const struct srun *s) {
        bool late = now_monotonic() - s->salloc->began >= BELL_AFTER;

        if ((s->o.bell == 1 || (s->o.bell == 0 && late)) && isatty(STDOUT_FILENO)) {
                putchar('\a');
                fflush(stdout);
        }
}

/* Returns the path of the command, found from salloc's own folder even with --chdir: an absolute
   path unless the command is not in PATH. The caller frees. */
static char *find_command(const struct srun *s) {
        _cleanup_free_ char *cwd = job_cwd(),
                            *found = program_find(s->argv[0], getenv("PATH"), true);

        return *found == '/' || !path_is_there(found) ? TAKE(found)
                                                      : xasprintf("%s/%s", cwd, found);
}

/* Runs the command in the child; reports the errno of a failed exec through the pipe. */
_Noreturn static void command_exec(const struct srun *s, int report) {
        struct salloc *a = s->salloc;
        sigset_t none;
        int error = 0;

        (void)setpgid(0, 0);
        give_terminal(a, getpid());
        signal(SIGPIPE, SIG_DFL);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        environ = environment_vector(a->env);
        _cleanup_free_ char *program = find_command(s);
        if (s->o.chdir && chdir(s->o.chdir) < 0) {
                error = errno;
                command_error(SALLOC,
                                "Couldn't chdir to `%s': %s: going to current directory instead",
                                s->o.chdir, strerror(error));
        }
        execvp(program, s->argv);
        error = errno;
        (void)!write(report, &error, sizeof error);
        _exit(EXIT_FAILURE);
}

static void allocation_relinquish(struct srun *s) {
        if (!s->revoked)
                salloc_print(s, "Relinquishing job allocation %u", s->job);
        s->salloc->let_go = srun_now(s) + LET_GO;
        srun_finish(s);
}

static void fail_to_start(struct srun *s, int error) {
        _cleanup_free_ char *program = find_command(s);

        if (error == ENOENT && !path_is_there(program))
                command_error(SALLOC, "_fork_command: Unable to find command \"%s\"", s->argv[0]);
        else
                command_error(SALLOC, "_fork_command: Unable to exec command \"%s\": %s", program,
                                strerror(error));
        s->failed = true;
        s->salloc->rc = command_exit_error();
        allocation_relinquish(s);
}

static void command_launch(struct srun *s) {
        struct salloc *a = s->salloc;
        int report[2], error = 0;

        if (s->o.no_shell) {
                s->phase = SRUN_DONE; /* the allocation stays */
                return;
        }
        if (pipe2(report, O_CLOEXEC) < 0) {
                fail_to_start(s, errno);
                return;
        }
        a->child = fork();
        if (a->child == 0)
                command_exec(s, report[1]);
        if (a->child < 0)
                error = errno;
        close(report[1]);
        if (a->child > 0)
                (void)setpgid(a->child, a->child); /* parent and child both try */
        if (!error && read(report[0], &error, sizeof error) <= 0)
                error = 0;
        close(report[0]);
        if (!error)
                return;
        if (a->child > 0)
                (void)waitpid(a->child, NULL, 0);
        a->child = 0;
        give_terminal(a, getpgrp());
        fail_to_start(s, error);
}

/* Handles ^Z: gives the terminal back to salloc's shell, stops, and resumes the command when
   salloc is resumed. */
static void stop_too(const struct salloc *a) {
        if (!a->terminal)
                return;
        give_terminal(a, getpgrp());
        (void)raise(SIGSTOP);
        give_terminal(a, a->child);
        (void)kill(-a->child, SIGCONT);
}

/* Returns salloc's exit code for the command's status. As in Slurm, these signals count as
   success. */
static int code_of(int status) {
        if (WIFEXITED(status))
                return WEXITSTATUS(status);
        int sig = WTERMSIG(status);
        return sig == SIGHUP || sig == SIGINT || sig == SIGQUIT || sig == SIGKILL ? EXIT_SUCCESS
                                                                                  : EXIT_FAILURE;
}

static void command_reap(struct srun *s) {
        struct salloc *a = s->salloc;
        int status;

        if (a->child == 0 || waitpid(a->child, &status, WNOHANG | WUNTRACED) != a->child)
                return;
        if (WIFSTOPPED(status)) {
                stop_too(a);
                return;
        }
        a->child = 0;
        give_terminal(a, getpgrp());
        if (s->phase != SRUN_RUNNING) /* salloc has hung up the command */
                return;
        a->rc = code_of(status);
        s->status = (uint32_t)a->rc << 8;
        allocation_relinquish(s);
}

/* ---- the allocation ---- */

static void take_environment(struct salloc *a, const Slumber__Allocation *allocation) {
        _cleanup_free_ char *cwd = job_cwd();

        for (size_t i = 0; i < allocation->n_environment; i++)
                environment_put(a->env, allocation->environment[i]);
        environment_set(a->env, "SLURM_SUBMIT_DIR", "%s", cwd);
}

static int command_environment_fill(struct srun *s, const Slumber__Allocation *allocation,
                struct fail *fail) {
        struct salloc *a = s->salloc;
        int r = job_env_fill(a->env, environ, NULL, true, fail);

        if (r >= 0)
                take_environment(a, allocation);
        if (s->o.hint)
                environment_set(a->env, "SLURM_HINT", "%s", s->o.hint);
        job_options_tell_steps(&s->o, s->n_later ? 0 : -1, a->env);
        for (size_t i = 0; i < s->n_later; i++)
                job_options_tell_steps(&s->later[i], (int)i + 1, a->env);
        if (!isempty(s->o.spec.container))
                environment_set(a->env, "SLURM_CONTAINER", "%s", s->o.spec.container);
        if (s->o.acct_frequency_text)
                environment_set(a->env, "SLURM_ACCTG_FREQ", "%s", s->o.acct_frequency_text);
        return r;
}

/* LaunchParameters=use_interactive_step: srun runs the shell on the first node. */
static void run_there(struct srun *s, const char *options) {
        static char *argv[] = { (char *)"/bin/sh", (char *)"-c", NULL, NULL };

        if (!s->salloc->shell || isempty(options))
                return;
        environment_set(s->salloc->env, "SHELL", "%s", s->argv[0]);
        argv[2] = xasprintf("exec srun %s", options);
        s->argv = argv;
        s->argc = 3;
}

void salloc_allocated(struct srun *s, const Slumber__Allocation *allocation) {
        struct salloc *a = s->salloc;
        struct fail fail = { 0 };

        s->phase = SRUN_RUNNING;
        if (!allocation || command_environment_fill(s, allocation, &fail) < 0) {
                command_error(SALLOC, "job %u has no environment%s%s", s->job,
                                *fail.text ? ": " : "", fail.text);
                s->failed = true;
                allocation_relinquish(s);
                return;
        }
        salloc_print(s, "Granted job allocation %u", s->job);
        x11_forward(SALLOC, s->job);
        bell_ring(s);
        a->nodes = xstrdup(allocation->nodes);
        run_there(s, allocation->interactive);
        if (allocation->wait_nodes && !allocation->ready) {
                a->waiting = true;
                a->wait_notice = srun_now(s) + SAY_WAITING;
                return;
        }
        command_launch(s);
}

void salloc_ready(struct srun *s, const Slumber__Allocation *allocation) {
        struct salloc *a = s->salloc;

        if (!a->waiting || s->phase != SRUN_RUNNING)
                return;
        a->waiting = false;
        if (allocation) /* variables that depend on nodes being up */
                take_environment(a, allocation);
        if (a->said_waiting)
                salloc_print(s, "Nodes %s are ready for job", a->nodes);
        command_launch(s);
}

void salloc_time(struct srun *s) {
        struct salloc *a = s->salloc;

        if (s->phase == SRUN_COMPLETE && a->let_go && srun_now(s) >= a->let_go)
                s->phase = SRUN_DONE;
        if (!a->waiting || a->said_waiting || srun_now(s) < a->wait_notice)
                return;
        a->said_waiting = true;
        salloc_print(s, "Waiting for resource configuration");
}

usec_t salloc_deadline(const struct srun *s) {
        const struct salloc *a = s->salloc;

        if (s->phase == SRUN_COMPLETE && a->let_go)
                return a->let_go;
        return a->waiting && !a->said_waiting ? a->wait_notice : USEC_INFINITY;
}

static void end_command(const struct srun *s) {
        const struct salloc *a = s->salloc;
        int sig = s->o.kill_signal ? (int)s->o.kill_signal : a->shell && a->terminal ? SIGHUP : 0;

        if (sig && a->child > 0)
                (void)kill(-a->child, sig);
}

void salloc_revoked(struct srun *s, const Slumber__Job *job) {
        struct salloc *a = s->salloc;
        bool timeout = job && job->state == SLUMBER__JOB_STATE__JOB_TIMEOUT;

        if (a->waiting && !s->cancel_wanted) {
                command_error(SALLOC, "Nodes %s are still not ready", a->nodes);
                command_error(SALLOC, "Something is wrong with the boot of the nodes.");
        }
        if (timeout)
                salloc_print(s, "Job %u has exceeded its time limit and its allocation has been revoked.",
                                s->job);
        else
                salloc_print(s, "Job allocation %u has been revoked.", s->job);
        if (s->phase == SRUN_QUEUED) {
                salloc_print(s, "Job has been cancelled");
                command_error(SALLOC, "Job submit/allocate failed: %s",
                                slumber_error_text(SLUMBER_ALREADY_DONE));
        }
        if (a->child > 0) { /* command_reap() ends salloc */
                end_command(s);
                return;
        }
        s->failed = s->failed || s->phase < SRUN_COMPLETE;
        s->phase = SRUN_DONE;
}

/* Handles a signal. As in Slurm, SIGHUP is also sent to the command; other terminating signals
   end the allocation, and the command stays. */
bool salloc_signal(struct srun *s, int signal) {
        struct salloc *a = s->salloc;

        if (signal == SIGCHLD) {
                command_reap(s);
                return true;
        }
        if (s->phase < SRUN_RUNNING)
                return false;
        if (s->phase > SRUN_RUNNING) {
                s->phase = SRUN_DONE;
        } else if (signal == SIGUSR1 || signal == SIGUSR2 || signal == SIGALRM) {
                if (a->child > 0)
                        (void)kill(-a->child, signal);
        } else if (signal == SIGHUP || !s->w) {
                if (a->child > 0) {
                        (void)kill(-a->child, SIGHUP);
                        (void)kill(-a->child, SIGCONT);
                }
                s->failed = true;
                a->rc = EXIT_FAILURE;
                allocation_relinquish(s);
        } else if (!s->revoked) {
                if (a->waiting)
                        command_error(SALLOC, "Nodes %s are still not ready", a->nodes);
                s->cancel_wanted = true;
                srun_cancel(s); /* salloc_revoked() follows */
        }
        return true;
}

/* ---- start ---- */

static int salloc_options_read(struct srun *s, int argc, char **argv, struct fail *fail) {
        static char *shell[] = { NULL, NULL };
        int r = srun_sources_read(s, JOB_SALLOC, argc, argv, fail);

        if (r == 0)
                r = srun_read_components(s, argc, argv, fail);
        if (r != 0)
                return r;
        if (s->argc == 0) {
                const char *mine = getenv("SHELL");
                shell[0] = (char *)(uintptr_t)(isempty(mine) ? "/bin/sh" : mine);
                s->argc = 1;
                s->argv = shell;
                s->salloc->shell = true;
        }
        if (s->o.chdir && access(s->o.chdir, X_OK) < 0) /* before any request */
                return fail_set(fail, -errno, "chdir(%s): %s", s->o.chdir, strerror(errno));
        r = job_options_check(&s->o, fail);
        if (r >= 0)
                r = srun_options_read(s, fail);
        return r < 0 ? r : srun_become(s, fail);
}

static void salloc_done(struct salloc *a) {
        free(a->nodes);
        environment_free(a->env);
}

int salloc_main(int argc, char **argv) {
        _cleanup_(salloc_done) struct salloc a = { .began = now_monotonic(),
                .env = environment_new() };
        _cleanup_(srun_free) struct srun s = { .program = SALLOC,
                .salloc = &a,
                .output_fd = { -1, -1, -1 },
                .signal_fd = -1,
                .input_fd = -1,
                .hook_fd = -1,
                .failure = command_exit_error() };
        struct fail fail = { 0 };
        s.submit_line = command_line_text(argc, argv);
        int r = salloc_options_read(&s, argc, argv, &fail);

        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r < 0) {
                if (fail.text[0])
                        command_error(SALLOC, "%s", fail.text);
                return s.failure;
        }
        srun_say_options(&s);
        if (fail.text[0])
                salloc_print(&s, "%s", fail.text);
        a.terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
        if (srun_begin(&s) < 0)
                return s.failure;
        srun_run(&s);
        return a.rc ? a.rc : s.failed ? srun_failure(&s) : EXIT_SUCCESS;
}
