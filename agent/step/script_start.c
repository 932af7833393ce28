/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process of a batch script, started without a copy of the step daemon's memory.
 *
 * Most of what a fork of the step daemon costs is to copy its page tables, to write to pages that
 * are shared since, and to take it all down again at exec.  A script without plug-ins, prologs and
 * the like needs none of it: its child shares the step daemon's memory until exec, and finds there
 * all that it needs (cg_fork_shared()).
 *
 * Who owns the job may stop the child before exec, or its job may be frozen then.  The step daemon
 * stands still meanwhile, as it may when it opens that user's files; to end the job, slumberd kills
 * the group.  What fails is done once more by a forked child, which says why. */
#include "agent/step/parts.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define STACK_SIZE 16384 /* bytes */
/* bytes: what this process has had in memory counts as the script's, for the kernel keeps the
   maximum over exec; more than this would be seen beside a shell's */
#define MEMORY_MAX (8u << 20)
#define PID_NAME   "SLURM_TASK_PID"
#define TMP_NAME   "TMPDIR"

struct beginning {
        struct becoming becoming;
        int fds[STREAM_MAX];
        const char *tmpdir; /* to be made; NULL: none */
        char *pid;          /* where its number is to be in the environment */
        char **arguments, **environment;
        int error; /* negative errno: why it has not exec'ed */
};

static bool is_folder(const char *path) {
        struct stat st;

        return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void put_number(char *to, unsigned number) {
        char digits[16];
        size_t n = 0;

        do
                digits[n++] = (char)('0' + number % 10);
        while (number /= 10);
        while (n > 0)
                *to++ = digits[--n];
        *to = 0;
}

/* ---- in the child: see cg_fork_shared() for what it must not do ---- */

/* Its frame is never left, which the sanitizer would take for a stack in use. */
#define UNCHECKED __attribute__((no_sanitize("address")))

UNCHECKED static int exec_script(const struct beginning *b) {
        sigset_t all;

        sigfillset(&all);
        (void)sigprocmask(SIG_SETMASK, &all, NULL);
        (void)setsid();
        for (int i = 0; i < STREAM_MAX; i++)
                if (dup2(b->fds[i], i) < 0)
                        return -errno;
        put_number(b->pid, (unsigned)getpid());
        int r = task_become_shared(&b->becoming);
        if (r < 0)
                return r;
        if (b->tmpdir && mkdir(b->tmpdir, 0700) < 0 && (errno != EEXIST || !is_folder(b->tmpdir)))
                return -ENOTDIR;
        execve(b->arguments[0], b->arguments, b->environment);
        return -errno;
}

UNCHECKED static void begin(void *arg) {
        struct beginning *b = arg;

        b->error = exec_script(b);
        for (;;)
                (void)syscall(SYS_exit_group, EXIT_FAILURE);
}

/* ---- in the step daemon ---- */

static bool is_large(void) {
        struct rusage own;

        return getrusage(RUSAGE_SELF, &own) < 0 || own.ru_maxrss > (long)(MEMORY_MAX / 1024);
}

/* Nothing but what exec_script() does is to be done in the child. */
static bool is_plain(const struct step *s) {
        const Slumber__StepdSpec *d = s->spec;
        const Slumber__StepSpec *spec = s->launch->spec;

        return s->launch->batch && !s->plugins && s->container < 0 && !step_has_oci(s) &&
               !task_has_prolog(s) && !s->launch->start_frozen && d->n_cpu_masks == 0 &&
               !d->cpu_bind_verbose && !*spec->tres_per_task && !*spec->gpu_bind &&
               !spec->oom_kill_step;
}

static pid_t start(struct step *s, struct beginning *b, struct cg *group) {
        static char stack[STACK_SIZE] __attribute__((aligned(16)));
        pid_t pid = cg_fork_shared(group, stack, sizeof stack, begin, b);

        if (pid > 0 && b->error < 0) {
                while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                        ;
                return -1;
        }
        return pid;
}

pid_t script_start(struct step *s, const int fds[STREAM_MAX], struct cg *group) {
        struct environment *e = s->environment;
        struct beginning b = { .error = 0 };

        if (!is_plain(s) || is_large())
                return -1;
        memcpy(b.fds, fds, sizeof b.fds);
        task_becomes(s, &b.becoming);
        environment_of_task(e, s->spec, 0);
        b.tmpdir = environment_get(e, TMP_NAME);
        if (!b.tmpdir)
                environment_set(e, TMP_NAME, "/tmp");
        environment_set(e, PID_NAME, "%u", UINT32_MAX); /* room for every number */
        b.pid = (char *)(uintptr_t)environment_get(e, PID_NAME);
        b.arguments = step_script_arguments(s);
        b.environment = environment_vector(e);
        pid_t pid = start(s, &b, group);
        environment_unset(e, PID_NAME);
        if (!b.tmpdir)
                environment_unset(e, TMP_NAME);
        return pid;
}
