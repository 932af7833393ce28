/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberstepd - owns the processes of a step on a node, and survives restarts of slumberd
 *
 * serve.c forks the step daemon with a link to slumberd, by which a StepdSpec arrives, and with a
 * listening socket. The step daemon starts the tasks, passes their streams, reaps tasks and their
 * orphans, kills leftovers after the last task, waits until the client has all output, and keeps
 * the result until slumberd reports that the controller has the result (StepdRelease).
 *
 *     idle -> running -> last task ended -> leftovers killed, output taken -> over -> released
 *          -> idle
 *
 * An idle step daemon waits for another step: a short step is much cheaper without a new process.
 * After anything unusual the step daemon exits instead; an idle one exits when slumberd closes the
 * link.
 *
 * The extern step (PrologFlags=Contain) has no tasks: its step daemon keeps its cgroup until the
 * job ends, and reports the use of the cgroup.
 *
 * The step daemon is outside of the step's cgroup, so that it answers while the job is frozen.
 * slumberd signals, freezes and kills all processes of a job by the cgroup. The end of a single
 * step (scancel JOB.STEP, srun -K) is done here, so that its KillWait runs while slumberd is
 * down. */
#include "agent/common/realtime.h"
#include "agent/places/container.h"
#include "agent/step/mpi/exchange.h"
#include "agent/step/mpi/pmi.h"
#include "agent/step/mpi/pmi_names.h"
#include "agent/step/mpi/pmix_some.h"
#include "agent/step/parts.h"

#include "cgroup/proc.h"
#include "lib/child.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#define LEFTOVER_WAIT (60 * USEC_PER_SEC) /* if slurm.conf has no UnkillableStepTimeout */
#define FREEZE_LOOK   1000                /* ms, while a deadline is pending */
#define LEFTOVER_POLL 2                   /* ms */
#define DRAIN_WAIT    (5 * USEC_PER_SEC)  /* maximum wait for the client of a cancelled step */
#define DRAIN_POLL    100                 /* ms */
#define ORPHAN_POLL   1000                /* ms */
#define FOLDERS_POLL  10                  /* ms */

/* ---- the start ---- */

static int check_spec(struct step *s, struct fail *fail) {
        if (!s->spec->launch || !s->spec->credential || !s->spec->launch->spec)
                return fail_set(fail, -EBADMSG, "the step's description is malformed");
        if (s->spec->launch->batch && !s->spec->launch->script)
                return fail_set(fail, -EBADMSG, "a batch step without a script");
        s->launch = s->spec->launch;
        s->credential = s->spec->credential;
        s->is_extern = s->credential->step_id == STEP_EXTERN;
        if (!s->launch->batch && !s->is_extern && s->launch->spec->n_arguments == 0)
                return fail_set(fail, -EBADMSG, "a step without a program");
        return 0;
}

static int make_tasks(struct step *s, struct fail *fail) {
        Slumber__LaunchStep *l = s->spec->launch;

        if (l->batch && l->n_ranks == 0) {
                l->ranks = xnew0(uint32_t, 1); /* freed by protobuf-c */
                l->n_ranks = 1;
        }
        if (l->n_ranks == 0 || l->n_ranks > STEP_TASKS_MAX)
                return fail_set(fail, -E2BIG, "%zu tasks on one node; 1 to %d are possible",
                                l->n_ranks, STEP_TASKS_MAX);
        s->n_tasks = l->n_ranks;
        s->error_stream = STREAM_ERR;
        s->tasks = xnew0(struct task, s->n_tasks);
        for (size_t i = 0; i < s->n_tasks; i++) {
                s->tasks[i].rank = l->ranks[i];
                s->tasks[i].exec_fd = -1;
                s->tasks[i].traced = !l->batch && l->spec->stop_at_exec;
                for (int k = 0; k < STREAM_MAX; k++)
                        s->tasks[i].stream[k].fd = -1;
        }
        return 0;
}

static void raise_files(struct step *s) {
        struct rlimit l;

        if (getrlimit(RLIMIT_NOFILE, &s->files) < 0)
                return;
        l = s->files;
        l.rlim_cur = l.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &l);
}

static int stepd_set_up(struct step *s) {
        sigset_t set;

        (void)setsid();
        (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
        (void)realtime_take(0);
        raise_files(s);
        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        if (sigprocmask(SIG_SETMASK, &set, NULL) < 0)
                return -errno;
        (void)signal(SIGPIPE, SIG_IGN);
        s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
        return s->signal_fd < 0 ? -errno : 0;
}

/* ---- slumberd's requests ---- */

static void sign_reason(struct step *s, const char *reason, bool step_only) {
        bool node_failed = streq(reason, "NODE FAILURE");
        char when[32], step[32] = "";
        time_t now = time(NULL);
        struct tm tm;

        if (s->launch->node_rank != 0)
                return;
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", localtime_r(&now, &tm));
        if (!s->launch->batch || step_only)
                snprintf(step, sizeof step, ".%s", STEP_WORD(s->credential->step_id));
        step_complain(s, "*** %s %u%s ON %s CANCELLED AT %s%s%s%s ***", *step ? "STEP" : "JOB",
                        s->credential->job_id, step, s->spec->node, when, *reason ? " DUE TO " : "",
                        reason, node_failed ? ", SEE SLURMCTLD LOG FOR DETAILS" : "");
}

/* Signals the running tasks except those in had: a child about to enter the cgroup is not listed
   there yet. */
static void signal_tasks(const struct step *s, int sig, const struct pid_set *had) {
        for (size_t i = 0; i < s->n_tasks; i++)
                if (s->tasks[i].running && !pid_set_has(had, s->tasks[i].pid))
                        (void)kill(s->tasks[i].pid, sig);
}

static void on_terminate(struct step *s, const Slumber__StepdTerminate *t) {
        struct pid_set had = { 0 };

        if (!s->terminating && s->n_running > 0)
                sign_reason(s, t->reason, t->kill_wait > 0);
        if (s->is_extern && !s->terminating)
                vm_look(s);
        s->terminating = true;
        if (t->kill_wait == 0 || (s->kill_at > 0 && !t->now))
                return;
        s->kill_at = now_monotonic() + (t->now ? 0 : t->kill_wait);
        if (t->now)
                return;
        (void)cg_signal(s->group, SIGCONT);
        (void)cg_signal_listed(s->group, SIGTERM, &had);
        signal_tasks(s, SIGTERM, &had);
        pid_set_done(&had);
}

/* Kills the step when kill_at has come. Returns the milliseconds until kill_at; -1: none. */
static int kill_in_time(struct step *s, usec_t now) {
        if (s->kill_at == 0 || s->kill_at == USEC_INFINITY)
                return -1;
        if (s->kill_at > now)
                return (int)MIN((s->kill_at - now) / USEC_PER_MSEC + 1, INT_MAX);
        (void)cg_kill(s->group);
        s->killed = true;
        s->kill_at = cg_must_poll(s->group) ? now + LEFTOVER_POLL * USEC_PER_MSEC : USEC_INFINITY;
        return cg_must_poll(s->group) ? LEFTOVER_POLL : -1;
}

/* Suspends KillWait and the time limit of TaskEpilog while the step's processes are frozen. Returns
   the milliseconds until the next check; -1: none. */
static int put_off_ends(struct step *s, usec_t now) {
        bool kills = s->kill_at && s->kill_at != USEC_INFINITY && !s->killed,
             ends = kills || task_epilogs_run(s);
        usec_t since = now - MIN(now, s->looked_at);

        if (ends && s->looked_at && since && cg_frozen(s->group) > 0) {
                s->kill_at += kills ? since : 0;
                task_epilogs_put_off(s, since);
        }
        s->looked_at = ends ? now : 0;
        return ends ? FREEZE_LOOK : -1;
}

/* Returns true if sig ends a process by default. A task not started yet ignores SIGSTOP and similar
   signals. */
static bool ends_process(uint32_t sig) {
        static const uint32_t others[] = {
                SIGCONT,
                SIGSTOP,
                SIGTSTP,
                SIGTTIN,
                SIGTTOU,
                SIGCHLD,
                SIGURG,
                SIGWINCH,
        };

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                if (sig == others[i])
                        return false;
        return sig > 0 && sig < NSIG;
}

static void on_signal_tasks(struct step *s, const Slumber__StepdSignal *m) {
        struct pid_set had = { 0 };

        if (*m->text) {
                step_complain(s, "%s", m->text);
                return;
        }
        step_debug(s, LOG_DEBUG, "signal %u", m->signal);
        if (step_waits(s) && ends_process(m->signal) && !s->stop_signal)
                s->stop_signal = m->signal;
        if (!m->batch_only || m->signal >= NSIG)
                return;
        for (size_t i = 0; i < m->n_had; i++)
                pid_set_add(&had, (pid_t)m->had[i]);
        signal_tasks(s, (int)m->signal, &had);
        pid_set_done(&had);
}

static void on_spec(struct step *s, Slumber__StepdSpec *spec);

static void stepd_on_message(Envelope *env, void *user) {
        struct step *s = user;
        bool begins = env->body_case == SLUMBER__ENVELOPE__BODY_STEPD_SPEC;

        /* sent before slumberd received StepdIdle */
        if (!s->spec && (env->body_case == SLUMBER__ENVELOPE__BODY_NODE_MESSAGE ||
                                        env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO ||
                                        env->body_case == SLUMBER__ENVELOPE__BODY_STEP_STAT_ASK))
                return;
        if (begins == (s->spec != NULL)) { /* only the first message is a StepdSpec */
                link_drop(s->link);
                return;
        }
        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_STEPD_SPEC:
                on_spec(s, TAKE(env->stepd_spec));
                break;
        case SLUMBER__ENVELOPE__BODY_STEP_IO:
                if (s->is_extern)
                        step_x11_io(s, env->step_io);
                else if (env->step_io->tell_processes) /* the launch's result was lost */
                        s->launch_reported &= s->launch_error < 0;
                else
                        step_io(s, env->step_io);
                break;
        case SLUMBER__ENVELOPE__BODY_NODE_MESSAGE:
                if (!s->is_extern)
                        exchange_message(s, env->node_message, now_monotonic());
                break;
        case SLUMBER__ENVELOPE__BODY_STEP_STAT_ASK:
                report_stat(s, env->id);
                break;
        case SLUMBER__ENVELOPE__BODY_STEPD_SIGNAL:
                on_signal_tasks(s, env->stepd_signal);
                break;
        case SLUMBER__ENVELOPE__BODY_STEPD_TERMINATE:
                on_terminate(s, env->stepd_terminate);
                break;
        case SLUMBER__ENVELOPE__BODY_STEPD_RELEASE:
                s->released = s->over;
                s->stays = env->stepd_release->stay;
                break;
        default:
                link_drop(s->link);
        }
}

static void on_connect(struct step *s) {
        int fd = rendezvous_accept(s->listen_fd);

        if (fd < 0)
                return;
        link_accept(s->link, fd);
        report_hello(s);
        if (s->is_extern)
                step_x11_resume(s);
        else
                step_resume(s);
        exchange_resume(s);
        report_launch(s);
}

/* ---- starts and ends of tasks ---- */

static struct task *step_find_task(struct step *s, pid_t pid) {
        for (size_t i = 0; i < s->n_tasks; i++)
                if (s->tasks[i].running && s->tasks[i].pid == pid)
                        return &s->tasks[i];
        return NULL;
}

static void add_usage(struct rusage *sum, const struct rusage *u) {
        timeradd(&sum->ru_utime, &u->ru_utime, &sum->ru_utime);
        timeradd(&sum->ru_stime, &u->ru_stime, &sum->ru_stime);
        sum->ru_maxrss = MAX(sum->ru_maxrss, u->ru_maxrss);
}

#define BLOCK 512 /* bytes: the unit of ru_inblock and ru_oublock */

/* Adds the use of an ended task, including the processes which the task waited for. */
static void measure_task(struct measures *m, const struct task *t, const struct rusage *u) {
        measures_add(m, MEASURE_CPU, usec_of(&u->ru_utime) + usec_of(&u->ru_stime), t->rank);
        measures_add(m, MEASURE_RSS, (uint64_t)u->ru_maxrss * 1024, t->rank);
        measures_add(m, MEASURE_PAGES, (uint64_t)u->ru_majflt, t->rank);
        measures_add(m, MEASURE_READ, (uint64_t)u->ru_inblock * BLOCK, t->rank);
        measures_add(m, MEASURE_WRITTEN, (uint64_t)u->ru_oublock * BLOCK, t->rank);
        if (t->vm_peak)
                measures_add(m, MEASURE_VM, t->vm_peak, t->rank);
}

static void step_launch_failed(struct step *s, int r, const char *text) {
        s->n_started = s->n_tasks;
        report_set_launch(s, r, text);
        step_send_output(s); /* sends messages about the failure */
        step_drop_output(s);
        step_drop_files(s);
        (void)cg_kill(s->group);
        for (size_t i = 0; i < s->n_tasks; i++)
                if (s->tasks[i].running)
                        (void)kill(s->tasks[i].pid, SIGKILL);
}

static void check_exec(struct step *s, struct task *t) {
        struct fail fail = { 0 };
        int r = task_check_exec(t, &fail);

        if (r < 0)
                step_launch_failed(s, r, fail.text);
}

/* The launch succeeds when every task has called exec; with start_frozen the tasks cannot reach
   exec, and are not waited for. */
static void check_launched(struct step *s) {
        if (s->launch_known || step_waits(s))
                return;
        for (size_t i = 0; i < s->n_tasks && !s->launch->start_frozen; i++)
                if (s->tasks[i].exec_fd >= 0 || (s->tasks[i].traced && s->tasks[i].running))
                        return;
        report_set_launch(s, 0, "");
}

/* A traced task has begun its program: detaches, and leaves the task stopped until SIGCONT. A task
   stopped by another signal before is detached with this signal. */
static void task_stopped(struct task *t, int status) {
        bool begun = WSTOPSIG(status) == SIGTRAP;

        if (ptrace(PTRACE_DETACH, t->pid, NULL, begun ? SIGSTOP : WSTOPSIG(status)) >= 0 ||
                        errno == ESRCH)
                t->traced = false;
}

static void on_child(struct step *s) {
        struct signalfd_siginfo info;
        struct rusage usage;
        int status;
        pid_t pid;

        /* a single read is enough: SIGCHLD does not queue */
        (void)!read(s->signal_fd, &info, sizeof info);
        while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
                struct task *t = step_find_task(s, pid);

                if (WIFSTOPPED(status)) { /* reported for traced tasks only */
                        if (t)
                                task_stopped(t, status);
                        continue;
                }
                add_usage(&s->usage, &usage);
                if (!t)
                        continue;
                t->traced = false;
                if (t->exec_fd >= 0)
                        check_exec(s, t);
                if (t->epilog_by) {
                        task_epilog_ended(s, t, status);
                } else {
                        measure_task(&s->measures, t, &usage);
                        t->status = t->aborted ? s->abort_status
                                    : status == SIGKILL && step_out_of_memory(s)
                                                    ? TASK_STATUS_OUT_OF_MEMORY
                                                    : status;
                        step_debug_exit(s, t);
                        t->running = false;
                        spank_task_exit(s, t);
                        t->running = true;
                }
                if (s->launch_error >= 0 && task_next_epilog(s, t))
                        continue;
                t->running = false;
                s->n_running--;
                if (s->n_running > 0)
                        task_send_exit(s, t);
        }
}

/* ---- the end ---- */

static void close_inputs(struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                stream_done(&s->tasks[i].stream[STREAM_IN]);
}

/* Kills the processes left in the cgroup. true: the cgroup is empty, or the time limit has
   passed. */
static bool leftovers_gone(struct step *s) {
        usec_t wait = s->spec->config && s->spec->config->unkillable_timeout
                                      ? s->spec->config->unkillable_timeout
                                      : LEFTOVER_WAIT;

        s->leftovers = cg_may_be_populated(s->group);
        if (!s->leftovers)
                return true;
        if (s->stop_by == 0 || cg_must_poll(s->group))
                (void)cg_kill(s->group);
        if (s->stop_by == 0)
                s->stop_by = now_monotonic() + wait;
        if (now_monotonic() <= s->stop_by)
                return false;
        s->leftovers = false;
        s->abandoned = true; /* processes that cannot be killed may hold the pipes open for ever */
        return true;
}

static void say_out_of_memory(struct step *s) {
        if (s->out_of_memory_said || !step_out_of_memory(s))
                return;
        s->out_of_memory_said = true;
        if (s->launch->batch) /* overrides the script's own exit status */
                s->tasks[0].status = TASK_STATUS_OUT_OF_MEMORY;
        if (!s->over_memory) /* over_memory has been reported before */
                step_complain(s, "Detected out of memory: processes of this step were killed");
}

/* Returns true when all output is delivered, or given up: a lost client must not delay the end of a
   cancelled step. */
static bool output_delivered(struct step *s) {
        if (s->abandoned || step_drained(s))
                return true;
        if (s->terminating && s->drain_by == 0)
                s->drain_by = now_monotonic() + DRAIN_WAIT;
        if (s->drain_by && now_monotonic() > s->drain_by) {
                step_drop_output(s);
                step_drop_files(s);
        }
        return false;
}

/* Ends the step after the last task: leftovers are killed, so that pipes close; then the client
   gets the rest of the output. The extern step lasts until the job's end. */
static void try_to_finish(struct step *s) {
        if (s->is_extern && !s->terminating && s->launch_error >= 0)
                return;
        step_x11_end(s);
        if (s->over || s->n_running > 0 || step_waits(s) || !leftovers_gone(s))
                return;
        if (!s->over_at)
                s->over_at = now_boottime();
        step_cpu_freq_end(s);
        say_out_of_memory(s);
        spank_exit(s);
        close_inputs(s);
        if (!output_delivered(s))
                return;
        report_set_launch(s, 0, "");
        report_launch(s);
        s->over = true;
        report_ended(s);
}

/* Releases a step whose record is gone: no slumberd will ever ask for the result. */
static void check_orphaned(struct step *s) {
        _cleanup_free_ char *path = xasprintf("%s/record", s->spec->spool);

        if (s->over && !link_up(s->link) && access(path, F_OK) < 0 && errno == ENOENT)
                s->released = true;
}

/* Returns the milliseconds until gathered pieces of output are read; -1: none. */
static int output_gather_time(const struct step *s, usec_t now) {
        if (s->gather_until == USEC_INFINITY)
                return -1;
        return s->gather_until <= now ? 0 : (int)((s->gather_until - now) / USEC_PER_MSEC + 1);
}

static int timeout_sooner(int a, int b) { /* -1: never */
        return a < 0 || b < 0 ? MAX(a, b) : MIN(a, b);
}

/* Returns the timeout for poll(): events report everything except the end of leftovers and time
   limits. */
static int stepd_poll_timeout(struct step *s, usec_t now) {
        if (!s->spec)
                return -1;
        int wait = timeout_sooner(exchange_patience(s, now), pmi_names_patience(s, now));
        wait = timeout_sooner(wait, pmix_some_patience(s, now));
        if (s->over)
                return timeout_sooner(wait, link_up(s->link) ? -1 : ORPHAN_POLL);
        if (step_waits(s))
                return timeout_sooner(wait, FOLDERS_POLL);
        if (s->is_extern && !s->terminating)
                return timeout_sooner(timeout_sooner(wait, memory_watch(s, now)), vm_watch(s, now));
        if (s->n_running > 0) {
                wait = timeout_sooner(wait, put_off_ends(s, now));
                wait = timeout_sooner(wait, output_gather_time(s, now));
                wait = timeout_sooner(wait, memory_watch(s, now));
                wait = timeout_sooner(wait, memory_watch_kills(s, now));
                wait = timeout_sooner(wait, task_epilogs_in_time(s, now));
                wait = timeout_sooner(wait, vm_watch(s, now));
                return timeout_sooner(wait, kill_in_time(s, now));
        }
        return timeout_sooner(wait, s->leftovers ? LEFTOVER_POLL : s->drain_by ? DRAIN_POLL : -1);
}

/* ---- the event loop ---- */

enum source { SOURCE_LISTEN, SOURCE_SIGNAL, SOURCE_LINK, SOURCE_FIXED };

struct polled { /* a polled for each pollfd, unused for the fixed ones */
        struct task *task;
        int number; /* number of the stream, or POLLED_... */
        void *connection;
};
/* POLLED_FILE + number: the labelled file of a stream */
enum { POLLED_EXEC = STREAM_MAX, POLLED_PMI, POLLED_PMIX, POLLED_X11, POLLED_FILE };

struct poller {
        struct pollfd *fd;
        struct polled *what;
        size_t n, fd_allocated, what_allocated;
};

static void poller_add(struct poller *p, int fd, short events, struct task *t, int number) {
        GROW(p->fd, p->fd_allocated, p->n);
        GROW(p->what, p->what_allocated, p->n);
        p->fd[p->n] = (struct pollfd){ .fd = fd, .events = events };
        p->what[p->n++] = (struct polled){ t, number, NULL };
}

static void add_connection(int fd, short events, void *what, void *user) {
        struct poller *p = user;

        poller_add(p, fd, events, NULL, POLLED_X11);
        p->what[p->n - 1].connection = what;
}

static void poller_collect(struct step *s, struct poller *p, usec_t now) {
        p->n = 0;
        s->gather_until = USEC_INFINITY;
        /* an idle step daemon has no state to report to a new slumberd */
        poller_add(p, s->spec ? s->listen_fd : -1, POLLIN, NULL, 0);
        poller_add(p, s->signal_fd, POLLIN, NULL, 0);
        poller_add(p, link_fd(s->link), (short)(POLLIN | (link_queued(s->link) ? POLLOUT : 0)),
                        NULL, 0);
        short of_pmix;
        int pmix = pmix_wants(s, &of_pmix);
        if (pmix >= 0)
                poller_add(p, pmix, of_pmix, NULL, POLLED_PMIX);
        if (step_x11_listener(s) >= 0)
                add_connection(step_x11_listener(s), POLLIN, NULL, p);
        step_x11_wants(s, add_connection, p);
        for (size_t i = 0; i < s->n_tasks; i++) {
                struct task *t = &s->tasks[i];
                short events;
                int pmi = pmi_wants(s, t, &events);

                if (t->exec_fd >= 0)
                        poller_add(p, t->exec_fd, POLLIN, t, POLLED_EXEC);
                if (pmi >= 0)
                        poller_add(p, pmi, events, t, POLLED_PMI);
                if (stream_wants_write(t))
                        poller_add(p, t->stream[STREAM_IN].fd, POLLOUT, t, STREAM_IN);
                for (int k = STREAM_OUT; k < STREAM_MAX; k++) {
                        if (stream_wants_read(s, t, k, now))
                                poller_add(p, t->stream[k].fd, POLLIN, t, k);
                        if (labels_wait(t, k))
                                poller_add(p, labels_fd(t, k), POLLOUT, t, POLLED_FILE + k);
                }
        }
}

static void poller_dispatch(struct step *s, struct poller *p) {
        for (size_t i = SOURCE_FIXED; i < p->n; i++) {
                struct polled *w = &p->what[i];

                if (p->fd[i].revents == 0)
                        continue;
                if (w->number == POLLED_EXEC)
                        check_exec(s, w->task);
                else if (w->number == POLLED_PMI)
                        pmi_serve(s, w->task);
                else if (w->number == POLLED_PMIX)
                        pmix_serve(s);
                else if (w->number == POLLED_X11)
                        step_x11_serve(s, w->connection, p->fd[i].revents);
                else if (w->number >= POLLED_FILE && w->number < POLLED_FILE + STREAM_MAX)
                        labels_write(s, w->task, w->number - POLLED_FILE);
                else if (w->number == STREAM_IN)
                        stream_write(s, w->task);
                else
                        stream_read(s, w->task, w->number);
        }
        if (p->fd[SOURCE_LINK].revents & POLLOUT)
                link_flush(s->link);
        if (p->fd[SOURCE_LINK].revents & ~POLLOUT && link_up(s->link))
                link_read(s->link, stepd_on_message, s);
        /* messages come first: a task asked to end may have ended meanwhile */
        if (p->fd[SOURCE_SIGNAL].revents)
                on_child(s);
        if (p->fd[SOURCE_LISTEN].revents)
                on_connect(s);
}

/* ---- a series of steps ---- */

/* job_container/tmpfs: joins the job's mount namespace. */
static int open_container(struct step *s, struct fail *fail) {
        const Slumber__JobContainer *m = s->spec->config ? s->spec->config->container : NULL;
        _cleanup_(environment_freep) struct environment *e = environment_new();

        if (!m)
                return 0;
        environment_set(e, "SLURM_JOB_ID", "%u", s->credential->job_id);
        environment_set(e, "SLURM_JOB_UID", "%u", s->credential->uid);
        environment_set(e, "SLURM_JOB_MOUNT_SRC", "%s", m->folder);
        environment_set(e, "SLURMD_NODENAME", "%s", s->spec->node);
        environment_put(e, CHILD_PATH);
        const struct container c = { .path = m->folder,
                .dirs = m->dirs,
                .init_script = m->init_script,
                .environment = environment_vector(e),
                .shared = m->shared };
        return container_open(&c, &s->container, fail);
}

static void start_step(struct step *s) {
        struct fail fail = { 0 };

        int r = open_container(s, &fail);
        if (s->is_extern && r >= 0) { /* no tasks: sessions are moved into the cgroup */
                step_x11_begin(s);
                report_hello(s); /* reports DISPLAY */
                return;
        }
        if (r >= 0)
                r = make_tasks(s, &fail);

        if (r >= 0)
                r = memory_share_kills(s, &fail);
        if (r >= 0)
                r = user_find(s->credential, &s->user, &fail);
        if (r >= 0)
                step_cpu_freq_begin(s);
        if (r >= 0)
                r = pmi_begin(s, &fail);
        if (r >= 0)
                r = pmix_begin(s, &fail);
        if (r >= 0)
                r = step_start_tasks(s, &fail);
        if (r >= 0)
                step_cpu_freq_tell(s);
        if (r >= 0 && s->user.looked_up)
                report_hello(s); /* reports the user's groups, for the next step */
        if (r < 0)
                step_launch_failed(s, r, fail.text);
}

/* Starts tasks waiting for a folder of their files, once the folder exists or the time limit has
   passed. */
static void start_more(struct step *s) {
        struct fail fail = { 0 };

        if (s->terminating && !s->stop_signal)
                s->stop_signal = SIGTERM;
        while (s->stop_signal && step_waits(s)) {
                struct task *t = &s->tasks[s->n_started++];

                t->status = (int)s->stop_signal;
                stream_started(s, t);
        }
        int r = step_waits(s) ? step_start_more(s, &fail) : 0;
        if (r < 0)
                step_launch_failed(s, r, fail.text);
}

/* Deletes the containers of a step whose step daemon was killed; the step itself does not run. */
static void step_clean_containers(struct step *s) __attribute__((noreturn));
static void step_clean_containers(struct step *s) {
        struct fail fail = { 0 };

        if (open_container(s, &fail) >= 0 && make_tasks(s, &fail) >= 0 &&
                        user_find(s->credential, &s->user, &fail) >= 0)
                tasks_clean(s);
        else
                fprintf(stderr, "slumberstepd: %s\n", fail.text);
        _exit(EXIT_SUCCESS);
}

static void on_spec(struct step *s, Slumber__StepdSpec *spec) {
        struct fail fail = { 0 };
        int r;

        (void)prctl(PR_SET_NAME, "slumberstepd");
        s->spec = spec;
        if (spec->hook)
                hook_run(s, spec->hook);
        s->environment = environment_new();
        r = check_spec(s, &fail);
        if (r >= 0)
                r = cg_open(s->spec->cgroup, &s->group, &fail);
        if (r < 0) {
                fprintf(stderr, "slumberstepd: %s\n", fail.text);
                _exit(1);
        }
        if (spec->clean)
                step_clean_containers(s);
        start_step(s);
}

static void step_done(struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = 0; k < STREAM_MAX; k++)
                        stream_done(&s->tasks[i].stream[k]);
        for (size_t i = 0; i < s->n_outputs; i++) {
                free(s->outputs[i].path);
                close(s->outputs[i].fd);
        }
        free(s->outputs);
        exchange_done(s);
        pmi_done(s);
        pmix_done(s);
        step_x11_done(s);
        free(s->x11_fault);
        free(s->cpu_freq_fault);
        free(s->tasks);
        free(s->script);
        free(s->script_arguments);
        spank_done(s);
        free(s->no_streams);
        user_done(&s->user);
        environment_free(s->environment);
        if (s->container >= 0)
                close(s->container);
        cg_free(s->group);
        if (s->spec)
                slumber__stepd_spec__free_unpacked(s->spec, NULL);
}

/* Returns true if slumberd wants an idle step daemon, the step ended normally, and no child is
   left. */
static bool may_stay(const struct step *s) {
        pid_t pid;

        if (!s->stays || s->plugins || s->launch_error < 0 || s->abandoned || !link_up(s->link))
                return false;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
                ;
        return pid < 0 && errno == ECHILD;
}

/* Keeps the members surviving a step and clears all others. */
static void become_idle(struct step *s) {
        Slumber__StepdIdle idle = SLUMBER__STEPD_IDLE__INIT;

        step_done(s);
        *s = (struct step){
                .link = s->link,
                .listen_fd = s->listen_fd,
                .signal_fd = s->signal_fd,
                .files = s->files,
                .error_fd = -1,
                .container = -1,
                .linked = true,
        };
        (void)prctl(PR_SET_NAME, "stepd-idle");
        ENVELOPE(env, STEPD_IDLE, stepd_idle, &idle);
        link_send(s->link, &env);
}

/* Does all due work between two calls of poll(). false: the step daemon has to exit. */
static bool step_goes_on(struct step *s) {
        if (!s->spec) /* a new step daemon's StepdSpec may be waiting */
                link_read(s->link, stepd_on_message, s);
        if (!s->spec)
                return link_up(s->link);
        if (step_waits(s))
                start_more(s);
        check_launched(s);
        report_launch(s);
        try_to_finish(s);
        check_orphaned(s);
        pmi_names_go_on(s, now_monotonic());
        pmix_some_go_on(s, now_monotonic());
        exchange_go_on(s, now_monotonic());
        if (s->released && link_queued(s->link) == 0 && exchange_settled(s, now_monotonic())) {
                if (!may_stay(s))
                        return false;
                become_idle(s);
                return link_up(s->link);
        }
        step_send_output(s);
        step_x11_send(s);
        return true;
}

static int stepd_loop(struct step *s) {
        struct poller p = { 0 };

        while (step_goes_on(s)) {
                usec_t now = now_monotonic();

                poller_collect(s, &p, now);
                if (poll(p.fd, p.n, stepd_poll_timeout(s, now)) < 0 && errno != EINTR)
                        break;
                poller_dispatch(s, &p);
        }
        free(p.fd);
        free(p.what);
        return 0;
}

void stepd_run(const int fds[STEP_FDS]) {
        static struct step step = { .error_fd = -1, .container = -1 };
        struct step *s = &step;
        int r;

        s->listen_fd = fds[STEP_FD_LISTENER];
        s->link = link_new();
        link_accept(s->link, fds[STEP_FD_LINE]);
        s->linked = true; /* the next link asks for data lost with this one */
        r = stepd_set_up(s);
        if (r < 0)
                fprintf(stderr, "slumberstepd: %s\n", strerror(-r));
        else
                r = stepd_loop(s);
        step_done(s);
        s->link = link_free(s->link);
        /* No exit handlers: the leak checker starts a helper, which is a child of this process.
           Without cgroups the helper may be killed with the step, and the checker would wait for
           ever. */
        _exit(r < 0);
}
