/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the tasks of a step from its description.
 *
 * Invariant: a path chosen by the user is opened with the user's rights, never as root: the
 * single-threaded step daemon changes its effective ids for the open. The child of a task enters
 * the cgroup, drops all rights, and calls exec. A failure before exec is reported by a pipe which
 * closes at exec. */
#include "agent/common/script.h"
#include "agent/places/container.h"
#include "agent/step/mpi/pmi.h"
#include "agent/step/parts.h"
#include "agent/step/pattern.h"
#include "lib/child.h"
#include "lib/step/multiprog.h"
#include "lib/timetext.h"
#include "lib/user_file.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#define NOWHERE "/dev/null"

enum stage { STAGE_GROUP, STAGE_RIGHTS, STAGE_MAX };
static const char *const stage_texts[STAGE_MAX] = {
        [STAGE_GROUP] = "cannot enter the step's process group",
        [STAGE_RIGHTS] = "cannot become the user",
};
struct report {
        int stage, error;
};

/* ---- names of streams ---- */

static void say_started(struct step *s, const struct task *t) {
        char when[TIMETEXT_MAX];

        time_text(now_realtime(), NULL, when);
        step_debug(s, LOG_INFO, "task %u (%d) started %s", t->rank, (int)t->pid, when);
}

void step_debug_exit(struct step *s, const struct task *t) {
        if (WIFSIGNALED(t->status))
                step_debug(s, LOG_INFO, "task %u (%d) exited. Killed by signal %d.", t->rank,
                                (int)t->pid, WTERMSIG(t->status));
        else
                step_debug(s, LOG_INFO, "task %u (%d) exited with exit code %d.", t->rank,
                                (int)t->pid, WEXITSTATUS(t->status));
}

static const char *stream_pattern(const struct step *s, int number) {
        const Slumber__StepSpec *spec = s->launch->spec;
        const char *patterns[STREAM_MAX] = { spec->std_in, spec->std_out, spec->std_err };

        return patterns[number];
}

static bool pattern_is_number(const char *text) {
        return *text && text[strspn(text, "0123456789")] == 0;
}

/* Returns the path of a stream, freed by the caller; NULL: the client. */
static char *stream_path(const struct step *s, const struct task *t, int number) {
        const char *pattern = stream_pattern(s, number);
        struct pattern_names names = {
                .job = s->credential->job_id,
                .step = s->credential->step_id,
                .restarts = s->credential->restarts,
                .array_job = s->launch->array_job,
                .array_task = s->launch->array_task,
                .rank = t->rank,
                .node_rank = s->launch->node_rank,
                .node = s->spec->node,
                .user = s->user.name,
                .name = s->launch->spec->name,
        };

        if (s->launch->batch && !*pattern && number == STREAM_OUT)
                pattern = s->launch->array_job ? "slurm-%A_%a.out" : "slurm-%j.out";
        else if (s->launch->batch && !*pattern && number == STREAM_ERR)
                return stream_path(s, t, STREAM_OUT);
        else if (s->launch->batch && !*pattern)
                pattern = "none";
        if (streq(pattern, "none"))
                return xstrdup(NOWHERE);
        if (s->launch->batch)
                return pattern_expand(pattern, &names);
        if (!*pattern || streq(pattern, "all"))
                return NULL;
        if (pattern_is_number(pattern))
                return strtoul(pattern, NULL, 10) == t->rank ? NULL : xstrdup(NOWHERE);
        return pattern_expand(pattern, &names);
}

/* Opens a file as the user, non-blocking, so that a FIFO without its other end cannot block the
   step daemon. */
static int open_as_user(struct step *s, const char *path, int flags) {
        _cleanup_close_ int fd = -1;
        int r = step_put_on_user(s);

        if (r < 0) {
                (void)step_take_off_user();
                return r;
        }
        mode_t old = umask(s->launch->batch && s->launch->script ? (mode_t)s->launch->script->umask
                                                                 : (mode_t)s->launch->spec->umask);
        fd = user_file_open(path, flags | O_NONBLOCK, 0666);
        r = MIN(fd, 0);
        umask(old);
        int back = step_take_off_user();
        if (r < 0 || back < 0)
                return r < 0 ? r : back;
        (void)fcntl(fd, F_SETFL, flags); /* clears O_NONBLOCK */
        return TAKE_FD(fd);
}

static int open_stream(struct step *s, const char *path, int flags) {
        if (!streq(path, NOWHERE))
                return open_as_user(s, path, flags);
        /* root may open /dev/null: the path is not the user's choice, and the open cannot block */
        int fd = open(NOWHERE, (flags & O_ACCMODE) | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
}

/* Tasks writing to the same path share a descriptor and its position. */
static int step_open_output(struct step *s, const char *path) {
        int flags = O_WRONLY | O_CREAT | (s->launch->spec->append_output ? O_APPEND : O_TRUNC);
        int fd;

        for (size_t i = 0; i < s->n_outputs; i++)
                if (streq(s->outputs[i].path, path))
                        return s->outputs[i].fd;
        fd = open_stream(s, path, flags);
        if (fd < 0)
                return fd;
        GROW(s->outputs, s->outputs_allocated, s->n_outputs);
        s->outputs[s->n_outputs++] = (struct output){ xstrdup(path), fd };
        return fd;
}

/* Enters the work folder before files are opened: relative names of output files are below the work
   folder. */
static void enter_work_dir(struct step *s) {
        const char *dir = s->launch->spec->work_dir;
        int r = step_put_on_user(s);

        if (r >= 0)
                r = user_file_chdir(*dir ? dir : "/");
        if (r < 0 && chdir("/tmp") < 0)
                (void)!chdir("/");
        (void)step_take_off_user();
        if (s->launch->batch || environment_get(s->environment, "PWD"))
                environment_set(s->environment, "PWD", "%s", r < 0 ? "/tmp" : *dir ? dir : "/");
        s->chdir_error = r; /* reported once standard error is open */
}

/* Runs in the child, as the user: joining the job's mount namespace has left the work folder. */
static void enter_work_dir_again(struct step *s) {
        const char *dir = s->launch->spec->work_dir;

        if (s->container < 0 || (!s->chdir_error && chdir(*dir ? dir : "/") >= 0))
                return;
        if (chdir("/tmp") < 0)
                (void)!chdir("/");
        if (environment_get(s->environment, "PWD"))
                environment_set(s->environment, "PWD", "/tmp");
}

static int write_script(struct step *s, struct fail *fail) {
        const ProtobufCBinaryData *text = &s->launch->script->script;

        s->script = xasprintf("%s/slurm_script", s->spec->spool);
        int r = script_write(s->script, text->data, text->len, s->user.uid, s->user.gid);
        return r < 0 ? fail_set(fail, r, "cannot write %s: %s", s->script, strerror(-r)) : 0;
}

/* ---- in the child ---- */

static void task_report_failure(int fd, enum stage stage, int r) __attribute__((noreturn));
static void task_report_failure(int fd, enum stage stage, int r) {
        struct report report = { stage, -r };

        (void)!write(fd, &report, sizeof report);
        _exit(1);
}

static char **task_arguments(struct step *s, const struct task *t, struct fail *fail) {
        bool batch = s->launch->batch;

        if (!batch && *s->launch->spec->multi_prog) {
                char **own;
                int r = multiprog_arguments(s->launch->spec->multi_prog, t->rank, &own, fail);
                return r >= 0 ? own : NULL;
        }
        char **from = batch ? s->launch->script->arguments : s->launch->spec->arguments;
        size_t n = batch ? s->launch->script->n_arguments : s->launch->spec->n_arguments, k = 0;
        char **v = xnew(char *, n + 2);

        if (batch)
                v[k++] = s->script;
        for (size_t i = 0; i < n; i++)
                v[k++] = from[i];
        v[k] = NULL;
        return v;
}

char **step_script_arguments(struct step *s) {
        if (!s->script_arguments)
                s->script_arguments = task_arguments(s, NULL, NULL);
        return s->script_arguments;
}

char *task_executable(struct step *s, const struct task *t) {
        struct fail fail = { 0 };
        char **v = task_arguments(s, t, &fail);
        char *name = xstrdup(v && v[0] ? v[0] : "");

        if (!s->launch->batch && *s->launch->spec->multi_prog)
                multiprog_free(v);
        else
                free(v);
        return name;
}

static void task_exec(struct step *s, const struct task *t) __attribute__((noreturn));
/* The script exists, so a missing file is its interpreter: sets ret to the interpreter of the first
   line. */
static bool read_interpreter(const char *path, char *ret, size_t size) {
        /* opening a FIFO would block */
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        ssize_t n = fd < 0 ? -1 : read(fd, ret, size - 1);

        if (n < 3 || ret[0] != '#' || ret[1] != '!')
                return false;
        ret[n] = 0;
        size_t from = 2 + strspn(ret + 2, " \t");
        memmove(ret, ret + from, strlen(ret + from) + 1);
        ret[strcspn(ret, " \t\n")] = 0;
        return true;
}

static void task_exec(struct step *s, const struct task *t) {
        struct fail fail = { 0 };
        char **v = task_arguments(s, t, &fail), **e = environment_vector(s->environment);

        if (!v) {
                dprintf(STDERR_FILENO, "slurmstepd: error: multi-prog: %s\n", fail.text);
                _exit(EXIT_FAILURE);
        }
        v = spank_task_arguments(s, v);
        if (t->traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0) {
                dprintf(STDERR_FILENO,
                                "slurmstepd: error: the task cannot stop for a debugger: %s\n",
                                strerror(errno));
                _exit(EXIT_FAILURE);
        }
        pmi_keep(s);
        if (step_has_oci(s))
                oci_run(s, t, v);
        const char *program = program_find(v[0], environment_get(s->environment, "PATH"), true);
        execve(program, v, e);
        int error = errno;
        char interpreter[256];
        if (error == ENOENT && read_interpreter(program, interpreter, sizeof interpreter))
                dprintf(STDERR_FILENO, "slurmstepd: error: execve(): bad interpreter(%s): %s\n",
                                interpreter, strerror(error));
        else
                dprintf(STDERR_FILENO, "slurmstepd: error: execve(): %s: %s\n", program,
                                strerror(error));
        _exit(error);
}

static void task_child(struct step *s, struct task *t, size_t local, const int fds[STREAM_MAX],
                int report, struct cg *group, bool inside) __attribute__((noreturn));
static void task_child(struct step *s, struct task *t, size_t local, const int fds[STREAM_MAX],
                int report, struct cg *group, bool inside) {
        int r;

        (void)setsid();
        r = task_enter(s, group, inside);
        if (r < 0)
                task_report_failure(report, STAGE_GROUP, r);
        for (int i = 0; i < STREAM_MAX; i++)
                if (dup2(fds[i], i) < 0)
                        task_report_failure(report, STAGE_RIGHTS, -errno);
        environment_of_task(s->environment, s->spec, local);
        environment_set(s->environment, "SLURM_TASK_PID", "%d", (int)getpid());
        pmi_take(s, t);
        pmix_take(s, t);
        spank_task_privileged(s, t);
        oci_take(s, local);
        r = task_become_user(s);
        if (r < 0)
                task_report_failure(report, STAGE_RIGHTS, r);
        enter_work_dir_again(s);
        task_make_tmpdir(s, local == 0);
        if (task_has_pty(s, t))
                pty_take();
        bind_task(s, t, local);
        if (bind_task_memory(s, t, local) < 0)
                _exit(EXIT_FAILURE);
        if (task_has_prolog(s)) {
                /* prologs may run long or be frozen: the task counts as launched */
                close(report);
                task_prologs(s);
        }
        spank_task_init(s, t);
        task_exec(s, t);
}

/* ---- in the step daemon ---- */

/* Sets the task's stream to the step daemon's end of a new pipe, and returns the other end. */
static int make_pipe(struct task *t, int number) {
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        bool in = number == STREAM_IN;
        t->stream[number].fd = fds[in ? 1 : 0];
        t->stream[number].open = !in;
        (void)fcntl(t->stream[number].fd, F_SETFL, O_NONBLOCK);
        return fds[in ? 0 : 1];
}

/* --label: lines in a file get their task's rank, too. */
static bool is_labelled(const struct step *s, int number, const char *path) {
        return !s->launch->batch && s->launch->spec->label && number != STREAM_IN &&
               !streq(path, NOWHERE);
}

/* Returns the descriptor of a task's stream. *ret_close: only the child needs the descriptor. */
static int task_stream(struct step *s, struct task *t, int number, bool *ret_close,
                struct fail *fail) {
        static const char *const words[STREAM_MAX] = { "stdin", "stdout", "stderr" };
        _cleanup_free_ char *path = stream_path(s, t, number);
        int fd;

        *ret_close = !path || number == STREAM_IN;
        if (!path)
                fd = make_pipe(t, number);
        else if (number == STREAM_IN)
                fd = open_stream(s, path, O_RDONLY);
        else
                fd = step_open_output(s, path);
        if (fd >= 0 && path && is_labelled(s, number, path)) {
                stream_label(&t->stream[number], fd);
                fd = make_pipe(t, number);
                *ret_close = true;
        }
        if (fd < 0)
                return fail_set(fail, fd, "Could not open %s file %s: %s", words[number],
                                path ? path : "(pipe)", user_file_error(fd));
        return fd;
}

static bool spec_pty(const struct step *s) {
        return !s->launch->batch && s->launch->spec->pty;
}

/* Opens /dev/null for the other tasks of a step with a terminal. */
static int open_nothing(int fds[STREAM_MAX], bool own[STREAM_MAX], struct fail *fail) {
        for (int i = 0; i < STREAM_MAX; i++) {
                fds[i] = open(NOWHERE, (i == STREAM_IN ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
                own[i] = true;
                if (fds[i] < 0)
                        return fail_set(fail, -errno, "Could not open " NOWHERE ": %s",
                                        strerror(errno));
        }
        return 0;
}

/* Opens the streams of a task. Without --error, errors go to the file of standard output; see
   sbatch(1). */
static int open_streams(struct step *s, struct task *t, int fds[STREAM_MAX], bool own[STREAM_MAX],
                struct fail *fail) {
        if (spec_pty(s))
                return task_has_pty(s, t) ? pty_open(s, t, fds, own, fail)
                                          : open_nothing(fds, own, fail);
        for (int i = 0; i < STREAM_MAX; i++) {
                bool joined = i == STREAM_ERR && !s->launch->batch && !*stream_pattern(s, i) &&
                              *stream_pattern(s, STREAM_OUT) &&
                              (t->stream[STREAM_OUT].fd < 0 || t->stream[STREAM_OUT].labels);

                own[i] = false;
                fds[i] = joined ? fds[STREAM_OUT] : task_stream(s, t, i, &own[i], fail);
                if (fds[i] < 0)
                        return fds[i];
        }
        return 0;
}

/* Opens a batch script's streams with a single change of ids, as all are files. */
static int open_of_script(struct step *s, struct task *t, int fds[STREAM_MAX], bool own[STREAM_MAX],
                struct fail *fail) {
        step_keep_user();
        enter_work_dir(s);
        int r = open_streams(s, t, fds, own, fail), back = step_take_off_user();

        return r < 0 || back >= 0 ? r
                                  : fail_set(fail, back, "cannot become root again: %s",
                                                    strerror(-back));
}

static void say_work_dir(struct step *s) {
        if (s->chdir_error < 0)
                step_complain(s, "couldn't chdir to `%s': %s: going to /tmp instead",
                                s->launch->spec->work_dir, user_file_error(s->chdir_error));
}

static void close_streams(struct task *t) {
        for (int i = 0; i < STREAM_MAX; i++)
                if (t->stream[i].fd >= 0) /* queued messages are kept */
                        close(TAKE_FD(t->stream[i].fd));
}

/* Sets where the step daemon's own messages go: to the first task's standard error. own: a pipe,
   whose other end the step daemon has; else fd is the file. */
static void find_errors(struct step *s, const struct task *t, int fd, bool own) {
        bool shared = !own && t->stream[STREAM_OUT].labels; /* shared with standard output */

        if (shared)
                s->error_stream = STREAM_OUT;
        else if (!own)
                s->error_fd = fd;
}

/* A file that cannot be opened is the user's fault: the task counts as run and failed, as in
   Slurm. */
static int refuse_streams(struct step *s, struct task *t, const struct fail *fail) {
        fprintf(stderr, "slumberstepd: job %u: %s\n", s->credential->job_id, fail->text);
        if (s->error_fd >= 0 || !s->launch->batch) /* srun shows the reason */
                step_complain(s, "%s", fail->text);
        if (!s->no_streams)
                s->no_streams = xstrdup(fail->text);
        close_streams(t);
        t->status = TASK_STATUS_NO_STREAMS;
        return 0;
}

/* A program may create the folder of a job's output just after sbatch has returned the job id. */
static bool may_come(const struct step *s, int r) {
        return r == -ENOENT && now_monotonic() < s->folders_by;
}

/* Returns the task's process, or a negative errno. */
static int fork_task(struct step *s, struct task *t, size_t local, const int fds[STREAM_MAX],
                struct cg *group, struct fail *fail) {
        int report[2];
        bool inside;

        if (pipe2(report, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
        t->exec_fd = report[0];
        int r = pmi_open(s, t, fail);
        if (r >= 0) {
                r = cg_fork(group, &inside);
                if (r == 0)
                        task_child(s, t, local, fds, report[1], group, inside);
                if (r < 0)
                        r = fail_set(fail, -errno, "cannot start a process: %s", strerror(errno));
                pmi_opened(s, t);
        }
        close(report[1]);
        return r;
}

static int start_process(struct step *s, struct task *t, size_t local, const int fds[STREAM_MAX],
                struct fail *fail) {
        _cleanup_(cg_freep) struct cg *group = NULL;
        int r = cg_open_task(s->group, t->rank, &group);

        if (r < 0)
                return fail_set(fail, r, "cannot make a group for task %u: %s", t->rank,
                                strerror(-r));
        r = script_start(s, fds, group);
        if (r < 0)
                r = fork_task(s, t, local, fds, group, fail);
        if (r < 0)
                return r;
        t->pid = r;
        t->running = true;
        s->n_running++;
        return 0;
}

/* Starts a task. Returns 1 if a folder of its files does not exist yet. */
static int task_start(struct step *s, struct task *t, size_t local, struct fail *fail) {
        int fds[STREAM_MAX] = { -1, -1, -1 }, r;
        bool own[STREAM_MAX] = { 0 };

        r = s->launch->batch ? open_of_script(s, t, fds, own, fail)
                             : open_streams(s, t, fds, own, fail);
        if (may_come(s, r)) {
                close_streams(t);
                for (int i = 0; i < STREAM_MAX; i++) {
                        t->stream[i].open = false;
                        labels_free(TAKE(t->stream[i].labels));
                }
                r = 1;
                goto finish;
        }
        if (local == 0)
                find_errors(s, t, fds[STREAM_ERR], own[STREAM_ERR]);
        if (r < 0) {
                r = refuse_streams(s, t, fail);
                goto finish;
        }
        if (local == 0)
                say_work_dir(s);
        r = start_process(s, t, local, fds, fail);
finish:
        for (int i = 0; i < STREAM_MAX; i++)
                if (own[i] && fds[i] >= 0)
                        close(fds[i]);
        return r;
}

int task_check_exec(struct task *t, struct fail *fail) {
        struct report report;
        ssize_t n = read(t->exec_fd, &report, sizeof report);

        if (n < 0 && errno == EINTR)
                return 0;
        close(TAKE_FD(t->exec_fd));
        if (n != sizeof report)
                return 1;
        return fail_set(fail, -report.error, "%s: %s", stage_texts[report.stage],
                        strerror(report.error));
}

/* Sets variables for a batch script. Tasks of srun get only srun's environment: --export=NONE means
   none. */
static void describe_user(struct step *s) {
        struct environment *e = s->environment;

        environment_default(e, "USER", s->user.name);
        environment_default(e, "LOGNAME", s->user.name);
        if (s->user.home)
                environment_default(e, "HOME", s->user.home);
        if (s->user.shell)
                environment_default(e, "SHELL", s->user.shell);
        environment_default(e, "PATH", "/usr/local/bin:/usr/bin:/bin");
}

/* Sets variables to this cluster's values: the job may come from another cluster. */
static void say_where_we_are(struct step *s) {
        static const char *const names[] = { "SLUMBER_SOCKET", "SLURM_CONF" };
        struct environment *e = s->environment;

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (getenv(names[i]))
                        environment_set(e, names[i], "%s", getenv(names[i]));
        _cleanup_free_ char *marker = cg_marker(s->group);
        environment_put(e, marker);
}

int step_start_tasks(struct step *s, struct fail *fail) {
        int r = 0;

        environment_of_step(s->environment, s->spec);
        if (s->launch->batch)
                describe_user(s);
        say_where_we_are(s);
        if (s->launch->batch)
                r = write_script(s, fail);
        if (r >= 0)
                r = spank_start(s, fail);
        sort_memory(s);
        s->folders_by = now_monotonic() + FOLDERS_WAIT;
        step_debug(s, LOG_INFO, "starting %zu tasks", s->n_tasks);
        step_debug(s, LOG_DEBUG, "StepId=%u.%u: node %u of %u, uid %u, gid %u",
                        s->credential->job_id, s->credential->step_id, s->launch->node_rank,
                        s->launch->num_nodes, s->credential->uid, s->credential->gid);
        return r < 0 ? r : step_start_more(s, fail);
}

int step_start_more(struct step *s, struct fail *fail) {
        int r = 0;

        if (!s->launch->batch)
                enter_work_dir(s);
        while (r == 0 && step_waits(s)) {
                struct task *t = &s->tasks[s->n_started];

                r = task_start(s, t, s->n_started, fail);
                if (r == 0) {
                        s->n_started++;
                        stream_started(s, t);
                        say_started(s, t);
                }
        }
        (void)!chdir("/");
        return r < 0 || step_waits(s) ? MIN(r, 0) : spank_forked(s, fail);
}
