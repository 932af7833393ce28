/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step daemon started for hooks instead of a step: runs job_prolog or job_epilog of plug-ins,
 * then the programs of Prolog or Epilog, writes the result to a file, and ends (lib/hook_row.h).
 *
 * Hooks run on without slumberd: a slumberd checks only the socket held open by this process. */
#include "agent/step/parts.h"
#include "agent/step/spank_scripts.h"

#include "lib/hook_row.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Runs job_prolog or job_epilog of plugstack.conf in a child, as a plug-in may crash its
   process. */
static int run_plugins(const struct hook_row *row, const Slumber__HookSpec *h, struct fail *fail) {
        struct spank_script *result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        int status = 0, r;

        if (result == MAP_FAILED)
                return fail_set(fail, -errno, "plugstack.conf: %s", strerror(errno));
        pid_t pid = hook_fork(row, fail);
        if (pid == 0)
                spank_job_script(h, result);
        r = pid < 0 ? (int)pid : hook_await(row, pid, "plugstack.conf", &status, fail);
        result->doing.text[sizeof result->doing.text - 1] = 0;
        result->text[sizeof result->text - 1] = 0;
        if (r < 0 && *result->doing.text)
                fail_set(fail, r, "%s took longer than its timeout", result->doing.text);
        else if (r >= 0 && *result->doing.text)
                r = fail_set(fail, -ECHILD, "%s ended with %s %d", result->doing.text,
                                WIFSIGNALED(status) ? "signal" : "exit status",
                                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        else if (r >= 0 && status)
                r = fail_set(fail, -ECHILD, "%s",
                                *result->text ? result->text : "plugstack.conf: it was killed");
        (void)munmap(result, sizeof *result);
        return r;
}

static int run_all(const struct hook_row *row, const Slumber__HookSpec *h, struct fail *fail) {
        int r = *h->plugstack ? run_plugins(row, h, fail) : 0;

        return r < 0 ? r : hook_run_row(row, fail);
}

/* RunInJob: runs all hooks in the cgroup of the job's extern step, by a child in this cgroup. */
static int run_in_group(const struct hook_row *row, const Slumber__HookSpec *h, struct fail *fail) {
        _cleanup_(cg_freep) struct cg *group = NULL;
        struct fail *said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        int status = 0, r = said == MAP_FAILED ? -errno : cg_open(h->cgroup, &group, fail);
        bool inside;

        if (said == MAP_FAILED)
                return fail_set(fail, r, "no memory is to be had: %s", strerror(-r));
        pid_t daemon = getpid(), pid = r < 0 ? -1 : cg_fork(group, &inside);
        if (pid == 0) {
                if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != daemon)
                        _exit(1);
                r = inside ? 0 : cg_enter(group);
                r = r < 0 ? fail_set(said, r, "cannot enter the job's group: %s", strerror(-r))
                          : run_all(row, h, said);
                _exit(r < 0);
        }
        if (r >= 0 && pid < 0)
                r = fail_set(fail, -errno, "cannot start: %s", strerror(errno));
        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        said->text[sizeof said->text - 1] = 0;
        if (pid > 0 && status)
                r = fail_set(fail, -ECHILD, "%s",
                                WIFSIGNALED(status) ? "it was killed with its job" : said->text);
        (void)munmap(said, sizeof *said);
        return r;
}

/* Syncs the record of the hooks, JOB.RESTARTS beside JOB.RESTARTS.prolog, which says that an epilog
   has to run, also after a power failure. Done here, as slumberd does not wait for the disk. */
static int sync_record(const char *result, struct fail *fail) {
        _cleanup_free_ char *path = xstrndup(result, (size_t)(strrchr(result, '.') - result));
        int r = hook_sync(path);

        return r < 0 ? fail_set(fail, r, "cannot sync %s: %s", path, strerror(-r)) : 0;
}

/* The result is not synced: after a power failure the job is gone. */
void hook_run(const struct step *s, const Slumber__HookSpec *h) {
        _cleanup_free_ char **environment = xnew0(char *, h->n_environment + 1);
        struct fail fail = { 0 };
        struct hook_row row = { .files = h->files,
                .n_files = h->n_files,
                .environment = environment,
                .timeout = h->timeout,
                .fd = hook_begin(h->result, h->epilog, &fail),
                .stop_fd = -1 };

        if (row.fd < 0) {
                if (row.fd != -EEXIST)
                        fprintf(stderr, "slumberstepd: %s\n", fail.text);
                _exit(1);
        }
        for (size_t i = 0; i < h->n_environment; i++)
                environment[i] = h->environment[i];
        (void)setrlimit(RLIMIT_NOFILE, &s->files);
        (void)umask(022);
        (void)!chdir("/");
        int r = sync_record(h->result, &fail);
        if (r >= 0)
                r = *h->cgroup ? run_in_group(&row, h, &fail) : run_all(&row, h, &fail);
        r = hook_end(row.fd, h->epilog, r >= 0, fail.text);
        if (r < 0)
                fprintf(stderr, "slumberstepd: cannot write %s: %s\n", h->result, strerror(-r));
        _exit(r < 0);
}
