/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the process of a batch script without a copy of the step daemon's memory.
 *
 * Most of the cost of a fork is the copy of the page tables, writes to pages shared afterwards, and
 * freeing all of this at exec. A script without plug-ins, prologs and similar features needs no
 * copy: its child shares the step daemon's memory until exec, and finds all data there
 * (cg_fork_shared()).
 *
 * The user may stop the child before exec, or the job may be frozen. The step daemon blocks
 * meanwhile, as it may when opening the user's files; slumberd can still end the job by killing the
 * cgroup. Where the child hangs in the kernel (TMPDIR or the interpreter on a FUSE file system that
 * does not answer) the step daemon hangs with it, and slumberd declares the step unkillable. After
 * a failure a forked child tries again, and reports the reason. */
#include "agent/step/parts.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define STACK_SIZE 16384 /* bytes */
/* bytes: the kernel keeps the maximum resident size over exec, so this process's maximum counts as
   the script's; a larger maximum would be visible beside a shell's */
#define MEMORY_MAX (8u << 20)
#define PID_NAME   "SLURM_TASK_PID"
#define TMP_NAME   "TMPDIR"

struct beginning {
        struct becoming becoming;
        int fds[STREAM_MAX];
        const char *tmpdir; /* folder to be made; NULL: none */
        char *pid;          /* place of the process id in the environment, set by the child */
        char **arguments, **environment;
        int error; /* negative errno: reason why exec failed */
};

static bool tmpdir_is_folder(const char *path) {
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

/* ---- in the child: see cg_fork_shared() for restrictions ---- */

/* The frames of these functions are never left: the address sanitizer would consider the stack in
   use. */
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
        if (b->tmpdir && mkdir(b->tmpdir, 0700) < 0 &&
                        (errno != EEXIST || !tmpdir_is_folder(b->tmpdir)))
                return -ENOTDIR;
        execve(b->arguments[0], b->arguments, b->environment);
        return -errno;
}

UNCHECKED static void script_child_main(void *arg) {
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

/* Returns true if exec_script() does all that the child needs. */
static bool script_is_plain(const struct step *s) {
        const Slumber__StepdSpec *d = s->spec;
        const Slumber__StepSpec *spec = s->launch->spec;

        return s->launch->batch && !s->plugins && s->container < 0 && !step_has_oci(s) &&
               !task_has_prolog(s) && !s->launch->start_frozen && d->n_cpu_masks == 0 &&
               !d->cpu_bind_verbose && !*spec->tres_per_task && !*spec->gpu_bind &&
               !spec->oom_kill_step;
}

static pid_t script_fork(struct step *s, struct beginning *b, struct cg *group) {
        static char stack[STACK_SIZE] __attribute__((aligned(16)));
        pid_t pid = cg_fork_shared(group, stack, sizeof stack, script_child_main, b);

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

        if (!script_is_plain(s) || is_large())
                return -1;
        memcpy(b.fds, fds, sizeof b.fds);
        task_becomes(s, &b.becoming);
        environment_of_task(e, s->spec, 0);
        b.tmpdir = environment_get(e, TMP_NAME);
        if (!b.tmpdir)
                environment_set(e, TMP_NAME, "/tmp");
        environment_set(e, PID_NAME, "%u", UINT32_MAX); /* room for the longest number */
        b.pid = (char *)(uintptr_t)environment_get(e, PID_NAME);
        b.arguments = step_script_arguments(s);
        b.environment = environment_vector(e);
        pid_t pid = script_fork(s, &b, group);
        environment_unset(e, PID_NAME);
        if (!b.tmpdir)
                environment_unset(e, TMP_NAME);
        return pid;
}
