/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs run before and after each task: TaskProlog and TaskEpilog of slurm.conf, --task-prolog
 * and --task-epilog of srun.
 *
 * The programs run as the task's user in the step's cgroup, so that they are frozen, counted and
 * killed with the step. Prologs run one after the other in the process of the task; their output
 * changes the task's environment. After the task's end the step daemon starts the epilogs. The time
 * limit of an epilog is EPILOG_WAIT, of deleting a container CONTAINER_WAIT. */
#include "agent/step/parts.h"

#include "lib/trusted.h"
#include "lib/wordlist.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define EPILOG_WAIT    (5 * USEC_PER_SEC)
#define CONTAINER_WAIT (15 * USEC_PER_SEC) /* for three programs; unfinished work is left */
#define NOT_TRUSTED    126
#define CANNOT_RUN     127
#define PRINTED_MAX    (1u << 20) /* maximum bytes of a prolog's output */

/* Programs run after a task's end, in this order. */
enum { EPILOG_CONTAINER, EPILOG_SRUN, EPILOG_SITE, EPILOGS };

static const char *of_site(const struct step *s, bool prolog) {
        const Slumber__AgentConfig *config = s->spec->config;

        return !config ? "" : prolog ? config->task_prolog : config->task_epilog;
}

static const char *of_srun(const struct step *s, bool prolog) {
        const Slumber__StepSpec *spec = s->launch->spec;

        return s->launch->batch ? "" : prolog ? spec->task_prolog : spec->task_epilog;
}

/* ---- prologs ---- */

static void fail_task(const char *what, int code) __attribute__((noreturn));
static void fail_task(const char *what, int code) {
        dprintf(STDERR_FILENO, "slurmstepd: error: %s failed status=%d\n", what, code);
        _exit(code);
}

static void run_program(struct step *s, const char *path, int out) __attribute__((noreturn));
static void run_program(struct step *s, const char *path, int out) {
        char *v[] = { (char *)(uintptr_t)path, NULL };
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

        if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
                        dup2(out < 0 ? nothing : out, STDOUT_FILENO) < 0 ||
                        dup2(nothing, STDERR_FILENO) < 0)
                _exit(CANNOT_RUN);
        execve(path, v, environment_vector(s->environment));
        _exit(CANNOT_RUN);
}

/* Evaluates a line of a prolog's output: "print TEXT", "export NAME=VALUE" or "unset NAME". Other
   lines are ignored. */
static void prolog_run_line(struct step *s, const char *line) {
        static const char *const words[] = { "print ", "export ", "unset " };
        size_t i = 0;

        while (i < ELEMENTSOF(words) && strncmp(line, words[i], strlen(words[i])) != 0)
                i++;
        if (i == ELEMENTSOF(words))
                return;
        line += strlen(words[i]);
        line += strspn(line, " ");
        if (i == 0)
                dprintf(STDOUT_FILENO, "%s\n", line);
        else if (i == 1)
                environment_put(s->environment, line);
        else
                environment_unset(s->environment, line);
}

/* Returns the prolog's output until the prolog has ended or the pipe is closed; background
   processes are not waited for. The caller frees. */
static char *read_printed(int fd, pid_t pid) {
        _cleanup_close_ int ended = (int)syscall(SYS_pidfd_open, pid, 0);
        struct pollfd fds[] = { { .fd = fd, .events = POLLIN }, { .fd = ended, .events = POLLIN } };
        char *text = xmalloc(PRINTED_MAX + 1);
        size_t n = 0;

        (void)fcntl(fd, F_SETFL, O_NONBLOCK);
        for (bool over = false; !over && n < PRINTED_MAX;) {
                if (poll(fds, ELEMENTSOF(fds), -1) < 0 && errno != EINTR)
                        break;
                ssize_t k = read(fd, text + n, PRINTED_MAX - n);
                n += (size_t)MAX(k, (ssize_t)0);
                over = k == 0 || (k < 0 && fds[1].revents);
        }
        text[n] = 0;
        return text;
}

/* Runs as the task's user: fails unless only root, this user and the program's owner, often
   SlurmUser, can change a program of slurm.conf. */
static int check_site(const char *path, struct fail *fail) {
        struct stat st;

        if (stat(path, &st) < 0)
                return fail_set(fail, -errno, "%.200s: %s", path, strerror(errno));
        return trusted_file(path, st.st_uid, fail);
}

static void check_prolog(const char *path, const char *what, bool by_site) {
        struct fail fail;

        if (access(path, R_OK | X_OK) < 0) {
                dprintf(STDERR_FILENO, "slurmstepd: error: %s %s cannot be run: %s\n", what, path,
                                strerror(errno));
                fail_task(what, EXIT_FAILURE);
        }
        if (by_site && check_site(path, &fail) < 0) {
                dprintf(STDERR_FILENO, "slurmstepd: error: %s is not run: %s\n", what, fail.text);
                fail_task(what, EXIT_FAILURE);
        }
}

static void run_prolog(struct step *s, const char *path, const char *what, bool by_site) {
        int fds[2], status;

        if (!*path)
                return;
        check_prolog(path, what, by_site);
        if (pipe2(fds, O_CLOEXEC) < 0)
                fail_task(what, EXIT_FAILURE);
        pid_t pid = fork();
        if (pid == 0)
                run_program(s, path, fds[1]);
        close(fds[1]);
        if (pid < 0)
                fail_task(what, EXIT_FAILURE);
        _cleanup_free_ char *printed = read_printed(fds[0], pid);
        close(fds[0]);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        for_each_word(line, printed, "\n")
                prolog_run_line(s, line);
        if (status)
                fail_task(what, WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

bool task_has_prolog(const struct step *s) {
        return *of_site(s, true) || *of_srun(s, true);
}

void task_prologs(struct step *s) {
        environment_set(s->environment, "SLURM_SCRIPT_CONTEXT", "prolog_task");
        run_prolog(s, of_site(s, true), "TaskProlog", true);
        run_prolog(s, of_srun(s, true), "--task-prolog", false);
        environment_unset(s->environment, "SLURM_SCRIPT_CONTEXT");
}

/* ---- epilogs ---- */

static const char *epilog_path(const struct step *s, unsigned number) {
        return number == EPILOG_SRUN ? of_srun(s, false) : of_site(s, false);
}

static const char *epilog_name(unsigned number) {
        static const char *const names[EPILOGS] = {
                [EPILOG_CONTAINER] = "the end of the container",
                [EPILOG_SRUN] = "--task-epilog",
                [EPILOG_SITE] = "TaskEpilog",
        };

        return names[number];
}

static void epilog_child(struct step *s, size_t local, unsigned number, bool inside)
                __attribute__((noreturn));
static void epilog_child(struct step *s, size_t local, unsigned number, bool inside) {
        const char *path = epilog_path(s, number);
        const char *dir = s->launch->spec->work_dir;

        (void)setsid();
        if (task_enter(s, s->group, inside) < 0 || task_become_user(s) < 0)
                _exit(CANNOT_RUN);
        if (chdir(*dir ? dir : "/") < 0)
                (void)!chdir("/tmp");
        environment_of_task(s->environment, s->spec, local);
        environment_set(s->environment, "SLURM_SCRIPT_CONTEXT", "epilog_task");
        if (number == EPILOG_SITE && access(path, X_OK) >= 0 && check_site(path, NULL) < 0)
                _exit(NOT_TRUSTED);
        run_program(s, path, -1);
}

static bool start_epilog(struct step *s, struct task *t, unsigned number) {
        const char *path = epilog_path(s, number);
        size_t local = (size_t)(t - s->tasks);
        bool inside;

        if (number == EPILOG_CONTAINER ? !step_has_oci(s) : !*path)
                return false;
        pid_t pid = cg_fork(s->group, &inside);
        if (pid == 0 && number == EPILOG_CONTAINER)
                oci_clean(s, local, inside);
        if (pid == 0)
                epilog_child(s, local, number, inside);
        if (pid < 0) {
                step_complain(s, "%s cannot be run: %s", epilog_name(number), strerror(errno));
                return false;
        }
        t->pid = pid;
        t->epilog_by = now_monotonic() +
                       (number == EPILOG_CONTAINER ? CONTAINER_WAIT : EPILOG_WAIT);
        return true;
}

bool task_next_epilog(struct step *s, struct task *t) {
        while (t->epilogs < EPILOGS)
                if (start_epilog(s, t, t->epilogs++))
                        return true;
        return false;
}

void task_epilog_ended(struct step *s, struct task *t, int status) {
        unsigned number = t->epilogs - 1;

        t->epilog_by = 0;
        if (number == EPILOG_CONTAINER) {
                oci_forget(s, (size_t)(t - s->tasks));
                if (status)
                        step_complain(s, "container: RunTimeKill and RunTimeDelete %s",
                                        WIFSIGNALED(status) ? "take too long" : "have failed");
                return;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_RUN)
                step_complain(s, "%s %s cannot be run", epilog_name(number),
                                epilog_path(s, number));
        else if (number == EPILOG_SITE && WIFEXITED(status) && WEXITSTATUS(status) == NOT_TRUSTED)
                step_complain(s,
                                "%s %s is not run: others than root and the job's user can change it",
                                epilog_name(number), epilog_path(s, number));
        else if (status)
                step_complain(s, "%s failed status=%d", epilog_name(number), status);
}

static size_t start_cleaning(struct step *s) {
        size_t n = 0;

        environment_of_step(s->environment, s->spec);
        for (size_t i = 0; i < s->n_tasks; i++) {
                bool inside;
                pid_t pid = cg_fork(s->group, &inside);
                if (pid == 0) {
                        environment_of_task(s->environment, s->spec, i);
                        oci_clean(s, i, inside);
                }
                n += pid > 0;
        }
        return n;
}

void tasks_clean(struct step *s) {
        usec_t by = now_monotonic() + CONTAINER_WAIT, now;
        size_t left = start_cleaning(s);

        while (left > 0 && (now = now_monotonic()) < by) {
                struct pollfd p = { .fd = s->signal_fd, .events = POLLIN };
                struct signalfd_siginfo info;
                if (poll(&p, 1, (int)((by - now) / USEC_PER_MSEC) + 1) > 0)
                        (void)!read(s->signal_fd, &info, sizeof info);
                while (left > 0 && waitpid(-1, NULL, WNOHANG) > 0)
                        left--;
        }
        (void)cg_kill(s->group);
        for (size_t i = 0; i < s->n_tasks; i++)
                oci_forget(s, i);
}

static bool runs_epilog(const struct task *t) {
        return t->running && t->epilog_by && t->epilog_by != USEC_INFINITY;
}

bool task_epilogs_run(const struct step *s) {
        bool some = false;

        for (size_t i = 0; i < s->n_tasks; i++)
                some |= runs_epilog(&s->tasks[i]);
        return some;
}

void task_epilogs_put_off(struct step *s, usec_t by) {
        for (size_t i = 0; i < s->n_tasks; i++)
                if (runs_epilog(&s->tasks[i]))
                        s->tasks[i].epilog_by += by;
}

int task_epilogs_in_time(struct step *s, usec_t now) {
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; i < s->n_tasks; i++) {
                struct task *t = &s->tasks[i];

                if (!runs_epilog(t))
                        continue;
                if (t->epilog_by <= now) {
                        (void)kill(-t->pid, SIGKILL); /* including its children */
                        (void)kill(t->pid, SIGKILL);  /* before setsid() */
                        t->epilog_by = USEC_INFINITY;
                } else {
                        next = MIN(next, t->epilog_by);
                }
        }
        return next == USEC_INFINITY ? -1 : (int)((next - now) / USEC_PER_MSEC + 1);
}
