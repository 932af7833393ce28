/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --container: runs a task in an OCI container, by the runtime of oci.conf.
 *
 * The runtime and its children run in the process of the task, as the user and in the step's
 * cgroup. The user reads the bundle; the runtime gets a folder of root in the step's spool with a
 * config.json of the user. The runtime sees cgroup v2 read-only, and leaves the task in its cgroup
 * even if root runs it. */
#include "lib/files/oci.h"
#include "agent/oci/bundle.h"
#include "agent/oci/oci_line.h"
#include "agent/step/mpi/pmi.h"
#include "agent/step/parts.h"

#include <fcntl.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define CGROUPS   "/sys/fs/cgroup"
#define PMI_AT    3     /* first descriptor passed to a container: LISTEN_FDS */
#define STATE_MAX 65536 /* maximum bytes of RunTimeQuery's output */

enum { FILE_CONFIG, FILE_ENVIRONMENT, FILE_MAX };
static const char *const file_names[FILE_MAX] = { "config.json", "environment" };

/* Used in the task's process only. */
static int files[FILE_MAX] = { -1, -1 };
static char *bundle_root;

static const Slumber__OciConfig *config_of(const struct step *s) {
        return s->spec->config ? s->spec->config->oci : NULL;
}

static void container_fail(const char *format, ...) _printf_(1, 2) __attribute__((noreturn));
static void container_fail(const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        dprintf(STDERR_FILENO, "slurmstepd: error: container: %s\n", text);
        _exit(EXIT_FAILURE);
}

static char *folder_of(const struct step *s, size_t local) {
        return xasprintf("%s/container.%zu", s->spec->spool, local);
}

/* ---- the runtime's view of cgroups ---- */

/* Returns the mount point of cgroup v2, freed by the caller; NULL: not mounted. */
static char *find_cgroup2(void) {
        _cleanup_fclose_ FILE *f = fopen("/proc/self/mountinfo", "re");
        _cleanup_free_ char *line = NULL;
        char *found = NULL;
        size_t size = 0;

        while (f && !found && getline(&line, &size, f) >= 0) {
                char at[256];

                if (strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %*s %255s", at) == 1)
                        found = xstrdup(at);
        }
        return found;
}

/* Makes cgroups read-only for the process; needs root. Returns 0 or a negative errno. */
static int hide_cgroups(uid_t uid) {
        _cleanup_free_ char *from = find_cgroup2();

        if (getuid() != 0)
                return 0;
        if (!from) /* a plain user cannot leave the cgroup */
                return uid == 0 ? -EOPNOTSUPP : 0;
        if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) < 0 ||
                        mount(from, CGROUPS, NULL, MS_BIND, NULL) < 0 ||
                        mount("none", CGROUPS, NULL,
                                        MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV |
                                                        MS_NOEXEC,
                                        NULL) < 0)
                return -errno;
        return 0;
}

/* ---- the folder ---- */

void oci_forget(const struct step *s, size_t local) {
        _cleanup_free_ char *folder = folder_of(s, local);

        for (size_t i = 0; i < FILE_MAX; i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, file_names[i]);
                (void)unlink(path);
        }
        (void)rmdir(folder);
}

static int container_make_file(const struct step *s, const char *folder, size_t i) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, file_names[i]);

        files[i] = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (files[i] < 0)
                return -errno;
        return geteuid() == 0 && fchown(files[i], s->user.uid, s->user.gid) < 0 ? -errno : 0;
}

void oci_take(struct step *s, size_t local) {
        const Slumber__OciConfig *c = config_of(s);
        _cleanup_free_ char *folder = folder_of(s, local);

        if (!step_has_oci(s))
                return;
        if (!c)
                container_fail("this node has heard of no oci.conf");
        oci_forget(s, local);
        int r = mkdir(folder, 0711) < 0 || chmod(folder, 0711) < 0 ? -errno : 0;
        if (r >= 0)
                r = container_make_file(s, folder, FILE_CONFIG);
        if (r >= 0 && *c->env_file)
                r = container_make_file(s, folder, FILE_ENVIRONMENT);
        if (r < 0)
                container_fail("cannot make %s: %s", folder, strerror(-r));
        r = hide_cgroups(s->user.uid);
        if (r < 0)
                container_fail("cannot hide the cgroups of this node: %s", strerror(-r));
}

/* ---- lines of oci.conf ---- */

static char *oci_expand_line(const struct step *s, size_t local, const char *pattern, uint32_t pid,
                char **arguments) {
        _cleanup_free_ char *folder = folder_of(s, local);
        _cleanup_free_ char *env_file = xasprintf("%s/%s", folder, file_names[FILE_ENVIRONMENT]);
        _cleanup_free_ char *step = s->credential->step_id == STEP_BATCH
                                                    ? xstrdup("batch")
                                                    : xasprintf("%u", s->credential->step_id);
        const Slumber__OciConfig *c = config_of(s);

        return oci_line(pattern,
                        &(struct oci_names){
                                        .bundle = c->ignore_config ? s->launch->spec->container
                                                                   : folder,
                                        .folder = folder,
                                        .root = bundle_root,
                                        .env_file = env_file,
                                        .node = s->spec->node,
                                        .user = s->user.name,
                                        .arguments = arguments,
                                        .job = s->credential->job_id,
                                        .task = s->tasks[local].rank,
                                        .uid = s->user.uid,
                                        .pid = pid,
                                        .step = step,
                        });
}

/* Returns the lines not matched by pattern, an extended regular expression; borrowed from e. */
static char **environment_filter(struct environment *e, const char *pattern) {
        char **all = environment_vector(e), **some = xnew(char *, environment_count(e) + 1);
        regex_t re;
        size_t n = 0;
        bool any = *pattern && regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) == 0;

        if (*pattern && !any)
                container_fail("\"%.100s\" is not a regular expression", pattern);
        for (; *all; all++)
                if (!any || regexec(&re, *all, 0, NULL, 0) != 0)
                        some[n++] = *all;
        some[n] = NULL;
        if (any)
                regfree(&re);
        return some;
}

static void run_shell(struct step *s, const char *line) __attribute__((noreturn));
static void run_shell(struct step *s, const char *line) {
        char *v[] = { (char *)"sh", (char *)"-c", (char *)(uintptr_t)line, NULL };

        execve("/bin/sh", v, environment_filter(s->environment, config_of(s)->runtime_env_exclude));
        container_fail("cannot run /bin/sh: %s", strerror(errno));
}

/* Sets the standard streams of a child to fds; -1: /dev/null. */
static void set_streams(const int fds[STREAM_MAX]) {
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

        for (int i = 0; i < STREAM_MAX; i++)
                if (dup2(fds[i] < 0 ? nothing : fds[i], i) < 0)
                        _exit(EXIT_FAILURE);
}

static int wait_status(pid_t pid) {
        int status = -1;

        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        return status;
}

/* Runs a line of oci.conf without streams; returns the wait status. */
static int run_line(struct step *s, size_t local, const char *pattern) {
        static const int none[STREAM_MAX] = { -1, -1, -1 };
        _cleanup_free_ char *line = oci_expand_line(s, local, pattern,
                        (uint32_t)s->tasks[local].pid, NULL);
        pid_t pid = fork();

        if (pid == 0) {
                set_streams(none);
                run_shell(s, line);
        }
        return wait_status(pid);
}

/* ---- the task ---- */

static char *bundle_read_config(const char *folder, size_t *ret_size) {
        _cleanup_close_ int dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        struct stat st;

        if (dir < 0)
                container_fail("%s: %s", folder, strerror(errno));
        /* opening a FIFO would block */
        _cleanup_close_ int fd = openat(dir, file_names[FILE_CONFIG],
                        O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &st) < 0)
                container_fail("%s/config.json: %s", folder, strerror(errno));
        if (!S_ISREG(st.st_mode))
                container_fail("%s/config.json is not a file", folder);
        if ((uint64_t)st.st_size > BUNDLE_CONFIG_MAX)
                container_fail("%s/config.json is larger than 1 MiB", folder);
        char *text = xmalloc((size_t)st.st_size + 1);
        size_t n = 0;
        for (ssize_t k; n < (size_t)st.st_size; n += (size_t)k) {
                k = read(fd, text + n, (size_t)st.st_size - n);
                if (k < 0)
                        container_fail("%s/config.json: %s", folder, strerror(errno));
                if (k == 0)
                        break;
        }
        text[n] = 0;
        *ret_size = n;
        return text;
}

static void container_write_file(int i, const char *text, size_t size) {
        int r = fd_write(files[i], text, size);

        if (r < 0)
                container_fail("cannot write %s: %s", file_names[i], strerror(-r));
}

static void write_environment(char **e, const char *how) {
        char end = streq(how, "null") ? 0 : '\n';

        for (; *e; e++) {
                if (end && strchr(*e, end)) /* a newline would be read as two variables */
                        continue;
                container_write_file(FILE_ENVIRONMENT, *e, strlen(*e));
                container_write_file(FILE_ENVIRONMENT, &end, 1);
        }
}

static void write_config(struct step *s, char **v, char **e, const char *script) {
        const Slumber__OciConfig *c = config_of(s);
        const Slumber__StepSpec *spec = s->launch->spec;
        _cleanup_free_ char *text = NULL, *made = NULL;
        struct fail fail = { 0 };
        size_t size;

        if (c->ignore_config)
                return;
        text = bundle_read_config(spec->container, &size);
        if (bundle_config(text, size,
                            &(struct bundle_wish){
                                            .folder = spec->container,
                                            .arguments = v,
                                            .environment = e,
                                            .work_dir = spec->container_dir ? spec->work_dir : NULL,
                                            .script = script ? s->script : NULL,
                                            .script_there = script,
                                            .disable_hooks = c->disable_hooks,
                                            .uid = s->user.uid,
                                            .gid = s->user.gid,
                            },
                            &made, &bundle_root, &fail) < 0)
                container_fail("%s/config.json: %s", spec->container, fail.text);
        container_write_file(FILE_CONFIG, made, strlen(made));
}

static bool container_is_known(struct step *s, size_t local) {
        const char *query = config_of(s)->query;

        return !*query || run_line(s, local, query) == 0;
}

/* Deletes the container of an earlier or ended run of this task; does nothing if the runtime does
   not know the container. */
static int delete_container(struct step *s, size_t local) {
        const Slumber__OciConfig *c = config_of(s);

        if (!container_is_known(s, local))
                return 0;
        if (*c->kill)
                (void)run_line(s, local, c->kill);
        if (*c->delete_it)
                (void)run_line(s, local, c->delete_it);
        return *c->query && *c->delete_it && container_is_known(s, local) ? -EBUSY : 0;
}

/* Passes the PMI descriptor to the container: by LISTEN_FDS of systemd, which crun and runc
   support. */
static void hand_pmi_over(struct step *s) {
        if (!pmi_is_offered(s))
                return;
        int r = pmi_move(s, PMI_AT);
        if (r < 0)
                container_fail("no PMI: %s", strerror(-r));
        environment_set(s->environment, "LISTEN_FDS", "1");
        environment_set(s->environment, "LISTEN_PID", "%d", (int)getpid());
}

/* ---- RunTimeCreate, RunTimeStart ---- */

/* State of the task's process while waiting for the container: signals stay blocked until
   sigwaitinfo(). */
struct waiting {
        sigset_t all, before;
        pid_t pid; /* process of the container */
};

/* Runs a line of oci.conf with the task's streams. */
static void do_line(struct step *s, const struct task *t, const struct waiting *w, const char *what,
                const char *pattern, char **v) {
        _cleanup_free_ char *line = oci_expand_line(s, (size_t)(t - s->tasks), pattern,
                        (uint32_t)getpid(), v);
        pid_t pid = fork();

        if (pid == 0) {
                environment_set(s->environment, "LISTEN_PID", "%d", (int)getpid());
                (void)sigprocmask(SIG_SETMASK, &w->before, NULL);
                run_shell(s, line);
        }
        int status = wait_status(pid);
        if (status)
                container_fail("%s failed%s", what, pid < 0 ? ": no process could be made" : "");
}

static char *pipe_read_all(int fd, size_t *ret_size) {
        char *text = xmalloc(STATE_MAX + 1);
        size_t size = 0;
        ssize_t n = 1;

        while (n > 0 && size < STATE_MAX) {
                n = read(fd, text + size, STATE_MAX - size);
                size += n > 0 ? (size_t)n : 0;
        }
        text[size] = 0;
        *ret_size = size;
        return text;
}

static pid_t ask_pid(struct step *s, const struct task *t, const struct waiting *w) {
        _cleanup_free_ char *line = oci_expand_line(s, (size_t)(t - s->tasks), config_of(s)->query,
                        (uint32_t)getpid(), NULL);
        struct fail fail = { 0 };
        pid_t found = 0;
        size_t size;
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
                container_fail("RunTimeQuery: %s", strerror(errno));
        pid_t pid = fork();
        if (pid == 0) {
                (void)sigprocmask(SIG_SETMASK, &w->before, NULL);
                set_streams((int[]){ -1, fds[1], STDERR_FILENO });
                run_shell(s, line);
        }
        close(fds[1]);
        _cleanup_free_ char *text = pipe_read_all(fds[0], &size);
        close(fds[0]);
        if (wait_status(pid))
                container_fail("RunTimeQuery failed");
        if (container_state_pid(text, size, &found, &fail) < 0)
                container_fail("RunTimeQuery: %s", fail.text);
        return found;
}

/* Processes left by the runtime become children of this process, which waits for the container's.
   Signals to the task are sent on to the container. */
static int wait_container(const struct waiting *w) {
        for (;;) {
                int status;
                pid_t pid = waitpid(-1, &status, WNOHANG);

                if (pid == w->pid)
                        return status;
                if (pid > 0)
                        continue;
                if (pid < 0 && errno == ECHILD)
                        return -1;
                int signal = sigwaitinfo(&w->all, NULL);
                if (signal > 0 && signal != SIGCHLD)
                        (void)kill(w->pid, signal);
        }
}

static void create_and_start(struct step *s, const struct task *t, char **v)
                __attribute__((noreturn));
static void create_and_start(struct step *s, const struct task *t, char **v) {
        const Slumber__OciConfig *c = config_of(s);
        struct waiting w = { 0 };

        /* the launch succeeds once exec_fd is closed; pipes of other tasks must close with their
           owners */
        if (close_range(pmi_is_offered(s) ? PMI_AT + 1 : PMI_AT, ~0U, 0) < 0 ||
                        prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
                container_fail("%s", strerror(errno));
        sigfillset(&w.all);
        (void)sigprocmask(SIG_SETMASK, &w.all, &w.before);
        do_line(s, t, &w, "RunTimeCreate", c->create, v);
        w.pid = ask_pid(s, t, &w);
        do_line(s, t, &w, "RunTimeStart", c->start, v);
        int status = wait_container(&w);
        if (status < 0)
                container_fail("its process, %d, is none that RunTimeCreate has left to the task",
                                (int)w.pid);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void oci_run(struct step *s, const struct task *t, char **v) {
        const Slumber__OciConfig *c = config_of(s);
        size_t local = (size_t)(t - s->tasks);
        char **e, *script = NULL;

        if (s->launch->batch) {
                script = xasprintf("%s/slurm_script",
                                *c->mount_spool_dir ? c->mount_spool_dir : OCI_MOUNT_SPOOL);
                v[0] = script;
        }
        /* the container may not exist if there is no query, and %p is not the container's process
           yet */
        if (s->credential->restarts > 0 && *c->query && delete_container(s, local) < 0)
                container_fail("that of the job's last run cannot be deleted");
        environment_set(s->environment, "SLURM_CONTAINER", "%s", s->launch->spec->container);
        if (pmi_is_offered(s))
                environment_set(s->environment, "PMI_FD", "%d", PMI_AT);
        e = environment_filter(s->environment, c->env_exclude);
        write_config(s, v, e, script);
        if (*c->env_file)
                write_environment(e, c->env_file);
        hand_pmi_over(s);
        if (*c->create)
                create_and_start(s, t, v);
        run_shell(s, oci_expand_line(s, local, c->run, (uint32_t)getpid(), v));
}

/* ---- the container's end ---- */

void oci_clean(struct step *s, size_t local, bool inside) {
        (void)setsid();
        if (task_enter(s, s->group, inside) < 0 || hide_cgroups(s->user.uid) < 0 ||
                        task_become_user(s) < 0)
                _exit(EXIT_FAILURE);
        _exit(delete_container(s, local) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
